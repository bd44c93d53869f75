//! Taking values out of a dense arena.

use super::{DenseArena, Drain, ExtractIf};
use crate::error::ReattachError;
use crate::explain;
use crate::key::Key;
use crate::raw::slots::Slots;

/// Removing.
impl<T, K: Key> DenseArena<T, K> {
    /// Takes a value out and returns it; `None` if the key is stale, foreign or dangling. **The
    /// last value moves into its position**; all other keys stay valid. O(1); never needs memory.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let key = arena.insert('x');
    /// assert_eq!(arena.remove(key), Some('x'));
    /// assert_eq!(arena.remove(key), None);
    /// ```
    #[doc(alias("erase", "delete", "free", "destroy", "try_remove"))]
    #[inline]
    pub fn remove(&mut self, key: K) -> Option<T> {
        self.packed.remove(key)
    }

    /// Drops the values for which `keep` answers `false`; the others keep their order. If `keep` or
    /// a value's `Drop` panics, what was decided before is done, and the rest stays. O(len).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter(0..100);
    /// arena.retain(|_, number| *number % 2 == 0);
    /// assert_eq!(arena.len(), 50);
    /// ```
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(K, &mut T) -> bool) {
        self.packed.retain(|key, spot| keep(key, spot.into_mut()));
    }

    /// Takes all values out, in position order; what is left when the iterator is dropped is dropped
    /// too, even if a value's own `Drop` panics. O(len) at once. (Leaked, it leaks the rest.)
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter(["a", "b"]);
    /// assert_eq!(arena.drain().map(|(_, value)| value).collect::<String>(), "ab");
    /// assert!(arena.is_empty());
    /// ```
    pub fn drain(&mut self) -> Drain<'_, T, K> {
        Drain(self.packed.drain())
    }

    /// Takes out the values that `choose` chooses, as the iterator is advanced; the others, and
    /// those not come to, stay. Perturbs the order as [`remove`](Self::remove) does: the last value
    /// fills each gap, and is looked at next. O(1) a value looked at.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter(0..6);
    /// let odd = arena.extract_if(|_, n| *n % 2 == 1).count();
    /// assert_eq!(odd, 3);
    /// assert_eq!(arena.len(), 3);
    /// ```
    #[doc(alias = "drain_filter")]
    pub fn extract_if<F: FnMut(K, &mut T) -> bool>(&mut self, choose: F) -> ExtractIf<'_, T, K, F> {
        ExtractIf::new(self, choose)
    }

    /// Drops all values and gives up all detached keys. Memory and generations stay: no key that
    /// was ever handed out answers again. O(len).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let key = arena.insert('x');
    /// arena.clear();
    /// assert!(arena.is_empty());
    /// arena.insert('y');
    /// assert_eq!(arena.get(key), None);
    /// ```
    #[doc(alias = "flush")]
    pub fn clear(&mut self) {
        self.packed.clear();
    }

    /// Takes a value out, but keeps its slot, so that it can come back under the same key with
    /// [`reattach`](Self::reattach); `None` if the key is stale, foreign or dangling. Until it is
    /// back the key answers `None`. The last value moves into its position. O(1), but allocates a
    /// bit a slot the first time (not in a fixed arena).
    ///
    /// # Panics
    /// If memory for those bits is refused. Nothing has changed then.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let key = arena.insert(String::from("a"));
    /// let mut value = arena.detach(key).unwrap();
    /// value.push_str(&format!("{}", arena.len())); // the arena is free meanwhile
    /// arena.reattach(key, value).unwrap();
    /// assert_eq!(arena[key], "a0");
    /// ```
    #[track_caller]
    pub fn detach(&mut self, key: K) -> Option<T> {
        match self.packed.try_detach(key) {
            Ok(value) => value,
            Err(reason) => explain::refused::<Self>(&reason),
        }
    }

    /// Puts a value back under its detached key, at the last position. O(1).
    ///
    /// # Errors
    /// If the key is not detached: the value is given back.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let key = arena.insert('x');
    /// let value = arena.detach(key).unwrap();
    /// assert!(arena.reattach(key, value).is_ok());
    /// let refused = arena.reattach(key, 'y').unwrap_err(); // `x` is back already
    /// assert_eq!(refused.into_value(), 'y');
    /// ```
    pub fn reattach(&mut self, key: K, value: T) -> Result<(), ReattachError<T>> {
        self.packed.reattach(key, value)
    }

    /// Gives a detached key's slot back; the key is stale for good. Says whether it was detached.
    /// O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let key = arena.insert('x');
    /// arena.detach(key);
    /// assert!(arena.discard_detached(key));
    /// assert!(arena.reattach(key, 'x').is_err());
    /// ```
    #[doc(alias = "release")]
    pub fn discard_detached(&mut self, key: K) -> bool {
        self.packed.release(key)
    }

    /// Takes the value at a position out, with its key; `None` from `len()` on. The last value
    /// moves there, all other keys stay valid. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter(["a", "b", "c"]);
    /// let (_, value) = arena.swap_remove_index(0).unwrap();
    /// assert_eq!(value, "a");
    /// assert_eq!(arena.as_slice(), ["c", "b"]);
    /// ```
    #[doc(alias = "swap_remove")]
    #[doc(alias = "remove_at")]
    pub fn swap_remove_index(&mut self, position: usize) -> Option<(K, T)> {
        self.packed.remove_at(position)
    }

    /// Takes a value out; those after it move up by one, so that the order stays. `None` if the key
    /// is stale, foreign or dangling. O(len).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter(["a", "b", "c"]);
    /// let a = arena.key_of_index(0).unwrap();
    /// arena.remove_ordered(a);
    /// assert_eq!(arena.as_slice(), ["b", "c"]);
    /// ```
    pub fn remove_ordered(&mut self, key: K) -> Option<T> {
        self.packed.remove_ordered(key)
    }
}
