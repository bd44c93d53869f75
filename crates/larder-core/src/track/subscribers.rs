//! The changes since each subscriber last asked.
//!
//! A change marks its slot in `recent`, which is shared; what is there is handed to all subscribers when one
//! of them asks. So a write costs the same for any number of them, and one that never asks takes two bits a
//! slot, and an entry for each slot whose occupant was another when it last asked.

use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use super::TrackError;
use super::trackable::Track;
use crate::containers::container::Container;
use crate::error::{Refusal, TryReserveError};
use crate::key::Key;
use crate::memory::bits::WORD;
use crate::raw::marks::Marks;
use crate::room::reserve;

/// The changes since some moment.
struct Pending<K> {
    /// Slots with any change.
    changed: Marks,
    /// Slots with an entry in `before`.
    moved: Marks,
    /// Slots, each with the key that it had then.
    before: Vec<(u32, Option<K>)>,
    /// True if allocation failed, so that something is missing.
    lost: bool,
}

impl<K: Key> Pending<K> {
    const fn new() -> Self {
        Self { changed: Marks::new(), moved: Marks::new(), before: Vec::new(), lost: false }
    }

    fn cover(&mut self, slots: usize) -> Result<(), TryReserveError> {
        if slots > 0 && !self.changed.covers(slots - 1) {
            self.moved.resize(slots)?;
            self.changed.resize(slots)?;
        }
        Ok(())
    }

    fn note_moved(&mut self, slot: usize, before: Option<K>) {
        if self.moved.contains(slot) {
            return;
        }
        if reserve(&mut self.before, 1).is_err() {
            self.lost = true;
            return;
        }
        self.moved.insert(slot);
        self.before.push((slot as u32, before));
    }

    fn clear(&mut self) {
        self.changed.clear();
        self.moved.clear();
        self.before.clear();
        self.lost = false;
    }

    /// Makes room for later changes.
    fn make_room(&mut self, later: &Self) -> Result<(), TryReserveError> {
        self.cover(later.changed.covered())?;
        reserve(&mut self.before, later.before.len())
    }

    /// Adds later changes, for which there is room.
    fn add(&mut self, later: &Self) {
        self.lost |= later.lost;
        if self.lost {
            return;
        }
        for word in later.changed.present_words() {
            self.changed.insert_all(word, later.changed.word(word));
        }
        later.before.iter().for_each(|&(slot, before)| self.note_moved(slot as usize, before));
    }
}

/// Returns the number of slots that marks should cover when they have to cover this one: up to twice as many, so that
/// they seldom grow.
#[inline]
pub(super) fn room_for(slot: usize) -> usize {
    (slot + 1).checked_next_power_of_two().unwrap_or(usize::MAX)
}

/// Sorts numbers. (A function of its own, so that sorting is compiled once, and not for each type of key.)
#[inline(never)]
fn sort(numbers: &mut [u64]) {
    numbers.sort_unstable();
}

/// All subscribers of a container.
pub(super) struct Subscribers<K> {
    recent: Pending<K>,
    /// The subscribers by their numbers; `None` after a subscription has ended.
    each: Vec<Option<Pending<K>>>,
    count: usize,
}

impl<K: Key> Subscribers<K> {
    pub(super) const fn new() -> Self {
        Self { recent: Pending::new(), each: Vec::new(), count: 0 }
    }

    /// Returns whether there are none, so that nothing has to be noted.
    #[inline]
    pub(super) const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Makes room to note changes of `slots` slots.
    #[inline]
    pub(super) fn cover(&mut self, slots: usize) -> Result<(), TryReserveError> {
        self.recent.cover(slots)
    }

    /// Makes room to note changes of any slot up to one.
    pub(super) fn cover_slot(&mut self, slot: usize) -> Result<(), TryReserveError> {
        if self.count == 0 || self.recent.changed.covers(slot) {
            return Ok(());
        }
        self.cover(room_for(slot))
    }

