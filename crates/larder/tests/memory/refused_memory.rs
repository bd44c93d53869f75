//! An allocator that refuses at the n-th request, for every n; and how often it is asked at all.

use larder::{
    Arena, DenseArena, DenseSoaArena, Handle32, Key, PagedArena, Pool, Reuse, SoaArena,
    TryReserveError,
    key::{BareHandle, Serial},
};
use larder_testing::allocator::{live_bytes, refusing_after, requests_of};
use larder_testing::caught::panic_of;
use larder_testing::common::{REUSE_ORDERS, SplitMix};
use larder_testing::fields::{Lanes8, Plain};
use larder_testing::subject::{Config, ORDERS, Subject};
use larder_testing::trouble::Refusals;
use larder_testing::values::{Seen, Unit, Value, Wide};

/// Some words of slots.
const SOME: u32 = if cfg!(miri) { 80 } else { 300 };

/// Returns the contents of a container, which is whole.
pub(crate) fn contents<S: Subject>(subject: &S) -> Vec<(S::Key, u32)> {
    subject.validate();
    subject.iter().map(|(key, value)| (key, value.id())).collect()
}

/// Returns its contents below a number, if values can be told apart.
fn contents_below<S: Subject>(subject: &S, end: u32) -> Vec<(S::Key, u32)> {
    let is_below = |(_, id): &(S::Key, u32)| *id < end && !S::Value::FORGETFUL;
    contents(subject).into_iter().filter(is_below).collect()
}

/// A container that is as full as it can be without growing.
pub(crate) fn full<S: Subject>(reuse: Reuse) -> S {
    let mut subject = S::build(Config::new(reuse, None));
    for id in 0..if cfg!(miri) { 3 } else { 20 } {
        subject.insert(S::Value::make(id));
    }
    while subject.remaining() > 0 && subject.capacity() < 1_000 {
        subject.insert(S::Value::make(subject.len() as u32));
    }
    subject
}

/// A container with room, and holes.
fn half_full<S: Subject>(reuse: Reuse) -> S {
    let mut subject = full::<S>(reuse);
    let keys: Vec<_> = subject.keys().collect();
    for key in keys.into_iter().step_by(2) {
        drop(subject.remove(key));
    }
    subject
}

/// Calls do all or nothing: the value comes back, or a panic says what was refused.
fn refused<S: Subject>() {
    ORDERS.iter().for_each(|&reuse| refused_in::<S>(reuse));
    too_much::<S>();
}

fn refused_in<S: Subject>(reuse: Reuse) {
    let all = Refusals { make: &|| full::<S>(reuse), view: &contents };
    all.of(&|subject| match subject.try_insert(S::Value::make(4_000)) {
        Ok(_) => true,
        Err(refused) => {
            assert!(matches!(refused.reason, TryReserveError::AllocRefused { .. }));
            assert_eq!(refused.value.id(), S::Value::seen(4_000));
            false
        }
    });
    all.of(&|subject| {
        let capacity = subject.capacity();
        match subject.try_reserve(300) {
            Ok(()) => subject.remaining() >= 300,
            Err(TryReserveError::AllocRefused { bytes }) => {
                assert!(bytes > 0 && subject.capacity() == capacity);
                false
            }
            Err(error) => panic!("{error}"),
        }
    });
    all.of_panics(&|subject| _ = subject.insert(S::Value::make(1)));
    all.of_panics(&|subject| _ = subject.insert_with_key(|_| S::Value::make(1)));
    all.of_panics(&|subject| _ = subject.vacant_insert(S::Value::make(1)));
    all.of_panics(&|subject| subject.reserve(1_000));
    all.of_panics(&|subject| drop(subject.clone()));

    let half = Refusals { make: &|| half_full::<S>(reuse), view: &contents };
    half.of_panics(&|subject| {
        let key = subject.keys().next().expect("it is half full");
        let value = subject.detach(key).expect("it is live");
        assert!(subject.reattach(key, value).is_ok());
    });
    // Giving memory back needs no luck: refused, the container keeps what it has.
    half.of(&|subject| {
        let sum = |subject: &S| subject.iter().map(|(_, value)| u64::from(value.id())).sum::<u64>();
        let held = (subject.len(), sum(subject));
        subject.shrink_to_fit();
        held == (subject.len(), sum(subject))
    });

    // `extend` keeps what it got in before it was refused, as `Vec` does. (Without a lower bound, memory is asked for
    // along the way.)
    let others = |subject: &S| contents_below(subject, 1_000);
    let others = Refusals { make: &|| full::<S>(reuse), view: &others };
    for known in [true, false] {
        others.of_panics(&|subject| {
            let values = (1_000..1_000 + SOME).map(S::Value::make);
            let len = subject.len();
            subject.extend(values.filter(|value| known || value.id() < u32::MAX));
            assert_eq!(subject.len(), len + SOME as usize);
        });
    }

    // A copy over another container leaves both whole.
    let make = || (full::<S>(reuse), half_full::<S>(Reuse::Lifo));
    let view = |(source, target): &(S, S)| {
        target.validate();
        contents(source)
    };
    Refusals { make: &make, view: &view }.of_panics(&|(source, target)| {
        target.clone_from(source);
        assert!(target == source);
    });
}

