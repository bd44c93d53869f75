//! Packed values after most were removed: what memory they take once it was given back, that insertions,
//! detached keys and copies find room again, and that nothing is lost where there is none.

use larder::{DenseArena, DenseSoaArena, Handle, Key};
use larder_testing::allocator::{live_bytes, refusing_after, requests_of};
use larder_testing::common::{REUSE_ORDERS, SplitMix, scaled, thorough};
use larder_testing::fields::Plain;
use larder_testing::subject::{Config, Subject};
use larder_testing::values::{Seen, Value, Wide};
use std::collections::BTreeMap;

const SPIKE: usize = scaled(40_000, 300);

/// A container that had so many values, of which `left` are left, one of them in the last slot.
fn after_spike<S: Subject>(config: Config, slots: usize, left: usize) -> (S, Vec<S::Key>) {
    let mut subject = S::build(config);
    let keys: Vec<S::Key> = subject.insert_many((0..slots as u32).map(S::Value::make)).collect();
    let kept = (left - 1).max(1);
    subject.retain(|key, _| {
        let slot = key.slot() as usize;
        slot == slots - 1 || slot % (slots / kept) == 0 && slot / (slots / kept) < left - 1
    });
    assert_eq!(subject.len(), left);
    subject.shrink_to_fit();
    subject.validate();
    (subject, keys)
}

/// `value` is how many bytes a value takes, with its key.
fn memory_follows_the_values<S: Subject>(value: usize) {
    const LEFT: usize = 100;
    let before = live_bytes();
    for config in REUSE_ORDERS.map(|reuse| Config::new(reuse, None)) {
        let (mut subject, keys) = after_spike::<S>(config, SPIKE, LEFT);
        let bytes = || (live_bytes() - before) as usize - keys.capacity() * size_of::<S::Key>();
        // A cell a slot, a link where slots are in order, and the bits and summaries of the book.
        let table = SPIKE * 9 + 4_096;
        assert!(bytes() <= LEFT * value + table, "{} bytes", bytes());
        let memory = subject.stats().memory;
        assert!(memory.committed <= LEFT * value + table && memory.holes == 0, "{memory:?}");
        let held = |subject: &S| -> BTreeMap<_, _> {
            subject.iter().map(|(key, value)| (key, value.id())).collect()
        };
        let left = held(&subject);
        // Few insertions need little.
        let new: Vec<_> = (0..50).map(|id| subject.insert(S::Value::make(id))).collect();
        assert!(bytes() <= 4 * LEFT * value + table + 64 * value, "{} bytes", bytes());
        subject.validate();
        // Then all slots are used again, no key twice.
        subject.extend((0..SPIKE as u32).map(S::Value::make));
        subject.validate();
        let all = held(&subject);
        assert_eq!(all.len(), LEFT + 50 + SPIKE);
        assert!(left.iter().all(|(key, id)| all.get(key) == Some(id)));
        assert!(new.iter().all(|key| all.contains_key(key)));
        assert_eq!(keys.iter().filter(|key| all.contains_key(key)).count(), LEFT);
        let mut again = subject.clone();
        again.clear();
        again.shrink_to_fit();
        again.validate();
        assert_eq!(again.stats().memory.holes, 0);
    }
}

#[test]
fn packed_values_shrink_to_their_number_whatever_their_slots_are() {
    memory_follows_the_values::<DenseArena<Wide, Handle<Wide>>>(size_of::<Wide>() + 8);
    memory_follows_the_values::<DenseSoaArena<Plain, Handle<Plain>>>(size_of::<Plain>() + 9);
}

/// Gives memory back, and checks what is said of that: no more values fit than before, nor fewer than asked for.
fn shrink<S: Subject>(subject: &mut S, least: usize) {
    let before = subject.capacity();
    subject.shrink_to(least);
    let after = subject.capacity();
    assert!(after <= before, "{least} of {before} were asked for: {after}");
    assert!(after >= least.min(before), "{least} of {before} were asked for: {after}");
    let more = after - subject.len() - subject.stats().detached;
    assert_eq!(requests_of(|| subject.reserve(more)).0, 0, "so many fit");
}

/// Two containers have the same history, but one has more room, as one that was loaded may have: keys are the same, and
/// what was reserved is enough.
fn keys_do_not_depend_on_room<S: Subject>() {
    for reuse in REUSE_ORDERS {
        for turn in 0..thorough(20, 2) as u64 {
            let mut numbers = SplitMix::new(turn);
            let slots = 70 + numbers.below(300);
            let (mut subject, _) = after_spike::<S>(Config::new(reuse, None), slots, 5);
            let mut roomy = subject.clone();
            let mut live: Vec<S::Key> = subject.keys().collect();
            let mut reserved = 0;
            for step in 0..scaled(100, 40) as u32 {
                match numbers.below(4) {
                    0 => {
                        reserved = numbers.below(500);
                        roomy.reserve(reserved);
                    }
                    1 => {
                        let least = numbers.below(200);
                        shrink(&mut subject, least);
                        shrink(&mut roomy, least);
                        reserved = 0;
                    }
                    2 => {
                        for _ in 0..numbers.below(live.len() + 1) {
                            let key = numbers.take(&mut live);
                            assert!(subject.remove(key).is_some() && roomy.remove(key).is_some());
                        }
                    }
                    _ => {
                        for _ in 0..numbers.below(100) {
                            let (key, value) =
                                (subject.insert(S::Value::make(step)), S::Value::make(step));
                            let (requests, same) = requests_of(|| roomy.insert(value));
                            assert!(same == key && (requests == 0 || reserved == 0));
                            reserved = reserved.saturating_sub(1);
                            live.push(key);
                        }
                    }
                }
                subject.validate();
                roomy.validate();
            }
        }
    }
}

#[test]
fn keys_of_packed_values_do_not_depend_on_room() {
    keys_do_not_depend_on_room::<DenseArena<u32, Handle<u32>>>();
    keys_do_not_depend_on_room::<DenseSoaArena<Plain, Handle<Plain>>>();
}

/// After shrinking, the next insertion needs memory; until it has it, nothing changes.
fn refused<S: Subject>() {
    for reuse in REUSE_ORDERS {
        for grants in 0.. {
            let (mut subject, _) = after_spike::<S>(Config::new(reuse, None), 300, 3);
            let held: Vec<_> = subject.iter().map(|(key, value)| (key, value.id())).collect();
            let next = subject.clone().insert(S::Value::make(9));
            let value = S::Value::make(9);
            let (was_refused, inserted) =
                refusing_after(grants, true, || subject.try_insert(value));
            subject.validate();
            if let Ok(key) = inserted {
                assert!(grants > 0 && key == next, "positions were given back");
                break;
            }
            assert!(was_refused);
            let now: Vec<_> = subject.iter().map(|(key, value)| (key, value.id())).collect();
            assert_eq!(now, held);
            assert_eq!(subject.insert(S::Value::make(9)), next, "nothing has changed");
        }
    }
}

#[test]
fn an_insertion_after_shrinking_that_is_refused_changes_nothing() {
    refused::<DenseArena<String, Handle<String>>>();
    refused::<DenseSoaArena<Plain, Handle<Plain>>>();
}
