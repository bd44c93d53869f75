//! The rows of the tables and of the file.

use serde::{Deserialize, Serialize};

/// One measured value, as the JSON file has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The study's name.
    pub(crate) study: String,
    /// The workload's name.
    pub(crate) workload: String,
    /// What the workload does, for a reader of the tables.
    #[serde(skip)]
    pub(crate) about: &'static str,
    /// The number of objects.
    pub(crate) count: usize,
    /// The subject's name, and how it is used if there are several ways.
    pub(crate) subject: String,
    /// Nanoseconds per operation, or what else the workload counts: the median of the rounds.
    pub(crate) ns: f64,
    /// The median of the rounds' ratios to what the first subject took in the same round.
    pub(crate) ratio: f64,
    /// The distance between the quartiles of the rounds, as a share of the median.
    pub(crate) spread: f64,
}
