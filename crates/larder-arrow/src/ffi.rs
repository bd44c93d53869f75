//! The structs of the C Data Interface (<https://arrow.apache.org/docs/format/CDataInterface.html>).
//!
//! **Invariant** of an [`ArrowArray`] that was not released (`release` is not null): `private_data` is a
//! `Box<Shared>` that is its own; `buffers` points at the array in it, whose addresses are null or lead
//! to memory that the box keeps alive and unchanged: `length` bits, and `length` values.
//!
//! **Invariant** of an [`ArrowSchema`] that was not released: `private_data` is a `CString` that is its
//! own, at which `name` points; `format` points at a string of the program.
//!
//! Both may be moved as bytes: the interface says so, and nothing in them points into themselves.
//! Whoever has moved one out sets `release` of what is left to null, as the interface says.

#[cfg(test)]
mod tests;

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;

/// A type of values that Arrow has, too: all integers of 8 to 64 bits, `f32` and `f64`. Sealed.
///
/// (`bool` is a bit in Arrow, a byte in Rust: it cannot be shared.)
pub trait Primitive: Copy + Send + Sync + 'static + sealed::Sealed {
    /// The interface's name of the type.
    #[doc(hidden)]
    const FORMAT: &'static CStr;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! primitives {
    ($($type:ty: $format:literal),*) => {
        $(impl sealed::Sealed for $type {}
        impl Primitive for $type {
            const FORMAT: &'static CStr = $format;
        })*
    };
}

primitives! {
    i8: c"c", u8: c"C", i16: c"s", u16: c"S", i32: c"i", u32: c"I", i64: c"l", u64: c"L",
    f32: c"f", f64: c"g"
}

/// An array, as the C Data Interface lays it out. Dropped, it is released.
#[derive(Debug)]
#[repr(C)]
pub struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

// SAFETY: what is shared is `Send` and `Sync` (see `Shared::owner`), and is only read.
unsafe impl Send for ArrowArray {}
// SAFETY: as above.
unsafe impl Sync for ArrowArray {}

/// The data that an array keeps alive.
struct Shared {
    /// The bits, which may be none, and the values.
    buffers: [*const c_void; 2],
    /// (No box: one that is moved claims for itself alone what it leads to.)
    _validity: Option<Vec<u64>>,
    _owner: Arc<dyn Send + Sync>,
}

impl ArrowArray {
    /// An array of the values that `pick` chooses of an owner, which is shared as long as the array
    /// lives. `validity`: a bit for each, and how many are null.
    pub(crate) fn sharing<A: Send + Sync + 'static, F: Primitive>(
        owner: Arc<A>,
        pick: impl FnOnce(&A) -> &[F],
        validity: Option<(Vec<u64>, usize)>,
    ) -> Self {
        // `pick` holds for a borrow of any length; so the values stay, and stay the same, as long
        // as the owner may be borrowed: the contents of a shared `Arc` do not change.
        let values = pick(&owner);
        let (length, values) = (values.len(), values.as_ptr());
        let (bits, nulls) = validity.unzip();
        if let Some(bits) = &bits {
            assert!(bits.len() * 64 >= length, "there is a bit for each value");
        }
        let buffers = [bits.as_ref().map_or(null(), |bits| bits.as_ptr().cast()), values.cast()];
        let shared = Box::new(Shared { buffers, _validity: bits, _owner: owner });
        let shared = Box::into_raw(shared);
        Self {
            length: length as i64,
            null_count: nulls.unwrap_or(0) as i64,
            offset: 0,
            n_buffers: 2,
            n_children: 0,
            // SAFETY: the box is ours, and alive.
            buffers: unsafe { &raw const (*shared).buffers }.cast(),
            children: null_mut(),
            dictionary: null_mut(),
            release: Some(release_array),
            private_data: shared.cast(),
        }
    }

    /// Returns the number of values, nulls among them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.length as usize
    }

    /// Returns `true` if there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns the number of values that are null.
    #[must_use]
    pub fn null_count(&self) -> usize {
        self.null_count as usize
    }

    /// Returns `true` if it was released, or moved to its reader.
    #[must_use]
    pub fn is_released(&self) -> bool {
        self.release.is_none()
    }

    /// Returns the pointer that a reader of the C Data Interface takes: it moves the array out, and leaves a released
    /// one.
    #[must_use]
    pub fn as_mut_ptr(&mut self) -> *mut Self {
        self
    }
}

/// # Safety
/// `array` is one of ours that was not released yet, wherever it was moved.
unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: by the contract.
    let array = unsafe { &mut *array };
    array.release = None;
    let shared = std::mem::replace(&mut array.private_data, null_mut()).cast::<Shared>();
    // SAFETY: it was made of a box, and is not used again: the array is released.
    drop(unsafe { Box::from_raw(shared) });
}

impl Drop for ArrowArray {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: it was not released yet.
            unsafe { release(self) };
        }
    }
}

/// The types of an array, as the C Data Interface lays them out. Dropped, it is released.
#[derive(Debug)]
#[repr(C)]
pub struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

// SAFETY: its strings are its own, or the program's, and are only read.
unsafe impl Send for ArrowSchema {}
// SAFETY: as above.
unsafe impl Sync for ArrowSchema {}

/// Values may be null.
const NULLABLE: i64 = 2;

impl ArrowSchema {
    /// A column of primitives.
    #[track_caller]
    pub(crate) fn new<F: Primitive>(name: &str, nullable: bool) -> Self {
        assert!(
            !name.contains('\0'),
            "a column's name is a string of C: there is a NUL in {name:?}"
        );
        let name = CString::new(name).unwrap_or_default().into_raw();
        Self {
            format: F::FORMAT.as_ptr(),
            name,
            metadata: null(),
            flags: if nullable { NULLABLE } else { 0 },
            n_children: 0,
            children: null_mut(),
            dictionary: null_mut(),
            release: Some(release_schema),
            private_data: name.cast(),
        }
    }

    /// The name of the column; empty once it is released.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.is_released() {
            return "";
        }
        // SAFETY: it was not released.
        let name = unsafe { CStr::from_ptr(self.name) };
        name.to_str().unwrap_or_default()
    }

    /// Returns the interface's name of the type; empty once it is released.
    #[must_use]
    pub fn format(&self) -> &str {
        if self.is_released() {
            return "";
        }
        // SAFETY: it was not released.
        let format = unsafe { CStr::from_ptr(self.format) };
        format.to_str().unwrap_or_default()
    }

    /// Returns `true` if it was released, or moved to its reader.
    #[must_use]
    pub fn is_released(&self) -> bool {
        self.release.is_none()
    }

    /// Returns the pointer that a reader of the C Data Interface takes: it moves the schema out, and leaves a released
    /// one.
    #[must_use]
    pub fn as_mut_ptr(&mut self) -> *mut Self {
        self
    }
}

/// # Safety
/// `schema` is one of ours that was not released yet, wherever it was moved.
unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: by the contract.
    let schema = unsafe { &mut *schema };
    schema.release = None;
    let name = std::mem::replace(&mut schema.private_data, null_mut()).cast::<c_char>();
    // SAFETY: it was made of a `CString`, and is not used again: the schema is released.
    drop(unsafe { CString::from_raw(name) });
}

impl Drop for ArrowSchema {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: it was not released yet.
            unsafe { release(self) };
        }
    }
}
