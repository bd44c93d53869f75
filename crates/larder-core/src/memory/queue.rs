//! A queue: elements in one piece, each with a position that it keeps while those before it are forgotten. So records
//! of steps are lent as one slice, where a `VecDeque` has two.
//!
//! **Invariant** of a [`Queue`]: the elements from the index `gone` on are initialised, and no others; `gone` is at most
//! their number.

use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut, Range};
use core::ptr;

use crate::error::TryReserveError;
use crate::room::reserve;

/// Elements that are appended at the end, and forgotten from the front. (Positions wrap around.)
pub(crate) struct Queue<E> {
    elements: Vec<MaybeUninit<E>>,
    /// The number of elements in front that were moved out.
    gone: usize,
    /// The position of the first element.
    start: usize,
}

impl<E> Queue<E> {
    pub(crate) const fn new() -> Self {
        Self { elements: Vec::new(), gone: 0, start: 0 }
    }

    /// An empty queue, whose first element will have that position.
    #[cfg(test)]
    pub(crate) fn beginning_at(start: usize) -> Self {
        Self { elements: Vec::new(), gone: 0, start }
    }

    /// The position behind the last element.
    #[inline]
    pub(crate) fn end(&self) -> usize {
        self.start.wrapping_add(self.len())
    }

    /// The number of elements before a position.
    #[inline]
    fn index(&self, at: usize) -> usize {
        at.wrapping_sub(self.start)
    }

    /// Returns whether there is room for this many more elements.
    #[inline]
    pub(crate) fn has_room(&self, additional: usize) -> bool {
        self.elements.capacity() - self.elements.len() >= additional
    }

    /// Makes room for this many more elements. O(1), amortised.
    #[inline]
    pub(crate) fn reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        if self.has_room(additional) { Ok(()) } else { self.make_room(additional) }
    }

    /// Moves the elements to the front. Allocates, too, unless that leaves room for half as many more: so each move is
    /// paid for by that many insertions.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, additional: usize) -> Result<(), TryReserveError> {
        let (gone, len) = (self.gone, self.len());
        self.gone = 0;
        // SAFETY: `len` elements from `gone` on are initialised, by the invariant, and within the capacity. They are the
        // first ones afterwards: all that the vector has then.
        unsafe {
            let first = self.elements.as_mut_ptr();
            ptr::copy(first.add(gone), first, len);
            self.elements.set_len(len);
        }
        let reserved = reserve(&mut self.elements, additional.max(len / 2));
        if self.has_room(additional) { Ok(()) } else { reserved }
    }

    /// Appends an element, for which there is [room](Self::reserve).
    #[inline]
    pub(crate) fn push(&mut self, element: E) {
        debug_assert!(self.has_room(1), "there is room");
        self.elements.push(MaybeUninit::new(element));
    }

    /// Appends copies of elements, for which there is [room](Self::reserve), and returns their positions.
    pub(crate) fn append(&mut self, elements: &[E]) -> Range<usize>
    where
        E: Copy,
    {
        let start = self.end();
        // SAFETY: whatever is initialised may also be seen as if it were not.
        let elements = unsafe { &*(ptr::from_ref(elements) as *const [MaybeUninit<E>]) };
        self.elements.extend_from_slice(elements);
        start..self.end()
    }

    /// Lends the elements at these positions.
    #[inline]
    pub(crate) fn part_mut(&mut self, part: &Range<usize>) -> &mut [E] {
        let part = self.index(part.start)..self.index(part.end);
        &mut self[part]
    }

    /// Removes the last element.
    pub(crate) fn pop(&mut self) -> Option<E> {
        if self.is_empty() {
            return None;
        }
        // SAFETY: it is initialised, since it is not gone, and the vector has it no more.
        self.elements.pop().map(|element| unsafe { element.assume_init() })
    }

    /// Removes the first element.
    pub(crate) fn pop_first(&mut self) -> Option<E> {
        // SAFETY: it is read once, since it is gone then.
        let element = unsafe { ptr::read(self.first()?) };
        self.gone += 1;
        self.start = self.start.wrapping_add(1);
        Some(element)
    }

    /// Drops the elements before a position. If one panics, the others are dropped nevertheless.
    pub(crate) fn forget_before(&mut self, at: usize) {
        let count = self.index(at);
        let forgotten = ptr::from_mut(&mut self[..count]);
        self.gone += count;
        self.start = at;
        // SAFETY: they were initialised, and are gone now.
        unsafe { forgotten.drop_in_place() }
    }

    /// Drops the elements from a position on. If one panics, the others are dropped nevertheless.
    pub(crate) fn truncate(&mut self, end: usize) {
        let count = self.index(end);
        let dropped = ptr::from_mut(&mut self[count..]);
        // SAFETY: those that stay are initialised. The others were, too, and are not in the vector any more. (To truncate
        // it would borrow them once more.)
        unsafe {
            self.elements.set_len(self.gone + count);
            dropped.drop_in_place();
        }
    }

    /// Drops the elements before a part and behind it.
    pub(crate) fn keep(&mut self, part: Range<usize>) {
        self.truncate(part.end);
        self.forget_before(part.start);
    }

    /// Drops the elements at these positions, and has those behind them take their places.
    pub(crate) fn remove(&mut self, part: Range<usize>) {
        let (start, end) = (self.index(part.start), self.index(part.end));
        // (Fewer instructions to compile than a rotation.)
        (0..self.len() - end).for_each(|at| self.swap(start + at, end + at));
        self.truncate(self.end().wrapping_sub(end - start));
    }
}

