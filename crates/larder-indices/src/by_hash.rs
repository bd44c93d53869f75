//! The common parts of indices by hash: entries by property, and a place by slot.

use core::borrow::Borrow;
use core::hash::{BuildHasher, Hash};
use core::marker::PhantomData;
use core::mem;

use hashbrown::DefaultHashBuilder;

use super::IndexError;
use super::index_by::{BySome, IndexBy};
use super::key_index::KeyIndex;
use super::pairs::Pairs;
use super::two_phase::{KeyLayout, TwoPhase};
use crate::hashing::{Entries, Entry, NoRoom, Number, Place, Removed, kept};
use larder_core::TryReserveError;
use larder_core::containers::Container;
use larder_core::containers::MemoryUsage;
use larder_core::key::Key;
use larder_core::maps::BySlot;
use larder_core::past::{Past, Reverse, Way};
use larder_core::room;

// By the slot of each key there is its place.
//
// **Invariant.** The place of each slot is that of a key with this slot, and there are as many places as keys.
//
// A key is found by its place: by what was kept of a hash, and a position at which the key lies. No other
// entry has the key there, whatever `Hash` and `Eq` have answered; and a stale key does not lie there.
//
// `P` are the entries' places: named through their trait, they would make the index invariant in `Q`.

/// Keys found by the hash of their property: entries with one key or several, as those of a
/// [`UniqueIndex`](crate::UniqueIndex) and a [`MultiIndex`](crate::MultiIndex).
///
/// # Examples
/// ```
/// use larder::{Handle, indices::{KeyIndex, UniqueIndex, layout::ByHash}};
///
/// let by_ring: KeyIndex<ByHash<u32, Handle<&str>>> = UniqueIndex::new();
/// assert!(by_ring.is_empty());
/// ```
pub struct ByHash<Q, K: Key, S = DefaultHashBuilder, E = Pairs<Q, K>, P = u32> {
    pub(super) entries: E,
    places: BySlot<P>,
    /// The number of keys; unused if entries [have one each](Entries::ONE_EACH), since the table counts them.
    len: usize,
    hasher: S,
    past: Past<HashChange<Q, K, P>, ()>,
    of: PhantomData<(Q, K)>,
}

/// A change of an index by hash.
///
/// Keys of an entry are appended, and the last one fills a gap, so changes that are reversed from the latest on put
/// each key where it was. An entry is found by what was kept of a hash and by a key that lies in it: no code of the
/// property runs.
#[expect(unnameable_types, missing_debug_implementations, reason = "it seals a public trait")]
pub enum HashChange<Q, K, P> {
    /// The key was added to an entry.
    Added(K),
    /// The key was removed from a place, of an entry that can be found.
    Removed { key: K, place: P, entry: FormerEntry<Q, K> },
    /// The key took the place of a stale one.
    Replaced { stale: K, key: K },
}

/// The entry that a key was removed from.
#[expect(unnameable_types, missing_debug_implementations, reason = "it seals a public trait")]
pub enum FormerEntry<Q, K> {
    /// It has this key, too.
    With(K),
    /// It was removed, since it had no other key. Its property was this.
    Of(Q),
}

impl<Q, K, P> HashChange<Q, K, P> {
    /// The property of a removed entry.
    fn property(self) -> Option<Q> {
        match self {
            Self::Removed { entry: FormerEntry::Of(property), .. } => Some(property),
            _ => None,
        }
    }
}

/// A key for which there is room. Valid until anything else is changed.
#[must_use = "nothing is filed yet"]
#[derive(Debug)]
#[expect(unnameable_types, reason = "part of the seal on `IndexBy`")]
pub struct HashTicket<Q, K> {
    key: K,
    property: Q,
    /// The part of the property's hash that is [kept].
    kept: u32,
    /// [`NONE`] if the key will be the first with this property.
    entry: Number,
    /// The entry and position of the key that has the same slot and is removed: a stale key, or the same one. [`NONE`]
    /// if there is none.
    before: Number,
    position: u32,
}

