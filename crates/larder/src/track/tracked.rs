//! Containers whose changes are recorded.

#[cfg(feature = "bytemuck")]
use alloc::vec::Vec;
use core::ops::{Deref, Index};
use core::sync::atomic::{AtomicUsize, Ordering};

#[cfg(feature = "bytemuck")]
use bytemuck::Pod;
use core::{fmt, mem};

#[cfg(feature = "bytemuck")]
use super::delta::{self, Publisher, Stream};
use super::error::TrackError;
use super::history::{Checkpoint, History, Step};
use super::subscribers::{Changes, Subscriber, Subscribers};
use super::trackable::{Revert, Track};
use crate::error::{InsertError, TryReserveError};
use crate::explain;
use crate::key::sealed::Compose;
use crate::raw::occupancy::WORD;
use crate::raw::rewind::{Saved, reserve};

/// Tells containers apart, so that what is of one is not taken for another's.
static MADE: AtomicUsize = AtomicUsize::new(0);

/// A container whose changes are recorded: for subscribers, and to be taken back.
///
/// It derefs to the container inside, shared; what changes it goes through the methods here. Without subscribers
/// and checkpoints these cost what the container's own do. See the [module](crate::track) for both, and for the
/// costs.
///
/// # Refused memory and panics
/// To record a change may need memory. Where it is refused the change is made all the same, and what could not be
/// recorded is [lost](TrackError::Lost) as a whole: every checkpoint, or what the subscribers would have been told.
/// If a value's `Clone` panics while it is recorded, the change is not made.
///
/// # Examples
/// ```
/// use larder::{Arena, track::Tracked};
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
    container: A,
    number: usize,
    subscribers: Subscribers<A::Key>,
    history: History<A>,
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
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        Self { container, number, subscribers: Subscribers::new(), history: History::new() }
    }

    /// Returns the container; subscribers and checkpoints are given up. O(checkpoints and what they hold).
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

    /// The value of a slot is about to change.
    #[inline]
    fn touch(&mut self, slot: usize) {
        self.history.keep_slot(&self.container, slot);
        self.subscribers.note(slot / WORD, 1 << (slot % WORD));
    }

    /// The occupant of a slot is about to change.
    #[inline]
    fn touch_moved(&mut self, slot: usize, now: Option<A::Key>) {
        self.history.keep_slot(&self.container, slot);
        self.subscribers.note_moved(slot, now);
    }

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
        match self.try_insert(value) {
            Ok(key) => key,
            Err(error) => explain::refused::<Self>(&error.reason),
        }
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
        match self.prepare_insert() {
            Ok(()) => self.container.put(value),
            Err(reason) => Err(InsertError { value, reason }),
        }
    }

    /// Records that the next free slot is about to be occupied.
    fn prepare_insert(&mut self) -> Result<(), TryReserveError> {
        let slot = self.container.next_slot()?;
        if !self.subscribers.is_empty() {
            self.subscribers.cover(self.container.slot_capacity())?;
        }
        self.touch_moved(slot, None);
        Ok(())
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
        let slot = self.container.find(key)?;
        self.touch_moved(slot, Some(key));
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
        let slot = self.container.find(key)?;
        self.touch(slot);
        self.container.lend_mut(key)
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
        for word in 0..self.container.slots().div_ceil(WORD) {
            let live = self.container.live_bits(word);
            self.history.keep(&self.container, word, live);
            self.subscribers.note(word, live);
        }
        self.container.lend_all_mut()
    }

    /// Removes the values that `keep` refuses, in slot order. O(slots).
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
        for slot in 0..self.container.slots() {
            if let Some(key) = self.container.key_at(slot) {
                if !keep(&self.container, key) {
                    drop(self.remove(key));
                }
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

/// What changed.
impl<A: Track> Tracked<A> {
    /// Adds a subscriber, which is told of changes from here on. O(slots / 64).
    ///
    /// # Panics
    /// If memory is refused.
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
    #[track_caller]
    pub fn subscribe(&mut self) -> Subscriber<A::Key> {
        match self.try_subscribe() {
            Ok(subscriber) => subscriber,
            Err(reason) => explain::refused::<Self>(&reason),
        }
    }

    /// As [`subscribe`](Self::subscribe), but returns an error where memory is refused. O(slots / 64).
    ///
    /// # Errors
    /// If memory is refused; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::<&str>::new());
    /// assert!(birds.try_subscribe().is_ok());
    /// ```
    pub fn try_subscribe(&mut self) -> Result<Subscriber<A::Key>, TryReserveError> {
        let number = self.subscribers.add(self.container.slot_capacity())?;
        Ok(Subscriber::new(self.number, number))
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
        self.subscribers.end(subscriber.number);
        Ok(())
    }

    /// Returns what changed since the subscriber polled last, or since it subscribed. What it was told before
    /// is overwritten. O(changes · log(insertions and removals) + slots / 4,096), and as much for each other
    /// subscriber that has not polled since the last of them did.
    ///
    /// # Errors
    /// If the subscriber is of another container; if memory was refused when a change had to be noted, so that the
    /// whole container has to be read; or if memory is refused now: then the next poll tells it all.
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
        subscriber.read(&self.container, &mut self.subscribers)?;
        Ok(subscriber.changes())
    }

    fn check_owner(&self, owner: usize) -> Result<(), TrackError> {
        if owner == self.number { Ok(()) } else { Err(TrackError::Foreign) }
    }
}

/// Sending what changed.
#[cfg(feature = "bytemuck")]
impl<A: Revert<Value: Pod>> Tracked<A> {
    /// Begins a stream of deltas, the first of which has all that is in the container. The identity tells the streams
    /// of one program apart: a replica refuses deltas of another. O(slots / 64).
    ///
    /// # Errors
    /// If memory is refused.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{Replica, Tracked}};
    ///
    /// let mut ships = Tracked::new(Arena::from_iter([1_u32, 2]));
    /// let mut publisher = ships.publish(7)?;
    /// let mut replica = Replica::new(Arena::<u32>::new());
    /// replica.apply(&ships.delta(&mut publisher)?)?;
    /// assert_eq!(*replica, *ships);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn publish(&mut self, identity: u64) -> Result<Publisher, TryReserveError> {
        let slots = self.container.slot_capacity().max(self.container.slots());
        let number = self.subscribers.add_anew(slots)?;
        Ok(Publisher { owner: self.number, number, state: Stream::new(identity) })
    }

    /// Returns what changed since the publisher's last delta, as bytes. O(changes + slots / 4,096), and with another
    /// [order of reuse](crate::Reuse) than the packed one O(free slots).
    ///
    /// # Errors
    /// If the publisher is of another container; if memory was refused when a change had to be noted: then another
    /// stream has to be [begun](Self::publish); or if memory is refused now: then the next delta has it all.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{TrackError, Tracked}};
    ///
    /// let mut ships = Tracked::new(Arena::from_iter(0..1_000_u32));
    /// let mut publisher = ships.publish(7)?;
    /// let all = ships.delta(&mut publisher)?;
    /// let key = ships.keys().next().unwrap();
    /// *ships.get_mut(key).unwrap() += 1;
    /// let one = ships.delta(&mut publisher)?;
    /// assert!(all.len() > 20_000 && one.len() < 200);
    /// # Ok::<(), TrackError>(())
    /// ```
    pub fn delta(&mut self, publisher: &mut Publisher) -> Result<Vec<u8>, TrackError> {
        self.check_owner(publisher.owner)?;
        delta::write(&self.container, &mut self.subscribers, publisher)
    }
}

