//! What is near: points in the cells of a grid.

/// Makes the examples short: three birds on a plane, in cells of 10.
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

mod finding;
mod space;

use core::fmt;

use super::IndexError;
use super::filing::Filing;
use super::groups::{Groups, Ticket};
use super::members::Member;
use crate::containers::container::Container;
use crate::error::TryReserveError;
use crate::explain;
use crate::indices::indexed::IndexBy;
use crate::key::Key;
use crate::stats::Stats;
use space::{Cell, Mixed};

/// Which objects are near a point, in 2 or 3 dimensions: keys and points, divided into the cells of a grid.
/// Needs the feature `hashbrown`.
///
/// Stands beside a container, and is told of changes by whoever makes them: an object that moves is
/// [inserted](Self::insert) again. One that was removed without telling stays under its stale key, which
/// answers nowhere, until somebody in its slot is inserted, or [`retain_live`](Self::retain_live) is called.
/// [`Indexed`](crate::indices::Indexed) tells its indices of every change.
///
/// With [`BareHandle`](crate::key::BareHandle) keys nothing is stale: an entry that nobody took out is that of the next object
/// in the slot, under what the last one was. Then tell it of every removal, or take an `Indexed`, which does.
///
/// Answers are exact: a query looks into all cells that can have part in the answer, and then at the points
/// in them. Any finite coordinates will do, negative and huge ones, and any radius: where it covers so many
/// cells that looking at all points is quicker, that is done instead. Distances are computed in `f64`.
///
/// # Layout
/// ```text
/// table     cell, hash, list │ …            a cell that has points, found by hash
/// lists     key point, key point · │ …      what is in it, a slice of one block
/// places    list, position │ …              by slot: where the key's point lies
/// ```
/// Points are beside their keys, so a query reads memory cell by cell, and nothing of the objects.
///
/// # How large a cell?
/// About twice the radius that is asked for most: then a query looks into 4 cells at most on a plane, and 8 in
/// space. Smaller ones are more to find, each by a hash, which soon costs most; of larger ones more points are
/// looked at in vain. For [`nearest`](Self::nearest) a cell should have a few points: `len() / cell_count()` tells.
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert`, a move included | O(1) amortised |
/// | `remove`, `point` | O(1) |
/// | `within`, `in_box` | O(cells covered + points in them), never more than O(keys) |
/// | `nearest` | the same, of twice the distance to what is found |
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
/// let found: Vec<_> = near.within([0.0, 0.0], 7.0).map(|(key, _)| birds[key]).collect();
/// assert_eq!(found, ["wren", "robin"]);
/// assert_eq!(near.nearest([-50.0, 0.0]), Some((kite, [-80.0, 2.5])));
///
/// near.insert(kite, [2.0, 2.0])?; // it moved
/// assert_eq!(near.within([0.0, 0.0], 7.0).count(), 3);
/// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
/// ```
#[doc(alias("spatial hash", "fuzzy hashing", "uniform grid", "neighbours", "kd-tree", "r-tree"))]
#[derive(Clone)]
pub struct GridIndex<K: Key, const N: usize> {
    cell_size: f32,
    /// The hasher is no parameter: a cell's numbers are hashed by [`space`], whoever chooses the points.
    /// A secret would guard nothing, since who wants a query to be slow puts all points into one cell.
    groups: Groups<Cell<N>, Entry<K, N>, Mixed>,
}

/// What lies in a cell.
#[derive(Clone, Copy, Debug)]
struct Entry<K, const N: usize> {
    key: K,
    point: [f32; N],
}

impl<K: Key, const N: usize> Member for Entry<K, N> {
    type Key = K;

    #[inline]
    fn key(self) -> K {
        self.key
    }
}

impl<K, const N: usize> Entry<K, N> {
    fn pair(self) -> (K, [f32; N]) {
        (self.key, self.point)
    }
}

/// Making and filing.
impl<K: Key, const N: usize> GridIndex<K, N> {
    const DIMENSIONS: () = assert!(N == 2 || N == 3, "a grid has 2 or 3 dimensions");

