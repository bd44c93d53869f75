//! `columns`: rows, columns and lanes, measured on particles of ten numbers.
//!
//! The source documents reason about such a particle: what a loop gains that needs one field of ten,
//! what a random one costs, what happens when columns begin at equal offsets, and what holes do to
//! SIMD. Each is a study: some workloads on some stores, which take turns for several rounds. Every
//! workload's answer is compared. `docs/columns.md` says what came out.

mod bars;
mod contestant;
mod denormals;
mod flock;
mod flocks;
mod holes;
mod kernels;
mod particle;
mod studies;
mod temporary;

#[cfg(test)]
mod tests;

use self::studies::{LARGEST, STUDIES};
use crate::study::{Part, Studies};

/// What `columns` measures.
pub(crate) const COLUMNS: Studies =
    Studies { command: "columns", each: "particle", parts, bars: bars::BARS };

fn parts() -> Vec<Part> {
    let mut parts = Vec::new();
    for study in STUDIES {
        for &count in study.counts {
            let part = Part::new(study.name, count, move |method, progress| {
                study.measure(count, method, progress)
            });
            parts.push(part.slow_if(count == LARGEST));
        }
    }
    for &percent in holes::PERCENT {
        for &count in holes::COUNTS {
            parts.push(Part::new(holes::NAME, count, move |method, _| {
                holes::measure(count, percent, method)
            }));
        }
    }
    for &count in denormals::COUNTS {
        let measure = move |method, _: &_| denormals::measure(count, method);
        parts.push(Part::new(denormals::NAME, count, measure));
    }
    for operations in temporary::OPERATIONS {
        for &count in temporary::COUNTS {
            parts.push(Part::new(temporary::NAME, count, move |method, _| {
                temporary::measure(count, operations, method)
            }));
        }
    }
    parts
}
