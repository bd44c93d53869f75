//! Walks over rows of cells, and over the points in them that a test accepts.

use core::iter::FusedIterator;

use super::cells::{Block, Cell, Tile, Tiles, distance_squared};
use super::points::Points;
use super::tiles::{Head, QUAD, Quad};
use crate::raw::simd::{at_most, fetch, least};
use larder_core::key::Key;

/// The quads of the rows of a block that have points, in no order.
#[derive(Clone)]
pub(super) struct Visit<'a, K: Key, const N: usize> {
    points: &'a Points<K, N>,
    block: Block<N>,
    /// Each tile of the block is looked up, from this one on; or each one that has points is compared with the block.
    /// `left` of them have not been visited.
    tiles: Tiles<N>,
    next: Tile<N>,
    left: usize,
    is_walk: bool,
    /// The tile found last, and which of its rows are still to be visited.
    head: Option<&'a Head<N>>,
    rows: u32,
}

impl<'a, K: Key, const N: usize> Visit<'a, K, N> {
    #[inline]
    pub(super) fn new(points: &'a Points<K, N>, block: Block<N>) -> Self {
        let tiles = block.tiles();
        let count = tiles.count();
        // A lookup takes as long as some comparisons.
        let is_walk = count > points.tile_count() as u64 / 2;
        let left = if is_walk { points.tiles().len() } else { count as usize };
        Self { points, block, tiles, next: tiles.first, left, is_walk, head: None, rows: 0 }
    }

    /// Returns whether everything has been visited.
    #[inline]
    fn is_over(&self) -> bool {
        self.left == 0 && self.rows == 0
    }

    /// Goes on to the next row, of which `columns` says from which number to which it is meant.
    #[inline]
    pub(super) fn next(
        &mut self,
        mut columns: impl FnMut(Cell<N>, &Block<N>) -> Option<[i32; 2]>,
    ) -> Option<[u32; 2]> {
        loop {
            while self.rows == 0 {
                self.left = self.left.checked_sub(1)?;
                self.head = if self.is_walk {
                    let head = &self.points.tiles()[self.left];
                    self.tiles.contains(head.tile).then_some(head)
                } else {
                    let tile = self.next;
                    self.next = self.tiles.after(tile);
                    self.points.find(tile)
                };
                self.rows = self.head.map_or(0, |head| self.block.rows(head.tile));
            }
            let row = self.rows.trailing_zeros() as usize;
            self.rows &= self.rows - 1;
            let found = self.head.and_then(|head| {
                let columns = columns(head.tile.first_of(row), &self.block)?;
                head.rows[row].quads(head.tile.columns(columns)?)
            });
            if found.is_some() {
                return found;
            }
        }
    }
}

/// A test that points have to pass to be found.
pub(super) trait Test<const N: usize>: Copy {
    /// Returns the first and the last number along the last axis of the cells in a cell's row that may have points that
    /// are accepted, at most those of a block; `None` if none do.
    #[inline]
    fn columns(&self, _row: Cell<N>, block: &Block<N>, _size: f32) -> Option<[i32; 2]> {
        Some(block.columns())
    }

    /// Returns a bit for each point of a quad, set if the point is accepted. A point that is NaN never is.
    fn accepted<K: Key>(&self, quad: &Quad<K, N>) -> u32;
}

/// Accepts everything.
#[derive(Clone, Copy, Debug)]
pub(super) struct All;

impl<const N: usize> Test<N> for All {
    #[inline]
    fn accepted<K: Key>(&self, quad: &Quad<K, N>) -> u32 {
        at_most(*quad.along(0), [f32::INFINITY; QUAD])
    }
}

/// Accepts what lies between two corners, sides included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boxed<const N: usize> {
    pub(super) min: [f32; N],
    pub(super) max: [f32; N],
}

impl<const N: usize> Test<N> for Boxed<N> {
    #[inline]
    fn accepted<K: Key>(&self, quad: &Quad<K, N>) -> u32 {
        (0..N).fold(!0, |accepted, axis| {
            let along = *quad.along(axis);
            let is_above = at_most([self.min[axis]; QUAD], along);
            accepted & is_above & at_most(along, [self.max[axis]; QUAD])
        })
    }
}

/// The relative error of a squared distance in `f32`: see [`Quad::distances`].
const ROUNDING: f64 = 1e-6;

/// Accepts what is not farther from a center than a radius.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ball<const N: usize> {
    center: [f32; N],
    /// The square of the radius.
    square: f64,
    /// A rounded distance up to this is less than the radius; one above that is more. Between them, exact distances are
    /// compared.
    surely: f32,
    hardly: f32,
}

