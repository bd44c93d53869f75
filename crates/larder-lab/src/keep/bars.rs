//! What larder promises about what is kept.

use super::changes::{CLONE, COPY, NAME as CHANGES, PLAIN as ITSELF, TRACKED};
use super::saving::{ARENA, COLUMNS, IN_PLACE, MAPPED, NAME as SAVING, PLAIN, SERDE, SLOTMAP};
use super::walking::{ALL, NAME as THREADS, ONE};
use crate::study::bars::Against::{Best, Nanosecond};
use crate::study::bars::{Bar, bar};

/// 0.8 of the speed.
const SPEED: f64 = 1.25;

/// The counts at which a file is more than calls to the system.
const LARGE: &[usize] = &[1_000_000, 16_000_000];

/// 1.8 times the speed.
const TWO_CORES: f64 = 1.0 / 1.8;

/// The count at which a walk is more than waking threads.
const MANY: &[usize] = &[10_000_000];

/// Five milliseconds.
const AT_ONCE: f64 = 5_000_000.0;

#[rustfmt::skip]
pub(crate) const BARS: &[Bar] = &[
    bar(SAVING, "save", ARENA, Best(&[PLAIN, IN_PLACE]), SPEED).at(LARGE),
    bar(SAVING, "save", COLUMNS, Best(&[PLAIN, IN_PLACE]), SPEED).at(LARGE),
    bar(SAVING, "write", ARENA, Best(&[PLAIN]), SPEED).at(LARGE),
    bar(SAVING, "load", ARENA, Best(&[PLAIN]), SPEED).at(LARGE),
    bar(SAVING, "load", COLUMNS, Best(&[PLAIN]), SPEED).at(LARGE),
    bar(SAVING, "open", MAPPED, Nanosecond, AT_ONCE),
    bar(SAVING, "open", COLUMNS, Nanosecond, AT_ONCE),
    bar(SAVING, "serialize", SERDE, Best(&[SLOTMAP]), 1.0).at(LARGE),
    bar(SAVING, "deserialize", SERDE, Best(&[SLOTMAP]), 1.0).at(LARGE),
    bar(CHANGES, "walk", TRACKED, Best(&[ITSELF]), 1.15),
    // The writes themselves are counted, too.
    bar(CHANGES, "one in a hundred", TRACKED, Best(&[COPY]), 3.0).at(&[1_000_000]),
    bar(CHANGES, "one in a hundred", TRACKED, Best(&[CLONE]), 0.05).at(&[1_000_000]),
    bar(CHANGES, "delta", TRACKED, Best(&[COPY]), 2.0).at(&[1_000_000]),
    bar(THREADS, "rows", ALL, Best(&[ONE]), TWO_CORES).at(MANY),
    bar(THREADS, "columns", ALL, Best(&[ONE]), TWO_CORES).at(MANY),
    bar(THREADS, "join", ALL, Best(&[ONE]), TWO_CORES).at(MANY),
];
