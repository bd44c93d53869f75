//! The interface of the memory in which a map of side data has its entries.

#![expect(unnameable_types, reason = "users name the layouts only")]

use core::iter::FusedIterator;
use core::marker::PhantomData;

use crate::error::{GetDisjointMutError, SecondaryInsertError, TryReserveError};
use crate::key::Key;
use crate::raw::join::Viewed;
use crate::stats::MemoryUsage;

/// A layout of the entries of a [`SideMap`](crate::maps::SideMap): [`Array`](crate::maps::layout::Array) or `Sparse`.
/// The trait is sealed.
///
/// # Examples
/// ```
/// use larder::{Handle, SecondaryMap, maps::{SideMap, layout::SideLayout}};
///
/// /// Of either map.
/// fn heaviest<T, L: SideLayout<Handle<T>, u32>>(weights: &SideMap<Handle<T>, u32, L>) -> Option<u32> {
///     weights.values().copied().max()
/// }
/// let birds = larder::Arena::from_iter(["wren", "kite"]);
/// let weights: SecondaryMap<_, _> = birds.keys().zip([9, 900]).collect();
/// assert_eq!(heaviest(&weights), Some(900));
/// ```
#[expect(clippy::len_without_is_empty, reason = "a map has it")]
pub trait SideLayout<K: Key, V>: Viewed + Sized {
    /// The name of the type by which users know a map of it, for panics.
    #[doc(hidden)]
    type Shown;

    /// Without entries, and without memory.
    #[doc(hidden)]
    const NEW: Self;

    /// The number of bytes for each slot, whether it has an entry or not; `None` if slots without an entry take none.
    #[doc(hidden)]
    const SLOT_BYTES: Option<usize>;

    /// The kind of section that a map is in a snapshot.
    #[doc(hidden)]
    const KIND: &'static str;

    /// Keys and values.
    #[doc(hidden)]
    type Iter<'a>: LentEntries<Item = (K, &'a V)> + Clone + Default
    where
        Self: 'a,
        K: 'a,
        V: 'a;
    /// Keys and mutable values.
    #[doc(hidden)]
    type IterMut<'a>: LentEntries<Item = (K, &'a mut V)>
    where
        Self: 'a,
        K: 'a,
        V: 'a;
    /// Keys and owned values.
    #[doc(hidden)]
    type IntoIter: ExactSizeIterator<Item = (K, V)> + DoubleEndedIterator;
    /// Removes all and gives it out.
    #[doc(hidden)]
    type Drain<'a>: ExactSizeIterator<Item = (K, V)> + DoubleEndedIterator
    where
        Self: 'a,
        K: 'a,
        V: 'a;
    /// Removes what a closure chooses.
    #[doc(hidden)]
    type ExtractIf<'a, F: FnMut(K, &mut V) -> bool>: FusedIterator<Item = (K, V)>
    where
        Self: 'a,
        K: 'a,
        V: 'a;

    #[doc(hidden)]
    fn len(&self) -> usize;
    #[doc(hidden)]
    fn capacity(&self) -> usize;
    #[doc(hidden)]
    fn memory_usage(&self) -> MemoryUsage;
    /// Makes room for at least so much, of what the capacity counts. On an error nothing visible has changed.
    #[doc(hidden)]
    fn try_set_capacity(&mut self, capacity: usize) -> Result<(), TryReserveError>;
    /// Gives back what memory the entries do not need, as far as the allocator agrees.
    #[doc(hidden)]
    fn shrink_to_fit(&mut self);

    #[doc(hidden)]
    fn get(&self, key: K) -> Option<&V>;
    #[doc(hidden)]
    fn get_mut(&mut self, key: K) -> Option<&mut V>;
    #[doc(hidden)]
    fn get_disjoint_mut<const N: usize>(
        &mut self,
        keys: [K; N],
    ) -> Result<[&mut V; N], GetDisjointMutError>;
    /// The key whose value is in a slot.
    #[doc(hidden)]
    fn key_at(&self, slot: u32) -> Option<K>;

    /// Inserts, or gives the value back. An earlier tenant's value is dropped when the new one is in.
    #[doc(hidden)]
    fn try_insert(&mut self, key: K, value: V) -> Result<Option<V>, SecondaryInsertError<K, V>>;
    #[doc(hidden)]
    fn remove(&mut self, key: K) -> Option<V>;
    /// Drops the values that `keep` refuses. If `keep` or a value's `Drop` panics, what came before is done, and the
    /// rest stays.
    #[doc(hidden)]
    fn retain(&mut self, keep: impl FnMut(K, &mut V) -> bool);
    #[doc(hidden)]
    fn clear(&mut self);

    #[doc(hidden)]
    fn iter<'a>(&'a self) -> Self::Iter<'a>
    where
        K: 'a,
        V: 'a;
    #[doc(hidden)]
    fn iter_mut<'a>(&'a mut self) -> Self::IterMut<'a>
    where
        K: 'a,
        V: 'a;
    #[doc(hidden)]
    fn into_iter(self) -> Self::IntoIter;
    #[doc(hidden)]
    fn drain<'a>(&'a mut self) -> Self::Drain<'a>
    where
        K: 'a,
        V: 'a;
    #[doc(hidden)]
    fn extract_if<'a, F: FnMut(K, &mut V) -> bool>(
        &'a mut self,
        choose: F,
    ) -> Self::ExtractIf<'a, F>
    where
        K: 'a,
        V: 'a;

    /// A copy in which the same keys have equal values.
    #[doc(hidden)]
    fn try_clone(&self) -> Result<Self, TryReserveError>
    where
        V: Clone;

    /// Panics if it is inconsistent.
    #[cfg(feature = "__test")]
    #[doc(hidden)]
    fn validate(&self);
}

/// An iterator over entries that stay: from either end, of known length, and in parts.
///
/// # Examples
/// ```
/// use larder::{Arena, SecondaryMap};
///
/// let birds = Arena::from_iter(["wren", "kite"]);
/// let lengths: SecondaryMap<_, usize> = birds.iter().map(|(key, name)| (key, name.len())).collect();
/// assert_eq!(lengths.iter().rev().len(), 2);
/// ```
pub trait LentEntries: ExactSizeIterator + DoubleEndedIterator + FusedIterator + Sized {
    /// Two parts with about as many entries each.
    #[cfg(feature = "rayon")]
    fn divide(self) -> (Self, Option<Self>);
}

/// The name of a map of an array.
#[derive(Debug)]
pub struct SecondaryMap<K, V>(PhantomData<(K, V)>);

/// The name of a map of entries found by hash.
#[cfg(feature = "hashbrown")]
#[derive(Debug)]
pub struct SparseSecondaryMap<K, V>(PhantomData<(K, V)>);
