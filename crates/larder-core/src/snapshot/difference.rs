//! The difference of two files: what is copied of the old one, and what is new. What the bytes mean is in
//! `docs/snapshot-format.md`.

use alloc::vec::Vec;

use super::error::{Kind, SnapshotError};
use crate::error::TryReserveError;
use crate::room::{reserve, reserve_exact};

const MAGIC: [u8; 8] = *b"larder\x1ax";

const VERSION: u8 = 1;

/// The number of bytes in a block of the old file, by which its bytes are found again: at least that many are copied.
const BLOCK: usize = 32;

/// Magic, version, length of the new file, and the checksums of both.
const HEADER: usize = 25;

/// The number of times that the old file may be copied in all, so that a difference that was made to deceive does not
/// make a file much longer than both.
const COPIES: u64 = 2;

/// Returns what has to be known of a file by who has an earlier one: a delta of everything that is in a snapshot.
/// O(bytes of both).
///
/// It is about as long as what has changed, also where bytes were inserted or removed in between, as in the list of a
/// tree or an index. Each is made against the file that is passed: the last that the peer is known to have, say, so
/// that a packet that is lost costs a difference, or the last one of a journal. Of a large container that changes
/// little, a [delta](crate::track) takes less time.
///
/// # Errors
/// If allocation fails.
///
/// # Examples
/// ```
/// use larder::pools::ListPool;
/// use larder::snapshot::{Saver, Snapshot, difference, patched};
///
/// fn bytes(lists: &ListPool<u32>) -> Vec<u8> {
///     let mut file = std::io::Cursor::new(Vec::new());
///     Saver::new().section("lists", lists).write_to(&mut file).unwrap();
///     file.into_inner()
/// }
///
/// let mut lists = ListPool::new();
/// let mut all: Vec<_> = (0..500).map(|number| lists.make([number; 4])).collect();
/// let old = bytes(&lists);
/// lists.push(&mut all[7], 700);
/// let new = bytes(&lists);
/// let delta = difference(&old, &new)?;
/// assert!(new.len() > 12_000 && delta.len() < 500);
///
/// let there = patched(&old, &delta)?;
/// let lists: ListPool<u32> = Snapshot::from_reader(std::io::Cursor::new(there))?.load("lists")?;
/// assert_eq!(lists[all[7]], [7, 7, 7, 7, 700]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn difference(old: &[u8], new: &[u8]) -> Result<Vec<u8>, TryReserveError> {
    let blocks = HashedBlocks::of(old)?;
    let mut to = Vec::new();
    append(&mut to, &MAGIC)?;
    append(&mut to, &[VERSION])?;
    append(&mut to, &(new.len() as u64).to_le_bytes())?;
    append(&mut to, &crc32fast::hash(old).to_le_bytes())?;
    append(&mut to, &crc32fast::hash(new).to_le_bytes())?;
    let mut left = COPIES * old.len() as u64;
    // Bytes from `begun` on are not written yet; those before `at` are not in the old file. `next` is where what was
    // copied last goes on there.
    let (mut begun, mut at, mut next) = (0, 0, 0);
    let mut hash = None;
    while let Some(block) = new.get(at..at + BLOCK) {
        let is_here = |from: usize| old.get(from..from + BLOCK) == Some(block);
        let straight = next + (at - begun);
        let found = if is_here(straight) {
            Some(straight)
        } else {
            let hash = *hash.get_or_insert_with(|| hash_of(block));
            blocks.search(hash, is_here).ok()
        };
        let Some(mut from) = found else {
            hash = hash.zip(new.get(at + BLOCK)).map(|(hash, &last)| rolled(hash, block[0], last));
            at += 1;
            continue;
        };
        let back = (begun..at).rev().zip((0..from).rev());
        let back = back.take_while(|&(here, there)| new[here] == old[there]).count();
        (at, from) = (at - back, from - back);
        let most = usize::try_from(left).unwrap_or(usize::MAX);
        let both = new[at..].iter().zip(&old[from..]).take(most);
        let count = both.take_while(|(here, there)| here == there).count();
        if count < BLOCK {
            break; // enough was copied
        }
        number(&mut to, (at - begun) as u64)?;
        append(&mut to, &new[begun..at])?;
        number(&mut to, from as u64)?;
        number(&mut to, count as u64)?;
        left -= count as u64;
        (at, next, hash) = (at + count, from + count, None);
        begun = at;
    }
    number(&mut to, (new.len() - begun) as u64)?;
    append(&mut to, &new[begun..])?;
    let sum = crc32fast::hash(&to);
    append(&mut to, &sum.to_le_bytes())?;
    Ok(to)
}

/// Returns the new file of a [`difference`] and the old file that it was made of. O(bytes of both).
///
/// # Errors
/// If the difference is damaged, or was made of another file, or allocation fails. No more memory is asked for than for
/// both, and the old file once more, whatever the bytes are.
///
/// # Examples
/// ```
/// use larder::snapshot::{difference, patched};
///
/// let delta = difference(b"wren", b"wrens")?;
/// assert_eq!(patched(b"wren", &delta)?, b"wrens");
/// let error = patched(b"kite", &delta).unwrap_err();
/// assert_eq!(error.to_string(), "the difference was made of another file");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn patched(old: &[u8], difference: &[u8]) -> Result<Vec<u8>, SnapshotError> {
    new_of(old, difference).map_err(|kind| SnapshotError::of("", kind))
}

const DAMAGED: Kind = Kind::Damaged { what: "the difference" };