/// The number of no entry. (An `Option` would make a ticket half as large again, and it is moved.)
const NONE: Number = Number::MAX;

/// Properties that are not needed any more: the new one, if its entry has it already, and that of a removed entry.
pub(super) type Leftover<Q> = [Option<Q>; 2];

impl<K> From<NoRoom<K>> for IndexError<K> {
    fn from(reason: NoRoom<K>) -> Self {
        match reason {
            NoRoom::Unique(holder) => Self::Duplicate { holder },
            NoRoom::Memory(reason) => Self::Memory(reason),
        }
    }
}

/// Returns a test of whether an entry has, at a position, a key that `is_it` accepts.
#[inline]
fn has_at<Q, K: Copy, E: Entry<Q, K>>(
    position: u32,
    is_it: impl Fn(K) -> bool,
) -> impl Fn(&E) -> bool {
    move |entry| {
        #[cfg(test)]
        tests::ASKED.set(tests::ASKED.get() + 1);
        entry.get().1.get(position as usize).is_some_and(|&key| is_it(key))
    }
}

/// With a hash.
impl<Q: Hash + Eq, K: Key, S: BuildHasher, E: Entries<Q, K, Place = P>, P: Place>
    ByHash<Q, K, S, E, P>
{
    #[inline]
    pub(super) fn find<B: Hash + Eq + ?Sized>(&self, property: &B) -> Option<&E::Entry>
    where
        Q: Borrow<B>,
    {
        let table = self.entries.table();
        let position = table.position_of(self.hasher.hash_one(property));
        table.find(position, |entry| entry.get().0.borrow() == property)
    }

    #[inline]
    pub(super) fn number_of<B: Hash + Eq + ?Sized>(&self, property: &B) -> Option<Number>
    where
        Q: Borrow<B>,
    {
        self.number_hashed(self.hasher.hash_one(property), property)
    }

    #[inline]
    fn number_hashed<B: Eq + ?Sized>(&self, hash: u64, property: &B) -> Option<Number>
    where
        Q: Borrow<B>,
    {
        let table = self.entries.table();
        let position = table.position_of(hash);
        table.find_bucket_index(position, |entry| entry.get().0.borrow() == property)
    }

    /// Files a key in two phases: one whose slot has one already, for which there is no room, or that is recorded.
    #[inline(never)]
    fn refile(&mut self, key: K, property: Q) -> Result<(), IndexError<K>> {
        if let Some(ticket) = self.prepare(key, property)? {
            let leftover = self.file(ticket);
            self.settle(leftover);
        }
        Ok(())
    }

    /// Files what was prepared, while changes are recorded.
    /// (The key of the same slot is removed first, since changes are reversed one by one. A panic of user code cannot
    /// come between, nor is there less room then.)
    #[cold]
    #[inline(never)]
    fn file_recorded(&mut self, ticket: HashTicket<Q, K>) -> Leftover<Q> {
        let HashTicket { key, property, kept, entry, before, position } = ticket;
        if before != NONE && before == entry {
            let stale = self.keys(before)[position as usize];
            if stale != key {
                self.entries.set(before, position, key);
                self.past.add(HashChange::Replaced { stale, key });
            }
            return [Some(property), None];
        }
        let former = if before == NONE { None } else { self.remove_at(before, position) };
        let (place, unused) = match entry {
            NONE => (self.entries.begin(kept, property, key), None),
            entry => (self.entries.push(entry, key), Some(property)),
        };
        self.places.set(key.slot(), place);
        self.count(1);
        self.past.add(HashChange::Added(key));
        [unused, former]
    }
}

/// Without a hash.
impl<Q, K: Key, S, E: Entries<Q, K, Place = P>, P: Place> ByHash<Q, K, S, E, P> {
    pub(super) const fn new(hasher: S) -> Self {
        let places = BySlot::new();
        let past = Past::new();
        Self { entries: E::NEW, places, len: 0, hasher, past, of: PhantomData }
    }

    /// Returns the number of keys that fit without allocating, if their slots are below that number.
    pub(super) fn capacity(&self) -> usize {
        self.entries.table().capacity().min(self.places.capacity())
    }

