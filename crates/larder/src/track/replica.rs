//! Streams of deltas: publishers, which write them, and replicas, which are kept in step by them.

use alloc::vec::Vec;
use core::fmt;

use super::TrackError;
use super::delta::{self, Delta, DeltaError, Stream};
use super::table::Table;
use super::trackable::{Records, Revert, Track};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::macros::derefs;
use crate::memory::bits::WORD;
use crate::past::Internal;
use crate::raw::rewind::Order;
use crate::scratch::reserve;
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
    pub(super) state: Stream,
}

/// A copy of a container that deltas keep identical. It derefs to the container for reading: nothing but
/// deltas changes it.
///
/// It has the same values under the same keys, and uses free slots in the same order: [taken
/// out](Self::into_inner), it continues as the original would.
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
    next: Option<Stream>,
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
    /// [file](crate::SecondaryMap#memory) is, unless there is room for them already: so no delta asks for much more memory than
    /// its values and those that are there need. That of a `SparseSecondaryMap` may have any slots.
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
        let mut bytes = Delta::open(delta)?;
        let stream = bytes.header(&self.container)?;
        self.next.unwrap_or(Stream::new(stream.identity)).check(stream)?;
        let (order, values, count) = self.read(&mut bytes)?;
        // What is put in comes out again if the order of free slots turns out to be impossible.
        let Self { container, records, .. } = self;
        let before = container.order(Vec::new())?;
        if !delta::covers(container, records, &before, &order) {
            return Err(DeltaError::Damaged);
        }
        let has_values = records.len() < count as usize;
        let begun = (order.slots as usize).abs_diff(container.slots());
        reserve(records, if A::ISSUES { 2 * begun } else { 0 })?;
        if !container.exchange(records, Some(&order), Internal(()))? {
            container.exchange(records, Some(&before), Internal(()))?;
            return Err(DeltaError::Damaged);
        }
        if has_values {
            values.write_values(container, order.mark, count);
        }
        records.clear();
        self.next = Some(stream.after(bytes.checksum));
        Ok(())
    }

    /// Reads the order and the records, and checks each by itself and all together. Slots of which only the value is
    /// another get no record: their values are read again.
    fn read<'a>(
        &mut self,
        bytes: &mut Delta<'a>,
    ) -> Result<(Order<A::Key>, Delta<'a>, u32), DeltaError>
    where
        A: Track<Value: Plain>,
    {
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
                left -= bytes.pass_values(container, &order, &mut next, left);
            }
            if left == 0 {
                break;
            }
            left -= 1;
            let read = bytes.slot::<A>().ok_or(DeltaError::Damaged)?;
            if read.slot < next || read.slot >= order.slots {
                return Err(DeltaError::Damaged);
            }
            next = read.slot + 1;
            begun += usize::from(A::ISSUES && read.slot as usize >= container.slots());
            reserve(records, 1)?;
            records.push(read.record::<A>(order.mark).ok_or(DeltaError::Damaged)?);
        }
        if let Some(last) = records.last() {
            container.check_far(last.slot, records.len())?;
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
impl<C: Revert<Value: Plain>, O> Table<C, O> {
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
        Ok(Publisher { owner: self.objects.number, number, state: Stream::new(identity) })
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
    pub fn delta(&mut self, publisher: &mut Publisher) -> Result<Vec<u8>, TrackError> {
        self.objects.check_owner(publisher.owner)?;
        let changed = self.objects.subscribers.changed_slots(publisher.number)?;
        let bytes = delta::write(&self.objects.container, changed, publisher.state)?;
        let checksum = bytes.last_chunk().map_or(0, |sum| u32::from_le_bytes(*sum));
        publisher.state = publisher.state.after(checksum);
        self.objects.subscribers.told(publisher.number);
        Ok(bytes)
    }
}
