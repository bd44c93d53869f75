//! Objects in a fixed number of buckets: one for each kind of object, for example.
//!
//! The members of a bucket lie side by side, in the order in which they came, in pieces of [`PIECE`] keys that all
//! buckets share. A removal leaves a hole. Two pieces that follow each other and together have [`MERGED`] members or
//! fewer become one, so that a removal moves a limited number of keys, and a walk meets a limited number of holes.

use alloc::vec::Vec;
use core::{fmt, mem, slice};

use super::error::ListError;
use crate::containers::container::Container;
use crate::error::TryReserveError;
use crate::explain;
use crate::key::Key;
use crate::maps::secondary::SecondaryMap;
use crate::stats::{MemoryUsage, Stats};

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
/// [`KeyList`](crate::trees::KeyList) does.
///
/// Remove an object from its bucket before it is removed from its container. Otherwise its stale key is counted
/// and walked until the next object in its slot is put into a bucket, or [`retain_live`](Self::retain_live) is
/// called. An [`AutoUnlink`](crate::trees::AutoUnlink) owns both, so that this cannot be forgotten.
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
/// places   (position) (position) …                 by slot, each with its generation
/// members  (key, key, …) (key, …) (key, key, …)    pieces of 64 keys, each of one bucket
/// ```
/// An object takes 8 bytes for its place, and its key in a piece that is at least a third full on average.
#[doc(alias("Kinds", "type", "tag", "group"))]
pub struct Buckets<K: Key, const N: usize> {
    /// The position of each member.
    places: SecondaryMap<K, u32>,
    members: Members<K, N>,
}

/// How many keys a piece has room for: as many as there are bits in [`Piece::live`].
const PIECE: usize = 64;

/// Two pieces that follow each other and have so many members are merged when one is removed.
const MERGED: u32 = 48;

/// No piece.
const NONE: u32 = u32::MAX;

/// Keys of one bucket, side by side.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Which of its keys are members.
    live: u64,
    next: u32,
    prev: u32,
    bucket: u32,
}

/// The pieces of a bucket: a list with two ends.
#[derive(Clone, Copy, Debug)]
struct Head {
    first: u32,
    last: u32,
    len: usize,
}

/// Of each bucket its keys.
#[derive(Debug)]
struct Members<K, const N: usize> {
    /// [`PIECE`] for each piece, of which those of the last one may be missing where there are none; those that are not
    /// members dangle.
    keys: Vec<K>,
    pieces: Vec<Piece>,
    /// Pieces that are not in use, as a list.
    free: u32,
    heads: [Head; N],
}

impl Piece {
    /// After its last member.
    const fn end(&self) -> usize {
        (u64::BITS - self.live.leading_zeros()) as usize
    }
}

impl<K: Key, const N: usize> Members<K, N> {
    const fn new() -> Self {
        let heads = [Head { first: NONE, last: NONE, len: 0 }; N];
        Self { keys: Vec::new(), pieces: Vec::new(), free: NONE, heads }
    }

    /// Room for exactly so many keys and pieces more. On an error nothing has changed.
    fn try_reserve_exact(&mut self, keys: usize, pieces: usize) -> Result<(), TryReserveError> {
        self.keys.try_reserve_exact(keys).map_err(|_| refused::<K>(keys))?;
        self.pieces.try_reserve_exact(pieces).map_err(|_| refused::<Piece>(pieces))
    }

    /// Room for one member more, of whichever bucket.
    fn make_room(&mut self) -> Result<(), TryReserveError> {
        let pieces = self.pieces.len();
        if self.free == NONE || self.keys.len() < pieces * PIECE {
            self.keys.try_reserve(2 * PIECE).map_err(|_| refused::<K>(2 * PIECE))?;
            self.pieces.try_reserve(1).map_err(|_| refused::<Piece>(1))?;
            self.keys.resize(pieces * PIECE, K::DANGLING);
        }
        Ok(())
    }

    /// A piece without members, for which there is room, as the last one of a bucket.
    fn begin_piece(&mut self, bucket: usize) -> u32 {
        let piece = match self.free {
            NONE => {
                self.pieces.push(Piece { live: 0, next: NONE, prev: NONE, bucket: 0 });
                // (Where only some keys of it are needed, there is no more room.)
                let keys = (self.pieces.len() * PIECE).min(self.keys.capacity());
                self.keys.resize(keys, K::DANGLING);
                self.pieces.len() as u32 - 1
            }
            free => {
                self.free = self.pieces[free as usize].next;
                free
            }
        };
        let prev = mem::replace(&mut self.heads[bucket].last, piece);
        match prev {
            NONE => self.heads[bucket].first = piece,
            prev => self.pieces[prev as usize].next = piece,
        }
        self.pieces[piece as usize] = Piece { live: 0, next: NONE, prev, bucket: bucket as u32 };
        piece
    }

