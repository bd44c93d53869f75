//! The interface of a container and of its values, by which one workload runs on all containers; and the values, in the
//! sizes that the workloads need.
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

/// 4 bytes: the smallest value that a container is worth having for.
impl Element for u32 {
    fn new(number: u64) -> Self {
        // Numbers past 32 bits wrap: at this size only the low bits can be told apart.
        number as u32
    }

    fn number(&self) -> u64 {
        u64::from(*self)
    }

    fn touch(&mut self) {
        *self = self.wrapping_add(1);
    }
}

/// `N` words of 8 bytes, the first of which is the number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words<const N: usize>([u64; N]);

impl<const N: usize> Fill for Words<N> {
    const FILL: Self = Self([0; N]);
}

impl<const N: usize> Element for Words<N> {
    fn new(number: u64) -> Self {
        let mut words = [0; N];
        words[0] = number;
        Self(words)
    }

    fn number(&self) -> u64 {
        self.0[0]
    }

    fn touch(&mut self) {
        self.0[0] = self.0[0].wrapping_add(1);
    }
}

pub(crate) type Bytes8 = Words<1>;
pub(crate) type Bytes16 = Words<2>;
pub(crate) type Bytes32 = Words<4>;
pub(crate) type Bytes64 = Words<8>;
pub(crate) type Bytes128 = Words<16>;
pub(crate) type Bytes256 = Words<32>;
pub(crate) type Bytes512 = Words<64>;
pub(crate) type Bytes1024 = Words<128>;

/// An object that owns a buffer of 1 KiB, of which the first bytes are in use; they hold the number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Buffered(Vec<u8>);

impl Buffered {
    /// Room in the buffer.
    const ROOM: usize = 1024;
    /// Bytes in use: a cache line.
    const USED: usize = 64;

    /// Writes the first bytes of a buffer: the same work for new and reused buffers.
    #[inline(always)]
    fn fill(buffer: &mut Vec<u8>, number: u64) {
        let mut line = [0; Self::USED];
        line[..8].copy_from_slice(&number.to_le_bytes());
        buffer.clear();
        buffer.extend_from_slice(&line);
    }

    /// The buffer's address.
    #[cfg(test)]
    pub(crate) fn address(&self) -> *const u8 {
        self.0.as_ptr()
    }

    /// The buffer's first word.
    fn word(&self) -> &[u8; 8] {
        self.0.first_chunk().expect("a buffer in use has a first word")
    }
}

impl Fill for Buffered {
    const FILL: Self = Self(Vec::new());
}

impl Element for Buffered {
    const BYTES: usize = Self::ROOM;

    fn new(number: u64) -> Self {
        let mut buffer = Vec::with_capacity(Self::ROOM);
        Self::fill(&mut buffer, number);
        Self(buffer)
    }

    #[inline(always)]
    fn renew(&mut self, number: u64) {
        Self::fill(&mut self.0, number);
    }

    fn number(&self) -> u64 {
        u64::from_le_bytes(*self.word())
    }

    fn touch(&mut self) {
        let next = self.number().wrapping_add(1);
        self.0[..8].copy_from_slice(&next.to_le_bytes());
    }
}

/// A copy has the same capacity; a `Vec`'s clone would not.
impl Clone for Buffered {
    fn clone(&self) -> Self {
        Self::new(self.number())
    }
}

subjects! { ($) stores:
    /// A container under measurement, by its fastest documented ways.
    pub(crate) trait Store<T> [T: Element]: Sized {
        // The key that `insert` returns.
        type Key: Copy PartialEq Debug;
        // True if the key of a removed value finds nothing, even after its slot was reused.
        const KNOWS_STALE: bool = true;
        // True if keys are positions among the live values, from 0 to `len`.
        const KEYS_ARE_POSITIONS: bool = false;
        // True if a removed value stays in its slot until the slot is reused.
        const HOLES_HOLD_VALUES: bool = false;

        // The most values it can hold.
        static fn most() -> usize = { usize::MAX };
        // An empty container that has allocated as little as it can.
        static #[inline(always)] fn new() -> Self;
        // An empty container with room for `count` values.
        static #[inline(always)] fn with_capacity(count: usize) -> Self;
        // An empty container, made the way a program would that is about to insert about `expected`
        // values one by one. Containers that grow by themselves ignore the number.
        static fn begin(_expected: usize) -> Self = { Self::new() };

        fn insert(&mut self, value: T) -> Self::Key;
        /// Adds many values by the container's own bulk operation, where it has one.
        #[inline(always)]
        fn extend(&mut self, values: impl Iterator<Item = T>) = {
            for value in values {
                self.insert(value);
            }
        };
        /// Adds the value with this number. A container that keeps removed values makes it from one of
        /// them.
        #[inline(always)]
        fn spawn(&mut self, number: u64) -> Self::Key = { self.insert(T::new(number)) };
        /// Removes a value without returning it; says whether there was one.
        #[inline(always)]
        fn retire(&mut self, key: Self::Key) -> bool = { self.remove(key).is_some() };
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
        fn for_each_slot(&self, visit: impl FnMut(&T)) = { self.for_each(visit); };
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
        #[inline(never)]
        fn bytes_from_the_system(&self) -> usize = { 0 };
    }
}

