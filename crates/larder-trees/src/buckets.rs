//! Objects in a fixed number of buckets: one for each kind of object, for example.

use alloc::vec::Vec;
use core::{fmt, mem};

use super::ListError;
use super::pieces::{
    Head, MERGED, NONE, Note, PIECE, Piece, PieceChange, PieceMembers, PiecesState, Unnoted,
};
use larder_core::TryReserveError;
use larder_core::containers::Container;
use larder_core::containers::{MemoryUsage, Stats};
use larder_core::key::Key;
use larder_core::maps::BySlot;
use larder_core::past::Past;
#[cfg(feature = "track")]
use larder_core::past::{Reverse, Way};
use larder_core::room;

/// Hidden lines of the examples: three things, and buckets for them.
macro_rules! example {
    () => {
        "# use larder::{Arena, trees::Buckets};\n\
         # const BIRD: usize = 0;\n\
         # const FISH: usize = 1;\n\
         # let mut things = Arena::from_iter([\"wren\", \"pike\", \"kite\"]);\n\
         # let keys: Vec<_> = things.keys().collect();\n\
         # let [wren, pike, kite] = keys[..] else { unreachable!() };\n\
         # let mut kinds = Buckets::<_, 2>::new();"
    };
}

/// The objects of one container in `N` lists, each object in one of them or in none.
///
/// The objects of one bucket are walked without visiting the others, and counted in O(1). Buckets are numbered from
/// 0: for an enum without fields, `kind as usize`. They lie beside the container, as a
/// [`KeyList`](crate::KeyList) does.
///
/// Remove an object from its bucket before it is removed from its container. Otherwise its stale key is counted
/// and walked until the next object in its slot is put into a bucket, or [`retain_live`](Self::retain_live) is
/// called. A [`Table`](larder_core::track::Table) owns both, so that this cannot be forgotten.
///
/// # Examples
/// ```
/// use larder::{Arena, trees::Buckets};
///
/// enum Kind {
///     Item,
///     Monster,
/// }
/// let mut things = Arena::new();
/// let mut kinds = Buckets::<_, 2>::new();
/// let (sword, orc) = (things.insert("sword"), things.insert("orc"));
/// kinds.set(&things, sword, Kind::Item as usize)?;
/// kinds.set(&things, orc, Kind::Monster as usize)?;
/// assert!(kinds.iter(Kind::Monster as usize).eq([orc]));
/// assert_eq!(kinds.count(Kind::Item as usize), 1);
/// # Ok::<(), larder::trees::ListError<larder::Handle<&str>>>(())
/// ```
///
/// # Layout
/// ```text
/// places   position, position, …                   by slot
/// members  (key, key, …) (key, …) (key, key, …)    pieces of 64 keys, each of one bucket
/// ```
/// An object takes 4 bytes by slot for its place (the array doubles as it grows), and its key, in a piece
/// that is at least a third full on average. Places of slots far from all others are in a hash table, so
/// memory is proportional to the objects, even if a loaded file names far slots.
#[doc(alias("Kinds", "type", "tag", "group"))]
pub struct Buckets<K: Key, const N: usize> {
    /// By slot, one more than the position of the member that has it.
    places: BySlot<u32>,
    members: PieceMembers<K, N>,
    past: Past<PieceChange<K>, PiecesState<N>>,
}