impl<const N: usize> Ball<N> {
    #[inline]
    pub(super) fn new(center: [f32; N], radius: f64) -> Self {
        let square = radius * radius;
        // Other squares are not ordinary numbers.
        let (surely, hardly) = if (1e-30..1e37).contains(&square) {
            ((square * (1.0 - ROUNDING)) as f32, (square * (1.0 + ROUNDING)) as f32)
        } else {
            (-1.0, f32::INFINITY)
        };
        Self { center, square, surely, hardly }
    }

    #[cold]
    #[inline(never)]
    fn exactly<K: Key>(&self, quad: &Quad<K, N>, in_doubt: u32) -> u32 {
        let is_near = |&at: &usize| distance_squared(quad.point(at), self.center) <= self.square;
        in_doubt & (0..QUAD).filter(is_near).fold(0, |near, at| near | 1 << at)
    }
}

impl<const N: usize> Test<N> for Ball<N> {
    /// (The corners of a small block are hardly farther away than the radius.)
    #[inline]
    fn columns(&self, row: Cell<N>, block: &Block<N>, size: f32) -> Option<[i32; 2]> {
        if block.is_large() {
            row.columns_within(self.center, self.square, size)
        } else {
            Some(block.columns())
        }
    }

    #[inline]
    fn accepted<K: Key>(&self, quad: &Quad<K, N>) -> u32 {
        let distances = quad.distances(self.center);
        let accepted = at_most(distances, [self.surely; QUAD]);
        let in_doubt = at_most(distances, [self.hardly; QUAD]) ^ accepted;
        if in_doubt == 0 { accepted } else { accepted | self.exactly(quad, in_doubt) }
    }
}

/// The number of hits that are gathered at once.
const HITS: usize = 32;

/// For each four bits the numbers of those that are set, first of all four.
const ORDER: [[u32; QUAD]; 1 << QUAD] = {
    let mut order = [[0; QUAD]; 1 << QUAD];
    let mut bits = 0;
    while bits < order.len() {
        let (mut at, mut count) = (0, 0);
        while at < QUAD {
            if bits >> at & 1 != 0 {
                order[bits][count] = at as u32;
                count += 1;
            }
            at += 1;
        }
        bits += 1;
    }
    order
};

/// The number of bits that are set in each number of four bits. (Not every x86-64 processor has an instruction for it.)
const ONES: [u8; 1 << QUAD] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

/// The number of rows that are looked up at once.
const LOOKED_UP: usize = 8;

/// The keys and points of a block of cells that a test accepts.
///
/// Some rows are looked up, and their first points fetched, before points are read: so the processor waits for all of
/// them at the same time. Hits are gathered without branches, which would be mispredicted, and then returned one by
/// one.
#[derive(Clone)]
pub(super) struct Found<'a, K: Key, const N: usize, T> {
    rows: Visit<'a, K, N>,
    test: T,
    size: f32,
    /// The quads of rows that were looked up, from `row` to `found_end`, and not read yet.
    row: usize,
    found_end: usize,
    found: [[u32; 2]; LOOKED_UP],
    /// The positions of accepted points, from `hit` to `hits_end`.
    hit: usize,
    hits_end: usize,
    hits: [u32; HITS],
}

impl<'a, K: Key, const N: usize, T: Test<N>> Found<'a, K, N, T> {
    #[inline]
    pub(super) fn new(points: &'a Points<K, N>, block: Block<N>, test: T, size: f32) -> Self {
        Self {
            rows: Visit::new(points, block),
            test,
            size,
            row: 0,
            found_end: 0,
            found: [[0; 2]; LOOKED_UP],
            hit: 0,
            hits_end: 0,
            hits: [0; HITS],
        }
    }

    /// Gathers some hits; returns whether there are any.
    #[inline]
    fn gather(&mut self) -> bool {
        // (Before the test is copied: each query comes here once more when all is found.)
        if self.row == self.found_end && self.rows.is_over() {
            return false;
        }
        let (test, mut end) = (self.test, 0);
        while end <= HITS - QUAD
            && (self.row < self.found_end || !self.rows.is_over() && self.look_up())
        {
            let [mut at, quads_end] = self.found[self.row];
            for quad in self.rows.points.quads([at, quads_end]) {
                let Some(room) = self.hits.get_mut(end..end + QUAD) else { break };
                let accepted = test.accepted(quad) as usize;
                room.copy_from_slice(&ORDER[accepted].map(|order| at * QUAD as u32 + order));
                end += usize::from(ONES[accepted]);
                at += 1;
            }
            self.found[self.row][0] = at;
            self.row += usize::from(at == quads_end);
        }
        (self.hit, self.hits_end) = (0, end);
        end > 0
    }

