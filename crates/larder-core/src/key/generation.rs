//! The rule by which a slot distinguishes its tenants, the same for every container.
//!
//! **Invariant.** The generation of a live slot was never handed out for that slot before, and the
//! generation of a free, parked or retired slot equals that of no key. So a key answers only while
//! its own value lives.
//!
//! A container chooses whether generations lie beside the values or in a column.

#![expect(unnameable_types, reason = "they seal the public trait `Key`")]

use core::panic::{RefUnwindSafe, UnwindSafe};

/// The rule by which a slot's generation changes.
pub trait Generation:
    Copy + PartialEq + Send + Sync + Unpin + UnwindSafe + RefUnwindSafe + 'static
{
    /// True if keys have a generation to compare. If not, a key names a live slot if the slot's occupancy bit is set.
    const VERSIONED: bool;

    /// True if there is a last generation, after which a slot is not used again.
    const HAS_LAST: bool = false;

    /// The generation of a slot that was taken out of service, which is free and equals no key's. All its bytes are
    /// zero.
    const RETIRED: Self;

    /// The memory that a container keeps of the slots that it gave back.
    type Mark: Mark;

    /// The generation of a free slot that was never used, or is used again after it was given back.
    #[inline]
    fn fresh(_: Self::Mark) -> Self {
        Self::RETIRED
    }

    /// The free slot becomes live.
    fn occupied(self, mark: &mut Self::Mark) -> Self;

    /// The live generation of the fresh slot that is begun after `count` others, at this mark.
    fn begun(mark: Self::Mark, count: usize) -> Self;

    /// The live slot becomes free. (Nothing is remembered of it, unless the rule says so.)
    #[inline]
    fn vacated(self) -> Self {
        Self::RETIRED
    }

    /// Returns whether this is the last generation that a slot can have, after which the slot is retired. Rules without
    /// a last generation return `false`.
    #[inline]
    fn is_last(self) -> bool {
        false
    }

    /// The live slot loses its value, but keeps its key for later.
    #[inline]
    fn parked(self) -> Self {
        self.vacated()
    }

    /// Returns whether `self`, a parked slot's generation, waits for the key of generation `live`.
    fn waits_for(self, live: Self) -> bool;

    /// The generation of the key that a parked slot waits for.
    fn awaited(self) -> Self;

    /// The parked slot becomes free; `None` where it is retired instead.
    #[inline]
    fn released(self) -> Option<Self> {
        Some(self.vacated())
    }

    /// Returns whether a free slot may be given back to the allocator. Rules without a last generation allow it for
    /// every slot.
    fn may_be_dropped(self) -> bool {
        true
    }

    /// Remembers that a free slot of this generation was given back, where that is not forgotten.
    fn raise(self, _: &mut Self::Mark) {}

    /// The element of a table for one slot: the position of a live value, or the generation of any other.
    type Cell: Copy + From<u32> + Into<u64> + Send + Sync + Unpin + UnwindSafe + RefUnwindSafe;

    /// The cell of a live slot.
    #[inline]
    fn cell_at(position: usize) -> Self::Cell {
        Self::Cell::from(position as u32)
    }

    /// Returns the position of a live slot's value; for any other slot, any number.
    #[inline]
    fn position(cell: Self::Cell) -> usize {
        cell.into() as usize
    }

    /// The cell of a slot that is not live.
    fn to_cell(self) -> Self::Cell;

    /// Returns the generation of a slot that is not live.
    fn from_cell(cell: Self::Cell) -> Self;

    /// Returns the generation as a number, for messages and files.
    fn to_u64(self) -> u64;

    /// The free generation whose number this is; `None` where a free slot cannot have it.
    fn free_from_u64(bits: u64) -> Option<Self>;

    /// The live generation whose number this is; `None` where a live slot cannot have it.
    fn live_from_u64(bits: u64) -> Option<Self>;

    /// Returns whether a live slot can have this generation of a key, so that no free slot can have it.
    #[inline(always)]
    fn can_be_live(self) -> bool {
        Self::live_from_u64(self.to_u64()).is_some()
    }
}

