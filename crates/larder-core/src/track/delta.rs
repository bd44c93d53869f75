//! The bytes of a delta: what changed, to be saved, or to be applied to a copy elsewhere. What they mean is in
//! `docs/snapshot-format.md`.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use bytemuck::checked;

use super::TrackError;
use super::trackable::{Records, Revert, Track, record};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::key::generation::{Generation, Mark};
use crate::key::sealed::Compose;
use crate::memory::bits::WORD;
use crate::memory::bits::bits;
use crate::raw::marks::Marks;
use crate::raw::rewind::{KeptValue, Order, Record, Saved};
use crate::raw::slots::{GenerationOf, MarkOf};
use crate::room::reserve;
use crate::snapshot::Plain;
use crate::snapshot::format::ORDER;

/// A position in a stream of deltas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DeltaStream {
    pub(super) identity: u64,
    pub(super) sequence: u64,
    /// The checksum of the delta before.
    pub(super) chain: u32,
}

impl DeltaStream {
    #[inline]
    pub(super) const fn new(identity: u64) -> Self {
        Self { identity, sequence: 0, chain: 0 }
    }

    #[inline]
    pub(super) const fn after(self, checksum: u32) -> Self {
        Self { identity: self.identity, sequence: self.sequence + 1, chain: checksum }
    }

    /// Checks that a delta is the one that is expected here.
    #[inline]
    pub(super) fn check(self, found: Self) -> Result<(), DeltaError> {
        let (sequence, expected) = (found.sequence, self.sequence);
        if found.identity != self.identity {
            Err(DeltaError::Foreign)
        } else if sequence < expected {
            Err(DeltaError::Repeated { sequence })
        } else if sequence > expected {
            Err(DeltaError::Early { sequence, expected })
        } else if found != self {
            Err(DeltaError::Foreign)
        } else {
            Ok(())
        }
    }
}

/// A point in a stream of deltas: which of them led there.
///
/// A [`Replica`](super::Replica) reports [where it is](super::Replica::position), and its writer finds the
/// [`Publisher`](super::Publisher) that is at the same position.
///
/// # Examples
/// ```
/// use larder::{Arena, track::{Position, Replica, Tracked}};
///
/// let mut here = Tracked::new(Arena::<u32>::new());
/// let mut publisher = here.publish(7)?;
/// let mut there = Replica::new(Arena::<u32>::new());
/// there.apply(&here.delta(&mut publisher)?)?;
/// let sent: [u8; 20] = there.position().unwrap().to_bytes();
/// assert_eq!(Position::from_bytes(sent), publisher.position());
/// assert_eq!(publisher.position().sequence(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position(pub(super) DeltaStream);

impl Position {
    /// Returns how many deltas led there, which is the number of the next. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut here = Tracked::new(Arena::<u32>::new());
    /// assert_eq!(here.publish(7)?.position().sequence(), 0);
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    #[must_use]
    #[inline]
    pub const fn sequence(self) -> u64 {
        self.0.sequence
    }

    /// Returns the position as bytes, to be sent. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{Position, Tracked}};
    ///
    /// let mut here = Tracked::new(Arena::<u32>::new());
    /// let position = here.publish(7)?.position();
    /// assert_eq!(Position::from_bytes(position.to_bytes()), position);
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn to_bytes(self) -> [u8; 20] {
        let mut bytes = [0; 20];
        bytes[..8].copy_from_slice(&self.0.identity.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.0.sequence.to_le_bytes());
        bytes[16..].copy_from_slice(&self.0.chain.to_le_bytes());
        bytes
    }

    /// Returns the position of these bytes, which may be any: one that no publisher has is of no use. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::track::Position;
    ///
    /// assert_eq!(Position::from_bytes([1; 20]).to_bytes(), [1; 20]);
    /// ```
    #[must_use]
    #[inline]
    pub fn from_bytes(bytes: [u8; 20]) -> Self {
        let number = |at: usize| u64::from_le_bytes(core::array::from_fn(|byte| bytes[at + byte]));
        let chain = u32::from_le_bytes(core::array::from_fn(|byte| bytes[16 + byte]));
        Self(DeltaStream { identity: number(0), sequence: number(8), chain })
    }
}