    /// Counts `more` keys more, or fewer if it is negative.
    #[inline(always)]
    fn count(&mut self, more: isize) {
        if !E::ONE_EACH {
            self.len = self.len.wrapping_add_signed(more);
        }
    }

    /// The keys of an entry.
    #[inline]
    pub(super) fn keys(&self, entry: Number) -> &[K] {
        self.entries.table().get_bucket(entry).map_or(&[], |entry| entry.get().1)
    }

    /// The entry and position of the key that a slot has, if it is that one.
    #[inline]
    fn find_by_slot(&self, slot: u32, is_it: impl Fn(K) -> bool) -> Option<(Number, u32)> {
        let place = self.places.get(slot);
        if place.kept() == 0 {
            return None;
        }
        let (table, position) = (self.entries.table(), place.position());
        let kept = table.position_of_kept(place.kept());
        Some((table.find_bucket_index(kept, has_at(position, is_it))?, position))
    }

    /// The property of an entry, and its key at a position.
    #[inline]
    fn filed_at(&self, (entry, position): (Number, u32)) -> Option<(&Q, K)> {
        let (property, keys) = self.entries.table().get_bucket(entry)?.get();
        Some((property, *keys.get(position as usize)?))
    }

    /// The entry and position of the key that the slot of another has.
    #[inline]
    fn find_before(&self, key: K) -> Option<(Number, u32)> {
        self.find_by_slot(key.slot(), |other| other.slot() == key.slot())
    }

    /// Corrects the place of the key that has moved to where another was removed. Returns the property of a
    /// removed entry.
    #[inline]
    fn settle_place(&mut self, removed: Removed<Q, K>, place: P) -> Option<Q> {
        match removed {
            Removed::Moved(moved) => self.places.set(moved.slot(), place),
            Removed::Last => {}
            Removed::Entry(property) => return Some(property),
        }
        None
    }

    /// Returns whether changes are recorded.
    #[inline]
    pub(super) fn is_recorded(&self) -> bool {
        self.past.is_on()
    }

    /// Records that a key is removed next, if it is filed, the only one of its entry, whose property is cloned.
    #[cold]
    #[inline(never)]
    pub(super) fn note_removal(&mut self, key: K)
    where
        Q: Clone,
    {
        if let Some(property) = self.property(key).cloned() {
            self.past.forget_undone();
            let (place, entry) = (self.places.get(key.slot()), FormerEntry::Of(property));
            self.past.add(HashChange::Removed { key, place, entry });
        }
    }

    /// Removes a key while changes are recorded. Returns whether it was filed.
    #[cold]
    #[inline(never)]
    pub(super) fn remove_alone(&mut self, key: K) -> bool {
        let is_removed = self.remove_recorded(key).is_some();
        self.past.settle();
        is_removed
    }

    /// Removes a key while changes are recorded, without user code.
    #[cold]
    #[inline(never)]
    fn remove_recorded(&mut self, key: K) -> Option<Option<Q>> {
        let (entry, position) = self.find_by_slot(key.slot(), |other| other == key)?;
        Some(self.remove_at(entry, position))
    }

    /// Removes a key, without user code. Returns the property of a removed entry. O(1).
    #[inline]
    pub(super) fn remove_unrecorded(&mut self, key: K) -> Option<Option<Q>> {
        let place = self.places.take(key.slot());
        if place.kept() == 0 {
            return None;
        }
        let has_it = has_at(place.position(), |other| other == key);
        let Some(removed) = self.entries.remove_at(place.kept(), place.position(), has_it) else {
            // Another key of the slot is filed.
            self.places.set(key.slot(), place);
            return None;
        };
        self.count(-1);
        Some(self.settle_place(removed, place))
    }

    /// Removes the key at a position of an entry, without user code. Returns the property of a removed entry, unless it
    /// is recorded.
    pub(super) fn remove_at(&mut self, entry: Number, position: u32) -> Option<Q> {
        let removal = self.take_at(entry, position);
        self.past.add(removal)?.property()
    }

