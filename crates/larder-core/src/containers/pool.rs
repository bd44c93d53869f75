//! Slots that always hold a valid value; removal recycles it in place.

mod making;

use core::ptr::NonNull;

use crate::containers::{entry, pairs, slots};
use crate::error::TryReserveError;
use crate::explain::Grants;
use crate::key::{Handle, Key};
use crate::raw::rows::Whole;
use crate::raw::split::{Recycling, SplitWalk};
use crate::raw::store::Store;

/// Values apart from generations, and the functions that make and reset them.
pub(crate) type Recycled<T, K> = Whole<Recycling<T, K>>;

/// Values in slots that are never empty: a free slot holds a value made by the pool's function, or a removed
/// one that was reset.
///
/// It has two uses. *Buffers are kept*: a removed value is reset in place instead of dropped, and the next
/// [`insert_with`](Self::insert_with) fills the buffers it owns. *Holes are safe*: all slots are one slice
/// ([`slots`](Self::slots)), which SIMD code, a GPU or C can process without knowing which are in use.
///
/// If you need neither, use [`Arena`](crate::Arena): a lookup there reads one cache line, in a pool two.
///
/// # Layout
/// ```text
/// values       ┌ value 0 │ value 1 │ (empty) │ value 3 │ (empty) ┐   all valid, a slice
/// generations  ┌ gen │ gen │ gen │ gen ┐                             none with `BareHandle` keys
/// occupancy    1 1 0 1 …                                             one bit a slot
/// ```
///
/// # The functions
/// A pool has a function that makes the value of an empty slot. With [`new`](Self::new), each removed value
/// is dropped and replaced by one that the function makes. [`recycling`](Self::recycling) takes a second
/// function, which resets a removed value in place: `Vec::clear` keeps its buffer, `|_| {}` leaves it as it
/// was. Both may have state. They are called through a pointer and are not part of the pool's type, so a
/// struct field can be a `Pool<T>`. They must be `Send`, `Sync`, `Clone` and `'static`, so that the pool can
/// be sent, shared and cloned. They are boxed (one without captures takes no memory), so pools need the
/// feature `alloc`.
///
/// | slot | its value |
/// |---|---|
/// | in use | the object |
/// | free, or retired | what the removal left: a new one, or the removed one as it was reset |
/// | reserved, with room asked for (`with_capacity`, `fixed`, `reserve`) | made then |
/// | beyond | none yet: made when the slot is first used, unless `insert` brings one |
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert`, `insert_with`, `get` | O(1); insertions amortised where the pool grows |
/// | `recycle`, `remove` | O(1), and a call of the pool's function |
/// | iteration | O(live + slots / 64); over all slots by `slots`, that of a slice |
/// | `clear`, `retain` | O(live + slots / 64), and a call for each removed value |
/// | `with_capacity(n)`, `reserve(n)` | a call for each value made |
///
/// Beside its value a slot takes 0.13 bytes, and 4 for the generation of [`Handle`] (none for
/// [`BareHandle`](crate::key::BareHandle)). Growing may move the values. A pool is invariant in `T`, since it has a
/// function that makes values.
///
/// # Examples
/// ```
/// use larder::Pool;
///
/// let mut paths = Pool::recycling(Vec::new, Vec::clear);
/// let path = paths.insert_with(|path: &mut Vec<u32>| path.extend([1, 2, 3]));
/// assert_eq!(paths[path], [1, 2, 3]);
///
/// paths.recycle(path); // cleared, its buffer kept
/// let next = paths.insert_with(|path| {
///     assert!(path.is_empty() && path.capacity() >= 3);
///     path.push(4);
/// });
/// assert_eq!(paths[next], [4]);
/// assert_eq!(paths.get(path), None);
/// ```
#[doc(alias("object pool", "slot_list", "controlled_slot_list", "regulated_slot_list"))]
pub type Pool<T, K = Handle<T>> = slots::Slots<T, K, Recycled<T, K>>;

/// Keys and values, in slot order.
pub type Iter<'a, T, K> = slots::Iter<'a, T, K, SplitWalk<T, K, NonNull<T>>>;

/// Keys and mutable values, in slot order.
pub type IterMut<'a, T, K> = slots::IterMut<'a, T, K, SplitWalk<T, K, NonNull<T>>>;

/// Keys, in slot order.
pub type Keys<'a, T, K> = pairs::Keys<Iter<'a, T, K>>;

/// Values, in slot order.
pub type Values<'a, T, K> = pairs::Values<Iter<'a, T, K>>;

/// Mutable values, in slot order.
pub type ValuesMut<'a, T, K> = pairs::Values<IterMut<'a, T, K>>;

/// Keys and owned values, in slot order.
pub type IntoIter<T, K> = slots::IntoIter<T, K, Recycled<T, K>>;

/// Values of a consumed pool, in slot order.
pub type IntoValues<T, K> = pairs::Values<IntoIter<T, K>>;

/// Removes all values and yields them, in slot order.
pub type Drain<'a, T, K> = slots::Drain<'a, T, K, Recycled<T, K>>;

/// Removes the values that a closure chooses, and yields them.
pub type ExtractIf<'a, T, K, F> = slots::ExtractIf<'a, T, K, F, Recycled<T, K>>;

