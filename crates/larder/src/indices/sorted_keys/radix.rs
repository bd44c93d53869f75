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
pub(super) struct Ranked<K> {
    pub(super) rank: u64,
    pub(super) key: K,
}

impl<K> Ranked<K> {
    #[inline]
    pub(super) fn new(rank: impl Rank, key: K) -> Self {
        Self { rank: rank.rank(), key }
    }
}

const DIGIT_BITS: u32 = 8;
const DIGITS: usize = 1 << DIGIT_BITS;

/// So few are sorted by comparison: as many passes as a rank has bytes would cost more.
const FEW: usize = 64;

/// So many, and what they are scattered to, stay in a processor's second cache.
const CACHED: usize = 1 << 15;

/// So many passes over them cost less than dividing until only few are left.
const CHEAP_PASSES: usize = 4;

/// Sorts by rank; equal ones keep their order. `spare` is as long, and its contents do not matter.
pub(super) fn sort<K: Copy>(entries: &mut [Ranked<K>], spare: &mut [Ranked<K>]) {
    if entries.len() <= FEW {
        // A stable sort, which for so few takes its scratch from the stack.
        return entries.sort_by_key(|entry| entry.rank);
    }
    let differing = differing_bits(entries);
    match digits(differing).count() {
        0 => {}
        1..=CHEAP_PASSES if entries.len() <= CACHED => {
            lowest_digit_first(entries, spare, differing);
        }
        _ => highest_digit_first(entries, spare, differing),
    }
}

/// The bits in which ranks differ.
fn differing_bits<K>(entries: &[Ranked<K>]) -> u64 {
    let Some(first) = entries.first() else { return 0 };
    entries.iter().fold(0, |bits, entry| bits | (entry.rank ^ first.rank))
}

/// Where the digits begin that differ, from the lowest.
fn digits(differing: u64) -> impl Iterator<Item = u32> {
    let shifts = (0..u64::BITS).step_by(DIGIT_BITS as usize);
    shifts.filter(move |&shift| digit(differing, shift) != 0)
}

#[inline]
fn digit(rank: u64, shift: u32) -> usize {
    (rank >> shift) as usize % DIGITS
}

/// One pass over all for each digit that differs, to and fro.
fn lowest_digit_first<K: Copy>(entries: &mut [Ranked<K>], spare: &mut [Ranked<K>], differing: u64) {
    let (mut from, mut to) = (&mut *entries, &mut *spare);
    for shift in digits(differing) {
        scatter(from, to, shift);
        core::mem::swap(&mut from, &mut to);
    }
    if digits(differing).count() % 2 == 1 {
        to.copy_from_slice(from);
    }
}

/// Divides by the highest bits that differ, then sorts each part: no part is too large for the cache for
/// long, and few bits decide between many ranks.
fn highest_digit_first<K: Copy>(
    entries: &mut [Ranked<K>],
    spare: &mut [Ranked<K>],
    differing: u64,
) {
    let highest = u64::BITS - differing.leading_zeros();
    let shift = highest.saturating_sub(DIGIT_BITS);
    let ends = scatter(entries, spare, shift);
    let mut start = 0;
    for end in ends {
        if end - start > 1 {
            sort(&mut spare[start..end], &mut entries[start..end]);
        }
        start = end;
    }
    entries.copy_from_slice(spare);
}

/// Moves all to where their digit belongs, those of the same digit in their order; says where each
/// digit's end.
fn scatter<K: Copy>(from: &[Ranked<K>], to: &mut [Ranked<K>], shift: u32) -> [usize; DIGITS] {
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
        to[*place] = *entry;
        *place += 1;
    }
    places
}