    /// Removes the key at a position of an entry. Returns what puts it back.
    fn take_at(&mut self, entry: Number, position: u32) -> HashChange<Q, K, P> {
        let key = self.keys(entry)[position as usize];
        let place = self.places.take(key.slot());
        self.count(-1);
        let removed = self.entries.remove(entry, position);
        let entry = match self.settle_place(removed, place) {
            Some(property) => FormerEntry::Of(property),
            None => FormerEntry::With(self.keys(entry)[0]),
        };
        HashChange::Removed { key, place, entry }
    }

    /// Returns where a key is that is filed, as a record says.
    fn find_recorded(&self, key: K) -> (Number, u32) {
        let found = self.find_by_slot(key.slot(), |other| other == key);
        found.unwrap_or_else(|| unreachable!("it was filed"))
    }

    /// Puts a key back to its place in an entry, or begins the entry of a property. There is room.
    fn put_back(&mut self, key: K, place: P, entry: Option<Number>, property: Option<Q>) {
        self.count(1);
        self.places.set(key.slot(), place);
        if let Some(property) = property {
            self.entries.begin(place.kept(), property, key);
        }
        let Some(entry) = entry else { return };
        let last = self.entries.push(entry, key);
        if last != place {
            let filler = self.keys(entry)[place.position() as usize];
            self.entries.set(entry, place.position(), key);
            self.entries.set(entry, last.position(), filler);
            self.places.set(filler.slot(), last);
        }
    }

    /// Removes the keys for which `keep` returns `false`. If it or the `Drop` of a property panics, the keys visited
    /// before the panic are kept or removed as requested.
    fn retain(&mut self, mut keep: impl FnMut(K) -> bool) {
        for entry in 0..self.entries.table().num_buckets() {
            let mut position = 0;
            while let Some(&key) = self.keys(entry).get(position as usize) {
                if keep(key) {
                    position += 1;
                } else {
                    drop(self.remove_at(entry, position));
                }
            }
        }
        self.past.settle();
    }

    pub(super) fn property(&self, key: K) -> Option<&Q> {
        let (entry, _) = self.find_by_slot(key.slot(), |other| other == key)?;
        self.entries.table().get_bucket(entry).map(|entry| entry.get().0)
    }

    pub(super) fn try_clone(&self) -> Result<Self, TryReserveError>
    where
        Q: Clone,
        S: Clone,
    {
        let entries = self.entries.try_clone(|key| self.places.get(key.slot()).kept())?;
        let places = self.places.try_map(|place| place)?;
        let (hasher, past) = (self.hasher.clone(), Past::new());
        Ok(Self { entries, places, hasher, past, ..*self })
    }
}

impl<Q, K: Key, S, E: Entries<Q, K, Place = P>, P: Place> KeyLayout for ByHash<Q, K, S, E, P> {
    type Key = K;
    type Property = Q;
    type Shown = E::Shown<S>;

    #[inline]
    fn len(&self) -> usize {
        if E::ONE_EACH { self.entries.table().len() } else { self.len }
    }

    fn contains_key(&self, key: K) -> bool {
        self.property(key).is_some()
    }

    fn retain_live(&mut self, of: &impl Container<Key = K>) {
        self.retain(|key| of.contains_key(key));
    }

    fn clear(&mut self) {
        if self.past.is_on() {
            self.retain(|_| false);
        }
        self.places.clear();
        self.len = 0;
        self.entries.clear();
    }

    fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError> {
        self.places.try_reserve(keys, self.len(), K::MAX_SLOTS)?;
        self.entries.try_reserve(keys, |key| self.places.get(key.slot()).kept())
    }

    fn shrink_to_fit(&mut self) {
        self.entries.shrink_to_fit(|key| self.places.get(key.slot()).kept());
        self.places.shrink_to_fit();
    }

    fn expect(&mut self, keys: usize) -> Result<(), TryReserveError> {
        self.places.try_reserve(keys, self.len(), K::MAX_SLOTS)?;
        self.entries.expect(keys, |key| self.places.get(key.slot()).kept())
    }

