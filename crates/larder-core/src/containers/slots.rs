//! Values in slots: what [`Arena`], [`PagedArena`], [`InlineArena`] and `SoaArena` are. They differ in their
//! [layout](crate::containers::layout) alone, so each method is written once.
//!
//! Here is what is the same for all layouts. In `whole` is what lends values as `&T`, in `columns` what lends
//! their fields; in `making` are constructors, in `inserter` what inserts through `&`.

pub(crate) mod inserter;
mod iter;
use core::any::type_name;
pub(super) mod making;
mod whole;

pub use inserter::Inserter;
#[cfg(target_has_atomic = "ptr")]
pub use inserter::SharedInserter;

use crate::containers::entry::{InsertMany, VacantEntry};
use crate::containers::pairs::{Keys, Values};
use crate::error::{InsertError, ReattachError, TryReserveError};
use crate::explain::{self, Grants, Named};
use crate::key::{Handle, Key};
use crate::memory::buffer::Buffer;
use crate::raw::book::Book;
use crate::raw::occupancy::Occupancy;
use crate::raw::rows::{Row, Whole};
use crate::raw::slots::SlotStore as _;
pub use crate::raw::store::{Drain, ExtractIf, IntoIter, Iter, IterMut, Lending};
use crate::raw::store::{Layout, Refill, Store};
use crate::stats::Stats;
#[cfg(doc)]
use crate::{Arena, InlineArena, PagedArena};

/// Walks over the values of a layout.
pub(crate) type Places<T, K, L> = <L as Layout<T, K>>::Places;

/// Lend the values of a layout, the second one to be changed.
pub(crate) type IterOf<'a, T, K, L> = Iter<'a, T, K, Places<T, K, L>>;
pub(crate) type IterMutOf<'a, T, K, L> = IterMut<'a, T, K, Places<T, K, L>>;

/// Room for a value of a layout.
pub(crate) type VacantIn<'a, T, K, L, B> = VacantEntry<'a, K, Store<T, K, L, B>>;

/// Values in slots, accessed by handles that become stale when their value is removed.
///
/// A value stays in its slot until it is removed; the slot is then a hole, which a later value fills under a new
/// handle. A stale handle never refers to another value. The type is named by what it is for:
///
/// | | values lie | in memory that |
/// |---|---|---|
/// | [`Arena`] | whole, in one block | grows, is fixed, reserved or lent |
/// | [`PagedArena`] | whole, in many blocks | grows |
/// | [`InlineArena`] | whole, inside their owner | is the arena itself |
/// | `SoaArena` | each field in a column | grows, is fixed, reserved or lent |
/// | `Pool` | whole, generations apart | grows, is fixed, reserved or lent |
///
/// # Layouts
/// | | what moves when it grows | a hole holds | memory of an empty one |
/// |---|---|---|---|
/// | [`Arena`] | all values, but in fixed, reserved and lent memory | nothing | none |
/// | [`PagedArena`] | nothing | nothing | none |
/// | [`InlineArena`] | it does not grow; values move with their owner | nothing | `N` slots |
/// | `SoaArena` | as in an `Arena` | what [`Fill`](crate::soa) says | none |
/// | `Pool` | as in an `Arena` | what the pool's function made, or the removed value, reset | none |
///
/// # Costs
/// | | a lookup reads | `insert` | iteration, `clear`, `retain` |
/// |---|---|---|---|
/// | [`Arena`] | one cache line | O(1) amortised | O(live + slots / 64) |
/// | [`PagedArena`] | one cache line, and an entry of the table of blocks | O(1); a block now and then | O(live + slots / 64), and a comparison a value |
/// | [`InlineArena`] | one cache line | O(1), and a step for each 64 slots before the first hole | O(live + slots / 64) |
/// | `SoaArena` | a cache line a field | O(1) amortised | O(live + slots / 64), for the columns that are read |
/// | `Pool` | one of the values and one of the generations | O(1) amortised | O(live + slots / 64) |
///
/// In a `Pool`, whatever takes a value out (`remove`, `drain`, `extract_if`, `detach`) calls its function for what
/// takes the place, before anything changes: if that panics, the value stays, as do those that a `drain` had yet to
/// remove. Its iterator by value calls the function, too. What drops values (`retain`, `clear`) recycles them: if that
/// panics, the value is as the function left it.
///
/// `L` is the layout; `B`, the book of what is in use, follows from it.
///
/// # Examples
/// ```
/// use larder::{Arena, Handle, PagedArena};
///
/// struct Tree {
///     nearest: Option<Handle<Tree>>,
/// }
///
/// let (mut trees, mut towns): (Arena<Tree>, PagedArena<&str>) = (Arena::new(), PagedArena::new());
/// let oak = trees.insert(Tree { nearest: None });
/// let elm = trees.insert(Tree { nearest: Some(oak) });
/// towns.insert("Elmswell");
/// trees.remove(oak);
/// assert!(trees[elm].nearest.and_then(|key| trees.get(key)).is_none());
/// ```
pub struct Slots<T, K = Handle<T>, L = Whole<Buffer<Row<T, K>>>, B = Occupancy>
where
    K: Key,
    L: Refill<T, K>,
    B: Book,
{
    pub(crate) store: Store<T, K, L, B>,
}

