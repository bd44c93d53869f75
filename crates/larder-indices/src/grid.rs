//! An index of points, in the cells of a grid.

mod cells;
mod points;
mod search;
mod tiles;

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

use super::IndexError;
use super::index_by::{BySome, IndexBy};
use super::key_index::{KeyIndex, shown};
use super::two_phase::{KeyLayout, TwoPhase};
use crate::scratch::fill;
use crate::sorted_keys::{Ranked, sort};
use cells::{Around, Block, Bounds, Cell, distance_squared, root};
use larder_core::TryReserveError;
use larder_core::containers::Container;
use larder_core::containers::MemoryUsage;
use larder_core::key::Key;
use larder_core::past::{Past, Reverse, Way};
use larder_core::room::reserve_exact;
use points::{PointChange, PointTicket, Points};
use search::{All, Ball, Boxed, Found, Nearest, Test, Visit};

/// Hidden lines of the examples: three birds on a plane, in cells of 10.
macro_rules! birds {
    () => {
        "# use larder::{Arena, indices::GridIndex};\n\
         # let mut birds = Arena::from_iter([\"wren\", \"robin\", \"kite\"]);\n\
         # let keys: Vec<_> = birds.keys().collect();\n\
         # let [wren, robin, kite] = keys[..] else { unreachable!() };\n\
         # let mut near = GridIndex::new(10.0);\n\
         # near.insert(wren, [1.0, 1.0])?;\n\
         # near.insert(robin, [4.0, 5.0])?;\n\
         # near.insert(kite, [-80.0, 2.5])?;"
    };
}

/// The objects near a point, in 2 or 3 dimensions. Needs the feature `hashbrown`.
///
/// It is separate from its container and has to be told of changes: an object that moves is
/// [inserted](KeyIndex::insert) again. If it is not told of a removal, the stale key stays filed until the next
/// object in its slot is, or [`retain_live`](KeyIndex::retain_live) is called. An
/// [`Table`](larder_core::track::Table) owns a container and its indices, and updates them.
///
/// [`BareHandle`](larder_core::key::BareHandle) keys cannot be stale: the entry of a removed object is returned for
/// the next object in its slot. With such keys, tell the index of every removal, or use a `Table`.
///
/// Queries are exact. They accept any finite coordinates, and any radius: if it covers more cells than there
/// are with points, the cells with points are walked instead. Distances are compared as `f64`.
///
/// # Layout
/// ```text
/// table     hash, tile │ …                           a tile with points, found by hash: 4 × 4 cells, or 2 × 2 × 4
/// tiles     numbers, (start, room, 4 ends) × 4 │ …   where the points of each row of four cells are
/// quads     x x x x  y y y y  key key key key │ …    four points in columns; those of a row side by side, cell by cell
/// places    row, index │ …                           by slot: where a key's point is
/// ```
/// A query compares four points at once, and reads nothing of the objects.
///
/// # Size of the cells
/// Two to four times the most frequent radius, and so that a cell has some points, about 4 to 64:
/// `len() / cell_count()`. Smaller cells are more lookups by hash; larger ones have more points outside of the radius.
/// A query with a much larger radius is fast, too: it passes over tiles and rows, not over cells.
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert`, also to move; `remove` | O(1) amortised |
/// | `point` | O(1) |
/// | `within`, `in_box` | O(cells covered + points in them), O(cells + points) at most |
/// | `nearest` | the same, for the distance of the result and half a cell |
///
/// # Examples
/// ```
/// use larder::{Arena, indices::GridIndex};
///
/// let mut birds = Arena::new();
/// let (wren, robin, kite) = (birds.insert("wren"), birds.insert("robin"), birds.insert("kite"));
///
/// let mut near = GridIndex::new(10.0);
/// near.insert(wren, [1.0, 1.0])?;
/// near.insert(robin, [4.0, 5.0])?;
/// near.insert(kite, [-80.0, 2.5])?;
///
/// let found: Vec<_> = near.within([0.0, 0.0], 7.0)?.map(|(key, _)| birds[key]).collect();
/// assert_eq!(found, ["wren", "robin"]);
/// assert_eq!(near.nearest([-50.0, 0.0])?, Some((kite, [-80.0, 2.5])));
///
/// near.insert(kite, [2.0, 2.0])?; // it moved
/// assert_eq!(near.within([0.0, 0.0], 7.0)?.count(), 3);
/// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
/// ```
#[doc(alias("spatial hash", "fuzzy hashing", "uniform grid", "neighbours", "kd-tree", "r-tree"))]
pub type GridIndex<K, const N: usize> = KeyIndex<OnGrid<K, N>>;

