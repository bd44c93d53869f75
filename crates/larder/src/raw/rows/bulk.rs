//! Operations on many rows at once, a word of 64 slots at a time.

use core::marker::PhantomData;
use core::mem;

use super::{Finder, GenerationOf, Row, RowOf, Rows, Slots, Store};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::raw::generation::{Generation, Mark};
use crate::raw::occupancy::WORD;
use crate::raw::slots::{Growth, MarkOf, Sweep};
use crate::raw::walk::{Walk, each_bit};

impl<T, K: Key, S: Store<RowOf<T, K>>> Rows<T, K, S> {
    /// Inserts values until the iterator ends or no memory is left.
    ///
    /// On an error, the values so far are in. If the iterator panics, too.
    #[inline]
    pub(crate) fn try_extend(
        &mut self,
        values: impl IntoIterator<Item = T>,
    ) -> Result<(), TryReserveError> {
        let mut values = values.into_iter();
        self.try_expect(values.size_hint().0)?;
        loop {
            while self.ledger.book.holes() > 0 || self.ledger.book.slots() == self.rows.capacity() {
                let Some(value) = values.next() else {
                    return Ok(());
                };
                self.vacancy()?.fill(value);
            }
            if !self.append_from(&mut values) {
                return Ok(());
            }
        }
    }

    /// Appends values until the iterator ends, which is answered with `false`, or the room does.
    #[inline]
    fn append_from(&mut self, values: &mut impl Iterator<Item = T>) -> bool {
        /// Counts the new rows in, also while the iterator's panic unwinds.
        struct Append<'a, T, K: Key, S: Store<RowOf<T, K>>> {
            rows: &'a mut Rows<T, K, S>,
            count: usize,
        }

