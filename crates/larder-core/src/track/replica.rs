//! Streams of deltas: publishers, which write them, and replicas, which are kept in step by them.

use alloc::vec::Vec;
use core::fmt;

use super::TrackError;
use super::delta::{self, Delta, DeltaError, DeltaLayout, DeltaStream, Position, Read};
use super::member::Internal;
use super::table::Table;
use super::trackable::{Records, Revert, Track};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::macros::derefs;
use crate::memory::bits::WORD;
use crate::raw::rewind::{Batch, LeftOver, Order, Saved};
use crate::raw::slots::MarkOf;
use crate::room::reserve;
use crate::snapshot::Plain;

/// A stream of deltas, as its writer holds it. Made by [`publish`](super::Tracked::publish), and passed to
/// [`delta`](super::Tracked::delta).
///
/// # Examples
/// ```
/// use larder::{Arena, track::{Replica, Tracked}};
///
/// let mut here = Tracked::new(Arena::<u32>::new());
/// let mut publisher = here.publish(7)?;
/// let mut there = Replica::new(Arena::<u32>::new());
/// let key = here.insert(1);
/// there.apply(&here.delta(&mut publisher)?)?;
/// *here.get_mut(key).unwrap() = 2;
/// there.apply(&here.delta(&mut publisher)?)?;
/// assert_eq!(there[key], 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Publisher {
    pub(super) owner: usize,
    pub(super) number: u32,
    pub(super) state: DeltaStream,
}

impl Publisher {
    /// Returns where it is in the stream. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut here = Tracked::new(Arena::<u32>::new());
    /// let mut publisher = here.publish(7)?;
    /// let before = publisher.position();
    /// here.delta(&mut publisher)?;
    /// assert_ne!(publisher.position(), before);
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    #[must_use]
    #[inline]
    pub const fn position(&self) -> Position {
        Position(self.state)
    }
}

/// A copy of a container that deltas keep identical. It derefs to the container for reading: nothing but
/// deltas changes it.
///
/// It has the same values under the same keys, and uses free slots in the same order: [taken
/// out](Self::into_inner), it continues as the original would. Only keys that were undone there may be issued by it:
/// send [`spent_keys`](super::Table::spent_keys) beside the deltas, and [`spend`](super::Table::spend) them.
///
/// # Examples
/// ```
/// use larder::{Arena, track::{Replica, Tracked}};
///
/// let mut here = Tracked::new(Arena::<u32>::new());
/// let mut publisher = here.publish(7)?;
/// let key = here.insert(5);
/// let mut there = Replica::new(Arena::<u32>::new());
/// there.apply(&here.delta(&mut publisher)?)?;
///
/// let mut arena = there.into_inner();
/// assert_eq!(arena[key], 5);
/// assert_eq!(arena.insert(6), here.insert(6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Replica<A: Track> {
    container: A,
    /// `None` until the first delta.
    next: Option<DeltaStream>,
    /// Memory for what is read, kept for the next delta.
    records: Records<A>,
}

impl<A: Track> Replica<A> {
    /// Makes a replica out of a container, whose values the first delta replaces. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Replica};
    ///
    /// let replica = Replica::new(Arena::<u32>::new());
    /// assert!(replica.is_empty());
    /// ```
    #[must_use]
    pub const fn new(container: A) -> Self {
        Self { container, next: None, records: Vec::new() }
    }

