//! The models: random histories, and all the short ones.

#![expect(clippy::std_instead_of_alloc, reason = "tests run where the standard library is")]

mod history;
mod large;
mod pool_histories;
mod saved;
