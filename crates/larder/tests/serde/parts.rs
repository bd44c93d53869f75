//! Structures that say what their parts are: pools of lists, and one of a program's own.

use larder::parts::{Encoder, FromParts, LoadError, Loaded, Pairs, Part, Parts};
use larder::pools::list_pool::{ListHandle, ListPool};
use serde::Deserialize;

use super::*;

/// Lists of values that own memory, and their owners.
#[derive(Serialize, Deserialize)]
struct Owned {
    lists: ListPool<String>,
    owners: Vec<ListHandle<String>>,
}

#[test]
fn lists_are_saved_with_their_handles() {
    let mut world = Owned { lists: ListPool::new(), owners: vec![ListHandle::EMPTY] };
    let list = |length: usize| (0..length).map(|number| number.to_string());
    for length in [3, 0, 1, 9, 2] {
        world.owners.push(world.lists.make(list(length)));
    }
    let mut gone: Vec<_> = [1, 3].map(|at| world.owners[at]).into();
    gone.iter().for_each(|&list| world.lists.free(list));
    world.owners.push(world.lists.make(list(4)));
    gone.push(world.owners.remove(1));
    for mut loaded in [through_json(&world), through_postcard(&world)] {
        loaded.lists.validate();
        assert_eq!(loaded.owners, world.owners);
        assert!(world.owners.iter().all(|&list| loaded.lists.get(list) == world.lists.get(list)));
        assert!(gone.iter().all(|&list| loaded.lists.get(list) == world.lists.get(list)));
        let mut lists = world.lists.clone();
        for length in 1..20 {
            assert_eq!(
                loaded.lists.make(list(length)),
                lists.make(list(length)),
                "the same comes next"
            );
        }
        loaded.lists.validate();
    }
    assert!(through_json(&ListPool::<u8>::new()).iter().next().is_none());
    assert!(from_json::<ListHandle<u8>>("1").is_err());
}

