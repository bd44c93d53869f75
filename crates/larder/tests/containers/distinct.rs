//! Containers told apart: by where their generations begin, and by going on where another one ended.

use larder::{
    Arena, DenseArena, Handle32, InlineArena, PagedArena, Pool, TryReserveError,
    containers::ValueContainer,
    key::{BareHandle, Serial},
};
use larder_testing::caught::panic_of;
use larder_testing::common::{SplitMix, amount};
use std::collections::{BTreeSet, HashSet};

/// A container that can be filled.
trait Fill: ValueContainer<Value = u32, Key: Ord> {
    fn insert_one(&mut self) -> Self::Key {
        self.try_insert(7).expect("there is room")
    }
}

impl<C: ValueContainer<Value = u32, Key: Ord>> Fill for C {}

/// Returns the number of keys, out of `tries` that were taken of one container and asked of another, that have a value
/// there. There are 1,000 containers, each with a hundred slots that have had up to some ten values.
fn answers<C: Fill>(make: impl Fn() -> C, tries: usize) -> usize {
    let (mut random, count) = (SplitMix::new(1), if cfg!(miri) { 8 } else { 1_000 });
    let mut containers: Vec<(C, Vec<C::Key>)> = (0..count).map(|_| (make(), Vec::new())).collect();
    for (container, keys) in &mut containers {
        keys.extend((0..100).map(|_| container.insert_one()));
        for _ in 0..random.below(if cfg!(miri) { 10 } else { 1_000 }) {
            let place = random.below(keys.len());
            container.remove(keys[place]);
            keys[place] = container.insert_one();
        }
        assert!(keys.iter().all(|&key| container.contains_key(key)), "its own keys");
    }
    let mut answers = 0;
    for _ in 0..tries {
        let (of, asked) = (random.below(count), random.below(count));
        let keys = &containers[of].1;
        let key = keys[random.below(keys.len())];
        answers += usize::from(of != asked && containers[asked].0.contains_key(key));
    }
    answers
}

fn tries() -> usize {
    amount(10_000_000, 2_000_000, 1_000)
}

/// The odds are those that `Builder::distinct` documents.
#[test]
fn distinct_containers_do_not_answer_each_others_keys() {
    assert_eq!(answers(|| Arena::<u32>::builder().distinct().build(), tries()), 0);
}

#[test]
fn distinct_containers_of_other_kinds_and_keys() {
    let tries = tries() / 10;
    let dense = || DenseArena::<u32, Serial<u32>>::builder_with_key().distinct().build();
    assert_eq!(answers(dense, tries), 0);
    assert_eq!(answers(InlineArena::<u32, 128>::distinct, tries), 0);
}

#[test]
#[cfg_attr(miri, ignore = "chances need many tries")]
fn others_are_told_apart_by_chance_or_not_at_all() {
    let tries = 100_000;
    // One in 1,024, and a thousand containers that begin next to each other: some.
    let short =
        answers(|| Arena::<u32, Handle32<u32>>::builder_with_key().distinct().build(), tries);
    assert!((1..tries / 300).contains(&short), "{short}");
    assert!(answers(Arena::<u32>::new, tries) > tries / 100, "all begin alike");
    let slots =
        answers(|| Arena::<u32, BareHandle<u32>>::builder_with_key().distinct().build(), tries);
    assert!(slots > tries * 9 / 10, "{slots}");
}

#[test]
fn serials_of_distinct_containers_are_unique_in_the_process() {
    let mut numbers = HashSet::new();
    for _ in 0..if cfg!(miri) { 10 } else { 300 } {
        let builder = PagedArena::<u32, Serial<u32>>::builder_with_key();
        let mut arena = builder.distinct().build();
        let before = arena.insert(0).version();
        for value in 0..100 {
            let key = arena.insert(value);
            assert!(key.version() > before && numbers.insert(key.version()));
            arena.remove(key);
        }
    }
}

/// Among the first 1,023 all begin elsewhere, even with few generations; and where nothing is said, alike.
#[test]
fn default_containers_are_reproducible() {
    let first = |mut arena: Arena<u32, Handle32<u32>>| arena.insert(1);
    let mut seen = BTreeSet::from([first(Arena::with_key())]);
    assert!(!seen.insert(first(Arena::builder_with_key().build())));
    // (Made at once: other tests of this process take numbers of the same sequence.)
    let distinct = (0..if cfg!(miri) { 10 } else { 100 })
        .map(|_| Arena::builder_with_key().distinct().build());
    for arena in distinct.collect::<Vec<_>>() {
        assert!(seen.insert(first(arena)));
    }
}

/// Whatever a distinct container does, its slots live at least half of their lives.
#[test]
fn slots_of_distinct_containers_have_half_of_their_lives() {
    for _ in 0..20 {
        let mut arena: Arena<u32, Handle32<u32, 24>> = Arena::builder_with_key().distinct().build();
        let mut lives = 0;
        while arena.stats().retired == 0 {
            let key = arena.insert(lives);
            arena.remove(key);
            lives += 1;
        }
        assert!((64..=128).contains(&lives), "{lives} of 128");
        arena.validate();
    }
    // A key with two lives for a slot has both.
    let mut arena: Arena<u32, Handle32<u32, 30>> = Arena::builder_with_key().distinct().build();
    let key = arena.insert(1);
    arena.remove(key);
    assert_eq!(arena.insert(2).slot(), key.slot());
}

