//! Removing objects while they are walked: a walk that goes on where its key is gone, and removal that is
//! deferred until the walk is over.

#[cfg(feature = "alloc")]
use alloc::collections::VecDeque;

use super::walk::{Found, Hierarchy, Step, Steps};
#[cfg(feature = "alloc")]
use larder_core::TryReserveError;
use larder_core::key::Key;
#[cfg(feature = "alloc")]
use larder_core::room;

/// A walk over everything below a key, each before its children. It borrows nothing: between two steps the
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
/// [`RemovalQueue`].
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
    pub fn next(&mut self, hierarchy: &impl Hierarchy<K>) -> Option<K> {
        let next = self.successor(hierarchy)?;
        let key_of = |found: Found<_>| hierarchy.key_of(found.at);
        self.at = hierarchy.key_of(next.at);
        self.above = hierarchy.parent_of(next).map(key_of);
        self.before = hierarchy.prev_sibling_of(next).map(key_of);
        self.beside = hierarchy.next_sibling_of(next).map(key_of);
        Some(self.at)
    }

    fn successor<S: Hierarchy<K>>(&self, of: &S) -> Option<Found<S::Place>> {
        let root = of.place_of(self.root)?;
        let behind = |here| Step { here, first: None }.behind(of, root).map(|step| step.here);
        let at = of.find_key(self.at);
        let next = match at.filter(|&at| at.at == root || of.parent_of(at).is_some()) {
            Some(at) => of.first_child_of(at).or_else(|| behind(at)),
            None => {
                let above = of.find_key(self.above?);
                let is_there = |found: &Found<S::Place>| {
                    above.is_some_and(|above| found.links.parent == Some(above.at))
                };
                let in_its_place = match self.before {
                    Some(before) => {
                        of.find_key(before).filter(is_there).and_then(|key| of.next_sibling_of(key))
                    }
                    None => above.and_then(|above| of.first_child_of(above)),
                };
                let beside = || of.find_key(self.beside?).filter(is_there);
                in_its_place.or_else(beside).or_else(|| behind(above?))
            }
        };
        next.filter(|next| next.at != root)
    }
}

/// Keys of objects that are removed later, when nothing is being walked.
///
/// It borrows nothing and belongs to no container: the caller passes [`apply`](Self::apply) a function that
/// removes a key. A key may be queued twice, and its object may already be gone, since containers refuse
/// stale keys.
///
/// # Examples
/// ```
/// use larder::{Arena, Tree, trees::RemovalQueue};
///
/// let mut things = Arena::from_iter([10, 0, 5]);
/// let keys: Vec<_> = things.keys().collect();
/// let mut tree = Tree::new();
/// tree.append(&things, keys[0], keys[1])?;
/// tree.append(&things, keys[1], keys[2])?;
///
/// let mut dead = RemovalQueue::new();
/// for key in tree.descendants(keys[0]) {
///     if things[key] == 0 {
///         dead.remove_later(key); // the walk continues, also below it
///     }
/// }
/// dead.apply(|key| tree.remove_subtree(&mut things, key));
/// assert_eq!(things.len(), 1);
/// # Ok::<(), larder::trees::LinkError<larder::Handle<i32>>>(())
/// ```
#[cfg(feature = "alloc")]
#[doc(alias("destroy_later", "despawn", "deferred", "graveyard"))]
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct RemovalQueue<K> {
    keys: VecDeque<K>,
}

