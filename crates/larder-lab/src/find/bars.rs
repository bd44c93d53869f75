//! What larder promises about what objects own, and what finds them.

use super::children::NAME as CHILDREN;
use super::grid::NAME as GRID;
use super::names::NAME as NAMES;
use super::observers::NAME as OBSERVERS;
use super::ordered::NAME as ORDERED;
use super::unique::NAME as UNIQUE;
use super::views::{BY_LOOKUP, NAME as VIEWS, RADIX, STABLE, UNSTABLE};
use crate::study::bars::Against::{self, Best};
use crate::study::bars::{Bar, bar};

const LISTS: &str = "ListPool";
const OTHER_LISTS: Against = Best(&["Vec<u32>", "SmallVec<[u32; 4]>", "cranelift EntityList"]);

const KEPT: &str = "StringPool, intern";
const OTHERS_KEPT: Against =
    Best(&["HashMap and Vec", "lasso", "lasso, foldhash", "string-interner"]);
const COUNTED: &str = "StringPool, acquire";
const OTHERS_COUNTED: Against = Best(&["HashSet<Rc<str>>"]);

const MULTI: &str = "MultiIndex";
/// With the same hasher. (Brute force is fast at adding alone: it only pushes to a list.)
const TABLE: Against = Best(&["HashMap of Vec, foldhash"]);
/// The index keeps objects side by side for finding, so it is compared with links there.
const CIRCLES: Against = Best(&["circles of links"]);
const ONE: &str = "UniqueIndex";
const ONE_OF: Against = Best(&["HashMap, foldhash"]);
const SORTED: &str = "SortedIndex";
const MAP: Against = Best(&["BTreeMap of Vec"]);

/// A program has one grid for all its queries: both of these sizes are judged at all workloads.
const SMALL: &str = "GridIndex, 10 m";
const MEDIUM: &str = "GridIndex, 20 m";
/// For programs that ask for 50 metres only.
const LARGE: &str = "GridIndex, 50 m";
const TREES: Against = Best(&["rstar", "kiddo"]);
const TREES_AND_ALL: Against = Best(&["brute force", "rstar", "kiddo"]);
const OTHERS_VIEWED: Against = Best(&[UNSTABLE, STABLE, BY_LOOKUP]);

