//! Iterators over live values.
//!
//! **Invariant** of each: its walk yields live slots of the store, each once, and what it borrows or owns
//! of the store lives at least as long; those that give out `&mut` or values have the store to
//! themselves.
//!
//! And a store as a join sees it. The invariant is that of [`store`](super).

use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::mem;
use core::ptr::NonNull;

use super::{Address, At, Finder, Layout, Places, Refill, Spot, Store};
use crate::key::Key;
use crate::memory::OnDrop;
use crate::memory::bits::LiveWords;
use crate::memory::storage::{Borrowed, Numbered};
use crate::raw::book::Book;
use crate::raw::join::{JoinView, Viewed};
use crate::raw::occupancy::Occupancy;
use crate::raw::slots::{GenerationOf, Ledger};
use crate::raw::walk::Walk;

/// Keys and owned values, in slot order.
pub struct IntoIter<T, K: Key, L: Layout<T, K>, B: Book = Occupancy> {
    walk: Walk,
    /// Its live values are those that the walk has yet to yield.
    layout: L,
    /// Owns what the walk reads.
    ledger: Ledger<GenerationOf<K>, B>,
    owns: PhantomData<T>,
}

/// Removes all and gives it out, in slot order. What is left is removed when it is dropped.
pub struct Drain<'a, T, K: Key, L: Refill<T, K>, B: Book = Occupancy>(
    ExtractIf<'a, T, K, (), L, B>,
);

/// Removes what a closure chooses, in slot order.
pub struct ExtractIf<'a, T, K: Key, F, L: Layout<T, K>, B: Book = Occupancy> {
    walk: Walk,
    store: &'a mut Store<T, K, L, B>,
    choose: F,
}

impl<T, K: Key, L: Layout<T, K>, B: Book> Store<T, K, L, B> {
    #[inline]
    pub(crate) fn iter(&self) -> Iter<'_, T, K, L::Places> {
        // SAFETY: 1. the book's walk yields live slots, each once, (1) while the book lives and
        // (2) does not change.
        // 2. `self` is borrowed.
        unsafe { Iter::over(L::places(self.layout.finder(), self.ledger.book.walk())) }
    }

    #[inline]
    pub(crate) fn iter_mut(&mut self) -> IterMut<'_, T, K, L::Places> {
        // SAFETY: 1. the book's walk yields live slots, each once, (1) while the book lives and
        // (2) does not change.
        // 2. `self` is borrowed exclusively.
        unsafe { IterMut::over(L::places(self.layout.finder_mut(), self.ledger.book.walk())) }
    }

    #[inline]
    pub(crate) fn into_iter(self) -> IntoIter<T, K, L, B> {
        let (layout, ledger) = self.into_parts();
        // SAFETY: (1) the walk is told where the book is whenever it is used; (2) only slots that were yielded are
        // freed.
        let walk = unsafe { ledger.book.walk() };
        IntoIter { walk, layout, ledger, owns: PhantomData }
    }

    pub(crate) fn extract_if<F>(&mut self, choose: F) -> ExtractIf<'_, T, K, F, L, B> {
        // SAFETY: (1) the book is borrowed as long; (2) only slots that were yielded are freed, and
        // nothing else reaches it.
        let walk = unsafe { self.ledger.book.walk() };
        ExtractIf { walk, store: self, choose }
    }
}

impl<T, K: Key, L: Refill<T, K>, B: Book> Store<T, K, L, B> {
    pub(crate) fn drain(&mut self) -> Drain<'_, T, K, L, B> {
        Drain(self.extract_if(()))
    }
}

/// A step of an iterator. Each is known where it is taken: so what is done with what it yields is written once.
pub(crate) enum WalkStep {
    Next,
    Nth(usize),
    Back,
}

impl WalkStep {
    #[inline(always)]
    pub(crate) fn of<I: DoubleEndedIterator>(self, items: &mut I) -> Option<I::Item> {
        match self {
            Self::Next => items.next(),
            Self::Nth(n) => items.nth(n),
            Self::Back => items.next_back(),
        }
    }
}

