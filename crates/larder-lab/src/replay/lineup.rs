//! The containers that replay: larder's and their rivals, in the order of the tables.

use super::plan::Plan;
use super::shelves::{Family, Run, replay};
use crate::stores::{self, Element, Store};

/// A container in the line-up.
pub(super) struct Subject {
    /// Its names.
    pub(super) label: Label,
    /// Replays a recording once through fresh containers of this kind.
    pub(super) replay: fn(&Plan) -> Run,
}

/// A container's names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label {
    /// The crate it is from.
    pub(crate) package: &'static str,
    /// Its own name.
    pub(crate) name: &'static str,
    /// Both, in lines short enough for a column of figures.
    pub(crate) heading: &'static str,
}

impl Label {
    /// Whether it is larder's own.
    pub(crate) fn is_ours(self) -> bool {
        self.package == "larder"
    }
}

/// Makes a family of each named container, and the line-up of them all.
macro_rules! lineup {
    ($($package:literal: $container:ident as $heading:literal,)*) => {
        $(
            #[doc = concat!("The family of `", stringify!($container), "`.")]
            pub(super) struct $container;

            impl Family for $container {
                type Of<T: Element> = stores::$container<T>;
            }
        )*

        /// All containers that replay.
        pub(super) const LINEUP: &[Subject] = &[$(
            Subject {
                label: Label {
                    package: $package,
                    name: <stores::$container<u32> as Store<u32>>::NAME,
                    heading: $heading,
                },
                replay: replay::<$container>,
            },
        )*];
    };
}

lineup! {
    "larder": Arena as "larder\nArena",
    "larder": DenseArena as "larder\nDense\nArena",
    "slotmap": SlotMap as "slotmap\nSlotMap",
    "slotmap": DenseSlotMap as "slotmap\nDense\nSlotMap",
    "thunderdome": Thunderdome as "thunder-\ndome",
    "slab": Slab as "slab",
    "generational-arena": GenerationalArena as "genera-\ntional-\narena",
    "gen_map": GenMap as "gen_map",
}
