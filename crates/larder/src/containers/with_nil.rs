//! A container with a nil object, which is read where a key has no object.

use core::ops::{Deref, DerefMut};

use crate::containers::container::{Container, RowContainer, ValueContainer};
use crate::error::{InsertError, TryReserveError};

/// A container with a nil object, which [`get_or_nil`](Self::get_or_nil) returns for stale, foreign and dangling keys:
/// code that only reads needs no case for them.
///
/// The nil object is stored beside the container: it has no key, is not iterated over, counted or removed, and cannot
/// be written to. (If it could, a write through a stale key would be read through every other.) In all other respects
/// it is the container, which it dereferences to. The container may be one of rows or of columns.
///
/// # Examples
/// ```
/// use larder::{Arena, containers::WithNil};
///
/// struct Enemy {
///     name: &'static str,
///     health: u32,
/// }
///
/// let mut enemies = WithNil::new(Arena::new(), Enemy { name: "nobody", health: 0 });
/// let orc = enemies.insert(Enemy { name: "orc", health: 9 });
/// assert_eq!(enemies.get_or_nil(orc).health, 9);
/// enemies.remove(orc);
/// assert_eq!(enemies.get_or_nil(orc).name, "nobody");
/// assert!(enemies.get_mut(orc).is_none());
/// ```
#[doc(alias("null object", "default object", "sentinel"))]
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        serialize = "C: serde::Serialize, C::Value: serde::Serialize",
        deserialize = "C: serde::Deserialize<'de>, C::Value: serde::Deserialize<'de>"
    ))
)]
pub struct WithNil<C: ValueContainer> {
    container: C,
    nil: C::Value,
}

impl<C: ValueContainer> WithNil<C> {
    /// Takes a container, empty or not, and its nil object. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Handle, containers::WithNil};
    ///
    /// let numbers = WithNil::new(Arena::from_iter([1, 2]), 0);
    /// assert_eq!((numbers.len(), *numbers.nil()), (2, 0));
    /// ```
    #[must_use]
    pub const fn new(container: C, nil: C::Value) -> Self {
        Self { container, nil }
    }

    /// Returns the value of a key; the nil object if the key is stale, foreign or dangling. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Handle, Key, containers::WithNil};
    ///
    /// let mut numbers = WithNil::new(Arena::new(), 0);
    /// let seven = numbers.insert(7);
    /// assert_eq!(*numbers.get_or_nil(seven), 7);
    /// assert_eq!(*numbers.get_or_nil(Handle::DANGLING), 0);
    /// ```
    #[inline]
    #[must_use]
    pub fn get_or_nil(&self, key: C::Key) -> C::Ref<'_> {
        self.container.value(key).unwrap_or_else(|| C::lend(&self.nil))
    }

    /// Returns the nil object. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, containers::WithNil};
    ///
    /// let words: WithNil<Arena<&str>> = WithNil::new(Arena::new(), "nothing");
    /// assert_eq!(*words.nil(), "nothing");
    /// ```
    #[must_use]
    pub const fn nil(&self) -> &C::Value {
        &self.nil
    }

    /// Returns the container without its nil object. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, containers::WithNil};
    ///
    /// let numbers = WithNil::new(Arena::from_iter([1, 2]), 0);
    /// assert!(numbers.into_inner().into_values().eq([1, 2]));
    /// ```
    #[must_use]
    pub fn into_inner(self) -> C {
        self.container
    }
}

impl<C: ValueContainer> Container for WithNil<C> {
    type Key = C::Key;
    type Removed = C::Removed;

    #[inline]
    fn contains_key(&self, key: C::Key) -> bool {
        self.container.contains_key(key)
    }

    #[inline]
    fn remove(&mut self, key: C::Key) -> Option<C::Removed> {
        self.container.remove(key)
    }
}

impl<C: RowContainer> RowContainer for WithNil<C> {
    type Value = <C as RowContainer>::Value;

    #[inline]
    fn get(&self, key: C::Key) -> Option<&Self::Value> {
        self.container.get(key)
    }

    #[inline]
    fn get_mut(&mut self, key: C::Key) -> Option<&mut Self::Value> {
        self.container.get_mut(key)
    }

    #[inline]
    fn next_key(&mut self) -> Result<C::Key, TryReserveError> {
        self.container.next_key()
    }

    #[inline]
    fn try_insert(&mut self, value: Self::Value) -> Result<C::Key, InsertError<Self::Value>> {
        self.container.try_insert(value)
    }

    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.container.try_reserve(additional)
    }

    fn iter(&self) -> impl Iterator<Item = (C::Key, &Self::Value)> {
        self.container.iter()
    }
}

impl<C: ValueContainer> Deref for WithNil<C> {
    type Target = C;

    #[inline]
    fn deref(&self) -> &C {
        &self.container
    }
}

impl<C: ValueContainer> DerefMut for WithNil<C> {
    #[inline]
    fn deref_mut(&mut self) -> &mut C {
        &mut self.container
    }
}

impl<C: ValueContainer<Value: Default> + Default> Default for WithNil<C> {
    /// An empty container; the nil object is the default one.
    fn default() -> Self {
        Self::new(C::default(), C::Value::default())
    }
}
