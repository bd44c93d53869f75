//! An index in the order of properties.

mod mend;
mod node;
mod tree;
mod walk;

use alloc::vec::Vec;
use core::borrow::Borrow;
use core::ops::{Bound, RangeBounds};
use core::{fmt, mem};

use super::IndexError;
use super::row_index::IndexBy;
use super::row_index::{self, TwoPhase};
use super::{methods, properties};
use crate::containers::container::Container;
use crate::error::TryReserveError;
use crate::key::Key;
use crate::stats::Stats;
use tree::{Leftover, Ticket, Tree};

/// Hidden lines of the examples: two birds, and an index by a number.
macro_rules! example {
    () => {
        "# use larder::{Arena, indices::SortedIndex};\n\
         # let mut birds = Arena::new();\n\
         # let (wren, kite) = (birds.insert(\"wren\"), birds.insert(\"kite\"));\n\
         # let mut index = SortedIndex::new();"
    };
}

/// Hidden lines of the examples: three birds, and an index by weight.
macro_rules! birds {
    () => {
        "# use larder::{Arena, indices::SortedIndex};\n\
         # let birds = Arena::from_iter([\"wren\", \"robin\", \"kite\"]);\n\
         # let keys: Vec<_> = birds.keys().collect();\n\
         # let [wren, robin, kite] = keys[..] else { unreachable!() };\n\
         # let mut by_weight = SortedIndex::new();\n\
         # by_weight.insert(wren, 9)?;\n\
         # by_weight.insert(robin, 18)?;\n\
         # by_weight.insert(kite, 900)?;"
    };
}

/// Objects in the order of a property: the first, the last and ranges.
///
/// It is separate from its container and has to be told of changes. If it is not told of a removal, the stale
/// key stays filed until the next object in its slot is, or [`retain_live`](Self::retain_live) is called. An
/// [`Indexed`](crate::indices::Indexed) owns a container and its indices, and updates them.
///
/// [`BareHandle`](crate::key::BareHandle) keys cannot be stale: the entry of a removed object is returned for
/// the next object in its slot. With such keys, tell the index of every removal, or use an `Indexed`.
///
/// Any number of keys may have the same property; their order is unspecified. `f32` and `f64` are not `Ord`: file them
/// as a type that compares by `total_cmp`.
///
/// A removal starts at the key, not at its property: it neither compares properties nor clones them, and it allocates
/// nothing. The only user code that it runs is the `Drop` of properties, after the key is removed. Refused memory is an
/// error.
///
/// # Layout
/// A B+tree. Each key is stored beside its property, up to 32 of them in a leaf; the keys with one property are side by
/// side in one leaf, which has as many as there are if all of them have the same property. An inner node has clones of
/// properties, about one for every 20 keys.
/// ```text
/// inner   leaf │ property │ leaf │ property │ leaf …
/// leaf    properties, keys
/// places  leaf │ leaf │ – │ leaf …                       by slot
/// ```
///
/// # Costs
/// | | |
/// |---|---|
/// | `get`, `insert`, `range` | O(log n) |
/// | `first`, `last`, `remove`, `pop_first`, `pop_last` | O(1) amortised |
/// | a step of a walk | O(1): two slices for each leaf |
/// | memory | a property, a key and 4 bytes, about 1.5 times, and 4 bytes more once there are more than 32 keys with one property |
///
/// # Examples
/// ```
/// use larder::{Arena, indices::SortedIndex};
///
/// let mut birds = Arena::new();
/// let (wren, robin, kite) = (birds.insert("wren"), birds.insert("robin"), birds.insert("kite"));
///
/// let mut by_weight = SortedIndex::new();
/// by_weight.insert(kite, 900)?;
/// by_weight.insert(wren, 9)?;
/// by_weight.insert(robin, 18)?;
/// assert_eq!(by_weight.first(), Some((&9, wren)));
/// assert!(by_weight.range(10..).map(|(_, bird)| bird).eq([robin, kite]));
/// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
/// ```
#[doc(alias("ordered index", "range query", "priority queue", "BTreeMap"))]
#[derive(Clone)]
pub struct SortedIndex<Q, K: Key> {
    inner: Tree<Q, K>,
}

impl<Q, K: Key> SortedIndex<Q, K> {
    /// Makes an empty index. O(1): allocates nothing.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, indices::SortedIndex};
    ///
    /// assert!(SortedIndex::<u32, Handle<&str>>::new().is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { inner: Tree::new() }
    }

    /// Walks the properties and keys in order, from either end. O(keys) in all.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert!(by_weight.iter().rev().eq([(&900, kite), (&18, robin), (&9, wren)]));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Q, K)> + Clone {
        self.inner.iter()
    }

    /// Returns the smallest property, and a key that has it. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(by_weight.first(), Some((&9, wren)));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[doc(alias("min"))]
    #[must_use]
    pub fn first(&self) -> Option<(&Q, K)> {
        self.iter().next()
    }

    /// Returns the greatest property, and a key that has it. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(by_weight.last(), Some((&900, kite)));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[doc(alias("max"))]
    #[must_use]
    pub fn last(&self) -> Option<(&Q, K)> {
        self.iter().next_back()
    }

    /// Removes a key and returns whether it was filed. O(1) amortised: no property is compared or cloned.
    ///
    /// The only user code that runs is the `Drop` of properties, after the key is removed.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert!(by_weight.remove(wren));
    /// assert!(!by_weight.remove(wren));
    /// assert_eq!(by_weight.first(), Some((&18, robin)));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    pub fn remove(&mut self, key: K) -> bool {
        self.inner.unfile(key)[0].is_some()
    }

    /// Removes and returns the key of [`first`](Self::first), with its property. O(1) amortised, as
    /// [`remove`](Self::remove).
    ///
    /// # Examples
    /// As a priority queue:
    /// ```
    #[doc = birds!()]
    /// assert_eq!(by_weight.pop_first(), Some((9, wren)));
    /// assert_eq!(by_weight.first(), Some((&18, robin)));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[doc(alias("pop_min", "dequeue"))]
    #[inline]
    pub fn pop_first(&mut self) -> Option<(Q, K)> {
        self.inner.pop_first()
    }

    /// Removes and returns the key of [`last`](Self::last), with its property. O(1) amortised, as
    /// [`remove`](Self::remove).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(by_weight.pop_last(), Some((900, kite)));
    /// assert_eq!(by_weight.len(), 2);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[doc(alias("pop_max"))]
    #[inline]
    pub fn pop_last(&mut self) -> Option<(Q, K)> {
        self.inner.pop_last()
    }
}

