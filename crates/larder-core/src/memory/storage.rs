//! Room for elements, and where values lie in it: whole, or field by field.
//!
//! A container that finds its values by number asks a [`Storage`] for room, and what the storage
//! answers with its `at` for values. So what is done with values is written once, for rows and for
//! columns.
//!
//! **Invariant.** None of its own: that of [`Buffer`], and the contract of each trait.

use core::marker::PhantomData;
use core::ops::Range;
use core::ptr::NonNull;

use crate::error::TryReserveError;
use crate::memory::Extent;
use crate::memory::block::{Block, BlockLayout};
use crate::memory::buffer::Buffer;
use crate::memory::copies;
use crate::memory::source::Memory;

/// Room for `capacity()` elements, by number. Its contents, initialised or not, are the owner's business: they are
/// never read, dropped or changed here, but for being moved when there is more room.
pub trait Room: Sized {
    /// None whose memory will come from where this one's does.
    fn alike(&self) -> Result<Self, TryReserveError>;

    fn capacity(&self) -> usize;

    /// Makes room for exactly `capacity` elements. On an error nothing has changed.
    fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError>;

    /// Returns an error if there can never be room for this many.
    fn check(&self, capacity: usize) -> Result<(), TryReserveError>;

    /// Returns the room's block, which may have a tail of numbers behind the elements; `None` if there is no block, or
    /// it has none.
    ///
    /// # Safety
    /// 1. If the block is resized, then with that layout.
    /// 2. The elements in use are not cut off.
    #[inline]
    unsafe fn block_with_tail(&mut self) -> Option<(&mut Block, BlockLayout)> {
        None
    }

    /// Returns the number of slots that a book should cover if the room has `capacity` of them, and the book covers
    /// `covered` now.
    #[inline]
    fn covering(&self, capacity: usize, _covered: usize) -> usize {
        capacity
    }

    /// Returns the number of elements for which there should be room if `needed` are needed, and more will come. The
    /// smallest allocation is worth `least` of them.
    fn roomy(&self, needed: usize, least: usize) -> usize {
        doubled(self.capacity(), needed, least)
    }

    /// Returns the memory that it has.
    fn memory(&self) -> Extent;
}

/// Room that can be had without knowing anything: a container with it has a constant constructor.
pub trait EmptyRoom: Room {
    /// No room, and nothing allocated.
    const EMPTY: Self;
}

impl<E> EmptyRoom for Buffer<E> {
    const EMPTY: Self = Self::new();
}

impl<E> Room for Buffer<E> {
    fn alike(&self) -> Result<Self, TryReserveError> {
        self.alike()
    }

    #[inline(always)]
    fn capacity(&self) -> usize {
        self.capacity()
    }

    fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        self.resize(capacity)
    }

    fn check(&self, capacity: usize) -> Result<(), TryReserveError> {
        self.check(capacity)
    }

    unsafe fn block_with_tail(&mut self) -> Option<(&mut Block, BlockLayout)> {
        // SAFETY: the caller (1) resizes it so, and (2) keeps the elements.
        Some(unsafe { self.block_mut() })
    }

    fn memory(&self) -> Extent {
        self.memory()
    }
}

/// Returns the capacity of a block that grows: twice as large, so that growing stays rare.
pub(crate) fn doubled(capacity: usize, needed: usize, least: usize) -> usize {
    needed.max(capacity.saturating_mul(2)).max(least)
}

/// Room for values of type `T`.
///
/// # Safety
/// [`at`](Self::at) finds a place of its own, which nothing else uses, for each value below the
/// capacity; it stays the same until the storage is resized or moved. Resized, the values that fit are
/// the same bytes still.
pub unsafe trait Storage<T>: EmptyRoom {
    /// The names by which users know values in slots, and packed ones, that lie in it.
    const NAME: &'static str;
    const PACKED_NAME: &'static str;

    type At: At<T>;

