//! An allocator that refuses at the n-th request, for every n; and how often it is asked at all.

use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, Key, PagedArena, Reuse, SoaArena,
    TryReserveError,
    key::{BareHandle, Serial},
};
use larder_testing::allocator::{live_bytes, refusing_after, requests_of};
use larder_testing::caught::{attempt, panic_of};
use larder_testing::common::SplitMix;
use larder_testing::fields::{Lanes4, Lanes8, Plain};
use larder_testing::subject::{Config, ORDERS, Subject};
use larder_testing::values::{Seen, Unit, Value, Wide};

/// Some words of slots.
const SOME: u32 = if cfg!(miri) { 80 } else { 300 };

/// Returns the contents of a container, to compare before and after.
fn contents<S: Subject>(subject: &S) -> Vec<(S::Key, u32)> {
    subject.iter().map(|(key, value)| (key, value.id())).collect()
}

/// A container that is as full as it can be without growing, with a detached slot.
fn full<S: Subject>(reuse: Reuse) -> S {
    let mut subject = S::build(Config::new(reuse, None));
    for id in 0..if cfg!(miri) { 3 } else { 20 } {
        subject.insert(S::Value::make(id));
    }
    while subject.remaining() > 0 && subject.capacity() < 1_000 {
        subject.insert(S::Value::make(subject.len() as u32));
    }
    subject
}

/// A container with room, holes, and no slot detached yet.
fn half_full<S: Subject>(reuse: Reuse) -> S {
    let mut subject = full::<S>(reuse);
    let keys: Vec<_> = subject.keys().collect();
    for key in keys.into_iter().step_by(2) {
        drop(subject.remove(key));
    }
    subject
}

/// Runs `act` with every one of its requests refused in turn. It says whether it did its work;
/// where it did not, nothing may have changed. `for_good`: nothing is granted afterwards either,
/// which no panic would survive.
fn at_every_refusal<S: Subject>(
    make: impl Fn() -> S,
    for_good: bool,
    act: impl Fn(&mut S) -> bool,
) {
    at_each_refusal(&make, for_good, &act);
}

/// Compiled once for each container.
fn at_each_refusal<S: Subject>(make: &dyn Fn() -> S, for_good: bool, act: &dyn Fn(&mut S) -> bool) {
    let _warm = attempt(|| panic!("the first panic of a thread allocates"));
    for grants in 0.. {
        let before = live_bytes();
        let mut subject = make();
        let held = contents(&subject);
        let (refused, worked) = refusing_after(grants, for_good, || act(&mut subject));
        assert!(refused || worked, "it failed although no memory was refused");
        subject.validate();
        if !worked {
            assert_eq!(contents(&subject), held);
        }
        let key = subject.insert(S::Value::make(5_000));
        assert_eq!(subject.remove(key).map(|value| value.id()), Some(S::Value::seen(5_000)));
        subject.validate();
        drop((subject, held));
        assert_eq!(live_bytes(), before, "memory leaked after {grants} grants");
        if !refused {
            return;
        }
    }
}

fn fallible_forms<S: Subject>(reserve: impl Fn(&mut S, usize) -> Result<(), TryReserveError>) {
    for (reuse, for_good) in ORDERS.iter().flat_map(|&reuse| [(reuse, false), (reuse, true)]) {
        at_every_refusal(
            || full::<S>(reuse),
            for_good,
            |subject| match subject.try_insert(S::Value::make(4_000)) {
                Ok(_) => true,
                Err(refused) => {
                    assert!(matches!(refused.reason, TryReserveError::AllocRefused { .. }));
                    assert_eq!(refused.value.id(), S::Value::seen(4_000));
                    false
                }
            },
        );
        at_every_refusal(
            || full::<S>(reuse),
            for_good,
            |subject| {
                let capacity = subject.capacity();
                match reserve(subject, 300) {
                    Ok(()) => subject.remaining() >= 300,
                    Err(TryReserveError::AllocRefused { bytes }) => {
                        assert!(bytes > 0);
                        assert_eq!(subject.capacity(), capacity);
                        false
                    }
                    Err(error) => panic!("{error}"),
                }
            },
        );
    }
}

#[test]
fn fallible_forms_refused_in_an_arena() {
    fallible_forms::<Arena<u32>>(|arena, more| arena.try_reserve(more));
    fallible_forms::<Arena<Wide, Serial<Wide>>>(|arena, more| arena.try_reserve(more));
    fallible_forms::<Arena<u32, BareHandle<u32>>>(|arena, more| arena.try_reserve(more));
}

