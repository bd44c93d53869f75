//! `find`: what objects own (lists of any length, names), and what finds objects by their properties.
//! Against other crates, and against code written by hand.

mod children;
mod grid;
mod names;
mod observers;
mod ordered;
mod unique;
mod views;

use crate::study::Part;

pub(crate) fn parts() -> Vec<Part> {
    let owned = [children::parts(), names::parts()];
    let found = [unique::parts(), observers::parts(), ordered::parts(), grid::parts()];
    owned.into_iter().chain(found).chain([views::parts()]).flatten().collect()
}
