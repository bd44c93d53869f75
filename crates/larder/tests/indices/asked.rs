//! A property that counts what it is asked, and may panic then.

use core::cell::Cell;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

use larder_testing::caught::step;

thread_local! {
    /// The numbers of hashes, comparisons and clones.
    static ASKED: Cell<(usize, usize, usize)> = const { Cell::new((0, 0, 0)) };
    static DROPS: Cell<usize> = const { Cell::new(0) };
}

/// Returns the numbers of hashes, comparisons and clones for which `act` asks.
pub(crate) fn asked(act: impl FnOnce()) -> (usize, usize, usize) {
    ASKED.set((0, 0, 0));
    act();
    ASKED.get()
}

/// Returns how many [`Dropping`] were dropped on this thread.
pub(crate) fn drops() -> usize {
    DROPS.get()
}

/// A number; whether it has a `Drop` depends on what is beside it.
#[derive(Debug)]
pub(crate) struct Asked<T = ()>(pub(crate) u32, pub(crate) T);

/// Has one, which is counted.
#[derive(Clone, Debug)]
pub(crate) struct Dropping;

impl Drop for Dropping {
    fn drop(&mut self) {
        DROPS.set(DROPS.get() + 1);
    }
}

fn count(add: impl FnOnce(&mut (usize, usize, usize))) {
    let mut counts = ASKED.get();
    add(&mut counts);
    ASKED.set(counts);
    step();
}

impl<T: Clone> Clone for Asked<T> {
    fn clone(&self) -> Self {
        count(|counts| counts.2 += 1);
        Self(self.0, self.1.clone())
    }
}

impl<T> Hash for Asked<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        count(|counts| counts.0 += 1);
        self.0.hash(state);
    }
}

impl<T> PartialEq for Asked<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T> Eq for Asked<T> {}

impl<T> PartialOrd for Asked<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Asked<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        count(|counts| counts.1 += 1);
        self.0.cmp(&other.0)
    }
}
