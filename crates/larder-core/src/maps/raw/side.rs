//! Values in the slots that their keys name, each with its generation beside it: what a
//! [`SecondaryMap`](crate::SecondaryMap) is made of.
//!
//! **Invariant.**
//! 1. The generation of the first `begun` rows is initialised, and the marks cover every row.
//! 2. A slot is marked if and only if its row has its value initialised, and is one of these. The generation
//!    of a marked slot is that of a key; that of any other is [`Generation::RETIRED`], which no key has. With
//!    keys that have no generation the mark alone decides.
//!
//! A lookup touches one row and nothing else, as in [`rows`], whose rows these are. There is no book of holes: the key
//! says which slot its value goes into. Rows are begun when a value is put among or behind them, as many as have one
//! word of marks: so an insertion asks one question, whether its slot's row is begun and free. A row without a value
//! may be zero bytes, which an allocator has at hand: in a large block pages of rows that no key names are not touched.

#![expect(unnameable_types, missing_debug_implementations, reason = "no user sees a view")]

use core::hint::assert_unchecked;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ptr::NonNull;
use core::slice;

use crate::error::{
    GetDisjointMutError, SecondaryInsertError, SecondaryInsertErrorKind, TryReserveError,
};
use crate::key::generation::Generation;
use crate::key::has_live_generation;
use crate::key::{Key, sealed::Compose};
use crate::maps::side_layout::{self, LentEntries, SideLayout};
use crate::memory::bits::LiveWords;
use crate::memory::bits::WORD;
use crate::memory::buffer::Buffer;
use crate::memory::cold_path;
use crate::memory::storage::doubled;
use crate::memory::storage::{Borrowed, Numbered, Room};
use crate::raw::join::{JoinView, Viewed};
use crate::raw::marks::Marks;
use crate::raw::rows::{self, InBlock, Row, RowWalk, Whole};
use crate::raw::slots::{GenerationOf, check_slots, find_disjoint, most_slots};
use crate::raw::store::{Address, Finder, Layout, Lending, Places, drop_rest, taking};
use crate::raw::walk::Walk;
use crate::stats::MemoryUsage;

/// Entries by slot, as those of a [`SecondaryMap`](crate::SecondaryMap).
///
/// # Examples
/// ```
/// use larder::{Handle, maps::{SideMap, layout::Array}};
///
/// let ages: SideMap<Handle<&str>, u32, Array<Handle<&str>, u32>> = larder::SecondaryMap::default();
/// assert!(ages.is_empty());
/// ```
// (Rows for the slots below `capacity()`. The fields that a lookup reads come first.)
#[repr(C)]
pub struct Array<K: Key, V> {
    rows: Whole<Buffer<Row<V, K>>>,
    begun: usize,
    marks: Marks,
    owns: PhantomData<(fn() -> K, V)>,
}

/// A block of at most this many bytes is grown as it is, and so is a larger one that has a value in each page of 4096
/// bytes, or in each 16 rows; of any other, only pages of rows in use are touched.
const SMALL: usize = 4 << 20;

/// The least number of slots that growing marks cover, as many as need no summary: while they stay, rows grow in place.
const MARKED: usize = WORD * WORD;

/// Memory.
impl<K: Key, V> Array<K, V> {
    /// Makes rows for the slots below `slots`, which all values are in; marks of `marked`, unless values are
    /// sparse. On an error nothing has changed.
    fn resize(&mut self, slots: usize, marked: usize) -> Result<(), TryReserveError> {
        debug_assert!(self.marks.last().is_none_or(|last| last < slots), "no value is lost");
        if slots <= self.capacity() {
            self.rows.resize(slots)?;
            self.begun = self.begun.min(slots);
            let _ = self.marks.resize(slots); // Where it is refused, they cover more: no harm.
            return Ok(());
        }
        let of_a_page = (4096 / size_of::<Row<V, K>>().max(1)).max(16);
        let many = slots <= 2 * self.capacity() && self.len() >= self.capacity() / of_a_page;
        let dense = many || slots.saturating_mul(size_of::<Row<V, K>>()) <= SMALL;
        if !self.marks.covers(slots - 1) {
            self.rows.check(slots)?;
            self.marks.resize(if many { marked } else { slots.max(marked.min(MARKED)) })?;
        }
        if dense {
            return self.rows.resize(slots);
        }
        let rows = Buffer::zeroed(slots)?;
        // SAFETY: marked rows are moved once, to the same slots of a larger block. By (1) and (2), zero bytes are a row
        // without a value.
        unsafe {
            self.marks.walk().for_each(|slot| {
                self.rows.room().at(slot).copy_to_nonoverlapping(rows.at(slot), 1);
            });
        }
        (self.rows, self.begun) = (Whole::of(rows), slots);
        Ok(())
    }