    /// Slots of a word have changed.
    #[inline]
    pub(super) fn note(&mut self, word: usize, slots: u64) {
        if self.count > 0 {
            self.recent.changed.insert_all(word, slots);
        }
    }

    /// A slot has changed.
    #[inline]
    pub(super) fn note_slot(&mut self, slot: usize) {
        self.note(slot / WORD, 1 << (slot % WORD));
    }

    /// A slot is about to have another occupant than this one.
    pub(super) fn note_moved(&mut self, slot: usize, before: Option<K>) {
        if self.count > 0 {
            self.recent.changed.insert_all(slot / WORD, 1 << (slot % WORD));
            self.recent.note_moved(slot, before);
        }
    }

    /// Adds a subscriber and returns its number.
    pub(super) fn add(&mut self, slots: usize) -> Result<u32, TryReserveError> {
        self.cover(slots)?;
        let number = match self.each.iter().position(Option::is_none) {
            Some(number) => number,
            None => {
                reserve(&mut self.each, 1)?;
                self.each.push(None);
                self.each.len() - 1
            }
        };
        self.hand_out()?;
        self.each[number] = Some(Pending::new());
        self.count += 1;
        Ok(number as u32)
    }

    /// Adds a subscriber that has yet to be told of the slots in `words`, and returns its number.
    #[cfg(feature = "snapshot")]
    pub(super) fn add_anew(
        &mut self,
        slots: usize,
        words: impl Iterator<Item = (usize, u64)>,
    ) -> Result<u32, TryReserveError> {
        let mut pending = Pending::new();
        pending.cover(slots)?;
        words.for_each(|(word, slots)| pending.changed.insert_all(word, slots));
        let number = self.add(slots)?;
        self.each[number as usize] = Some(pending);
        Ok(number)
    }

    /// Adds a subscriber that has been told what `other` has been told, and returns its number.
    #[cfg(feature = "snapshot")]
    pub(super) fn add_like(&mut self, other: u32) -> Result<u32, TrackError> {
        let mut copy = Pending::new();
        self.changed_slots(other)?;
        if let Some(pending) = &self.each[other as usize] {
            copy.make_room(pending)?;
            copy.add(pending);
        }
        let number = self.add(self.recent.changed.covered())?;
        self.each[number as usize] = Some(copy);
        Ok(number)
    }

    /// The slots that changed since a subscriber was told.
    #[cfg(feature = "snapshot")]
    pub(super) fn changed_slots(&mut self, number: u32) -> Result<&Marks, TrackError> {
        self.hand_out()?;
        match self.each.get(number as usize) {
            Some(Some(pending)) if pending.lost => Err(TrackError::Lost),
            Some(Some(pending)) => Ok(&pending.changed),
            _ => Err(TrackError::Gone),
        }
    }

    /// A subscriber was told.
    #[cfg(feature = "snapshot")]
    pub(super) fn told(&mut self, number: u32) {
        self.each.get_mut(number as usize).into_iter().flatten().for_each(Pending::clear);
    }

    pub(super) fn end(&mut self, number: u32) {
        if let Some(pending) = self.each.get_mut(number as usize) {
            self.count -= usize::from(pending.take().is_some());
        }
    }

    /// Hands the recent changes to all subscribers, or to none if allocation fails: then they stay recent.
    fn hand_out(&mut self) -> Result<(), TryReserveError> {
        let Self { recent, each, .. } = self;
        let mut others = each.iter_mut().flatten();
        if let (Some(only), None) = (others.next(), others.next()) {
            if only.changed.len() == 0 && !only.lost {
                only.cover(recent.changed.covered())?;
                mem::swap(only, recent);
                return Ok(());
            }
        }
        for pending in each.iter_mut().flatten().filter(|pending| !pending.lost) {
            pending.make_room(recent)?;
        }
        each.iter_mut().flatten().for_each(|pending| pending.add(recent));
        recent.clear();
        Ok(())
    }
}

