//! Cells, and which of them a query has to read.
//!
//! **Invariant.** The number of a cell never falls while a coordinate rises ([`number`]). So whatever lies
//! between two coordinates lies in a cell between theirs, however the division was rounded, and a
//! query that looks into these cells and then at the points themselves is exact.

/// A cell, by its numbers along each axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell<const N: usize>(pub(super) [i32; N]);

impl<const N: usize> Cell<N> {
    #[inline]
    pub(super) fn of(point: [f32; N], size: f32) -> Self {
        Self(point.map(|coordinate| number(coordinate, size)))
    }

    /// Spreads the numbers over 64 bits, so that neighbours, and cells whose numbers are only exchanged, have nothing in
    /// common. (A secret would not help, since chosen points can all lie in one cell.)
    #[inline]
    pub(crate) fn hash(self) -> u64 {
        // The constant is that of MurmurHash2.
        const M: u64 = 0xc6a4_a793_5bd1_e995;
        let step = |hash: u64, number: i32| {
            let mixed = (hash ^ u64::from(number as u32)).wrapping_mul(M);
            mixed ^ (mixed >> 32)
        };
        self.0.into_iter().fold(M, step).wrapping_mul(M)
    }

    /// The squares of the least and of the largest distance that a point of this cell can have from a center; rounded so
    /// far apart that the cell's borders, the division that found the cell, and the squares are covered.
    #[inline]
    pub(super) fn distances(self, center: [f32; N], size: f32) -> [f64; 2] {
        /// Of a coordinate; the division's is a quarter of it.
        const ROUNDING: f64 = 1.0 / (1 << 22) as f64;
        let size = f64::from(size);
        let mut squares = [0.0; 2];
        for (number, center) in self.0.into_iter().zip(center) {
            let (low, center) = (f64::from(number) * size, f64::from(center));
            let high = low + size;
            let margin = f64::max(-low, high) * ROUNDING;
            // The outermost cells have all that lies farther out.
            let low = if number == i32::MIN { f64::NEG_INFINITY } else { low };
            let high = if number == i32::MAX { f64::INFINITY } else { high };
            let least = f64::max(f64::max(low - center, center - high) - margin, 0.0);
            let largest = f64::max(high - center, center - low) + margin;
            squares[0] += least * least;
            squares[1] += largest * largest;
        }
        let [least, largest] = squares;
        [least * (1.0 - ROUNDING), largest * (1.0 + ROUNDING)]
    }
}

/// The number of the cell of a coordinate. Coordinates beyond all numbers are in the last cell.
#[inline]
fn number(coordinate: f32, size: f32) -> i32 {
    let quotient = coordinate / size;
    let towards_zero = quotient as i32;
    // `floor`, which needs the standard library.
    towards_zero.saturating_sub(i32::from(towards_zero as f32 > quotient))
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
    #[inline]
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
}

/// Between two points. Neither overflows nor vanishes: squares of `f32` are far from the ends of `f64`.
#[inline]
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
    /// All cells.
    pub(super) const ALL: Self = Self { first: [i32::MIN; N], last: [i32::MAX; N] };

    /// The cells in which points of the bounds may lie.
    #[inline]
    pub(super) fn of(bounds: &Bounds<N>, size: f32) -> Self {
        Self { first: Cell::of(bounds.min, size).0, last: Cell::of(bounds.max, size).0 }
    }

    /// How many cells it has, or `u64::MAX` if they are more.
    #[inline]
    pub(super) fn count(&self) -> u64 {
        (0..N).map(|axis| self.along(axis)).fold(1, u64::saturating_mul)
    }

    /// How many cells it has along an axis.
    #[inline]
    fn along(&self, axis: usize) -> u64 {
        (i64::from(self.last[axis]) - i64::from(self.first[axis]) + 1).max(0) as u64
    }

    /// Whether it has more than two cells along an axis: then some are far from its corners, or from its center.
    #[inline]
    pub(super) fn is_large(&self) -> bool {
        (0..N).any(|axis| self.along(axis) > 2)
    }

    #[inline]
    pub(super) fn contains(&self, Cell(numbers): Cell<N>) -> bool {
        (0..N).all(|axis| (self.first[axis]..=self.last[axis]).contains(&numbers[axis]))
    }

    /// Whether a cell is in it, and not one of the first or last along any axis: then its points lie between the corners.
    #[inline]
    pub(super) fn encloses(&self, Cell(numbers): Cell<N>) -> bool {
        (0..N).all(|axis| self.first[axis] < numbers[axis] && numbers[axis] < self.last[axis])
    }

    /// Where a walk over the cells begins, the last axis first; [`after`](Self::after) goes on.
    #[inline]
    pub(super) fn first(&self) -> Option<Cell<N>> {
        (self.count() > 0).then_some(Cell(self.first))
    }

    #[inline]
    pub(super) fn after(&self, Cell(mut numbers): Cell<N>) -> Option<Cell<N>> {
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
