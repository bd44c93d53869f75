//! Pools of lists go back to checkpoints: random histories against a model.

use core::fmt::Debug;
use std::collections::{BTreeMap, BTreeSet};

use larder::pools::ListPool;
use larder::pools::list_pool::ListHandle;
use larder::track::{Checkpoint, Reversible, TrackError};
use larder_testing::common::{scaled, thorough};

use crate::going_back::Dice;

/// A value in the lists of a history.
pub(crate) trait Value: Clone + Debug + PartialEq {
    fn new(number: usize) -> Self;

    fn extend(lists: &mut ListPool<Self>, list: &mut ListHandle<Self>, values: &[Self]) {
        lists.extend(list, values.iter().cloned());
    }
}

impl Value for String {
    fn new(number: usize) -> Self {
        format!("value {number}")
    }
}

impl Value for u16 {
    fn new(number: usize) -> Self {
        number as Self
    }

    fn extend(lists: &mut ListPool<Self>, list: &mut ListHandle<Self>, values: &[Self]) {
        lists.extend_from_slice(list, values);
    }
}

impl Value for () {
    fn new(_: usize) {}

    fn extend(lists: &mut ListPool<Self>, list: &mut ListHandle<Self>, values: &[Self]) {
        lists.extend_from_slice(list, values);
    }
}

type Model<T> = BTreeMap<ListHandle<T>, Vec<T>>;

#[derive(Clone)]
struct World<T> {
    lists: ListPool<T>,
    model: Model<T>,
    /// The lists that were made, in this order.
    made: Vec<ListHandle<T>>,
}

impl<T: Value> World<T> {
    fn new() -> Self {
        Self { lists: ListPool::new(), model: Model::new(), made: Vec::new() }
    }

    fn check(&self) {
        self.lists.validate();
        assert_eq!(self.lists.len(), self.model.len());
        for (list, values) in self.lists.iter() {
            assert_eq!(self.model.get(&list).map(Vec::as_slice), Some(values), "{list}");
        }
    }

    fn make(&mut self, values: Vec<T>, make: impl FnOnce(&mut ListPool<T>) -> ListHandle<T>) {
        let list = make(&mut self.lists);
        if !values.is_empty() {
            assert_eq!(self.model.insert(list, values), None, "{list} was there");
            self.made.push(list);
        }
    }

    fn any(&self, dice: &mut Dice) -> Option<ListHandle<T>> {
        let at = dice.below(self.model.len().max(1));
        self.model.keys().nth(at).copied()
    }

    /// Edits one list.
    fn edit(&mut self, dice: &mut Dice) {
        let Some(mut list) = self.any(dice) else { return };
        let (lists, values) = (&mut self.lists, self.model.get_mut(&list).unwrap());
        let (new, len) = (T::new(dice.below(1_000)), values.len());
        let (at, more) = (dice.below(len + 1), vec![new.clone(); dice.below(9)]);
        match dice.below(14) {
            0 | 1 => (lists.push(&mut list, new.clone()), values.push(new)).0,
            2 => assert_eq!(lists.pop(list), values.pop()),
            3 => (lists.insert(&mut list, at, new.clone()), values.insert(at, new)).0,
            4 if at < len => assert_eq!(lists.remove(list, at), values.remove(at)),
            5 if at < len => assert_eq!(lists.swap_remove(list, at), values.swap_remove(at)),
            6 => (lists.truncate(list, at), values.truncate(at)).0,
            7 => (lists.clear(list), values.clear()).0,
            8 => (lists.extend(&mut list, more.clone()), values.extend(more)).0,
            9 => (T::extend(lists, &mut list, &more), values.extend(more)).0,
            10 => {
                lists.extend_from_list(&mut { list }, list, at..);
                values.extend_from_within(at..);
            }
            11 => {
                lists.splice(&mut list, at.., more.clone());
                values.splice(at.., more);
            }
            12 if at < len => (lists[list][at], values[at]) = (new.clone(), new),
            13 if at < len => {
                lists.get_mut(list).unwrap()[at] = new.clone();
                values[at] = new;
            }
            _ => lists.reserve(&mut list, at),
        }
    }

