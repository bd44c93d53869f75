//! Iterators over a part of each item of another one: its key, its value, or all of it.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

/// A part of each item of an iterator.
#[derive(Clone)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ItemParts<I, P>(pub(crate) I, PhantomData<P>);

/// What is taken of an item.
#[expect(unnameable_types, reason = "no user sees how an iterator takes items apart")]
pub trait ItemPart<Item> {
    type Of;

    fn of(item: Item) -> Self::Of;
}

/// The first of a pair.
#[derive(Clone)]
#[expect(unnameable_types, missing_debug_implementations, reason = "nobody has one")]
pub struct First;

/// The second of a pair.
#[derive(Clone)]
#[expect(unnameable_types, missing_debug_implementations, reason = "nobody has one")]
pub struct Second;

/// All of an item; `By` says whose iterator it is.
#[expect(unnameable_types, missing_debug_implementations, reason = "nobody has one")]
pub struct All<By>(PhantomData<By>);

impl<By> Clone for All<By> {
    fn clone(&self) -> Self {
        Self(PhantomData)
    }
}

impl<A, B> ItemPart<(A, B)> for First {
    type Of = A;

    #[inline(always)]
    fn of((first, _): (A, B)) -> A {
        first
    }
}

impl<A, B> ItemPart<(A, B)> for Second {
    type Of = B;

    #[inline(always)]
    fn of((_, second): (A, B)) -> B {
        second
    }
}

impl<Item, By> ItemPart<Item> for All<By> {
    type Of = Item;

    #[inline(always)]
    fn of(item: Item) -> Item {
        item
    }
}

impl<I, P> ItemParts<I, P> {
    #[inline(always)]
    pub(crate) const fn of(items: I) -> Self {
        Self(items, PhantomData)
    }
}

impl<I: DoubleEndedIterator + ExactSizeIterator, P: ItemPart<I::Item>> Iterator
    for ItemParts<I, P>
{
    type Item = P::Of;

    #[inline(always)]
    fn next(&mut self) -> Option<P::Of> {
        self.0.next().map(P::of)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    #[inline]
    fn count(self) -> usize {
        self.0.len()
    }

    #[inline]
    fn last(mut self) -> Option<P::Of> {
        self.next_back()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<P::Of> {
        self.0.nth(n).map(P::of)
    }

    #[inline]
    fn fold<B, F: FnMut(B, P::Of) -> B>(self, init: B, mut f: F) -> B {
        self.0.fold(init, move |folded, item| f(folded, P::of(item)))
    }
}

impl<I: DoubleEndedIterator + ExactSizeIterator, P: ItemPart<I::Item>> DoubleEndedIterator
    for ItemParts<I, P>
{
    #[inline]
    fn next_back(&mut self) -> Option<P::Of> {
        self.0.next_back().map(P::of)
    }
}

impl<I: DoubleEndedIterator + ExactSizeIterator, P: ItemPart<I::Item>> ExactSizeIterator
    for ItemParts<I, P>
{
}
impl<I: DoubleEndedIterator + ExactSizeIterator, P: ItemPart<I::Item>> FusedIterator
    for ItemParts<I, P>
{
}

impl<I: Default> Default for ItemParts<I, First> {
    fn default() -> Self {
        Self::of(I::default())
    }
}

impl<I: Default> Default for ItemParts<I, Second> {
    fn default() -> Self {
        Self::of(I::default())
    }
}

impl<I: ExactSizeIterator> fmt::Debug for ItemParts<I, First> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        remaining(f, "Keys", self.0.len())
    }
}

impl<I: ExactSizeIterator> fmt::Debug for ItemParts<I, Second> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        remaining(f, "Values", self.0.len())
    }
}

/// Shows an iterator as its name and how much is left.
pub(crate) fn remaining(f: &mut fmt::Formatter<'_>, name: &str, count: usize) -> fmt::Result {
    f.debug_struct(name).field("remaining", &count).finish_non_exhaustive()
}
