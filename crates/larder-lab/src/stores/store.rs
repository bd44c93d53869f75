//! What the lab asks of a container and of its values, so that one workload runs on all containers.
//!
//! Workloads are generic over [`Store`] and compiled once for each container: the timed code is the
//! container's own, with no virtual call inside a timed loop.

use core::fmt::Debug;

use larder::soa::Fill;

/// A value of a fixed size whose first word is its number.
pub(crate) trait Element: Clone + Debug + Fill + 'static {
    /// The size of one value, in bytes.
    const BYTES: usize = size_of::<Self>();

    /// The value with this number.
    fn new(number: u64) -> Self;

    /// Turns the value into the one with this number, reusing what it owns.
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
    /// What `insert` returns.
    type Key: Copy + PartialEq + Debug;

    /// The name in tables, in JSON and after `--subject`.
    const NAME: &'static str;

    /// The most values it can hold.
    const MOST: usize = usize::MAX;

    /// Whether the key of a removed value finds nothing, even after its slot was reused.
    const KNOWS_STALE: bool = true;

    /// Whether keys are positions among the live values, from 0 to `len`.
    const KEYS_ARE_POSITIONS: bool = false;

    /// Whether a removed value stays in its slot until the slot is reused.
    const HOLES_HOLD_VALUES: bool = false;

    /// An empty container that has allocated as little as it can.
    fn new() -> Self;

    /// An empty container with room for `count` values.
    fn with_capacity(count: usize) -> Self;

    /// An empty container, made the way a program would that is about to insert about `expected`
    /// values one by one. Containers that grow by themselves ignore the number.
    fn begin(_expected: usize) -> Self {
        Self::new()
    }

    /// Adds a value.
    fn insert(&mut self, value: T) -> Self::Key;

    /// Adds many values by the container's own bulk operation, where it has one.
    #[inline(always)]
    fn extend(&mut self, values: impl Iterator<Item = T>) {
        for value in values {
            self.insert(value);
        }
    }

    /// Adds the value with this number. A container that keeps removed values makes it from one of
    /// them.
    #[inline(always)]
    fn spawn(&mut self, number: u64) -> Self::Key {
        self.insert(T::new(number))
    }

    /// Removes a value without returning it; says whether there was one.
    #[inline(always)]
    fn retire(&mut self, key: Self::Key) -> bool {
        self.remove(key).is_some()
    }

    /// Removes and returns a value; `None` if the container knows that the key is stale.
    fn remove(&mut self, key: Self::Key) -> Option<T>;

    /// Looks a value up; `None` if the container knows that the key is stale.
    fn get(&self, key: Self::Key) -> Option<&T>;

    /// The number of live values.
    fn len(&self) -> usize;

    /// Visits every value by the container's fastest documented way (`for_each`, `fold`).
    fn for_each(&self, visit: impl FnMut(&T));

    /// Visits every value, and what holes hold.
    #[inline(always)]
    fn for_each_slot(&self, visit: impl FnMut(&T)) {
        self.for_each(visit);
    }

    /// The sum of all values' numbers, by a plain `for` loop.
    fn sum_by_for_loop(&self) -> u64;

    /// The first value, by `iter().next()`.
    fn first(&self) -> Option<&T>;

    /// Visits every value mutably.
    fn for_each_mut(&mut self, visit: impl FnMut(&mut T));

    /// Drops the values for which `keep` returns false.
    fn retain(&mut self, keep: impl FnMut(&mut T) -> bool);

    /// Removes everything.
    fn clear(&mut self);

    /// A copy in which the same keys work.
    fn copy(&self) -> Self;

    /// Bytes taken from the system directly, which the counting allocator does not see.
    fn bytes_from_the_system(&self) -> usize {
        0
    }
}

