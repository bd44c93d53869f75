//! larder
#![no_std]
#![deny(unsafe_code)]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod arena;
mod builder;
pub mod dense;
mod error;
mod explain;
mod half;
mod impls;
mod key;
#[expect(unsafe_code, reason = "the raw layer; see docs/unsafe.md")]
mod raw;
mod stats;

pub use arena::Arena;
pub use builder::Builder;
pub use dense::DenseArena;
pub use error::{GetDisjointMutError, InsertError, ReattachError, TryReserveError};
pub use key::{Handle, Handle32, Key, Serial, Slot};
pub use stats::{Reuse, Stats};