/// Keys and values, in slot order; the values are borrowed as `B` says.
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Lending<B, K: Key, P> {
    places: P,
    borrows: PhantomData<B>,
    keys: PhantomData<fn() -> K>,
}

/// Keys and values, in slot order.
pub type Iter<'a, T, K, P> = Lending<&'a T, K, P>;

/// Keys and mutable values, in slot order.
pub type IterMut<'a, T, K, P> = Lending<&'a mut T, K, P>;

// SAFETY: it is a shared borrow of values.
unsafe impl<T, K: Key, P: Places<T, K, At: At<T, Kept: Sync>>> Send for Iter<'_, T, K, P> {}
// SAFETY: it is an exclusive borrow of values.
unsafe impl<T, K: Key, P: Places<T, K, At: At<T, Kept: Send>>> Send for IterMut<'_, T, K, P> {}
// SAFETY: shared access to it gives shared access to values at most.
unsafe impl<B: Borrowed, K: Key, P> Sync for Lending<B, K, P> where
    P: Places<B::Value, K, At: At<B::Value, Kept: Sync>>
{
}

impl<B: Borrowed, K: Key, P: Places<B::Value, K>> Lending<B, K, P> {
    /// # Safety
    /// 1. The places have their value and generation, and each comes once.
    /// 2. These, and what the walk over them reads, are borrowed as `B` says.
    #[inline]
    pub(crate) unsafe fn over(places: P) -> Self {
        Self { places, borrows: PhantomData, keys: PhantomData }
    }

    #[inline(always)]
    fn step(&mut self, step: WalkStep) -> Option<(K, B::Of<P::At>)> {
        step.of(&mut self.places).map(Self::item)
    }

    /// The item at a place that was just yielded.
    #[inline(always)]
    fn item(at: Address<B::Value, K, P::At>) -> (K, B::Of<P::At>) {
        // SAFETY: by the invariant, (1) the slot is live, and (2) borrowed as `B` says,
        // and was yielded once.
        unsafe { (at.key(), at.value.lend_as::<B>()) }
    }

    /// The slot of what it yields next.
    pub(crate) fn first_slot(&self) -> Option<usize>
    where
        P: Clone,
    {
        self.places.clone().next().map(|place| place.slot)
    }

    /// Splits off what lies before a slot; what is left begins with it. Counts the words between.
    pub(crate) fn split_off_below(&mut self, slot: usize) -> Self {
        let places = self.places.split_off_below(slot);
        Self { places, borrows: PhantomData, keys: PhantomData }
    }

    /// A slot such that about half of what is left lies before it; there is none where there is too little.
    #[cfg(feature = "rayon")]
    pub(crate) fn middle(&mut self) -> Option<usize> {
        self.places.middle()
    }

    /// Two parts with about as many values each.
    #[cfg(feature = "rayon")]
    pub(crate) fn divide(mut self) -> (Self, Option<Self>) {
        match self.middle() {
            Some(slot) => (self.split_off_below(slot), Some(self)),
            None => (self, None),
        }
    }
}

impl<B: Borrowed, K: Key, P: Places<B::Value, K>> Iterator for Lending<B, K, P> {
    type Item = (K, B::Of<P::At>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        self.step(WalkStep::Next)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }

    #[inline]
    fn count(self) -> usize {
        self.places.len()
    }

    #[inline]
    fn last(mut self) -> Option<Self::Item> {
        self.next_back()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.step(WalkStep::Nth(n))
    }

    #[inline]
    fn fold<A, F: FnMut(A, Self::Item) -> A>(self, init: A, mut f: F) -> A {
        self.places.fold(init, move |folded, at| f(folded, Self::item(at)))
    }
}

impl<B: Borrowed, K: Key, P: Places<B::Value, K>> DoubleEndedIterator for Lending<B, K, P> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.step(WalkStep::Back)
    }
}

impl<B: Borrowed, K: Key, P: Places<B::Value, K>> ExactSizeIterator for Lending<B, K, P> {}
impl<B: Borrowed, K: Key, P: Places<B::Value, K>> FusedIterator for Lending<B, K, P> {}