    /// Begins the rows below `slots`, which there are, and small ones up to the end of their word of marks.
    fn begin(&mut self, slots: usize) {
        let group = if size_of::<Row<V, K>>() <= WORD { WORD } else { 1 };
        let slots = slots.next_multiple_of(group).min(self.capacity());
        for slot in self.begun..slots {
            // SAFETY: there is such a row, which is not begun, and so has no value.
            unsafe { self.address(slot).generation.write(Generation::RETIRED) };
        }
        self.begun = self.begun.max(slots);
    }

    /// Makes a row for a slot that has none: at least as many again as there are.
    fn grow(&mut self, slot: usize) -> Result<(), TryReserveError> {
        // (A key can name a slot that cannot exist on targets with 32-bit addresses.)
        check_slots(slot + 1, most_slots::<K>())?;
        let least = 1 << <Whole<Buffer<_>> as Layout<V, K>>::FIRST[0].ilog2(); // powers of two
        let slots = doubled(self.capacity(), slot + 1, least).min(most_slots::<K>());
        self.resize(slots, slots.saturating_mul(4).max(MARKED).min(most_slots::<K>()))
    }
}

/// Looking up.
impl<K: Key, V> Array<K, V> {
    /// Returns the address of a slot.
    ///
    /// # Safety
    /// `slot < capacity()`. (Only the generation of a row that is begun may be read.)
    #[inline(always)]
    unsafe fn address(&self, slot: usize) -> Address<V, K, NonNull<V>> {
        // SAFETY: the slot is below the capacity of the rows.
        unsafe { Layout::<V, K>::address(&self.rows, slot) }
    }

    /// The rows that are begun.
    #[inline(always)]
    fn begun(&self) -> &[Row<V, K>] {
        // SAFETY: by (1) `begun` rows are there, which have their generation. That is all that a row has to
        // have. They are borrowed as `self` is.
        unsafe { slice::from_raw_parts(self.rows.room().start().as_ptr(), self.begun) }
    }

    /// The generation of a row that is begun.
    #[inline(always)]
    fn generation_at(&self, slot: usize) -> Option<GenerationOf<K>> {
        self.begun().get(slot).map(|row| row.generation)
    }

    /// The slot of a key that has a value, and its row.
    #[inline(always)]
    fn find(&self, key: K) -> Option<(usize, &Row<V, K>)> {
        let slot = key.slot() as usize;
        let row = self.begun().get(slot)?;
        let answers = if GenerationOf::<K>::VERSIONED {
            row.generation == key.generation()
        } else {
            self.marks.contains(slot)
        };
        if !answers {
            // A branch, not a conditional move: the value is fetched before the check is done.
            cold_path();
            return None;
        }
        Some((slot, row))
    }

    /// The slots of a word that have a value, as bits.
    #[inline]
    pub(crate) fn live_bits(&self, word: usize) -> u64 {
        self.marks.word(word)
    }

    /// Returns whether a value of the key can be put into its slot as it is: its row is begun, and has no value.
    #[inline(always)]
    fn is_vacant(&self, key: K) -> bool {
        let slot = key.slot() as usize;
        let is_free = match GenerationOf::<K>::VERSIONED {
            true => self.generation_at(slot) == Some(GenerationOf::<K>::RETIRED),
            false => slot < self.begun && !self.marks.contains(slot),
        };
        if is_free && has_live_generation(key) {
            return true;
        }
        cold_path();
        false
    }
}

