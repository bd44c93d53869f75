//! The parts that few books need, behind one pointer, so that the others stay small: slots that are taken without a
//! value, those that were freed, with other orders of reuse than the packed one, and the limit of a book that grows in
//! place.
//!
//! **Invariant.** A [`Lazy`] points to [`NONE`], which is only read, or to a [`Rare`] that is its own, and lies in the
//! block that this names as its `place`. It is [made](Lazy::make) by what may fail: by an insertion, or
//! when a container is made whose memory says that it cannot grow. Removals only change what was made.

use core::ops::Deref;
use core::ptr::NonNull;

use super::WORD;
use super::cold::Freed;
use super::words::WordsInPlace;
use crate::error::TryReserveError;
use crate::memory::Extent;
use crate::memory::buffer::{Buffer, Filled};
use crate::memory::source::Memory;
use crate::stats::Reuse;

/// The parts that few books need.
pub(super) struct Rare {
    /// The number of slots that are detached or retired.
    pub(super) valueless: u32,
    /// The number of them that are retired.
    pub(super) retired: u32,
    /// The number of slots that there can ever be, in reserved memory.
    pub(super) reserved: u32,
    /// The place of the words in reserved or lent memory.
    pub(super) in_place: WordsInPlace,
    /// The slots that are detached or retired, as bits; no words until
    /// [`Book::prepare_taken`](crate::raw::book::Book::prepare_taken) was called.
    pub(super) taken: Filled<u64>,
    /// The holes that are not at hand, with another order of reuse than the packed one.
    pub(super) freed: Freed,
    /// The block in which this lies: one element, or none if it is [`NONE`].
    place: Buffer<Self>,
}

impl Rare {
    /// A slot is taken, as one that is detached.
    pub(super) fn take(&mut self, slot: usize) {
        self.taken[slot / WORD] |= 1 << (slot % WORD);
        self.valueless += 1;
    }

    /// A detached slot is not taken any more.
    pub(super) fn untake(&mut self, slot: usize) {
        self.taken[slot / WORD] &= !(1 << (slot % WORD));
        self.valueless -= 1;
    }
}

/// The parts of a book that needs none of them.
static NONE: Rare = Rare {
    valueless: 0,
    retired: 0,
    reserved: 0,
    in_place: WordsInPlace::none(),
    taken: Filled::new(),
    freed: Freed::new(),
    place: Buffer::new(),
};

/// A pointer to what few books need, which is made when it is needed first. (It is never null, so that reading what
/// is there is one load more, and no branch.)
pub(super) struct Lazy(pub(super) NonNull<Rare>);

// SAFETY: it owns what it points to, as a box does, or that is only read.
unsafe impl Send for Lazy {}
// SAFETY: through a shared reference all is only read.
unsafe impl Sync for Lazy {}

impl Lazy {
    pub(super) const fn new() -> Self {
        // SAFETY: the address of a static is not null.
        Self(unsafe { NonNull::new_unchecked((&raw const NONE).cast_mut()) })
    }

    /// For the book of a container in that memory, of which it has what cannot come later.
    #[inline]
    pub(super) fn within(reuse: Reuse, memory: Memory<'_>) -> Result<Self, TryReserveError> {
        let mut lazy = Self::new();
        let place = match memory {
            Memory::Heap { .. } => return Ok(lazy),
            #[cfg(feature = "reserved")]
            Memory::Reserved { .. } => Buffer::new(),
            Memory::Lent { .. } => Buffer::within(memory.scaled(|_| 1))?,
        };
        let rare = lazy.make_in(place)?;
        rare.taken = Filled::within(memory.scaled(|slots| slots.div_ceil(WORD)))?;
        if reuse != Reuse::Packed {
            rare.freed = Freed::within(memory)?;
        }
        rare.in_place = WordsInPlace::within(reuse, memory)?;
        #[cfg(feature = "reserved")]
        if let Memory::Reserved { max, .. } = memory {
            rare.reserved = u32::try_from(max).unwrap_or(u32::MAX);
        }
        Ok(lazy)
    }

    /// Returns its length in lent memory, in numbers, beside `words` words.
    pub(super) const fn numbers_for(words: usize, reuse: Reuse) -> usize {
        let freed = if matches!(reuse, Reuse::Packed) { 0 } else { WORD / 2 };
        size_of::<Rare>().div_ceil(size_of::<u64>()) + words + words * freed
    }

    const fn is_made(&self) -> bool {
        self.get().place.capacity() > 0
    }

    #[inline(always)]
    pub(super) const fn get(&self) -> &Rare {
        // SAFETY: it points to one that is its own, or never changes.
        unsafe { self.0.as_ref() }
    }

