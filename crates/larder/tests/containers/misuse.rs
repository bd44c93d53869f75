//! Things that go wrong twice, or where few look: whatever happens, one panic at most, clear words,
//! and a whole container.

use core::cell::Cell;
use larder::{Handle, Handle32, Key, TryReserveError, key::Serial};
use larder_testing::allocator::refusing_after;
use larder_testing::both::test_both;
use larder_testing::caught::{attempt, panic_of};
use larder_testing::trouble::Refusals;

/// Without a size hint, so that it is not refused beforehand.
fn unannounced(values: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
    values.filter(|_| true)
}

test_both!(insert_many_into_a_full_container_panics_once, Container => {
    let mut full = Container::fixed(2);
    let caught = panic_of(|| full.insert_many(unannounced(0..10)).count());
    assert!(caught.message.contains("full"), "{}", caught.message);
    assert_eq!(full.len(), 2, "the values before are in");
    full.validate();

    let mut full = Container::fixed(2);
    drop(panic_of(|| full.insert_many([1, 2, 3]).count()));
    assert_eq!(full.len(), 0, "what cannot fit is refused before");
    full.validate();
});

/// While the program's own panic unwinds, the values that are left find no room: that is no second panic, which would
/// end the program.
#[test]
#[cfg_attr(miri, ignore = "starts programs")]
fn insert_many_into_a_full_container_lets_another_panic_unwind() {
    let name = "misuse::insert_many_into_a_full_container_lets_another_panic_unwind";
    if std::env::var_os("LARDER_UNWINDS").is_some() {
        let mut full = larder::Arena::fixed(2);
        let caught = panic_of(|| {
            let mut keys = full.insert_many(unannounced(0..10));
            assert!(keys.next().is_none(), "the program's own");
        });
        assert_eq!((caught.message.as_str(), full.len()), ("the program's own", 2));
        return;
    }
    let mut program = std::process::Command::new(std::env::current_exe().unwrap());
    program.args(["--exact", name]).env("LARDER_UNWINDS", "1");
    let outcome = program.output().unwrap();
    assert!(outcome.status.success(), "{}", String::from_utf8_lossy(&outcome.stderr));
}

test_both!(insert_many_runs_out_of_keys_once, Container => {
    let mut subject = Container::<u32, Handle32<u32, 3>>::with_key();
    drop(panic_of(|| subject.insert_many(unannounced(0..10)).count()));
    assert_eq!(subject.len(), 7);
    subject.validate();
});

test_both!(insert_many_is_refused_memory_once, Container => {
    let _warm = attempt(|| panic!("the first panic of a thread allocates"));
    for grants in 0..6 {
        let mut subject = Container::new();
        let insert = || attempt(|| subject.insert_many(unannounced(0..100)).count());
        let (refused, outcome) = refusing_after(grants, false, insert);
        assert_eq!(refused, outcome.is_err());
        subject.validate();
    }
});

test_both!(insert_many_asks_a_panicking_iterator_once, Container => {
    let mut subject = Container::new();
    let asked = Cell::new(0);
    let values = (0..10_u32).inspect(|&value| {
        asked.set(asked.get() + 1);
        assert!(value < 3, "never again");
    });
    drop(panic_of(|| subject.insert_many(values).count()));
    assert_eq!((subject.len(), asked.get()), (3, 4));
    subject.validate();
});

/// A value of which one panics when dropped.
struct Brittle<'a> {
    dropped: &'a Cell<u32>,
    breaks: bool,
}

impl Drop for Brittle<'_> {
    fn drop(&mut self) {
        self.dropped.set(self.dropped.get() + 1);
        assert!(!self.breaks, "broken");
    }
}

test_both!(a_dropped_drain_drops_all_whatever_panics, Container => {
    let dropped = Cell::new(0);
    let mut subject = Container::new();
    subject.extend((0..100).map(|at| Brittle { dropped: &dropped, breaks: at == 1 }));
    drop(panic_of(|| drop(subject.drain())));
    assert_eq!((subject.len(), dropped.get()), (0, 100));
    subject.validate();
});