    /// The number of bytes of a value.
    const VALUE: usize;

    /// The layout of a lent block.
    const LENT: BlockLayout;

    /// No room yet; it will come from there.
    fn within(memory: Memory<'_>) -> Result<Self, TryReserveError>;

    /// Returns a finder of the values, which does not borrow the storage.
    fn at(&self) -> Self::At;
}

/// Finds the values of a storage, until it is resized, moved or dropped.
///
/// # Safety
/// Values with different numbers lie apart. The value that is read or borrowed is the one that was written. None of
/// these functions panics, but for a value's own `Drop`.
#[expect(unnameable_types, reason = "no user sees what a join reads with it")]
pub unsafe trait At<T>: Copy {
    /// The type that stands for the contents as far as threads are concerned: a type that finds, lends or owns values
    /// this way can be sent and shared if and only if this can.
    type Kept: ?Sized;

    /// The finder of a storage without room.
    const NOWHERE: Self;

    type Ref<'a>: Copy
    where
        T: 'a;
    type RefMut<'a>
    where
        T: 'a;

    /// Writes a value where none is.
    ///
    /// # Safety
    /// There is room.
    unsafe fn write(self, index: usize, value: T);

    /// Writes a value after all others, none of which is missing. Otherwise like [`write`](Self::write).
    ///
    /// # Safety
    /// There is room.
    #[inline(always)]
    unsafe fn push(self, index: usize, value: T) {
        // SAFETY: there is room.
        unsafe { self.write(index, value) };
    }

    /// The last value was moved out.
    ///
    /// # Safety
    /// 1. There is room for it.
    /// 2. It has no value.
    #[inline(always)]
    unsafe fn vacate(self, _index: usize) {}

    /// # Safety
    /// 1. The value is initialised.
    /// 2. It is read once.
    unsafe fn read(self, index: usize) -> T;

    /// Copies the bytes of a value over those of another, or of the same.
    ///
    /// # Safety
    /// There is room for both.
    unsafe fn copy(self, from: usize, to: usize);

    /// Swaps two values, or one with itself.
    ///
    /// # Safety
    /// Both are initialised.
    #[inline]
    unsafe fn swap(self, a: usize, b: usize) {
        // SAFETY: (1) both are initialised; (2) each is read once, and written again.
        unsafe {
            let value = self.read(a);
            self.copy(b, a);
            self.write(b, value);
        }
    }

    /// Swaps a value with one that lies elsewhere.
    ///
    /// # Safety
    /// 1. The value is initialised.
    /// 2. It may be borrowed exclusively meanwhile.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    unsafe fn exchange(self, index: usize, value: &mut T) {
        // SAFETY: (1) both values are initialised, and (2) each is read once: its place is written before anything can
        // panic.
        unsafe {
            let old = self.read(index);
            self.write(index, core::mem::replace(value, old));
        }
    }

    /// Drops values; if one of them panics, the others are dropped all the same.
    ///
    /// # Safety
    /// 1. They are initialised.
    /// 2. They are not used again.
    unsafe fn drop_range(self, range: Range<usize>);

    /// # Safety
    /// 1. The value is initialised.
    /// 2. It may be borrowed for `'a`.
    unsafe fn get<'a>(self, index: usize) -> Self::Ref<'a>
    where
        T: 'a;

    /// # Safety
    /// 1. The value is initialised.
    /// 2. It may be borrowed exclusively for `'a`.
    unsafe fn get_mut<'a>(self, index: usize) -> Self::RefMut<'a>
    where
        T: 'a;
}

/// The way in which values are borrowed: `&T` says shared, `&mut T` exclusively. Code that lends values is written once
/// for both.
#[expect(unnameable_types, reason = "no user sees how an iterator lends")]
pub trait Borrowed {
    type Value;

    /// The borrow of a value that `A` finds.
    type Of<A: At<Self::Value>>;

