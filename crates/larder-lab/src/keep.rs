//! `keep`: what outlives the program, or goes on elsewhere: saving and loading, what changed, and walking on all
//! threads.

mod bars;
mod changes;
mod saving;
mod walking;

use crate::study::{Part, Studies, parts_of};

/// What `keep` measures.
pub(crate) const KEEP: Studies =
    Studies { command: "keep", each: "object", parts, bars: bars::BARS };

fn parts() -> Vec<Part> {
    let saved = parts_of!(saving, slow from 16_000_000);
    saved.chain(parts_of!(changes)).chain(parts_of!(walking)).collect()
}