/// A recipient of the changes of a [`Table`](super::Table) since it last polled. Made by
/// [`subscribe`](super::Tracked::subscribe), and passed to [`poll`](super::Tracked::poll).
///
/// A subscriber that is dropped without [`unsubscribe`](super::Tracked::unsubscribe) costs as much as one
/// that never polls: two bits per slot, and about 16 bytes for each slot whose occupant has changed.
///
/// # Examples
/// ```
/// use larder::{Arena, Handle, track::{Subscriber, Tracked}};
///
/// struct Screen {
///     changes: Subscriber<Handle<&'static str>>,
/// }
/// let mut birds = Tracked::new(Arena::new());
/// let mut screen = Screen { changes: birds.subscribe() };
/// birds.insert("wren");
/// assert_eq!(birds.poll(&mut screen.changes)?.inserted().len(), 1);
/// assert!(birds.poll(&mut screen.changes)?.is_empty());
/// # Ok::<(), larder::track::TrackError>(())
/// ```
#[derive(Debug)]
pub struct Subscriber<K> {
    pub(super) owner: usize,
    /// `None` if allocation failed when it subscribed.
    pub(super) number: Option<u32>,
    inserted: Vec<K>,
    removed: Vec<K>,
    changed: Vec<K>,
    /// The places of the values that were inserted or changed, in ascending order.
    written: Vec<u32>,
    /// Slots in ascending order, each with the position of its entry, as one number. Of no use between calls.
    moved: Vec<u64>,
}

impl<K: Key> Subscriber<K> {
    pub(super) const fn new(owner: usize, number: Option<u32>) -> Self {
        Self {
            owner,
            number,
            inserted: Vec::new(),
            removed: Vec::new(),
            changed: Vec::new(),
            written: Vec::new(),
            moved: Vec::new(),
        }
    }

    /// Reads what changed since the last time, and has that begin now.
    pub(super) fn read<A: Track<Key = K>>(
        &mut self,
        container: &A,
        all: &mut Subscribers<K>,
    ) -> Result<(), TrackError> {
        for list in [&mut self.inserted, &mut self.removed, &mut self.changed] {
            list.clear();
        }
        self.written.clear();
        self.moved.clear();
        all.hand_out()?;
        let pending = self.number.and_then(|number| all.each.get_mut(number as usize)?.as_mut());
        let Some(pending) = pending else { return Err(TrackError::Gone) };
        if pending.lost {
            pending.clear();
            return Err(TrackError::Lost);
        }
        let (any, moved) = (pending.changed.len(), pending.before.len());
        for list in [&mut self.inserted, &mut self.removed] {
            reserve(list, moved)?;
        }
        reserve(&mut self.changed, any)?;
        reserve(&mut self.written, any)?;
        reserve(&mut self.moved, moved)?;
        for (at, &(slot, _)) in pending.before.iter().enumerate() {
            self.moved.push(u64::from(slot) << 32 | at as u64);
        }
        sort(&mut self.moved);
        let mut moved = self.moved.iter().peekable();
        for slot in pending.changed.slots() {
            let now = container.key_at(slot);
            let before = moved.next_if(|&&entry| (entry >> 32) as usize == slot);
            let then = before.map_or(now, |&entry| pending.before[entry as u32 as usize].1);
            if then == now {
                self.changed.extend(now);
            } else {
                self.removed.extend(then);
                self.inserted.extend(now);
            }
            self.written.extend(now.map(|_| container.place_of(slot) as u32));
        }
        if A::PLACED {
            self.written.sort_unstable();
        }
        pending.clear();
        Ok(())
    }

    pub(super) fn changes(&self) -> Changes<'_, K> {
        Changes {
            inserted: &self.inserted,
            removed: &self.removed,
            changed: &self.changed,
            written: &self.written,
        }
    }
}

