//! Radix sort, a byte at a time.

use core::cmp::Reverse;

/// A number that [`SortedKeys::by_key`](crate::indices::SortedKeys::by_key) sorts by: integers of up to 64 bits, `f32`
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
    /// What a key is sorted by.
    pub trait Rank {
        /// A number in the same order.
        fn rank(self) -> u64;
    }
}

use sealed::Rank;

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
    // Of negative floats all bits: the larger they are without the sign, the earlier they come.
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
/// By the highest digits that differ, as many as nearly tell all from each other, with one pass over all for each digit,
/// the lowest first. Then come the runs in which they are equal, each by its own highest digits: at most 8 passes move an
/// entry, whatever the ranks are.
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

/// With so many digits, random ranks are nearly all different.
fn enough_digits(entries: usize) -> u32 {
    match entries {
        0..=1024 => 1,
        1025..=0x4_0000 => 2,
        _ => 3,
    }
}

/// Whether the ranks of more than a few entries differ in their lowest digit only.
pub(crate) fn is_one_digit<K>(entries: &[Ranked<K>]) -> bool {
    entries.len() > FEW && differing_bits(entries) <= DIGIT_BITS
}

/// How many bits there are from the lowest to the highest in which ranks differ.
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
pub(crate) fn scatter<K: Copy>(
    from: &[Ranked<K>],
    shift: u32,
    mut put: impl FnMut(usize, Ranked<K>),
) {
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