#[cfg(feature = "alloc")]
impl<K> RemovalQueue<K> {
    /// Makes an empty queue. O(1): allocates nothing.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, trees::RemovalQueue};
    ///
    /// assert_eq!(RemovalQueue::<Handle<u8>>::new().pending(), 0);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { keys: VecDeque::new() }
    }

    /// Returns how many keys can be queued before memory is needed. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut queue = larder::trees::RemovalQueue::<u32>::new();
    /// assert_eq!(queue.capacity(), 0);
    /// queue.reserve(100);
    /// assert!(queue.capacity() >= 100);
    /// ```
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.keys.capacity()
    }

    /// Makes room for at least `additional` more keys: as long as no more are queued at once, nothing is allocated.
    /// O(n).
    ///
    /// # Panics
    /// If allocation fails.
    ///
    /// # Examples
    /// ```
    /// let mut queue = larder::trees::RemovalQueue::new();
    /// queue.reserve(100);
    /// let capacity = queue.capacity();
    /// queue.extend(0..100);
    /// assert_eq!(queue.capacity(), capacity);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        room::granted::<Self, _>(self.try_reserve(additional));
    }

    /// Like [`reserve`](Self::reserve), but returns an error instead of panicking. O(n).
    ///
    /// # Errors
    /// If allocation fails. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    /// let mut queue = larder::trees::RemovalQueue::<u32>::new();
    /// assert!(queue.try_reserve(100).is_ok());
    /// assert!(queue.try_reserve(usize::MAX).is_err());
    /// ```
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        let bytes = additional.saturating_mul(size_of::<K>());
        let reserved = self.keys.try_reserve(additional);
        reserved.map_err(|_| TryReserveError::AllocRefused { bytes })
    }

    /// Gives unused memory back, as far as the allocator agrees. O(pending).
    ///
    /// # Examples
    /// ```
    /// let mut queue = larder::trees::RemovalQueue::<u32>::new();
    /// queue.reserve(100);
    /// queue.shrink_to_fit();
    /// assert!(queue.capacity() < 100);
    /// ```
    pub fn shrink_to_fit(&mut self) {
        self.keys.shrink_to_fit();
    }

    /// Queues a key. O(1) amortised. `extend` queues many.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, trees::RemovalQueue};
    ///
    /// let mut things = Arena::from_iter([1, 2, 3, 4]);
    /// let mut queue = RemovalQueue::new();
    /// queue.remove_later(things.keys().next().unwrap());
    /// queue.extend(things.iter().filter(|(_, thing)| **thing > 3).map(|(key, _)| key));
    /// queue.apply(|key| things.remove(key));
    /// assert!(things.values().eq(&[2, 3]));
    /// ```
    pub fn remove_later(&mut self, key: K) {
        self.keys.push_back(key);
    }

    /// Returns how many keys are queued. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut queue = larder::trees::RemovalQueue::new();
    /// queue.remove_later(1);
    /// assert_eq!(queue.pending(), 1);
    /// ```
    #[must_use]
    pub fn pending(&self) -> usize {
        self.keys.len()
    }

    /// Empties the queue without removing anything. O(pending).
    ///
    /// # Examples
    /// ```
    /// let mut queue = larder::trees::RemovalQueue::new();
    /// queue.remove_later(1);
    /// queue.clear();
    /// assert_eq!(queue.pending(), 0);
    /// ```
    pub fn clear(&mut self) {
        self.keys.clear();
    }

    /// Passes each key to `remove`, in the order in which they were queued. If it panics, the keys after it stay
    /// queued. O(pending) calls.
    ///
    /// # Examples
    /// ```
    /// let mut queue = larder::trees::RemovalQueue::new();
    /// queue.extend([1, 2]);
    /// let mut removed = Vec::new();
    /// queue.apply(|key| removed.push(key));
    /// assert_eq!((removed, queue.pending()), (vec![1, 2], 0));
    /// ```
    #[doc(alias = "flush")]
    pub fn apply<R>(&mut self, mut remove: impl FnMut(K) -> R) {
        while let Some(key) = self.keys.pop_front() {
            remove(key);
        }
    }
}

#[cfg(feature = "alloc")]
impl<K> Default for RemovalQueue<K> {
    /// An empty queue.
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(feature = "alloc")]
impl<K> Extend<K> for RemovalQueue<K> {
    /// Queues all keys.
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        self.keys.extend(keys);
    }
}
