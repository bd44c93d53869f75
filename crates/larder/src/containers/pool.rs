//! Slots that always hold a valid value; removal recycles it in place.

mod making;

use core::fmt;

use crate::error::{GetDisjointMutError, InsertError, TryReserveError};
use crate::key::{Handle, Key};
use crate::raw::split::{self, Prepared, Slots};
use crate::stats::Stats;
use crate::{explain, macros};
use making::Recipe;

type Store<T, K> = split::SplitStore<T, K>;

/// Values in slots that are never empty: a free slot holds a value made by the pool's function, or a removed
/// one that was reset.
///
/// It has two uses. *Buffers are kept*: a removed value is reset in place instead of dropped, and the next
/// [`insert_with`](Self::insert_with) fills the buffers it owns. *Holes are safe*: all slots are one slice
/// ([`slots`](Self::slots)), which SIMD code, a GPU or C can process without knowing which are in use.
///
/// If you need neither, use [`Arena`](crate::Arena): a lookup there reads one cache line, in a pool two.
///
/// In the examples of methods that all containers have, `Arena::new()` stands for `Pool::default()`.
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
pub struct Pool<T, K: Key = Handle<T>> {
    pub(crate) store: Store<T, K>,
    pub(crate) recipe: Recipe<T>,
}

/// The methods that other containers have too, by the macros of `macros`.
macro_rules! pool {
    ($face:tt) => {
        macros::adding! { $face }
        macros::lookup! { $face, get: "O(1): a cache line of the values and one of the generations." }
        macros::by_slot! { $face }
        macros::by_address! {
            $face, key_of: "O(1).", |this, value| this.store.key_at(this.store.slot_at(core::ptr::from_ref(value).addr())?)
        }
        macros::capacity! {
            $face, reserve: |this, additional| {
                let Self { store, recipe } = this;
                store.try_provide(additional, || recipe.make())
            }
        }
        macros::shrinking! { $face }
        macros::compacting! {
            $face, holes: "The former content of a hole is then where the moved value was. "
        }
        macros::bytes_for! { $face }
        macros::iterating! {
            $face,
            iter: split::Iter<'a, T, K> = |this| this.store.iter(),
            iter_mut: split::IterMut<'a, T, K> = |this| this.store.iter_mut(), none: Default::default()
        }
        #[cfg(feature = "rayon")]
        crate::impls::rayon::divided! { ['a, T, K: Key] Iter<'a, T, K>; ['a, T, K: Key] IterMut<'a, T, K>; }
        macros::traits! { $face }
        macros::row_traits! { $face }
    };
}

pool! {
    {
        Pool [T, K: Key] [T, K] row slots block
        "# struct Arena;
# impl Arena {
#     fn new<T: Default>() -> larder::Pool<T> { larder::Pool::default() }
#     fn fixed<T: Default>(count: usize) -> larder::Pool<T> { larder::Pool::fixed(count, || T::default()) }
#     fn from_iter<T: Default>(values: impl IntoIterator<Item = T>) -> larder::Pool<T> {
#         larder::Pool::from_iter(values)
#     }
# }" "Arena::fixed(1)"
    }
}

/// Inserting, filling what lies in a slot already.
impl<T, K: Key> Pool<T, K> {
    /// Uses a free slot: `fill` turns the value in it into the new one, and can reuse what it owns. In a slot
    /// that was never used it is a newly made value. If `fill` panics, the slot stays free, with its value as
    /// `fill` left it. O(1) amortised; does not allocate if a slot is free.
    ///
    /// # Panics
    /// As [`insert`](Self::insert), before `fill` is called.
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
        explain::granted::<Self, _>(self.try_insert_with(fill))
    }

    /// Like [`insert_with`](Self::insert_with), but returns an error if there is no room. O(1) amortised.
    ///
    /// # Errors
    /// If the pool is fixed or reserved and full, memory is refused, or no slot is left. `fill` is not
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

    /// Returns a free slot for a value whose key is needed first, or whose construction can fail. Dropping
    /// the entry leaves the slot free. O(1) amortised.
    ///
    /// # Panics
    /// As [`insert`](Self::insert).
    ///
    /// # Examples
    /// ```
    /// let mut numbers = larder::Pool::new(|| 0);
    /// let mut entry = numbers.vacant_entry();
    /// let key = entry.key();
    /// *entry.value_mut() = "7".parse()?; // an error here, and nothing is inserted
    /// entry.occupy();
    /// assert_eq!(numbers[key], 7);
    /// # Ok::<(), core::num::ParseIntError>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn vacant_entry(&mut self) -> VacantEntry<'_, T, K> {
        explain::granted::<Self, _>(self.try_vacant_entry())
    }

    /// Like [`vacant_entry`](Self::vacant_entry), but returns an error if there is no room. O(1) amortised.
    ///
    /// # Errors
    /// If the pool is full or memory is refused; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::fixed(1, || 'x');
    /// pool.try_vacant_entry()?.occupy();
    /// assert!(pool.try_vacant_entry().is_err());
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    #[inline]
    pub fn try_vacant_entry(&mut self) -> Result<VacantEntry<'_, T, K>, TryReserveError> {
        let Self { store, recipe } = self;
        let vacancy = store.vacancy()?;
        Ok(VacantEntry(vacancy.prepare(|| recipe.make())))
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

/// Removing.
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
        let Self { store, recipe } = self;
        if store.recycle(key, |spot| recipe.recycle(spot.into_mut())) {
            store.all_mut().get_mut(key.slot() as usize)
        } else {
            None
        }
    }

    /// Removes a value and returns it, leaving a newly made one in its slot; `None` if the key is stale,
    /// foreign or dangling. O(1), and a call of the pool's function.
    ///
    /// If the function panics, nothing has changed.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 0);
    /// let key = pool.insert(7);
    /// assert_eq!(pool.remove(key), Some(7));
    /// assert_eq!(pool.remove(key), None);
    /// assert_eq!(pool.slots(), [0]);
    /// ```
    #[doc(alias("take", "erase", "delete", "destroy"))]
    #[inline]
    pub fn remove(&mut self, key: K) -> Option<T> {
        let Self { store, recipe } = self;
        store.take(key, || recipe.make())
    }

    /// Removes the values for which `keep` returns `false`, in slot order, as [`recycle`](Self::recycle)
    /// does. If `keep` or the pool's function panics, the values visited before are removed or kept as
    /// decided, and the others are kept.
    /// O(live + slots / 64), and a call for each removed value.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| -1);
    /// pool.extend(0..4);
    /// pool.retain(|_, number| *number % 2 == 0);
    /// assert_eq!(pool.slots(), [0, -1, 2, -1]);
    /// ```
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(K, &mut T) -> bool) {
        let Self { store, recipe } = self;
        store.retain_or(
            |key, spot| keep(key, spot.into_mut()),
            |spot| recipe.recycle(spot.into_mut()),
        );
    }

    /// Removes all values, as [`recycle`](Self::recycle) does. Memory, values and generations are kept: no
    /// key that was ever issued becomes valid again. The lowest slots are used first afterwards. If the
    /// pool's function panics, the values before are removed, and the others are kept.
    /// O(live + slots / 64), and a call for each value.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 0);
    /// let key = pool.insert(7);
    /// pool.clear();
    /// assert!(pool.is_empty() && pool.slots() == [0]);
    /// pool.insert(8);
    /// assert_eq!(pool.get(key), None);
    /// ```
    #[doc(alias = "flush")]
    pub fn clear(&mut self) {
        let Self { store, recipe } = self;
        store.clear_with(|spot| recipe.recycle(spot.into_mut()));
    }
}

