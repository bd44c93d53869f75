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

use crate::study::{Part, Studies};

/// What `find` measures.
pub(crate) const FIND: Studies =
    Studies { command: "find", each: "operation", parts, bars: bars::BARS };

fn parts() -> Vec<Part> {
    let lists = children::parts().chain(children::lengths::parts());
    let owned = lists.chain(names::parts());
    let hashed = unique::parts().chain(observers::parts());
    let found = hashed.chain(ordered::parts()).chain(grid::parts());
    owned.chain(found).chain(views::parts()).chain(changes::parts()).collect()
}