        impl<T, K: Key, S: Store<RowOf<T, K>>> Drop for Append<'_, T, K, S> {
            fn drop(&mut self) {
                // SAFETY: `count` rows above the mark were written, within the capacity.
                unsafe { self.rows.ledger.book.append_many(self.count) };
            }
        }

        debug_assert_eq!(self.ledger.book.holes(), 0, "holes are filled first");
        let room = self.rows.capacity() - self.ledger.book.slots();
        let mut rows = self.rows.finder();
        let slots = self.ledger.book.slots();
        let mut mark = self.ledger.mark;
        let mut append = Append { rows: self, count: 0 };
        // Written where it will lie: nothing but the count is kept up to date meanwhile.
        values.by_ref().take(room).for_each(|value| {
            let generation = GenerationOf::<K>::fresh(mark).occupied(&mut mark);
            // SAFETY: `take` stops where the room ends.
            let row = unsafe { rows.find(slots + append.count) };
            // SAFETY: the row is ours, and has no value.
            unsafe { row.write(Row { value: mem::MaybeUninit::new(value), generation }) };
            append.count += 1;
            if MarkOf::<K>::COUNTS {
                append.rows.ledger.mark = mark;
            }
        });
        append.count == room
    }

    /// Drops the values that `keep` refuses. If `keep` or a value's `Drop` panics, what came before
    /// is done, and the rest stays.
    #[inline]
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(K, &mut T) -> bool) {
        for word in 0..self.ledger.book.slots().div_ceil(WORD) {
            // SAFETY: the word lies below `slots`.
            let live = unsafe { self.ledger.book.live_word(word) };
            // SAFETY: as above; `stored` is right for live slots.
            let mut sweep = unsafe { Sweep::<K, _>::new(self, word) };
            each_bit(live, |bit| {
                let slot = word * WORD + bit;
                // SAFETY: the slot is live.
                let mut value = unsafe { sweep.slots.value(slot) };
                // SAFETY: as above.
                let key = K::compose(slot as u32, unsafe { sweep.slots.stored(slot) });
                // SAFETY: the value is initialised, and the rows are borrowed exclusively.
                let dies = !keep(key, unsafe { value.as_mut() });
                // No branch: which values die can seldom be told in advance.
                // SAFETY: the slot is live.
                unsafe { sweep.note(u64::from(dies) << bit) };
                if mem::needs_drop::<T>() && dies {
                    // SAFETY: from here on the value is nobody's.
                    unsafe { value.drop_in_place() };
                }
            });
        }
    }

    /// Drops every value and gives up every detached key; the generations stay.
    pub(crate) fn clear(&mut self) {
        if mem::needs_drop::<T>() {
            self.retain(|_, _| false);
        } else {
            for word in 0..self.ledger.book.slots().div_ceil(WORD) {
                // SAFETY: the word lies below `slots`.
                let dead = unsafe { self.ledger.book.live_word(word) };
                // SAFETY: as above; `stored` is right for live slots.
                let mut sweep = unsafe { Sweep::<K, _>::new(self, word) };
                // SAFETY: they are live, and need no drop.
                unsafe { sweep.note(dead) };
            }
        }
        self.release_all();
        self.ledger.book.vacate_all();
    }

    /// Where there is no value, and half of the slots or more are retired: begins with fresh slots and
    /// as much room, and says how many slots it left. `None` where that is not so, or memory is refused.
    ///
    /// Later keys may equal those of before: it is for the caller to tell them apart.
    #[cfg(feature = "alloc")]
    pub(crate) fn renew_if_worn(&mut self) -> Option<usize> {
        let book = &self.ledger.book;
        let (slots, retired) = (book.slots(), book.retired());
        if book.holes() + retired < slots || retired == 0 || retired < slots - retired {
            return None;
        }
        debug_assert!(self.ledger.growth == Growth::Moves, "the memory is of another kind");
        let mut fresh = Self::new(book.reuse());
        fresh.try_reserve(self.rows.capacity()).ok()?;
        *self = fresh;
        Some(slots)
    }

    /// The slots that are begun have later generations than this one, that of a free slot.
    #[cfg(feature = "alloc")]
    pub(crate) fn begin_above(&mut self, generation: u64) {
        debug_assert_eq!(self.ledger.book.slots(), 0, "there is a slot of another generation");
        if let Some(mark) = MarkOf::<K>::from_u64(generation) {
            self.ledger.mark = mark;
        }
    }

    /// The greatest generation that a key had; `None` where slots are retired. O(slots).
    #[cfg(feature = "alloc")]
    pub(crate) fn reached(&self) -> Option<u64> {
        if self.ledger.book.retired() != 0 {
            return None;
        }
        // SAFETY: the slot is in use.
        let of = |slot| unsafe { self.stored(slot) }.to_u64();
        (0..self.ledger.book.slots()).map(of).chain([self.ledger.mark.to_u64()]).max()
    }

    /// A copy in which the same keys work.
    pub(crate) fn try_clone(&self) -> Result<Self, TryReserveError>
    where
        T: Clone,
    {
        let mut copy = Self::new(self.ledger.book.reuse());
        copy.rows = self.rows.alike()?;
        let fixed = self.ledger.growth == Growth::Fixed;
        copy.rows.resize(if fixed { self.rows.capacity() } else { self.ledger.book.slots() })?;
        copy.copy_from(self)?;
        Ok(copy)
    }

    /// Becomes a copy of `source`, in the memory that is there if it suffices.
    pub(crate) fn try_clone_from(&mut self, source: &Self) -> Result<(), TryReserveError>
    where
        T: Clone,
    {
        let suffices = source.ledger.book.slots() <= self.rows.capacity();
        let same_kind = self.ledger.growth == source.ledger.growth
            && self.ledger.book.reuse() == source.ledger.book.reuse()
            && (self.ledger.growth != Growth::Fixed
                || self.rows.capacity() == source.rows.capacity());
        if !suffices || !same_kind {
            *self = source.try_clone()?;
            return Ok(());
        }
        self.clear();
        self.copy_from(source)
    }

    /// Copies the values, then the generations and the book. `self` has no live value, and room.
    ///
    /// If a value's `Clone` panics, or memory is refused, `self` is as empty as it was.
    fn copy_from(&mut self, source: &Self) -> Result<(), TryReserveError>
    where
        T: Clone,
    {
        debug_assert!(self.len() == 0 && self.rows.capacity() >= source.ledger.book.slots());
        let ledger = source.ledger.try_clone(self.rows.capacity())?;
        source.clone_values_into(self.rows.finder());
        for slot in 0..source.ledger.book.slots() {
            // SAFETY: the slot is in use there.
            let generation = unsafe { source.stored(slot) };
            // SAFETY: there is room here.
            unsafe { self.copy_generation(slot, generation) };
        }
        self.ledger = ledger;
        Ok(())
    }

    /// # Safety
    /// `slot < rows.capacity()`; the book is about to say of the slot what the generation says.
    #[inline]
    unsafe fn copy_generation(&mut self, slot: usize, generation: GenerationOf<K>) {
        // SAFETY: by the contract.
        let row = unsafe { self.row(slot) };
        // SAFETY: the row is ours.
        let place = unsafe { &raw mut (*row.as_ptr()).generation };
        // SAFETY: as above.
        unsafe { place.write(generation) };
    }

    /// Clones every live value into the same slot of `target`, which has room and no values.
    fn clone_values_into(&self, target: S::Finder)
    where
        T: Clone,
    {
        /// Drops the copies made so far if one of them panics.
        struct Undo<'a, T, K: Key, S: Store<RowOf<T, K>>> {
            source: &'a Rows<T, K, S>,
            target: S::Finder,
            done: usize,
        }

        impl<T, K: Key, S: Store<RowOf<T, K>>> Drop for Undo<'_, T, K, S> {
            fn drop(&mut self) {
                // SAFETY: the source's book does not change meanwhile.
                let copies = unsafe { self.source.ledger.book.walk() }.take(self.done);
                for slot in copies {
                    // SAFETY: the slot has room in the target.
                    let row = unsafe { self.target.find(slot) };
                    // SAFETY: its copy was made, and is not used again.
                    unsafe { row.cast::<T>().drop_in_place() };
                }
            }
        }

        let mut undo = Undo { source: self, target, done: 0 };
        // SAFETY: the book does not change while `self` is borrowed.
        let walk: Walk = unsafe { self.ledger.book.walk() };
        walk.for_each(|slot| {
            // SAFETY: the slot is live.
            let value = unsafe { self.value(slot) };
            // SAFETY: as above.
            let copy = unsafe { value.as_ref() }.clone();
            // SAFETY: the target has room for the slot.
            let row = unsafe { undo.target.find(slot) };
            // SAFETY: the row is the target's, which has no value there.
            unsafe { row.cast::<T>().write(copy) };
            undo.done += 1;
        });
        mem::forget(undo);
    }
}

