//! Symbols and handles of lists as bytes, and bytes as these, by the traits of `bytemuck`.
//!
//! **Invariant.** Each is one number and nothing else, so it has no padding. Bytes become one only where its own
//! function makes one of that very number.

#[cfg(feature = "hashbrown")]
mod symbol {
    use crate::symbol::Symbol;

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

#[cfg(feature = "alloc")]
mod list {
    use crate::list_handle::ListHandle;

    // SAFETY: one number without padding.
    unsafe impl<T: 'static> bytemuck::NoUninit for ListHandle<T> {}
    // SAFETY: its bits are of the same size and alignment, and any handle is safe to use.
    unsafe impl<T: 'static> bytemuck::CheckedBitPattern for ListHandle<T> {
        type Bits = [u32; 2];

        #[inline]
        fn is_valid_bit_pattern(bits: &[u32; 2]) -> bool {
            const { assert!(align_of::<Self>() == align_of::<[u32; 2]>()) };
            Self::from_bits(bytemuck::cast(*bits)).is_some()
        }
    }
    // SAFETY: zero is the list without values.
    unsafe impl<T: 'static> bytemuck::Zeroable for ListHandle<T> {}
}
