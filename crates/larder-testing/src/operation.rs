//! The operations that histories are made of.

use crate::trial::Trial;

/// One operation. Numbers choose among what there is at the time: keys ever issued, positions, bits.
#[derive(Clone, Debug)]
pub enum Operation {
    Insert,
    TryInsert,
    InsertWithKey,
    TryInsertWithKey { fails: bool },
    VacantEntry { used: bool },
    InsertMany(u8),
    Extend(u8),
    InsertInPlace { count: u8, how: u8 },
    InsertShared { count: u8, leaked: bool },
    GetMut(u8),
    GetDisjointMut([u8; 3]),
    Walk(u64),
    Remove(u8),
    Clear,
    Retain(u64),
    ExtractIf { mask: u64, most: u8 },
    Drain { front: u8, back: u8 },
    Detach(u8),
    Reattach(u8),
    Release(u8),
    Reserve(u8),
    ShrinkTo(u8),
    ShrinkToFit,
    Compact { panics_at: Option<u8> },
    Copy(u8),
    Sort(u8),
    SwapPositions(u8, u8),
    RemoveAt(u8),
    RemoveOrdered(u8),
}

impl Operation {
    /// Does this to the container and to its model.
    pub fn run(&self, trial: &mut Trial) {
        use Operation::*;
        match *self {
            Insert => trial.insert(),
            TryInsert => trial.try_insert(),
            InsertWithKey => trial.insert_with_key(),
            TryInsertWithKey { fails } => trial.try_insert_with_key(fails),
            VacantEntry { used } => trial.vacant_entry(used),
            InsertMany(count) => trial.insert_many(count.into()),
            Extend(count) => trial.extend(count.into()),
            InsertInPlace { count, how } => trial.insert_in_place(count.into(), how),
            InsertShared { count, leaked } => trial.insert_shared(count.into(), leaked),
            GetMut(which) => trial.get_mut(which.into()),
            GetDisjointMut(which) => trial.get_disjoint_mut(which.map(usize::from)),
            Walk(turns) => trial.walk(turns),
            Remove(which) => trial.remove(which.into()),
            Clear => trial.clear(),
            Retain(mask) => trial.retain(mask),
            ExtractIf { mask, most } => trial.extract_if(mask, most.into()),
            Drain { front, back } => trial.drain(front.into(), back.into()),
            Detach(which) => trial.detach(which.into()),
            Reattach(which) => trial.reattach(which.into()),
            Release(which) => trial.release(which.into()),
            Reserve(additional) => trial.reserve(additional.into()),
            ShrinkTo(capacity) => trial.shrink(Some(capacity.into())),
            ShrinkToFit => trial.shrink(None),
            Compact { panics_at } => trial.compact(panics_at.map(usize::from)),
            Copy(how) => trial.copy(how.into()),
            Sort(how) => trial.sort(how.into()),
            SwapPositions(a, b) => trial.swap_positions(a.into(), b.into()),
            RemoveAt(position) => trial.remove_at(position.into()),
            RemoveOrdered(which) => trial.remove_ordered(which.into()),
        }
    }
}

/// Enough to cross words of occupancy.
const LONG: u8 = if cfg!(miri) { 70 } else { 140 };

impl Operation {
    /// Returns the operation that a number stands for: 0 is an insertion, any other number is something. Operations
    /// that empty the container come seldom, so that histories get somewhere.
    pub fn decode(bits: u64) -> Self {
        use Operation::*;
        let [kind, a, b, c, ..] = bits.to_le_bytes();
        match kind % 100 {
            0..12 => Insert,
            12..16 => TryInsert,
            16..18 => InsertWithKey,
            18..20 => TryInsertWithKey { fails: a % 2 == 1 },
            20..22 => VacantEntry { used: a % 2 == 1 },
            22..24 => InsertMany(a % 6),
            24..26 => Extend(a % 6),
            26 => InsertMany(a % LONG),
            27 => Extend(a % LONG),
            28 => InsertInPlace { count: a % 6, how: b },
            29 => InsertShared { count: a % LONG, leaked: b % 4 == 0 },
            30..32 => GetMut(a),
            32..35 => GetDisjointMut([a, b, c]),
            35..38 => Walk(bits >> 8),
            38..54 => Remove(a),
            54..59 => Detach(a),
            59..62 => Reattach(a),
            62..65 => Release(a),
            65 => Clear,
            66..69 => Retain(mask(bits)),
            69..72 => ExtractIf { mask: mask(bits), most: b },
            72..75 => ExtractIf { mask: mask(bits), most: b % 4 },
            75 => Drain { front: a % 4, back: b % 4 },
            76 => Reserve(a),
            77..79 => ShrinkTo(a),
            79..82 => ShrinkToFit,
            82..85 => Copy(a),
            85..88 => Sort(a),
            88..91 => SwapPositions(a, b),
            91..95 => RemoveAt(a),
            95..98 => RemoveOrdered(a),
            _ => Compact { panics_at: (a % 4 == 0).then_some(b % 4) },
        }
    }
}

/// Returns the slots of a bulk removal, as bits: none, all, one, or some without a pattern.
fn mask(bits: u64) -> u64 {
    match bits >> 24 & 7 {
        0 => 0,
        1 => u64::MAX,
        2 => 1 << (bits >> 32 & 63),
        _ => (bits >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15),
    }
}
