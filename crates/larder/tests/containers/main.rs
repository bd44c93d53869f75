//! The behaviour of every container at its edges: misuse, panics in user code, exhausted generations.

#![expect(clippy::std_instead_of_alloc, reason = "tests run where the standard library is")]

mod collection;
mod distinct;
mod every_type;
mod exhaustion;
mod forged;
mod key_types;
mod keys;
mod misuse;
mod panics;
mod pool_types;
mod pool_user_code;
mod reuse;
mod walks;
