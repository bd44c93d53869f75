//! An index of properties that at most one key has.

use core::borrow::Borrow;
use core::fmt;
use core::hash::{BuildHasher, Hash};
use core::slice;

use hashbrown::DefaultHashBuilder;
use hashbrown::hash_table;

use super::IndexError;
use super::by_hash::{ByHash, Leftover, Ticket};
use super::methods::{hashed, methods, properties};
use super::row_index::IndexBy;
use super::row_index::TwoPhase;
use crate::containers::container::Container;
use crate::error::TryReserveError;
use crate::explain;
use crate::hashing::table::{self, Entries, Entry, NoRoom, Number, Removed, Table};
use crate::key::Key;
use crate::stats::{MemoryUsage, Stats};

/// Hidden lines of the examples: two birds, and an index by a number.
macro_rules! example {
    () => {
        "# use larder::{Arena, indices::UniqueIndex};\n\
         # let mut birds = Arena::new();\n\
         # let (wren, kite) = (birds.insert(\"wren\"), birds.insert(\"kite\"));\n\
         # let mut index = UniqueIndex::new();"
    };
}

/// The object with a property, of which each object has another. Needs the feature `hashbrown`.
///
/// It lies beside a container and has to be told of changes. If it is not told of a removal, the stale key stays filed
/// until the next object in its slot is, or [`retain_live`](Self::retain_live) is called. An
/// [`Indexed`](crate::indices::Indexed) owns a container and its indices, and updates them.
///
/// [`BareHandle`](crate::key::BareHandle) keys cannot be stale: an entry of a removed object is taken for one of the next
/// object in its slot. Then tell the index of every removal, or use an `Indexed`.
///
/// # Layout
/// ```text
/// table     property, key │ …     found by hash
/// hashes    hash │ hash │ …       4 bytes by slot: where in the table the key's entry is
/// ```
/// A removal runs no code of the property but its `Drop`.
///
/// # Costs
/// | | |
/// |---|---|
/// | `get` | O(1): a hash and one cache line |
/// | `insert` | O(1) amortised |
/// | `remove`, `property` | O(1), without a hash |
///
/// # Examples
/// ```
/// use larder::{Arena, indices::{IndexError, UniqueIndex}};
///
/// let mut birds = Arena::new();
/// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
///
/// let mut by_name = UniqueIndex::new();
/// by_name.insert(wren, String::from("wren"))?;
/// by_name.insert(kite, String::from("kite"))?;
/// assert_eq!(by_name.get("kite"), Some(kite));
///
/// let refused = by_name.insert(kite, String::from("wren"));
/// assert_eq!(refused, Err(IndexError::Duplicate { holder: wren }));
/// assert_eq!(by_name.property(kite).unwrap(), "kite"); // nothing has changed
/// # Ok::<(), IndexError<larder::Handle<&str>>>(())
/// ```
#[doc(alias("bimap", "primary key", "by name"))]
pub struct UniqueIndex<Q, K: Key, S = DefaultHashBuilder> {
    inner: ByHash<Q, K, S, Pairs<Q, K>>,
}

hashed! { UniqueIndex }

methods! {
    UniqueIndex, [Q, K: Key, S], [Q, K, S], of Q, example: example, "17", "18",
    insert where [Q: Hash + Eq, S: BuildHasher,], cost: "O(1) amortised.",
    errors: "If another key has the property, the key is stale or dangling, or memory is refused.",
    panics: "# Panics\nIf `Hash` or `Eq` of the property panics. Then nothing has changed.\n",
    extend: "O(keys)."
}

properties! {
    UniqueIndex, [Q, K: Key, S], [Q, K, S], example: example, by where [Hash + Eq]
}

/// Finding.
impl<Q: Hash + Eq, K: Key, S: BuildHasher> UniqueIndex<Q, K, S> {
    /// The key with a property. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.insert(wren, String::from("GB 17")).unwrap();
    /// assert_eq!((index.get("GB 17"), index.get("GB 18")), (Some(wren), None));
    /// ```
    #[doc(alias("find"))]
    #[inline]
    #[must_use]
    pub fn get<B: Hash + Eq + ?Sized>(&self, property: &B) -> Option<K>
    where
        Q: Borrow<B>,
    {
        self.inner.find(property).map(|&(_, key)| key)
    }
}

/// Removing and walking.
impl<Q, K: Key, S> UniqueIndex<Q, K, S> {
    /// Removes a key and returns its property. O(1), without memory; runs no code of the property.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.insert(wren, 17).unwrap();
    /// assert_eq!((index.remove(wren), index.remove(wren)), (Some(17), None));
    /// ```
    #[inline]
    pub fn remove(&mut self, key: K) -> Option<Q> {
        self.inner.remove(key).flatten()
    }

