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
/// Without brute force, which is fast at adding alone: it only pushes to a list.
const TABLES: Against = Best(&["HashMap of Vec", "HashMap of Vec, foldhash"]);
const ALL_OF_THEM: Against = Best(&["HashMap of Vec", "HashMap of Vec, foldhash", "brute force"]);
/// The index keeps objects side by side for finding, so it is compared with links there.
const CIRCLES: Against = Best(&["circles of links"]);
const ONE: &str = "UniqueIndex";
const ONE_OF: Against = Best(&["HashMap", "HashMap, foldhash"]);
const ONE_OF_ALL: Against = Best(&["HashMap", "HashMap, foldhash", "brute force"]);
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
    bar(CHILDREN, "allocations", LISTS, FEW_ALLOCATIONS, 1.0),
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
    bar(UNIQUE, "insert", ONE, ONE_OF_ALL, 1.0),
    bar(UNIQUE, "hit", ONE, ONE_OF_ALL, 1.0),
    bar(UNIQUE, "miss", ONE, ONE_OF_ALL, 1.0),
    bar(UNIQUE, "remove", ONE, ONE_OF_ALL, 1.0),
    bar(UNIQUE, "bytes", ONE, ONE_OF, 1.0),
    bar(OBSERVERS, "add", MULTI, TABLES, 1.0),
    bar(OBSERVERS, "find", MULTI, ALL_OF_THEM, 1.0),
    bar(OBSERVERS, "move", MULTI, ALL_OF_THEM, 1.0),
    bar(OBSERVERS, "remove", MULTI, ALL_OF_THEM, 1.0),
    bar(OBSERVERS, "bytes", MULTI, TABLES, 1.0),
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
