//! Queries: blocks of cells first, then the points in them.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::convert::Infallible;
use core::fmt;

use super::space::{Block, Bounds, Cell, distance_squared};
use super::{Entry, GridIndex};
use crate::indices::IndexError;
use crate::key::Key;
use crate::scratch::fill;

/// Finding. None of it allocates, but where `found` grows. A query that is not a number panics at the caller's
/// line; in the forms that begin with `try_` it is an error.
impl<K: Key, const N: usize> GridIndex<K, N> {
    /// The keys, and their points, not farther than `radius` from a point, in no order.
    ///
    /// O(cells covered + points in them), and never more than O(keys).
    ///
    /// # Panics
    /// If the center is not finite, or the radius is negative or not a number. (It may be infinite.)
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert!(near.within([4.0, 1.0], 3.0).eq([(wren, [1.0, 1.0])])); // 3 away: just within
    /// assert_eq!(near.within([0.0, 0.0], f32::INFINITY).count(), 3);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[doc(alias("radius", "range query", "circle", "sphere"))]
    #[track_caller]
    pub fn within(&self, center: [f32; N], radius: f32) -> impl Iterator<Item = (K, [f32; N])> {
        match self.try_within(center, radius) {
            Ok(found) => found,
            Err(reason) => {
                refuse(&reason, format_args!("within a radius of {radius} around {center:?}"))
            }
        }
    }

    /// As [`within`](Self::within), or says why there is no such query.
    ///
    /// # Errors
    /// If the center is not finite, or the radius is negative or not a number. (It may be infinite.)
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// use larder::indices::IndexError;
    /// assert_eq!(near.try_within([0.0, 0.0], 7.0)?.count(), 2);
    /// assert_eq!(near.try_within([f32::NAN, 0.0], 7.0).err(), Some(IndexError::NotFinite));
    /// assert_eq!(near.try_within([0.0, 0.0], -1.0).err(), Some(IndexError::BadRadius));
    /// # Ok::<(), IndexError<larder::Handle<&str>>>(())
    /// ```
    pub fn try_within(
        &self,
        center: [f32; N],
        radius: f32,
    ) -> Result<impl Iterator<Item = (K, [f32; N])>, IndexError<K>> {
        check_center(center)?;
        if radius.is_nan() || radius < 0.0 {
            return Err(IndexError::BadRadius);
        }
        let radius = f64::from(radius);
        let is_within =
            move |entry: &&Entry<K, N>| distance_squared(entry.point, center) <= radius * radius;
        let candidates = self.candidates(self.block(&Bounds::around(center, radius)), None);
        Ok(candidates.filter(is_within).map(|entry| entry.pair()))
    }

    /// The keys, and their points, in a box from corner to corner, its sides included, in no order. It has
    /// none if a minimum is above its maximum.
    ///
    /// O(cells covered + points in them), and never more than O(keys).
    ///
    /// # Panics
    /// If a coordinate is not a number. (They may be infinite.)
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert!(near.in_box([4.0, 0.0], [9.0, 5.0]).eq([(robin, [4.0, 5.0])]));
    /// let west = near.in_box([f32::NEG_INFINITY; 2], [0.0, f32::INFINITY]);
    /// assert!(west.eq([(kite, [-80.0, 2.5])]));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[doc(alias("rectangle", "aabb", "range query"))]
    #[track_caller]
    pub fn in_box(&self, min: [f32; N], max: [f32; N]) -> impl Iterator<Item = (K, [f32; N])> {
        match self.try_in_box(min, max) {
            Ok(found) => found,
            Err(reason) => refuse(&reason, format_args!("in a box from {min:?} to {max:?}")),
        }
    }

    /// As [`in_box`](Self::in_box), or says why there is no such query.
    ///
    /// # Errors
    /// If a coordinate is not a number. (They may be infinite.)
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(near.try_in_box([0.0, 0.0], [9.0, 5.0])?.count(), 2);
    /// assert!(near.try_in_box([0.0, 0.0], [f32::NAN, 5.0]).is_err());
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    pub fn try_in_box(
        &self,
        min: [f32; N],
        max: [f32; N],
    ) -> Result<impl Iterator<Item = (K, [f32; N])>, IndexError<K>> {
        if min.iter().chain(&max).any(|coordinate| coordinate.is_nan()) {
            return Err(IndexError::NotFinite);
        }
        let bounds = Bounds { min, max };
        let candidates = self.candidates(self.block(&bounds), None);
        let is_within = move |entry: &&Entry<K, N>| bounds.contains(entry.point);
        Ok(candidates.filter(is_within).map(|entry| entry.pair()))
    }