    fn memory_usage(&self) -> MemoryUsage {
        let MemoryUsage { values, holes, unused, bookkeeping, .. } = self.entries.memory_usage();
        MemoryUsage::new(values, holes, unused, bookkeeping + self.places.bytes())
    }

    #[cfg(feature = "__test")]
    fn validate(&self) {
        self.entries.validate();
        assert_eq!(self.places.count(), self.len(), "a place has no key");
        let mut met = 0;
        for entry in self.entries.table().iter() {
            for (&key, position) in entry.get().1.iter().zip(0..) {
                let place = self.places.get(key.slot());
                let is_there = place.position() == position && self.contains_key(key);
                assert!(is_there, "{key:?} is not at its place");
                met += 1;
            }
        }
        assert_eq!(met, self.len(), "a key has no place");
    }
}

impl<Q: Hash + Eq, K: Key, S: BuildHasher, E: Entries<Q, K, Place = P>, P: Place> TwoPhase
    for ByHash<Q, K, S, E, P>
{
    type Ticket = HashTicket<Q, K>;
    type Leftover = Leftover<Q>;

    #[inline]
    fn prepare(&mut self, key: K, property: Q) -> Result<Option<HashTicket<Q, K>>, IndexError<K>> {
        if !key.can_be_live() {
            return Err(IndexError::Dangling);
        }
        let mut before = self.find_before(key);
        if let Some((filed, tenant)) = before.and_then(|before| self.filed_at(before)) {
            if tenant == key && *filed == property {
                return Ok(None);
            }
            if key.is_older_than(tenant) {
                return Err(IndexError::Stale { tenant });
            }
        }
        let hash = self.hasher.hash_one(&property);
        let entry = self.number_hashed(hash, &property);
        self.places.make_room(key.slot(), self.len())?;
        if entry.is_none() {
            let is_moved = !self.entries.table().has_room();
            let places = &self.places;
            self.entries.make_room(None, move |other| places.get(other.slot()).kept())?;
            if is_moved {
                before = self.find_before(key);
            }
        }
        if entry.is_some() && entry != before.map(|(old, _)| old) {
            self.entries.make_room(entry, |other| self.places.get(other.slot()).kept())?;
        }
        if self.past.is_on() {
            self.past.reserve(2)?;
        }
        let (before, position) = before.unwrap_or((NONE, 0));
        let (kept, entry) = (kept(hash), entry.unwrap_or(NONE));
        Ok(Some(HashTicket { key, property, kept, entry, before, position }))
    }

    #[inline]
    fn file(&mut self, ticket: HashTicket<Q, K>) -> Leftover<Q> {
        // (Parts are passed, since a ticket would lie in memory.)
        let HashTicket { key, property, kept, entry, before, position } = ticket;
        if self.past.is_on() {
            return self.file_recorded(HashTicket { key, property, kept, entry, before, position });
        }
        if before != NONE && before == entry {
            // The same entry: the key takes the place.
            self.entries.set(before, position, key);
            return [Some(property), None];
        }
        let (place, unused) = match entry {
            NONE => (self.entries.begin(kept, property, key), None),
            entry => (self.entries.push(entry, key), Some(property)),
        };
        let old_place = self.places.get(key.slot());
        self.places.set(key.slot(), place);
        if before == NONE {
            self.count(1);
            return [unused, None];
        }
        let removed = self.entries.remove(before, position);
        [unused, self.settle_place(removed, old_place)]
    }

    #[inline]
    fn insert(&mut self, key: K, property: Q) -> Result<(), IndexError<K>> {
        let can_be_added = key.can_be_live() && self.entries.has_room() && !self.past.is_on();
        let free = self.places.near_mut(key.slot()).filter(|place| place.kept() == 0);
        let Some(free) = free.filter(|_| can_be_added) else { return self.refile(key, property) };
        let hash = self.hasher.hash_one(&property);
        let _unused = self.entries.add(hash, property, key, free)?;
        self.count(1);
        Ok(())
    }

    fn unfile(&mut self, key: K) -> Leftover<Q> {
        let is_recorded = self.past.is_on();
        let removed =
            if is_recorded { self.remove_recorded(key) } else { self.remove_unrecorded(key) };
        [None, removed.flatten()]
    }

    fn settle(&mut self, leftover: Leftover<Q>) {
        drop(leftover);
        self.past.settle();
    }
}