/// A container's memory of slots that it no longer has: a number, for files.
pub trait Mark: Copy + Send + Sync + Unpin + UnwindSafe + RefUnwindSafe + 'static {
    /// Nothing given back yet.
    const START: Self;

    /// True if every insertion changes the mark.
    const COUNTS: bool = false;

    /// Returns the mark as a number.
    fn to_u64(self) -> u64;

    /// The mark whose number this is.
    fn from_u64(bits: u64) -> Option<Self>;

    /// Returns whether a container with this mark can hold a live generation of this number.
    fn covers(self, _generation: u64) -> bool {
        true
    }

    /// The mark after `count` fresh slots were begun.
    fn after(self, count: usize) -> Self;

    /// A mark under which no fresh slot is begun in a generation that one of the next `count` has
    /// under this one; `None` where there is none.
    fn beyond(self, count: usize) -> Option<Self>;

    /// Returns the mark at which the `nth` of many containers begins, as far from the earlier ones as possible. (The
    /// bits of the number are reversed, so that each power of two more halves the distances.)
    fn apart(nth: u32) -> Self;
}

/// The number of bits of a key that name its slot; the others count its lives.
#[derive(Debug)]
pub struct IndexBits<const N: u32>;

/// A number of slot bits, which determines the width of a generation.
#[diagnostic::on_unimplemented(
    message = "a handle of 4 bytes has from 1 to 30 bits for its slot",
    note = "code for any number of them says `where Handle32<T, INDEX_BITS>: Key`"
)]
pub trait Width {
    /// The number that has room for all generations, and for that after the last.
    type Stored: Stored;
}

/// A number in which a generation is stored.
pub trait Stored:
    Copy
    + PartialEq
    + core::fmt::Debug
    + Into<u32>
    + Send
    + Sync
    + Unpin
    + UnwindSafe
    + RefUnwindSafe
    + 'static
{
    /// No lives and deaths yet.
    const ZERO: Self;

    /// The lowest bits.
    fn of(generation: u32) -> Self;
}

macro_rules! widths {
    ($($stored:ty: $($bits:literal)*;)*) => {$(
        impl Stored for $stored {
            const ZERO: Self = 0;

            #[inline(always)]
            fn of(generation: u32) -> Self {
                generation as Self
            }
        }

        $(impl Width for IndexBits<$bits> {
            type Stored = $stored;
        })*
    )*};
}

// One bit more than the generations have.
widths! {
    u32: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16;
    u16: 17 18 19 20 21 22 23 24;
    u8: 25 26 27 28 29 30;
}

/// Counts lives and deaths: odd is live, even is free. Has `32 - INDEX_BITS` bits.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(transparent)]
pub struct Counter<const INDEX_BITS: u32>(<IndexBits<INDEX_BITS> as Width>::Stored)
where
    IndexBits<INDEX_BITS>: Width;

impl<const INDEX_BITS: u32> Counter<INDEX_BITS>
where
    IndexBits<INDEX_BITS>: Width,
{
    /// The last live generation. With 32 bits the top pair is left out, so that the free
    /// generation after the last life fits as well.
    pub(crate) const LAST: u32 =
        if INDEX_BITS == 0 { u32::MAX - 2 } else { (1 << (32 - INDEX_BITS)) - 1 };

    /// The generation of this number, which is at most one more than the last.
    #[inline(always)]
    pub(crate) fn of(generation: u32) -> Self {
        Self(Stored::of(generation))
    }

    #[inline(always)]
    pub(crate) fn get(self) -> u32 {
        self.0.into()
    }
}

/// The highest free generation of a slot that was given back.
#[derive(Clone, Copy, Debug)]
pub struct Watermark<const INDEX_BITS: u32>(u32);

impl<const INDEX_BITS: u32> Mark for Watermark<INDEX_BITS>
where
    IndexBits<INDEX_BITS>: Width,
{
    const START: Self = Self(0);

    fn to_u64(self) -> u64 {
        self.0.into()
    }

    fn from_u64(bits: u64) -> Option<Self> {
        let free = Counter::<INDEX_BITS>::free_from_u64(bits)?;
        free.may_be_dropped().then_some(Self(free.get()))
    }

    fn after(self, _: usize) -> Self {
        self
    }

    fn beyond(self, _: usize) -> Option<Self> {
        // One life further; a mark leaves one to live.
        Counter::<INDEX_BITS>::of(self.0 + 2).may_be_dropped().then_some(Self(self.0 + 2))
    }

    /// In the lower half, so that each slot has at least half of its lives.
    fn apart(nth: u32) -> Self {
        let lives = u64::from(nth.reverse_bits()) >> (INDEX_BITS + 2);
        Self(2 * lives as u32)
    }
}

