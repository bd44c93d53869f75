//! Forms of containers that are wrong, and bytes that were spoiled: an error, never a broken container.

use larder_testing::allocator::refusing_after;
use larder_testing::subject::{Config, Subject};
use larder_testing::values::Seen as _;
use serde::de::value::MapDeserializer;
use serde::de::{Deserializer, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Serialize, Serializer};

use super::*;

#[derive(Serialize, Deserialize, Clone)]
struct Form {
    reuse: Reuse,
    mark: u64,
    current: u32,
    detached: Vec<(u32, u64)>,
    retired: Vec<u32>,
    /// A generation each, and the value of those that are live.
    #[serde(serialize_with = "as_tuples")]
    slots: Vec<Vec<u64>>,
    free: Vec<u32>,
    order: Vec<u32>,
}

fn as_tuples<S: Serializer>(slots: &[Vec<u64>], to: S) -> Result<S::Ok, S::Error> {
    struct Parts<'a>(&'a [u64]);

    impl Serialize for Parts<'_> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let Self(parts) = self;
            let mut tuple = to.serialize_tuple(parts.len())?;
            parts.iter().try_for_each(|part| tuple.serialize_element(part))?;
            tuple.end()
        }
    }

    to.collect_seq(slots.iter().map(|parts| Parts(parts)))
}

/// Slots with too few parts, too many, or others are refused.
#[test]
fn slots_have_the_parts_that_they_say() {
    let load = |slots: &str| {
        let form = format!(
            "{{\"reuse\":\"Packed\",\"mark\":0,\"current\":0,\"detached\":[],\"retired\":[],\
             \"slots\":{slots},\"free\":[],\"order\":[]}}"
        );
        from_json::<Arena<Option<u32>>>(&form)
            .map(|arena| arena.values().copied().collect::<Vec<_>>())
    };
    let right = load("[[1,10],[2],[3,null]]").map_err(|error| error.to_string());
    assert_eq!(right, Ok(vec![Some(10), None]));
    for wrong in ["[]", "[1]", "[2,9]", "[1,1,1]", "[true]", "[true,1,10]", "[null]", "2"] {
        assert!(load(&format!("[{wrong}]")).is_err(), "{wrong}");
    }
}

fn good(reuse: Reuse) -> Form {
    let free = if reuse == Reuse::Packed { vec![] } else { vec![3, 1] };
    let slots = [&[1, 10][..], &[2], &[3, 30], &[4], &[0], &[0]].map(<[u64]>::to_vec).to_vec();
    Form {
        reuse,
        mark: 2,
        current: 0,
        slots,
        detached: vec![(4, 7)],
        retired: vec![5],
        free,
        order: vec![],
    }
}

fn loads<C: DeserializeOwned>(form: &Form) -> bool {
    let json = from_json::<C>(&to_json(form)).is_ok();
    let bytes = from_postcard::<C>(&to_postcard(form)).is_ok();
    // Bytes do not say where a slot ends: one with parts that do not fit its generation is read as other slots.
    let fits =
        |slot: &Vec<u64>| slot.len() == 1 + slot.first().map_or(0, |first| first % 2) as usize;
    assert!(json == bytes || !form.slots.iter().all(fits));
    json
}