    /// Returns where it is in the stream; `None` before the first delta. O(1). This is what is sent back, so that its
    /// writer knows which deltas have arrived.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{Replica, Tracked}};
    ///
    /// let mut here = Tracked::new(Arena::<u32>::new());
    /// let mut publisher = here.publish(7)?;
    /// let mut there = Replica::new(Arena::<u32>::new());
    /// assert_eq!(there.position(), None);
    /// there.apply(&here.delta(&mut publisher)?)?;
    /// assert_eq!(there.position(), Some(publisher.position()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn position(&self) -> Option<Position> {
        match self.next {
            Some(stream) => Some(Position(stream)),
            None => None,
        }
    }

    /// Returns the container. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Replica};
    ///
    /// let mut arena = Replica::new(Arena::<u32>::new()).into_inner();
    /// arena.insert(1);
    /// ```
    #[must_use]
    pub fn into_inner(self) -> A {
        self.container
    }

    /// Applies the next delta: the first of a publisher, then each that follows, once and in order. A fresh
    /// replica takes any stream of its shape: sizes and alignment of values, of keys and generations, and the
    /// order of reuse are compared, but types are not named. Every value is checked to be one of its type.
    ///
    /// O(bytes), and O(slots) with another [order of reuse](crate::Reuse) than the packed one, and where
    /// [serial numbers](crate::key::Serial) went back.
    ///
    /// # Errors
    /// If the bytes are damaged, if the delta is of another container, or not the next, or if memory is
    /// refused. Nothing has changed, except when reverting an invalid delta runs out of memory: then start a
    /// new replica.
    ///
    /// A delta of a `SecondaryMap` whose slots are far apart is an [error](DeltaError::TooSparse), as a
    /// [file](crate::SecondaryMap#memory) is, unless there is room for them already: so no delta asks for much more
    /// memory than its values and those that are there need. That of a `SparseSecondaryMap` may have any slots.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{DeltaError, Replica, Tracked}};
    ///
    /// let mut here = Tracked::new(Arena::<u32>::new());
    /// let mut publisher = here.publish(7)?;
    /// let [first, second] = [here.delta(&mut publisher)?, here.delta(&mut publisher)?];
    /// let mut there = Replica::new(Arena::<u32>::new());
    /// let early = DeltaError::Early { sequence: 1, expected: 0 };
    /// assert_eq!(there.apply(&second), Err(early));
    /// assert_eq!((there.apply(&first), there.apply(&second)), (Ok(()), Ok(())));
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    pub fn apply(&mut self, delta: &[u8]) -> Result<(), DeltaError>
    where
        A: Track<Value: Plain>,
    {
        let pass = Delta::pass_values;
        self.apply_as(delta, DeltaLayout::of::<A::Value>(), pass, Delta::slot::<A>, Read::value, {
            |values, container, mark, count| values.write_values(container, mark, count)
        })
    }

    /// Applies the next delta of a [publisher](Publisher) that encodes values, as [`apply`](Self::apply) does others.
    /// `decode` makes a value of the bytes that were made of it; `None` if they are none.
    ///
    /// O(bytes).
    ///
    /// # Errors
    /// Fails as [`apply`](Self::apply) does, also if a value cannot be decoded: then nothing has changed.
    ///
    /// # Panics
    /// If `decode` panics: then nothing has changed. If the `Drop` of a value panics: then the delta is applied.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{Replica, Tracked}};
    ///
    /// let mut names = Tracked::new(Arena::from_iter(["wren".to_owned()]));
    /// let mut publisher = names.publish(7)?;
    /// let delta = names.delta_by(&mut publisher, |name, bytes| {
    ///     bytes.extend_from_slice(name.as_bytes());
    ///     Ok::<_, std::convert::Infallible>(())
    /// })?;
    /// let mut there = Replica::new(Arena::<String>::new());
    /// there.apply_by(&delta, |bytes| String::from_utf8(bytes.to_vec()).ok())?;
    /// assert_eq!(*there, *names);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply_by(
        &mut self,
        delta: &[u8],
        mut decode: impl FnMut(&[u8]) -> Option<A::Value>,
    ) -> Result<(), DeltaError> {
        let (pass, take) =
            (|_: &mut Delta<'_>, _: &_, _: &_, _: &mut _, _| 0, Delta::slot_by_length::<A>);
        let value = |read: &Read<'_>| decode(read.value);
        self.apply_as(delta, DeltaLayout::BY_LENGTH, pass, take, value, |_, _, _, _| {})
    }

    /// Applies a delta whose values are written in one way. `pass` passes over slots of which only the value is
    /// another, `take` takes the next slot, `value` makes the value of its bytes; `write` writes the values passed
    /// over.
    fn apply_as<'a>(
        &mut self,
        delta: &'a [u8],
        layout: DeltaLayout,
        pass: impl FnMut(&mut Delta<'a>, &A, &Order<A::Key>, &mut u32, u32) -> u32,
        take: impl FnMut(&mut Delta<'a>) -> Option<Read<'a>>,
        value: impl FnMut(&Read<'a>) -> Option<A::Value>,
        write: impl FnOnce(Delta<'a>, &mut A, MarkOf<A::Key>, u32),
    ) -> Result<(), DeltaError> {
        let mut bytes = Delta::open(delta)?;
        let stream = bytes.header(&self.container, layout)?;
        self.next.unwrap_or(DeltaStream::new(stream.identity)).check(stream)?;
        let (order, values, count) = self.read(&mut bytes, pass, take, value)?;
        // Values that are put in come out again if the order of free slots turns out to be impossible.
        let Self { container, records, .. } = self;
        let before = container.order(Vec::new())?;
        if !delta::covers(container, records, &before, &order) {
            return Err(DeltaError::Damaged);
        }
        let has_values = records.len() < count as usize;
        let begun = (order.slots as usize).abs_diff(container.slots());
        reserve(records, if A::ISSUES { 2 * begun } else { 0 })?;
        let (mut batch, mut left) = (Batch::of(records), LeftOver::nothing());
        if !container.exchange(&mut batch, Some(&order), &mut left, Internal(()))? {
            container.exchange(&mut batch, Some(&before), &mut left, Internal(()))?;
            return Err(DeltaError::Damaged);
        }
        if has_values {
            write(values, container, order.mark, count);
        }
        self.next = Some(stream.after(bytes.checksum));
        // (User code runs last: also that of what lay in holes.)
        self.records.clear();
        Ok(())
    }

    /// Reads the order and the records, and checks each by itself and all together. Slots of which only the value is
    /// another get no record: their values are read again.
    fn read<'a>(
        &mut self,
        bytes: &mut Delta<'a>,
        mut pass: impl FnMut(&mut Delta<'a>, &A, &Order<A::Key>, &mut u32, u32) -> u32,
        mut take: impl FnMut(&mut Delta<'a>) -> Option<Read<'a>>,
        mut value: impl FnMut(&Read<'a>) -> Option<A::Value>,
    ) -> Result<(Order<A::Key>, Delta<'a>, u32), DeltaError> {
        let Self { container, records, .. } = self;
        let (order, recorded) = bytes.order::<A>()?;
        if !A::ISSUES && (order.slots != A::Key::MAX_SLOTS || !order.free.is_empty()) {
            return Err(DeltaError::Damaged);
        }
        let values = bytes.clone();
        records.clear();
        // The first delta of side data replaces all that is there.
        let is_whole = !A::ISSUES && self.next.is_none();
        let (mut next, mut begun) = (0, 0);
        let mut left = recorded;
        loop {
            if !is_whole {
                left -= pass(bytes, container, &order, &mut next, left);
            }
            if left == 0 {
                break;
            }
            left -= 1;
            let read = take(bytes).ok_or(DeltaError::Damaged)?;
            if read.slot < next || read.slot >= order.slots {
                return Err(DeltaError::Damaged);
            }
            next = read.slot + 1;
            begun += usize::from(A::ISSUES && read.slot as usize >= container.slots());
            reserve(records, 1)?;
            let record = read.record::<A>(order.mark, &mut value);
            records.push(record.ok_or(DeltaError::Damaged)?);
        }
        // (A slot whose value has gone needs no room, and its record brings no value.)
        let mut live = records.iter().filter(|record| matches!(record.saved, Saved::Live(..)));
        if let Some(last) = live.next_back() {
            if container.is_far(last.slot, live.count() + 1) {
                return Err(DeltaError::TooSparse { slot: last.slot });
            }
        }
        if is_whole {
            delta::record_others(container, records)?;
        }
        // A slot that is begun has a record: so no more memory is asked for than there are bytes.
        let all = (order.slots as usize).saturating_sub(container.slots());
        if begun != if A::ISSUES { all } else { 0 }
            || !bytes.is_empty()
            || !delta::fits(container, records, &order)?
        {
            return Err(DeltaError::Damaged);
        }
        Ok((order, values, recorded))
    }
}

derefs!([A: Track] Replica<A>, container: A);

impl<A: Track + fmt::Debug> fmt::Debug for Replica<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.container.fmt(f)
    }
}

/// Sending what changed.
impl<C: Revert, O> Table<C, O> {
    /// Begins a stream of deltas, the first of which has all that is in the container. The identity tells the streams
    /// of one program apart: a replica refuses deltas of another. O(slots / 64).
    ///
    /// # Errors
    /// If allocation fails.
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
        let (slots, added) = (self.objects.container.slot_bound(), &mut self.objects.subscribers);
        let number = if C::ISSUES {
            // Free slots, too.
            let all = |word| !0 >> (WORD - WORD.min(slots - word * WORD));
            added.add_anew(slots, (0..slots.div_ceil(WORD)).map(|word| (word, all(word))))?
        } else {
            added.add_anew(slots, self.objects.container.live_words())?
        };
        Ok(Publisher { owner: self.objects.number, number, state: DeltaStream::new(identity) })
    }

    /// Returns another publisher at the same position of its stream. The two go on independently: so a program that
    /// keeps one where its peer is known to be writes each delta against that, and a packet that is lost costs a delta.
    /// O(slots / 64).
    ///
    /// A replica that has applied a delta refuses others from the position before. It reports its
    /// [position](Replica::position); the publisher that is there is the one to go on with, and all older ones are
    /// [ended](Self::unpublish). Each takes two bits a slot.
    ///
    /// # Errors
    /// If the publisher is of another container; if memory was refused when a change had to be recorded; or if
    /// allocation fails now.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{Replica, Tracked}};
    ///
    /// let mut ships = Tracked::new(Arena::from_iter(0..1_000_u32));
    /// let keys: Vec<_> = ships.keys().collect();
    /// let mut known = ships.publish(7)?; // where the peer is known to be
    /// let mut there = Replica::new(Arena::<u32>::new());
    /// there.apply(&ships.delta(&mut known)?)?;
    ///
    /// *ships.get_mut(keys[0]).unwrap() += 1;
    /// let mut lost = ships.publish_like(&known)?;
    /// let _packet = ships.delta(&mut lost)?; // does not arrive
    ///
    /// *ships.get_mut(keys[1]).unwrap() += 1;
    /// let mut next = ships.publish_like(&known)?;
    /// let delta = ships.delta(&mut next)?; // both changes
    /// assert!(delta.len() < 200);
    /// there.apply(&delta)?;
    /// assert_eq!(*there, *ships);
    ///
    /// if there.position() == Some(next.position()) {
    ///     ships.unpublish(std::mem::replace(&mut known, next))?;
    ///     ships.unpublish(lost)?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn publish_like(&mut self, publisher: &Publisher) -> Result<Publisher, TrackError> {
        self.objects.check_owner(publisher.owner)?;
        let number = self.objects.subscribers.add_like(publisher.number)?;
        Ok(Publisher { number, ..*publisher })
    }

    /// Ends a stream of deltas, so that nothing is recorded for it any more. O(1).
    ///
    /// # Errors
    /// If the publisher is of another container.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut ships = Tracked::new(Arena::from_iter([1_u32, 2]));
    /// let publisher = ships.publish(7)?;
    /// // The replica has gone.
    /// ships.unpublish(publisher)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unpublish(&mut self, publisher: Publisher) -> Result<(), TrackError> {
        self.objects.check_owner(publisher.owner)?;
        self.objects.subscribers.end(publisher.number);
        Ok(())
    }

    /// Returns what changed since the publisher's last delta, as bytes. O(changes + slots / 4,096), and with another
    /// [order of reuse](crate::Reuse) than the packed one O(free slots).
    ///
    /// # Errors
    /// If the publisher is of another container; if memory was refused when a change had to be recorded (then
    /// [begin](Self::publish) another stream); or if allocation fails now (then the next delta contains
    /// these changes too).
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
    pub fn delta(&mut self, publisher: &mut Publisher) -> Result<Vec<u8>, TrackError>
    where
        C::Value: Plain,
    {
        self.delta_as(publisher, DeltaLayout::of::<C::Value>(), |value, bytes| {
            bytes.extend_from_slice(bytemuck::bytes_of(value));
            Ok(())
        })
    }

    /// Returns what changed since the publisher's last delta, as [`delta`](Self::delta) does, of values that are no
    /// plain data. `encode` appends the bytes of a value to a vector without any, and [`Replica::apply_by`] has the
    /// value made of these again. O(changes + slots / 4,096).
    ///
    /// All deltas of a publisher are made by the same function, or all by [`delta`](Self::delta): a replica refuses
    /// those of another kind.
    ///
    /// # Errors
    /// Fails as [`delta`](Self::delta) does; or with [`TrackError::Encoding`] if `encode` returns an error, or a value
    /// has 4 GiB: then the next delta contains these changes, too.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{Replica, Tracked}};
    ///
    /// let mut birds = Tracked::new(Arena::from_iter([("wren".to_owned(), Some(9))]));
    /// let mut publisher = birds.publish(7)?;
    /// let delta = birds.delta_by(&mut publisher, |bird, bytes| {
    ///     *bytes = postcard::to_extend(bird, std::mem::take(bytes))?;
    ///     Ok::<_, postcard::Error>(())
    /// })?;
    /// let mut there = Replica::new(Arena::<(String, Option<u8>)>::new());
    /// there.apply_by(&delta, |bytes| postcard::from_bytes(bytes).ok())?;
    /// assert_eq!(*there, *birds);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn delta_by<E>(
        &mut self,
        publisher: &mut Publisher,
        mut encode: impl FnMut(&C::Value, &mut Vec<u8>) -> Result<(), E>,
    ) -> Result<Vec<u8>, TrackError> {
        let mut one = Vec::new();
        self.delta_as(publisher, DeltaLayout::BY_LENGTH, |value, bytes| {
            one.clear();
            encode(value, &mut one).map_err(|_| TrackError::Encoding)?;
            let length = u32::try_from(one.len()).map_err(|_| TrackError::Encoding)?;
            reserve(bytes, size_of::<u32>() + one.len())?;
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(&one);
            Ok(())
        })
    }

    fn delta_as(
        &mut self,
        publisher: &mut Publisher,
        layout: DeltaLayout,
        put: impl FnMut(&C::Value, &mut Vec<u8>) -> Result<(), TrackError>,
    ) -> Result<Vec<u8>, TrackError> {
        self.objects.check_owner(publisher.owner)?;
        let changed = self.objects.subscribers.changed_slots(publisher.number)?;
        let bytes = delta::write(&self.objects.container, changed, publisher.state, layout, put)?;
        let checksum = bytes.last_chunk().map_or(0, |sum| u32::from_le_bytes(*sum));
        publisher.state = publisher.state.after(checksum);
        self.objects.subscribers.told(publisher.number);
        Ok(bytes)
    }
}
