//! Key types of other crates: a newtype of a key of this crate, made by a macro.
//!
//! **Invariant.** A [`KeyType`] is the key that it wraps and nothing else: it gives out what was put in, and is copied
//! and compared as that is. So all that unsafe code relies on for a key holds for these, too. The invariant of keys
//! as bytes is that of [`bytes`].

#![allow(unnameable_types, missing_debug_implementations, reason = "macros name them")]

use core::fmt::Debug;
use core::hash::Hash;

use crate::key::{Key, sealed::Compose};

/// A type that [`key_type!`](crate::key_type) made.
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

#[diagnostic::do_not_recommend]
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

#[diagnostic::do_not_recommend]
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
/// `Default` (dangling), `Debug` (`EnemyId(12v3)`, `EnemyId(DANGLING)`),
/// `Display` (`12v3`), a hole's value in columns, and the
/// traits of `serde` and `bytemuck` with the features of these names. Two key types do not mix.
///
/// In the parentheses is the wrapped key, with `Self` for its marker. Several types can be made at once. Each has
/// methods `slot`, `to_bits`, `from_bits` and `is_dangling`, and a constant `DANGLING`, which need no import.
///
/// The attributes of a type are documentation, `cfg`, `allow`, `expect`, `warn`, `deny`, `must_use` and `deprecated`,
/// and `cfg_attr` of these. A type whose `cfg` does not hold is not there, nor is anything of it. Any other attribute
/// is an error: it could change the type that the macro made.
///
/// # Examples
/// ```
/// use larder::{Arena, DenseArena, Handle32, key::Serial, key_type};
///
/// key_type! {
///     /// An enemy: its body and its name are in containers of their own.
///     pub struct EnemyId;
///     /// 4 bytes, for up to 16,777,215 bullets.
///     struct BulletId(Handle32<Self, 24>);
///     #[cfg(not(feature = "offline"))]
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
    ($(#[$($attr:tt)*])* $vis:vis struct $name:ident; $($rest:tt)*) => {
        $crate::key_type! {
            $(#[$($attr)*])* $vis struct $name($crate::Handle<Self>);
            $($rest)*
        }
    };
    ($(#[$($attr:tt)*])* $vis:vis struct $name:ident($key:ty); $($rest:tt)*) => {
        $crate::__key_type_attributes! {
            { $vis struct $name($key); } [] [] $([() $($attr)*])*
        }
        $crate::key_type! { $($rest)* }
    };
}

/// Sorts the attributes of a key type. Those that decide whether the type is there stand before all that is made of it;
/// the others, of the type alone, are known to leave it as it is.
///
/// An attribute is `[(condition, …) its tokens]`: the conditions are those of each `cfg_attr` around it.
#[doc(hidden)]
#[macro_export]
macro_rules! __key_type_attributes {
    ({ $($type:tt)* } [$($cfg:tt)*] [$($harmless:tt)*]) => {
        $($cfg)*
        $crate::__key_type! { $($harmless)* $($type)* }
    };

    ($type:tt [$($cfg:tt)*] $harmless:tt [($($if:tt)*) cfg($($is:tt)*)] $($rest:tt)*) => {
        $crate::__key_type_attributes! {
            $type [$($cfg)* #[cfg_attr(all($($if)*), cfg($($is)*))]] $harmless $($rest)*
        }
    };

    // (Attributes are handled one after another. The tokens before a comma are `name`, `name(…)` or `name = …`.)
    ($type:tt $cfg:tt $harmless:tt [$if:tt cfg_attr($also:meta $(,)?)] $($rest:tt)*) => {
        $crate::__key_type_attributes! { $type $cfg $harmless $($rest)* }
    };
    (
        $type:tt $cfg:tt $harmless:tt
        [($($if:tt)*) cfg_attr($also:meta, $name:ident ($($in:tt)*) $(, $($more:tt)*)?)] $($rest:tt)*
    ) => {
        $crate::__key_type_attributes! {
            $type $cfg $harmless
            [($($if)* $also,) $name($($in)*)] [($($if)*) cfg_attr($also, $($($more)*)?)] $($rest)*
        }
    };
    (
        $type:tt $cfg:tt $harmless:tt
        [($($if:tt)*) cfg_attr($also:meta, $name:ident = $text:expr $(, $($more:tt)*)?)] $($rest:tt)*
    ) => {
        $crate::__key_type_attributes! {
            $type $cfg $harmless
            [($($if)* $also,) $name = $text] [($($if)*) cfg_attr($also, $($($more)*)?)] $($rest)*
        }
    };
    (
        $type:tt $cfg:tt $harmless:tt
        [($($if:tt)*) cfg_attr($also:meta, $name:ident $(, $($more:tt)*)?)] $($rest:tt)*
    ) => {
        $crate::__key_type_attributes! {
            $type $cfg $harmless
            [($($if)* $also,) $name] [($($if)*) cfg_attr($also, $($($more)*)?)] $($rest)*
        }
    };

    // (A path such as `doc::name` is not an attribute of the language, whatever it begins with.)
    ($type:tt $cfg:tt $own:tt [$if:tt $name:ident :: $($path:tt)*] $($rest:tt)*) => {
        $crate::__key_type_attributes! { @refused $type $cfg $own [$if $name :: $($path)*] $($rest)* }
    };
    ($type:tt $cfg:tt $own:tt [$if:tt doc $($is:tt)*] $($rest:tt)*) => {
        $crate::__key_type_attributes! { @harmless $type $cfg $own [$if doc $($is)*] $($rest)* }
    };
    ($type:tt $cfg:tt $own:tt [$if:tt allow $($is:tt)*] $($rest:tt)*) => {
        $crate::__key_type_attributes! { @harmless $type $cfg $own [$if allow $($is)*] $($rest)* }
    };
    ($type:tt $cfg:tt $own:tt [$if:tt expect $($is:tt)*] $($rest:tt)*) => {
        $crate::__key_type_attributes! { @harmless $type $cfg $own [$if expect $($is)*] $($rest)* }
    };
    ($type:tt $cfg:tt $own:tt [$if:tt warn $($is:tt)*] $($rest:tt)*) => {
        $crate::__key_type_attributes! { @harmless $type $cfg $own [$if warn $($is)*] $($rest)* }
    };
    ($type:tt $cfg:tt $own:tt [$if:tt deny $($is:tt)*] $($rest:tt)*) => {
        $crate::__key_type_attributes! { @harmless $type $cfg $own [$if deny $($is)*] $($rest)* }
    };
    ($type:tt $cfg:tt $own:tt [$if:tt must_use $($is:tt)*] $($rest:tt)*) => {
        $crate::__key_type_attributes! { @harmless $type $cfg $own [$if must_use $($is)*] $($rest)* }
    };
    ($type:tt $cfg:tt $own:tt [$if:tt deprecated $($is:tt)*] $($rest:tt)*) => {
        $crate::__key_type_attributes! { @harmless $type $cfg $own [$if deprecated $($is)*] $($rest)* }
    };
    (
        @harmless $type:tt $cfg:tt [$($harmless:tt)*] [($($if:tt)*) $($attr:tt)*] $($rest:tt)*
    ) => {
        $crate::__key_type_attributes! {
            $type $cfg [$($harmless)* #[cfg_attr(all($($if)*), $($attr)*)]] $($rest)*
        }
    };

    // (The type is made all the same, so that this is the only error.)
    ($type:tt $cfg:tt $own:tt [$if:tt $($attr:tt)*] $($rest:tt)*) => {
        $crate::__key_type_attributes! { @refused $type $cfg $own [$if $($attr)*] $($rest)* }
    };
    (@refused $type:tt $cfg:tt $harmless:tt [$if:tt $($attr:tt)*] $($rest:tt)*) => {
        $crate::key::derived::core::compile_error!($crate::key::derived::core::concat!(
            "`key_type!` does not take the attribute `",
            $crate::key::derived::core::stringify!($($attr)*),
            "`, which could change the type: it takes documentation, `cfg`, `cfg_attr`, `allow`, `expect`, `warn`, ",
            "`deny`, `must_use` and `deprecated`",
        ));
        $crate::__key_type_attributes! { $type $cfg $harmless $($rest)* }
    };
}

/// One key type, whose attributes are harmless.
///
/// (`core` is that of this crate, and `derive` is named by its path: each can mean something else where the macro is
/// used. The attributes of the language cannot: to import another of their names is an error there.)
#[doc(hidden)]
#[macro_export]
macro_rules! __key_type {
    ($(#[$attr:meta])* $vis:vis struct $name:ident($key:ty);) => {
        $(#[$attr])*
        #[$crate::key::derived::core::prelude::v1::derive(
            $crate::key::derived::core::clone::Clone,
            $crate::key::derived::core::marker::Copy,
            $crate::key::derived::core::cmp::PartialEq,
            $crate::key::derived::core::cmp::Eq,
            $crate::key::derived::core::cmp::PartialOrd,
            $crate::key::derived::core::cmp::Ord,
            $crate::key::derived::core::hash::Hash,
            $crate::key::derived::core::default::Default,
            $crate::key::derived::core::fmt::Debug,
        )]
        #[repr(transparent)]
        $vis struct $name($key);

        #[allow(dead_code, deprecated)]
        const _: () = {
            impl $name {
                /// The key that is never valid, in any container.
                pub const DANGLING: Self = Self(<$key>::DANGLING);

                /// Returns the number of the slot, from 0. O(1).
                #[inline]
                #[must_use]
                pub const fn slot(self) -> $crate::key::derived::core::primitive::u32 {
                    <$key>::slot(self.0)
                }

                /// Returns the key as a number, for files, networks and scripts. O(1). The form will not change.
                #[inline]
                #[must_use]
                pub const fn to_bits(self) -> <$key as $crate::Key>::Bits {
                    <$key>::to_bits(self.0)
                }

                /// Returns the key whose number this is; `None` where a key cannot have this number. O(1).
                ///
                /// Any key is safe to use: one that was never issued has no value.
                #[inline]
                #[must_use]
                pub const fn from_bits(
                    bits: <$key as $crate::Key>::Bits,
                ) -> $crate::key::derived::core::option::Option<Self> {
                    match <$key>::from_bits(bits) {
                        $crate::key::derived::core::option::Option::Some(key) => {
                            $crate::key::derived::core::option::Option::Some(Self(key))
                        }
                        $crate::key::derived::core::option::Option::None => {
                            $crate::key::derived::core::option::Option::None
                        }
                    }
                }

                /// Returns whether this is the key that is never valid. O(1).
                #[inline]
                #[must_use]
                pub const fn is_dangling(self) -> $crate::key::derived::core::primitive::bool {
                    <$key>::is_dangling(self.0)
                }
            }

            impl $crate::key::derived::core::fmt::Display for $name {
                fn fmt(
                    &self,
                    f: &mut $crate::key::derived::core::fmt::Formatter<'_>,
                ) -> $crate::key::derived::core::fmt::Result {
                    $crate::key::derived::core::fmt::Display::fmt(&self.0, f)
                }
            }

            // SAFETY: the functions put the key in and take it out (1), and the traits are derived (2). The type is
            // the one above: a scope has no other of that name, it is there if this is, and no attribute changes it.
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

            $crate::__key_type_in_columns! { $name }
            $crate::__key_type_saved! { $name }
            $crate::__key_type_as_bytes! { $name }
        };
    };
}

#[doc(hidden)]
#[cfg(not(feature = "columns"))]
#[macro_export]
macro_rules! __key_type_in_columns {
    ($name:ident) => {};
}

/// A key type is one column.
#[doc(hidden)]
#[cfg(feature = "columns")]
#[macro_export]
macro_rules! __key_type_in_columns {
    ($name:ident) => {
        impl $crate::soa::Fill for $name {
            const FILL: Self = <Self as $crate::Key>::DANGLING;
        }

        $crate::__one_column! { [] $name; }
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
            ) -> $crate::key::derived::core::result::Result<S::Ok, S::Error> {
                $crate::key::derived::serde::Serialize::serialize(&self.0, to)
            }
        }

        impl<'de> $crate::key::derived::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::key::derived::serde::Deserializer<'de>>(
                from: D,
            ) -> $crate::key::derived::core::result::Result<Self, D::Error> {
                let key = $crate::key::derived::serde::Deserialize::deserialize(from)?;
                $crate::key::derived::core::result::Result::Ok(Self(key))
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
            fn is_valid_bit_pattern(bits: &Self::Bits) -> $crate::key::derived::core::primitive::bool {
                <$crate::key::derived::Wrapped<$name> as $crate::key::derived::bytemuck::CheckedBitPattern>
                    ::is_valid_bit_pattern(bits)
            }
        }

        // SAFETY: it is transparent around a key, whose niche is zero.
        unsafe impl $crate::key::derived::bytemuck::ZeroableInOption for $name {}
    };
}

#[cfg(feature = "bytemuck")]
pub(crate) mod bytes {
    //! Keys as bytes, and bytes as keys, by the traits of `bytemuck`.
    //!
    //! **Invariant.** A key here is one number and nothing else (`repr(C)` or `repr(transparent)` around it,
    //! its size asserted beside it), so it has no padding; bytes become a key only where the key's own
    //! function makes one of that very number (of the dangling keys there is one). `Serial` is two numbers,
    //! and has padding. Bytes of zeros are no key, so none is `Zeroable`; they are `None`, since that is
    //! where the niche is.

    use bytemuck::{CheckedBitPattern, NoUninit, Pod, Zeroable, ZeroableInOption};

    use super::Wrapped;
    use crate::key::{BareHandle, Handle, Handle32, Serial};

    /// The bits of a [`Handle`], aligned as it is on every target.
    #[derive(Clone, Copy, Debug)]
    #[repr(C, align(8))]
    #[expect(unnameable_types, reason = "what the bytes of a handle are before they are checked")]
    pub struct HandleBits(u64);

    // SAFETY: a number, whose bytes may all be zero.
    unsafe impl Zeroable for HandleBits {}
    // SAFETY: a number, whose bytes may be anything, without padding: its alignment is its size.
    unsafe impl Pod for HandleBits {}

    // SAFETY: one number without padding.
    unsafe impl<M: 'static> NoUninit for Handle<M> {}
    // SAFETY: one number without padding.
    unsafe impl<M: 'static, const INDEX_BITS: u32> NoUninit for Handle32<M, INDEX_BITS> {}
    // SAFETY: one number without padding.
    unsafe impl<M: 'static> NoUninit for BareHandle<M> {}

    // SAFETY: `Bits` is its number, of the same size and alignment; `from_bits` refuses all others.
    unsafe impl<M: 'static> CheckedBitPattern for Handle<M> {
        type Bits = HandleBits;

        #[inline]
        fn is_valid_bit_pattern(bits: &HandleBits) -> bool {
            Self::from_bits(bits.0).is_some_and(|key| key.to_bits() == bits.0)
        }
    }

    // SAFETY: so are these `Bits`.
    unsafe impl<M: 'static, const INDEX_BITS: u32> CheckedBitPattern for Handle32<M, INDEX_BITS> {
        type Bits = u32;

        #[inline]
        fn is_valid_bit_pattern(bits: &u32) -> bool {
            Self::from_bits(*bits).is_some_and(|key| key.to_bits() == *bits)
        }
    }

    // SAFETY: the number is one more than the slot's, and any but zero.
    unsafe impl<M: 'static> CheckedBitPattern for BareHandle<M> {
        type Bits = u32;

        #[inline]
        fn is_valid_bit_pattern(bits: &u32) -> bool {
            *bits != 0
        }
    }

    // SAFETY: the niche of its `NonZeroU64` is zero.
    unsafe impl<M> ZeroableInOption for Handle<M> {}
    // SAFETY: the niche of its `NonZeroU32` is zero.
    unsafe impl<M, const INDEX_BITS: u32> ZeroableInOption for Handle32<M, INDEX_BITS> {}
    // SAFETY: the niche of its `NonZeroU32` is zero.
    unsafe impl<M> ZeroableInOption for BareHandle<M> {}
    // SAFETY: the niche of its `NonZeroU64` is zero; the slot may be anything then.
    unsafe impl<M> ZeroableInOption for Serial<M> {}

    /// A key with the traits above. The lifetime means nothing: it lets a macro ask whether a key has them, where
    /// a plain bound that is false would be an error.
    pub trait AsBytes<'a>: NoUninit + CheckedBitPattern {}

    impl<K: NoUninit + CheckedBitPattern> AsBytes<'_> for K {}

    /// The bytes of a key type before they are checked.
    pub type BytesOf<K> = <Wrapped<K> as CheckedBitPattern>::Bits;
}
