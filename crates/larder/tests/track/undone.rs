//! Keys that were undone, in files, in clones, and behind earlier checkpoints. (That they stay stale whatever follows, lives
//! in `going_back` assert.)

use std::collections::BTreeSet;
use std::io::Cursor;

use larder::key::{BareHandle, Serial};
use larder::parts;
use larder::snapshot::{Load, Save, Saver, Snapshot};
use larder::track::{Reversible, SpentKeys, Tracked};
use larder::{Arena, DenseArena, Handle, Key, PagedArena, Pool, Reuse, SoaArena};
use larder_testing::common::REUSE_ORDERS;

use crate::going_back::{Item, Plain, Ship, Small, Spot};

/// A step between two checkpoints is undone, and the earlier one gone back to: in slots used before, and in new ones.
fn is_not_issued_again<A: Plain>(reuse: Reuse) {
    for used_before in [0, 1, 5] {
        let mut tracked = Tracked::new(A::make(reuse));
        let insert = |tracked: &mut Tracked<A>| tracked.insert(Item::new(1));
        for _ in 0..used_before {
            let key = insert(&mut tracked);
            assert!(tracked.remove(key).is_some());
        }
        let first = tracked.checkpoint();
        tracked.checkpoint();
        let undone = [(); 2].map(|()| insert(&mut tracked));
        assert_eq!(tracked.undo(), Ok(true));
        for _ in 0..3 {
            tracked.rollback(first).expect("it is held");
            let keys = [(); 3].map(|()| insert(&mut tracked));
            assert!(!keys.iter().any(|key| undone.contains(key)), "{keys:?}, {undone:?}");
            let slots = |keys: &[A::Key]| keys.iter().map(|key| Key::slot(*key)).max();
            assert!(slots(&keys) <= slots(&undone).map(|slot| slot + 1), "slots are used again");
        }
    }
}

#[test]
fn undone_keys_are_not_issued_again_behind_an_earlier_checkpoint() {
    for reuse in REUSE_ORDERS {
        is_not_issued_again::<Arena<Spot, Handle<Spot>>>(reuse);
        is_not_issued_again::<Arena<Spot, Serial<Spot>>>(reuse);
        is_not_issued_again::<PagedArena<Spot, Small>>(reuse);
        is_not_issued_again::<SoaArena<Ship, Small>>(reuse);
        is_not_issued_again::<Pool<Ship, Small>>(reuse);
    }
}

/// Without an undo, and with keys that cannot be told apart, the same calls return the same keys all the same.
#[test]
fn rollbacks_alone_issue_the_same_keys() {
    let mut tracked = Tracked::new(Arena::<Spot, Serial<Spot>>::with_key());
    let first = tracked.checkpoint();
    let key = tracked.insert(Spot::new(1));
    tracked.checkpoint();
    tracked.insert(Spot::new(2));
    tracked.rollback(first).expect("it is held");
    assert_eq!(tracked.insert(Spot::new(3)), key);
    let mut tracked = Tracked::new(Arena::<Spot, BareHandle<Spot>>::with_key());
    let first = tracked.checkpoint();
    tracked.checkpoint();
    let key = tracked.insert(Spot::new(1));
    assert_eq!(tracked.undo(), Ok(true));
    tracked.rollback(first).expect("it is held");
    assert_eq!(tracked.insert(Spot::new(2)), key);
}

