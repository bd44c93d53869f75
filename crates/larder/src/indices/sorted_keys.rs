//! The keys of a container in another order, sorted when it is needed.

pub(super) mod radix;

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::iter::repeat_n;

pub use radix::RadixKey;

use crate::containers::container::RowContainer;
use crate::error::TryReserveError;
use crate::explain;
use crate::key::Key;
use crate::scratch::{fill, reserve};
use radix::Ranked;

/// The keys of a container, sorted by a property of their values, without changing the container.
///
/// For data that is sorted each time it is used: drawn by distance, or updated by priority. The memory is kept between
/// sorts: two ranks and three keys a value, 40 bytes for keys of 8.
///
/// Numbers are sorted by radix ([`by_key`](Self::by_key)), everything else by comparison ([`by`](Self::by),
/// [`by_cached_key`](Self::by_cached_key)). All sorts are stable. The keys are not updated when the container changes.
///
/// # Examples
/// ```
/// use core::cmp::Reverse;
/// use larder::{Arena, indices::SortedKeys};
///
/// struct Sprite {
///     depth: f32,
/// }
///
/// let mut sprites = Arena::from_iter([2.0, 8.5, -1.0].map(|depth| Sprite { depth }));
/// let mut order = SortedKeys::new(); // kept from frame to frame
/// for frame in 0..3 {
///     let mut last = f32::INFINITY;
///     for &key in order.by_key(&sprites, |sprite| Reverse(sprite.depth)) {
///         let sprite = &mut sprites[key]; // the farthest first
///         assert!(sprite.depth <= last);
///         last = sprite.depth;
///         sprite.depth += 1.0;
///     }
/// }
/// ```
#[doc(alias("sort", "radix sort", "permutation", "argsort", "order by", "view"))]
#[derive(Clone)]
pub struct SortedKeys<K: Key> {
    keys: Vec<K>,
    ranked: Vec<Ranked<K>>,
    /// As long as the longest radix sort.
    spare: Vec<Ranked<K>>,
}

/// Making.
impl<K: Key> SortedKeys<K> {
    /// Makes an empty order. O(1): allocates nothing.
    ///
    /// # Examples
    /// ```
    /// let order = larder::indices::SortedKeys::<larder::Handle<u8>>::new();
    /// assert!(order.keys().is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { keys: Vec::new(), ranked: Vec::new(), spare: Vec::new() }
    }
}

/// Sorting. If user code panics, or memory is refused, there are no keys.
impl<K: Key> SortedKeys<K> {
    /// Sorts by a number of each value, by radix. O(values × bytes of the number that differ). `rank` is called once a
    /// value.
    ///
    /// `values` are keys and values: `&arena`, a filtered `iter()`, a map of side data. `rank` returns a [`RadixKey`]:
    /// an integer of up to 64 bits, a float (in the order of `total_cmp`), `bool`, `char`, or a
    /// [`Reverse`](core::cmp::Reverse) of these for the largest first.
    ///
    /// # Panics
    /// If memory is refused.
    ///
    /// # Examples
    /// ```
    /// use larder::{DenseArena, indices::SortedKeys};
    ///
    /// let mut words = DenseArena::new();
    /// let (a, b, c) = (words.insert("three"), words.insert("one"), words.insert("two"));
    /// let mut order = SortedKeys::new();
    /// assert_eq!(order.by_key(&words, |word| word.len()), [b, c, a]);
    ///
    /// let short = words.iter().filter(|(_, word)| word.len() < 4);
    /// assert_eq!(order.by_key(short, |word| word.as_bytes()[0]), [b, c]);
    /// ```
    #[doc(alias("radix_sorted_by_key", "radix_sort_by_key", "sorted_keys_by_key"))]
    #[track_caller]
    pub fn by_key<V, R: RadixKey>(
        &mut self,
        values: impl IntoIterator<Item = (K, V)>,
        rank: impl FnMut(V) -> R,
    ) -> &[K] {
        explain::granted::<Self, _>(self.try_by_key(values, rank))
    }

    fn try_by_key<V, R: RadixKey>(
        &mut self,
        values: impl IntoIterator<Item = (K, V)>,
        mut rank: impl FnMut(V) -> R,
    ) -> Result<&[K], TryReserveError> {
        self.keys.clear();
        let ranked = values.into_iter().map(|(key, value)| Ranked::new(rank(value), key));
        fill(&mut self.ranked, ranked)?;
        if let Some(&any) = self.ranked.first() {
            if radix::is_one_digit(&self.ranked) {
                fill(&mut self.keys, repeat_n(any.key, self.ranked.len()))?;
                radix::scatter(&self.ranked, 0, |place, entry| self.keys[place] = entry.key);
                return Ok(&self.keys);
            }
            let (len, before) = (self.ranked.len(), self.spare.len());
            reserve(&mut self.spare, len.saturating_sub(before))?;
            // Its contents do not matter.
            self.spare.resize(len.max(before), any);
            radix::sort(&mut self.ranked, &mut self.spare[..len]);
        }
        self.take_ranked()
    }

