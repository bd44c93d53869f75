//! Keys that were undone, whatever comes after: rollbacks, other undos, redos, and side data of the same keys.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use larder::key::{BareHandle, Serial};
use larder::maps::SparseSecondaryMap;
use larder::parts;
use larder::snapshot::{Load, Save, Saver, Snapshot};
use larder::track::{Checkpoint, Insert, Reversible, Revert, SpentKeys, Tracked};
use larder::trees::KeyList;
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, InlineArena, Key, PagedArena, Pool, Reuse,
    SecondaryMap, SoaArena,
};
use larder_testing::common::{REUSE_ORDERS, scaled, thorough};

use crate::going_back::{Dice, Plain, Ship, Small};

/// A step behind a checkpoint: what there was then, and the keys that were issued since.
struct Step<K> {
    checkpoint: [Checkpoint; 4],
    then: BTreeMap<K, Ship>,
    issued: Vec<K>,
}

/// A container with side data, and what is known of them.
struct Trial<A: Plain> {
    tracked: Tracked<A>,
    ages: Tracked<SecondaryMap<A::Key, u64>>,
    names: Tracked<SparseSecondaryMap<A::Key, u64>>,
    list: KeyList<A::Key>,
    now: BTreeMap<A::Key, Ship>,
    steps: Vec<Step<A::Key>>,
    undone: Vec<Step<A::Key>>,
    /// Keys that were undone.
    dead: BTreeSet<A::Key>,
}

impl<A: Plain> Trial<A> {
    fn new(reuse: Reuse) -> Self {
        Self {
            tracked: Tracked::new(A::make(reuse)),
            ages: Tracked::new(SecondaryMap::new()),
            names: Tracked::new(SparseSecondaryMap::new()),
            list: KeyList::new(),
            now: BTreeMap::new(),
            steps: Vec::new(),
            undone: Vec::new(),
            dead: BTreeSet::new(),
        }
    }

    fn insert(&mut self, number: u64) {
        let Ok(key) = self.tracked.try_insert(Ship::new(number)) else { return };
        assert!(!self.dead.contains(&key), "{key:?} was undone, and is issued again");
        self.undone.clear();
        assert_eq!(self.now.insert(key, Ship::new(number)), None);
        assert_eq!((self.ages.insert(key, number), self.names.insert(key, number)), (None, None));
        self.list.push_back(&self.tracked, key).expect("it is in no list");
        if let Some(step) = self.steps.last_mut() {
            step.issued.push(key);
        }
    }

    fn remove(&mut self, key: A::Key) {
        self.undone.clear();
        self.list.remove(key);
        assert!(self.ages.remove(key).is_some() && self.names.remove(key).is_some());
        assert_eq!(self.tracked.remove(key), self.now.remove(&key));
    }

    fn detach_and_reattach(&mut self, key: A::Key) {
        self.undone.clear();
        let ship = self.tracked.detach(key).expect("it is there");
        assert!(self.tracked.reattach(key, ship).is_ok());
        // (So that the others have nothing to redo, either.)
        *self.ages.get_mut(key).expect("it has one") += 1;
        *self.names.get_mut(key).expect("it has one") += 1;
        self.list.remove(key);
        self.list.push_back(&self.tracked, key).expect("it is in no list");
    }

    fn checkpoint(&mut self) {
        let Self { tracked, ages, names, list, .. } = self;
        let checkpoint =
            [tracked.checkpoint(), ages.checkpoint(), names.checkpoint(), list.checkpoint()];
        self.undone.clear();
        self.steps.push(Step { checkpoint, then: self.now.clone(), issued: Vec::new() });
    }

    fn rollback(&mut self, to: usize) {
        let [a, b, c, d] = self.steps[to].checkpoint;
        self.tracked.rollback(a).expect("it is held");
        self.ages.rollback(b).expect("it is held");
        self.names.rollback(c).expect("it is held");
        self.list.rollback(d).expect("it is held");
        self.steps.truncate(to + 1);
        self.steps[to].issued.clear();
        self.now = self.steps[to].then.clone();
        self.undone.clear();
    }

