//! Inserting while references are held: on one thread, and on many at once. (That the arena is whole
//! after any mixture of it is in `history`.)

use core::cell::Cell;
use core::mem::forget;
use std::collections::HashSet;
use std::thread;

use larder::containers::arena::Inserter;
use larder::{Arena, Handle, Handle32, Key, TryReserveError, containers::Builder, key::Serial};

use larder_testing::allocator::{refusing_after, requests_of};
use larder_testing::caught::{attempt, panic_of};
use larder_testing::common::{address, scaled, thorough};
use larder_testing::subject::ORDERS;

/// An arena of each memory, with room for `room` values beside two that are there and a hole
/// between them.
fn arenas<T>(room: usize, make: impl Fn() -> T) -> [Arena<T>; 3] {
    let mut arenas =
        [Arena::with_capacity(room + 3), Arena::fixed(room + 3), Arena::reserved(room + 3)];
    for arena in &mut arenas {
        let keys: Vec<_> = arena.insert_many([(); 3].map(|()| make())).collect();
        arena.remove(keys[1]);
    }
    arenas
}

// One thread.

/// The program of the source, which frees what its first pointer leads to, is legal here.
#[test]
fn b33_two_allocations_and_both_references_are_good() {
    for mut arena in arenas(scaled(10_000, 50), || String::from("before")) {
        let old = arena.keys().next().unwrap();
        let at_old = address(&arena[old]);
        let capacity = arena.capacity();
        let inserter = arena.inserter();
        let before = inserter.get(old).unwrap();
        let mut lent = Vec::new();
        while inserter.remaining() > 0 {
            let (key, value) = inserter.insert(format!("value {}", lent.len()));
            lent.push((key, value));
        }
        // An inserter never grows the arena, not for one more value either, and asks the allocator for nothing.
        assert_eq!(lent.len(), capacity - 2);
        let one_more = String::from("one more");
        let (requests, refused) = requests_of(|| inserter.try_insert(one_more).map(|(key, _)| key));
        assert_eq!(requests, 0);
        assert_eq!(refused.map_err(|error| error.value), Err(String::from("one more")));
        assert_eq!((address(before), before.as_str()), (at_old, "before"));
        for (number, (key, value)) in lent.iter().enumerate() {
            assert_eq!(**value, format!("value {number}"));
            assert_eq!(address(inserter.get(*key).unwrap()), address(*value));
        }
        assert_eq!(lent.iter().map(|(key, _)| key).collect::<HashSet<_>>().len(), lent.len());
        assert_eq!(lent[0].0.slot(), 1, "holes are filled first");
        let keys: Vec<_> = lent.into_iter().map(|(key, value)| (key, address(value))).collect();
        arena.validate();
        assert!(keys.into_iter().all(|(key, place)| address(&arena[key]) == place));
        assert_eq!((arena.len(), arena.capacity()), (capacity, capacity));
        assert_eq!(address(&arena[old]), at_old);
    }
}

#[test]
fn a_full_inserter_gives_the_value_back_and_says_where_it_was_asked() {
    let growing = TryReserveError::InserterFull { capacity: 4 };
    let fixed = TryReserveError::Full { capacity: 4 };
    let made = [
        (Arena::with_capacity(4), growing),
        (Arena::fixed(4), fixed.clone()),
        (Arena::reserved(4), fixed),
    ];
    for (mut arena, reason) in made {
        arena.insert(0);
        let inserter = arena.inserter();
        for value in 1..4 {
            inserter.insert(value);
        }
        let refused = inserter.try_insert(4).unwrap_err();
        assert_eq!((refused.value, &refused.reason), (4, &reason));
        for (panic, line) in [
            (panic_of(|| inserter.insert(4)), line!()),
            (panic_of(|| inserter.insert_with_key(|_| unreachable!())), line!()),
        ] {
            assert_eq!((panic.line, panic.file.ends_with("inserter.rs")), (line, true));
            assert!(panic.message.starts_with("Inserter<"), "{}", panic.message);
            assert!(panic.message.ends_with(&reason.to_string()), "{}", panic.message);
        }
        assert_eq!(inserter.remaining(), 0);
        assert!(arena.values().eq(&[0, 1, 2, 3]));
    }
    let none: TryReserveError = Arena::<u8>::new().inserter().try_insert(1).unwrap_err().reason;
    assert!(none.to_string().contains("call `reserve` first"), "{none}");
}

/// A value that inserts another when it is dropped.
struct Reentrant {
    inserter: Option<&'static Inserter<'static, Reentrant, Handle<Reentrant>>>,
    seen: &'static Cell<usize>,
}

