//! What changed, as bytes: to be saved, or to be applied to a copy elsewhere.
//!
//! ```text
//! header   │ magic and version, as one number in the sender's byte order
//!          │ shape: of values, generations and slots │ identity │ sequence │ chain │ mark
//!          │ slots, cursor, count of free slots in order, count of records
//! order    │ the free slots that are taken first
//! records  │ slot, state, generation; then the value if the slot is live
//! checksum │ of all that, and the chain of the next delta
//! ```
//! All numbers are in the byte order of the machine, as values are; another machine's magic differs.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::ops::Deref;

use bytemuck::Pod;

use super::error::TrackError;
use super::subscribers::Subscribers;
use super::trackable::{Records, Revert, Track};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::raw::generation::{Generation, Mark};
use crate::raw::rewind::{Order, Record, Saved, reserve};
use crate::raw::slots::{GenerationOf, MarkOf};

/// "larder", a delta, version 1.
const MAGIC: u64 = 0x6C61_7264_6572_D101;

/// What a delta is a step of. Made by [`publish`](super::Tracked::publish), and given to
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

/// Where a stream of deltas is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stream {
    identity: u64,
    sequence: u64,
    /// The checksum of the delta before.
    chain: u64,
}

impl Stream {
    pub(super) const fn new(identity: u64) -> Self {
        Self { identity, sequence: 0, chain: identity }
    }

    const fn after(self, checksum: u64) -> Self {
        Self { identity: self.identity, sequence: self.sequence + 1, chain: checksum }
    }
}

/// Why a delta was not applied. Nothing was changed.
///
/// # Examples
/// ```
/// use larder::{Arena, track::{DeltaError, Replica, Tracked}};
///
/// let mut here = Tracked::new(Arena::<u32>::new());
/// let mut publisher = here.publish(7)?;
/// let mut there = Replica::new(Arena::<u32>::new());
/// let mut delta = here.delta(&mut publisher)?;
/// there.apply(&delta)?;
/// assert_eq!(there.apply(&delta), Err(DeltaError::Repeated { sequence: 0 }));
/// delta[20] ^= 1;
/// assert_eq!(there.apply(&delta), Err(DeltaError::Damaged));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeltaError {
    /// These are not the bytes of a delta: some are missing or others, or it is of another version or byte order.
    Damaged,
    /// It is of a container with other values, keys or order of reuse.
    Shape,
    /// It is of another container, or continues another history.
    Foreign,
    /// It was applied already.
    Repeated {
        /// Its number.
        sequence: u64,
    },
    /// Deltas before it have not been applied.
    Early {
        /// Its number.
        sequence: u64,
        /// The number of the one that is to be applied next.
        expected: u64,
    },
    /// Memory was refused.
    Memory(TryReserveError),
}

impl fmt::Display for DeltaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged => f.write_str("the bytes are not those of a delta"),
            Self::Shape => f.write_str("the delta is of other values, keys or order of reuse"),
            Self::Foreign => f.write_str("the delta is of another container or history"),
            Self::Repeated { sequence } => write!(f, "delta {sequence} was applied already"),
            Self::Early { sequence, expected } => {
                write!(f, "delta {sequence} comes before delta {expected}")
            }
            Self::Memory(reason) => reason.fmt(f),
        }
    }
}

impl Error for DeltaError {}

impl From<TryReserveError> for DeltaError {
    fn from(reason: TryReserveError) -> Self {
        Self::Memory(reason)
    }
}