impl<T, K: Key, P: Clone> Clone for Iter<'_, T, K, P> {
    #[inline]
    fn clone(&self) -> Self {
        Self { places: self.places.clone(), borrows: PhantomData, keys: PhantomData }
    }
}

impl<T, K: Key, P: Default> Default for Iter<'_, T, K, P> {
    fn default() -> Self {
        Self { places: P::default(), borrows: PhantomData, keys: PhantomData }
    }
}

impl<T, K: Key, L: Refill<T, K>, B: Book> IntoIter<T, K, L, B> {
    /// Moves a value out. (It is not given the book, which a walk may be reading inside the iterator.)
    ///
    /// # Safety
    /// The walk just yielded the slot.
    #[inline]
    unsafe fn read(layout: &mut L, slot: usize) -> (K, T) {
        let spare = layout.spare();
        // SAFETY: to ask for the key: (1, 2) the slot is in use, and ours. To take: (1) it was
        // live, so its value is there; (2) it is yielded once.
        unsafe {
            let address = layout.address(slot);
            (address.key(), L::take(address, spare))
        }
    }
}

/// Iterators that move values out: the walk reads the book where it is `now`, if that may have moved.
macro_rules! taking {
    (
        [$($generics:tt)*] $name:ty,
        |$this:ident, $slot:ident| $walk:expr $(; now: $book:expr)?, $take:expr $(, { $($fold:tt)* })?
    ) => {
        impl<$($generics)*> $name {
            #[inline(always)]
            fn step(&mut self, step: $crate::raw::store::WalkStep) -> Option<(K, T)> {
                let $this = self;
                $($book.find_again(&mut $walk);)?
                let $slot = step.of(&mut $walk)?;
                // SAFETY: the walk just yielded the slot, which has a value.
                Some(unsafe { $take })
            }
        }

        impl<$($generics)*> Iterator for $name {
            type Item = (K, T);

            #[inline]
            fn next(&mut self) -> Option<(K, T)> {
                self.step($crate::raw::store::WalkStep::Next)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                let $this = self;
                $walk.size_hint()
            }

            $($($fold)*)?
        }

        impl<$($generics)*> DoubleEndedIterator for $name {
            #[inline]
            fn next_back(&mut self) -> Option<(K, T)> {
                self.step($crate::raw::store::WalkStep::Back)
            }
        }

        impl<$($generics)*> ExactSizeIterator for $name {}
        impl<$($generics)*> core::iter::FusedIterator for $name {}
    };
}
pub(crate) use taking;

taking!([T, K: Key, L: Refill<T, K>, B: Book] IntoIter<T, K, L, B>,
    |this, slot| this.walk; now: this.ledger.book, Self::read(&mut this.layout, slot), {
    #[inline]
    fn fold<A, F: FnMut(A, (K, T)) -> A>(mut self, init: A, mut f: F) -> A {
        let mut folded = init;
        if mem::needs_drop::<T>() {
            // If `f` panics, the rest is still the iterator's to drop.
            for pair in self.by_ref() {
                folded = f(folded, pair);
            }
            return folded;
        }
        let walk = self.take_walk();
        let layout = &mut self.layout;
        walk.fold(folded, |folded, slot| {
            // SAFETY: the walk just yielded it.
            f(folded, unsafe { Self::read(layout, slot) })
        })
    }
});
taking!(
    [T, K: Key, L: Refill<T, K>, B: Book] Drain<'_, T, K, L, B>,
    |this, slot| this.0.walk; now: this.0.store.ledger.book, this.0.store.take_entry(slot)
);

impl<T, K: Key, L: Layout<T, K>, B: Book> IntoIter<T, K, L, B> {
    fn take_walk(&mut self) -> Walk {
        self.ledger.book.find_again(&mut self.walk);
        mem::replace(&mut self.walk, Walk::empty())
    }
}

impl<T, K: Key, L: Layout<T, K>, B: Book> Drop for IntoIter<T, K, L, B> {
    fn drop(&mut self) {
        let walk = self.take_walk();
        // SAFETY: (1) the walk yields what was not given out yet, each once; (2) nothing
        // is used afterwards.
        unsafe { self.layout.drop_values(|| walk) };
    }
}

