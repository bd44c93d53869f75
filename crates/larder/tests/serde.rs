//! Saving and loading: the same keys answer, the same keys come next, and nothing hostile gets in.
#![cfg(feature = "serde")]

use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, Key, PagedArena, Reuse, SecondaryMap,
    SoaArena,
    key::{BareHandle, Serial},
    maps::SparseSecondaryMap,
};
use serde::de::value::MapDeserializer;
use serde::de::{DeserializeOwned, Deserializer, Visitor};
use serde::{Deserialize, Serialize};

/// A linear congruential generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % bound
    }
}

fn through_json<C: Serialize + DeserializeOwned>(container: &C) -> C {
    serde_json::from_str(&serde_json::to_string(container).unwrap()).unwrap()
}

fn through_postcard<C: Serialize + DeserializeOwned>(container: &C) -> C {
    postcard::from_bytes(&postcard::to_allocvec(container).unwrap()).unwrap()
}

/// The orders of reuse; the one with the most in its form where every step is interpreted.
const REUSES: &[Reuse] =
    if cfg!(miri) { &[Reuse::Fifo] } else { &[Reuse::Packed, Reuse::Lifo, Reuse::Fifo] };

macro_rules! round_trips {
    ($($name:ident: $container:ident<$key:ty>;)*) => {$(
        #[test]
        fn $name() {
            for &reuse in REUSES {
                let mut original: $container<u32, $key> =
                    $container::builder_with_key().reuse(reuse).build();
                let (mut random, mut keys) = (Random(3), Vec::new());
                let mut issued = Vec::new();
                for round in 0..if cfg!(miri) { 60 } else { 600 } {
                    match random.below(8) {
                        0..=3 => keys.push(original.insert(round)),
                        4..=5 if !keys.is_empty() => {
                            original.remove(keys.swap_remove(random.below(keys.len())));
                        }
                        6 if !keys.is_empty() => {
                            let key = keys[random.below(keys.len())];
                            if round % 3 == 0 {
                                original.detach(key);
                            }
                        }
                        _ => original.shrink_to_fit(),
                    }
                    issued.extend(keys.last().copied());
                }
                for mut copy in [through_json(&original), through_postcard(&original)] {
                    copy.validate();
                    assert_eq!(copy, original);
                    assert!(copy.iter().eq(original.iter()), "the same order");
                    assert_eq!(copy.stats().detached, original.stats().detached);
                    assert_eq!(copy.stats().retired, original.stats().retired);
                    for &key in &issued {
                        assert_eq!(copy.get(key), original.get(key));
                    }
                    // E21: what comes next is what would have come.
                    let mut original = original.clone();
                    for round in 0..if cfg!(miri) { 20 } else { 200 } {
                        assert_eq!(copy.insert(round), original.insert(round), "{reuse:?}");
                        let doomed = original.iter().nth(random.below(original.len())).unwrap().0;
                        assert_eq!(copy.remove(doomed), original.remove(doomed));
                    }
                    for key in issued.iter().copied() {
                        assert_eq!(copy.reattach(key, 1).is_ok(), original.reattach(key, 1).is_ok());
                    }
                    copy.validate();
                }
            }
        }
    )*};
}

round_trips! {
    arena_handle: Arena<Handle<u32>>;
    arena_handle32: Arena<Handle32<u32>>;
    arena_three_bits: Arena<Handle32<u32, 29>>;
    arena_slot: Arena<BareHandle<u32>>;
    arena_serial: Arena<Serial<u32>>;
    dense_handle: DenseArena<Handle<u32>>;
    dense_three_bits: DenseArena<Handle32<u32, 29>>;
    dense_slot: DenseArena<BareHandle<u32>>;
    dense_serial: DenseArena<Serial<u32>>;
    paged_handle: PagedArena<Handle<u32>>;
}

