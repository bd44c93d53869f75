//! Values field by field, each field in a column, all columns in one block.
//!
//! **Invariant.** `block` is made for [`Columns::layout`], of which `max` is part: for how many values
//! the columns are laid out in reserved or lent memory. `starts` are where they begin in it; without a
//! block, no column has bytes.
//!
//! What lies in the columns, initialised or not, is the owner's business, as in a
//! [`Buffer`](crate::raw::buffer::Buffer).

pub(crate) mod arrange;
pub(crate) mod scratch;
pub(crate) mod shape;
// (Numbers only: no memory is touched.)
#[cfg(all(test, not(miri)))]
mod tests;
pub(crate) mod tree;

use core::marker::PhantomData;
use core::ops::Range;
use core::panic::UnwindSafe;
use core::ptr::NonNull;

use crate::error::TryReserveError;
use crate::raw::block::{Block, BlockLayout};
use crate::raw::memory::Memory;
use crate::raw::storage::{At, CloneAt, Room, Storage};
use crate::soa::Soa;
use arrange::{Arrange, Arrangement};
use shape::{CloneShape, Nest, Shape, addresses};
use tree::Tree;

type StartsOf<T> = <<T as Soa>::Shape as Shape>::Starts;
type ArrangeOf<T> = <<T as Soa>::Arrangement as Arrangement<T>>::Arrange;

