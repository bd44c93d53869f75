//! The tools with which all jobs measure: clocks, the counting allocator, random choices, turns, statistics. Nothing
//! here knows a container.

pub(crate) mod allocator;
pub(crate) mod clock;
pub(crate) mod random;
pub(crate) mod stats;
pub(crate) mod turns;
