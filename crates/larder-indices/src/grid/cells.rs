//! Cells, and which of them a query has to read.
//!
//! **Invariant.** The number of a cell never falls while a coordinate rises ([`Cell::of`]). So whatever lies
//! between two coordinates lies in a cell between theirs, however the division was rounded, and a
//! query that looks into these cells and then at the points themselves is exact.

use crate::raw::simd::floors;

/// A cell, by its numbers along each axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell<const N: usize>(pub(super) [i32; N]);

impl<const N: usize> Cell<N> {
    /// The cell of a point. Coordinates beyond all numbers are in the last cell.
    #[inline]
    pub(super) fn of(point: [f32; N], size: f32) -> Self {
        let mut quotients = [0.0; 4];
        quotients.iter_mut().zip(point).for_each(|(to, coordinate)| *to = coordinate / size);
        let numbers = floors(quotients);
        Self(core::array::from_fn(|axis| numbers[axis]))
    }

    /// Returns the number of low bits of a cell's number that give its position within its tile along `axis`.
    const fn bits_within(axis: usize) -> u32 {
        if N == 2 || axis == N - 1 { Self::COLUMN_BITS } else { 1 }
    }

    const COLUMN_BITS: u32 = 2;

    #[inline]
    pub(super) fn tile(self) -> Tile<N> {
        Tile(core::array::from_fn(|axis| self.0[axis] >> Self::bits_within(axis)))
    }

    /// Returns the row of its tile in which it lies.
    #[inline]
    pub(super) fn row(self) -> usize {
        (0..N - 1).fold(0, |row, axis| {
            let bits = Self::bits_within(axis);
            row << bits | self.0[axis] as usize & ((1 << bits) - 1)
        })
    }

    /// Returns its column within its row.
    #[inline]
    pub(super) fn column(self) -> usize {
        self.0[N - 1] as usize & (COLUMNS - 1)
    }

    /// In the order of these, cells are tile by tile, and row by row in a tile. (In space their bits do not
    /// suffice: tiles that are far apart may be mixed.)
    #[inline]
    pub(super) fn rank(self) -> u64 {
        let bits = u64::BITS / N as u32;
        let part = |number: i32| {
            u64::from(number as u32 ^ 1 << (bits - 1)) & (u64::MAX >> (u64::BITS - bits))
        };
        let tile = (0..N).fold(0, |rank, axis| {
            let within = Self::bits_within(axis);
            rank << (bits - within) | part(self.0[axis]) >> within
        });
        (tile * ROWS as u64 + self.row() as u64) * COLUMNS as u64 + self.column() as u64
    }

    /// The square of the least distance that a point in the row of this cell can have from a center along all
    /// axes but the last; rounded down so far that the row's borders, the division that found the cell, and
    /// the squares are covered.
    #[inline]
    fn least_across(self, center: [f32; N], size: f32) -> f64 {
        let size = f64::from(size);
        let along = |axis: usize| {
            let (number, center) = (self.0[axis], f64::from(center[axis]));
            let low = f64::from(number) * size;
            let (below, above) = (low - center, center - (low + size));
            let least = if below > above { below } else { above } - (low.abs() + size) * ROUNDING;
            // The outermost cells have all that lies farther out.
            let is_apart = least > 0.0 && !matches!(number, i32::MIN | i32::MAX);
            if is_apart { least * least } else { 0.0 }
        };
        (0..N - 1).map(along).sum::<f64>() * (1.0 - ROUNDING)
    }

    /// Returns the first and the last number along the last axis of the cells in this cell's row in which points may
    /// lie whose squared distance from a center is at most `square`; `None` if there are none. (It is out of line,
    /// since small queries do not ask for it, and would compute what it needs.)
    #[inline(never)]
    pub(super) fn columns_within(
        self,
        center: [f32; N],
        square: f64,
        size: f32,
    ) -> Option<[i32; 2]> {
        let across = self.least_across(center, size);
        let is_near = across <= square;
        is_near.then(|| Cell::of(ends(center[N - 1], root(square - across)), size).0)
    }
}

/// The number of cells in a row of a tile, along the last axis.
pub(super) const COLUMNS: usize = 4;

/// The number of rows in a tile: four in the plane, two by two in space.
pub(super) const ROWS: usize = 4;

/// Cells that are looked up together, by the numbers of the tile along each axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tile<const N: usize>(pub(super) [i32; N]);

impl<const N: usize> Tile<N> {
    /// Spreads the numbers over 64 bits, so that neighbours, and tiles whose numbers are only exchanged, have
    /// nothing in common. (A secret would not help, since chosen points can all lie in one cell. Tiles that were chosen
    /// to meet are refused by their [table](super::tiles).)
    #[inline]
    pub(super) fn hash(self) -> u64 {
        // The constant is that of MurmurHash2.
        const M: u64 = 0xc6a4_a793_5bd1_e995;
        let step = |hash: u64, number: i32| {
            let mixed = (hash ^ u64::from(number as u32)).wrapping_mul(M);
            mixed ^ (mixed >> 32)
        };
        self.0.into_iter().fold(M, step).wrapping_mul(M)
    }

    /// The first cell of a row.
    #[inline]
    pub(super) fn first_of(self, row: usize) -> Cell<N> {
        let (mut numbers, mut row) = (self.0, row);
        numbers[N - 1] <<= Cell::<N>::COLUMN_BITS;
        for axis in (0..N - 1).rev() {
            let bits = Cell::<N>::bits_within(axis);
            numbers[axis] = numbers[axis] << bits | (row & ((1 << bits) - 1)) as i32;
            row >>= bits;
        }
        Cell(numbers)
    }

