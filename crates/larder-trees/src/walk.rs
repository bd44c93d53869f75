//! Walking a hierarchy, without recursion or memory. Every walk ends, whatever the links say (see `ring.rs`): a
//! child is followed only if it names its parent, a sibling only if it links back.
//!
//! A walk keeps the links of where it is and the first of the siblings there, so a step looks up one other
//! object. The functions do not know what names the objects: keys, or the places of a [`Tree`](crate::Tree)'s nodes.

#[cfg(feature = "alloc")]
use alloc::collections::VecDeque;
use core::iter::FusedIterator;

use super::links::Links;
use super::ring::{Arc, Ring};
#[cfg(feature = "alloc")]
use larder_core::TryReserveError;
use larder_core::containers::LinkStore;
#[cfg(feature = "alloc")]
use larder_core::room;

/// A structure that can be walked: a [`Tree`](crate::Tree), and every [`LinkStore`] of [`Links`].
///
/// # Examples
/// ```
/// use larder::{Arena, Tree, trees::{Cursor, Hierarchy}};
///
/// fn count<K: larder::Key>(hierarchy: &impl Hierarchy<K>, root: K) -> usize {
///     let mut cursor = Cursor::new(root);
///     core::iter::from_fn(|| cursor.next(hierarchy)).count()
/// }
/// let things = Arena::from_iter(["trunk", "branch"]);
/// let (trunk, branch) = (things.keys().next().unwrap(), things.keys().next_back().unwrap());
/// let mut tree = Tree::new();
/// tree.append(&things, trunk, branch).unwrap();
/// assert_eq!(count(&tree, trunk), 1);
/// ```
pub trait Hierarchy<K> {
    /// The type by which links name each other.
    #[doc(hidden)]
    type Place: Copy + Eq;

    /// True if links may contradict each other and form a cycle.
    #[doc(hidden)]
    const MAY_TEAR: bool;

    #[doc(hidden)]
    fn links_at(&self, place: Self::Place) -> Option<Links<Self::Place>>;

    #[doc(hidden)]
    fn place_of(&self, key: K) -> Option<Self::Place>;

    #[doc(hidden)]
    fn key_of(&self, place: Self::Place) -> K;

    /// No walk visits more objects.
    #[doc(hidden)]
    fn most(&self) -> Option<usize>;
}

impl<K: Copy + Eq, S: LinkStore<Links<K>, Key = K>> Hierarchy<K> for S {
    type Place = K;

    const MAY_TEAR: bool = <S as LinkStore<Links<K>>>::MAY_TEAR;

    #[inline]
    fn links_at(&self, key: K) -> Option<Links<K>> {
        self.links(key).copied()
    }

    #[inline]
    fn place_of(&self, key: K) -> Option<K> {
        Some(key)
    }

    #[inline]
    fn key_of(&self, place: K) -> K {
        place
    }

    fn most(&self) -> Option<usize> {
        None
    }
}

/// An object of a hierarchy, with its links.
#[derive(Clone, Copy)]
pub(crate) struct Found<P> {
    pub(crate) at: P,
    pub(crate) links: Links<P>,
}

/// The steps of all walks.
pub(crate) trait Steps<K>: Hierarchy<K> + Sized {
    #[inline]
    fn find(&self, at: Self::Place) -> Option<Found<Self::Place>> {
        self.links_at(at).map(|links| Found { at, links })
    }

    #[inline]
    fn find_key(&self, key: K) -> Option<Found<Self::Place>> {
        self.find(self.place_of(key)?)
    }

    /// Finds a child, if it names its parent.
    #[inline]
    fn find_child(&self, at: Self::Place, parent: Self::Place) -> Option<Found<Self::Place>> {
        self.find(at).filter(|child| !Self::MAY_TEAR || child.links.parent == Some(parent))
    }

    /// The parent, if it exists.
    #[inline]
    fn parent_of(&self, of: Found<Self::Place>) -> Option<Found<Self::Place>> {
        self.find(of.links.parent?)
    }

    /// The first child, if it names its parent.
    #[inline]
    fn first_child_of(&self, of: Found<Self::Place>) -> Option<Found<Self::Place>> {
        self.find_child(of.links.first_child?, of.at)
    }

