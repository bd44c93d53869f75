//! Participants together: pairs, threes and fours.
//!
//! **Invariant.** That of [`join`](super): what the functions here ask of their caller, that the
//! containers are borrowed, that all have the word or the slot, that each is asked about once, they ask
//! of each participant's view.

use super::{Access, Participant, View};
use crate::key::Key;
use crate::key::sealed::Compose;
use crate::raw::occupancy::WORD;

/// Two to four participants with the same keys.
///
/// # Safety
/// What is asked about a slot or an entry is answered from the participants' views alone, and gives
/// out only what they find there.
pub unsafe trait Together {
    /// Their keys.
    type Key: Key;
    type Views;
    type Item;

    const COUNT: usize;

    fn into_views(self) -> Self::Views;

    /// How many words all have.
    fn words(views: &Self::Views) -> usize;

    /// More keys than this they cannot have in common.
    fn most(views: &Self::Views) -> usize;

    /// # Safety
    /// `group * WORD < words()`, and the containers are borrowed.
    unsafe fn present(views: &Self::Views, group: usize) -> u64;

    /// # Safety
    /// `word < words()`, and the containers are borrowed.
    unsafe fn word(views: &Self::Views, word: usize) -> u64;

    /// What all have in a slot; `None` where their keys differ.
    ///
    /// # Safety
    /// All have a value in the slot, which is asked about once, and the containers are borrowed.
    unsafe fn meet(views: &mut Self::Views, slot: usize) -> Option<(Self::Key, Self::Item)>;

    fn far_len(views: &Self::Views, participant: usize) -> usize;

    /// What all have for a key that is beyond the words of a participant; `None` where one has
    /// nothing, or the key is beyond the words of an earlier one.
    ///
    /// # Safety
    /// `number < far_len()` of the participant, each entry is asked about once, and the containers
    /// are borrowed.
    unsafe fn meet_far(
        views: &mut Self::Views,
        participant: usize,
        number: usize,
    ) -> Option<(Self::Key, Self::Item)>;
}

type AccessOf<P> = <P as Participant>::Access;
type ViewOf<P> = <AccessOf<P> as Access>::View;
type KeyOf<P> = <ViewOf<P> as View>::Key;
type ItemOf<P> = <AccessOf<P> as Access>::Item;

macro_rules! together {
    ($count:literal: $first:ident $view:ident $place:ident 0
        $(, $other:ident $other_view:ident $other_place:ident $number:literal)+
    ) => {
        // SAFETY: it asks the views, and gives out what they answer.
        unsafe impl<$first: Participant $(, $other: Participant)+> Together
            for ($first $(, $other)+)
        where
            $(ViewOf<$other>: View<Key = KeyOf<$first>>,)+
        {
            type Key = KeyOf<$first>;
            type Views = (ViewOf<$first> $(, ViewOf<$other>)+);
            type Item = (ItemOf<$first> $(, ItemOf<$other>)+);

            const COUNT: usize = $count;

            #[inline]
            fn into_views(self) -> Self::Views {
                let ($view $(, $other_view)+) = self;
                ($view.access().into_view() $(, $other_view.access().into_view())+)
            }

            #[inline]
            fn words(($view $(, $other_view)+): &Self::Views) -> usize {
                $view.words().count() $(.min($other_view.words().count()))+
            }

            fn most(($view $(, $other_view)+): &Self::Views) -> usize {
                let of = |words: usize, far: usize| (words * WORD).saturating_add(far);
                of($view.words().count(), $view.far_len())
                    $(.min(of($other_view.words().count(), $other_view.far_len())))+
            }

            #[inline]
            unsafe fn present(($view $(, $other_view)+): &Self::Views, group: usize) -> u64 {
                // SAFETY: as the caller says, all views have the group.
                unsafe {
                    $view.words().present(group) $(& $other_view.words().present(group))+
                }
            }

            #[inline]
            unsafe fn word(($view $(, $other_view)+): &Self::Views, word: usize) -> u64 {
                // SAFETY: as the caller says, all views have the word.
                unsafe { $view.words().word(word) $(& $other_view.words().word(word))+ }
            }

            #[inline]
            unsafe fn meet(
                ($view $(, $other_view)+): &mut Self::Views,
                slot: usize,
            ) -> Option<(Self::Key, Self::Item)> {
                // SAFETY: as the caller says, all views have the slot, which is asked about once.
                unsafe {
                    let (generation, $place) = $view.entry(slot);
                    $(
                        let (other, $other_place) = $other_view.entry(slot);
                        if other != generation {
                            return None;
                        }
                    )+
                    let items = (AccessOf::<$first>::item($place)
                        $(, AccessOf::<$other>::item($other_place))+);
                    Some((Self::Key::compose(slot as u32, generation), items))
                }
            }

            #[inline]
            fn far_len(($view $(, $other_view)+): &Self::Views, participant: usize) -> usize {
                match participant {
                    0 => $view.far_len(),
                    $($number => $other_view.far_len(),)+
                    _ => 0,
                }
            }

            #[inline]
            unsafe fn meet_far(
                ($view $(, $other_view)+): &mut Self::Views,
                participant: usize,
                number: usize,
            ) -> Option<(Self::Key, Self::Item)> {
                // SAFETY: as the caller says, the participant has the entry, and the containers are
                // borrowed. The slot is not in all words, and the participant is the first of those
                // beyond whose words it is: so it is met once.
                unsafe {
                    let key = match participant {
                        0 => $view.far_key(number),
                        $($number => $other_view.far_key(number),)+
                        _ => return None,
                    };
                    let $place = find($view, key, 0, participant, number)?;
                    $(let $other_place = find($other_view, key, $number, participant, number)?;)+
                    let items = (AccessOf::<$first>::item($place)
                        $(, AccessOf::<$other>::item($other_place))+);
                    Some((key, items))
                }
            }
        }
    };
}

/// What participant `number` has for a key that is beyond the words of `owner`, where it is the entry
/// numbered `entry`, and of none before it.
///
/// # Safety
/// The container is borrowed, and the owner has the entry.
#[inline]
unsafe fn find<V: View>(
    view: &mut V,
    key: V::Key,
    number: usize,
    owner: usize,
    entry: usize,
) -> Option<V::Place> {
    // SAFETY: the caller's container is borrowed, and has the entry if it is the owner.
    unsafe {
        if number == owner {
            return Some(view.far_place(entry));
        }
        let near = view.find_near(key);
        if near.is_some() || number < owner { near } else { view.find_far(key) }
    }
}

together!(2: A a first 0, B b second 1);
together!(3: A a first 0, B b second 1, C c third 2);
together!(4: A a first 0, B b second 1, C c third 2, D d fourth 3);
