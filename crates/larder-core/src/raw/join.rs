//! Walks over the keys that several containers have in common, a word of 64 slots at a time.
//!
//! **Invariant** of a join:
//! 1. While it lives, its containers are borrowed as its participants were (shared, or exclusively), so
//!    that nothing that a view knows changes.
//! 2. It looks at each slot once, and so gives out each value once.
//!
//! A view says which slots have a value, word by word, and where the value lies; or it is that of a table, whose
//! entries are numbered. If there are tables, the entries of the smallest are looked up in all others; otherwise the
//! words of all are combined.

#![expect(
    unnameable_types,
    missing_debug_implementations,
    reason = "they seal the public trait `Joined`"
)]

mod tuples;

use core::iter::FusedIterator;
use core::marker::PhantomData;

pub(crate) use tuples::Together;

use crate::key::{Key, sealed::Compose};
use crate::memory::bits::{LiveWords, WORD};
use crate::memory::storage::{At, Numbered};
use crate::raw::slots::GenerationOf;

/// A container as a join sees it, by addresses: it borrows nothing of its values.
///
/// # Safety
/// While the container is borrowed: the words are those of slots that have a value, at the place that
/// [`entry`](Self::entry) returns; or it is a table, whose [`entries`](Self::entries) are counted, and of which
/// [`numbered`](Self::numbered) knows each by its number, under keys of different slots. [`find`](Self::find) knows
/// them by their keys, and nothing else. The places of different slots are those of different values, initialised. A
/// clone finds the same.
pub unsafe trait JoinView: Clone {
    type Key: Key;
    /// The place of a value: an address, or a position in columns.
    type Place;

    /// (A table has none.)
    #[inline]
    fn words(&self) -> LiveWords<'_> {
        LiveWords::new(&[], None, 0)
    }

    /// The generation and the place of a value.
    ///
    /// # Safety
    /// 1. The container is borrowed.
    /// 2. The words say that the slot has a value.
    unsafe fn entry(&mut self, slot: usize) -> (GenerationOf<Self::Key>, Self::Place) {
        unreachable!("a table has no words, and so no slot {slot}")
    }

    /// Returns the number of entries of a table; `None` if it has words.
    #[inline]
    fn entries(&self) -> Option<usize> {
        None
    }

    /// The key and the place of a value of a table.
    ///
    /// # Safety
    /// 1. The container is borrowed.
    /// 2. `number` is below [`entries`](Self::entries).
    #[inline]
    unsafe fn numbered(&self, number: usize) -> (Self::Key, Self::Place) {
        unreachable!("slots are not numbered, nor is {number}")
    }

    /// The value of a key.
    ///
    /// # Safety
    /// The container is borrowed.
    #[inline]
    unsafe fn find(&mut self, key: Self::Key) -> Option<Self::Place> {
        let slot = key.slot() as usize;
        if !self.words().has(slot) {
            return None;
        }
        // SAFETY: (1) the container is borrowed, and (2) the words say that the slot has a value.
        let (generation, place) = unsafe { self.entry(slot) };
        (generation == Compose::generation(key)).then_some(place)
    }
}

/// The place of a value, of which references are made.
pub trait Lend<'a> {
    type Ref;
    type RefMut;

    /// # Safety
    /// 1. The value is initialised.
    /// 2. It may be borrowed for `'a`.
    unsafe fn lend(self) -> Self::Ref;

    /// # Safety
    /// The contract is that of [`lend`](Self::lend), but the borrow (2) is exclusive.
    unsafe fn lend_mut(self) -> Self::RefMut;
}

impl<'a, T: 'a, A: At<T>> Lend<'a> for Numbered<T, A> {
    type Ref = A::Ref<'a>;
    type RefMut = A::RefMut<'a>;

    #[inline(always)]
    unsafe fn lend(self) -> A::Ref<'a> {
        // SAFETY: (1) the value is initialised; (2) the caller may borrow it.
        unsafe { Self::lend(self) }
    }

    #[inline(always)]
    unsafe fn lend_mut(self) -> A::RefMut<'a> {
        // SAFETY: (1) the value is initialised; (2) the caller may borrow it exclusively.
        unsafe { Self::lend_mut(self) }
    }
}

