//! A pool of lists as a section of a snapshot: handles stay good.

use crate::snapshot::io;
use alloc::vec::Vec;

use super::{FIRST, ListPool, NUMBERS, UNBRANDED};
use crate::pools::saved::Slots;
use crate::raw::lists::ListKey;
use crate::scratch::reserve_exact;
use crate::snapshot::format::{Sink, Source};
use crate::snapshot::{Load, Plain, Save, SnapshotErrorKind, sealed};

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
        let has_brand = brand != UNBRANDED;
        if above % 2 != 0 || above > LAST / 2 || !NUMBERS.has(brand.saturating_sub(FIRST)) {
            return Err(wrong());
        }
        if !has_brand && !slots.lives.is_empty() {
            return Err(wrong());
        }
        let (lengths, count) = (from.slice::<u64>("lengths")?, from.count("values")?);
        let values = from.values::<T>("values", count)?;
        let wrong = || Source::invalid("the lists are not as long as it says");
        let (mut rest, mut lengths) = (&values[..], lengths.into_iter());
        let mut pool = Self::new();
        if has_brand {
            // As a clone: another pool of this program may have the number.
            NUMBERS.share(brand - FIRST);
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