    /// Does something. `whole` is whether that may be what puts slots in order where there is no past.
    fn act(&mut self, dice: &mut Dice, whole: bool) {
        let values = vec![T::new(dice.below(1_000)); dice.below(9)];
        match dice.below(if whole { 66 } else { 64 }) {
            0..12 => self.make(values.clone(), |lists| lists.make(values)),
            12..16 => self.make(values.clone(), |lists| {
                let mut list = ListHandle::EMPTY;
                T::extend(lists, &mut list, &values);
                list
            }),
            16..18 => {
                if let Some(list) = self.any(dice) {
                    self.make(self.model[&list].clone(), |lists| lists.clone_list(list));
                }
            }
            18..28 => {
                if let Some(list) = self.any(dice) {
                    self.lists.free(list);
                    self.model.remove(&list);
                }
            }
            28 => {
                if let Some(mut list) = self.any(dice) {
                    let before = list;
                    if self.lists.free_if_empty(&mut list) {
                        assert_eq!(self.model.remove(&before), Some(Vec::new()));
                    }
                }
            }
            29 => {
                let odd = |values: &[T]| values.len() % 4 == 3;
                let change = |values: &mut [T]| {
                    values.reverse();
                    !odd(values)
                };
                self.lists.retain(|_, values| change(values));
                self.model.retain(|_, values| change(values));
            }
            64 => self.lists.compact(),
            65 => {
                self.lists.free_all();
                self.model.clear();
            }
            _ => self.edit(dice),
        }
    }

    /// A number of acts that the dice choose.
    fn acts(&mut self, dice: &mut Dice, whole: bool) {
        (0..dice.below(12)).for_each(|_| self.act(dice, whole));
        self.check();
    }
}

/// Going back, doing the same again: that makes the same lists, as if nothing had been recorded either.
fn the_same_again<T: Value>() {
    for seed in 1..thorough(120, 4) as u64 {
        let (mut world, dice) = (World::<T>::new(), &mut Dice(seed * 0x9E37_79B9));
        // (So that a clone has the number of the pool.)
        world.make(vec![T::new(1)], |lists| lists.make([T::new(1)]));
        for _ in 0..scaled(20, 6) {
            world.acts(dice, true);
            let (then, mut plain) = (world.lists.checkpoint(), world.clone());
            let whole = dice.below(2) == 0;
            let seed = dice.below(1 << 30) as u64 + 1;
            let again = |world: &mut World<T>| {
                let dice = &mut Dice(seed);
                (0..3).for_each(|_| world.acts(dice, whole));
            };
            let (model, made) = (world.model.clone(), world.made.len());
            again(&mut world);
            let first = (world.model.clone(), world.made.split_off(made));
            world.lists.rollback(then).unwrap();
            world.model = model;
            world.check();
            again(&mut world);
            assert_eq!(world.model, first.0);
            assert_eq!(world.made[made..], first.1, "from {seed}");
            if !whole {
                again(&mut plain);
                assert_eq!(plain.made, world.made);
            }
            match dice.below(4) {
                0 => world.lists.forget_all(),
                1 => world.lists.forget(then).unwrap(),
                _ => {}
            }
        }
    }
}

#[test]
fn after_going_back_the_same_calls_make_the_same_lists() {
    the_same_again::<String>();
    the_same_again::<u16>();
    the_same_again::<()>();
}

/// A checkpoint, the model then, and how much was made by then.
type Step<T> = (Checkpoint, Model<T>, usize);

/// A step that was undone: the model before, and the lists that were made.
type Undone<T> = (Step<T>, Model<T>, Vec<ListHandle<T>>);

/// A history in which all ways are gone.
struct Timeline<T> {
    world: World<T>,
    steps: Vec<Step<T>>,
    undone: Vec<Undone<T>>,
    /// Lists that were undone for good.
    dead: BTreeSet<ListHandle<T>>,
}

impl<T: Value> Timeline<T> {
    fn new() -> Self {
        let (steps, undone) = (Vec::new(), Vec::new());
        Self { world: World::new(), steps, undone, dead: BTreeSet::new() }
    }

    /// Checks that the lists that were undone are still no lists. (A list that is made twice is noticed in
    /// `World::make`, or here.)
    fn check(&self) {
        self.world.check();
        let undone = self.undone.iter().flat_map(|(.., made)| made);
        for list in self.dead.iter().chain(undone) {
            assert!(!self.world.lists.contains(*list), "{list} is there again");
        }
        let mut made: Vec<_> = self.world.made.clone();
        made.sort_unstable();
        assert!(made.windows(2).all(|two| two[0] != two[1]), "a handle was issued twice");
    }

    fn forget_undone(&mut self) {
        self.undone.drain(..).for_each(|(.., made)| self.dead.extend(made));
    }

