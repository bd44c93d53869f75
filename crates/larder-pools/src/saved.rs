//! Pools as their slots, and what these have: handles and symbols remain valid.

use alloc::vec::Vec;
#[cfg(feature = "hashbrown")]
use core::hash::BuildHasher;

use super::list_pool::{self, ListPool};
use super::pool_numbers::GENERATIONS;
#[cfg(feature = "hashbrown")]
use super::string_pool::{KEPT, StringPool};
use crate::list_handle::ListKey;
#[cfg(feature = "hashbrown")]
use crate::symbol::{LIFE_AT, Numbering};
#[cfg(feature = "hashbrown")]
use larder_core::parts::Texts;
use larder_core::parts::{Encoder, FromParts, Lists, LoadError, Loaded, Part, Parts};
use larder_core::room::reserve_exact;

const WRONG_LISTS: LoadError =
    LoadError::Invalid { what: "the lists' lengths do not match their values" };
#[cfg(feature = "hashbrown")]
const WRONG_TEXTS: LoadError = LoadError::Invalid {
    what: "the texts' lengths do not match their bytes, or these are not UTF-8",
};

/// Returns whether the lengths of lists are those of all their values.
fn is_whole<V>(lists: &Lists<V>) -> bool {
    let sum = lists.lengths.iter().try_fold(0_usize, |sum, &length| sum.checked_add(length));
    sum == Some(lists.values.len())
}

/// The slots of a pool as they are saved. Slots with a text or a list have odd lives; a slot that had its last life is
/// retired, and saved as 0.
struct Slots {
    lives: Vec<u32>,
    free: Vec<u32>,
    most: u32,
}

impl Slots {
    /// Checks the saved slots; lives are at most `most`, an odd number. If not `live` of
    /// them are odd, it is `wrong`.
    #[inline]
    fn of(
        [lives, free]: [Vec<u32>; 2],
        most: u32,
        live: usize,
        wrong: LoadError,
    ) -> Result<Self, LoadError> {
        let mut missing = Vec::new();
        reserve_exact(&mut missing, lives.len())?;
        missing.extend(lives.iter().map(|life| life % 2 == 0 && *life != 0));
        let mut take = |&slot: &u32| {
            missing.get_mut(slot as usize).is_some_and(|free| core::mem::replace(free, false))
        };
        let all = free.iter().all(&mut take);
        if !all || missing.contains(&true) || lives.iter().any(|&life| life > most) {
            return Err(LoadError::Invalid {
                what: "the free slots are not those whose lives are over",
            });
        }
        if lives.iter().filter(|life| *life % 2 == 1).count() != live {
            return Err(wrong);
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
    #[inline]
    fn to_free(&self) -> impl Iterator<Item = u32> {
        let retired = (0..).zip(&self.lives).filter(|(_, life)| **life == 0).map(|(slot, _)| slot);
        retired.chain(self.free.iter().rev().copied())
    }
}

impl<T> Parts for ListPool<T> {
    const KIND: &'static str = "lists";
    const PARTS: &'static [Part] = &[
        Part::number("brand"),
        Part::number("above"),
        Part::column("lives"),
        Part::column("free"),
    ];
    const NAME: &'static str = "ListPool";
    const LIST: &'static str = "lists";
    type List = Lists<T>;

    fn save<E: Encoder<Lists<T>>>(&self, to: &mut E) -> Result<(), E::Error> {
        let (lives, free, above) = self.lists.saved_heads();
        to.number("brand", self.lists.brand().into())?;
        to.number("above", above.into())?;
        to.column("lives", lives)?;
        to.column("free", free)?;
        to.list(self.lists.iter().map(|(_, values)| values))
    }
}

impl<T> FromParts for ListPool<T> {
    fn load(mut parts: Loaded<Lists<T>>) -> Result<Self, LoadError> {
        const LAST: u32 = (1 << ListKey::GENERATION_BITS) - 1;
        const WRONG: LoadError = LoadError::Invalid { what: "no pool of lists has that number" };

        if !is_whole(&parts.list) {
            return Err(WRONG_LISTS);
        }
        let columns = ["lives", "free"].map(|name| parts.column(name));
        let slots = Slots::of(columns, LAST, parts.list.lengths.len(), WRONG_LISTS)?;
        let brand = u16::try_from(parts.number("brand")).map_err(|_| WRONG)?;
        let above = u32::try_from(parts.number("above")).map_err(|_| WRONG)?;
        let has_brand = brand != list_pool::UNBRANDED;
        if above % 2 != 0
            || above > GENERATIONS / 2
            || !list_pool::NUMBERS.has(brand.saturating_sub(list_pool::FIRST))
            || (!has_brand && !slots.lives.is_empty())
        {
            return Err(WRONG);
        }
        let mut pool = Self::new();
        if has_brand {
            // The pool shares its number, like a clone, because another pool of this program may have it.
            list_pool::NUMBERS.share(brand - list_pool::FIRST);
            pool.lists.set_brand(brand, above);
        }
        let Lists { mut values, lengths } = parts.list;
        let (mut keys, mut rest) = (Vec::new(), lengths.iter());
        reserve_exact(&mut keys, slots.lives.len())?;
        for &life in &slots.lives {
            let room = if life % 2 == 1 { rest.next().copied() } else { None };
            keys.push(pool.lists.append(room.unwrap_or(0), slots.last_life(life))?);
        }
        // (From the last one on, so that what is left of the values stays where it is.)
        let live = keys.iter().zip(&slots.lives).rev().filter(|(_, life)| *life % 2 == 1);
        for ((&list, _), &length) in live.zip(lengths.iter().rev()) {
            pool.lists.fill_from_last(list, &mut values, length);
        }
        slots.to_free().for_each(|slot| _ = pool.lists.free(keys[slot as usize]));
        Ok(pool)
    }
}

#[cfg(feature = "hashbrown")]
impl<S> Parts for StringPool<S> {
    const KIND: &'static str = "texts";
    const PARTS: &'static [Part] = &[
        Part::number("numbering"),
        Part::column("lives"),
        Part::column("free"),
        Part::column("references"),
    ];
    const NAME: &'static str = "StringPool";
    const LIST: &'static str = "texts";
    type List = Texts;

