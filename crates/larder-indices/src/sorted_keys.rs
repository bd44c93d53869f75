//! The keys of a container in another order, sorted when it is needed: by comparison, or by radix, a byte at a time.

use alloc::vec::Vec;
use core::cmp::{Ordering, Reverse};
use core::fmt;
use core::iter::repeat_n;

use crate::scratch::fill;
use larder_core::TryReserveError;
use larder_core::containers::RowContainer;
use larder_core::key::Key;
use larder_core::room;
use larder_core::room::{reserve, reserve_exact, shrink};
use sealed::Rank;

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
    /// Room for the longest radix sort so far, which moves entries from one vector to the other.
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

/// Capacity.
impl<K: Key> SortedKeys<K> {
    /// Makes room for sorting this many values: [`by`](Self::by) and [`by_key`](Self::by_key) of at most so many do not
    /// allocate then. (The ranks of [`by_cached_key`](Self::by_cached_key) are in memory of their own.) O(values).
    ///
    /// # Panics
    /// If allocation fails.
    ///
    /// # Examples
    /// ```
    /// let mut order = larder::indices::SortedKeys::<larder::Handle<u8>>::new();
    /// order.reserve(100);
    /// assert!(order.capacity() >= 100);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, values: usize) {
        room::granted::<Self, _>(self.try_reserve(values));
    }

    /// Like [`reserve`](Self::reserve), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If allocation fails. Then the keys are unchanged.
    ///
    /// # Examples
    /// ```
    /// let mut order = larder::indices::SortedKeys::<larder::Handle<u8>>::new();
    /// assert!(order.try_reserve(100).is_ok());
    /// assert!(order.try_reserve(usize::MAX).is_err());
    /// ```
    pub fn try_reserve(&mut self, values: usize) -> Result<(), TryReserveError> {
        let missing = |length: usize| values.saturating_sub(length);
        let (keys, ranked, spare) = (self.keys.len(), self.ranked.len(), self.spare.len());
        reserve_exact(&mut self.keys, missing(keys))?;
        reserve_exact(&mut self.ranked, missing(ranked))?;
        reserve_exact(&mut self.spare, missing(spare))
    }

    /// Returns how many values can be sorted without allocating, as [`reserve`](Self::reserve) says. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::Arena::from_iter(0..1_000);
    /// let mut order = larder::indices::SortedKeys::new();
    /// order.by_key(&arena, |number| *number);
    /// assert!(order.capacity() >= 1_000);
    /// ```
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.keys.capacity().min(self.ranked.capacity()).min(self.spare.capacity())
    }

    /// Gives back all memory but that of the keys, as far as the allocator agrees. O(keys).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::Arena::from_iter(0..1_000);
    /// let mut order = larder::indices::SortedKeys::new();
    /// order.by_key(&arena, |number| *number);
    /// order.shrink_to_fit();
    /// assert_eq!((order.keys().len(), order.capacity()), (1_000, 0));
    /// ```
    pub fn shrink_to_fit(&mut self) {
        (self.ranked, self.spare) = (Vec::new(), Vec::new());
        shrink(&mut self.keys);
    }
}

