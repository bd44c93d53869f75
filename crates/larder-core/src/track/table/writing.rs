//! Changing the values of a table: by replacing them, and by lending them where no observer looks at them.

use core::fmt;
use core::ops::{Deref, DerefMut, Index, IndexMut};

use super::Table;
use crate::containers::container::{Container, ValueContainer};
use crate::error::{Refusal, Rejected};
use crate::key::Key;
use crate::track::observer::{Blind, Observer};
use crate::track::recorded::Recorded;
use crate::track::trackable::{Revert, Track};

/// Replacing.
impl<C: Track, O: Observer<C>> Table<C, O> {
    /// Replaces the value of a key and returns the old one. O(1), and the cost in the observers.
    ///
    /// # Errors
    /// If the key has no value, or an observer refuses the new one. Then nothing has changed, and the new value is in
    /// the error.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::new());
    /// let wren = birds.insert("wren");
    /// assert_eq!(birds.replace(wren, "wren, ringed").unwrap(), "wren");
    /// ```
    pub fn replace(
        &mut self,
        key: C::Key,
        value: C::Value,
    ) -> Result<C::Value, Rejected<C::Value, C::Key>> {
        let mut value = Some(value);
        let exchanged = self.exchange(key, &mut value);
        match (exchanged, value) {
            (Ok(()), Some(old)) => Ok(old),
            (Err(reason), Some(value)) => Err(Rejected { value, reason }),
            (_, None) => unreachable!("it was passed one"),
        }
    }

    /// Exchanges the value of a key, and the one that is passed.
    #[inline]
    fn exchange(
        &mut self,
        key: C::Key,
        value: &mut Option<C::Value>,
    ) -> Result<(), Refusal<C::Key>> {
        let Self { objects, observers, .. } = self;
        observers.settle(None);
        let Some(new) = value.as_mut().filter(|_| objects.container.source(key).is_some()) else {
            return Err(Refusal::Missing { key });
        };
        observers.carry(&objects.container, Some(key), new);
        if let Err(reason) = observers.prepare(&objects.container, key, new) {
            observers.settle(None);
            return Err(reason);
        }
        if !objects.is_idle() {
            objects.touch(key.slot() as usize);
        }
        objects.container.exchange_value(key, value);
        observers.commit();
        observers.settle(None);
        Ok(())
    }

    /// Changes the value of a key, and returns what the closure returns. O(1), a clone, and the cost in the observers.
    ///
    /// The closure changes a clone, which replaces the value. If no observer looks at values,
    /// [`get_mut`](Self::get_mut) is quicker.
    ///
    /// # Errors
    /// If the key has no value, or an observer refuses the changed one. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    /// # #[cfg(all(feature = "indices", feature = "hashbrown"))] {
    /// use larder::{Arena, indices::UniqueIndex, track::Table};
    ///
    /// let mut rings = Table::with(Arena::new(), UniqueIndex::by(|ring: &u32| *ring));
    /// let wren = rings.insert(17);
    /// rings.modify(wren, |ring| *ring += 1).unwrap();
    /// assert_eq!(rings.observers().get(&18), Some(wren));
    /// # }
    /// ```
    #[doc(alias("get_mut", "update"))]
    pub fn modify<R>(
        &mut self,
        key: C::Key,
        change: impl FnOnce(&mut C::Value) -> R,
    ) -> Result<R, Refusal<C::Key>>
    where
        C: Revert,
    {
        let mut value = self.objects.container.clone_value(key);
        let Some(changed) = &mut value else { return Err(Refusal::Missing { key }) };
        let answer = change(changed);
        self.exchange(key, &mut value)?;
        Ok(answer)
    }
}

/// Lending values for mutation, where no observer looks at them.
impl<C: Track, O: Observer<C>> Table<C, O> {
    /// Returns a key's value for mutation, and counts it as changed; `None` if the key is stale, foreign or
    /// dangling. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut scores = Tracked::new(Arena::new());
    /// let key = scores.insert(1);
    /// *scores.get_mut(key).unwrap() += 1;
    /// assert_eq!(scores[key], 2);
    /// ```
    #[inline]
    pub fn get_mut(&mut self, key: C::Key) -> Option<C::RefMut<'_>>
    where
        O: Blind<C>,
    {
        self.objects.lend(key)
    }