methods! {
    SortedIndex, [Q: Ord, K: Key], [Q, K], of Q, example: example, "17", "18",
    insert where [Q: Clone,], cost: "O(log n).",
    errors: "If the key is stale or dangling, or memory is refused.",
    panics: "# Panics\nIf `Ord` or `Clone` of a property panics: then nothing has changed. If the `Drop` of the property that \
             the key had panics: then the key is filed.\n",
    extend: "O(n log n). An empty index sorts the pairs whose slots ascend first, which takes less time and memory; if memory \
             is refused, any of these may be filed, and if the iterator or `Ord` panics, it stays empty.",
    reserve: "The same is true of keys that are removed and others that are filed instead. More than 16 keys with one \
              property may need memory, and more than 32 do, since they lie side by side. For eight keys that there is room for \
              there are two leaves. O(keys)."
}

properties! {
    SortedIndex, [Q: Ord, K: Key], [Q, K], example: example, by where [Ord + Clone]
}

/// Finding.
impl<Q: Ord, K: Key> SortedIndex<Q, K> {
    /// Returns the keys with a property. O(log n).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(by_weight.get(&18), [robin]);
    /// assert_eq!(by_weight.get(&19), []);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn get<B: Ord + ?Sized>(&self, property: &B) -> &[K]
    where
        Q: Borrow<B>,
    {
        self.inner.find(property)
    }

    /// Walks the properties in a range, and their keys, in order, from either end. O(log n), and O(1) a key.
    ///
    /// # Panics
    /// If the range starts after its end.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert!(by_weight.range(9..=18).eq([(&9, wren), (&18, robin)]));
    /// assert!(by_weight.range(..18).eq([(&9, wren)]));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[inline(always)]
    pub fn range<B: Ord + ?Sized>(
        &self,
        range: impl RangeBounds<B>,
    ) -> impl DoubleEndedIterator<Item = (&Q, K)> + Clone
    where
        Q: Borrow<B>,
    {
        let (start, end) = (range.start_bound(), range.end_bound());
        if let (Bound::Included(a) | Bound::Excluded(a), Bound::Included(b) | Bound::Excluded(b)) =
            (start, end)
        {
            assert!(a <= b, "the range starts after its end");
            let is_open = matches!((start, end), (Bound::Excluded(_), Bound::Excluded(_)));
            assert!(
                a < b || !is_open,
                "the range excludes the property at which it starts and ends"
            );
        }
        self.inner.range(&range)
    }
}

impl<Q: Ord + Clone, K: Key> TwoPhase for SortedIndex<Q, K> {
    type Key = K;
    type Property = Q;
    type Ticket = Ticket<Q, K>;
    type Leftover = Leftover<Q>;

    fn prepare(&mut self, key: K, property: Q) -> Result<Ticket<Q, K>, IndexError<K>> {
        self.inner.prepare(key, property)
    }

    #[inline]
    fn insert(&mut self, key: K, property: Q) -> Result<(), IndexError<K>> {
        self.inner.insert(key, property).map(drop)
    }

    fn file(&mut self, ticket: Ticket<Q, K>) -> Leftover<Q> {
        self.inner.file(ticket)
    }

    fn unfile(&mut self, key: K) -> Leftover<Q> {
        self.inner.unfile(key)
    }

    fn cancel(&mut self, ticket: Ticket<Q, K>) {
        drop(self.inner.cancel(ticket));
    }

    fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError> {
        self.inner.try_reserve(keys)
    }

    fn expect(&mut self, keys: usize) -> Result<(), TryReserveError> {
        self.inner.expect(keys)
    }

    fn may_wait(&self, _property: &Q) -> bool {
        true
    }

    /// The greatest first, so that each one goes to the end of a leaf.
    fn arrange(&self, pairs: &mut Vec<(K, Q)>) {
        pairs.sort_unstable_by(|(key, property), (other, against)| {
            against.cmp(property).then(key.slot().cmp(&other.slot()))
        });
    }

    fn extend(&mut self, pairs: impl IntoIterator<Item = (K, Q)>) -> Result<(), IndexError<K>> {
        if !self.is_empty() {
            return row_index::extend(self, pairs);
        }
        // If user code panics, the index stays empty.
        let mut filed = mem::take(self);
        let outcome = row_index::extend(&mut filed, pairs);
        *self = filed;
        outcome
    }

    fn len(&self) -> usize {
        self.inner.len()
    }

    fn clear(&mut self) {
        self.inner.clear();
    }
}

impl<Q, K: Key> Default for SortedIndex<Q, K> {
    /// An empty index.
    fn default() -> Self {
        Self::new()
    }
}

impl<Q: fmt::Debug, K: Key> fmt::Debug for SortedIndex<Q, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
