//! `beside`: what is kept beside containers or in their objects: side data, hierarchies, kinds, lists.
//! Against other crates, and against code written by hand.

mod hierarchy;
mod kinds;
mod lists;
mod side;

use crate::study::Part;

pub(crate) fn parts() -> Vec<Part> {
    let parts = [side::parts(), hierarchy::parts(), kinds::parts(), lists::parts()];
    parts.into_iter().flatten().collect()
}