/// Going back.
impl<A: Track> Tracked<A> {
    /// Returns a moment that [`rollback`](Self::rollback) can go back to. No value is copied: the first change of a
    /// slot after it clones what is there. O(slots that changed since the last checkpoint / 64 + slots / 4,096), and
    /// with another [order of reuse](crate::Reuse) than the packed one O(free slots).
    ///
    /// # Panics
    /// If memory is refused.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::new());
    /// let empty = birds.checkpoint();
    /// birds.insert("wren");
    /// birds.rollback(empty)?;
    /// assert!(birds.is_empty());
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    #[track_caller]
    pub fn checkpoint(&mut self) -> Checkpoint
    where
        A: Revert,
    {
        match self.try_checkpoint() {
            Ok(checkpoint) => checkpoint,
            Err(reason) => explain::refused::<Self>(&reason),
        }
    }

    /// As [`checkpoint`](Self::checkpoint), but returns an error where memory is refused.
    ///
    /// # Errors
    /// If memory is refused; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::<&str>::new());
    /// let empty = birds.try_checkpoint()?;
    /// # let _ = empty;
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    pub fn try_checkpoint(&mut self) -> Result<Checkpoint, TryReserveError>
    where
        A: Revert,
    {
        let number = self.history.begin(&self.container)?;
        Ok(Checkpoint { owner: self.number, number })
    }

