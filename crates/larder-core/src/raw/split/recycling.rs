//! The layout of a `Pool`: values apart from generations, and the functions that make and reset them.
//!
//! The functions are user code, and cannot reach the container. Where one panics, the value that it was about is valid
//! as before.
//!
//! **Invariant.** None of its own: that of [`Apart`].

use alloc::boxed::Box;
use core::fmt;
use core::ptr::NonNull;

use super::{Apart, InSplit, SplitStore, SplitWalk};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::key::generation::Generation;
use crate::memory::Extent;
use crate::memory::buffer::Buffer;
use crate::memory::storage::{CloneAt, EmptyRoom, Room};
use crate::raw::rows::Whole;
use crate::raw::slots::{ErasedSlots, GenerationOf, SlotStore, Vacancy};
use crate::raw::store::{Address, Layout, Refill, Store};
use crate::raw::walk::Walk;
use crate::stats::Reuse;

/// Values that are always valid, apart from their generations, and the functions that make and reset them.
pub struct Recycling<T, K: Key> {
    split: Apart<T, K, Buffer<T>>,
    recipe: Recipe<T>,
}

#[cfg(feature = "snapshot")]
impl<T, K: Key> Recycling<T, K> {
    #[inline(always)]
    pub(crate) const fn split(&self) -> &Apart<T, K, Buffer<T>> {
        &self.split
    }
}

/// Slots that are never empty.
type PoolStore<T, K> = Store<T, K, Whole<Recycling<T, K>>>;

impl<T, K: Key> Room for Whole<Recycling<T, K>> {
    fn alike(&self) -> Result<Self, TryReserveError> {
        let Recycling { split, recipe } = &self.0;
        Ok(Self(Recycling { split: split.alike()?, recipe: recipe.clone() }))
    }

    #[inline(always)]
    fn capacity(&self) -> usize {
        self.0.split.capacity()
    }

    fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        self.0.split.resize(capacity)
    }

    fn check(&self, capacity: usize) -> Result<(), TryReserveError> {
        self.0.split.check(capacity)
    }

    fn memory(&self) -> Extent {
        self.0.split.memory()
    }
}

// SAFETY: each function is that of `Apart`, whose values lie apart from each other, and generations from them.
unsafe impl<T, K: Key> Layout<T, K> for Whole<Recycling<T, K>> {
    const NAME: &'static str = <Apart<T, K, Buffer<T>> as Layout<T, K>>::NAME;

    type At = NonNull<T>;

    type Finder = InSplit<T, K, NonNull<T>>;

    type Places = SplitWalk<T, K, NonNull<T>>;

    type Spare = T;

    const STRIDE: usize = <Apart<T, K, Buffer<T>> as Layout<T, K>>::STRIDE;

    const VALUE: usize = size_of::<T>();

    const FIRST: [usize; 3] = <Apart<T, K, Buffer<T>> as Layout<T, K>>::FIRST;

    const FILLS_IN_PLACE: bool = false;

    const SPACING: Option<usize> = <Apart<T, K, Buffer<T>> as Layout<T, K>>::SPACING;

    #[inline(always)]
    unsafe fn address(&self, slot: usize) -> Address<T, K, NonNull<T>> {
        // SAFETY: the slot is below the capacity.
        unsafe { self.0.split.address(slot) }
    }

    fn index_of(&self, address: usize) -> Option<usize> {
        self.0.split.values.index_of(address)
    }

    #[inline(always)]
    fn finder(&self) -> Self::Finder {
        self.0.split.finder()
    }

    #[inline]
    unsafe fn places(finder: Self::Finder, walk: Walk) -> Self::Places {
        // SAFETY: the walk yields slots below the capacity as long as the result is used.
        unsafe { <Apart<T, K, Buffer<T>>>::places(finder, walk) }
    }

    #[inline(always)]
    unsafe fn fill(&mut self, slot: usize, generation: GenerationOf<K>, value: T) {
        // SAFETY: (1) the slot is below the capacity; (2) it has no live value, and is in use, or the first that is
        // not.
        unsafe { self.0.split.fill(slot, generation, value) };
    }