/// Keys in the cells of their points, as those of a [`GridIndex`].
///
/// # Examples
/// ```
/// use larder::{Handle, indices::{GridIndex, KeyIndex, layout::OnGrid}};
///
/// let near: KeyIndex<OnGrid<Handle<&str>, 2>> = GridIndex::new(10.0);
/// assert!(near.is_empty());
/// ```
#[derive(Clone)]
pub struct OnGrid<K: Key, const N: usize> {
    cell_size: f32,
    points: Points<K, N>,
}

impl<K: Key, const N: usize> OnGrid<K, N> {
    /// The points of a block of cells that a test accepts.
    #[inline]
    fn found<T: Test<N>>(&self, block: Block<N>, test: T) -> Found<'_, K, N, T> {
        Found::new(&self.points, block, test, self.cell_size)
    }
}

/// Making.
impl<K: Key, const N: usize> GridIndex<K, N> {
    const DIMENSIONS: () = assert!(N == 2 || N == 3, "a grid has 2 or 3 dimensions");

    /// Makes an empty index with cells of this length along each axis. O(1): allocates nothing.
    ///
    /// # Panics
    /// If the length is not positive and finite. (Other dimensions than 2 and 3 do not compile.)
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, indices::GridIndex};
    ///
    /// let near = GridIndex::<Handle<u8>, 3>::new(0.5);
    /// assert!(near.is_empty());
    /// ```
    #[must_use]
    #[track_caller]
    pub fn new(cell_size: f32) -> Self {
        const { Self::DIMENSIONS };
        let is_size = Self::is_cell_size(cell_size);
        assert!(is_size, "GridIndex: cells of {cell_size}: the size must be above 0 and finite");
        Self { layout: OnGrid { cell_size, points: Points::new() } }
    }

    pub(crate) fn is_cell_size(size: f32) -> bool {
        size > 0.0 && size.is_finite()
    }

    /// Makes an empty index for a [`Table`](larder_core::track::Table), in which objects are filed at the points that
    /// the function returns. O(1).
    ///
    /// # Panics
    /// If the length is not positive and finite.
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "track")] {
    /// use larder::{Arena, indices::GridIndex, track::Table};
    ///
    /// #[derive(Clone)]
    /// struct Bird {
    ///     place: [f32; 2],
    /// }
    /// let mut birds = Table::with(Arena::new(), GridIndex::by(10.0, |bird: &Bird| bird.place));
    /// let wren = birds.insert(Bird { place: [3.0, 4.0] });
    /// birds.modify(wren, |bird| bird.place = [-50.0, 0.0]).unwrap();
    /// assert_eq!(birds.observers().nearest([-40.0, 0.0]).unwrap(), Some((wren, [-50.0, 0.0])));
    /// # }
    /// ```
    #[must_use]
    #[track_caller]
    pub fn by<V, F: Fn(&V) -> [f32; N]>(cell_size: f32, place: F) -> IndexBy<Self, F> {
        IndexBy::new(Self::new(cell_size), place)
    }

    /// Like [`by`](Self::by), but objects for which the function returns `None` are not filed. O(1).
    ///
    /// # Panics
    /// If the length is not positive and finite.
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "track")] {
    /// use larder::{Arena, indices::GridIndex, track::Table};
    ///
    /// let places = GridIndex::by_some(10.0, |place: &Option<[f32; 2]>| *place);
    /// let mut things = Table::with(Arena::new(), places);
    /// let [on_the_ground, ..] = [Some([3.0, 4.0]), None].map(|place| things.insert(place));
    /// assert_eq!(things.observers().len(), 1);
    /// things.modify(on_the_ground, |place| *place = None).unwrap(); // taken up
    /// assert!(things.observers().is_empty());
    /// # }
    /// ```
    #[must_use]
    #[track_caller]
    pub fn by_some<V, F: Fn(&V) -> Option<[f32; N]>>(
        cell_size: f32,
        place: F,
    ) -> IndexBy<Self, BySome<F>> {
        IndexBy::of_some(Self::new(cell_size), place)
    }

    /// Removes a key and returns its point. O(1) amortised, without memory.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(near.remove(wren), Some([1.0, 1.0]));
    /// assert_eq!(near.remove(wren), None);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    pub fn remove(&mut self, key: K) -> Option<[f32; N]> {
        self.layout.points.remove(key)
    }
}

