//! Keys as bytes, and bytes as keys, by the traits of `bytemuck`.
//!
//! **Invariant.** A key here is one number and nothing else (`repr(C)` or `repr(transparent)` around it,
//! its size asserted beside it), so it has no padding; bytes become a key only where the key's own
//! function makes one of that very number (of the dangling keys there is one). `Serial` is two numbers, and has padding. Bytes of zeros are
//! no key, so none is `Zeroable`; they are `None`, since that is where the niche is.

use bytemuck::{CheckedBitPattern, NoUninit, Pod, Zeroable, ZeroableInOption};

use crate::key::{BareHandle, Handle, Handle32, Serial};
use crate::raw::key_type::Wrapped;

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

/// What the bytes of a key type are before they are checked.
pub type BytesOf<K> = <Wrapped<K> as CheckedBitPattern>::Bits;

#[cfg(all(feature = "hashbrown", feature = "pools"))]
mod symbol {
    use crate::pools::Symbol;

    // SAFETY: one number without padding.
    unsafe impl bytemuck::NoUninit for Symbol {}
    // SAFETY: any number but zero is a symbol; it is of the same size and alignment.
    unsafe impl bytemuck::CheckedBitPattern for Symbol {
        type Bits = u32;

        #[inline]
        fn is_valid_bit_pattern(bits: &u32) -> bool {
            *bits != 0
        }
    }
    // SAFETY: the niche of its `NonZeroU32` is zero.
    unsafe impl bytemuck::ZeroableInOption for Symbol {}
}

#[cfg(all(feature = "alloc", feature = "pools"))]
mod list {
    use crate::pools::list_pool::ListHandle;

    // SAFETY: one number without padding.
    unsafe impl<T: 'static> bytemuck::NoUninit for ListHandle<T> {}
    // SAFETY: its bits are of the same size and alignment, and any handle is safe to use.
    unsafe impl<T: 'static> bytemuck::CheckedBitPattern for ListHandle<T> {
        type Bits = u64;

        #[inline]
        fn is_valid_bit_pattern(bits: &u64) -> bool {
            Self::from_bits(*bits).is_some()
        }
    }
    // SAFETY: zero is the list without values.
    unsafe impl<T: 'static> bytemuck::Zeroable for ListHandle<T> {}
}

#[cfg(feature = "trees")]
mod links {
    use bytemuck::{CheckedBitPattern, NoUninit, Pod, ZeroableInOption};

    use crate::key::Key;
    use crate::trees::Links;

    // SAFETY: `repr(C)`, four times `Option<K>`. A key with these traits is one number, and so is an option of it, since its
    // niche is zero: nothing is padding.
    unsafe impl<K: Key + NoUninit + ZeroableInOption> NoUninit for Links<K> {}

    // SAFETY: four times the key's own bits, of the same size and alignment. Each is zero, which is `None`, or a key.
    unsafe impl<K> CheckedBitPattern for Links<K>
    where
        K: Key + ZeroableInOption + CheckedBitPattern<Bits: Pod> + 'static,
    {
        type Bits = [<K as CheckedBitPattern>::Bits; 4];

        #[inline]
        fn is_valid_bit_pattern(bits: &Self::Bits) -> bool {
            bits.iter().all(|bits| {
                let is_none = bytemuck::bytes_of(bits).iter().all(|&byte| byte == 0);
                is_none || K::is_valid_bit_pattern(bits)
            })
        }
    }
}
