//! Values under keys that others hand out: whose value a slot may have.

use crate::error::SecondaryInsertErrorKind;
use crate::key::Key;
use crate::key::generation::Generation;

/// Whether a container could have a value under this key.
#[inline]
pub(crate) fn can_be_live<K: Key>(key: K) -> bool {
    // (All keys of the slot that no container has are equal: for most key types their generation says it, too.)
    let has_slot = !has_live_generation(K::DANGLING) || key.slot() < K::MAX_SLOTS;
    has_slot && has_live_generation(key)
}

/// As [`can_be_live`], of a key whose slot there is.
#[inline(always)]
pub(crate) fn has_live_generation<K: Key>(key: K) -> bool {
    key.generation().can_be_live()
}

/// Whether a key was handed out before another of the same slot.
#[inline]
pub(crate) fn is_older<K: Key>(key: K, other: K) -> bool {
    key.generation().to_u64() < other.generation().to_u64()
}

/// Why a key can have no value in a slot with the value of this one, if so.
#[inline]
pub(crate) fn refusal<K: Key>(key: K, tenant: Option<K>) -> Option<SecondaryInsertErrorKind<K>> {
    if !can_be_live(key) {
        return Some(SecondaryInsertErrorKind::Dangling);
    }
    let tenant = tenant?;
    is_older(key, tenant).then_some(SecondaryInsertErrorKind::Stale { tenant })
}
