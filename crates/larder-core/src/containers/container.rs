//! Traits for code that works with containers of any kind.

use core::ptr::NonNull;

#[cfg(feature = "alloc")]
use crate::Pool;
use crate::containers::{Dense, Slots};
use crate::error::{InsertError, TryReserveError};
use crate::memory::storage::{EmptyRoom, Storage};
use crate::raw::book::Book;
use crate::raw::rows::Whole;
use crate::raw::store::Refill;
use crate::{DenseArena, Key};
#[cfg(feature = "columns")]
use crate::{
    DenseSoaArena, SoaArena,
    soa::raw::shape::CloneShape,
    soa::{
        Fill, Soa,
        view::{self, View},
    },
};

/// A container of values under keys. A `Tree` or a `KeyList` asks it
/// whether an object still exists, and has it removed.
///
/// Every container and map of larder implements it. Other types that own a container may, too; no unsafe
/// code relies on it.
///
/// # Examples
/// ```
/// use larder::{Arena, Pool, containers::Container};
///
/// fn count_live<C: Container>(objects: &C, keys: &[C::Key]) -> usize {
///     keys.iter().filter(|&&key| objects.contains_key(key)).count()
/// }
/// let (mut arena, mut pool) = (Arena::new(), Pool::new(|| 0));
/// let (a, b, c) = (arena.insert(1), arena.insert(2), pool.insert(3));
/// arena.remove(a);
/// assert_eq!((count_live(&arena, &[a, b]), count_live(&pool, &[c])), (1, 1));
/// ```
pub trait Container {
    /// The type of its keys.
    type Key: Key;
    /// The type that a removal returns: the value, or `()` for a `Pool`, which keeps its values.
    type Removed;

    /// Returns whether the key has a value. O(1).
    fn contains_key(&self, key: Self::Key) -> bool;

    /// Removes a key's value; `None` if the key is stale, foreign or dangling. O(1).
    fn remove(&mut self, key: Self::Key) -> Option<Self::Removed>;
}

/// A container whose values are stored whole, not in columns. `Links` in the values are
/// reached through it.
///
/// # Examples
/// ```
/// use larder::{Arena, DenseArena, containers::RowContainer};
///
/// fn longest<C: RowContainer<Value = &'static str>>(words: &C, keys: [C::Key; 2]) -> usize {
///     keys.iter().filter_map(|&key| words.get(key)).map(|word| word.len()).max().unwrap_or(0)
/// }
/// let (mut arena, mut dense) = (Arena::new(), DenseArena::new());
/// let [a, b] = ["ox", "wren"].map(|word| arena.insert(word));
/// arena.remove(b);
/// assert_eq!(longest(&arena, [a, b]), 2);
/// let [a, b] = ["ox", "wren"].map(|word| dense.insert(word));
/// assert_eq!(longest(&dense, [a, b]), 4);
/// ```
pub trait RowContainer: Container {
    /// The type of its values.
    type Value;

    /// Returns the value of a key; `None` if the key is stale, foreign or dangling. O(1).
    fn get(&self, key: Self::Key) -> Option<&Self::Value>;

    /// Returns the value of a key for mutation; `None` if the key is stale, foreign or dangling. O(1).
    fn get_mut(&mut self, key: Self::Key) -> Option<&mut Self::Value>;

    /// Returns the key that the next [`try_insert`](Self::try_insert) will return, and makes room for its
    /// value. O(1) amortised.
    ///
    /// # Errors
    /// If there is no room; nothing has changed.
    fn next_key(&mut self) -> Result<Self::Key, TryReserveError>;

    /// Adds a value and returns its key. O(1) amortised.
    ///
    /// # Errors
    /// If there is no room; nothing has changed, and the value is given back.
    fn try_insert(&mut self, value: Self::Value) -> Result<Self::Key, InsertError<Self::Value>>;

    /// Makes room for `additional` more values, if the container can. O(values) at most.
    ///
    /// # Errors
    /// If there is no room; nothing has changed.
    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        let _ = additional;
        Ok(())
    }

    /// Iterates over keys and values.
    fn iter(&self) -> impl Iterator<Item = (Self::Key, &Self::Value)>;
}

/// A container of values, whole or in columns. Every [`RowContainer`] is one, and so are [`SoaArena`] and
/// [`DenseSoaArena`], if the fields are `Clone`.
///
/// # Examples
/// ```
/// use larder::{Arena, SoaArena, containers::ValueContainer};
///
/// fn area<C: ValueContainer<Value = (u32, u32)>>(sizes: &C, key: C::Key) -> u32 {
///     sizes.with_value(key, |&(width, height)| width * height).unwrap_or(0)
/// }
/// let (mut rows, mut columns) = (Arena::new(), SoaArena::new());
/// let (a, b) = (rows.insert((2, 3)), columns.insert((4, 5)));
/// assert_eq!((area(&rows, a), area(&columns, b)), (6, 20));
/// ```
pub trait ValueContainer: Container {
    /// The type of its values.
    type Value;

