//! Filling vectors that are kept from call to call; a failed allocation is an error.

use alloc::boxed::Box;
#[cfg(any(feature = "serde", feature = "snapshot"))]
use alloc::string::String;
use alloc::vec::Vec;
#[cfg(any(feature = "serde", feature = "snapshot"))]
use core::fmt::{self, Write};

use crate::error::TryReserveError;

/// Makes room for this many more elements.
pub(crate) fn reserve<E>(vec: &mut Vec<E>, additional: usize) -> Result<(), TryReserveError> {
    let bytes = additional.saturating_mul(size_of::<E>());
    vec.try_reserve(additional).map_err(|_| TryReserveError::AllocRefused { bytes })
}

/// A copy of elements.
#[cfg(feature = "snapshot")]
pub(crate) fn copy<E: Copy>(of: &[E]) -> Result<Vec<E>, TryReserveError> {
    let mut copy = Vec::new();
    reserve_exact(&mut copy, of.len())?;
    copy.extend_from_slice(of);
    Ok(copy)
}

/// Makes a buffer at least that long.
#[cfg(feature = "snapshot")]
pub(crate) fn widen(buffer: &mut Vec<u8>, bytes: usize) -> Result<(), TryReserveError> {
    let more = bytes.saturating_sub(buffer.len());
    reserve_exact(buffer, more)?;
    buffer.resize(buffer.len() + more, 0);
    Ok(())
}

/// Returns the text that `says` displays.
#[cfg(any(feature = "serde", feature = "snapshot"))]
pub(crate) fn text(says: impl fmt::Display) -> Result<String, TryReserveError> {
    struct Text(String);

    impl Write for Text {
        fn write_str(&mut self, piece: &str) -> fmt::Result {
            self.0.try_reserve(piece.len()).map_err(|_| fmt::Error)?;
            self.0.push_str(piece);
            Ok(())
        }
    }

    let mut text = Text(String::new());
    let written = write!(text, "{says}");
    written.map_err(|_| TryReserveError::AllocRefused { bytes: text.0.len() + 1 })?;
    Ok(text.0)
}

/// Makes room for this many more elements, and for no others.
pub(crate) fn reserve_exact<E>(vec: &mut Vec<E>, additional: usize) -> Result<(), TryReserveError> {
    let bytes = additional.saturating_mul(size_of::<E>());
    vec.try_reserve_exact(additional).map_err(|_| TryReserveError::AllocRefused { bytes })
}

/// A part that few structures ever have, behind a pointer: what needs it first makes it. (It is an array of one, since a
/// box of just the value cannot be made where allocation may fail.)
#[derive(Clone, Debug)]
pub(crate) struct Seldom<P>(Option<Box<[P; 1]>>);

impl<P> Seldom<P> {
    pub(crate) const fn none() -> Self {
        Self(None)
    }

    #[inline]
    pub(crate) fn get(&self) -> Option<&P> {
        self.0.as_deref().map(|[part]| part)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self) -> Option<&mut P> {
        self.0.as_deref_mut().map(|[part]| part)
    }

    /// Returns the part, and makes it if there is none.
    pub(crate) fn get_or_make(
        &mut self,
        make: impl FnOnce() -> P,
    ) -> Result<&mut P, TryReserveError> {
        let part = match self.0.take() {
            Some(part) => part,
            None => {
                let mut one = Vec::new();
                reserve_exact(&mut one, 1)?;
                one.push(make());
                let one = one.into_boxed_slice().try_into();
                one.unwrap_or_else(|_| unreachable!("it has one element"))
            }
        };
        let [part] = &mut **self.0.insert(part);
        Ok(part)
    }
}

/// Returns the error of a hash table that has no room for `requested` entries, of at most `max`.
#[cfg(feature = "hashbrown")]
pub(crate) fn no_room(
    reason: hashbrown::TryReserveError,
    requested: usize,
    max: usize,
) -> TryReserveError {
    match reason {
        hashbrown::TryReserveError::AllocError { layout } => {
            TryReserveError::AllocRefused { bytes: layout.size() }
        }
        hashbrown::TryReserveError::CapacityOverflow => {
            TryReserveError::CapacityOverflow { requested, max }
        }
    }
}

/// Gives back the room beyond the elements. If allocation fails, it stays.
pub(crate) fn shrink<E: Copy>(vec: &mut Vec<E>) {
    let mut fitting = Vec::new();
    if vec.capacity() > vec.len() && fitting.try_reserve_exact(vec.len()).is_ok() {
        fitting.extend_from_slice(vec);
        *vec = fitting;
    }
}
