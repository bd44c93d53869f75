//! Values in the slots that their keys name, each with its generation beside it: the array of a
//! [`SecondaryMap`](crate::SecondaryMap).
//!
//! **Invariant.**
//! - The generation of every row is initialised, and the marks cover every row.
//! - A slot is marked if and only if its row has its value initialised. The generation of a marked
//!   slot is that of a key; that of any other slot equals no key's. With keys that have no generation
//!   the mark alone decides.
//!
//! As in [`rows`], whose rows these are, a lookup touches one row and nothing else.
//! What is missing is a book of holes: the key says which slot its value goes into.

use core::marker::PhantomData;
use core::mem;
use core::ptr::NonNull;

use crate::error::TryReserveError;
use crate::key::Key;
use crate::raw::buffer::Buffer;
use crate::raw::cold_path;
use crate::raw::generation::Generation;
use crate::raw::join::{View, Words};
use crate::raw::marks::Marks;
use crate::raw::occupancy::WORD;
use crate::raw::rows::{self, InBlock, RowOf};
use crate::raw::slots::GenerationOf;
use crate::raw::store::{Address, Finder, Layout};
use crate::raw::walk::Walk;
use crate::stats::MemoryUsage;

/// Rows for the slots below `slots()`. (What a lookup reads comes first.)
#[repr(C)]
pub(crate) struct Near<K: Key, V> {
    rows: Buffer<RowOf<V, K>>,
    marks: Marks,
    keys: PhantomData<fn() -> K>,
    owns: PhantomData<V>,
}