    fn act(&mut self, dice: &mut Dice) {
        self.forget_undone();
        // (So that something was done, and nothing can be redone.)
        let value = T::new(7);
        self.world.make(vec![value.clone()], |lists| lists.make([value]));
        self.world.acts(dice, true);
    }

    fn checkpoint(&mut self) {
        self.forget_undone();
        let World { lists, model, made } = &mut self.world;
        self.steps.push((lists.checkpoint(), model.clone(), made.len()));
    }

    fn undo(&mut self) {
        let step = self.steps.pop();
        assert_eq!(self.world.lists.undo(), Ok(step.is_some()));
        let Some(step) = step else { return };
        let after = core::mem::replace(&mut self.world.model, step.1.clone());
        let made = self.world.made.split_off(step.2);
        self.undone.push((step, after, made));
    }

    fn redo(&mut self) {
        let undone = self.undone.pop();
        assert_eq!(self.world.lists.redo(), Ok(undone.is_some()));
        let Some((step, after, made)) = undone else { return };
        self.steps.push(step);
        self.world.model = after;
        self.world.made.extend(made);
    }

    fn rollback(&mut self, dice: &mut Dice) {
        if self.steps.is_empty() {
            return;
        }
        self.forget_undone();
        let at = dice.below(self.steps.len());
        self.world.lists.rollback(self.steps[at].0).unwrap();
        if let Some((later, ..)) = self.steps.get(at + 1) {
            assert_eq!(self.world.lists.rollback(*later), Err(TrackError::Gone));
        }
        self.steps.truncate(at + 1);
        self.world.model = self.steps[at].1.clone();
        self.world.made.truncate(self.steps[at].2);
    }

    fn forget(&mut self, dice: &mut Dice) {
        if dice.below(3) == 0 {
            self.forget_undone();
            self.steps.clear();
            self.world.lists.forget_all();
        } else if !self.steps.is_empty() {
            let at = dice.below(self.steps.len());
            self.world.lists.forget(self.steps[at].0).unwrap();
            self.steps.drain(..at);
        }
    }

    fn go(&mut self, dice: &mut Dice) {
        match dice.below(32) {
            0..10 => self.act(dice),
            10..16 => self.checkpoint(),
            16..23 => self.undo(),
            23..28 => self.redo(),
            28..31 => self.rollback(dice),
            _ => self.forget(dice),
        }
        self.check();
    }
}

fn all_ways<T: Value>() {
    for seed in 1..thorough(60, 3) as u64 {
        let (mut line, dice) = (Timeline::<T>::new(), &mut Dice(seed * 0xD134_2543));
        (0..scaled(150, 20)).for_each(|_| line.go(dice));
        if seed % 3 == 0 {
            line.forget_undone();
            line.world.lists.forget_all();
            line.world.lists.free_all();
            line.world.model.clear();
        }
        // Whatever follows, with a past or without one, in a clone too: what was undone stays dead.
        let mut clone = line.world.lists.clone();
        for lists in [&mut line.world.lists, &mut clone] {
            for _ in 0..scaled(30, 3) {
                let made: Vec<_> = (0..9).map(|number| lists.make([T::new(number)])).collect();
                let again = made.iter().find(|made| line.dead.contains(made));
                assert_eq!(again, None, "seed {seed}");
                made.into_iter().for_each(|list| lists.free(list));
                lists.validate();
            }
            if seed % 2 == 0 {
                lists.compact();
                let made = lists.make([T::new(1)]);
                assert!(!line.dead.contains(&made));
            }
        }
    }
}

#[test]
fn all_ways_agree_with_a_model() {
    all_ways::<String>();
    all_ways::<u16>();
}

/// An older list comes back by an undo into a slot that has had later ones since.
#[test]
fn what_an_older_list_took_the_place_of_stays_dead() {
    let mut lists = ListPool::new();
    let old = lists.make([1_u32]);
    lists.checkpoint();
    lists.free(old);
    let mut later: Vec<_> = (0..3)
        .map(|number| {
            let list = lists.make([number]);
            lists.free(list);
            list
        })
        .collect();
    later.push(lists.make([4]));
    assert_eq!((lists.undo(), lists.len()), (Ok(true), 1));
    assert_eq!(lists[old], [1]);
    let mut clone = lists.clone();
    lists.forget_all();
    clone.free_all();
    lists.free(old);
    for lists in [&mut lists, &mut clone] {
        let next = lists.make([5]);
        assert!(!later.contains(&next) && next != old, "{next} was there before");
        assert_eq!(next.to_bits() % (1 << 28), old.to_bits() % (1 << 28));
        lists.validate();
    }
}