/// Inserting and removing.
impl<K: Key, V> Array<K, V> {
    /// Makes room for the value of a key: inserting it next needs no memory. Answers whose value is in the
    /// slot now. On an error nothing has changed.
    #[inline(always)]
    fn make_room_for(&mut self, key: K) -> Result<Option<K>, SecondaryInsertErrorKind<K>> {
        if self.is_vacant(key) {
            return Ok(None);
        }
        if self.find(key).is_some() { Ok(Some(key)) } else { self.make_room_slowly(key) }
    }

    /// Makes room for a key without an entry, if its slot has another key or is not begun, or the key is not one of a
    /// live slot.
    #[cold]
    #[inline(never)]
    fn make_room_slowly(&mut self, key: K) -> Result<Option<K>, SecondaryInsertErrorKind<K>> {
        let (slot, tenant) = (key.slot() as usize, self.key_at(key.slot()));
        if let Some(reason) = SecondaryInsertErrorKind::of(key, tenant) {
            return Err(reason);
        }
        if slot >= self.capacity() {
            self.grow(slot).map_err(SecondaryInsertErrorKind::Memory)?;
        }
        self.begin(slot + 1);
        Ok(tenant)
    }

    /// Puts a value into the slot of a key.
    ///
    /// # Safety
    /// 1. The key is one that [can be live](crate::Key::can_be_live).
    /// 2. Its slot [is vacant](Self::is_vacant).
    #[inline(always)]
    unsafe fn fill(&mut self, key: K, value: V) {
        let slot = key.slot() as usize;
        // SAFETY: by (2) the slot has a row without a value; the marks cover every row.
        unsafe {
            assert_unchecked(self.marks.covers(slot));
            self.marks.insert(slot);
            Layout::<V, K>::fill(&mut self.rows, slot, key.generation(), value);
        }
    }

    /// Moves the value of a slot out.
    ///
    /// # Safety
    /// The slot is marked.
    #[inline]
    unsafe fn take(&mut self, slot: usize) -> (K, V) {
        // SAFETY: a slot that is marked is covered. By (2) the row has a value, which is moved out once.
        unsafe {
            assert_unchecked(self.marks.covers(slot));
            self.marks.remove(slot);
            let address = self.address(slot);
            let key = address.key();
            address.generation.write(Generation::RETIRED);
            (key, address.value.at.read())
        }
    }
}

/// Walking what leaves.
impl<K: Key, V> Array<K, V> {
    fn extract<F>(&mut self, choose: F) -> ExtractIf<'_, K, V, F> {
        // SAFETY: (1) the iterator borrows the map, and is alone with it; (2) only slots that were yielded lose their
        // mark.
        let walk = unsafe { self.marks.walk() };
        ExtractIf { walk, side: self, choose }
    }
}

impl<K: Key, V> SideLayout<K, V> for Array<K, V> {
    type Shown = side_layout::SecondaryMap<K, V>;

    const NEW: Self =
        Self { rows: Whole::of(Buffer::new()), begun: 0, marks: Marks::new(), owns: PhantomData };
    const SLOT_BYTES: Option<usize> = Some(size_of::<Row<V, K>>());

    const KIND: &'static str = "side data";

    type Iter<'a>
        = Iter<'a, K, V>
    where
        Self: 'a,
        K: 'a,
        V: 'a;
    type IterMut<'a>
        = IterMut<'a, K, V>
    where
        Self: 'a,
        K: 'a,
        V: 'a;
    type IntoIter = IntoIter<K, V>;
    type Drain<'a>
        = Drain<'a, K, V>
    where
        Self: 'a,
        K: 'a,
        V: 'a;
    type ExtractIf<'a, F: FnMut(K, &mut V) -> bool>
        = ExtractIf<'a, K, V, F>
    where
        Self: 'a,
        K: 'a,
        V: 'a;

    #[inline]
    fn len(&self) -> usize {
        self.marks.len()
    }

    /// The slots below this have their row.
    #[inline]
    fn capacity(&self) -> usize {
        self.rows.capacity()
    }

    fn memory_usage(&self) -> MemoryUsage {
        let committed = self.rows.memory().bytes + self.marks.bytes();
        let values = self.len() * size_of::<V>();
        let holes = (self.capacity() - self.len()) * size_of::<V>();
        let bookkeeping = committed - values - holes;
        MemoryUsage { values, holes, unused: 0, bookkeeping, committed, reserved: committed }
    }

