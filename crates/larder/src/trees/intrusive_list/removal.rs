//! Taking members out of a list.

use super::{IntrusiveList, Link};
use crate::key::Key;
use crate::trees::links::LinkStoreMut;
use crate::trees::links::ring;

/// Taking out. The objects stay in their container.
impl<K: Key> IntrusiveList<K> {
    /// Takes a member out, and answers the one that was behind it: `None` if it was the last, or no
    /// member. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for key in [a, b, c, d] {
    ///     list.push_back(&mut things, key).unwrap();
    /// }
    /// // While walking.
    /// let mut at = list.first();
    /// while let Some(key) = at {
    ///     let goes = key == b || key == d;
    ///     at = if goes { list.remove(&mut things, key) } else { list.next_key(&things, key) };
    /// }
    /// assert!(list.iter(&things).eq([a, c]));
    /// ```
    #[doc(alias("erase", "unlink"))]
    pub fn remove(&mut self, objects: &mut impl LinkStoreMut<K, Link<K>>, key: K) -> Option<K> {
        self.member(objects, key)?;
        let next = self.next_key(objects, key);
        let neighbour = ring::unlink(objects, key);
        objects.links_mut(key)?.list = None;
        if self.link(objects, key).is_some() {
            return None; // what is read is not what was written: see `Field::new`
        }
        if self.first == Some(key) {
            self.first = neighbour;
        }
        self.length -= 1;
        next
    }

    /// Takes the first member out. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&mut things, a).unwrap();
    /// list.push_back(&mut things, b).unwrap();
    /// assert_eq!(list.pop_front(&mut things), Some(a));
    /// ```
    pub fn pop_front(&mut self, objects: &mut impl LinkStoreMut<K, Link<K>>) -> Option<K> {
        let first = self.member(objects, self.first?)?;
        self.remove(objects, first);
        self.member(objects, first).is_none().then_some(first)
    }

    /// Takes the last member out. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&mut things, a).unwrap();
    /// list.push_back(&mut things, b).unwrap();
    /// assert_eq!(list.pop_back(&mut things), Some(b));
    /// ```
    pub fn pop_back(&mut self, objects: &mut impl LinkStoreMut<K, Link<K>>) -> Option<K> {
        let last = self.last(objects)?;
        self.remove(objects, last);
        self.member(objects, last).is_none().then_some(last)
    }

    /// Takes out the members for which `keep` answers `false`. If it panics, what was decided before
    /// is done. O(members).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for key in [a, b, c] {
    ///     list.push_back(&mut things, key).unwrap();
    /// }
    /// list.retain(&mut things, |_, key| key != b);
    /// assert!(list.iter(&things).eq([a, c]));
    /// ```
    pub fn retain<S: LinkStoreMut<K, Link<K>>>(
        &mut self,
        objects: &mut S,
        mut keep: impl FnMut(&S, K) -> bool,
    ) {
        let mut at = self.first.and_then(|first| self.member(objects, first));
        while let Some(key) = at {
            at = if keep(objects, key) {
                self.next_key(objects, key)
            } else {
                self.remove(objects, key)
            };
        }
    }

    /// Takes all members out. O(members).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&mut things, a).unwrap();
    /// list.clear(&mut things);
    /// assert!(list.is_empty() && !things[a].is_in_list());
    /// ```
    pub fn clear(&mut self, objects: &mut impl LinkStoreMut<K, Link<K>>) {
        while self.pop_front(objects).is_some() {}
        (self.first, self.length) = (None, 0);
    }
}