/// Sorting. If user code panics, or allocation fails, there are no keys.
impl<K: Key> SortedKeys<K> {
    /// Sorts by a number of each value, by radix. O(values × bytes of the number that differ). `rank` is called once a
    /// value.
    ///
    /// `values` are keys and values: `&arena`, a filtered `iter()`, a map of side data. `rank` returns a [`RadixKey`]:
    /// an integer of up to 64 bits, a float (in the order of `total_cmp`), `bool`, `char`, or a
    /// [`Reverse`] of these for the largest first.
    ///
    /// # Panics
    /// If allocation fails.
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
        mut rank: impl FnMut(V) -> R,
    ) -> &[K] {
        self.keys.clear();
        let ranked = values.into_iter().map(|(key, value)| Ranked::new(rank(value), key));
        room::granted::<Self, _>(fill(&mut self.ranked, ranked));
        if let Some(&any) = self.ranked.first() {
            if is_one_digit(&self.ranked) {
                let any = repeat_n(any.key, self.ranked.len());
                room::granted::<Self, _>(fill(&mut self.keys, any));
                scatter(&self.ranked, 0, |place, entry| self.keys[place] = entry.key);
                return &self.keys;
            }
            let (len, before) = (self.ranked.len(), self.spare.len());
            room::granted::<Self, _>(reserve(&mut self.spare, len.saturating_sub(before)));
            // Its contents do not matter.
            self.spare.resize(len.max(before), any);
            sort(&mut self.ranked, &mut self.spare[..len]);
        }
        self.take_ranked()
    }

    /// Sorts keys by comparison. O(n log n).
    ///
    /// # Panics
    /// If allocation fails, or if the sort detects that `compare` is not a total order.
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
        mut compare: impl FnMut(K, K) -> Ordering,
    ) -> &[K] {
        self.keys.clear();
        // Numbered, so that the order is stable: a stable sort would allocate.
        let numbered = (0_u64..).zip(keys).map(|(number, key)| Ranked::new(number, key));
        room::granted::<Self, _>(fill(&mut self.ranked, numbered));
        self.ranked
            .sort_unstable_by(|a, b| compare(a.key, b.key).then_with(|| a.rank.cmp(&b.rank)));
        self.take_ranked()
    }

    /// Sorts by a rank that is computed, or borrowed, once for each value. O(n log n), with memory for the ranks during
    /// the call.
    ///
    /// # Panics
    /// If allocation fails, or if the sort detects that the ranks have no total order.
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
        mut rank: impl FnMut(V) -> R,
    ) -> &[K] {
        self.keys.clear();
        let (mut ranks, numbered) = (Vec::new(), (0_usize..).zip(values));
        let ranked = numbered.map(|(number, (key, value))| (rank(value), number, key));
        room::granted::<Self, _>(fill(&mut ranks, ranked));
        ranks.sort_unstable_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
        let sorted = ranks.into_iter().map(|(_, _, key)| key);
        room::granted::<Self, _>(fill(&mut self.keys, sorted));
        &self.keys
    }

    #[track_caller]
    fn take_ranked(&mut self) -> &[K] {
        // The length is known: either all memory is there, or no key is taken.
        let sorted = self.ranked.iter().map(|ranked| ranked.key);
        room::granted::<Self, _>(fill(&mut self.keys, sorted));
        &self.keys
    }
}

/// Reading.
impl<K: Key> SortedKeys<K> {
    /// Returns the keys, as sorted last. O(1).
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

/// A number that [`SortedKeys::by_key`](crate::SortedKeys::by_key) sorts by: integers of up to 64 bits, `f32`
/// and `f64`, `bool`, `char`, and [`Reverse`] of them.
///
/// Floats are in the order of [`f32::total_cmp`]: -NaN, -∞, …, -0.0, 0.0, …, ∞, NaN. The trait is sealed.
///
/// # Examples
/// ```
/// let mut numbers = larder::Arena::new();
/// let [nan, one, less] = [f32::NAN, 1.0, -1.0].map(|number| numbers.insert(number));
/// let mut order = larder::indices::SortedKeys::new();
/// assert_eq!(order.by_key(&numbers, |number| *number), [less, one, nan]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number that can be sorted by radix",
    note = "sort by anything else that is `Ord` with `by_cached_key`, or compare with `by`"
)]
pub trait RadixKey: Rank {}

#[expect(unnameable_types, reason = "it seals the public trait `RadixKey`")]
mod sealed {
    /// A type whose values sort like a number.
    pub trait Rank {
        /// A number in the same order.
        fn rank(self) -> u64;
    }
}

macro_rules! radix_keys {
    ($($number:ty, |$value:ident| $rank:expr;)*) => {$(
        impl Rank for $number {
            #[inline]
            fn rank(self) -> u64 {
                let $value = self;
                $rank
            }
        }

        impl RadixKey for $number {}
    )*};
}

radix_keys! {
    u8, |number| number.into();
    u16, |number| number.into();
    u32, |number| number.into();
    u64, |number| number;
    usize, |number| number as u64;
    // The sign bit the other way round: negative numbers come first.
    i8, |number| (number as u8 ^ 1 << 7).into();
    i16, |number| (number as u16 ^ 1 << 15).into();
    i32, |number| (number as u32 ^ 1 << 31).into();
    i64, |number| number as u64 ^ 1 << 63;
    isize, |number| (number as i64).rank();
    // A negative float has all its bits inverted, because it comes earlier the larger its magnitude is.
    f32, |number| {
        let bits = number.to_bits();
        (bits ^ ((bits as i32 >> 31) as u32 | 1 << 31)).into()
    };
    f64, |number| {
        let bits = number.to_bits();
        bits ^ ((bits as i64 >> 63) as u64 | 1 << 63)
    };
    bool, |value| value.into();
    char, |value| value.into();
}