/// A container that can be joined.
///
/// # Safety
/// A view is that of this container, which is not changed as long as it is borrowed so. Through the view of
/// an exclusive borrow its values may be changed.
pub unsafe trait Viewed {
    type View<'a>: JoinView
    where
        Self: 'a;

    fn view(&self) -> Self::View<'_>;

    fn view_mut(&mut self) -> Self::View<'_>;
}

/// A view, and how its container is borrowed.
///
/// # Safety
/// Its owner may read, and make items of, what the view finds.
pub unsafe trait Access {
    type View: JoinView;
    type Item;

    fn into_view(self) -> Self::View;

    /// # Safety
    /// 1. The place is one that the view found.
    /// 2. It was not given out before.
    unsafe fn item(place: <Self::View as JoinView>::Place) -> Self::Item;
}

/// A shared borrow.
///
/// **Invariant.** The container of the view is borrowed for the lifetime.
pub struct Shared<'a, V: JoinView> {
    view: V,
    borrows: PhantomData<&'a V::Place>,
}

impl<'a, V: JoinView> Shared<'a, V> {
    #[inline]
    pub(crate) fn of<C: Viewed<View<'a> = V>>(container: &'a C) -> Self {
        Self { view: container.view(), borrows: PhantomData }
    }
}

// SAFETY: by the invariant, the container is borrowed for `'a`.
unsafe impl<'a, V: JoinView<Place: Lend<'a>>> Access for Shared<'a, V> {
    type View = V;
    type Item = <V::Place as Lend<'a>>::Ref;

    #[inline]
    fn into_view(self) -> V {
        self.view
    }

    #[inline]
    unsafe fn item(place: V::Place) -> Self::Item {
        // SAFETY: (1) what the view found is initialised; (2) it is borrowed for `'a`.
        unsafe { place.lend() }
    }
}

/// An exclusive borrow.
///
/// **Invariant.** The container of the view is borrowed exclusively for the lifetime.
pub struct Exclusive<'a, V: JoinView> {
    view: V,
    borrows: PhantomData<&'a mut V::Place>,
}

impl<'a, V: JoinView> Exclusive<'a, V> {
    #[inline]
    pub(crate) fn of<C: Viewed<View<'a> = V>>(container: &'a mut C) -> Self {
        Self { view: container.view_mut(), borrows: PhantomData }
    }
}

// SAFETY: by the invariant, the container is borrowed exclusively for `'a`.
unsafe impl<'a, V: JoinView<Place: Lend<'a>>> Access for Exclusive<'a, V> {
    type View = V;
    type Item = <V::Place as Lend<'a>>::RefMut;

    #[inline]
    fn into_view(self) -> V {
        self.view
    }

    #[inline]
    unsafe fn item(place: V::Place) -> Self::Item {
        // SAFETY: (1) what the view found is initialised; (2) it is borrowed exclusively for `'a`, and given out once.
        unsafe { place.lend_mut() }
    }
}

/// A value that can be joined: a reference to a container.
pub trait Participant {
    type Access: Access;

    fn access(self) -> Self::Access;
}

/// The keys that all participants have, and what each has for them.
///
/// Made by [`join`](crate::join()).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Join<J: Together> {
    views: J::Views,
    /// The slots of the word that begins with `start`, that are left.
    bits: u64,
    start: usize,
    /// The next word, and how many all have.
    word: usize,
    words: usize,
    /// The participant whose entries are looked up, which of them is next, and how many there are.
    table: usize,
    number: usize,
    entries: usize,
    /// No more than this many are left.
    most: usize,
    borrows: PhantomData<J>,
}

// SAFETY: a join is the borrows that it was made of.
unsafe impl<J: Together + Send> Send for Join<J> {}
// SAFETY: a shared join gives out nothing.
unsafe impl<J: Together + Sync> Sync for Join<J> {}

