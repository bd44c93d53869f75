//! Values under keys that others hand out: whose value a slot may have.
//!
//! **Invariant** of an implementor: a slot has one value at most, and every key is one that a container
//! could hand out.

use crate::error::{SecondaryInsertError, SecondaryInsertErrorKind, TryReserveError};
use crate::key::Key;
use crate::raw::generation::Generation;
use crate::raw::slots::GenerationOf;

/// Whether a container could have a value under this key.
#[inline]
pub(crate) fn can_be_live<K: Key>(key: K) -> bool {
    let generation = key.generation().to_u64();
    key.slot() < K::MAX_SLOTS && GenerationOf::<K>::live_from_u64(generation).is_some()
}

/// Whether a key was handed out before another of the same slot.
#[inline]
pub(crate) fn is_older<K: Key>(key: K, other: K) -> bool {
    key.generation().to_u64() < other.generation().to_u64()
}

/// Values by key.
pub(crate) trait Keyed<K: Key, V> {
    /// The key whose value is in a slot.
    fn key_at(&self, slot: u32) -> Option<K>;

    /// Puts a value into the slot of a key, and gives out what was there, of whichever key. On an
    /// error nothing has changed.
    ///
    /// # Safety
    /// The key is one that [can be live](can_be_live).
    unsafe fn put(&mut self, key: K, value: V) -> Result<Option<V>, (V, TryReserveError)>;

    /// Why the key can have no value here, if so.
    #[inline]
    fn refusal(&self, key: K) -> Option<SecondaryInsertErrorKind<K>> {
        if !can_be_live(key) {
            return Some(SecondaryInsertErrorKind::Dangling);
        }
        let tenant = self.key_at(key.slot())?;
        is_older(key, tenant).then_some(SecondaryInsertErrorKind::Stale { tenant })
    }

    /// Inserts, or gives the value back. An earlier tenant's value is dropped when the new one is in.
    #[inline]
    fn try_insert(&mut self, key: K, value: V) -> Result<Option<V>, SecondaryInsertError<K, V>> {
        if let Some(reason) = self.refusal(key) {
            return Err(SecondaryInsertError { key, value, reason });
        }
        let same = self.key_at(key.slot()) == Some(key);
        // SAFETY: the key was not refused.
        match unsafe { self.put(key, value) } {
            Ok(before) => Ok(before.filter(|_| same)),
            Err((value, reason)) => Err(SecondaryInsertError {
                key,
                value,
                reason: SecondaryInsertErrorKind::NoMemory(reason),
            }),
        }
    }
}