    /// Frees a piece without members.
    fn end_piece(&mut self, piece: u32) {
        let Piece { next, prev, bucket, .. } = self.pieces[piece as usize];
        let head = &mut self.heads[bucket as usize];
        match prev {
            NONE => head.first = next,
            prev => self.pieces[prev as usize].next = next,
        }
        match next {
            NONE => head.last = prev,
            next => self.pieces[next as usize].prev = prev,
        }
        self.pieces[piece as usize].next = self.free;
        self.free = piece;
    }

    /// Puts a key, for which there is room, last into a bucket, and returns its position.
    fn push(&mut self, bucket: usize, key: K) -> u32 {
        let mut piece = self.heads[bucket].last;
        if piece == NONE || self.pieces[piece as usize].end() == PIECE {
            piece = self.begin_piece(bucket);
        }
        self.heads[bucket].len += 1;
        self.put(piece, self.pieces[piece as usize].end(), key)
    }

    fn put(&mut self, piece: u32, at: usize, key: K) -> u32 {
        let position = piece as usize * PIECE + at;
        self.keys[position] = key;
        self.pieces[piece as usize].live |= 1 << at;
        position as u32
    }

    /// The piece of a position, and the bit of it there.
    fn piece_at(&self, position: u32) -> (&Piece, u32) {
        (&self.pieces[position as usize / PIECE], position % PIECE as u32)
    }

    /// The first member at a position or after it, in the same piece.
    fn first_from(&self, piece: u32, at: u32) -> Option<K> {
        let live = self.pieces[piece as usize].live.checked_shr(at)?;
        let at = (live != 0).then(|| at + live.trailing_zeros())?;
        Some(self.keys[piece as usize * PIECE + at as usize])
    }

    fn first(&self, bucket: usize) -> Option<K> {
        let first = self.heads[bucket].first;
        if first == NONE { None } else { self.first_from(first, 0) }
    }

    /// The member after the one at a position.
    fn next(&self, position: u32) -> Option<K> {
        let (piece, at) = self.piece_at(position);
        let here = self.first_from(position / PIECE as u32, at + 1);
        here.or_else(|| if piece.next == NONE { None } else { self.first_from(piece.next, 0) })
    }

    fn iter(&self, bucket: usize) -> Iter<'_, K> {
        let Head { first, last, .. } = self.heads[bucket];
        let pieces = Pieces { pieces: &self.pieces, first, last };
        Iter { keys: &self.keys, pieces, front: Default::default(), back: Default::default() }
    }
}

/// The members of a bucket.
struct Iter<'a, K> {
    keys: &'a [K],
    pieces: Pieces<'a>,
    /// What is left of the pieces at either end.
    front: slice::Iter<'a, K>,
    back: slice::Iter<'a, K>,
}

impl<'a, K: Key> Iter<'a, K> {
    /// The keys of a piece, with its holes.
    fn keys_of(keys: &'a [K], pieces: &[Piece], piece: u32) -> slice::Iter<'a, K> {
        let begin = piece as usize * PIECE;
        keys[begin..begin + pieces[piece as usize].end()].iter()
    }
}

/// Whether a key is that of a member, and not a hole.
fn is_member<K: Key>(key: &&K) -> bool {
    **key != K::DANGLING
}

impl<K: Key> Iterator for Iter<'_, K> {
    type Item = K;

    #[inline]
    fn next(&mut self) -> Option<K> {
        loop {
            if let Some(key) = self.front.find(is_member) {
                return Some(*key);
            }
            let Some(piece) = self.pieces.next() else {
                return self.back.find(is_member).copied();
            };
            self.front = Self::keys_of(self.keys, self.pieces.pieces, piece);
        }
    }

    #[inline]
    fn fold<B, F: FnMut(B, K) -> B>(self, init: B, mut f: F) -> B {
        let Self { keys, pieces, front, back } = self;
        let mut folded = front.copied().filter(|key| is_member(&key)).fold(init, &mut f);
        let all = pieces.pieces;
        for piece in pieces {
            let members = Self::keys_of(keys, all, piece);
            let Piece { live, .. } = all[piece as usize];
            folded = if live & live.wrapping_add(1) == 0 {
                members.copied().fold(folded, &mut f)
            } else {
                members.copied().filter(|key| is_member(&key)).fold(folded, &mut f)
            };
        }
        back.copied().filter(|key| is_member(&key)).fold(folded, f)
    }
}

