//! What an `Indexed` did not take.

use core::error::Error;
use core::fmt;

use crate::indices::IndexError;

/// A row that could not be filed, and why; or a container, or an index, whose rows could not.
///
/// Returned by [`Indexed`](crate::indices::Indexed): what was given comes back.
///
/// # Examples
/// ```
/// use larder::{Arena, indices::{Indexed, UniqueIndex}};
///
/// let mut names = Indexed::new(Arena::new(), UniqueIndex::by(|name: &&'static str| *name));
/// names.insert("wren").unwrap();
/// let refused = names.insert("wren").unwrap_err();
/// assert_eq!(refused.to_string(), "value not filed: 0v1 is filed under this property already");
/// assert_eq!(refused.into_value(), "wren");
/// ```
#[derive(Clone, PartialEq, Eq)]
#[doc(alias = "Unfiled")]
pub struct Rejected<T, K> {
    /// What was to be filed; of [`modify_in_place`](crate::indices::Indexed::modify_in_place) `None`, where there is no
    /// row.
    pub value: T,
    /// What was in the way.
    pub reason: IndexError<K>,
}

impl<T, K> Rejected<T, K> {
    /// Gives back what was to be filed. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::{Indexed, UniqueIndex}};
    ///
    /// let names = Arena::from_iter(["wren", "wren"]);
    /// let refused = Indexed::try_new(names, UniqueIndex::by(|name: &&'static str| *name));
    /// assert_eq!(refused.unwrap_err().into_value().len(), 2);
    /// ```
    pub fn into_value(self) -> T {
        self.value
    }
}

impl<T, K: fmt::Debug> fmt::Debug for Rejected<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rejected").field("reason", &self.reason).finish_non_exhaustive()
    }
}

impl<T, K: fmt::Debug> fmt::Display for Rejected<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "value not filed: {}", self.reason)
    }
}

impl<T, K: fmt::Debug> Error for Rejected<T, K> {}
