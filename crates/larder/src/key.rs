//! Keys: small, copyable, weak references to values in a container.
//!
//! | key | bytes | a stale key |
//! |---|---|---|
//! | [`Handle`] | 8 | has no value; a slot is retired after 2³¹ values |
//! | [`Handle32`] | 4 | has no value; a slot is retired after 2^(31 - INDEX_BITS) values |
//! | [`Serial`] | 16 | has no value; no slot is retired, and no number is issued twice |
//! | [`BareHandle`] | 4 | refers to the value that the slot has now, as an index into a `slab` does |
//!
//! The parameter `M` marks what a key is for, usually the element type: a `Handle<Tree>` cannot be
//! used in place of a `Handle<Bird>`. It takes no memory and needs no traits.
//!
//! A [`PtrHandle`] is not a key but another form of a [`Handle`], for memory that does not move: it has
//! the value's address instead of its slot.

mod bare_handle;
mod handle;
mod handle32;
mod ptr_handle;
mod serial;

use core::fmt::Debug;
use core::hash::Hash;

pub use bare_handle::BareHandle;
pub use handle::Handle;
pub use handle32::Handle32;
pub use ptr_handle::PtrHandle;
pub use serial::Serial;

/// What a container issues for its values: one of the key types of this module.
///
/// The trait is sealed. Keys are compared by slot, then by generation.
///
/// # Examples
/// ```
/// use larder::{Arena, Key};
///
/// fn highest_slot<T, K: Key>(arena: &Arena<T, K>) -> Option<u32> {
///     arena.last_key().map(Key::slot)
/// }
/// assert_eq!(highest_slot(&Arena::from_iter(["a", "b"])), Some(1));
/// ```
pub trait Key: Copy + Eq + Ord + Hash + Debug + Send + Sync + sealed::Compose {
    /// How many slots a container with this key can have.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle32, Key};
    ///
    /// assert_eq!(<Handle32<u8> as Key>::MAX_SLOTS, 1_048_575);
    /// ```
    const MAX_SLOTS: u32;

    /// A key that is never valid, in any container. Prefer `Option<K>`, which has the same size.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Handle, Key};
    ///
    /// const NOWHERE: Handle<u8> = Handle::DANGLING;
    /// assert_eq!(Arena::<u8>::from_iter([1]).get(NOWHERE), None);
    /// ```
    const DANGLING: Self;

    /// The number of the slot, from 0. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Key, key::BareHandle};
    ///
    /// let keys = [3, 1].map(|slot| BareHandle::<u8>::from_index(slot).unwrap());
    /// assert!(keys.map(Key::slot) == [3, 1]);
    /// ```
    fn slot(self) -> u32;
}

#[expect(unnameable_types, reason = "it seals the public trait `Key`")]
pub(crate) mod sealed {
    use crate::raw::generation::Generation;

    /// How a key is made of a slot and a generation.
    pub trait Compose: Sized {
        /// What a slot stores for this key.
        type Generation: Generation;

        /// The key of a live slot of this generation.
        fn compose(slot: u32, generation: Self::Generation) -> Self;

        /// The generation that the slot must have for the key to answer.
        fn generation(self) -> Self::Generation;
    }
}

/// The traits that every key has, without any demand on its marker type.
///
/// `order` gives a number that sorts by slot, then by generation; `show` prints a key.
macro_rules! key_traits {
    ($key:ident < M $(, const $bits:ident: $bits_type:ty)? >, show: $show:expr) => {
        impl<M $(, const $bits: $bits_type)?> Clone for $key<M $(, $bits)?> {
            #[inline]
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<M $(, const $bits: $bits_type)?> Copy for $key<M $(, $bits)?> {}

        impl<M $(, const $bits: $bits_type)?> PartialEq for $key<M $(, $bits)?> {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                self.to_bits() == other.to_bits()
            }
        }

        impl<M $(, const $bits: $bits_type)?> Eq for $key<M $(, $bits)?> {}

        impl<M $(, const $bits: $bits_type)?> PartialOrd for $key<M $(, $bits)?> {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl<M $(, const $bits: $bits_type)?> Ord for $key<M $(, $bits)?> {
            #[inline]
            fn cmp(&self, other: &Self) -> core::cmp::Ordering {
                self.order().cmp(&other.order())
            }
        }

        impl<M $(, const $bits: $bits_type)?> core::hash::Hash for $key<M $(, $bits)?> {
            #[inline]
            fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
                state.write_u64($crate::key::spread(self.hash_bits()));
            }
        }

        impl<M $(, const $bits: $bits_type)?> core::fmt::Debug for $key<M $(, $bits)?> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }

        impl<M $(, const $bits: $bits_type)?> core::fmt::Display for $key<M $(, $bits)?> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let show: fn(Self, &mut core::fmt::Formatter<'_>) -> core::fmt::Result = $show;
                show(*self, f)
            }
        }
    };
}
pub(crate) use key_traits;

/// Spreads the clustered bits of a key over a whole word, so that hashers which do nothing of
/// their own still fill their tables evenly.
///
/// The multiplication carries low bits up, the fold brings them down again (the constant is
/// 2⁶⁴ divided by the golden ratio, as in Knuth's multiplicative hashing).
#[inline]
pub(crate) const fn spread(bits: u64) -> u64 {
    let mixed = bits.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 32)
}