impl<R: RadixKey> Rank for Reverse<R> {
    #[inline]
    fn rank(self) -> u64 {
        !self.0.rank()
    }
}

impl<R: RadixKey> RadixKey for Reverse<R> {}

/// A key, and the number to sort it by.
#[derive(Clone, Copy)]
pub(crate) struct Ranked<K> {
    pub(crate) rank: u64,
    pub(crate) key: K,
}

impl<K> Ranked<K> {
    #[inline]
    pub(crate) fn new(rank: impl Rank, key: K) -> Self {
        Self { rank: rank.rank(), key }
    }
}

const DIGIT_BITS: u32 = 8;
const DIGITS: usize = 1 << DIGIT_BITS;

/// So few are sorted by comparison: a pass takes as long for one as for a hundred.
const FEW: usize = 64;

/// Sorts by rank; equal ones keep their order. `spare` is as long, and its contents do not matter.
///
/// By the highest digits that differ, as many as nearly tell all from each other, with one pass over all for
/// each digit, the lowest first. Then come the runs in which they are equal, each by its own highest digits:
/// at most 8 passes move an entry, whatever the ranks are.
pub(crate) fn sort<K: Copy>(entries: &mut [Ranked<K>], spare: &mut [Ranked<K>]) {
    if entries.len() <= FEW {
        // A stable sort, which for so few takes its scratch from the stack.
        return entries.sort_by_key(|entry| entry.rank);
    }
    let bits = differing_bits(entries);
    let passes = enough_digits(entries.len()).min(bits.div_ceil(DIGIT_BITS));
    let lowest = bits.saturating_sub(passes * DIGIT_BITS);
    let (mut from, mut to) = (&mut *entries, &mut *spare);
    for pass in 0..passes {
        scatter(from, lowest + pass * DIGIT_BITS, |place, entry| to[place] = entry);
        core::mem::swap(&mut from, &mut to);
    }
    if passes % 2 == 1 {
        to.copy_from_slice(from);
    }
    if lowest > 0 {
        sort_runs(entries, spare, lowest);
    }
}

/// Sorts the runs of ranks that are equal from this bit on.
fn sort_runs<K: Copy>(entries: &mut [Ranked<K>], spare: &mut [Ranked<K>], lowest: u32) {
    let mut sorted = 0;
    // Most runs are of one, and of the others many are in order.
    while let Some(descent) = entries[sorted..].windows(2).position(|two| two[0].rank > two[1].rank)
    {
        let descent = sorted + descent;
        let digits = entries[descent].rank >> lowest;
        let is_other = |entry: &Ranked<K>| entry.rank >> lowest != digits;
        let start = entries[..descent].iter().rposition(is_other).map_or(0, |other| other + 1);
        let end = entries[descent..].iter().position(is_other);
        let end = end.map_or(entries.len(), |other| descent + other);
        sort(&mut entries[start..end], &mut spare[start..end]);
        sorted = end;
    }
}

/// Returns the number of digits by which random ranks of this many entries are nearly all different.
fn enough_digits(entries: usize) -> u32 {
    match entries {
        0..=1024 => 1,
        1025..=0x4_0000 => 2,
        _ => 3,
    }
}

/// Returns whether there are more than a few entries, and their ranks differ in one digit only.
fn is_one_digit<K>(entries: &[Ranked<K>]) -> bool {
    entries.len() > FEW && differing_bits(entries) <= DIGIT_BITS
}

/// Returns the number of bits from the lowest to the highest in which ranks differ.
fn differing_bits<K>(entries: &[Ranked<K>]) -> u32 {
    let Some(first) = entries.first() else { return 0 };
    let differing = entries.iter().fold(0, |bits, entry| bits | (entry.rank ^ first.rank));
    u64::BITS - differing.leading_zeros()
}

#[inline]
fn digit(rank: u64, shift: u32) -> usize {
    (rank >> shift) as usize % DIGITS
}

/// Puts all where their digit belongs, those of the same digit in their order.
fn scatter<K: Copy>(from: &[Ranked<K>], shift: u32, mut put: impl FnMut(usize, Ranked<K>)) {
    let mut places = [0; DIGITS];
    for entry in from {
        places[digit(entry.rank, shift)] += 1;
    }
    let mut start = 0;
    for place in &mut places {
        start += core::mem::replace(place, start);
    }
    for entry in from {
        let place = &mut places[digit(entry.rank, shift)];
        put(*place, *entry);
        *place += 1;
    }
}