/// Capacity.
impl<T, K: Key, L: Refill<T, K>, B: Book> Slots<T, K, L, B> {
    /// Returns how many values there is room for; of a reserved container its maximum, of an inline one `N`.
    /// Retired slots do not count; those of [detached](crate::containers::Stats::detached) keys do. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::fixed(1);
    /// assert_eq!(arena.capacity(), 1);
    /// arena.insert('a');
    /// assert_eq!(arena.capacity(), 1);
    /// ```
    #[inline]
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.store.capacity()
    }

    /// Makes room for at least `additional` more values.
    /// Keys stay valid. One block makes more room than asked for when it grows, and values may move: O(capacity);
    /// in reserved memory nothing moves, and memory is committed: O(additional). Many blocks are added to, and no
    /// value moves: O(additional / 64), and an allocation a block. What cannot grow only checks: O(1).
    ///
    /// # Panics
    /// If there cannot be so much room, allocation fails, or there cannot be so many slots.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::from_iter(0..10_u32);
    /// arena.reserve(50);
    /// assert!(arena.capacity() >= 60);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        Self::granted(self.try_reserve(additional));
    }

    /// Like [`reserve`](Self::reserve), but returns an error if there is no room.
    ///
    /// # Errors
    /// If there cannot be so much room, allocation fails, or there cannot be so many slots;
    /// no value has changed.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// arena.insert('a');
    /// assert!(arena.try_reserve(50).is_ok() && arena.capacity() >= 51);
    /// assert!(arena.try_reserve(usize::MAX).is_err());
    /// ```
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.store.try_provide(additional)
    }

    /// Returns how slots and memory are used. What values own elsewhere is not counted. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert(1_u64);
    /// arena.extend([2, 3, 4]);
    /// arena.remove(key);
    /// let stats = arena.stats();
    /// assert_eq!((stats.live, stats.holes, stats.slots), (3, 1, 4));
    /// assert_eq!((stats.memory.values, stats.memory.holes), (24, 8));
    /// ```
    #[doc(alias("memory_usage", "mem_usage"))]
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.store.stats()
    }
}

/// The number of values.
impl<T, K: Key, L: Refill<T, K>> Slots<T, K, L> {
    /// Returns the number of values. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::Arena::from_iter(['a', 'b']);
    /// assert_eq!(arena.len(), 2);
    /// ```
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.store.len()
    }

    /// Returns whether there are no values. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Arena::new();
    /// assert!(arena.is_empty());
    /// arena.insert('a');
    /// assert!(!arena.is_empty());
    /// ```
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Access by slot.
impl<T, K: Key, L: Refill<T, K>, B: Book> Slots<T, K, L, B> {
    /// Returns whether the key has a value. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert('x');
    /// assert!(arena.contains_key(key));
    /// arena.remove(key);
    /// assert!(!arena.contains_key(key));
    /// ```
    #[doc(alias("is_valid", "contains", "id_is_valid"))]
    #[inline]
    #[must_use]
    pub fn contains_key(&self, key: K) -> bool {
        self.store.find(key).is_some()
    }

    /// Returns the key of the value in a slot, whatever its generation; `None` if the slot has none. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert('x');
    /// assert_eq!(arena.key_of_slot(key.slot()), Some(key));
    /// assert_eq!(arena.key_of_slot(1), None);
    /// ```
    #[doc(alias("key_at", "get_at", "get_by_slot", "get_unknown_gen"))]
    #[inline]
    #[must_use]
    pub fn key_of_slot(&self, slot: u32) -> Option<K> {
        self.store.key_at(slot as usize)
    }

