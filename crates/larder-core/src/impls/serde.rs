//! Saving and loading with serde.
//!
//! A container is saved with everything that decides which keys answer and which key comes next: generations, detached
//! and retired slots, the order of reuse. A loaded container grows, whatever memory the saved one had. Loaded data is
//! hostile until checked: every wrong input is an error.
//!
//! Formats that name their fields (JSON, RON) can also hold a map of the crate `slotmap`, whose
//! form is a list of slots; a key is the same there and here. JSON can also hold a `slab`, for
//! [`BareHandle`](crate::key::BareHandle)s.

mod beside;
mod forms;
mod keys;
pub(crate) mod parts;
#[cfg(feature = "track")]
mod table;

use alloc::vec::{IntoIter, Vec};
use core::fmt;
use core::iter::Peekable;
use core::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeSeq, SerializeTuple};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use self::forms::FormVisitor;
use crate::containers::{self, Dense, DenseArena};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::key::generation::{Generation, Mark};
use crate::memory::storage::{Room, Storage};
use crate::raw::book::Book;
use crate::raw::occupancy::Occupancy;
use crate::raw::packed::Packed;
use crate::raw::rows::{Rooms, Whole};
use crate::raw::slots::{GenerationOf, MarkOf, Saved, SlotStore};
use crate::raw::store::Store;
use crate::stats::Reuse;
#[cfg(feature = "columns")]
use crate::{
    DenseSoaArena, SoaArena,
    raw::split::SplitStore,
    soa::raw::shape::CloneShape,
    soa::{Fill, Soa},
};

/// The form in which a container is saved.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Arena", deny_unknown_fields)]
struct Form<S> {
    reuse: Reuse,
    /// The generation that fresh slots start at, or the last serial number.
    mark: u64,
    /// The word of 64 slots that a search for free slots begins with.
    current: u32,
    /// Slot and generation of every detached key.
    detached: Vec<(u32, u64)>,
    retired: Vec<u32>,
    /// Every [`Slot`]. (They come after what tells free slots from others.)
    slots: S,
    /// The free slots that are used first, in order, where that does not follow from the rest.
    free: Vec<u32>,
    /// The slots of a dense container in the order of their values; empty for an arena.
    order: Vec<u32>,
}

const FIELDS: &[&str] =
    &["reuse", "mark", "current", "detached", "retired", "slots", "free", "order"];

/// Slots that are in memory.
type Read<G, T> = Vec<Slot<G, T>>;

/// The generation of a slot, and the value of a live one: a tuple of the generation and, if it is that of a live slot,
/// the value, so that a value may be whatever a format says for nothing (`null`). Keys without a generation have 1
/// written for a live slot, and 0 for any other.
struct Slot<G, V>(u64, Option<V>, PhantomData<G>);

impl<G, V> Slot<G, V> {
    fn new(generation: u64, value: Option<V>) -> Self {
        Self(generation, value, PhantomData)
    }
}

impl<G: Generation, V: Serialize> Serialize for Slot<G, V> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(generation, value, _) = self;
        let is_live = value.is_some();
        let number = if G::VERSIONED { *generation } else { u64::from(is_live) };
        let mut parts = to.serialize_tuple(1 + usize::from(is_live))?;
        parts.serialize_element(&number)?;
        value.iter().try_for_each(|value| parts.serialize_element(value))?;
        parts.end()
    }
}

impl<'de, G: Generation, V: Deserialize<'de>> Deserialize<'de> for Slot<G, V> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_tuple(2, SlotVisitor(PhantomData))
    }
}

struct SlotVisitor<G, V>(PhantomData<(G, V)>);

impl<'de, G: Generation, V: Deserialize<'de>> Visitor<'de> for SlotVisitor<G, V> {
    type Value = Slot<G, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "the generation of a slot, and its value if that is the generation of a live one",
        )
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Slot<G, V>, A::Error> {
        let missing = |at| A::Error::invalid_length(at, &self);
        let number: u64 = parts.next_element()?.ok_or_else(|| missing(0))?;
        let (generation, is_live) = match number {
            1 if !G::VERSIONED => (0, true),
            _ => (number, G::VERSIONED && G::live_from_u64(number).is_some()),
        };
        if !is_live {
            return Ok(Slot::new(generation, None));
        }
        let value = parts.next_element()?.ok_or_else(|| missing(1))?;
        Ok(Slot::new(generation, Some(value)))
    }
}

