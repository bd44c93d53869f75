//! What studies are written with.

pub(crate) use anyhow::Result;

pub(crate) use super::contest::{Contest, Contestant, Contestants, Turn, contestants, jobs};
pub(crate) use super::work::{changing, consuming, counting, reading};
pub(crate) use super::{NEVER_SLOW, Part, Row};
pub(crate) use crate::measure::allocator::bytes_kept_by;
pub(crate) use crate::measure::clock::{Sample, barrier, timed};
pub(crate) use crate::measure::random::{Random, Scatter};
pub(crate) use crate::study;