    /// Makes an empty index, with cells so long along each axis. O(1), without memory.
    ///
    /// # Panics
    /// If the size is not above 0 and finite. (Other dimensions than 2 and 3 do not compile.)
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
        Self { cell_size, groups: Groups::new(Mixed::default()) }
    }

    pub(crate) fn is_cell_size(size: f32) -> bool {
        size > 0.0 && size.is_finite()
    }

    /// An empty index for an [`Indexed`](crate::indices::Indexed), in which rows lie where the function says of them.
    /// A row that moves is filed anew by itself. O(1).
    ///
    /// # Panics
    /// If the size is not above 0 and finite.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::{GridIndex, Indexed}};
    ///
    /// #[derive(Clone)]
    /// struct Bird {
    ///     place: [f32; 2],
    /// }
    /// let mut birds = Indexed::new(Arena::new(), GridIndex::by(10.0, |bird: &Bird| bird.place));
    /// let wren = birds.insert(Bird { place: [3.0, 4.0] }).unwrap();
    /// birds.modify(wren, |bird| bird.place = [-50.0, 0.0]).unwrap();
    /// assert_eq!(birds.indices().nearest([-40.0, 0.0]), Some((wren, [-50.0, 0.0])));
    /// ```
    #[must_use]
    #[track_caller]
    pub fn by<V, F: Fn(&V) -> [f32; N]>(cell_size: f32, place: F) -> IndexBy<Self, F> {
        IndexBy::new(Self::new(cell_size), place)
    }

    /// Files a key at a point; if it is filed at another, it has moved. A stale key of the same slot is
    /// filed no longer. O(1) amortised; within its cell an object moves without a hash being changed.
    ///
    /// # Errors
    /// If a coordinate is infinite or not a number, the key is stale or dangling, or memory is refused.
    /// Nothing has changed then.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// near.insert(kite, [3.0, 3.0])?;
    /// assert_eq!((near.len(), near.point(kite)), (3, Some([3.0, 3.0])));
    /// assert_eq!(near.insert(kite, [f32::NAN, 0.0]), Err(larder::indices::IndexError::NotFinite));
    /// assert_eq!(near.point(kite), Some([3.0, 3.0]));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[doc(alias("update", "move"))]
    pub fn insert(&mut self, key: K, point: [f32; N]) -> Result<(), IndexError<K>> {
        Filing::insert(self, key, point)
    }

    /// Files keys at points, as [`insert`](Self::insert) does, up to the first that is refused. O(keys), with
    /// room for as many as the iterator says it has.
    ///
    /// # Errors
    /// If a coordinate is infinite or not a number, a key is stale or dangling, or memory is refused. The
    /// pairs before are filed then, those behind it were not asked for.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::GridIndex};
    ///
    /// let places = Arena::from_iter([[1.0, 1.0], [4.0, 5.0]]);
    /// let mut near = GridIndex::new(10.0);
    /// near.extend(places.iter().map(|(key, place)| (key, *place)))?;
    /// assert_eq!(near.len(), 2);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<[f32; 2]>>>(())
    /// ```
    #[doc(alias("from_iter", "build"))]
    pub fn extend(
        &mut self,
        pairs: impl IntoIterator<Item = (K, [f32; N])>,
    ) -> Result<(), IndexError<K>> {
        Filing::extend(self, pairs)
    }

    /// Makes room for so many keys more. Cells, and those that are filled, take room as they come. O(keys).
    ///
    /// # Panics
    /// If memory is refused.
    ///
    /// # Examples
    /// ```
    /// let mut near = larder::indices::GridIndex::<larder::Handle<u8>, 2>::new(1.0);
    /// near.reserve(100);
    /// assert!(near.stats().memory.committed > 1_000);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        if let Err(reason) = self.try_reserve(additional) {
            explain::refused::<Self>(&reason);
        }
    }

    /// As [`reserve`](Self::reserve), or says why there is no room.
    ///
    /// # Errors
    /// If memory is refused. Then nothing has changed that can be seen.
    ///
    /// # Examples
    /// ```
    /// let mut near = larder::indices::GridIndex::<larder::Handle<u8>, 2>::new(1.0);
    /// assert!(near.try_reserve(100).is_ok());
    /// assert!(near.try_reserve(usize::MAX).is_err());
    /// ```
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.groups.try_reserve(additional)
    }

    /// Takes a key out, and answers with its point. O(1), without memory.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(near.remove(wren), Some([1.0, 1.0]));
    /// assert_eq!(near.remove(wren), None);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    pub fn remove(&mut self, key: K) -> Option<[f32; N]> {
        self.groups.remove(key).map(|(entry, _)| entry.point)
    }

    /// Takes out all keys that a container has no value for (any more). O(keys). If the container
    /// panics, what came before is done. (A [`BareHandle`](crate::key::BareHandle) stays if its slot has another object now.)
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// birds.remove(kite);
    /// near.retain_live(&birds);
    /// assert!(near.len() == 2 && !near.contains_key(kite));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[doc(alias("flush", "remove_stale"))]
    pub fn retain_live(&mut self, of: &impl Container<Key = K>) {
        self.groups.retain_live(of);
    }

    /// Takes out all keys, and keeps the memory. O(keys).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// near.clear();
    /// assert!(near.is_empty());
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    pub fn clear(&mut self) {
        self.groups.clear();
    }
}

