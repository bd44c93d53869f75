//! Pools of lists with serde, as their [parts]. Handles remain valid.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{ListHandle, ListPool};
use larder_core::parts;

impl<T: Serialize> Serialize for ListPool<T> {
    fn serialize<Z: Serializer>(&self, to: Z) -> Result<Z::Ok, Z::Error> {
        parts::serialize(self, to)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ListPool<T> {
    fn deserialize<Z: Deserializer<'de>>(from: Z) -> Result<Self, Z::Error> {
        parts::deserialize(from)
    }
}

/// A handle is its number, and valid for the pool that was saved with it.
impl<T> Serialize for ListHandle<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(self.to_bits())
    }
}

impl<'de, T> Deserialize<'de> for ListHandle<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let bits = u64::deserialize(from)?;
        let wrong = || D::Error::custom(format_args!("no list has the number {bits}"));
        Self::from_bits(bits).ok_or_else(wrong)
    }
}