impl Drop for Reentrant {
    fn drop(&mut self) {
        let Some(inserter) = self.inserter else { return };
        let refused = inserter.try_insert(Self { inserter: None, seen: self.seen }).is_err();
        assert!(refused, "it is full");
        self.seen.set(self.seen.get() + 1 + inserter.remaining());
    }
}

/// A refused value is dropped when nothing of the arena is in use any more: its `Drop` may use it.
#[test]
#[cfg_attr(miri, ignore = "leaks on purpose")]
fn a_refused_value_may_use_a_leaked_inserter_when_it_is_dropped() {
    let seen: &'static Cell<usize> = Box::leak(Box::new(Cell::new(0)));
    let arena = Box::leak(Box::new(Arena::with_capacity(1)));
    let inserter: &'static _ = Box::leak(Box::new(arena.inserter()));
    inserter.insert(Reentrant { inserter: None, seen });
    let refused = panic_of(|| inserter.insert(Reentrant { inserter: Some(inserter), seen }));
    assert!(refused.message.contains("full"));
    assert_eq!(seen.get(), 1);
}

/// (Of every key and order, and where making a value panics, is in `history`.)
#[test]
fn insertions_nested_twice_have_slots_of_their_own() {
    for holes in [0, 1, 3, 9] {
        let mut arena: Arena<String> = Arena::with_capacity(20);
        arena.extend((0..10).map(|number| number.to_string()));
        arena.retain(|key, _| key.slot() >= holes);
        let room = arena.capacity() - arena.len();
        let inserter = arena.inserter();
        let mut inner = Vec::new();
        let (key, value) = inserter.insert_with_key(|outer| {
            assert!(inserter.get(outer).is_none(), "not there yet");
            inner.push(inserter.insert(String::from("a")));
            let second = inserter.insert_with_key(|second| {
                inner.push(inserter.insert(String::from("b")));
                format!("{second}")
            });
            inner.push(second);
            format!("{outer}")
        });
        assert_eq!(*value, format!("{key}"));
        let texts = inner.iter().map(|(_, text)| text.as_str());
        assert!(texts.eq(["a", "b", &format!("{}", inner[2].0)]));
        let keys: HashSet<_> = inner.iter().map(|&(key, _)| key).chain([key]).collect();
        assert_eq!((inserter.remaining(), keys.len()), (room - 4, 4));
        arena.validate();
        assert!(keys.into_iter().all(|key| arena.contains_key(key)));
    }
}

#[test]
fn where_the_bits_of_kept_slots_are_refused_nothing_has_changed() {
    let mut arena = Arena::with_capacity(2);
    arena.insert('a');
    let inserter = arena.inserter();
    let (refused, outcome) = refusing_after(0, false, || {
        attempt(|| inserter.insert_with_key(|_| unreachable!("its slot cannot be kept")))
    });
    assert!(refused && outcome.unwrap_err().message.contains("refused"));
    assert_eq!(inserter.remaining(), 1);
    let (key, _) = inserter.insert('b');
    assert_eq!((key.slot(), key.generation().get()), (1, 1));
    arena.validate();
}

#[test]
fn an_inserter_goes_to_another_thread() {
    let mut arena = Arena::reserved(scaled(1_000, 20));
    let inserter = arena.inserter();
    let (first, here) = inserter.insert(0);
    let inserter = thread::scope(|scope| {
        let there = scope.spawn(move || {
            assert_eq!(inserter.get(first), Some(&0));
            for value in 1..inserter.remaining() {
                inserter.insert(value);
            }
            inserter
        });
        assert_eq!(*here, 0);
        there.join().unwrap()
    });
    inserter.insert(7);
    assert_eq!((*here, inserter.remaining()), (0, 0));
}

// Many threads.

const THREADS: usize = 4;
const EACH: usize = scaled(10_000, 30);