#[test]
fn keys_keep_their_bits() {
    fn check<K: Key + Serialize + DeserializeOwned>(key: K) {
        assert_eq!(through_json(&key), key);
        assert_eq!(through_postcard(&key), key);
    }
    check(Handle::<u8>::from_bits(0x0000_0007_0000_0003).unwrap());
    check(Handle::<u8>::DANGLING);
    check(Handle32::<u8>::from_bits(0x0030_0007).unwrap());
    check(Serial::<u8>::from_bits(0x5_0000_0001).unwrap());
    check(BareHandle::<u8>::from_index(9).unwrap());
    for hostile in ["{\"idx\":1,\"version\":2}", "{\"idx\":1,\"version\":0}", "{}", "7", "null"] {
        assert!(serde_json::from_str::<Handle<u8>>(hostile).is_err(), "{hostile}");
        assert!(serde_json::from_str::<Handle32<u8>>(hostile).is_err(), "{hostile}");
    }
    // `slotmap` would make it 3; it never saves one.
    let even = serde_json::from_str::<Handle<u8>>("{\"idx\":1,\"version\":2}").unwrap_err();
    assert!(
        even.to_string().contains("no key has version 2 (of slot 1): versions of keys are odd"),
        "{even}"
    );
    assert!(postcard::from_bytes::<Handle<u8>>(&postcard::to_allocvec(&2_u64).unwrap()).is_err());
}

/// A slab is read under keys without a generation, and from its own iterator.
#[test]
fn slabs_encoding_is_read() {
    let mut theirs = slab::Slab::new();
    let empty: Arena<u32, BareHandle<u32>> =
        serde_json::from_str(&serde_json::to_string(&theirs).unwrap()).unwrap();
    assert!(empty.is_empty());
    (0..20).for_each(|number| _ = theirs.insert(number));
    for index in [0, 3, 4, 19] {
        theirs.remove(index);
    }
    let json = serde_json::to_string(&theirs).unwrap();
    let ours: Arena<u32, BareHandle<u32>> = serde_json::from_str(&json).unwrap();
    let dense: DenseArena<u32, BareHandle<u32>> = serde_json::from_str(&json).unwrap();
    let collected: Arena<u32, BareHandle<u32>> = theirs.clone().into_iter().collect();
    dense.validate();
    for mut arena in [ours, collected] {
        arena.validate();
        assert!(arena.iter().map(|(key, value)| (usize::from(key), value)).eq(&theirs));
        assert!(arena.iter().all(|(key, value)| dense.get(key) == Some(value)));
        assert_eq!(arena.len(), dense.len());
        let mut free: Vec<usize> = (0..3).map(|_| arena.insert(7).into()).collect();
        free.sort_unstable();
        assert_eq!(free, [0, 3, 4]);
        assert_eq!(usize::from(arena.insert(8)), 19);
    }
    // A key with a generation is no number, and a gap is not as large as a file likes.
    assert!(serde_json::from_str::<Arena<u32>>(&json).is_err());
    assert!(serde_json::from_str::<Arena<u32>>("{}").is_err());
    for hostile in ["{\"4294967290\":1}", "{\"1x\":1}", "{\"1\":1,\"reuse\":2}", "{\"-1\":1}"] {
        let read = serde_json::from_str::<Arena<u32, BareHandle<u32>>>(hostile);
        assert!(read.is_err(), "{hostile}");
    }
    let twice: Arena<u32, BareHandle<u32>> =
        serde_json::from_str("{\"2\":1,\"0\":5,\"2\":9}").unwrap();
    assert!(twice.values().eq(&[5, 9]));
    assert_eq!(twice, [(2, 1), (0, 5), (2, 9)].into_iter().collect());
}

/// A map that `slotmap` saved is read, and its keys with it.
#[test]
fn slotmaps_encoding_is_read() {
    let mut theirs = slotmap::SlotMap::new();
    let keys: Vec<_> = (0..20).map(|number| theirs.insert(number)).collect();
    for &key in keys.iter().step_by(3) {
        theirs.remove(key);
    }
    let again = theirs.insert(99);
    let json = serde_json::to_string(&theirs).unwrap();
    let mut ours: Arena<i32> = serde_json::from_str(&json).unwrap();
    let dense: DenseArena<i32> = serde_json::from_str(&json).unwrap();
    ours.validate();
    dense.validate();
    assert_eq!((ours.len(), dense.len()), (theirs.len(), theirs.len()));
    for key in keys.into_iter().chain([again]) {
        let json = serde_json::to_string(&key).unwrap();
        let ours_key: Handle<i32> = serde_json::from_str(&json).unwrap();
        assert_eq!(ours.get(ours_key), theirs.get(key), "{json}");
        assert_eq!(dense.get(ours_key), theirs.get(key), "{json}");
    }
    let fresh = ours.insert(5);
    assert!(ours.contains_key(fresh));
}