impl<J: Together> Join<J> {
    #[inline]
    pub(crate) fn new(participants: J) -> Self {
        let views = participants.into_views();
        let all = J::words(&views);
        let (words, table, entries, most) = match J::smallest_table(&views) {
            Some((table, entries)) => (0, table, entries, entries),
            None => (all, 0, 0, all * WORD),
        };
        let (bits, start, word, number, borrows) = (0, 0, 0, 0, PhantomData);
        Self { views, bits, start, word, words, table, number, entries, most, borrows }
    }

    /// Two parts, each of about as many slots that all have, or of as many entries of the table. (None was given out.)
    #[cfg(feature = "rayon")]
    pub(crate) fn divide(mut self) -> (Self, Option<Self>) {
        let mut above = Self { views: self.views.clone(), ..self };
        if self.number < self.entries {
            let middle = usize::midpoint(self.number, self.entries);
            (self.entries, above.number) = (middle, middle);
            return if middle == self.number { (above, None) } else { (self, Some(above)) };
        }
        // SAFETY: all have the word.
        let live = |word| unsafe { J::word(&self.views, word) }.count_ones() as usize;
        let half = (self.word..self.words).map(live).sum::<usize>() / 2;
        let (mut below, mut middle) = (0, self.word);
        while below < half {
            below += live(middle);
            middle += 1;
        }
        if half == 0 || middle == self.words {
            return (self, None);
        }
        (self.words, above.word, above.bits) = (middle, middle, 0);
        (self, Some(above))
    }

    /// Goes to the next word in which all have a slot; says whether there is one.
    #[inline]
    fn next_word(&mut self) -> bool {
        while self.word < self.words {
            if self.word % WORD == 0 && J::present(&self.views, self.word / WORD) == 0 {
                self.word += WORD;
                continue;
            }
            self.start = self.word * WORD;
            self.word += 1;
            // SAFETY: all have the word.
            self.bits = unsafe { J::word(&self.views, self.start / WORD) };
            if self.bits != 0 {
                return true;
            }
        }
        false
    }

    /// Returns the items of all in a slot, whose bit was set until now; `None` if their keys differ.
    #[inline(always)]
    fn meet(&mut self, slot: usize) -> Option<(J::Key, J::Item)> {
        // SAFETY: by (1) and (2): all have a value in the slot, whose bit was set, and is no more.
        unsafe { J::meet(&mut self.views, slot) }
    }

    /// Returns the items of all in the first slot left in the word; `None` if their keys differ.
    #[inline(always)]
    fn meet_next(&mut self) -> Option<(J::Key, J::Item)> {
        let slot = self.start + self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        self.meet(slot)
    }

    /// Returns the items of all for the next entry of the table; `None` if one of them has nothing for its key.
    #[inline(always)]
    fn meet_numbered(&mut self) -> Option<(J::Key, J::Item)> {
        let number = self.number;
        self.number += 1;
        // SAFETY: by (1) and (2): each entry is asked about once.
        unsafe { J::meet_numbered(&mut self.views, self.table, number) }
    }
}

impl<J: Together> Iterator for Join<J> {
    type Item = (J::Key, J::Item);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            while self.bits != 0 {
                let met = self.meet_next();
                if met.is_some() {
                    return met;
                }
            }
            if !self.next_word() {
                break;
            }
        }
        while self.number < self.entries {
            let met = self.meet_numbered();
            if met.is_some() {
                return met;
            }
        }
        None
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.most))
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(mut self, init: B, mut f: F) -> B {
        let mut folded = init;
        loop {
            if self.bits == !0 {
                // A plain loop over a full word.
                self.bits = 0;
                for slot in self.start..self.start + WORD {
                    if let Some(met) = self.meet(slot) {
                        folded = f(folded, met);
                    }
                }
            }
            while self.bits != 0 {
                if let Some(met) = self.meet_next() {
                    folded = f(folded, met);
                }
            }
            if !self.next_word() {
                break;
            }
        }
        while self.number < self.entries {
            if let Some(met) = self.meet_numbered() {
                folded = f(folded, met);
            }
        }
        folded
    }
}

impl<J: Together> FusedIterator for Join<J> {}

