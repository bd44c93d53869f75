//! Lists and texts, owned by objects and stored in few blocks of memory.
//!
//! | which | an object has | memory is freed |
//! |---|---|---|
//! | [`ListPool`] | a [`ListHandle`](list_pool::ListHandle) of 8 bytes for a slice of values | by `free`, for each list |
//! | [`StringPool`] (feature `hashbrown`) | a [`Symbol`] of 4 bytes for a text stored once | with the pool, or by counted references |
//! | [`NameHash`] | 8 bytes for a name that is only compared | none is stored |
//!
//! # Examples
//! ```
//! use larder::pools::{ListPool, NameHash};
//!
//! let mut lists = ListPool::new();
//! let mut scores = lists.make([3, 1]);
//! lists.push(&mut scores, 2);
//! lists[scores].sort();
//! assert_eq!(lists[scores], [1, 2, 3]);
//!
//! const FIRE: NameHash = NameHash::of("fire"); // computed by the compiler
//! assert_eq!(FIRE, NameHash::of("fire"));
//! ```

#[cfg(feature = "alloc")]
pub mod list_pool;
mod name_hash;
#[cfg(feature = "alloc")]
mod pool_numbers;
#[cfg(feature = "snapshot")]
mod saved;
#[cfg(feature = "hashbrown")]
pub mod string_pool;

#[cfg(feature = "alloc")]
pub use list_pool::ListPool;
pub use name_hash::NameHash;
#[cfg(feature = "hashbrown")]
pub use string_pool::{StringPool, Symbol};

/// A walk that says how many are left, and stops there.
#[cfg(feature = "alloc")]
struct Counted<I> {
    left: usize,
    walk: I,
}

#[cfg(feature = "alloc")]
impl<I: Iterator> Iterator for Counted<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.left = self.left.checked_sub(1)?;
        self.walk.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

#[cfg(feature = "alloc")]
impl<I: Iterator> ExactSizeIterator for Counted<I> {}