    /// The last of the siblings of which this is the first.
    #[inline]
    fn last_sibling_of(&self, first: Found<Self::Place>) -> Option<Self::Place> {
        let last = first.links.ring.prev?;
        if Self::MAY_TEAR {
            let found = self.find_child(last, first.links.parent?)?;
            (found.links.ring.next == Some(first.at)).then_some(last)
        } else {
            Some(last)
        }
    }

    #[inline]
    fn last_child_of(&self, of: Found<Self::Place>) -> Option<Found<Self::Place>> {
        self.find(self.last_sibling_of(self.first_child_of(of)?)?)
    }

    /// The sibling after, if it links back; `None` for the last one. `first` is the parent's first child.
    #[inline]
    fn next_of(
        &self,
        of: Found<Self::Place>,
        first: Option<Self::Place>,
    ) -> Option<Found<Self::Place>> {
        let next = of.links.ring.next.filter(|_| of.links.ring.next != first)?;
        let next = self.find_child(next, of.links.parent?)?;
        (!Self::MAY_TEAR || next.links.ring.prev == Some(of.at)).then_some(next)
    }

    #[inline]
    fn next_sibling_of(&self, of: Found<Self::Place>) -> Option<Found<Self::Place>> {
        self.next_of(of, self.parent_of(of)?.links.first_child)
    }

    /// The sibling before, if it links back; `None` for the first one.
    #[inline]
    fn prev_sibling_of(&self, of: Found<Self::Place>) -> Option<Found<Self::Place>> {
        let first = self.parent_of(of)?.links.first_child;
        let prev = of.links.ring.prev.filter(|_| first != Some(of.at))?;
        let prev = self.find_child(prev, of.links.parent?)?;
        (!Self::MAY_TEAR || prev.links.ring.next == Some(of.at)).then_some(prev)
    }

    /// The deepest first descendant; itself if it has no children. A walk below `root` does not enter it.
    #[inline]
    fn first_leaf(&self, mut of: Found<Self::Place>, root: Self::Place) -> Found<Self::Place> {
        while let Some(child) = self.first_child_of(of).filter(|child| child.at != root) {
            of = child;
        }
        of
    }

    /// Returns the key to which a step from `key` leads.
    #[inline]
    fn ask(
        &self,
        key: K,
        step: impl FnOnce(&Self, Found<Self::Place>) -> Option<Found<Self::Place>>,
    ) -> Option<K> {
        step(self, self.find_key(key)?).map(|found| self.key_of(found.at))
    }

    /// The walk from sibling to sibling by this step. It ends at the key itself, if links from a file lead there.
    fn siblings(
        &self,
        key: K,
        step: impl Fn(&Self, Found<Self::Place>) -> Option<Found<Self::Place>> + Clone,
    ) -> impl Iterator<Item = K> + Clone
    where
        K: Copy + Eq,
    {
        let next = move |&at: &K| self.ask(at, &step).filter(|&sibling| sibling != key);
        core::iter::successors(next(&key), next)
    }

    /// Everything below a key, each after its children.
    fn post_order(&self, key: K) -> impl Iterator<Item = K> + Clone {
        let left = Traverse::new(self, key).filter_map(|step| match step {
            Visit::Enter(_) => None,
            Visit::Leave(key) => Some(key),
        });
        left.take(self.most().unwrap_or(usize::MAX))
    }

    /// Everything below a key, level by level.
    #[cfg(feature = "alloc")]
    fn breadth_first(&self, root: K) -> impl Iterator<Item = K> + Clone {
        let root = self.place_of(root);
        let (mut level, mut above) = (Children::of(self, root), VecDeque::new());
        let next = move || loop {
            let next = level.next_place().filter(|&place| Some(place) != root);
            if let Some(place) = next {
                if above.try_reserve(1).is_err() {
                    let bytes = (above.len() + 1).saturating_mul(size_of::<Self::Place>());
                    room::refused::<Self>(&TryReserveError::AllocRefused { bytes });
                }
                above.push_back(place);
                return Some(self.key_of(place));
            }
            level = Children::of(self, Some(above.pop_front()?));
        };
        core::iter::from_fn(next).take(self.most().unwrap_or(usize::MAX))
    }

