//! Numbers that tell pools apart, in spare bits of their handles.

#[cfg(target_has_atomic = "32")]
use core::sync::atomic::{AtomicU32, Ordering};

/// Issues 0, 1, 2, … in turn, and starts again after 2³². Without 32-bit atomics always 0.
#[cfg(feature = "hashbrown")]
pub(crate) struct PoolNumbers {
    #[cfg(target_has_atomic = "32")]
    next: AtomicU32,
}

#[cfg(all(feature = "hashbrown", target_has_atomic = "32"))]
impl PoolNumbers {
    pub(crate) const fn new() -> Self {
        Self { next: AtomicU32::new(0) }
    }

    pub(crate) fn next(&self) -> u32 {
        // No memory depends on the number.
        self.next.fetch_add(1, Ordering::Relaxed)
    }
}

#[cfg(all(feature = "hashbrown", not(target_has_atomic = "32")))]
impl PoolNumbers {
    pub(crate) const fn new() -> Self {
        Self {}
    }

    pub(crate) fn next(&self) -> u32 {
        0
    }
}

/// Numbers below `COUNT`, each of one pool (and its clones) at a time. A number that was returned is issued
/// again with a generation that no list under it has had.
///
/// **Invariant.** The next generation of a free number is not less than that of any list made under it, unless all
/// numbers were worn since. Without 32-bit atomics the number is always 0, with generation 0.
pub(crate) struct Brands<const COUNT: usize> {
    /// The number at which the search for a free one begins.
    #[cfg(target_has_atomic = "32")]
    next: AtomicU32,
    /// The number of pool numbers in use.
    #[cfg(target_has_atomic = "32")]
    taken: AtomicU32,
    /// For each number how many pools have it, in the upper half, and how many spans of generations are used up.
    #[cfg(target_has_atomic = "32")]
    cells: [AtomicU32; COUNT],
}

/// The number of generations in a span, chosen so that half a cell can count all spans.
const SPAN: u32 = 32;

/// A number with this many used spans, half of all, is worn: a pool would soon have to retire its slots.
const WORN: u32 = 1 << 14;

/// The number of generations that a list can have.
pub(crate) const GENERATIONS: u32 = 2 * WORN * SPAN;

/// One pool, in the upper half of a cell.
#[cfg(target_has_atomic = "32")]
const POOL: u32 = 1 << 16;

#[cfg(target_has_atomic = "32")]
impl<const COUNT: usize> Brands<COUNT> {
    pub(crate) const fn new() -> Self {
        let cells = [const { AtomicU32::new(0) }; COUNT];
        Self { next: AtomicU32::new(0), taken: AtomicU32::new(0), cells }
    }

    /// A number for a pool, and the even generation that is below those of its lists. O(1) amortised, unless
    /// all numbers are in use.
    ///
    /// The number is free; if all free ones are worn, one of them starts again; if there are none, it is shared.
    pub(crate) fn take(&self) -> (u16, u32) {
        let is_free = (self.taken.load(Ordering::Relaxed) as usize) < COUNT;
        let found = || self.find(|spans| spans < WORN).or_else(|| self.find(|_| true));
        let number = is_free.then(found).flatten().unwrap_or_else(|| {
            let (number, cell) = self.following();
            self.add_pool(cell);
            number
        });
        let spans = self.cells[number as usize].load(Ordering::Relaxed) % POOL;
        (number, spans * SPAN)
    }

    fn following(&self) -> (u16, &AtomicU32) {
        let number = self.next.fetch_add(1, Ordering::Relaxed) as usize % COUNT;
        (number as u16, &self.cells[number])
    }

    /// Takes the next free number for whose used spans `may_be_used` returns `true`.
    fn find(&self, may_be_used: impl Fn(u32) -> bool) -> Option<u16> {
        (0..COUNT).map(|_| self.following()).find_map(|(number, cell)| {
            let spans = cell.load(Ordering::Relaxed);
            if spans >= POOL || !may_be_used(spans) {
                return None;
            }
            let taken = POOL | if spans < WORN { spans } else { 0 };
            // No memory depends on the number: a pool's lists are its own.
            let order = Ordering::Relaxed;
            cell.compare_exchange(spans, taken, order, order).ok()?;
            self.taken.fetch_add(1, Ordering::Relaxed);
            Some(number)
        })
    }

    /// One more pool has the number. If there are too many to be counted, it is never free again.
    fn add_pool(&self, cell: &AtomicU32) {
        let order = Ordering::Relaxed;
        let add = |cell: u32| Some(cell.checked_add(POOL).unwrap_or(cell));
        if cell.fetch_update(order, order, add).is_ok_and(|before| before < POOL) {
            self.taken.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns whether such a number exists.
    #[cfg(any(feature = "serde", feature = "snapshot"))]
    pub(crate) const fn has(&self, number: u16) -> bool {
        (number as usize) < COUNT
    }

    /// A clone has the number too.
    pub(crate) fn share(&self, number: u16) {
        self.add_pool(&self.cells[number as usize]);
    }

    /// Returns a number, whose lists had generations up to `reached`, or all that exist.
    pub(crate) fn give_back(&self, number: u16, reached: Option<u32>) {
        let used = reached.map_or(WORN, |reached| reached.div_ceil(SPAN).min(WORN));
        let order = Ordering::Relaxed;
        let before = self.cells[number as usize].fetch_update(order, order, |cell| {
            let (pools, spans) = (cell / POOL, cell % POOL);
            // If pools could not be counted, the last one is not known.
            let left = if pools == u32::MAX / POOL { pools } else { pools - 1 };
            Some(left * POOL + spans.max(used))
        });
        if before.is_ok_and(|cell| cell / POOL == 1) {
            self.taken.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

#[cfg(not(target_has_atomic = "32"))]
impl<const COUNT: usize> Brands<COUNT> {
    pub(crate) const fn new() -> Self {
        Self {}
    }

    pub(crate) fn take(&self) -> (u16, u32) {
        (0, 0)
    }

    #[cfg(any(feature = "serde", feature = "snapshot"))]
    pub(crate) const fn has(&self, number: u16) -> bool {
        number == 0
    }

    pub(crate) fn share(&self, _: u16) {}

    pub(crate) fn give_back(&self, _: u16, _: Option<u32>) {}
}
