//! User code that panics at its n-th step, for every n: afterwards the container is whole.
//!
//! Nothing is dropped twice. Nothing is lost: what is alive is in the container, and goes with it.
//! Only where a `Drop` itself panicked may values leak, as they do from a `Vec`.

use core::mem::take;
use larder::{Arena, DenseArena, DenseSoaArena, PagedArena, Reuse, SoaArena};
use larder_testing::caught::{panicking_after, step};
use larder_testing::subject::{Config, Subject};
use larder_testing::touchy::{Nerve, Touchy, count_alive, forget_all, set_nerve};
use larder_testing::trouble::Panics;
use larder_testing::values::{Held, Seen, Value};

/// A container of values that panic when told to.
trait Nervous: Subject<Value: Nerves> + Default {}

impl<S: Subject<Value: Nerves> + Default> Nervous for S {}

/// A value made of those.
trait Nerves: Value {
    /// The number of parts.
    const PARTS: usize;
}

impl Nerves for Touchy {
    const PARTS: usize = 1;
}

/// Each in a column of its own, and between them one without a size, and one without nerves.
impl Nerves for (Touchy, (), Touchy, u32) {
    const PARTS: usize = 2;
}

fn value<S: Nervous>(id: u32) -> S::Value {
    S::Value::make(id)
}

/// Small and large enough to cross words of occupancy, with holes, a detached slot, and hole words.
fn prepare<S: Nervous>(config: Config, count: u32) -> S {
    let mut subject = S::build(config);
    let keys: Vec<_> = (0..count).map(|id| subject.insert(value::<S>(id))).collect();
    for (position, &key) in keys.iter().enumerate() {
        if position % 4 == 2 || (70..140).contains(&position) {
            drop(subject.remove(key));
        }
    }
    drop(subject.detach(keys[1]));
    subject
}

/// Checks that a container is whole, and still does its work; also when it was cleared. Returns the number of parts of
/// its values before.
fn is_whole<S: Nervous>(subject: &mut S) -> usize {
    let len = subject.len();
    works(subject);
    let others = count_alive() - len * S::Value::PARTS; // (if a `Drop` panicked)
    subject.clear();
    assert!(subject.is_empty() && subject.iter().next().is_none());
    assert_eq!(count_alive(), others, "values were lost");
    subject.validate();
    if !cfg!(miri) {
        works(subject);
    }
    len * S::Value::PARTS
}

fn works<S: Nervous>(subject: &mut S) {
    subject.validate();
    let len = subject.len();
    assert_eq!(subject.iter().count(), len);
    assert!(subject.values().all(|value| value.is_alive()), "a dead value can be reached");
    // The fields of each value in columns are its own, and holes hold what they should.
    let values: Vec<_> = subject.iter().map(|(key, value)| (key, value.id())).collect();
    subject.check_columns(&values, subject.stats().slots);
    assert_eq!(subject.keys().filter(|&key| subject.contains_key(key)).count(), len);
    let before = count_alive();
    let key = subject.insert(value::<S>(1_000));
    assert_eq!(subject.get(key).map(|value| value.id()), Some(1_000));
    assert_eq!(subject.remove(key).map(|value| value.id()), Some(1_000));
    subject.validate();
    assert_eq!((subject.len(), count_alive()), (len, before));
}

/// Runs `act` again and again, panicking one step later each time, until it gets through.
#[track_caller]
fn at_every_step<S: Nervous>(nerve: Nerve, act: &dyn Fn(&mut S)) {
    let packed = Config::new(Reuse::Packed, None);
    let few = Config::ALL[..3].iter().map(|&config| (config, 11));
    let all = few.chain([(packed, 150)]).collect::<Vec<_>>();
    for (config, count) in if cfg!(miri) { vec![(packed, 5)] } else { all } {
        let make = || prepare::<S>(config, count);
        let steps = Panics { make: &make, held: &is_whole, leaks: true }.of(nerve, act);
        assert!(steps > 0, "no user code ran");
    }
}

#[track_caller]
fn at_every_drop<S: Nervous>(act: &dyn Fn(&mut S)) {
    at_every_step(Nerve::Drop, act);
}

#[track_caller]
fn at_every_call<S: Nervous>(act: &dyn Fn(&mut S)) {
    at_every_step(Nerve::None, act);
}

/// An iterator of values that takes a step before each, and may not know how many there are.
fn values_in_steps<V: Value>(count: u32, hint: (usize, Option<usize>)) -> impl Iterator<Item = V> {
    struct Hinted<I>(I, (usize, Option<usize>));

    impl<I: Iterator> Iterator for Hinted<I> {
        type Item = I::Item;

        fn next(&mut self) -> Option<I::Item> {
            step();
            self.0.next()
        }

        fn size_hint(&self) -> (usize, Option<usize>) {
            step();
            self.1
        }
    }

    Hinted((2_000..2_000 + count).map(V::make), hint)
}