    /// Puts the container back to what it was at a checkpoint: values, keys, generations, and the order in which free
    /// slots are used. So the same calls return the same keys again. **Keys made since are dead until then, and then
    /// belong to other values.** Checkpoints made since are gone; this one stays, and can be returned to again.
    /// O(slots that changed since).
    ///
    /// Subscribers are told of what changes by it as of any other change.
    ///
    /// # Errors
    /// If the checkpoint is of another container or gone, if memory was refused when a change had to be recorded, or
    /// is refused now. Nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{TrackError, Tracked}};
    ///
    /// let mut ships = Tracked::new(Arena::new());
    /// let a = ships.insert(1);
    /// let first = ships.checkpoint();
    /// let b = ships.insert(2);
    /// let second = ships.checkpoint();
    /// ships.remove(a);
    ///
    /// ships.rollback(first)?;
    /// assert_eq!((ships.get(a), ships.get(b)), (Some(&1), None));
    /// assert_eq!(ships.rollback(second), Err(TrackError::Gone));
    /// assert_eq!(ships.insert(3), b); // the same key again
    /// # Ok::<(), TrackError>(())
    /// ```
    pub fn rollback(&mut self, to: Checkpoint) -> Result<(), TrackError> {
        self.check_owner(to.owner)?;
        let step = self.history.find(to.number)?;
        self.history.pause();
        if let Err(reason) = self.go_back(step) {
            self.history.resume();
            return Err(reason.into());
        }
        self.history.went_back(step);
        Ok(())
    }

    /// Puts the container back, one step after the other.
    fn go_back(&mut self, step: usize) -> Result<(), TryReserveError> {
        self.history.prepare(step, self.container.slots())?;
        for step in self.history.steps.range_mut(step..).rev() {
            note_return(&mut self.subscribers, &self.container, step);
            self.container.exchange(&mut step.records, Some(&step.order))?;
        }
        Ok(())
    }

    /// Takes back what was done since the latest checkpoint, so that the values are what they were, and the
    /// checkpoint is gone: [`redo`](Self::redo) brings both back. Says whether there was a checkpoint.
    /// O(slots that changed since), and with another [order of reuse](crate::Reuse) than the packed one O(slots).
    ///
    /// Unlike after a [`rollback`](Self::rollback), generations count on: **keys made since stay dead for good**, unless
    /// they are redone; what is inserted next has a key that was never issued. Keys of removed values are valid again.
    /// Free slots are used in another order than they would have been. (Keys without generations cannot
    /// be told apart, here as anywhere.)
    ///
    /// Changing anything, and a checkpoint, forget what could be redone.
    ///
    /// # Errors
    /// If memory is refused; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut shapes = Tracked::new(Arena::new());
    /// shapes.checkpoint();
    /// let circle = shapes.insert("circle");
    ///
    /// assert!(shapes.undo()?);
    /// assert_eq!(shapes.get(circle), None);
    /// assert!(shapes.redo()?);
    /// assert_eq!(shapes.get(circle), Some(&"circle"));
    ///
    /// assert!(shapes.undo()?);
    /// let square = shapes.insert("square"); // in the same slot
    /// assert_eq!((shapes.get(circle), shapes.get(square)), (None, Some(&"square")));
    /// assert_eq!((shapes.redo()?, shapes.undo()?), (false, false));
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    pub fn undo(&mut self) -> Result<bool, TrackError> {
        if self.history.steps.is_empty() {
            return Ok(false);
        }
        self.history.pause();
        let undone = self.step_over(|history| history.steps.back_mut());
        if undone.is_ok() {
            self.history.undone.extend(self.history.steps.pop_back());
        }
        self.history.resume();
        Ok(undone.map(|()| true)?)
    }

