//! Tiles: their rows of quads, and from hashes to their numbers, an open-addressing table with linear probing.
//!
//! **Invariant.** The table is empty, or has a power of two places, of which at least three in eight are
//! free. Every entry can be reached from the place that its hash names over places that are not free, and of these
//! no more than [`LONGEST`] are in a row: so tiles that were chosen to meet do not make one another slow.

use alloc::vec::Vec;

use super::cells::{COLUMNS, ROWS, Tile};
use crate::raw::simd::{Four, distances};
use larder_core::TryReserveError;
use larder_core::key::Key;
use larder_core::room::reserve_exact;

/// The number of points in a quad.
pub(super) const QUAD: usize = 4;

/// Four points in columns, so that all are compared at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quad<K, const N: usize> {
    axes: [Four; N],
    keys: [K; QUAD],
}

impl<K: Key, const N: usize> Quad<K, N> {
    /// Not a number is in no circle, nor in a box.
    pub(super) const EMPTY: Self = Self { axes: [[f32::NAN; QUAD]; N], keys: [K::DANGLING; QUAD] };

    #[inline]
    pub(super) fn entry(&self, at: usize) -> (K, [f32; N]) {
        (self.keys[at], self.point(at))
    }

    #[inline]
    pub(super) fn point(&self, at: usize) -> [f32; N] {
        core::array::from_fn(|axis| self.axes[axis][at])
    }

    #[inline]
    pub(super) fn set(&mut self, at: usize, key: K, point: [f32; N]) {
        self.keys[at] = key;
        for (axis, coordinate) in self.axes.iter_mut().zip(point) {
            axis[at] = coordinate;
        }
    }

    /// The coordinates along an axis.
    #[inline]
    pub(super) fn along(&self, axis: usize) -> &Four {
        &self.axes[axis]
    }

    /// The squares of the distances from a center, rounded by less than a millionth if they are ordinary numbers: six
    /// roundings of 2⁻²⁴ each are less.
    #[inline]
    pub(super) fn distances(&self, center: [f32; N]) -> Four {
        distances(&self.axes, center)
    }
}

/// Cells that lie side by side along the last axis: their quads, `room` of them from `start` on, and how many
/// points are in them up to each column.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    pub(super) start: u32,
    pub(super) room: u32,
    pub(super) ends: [u32; COLUMNS],
}

impl Row {
    #[inline]
    pub(super) fn len(&self) -> u32 {
        self.ends[COLUMNS - 1]
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.len() as usize == self.room as usize * QUAD
    }

    /// Returns the number of quads that have points.
    #[inline]
    pub(super) fn used(&self) -> u32 {
        self.len().div_ceil(QUAD as u32)
    }

    /// Returns the number of quads that the row needs: the quads in use and half as many more, since it may have had
    /// room for many more once.
    #[inline]
    pub(super) fn needed(&self) -> u32 {
        self.room.min(self.used() + self.used() / 2 + 1)
    }

    /// Returns the index at which a column begins.
    #[inline]
    pub(super) fn first(&self, column: usize) -> u32 {
        if column == 0 { 0 } else { self.ends[column - 1] }
    }

    /// Returns the quad of an index, and the position in it.
    #[inline]
    pub(super) fn quad_at(&self, index: u32) -> (usize, usize) {
        (self.start as usize + index as usize / QUAD, index as usize % QUAD)
    }

    /// Returns the column of an index.
    #[inline]
    pub(super) fn column_of(&self, index: u32) -> usize {
        self.ends[..COLUMNS - 1].iter().map(|&end| usize::from(end <= index)).sum()
    }

    /// The quads that have points of these columns; others may be in them, too.
    #[inline]
    pub(super) fn quads(&self, [first, last]: [usize; 2]) -> Option<[u32; 2]> {
        let (from, to) = (self.first(first), self.ends[last]);
        let quad = QUAD as u32;
        (from < to).then(|| [self.start + from / quad, self.start + to.div_ceil(quad)])
    }
}

/// A tile. Without points, it is one of the list of free numbers, and the first row's `start` the next one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<const N: usize> {
    pub(super) tile: Tile<N>,
    pub(super) rows: [Row; ROWS],
}

