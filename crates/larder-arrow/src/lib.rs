#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

#[expect(unsafe_code, reason = "the C Data Interface; each block has its proof")]
mod ffi;
mod source;

pub use ffi::{ArrowArray, ArrowSchema, Primitive};
pub use source::Source;

use std::sync::Arc;

/// A column for whoever reads Arrow: what is in it, and what that means.
#[derive(Debug)]
pub struct Exported {
    /// The values, and which of them are there.
    pub array: ArrowArray,
    /// Their type, and the column's name.
    pub schema: ArrowSchema,
}

/// Exports a column, which `pick` chooses, as an Arrow array that shares the arena: no value is copied.
///
/// A column of a [`SoaArena`](larder::SoaArena) has a value a slot; holes are null. The bits that say so
/// are copied from the words of occupancy (one bit a slot), since those do not look quite as Arrow wants
/// them. A column of a [`DenseSoaArena`](larder::DenseSoaArena) has no nulls. O(slots / 64); O(1) where
/// nothing can be null.
///
/// The arena stays as it is until the last array is released, by its reader or by being dropped: an
/// `Arc` that is shared cannot be changed. Then [`Arc::try_unwrap`] gives it back.
///
/// # Panics
/// If `pick` returns anything but a whole column, or there is a NUL in the name.
///
/// # Examples
/// ```
/// use std::sync::Arc;
///
/// use larder::SoaArena;
///
/// let bodies = Arc::new(SoaArena::from_iter([(1.5_f32, 7_u32), (2.5, 8)]));
/// let places = larder_arrow::export(&bodies, "place", |bodies| bodies.columns().0);
/// assert_eq!((places.array.len(), places.array.null_count()), (2, 0));
/// assert_eq!((places.schema.name(), places.schema.format()), ("place", "f"));
/// ```
#[track_caller]
pub fn export<A: Source, F: Primitive>(
    arena: &Arc<A>,
    name: &str,
    pick: impl FnOnce(&A) -> &[F],
) -> Exported {
    let rows = arena.rows();
    let array = ArrowArray::sharing(Arc::clone(arena), pick, arena.validity());
    assert!(array.len() == rows, "a whole column has {rows} values, `pick` chose {}", array.len());
    Exported { array, schema: ArrowSchema::new::<F>(name, arena.can_have_holes()) }
}
