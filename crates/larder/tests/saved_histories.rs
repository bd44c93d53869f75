//! Random lives, saved and loaded at any moment: what is loaded goes on as the saved one does, key by key.
#![cfg(feature = "serde")]

use core::fmt::Debug;
use std::io::Cursor;

use erased_serde::{Deserializer, Serialize as DynSerialize};
use larder::snapshot::{Load, Save, Saver, Snapshot};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, Key, PagedArena, Reuse, SoaArena,
    key::{BareHandle, Serial},
};
use larder_testing::common::{SplitMix, thorough};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A step of a history. Numbers are taken modulo the number of keys that were handed out, or of kinds of values.
#[derive(Clone, Copy, Debug)]
enum Step {
    Insert,
    InsertMany(usize),
    Remove(usize),
    /// Removes one of the live values, at whatever age.
    RemoveLive(usize),
    Retain(usize),
    Extract(usize),
    Clear,
    Compact,
    ShrinkToFit,
    Detach(usize),
    Reattach(usize),
    Release(usize),
    Clone,
}

impl Step {
    fn any(random: &mut SplitMix) -> Self {
        let number = random.below(1 << 20);
        match random.below(40) {
            0..12 => Step::Insert,
            12..14 => Step::InsertMany(number % 150),
            14..18 => Step::Remove(number),
            18..24 => Step::RemoveLive(number),
            24 => Step::Retain(number),
            25 => Step::Extract(number),
            26 if number % 8 == 0 => Step::Clear,
            26..29 => Step::Compact,
            29 => Step::ShrinkToFit,
            30..33 => Step::Detach(number),
            33 => Step::Reattach(number),
            34 | 35 => Step::Release(number),
            36 => Step::Clone,
            _ => Step::RemoveLive(number),
        }
    }
}

/// The containers that are saved whole.
trait Saved: Clone + Debug + Serialize + DeserializeOwned + Save + Load {
    type Key: Key;

    fn make(reuse: Reuse) -> Self;
    /// The keys that are handed out, or that are moved.
    fn apply(&mut self, step: Step, key: Self::Key) -> Vec<Self::Key>;
    fn has(&self, key: Self::Key) -> bool;
    fn walk(&self) -> Vec<(Self::Key, u32)>;
    fn validate(&self);
    /// Returns the numbers of slots without a value: detached, retired, and those in use.
    fn account(&self) -> [usize; 4];
}