#[test]
fn fallible_forms_refused_in_a_paged_arena() {
    fallible_forms::<PagedArena<u32>>(|arena, more| arena.try_reserve(more));
    fallible_forms::<PagedArena<Wide, Serial<Wide>>>(|arena, more| arena.try_reserve(more));
    fallible_forms::<PagedArena<u32, BareHandle<u32>>>(|arena, more| arena.try_reserve(more));
}

#[test]
fn fallible_forms_refused_in_a_dense_arena() {
    fallible_forms::<DenseArena<u32>>(|dense, more| dense.try_reserve(more));
    fallible_forms::<DenseArena<Wide, Serial<Wide>>>(|dense, more| dense.try_reserve(more));
    fallible_forms::<DenseArena<Unit, BareHandle<Unit>>>(|dense, more| dense.try_reserve(more));
}

#[test]
fn fallible_forms_refused_in_columns() {
    fallible_forms::<SoaArena<Plain>>(|arena, more| arena.try_reserve(more));
    fallible_forms::<SoaArena<Lanes8>>(|arena, more| arena.try_reserve(more));
    fallible_forms::<DenseSoaArena<Plain>>(|dense, more| dense.try_reserve(more));
    fallible_forms::<DenseSoaArena<Lanes8>>(|dense, more| dense.try_reserve(more));
}

#[test]
fn builders_refused() {
    /// Each request of a build refused in turn.
    fn refused<S: Subject>(build: impl Fn() -> Result<S, TryReserveError>) {
        for grants in 0.. {
            let before = live_bytes();
            let (refused, built) = refusing_after(grants, true, &build);
            assert_eq!(refused, built.is_err());
            match built {
                Ok(mut subject) => {
                    subject.validate();
                    subject.insert(S::Value::make(1));
                }
                Err(TryReserveError::AllocRefused { bytes }) => assert!(bytes > 0),
                Err(error) => panic!("{error}"),
            }
            assert_eq!(live_bytes(), before);
            if !refused {
                assert!(grants > 0, "memory was never asked for");
                return;
            }
        }
    }

    for &reuse in ORDERS {
        refused(|| Arena::<u32>::builder().reuse(reuse).capacity(100).try_build());
        refused(|| Arena::<u32>::builder().reuse(reuse).fixed(100).try_build());
        refused(|| PagedArena::<u32>::builder().block_bytes(64).fixed(100).try_build());
        refused(|| PagedArena::<u32>::builder().reuse(reuse).doubling().capacity(100).try_build());
        refused(|| DenseArena::<u32>::builder().reuse(reuse).capacity(100).try_build());
        refused(|| DenseArena::<u32>::builder().reuse(reuse).fixed_bytes(100).try_build());
        refused(|| SoaArena::<Plain>::builder().reuse(reuse).fixed(100).try_build());
        refused(|| DenseSoaArena::<Lanes8>::builder().reuse(reuse).capacity(100).try_build());
    }
}

/// Forms that panic when memory is refused: with a clear message, and all or nothing is done.
fn infallible_forms<S: Subject>() {
    fn panics<R>(act: impl FnOnce() -> R) -> bool {
        match attempt(act) {
            Ok(_) => true,
            Err(caught) => {
                assert!(caught.message.contains("refused"), "{}", caught.message);
                false
            }
        }
    }

    for &reuse in ORDERS {
        at_every_refusal(
            || full::<S>(reuse),
            false,
            |subject| panics(|| subject.insert(S::Value::make(1))),
        );
        at_every_refusal(
            || full::<S>(reuse),
            false,
            |subject| panics(|| subject.insert_with_key(|_| S::Value::make(1))),
        );
        at_every_refusal(
            || full::<S>(reuse),
            false,
            |subject| panics(|| subject.vacant_insert(S::Value::make(1))),
        );
        at_every_refusal(|| full::<S>(reuse), false, |subject| panics(|| subject.reserve(1_000)));
        at_every_refusal(|| full::<S>(reuse), false, |subject| panics(|| drop(subject.clone())));
        at_every_refusal(
            || half_full::<S>(reuse),
            false,
            |subject| {
                let key = subject.keys().next().expect("it is half full");
                panics(|| {
                    let value = subject.detach(key).expect("it is live");
                    assert!(subject.reattach(key, value).is_ok());
                })
            },
        );
    }
}

#[test]
fn infallible_forms_refused_in_an_arena() {
    infallible_forms::<Arena<u32>>();
    infallible_forms::<Arena<Wide, BareHandle<Wide>>>();
}

#[test]
fn infallible_forms_refused_in_a_paged_arena() {
    infallible_forms::<PagedArena<Wide, BareHandle<Wide>>>();
}

#[test]
fn infallible_forms_refused_in_a_dense_arena() {
    infallible_forms::<DenseArena<u32>>();
    infallible_forms::<DenseArena<Wide, BareHandle<Wide>>>();
}

