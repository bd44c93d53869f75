//! Key types of other crates: a newtype of a key of this crate, made by a macro.
//!
//! **Invariant.** A [`KeyType`] is the key that it wraps and nothing else: it gives out what was put in, and
//! is copied and compared as that is. So what the raw layer knows of a key it knows of these, too.

use core::fmt::Debug;
use core::hash::Hash;

use crate::key::{Key, sealed::Compose};

/// What [`key_type!`](crate::key_type) implements.
///
/// # Safety
/// 1. `unwrap` returns the key that `wrap` was given, each time; `DANGLING` wraps the dangling key.
/// 2. `Clone`, `PartialEq`, `Ord` and `Hash` are those of the wrapped key.
pub unsafe trait KeyType: Copy + Eq + Ord + Hash + Debug + Default + Send + Sync {
    /// The key that it wraps.
    type Wrapped: Key;

    /// The key that is never valid.
    const DANGLING: Self;

    /// The key around that one.
    fn wrap(key: Self::Wrapped) -> Self;

    /// The key within.
    fn unwrap(self) -> Self::Wrapped;
}

/// The key that a key type wraps.
pub type Wrapped<K> = <K as KeyType>::Wrapped;

impl<K: KeyType> Compose for K {
    type Generation = <K::Wrapped as Compose>::Generation;

    #[inline(always)]
    fn compose(slot: u32, generation: Self::Generation) -> Self {
        Self::wrap(K::Wrapped::compose(slot, generation))
    }

    #[inline(always)]
    fn generation(self) -> Self::Generation {
        self.unwrap().generation()
    }
}

impl<K: KeyType> Key for K {
    type Bits = <K::Wrapped as Key>::Bits;

    const MAX_SLOTS: u32 = K::Wrapped::MAX_SLOTS;

    const DANGLING: Self = <Self as KeyType>::DANGLING;

    #[inline(always)]
    fn slot(self) -> u32 {
        self.unwrap().slot()
    }

    #[inline(always)]
    fn to_bits(self) -> Self::Bits {
        self.unwrap().to_bits()
    }

    #[inline(always)]
    fn from_bits(bits: Self::Bits) -> Option<Self> {
        K::Wrapped::from_bits(bits).map(Self::wrap)
    }
}

/// Makes key types: each is a newtype of a key, a [`Handle`](crate::Handle) where nothing is said, and itself
/// a [`Key`].
///
/// A type of the caller's crate can have methods and implement traits of other crates, and several containers
/// can share it. It has what the wrapped key has: size, niche in `Option`, `Copy`, `Eq`, `Ord`, `Hash`,
/// `Default` (dangling), `Debug` (`EnemyId(12v3)`), `Display` (`12v3`), a hole's value in columns, and the
/// traits of `serde` and `bytemuck` with the features of these names. Two key types do not mix.
///
/// In the parentheses is the wrapped key, with `Self` for its marker. Attributes and documentation are those of
/// the type; several types can be made at once.
///
/// # Examples
/// ```
/// use larder::{Arena, DenseArena, Handle32, Key, key::Serial, key_type};
///
/// key_type! {
///     /// An enemy: its body and its name are in containers of their own.
///     pub struct EnemyId;
///     /// 4 bytes, for up to 16,777,215 bullets.
///     struct BulletId(Handle32<Self, 24>);
///     struct OrderId(Serial<Self>);
/// }
///
/// impl From<EnemyId> for u64 {
///     fn from(id: EnemyId) -> u64 {
///         id.to_bits()
///     }
/// }
///
/// let mut names: Arena<&str, EnemyId> = Arena::with_key();
/// let mut armour: DenseArena<u8, EnemyId> = DenseArena::with_key();
/// let id = names.insert("troll");
/// assert_eq!(armour.insert(3), id); // the same slots in the same order: the same key
/// assert_eq!((names[id], armour[id], u64::from(id)), ("troll", 3, 1 << 32));
/// assert_eq!((size_of::<Option<BulletId>>(), size_of::<OrderId>()), (4, 16));
/// ```
///
/// With the key as its own type, a tuple can contain its own key:
/// ```
/// larder::key_type! { struct Id; }
///
/// let mut arena: larder::Arena<(Id, char), Id> = larder::Arena::with_key();
/// let id = arena.insert_with_key(|id| (id, 'a'));
/// assert_eq!(arena[id], (id, 'a'));
/// ```
#[macro_export]
macro_rules! key_type {
    () => {};
    ($(#[$attr:meta])* $vis:vis struct $name:ident; $($rest:tt)*) => {
        $crate::key_type! {
            $(#[$attr])* $vis struct $name($crate::Handle<Self>);
            $($rest)*
        }
    };
    ($(#[$attr:meta])* $vis:vis struct $name:ident($key:ty); $($rest:tt)*) => {
        $(#[$attr])*
        // (By their paths: names can mean other derives where the macro is used.)
        #[derive(
            ::core::clone::Clone, ::core::marker::Copy, ::core::cmp::PartialEq, ::core::cmp::Eq,
            ::core::cmp::PartialOrd, ::core::cmp::Ord, ::core::hash::Hash, ::core::default::Default,
            ::core::fmt::Debug,
        )]
        #[repr(transparent)]
        $vis struct $name($key);

        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(&self.0, f)
            }
        }

        // SAFETY: the functions put the key in and take it out (1), and the traits are derived (2).
        unsafe impl $crate::key::derived::KeyType for $name {
            type Wrapped = $key;

            const DANGLING: Self = Self(<$key as $crate::Key>::DANGLING);

            #[inline(always)]
            fn wrap(key: $key) -> Self {
                Self(key)
            }

            #[inline(always)]
            fn unwrap(self) -> $key {
                self.0
            }
        }

        impl $crate::soa::Fill for $name {
            const FILL: Self = <Self as $crate::Key>::DANGLING;
        }

        $crate::__one_column! { [] $name; }
        $crate::__key_type_saved! { $name }
        $crate::__key_type_as_bytes! { $name }
        $crate::key_type! { $($rest)* }
    };
}

