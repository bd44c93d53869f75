//! Keys: a slot and a version where fields are named (as `slotmap` has them), a number elsewhere.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::key::{BareHandle, Handle, Handle32, Serial};

/// A key by its parts.
#[derive(Serialize, Deserialize)]
struct Parts {
    idx: u32,
    version: u64,
}

const NO_KEY: &str = "no key has these bits";

impl<M> Serialize for Handle<M> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if !to.is_human_readable() {
            return self.to_bits().serialize(to);
        }
        Parts { idx: self.slot(), version: self.generation().get().into() }.serialize(to)
    }
}

impl<'de, M> Deserialize<'de> for Handle<M> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let bits = if from.is_human_readable() {
            let Parts { idx, version } = Parts::deserialize(from)?;
            let version = u32::try_from(version).map_err(D::Error::custom)?;
            if version % 2 == 0 {
                return Err(D::Error::custom(format_args!(
                    "no key has version {version} (of slot {idx}): versions of keys are odd"
                )));
            }
            u64::from(version) << 32 | u64::from(idx)
        } else {
            u64::deserialize(from)?
        };
        Self::from_bits(bits).ok_or_else(|| D::Error::custom(NO_KEY))
    }
}

impl<M, const INDEX_BITS: u32> Serialize for Handle32<M, INDEX_BITS> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if !to.is_human_readable() {
            return self.to_bits().serialize(to);
        }
        Parts { idx: self.slot(), version: self.generation().into() }.serialize(to)
    }
}

impl<'de, M, const INDEX_BITS: u32> Deserialize<'de> for Handle32<M, INDEX_BITS> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let bits = if from.is_human_readable() {
            let Parts { idx, version } = Parts::deserialize(from)?;
            if idx >> INDEX_BITS != 0 || version >> (32 - INDEX_BITS) != 0 {
                return Err(D::Error::custom(NO_KEY));
            }
            (version as u32) << INDEX_BITS | idx
        } else {
            u32::deserialize(from)?
        };
        Self::from_bits(bits).ok_or_else(|| D::Error::custom(NO_KEY))
    }
}

impl<M> Serialize for Serial<M> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Parts { idx: self.slot(), version: self.version().get() }.serialize(to)
    }
}

impl<'de, M> Deserialize<'de> for Serial<M> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Parts { idx, version } = Parts::deserialize(from)?;
        let bits = u128::from(version) << 32 | u128::from(idx);
        Self::from_bits(bits).ok_or_else(|| D::Error::custom(NO_KEY))
    }
}

impl<M> Serialize for BareHandle<M> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.slot().serialize(to)
    }
}

impl<'de, M> Deserialize<'de> for BareHandle<M> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::from_index(u32::deserialize(from)?).ok_or_else(|| D::Error::custom(NO_KEY))
    }
}
