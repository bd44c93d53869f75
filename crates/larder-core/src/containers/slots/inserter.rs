//! Inserting while values are borrowed: by one thread, or by many at once.

use core::fmt;

use super::Slots;
use crate::error::{InsertError, TryReserveError};
use crate::explain::Grants;
use crate::key::Key;
use crate::memory::buffer::Buffer;
#[cfg(target_has_atomic = "ptr")]
use crate::raw::rows::SharedClaims;
use crate::raw::rows::{InPlace, Rooms, Row, Whole};
use crate::raw::slots::SlotStore as _;

/// Inserting while values are borrowed.
impl<T, K: Key, S: Rooms<T, K>> Slots<T, K, Whole<S>> {
    /// Borrows the arena for inserting through `&`: existing and inserted values stay where they
    /// are, and can be read as long as the arena is borrowed. O(1).
    ///
    /// If growing would move values, it is limited to the current capacity: call
    /// [`reserve`](Self::reserve) before. Otherwise it has the arena's room.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::with_capacity(10);
    /// let inserter = arena.inserter();
    /// let (_, first) = inserter.insert(String::from("first"));
    /// let (key, second) = inserter.insert(format!("after {first}"));
    /// assert_eq!((first.as_str(), second.as_str()), ("first", "after first"));
    /// assert_eq!(arena[key], "after first");
    /// ```
    #[doc(alias("stable", "frozen", "alloc"))]
    #[inline]
    pub fn inserter(&mut self) -> Inserter<'_, T, K, S> {
        Inserter(InPlace::new(&mut self.store))
    }
}

/// Inserts into a borrowed arena through `&`, and lends its values for as long as the arena is
/// borrowed. Made by [`inserter`](Slots::inserter).
///
/// It inserts as the arena does, into holes first, but never moves, removes or mutably lends a value,
/// so references that it returned stay valid. It is for one thread at a time; for many there is
/// [`SharedInserter`]. It is `Send` if values are `Send`
/// and `Sync`, since other threads may still hold references that it returned.
///
/// # Examples
/// Two allocations, of which the first is still in use after the second. With
/// [`insert`](Slots::insert) this would not compile, as the second may move the first.
/// ```
/// # use larder::Arena;
/// let mut arena = Arena::with_capacity(1_000);
/// let inserter = arena.inserter();
/// let (_, a) = inserter.insert([1.0, 2.0]);
/// let (_, b) = inserter.insert([3.0, 4.0]);
/// assert_eq!(a[0] + b[0], 4.0);
/// ```
pub struct Inserter<'a, T, K: Key, S: Rooms<T, K> = Buffer<Row<T, K>>>(InPlace<'a, T, K, S>);

impl<'a, T, K: Key, S: Rooms<T, K>> Inserter<'a, T, K, S> {
    /// Adds a value and returns its key, and a reference that lives as long as the borrow of the
    /// arena. O(1).
    ///
    /// # Panics
    /// If there is no room without moving values, allocation fails, or no slot is left. The value
    /// is dropped; [`try_insert`](Self::try_insert) gives it back.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::builder().fixed(2).build();
    /// let (key, value) = arena.inserter().insert('x');
    /// assert_eq!(value, &'x');
    /// assert_eq!(arena[key], 'x');
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn insert(&self, value: T) -> (K, &'a T) {
        Self::granted(self.0.try_insert(value).map_err(|refused| refused.reason))
    }

    /// Like [`insert`](Self::insert), but gives the value back if there is no room. O(1).
    ///
    /// # Errors
    /// If there is no room without moving values, allocation fails, or no slot is left. Nothing has
    /// changed.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::builder().fixed(1).build();
    /// let inserter = arena.inserter();
    /// inserter.insert('x');
    /// assert_eq!(inserter.try_insert('y').unwrap_err().value, 'y');
    /// ```
    #[inline(always)]
    pub fn try_insert(&self, value: T) -> Result<(K, &'a T), InsertError<T>> {
        self.0.try_insert(value)
    }