#[derive(Serialize, Deserialize, Clone)]
struct Form {
    reuse: Reuse,
    mark: u64,
    current: u32,
    detached: Vec<(u32, u64)>,
    retired: Vec<u32>,
    slots: Vec<(u64, Option<u32>)>,
    free: Vec<u32>,
    order: Vec<u32>,
}

fn good(reuse: Reuse) -> Form {
    let free = if reuse == Reuse::Packed { vec![] } else { vec![3, 1] };
    let slots = vec![(1, Some(10)), (2, None), (3, Some(30)), (4, None), (0, None), (0, None)];
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
    let json = serde_json::from_str::<C>(&serde_json::to_string(form).unwrap()).is_ok();
    let bytes = postcard::from_bytes::<C>(&postcard::to_allocvec(form).unwrap()).is_ok();
    assert_eq!(json, bytes);
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
        let expected: C = serde_json::from_str(&serde_json::to_string(form).unwrap()).unwrap();
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
        // What is wrong within a field is refused here, too.
        for spoil in [
            |form: &mut Form| form.slots[0].0 = 2,
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
            assert!(!loads::<Arena<u32>>(&form), "{}", serde_json::to_string(&form).unwrap());
            assert!(!loads::<SoaArena<u32>>(&form));
            form.order = vec![0, 2];
            assert!(!loads::<DenseArena<u32>>(&form) && !loads::<DenseSoaArena<u32>>(&form));
        };
        spoil(|form| form.slots[0].0 = 2); // a live slot in a free generation
        spoil(|form| form.slots[1].0 = 1); // a free slot in a live generation
        spoil(|form| form.slots[0].0 = u32::MAX.into()); // past the last generation
        spoil(|form| form.slots[0].0 = 1 << 40);
        spoil(|form| form.slots[1].0 = u64::from(u32::MAX) - 1); // used up, but not retired
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
        Form { mark: 9, slots: vec![(10, Some(1))], detached: vec![], retired: vec![], ..form };
    let serial = Form { order: vec![], ..serial };
    assert!(!loads::<Arena<u32, Serial<u32>>>(&serial), "a number that was never handed out");
    // A counter that could run into the numbers that mark detached slots.
    for (mark, right) in
        [(9, true), (1 << 62, true), ((1 << 62) + 1, false), ((1 << 63) - 1, false)]
    {
        let form = Form { mark, slots: vec![(9, Some(1))], ..serial.clone() };
        assert_eq!(loads::<Arena<u32, Serial<u32>>>(&form), right, "{mark}");
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

/// A container with a bit of everything: values, holes, a detached key, and retired slots where a
/// test can use any up. With every key that it handed out.
macro_rules! lived {
    ($container:ty, $reuse:expr) => {{
        let mut lived = <$container>::builder_with_key().reuse($reuse).build();
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
    }};
}

/// A container that was loaded from anything does all its work.
macro_rules! works {
    ($loaded:expr, $issued:expr) => {{
        let mut loaded = $loaded;
        loaded.validate();
        let found: Vec<_> = loaded.keys().collect();
        let new: Vec<_> = (0..6).map(|value| loaded.insert(value)).collect();
        loaded.validate();
        assert!(new.iter().all(|key| !found.contains(key)), "a key was handed out twice");
        assert_eq!(loaded.len(), found.len() + new.len());
        assert_eq!(loaded.detach(new[0]), Some(0));
        assert_eq!(loaded.detach(new[1]), Some(1));
        loaded.validate();
        assert!(loaded.reattach(new[0], 10).is_ok() && loaded.discard_detached(new[1]));
        assert_eq!((loaded.get(new[0]), loaded.get(new[1])), (Some(&10), None));
        loaded.validate();
        // Keys of the container as it was saved: what of them is live or detached may be spoiled.
        for &key in $issued {
            let was_detached = loaded.reattach(key, 9).is_ok();
            assert!(!was_detached || loaded.get(key) == Some(&9));
            assert_eq!(loaded.contains_key(key), loaded.remove(key).is_some());
            assert!(!loaded.discard_detached(key));
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
        assert_eq!((loaded.get(key), loaded.len()), (Some(&11), 1));
    }};
}

/// Any change of any byte gives an error or a whole container.
macro_rules! spoiled_bytes_never_break {
    ($($name:ident: $container:ident<$key:ty>;)*) => {
        mod spoiled_bytes_never_break {
            use super::*;
            $(#[test] fn $name() {
                let (mut loaded, mut refused) = (0, 0);
                for &reuse in REUSES {
                    let (lived, issued) = lived!($container<u32, $key>, reuse);
                    let bytes = postcard::to_allocvec(&lived).unwrap();
                    let load = |bytes: &[u8]| postcard::from_bytes::<$container<u32, $key>>(bytes);
                    works!(load(&bytes).unwrap(), &issued);
                    for place in 0..bytes.len() {
                        for &change in CHANGES {
                            let mut bytes = bytes.clone();
                            bytes[place] ^= change;
                            match load(&bytes) {
                                Ok(container) => {
                                    loaded += 1;
                                    works!(container, &issued);
                                }
                                Err(_) => refused += 1,
                            }
                        }
                        assert!(load(&bytes[..place]).is_err(), "cut at {place}");
                    }
                }
                assert!(loaded >= 5 && refused > 10, "{loaded} loaded, {refused} refused");
            })*
        }
    };
}

/// Which bits of a byte are turned over.
const CHANGES: &[u8] =
    if cfg!(miri) { &[1] } else { &[1, 2, 3, 4, 8, 0x10, 0x20, 0x40, 0x7f, 0x80, 0xff] };

spoiled_bytes_never_break! {
    arena_handle: Arena<Handle<u32>>;
    arena_handle32: Arena<Handle32<u32>>;
    arena_three_bits: Arena<Handle32<u32, 29>>;
    arena_slot: Arena<BareHandle<u32>>;
    arena_serial: Arena<Serial<u32>>;
    dense_handle: DenseArena<Handle<u32>>;
    dense_handle32: DenseArena<Handle32<u32>>;
    dense_three_bits: DenseArena<Handle32<u32, 29>>;
    dense_slot: DenseArena<BareHandle<u32>>;
    dense_serial: DenseArena<Serial<u32>>;
}

/// The same, of a form that says everything a form can.
#[test]
fn spoiled_forms_never_break_a_container() {
    for &reuse in REUSES {
        let bytes = postcard::to_allocvec(&good(reuse)).unwrap();
        let issued = [Handle::<u32>::from_bits(7 << 32 | 4).unwrap()];
        for (place, change) in (0..bytes.len()).flat_map(|at| CHANGES.iter().map(move |c| (at, c)))
        {
            let mut bytes = bytes.clone();
            bytes[place] ^= change;
            if let Ok(arena) = postcard::from_bytes::<Arena<u32>>(&bytes) {
                works!(arena, &issued);
            }
            if let Ok(dense) = postcard::from_bytes::<DenseArena<u32>>(&bytes) {
                works!(dense, &issued);
            }
        }
    }
}

/// Saves and loads an arena, then asks both for their next slots.
fn same_next_slots(mut arena: Arena<u32>, count: usize) -> Vec<u32> {
    let saved = serde_json::to_string(&arena).unwrap();
    let mut loaded: Arena<u32> = serde_json::from_str(&saved).unwrap();
    let slots: Vec<_> = (0..count).map(|_| arena.insert(0).slot()).collect();
    let again: Vec<_> = (0..count).map(|_| loaded.insert(0).slot()).collect();
    assert_eq!(slots, again);
    arena.validate();
    loaded.validate();
    slots
}

#[test]
fn e21_a_first_hole_in_a_later_word() {
    for reuse in [Reuse::Packed, Reuse::Lifo, Reuse::Fifo] {
        let mut arena: Arena<u32> = Arena::builder().reuse(reuse).build();
        let keys: Vec<_> = arena.insert_many(0..65).collect();
        arena.remove(keys[64]);
        assert_eq!(same_next_slots(arena, 2), [64, 65]);
    }
}

/// What the book remembers of words that have no room any more must not show.
#[test]
fn e21_words_that_were_filled_behind_the_books_back() {
    let slots = |words: [usize; 3]| words.map(|word| word as u32 * 64);

    // The word that shrinking cut off had holes.
    let mut arena = Arena::new();
    let keys: Vec<_> = arena.insert_many(0..4096 + 128).collect();
    arena.remove(keys[3 * 64]);
    for &key in &keys[4096 + 64 + 30..] {
        arena.remove(key);
    }
    arena.shrink_to_fit();
    arena.extend(0..1_000);
    let keys: Vec<_> = arena.keys().collect();
    for word in [68, 70, 3] {
        arena.remove(keys[word * 64]);
    }
    assert_eq!(same_next_slots(arena, 3), slots([3, 70, 68]));

    // A detached slot was all that its word had free.
    let mut arena = Arena::new();
    let keys: Vec<_> = arena.insert_many(0..5_000).collect();
    arena.detach(keys[65 * 64]).unwrap();
    arena.remove(keys[65 * 64 + 1]);
    arena.insert(0);
    arena.remove(keys[68 * 64]);
    arena.reattach(keys[65 * 64], 1).unwrap();
    arena.remove(keys[70 * 64]);
    arena.remove(keys[3 * 64]);
    assert_eq!(same_next_slots(arena, 3), slots([3, 70, 68]));
}

/// Side data of these slots, side by side and apart.
fn side_data<M: FromIterator<(Handle<u8>, String)>>() -> M {
    let key = |slot: u64| Handle::from_bits(3 << 32 | slot).unwrap();
    [0, 1, 2, 5, 6, 700, 70_000].map(|slot| (key(slot), slot.to_string())).into_iter().collect()
}

#[test]
fn side_data_is_saved_by_key() {
    let map: SecondaryMap<Handle<u8>, String> = side_data();
    let sparse: SparseSecondaryMap<Handle<u8>, String> = side_data();
    assert!(through_json(&map) == map && through_postcard(&map) == map);
    assert!(through_json(&sparse) == sparse && through_postcard(&sparse) == sparse);
    assert!(through_postcard(&sparse).iter().eq(sparse.iter()), "the same order");
    // Each reads what the other saved.
    let text = serde_json::to_string(&map).unwrap();
    assert!(
        serde_json::from_str::<SparseSecondaryMap<Handle<u8>, String>>(&text).unwrap() == sparse
    );
    assert!(text.starts_with(r#"[[{"idx":0,"version":3},"0"],"#), "{text}");
    let slots = SecondaryMap::from_iter([(BareHandle::<u8>::from_index(9).unwrap(), 1_u8)]);
    assert!(through_json(&slots) == slots);
}

#[test]
fn side_data_that_is_damaged_is_refused() {
    type Map = SecondaryMap<Handle<u8>, u8>;
    let error = |text: &str| serde_json::from_str::<Map>(text).unwrap_err().to_string();
    let twice = r#"[[{"idx":0,"version":3},1],[{"idx":0,"version":5},1]]"#;
    assert!(error(twice).contains("0v5 and 0v3 are of one slot"), "{}", error(twice));
    let dangling = r#"[[{"idx":4294967295,"version":4294967295},1]]"#;
    assert!(error(dangling).contains("no container hands out"), "{}", error(dangling));
    assert!(error(r#"[[{"idx":0,"version":2},1]]"#).contains("no key"));
    assert!(error("7").contains("a list of keys and values"));
    // A file of one entry may ask for memory up to its slot: then that is an error, where there is so much.
    let far = r#"[[{"idx":4000000000,"version":1},[0]]]"#;
    let refused = serde_json::from_str::<SecondaryMap<Handle<u8>, Wide>>(far).unwrap_err();
    assert!(refused.to_string().contains("the allocator refused"), "{refused}");
    let sparse: SparseSecondaryMap<Handle<u8>, Wide> = serde_json::from_str(far).unwrap();
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
    let text = serde_json::to_string(&side).unwrap();
    assert_eq!(text, serde_json::to_string(&sparse).unwrap());
    let ours: Vec<Handle<u8>> = keys
        .iter()
        .map(|key| serde_json::from_value(serde_json::to_value(key).unwrap()).unwrap())
        .collect();
    let read: SecondaryMap<Handle<u8>, String> = serde_json::from_str(&text).unwrap();
    let read_sparse: SparseSecondaryMap<Handle<u8>, String> = serde_json::from_str(&text).unwrap();
    assert_eq!((read.len(), read_sparse.len()), (5, 5));
    for (&theirs, &ours) in keys.iter().zip(&ours) {
        assert_eq!(read.get(ours), side.get(theirs));
        assert_eq!(read_sparse.get(ours), side.get(theirs));
    }
    let error = |text: &str| {
        serde_json::from_str::<SecondaryMap<Handle<u8>, u8>>(text).unwrap_err().to_string()
    };
    let even = r#"[{"value":null,"version":0},{"value":7,"version":2}]"#;
    assert!(error(even).contains("slot 1 has version 2, and a value"), "{}", error(even));
    let odd = r#"[{"value":null,"version":3}]"#;
    assert!(error(odd).contains("slot 0 has version 3, and no value"), "{}", error(odd));
}

/// Names are saved as texts: loaded, each has a symbol of the new pool.
#[cfg(feature = "hashbrown")]
#[test]
fn names_are_saved_and_loaded_by_text() {
    use larder::pools::StringPool;

    let mut names = StringPool::new();
    for text in ["wren", "", "kite", "\u{e9}\"\\"] {
        names.intern(text);
    }
    let gone = names.acquire("gone");
    names.release(gone);
    for loaded in [through_json(&names), through_postcard(&names)] {
        loaded.validate();
        let texts = |names: &StringPool| names.iter().map(|(_, text)| text.to_owned()).collect();
        let (before, after): (Vec<_>, Vec<_>) = (texts(&names), texts(&loaded));
        assert_eq!(before, after);
        assert!(names.iter().all(|(symbol, _)| loaded.get(symbol).is_none()));
    }
    assert!(serde_json::from_str::<StringPool>("[1]").is_err());
    assert_eq!(serde_json::from_str::<StringPool>(r#"["a","a"]"#).unwrap().len(), 1);
}

/// Loads names from a list in JSON by `load`, each on its own: the pool, and their symbols.
#[cfg(feature = "hashbrown")]
fn loaded_names(
    json: &str,
    load: impl Fn(
        &mut larder::pools::StringPool,
        &str,
    ) -> Result<larder::pools::Symbol, serde_json::Error>,
) -> (larder::pools::StringPool, Vec<larder::pools::Symbol>) {
    let mut names = larder::pools::StringPool::new();
    let texts: Vec<String> = serde_json::from_str(json).unwrap();
    let symbols = texts.iter().map(|text| {
        let text = serde_json::to_string(text).unwrap();
        load(&mut names, &text).unwrap()
    });
    let symbols = symbols.collect();
    names.validate();
    (names, symbols)
}

/// A program that counts references loads its names so, one that keeps them the other way.
#[cfg(feature = "hashbrown")]
#[test]
fn names_are_loaded_counted_or_for_good() {
    use serde::de::DeserializeSeed;

    const NAMES: &str = r#"["wren","kite","wren"]"#;
    let (mut counted, symbols) = loaded_names(NAMES, |names, text| {
        names.seed_acquired().deserialize(&mut serde_json::Deserializer::from_str(text))
    });
    assert_eq!((counted.len(), symbols[0]), (2, symbols[2]));
    let last: Vec<_> = symbols.iter().map(|&symbol| counted.release(symbol)).collect();
    assert_eq!(last, [false, true, true]);
    assert!(counted.is_empty());

    let (mut kept, symbols) = loaded_names(NAMES, |names, text| {
        names.seed().deserialize(&mut serde_json::Deserializer::from_str(text))
    });
    assert!(symbols.iter().all(|&symbol| !kept.release(symbol) && !kept.release(symbol)));
    assert_eq!((kept.len(), &kept[symbols[1]]), (2, "kite"));
    // What was kept once is kept.
    let mut json = serde_json::Deserializer::from_str("\"wren\"");
    let wren = kept.seed_acquired().deserialize(&mut json).unwrap();
    assert!(!kept.release(wren));
    assert_eq!(&kept[wren], "wren");
}

#[cfg(feature = "hashbrown")]
#[test]
fn a_hostile_name_is_an_error_and_leaves_the_pool_as_it_was() {
    use larder::pools::StringPool;
    use serde::de::DeserializeSeed;

    let mut names = StringPool::new();
    let wren = names.acquire("wren");
    for hostile in ["7", "null", "[\"wren\"]", "{}", "\"wren", "\"\\ud800\""] {
        for counts in [false, true] {
            let seed = if counts { names.seed_acquired() } else { names.seed() };
            let mut json = serde_json::Deserializer::from_str(hostile);
            assert!(seed.deserialize(&mut json).is_err(), "{hostile}");
        }
    }
    names.validate();
    assert_eq!(names.len(), 1);
    assert!(names.release(wren), "a reference was counted");
}
