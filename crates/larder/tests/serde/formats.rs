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
use larder::pools::list_pool::ListHandle;
use larder::pools::{NameHash, StringPool, Symbol};
use larder::soa::InLanes;
use larder::track::Table;
use larder::trees::{InObjects, InsertionOrder, Links, RemovalQueue};
use larder::{Soa, key_type};
use serde::Deserialize;

use super::kept::made;
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

/// One row of the table: a type, and what it is saved as.
struct Row<'a> {
    name: &'a str,
    /// True if it is saved as fields: only those can be tagged or flattened without being a field.
    is_struct: bool,
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
        let outcome = found.map(|found| canon(&found)).and_then(|found| {
            let expected = canon(&(self.make)());
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

fn row<T: Saved>(name: &str, is_struct: bool, make: impl Fn() -> T) -> Vec<String> {
    LOAD.set(load::<T>);
    let make = &|| Value(Box::new(make()));
    let mut row = Row { name, is_struct, make, failures: Vec::new() };
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

fn in_order() -> InsertionOrder<Handle<u8>> {
    let mut birds = Table::with(Arena::new(), InsertionOrder::new());
    let [wren, _] = [1, 2].map(|bird| birds.insert(bird));
    birds.remove(wren);
    birds.insert(3);
    birds.observers().clone()
}

fn queue() -> RemovalQueue<Handle<u8>> {
    let mut queue = RemovalQueue::new();
    made().list.iter().for_each(|key| queue.remove_later(key));
    queue
}

fn body() -> Body {
    Body { size: 7, next: Some(handle(5)) }
}

#[test]
fn every_type_in_every_format_and_place() {
    let mut failures = Vec::new();
    macro_rules! rows {
        ($($name:literal $is_struct:literal $make:expr;)*) => {
            $( failures.extend(row($name, $is_struct, || $make)); )*
        };
    }
    rows! {
        "Handle" true handle::<u8>(7);
        "Handle, dangling" true Handle::<u8>::DANGLING;
        "Handle32" true Handle32::<u8>::from_bits(0x0030_0007).unwrap();
        "Serial" true Serial::<u8>::from_bits(0x5_0000_0001).unwrap();
        "BareHandle" false BareHandle::<u8>::from_index(9).unwrap();
        "Id" true Id::from_bits(5 << 32 | 9).unwrap();
        "SmallId" true SmallId::from_bits(3 << 20 | 9).unwrap();
        "SerialId" true SerialId::from_bits(0x5_0000_0001).unwrap();
        "Reuse" false Reuse::Fifo;
        "NameHash" false NameHash::from_bits(1 << 60);
        "NameHash, large" false NameHash::from_bits(u64::MAX);
        "StringPool" false names();
        "Symbol" false Symbol::from_bits(u32::MAX).unwrap();
        "ListHandle" false ListHandle::<u8>::from_bits(1 << 44).unwrap();
        "InLanes" false InLanes::<_, 8>((1_u8, handle::<u8>(2)));
        "Links" true made().linked.values().nth(1).copied().unwrap();
        "Link" true made().listed.values().nth(1).copied().unwrap();
        "IntrusiveList" true made().in_objects;
        "RemovalQueue" false queue();
        "InObjects" false InObjects;
        "Tree" false made().tree;
        "KeyList" false made().list;
        "Buckets" false made().buckets;
        "InsertionOrder" false in_order();
        "Table" true Table::with(made().rows, (made().tree, made().list));
        "Table, InObjects" true Table::with(Arena::<Links<Id>, Id>::with_key(), InObjects);
        "Table, side data" true Table::with(lived!(Arena<Body, Id>, body()), SecondaryMap::<Id, u8>::new());
        "Table, nothing" true Table::new(lived!(Arena<Body, Id>, body()));
        "Arena" true lived!(Arena<Body>, body());
        "Arena<Option>" true lived!(Arena<Option<u8>>, None);
        "Arena of Handle32" true lived!(Arena<Body, SmallId>, body());
        "Arena of BareHandle" true lived!(Arena<Body, BareHandle<Body>>, body());
        "Arena, empty" true Arena::<Body>::new();
        "PagedArena" true made().paged;
        "SoaArena" true lived!(SoaArena<Body>, body());
        "DenseArena" true made().dense;
        "DenseSoaArena" true made().dense_columns;
        "SecondaryMap" false made().side;
        "SparseSecondaryMap" false made().sparse;
        "SortedIndex" false made().sorted;
        "UniqueIndex" false made().unique;
        "MultiIndex" false made().multi;
        "GridIndex" true made().grid;
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
