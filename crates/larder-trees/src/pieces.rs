//! The members of [`Buckets`]: their keys side by side, in pieces of [`PIECE`] that all buckets share.
//!
//! A removal leaves a hole. Two pieces that follow each other and together have [`MERGED`] members or fewer become one,
//! so that a removal moves a limited number of keys, and a walk meets a limited number of holes.
//!
//! [`Buckets`]: crate::Buckets

use alloc::vec::Vec;
use core::mem;

use larder_core::TryReserveError;
use larder_core::key::Key;
use larder_core::maps::BySlot;
use larder_core::past::Past;
use larder_core::room::{reserve, reserve_exact};

/// The number of keys in a piece: one for each bit of [`Piece::live`].
pub(super) const PIECE: usize = 64;

/// Two adjacent pieces that have this many members are merged when one is removed.
pub(super) const MERGED: u32 = 48;

/// No piece.
pub(super) const NONE: u32 = u32::MAX;

/// Keys of one bucket, side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// A bit for each of its keys, set if the key is a member.
    pub(super) live: u64,
    pub(super) next: u32,
    pub(super) prev: u32,
    pub(super) bucket: u32,
}

/// The former key or piece at a position, or that there was no piece.
pub(crate) struct PieceChange<K> {
    position: u32,
    was: Was<K>,
}

pub(super) enum Was<K> {
    Key(K),
    Piece(Option<Piece>),
}

/// Learns of each change before it is made. (A type rather than a flag, since testing a flag would take as long as the
/// change itself.)
pub(super) trait Note<K> {
    fn note(&mut self, position: u32, was: Was<K>);
}

/// Records nothing.
pub(super) struct Unnoted;

impl<K> Note<K> for Unnoted {
    #[inline]
    fn note(&mut self, _: u32, _: Was<K>) {}
}

impl<K, S> Note<K> for Past<PieceChange<K>, S> {
    fn note(&mut self, position: u32, was: Was<K>) {
        Self::note(self, PieceChange { position, was });
    }
}

/// The state recorded once a step, rather than once a change: the heads of the buckets, and the first free piece.
#[derive(Clone)]
pub(crate) struct PiecesState<const N: usize> {
    heads: [Head; N],
    free: u32,
}

/// The pieces of a bucket: a list with two ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) len: usize,
}

/// The keys of each bucket.
#[derive(Debug)]
pub(super) struct PieceMembers<K, const N: usize> {
    /// [`PIECE`] for each piece, of which those of the last one may be missing where there are none; those that are not
    /// members dangle.
    pub(super) keys: Vec<K>,
    pub(super) pieces: Vec<Piece>,
    /// Pieces that are not in use, as a list.
    pub(super) free: u32,
    pub(super) heads: [Head; N],
}

impl Piece {
    /// After its last member.
    const fn end(&self) -> usize {
        (u64::BITS - self.live.leading_zeros()) as usize
    }
}

impl<K: Key, const N: usize> PieceMembers<K, N> {
    pub(super) const fn new() -> Self {
        let heads = [Head { first: NONE, last: NONE, len: 0 }; N];
        Self { keys: Vec::new(), pieces: Vec::new(), free: NONE, heads }
    }

    /// Makes room for exactly this many more keys and pieces. On an error nothing has changed.
    pub(super) fn try_reserve_exact(
        &mut self,
        keys: usize,
        pieces: usize,
    ) -> Result<(), TryReserveError> {
        reserve_exact(&mut self.keys, keys)?;
        reserve_exact(&mut self.pieces, pieces)
    }

    /// Room for one member more, of whichever bucket.
    pub(super) fn make_room(&mut self) -> Result<(), TryReserveError> {
        let pieces = self.pieces.len();
        if self.free == NONE || self.keys.len() < pieces * PIECE {
            let missing = (pieces + 1) * PIECE - self.keys.len();
            reserve(&mut self.keys, missing)?;
            reserve(&mut self.pieces, 1)?;
            self.keys.resize(pieces * PIECE, K::DANGLING);
        }
        Ok(())
    }

