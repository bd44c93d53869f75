//! `find`: what objects own (lists of any length, names), and what finds objects by their properties.
//! Against other crates, and against code written by hand.

mod bars;
mod children;
mod grid;
mod names;
mod observers;
mod ordered;
mod unique;
mod views;

use crate::study::{Part, Studies, parts_of};

/// What `find` measures.
pub(crate) const FIND: Studies =
    Studies { command: "find", each: "operation", parts, bars: bars::BARS };

fn parts() -> Vec<Part> {
    let lists = parts_of!(children, slow from 1_000_000).chain(children::lengths::parts());
    let owned = lists.chain(parts_of!(names));
    let hashed = parts_of!(unique).chain(observers::parts());
    let found = hashed.chain(ordered::parts()).chain(grid::parts());
    owned.chain(found).chain(parts_of!(views, slow from 1_000_000)).collect()
}