/// A free slot that is about to be used. Made by [`Pool::vacant_entry`](crate::Pool::vacant_entry).
///
/// The slot stays free until [`occupy`](Self::occupy) or [`insert`](Self::insert) is called.
///
/// # Examples
/// ```
/// let mut pool = larder::Pool::new(|| 1);
/// drop(pool.vacant_entry());
/// assert!(pool.is_empty());
/// let mut entry = pool.vacant_entry();
/// let key = entry.key();
/// *entry.value_mut() += 1;
/// entry.occupy();
/// assert_eq!(pool[key], 2);
/// ```
#[must_use = "the slot stays free until `occupy` or `insert` is called"]
pub struct VacantEntry<'a, T, K: Key>(Prepared<'a, T, K>);

impl<'a, T, K: Key> VacantEntry<'a, T, K> {
    /// Returns the key that the value will have. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 'x');
    /// let entry = pool.vacant_entry();
    /// let key = entry.key();
    /// entry.occupy();
    /// assert_eq!(pool.keys().next(), Some(key));
    /// ```
    #[inline]
    #[must_use]
    pub fn key(&self) -> K {
        self.0.key()
    }

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

    /// Puts a value in, drops what lay there, and gives the value out to change it. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 1);
    /// *pool.vacant_entry().insert(5) += 1;
    /// assert!(pool.values().eq(&[6]));
    /// ```
    #[inline]
    pub fn insert(mut self, value: T) -> &'a mut T {
        *self.value_mut() = value;
        self.occupy()
    }
}

impl<T, K: Key> fmt::Debug for VacantEntry<'_, T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VacantEntry").field(&self.key()).finish()
    }
}
