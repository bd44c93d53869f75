//! Inserting values into lists and removing them.

use core::ops::{Bound, Range, RangeBounds};
use core::{iter, mem};

use super::{ListHandle, ListPool};
use crate::explain;
use crate::list_handle::ListKey;
use crate::raw::lists::{Lists, Refused};
use larder_core::room;
use larder_core::{InsertError, TryReserveError};

/// Inserting. Methods that may insert a first value take the handle by `&mut`, since [`ListHandle::EMPTY`] becomes a
/// list by it. Other handles do not change.
///
/// After [`try_reserve`](Self::try_reserve) inserting that many values needs no memory.
impl<T> ListPool<T> {
    /// Appends a value. O(1) amortised: growing moves the list.
    ///
    /// # Panics
    /// If allocation fails, or the list was freed or is of another pool.
    ///
    /// # Examples
    /// ```
    /// use larder::pools::list_pool::{ListHandle, ListPool};
    ///
    /// let mut lists = ListPool::new();
    /// let mut list = ListHandle::EMPTY;
    /// lists.push(&mut list, 'a');
    /// assert_eq!(lists[list], ['a']);
    /// ```
    #[inline]
    #[track_caller]
    pub fn push(&mut self, list: &mut ListHandle<T>, value: T) {
        if let Err(refused) = self.try_push(list, value) {
            room::refused::<Self>(&refused.reason);
        }
    }

    /// Like [`push`](Self::push), but returns the value in an error. O(1) amortised.
    ///
    /// # Errors
    /// If allocation fails, or there are too many lists or values. Then nothing has changed.
    ///
    /// # Panics
    /// If the list was freed or is of another pool.
    ///
    /// # Examples
    /// ```
    /// use larder::pools::list_pool::{ListHandle, ListPool};
    ///
    /// let mut lists = ListPool::new();
    /// let mut list = ListHandle::EMPTY;
    /// assert!(lists.try_push(&mut list, 'a').is_ok());
    /// ```
    #[inline]
    #[track_caller]
    pub fn try_push(&mut self, list: &mut ListHandle<T>, value: T) -> Result<(), InsertError<T>> {
        if self.recorder.is_on() {
            return self.push_recorded(list, value);
        }
        self.push_unrecorded(list, value)
    }

    #[inline(always)]
    #[track_caller]
    fn push_unrecorded(
        &mut self,
        list: &mut ListHandle<T>,
        value: T,
    ) -> Result<(), InsertError<T>> {
        match self.lists.push(list.key, value) {
            Ok(()) => Ok(()),
            Err(Refused::Full(value)) => self.push_growing(list.key, value),
            Err(Refused::NoList(value)) => self.push_first(list, value),
        }
    }

    /// (A call of its own: nothing has to be kept for what comes after it.)
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn push_recorded(&mut self, list: &mut ListHandle<T>, value: T) -> Result<(), InsertError<T>> {
        self.touch(*list);
        self.push_unrecorded(list, value)
    }

    /// Appends a value to a list that is full. (A call of its own: so the processor foresees from the
    /// comparisons of `push` alone where it goes on.)
    #[inline(never)]
    fn push_growing(&mut self, list: ListKey, value: T) -> Result<(), InsertError<T>> {
        let grown = self.lists.grow_by_one(list);
        self.push_after(grown, list, value)
    }

    /// Appends the first value to a list that is `EMPTY`.
    #[inline(never)]
    #[track_caller]
    fn push_first(&mut self, list: &mut ListHandle<T>, value: T) -> Result<(), InsertError<T>> {
        let room = Lists::<T>::FIRST_ROOM;
        if self.recorder.is_on() || !list.is_empty() {
            let made = self.make_of_empty(list, room);
            return self.push_after(made, list.key, value);
        }
        self.have_brand();
        // (Made with the value in it, the list is not looked up.)
        let mut first = Some(value);
        let made = self.lists.make_of(room, &mut iter::from_fn(|| first.take()));
        match (made, first) {
            (Ok((made, _)), _) => {
                *list = ListHandle::of(made);
                Ok(())
            }
            (Err(reason), Some(value)) => Err(InsertError { value, reason }),
            (Err(_), None) => unreachable!("a value that is refused is not taken"),
        }
    }