impl<const N: usize> Head<N> {
    pub(super) fn is_free(&self) -> bool {
        self.rows.iter().all(|row| row.len() == 0)
    }
}

#[derive(Clone, Copy, Debug)]
struct TileEntry {
    hash: u32,
    /// [`FREE`] if there is none.
    number: u32,
}

/// A number that no tile has, which marks an empty entry.
pub(super) const FREE: u32 = u32::MAX;

/// The limit of adjacent entries in use. Tiles that were not chosen to exceed it, even 2²⁴ of them, have about 150.
const LONGEST: usize = 512;

#[derive(Clone, Debug)]
pub(super) struct TileTable {
    entries: Vec<TileEntry>,
    len: usize,
}

impl TileTable {
    /// The least number of entries of a table that has any.
    const LEAST: usize = 8;

    #[inline]
    pub(super) const fn new() -> Self {
        Self { entries: Vec::new(), len: 0 }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<TileEntry>()
    }

    /// The number of the tile with this hash that `is_it` says.
    #[inline]
    pub(super) fn find(&self, hash: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let last = self.entries.len().wrapping_sub(1);
        let mut at = hash as usize;
        loop {
            let entry = self.entries.get(at & last)?;
            if entry.number == FREE {
                return None;
            }
            if entry.hash == hash && is_it(entry.number) {
                return Some(entry.number);
            }
            at = (at & last) + 1;
        }
    }

    /// Makes room for an entry of this hash. On an error nothing visible has changed.
    #[inline]
    pub(super) fn make_room(&mut self, hash: u32) -> Result<(), TryReserveError> {
        if (self.len + 1) * 8 > self.entries.len() * 5 {
            self.grow((self.entries.len() * 2).max(Self::LEAST))?;
        }
        if self.run_with(hash) <= LONGEST { Ok(()) } else { Err(TryReserveError::HashesMeet) }
    }

    /// Counts the places in a row that would be taken if an entry of this hash came. There is room.
    #[inline]
    fn run_with(&self, hash: u32) -> usize {
        let (last, home) = (self.entries.len() - 1, hash as usize);
        let taken = |at: &usize| self.entries[*at & last].number != FREE;
        let before = (1..).map(|back| home.wrapping_sub(back)).take_while(taken).count();
        let until = (home..).take_while(taken).count();
        let behind = (home + until + 1..).take_while(taken).count();
        before + until + 1 + behind
    }

    /// Makes room for `entries` entries in all. On an error nothing has changed.
    #[inline]
    pub(super) fn try_reserve(&mut self, entries: usize) -> Result<(), TryReserveError> {
        let places = (entries * 8).div_ceil(5).next_power_of_two().max(Self::LEAST);
        if places > self.entries.len() { self.grow(places) } else { Ok(()) }
    }

    /// Has as few places as its entries need, if there is memory for them. (More of them are in a row than before, but
    /// not more than there may be where a table grows to this size.)
    #[inline]
    pub(super) fn shrink_to_fit(&mut self) {
        if self.len == 0 {
            *self = Self::new();
            return;
        }
        let places = (self.len * 8).div_ceil(5).next_power_of_two().max(Self::LEAST);
        if places < self.entries.len() {
            // If allocation fails, the larger table stays, and nothing is lost.
            let _ = self.grow(places);
        }
    }

    /// Moves all entries to a table of `places` places, a power of two. (No more adjacent places are taken than before:
    /// those of two entries whose hashes differ in one more bit are farther apart.)
    #[cold]
    #[inline]
    fn grow(&mut self, places: usize) -> Result<(), TryReserveError> {
        let mut entries = Vec::new();
        reserve_exact(&mut entries, places)?;
        entries.resize(places, TileEntry { hash: 0, number: FREE });
        let before = core::mem::replace(&mut self.entries, entries);
        before.into_iter().filter(|entry| entry.number != FREE).for_each(|entry| self.put(entry));
        Ok(())
    }

    /// There is room.
    #[inline]
    pub(super) fn insert(&mut self, hash: u32, number: u32) {
        self.put(TileEntry { hash, number });
        self.len += 1;
    }