/// The changes between two calls of [`poll`](super::Tracked::poll): the net difference, each key once, in slot order.
///
/// A value that was inserted and removed in between is not reported; a value that was removed, and restored by a
/// [rollback](super::Reversible::rollback), is reported as changed.
///
/// # Examples
/// ```
/// use larder::{Arena, SecondaryMap, track::Tracked};
///
/// let mut birds = Tracked::new(Arena::new());
/// let mut lengths = SecondaryMap::new();
/// let mut subscriber = birds.subscribe();
/// birds.insert("wren");
///
/// let changes = birds.poll(&mut subscriber)?;
/// changes.removed().iter().for_each(|&key| drop(lengths.remove(key)));
/// for &key in changes.inserted().iter().chain(changes.changed()) {
///     lengths.insert(key, birds[key].len());
/// }
/// assert!(lengths.values().eq(&[4]));
/// # Ok::<(), larder::track::TrackError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Changes<'a, K> {
    inserted: &'a [K],
    removed: &'a [K],
    changed: &'a [K],
    written: &'a [u32],
}

impl<'a, K> Changes<'a, K> {
    /// Returns the keys that have a value now, and had none. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut scores = Tracked::new(Arena::from_iter([1, 2]));
    /// let keys: Vec<_> = scores.keys().collect();
    /// let mut subscriber = scores.subscribe();
    /// let key = scores.insert(3);
    /// assert_eq!(scores.poll(&mut subscriber)?.inserted(), [key]);
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    #[must_use]
    pub const fn inserted(&self) -> &'a [K] {
        self.inserted
    }

    /// Returns the keys that had a value, and have none now. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut scores = Tracked::new(Arena::from_iter([1, 2]));
    /// let keys: Vec<_> = scores.keys().collect();
    /// let mut subscriber = scores.subscribe();
    /// scores.remove(keys[0]);
    /// assert_eq!(scores.poll(&mut subscriber)?.removed(), [keys[0]]);
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    #[must_use]
    pub const fn removed(&self) -> &'a [K] {
        self.removed
    }

    /// Returns the keys whose value was lent for mutation, or written over. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut scores = Tracked::new(Arena::from_iter([1, 2]));
    /// let keys: Vec<_> = scores.keys().collect();
    /// let mut subscriber = scores.subscribe();
    /// *scores.get_mut(keys[1]).unwrap() += 5;
    /// assert_eq!(scores.poll(&mut subscriber)?.changed(), [keys[1]]);
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    #[must_use]
    pub const fn changed(&self) -> &'a [K] {
        self.changed
    }

    /// Returns whether nothing changed. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut scores = Tracked::new(Arena::from_iter([1, 2]));
    /// let keys: Vec<_> = scores.keys().collect();
    /// let mut subscriber = scores.subscribe();
    /// assert!(scores.poll(&mut subscriber)?.is_empty());
    /// scores.clear();
    /// assert!(!scores.poll(&mut subscriber)?.is_empty());
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.inserted.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }

    /// Iterates over ranges of slots, or of positions where values are packed, that contain every inserted and changed
    /// value, in ascending order: what has to be copied to a GPU, say. Two ranges with at most `gap` unchanged values
    /// between them are one. O(changes) for all.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut lamps = Tracked::new(Arena::new());
    /// let keys = [0; 9].map(|off| lamps.insert(off));
    /// let mut gpu = lamps.subscribe();
    /// for lamp in [1, 2, 4, 8] {
    ///     *lamps.get_mut(keys[lamp]).unwrap() = 1;
    /// }
    /// let changes = lamps.poll(&mut gpu)?;
    /// assert_eq!(changes.ranges(0).collect::<Vec<_>>(), [1..3, 4..5, 8..9]);
    /// assert_eq!(changes.ranges(1).collect::<Vec<_>>(), [1..5, 8..9]);
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    pub fn ranges(&self, gap: usize) -> impl Iterator<Item = Range<usize>> + use<'a, K> {
        let mut rest = self.written;
        core::iter::from_fn(move || {
            let (&first, mut others) = rest.split_first()?;
            let (start, mut end) = (first as usize, first as usize + 1);
            while let Some((&next, after)) = others.split_first() {
                if next as usize - end > gap {
                    break;
                }
                (end, others) = (next as usize + 1, after);
            }
            rest = others;
            Some(start..end)
        })
    }

    /// Applies the changes to an index, as `MultiIndex::by` makes it, or to what else can be [refreshed](Refresh): keys
    /// without a value are removed, the others are filed by their current value. This updates an index after a
    /// [rollback](super::Reversible::rollback), too. O(changes), each as an insertion.
    ///
    /// # Errors
    /// If a value cannot be filed, since another of a unique index is equal, or allocation fails. Some changes are
    /// then not filed; to rebuild the index from the container, call its `fill`.
    ///
    /// # Panics
    /// If code of the index or of a property panics, `Drop` included. Some changes are not filed then, and
    /// keys that were removed may be found: the same call again does the rest.
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "hashbrown")] {
    /// use larder::{Arena, indices::MultiIndex, track::{Reversible, Tracked}};
    ///
    /// let mut birds = Tracked::new(Arena::new());
    /// let mut by_length = MultiIndex::by(|bird: &&str| bird.len());
    /// let mut subscriber = birds.subscribe();
    /// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
    /// birds.poll(&mut subscriber)?.refresh(&mut by_length, &*birds)?;
    /// assert_eq!(by_length.get(&4), [wren, kite]);
    ///
    /// let before = birds.checkpoint();
    /// *birds.get_mut(kite).unwrap() = "red kite";
    /// birds.remove(wren);
    /// birds.poll(&mut subscriber)?.refresh(&mut by_length, &*birds)?;
    /// assert_eq!((by_length.get(&4), by_length.get(&8)), (&[][..], &[kite][..]));
    ///
    /// birds.rollback(before)?;
    /// birds.poll(&mut subscriber)?.refresh(&mut by_length, &*birds)?;
    /// assert_eq!((by_length.get(&4).len(), by_length.get(&8).len()), (2, 0));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refresh<C: Container<Key = K>>(
        &self,
        index: &mut impl Refresh<C>,
        container: &C,
    ) -> Result<(), Refusal<K>> {
        index.refresh(self, container)
    }
}