/// A free slot that is about to be used, with what lies in it.
pub type VacantEntry<'a, T, K> = entry::VacantEntry<'a, K, Store<T, K, Recycled<T, K>>>;

/// The keys of values as they are inserted.
pub type InsertMany<'a, T, K, I> = entry::InsertMany<'a, K, Store<T, K, Recycled<T, K>>, I>;

/// Inserting, filling what lies in a slot already.
impl<T, K: Key> Pool<T, K> {
    /// Uses a free slot: `fill` turns the value in it into the new one, and can reuse what it owns. In a slot
    /// that was never used it is a newly made value. If `fill` panics, the slot stays free, with its value as
    /// `fill` left it. O(1) amortised; does not allocate if a slot is free.
    ///
    /// # Panics
    /// See [`insert`](Self::insert); before `fill` is called.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::recycling(Vec::new, Vec::clear);
    /// let key = pool.insert_with(|values| values.extend(0..100));
    /// assert_eq!(pool[key].len(), 100);
    /// ```
    #[inline]
    #[track_caller]
    pub fn insert_with(&mut self, fill: impl FnOnce(&mut T)) -> K {
        Self::granted(self.try_insert_with(fill))
    }

    /// Like [`insert_with`](Self::insert_with), but returns an error if there is no room. O(1) amortised.
    ///
    /// # Errors
    /// If the pool is fixed or reserved and full, allocation fails, or no slot is left. `fill` is not
    /// called, and nothing has changed.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::fixed(1, String::new);
    /// let key = pool.try_insert_with(|text| text.push('a'))?;
    /// assert!(pool.try_insert_with(|text| text.push('b')).is_err());
    /// assert_eq!(pool[key], "a");
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    #[inline]
    pub fn try_insert_with(&mut self, fill: impl FnOnce(&mut T)) -> Result<K, TryReserveError> {
        let mut entry = self.try_vacant_entry()?;
        fill(entry.value_mut());
        let key = entry.key();
        entry.occupy();
        Ok(key)
    }
}

/// All slots, in use or not.
impl<T, K: Key> Pool<T, K> {
    /// Returns the values of all slots as one slice: used, free, retired, and then reserved ones. A key's
    /// value is at [`Key::slot`]. The first `stats().slots` were used at some time; those after them were made
    /// ahead. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut weights = larder::Pool::new(|| 0.0);
    /// let (a, b) = (weights.insert(1.5), weights.insert(2.0));
    /// weights.recycle(a);
    /// assert_eq!(weights.slots(), [0.0, 2.0]);
    /// assert_eq!(weights.slots()[b.slot() as usize], 2.0);
    /// assert_eq!(weights.slots().iter().sum::<f64>(), 2.0); // holes add nothing
    /// ```
    #[inline]
    #[must_use]
    pub fn slots(&self) -> &[T] {
        self.store.all()
    }

    /// Returns the values of all slots as one mutable slice. The next [`insert_with`](Self::insert_with)
    /// finds what was written to a free slot. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut positions = larder::Pool::new(|| 0.0);
    /// let (a, b) = (positions.insert(1.0), positions.insert(2.0));
    /// positions.recycle(a);
    /// for position in positions.slots_mut() {
    ///     *position += 0.5; // no branch: free ones are numbers as well
    /// }
    /// assert_eq!(positions[b], 2.5);
    /// ```
    #[inline]
    #[must_use]
    pub fn slots_mut(&mut self) -> &mut [T] {
        self.store.all_mut()
    }
}

/// Removing, and keeping what is removed.
impl<T, K: Key> Pool<T, K> {
    /// Frees a key's slot and replaces or resets its value, as the pool was made to; returns what is in
    /// the slot then, or `None` if the key is stale, foreign or dangling. Other keys stay valid, and no
    /// other value moves. O(1), and a call of the pool's function.
    ///
    /// If the function panics, the slot is free. It then holds the removed value: as the function that
    /// resets left it, or unchanged if no other could be made.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(String::new);
    /// let key = pool.insert(String::from("x"));
    /// assert_eq!(pool.recycle(key).unwrap(), "");
    /// assert!(pool.recycle(key).is_none());
    /// assert_eq!(pool.slots(), [""]);
    /// ```
    #[doc(alias("free", "reset", "despawn"))]
    #[inline]
    pub fn recycle(&mut self, key: K) -> Option<&mut T> {
        self.store.recycle(key)
    }
}

/// The room of a pool, in which something lies.
impl<'a, T, K: Key> VacantEntry<'a, T, K> {
    /// Returns what lies in the slot now, to be made the new value; what is changed stays changed, also where
    /// the entry is dropped. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(Vec::new);
    /// let mut entry = pool.vacant_entry();
    /// entry.value_mut().push(1);
    /// assert_eq!(entry.occupy(), &[1]);
    /// ```
    #[inline]
    #[must_use]
    pub fn value_mut(&mut self) -> &mut T {
        self.0.value_mut()
    }

    /// Takes the slot into use with what lies in it, and gives that out to change it. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 1);
    /// *pool.vacant_entry().occupy() += 1;
    /// assert!(pool.values().eq(&[2]));
    /// ```
    #[inline]
    pub fn occupy(self) -> &'a mut T {
        self.0.occupy()
    }
}
