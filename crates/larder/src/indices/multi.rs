//! An index of properties that any number of keys have.

use core::borrow::Borrow;
use core::fmt;
use core::hash::{BuildHasher, Hash};

use hashbrown::DefaultHashBuilder;

use super::error::IndexError;
use super::index_by::IndexBy;
use super::methods::{hashed, methods, properties};
use super::two_phase::TwoPhase;
use crate::by_slot::BySlot;
use crate::containers::container::Container;
use crate::error::TryReserveError;
use crate::explain;
use crate::hashing::kept_hash;
use crate::key::Key;
use crate::raw::groups::{Groups, Number, Place, Removed};
use crate::raw::keyed::{can_be_live, is_older};
use crate::stats::{MemoryUsage, Stats};

/// Hidden lines of the examples: two birds, and an index by a number.
macro_rules! example {
    () => {
        "# use larder::{Arena, indices::MultiIndex};\n\
         # let mut birds = Arena::new();\n\
         # let (wren, kite) = (birds.insert(\"wren\"), birds.insert(\"kite\"));\n\
         # let mut index = MultiIndex::new();"
    };
}

/// All objects with a property. Needs the feature `hashbrown`.
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
/// table     property, hash, keys, len, room │ …     a group, found by hash
/// pieces    key key key · │ …                       its keys: a slice, in memory that does not move
/// places    hash, position │ …                      by slot: where a key lies
/// ```
/// A removal moves the last key of the group into the gap, so it is O(1), and the order of a group's keys is
/// unspecified. It runs no code of the property. A property is dropped with its last key.
///
/// # Costs
/// | | |
/// |---|---|
/// | `get` | O(1): a hash, then one slice |
/// | `insert` | O(1) amortised, for large groups too |
/// | `remove` | O(1), without a hash |
/// | `remove_all_of` | O(keys with that property) |
///
/// # Examples
/// ```
/// use larder::{Arena, indices::MultiIndex};
///
/// let mut birds = Arena::new();
/// let (wren, robin, kite) = (birds.insert("wren"), birds.insert("robin"), birds.insert("kite"));
///
/// let mut by_colour = MultiIndex::new();
/// by_colour.insert(wren, "brown")?;
/// by_colour.insert(robin, "red")?;
/// by_colour.insert(kite, "red")?;
/// assert_eq!(by_colour.get("red"), [robin, kite]);
///
/// by_colour.insert(kite, "brown")?; // instead
/// assert_eq!(by_colour.get("red"), [robin]);
/// by_colour.remove(robin);
/// assert_eq!(by_colour.get("red"), []);
/// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
/// ```
#[doc(alias("multimap", "secondary index", "inverted index", "group by"))]
#[derive(Clone)]
pub struct MultiIndex<Q, K: Key, S = DefaultHashBuilder> {
    inner: KeysByProperty<Q, K, S>,
}

hashed! { MultiIndex, KeysByProperty }

methods! {
    MultiIndex, [Q, K: Key, S], [Q, K, S], of Q, example: example, "17", "18",
    insert where [Q: Hash + Eq, S: BuildHasher,], cost: "O(1) amortised.",
    errors: "If the key is stale or dangling, or memory is refused.",
    panics: "# Panics\nIf `Hash` or `Eq` of the property panics. Then nothing has changed.\n",
    extend: "O(keys)."
}

properties! {
    MultiIndex, [Q, K: Key, S], [Q, K, S], example: example, by where [Hash + Eq]
}

/// Finding.
impl<Q: Hash + Eq, K: Key, S: BuildHasher> MultiIndex<Q, K, S> {
    /// The keys with a property. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.extend([(wren, "red"), (kite, "red")]).unwrap();
    /// assert_eq!(index.get("red"), [wren, kite]);
    /// assert!(index.get("green").is_empty());
    /// ```
    #[doc(alias("find", "equal_range", "len_of", "count"))]
    #[inline]
    #[must_use]
    pub fn get<B: Hash + Eq + ?Sized>(&self, property: &B) -> &[K]
    where
        Q: Borrow<B>,
    {
        self.inner.find(property)
    }

    /// Removes all keys with a property, the last one first, and passes each to `each`. O(keys with the property). If
    /// `each` panics, the keys that it was passed are removed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.extend([(wren, "red"), (kite, "red")]).unwrap();
    /// index.remove_all_of("red", |bird| drop(birds.remove(bird)));
    /// assert!(index.is_empty() && birds.is_empty());
    /// ```
    pub fn remove_all_of<B: Hash + Eq + ?Sized>(&mut self, property: &B, each: impl FnMut(K))
    where
        Q: Borrow<B>,
    {
        self.inner.remove_all_of(property, each);
    }
}