impl<Q, K: Key, S, E: Entries<Q, K, Place = P>, P: Place> Reverse for ByHash<Q, K, S, E, P> {
    type Change = HashChange<Q, K, P>;
    type State = ();
    type Kept = ();

    fn past(&mut self) -> &mut Past<HashChange<Q, K, P>, ()> {
        &mut self.past
    }

    fn state(&mut self) {}

    fn exchange(&mut self, (): &mut ()) {}

    fn reverse(
        &mut self,
        change: &mut HashChange<Q, K, P>,
        (): &mut (),
        _: Way,
    ) -> Result<(), TryReserveError> {
        match *change {
            HashChange::Added(key) => {
                let (entry, position) = self.find_recorded(key);
                *change = self.take_at(entry, position);
            }
            HashChange::Removed { key, place, ref entry } => {
                let entry = match *entry {
                    FormerEntry::With(other) => Some(self.find_recorded(other).0),
                    FormerEntry::Of(_) => None,
                };
                self.places.make_room_again(key.slot())?;
                let room = self.entries.make_room(entry, |key| self.places.get(key.slot()).kept());
                room.map_err(|no_room| match no_room {
                    NoRoom::Memory(reason) => reason,
                    NoRoom::Unique(_) => unreachable!("no other key has the property"),
                })?;
                let property = mem::replace(change, HashChange::Added(key)).property();
                self.put_back(key, place, entry, property);
            }
            HashChange::Replaced { ref mut stale, ref mut key } => {
                let (entry, position) = self.find_recorded(*key);
                self.entries.set(entry, position, *stale);
                mem::swap(stale, key);
            }
        }
        Ok(())
    }
}

impl<Q, K: Key, S: Default, E: Entries<Q, K, Place = P>, P: Place> Default
    for ByHash<Q, K, S, E, P>
{
    fn default() -> Self {
        Self::new(S::default())
    }
}

impl<Q: Clone, K: Key, S: Clone, E: Entries<Q, K, Place = P>, P: Place> Clone
    for ByHash<Q, K, S, E, P>
{
    /// # Panics
    /// If allocation fails.
    #[track_caller]
    fn clone(&self) -> Self {
        room::granted::<E::Shown<S>, _>(self.try_clone())
    }
}

/// Making.
impl<Q, K: Key, E: Entries<Q, K, Place = P>, P: Place>
    KeyIndex<ByHash<Q, K, DefaultHashBuilder, E, P>>
{
    /// Makes an empty index with the hasher of `hashbrown`. O(1): allocates nothing.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, indices::{MultiIndex, UniqueIndex}};
    ///
    /// let (unique, multi) = (UniqueIndex::<u32, Handle<&str>>::new(), MultiIndex::<u32, Handle<&str>>::new());
    /// assert!(unique.is_empty() && multi.is_empty());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes an empty index for a [`Table`](larder_core::track::Table), in which objects are filed under what the
    /// function returns. O(1).
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "track")] {
    /// use larder::{Arena, indices::UniqueIndex, track::Table};
    ///
    /// let words = Arena::from_iter(["wren", "robin"]);
    /// let words = Table::with(words, UniqueIndex::by(|word: &&str| word.len()));
    /// assert_eq!(words.observers().len(), 2);
    /// # }
    /// ```
    #[must_use]
    pub fn by<V, F: Fn(&V) -> Q>(property: F) -> IndexBy<Self, F>
    where
        Q: Hash + Eq,
    {
        IndexBy::new(Self::new(), property)
    }

    /// Like [`by`](Self::by), but objects for which the function returns `None` are not filed. O(1).
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "track")] {
    /// use larder::{Arena, indices::UniqueIndex, track::Table};
    ///
    /// struct Bird {
    ///     ring: Option<u32>,
    /// }
    /// let by_ring = UniqueIndex::by_some(|bird: &Bird| bird.ring);
    /// let mut birds = Table::with(Arena::new(), by_ring);
    /// let [ringed, ..] = [Some(17), None, None].map(|ring| birds.insert(Bird { ring }));
    /// assert_eq!((birds.observers().get(&17), birds.observers().len()), (Some(ringed), 1));
    /// # }
    /// ```
    #[must_use]
    pub fn by_some<V, F: Fn(&V) -> Option<Q>>(property: F) -> IndexBy<Self, BySome<F>>
    where
        Q: Hash + Eq,
    {
        IndexBy::of_some(Self::new(), property)
    }
}