impl<T, K: Key, L: Refill<T, K>, B: Book> Drop for Drain<'_, T, K, L, B> {
    /// Removes what was not given out, all of it, even if a value's own `Drop` panics.
    fn drop(&mut self) {
        drop_rest(self);
    }
}

/// Drops what an iterator has yet to yield, also what comes after an item whose own `Drop` panics; but not what comes
/// after one that cannot be taken, since a pool's function has panicked and may do so again.
pub(crate) fn drop_rest<I: Iterator>(items: &mut I) {
    while let Some(item) = items.next() {
        let rest = OnDrop::new(&mut *items, |items| items.for_each(drop));
        drop(item);
        mem::forget(rest);
    }
}

/// A choice of values: a closure, which is given a key and a borrow of the value.
pub(crate) trait Choose<T, K, A: At<T>> {
    fn choose(&mut self, key: K, value: Spot<'_, T, A>) -> bool;
}

impl<T, K: Key, F, L: Layout<T, K>, B: Book> ExtractIf<'_, T, K, F, L, B> {
    /// Returns the number of values that are still to be looked at.
    pub(crate) fn len(&self) -> usize {
        self.walk.len()
    }
}

impl<T, K: Key, F: Choose<T, K, L::At>, L: Refill<T, K>, B: Book> Iterator
    for ExtractIf<'_, T, K, F, L, B>
{
    type Item = (K, T);

    fn next(&mut self) -> Option<(K, T)> {
        loop {
            self.store.ledger.book.find_again(&mut self.walk);
            let slot = self.walk.next()?;
            // SAFETY: (1) the walk yields live slots, so in use, each once;
            // (2) the values are ours.
            unsafe {
                let address = self.store.layout.address_mut(slot);
                if self.choose.choose(address.key(), Spot::new(address.value)) {
                    return Some(self.store.take_entry(slot));
                }
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.walk.len()))
    }
}

impl<T, K: Key, F: Choose<T, K, L::At>, L: Refill<T, K>, B: Book> FusedIterator
    for ExtractIf<'_, T, K, F, L, B>
{
}

/// The live slots, and the finder of them.
#[expect(unnameable_types, missing_debug_implementations, reason = "no user sees a view")]
pub struct StoreView<'a, T, K: Key, F, A> {
    words: LiveWords<'a>,
    finder: F,
    values: PhantomData<(NonNull<T>, A)>,
    keys: PhantomData<fn() -> K>,
}

impl<T, K: Key, F: Copy, A> Clone for StoreView<'_, T, K, F, A> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

// SAFETY: a live slot has its value and generation, at an address of its own.
unsafe impl<T, K: Key, A: At<T>, F: Finder<T, K, At = A>> JoinView for StoreView<'_, T, K, F, A> {
    type Key = K;
    type Place = Numbered<T, A>;

    #[inline]
    fn words(&self) -> LiveWords<'_> {
        self.words
    }

    #[inline]
    unsafe fn entry(&mut self, slot: usize) -> (GenerationOf<K>, Numbered<T, A>) {
        // SAFETY: a live slot is below the capacity, and its generation is initialised.
        unsafe {
            let address = self.finder.find(slot);
            (address.generation.read(), address.value)
        }
    }
}

// SAFETY: the words are the book's, and the finder the layout's, borrowed alike.
unsafe impl<T, K: Key, L: Layout<T, K>, B: Book> Viewed for Store<T, K, L, B> {
    type View<'a>
        = StoreView<'a, T, K, L::Finder, L::At>
    where
        Self: 'a;

    #[inline]
    fn view(&self) -> Self::View<'_> {
        let (words, finder) = (self.ledger.book.live_words(), self.layout.finder());
        StoreView { words, finder, values: PhantomData, keys: PhantomData }
    }

    #[inline]
    fn view_mut(&mut self) -> Self::View<'_> {
        let (words, finder) = (self.ledger.book.live_words(), self.layout.finder_mut());
        StoreView { words, finder, values: PhantomData, keys: PhantomData }
    }
}
