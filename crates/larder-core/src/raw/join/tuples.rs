//! Participants together: one alone, with or without a tuple, pairs, threes and fours.
//!
//! **Invariant.** That of [`join`](super): what the functions here ask of their caller, that the
//! containers are borrowed, that all have the word or the slot, that each is asked about once, they ask
//! of each participant's view.

use super::{Access, JoinView, Participant};
use crate::key::Key;
use crate::key::sealed::Compose;

/// One to four participants with the same keys.
///
/// # Safety
/// The answer about a slot or an entry comes from the participants' views alone, and gives out only what they find
/// there.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be joined",
    label = "cannot be joined",
    note = "a join is of a reference to a container or map, `&` or `&mut`, or of a tuple of up to four of them, whose keys \
            are of one type"
)]
pub unsafe trait Together {
    /// Their keys.
    type Key: Key;
    type Views: Clone;
    type Item;

    fn into_views(self) -> Self::Views;

    /// Returns the number of words that all have.
    fn words(views: &Self::Views) -> usize;

    /// Returns the table with the fewest entries and their number; `None` if all have words.
    fn smallest_table(views: &Self::Views) -> Option<(usize, usize)>;

    /// Returns the words of a group that all may have, as bits.
    fn present(views: &Self::Views, group: usize) -> u64;

    /// The slots of a word that all have, as bits.
    ///
    /// # Safety
    /// `word < words()`.
    unsafe fn word(views: &Self::Views, word: usize) -> u64;

    /// Returns the items of all in a slot; `None` if their keys differ.
    ///
    /// # Safety
    /// 1. All have a value in the slot, which is asked about once.
    /// 2. The containers are borrowed.
    unsafe fn meet(views: &mut Self::Views, slot: usize) -> Option<(Self::Key, Self::Item)>;

    /// Returns the items of all for a key of a table; `None` if one of them has nothing for it.
    ///
    /// # Safety
    /// 1. `table` is the number of one, which has an entry `number`.
    /// 2. Each entry is asked about once, of one table only.
    /// 3. The containers are borrowed.
    unsafe fn meet_numbered(
        views: &mut Self::Views,
        table: usize,
        number: usize,
    ) -> Option<(Self::Key, Self::Item)>;
}

#[diagnostic::do_not_recommend]
// SAFETY: it asks the view, and gives out what that answers.
unsafe impl<P: Participant> Together for P {
    type Key = KeyOf<P>;
    type Views = ViewOf<P>;
    type Item = ItemOf<P>;

    #[inline]
    fn into_views(self) -> Self::Views {
        self.access().into_view()
    }

    #[inline]
    fn words(view: &Self::Views) -> usize {
        view.words().count()
    }

    #[inline]
    fn smallest_table(view: &Self::Views) -> Option<(usize, usize)> {
        view.entries().map(|entries| (0, entries))
    }

    #[inline]
    fn present(view: &Self::Views, group: usize) -> u64 {
        view.words().present(group)
    }

    #[inline]
    unsafe fn word(view: &Self::Views, word: usize) -> u64 {
        // SAFETY: the word is one that the view has.
        unsafe { view.words().word(word) }
    }

    #[inline]
    unsafe fn meet(view: &mut Self::Views, slot: usize) -> Option<(Self::Key, Self::Item)> {
        // SAFETY: the view has a value in the slot, which is asked about once while its container is borrowed.
        unsafe {
            let (generation, place) = view.entry(slot);
            Some((Self::Key::compose(slot as u32, generation), AccessOf::<P>::item(place)))
        }
    }

    #[inline(always)]
    unsafe fn meet_numbered(
        view: &mut Self::Views,
        _: usize,
        number: usize,
    ) -> Option<(Self::Key, Self::Item)> {
        // SAFETY: the view, the only one, has the entry, which is asked about once while its container is borrowed.
        unsafe {
            let (key, place) = view.numbered(number);
            Some((key, AccessOf::<P>::item(place)))
        }
    }
}

type AccessOf<P> = <P as Participant>::Access;
type ViewOf<P> = <AccessOf<P> as Access>::View;
type KeyOf<P> = <ViewOf<P> as JoinView>::Key;
type ItemOf<P> = <AccessOf<P> as Access>::Item;