/// Returns size hints for `count` values: the truth, nothing, and lies.
fn hints(count: usize) -> [(usize, Option<usize>); 5] {
    [
        (count, Some(count)),
        (0, None),
        (0, Some(0)),
        (count / 2, Some(count / 2)),
        (2 * count, Some(2 * count)),
    ]
}

/// Returns whether the value is one of those that go.
fn goes(value: &impl Seen) -> bool {
    step();
    value.id() % 3 == 0
}

// `Drop` panics.

fn drop_panics<S: Nervous>() {
    at_every_drop::<S>(&|subject| subject.clear());
    at_every_drop::<S>(&|subject| subject.retain(|_, value| value.id() % 3 == 0));
    at_every_drop::<S>(&|subject| subject.retain(|_, _| false));
    at_every_drop::<S>(&|subject| drop(subject.drain()));
    at_every_drop::<S>(&|subject| {
        let mut drain = subject.drain();
        drop(drain.next());
        drop(drain.next_back());
    });
    at_every_drop::<S>(&|subject| subject.drain().for_each(drop));
    at_every_drop::<S>(&|subject| subject.drain().rev().for_each(drop));
    at_every_drop::<S>(&|subject| {
        drop(subject.drain().nth(3));
    });
    at_every_drop::<S>(&|subject| {
        subject.extract_if(|_, value| value.id() % 3 == 0).for_each(drop);
    });
    at_every_drop::<S>(&|subject| {
        let keys: Vec<_> = subject.keys().collect();
        for key in keys {
            drop(subject.remove(key));
        }
    });
    at_every_drop::<S>(&|subject| {
        for mut place in subject.values_mut() {
            place.set(value::<S>(7));
        }
    });
}

/// `Drop` panics where the whole container goes.
fn drop_of_all_panics<S: Nervous>() {
    at_every_drop::<S>(&|subject| drop(take(subject)));
    at_every_drop::<S>(&|subject| drop(take(subject).into_iter()));
    at_every_drop::<S>(&|subject| {
        let mut values = take(subject).into_values();
        drop(values.next_back());
        drop(values.next());
    });
    at_every_drop::<S>(&|subject| drop(take(subject).into_values().nth(4)));
    at_every_drop::<S>(&|subject| take(subject).into_values().for_each(drop));
    at_every_drop::<S>(&|subject| take(subject).into_iter().rev().for_each(drop));
    at_every_drop::<S>(&|subject| {
        let shorter: S = prepare(Config::ALL[0], 5);
        subject.clone_from(&shorter);
    });
    at_every_drop::<S>(&|subject| {
        let longer: S = prepare(Config::ALL[1], 20);
        subject.clone_from(&longer);
    });
}

/// If the `Drop` of one value panics, the others are dropped all the same.
#[test]
fn a_drop_that_panics_keeps_no_other_from_being_dropped() {
    fn all_are_dropped<S: Nervous>() {
        for steps in 0..4 {
            let subject: S = prepare(Config::ALL[0], 4);
            set_nerve(Nerve::Drop);
            let panicked = panicking_after(steps, || drop(subject));
            set_nerve(Nerve::None);
            assert_eq!((panicked, count_alive()), (steps < 2, 0), "after {steps}");
            forget_all();
        }
    }

    all_are_dropped::<Arena<Touchy>>();
    all_are_dropped::<PagedArena<Touchy>>();
    all_are_dropped::<DenseArena<Touchy>>();
}

// `Clone` panics.

fn clone_panics<S: Nervous>() {
    at_every_step::<S>(Nerve::Clone, &|subject| drop(subject.clone()));
    for &config in Config::tried() {
        let slots = config.limit.map(|_| 5);
        let source = Config { limit: slots, ..config };
        for count in [4, slots.map_or(if cfg!(miri) { 7 } else { 20 }, |_| 5)] {
            at_every_step::<S>(Nerve::Clone, &|subject| {
                let other: S = prepare(source, count);
                subject.clone_from(&other);
                assert_eq!(*subject, other);
            });
        }
    }
}

// Closures panic.

fn closures_panic<S: Nervous>() {
    at_every_call::<S>(&|subject| subject.retain(|_, value| !goes(&value)));
    at_every_call::<S>(&|subject| subject.retain(|_, value| goes(&value)));
    at_every_call::<S>(&|subject| {
        subject.extract_if(|_, value| goes(&value)).for_each(drop);
    });
    at_every_call::<S>(&|subject| {
        drop(subject.extract_if(|_, value| goes(&value)).next());
    });
    at_every_call::<S>(&|subject| {
        subject.insert_with_key(|_| (step(), value::<S>(9)).1);
    });
    at_every_call::<S>(&|subject| {
        let value = value::<S>(9);
        let _ = subject.try_insert_with_key(|_| {
            step();
            Err::<S::Value, _>(value)
        });
    });
}