/// The fields of a form with their names, in a format that is none for people.
struct Named(Vec<(&'static str, serde_json::Value)>);

impl<'de> Deserializer<'de> for Named {
    type Error = serde_json::Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        let mut fields = MapDeserializer::new(self.0.into_iter());
        let value = visitor.visit_map(&mut fields)?;
        fields.end().map(|()| value)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

#[test]
fn fields_are_read_by_name_where_a_format_has_names_and_is_not_for_people() {
    const NAMES: [&str; 8] =
        ["reuse", "mark", "current", "detached", "retired", "slots", "free", "order"];

    fn load<C: DeserializeOwned>(form: &Form, names: &[&'static str]) -> Result<C, String> {
        let all = serde_json::to_value(form).unwrap();
        let field = |name: &'static str| (name, all.get(name).cloned().unwrap_or_default());
        C::deserialize(Named(names.iter().copied().map(field).collect()))
            .map_err(|error| error.to_string())
    }
    fn check<C: DeserializeOwned + PartialEq + core::fmt::Debug>(form: &Form) {
        let expected: C = from_json(&to_json(form)).unwrap();
        for first in 0..NAMES.len() {
            let (mut turned, mut backwards) = (NAMES, NAMES);
            turned.rotate_left(first);
            backwards.rotate_left(first);
            backwards.reverse();
            for names in [turned, backwards] {
                assert_eq!(load::<C>(form, &names).as_ref(), Ok(&expected));
            }
            let refused = |names: &[&'static str]| load::<C>(form, names).unwrap_err();
            let missing: Vec<_> = NAMES.into_iter().filter(|&name| name != NAMES[first]).collect();
            assert_eq!(refused(&missing), format!("missing field `{}`", NAMES[first]));
            let repeated: Vec<_> = NAMES.into_iter().chain([NAMES[first]]).collect();
            assert_eq!(refused(&repeated), format!("duplicate field `{}`", NAMES[first]));
            let mut unknown = NAMES.to_vec();
            unknown.insert(first, "colour");
            assert!(refused(&unknown).starts_with("unknown field `colour`, expected one of"));
            let mut other = NAMES;
            other[first] = "colour";
            assert!(refused(&other).starts_with("unknown field `colour`"));
        }
        assert!(load::<C>(form, &[]).unwrap_err().starts_with("missing field"));
    }

    for &reuse in REUSES {
        check::<Arena<u32>>(&good(reuse));
        check::<PagedArena<u32>>(&good(reuse));
        check::<SoaArena<u32>>(&good(reuse));
        let dense = Form { order: vec![2, 0], ..good(reuse) };
        check::<DenseArena<u32>>(&dense);
        check::<DenseSoaArena<u32>>(&dense);
        // A fault within a field is refused here, too.
        for spoil in [
            |form: &mut Form| form.slots[0][0] = 2,
            |form: &mut Form| form.detached.push((4, 7)),
            |form: &mut Form| form.free.push(900),
        ] {
            let mut form = good(reuse);
            spoil(&mut form);
            assert!(load::<Arena<u32>>(&form, &NAMES).is_err());
            assert!(load::<SoaArena<u32>>(&form, &NAMES).is_err());
        }
    }
}

/// Every wrong form is an error, never a broken container.
#[test]
fn hostile_forms_are_errors() {
    for &reuse in REUSES {
        assert!(loads::<Arena<u32>>(&good(reuse)) && loads::<SoaArena<u32>>(&good(reuse)));
        let spoil = |change: fn(&mut Form)| {
            let mut form = good(reuse);
            change(&mut form);
            assert!(!loads::<Arena<u32>>(&form), "{}", to_json(&form));
            assert!(!loads::<SoaArena<u32>>(&form));
            form.order = vec![0, 2];
            assert!(!loads::<DenseArena<u32>>(&form) && !loads::<DenseSoaArena<u32>>(&form));
        };
        spoil(|form| form.slots[0][0] = 2); // a live slot in a free generation
        spoil(|form| form.slots[1][0] = 1); // a free slot in a live generation
        spoil(|form| form.slots[0][0] = u32::MAX.into()); // past the last generation
        spoil(|form| form.slots[0][0] = 1 << 40);
        spoil(|form| form.slots[1][0] = u64::from(u32::MAX) - 1); // used up, but not retired
        spoil(|form| form.slots[0] = vec![]); // a slot without a generation
        spoil(|form| form.slots[0] = vec![1, 10, 10]); // a slot with two values
        spoil(|form| form.detached[0].0 = 0); // live and detached
        spoil(|form| form.detached[0].0 = 9); // no such slot
        spoil(|form| form.detached[0].1 = 8); // not the generation of a key
        spoil(|form| form.detached.push((4, 7))); // twice
        spoil(|form| form.retired = vec![0]); // live and retired
        spoil(|form| form.retired = vec![4, 5]); // detached and retired
        spoil(|form| form.retired = vec![5, 5]);
        spoil(|form| form.retired = vec![5, 1]); // not in order
        spoil(|form| form.mark = 1); // a live generation
        spoil(|form| form.mark = u64::MAX);
        spoil(|form| form.free = vec![1, 1]);
        spoil(|form| form.free = vec![0, 1]); // a live slot is free
        spoil(|form| form.free.push(4)); // a detached slot is free
        spoil(|form| form.free.push(900));
        spoil(|form| form.current = 1);
        spoil(|form| form.current = u32::MAX);
    }
    let mut form = good(Reuse::Packed);
    form.order = vec![0, 2];
    assert!(!loads::<Arena<u32>>(&form), "an arena has no order");
    for (order, right) in
        [(vec![2, 0], true), (vec![0], false), (vec![0, 0], false), (vec![1, 2], false)]
    {
        form.order = order;
        assert_eq!(loads::<DenseArena<u32>>(&form), right);
    }
    let serial =
        Form { mark: 9, slots: vec![vec![10, 1]], detached: vec![], retired: vec![], ..form };
    let serial = Form { order: vec![], ..serial };
    assert!(!loads::<Arena<u32, Serial<u32>>>(&serial), "a number that was never handed out");
    // A counter that could run into the numbers that mark detached slots.
    for (mark, right) in
        [(9, true), (1 << 62, true), ((1 << 62) + 1, false), ((1 << 63) - 1, false)]
    {
        let form = Form { mark, slots: vec![vec![9, 1]], ..serial.clone() };
        assert_eq!(loads::<Arena<u32, Serial<u32>>>(&form), right, "{mark}");
    }
}

/// A slab of one value says how many slots there are; they are not in it.
#[test]
fn the_gaps_of_a_slab_may_be_refused_their_memory() {
    use serde::de::value::Error;

    // (The name and the first node are not asked for by us.)
    for grants in 2.. {
        let load = || {
            let slab = MapDeserializer::<_, Error>::new([("600", 7_u32)].into_iter());
            Arena::<u32, BareHandle<u32>>::deserialize(slab)
        };
        let (refused, loaded) = refusing_after(grants, false, load);
        assert_eq!(loaded.is_err(), refused);
        if !refused {
            assert!(grants > 3 && loaded.is_ok_and(|arena| arena.len() == 1));
            break;
        }
    }
}

#[test]
fn a_serial_container_that_is_used_up_is_refused() {
    let serial = |mark: u64| {
        let (slots, detached, retired, free, order) = (vec![], vec![], vec![], vec![], vec![]);
        Form { reuse: Reuse::Packed, mark, current: 0, slots, detached, retired, free, order }
    };
    for mark in [(1 << 63) - 1, 1 << 63, u64::MAX] {
        assert!(!loads::<Arena<u32, Serial<u32>>>(&serial(mark)), "{mark}");
        assert!(!loads::<DenseArena<u32, Serial<u32>>>(&serial(mark)), "{mark}");
    }
    assert!(loads::<Arena<u32, Serial<u32>>>(&serial(1 << 40)));
}

// Spoiled bytes.

/// The bits of a byte that are turned over.
const CHANGES: &[u8] =
    if cfg!(miri) { &[1] } else { &[1, 2, 3, 4, 8, 0x10, 0x20, 0x40, 0x7f, 0x80, 0xff] };

/// A container with a bit of everything: values, holes, a detached key, and retired slots where a
/// test can use any up. With every key that it handed out.
fn lived<S: Subject<Value = u32>>(reuse: Reuse) -> (S, Vec<S::Key>) {
    let mut lived = S::build(Config::new(reuse, None));
    let mut issued: Vec<_> = lived.insert_many(0..7).collect();
    for round in 0..5 {
        assert!(lived.remove(issued[issued.len() - 1]).is_some());
        issued.push(lived.insert(100 + round));
    }
    assert!(lived.detach(issued[0]).is_some());
    for place in [4, 2] {
        assert!(lived.remove(issued[place]).is_some());
    }
    (lived, issued)
}

/// A container that was loaded from anything does all its work.
fn works<S: Subject<Value = u32>>(mut loaded: S, issued: &[S::Key]) {
    let of = |loaded: &S, key| loaded.get(key).map(|value| value.id());
    loaded.validate();
    let found: Vec<_> = loaded.keys().collect();
    let new: Vec<_> = (0..6).map(|value| loaded.insert(value)).collect();
    loaded.validate();
    assert!(new.iter().all(|key| !found.contains(key)), "a key was handed out twice");
    assert_eq!(loaded.len(), found.len() + new.len());
    assert_eq!((loaded.detach(new[0]), loaded.detach(new[1])), (Some(0), Some(1)));
    loaded.validate();
    assert!(loaded.reattach(new[0], 10).is_ok() && loaded.release(new[1]));
    assert_eq!((of(&loaded, new[0]), of(&loaded, new[1])), (Some(10), None));
    loaded.validate();
    // Keys of the container as it was saved: what of them is live or detached may be spoiled.
    for &key in issued {
        let was_detached = loaded.reattach(key, 9).is_ok();
        assert!(!was_detached || of(&loaded, key) == Some(9));
        assert_eq!(loaded.contains_key(key), loaded.remove(key).is_some());
        assert!(!loaded.release(key));
    }
    loaded.validate();
    for key in loaded.keys().collect::<Vec<_>>() {
        assert!(loaded.remove(key).is_some() && !loaded.contains_key(key));
    }
    loaded.validate();
    assert!(loaded.is_empty());
    loaded.shrink_to_fit();
    loaded.validate();
    let key = loaded.insert(11);
    assert_eq!((of(&loaded, key), loaded.len()), (Some(11), 1));
}

/// Any change of any byte gives an error or a whole container.
#[test]
fn spoiled_bytes_never_break_a_container() {
    fn check<S: Subject<Value = u32> + Serialize + DeserializeOwned>() {
        let (mut loaded, mut refused) = (0, 0);
        for &reuse in REUSES {
            let (lived, issued) = lived::<S>(reuse);
            let bytes = to_postcard(&lived);
            works(from_postcard::<S>(&bytes).unwrap(), &issued);
            for place in 0..bytes.len() {
                for &change in CHANGES {
                    let mut bytes = bytes.clone();
                    bytes[place] ^= change;
                    match from_postcard::<S>(&bytes) {
                        Ok(container) => {
                            loaded += 1;
                            works(container, &issued);
                        }
                        Err(_) => refused += 1,
                    }
                }
                assert!(from_postcard::<S>(&bytes[..place]).is_err(), "cut at {place}");
            }
        }
        let name = core::any::type_name::<S>();
        assert!(loaded >= 5 && refused > 10, "{name}: {loaded} loaded, {refused} refused");
    }

    check::<Arena<u32, Handle<u32>>>();
    check::<Arena<u32, Handle32<u32, 29>>>();
    check::<Arena<u32, BareHandle<u32>>>();
    check::<Arena<u32, Serial<u32>>>();
    check::<DenseArena<u32, Handle<u32>>>();
    check::<DenseArena<u32, BareHandle<u32>>>();
    check::<DenseArena<u32, Serial<u32>>>();
}

/// The same, of a form that says everything a form can.
#[test]
fn spoiled_forms_never_break_a_container() {
    for &reuse in REUSES {
        let bytes = to_postcard(&good(reuse));
        let issued = [Handle::<u32>::from_bits(7 << 32 | 4).unwrap()];
        for (place, change) in (0..bytes.len()).flat_map(|at| CHANGES.iter().map(move |c| (at, c)))
        {
            let mut bytes = bytes.clone();
            bytes[place] ^= change;
            if let Ok(arena) = from_postcard::<Arena<u32>>(&bytes) {
                works(arena, &issued);
            }
            if let Ok(dense) = from_postcard::<DenseArena<u32>>(&bytes) {
                works(dense, &issued);
            }
        }
    }
}
