//! Containers whose changes are recorded.

use core::fmt;
use core::ops::Index;

use super::TrackError;
use super::history::History;
use super::subscribers::{Changes, Subscriber, Subscribers};
use super::trackable::{Insert, Track};
use crate::containers::container::{Container, RowContainer};
use crate::error::{InsertError, ReattachError, TryReserveError};
use crate::explain;
use crate::key::Key;
use crate::macros::derefs;
use crate::raw::past::next_owner;

/// A container whose changes are recorded, for subscribers and to be reverted.
///
/// It derefs to the container inside, for reading; all changes go through the methods here. Without
/// subscribers and checkpoints these cost what the container's own do. See the [module](crate::track) for
/// both, and for the costs.
///
/// # Refused memory and panics
/// Recording a change may need memory. If it is refused, the change is made nevertheless, and the records are
/// [lost](TrackError::Lost) as a whole: every checkpoint, or what the subscribers would have been told. If a
/// value's `Clone` panics while it is recorded, the change is not made.
///
/// It is invariant in `A`, since it records values by the `Clone` that they had when a checkpoint was made.
///
/// # Examples
/// ```
/// use larder::{Arena, track::{Reversible, Tracked}};
///
/// let mut numbers = Tracked::new(Arena::new());
/// let [a, b] = [1, 2].map(|number| numbers.insert(number));
/// let before = numbers.checkpoint();
/// numbers.remove(a);
/// *numbers.get_mut(b).unwrap() += 10;
/// numbers.rollback(before)?;
/// assert_eq!((numbers[a], numbers[b], numbers.len()), (1, 2, 2));
/// # Ok::<(), larder::track::TrackError>(())
/// ```
#[doc(alias("change tracking", "dirty flags", "observer", "undo", "snapshot", "transaction"))]
pub struct Tracked<A: Track> {
    pub(super) container: A,
    pub(super) number: usize,
    pub(super) subscribers: Subscribers<A::Key>,
    pub(super) history: History<A>,
}

impl<A: Track> Tracked<A> {
    /// Begins to record the changes of a container. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::from_iter(["wren"]));
    /// birds.insert("kite");
    /// assert_eq!(birds.len(), 2);
    /// ```
    #[must_use]
    pub fn new(container: A) -> Self {
        Self {
            container,
            number: next_owner(),
            subscribers: Subscribers::new(),
            history: History::new(),
        }
    }

    /// Returns the container. Discards subscribers, checkpoints and the record of [undone](super::Reversible::undo) keys,
    /// which the container may issue again. O(checkpoints and what they hold).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let birds = Tracked::new(Arena::from_iter(["wren"])).into_inner();
    /// assert_eq!(birds.len(), 1);
    /// ```
    #[must_use]
    pub fn into_inner(self) -> A {
        self.container
    }

    /// Whether no change of a slot has to be recorded.
    #[inline]
    const fn is_idle(&self) -> bool {
        self.history.is_idle() && self.subscribers.is_empty()
    }

    /// The value of a slot is about to change.
    #[inline]
    pub(super) fn touch(&mut self, slot: usize) {
        self.history.keep_slot(&self.container, slot);
        self.subscribers.note_slot(slot);
    }

    /// The occupant of a slot is about to change.
    #[inline]
    pub(super) fn touch_moved(&mut self, slot: usize, now: Option<A::Key>) {
        self.history.keep_slot(&self.container, slot);
        self.subscribers.note_moved(slot, now);
    }

    /// A value is about to be taken out: the slot of its key.
    fn prepare_take(&mut self, key: A::Key) -> Option<usize> {
        let slot = self.container.source(key).map(|_| key.slot() as usize)?;
        if let Some(moved) = self.container.moves_with(slot) {
            self.touch(moved);
        }
        self.touch_moved(slot, Some(key));
        Some(slot)
    }