    /// Makes rows for at least `slots` slots.
    fn try_set_capacity(&mut self, slots: usize) -> Result<(), TryReserveError> {
        check_slots(slots, most_slots::<K>())?;
        if slots > self.capacity() { self.resize(slots, slots) } else { Ok(()) }
    }

    /// Gives back the rows past the last value.
    fn shrink_to_fit(&mut self) {
        // If allocation fails, the larger block stays, and nothing is lost.
        let _ = self.resize(self.marks.last().map_or(0, |last| last + 1), 0);
    }

    #[inline(always)]
    fn get(&self, key: K) -> Option<&V> {
        let (_, row) = self.find(key)?;
        // SAFETY: by (2) the value is there.
        Some(unsafe { row.value.assume_init_ref() })
    }

    #[inline(always)]
    fn get_mut(&mut self, key: K) -> Option<&mut V> {
        let (slot, _) = self.find(key)?;
        // SAFETY: by (2) the value is there; it is borrowed exclusively as `self` is.
        Some(unsafe { self.address(slot).value.lend_mut() })
    }

    fn get_disjoint_mut<const N: usize>(
        &mut self,
        keys: [K; N],
    ) -> Result<[&mut V; N], GetDisjointMutError> {
        let found = find_disjoint(keys, |key| self.find(key).map(|(slot, _)| slot))?;
        // SAFETY: the slots have values, and are different ones; `self` is borrowed exclusively.
        Ok(found.map(|slot| unsafe { self.address(slot).value.lend_mut() }))
    }

    #[inline]
    fn key_at(&self, slot: u32) -> Option<K> {
        let generation = self.generation_at(slot as usize)?;
        self.marks.contains(slot as usize).then(|| K::compose(slot, generation))
    }

    /// Inserts in place where the key's slot has its row, and that is the key's or free.
    #[inline(always)]
    fn try_insert(&mut self, key: K, value: V) -> Result<Option<V>, SecondaryInsertError<K, V>> {
        // The value is put in at one place, and not passed on: it would be in memory for that.
        let tenant = match self.make_room_for(key) {
            Ok(tenant) => tenant,
            Err(reason) => return Err(SecondaryInsertError { key, value, reason }),
        };
        let (mut before, mut stale) = (None, None);
        // SAFETY: to take: a slot that has a tenant is marked. To fill: (1) the key was not refused; (2) without a
        // tenant, or when it has left, the slot is vacant, and it has a row.
        unsafe {
            if let Some(tenant) = tenant {
                let (_, value) = self.take(tenant.slot() as usize);
                if tenant == key { before = Some(value) } else { stale = Some(value) }
            }
            self.fill(key, value);
        }
        drop(stale);
        Ok(before)
    }

    #[inline]
    fn remove(&mut self, key: K) -> Option<V> {
        let (slot, _) = self.find(key)?;
        // SAFETY: by (2), where a key was found, its slot is marked.
        Some(unsafe { self.take(slot) }.1)
    }

    #[inline]
    fn retain(&mut self, mut keep: impl FnMut(K, &mut V) -> bool) {
        self.extract(|key, value: &mut V| !keep(key, value)).for_each(drop);
    }

    fn clear(&mut self) {
        self.retain(|_, _| false);
    }

