//! What larder promises about what objects own, and what finds them.

use super::children::NAME as CHILDREN;
use super::grid::NAME as GRID;
use super::names::NAME as NAMES;
use super::observers::NAME as OBSERVERS;
use super::ordered::NAME as ORDERED;
use super::unique::NAME as UNIQUE;
use super::views::{BY_LOOKUP, NAME as VIEWS, RADIX, STABLE, UNSTABLE};
use crate::study::bars::Against::{self, Best, Nanosecond};
use crate::study::bars::{Bar, bar};

const LISTS: &str = "ListPool";
const VECTORS: Against = Best(&["Vec<u32>"]);
const FEW_ALLOCATIONS: Against = Best(&["SmallVec<[u32; 4]>", "cranelift EntityList"]);

const KEPT: &str = "StringPool, intern";
const INTERNERS: Against = Best(&["lasso", "lasso, foldhash", "string-interner"]);
const COUNTED: &str = "StringPool, acquire";
const OTHERS_COUNTED: Against = Best(&["HashSet<Rc<str>>, foldhash"]);

const MULTI: &str = "MultiIndex";
/// With the same hasher. (Brute force is fast at adding alone: it only pushes to a list.)
const TABLE: Against = Best(&["HashMap of Vec, foldhash"]);
/// The index keeps objects side by side for finding, so it is compared with links there.
const CIRCLES: Against = Best(&["circles of links"]);
const ONE: &str = "UniqueIndex";
const ONE_OF: Against = Best(&["HashMap, foldhash"]);
const SORTED: &str = "SortedIndex";
const MAP: Against = Best(&["BTreeMap of Vec"]);

/// A program has one grid for all its queries: one size of cells is judged at all workloads.
const CELLS: &str = "GridIndex, 20 m";
const TREE: Against = Best(&["kiddo"]);
const TREES_AND_ALL: Against = Best(&["brute force", "rstar", "kiddo", "kiddo, immutable"]);
const OTHERS_VIEWED: Against = Best(&[UNSTABLE, STABLE, BY_LOOKUP]);

#[rustfmt::skip]
pub(crate) const BARS: &[Bar] = &[
    bar(CHILDREN, "make", LISTS, VECTORS, 0.65),
    bar(CHILDREN, "push", LISTS, VECTORS, 0.85),
    bar(CHILDREN, "iterate", LISTS, VECTORS, 1.1),
    bar(CHILDREN, "churn", LISTS, VECTORS, 1.2),
    bar(CHILDREN, "replace", LISTS, VECTORS, 0.75),
    bar(CHILDREN, "iterate_churned", LISTS, VECTORS, 1.1),
    bar(CHILDREN, "bytes", LISTS, VECTORS, 1.0),
    bar(CHILDREN, "bytes_churned", LISTS, VECTORS, 1.15),
    bar(CHILDREN, "make", LISTS, FEW_ALLOCATIONS, 1.3),
    bar(CHILDREN, "push", LISTS, FEW_ALLOCATIONS, 1.3),
    bar(CHILDREN, "churn", LISTS, FEW_ALLOCATIONS, 1.3),
    bar(CHILDREN, "replace", LISTS, FEW_ALLOCATIONS, 1.3),
    bar(CHILDREN, "allocations", LISTS, VECTORS, 0.01),
    bar(NAMES, "intern", KEPT, INTERNERS, 1.1),
    bar(NAMES, "intern_new", KEPT, INTERNERS, 1.0),
    bar(NAMES, "find", KEPT, INTERNERS, 1.05),
    bar(NAMES, "resolve", KEPT, INTERNERS, 1.5),
    bar(NAMES, "bytes", KEPT, INTERNERS, 1.1),
    bar(NAMES, "bytes", COUNTED, INTERNERS, 1.4),
    bar(NAMES, "intern", COUNTED, OTHERS_COUNTED, 1.1),
    bar(NAMES, "release", COUNTED, OTHERS_COUNTED, 1.1),
    bar(NAMES, "release_fourth", COUNTED, Nanosecond, 2_000.0),
    bar(NAMES, "release_worst", COUNTED, Nanosecond, 5_000.0),
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
    bar(ORDERED, "add, nearly one each", SORTED, MAP, 0.85),
    bar(ORDERED, "find, nearly one each", SORTED, MAP, 1.3).at(&[1_000]),
    bar(ORDERED, "find, nearly one each", SORTED, MAP, 0.8).at(&[10_000, 100_000]),
    bar(ORDERED, "range, nearly one each", SORTED, MAP, 0.7),
    bar(ORDERED, "walk, nearly one each", SORTED, MAP, 0.35),
    bar(ORDERED, "pop_first, nearly one each", SORTED, MAP, 0.25),
    bar(ORDERED, "remove, nearly one each", SORTED, MAP, 0.65),
    bar(ORDERED, "bytes, nearly one each", SORTED, MAP, 0.7),
    bar(ORDERED, "add, ten each", SORTED, MAP, 1.3),
    bar(ORDERED, "find, ten each", SORTED, MAP, 2.3).at(&[1_000]),
    bar(ORDERED, "find, ten each", SORTED, MAP, 1.15).at(&[10_000, 100_000]),
    bar(ORDERED, "range, ten each", SORTED, MAP, 1.5),
    bar(ORDERED, "walk, ten each", SORTED, MAP, 1.5),
    bar(ORDERED, "pop_first, ten each", SORTED, MAP, 1.3),
    bar(ORDERED, "remove, ten each", SORTED, MAP, 1.3),
    bar(GRID, "within 5 m, 2D", CELLS, TREES_AND_ALL, 0.6),
    bar(GRID, "within 50 m, 2D", CELLS, TREES_AND_ALL, 0.7),
    bar(GRID, "nearest, 2D", CELLS, TREES_AND_ALL, 0.75),
    bar(GRID, "within 5 m, 3D", CELLS, TREES_AND_ALL, 0.85),
    // Half of the points are found.
    bar(GRID, "within 50 m, 3D", CELLS, TREES_AND_ALL, 1.35).at(&[10_000]),
    bar(GRID, "within 50 m, 3D", CELLS, TREES_AND_ALL, 0.7).at(&[100_000]),
    bar(GRID, "nearest, 3D", CELLS, TREES_AND_ALL, 1.2),
    bar(GRID, "move", CELLS, TREE, 0.4),
    bar(GRID, "insert", CELLS, TREE, 1.3),
    // 0.9 of the bytes at 137754e, when a cell was a list of a pool.
    bar(GRID, "bytes, 2D", CELLS, TREE, 2.26),
    bar(GRID, "bytes, 3D", CELLS, TREE, 2.0),
    bar(VIEWS, "u8", RADIX, OTHERS_VIEWED, 1.0),
    bar(VIEWS, "u32", RADIX, OTHERS_VIEWED, 1.0),
    bar(VIEWS, "f32", RADIX, OTHERS_VIEWED, 1.0),
    bar(VIEWS, "u64", RADIX, OTHERS_VIEWED, 1.0),
];
