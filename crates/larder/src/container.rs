//! What every container can do with a key, for code that is beside containers of any kind.

#[cfg(feature = "alloc")]
use crate::Pool;
use crate::{Arena, DenseArena, InlineArena, Key, PagedArena};

/// A container of values under keys: what a [`Tree`](crate::Tree) or a [`SideList`](crate::SideList)
/// asks whether an object is still there, and has remove it.
///
/// Every container of larder is one. A structure of yours that keeps objects in one of them can be one,
/// too; nothing unsafe relies on its answers.
///
/// # Examples
/// ```
/// use larder::{Arena, Container, Pool};
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
    /// What it hands out for its values.
    type Key: Key;
    /// What it contains.
    type Value;
    /// What a removal gives back: the value; nothing for a `Pool`, which keeps its values.
    type Removed;

    /// Whether the key's value is there. O(1).
    fn contains_key(&self, key: Self::Key) -> bool;

    /// The value of a key; `None` if the key is stale, foreign or dangling. O(1).
    fn get(&self, key: Self::Key) -> Option<&Self::Value>;

    /// The value of a key, to change it; `None` if the key is stale, foreign or dangling. O(1).
    fn get_mut(&mut self, key: Self::Key) -> Option<&mut Self::Value>;

    /// Removes a key's value; `None` if the key is stale, foreign or dangling. O(1).
    fn remove(&mut self, key: Self::Key) -> Option<Self::Removed>;
}

macro_rules! container {
    ([$($generics:tt)*] $container:ty, $removed:ty, |$self:ident, $key:ident| $remove:expr) => {
        impl<$($generics)*> Container for $container {
            type Key = K;
            type Value = T;
            type Removed = $removed;

            #[inline]
            fn contains_key(&self, key: K) -> bool {
                self.contains_key(key)
            }

            #[inline]
            fn get(&self, key: K) -> Option<&T> {
                self.get(key)
            }

            #[inline]
            fn get_mut(&mut self, key: K) -> Option<&mut T> {
                self.get_mut(key)
            }

            #[inline]
            fn remove(&mut $self, $key: K) -> Option<$removed> {
                $remove
            }
        }
    };
}

container!([T, K: Key] Arena<T, K>, T, |self, key| self.remove(key));
container!([T, K: Key] PagedArena<T, K>, T, |self, key| self.remove(key));
container!([T, K: Key] DenseArena<T, K>, T, |self, key| self.remove(key));
container!([T, K: Key, const N: usize] InlineArena<T, N, K>, T, |self, key| self.remove(key));
#[cfg(feature = "alloc")]
container!([T, K: Key] Pool<T, K>, (), |self, key| self.remove(key).then_some(()));