    #[inline]
    unsafe fn fill_hole(
        &mut self,
        slot: usize,
        generation: GenerationOf<K>,
        value: T,
    ) -> Option<T> {
        // SAFETY: (1) the slot is below the capacity; (2) it has no live value, and is in use.
        unsafe { self.0.split.fill_hole(slot, generation, value) }
    }

    unsafe fn begin(&mut self, slot: usize, generation: GenerationOf<K>, spare: T) -> Option<T> {
        // SAFETY: (1) the slot is below the capacity; (2) those before it are in use.
        unsafe { self.0.split.begin(slot, generation, spare) }
    }

    #[inline(always)]
    unsafe fn take(address: Address<T, K, NonNull<T>>, spare: T) -> T {
        // SAFETY: (1) the value is initialised, and (2) not live any more.
        unsafe { <Apart<T, K, Buffer<T>>>::take(address, spare) }
    }

    unsafe fn carry(&mut self, from: usize, to: usize, generation: GenerationOf<K>) {
        // SAFETY: (1) both are in use, and differ; (2, 3) neither is live.
        unsafe { self.0.split.carry(from, to, generation) };
    }

    unsafe fn drop_values(&mut self, live: impl FnOnce() -> Walk) {
        // SAFETY: (1) the walk yields the live slots; (2) no value is used again.
        unsafe { self.0.split.drop_values(live) };
    }

    unsafe fn clone_values(&mut self, source: &Self, live: Walk)
    where
        NonNull<T>: CloneAt<T>,
    {
        // SAFETY: (1) the walk is the source's; (2) there is room; (3) no slot of this one has a value.
        unsafe { self.0.split.clone_values(&source.0.split, live) };
    }

    fn filled(&self, slots: usize) -> usize {
        self.0.split.filled(slots)
    }

    #[cfg(any(test, feature = "__test", feature = "snapshot"))]
    fn validate(&self, slots: usize) {
        self.0.split.validate(slots);
    }
}

impl<T, K: Key> Refill<T, K> for Whole<Recycling<T, K>> {
    const DISCARDS: bool = true;

    #[inline]
    fn spare(&mut self) -> T {
        self.0.recipe.make()
    }

    #[inline]
    unsafe fn discard(&mut self, address: Address<T, K, NonNull<T>>) {
        // SAFETY: (1) the value is initialised, and (2) borrowed exclusively as `self` is; the functions lie elsewhere.
        self.0.recipe.recycle(unsafe { address.value.lend_mut() });
    }

    #[inline]
    fn make_ahead(&mut self, slots: usize) {
        let Recycling { split, recipe } = &mut self.0;
        split.make_up_to(slots, || recipe.make());
    }
}

impl<T, K: Key> PoolStore<T, K> {
    /// An empty store whose values that recipe makes.
    pub(crate) const fn made_by(recipe: Recipe<T>) -> Self {
        Self::of(Whole(Recycling { split: Apart::EMPTY, recipe }), Reuse::Packed)
    }

    /// These slots, whose values that recipe makes.
    pub(crate) fn of_split(store: SplitStore<T, K>, recipe: Recipe<T>) -> Self {
        // SAFETY: the layout is the same, but for the functions beside it.
        unsafe { store.laid_out(|split| Whole(Recycling { split, recipe })) }
    }

    /// Has all values made that there is memory for.
    pub(crate) fn make_all(&mut self) {
        self.layout.make_ahead(usize::MAX);
    }

    /// All values there are, whatever their slots are.
    #[inline(always)]
    pub(crate) fn all(&self) -> &[T] {
        let Apart { values, made, .. } = &self.layout.0.split;
        // SAFETY: `made` values are initialised, and borrowed as `self` is.
        unsafe { core::slice::from_raw_parts(values.start().as_ptr(), *made) }
    }

    /// All values there are, to change them.
    #[inline(always)]
    pub(crate) fn all_mut(&mut self) -> &mut [T] {
        let Apart { values, made, .. } = &self.layout.0.split;
        // SAFETY: `made` values are initialised, and borrowed as `self` is.
        unsafe { core::slice::from_raw_parts_mut(values.start().as_ptr(), *made) }
    }