    fn undo(&mut self) {
        let is_done = !self.steps.is_empty();
        assert_eq!((self.tracked.undo(), self.ages.undo()), (Ok(is_done), Ok(is_done)));
        assert_eq!((self.names.undo(), self.list.undo()), (Ok(is_done), Ok(is_done)));
        if let Some(mut step) = self.steps.pop() {
            self.dead.extend(&step.issued);
            step.then = core::mem::replace(&mut self.now, step.then);
            self.undone.push(step);
        }
    }

    fn redo(&mut self) {
        let is_done = !self.undone.is_empty();
        assert_eq!((self.tracked.redo(), self.ages.redo()), (Ok(is_done), Ok(is_done)));
        assert_eq!((self.names.redo(), self.list.redo()), (Ok(is_done), Ok(is_done)));
        if let Some(mut step) = self.undone.pop() {
            step.issued.iter().for_each(|key| assert!(self.dead.remove(key)));
            step.then = core::mem::replace(&mut self.now, step.then);
            self.steps.push(step);
        }
    }

    fn check(&mut self) {
        self.tracked.check();
        let entries: BTreeMap<A::Key, Ship> = self.tracked.entries().into_iter().collect();
        assert_eq!(entries, self.now);
        assert!(self.ages.len() == entries.len() && self.names.len() == entries.len());
        assert!(entries.keys().all(|&key| self.list.contains(key) && self.ages.contains_key(key)));
        for &key in &self.dead {
            assert!(!self.tracked.has(key), "{key:?} was undone");
            assert!(!self.ages.contains_key(key) && !self.names.contains_key(key));
            assert!(!self.list.contains(key));
            assert!(self.tracked.reattach(key, Ship::new(0)).is_err(), "{key:?} waits");
        }
    }
}

fn history<A: Plain>(reuse: Reuse, seed: u64, steps: usize) {
    let mut dice = Dice(seed * 2 + 0x51_7C_C1_B7_27_22_0A_95);
    let mut trial = Trial::<A>::new(reuse);
    for step in 0..steps as u64 {
        let any = |dice: &mut Dice, keys: &BTreeMap<A::Key, Ship>| {
            let count = keys.len();
            keys.keys().nth(dice.below(count.max(1))).copied()
        };
        match (dice.below(20), any(&mut dice, &trial.now)) {
            (0..3, _) => trial.checkpoint(),
            (3..5, _) => trial.undo(),
            (5, _) => trial.redo(),
            (6, _) if !trial.steps.is_empty() => {
                let back = 1 + dice.below(3).min(trial.steps.len() - 1);
                trial.rollback(trial.steps.len() - back);
            }
            (7..14, _) => trial.insert(step),
            (14..18, Some(key)) => trial.remove(key),
            (18, Some(key)) => trial.detach_and_reattach(key),
            (19, _) if dice.below(30) == 0 => {
                trial.tracked.forget_all();
                trial.ages.forget_all();
                trial.names.forget_all();
                trial.list.forget_all();
                trial.steps.clear();
                trial.undone.clear();
            }
            _ => {}
        }
        trial.check();
    }
}

fn histories<A: Plain>() {
    for (number, reuse) in REUSE_ORDERS.into_iter().enumerate() {
        for seed in 1..=thorough(12, 1) as u64 {
            history::<A>(reuse, seed * 3 + number as u64, scaled(250, 40));
        }
    }
}

#[test]
fn undone_keys_of_arenas_stay_stale_whatever_follows() {
    histories::<Arena<Ship, Handle<Ship>>>();
    histories::<Arena<Ship, Serial<Ship>>>();
    histories::<Arena<Ship, Small>>();
}

#[test]
fn undone_keys_of_arenas_in_blocks_and_inside_stay_stale_whatever_follows() {
    histories::<PagedArena<Ship, Small>>();
    histories::<InlineArena<Ship, 30, Small>>();
}

#[test]
fn undone_keys_of_packed_values_stay_stale_whatever_follows() {
    histories::<DenseArena<Ship>>();
    histories::<DenseArena<Ship, Serial<Ship>>>();
    histories::<DenseSoaArena<Ship, Small>>();
}

#[test]
fn undone_keys_of_columns_and_pools_stay_stale_whatever_follows() {
    histories::<SoaArena<Ship, Small>>();
    histories::<Pool<Ship, Small>>();
}

