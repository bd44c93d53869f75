//! A table: every type that is saved, in eight formats, in each place where serde treats it in a way of its own. In
//! types that are tagged, untagged or flattened, serde reads what a format contains into memory first, and hands it on
//! as if it came from a format for people.
//!
//! A place meets a type as `dyn`: code for each of the four thousand would take minutes to compile.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use core::any::Any;
use core::cell::Cell;
use core::fmt::Display;

use erased_serde::{Deserializer as DynDeserializer, Error as DynError, Serialize as DynSerialize};
use larder::indices::{GridIndex, MultiIndex, SortedIndex, UniqueIndex};
use larder::pools::list_pool::ListHandle;
use larder::pools::{NameHash, StringPool, Symbol};
use larder::soa::InLanes;
use larder::track::Table;
use larder::trees::{
    Buckets, InObjects, InsertionOrder, IntrusiveList, KeyList, Link, Links, RemovalQueue, Tree,
};
use larder::{Soa, key_type};
use serde::Deserialize;

use super::*;

/// A type that is saved and loaded.
pub(super) trait Saved: Serialize + DeserializeOwned + 'static {}

impl<T: Serialize + DeserializeOwned + 'static> Saved for T {}

fn explain<T, E: Display>(result: Result<T, E>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

/// Saves and loads. It meets every type as `dyn`, too.
pub(super) struct Format {
    pub(super) name: &'static str,
    save: fn(&dyn DynSerialize) -> Result<Vec<u8>, String>,
    load: fn(&[u8]) -> Result<Whole, String>,
}

impl Format {
    pub(super) fn save(&self, value: &dyn DynSerialize) -> Result<Vec<u8>, String> {
        (self.save)(value)
    }

    /// Loads a value. (RON looks at the names of serde's types to find out that one is tagged: it meets them itself.)
    pub(super) fn load<T: Saved>(&self, bytes: &[u8]) -> Result<T, String> {
        if self.name == "Ron" {
            return explain(ron::from_str(text(bytes)));
        }
        LOAD_WHOLE.set(|from| Ok(Whole(Box::new(erased_serde::deserialize::<T>(from)?))));
        (self.load)(bytes).map(|whole| *whole.0.downcast().unwrap())
    }
}

/// A file's content, of the type that is loaded.
struct Whole(Box<dyn Any>);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut from = <dyn DynDeserializer<'_>>::erase(from);
        LOAD_WHOLE.get()(&mut from).map_err(serde::de::Error::custom)
    }
}

macro_rules! formats {
    ($($name:ident: |$value:ident| $save:expr, |$bytes:ident| $load:expr;)*) => {
        pub(super) const FORMATS: &[Format] = &[$(Format {
            name: stringify!($name),
            save: |$value| explain($save),
            load: |$bytes| explain($load),
        }),*];
    };
}

fn text(bytes: &[u8]) -> &str {
    core::str::from_utf8(bytes).unwrap()
}

formats! {
    Json: |value| serde_json::to_vec(value), |bytes| serde_json::from_slice(bytes);
    Ron: |value| ron::to_string(value).map(String::into_bytes), |bytes| ron::from_str(text(bytes));
    Toml: |value| toml::to_string(value).map(String::into_bytes), |bytes| toml::from_str(text(bytes));
    Postcard: |value| postcard::to_allocvec(value), |bytes| postcard::from_bytes(bytes);
    Bincode: |value| bincode::serde::encode_to_vec(value, bincode::config::standard()),
        |bytes| bincode::serde::decode_from_slice(bytes, bincode::config::standard()).map(|(value, _)| value);
    NamedMessagePack: |value| rmp_serde::to_vec_named(value), |bytes| rmp_serde::from_slice(bytes);
    PlainMessagePack: |value| rmp_serde::to_vec(value), |bytes| rmp_serde::from_slice(bytes);
    Cbor: |value| {
        let mut bytes = Vec::new();
        ciborium::into_writer(value, &mut bytes).map(|()| bytes)
    }, |bytes| ciborium::from_reader(bytes);
}

