//! `find`: what objects own (lists of any length, names), and what finds objects by their properties.
//! Against other crates, and against code written by hand.

mod children;
mod grid;
mod ir;
mod names;
mod observers;
mod ordered;
mod unique;
mod views;

use larder::Handle;

use crate::study::Part;

pub(crate) fn parts() -> Vec<Part> {
    let owned = [children::parts(), ir::parts(), names::parts()];
    let found = [unique::parts(), observers::parts(), ordered::parts(), grid::parts()];
    owned.into_iter().chain(found).chain([views::parts()]).flatten().collect()
}

/// The key of an object that is found by a property.
type Key = Handle<u8>;

/// Removes an object from the list of those with a property, as rivals have it; returns whether none is left.
#[inline(always)]
fn remove_from(keys: &mut Vec<Key>, key: Key) -> bool {
    if let Some(position) = keys.iter().position(|&other| other == key) {
        keys.swap_remove(position);
    }
    keys.is_empty()
}