/// A table that is loaded with its spent keys issues none that was undone before it was saved; the container alone does.
fn undone_keys_stay_stale_in_a_file<A: Plain + Save + Load>(reuse: Reuse) {
    let mut table = Tracked::new(A::make(reuse));
    let first: Vec<_> = (0..5).map(|number| table.insert(Item::new(number))).collect();
    let mut dead = BTreeSet::new();
    for _ in 0..3 {
        table.checkpoint();
        first[..3].iter().for_each(|&key| assert!(table.remove(key).is_some()));
        dead.extend((0..4).map(|number| table.insert(Item::new(number))));
        assert!(table.undo().expect("it is its own"));
    }
    let mut file = Cursor::new(Vec::new());
    let spent = table.spent_keys().expect("there is memory");
    Saver::new().section("table", &*table).section("spent", &spent).write_to(&mut file).unwrap();
    let mut file = Snapshot::from_reader(file).unwrap();
    let issued_again = |mut table: Tracked<A>| {
        first[..3].iter().for_each(|&key| assert!(table.remove(key).is_some()));
        let keys = (0..20).map(|number| table.insert(Item::new(number)));
        keys.filter(|key| dead.contains(key)).count()
    };
    let alone = Tracked::new(file.load::<A>("table").unwrap());
    let mut whole = Tracked::new(file.load::<A>("table").unwrap());
    let loaded: SpentKeys<A::Key> = file.load("spent").unwrap();
    assert_eq!(loaded, spent);
    whole.spend(&loaded).expect("there is memory");
    assert_eq!(whole.spent_keys().unwrap(), spent, "it can be saved again");
    assert_eq!(issued_again(whole), 0);
    assert_eq!(issued_again(alone) > 0, spent.count() > 0);
}

#[test]
fn keys_that_were_undone_before_a_save_are_not_issued_after_it() {
    for reuse in REUSE_ORDERS {
        undone_keys_stay_stale_in_a_file::<Arena<Spot>>(reuse);
        undone_keys_stay_stale_in_a_file::<DenseArena<Spot>>(reuse);
        undone_keys_stay_stale_in_a_file::<Arena<Spot, Serial<Spot>>>(reuse);
        // (After four keys a slot is retired: one that has had them all is not used after its object.)
        undone_keys_stay_stale_in_a_file::<PagedArena<Spot, Small>>(reuse);
    }
}
/// What a file says of spent keys is checked: a generation that no free slot has, and keys of nothing.
#[test]
fn forged_spent_keys_are_refused_or_ignored() {
    let key = |bits: u64| Handle::<u32>::from_bits(bits).unwrap();
    let load = |key: Handle<u32>, next: u64| {
        let text = format!("[[{},{next}]]", serde_json::to_string(&key).unwrap());
        parts::deserialize::<SpentKeys<Handle<u32>>, _>(&mut serde_json::Deserializer::from_str(
            &text,
        ))
    };
    let mut table = Tracked::new(Arena::from_iter([7_u32]));
    let there = table.keys().next().unwrap();
    assert!(load(there, 3).unwrap_err().to_string().contains("cannot be free in generation 3"));
    for (key, next) in [(key(9 << 32), 20), (key(1 << 32 | 400), 20), (there, 0)] {
        table.spend(&load(key, next).unwrap()).unwrap();
    }
    table.remove(there);
    assert_eq!(table.insert(8).to_bits(), 3 << 32);
    let there = table.keys().next().unwrap();
    table.spend(&load(there, 40).unwrap()).unwrap();
    table.remove(there);
    assert_eq!(table.insert(8).to_bits(), 41 << 32);
    let there = table.keys().next().unwrap();
    table.spend(&load(there, u64::MAX).unwrap()).unwrap();
    table.remove(there);
    assert_eq!((table.insert(8).slot(), table.stats().retired), (1, 1));
}

/// Slots whose generations have no end are never taken out of service, whatever a file says: nothing counts them as such.
#[test]
fn no_file_retires_a_slot_without_a_last_generation() {
    fn refused<K: Key + serde::Serialize + serde::de::DeserializeOwned>() {
        let key = Arena::<u32, K>::with_key().insert(7);
        let text = format!("[[{},{}]]", serde_json::to_string(&key).unwrap(), u64::MAX);
        let keys: Result<SpentKeys<K>, _> =
            parts::deserialize(&mut serde_json::Deserializer::from_str(&text));
        assert!(keys.unwrap_err().to_string().contains("cannot be free"));
    }
    refused::<BareHandle<u32>>();
    refused::<Serial<u32>>();
}

#[test]
fn a_clone_of_a_table_keeps_undone_keys_stale() {
    let mut table = Tracked::new(Arena::new());
    let wren = table.insert(1_u32);
    table.checkpoint();
    table.remove(wren);
    let undone = table.insert(2);
    assert!(table.undo().unwrap());
    let mut clone = table.clone();
    clone.remove(wren);
    assert_ne!(clone.insert(3), undone);
    assert_eq!(clone.get(undone), None);
}
