//! `beside`: what is kept beside containers, or in their objects, and finds them again: side data,
//! hierarchies, kinds, lists of objects. Against what others have for it, and what one writes by hand.

mod bars;
mod side;

#[cfg(test)]
mod tests;

use crate::study::{Part, Studies};

/// What `beside` measures.
pub(crate) const BESIDE: Studies =
    Studies { command: "beside", each: "operation", parts, bars: bars::BARS };

fn parts() -> Vec<Part> {
    side::parts().collect()
}