    /// Sorts keys by comparison. O(n log n).
    ///
    /// # Panics
    /// If memory is refused, or if the sort detects that `compare` is not a total order.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::SortedKeys, pools::StringPool};
    ///
    /// let mut names = StringPool::new();
    /// let mut birds = Arena::new();
    /// let wren = birds.insert(names.intern("wren"));
    /// let kite = birds.insert(names.intern("kite"));
    /// let mut order = SortedKeys::new();
    /// let sorted = order.by(birds.keys(), |a, b| names[birds[a]].cmp(&names[birds[b]]));
    /// assert_eq!(sorted, [kite, wren]);
    /// ```
    #[doc(alias = "sorted_keys_by")]
    #[track_caller]
    pub fn by(
        &mut self,
        keys: impl IntoIterator<Item = K>,
        compare: impl FnMut(K, K) -> Ordering,
    ) -> &[K] {
        explain::granted::<Self, _>(self.try_by(keys, compare))
    }

    fn try_by(
        &mut self,
        keys: impl IntoIterator<Item = K>,
        mut compare: impl FnMut(K, K) -> Ordering,
    ) -> Result<&[K], TryReserveError> {
        self.keys.clear();
        // Numbered, so that the order is stable: a stable sort would allocate.
        let numbered = (0_u64..).zip(keys).map(|(number, key)| Ranked::new(number, key));
        fill(&mut self.ranked, numbered)?;
        self.ranked
            .sort_unstable_by(|a, b| compare(a.key, b.key).then_with(|| a.rank.cmp(&b.rank)));
        self.take_ranked()
    }

    /// Sorts by a rank that is computed, or borrowed, once for each value. O(n log n), with memory for the ranks during
    /// the call.
    ///
    /// # Panics
    /// If memory is refused, or if the sort detects that the ranks have no total order.
    ///
    /// # Examples
    /// ```
    /// let words = larder::Arena::from_iter(["wren", "Kite", "owl"]);
    /// let mut order = larder::indices::SortedKeys::new();
    /// order.by_cached_key(&words, |word| word.to_lowercase());
    /// assert!(order.iter(&words).map(|(_, word)| *word).eq(["Kite", "owl", "wren"]));
    /// ```
    #[track_caller]
    pub fn by_cached_key<V, R: Ord>(
        &mut self,
        values: impl IntoIterator<Item = (K, V)>,
        rank: impl FnMut(V) -> R,
    ) -> &[K] {
        explain::granted::<Self, _>(self.try_by_cached_key(values, rank))
    }

    fn try_by_cached_key<V, R: Ord>(
        &mut self,
        values: impl IntoIterator<Item = (K, V)>,
        mut rank: impl FnMut(V) -> R,
    ) -> Result<&[K], TryReserveError> {
        self.keys.clear();
        let (mut ranks, numbered) = (Vec::new(), (0_usize..).zip(values));
        let ranked = numbered.map(|(number, (key, value))| (rank(value), number, key));
        fill(&mut ranks, ranked)?;
        ranks.sort_unstable_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
        fill(&mut self.keys, ranks.into_iter().map(|(_, _, key)| key))?;
        Ok(&self.keys)
    }

    fn take_ranked(&mut self) -> Result<&[K], TryReserveError> {
        // The length is known: either all memory is there, or no key is taken.
        fill(&mut self.keys, self.ranked.iter().map(|ranked| ranked.key))?;
        Ok(&self.keys)
    }
}

/// Reading.
impl<K: Key> SortedKeys<K> {
    /// The keys, as sorted last. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Arena::new();
    /// let (b, a) = (arena.insert("b"), arena.insert("a"));
    /// let mut order = larder::indices::SortedKeys::new();
    /// order.by_cached_key(&arena, |word| *word);
    /// assert_eq!(order.keys(), [a, b]);
    /// ```
    #[must_use]
    pub fn keys(&self) -> &[K] {
        &self.keys
    }

    /// Walks the keys that still have a value in the container, and the values, as sorted last. O(keys) in all.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Arena::new();
    /// let (b, a) = (arena.insert(2), arena.insert(1));
    /// let mut order = larder::indices::SortedKeys::new();
    /// order.by_key(&arena, |number| *number);
    /// arena.remove(a);
    /// assert!(order.iter(&arena).eq([(b, &2)]));
    /// ```
    pub fn iter<'a, C: RowContainer<Key = K>>(
        &'a self,
        container: &'a C,
    ) -> impl DoubleEndedIterator<Item = (K, &'a C::Value)> {
        self.keys.iter().filter_map(|&key| Some((key, container.get(key)?)))
    }
}

impl<K: Key> Default for SortedKeys<K> {
    fn default() -> Self {
        Self::new()
    }
}

/// A list of the keys.
impl<K: Key> fmt::Debug for SortedKeys<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.keys).finish()
    }
}
