//! Queries: cells first, then the points in them, four at a time.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::cells::{Around, Block, Bounds, distance_squared};
use super::points::Head;
use super::search::{All, Ball, Boxed, Found, Nearest, Test, Visit};
use super::table::FREE;
use super::{GridIndex, birds};
use crate::indices::error::IndexError;
use crate::key::Key;
use crate::scratch::fill;

/// Queries. Only [`nearest_many`](Self::nearest_many) allocates.
impl<K: Key, const N: usize> GridIndex<K, N> {
    /// The keys, and their points, within `radius` of a point, in no order. O(cells covered + points in them), O(keys)
    /// at most.
    ///
    /// # Errors
    /// If the center is not finite, or the radius is negative or not a number. (It may be infinite.)
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert!(near.within([4.0, 1.0], 3.0)?.eq([(wren, [1.0, 1.0])])); // at a distance of 3
    /// assert_eq!(near.within([0.0, 0.0], f32::INFINITY)?.count(), 3);
    /// assert!(near.within([f32::NAN, 0.0], 7.0).is_err());
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[doc(alias("radius", "range query", "circle", "sphere"))]
    #[inline]
    pub fn within(
        &self,
        center: [f32; N],
        radius: f32,
    ) -> Result<impl Iterator<Item = (K, [f32; N])>, IndexError<K>> {
        check_center(center)?;
        if radius.is_nan() || radius < 0.0 {
            return Err(IndexError::BadRadius);
        }
        let radius = f64::from(radius);
        let block = Block::of(&Bounds::around(center, radius), self.cell_size);
        Ok(self.found(block, Ball::new(center, radius)))
    }

    /// The keys, and their points, in a box from corner to corner, sides included, in no order: none if a minimum is
    /// above its maximum. O(cells covered + points in them), O(keys) at most.
    ///
    /// # Errors
    /// If a coordinate is not a number. (It may be infinite.)
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert!(near.in_box([4.0, 0.0], [9.0, 5.0])?.eq([(robin, [4.0, 5.0])]));
    /// let west = near.in_box([f32::NEG_INFINITY; 2], [0.0, f32::INFINITY])?;
    /// assert!(west.eq([(kite, [-80.0, 2.5])]));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[doc(alias("rectangle", "aabb", "range query"))]
    pub fn in_box(
        &self,
        min: [f32; N],
        max: [f32; N],
    ) -> Result<impl Iterator<Item = (K, [f32; N])>, IndexError<K>> {
        if min.iter().chain(&max).any(|coordinate| coordinate.is_nan()) {
            return Err(IndexError::NotFinite);
        }
        let block = Block::of(&Bounds { min, max }, self.cell_size);
        Ok(self.found(block, Boxed { min, max, block }))
    }

    /// The key nearest to a point, and its point; of several the lowest key. O(cells covered by the distance + points in
    /// them). Around empty cells the search widens by doubling, which checks all keys at most each time.
    ///
    /// # Errors
    /// If the center is not finite.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(near.nearest([4.0, 4.0])?, Some((robin, [4.0, 5.0])));
    /// assert_eq!(near.nearest([-1e9, 4.0])?, Some((kite, [-80.0, 2.5])));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[doc(alias("closest", "nearest neighbour"))]
    pub fn nearest(&self, center: [f32; N]) -> Result<Option<(K, [f32; N])>, IndexError<K>> {
        self.search::<true>(center, |_| true)
    }

