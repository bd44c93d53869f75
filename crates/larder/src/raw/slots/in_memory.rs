//! Making a container in whatever memory.

use super::{Plan, Slots, most_slots};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::raw::memory::{Lent, Memory, Source};
use crate::stats::Reuse;

/// A container of a few stretches of memory, each of which can come from anywhere.
pub(crate) trait InMemory<K: Key>: Slots<K> + Sized {
    /// How many slots more may fit although one more does not: none, where what slots need grows with
    /// their number.
    const WAVERS: usize = 0;

    /// An empty container in that memory.
    fn within(reuse: Reuse, memory: Memory<'_>) -> Result<Self, TryReserveError>;

    /// Where a container of so many slots ends that begins after the address `at`, in lent memory: the
    /// sum of what [`within`](Self::within) asks for, piece by piece. `None` where no memory is so
    /// large.
    fn end(at: usize, slots: usize, reuse: Reuse) -> Option<usize>;

    /// Makes an empty container as planned. If it is reserved, it has addresses and no memory yet.
    fn make(plan: Plan) -> Result<Self, TryReserveError> {
        let Plan { slots, bytes, growth, source, reuse } = plan;
        // The allocator's pieces are aligned, as those after address 0 are.
        let slots = bytes.map_or(slots, |bytes| Self::fitting(0, bytes, reuse));
        Self::check_slots(slots)?;
        match source {
            Source::Heap { huge } => {
                Self::within(reuse, Memory::Heap { huge })?.furnish(slots, growth)
            }
            #[cfg(feature = "reserved")]
            Source::Reserved { huge, ahead } => {
                let memory = Memory::Reserved { max: slots, huge, ahead };
                Self::within(reuse, memory)?.furnish(0, growth)
            }
            Source::Lent(block) => {
                let lent = Lent::new(block);
                let (at, limit) = (lent.address(), lent.limit());
                let slots = Self::fitting(at, limit, reuse);
                if slots == 0 {
                    let missing = Self::end(at, 1, reuse).map_or(usize::MAX, |end| end - limit);
                    return Err(TryReserveError::BlockTooSmall { missing });
                }
                let memory = Memory::Lent { max: slots, from: &lent };
                Self::within(reuse, memory)?.furnish(slots, growth)
            }
        }
    }

    /// How many slots fit between two addresses.
    fn fitting(at: usize, limit: usize, reuse: Reuse) -> usize {
        let fits = |slots| Self::end(at, slots, reuse).is_some_and(|end| end <= limit);
        // A slot needs a bit at least. What a number of slots needs grows with it, nearly.
        let (mut most, mut too_many) = (0, (limit - at).saturating_mul(8).saturating_add(1));
        too_many = too_many.min(most_slots::<K>().saturating_add(1));
        while most + 1 < too_many {
            let middle = usize::midpoint(most, too_many);
            if fits(middle) { most = middle } else { too_many = middle }
        }
        let last = too_many.saturating_add(Self::WAVERS).min(most_slots::<K>());
        if let Some(more) = (too_many..=last).rev().find(|&slots| fits(slots)) {
            most = more;
        }
        most
    }
}
