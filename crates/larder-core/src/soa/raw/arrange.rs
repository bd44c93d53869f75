//! The arrangements of columns: in one piece, or in groups of lanes; and temporary columns in borrowed memory.
//!
//! **Invariant** of [`Arrange::place`]: different elements have different places, and those of elements for which the
//! block was made lie within it ([`Columns`](super::Columns) makes it by the same numbers).
//!
//! **Invariant** of a [`TemporaryColumns`], in which values are put, computed with as columns, and taken out again, in
//! that order:
//! - `starts` are places in the borrowed block for as many columns as the shape has, each with room
//!   for `capacity` values, none of which overlap.
//! - The values whose numbers are in `live` are initialised; `live.end <= capacity`.

#![expect(unnameable_types, reason = "what derived code is written with, and the seals of it")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::Range;
use core::ptr::NonNull;

use super::shape::sealed::Sealed;
use super::shape::{Arrange, Shape, addresses};
use crate::memory::after;
use crate::memory::block::tree::{ColumnPlaces, LARGE, Tree};
use crate::soa::{Fill, Soa, view::View};

/// The arrangement of the columns of `T`. Sealed: [`Split`], [`Lanes`].
pub trait Arrangement<T: Soa>: Sealed {
    #[doc(hidden)]
    type Arrange: Arrange;

    /// Prepares a group before its first value is written.
    ///
    /// # Safety
    /// 1. The columns were made for the element, and for its whole group.
    /// 2. The group has no value.
    #[doc(hidden)]
    unsafe fn begin(starts: <T::Shape as Shape>::Starts, index: usize);

    /// Clears the place of a value that was moved out.
    ///
    /// # Safety
    /// 1. The columns were made for the element.
    /// 2. It has no value.
    #[doc(hidden)]
    unsafe fn vacate(starts: <T::Shape as Shape>::Starts, index: usize);
}

/// Each column in one piece: a slice.
#[derive(Debug)]
pub struct Split;

/// Columns in groups of `L` values: `[f32; L]`, and the next field's after it.
#[derive(Debug)]
pub struct Lanes<const L: usize>;

/// Finds the elements of `T` in groups of `L`.
#[doc(hidden)]
pub struct Grouped<T, const L: usize>(PhantomData<T>);

impl Sealed for Split {}
impl<const L: usize> Sealed for Lanes<L> {}
impl<T, const L: usize> Sealed for Grouped<T, L> {}

impl Arrange for Split {
    const LANES: usize = 0;

    #[inline(always)]
    fn known<S: Shape>(starts: S::Starts) -> S::Starts {
        starts
    }

    #[inline(always)]
    unsafe fn place<F>(start: NonNull<u8>, index: usize) -> NonNull<F> {
        // SAFETY: the column was made for the element.
        unsafe { start.cast::<F>().add(index) }
    }
}

impl<T: Soa> Arrangement<T> for Split {
    type Arrange = Self;

    #[inline(always)]
    unsafe fn begin(_starts: <T::Shape as Shape>::Starts, _index: usize) {}

    #[inline(always)]
    unsafe fn vacate(_starts: <T::Shape as Shape>::Starts, _index: usize) {}
}

impl<T: Soa, const L: usize> Grouped<T, L> {
    /// From one group to the next.
    const STRIDE: usize = {
        assert!(
            matches!(L, 4 | 8 | 16 | 32) || (L > 0 && L % 64 == 0),
            "lanes are 4, 8, 16, 32, 64, or a multiple of 64"
        );
        let plain = !T::Shape::TREE.needs_drop();
        assert!(plain, "lanes are for plain data: a field needs `Drop`");
        T::Shape::TREE.group(L).1
    };
}

impl<T: Soa, const L: usize> Arrange for Grouped<T, L> {
    const LANES: usize = L;

    #[inline(always)]
    fn known<S: Shape>(starts: S::Starts) -> S::Starts {
        // Columns without bytes are nowhere, each where its alignment allows it.
        if const { Self::STRIDE == 0 } { starts } else { S::in_group::<(), L>(S::first(starts)) }
    }

    #[inline(always)]
    unsafe fn place<F>(start: NonNull<u8>, index: usize) -> NonNull<F> {
        let stride = const { Self::STRIDE };
        // SAFETY: the column was made for the element, and so for its group.
        unsafe { start.byte_add(index / L * stride).cast::<F>().add(index % L) }
    }
}

impl<T: Soa + Fill, const L: usize> Arrangement<T> for Lanes<L> {
    type Arrange = Grouped<T, L>;

    #[inline(always)]
    unsafe fn begin(starts: <T::Shape as Shape>::Starts, index: usize) {
        if index % L == 0 {
            // SAFETY: (1) the columns were made for the whole group, (2) which has no value.
            unsafe { fill_group::<T, L>(starts, index) };
        }
    }

