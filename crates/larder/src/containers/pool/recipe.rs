//! What a pool does to values: how it makes one, and what becomes of one that is removed.

#![expect(unnameable_types, reason = "what a pool's builder needs; see `Build`")]

use alloc::boxed::Box;
use core::fmt;

use super::{Pool, Rows};
use crate::containers::builder::{Build, Contiguous, Options};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::macros;
use crate::raw::pool::{InMemory, Slots};

/// A function that makes values, which can be copied with its pool.
trait Make<T>: FnMut() -> T + Send + Sync {
    fn boxed(&self) -> Box<dyn Make<T>>;
}

impl<T, F: FnMut() -> T + Clone + Send + Sync + 'static> Make<T> for F {
    fn boxed(&self) -> Box<dyn Make<T>> {
        Box::new(self.clone())
    }
}

/// A function that resets values, which can be copied with its pool.
trait Reset<T>: FnMut(&mut T) + Send + Sync {
    fn boxed(&self) -> Box<dyn Reset<T>>;
}

impl<T, F: FnMut(&mut T) + Clone + Send + Sync + 'static> Reset<T> for F {
    fn boxed(&self) -> Box<dyn Reset<T>> {
        Box::new(self.clone())
    }
}

/// The functions of a pool. They are values, not type parameters: a pool is the same type whatever
/// its functions are, so that a field can have it. (A function without state takes no memory.)
pub struct Recipe<T> {
    make: Box<dyn Make<T>>,
    /// Where there is none, a removed value is replaced by one that `make` makes.
    reset: Option<Box<dyn Reset<T>>>,
}

impl<T> Recipe<T> {
    pub(super) fn new(make: impl FnMut() -> T + Clone + Send + Sync + 'static) -> Self {
        Self { make: Box::new(make), reset: None }
    }

    pub(super) fn reset_with(&mut self, reset: impl FnMut(&mut T) + Clone + Send + Sync + 'static) {
        self.reset = Some(Box::new(reset));
    }

    /// A value of a slot that holds no object.
    #[inline]
    pub(crate) fn make(&mut self) -> T {
        (self.make)()
    }

    /// What happens to a value whose object was removed.
    #[inline]
    pub(super) fn recycle(&mut self, value: &mut T) {
        match &mut self.reset {
            Some(reset) => reset(value),
            // The old value is dropped when the new one is in its place.
            None => drop(core::mem::replace(value, (self.make)())),
        }
    }
}

impl<T> Clone for Recipe<T> {
    fn clone(&self) -> Self {
        let reset = self.reset.as_ref().map(|reset| (**reset).boxed());
        Self { make: (*self.make).boxed(), reset }
    }
}

impl<T> fmt::Debug for Recipe<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recipe").field("resets", &self.reset.is_some()).finish_non_exhaustive()
    }
}

impl<T, K: Key> Build for Pool<T, K> {
    type Needs = Recipe<T>;

    /// The values for which there is memory are made at once.
    #[track_caller]
    fn from_options(options: Options, recipe: Recipe<T>) -> Result<Self, TryReserveError> {
        let mark = options.mark::<K>()?;
        let mut pool = Self { rows: Rows::make(options.plan::<T>())?.begun_at(mark), recipe };
        pool.rows.make_all(|| pool.recipe.make());
        Ok(pool)
    }

    macros::mark_after! {}
}

impl<T, K: Key> Contiguous for Pool<T, K> {}

/// An empty slot holds `T::default()`.
impl<T: Default, K: Key> Default for Pool<T, K> {
    /// An empty pool. Does not allocate.
    fn default() -> Self {
        Self::with_key(|| T::default())
    }
}
