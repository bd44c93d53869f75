//! Finding a value by the address of its row.
//!
//! **Invariant.** A pointer handle is handed out only where rows stay where they are for good. So the
//! address of a row is as good as its number: address and generation are equal to those of a live
//! row if and only if they were handed out for the value in it, as with keys.
//!
//! Any number may come as an address. It becomes a pointer only as a part of the block: what is asked
//! of it is that it is the beginning of a row in use, whose generation then says the rest. (An odd
//! generation, as every pointer handle has, is stored in live rows alone.)

use core::ptr::NonNull;

use super::{Layout, RowOf, Rows, Store};
use crate::error::TryReserveError;
use crate::key::{Handle, Key, PtrHandle};
use crate::raw::cold_path;
use crate::raw::slots::{Book, Growth};

impl<T, K: Key, L: Layout<T, K>> Store<T, K, L> {
    /// Whether values stay where they are, whatever is inserted.
    pub(crate) fn stays(&self) -> bool {
        self.ledger.growth != Growth::Moves
    }
}

impl<T, K: Key> Rows<T, K> {
    /// No row moves any more: the container does not grow. On an error nothing has changed.
    pub(crate) fn fix(&mut self) -> Result<(), TryReserveError> {
        if !self.stays() {
            self.ledger.book.prepare_taken()?;
            self.ledger.growth = Growth::Fixed;
        }
        Ok(())
    }
}

impl<T, M> Rows<T, Handle<M>> {
    #[inline(always)]
    fn find_by_pointer(&self, pointer: PtrHandle<M>) -> Option<NonNull<T>> {
        let step = size_of::<RowOf<T, Handle<M>>>();
        let offset = pointer.address().get().wrapping_sub(self.layout.start().addr().get());
        // (All rows together are smaller than memory: nothing overflows.)
        if offset >= self.ledger.book.slots() * step || offset % step != 0 {
            return None;
        }
        let row = self.layout.start().with_addr(pointer.address());
        // SAFETY: it is a row in use, whose generation is initialised.
        let stored = unsafe { (*row.as_ptr()).generation };
        if stored.get() != pointer.generation().get() {
            // A branch, not a conditional move: the value is fetched before the check is done.
            cold_path();
            return None;
        }
        Some(row.cast())
    }

    #[inline(always)]
    pub(crate) fn get_by_pointer(&self, pointer: PtrHandle<M>) -> Option<&T> {
        let value = self.find_by_pointer(pointer)?;
        // SAFETY: its generation is that of a live slot; it is borrowed as `self` is.
        Some(unsafe { value.as_ref() })
    }

    #[inline(always)]
    pub(crate) fn get_by_pointer_mut(&mut self, pointer: PtrHandle<M>) -> Option<&mut T> {
        let mut value = self.find_by_pointer(pointer)?;
        // SAFETY: its generation is that of a live slot; it is borrowed as `self` is.
        Some(unsafe { value.as_mut() })
    }
}