impl<K: Key, V> Near<K, V> {
    pub(crate) const fn new() -> Self {
        Self { rows: Buffer::new(), marks: Marks::new(), keys: PhantomData, owns: PhantomData }
    }

    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.marks.len()
    }

    /// The slots below this have their row.
    #[inline]
    pub(crate) const fn slots(&self) -> usize {
        self.rows.capacity()
    }

    pub(crate) fn memory_usage(&self) -> MemoryUsage {
        let committed = self.rows.bytes() + self.marks.bytes();
        let values = self.len() * size_of::<V>();
        let holes = (self.slots() - self.len()) * size_of::<V>();
        let bookkeeping = committed - values - holes;
        MemoryUsage { values, holes, unused: 0, bookkeeping, committed, reserved: committed }
    }

    /// The last slot that has a value.
    pub(crate) fn last(&self) -> Option<usize> {
        self.marks.last()
    }

    /// Makes rows for the slots below `slots`, of which none from there on has a value. On an error
    /// nothing has changed.
    pub(crate) fn resize(&mut self, slots: usize) -> Result<(), TryReserveError> {
        debug_assert!(self.last().is_none_or(|last| last < slots), "no value is lost");
        let before = self.slots();
        if slots > before {
            self.rows.check(slots)?;
            self.marks.resize(slots)?;
        }
        self.rows.resize(slots)?;
        for slot in before..slots {
            // SAFETY: the slot has a row, without a value.
            unsafe { self.address(slot).generation.write(Generation::RETIRED) };
        }
        // Marks that stay larger than they need be are no harm.
        let _ = self.marks.resize(slots);
        Ok(())
    }

    /// Where a slot lies.
    ///
    /// # Safety
    /// `slot < slots()`.
    #[inline(always)]
    unsafe fn address(&self, slot: usize) -> Address<V, K, NonNull<V>> {
        // SAFETY: the contract is the same.
        unsafe { Layout::<V, K>::address(&self.rows, slot) }
    }

    /// Where the slot of a key lies that has a value.
    #[inline(always)]
    fn find_address(&self, key: K) -> Option<Address<V, K, NonNull<V>>> {
        let slot = key.slot() as usize;
        if slot >= self.slots() {
            return None;
        }
        // SAFETY: just checked; every row has its generation.
        let (address, answers) = unsafe {
            let address = self.address(slot);
            let answers = if GenerationOf::<K>::VERSIONED {
                address.generation.read() == key.generation()
            } else {
                self.marks.contains(slot)
            };
            (address, answers)
        };
        if !answers {
            // A branch, not a conditional move: the value is fetched before the check is done.
            cold_path();
            return None;
        }
        Some(address)
    }

    /// Where the value of a key lies.
    #[inline(always)]
    pub(crate) fn find(&self, key: K) -> Option<NonNull<V>> {
        self.find_address(key).map(|address| address.values)
    }

    #[inline(always)]
    pub(crate) fn get(&self, key: K) -> Option<&V> {
        let address = self.find_address(key)?;
        // SAFETY: the value is there, and borrowed as `self` is.
        Some(unsafe { address.lend() })
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, key: K) -> Option<&mut V> {
        let address = self.find_address(key)?;
        // SAFETY: the value is there, and borrowed exclusively as `self` is.
        Some(unsafe { address.lend_mut() })
    }

    /// The key whose value is in a slot. Any number may be asked about.
    #[inline]
    pub(crate) fn key_at(&self, slot: usize) -> Option<K> {
        let marked = self.marks.contains(slot);
        // SAFETY: a marked slot has a row.
        marked.then(|| unsafe { self.address(slot).key() })
    }

    /// Whether the slot has a row, and no value.
    #[inline]
    pub(crate) fn has_room(&self, slot: usize) -> bool {
        slot < self.slots() && !self.marks.contains(slot)
    }

    /// Puts a value into the slot of a key.
    ///
    /// # Safety
    /// The key is one that can have a value, and its slot [has room](Self::has_room).
    #[inline]
    pub(crate) unsafe fn fill(&mut self, key: K, value: V) {
        let slot = key.slot() as usize;
        self.marks.insert(slot);
        // SAFETY: the slot has a row, which has no value.
        unsafe { Layout::<V, K>::fill(&mut self.rows, slot, key.generation(), value) };
    }

    /// Puts a value into the slot of a key, and gives out what was there.
    ///
    /// # Safety
    /// The key is one that can have a value, and its slot is below `slots()`.
    #[inline]
    pub(crate) unsafe fn put(&mut self, key: K, value: V) -> Option<V> {
        let slot = key.slot() as usize;
        let marked = self.marks.contains(slot);
        // SAFETY: a marked slot has its value; then the slot has none.
        unsafe {
            let before = marked.then(|| self.take(slot).1);
            self.fill(key, value);
            before
        }
    }

    /// Moves the value of a slot out.
    ///
    /// # Safety
    /// The slot is marked.
    #[inline]
    pub(crate) unsafe fn take(&mut self, slot: usize) -> (K, V) {
        self.marks.remove(slot);
        // SAFETY: the slot was marked, so it has a row with a value, which is moved out once.
        unsafe {
            let address = self.address(slot);
            let key = address.key();
            address.generation.write(Generation::RETIRED);
            (key, address.values.read())
        }
    }

    /// The key and the value of a slot.
    ///
    /// # Safety
    /// The slot is marked.
    #[inline]
    pub(crate) unsafe fn entry_mut(&mut self, slot: usize) -> (K, &mut V) {
        // SAFETY: the slot has a row with a value, which is borrowed as `self` is.
        unsafe {
            let address = self.address(slot);
            (address.key(), address.lend_mut())
        }
    }

    #[inline]
    pub(crate) fn remove(&mut self, key: K) -> Option<V> {
        self.find_address(key)?;
        // SAFETY: where a key was found, its slot is marked.
        Some(unsafe { self.take(key.slot() as usize) }.1)
    }

    /// The slots that have a value.
    ///
    /// # Safety
    /// As [`Marks::walk`].
    #[inline]
    pub(crate) unsafe fn walk(&self) -> Walk {
        // SAFETY: the contract is the same.
        unsafe { self.marks.walk() }
    }

    #[inline]
    pub(crate) fn iter(&self) -> rows::Iter<'_, V, K> {
        // SAFETY: 1. marked slots have their value. 2. rows and marks are borrowed.
        unsafe { rows::Iter::over(self.rows.start().places(self.walk())) }
    }

    #[inline]
    pub(crate) fn iter_mut(&mut self) -> rows::IterMut<'_, V, K> {
        // SAFETY: 1. marked slots have their value. 2. rows and marks are borrowed exclusively.
        unsafe { rows::IterMut::over(self.rows.start().places(self.walk())) }
    }

    /// Drops the values that `keep` refuses. If `keep` or a value's `Drop` panics, what came before
    /// is done, and the rest stays.
    #[inline]
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(K, &mut V) -> bool) {
        // SAFETY: only slots that were yielded lose their mark.
        let walk = unsafe { self.walk() };
        walk.for_each(|slot| {
            // SAFETY: the walk yields marked slots.
            unsafe {
                let (key, value) = self.entry_mut(slot);
                if !keep(key, value) {
                    drop(self.take(slot));
                }
            }
        });
    }

    /// A copy in which the same keys have equal values.
    pub(crate) fn try_clone(&self) -> Result<Self, TryReserveError>
    where
        V: Clone,
    {
        let mut copy = Self::new();
        copy.resize(self.slots())?;
        // What is copied when a value's `Clone` panics is the copy's to drop.
        self.iter().for_each(|(key, value)| {
            let value = value.clone();
            // SAFETY: the key has a value here, and the copy has as many rows.
            unsafe { copy.put(key, value) };
        });
        Ok(copy)
    }

    /// What a join reads; it must not outlive the borrow, nor give out what that does not.
    pub(crate) fn view(&self) -> NearView<K, V> {
        let (words, present) = self.marks.parts();
        let words = Words::new(words, Some(present), words.len() * WORD);
        NearView { words, rows: self.rows.start() }
    }

    /// Panics where the rows contradict the marks.
    pub(crate) fn validate(&self) {
        self.marks.validate();
        assert!(self.last().is_none_or(|last| last < self.slots()), "every value has a row");
        for slot in 0..self.slots() {
            // SAFETY: the slot has a row.
            let bits = unsafe { self.address(slot).generation.read() }.to_u64();
            let live = GenerationOf::<K>::live_from_u64(bits).is_some();
            let versioned = GenerationOf::<K>::VERSIONED;
            assert!(!versioned || live == self.marks.contains(slot), "slot {slot}: {bits}");
        }
    }
}