    /// Looks up some rows; returns whether there are any.
    #[inline]
    fn look_up(&mut self) -> bool {
        (self.row, self.found_end) = (0, 0);
        while self.found_end < LOOKED_UP {
            let columns = |row, block: &_| self.test.columns(row, block, self.size);
            let Some(quads) = self.rows.next(columns) else { break };
            // (The processor sees by itself that others follow.)
            fetch(&self.rows.points.quads(quads)[0]);
            self.found[self.found_end] = quads;
            self.found_end += 1;
        }
        self.found_end > 0
    }
}

impl<K: Key, const N: usize, T: Test<N>> Iterator for Found<'_, K, N, T> {
    type Item = (K, [f32; N]);

    #[inline]
    fn next(&mut self) -> Option<(K, [f32; N])> {
        if self.hit == self.hits_end && !self.gather() {
            return None;
        }
        let hit = self.hits[self.hit];
        self.hit += 1;
        Some(self.rows.points.at_hit(hit))
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(mut self, init: B, mut f: F) -> B {
        let mut folded = init;
        loop {
            for &hit in &self.hits[self.hit..self.hits_end] {
                folded = f(folded, self.rows.points.at_hit(hit));
            }
            if !self.gather() {
                return folded;
            }
        }
    }
}

impl<K: Key, const N: usize, T: Test<N>> FusedIterator for Found<'_, K, N, T> {}

/// The nearest of the points that were searched.
pub(super) struct Nearest<K, const N: usize> {
    center: [f32; N],
    found: Option<(K, [f32; N])>,
    /// The square of its distance; infinite if there is none.
    square: f64,
    /// No nearer point has a larger rounded distance.
    bound: f32,
}

impl<K: Key, const N: usize> Nearest<K, N> {
    #[inline]
    pub(super) fn new(center: [f32; N]) -> Self {
        Self { center, found: None, square: f64::INFINITY, bound: f32::INFINITY }
    }

    pub(super) fn found(self) -> Option<(K, [f32; N])> {
        self.found
    }

    /// The square of its distance; infinite if there is none.
    #[inline]
    pub(super) fn square(&self) -> f64 {
        self.square
    }

    /// The square of its distance, if there is one.
    pub(super) fn distance(&self) -> Option<f64> {
        self.found.is_some().then_some(self.square)
    }

    /// Searches points, of the keys for which `is_meant` returns `true`; `ALL` says that it always does.
    #[inline]
    pub(super) fn search<const ALL: bool>(
        &mut self,
        quads: &[Quad<K, N>],
        is_meant: &mut impl FnMut(K) -> bool,
    ) {
        if ALL {
            // Without branches, so that hardly any point is compared below.
            let nearest = quads.iter().fold([f32::INFINITY; QUAD], |nearest, quad| {
                least(quad.distances(self.center), nearest)
            });
            let [a, b, c, d] = nearest;
            let nearest = lesser(lesser(a, b), lesser(c, d));
            if nearest > self.bound {
                return;
            }
            self.bound = lesser(self.bound, bound(f64::from(nearest)));
        }
        for quad in quads {
            let near = at_most(quad.distances(self.center), [self.bound; QUAD]);
            for &at in &ORDER[near as usize][..usize::from(ONES[near as usize])] {
                self.compare(quad.entry(at as usize), is_meant);
            }
        }
    }

    #[inline]
    fn compare(&mut self, (key, point): (K, [f32; N]), is_meant: &mut impl FnMut(K) -> bool) {
        let square = distance_squared(point, self.center);
        let is_first = |(other, _): (K, _)| square < self.square || key < other;
        if square <= self.square && self.found.is_none_or(is_first) && is_meant(key) {
            self.found = Some((key, point));
            self.square = square;
            self.bound = bound(square);
        }
    }
}

/// (`f32::min` also looks for what is not a number.)
#[inline]
fn lesser(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// Up to which rounded distance a point may be as near as one with this rounded or exact distance. (The smallest
/// numbers are rounded by more than a part.)
#[inline]
fn bound(square: f64) -> f32 {
    (square * (1.0 + 2.0 * ROUNDING) + 1e-44) as f32
}