    #[inline(always)]
    unsafe fn vacate(starts: <T::Shape as Shape>::Starts, index: usize) {
        let parts = super::conversion(|| T::View::into_parts(T::FILL));
        // SAFETY: there is room for the element.
        unsafe { T::Shape::write::<Grouped<T, L>>(starts, index, parts) };
    }
}

/// # Safety
/// The contract is that of [`Arrangement::begin`].
#[inline(never)]
unsafe fn fill_group<T: Soa + Fill, const L: usize>(
    starts: <T::Shape as Shape>::Starts,
    first: usize,
) {
    for index in first..first + L {
        // SAFETY: (1) the columns were made for the whole group, (2) which has no value.
        unsafe { <Lanes<L> as Arrangement<T>>::vacate(starts, index) };
    }
}

/// Returns the number of lanes of a shape that fill a block of 16 KiB.
#[doc(hidden)]
#[must_use]
pub const fn lanes_of_a_block<S: Shape>() -> usize {
    let tree: Tree = S::TREE;
    tree.lanes_within(16 << 10)
}

/// The size of temporary columns if the caller lends no memory.
const ON_STACK: usize = 16 << 10;

/// A block for temporary columns, on the stack.
#[repr(C, align(64))]
pub(crate) struct OnStack([MaybeUninit<u8>; ON_STACK]);

impl OnStack {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self([const { MaybeUninit::uninit() }; ON_STACK])
    }

    pub(crate) const fn block(&mut self) -> &mut [MaybeUninit<u8>] {
        &mut self.0
    }
}

/// Columns of at most `capacity` values in a borrowed block, each in one piece.
pub(crate) struct TemporaryColumns<'s, S: Shape> {
    starts: S::Starts,
    capacity: usize,
    live: Range<usize>,
    borrows: PhantomData<(&'s mut [MaybeUninit<u8>], S::Value)>,
}

impl<'s, S: Shape> TemporaryColumns<'s, S> {
    const TREE: &'static Tree = &S::TREE;

    /// No values yet, and room for as many as fit. If not even one fits: how many bytes are missing.
    pub(crate) fn within(block: &'s mut [MaybeUninit<u8>]) -> Result<Self, usize> {
        let bytes = block.len();
        let base = NonNull::from(block).cast::<u8>();
        let address = base.addr().get();
        // Small columns need lie apart from nothing.
        let align = if bytes < LARGE { Self::TREE.natural_align() } else { Self::TREE.align() };
        let before = address.next_multiple_of(align) - address;
        let capacity = ColumnPlaces::fitting(Self::TREE, bytes.saturating_sub(before));
        if capacity == 0 {
            let one = ColumnPlaces::total(Self::TREE, 1, 1).unwrap_or(isize::MAX as usize);
            return Err((before + one).saturating_sub(bytes));
        }
        let mut starts = S::NOWHERE;
        let mut places = ColumnPlaces::new(Self::TREE, capacity, 1);
        for start in addresses::<S>(&mut starts) {
            // Only values without a size fit where there is nothing: they lie nowhere.
            if let Some((span, _)) = places.next().filter(|(span, _)| before + span.end <= bytes) {
                *start = after(base, before + span.first);
            }
        }
        Ok(Self { starts, capacity, live: 0..0, borrows: PhantomData })
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.live.end == self.capacity
    }

    /// Puts a value behind the others.
    #[inline(always)]
    pub(crate) fn push(&mut self, value: S::Value) {
        assert!(!self.is_full(), "there is no room");
        // SAFETY: the number is below the capacity.
        unsafe { S::write::<Split>(self.starts, self.live.end, value) };
        self.live.end += 1;
    }

    /// All values, column by column.
    #[inline]
    pub(crate) fn columns_mut(&mut self) -> S::ColumnsMut<'_> {
        // SAFETY: (1) by the invariant; (2) they are borrowed as the scratch is.
        unsafe { S::columns_mut(self.starts, self.live.clone()) }
    }

    /// Takes the first value out.
    #[inline(always)]
    pub(crate) fn pop_front(&mut self) -> Option<S::Value> {
        let first = self.live.next()?;
        // SAFETY: it (1) was live, and (2) is not any more.
        Some(unsafe { S::read::<Split>(self.starts, first) })
    }

    /// Drops what is left, and begins anew.
    #[inline]
    pub(crate) fn clear(&mut self) {
        let live = core::mem::replace(&mut self.live, 0..0);
        // SAFETY: they (1) were live, and (2) are not any more.
        unsafe { S::drop_range::<Split>(self.starts, live) };
    }
}

impl<S: Shape> Drop for TemporaryColumns<'_, S> {
    #[inline]
    fn drop(&mut self) {
        self.clear();
    }
}