/// Slots that are written one by one: those with a value, in ascending order, and the others between them.
struct EachSlot<F, G> {
    count: usize,
    live: F,
    other: G,
}

impl<K, V, I, F, G> Serialize for EachSlot<F, G>
where
    K: Key,
    V: Serialize,
    I: Iterator<Item = (K, V)>,
    F: Fn() -> I,
    G: Fn(usize) -> Slot<GenerationOf<K>, V>,
{
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (mut slots, mut next) = (to.serialize_seq(Some(self.count))?, 0);
        for (key, value) in (self.live)() {
            let slot = key.slot() as usize;
            (next..slot).try_for_each(|other| slots.serialize_element(&(self.other)(other)))?;
            let generation = key.generation().to_u64();
            slots.serialize_element(&Slot::<GenerationOf<K>, _>::new(generation, Some(value)))?;
            next = slot + 1;
        }
        (next..self.count).try_for_each(|other| slots.serialize_element(&(self.other)(other)))?;
        slots.end()
    }
}

/// A container in its form. `live` begins a walk over its values in slot order.
fn save<K: Key, C: SlotStore<K, Book = Occupancy>, V: Serialize, I: Iterator<Item = (K, V)>>(
    container: &C,
    order: Vec<u32>,
    live: impl Fn() -> I,
) -> Form<impl Serialize> {
    let ledger = container.ledger();
    let book = &ledger.book;
    let other = move |slot| match book.is_hole(slot) {
        true => Slot::<GenerationOf<K>, V>::new(container.erased().remembered(slot).to_u64(), None),
        false => Slot::new(0, None),
    };
    let (detached, retired): (Vec<_>, Vec<_>) =
        book.taken_slots().partition(|&slot| container.erased().is_detached(slot));
    let awaited =
        |slot: usize| (slot as u32, container.erased().remembered(slot).awaited().to_u64());
    Form {
        reuse: book.reuse(),
        mark: ledger.mark.to_u64(),
        current: book.cursor() as u32,
        detached: detached.into_iter().map(awaited).collect(),
        retired: retired.into_iter().map(|slot| slot as u32).collect(),
        slots: EachSlot { count: book.slots(), live, other },
        free: book.free_order().collect(),
        order,
    }
}

/// A container whose slots are restored one by one. `prepare` is called before each.
struct Restored<C, K, P> {
    container: C,
    detached: Peekable<IntoIter<(u32, u64)>>,
    retired: Peekable<IntoIter<u32>>,
    newest: u64,
    prepare: P,
    keys: PhantomData<K>,
}

impl<K, C, P> Restored<C, K, P>
where
    K: Key,
    C: SlotStore<K, Book = Occupancy>,
    P: Fn(&mut C) -> Result<(), TryReserveError>,
{
    fn new(container: C, detached: Vec<(u32, u64)>, retired: Vec<u32>, prepare: P) -> Self {
        let (detached, retired) = (detached.into_iter().peekable(), retired.into_iter().peekable());
        Self { container, detached, retired, newest: 0, prepare, keys: PhantomData }
    }

    fn slot<E: Error>(&mut self, generation: u64, value: Option<C::Value>) -> Result<(), E> {
        let slot = u32::try_from(self.container.ledger().book.slots())
            .map_err(|_| E::custom("more slots than a key can name"))?;
        let wrong = || E::custom(format_args!("slot {slot} cannot have generation {generation}"));
        let live = |bits| GenerationOf::<K>::live_from_u64(bits);
        let awaited = self.detached.next_if(|&(at, _)| at == slot);
        let is_retired = self.retired.next_if_eq(&slot).is_some();
        let saved = match (value, awaited, is_retired) {
            (Some(value), None, false) => {
                self.newest = self.newest.max(generation);
                Saved::Live(live(generation).ok_or_else(wrong)?, value)
            }
            (None, Some((_, awaited)), false) => {
                self.newest = self.newest.max(awaited);
                Saved::Detached(live(awaited).ok_or_else(wrong)?)
            }
            (None, None, true) if GenerationOf::<K>::VERSIONED => Saved::Retired,
            (None, None, false) => {
                Saved::Free(GenerationOf::<K>::free_from_u64(generation).ok_or_else(wrong)?)
            }
            _ => return Err(E::custom(format_args!("slot {slot} has no state, or several"))),
        };
        let prepared = (self.prepare)(&mut self.container);
        prepared.and_then(|()| self.container.restore(saved)).map_err(E::custom)
    }

    fn finish<E: Error>(mut self, mark: u64, free: &[u32], current: u32) -> Result<C, E> {
        if self.detached.next().is_some() || self.retired.next().is_some() {
            return Err(E::custom(
                "detached and retired slots must be named once, in ascending order",
            ));
        }
        let mark = MarkOf::<K>::from_u64(mark).filter(|mark| mark.covers(self.newest));
        let ledger = self.container.ledger_mut();
        ledger.mark = mark.ok_or_else(|| E::custom("the mark is out of range"))?;
        if !ledger.book.restore_order(free, current as usize) {
            return Err(E::custom("the order of free slots does not fit the free slots"));
        }
        Ok(self.container)
    }
}