    /// As [`nearest`](Self::nearest), of the keys for which `is_meant` returns `true`. It may be called several times
    /// for a key.
    ///
    /// # Errors
    /// If the center is not finite.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// let other = near.nearest_where([1.0, 1.0], |key| key != wren)?;
    /// assert_eq!(other, Some((robin, [4.0, 5.0])));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    pub fn nearest_where(
        &self,
        center: [f32; N],
        is_meant: impl FnMut(K) -> bool,
    ) -> Result<Option<(K, [f32; N])>, IndexError<K>> {
        self.search::<false>(center, is_meant)
    }

    /// The `count` keys nearest to a point, and their points, nearest first, of equally near ones the lower key first;
    /// all keys if there are fewer. They replace the contents of `found`.
    ///
    /// O(cells covered by the distance of the last + points in them), and O(`count` × log `count`). While too few are
    /// found the search widens by doubling, which checks all keys at most each time. Allocates only if `found` has to
    /// grow.
    ///
    /// # Errors
    /// If the center is not finite: then nothing has changed. If memory is refused: then the contents of `found` are
    /// unspecified.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// let mut found = Vec::new();
    /// near.nearest_many([0.0, 0.0], 2, &mut found)?;
    /// assert_eq!(found, [(wren, [1.0, 1.0]), (robin, [4.0, 5.0])]);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[doc(alias("knn", "k nearest neighbours"))]
    pub fn nearest_many(
        &self,
        center: [f32; N],
        count: usize,
        found: &mut Vec<(K, [f32; N])>,
    ) -> Result<(), IndexError<K>> {
        check_center(center)?;
        found.clear();
        let Some(last) = count.min(self.len()).checked_sub(1) else { return Ok(()) };
        let mut radius = 0.0;
        loop {
            let (block, is_all) = self.block(center, radius);
            fill(found, self.found(block, All))?;
            if found.len() > last {
                found.select_nth_unstable_by(last, nearer_to(center));
                found.truncate(last + 1);
                found.sort_unstable_by(nearer_to(center));
            }
            let farthest = found.get(last).map(|&(_, point)| distance_squared(point, center));
            if is_all || farthest.is_some_and(|distance| distance <= radius * radius) {
                return Ok(());
            }
            radius = wider(radius, farthest, self.cell_size);
        }
    }

    /// The nearest key of those for which `is_meant` returns `true`; `ALL` says that it always does.
    #[inline]
    fn search<const ALL: bool>(
        &self,
        center: [f32; N],
        mut is_meant: impl FnMut(K) -> bool,
    ) -> Result<Option<(K, [f32; N])>, IndexError<K>> {
        check_center(center)?;
        let mut nearest = Nearest::new(center, self.cell_size);
        let mut search = |nearest: &mut Nearest<K, N>, head: &Head<N>| {
            nearest.search::<ALL>(self.inner.quads(head.quads()), &mut is_meant);
        };
        // Where cells have a few points, the nearest one is hardly ever farther away than half a cell.
        let around = Around::new(center, self.cell_size);
        let mut guess = FREE;
        for which in 0..Around::<N>::COUNT {
            let (cell, least) = around.cell(which);
            if least <= nearest.square() {
                if let Some(number) = self.inner.find_beside(cell, guess) {
                    guess = number.wrapping_add_signed(around.steps[N - 1]);
                    search(&mut nearest, self.inner.head(number));
                }
            }
        }
        if nearest.square() <= around.reach {
            return Ok(nearest.found());
        }
        let mut radius = f64::from(self.cell_size) / 2.0;
        loop {
            radius = wider(radius, nearest.distance(), self.cell_size);
            let (block, is_all) = self.block(center, radius);
            let mut cells = Visit::new(&self.inner, block);
            while let Some(head) = cells.next(|cell| nearest.may_be_in(cell)) {
                search(&mut nearest, head);
            }
            if is_all || nearest.square() <= radius * radius {
                return Ok(nearest.found());
            }
        }
    }

    /// The cells in which points within a radius may lie; or all, which is said, if there are fewer with points.
    #[inline]
    fn block(&self, center: [f32; N], radius: f64) -> (Block<N>, bool) {
        let block = Block::of(&Bounds::around(center, radius), self.cell_size);
        let is_all = block.count() > self.inner.cell_count() as u64;
        (if is_all { Block::ALL } else { block }, is_all)
    }

    /// The points of a block of cells that a test accepts.
    #[inline]
    pub(super) fn found<T: Test<N>>(&self, block: Block<N>, test: T) -> Found<'_, K, N, T> {
        Found::new(&self.inner, block, test, self.cell_size)
    }
}

type Pair<K, const N: usize> = (K, [f32; N]);

/// By the distance from a center, then by key.
fn nearer_to<K: Ord, const N: usize>(
    center: [f32; N],
) -> impl Fn(&Pair<K, N>, &Pair<K, N>) -> Ordering {
    move |(a, at), (b, there)| {
        let [at, there] = [at, there].map(|&point| distance_squared(point, center));
        at.total_cmp(&there).then(a.cmp(b))
    }
}

/// The radius to search next: up to what was found, if that is known by the square of its distance, or twice as far, so
/// that this ends.
#[inline]
fn wider(radius: f64, farthest: Option<f64>, cell_size: f32) -> f64 {
    match farthest {
        Some(distance) => root(distance),
        None => f64::max(radius * 2.0, f64::from(cell_size) / 2.0),
    }
}

/// Not less than the square root of a positive number, and hardly more. (`sqrt` needs the standard library.)
fn root(square: f64) -> f64 {
    // With half the exponent one is at most 6 % off, and after Newton's step at most 0.2 % above.
    let guess = f64::from_bits((square.to_bits() + 1.0_f64.to_bits()) / 2);
    (guess + square / guess) / 2.0 * (1.0 + 4.0 * f64::EPSILON)
}

fn check_center<K, const N: usize>(center: [f32; N]) -> Result<(), IndexError<K>> {
    let is_finite = center.iter().all(|coordinate| coordinate.is_finite());
    if is_finite { Ok(()) } else { Err(IndexError::NotFinite) }
}
