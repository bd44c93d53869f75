//! What larder promises about columns.

use super::holes::{COLUMN, GROUPS, MASKED, NAME as HOLES, PACKED};
use crate::study::bars::Against::{self, Best, ItsMedian};
use crate::study::bars::{Bar, bar};

const SOA: &str = "SoaArena";
const DENSE: &str = "DenseSoaArena";
const SOA_RS: Against = Best(&["soa-rs"]);
const KEYED: Against = Best(&["soa-rs and SlotMap"]);
const PACKED_PASS: Against = Best(&[PACKED]);

#[rustfmt::skip]
pub(crate) const BARS: &[Bar] = &[
    bar("tick", "whole", SOA, SOA_RS, 1.2),
    bar("tick", "whole", DENSE, SOA_RS, 1.2),
    bar("assoc", "all", SOA, ItsMedian, 1.3),
    bar("assoc", "all", DENSE, ItsMedian, 1.3),
    bar("keys", "insert", DENSE, KEYED, 1.0),
    bar("keys", "insert_reserved", DENSE, KEYED, 1.0),
    bar("keys", "churn", DENSE, KEYED, 1.0),
    bar("keys", "remove_all", DENSE, KEYED, 1.0),
    bar("keys", "whole", DENSE, KEYED, 1.3),
    bar(HOLES, "100 % live", COLUMN, PACKED_PASS, 1.03),
    bar(HOLES, "90 % live", GROUPS, PACKED_PASS, 2.5),
    bar(HOLES, "90 % live", MASKED, PACKED_PASS, 2.5),
    bar(HOLES, "50 % live", GROUPS, PACKED_PASS, 4.5),
    bar(HOLES, "50 % live", MASKED, PACKED_PASS, 4.5),
];