    /// Appends a value to a list for which room was made, or was to be.
    #[inline(always)]
    fn push_after(
        &mut self,
        made: Result<(), TryReserveError>,
        list: ListKey,
        value: T,
    ) -> Result<(), InsertError<T>> {
        if let Err(reason) = made {
            return Err(InsertError { value, reason });
        }
        let pushed = self.lists.push(list, value);
        debug_assert!(pushed.is_ok(), "there is room");
        Ok(())
    }

    /// Makes `EMPTY` a list with this much room.
    #[inline(always)]
    #[track_caller]
    fn make_of_empty(
        &mut self,
        list: &mut ListHandle<T>,
        room: usize,
    ) -> Result<(), TryReserveError> {
        if !list.is_empty() {
            Self::refuse(*list, self.lists.brand());
        }
        self.have_brand();
        if self.recorder.is_on() {
            return self.make_recorded(list, room);
        }
        *list = ListHandle::of(self.lists.make(room)?);
        Ok(())
    }

    /// Inserts a value at `index`, before the values from there on. O(values after it).
    ///
    /// # Panics
    /// If `index` is greater than the length, allocation fails, or the list was freed or is of another
    /// pool.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let mut list = lists.make(['a', 'c']);
    /// lists.insert(&mut list, 1, 'b');
    /// assert_eq!(lists[list], ['a', 'b', 'c']);
    /// ```
    #[track_caller]
    pub fn insert(&mut self, list: &mut ListHandle<T>, index: usize, value: T) {
        let len = self[*list].len();
        if index > len {
            explain::no_position::<Self>(index, len);
        }
        self.push(list, value);
        self[*list][index..].rotate_right(1);
    }

    /// Appends values. O(values) amortised. Without any, [`ListHandle::EMPTY`] stays `EMPTY`.
    ///
    /// If the iterator panics, or allocation fails, the values before are in the list.
    ///
    /// # Panics
    /// If allocation fails, or the list was freed or is of another pool.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let mut list = lists.make([1]);
    /// lists.extend(&mut list, 2..5);
    /// assert_eq!(lists[list], [1, 2, 3, 4]);
    /// ```
    #[doc(alias("append", "extend_from_slice"))]
    #[track_caller]
    pub fn extend(&mut self, list: &mut ListHandle<T>, values: impl IntoIterator<Item = T>) {
        room::granted::<Self, _>(self.try_extend(list, values));
    }

    /// Appends copies of values. O(values) amortised.
    ///
    /// # Panics
    /// If allocation fails, or the list was freed or is of another pool. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let mut list = lists.make([1]);
    /// lists.extend_from_slice(&mut list, &[2, 3]);
    /// assert_eq!(lists[list], [1, 2, 3]);
    /// ```
    #[inline]
    #[track_caller]
    pub fn extend_from_slice(&mut self, list: &mut ListHandle<T>, values: &[T])
    where
        T: Copy,
    {
        if self.recorder.is_on() {
            self.touch(*list);
            self.reserve(list, values.len());
        }
        if list.is_empty() {
            if !values.is_empty() {
                self.have_brand();
                let key = room::granted::<Self, _>(self.lists.make_copies(values));
                *list = ListHandle::of(key);
            }
        } else if !self.lists.push_copies(list.key, values) {
            self.reserve(list, values.len());
            self.lists.push_copies(list.key, values);
        }
    }

    /// Appends clones of the values of another list, or of this one, at the positions in `range`. O(values) amortised.
    ///
    /// If a `Clone` panics, the values before are in the list.
    ///
    /// # Panics
    /// If the range is not within the source, allocation fails, or one of the lists was freed or is of another pool.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let (mut a, b) = (lists.make([1, 2]), lists.make([3, 4, 5]));
    /// lists.extend_from_list(&mut a, b, 1..);
    /// assert_eq!(lists[a], [1, 2, 4, 5]);
    /// ```
    #[doc(alias("extend_from_within", "copy_within"))]
    #[track_caller]
    pub fn extend_from_list(
        &mut self,
        list: &mut ListHandle<T>,
        source: ListHandle<T>,
        range: impl RangeBounds<usize>,
    ) where
        T: Clone,
    {
        let range = checked_range::<T>(range, self[source].len());
        self.reserve(list, range.len());
        for index in range {
            let value = self[source][index].clone();
            self.push(list, value);
        }
    }

