//! Removal that is deferred until a walk is over.

use alloc::collections::VecDeque;

/// Keys of objects that are removed later, when nothing is being walked.
///
/// It borrows nothing and belongs to no container: [`apply`](Self::apply) is passed how to remove. A key may be
/// queued twice, and its object may be removed before, since containers refuse stale keys.
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
#[doc(alias("destroy_later", "despawn", "deferred", "graveyard"))]
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct RemovalQueue<K> {
    keys: VecDeque<K>,
}

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

    /// Queues a key. O(1). `extend` queues many.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, trees::RemovalQueue};
    ///
    /// let mut things = Arena::from_iter([1, 2, 3, 4]);
    /// let mut queue = RemovalQueue::new();
    /// queue.remove_later(things.first_key().unwrap());
    /// queue.extend(things.iter().filter(|(_, thing)| **thing > 3).map(|(key, _)| key));
    /// queue.apply(|key| things.remove(key));
    /// assert!(things.values().eq(&[2, 3]));
    /// ```
    pub fn remove_later(&mut self, key: K) {
        self.keys.push_back(key);
    }

    /// How many keys are queued. O(1).
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

impl<K> Default for RemovalQueue<K> {
    /// An empty queue.
    fn default() -> Self {
        Self::new()
    }
}

impl<K> Extend<K> for RemovalQueue<K> {
    /// Queues all keys.
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        self.keys.extend(keys);
    }
}