    /// The slot of a key becomes free, then what lies in it is reset or replaced.
    #[inline(always)]
    pub(crate) fn recycle(&mut self, key: K) -> Option<&mut T> {
        let vacated = key.generation().vacated();
        let address = self.find_address(key)?;
        // SAFETY: to free: (1) the slot is live in the key's generation, (2) which becomes this. To discard: (1) its
        // value was made; (2) it is live no more. To lend: (1) it is initialised still, and (2) borrowed as `self` is.
        unsafe {
            self.free_as(address.slot, key.generation(), vacated);
            self.layout.discard(address);
            Some(address.value.lend_mut())
        }
    }
}

impl<'a, T, K: Key> Vacancy<'a, K, PoolStore<T, K>> {
    /// Lends what lies in the slot, to be made into the new value.
    #[inline(always)]
    pub(crate) fn value_mut(&mut self) -> &mut T {
        &mut self.slots.all_mut()[self.place.slot]
    }

    /// The slot becomes live, with what lies in it.
    #[inline(always)]
    pub(crate) fn occupy(self) -> &'a mut T {
        let Self { slots: store, place } = self;
        assert!(place.slot < store.layout.0.split.made, "the slot has a value");
        // SAFETY: to settle: (1) the place is the ledger's, which did not change since, so the slot
        // is below the capacity; (2) its value was made, as was just checked, and its generation is written at once.
        // To store: (1) it is in use; (2) live. `store` is borrowed for `'a`.
        unsafe {
            store.ledger.commit(&place);
            store.store(place.slot, place.generation);
            store.layout.0.split.values.at(place.slot).as_mut()
        }
    }
}

/// A function that makes values, which can be copied with its pool.
trait Make<T>: FnMut() -> T + Send + Sync {
    fn boxed(&self) -> Box<dyn Make<T>>;
}

impl<T, F: FnMut() -> T + Clone + Send + Sync + 'static> Make<T> for F {
    fn boxed(&self) -> Box<dyn Make<T>> {
        Box::new(self.clone())
    }
}

/// A function that resets values, which can be copied with its pool.
trait Reset<T>: FnMut(&mut T) + Send + Sync {
    fn boxed(&self) -> Box<dyn Reset<T>>;
}

impl<T, F: FnMut(&mut T) + Clone + Send + Sync + 'static> Reset<T> for F {
    fn boxed(&self) -> Box<dyn Reset<T>> {
        Box::new(self.clone())
    }
}

/// The functions of a pool. They are values, not type parameters: a pool is the same type whatever
/// its functions are, so that a field can have it. (A function without state takes no memory.)
#[expect(unnameable_types, reason = "what a pool's builder needs; see `Build`")]
pub struct Recipe<T> {
    make: Box<dyn Make<T>>,
    /// Resets a removed value; if there is none, one that `make` makes replaces it.
    reset: Option<Box<dyn Reset<T>>>,
}

impl<T> Recipe<T> {
    pub(crate) fn new(make: impl FnMut() -> T + Clone + Send + Sync + 'static) -> Self {
        Self { make: Box::new(make), reset: None }
    }

    /// The same, but removed values are reset in place.
    pub(crate) fn resetting(
        mut self,
        reset: impl FnMut(&mut T) + Clone + Send + Sync + 'static,
    ) -> Self {
        self.reset = Some(Box::new(reset));
        self
    }

    /// Makes a value of a slot that holds no object.
    #[inline]
    pub(crate) fn make(&mut self) -> T {
        (self.make)()
    }

    /// Resets or replaces the value of an object that was removed.
    #[inline]
    fn recycle(&mut self, value: &mut T) {
        match &mut self.reset {
            Some(reset) => reset(value),
            // The old value is dropped when the new one is in its place.
            None => drop(core::mem::replace(value, (self.make)())),
        }
    }
}

impl<T> Clone for Recipe<T> {
    fn clone(&self) -> Self {
        let reset = self.reset.as_ref().map(|reset| (**reset).boxed());
        Self { make: (*self.make).boxed(), reset }
    }
}

impl<T> fmt::Debug for Recipe<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recipe").field("resets", &self.reset.is_some()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use crate::Pool;

    #[test]
    #[should_panic(expected = "a value for every slot in use")]
    fn a_missing_value_is_noticed() {
        let mut pool = Pool::new(|| 0);
        pool.extend([1, 2, 3]);
        pool.store.layout.0.split.made = 2;
        pool.validate();
    }
}
