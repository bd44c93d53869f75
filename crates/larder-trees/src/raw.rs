//! Links as bytes, and bytes as links, by the traits of `bytemuck`.
//!
//! **Invariant.** Links in a hierarchy are four keys or none, those in a list its number and two keys or none: numbers
//! side by side, without padding. Bytes become links only where each key in them is one, or none.

use bytemuck::{AnyBitPattern, CheckedBitPattern, NoUninit, Pod, Zeroable, ZeroableInOption};

use crate::{Link, Links};
use larder_core::key::Key;

/// Zero, which is `None`, or a key.
fn is_option<K: CheckedBitPattern<Bits: Pod>>(bits: &K::Bits) -> bool {
    let is_none = bytemuck::bytes_of(bits).iter().all(|&byte| byte == 0);
    is_none || K::is_valid_bit_pattern(bits)
}

// SAFETY: `repr(C)`, four times `Option<K>`. A key with these traits is one number, and so
// is an option of it, since its niche is zero: nothing is padding.
unsafe impl<K: Key + NoUninit + ZeroableInOption> NoUninit for Links<K> {}

// SAFETY: four times the key's own bits, of the same size and alignment. Each is zero,
// which is `None`, or a key.
unsafe impl<K> CheckedBitPattern for Links<K>
where
    K: Key + ZeroableInOption + CheckedBitPattern<Bits: Pod> + 'static,
{
    type Bits = [<K as CheckedBitPattern>::Bits; 4];

    #[inline]
    fn is_valid_bit_pattern(bits: &Self::Bits) -> bool {
        bits.iter().all(is_option::<K>)
    }
}

/// The bits of a [`Link`]: the number of its list, and those of two keys.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(4))]
#[expect(unnameable_types, reason = "what the bytes of a link are before they are checked")]
pub struct LinkBits<B>(u32, [B; 2]);

// SAFETY: numbers, whose bytes may all be zero.
unsafe impl<B: Pod> Zeroable for LinkBits<B> {}
// SAFETY: numbers, whose bytes may be anything.
unsafe impl<B: Pod> AnyBitPattern for LinkBits<B> {}

// SAFETY: `repr(C, packed(4))`, an option of a number of 4 bytes whose niche is zero, and twice `Option<K>`,
// which is one number as above, of a multiple of 4 bytes: nothing is padding.
unsafe impl<K: Key + NoUninit + ZeroableInOption> NoUninit for Link<K> {}

// SAFETY: the same fields, of the same representation; of the number of a list any bits are an option, and each
// of the others is zero or a key.
unsafe impl<K> CheckedBitPattern for Link<K>
where
    K: Key + ZeroableInOption + CheckedBitPattern<Bits: Pod> + 'static,
{
    type Bits = LinkBits<<K as CheckedBitPattern>::Bits>;

    #[inline]
    fn is_valid_bit_pattern(bits: &Self::Bits) -> bool {
        const { assert!(size_of::<Self>() == 4 + 2 * size_of::<K>()) };
        let [prev, next] = bits.1;
        is_option::<K>(&prev) && is_option::<K>(&next)
    }
}