/// Asking for more than there can be.
fn too_much<S: Subject>() {
    let slots = S::Key::MAX_SLOTS as usize;
    let mut subject = half_full::<S>(Reuse::Packed);
    let held = contents(&subject);
    for additional in [usize::MAX, usize::MAX - 1, isize::MAX as usize, slots] {
        let refused = subject.try_reserve(additional);
        assert!(
            matches!(refused, Err(TryReserveError::CapacityOverflow { .. })),
            "{additional}: {refused:?}"
        );
        let panic = panic_of(|| subject.reserve(additional));
        assert!(panic.message.contains("capacity overflow"), "{}", panic.message);
    }
    assert_eq!(contents(&subject), held);
}

#[test]
fn refused_in_an_arena() {
    refused::<Arena<u32>>();
    refused::<Arena<Unit, BareHandle<Unit>>>();
}

#[test]
fn refused_in_blocks_and_pools() {
    refused::<PagedArena<Wide, BareHandle<Wide>>>();
    refused::<Pool<Wide, Serial<Wide>>>();
}

#[test]
fn refused_in_a_dense_arena() {
    refused::<DenseArena<Wide, Serial<Wide>>>();
    refused::<DenseArena<Unit, BareHandle<Unit>>>();
}

#[test]
fn refused_in_columns() {
    refused::<SoaArena<Lanes8>>();
    refused::<DenseSoaArena<Plain>>();
}

#[test]
fn builders_refused() {
    fn refused<S: Subject>(build: &dyn Fn() -> Result<S, TryReserveError>) {
        let build = |built: &mut Option<S>| match build() {
            Ok(mut subject) => {
                subject.insert(S::Value::make(1));
                *built = Some(subject);
                true
            }
            Err(TryReserveError::AllocRefused { bytes }) => bytes == 0,
            Err(error) => panic!("{error}"),
        };
        let nothing = Refusals { make: &|| None, view: &|built| built.as_ref().map(contents) };
        assert!(nothing.of(&build) > 0, "memory was never asked for");
    }

    for &reuse in ORDERS {
        refused(&|| Arena::<u32>::builder().reuse(reuse).capacity(100).try_build());
        refused(&|| Arena::<u32>::builder().reuse(reuse).fixed(100).try_build());
        refused(&|| PagedArena::<u32>::builder().block_bytes(64).fixed(100).try_build());
        refused(&|| PagedArena::<u32>::builder().reuse(reuse).doubling().capacity(100).try_build());
        refused(&|| DenseArena::<u32>::builder().reuse(reuse).capacity(100).try_build());
        refused(&|| DenseArena::<u32>::builder().reuse(reuse).fixed_bytes(100).try_build());
        refused(&|| SoaArena::<Plain>::builder().reuse(reuse).fixed(100).try_build());
        refused(&|| DenseSoaArena::<Lanes8>::builder().reuse(reuse).capacity(100).try_build());
        refused(&|| Pool::<u32>::builder(|| 0).reuse(reuse).fixed(100).try_build());
    }
}

#[test]
fn capacity_overflow_at_construction() {
    for slots in [usize::MAX, isize::MAX as usize] {
        let panics = [
            panic_of(|| Arena::<u64>::with_capacity(slots)),
            panic_of(|| Arena::<()>::with_capacity(slots)),
            panic_of(|| Arena::<u64>::fixed(slots)),
            panic_of(|| DenseArena::<u64>::with_capacity(slots)),
            panic_of(|| DenseArena::<()>::fixed(slots)),
            panic_of(|| Pool::with_capacity(slots, || 0_u64)),
        ];
        for panic in panics {
            assert!(panic.message.contains("capacity overflow"), "{}", panic.message);
            assert!(panic.file.ends_with("refused_memory.rs"), "{}", panic.file);
        }
        let refused = Arena::<u64>::builder().capacity(slots).try_build().err();
        assert!(matches!(refused, Some(TryReserveError::CapacityOverflow { .. })));
        let refused = DenseArena::<u64>::builder().fixed(slots).try_build().err();
        assert!(matches!(refused, Some(TryReserveError::CapacityOverflow { .. })));
    }
}

