//! The operations of a container by which its changes are recorded. (The traits are sealed: their hidden methods
//! name types that no other crate can.)

use alloc::vec::Vec;
use core::ops::Range;
use core::ptr::NonNull;

use super::member::Internal;
use crate::containers::container::Container;
use crate::containers::{Dense, Slots as InSlots};
use crate::error::{InsertError, ReattachError, TryReserveError};
use crate::key::Key;
use crate::key::generation::Mark;
use crate::key::sealed::Compose;
use crate::memory::bits::WORD;
use crate::memory::storage::Storage;
use crate::raw::book::{Book, RewindBook};
use crate::raw::packed::Packed;
use crate::raw::rewind::{Batch, KeptValue, LeftOver, Order, Placed, Record, Rewind, Saved};
use crate::raw::rows::Whole;
use crate::raw::slots::{ErasedSlots, GenerationOf, MarkOf, SlotStore};
#[cfg(feature = "columns")]
use crate::raw::split::SplitStore;
use crate::raw::store::{Refill, Store};
use crate::{DenseArena, Reuse};
#[cfg(feature = "columns")]
use crate::{
    DenseSoaArena, SoaArena,
    soa::raw::{Columns, shape::CloneShape},
    soa::{Fill, Soa},
};

/// The record of a container's slot.
pub(super) type RecordOf<A> = Record<<A as Container>::Key, <A as Track>::Kept>;

/// The records of a container's slots.
pub(super) type Records<A> = Vec<RecordOf<A>>;

/// Those that its slots are put back with.
pub(super) type BatchOf<'a, A> = Batch<'a, RecordOf<A>>;

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
    type Kept: KeptValue<Self::Value>;
    /// The source from which that part is cloned: the value, or the container if a reference to the value is not
    /// enough.
    #[doc(hidden)]
    type Source;
    /// True if values have an order of their own.
    #[doc(hidden)]
    const PLACED: bool = false;
    /// True if the container issues its keys, and so decides on their generations.
    #[doc(hidden)]
    const ISSUES: bool = true;
    /// True if it takes the lowest free slot first, whatever it says of its [order of reuse](Self::reuse).
    #[doc(hidden)]
    const LOWEST_FIRST: bool = false;

    /// Returns the keys of all values, in slot order (of a `SparseSecondaryMap` in that of its entries). O(slots) in all.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Track};
    ///
    /// fn count(container: &impl Track) -> usize {
    ///     container.live_keys().count()
    /// }
    /// assert_eq!(count(&Arena::from_iter([1, 2])), 2);
    /// ```
    fn live_keys(&self) -> impl Iterator<Item = Self::Key> {
        (0..self.places()).filter_map(|place| self.key_in(place))
    }

    /// Returns the number of slots that have been begun: none where the keys are another's.
    #[doc(hidden)]
    fn slots(&self) -> usize {
        0
    }
    /// Returns the number of slots that there is room for, if there is room for slots.
    #[doc(hidden)]
    fn slot_capacity(&self) -> usize {
        0
    }
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
    /// Returns the detached key of the first of these slots that is kept for one.
    #[doc(hidden)]
    fn detached_in(&self, _slots: Range<usize>) -> Option<Self::Key> {
        None
    }
    /// Gives the slot of a detached key back.
    #[doc(hidden)]
    fn discard_detached(&mut self, _key: Self::Key) {}
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
        records: &mut BatchOf<'_, Self>,
        order: Option<&Order<Self::Key>>,
        left: &mut LeftOver<Self::Spare>,
        _: Internal,
    ) -> Result<bool, TryReserveError>;

    /// Returns a number that is larger than every slot with a value.
    #[doc(hidden)]
    fn slot_bound(&self) -> usize {
        self.slot_capacity()
    }
    /// Returns the number of places that [`key_in`](Self::key_in) can be asked about: slots, unless something else is
    /// quicker.
    #[doc(hidden)]
    fn places(&self) -> usize {
        self.slots()
    }
    #[doc(hidden)]
    fn key_in(&self, place: usize) -> Option<Self::Key> {
        self.key_at(place)
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
    /// Returns whether a slot is too far from the others, where there has to be room for all before it, for `_added`
    /// values more to be worth that room.
    #[doc(hidden)]
    #[cfg(feature = "snapshot")]
    fn is_far(&self, _slot: u32, _added: usize) -> bool {
        false
    }
    /// Returns the number of values that have a place.
    #[doc(hidden)]
    fn placed_count(&self) -> usize {
        0
    }
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
        Self::keep_of(key, self.source(key)?).map(Self::Kept::into_value)
    }
}