/// Drops the values that a walk yields, all of them, even if one of them panics.
///
/// # Safety
/// The walk yields live slots of `rows`, each once, and nobody uses their values afterwards.
pub(crate) unsafe fn drop_values<T, G, F: Finder<Row<T, G>>>(walk: Walk, rows: F) {
    /// Goes on with the rest while the panic of one value unwinds.
    struct Rest<T, G, F: Finder<Row<T, G>>> {
        walk: Walk,
        rows: F,
        of: PhantomData<Row<T, G>>,
    }

    impl<T, G, F: Finder<Row<T, G>>> Drop for Rest<T, G, F> {
        fn drop(&mut self) {
            let walk = mem::replace(&mut self.walk, Walk::empty());
            if walk.len() > 0 {
                // SAFETY: the contract of the outer call covers what it has not yielded yet.
                unsafe { drop_values(walk, self.rows) };
            }
        }
    }

    let mut rest = Rest { walk, rows, of: PhantomData };
    let mut rows = rows;
    for slot in rest.walk.by_ref() {
        // SAFETY: the walk yields slots in use.
        let row = unsafe { rows.find(slot) };
        // SAFETY: the slot is live, and its value is not used again.
        unsafe { row.cast::<T>().drop_in_place() };
    }
    mem::forget(rest);
}
