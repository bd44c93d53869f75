//! An index of properties that at most one key has.

use core::borrow::Borrow;
use core::fmt;
use core::hash::{BuildHasher, Hash};

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

use super::error::IndexError;
use super::index_by::IndexBy;
use super::methods::{hashed, methods, properties};
use super::two_phase::TwoPhase;
use crate::by_slot::BySlot;
use crate::containers::container::Container;
use crate::error::TryReserveError;
use crate::hashing::{kept_hash, no_room, table_hash};
use crate::key::Key;
use crate::raw::keyed::{can_be_live, is_older};
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
#[derive(Clone)]
pub struct UniqueIndex<Q, K: Key, S = DefaultHashBuilder> {
    inner: KeyByProperty<Q, K, S>,
}

hashed! { UniqueIndex, KeyByProperty }

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
        self.inner.find(property)
    }
}

/// Removing and walking.
impl<Q, K: Key, S> UniqueIndex<Q, K, S> {
    /// Removes a key and returns its property. O(1), without a hash or memory.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.insert(wren, 17).unwrap();
    /// assert_eq!((index.remove(wren), index.remove(wren)), (Some(17), None));
    /// ```
    pub fn remove(&mut self, key: K) -> Option<Q> {
        self.inner.remove(key)
    }

    /// Walks the properties and their keys, in no order. O(keys) in all.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.insert(wren, 17).unwrap();
    /// assert!(index.iter().eq([(&17, wren)]));
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Q, K)> + Clone {
        self.inner.table.iter().map(|(property, key)| (property, *key))
    }
}

impl<Q: Hash + Eq, K: Key, S: BuildHasher> TwoPhase for UniqueIndex<Q, K, S> {
    type Key = K;
    type Property = Q;
    type Ticket = Ticket<Q, K>;
    type Leftover = Option<Q>;

    #[inline]
    fn prepare(&mut self, key: K, property: Q) -> Result<Ticket<Q, K>, IndexError<K>> {
        self.inner.prepare(key, property)
    }

    #[inline]
    fn file(&mut self, ticket: Ticket<Q, K>) -> Option<Q> {
        self.inner.file(ticket)
    }

    #[inline]
    fn insert(&mut self, key: K, property: Q) -> Result<(), IndexError<K>> {
        self.inner.insert(key, property)
    }

    fn unfile(&mut self, key: K) -> Option<Q> {
        self.inner.remove(key)
    }

    fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError> {
        self.inner.try_reserve(keys)
    }

    fn len(&self) -> usize {
        self.inner.len()
    }

    fn clear(&mut self) {
        self.inner.clear();
    }
}

impl<Q: fmt::Debug, K: Key, S> fmt::Debug for UniqueIndex<Q, K, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Properties with one key each.
///
/// **Invariant.** The keys of the table and those that have a hash are the same, and the hash is that by which the table
/// has the entry. So the table grows, and entries leave it, without user code.
#[derive(Clone)]
struct KeyByProperty<Q, K: Key, S> {
    table: HashTable<(Q, K)>,
    hashes: BySlot<u32>,
    hasher: S,
}

/// A key for which there is room. Valid until anything else is changed.
#[must_use = "nothing is filed yet"]
#[derive(Debug)]
#[expect(unnameable_types, reason = "part of the seal on `IndexBy`")]
pub struct Ticket<Q, K> {
    key: K,
    property: Q,
    hash: u32,
    /// The key that has this property: the same one, or a stale one of its slot.
    holder: Option<K>,
    /// The key of the same slot that is filed: the same one, or a stale one.
    before: Option<K>,
}

/// With a hash.
impl<Q: Hash + Eq, K: Key, S: BuildHasher> KeyByProperty<Q, K, S> {
    #[inline]
    fn find<B: Hash + Eq + ?Sized>(&self, property: &B) -> Option<K>
    where
        Q: Borrow<B>,
    {
        self.find_hashed(kept_hash(&self.hasher, property), property)
    }

    #[inline]
    fn find_hashed<B: Eq + ?Sized>(&self, hash: u32, property: &B) -> Option<K>
    where
        Q: Borrow<B>,
    {
        let found = self.table.find(table_hash(hash), |(other, _)| other.borrow() == property);
        found.map(|&(_, key)| key)
    }

    /// Files a key. On an error or a panic nothing has changed. O(1) amortised.
    #[inline]
    fn insert(&mut self, key: K, property: Q) -> Result<(), IndexError<K>> {
        if !can_be_live(key) || !self.hashes.is_free(key.slot()) {
            return self.refile(key, property);
        }
        self.make_room(1)?;
        let kept = kept_hash(&self.hasher, &property);
        let hash_of = |(_, key): &(Q, K)| table_hash(self.hashes.get(key.slot()));
        match self.table.entry(table_hash(kept), |(other, _)| *other == property, hash_of) {
            Entry::Occupied(entry) => Err(IndexError::Duplicate { holder: entry.get().1 }),
            Entry::Vacant(entry) => {
                entry.insert((property, key));
                self.hashes.set(key.slot(), kept);
                Ok(())
            }
        }
    }

