//! Values whose fields lie in columns.
//!
//! [`Soa`] defines how a value is split into columns and reassembled. It is implemented for primitives and
//! arrays (one column), for tuples of up to six fields (a column each), and for structs by `#[derive(Soa)]`. The
//! containers are [`SoaArena`](crate::SoaArena) and [`DenseSoaArena`](crate::DenseSoaArena).
//!
//! # Columns as bytes
//! A column is a slice, so if its values are plain data the crate `bytemuck` can cast it to bytes; larder
//! adds nothing to that. For a GPU, each column goes into a buffer of its own:
//!
//! ```
//! use larder::SoaArena;
//!
//! let mut bodies = SoaArena::from_iter([([1.5_f32, 0.0], 7_u32), ([2.5, 1.0], 8)]);
//! let (places, kinds) = bodies.columns();
//! let upload: &[u8] = bytemuck::cast_slice(places);
//! assert_eq!((upload.len(), size_of_val(kinds)), (16, 8));
//! // Holes are uploaded as well, and hold what `Fill` says; so an index on the GPU is a slot.
//! bytemuck::cast_slice_mut::<_, u8>(bodies.columns_mut().0).fill(0); // what was read back
//! ```
//!
//! Lanes are arrays, which are plain data too: `bytemuck::bytes_of(lanes.place)`. With the feature
//! `bytemuck`, keys that are one number can be cast to bytes, and bytes to keys, which are checked. An arena
//! can so be written to a file and read back:
//!
//! ```
//! # #[cfg(feature = "bytemuck")] {
//! use std::io::{Cursor, Read, Write};
//!
//! use larder::{DenseSoaArena, Handle};
//!
//! type Body = (f32, Handle<()>); // how large, and whose it is
//!
//! let owner = larder::Arena::from_iter([()]).keys().next().unwrap();
//! let bodies: DenseSoaArena<Body> = [(1.5, owner), (2.5, owner)].into_iter().collect();
//! let mut file = Vec::new(); // or a `File`
//! file.write_all(&(bodies.len() as u64).to_ne_bytes())?;
//! let (sizes, owners) = bodies.columns();
//! file.write_all(bytemuck::cast_slice(sizes))?;
//! file.write_all(bytemuck::cast_slice(owners))?;
//!
//! let mut file = Cursor::new(file);
//! let mut count = [0; 8];
//! file.read_exact(&mut count)?;
//! let mut sizes = vec![0_f32; u64::from_ne_bytes(count) as usize];
//! file.read_exact(bytemuck::cast_slice_mut(&mut sizes))?;
//! let mut owners = vec![0_u64; sizes.len()];
//! file.read_exact(bytemuck::cast_slice_mut(&mut owners))?;
//! // Bytes from elsewhere may be no handles: that is an error, not a handle.
//! let owners = owners.into_iter().map(Handle::from_bits).collect::<Option<Vec<_>>>().unwrap();
//! let read: DenseSoaArena<Body> = sizes.into_iter().zip(owners).collect();
//! assert_eq!(read.columns(), bodies.columns());
//! # }
//! # Ok::<(), std::io::Error>(())
//! ```

mod gather;
mod lanes;
mod plain;
#[expect(unsafe_code, reason = "its files are in the ledger")]
pub(crate) mod raw;
pub mod view;

use core::marker::PhantomData;
use core::num::Wrapping;

pub use crate::soa::raw::arrange::{Arrangement, Lanes, Split};
pub use gather::{gather, gather_in, gather_mut, gather_mut_in};
pub use lanes::{InLanes, Live};

use crate::key::{BareHandle, Handle, Handle32, Key, Serial};
use crate::soa::raw::shape::Shape;
use view::View;

/// The items that derived code uses. Not part of the public interface.
#[doc(hidden)]
pub mod derived {
    pub use crate::soa::raw::arrange::lanes_of_a_block;
    pub use crate::soa::raw::shape::{Leaf, Nest, Pair, Shape};

    /// A reference, or a struct or tuple of references, whose fields can be cloned to a `T`: what `cloned`
    /// of a derived struct of references is made of.
    #[diagnostic::on_unimplemented(
        message = "`{T}` cannot be cloned field by field",
        label = "this field cannot be cloned"
    )]
    pub trait Cloned<T> {
        /// The value.
        fn cloned(self) -> T;
    }

    impl<T: Clone> Cloned<T> for &T {
        #[inline]
        fn cloned(self) -> T {
            self.clone()
        }
    }

    /// Tuples; of each field its type, and that of its reference.
    macro_rules! tuple {
        ($([$field:ident $reference:ident])*) => {
            #[expect(non_snake_case, reason = "types and the variables of those types")]
            impl<$($field, $reference: Cloned<$field>),*> Cloned<($($field,)*)> for ($($reference,)*) {
                #[inline]
                fn cloned(self) -> ($($field,)*) {
                    let ($($reference,)*) = self;
                    ($($reference.cloned(),)*)
                }
            }
        };
    }

    crate::macros::each_prefix! {
        tuple: [A RA] [B RB] [C RC] [D RD] [E RE] [F RF]
    }

    /// A type without a `Drop` of its own, whose fields can be moved out. Types with one have this trait by
    /// the rule below, so implementing it for them conflicts, and is an error.
    pub trait WithoutDrop {}

    #[expect(
        drop_bounds,
        reason = "`Drop` itself is meant, not whether anything needs to be dropped"
    )]
    impl<T: Drop + ?Sized> WithoutDrop for T {}
}

