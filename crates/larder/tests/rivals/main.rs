//! The promises and bugs of other crates.

mod rivals;
