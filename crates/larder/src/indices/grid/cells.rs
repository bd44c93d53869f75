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

    /// In the order of these, each cell comes after the one before it along the last axis. (In space their bits do not
    /// suffice: rows that are far apart may be mixed.)
    #[inline]
    pub(super) fn rank(self) -> u64 {
        let bits = u64::BITS / N as u32;
        let least = 1 << (bits - 1);
        let part =
            |number: i32| u64::from(number as u32 ^ least) & (u64::MAX >> (u64::BITS - bits));
        self.0.into_iter().fold(0, |rank, number| rank << bits | part(number))
    }

    /// The squares of the least and of the largest distance that a point of this cell can have from a center; rounded so
    /// far apart that the cell's borders, the division that found the cell, and the squares are covered.
    #[inline]
    pub(super) fn distances(self, center: [f32; N], size: f32) -> [f64; 2] {
        let size = f64::from(size);
        let mut squares = [0.0; 2];
        for (number, center) in self.0.into_iter().zip(center) {
            let (low, center) = (f64::from(number) * size, f64::from(center));
            let margin = (low.abs() + size) * ROUNDING;
            let (below, above) = (low - center, center - (low + size));
            let [near, far] = if below > above { [below, above] } else { [above, below] };
            let (mut least, mut largest) = (near - margin, margin - far);
            if matches!(number, i32::MIN | i32::MAX) {
                // The outermost cells have all that lies farther out.
                (least, largest) = (0.0, f64::INFINITY);
            }
            let least = if least > 0.0 { least } else { 0.0 };
            squares[0] += least * least;
            squares[1] += largest * largest;
        }
        let [least, largest] = squares;
        [least * (1.0 - ROUNDING), largest * (1.0 + ROUNDING)]
    }
}

/// Of a coordinate; the division's is a quarter of it.
const ROUNDING: f64 = 1.0 / (1 << 22) as f64;

/// A center's cell, and the neighbours on its nearer side along each axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around<const N: usize> {
    own: Cell<N>,
    /// To the neighbour, and the square of the least distance to it.
    pub(super) steps: [i32; N],
    gaps: [f64; N],
    /// The square of a radius within which all points lie in these cells: nearly half a cell.
    pub(super) reach: f64,
}

impl<const N: usize> Around<N> {
    /// How many cells they are.
    pub(super) const COUNT: u32 = 1 << N;

    #[inline]
    pub(super) fn new(center: [f32; N], size: f32) -> Self {
        let own = Cell::of(center, size);
        let size = f64::from(size);
        let (mut steps, mut gaps, mut reach) = ([0; N], [0.0; N], size / 2.0);
        for axis in 0..N {
            let number = own.0[axis];
            let low = f64::from(number) * size;
            let margin = (low.abs() + size) * ROUNDING;
            let below = f64::from(center[axis]) - low;
            let above = size - below;
            let is_below = below < above;
            let gap = if is_below { below } else { above } - margin;
            steps[axis] = if is_below { -1 } else { 1 };
            gaps[axis] = if gap > 0.0 { gap * gap * (1.0 - ROUNDING) } else { 0.0 };
            let within = size / 2.0 - margin;
            // The outermost cells have no neighbours farther out, and borders only on one side.
            let is_last = matches!(number, i32::MIN | i32::MAX);
            let within = if is_last || within < 0.0 { 0.0 } else { within };
            reach = if within < reach { within } else { reach };
        }
        Self { own, steps, gaps, reach: reach * reach * (1.0 - ROUNDING) }
    }

    /// One of them, and the square of the least distance that a point in it can have. The first is the center's own; one
    /// with an odd number is beside the one before it along the last axis.
    #[inline]
    pub(super) fn cell(&self, which: u32) -> (Cell<N>, f64) {
        let (mut cell, mut least) = (self.own, 0.0);
        for axis in 0..N {
            if which >> (N - 1 - axis) & 1 != 0 {
                cell.0[axis] = cell.0[axis].wrapping_add(self.steps[axis]);
                least += self.gaps[axis];
            }
        }
        (cell, least)
    }
}

/// The number of the cell of a coordinate. Coordinates beyond all numbers are in the last cell.
#[inline]
fn number(coordinate: f32, size: f32) -> i32 {
    let quotient = coordinate / size;
    let towards_zero = quotient as i32;
    // `floor`, which needs the standard library.
    towards_zero.max(-i32::MAX) - i32::from(towards_zero as f32 > quotient)
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
            let size = coordinate.abs() + radius;
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
    pub(super) fn first(&self) -> Cell<N> {
        Cell(self.first)
    }

    /// Whether a cell is the first one along the last axis.
    #[inline]
    pub(super) fn begins_row(&self, Cell(numbers): Cell<N>) -> bool {
        numbers[N - 1] == self.first[N - 1]
    }

    /// The next cell; the first one after the last.
    #[inline]
    pub(super) fn after(&self, Cell(mut numbers): Cell<N>) -> Cell<N> {
        for axis in (0..N).rev() {
            if numbers[axis] < self.last[axis] {
                numbers[axis] += 1;
                break;
            }
            numbers[axis] = self.first[axis];
        }
        Cell(numbers)
    }
}
