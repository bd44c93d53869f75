//! Histories of more than 10,000 slots, where the book has several summaries and a stack: too many for
//! the model of everything, so that this one follows live and detached keys only.

use larder::Reuse;
use larder_testing::common::{SplitMix, amount, scaled};
use larder_testing::erased::{Erased, Name, Type};
use larder_testing::subject::{Config, Memory, ORDERS};
use larder_testing::subjects::*;
use std::collections::{BTreeMap, HashSet};

/// The number of slots that are begun at first.
const SLOTS: usize = if cfg!(miri) { 1_300 } else { 11_000 };

struct Large {
    of: Type,
    subject: Box<dyn Erased>,
    numbers: SplitMix,
    /// The live keys and the numbers of their values, by slot.
    live: BTreeMap<u32, (Name, u32)>,
    /// The same slots in no order, to choose from.
    slots: Vec<u32>,
    detached: Vec<Name>,
    issued: HashSet<Name>,
    dead: Vec<Name>,
    next_id: u32,
}

impl Large {
    fn new(of: Type, config: Config, seed: u64) -> Self {
        let mut large = Self {
            of,
            subject: (of.build)(config),
            numbers: SplitMix::new(seed),
            live: BTreeMap::new(),
            slots: Vec::new(),
            detached: Vec::new(),
            issued: HashSet::new(),
            dead: Vec::new(),
            next_id: 0,
        };
        large.insert(SLOTS);
        large
    }

    fn insert(&mut self, count: usize) {
        for _ in 0..count.min(self.subject.remaining()) {
            let before = self.subject.stats();
            let id = self.next_id;
            self.next_id += 1;
            let key = self.subject.insert(id);
            let is_fresh = key.slot() as usize >= before.slots;
            assert_eq!(is_fresh, before.holes == 0, "{key:?} of {before:?}");
            self.born(key, id);
        }
    }

    fn born(&mut self, key: Name, id: u32) {
        assert!(self.issued.insert(key) || !self.of.remembers, "{key:?} was issued twice");
        assert_eq!(self.live.insert(key.slot(), (key, id)), None, "{key:?} is of a live slot");
        assert!(self.detached.iter().all(|kept| kept.slot() != key.slot()), "{key:?} is kept");
        self.slots.push(key.slot());
    }

    fn died(&mut self, slot: u32) -> (Name, u32) {
        let (key, id) = self.live.remove(&slot).expect("a live slot");
        if self.of.remembers && self.dead.len() < 500 {
            self.dead.push(key);
        }
        (key, id)
    }

    /// Takes out any of the live slots.
    fn pick(&mut self) -> Option<u32> {
        let at = self.numbers.below(self.slots.len().max(1));
        (at < self.slots.len()).then(|| self.slots.swap_remove(at))
    }

    fn remove(&mut self, count: usize) {
        for _ in 0..count {
            let Some(slot) = self.pick() else { return };
            let (key, id) = self.died(slot);
            assert_eq!(self.subject.remove(key), Some(self.of.seen(id)), "{key:?}");
        }
    }

    /// Many go at once: those of a stretch, or those that a pattern of 64 slots says.
    fn remove_many(&mut self, how: usize) {
        let (first, length) = (self.numbers.below(SLOTS) as u32, self.numbers.below(3_000) as u32);
        let pattern = self.numbers.next().rotate_left(length) | 1;
        let goes = move |slot: u32| match how % 2 {
            0 => (first..first + length).contains(&slot),
            _ => pattern >> (slot % 64) & 1 == 1,
        };
        if how < 2 {
            self.subject.retain(&mut |key, _| !goes(key.slot()));
        } else {
            let mut take = |key: Name, _| goes(key.slot());
            let gone = self.subject.extract_if(&mut take, usize::MAX);
            assert!(gone.len() <= self.live.len());
        }
        self.went(goes);
    }

    fn went(&mut self, goes: impl Fn(u32) -> bool) {
        let gone: Vec<u32> = self.live.keys().copied().filter(|&slot| goes(slot)).collect();
        for slot in gone {
            self.died(slot);
        }
        self.slots.retain(|&slot| !goes(slot));
    }

