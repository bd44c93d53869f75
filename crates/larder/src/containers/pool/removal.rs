//! Giving slots of a pool back.

use super::Pool;
use crate::key::Key;

/// Removing.
impl<T, K: Key> Pool<T, K> {
    /// Frees a key's slot and has its value replaced or reset, as the pool was made; says whether
    /// there was one (not if the key is stale, foreign or dangling). Other keys stay valid, no other
    /// value moves. O(1) and the pool's function; needs no memory but what that asks for.
    ///
    /// If the function panics, the slot is free all the same. What lies there is the removed value: as
    /// the function that resets left it, or untouched where none could be made in its place.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(String::new);
    /// let key = pool.insert(String::from("x"));
    /// assert!(pool.remove(key));
    /// assert!(!pool.remove(key));
    /// assert_eq!(pool.slots(), [""]);
    /// ```
    #[doc(alias("erase", "delete", "free", "destroy"))]
    #[inline]
    pub fn remove(&mut self, key: K) -> bool {
        let Self { stock, recipe } = self;
        stock.recycle(key, |spot| recipe.recycle(spot.into_mut()))
    }

    /// Takes a value out and returns it, and puts one of those in its place that the pool makes for
    /// empty slots; `None` if the key is stale, foreign or dangling. O(1) and the pool's function.
    ///
    /// If the function panics, nothing has changed.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 0);
    /// let key = pool.insert(7);
    /// assert_eq!(pool.take(key), Some(7));
    /// assert_eq!(pool.take(key), None);
    /// assert_eq!(pool.slots(), [0]);
    /// ```
    #[inline]
    pub fn take(&mut self, key: K) -> Option<T> {
        let Self { stock, recipe } = self;
        stock.take(key, || recipe.make())
    }

    /// Removes the values for which `keep` answers `false`, in slot order, as [`remove`](Self::remove)
    /// does. If `keep` or the pool's function panics, what was decided before is done.
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
        let Self { stock, recipe } = self;
        stock.retain_or(
            |key, spot| keep(key, spot.into_mut()),
            |spot| recipe.recycle(spot.into_mut()),
        );
    }

    /// Removes all values, as [`remove`](Self::remove) does. Memory, values and generations stay: no
    /// key that was ever handed out answers again. The lowest slots are used first afterwards. If the
    /// pool's function panics, the values before are removed, the rest stays.
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
        let Self { stock, recipe } = self;
        stock.clear_with(|spot| recipe.recycle(spot.into_mut()));
    }
}
