//! Key types of this crate's own, to be tested as the keys are that they wrap.

use crate::forge::Forged;
use crate::subject::TestKey;
use larder::{
    Handle32,
    key::{BareHandle, Serial},
    key_type,
};

key_type! {
    /// A key like a `Handle`.
    pub struct Own;
    /// A key like a handle whose slots live four times.
    pub struct OwnThreeBits(Handle32<Self, 29>);
    /// A key like the number of a slot.
    pub struct OwnSlot(BareHandle<Self>);
    /// A key like the number of an insertion.
    pub struct OwnSerial(Serial<Self>);
}

/// Answers for the wrapped key.
macro_rules! own {
    ($($key:ident: $wrapped:ty;)*) => {$(
        impl TestKey for $key {
            const REMEMBERS: bool = <$wrapped>::REMEMBERS;
            const LIVES: u64 = <$wrapped>::LIVES;

            fn is_last(self) -> bool {
                self.0.is_last()
            }
        }

        impl Forged for $key {
            const BITS: u32 = <$wrapped>::BITS;
            const SLOT_BITS: u32 = <$wrapped>::SLOT_BITS;
            const LAST_FREE: Option<u32> = <$wrapped>::LAST_FREE;

            fn bits(self) -> u128 {
                self.0.bits()
            }

            fn of_bits(bits: u128) -> Option<Self> {
                <$wrapped>::of_bits(bits).map(Self)
            }

            fn saved(bits: u128) -> (String, Vec<u8>) {
                <$wrapped>::saved(bits)
            }

            fn of_bytes(bits: u128) -> Option<Option<Self>> {
                <$wrapped>::of_bytes(bits).map(|key| key.map(Self))
            }
        }
    )*};
}

own! {
    Own: larder::Handle<Own>;
    OwnThreeBits: Handle32<OwnThreeBits, 29>;
    OwnSlot: BareHandle<OwnSlot>;
    OwnSerial: Serial<OwnSerial>;
}