#[rustfmt::skip]
pub(crate) const BARS: &[Bar] = &[
    bar(CHILDREN, "make", LISTS, OTHER_LISTS, 1.0),
    bar(CHILDREN, "push", LISTS, OTHER_LISTS, 1.0),
    bar(CHILDREN, "iterate", LISTS, OTHER_LISTS, 1.0),
    bar(CHILDREN, "churn", LISTS, OTHER_LISTS, 1.0),
    bar(CHILDREN, "replace", LISTS, OTHER_LISTS, 1.0),
    bar(CHILDREN, "iterate_churned", LISTS, OTHER_LISTS, 1.0),
    bar(CHILDREN, "bytes", LISTS, OTHER_LISTS, 1.0),
    bar(CHILDREN, "bytes_churned", LISTS, OTHER_LISTS, 1.0),
    bar(CHILDREN, "allocations", LISTS, OTHER_LISTS, 1.0),
    bar(NAMES, "intern", KEPT, OTHERS_KEPT, 1.0),
    bar(NAMES, "intern_new", KEPT, OTHERS_KEPT, 1.0),
    bar(NAMES, "find", KEPT, OTHERS_KEPT, 1.0),
    bar(NAMES, "resolve", KEPT, OTHERS_KEPT, 1.0),
    bar(NAMES, "bytes", KEPT, OTHERS_KEPT, 1.0),
    bar(NAMES, "intern", COUNTED, OTHERS_COUNTED, 1.0),
    bar(NAMES, "release", COUNTED, OTHERS_COUNTED, 1.0),
    bar(NAMES, "release_rare", COUNTED, OTHERS_COUNTED, 1.0),
    bar(NAMES, "release_worst", COUNTED, OTHERS_COUNTED, 1.0),
    bar(NAMES, "bytes_released", COUNTED, OTHERS_COUNTED, 1.0),
    bar(UNIQUE, "insert", ONE, ONE_OF, 1.2).at(&[1_000]),
    bar(UNIQUE, "insert", ONE, ONE_OF, 1.0).at(&[10_000, 100_000]),
    bar(UNIQUE, "hit", ONE, ONE_OF, 1.1),
    bar(UNIQUE, "miss", ONE, ONE_OF, 1.1),
    bar(UNIQUE, "remove", ONE, ONE_OF, 1.2),
    bar(UNIQUE, "bytes", ONE, ONE_OF, 1.25),
    bar(OBSERVERS, "add, uniform", MULTI, TABLE, 1.1),
    bar(OBSERVERS, "add, skewed", MULTI, TABLE, 1.1),
    bar(OBSERVERS, "add, zipf", MULTI, TABLE, 1.5),
    bar(OBSERVERS, "add, one key", MULTI, TABLE, 2.7),
    bar(OBSERVERS, "find", MULTI, TABLE, 1.1),
    bar(OBSERVERS, "search", MULTI, TABLE, 1.1),
    bar(OBSERVERS, "move, uniform", MULTI, TABLE, 1.5),
    bar(OBSERVERS, "move, skewed", MULTI, TABLE, 1.0),
    bar(OBSERVERS, "move, zipf", MULTI, TABLE, 1.0),
    bar(OBSERVERS, "move, one key", MULTI, TABLE, 1.0),
    bar(OBSERVERS, "remove, uniform", MULTI, TABLE, 1.3),
    bar(OBSERVERS, "remove, skewed", MULTI, TABLE, 0.9),
    bar(OBSERVERS, "remove, zipf", MULTI, TABLE, 0.9),
    bar(OBSERVERS, "remove, one key", MULTI, TABLE, 0.9),
    // Four fifths of what the first draft's index took: 35, 53 and 45 bytes an object.
    bar(OBSERVERS, "bytes, uniform", MULTI, TABLE, 1.87).at(&[1_000]),
    bar(OBSERVERS, "bytes, uniform", MULTI, TABLE, 2.4).at(&[10_000]),
    bar(OBSERVERS, "bytes, uniform", MULTI, TABLE, 2.2).at(&[100_000]),
    bar(OBSERVERS, "find", MULTI, CIRCLES, 1.0),
    bar(ORDERED, "add", SORTED, MAP, 1.0),
    bar(ORDERED, "find", SORTED, MAP, 1.0),
    bar(ORDERED, "range", SORTED, MAP, 1.0),
    bar(ORDERED, "walk", SORTED, MAP, 1.0),
    bar(ORDERED, "pop_first", SORTED, MAP, 1.0),
    bar(ORDERED, "remove", SORTED, MAP, 1.0),
    bar(GRID, "insert", SMALL, TREES, 1.0),
    bar(GRID, "within 5 m", SMALL, TREES_AND_ALL, 1.0),
    bar(GRID, "within 50 m", SMALL, TREES_AND_ALL, 1.0),
    bar(GRID, "nearest", SMALL, TREES_AND_ALL, 1.0),
    bar(GRID, "move", SMALL, TREES, 1.0),
    bar(GRID, "insert", MEDIUM, TREES, 1.0),
    bar(GRID, "within 5 m", MEDIUM, TREES_AND_ALL, 1.0),
    bar(GRID, "within 50 m", MEDIUM, TREES_AND_ALL, 1.0),
    bar(GRID, "nearest", MEDIUM, TREES_AND_ALL, 1.0),
    bar(GRID, "move", MEDIUM, TREES, 1.0),
    bar(GRID, "within 50 m", LARGE, TREES_AND_ALL, 1.0),
    bar(VIEWS, "u8", RADIX, OTHERS_VIEWED, 1.0),
    bar(VIEWS, "u32", RADIX, OTHERS_VIEWED, 1.0),
    bar(VIEWS, "f32", RADIX, OTHERS_VIEWED, 1.0),
    bar(VIEWS, "u64", RADIX, OTHERS_VIEWED, 1.0),
];
