//! Answers whether a concrete type has an auto trait.

use core::marker::PhantomData;
use core::panic::{RefUnwindSafe, UnwindSafe};

/// Has an inherent constant for each trait that `T` has, which goes before the one of [`Otherwise`].
pub struct Probe<T: ?Sized>(PhantomData<T>);

pub trait Otherwise {
    const SEND: bool = false;
    const SYNC: bool = false;
    const UNPIN: bool = false;
    const UNWIND_SAFE: bool = false;
    const REF_UNWIND_SAFE: bool = false;
}

impl<T: ?Sized> Otherwise for Probe<T> {}

impl<T: ?Sized + Send> Probe<T> {
    pub const SEND: bool = true;
}

impl<T: ?Sized + Sync> Probe<T> {
    pub const SYNC: bool = true;
}

impl<T: ?Sized + Unpin> Probe<T> {
    pub const UNPIN: bool = true;
}

impl<T: ?Sized + UnwindSafe> Probe<T> {
    pub const UNWIND_SAFE: bool = true;
}

impl<T: ?Sized + RefUnwindSafe> Probe<T> {
    pub const REF_UNWIND_SAFE: bool = true;
}

/// The five answers for a type.
#[macro_export]
macro_rules! auto_traits {
    ($type:ty) => {{
        use $crate::auto_traits::{Otherwise as _, Probe};
        [
            Probe::<$type>::SEND,
            Probe::<$type>::SYNC,
            Probe::<$type>::UNPIN,
            Probe::<$type>::UNWIND_SAFE,
            Probe::<$type>::REF_UNWIND_SAFE,
        ]
    }};
}
pub use crate::auto_traits;