    /// The key that is nearest to a point, and where; of several the lowest key. `None` if there is
    /// none.
    ///
    /// O(cells covered by the distance + points in them), about the center's own cell and once more about
    /// those as near as what it found there. Where cells are empty the search widens by doublings, each
    /// of which looks at all keys at the most.
    ///
    /// # Panics
    /// If the center is not finite.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(near.nearest([4.0, 4.0]), Some((robin, [4.0, 5.0])));
    /// assert_eq!(near.nearest([-1e9, 4.0]), Some((kite, [-80.0, 2.5])));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[doc(alias("closest", "nearest neighbour"))]
    #[must_use]
    #[track_caller]
    pub fn nearest(&self, center: [f32; N]) -> Option<(K, [f32; N])> {
        self.nearest_where(center, |_| true)
    }

    /// As [`nearest`](Self::nearest), or says why there is no such query.
    ///
    /// # Errors
    /// If the center is not finite.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(near.try_nearest([4.0, 4.0])?, Some((robin, [4.0, 5.0])));
    /// assert!(near.try_nearest([f32::INFINITY, 4.0]).is_err());
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    pub fn try_nearest(&self, center: [f32; N]) -> Result<Option<(K, [f32; N])>, IndexError<K>> {
        self.try_nearest_where(center, |_| true)
    }

    /// As [`nearest`](Self::nearest), of the keys that `is_meant`: others than the one who asks, say. It
    /// is asked about a key again whenever the search widens.
    ///
    /// O(cells covered by the distance + points in them), about the center's own cell and once more about
    /// those as near as what it found there. Where cells are empty the search widens by doublings, each
    /// of which looks at all keys at the most.
    ///
    /// # Panics
    /// If the center is not finite.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// let other = near.nearest_where([1.0, 1.0], |key| key != wren);
    /// assert_eq!(other, Some((robin, [4.0, 5.0])));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[must_use]
    #[track_caller]
    pub fn nearest_where(
        &self,
        center: [f32; N],
        is_meant: impl FnMut(K) -> bool,
    ) -> Option<(K, [f32; N])> {
        match self.try_nearest_where(center, is_meant) {
            Ok(nearest) => nearest,
            Err(reason) => refuse(&reason, format_args!("nearest to {center:?}")),
        }
    }

