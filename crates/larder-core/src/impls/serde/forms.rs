//! The forms in which formats for people can have a container, and what serde holds in memory: by its fields, with
//! their names or in order; as a map of the crate `slotmap`; and as a `slab`. They are told apart by their shape.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeSeed, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{Form, Read, Slot, next};
use crate::key::generation::Generation;
use crate::parts::TooSparse;
use crate::room::reserve;
use crate::stats::Reuse;

/// A slot as `slotmap` saves it.
#[derive(Deserialize)]
pub(super) struct SlotmapSlot<T> {
    pub(super) value: Option<T>,
    pub(super) version: u32,
}

/// The form of a map that `slotmap` saved: slot 0 is its sentinel, and free.
fn form_of_slotmap<G, T, E: Error>(slots: Vec<SlotmapSlot<T>>) -> Result<Form<Read<G, T>>, E> {
    let mut form = Form {
        reuse: Reuse::Packed,
        mark: 0,
        current: 0,
        detached: Vec::new(),
        retired: Vec::new(),
        slots: Vec::new(),
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
        form.slots.push(Slot::new(if used_up { 0 } else { version.into() }, value));
    }
    Ok(form)
}

/// The form of a slab: values by their numbers, the first of which was read.
fn form_of_slab<'de, G, T: Deserialize<'de>, A: MapAccess<'de>>(
    first: Option<String>,
    mut entries: A,
) -> Result<Form<Read<G, T>>, A::Error> {
    let (mut values, mut next) = (BTreeMap::new(), first);
    while let Some(name) = next {
        let slot =
            name.parse::<u32>().map_err(|_| A::Error::custom("a slab's keys are numbers"))?;
        values.insert(slot, entries.next_value()?);
        next = entries.next_key()?;
    }
    let mut form = form_of_slotmap(Vec::new())?;
    // The file does not hold the gaps, which have to be filled: so they may not be as large as it likes.
    let (entries, row) = (values.len(), size_of::<Slot<G, T>>());
    if let Some((&slot, _)) = values.last_key_value() {
        TooSparse::check(slot, row, entries).map_err(|error| {
            A::Error::custom(format_args!(
                "{error}; if it is to be trusted, load a `BTreeMap` of numbers and values, and collect that"
            ))
        })?;
    }
    for (slot, value) in values {
        let slot = slot as usize;
        let more = slot + 1 - form.slots.len();
        reserve(&mut form.slots, more).map_err(A::Error::custom)?;
        form.slots.resize_with(slot, || Slot::new(0, None));
        form.slots.push(Slot::new(0, Some(value)));
    }
    Ok(form)
}

/// A map, the first key of which was read.
struct Begun<A> {
    first: Option<String>,
    rest: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Begun<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        match self.first.take() {
            Some(first) => seed.deserialize(first.into_deserializer()).map(Some),
            None => self.rest.next_key_seed(seed),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.rest.next_value_seed(seed)
    }
}

/// Reads any form; that of a slab where keys have no generation.
pub(super) struct FormVisitor<T, G>(pub(super) PhantomData<(T, G)>);

impl<'de, T: Deserialize<'de>, G: Generation> Visitor<'de> for FormVisitor<T, G> {
    type Value = Form<Read<G, T>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a saved arena, the slots of a slotmap, or a slab (for keys without a generation)",
        )
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Form<Read<G, T>>, A::Error> {
        let first: Option<String> = map.next_key()?;
        let is_number = |name: &String| name.starts_with(|first: char| first.is_ascii_digit());
        if !G::VERSIONED && first.as_ref().is_none_or(is_number) {
            return form_of_slab(first, map);
        }
        Form::deserialize(MapAccessDeserializer::new(Begun { first, rest: map }))
    }

    /// A container by its fields in order, which begin with the order of reuse, or the slots of a slotmap.
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Form<Read<G, T>>, A::Error> {
        let mut slots = match list.next_element()? {
            Some(FirstSlot::Reuse(reuse)) => return form_of_fields(reuse, list),
            Some(FirstSlot::Slot(slot)) => Vec::from([slot]),
            None => Vec::new(),
        };
        while let Some(slot) = list.next_element()? {
            slots.push(slot);
        }
        form_of_slotmap(slots)
    }
}

/// The form whose fields follow the order of reuse.
fn form_of_fields<'de, G: Generation, T: Deserialize<'de>, A: SeqAccess<'de>>(
    reuse: Reuse,
    mut from: A,
) -> Result<Form<Read<G, T>>, A::Error> {
    Ok(Form {
        reuse,
        mark: next(&mut from)?,
        current: next(&mut from)?,
        detached: next(&mut from)?,
        retired: next(&mut from)?,
        slots: next(&mut from)?,
        free: next(&mut from)?,
        order: next(&mut from)?,
    })
}

/// The first element of a list: it is a name in ours, and a slot in that of a slotmap.
enum FirstSlot<T> {
    Reuse(Reuse),
    Slot(SlotmapSlot<T>),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for FirstSlot<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(FirstVisitor(PhantomData))
    }
}

struct FirstVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for FirstVisitor<T> {
    type Value = FirstSlot<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an order of reuse, or a slot of a slotmap")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<FirstSlot<T>, E> {
        Reuse::deserialize(name.into_deserializer()).map(FirstSlot::Reuse)
    }

    fn visit_map<A: MapAccess<'de>>(self, slot: A) -> Result<FirstSlot<T>, A::Error> {
        Deserialize::deserialize(MapAccessDeserializer::new(slot)).map(FirstSlot::Slot)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, slot: A) -> Result<FirstSlot<T>, A::Error> {
        Deserialize::deserialize(SeqAccessDeserializer::new(slot)).map(FirstSlot::Slot)
    }
}