/// A key that can name 15 slots makes a container of 15.
#[test]
fn keys_bound_the_number_of_slots() {
    fn fill<S: Subject>() {
        let mut subject = S::build(Config::new(Reuse::Packed, None));
        let slots = S::Key::MAX_SLOTS as usize;
        for id in 0..slots {
            subject.insert(S::Value::make(id as u32));
        }
        let refused = subject.try_insert(S::Value::make(99)).expect_err("no slot is left");
        assert_eq!(refused.value.id(), 99);
        drop(panic_of(|| subject.insert(S::Value::make(99))));
        subject.validate();
        assert_eq!((subject.len(), subject.capacity(), subject.remaining()), (slots, slots, 0));
        let first = subject.keys().next();
        if let Some(key) = first {
            drop(subject.remove(key));
            assert_eq!(subject.insert(S::Value::make(7)).slot(), 0);
        }
    }

    fill::<Arena<u32, Handle32<u32, 1>>>();
    fill::<PagedArena<u32, Handle32<u32, 4>>>();
    fill::<DenseArena<u32, Handle32<u32, 4>>>();
}

// The number of requests to the allocator.

#[test]
fn construction_asks_for_nothing() {
    const IN_A_CONSTANT: Arena<u32> = Arena::new();
    const PAGED_IN_A_CONSTANT: PagedArena<u32> = PagedArena::new();
    const DENSE_IN_A_CONSTANT: DenseArena<u32> = DenseArena::new();
    let (requests, containers) = requests_of(|| {
        let arenas = (Arena::<u64>::new(), IN_A_CONSTANT, Arena::<Wide>::with_capacity(0));
        let keyed =
            (Arena::<u32, Serial<u32>>::with_key(), Arena::<u32, BareHandle<u32>>::default());
        let dense = (DenseArena::<u64>::new(), DENSE_IN_A_CONSTANT, DenseArena::<Wide>::fixed(0));
        let paged = (PagedArena::<u64>::new(), PAGED_IN_A_CONSTANT, PagedArena::<Wide>::default());
        assert_eq!(paged.0.stats().memory.committed, 0);
        let built = Arena::<u64>::builder().reuse(Reuse::Fifo).build();
        (arenas, keyed, paged, dense, built)
    });
    assert_eq!(requests, 0);
    assert_eq!(containers.0.0.stats().memory.committed, 0);
    assert_eq!(requests_of(|| drop(containers)).0, 0);
}

/// Inserts and removes at random places for a while.
fn churn<S: Subject>(subject: &mut S, keys: &mut [S::Key], rounds: usize) {
    let mut random = SplitMix::new(1);
    for round in 0..rounds {
        let position = random.below(keys.len());
        assert!(subject.remove(keys[position]).is_some());
        keys[position] = subject.insert(S::Value::make(round as u32));
    }
}

/// A fixed container asks at construction and never after.
fn fixed_never_asks<S: Subject>(reuse: Reuse) {
    let slots = if cfg!(miri) { 70 } else { 5_000 };
    let (requests, mut subject) = requests_of(|| S::build(Config::new(reuse, Some(slots))));
    // Values, keys, table, book; what is taken without a value; links of the order; what has these two.
    assert!((1..=7).contains(&requests), "{requests} requests");
    let mut keys = Vec::with_capacity(slots);
    let (requests, ()) = requests_of(|| {
        keys.extend((0..slots).map(|id| subject.insert(S::Value::make(id as u32))));
        churn(&mut subject, &mut keys, 3 * slots);
        assert!(subject.try_insert(S::Value::make(0)).is_err());
        subject.retain(|key, _| key.slot() % 3 == 0);
        subject.extend((0..slots as u32 / 3).map(S::Value::make));
        subject.extract_if(|key, _| key.slot() % 5 == 0).for_each(drop);
        drop(subject.drain().nth(3));
        subject.extend((0..slots as u32).map(S::Value::make));
        subject.clear();
        subject.shrink_to_fit();
    });
    assert_eq!(requests, 0, "{reuse:?}");
}

/// Removing never asks, so it can never be refused.
fn removing_never_asks<S: Subject>(reuse: Reuse) {
    let mut subject = S::build(Config::new(reuse, None));
    let mut keys: Vec<_> = (0..SOME).map(|id| subject.insert(S::Value::make(id))).collect();
    let (requests, ()) = requests_of(|| {
        churn(&mut subject, &mut keys, SOME as usize);
        for &key in keys.iter().step_by(3) {
            drop(subject.remove(key));
        }
        subject.extract_if(|key, _| key.slot() % 5 == 0).for_each(drop);
        subject.retain(|key, _| key.slot() % 2 == 0);
        drop(subject.drain().next());
    });
    assert_eq!(requests, 0, "{reuse:?}");
    subject.extend((0..SOME).map(S::Value::make));
    assert_eq!(requests_of(|| subject.clear()).0, 0);
}

