//! The order in which the objects of a table were inserted.

use super::key_list::KeyList;
use larder_core::TryReserveError;
use larder_core::containers::Container;
use larder_core::key::Key;

/// The objects of a [`Table`](larder_core::track::Table) in the order in which they were inserted, as its observer:
/// each insertion is pushed to this list, and each removal leaves it. It dereferences to the list, for reading.
///
/// Objects that are in the container when the table is made, and not in this list, are pushed in slot order.
///
/// # Examples
/// ```
/// use larder::{Arena, track::Table, trees::InsertionOrder};
///
/// let mut birds = Table::with(Arena::new(), InsertionOrder::new());
/// let [wren, kite] = ["wren", "kite"].map(|bird| birds.insert(bird));
/// birds.remove(wren);
/// let owl = birds.insert("owl"); // in the wren's slot
/// assert!(birds.observers().iter().eq([kite, owl]));
/// ```
#[doc(alias("slot_list", "insertion order", "IndexMap"))]
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "K: serde::Serialize", deserialize = "K: serde::Deserialize<'de>"))
)]
pub struct InsertionOrder<K: Key> {
    list: KeyList<K>,
    /// The key of an object that is about to be inserted, for which there is room.
    #[cfg_attr(feature = "serde", serde(skip, default))]
    next: Option<K>,
}

impl<K: Key> InsertionOrder<K> {
    /// Makes an empty order. O(1): allocates nothing.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, trees::InsertionOrder};
    ///
    /// assert!(InsertionOrder::<Handle<u8>>::new().is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self::of_list(KeyList::new())
    }

    /// Makes room for at least `additional` objects more, as [`KeyList::reserve`] does. O(capacity).
    ///
    /// # Panics
    /// If allocation fails, or no key can name so many slots.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Table, trees::InsertionOrder};
    ///
    /// let mut order = InsertionOrder::new();
    /// order.reserve(100);
    /// let mut birds = Table::with(Arena::with_capacity(100), order);
    /// birds.insert("wren");
    /// assert!(birds.observers().capacity() >= 100);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        self.list.reserve(additional);
    }

    /// Like [`reserve`](Self::reserve), but returns an error instead of panicking. O(capacity).
    ///
    /// # Errors
    /// If allocation fails, or no key can name so many slots. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, trees::InsertionOrder};
    ///
    /// assert!(InsertionOrder::<Handle<u8>>::new().try_reserve(usize::MAX).is_err());
    /// ```
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.list.try_reserve(additional)
    }
}

/// The phases in which a table tells it of an insertion.
impl<K: Key> InsertionOrder<K> {
    /// Makes room for a key, which comes [next](Self::commit).
    pub(crate) fn prepare(&mut self, key: K) -> Result<(), TryReserveError> {
        self.list.reserve_for(key)?;
        self.next = Some(key);
        Ok(())
    }

    /// Appends the prepared key, if any.
    pub(crate) fn commit(&mut self) {
        if let Some(key) = self.next.take() {
            self.list.append_live(key);
        }
    }

    pub(crate) const fn of_list(list: KeyList<K>) -> Self {
        Self { list, next: None }
    }

    pub(crate) const fn list_mut(&mut self) -> &mut KeyList<K> {
        &mut self.list
    }

    pub(crate) const fn cancel(&mut self) {
        self.next = None;
    }

    pub(crate) fn forget(&mut self, key: K) {
        self.list.forget(key);
    }

    pub(crate) fn retain_live(&mut self, objects: &impl Container<Key = K>) {
        self.list.retain_live(objects);
    }
}

impl<K: Key> Default for InsertionOrder<K> {
    /// An empty order.
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Key> core::ops::Deref for InsertionOrder<K> {
    type Target = KeyList<K>;

    #[inline]
    fn deref(&self) -> &KeyList<K> {
        &self.list
    }
}
