//! The operations that histories are made of.

use crate::subject::Subject;
use crate::trial::Trial;
use proptest::collection::vec;
use proptest::prelude::*;

/// One operation. Numbers choose among what there is at the time: keys ever issued, positions, bits.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    Insert,
    TryInsert,
    InsertWithKey,
    TryInsertWithKey { fails: bool },
    VacantEntry { used: bool },
    InsertMany(u8),
    Extend(u8),
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
    Copy(u8),
    Sort(u8),
    SwapPositions(u8, u8),
    RemoveAt(u8),
    RemoveOrdered(u8),
}

impl Operation {
    /// Does this to the container and to its model.
    pub(crate) fn run<S: Subject>(&self, trial: &mut Trial<S>) {
        use Operation::*;
        match *self {
            Insert => trial.insert(),
            TryInsert => trial.try_insert(),
            InsertWithKey => trial.insert_with_key(),
            TryInsertWithKey { fails } => trial.try_insert_with_key(fails),
            VacantEntry { used } => trial.vacant_entry(used),
            InsertMany(count) => trial.insert_many(count.into()),
            Extend(count) => trial.extend(count.into()),
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
            Copy(how) => trial.copy(how.into()),
            Sort(how) => trial.sort(how.into()),
            SwapPositions(a, b) => trial.swap_positions(a.into(), b.into()),
            RemoveAt(position) => trial.remove_at(position.into()),
            RemoveOrdered(which) => trial.remove_ordered(which.into()),
        }
    }
}

/// Any operation; those that empty the container come seldom, so that histories get somewhere.
pub(crate) fn operation() -> impl Strategy<Value = Operation> {
    use Operation::*;
    prop_oneof![
        12 => insertion(),
        4 => any::<u8>().prop_map(GetMut),
        3 => any::<[u8; 3]>().prop_map(GetDisjointMut),
        3 => any::<u64>().prop_map(Walk),
        14 => any::<u8>().prop_map(Remove),
        4 => any::<u8>().prop_map(Detach),
        3 => any::<u8>().prop_map(Reattach),
        3 => any::<u8>().prop_map(Release),
        6 => bulk_removal(),
        4 => capacity(),
        2 => any::<u8>().prop_map(Copy),
        5 => ordering(),
    ]
}

fn insertion() -> impl Strategy<Value = Operation> {
    use Operation::*;
    prop_oneof![
        8 => Just(Insert),
        4 => Just(TryInsert),
        2 => Just(InsertWithKey),
        2 => any::<bool>().prop_map(|fails| TryInsertWithKey { fails }),
        2 => any::<bool>().prop_map(|used| VacantEntry { used }),
        2 => (0_u8..6).prop_map(InsertMany),
        2 => (0_u8..6).prop_map(Extend),
        1 => (0..LONG).prop_map(InsertMany),
        1 => (0..LONG).prop_map(Extend),
    ]
}

/// Enough to cross words of occupancy.
const LONG: u8 = if cfg!(miri) { 70 } else { 140 };

fn bulk_removal() -> impl Strategy<Value = Operation> {
    use Operation::*;
    let mask =
        || prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), (0_u32..64).prop_map(|n| 1 << n)];
    prop_oneof![
        1 => Just(Clear),
        4 => mask().prop_map(Retain),
        4 => (mask(), any::<u8>()).prop_map(|(mask, most)| ExtractIf { mask, most }),
        4 => (mask(), 0_u8..4).prop_map(|(mask, most)| ExtractIf { mask, most }),
        1 => (0_u8..4, 0_u8..4).prop_map(|(front, back)| Drain { front, back }),
    ]
}

fn capacity() -> impl Strategy<Value = Operation> {
    use Operation::*;
    prop_oneof![any::<u8>().prop_map(Reserve), any::<u8>().prop_map(ShrinkTo), Just(ShrinkToFit),]
}

fn ordering() -> impl Strategy<Value = Operation> {
    use Operation::*;
    prop_oneof![
        any::<u8>().prop_map(Sort),
        any::<(u8, u8)>().prop_map(|(a, b)| SwapPositions(a, b)),
        any::<u8>().prop_map(RemoveAt),
        any::<u8>().prop_map(RemoveOrdered),
    ]
}

/// A whole history of up to `most` operations.
pub(crate) fn operations(most: usize) -> impl Strategy<Value = Vec<Operation>> {
    vec(operation(), 0..most)
}