    /// Returns the key of the next value after a key's slot. The key itself may be stale, so a
    /// loop over keys may remove values. O(1), and one step for every 64 empty slots
    /// between.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::from_iter(["keep", "drop", "keep"]);
    /// let mut next = arena.keys().next();
    /// while let Some(key) = next {
    ///     if arena.get(key) == Some(&"drop") {
    ///         arena.remove(key);
    ///     }
    ///     next = arena.next_key(key);
    /// }
    /// assert_eq!(arena.len(), 2);
    /// ```
    #[doc(alias = "first_key")]
    #[must_use]
    pub fn next_key(&self, key: K) -> Option<K> {
        let after = (key.slot() as usize).checked_add(1)?;
        self.store.key_at(self.store.book().next_live(after)?)
    }

    /// Removes a value and returns it with the key to visit next, so that a loop over keys may remove values.
    /// (The same loop is right for every container, also where the last value fills the gap.) O(1), and one
    /// step for every 64 empty slots between.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::from_iter(["keep", "drop", "keep"]);
    /// let mut next = arena.keys().next();
    /// while let Some(key) = next {
    ///     next = match arena.get(key) {
    ///         Some(&"drop") => arena.remove_and_next(key).1,
    ///         _ => arena.next_key(key),
    ///     };
    /// }
    /// assert_eq!(arena.len(), 2);
    /// ```
    #[doc(alias = "erase")]
    pub fn remove_and_next(&mut self, key: K) -> (Option<T>, Option<K>) {
        (self.remove(key), self.next_key(key))
    }
}

/// Inserting.
impl<T, K: Key, L: Refill<T, K>, B: Book> Slots<T, K, L, B> {
    /// Adds a value and returns its key. Other keys stay valid; growing may move values, as
    /// [the table](Slots#layouts) says. O(1) amortised.
    ///
    /// # Panics
    /// If there is no room, allocation fails, or no slot is left.
    /// The value is dropped; [`try_insert`](Self::try_insert) gives it back.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert("value");
    /// assert_eq!(arena.get(key), Some(&"value"));
    /// ```
    #[doc(alias("add", "push", "alloc", "emplace", "create"))]
    #[inline(always)]
    #[track_caller]
    pub fn insert(&mut self, value: T) -> K {
        Self::granted(self.store.insert_or(value, |_, reason| reason))
    }

    /// Like [`insert`](Self::insert), but gives the value back if there is no room. O(1)
    /// amortised.
    ///
    /// # Errors
    /// If there is no room, allocation fails, or no slot is left;
    /// nothing has changed.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::fixed(1);
    /// assert!(arena.try_insert(4_u32).is_ok());
    /// assert_eq!(arena.try_insert(5_u32).unwrap_err().value, 5);
    /// ```
    #[inline]
    pub fn try_insert(&mut self, value: T) -> Result<K, InsertError<T>> {
        self.store.try_insert(value)
    }

    /// Adds the value that `make` returns for its key. If `make` panics, nothing has changed. For
    /// one that can fail there is [`vacant_entry`](Self::vacant_entry). O(1) amortised.
    ///
    /// A value that contains its key is a struct of the caller's (`struct Node { me: Handle<Node> }`),
    /// or has a key with a name of its own: with the default key the type of `|me| (me, 1)` would
    /// contain itself, which the compiler reports as E0275. [`key_type!`](crate::key_type) makes one.
    ///
    /// # Panics
    /// See [`insert`](Self::insert).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert_with_key(|me| me.to_string());
    /// assert_eq!(arena.get(key), Some(&key.to_string()));
    /// ```
    #[inline]
    #[track_caller]
    pub fn insert_with_key(&mut self, make: impl FnOnce(K) -> T) -> K {
        let vacancy = Self::granted(self.store.vacancy());
        let value = make(vacancy.key());
        vacancy.fill(value)
    }