/// Reading.
impl<K: Key, const N: usize> GridIndex<K, N> {
    /// Returns the point of a key. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(near.point(robin), Some([4.0, 5.0]));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[must_use]
    pub fn point(&self, key: K) -> Option<[f32; N]> {
        self.layout.points.get(key)
    }

    /// Walks the keys and their points, in no order. O(keys + cells) in all.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(near.iter().filter(|(_, [x, _])| *x > 0.0).count(), 2);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (K, [f32; N])> {
        self.layout.found(Block::ALL, All)
    }

    /// Returns how many cells have points; others take no memory. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(near.cell_count(), 2);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.layout.points.cell_count()
    }

    /// Returns the length of a cell along each axis. O(1).
    ///
    /// # Examples
    /// ```
    /// let near = larder::indices::GridIndex::<larder::Handle<u8>, 2>::new(2.5);
    /// assert_eq!(near.cell_size(), 2.5);
    /// ```
    #[must_use]
    pub fn cell_size(&self) -> f32 {
        self.layout.cell_size
    }
}

/// Queries. Only [`nearest_many`](Self::nearest_many) allocates.
impl<K: Key, const N: usize> GridIndex<K, N> {
    /// Returns the keys within `radius` of a point, and their points, in no particular order.
    /// O(cells covered + points in them), O(keys) at most.
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
    #[doc(alias("radius", "range query", "circle", "sphere", "try_within"))]
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
        let block = Block::of(&Bounds::around(center, radius), self.layout.cell_size);
        Ok(self.layout.found(block, Ball::new(center, radius)))
    }

    /// Returns the keys in a box, its sides included, and their points, in no particular order; none if a minimum is
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
    #[doc(alias("rectangle", "aabb", "range query", "try_in_box"))]
    pub fn in_box(
        &self,
        min: [f32; N],
        max: [f32; N],
    ) -> Result<impl Iterator<Item = (K, [f32; N])>, IndexError<K>> {
        if min.iter().chain(&max).any(|coordinate| coordinate.is_nan()) {
            return Err(IndexError::NotFinite);
        }
        let block = Block::of(&Bounds { min, max }, self.layout.cell_size);
        Ok(self.layout.found(block, Boxed { min, max }))
    }

    /// Returns the key nearest to a point, and its point; of several equally near keys, the lowest.
    /// O(cells covered by the distance + points in them). Around empty cells the search widens by doubling, and checks
    /// each key at most once for each width.
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
    #[doc(alias("closest", "nearest neighbour", "try_nearest"))]
    pub fn nearest(&self, center: [f32; N]) -> Result<Option<(K, [f32; N])>, IndexError<K>> {
        self.search::<true>(center, |_| true)
    }

    /// Like [`nearest`](Self::nearest), among the keys for which `is_meant` returns `true`. It may be called several
    /// times for a key.
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
    #[doc(alias = "try_nearest_where")]
    pub fn nearest_where(
        &self,
        center: [f32; N],
        is_meant: impl FnMut(K) -> bool,
    ) -> Result<Option<(K, [f32; N])>, IndexError<K>> {
        self.search::<false>(center, is_meant)
    }

    /// Finds the `count` keys nearest to a point, and their points: the nearest first, and of equally near ones the
    /// lower key first; all keys if there are fewer. They replace the contents of `found`.
    ///
    /// O(cells covered by the distance of the last + points in them), and O(`count` × log `count`). While too few are
    /// found the search widens by doubling, which checks all keys at most each time. Allocates only if `found` has to
    /// grow.
    ///
    /// # Errors
    /// If the center is not finite: then nothing has changed. If allocation fails: then the contents of `found` are
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
    #[doc(alias("knn", "k nearest neighbours", "try_nearest_many"))]
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
            fill(found, self.layout.found(block, All))?;
            if found.len() > last {
                found.select_nth_unstable_by(last, nearer_to(center));
                found.truncate(last + 1);
                found.sort_unstable_by(nearer_to(center));
            }
            let farthest = found.get(last).map(|&(_, point)| distance_squared(point, center));
            if is_all || farthest.is_some_and(|distance| distance <= radius * radius) {
                return Ok(());
            }
            radius = wider(radius, farthest, self.layout.cell_size);
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
        let (points, size) = (&self.layout.points, self.layout.cell_size);
        let mut nearest = Nearest::new(center);
        // Cells usually have a few points, so the nearest point is hardly ever farther away than half a cell.
        let around = Around::new(center, size);
        for which in (0..Around::<N>::COUNT).step_by(2) {
            let [(cell, least), (beside, farther)] = [which, which + 1].map(|it| around.cell(it));
            if least > nearest.square() {
                continue;
            }
            if cell.tile() == beside.tile() {
                nearest.search::<ALL>(points.quads_of(cell, beside), &mut is_meant);
                continue;
            }
            nearest.search::<ALL>(points.quads_of(cell, cell), &mut is_meant);
            if farther <= nearest.square() {
                nearest.search::<ALL>(points.quads_of(beside, beside), &mut is_meant);
            }
        }
        if nearest.square() <= around.reach {
            return Ok(nearest.found());
        }
        let mut radius = f64::from(size) / 2.0;
        loop {
            radius = wider(radius, nearest.distance(), size);
            let (block, is_all) = self.block(center, radius);
            let mut rows = Visit::new(points, block);
            while let Some(quads) =
                rows.next(|row, _| row.columns_within(center, nearest.square(), size))
            {
                nearest.search::<ALL>(points.quads(quads), &mut is_meant);
            }
            if is_all || nearest.square() <= radius * radius {
                return Ok(nearest.found());
            }
        }
    }

    /// The cells in which points within a radius may lie; or all, which is said, if fewer tiles have points.
    #[inline]
    fn block(&self, center: [f32; N], radius: f64) -> (Block<N>, bool) {
        let block = Block::of(&Bounds::around(center, radius), self.layout.cell_size);
        let is_all = block.tiles().count() > self.layout.points.tile_count() as u64;
        (if is_all { Block::ALL } else { block }, is_all)
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

fn check_center<K, const N: usize>(center: [f32; N]) -> Result<(), IndexError<K>> {
    let is_finite = center.iter().all(|coordinate| coordinate.is_finite());
    if is_finite { Ok(()) } else { Err(IndexError::NotFinite) }
}

/// A prepared point.
#[expect(unnameable_types, reason = "part of the seal on `IndexBy`")]
#[derive(Debug)]
pub struct Placed<K, const N: usize>(PointTicket<K, N>);

impl<K: Key, const N: usize> KeyLayout for OnGrid<K, N> {
    type Key = K;
    type Property = [f32; N];
    type Shown = shown::GridIndex<K, N>;

    fn len(&self) -> usize {
        self.points.len()
    }

    fn contains_key(&self, key: K) -> bool {
        self.points.contains_key(key)
    }

    fn retain_live(&mut self, of: &impl Container<Key = K>) {
        self.points.retain_live(of);
    }

    fn clear(&mut self) {
        self.points.clear();
    }

    fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError> {
        self.points.try_reserve(keys)
    }

    fn shrink_to_fit(&mut self) {
        self.points.shrink_to_fit();
    }

    fn expect(&mut self, keys: usize) -> Result<(), TryReserveError> {
        self.points.expect(keys)
    }

    fn memory_usage(&self) -> MemoryUsage {
        self.points.memory_usage()
    }

    #[cfg(feature = "__test")]
    fn validate(&self) {
        self.points.validate(|point| Cell::of(point, self.cell_size));
    }
}

impl<K: Key, const N: usize> OnGrid<K, N> {
    #[inline(always)]
    fn prepare_unrecorded(
        &mut self,
        key: K,
        point: [f32; N],
    ) -> Result<Option<Placed<K, N>>, IndexError<K>> {
        if !self.may_wait(&point) {
            return Err(IndexError::NotFinite);
        }
        let cell = Cell::of(point, self.cell_size);
        Ok(self.points.prepare(key, point, cell)?.map(Placed))
    }

    #[cold]
    #[inline(never)]
    fn insert_recorded(&mut self, key: K, point: [f32; N]) -> Result<(), IndexError<K>> {
        if let Some(ticket) = self.prepare(key, point)? {
            self.file(ticket);
        }
        Ok(())
    }
}

impl<K: Key, const N: usize> TwoPhase for OnGrid<K, N> {
    type Ticket = Placed<K, N>;
    /// Cells have nothing to drop.
    type Leftover = ();

    fn prepare(&mut self, key: K, point: [f32; N]) -> Result<Option<Placed<K, N>>, IndexError<K>> {
        if self.points.is_recorded() {
            self.points.past().reserve(2)?;
        }
        self.prepare_unrecorded(key, point)
    }

    fn file(&mut self, Placed(ticket): Placed<K, N>) {
        if self.points.is_recorded() {
            self.points.file_recorded(ticket);
        } else {
            self.points.file(ticket);
        }
    }

    fn insert(&mut self, key: K, point: [f32; N]) -> Result<(), IndexError<K>> {
        if self.points.is_recorded() {
            return self.insert_recorded(key, point);
        }
        if let Some(Placed(ticket)) = self.prepare_unrecorded(key, point)? {
            self.points.file(ticket);
        }
        Ok(())
    }

    fn unfile(&mut self, key: K) {
        self.points.remove(key);
    }

    fn may_wait(&self, point: &[f32; N]) -> bool {
        point.iter().all(|coordinate| coordinate.is_finite())
    }

    /// Cell by cell, so that none has to be moved to grow.
    fn arrange(&self, pairs: &mut Vec<(K, [f32; N])>) {
        let rank = |(point, at): (&(K, [f32; N]), u32)| {
            Ranked::new(Cell::of(point.1, self.cell_size).rank(), at)
        };
        let (mut order, mut spare, mut arranged) = (Vec::new(), Vec::new(), Vec::new());
        let ranked = || pairs.iter().zip(0..).map(rank);
        let has_room = fill(&mut order, ranked()).is_ok()
            && fill(&mut spare, ranked()).is_ok()
            && reserve_exact(&mut arranged, pairs.len()).is_ok();
        if has_room {
            sort(&mut order, &mut spare);
            arranged.extend(order.iter().map(|ranked| pairs[ranked.key as usize]));
            *pairs = arranged;
        }
    }
}

impl<K: Key, const N: usize> Reverse for OnGrid<K, N> {
    type Change = PointChange<K, N>;
    type State = ();
    type Kept = ();

    fn past(&mut self) -> &mut Past<PointChange<K, N>, ()> {
        self.points.past()
    }

    fn state(&mut self) {}

    fn exchange(&mut self, (): &mut ()) {}

    fn reverse(
        &mut self,
        change: &mut PointChange<K, N>,
        (): &mut (),
        _: Way,
    ) -> Result<(), TryReserveError> {
        self.points.reverse(change, |point| Cell::of(point, self.cell_size))
    }
}

/// Formats the grid as a map from keys to points.
impl<K: Key, const N: usize> fmt::Debug for OnGrid<K, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.found(Block::ALL, All)).finish()
    }
}