    /// Adds the value that `make` returns for its key. O(1), but allocates one bit a slot the first
    /// time (not in a fixed arena).
    ///
    /// `make` may use the same inserter. Until it returns, its key is detached: it has no value, and
    /// its slot is kept for it. If `make` panics the key becomes stale; what `make` inserted stays.
    ///
    /// # Panics
    /// See [`insert`](Self::insert); before `make` is called.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// use larder::Handle;
    ///
    /// struct Node { parent: Option<Handle<Node>>, child: Option<Handle<Node>> }
    ///
    /// let mut nodes = Arena::with_capacity(2);
    /// let inserter = nodes.inserter();
    /// let (root, node) = inserter.insert_with_key(|me| {
    ///     let (child, _) = inserter.insert(Node { parent: Some(me), child: None });
    ///     Node { parent: None, child: Some(child) }
    /// });
    /// let child = inserter.get(node.child.unwrap()).unwrap();
    /// assert_eq!(child.parent, Some(root));
    /// ```
    #[track_caller]
    pub fn insert_with_key(&self, make: impl FnOnce(K) -> T) -> (K, &'a T) {
        Self::granted(self.0.insert_with_key(make))
    }

    /// Returns the value of a key, for as long as the arena is borrowed; `None` if the key is stale,
    /// foreign or dangling. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::with_capacity(10);
    /// let old = arena.insert("old");
    /// let inserter = arena.inserter();
    /// let value = inserter.get(old).unwrap();
    /// inserter.insert("new");
    /// assert_eq!(value, &"old");
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self, key: K) -> Option<&'a T> {
        self.0.get(key)
    }

    /// Returns how many more values can be inserted without moving any. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::builder().fixed(3).build();
    /// arena.insert('a');
    /// let inserter = arena.inserter();
    /// inserter.insert('b');
    /// assert_eq!(inserter.remaining(), 1);
    /// ```
    #[inline]
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.0.rows().remaining()
    }
}

impl<T, K: Key, S: Rooms<T, K>> Grants for Inserter<'_, T, K, S> {
    type Of = T;

    const NAME: &'static str = "Inserter";
}

impl<T, K: Key, S: Rooms<T, K>> fmt::Debug for Inserter<'_, T, K, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (len, remaining) = (self.0.rows().len(), self.remaining());
        f.debug_struct("Inserter").field("len", &len).field("remaining", &remaining).finish()
    }
}
/// Inserting from many threads at once.
#[cfg(target_has_atomic = "ptr")]
impl<T, K: Key, S: Rooms<T, K>> Slots<T, K, Whole<S>> {
    /// Borrows the arena for inserting from many threads without a lock, with room for at least
    /// `additional` values. O(free slots at the end), and the cost of [`reserve`](Self::reserve) if
    /// there is less room. With an order of [`Reuse`](crate::Reuse) other than `Packed` it is O(all
    /// free slots) if some are at the end, because the others are linked again.
    ///
    /// The arena receives the inserted values when the inserter is dropped. Holes are not filled,
    /// but free slots at the end are begun again, as after [`shrink_to_fit`](Self::shrink_to_fit),
    /// so a cleared arena has all its room.
    ///
    /// # Errors
    /// If allocation fails, if the arena is fixed or reserved and has less room above its last
    /// value, or if the generations of fresh slots are used up, see
    /// [`GenerationsUsedUp`](crate::TryReserveError::GenerationsUsedUp).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// let inserter = arena.shared_inserter(200)?;
    /// std::thread::scope(|scope| {
    ///     for thread in 0..2 {
    ///         let inserter = &inserter;
    ///         scope.spawn(move || {
    ///             for number in 0..100 {
    ///                 inserter.insert(100 * thread + number);
    ///             }
    ///         });
    ///     }
    /// });
    /// drop(inserter);
    /// assert_eq!(arena.len(), 200);
    /// assert_eq!(arena.values().sum::<i32>(), (0..200).sum::<i32>());
    ///
    /// let mut full = Arena::<u8>::builder().fixed(10).build();
    /// assert!(full.shared_inserter(11).is_err());
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    #[doc(alias("concurrent", "parallel", "lock-free", "reserve_entity", "try_shared_inserter"))]
    pub fn shared_inserter(
        &mut self,
        additional: usize,
    ) -> Result<SharedInserter<'_, T, K, S>, TryReserveError> {
        SharedClaims::new(&mut self.store, additional).map(SharedInserter)
    }
}