macro_rules! together {
    ($first:ident $view:ident $place:ident 0
        $(, $other:ident $other_view:ident $other_place:ident $number:literal)*
    ) => {
        #[diagnostic::do_not_recommend]
        // SAFETY: it asks the views, and gives out what they answer.
        unsafe impl<$first: Participant $(, $other: Participant)*> Together
            for ($first, $($other,)*)
        where
            $(ViewOf<$other>: JoinView<Key = KeyOf<$first>>,)*
        {
            type Key = KeyOf<$first>;
            type Views = (ViewOf<$first>, $(ViewOf<$other>,)*);
            type Item = (ItemOf<$first>, $(ItemOf<$other>,)*);

            #[inline]
            fn into_views(self) -> Self::Views {
                let ($view, $($other_view,)*) = self;
                ($view.access().into_view(), $($other_view.access().into_view(),)*)
            }

            #[inline]
            fn words(($view, $($other_view,)*): &Self::Views) -> usize {
                $view.words().count() $(.min($other_view.words().count()))*
            }

            #[inline]
            fn smallest_table(($view, $($other_view,)*): &Self::Views) -> Option<(usize, usize)> {
                let entries = [$view.entries() $(, $other_view.entries())*];
                let tables = (0..).zip(entries).filter_map(|(table, entries)| Some((table, entries?)));
                tables.min_by_key(|&(_, entries)| entries)
            }

            #[inline]
            fn present(($view, $($other_view,)*): &Self::Views, group: usize) -> u64 {
                $view.words().present(group) $(& $other_view.words().present(group))*
            }

            #[inline]
            unsafe fn word(($view, $($other_view,)*): &Self::Views, word: usize) -> u64 {
                // SAFETY: the word is one that all views have.
                unsafe { $view.words().word(word) $(& $other_view.words().word(word))* }
            }

            #[inline]
            unsafe fn meet(
                ($view, $($other_view,)*): &mut Self::Views,
                slot: usize,
            ) -> Option<(Self::Key, Self::Item)> {
                // SAFETY: all views have a value in the slot, which is asked about once while their
                // containers are borrowed.
                unsafe {
                    let (generation, $place) = $view.entry(slot);
                    $(
                        let (other, $other_place) = $other_view.entry(slot);
                        if other != generation {
                            return None;
                        }
                    )*
                    let items = (AccessOf::<$first>::item($place),
                        $(AccessOf::<$other>::item($other_place),)*);
                    Some((Self::Key::compose(slot as u32, generation), items))
                }
            }

            #[inline(always)]
            unsafe fn meet_numbered(
                ($view, $($other_view,)*): &mut Self::Views,
                table: usize,
                number: usize,
            ) -> Option<(Self::Key, Self::Item)> {
                // SAFETY: the table has the entry, which is asked about once, and the containers are
                // borrowed. Keys of a table are of different slots, so that what is found for one in the
                // others is found once.
                unsafe {
                    let key = match table {
                        0 => $view.numbered(number).0,
                        $($number => $other_view.numbered(number).0,)*
                        _ => return None,
                    };
                    let $place = find($view, key, (table == 0).then_some(number))?;
                    $(let $other_place =
                        find($other_view, key, (table == $number).then_some(number))?;)*
                    let items = (AccessOf::<$first>::item($place),
                        $(AccessOf::<$other>::item($other_place),)*);
                    Some((key, items))
                }
            }
        }
    };
}

/// Returns the place of a participant's value for a key, which it may have under a number.
///
/// # Safety
/// 1. The container is borrowed.
/// 2. The number is that of an entry.
#[inline(always)]
unsafe fn find<V: JoinView>(view: &mut V, key: V::Key, number: Option<usize>) -> Option<V::Place> {
    // SAFETY: the container is borrowed, and has an entry of that number, if one is given.
    unsafe {
        match number {
            Some(number) => Some(view.numbered(number).1),
            None => view.find(key),
        }
    }
}

together!(A a first 0);
together!(A a first 0, B b second 1);
together!(A a first 0, B b second 1, C c third 2);
together!(A a first 0, B b second 1, C c third 2, D d fourth 3);
