//! The operations of a container by which its changes are recorded. (The traits are sealed: their hidden methods
//! name types that no other crate can.)

use alloc::vec::Vec;

#[cfg(feature = "snapshot")]
use super::delta::DeltaError;
use crate::containers::Slots as InSlots;
use crate::containers::container::Container;
use crate::error::{InsertError, ReattachError, TryReserveError};
use crate::key::Key;
use crate::key::generation::Mark;
use crate::key::sealed::Compose;
use crate::memory::bits::WORD;
use crate::past::Internal;
use crate::raw::rewind::{Order, Ordered, Placed, Record, Rewind, RewindBook, Saved};
use crate::raw::rows::{Rooms, Whole};
use crate::raw::slots::{Book, ErasedSlots, GenerationOf, MarkOf, Slots};
use crate::{DenseArena, Pool, Reuse};
#[cfg(feature = "columns")]
use crate::{
    DenseSoaArena, SoaArena,
    soa::raw::shape::CloneShape,
    soa::{Fill, Soa, view},
};

/// The records of a container's slots.
pub(super) type Records<A> = Vec<Record<<A as Container>::Key, <A as Track>::Kept>>;

/// A type that can be [tracked](super::Tracked). Sealed: implemented by the containers and by the maps of
/// side data, [`SecondaryMap`](crate::SecondaryMap) and `SparseSecondaryMap`.
///
/// # Examples
/// ```
/// use larder::{Arena, DenseArena, track::{Insert, Reversible, Revert, Tracked}};
///
/// /// Inserts a value, and takes that back.
/// fn insert_in_vain<A: Insert + Revert>(container: A, value: A::Value) -> A {
///     let mut tracked = Tracked::new(container);
///     let before = tracked.checkpoint();
///     tracked.insert(value);
///     tracked.rollback(before).expect("it is its own");
///     tracked.into_inner()
/// }
/// assert!(insert_in_vain(Arena::new(), 'a').is_empty());
/// assert!(insert_in_vain(DenseArena::new(), 'a').is_empty());
/// ```
pub trait Track: Container + Sized {
    /// The values of the container.
    type Value;
    /// A value that is lent for mutation: `&mut T`, or a reference to each field.
    type RefMut<'a>
    where
        Self: 'a;

    /// The part of a value that a record has.
    #[doc(hidden)]
    type Kept;
    /// The source from which that part is cloned: the value, or the container if a reference to the value is not enough.
    #[doc(hidden)]
    type Source;
    /// True if values have an order of their own.
    #[doc(hidden)]
    const PLACED: bool = false;
    /// True if the container issues its keys, and so decides on their generations.
    #[doc(hidden)]
    const ISSUES: bool = true;