/// Removing and walking.
impl<Q, K: Key, S> MultiIndex<Q, K, S> {
    /// Removes a key and returns whether it was filed. O(1), without a hash or memory.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.insert(wren, "brown").unwrap();
    /// assert!(index.remove(wren) && !index.remove(wren));
    /// ```
    pub fn remove(&mut self, key: K) -> bool {
        self.inner.remove(key).is_some()
    }

    /// How many different properties there are. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.extend([(wren, "red"), (kite, "red")]).unwrap();
    /// assert_eq!(index.property_count(), 1);
    /// ```
    #[must_use]
    pub fn property_count(&self) -> usize {
        self.inner.groups.len()
    }

    /// Walks the properties and their keys, in no order. O(properties) in all.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.extend([(wren, "red"), (kite, "red")]).unwrap();
    /// assert!(index.iter().eq([(&"red", &[wren, kite][..])]));
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Q, &[K])> + Clone {
        self.inner.groups.iter()
    }
}

impl<Q: Hash + Eq, K: Key, S: BuildHasher> TwoPhase for MultiIndex<Q, K, S> {
    type Key = K;
    type Property = Q;
    type Ticket = Ticket<Q, K>;
    type Leftover = Leftover<Q>;

    #[inline]
    fn prepare(&mut self, key: K, property: Q) -> Result<Ticket<Q, K>, IndexError<K>> {
        self.inner.prepare(key, property)
    }

    #[inline]
    fn file(&mut self, ticket: Ticket<Q, K>) -> Leftover<Q> {
        self.inner.file(ticket)
    }

    #[inline]
    fn insert(&mut self, key: K, property: Q) -> Result<(), IndexError<K>> {
        self.inner.insert(key, property)
    }

    fn unfile(&mut self, key: K) -> Leftover<Q> {
        [None, self.inner.remove(key).flatten()]
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

impl<Q: fmt::Debug, K: Key, S> fmt::Debug for MultiIndex<Q, K, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Keys in groups, and by the slot of each its place.
///
/// **Invariant.** The place of each slot is that of a key with this slot, and there are as many places as keys.
///
/// A key is found by its place: by a hash that was kept, and a position at which the key lies. No other group has the
/// key there, whatever `Hash` and `Eq` have answered; and a stale key does not lie there.
struct KeysByProperty<Q, K: Key, S> {
    groups: Groups<Q, K>,
    places: BySlot<Place>,
    len: usize,
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
    /// `None` if the key will be the first with this property.
    group: Option<Number>,
    /// The group and position of the key of the same slot, which is removed: of a stale key, or of the same one.
    before: Option<(Number, u32)>,
}

/// Properties that are not needed any more: the new one, if the group has it already, and that of an emptied group.
type Leftover<Q> = [Option<Q>; 2];

/// With a hash.
impl<Q: Hash + Eq, K: Key, S: BuildHasher> KeysByProperty<Q, K, S> {
    #[inline]
    fn find<B: Hash + Eq + ?Sized>(&self, property: &B) -> &[K]
    where
        Q: Borrow<B>,
    {
        self.groups.get(kept_hash(&self.hasher, property), |other| other.borrow() == property)
    }

    /// Files a key. On an error or a panic nothing has changed. O(1) amortised.
    #[inline]
    fn insert(&mut self, key: K, property: Q) -> Result<(), IndexError<K>> {
        if !can_be_live(key) || !self.places.is_free(key.slot()) {
            return self.refile(key, property);
        }
        let hash = kept_hash(&self.hasher, &property);
        let (place, _unused) = self.groups.add(hash, property, key)?;
        self.places.set(key.slot(), place);
        self.len += 1;
        Ok(())
    }

    /// Files a key whose slot has one already, or no room for its place.
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
        let group = self.groups.make_room(hash, |other| *other == property)?;
        let before = self.make_room_by_slot(key)?;
        Ok(Ticket { key, property, hash, group, before })
    }

    /// Removes all keys with a property, the last one first, and passes each to `each`. O(keys).
    fn remove_all_of<B: Hash + Eq + ?Sized>(&mut self, property: &B, mut each: impl FnMut(K))
    where
        Q: Borrow<B>,
    {
        let hash = kept_hash(&self.hasher, property);
        let Some(group) = self.groups.find(hash, |other| other.borrow() == property) else {
            return;
        };
        for position in (0..self.groups.keys(group).len() as u32).rev() {
            let last = self.groups.keys(group)[position as usize];
            self.places.take(last.slot());
            let _property = self.unlist(group, position);
            each(last);
        }
    }
}

/// Without a hash.
impl<Q, K: Key, S> KeysByProperty<Q, K, S> {
    const fn new(hasher: S) -> Self {
        Self { groups: Groups::new(), places: BySlot::new(), len: 0, hasher }
    }

    #[inline]
    const fn len(&self) -> usize {
        self.len
    }