impl<K: Key, const N: usize> Buckets<K, N> {
    /// Makes empty buckets. O(N): allocates nothing.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, trees::Buckets};
    ///
    /// assert_eq!(Buckets::<Handle<u8>, 3>::new().count(2), 0);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { places: BySlot::new(), members: PieceMembers::new(), past: Past::new() }
    }

    /// Makes empty buckets for the objects of a container with this capacity: as long as its slots are below it,
    /// nothing more is allocated, however the objects are distributed. O(capacity).
    ///
    /// # Panics
    /// If allocation fails.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, trees::Buckets};
    ///
    /// let mut things = Arena::fixed(100);
    /// let mut kinds = Buckets::<_, 3>::with_capacity(100);
    /// let before = kinds.stats().memory;
    /// for number in 0..100 {
    ///     let key = things.insert(number);
    ///     kinds.set(&things, key, number % 3).unwrap();
    /// }
    /// assert_eq!(kinds.stats().memory.committed, before.committed);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        let mut this = Self::new();
        this.reserve(capacity);
        this
    }

    /// Returns how many objects there is room for: as long as the slots of all keys are below this number, nothing is
    /// allocated, however the objects are distributed. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, trees::Buckets};
    ///
    /// assert!(Buckets::<Handle<u8>, 3>::with_capacity(100).capacity() >= 100);
    /// ```
    #[must_use]
    pub fn capacity(&self) -> usize {
        let pieces = self.members.pieces.capacity().min(self.members.keys.capacity() / PIECE);
        let pairs = (pieces.saturating_sub(1) / 2).checked_sub(N);
        let members = pairs.map_or(0, |pairs| (pairs + 1) * (MERGED as usize + 1) - 1);
        members.min(self.places.capacity())
    }

    /// Makes room for at least `additional` objects more: as long as the slots of all keys are below the
    /// [`capacity`](Self::capacity) then, as those of a container of this capacity are, nothing is allocated, however
    /// the objects are distributed and moved. O(capacity).
    ///
    /// # Panics
    /// If allocation fails, or no key can name so many slots.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.reserve(100);
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// assert!(kinds.capacity() >= 100);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        room::granted::<Self, _>(self.try_reserve(additional));
    }

    /// Like [`reserve`](Self::reserve), but returns an error instead of panicking. O(capacity).
    ///
    /// # Errors
    /// If allocation fails, or no key can name so many slots. Then nothing visible has changed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert!(kinds.try_reserve(100).is_ok());
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// assert!(kinds.try_reserve(usize::MAX).is_err());
    /// ```
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        let len = self.members.heads.iter().map(|head| head.len).sum();
        self.places.try_reserve(additional, len, K::MAX_SLOTS)?;
        // Two adjacent pieces have more than `MERGED` members together, unless one of them is the last piece of its
        // bucket; and a piece is made ready for a member before another bucket loses it.
        let pieces = 2 * ((len + additional) / (MERGED as usize + 1) + N) + 1;
        let keys = (pieces * PIECE).saturating_sub(self.members.keys.len());
        self.members.try_reserve_exact(keys, pieces.saturating_sub(self.members.pieces.len()))
    }

    /// Puts an object last into a bucket, and removes it from the one that it was in. One that is in the bucket already
    /// keeps its place. O(1).
    ///
    /// # Errors
    /// If the key is stale, foreign or dangling, or if allocation fails. Then nothing has changed.
    ///
    /// # Panics
    /// If `bucket` is not below `N`.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, wren, FISH).unwrap();
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// assert_eq!((kinds.bucket_of(wren), kinds.count(FISH)), (Some(BIRD), 0));
    /// ```
    #[track_caller]
    pub fn set(
        &mut self,
        objects: &impl Container<Key = K>,
        key: K,
        bucket: usize,
    ) -> Result<(), ListError<K>> {
        assert!(bucket < N, "Buckets: bucket {bucket} is out of range 0..{N}");
        if !objects.contains_key(key) {
            return Err(ListError::Missing { key });
        }
        if self.bucket_of(key) == Some(bucket) {
            return Ok(());
        }
        self.make_room(key)?;
        if self.past.is_on() {
            self.noted(|this, past| this.put(bucket, key, past));
        } else {
            self.put(bucket, key, &mut Unnoted);
        }
        Ok(())
    }

    /// Puts a key, for which there is room, last into a bucket, in place of the member that has its slot.
    #[inline(always)]
    fn put(&mut self, bucket: usize, key: K, past: &mut impl Note<K>) {
        if let Some((tenant, _)) = self.tenant(key.slot()) {
            self.take(tenant, past);
        }
        self.push(bucket, key, past);
    }

    /// Edits members while their past is on, which notes what they were.
    #[cold]
    #[inline(never)]
    fn noted<R>(
        &mut self,
        edit: impl FnOnce(&mut Self, &mut Past<PieceChange<K>, PiecesState<N>>) -> R,
    ) -> R {
        let mut past = mem::take(&mut self.past);
        let edited = edit(self, &mut past);
        self.past = past;
        edited
    }

    /// Room for a member and its place, if an object can have the key.
    pub(super) fn make_room(&mut self, key: K) -> Result<(), ListError<K>> {
        if !key.can_be_live() {
            return Err(ListError::Missing { key });
        }
        self.members.make_room().map_err(ListError::Memory)?;
        // (No fewer than a third of these are members, but for a piece of each bucket.)
        self.places.make_room(key.slot(), self.members.keys.len()).map_err(ListError::Memory)
    }

    /// Puts a key, for which there is room, last into a bucket.
    pub(super) fn push(&mut self, bucket: usize, key: K, past: &mut impl Note<K>) {
        let position = self.members.push(bucket, key, past);
        self.places.set(key.slot(), position + 1);
    }

    /// The member that has a slot, and its position.
    pub(super) fn tenant(&self, slot: u32) -> Option<(K, u32)> {
        let position = self.places.get(slot).checked_sub(1)?;
        Some((self.members.keys[position as usize], position))
    }

    /// The position of a member.
    fn position_of(&self, key: K) -> Option<u32> {
        self.tenant(key.slot()).filter(|tenant| tenant.0 == key).map(|tenant| tenant.1)
    }

    /// Returns the bucket of an object; `None` if it is in none. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, pike, FISH).unwrap();
    /// assert_eq!((kinds.bucket_of(pike), kinds.bucket_of(wren)), (Some(FISH), None));
    /// ```
    #[doc(alias = "kind_of")]
    #[must_use]
    pub fn bucket_of(&self, key: K) -> Option<usize> {
        let position = self.position_of(key)?;
        Some(self.members.piece_at(position).0.bucket as usize)
    }

    /// Removes an object from its bucket and returns which that was. The object stays in its container. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, pike, FISH).unwrap();
    /// things.remove(pike);
    /// assert_eq!(kinds.remove(pike), Some(FISH));
    /// assert_eq!(kinds.count(FISH), 0);
    /// ```
    pub fn remove(&mut self, key: K) -> Option<usize> {
        if self.past.is_on() {
            self.noted(|this, past| this.take(key, past))
        } else {
            self.take(key, &mut Unnoted)
        }
    }

    #[inline]
    fn take(&mut self, key: K, past: &mut impl Note<K>) -> Option<usize> {
        let place = self.places.take(key.slot());
        let position = place.checked_sub(1)?;
        if self.members.keys[position as usize] != key {
            self.places.set(key.slot(), place);
            return None;
        }
        let (piece, at) = (position / PIECE as u32, position % PIECE as u32);
        self.members.replace_key(position as usize, K::DANGLING, past);
        let there = self.members.piece_mut(piece, past);
        there.live &= !(1 << at);
        let Piece { live, next, prev, bucket } = *there;
        self.members.heads[bucket as usize].len -= 1;
        if live == 0 {
            self.members.end_piece(piece, past);
        } else if !self.merge(piece, next, past) {
            self.merge(prev, piece, past);
        }
        Some(bucket as usize)
    }

    /// Moves the members of two pieces that follow each other into the first, where they are few; says whether it did.
    fn merge(&mut self, first: u32, second: u32, past: &mut impl Note<K>) -> bool {
        if first == NONE || second == NONE {
            return false;
        }
        let live = [first, second].map(|piece| self.members.pieces[piece as usize].live);
        if live[0].count_ones() + live[1].count_ones() > MERGED {
            return false;
        }
        self.members.piece_mut(first, past).live = 0;
        let mut end = 0;
        for (piece, mut live) in [first, second].into_iter().zip(live) {
            while live != 0 {
                let from = piece as usize * PIECE + live.trailing_zeros() as usize;
                live &= live - 1;
                let key = self.members.replace_key(from, K::DANGLING, past);
                let position = self.members.put(first, end, key, past);
                end += 1;
                self.places.set(key.slot(), position + 1);
            }
        }
        self.members.end_piece(second, past);
        true
    }

    /// Returns how many objects are in a bucket, stale ones included. O(1).
    ///
    /// # Panics
    /// If `bucket` is not below `N`.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// kinds.set(&things, kite, BIRD).unwrap();
    /// assert_eq!(kinds.count(BIRD), 2);
    /// ```
    #[doc(alias = "count_kind")]
    #[must_use]
    #[track_caller]
    pub const fn count(&self, bucket: usize) -> usize {
        self.members.heads[bucket].len
    }

    /// Walks the objects in a bucket in the order in which they were put there, from either end. O(1) each.
    ///
    /// # Panics
    /// If `bucket` is not below `N`.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// kinds.set(&things, kite, BIRD).unwrap();
    /// assert!(kinds.iter(BIRD).eq([wren, kite]));
    /// ```
    #[doc(alias = "for_kind")]
    #[track_caller]
    pub fn iter(
        &self,
        bucket: usize,
    ) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + Clone {
        self.members.iter(bucket)
    }

    /// Returns the first object in a bucket. O(1). With [`next_key`](Self::next_key) a walk that borrows nothing.
    ///
    /// # Panics
    /// If `bucket` is not below `N`.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// assert_eq!((kinds.first(BIRD), kinds.first(FISH)), (Some(wren), None));
    /// ```
    #[must_use]
    #[track_caller]
    pub fn first(&self, bucket: usize) -> Option<K> {
        self.members.first(bucket)
    }

    /// Returns the next object in the same bucket; `None` for the last one. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// kinds.set(&things, kite, BIRD).unwrap();
    /// assert_eq!((kinds.next_key(wren), kinds.next_key(kite)), (Some(kite), None));
    /// ```
    #[must_use]
    pub fn next_key(&self, key: K) -> Option<K> {
        self.members.next(self.position_of(key)?)
    }

    /// Removes objects that are no longer in the container. O(objects in buckets).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// things.remove(wren); // without telling
    /// kinds.retain_live(&things);
    /// assert_eq!(kinds.count(BIRD), 0);
    /// ```
    pub fn retain_live(&mut self, objects: &impl Container<Key = K>) {
        for bucket in 0..N {
            let mut at = self.first(bucket);
            while let Some(key) = at {
                at = self.next_key(key);
                if !objects.contains_key(key) {
                    self.remove(key);
                }
            }
        }
    }

    /// Empties all buckets and keeps the memory. O(slots).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// kinds.clear();
    /// assert_eq!(kinds.bucket_of(wren), None);
    /// ```
    pub fn clear(&mut self) {
        if self.past.is_on() {
            while let Some(key) = (0..N).find_map(|bucket| self.first(bucket)) {
                self.remove(key);
            }
            return;
        }
        self.places.clear();
        self.members.keys.clear();
        self.members.pieces.clear();
        self.members.heads = PieceMembers::<K, N>::new().heads;
        self.members.free = NONE;
    }

    /// Gives unused memory back, as far as the allocator agrees. O(slots + objects in buckets).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// kinds.remove(wren);
    /// kinds.shrink_to_fit();
    /// assert_eq!(kinds.stats().memory.committed, 0);
    /// ```
    pub fn shrink_to_fit(&mut self) {
        if self.past.is_on() {
            return; // it names positions
        }
        self.places.shrink_to_fit();
        let mut packed = PieceMembers::new();
        let pieces = |head: &Head| head.len.div_ceil(PIECE);
        let pieces: usize = self.members.heads.iter().map(pieces).sum();
        // The last piece needs room only for the keys that it has.
        let last = self.members.heads.iter().map(|head| head.len).rfind(|&len| len > 0);
        let keys = pieces * PIECE - last.map_or(0, |len| (PIECE - len % PIECE) % PIECE);
        if packed.try_reserve_exact(keys, pieces).is_err() {
            return;
        }
        for bucket in 0..N {
            for key in self.members.iter(bucket) {
                let position = packed.push(bucket, key, &mut Unnoted);
                self.places.set(key.slot(), position + 1);
            }
        }
        self.members = packed;
    }

    /// Returns its length, and where its memory goes; `values` are the members' keys. O(N).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// assert_eq!(kinds.stats().memory.values, size_of::<larder::Handle<&str>>());
    /// ```
    #[doc(alias = "memory_usage")]
    #[must_use]
    pub fn stats(&self) -> Stats {
        let PieceMembers { keys, pieces, heads, .. } = &self.members;
        let len = heads.iter().map(|head| head.len).sum();
        let values = len * size_of::<K>();
        let holes = keys.len() * size_of::<K>() - values;
        let unused = (keys.capacity() - keys.len()) * size_of::<K>();
        let in_pieces = pieces.capacity() * size_of::<Piece>();
        let bookkeeping = self.places.bytes() + in_pieces;
        Stats::beside(len, MemoryUsage::new(values, holes, unused, bookkeeping))
    }

    /// Panics where the buckets contradict themselves; for the project's own tests.
    #[cfg(feature = "__test")]
    #[doc(hidden)]
    pub fn validate(&self) {
        let PieceMembers { pieces, heads, .. } = &self.members;
        let mut used = 0;
        for (bucket, head) in heads.iter().enumerate() {
            let all = self.members.pieces_of(bucket).collect::<Vec<_>>();
            assert!(all.iter().all(|&piece| pieces[piece as usize].bucket as usize == bucket));
            let live = |piece: &u32| pieces[*piece as usize].live.count_ones();
            assert!(all.iter().all(|piece| live(piece) > 0), "no piece is empty");
            let few = |pair: &[u32]| live(&pair[0]) + live(&pair[1]) <= MERGED;
            let settled = &all[..all.len().saturating_sub(1)];
            assert!(!settled.windows(2).any(few), "few members are in one piece");
            used += all.len();
            let members: Vec<K> = self.members.iter(bucket).collect();
            assert_eq!(members.len(), head.len, "members are counted");
            for &key in &members {
                assert!(self.position_of(key).is_some(), "it has its place");
            }
        }
        let mut free = self.members.free;
        while free != NONE {
            free = pieces[free as usize].next;
            used += 1;
        }
        assert_eq!(used, pieces.len(), "each piece is a bucket's or free");
        assert_eq!(self.places.count(), heads.iter().map(|head| head.len).sum::<usize>());
    }
}