/// Returns a record of a key's value, if it has one.
#[inline]
pub(super) fn record_of<A: Revert>(key: A::Key, source: &A::Source) -> Option<RecordOf<A>> {
    let saved = Saved::Live(key.generation(), A::keep_of(key, source)?);
    Some(Record { slot: key.slot(), saved })
}

/// Appends a record of a slot.
#[cfg(feature = "snapshot")]
pub(super) fn record<A: Revert>(container: &A, slot: usize, records: &mut Records<A>) {
    match container.key_at(slot).and_then(|key| Some((key, container.source(key)?))) {
        Some((key, source)) => records.extend(record_of::<A>(key, source)),
        None => records.push(record_of_hole(container, slot)),
    }
}

/// Returns a record of a slot that has no value.
pub(super) fn record_of_hole<A: Track>(container: &A, slot: usize) -> RecordOf<A> {
    Record { slot: slot as u32, saved: container.state(slot).without_value() }
}

/// A container of slots that can be put back: all that is recorded of it, its [`Store`](Self::Store) does.
#[expect(unnameable_types, reason = "no user sees what a container is made of")]
pub trait OfSlots: Container + Sized {
    type Store: Rewind<Self::Key>;
    /// See [`Track::Source`].
    type Source;

    fn store(&self) -> &Self::Store;

    fn store_mut(&mut self) -> &mut Self::Store;

    /// See [`Track::source`].
    fn source(&self, key: Self::Key) -> Option<&Self::Source>;

    /// See [`Track::lend_kept`].
    fn lend_kept(
        &mut self,
        key: Self::Key,
        keep: impl FnOnce(&Self::Source),
    ) -> Option<RefMutOf<'_, Self>>;
}

type ValueOf<A> = <<A as OfSlots>::Store as SlotStore<<A as Container>::Key>>::Value;
type RefMutOf<'a, A> = <<A as OfSlots>::Store as SlotStore<<A as Container>::Key>>::ValueMut<'a>;
type BookOf<A> = <<A as OfSlots>::Store as ErasedSlots<GenerationOf<<A as Container>::Key>>>::Book;
type SpareOf<A> = <<A as OfSlots>::Store as Rewind<<A as Container>::Key>>::Spare;

#[diagnostic::do_not_recommend]
impl<A: OfSlots> Track for A {
    type Value = ValueOf<A>;
    type RefMut<'a>
        = RefMutOf<'a, A>
    where
        Self: 'a;
    type Kept = <A::Store as Rewind<A::Key>>::Kept;
    type Source = A::Source;

    const PLACED: bool = <A::Store as Rewind<A::Key>>::PLACED;
    const LOWEST_FIRST: bool = BookOf::<A>::LOWEST_FIRST;

    #[inline]
    fn slots(&self) -> usize {
        self.store().ledger().book.slots()
    }

    fn slot_capacity(&self) -> usize {
        self.store().slot_capacity()
    }

    #[inline]
    fn live_words(&self) -> impl Iterator<Item = (usize, u64)> {
        let book = &self.store().ledger().book;
        (0..book.slots().div_ceil(WORD)).map(|word| (word, book.live_word(word)))
    }

    #[inline]
    fn key_at(&self, slot: usize) -> Option<A::Key> {
        self.store().key_at(slot)
    }

    type Spare = SpareOf<A>;