    /// Its columns from one number along the last axis to another, if there are any.
    #[inline]
    pub(super) fn columns(self, [first, last]: [i32; 2]) -> Option<[usize; 2]> {
        let Cell(base) = self.first_of(0);
        let base = base[N - 1];
        let (first, last) = (first.max(base), last.min(base + (COLUMNS as i32 - 1)));
        (first <= last).then(|| [first, last].map(|number| number as usize & (COLUMNS - 1)))
    }
}

/// The relative rounding error of a coordinate; that of the division is a quarter of it.
const ROUNDING: f64 = 1.0 / (1 << 22) as f64;

/// A center's cell, and the neighbours on its nearer side along each axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around<const N: usize> {
    own: Cell<N>,
    /// The step to the neighbour, and the square of the least distance to it.
    steps: [i32; N],
    gaps: [f64; N],
    /// The square of a radius within which all points lie in these cells: nearly half a cell.
    pub(super) reach: f64,
}

impl<const N: usize> Around<N> {
    /// The number of these cells.
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

    /// One of them, and the square of the least distance that a point in it can have. The first is the
    /// center's own; one with an odd number is beside the one before it along the last axis.
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

/// From corner to corner, both included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<const N: usize> {
    pub(super) min: [f32; N],
    pub(super) max: [f32; N],
}

impl<const N: usize> Bounds<N> {
    /// Bounds of all points that are not farther from the center than `radius` by [`distance_squared`].
    #[inline]
    pub(super) fn around(center: [f32; N], radius: f64) -> Self {
        let ends = center.map(|coordinate| ends(coordinate, radius));
        Self { min: ends.map(|[min, _]| min), max: ends.map(|[_, max]| max) }
    }
}

/// Between which coordinates all others lie whose distance is at most `radius`. The margin is larger than all
/// rounding, of the distance and of the ends.
#[inline]
fn ends(coordinate: f32, radius: f64) -> [f32; 2] {
    let coordinate = f64::from(coordinate);
    let size = coordinate.abs() + radius;
    let reach = radius + size * f64::from(f32::EPSILON) + f64::from(f32::MIN_POSITIVE);
    [(coordinate - reach) as f32, (coordinate + reach) as f32]
}

/// Not less than the square root of a number that is not negative, and hardly more. (`sqrt` needs the
/// standard library.)
pub(super) fn root(square: f64) -> f64 {
    // With half the exponent one is at most 6 % off, and after Newton's step at most 0.2 % above.
    let guess = f64::from_bits((square.to_bits() + 1.0_f64.to_bits()) / 2);
    (guess + square / guess) / 2.0 * (1.0 + 4.0 * f64::EPSILON)
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

    /// Returns whether the block has more than two cells along an axis, so that some are far from its corners or its
    /// center.
    #[inline]
    pub(super) fn is_large(&self) -> bool {
        (0..N).any(|axis| i64::from(self.last[axis]) - i64::from(self.first[axis]) > 1)
    }

    /// Its tiles, of which some cells may be outside.
    #[inline]
    pub(super) fn tiles(&self) -> Tiles<N> {
        Tiles { first: Cell(self.first).tile(), last: Cell(self.last).tile() }
    }

    /// Returns its first and its last number along the last axis.
    #[inline]
    pub(super) fn columns(&self) -> [i32; 2] {
        [self.first[N - 1], self.last[N - 1]]
    }

    /// The rows of one of its tiles that are in it, or would be with other columns: a bit for each.
    #[inline]
    pub(super) fn rows(&self, Tile(tile): Tile<N>) -> u32 {
        (0..N - 1).fold(1, |rows, axis| {
            let bits = Cell::<N>::bits_within(axis);
            let low = tile[axis] << bits;
            let high = low + ((1 << bits) - 1);
            let (first, last) = (self.first[axis].max(low) - low, self.last[axis].min(high) - low);
            let numbers = (2_u32 << last) - (1 << first);
            (0..ROWS >> bits)
                .fold(0, |all, row| all | ((rows >> row & 1) * numbers) << (row << bits))
        })
    }
}

/// The tiles from one to another, along each axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiles<const N: usize> {
    /// The tile at which a walk begins, the last axis first; [`after`](Self::after) gives the next one.
    pub(super) first: Tile<N>,
    last: Tile<N>,
}

impl<const N: usize> Tiles<N> {
    /// Returns the number of tiles, or `u64::MAX` if there are more.
    #[inline]
    pub(super) fn count(&self) -> u64 {
        let along = |axis: usize| i64::from(self.last.0[axis]) - i64::from(self.first.0[axis]) + 1;
        (0..N).map(|axis| along(axis).max(0) as u64).fold(1, u64::saturating_mul)
    }

    #[inline]
    pub(super) fn contains(&self, Tile(numbers): Tile<N>) -> bool {
        (0..N).all(|axis| (self.first.0[axis]..=self.last.0[axis]).contains(&numbers[axis]))
    }

    /// The next tile; the first one after the last.
    #[inline]
    pub(super) fn after(&self, Tile(mut numbers): Tile<N>) -> Tile<N> {
        for axis in (0..N).rev() {
            if numbers[axis] < self.last.0[axis] {
                numbers[axis] += 1;
                break;
            }
            numbers[axis] = self.first.0[axis];
        }
        Tile(numbers)
    }
}