/// Loads a value of the type that the next [`Value`] or [`Whole`] has.
type Load<T> = fn(&mut dyn DynDeserializer<'_>) -> Result<T, DynError>;

std::thread_local! {
    static LOAD: Cell<Load<Value>> = const { Cell::new(load::<()>) };
    static LOAD_WHOLE: Cell<Load<Whole>> = const { Cell::new(|_| Ok(Whole(Box::new(())))) };
}

fn load<T: Saved>(from: &mut dyn DynDeserializer<'_>) -> Result<Value, DynError> {
    Ok(Value(Box::new(erased_serde::deserialize::<T>(from)?)))
}

/// A value of any type that is saved.
struct Value(Box<dyn DynSerialize>);

impl Serialize for Value {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        erased_serde::serialize(&*self.0, to)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut from = <dyn DynDeserializer<'_>>::erase(from);
        LOAD.get()(&mut from).map_err(serde::de::Error::custom)
    }
}

/// The place of a value in a saved form.
struct Place {
    name: &'static str,
    put: fn(Value) -> Box<dyn DynSerialize>,
    load: fn(&Format, &[u8]) -> Result<Option<Value>, String>,
}

#[derive(Serialize, Deserialize)]
struct Struct<T> {
    value: T,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type")]
pub(super) enum TaggedFields<T> {
    Hit { before: u8, target: T },
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type")]
enum TaggedWhole<T> {
    Hit(T),
}

#[derive(Serialize, Deserialize)]
enum Variants<T> {
    Named { target: T },
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", content = "content")]
enum TaggedBeside<T> {
    Hit(T),
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum UntaggedFields<T> {
    Miss { other: String },
    Hit { target: T },
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum UntaggedWhole<T> {
    Miss(bool),
    Hit(T),
}

#[derive(Serialize, Deserialize)]
struct FlattenedFields<T> {
    before: u8,
    #[serde(flatten)]
    inner: Struct<T>,
}

#[derive(Serialize, Deserialize)]
struct FlattenedWhole<T> {
    before: u8,
    #[serde(flatten)]
    inner: T,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type")]
enum TaggedMap<T> {
    Hit { map: BTreeMap<String, T> },
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type")]
enum TaggedList<T> {
    Hit { list: Vec<Option<T>> },
}

macro_rules! places {
    ($($name:ident: $around:ty, |$value:ident| $put:expr, |$from:pat_param| $take:expr;)*) => {
        const PLACES: &[Place] = &[$(Place {
            name: stringify!($name),
            put: |$value| -> Box<dyn DynSerialize> { Box::new($put) },
            load: |format, bytes| format.load::<$around>(bytes).map(|$from| $take),
        }),*];
    };
}

fn one_entry(value: Value) -> BTreeMap<String, Value> {
    BTreeMap::from([("value".to_string(), value)])
}

places! {
    Alone: Value, |value| value, |from| Some(from);
    InStruct: Struct<Value>, |value| Struct { value }, |from| Some(from.value);
    InMap: BTreeMap<String, Value>, |value| one_entry(value), |from| from.into_values().next();
    InTaggedFields: TaggedFields<Value>,
        |target| TaggedFields::Hit { before: 1, target },
        |from| match from {
            TaggedFields::Hit { before: 1, target } => Some(target),
            TaggedFields::Hit { .. } => None,
        };
    InTaggedMap: TaggedMap<Value>,
        |value| TaggedMap::Hit { map: one_entry(value) },
        |TaggedMap::Hit { map }| map.into_values().next();
    InTaggedList: TaggedList<Value>,
        |value| TaggedList::Hit { list: vec![Some(value)] },
        |TaggedList::Hit { list }| list.into_iter().next().flatten();
    InTaggedVariant: TaggedWhole<Variants<Value>>,
        |target| TaggedWhole::Hit(Variants::Named { target }),
        |TaggedWhole::Hit(Variants::Named { target })| Some(target);
    Tagged: TaggedWhole<Value>,
        |value| TaggedWhole::Hit(value),
        |TaggedWhole::Hit(value)| Some(value);
    BesideTag: TaggedBeside<Value>,
        |value| TaggedBeside::Hit(value),
        |TaggedBeside::Hit(value)| Some(value);
    Untagged: UntaggedWhole<Value>,
        |value| UntaggedWhole::Hit(value),
        |from| match from {
            UntaggedWhole::Hit(value) => Some(value),
            UntaggedWhole::Miss(_) => None,
        };
    InUntagged: UntaggedFields<Value>,
        |target| UntaggedFields::Hit { target },
        |from| match from {
            UntaggedFields::Hit { target } => Some(target),
            UntaggedFields::Miss { .. } => None,
        };
    InFlattened: FlattenedFields<Value>,
        |value| FlattenedFields { before: 1, inner: Struct { value } },
        |from| (from.before == 1).then_some(from.inner.value);
    Flattened: FlattenedWhole<Value>,
        |inner| FlattenedWhole { before: 1, inner },
        |from| (from.before == 1).then_some(from.inner);
}

/// The form in which values are compared.
pub(super) type Canon = serde_json::Value;

pub(super) fn canon<T: Serialize>(value: &T) -> Canon {
    serde_json::to_value(value).unwrap()
}

fn sorted(mut list: Canon) -> Canon {
    if let Some(list) = list.as_array_mut() {
        list.sort_by_key(ToString::to_string);
    }
    list
}

/// One row of the table: a type, and what it is saved as.
struct Row<'a> {
    name: &'a str,
    /// True if it is saved as fields: only those can be tagged or flattened without being a field.
    is_struct: bool,
    /// Puts a saved form into an order, if the type has none.
    tidy: fn(Canon) -> Canon,
    make: &'a dyn Fn() -> Value,
    failures: Vec<String>,
}

impl Row<'_> {
    /// Saves a value in each format and place, and loads it again.
    fn check(&mut self) {
        for format in FORMATS {
            for place in PLACES {
                let saved = format.save(&*(place.put)((self.make)()));
                let found = saved.clone().and_then(|bytes| (place.load)(format, &bytes));
                let found = found.and_then(|found| found.ok_or("another variant".to_string()));
                self.judge(format.name, place.name, saved, found);
            }
        }
    }

    fn judge(
        &mut self,
        format: &str,
        place: &str,
        saved: Result<Vec<u8>, String>,
        found: Result<Value, String>,
    ) {
        let form = |value| (self.tidy)(canon(&value));
        let outcome = found.map(form).and_then(|found| {
            let expected = form((self.make)());
            if found == expected { Ok(()) } else { Err(format!("DIFFERENT {found} {expected}")) }
        });
        if outcome.is_ok() != possible(format, place, self.name, self.is_struct) {
            let bytes = saved.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            self.failures.push(format!("{} {format} {place}: {outcome:?}, {bytes:?}", self.name));
        }
    }
}

/// A pool of one number, which its symbols depend on.
fn names() -> StringPool {
    let mut names = StringPool::numbered(7, Default::default());
    ["wren", "kite"].into_iter().for_each(|text| _ = names.intern(text));
    names
}

/// Returns whether a format can hold a value there at all.
fn possible(format: &str, place: &str, name: &str, is_struct: bool) -> bool {
    let (is_unit, is_enum) = (name == "InObjects", name == "Reuse");
    // These do not say what they contain.
    if ["Postcard", "Bincode"].contains(&format) {
        return ["Alone", "InStruct", "InMap"].contains(&place);
    }
    // serde takes its unit for an option, where it reads ahead.
    if (format, name) == ("Cbor", "Table, nothing") {
        return ["Alone", "InStruct", "InMap", "BesideTag"].contains(&place);
    }
    // It has no `None` in a list, nothing for a unit, and is a table.
    if format == "Toml" {
        match place {
            _ if ["Arena<Option>", "Table, InObjects", "Table, nothing"].contains(&name) => {
                return false;
            }
            "Alone" | "Untagged" => return is_struct,
            "Tagged" | "Flattened" => {}
            _ if is_unit => return false,
            _ => {}
        }
    }
    match place {
        // Fields lie among others: a list or a number has none. An enum has one there, which holds a unit: serde
        // does not take that of CBOR for one, and TOML has none.
        "Tagged" | "Flattened" => {
            is_struct || is_unit || is_enum && !["Cbor", "Toml"].contains(&format)
        }
        // serde reads fields of an untagged variant by their names.
        "InUntagged" => format != "PlainMessagePack",
        // `Some` of nothing is nothing.
        "InTaggedList" => !is_unit || !["Json", "Cbor"].contains(&format),
        _ => true,
    }
}

fn row<T: Saved>(
    name: &str,
    is_struct: bool,
    tidy: fn(Canon) -> Canon,
    make: impl Fn() -> T,
) -> Vec<String> {
    LOAD.set(load::<T>);
    let make = &|| Value(Box::new(make()));
    let mut row = Row { name, is_struct, tidy, make, failures: Vec::new() };
    row.check();
    row.failures
}

key_type! {
    pub(super) struct Id;
    pub(super) struct SmallId(Handle32<Self, 20>);
    pub(super) struct SerialId(Serial<Self>);
}

#[derive(Clone, Copy, Debug, PartialEq, Soa, Serialize, Deserialize)]
struct Body {
    size: u8,
    next: Option<Handle<Body>>,
}

pub(super) fn handle<T>(slot: u64) -> Handle<T> {
    Handle::from_bits(3 << 32 | slot).unwrap()
}

/// Values, a hole, and a key that refers to another one.
macro_rules! lived {
    ($container:ty, $value:expr) => {{
        let mut container = <$container>::with_key();
        let keys = [(); 4].map(|()| container.insert($value));
        container.remove(keys[1]);
        container.remove(keys[3]);
        container.insert($value);
        container.detach(keys[2]);
        container
    }};
}

fn things() -> (Arena<u8>, Vec<Handle<u8>>) {
    let things: Arena<u8> = (0..9).collect();
    let keys = things.keys().collect();
    (things, keys)
}

fn tree() -> Tree<Handle<u8>> {
    let ((things, keys), mut tree) = (things(), Tree::new());
    for (to, key) in [(0, 4), (4, 7), (0, 1)] {
        tree.append(&things, keys[to], keys[key]).unwrap();
    }
    tree
}

fn list() -> KeyList<Handle<u8>> {
    let ((things, keys), mut list) = (things(), KeyList::new());
    keys.iter().for_each(|&key| list.push_front(&things, key).unwrap());
    list
}

fn buckets() -> Buckets<Handle<u8>, 2> {
    let ((things, keys), mut buckets) = (things(), Buckets::new());
    for key in keys {
        buckets.set(&things, key, key.slot() as usize % 2).unwrap();
    }
    buckets
}

fn in_order() -> InsertionOrder<Handle<u8>> {
    let mut birds = Table::with(Arena::new(), InsertionOrder::new());
    let [wren, _] = [1, 2].map(|bird| birds.insert(bird));
    birds.remove(wren);
    birds.insert(3);
    birds.observers().clone()
}

fn links() -> Links<Id> {
    let mut things = Arena::<Links<Id>, Id>::with_key();
    let [top, below, beside] = [(); 3].map(|()| things.insert(Links::default()));
    Links::append(&mut things, top, below).unwrap();
    Links::append(&mut things, top, beside).unwrap();
    things[below]
}

fn list_of_links() -> (IntrusiveList<Id>, Link<Id>) {
    let mut things = Arena::<Link<Id>, Id>::with_key();
    let [first, last] = [(); 2].map(|()| things.insert(Link::default()));
    let mut list = IntrusiveList::numbered(3);
    list.push_back(&mut things, first).unwrap();
    list.push_back(&mut things, last).unwrap();
    (list, things[last])
}

fn queue() -> RemovalQueue<Handle<u8>> {
    let mut queue = RemovalQueue::new();
    keys().into_iter().for_each(|key| queue.remove_later(key));
    queue
}

fn body() -> Body {
    Body { size: 7, next: Some(handle(5)) }
}

fn keys() -> [Handle<u8>; 3] {
    [5, 3, 900].map(handle)
}

fn side_data<M: FromIterator<(Handle<u8>, Body)>>() -> M {
    keys().map(|key| (key, body())).into_iter().collect()
}

/// An index of the keys under a property each.
macro_rules! filed {
    ($index:expr) => {{
        let mut index = $index;
        for key in keys() {
            assert!(index.insert(key, key.slot()).is_ok());
        }
        index
    }};
}

fn grid() -> GridIndex<Handle<u8>, 2> {
    let mut grid = GridIndex::new(2.0);
    grid.insert(handle(9), [1.5, -2.0]).unwrap();
    grid
}

#[test]
fn every_type_in_every_format_and_place() {
    let same: fn(Canon) -> Canon = |value| value;
    let mut failures = Vec::new();
    macro_rules! rows {
        ($($name:literal $is_struct:literal $tidy:ident $make:expr;)*) => {
            $( failures.extend(row($name, $is_struct, $tidy, || $make)); )*
        };
    }
    rows! {
        "Handle" true same handle::<u8>(7);
        "Handle, dangling" true same Handle::<u8>::DANGLING;
        "Handle32" true same Handle32::<u8>::from_bits(0x0030_0007).unwrap();
        "Serial" true same Serial::<u8>::from_bits(0x5_0000_0001).unwrap();
        "BareHandle" false same BareHandle::<u8>::from_index(9).unwrap();
        "Id" true same Id::from_bits(5 << 32 | 9).unwrap();
        "SmallId" true same SmallId::from_bits(3 << 20 | 9).unwrap();
        "SerialId" true same SerialId::from_bits(0x5_0000_0001).unwrap();
        "Reuse" false same Reuse::Fifo;
        "NameHash" false same NameHash::from_bits(1 << 60);
        "NameHash, large" false same NameHash::from_bits(u64::MAX);
        "StringPool" false same names();
        "Symbol" false same Symbol::from_bits(u32::MAX).unwrap();
        "ListHandle" false same ListHandle::<u8>::from_bits(1 << 44).unwrap();
        "InLanes" false same InLanes::<_, 8>((1_u8, handle::<u8>(2)));
        "Links" true same links();
        "Link" true same list_of_links().1;
        "IntrusiveList" true same list_of_links().0;
        "RemovalQueue" false same queue();
        "InObjects" false same InObjects;
        "Tree" false same tree();
        "KeyList" false same list();
        "Buckets" false same buckets();
        "InsertionOrder" false same in_order();
        "Table" true same Table::with(things().0, (tree(), list()));
        "Table, InObjects" true same Table::with(Arena::<Links<Id>, Id>::with_key(), InObjects);
        "Table, side data" true same Table::with(lived!(Arena<Body, Id>, body()), SecondaryMap::<Id, u8>::new());
        "Table, nothing" true same Table::new(lived!(Arena<Body, Id>, body()));
        "Arena" true same lived!(Arena<Body>, body());
        "Arena<Option>" true same lived!(Arena<Option<u8>>, None);
        "Arena of Handle32" true same lived!(Arena<Body, SmallId>, body());
        "Arena of Serial" true same lived!(Arena<Body, Serial<Body>>, body());
        "Arena of BareHandle" true same lived!(Arena<Body, BareHandle<Body>>, body());
        "Arena, empty" true same Arena::<Body>::new();
        "PagedArena" true same lived!(PagedArena<Body>, body());
        "SoaArena" true same lived!(SoaArena<Body>, body());
        "DenseArena" true same lived!(DenseArena<Body>, body());
        "DenseSoaArena" true same lived!(DenseSoaArena<Body>, body());
        "SecondaryMap" false same side_data::<SecondaryMap<_, _>>();
        "SparseSecondaryMap" false same side_data::<SparseSecondaryMap<_, _>>();
        "SortedIndex" false same filed!(SortedIndex::new());
        "UniqueIndex" false sorted filed!(UniqueIndex::<u32, Handle<u8>>::new());
        "MultiIndex" false sorted filed!(MultiIndex::<u32, Handle<u8>>::new());
        "GridIndex" true same grid();
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