#[inline]
fn new_of(old: &[u8], difference: &[u8]) -> Result<Vec<u8>, Kind> {
    let (bytes, sum) = difference.split_last_chunk().ok_or(DAMAGED)?;
    let (header, mut rest) = bytes.split_first_chunk::<HEADER>().ok_or(DAMAGED)?;
    if header[..8] != MAGIC || crc32fast::hash(bytes) != u32::from_le_bytes(*sum) {
        return Err(DAMAGED);
    }
    if header[8] != VERSION {
        return Err(Kind::Version { found: header[8].into() });
    }
    let of = |at: usize| u32::from_le_bytes(core::array::from_fn(|byte| header[at + byte]));
    let length = u64::from(of(9)) | u64::from(of(13)) << 32;
    if crc32fast::hash(old) != of(17) {
        return Err(Kind::Invalid { what: "the difference was made of another file" });
    }
    let most = COPIES * old.len() as u64 + rest.len() as u64;
    let length = usize::try_from(length).ok().filter(|&length| length as u64 <= most);
    let length = length.ok_or(DAMAGED)?;
    let mut new = Vec::new();
    reserve_exact(&mut new, length)?;
    loop {
        let count = read(&mut rest)?;
        let (fresh, after) = rest.split_at_checked(count).ok_or(DAMAGED)?;
        rest = after;
        let copied = if rest.is_empty() {
            &[][..]
        } else {
            let (from, count) = (read(&mut rest)?, read(&mut rest)?);
            let end = from.checked_add(count).ok_or(DAMAGED)?;
            old.get(from..end).ok_or(DAMAGED)?
        };
        if fresh.len() + copied.len() > length - new.len() {
            return Err(DAMAGED);
        }
        new.extend_from_slice(fresh);
        new.extend_from_slice(copied);
        if rest.is_empty() {
            break;
        }
    }
    if new.len() == length && crc32fast::hash(&new) == of(21) { Ok(new) } else { Err(DAMAGED) }
}

#[inline]
fn append(to: &mut Vec<u8>, bytes: &[u8]) -> Result<(), TryReserveError> {
    reserve(to, bytes.len())?;
    to.extend_from_slice(bytes);
    Ok(())
}

/// Appends a number, seven bits a byte, the lowest first; all bytes but the last have the highest bit set.
#[inline]
fn number(to: &mut Vec<u8>, mut number: u64) -> Result<(), TryReserveError> {
    while number >= 0x80 {
        append(to, &[number as u8 | 0x80])?;
        number >>= 7;
    }
    append(to, &[number as u8])
}

#[inline]
fn read(from: &mut &[u8]) -> Result<usize, Kind> {
    let mut number = 0_u64;
    for shift in (0..63).step_by(7) {
        let (&byte, rest) = from.split_first().ok_or(DAMAGED)?;
        *from = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return usize::try_from(number).map_err(|_| DAMAGED);
        }
    }
    Err(DAMAGED)
}

/// An odd number, whose powers are the weights of bytes in a hash.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// The weight of a byte that is followed by a whole block.
const GONE: u64 = {
    let (mut weight, mut count) = (1_u64, 0);
    while count < BLOCK {
        weight = weight.wrapping_mul(BASE);
        count += 1;
    }
    weight
};

#[inline]
fn hash_of(block: &[u8]) -> u64 {
    let next = |hash: u64, &byte: &u8| hash.wrapping_mul(BASE).wrapping_add(byte.into());
    block.iter().fold(0, next)
}

/// The hash of a block without its first byte, and with one more.
#[inline]
const fn rolled(hash: u64, first: u8, last: u8) -> u64 {
    let hash = hash.wrapping_mul(BASE).wrapping_add(last as u64);
    hash.wrapping_sub(GONE.wrapping_mul(first as u64))
}

/// The blocks of a file by their hashes: a table with linear probing, at most half full. Blocks with the same bytes are
/// in it once.
struct HashedBlocks {
    /// The number of a block, from 1 on; 0 if there is none.
    places: Vec<u32>,
}

/// The number of places at which a block may be. (Bytes that were chosen so that their hashes meet are written anew.)
const PROBES: usize = 16;

impl HashedBlocks {
    #[inline]
    fn of(file: &[u8]) -> Result<Self, TryReserveError> {
        let count = file.len() / BLOCK;
        let mut places = Vec::new();
        let room = (2 * count).next_power_of_two();
        reserve_exact(&mut places, room)?;
        places.resize(room, 0);
        let mut blocks = Self { places };
        for (number, block) in (1..=u32::MAX).zip(file.chunks_exact(BLOCK)) {
            let is_it = |from: usize| file[from..from + BLOCK] == *block;
            if let Err(Some(free)) = blocks.search(hash_of(block), is_it) {
                blocks.places[free] = number;
            }
        }
        Ok(blocks)
    }

    /// Returns where in the file the block is that `is_it` accepts; or else the place at which it would be, if that is
    /// free.
    #[inline]
    fn search(&self, hash: u64, is_it: impl Fn(usize) -> bool) -> Result<usize, Option<usize>> {
        let first = (hash ^ hash >> 32) as usize;
        for step in 0..PROBES {
            let place = first.wrapping_add(step) & (self.places.len() - 1);
            let Some(number) = self.places[place].checked_sub(1) else { return Err(Some(place)) };
            let from = number as usize * BLOCK;
            if is_it(from) {
                return Ok(from);
            }
        }
        Err(None)
    }
}