    #[inline]
    fn iter<'a>(&'a self) -> Iter<'a, K, V>
    where
        K: 'a,
        V: 'a,
    {
        // SAFETY: to walk: (1), (2) the marks are borrowed. To lend: (1) marked slots have their value, and each comes
        // once; (2) rows and marks are borrowed.
        unsafe { Iter::over(RowWalk::new(self.marks.walk(), self.rows.room().start())) }
    }

    #[inline]
    fn iter_mut<'a>(&'a mut self) -> IterMut<'a, K, V>
    where
        K: 'a,
        V: 'a,
    {
        // SAFETY: to walk: (1), (2) the marks are borrowed. To lend: (1) marked slots have their value, and each comes
        // once; (2) rows and marks are borrowed exclusively.
        unsafe { IterMut::over(RowWalk::new(self.marks.walk(), self.rows.room().start())) }
    }

    #[inline]
    fn into_iter(self) -> IntoIter<K, V> {
        // SAFETY: (1) the marks move into the iterator; (2) only slots that were yielded lose theirs.
        let walk = unsafe { self.marks.walk() };
        IntoIter { walk, side: self }
    }

    fn drain<'a>(&'a mut self) -> Drain<'a, K, V>
    where
        K: 'a,
        V: 'a,
    {
        Drain(self.extract(()))
    }

    fn extract_if<'a, F: FnMut(K, &mut V) -> bool>(
        &'a mut self,
        choose: F,
    ) -> ExtractIf<'a, K, V, F>
    where
        K: 'a,
        V: 'a,
    {
        self.extract(choose)
    }

    fn try_clone(&self) -> Result<Self, TryReserveError>
    where
        V: Clone,
    {
        let mut copy = Self::NEW;
        copy.resize(self.capacity(), self.capacity())?;
        copy.begin(self.begun);
        // Values copied before a `Clone` panics are dropped with the copy.
        self.iter().for_each(|(key, value)| {
            let value = value.clone();
            // SAFETY: (1) the key has a value here; (2) its slot is vacant in the copy, where as many rows are begun.
            unsafe { copy.fill(key, value) };
        });
        Ok(copy)
    }

    /// Panics where the rows contradict the marks. (Only rows near marked ones are looked at.)
    #[cfg(feature = "__test")]
    fn validate(&self) {
        self.marks.validate();
        assert!(self.marks.last().is_none_or(|last| last < self.begun), "values have rows");
        let slots = self.marks.present_words().flat_map(|word| word * WORD..(word + 1) * WORD);
        let begun = slots.filter_map(|slot| Some((slot, self.generation_at(slot)?.to_u64())));
        for (slot, bits) in begun {
            let live = GenerationOf::<K>::live_from_u64(bits).is_some();
            let versioned = GenerationOf::<K>::VERSIONED;
            assert!(!versioned || live == self.marks.contains(slot), "slot {slot}: {bits}");
            assert!(!versioned || live || bits == 0, "slot {slot} is vacant, and has {bits}");
        }
    }
}

impl<K: Key, V> Drop for Array<K, V> {
    fn drop(&mut self) {
        // SAFETY: to walk: (1), (2) the marks do not change any more. To drop: (1) it yields the slots that have a
        // value; (2) the rows are not used after it.
        unsafe { Layout::<V, K>::drop_values(&mut self.rows, || self.marks.walk()) };
    }
}

/// Keys and values.
pub(crate) type Iter<'a, K, V> = rows::Iter<'a, V, K>;

/// Keys and mutable values.
pub(crate) type IterMut<'a, K, V> = rows::IterMut<'a, V, K>;

/// Keys and owned values. (The map drops those that are left.)
pub struct IntoIter<K: Key, V> {
    walk: Walk,
    side: Array<K, V>,
}

/// Removes all and gives it out.
pub struct Drain<'a, K: Key, V>(ExtractIf<'a, K, V, ()>);

/// Removes what a closure chooses.
pub struct ExtractIf<'a, K: Key, V, F> {
    walk: Walk,
    side: &'a mut Array<K, V>,
    choose: F,
}

impl<B: Borrowed, K: Key, P: Places<B::Value, K> + Clone> LentEntries for Lending<B, K, P> {
    #[cfg(feature = "rayon")]
    fn divide(self) -> (Self, Option<Self>) {
        Self::divide(self)
    }
}

taking!([K: Key, T] IntoIter<K, T>, |this, slot| this.walk, this.side.take(slot));
taking!([K: Key, T] Drain<'_, K, T>, |this, slot| this.0.walk, this.0.side.take(slot));

impl<K: Key, V> Drop for Drain<'_, K, V> {
    /// Removes what was not given out, all of it, even if a value's own `Drop` panics.
    fn drop(&mut self) {
        drop_rest(self);
    }
}