    /// The borrow of a value: `&Value`, or a reference to each field.
    type Ref<'a>
    where
        Self: 'a;

    /// The borrow of a value for mutation.
    type RefMut<'a>
    where
        Self: 'a;

    /// Returns the value of a key; `None` if the key is stale, foreign or dangling. O(1).
    fn value(&self, key: Self::Key) -> Option<Self::Ref<'_>>;

    /// Returns the value of a key for mutation; `None` if the key is stale, foreign or dangling. O(1).
    fn value_mut(&mut self, key: Self::Key) -> Option<Self::RefMut<'_>>;

    /// Returns the value of a key, or else the nil object, if the key is stale, foreign or dangling: code that only
    /// reads needs no case for such keys. O(1).
    ///
    /// The nil object lies beside the container, in a constant, a `static` or a field of the program: it has no key, is
    /// not walked over or counted, and nothing is written to it.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, SoaArena, containers::ValueContainer};
    ///
    /// const NOBODY: (&str, u32) = ("nobody", 0);
    ///
    /// let (mut rows, mut columns) = (Arena::new(), SoaArena::new());
    /// let (orc, wolf) = (rows.insert(("orc", 9)), columns.insert(("wolf", 4)));
    /// rows.remove(orc);
    /// columns.remove(wolf);
    /// assert_eq!(rows.value_or(orc, &NOBODY), &NOBODY);
    /// assert_eq!(columns.value_or(wolf, &NOBODY), (&"nobody", &0)); // a reference to each field
    /// ```
    #[doc(alias("null object", "default object", "sentinel", "WithNil", "get_or_nil"))]
    #[inline]
    fn value_or<'a>(&'a self, key: Self::Key, nil: &'a Self::Value) -> Self::Ref<'a> {
        self.value(key).unwrap_or_else(|| Self::lend(nil))
    }

    /// Lends a value that lies elsewhere. O(1).
    fn lend<'a>(value: &'a Self::Value) -> Self::Ref<'a>
    where
        Self: 'a;

    /// Puts a value in place of another, which is returned. O(1).
    fn replace<'a>(place: &mut Self::RefMut<'a>, value: Self::Value) -> Self::Value
    where
        Self: 'a;

    /// Passes the value of a key to `read`, as a clone where it lies in columns; `None` if the key is stale, foreign
    /// or dangling. O(1).
    fn with_value<R>(&self, key: Self::Key, read: impl FnOnce(&Self::Value) -> R) -> Option<R>;

    /// Passes each value to `each`, as a clone where it lies in columns, up to the first error. O(values).
    ///
    /// # Errors
    /// The first error of `each`.
    fn try_for_each<E>(
        &self,
        mut each: impl FnMut(Self::Key, &Self::Value) -> Result<(), E>,
    ) -> Result<(), E> {
        self.keys()
            .try_for_each(|key| self.with_value(key, |value| each(key, value)).unwrap_or(Ok(())))
    }

    /// Iterates over the keys.
    fn keys(&self) -> impl Iterator<Item = Self::Key>;

    /// See [`RowContainer::next_key`].
    ///
    /// # Errors
    /// If there is no room; nothing has changed.
    fn next_key(&mut self) -> Result<Self::Key, TryReserveError>;

    /// See [`RowContainer::try_insert`].
    ///
    /// # Errors
    /// If there is no room; nothing has changed, and the value is given back.
    fn try_insert(&mut self, value: Self::Value) -> Result<Self::Key, InsertError<Self::Value>>;

    /// See [`RowContainer::try_reserve`].
    ///
    /// # Errors
    /// If there is no room; nothing has changed.
    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError>;
}

impl<C: RowContainer> ValueContainer for C {
    type Value = <C as RowContainer>::Value;
    type Ref<'a>
        = &'a <C as RowContainer>::Value
    where
        Self: 'a;
    type RefMut<'a>
        = &'a mut <C as RowContainer>::Value
    where
        Self: 'a;

    #[inline]
    fn value(&self, key: C::Key) -> Option<&Self::Value> {
        self.get(key)
    }

    #[inline]
    fn value_mut(&mut self, key: C::Key) -> Option<&mut Self::Value> {
        self.get_mut(key)
    }

