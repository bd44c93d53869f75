//! The types with two forms: keys, and containers that `slotmap` can have saved.

use alloc::collections::BTreeMap;

use serde::Deserialize;

use super::formats::*;
use super::*;

/// A key as the key of a map, alone and in a type that is tagged.
#[test]
fn every_key_is_the_key_of_a_map() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(tag = "type")]
    enum Tagged<K: Ord> {
        Hit { map: BTreeMap<K, u8> },
    }

    fn goes<T: Saved + PartialEq>(format: &Format, value: &T) -> bool {
        let loaded = format.save(value).and_then(|bytes| format.load::<T>(&bytes));
        assert!(
            loaded.as_ref().is_err() || loaded.as_ref() == Ok(value),
            "it is the same, or an error"
        );
        loaded.is_ok()
    }

    fn check<K: Key + Saved>(format: &Format, key: K, is_number: bool) {
        let map = BTreeMap::from([(key, 7)]);
        let name = format.name;
        // Keys of these are texts, and a number can be one.
        let has_texts = ["Json", "Toml"].contains(&name);
        let is_blind = ["Postcard", "Bincode"].contains(&name);
        assert_eq!(goes(format, &map), !has_texts || is_number, "{name} {key:?}");
        // (serde does not take a text back for a number, of no type.)
        let tagged = Tagged::Hit { map };
        assert_eq!(goes(format, &tagged), !has_texts && !is_blind, "{name} {key:?}");
    }

    for format in FORMATS {
        check(format, handle::<u8>(7), false);
        check(format, BareHandle::<u8>::from_index(9).unwrap(), true);
        check(format, SmallId::from_bits(3 << 20 | 9).unwrap(), false);
        check(format, SerialId::from_bits(0x5_0000_0001).unwrap(), false);
    }
}

/// Either form is read in every format that says what it contains, whoever it says that it is for.
#[test]
fn both_forms_of_a_key_are_read() {
    fn check<K: Key<Bits: Serialize> + Saved>(key: K) {
        let bits = to_json(&key.to_bits());
        assert_eq!(from_json::<K>(&bits).unwrap(), key, "{bits}");
        let ron = ron::to_string(&key.to_bits()).unwrap();
        assert_eq!(ron::from_str::<K>(&ron).unwrap(), key, "{ron}");

        // MessagePack, whose parts have names, or none, and which says that it is for people, or not.
        let mut named =
            rmp_serde::Serializer::new(Vec::new()).with_struct_map().with_human_readable();
        key.serialize(&mut named).unwrap();
        let mut plain = rmp_serde::Serializer::new(Vec::new()).with_human_readable();
        key.serialize(&mut plain).unwrap();
        let binary = rmp_serde::to_vec(&key).unwrap();
        for bytes in [&named.into_inner(), &plain.into_inner(), &binary] {
            let mut for_people =
                rmp_serde::Deserializer::from_read_ref(bytes).with_human_readable();
            assert_eq!(K::deserialize(&mut for_people).unwrap(), key);
            // A format for machines is asked for a number: there are some that do not say what they contain.
            assert_eq!(rmp_serde::from_slice::<K>(bytes).is_ok(), bytes == &binary);
        }
    }
    check(handle::<u8>(7));
    check(Handle::<u8>::DANGLING);
    check(SmallId::from_bits(3 << 20 | 9).unwrap());

    for wrong in
        ["-1", "1.5", "7", "18446744073709551616", "[1]", "[1,2]", "[1,3,5]", "\"7\"", "true", "[]"]
    {
        assert!(from_json::<Handle<u8>>(wrong).is_err(), "{wrong}");
        assert!(from_json::<Handle32<u8>>(wrong).is_err(), "{wrong}");
    }
    // A number that is too large for a small key is not cut off.
    let bits = format!("{}", 1_u64 << 32 | 0x0030_0007);
    assert!(from_json::<Handle32<u8>>(&bits).is_err());
    let negative = from_json::<Handle<u8>>("-1").unwrap_err().to_string();
    assert!(negative.contains("expected a key: its slot `idx` and its `version`"), "{negative}");
}

/// A map of `slotmap` in a type that is tagged is a list of slots, whatever has become of their names. The first
/// element of a list says which of the two it is.
#[test]
fn a_slotmap_in_a_tagged_type_is_read_and_not_taken_for_an_arena() {
    // (The values are of one type, for which all of it is compiled.)
    fn check(values: [Canon; 3]) {
        let mut theirs = slotmap::SlotMap::new();
        let keys = values.map(|value| theirs.insert(value));
        theirs.remove(keys[1]);
        let tagged = TaggedFields::Hit { before: 1, target: theirs.clone() };
        for format in FORMATS {
            let name = format.name;
            if !["Json", "NamedMessagePack", "PlainMessagePack", "Cbor"].contains(&name) {
                continue;
            }
            let saved = format.save(&tagged).unwrap();
            let TaggedFields::Hit { target: ours, .. } =
                format.load::<TaggedFields<Arena<Canon>>>(&saved).unwrap();
            ours.validate();
            for key in keys {
                let key_of_ours = serde_json::from_value(canon(&key)).unwrap();
                assert_eq!(ours.get(key_of_ours), theirs.get(key), "{name}");
            }
            let saved =
                format.save(&TaggedFields::Hit { before: 1, target: ours.clone() }).unwrap();
            let TaggedFields::Hit { target: again, .. } =
                format.load::<TaggedFields<Arena<Canon>>>(&saved).unwrap();
            assert_eq!(again, ours, "{name}");
        }
    }

    check([1, 2, 3].map(Canon::from));
    // Values that look as orders of reuse and as slots do.
    check(["Packed", "Lifo", "Fifo"].map(Canon::from));
    check([vec![1], vec![], vec![3, 5]].map(Canon::from));
    check([vec![1, 3], vec![2, 4], vec![0, 0]].map(Canon::from));

    type Tagged = TaggedFields<Arena<u8>>;
    for wrong in [
        r#"["Packed"]"#,
        r#"["Packed",0,0,[],[],[],[]]"#,
        r#"["Packed",0,0,[],[],[],[],[],[]]"#,
        r#"["Other",0,0,[],[],[],[],[]]"#,
        r#"["Packed",0,0,[],[],[[1,7]],[0],[]]"#,
        r#"["Packed",{"value":null,"version":0}]"#,
        r#"[{"value":null,"version":0},"Packed",0,0,[],[],[],[],[]]"#,
        r#"[0,0,0,[],[],[],[],[]]"#,
        r#"[[null,1]]"#,
        r#"[[7,2]]"#,
        r#"[[7]]"#,
        r#"[null]"#,
    ] {
        let tagged = format!(r#"{{"type":"Hit","before":1,"target":{wrong}}}"#);
        assert!(from_json::<Tagged>(&tagged).is_err(), "{wrong}");
        assert!(from_json::<Arena<u8>>(wrong).is_err(), "{wrong}");
    }
}
