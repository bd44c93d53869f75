//! The promises and bugs of other crates.

mod rivals;
mod rivals_user_code;
