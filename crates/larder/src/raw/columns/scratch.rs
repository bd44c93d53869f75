//! Columns for a while, in memory that is borrowed: values are put in, computed with as columns, and
//! taken out again, in that order.
//!
//! **Invariant** of a [`Scratch`]:
//! - `starts` are places in the borrowed block for as many columns as the shape has, each with room
//!   for `capacity` values, none of which overlap.
//! - The values whose numbers are in `live` are initialised; `live.end <= capacity`.

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::Range;
use core::ptr::NonNull;

use super::arrange::{LARGE, Places, Split, Tree};
use super::shape::{Shape, addresses};
use crate::raw::after;

/// What temporary columns take where the caller lends nothing.
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
pub(crate) struct Scratch<'s, S: Shape> {
    starts: S::Starts,
    capacity: usize,
    live: Range<usize>,
    borrows: PhantomData<(&'s mut [MaybeUninit<u8>], S::Value)>,
}

impl<'s, S: Shape> Scratch<'s, S> {
    const TREE: &'static Tree = &S::TREE;

    /// No values yet, and room for as many as fit. If not even one fits: how many bytes are missing.
    pub(crate) fn within(block: &'s mut [MaybeUninit<u8>]) -> Result<Self, usize> {
        let bytes = block.len();
        let base = NonNull::from(block).cast::<u8>();
        let address = base.addr().get();
        // Small columns need lie apart from nothing.
        let align = if bytes < LARGE { Self::TREE.natural_align() } else { Self::TREE.align() };
        let before = address.next_multiple_of(align) - address;
        let capacity = Places::fitting(Self::TREE, bytes.saturating_sub(before));
        if capacity == 0 {
            let one = Places::total(Self::TREE, 1, 1).unwrap_or(isize::MAX as usize);
            return Err((before + one).saturating_sub(bytes));
        }
        let mut starts = S::NOWHERE;
        let mut places = Places::new(Self::TREE, capacity, 1);
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
        // SAFETY: by the invariant; they are borrowed as the scratch is.
        unsafe { S::columns_mut(self.starts, self.live.clone()) }
    }

    /// Takes the first value out.
    #[inline(always)]
    pub(crate) fn pop_front(&mut self) -> Option<S::Value> {
        let first = self.live.next()?;
        // SAFETY: it was live, and is not any more.
        Some(unsafe { S::read::<Split>(self.starts, first) })
    }

    /// Drops what is left, and begins anew.
    #[inline]
    pub(crate) fn clear(&mut self) {
        let live = core::mem::replace(&mut self.live, 0..0);
        // SAFETY: they were live, and are not any more.
        unsafe { S::drop_range::<Split>(self.starts, live) };
    }
}

impl<S: Shape> Drop for Scratch<'_, S> {
    #[inline]
    fn drop(&mut self) {
        self.clear();
    }
}