    /// Removes a key's value and returns it; `None` if the key is stale, foreign or dangling. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::new());
    /// let wren = birds.insert("wren");
    /// assert_eq!((birds.remove(wren), birds.remove(wren)), (Some("wren"), None));
    /// ```
    pub fn remove(&mut self, key: A::Key) -> Option<A::Value> {
        if self.is_idle() && self.history.spent.is_empty() {
            return self.container.take(key);
        }
        let slot = self.prepare_take(key)?;
        let value = self.container.take(key);
        self.history.spent.pass_over(&mut self.container, slot);
        value
    }

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
    pub fn get_mut(&mut self, key: A::Key) -> Option<A::RefMut<'_>> {
        let keep = |source: &A::Source| self.history.keep_source(key, source);
        let value = self.container.lend_kept(key, keep)?;
        self.subscribers.note_slot(key.slot() as usize);
        Some(value)
    }

    /// Iterates over keys and mutable values, and counts all of them as changed, whether or not they are. For a few
    /// of many, find their keys and use [`get_mut`](Self::get_mut). O(live + slots / 64).
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
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (A::Key, A::RefMut<'_>)> {
        for (word, live) in self.container.live_words() {
            // (Side data may have room for more slots than subscribers have heard of.)
            if live != 0 {
                self.history.keep(&self.container, word, live);
                self.subscribers.note(word, live);
            }
        }
        self.container.lend_all_mut()
    }

    /// Removes the values that `keep` refuses, in slot order; those of a `SparseSecondaryMap` in the order of
    /// a walk, but that the last one comes next where one is removed. O(slots), or O(entries).
    ///
    /// If `keep`, or the `Drop` of a value panics, what came before is done, and the rest stays.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut scores = Tracked::new(Arena::from_iter([1, 2, 3]));
    /// scores.retain(|scores, key| scores[key] != 2);
    /// assert!(scores.values().eq(&[1, 3]));
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(&A, A::Key) -> bool) {
        let mut place = 0;
        while place < self.container.places() {
            // (What is removed leaves its place empty, or to the last value.)
            match self.container.key_in(place).filter(|&key| !keep(&self.container, key)) {
                Some(key) => drop(self.remove(key)),
                None => place += 1,
            }
        }
    }

    /// Removes every value. O(slots).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut scores = Tracked::new(Arena::from_iter([1, 2, 3]));
    /// scores.clear();
    /// assert!(scores.is_empty());
    /// ```
    pub fn clear(&mut self) {
        self.retain(|_, _| false);
    }
}

/// Adding values.
impl<A: Insert> Tracked<A> {
    /// Adds a value and returns its key, as the container's own `insert`. O(1) amortised.
    ///
    /// # Panics
    /// If there is no room.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::new());
    /// let wren = birds.insert("wren");
    /// assert_eq!(birds[wren], "wren");
    /// ```
    #[track_caller]
    pub fn insert(&mut self, value: A::Value) -> A::Key {
        explain::granted::<Self, _>(self.try_insert(value).map_err(|error| error.reason))
    }

    /// As [`insert`](Self::insert), but returns an error where there is no room. O(1) amortised.
    ///
    /// # Errors
    /// If there is no room, or memory to note the change; nothing has changed, and the value is given back.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::fixed(1));
    /// birds.insert("wren");
    /// assert_eq!(birds.try_insert("kite").unwrap_err().value, "kite");
    /// ```
    pub fn try_insert(&mut self, value: A::Value) -> Result<A::Key, InsertError<A::Value>> {
        if !self.is_idle() {
            if let Err(reason) = self.prepare_insert() {
                return Err(InsertError { value, reason });
            }
        }
        self.container.put(value)
    }

    /// Records that the next free slot is about to be occupied.
    fn prepare_insert(&mut self) -> Result<(), TryReserveError> {
        let key = self.container.next_key()?;
        self.cover()?;
        self.touch_moved(key.slot() as usize, None);
        Ok(())
    }

    /// Moves a value out and keeps its slot, so that [`reattach`](Self::reattach) can put one back under the
    /// same key; `None` if the key is stale, foreign or dangling. O(1).
    ///
    /// # Panics
    /// If allocation fails; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{Reversible, Tracked}};
    ///
    /// let mut birds = Tracked::new(Arena::new());
    /// let wren = birds.insert("wren");
    /// let before = birds.checkpoint();
    /// assert_eq!(birds.detach(wren), Some("wren"));
    /// birds.reattach(wren, "wren, ringed")?;
    /// birds.rollback(before)?;
    /// assert_eq!(birds[wren], "wren");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn detach(&mut self, key: A::Key) -> Option<A::Value> {
        self.container.source(key)?;
        explain::granted::<Self, _>(self.container.prepare_detach());
        self.prepare_take(key)?;
        explain::granted::<Self, _>(self.container.try_detach(key))
    }

    /// Puts a value back under its detached key. O(1).
    ///
    /// # Errors
    /// If the key is not detached: the value is given back.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::new());
    /// let wren = birds.insert("wren");
    /// assert_eq!(birds.reattach(wren, "kite").unwrap_err().value, "kite");
    /// let bird = birds.detach(wren).unwrap();
    /// assert_eq!((birds.len(), birds.reattach(wren, bird).is_ok()), (0, true));
    /// ```
    pub fn reattach(
        &mut self,
        key: A::Key,
        value: A::Value,
    ) -> Result<(), ReattachError<A::Value>> {
        match self.container.find_detached(key) {
            Some(slot) => self.touch_moved(slot, None),
            None => return Err(ReattachError { value }),
        }
        self.container.reattach(key, value)
    }
}

/// What changed.
impl<A: Track> Tracked<A> {
    /// Adds a subscriber, which is told of changes from here on. (Where allocation fails, its first
    /// [`poll`](Self::poll) says so.) O(slots / 64).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::from_iter(["wren"]));
    /// let mut screen = birds.subscribe();
    /// assert!(birds.poll(&mut screen)?.is_empty());
    /// let kite = birds.insert("kite");
    /// assert_eq!(birds.poll(&mut screen)?.inserted(), [kite]);
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    #[must_use]
    pub fn subscribe(&mut self) -> Subscriber<A::Key> {
        Subscriber::new(self.number, self.subscribers.add(self.container.slot_bound()).ok())
    }

