//! What every container can do with a key, for code that is beside containers of any kind.

use crate::error::{InsertError, TryReserveError};
#[cfg(feature = "hashbrown")]
use crate::maps::SparseSecondaryMap;
use crate::soa::{Fill, Soa};
use crate::{Arena, DenseArena, DenseSoaArena, InlineArena, Key, PagedArena, SoaArena};
#[cfg(feature = "alloc")]
use crate::{Pool, SecondaryMap};

/// A container of values under keys. A [`Tree`](crate::Tree) or a [`KeyList`](crate::trees::KeyList) asks it
/// whether an object still exists, and has it removed.
///
/// Every container and map of larder implements it. Other types that own a container may, too; no unsafe
/// code relies on it.
///
/// # Examples
/// ```
/// use larder::{Arena, Pool, containers::Container};
///
/// fn count_live<C: Container>(objects: &C, keys: &[C::Key]) -> usize {
///     keys.iter().filter(|&&key| objects.contains_key(key)).count()
/// }
/// let (mut arena, mut pool) = (Arena::new(), Pool::new(|| 0));
/// let (a, b, c) = (arena.insert(1), arena.insert(2), pool.insert(3));
/// arena.remove(a);
/// assert_eq!((count_live(&arena, &[a, b]), count_live(&pool, &[c])), (1, 1));
/// ```
pub trait Container {
    /// What it issues for its values.
    type Key: Key;
    /// What a removal returns: the value; nothing for a `Pool`, which keeps its values.
    type Removed;

    /// Returns whether the key has a value. O(1).
    fn contains_key(&self, key: Self::Key) -> bool;

    /// Removes a key's value; `None` if the key is stale, foreign or dangling. O(1).
    fn remove(&mut self, key: Self::Key) -> Option<Self::Removed>;
}

/// A container whose values are stored whole, not in columns. [`Links`](crate::trees::Links) in the values are
/// reached through it, and an [`Indexed`](crate::indices::Indexed) owns one.
///
/// # Examples
/// ```
/// use larder::{Arena, DenseArena, containers::RowContainer};
///
/// fn longest<C: RowContainer<Value = &'static str>>(words: &C, keys: [C::Key; 2]) -> usize {
///     keys.iter().filter_map(|&key| words.get(key)).map(|word| word.len()).max().unwrap_or(0)
/// }
/// let (mut arena, mut dense) = (Arena::new(), DenseArena::new());
/// let [a, b] = ["ox", "wren"].map(|word| arena.insert(word));
/// arena.remove(b);
/// assert_eq!(longest(&arena, [a, b]), 2);
/// let [a, b] = ["ox", "wren"].map(|word| dense.insert(word));
/// assert_eq!(longest(&dense, [a, b]), 4);
/// ```
pub trait RowContainer: Container {
    /// What it contains.
    type Value;

    /// Returns the value of a key; `None` if the key is stale, foreign or dangling. O(1).
    fn get(&self, key: Self::Key) -> Option<&Self::Value>;

    /// Returns the value of a key for mutation; `None` if the key is stale, foreign or dangling. O(1).
    fn get_mut(&mut self, key: Self::Key) -> Option<&mut Self::Value>;

    /// Returns the key that the next [`try_insert`](Self::try_insert) will return, and makes room for its
    /// value. O(1) amortised.
    ///
    /// # Errors
    /// If there is no room; nothing has changed.
    fn next_key(&mut self) -> Result<Self::Key, TryReserveError>;

    /// Adds a value and returns its key. O(1) amortised.
    ///
    /// # Errors
    /// If there is no room; nothing has changed, and the value is given back.
    fn try_insert(&mut self, value: Self::Value) -> Result<Self::Key, InsertError<Self::Value>>;

    /// Makes room for `additional` more values, if the container can. O(values) at most.
    ///
    /// # Errors
    /// If there is no room; nothing has changed.
    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        let _ = additional;
        Ok(())
    }

    /// Iterates over keys and values.
    fn iter(&self) -> impl Iterator<Item = (Self::Key, &Self::Value)>;
}

/// The methods of the same names.
macro_rules! container {
    ([$($generics:tt)*] $container:ty, $removed:ty, |$self:ident, $key:ident| $remove:expr) => {
        impl<$($generics)*> Container for $container {
            type Key = K;
            type Removed = $removed;

            #[inline]
            fn contains_key(&self, key: K) -> bool {
                self.contains_key(key)
            }

            #[inline]
            fn remove(&mut $self, $key: K) -> Option<$removed> {
                $remove
            }
        }
    };
}

macro_rules! rows {
    ([$($generics:tt)*] $container:ty, $removed:ty, |$self:ident, $key:ident| $remove:expr) => {
        container!([$($generics)*] $container, $removed, |$self, $key| $remove);

        impl<$($generics)*> RowContainer for $container {
            type Value = T;

            #[inline]
            fn get(&self, key: K) -> Option<&T> {
                self.get(key)
            }

            #[inline]
            fn get_mut(&mut self, key: K) -> Option<&mut T> {
                self.get_mut(key)
            }

            #[inline]
            fn next_key(&mut self) -> Result<K, TryReserveError> {
                self.try_vacant_entry().map(|entry| entry.key())
            }

            #[inline]
            fn try_insert(&mut self, value: T) -> Result<K, InsertError<T>> {
                self.try_insert(value)
            }

            fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
                self.try_reserve(additional)
            }

            fn iter(&self) -> impl Iterator<Item = (K, &T)> {
                self.iter()
            }
        }
    };
}

rows!([T, K: Key] Arena<T, K>, T, |self, key| self.remove(key));
rows!([T, K: Key] PagedArena<T, K>, T, |self, key| self.remove(key));
rows!([T, K: Key] DenseArena<T, K>, T, |self, key| self.remove(key));
rows!([T, const N: usize, K: Key] InlineArena<T, N, K>, T, |self, key| self.remove(key));
#[cfg(feature = "alloc")]
rows!([T, K: Key] Pool<T, K>, (), |self, key| self.remove(key).map(|_| ()));
container!([T: Soa + Fill, K: Key] SoaArena<T, K>, T, |self, key| self.remove(key));
container!([T: Soa, K: Key] DenseSoaArena<T, K>, T, |self, key| self.remove(key));
#[cfg(feature = "alloc")]
container!([K: Key, V] SecondaryMap<K, V>, V, |self, key| self.remove(key));
#[cfg(feature = "hashbrown")]
container!([K: Key, V] SparseSecondaryMap<K, V>, V, |self, key| self.remove(key));
