//! Tables whose objects are linked: by links in the objects, whose changes are recorded, or by a hierarchy among the
//! observers.

use super::observer::{Objects, Observer};
use super::recorded::Recorded;
use super::table::Table;
use super::trackable::Track;
use crate::containers::container::Container;
use crate::containers::{LinkStore, LinkStoreMut, LinksOf};
use crate::key::Key;

/// A hierarchy of keys, of which a [table](Table::remove_subtree) removes an object with everything below it.
///
/// Implemented by `Tree` (module `trees`).
///
/// # Examples
/// A hierarchy of a program's own, of two levels:
/// ```
/// use larder::track::{Objects, Observer, Refusal, Subtrees, Table};
/// use larder::{Arena, Handle};
///
/// type Id = Handle<&'static str>;
///
/// struct Parts(Vec<(Id, Id)>); // each with what it is part of
///
/// impl Observer<Arena<&'static str>> for Parts {
///     fn remove(&mut self, _: &mut Objects<'_, Arena<&'static str>>, key: Id) {
///         self.0.retain(|&(part, whole)| part != key && whole != key);
///     }
///
///     fn rebuild(
///         &mut self,
///         things: &mut Objects<'_, Arena<&'static str>>,
///     ) -> Result<(), Refusal<Id>> {
///         self.0.retain(|&(part, whole)| things.contains_key(part) && things.contains_key(whole));
///         Ok(())
///     }
/// }
///
/// impl Subtrees<Id> for Parts {
///     fn leaf_below(&self, key: Id) -> (Id, Option<Id>) {
///         let part = self.0.iter().find(|(_, whole)| *whole == key);
///         part.map_or((key, None), |&(part, whole)| (part, Some(whole)))
///     }
/// }
///
/// let mut things = Arena::new();
/// let [car, engine, _] = ["car", "engine", "ship"].map(|thing| things.insert(thing));
/// let mut things = Table::with(things, Parts(vec![(engine, car)]));
/// assert_eq!(things.remove_subtree(|parts| parts, car, |_, _| ()), 2);
/// assert!(things.values().eq(&["ship"]));
/// ```
pub trait Subtrees<K> {
    /// Returns a key below this one that has none below itself, and its parent, where its siblings are found; if
    /// nothing is below it, this key, and its parent if it has one. O(depth).
    fn leaf_below(&self, key: K) -> (K, Option<K>);
}

/// Removal with all that is below an object.
impl<C: Track, O: Observer<C>> Table<C, O> {
    /// Removes an object and everything below it in one of the hierarchies, children before their parents, passes each
    /// to `each`, and returns how many there were. O(removed), without recursion or memory.
    ///
    /// If `each` panics, the objects that it was passed are removed, and the call can be repeated.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Tree, track::Table};
    ///
    /// let mut things = Table::with(Arena::new(), Tree::new());
    /// let [chest, purse, coin] = ["chest", "purse", "coin"].map(|thing| things.insert(thing));
    /// let (objects, inside) = things.edit();
    /// inside.append(objects, chest, purse).unwrap();
    /// inside.append(objects, purse, coin).unwrap();
    /// let mut order = Vec::new();
    /// assert_eq!(things.remove_subtree(|inside| inside, purse, |_, thing| order.push(thing)), 2);
    /// assert_eq!((order, things.len()), (vec!["coin", "purse"], 1));
    /// ```
    #[doc(alias("despawn_recursive"))]
    pub fn remove_subtree<H: Subtrees<C::Key>>(
        &mut self,
        tree: impl Fn(&O) -> &H,
        key: C::Key,
        mut each: impl FnMut(C::Key, C::Value),
    ) -> usize {
        let (mut at, mut removed) = (Some(key), 0);
        while let Some(below) = at {
            let (leaf, parent) = tree(self.observers()).leaf_below(below);
            // (A hierarchy that does not learn of removals names the same leaf again.)
            let Some(object) = self.remove(leaf) else { break };
            removed += 1;
            each(leaf, object);
            at = parent.filter(|_| leaf != key);
        }
        removed
    }
}

impl<C: Track> Recorded<C> {
    /// Lends a part of a value, which counts as changed.
    #[inline]
    fn lend_part<'a, P>(
        &'a mut self,
        key: <C as Container>::Key,
        part: impl FnOnce(&'a mut C) -> Option<&'a mut P>,
    ) -> Option<&'a mut P> {
        self.history.keep_value(&self.container, key);
        let part = part(&mut self.container)?;
        self.subscribers.note_slot(key.slot() as usize);
        Some(part)
    }
}

impl<C: Track + LinkStore<L>, O, L> LinkStore<L> for Table<C, O> {
    type Key = <C as LinkStore<L>>::Key;

    #[inline]
    fn links(&self, key: Self::Key) -> Option<&L> {
        (**self).links(key)
    }
}

/// Links in the objects, whose changes are recorded.
impl<C, O, L> LinkStoreMut<L> for Table<C, O>
where
    C: Track + LinkStoreMut<L, Key = <C as Container>::Key>,
    L: LinksOf<<C as Container>::Key>,
{
    #[inline]
    fn links_mut(&mut self, key: Self::Key) -> Option<&mut L> {
        self.objects.lend_part(key, |objects| objects.links_mut(key))
    }

    const MAY_RECORD: bool = true;

    #[inline]
    fn records(&self) -> bool {
        !self.objects.history.is_idle()
    }
}

impl<C: Track + LinkStore<L>, L> LinkStore<L> for Objects<'_, C> {
    type Key = <C as LinkStore<L>>::Key;

    #[inline]
    fn links(&self, key: Self::Key) -> Option<&L> {
        (**self).links(key)
    }
}

impl<C, L> LinkStoreMut<L> for Objects<'_, C>
where
    C: Track + LinkStoreMut<L, Key = <C as Container>::Key>,
    L: LinksOf<<C as Container>::Key>,
{
    #[inline]
    fn links_mut(&mut self, key: Self::Key) -> Option<&mut L> {
        self.0.lend_part(key, |objects| objects.links_mut(key))
    }

    const MAY_RECORD: bool = true;

    #[inline]
    fn records(&self) -> bool {
        !self.0.history.is_idle()
    }
}