impl<const INDEX_BITS: u32> Generation for Counter<INDEX_BITS>
where
    IndexBits<INDEX_BITS>: Width,
{
    const VERSIONED: bool = true;
    const HAS_LAST: bool = true;
    const RETIRED: Self = Self(Stored::ZERO);
    type Mark = Watermark<INDEX_BITS>;

    #[inline]
    fn fresh(mark: Self::Mark) -> Self {
        Self::of(mark.0)
    }

    #[inline]
    fn occupied(self, _: &mut Self::Mark) -> Self {
        // One more, since a free generation is even; and odd for the compiler, too.
        Self::of(self.get() | 1)
    }

    #[inline]
    fn begun(mark: Self::Mark, _: usize) -> Self {
        Self::of(mark.0 + 1)
    }

    /// (A key that names nothing may have the highest number there is: what becomes of that is not used.)
    #[inline]
    fn vacated(self) -> Self {
        Self::of(self.get().wrapping_add(1))
    }

    #[inline]
    fn is_last(self) -> bool {
        self.get() == Self::LAST
    }

    #[inline]
    fn waits_for(self, live: Self) -> bool {
        live.get() <= Self::LAST && self.get() == live.get() + 1
    }

    fn awaited(self) -> Self {
        Self::of(self.get() - 1)
    }

    #[inline]
    fn released(self) -> Option<Self> {
        (self.get() <= Self::LAST).then_some(self)
    }

    /// A slot with one life left stays: so a fresh slot never is in its last life, and appending
    /// has nothing to check.
    fn may_be_dropped(self) -> bool {
        self.get() + 1 < Self::LAST
    }

    fn raise(self, mark: &mut Self::Mark) {
        mark.0 = mark.0.max(self.get());
    }

    type Cell = u32;

    #[inline]
    fn to_cell(self) -> u32 {
        self.get()
    }

    #[inline]
    fn from_cell(cell: u32) -> Self {
        Self::of(cell)
    }

    fn to_u64(self) -> u64 {
        self.get().into()
    }

    fn free_from_u64(bits: u64) -> Option<Self> {
        let bits = u32::try_from(bits).ok()?;
        (bits % 2 == 0 && bits < Self::LAST).then_some(Self::of(bits))
    }

    fn live_from_u64(bits: u64) -> Option<Self> {
        let bits = u32::try_from(bits).ok()?;
        (bits % 2 == 1 && bits <= Self::LAST).then_some(Self::of(bits))
    }

    #[inline(always)]
    fn can_be_live(self) -> bool {
        debug_assert!(self.get() % 2 == 1, "a key has a generation of lives");
        self.get() <= Self::LAST
    }
}

/// The number of an insertion, counted over the container's whole life: 1, 2, 3, …; 0 is free.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(transparent)]
pub struct Number(pub(crate) u64);

impl Number {
    /// Set while a slot is parked, so that no key equals it. No insertion has such a number: a file
    /// may begin at 2^62 at most, and 2^62 more insertions never come about. Nor is a key made of one
    /// elsewhere, but the dangling one, whose slot no container has.
    pub(crate) const PARKED: u64 = 1 << 63;
}

/// The number of the latest insertion.
#[derive(Clone, Copy, Debug)]
pub struct Latest(u64);

impl Mark for Latest {
    const START: Self = Self(0);
    const COUNTS: bool = true;

    fn covers(self, generation: u64) -> bool {
        generation <= self.0
    }

    fn to_u64(self) -> u64 {
        self.0
    }

    fn from_u64(bits: u64) -> Option<Self> {
        (bits <= Number::PARKED / 2).then_some(Self(bits))
    }

    fn after(self, count: usize) -> Self {
        Self(self.0 + count as u64)
    }

    fn beyond(self, count: usize) -> Option<Self> {
        Self::from_u64(self.after(count).0)
    }

    /// In the half that a file may begin in.
    fn apart(nth: u32) -> Self {
        Self(u64::from(nth).reverse_bits() >> 2)
    }
}

impl Generation for Number {
    const VERSIONED: bool = true;
    const RETIRED: Self = Self(0);
    type Mark = Latest;

    #[inline]
    fn occupied(self, mark: &mut Latest) -> Self {
        mark.0 += 1;
        Self(mark.0)
    }

    #[inline]
    fn begun(mark: Latest, count: usize) -> Self {
        Self(mark.0 + 1 + count as u64)
    }

    #[inline]
    fn parked(self) -> Self {
        Self(self.0 | Self::PARKED)
    }

    #[inline]
    fn waits_for(self, live: Self) -> bool {
        live.0 < Self::PARKED && self.0 == (live.0 | Self::PARKED)
    }

    fn awaited(self) -> Self {
        Self(self.0 & !Self::PARKED)
    }

    type Cell = u64;

    #[inline]
    fn cell_at(position: usize) -> u64 {
        position as u64
    }

    #[inline]
    fn to_cell(self) -> u64 {
        self.0
    }

