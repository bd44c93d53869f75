//! `#[derive(Soa)]`: safe code without a warning, whatever the struct.
#![cfg(feature = "derive")]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, missing_debug_implementations, elided_lifetimes_in_paths)]
#![deny(unreachable_pub, unnameable_types, unused_qualifications, clippy::allow_attributes)]

extern crate alloc;

mod derive {
    mod attributes;
    mod borrowed;
    mod containers;
    mod structs;
}

/// The types that other crates see.
pub mod public {
    /// Public, with all that belongs to it.
    #[derive(larder::Soa, Clone, Debug)]
    pub struct Public {
        /// Seen by all.
        #[soa(group = "all")]
        pub seen: u32,
        #[soa(group = "all")]
        pub(crate) known: u32,
        own: u32,
    }

    /// Public, of anything.
    #[derive(larder::Soa, Clone, Debug)]
    pub struct Of<T>(#[soa(nested)] pub T, T);

    impl<'a> PublicColumns<'a> {
        pub(crate) fn of(all: &'a [PublicAll], own: &'a [u32]) -> Self {
            Self { all, own }
        }
    }
}