/// Making, and properties of keys.
impl<Q, K: Key, S, E: Entries<Q, K, Place = P>, P: Place> KeyIndex<ByHash<Q, K, S, E, P>> {
    /// Makes an empty index with another hasher. O(1): allocates nothing.
    ///
    /// If a hasher returns different results for the same property, keys are not found. Without a seed that
    /// nobody knows, properties can be chosen so that their hashes meet, as in a file that is loaded: it takes
    /// time that grows with the square of its length. The hasher of `hashbrown` has a seed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::MultiIndex};
    /// use std::hash::RandomState;
    ///
    /// let mut index = MultiIndex::with_hasher(RandomState::new());
    /// assert!(index.insert(Arena::new().insert("wren"), 17).is_ok());
    /// ```
    #[must_use]
    pub const fn with_hasher(hasher: S) -> Self {
        Self { layout: ByHash::new(hasher) }
    }

    /// Returns the property that a key is filed under. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::{Arena, indices::UniqueIndex};
    /// # let mut birds = Arena::new();
    /// # let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
    /// # let mut index = UniqueIndex::new();
    /// index.insert(wren, 17).unwrap();
    /// assert_eq!((index.property(wren), index.property(kite)), (Some(&17), None));
    /// ```
    #[must_use]
    pub fn property(&self, key: K) -> Option<&Q> {
        self.layout.property(key)
    }
}

#[cfg(test)]
mod tests {
    use crate::{MultiIndex, UniqueIndex};
    use alloc::vec::Vec;
    use core::cell::Cell;
    use larder_core::Arena;

    extern crate std;

    std::thread_local! {
        /// The number of entries that this thread has asked for a key at a position.
        pub(super) static ASKED: Cell<usize> = const { Cell::new(0) };
    }

    /// Returns the number of entries that a function asks for a key.
    fn asked_by(f: impl FnOnce()) -> usize {
        let before = ASKED.get();
        f();
        ASKED.get() - before
    }

    /// One entry is asked for a key at one place, however many keys it has, and others there are. (The user's code that
    /// runs, and what is asked of the allocator, are counted in `tests/indices/rows_x.rs`; the instructions, whatever
    /// is compared, in `tests/instructions.rs`.)
    #[test]
    fn a_removal_looks_for_no_key() {
        for count in [50, 100, 200] {
            let keys: Vec<_> = Arena::from_iter(0..count).keys().collect();
            let (mut groups, mut unique) = (MultiIndex::new(), UniqueIndex::new());
            for (number, &key) in keys.iter().enumerate() {
                groups.insert(key, 'a').unwrap();
                unique.insert(key, number).unwrap();
            }
            let doomed = &keys[count / 4..];
            for &key in doomed {
                assert_eq!(asked_by(|| assert!(groups.remove(key))), 1, "of {count}");
                assert_eq!(asked_by(|| assert!(!groups.remove(key))), 0, "of {count}");
            }
            // (Hashes of other entries may be alike, as far as the table keeps them.)
            let asked = asked_by(|| {
                doomed.iter().for_each(|&key| assert!(unique.remove(key).is_some()));
            });
            assert!((doomed.len()..2 * doomed.len()).contains(&asked), "{asked} for {count}");
        }
    }
}