#[doc(hidden)]
#[cfg(not(feature = "serde"))]
#[macro_export]
macro_rules! __key_type_saved {
    ($name:ident) => {};
}

#[doc(hidden)]
#[cfg(feature = "serde")]
#[macro_export]
macro_rules! __key_type_saved {
    ($name:ident) => {
        impl $crate::key::derived::serde::Serialize for $name {
            fn serialize<S: $crate::key::derived::serde::Serializer>(
                &self,
                to: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::key::derived::serde::Serialize::serialize(&self.0, to)
            }
        }

        impl<'de> $crate::key::derived::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::key::derived::serde::Deserializer<'de>>(
                from: D,
            ) -> ::core::result::Result<Self, D::Error> {
                let key = $crate::key::derived::serde::Deserialize::deserialize(from)?;
                ::core::result::Result::Ok(Self(key))
            }
        }
    };
}

#[doc(hidden)]
#[cfg(not(feature = "bytemuck"))]
#[macro_export]
macro_rules! __key_type_as_bytes {
    ($name:ident) => {};
}

#[doc(hidden)]
#[cfg(feature = "bytemuck")]
#[macro_export]
macro_rules! __key_type_as_bytes {
    ($name:ident) => {
        // SAFETY: it is transparent around a key, whose bytes those are.
        unsafe impl $crate::key::derived::bytemuck::NoUninit for $name where
            for<'a> $crate::key::derived::Wrapped<$name>: $crate::key::derived::AsBytes<'a>
        {
        }

        // SAFETY: it is transparent around a key, and has the key's bytes.
        unsafe impl $crate::key::derived::bytemuck::CheckedBitPattern for $name
        where
            for<'a> $crate::key::derived::Wrapped<$name>: $crate::key::derived::AsBytes<'a>,
        {
            type Bits = $crate::key::derived::BytesOf<$name>;

            #[inline]
            fn is_valid_bit_pattern(bits: &Self::Bits) -> bool {
                <$crate::key::derived::Wrapped<$name> as $crate::key::derived::bytemuck::CheckedBitPattern>
                    ::is_valid_bit_pattern(bits)
            }
        }

        // SAFETY: it is transparent around a key, whose niche is zero.
        unsafe impl $crate::key::derived::bytemuck::ZeroableInOption for $name {}
    };
}
