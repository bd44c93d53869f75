//! Saving and loading with serde.
//!
//! A container is saved with everything that decides which keys answer and which key comes next:
//! generations, detached and retired slots, the order of reuse. A loaded container grows, whatever
//! memory the saved one had. What is loaded is hostile until checked: every wrong input is an error.
//!
//! Formats that name their fields (JSON, RON) can also hold a map of the crate `slotmap`, whose
//! form is a list of slots; a key is the same there and here.

#[cfg(feature = "trees")]
mod hierarchy;
#[cfg(feature = "indices")]
mod index;
mod keys;
mod side;

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::containers::arena::Arena;
use crate::containers::dense_arena::DenseArena;
use crate::containers::paged_arena::PagedArena;
use crate::key::Key;
use crate::raw::generation::{Generation, Mark};
use crate::raw::occupancy::Occupancy;
use crate::raw::packed::Packed;
use crate::raw::rows::Rows;
use crate::raw::slots::{GenerationOf, MarkOf, Saved, Slots};
use crate::stats::Reuse;

/// The form in which a container is saved.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Arena", deny_unknown_fields)]
struct Form<T> {
    reuse: Reuse,
    /// The generation that fresh slots start at, or the last serial number.
    mark: u64,
    /// The word of 64 slots that a search for free slots begins with.
    current: u32,
    /// Generation and value of every slot.
    slots: Vec<(u64, Option<T>)>,
    /// Slot and generation of every detached key.
    detached: Vec<(u32, u64)>,
    retired: Vec<u32>,
    /// The free slots that are used first, in order, where that does not follow from the rest.
    free: Vec<u32>,
    /// The slots of a dense container in the order of their values; empty for an arena.
    order: Vec<u32>,
}

/// A slot as `slotmap` saves it.
#[derive(Deserialize)]
struct SlotmapSlot<T> {
    value: Option<T>,
    version: u32,
}

/// A container in its form.
fn save<'a, K: Key, C: Slots<K, Book = Occupancy>, T: 'a>(
    container: &C,
    order: Vec<u32>,
    entry: impl Fn(usize) -> Option<(u64, &'a T)>,
) -> Form<&'a T> {
    let ledger = container.ledger();
    let book = &ledger.book;
    let slots = (0..book.slots()).map(|slot| match entry(slot) {
        Some((generation, value)) => (generation, Some(value)),
        None if book.is_hole(slot) => (container.remembered(slot).to_u64(), None),
        None => (0, None),
    });
    let (detached, retired): (Vec<_>, Vec<_>) =
        book.taken_slots().partition(|&slot| container.is_detached(slot));
    let awaited = |slot: usize| (slot as u32, container.remembered(slot).awaited().to_u64());
    Form {
        reuse: book.reuse(),
        mark: ledger.mark.to_u64(),
        current: book.cursor() as u32,
        slots: slots.collect(),
        detached: detached.into_iter().map(awaited).collect(),
        retired: retired.into_iter().map(|slot| slot as u32).collect(),
        free: book.free_order().collect(),
        order,
    }
}

/// The container of a form.
fn load<K: Key, C: Slots<K, Book = Occupancy>, E: Error>(
    mut container: C,
    form: Form<C::Value>,
) -> Result<(C, Vec<u32>), E> {
    let mut detached = form.detached.into_iter().peekable();
    let mut retired = form.retired.into_iter().peekable();
    let mut newest = 0;
    container.try_reserve(form.slots.len()).map_err(E::custom)?;
    for (slot, (generation, value)) in form.slots.into_iter().enumerate() {
        let slot = u32::try_from(slot).map_err(|_| E::custom("more slots than a key can name"))?;
        let wrong = || E::custom(format_args!("slot {slot} cannot have generation {generation}"));
        let live = |bits| GenerationOf::<K>::live_from_u64(bits);
        let awaited = detached.next_if(|&(at, _)| at == slot);
        let is_retired = retired.next_if_eq(&slot).is_some();
        let saved = match (value, awaited, is_retired) {
            (Some(value), None, false) => {
                newest = newest.max(generation);
                Saved::Live(live(generation).ok_or_else(wrong)?, value)
            }
            (None, Some((_, awaited)), false) => {
                newest = newest.max(awaited);
                Saved::Detached(live(awaited).ok_or_else(wrong)?)
            }
            (None, None, true) if GenerationOf::<K>::VERSIONED => Saved::Retired,
            (None, None, false) => {
                Saved::Free(GenerationOf::<K>::free_from_u64(generation).ok_or_else(wrong)?)
            }
            _ => return Err(E::custom(format_args!("slot {slot} is two things at once"))),
        };
        container.restore(saved).map_err(E::custom)?;
    }
    if detached.next().is_some() || retired.next().is_some() {
        return Err(E::custom("detached and retired slots must be named once, in ascending order"));
    }
    let mark = MarkOf::<K>::from_u64(form.mark).filter(|mark| mark.covers(newest));
    container.ledger_mut().mark = mark.ok_or_else(|| E::custom("the mark is out of range"))?;
    if !container.ledger_mut().book.restore_order(&form.free, form.current as usize) {
        return Err(E::custom("the order of free slots does not fit the free slots"));
    }
    Ok((container, form.order))
}

