//! Pools as sections of snapshots: handles and symbols remain valid.

use alloc::vec::Vec;
#[cfg(feature = "hashbrown")]
use core::hash::BuildHasher;

use super::list_pool::{self, ListPool};
use super::pool_numbers::GENERATIONS;
#[cfg(feature = "hashbrown")]
use super::string_pool::{KEPT, Numbering, StringPool};
use crate::pools::raw::lists::ListKey;
#[cfg(feature = "hashbrown")]
use crate::pools::raw::texts::LIFE_AT;
use crate::scratch::reserve_exact;
use crate::snapshot::format::{Sink, Source};
use crate::snapshot::{Load, Plain, Save, SnapshotErrorKind, io, sealed};

/// The slots of a pool in a file. Slots with a text or a list have odd lives; a slot that had its last life is retired,
/// and stored as 0.
struct Slots {
    lives: Vec<u32>,
    free: Vec<u32>,
    most: u32,
}

impl Slots {
    /// Reads and checks the saved slots; lives are at most `most`, an odd number.
    fn read(from: &mut Source<'_>, most: u32) -> Result<Self, SnapshotErrorKind> {
        let (lives, free) = (from.slice::<u32>("lives")?, from.slice::<u32>("free")?);
        let mut missing = Vec::new();
        reserve_exact(&mut missing, lives.len())?;
        missing.extend(lives.iter().map(|life| life % 2 == 0 && *life != 0));
        let mut take = |&slot: &u32| {
            missing.get_mut(slot as usize).is_some_and(|free| core::mem::replace(free, false))
        };
        let all = free.iter().all(&mut take);
        if !all || missing.contains(&true) || lives.iter().any(|&life| life > most) {
            return Err(Source::invalid("the free slots are not those whose lives are over"));
        }
        Ok(Self { lives, free, most })
    }

    /// The life that a slot has had until it was freed.
    const fn last_life(&self, life: u32) -> u32 {
        match life {
            0 => self.most,
            life if life % 2 == 0 => life - 1,
            life => life,
        }
    }

    /// The slots that are to be freed, in that order: so the free ones are taken as they would have been.
    fn to_free(&self) -> impl Iterator<Item = u32> {
        let retired = (0..).zip(&self.lives).filter(|(_, life)| **life == 0).map(|(slot, _)| slot);
        retired.chain(self.free.iter().rev().copied())
    }
}

impl<T: Plain> sealed::Sealed for ListPool<T> {}

impl<T: Plain> Save for ListPool<T> {
    fn kind(&self) -> &'static str {
        "lists"
    }

    fn write(&self, to: &mut Sink<'_>) -> io::Result<()> {
        let (lives, free, above) = self.lists.saved_heads();
        let lists = self.lists.iter().map(|(_, values)| values);
        to.number("brand", self.lists.brand().into())?;
        to.number("above", above.into())?;
        to.each("lives", lives)?;
        to.each("free", free)?;
        to.each("lengths", lists.clone().map(|list| list.len() as u64))?;
        to.each("values", lists.flatten().copied())
    }
}

impl<T: Plain> Load for ListPool<T> {
    const KIND: &'static str = "lists";

    fn read(from: &mut Source<'_>) -> Result<Self, SnapshotErrorKind> {
        const LAST: u32 = (1 << ListKey::GENERATION_BITS) - 1;

        let slots = Slots::read(from, LAST)?;
        let wrong = || Source::invalid("no pool of lists has that number");
        let brand = u16::try_from(from.number("brand")?).map_err(|_| wrong())?;
        let above = u32::try_from(from.number("above")?).map_err(|_| wrong())?;
        let has_brand = brand != list_pool::UNBRANDED;
        if above % 2 != 0
            || above > GENERATIONS / 2
            || !list_pool::NUMBERS.has(brand.saturating_sub(list_pool::FIRST))
        {
            return Err(wrong());
        }
        if !has_brand && !slots.lives.is_empty() {
            return Err(wrong());
        }
        let (lengths, count) = (from.slice::<u64>("lengths")?, from.count("values")?);
        let values = from.values::<T>("values", count)?;
        let wrong = || Source::invalid("the lists' lengths do not match their values");
        let (mut rest, mut lengths) = (&values[..], lengths.into_iter());
        let mut pool = Self::new();
        if has_brand {
            // The pool shares its number, like a clone, because another pool of this program may have it.
            list_pool::NUMBERS.share(brand - list_pool::FIRST);
            pool.lists.set_brand(brand, above);
        }
        let mut keys = Vec::new();
        reserve_exact(&mut keys, slots.lives.len())?;
        for &life in &slots.lives {
            let length = if life % 2 == 1 { lengths.next() } else { Some(0) };
            let length = length.and_then(|length| usize::try_from(length).ok());
            let (list, after) =
                length.and_then(|length| rest.split_at_checked(length)).ok_or_else(wrong)?;
            rest = after;
            keys.push(pool.lists.append(list, slots.last_life(life))?);
        }
        if !rest.is_empty() || lengths.next().is_some() {
            return Err(wrong());
        }
        slots.to_free().for_each(|slot| _ = pool.lists.free(keys[slot as usize]));
        Ok(pool)
    }
}