/// A copy of a container that is kept alike by deltas. It derefs to the container, shared: nothing else changes it.
///
/// It has the same values under the same keys, and uses free slots in the same order: [taken out](Self::into_inner),
/// it goes on as the other would.
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

    /// Applies the next delta: the first of a publisher, then each that follows, once and in order.
    /// O(bytes), and with another [order of reuse](crate::Reuse) than the packed one O(slots).
    ///
    /// # Errors
    /// If the bytes are damaged, if the delta is of another container, or not the next, or if memory is refused.
    /// Nothing has changed.
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
        A::Value: Pod,
    {
        let (body, checksum) = delta.split_last_chunk().ok_or(DeltaError::Damaged)?;
        let checksum = u64::from_ne_bytes(*checksum);
        if checksum != checksum_of(body) {
            return Err(DeltaError::Damaged);
        }
        let mut bytes = Reader(body);
        if bytes.u64()? != MAGIC {
            return Err(DeltaError::Damaged);
        }
        if bytes.u64()? != shape_of(&self.container) {
            return Err(DeltaError::Shape);
        }
        let stream = Stream { identity: bytes.u64()?, sequence: bytes.u64()?, chain: bytes.u64()? };
        let expected = self.next.unwrap_or(Stream::new(stream.identity));
        check_order(stream, expected)?;
        let Self { container, records, .. } = self;
        let order = read(&mut bytes, container, records)?;
        // What is put in comes out again if the order of free slots turns out to be impossible.
        let before = container.order()?;
        let begun = (order.slots as usize).abs_diff(container.slots());
        reserve(records, 2 * begun)?;
        if !container.exchange(records, Some(&order))? {
            container.exchange(records, Some(&before))?;
            return Err(DeltaError::Damaged);
        }
        self.next = Some(stream.after(checksum));
        Ok(())
    }
}

/// Whether the delta is the one that is expected.
fn check_order(found: Stream, expected: Stream) -> Result<(), DeltaError> {
    let (sequence, expected_sequence) = (found.sequence, expected.sequence);
    if found.identity != expected.identity {
        Err(DeltaError::Foreign)
    } else if sequence < expected_sequence {
        Err(DeltaError::Repeated { sequence })
    } else if sequence > expected_sequence {
        Err(DeltaError::Early { sequence, expected: expected_sequence })
    } else if found != expected {
        Err(DeltaError::Foreign)
    } else {
        Ok(())
    }
}

/// Reads the order and the records, and checks each by itself and all together.
fn read<A: Track<Value: Pod>>(
    bytes: &mut Reader<'_>,
    container: &A,
    records: &mut Records<A>,
) -> Result<Order<A::Key>, DeltaError> {
    let mark = MarkOf::<A::Key>::from_u64(bytes.u64()?).ok_or(DeltaError::Damaged)?;
    let [slots, cursor, ordered, recorded] =
        [bytes.u32()?, bytes.u32()?, bytes.u32()?, bytes.u32()?];
    let mut free = Vec::new();
    reserve(&mut free, (ordered as usize).min(bytes.0.len()))?;
    for _ in 0..ordered {
        free.push(bytes.u32()?);
    }
    records.clear();
    reserve(records, (recorded as usize).min(bytes.0.len() / 16))?;
    let (mut next, mut begun) = (0, 0);
    for _ in 0..recorded {
        let (slot, saved) = read_slot::<A>(bytes, mark)?;
        if slot < next || slot >= slots {
            return Err(DeltaError::Damaged);
        }
        next = slot + 1;
        begun += usize::from(slot as usize >= container.slots());
        records.push(Record { slot, saved });
    }
    // A slot that is begun has a record: so no more memory is asked for than there are bytes.
    if begun != (slots as usize).saturating_sub(container.slots()) || !bytes.0.is_empty() {
        return Err(DeltaError::Damaged);
    }
    Ok(Order { slots, cursor, free, mark })
}

type SlotOf<A> = Saved<GenerationOf<<A as Track>::Key>, <A as Track>::Value>;

fn read_slot<A: Track<Value: Pod>>(
    bytes: &mut Reader<'_>,
    mark: MarkOf<A::Key>,
) -> Result<(u32, SlotOf<A>), DeltaError> {
    let (slot, state, generation) = (bytes.u32()?, bytes.u32()?, bytes.u64()?);
    let live = || {
        let live = GenerationOf::<A::Key>::live_from_u64(generation);
        live.filter(|_| mark.covers(generation)).ok_or(DeltaError::Damaged)
    };
    let free = GenerationOf::<A::Key>::free_from_u64(generation);
    let saved = match state {
        0 => Saved::Live(live()?, bytemuck::pod_read_unaligned(bytes.take(size_of::<A::Value>())?)),
        1 => Saved::Free(free.ok_or(DeltaError::Damaged)?),
        2 => Saved::Detached(live()?),
        3 if GenerationOf::<A::Key>::VERSIONED => Saved::Retired,
        _ => return Err(DeltaError::Damaged),
    };
    Ok((slot, saved))
}