impl<K: Key, V, F: FnMut(K, &mut V) -> bool> Iterator for ExtractIf<'_, K, V, F> {
    type Item = (K, V);

    fn next(&mut self) -> Option<(K, V)> {
        for slot in self.walk.by_ref() {
            // SAFETY: the walk yields slots that have their value, which nothing else borrows.
            unsafe {
                let address = self.side.address(slot);
                if (self.choose)(address.key(), address.value.lend_mut()) {
                    return Some(self.side.take(slot));
                }
            }
        }
        None
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.walk.len()))
    }
}

impl<K: Key, V, F: FnMut(K, &mut V) -> bool> FusedIterator for ExtractIf<'_, K, V, F> {}

/// The map as a join sees it.
pub struct SideView<'a, K: Key, V> {
    words: LiveWords<'a>,
    rows: InBlock<V, K>,
    slots: usize,
}

// SAFETY: words and rows are this map's.
unsafe impl<K: Key, V> Viewed for Array<K, V> {
    type View<'a>
        = SideView<'a, K, V>
    where
        Self: 'a;

    fn view(&self) -> Self::View<'_> {
        let (words, present) = self.marks.parts();
        let words = LiveWords::new(words, present, words.len() * WORD);
        SideView { words, rows: self.rows.room().start(), slots: self.begun }
    }

    fn view_mut(&mut self) -> Self::View<'_> {
        self.view()
    }
}

impl<K: Key, V> Clone for SideView<'_, K, V> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

// SAFETY: the words are those of the marks; by (2) a marked row has its value, and so has one whose
// generation is a key's.
unsafe impl<K: Key, V> JoinView for SideView<'_, K, V> {
    type Key = K;
    type Place = Numbered<V, NonNull<V>>;

    #[inline]
    fn words(&self) -> LiveWords<'_> {
        self.words
    }

    #[inline]
    unsafe fn entry(&mut self, slot: usize) -> (GenerationOf<K>, Self::Place) {
        // SAFETY: a marked slot has a row, with its generation.
        unsafe {
            let address = self.rows.find(slot);
            (address.generation.read(), address.value)
        }
    }

    #[inline]
    unsafe fn find(&mut self, key: K) -> Option<Self::Place> {
        let slot = key.slot() as usize;
        // SAFETY: a slot is asked for its row if it has one; the map is borrowed, and so the words live.
        unsafe {
            let there = slot < self.slots && (GenerationOf::<K>::VERSIONED || self.words.has(slot));
            let (generation, place) = there.then(|| self.entry(slot))?;
            (generation == Compose::generation(key)).then_some(place)
        }
    }
}

#[cfg(test)]
mod tests {
    //! Rows that contradict the marks are told.

    use core::mem::MaybeUninit;

    use super::*;
    use crate::Handle;
    use crate::raw::rows::Row;

    type Map = Array<Handle<()>, u32>;

    fn key(slot: u32) -> Handle<()> {
        Handle::from_bits(1 << 32 | u64::from(slot)).expect("it is odd")
    }

    /// Rows of two words of marks, with values in the second.
    fn validated(change: impl FnOnce(&mut Map)) {
        let mut map = Map::NEW;
        for slot in 70..80 {
            assert!(map.try_insert(key(slot), slot).is_ok());
        }
        assert!(map.begun > WORD);
        map.validate();
        change(&mut map);
        map.validate();
    }

    #[test]
    #[should_panic(expected = "slot 90: 0")]
    fn a_mark_without_a_value_is_told() {
        validated(|map| map.marks.insert(90));
    }

    #[test]
    #[should_panic(expected = "slot 75: 1")]
    fn a_value_without_a_mark_is_told() {
        validated(|map| map.marks.remove(75));
    }

    #[test]
    #[should_panic(expected = "values have rows")]
    fn a_mark_past_the_rows_that_are_begun_is_told() {
        validated(|map| map.begun = 79);
    }

    #[test]
    #[should_panic(expected = "is vacant, and has")]
    fn a_vacant_row_with_a_generation_is_told() {
        let free = GenerationOf::<Handle<()>>::free_from_u64(2).expect("it is a free slot's");
        let row = Row { value: MaybeUninit::uninit(), generation: free };
        // SAFETY: the test is of a map whose invariant does not hold, and of rows without values.
        validated(|map| _ = unsafe { map.rows.room_mut() }.all_mut()[90].write(row));
    }
}