#[test]
fn forged_lists_are_refused() {
    let load = |text: &str| from_json::<ListPool<u8>>(text).map(drop);
    let form = |brand: u64, above: u64, rest: &str| {
        format!(r#"{{"brand":{brand},"above":{above},{rest}}}"#)
    };
    let right = r#""lives":[1,2],"free":[1],"lists":[[7,8]]"#;
    load(&form(1, 0, right)).unwrap();
    for (text, what) in [
        (form(1, 0, r#""lives":[1,2],"free":[1],"lists":[]"#), "lengths do not match"),
        (form(1, 0, r#""lives":[1,1],"free":[],"lists":[[7,8]]"#), "lengths do not match"),
        (form(1, 0, r#""lives":[1,2],"free":[],"lists":[[7,8]]"#), "the free slots are not"),
        (form(1, 0, r#""lives":[1,2],"free":[1,1],"lists":[[7,8]]"#), "the free slots are not"),
        (form(1, 0, r#""lives":[1048577],"free":[],"lists":[[7]]"#), "the free slots are not"),
        (form(0, 0, right), "no pool of lists has that number"),
        (form(70_000, 0, right), "no pool of lists has that number"),
        (form(1, 1, right), "no pool of lists has that number"),
        (form(1, 0, r#""lives":[1,2],"free":[1]"#), "missing field `lists`"),
        (form(1, 0, r#""lives":[1,2],"lists":[[7,8]]"#), "missing field `free`"),
        (form(1, 0, &format!(r#""more":1,{right}"#)), "unknown field `more`"),
        (form(1, 0, &format!(r#""above":1,{right}"#)), "duplicate field `above`"),
        (form(1, 0, &format!(r#""lists":[],{right}"#)), "duplicate field `lists`"),
        ("7".to_owned(), "the parts of a structure of the kind `lists`"),
    ] {
        let said = load(&text).unwrap_err().to_string();
        assert!(said.contains(what), "{text}: {said}");
    }
}

/// Units take no bytes of a file, which says how many there are.
#[test]
fn values_without_a_size_are_bounded() {
    let mut lists = ListPool::new();
    lists.make([(); 7]);
    let mut bytes = to_postcard(&lists);
    assert_eq!(from_postcard::<ListPool<()>>(&bytes).unwrap().iter().next().unwrap().1.len(), 7);
    assert_eq!(bytes.pop(), Some(7));
    bytes.extend([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]);
    assert!(from_postcard::<ListPool<()>>(&bytes).is_err());
}

/// What is due of each object, from a day on: a structure of a program's own.
#[derive(Debug, PartialEq)]
struct Due {
    day: u64,
    rate: f32,
    paid: Vec<u32>,
    sums: Vec<(Handle<u8>, String)>,
}

impl Parts for Due {
    const KIND: &'static str = "due";
    const PARTS: &'static [Part] =
        &[Part::number("first day").field("day"), Part::float("rate"), Part::column("paid")];
    type List = Pairs<Handle<u8>, String>;

    fn save<E: Encoder<Self::List>>(&self, to: &mut E) -> Result<(), E::Error> {
        to.number("first day", self.day)?;
        to.float("rate", self.rate)?;
        to.column("paid", self.paid.iter().copied())?;
        to.list(self.sums.iter().map(|(key, sum)| (*key, sum)))
    }
}

impl FromParts for Due {
    fn load(mut parts: Loaded<Self::List>) -> Result<Self, LoadError> {
        let (day, rate, paid) =
            (parts.number("first day"), parts.float("rate"), parts.column("paid"));
        match parts.list.0 {
            sums if sums.is_empty() => Err(LoadError::entry("nothing is due")),
            sums => Ok(Self { day, rate, paid, sums }),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Saved(#[serde(with = "larder::parts")] Due);

#[test]
fn a_structure_of_a_programs_own_is_saved_in_every_format() {
    let key = Handle::from_bits(1 << 32 | 5).unwrap();
    let due =
        || Saved(Due { day: 9, rate: 0.5, paid: vec![1, 2], sums: vec![(key, "x".to_owned())] });
    assert_eq!(through_postcard(&due()).0, due().0);
    assert_eq!(through_json(&due()).0, due().0);
    let json = to_json(&due());
    let entry = r#"[{"idx":5,"version":1},"x"]"#;
    assert_eq!(json, format!(r#"{{"day":9,"rate":0.5,"paid":[1,2],"list":[{entry}]}}"#));
    // Fields may come in any order, where they have names.
    let other = format!(r#"{{"list":[{entry}],"paid":[1,2],"rate":0.5,"day":9}}"#);
    assert_eq!(from_json::<Saved>(&other).unwrap().0, due().0);
    let ron = ron::to_string(&due()).unwrap();
    assert_eq!(ron::from_str::<Saved>(&ron).unwrap().0, due().0);
    let none = from_json::<Saved>(r#"{"day":9,"rate":1,"paid":[],"list":[]}"#);
    assert!(none.map(drop).unwrap_err().to_string().contains("nothing is due"));
}

/// A structure that passes another part than it says.
struct Mistaken(bool);

impl Parts for Mistaken {
    const KIND: &'static str = "mistaken";
    const PARTS: &'static [Part] = &[Part::float("rate")];
    type List = Pairs<Handle<u8>, String>;

    fn save<E: Encoder<Self::List>>(&self, to: &mut E) -> Result<(), E::Error> {
        if self.0 {
            to.number("rate", 1)?;
        }
        to.list(core::iter::empty())
    }
}

#[test]
fn a_structure_that_passes_other_parts_than_it_says_is_not_serialised() {
    for is_passed in [false, true] {
        let mut json = serde_json::Serializer::new(Vec::new());
        let result = larder::parts::serialize(&Mistaken(is_passed), &mut json);
        let said = result.map(drop).unwrap_err().to_string();
        assert!(said.contains("`rate`"), "{said}");
    }
}