    /// A piece without members, for which there is room, as the last one of a bucket.
    fn begin_piece(&mut self, bucket: usize, past: &mut impl Note<K>) -> u32 {
        let piece = match self.free {
            NONE => {
                past.note(self.pieces.len() as u32, Was::Piece(None));
                self.push_piece(Piece { live: 0, next: NONE, prev: NONE, bucket: 0 });
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
            prev => self.piece_mut(prev, past).next = piece,
        }
        let begun = Piece { live: 0, next: NONE, prev, bucket: bucket as u32 };
        *self.piece_mut(piece, past) = begun;
        piece
    }

    /// Adds a piece, and the keys of it for which there is room. (There may be room only for some, if only some are
    /// needed.)
    fn push_piece(&mut self, piece: Piece) {
        self.pieces.push(piece);
        let keys = (self.pieces.len() * PIECE).min(self.keys.capacity());
        self.keys.resize(keys.max(self.keys.len()), K::DANGLING);
    }

    /// Frees a piece without members.
    pub(super) fn end_piece(&mut self, piece: u32, past: &mut impl Note<K>) {
        let Piece { next, prev, bucket, .. } = self.pieces[piece as usize];
        match prev {
            NONE => self.heads[bucket as usize].first = next,
            prev => self.piece_mut(prev, past).next = next,
        }
        match next {
            NONE => self.heads[bucket as usize].last = prev,
            next => self.piece_mut(next, past).prev = prev,
        }
        self.piece_mut(piece, past).next = self.free;
        self.free = piece;
    }

    /// Puts a key, for which there is room, last into a bucket, and returns its position.
    pub(super) fn push(&mut self, bucket: usize, key: K, past: &mut impl Note<K>) -> u32 {
        let mut piece = self.heads[bucket].last;
        if piece == NONE || self.pieces[piece as usize].end() == PIECE {
            piece = self.begin_piece(bucket, past);
        }
        self.heads[bucket].len += 1;
        self.put(piece, self.pieces[piece as usize].end(), key, past)
    }

    pub(super) fn put(&mut self, piece: u32, at: usize, key: K, past: &mut impl Note<K>) -> u32 {
        let position = piece as usize * PIECE + at;
        self.replace_key(position, key, past);
        self.piece_mut(piece, past).live |= 1 << at;
        position as u32
    }

    pub(super) fn piece_mut(&mut self, piece: u32, past: &mut impl Note<K>) -> &mut Piece {
        let there = &mut self.pieces[piece as usize];
        past.note(piece, Was::Piece(Some(*there)));
        there
    }

    pub(super) fn replace_key(&mut self, position: usize, key: K, past: &mut impl Note<K>) -> K {
        let was = mem::replace(&mut self.keys[position], key);
        past.note(position as u32, Was::Key(was));
        was
    }

    pub(super) const fn state(&self) -> PiecesState<N> {
        PiecesState { heads: self.heads, free: self.free }
    }

    pub(super) const fn exchange(&mut self, state: &mut PiecesState<N>) {
        mem::swap(&mut self.heads, &mut state.heads);
        mem::swap(&mut self.free, &mut state.free);
    }

    /// Makes a key or a piece what it was, and of the change what it is. `places` follows the keys, where there is
    /// room; on an error nothing has changed.
    pub(super) fn reverse(
        &mut self,
        change: &mut PieceChange<K>,
        places: &mut BySlot<u32>,
    ) -> Result<(), TryReserveError> {
        let position = change.position as usize;
        match &mut change.was {
            Was::Key(was) => {
                if *was != K::DANGLING {
                    places.make_room_again(was.slot())?;
                }
                mem::swap(was, &mut self.keys[position]);
                if *was != K::DANGLING {
                    places.take(was.slot());
                }
                let is = self.keys[position];
                if is != K::DANGLING {
                    places.set(is.slot(), change.position + 1);
                }
            }
            Was::Piece(was) => match (self.pieces.get_mut(position), *was) {
                (Some(there), Some(piece)) => *was = Some(mem::replace(there, piece)),
                (None, Some(piece)) => {
                    self.push_piece(piece); // in the room that it had
                    *was = None;
                }
                (_, None) => {
                    *was = self.pieces.pop();
                    self.keys.truncate(self.pieces.len() * PIECE);
                }
            },
        }
        Ok(())
    }

    /// The piece of a position, and the bit of it there.
    pub(super) fn piece_at(&self, position: u32) -> (&Piece, u32) {
        (&self.pieces[position as usize / PIECE], position % PIECE as u32)
    }

    /// The first member at a position or after it, in the same piece.
    fn first_from(&self, piece: u32, at: u32) -> Option<K> {
        let live = self.pieces[piece as usize].live.checked_shr(at)?;
        let at = (live != 0).then(|| at + live.trailing_zeros())?;
        Some(self.keys[piece as usize * PIECE + at as usize])
    }

    pub(super) fn first(&self, bucket: usize) -> Option<K> {
        let first = self.heads[bucket].first;
        if first == NONE { None } else { self.first_from(first, 0) }
    }

    /// The member after the one at a position.
    pub(super) fn next(&self, position: u32) -> Option<K> {
        let (piece, at) = self.piece_at(position);
        let here = self.first_from(position / PIECE as u32, at + 1);
        here.or_else(|| if piece.next == NONE { None } else { self.first_from(piece.next, 0) })
    }

    pub(super) fn iter(&self, bucket: usize) -> Iter<'_, K> {
        let Head { first, last, len } = self.heads[bucket];
        let end = |piece: u32| (piece, self.pieces.get(piece as usize).map_or(0, |it| it.live));
        let (front, back) = (end(first), end(last));
        Iter { keys: &self.keys, pieces: &self.pieces, front, back, left: len }
    }