/// Room for values in columns. (What accesses read comes first.)
#[repr(C)]
pub(crate) struct Columns<T: Soa> {
    starts: StartsOf<T>,
    block: Block,
    max: usize,
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

/// What lies in columns as values of `T` is found as its shape says, were it nested in another.
macro_rules! as_nested {
    ($(
        $(#[$attribute:meta])*
        $(($pub:tt))? fn $name:ident
            [$($life:lifetime)? $(const $l:ident)?] $([$arrange:ty $(, $lanes:ident)?])?
            ($($at:ident: $type:ty),*) $(-> $out:ty)?;
    )*) => {$(
        $(#[$attribute])*
        #[inline(always)]
        $(pub($pub))? unsafe fn $name<$($life,)? $(const $l: usize)?>(self, $($at: $type),*) $(-> $out)?
        where
            $(T: $life)?
        {
            // SAFETY: the shape asks for what the caller says.
            unsafe { Nest::<T>::$name $(::<$arrange $(, $lanes)?>)? (self.0, $($at),*) }
        }
    )*};
}

impl<T: Soa> InColumns<T> {
    as_nested! {
        /// The values of a range, column by column.
        ///
        /// # Safety
        /// They are initialised, lie side by side, and may be borrowed for `'a`.
        (crate) fn columns['a](range: Range<usize>) -> T::Columns<'a>;

        /// As [`columns`](Self::columns), to change them.
        ///
        /// # Safety
        /// As [`columns`](Self::columns), and exclusively.
        (crate) fn columns_mut['a](range: Range<usize>) -> T::ColumnsMut<'a>;

        /// A group of values, as arrays.
        ///
        /// # Safety
        /// The `L` values from `index` on are initialised, lie side by side, and may be borrowed for `'a`.
        (crate) fn lanes['a const L][ArrangeOf<T>, L](index: usize) -> T::Lanes<'a, L>;

        /// As [`lanes`](Self::lanes), to change them.
        ///
        /// # Safety
        /// As [`lanes`](Self::lanes), and exclusively.
        (crate) fn lanes_mut['a const L][ArrangeOf<T>, L](index: usize) -> T::LanesMut<'a, L>;
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

    as_nested! {
        fn write[][ArrangeOf<T>](index: usize, value: T);
        fn read[][ArrangeOf<T>](index: usize) -> T;
        fn copy[][ArrangeOf<T>](from: usize, to: usize);
        fn drop_range[][ArrangeOf<T>](range: Range<usize>);
        fn get['a][ArrangeOf<T>](index: usize) -> T::Ref<'a>;
        fn get_mut['a][ArrangeOf<T>](index: usize) -> T::RefMut<'a>;
    }

    #[inline(always)]
    unsafe fn push(self, index: usize, value: T) {
        // SAFETY: there is room for the value; a group that has none yet has room for all of it.
        unsafe {
            T::Arrangement::begin(self.0, index);
            self.write(index, value);
        }
    }

    #[inline(always)]
    unsafe fn vacate(self, index: usize) {
        // SAFETY: there is room for the value, and none is there.
        unsafe { T::Arrangement::vacate(self.0, index) };
    }
}

impl<T: Soa> CloneAt<T> for InColumns<T>
where
    T::Shape: CloneShape,
{
    #[inline]
    unsafe fn clone_value(self, index: usize) -> T {
        // SAFETY: the value is initialised, and unchanged meanwhile.
        unsafe { Nest::<T>::clone_from_columns::<ArrangeOf<T>>(self.0, index) }
    }
}

// SAFETY: `At` finds what the block has room for.
unsafe impl<T: Soa> Storage<T> for Columns<T> {
    type At = InColumns<T>;

    const VALUE: usize = T::Shape::TREE.size();

    const LENT: BlockLayout = Self::layout(0);

    fn within(memory: Memory<'_>) -> Result<Self, TryReserveError> {
        let max = memory.max().unwrap_or(0);
        let block = Block::within(Self::layout(max), Self::NOWHERE, memory)?;
        Ok(Self::of(block, max))
    }

    #[inline(always)]
    fn at(&self) -> InColumns<T> {
        InColumns(ArrangeOf::<T>::known::<T::Shape>(self.starts))
    }
}

impl<T: Soa> Room for Columns<T> {
    const EMPTY: Self = Self {
        starts: T::Shape::NOWHERE,
        block: Block::on_heap(Self::NOWHERE, true),
        max: 0,
        owns: PhantomData,
    };

    fn alike(&self) -> Result<Self, TryReserveError> {
        let block = self.block.alike(Self::layout(self.max), Self::NOWHERE)?;
        Ok(Self::of(block, self.max))
    }

    #[inline(always)]
    fn capacity(&self) -> usize {
        self.block.capacity()
    }

    fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        self.block.resize(Self::layout(self.max), capacity)?;
        self.find();
        Ok(())
    }

    fn check(&self, capacity: usize) -> Result<(), TryReserveError> {
        Self::layout(self.max).check(capacity)
    }

    fn bytes(&self) -> usize {
        self.block.bytes(Self::layout(self.max))
    }

    fn space(&self) -> usize {
        self.block.space(Self::layout(self.max))
    }
}

impl<T: Soa> Columns<T> {
    const NOWHERE: NonNull<u8> = NonNull::dangling();

    const fn layout(max: usize) -> BlockLayout {
        match ArrangeOf::<T>::LANES {
            0 => BlockLayout::Split { tree: &T::Shape::TREE, max },
            lanes => {
                let (align, size) = const { T::Shape::TREE.group(ArrangeOf::<T>::LANES) };
                BlockLayout::Whole { size, align, lanes }
            }
        }
    }

    /// Where the columns begin.
    #[cfg(feature = "snapshot")]
    pub(crate) const fn starts(&self) -> StartsOf<T> {
        self.starts
    }

    /// Columns in that block.
    fn of(block: Block, max: usize) -> Self {
        let mut this = Self { starts: T::Shape::NOWHERE, block, max, owns: PhantomData };
        this.find();
        this
    }

    /// Finds where the columns begin.
    fn find(&mut self) {
        let (layout, starts) = (Self::layout(self.max), addresses::<T::Shape>(&mut self.starts));
        find_columns(&self.block, layout, &T::Shape::TREE, starts);
    }
}

/// Where the columns of that tree begin in a block; without one they stay where they are.
fn find_columns(block: &Block, layout: BlockLayout, tree: &Tree, starts: &mut [NonNull<u8>]) {
    let mut parts = block.starts(layout);
    match layout {
        BlockLayout::Split { .. } => {
            starts.iter_mut().zip(parts).for_each(|(start, part)| *start = part)
        }
        BlockLayout::Whole { lanes, .. } => {
            let Some(group) = parts.next() else { return };
            for (start, offset) in starts.iter_mut().zip(tree.lane_offsets(lanes)) {
                // SAFETY: a column begins in the first group.
                *start = unsafe { group.add(offset) };
            }
        }
    }
}

impl<T: Soa> Drop for Columns<T> {
    /// Returns the block to where it came from.
    fn drop(&mut self) {
        // SAFETY: nothing that lay in it is used again.
        unsafe { self.block.free(Self::layout(self.max)) };
    }
}
