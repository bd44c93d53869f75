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
//! [`key_type!`](crate::key_type) defines a key type of your own from any of these: to give it traits and
//! methods, or to let several containers share it.
//!
//! A [`PtrHandle`] is not a key but another form of a [`Handle`], for memory that does not move: it has
//! the value's address instead of its slot.

pub(crate) mod generation;
mod handle;
mod pointer;
#[expect(unsafe_code, reason = "its files are in the ledger")]
mod raw;
mod serial;

use core::fmt::Debug;
use core::hash::Hash;

use crate::key::generation::Generation;

pub use handle::{BareHandle, Handle, Handle32};
pub use pointer::PtrHandle;
pub use serial::Serial;

/// A type of keys, which containers issue for their values: one of the types of this module, or one defined
/// by [`key_type!`](crate::key_type).
///
/// The trait is sealed: safe code cannot create the numbers that only free slots store. Keys are compared by
/// slot, then by generation.
///
/// A key whose slot has the highest number, [`MAX_SLOTS`](Self::MAX_SLOTS), is *dangling*: no container has
/// this slot. All such keys are equal to [`DANGLING`](Self::DANGLING), which is also the `Default`, and to a
/// saved `Key::null()` of `slotmap`.
///
/// # Examples
/// ```
/// use larder::{Arena, Key};
///
/// fn highest_slot<T, K: Key>(arena: &Arena<T, K>) -> Option<u32> {
///     arena.keys().next_back().map(Key::slot)
/// }
/// assert_eq!(highest_slot(&Arena::from_iter(["a", "b"])), Some(1));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key",
    note = "`larder::key_type!` makes keys of one's own"
)]
pub trait Key: Copy + Eq + Ord + Hash + Debug + Default + Send + Sync + sealed::Compose {
    /// A number that has room for a key.
    type Bits: Copy + Eq + Ord + Hash + Debug + Into<u128> + TryFrom<u128>;

    /// The greatest number of slots of a container with this key.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle32, Key};
    ///
    /// assert_eq!(<Handle32<u8> as Key>::MAX_SLOTS, 1_048_575);
    /// ```
    const MAX_SLOTS: u32;

    /// The key that is never valid, in any container.
    ///
    /// Prefer `Option<K>`, which has the same size, except in plain data: the derives of `bytemuck` accept a key as a
    /// field, but not an `Option` of one. There, this is the key of nothing.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Handle, Key};
    ///
    /// const NOWHERE: Handle<u8> = Handle::DANGLING;
    /// assert_eq!(Arena::<u8>::from_iter([1]).get(NOWHERE), None);
    /// ```
    const DANGLING: Self;

    /// Returns the number of the slot, from 0. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Key, key::BareHandle};
    ///
    /// let keys = [3, 1].map(|slot| BareHandle::<u8>::from_index(slot).unwrap());
    /// assert!(keys.map(Key::slot) == [3, 1]);
    /// ```
    fn slot(self) -> u32;

    /// Returns the key as a number, for files, networks and scripts. O(1). The form will not change.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Key};
    ///
    /// fn numbers<T, K: Key>(arena: &Arena<T, K>) -> Vec<K::Bits> {
    ///     arena.keys().map(Key::to_bits).collect()
    /// }
    /// assert_eq!(numbers(&Arena::from_iter(["a", "b"])), [1 << 32, 1 << 32 | 1]);
    /// ```
    fn to_bits(self) -> Self::Bits;

    /// Returns the key whose number this is; `None` where a key cannot have this number. O(1).
    ///
    /// Any key is safe to use: one that was never issued has no value.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Key};
    ///
    /// fn named<T, K: Key>(arena: &Arena<T, K>, number: K::Bits) -> Option<&T> {
    ///     arena.get(K::from_bits(number)?)
    /// }
    /// let arena = Arena::from_iter(["a", "b"]);
    /// assert_eq!(named(&arena, 1 << 32 | 1), Some(&"b"));
    /// assert_eq!(named(&arena, 2), None);
    /// ```
    fn from_bits(bits: Self::Bits) -> Option<Self>;

    /// Returns whether this is the key that is never valid. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, Key};
    ///
    /// assert!(Handle::<u8>::default().is_dangling());
    /// assert!(!larder::Arena::new().insert('a').is_dangling());
    /// ```
    #[inline]
    fn is_dangling(self) -> bool {
        self.slot() == Self::DANGLING.slot()
    }

