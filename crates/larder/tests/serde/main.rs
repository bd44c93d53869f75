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
                let (mut random, mut keys) = (SplitMix::new(3), Vec::new());
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
    arena_three_bits: Arena<Handle32<u32, 29>>;
    arena_slot: Arena<BareHandle<u32>>;
    arena_serial: Arena<Serial<u32>>;
    dense_handle: DenseArena<Handle<u32>>;
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

/// Values that a format writes as it writes nothing (`null`), in containers with holes.
fn values_that_look_like_none<C: Serialize + DeserializeOwned + PartialEq + core::fmt::Debug>(
    container: &C,
) {
    assert_eq!(through_json(container), *container);
    assert_eq!(through_postcard(container), *container);
}

#[test]
fn values_may_be_whatever_a_format_has_for_nothing() {
    macro_rules! with_holes {
        ($container:ty, $values:expr) => {{
            let mut container: $container = $values.into_iter().collect();
            let second = container.keys().nth(1).expect("there are some");
            assert!(container.remove(second).is_some());
            values_that_look_like_none(&container);
        }};
    }

    with_holes!(Arena<Option<u32>>, [Some(1), Some(2), None, Some(4), None]);
    with_holes!(Arena<()>, [(), (), ()]);
    with_holes!(PagedArena<Option<u32>>, [None, Some(2), None]);
    with_holes!(DenseArena<Option<Option<u32>>>, [Some(Some(1)), Some(None), Some(Some(2))]);
    with_holes!(Arena<Option<u32>, BareHandle<Option<u32>>>, [Some(1), None, None, Some(3)]);
}