/// Closures that take the values of a container panic: in `fold`, as in a loop.
fn consumers_panic<S: Nervous>() {
    at_every_call::<S>(&|subject| subject.drain().for_each(|_| step()));
    at_every_call::<S>(&|subject| subject.drain().rev().for_each(|_| step()));
    at_every_call::<S>(&|subject| {
        let mut drain = subject.drain();
        drop(drain.next());
        drain.for_each(|_| step());
    });
    at_every_call::<S>(&|subject| take(subject).into_iter().for_each(|_| step()));
    at_every_call::<S>(&|subject| {
        let mut pairs = take(subject).into_iter();
        drop((pairs.next(), pairs.next_back()));
        pairs.rev().for_each(|_| step());
    });
    at_every_call::<S>(&|subject| take(subject).into_values().for_each(|_| step()));
    at_every_call::<S>(&|subject| take(subject).into_values().rev().for_each(|_| step()));
    at_every_call::<S>(&|subject| subject.iter_mut().for_each(|_| step()));
    at_every_call::<S>(&|subject| subject.values_mut().rev().for_each(|_| step()));
}

/// Comparators panic; afterwards each key must still reach its own value.
fn sorting_panics<S: Nervous>(sort: impl Fn(&mut S)) {
    at_every_call::<S>(&|subject| {
        let ids: Vec<_> = subject.iter().map(|(key, value)| (key, value.id())).collect();
        let outcome = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| sort(subject)));
        for (key, id) in ids {
            assert_eq!(subject.get(key).map(|value| value.id()), Some(id), "a sort lost {key:?}");
        }
        if let Err(payload) = outcome {
            std::panic::resume_unwind(payload);
        }
    });
}

/// Returns the rank by which values are sorted, at a step each.
fn rank(value: impl Seen) -> u32 {
    step();
    value.id() * 7 % 11
}

// Iterators panic.

fn iterators_panic<S: Nervous + FromIterator<<S as Subject>::Value>>() {
    let counts: &[u32] = if cfg!(miri) { &[2] } else { &[3, 9, 80] };
    for &count in counts {
        let hints = hints(count as usize);
        for &hint in if cfg!(miri) { &hints[3..] } else { &hints[..] } {
            at_every_call::<S>(&|subject| {
                subject.extend(values_in_steps(count, hint));
            });
            at_every_call::<S>(&|subject| {
                assert_eq!(
                    subject.insert_many(values_in_steps(count, hint)).count(),
                    count as usize
                );
            });
            at_every_call::<S>(&|subject| {
                *subject = values_in_steps(count, hint).collect();
                assert_eq!(subject.len(), count as usize);
            });
        }
    }
}

/// Two columns of three belong to values that panic: whichever does, the other goes with it.
type Row = (Touchy, (), Touchy, u32);

macro_rules! panics {
    ($($name:ident: $container:ty;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn in_drop() {
                drop_panics::<$container>();
                drop_of_all_panics::<$container>();
            }

            #[test]
            fn in_clone() {
                clone_panics::<$container>();
            }

            #[test]
            fn in_closures() {
                closures_panic::<$container>();
                consumers_panic::<$container>();
            }

            #[test]
            fn in_iterators() {
                iterators_panic::<$container>();
            }
        }
    )*};
}

panics! {
    arena: Arena<Touchy>;
    paged_arena: PagedArena<Touchy>;
    dense_arena: DenseArena<Touchy>;
    columns: SoaArena<Row>;
    packed_columns: DenseSoaArena<Row>;
}

/// Sorts in each way there is.
macro_rules! sorted {
    ($container:ty) => {
        sorting_panics::<$container>(|dense| dense.sort_by(|a, b| rank(b).cmp(&rank(a))));
        sorting_panics::<$container>(|dense| dense.sort_by_key(|value| rank(value)));
        sorting_panics::<$container>(|dense| dense.sort_unstable_by(|a, b| rank(b).cmp(&rank(a))));
        sorting_panics::<$container>(|dense| dense.sort_by_cached_key(|value| rank(value)));
    };
}

#[test]
fn comparators_panic() {
    sorted!(DenseArena<Touchy>);
    sorted!(DenseSoaArena<Row>);
}

// Replacing drops the old value where it was, whole: the key leads to the new one.
#[test]
fn replaced_rows_panic_as_they_go() {
    at_every_drop::<SoaArena<Row>>(&|subject| {
        let key = subject.keys().next().unwrap();
        let old = subject.replace(key, Row::make(77));
        assert_eq!(subject.get(key).unwrap().id(), 77);
        drop(old);
    });
    at_every_drop::<DenseSoaArena<Row>>(&|subject| {
        let key = subject.keys().next().unwrap();
        let old = subject.replace(key, Row::make(77));
        assert_eq!(subject.get(key).unwrap().id(), 77);
        drop(old);
    });
}
