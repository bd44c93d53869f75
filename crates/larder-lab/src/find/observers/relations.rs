//! The relations under measurement: larder's index, and those written by hand. (`circles.rs` has one
//! more.)

use std::collections::hash_map::{Entry, HashMap};

use larder::{Handle, indices::MultiIndex};

use crate::study::hashers::Hasher;

/// An object's key.
pub(crate) type Key = Handle<u8>;

/// Objects by a property. (All of it is inlined, as in `unique`.)
pub(crate) trait Relations: Default {
    /// The name in tables and in JSON.
    const NAME: &'static str;

    /// Whether it finds an object by walking all of them.
    const WALKS_ALL: bool = false;

    /// Puts an object under its property.
    fn add(&mut self, key: Key, property: u32);

    /// All objects with a property.
    fn find(&self, property: u32) -> impl Iterator<Item = Key>;

    /// The sum of the keys of all objects with a property.
    fn sum(&self, property: u32) -> u64 {
        self.find(property).fold(0, |sum, key| sum.wrapping_add(key.to_bits()))
    }

    /// Whether any object has a property.
    fn has(&self, property: u32) -> bool {
        self.find(property).next().is_some()
    }

    /// Removes an object from its property.
    fn remove(&mut self, key: Key, property: u32);

    /// Puts an object under another property.
    fn refile(&mut self, key: Key, from: u32, to: u32) {
        self.remove(key, from);
        self.add(key, to);
    }
}

/// The sum of keys side by side: one function, because a loop's speed depends on where the linker puts it.
#[inline(never)]
fn sum(keys: &[Key]) -> u64 {
    keys.iter().fold(0, |sum, key| sum.wrapping_add(key.to_bits()))
}

impl Relations for MultiIndex<u32, Key> {
    const NAME: &'static str = "MultiIndex";

    #[inline(always)]
    fn add(&mut self, key: Key, property: u32) {
        self.insert(key, property).expect("the key is live");
    }

    #[inline(always)]
    fn find(&self, property: u32) -> impl Iterator<Item = Key> {
        self.get(&property).iter().copied()
    }

    #[inline(always)]
    fn sum(&self, property: u32) -> u64 {
        sum(self.get(&property))
    }

    #[inline(always)]
    fn has(&self, property: u32) -> bool {
        !self.get(&property).is_empty()
    }

    #[inline(always)]
    fn remove(&mut self, key: Key, _property: u32) {
        self.remove(key);
    }

    #[inline(always)]
    fn refile(&mut self, key: Key, _from: u32, to: u32) {
        self.add(key, to);
    }
}

/// A `Vec` of keys under each property.
#[derive(Default)]
pub(crate) struct Tables<S>(HashMap<u32, Vec<Key>, S>);

impl<S: Hasher> Relations for Tables<S> {
    const NAME: &'static str =
        if S::IS_FOLDHASH { "HashMap of Vec, foldhash" } else { "HashMap of Vec" };

    #[inline(always)]
    fn add(&mut self, key: Key, property: u32) {
        self.0.entry(property).or_default().push(key);
    }

    #[inline(always)]
    fn find(&self, property: u32) -> impl Iterator<Item = Key> {
        self.0.get(&property).into_iter().flatten().copied()
    }

    #[inline(always)]
    fn sum(&self, property: u32) -> u64 {
        self.0.get(&property).map_or(0, |keys| sum(keys))
    }

    #[inline(always)]
    fn has(&self, property: u32) -> bool {
        self.0.get(&property).is_some_and(|keys| !keys.is_empty())
    }

    #[inline(always)]
    fn remove(&mut self, key: Key, property: u32) {
        let Entry::Occupied(mut having) = self.0.entry(property) else {
            return;
        };
        let keys = having.get_mut();
        if let Some(position) = keys.iter().position(|&other| other == key) {
            keys.swap_remove(position);
        }
        if keys.is_empty() {
            having.remove();
        }
    }
}

/// All objects are compared.
#[derive(Default)]
pub(crate) struct BruteForce(Vec<(u32, Key)>);

impl Relations for BruteForce {
    const NAME: &'static str = "brute force";
    const WALKS_ALL: bool = true;

    #[inline(always)]
    fn add(&mut self, key: Key, property: u32) {
        self.0.push((property, key));
    }

    #[inline(always)]
    fn find(&self, property: u32) -> impl Iterator<Item = Key> {
        self.0.iter().filter(move |related| related.0 == property).map(|related| related.1)
    }

    #[inline(always)]
    fn remove(&mut self, key: Key, _property: u32) {
        if let Some(position) = self.0.iter().position(|related| related.1 == key) {
            self.0.swap_remove(position);
        }
    }
}