    /// Returns the parts that were made, to be changed; `None` if none were.
    pub(super) const fn made(&mut self) -> Option<&mut Rare> {
        // SAFETY: one that was made is its own, and borrowed as `self` is.
        if self.is_made() { Some(unsafe { self.0.as_mut() }) } else { None }
    }

    /// Like [`made`](Self::made), if it is known that some were, since a slot is taken or freed.
    #[track_caller]
    pub(super) const fn expect(&mut self) -> &mut Rare {
        self.made().expect("there is memory for what is taken or freed")
    }

    /// Makes it, unless it was.
    pub(super) fn make(&mut self) -> Result<&mut Rare, TryReserveError> {
        if self.is_made() {
            return Ok(self.expect());
        }
        self.make_in(Buffer::new())
    }

    /// Like [`make`](Self::make), in a block without an element, if nothing was made.
    #[cold]
    fn make_in(&mut self, mut place: Buffer<Rare>) -> Result<&mut Rare, TryReserveError> {
        debug_assert!(!self.is_made(), "it is made once");
        place.resize(1)?;
        let start = place.start();
        let (in_place, taken, freed) = (WordsInPlace::none(), Filled::new(), Freed::new());
        let rare = Rare { valueless: 0, retired: 0, reserved: 0, in_place, taken, freed, place };
        // SAFETY: the block has room for one, which is borrowed as `self` is.
        unsafe {
            start.write(rare);
            self.0 = start;
            Ok(self.0.as_mut())
        }
    }

    /// A copy, whose memory comes from where this one's does; of lent memory there is no more, so it is on the heap.
    #[inline]
    pub(super) fn try_clone(&self) -> Result<Self, TryReserveError> {
        let mut copy = Self::new();
        if self.is_made() {
            let rare = copy.make()?;
            (rare.valueless, rare.retired) = (self.valueless, self.retired);
            rare.reserved = self.reserved;
            rare.in_place = self.in_place.alike()?;
            rare.taken = self.taken.try_clone()?;
            rare.freed = self.freed.try_clone()?;
        }
        Ok(copy)
    }

    /// Returns the memory that it has beside a book of that many words.
    pub(super) fn memory(&self, words: usize) -> Extent {
        let own = self.place.memory() + self.taken.memory() + self.freed.memory();
        own + self.in_place.memory(words)
    }
}

impl Deref for Lazy {
    type Target = Rare;

    #[inline(always)]
    fn deref(&self) -> &Rare {
        self.get()
    }
}

impl Drop for Lazy {
    fn drop(&mut self) {
        if self.is_made() {
            // SAFETY: it is not used again. (What it lay in is given back when it lies elsewhere.)
            drop(unsafe { self.0.read() });
        }
    }
}

#[cfg(test)]
#[cfg(feature = "alloc")]
mod tests {
    //! The parts are made when they are needed, in their place.

    use super::super::Occupancy;
    use super::super::tests::{full, vacate};
    use super::*;
    use crate::raw::book::Book;

    /// Memory for bits and lists is asked for by what takes slots without a value, and by other orders of reuse.
    #[test]
    fn only_what_needs_it_makes_it() {
        let mut book = full(100);
        vacate(&mut book, 0..50);
        book.fetch();
        book.vacate_all();
        let mut copy = book.try_clone().expect("there is memory");
        assert!(!book.rare.is_made() && !copy.rare.is_made());
        copy.prepare_taken().expect("there is memory");
        assert!(copy.rare.is_made() && copy.try_clone().is_ok_and(|copy| copy.rare.is_made()));
        assert_eq!(book.rare.memory(2), Extent::default());
        assert!(copy.rare.memory(2).bytes > size_of::<Rare>());
        for reuse in [Reuse::Lifo, Reuse::Fifo] {
            let mut book = Occupancy::new(reuse);
            assert!(!book.rare.is_made());
            book.cover(1).expect("there is memory");
            assert!(book.rare.is_made());
        }
    }

    #[test]
    fn a_copy_has_what_was_made_and_shares_nothing() {
        let mut book = full(100);
        book.prepare_taken().expect("there is memory");
        // SAFETY: (1) the slot is live; (2) there are words for what is taken.
        unsafe { book.park(7) };
        let copy = book.try_clone().expect("there is memory");
        book.retire();
        assert_eq!((book.detached(), book.retired()), (0, 1));
        assert_eq!((copy.detached(), copy.retired(), copy.is_taken(7)), (1, 0, true));
        copy.validate();
        book.validate();
        drop(book);
        assert!(copy.is_taken(7));
    }
}