    fn is_ancestor(&self, above: Self::Place, below: Self::Place) -> bool {
        let mut upward = self.find(below).map(Upward::new);
        let mut next = || upward.as_mut()?.next(self);
        core::iter::from_fn(&mut next).any(|ancestor| ancestor.at == above)
    }
}

impl<K, S: Hierarchy<K>> Steps<K> for S {}

/// Finds out whether something is visited again: links from a file may form a cycle. (Brent's cycle detection.)
#[derive(Clone, Copy)]
struct Cycle<P> {
    /// The object visited when the number of visits was last a power of two.
    passed: P,
    visits: u64,
}

impl<P: Copy + Eq> Cycle<P> {
    #[inline]
    const fn from(at: P) -> Self {
        // (The count begins at 64, so that `passed` is replaced rarely; short cycles are still found at once.)
        Self { passed: at, visits: 64 }
    }

    #[inline]
    fn closes_at<K, H: Hierarchy<K, Place = P>>(&mut self, _: &H, at: P) -> bool {
        if !H::MAY_TEAR {
            return false;
        }
        let closes = at == self.passed;
        self.visits += 1;
        if self.visits & (self.visits - 1) == 0 {
            self.passed = at;
        }
        closes
    }
}

/// The way up, which ends after something was visited again.
#[derive(Clone, Copy)]
struct Upward<P> {
    at: Found<P>,
    cycle: Cycle<P>,
}

impl<P: Copy + Eq> Upward<P> {
    #[inline]
    const fn new(at: Found<P>) -> Self {
        Self { at, cycle: Cycle::from(at.at) }
    }

    #[inline]
    fn next<K>(&mut self, of: &impl Hierarchy<K, Place = P>) -> Option<Found<P>> {
        self.at = of.parent_of(self.at)?;
        (!self.cycle.closes_at(of, self.at.at)).then_some(self.at)
    }
}

/// A position in a walk, and the first of the siblings there, if that is known.
#[derive(Clone, Copy)]
pub(super) struct Step<P> {
    pub(super) here: Found<P>,
    pub(super) first: Option<P>,
}

impl<P: Copy + Eq> Step<P> {
    /// The first child, unless it is the root: links from a file may lead back to it.
    #[inline]
    fn down<K>(self, of: &impl Hierarchy<K, Place = P>, root: P) -> Option<Self> {
        let here = of.first_child_of(self.here).filter(|child| child.at != root)?;
        Some(Self { here, first: Some(here.at) })
    }

    /// The sibling after, unless it is the root.
    #[inline]
    fn along<K>(self, of: &impl Hierarchy<K, Place = P>, root: P) -> Option<Self> {
        let first = match self.first {
            Some(first) => Some(first),
            None => of.parent_of(self.here)?.links.first_child,
        };
        let here = of.next_of(self.here, first).filter(|next| next.at != root)?;
        Some(Self { here, first })
    }

    /// The next in pre-order after everything below, of what is below the root.
    #[inline]
    pub(super) fn behind<K>(self, of: &impl Hierarchy<K, Place = P>, root: P) -> Option<Self> {
        let (Self { mut here, mut first }, mut cycle) = (self, Cycle::from(self.here.at));
        while here.at != root {
            let known = first.is_some();
            let mut parent = None;
            if !known {
                parent = of.parent_of(here);
                first = parent?.links.first_child;
            }
            let next = of.next_of(here, first).filter(|next| next.at != root);
            if let Some(here) = next {
                return Some(Self { here, first });
            }
            here = if known { of.parent_of(here) } else { parent }?;
            if cycle.closes_at(of, here.at) {
                return None;
            }
            first = None;
        }
        None
    }
}

/// A walk over the children of a key, from either end. Made by `children`.
pub struct Children<'a, S: Hierarchy<K>, K> {
    of: &'a S,
    parent: Option<S::Place>,
    arc: Arc<S::Place>,
}

impl<'a, S: Hierarchy<K>, K> Children<'a, S, K> {
    #[inline]
    pub(crate) fn new(of: &'a S, parent: K) -> Self {
        Self::of(of, of.place_of(parent))
    }

