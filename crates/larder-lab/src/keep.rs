//! `keep`: what outlives the program, or goes on elsewhere: saving and loading, what changed, and walking on all
//! threads.

mod changes;
mod saving;
mod walking;

use crate::study::Part;

pub(crate) fn parts() -> Vec<Part> {
    let parts = [saving::parts(), changes::parts(), walking::parts()];
    parts.into_iter().flatten().collect()
}
