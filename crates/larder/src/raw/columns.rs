//! Values field by field, each field in a column, all columns in one block.
//!
//! **Invariant.**
//! - There is a block, reserved, lent or of the allocator, that is nobody else's, with a place for
//!   each column as [`Layout`] says for `capacity` values, or, reserved or lent, for `max`; `starts`
//!   are where they begin. Without a block, no column has bytes.
//! - Of a reserved block, what `capacity` values take is memory.
//!
//! What lies in the columns, initialised or not, is the owner's business, as in a
//! [`Buffer`](crate::raw::buffer::Buffer).

pub(crate) mod arrange;
mod room;
pub(crate) mod scratch;
pub(crate) mod shape;
pub(crate) mod tree;

use core::marker::PhantomData;
use core::ops::Range;
use core::panic::UnwindSafe;

use crate::error::TryReserveError;
use crate::raw::memory::Memory;
use crate::raw::storage::{At, CloneAt, Room, Storage};
use crate::soa::Soa;
use arrange::{Arrange, Arrangement};
use room::{Block, Layout};
use shape::{CloneShape, Shape, set_start};

type StartsOf<T> = <<T as Soa>::Shape as Shape>::Starts;
type ArrangeOf<T> = <<T as Soa>::Arrangement as Arrangement<T>>::Arrange;

/// Room for values in columns. (What accesses read comes first.)
#[repr(C)]
pub(crate) struct Columns<T: Soa> {
    starts: StartsOf<T>,
    block: Block,
    /// (What lies where, a debugger reads here.)
    owns: PhantomData<(T, T::Shape, ArrangeOf<T>)>,
}

/// What lies in the columns of `T`. Nothing but a derive's word says that they hold its fields, so a
/// shape answers for itself where threads are concerned.
pub(crate) type KeptIn<T> = (T, <T as Soa>::Shape);

// SAFETY: the columns are owned alone, as those of a `Vec` of each field.
unsafe impl<T: Soa> Send for Columns<T> where KeptIn<T>: Send {}
// SAFETY: through shared columns only addresses are handed out; the bound covers what is read there.
unsafe impl<T: Soa> Sync for Columns<T> where KeptIn<T>: Sync {}

/// As `Vec`: owned values.
impl<T: Soa + UnwindSafe> UnwindSafe for Columns<T> {}

/// Runs code that takes a value apart, or puts it together. It is nearly always derived, and cannot
/// panic; were it to, a value would be half here and half there, so the program ends.
#[inline(always)]
pub(crate) fn conversion<R>(convert: impl FnOnce() -> R) -> R {
    /// Panics while a panic unwinds, which aborts.
    struct Abort;

    impl Drop for Abort {
        fn drop(&mut self) {
            panic!("an implementation of `Soa` panicked");
        }
    }

    let abort = Abort;
    let converted = convert();
    core::mem::forget(abort);
    converted
}

/// Finds values in columns.
#[expect(
    unnameable_types,
    missing_debug_implementations,
    reason = "no user sees what a join reads with it"
)]
pub struct InColumns<T: Soa>(StartsOf<T>);

impl<T: Soa> Clone for InColumns<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Soa> Copy for InColumns<T> {}

impl<T: Soa> InColumns<T> {
    /// The values of a range, column by column.
    ///
    /// # Safety
    /// They are initialised, lie side by side, and may be borrowed for `'a`.
    #[inline(always)]
    pub(crate) unsafe fn columns<'a>(self, range: Range<usize>) -> T::Columns<'a>
    where
        T: 'a,
    {
        // SAFETY: by the contract.
        T::make_columns(unsafe { T::Shape::columns(self.0, range) })
    }

    /// The values of a range, column by column, to change them.
    ///
    /// # Safety
    /// They are initialised, lie side by side, and may be borrowed exclusively for `'a`.
    #[inline(always)]
    pub(crate) unsafe fn columns_mut<'a>(self, range: Range<usize>) -> T::ColumnsMut<'a>
    where
        T: 'a,
    {
        // SAFETY: by the contract.
        T::make_columns_mut(unsafe { T::Shape::columns_mut(self.0, range) })
    }

    /// A group of values, as arrays.
    ///
    /// # Safety
    /// The `L` values from `index` on are initialised, lie side by side, and may be borrowed for `'a`.
    #[inline(always)]
    pub(crate) unsafe fn lanes<'a, const L: usize>(self, index: usize) -> T::Lanes<'a, L>
    where
        T: 'a,
    {
        // SAFETY: by the contract.
        T::make_lanes(unsafe { T::Shape::lanes::<ArrangeOf<T>, L>(self.0, index) })
    }

    /// A group of values, as arrays, to change them.
    ///
    /// # Safety
    /// The `L` values from `index` on are initialised, lie side by side, and may be borrowed
    /// exclusively for `'a`.
    #[inline(always)]
    pub(crate) unsafe fn lanes_mut<'a, const L: usize>(self, index: usize) -> T::LanesMut<'a, L>
    where
        T: 'a,
    {
        // SAFETY: by the contract.
        T::make_lanes_mut(unsafe { T::Shape::lanes_mut::<ArrangeOf<T>, L>(self.0, index) })
    }
}

// SAFETY: a shape writes, reads and borrows all columns alike, at one place for each number.
unsafe impl<T: Soa> At<T> for InColumns<T> {
    type Kept = KeptIn<T>;