    /// Appends values until allocation fails.
    #[track_caller]
    fn try_extend(
        &mut self,
        list: &mut ListHandle<T>,
        values: impl IntoIterator<Item = T>,
    ) -> Result<(), TryReserveError> {
        self.check(*list);
        let mut values = values.into_iter().fuse();
        let Some(first) = values.next() else { return Ok(()) };
        self.try_reserve(list, values.size_hint().0.saturating_add(1))?;
        let mut next = Some(first);
        while let Some(value) = next {
            self.try_push(list, value).map_err(|refused| refused.reason)?;
            self.lists.fill(list.key, &mut values);
            next = values.next();
        }
        Ok(())
    }

    /// Replaces the values in `range`, which are dropped. O(values + values after).
    ///
    /// If the iterator panics, or allocation fails, nothing has changed.
    ///
    /// # Panics
    /// If the range is not within the list, allocation fails, or the list was freed or is of another pool.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let mut list = lists.make([1, 2, 3]);
    /// lists.splice(&mut list, 1..2, [20, 21, 22]);
    /// assert_eq!(lists[list], [1, 20, 21, 22, 3]);
    /// ```
    #[track_caller]
    pub fn splice(
        &mut self,
        list: &mut ListHandle<T>,
        range: impl RangeBounds<usize>,
        values: impl IntoIterator<Item = T>,
    ) {
        /// Removes the new values on a panic or if allocation fails.
        struct Undo<'a, T> {
            pool: &'a mut ListPool<T>,
            list: &'a mut ListHandle<T>,
            before: ListHandle<T>,
            len: usize,
        }

        impl<T> Drop for Undo<'_, T> {
            fn drop(&mut self) {
                if self.before == ListHandle::EMPTY {
                    self.pool.free(mem::take(self.list));
                } else {
                    self.pool.truncate(*self.list, self.len);
                }
            }
        }

        let len = self[*list].len();
        let range = checked_range::<T>(range, len);
        // (Before there is something to be taken back, in which no `Clone` may panic.)
        self.touch(*list);
        let before = *list;
        let undo = Undo { pool: self, list, before, len };
        if let Err(reason) = undo.pool.try_extend(undo.list, values) {
            drop(undo);
            room::refused::<Self>(&reason);
        }
        let list = *undo.list;
        mem::forget(undo);
        // From [before, old, after, new] to [before, new, after, old].
        let added = self[list].len() - len;
        self[list][range.start..].rotate_right(added);
        self[list][range.start + added..].rotate_left(range.len());
        self.truncate(list, len + added - range.len());
    }

    /// Makes room for `additional` more values. O(length): the list may move.
    ///
    /// # Panics
    /// If allocation fails, or the list was freed or is of another pool.
    ///
    /// # Examples
    /// ```
    /// use larder::pools::list_pool::{ListHandle, ListPool};
    ///
    /// let mut lists = ListPool::<u8>::new();
    /// let mut list = ListHandle::EMPTY;
    /// lists.reserve(&mut list, 10);
    /// assert_eq!(lists.stats().wasted, 16);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, list: &mut ListHandle<T>, additional: usize) {
        room::granted::<Self, _>(self.try_reserve(list, additional));
    }

    /// Like [`reserve`](Self::reserve), but returns an error instead of panicking. O(length).
    ///
    /// # Errors
    /// If allocation fails, or there are too many lists or values. Then nothing has changed.
    ///
    /// # Panics
    /// If the list was freed or is of another pool.
    ///
    /// # Examples
    /// ```
    /// use larder::pools::list_pool::{ListHandle, ListPool};
    ///
    /// let mut lists = ListPool::<u8>::new();
    /// let mut list = ListHandle::EMPTY;
    /// assert!(lists.try_reserve(&mut list, usize::MAX).is_err());
    /// ```
    #[track_caller]
    pub fn try_reserve(
        &mut self,
        list: &mut ListHandle<T>,
        additional: usize,
    ) -> Result<(), TryReserveError> {
        match self.lists.reserve(list.key, additional) {
            Some(reserved) => reserved,
            None if additional == 0 && list.is_empty() => Ok(()),
            None => self.make_of_empty(list, additional),
        }
    }

    /// Makes a second list, of clones of the values; [`ListHandle::EMPTY`] if there are none. O(length).
    ///
    /// If a `Clone` panics, nothing has changed.
    ///
    /// # Panics
    /// If allocation fails, or the list was freed or is of another pool.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let list = lists.make(["a", "b"]);
    /// let copy = lists.clone_list(list);
    /// lists.free(list);
    /// assert_eq!(lists[copy], ["a", "b"]);
    /// ```
    #[track_caller]
    pub fn clone_list(&mut self, list: ListHandle<T>) -> ListHandle<T>
    where
        T: Clone,
    {
        let mut copy = Unfinished { pool: self, list: ListHandle::EMPTY };
        copy.pool.extend_from_list(&mut copy.list, list, ..);
        copy.finish()
    }
}

