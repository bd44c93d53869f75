//! Walking a hierarchy, without recursion or memory. Every walk ends, whatever the links say (see `ring.rs`): a
//! child is followed only if it names its parent, a sibling only if it links back.

use core::iter::FusedIterator;

use super::link_store::LinkStore;
use super::links::Links;
use super::ring;
use crate::key::Key;

/// The parent, if it exists.
#[inline]
pub(crate) fn parent<K: Key>(store: &impl LinkStore<K, Links<K>>, key: K) -> Option<K> {
    let parent = store.links(key)?.parent?;
    store.links(parent).is_some().then_some(parent)
}

/// The first child, if it names its parent.
#[inline]
pub(crate) fn first_child<K: Key>(store: &impl LinkStore<K, Links<K>>, key: K) -> Option<K> {
    let child = store.links(key)?.first_child?;
    (store.links(child)?.parent == Some(key)).then_some(child)
}

#[inline]
pub(crate) fn last_child<K: Key>(store: &impl LinkStore<K, Links<K>>, key: K) -> Option<K> {
    let last = ring::prev(store, first_child(store, key)?)?;
    (store.links(last)?.parent == Some(key)).then_some(last)
}

/// The sibling after, if it links back; `None` for the last one.
#[inline]
pub(crate) fn next_sibling<K: Key>(store: &impl LinkStore<K, Links<K>>, key: K) -> Option<K> {
    let links = store.links(key)?;
    let (parent, next) = (links.parent?, links.ring.next?);
    let is_last = store.links(parent)?.first_child == Some(next);
    let behind = store.links(next)?;
    let agrees = behind.ring.prev == Some(key) && behind.parent == Some(parent);
    (agrees && !is_last).then_some(next)
}

/// The sibling before, if it links back; `None` for the first one.
#[inline]
pub(crate) fn prev_sibling<K: Key>(store: &impl LinkStore<K, Links<K>>, key: K) -> Option<K> {
    let links = store.links(key)?;
    let (parent, prev) = (links.parent?, links.ring.prev?);
    let is_first = store.links(parent)?.first_child == Some(key);
    let before = store.links(prev)?;
    let agrees = before.ring.next == Some(key) && before.parent == Some(parent);
    (agrees && !is_first).then_some(prev)
}

pub(crate) fn is_ancestor<K: Key>(store: &impl LinkStore<K, Links<K>>, above: K, below: K) -> bool {
    Ancestors::new(store, below).any(|ancestor| ancestor == above)
}

/// The deepest first descendant; the key itself if it has no children.
pub(crate) fn first_leaf<K: Key>(store: &impl LinkStore<K, Links<K>>, root: K, mut key: K) -> K {
    while let Some(child) = first_child(store, key).filter(|&child| child != root) {
        key = child;
    }
    key
}

/// The next in pre-order after everything below `key`, of what is below `root`.
pub(crate) fn behind<K: Key>(store: &impl LinkStore<K, Links<K>>, root: K, key: K) -> Option<K> {
    if key == root {
        return None;
    }
    next_sibling(store, key).or_else(|| {
        let above = Ancestors::new(store, key).take_while(|&ancestor| ancestor != root);
        { above }.find_map(|ancestor| next_sibling(store, ancestor))
    })
}

/// A walk over the children of a key, from either end. Made by `children`.
pub struct Children<'a, S, K> {
    store: &'a S,
    /// The next from the front, and from the back.
    ends: (Option<K>, Option<K>),
}

impl<'a, S: LinkStore<K, Links<K>>, K: Key> Children<'a, S, K> {
    pub(crate) fn new(store: &'a S, parent: K) -> Self {
        let ends = (first_child(store, parent), last_child(store, parent));
        Self { store, ends }
    }
}