/// Writes what a publisher has not sent yet.
pub(super) fn write<A: Revert<Value: Pod>>(
    container: &A,
    all: &mut Subscribers<A::Key>,
    publisher: &mut Publisher,
) -> Result<Vec<u8>, TrackError> {
    let order = container.order()?;
    let (changed, mut bytes, mut one) =
        (all.changed_slots(publisher.number)?, Vec::new(), Vec::new());
    let bound = 16 * 8 + 4 * order.free.len() + changed.len() * (16 + size_of::<A::Value>());
    reserve(&mut bytes, bound)?;
    reserve(&mut one, 1)?;
    let Stream { identity, sequence, chain } = publisher.state;
    for number in [MAGIC, shape_of(container), identity, sequence, chain, order.mark.to_u64()] {
        bytes.extend_from_slice(&number.to_ne_bytes());
    }
    for number in [order.slots, order.cursor, order.free.len() as u32, 0] {
        bytes.extend_from_slice(&number.to_ne_bytes());
    }
    let count_at = bytes.len() - 4;
    order.free.iter().for_each(|slot| bytes.extend_from_slice(&slot.to_ne_bytes()));
    let mut count = 0_u32;
    for slot in changed.slots().take_while(|&slot| slot < order.slots as usize) {
        container.record(slot, &mut one);
        for record in one.drain(..) {
            write_slot::<A>(&mut bytes, &record);
            count += 1;
        }
    }
    bytes[count_at..count_at + 4].copy_from_slice(&count.to_ne_bytes());
    let checksum = checksum_of(&bytes);
    bytes.extend_from_slice(&checksum.to_ne_bytes());
    publisher.state = publisher.state.after(checksum);
    all.told(publisher.number);
    Ok(bytes)
}

fn write_slot<A: Track<Value: Pod>>(bytes: &mut Vec<u8>, record: &Record<A::Key, A::Value>) {
    let (state, generation) = match &record.saved {
        Saved::Live(generation, _) => (0_u32, generation.to_u64()),
        Saved::Free(generation) => (1, generation.to_u64()),
        Saved::Detached(generation) => (2, generation.to_u64()),
        Saved::Retired => (3, 0),
    };
    bytes.extend_from_slice(&record.slot.to_ne_bytes());
    bytes.extend_from_slice(&state.to_ne_bytes());
    bytes.extend_from_slice(&generation.to_ne_bytes());
    if let Saved::Live(_, value) = &record.saved {
        bytes.extend_from_slice(bytemuck::bytes_of(value));
    }
}

/// What both ends must have in common.
fn shape_of<A: Track>(container: &A) -> u64 {
    let keys = (A::Key::MAX_SLOTS as u64) << 32 | (size_of::<GenerationOf<A::Key>>() as u64) << 24;
    let values = (size_of::<A::Value>() as u64) << 8 | align_of::<A::Value>() as u64;
    mix(mix(keys, values), container.reuse() as u64)
}

/// Bytes that are read one after the other.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], DeltaError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(DeltaError::Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn u32(&mut self) -> Result<u32, DeltaError> {
        Ok(bytemuck::pod_read_unaligned(self.take(4)?))
    }

    fn u64(&mut self) -> Result<u64, DeltaError> {
        Ok(bytemuck::pod_read_unaligned(self.take(8)?))
    }
}

/// Another number for each of either, the other being the same.
const fn mix(sum: u64, word: u64) -> u64 {
    (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

/// Four sums side by side, of every fourth word: a damaged word always leads to another. (Against accidents, not
/// against a sender who means harm: what is read is checked all the same.)
fn checksum_of(bytes: &[u8]) -> u64 {
    let mut sums = [1_u64, 2, 3, 4];
    let blocks = bytes.chunks_exact(32);
    let rest = blocks.remainder();
    for block in blocks {
        for (sum, word) in sums.iter_mut().zip(block.chunks_exact(8)) {
            *sum = mix(*sum, bytemuck::pod_read_unaligned(word));
        }
    }
    let mut last = [0; 32];
    last[..rest.len()].copy_from_slice(rest);
    for (sum, word) in sums.iter_mut().zip(last.chunks_exact(8)) {
        *sum = mix(*sum, bytemuck::pod_read_unaligned(word));
    }
    sums.into_iter().fold(bytes.len() as u64, mix)
}

impl<A: Track> Deref for Replica<A> {
    type Target = A;

    fn deref(&self) -> &A {
        &self.container
    }
}

impl<A: Track + fmt::Debug> fmt::Debug for Replica<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.container.fmt(f)
    }
}
