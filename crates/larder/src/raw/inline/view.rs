//! Values inside their owner as a join sees them. The invariant is that of [`inline`](super).

use core::ptr::NonNull;

use super::Inline;
use crate::key::Key;
use crate::raw::join::{Exclusive, Shared};
use crate::raw::rows::{InBlock, RowsView};

/// What a join knows of them.
pub(crate) type InlineView<T, K> = RowsView<T, K, InBlock<T, K>>;

impl<T, K: Key, const N: usize> Inline<T, K, N> {
    #[inline]
    pub(crate) fn shared(&self) -> Shared<'_, InlineView<T, K>> {
        let rows = NonNull::from(&self.rows).cast();
        // SAFETY: the words are those of live slots.
        let view = unsafe { RowsView::new(self.book.live_words(), rows) };
        // SAFETY: the rows are borrowed.
        unsafe { Shared::new(view) }
    }

    #[inline]
    pub(crate) fn exclusive(&mut self) -> Exclusive<'_, InlineView<T, K>> {
        let rows = NonNull::from(&mut self.rows).cast();
        // SAFETY: the words are those of live slots; they lie apart from the rows.
        let view = unsafe { RowsView::new(self.book.live_words(), rows) };
        // SAFETY: the rows are borrowed exclusively.
        unsafe { Exclusive::new(view) }
    }
}