/// Removing.
impl<T> ListPool<T> {
    /// Removes the last value and returns it. O(1).
    ///
    /// # Panics
    /// If the list was freed or is of another pool.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let list = lists.make([1, 2]);
    /// assert_eq!(lists.pop(list), Some(2));
    /// assert_eq!(lists.pop(list), Some(1));
    /// assert_eq!(lists.pop(list), None);
    /// ```
    #[inline]
    #[track_caller]
    pub fn pop(&mut self, list: ListHandle<T>) -> Option<T> {
        self.touch(list);
        let popped = self.lists.pop(list.key);
        if popped.is_none() {
            // Empty, or stale?
            self.check(list);
        }
        popped
    }

    /// Removes the value at `index` and returns it; those after it move. O(values after it).
    ///
    /// # Panics
    /// If there is no value at `index`, or the list was freed or is of another pool.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let list = lists.make(['a', 'b', 'c']);
    /// assert_eq!(lists.remove(list, 0), 'a');
    /// assert_eq!(lists[list], ['b', 'c']);
    /// ```
    #[track_caller]
    pub fn remove(&mut self, list: ListHandle<T>, index: usize) -> T {
        let values = &mut self[list];
        if index >= values.len() {
            explain::no_position::<Self>(index, values.len());
        }
        values[index..].rotate_left(1);
        self.swap_remove(list, self[list].len() - 1)
    }

    /// Removes the value at `index` and returns it; the last value takes its place. O(1).
    ///
    /// # Panics
    /// If there is no value at `index`, or the list was freed or is of another pool.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let list = lists.make(['a', 'b', 'c']);
    /// assert_eq!(lists.swap_remove(list, 0), 'a');
    /// assert_eq!(lists[list], ['c', 'b']);
    /// ```
    #[inline]
    #[track_caller]
    pub fn swap_remove(&mut self, list: ListHandle<T>, index: usize) -> T {
        self.touch(list);
        match self.lists.swap_remove(list.key, index) {
            Some(value) => value,
            None => explain::no_position::<Self>(index, self[list].len()),
        }
    }

    /// Drops the values from `len` on and keeps their room. O(values dropped).
    ///
    /// # Panics
    /// If the list was freed or is of another pool.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let list = lists.make([1, 2, 3]);
    /// lists.truncate(list, 1);
    /// assert_eq!(lists[list], [1]);
    /// ```
    #[track_caller]
    pub fn truncate(&mut self, list: ListHandle<T>, len: usize) {
        self.check(list);
        self.touch(list);
        self.lists.truncate(list.key, len);
    }