/// Why a delta was not applied. Nothing was changed, but for the one case that
/// [`Replica::apply`](super::Replica::apply) describes.
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
    /// The bytes are not a delta, or were truncated or corrupted.
    Damaged,
    /// The delta has another format version.
    Version {
        /// Its version.
        found: u16,
    },
    /// It was written by a machine with another byte order.
    ByteOrder,
    /// The delta is of a container whose values have another size or alignment, whose keys have other
    /// generations or can name more or fewer slots, whose order of reuse differs, or whose values are packed, or
    /// encoded, where these are not. (An `InlineArena` has an order of reuse of its own.)
    /// (Types are not named: the delta of a container of another type with the same properties is applied.)
    Shape,
    /// The delta belongs to another container, or continues another history.
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
    /// A slot is so far from the others that a `SecondaryMap` with room for all before it would have much more memory
    /// than its values need.
    TooSparse {
        /// The slot.
        slot: u32,
    },
    /// Memory was refused.
    Memory(TryReserveError),
}

impl fmt::Display for DeltaError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged => f.write_str("the bytes are not a valid delta"),
            Self::Version { found } => write!(f, "the delta is of version {found}"),
            Self::ByteOrder => f.write_str("the delta has another byte order"),
            Self::Shape => f.write_str("the delta's value type, key type or reuse order differs"),
            Self::Foreign => f.write_str("the delta belongs to another container or history"),
            Self::Repeated { sequence } => write!(f, "delta {sequence} was applied already"),
            Self::Early { sequence, expected } => {
                write!(f, "delta {sequence} is too early: delta {expected} has to be applied first")
            }
            Self::TooSparse { slot } => write!(
                f,
                "slot {slot} is too far from the others; if it is to be trusted, make the replica of a map with room for it"
            ),
            Self::Memory(reason) => reason.fmt(f),
        }
    }
}

impl Error for DeltaError {}

impl From<TryReserveError> for DeltaError {
    #[inline]
    fn from(reason: TryReserveError) -> Self {
        Self::Memory(reason)
    }
}

const MAGIC: [u8; 8] = *b"larder\x1ad";

const VERSION: u16 = 1;

/// Header and checksum.
const FRAME: usize = 80;

/// The bytes that are written of a slot beside its value and its position.
const SLOT: usize = 16;

/// The state of a slot with a value.
const LIVE: u32 = 0;

/// The order of reuse of a container that takes the lowest free slot first, which [`Reuse`](crate::Reuse) has no name
/// for. (Its deltas list no free slots, so that a container with another order could not continue as it does.)
const LOWEST_FIRST: u8 = 3;

/// The form in which values are written.
#[derive(Clone, Copy)]
pub(super) struct DeltaLayout {
    align: u32,
    size: u64,
}

impl DeltaLayout {
    /// The layout of values as they lie in memory.
    pub(super) const fn of<V>() -> Self {
        Self { align: align_of::<V>() as u32, size: size_of::<V>() as u64 }
    }

    /// By their length, and as many bytes.
    pub(super) const BY_LENGTH: Self = Self { align: 0, size: u64::MAX };
}

/// The shape that both ends must have in common.
fn shape_of<A: Track>(container: &A, layout: DeltaLayout) -> [u8; 21] {
    let mut shape = [0; 21];
    shape[0] = if A::LOWEST_FIRST { LOWEST_FIRST } else { container.reuse() as u8 };
    shape[1] = size_of::<GenerationOf<A::Key>>() as u8;
    shape[2] = u8::from(A::PLACED);
    shape[5..9].copy_from_slice(&A::Key::MAX_SLOTS.to_le_bytes());
    shape[9..13].copy_from_slice(&layout.align.to_le_bytes());
    shape[13..].copy_from_slice(&layout.size.to_le_bytes());
    shape
}

