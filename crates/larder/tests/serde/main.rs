//! Saving and loading: the same keys answer, the same keys come next, and nothing hostile gets in.
#![cfg(feature = "serde")]

extern crate alloc;

#[cfg(feature = "hashbrown")]
mod demands;
#[cfg(feature = "hashbrown")]
mod either_form;
#[cfg(feature = "hashbrown")]
mod formats;
mod hostile;
#[cfg(feature = "hashbrown")]
mod kept;
#[cfg(feature = "hashbrown")]
mod names;
mod next_slots;
mod parts;
mod side;
mod tables;

use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, Key, PagedArena, Reuse, SecondaryMap,
    SoaArena,
    key::{BareHandle, Serial},
    maps::SparseSecondaryMap,
};
use larder_testing::common::SplitMix;
use serde::Serialize;
use serde::de::DeserializeOwned;

// A format meets each type as `dyn`, for which the type is compiled once.

fn to_json(value: &dyn erased_serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let mut from = serde_json::Deserializer::from_str(text);
    let loaded = load(&mut <dyn erased_serde::Deserializer<'_>>::erase(&mut from))?;
    from.end().map_err(|error| error.to_string())?;
    Ok(loaded)
}

fn to_postcard(value: &dyn erased_serde::Serialize) -> Vec<u8> {
    postcard::to_allocvec(value).unwrap()
}

fn from_postcard<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let mut from = postcard::Deserializer::from_bytes(bytes);
    load(&mut <dyn erased_serde::Deserializer<'_>>::erase(&mut from))
}

fn load<T: DeserializeOwned>(from: &mut dyn erased_serde::Deserializer<'_>) -> Result<T, String> {
    erased_serde::deserialize(from).map_err(|error| error.to_string())
}

fn through_json<T: Serialize + DeserializeOwned>(value: &T) -> T {
    from_json(&to_json(value)).unwrap()
}

fn through_postcard<T: Serialize + DeserializeOwned>(value: &T) -> T {
    from_postcard(&to_postcard(value)).unwrap()
}

/// The orders of reuse; the one with the most in its form where every step is interpreted.
const REUSES: &[Reuse] =
    if cfg!(miri) { &[Reuse::Fifo] } else { &[Reuse::Packed, Reuse::Lifo, Reuse::Fifo] };

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
        assert!(from_json::<Handle<u8>>(hostile).is_err(), "{hostile}");
        assert!(from_json::<Handle32<u8>>(hostile).is_err(), "{hostile}");
    }
    // `slotmap` would make it 3; it never saves one.
    let even = from_json::<Handle<u8>>("{\"idx\":1,\"version\":2}").unwrap_err();
    assert!(
        even.to_string().contains("no key has version 2 (of slot 1): versions of keys are odd"),
        "{even}"
    );
    assert!(from_postcard::<Handle<u8>>(&to_postcard(&2_u64)).is_err());
}

/// A slab is read under keys without a generation, and from its own iterator.
#[test]
fn slabs_encoding_is_read() {
    let mut theirs = slab::Slab::new();
    let empty: Arena<u32, BareHandle<u32>> = from_json(&to_json(&theirs)).unwrap();
    assert!(empty.is_empty());
    (0..20).for_each(|number| _ = theirs.insert(number));
    for index in [0, 3, 4, 19] {
        theirs.remove(index);
    }
    let json = to_json(&theirs);
    let ours: Arena<u32, BareHandle<u32>> = from_json(&json).unwrap();
    let dense: DenseArena<u32, BareHandle<u32>> = from_json(&json).unwrap();
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
    assert!(from_json::<Arena<u32>>(&json).is_err());
    assert!(from_json::<Arena<u32>>("{}").is_err());
    for hostile in ["{\"4294967290\":1}", "{\"1x\":1}", "{\"1\":1,\"reuse\":2}", "{\"-1\":1}"] {
        let read = from_json::<Arena<u32, BareHandle<u32>>>(hostile);
        assert!(read.is_err(), "{hostile}");
    }
    let twice: Arena<u32, BareHandle<u32>> = from_json("{\"2\":1,\"0\":5,\"2\":9}").unwrap();
    assert!(twice.values().eq(&[5, 9]));
    assert_eq!(twice, [(2, 1), (0, 5), (2, 9)].into_iter().collect());
}

/// A map that `slotmap` saved is read, and its keys with it.
#[test]
fn slotmaps_encoding_is_read() {
    let mut theirs = slotmap::SlotMap::new();
    let keys: Vec<_> = (0..20_u32).map(|number| theirs.insert(number)).collect();
    for &key in keys.iter().step_by(3) {
        theirs.remove(key);
    }
    let again = theirs.insert(99);
    let json = to_json(&theirs);
    let mut ours: Arena<u32> = from_json(&json).unwrap();
    let dense: DenseArena<u32> = from_json(&json).unwrap();
    ours.validate();
    dense.validate();
    assert_eq!((ours.len(), dense.len()), (theirs.len(), theirs.len()));
    for key in keys.into_iter().chain([again]) {
        let json = to_json(&key);
        let ours_key: Handle<u32> = from_json(&json).unwrap();
        assert_eq!(ours.get(ours_key), theirs.get(key), "{json}");
        assert_eq!(dense.get(ours_key), theirs.get(key), "{json}");
    }
    let fresh = ours.insert(5);
    assert!(ours.contains_key(fresh));
}

/// Values that a format writes as it writes nothing (`null`), in containers with holes.
#[test]
fn values_may_be_whatever_a_format_has_for_nothing() {
    macro_rules! with_holes {
        ($($container:ty, $values:expr;)*) => {$({
            let mut container: $container = $values.into_iter().collect();
            let second = container.keys().nth(1).expect("there are some");
            assert!(container.remove(second).is_some());
            assert_eq!(through_json(&container), container);
            assert_eq!(through_postcard(&container), container);
        })*};
    }

    with_holes! {
        Arena<Option<u32>>, [Some(1), Some(2), None, Some(4), None];
        Arena<()>, [(), (), ()];
        PagedArena<Option<u32>>, [None, Some(2), None];
        DenseArena<Option<Option<u32>>>, [Some(Some(1)), Some(None), Some(Some(2))];
        Arena<Option<u32>, BareHandle<Option<u32>>>, [Some(1), None, None, Some(3)];
    }
}