    /// Makes room for a value whose key is needed first. Dropping the entry changes nothing.
    /// O(1) amortised.
    ///
    /// # Panics
    /// See [`insert`](Self::insert).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// let entry = arena.vacant_entry();
    /// let key = entry.key();
    /// entry.insert(format!("I am {key}"));
    /// assert_eq!(arena.get(key).unwrap(), "I am 0v1");
    /// ```
    #[track_caller]
    pub fn vacant_entry(&mut self) -> VacantIn<'_, T, K, L, B> {
        VacantEntry(Self::granted(self.store.filled_vacancy()))
    }

    /// Like [`vacant_entry`](Self::vacant_entry), but returns an error if there is no room.
    /// O(1) amortised.
    ///
    /// # Errors
    /// If the arena is full or allocation fails; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::fixed(1);
    /// arena.try_vacant_entry()?.insert('x');
    /// assert!(arena.try_vacant_entry().is_err());
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    pub fn try_vacant_entry(&mut self) -> Result<VacantIn<'_, T, K, L, B>, TryReserveError> {
        self.store.filled_vacancy().map(VacantEntry)
    }

    /// Adds many values and yields their keys, in the order of the values. Values not pulled
    /// are inserted when the iterator is dropped. O(1) amortised a value.
    ///
    /// # Panics
    /// See [`insert`](Self::insert). If the lower bound of the iterator's `size_hint` does not
    /// fit, at once and with nothing inserted; otherwise the values before are in.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// let keys: Vec<_> = arena.insert_many(["a", "b", "c"]).collect();
    /// assert_eq!(arena.get(keys[2]), Some(&"c"));
    /// ```
    #[track_caller]
    pub fn insert_many<I: IntoIterator<Item = T>>(
        &mut self,
        values: I,
    ) -> InsertMany<'_, K, Store<T, K, L, B>, I::IntoIter> {
        InsertMany::new(&mut self.store, values.into_iter())
    }
}

/// Removing.
impl<T, K: Key, L: Refill<T, K>, B: Book> Slots<T, K, L, B> {
    /// Removes a value and returns it; `None` if the key is stale, foreign or dangling. Other
    /// keys stay valid, and no other value moves.
    /// O(1), and never allocates.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert('x');
    /// assert_eq!(arena.remove(key), Some('x'));
    /// assert_eq!(arena.remove(key), None);
    /// ```
    #[doc(alias("erase", "delete", "free", "destroy", "try_remove"))]
    #[inline]
    pub fn remove(&mut self, key: K) -> Option<T> {
        self.store.remove(key)
    }

    /// Removes all values and yields them, in slot order.
    /// Values not pulled are removed when the iterator is dropped, even if a destructor panics.
    /// O(1) a value. (If the iterator is leaked, the remaining values stay, or are leaked.)
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::from_iter(["a", "b"]);
    /// assert_eq!(arena.drain().map(|(_, value)| value).collect::<String>(), "ab");
    /// assert!(arena.is_empty());
    /// ```
    pub fn drain(&mut self) -> Drain<'_, T, K, L, B> {
        self.store.drain()
    }

    /// Removes all values and discards all detached keys. Memory and generations are kept: no
    /// key that was ever issued becomes valid again. The lowest slots are used first
    /// afterwards. O(live + slots / 64).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert('x');
    /// arena.clear();
    /// assert!(arena.is_empty());
    /// arena.insert('y');
    /// assert_eq!(arena.get(key), None);
    /// ```
    #[doc(alias = "flush")]
    pub fn clear(&mut self) {
        self.store.clear();
    }

    /// Takes a value out but keeps its slot, so that [`reattach`](Self::reattach) can put it
    /// back under the same key; `None` if the key is stale, foreign or dangling. Until then the
    /// key has no value. O(1),
    /// but allocates one bit a slot the first time (not in a fixed arena).
    ///
    /// # Panics
    /// If memory for those bits is refused; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert(String::from("a"));
    /// let mut value = arena.detach(key).unwrap();
    /// value.push_str(&arena.len().to_string()); // the arena is not borrowed
    /// arena.reattach(key, value).unwrap();
    /// assert_eq!(arena.get(key).unwrap(), "a0");
    /// ```
    #[track_caller]
    pub fn detach(&mut self, key: K) -> Option<T> {
        Self::granted(self.store.try_detach(key))
    }

    /// Puts a value back under its detached key. O(1).
    ///
    /// # Errors
    /// If the key is not detached: the value is given back.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert('x');
    /// let value = arena.detach(key).unwrap();
    /// assert!(arena.reattach(key, value).is_ok());
    /// let refused = arena.reattach(key, 'y').unwrap_err(); // `x` is back already
    /// assert_eq!(refused.value, 'y');
    /// ```
    pub fn reattach(&mut self, key: K, value: T) -> Result<(), ReattachError<T>> {
        self.store.reattach(key, value)
    }

    /// Frees a detached key's slot; the key becomes stale. Returns whether it was detached.
    /// O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert('x');
    /// arena.detach(key);
    /// assert!(arena.discard_detached(key));
    /// assert!(arena.reattach(key, 'x').is_err());
    /// ```
    #[doc(alias = "release")]
    pub fn discard_detached(&mut self, key: K) -> bool {
        self.store.release(key)
    }
}