    /// Walks the properties and their keys, in no order. O(keys that there is room for) in all.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.insert(wren, 17).unwrap();
    /// assert!(index.iter().eq([(&17, wren)]));
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Q, K)> + Clone {
        self.inner.entries.0.iter().map(|(property, key)| (property, *key))
    }
}

/// Properties with one key each. By slot is what is kept of the property's hash.
struct Pairs<Q, K>(Table<(Q, K)>);

impl<Q, K> Entry<Q, K> for (Q, K) {
    #[inline]
    fn get(&self) -> (&Q, &[K]) {
        (&self.0, slice::from_ref(&self.1))
    }
}

impl<Q, K: Key> Entries<Q, K> for Pairs<Q, K> {
    type Entry = (Q, K);
    type Place = u32;

    const NEW: Self = Self(Table::new());

    #[inline]
    fn table(&self) -> &Table<(Q, K)> {
        &self.0
    }

    #[inline]
    fn has_room(&self) -> bool {
        self.0.has_room()
    }

    #[inline]
    fn add(&mut self, hash: u64, property: Q, key: K) -> Result<(u32, Option<Q>), NoRoom<K>>
    where
        Q: Eq,
    {
        let position = self.0.position_of(hash);
        let is_it = |other: &(Q, K)| other.0 == property;
        match self.0.entry(position, is_it, |_| unreachable!("there is room")) {
            hash_table::Entry::Occupied(entry) => Err(NoRoom::Unique(entry.get().1)),
            hash_table::Entry::Vacant(entry) => {
                entry.insert((property, key));
                Ok((table::kept(hash), None))
            }
        }
    }

    #[inline]
    fn make_room(
        &mut self,
        entry: Option<Number>,
        kept: impl Fn(K) -> u32,
    ) -> Result<(), NoRoom<K>> {
        match entry.and_then(|entry| self.0.get_bucket(entry)) {
            Some(&(_, holder)) => Err(NoRoom::Unique(holder)),
            None => Ok(self.0.make_room(1, |&(_, key)| kept(key))?),
        }
    }

    fn begin(&mut self, hash: u64, property: Q, key: K) -> u32 {
        let kept = table::kept(hash);
        self.0.insert(kept, (property, key));
        kept
    }

    fn push(&mut self, _: Number, _: K) -> u32 {
        unreachable!("there is no room")
    }

    fn set(&mut self, entry: Number, _: u32, key: K) {
        if let Some(entry) = self.0.get_bucket_mut(entry) {
            entry.1 = key;
        }
    }

    fn remove(&mut self, entry: Number, _: u32) -> Removed<Q, K> {
        let Ok(entry) = self.0.get_bucket_entry(entry) else { unreachable!("it was found") };
        let ((property, _), _) = entry.remove();
        Removed::Entry(property)
    }

    #[inline]
    fn remove_at(
        &mut self,
        kept: u32,
        _: u32,
        is_it: impl Fn(&(Q, K)) -> bool,
    ) -> Option<Removed<Q, K>> {
        let position = self.0.position_of_kept(kept);
        let entry = self.0.find_entry(position, is_it).ok()?;
        Some(Removed::Entry(entry.remove().0.0))
    }

    fn retain(
        &mut self,
        mut keep: impl FnMut(K) -> bool,
        mut removed: impl FnMut(K, Option<(K, u32)>),
    ) {
        self.0.retain(|&mut (_, key)| {
            let is_kept = keep(key);
            if !is_kept {
                removed(key, None);
            }
            is_kept
        });
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn try_reserve(&mut self, keys: usize, kept: impl Fn(K) -> u32) -> Result<(), TryReserveError> {
        self.0.make_room(keys, |&(_, key)| kept(key))
    }

    fn try_clone(&self, kept: impl Fn(K) -> u32) -> Result<Self, TryReserveError>
    where
        Q: Clone,
    {
        let mut copy = Table::new();
        copy.make_room(self.0.len(), |_| unreachable!("it is empty"))?;
        for (property, key) in self.0.iter() {
            copy.insert(kept(*key), (property.clone(), *key));
        }
        Ok(Self(copy))
    }

    fn memory_usage(&self) -> MemoryUsage {
        let (values, committed) = (self.0.len() * size_of::<K>(), self.0.allocation_size());
        let bookkeeping = committed - values;
        MemoryUsage {
            values,
            bookkeeping,
            committed,
            reserved: committed,
            ..MemoryUsage::default()
        }
    }
}
