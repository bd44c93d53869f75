//! A key type whose `cfg` does not hold says nothing of another type of its name.

use larder::{Handle, key_type};

key_type! {
    #[cfg(any())]
    struct Id;
    #[cfg_attr(all(), cfg(any()))]
    struct OtherId;
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(align(64))]
struct Id(Handle<Id>);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(align(64))]
struct OtherId(Handle<OtherId>);

fn is_key<K: larder::Key>() {}

fn main() {
    is_key::<Id>();
    is_key::<OtherId>();
}