/// Saves a container in one of three ways, and loads it. (A format meets each type as `dyn`, for which it is compiled once.)
fn through<C: Saved>(container: &C, way: usize) -> C {
    let saved: &dyn DynSerialize = container;
    match way % 3 {
        0 => {
            let bytes = postcard::to_allocvec(saved).unwrap();
            let from = &mut postcard::Deserializer::from_bytes(&bytes);
            erased_serde::deserialize(&mut <dyn Deserializer<'_>>::erase(from)).unwrap()
        }
        1 => {
            let text = serde_json::to_string(saved).unwrap();
            let from = &mut serde_json::Deserializer::from_str(&text);
            erased_serde::deserialize(&mut <dyn Deserializer<'_>>::erase(from)).unwrap()
        }
        _ => {
            let file = snapshot_of(container);
            let loaded = Snapshot::from_reader(Cursor::new(&file[..])).unwrap().load("it").unwrap();
            assert!(snapshot_of(&loaded) == file, "it is saved again as the same bytes");
            loaded
        }
    }
}

fn snapshot_of(container: &dyn Save) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    Saver::new().section("it", container).write_to(&mut file).unwrap();
    file.into_inner()
}

/// The next value of a container: one that tells of its history.
fn value(len: usize) -> u32 {
    len as u32 * 7 + 1
}

macro_rules! saved {
    ($container:ident, $compact:expr) => {
        impl<K: Key> Saved for $container<u32, K> {
            type Key = K;

            fn make(reuse: Reuse) -> Self {
                $container::builder_with_key().reuse(reuse).build()
            }

            fn apply(&mut self, step: Step, key: K) -> Vec<K> {
                let from = value(self.len());
                match step {
                    Step::Insert => return vec![self.insert(from)],
                    Step::InsertMany(count) => {
                        return self.insert_many(from..from + count as u32).collect();
                    }
                    Step::Remove(_) => drop(self.remove(key)),
                    Step::RemoveLive(number) => {
                        let key = self.keys().nth(number % self.len().max(1));
                        _ = key.and_then(|key| self.remove(key));
                    }
                    Step::Retain(number) => {
                        self.retain(|_, value| *value as usize % 5 != number % 5);
                    }
                    Step::Extract(number) => {
                        let chosen = |_, value: &mut u32| *value as usize % 3 == number % 3;
                        return self
                            .extract_if(chosen)
                            .take(number % 9)
                            .map(|(key, _)| key)
                            .collect();
                    }
                    Step::Clear => self.clear(),
                    Step::Compact => return $compact(self),
                    Step::ShrinkToFit => self.shrink_to_fit(),
                    Step::Detach(_) => drop(self.detach(key)),
                    Step::Reattach(_) => drop(self.reattach(key, from)),
                    Step::Release(_) => _ = self.discard_detached(key),
                    Step::Clone => *self = self.clone(),
                }
                vec![]
            }

            fn has(&self, key: K) -> bool {
                self.contains_key(key)
            }

            fn walk(&self) -> Vec<(K, u32)> {
                self.iter().map(|(key, value)| (key, *value)).collect()
            }

            fn validate(&self) {
                $container::validate(self);
            }

            fn account(&self) -> [usize; 4] {
                let stats = self.stats();
                [stats.live, stats.detached, stats.retired, stats.slots]
            }
        }
    };
}

/// Compacts a container; the keys of before and after, of all that were moved.
macro_rules! moves {
    () => {
        |arena: &mut Self| {
            let mut moved = vec![];
            arena.compact(|old, new, _| moved.extend([old, new]));
            moved
        }
    };
}

saved!(Arena, moves!());
saved!(PagedArena, moves!());
saved!(SoaArena, moves!());
saved!(DenseArena, |_: &mut Self| vec![]);
saved!(DenseSoaArena, |_: &mut Self| vec![]);

/// A container, and every key that it handed out.
#[derive(Clone)]
struct Life<C: Saved> {
    container: C,
    issued: Vec<C::Key>,
}

impl<C: Saved> Life<C> {
    fn step(&mut self, step: Step) -> Vec<C::Key> {
        let key = match step {
            Step::Remove(number)
            | Step::Detach(number)
            | Step::Reattach(number)
            | Step::Release(number) => {
                // The key is one of the latest, most of which are live.
                let late = self.issued.len().min(60);
                let at = self.issued.len() - late + number % late.max(1);
                self.issued.get(at).copied().unwrap_or(C::Key::DANGLING)
            }
            _ => C::Key::DANGLING,
        };
        let keys = self.container.apply(step, key);
        self.issued.extend(&keys);
        keys
    }
}

/// Goes on with both in the same way, and compares all that can be seen.
fn go_on<C: Saved>(saved: &Life<C>, loaded: C, mut random: SplitMix, told: &str) {
    let (mut saved, issued) = (saved.clone(), saved.issued.clone());
    let mut loaded = Life { container: loaded, issued };
    let mut done = vec![];
    for _ in 0..12 {
        let step = Step::any(&mut random);
        done.push(step);
        assert_eq!(loaded.step(step), saved.step(step), "{told}: keys, after {done:?}");
    }
    loaded.container.validate();
    let same = loaded.container.walk() == saved.container.walk();
    assert!(same, "{told}: walks differ after {done:?}");
    assert_eq!(loaded.container.account(), saved.container.account(), "{told}, after {done:?}");
    // The next keys show what is left of the order.
    for _ in 0..20 {
        let keys = [loaded.step(Step::Insert), saved.step(Step::Insert)];
        assert_eq!(keys[0], keys[1], "{told}: keys in the end, after {done:?}");
    }
}

/// Returns whether a step is one of those that this search is about.
type Allowed = fn(&Step) -> bool;

fn search<C: Saved>(seeds: usize, allowed: Allowed) {
    let seeds = 0..thorough(seeds, 1) as u64;
    // The packed order has the book's own memory of slots, so it comes twice.
    let orders = [Reuse::Packed, Reuse::Lifo, Reuse::Packed, Reuse::Fifo];
    for (seed, reuse) in seeds.zip(orders.into_iter().cycle()) {
        let mut random = SplitMix::new(seed);
        let mut life = Life { container: C::make(reuse), issued: vec![] };
        // Words that are full, and some of them not quite.
        life.step(Step::InsertMany(random.below(500)));
        (0..random.below(6)).for_each(|_| _ = life.step(Step::RemoveLive(random.below(500))));
        for cut in 0..if cfg!(miri) { 2 } else { 12 } {
            let mut steps = vec![];
            for _ in 0..random.below(14) {
                let step = Step::any(&mut random);
                if allowed(&step) {
                    steps.push(step);
                    life.step(step);
                }
            }
            let told = format!("seed {seed}, {reuse:?}, cut {cut}, saved after {steps:?}");
            let loaded = through(&life.container, cut);
            loaded.validate();
            assert!(loaded.walk() == life.container.walk(), "{told}: the same values");
            assert_eq!(loaded.account(), life.container.account(), "{told}");
            let same = |&key: &C::Key| loaded.has(key) == life.container.has(key);
            assert!(life.issued.iter().all(same), "{told}: the same keys");
            go_on(&life, loaded, random.clone(), &told);
        }
    }
}

macro_rules! histories {
    ($($name:ident: $container:ident<$key:ty>, $plain:literal, $compacted:literal;)*) => {$(
        #[test]
        fn $name() {
            search::<$container<u32, $key>>($plain, |step| !matches!(step, Step::Compact));
            search::<$container<u32, $key>>($compacted, |_| true);
        }
    )*};
}

histories! {
    arena_handle: Arena<Handle<u32>>, 60, 300;
    arena_handle32: Arena<Handle32<u32>>, 30, 100;
    arena_of_few_lives: Arena<Handle32<u32, 29>>, 60, 60;
    arena_serial: Arena<Serial<u32>>, 30, 100;
    arena_slot: Arena<BareHandle<u32>>, 30, 30;
    paged_handle: PagedArena<Handle<u32>>, 30, 100;
    dense_handle: DenseArena<Handle<u32>>, 60, 30;
    dense_slot: DenseArena<BareHandle<u32>>, 30, 0;
    dense_serial: DenseArena<Serial<u32>>, 30, 0;
    columns_handle: SoaArena<Handle<u32>>, 60, 60;
    columns_of_few_lives: SoaArena<Handle32<u32, 29>>, 30, 30;
    packed_columns_handle: DenseSoaArena<Handle<u32>>, 30, 30;
}