    /// The pieces of a bucket, in order.
    #[cfg_attr(not(feature = "__test"), allow(dead_code, reason = "tests call it"))]
    pub(super) fn pieces_of(&self, bucket: usize) -> impl Iterator<Item = u32> {
        let there = |piece: u32| Some(piece).filter(|&piece| piece != NONE);
        let next = move |&piece: &u32| there(self.pieces[piece as usize].next);
        core::iter::successors(there(self.heads[bucket].first), next)
    }
}

/// The members of a bucket.
#[derive(Clone)]
pub(super) struct Iter<'a, K> {
    keys: &'a [K],
    pieces: &'a [Piece],
    /// The pieces at either end, and which of their keys the walk from there has not visited.
    front: (u32, u64),
    back: (u32, u64),
    /// The number of members left between the ends.
    left: usize,
}

impl<K: Copy> Iter<'_, K> {
    /// Goes to the next piece from the front, where nothing is left of this one.
    #[inline]
    fn enter(&mut self) {
        if self.front.1 == 0 {
            let next = self.pieces[self.front.0 as usize].next;
            self.front = (next, self.pieces[next as usize].live);
        }
    }
}

impl<K: Copy> Iterator for Iter<'_, K> {
    type Item = K;

    #[inline]
    fn next(&mut self) -> Option<K> {
        self.left = self.left.checked_sub(1)?;
        self.enter();
        let (piece, live) = self.front;
        self.front.1 = live & (live - 1);
        Some(self.keys[piece as usize * PIECE + live.trailing_zeros() as usize])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }

    #[inline]
    fn fold<B, F: FnMut(B, K) -> B>(mut self, init: B, mut f: F) -> B {
        let mut folded = init;
        while self.left > 0 {
            self.enter();
            let (piece, mut live) = self.front;
            let keys = &self.keys[piece as usize * PIECE..];
            let count = live.trailing_ones() as usize;
            if live & live.wrapping_add(1) == 0 && count <= self.left {
                // No holes: the keys are a slice.
                folded = keys[..count].iter().copied().fold(folded, &mut f);
                (self.left, live) = (self.left - count, 0);
            }
            while live != 0 && self.left > 0 {
                folded = f(folded, keys[live.trailing_zeros() as usize]);
                (self.left, live) = (self.left - 1, live & (live - 1));
            }
            self.front.1 = live;
        }
        folded
    }
}

impl<K: Copy> DoubleEndedIterator for Iter<'_, K> {
    #[inline]
    fn next_back(&mut self) -> Option<K> {
        self.left = self.left.checked_sub(1)?;
        if self.back.1 == 0 {
            let prev = self.pieces[self.back.0 as usize].prev;
            self.back = (prev, self.pieces[prev as usize].live);
        }
        let (piece, live) = self.back;
        let at = live.ilog2();
        self.back.1 = live ^ 1 << at;
        Some(self.keys[piece as usize * PIECE + at as usize])
    }
}

impl<K: Copy> ExactSizeIterator for Iter<'_, K> {}
