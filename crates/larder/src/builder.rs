//! How a container is made when `new` is not enough.

#![expect(unnameable_types, reason = "the containers' seal on `Builder`")]

use core::fmt;
use core::marker::PhantomData;

use crate::error::TryReserveError;
use crate::stats::Reuse;

/// Makes a container: how much room it has, whether it may grow, in which order it uses slots
/// again.
///
/// Got from `builder()` or, for another key than [`Handle`](crate::Handle), `builder_with_key()`.
///
/// # Examples
/// ```
/// use larder::{Arena, Handle32, Reuse};
///
/// let arena = Arena::builder().fixed(1_000).reuse(Reuse::Oldest).build();
/// # let _: Arena<u8> = arena;
/// let small: Arena<u8, Handle32<u8>> = Arena::builder_with_key().capacity(16).build();
/// assert!(small.capacity() >= 16);
/// ```
#[must_use = "a builder makes nothing until `build` is called"]
pub struct Builder<C> {
    options: Options,
    makes: PhantomData<fn() -> C>,
}

/// What was asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub(crate) room: Room,
    pub(crate) reuse: Reuse,
}

/// How much room, and whether it grows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Room {
    /// At least this many values at first.
    Growing(usize),
    /// Exactly this many values, for good.
    Fixed(usize),
    /// As many values as fit into this many bytes, for good.
    FixedBytes(usize),
}

impl Default for Room {
    fn default() -> Self {
        Self::Growing(0)
    }
}

impl Room {
    /// How many values of type `T`, and whether that is for good.
    ///
    /// # Panics
    /// If bytes were given, and a value has none.
    #[track_caller]
    pub(crate) fn resolve<T>(self) -> (usize, bool) {
        match self {
            Self::Growing(count) => (count, false),
            Self::Fixed(count) => (count, true),
            Self::FixedBytes(bytes) => match bytes.checked_div(size_of::<T>()) {
                Some(count) => (count, true),
                None => panic!("fixed_bytes: values without a size do not fill bytes; use `fixed`"),
            },
        }
    }
}

/// What a builder can make. Sealed: the containers of this crate.
pub trait Build: Sized {
    #[doc(hidden)]
    #[track_caller]
    fn from_options(options: Options) -> Result<Self, TryReserveError>;
}

impl<C: Build> Builder<C> {
    pub(crate) const fn new() -> Self {
        let options = Options { room: Room::Growing(0), reuse: Reuse::Packed };
        Self { options, makes: PhantomData }
    }

    /// Makes room for `count` values at first; the container grows beyond. O(1): nothing is
    /// allocated before [`build`](Self::build). Of `capacity`, `fixed` and `fixed_bytes` the last
    /// one said holds.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Arena::builder().capacity(100).build();
    /// arena.extend(0..1_000);
    /// assert_eq!(arena.len(), 1_000);
    /// ```
    pub const fn capacity(mut self, count: usize) -> Self {
        self.options.room = Room::Growing(count);
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
    pub const fn fixed(mut self, count: usize) -> Self {
        self.options.room = Room::Fixed(count);
        self
    }

    /// As [`fixed`](Self::fixed), for as many values as fit into `bytes` bytes. What the container
    /// needs beside the values is not counted. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena: larder::Arena<u64> = larder::Arena::builder().fixed_bytes(1_000).build();
    /// assert_eq!(arena.capacity(), 125);
    /// ```
    pub const fn fixed_bytes(mut self, bytes: usize) -> Self {
        self.options.room = Room::FixedBytes(bytes);
        self
    }

    /// Says in which order freed slots are used again; [`Reuse::Packed`] where nothing is said.
    /// O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Reuse};
    ///
    /// let mut arena = Arena::builder().reuse(Reuse::Oldest).build();
    /// let keys: Vec<_> = arena.insert_many(['a', 'b']).collect();
    /// arena.remove(keys[1]);
    /// arena.remove(keys[0]);
    /// assert_eq!(arena.insert('c').slot(), keys[1].slot());
    /// ```
    pub const fn reuse(mut self, reuse: Reuse) -> Self {
        self.options.reuse = reuse;
        self
    }

    /// Makes the container. O(capacity / 64): one bit a slot is written, the slots are not touched.
    /// With another order of reuse than `Packed` it is O(capacity), for their links.
    ///
    /// # Panics
    /// If there is no memory for it, or more slots are asked for than its keys can name; if
    /// `fixed_bytes` was asked for and the values have no size.
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

    /// Makes the container, unless memory is refused. Costs what [`build`](Self::build) does.
    ///
    /// # Errors
    /// If there is no memory for it, or more slots are asked for than its keys can name.
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
        C::from_options(self.options)
    }
}

impl<C> fmt::Debug for Builder<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Builder").field(&self.options).finish()
    }
}