/// Shrinking.
impl<T, K: Key, L: Refill<T, K>> Slots<T, K, L> {
    /// Frees the memory that no used slot needs. Free slots at the end are forgotten: when such
    /// a slot is begun again, it continues past every generation that was forgotten, so stale
    /// keys stay stale. Other keys stay valid.
    ///
    /// In one block values may move. Reserved memory returns its pages and keeps the addresses; nothing moves. Of
    /// many blocks those at the end that are empty are freed; no value moves. Those before a used slot stay, although
    /// they may be empty: in them lie the generations by which stale keys of their slots are told from new ones.
    /// [`compact`](Self::compact) frees them: it moves the values into the lowest slots, where they have new keys.
    ///
    /// A fixed container keeps its memory. O(slots).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::from_iter(0..1_000_u32);
    /// let last = arena.keys().last().unwrap();
    /// arena.retain(|_, number| *number < 10);
    /// arena.shrink_to_fit();
    /// assert_eq!(arena.capacity(), 10);
    /// arena.extend(0..1_000_u32);
    /// assert_eq!(arena.get(last), None); // the same slot, another generation
    /// ```
    pub fn shrink_to_fit(&mut self) {
        self.store.shrink_to(0);
    }

    /// Like [`shrink_to_fit`](Self::shrink_to_fit), but keeps room for `capacity` values.
    /// O(slots).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::from_iter(0..1_000_u32);
    /// arena.clear();
    /// arena.shrink_to(100);
    /// assert_eq!(arena.capacity(), 100);
    /// ```
    pub fn shrink_to(&mut self, capacity: usize) {
        self.store.shrink_to(capacity);
    }
}

/// Iterating over keys, and over values that leave.
impl<T, K: Key, L: Refill<T, K>, B: Book> Slots<T, K, L, B> {
    /// Iterates over keys. O(live + slots / 64) for all.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert!(arena.keys().eq([a, b]));
    /// ```
    #[inline]
    pub fn keys(&self) -> Keys<IterOf<'_, T, K, L>> {
        Keys::of(self.store.iter())
    }

    /// Consumes the container and iterates over its values. O(live + slots / 64) for all.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let arena = Arena::from_iter(['a', 'b']);
    /// assert_eq!(arena.into_values().collect::<String>(), "ab");
    /// ```
    #[inline]
    pub fn into_values(self) -> Values<IntoIter<T, K, L, B>> {
        Values::of(self.into_iter())
    }
}

/// For the project's own tests.
impl<T, K: Key, L: Refill<T, K>, B: Book> Slots<T, K, L, B> {
    /// Panics if the container is inconsistent, for the project's own tests.
    #[cfg(feature = "__test")]
    #[doc(hidden)]
    pub fn validate(&self) {
        self.store.validate();
    }

    /// Gives a free slot a history, for the project's own tests. (A key that is stale may have a value again.)
    #[cfg(feature = "__test")]
    #[doc(hidden)]
    pub fn set_generation_for_test(&mut self, slot: u32, generation: u32) {
        self.store.set_generation_for_test(slot, generation);
    }
}

impl<T, K: Key, L: Refill<T, K>, B: Book> Grants for Slots<T, K, L, B> {
    type Of = T;

    const NAME: &'static str = L::NAME;
}

impl<T, K: Key, L: Refill<T, K>, B: Book> Slots<T, K, L, B> {
    /// The panic of a lookup by a key that must have a value.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub(super) fn no_value(&self, key: K) -> ! {
        let found = self.store.found(key, self.store.key_at(key.slot() as usize));
        explain::no_value(&Named(L::NAME, type_name::<T>()), key, &found)
    }
}

/// The keys are found by iterating, or returned by `insert_many`.
impl<T, K: Key, L: Refill<T, K>, B: Book> Extend<T> for Slots<T, K, L, B> {
    /// # Panics
    /// See `insert`; the values before are in.
    #[inline]
    #[track_caller]
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        Self::granted(self.store.try_extend(values));
    }
}

impl<T, K: Key, L: Refill<T, K>, B: Book> IntoIterator for Slots<T, K, L, B> {
    type Item = (K, T);
    type IntoIter = IntoIter<T, K, L, B>;

    #[inline]
    fn into_iter(self) -> IntoIter<T, K, L, B> {
        self.store.into_iter()
    }
}