test_both!(indexing_tells_detached_retired_and_foreign_apart, Container => {
    let mut subject = Container::<char, Handle32<char, 30>>::with_key();
    let detached = subject.insert('a');
    subject.detach(detached);
    assert!(panic_of(|| subject[detached]).message.ends_with("has no value: it is detached"));

    let older = subject.insert('b');
    subject.remove(older);
    let last = subject.insert('c');
    let younger = panic_of(|| subject[older]).message;
    assert!(younger.contains("is stale: slot 1 now holds 1v3"), "{younger}");
    subject.detach(last);
    let kept = panic_of(|| subject[older]).message;
    assert!(kept.contains("is stale: slot 1 is kept for 1v3"), "{kept}");
    subject.discard_detached(last);
    let retired = panic_of(|| subject[last]).message;
    assert!(retired.contains("is stale: slot 1 is retired"), "{retired}");
});

test_both!(indexing_calls_a_key_from_the_future_foreign, Container => {
    let mut subject = Container::new();
    let key = subject.insert('a');
    let future = Handle::from_bits(key.to_bits() + (8 << 32)).unwrap();
    let live = panic_of(|| subject[future]).message;
    assert!(live.contains("is foreign: it was not issued by this container"), "{live}");
    subject.remove(key);
    assert!(panic_of(|| subject[future]).message.contains("is foreign"));

    let mut counted = Container::<char, Serial<char>>::with_key();
    let mut other = Container::<char, Serial<char>>::with_key();
    counted.insert('a');
    other.insert('a');
    other.clear();
    let foreign = other.insert('b');
    assert!(panic_of(|| counted[foreign]).message.contains("is foreign"));
});

test_both!(a_vacant_entry_can_be_tried, Container => {
    let mut subject = Container::fixed(1);
    let entry = subject.try_vacant_entry().unwrap();
    let expected = entry.key();
    drop(entry);
    subject.try_vacant_entry().unwrap().insert('a');
    assert_eq!(subject[expected], 'a');
    assert_eq!(subject.try_vacant_entry().unwrap_err(), TryReserveError::Full { capacity: 1 });
    let mut poor = Container::<u64>::new();
    let (refused, entry) = refusing_after(0, true, || poor.try_vacant_entry().map(drop));
    assert!(refused && matches!(entry, Err(TryReserveError::AllocRefused { .. })));
});

#[test]
fn sorting_without_memory_is_a_panic_that_changes_nothing() {
    type Dense = larder::DenseArena<u32>;
    let sorts: [fn(&mut Dense); 4] = [
        |dense| dense.sort_by(u32::cmp),
        |dense| dense.sort_by_key(|value| *value),
        |dense| dense.sort_unstable_by(u32::cmp),
        |dense| dense.sort_by_cached_key(|value| *value),
    ];
    let view = |dense: &Dense| {
        dense.validate();
        dense.as_slice().to_vec()
    };
    let unsorted = Refusals { make: &|| (0..50).rev().collect(), view: &view };
    for sort in sorts {
        unsorted.of_panics(&|dense| {
            sort(dense);
            assert!(dense.as_slice().is_sorted());
        });
    }
}

/// Prints as what it is, and says so where it is used by mistake.
fn dangling<K: Key>(expected: &str) {
    assert_eq!(format!("{:?}", K::DANGLING), expected);
    let arena = larder::Arena::<u8, K>::with_key();
    let words = panic_of(|| arena[K::DANGLING]).message;
    assert!(words.contains("the key is dangling"), "{words}");
    let mut ages = larder::SecondaryMap::<K, u8>::new();
    let words = panic_of(|| ages[K::DANGLING]).message;
    assert!(words.contains("the key is dangling"), "{words}");
    let words = ages.try_insert(K::DANGLING, 1).unwrap_err().to_string();
    assert!(words.contains("the key is dangling"), "{words}");
}

larder::key_type! {
    struct Named(Handle32<Self, 20>);
}

#[test]
fn dangling_keys_of_every_type_say_so() {
    dangling::<Handle<u8>>("DANGLING");
    dangling::<Handle32<u8>>("DANGLING");
    dangling::<Handle32<u8, 5>>("DANGLING");
    dangling::<larder::key::BareHandle<u8>>("DANGLING");
    dangling::<Serial<u8>>("DANGLING");
    dangling::<Named>("Named(DANGLING)");
    let key = larder::Arena::from_iter(['a']).keys().next();
    assert_eq!(format!("{key:?}"), "Some(0v1)", "keys of values are numbers");
}