/// A step between two checkpoints is undone, and the earlier one gone back to: in slots used before, and in new ones.
fn is_not_issued_again<A: Insert<Value = Ship> + Revert>(container: A, used_before: usize) {
    let mut tracked = Tracked::new(container);
    for _ in 0..used_before {
        let key = tracked.insert(Ship::new(1));
        assert!(tracked.remove(key).is_some());
    }
    let first = tracked.checkpoint();
    tracked.checkpoint();
    let undone = [2, 3].map(|number| tracked.insert(Ship::new(number)));
    assert_eq!(tracked.undo(), Ok(true));
    for _ in 0..3 {
        tracked.rollback(first).expect("it is held");
        let keys = [4, 5, 6].map(|number| tracked.insert(Ship::new(number)));
        assert!(!keys.iter().any(|key| undone.contains(key)), "{keys:?}, {undone:?}");
        let slots = |keys: &[A::Key]| keys.iter().map(|key| Key::slot(*key)).max();
        assert!(slots(&keys) <= slots(&undone).map(|slot| slot + 1), "slots are used again");
    }
}

#[test]
fn undone_keys_are_not_issued_again_behind_an_earlier_checkpoint() {
    for used_before in [0, 1, 5] {
        is_not_issued_again(Arena::new(), used_before);
        is_not_issued_again(Arena::<_, Serial<Ship>>::with_key(), used_before);
        is_not_issued_again(Arena::builder().reuse(Reuse::Fifo).build(), used_before);
        is_not_issued_again(Arena::builder().reuse(Reuse::Lifo).build(), used_before);
        is_not_issued_again(PagedArena::<_, Small>::with_key(), used_before);
        is_not_issued_again(InlineArena::<_, 30, Small>::with_key(), used_before);
        is_not_issued_again(DenseArena::new(), used_before);
        is_not_issued_again(DenseArena::<_, Serial<Ship>>::with_key(), used_before);
        is_not_issued_again(SoaArena::<_, Small>::with_key(), used_before);
        is_not_issued_again(DenseSoaArena::<_, Small>::with_key(), used_before);
        is_not_issued_again(Pool::<_, Small>::with_key(|| Ship::new(0)), used_before);
    }
}

/// Without an undo, and with keys that cannot be told apart, the same calls return the same keys all the same.
#[test]
fn rollbacks_alone_issue_the_same_keys() {
    let mut tracked = Tracked::new(Arena::<u32, Serial<u32>>::with_key());
    let first = tracked.checkpoint();
    let key = tracked.insert(1);
    tracked.checkpoint();
    tracked.insert(2);
    tracked.rollback(first).expect("it is held");
    assert_eq!(tracked.insert(3), key);
    let mut tracked = Tracked::new(Arena::<u32, BareHandle<u32>>::with_key());
    let first = tracked.checkpoint();
    tracked.checkpoint();
    let key = tracked.insert(1);
    assert_eq!(tracked.undo(), Ok(true));
    tracked.rollback(first).expect("it is held");
    assert_eq!(tracked.insert(2), key);
}

/// A table that is loaded with its spent keys issues none that was undone before it was saved; the container alone does.
fn undone_keys_stay_stale_in_a_file<A>(new: impl Fn() -> A)
where
    A: Insert<Value = u32> + Revert + Clone + Save + Load,
{
    let mut table = Tracked::new(new());
    let first: Vec<_> = (0..5).map(|value| table.insert(value)).collect();
    let mut dead = BTreeSet::new();
    for round in 0..3 {
        table.checkpoint();
        first[..3].iter().for_each(|&key| assert!(table.remove(key).is_some()));
        dead.extend((0..4).map(|value| table.insert(round + value)));
        assert!(table.undo().expect("it is its own"));
    }
    let mut file = Cursor::new(Vec::new());
    let spent = table.spent_keys().expect("there is memory");
    Saver::new().section("table", &*table).section("spent", &spent).write_to(&mut file).unwrap();
    let mut file = Snapshot::from_reader(file).unwrap();
    let issued_again = |mut table: Tracked<A>| {
        first[..3].iter().for_each(|&key| assert!(table.remove(key).is_some()));
        (0..20).map(|value| table.insert(value)).filter(|key| dead.contains(key)).count()
    };
    let alone = Tracked::new(file.load::<A>("table").unwrap());
    let mut whole = Tracked::new(file.load::<A>("table").unwrap());
    let loaded: SpentKeys<A::Key> = file.load("spent").unwrap();
    assert_eq!(loaded, spent);
    whole.spend(&loaded).expect("there is memory");
    assert_eq!(whole.spent_keys().unwrap(), spent, "it can be saved again");
    assert_eq!(issued_again(whole), 0);
    assert_eq!(issued_again(alone) > 0, spent.count() > 0);
}

