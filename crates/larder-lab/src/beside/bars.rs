//! What larder promises about what is kept beside containers.

use super::hierarchy::NAME as HIERARCHY;
use super::kinds::NAME as KINDS;
use super::lists::NAME as LISTS;
use super::side::NAME as SIDE;
use crate::study::bars::Against::{self, Best};
use crate::study::bars::{Bar, bar};

const DENSE: &str = "SecondaryMap";
const SPARSE: &str = "SparseSecondaryMap";
const ITS_DENSE: Against = Best(&["slotmap SecondaryMap"]);
const ITS_SPARSE: Against =
    Best(&["slotmap SparseSecondaryMap", "slotmap SparseSecondaryMap, foldhash"]);

const TREE: &str = "Arena and Tree";
const LINKS: &str = "Arena of Links";
const INDEXTREE: Against = Best(&["indextree"]);
const EGO_TREE: Against = Best(&["ego-tree"]);

const BY_KIND: &str = "Arena and Buckets";
const OTHERS_BY_KIND: Against = Best(&["SlotMap, filtered", "SlotMap and Vec of keys"]);

const SIDE_LIST: &str = "Arena and KeyList";
const LIST: &str = "Arena and List";
/// What passes over whole lists is compared with lists: a `Vec` walks and filters keys that lie side by side, and pays
/// for it in `one`.
const OTHER_LISTS: Against = Best(&["SlotMap and LinkedList", "SlotMap linked by hand"]);
const VECS_AND_LISTS: Against =
    Best(&["SlotMap and Vec", "SlotMap and LinkedList", "SlotMap linked by hand"]);

#[rustfmt::skip]
pub(crate) const BARS: &[Bar] = &[
    bar(SIDE, "insert, 100 %", DENSE, ITS_DENSE, 1.2),
    bar(SIDE, "insert, 50 %", DENSE, ITS_DENSE, 1.2),
    bar(SIDE, "insert, 10 %", DENSE, ITS_DENSE, 1.1),
    bar(SIDE, "insert, 1 %", DENSE, ITS_DENSE, 1.1),
    bar(SIDE, "get", DENSE, ITS_DENSE, 1.1),
    bar(SIDE, "ask", DENSE, ITS_DENSE, 1.1),
    bar(SIDE, "walk", DENSE, ITS_DENSE, 1.0),
    bar(SIDE, "join2", DENSE, ITS_DENSE, 1.0),
    bar(SIDE, "join3", DENSE, ITS_DENSE, 1.0),
    bar(SIDE, "insert", SPARSE, ITS_SPARSE, 1.0),
    bar(SIDE, "get", SPARSE, ITS_SPARSE, 1.0),
    bar(SIDE, "walk", SPARSE, ITS_SPARSE, 1.0),
    bar(SIDE, "join2", SPARSE, ITS_SPARSE, 1.0),
    bar(SIDE, "join3", SPARSE, ITS_SPARSE, 1.0),
    bar(HIERARCHY, "spawn", TREE, INDEXTREE, 1.0),
    bar(HIERARCHY, "attach", TREE, INDEXTREE, 1.0),
    bar(HIERARCHY, "build", TREE, INDEXTREE, 1.0),
    bar(HIERARCHY, "walk", TREE, INDEXTREE, 1.0),
    bar(HIERARCHY, "children", TREE, INDEXTREE, 1.0),
    bar(HIERARCHY, "ancestors", TREE, INDEXTREE, 1.0),
    bar(HIERARCHY, "remove_subtree", TREE, INDEXTREE, 1.0),
    bar(HIERARCHY, "destroy", TREE, INDEXTREE, 1.0),
    bar(HIERARCHY, "churn", TREE, INDEXTREE, 1.0),
    bar(HIERARCHY, "walk_churned", TREE, INDEXTREE, 1.0),
    bar(HIERARCHY, "attach", TREE, EGO_TREE, 1.5),
    bar(HIERARCHY, "spawn", LINKS, INDEXTREE, 1.0),
    bar(HIERARCHY, "attach", LINKS, INDEXTREE, 1.0),
    bar(HIERARCHY, "build", LINKS, INDEXTREE, 1.0),
    bar(HIERARCHY, "walk", LINKS, INDEXTREE, 1.0),
    bar(HIERARCHY, "children", LINKS, INDEXTREE, 1.0),
    bar(HIERARCHY, "ancestors", LINKS, INDEXTREE, 1.0),
    bar(HIERARCHY, "remove_subtree", LINKS, INDEXTREE, 1.0),
    bar(HIERARCHY, "destroy", LINKS, INDEXTREE, 1.0),
    bar(HIERARCHY, "churn", LINKS, INDEXTREE, 1.0),
    bar(HIERARCHY, "walk_churned", LINKS, INDEXTREE, 1.0),
    bar(HIERARCHY, "attach", LINKS, EGO_TREE, 1.5),
    bar(KINDS, "walk", BY_KIND, OTHERS_BY_KIND, 1.3),
    bar(KINDS, "walk_thinned", BY_KIND, OTHERS_BY_KIND, 2.0),
    bar(LISTS, "rounds", SIDE_LIST, OTHER_LISTS, 1.0),
    bar(LISTS, "walk", SIDE_LIST, OTHER_LISTS, 1.0),
    bar(LISTS, "one", SIDE_LIST, VECS_AND_LISTS, 1.0),
    bar(LISTS, "rounds", LIST, OTHER_LISTS, 1.0),
    bar(LISTS, "walk", LIST, OTHER_LISTS, 1.0),
    bar(LISTS, "one", LIST, VECS_AND_LISTS, 1.0),
];