    fn detach(&mut self, count: usize) {
        for _ in 0..count {
            let Some(slot) = self.pick() else { return };
            let (key, _) = self.live.remove(&slot).expect("a live slot");
            assert!(self.subject.detach(key).is_some(), "{key:?}");
            self.detached.push(key);
        }
    }

    /// Every second detached key gets a value again, the others are given up.
    fn reattach(&mut self) {
        for (turn, key) in core::mem::take(&mut self.detached).into_iter().enumerate() {
            let id = self.next_id;
            self.next_id += 1;
            if turn % 2 == 0 {
                assert!(self.subject.reattach(key, id).is_ok(), "{key:?}");
                self.live.insert(key.slot(), (key, id));
                self.slots.push(key.slot());
            } else {
                assert!(self.subject.release(key), "{key:?}");
            }
        }
    }

    fn clear(&mut self, drained: bool) {
        if drained {
            assert_eq!(self.subject.drain().count(), self.live.len());
        } else {
            self.subject.clear();
            self.detached.clear();
        }
        self.went(|_| true);
    }

    fn compact(&mut self) {
        let mut moves = Vec::new();
        if !self.subject.compact(&mut |old, new| moves.push((old, new))) {
            return self.subject.shrink_to_fit();
        }
        for (old, new) in moves {
            let (key, id) = self.died(old.slot());
            assert_eq!(key, old);
            self.slots.retain(|&slot| slot != old.slot());
            self.born(new, id);
        }
    }

    fn step(&mut self) {
        let most = [4, 40, 400, 4_000][self.numbers.below(4)];
        let count = 1 + self.numbers.below(most);
        match self.numbers.below(16) {
            0..4 => self.insert(count),
            4..8 => self.remove(count),
            8 => (0..count).for_each(|_| {
                self.remove(1);
                self.insert(1);
            }),
            how @ 9..12 => self.remove_many(how - 9),
            12 => self.detach(count.min(50)),
            13 => self.reattach(),
            14 => self.subject = self.subject.copied(),
            _ => match self.numbers.below(4) {
                0 => self.clear(false),
                1 => self.clear(true),
                2 => self.compact(),
                _ => self.subject.shrink_to_fit(),
            },
        }
    }

    fn check(&self) {
        self.subject.validate();
        assert_eq!(self.subject.len(), self.live.len());
        assert_eq!(self.subject.stats().detached, self.detached.len());
        let mut walked: Vec<_> = self.subject.iter().collect();
        walked.sort_unstable();
        let expected = self.live.values().map(|&(key, id)| (key, self.of.seen(id)));
        assert!(walked.into_iter().eq(expected));
        for &key in self.dead.iter().chain(&self.detached) {
            assert!(!self.subject.contains_key(key), "{key:?}");
        }
        if !self.of.is_dense {
            let key = |pair: Option<&(Name, u32)>| pair.map(|&(key, _)| key);
            assert_eq!(self.subject.keys().next(), key(self.live.values().next()));
            assert_eq!(self.subject.keys().next_back(), key(self.live.values().next_back()));
        }
    }
}

fn histories(of: Type) {
    let in_orders = ORDERS.iter().map(|&reuse| Config::new(reuse, None));
    let fixed = SLOTS + 3_000;
    let elsewhere = [Memory::Heap, Memory::Lent, Memory::Reserved]
        .map(|memory| Config::within(memory, Reuse::Packed, fixed));
    let (seeds, steps) = (amount(2, 1, 1) as u64, scaled(40, 8));
    for config in in_orders.chain(elsewhere) {
        if of.is_paged && config.memory == Memory::Reserved {
            continue;
        }
        for seed in 0..seeds {
            let mut large = Large::new(of, config, seed * 0x9E37_79B9 + 1);
            large.check();
            for _ in 0..steps {
                large.step();
                large.check();
            }
        }
    }
}

macro_rules! test {
    (large $name:ident: $subject:ty) => {
        #[test]
        fn $name() {
            histories(Type::of::<$subject>());
        }
    };
    ($($other:tt)*) => {};
}

larder_testing::subjects!(test);