    /// # Safety
    /// 1. The value is initialised.
    /// 2. It may be borrowed so, for the lifetime of `Self`.
    unsafe fn lend<A: At<Self::Value>>(at: A, index: usize) -> Self::Of<A>;
}

impl<'a, T> Borrowed for &'a T {
    type Value = T;
    type Of<A: At<T>> = A::Ref<'a>;

    #[inline(always)]
    unsafe fn lend<A: At<T>>(at: A, index: usize) -> A::Ref<'a> {
        // SAFETY: the value (1) is initialised, and (2) may be borrowed for `'a`.
        unsafe { at.get(index) }
    }
}

impl<'a, T> Borrowed for &'a mut T {
    type Value = T;
    type Of<A: At<T>> = A::RefMut<'a>;

    #[inline(always)]
    unsafe fn lend<A: At<T>>(at: A, index: usize) -> A::RefMut<'a> {
        // SAFETY: the value (1) is initialised, and (2) may be borrowed exclusively for `'a`.
        unsafe { at.get_mut(index) }
    }
}

/// A value in a storage, by its number there. (One that lies by itself has the number 0.)
pub struct Numbered<T, A> {
    pub(crate) at: A,
    index: usize,
    of: PhantomData<NonNull<T>>,
}

copies!([T, A: Copy] Numbered<T, A>);

impl<T, A> Numbered<T, A> {
    #[inline(always)]
    pub(crate) const fn new(at: A, index: usize) -> Self {
        Self { at, index, of: PhantomData }
    }
}

impl<T, A: At<T>> Numbered<T, A> {
    /// # Safety
    /// 1. The value is initialised.
    /// 2. It may be borrowed for `'a`.
    #[inline(always)]
    pub(crate) unsafe fn lend<'a>(self) -> A::Ref<'a>
    where
        T: 'a,
    {
        // SAFETY: the value (1) is initialised, and (2) may be borrowed for `'a`.
        unsafe { self.at.get(self.index) }
    }

    /// # Safety
    /// 1. The value is initialised.
    /// 2. It may be borrowed exclusively for `'a`.
    #[inline(always)]
    pub(crate) unsafe fn lend_mut<'a>(self) -> A::RefMut<'a>
    where
        T: 'a,
    {
        // SAFETY: the value (1) is initialised, and (2) may be borrowed exclusively for `'a`.
        unsafe { self.at.get_mut(self.index) }
    }

    /// # Safety
    /// 1. The value is initialised.
    /// 2. It may be borrowed so, for the lifetime of `B`.
    #[inline(always)]
    pub(crate) unsafe fn lend_as<B: Borrowed<Value = T>>(self) -> B::Of<A> {
        // SAFETY: the value (1) is initialised, and (2) may be borrowed so.
        unsafe { B::lend(self.at, self.index) }
    }
}

/// The shared borrow of a value in a storage.
pub(crate) type Ref<'a, T, S> = <<S as Storage<T>>::At as At<T>>::Ref<'a>;

/// The exclusive borrow of a value in a storage.
pub(crate) type RefMut<'a, T, S> = <<S as Storage<T>>::At as At<T>>::RefMut<'a>;

/// Finds values that can be cloned.
///
/// # Safety
/// None, but for those of its function.
pub trait CloneAt<T>: At<T> {
    /// # Safety
    /// 1. The value is initialised.
    /// 2. It is not changed meanwhile.
    unsafe fn clone_value(self, index: usize) -> T;
}

// SAFETY: a buffer is a block of `capacity` values, side by side, that is its own.
unsafe impl<T> Storage<T> for Buffer<T> {
    const NAME: &'static str = "Pool";
    const PACKED_NAME: &'static str = "DenseArena";

    type At = NonNull<T>;

    const VALUE: usize = size_of::<T>();

    const LENT: BlockLayout = Self::LAYOUT;

    fn within(memory: Memory<'_>) -> Result<Self, TryReserveError> {
        Self::within(memory)
    }