    #[inline]
    fn of(of: &'a S, parent: Option<S::Place>) -> Self {
        let first = parent.and_then(|parent| of.links_at(parent)?.first_child);
        Self { of, parent, arc: Arc::from(first) }
    }

    /// The neighbours of a child.
    #[inline]
    fn ring(of: &S, parent: Option<S::Place>, at: S::Place) -> Option<Ring<S::Place>> {
        let links = of.links_at(at)?;
        (!S::MAY_TEAR || links.parent == parent).then_some(links.ring)
    }

    #[inline]
    fn next_place(&mut self) -> Option<S::Place> {
        let Self { of, parent, .. } = *self;
        self.arc.next(S::MAY_TEAR, |at| Self::ring(of, parent, at))
    }
}

impl<S: Hierarchy<K>, K> Iterator for Children<'_, S, K> {
    type Item = K;

    #[inline]
    fn next(&mut self) -> Option<K> {
        self.next_place().map(|place| self.of.key_of(place))
    }

    #[inline]
    fn fold<B, F: FnMut(B, K) -> B>(mut self, init: B, mut f: F) -> B {
        let mut result = init;
        while let Some(place) = self.next_place() {
            result = f(result, self.of.key_of(place));
        }
        result
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let some = self.clone().next_place().is_some();
        left(some, if some { self.of.most() } else { Some(0) })
    }
}

impl<S: Hierarchy<K>, K> DoubleEndedIterator for Children<'_, S, K> {
    #[inline]
    fn next_back(&mut self) -> Option<K> {
        let Self { of, parent, .. } = *self;
        let back = self.arc.next_back(|at| Self::ring(of, parent, at))?;
        Some(of.key_of(back))
    }
}

/// A walk over the parent, its parent and so on to the root. Made by `ancestors`.
///
/// If links from a file form a cycle, the walk ends after it has visited a key again.
pub struct Ancestors<'a, S: Hierarchy<K>, K> {
    of: &'a S,
    upward: Option<Upward<S::Place>>,
}

impl<'a, S: Hierarchy<K>, K> Ancestors<'a, S, K> {
    #[inline]
    pub(crate) fn new(of: &'a S, key: K) -> Self {
        Self { of, upward: of.find_key(key).map(Upward::new) }
    }
}

impl<S: Hierarchy<K>, K> Iterator for Ancestors<'_, S, K> {
    type Item = K;

    #[inline]
    fn next(&mut self) -> Option<K> {
        let next = self.upward.as_mut()?.next(self.of);
        if next.is_none() {
            self.upward = None;
        }
        next.map(|ancestor| self.of.key_of(ancestor.at))
    }

    #[inline]
    fn fold<B, F: FnMut(B, K) -> B>(self, init: B, mut f: F) -> B {
        let (of, mut result) = (self.of, init);
        let Some(mut upward) = self.upward else { return result };
        while let Some(ancestor) = upward.next(of) {
            result = f(result, of.key_of(ancestor.at));
        }
        result
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        left(false, self.of.most().filter(|_| self.upward.is_some()))
    }
}

/// A walk over everything below a key, each before its children. Made by `descendants`.
pub struct Descendants<'a, S: Hierarchy<K>, K> {
    of: &'a S,
    root: Option<S::Place>,
    /// The last one returned, at first the root.
    last: Option<S::Place>,
    next: Option<Step<S::Place>>,
}

impl<'a, S: Hierarchy<K>, K> Descendants<'a, S, K> {
    #[inline]
    pub(crate) fn new(of: &'a S, root: K) -> Self {
        let root = of.place_of(root);
        let start = root.and_then(|root| of.find(root));
        let next = start.and_then(|here| Step { here, first: None }.down(of, here.at));
        Self { of, root, last: root, next }
    }

    /// Skips everything below the last key returned; before the first key, everything. O(depth).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Tree};
    ///
    /// let mut things = Arena::new();
    /// let [root, folded, hidden, other] = [0; 4].map(|_| things.insert(()));
    /// let mut tree = Tree::new();
    /// for (parent, child) in [(root, folded), (folded, hidden), (root, other)] {
    ///     tree.append(&things, parent, child).unwrap();
    /// }
    /// let mut shown = tree.descendants(root);
    /// assert_eq!(shown.next(), Some(folded));
    /// shown.skip_below();
    /// assert_eq!(shown.next(), Some(other));
    /// ```
    pub fn skip_below(&mut self) {
        self.next = self.root.zip(self.last).and_then(|(root, last)| {
            Step { here: self.of.find(last)?, first: None }.behind(self.of, root)
        });
    }
}