    /// Returns whether a container could have a value under this key: it is not [dangling](Self::is_dangling), and its
    /// generation is one that values have. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, Key};
    ///
    /// assert!(larder::Arena::new().insert('a').can_be_live());
    /// assert!(!Handle::<u8>::DANGLING.can_be_live());
    /// ```
    #[inline]
    fn can_be_live(self) -> bool {
        // (All keys of the slot that no container has are equal: for most key types their
        // generation says it, too.)
        let has_slot = !has_live_generation(Self::DANGLING) || self.slot() < Self::MAX_SLOTS;
        has_slot && has_live_generation(self)
    }

    /// Returns whether a key was issued before another of the same slot. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Key};
    ///
    /// let mut arena = Arena::new();
    /// let first = arena.insert("first");
    /// arena.remove(first);
    /// let second = arena.insert("second"); // in the same slot
    /// assert!(first.is_older_than(second) && !second.is_older_than(first));
    /// ```
    #[inline]
    fn is_older_than(self, other: Self) -> bool {
        self.generation().to_u64() < other.generation().to_u64()
    }
}

/// Returns whether a container could have a value under this key, whose slot exists. Otherwise like
/// [`Key::can_be_live`].
#[inline(always)]
pub(crate) fn has_live_generation<K: Key>(key: K) -> bool {
    key.generation().can_be_live()
}

/// The items to which [`key_type!`](crate::key_type) expands.
#[doc(hidden)]
pub mod derived {
    #[cfg(feature = "bytemuck")]
    pub use crate::key::raw::bytes::{AsBytes, BytesOf};
    pub use crate::key::raw::{KeyType, Wrapped};
    #[cfg(feature = "bytemuck")]
    pub use bytemuck;
    pub use core;
    #[cfg(feature = "serde")]
    pub use serde;
}

#[expect(unnameable_types, reason = "it seals the public trait `Key`")]
pub(crate) mod sealed {
    use crate::key::generation::Generation;

    /// Makes a key of a slot and a generation.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is not a key",
        note = "`larder::key_type!` makes keys of one's own"
    )]
    pub trait Compose: Sized {
        /// The number that a slot stores for this key.
        type Generation: Generation;

        /// The key of a live slot of this generation.
        fn compose(slot: u32, generation: Self::Generation) -> Self;

        /// The generation that the slot must have for the key to answer.
        fn generation(self) -> Self::Generation;
    }
}

/// `Key` and `Default`, by the methods of the same names, and the dangling key without an import.
macro_rules! key {
    (
        $key:ident < M $(, const $param:ident: $param_type:ty)? > $(where [$($bound:tt)*])?, $bits:ty,
        max_slots: $max_slots:expr, dangling: $dangling:expr
    ) => {
        impl<M $(, const $param: $param_type)?> $key<M $(, $param)?> {
            /// The key that is never valid, in any container; see [`Key::DANGLING`].
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::key::", stringify!($key), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($key), "::<u8>::DANGLING, ", stringify!($key), "::default());")]
            /// ```
            pub const DANGLING: Self = $dangling;

            /// Returns whether this is the key that is never valid. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::key::", stringify!($key), ";")]
            ///
            #[doc = concat!("assert!(", stringify!($key), "::<u8>::DANGLING.is_dangling());")]
            /// ```
            #[inline]
            #[must_use]
            pub const fn is_dangling(self) -> bool {
                self.slot() == Self::DANGLING.slot()
            }
        }

        impl<M $(, const $param: $param_type)?> Key for $key<M $(, $param)?>
        $(where $($bound)*)?
        {
            type Bits = $bits;

            const MAX_SLOTS: u32 = $max_slots;

            const DANGLING: Self = Self::DANGLING;

            #[inline]
            fn slot(self) -> u32 {
                self.slot()
            }

            #[inline]
            fn to_bits(self) -> $bits {
                self.to_bits()
            }

            #[inline]
            fn from_bits(bits: $bits) -> Option<Self> {
                Self::from_bits(bits)
            }
        }

        /// The dangling key.
        impl<M $(, const $param: $param_type)?> Default for $key<M $(, $param)?>
        $(where $($bound)*)?
        {
            #[inline]
            fn default() -> Self {
                Self::DANGLING
            }
        }
    };
}
pub(crate) use key;

/// The traits that every key has, without any demand on its marker type.
///
/// `order` gives a number that sorts by slot, then by generation; `show` prints a key.
macro_rules! key_traits {
    ($key:ident < M $(, const $bits:ident: $bits_type:ty)? >, dangling: $dangling:expr, show: $show:expr) => {
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

        /// Prints what `Display` does; the dangling key prints as `DANGLING`.
        impl<M $(, const $bits: $bits_type)?> core::fmt::Debug for $key<M $(, $bits)?> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let is_dangling: fn(&Self) -> bool = $dangling;
                if is_dangling(self) {
                    return f.write_str("DANGLING");
                }
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