    #[inline]
    fn spare(&mut self) -> SpareOf<A> {
        self.store_mut().spare()
    }

    #[inline]
    fn take(&mut self, key: A::Key, spare: SpareOf<A>) -> Option<ValueOf<A>> {
        self.store_mut().take(key, spare)
    }

    #[inline]
    fn remove_value(&mut self, key: A::Key) -> Option<ValueOf<A>> {
        self.store_mut().remove_value(key)
    }

    fn detached_in(&self, slots: Range<usize>) -> Option<A::Key> {
        let book = &self.store().ledger().book;
        let end = if book.detached() > 0 { book.slots().min(slots.end) } else { slots.start };
        (slots.start..end).find_map(|slot| match self.store().state(slot) {
            Saved::Detached(generation) => Some(A::Key::compose(slot as u32, generation)),
            _ => None,
        })
    }

    fn discard_detached(&mut self, key: A::Key) {
        self.store_mut().release(key);
    }

    #[inline]
    fn exchange_value(&mut self, key: A::Key, value: &mut Option<ValueOf<A>>) {
        if let Some(value) = value {
            self.store_mut().exchange_value(key, value);
        }
    }

    #[inline]
    fn source(&self, key: A::Key) -> Option<&A::Source> {
        OfSlots::source(self, key)
    }

    #[inline]
    fn lend_kept(
        &mut self,
        key: A::Key,
        keep: impl FnOnce(&A::Source),
    ) -> Option<Self::RefMut<'_>> {
        OfSlots::lend_kept(self, key, keep)
    }

    #[inline]
    fn lend_all_mut(&mut self) -> impl Iterator<Item = (A::Key, Self::RefMut<'_>)> {
        self.store_mut().lend_all()
    }

    fn state(&self, slot: usize) -> Saved<GenerationOf<A::Key>, ()> {
        self.store().state(slot)
    }

    fn order(&self, free: Vec<u32>) -> Result<Order<A::Key>, TryReserveError> {
        self.store().order(free)
    }

    fn mark(&self) -> MarkOf<A::Key> {
        self.store().ledger().mark
    }

    fn exchange(
        &mut self,
        records: &mut BatchOf<'_, Self>,
        order: Option<&Order<A::Key>>,
        left: &mut LeftOver<Self::Spare>,
        _: Internal,
    ) -> Result<bool, TryReserveError> {
        self.store_mut().exchange(records, order, left)
    }

    fn place_of(&self, slot: usize) -> usize {
        self.store().place_of(slot)
    }

    fn pass_over(&mut self, slot: usize, next: Option<GenerationOf<A::Key>>, _: Internal) {
        self.store_mut().pass_over(slot, next);
    }

    fn reuse(&self) -> Reuse {
        self.store().ledger().book.reuse()
    }

    fn placed(&self, place: usize) -> Option<A::Key> {
        self.store().placed(place)
    }

    fn placed_count(&self) -> usize {
        self.store().placed_count()
    }
}

#[diagnostic::do_not_recommend]
impl<A: OfSlots> Insert for A {
    #[inline]
    fn next_key(&mut self) -> Result<A::Key, TryReserveError> {
        Ok(self.store_mut().place()?.key())
    }

    #[inline]
    fn put(&mut self, value: ValueOf<A>) -> Result<A::Key, InsertError<ValueOf<A>>> {
        self.store_mut().try_insert(value)
    }

    fn find_detached(&self, key: A::Key) -> Option<usize> {
        self.store().find_detached(key)
    }

    fn prepare_detach(&mut self) -> Result<(), TryReserveError> {
        self.store_mut().ledger_mut().book.prepare_taken()
    }

    fn try_detach(
        &mut self,
        key: A::Key,
        spare: SpareOf<A>,
    ) -> Result<Option<ValueOf<A>>, TryReserveError> {
        self.store_mut().try_detach_with(key, spare)
    }

    fn reserve_more(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.store_mut().try_provide(additional)
    }