#[test]
fn infallible_forms_refused_in_columns() {
    infallible_forms::<SoaArena<Plain>>();
    infallible_forms::<DenseSoaArena<Lanes8>>();
}

/// `extend` keeps what it got in before it was refused, as `Vec` does; nothing else changes.
fn bulk_insertion<S: Subject>() {
    let _warm = attempt(|| panic!("the first panic of a thread allocates"));
    for (grants, known) in
        (0..if cfg!(miri) { 4 } else { 30 }).flat_map(|grants| [(grants, true), (grants, false)])
    {
        let before = live_bytes();
        let mut subject = full::<S>(Reuse::Packed);
        let held = contents(&subject);
        let (refused, outcome) = refusing_after(grants, false, || {
            attempt(|| {
                let values = (1_000..1_000 + SOME).map(S::Value::make);
                // Without a lower bound, memory is asked for along the way.
                subject.extend(values.filter(|value| known || value.id() > 0));
            })
        });
        subject.validate();
        assert_eq!(refused, outcome.is_err());
        let kept: Vec<_> = contents(&subject).into_iter().filter(|(_, id)| *id < 1_000).collect();
        assert_eq!(kept, held);
        assert!(outcome.is_err() || subject.len() == held.len() + SOME as usize);
        drop((subject, held, kept, outcome));
        assert_eq!(live_bytes(), before);
    }
}

#[test]
fn extend_refused() {
    bulk_insertion::<Arena<u32>>();
    bulk_insertion::<DenseArena<u32>>();
    bulk_insertion::<SoaArena<Plain>>();
    bulk_insertion::<DenseSoaArena<Lanes8>>();
}

/// A copy over another container that is refused memory leaves both whole.
fn copy_over<S: Subject>() {
    let _warm = attempt(|| panic!("the first panic of a thread allocates"));
    for grants in 0..10 {
        let before = live_bytes();
        let source = full::<S>(Reuse::Fifo);
        let mut target = half_full::<S>(Reuse::Lifo);
        target.shrink_to_fit();
        let (refused, outcome) =
            refusing_after(grants, false, || attempt(|| target.clone_from(&source)));
        assert_eq!(refused, outcome.is_err());
        target.validate();
        source.validate();
        assert!(outcome.is_err() || target == source);
        drop((source, target, outcome));
        assert_eq!(live_bytes(), before);
    }
}

#[test]
fn clone_from_refused() {
    copy_over::<Arena<u32>>();
    copy_over::<DenseArena<Wide>>();
    copy_over::<SoaArena<Lanes4>>();
    copy_over::<DenseSoaArena<Plain>>();
}

/// Giving memory back needs no luck: refused, the container keeps what it has.
#[test]
fn shrink_refused() {
    fn shrink<S: Subject>() {
        for &reuse in ORDERS {
            at_every_refusal(
                || half_full::<S>(reuse),
                false,
                |subject| {
                    let sum = |subject: &S| {
                        subject.iter().map(|(_, value)| u64::from(value.id())).sum::<u64>()
                    };
                    let held = (subject.len(), sum(subject));
                    subject.shrink_to_fit();
                    held == (subject.len(), sum(subject))
                },
            );
        }
    }

    shrink::<Arena<u32>>();
    shrink::<DenseArena<u32>>();
    shrink::<SoaArena<Plain>>();
    shrink::<DenseSoaArena<Lanes4>>();
}

// Asking for more than there can be.

fn overflow<S: Subject>(reserve: impl Fn(&mut S, usize) -> Result<(), TryReserveError>) {
    let slots = S::Key::MAX_SLOTS as usize;
    let mut subject = half_full::<S>(Reuse::Packed);
    let held = contents(&subject);
    for additional in [usize::MAX, usize::MAX - 1, isize::MAX as usize, slots] {
        let refused = reserve(&mut subject, additional);
        assert!(
            matches!(refused, Err(TryReserveError::CapacityOverflow { .. })),
            "{additional}: {refused:?}"
        );
        let panic = panic_of(|| subject.reserve(additional));
        assert!(panic.message.contains("capacity overflow"), "{}", panic.message);
    }
    subject.validate();
    assert_eq!(contents(&subject), held);
}