#[cfg(feature = "hashbrown")]
impl<S> sealed::Sealed for StringPool<S> {}

#[cfg(feature = "hashbrown")]
impl<S> Save for StringPool<S> {
    fn kind(&self) -> &'static str {
        "texts"
    }

    fn write(&self, to: &mut Sink<'_>) -> io::Result<()> {
        let (lives, free) = self.texts.saved_slots();
        let texts = self.texts.iter().map(|(.., text)| text);
        to.number("numbering", self.numbering.to_bits().into())?;
        to.each("lives", lives)?;
        to.each("free", free)?;
        let slots = self.texts.slots().min(self.references.len());
        to.slice("references", &self.references[..slots])?;
        to.each("lengths", texts.clone().map(|text| text.len() as u64))?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(texts.clone().map(str::len).sum())?;
        texts.for_each(|text| bytes.extend_from_slice(text.as_bytes()));
        to.slice("bytes", &bytes)
    }
}

#[cfg(feature = "hashbrown")]
impl<S: BuildHasher + Default> Load for StringPool<S> {
    const KIND: &'static str = "texts";

    fn read(from: &mut Source<'_>) -> Result<Self, SnapshotErrorKind> {
        let numbering =
            u32::try_from(from.number("numbering")?).ok().and_then(Numbering::from_bits);
        let numbering = numbering.ok_or(Source::invalid("no pool has that number"))?;
        let slots = Slots::read(from, (1 << (u32::BITS - LIFE_AT)) - 1)?;
        let (references, lengths) =
            (from.slice::<u32>("references")?, from.slice::<u64>("lengths")?);
        let bytes = from.slice::<u8>("bytes")?;
        let wrong = || {
            Source::invalid("the texts' lengths do not match their bytes, or these are not UTF-8")
        };
        let (mut rest, mut lengths) =
            (core::str::from_utf8(&bytes).map_err(|_| wrong())?, lengths.into_iter());
        let mut pool = Self::begin(0, S::default());
        pool.numbering = numbering;
        pool.reserve_slots(slots.lives.len())?;
        // (At once: a table grows by all texts that there are, and slots that will be free have one below.)
        pool.reserve_table(lengths.len())?;
        for (slot, &life) in (0_u32..).zip(&slots.lives) {
            if life % 2 == 1 {
                let length = lengths.next().and_then(|length| usize::try_from(length).ok());
                let (text, after) =
                    length.and_then(|length| rest.split_at_checked(length)).ok_or_else(wrong)?;
                rest = after;
                let Err(hash) = pool.look_up(text) else {
                    return Err(Source::invalid("a text occurs twice"));
                };
                let references = references.get(slot as usize).copied().unwrap_or(KEPT);
                if references == 0 {
                    return Err(Source::invalid("a text has no reference"));
                }
                pool.add(text, hash, references)?;
            } else {
                pool.texts.put("", true)?;
            }
            pool.texts.set_life(slot, slots.last_life(life));
        }
        if !rest.is_empty() || lengths.next().is_some() {
            return Err(wrong());
        }
        slots.to_free().for_each(|slot| pool.texts.remove(slot));
        Ok(pool)
    }
}