    #[inline]
    fn from_cell(cell: u64) -> Self {
        Self(cell)
    }

    fn to_u64(self) -> u64 {
        self.0
    }

    fn free_from_u64(bits: u64) -> Option<Self> {
        (bits == 0).then_some(Self(0))
    }

    fn live_from_u64(bits: u64) -> Option<Self> {
        (bits != 0 && bits < Self::PARKED).then_some(Self(bits))
    }
}

/// Nothing is remembered: the value that is in the slot now answers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Unversioned;

impl Mark for Unversioned {
    const START: Self = Self;

    fn to_u64(self) -> u64 {
        0
    }

    fn from_u64(bits: u64) -> Option<Self> {
        (bits == 0).then_some(Self)
    }

    fn after(self, _: usize) -> Self {
        self
    }

    /// There is nothing to tell slots apart by.
    fn beyond(self, _: usize) -> Option<Self> {
        Some(self)
    }

    fn apart(_: u32) -> Self {
        Self
    }
}

impl Generation for Unversioned {
    const VERSIONED: bool = false;
    const RETIRED: Self = Self;
    type Mark = Self;

    #[inline]
    fn occupied(self, _: &mut Self) -> Self {
        Self
    }

    #[inline]
    fn begun(_: Self, _: usize) -> Self {
        Self
    }

    #[inline]
    fn waits_for(self, _: Self) -> bool {
        true
    }

    fn awaited(self) -> Self {
        Self
    }

    type Cell = u32;

    #[inline]
    fn to_cell(self) -> u32 {
        0
    }

    #[inline]
    fn from_cell(_: u32) -> Self {
        Self
    }

    fn to_u64(self) -> u64 {
        0
    }

    fn free_from_u64(bits: u64) -> Option<Self> {
        (bits == 0).then_some(Self)
    }

    fn live_from_u64(bits: u64) -> Option<Self> {
        (bits == 0).then_some(Self)
    }
}

/// The first and last numbers of lives, and what lies beyond.
#[cfg(test)]
mod tests {
    use super::{Counter, Generation, Number, Unversioned};

    #[test]
    fn a_counter_has_the_bits_that_the_slot_leaves() {
        let last = [Counter::<1>::LAST, Counter::<20>::LAST, Counter::<30>::LAST];
        assert_eq!(last, [0x7FFF_FFFF, 0xFFF, 0b11]);
        assert_eq!(Counter::<0>::LAST, u32::MAX - 2, "so that the free generation after it fits");
    }

    /// Checks the numbers that a live slot or a free one can have.
    fn can_be<G: Generation + core::fmt::Debug>(live: &[u64], free: &[u64], neither: &[u64]) {
        for &number in live {
            let generation = G::live_from_u64(number).expect("a live one");
            assert_eq!((generation.to_u64(), generation.can_be_live()), (number, true));
        }
        for &number in free {
            assert_eq!(G::free_from_u64(number).map(G::to_u64), Some(number));
        }
        for &number in free.iter().chain(neither).filter(|_| G::VERSIONED) {
            assert_eq!(G::live_from_u64(number), None, "{number}");
        }
        for &number in live.iter().chain(neither).filter(|_| G::VERSIONED) {
            assert_eq!(G::free_from_u64(number), None, "{number}");
        }
    }

    #[test]
    fn numbers_of_live_and_free_slots_are_told_apart() {
        const LAST: u64 = Counter::<0>::LAST as u64;
        can_be::<Counter<0>>(&[1, 3, LAST], &[0, 2, LAST - 1], &[LAST + 1, LAST + 2, 1 << 32 | 1]);
        can_be::<Counter<30>>(&[1, 3], &[0, 2], &[4, 5, 1 << 32]);
        can_be::<Number>(
            &[1, 2, Number::PARKED - 1],
            &[0],
            &[Number::PARKED, Number::PARKED + 1, u64::MAX],
        );
        can_be::<Unversioned>(&[0], &[0], &[]);
        assert!(!Number(0).can_be_live() && !Number(Number::PARKED).can_be_live());
    }

    #[test]
    fn a_parked_number_is_no_keys_and_waits_for_one() {
        for number in [1, 2, Number::PARKED - 1] {
            let parked = Number(number).parked();
            assert_eq!((parked.awaited(), parked.can_be_live()), (Number(number), false));
            assert!(parked.waits_for(Number(number)) && !parked.waits_for(Number(number ^ 8)));
            assert!(!parked.waits_for(parked), "what is parked is no key's");
        }
        assert!(!Number(Number::PARKED).waits_for(Number(Number::PARKED)));
    }
}
