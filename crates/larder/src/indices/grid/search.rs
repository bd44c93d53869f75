//! Walks over cells, and over the points in them that a test accepts.

use core::{iter::FusedIterator, slice};

use super::cells::{Block, Cell, distance_squared};
use super::points::{Head, Points, QUAD, Quad};
use crate::key::Key;

/// The cells of a block that have points, in no order.
#[derive(Clone)]
pub(super) struct Visit<'a, K: Key, const N: usize> {
    points: &'a Points<K, N>,
    block: Block<N>,
    way: Way<'a, N>,
}

#[derive(Clone)]
enum Way<'a, const N: usize> {
    /// Each cell of the block is looked up, from this one on.
    Lookup(Option<Cell<N>>),
    /// Each cell that has points is compared with the block.
    Walk(slice::Iter<'a, Head<N>>),
}

impl<'a, K: Key, const N: usize> Visit<'a, K, N> {
    #[inline]
    pub(super) fn new(points: &'a Points<K, N>, block: Block<N>) -> Self {
        // A lookup takes as long as some comparisons.
        let is_walk = block.count() > points.cell_count() as u64 / 2;
        let way =
            if is_walk { Way::Walk(points.cells().iter()) } else { Way::Lookup(block.first()) };
        Self { points, block, way }
    }
}

impl<'a, K: Key, const N: usize> Iterator for Visit<'a, K, N> {
    type Item = &'a Head<N>;

    #[inline]
    fn next(&mut self) -> Option<&'a Head<N>> {
        match &mut self.way {
            Way::Lookup(next) => loop {
                let cell = (*next)?;
                *next = self.block.after(cell);
                if let Some(head) = self.points.find(cell) {
                    return Some(head);
                }
            },
            Way::Walk(heads) => heads.find(|head| head.len > 0 && self.block.contains(head.cell)),
        }
    }
}

/// Whether the points of a cell are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cover {
    None,
    Some,
    All,
}

/// Which points are found.
pub(super) trait Test<const N: usize> {
    /// Which points of a cell of this size are accepted; `Some` if in doubt.
    fn cover(&self, cell: Cell<N>, size: f32) -> Cover;

    /// Which points of a quad are accepted, a bit for each: none that is not a number.
    fn accepted<K: Key>(&self, quad: &Quad<K, N>) -> u32;
}

/// A bit for each that is `true`.
#[inline(always)]
fn bits(of: impl Fn(usize) -> bool) -> u32 {
    (0..QUAD).fold(0, |bits, at| bits | u32::from(of(at)) << at)
}

/// Accepts everything.
#[derive(Clone, Copy, Debug)]
pub(super) struct All;

impl<const N: usize> Test<N> for All {
    #[inline]
    fn cover(&self, _: Cell<N>, _: f32) -> Cover {
        Cover::All
    }

    #[inline]
    fn accepted<K: Key>(&self, quad: &Quad<K, N>) -> u32 {
        bits(|at| !quad.along(0)[at].is_nan())
    }
}

/// Accepts what lies between two corners, sides included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boxed<const N: usize> {
    pub(super) min: [f32; N],
    pub(super) max: [f32; N],
    /// The cells in which that may lie.
    pub(super) block: Block<N>,
}

impl<const N: usize> Test<N> for Boxed<N> {
    #[inline]
    fn cover(&self, cell: Cell<N>, _: f32) -> Cover {
        if self.block.encloses(cell) { Cover::All } else { Cover::Some }
    }

    #[inline]
    fn accepted<K: Key>(&self, quad: &Quad<K, N>) -> u32 {
        (0..N).fold(!0, |accepted, axis| {
            let along = quad.along(axis);
            accepted
                & bits(|at| self.min[axis] <= along[at])
                & bits(|at| along[at] <= self.max[axis])
        })
    }
}

/// The squares of the distances of four points from a center, rounded by less than [`ROUNDING`] if they are ordinary
/// numbers.
#[inline(always)]
fn distances<K: Key, const N: usize>(quad: &Quad<K, N>, center: [f32; N]) -> [f32; QUAD] {
    let mut squares = [0.0; QUAD];
    for (axis, center) in center.into_iter().enumerate() {
        for (square, coordinate) in squares.iter_mut().zip(quad.along(axis)) {
            let apart = coordinate - center;
            *square += apart * apart;
        }
    }
    squares
}

/// By which part a squared distance in `f32` differs from the exact one: six roundings of 2⁻²⁴ each are less.
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
        let is_near = |at| distance_squared(quad.point(at), self.center) <= self.square;
        in_doubt & bits(is_near)
    }
}

impl<const N: usize> Test<N> for Ball<N> {
    #[inline]
    fn cover(&self, cell: Cell<N>, size: f32) -> Cover {
        let [least, largest] = cell.distances(self.center, size);
        if least > self.square {
            Cover::None
        } else if largest <= self.square {
            Cover::All
        } else {
            Cover::Some
        }
    }