    /// Ends a subscription, so that nothing is recorded for it any more. O(1).
    ///
    /// # Errors
    /// If the subscriber is of another container.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::<&str>::new());
    /// let screen = birds.subscribe();
    /// birds.unsubscribe(screen)?;
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    pub fn unsubscribe(&mut self, subscriber: Subscriber<A::Key>) -> Result<(), TrackError> {
        self.check_owner(subscriber.owner)?;
        subscriber.number.into_iter().for_each(|number| self.subscribers.end(number));
        Ok(())
    }

    /// Returns what changed since the subscriber polled last, or since it subscribed. What it was told before
    /// is overwritten. O(changes · log(insertions and removals) + slots / 4,096), and as much for each other
    /// subscriber that has not polled since the last of them did.
    ///
    /// # Errors
    /// If the subscriber is of another container; if memory was refused when a change had to be noted, so that the
    /// whole container has to be read; or if allocation fails now: then the next poll tells it all.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{TrackError, Tracked}};
    ///
    /// let mut birds = Tracked::new(Arena::new());
    /// let [wren, kite] = ["wren", "kite"].map(|bird| birds.insert(bird));
    /// let mut screen = birds.subscribe();
    /// *birds.get_mut(kite).unwrap() = "red kite";
    /// birds.remove(wren);
    /// let robin = birds.insert("robin"); // in the wren's slot
    ///
    /// let changes = birds.poll(&mut screen)?;
    /// assert_eq!(changes.removed(), [wren]);
    /// assert_eq!(changes.inserted(), [robin]);
    /// assert_eq!(changes.changed(), [kite]);
    ///
    /// let mut others = Tracked::new(Arena::<&str>::new());
    /// assert_eq!(others.poll(&mut screen).unwrap_err(), TrackError::Foreign);
    /// # Ok::<(), TrackError>(())
    /// ```
    pub fn poll<'s>(
        &mut self,
        subscriber: &'s mut Subscriber<A::Key>,
    ) -> Result<Changes<'s, A::Key>, TrackError> {
        self.check_owner(subscriber.owner)?;
        if subscriber.number.is_none() {
            subscriber.number = Some(self.subscribers.add(self.container.slot_bound())?);
            return Err(TrackError::Lost);
        }
        subscriber.read(&self.container, &mut self.subscribers)?;
        Ok(subscriber.changes())
    }

    /// Makes room to tell subscribers of any slot that there is room for.
    pub(super) fn cover(&mut self) -> Result<(), TryReserveError> {
        if self.subscribers.is_empty() {
            return Ok(());
        }
        self.subscribers.cover(self.container.slot_capacity())
    }

    pub(super) fn check_owner(&self, owner: usize) -> Result<(), TrackError> {
        if owner == self.number { Ok(()) } else { Err(TrackError::Foreign) }
    }
}

derefs!([A: Track] Tracked<A>, container: A);

/// Panics if the key has no value, as the container's own.
impl<A: Track + Index<A::Key>> Index<A::Key> for Tracked<A> {
    type Output = A::Output;

    #[inline]
    #[track_caller]
    fn index(&self, key: A::Key) -> &A::Output {
        &self.container[key]
    }
}

/// So that links in tracked objects can be edited, too, and whatever else takes any container.
impl<A: Track> Container for Tracked<A> {
    type Key = A::Key;
    type Removed = A::Value;

    #[inline]
    fn contains_key(&self, key: A::Key) -> bool {
        self.container.source(key).is_some()
    }

    fn remove(&mut self, key: A::Key) -> Option<A::Value> {
        self.remove(key)
    }
}

impl<A> RowContainer for Tracked<A>
where
    A: Insert + RowContainer<Key = <A as Track>::Key, Value = <A as Track>::Value>,
{
    type Value = <A as Track>::Value;

    #[inline]
    fn get(&self, key: <A as Track>::Key) -> Option<&Self::Value> {
        self.container.get(key)
    }

    #[inline]
    fn get_mut(&mut self, key: <A as Track>::Key) -> Option<&mut Self::Value> {
        self.history.keep_value(&self.container, key);
        let value = self.container.get_mut(key)?;
        self.subscribers.note_slot(key.slot() as usize);
        Some(value)
    }

    fn next_key(&mut self) -> Result<<A as Track>::Key, TryReserveError> {
        Insert::next_key(&mut self.container)
    }

    fn try_insert(
        &mut self,
        value: Self::Value,
    ) -> Result<<A as Track>::Key, InsertError<Self::Value>> {
        self.try_insert(value)
    }

    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.container.try_reserve(additional)
    }

    fn iter(&self) -> impl Iterator<Item = (<A as Track>::Key, &Self::Value)> {
        self.container.iter()
    }
}

impl<A: Track + fmt::Debug> fmt::Debug for Tracked<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.container.fmt(f)
    }
}

impl<A: Track + Default> Default for Tracked<A> {
    fn default() -> Self {
        Self::new(A::default())
    }
}
