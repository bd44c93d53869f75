//! Cells, and which of them a query has to read.
//!
//! **Invariant.** The number of a cell never falls while a coordinate rises ([`number`]). So whatever lies
//! between two coordinates lies in a cell between theirs, however the division was rounded, and a
//! query that looks into these cells and then at the points themselves is exact.

use core::hash::{BuildHasher, Hash, Hasher};

/// A cell, by its numbers along each axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell<const N: usize>(pub(super) [i32; N]);

impl<const N: usize> Cell<N> {
    pub(super) fn of(point: [f32; N], size: f32) -> Self {
        Self(point.map(|coordinate| number(coordinate, size)))
    }
}

/// The number of the cell of a coordinate. Coordinates beyond all numbers are in the last cell.
fn number(coordinate: f32, size: f32) -> i32 {
    let quotient = coordinate / size;
    let towards_zero = quotient as i32;
    // `floor`, which needs the standard library.
    if towards_zero as f32 > quotient { towards_zero.saturating_sub(1) } else { towards_zero }
}

impl<const N: usize> Hash for Cell<N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(mix(self.0));
    }
}

/// Spreads the numbers of a cell over 64 bits, so that neighbours, and cells whose numbers are only
/// exchanged, have nothing in common. (The steps and constants are those of MurmurHash2.)
fn mix<const N: usize>(numbers: [i32; N]) -> u64 {
    const M: u64 = 0xc6a4_a793_5bd1_e995;
    let folded = |bits: u64| bits ^ (bits >> 47);
    let step = |hash: u64, number: i32| {
        let spread = folded((number as u32 as u64).wrapping_mul(M)).wrapping_mul(M);
        (hash ^ spread).wrapping_mul(M)
    };
    folded(folded(numbers.into_iter().fold(0, step)).wrapping_mul(M))
}

/// Takes the hash of a [`Cell`] as it is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mixed(u64);

impl BuildHasher for Mixed {
    type Hasher = Self;

    fn build_hasher(&self) -> Self {
        *self
    }
}

impl Hasher for Mixed {
    fn write(&mut self, _: &[u8]) {
        unreachable!("a cell is hashed as one number")
    }

    fn write_u64(&mut self, mixed: u64) {
        self.0 = mixed;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// From corner to corner, both included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<const N: usize> {
    pub(super) min: [f32; N],
    pub(super) max: [f32; N],
}

impl<const N: usize> Bounds<N> {
    /// Bounds of all points that are not farther from the center than `radius` by [`distance_squared`]. The margin is
    /// larger than all rounding, of the distance and of the corners.
    pub(super) fn around(center: [f32; N], radius: f64) -> Self {
        let reach = center.map(|coordinate| {
            let coordinate = f64::from(coordinate);
            let size = coordinate.max(-coordinate) + radius;
            let margin = size * f64::from(f32::EPSILON) + f64::from(f32::MIN_POSITIVE);
            (coordinate, radius + margin)
        });
        Self {
            min: reach.map(|(coordinate, reach)| (coordinate - reach) as f32),
            max: reach.map(|(coordinate, reach)| (coordinate + reach) as f32),
        }
    }

    pub(super) fn contains(&self, point: [f32; N]) -> bool {
        (0..N).all(|axis| (self.min[axis]..=self.max[axis]).contains(&point[axis]))
    }
}

/// Between two points. Neither overflows nor vanishes: squares of `f32` are far from the ends of `f64`.
pub(super) fn distance_squared<const N: usize>(a: [f32; N], b: [f32; N]) -> f64 {
    let along = |axis: usize| f64::from(a[axis]) - f64::from(b[axis]);
    (0..N).map(|axis| along(axis) * along(axis)).sum()
}

/// The cells from one to another, along each axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<const N: usize> {
    first: [i32; N],
    last: [i32; N],
}

impl<const N: usize> Block<N> {
    /// The cells in which points of the bounds may lie.
    pub(super) fn of(bounds: &Bounds<N>, size: f32) -> Self {
        Self { first: Cell::of(bounds.min, size).0, last: Cell::of(bounds.max, size).0 }
    }

    /// How many cells it has, or `u64::MAX` if they are more.
    pub(super) fn count(&self) -> u64 {
        let along = |axis: usize| i64::from(self.last[axis]) - i64::from(self.first[axis]) + 1;
        (0..N).map(|axis| along(axis).max(0) as u64).fold(1, u64::saturating_mul)
    }

    /// Each cell, the last axis first.
    pub(super) fn cells(self) -> impl Iterator<Item = Cell<N>> {
        let start = (self.count() > 0).then_some(Cell(self.first));
        core::iter::successors(start, move |&cell| self.after(cell))
    }

    fn after(&self, Cell(mut numbers): Cell<N>) -> Option<Cell<N>> {
        for axis in (0..N).rev() {
            if numbers[axis] < self.last[axis] {
                numbers[axis] += 1;
                return Some(Cell(numbers));
            }
            numbers[axis] = self.first[axis];
        }
        None
    }
}