/// Reading.
impl<K: Key, const N: usize> GridIndex<K, N> {
    /// Where a key is filed; `None` if it is not. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(near.point(robin), Some([4.0, 5.0]));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[must_use]
    pub fn point(&self, key: K) -> Option<[f32; N]> {
        self.groups.member(key).map(|entry| entry.point)
    }

    /// Whether a key is filed. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// near.remove(wren);
    /// assert!(near.contains_key(robin) && !near.contains_key(wren));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[must_use]
    pub fn contains_key(&self, key: K) -> bool {
        self.groups.member(key).is_some()
    }

    /// Each key and its point, cell by cell, in no order. O(keys + cells) in all.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(near.iter().filter(|(_, [x, _])| *x > 0.0).count(), 2);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (K, [f32; N])> {
        self.groups.members().map(|entry| entry.pair())
    }

    /// How many keys are filed, stale ones included. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(near.len(), 3);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether no key is filed. O(1).
    ///
    /// # Examples
    /// ```
    /// assert!(larder::indices::GridIndex::<larder::Handle<u8>, 2>::new(1.0).is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many cells have points in them; the others take no memory. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(near.cell_count(), 2);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.groups.group_count()
    }

    /// How long a cell is along each axis. O(1).
    ///
    /// # Examples
    /// ```
    /// let near = larder::indices::GridIndex::<larder::Handle<u8>, 2>::new(2.5);
    /// assert_eq!(near.cell_size(), 2.5);
    /// ```
    #[must_use]
    pub fn cell_size(&self) -> f32 {
        self.cell_size
    }

    /// Returns its length, and where its memory goes: `values` are keys and points where they are listed, all else
    /// is bookkeeping. O(cells).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(near.stats().memory.values, 3 * 16);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[doc(alias = "memory_usage")]
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats::beside(self.len(), self.groups.memory_usage())
    }

    /// Checks everything that must hold, for the project's own tests.
    #[doc(hidden)]
    pub fn validate(&self) {
        self.groups.validate();
        for (&cell, entries) in self.groups.iter() {
            let is_there = |entry: &Entry<K, N>| Cell::of(entry.point, self.cell_size) == cell;
            assert!(entries.iter().all(is_there), "a point is in another cell than {cell:?}");
        }
    }
}

/// A point for which there is room in its cell.
#[expect(unnameable_types, reason = "part of the seal on `IndexBy`")]
#[derive(Debug)]
pub struct Placed<K: Key, const N: usize>(Ticket<Cell<N>, Entry<K, N>>);

impl<K: Key, const N: usize> Filing for GridIndex<K, N> {
    type Key = K;
    type Property = [f32; N];
    type Ticket = Placed<K, N>;
    /// Cells have nothing to drop.
    type Leftover = ();
    type Bulk = ();

    fn prepare(&mut self, key: K, point: [f32; N]) -> Result<Placed<K, N>, IndexError<K>> {
        if !point.iter().all(|coordinate| coordinate.is_finite()) {
            return Err(IndexError::NotFinite);
        }
        let cell = Cell::of(point, self.cell_size);
        self.groups.prepare(Entry { key, point }, cell).map(Placed)
    }

    fn file(&mut self, Placed(ticket): Placed<K, N>) {
        self.groups.file(ticket);
    }

    fn unfile(&mut self, key: K) {
        self.groups.remove(key);
    }

    fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError> {
        self.groups.try_reserve(keys)
    }

    fn clear(&mut self) {
        self.groups.clear();
    }

    fn len(&self) -> usize {
        self.groups.len()
    }
}

/// As a map from keys to points.
impl<K: Key, const N: usize> fmt::Debug for GridIndex<K, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
