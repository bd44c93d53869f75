//! An index of points, in the cells of a grid.

mod cells;
mod points;
mod queries;
mod search;
mod table;

use core::fmt;

use super::error::IndexError;
use super::index_by::IndexBy;
use super::methods::methods;
use super::two_phase::TwoPhase;
use crate::containers::container::Container;
use crate::error::TryReserveError;
use crate::key::Key;
use crate::stats::Stats;
use cells::{Block, Cell};
use points::{Points, Ticket};
use search::All;

/// Hidden lines of the examples: two birds, and an empty grid.
macro_rules! example {
    () => {
        "# use larder::{Arena, indices::GridIndex};\n\
         # let mut birds = Arena::new();\n\
         # let (wren, kite) = (birds.insert(\"wren\"), birds.insert(\"kite\"));\n\
         # let mut index = GridIndex::new(10.0);"
    };
}

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
use birds;

/// The objects near a point, in 2 or 3 dimensions. Needs the feature `hashbrown`.
///
/// It lies beside a container and has to be told of changes: an object that moves is [inserted](Self::insert) again. If
/// it is not told of a removal, the stale key stays filed until the next object in its slot is, or
/// [`retain_live`](Self::retain_live) is called. An [`Indexed`](crate::indices::Indexed) owns a container and its
/// indices, and updates them.
///
/// [`BareHandle`](crate::key::BareHandle) keys cannot be stale: an entry of a removed object is taken for one of the next
/// object in its slot. Then tell the index of every removal, or use an `Indexed`.
///
/// Queries are exact. They accept any finite coordinates, and any radius: if it covers very many cells, all points are
/// checked instead. Distances are computed in `f64`.
///
/// # Layout
/// ```text
/// table     cell, hash, list │ …            a cell with points, found by hash
/// lists     key point, key point · │ …      its points, a slice of one block
/// places    list, position │ …              by slot: where a key's point lies
/// ```
/// A query reads points cell by cell, and nothing of the objects.
///
/// # Size of the cells
/// About twice the most frequent radius: then a query reads at most 4 cells on a plane, and 8 in space. Smaller cells
/// are more lookups by hash; larger ones have more points outside of the radius. For [`nearest`](Self::nearest) a cell
/// should have a few points: `len() / cell_count()`.
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert`, also to move | O(1) amortised |
/// | `remove`, `point` | O(1) |
/// | `within`, `in_box` | O(cells covered + points in them), O(keys) at most |
/// | `nearest` | the same, for twice the distance of the result |
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
#[derive(Clone)]
pub struct GridIndex<K: Key, const N: usize> {
    cell_size: f32,
    inner: Points<K, N>,
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
        Self { cell_size, inner: Points::new() }
    }

    pub(crate) fn is_cell_size(size: f32) -> bool {
        size > 0.0 && size.is_finite()
    }

    /// Makes an empty index for an [`Indexed`](crate::indices::Indexed), in which rows are filed at the points that the
    /// function returns. O(1).
    ///
    /// # Panics
    /// If the length is not positive and finite.
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
    /// assert_eq!(birds.indices().nearest([-40.0, 0.0]).unwrap(), Some((wren, [-50.0, 0.0])));
    /// ```
    #[must_use]
    #[track_caller]
    pub fn by<V, F: Fn(&V) -> [f32; N]>(cell_size: f32, place: F) -> IndexBy<Self, F> {
        IndexBy::new(Self::new(cell_size), place)
    }

    /// Removes a key and returns its point. O(1), without memory.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(near.remove(wren), Some([1.0, 1.0]));
    /// assert_eq!(near.remove(wren), None);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    pub fn remove(&mut self, key: K) -> Option<[f32; N]> {
        self.inner.remove(key)
    }
}

methods! {
    GridIndex, [K: Key, const N: usize], [K, N], of [f32; N],
    example: example, "[1.0, 1.0]", "[4.0, 5.0]",
    insert where [], cost: "O(1) amortised.",
    errors: "If a coordinate is infinite or not a number, the key is stale or dangling, or memory is refused.",
    panics: "",
    extend: "O(keys)."
}

/// Reading.
impl<K: Key, const N: usize> GridIndex<K, N> {
    /// The point of a key. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(near.point(robin), Some([4.0, 5.0]));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[must_use]
    pub fn point(&self, key: K) -> Option<[f32; N]> {
        self.inner.get(key)
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
        self.found(Block::ALL, All)
    }

    /// How many cells have points; others take no memory. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(near.cell_count(), 2);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.inner.cell_count()
    }

    /// The length of a cell along each axis. O(1).
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

    /// Panics if the index is inconsistent, for the project's own tests.
    #[doc(hidden)]
    pub fn validate(&self) {
        self.inner.validate(|point| Cell::of(point, self.cell_size));
    }
}

/// A prepared point.
#[expect(unnameable_types, reason = "part of the seal on `IndexBy`")]
#[derive(Debug)]
pub struct Placed<K, const N: usize>(Ticket<K, N>);

impl<K: Key, const N: usize> TwoPhase for GridIndex<K, N> {
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
        Ok(Placed(self.inner.prepare(key, point, cell)?))
    }

    fn file(&mut self, Placed(ticket): Placed<K, N>) {
        self.inner.file(ticket);
    }

    fn unfile(&mut self, key: K) {
        self.inner.remove(key);
    }

    fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError> {
        self.inner.try_reserve(keys)
    }

    fn clear(&mut self) {
        self.inner.clear();
    }

    fn len(&self) -> usize {
        self.inner.len()
    }
}

/// As a map from keys to points.
impl<K: Key, const N: usize> fmt::Debug for GridIndex<K, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