    const NOWHERE: Self = Self(T::Shape::NOWHERE);

    type Ref<'a>
        = T::Ref<'a>
    where
        T: 'a;
    type RefMut<'a>
        = T::RefMut<'a>
    where
        T: 'a;

    #[inline(always)]
    unsafe fn write(self, index: usize, value: T) {
        let parts = conversion(|| value.into_parts());
        // SAFETY: by the contract.
        unsafe { T::Shape::write::<ArrangeOf<T>>(self.0, index, parts) };
    }

    #[inline(always)]
    unsafe fn push(self, index: usize, value: T) {
        // SAFETY: by the contract; a group that has no value yet has room for all of it.
        unsafe { T::Arrangement::begin(self.0, index) };
        // SAFETY: by the contract.
        unsafe { self.write(index, value) };
    }

    #[inline(always)]
    unsafe fn vacate(self, index: usize) {
        // SAFETY: by the contract.
        unsafe { T::Arrangement::vacate(self.0, index) };
    }

    #[inline(always)]
    unsafe fn read(self, index: usize) -> T {
        // SAFETY: by the contract.
        let parts = unsafe { T::Shape::read::<ArrangeOf<T>>(self.0, index) };
        conversion(|| T::from_parts(parts))
    }

    #[inline(always)]
    unsafe fn copy(self, from: usize, to: usize) {
        // SAFETY: by the contract.
        unsafe { T::Shape::copy::<ArrangeOf<T>>(self.0, from, to) };
    }

    #[inline]
    unsafe fn drop_range(self, range: Range<usize>) {
        // SAFETY: by the contract.
        unsafe { T::Shape::drop_range::<ArrangeOf<T>>(self.0, range) };
    }

    #[inline(always)]
    unsafe fn get<'a>(self, index: usize) -> T::Ref<'a>
    where
        T: 'a,
    {
        // SAFETY: by the contract.
        T::make_ref(unsafe { T::Shape::get::<ArrangeOf<T>>(self.0, index) })
    }

    #[inline(always)]
    unsafe fn get_mut<'a>(self, index: usize) -> T::RefMut<'a>
    where
        T: 'a,
    {
        // SAFETY: by the contract.
        T::make_ref_mut(unsafe { T::Shape::get_mut::<ArrangeOf<T>>(self.0, index) })
    }
}

impl<T: Soa> CloneAt<T> for InColumns<T>
where
    T::Shape: CloneShape,
{
    #[inline]
    unsafe fn clone_value(self, index: usize) -> T {
        // SAFETY: by the contract.
        let parts = unsafe { T::Shape::clone_from_columns::<ArrangeOf<T>>(self.0, index) };
        conversion(|| T::from_parts(parts))
    }
}

// SAFETY: `At` finds what the block has room for.
unsafe impl<T: Soa> Storage<T> for Columns<T> {
    type At = InColumns<T>;

    const VALUE: usize = T::Shape::TREE.size();

    const WAVERS: usize = Self::LAYOUT.wavers();

    fn within(memory: Memory<'_>) -> Result<Self, TryReserveError> {
        Ok(Self::of(Block::within(Self::LAYOUT, memory)?))
    }

    fn end(at: usize, count: usize) -> Option<usize> {
        Self::LAYOUT.end(at, count)
    }

    #[inline(always)]
    fn at(&self) -> InColumns<T> {
        InColumns(ArrangeOf::<T>::known::<T::Shape>(self.starts))
    }
}

impl<T: Soa> Room for Columns<T> {
    const EMPTY: Self = Self { starts: T::Shape::NOWHERE, block: Block::EMPTY, owns: PhantomData };

    fn alike(&self) -> Result<Self, TryReserveError> {
        Ok(Self::of(self.block.alike(Self::LAYOUT)?))
    }

    #[inline(always)]
    fn capacity(&self) -> usize {
        self.block.capacity()
    }

    fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        self.block.resize(Self::LAYOUT, capacity)?;
        self.find();
        Ok(())
    }

    fn check(&self, capacity: usize) -> Result<(), TryReserveError> {
        Self::LAYOUT.check(capacity)
    }

    fn bytes(&self) -> usize {
        self.block.bytes(Self::LAYOUT)
    }

    fn space(&self) -> usize {
        self.block.space(Self::LAYOUT)
    }
}

impl<T: Soa> Columns<T> {
    const LAYOUT: Layout = Layout { tree: &T::Shape::TREE, lanes: ArrangeOf::<T>::LANES };

    /// What the address of a lent block is best a multiple of.
    pub(crate) const ALIGNMENT: usize = Self::LAYOUT.align();

    /// Where room for so many values ends that begins after the address `at`, in lent memory.
    pub(crate) const fn end_of(at: usize, count: usize) -> Option<usize> {
        Self::LAYOUT.end(at, count)
    }

    /// Columns in that block.
    fn of(block: Block) -> Self {
        let mut this = Self { starts: T::Shape::NOWHERE, block, owns: PhantomData };
        this.find();
        this
    }

    /// Finds where the columns begin.
    fn find(&mut self) {
        let starts = &mut self.starts;
        self.block.starts(Self::LAYOUT, |column, start| {
            set_start::<T::Shape>(starts, column, start);
        });
    }
}

impl<T: Soa> Drop for Columns<T> {
    /// Returns the block to where it came from.
    fn drop(&mut self) {
        self.block.free(Self::LAYOUT);
    }
}
