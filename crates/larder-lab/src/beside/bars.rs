//! What larder promises about what is kept beside containers.

use super::side::NAME as SIDE;
use crate::study::bars::Against::{self, Best};
use crate::study::bars::{Bar, bar};

const DENSE: &str = "SecondaryMap";
const SPARSE: &str = "SparseSecondaryMap";
const ITS_DENSE: Against = Best(&["slotmap SecondaryMap"]);
const ITS_SPARSE: Against =
    Best(&["slotmap SparseSecondaryMap", "slotmap SparseSecondaryMap, foldhash"]);

#[rustfmt::skip]
pub(crate) const BARS: &[Bar] = &[
    bar(SIDE, "insert", DENSE, ITS_DENSE, 1.0),
    bar(SIDE, "get", DENSE, ITS_DENSE, 1.0),
    bar(SIDE, "walk", DENSE, ITS_DENSE, 1.0),
    bar(SIDE, "join2", DENSE, ITS_DENSE, 1.0),
    bar(SIDE, "join3", DENSE, ITS_DENSE, 1.0),
    bar(SIDE, "insert", SPARSE, ITS_SPARSE, 1.0),
    bar(SIDE, "get", SPARSE, ITS_SPARSE, 1.0),
    bar(SIDE, "walk", SPARSE, ITS_SPARSE, 1.0),
    bar(SIDE, "join2", SPARSE, ITS_SPARSE, 1.0),
    bar(SIDE, "join3", SPARSE, ITS_SPARSE, 1.0),
];