    /// Returns the number of slots that have been begun.
    #[doc(hidden)]
    fn slots(&self) -> usize;
    #[doc(hidden)]
    fn slot_capacity(&self) -> usize;
    /// Live slots as bits of words, each once.
    #[doc(hidden)]
    fn live_words(&self) -> impl Iterator<Item = (usize, u64)>;
    #[doc(hidden)]
    fn key_at(&self, slot: usize) -> Option<Self::Key>;
    /// The value that takes the place of one that is removed.
    #[doc(hidden)]
    type Spare;
    /// Makes a spare value: user code, in a pool.
    #[doc(hidden)]
    fn spare(&mut self) -> Self::Spare;
    /// Runs no user code.
    #[doc(hidden)]
    fn take(&mut self, key: Self::Key, spare: Self::Spare) -> Option<Self::Value>;
    /// Removes a value, as the container does.
    #[doc(hidden)]
    fn remove_value(&mut self, key: Self::Key) -> Option<Self::Value>;
    /// Exchanges the value of a key for the one that there is. Runs no user code.
    #[doc(hidden)]
    fn exchange_value(&mut self, key: Self::Key, value: &mut Option<Self::Value>);
    /// Returns the source from which the record of a key's value is cloned, if the key has a value.
    #[doc(hidden)]
    fn source(&self, key: Self::Key) -> Option<&Self::Source>;
    /// Lends the value of a key once `keep` has seen what its record is cloned from.
    #[doc(hidden)]
    fn lend_kept(
        &mut self,
        key: Self::Key,
        keep: impl FnOnce(&Self::Source),
    ) -> Option<Self::RefMut<'_>>;
    #[doc(hidden)]
    fn lend_all_mut(&mut self) -> impl Iterator<Item = (Self::Key, Self::RefMut<'_>)>;
    #[doc(hidden)]
    fn state(&self, slot: usize) -> Saved<GenerationOf<Self::Key>, ()>;
    #[doc(hidden)]
    fn order(&self, free: Vec<u32>) -> Result<Order<Self::Key>, TryReserveError>;
    /// The mark of its order.
    #[doc(hidden)]
    fn mark(&self) -> MarkOf<Self::Key> {
        MarkOf::<Self::Key>::START
    }
    #[doc(hidden)]
    fn exchange(
        &mut self,
        records: &mut Vec<Record<Self::Key, Self::Kept>>,
        order: Option<&Order<Self::Key>>,
        _: Internal,
    ) -> Result<bool, TryReserveError>;

    /// No value is in this slot, nor in any behind it.
    #[doc(hidden)]
    fn slot_bound(&self) -> usize {
        self.slot_capacity()
    }
    /// Returns the number of places that [`key_in`](Self::key_in) can be asked about: slots, unless something else is quicker.
    #[doc(hidden)]
    fn places(&self) -> usize {
        self.slots()
    }
    #[doc(hidden)]
    fn key_in(&self, place: usize) -> Option<Self::Key> {
        self.key_at(place)
    }
    /// The slot of the value that is moved when that of a slot is removed.
    #[doc(hidden)]
    fn moves_with(&self, _slot: usize) -> Option<usize> {
        None
    }
    /// Returns the place of the value of a live slot.
    #[doc(hidden)]
    fn place_of(&self, slot: usize) -> usize {
        slot
    }
    /// A hole goes on in that generation, or is never used again.
    #[doc(hidden)]
    fn pass_over(&mut self, _slot: usize, _next: Option<GenerationOf<Self::Key>>, _: Internal) {}
    #[doc(hidden)]
    fn reuse(&self) -> Reuse {
        Reuse::Packed
    }
    /// The keys in the order of the values, where these have one.
    #[doc(hidden)]
    fn placed(&self, _place: usize) -> Option<Self::Key> {
        None
    }
    /// Refuses a slot that is far from others, where there would have to be room for all before it, and for so many values more.
    #[doc(hidden)]
    #[cfg(feature = "snapshot")]
    fn check_far(&self, _slot: u32, _added: usize) -> Result<(), DeltaError> {
        Ok(())
    }
    /// Returns the number of values that have a place.
    #[doc(hidden)]
    fn placed_count(&self) -> usize {
        0
    }
    #[doc(hidden)]
    fn into_value(kept: Self::Kept) -> Self::Value;
    #[doc(hidden)]
    #[cfg(feature = "snapshot")]
    fn keep(value: Self::Value, at: u32) -> Self::Kept;
    #[doc(hidden)]
    #[cfg(feature = "snapshot")]
    fn kept(kept: &Self::Kept) -> (&Self::Value, u32);
}

/// A container that issues the keys of its values. Sealed, as [`Track`].
///
/// # Examples
/// ```
/// use larder::{Pool, track::{Insert, Tracked}};
///
/// fn insert_two<A: Insert<Value: Copy>>(container: &mut Tracked<A>, value: A::Value) -> [A::Key; 2] {
///     [(); 2].map(|()| container.insert(value))
/// }
/// let mut numbers = Tracked::new(Pool::new(|| 0));
/// let [one, other] = insert_two(&mut numbers, 5);
/// assert!(one != other && numbers[one] == numbers[other]);
/// ```
pub trait Insert: Track {
    /// The key of the next insertion, for which there is room then.
    #[doc(hidden)]
    fn next_key(&mut self) -> Result<Self::Key, TryReserveError>;
    #[doc(hidden)]
    fn put(&mut self, value: Self::Value) -> Result<Self::Key, InsertError<Self::Value>>;
    /// The slot that is kept for a detached key.
    #[doc(hidden)]
    fn find_detached(&self, key: Self::Key) -> Option<usize>;
    /// Asks for the memory that [`try_detach`](Self::try_detach) needs.
    #[doc(hidden)]
    fn prepare_detach(&mut self) -> Result<(), TryReserveError>;
    #[doc(hidden)]
    fn try_detach(
        &mut self,
        key: Self::Key,
        spare: Self::Spare,
    ) -> Result<Option<Self::Value>, TryReserveError>;
    #[doc(hidden)]
    fn reserve_more(&mut self, additional: usize) -> Result<(), TryReserveError>;
    #[doc(hidden)]
    fn reattach(
        &mut self,
        key: Self::Key,
        value: Self::Value,
    ) -> Result<(), ReattachError<Self::Value>>;
}

/// A container whose values can be cloned, so that overwritten values can be kept. Sealed, as [`Track`].
///
/// # Examples
/// ```
/// use larder::{Arena, track::{Checkpoint, Reversible, Revert, Tracked}};
///
/// struct Game<A: Revert> {
///     ships: Tracked<A>,
///     frames: Vec<Checkpoint>,
/// }
/// let mut game = Game { ships: Tracked::new(Arena::<u32>::new()), frames: Vec::new() };
/// game.frames.push(game.ships.checkpoint());
/// ```
pub trait Revert: Track {
    /// Clones what is recorded of a key's value; `None` if it has none.
    #[doc(hidden)]
    fn keep_of(key: Self::Key, source: &Self::Source) -> Option<Self::Kept>;