/// Writes the slots that changed, the value of each by `put`.
pub(super) fn write<A: Revert>(
    container: &A,
    changed: &Marks,
    stream: DeltaStream,
    layout: DeltaLayout,
    mut put: impl FnMut(&A::Value, &mut Vec<u8>) -> Result<(), TrackError>,
) -> Result<Vec<u8>, TrackError> {
    let order = container.order(Vec::new())?;
    let (mut bytes, mut one) = (Vec::new(), Vec::new());
    let slots = || changed.slots().take_while(|&slot| slot < order.slots as usize);
    let count = slots().count();
    let values = count.saturating_mul(SLOT + size_of::<u64>() + size_of::<A::Value>());
    reserve(&mut bytes, values.saturating_add(FRAME + 4 * order.free.len()))?;
    reserve(&mut one, 1)?;
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.push(ORDER);
    bytes.extend_from_slice(&shape_of(container, layout));
    for number in [stream.identity, stream.sequence, order.mark.to_u64()] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    let ordered = order.free.len() as u32;
    let numbers = [stream.chain, order.slots, order.cursor, ordered, count as u32];
    for number in numbers.iter().chain(&order.free) {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    for slot in slots() {
        record(container, slot, &mut one);
        // (Encoded values may have taken more than their share.)
        reserve(&mut bytes, SLOT + size_of::<u64>())?;
        one.drain(..).try_for_each(|record| write_slot::<A>(&mut bytes, &record, &mut put))?;
    }
    let checksum = crc32fast::hash(&bytes).to_le_bytes();
    reserve(&mut bytes, checksum.len())?;
    bytes.extend_from_slice(&checksum);
    Ok(bytes)
}

#[inline]
fn write_slot<A: Track>(
    bytes: &mut Vec<u8>,
    record: &Record<A::Key, A::Kept>,
    put: impl FnOnce(&A::Value, &mut Vec<u8>) -> Result<(), TrackError>,
) -> Result<(), TrackError> {
    let (state, generation) = match &record.saved {
        Saved::Live(generation, _) => (LIVE, generation.to_u64()),
        Saved::Free(generation) => (1, generation.to_u64()),
        Saved::Detached(generation) => (2, generation.to_u64()),
        Saved::Retired => (3, 0),
    };
    let head = u128::from(record.slot) | u128::from(state) << 32 | u128::from(generation) << 64;
    bytes.extend_from_slice(&head.to_le_bytes());
    if let Saved::Live(_, kept) = &record.saved {
        let (value, at) = kept.value_at();
        if A::PLACED {
            bytes.extend_from_slice(&u64::from(at).to_le_bytes());
        }
        put(value, bytes)?;
    }
    Ok(())
}

/// Bytes that are read one after the other, and whose checksum is right.
#[derive(Clone)]
pub(super) struct Delta<'a> {
    bytes: &'a [u8],
    pub(super) checksum: u32,
}

impl<'a> Delta<'a> {
    #[inline]
    pub(super) fn open(delta: &'a [u8]) -> Result<Self, DeltaError> {
        let (bytes, checksum) = delta.split_last_chunk().ok_or(DeltaError::Damaged)?;
        let checksum = u32::from_le_bytes(*checksum);
        if crc32fast::hash(bytes) != checksum {
            return Err(DeltaError::Damaged);
        }
        Ok(Self { bytes, checksum })
    }

