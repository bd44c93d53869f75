//! The kinds of memory that `larder::Arena` can be made in, each a subject.

use core::fmt::Debug;

use super::arena::Arena;

/// How an arena comes by its memory.
pub(crate) trait Memory: Debug + 'static {
    /// The subject's name.
    const NAME: &'static str;

    /// Whether it is told at first how many values are expected.
    const FORETOLD: bool = true;

    /// Whether the memory is from the system, past the allocator.
    const FROM_THE_SYSTEM: bool = false;

    /// An arena that has taken as little as it can.
    #[inline(always)]
    fn least<T>() -> larder::Arena<T> {
        larder::Arena::new()
    }

    /// An arena with room for `count` values.
    fn with_capacity<T>(count: usize) -> larder::Arena<T>;
}

/// From the allocator, growing.
#[derive(Debug)]
pub(crate) struct Growing;

impl Memory for Growing {
    const NAME: &'static str = "Arena";
    const FORETOLD: bool = false;

    #[inline(always)]
    fn with_capacity<T>(count: usize) -> larder::Arena<T> {
        larder::Arena::with_capacity(count)
    }
}

/// From the allocator, enough of it at first.
#[derive(Debug)]
pub(crate) struct Capacity;

pub(crate) type ArenaCapacity<T> = Arena<T, Capacity>;

impl Memory for Capacity {
    const NAME: &'static str = "Arena capacity";

    #[inline(always)]
    fn with_capacity<T>(count: usize) -> larder::Arena<T> {
        larder::Arena::with_capacity(count)
    }
}

/// From the allocator, enough of it at first, in pages of the ordinary size however much it is.
#[derive(Debug)]
pub(crate) struct Ordinary;

pub(crate) type ArenaOrdinary<T> = Arena<T, Ordinary>;

impl Memory for Ordinary {
    const NAME: &'static str = "Arena ordinary";

    #[inline(always)]
    fn with_capacity<T>(count: usize) -> larder::Arena<T> {
        larder::Arena::builder().capacity(count).huge_pages(false).build()
    }
}

/// From the allocator, all of it at first and never more.
#[derive(Debug)]
pub(crate) struct Fixed;

pub(crate) type ArenaFixed<T> = Arena<T, Fixed>;

impl Memory for Fixed {
    const NAME: &'static str = "Arena fixed";

    /// Room for a few: a fixed arena is nothing without its number.
    fn least<T>() -> larder::Arena<T> {
        larder::Arena::fixed(64)
    }

    #[inline(always)]
    fn with_capacity<T>(count: usize) -> larder::Arena<T> {
        larder::Arena::fixed(count)
    }
}

/// What a program that does not know how much will come reserves: addresses cost nothing.
const PLENTY: usize = 1 << 26;

/// Address space at first, memory as it is used.
#[derive(Debug)]
pub(crate) struct Reserved;

pub(crate) type ArenaReserved<T> = Arena<T, Reserved>;

impl Memory for Reserved {
    const NAME: &'static str = "Arena reserved";
    const FROM_THE_SYSTEM: bool = true;

    #[inline(always)]
    fn least<T>() -> larder::Arena<T> {
        larder::Arena::reserved(PLENTY)
    }

    #[inline(always)]
    fn with_capacity<T>(count: usize) -> larder::Arena<T> {
        larder::Arena::reserved(count)
    }
}

/// Address space at first, huge pages as they are used.
#[derive(Debug)]
pub(crate) struct Huge;

pub(crate) type ArenaHuge<T> = Arena<T, Huge>;

impl Memory for Huge {
    const NAME: &'static str = "Arena huge";
    const FROM_THE_SYSTEM: bool = true;

    #[inline(always)]
    fn least<T>() -> larder::Arena<T> {
        Self::with_capacity(PLENTY)
    }

    #[inline(always)]
    fn with_capacity<T>(count: usize) -> larder::Arena<T> {
        larder::Arena::builder().reserved(count).huge_pages(true).build()
    }
}

/// Address space at first, and a helper thread that touches pages beforehand.
#[derive(Debug)]
pub(crate) struct Ahead;

pub(crate) type ArenaAhead<T> = Arena<T, Ahead>;

impl Memory for Ahead {
    const NAME: &'static str = "Arena ahead";
    const FROM_THE_SYSTEM: bool = true;

    #[inline(always)]
    fn least<T>() -> larder::Arena<T> {
        Self::with_capacity(PLENTY)
    }

    #[inline(always)]
    fn with_capacity<T>(count: usize) -> larder::Arena<T> {
        larder::Arena::builder().reserved(count).commit_ahead(true).build()
    }
}
