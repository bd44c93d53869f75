//! Room for one value whose key is needed first, and the keys of many.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use crate::explain::Grants;
use crate::key::Key;
use crate::raw::slots::{SlotStore, Vacancy};

/// Room for one value.
/// Made by `vacant_entry`.
///
/// Nothing has changed until [`insert`](Self::insert) is called.
///
/// # Examples
/// ```
/// # use larder::Arena;
/// let mut arena = Arena::new();
/// drop(arena.vacant_entry());
/// assert!(arena.is_empty());
/// let entry = arena.vacant_entry();
/// let key = entry.key();
/// entry.insert(7_u32);
/// assert_eq!(arena.get(key), Some(&7));
/// ```
#[must_use = "nothing is inserted until `insert` is called"]
pub struct VacantEntry<'a, K: Key, S: SlotStore<K>>(pub(super) Vacancy<'a, K, S>);

impl<'a, K: Key, S: SlotStore<K>> VacantEntry<'a, K, S> {
    /// Returns the key that the value will have. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// let entry = arena.vacant_entry();
    /// let key = entry.key();
    /// entry.insert('x');
    /// assert!(arena.contains_key(key));
    /// ```
    #[inline]
    #[must_use]
    pub fn key(&self) -> K {
        self.0.key()
    }

    /// Inserts the value and returns it for mutation. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// *arena.vacant_entry().insert(1_u8) += 1;
    /// assert!(arena.values().eq(&[2]));
    /// ```
    #[inline]
    pub fn insert(self, value: S::Value) -> S::ValueMut<'a> {
        self.0.fill_and_get(value)
    }
}

impl<K: Key, S: SlotStore<K>> fmt::Debug for VacantEntry<'_, K, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VacantEntry").field(&self.key()).finish()
    }
}

/// The keys of values as they are inserted. Made by the container's `insert_many`.
///
/// Dropping it inserts the remaining values, unless a value or the container panicked.
pub struct InsertMany<'a, K: Key, S: SlotStore<K>, I: Iterator<Item = S::Value>> {
    slots: &'a mut S,
    values: I,
    /// An iterator that panicked is not asked again: a second panic would end the program.
    panicked: bool,
    keys: PhantomData<fn() -> K>,
}

impl<'a, K: Key, S: SlotStore<K>, I: Iterator<Item = S::Value>> InsertMany<'a, K, S, I> {
    #[track_caller]
    pub(super) fn new(slots: &'a mut S, values: I) -> Self {
        let expected = values.size_hint().0;
        if expected > slots.remaining() {
            Self::granted(slots.try_reserve(expected));
        }
        Self { slots, values, panicked: false, keys: PhantomData }
    }
}

impl<K: Key, S: SlotStore<K>, I: Iterator<Item = S::Value>> Grants for InsertMany<'_, K, S, I> {
    type Of = S::Value;

    const NAME: &'static str = S::NAME;
}

impl<K: Key, S: SlotStore<K>, I: Iterator<Item = S::Value>> Iterator for InsertMany<'_, K, S, I> {
    type Item = K;

    #[inline]
    #[track_caller]
    fn next(&mut self) -> Option<K> {
        self.panicked = true;
        let value = self.values.next();
        let key = value.map(|value| Self::granted(self.slots.insert_or(value, |_, reason| reason)));
        self.panicked = false;
        key
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.values.size_hint()
    }
}

impl<K: Key, S: SlotStore<K>, I: ExactSizeIterator<Item = S::Value>> ExactSizeIterator
    for InsertMany<'_, K, S, I>
{
}
impl<K: Key, S: SlotStore<K>, I: FusedIterator<Item = S::Value>> FusedIterator
    for InsertMany<'_, K, S, I>
{
}

impl<K: Key, S: SlotStore<K>, I: Iterator<Item = S::Value>> Drop for InsertMany<'_, K, S, I> {
    fn drop(&mut self) {
        if !self.panicked {
            let inserted = self.slots.try_extend(self.values.by_ref());
            // (A second panic would end the program.)
            #[cfg(feature = "std")]
            if std::thread::panicking() {
                return;
            }
            Self::granted(inserted);
        }
    }
}

impl<K: Key, S: SlotStore<K>, I: Iterator<Item = S::Value>> fmt::Debug for InsertMany<'_, K, S, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InsertMany")
            .field("remaining", &self.values.size_hint().0)
            .finish_non_exhaustive()
    }
}