    #[inline]
    fn accepted<K: Key>(&self, quad: &Quad<K, N>) -> u32 {
        let distances = distances(quad, self.center);
        let accepted = bits(|at| distances[at] <= self.surely);
        let in_doubt = bits(|at| distances[at] <= self.hardly) ^ accepted;
        if in_doubt == 0 { accepted } else { accepted | self.exactly(quad, in_doubt) }
    }
}

/// The keys and points of a block of cells that a test accepts.
#[derive(Clone)]
pub(super) struct Found<'a, K: Key, const N: usize, T> {
    cells: Visit<'a, K, N>,
    test: T,
    size: f32,
    /// Whether cells are tested as a whole first.
    is_large: bool,
    /// What is left of the cell: quads, and whether all is accepted.
    quads: slice::Iter<'a, Quad<K, N>>,
    is_covered: bool,
    /// What is left of a quad.
    quad: Option<&'a Quad<K, N>>,
    accepted: u32,
}

impl<'a, K: Key, const N: usize, T: Test<N>> Found<'a, K, N, T> {
    #[inline]
    pub(super) fn new(points: &'a Points<K, N>, block: Block<N>, test: T, size: f32) -> Self {
        Self {
            cells: Visit::new(points, block),
            test,
            size,
            is_large: block.is_large(),
            quads: [].iter(),
            is_covered: false,
            quad: None,
            accepted: 0,
        }
    }

    /// Which points of a quad are accepted.
    #[inline]
    fn accepted(&self, quad: &Quad<K, N>) -> u32 {
        if self.is_covered { All.accepted(quad) } else { self.test.accepted(quad) }
    }

    /// Goes on to the next cell.
    #[inline]
    fn next_cell(&mut self) -> Option<()> {
        loop {
            let head = self.cells.next()?;
            let cover =
                if self.is_large { self.test.cover(head.cell, self.size) } else { Cover::Some };
            if cover != Cover::None {
                self.is_covered = cover == Cover::All;
                self.quads = self.cells.points.quads(head).iter();
                return Some(());
            }
        }
    }
}

impl<K: Key, const N: usize, T: Test<N>> Iterator for Found<'_, K, N, T> {
    type Item = (K, [f32; N]);

    #[inline]
    fn next(&mut self) -> Option<(K, [f32; N])> {
        while self.accepted == 0 {
            match self.quads.next() {
                Some(quad) => (self.quad, self.accepted) = (Some(quad), self.accepted(quad)),
                None => self.next_cell()?,
            }
        }
        Some(first_of(self.quad?, &mut self.accepted))
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(mut self, init: B, mut f: F) -> B {
        let mut folded = init;
        if let Some(quad) = self.quad {
            while self.accepted != 0 {
                folded = f(folded, first_of(quad, &mut self.accepted));
            }
        }
        loop {
            for quad in self.quads.clone() {
                let mut accepted = self.accepted(quad);
                while accepted != 0 {
                    folded = f(folded, first_of(quad, &mut accepted));
                }
            }
            if self.next_cell().is_none() {
                return folded;
            }
        }
    }
}

impl<K: Key, const N: usize, T: Test<N>> FusedIterator for Found<'_, K, N, T> {}

/// Takes the first of the accepted points.
#[inline]
fn first_of<K: Key, const N: usize>(quad: &Quad<K, N>, accepted: &mut u32) -> (K, [f32; N]) {
    let at = accepted.trailing_zeros() as usize % QUAD;
    *accepted &= *accepted - 1;
    (quad.key(at), quad.point(at))
}

/// The nearest of the points that were searched.
pub(super) struct Nearest<K, const N: usize> {
    center: [f32; N],
    size: f32,
    found: Option<(K, [f32; N])>,
    /// The square of its distance; infinite if there is none.
    square: f64,
    /// No nearer point has a larger rounded distance.
    bound: f32,
}

impl<K: Key, const N: usize> Nearest<K, N> {
    #[inline]
    pub(super) fn new(center: [f32; N], size: f32) -> Self {
        Self { center, size, found: None, square: f64::INFINITY, bound: f32::INFINITY }
    }

    pub(super) fn found(self) -> Option<(K, [f32; N])> {
        self.found
    }

    /// The square of its distance, if there is one.
    pub(super) fn distance(&self) -> Option<f64> {
        self.found.is_some().then_some(self.square)
    }

    /// Whether a point of this cell may be as near.
    #[inline]
    pub(super) fn may_be_in(&self, cell: Cell<N>) -> bool {
        cell.distances(self.center, self.size)[0] <= self.square
    }

    /// Searches points, of the keys for which `is_meant` returns `true`.
    #[inline]
    pub(super) fn search(&mut self, quads: &[Quad<K, N>], is_meant: &mut impl FnMut(K) -> bool) {
        for quad in quads {
            let distances = distances(quad, self.center);
            let mut near = bits(|at| distances[at] <= self.bound);
            while near != 0 {
                let found = first_of(quad, &mut near);
                self.compare(found, is_meant);
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
            // (The smallest numbers are rounded by more than a part.)
            self.bound = (square * (1.0 + ROUNDING) + 1e-44) as f32;
        }
    }
}
