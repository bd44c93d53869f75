//! What the lab asks of a container under measurement, so that one workload runs on all of them.
//!
//! Workloads are generic over [`Store`] and compiled once per container: what is timed is the
//! container's own code, never a virtual call.

use core::fmt::Debug;

use larder::soa::Fill;

/// A value that the lab stores: plain data of a fixed size whose first word says who it is.
pub(crate) trait Element: Clone + Debug + Fill + 'static {
    /// The size of one value.
    const BYTES: usize = size_of::<Self>();

    /// The value with this number.
    fn new(number: u64) -> Self;

    /// Makes it the value with this number, in what it owns already.
    fn renew(&mut self, number: u64) {
        *self = Self::new(number);
    }

    /// The number, read back from the first word.
    fn number(&self) -> u64;

    /// Changes the first word, as an update in a game loop would.
    fn touch(&mut self);
}

/// A container under measurement.
pub(crate) trait Store<T: Element>: Sized {
    /// What `insert` hands out.
    type Key: Copy + PartialEq + Debug;

    /// The name in tables, in JSON and after `--subject`.
    const NAME: &'static str;

    /// How many values it can hold.
    const MOST: usize = usize::MAX;

    /// Whether a key of a value that is gone finds nothing, even after its place was used again.
    const KNOWS_STALE: bool = true;

    /// Whether keys are positions among the live values: 0 to `len`, whoever is there now.
    const KEYS_ARE_POSITIONS: bool = false;

    /// Whether every slot holds a value, removed ones included until their place is used again.
    const HOLES_HOLD_VALUES: bool = false;

    /// An empty container that has allocated as little as it can.
    fn new() -> Self;

    /// An empty container with room for `count` values.
    fn with_capacity(count: usize) -> Self;

    /// An empty container, as a program makes it that will put in one value after the other,
    /// `expected` of them as it thinks. What grows by itself is told nothing.
    fn begin(_expected: usize) -> Self {
        Self::new()
    }

    /// Adds a value.
    fn insert(&mut self, value: T) -> Self::Key;

    /// Adds many values by the container's own bulk operation, where it has one.
    fn extend(&mut self, values: impl Iterator<Item = T>) {
        for value in values {
            self.insert(value);
        }
    }

    /// Adds the value with this number. A container that keeps removed values for what they own
    /// makes it of one of them.
    #[inline(always)]
    fn spawn(&mut self, number: u64) -> Self::Key {
        self.insert(T::new(number))
    }

    /// Removes a value that nobody wants, and says whether there was one.
    #[inline(always)]
    fn retire(&mut self, key: Self::Key) -> bool {
        self.remove(key).is_some()
    }

    /// Takes a value out; `None` where the container knows that the key is stale.
    fn remove(&mut self, key: Self::Key) -> Option<T>;

    /// Looks a value up; `None` where the container knows that the key is stale.
    fn get(&self, key: Self::Key) -> Option<&T>;

    /// How many values are live.
    fn len(&self) -> usize;

    /// Visits every value by the container's fastest documented way (`for_each`, `fold`).
    fn for_each(&self, visit: impl FnMut(&T));

    /// Visits every value, and what holes hold.
    #[inline(always)]
    fn for_each_slot(&self, visit: impl FnMut(&T)) {
        self.for_each(visit);
    }

    /// Sums every value's number by a plain `for` loop over the container's values.
    fn sum_by_for_loop(&self) -> u64;

    /// The first value, as a caller without its key asks for it: by `iter().next()`.
    fn first(&self) -> Option<&T>;

    /// Visits every value mutably.
    fn for_each_mut(&mut self, visit: impl FnMut(&mut T));

    /// Drops the values that `keep` refuses.
    fn retain(&mut self, keep: impl FnMut(&mut T) -> bool);

    /// Removes everything.
    fn clear(&mut self);

    /// A copy in which the same keys work.
    fn copy(&self) -> Self;

    /// Bytes that it has from the system and not from the allocator, who counts his own.
    fn bytes_from_the_system(&self) -> usize {
        0
    }
}