/// A distinct container is saved, copied and shrunk as any other.
#[test]
fn distinct_containers_stay_so() {
    let mut arena: Arena<u32> = Arena::builder().distinct().build();
    let keys: Vec<_> = arena.insert_many(0..10).collect();
    let saved = serde_json::to_string(&arena).unwrap();
    let loaded: Arena<u32> = serde_json::from_str(&saved).unwrap();
    assert!(loaded == arena && loaded.get(keys[3]) == Some(&3));
    let mut copy = arena.clone();
    arena.clear();
    arena.shrink_to_fit();
    copy.clear();
    copy.shrink_to_fit();
    let next = arena.insert(1);
    assert_eq!(copy.insert(1), next);
    assert!(!keys.contains(&next) && next.generation() > keys[0].generation());
    arena.validate();
}

/// Fills, removes, keeps and releases; returns every key that was ever handed out.
fn lived<C: Fill>(container: &mut C, random: &mut SplitMix, steps: usize) -> Vec<C::Key> {
    let (mut live, mut all) = (Vec::new(), Vec::new());
    for _ in 0..steps {
        if live.len() < 20 || random.below(2) == 0 {
            let key = container.insert_one();
            live.push(key);
            all.push(key);
        } else {
            container.remove(live.swap_remove(random.below(live.len())));
        }
    }
    all
}

/// No key of the old container has a value in the new one, however long that lives.
fn continues<C: Fill>(mut old: C, next: impl Fn(&C) -> Result<C, TryReserveError>) {
    let (mut random, steps) = (SplitMix::new(5), if cfg!(miri) { 50 } else { 500 });
    let mut before = BTreeSet::new();
    for _ in 0..3 {
        before.extend(lived(&mut old, &mut random, steps));
        old = next(&old).expect("there are generations left");
        for key in lived(&mut old, &mut random, steps) {
            assert!(before.insert(key), "{key:?} was handed out twice");
        }
    }
}

#[test]
fn continuing_containers_repeat_no_key() {
    continues(Arena::<u32>::new(), |old| Arena::builder().continuing(old).try_build());
    continues(Arena::<u32>::builder().distinct().build(), |old| {
        Arena::builder().continuing(old).reserved(10_000).try_build()
    });
    continues(DenseArena::<u32, Serial<u32>>::with_key(), |old| {
        DenseArena::builder_with_key().continuing(old).try_build()
    });
    continues(PagedArena::<u32, Serial<u32>>::with_key(), |old| {
        PagedArena::builder_with_key().continuing(old).try_build()
    });
    continues(InlineArena::<u32, 500, Handle32<u32>>::with_key(), InlineArena::continuing);
    continues(Pool::<u32>::new(|| 0), |old| Pool::builder(|| 0).continuing(old).try_build());
}

/// If a slot has no generation left, the error says so, and nothing is begun.
fn ends<C: Fill>(mut old: C, build: impl Fn(&C) -> Result<C, TryReserveError>) {
    let used_up = |old: &C| matches!(build(old), Err(TryReserveError::GenerationsUsedUp));
    // The fourth life of a slot is its last, and no slot is begun in its last.
    for life in 1..=4 {
        let key = old.insert_one();
        assert_eq!(used_up(&old), life > 2, "in life {life}");
        assert!(old.remove(key).is_some());
        assert_eq!(used_up(&old), life > 2, "after life {life}");
    }
}

#[test]
fn continuing_what_is_used_up_is_refused() {
    ends(Arena::<u32, Handle32<u32, 29>>::with_key(), |old| {
        Arena::builder_with_key().continuing(old).try_build()
    });
    ends(DenseArena::<u32, Handle32<u32, 29>>::with_key(), |old| {
        DenseArena::builder_with_key().continuing(old).try_build()
    });
    let mut worn: Arena<u32, Handle32<u32, 30>> = Arena::with_key();
    let key = worn.insert(1);
    worn.remove(key);
    let last = worn.insert(2);
    worn.detach(last);
    let panic = panic_of(|| _ = Arena::builder_with_key().continuing(&worn).build());
    assert!(panic.message.contains("clear the container instead"), "{}", panic.message);
    assert!(panic.file.ends_with("distinct.rs"), "{}", panic.file);
}

/// Detached keys of the old container are stale in the new one, too.
#[test]
fn detached_keys_are_not_continued() {
    let mut old: Arena<&str, Serial<&str>> = Arena::with_key();
    let key = old.insert("wren");
    let value = old.detach(key).unwrap();
    let mut next = Arena::builder_with_key().continuing(&old).build();
    next.insert("kite");
    assert!(next.reattach(key, value).is_err());
    assert_eq!(next.get(key), None);
}