/// Declares a store whose field 0 is the container: its name, its keys, truth values that differ, the methods
/// that it takes from the container (`forward`), how it is walked unless that is one of these, and what else
/// differs.
macro_rules! store {
    (
        $(#[$attribute:meta])* $store:ident($container:path $(, $beside:ty)?), $name:expr, $key:ty
        $(, $const:ident = $truth:literal)*: $($method:ident)*
        $(, walk |$all:ident| $iter:expr, |$all_mut:ident| $iter_mut:expr, |$item:pat_param| $value:expr)?
        $(; $(fn $other:ident $signature:tt $body:tt)*)?
    ) => {
        $(#[$attribute])*
        pub(crate) struct $store<T: Element>($container $(, $beside)?);

        $(#[$attribute])*
        impl<T: Element> Store<T> for $store<T> {
            type Key = $key;

            const NAME: &'static str = $name;
            $(const $const: bool = $truth;)*

            $(forward!($method $container);)*
            $(walk!(|$all| $iter, |$all_mut| $iter_mut, |$item| $value);)?
            $($(stores! { @$other $signature $body })*)?
        }
    };
}

/// A method of [`Store`] by the container's method of the same name; `values` and `pairs` stand for the three
/// of `walk`, by `values()` and by an `iter()` of pairs.
macro_rules! forward {
    (new $container:path) => {
        stores! { @new () { Self(<$container>::new()) } }
    };
    (with_capacity $container:path) => {
        stores! { @with_capacity (count) { Self(<$container>::with_capacity(count)) } }
    };
    (insert $container:path) => {
        stores! { @insert (&mut self, value) { self.0.insert(value) } }
    };
    (extend $container:path) => {
        stores! { @extend (&mut self, values) { self.0.extend(values); } }
    };
    (remove $container:path) => {
        stores! { @remove (&mut self, key) { self.0.remove(key) } }
    };
    (get $container:path) => {
        stores! { @get (&self, key) { self.0.get(key) } }
    };
    (len $container:path) => {
        stores! { @len (&self) { self.0.len() } }
    };
    (retain $container:path) => {
        stores! { @retain (&mut self, mut keep) { self.0.retain(|_, value| keep(value)); } }
    };
    (clear $container:path) => {
        stores! { @clear (&mut self) { self.0.clear(); } }
    };
    (copy $container:path) => {
        stores! { @copy (&self) { Self(self.0.clone()) } }
    };
    (first $container:path) => {
        stores! { @first (&self) { self.0.iter().next().map(|(_, value)| value) } }
    };
    (values $container:path) => {
        walk!(|all| all.0.values(), |all| all.0.values_mut(), |value| value);
    };
    (pairs $container:path) => {
        walk!(|all| all.0.iter(), |all| all.0.iter_mut(), |(_, value)| { value });
    };
}

/// The methods of [`Store`] that visit all values: how to get an iterator, one that is mutable, and
/// the value from what they yield.
macro_rules! walk {
    (|$all:ident| $iter:expr, |$all_mut:ident| $iter_mut:expr, |$item:pat_param| $value:expr) => {
        stores! { @for_each (&self, mut visit) {
            let $all = self;
            $iter.for_each(|$item| visit($value));
        } }
        stores! { @sum_by_for_loop (&self) {
            let $all = self;
            let mut sum = 0_u64;
            for $item in $iter {
                sum = sum.wrapping_add($value.number());
            }
            sum
        } }
        stores! { @for_each_mut (&mut self, mut visit) {
            let $all_mut = self;
            $iter_mut.for_each(|$item| visit($value));
        } }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<E: Element>(bytes: usize) {
        assert_eq!(E::BYTES, bytes);
        let mut value = E::new(41);
        assert_eq!(value.number(), 41);
        value.touch();
        assert_eq!(value.number(), 42);
        value.renew(43);
        assert_eq!(value.number(), 43);
    }

    #[test]
    fn every_size_is_what_its_name_says_and_remembers_its_number() {
        check::<u32>(4);
        check::<Bytes8>(8);
        check::<Bytes16>(16);
        check::<Bytes32>(32);
        check::<Bytes64>(64);
        check::<Bytes128>(128);
        check::<Bytes256>(256);
        check::<Bytes512>(512);
        check::<Bytes1024>(1024);
        check::<Buffered>(1024);
    }

    #[test]
    fn a_renewed_object_is_as_a_new_one_and_keeps_its_buffer() {
        let mut value = Buffered::new(3);
        let before = value.address();
        value.renew(4);
        assert_eq!((&value, value.address()), (&Buffered::new(4), before));
    }

    #[test]
    fn a_copy_owns_a_buffer_of_the_same_size() {
        let mut value = Buffered::new(3);
        value.touch();
        let copy = value.clone();
        assert_eq!(copy, value);
        assert!(copy.0.capacity() >= Buffered::ROOM);
    }
}