/// A structure that is brought up to date by the [changes](Changes::refresh) of a container: an index that is not an
/// observer of a table.
///
/// Implemented by `IndexBy` (module `indices`).
///
/// # Examples
/// ```
/// use larder::track::{Changes, Refresh, Refusal, Tracked};
/// use larder::{Arena, Handle};
///
/// /// The number of values.
/// struct Count(usize);
///
/// impl Refresh<Arena<u8>> for Count {
///     fn refresh(
///         &mut self,
///         changes: &Changes<'_, Handle<u8>>,
///         _: &Arena<u8>,
///     ) -> Result<(), Refusal<Handle<u8>>> {
///         self.0 = self.0 + changes.inserted().len() - changes.removed().len();
///         Ok(())
///     }
/// }
///
/// let (mut numbers, mut count) = (Tracked::new(Arena::new()), Count(0));
/// let mut subscriber = numbers.subscribe();
/// numbers.insert(1);
/// numbers.poll(&mut subscriber)?.refresh(&mut count, &*numbers)?;
/// assert_eq!(count.0, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Refresh<C: Container> {
    /// Applies the changes. See [`Changes::refresh`].
    ///
    /// # Errors
    /// If the structure refuses a value, or allocation fails.
    fn refresh(
        &mut self,
        changes: &Changes<'_, C::Key>,
        container: &C,
    ) -> Result<(), Refusal<C::Key>>;
}