/// Inserts into a borrowed arena from many threads at once, without a lock. Made by
/// [`shared_inserter`](Slots::shared_inserter).
///
/// An insertion claims a fresh slot with one atomic addition and writes its value there. Holes are not
/// used, and nothing grows: the room is fixed when the inserter is made. Which thread gets which slot
/// is not determined; each value has a key of its own.
///
/// The arena receives the values when the inserter is dropped. If it is leaked
/// (`core::mem::forget`), they are leaked with it, and the keys that it issued stay stale. With the key
/// [`Serial`](crate::key::Serial) the next number is then greater by 2³² - 1, whatever the room was, so
/// keys are the same on every platform. (A [`BareHandle`](crate::key::BareHandle) cannot be stale: it
/// refers to the value that its slot has now.)
///
/// It is `Send` and `Sync` if values are both.
///
/// # Examples
/// ```
/// # use larder::Arena;
/// let mut arena = Arena::with_capacity(1_000);
/// let root = arena.insert(String::from("root"));
/// let inserter = arena.shared_inserter(2).unwrap();
/// let name = |part: &str| inserter.insert(format!("{}.{part}", inserter.get(root).unwrap()));
/// let keys = std::thread::scope(|scope| {
///     let name = &name;
///     let threads = ["a", "b"].map(|part| scope.spawn(move || name(part).0));
///     threads.map(|thread| thread.join().unwrap())
/// });
/// drop(inserter);
/// assert_eq!(keys.map(|key| arena[key].as_str()), ["root.a", "root.b"]);
/// ```
#[cfg(target_has_atomic = "ptr")]
#[must_use = "the arena receives the inserted values when it is dropped"]
pub struct SharedInserter<'a, T, K: Key, S: Rooms<T, K> = Buffer<Row<T, K>>>(
    SharedClaims<'a, T, K, S>,
);

#[cfg(target_has_atomic = "ptr")]
impl<'a, T, K: Key, S: Rooms<T, K>> SharedInserter<'a, T, K, S> {
    /// Adds a value and returns its key, and a reference that lives as long as the borrow of the
    /// arena. O(1), without waiting for another thread.
    ///
    /// # Panics
    /// If the room is used up. The value is dropped; [`try_insert`](Self::try_insert) gives it back.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// let inserter = arena.shared_inserter(1).unwrap();
    /// let (key, value) = inserter.insert('x');
    /// assert_eq!(value, &'x');
    /// drop(inserter);
    /// assert_eq!(arena[key], 'x');
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn insert(&self, value: T) -> (K, &'a T) {
        Self::granted(self.0.try_insert(value).map_err(|refused| refused.reason))
    }

    /// Like [`insert`](Self::insert), but gives the value back if the room is used up. O(1).
    ///
    /// # Errors
    /// If the room is used up.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::builder().fixed(1).build();
    /// let inserter = arena.shared_inserter(1).unwrap();
    /// inserter.insert('x');
    /// assert_eq!(inserter.try_insert('y').unwrap_err().value, 'y');
    /// ```
    #[inline(always)]
    pub fn try_insert(&self, value: T) -> Result<(K, &'a T), InsertError<T>> {
        self.0.try_insert(value)
    }

    /// Returns the value of a key if it was inserted before the inserter was made; `None` for any
    /// other key. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// let old = arena.insert("old");
    /// let inserter = arena.shared_inserter(1).unwrap();
    /// let (new, _) = inserter.insert("new");
    /// assert_eq!((inserter.get(old), inserter.get(new)), (Some(&"old"), None));
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self, key: K) -> Option<&'a T> {
        self.0.get(key)
    }

    /// Returns how many values were inserted through it so far; other threads may be inserting. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::from_iter(['a']);
    /// let inserter = arena.shared_inserter(1).unwrap();
    /// inserter.insert('b');
    /// assert_eq!(inserter.inserted(), 1);
    /// ```
    #[must_use]
    pub fn inserted(&self) -> usize {
        self.0.len()
    }

    /// Returns for how many more values there is room; other threads may be inserting. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::builder().fixed(3).build();
    /// let inserter = arena.shared_inserter(0).unwrap();
    /// inserter.insert('a');
    /// assert_eq!(inserter.remaining(), 2);
    /// ```
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.0.remaining()
    }
}

#[cfg(target_has_atomic = "ptr")]
impl<T, K: Key, S: Rooms<T, K>> Grants for SharedInserter<'_, T, K, S> {
    type Of = T;

    const NAME: &'static str = "SharedInserter";
}

#[cfg(target_has_atomic = "ptr")]
impl<T, K: Key, S: Rooms<T, K>> fmt::Debug for SharedInserter<'_, T, K, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("SharedInserter");
        shown.field("inserted", &self.inserted()).field("remaining", &self.remaining()).finish()
    }
}