    #[inline]
    fn put(&mut self, entry: TileEntry) {
        let last = self.entries.len() - 1;
        let mut at = entry.hash as usize & last;
        while self.entries[at].number != FREE {
            at = (at + 1) & last;
        }
        self.entries[at] = entry;
    }

    /// Returns the position of a tile's entry.
    #[inline]
    fn position(&self, hash: u32, number: u32) -> usize {
        let last = self.entries.len() - 1;
        let mut at = hash as usize & last;
        while self.entries[at].number != number {
            at = (at + 1) & last;
        }
        at
    }

    /// Gives a tile another number, which no other one has.
    #[inline]
    pub(super) fn renumber(&mut self, hash: u32, number: u32, to: u32) {
        let at = self.position(hash, number);
        self.entries[at].number = to;
    }

    /// Removes the entry of a tile, and moves back those that were past it for its sake.
    #[inline]
    pub(super) fn remove(&mut self, hash: u32, number: u32) {
        let last = self.entries.len() - 1;
        let mut gap = self.position(hash, number);
        let mut at = gap;
        loop {
            at = (at + 1) & last;
            let moved = self.entries[at];
            if moved.number == FREE {
                break;
            }
            // It may move if the gap is not before the place that its hash names.
            let home = moved.hash as usize;
            if at.wrapping_sub(home) & last >= at.wrapping_sub(gap) & last {
                self.entries[gap] = moved;
                gap = at;
            }
        }
        self.entries[gap].number = FREE;
        self.len -= 1;
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.entries.fill(TileEntry { hash: 0, number: FREE });
        self.len = 0;
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;

    fn hash_of<const N: usize>(numbers: [i32; N]) -> u32 {
        (Tile(numbers).hash() >> 32) as u32
    }

    /// Tiles whose hashes are the same, end in the same bits, or follow one another, as those of chosen points can: of
    /// those that come next some are refused, before each is compared with many.
    #[test]
    fn tiles_that_were_chosen_to_meet_are_refused() {
        let count: u32 = if cfg!(miri) { 600 } else { 20_000 };
        for hash in [|_: u32| 7, |number: u32| number << 20 | 7, |number: u32| number] {
            let (mut table, mut refused, compared) = (TileTable::new(), 0, Cell::new(0_u64));
            for number in 0..count {
                let is_it = |_| {
                    compared.set(compared.get() + 1);
                    false
                };
                assert_eq!(table.find(hash(number), is_it), None);
                match table.make_room(hash(number)) {
                    Ok(()) => table.insert(hash(number), number),
                    Err(reason) => {
                        assert_eq!(reason, TryReserveError::HashesMeet);
                        refused += 1;
                    }
                }
            }
            assert_eq!(table.len(), (count - refused) as usize);
            assert!(refused > 0 && compared.get() <= u64::from(count) * LONGEST as u64);
            let runs = table.entries.split(|entry| entry.number == FREE);
            assert!(runs.map(<[_]>::len).max() <= Some(LONGEST));
        }
    }

    /// Side by side, at regular distances, or wherever points happen to be.
    #[test]
    fn other_tiles_never_meet_so_often() {
        fn check<const N: usize>(what: &str, tiles: impl Iterator<Item = [i32; N]>) {
            let mut table = TileTable::new();
            for (number, tile) in (0..).zip(tiles) {
                let hash = hash_of(tile);
                assert_eq!(table.make_room(hash), Ok(()));
                assert!(table.run_with(hash) <= LONGEST / 2, "{what}: {number} of {tile:?}");
                table.insert(hash, number);
            }
        }

        let side = if cfg!(miri) { 16 } else { 256 };
        for distance in [1, 2, 3, 7, 64, 1_000, 4_096, 65_536] {
            let at = |number: i32| (number - side / 2) * distance;
            check("a square", (0..side * side).map(|n| [at(n % side), at(n / side)]));
            check("a line", (0..side * side).map(|n| [n.wrapping_mul(distance), 5]));
            check("a diagonal", (0..side * side).map(|n| [n.wrapping_mul(distance); 2]));
            let edge = if cfg!(miri) { 6 } else { 40 };
            let cube = (0..edge * edge * edge)
                .map(|n| [n % edge, n / edge % edge, n / edge / edge].map(|n| n * distance));
            check("a cube", cube);
        }
    }
}
