//! What jobs write: tables for the terminal, pages with charts, files of rows. Nothing here knows a
//! job.

pub(crate) mod chart;
pub(crate) mod page;
pub(crate) mod rows;
pub(crate) mod table;

/// The number of rounds, in words.
pub(crate) fn rounds(rounds: usize) -> String {
    format!("{rounds} round{}", if rounds == 1 { "" } else { "s" })
}