/// Memory lies in few pieces, and `stats` tells their size.
fn few_pieces<S: Subject>() {
    let count = if cfg!(miri) { 200 } else { 20_000 };
    let before = live_bytes();
    let empty = || S::build(Config::new(Reuse::Packed, None));
    let mut subject = empty();
    let (requests, ()) = requests_of(|| subject.reserve(count));
    assert!(requests <= 4, "{requests} requests");
    assert_eq!(subject.stats().memory.committed as isize, live_bytes() - before);
    let (requests, ()) = requests_of(|| subject.extend((0..count as u32).map(S::Value::make)));
    assert_eq!(requests, 0, "room was reserved");
    let (requests, copy) = requests_of(|| subject.clone());
    assert!(requests <= 4, "{requests} requests for a copy");
    drop((subject, copy));
    assert_eq!(live_bytes(), before);
    let mut filled = empty();
    let (requests, ()) = requests_of(|| filled.extend((0..count as u32).map(S::Value::make)));
    assert!(requests <= 4, "{requests} requests for values that are announced");
    filled.shrink_to_fit();
    let (requests, ()) = requests_of(|| filled.shrink_to_fit());
    assert_eq!(requests, 0, "it has no memory to give back");
    drop(filled);

    let mut grown = empty();
    let (requests, ()) = requests_of(|| {
        for id in 0..count as u32 {
            grown.insert(S::Value::make(id));
        }
    });
    let doublings = count.ilog2() as usize;
    assert!(requests <= 4 * (doublings + 1), "{requests} requests to grow");
    assert_eq!(grown.stats().memory.committed as isize, live_bytes() - before);
    grown.clear();
    grown.shrink_to_fit();
    assert_eq!(grown.stats().memory.committed as isize, live_bytes() - before);
}

#[test]
fn memory_is_asked_for_seldom() {
    fn seldom<S: Subject>() {
        few_pieces::<S>();
        for &reuse in ORDERS {
            fixed_never_asks::<S>(reuse);
            removing_never_asks::<S>(reuse);
        }
    }

    seldom::<Arena<u32>>();
    seldom::<Arena<Unit, BareHandle<Unit>>>();
    seldom::<DenseArena<Wide, Serial<Wide>>>();
    seldom::<DenseArena<Unit, BareHandle<Unit>>>();
    seldom::<Pool<Wide, Serial<Wide>>>();
    removing_never_asks::<PagedArena<u32>>(ORDERS[0]);
}

/// Values are so large that there cannot be many: the book is not asked for memory for more.
#[test]
fn what_cannot_be_is_refused_before_memory_is_asked_for() {
    const SIZE: usize = (isize::MAX as usize >> 20) + 1;
    let mut arena = DenseArena::<[u8; SIZE]>::new();
    let mut pool = Pool::<[u8; SIZE]>::new(|| unreachable!("none is made"));
    let reserve = || [arena.try_reserve(1 << 20), pool.try_reserve(1 << 20)];
    let (requests, refused) = requests_of(reserve);
    let overflow = TryReserveError::CapacityOverflow { requested: 1 << 20, max: (1 << 20) - 1 };
    assert_eq!((requests, refused), (0, [Err(overflow.clone()), Err(overflow)]));
}

/// Neither the book nor the list of what is free grows alone: all that there is room for can be freed.
#[test]
fn a_reservation_that_is_refused_in_part_is_refused() {
    let ways = REUSE_ORDERS.map(|reuse| [(reuse, false), (reuse, true)]);
    for (reuse, for_good) in ways.into_iter().flatten() {
        for grants in 0.. {
            let mut arena = Arena::builder().reuse(reuse).build();
            let first = arena.insert(0_u32);
            arena.detach(first);
            let (refused, reserved) = refusing_after(grants, for_good, || arena.try_reserve(2_000));
            assert_eq!(refused, reserved.is_err(), "{reuse:?} after {grants}");
            (0..2_000).for_each(|number| _ = arena.insert(number));
            arena.retain(|_, _| false);
            arena.validate();
            if !refused {
                break;
            }
        }
    }
}

/// A book in the slots' own block stays there.
#[test]
fn shrinking_a_small_arena_is_one_request() {
    let mut arena = Arena::with_capacity(500);
    (0..100_u64).for_each(|number| _ = arena.insert(number));
    assert_eq!(requests_of(|| arena.shrink_to_fit()).0, 1);
    assert_eq!(requests_of(|| arena.shrink_to_fit()).0, 0);
    assert!(arena.values().copied().eq(0..100));
}