    fn reattach(
        &mut self,
        key: A::Key,
        value: ValueOf<A>,
    ) -> Result<(), ReattachError<ValueOf<A>>> {
        self.store_mut().reattach(key, value)
    }
}

impl<T, K: Key, R, B: RewindBook> OfSlots for InSlots<T, K, Whole<R>, B>
where
    Self: Container<Key = K>,
    Whole<R>: Refill<T, K, At = NonNull<T>>,
{
    type Store = Store<T, K, Whole<R>, B>;
    type Source = T;

    #[inline]
    fn store(&self) -> &Self::Store {
        &self.store
    }

    #[inline]
    fn store_mut(&mut self) -> &mut Self::Store {
        &mut self.store
    }

    #[inline]
    fn source(&self, key: K) -> Option<&T> {
        self.store.get(key)
    }

    // (Found once.)
    #[inline]
    fn lend_kept(&mut self, key: K, keep: impl FnOnce(&T)) -> Option<&mut T> {
        self.store.get_mut(key).inspect(|value| keep(value))
    }
}

impl<T: Clone, K: Key, R, B: RewindBook> Revert for InSlots<T, K, Whole<R>, B>
where
    Self: Container<Key = K>,
    Whole<R>: Refill<T, K, At = NonNull<T>>,
{
    #[inline]
    fn keep_of(_key: K, value: &T) -> Option<T> {
        Some(value.clone())
    }
}

#[cfg(feature = "columns")]
impl<T: Soa + Fill, K: Key> OfSlots for SoaArena<T, K> {
    type Store = SplitStore<T, K, Columns<T>>;
    type Source = Self;

    #[inline]
    fn store(&self) -> &Self::Store {
        &self.store
    }

    #[inline]
    fn store_mut(&mut self) -> &mut Self::Store {
        &mut self.store
    }

    #[inline]
    fn source(&self, key: K) -> Option<&Self> {
        self.contains_key(key).then_some(self)
    }

    #[inline]
    fn lend_kept(&mut self, key: K, keep: impl FnOnce(&Self)) -> Option<RefMutOf<'_, Self>> {
        keep(OfSlots::source(self, key)?);
        self.store.get_mut(key)
    }
}

#[cfg(feature = "columns")]
impl<T: Soa<Shape: CloneShape> + Fill, K: Key> Revert for SoaArena<T, K> {
    fn keep_of(key: K, arena: &Self) -> Option<T> {
        arena.store.get_cloned(key)
    }
}

/// (Values have places, which only the container knows.)
impl<T, K: Key, S: Storage<T>> OfSlots for Dense<T, K, S> {
    type Store = Packed<T, K, S>;
    type Source = Self;

    #[inline]
    fn store(&self) -> &Self::Store {
        &self.store
    }

    #[inline]
    fn store_mut(&mut self) -> &mut Self::Store {
        &mut self.store
    }

    #[inline]
    fn source(&self, key: K) -> Option<&Self> {
        self.contains_key(key).then_some(self)
    }

    #[inline]
    fn lend_kept(&mut self, key: K, keep: impl FnOnce(&Self)) -> Option<RefMutOf<'_, Self>> {
        keep(OfSlots::source(self, key)?);
        self.store.get_mut(key)
    }
}

impl<T: Clone, K: Key> Revert for DenseArena<T, K> {
    fn keep_of(key: K, arena: &Self) -> Option<Placed<T>> {
        placed(arena, key, arena.get(key).cloned())
    }
}

#[cfg(feature = "columns")]
impl<T: Soa<Shape: CloneShape>, K: Key> Revert for DenseSoaArena<T, K> {
    fn keep_of(key: K, arena: &Self) -> Option<Placed<T>> {
        placed(arena, key, arena.store.get_cloned(key))
    }
}

/// A key's value, and where it lies.
pub(super) fn placed<A: Track>(
    container: &A,
    key: A::Key,
    value: Option<A::Value>,
) -> Option<Placed<A::Value>> {
    value.map(|value| Placed { at: container.place_of(key.slot() as usize) as u32, value })
}
