//! A pool of texts as a section of a snapshot: symbols stay good.

use crate::snapshot::io;
use alloc::vec::Vec;
use core::hash::BuildHasher;

use super::symbol::Numbering;
use super::{KEPT, StringPool};
use crate::pools::saved::Slots;
use crate::raw::texts::LIFE_AT;
use crate::snapshot::format::{Sink, Source};
use crate::snapshot::{Load, Save, SnapshotErrorKind, sealed};

impl<S> sealed::Sealed for StringPool<S> {}

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
        let wrong = || Source::invalid("the texts are not as long as it says, or no texts");
        let (mut rest, mut lengths) =
            (core::str::from_utf8(&bytes).map_err(|_| wrong())?, lengths.into_iter());
        let mut pool = Self { numbering, ..Self::numbered(0, S::default()) };
        pool.reserve_slots(slots.lives.len())?;
        for (slot, &life) in (0_u32..).zip(&slots.lives) {
            if life % 2 == 1 {
                let length = lengths.next().and_then(|length| usize::try_from(length).ok());
                let (text, after) =
                    length.and_then(|length| rest.split_at_checked(length)).ok_or_else(wrong)?;
                rest = after;
                let Err(hash) = pool.look_up(text) else {
                    return Err(Source::invalid("a text is there twice"));
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
