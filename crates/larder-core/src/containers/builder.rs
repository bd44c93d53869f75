//! Makes a container when `new` is not enough.

#![expect(unnameable_types, reason = "the containers' seal on `Builder`")]

use core::fmt;
use core::mem::MaybeUninit;
#[cfg(target_has_atomic = "32")]
use core::sync::atomic::{AtomicU32, Ordering};

use crate::error::TryReserveError;
use crate::key::Key;
use crate::key::generation::Mark;
use crate::memory::source::MemorySource;
use crate::raw::rows::BlockSize;
use crate::raw::slots::{Growth, MarkOf, Plan};
use crate::stats::Reuse;

/// Configures and makes a container: its capacity, whether it grows, where its memory is, and in which order slots
/// are reused.
///
/// Returned by `builder()` and, for keys other than [`Handle`](crate::Handle), by `builder_with_key()`; those of a
/// [`Pool`](crate::Pool) take the function that makes its values.
///
/// `capacity`, `fixed`, `fixed_bytes`, `fixed_within`, `reserved` and `in_memory` replace each other: the
/// last call takes effect.
///
/// # Examples
/// ```
/// use larder::{Arena, Handle32, Reuse};
///
/// let arena = Arena::builder().fixed(1_000).reuse(Reuse::Fifo).build();
/// # let _: Arena<u8> = arena;
/// let small: Arena<u8, Handle32<u8>> = Arena::builder_with_key().capacity(16).build();
/// assert!(small.capacity() >= 16);
/// ```
#[must_use = "a builder makes nothing until `build` is called"]
pub struct Builder<C: Build> {
    pub(super) options: Options,
    pub(super) needs: C::Needs,
}

/// The options so far.
#[derive(Debug)]
pub struct Options {
    room: AskedRoom,
    reuse: Reuse,
    /// True if huge pages are wanted, false if not; `None` if nothing was said.
    huge: Option<bool>,
    /// True if a helper is to touch reserved pages beforehand.
    #[cfg(feature = "reserved")]
    ahead: bool,
    /// The first generation of its slots.
    beginning: Beginning,
    /// The size of the blocks of a paged container.
    pub(crate) block_size: BlockSize,
}

impl Options {
    /// Plans the memory for values of type `T`.
    ///
    /// # Panics
    /// If bytes were given, and a value has none.
    #[track_caller]
    pub(crate) fn plan<T>(self) -> Plan {
        let heap = MemorySource::Heap { huge: self.huge.unwrap_or(true) };
        let bytes = match self.room {
            AskedRoom::FixedWithin(bytes) => Some(bytes),
            _ => None,
        };
        let (slots, growth, source) = match self.room {
            AskedRoom::Growing(count) => (count, Growth::Moves, heap),
            AskedRoom::Fixed(count) => (count, Growth::Fixed, heap),
            AskedRoom::FixedBytes(bytes) => match bytes.checked_div(size_of::<T>()) {
                Some(count) => (count, Growth::Fixed, heap),
                None => {
                    panic!("fixed_bytes: zero-sized values cannot be counted in bytes; use `fixed`")
                }
            },
            AskedRoom::FixedWithin(_) => (0, Growth::Fixed, heap),
            #[cfg(feature = "reserved")]
            AskedRoom::Reserved(max) => {
                let huge = self.huge.unwrap_or(false);
                let source = MemorySource::Reserved { huge, ahead: self.ahead };
                (max, Growth::Reserved, source)
            }
            AskedRoom::Lent(LentMemory(block)) => (0, Growth::Fixed, MemorySource::Lent(block)),
        };
        Plan { slots, bytes, growth, source, reuse: self.reuse }
    }

    /// The mark of a container with keys of that type.
    pub(crate) fn mark<K: Key>(&self) -> Result<MarkOf<K>, TryReserveError> {
        match self.beginning {
            Beginning::Same => Ok(MarkOf::<K>::START),
            #[cfg(target_has_atomic = "32")]
            Beginning::Distinct(nth) => Ok(MarkOf::<K>::apart(nth)),
            Beginning::After(mark) => {
                mark.and_then(MarkOf::<K>::from_u64).ok_or(TryReserveError::GenerationsUsedUp)
            }
        }
    }
}