/// Declares a store that is one container: its name, its keys, the methods of the container that
/// [`forward`] takes, and what differs. (Attributes are also those of the implementation.)
macro_rules! store {
    (
        $(#[$attribute:meta])* $store:ident($container:path), $name:literal, $key:ty:
        $($method:ident)* $(; $($other:item)*)?
    ) => {
        $(#[$attribute])*
        #[derive(Debug)]
        pub(crate) struct $store<T>($container);

        $(#[$attribute])*
        impl<T: Element> Store<T> for $store<T> {
            type Key = $key;

            const NAME: &'static str = $name;

            forward!($container: $($method)*);

            $($($other)*)?
        }
    };
}
pub(super) use store;

/// Implements methods of [`Store`] for a store whose field 0 is the container, from the container's
/// methods of the same names. Each word names one method, but for `values` and `pairs`: they stand for
/// the three of [`walk`], by `values()` and by an `iter()` of pairs.
macro_rules! forward {
    ($container:path: $($method:ident)*) => {
        $($crate::stores::store::forward_one!($container: $method);)*
    };
}
pub(super) use forward;

/// One word of [`forward`].
macro_rules! forward_one {
    ($container:path: new) => {
        #[inline(always)]
        fn new() -> Self {
            Self(<$container>::new())
        }
    };
    ($container:path: with_capacity) => {
        #[inline(always)]
        fn with_capacity(count: usize) -> Self {
            Self(<$container>::with_capacity(count))
        }
    };
    ($container:path: insert) => {
        #[inline(always)]
        fn insert(&mut self, value: T) -> Self::Key {
            self.0.insert(value)
        }
    };
    ($container:path: extend) => {
        #[inline(always)]
        fn extend(&mut self, values: impl Iterator<Item = T>) {
            self.0.extend(values);
        }
    };
    ($container:path: remove) => {
        #[inline(always)]
        fn remove(&mut self, key: Self::Key) -> Option<T> {
            self.0.remove(key)
        }
    };
    ($container:path: get) => {
        #[inline(always)]
        fn get(&self, key: Self::Key) -> Option<&T> {
            self.0.get(key)
        }
    };
    ($container:path: len) => {
        #[inline(always)]
        fn len(&self) -> usize {
            self.0.len()
        }
    };
    ($container:path: retain) => {
        #[inline(always)]
        fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
            self.0.retain(|_, value| keep(value));
        }
    };
    ($container:path: clear) => {
        #[inline(always)]
        fn clear(&mut self) {
            self.0.clear();
        }
    };
    ($container:path: copy) => {
        #[inline(always)]
        fn copy(&self) -> Self {
            Self(self.0.clone())
        }
    };
    ($container:path: first) => {
        #[inline(always)]
        fn first(&self) -> Option<&T> {
            self.0.iter().next().map(|(_, value)| value)
        }
    };
    ($container:path: values) => {
        $crate::stores::store::walk!(|all| all.0.values(), |all| all.0.values_mut(), |value| value);
    };
    ($container:path: pairs) => {
        $crate::stores::store::walk!(|all| all.0.iter(), |all| all.0.iter_mut(), |pair| pair.1);
    };
}
pub(super) use forward_one;

/// The methods of [`Store`] that visit all values: how to get an iterator, one that is mutable, and
/// the value from what they yield.
macro_rules! walk {
    (|$all:ident| $iter:expr, |$all_mut:ident| $iter_mut:expr, |$item:ident| $value:expr) => {
        #[inline(always)]
        fn for_each(&self, mut visit: impl FnMut(&T)) {
            let $all = self;
            $iter.for_each(|$item| visit($value));
        }

        #[inline(always)]
        fn sum_by_for_loop(&self) -> u64 {
            let $all = self;
            let mut sum = 0_u64;
            for $item in $iter {
                sum = sum.wrapping_add($value.number());
            }
            sum
        }

        #[inline(always)]
        fn for_each_mut(&mut self, mut visit: impl FnMut(&mut T)) {
            let $all_mut = self;
            $iter_mut.for_each(|$item| visit($value));
        }
    };
}
pub(super) use walk;