impl<'de, K, C, P> DeserializeSeed<'de> for &mut Restored<C, K, P>
where
    K: Key,
    C: SlotStore<K, Book = Occupancy, Value: Deserialize<'de>>,
    P: Fn(&mut C) -> Result<(), TryReserveError>,
{
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de, K, C, P> Visitor<'de> for &mut Restored<C, K, P>
where
    K: Key,
    C: SlotStore<K, Book = Occupancy, Value: Deserialize<'de>>,
    P: Fn(&mut C) -> Result<(), TryReserveError>,
{
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the slots of a saved arena")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut slots: A) -> Result<(), A::Error> {
        while let Some(Slot(generation, value, _)) =
            slots.next_element::<Slot<GenerationOf<K>, _>>()?
        {
            self.slot(generation, value)?;
        }
        Ok(())
    }
}

/// The next field of a container.
fn next<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(from: &mut A) -> Result<T, A::Error> {
    from.next_element()?.ok_or_else(|| A::Error::custom("a saved arena has eight fields"))
}

/// Reads a container, and the order of its values. `make` makes an empty one.
struct Loader<M, P, K> {
    make: M,
    prepare: P,
    keys: PhantomData<K>,
}

impl<K, C, M, P> Loader<M, P, K>
where
    K: Key,
    C: SlotStore<K, Book = Occupancy>,
    M: FnOnce(Reuse) -> C,
    P: Fn(&mut C) -> Result<(), TryReserveError>,
{
    /// From a form in memory, as of formats whose fields may come in any order.
    fn load<E: Error>(
        self,
        form: Form<Read<GenerationOf<K>, C::Value>>,
    ) -> Result<(C, Vec<u32>), E> {
        let mut container = (self.make)(form.reuse);
        container.try_reserve(form.slots.len()).map_err(E::custom)?;
        let mut restored = Restored::new(container, form.detached, form.retired, self.prepare);
        for Slot(generation, value, _) in form.slots {
            restored.slot(generation, value)?;
        }
        Ok((restored.finish(form.mark, &form.free, form.current)?, form.order))
    }
}

impl<'de, K, C, M, P> Visitor<'de> for Loader<M, P, K>
where
    K: Key,
    C: SlotStore<K, Book = Occupancy, Value: Deserialize<'de>>,
    M: FnOnce(Reuse) -> C,
    P: Fn(&mut C) -> Result<(), TryReserveError>,
{
    type Value = (C, Vec<u32>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a saved arena")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        self.load(Form::deserialize(MapAccessDeserializer::new(map))?)
    }

    /// In order, so that no slot is in memory twice.
    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let (reuse, mark, current) = (next(&mut from)?, next(&mut from)?, next(&mut from)?);
        let (detached, retired) = (next(&mut from)?, next(&mut from)?);
        let mut restored = Restored::new((self.make)(reuse), detached, retired, self.prepare);
        from.next_element_seed(&mut restored)?;
        let (free, order) = (next::<Vec<u32>, _>(&mut from)?, next(&mut from)?);
        Ok((restored.finish(mark, &free, current)?, order))
    }
}