impl<K: Key> DoubleEndedIterator for Iter<'_, K> {
    #[inline]
    fn next_back(&mut self) -> Option<K> {
        loop {
            if let Some(key) = self.back.rfind(is_member) {
                return Some(*key);
            }
            let Some(piece) = self.pieces.next_back() else {
                return self.front.rfind(is_member).copied();
            };
            self.back = Self::keys_of(self.keys, self.pieces.pieces, piece);
        }
    }
}

/// The error of a vector that was refused so many elements more.
fn refused<T>(additional: usize) -> TryReserveError {
    TryReserveError::AllocRefused { bytes: additional.saturating_mul(size_of::<T>()) }
}

/// The pieces of a bucket.
struct Pieces<'a> {
    pieces: &'a [Piece],
    first: u32,
    last: u32,
}

impl Pieces<'_> {
    /// Takes one of the ends, beyond which is the next.
    fn take(&mut self, piece: u32) -> Option<&Piece> {
        if piece == NONE {
            return None;
        }
        if self.first == self.last {
            (self.first, self.last) = (NONE, NONE);
        }
        Some(&self.pieces[piece as usize])
    }
}

impl Iterator for Pieces<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let first = self.first;
        let next = self.take(first)?.next;
        if self.first != NONE {
            self.first = next;
        }
        Some(first)
    }
}

