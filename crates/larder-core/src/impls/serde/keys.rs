//! Keys: a slot and a version in formats for people, as `slotmap` has them, and a number in others; a [`Serial`], which
//! is two numbers, is both everywhere.
//!
//! Either form is read in every format that says what it contains. In a type that is tagged, untagged or flattened,
//! serde reads values of such a format into memory first, and these claim to be of a format for people, whatever
//! format they are from.

use core::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::key::{BareHandle, Handle, Handle32, Serial};

/// A key by its parts.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Parts")]
struct KeyParts {
    idx: u32,
    version: u64,
}

/// A key as it was saved.
enum WrittenKey {
    Parts(KeyParts),
    Bits(u64),
}

impl WrittenKey {
    /// Reads a key of at most `bits` bits.
    fn read<'de, D: Deserializer<'de>>(from: D, bits: u32) -> Result<Self, D::Error> {
        if from.is_human_readable() {
            from.deserialize_any(EitherKey)
        } else if bits == u32::BITS {
            from.deserialize_u32(EitherKey)
        } else {
            from.deserialize_u64(EitherKey)
        }
    }
}

/// Reads either form.
struct EitherKey;

impl<'de> Visitor<'de> for EitherKey {
    type Value = WrittenKey;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key: its slot `idx` and its `version`, or its bits as a number")
    }

    fn visit_u64<E: Error>(self, bits: u64) -> Result<WrittenKey, E> {
        Ok(WrittenKey::Bits(bits))
    }

    fn visit_i64<E: Error>(self, bits: i64) -> Result<WrittenKey, E> {
        let negative = |_| E::invalid_value(Unexpected::Signed(bits), &self);
        u64::try_from(bits).map(WrittenKey::Bits).map_err(negative)
    }

    fn visit_map<A: MapAccess<'de>>(self, parts: A) -> Result<WrittenKey, A::Error> {
        Deserialize::deserialize(MapAccessDeserializer::new(parts)).map(WrittenKey::Parts)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, parts: A) -> Result<WrittenKey, A::Error> {
        Deserialize::deserialize(SeqAccessDeserializer::new(parts)).map(WrittenKey::Parts)
    }
}

const NO_KEY: &str = "no key has these bits";

impl<M> Serialize for Handle<M> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if !to.is_human_readable() {
            return self.to_bits().serialize(to);
        }
        KeyParts { idx: self.slot(), version: self.generation().get().into() }.serialize(to)
    }
}

impl<'de, M> Deserialize<'de> for Handle<M> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let bits = match WrittenKey::read(from, u64::BITS)? {
            WrittenKey::Bits(bits) => bits,
            WrittenKey::Parts(KeyParts { idx, version }) => {
                let version = u32::try_from(version).map_err(D::Error::custom)?;
                if version % 2 == 0 {
                    return Err(D::Error::custom(format_args!(
                        "no key has version {version} (of slot {idx}): versions of keys are odd"
                    )));
                }
                u64::from(version) << 32 | u64::from(idx)
            }
        };
        Self::from_bits(bits).ok_or_else(|| D::Error::custom(NO_KEY))
    }
}

impl<M, const INDEX_BITS: u32> Serialize for Handle32<M, INDEX_BITS> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if !to.is_human_readable() {
            return self.to_bits().serialize(to);
        }
        KeyParts { idx: self.slot(), version: self.generation().into() }.serialize(to)
    }
}

impl<'de, M, const INDEX_BITS: u32> Deserialize<'de> for Handle32<M, INDEX_BITS> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let bits = match WrittenKey::read(from, u32::BITS)? {
            WrittenKey::Bits(bits) => u32::try_from(bits).ok(),
            WrittenKey::Parts(KeyParts { idx, version })
                if idx >> INDEX_BITS == 0 && version >> (32 - INDEX_BITS) == 0 =>
            {
                Some((version as u32) << INDEX_BITS | idx)
            }
            WrittenKey::Parts(_) => None,
        };
        bits.and_then(Self::from_bits).ok_or_else(|| D::Error::custom(NO_KEY))
    }
}

impl<M> Serialize for Serial<M> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        KeyParts { idx: self.slot(), version: self.version().get() }.serialize(to)
    }
}

impl<'de, M> Deserialize<'de> for Serial<M> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let KeyParts { idx, version } = KeyParts::deserialize(from)?;
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