/// The form of a map that `slotmap` saved: slot 0 is its sentinel, and free.
fn form_of_slotmap<T, E: Error>(slots: Vec<SlotmapSlot<T>>) -> Result<Form<T>, E> {
    let mut form = Form {
        reuse: Reuse::Packed,
        mark: 0,
        current: 0,
        slots: Vec::new(),
        detached: Vec::new(),
        retired: Vec::new(),
        free: Vec::new(),
        order: Vec::new(),
    };
    for (slot, SlotmapSlot { value, version }) in slots.into_iter().enumerate() {
        if value.is_some() != (version % 2 == 1) {
            return Err(E::custom(format_args!(
                "slot {slot} has version {version}, but its value says otherwise"
            )));
        }
        let used_up = value.is_none() && version >= u32::MAX - 2;
        if used_up {
            form.retired.push(slot as u32);
        }
        form.slots.push((if used_up { 0 } else { version.into() }, value));
    }
    Ok(form)
}

/// Reads either form.
struct FormVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for FormVisitor<T> {
    type Value = Form<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a saved arena, or the slots of a slotmap")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Form<T>, A::Error> {
        Form::deserialize(MapAccessDeserializer::new(map))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, slots: A) -> Result<Form<T>, A::Error> {
        form_of_slotmap(Vec::deserialize(SeqAccessDeserializer::new(slots))?)
    }
}

fn read<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Form<T>, D::Error> {
    if from.is_human_readable() {
        from.deserialize_any(FormVisitor(PhantomData))
    } else {
        Form::deserialize(from)
    }
}

/// For a container of rows.
macro_rules! rows {
    ($container:ident) => {
        impl<T: Serialize, K: Key> Serialize for $container<T, K> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let entry = |slot: usize| {
                    let key = self.key_of_slot(slot as u32)?;
                    Some((key.generation().to_u64(), self.get(key)?))
                };
                save(&self.rows, Vec::new(), entry).serialize(serializer)
            }
        }

        impl<'de, T: Deserialize<'de>, K: Key> Deserialize<'de> for $container<T, K> {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let form = read::<T, D>(from)?;
                let (rows, order) = load::<K, _, _>(Rows::new(form.reuse), form)?;
                if order.is_empty() {
                    Ok(Self { rows })
                } else {
                    Err(D::Error::custom("an arena has no order"))
                }
            }
        }
    };
}

rows!(Arena);
rows!(PagedArena);

impl<T: Serialize, K: Key> Serialize for DenseArena<T, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut places: Vec<Option<usize>> = Vec::new();
        places.resize(self.rows.ledger().book.slots(), None);
        for (position, key) in self.keys().enumerate() {
            places[key.slot() as usize] = Some(position);
        }
        let entry = |slot: usize| {
            let position = places[slot]?;
            Some((self.key_of_index(position)?.generation().to_u64(), self.get_index(position)?))
        };
        let order = self.keys().map(Key::slot).collect();
        save(&self.rows, order, entry).serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>, K: Key> Deserialize<'de> for DenseArena<T, K> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let form = read::<T, D>(from)?;
        let (mut packed, order) = load::<K, _, _>(Packed::new(form.reuse), form)?;
        // A map of slotmap does not say in which order its values lay.
        if !order.is_empty() || packed.len() == 0 {
            let positions = positions_of(packed.keys(), &order);
            let mut positions =
                positions.ok_or_else(|| D::Error::custom("the order does not fit"))?;
            packed.rearrange(&mut positions);
        }
        Ok(Self { rows: packed })
    }
}

/// Where the values of these slots lie; `None` unless each live slot is named once.
fn positions_of<K: Key>(keys: &[K], order: &[u32]) -> Option<Vec<u32>> {
    // Loaded in slot order, the keys can be searched.
    let mut positions = Vec::with_capacity(keys.len().min(order.len()));
    let mut missing: Vec<bool> = keys.iter().map(|_| true).collect();
    for slot in order {
        let position = keys.binary_search_by_key(slot, |key| key.slot()).ok()?;
        if !core::mem::replace(&mut missing[position], false) {
            return None;
        }
        positions.push(position as u32);
    }
    (positions.len() == keys.len()).then_some(positions)
}
