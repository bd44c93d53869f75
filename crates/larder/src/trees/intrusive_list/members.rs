//! Walking a list.

use core::iter::FusedIterator;

use super::{IntrusiveList, Link};
use crate::key::Key;
use crate::trees::links::LinkStore;

/// The members of a list in order, from either end. Made by `iter`.
pub struct Members<'a, S, K> {
    list: &'a IntrusiveList<K>,
    objects: &'a S,
    /// The next from the front, and from the back.
    ends: (Option<K>, Option<K>),
}

impl<'a, S: LinkStore<K, Link<K>>, K: Key> Members<'a, S, K> {
    pub(super) fn new(list: &'a IntrusiveList<K>, objects: &'a S) -> Self {
        let first = list.first().filter(|&first| list.contains(objects, first));
        Self { list, objects, ends: (first, list.last(objects)) }
    }
}

impl<S: LinkStore<K, Link<K>>, K: Key> Iterator for Members<'_, S, K> {
    type Item = K;

    #[inline]
    fn next(&mut self) -> Option<K> {
        let front = self.ends.0?;
        if self.ends.1 == Some(front) {
            self.ends = (None, None);
        } else {
            self.ends.0 = self.list.next_key(self.objects, front);
        }
        Some(front)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::from(self.ends.0.is_some()), None)
    }
}

impl<S: LinkStore<K, Link<K>>, K: Key> DoubleEndedIterator for Members<'_, S, K> {
    #[inline]
    fn next_back(&mut self) -> Option<K> {
        let back = self.ends.1?;
        if self.ends.0 == Some(back) {
            self.ends = (None, None);
        } else {
            self.ends.1 = self.list.prev_key(self.objects, back);
        }
        Some(back)
    }
}

impl<S: LinkStore<K, Link<K>>, K: Key> FusedIterator for Members<'_, S, K> {}

impl<S, K> core::fmt::Debug for Members<'_, S, K> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Members").finish_non_exhaustive()
    }
}