impl DoubleEndedIterator for Pieces<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<u32> {
        let last = self.last;
        let prev = self.take(last)?.prev;
        if self.last != NONE {
            self.last = prev;
        }
        Some(last)
    }
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
        Self { places: SecondaryMap::new(), members: Members::new() }
    }

    /// Makes empty buckets for the objects of a container with this capacity: as long as its slots are below it,
    /// nothing more is allocated, however the objects are distributed. O(capacity).
    ///
    /// # Panics
    /// If memory is refused.
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
        let mut this =
            Self { places: SecondaryMap::with_capacity(capacity), members: Members::new() };
        // Of two pieces that follow each other more than `MERGED` are members, but for the last piece of a
        // bucket; and one piece is made ready for a member before another bucket loses it.
        let pieces = 2 * (capacity / (MERGED as usize + 1) + N) + 1;
        if let Err(reason) = this.members.try_reserve_exact(pieces * PIECE, pieces) {
            explain::refused::<Self>(&reason);
        }
        this
    }

    /// Puts an object last into a bucket, and removes it from the one that it was in. O(1).
    ///
    /// # Errors
    /// If the key is stale, foreign or dangling, or if memory is refused. Then nothing has changed.
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
        assert!(bucket < N, "Buckets: there is no bucket {bucket}, only {N}");
        if !objects.contains_key(key) {
            return Err(ListError::Missing { key });
        }
        if self.bucket_of(key) == Some(bucket) {
            return Ok(());
        }
        self.make_room(key)?;
        if let Some(tenant) = self.places.key_of_slot(key.slot()) {
            self.remove(tenant);
        }
        self.push(bucket, key)
    }

    /// Puts a key into a bucket that is loaded, whether an object has it or not.
    #[cfg(any(feature = "serde", feature = "snapshot"))]
    pub(crate) fn set_loaded(&mut self, key: K, bucket: usize) -> Result<(), ListError<K>> {
        if self.places.key_of_slot(key.slot()).is_some() {
            return Err(ListError::InList { key });
        }
        self.make_room(key)?;
        self.push(bucket, key)
    }

    /// Room for a member, and for its place unless another key of its slot has one.
    fn make_room(&mut self, key: K) -> Result<(), ListError<K>> {
        self.members.make_room().map_err(ListError::Memory)?;
        if self.places.key_of_slot(key.slot()).is_none() {
            let room = self.places.map.make_room_for(key);
            room.map_err(|refusal| ListError::no_place(key, refusal))?;
        }
        Ok(())
    }

    /// Puts a key, for which there is room, last into a bucket.
    fn push(&mut self, bucket: usize, key: K) -> Result<(), ListError<K>> {
        let position = self.members.push(bucket, key);
        let placed = self.places.try_insert(key, position);
        placed.map(drop).map_err(|refused| ListError::no_place(key, refused.reason))
    }

    /// Removes a key from its bucket.
    pub(crate) fn forget(&mut self, key: K) {
        self.remove(key);
    }

    /// The bucket of an object; `None` if it is in none. O(1).
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
        let position = *self.places.get(key)?;
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
        let position = self.places.remove(key)?;
        let (piece, at) = (position / PIECE as u32, position % PIECE as u32);
        self.members.keys[position as usize] = K::DANGLING;
        let there = &mut self.members.pieces[piece as usize];
        there.live &= !(1 << at);
        let Piece { live, next, prev, bucket } = *there;
        self.members.heads[bucket as usize].len -= 1;
        if live == 0 {
            self.members.end_piece(piece);
        } else if !self.merge(piece, next) {
            self.merge(prev, piece);
        }
        Some(bucket as usize)
    }

    /// Moves the members of two pieces that follow each other into the first, where they are few; says whether it did.
    fn merge(&mut self, first: u32, second: u32) -> bool {
        if first == NONE || second == NONE {
            return false;
        }
        let live = [first, second].map(|piece| self.members.pieces[piece as usize].live);
        if live[0].count_ones() + live[1].count_ones() > MERGED {
            return false;
        }
        self.members.pieces[first as usize].live = 0;
        let mut end = 0;
        for (piece, mut live) in [first, second].into_iter().zip(live) {
            while live != 0 {
                let from = piece as usize * PIECE + live.trailing_zeros() as usize;
                live &= live - 1;
                let key = mem::replace(&mut self.members.keys[from], K::DANGLING);
                let position = self.members.put(first, end, key);
                end += 1;
                if let Some(place) = self.places.get_mut(key) {
                    *place = position;
                }
            }
        }
        self.members.end_piece(second);
        true
    }

    /// How many objects are in a bucket, stale ones included. O(1).
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
    pub fn iter(&self, bucket: usize) -> impl DoubleEndedIterator<Item = K> {
        self.members.iter(bucket)
    }

    /// The first object in a bucket. O(1). With [`next_key`](Self::next_key) a walk that borrows nothing.
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

    /// The next object in the same bucket; `None` for the last one. O(1).
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
        self.members.next(*self.places.get(key)?)
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
        self.places.clear();
        self.members.keys.clear();
        self.members.pieces.clear();
        self.members.heads = Members::<K, N>::new().heads;
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
        self.places.shrink_to_fit();
        let mut packed = Members::new();
        let pieces = |head: &Head| head.len.div_ceil(PIECE);
        let pieces: usize = self.members.heads.iter().map(pieces).sum();
        // Of the last piece only the keys that there are.
        let last = self.members.heads.iter().map(|head| head.len).rfind(|&len| len > 0);
        let keys = pieces * PIECE - last.map_or(0, |len| (PIECE - len % PIECE) % PIECE);
        if packed.try_reserve_exact(keys, pieces).is_err() {
            return;
        }
        for bucket in 0..N {
            for key in self.members.iter(bucket) {
                let position = packed.push(bucket, key);
                if let Some(place) = self.places.get_mut(key) {
                    *place = position;
                }
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
        let Members { keys, pieces, heads, .. } = &self.members;
        let places = self.places.stats().memory;
        let len = heads.iter().map(|head| head.len).sum();
        let values = len * size_of::<K>();
        let holes = keys.len() * size_of::<K>() - values;
        let unused = (keys.capacity() - keys.len()) * size_of::<K>();
        let in_pieces = pieces.capacity() * size_of::<Piece>();
        let bookkeeping = places.committed + in_pieces;
        let committed = values + holes + unused + bookkeeping;
        let memory =
            MemoryUsage { values, holes, unused, bookkeeping, committed, reserved: committed };
        Stats::beside(len, memory)
    }

    /// Panics where the buckets contradict themselves; for the project's own tests.
    #[doc(hidden)]
    pub fn validate(&self) {
        let Members { keys, pieces, heads, .. } = &self.members;
        let mut used = 0;
        for (bucket, head) in heads.iter().enumerate() {
            let all = Pieces { pieces, first: head.first, last: head.last }.collect::<Vec<_>>();
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
                let position = self.places.get(key).copied().map(|position| position as usize);
                assert_eq!(position.map(|position| keys[position]), Some(key), "it has its place");
            }
        }
        let mut free = self.members.free;
        while free != NONE {
            free = pieces[free as usize].next;
            used += 1;
        }
        assert_eq!(used, pieces.len(), "each piece is a bucket's or free");
        assert_eq!(self.places.len(), heads.iter().map(|head| head.len).sum::<usize>());
    }
}

impl<K: Key, const N: usize> Clone for Buckets<K, N> {
    /// # Panics
    /// If memory is refused.
    #[track_caller]
    fn clone(&self) -> Self {
        let Members { keys, pieces, free, heads } = &self.members;
        let mut members = Members { heads: *heads, free: *free, ..Members::new() };
        if let Err(reason) = members.try_reserve_exact(keys.len(), pieces.len()) {
            explain::refused::<Self>(&reason);
        }
        members.keys.extend_from_slice(keys);
        members.pieces.extend_from_slice(pieces);
        Self { places: self.places.clone(), members }
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