impl<S: LinkStore<K, Links<K>>, K: Key> Iterator for Children<'_, S, K> {
    type Item = K;

    #[inline]
    fn next(&mut self) -> Option<K> {
        let front = self.ends.0?;
        if self.ends.1 == Some(front) {
            self.ends = (None, None);
        } else {
            self.ends.0 = next_sibling(self.store, front);
        }
        Some(front)
    }
}

impl<S: LinkStore<K, Links<K>>, K: Key> DoubleEndedIterator for Children<'_, S, K> {
    #[inline]
    fn next_back(&mut self) -> Option<K> {
        let back = self.ends.1?;
        if self.ends.0 == Some(back) {
            self.ends = (None, None);
        } else {
            self.ends.1 = prev_sibling(self.store, back);
        }
        Some(back)
    }
}

/// A walk over the parent, its parent and so on to the root. Made by `ancestors`.
///
/// If links from a file form a cycle, the walk ends after it has visited a key again.
pub struct Ancestors<'a, S, K> {
    store: &'a S,
    at: K,
    /// A key that was visited, how many steps ago, and after how many the next is remembered (Brent's
    /// cycle detection).
    passed: K,
    steps: u64,
    limit: u64,
}

impl<'a, S: LinkStore<K, Links<K>>, K: Key> Ancestors<'a, S, K> {
    pub(crate) fn new(store: &'a S, key: K) -> Self {
        Self { store, at: key, passed: key, steps: 0, limit: 64 }
    }
}

impl<S: LinkStore<K, Links<K>>, K: Key> Iterator for Ancestors<'_, S, K> {
    type Item = K;

    #[inline]
    fn next(&mut self) -> Option<K> {
        self.at = parent(self.store, self.at).filter(|&parent| parent != self.passed)?;
        self.steps += 1;
        if self.steps == self.limit {
            (self.passed, self.steps, self.limit) = (self.at, 0, 2 * self.limit);
        }
        Some(self.at)
    }
}

/// A walk over everything below a key, each before its children. Made by `descendants`.
pub struct Descendants<'a, S, K> {
    store: &'a S,
    root: K,
    /// The last key returned.
    at: K,
    next: Option<K>,
}

impl<'a, S: LinkStore<K, Links<K>>, K: Key> Descendants<'a, S, K> {
    pub(crate) fn new(store: &'a S, root: K) -> Self {
        let next = first_child(store, root).filter(|&child| child != root);
        Self { store, root, at: root, next }
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
        self.next = behind(self.store, self.root, self.at).filter(|&key| key != self.root);
    }
}

impl<S: LinkStore<K, Links<K>>, K: Key> Iterator for Descendants<'_, S, K> {
    type Item = K;

    #[inline]
    fn next(&mut self) -> Option<K> {
        let key = self.next?;
        self.at = key;
        let next = first_child(self.store, key).or_else(|| behind(self.store, self.root, key));
        self.next = next.filter(|&key| key != self.root); // links from a file may lead back to it
        Some(key)
    }
}

/// A walk over everything below a key, each after its children. Made by `descendants_post_order`.
pub struct PostOrder<'a, S, K> {
    store: &'a S,
    root: K,
    next: Option<K>,
}

impl<'a, S: LinkStore<K, Links<K>>, K: Key> PostOrder<'a, S, K> {
    pub(crate) fn new(store: &'a S, root: K) -> Self {
        let first = first_leaf(store, root, root);
        Self { store, root, next: (first != root).then_some(first) }
    }
}

impl<S: LinkStore<K, Links<K>>, K: Key> Iterator for PostOrder<'_, S, K> {
    type Item = K;

    #[inline]
    fn next(&mut self) -> Option<K> {
        let key = self.next?;
        self.next = match next_sibling(self.store, key).filter(|&sibling| sibling != self.root) {
            Some(sibling) => Some(first_leaf(self.store, self.root, sibling)),
            None => parent(self.store, key).filter(|&parent| parent != self.root),
        };
        Some(key)
    }
}