/// Inserts from four threads at once; all keys with what lies under them.
fn insert_from_all<K: Key>(arena: &mut Arena<String, K>) -> Vec<(K, String)> {
    let first = arena.keys().next().expect("it has some");
    let inserter = arena.shared_inserter(THREADS * EACH).unwrap();
    let insert = |thread: usize| {
        let insert = |number| {
            let (key, value) = inserter.insert(format!("{thread}: {number}"));
            assert!(inserter.get(key).is_none());
            assert!(inserter.get(first).is_some_and(|value| value == "0"), "it was there");
            (key, value)
        };
        let lent: Vec<_> = (0..EACH).map(insert).collect();
        // All of them are there still, each at its place.
        let texts = lent.into_iter().enumerate().map(|(number, (key, value))| {
            assert_eq!(*value, format!("{thread}: {number}"));
            (key, value.clone())
        });
        texts.collect::<Vec<_>>()
    };
    thread::scope(|scope| {
        let insert = &insert;
        let threads: Vec<_> =
            (0..THREADS).map(|thread| scope.spawn(move || insert(thread))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

fn four_threads<K: Key>() {
    let room = THREADS * EACH + 100;
    type Make<K> = fn(usize) -> Builder<Arena<String, K>>;

    let memories: [Make<K>; 3] = [
        |_| Arena::builder_with_key(),
        |room| Arena::builder_with_key().fixed(room),
        |room| Arena::builder_with_key().reserved(room),
    ];
    for (memory, &reuse) in
        memories.iter().flat_map(|memory| ORDERS.iter().map(move |reuse| (memory, reuse)))
    {
        let mut arena = memory(room).reuse(reuse).build();
        arena.extend((0..70).map(|number| number.to_string()));
        arena.retain(|key, _| key.slot() != 3);
        let detached = arena.keys().next_back().unwrap();
        let text = arena.detach(detached).unwrap();
        let inserted = insert_from_all(&mut arena);
        arena.validate();
        assert_eq!((arena.len(), arena.stats().holes), (68 + THREADS * EACH, 1));
        let keys: HashSet<_> = inserted.iter().map(|&(key, _)| key).collect();
        assert_eq!(keys.len(), THREADS * EACH, "each value has a key of its own");
        assert!(inserted.iter().all(|(key, text)| arena[*key] == *text));
        assert!(arena.reattach(detached, text).is_ok());
        arena.insert(String::from("into the hole"));
        arena
            .extend((0..100).take(arena.capacity() - arena.len()).map(|number| number.to_string()));
        arena.validate();
        for (key, text) in inserted {
            assert_eq!(arena.remove(key), Some(text));
        }
    }
}

#[test]
fn b38_four_threads_insert_at_once_under_handles() {
    four_threads::<Handle<String>>();
}

#[test]
fn b38_four_threads_insert_at_once_under_other_keys() {
    four_threads::<Serial<String>>();
}

#[test]
fn threads_that_want_more_than_there_is_get_what_there_is() {
    let room = scaled(1_000, 10);
    let mut arena: Arena<Box<usize>> = Arena::fixed(room);
    let inserter = arena.shared_inserter(room).unwrap();
    let wants = |thread: usize| {
        let tried = (0..room).map(|number| inserter.try_insert(Box::new(thread * room + number)));
        let refused = tried.enumerate().filter_map(|(number, tried)| Some((number, tried.err()?)));
        let mut count = room;
        for (number, refused) in refused {
            assert_eq!(*refused.value, thread * room + number, "another's value came back");
            assert_eq!(refused.reason, TryReserveError::InserterFull { capacity: room });
            count -= 1;
        }
        count
    };
    let counts: usize = thread::scope(|scope| {
        let wants = &wants;
        let threads: Vec<_> = (0..3).map(|thread| scope.spawn(move || wants(thread))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!((counts, inserter.inserted(), inserter.remaining()), (room, room, 0));
    let panic = panic_of(|| inserter.insert(Box::new(0)));
    assert!(panic.message.starts_with("SharedInserter<") && panic.file.ends_with("inserter.rs"));
    drop(inserter);
    arena.validate();
    assert_eq!(
        (arena.len(), arena.values().map(|value| **value).collect::<HashSet<_>>().len()),
        (room, room)
    );
}

#[test]
fn serial_numbers_go_on_without_a_gap() {
    let mut arena: Arena<usize, Serial<usize>> = Arena::with_key();
    let gone = arena.insert(0);
    arena.insert(1);
    arena.remove(gone);
    let numbers = |keys: Vec<Serial<usize>>| keys.into_iter().map(|key| key.version().get());
    for round in 0..3 {
        let before = 2 + 7 * round;
        let inserter = arena.shared_inserter(100).unwrap();
        let inserted = (0..6).map(|value| inserter.insert(value).0).collect();
        assert!(numbers(inserted).eq(before + 1..before + 7), "counted over the whole arena");
        drop(inserter);
        assert_eq!(arena.insert(7).version().get(), before + 7);
    }
}

#[test]
fn an_inserter_that_is_not_used_changes_nothing() {
    fn same<K: Key>() {
        let mut arena: Arena<u8, K> = Arena::with_key();
        arena.insert(1);
        let copy = arena.clone();
        let inserter = arena.shared_inserter(10).unwrap();
        assert_eq!((inserter.inserted(), inserter.remaining() >= 10), (0, true));
        drop(inserter);
        assert_eq!((&arena, arena.clone().insert(2)), (&copy, copy.clone().insert(2)));
    }
    same::<Handle<u8>>();
    same::<Serial<u8>>();
}

// Leaked ones.

/// Filled and emptied, again and again: what never holds more needs no more room.
#[test]
fn a_shared_inserter_begins_the_free_slots_at_the_end_anew() {
    fn rounds<K: Key>(mut arena: Arena<u32, K>, rounds: usize) {
        let kept = arena.insert(0);
        for round in 0..rounds {
            let inserter = arena.shared_inserter(9).unwrap();
            (0..9).for_each(|number| _ = inserter.insert(number));
            drop(inserter);
            arena.validate();
            assert_eq!((arena.len(), arena.stats().slots), (10, 10), "in round {round}");
            arena.retain(|key, _| key == kept);
        }
    }
    rounds::<Handle<u32>>(Arena::with_key(), scaled(50, 3));
    // Few generations allow few rounds; then slots are begun above, while there is room.
    rounds::<Handle32<u32, 28>>(Arena::builder_with_key().fixed(10).build(), scaled(6, 3));
    let mut few: Arena<u32, Handle32<u32, 28>> = Arena::with_key();
    for round in 1..=thorough(100, 20) as u32 {
        few.shared_inserter(1).unwrap().insert(round);
        few.clear();
        few.validate();
        assert!(few.stats().slots <= round as usize);
    }
}

/// A key with few generations: where leaking could revive one, there is no inserter, and why is said.
#[test]
fn where_generations_are_used_up_there_is_no_shared_inserter() {
    let mut arena: Arena<u8, Handle32<u8, 30>> = Arena::with_key();
    arena.insert(1);
    let refused = arena.shared_inserter(1).unwrap_err();
    assert_eq!(refused, TryReserveError::GenerationsUsedUp);
    assert!(refused.to_string().contains("use a key with more bits"), "what to do about it");
    assert_eq!(arena.insert(2).generation(), 1);
    let mut arena: Arena<u8, Handle32<u8, 29>> = Arena::with_key();
    let inserter = arena.shared_inserter(1).unwrap();
    let (leaked, _) = inserter.insert(1);
    forget(inserter);
    let inserter = arena.shared_inserter(1).unwrap();
    let (next, _) = inserter.insert(1);
    drop(inserter);
    assert_eq!((leaked.slot(), leaked.generation()), (0, 1));
    assert_eq!((next.slot(), next.generation()), (0, 3));
    assert!(arena.get(leaked).is_none() && arena.contains_key(next));
    arena.validate();
}

/// So few numbers are left that leaks could use them up: they are refused in time.
#[test]
fn serial_numbers_cannot_be_leaked_away() {
    let form = serde_json::json!({
        "reuse": "Packed", "mark": (1_u64 << 62) - u64::from(u32::MAX), "current": 0, "slots": [], "detached": [],
        "retired": [], "free": [], "order": []
    });
    let mut arena: Arena<char, Serial<char>> = serde_json::from_value(form).unwrap();
    forget(arena.shared_inserter(6).unwrap());
    let refused = arena.shared_inserter(6).unwrap_err();
    assert_eq!(refused, TryReserveError::GenerationsUsedUp);
    assert_eq!(arena.insert('x').version().get(), (1 << 62) + 1);
}

/// The room, and so the number of keys that a leaked inserter could have handed out, depends on the size of a value;
/// the keys that come after do not.
#[test]
fn numbers_after_a_leaked_inserter_are_the_same_for_values_of_all_sizes() {
    /// Returns the room of the leaked inserter, and the keys that came in the end.
    fn keys<T: Copy>(value: T) -> (usize, Vec<u128>) {
        let mut arena: Arena<T, Serial<()>> = Arena::with_key();
        let mut issued = vec![arena.insert(value), arena.insert(value)];
        let inserter = arena.shared_inserter(3).unwrap();
        let room = inserter.remaining();
        forget(inserter);
        issued.push(arena.insert(value));
        let inserter = arena.shared_inserter(1).unwrap();
        issued.push(inserter.insert(value).0);
        drop(inserter);
        issued.extend(arena.insert_many([value; 2]));
        (room, issued.into_iter().map(Serial::to_bits).collect())
    }
    let (small, large) = (keys(1_u8), keys([1_u64; 200]));
    assert_ne!(small.0, large.0, "there is not as much room");
    assert_eq!((&small.1, &keys(()).1), (&large.1, &large.1));
    let versions: Vec<_> = small.1.iter().map(|key| (key >> 32) as u64).collect();
    let after = 3 + u64::from(u32::MAX);
    assert_eq!(versions, [1, 2, after, after + 1, after + 2, after + 3]);
}