impl<J: Together> core::fmt::Debug for Join<J> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Join").field("at_most", &self.most).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    #[cfg(feature = "rayon")]
    use super::{Join, Together};
    #[cfg(feature = "hashbrown")]
    use crate::maps::SparseSecondaryMap;
    #[cfg(feature = "alloc")]
    use crate::{Arena, Handle, SecondaryMap, join};
    #[cfg(feature = "alloc")]
    use alloc::vec::Vec;

    /// The map of side data for the chosen objects, with which the tests below join.
    #[cfg(feature = "alloc")]
    fn some(of: &Arena<u32>, chosen: impl Fn(u32) -> bool) -> SecondaryMap<Handle<u32>, u32> {
        let keys = of.keys().filter(|key| chosen(key.slot()));
        keys.map(|key| (key, key.slot())).collect()
    }

    /// Words without values are passed over by their summary, a group at a time, and no value with them.
    #[test]
    #[cfg(feature = "alloc")]
    fn groups_without_values_are_passed_over() {
        let mut arena = Arena::from_iter(0..30_000);
        arena.retain(|_, number| [4_100, 4_159, 9_000, 29_999].contains(number));
        for least in [0, 4_150, 9_000, 20_000, 30_000] {
            let map = some(&arena, |slot| slot >= least);
            let found: Vec<_> = join((&arena, &map)).map(|(_, (&number, _))| number).collect();
            assert!(
                found.iter().eq(arena.values().filter(|&&number| number >= least)),
                "{found:?}"
            );
        }
    }

    #[test]
    #[cfg(feature = "hashbrown")]
    fn as_many_are_expected_as_the_words_have_slots_or_the_smallest_table_entries() {
        let arena = Arena::from_iter(0..130);
        let map = some(&arena, |_| true);
        assert_eq!(join((&arena, &map)).size_hint(), (0, Some(192)));
        let entries = |count| map.iter().take(count).collect::<SparseSecondaryMap<_, _>>();
        let (ten, twenty) = (entries(10), entries(20));
        assert_eq!(join((&arena, &twenty, &ten)).size_hint(), (0, Some(10)));
        assert_eq!(join((&twenty, &map)).size_hint(), (0, Some(20)));
    }

    /// Returns the numbers of keys in both parts.
    #[cfg(feature = "rayon")]
    fn halves<J: Together>(join: Join<J>) -> (usize, Option<usize>) {
        let (below, above) = join.divide();
        (below.count(), above.map(Iterator::count))
    }

    #[test]
    #[cfg(feature = "rayon")]
    fn slots_that_all_have_are_halved_if_words_can_be() {
        let arena = Arena::from_iter(0..640);
        let all = some(&arena, |_| true);
        assert_eq!(halves(join((&arena, &all))), (320, Some(320)));
        let (below, above) = join((&arena, &all)).divide();
        assert_eq!((halves(below), above.map(halves)), ((192, Some(128)), Some((192, Some(128)))));
        // The lower part has half of them at least.
        let uneven = some(&arena, |slot| slot < 10 || (300..310).contains(&slot) || slot > 600);
        assert_eq!(halves(join((&arena, &uneven))), (59, None));
        let uneven = some(&arena, |slot| slot < 40 || (300..310).contains(&slot) || slot > 630);
        assert_eq!(halves(join((&arena, &uneven))), (40, Some(19)));
        // Those of the last word are not divided, nor is one.
        for chosen in [576..640, 638..640, 70..71, 9..9] {
            let few = some(&arena, |slot| chosen.contains(&slot));
            assert_eq!(halves(join((&arena, &few))), (few.len(), None), "{chosen:?}");
        }
    }

    #[test]
    #[cfg(all(feature = "rayon", feature = "hashbrown"))]
    fn entries_of_a_table_are_halved() {
        let arena = Arena::from_iter(0..100);
        for (count, expected) in
            [(0, (0, None)), (1, (1, None)), (2, (1, Some(1))), (11, (5, Some(6)))]
        {
            let table: SparseSecondaryMap<_, _> =
                arena.keys().take(count).map(|key| (key, ())).collect();
            assert_eq!(halves(join((&arena, &table))), expected);
        }
    }
}
