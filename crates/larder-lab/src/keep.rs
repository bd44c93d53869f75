//! `keep`: what outlives the program, goes on elsewhere, or is taken back: saving and loading, what changed, whole
//! programs with a history, and walking on all threads.

mod changes;
mod editor;
mod game;
mod saving;
mod walking;

use crate::study::Part;

pub(crate) fn parts() -> Vec<Part> {
    let parts =
        [saving::parts(), changes::parts(), game::parts(), editor::parts(), walking::parts()];
    parts.into_iter().flatten().collect()
}
