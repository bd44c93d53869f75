//! What derived code is written with. Not for people.

pub use crate::raw::columns::arrange::lanes_of_a_block;
pub use crate::raw::columns::shape::{Leaf, Nest, Pair, Shape};

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

macro_rules! tuple {
    ($($field:ident $reference:ident)*) => {
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

/// Tuples of up to so many fields; of each its type, and that of its reference.
macro_rules! tuples {
    ($($names:ident)*) => { tuples!(@ [] $($names)*); };
    (@ [$($done:ident)*]) => {};
    (@ [$($done:ident)*] $field:ident $reference:ident $($rest:ident)*) => {
        tuple!($($done)* $field $reference);
        tuples!(@ [$($done)* $field $reference] $($rest)*);
    };
}

tuples! { A RA B RB C RC D RD E RE F RF G RG H RH I RI J RJ K RK M RM }

/// A type without a `Drop` of its own, which may be taken apart. All others have it by the rule below,
/// so that saying it of one of them is a conflict, and an error.
pub trait WithoutDrop {}

#[expect(drop_bounds, reason = "`Drop` itself is meant, not whether anything needs to be dropped")]
impl<T: Drop + ?Sized> WithoutDrop for T {}