impl<K: Key, V> Drop for Near<K, V> {
    fn drop(&mut self) {
        if mem::needs_drop::<V>() {
            // SAFETY: the marks do not change any more; the walk yields every value once, and the rows are
            // not used after it.
            unsafe { rows::drop_values(self.walk(), self.rows.start()) };
        }
    }
}

/// As the array, for a join.
pub(crate) struct NearView<K: Key, V> {
    words: Words,
    rows: InBlock<V, K>,
}

impl<K: Key, V> NearView<K, V> {
    /// Where the value of a key lies.
    ///
    /// # Safety
    /// The array is borrowed.
    pub(crate) unsafe fn find(&self, key: K) -> Option<NonNull<V>> {
        let mut view = Self { words: self.words, rows: self.rows };
        // SAFETY: the array is borrowed.
        unsafe { view.find_near(key) }
    }
}

// SAFETY: the words are those of the marks, and a marked row has its value and generation.
unsafe impl<K: Key, V> View for NearView<K, V> {
    type Key = K;
    type Place = NonNull<V>;

    #[inline]
    fn words(&self) -> &Words {
        &self.words
    }

    #[inline]
    unsafe fn entry(&mut self, slot: usize) -> (GenerationOf<K>, NonNull<V>) {
        // SAFETY: a marked slot has a row, with its generation.
        unsafe {
            let address = Finder::<V, K>::find(&mut self.rows, slot);
            (address.generation.read(), address.values)
        }
    }
}
