//! Generations that run out: a slot is retired, and no stale key ever answers again.

use larder::{Arena, DenseArena, Handle, Handle32, Pool, Reuse, TryReserveError};
use larder_testing::subject::{Config, ORDERS, Subject, TestKey};
use larder_testing::values::Value;
use std::collections::HashSet;

/// A container, and every key it ever handed out whose object is gone.
struct Graveyard<S: Subject> {
    subject: S,
    dead: HashSet<S::Key>,
}

impl<S: Subject> Graveyard<S> {
    fn new(config: Config) -> Self {
        let subject = S::build(config);
        let dead = HashSet::new();
        Graveyard { subject, dead }
    }

    /// Inserts a value, if there is room, under a key that was never seen before.
    fn insert(&mut self) -> Option<S::Key> {
        let key = self.subject.try_insert(S::Value::make(1)).ok()?;
        assert!(!self.dead.contains(&key), "{key:?} came back to life");
        Some(key)
    }

    fn buries(&mut self, keys: impl IntoIterator<Item = S::Key>) {
        for key in keys {
            assert!(self.dead.insert(key), "{key:?} died twice");
        }
    }

    fn remove(&mut self, key: S::Key) {
        assert!(self.subject.remove(key).is_some());
        self.buries([key]);
    }

    /// Returns the number of dead keys that answer in any way.
    fn stale_hits(&mut self) -> usize {
        let Graveyard { subject, dead } = self;
        let answers = |&&key: &&S::Key| {
            let reached = subject.contains_key(key)
                || subject.get(key).is_some()
                || subject.get_mut(key).is_some()
                || subject.get_disjoint_mut([key]).is_ok()
                || subject.detach(key).is_some()
                || subject.release(key)
                || subject.remove(key).is_some();
            let taken_back = subject.reattach(key, S::Value::make(0)).is_ok();
            reached || taken_back
        };
        dead.iter().filter(answers).count()
    }

    /// Checks that nothing dead answers and that this many slots are retired.
    fn check(&mut self, retired: usize) {
        assert_eq!(self.stale_hits(), 0);
        self.subject.validate();
        assert_eq!(self.subject.stats().retired, retired);
    }
}

/// The ways in which a slot can be freed.
#[derive(Clone, Copy, Debug)]
enum End {
    Remove,
    Clear,
    Retain,
    Drain,
    DrainPart,
    Extract,
    Release,
}

const ENDS: [End; 7] =
    [End::Remove, End::Clear, End::Retain, End::Drain, End::DrainPart, End::Extract, End::Release];

/// Frees all slots in one of the ways.
fn end_all<S: Subject>(graveyard: &mut Graveyard<S>, end: End) {
    let keys: Vec<_> = graveyard.subject.keys().collect();
    let subject = &mut graveyard.subject;
    match end {
        End::Remove => keys.iter().for_each(|&key| drop(subject.remove(key))),
        End::Clear => subject.clear(),
        End::Retain => subject.retain(|_, _| false),
        End::Drain => drop(subject.drain()),
        End::DrainPart => {
            let mut drain = subject.drain();
            drop((drain.next(), drain.next_back()));
        }
        End::Extract => subject.extract_if(|_, _| true).for_each(drop),
        End::Release => {
            for &key in &keys {
                drop(subject.detach(key));
                assert!(subject.release(key));
            }
        }
    }
    assert!(subject.is_empty());
    graveyard.buries(keys);
}

/// Every slot of a fixed container lives out all its lives, each ended in the same way.
fn lives_run_out_in<S: Subject>() {
    for (reuse, end) in ORDERS.iter().flat_map(|&reuse| ENDS.map(|end| (reuse, end))) {
        let slots = if cfg!(miri) { 2 } else { 5 };
        let mut graveyard = Graveyard::<S>::new(Config::new(reuse, Some(slots)));
        for _ in 0..S::Key::LIVES {
            assert_eq!(graveyard.subject.capacity(), slots);
            graveyard.check(0);
            while graveyard.insert().is_some() {}
            assert_eq!(graveyard.subject.len(), slots, "{reuse:?} {end:?}");
            end_all(&mut graveyard, end);
        }
        graveyard.check(slots);
        assert_eq!(graveyard.dead.len() as u64, slots as u64 * S::Key::LIVES);
        assert_eq!((graveyard.subject.capacity(), graveyard.subject.remaining()), (0, 0));
        assert!(graveyard.insert().is_none(), "a retired slot was used again");
    }
}