    #[inline]
    fn lend<'a>(value: &'a Self::Value) -> &'a Self::Value
    where
        Self: 'a,
    {
        value
    }

    #[inline]
    fn replace<'a>(place: &mut Self::RefMut<'a>, value: Self::Value) -> Self::Value
    where
        Self: 'a,
    {
        core::mem::replace(*place, value)
    }

    #[inline]
    fn with_value<R>(&self, key: C::Key, read: impl FnOnce(&Self::Value) -> R) -> Option<R> {
        self.get(key).map(read)
    }

    fn try_for_each<E>(
        &self,
        mut each: impl FnMut(C::Key, &Self::Value) -> Result<(), E>,
    ) -> Result<(), E> {
        self.iter().try_for_each(|(key, value)| each(key, value))
    }

    fn keys(&self) -> impl Iterator<Item = C::Key> {
        self.iter().map(|(key, _)| key)
    }

    #[inline]
    fn next_key(&mut self) -> Result<C::Key, TryReserveError> {
        RowContainer::next_key(self)
    }

    #[inline]
    fn try_insert(&mut self, value: Self::Value) -> Result<C::Key, InsertError<Self::Value>> {
        RowContainer::try_insert(self, value)
    }

    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        RowContainer::try_reserve(self, additional)
    }
}

impl<T, K: Key, L: EmptyRoom + Refill<T, K>, B: Book> Container for Slots<T, K, L, B> {
    type Key = K;
    type Removed = T;

    #[inline]
    fn contains_key(&self, key: K) -> bool {
        self.contains_key(key)
    }

    #[inline]
    fn remove(&mut self, key: K) -> Option<T> {
        self.remove(key)
    }
}

impl<T, K: Key, S: Storage<T>> Container for Dense<T, K, S> {
    type Key = K;
    type Removed = T;

    #[inline]
    fn contains_key(&self, key: K) -> bool {
        self.contains_key(key)
    }

    #[inline]
    fn remove(&mut self, key: K) -> Option<T> {
        self.remove(key)
    }
}

#[cfg(feature = "alloc")]
impl<T, K: Key> Container for Pool<T, K> {
    type Key = K;
    type Removed = ();

    #[inline]
    fn contains_key(&self, key: K) -> bool {
        self.contains_key(key)
    }

    #[inline]
    fn remove(&mut self, key: K) -> Option<()> {
        self.recycle(key).map(|_| ())
    }
}

/// The methods of the same names.
macro_rules! rows {
    ([$($generics:tt)*] $container:ty where [$($bounds:tt)*]) => {
        impl<$($generics)*> RowContainer for $container
        where
            $($bounds)*
        {
            type Value = T;

            #[inline]
            fn get(&self, key: K) -> Option<&T> {
                self.get(key)
            }

            #[inline]
            fn get_mut(&mut self, key: K) -> Option<&mut T> {
                self.get_mut(key)
            }

            #[inline]
            fn next_key(&mut self) -> Result<K, TryReserveError> {
                self.try_vacant_entry().map(|entry| entry.key())
            }

            #[inline]
            fn try_insert(&mut self, value: T) -> Result<K, InsertError<T>> {
                self.try_insert(value)
            }

            fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
                self.try_reserve(additional)
            }

            fn iter(&self) -> impl Iterator<Item = (K, &T)> {
                self.iter()
            }
        }
    };
}

rows!([T, K: Key, R, B: Book] Slots<T, K, Whole<R>, B>
    where [Self: Container<Key = K>, Whole<R>: Refill<T, K, At = NonNull<T>>]);
rows!([T, K: Key] DenseArena<T, K> where []);

/// The methods of the same names.
#[cfg(feature = "columns")]
macro_rules! columns {
    ([$($bounds:tt)*] $container:ty) => {
        impl<T: $($bounds)*, K: Key> ValueContainer for $container
        where
            T::Shape: CloneShape,
        {
            type Value = T;
            type Ref<'a> = view::Ref<'a, T> where Self: 'a;
            type RefMut<'a> = view::RefMut<'a, T> where Self: 'a;

            #[inline]
            fn value(&self, key: K) -> Option<view::Ref<'_, T>> {
                self.get(key)
            }

            #[inline]
            fn value_mut(&mut self, key: K) -> Option<view::RefMut<'_, T>> {
                self.get_mut(key)
            }

            #[inline]
            fn lend<'a>(value: &'a T) -> view::Ref<'a, T> where Self: 'a {
                T::View::lend(value)
            }

            #[inline]
            fn replace<'a>(place: &mut view::RefMut<'a, T>, value: T) -> T where Self: 'a {
                T::View::ref_replace(place, value)
            }

            #[inline]
            fn with_value<R>(&self, key: K, read: impl FnOnce(&T) -> R) -> Option<R> {
                self.store.get_cloned(key).map(|value| read(&value))
            }

            fn keys(&self) -> impl Iterator<Item = K> {
                self.keys()
            }

            #[inline]
            fn next_key(&mut self) -> Result<K, TryReserveError> {
                self.try_vacant_entry().map(|entry| entry.key())
            }

            #[inline]
            fn try_insert(&mut self, value: T) -> Result<K, InsertError<T>> {
                self.try_insert(value)
            }

            fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
                self.try_reserve(additional)
            }
        }
    };
}

#[cfg(feature = "columns")]
columns!([Soa + Fill] SoaArena<T, K>);
#[cfg(feature = "columns")]
columns!([Soa] DenseSoaArena<T, K>);