    /// Does again what was undone last, and brings back its checkpoint; says whether there was anything. Keys that were
    /// made by it are valid again. O(slots that it changes), and with another [order of reuse](crate::Reuse) than
    /// the packed one O(slots).
    ///
    /// # Errors
    /// If memory is refused; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut words = Tracked::new(Arena::new());
    /// for word in ["to", "be"] {
    ///     words.checkpoint();
    ///     words.insert(word);
    /// }
    /// while words.undo()? {}
    /// assert!(words.redo()?);
    /// assert!(words.values().eq(&["to"]));
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    pub fn redo(&mut self) -> Result<bool, TrackError> {
        if self.history.undone.is_empty() {
            return Ok(false);
        }
        self.history.pause();
        let redone = self.step_over(|history| history.undone.last_mut());
        if redone.is_ok() {
            self.history.steps.extend(self.history.undone.pop());
        }
        self.history.resume();
        Ok(redone.map(|()| true)?)
    }

    /// Exchanges what the container is with what a step says, but for generations, which count on.
    fn step_over(
        &mut self,
        step: impl FnOnce(&mut History<A>) -> Option<&mut Step<A>>,
    ) -> Result<(), TryReserveError> {
        reserve(&mut self.history.undone, 1)?;
        let mut spent = mem::take(&mut self.history.spent);
        let done = step(&mut self.history).map_or(Ok(()), |step| {
            spent.count_on(&self.container, step)?;
            note_return(&mut self.subscribers, &self.container, step);
            self.container.exchange(&mut step.records, None).map(|_| ())
        });
        self.history.spent = spent;
        done
    }

    /// Forgets the checkpoints before this one, and frees what they hold. O(what that is).
    ///
    /// # Errors
    /// If the checkpoint is of another container or gone; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{TrackError, Tracked}};
    ///
    /// let mut ships = Tracked::new(Arena::<u8>::new());
    /// let [first, second] = [ships.checkpoint(), ships.checkpoint()];
    /// ships.forget(second)?;
    /// assert_eq!(ships.rollback(first), Err(TrackError::Gone));
    /// assert_eq!(ships.rollback(second), Ok(()));
    /// # Ok::<(), TrackError>(())
    /// ```
    pub fn forget(&mut self, older_than: Checkpoint) -> Result<(), TrackError> {
        self.check_owner(older_than.owner)?;
        let step = self.history.find(older_than.number)?;
        self.history.forget(step);
        Ok(())
    }

    /// Forgets every checkpoint, so that nothing more is recorded until the next. O(what they hold).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{TrackError, Tracked}};
    ///
    /// let mut ships = Tracked::new(Arena::<u8>::new());
    /// let first = ships.checkpoint();
    /// ships.forget_all();
    /// assert_eq!(ships.rollback(first), Err(TrackError::Gone));
    /// ```
    pub fn forget_all(&mut self) {
        self.history.forget(self.history.steps.len());
        self.history.forget_undone();
    }
}

/// Tells subscribers what putting slots back changes.
fn note_return<A: Track>(subscribers: &mut Subscribers<A::Key>, container: &A, step: &Step<A>) {
    if subscribers.is_empty() {
        return;
    }
    for record in &step.records {
        let slot = record.slot as usize;
        let now = container.key_at(slot);
        let then = match &record.saved {
            Saved::Live(generation, _) => Some(A::Key::compose(record.slot, *generation)),
            _ => None,
        };
        if now == then {
            subscribers.note(slot / WORD, 1 << (slot % WORD));
        } else {
            subscribers.note_moved(slot, now);
        }
    }
    for slot in step.order.slots as usize..container.slots() {
        if let Some(now) = container.key_at(slot) {
            subscribers.note_moved(slot, Some(now));
        }
    }
}

impl<A: Track> Deref for Tracked<A> {
    type Target = A;

    #[inline]
    fn deref(&self) -> &A {
        &self.container
    }
}

/// Panics if the key has no value, as the container's own.
impl<A: Track + Index<A::Key>> Index<A::Key> for Tracked<A> {
    type Output = A::Output;

    #[inline]
    #[track_caller]
    fn index(&self, key: A::Key) -> &A::Output {
        &self.container[key]
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
