//! Lists after the fact: closing gaps, and checking what came from a file.

use super::{IntrusiveList, Link, ListError};
use crate::key::Key;
use crate::trees::links::{LinkStore, LinkStoreMut, ring, tail};

/// Links that nobody was told of.
impl<K: Key> IntrusiveList<K> {
    /// Closes the gaps that members left which were removed from their container alone. Give it all
    /// keys of the container. O(keys).
    ///
    /// The members stay in their order, but where several are gone: then the pieces follow each
    /// other in the order of the keys.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for key in [a, b, c, d] {
    ///     list.push_back(&mut things, key).unwrap();
    /// }
    /// things.remove(c); // and not from the list
    /// let keys: Vec<_> = things.keys().collect();
    /// list.mend(&mut things, &keys);
    /// assert!(list.iter(&things).eq([a, b, d]));
    /// assert_eq!(list.len(), 3);
    /// ```
    pub fn mend(&mut self, objects: &mut impl LinkStoreMut<K, Link<K>>, keys: &[K]) {
        self.first = self.first.filter(|&first| self.link(objects, first).is_some());
        self.length = keys.iter().filter(|&&key| self.link(objects, key).is_some()).count() as u32;
        // The piece with the first member is closed first, so that the others find where to join.
        keys.iter().for_each(|&key| self.close(objects, key, true));
        keys.iter().for_each(|&key| self.close(objects, key, false));
        self.length = self.iter(objects).count() as u32;
    }

    /// Closes the piece that begins with `head`, or joins it to the closed ones.
    fn close(
        &mut self,
        objects: &mut impl LinkStoreMut<K, Link<K>>,
        head: K,
        only_with_first: bool,
    ) {
        if self.link(objects, head).is_none() || ring::prev(objects, head).is_some() {
            return; // not a head
        }
        let (tail, with_first) = tail(objects, head, self.first);
        if self.first.is_none() || with_first {
            ring::join(objects, tail, head);
            self.first = self.first.or(Some(head));
        } else if let Some((first, last)) = self.first.zip(self.last(objects)) {
            if !only_with_first {
                ring::join(objects, last, head);
                ring::join(objects, tail, first);
            }
        }
    }

    /// Whether the list and its members' links fit each other: for those that came from a file. Give
    /// it all keys of the container. O(keys).
    ///
    /// # Errors
    /// If they do not. Nothing bad comes of using them all the same: what does not fit is not
    /// followed, and every walk ends.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&mut things, a).unwrap();
    /// assert!(list.check(&things, things.keys()).is_ok());
    /// things.remove(a);
    /// assert!(list.check(&things, things.keys()).is_err());
    /// ```
    pub fn check(
        &self,
        objects: &impl LinkStore<K, Link<K>>,
        keys: impl Iterator<Item = K>,
    ) -> Result<(), ListError<K>> {
        let members = keys.filter(|&key| self.link(objects, key).is_some()).count();
        let met = self.iter(objects).count();
        let whole = self.last_of_whole(objects).is_some() || self.first.is_none();
        if whole && met == members && met == self.len() {
            Ok(())
        } else {
            Err(ListError::Inconsistent { met, members, length: self.len() })
        }
    }
}
