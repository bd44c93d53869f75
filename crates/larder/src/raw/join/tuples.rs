//! Participants together: pairs, threes and fours. The invariant is that of [`join`](super).

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
                // SAFETY: by the contract.
                let present = unsafe { $view.words().present(group) };
                // SAFETY: as above.
                $(let present = present & unsafe { $other_view.words().present(group) };)+
                present
            }

            #[inline]
            unsafe fn word(($view $(, $other_view)+): &Self::Views, word: usize) -> u64 {
                // SAFETY: by the contract.
                let bits = unsafe { $view.words().word(word) };
                // SAFETY: as above.
                $(let bits = bits & unsafe { $other_view.words().word(word) };)+
                bits
            }

            #[inline]
            unsafe fn meet(
                ($view $(, $other_view)+): &mut Self::Views,
                slot: usize,
            ) -> Option<(Self::Key, Self::Item)> {
                // SAFETY: by the contract.
                let (generation, $place) = unsafe { $view.entry(slot) };
                $(
                    // SAFETY: by the contract.
                    let (other, $other_place) = unsafe { $other_view.entry(slot) };
                    if other != generation {
                        return None;
                    }
                )+
                let key = Self::Key::compose(slot as u32, generation);
                // SAFETY: the slot is asked about once.
                let items = (unsafe { AccessOf::<$first>::item($place) }
                    // SAFETY: as above.
                    $(, unsafe { AccessOf::<$other>::item($other_place) })+);
                Some((key, items))
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
                let key = match participant {
                    // SAFETY: by the contract.
                    0 => unsafe { $view.far_key(number) },
                    // SAFETY: as above.
                    $($number => unsafe { $other_view.far_key(number) },)+
                    _ => return None,
                };
                // SAFETY: by the contract.
                let $place = unsafe { find($view, key, 0, participant, number) }?;
                $(let $other_place =
                    // SAFETY: as above.
                    unsafe { find($other_view, key, $number, participant, number) }?;)+
                // SAFETY: the slot is not in all words, and the participant is the first of those
                // beyond whose words it is: so it is met once.
                let items = (unsafe { AccessOf::<$first>::item($place) }
                    // SAFETY: as above.
                    $(, unsafe { AccessOf::<$other>::item($other_place) })+);
                Some((key, items))
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
    if number == owner {
        // SAFETY: by the contract.
        return Some(unsafe { view.far_place(entry) });
    }
    // SAFETY: by the contract.
    let near = unsafe { view.find_near(key) };
    if near.is_some() || number < owner {
        return near;
    }
    // SAFETY: by the contract.
    unsafe { view.find_far(key) }
}

together!(2: A a first 0, B b second 1);
together!(3: A a first 0, B b second 1, C c third 2);
together!(4: A a first 0, B b second 1, C c third 2, D d fourth 3);
