//! Parallel iteration by rayon's traits: `arena.par_iter()` and `arena.par_iter_mut()`, over keys and values in no
//! particular order, and `into_par_iter()` of blocks, groups, runs and joins. Work is divided by live values, not by
//! slots, so that holes do not leave one thread with all the work.

use rayon::iter::{Copied, Zip};
use rayon::prelude::*;
use rayon::slice;

use crate::containers::{DenseArena, Slots};
use crate::key::Key;
use crate::maps::SideMap;
use crate::maps::join::{Join, Joined};
use crate::maps::layout::SideLayout;
use crate::parallel::{Divide, parallel};
use crate::raw::book::Book;
use crate::raw::store::Refill;
#[cfg(feature = "columns")]
use crate::{DenseSoaArena, soa::Soa};

impl<J: Joined> Divide for Join<J> {
    fn divide(self) -> (Self, Option<Self>) {
        Self::divide(self)
    }
}

parallel! {
    ['a, T, K: Key, L: Refill<T, K>, B: Book] &'a Slots<T, K, L, B>;
    ['a, T, K: Key, L: Refill<T, K>, B: Book] &'a mut Slots<T, K, L, B>;
    ['a, K: Key, V, L: SideLayout<K, V>] &'a SideMap<K, V, L>;
    ['a, K: Key, V, L: SideLayout<K, V>] &'a mut SideMap<K, V, L>;
    [J: Joined] Join<J>;
}

#[cfg(feature = "columns")]
parallel! {
    ['a, T: Soa, K: Key] &'a DenseSoaArena<T, K>;
    ['a, T: Soa, K: Key] &'a mut DenseSoaArena<T, K>;
}

/// Values in position order; their slice alone is `arena.as_slice().par_iter()`.
impl<'a, T: Sync, K: Key> IntoParallelIterator for &'a DenseArena<T, K> {
    type Iter = Zip<Copied<slice::Iter<'a, K>>, slice::Iter<'a, T>>;
    type Item = (K, &'a T);

    fn into_par_iter(self) -> Self::Iter {
        self.keys_as_slice().par_iter().copied().zip(self.as_slice())
    }
}

/// Values in position order; their slice alone is `arena.as_mut_slice().par_iter_mut()`.
impl<'a, T: Send, K: Key> IntoParallelIterator for &'a mut DenseArena<T, K> {
    type Iter = Zip<Copied<slice::Iter<'a, K>>, slice::IterMut<'a, T>>;
    type Item = (K, &'a mut T);

    fn into_par_iter(self) -> Self::Iter {
        let (keys, values) = self.store.both_mut();
        keys.par_iter().copied().zip(values)
    }
}
