//! The only code that hands out several `&mut` at once.
//!
//! **Invariant.** Two exclusive references are made of two slots only after their *numbers* were
//! compared: keys of the same slot may differ in their generation.

use core::ptr::NonNull;

use crate::error::GetDisjointMutError;
use crate::key::Key;

/// Finds every key, and refuses two that name the same slot.
pub(crate) fn find_disjoint<T, K: Key, const N: usize>(
    keys: [K; N],
    find: impl Fn(K) -> Option<NonNull<T>>,
) -> Result<[NonNull<T>; N], GetDisjointMutError> {
    let mut found = [NonNull::dangling(); N];
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

/// Turns the addresses into references.
///
/// # Safety
/// Each address is that of a live value, no two are of the same, and nothing else reaches the
/// values for `'a`.
pub(crate) unsafe fn borrow_all<'a, T, const N: usize>(values: [NonNull<T>; N]) -> [&'a mut T; N] {
    values.map(|mut value| {
        // SAFETY: by the contract.
        unsafe { value.as_mut() }
    })
}