/// (Other containers have the slots of one of these.)
#[test]
fn lives_run_out() {
    lives_run_out_in::<Arena<u32, Handle32<u32, 30>>>();
    lives_run_out_in::<Arena<u32, Handle32<u32, 28>>>();
    lives_run_out_in::<DenseArena<u32, Handle32<u32, 29>>>();
    lives_run_out_in::<Pool<u32, Handle32<u32, 29>>>();
}

// The edge of 32 bits.

/// The last life of a slot whose generation was counted up to the edge.
macro_rules! edge_of_32_bits {
    ($container:ident) => {{
        for (reuse, end) in ORDERS.iter().flat_map(|&reuse| ENDS.map(|end| (reuse, end))) {
            let mut graveyard = Graveyard::<$container<u32>>::new(Config::new(reuse, Some(1)));
            let first = graveyard.insert().expect("a free slot");
            assert_eq!(first.generation().get(), 1);
            end_all(&mut graveyard, end);
            graveyard.subject.set_generation_for_test(0, u32::MAX - 5);
            for lives_left in [1_u32, 0] {
                let key = graveyard.insert().expect("a free slot");
                let generation = u32::MAX - 2 - 2 * lives_left;
                assert_eq!(key, Handle::from_bits(u64::from(generation) << 32).unwrap());
                assert_eq!(graveyard.subject.get(key), Some(&1));
                end_all(&mut graveyard, end);
            }
            graveyard.check(1);
            assert_eq!(graveyard.subject.capacity(), 0);
            assert!(graveyard.insert().is_none(), "generations wrapped around");
            let all = [u32::MAX, u32::MAX - 2, u32::MAX - 4, 1, 3]
                .map(|generation| Handle::from_bits(u64::from(generation) << 32).expect("odd"));
            assert!(all.iter().all(|&key| graveyard.subject.get(key).is_none()));
        }
    }};
}

#[test]
fn edge_of_32_bits() {
    edge_of_32_bits!(Arena);
    edge_of_32_bits!(DenseArena);
}

/// A detached slot in its last life can be filled again under the same key, then is retired.
macro_rules! detached_at_the_edge {
    ($container:ident) => {{
        let mut subject = $container::<u32>::fixed(1);
        let key = subject.insert(1);
        subject.remove(key);
        subject.set_generation_for_test(0, u32::MAX - 3);
        let last = subject.insert(2);
        assert_eq!(subject.detach(last), Some(2));
        subject.validate();
        assert_eq!((subject.get(last), subject.stats().detached), (None, 1));
        assert!(subject.reattach(key, 9).is_err());
        assert!(subject.reattach(last, 3).is_ok());
        assert_eq!(subject[last], 3);
        assert_eq!(subject.detach(last), Some(3));
        assert!(subject.release(last));
        subject.validate();
        assert_eq!((subject.stats().detached, subject.stats().retired), (0, 1));
        assert!(subject.reattach(last, 4).is_err() && !subject.release(last));
        let refused = subject.try_insert(5).unwrap_err();
        assert_eq!(refused.reason, TryReserveError::GenerationsUsedUp);
        assert!(refused.to_string().starts_with("value not inserted: the generations are used up"));
        assert_eq!(refused.value, 5);
    }};
}

#[test]
fn detached_at_the_edge() {
    detached_at_the_edge!(Arena);
    detached_at_the_edge!(DenseArena);
}

/// A slot near its end is not given back: a fresh one in its place would have to start beyond it.
macro_rules! shrinking_at_the_edge {
    ($container:ident) => {{
        for used_up in [u32::MAX - 3, u32::MAX - 5, u32::MAX - 7, 1_000, 2] {
            let config = Config::new(Reuse::Packed, None);
            let mut graveyard = Graveyard::<$container<u32>>::new(config);
            let key = graveyard.insert().expect("it grows");
            let slot = key.slot();
            graveyard.remove(key);
            graveyard.subject.set_generation_for_test(slot, used_up);
            let key = graveyard.insert().expect("it grows");
            assert_eq!(key.slot(), slot);
            graveyard.remove(key);
            graveyard.subject.shrink_to_fit();
            for _ in 0..3 {
                let keys: Vec<_> = (0..4).map(|_| graveyard.insert().expect("it grows")).collect();
                keys.into_iter().for_each(|key| graveyard.remove(key));
                graveyard.subject.shrink_to_fit();
                graveyard.subject.validate();
            }
            assert_eq!(graveyard.stale_hits(), 0);
        }
    }};
}

#[test]
fn shrinking_at_the_edge() {
    shrinking_at_the_edge!(Arena);
    shrinking_at_the_edge!(DenseArena);
}