/// The room that was asked for, and whether it grows.
#[derive(Debug)]
enum AskedRoom {
    /// At least this many values at first.
    Growing(usize),
    /// Exactly this many values, for good.
    Fixed(usize),
    /// Room for the values that fit into this many bytes, for good.
    FixedBytes(usize),
    /// Room for the values that fit into this many bytes with all that the container needs, for good.
    FixedWithin(usize),
    /// At most this many values, for good, in reserved address space.
    #[cfg(feature = "reserved")]
    Reserved(usize),
    /// Room for the values that fit into the caller's own block, for good.
    Lent(LentMemory),
}

/// The first generation of slots.
#[derive(Debug)]
enum Beginning {
    /// That of every container.
    Same,
    /// That of the container of this number, in which no other one has begun.
    #[cfg(target_has_atomic = "32")]
    Distinct(u32),
    /// At this mark, past those of another container; nowhere, if it has left none.
    After(Option<u64>),
}

/// The number of containers that were to be distinct.
#[cfg(target_has_atomic = "32")]
static DISTINCT: AtomicU32 = AtomicU32::new(0);

/// The number of the next of them, from 1: all others begin as number 0 would.
#[cfg(target_has_atomic = "32")]
pub(crate) fn next_distinct() -> u32 {
    DISTINCT.fetch_add(1, Ordering::Relaxed).wrapping_add(1)
}

