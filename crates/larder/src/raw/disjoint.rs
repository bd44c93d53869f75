//! What must hold before several `&mut` are handed out at once.
//!
//! **Invariant.** What is found has pairwise different slots: keys of the same slot may differ in their
//! generation, so their *slots* are compared. Callers that lend several values exclusively rely on it,
//! though it is safe code.

use crate::error::GetDisjointMutError;
use crate::key::Key;

/// Finds the place of every key, and refuses two keys that name the same slot.
pub(crate) fn find_disjoint<K: Key, const N: usize>(
    keys: [K; N],
    find: impl Fn(K) -> Option<usize>,
) -> Result<[usize; N], GetDisjointMutError> {
    let mut found = [0; N];
    for (position, &key) in keys.iter().enumerate() {
        found[position] = find(key).ok_or(GetDisjointMutError::NotFound { position })?;
        if let Some(first) =
            keys[..position].iter().position(|earlier| earlier.slot() == key.slot())
        {
            return Err(GetDisjointMutError::Overlapping { first, second: position });
        }
    }
    Ok(found)
}