    /// Clones the value of a key.
    #[doc(hidden)]
    fn clone_value(&self, key: Self::Key) -> Option<Self::Value> {
        Self::keep_of(key, self.source(key)?).map(Self::into_value)
    }
}

/// Appends a record of a key's value, if it has one, and says whether it has. (That the source is a reference
/// for all of a function has the value copied straight to its place.)
#[inline]
pub(super) fn record_value<A: Revert>(
    key: A::Key,
    source: &A::Source,
    records: &mut Records<A>,
) -> bool {
    let Some(kept) = A::keep_of(key, source) else { return false };
    records.push(Record { slot: key.slot(), saved: Saved::Live(key.generation(), kept) });
    true
}

/// Appends a record of a slot.
#[cfg(feature = "snapshot")]
pub(super) fn record<A: Revert>(container: &A, slot: usize, records: &mut Records<A>) {
    match container.key_at(slot).and_then(|key| Some((key, container.source(key)?))) {
        Some((key, source)) => _ = record_value::<A>(key, source, records),
        None => record_hole(container, slot, records),
    }
}

/// Appends a record of a slot that has no value.
pub(super) fn record_hole<A: Track>(container: &A, slot: usize, records: &mut Records<A>) {
    let saved = container.state(slot).without_value();
    records.push(Record { slot: slot as u32, saved });
}

macro_rules! track {
    (
        [$($generics:tt)*] $container:ty,
        |$a:lifetime| $ref_mut:ty,
        clone: [$($clone:tt)*],
        from: $from:tt,
        spare: |$this:ident| $spare:expr,
        of: $made:ty,
        kept: $kept:ty $(, placed: |$value:ident, $at:ident| $placed:expr)?
    ) => {
        impl<$($generics)*> Track for $container {
            type Value = T;
            type RefMut<$a>
                = $ref_mut
            where
                Self: $a;
            type Kept = $kept;

            #[inline]
            fn slots(&self) -> usize {
                self.store.ledger().book.slots()
            }

            fn slot_capacity(&self) -> usize {
                self.store.slot_capacity()
            }

            #[inline]
            fn live_words(&self) -> impl Iterator<Item = (usize, u64)> {
                let book = &self.store.ledger().book;
                (0..book.slots().div_ceil(WORD)).map(|word| (word, book.live_word(word)))
            }

            #[inline]
            fn key_at(&self, slot: usize) -> Option<K> {
                self.store.key_at(slot)
            }

            type Spare = $made;

            #[inline]
            fn spare(&mut self) -> $made {
                let $this = self;
                let _ = &$this;
                $spare
            }

            #[inline]
            fn take(&mut self, key: K, spare: $made) -> Option<T> {
                track!(@take self, key, spare $(, $placed)?)
            }

            #[inline]
            fn remove_value(&mut self, key: K) -> Option<T> {
                self.remove(key)
            }

            #[inline]
            fn exchange_value(&mut self, key: K, value: &mut Option<T>) {
                track!(@exchange $from self, key, value)
            }

            #[inline]
            fn lend_all_mut(&mut self) -> impl Iterator<Item = (K, Self::RefMut<'_>)> {
                self.iter_mut()
            }

            fn state(&self, slot: usize) -> Saved<GenerationOf<K>, ()> {
                self.store.state(slot)
            }

            fn order(&self, free: Vec<u32>) -> Result<Order<K>, TryReserveError> {
                Rewind::order(&self.store, free)
            }

            fn mark(&self) -> MarkOf<K> {
                self.store.ledger().mark
            }

            fn exchange(
                &mut self,
                records: &mut Vec<Record<K, $kept>>,
                order: Option<&Order<K>>,
                _: Internal,
            ) -> Result<bool, TryReserveError> {
                let $this = self;
                Rewind::exchange(&mut $this.store, records, order, || $spare)
            }

            fn pass_over(&mut self, slot: usize, next: Option<GenerationOf<K>>, _: Internal) {
                self.store.pass_over(slot, next);
            }

            fn reuse(&self) -> Reuse {
                self.store.ledger().book.reuse()
            }

            track!(@kept store, $kept $(, |$value, $at| $placed)?);
            track!(@source $from, |$a| $ref_mut);
        }

        impl<$($generics)*> Insert for $container {
            #[inline]
            fn next_key(&mut self) -> Result<K, TryReserveError> {
                Ok(self.store.place()?.key())
            }

            #[inline]
            fn put(&mut self, value: T) -> Result<K, InsertError<T>> {
                self.try_insert(value)
            }

            fn find_detached(&self, key: K) -> Option<usize> {
                self.store.find_detached(key)
            }

            fn prepare_detach(&mut self) -> Result<(), TryReserveError> {
                self.store.ledger_mut().book.prepare_taken()
            }

            fn try_detach(&mut self, key: K, spare: $made) -> Result<Option<T>, TryReserveError> {
                track!(@detach self, key, spare $(, $placed)?)
            }

            fn reserve_more(&mut self, additional: usize) -> Result<(), TryReserveError> {
                self.try_reserve(additional)
            }

            fn reattach(&mut self, key: K, value: T) -> Result<(), ReattachError<T>> {
                self.store.reattach(key, value)
            }
        }

        impl<$($generics)*> Revert for $container
        where
            $($clone)*
        {
            track!(@keep $from);
        }
    };
    (@source value, |$a:lifetime| $ref_mut:ty) => {
        type Source = T;

        #[inline]
        fn source(&self, key: K) -> Option<&T> {
            self.get(key)
        }

        // (Found once.)
        #[inline]
        fn lend_kept(&mut self, key: K, keep: impl FnOnce(&T)) -> Option<&mut T> {
            let value = self.get_mut(key)?;
            keep(value);
            Some(value)
        }
    };
    (@source $other:tt, |$a:lifetime| $ref_mut:ty) => {
        type Source = Self;

        #[inline]
        fn source(&self, key: K) -> Option<&Self> {
            self.contains_key(key).then_some(self)
        }

        #[inline]
        fn lend_kept<$a>(&$a mut self, key: K, keep: impl FnOnce(&Self)) -> Option<$ref_mut> {
            keep(self.source(key)?);
            self.get_mut(key)
        }
    };
    (@exchange value $this:ident, $key:ident, $value:ident) => {
        if let (Some(place), Some(value)) = ($this.get_mut($key), $value) {
            core::mem::swap(place, value);
        }
    };
    (@exchange $other:tt $this:ident, $key:ident, $value:ident) => {
        *$value = $value.take().map(|value| {
            let (Ok(value) | Err(value)) = $this.store.replace($key, value);
            value
        })
    };
    (@keep value) => {
        #[inline]
        fn keep_of(_key: K, value: &T) -> Option<T> {
            Some(value.clone())
        }
    };
    (@keep [|$this:ident, $key:ident| $kept:expr]) => {
        fn keep_of($key: K, $this: &Self) -> Option<Self::Kept> {
            $kept
        }
    };
    (@kept $core:ident, $kept:ty) => {
        fn into_value(kept: T) -> T {
            kept
        }

        #[cfg(feature = "snapshot")]
        fn keep(value: T, _at: u32) -> T {
            value
        }

        #[cfg(feature = "snapshot")]
        fn kept(kept: &T) -> (&T, u32) {
            (kept, 0)
        }
    };
    (@kept $core:ident, $kept:ty, |$value:ident, $at:ident| $placed:expr) => {
        const PLACED: bool = true;

        fn into_value(kept: $kept) -> T {
            kept.value
        }

        fn moves_with(&self, slot: usize) -> Option<usize> {
            self.$core.moves_with(slot)
        }

        fn place_of(&self, slot: usize) -> usize {
            self.$core.place_of(slot)
        }

        fn placed(&self, place: usize) -> Option<K> {
            self.$core.key_in(place)
        }

        fn placed_count(&self) -> usize {
            self.len()
        }

        #[cfg(feature = "snapshot")]
        fn keep($value: T, $at: u32) -> $kept {
            $placed
        }

        #[cfg(feature = "snapshot")]
        fn kept(kept: &$kept) -> (&T, u32) {
            (&kept.value, kept.at)
        }
    };
    (@take $this:ident, $key:ident, $spare:ident) => {
        $this.store.take($key, || $spare)
    };
    (@take $this:ident, $key:ident, $spare:ident, $placed:expr) => {{
        let () = $spare;
        $this.store.remove($key)
    }};
    (@detach $this:ident, $key:ident, $spare:ident) => {
        $this.store.try_detach_with($key, || $spare)
    };
    (@detach $this:ident, $key:ident, $spare:ident, $placed:expr) => {{
        let () = $spare;
        $this.store.try_detach($key)
    }};
}
pub(super) use track;

track!(
    [T, K: Key, S: Rooms<T, K>, B: RewindBook] InSlots<T, K, Whole<S>, B>,
    |'a| &'a mut T, clone: [T: Clone], from: value, spare: |this| (), of: (), kept: T
);
track!(
    [T, K: Key] Pool<T, K>,
    |'a| &'a mut T, clone: [T: Clone], from: value, spare: |this| this.recipe.make(), of: T, kept: T
);
#[cfg(feature = "columns")]
track!(
    [T: Soa + Fill, K: Key] SoaArena<T, K>,
    |'a| view::RefMut<'a, T>, clone: [T::Shape: CloneShape], from: [|this, key| this.store.get_cloned(key)],
    spare: |this| T::FILL, of: T, kept: T
);
track!(
    [T, K: Key] DenseArena<T, K>,
    |'a| &'a mut T, clone: [T: Clone], from: [|this, key| placed(this, key, this.get(key).cloned())],
    spare: |this| (), of: (), kept: Placed<T>, placed: |value, at| Placed { at, value }
);
#[cfg(feature = "columns")]
track!(
    [T: Soa, K: Key] DenseSoaArena<T, K>,
    |'a| view::RefMut<'a, T>,
    clone: [T::Shape: CloneShape], from: [|this, key| placed(this, key, this.store.get_cloned(key))],
    spare: |this| (), of: (), kept: Placed<T>, placed: |value, at| Placed { at, value }
);

/// A key's value, and where it lies.
pub(super) fn placed<A: Track>(
    container: &A,
    key: A::Key,
    value: Option<A::Value>,
) -> Option<Placed<A::Value>> {
    value.map(|value| Placed { at: container.place_of(key.slot() as usize) as u32, value })
}
