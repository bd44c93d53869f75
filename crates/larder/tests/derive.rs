//! Derives: safe code without a warning, whatever the struct.
#![cfg(feature = "derive")]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, missing_debug_implementations, elided_lifetimes_in_paths)]
#![deny(unreachable_pub, unnameable_types, unused_qualifications, clippy::allow_attributes)]

extern crate alloc;

mod derive {
    mod attributes;
    mod borrowed;
    mod bounds;
    mod containers;
    mod deprecated;
    mod free_names;
    mod groups;
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

    /// Public, with what stands beside objects.
    #[derive(larder::track::Observer, larder::track::Reversible, Debug, Default)]
    pub struct Beside {
        /// Seen by all.
        pub seen: larder::trees::KeyList<larder::Handle<u32>>,
        pub(crate) known: larder::Tree<larder::Handle<u32>>,
        own: Own,
    }

    /// Has the type of a field that nobody sees.
    #[derive(larder::track::Observer, larder::track::Reversible, Debug, Default)]
    struct Own {
        list: larder::trees::KeyList<larder::Handle<u32>>,
    }

    /// Public, with all that goes back.
    #[derive(larder::track::Reversible, Debug)]
    pub struct Game {
        /// Seen by all.
        pub numbers: larder::track::Table<larder::Arena<u32>, Beside>,
        own: larder::track::Versioned<u32>,
    }

    impl Game {
        pub(crate) fn new() -> Self {
            let numbers = larder::track::Table::with(larder::Arena::new(), Beside::default());
            let beside: &Beside = numbers.observers();
            assert!(beside.known.roots().next().is_none() && beside.own.list.is_empty());
            Self { numbers, own: larder::track::Versioned::new(1) }
        }
    }
}