    /// As [`nearest_where`](Self::nearest_where), or says why there is no such query.
    ///
    /// # Errors
    /// If the center is not finite.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// let other = near.try_nearest_where([1.0, 1.0], |key| key != wren)?;
    /// assert_eq!(other, Some((robin, [4.0, 5.0])));
    /// assert!(near.try_nearest_where([f32::NAN, 1.0], |_| true).is_err());
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    pub fn try_nearest_where(
        &self,
        center: [f32; N],
        mut is_meant: impl FnMut(K) -> bool,
    ) -> Result<Option<(K, [f32; N])>, IndexError<K>> {
        check_center(center)?;
        let own = Cell::of(center, self.cell_size);
        let (mut seen, mut nearest) = (None, None);
        let Ok(()) = self.widening::<Infallible>(center, |block| {
            let meant = self.candidates(block, seen).filter(|entry| is_meant(entry.key));
            let apart = meant.map(|entry| (distance_squared(entry.point, center), entry));
            let all = nearest.into_iter().chain(apart);
            nearest = all.min_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.key.cmp(&b.1.key)));
            // It is in every block; what is nearest there is known.
            seen = Some(own);
            Ok(nearest.map(|(distance, _)| distance))
        });
        Ok(nearest.map(|(_, entry)| entry.pair()))
    }

    /// The `count` keys that are nearest to a point, and where, nearest first, of equally near ones the
    /// lower key; all of them if there are fewer. They replace what is in `found`, the caller's scratch:
    /// once that has grown, nothing is allocated.
    ///
    /// O(cells covered by the distance of the last + points in them), and O(`count` × log `count`). As long
    /// as there are too few the search widens by doublings, each of which looks at all keys at the most.
    ///
    /// # Panics
    /// If the center is not finite, or memory for `found` is refused.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// let mut found = Vec::new();
    /// near.nearest_many([0.0, 0.0], 2, &mut found);
    /// assert_eq!(found, [(wren, [1.0, 1.0]), (robin, [4.0, 5.0])]);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[doc(alias("knn", "k nearest neighbours"))]
    #[track_caller]
    pub fn nearest_many(&self, center: [f32; N], count: usize, found: &mut Vec<(K, [f32; N])>) {
        if let Err(reason) = self.try_nearest_many(center, count, found) {
            refuse(&reason, format_args!("the {count} nearest to {center:?}"));
        }
    }

    /// As [`nearest_many`](Self::nearest_many), or says why not.
    ///
    /// # Errors
    /// If the center is not finite; then nothing has changed. If memory is refused; what is in `found` then means
    /// nothing.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// let mut found = Vec::new();
    /// assert!(near.try_nearest_many([0.0, 0.0], 2, &mut found).is_ok());
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    pub fn try_nearest_many(
        &self,
        center: [f32; N],
        count: usize,
        found: &mut Vec<(K, [f32; N])>,
    ) -> Result<(), IndexError<K>> {
        check_center(center)?;
        found.clear();
        let Some(last) = count.min(self.len()).checked_sub(1) else { return Ok(()) };
        self.widening(center, |block| {
            fill(found, self.candidates(block, None).map(|entry| entry.pair()))?;
            if found.len() <= last {
                return Ok(None);
            }
            found.select_nth_unstable_by(last, nearer_to(center));
            found.truncate(last + 1);
            found.sort_unstable_by(nearer_to(center));
            Ok(Some(distance_squared(found[last].1, center)))
        })
    }

    /// Has `look` look into the center's own cell, then into larger and larger blocks and last at
    /// everything, until it answers with a distance, squared, beyond which nothing interests it any more,
    /// and all up to there was in the block. The next block is that up to there, or, as long as there is
    /// no such distance, twice as large.
    fn widening<E>(
        &self,
        center: [f32; N],
        mut look: impl FnMut(Option<Block<N>>) -> Result<Option<f64>, E>,
    ) -> Result<(), E> {
        let mut radius = 0.0;
        loop {
            let block = self.block(&Bounds::around(center, radius));
            let is_all = block.is_none();
            let farthest = look(block)?;
            if is_all || farthest.is_some_and(|distance| distance <= radius * radius) {
                return Ok(());
            }
            // Larger than before, whatever `look` answers: there is an end.
            radius = match farthest {
                Some(distance) => root(distance),
                None => f64::max(radius * 2.0, f64::from(self.cell_size) / 2.0),
            };
        }
    }

    /// The cells in which points of the bounds may lie; `None` if looking at all points is quicker.
    fn block(&self, bounds: &Bounds<N>) -> Option<Block<N>> {
        let block = Block::of(bounds, self.cell_size);
        let is_large = block.count().saturating_mul(POINTS_A_CELL) > self.len() as u64;
        (!is_large).then_some(block)
    }

    /// What lies in the cells of a block but one, or everything.
    fn candidates(
        &self,
        block: Option<Block<N>>,
        but: Option<Cell<N>>,
    ) -> impl Iterator<Item = &Entry<K, N>> {
        let all = block.is_none().then(|| self.groups.members());
        let cells = block.into_iter().flat_map(Block::cells).filter(move |cell| Some(*cell) != but);
        let found = cells.flat_map(|cell| self.groups.find(&cell));
        found.chain(all.into_iter().flatten())
    }
}

/// Finding a cell takes as long as looking at so many points that lie one after the other.
const POINTS_A_CELL: u64 = 16;

type Found<K, const N: usize> = (K, [f32; N]);

/// By the distance from a center, then by key.
fn nearer_to<K: Ord, const N: usize>(
    center: [f32; N],
) -> impl Fn(&Found<K, N>, &Found<K, N>) -> Ordering {
    move |(a, at), (b, there)| {
        let [at, there] = [at, there].map(|&point| distance_squared(point, center));
        at.total_cmp(&there).then(a.cmp(b))
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

/// A query that cannot be answered.
#[cold]
#[inline(never)]
#[track_caller]
fn refuse<K: fmt::Debug>(reason: &IndexError<K>, query: fmt::Arguments<'_>) -> ! {
    panic!("GridIndex: {query}: {reason}")
}