/// Buckets as they go back: their past can be reached by the group that goes back, and from nowhere else.
#[cfg(feature = "track")]
pub(super) struct ReturningBuckets<'a, K: Key, const N: usize>(pub(super) &'a mut Buckets<K, N>);

#[cfg(feature = "track")]
impl<K: Key, const N: usize> Reverse for ReturningBuckets<'_, K, N> {
    type Change = PieceChange<K>;
    type State = PiecesState<N>;
    type Kept = ();

    fn past(&mut self) -> &mut Past<PieceChange<K>, PiecesState<N>> {
        &mut self.0.past
    }

    fn state(&mut self) -> PiecesState<N> {
        self.0.members.state()
    }

    fn exchange(&mut self, state: &mut PiecesState<N>) {
        self.0.members.exchange(state);
    }

    fn reverse(
        &mut self,
        change: &mut PieceChange<K>,
        (): &mut (),
        _: Way,
    ) -> Result<(), TryReserveError> {
        self.0.members.reverse(change, &mut self.0.places)
    }
}

impl<K: Key, const N: usize> Clone for Buckets<K, N> {
    /// # Panics
    /// If allocation fails.
    #[track_caller]
    fn clone(&self) -> Self {
        let PieceMembers { keys, pieces, free, heads } = &self.members;
        let mut members = PieceMembers { heads: *heads, free: *free, ..PieceMembers::new() };
        room::granted::<Self, _>(members.try_reserve_exact(keys.len(), pieces.len()));
        members.keys.extend_from_slice(keys);
        members.pieces.extend_from_slice(pieces);
        let places = room::granted::<Self, _>(self.places.try_map(|place| place));
        Self { places, members, past: Past::new() }
    }
}

impl<K: Key, const N: usize> Default for Buckets<K, N> {
    /// Empty buckets. Allocates nothing.
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Key, const N: usize> fmt::Debug for Buckets<K, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let members = |bucket| self.iter(bucket).collect::<Vec<K>>();
        f.debug_list().entries((0..N).map(members)).finish()
    }
}
