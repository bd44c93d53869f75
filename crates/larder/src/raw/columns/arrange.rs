//! Whether a column lies in one piece, or in groups of lanes.
//!
//! **Invariant** of [`Arrange::place`]: different elements have different places, and what the block
//! was made for lies within it ([`Columns`](super::Columns) makes it by the same numbers).

#![expect(unnameable_types, reason = "what derived code is written with, and the seals of it")]

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::shape::Shape;
use super::tree::Tree;
use crate::soa::{Fill, Soa};

/// Where the elements of a column lie, from its first on.
#[doc(hidden)]
pub trait Arrange: sealed::Sealed {
    /// How many values a group has; 0: there are no groups.
    const LANES: usize;

    /// The addresses of columns, told so that a compiler knows how far they lie apart, where that is
    /// always the same: it vectorises loops over several of them only where they do not overlap.
    fn known<S: Shape>(starts: S::Starts) -> S::Starts;

    /// # Safety
    /// The column was made for the element.
    unsafe fn place<F>(start: NonNull<u8>, index: usize) -> NonNull<F>;
}

/// How the columns of `T` are arranged. Sealed: [`Split`], [`Lanes`].
pub trait Arrangement<T: Soa>: sealed::Sealed {
    #[doc(hidden)]
    type Arrange: Arrange;

    /// What is done before the first value of a group is written.
    ///
    /// # Safety
    /// The columns were made for the element, and for its whole group, which has no value.
    #[doc(hidden)]
    unsafe fn begin(starts: <T::Shape as Shape>::Starts, index: usize);

    /// What is done after a value was moved out.
    ///
    /// # Safety
    /// The columns were made for the element, and it has no value.
    #[doc(hidden)]
    unsafe fn vacate(starts: <T::Shape as Shape>::Starts, index: usize);
}

mod sealed {
    pub trait Sealed {}
}

/// Each column in one piece: a slice.
#[derive(Debug)]
pub struct Split;

/// Columns in groups of `L` values: `[f32; L]`, and the next field's after it.
#[derive(Debug)]
pub struct Lanes<const L: usize>;

/// What finds the elements of `T` in groups of `L`.
#[doc(hidden)]
#[derive(Debug)]
pub struct Grouped<T, const L: usize>(PhantomData<T>);

impl sealed::Sealed for Split {}
impl<const L: usize> sealed::Sealed for Lanes<L> {}
impl<T, const L: usize> sealed::Sealed for Grouped<T, L> {}

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
            // SAFETY: the columns were made for the whole group, which has no value.
            unsafe { fill_group::<T, L>(starts, index) };
        }
    }

    #[inline(always)]
    unsafe fn vacate(starts: <T::Shape as Shape>::Starts, index: usize) {
        let parts = super::conversion(|| T::FILL.into_parts());
        // SAFETY: there is room for the element.
        unsafe { T::Shape::write::<Grouped<T, L>>(starts, index, parts) };
    }
}

/// # Safety
/// As [`Arrangement::begin`].
#[inline(never)]
unsafe fn fill_group<T: Soa + Fill, const L: usize>(
    starts: <T::Shape as Shape>::Starts,
    first: usize,
) {
    for index in first..first + L {
        // SAFETY: the columns were made for the whole group, which has no value.
        unsafe { <Lanes<L> as Arrangement<T>>::vacate(starts, index) };
    }
}

/// How many lanes of a shape fill a block of 16 KiB.
#[doc(hidden)]
#[must_use]
pub const fn lanes_of_a_block<S: Shape>() -> usize {
    let tree: Tree = S::TREE;
    tree.lanes_within(16 << 10)
}
