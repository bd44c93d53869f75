//! Side data, saved by key.

use larder::indices::{MultiIndex, SortedIndex, UniqueIndex};
use serde::Deserializer;
use serde::de::value::{Error as ValueError, SeqDeserializer};
use serde::de::{Error, IntoDeserializer, Visitor};

use super::*;

/// Side data of these slots, side by side and apart.
fn side_data<M: FromIterator<(Handle<u8>, String)>>(last: u64) -> M {
    let key = |slot: u64| Handle::from_bits(3 << 32 | slot).unwrap();
    [0, 1, 2, 5, 6, last].map(|slot| (key(slot), slot.to_string())).into_iter().collect()
}

#[test]
fn side_data_is_saved_by_key() {
    let map: SecondaryMap<Handle<u8>, String> = side_data(700);
    let sparse: SparseSecondaryMap<Handle<u8>, String> = side_data(700);
    let far: SparseSecondaryMap<Handle<u8>, String> = side_data(70_000_000);
    assert!(through_json(&far) == far && through_postcard(&far) == far);
    assert!(through_json(&map) == map && through_postcard(&map) == map);
    assert!(through_json(&sparse) == sparse && through_postcard(&sparse) == sparse);
    assert!(through_postcard(&sparse).iter().eq(sparse.iter()), "the same order");
    // Each reads what the other saved.
    let text = to_json(&map);
    assert!(from_json::<SparseSecondaryMap<Handle<u8>, String>>(&text).unwrap() == sparse);
    assert!(text.starts_with(r#"[[{"idx":0,"version":3},"0"],"#), "{text}");
    let slots = SecondaryMap::from_iter([(BareHandle::<u8>::from_index(9).unwrap(), 1_u8)]);
    assert!(through_json(&slots) == slots);
}

#[test]
fn side_data_that_is_damaged_is_refused() {
    type Map = SecondaryMap<Handle<u8>, u8>;
    let error = |text: &str| from_json::<Map>(text).unwrap_err().to_string();
    let twice = r#"[[{"idx":0,"version":3},1],[{"idx":0,"version":5},1]]"#;
    assert!(error(twice).contains("0v5 and 0v3 are of one slot"), "{}", error(twice));
    let dangling = r#"[[{"idx":4294967295,"version":4294967295},1]]"#;
    assert!(error(dangling).contains("no container issues it"), "{}", error(dangling));
    assert!(error(r#"[[{"idx":0,"version":2},1]]"#).contains("no key"));
    assert!(error("7").contains("a list of keys and values"));
    // A file of one entry does not have an array up to its slot; entries alone it has.
    let far = r#"[[{"idx":4000000000,"version":1},[0]]]"#;
    let refused = from_json::<SecondaryMap<Handle<u8>, Wide>>(far).unwrap_err();
    assert!(
        refused.to_string().contains("slot 4000000000 is too far from the others"),
        "{refused}"
    );
    let sparse: SparseSecondaryMap<Handle<u8>, Wide> = from_json(far).unwrap();
    assert!(sparse.stats().memory.committed < 100_000);
}

/// A value of which no machine has one for each slot.
#[derive(serde::Deserialize, Debug)]
#[serde(from = "[u8; 1]")]
struct Wide(#[expect(dead_code, reason = "it is large")] [u64; 4_096]);

impl From<[u8; 1]> for Wide {
    fn from(bytes: [u8; 1]) -> Self {
        Self([bytes[0].into(); 4_096])
    }
}

/// Maps of side data that `slotmap` saved are read, and keys find in them what they found.
#[test]
fn slotmaps_side_data_is_read() {
    let mut objects = slotmap::SlotMap::new();
    let mut keys: Vec<_> = (0..9).map(|number| objects.insert(number)).collect();
    objects.remove(keys[3]);
    keys[3] = objects.insert(10);
    let mut side = slotmap::SecondaryMap::new();
    let mut sparse = slotmap::SparseSecondaryMap::new();
    for &key in &keys[2..7] {
        side.insert(key, objects[key].to_string());
        sparse.insert(key, objects[key].to_string());
    }
    let text = to_json(&side);
    assert_eq!(text, to_json(&sparse));
    let ours: Vec<Handle<u8>> = keys
        .iter()
        .map(|key| serde_json::from_value(serde_json::to_value(key).unwrap()).unwrap())
        .collect();
    let read: SecondaryMap<Handle<u8>, String> = from_json(&text).unwrap();
    let read_sparse: SparseSecondaryMap<Handle<u8>, String> = from_json(&text).unwrap();
    assert_eq!((read.len(), read_sparse.len()), (5, 5));
    for (&theirs, &ours) in keys.iter().zip(&ours) {
        assert_eq!(read.get(ours), side.get(theirs));
        assert_eq!(read_sparse.get(ours), side.get(theirs));
    }
    let error =
        |text: &str| from_json::<SecondaryMap<Handle<u8>, u8>>(text).unwrap_err().to_string();
    let even = r#"[{"value":null,"version":0},{"value":7,"version":2}]"#;
    assert!(error(even).contains("slot 1 has version 2, and a value"), "{}", error(even));
    let odd = r#"[{"value":null,"version":3}]"#;
    assert!(error(odd).contains("slot 0 has version 3, and no value"), "{}", error(odd));
}

/// A key and a value, in a format for people that has to be told so: it does not know what it contains.
struct Told([u64; 2]);

impl<'de> IntoDeserializer<'de, ValueError> for Told {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Told {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, ValueError> {
        Err(ValueError::custom("it is not known what comes"))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, to: V) -> Result<V::Value, ValueError> {
        to.visit_seq(SeqDeserializer::new(self.0.into_iter()))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple_struct map struct enum identifier ignored_any
    }
}

/// Side data alone has two forms, between which a format has to choose.
#[test]
fn indices_have_one_form() {
    fn check<T: DeserializeOwned>() {
        let told = [Told([1 << 32, 7]), Told([1 << 32 | 1, 8])];
        T::deserialize(SeqDeserializer::new(told.into_iter())).map(drop).unwrap();
        let slots = r#"[{"value":null,"version":0},{"value":7,"version":1}]"#;
        assert!(from_json::<T>(slots).is_err(), "no map of slotmap's is an index");
        assert!(from_json::<SecondaryMap<Handle<u8>, u64>>(slots).is_ok());
    }

    check::<SortedIndex<u64, Handle<u8>>>();
    check::<UniqueIndex<u64, Handle<u8>>>();
    check::<MultiIndex<u64, Handle<u8>>>();
}
