//! Lists and texts, owned by objects and stored in few blocks of memory.
//!
//! | which | an object has | memory is freed |
//! |---|---|---|
//! | [`ListPool`] | a [`ListHandle`] of 8 bytes for a slice of values | by `free`, for each list |
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
#![no_std]
// Each item says which features it needs, where docs.rs builds the pages.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]
// A part that several features share is compiled with each of them, and used as a whole with all.
#![cfg_attr(
    not(all(feature = "hashbrown", feature = "snapshot", feature = "track")),
    allow(dead_code, unfulfilled_lint_expectations, unreachable_pub, unused_imports)
)]
#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "alloc")]
mod explain;
#[cfg(feature = "alloc")]
mod list_handle;
#[cfg(feature = "alloc")]
pub mod list_pool;
#[cfg(feature = "alloc")]
mod lives;
#[cfg(feature = "alloc")]
mod pool_numbers;
#[expect(unsafe_code, reason = "its files are in the ledger")]
mod raw;
#[cfg(any(feature = "serde", feature = "snapshot"))]
mod saved;
#[cfg(feature = "alloc")]
mod scratch;
#[cfg(feature = "hashbrown")]
#[doc(alias = "string")]
pub mod string_pool;
#[cfg(feature = "hashbrown")]
mod symbol;

#[cfg(feature = "alloc")]
pub use list_pool::{ListHandle, ListPool};
#[cfg(feature = "hashbrown")]
pub use string_pool::{StringPool, Symbol};

use core::fmt;

/// The hash of a name: 8 bytes, for names that are compared and never shown.
///
/// Equal texts have equal hashes, in every program, on every machine and in every version: a hash may be saved.
/// Collisions are not detected: among 10,000 names the odds of one are 1 in 370 billion, among a million 1 in 37
/// million. Chosen texts can be made to collide. For names that are shown, or come from untrusted input, use a
/// [`StringPool`] (feature `hashbrown`).
///
/// The hash is 64-bit FNV-1a with a final mix, so that its low bits alone are a good hash too.
///
/// # Examples
/// ```
/// use larder::pools::NameHash;
///
/// const FIRE: NameHash = NameHash::of("fire"); // by the compiler
/// let event = NameHash::of("fire");
/// assert!(event == FIRE && event != NameHash::of("water"));
/// assert_eq!(size_of::<NameHash>(), 8);
/// ```
#[doc(alias("hashed string", "string hash", "id64", "fnv"))]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct NameHash(u64);

impl NameHash {
    /// Returns the hash of a text. O(bytes).
    ///
    /// # Examples
    /// ```
    /// use larder::pools::NameHash;
    ///
    /// assert_ne!(NameHash::of("a"), NameHash::of("A"));
    /// ```
    #[must_use]
    #[inline]
    pub const fn of(text: &str) -> Self {
        let (bytes, mut hash, mut at) = (text.as_bytes(), 0xcbf2_9ce4_8422_2325_u64, 0);
        while at < bytes.len() {
            hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0000_0100_0000_01b3);
            at += 1;
        }
        hash = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self(hash ^ (hash >> 29))
    }

    /// Returns the hash as a number. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::pools::NameHash;
    ///
    /// let name = NameHash::of("wren");
    /// assert_eq!(NameHash::from_bits(name.to_bits()), name);
    /// ```
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// Returns the name with this hash. O(1).
    ///
    /// # Examples
    /// ```
    /// assert_ne!(larder::pools::NameHash::from_bits(1), larder::pools::NameHash::from_bits(2));
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

impl fmt::Display for NameHash {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:016x}", self.0)
    }
}

impl fmt::Debug for NameHash {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for NameHash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for NameHash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde::Deserialize::deserialize(deserializer).map(Self)
    }
}

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