impl<S: Hierarchy<K>, K> Iterator for Descendants<'_, S, K> {
    type Item = K;

    #[inline]
    fn next(&mut self) -> Option<K> {
        let (root, step) = (self.root?, self.next?);
        self.last = Some(step.here.at);
        // Links that agree are read where they are needed, not carried from step to step.
        let here = if S::MAY_TEAR { step.here } else { self.of.find(step.here.at)? };
        let step = Step { here, ..step };
        self.next = match step.down(self.of, root) {
            Some(child) => Some(child),
            None => step.behind(self.of, root),
        };
        Some(self.of.key_of(step.here.at))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        left(self.next.is_some(), self.of.most().filter(|_| self.next.is_some()))
    }
}

/// A step of a walk that passes everything below a key twice. Made by [`Traverse`].
///
/// # Examples
/// ```
/// use larder::{Arena, Tree, trees::Visit};
///
/// let things = Arena::from_iter(["trunk", "branch"]);
/// let (trunk, branch) = (things.keys().next().unwrap(), things.keys().next_back().unwrap());
/// let mut tree = Tree::new();
/// tree.append(&things, trunk, branch).unwrap();
/// assert!(tree.traverse(trunk).eq([Visit::Enter(branch), Visit::Leave(branch)]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("NodeEdge", "Edge", "Start", "End"))]
pub enum Visit<K> {
    /// Before everything below the key.
    Enter(K),
    /// After everything below the key.
    Leave(K),
}

/// A walk over everything below a key that enters each before its children and leaves it after them. Made by
/// `traverse`.
pub struct Traverse<'a, S: Hierarchy<K>, K> {
    of: &'a S,
    root: Option<S::Place>,
    next: Option<Visit<Step<S::Place>>>,
}

impl<'a, S: Hierarchy<K>, K> Traverse<'a, S, K> {
    #[inline]
    pub(crate) fn new(of: &'a S, root: K) -> Self {
        let Descendants { of, root, next, .. } = Descendants::new(of, root);
        Self { of, root, next: next.map(Visit::Enter) }
    }
}

impl<S: Hierarchy<K>, K> Iterator for Traverse<'_, S, K> {
    type Item = Visit<K>;

    #[inline]
    fn next(&mut self) -> Option<Visit<K>> {
        let root = self.root?;
        Some(match self.next? {
            Visit::Enter(step) => {
                let child = step.down(self.of, root);
                self.next = Some(child.map_or(Visit::Leave(step), Visit::Enter));
                Visit::Enter(self.of.key_of(step.here.at))
            }
            Visit::Leave(step) => {
                self.next = step.along(self.of, root).map(Visit::Enter).or_else(|| {
                    let here = self.of.parent_of(step.here).filter(|parent| parent.at != root)?;
                    Some(Visit::Leave(Step { here, first: None }))
                });
                Visit::Leave(self.of.key_of(step.here.at))
            }
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let most = self.of.most().and_then(|most| most.checked_mul(2));
        left(self.next.is_some(), most.filter(|_| self.next.is_some()))
    }
}

/// Returns the size hint of a walk: at least one if `some`, and no more than `most`.
const fn left(some: bool, most: Option<usize>) -> (usize, Option<usize>) {
    (some as usize, most)
}

macro_rules! walks {
    ($($walk:ident),*) => {$(
        impl<S: Hierarchy<K>, K> Clone for $walk<'_, S, K> {
            fn clone(&self) -> Self {
                Self { ..*self }
            }
        }

        impl<S: Hierarchy<K>, K> FusedIterator for $walk<'_, S, K> {}

        impl<S: Hierarchy<K>, K> core::fmt::Debug for $walk<'_, S, K> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($walk)).finish_non_exhaustive()
            }
        }
    )*};
}
walks!(Children, Ancestors, Descendants, Traverse);
