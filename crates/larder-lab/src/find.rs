//! `find`: what objects own (lists of any length, names), what finds objects by their properties, and what
//! changed.
//! Against other crates, and against code written by hand.

mod bars;
mod changes;
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
    let views = parts_of!(views, slow from 1_000_000);
    owned.chain(found).chain(views).chain(parts_of!(changes)).collect()
}
