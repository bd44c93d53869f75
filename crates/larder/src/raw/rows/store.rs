//! Where rows lie: in one block, or in many.
//!
//! A container asks its store for room and for addresses, and knows nothing else of it. So what is
//! done with rows is written once, for [`Buffer`] and for every other store.

use core::ptr::NonNull;

use crate::error::TryReserveError;
use crate::raw::buffer::Buffer;
use crate::raw::slots::doubled;
use crate::raw::storage::Room;

/// Room for elements, each of which has an address.
///
/// # Safety
/// Each number below `capacity()` has an address of its own, with room for one element, which nobody
/// else uses; it stays the same until the store is resized or moved. Resized, the elements that fit
/// are the same bytes still.
pub(crate) unsafe trait Store<E>: Room {
    /// Whether elements stay where they are when it grows, wherever its memory comes from.
    const STAYS: bool;

    type Finder: Finder<E>;

    /// Whether it can have a tail: numbers behind its elements, in the same block.
    fn has_room_for_tail(&self) -> bool;

    /// As [`resize`](Room::resize), to one element at least, with a tail of so many numbers; where it
    /// lies until the store is resized again or dropped. What was in a former tail is lost. There is
    /// room for one.
    fn resize_with_tail(
        &mut self,
        capacity: usize,
        numbers: usize,
    ) -> Result<NonNull<u64>, TryReserveError>;

    /// For how many there should be room where `needed` are needed, and more will come. The smallest
    /// allocation is worth `least` of them.
    fn roomy(&self, needed: usize, least: usize) -> usize;

    /// For how many the book should be made where there is room for `capacity`, and it is made for
    /// `covered`.
    fn book_for(&self, capacity: usize, covered: usize) -> usize;

    /// # Safety
    /// `index < capacity()`.
    unsafe fn at(&self, index: usize) -> NonNull<E>;

    /// What finds the elements without borrowing the store.
    fn finder(&self) -> Self::Finder;

    /// The number of the element that has this address.
    fn index_of(&self, address: usize) -> Option<usize>;
}

/// Finds the elements of a store until it is resized, moved or dropped; quickest in ascending order.
///
/// # Safety
/// What it answers is what the store's `at` answers, on whatever thread it is asked.
pub(crate) unsafe trait Finder<E>: Copy {
    /// Of an empty store.
    const NOWHERE: Self;

    /// Whether all elements lie side by side. Then one past the last may be asked for, too.
    const CONTIGUOUS: bool;

    /// # Safety
    /// `index` is below the store's capacity.
    unsafe fn find(&mut self, index: usize) -> NonNull<E>;

    /// Makes the element and those beside it known to [`left`](Self::left) and
    /// [`beside`](Self::beside).
    ///
    /// # Safety
    /// `index` is below the store's capacity.
    unsafe fn enter(&mut self, index: usize);

    /// How many elements from `index` on lie side by side with the one that was entered last.
    ///
    /// # Safety
    /// Where that lies is not before `index`.
    unsafe fn left(&self, index: usize) -> usize;

    /// Where the element lies, or would, side by side with the one that was entered last.
    fn beside(&self, index: usize) -> *const E;
}

// SAFETY: a buffer is a block of `capacity` elements, side by side, that is its own.
unsafe impl<E> Store<E> for Buffer<E> {
    /// In reserved memory it is the container that knows.
    const STAYS: bool = false;

    type Finder = NonNull<E>;

    fn has_room_for_tail(&self) -> bool {
        !self.grows_in_place() && size_of::<E>() > 0
    }

    fn resize_with_tail(
        &mut self,
        capacity: usize,
        numbers: usize,
    ) -> Result<NonNull<u64>, TryReserveError> {
        self.resize_with_tail(capacity, numbers)
    }

    fn roomy(&self, needed: usize, least: usize) -> usize {
        doubled(self.capacity(), needed, least)
    }

    /// It grows seldom, so the book can be exact.
    fn book_for(&self, capacity: usize, _covered: usize) -> usize {
        capacity
    }

    #[inline(always)]
    unsafe fn at(&self, index: usize) -> NonNull<E> {
        // SAFETY: by the contract.
        unsafe { self.at(index) }
    }

    #[inline(always)]
    fn finder(&self) -> NonNull<E> {
        self.start()
    }

    fn index_of(&self, address: usize) -> Option<usize> {
        let offset = address.checked_sub(self.start().addr().get())?;
        let index = offset.checked_div(size_of::<E>())?;
        (offset % size_of::<E>() == 0 && index < self.capacity()).then_some(index)
    }
}

// SAFETY: the elements lie side by side from the first on, as `Buffer::at` says.
unsafe impl<E> Finder<E> for NonNull<E> {
    const NOWHERE: Self = Self::dangling();

    const CONTIGUOUS: bool = true;

    #[inline(always)]
    unsafe fn find(&mut self, index: usize) -> Self {
        // SAFETY: the element lies within the block, or begins where it ends.
        unsafe { self.add(index) }
    }

    #[inline(always)]
    unsafe fn enter(&mut self, _index: usize) {}

    #[inline(always)]
    unsafe fn left(&self, _index: usize) -> usize {
        usize::MAX
    }

    #[inline(always)]
    fn beside(&self, index: usize) -> *const E {
        self.as_ptr().cast_const().wrapping_add(index)
    }
}