    #[inline]
    pub(super) const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    #[inline]
    fn take(&mut self, count: usize) -> Result<&'a [u8], DeltaError> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(DeltaError::Damaged)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], DeltaError> {
        let (taken, rest) = self.bytes.split_first_chunk().ok_or(DeltaError::Damaged)?;
        self.bytes = rest;
        Ok(*taken)
    }

    #[inline]
    fn u32(&mut self) -> Result<u32, DeltaError> {
        self.array().map(u32::from_le_bytes)
    }

    #[inline]
    fn u64(&mut self) -> Result<u64, DeltaError> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads the state that it is a delta of, which must be of the container's shape.
    pub(super) fn header<A: Track>(
        &mut self,
        container: &A,
        layout: DeltaLayout,
    ) -> Result<DeltaStream, DeltaError> {
        if self.array()? != MAGIC {
            return Err(DeltaError::Damaged);
        }
        match u16::from_le_bytes(self.array()?) {
            VERSION => {}
            found => return Err(DeltaError::Version { found }),
        }
        if self.array()? != [ORDER] {
            return Err(DeltaError::ByteOrder);
        }
        if self.array()? != shape_of(container, layout) {
            return Err(DeltaError::Shape);
        }
        let (identity, sequence) = (self.u64()?, self.u64()?);
        let chain = self.bytes.get(8..12).and_then(|chain| chain.try_into().ok());
        let chain = u32::from_le_bytes(chain.ok_or(DeltaError::Damaged)?);
        Ok(DeltaStream { identity, sequence, chain })
    }

    /// Reads the order of the next slots, and the number of slots that come.
    pub(super) fn order<A: Track>(&mut self) -> Result<(Order<A::Key>, u32), DeltaError> {
        let mark = MarkOf::<A::Key>::from_u64(self.u64()?).ok_or(DeltaError::Damaged)?;
        let [_chain, slots, cursor] = [self.u32()?, self.u32()?, self.u32()?];
        let [ordered, recorded] = [self.u32()?, self.u32()?];
        let listed = self.take((ordered as usize).saturating_mul(4))?;
        let mut free = Vec::new();
        reserve(&mut free, ordered as usize)?;
        free.extend(
            listed.chunks_exact(4).map(bytemuck::pod_read_unaligned::<u32>).map(u32::from_le),
        );
        Ok((Order { slots, cursor, free, mark }, recorded))
    }

    /// The next slot, whatever its numbers say; `None` if there are too few bytes.
    #[inline(always)]
    pub(super) fn slot<A: Track>(&mut self) -> Option<Read<'a>> {
        if let Some((read, rest)) = live::<A>(self.bytes) {
            self.bytes = rest;
            return Some(read);
        }
        let (head, rest) = self.bytes.split_first_chunk()?;
        let read = Read::new(head, 0, &[]);
        (read.state != LIVE).then(|| {
            self.bytes = rest;
            read
        })
    }

    /// The next slot, whose value is written by its length; `None` if there are too few bytes.
    pub(super) fn slot_by_length<A: Track>(&mut self) -> Option<Read<'a>> {
        let read = Read::new(&self.array().ok()?, 0, &[]);
        if read.state != LIVE {
            return Some(read);
        }
        let place = if A::PLACED { self.u64().ok()? } else { 0 };
        let length = self.u32().ok()?;
        Some(Read { place, value: self.take(length as usize).ok()?, ..read })
    }

    /// Skips slots of which only the value has changed and is valid, in ascending order from `next` on. Returns their
    /// number, at most `most`. (A function of its own, all of whose numbers are in registers.)
    #[inline(never)]
    pub(super) fn pass_values<A: Track<Value: Plain>>(
        &mut self,
        container: &A,
        order: &Order<A::Key>,
        next: &mut u32,
        most: u32,
    ) -> u32 {
        let (mut bytes, mut from, mut passed) = (self.bytes, *next, 0);
        while passed < most {
            let Some((read, rest)) = live::<A>(bytes) else { break };
            let is_next = read.slot >= from && read.slot < order.slots;
            // Only the value may be another: the slot has that key already, and its place.
            let is_known = |key| container.source(key).is_some();
            if !is_next
                || !read.key::<A>(order.mark).is_some_and(is_known)
                || A::PLACED && container.place_of(read.slot as usize) as u64 != read.place
                || read.value::<A::Value>().is_none()
            {
                break;
            }
            (bytes, from, passed) = (rest, read.slot + 1, passed + 1);
        }
        (self.bytes, *next) = (bytes, from);
        passed
    }

    /// Writes the values of the delta's slots over those that are there. (As above.)
    #[inline(never)]
    pub(super) fn write_values<A: Track<Value: Plain>>(
        mut self,
        container: &mut A,
        mark: MarkOf<A::Key>,
        count: u32,
    ) {
        for _ in 0..count {
            let Some(read) = self.slot::<A>() else { return };
            if let Some(key) = read.key::<A>(mark) {
                let value = checked::pod_read_unaligned(read.value);
                container.exchange_value(key, &mut Some(value));
            }
        }
    }
}

/// The first slot of these bytes, and what follows, if it has a value and they are enough.
#[inline(always)]
fn live<A: Track>(bytes: &[u8]) -> Option<(Read<'_>, &[u8])> {
    let placed = if A::PLACED { size_of::<u64>() } else { 0 };
    let (first, rest) = bytes.split_at_checked(SLOT + placed + size_of::<A::Value>())?;
    let (head, value) = first.split_first_chunk()?;
    let (place, value) = if A::PLACED {
        let (place, value) = value.split_first_chunk()?;
        (u64::from_le_bytes(*place), value)
    } else {
        (0, value)
    };
    Some((Read::new(head, place, value), rest)).filter(|(read, _)| read.state == LIVE)
}

/// A slot as it was read: its numbers, and the bytes of its value.
pub(super) struct Read<'a> {
    pub(super) slot: u32,
    state: u32,
    generation: u64,
    place: u64,
    pub(super) value: &'a [u8],
}

impl<'a> Read<'a> {
    #[inline(always)]
    fn new(head: &[u8; SLOT], place: u64, value: &'a [u8]) -> Self {
        let head = u128::from_le_bytes(*head);
        let (slot, state, generation) = (head as u32, (head >> 32) as u32, (head >> 64) as u64);
        Self { slot, state, generation, place, value }
    }