    fn save<E: Encoder<Texts>>(&self, to: &mut E) -> Result<(), E::Error> {
        let (lives, free) = self.texts.saved_slots();
        to.number("numbering", self.numbering.to_bits().into())?;
        to.column("lives", lives)?;
        to.column("free", free)?;
        to.column("references", self.references.iter().copied().take(self.texts.slots()))?;
        to.list(self.texts.iter().map(|(.., text)| text))
    }
}

#[cfg(feature = "hashbrown")]
impl<S: BuildHasher + Default> FromParts for StringPool<S> {
    fn load(mut parts: Loaded<Texts>) -> Result<Self, LoadError> {
        let numbering = parts.number("numbering");
        let columns = ["lives", "free", "references"].map(|name| parts.column(name));
        Self::of_saved(numbering, columns, parts.list.0)
    }
}

#[cfg(feature = "hashbrown")]
impl<S: BuildHasher + Default> StringPool<S> {
    /// Makes a pool of the parts that were saved of one, in their order.
    pub(super) fn of_saved(
        numbering: u64,
        [lives, free, references]: [Vec<u32>; 3],
        texts: Lists<u8>,
    ) -> Result<Self, LoadError> {
        let invalid = |what| LoadError::Invalid { what };
        if !is_whole(&texts) {
            return Err(WRONG_TEXTS);
        }
        let numbering = u32::try_from(numbering).ok().and_then(Numbering::from_bits);
        let numbering = numbering.ok_or(invalid("no pool has that number"))?;
        let most = (1 << (u32::BITS - LIFE_AT)) - 1;
        let Lists { values, lengths } = texts;
        let slots = Slots::of([lives, free], most, lengths.len(), WRONG_TEXTS)?;
        let mut pool = Self::begin(0, S::default());
        pool.numbering = numbering;
        pool.reserve_slots(slots.lives.len())?;
        // (At once: a table grows by all texts that there are, and slots that will be free have one below.)
        pool.reserve_table(lengths.len())?;
        let (mut rest, mut lengths) = (&values[..], lengths.into_iter());
        for (slot, &life) in (0_u32..).zip(&slots.lives) {
            if life % 2 == 1 {
                let (text, after) = rest.split_at(lengths.next().unwrap_or(0));
                rest = after;
                let text = core::str::from_utf8(text);
                let text = text.map_err(|_| WRONG_TEXTS)?;
                let Err(hash) = pool.look_up(text) else {
                    return Err(invalid("a text occurs twice"));
                };
                let references = references.get(slot as usize).copied().unwrap_or(KEPT);
                if references == 0 {
                    return Err(invalid("a text has no reference"));
                }
                pool.add(text, hash, references)?;
            } else {
                pool.texts.put("", true)?;
            }
            pool.texts.set_life(slot, slots.last_life(life));
        }
        slots.to_free().for_each(|slot| pool.texts.remove(slot));
        Ok(pool)
    }
}
