//! The promises and bugs of other crates.

#![expect(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    reason = "tests run where the standard library is"
)]

mod rivals;
mod rivals_user_code;