    /// Makes room for a key's place, and answers where the key of the same slot lies, which is not newer.
    #[inline]
    fn make_room_by_slot(&mut self, key: K) -> Result<Option<(Number, u32)>, IndexError<K>> {
        if !can_be_live(key) {
            return Err(IndexError::Dangling);
        }
        self.places.make_room(key.slot(), self.len)?;
        let place = self.places.get(key.slot());
        if place.hash == 0 {
            return Ok(None);
        }
        let of_slot = |other: K| other.slot() == key.slot();
        let Some(group) = self.groups.find_at(place, of_slot) else { return Ok(None) };
        let tenant = self.groups.keys(group)[place.position as usize];
        if is_older(key, tenant) {
            return Err(IndexError::Stale { tenant });
        }
        Ok(Some((group, place.position)))
    }

    /// Files what was prepared, without memory or user code. O(1).
    #[inline]
    fn file(&mut self, ticket: Ticket<Q, K>) -> Leftover<Q> {
        let Ticket { key, property, hash, group, before } = ticket;
        if let Some((old, position)) = before {
            if Some(old) == group {
                // The same group: the key takes the place.
                self.groups.set(old, position, key);
                self.places.set(key.slot(), self.places.get(key.slot()));
                return [Some(property), None];
            }
        }
        let (place, unused) = match group {
            Some(group) => (self.groups.push(group, key), Some(property)),
            None => (self.groups.begin(hash, property, key), None),
        };
        self.places.set(key.slot(), place);
        self.len += 1;
        let emptied = before.and_then(|(old, position)| self.unlist(old, position));
        [unused, emptied]
    }

    /// Removes the key at a position from its group, and corrects the place of the one that fills the gap. Returns the
    /// property of an emptied group.
    #[inline]
    fn unlist(&mut self, group: Number, position: u32) -> Option<Q> {
        let hash = self.groups.hash(group);
        let removed = self.groups.remove(group, position)?;
        self.len -= 1;
        self.settle_place(removed, Place { hash, position })
    }

    #[inline]
    fn settle_place(&mut self, removed: Removed<Q, K>, place: Place) -> Option<Q> {
        match removed {
            Removed::Moved(moved) => self.places.set(moved.slot(), place),
            Removed::Last => {}
            Removed::Group(property) => return Some(property),
        }
        None
    }

    /// Removes a key, without user code. Returns the property of an emptied group. O(1).
    #[inline]
    fn remove(&mut self, key: K) -> Option<Option<Q>> {
        let place = self.places.get(key.slot());
        if place.hash == 0 {
            return None;
        }
        let removed = self.groups.remove_at(place, |other| other == key)?;
        self.places.take(key.slot());
        self.len -= 1;
        Some(self.settle_place(removed, place))
    }

    fn contains_key(&self, key: K) -> bool {
        self.property(key).is_some()
    }

    fn property(&self, key: K) -> Option<&Q> {
        match self.places.get(key.slot()) {
            Place { hash: 0, .. } => None,
            place => self.groups.property_at(place, |other| other == key),
        }
    }

    fn retain_live(&mut self, of: &impl Container<Key = K>) {
        let Self { groups, places, len, .. } = self;
        groups.retain(
            |key| of.contains_key(key),
            |removed, place, moved| {
                places.take(removed.slot());
                *len -= 1;
                if let Some(moved) = moved {
                    places.set(moved.slot(), place);
                }
            },
        );
    }

    fn clear(&mut self) {
        self.places.clear();
        self.len = 0;
        self.groups.clear();
    }

    fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError> {
        self.places.try_reserve(keys, self.len, K::MAX_SLOTS)?;
        self.groups.try_reserve(keys)
    }

    fn memory_usage(&self) -> MemoryUsage {
        let mut usage = self.groups.memory_usage();
        let places = self.places.bytes();
        usage.bookkeeping += places;
        usage.committed += places;
        usage.reserved += places;
        usage
    }

    /// Panics if it is inconsistent.
    fn validate(&self) {
        self.groups.validate();
        assert_eq!(self.places.count(), self.len, "a place has no key");
        let mut met = 0;
        for (_, keys) in self.groups.iter() {
            for (&key, position) in keys.iter().zip(0..) {
                let place = self.places.get(key.slot());
                assert!(
                    place.position == position && self.contains_key(key),
                    "{key:?} is not at its place"
                );
                met += 1;
            }
        }
        assert_eq!(met, self.len, "a key has no place");
    }
}

impl<Q: Clone, K: Key, S: Clone> Clone for KeysByProperty<Q, K, S> {
    /// # Panics
    /// If memory is refused.
    #[track_caller]
    fn clone(&self) -> Self {
        let groups = match self.groups.try_clone() {
            Ok(groups) => groups,
            Err(reason) => explain::refused::<MultiIndex<Q, K, S>>(&reason),
        };
        Self { groups, places: self.places.clone(), len: self.len, hasher: self.hasher.clone() }
    }
}