    /// Drops the values of a list that `keep` refuses; the others stay in order, and the room of all is kept.
    /// O(length). ([`retain`](Self::retain) chooses among lists.)
    ///
    /// If `keep` panics, all values are still there, in another order.
    ///
    /// # Panics
    /// If the list was freed or is of another pool.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let list = lists.make([1, 2, 3, 4, 5]);
    /// lists.retain_values(list, |number| *number % 2 == 1);
    /// assert_eq!(lists[list], [1, 3, 5]);
    /// ```
    #[track_caller]
    pub fn retain_values(&mut self, list: ListHandle<T>, mut keep: impl FnMut(&mut T) -> bool) {
        let values = &mut self[list];
        let mut kept = 0;
        for at in 0..values.len() {
            if keep(&mut values[at]) {
                values.swap(kept, at);
                kept += 1;
            }
        }
        self.truncate(list, kept);
    }

    /// Drops all values of a list and returns their room to the pool. O(length). The list stays, with the same
    /// handle.
    ///
    /// # Panics
    /// If the list was freed or is of another pool.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let mut list = lists.make([1, 2, 3]);
    /// lists.clear(list);
    /// lists.push(&mut list, 4);
    /// assert_eq!(lists[list], [4]);
    /// ```
    #[track_caller]
    pub fn clear(&mut self, list: ListHandle<T>) {
        self.check(list);
        self.touch(list);
        self.lists.clear(list.key);
    }

    /// Drops a list with its values and returns its room to the pool. O(length). All copies of the handle are stale
    /// then. [`ListHandle::EMPTY`] has no memory; freeing it does nothing.
    ///
    /// # Panics
    /// If the list was freed before or is of another pool.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let list = lists.make([1, 2, 3]);
    /// lists.free(list);
    /// assert!(!lists.contains(list));
    /// ```
    #[doc(alias("delete", "destroy", "dealloc"))]
    #[track_caller]
    pub fn free(&mut self, list: ListHandle<T>) {
        if self.recorder.is_watchful() {
            return self.free_watched(list);
        }
        self.free_unwatched(list);
    }

    /// Frees a list without values, whose handle becomes [`ListHandle::EMPTY`]; returns whether it is that now. O(1).
    ///
    /// # Panics
    /// If the list was freed before or is of another pool.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let mut list = lists.make([1]);
    /// assert!(!lists.free_if_empty(&mut list));
    /// lists.pop(list);
    /// assert!(lists.free_if_empty(&mut list));
    /// assert!(list.is_empty() && lists.is_empty());
    /// ```
    #[track_caller]
    pub fn free_if_empty(&mut self, list: &mut ListHandle<T>) -> bool {
        if self[*list].is_empty() {
            self.free(mem::take(list));
        }
        list.is_empty()
    }
}

/// A list that is being made; frees it on a panic.
pub(super) struct Unfinished<'a, T> {
    pub(super) pool: &'a mut ListPool<T>,
    pub(super) list: ListHandle<T>,
}

impl<T> Unfinished<'_, T> {
    /// Appends more values than there was room for.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub(super) fn extend(&mut self, next: T, values: &mut impl Iterator<Item = T>) {
        self.pool.extend(&mut self.list, iter::once(next).chain(values));
    }

    #[inline]
    pub(super) fn finish(self) -> ListHandle<T> {
        let list = self.list;
        mem::forget(self);
        list
    }
}

impl<T> Drop for Unfinished<'_, T> {
    fn drop(&mut self) {
        self.pool.free(self.list);
    }
}

/// The range of a list with `len` values.
#[track_caller]
fn checked_range<T>(range: impl RangeBounds<usize>, len: usize) -> Range<usize> {
    let start = match range.start_bound() {
        Bound::Included(&start) => start,
        Bound::Excluded(&before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&last) => last.saturating_add(1),
        Bound::Excluded(&end) => end,
        Bound::Unbounded => len,
    };
    if end > len || start > len {
        explain::no_position::<ListPool<T>>(start.max(end), len);
    }
    if start > end {
        explain::no_range::<ListPool<T>>(start, end);
    }
    start..end
}
