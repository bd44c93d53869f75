//! What knows which keys are live.

use crate::arena::Arena;
use crate::dense::DenseArena;
use crate::dense_soa_arena::DenseSoaArena;
use crate::inline::InlineArena;
use crate::key::Key;
use crate::paged::PagedArena;
use crate::soa::{Fill, Soa};
use crate::soa_arena::SoaArena;
#[cfg(feature = "alloc")]
use crate::{pool::Pool, secondary::SecondaryMap, sparse_secondary::SparseSecondaryMap};

/// What knows which keys are live: every container, and the maps of side data themselves.
///
/// The trait is sealed. It is what
/// [`retain_live`](crate::SecondaryMap::retain_live) asks.
///
/// # Examples
/// ```
/// use larder::{Arena, DenseArena, Handle, LiveKeys};
///
/// fn count_live(of: &impl LiveKeys<Handle<u8>>, keys: &[Handle<u8>]) -> usize {
///     keys.iter().filter(|&&key| of.is_live(key)).count()
/// }
/// let (mut arena, dense) = (Arena::new(), DenseArena::new());
/// let keys: Vec<_> = arena.insert_many([1, 2, 3]).collect();
/// arena.remove(keys[0]);
/// assert_eq!((count_live(&arena, &keys), count_live(&dense, &keys)), (2, 0));
/// ```
pub trait LiveKeys<K: Key>: sealed::Knows<K> {
    /// Whether there is a value for the key. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, LiveKeys};
    ///
    /// let mut arena = Arena::new();
    /// let key = arena.insert('x');
    /// assert!(LiveKeys::is_live(&arena, key));
    /// arena.clear();
    /// assert!(!LiveKeys::is_live(&arena, key));
    /// ```
    #[inline]
    fn is_live(&self, key: K) -> bool {
        self.knows(key)
    }
}

impl<K: Key, C: sealed::Knows<K>> LiveKeys<K> for C {}

mod sealed {
    #[expect(unnameable_types, reason = "it seals the public trait `LiveKeys`")]
    pub trait Knows<K> {
        fn knows(&self, key: K) -> bool;
    }
}

macro_rules! knows {
    ($([$($generics:tt)*] $container:ty;)*) => {$(
        impl<$($generics)*> sealed::Knows<K> for $container {
            #[inline]
            fn knows(&self, key: K) -> bool {
                self.contains_key(key)
            }
        }
    )*};
}

knows! {
    [T, K: Key] Arena<T, K>;
    [T, K: Key] PagedArena<T, K>;
    [T, K: Key] DenseArena<T, K>;
    [T, K: Key, const N: usize] InlineArena<T, N, K>;
    [T: Soa + Fill, K: Key] SoaArena<T, K>;
    [T: Soa, K: Key] DenseSoaArena<T, K>;
}

#[cfg(feature = "alloc")]
knows! {
    [T, K: Key] Pool<T, K>;
    [K: Key, V] SecondaryMap<K, V>;
    [K: Key, V] SparseSecondaryMap<K, V>;
}