    #[inline(always)]
    fn at(&self) -> NonNull<T> {
        self.start()
    }
}

// SAFETY: values lie side by side.
unsafe impl<T> At<T> for NonNull<T> {
    type Kept = T;

    const NOWHERE: Self = Self::dangling();

    type Ref<'a>
        = &'a T
    where
        T: 'a;
    type RefMut<'a>
        = &'a mut T
    where
        T: 'a;

    #[inline(always)]
    unsafe fn write(self, index: usize, value: T) {
        // SAFETY: there is room.
        unsafe { self.add(index).write(value) };
    }

    #[inline(always)]
    unsafe fn read(self, index: usize) -> T {
        // SAFETY: (1) the value is initialised, and (2) read once.
        unsafe { self.add(index).read() }
    }

    #[inline(always)]
    unsafe fn copy(self, from: usize, to: usize) {
        // SAFETY: there is room for both; they may be the same.
        unsafe { self.add(to).copy_from(self.add(from), 1) };
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    unsafe fn exchange(self, index: usize, value: &mut T) {
        // SAFETY: the value (1) is initialised, and (2) may be borrowed exclusively.
        core::mem::swap(unsafe { self.get_mut(index) }, value);
    }

    #[inline]
    unsafe fn drop_range(self, range: Range<usize>) {
        // SAFETY: they (1) are initialised, lie side by side, and (2) are not used again.
        unsafe {
            NonNull::slice_from_raw_parts(self.add(range.start), range.len()).drop_in_place();
        }
    }

    #[inline(always)]
    unsafe fn get<'a>(self, index: usize) -> &'a T
    where
        T: 'a,
    {
        // SAFETY: the value (1) is initialised, and (2) may be borrowed.
        unsafe { self.add(index).as_ref() }
    }

    #[inline(always)]
    unsafe fn get_mut<'a>(self, index: usize) -> &'a mut T
    where
        T: 'a,
    {
        // SAFETY: the value (1) is initialised, and (2) may be borrowed exclusively.
        unsafe { self.add(index).as_mut() }
    }
}

impl<T: Clone> CloneAt<T> for NonNull<T> {
    #[inline]
    unsafe fn clone_value(self, index: usize) -> T {
        // SAFETY: the value (1) is initialised, and (2) borrowed meanwhile.
        unsafe { self.get(index) }.clone()
    }
}

/// A value, borrowed exclusively. (Closures that borrow for any lifetime get this, since an associated type there would
/// have to live for ever.)
pub(crate) struct Spot<'a, T, A: At<T>> {
    value: Numbered<T, A>,
    borrows: PhantomData<&'a mut T>,
}

impl<'a, T, A: At<T>> Spot<'a, T, A> {
    /// # Safety
    /// 1. The value is initialised.
    /// 2. It may be borrowed exclusively for `'a`.
    #[inline(always)]
    pub(crate) unsafe fn new(value: Numbered<T, A>) -> Self {
        Self { value, borrows: PhantomData }
    }

    #[inline(always)]
    pub(crate) fn into_mut(self) -> A::RefMut<'a> {
        // SAFETY: since `new`, the value is (1) initialised and (2) borrowed exclusively; the
        // borrow is handed on.
        unsafe { self.value.lend_mut() }
    }

    /// Puts another value in its place.
    #[inline(always)]
    pub(crate) fn replace(&mut self, value: T) -> T {
        // SAFETY: the value is (1) initialised and borrowed exclusively, and (2) read once: its
        // place is written at once.
        unsafe {
            let Numbered { at, index, .. } = self.value;
            let old = at.read(index);
            at.write(index, value);
            old
        }
    }

    /// Swaps the value with one that lies elsewhere.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn exchange(&mut self, value: &mut T) {
        // SAFETY: the value is (1) initialised, and (2) borrowed exclusively.
        unsafe { self.value.at.exchange(self.value.index, value) };
    }
}