struct LentMemory(&'static mut [MaybeUninit<u8>]);

impl fmt::Debug for LentMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

/// A container that a builder can make. Sealed: those of this crate.
pub trait Build: Sized {
    /// The part without which the container cannot be made: a pool's functions; for the others, nothing.
    #[doc(hidden)]
    type Needs;

    #[doc(hidden)]
    #[track_caller]
    fn from_options(options: Options, needs: Self::Needs) -> Result<Self, TryReserveError>;

    /// The mark of a container that continues this one.
    #[doc(hidden)]
    fn mark_after(&self) -> Option<u64>;
}

impl<C: Build<Needs = ()>> Builder<C> {
    pub(crate) const fn new() -> Self {
        Self::with(())
    }
}

/// A container whose memory can be one stretch of addresses, or a few. Sealed.
pub trait Contiguous: Build {}

impl<C: Contiguous> Builder<C> {
    /// Reserves address space for `max` values when it is built, and takes memory for it only as it
    /// is used: the container begins empty, grows without moving anything, and is full with `max`
    /// values. O(1). Needs the feature `reserved`.
    ///
    /// # Examples
    /// ```
    /// use larder::{DenseArena, Handle32};
    ///
    /// let mut arena: DenseArena<u64, Handle32<u64>> =
    ///     DenseArena::builder_with_key().reserved(1_000_000).build();
    /// assert_eq!(arena.capacity(), 1_000_000);
    /// arena.insert(7);
    /// assert!(arena.stats().memory.committed < 1_000_000); // what is committed
    /// ```
    #[cfg(feature = "reserved")]
    pub const fn reserved(mut self, max: usize) -> Self {
        self.options.room = AskedRoom::Reserved(max);
        self
    }

    /// Says whether a helper thread touches the pages of a [`reserved`](Self::reserved) container
    /// before they are needed, so that next to no insertion waits for the system. O(1). Needs the
    /// feature `reserved`.
    ///
    /// A stretch of memory as large as what is used, from 1 MiB to 16 MiB, is kept ready, and counts as
    /// committed. All containers of the program share one thread, which sleeps while there is nothing to do.
    /// It works on Linux from 5.14 on; elsewhere this changes nothing. After a fork the child process has no
    /// such thread: do not use such containers in the child.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Arena::builder().reserved(10_000_000).commit_ahead(true).build();
    /// arena.extend(0..100_000_u64);
    /// assert_eq!(arena.len(), 100_000);
    /// ```
    #[cfg(feature = "reserved")]
    pub const fn commit_ahead(mut self, wanted: bool) -> Self {
        self.options.ahead = wanted;
        self
    }

    /// Lays the container out in the caller's own block when it is built, and never allocates: its
    /// capacity is what the block has room for. O(1). The block belongs to the container for the rest of
    /// the program.
    ///
    /// # Examples
    /// ```
    /// use core::mem::MaybeUninit;
    /// use larder::{Arena, Reuse};
    ///
    /// let block = Box::leak(Box::new([MaybeUninit::uninit(); 4096]));
    /// let mut arena = Arena::builder().in_memory(block).reuse(Reuse::Fifo).build();
    /// assert!(arena.capacity() > 150);
    /// arena.insert(7_u64);
    /// ```
    pub const fn in_memory(mut self, block: &'static mut [MaybeUninit<u8>]) -> Self {
        self.options.room = AskedRoom::Lent(LentMemory(block));
        self
    }
}

impl<C: Build> Builder<C> {
    pub(crate) const fn with(needs: C::Needs) -> Self {
        let options = Options {
            room: AskedRoom::Growing(0),
            reuse: Reuse::Packed,
            huge: None,
            beginning: Beginning::Same,
            #[cfg(feature = "reserved")]
            ahead: false,
            block_size: BlockSize::Default,
        };
        Self { options, needs }
    }

    /// Makes room for `count` values at first; the container grows beyond. O(1): nothing is
    /// allocated before [`build`](Self::build).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Arena::builder().capacity(100).build();
    /// arena.extend(0..1_000);
    /// assert_eq!(arena.len(), 1_000);
    /// ```
    #[cfg(feature = "alloc")]
    pub const fn capacity(mut self, count: usize) -> Self {
        self.options.room = AskedRoom::Growing(count);
        self
    }

    /// Makes room for `count` values, all of it when it is built: the container never allocates
    /// again, and is full with `count` values. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Arena::builder().fixed(1).build();
    /// arena.insert('a');
    /// assert!(arena.try_insert('b').is_err());
    /// ```
    #[cfg(feature = "alloc")]
    pub const fn fixed(mut self, count: usize) -> Self {
        self.options.room = AskedRoom::Fixed(count);
        self
    }

    /// Like [`fixed`](Self::fixed), for as many values as fit into `bytes` bytes. What the container
    /// needs beside the values is not counted; [`fixed_within`](Self::fixed_within) counts it. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena: larder::Arena<u64> = larder::Arena::builder().fixed_bytes(1_000).build();
    /// assert_eq!(arena.capacity(), 125);
    /// ```
    #[cfg(feature = "alloc")]
    pub const fn fixed_bytes(mut self, bytes: usize) -> Self {
        self.options.room = AskedRoom::FixedBytes(bytes);
        self
    }

    /// Makes room for as many values as fit into `bytes` bytes together with everything that the container needs
    /// beside them: generations, tables and occupancy. Like a [`fixed`](Self::fixed) container it allocates when it
    /// is built and never again. O(1). Memory that values own is not counted, nor is the allocator's overhead. A
    /// [`PagedArena`](crate::PagedArena) takes whole blocks.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Handle32};
    ///
    /// let flags: Arena<bool> = Arena::builder().fixed_within(10_000).build();
    /// let narrow: Arena<bool, Handle32<bool>> =
    ///     Arena::builder_with_key().fixed_within(10_000).build();
    /// assert!(flags.stats().memory.committed <= 10_000);
    /// assert!(flags.capacity() > 1_100 && narrow.capacity() > 2_100);
    /// ```
    #[cfg(feature = "alloc")]
    pub const fn fixed_within(mut self, bytes: usize) -> Self {
        self.options.room = AskedRoom::FixedWithin(bytes);
        self
    }

    /// Says whether large blocks are advised to use huge pages, on Linux with `std`. O(1).
    ///
    /// By default, blocks of 4 MiB and more from the allocator are, and reserved ones are not. Huge pages
    /// make walks and lookups in much memory faster, but the first access to a huge page takes as long as two
    /// hundred insertions, which reserved memory is meant to avoid.
    ///
    /// # Examples
    /// ```
    /// let arena = larder::Arena::builder().capacity(1_000_000).huge_pages(false).build();
    /// # let _: larder::Arena<u64> = arena;
    /// ```
    pub const fn huge_pages(mut self, wanted: bool) -> Self {
        self.options.huge = Some(wanted);
        self
    }

    /// Sets the order in which freed slots are reused; the default is [`Reuse::Packed`]. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Reuse};
    ///
    /// let mut arena = Arena::builder().reuse(Reuse::Fifo).build();
    /// let keys: Vec<_> = arena.insert_many(['a', 'b']).collect();
    /// arena.remove(keys[1]);
    /// arena.remove(keys[0]);
    /// assert_eq!(arena.insert('c').slot(), keys[1].slot());
    /// ```
    pub const fn reuse(mut self, reuse: Reuse) -> Self {
        self.options.reuse = reuse;
        self
    }

    /// Begins the generations of slots where those of no other container of this process began, so that the
    /// keys of one are stale in all others. O(1). Replaces
    /// [`continuing`](Self::continuing). Needs atomic integers of 32 bits.
    ///
    /// By default every container begins with the same keys, in every run of the program; keys of distinct
    /// containers depend on how many were made before. They are spread over the lower half of the
    /// generations, as far from each other as their number allows: N containers with
    /// [`Handle`](crate::Handle)s are certain to be told apart while no slot has had 2²⁹ / N values, half a
    /// million for a thousand containers. After that, a key of another container has a value with a chance
    /// of about one in 2³⁰, one in 2^(30 - INDEX_BITS) for [`Handle32`](crate::Handle32) (one in 1,024), and
    /// with a [`BareHandle`](crate::key::BareHandle) always. The numbers of [`Serial`](crate::key::Serial)s
    /// are unique in the process while no container has had 2⁶¹ / N values. A container that is loaded continues with
    /// the generations that it was saved with, where one of this run may begin, too.
    ///
    /// # Examples
    /// ```
    /// let mut world = larder::Arena::builder().distinct().build();
    /// let key = world.insert("troll");
    /// world = larder::Arena::builder().distinct().build(); // the next level
    /// world.insert("ogre");
    /// assert_eq!(world.get(key), None);
    /// ```
    #[cfg(target_has_atomic = "32")]
    pub fn distinct(mut self) -> Self {
        self.options.beginning = Beginning::Distinct(next_distinct());
        self
    }

    /// Begins the generations of slots past all that the slots of `old` have had, so that the keys of `old`,
    /// which is to be replaced, are stale in the new container and stay so. O(slots). Replaces
    /// [`distinct`](Self::distinct).
    ///
    /// [`clear`](crate::Arena::clear) does the same in place, and each slot goes on from its own generation; a
    /// container that continues another begins all slots after the one that has had most values.
    /// [`BareHandle`](crate::key::BareHandle)s have no generation, so they are not told apart. If a slot of
    /// `old` has fewer than two generations left, building the container is refused with
    /// [`GenerationsUsedUp`](TryReserveError::GenerationsUsedUp).
    ///
    /// # Examples
    /// ```
    /// let mut world = larder::Arena::from_iter(["troll"]);
    /// let key = world.keys().next().unwrap();
    ///
    /// let next = larder::Arena::builder().continuing(&world).build();
    /// let old = core::mem::replace(&mut world, next);
    /// world.insert("ogre");
    /// assert_eq!((old.get(key), world.get(key)), (Some(&"troll"), None));
    /// ```
    pub fn continuing(mut self, old: &C) -> Self {
        self.options.beginning = Beginning::After(old.mark_after());
        self
    }

    /// Makes the container. O(capacity / 64): one bit a slot is written, the slots are not touched.
    /// With another order of reuse than `Packed` it is O(capacity), for their links. With `reserved`
    /// it is O(1): a few calls to the system.
    ///
    /// # Panics
    /// If allocation fails, more slots are requested than keys can name, or the caller's block has no
    /// room for a value; if the container that it continues has used up the generations of a
    /// slot; if `fixed_bytes` was asked for and the values have no size.
    ///
    /// # Examples
    /// ```
    /// let arena: larder::DenseArena<u8> = larder::DenseArena::builder().capacity(10).build();
    /// assert!(arena.is_empty() && arena.capacity() >= 10);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn build(self) -> C {
        match self.try_build() {
            Ok(container) => container,
            Err(reason) => panic!("{reason}"),
        }
    }

    /// Like [`build`](Self::build), but returns an error if allocation fails. Costs the same.
    ///
    /// # Errors
    /// If allocation fails, more slots are requested than keys can name, or the caller's block has no
    /// room for a value; if the container that it continues has used up the generations of a
    /// slot.
    ///
    /// # Panics
    /// If `fixed_bytes` was asked for and the values have no size.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, TryReserveError};
    ///
    /// let refused = Arena::<[u8; 4096]>::builder().fixed(usize::MAX).try_build();
    /// assert!(matches!(refused, Err(TryReserveError::CapacityOverflow { .. })));
    /// ```
    #[track_caller]
    pub fn try_build(self) -> Result<C, TryReserveError> {
        // Nothing was said of the room, which the first insertion would find out.
        #[cfg(not(feature = "alloc"))]
        if !matches!(self.options.room, AskedRoom::Lent(_)) {
            return Err(TryReserveError::AllocRefused { bytes: 0 });
        }
        C::from_options(self.options, self.needs)
    }
}

impl<C: Build> fmt::Debug for Builder<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Builder").field(&self.options).finish()
    }
}