impl<E> Default for Queue<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E> Deref for Queue<E> {
    type Target = [E];

    #[inline]
    fn deref(&self) -> &[E] {
        // SAFETY: what is not gone is initialised, and no more are gone than there are.
        unsafe { &*(ptr::from_ref(self.elements.get_unchecked(self.gone..)) as *const [E]) }
    }
}

impl<E> DerefMut for Queue<E> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [E] {
        // SAFETY: as above.
        unsafe { &mut *(ptr::from_mut(self.elements.get_unchecked_mut(self.gone..)) as *mut [E]) }
    }
}

impl<E> Drop for Queue<E> {
    fn drop(&mut self) {
        // SAFETY: they are initialised, and nothing reads them afterwards.
        unsafe { ptr::from_mut(&mut **self).drop_in_place() }
    }
}

#[cfg(test)]
mod tests {
    use super::Queue;
    use alloc::collections::VecDeque;
    use alloc::rc::Rc;
    use alloc::vec::Vec;

    /// Random operations on numbered elements, beside a `VecDeque`; each element is dropped once.
    #[test]
    fn a_queue_is_a_deque_with_positions() {
        let (mut seed, all) = (7_u64, Rc::new(()));
        let mut model = VecDeque::new();
        let mut queue = Queue::beginning_at(usize::MAX - 20);
        for round in 0..if cfg!(miri) { 300 } else { 4_000 } {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let random = (seed >> 40) as usize;
            let len = model.len();
            let some = random / 8 % (len + 1);
            match random % 8 {
                0 => {
                    queue.forget_before(queue.start.wrapping_add(some));
                    model.drain(..some);
                }
                1 if round % 3 == 0 => {
                    queue.truncate(queue.end().wrapping_sub(some));
                    model.truncate(len - some);
                }
                2 => assert_eq!(queue.pop().map(|(n, _)| n), model.pop_back()),
                3 => assert_eq!(queue.pop_first().map(|(n, _)| n), model.pop_front()),
                4 if round % 3 == 0 => {
                    let start = queue.start.wrapping_add(some / 2);
                    queue.remove(start..start.wrapping_add(some - some / 2));
                    model.drain(some / 2..some);
                }
                _ => {
                    queue.reserve(1 + some % 3).expect("there is memory");
                    assert!(queue.has_room(1));
                    queue.push((round, all.clone()));
                    model.push_back(round);
                }
            }
            assert!(queue.iter().map(|(n, _)| *n).eq(model.iter().copied()));
            assert_eq!(Rc::strong_count(&all), model.len() + 1);
        }
        drop(queue);
        assert_eq!(Rc::strong_count(&all), 1);
    }

    /// Frames that are recorded and forgotten use the memory of those before.
    #[test]
    fn a_queue_of_one_length_stops_growing() {
        let mut queue = Queue::new();
        for frame in 0..100_usize {
            queue.reserve(10).expect("there is memory");
            let part = queue.append(&[frame; 10]);
            assert_eq!(queue.part_mut(&part), [frame; 10]);
            queue.forget_before(part.end.saturating_sub(80));
            if frame > 20 {
                assert!(queue.elements.capacity() <= 180, "{}", queue.elements.capacity());
            }
        }
        assert_eq!((queue.len(), queue.end()), (80, 1_000));
    }

    #[test]
    fn elements_without_a_size_are_counted() {
        let mut queue = Queue::new();
        [(), (), ()].into_iter().for_each(|nothing| queue.push(nothing));
        queue.forget_before(1);
        assert_eq!((queue.len(), queue.pop(), queue.end()), (2, Some(()), 2));
        assert!(queue.has_room(1) && Vec::from(&*queue).len() == 1);
    }
}