    /// Files a key whose slot has one already, or no room for its hash.
    #[inline(never)]
    fn refile(&mut self, key: K, property: Q) -> Result<(), IndexError<K>> {
        let ticket = self.prepare(key, property)?;
        self.file(ticket);
        Ok(())
    }

    /// Prepares to file a key. On an error or a panic nothing has changed. O(1) amortised.
    #[inline]
    fn prepare(&mut self, key: K, property: Q) -> Result<Ticket<Q, K>, IndexError<K>> {
        let hash = kept_hash(&self.hasher, &property);
        let holder = self.find_hashed(hash, &property);
        let before = self.make_room_by_slot(key)?;
        // A stale key in the same slot will be removed.
        if let Some(holder) = holder.filter(|holder| holder.slot() != key.slot()) {
            return Err(IndexError::Duplicate { holder });
        }
        if holder != Some(key) {
            self.make_room(1)?;
        }
        Ok(Ticket { key, property, hash, holder, before })
    }
}

/// Without a hash.
impl<Q, K: Key, S> KeyByProperty<Q, K, S> {
    const fn new(hasher: S) -> Self {
        Self { table: HashTable::new(), hashes: BySlot::new(), hasher }
    }

    #[inline]
    fn len(&self) -> usize {
        self.table.len()
    }

    /// Makes room for a key's hash, and answers which key of the same slot is filed, which is not newer.
    #[inline]
    fn make_room_by_slot(&mut self, key: K) -> Result<Option<K>, IndexError<K>> {
        if !can_be_live(key) {
            return Err(IndexError::Dangling);
        }
        self.hashes.make_room(key.slot(), self.len())?;
        match self.tenant(key.slot()) {
            Some(tenant) if is_older(key, tenant) => Err(IndexError::Stale { tenant }),
            tenant => Ok(tenant),
        }
    }

    /// The key of a slot that is filed.
    fn tenant(&self, slot: u32) -> Option<K> {
        match self.hashes.get(slot) {
            0 => None,
            kept => {
                let found = self.table.find(table_hash(kept), |(_, key)| key.slot() == slot);
                found.map(|&(_, key)| key)
            }
        }
    }

    /// Makes room in the table for so many entries more. On an error nothing has changed.
    #[inline]
    fn make_room(&mut self, additional: usize) -> Result<(), TryReserveError> {
        let requested = self.len().saturating_add(additional);
        let hash = |(_, key): &(Q, K)| table_hash(self.hashes.get(key.slot()));
        let reserved = self.table.try_reserve(additional, hash);
        reserved.map_err(|refused| no_room(refused, requested, isize::MAX as usize))
    }

    /// Files what was prepared, without memory or user code. Returns the property that is not needed any more. O(1).
    #[inline]
    fn file(&mut self, ticket: Ticket<Q, K>) -> Option<Q> {
        let Ticket { key, property, hash, holder, before } = ticket;
        if holder == Some(key) {
            return Some(property);
        }
        let before = before.and_then(|before| self.remove(before));
        self.hashes.set(key.slot(), hash);
        let hash_of = |(_, key): &(Q, K)| table_hash(self.hashes.get(key.slot()));
        self.table.insert_unique(table_hash(hash), (property, key), hash_of);
        before
    }

    /// Removes a key, without user code. O(1).
    #[inline]
    fn remove(&mut self, key: K) -> Option<Q> {
        let hash = self.hashes.get(key.slot());
        if hash == 0 {
            return None;
        }
        let entry = self.table.find_entry(table_hash(hash), |&(_, other)| other == key).ok()?;
        self.hashes.take(key.slot());
        Some(entry.remove().0.0)
    }

    fn contains_key(&self, key: K) -> bool {
        self.tenant(key.slot()) == Some(key)
    }

    fn property(&self, key: K) -> Option<&Q> {
        let hash = self.hashes.get(key.slot());
        let found = self.table.find(table_hash(hash), |(_, other)| *other == key)?;
        Some(&found.0)
    }

    fn retain_live(&mut self, of: &impl Container<Key = K>) {
        self.table.retain(|&mut (_, key)| {
            let is_live = of.contains_key(key);
            if !is_live {
                self.hashes.take(key.slot());
            }
            is_live
        });
    }

    fn clear(&mut self) {
        self.hashes.clear();
        self.table.clear();
    }

    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.hashes.try_reserve(additional, self.len(), K::MAX_SLOTS)?;
        self.make_room(additional)
    }

    fn memory_usage(&self) -> MemoryUsage {
        let values = self.len() * size_of::<K>();
        let committed = self.table.allocation_size() + self.hashes.bytes();
        MemoryUsage {
            values,
            bookkeeping: committed - values,
            committed,
            reserved: committed,
            ..MemoryUsage::default()
        }
    }

    /// Panics if it is inconsistent.
    fn validate(&self) {
        assert_eq!(self.len(), self.hashes.count(), "a key is filed twice, or has no hash");
        for &(_, key) in &self.table {
            assert!(self.contains_key(key), "{key:?} does not lead to its property");
        }
    }
}