    /// The generation of a key. (The mark of a map says nothing of its keys, which are another container's.)
    #[inline]
    fn live<A: Track>(&self, mark: MarkOf<A::Key>) -> Option<GenerationOf<A::Key>> {
        GenerationOf::<A::Key>::live_from_u64(self.generation)
            .filter(|_| !A::ISSUES || mark.covers(self.generation))
    }

    /// The key that the slot has, and its value under it.
    #[inline]
    pub(super) fn key<A: Track>(&self, mark: MarkOf<A::Key>) -> Option<A::Key> {
        let generation = if self.state == LIVE { self.live::<A>(mark) } else { None };
        Some(A::Key::compose(self.slot, generation?))
    }

    /// Its value; `None` if the bytes are not one.
    #[inline]
    pub(super) fn value<V: Plain>(&self) -> Option<V> {
        checked::try_pod_read_unaligned(self.value).ok()
    }

    /// Returns the record that it is to be put into, with the value that `value` makes of its bytes; `None` if it
    /// cannot be that.
    pub(super) fn record<A: Track>(
        self,
        mark: MarkOf<A::Key>,
        value: impl FnOnce(&Self) -> Option<A::Value>,
    ) -> Option<Record<A::Key, A::Kept>> {
        let saved = match self.state {
            LIVE => {
                let (generation, at) = (self.live::<A>(mark)?, u32::try_from(self.place).ok()?);
                Saved::Live(generation, A::Kept::of(value(&self)?, at))
            }
            1 => Saved::Free(GenerationOf::<A::Key>::free_from_u64(self.generation)?),
            2 => Saved::Detached(self.live::<A>(mark)?),
            3 if GenerationOf::<A::Key>::VERSIONED => Saved::Retired,
            _ => return None,
        };
        Some(Record { slot: self.slot, saved })
    }
}

/// Adds to the records of a map those of values that they do not name: these are to go.
pub(super) fn record_others<A: Track>(
    container: &A,
    records: &mut Records<A>,
) -> Result<(), TryReserveError> {
    let named = records.len();
    for (word, live) in container.live_words() {
        for slot in bits(live).map(|bit| (word * WORD + bit) as u32) {
            if records[..named].binary_search_by_key(&slot, |record| record.slot).is_err() {
                reserve(records, 1)?;
                records.push(Record { slot, saved: Saved::Free(Generation::RETIRED) });
            }
        }
    }
    records.sort_unstable_by_key(|record| record.slot);
    Ok(())
}

/// Returns whether the mark covers the keys of slots without a record, which it did before.
pub(super) fn covers<A: Track>(
    container: &A,
    records: &Records<A>,
    before: &Order<A::Key>,
    order: &Order<A::Key>,
) -> bool {
    if !A::ISSUES || order.mark.to_u64() >= before.mark.to_u64() {
        return true;
    }
    let mut records = records.iter().map(|record| record.slot as usize).peekable();
    (0..before.slots.min(order.slots) as usize).all(|slot| {
        records.next_if_eq(&slot).is_some()
            || match container.state(slot) {
                Saved::Live(generation, ()) | Saved::Detached(generation) => {
                    order.mark.covers(generation.to_u64())
                }
                Saved::Free(_) | Saved::Retired => true,
            }
    })
}

/// Returns whether values without a record, and those of records where they say, lie side by side, each in a place of
/// its own.
pub(super) fn fits<A: Track>(
    container: &A,
    records: &Records<A>,
    order: &Order<A::Key>,
) -> Result<bool, TryReserveError> {
    if !A::PLACED {
        return Ok(true);
    }
    let moves = |key: A::Key| {
        let recorded = records.binary_search_by_key(&key.slot(), |record| record.slot);
        key.slot() >= order.slots || recorded.is_ok()
    };
    let mut places = Vec::new();
    reserve(&mut places, records.len())?;
    for Record { saved, .. } in records {
        if let Saved::Live(_, kept) = saved {
            places.push(kept.value_at().1 as usize);
        }
    }
    places.sort_unstable();
    let distinct = places.windows(2).all(|two| two[0] != two[1]);
    let is_live = |&slot: &usize| container.key_at(slot).is_some();
    let recorded = records.iter().map(|record| record.slot as usize);
    let surplus = order.slots as usize..container.slots();
    let stay = container.placed_count() - recorded.chain(surplus).filter(is_live).count();
    let all = stay + places.len();
    let free = |&place: &usize| container.placed(place).is_none_or(moves);
    Ok(distinct
        && places.last().is_none_or(|&last| last < all)
        && places.iter().all(free)
        && (all..container.placed_count()).filter_map(|place| container.placed(place)).all(moves))
}