macro_rules! ends_for_good {
    ($($walk:ident),*) => {$(
        impl<S: LinkStore<K, Links<K>>, K: Key> FusedIterator for $walk<'_, S, K> {}

        impl<S, K> core::fmt::Debug for $walk<'_, S, K> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($walk)).finish_non_exhaustive()
            }
        }
    )*};
}
ends_for_good!(Children, Ancestors, Descendants, PostOrder);

/// A walk over everything below a key, each before its children, that borrows nothing: between two steps the
/// hierarchy may change, and the current key may be removed.
///
/// If the current key is removed, the walk continues at its place: with its children, if they were promoted, or
/// with what came after it.
///
/// # Guarantees
/// If keys are only removed, each key returned exists, and none is returned twice. All keys that stay below the
/// root are returned, in order, if at each step the current key is still below the root, or if its parent is and
/// is still the parent of the sibling before it, if there was one.
///
/// Otherwise, for example if the whole subtree around the key was removed, the walk continues from the sibling
/// after it or from its parent, and may miss keys, or ends. Defer such removals with a
/// [`RemovalQueue`](crate::trees::RemovalQueue).
///
/// # Examples
/// ```
/// use larder::{Arena, Tree, trees::Cursor};
///
/// let mut things = Arena::from_iter([0, 1, 2, 3]);
/// let keys: Vec<_> = things.keys().collect();
/// let mut tree = Tree::new();
/// for &child in &keys[1..] {
///     tree.append(&things, keys[0], child).unwrap();
/// }
/// let mut cursor = Cursor::new(keys[0]);
/// while let Some(key) = cursor.next(&tree) {
///     if things[key] % 2 == 1 {
///         tree.remove_subtree(&mut things, key);
///     }
/// }
/// assert!(tree.children(keys[0]).eq([keys[2]]));
/// ```
#[derive(Clone, Debug)]
pub struct Cursor<K> {
    root: K,
    at: K,
    /// The parent and the siblings of `at`, for when it is gone.
    above: Option<K>,
    before: Option<K>,
    beside: Option<K>,
}

impl<K: Key> Cursor<K> {
    /// Starts before everything below `root`. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Tree, trees::Cursor};
    ///
    /// let mut things = Arena::new();
    /// let alone = things.insert("alone");
    /// assert_eq!(Cursor::new(alone).next(&Tree::new()), None);
    /// ```
    #[must_use]
    pub const fn new(root: K) -> Self {
        Self { root, at: root, above: None, before: None, beside: None }
    }

    /// Moves to the next key and returns it; `None` at the end. O(1) on average over a walk.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Tree, trees::Cursor};
    ///
    /// let mut things = Arena::new();
    /// let (root, child) = (things.insert(()), things.insert(()));
    /// let mut tree = Tree::new();
    /// tree.append(&things, root, child).unwrap();
    /// let mut cursor = Cursor::new(root);
    /// assert_eq!(cursor.next(&tree), Some(child));
    /// assert_eq!(cursor.next(&tree), None);
    /// ```
    pub fn next(&mut self, store: &impl LinkStore<K, Links<K>>) -> Option<K> {
        let next = self.successor(store).filter(|&next| next != self.root)?;
        self.at = next;
        self.above = parent(store, next);
        self.before = prev_sibling(store, next);
        self.beside = next_sibling(store, next);
        Some(next)
    }

    fn successor(&self, store: &impl LinkStore<K, Links<K>>) -> Option<K> {
        if self.at == self.root || parent(store, self.at).is_some() {
            let child = first_child(store, self.at);
            return child.or_else(|| behind(store, self.root, self.at));
        }
        let above = self.above?;
        let is_there = |key: &K| parent(store, *key) == Some(above);
        let in_its_place = match self.before {
            Some(before) => Some(before).filter(is_there).and_then(|key| next_sibling(store, key)),
            None => first_child(store, above),
        };
        in_its_place.or(self.beside.filter(is_there)).or_else(|| behind(store, self.root, above))
    }
}
