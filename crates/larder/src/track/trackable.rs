//! What a container offers so that its changes can be recorded. (The traits are sealed: their hidden methods
//! name types that no other crate can.)

use alloc::vec::Vec;

use crate::error::{InsertError, TryReserveError};
use crate::key::Key;
use crate::raw::columns::shape::CloneShape;
use crate::raw::rewind::{Order, Record, Rewind, Saved};
use crate::raw::slots::{ErasedSlots, GenerationOf, Slots};
use crate::soa::{Fill, Soa};
use crate::{Arena, PagedArena, Reuse, SoaArena};

/// The records of a container's slots.
pub(super) type Records<A> = Vec<Record<<A as Track>::Key, <A as Track>::Value>>;

/// A container that can be [tracked](super::Tracked). Sealed: [`Arena`], [`PagedArena`], [`SoaArena`].
///
/// # Examples
/// ```
/// use larder::{Arena, PagedArena, track::{Track, Tracked}};
///
/// /// Inserts a value, and takes that back.
/// fn insert_in_vain<A: larder::track::Revert>(container: A, value: A::Value) -> A {
///     let mut tracked = Tracked::new(container);
///     let before = tracked.checkpoint();
///     tracked.insert(value);
///     tracked.rollback(before).expect("it is its own");
///     tracked.into_inner()
/// }
/// assert!(insert_in_vain(Arena::new(), 'a').is_empty());
/// assert!(insert_in_vain(PagedArena::new(), 'a').is_empty());
/// # fn _is_track(_: impl Track) {}
/// ```
pub trait Track: Sized {
    /// What it issues for its values.
    type Key: Key;
    /// What it contains.
    type Value;
    /// How it lends a value for mutation: `&mut T`, or a reference to each field.
    type RefMut<'a>
    where
        Self: 'a;

    #[doc(hidden)]
    fn slots(&self) -> usize;
    #[doc(hidden)]
    fn reuse(&self) -> Reuse;
    #[doc(hidden)]
    fn slot_capacity(&self) -> usize;
    /// The live slots of a word, as bits; none where there is no such word.
    #[doc(hidden)]
    fn live_bits(&self, word: usize) -> u64;
    #[doc(hidden)]
    fn key_at(&self, slot: usize) -> Option<Self::Key>;
    /// The slot of a key that has a value.
    #[doc(hidden)]
    fn find(&self, key: Self::Key) -> Option<usize>;
    /// The slot of the next insertion, for which there is room then.
    #[doc(hidden)]
    fn next_slot(&mut self) -> Result<usize, TryReserveError>;
    #[doc(hidden)]
    fn put(&mut self, value: Self::Value) -> Result<Self::Key, InsertError<Self::Value>>;
    #[doc(hidden)]
    fn take(&mut self, key: Self::Key) -> Option<Self::Value>;
    #[doc(hidden)]
    fn lend_mut(&mut self, key: Self::Key) -> Option<Self::RefMut<'_>>;
    #[doc(hidden)]
    fn lend_all_mut(&mut self) -> impl Iterator<Item = (Self::Key, Self::RefMut<'_>)>;
    #[doc(hidden)]
    fn state(&self, slot: usize) -> Saved<GenerationOf<Self::Key>, ()>;
    #[doc(hidden)]
    fn pass_over(&mut self, slot: usize, next: Option<GenerationOf<Self::Key>>);
    #[doc(hidden)]
    fn order(&self) -> Result<Order<Self::Key>, TryReserveError>;
    #[doc(hidden)]
    fn exchange(
        &mut self,
        records: &mut Vec<Record<Self::Key, Self::Value>>,
        order: Option<&Order<Self::Key>>,
    ) -> Result<bool, TryReserveError>;
}

/// A container whose values can be cloned, so that what is written over can be kept. Sealed, as [`Track`].
///
/// # Examples
/// ```
/// use larder::{Arena, track::{Checkpoint, Revert, Tracked}};
///
/// struct Game<A: Revert> {
///     ships: Tracked<A>,
///     frames: Vec<Checkpoint>,
/// }
/// let mut game = Game { ships: Tracked::new(Arena::<u32>::new()), frames: Vec::new() };
/// game.frames.push(game.ships.checkpoint());
/// ```
pub trait Revert: Track {
    /// Appends a record of a slot, its value cloned.
    #[doc(hidden)]
    fn record(&self, slot: usize, records: &mut Vec<Record<Self::Key, Self::Value>>);
}

macro_rules! track {
    ([$($bound:tt)*] $container:ty, |$a:lifetime| $ref_mut:ty, clone: [$($clone:tt)*]) => {
        impl<T: $($bound)*, K: Key> Track for $container {
            type Key = K;
            type Value = T;
            type RefMut<$a>
                = $ref_mut
            where
                Self: $a;

            #[inline]
            fn slots(&self) -> usize {
                self.rows.book().slots()
            }

            fn reuse(&self) -> Reuse {
                self.rows.book().reuse()
            }

            fn slot_capacity(&self) -> usize {
                self.rows.slot_capacity()
            }

            #[inline]
            fn live_bits(&self, word: usize) -> u64 {
                self.rows.book().live_bits(word)
            }

            #[inline]
            fn key_at(&self, slot: usize) -> Option<K> {
                self.rows.key_at(slot)
            }

            #[inline]
            fn find(&self, key: K) -> Option<usize> {
                self.rows.find(key)
            }

            #[inline]
            fn next_slot(&mut self) -> Result<usize, TryReserveError> {
                Ok(self.rows.place()?.slot)
            }

            #[inline]
            fn put(&mut self, value: T) -> Result<K, InsertError<T>> {
                self.rows.try_insert(value)
            }

            #[inline]
            fn take(&mut self, key: K) -> Option<T> {
                self.rows.remove(key)
            }

            #[inline]
            fn lend_mut(&mut self, key: K) -> Option<Self::RefMut<'_>> {
                self.rows.get_mut(key)
            }

            #[inline]
            fn lend_all_mut(&mut self) -> impl Iterator<Item = (K, Self::RefMut<'_>)> {
                self.rows.iter_mut()
            }

            fn state(&self, slot: usize) -> Saved<GenerationOf<K>, ()> {
                self.rows.state(slot)
            }

            fn pass_over(&mut self, slot: usize, next: Option<GenerationOf<K>>) {
                self.rows.pass_over(slot, next);
            }

            fn order(&self) -> Result<Order<K>, TryReserveError> {
                Rewind::order(&self.rows)
            }

            fn exchange(
                &mut self,
                records: &mut Vec<Record<K, T>>,
                order: Option<&Order<K>>,
            ) -> Result<bool, TryReserveError> {
                Rewind::exchange(&mut self.rows, records, order)
            }
        }

        impl<T: $($bound)*, K: Key> Revert for $container
        where
            $($clone)*
        {
            fn record(&self, slot: usize, records: &mut Vec<Record<K, T>>) {
                self.rows.record(slot, records);
            }
        }
    };
}

track!([Sized] Arena<T, K>, |'a| &'a mut T, clone: [T: Clone]);
track!([Sized] PagedArena<T, K>, |'a| &'a mut T, clone: [T: Clone]);
track!([Soa + Fill] SoaArena<T, K>, |'a| T::RefMut<'a>, clone: [T::Shape: CloneShape]);
