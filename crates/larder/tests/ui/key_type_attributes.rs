//! Attributes that could change a key type are refused by name, wherever they stand.

use larder::{Arena, key_type};

mod other {}

key_type! {
    #[repr(align(64))]
    pub struct Aligned;
    #[derive(PartialEq)]
    struct Derived;
    #[cfg_attr(all(), doc = "harmless", cfg_attr(not(any()), must_use, repr(C)))]
    struct Conditional(larder::Handle32<Self, 24>);
    #[other::cfg(any())]
    struct ByPath;
    #[cfg_attr(any(), other::attribute)]
    struct ByPathUnderCondition;
}

key_type! { #[doc::attribute] struct ByKnownPath; }
key_type! { #[cfg_attr(all(), must_use::attribute)] struct ByKnownPathIfSo; }

fn main() {
    // (That they are attributes is the only error of each.)
    Arena::<u8, Aligned>::with_key().insert(1);
    Arena::<u8, ByPath>::with_key().insert(1);
}