#[test]
fn capacity_overflow() {
    overflow::<Arena<u32>>(|arena, more| arena.try_reserve(more));
    overflow::<Arena<Unit>>(|arena, more| arena.try_reserve(more));
    overflow::<Arena<u32, Handle32<u32>>>(|arena, more| arena.try_reserve(more));
    overflow::<Arena<u32, BareHandle<u32>>>(|arena, more| arena.try_reserve(more));
    overflow::<DenseArena<u32>>(|dense, more| dense.try_reserve(more));
    overflow::<DenseArena<Unit>>(|dense, more| dense.try_reserve(more));
    overflow::<DenseArena<u32, Handle32<u32>>>(|dense, more| dense.try_reserve(more));
    overflow::<DenseArena<Wide, Serial<Wide>>>(|dense, more| dense.try_reserve(more));
    overflow::<SoaArena<Plain>>(|arena, more| arena.try_reserve(more));
    overflow::<DenseSoaArena<Lanes8>>(|dense, more| dense.try_reserve(more));
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
        let mut subject = S::default();
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

    fill::<Arena<u32, Handle32<u32, 4>>>();
    fill::<PagedArena<u32, Handle32<u32, 4>>>();
    fill::<DenseArena<u32, Handle32<u32, 4>>>();
    fill::<Arena<u32, Handle32<u32, 1>>>();
    fill::<DenseArena<u32, Handle32<u32, 1>>>();
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
fn fixed_never_asks<S: Subject>() {
    for &reuse in ORDERS {
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
}

#[test]
fn fixed_asks_once_and_never_again() {
    fixed_never_asks::<Arena<u32>>();
    fixed_never_asks::<Arena<Wide, Serial<Wide>>>();
    fixed_never_asks::<Arena<u32, BareHandle<u32>>>();
    fixed_never_asks::<DenseArena<u32>>();
    fixed_never_asks::<DenseArena<Wide, Serial<Wide>>>();
    fixed_never_asks::<DenseArena<u32, BareHandle<u32>>>();
}

/// Removing never asks, so it can never be refused.
fn removing_never_asks<S: Subject>() {
    for &reuse in ORDERS {
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
}

#[test]
fn removing_asks_for_nothing() {
    removing_never_asks::<Arena<u32>>();
    removing_never_asks::<Arena<u32, BareHandle<u32>>>();
    removing_never_asks::<PagedArena<u32>>();
    removing_never_asks::<DenseArena<u32>>();
    removing_never_asks::<DenseArena<u32, BareHandle<u32>>>();
}

/// Memory lies in few pieces, and `stats` tells their size.
fn few_pieces<S: Subject>() {
    let count = if cfg!(miri) { 200 } else { 20_000 };
    let before = live_bytes();
    let mut subject = S::default();
    let (requests, ()) = requests_of(|| subject.reserve(count));
    assert!(requests <= 4, "{requests} requests");
    assert_eq!(subject.stats().memory.committed as isize, live_bytes() - before);
    let (requests, ()) = requests_of(|| subject.extend((0..count as u32).map(S::Value::make)));
    assert_eq!(requests, 0, "room was reserved");
    let (requests, copy) = requests_of(|| subject.clone());
    assert!(requests <= 4, "{requests} requests for a copy");
    drop((subject, copy));
    assert_eq!(live_bytes(), before);
    let mut filled = S::default();
    let (requests, ()) = requests_of(|| filled.extend((0..count as u32).map(S::Value::make)));
    assert!(requests <= 4, "{requests} requests for values that are announced");
    filled.shrink_to_fit();
    let (requests, ()) = requests_of(|| filled.shrink_to_fit());
    assert_eq!(requests, 0, "it has no memory to give back");
    drop(filled);

    let mut grown = S::default();
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
fn memory_lies_in_few_pieces() {
    few_pieces::<Arena<u32>>();
    few_pieces::<Arena<Unit>>();
    few_pieces::<Arena<Wide, Serial<Wide>>>();
    few_pieces::<DenseArena<u32>>();
    few_pieces::<DenseArena<Unit>>();
    few_pieces::<DenseArena<Wide, Handle<Wide>>>();
}

/// Values are so large that there cannot be many: the book is not asked for memory for more.
#[test]
fn what_cannot_be_is_refused_before_memory_is_asked_for() {
    const SIZE: usize = (isize::MAX as usize >> 20) + 1;
    let mut arena = DenseArena::<[u8; SIZE]>::new();
    let (requests, refused) = requests_of(|| arena.try_reserve(1 << 20));
    let overflow = TryReserveError::CapacityOverflow { requested: 1 << 20, max: (1 << 20) - 1 };
    assert_eq!((requests, refused), (0, Err(overflow)));
    assert_eq!(arena.stats().memory.committed, 0);
}

/// Neither the book nor the list of what is free grows alone: all that there is room for can be freed.
#[test]
fn a_reservation_that_is_refused_in_part_is_refused() {
    for reuse in [Reuse::Packed, Reuse::Fifo, Reuse::Lifo] {
        for for_good in [false, true] {
            for grants in 0.. {
                let mut arena = Arena::builder().reuse(reuse).build();
                let first = arena.insert(0_u32);
                arena.detach(first);
                let (refused, reserved) =
                    refusing_after(grants, for_good, || arena.try_reserve(2_000));
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
