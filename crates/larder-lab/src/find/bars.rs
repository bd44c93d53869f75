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

/// A program has one grid for all its queries: one size of cells is judged at all workloads.
const CELLS: &str = "GridIndex, 20 m";
const TREE: Against = Best(&["kiddo"]);
const TREES_AND_ALL: Against = Best(&["brute force", "rstar", "kiddo", "kiddo, immutable"]);
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
    bar(ORDERED, "add", SORTED, MAP, 1.0),
    bar(ORDERED, "find", SORTED, MAP, 1.0),
    bar(ORDERED, "range", SORTED, MAP, 1.0),
    bar(ORDERED, "walk", SORTED, MAP, 1.0),
    bar(ORDERED, "pop_first", SORTED, MAP, 1.0),
    bar(ORDERED, "remove", SORTED, MAP, 1.0),
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
    // What it took until its cells were blocks of their own: 0.9 of that.
    bar(GRID, "bytes, 2D", CELLS, TREE, 1.97),
    bar(GRID, "bytes, 3D", CELLS, TREE, 1.85),
    bar(VIEWS, "u8", RADIX, OTHERS_VIEWED, 1.0),
    bar(VIEWS, "u32", RADIX, OTHERS_VIEWED, 1.0),
    bar(VIEWS, "f32", RADIX, OTHERS_VIEWED, 1.0),
    bar(VIEWS, "u64", RADIX, OTHERS_VIEWED, 1.0),
];
