//! An index in the order of properties.

mod mend;
mod node;
mod tree;
mod walk;
mod whole;

use core::borrow::Borrow;
use core::ops::{Bound, RangeBounds};

use super::index_by::{BySome, IndexBy};
use super::key_index::KeyIndex;
use larder_core::key::Key;
pub use tree::InOrder;

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
/// key stays filed until the next object in its slot is, or [`retain_live`](KeyIndex::retain_live) is called. An
/// [`Table`](larder_core::track::Table) owns a container and its indices, and updates them.
///
/// [`BareHandle`](larder_core::key::BareHandle) keys cannot be stale: the entry of a removed object is returned for
/// the next object in its slot. With such keys, tell the index of every removal, or use a `Table`.
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
pub type SortedIndex<Q, K> = KeyIndex<InOrder<Q, K>>;

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
        Self { layout: InOrder::new() }
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
        self.layout.iter()
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
        self.layout.remove(key)
    }

    /// Removes and returns the key of [`first`](Self::first), with its property. O(1) amortised, as
    /// [`remove`](Self::remove).
    ///
    /// # Examples
    /// A priority queue:
    /// ```
    #[doc = birds!()]
    /// assert_eq!(by_weight.pop_first(), Some((9, wren)));
    /// assert_eq!(by_weight.first(), Some((&18, robin)));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[doc(alias("pop_min", "dequeue"))]
    #[inline]
    pub fn pop_first(&mut self) -> Option<(Q, K)>
    where
        Q: Clone,
    {
        self.layout.pop_first()
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
    pub fn pop_last(&mut self) -> Option<(Q, K)>
    where
        Q: Clone,
    {
        self.layout.pop_last()
    }
}

/// Making, and properties of keys.
impl<Q, K: Key> SortedIndex<Q, K> {
    /// Makes an empty index for a [`Table`](larder_core::track::Table), in which objects are filed under what the
    /// function returns. O(1).
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "track")] {
    /// use larder::{Arena, indices::SortedIndex, track::Table};
    ///
    /// let words = Arena::from_iter(["wren", "robin"]);
    /// let words = Table::with(words, SortedIndex::by(|word: &&str| word.len()));
    /// assert_eq!(words.observers().len(), 2);
    /// # }
    /// ```
    #[must_use]
    pub fn by<V, F: Fn(&V) -> Q>(property: F) -> IndexBy<Self, F>
    where
        Q: Ord + Clone,
    {
        IndexBy::new(Self::new(), property)
    }

    /// Like [`by`](Self::by), but objects for which the function returns `None` are not filed. O(1).
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "track")] {
    /// use larder::{Arena, indices::SortedIndex, track::Table};
    ///
    /// let mut ages = Table::with(Arena::new(), SortedIndex::by_some(|age: &Option<u32>| *age));
    /// let [egg, chick] = [None, Some(3)].map(|age| ages.insert(age));
    /// assert!(ages.observers().len() == 1 && !ages.observers().contains_key(egg));
    /// ages.modify(chick, |age| *age = None).unwrap();
    /// assert!(ages.observers().is_empty());
    /// # }
    /// ```
    #[must_use]
    pub fn by_some<V, F: Fn(&V) -> Option<Q>>(property: F) -> IndexBy<Self, BySome<F>>
    where
        Q: Ord + Clone,
    {
        IndexBy::of_some(Self::new(), property)
    }

    /// Returns the property that a key is filed under. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// assert_eq!(by_weight.property(wren), Some(&9));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[must_use]
    pub fn property(&self, key: K) -> Option<&Q> {
        self.layout.property(key)
    }
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
        self.layout.find(property)
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
        self.layout.range(&range)
    }
}