/// A type whose fields can lie in columns.
///
/// Derive it: `#[derive(Soa)]` on a struct `Particle` makes this implementation and six structs of
/// references, which the types of [`view`] name. All of it is safe code; a type
/// with a `Drop` of its own cannot be taken apart, so it has no columns.
///
/// # Examples
/// ```
/// use larder::{DenseSoaArena, Soa};
///
/// fn count<T: Soa>(arena: &DenseSoaArena<T>) -> usize {
///     arena.len()
/// }
/// assert_eq!(count(&DenseSoaArena::from_iter([(1.5_f32, 'a')])), 1);
/// ```
#[diagnostic::on_unimplemented(
    message = "the fields of `{Self}` cannot lie in columns",
    label = "has no columns",
    note = "`#[derive(larder::Soa)]` on a struct gives it columns (feature `derive`); a field without \
            `#[soa(nested)]` is one column, whatever its type"
)]
pub trait Soa: Sized {
    /// The columns, as a tree of fields.
    #[doc(hidden)]
    type Shape: Shape;

    /// The names of the columns, where they have names.
    #[doc(hidden)]
    const NAMES: &'static [&'static str] = &[];

    /// The arrangement of columns: in one piece each ([`Split`]) or in groups of lanes ([`Lanes`]).
    type Arrangement: Arrangement<Self>;

    /// The type that says what borrows the fields: see [`view`].
    type View: View<Self>;
}

/// The value of a column in a place that has none: in the holes of a [`SoaArena`](crate::SoaArena), and in the lanes of
/// a group that is not full. So a pass over a whole column computes with numbers that neither trap nor are denormal.
///
/// For numbers it is zero. `#[derive(Soa)]` implements it for a struct, field by field; `#[soa(fill = 1.0)]`
/// sets another value for a field (any constant of its type, so that a type needs no `Fill` of its own),
/// `#[soa(no_fill)]` on the struct omits the implementation.
///
/// # Examples
/// ```
/// use larder::soa::Fill;
///
/// assert_eq!(f32::FILL, 0.0);
/// assert_eq!(<[u8; 3]>::FILL, [0; 3]);
/// ```
#[diagnostic::on_unimplemented(
    message = "there is no fill value for the holes of a column of `{Self}`",
    label = "this field needs a fill value",
    note = "give one with `#[soa(fill = …)]` on the field, a constant of its type; or \
            `#[soa(no_fill)]` on the struct, for a `DenseSoaArena`, which has no holes"
)]
pub trait Fill: Sized {
    /// The value.
    const FILL: Self;
}

macro_rules! fill {
    ($($type:ty: $value:expr),* $(,)?) => {
        $(impl Fill for $type {
            const FILL: Self = $value;
        })*
    };
}

fill! {
    u8: 0, u16: 0, u32: 0, u64: 0, u128: 0, usize: 0,
    i8: 0, i16: 0, i32: 0, i64: 0, i128: 0, isize: 0,
    f32: 0.0, f64: 0.0, bool: false, char: '\0', (): (), &str: "",
}

impl<T: Fill, const N: usize> Fill for [T; N] {
    const FILL: Self = [T::FILL; N];
}

impl<T> Fill for Option<T> {
    const FILL: Self = None;
}

impl<T: ?Sized> Fill for PhantomData<T> {
    const FILL: Self = Self;
}

impl<T: Fill> Fill for Wrapping<T> {
    const FILL: Self = Self(T::FILL);
}

#[cfg(feature = "alloc")]
impl Fill for alloc::string::String {
    const FILL: Self = Self::new();
}

#[cfg(feature = "alloc")]
impl<T> Fill for alloc::vec::Vec<T> {
    const FILL: Self = Self::new();
}

/// A key that is never valid.
macro_rules! fill_keys {
    ($([$($generics:tt)*] $key:ty;)*) => {
        $(impl<$($generics)*> Fill for $key
        where
            Self: Key,
        {
            const FILL: Self = Self::DANGLING;
        })*
    };
}

fill_keys! {
    [M] Handle<M>;
    [M, const INDEX_BITS: u32] Handle32<M, INDEX_BITS>;
    [M] Serial<M>;
    [M] BareHandle<M>;
}
