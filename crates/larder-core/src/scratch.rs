//! Buffers of bytes and texts, and parts that few structures have; a failed allocation is an error.

use alloc::boxed::Box;
#[cfg(any(feature = "serde", feature = "snapshot"))]
use alloc::string::String;
#[cfg(feature = "snapshot")]
use alloc::vec::Vec;
#[cfg(any(feature = "serde", feature = "snapshot"))]
use core::fmt::{self, Write};

use crate::error::TryReserveError;
use crate::memory::heap::boxed;
#[cfg(feature = "snapshot")]
use crate::room::reserve_exact;

/// Makes a buffer at least that long.
#[cfg(feature = "snapshot")]
#[inline]
pub(crate) fn widen(buffer: &mut Vec<u8>, bytes: usize) -> Result<(), TryReserveError> {
    let more = bytes.saturating_sub(buffer.len());
    reserve_exact(buffer, more)?;
    buffer.resize(buffer.len() + more, 0);
    Ok(())
}

/// Returns the text that `says` displays.
#[cfg(any(feature = "serde", feature = "snapshot"))]
#[inline]
pub(crate) fn text(says: impl fmt::Display) -> Result<String, TryReserveError> {
    struct Text(String);

    impl Write for Text {
        #[inline]
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

/// A part that few structures ever have, behind a pointer: what needs it first makes it.
#[derive(Clone, Debug)]
pub(crate) struct Seldom<P>(Option<Box<P>>);

impl<P> Seldom<P> {
    pub(crate) const fn none() -> Self {
        Self(None)
    }

    #[inline]
    pub(crate) fn get(&self) -> Option<&P> {
        self.0.as_deref()
    }

    #[inline]
    pub(crate) fn get_mut(&mut self) -> Option<&mut P> {
        self.0.as_deref_mut()
    }

    /// Returns the part, and makes it if there is none.
    #[inline]
    pub(crate) fn get_or_make(
        &mut self,
        make: impl FnOnce() -> P,
    ) -> Result<&mut P, TryReserveError> {
        if self.0.is_none() {
            self.make(make)?;
        }
        Ok(self.get_mut().expect("it was just made"))
    }

    #[cold]
    fn make(&mut self, make: impl FnOnce() -> P) -> Result<(), TryReserveError> {
        self.0 = Some(boxed(make())?);
        Ok(())
    }
}