#[test]
fn keys_that_were_undone_before_a_save_are_not_issued_after_it() {
    for reuse in REUSE_ORDERS {
        undone_keys_stay_stale_in_a_file(|| Arena::<u32>::builder().reuse(reuse).build());
        undone_keys_stay_stale_in_a_file(|| DenseArena::<u32>::builder().reuse(reuse).build());
        undone_keys_stay_stale_in_a_file(|| PagedArena::<u32>::builder().reuse(reuse).build());
        undone_keys_stay_stale_in_a_file(|| {
            Arena::<u32, Serial<u32>>::builder_with_key().reuse(reuse).build()
        });
        // (After four keys a slot is retired: one that has had them all is not used after its object.)
        undone_keys_stay_stale_in_a_file(|| {
            Arena::<u32, Handle32<u32, 29>>::builder_with_key().reuse(reuse).build()
        });
    }
}

/// What a file says of spent keys is checked: a generation that no free slot has, and keys of nothing.
#[test]
fn forged_spent_keys_are_refused_or_ignored() {
    let key = |bits: u64| Handle::<u32>::from_bits(bits).unwrap();
    let load = |key: Handle<u32>, next: u64| {
        let text = format!("[[{},{next}]]", serde_json::to_string(&key).unwrap());
        parts::deserialize::<SpentKeys<Handle<u32>>, _>(&mut serde_json::Deserializer::from_str(
            &text,
        ))
    };
    let mut table = Tracked::new(Arena::from_iter([7_u32]));
    let there = table.keys().next().unwrap();
    assert!(load(there, 3).unwrap_err().to_string().contains("cannot be free in generation 3"));
    for (key, next) in [(key(9 << 32), 20), (key(1 << 32 | 400), 20), (there, 0)] {
        table.spend(&load(key, next).unwrap()).unwrap();
    }
    table.remove(there);
    assert_eq!(table.insert(8).to_bits(), 3 << 32);
    let there = table.keys().next().unwrap();
    table.spend(&load(there, 40).unwrap()).unwrap();
    table.remove(there);
    assert_eq!(table.insert(8).to_bits(), 41 << 32);
    let there = table.keys().next().unwrap();
    table.spend(&load(there, u64::MAX).unwrap()).unwrap();
    table.remove(there);
    assert_eq!((table.insert(8).slot(), table.stats().retired), (1, 1));
}

/// Slots whose generations have no end are never taken out of service, whatever a file says: nothing counts them as such.
#[test]
fn no_file_retires_a_slot_without_a_last_generation() {
    fn refused<K: Key + serde::Serialize + serde::de::DeserializeOwned>() {
        let key = Arena::<u32, K>::with_key().insert(7);
        let text = format!("[[{},{}]]", serde_json::to_string(&key).unwrap(), u64::MAX);
        let keys: Result<SpentKeys<K>, _> =
            parts::deserialize(&mut serde_json::Deserializer::from_str(&text));
        assert!(keys.unwrap_err().to_string().contains("cannot be free"));
    }
    refused::<BareHandle<u32>>();
    refused::<Serial<u32>>();
}

#[test]
fn a_clone_of_a_table_keeps_undone_keys_stale() {
    let mut table = Tracked::new(Arena::new());
    let wren = table.insert(1_u32);
    table.checkpoint();
    table.remove(wren);
    let undone = table.insert(2);
    assert!(table.undo().unwrap());
    let mut clone = table.clone();
    clone.remove(wren);
    assert_ne!(clone.insert(3), undone);
    assert_eq!(clone.get(undone), None);
}