fn read<'de, K, C, D: Deserializer<'de>>(
    from: D,
    make: impl FnOnce(Reuse) -> C,
    prepare: impl Fn(&mut C) -> Result<(), TryReserveError>,
) -> Result<(C, Vec<u32>), D::Error>
where
    K: Key,
    C: SlotStore<K, Book = Occupancy, Value: Deserialize<'de>>,
{
    let loader = Loader { make, prepare, keys: PhantomData::<K> };
    if from.is_human_readable() {
        loader.load(from.deserialize_any(FormVisitor::<_, GenerationOf<K>>(PhantomData))?)
    } else {
        from.deserialize_struct("Arena", FIELDS, loader)
    }
}

/// Reads a container whose values stay in their slots.
fn read_slots<'de, K, C, D: Deserializer<'de>>(
    from: D,
    make: impl FnOnce(Reuse) -> C,
    prepare: impl Fn(&mut C) -> Result<(), TryReserveError>,
) -> Result<C, D::Error>
where
    K: Key,
    C: SlotStore<K, Book = Occupancy, Value: Deserialize<'de>>,
{
    let (store, order) = read::<K, C, D>(from, make, prepare)?;
    if order.is_empty() { Ok(store) } else { Err(D::Error::custom("an arena has no order")) }
}

impl<T: Serialize, K: Key, R: Room + Rooms<T, K>> Serialize for containers::Slots<T, K, Whole<R>> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        save(&self.store, Vec::new(), || self.iter()).serialize(to)
    }
}

impl<'de, T: Deserialize<'de>, K: Key, R: Room + Rooms<T, K>> Deserialize<'de>
    for containers::Slots<T, K, Whole<R>>
{
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Self { store: read_slots::<K, _, D>(from, Store::new, |_| Ok(()))? })
    }
}

#[cfg(feature = "columns")]
impl<T: Serialize + Soa<Shape: CloneShape> + Fill, K: Key> Serialize for SoaArena<T, K> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let entry = |key| Some((key, self.store.get_cloned(key)?));
        save(&self.store, Vec::new(), || self.keys().filter_map(entry)).serialize(to)
    }
}

#[cfg(feature = "columns")]
impl<'de, T: Deserialize<'de> + Soa<Shape: CloneShape> + Fill, K: Key> Deserialize<'de>
    for SoaArena<T, K>
{
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Self { store: read_slots::<K, _, D>(from, Store::new, SplitStore::provide)? })
    }
}

/// Saves packed values: those of these keys, at their positions.
fn save_packed<C, K: Key, V: Serialize, S: Serializer>(
    store: &C,
    keys: &[K],
    value: impl Fn(usize) -> Option<V>,
    to: S,
) -> Result<S::Ok, S::Error>
where
    C: SlotStore<K, Book = Occupancy>,
{
    let mut places: Vec<Option<usize>> = Vec::new();
    places.resize(store.ledger().book.slots(), None);
    for (position, key) in keys.iter().enumerate() {
        places[key.slot() as usize] = Some(position);
    }
    let entry = |&place: &Option<usize>| {
        let at = place?;
        Some((*keys.get(at)?, value(at)?))
    };
    let order = keys.iter().map(|key| key.slot()).collect();
    save(store, order, || places.iter().filter_map(entry)).serialize(to)
}

impl<T: Serialize, K: Key> Serialize for DenseArena<T, K> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        save_packed(&self.store, self.keys_as_slice(), |at| self.get_index(at), to)
    }
}

#[cfg(feature = "columns")]
impl<T: Serialize + Soa<Shape: CloneShape>, K: Key> Serialize for DenseSoaArena<T, K> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let keys = self.keys_as_slice();
        save_packed(&self.store, keys, |at| self.store.get_cloned(*keys.get(at)?), to)
    }
}

/// (Values in columns are put there one by one, and need no clone to be read.)
impl<'de, T: Deserialize<'de>, K: Key, R: Storage<T>> Deserialize<'de> for Dense<T, K, R> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let (mut store, order) = read::<K, Packed<T, K, R>, D>(from, Packed::new, |_| Ok(()))?;
        // A map of slotmap does not say in which order its values lay.
        if !order.is_empty() || store.len() == 0 {
            let positions = positions_of(store.keys(), &order);
            let mut positions =
                positions.ok_or_else(|| D::Error::custom("the order does not fit"))?;
            store.rearrange(&mut positions);
        }
        Ok(Self { store })
    }
}

/// Returns the positions of the values of these slots; `None` unless each live slot is named once.
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