    /// Iterates over keys and mutable values, and counts all of them as changed, whether or not they are. If few are
    /// written, use [`for_each_mut`](Self::for_each_mut). O(live + slots / 64).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut scores = Tracked::new(Arena::from_iter([1, 2]));
    /// scores.iter_mut().for_each(|(_, score)| *score *= 10);
    /// assert!(scores.values().eq(&[10, 20]));
    /// ```
    #[inline]
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (C::Key, C::RefMut<'_>)>
    where
        O: Blind<C>,
    {
        self.objects.touch_all();
        self.objects.container.lend_all_mut()
    }

    /// Passes each key and its value to `each`, in the order of slots, or of places where values are packed. Only the
    /// values that it writes to count as changed. O(slots), or O(live) where values are packed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut scores = Tracked::new(Arena::from_iter([1, 20]));
    /// let mut screen = scores.subscribe();
    /// scores.for_each_mut(|_, mut score| {
    ///     if *score > 10 {
    ///         *score = 10;
    ///     }
    /// });
    /// assert_eq!(scores.poll(&mut screen)?.changed().len(), 1);
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    #[doc(alias("values_mut", "iter_mut"))]
    pub fn for_each_mut(&mut self, mut each: impl FnMut(C::Key, Lent<'_, C>))
    where
        O: Blind<C>,
    {
        let objects = &mut self.objects;
        let (all, container) = (C::PLACED, &objects.container);
        let count = if all { container.placed_count() } else { container.places() };
        for place in 0..count {
            let container = &objects.container;
            let key = if all { container.placed(place) } else { container.key_in(place) };
            if let Some(key) = key {
                each(key, Lent { objects, key });
            }
        }
    }
}

/// A value of a [`Table`], which counts as changed once it is written to: when it is dereferenced mutably, or, where
/// fields lie in columns, by [`get_mut`](Self::get_mut).
///
/// # Examples
/// ```
/// # #[cfg(feature = "columns")] {
/// use larder::{SoaArena, track::Tracked};
///
/// let mut birds = Tracked::new(SoaArena::from_iter([("wren", 9), ("kite", 900)]));
/// birds.for_each_mut(|_, mut bird| {
///     if *bird.get().1 > 100 {
///         *bird.get_mut().1 = 100;
///     }
/// });
/// assert!(birds.values().map(|bird| *bird.1).eq([9, 100]));
/// # }
/// ```
pub struct Lent<'a, C: Track> {
    objects: &'a mut Recorded<C>,
    key: C::Key,
}

impl<C: Track> Lent<'_, C> {
    /// Returns the value, or a reference to each field, for reading. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut sum = 0;
    /// Tracked::new(Arena::from_iter([1, 2])).for_each_mut(|_, number| sum += number.get());
    /// assert_eq!(sum, 3);
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self) -> C::Ref<'_>
    where
        C: ValueContainer,
    {
        self.objects.container.value(self.key).unwrap_or_else(|| unreachable!("{IS_LIVE}"))
    }

    /// Returns the value, or a reference to each field, for mutation: it counts as changed. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut numbers = Tracked::new(Arena::from_iter([1, 2]));
    /// numbers.for_each_mut(|_, mut number| *number.get_mut() += 1);
    /// assert!(numbers.values().eq(&[2, 3]));
    /// ```
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self) -> <C as Track>::RefMut<'_> {
        self.objects.lend(self.key).unwrap_or_else(|| unreachable!("{IS_LIVE}"))
    }
}

const IS_LIVE: &str = "the table is borrowed";

impl<C: Track + Index<<C as Container>::Key>> Deref for Lent<'_, C> {
    type Target = C::Output;

    #[inline]
    fn deref(&self) -> &C::Output {
        &self.objects.container[self.key]
    }
}

impl<C: Track + IndexMut<<C as Container>::Key>> DerefMut for Lent<'_, C> {
    #[inline]
    fn deref_mut(&mut self) -> &mut C::Output {
        self.objects.write(self.key)
    }
}

impl<C: Track> fmt::Debug for Lent<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lent").finish_non_exhaustive()
    }
}

/// Panics if the key has no value, as the container's own; the value counts as changed.
impl<C: Track + IndexMut<<C as Container>::Key>, O: Blind<C>> IndexMut<C::Key> for Table<C, O> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, key: C::Key) -> &mut C::Output {
        self.objects.write(key)
    }
}

impl<C: Track + IndexMut<<C as Container>::Key>> Recorded<C> {
    /// Lends the value of a key, which is recorded. Panics if there is none.
    #[inline]
    #[track_caller]
    fn write(&mut self, key: C::Key) -> &mut C::Output {
        self.history.keep_value(&self.container, key);
        let value = &mut self.container[key];
        self.subscribers.note_slot(key.slot() as usize);
        value
    }
}
