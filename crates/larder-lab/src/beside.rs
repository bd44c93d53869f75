//! `beside`: what is kept beside containers or in their objects: side data, hierarchies, kinds, lists.
//! Against other crates, and against code written by hand.

mod bars;
mod hierarchy;
mod kinds;
mod lists;
mod side;

use crate::study::{Part, Studies, parts_of};

/// What `beside` measures.
pub(crate) const BESIDE: Studies =
    Studies { command: "beside", each: "operation", parts, bars: bars::BARS };

fn parts() -> Vec<Part> {
    let kinds = parts_of!(hierarchy).chain(parts_of!(kinds));
    let lists = parts_of!(lists, slow from lists::LARGEST);
    side::parts().chain(kinds).chain(lists).collect()
}
