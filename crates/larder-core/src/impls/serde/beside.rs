//! Side data as its [parts](super::parts).
//!
//! Entries are inserted one by one when they are loaded: a dangling key, a second key of a slot, and slots too far
//! apart for an array are errors. The keys belong to the container that was saved with them: those without an object
//! there are stale, and removed by `retain_live`.

use alloc::vec::Vec;
use core::marker::PhantomData;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::parts::SideData;
use crate::key::Key;
use crate::maps::SideMap;
use crate::maps::layout::SideLayout;
use crate::parts::{self, FromParts, Loaded};

impl<K: Key + Serialize, V: Serialize, L: SideLayout<K, V>> Serialize for SideMap<K, V, L> {
    fn serialize<Z: Serializer>(&self, to: Z) -> Result<Z::Ok, Z::Error> {
        parts::serialize(self, to)
    }
}

impl<'de, K: Key + Deserialize<'de>, V: Deserialize<'de>, L: SideLayout<K, V>> Deserialize<'de>
    for SideMap<K, V, L>
{
    fn deserialize<Z: Deserializer<'de>>(from: Z) -> Result<Self, Z::Error> {
        let list = from.deserialize_seq(SideData(PhantomData))?;
        Self::load(Loaded { found: Vec::new(), list }).map_err(Z::Error::custom)
    }
}
