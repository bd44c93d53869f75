//! `columns`: rows, columns and lanes, measured on particles of ten numbers.
//!
//! The source documents reason about such a particle: what a loop gains that needs one field of ten,
//! what a lookup of a random particle costs, what happens when columns begin at equal offsets, and what
//! holes do to SIMD. Each is a study. `docs/columns.md` has the results.

mod bars;
mod denormals;
mod flock;
mod flocks;
mod holes;
mod kernels;
mod particle;
mod stores;
mod temporary;
mod turns;

use self::stores::{LARGEST, STUDIES};
use crate::study::{self, NEVER_SLOW, Part, Studies, parts_of};

/// What `columns` measures.
pub(crate) const COLUMNS: Studies =
    Studies { command: "columns", each: "particle", parts, bars: bars::BARS };

fn parts() -> Vec<Part> {
    let stores = STUDIES.iter().flat_map(|known| {
        study::parts(known.name, known.counts, LARGEST, |contest| known.measure(contest))
    });
    let holes = holes::PERCENT.iter().flat_map(|&percent| {
        study::parts(holes::NAME, holes::COUNTS, NEVER_SLOW, move |contest| {
            holes::measure(contest, percent)
        })
    });
    let temporary = temporary::OPERATIONS.into_iter().flat_map(|operations| {
        study::parts(temporary::NAME, temporary::COUNTS, NEVER_SLOW, move |contest| {
            temporary::measure(contest, operations)
        })
    });
    stores.chain(holes).chain(parts_of!(denormals)).chain(temporary).collect()
}
