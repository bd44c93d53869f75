//! A table under random changes and returns, beside the model of it.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use larder::containers::ValueContainer;
use larder::track::{Checkpoint, Reversible, Subscriber, Table, TrackError};
use larder::trees::Links;

use super::model::{Model, NUMBERS, Read, Seen};
use super::parts::{Beside, PARTS, Part};
use super::things::{Id, Thing, Things};
use crate::allocator::refusing_after;
use crate::caught::{panicking_after, step};
use crate::common::SplitMix;
use crate::nervous::Nervous;

/// The choices that make a history.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The bits of what is beside the objects at first.
    pub parts: u32,
    /// There are checkpoints.
    pub goes_back: bool,
    /// User code panics, and allocations fail.
    pub has_trouble: bool,
}

/// Counts of what has happened in histories, so that a test can tell that it has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub panics: usize,
    pub refused_memory: usize,
    pub refused_values: usize,
    pub rollbacks: usize,
    pub undos: usize,
    pub redos: usize,
    pub lost: usize,
    pub not_shared: usize,
    pub repeated: usize,
}

impl Counts {
    pub const fn add(&mut self, other: &Self) {
        self.panics += other.panics;
        self.refused_memory += other.refused_memory;
        self.refused_values += other.refused_values;
        self.rollbacks += other.rollbacks;
        self.undos += other.undos;
        self.redos += other.redos;
        self.lost += other.lost;
        self.not_shared += other.not_shared;
        self.repeated += other.repeated;
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Trouble {
    Nothing,
    /// Allocation fails once after this many that succeed, or always from then on.
    Memory(usize, bool),
    /// A step of user code panics after this many others.
    Panic(u32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    Done,
    Refused,
    Panicked,
}

/// Runs a call in trouble; returns also whether an allocation failed.
fn run(trouble: Trouble, act: &mut dyn FnMut() -> bool) -> (Outcome, bool) {
    let mut done = None;
    let (has_panicked, is_refused) = match trouble {
        Trouble::Nothing => {
            done = Some(act());
            (false, false)
        }
        Trouble::Memory(after, for_good) => {
            (false, refusing_after(after, for_good, || done = Some(act())).0)
        }
        Trouble::Panic(after) => (panicking_after(after, || done = Some(act())), false),
    };
    match done {
        Some(true) => (Outcome::Done, is_refused),
        Some(false) => (Outcome::Refused, is_refused),
        None => {
            assert!(has_panicked);
            (Outcome::Panicked, is_refused)
        }
    }
}

/// The effect of a call that comes to its end. If it does not, each of several objects is changed everywhere or
/// nowhere.
#[derive(Debug, Default)]
struct Effect {
    gone: Vec<Id>,
    new: Option<u32>,
    back: Option<(Id, u32)>,
    written: BTreeMap<Id, u32>,
    /// An edit of what is beside the objects.
    then: Option<Model>,
}

/// Collects by insertion. (A map that is collected by `collect` is sorted first, by code for each type of iterator.)
fn by_key(all: &mut dyn Iterator<Item = (Id, u32)>) -> BTreeMap<Id, u32> {
    let mut map = BTreeMap::new();
    all.for_each(|(key, number)| _ = map.insert(key, number));
    map
}

impl Effect {
    fn gone(keys: impl IntoIterator<Item = Id>) -> Self {
        Self { gone: keys.into_iter().collect(), ..Self::default() }
    }

    fn written(all: impl IntoIterator<Item = (Id, u32)>) -> Self {
        Self { written: by_key(&mut all.into_iter()), ..Self::default() }
    }
}

struct Held {
    point: Checkpoint,
    model: Model,
    seen: Seen,
    clock: u32,
}

struct Undone {
    held: Held,
    model: Model,
    seen: Seen,
}

/// The calls that were tried since the latest return.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Tried {
    Nothing,
    Something,
    Change,
}

/// A table with its model. Decisions are numbers below a bound.
pub struct History<'d, C: Things> {
    table: Table<C, Beside>,
    model: Model,
    parts: u32,
    settings: Settings,
    decide: Box<dyn FnMut(usize) -> usize + 'd>,
    held: Vec<Held>,
    undone: Vec<Undone>,
    tried: Tried,
    /// Keys that were undone, which are never issued again.
    never: BTreeSet<Id>,
    /// When parts were put in, by the number of those that were.
    filled: [u32; PARTS.len()],
    clock: u32,
    may_be_lost: bool,
    is_repeating: bool,
    subscriber: Subscriber<Id>,
    copy: BTreeMap<Id, u32>,
    may_be_told_less: bool,
    counts: Counts,
    /// The latest call, for messages.
    latest: String,
}

impl<'d, C: Things> History<'d, C> {
    pub fn new(container: C, settings: Settings, decide: impl FnMut(usize) -> usize + 'd) -> Self {
        let mut parts = settings.parts;
        if settings.goes_back {
            parts &= !(Part::PlainSide.bit() | Part::PlainSparseSide.bit());
        }
        let mut table = Table::with(container, Beside::new(parts));
        let subscriber = table.subscribe();
        Self {
            table,
            model: Model::default(),
            parts,
            settings,
            decide: Box::new(decide),
            held: Vec::new(),
            undone: Vec::new(),
            tried: Tried::Nothing,
            never: BTreeSet::new(),
            filled: [0; PARTS.len()],
            clock: 0,
            may_be_lost: false,
            is_repeating: false,
            subscriber,
            copy: BTreeMap::new(),
            may_be_told_less: false,
            counts: Counts::default(),
            latest: String::new(),
        }
    }

    /// Makes this many steps. The table is as the model after each.
    pub fn run(mut self, steps: usize) -> Counts {
        for _ in 0..steps {
            match self.below(24) {
                0 | 1 if self.settings.goes_back => self.checkpoint(),
                2 if self.settings.goes_back => self.rollback(),
                3 if self.settings.goes_back => self.undo(),
                4 if self.settings.goes_back => self.redo(),
                5 if self.settings.goes_back && self.below(3) == 0 => self.keep(),
                6 => self.poll(),
                7 => self.exchange_part(),
                _ => self.change(),
            }
        }
        if self.settings.has_trouble && self.below(3) == 0 {
            return self.panic_on_the_way();
        }
        self.poll();
        self.counts
    }

    fn below(&mut self, end: usize) -> usize {
        (self.decide)(end)
    }

    fn has(&self, part: Part) -> bool {
        self.parts & part.bit() != 0
    }

    fn trouble(&mut self) -> Trouble {
        if !self.settings.has_trouble || self.is_repeating || self.below(3) > 0 {
            return Trouble::Nothing;
        }
        match self.below(3) {
            0 => Trouble::Memory(self.below(5), self.below(2) == 0),
            _ => Trouble::Panic(self.below(12) as u32),
        }
    }

    fn memory_trouble(&mut self) -> Trouble {
        match self.trouble() {
            Trouble::Panic(_) => Trouble::Nothing,
            trouble => trouble,
        }
    }

    fn panic_trouble(&mut self) -> Trouble {
        match self.trouble() {
            Trouble::Memory(..) => Trouble::Nothing,
            trouble => trouble,
        }
    }

    #[track_caller]
    fn check(&self) {
        if let Err(different) = self.difference(&self.model) {
            panic!("{different}, after {}", self.latest);
        }
    }

    fn difference(&self, model: &Model) -> Result<(), String> {
        model.compare(&Read::try_of(&self.table)?, self.table.observers())
    }

    #[track_caller]
    fn is_as(&self, seen: &Seen) {
        if let Some(different) = Seen::of(&self.table).difference(seen) {
            panic!("{different}, after {}", self.latest);
        }
    }

    fn note(&mut self, (outcome, is_refused): (Outcome, bool)) -> Outcome {
        if is_refused {
            self.counts.refused_memory += 1;
            self.may_be_lost = true;
            self.may_be_told_less = true;
        }
        self.counts.panics += usize::from(outcome == Outcome::Panicked);
        outcome
    }

    // Changes.

    /// Checks what a call has done, and does it in the model.
    #[track_caller]
    fn done(&mut self, outcome: Outcome, effect: Effect) {
        self.tried = if self.tried < Tried::Something { Tried::Something } else { self.tried };
        let (is_done, is_untouched) = (outcome == Outcome::Done, outcome == Outcome::Refused);
        let before = self.model.clone();
        if let Some(then) = effect.then {
            if is_done || !is_untouched && self.difference(&self.model).is_err() {
                self.model = then;
            }
            self.check();
            return;
        }
        let now = by_key(
            &mut ValueContainer::keys(&*self.table)
                .map(|key| (key, self.table.number(key).expect("it is live"))),
        );
        for key in effect.gone {
            if now.contains_key(&key) {
                assert!(!is_done, "{key:?} is there, after {}", self.latest);
            } else {
                assert!(!is_untouched, "{key:?} is not there, after {}", self.latest);
                self.model.remove(key);
            }
        }
        for (key, number) in effect.written {
            if now.get(&key) == Some(&number) {
                self.model.objects.insert(key, number);
            } else {
                assert!(!is_done, "{key:?} was not written, after {}", self.latest);
            }
        }
        let more = now.iter().filter(|(key, _)| !before.objects.contains_key(key));
        let more: Vec<(Id, u32)> = more.map(|(&key, &number)| (key, number)).collect();
        match (effect.new, effect.back) {
            (Some(number), _) if !more.is_empty() => {
                let (key, its) = more[0];
                assert!(!is_untouched && more.len() == 1 && its == number);
                assert!(!self.model.issued.contains(&key), "{key:?} is issued again");
                assert!(!self.never.contains(&key), "{key:?} was undone, and is issued again");
                self.model.insert(key, number);
            }
            (_, Some(back)) if !more.is_empty() => {
                assert!(!is_untouched && more == [back]);
                self.model.insert(back.0, back.1);
                self.model.detached.retain(|&key| key != back.0);
            }
            (new, back) => {
                assert!(more.is_empty(), "{more:?} are there, after {}", self.latest);
                assert!(!is_done || new.is_none() && back.is_none(), "after {}", self.latest);
            }
        }
        self.check();
        if self.model.objects != before.objects {
            self.tried = Tried::Change;
        }
    }

    /// Makes a call, in trouble, and checks what it has done. If it is told, exactly values that are accepted go in.
    fn call(
        &mut self,
        trouble: Trouble,
        accepts: Option<bool>,
        effect: Effect,
        act: &mut dyn FnMut(&mut Table<C, Beside>) -> bool,
    ) -> Outcome {
        self.latest.push_str(&format!(", {trouble:?}"));
        let table = &mut self.table;
        let ran = run(trouble, &mut || act(table));
        let outcome = self.note(ran);
        assert!(outcome != Outcome::Done || accepts != Some(false), "after {}", self.latest);
        let may_refuse = accepts != Some(true) || ran.1;
        assert!(outcome != Outcome::Refused || may_refuse, "after {}", self.latest);
        self.done(outcome, effect);
        outcome
    }

    /// Makes one change.
    fn change(&mut self) {
        let keys: Vec<Id> = self.model.objects.keys().copied().collect();
        let number = self.below(NUMBERS as usize) as u32;
        if keys.len() < 3 || keys.len() < 40 && self.below(10) < 3 {
            return self.insert(number);
        }
        let [one, other] = [(); 2].map(|()| keys[self.below(keys.len())]);
        match self.below(48) {
            0..3 => self.remove(one),
            3 | 4 => self.remove_many(one, other, number),
            5..8 => self.replace(one, number),
            8..11 => self.modify(one, number),
            11..13 => self.detach(one),
            13..15 => self.reattach(one, number),
            15 | 16 => self.own(one, number),
            17..20 => self.lend(one, number),
            20..25 => self.link(one, other),
            25..30 => self.link_inside(one, other),
            30..35 => self.list(one, number),
            35..38 => self.put_into_bucket(one, number),
            38..46 => self.side_data(one, number),
            46 => self.discard(one),
            _ => self.reserve(number),
        }
    }

    fn insert(&mut self, number: u32) {
        let accepts = self.model.accepts(self.parts, None, number);
        let with_key = accepts && self.below(4) == 0;
        let trouble = if with_key { self.panic_trouble() } else { self.trouble() };
        self.latest = format!("insert {number}");
        let effect = Effect { new: Some(number), ..Effect::default() };
        let outcome = self.call(trouble, Some(accepts), effect, &mut |table| {
            if with_key {
                let make = |_| {
                    step();
                    Thing::new(number)
                };
                table.insert_with_key(make);
                return true;
            }
            match table.try_insert(Thing::new(number)) {
                Ok(key) => table.contains_key(key),
                Err(refused) => {
                    assert_eq!(refused.value.number.0, number);
                    false
                }
            }
        });
        self.counts.refused_values += usize::from(!accepts && outcome == Outcome::Refused);
    }

    fn remove(&mut self, key: Id) {
        let trouble = self.trouble();
        self.latest = format!("remove {key:?}");
        let outcome = self.call(trouble, None, Effect::gone([key]), &mut |table| {
            assert!(table.remove(key).is_some());
            true
        });
        assert!(outcome == Outcome::Panicked || self.table.remove(key).is_none());
    }

    fn remove_many(&mut self, one: Id, other: Id, number: u32) {
        let all: Vec<Id> = self.model.objects.keys().copied().collect();
        let of_number = |(&key, &its): (&Id, &u32)| (its % 8 == number % 8).then_some(key);
        let some: Vec<Id> = self.model.objects.iter().filter_map(of_number).collect();
        let way = self.below(8);
        let (way, doomed) = match way {
            0 => (0, some),
            1 => (1, some),
            2 if number % 4 == 0 => (2, all),
            3 if number % 4 == 0 => (3, all),
            4 | 5 if self.has(Part::Tree) => (4, self.model.tree.subtree(one)),
            6 => (6, all),
            _ => (5, vec![one, other]),
        };
        // (The list of those to remove is made by the code of a user.)
        let trouble = if way == 5 { self.panic_trouble() } else { self.trouble() };
        self.latest = format!("removal {way} of {doomed:?}");
        let is_doomed = |things: &C, key: Id| {
            step();
            things.number(key).is_some_and(|its| its % 8 == number % 8)
        };
        let outcome = self.call(trouble, None, Effect::gone(doomed), &mut |table| {
            match way {
                0 => table.retain(|things, key| !is_doomed(things, key)),
                1 => _ = table.extract_if(is_doomed).count(),
                2 => table.clear(),
                3 => _ = table.drain().count(),
                4 => _ = table.remove_subtree(tree, one, |_, _| step()),
                6 => _ = table.drain().next(),
                _ => {
                    let find = |_: &Beside, found: &mut Vec<Id>| {
                        found.extend([one, other, one]);
                        step();
                    };
                    table.remove_where_any(find, |_, _| step());
                }
            }
            true
        });
        if way == 2 && outcome == Outcome::Done {
            self.model.detached.clear();
        }
    }

    fn replace(&mut self, key: Id, number: u32) {
        let accepts = self.model.accepts(self.parts, Some(key), number);
        let trouble = self.trouble();
        self.latest = format!("replace {key:?} by {number}");
        self.call(trouble, Some(accepts), Effect::written([(key, number)]), &mut |table| {
            table.replace(key, Thing::new(number)).is_ok()
        });
    }

    fn modify(&mut self, key: Id, number: u32) {
        let accepts = self.model.accepts(self.parts, Some(key), number);
        let trouble = self.trouble();
        self.latest = format!("modify {key:?} to {number}");
        self.call(trouble, Some(accepts), Effect::written([(key, number)]), &mut |table| {
            let write = |thing: &mut Thing| {
                thing.number.0 = number;
                thing.family = Links::new(); // which the table puts right
                step();
            };
            table.modify(key, write).is_ok()
        });
    }

    fn detach(&mut self, key: Id) {
        let trouble = self.panic_trouble();
        self.latest = format!("detach {key:?}");
        self.call(trouble, None, Effect::gone([key]), &mut |table| table.detach(key).is_some());
        if !self.model.objects.contains_key(&key) {
            self.model.detached.push(key);
        }
    }

    fn reattach(&mut self, live: Id, number: u32) {
        let detached = self.model.detached.clone();
        let key = detached.get(self.below(detached.len() + 1)).copied().unwrap_or(live);
        let is_there = !self.model.objects.contains_key(&key);
        let accepts = is_there && self.model.accepts(self.parts, None, number);
        let trouble = self.trouble();
        self.latest = format!("reattach {key:?} as {number}");
        let effect = Effect { back: Some((key, number)), ..Effect::default() };
        self.call(trouble, Some(accepts), effect, &mut |table| {
            table.reattach(key, Thing::new(number)).is_ok()
        });
    }

    fn discard(&mut self, live: Id) {
        let at = self.below(self.model.detached.len() + 1);
        let key = self.model.detached.get(at).copied();
        let trouble = self.trouble();
        self.latest = format!("discard {key:?}, or not {live:?}");
        let outcome = self.call(trouble, key.map(|_| true), Effect::default(), &mut |table| {
            table.discard_detached(key.unwrap_or(live))
        });
        assert_eq!(outcome == Outcome::Done, key.is_some() && outcome != Outcome::Panicked);
        if outcome == Outcome::Done {
            self.model.detached.remove(at);
            self.tried = Tried::Change;
        }
    }

    /// Calls that only some containers have.
    fn own(&mut self, key: Id, number: u32) {
        if number % 3 == 0 {
            // (`sort_by` of slices allocates.)
            let trouble = self.panic_trouble();
            self.latest = String::from("sort");
            self.call(trouble, None, Effect::default(), &mut |table| {
                C::sort(table);
                true
            });
            return;
        }
        let trouble = self.trouble();
        self.latest = format!("recycle {key:?}");
        self.call(trouble, None, Effect::gone([key]), &mut |table| C::recycle(table, key));
    }

    /// Writes in place, if nothing looks at values.
    fn lend(&mut self, key: Id, number: u32) {
        if PARTS.into_iter().any(|part| part.is_index() && self.has(part)) {
            return;
        }
        let trouble = self.trouble();
        let way = self.below(4);
        self.latest = format!("lend {way}, {key:?}, {number}");
        let of = |key: Id| (key.slot() + number) % NUMBERS;
        let all = || self.model.objects.keys().map(|&key| (key, of(key)));
        let effect = match way {
            0 | 1 => Effect::written([(key, number)]),
            2 => Effect::written(all()),
            _ => Effect::written(all().filter(|(key, _)| key.slot() % 3 == 0)),
        };
        self.call(trouble, None, effect, &mut |table| match way {
            0 => C::set(table, key, number),
            1 => table.get_mut(key).map(|thing| C::write(thing, number)).is_some(),
            2 => {
                for (key, thing) in table.iter_mut() {
                    step();
                    C::write(thing, of(key));
                }
                true
            }
            _ => {
                table.for_each_mut(|key, mut thing| {
                    if key.slot() % 3 == 0 {
                        C::write(thing.get_mut(), of(key));
                    }
                });
                true
            }
        });
    }

    /// An edit of what is beside the objects, all of which is done or nothing.
    fn edit(
        &mut self,
        trouble: Trouble,
        then: Model,
        act: &mut dyn FnMut(&mut Table<C, Beside>) -> bool,
    ) {
        self.call(trouble, None, Effect { then: Some(then), ..Effect::default() }, act);
    }

    fn link(&mut self, one: Id, other: Id) {
        if !self.has(Part::Tree) {
            return;
        }
        let (trouble, is_cut) = (self.trouble(), self.below(4) == 0);
        self.latest = format!("tree {one:?} {other:?} {is_cut}");
        let mut then = self.model.clone();
        if is_cut {
            then.tree.make_root(one);
        } else {
            then.tree.append(one, other);
        }
        self.edit(trouble, then, &mut |table| {
            let (objects, ((tree, _), ..)) = table.edit();
            let tree = tree.edited().expect("it is there");
            if is_cut {
                tree.make_root(one);
                true
            } else {
                tree.append(objects, one, other).is_ok()
            }
        });
    }

    fn link_inside(&mut self, one: Id, other: Id) {
        if !self.has(Part::Inside) {
            return;
        }
        let (trouble, is_cut) = (self.trouble(), self.below(4) == 0);
        self.latest = format!("links inside {one:?} {other:?} {is_cut}");
        let mut then = self.model.clone();
        if is_cut {
            then.inside.make_root(one);
        } else {
            then.inside.append(one, other);
        }
        self.edit(trouble, then, &mut |table| {
            let (mut objects, _) = table.linking();
            if is_cut {
                Links::<Id>::make_root(&mut objects, one);
                true
            } else {
                Links::<Id>::append(&mut objects, one, other).is_ok()
            }
        });
    }

    /// Adds to a list, beside the objects or in them, or removes from it.
    fn list(&mut self, key: Id, number: u32) {
        let (is_inside, is_removed) = (number % 2 == 0, number % 3 == 0);
        if !self.has(if is_inside { Part::Burning } else { Part::List }) {
            return;
        }
        let trouble = self.trouble();
        self.latest = format!("list {is_inside} {is_removed} {key:?}");
        let mut then = self.model.clone();
        let list = if is_inside { &mut then.burning } else { &mut then.list };
        if is_removed {
            list.retain(|&other| other != key);
        } else if !list.contains(&key) {
            list.push(key);
        }
        self.edit(trouble, then, &mut |table| {
            let (mut objects, (_, (list, burning, ..), ..)) = table.linking();
            match (list.edited(), burning.edited(), is_inside, is_removed) {
                (_, Some(burning), true, true) => {
                    burning.remove(&mut objects, key);
                    true
                }
                (_, Some(burning), true, false) => burning.push_back(&mut objects, key).is_ok(),
                (Some(list), _, false, true) => {
                    list.remove(key);
                    true
                }
                (Some(list), _, false, false) => list.push_back(&*objects, key).is_ok(),
                _ => unreachable!("it is there"),
            }
        });
    }

    fn put_into_bucket(&mut self, key: Id, number: u32) {
        if !self.has(Part::Buckets) {
            return;
        }
        let trouble = self.trouble();
        let bucket = (number % 4) as usize;
        self.latest = format!("bucket {bucket} {key:?}");
        let mut then = self.model.clone();
        // (An object that is in the bucket keeps its place.)
        if bucket == 3 || !then.buckets[bucket].contains(&key) {
            then.buckets.iter_mut().for_each(|bucket| bucket.retain(|&other| other != key));
        }
        if bucket < 3 && !then.buckets[bucket].contains(&key) {
            then.buckets[bucket].push(key);
        }
        self.edit(trouble, then, &mut |table| {
            let (objects, (_, (_, _, buckets, _), ..)) = table.edit();
            let buckets = buckets.edited().expect("it is there");
            if bucket < 3 {
                buckets.set(objects, key, bucket).is_ok()
            } else {
                buckets.remove(key);
                true
            }
        });
    }

    fn side_data(&mut self, key: Id, number: u32) {
        let part = [Part::Side, Part::SparseSide, Part::PlainSide, Part::PlainSparseSide];
        let which = self.below(part.len());
        if !self.has(part[which]) {
            return;
        }
        let (trouble, way) = (self.trouble(), self.below(4));
        self.latest = format!("side data {which} {way} {key:?} {number}");
        let mut then = self.model.clone();
        let map = &mut then.side[which];
        match way {
            0 => _ = map.remove(&key),
            1 => _ = map.get_mut(&key).map(|its| *its = number),
            _ => _ = map.insert(key, number),
        }
        self.edit(trouble, then, &mut |table| {
            let (_, (_, _, (side, sparse, plain, plain_sparse), ..)) = table.edit();
            macro_rules! on {
                ($map:expr) => {{
                    let map = $map.edited().expect("it is there");
                    match way {
                        0 => drop(map.remove(key)),
                        1 => _ = map.get_mut(key).map(|its| its.0 = number),
                        _ => return map.try_insert(key, Nervous(number)).is_ok(),
                    }
                    true
                }};
            }
            match which {
                0 => on!(side),
                1 => on!(sparse),
                2 => on!(plain),
                _ => on!(plain_sparse),
            }
        });
    }

    fn reserve(&mut self, number: u32) {
        let trouble = self.memory_trouble();
        self.latest = format!("reserve {number}");
        let then = self.model.clone();
        self.edit(trouble, then, &mut |table| table.try_reserve(number as usize).is_ok());
    }

    /// Takes a part out, or puts one in.
    fn exchange_part(&mut self) {
        let part = PARTS[self.below(PARTS.len())];
        if self.is_repeating || !part.goes_back() && self.settings.goes_back {
            return;
        }
        let is_taken = self.has(part);
        // (Links in objects go back with these, whatever was done to mend them.)
        if !is_taken && part == Part::Inside && self.settings.goes_back {
            self.forget_all();
        }
        let trouble = self.trouble();
        self.latest = format!("{part:?} is taken out: {is_taken}, {trouble:?}");
        let new = Beside::new(part.bit()).0;
        let (mut new, table) = (Some(new), &mut self.table);
        let ran = run(trouble, &mut || {
            let (mut objects, (mut links, mut lists, mut side, mut all, mut some)) =
                table.linking();
            let new = new.take().expect("it is called once");
            macro_rules! exchange {
                ($holder:expr, $new:expr) => {
                    if is_taken {
                        $holder.take().is_some()
                    } else {
                        $holder.fill(&mut objects, $new.expect("it was made")).is_ok()
                    }
                };
            }
            match part {
                Part::Tree => exchange!(links.0, new.0.0),
                Part::Inside => exchange!(links.1, new.0.1),
                Part::List => exchange!(lists.0, new.1.0),
                Part::Burning => exchange!(lists.1, new.1.1),
                Part::Buckets => exchange!(lists.2, new.1.2),
                Part::Order => exchange!(lists.3, new.1.3),
                Part::Side => exchange!(side.0, new.2.0),
                Part::SparseSide => exchange!(side.1, new.2.1),
                Part::PlainSide => exchange!(side.2, new.2.2),
                Part::PlainSparseSide => exchange!(side.3, new.2.3),
                Part::Unique => exchange!(all.0, new.3.0),
                Part::Multi => exchange!(all.1, new.3.1),
                Part::Sorted => exchange!(all.2, new.3.2),
                Part::Grid => exchange!(all.3, new.3.3),
                Part::UniqueOfSome => exchange!(some.0, new.4.0),
                Part::MultiOfSome => exchange!(some.1, new.4.1),
                Part::SortedOfSome => exchange!(some.2, new.4.2),
                Part::GridOfSome => exchange!(some.3, new.4.3),
            }
        });
        let outcome = self.note(ran);
        self.tried = if self.tried < Tried::Something { Tried::Something } else { self.tried };
        let is_there = self.table.observers().has(part);
        assert!(outcome != Outcome::Done || is_there != is_taken);
        if is_taken {
            assert!(!is_there);
            self.parts &= !part.bit();
        } else if is_there {
            self.parts |= part.bit();
            self.clock += 1;
            self.filled[part as usize] = self.clock;
            self.model.fill(part, &Read::of(&self.table));
        } else {
            let unique = [Part::Unique, Part::UniqueOfSome].contains(&part);
            assert!(outcome == Outcome::Panicked || ran.1 || unique, "after {}", self.latest);
        }
        self.check();
    }

    // Going back.

    fn checkpoint(&mut self) {
        let trouble = self.memory_trouble();
        self.latest = format!("checkpoint, {trouble:?}");
        let mut point = None;
        let table = &mut self.table;
        let ran = run(trouble, &mut || {
            point = table.try_checkpoint().ok();
            point.is_some()
        });
        self.counts.refused_memory += usize::from(ran.1);
        let point = point.unwrap_or_else(|| self.table.checkpoint());
        self.undone.clear();
        let (model, seen) = (self.model.clone(), Seen::of(&self.table));
        self.check();
        self.held.push(Held { point, model, seen, clock: self.clock });
    }

    /// Returns whether a part was put in after a checkpoint.
    fn has_since(&self, clock: u32) -> bool {
        let is_member = |part: &Part| self.has(*part) && *part != Part::Inside;
        PARTS.iter().filter(|part| is_member(part)).any(|&part| self.filled[part as usize] > clock)
    }

    fn forget_all(&mut self) {
        self.table.forget_all();
        self.held.clear();
        self.undone.clear();
        self.may_be_lost = false;
        assert_eq!((self.table.undo(), self.table.redo()), (Ok(false), Ok(false)));
        self.check();
    }

    /// Goes one way, again if there was no memory.
    fn pass<R>(
        &mut self,
        mut act: impl FnMut(&mut Table<C, Beside>) -> Result<R, TrackError>,
    ) -> Result<R, TrackError> {
        let trouble = self.memory_trouble();
        self.latest.push_str(&format!(", {trouble:?}"));
        let (table, mut passed) = (&mut self.table, Err(TrackError::Gone));
        let ran = run(trouble, &mut || {
            passed = act(table);
            passed.is_ok()
        });
        self.counts.refused_memory += usize::from(ran.1);
        self.may_be_told_less |= ran.1;
        if let Err(TrackError::Memory(_)) = passed {
            assert!(ran.1);
            passed = act(&mut self.table);
        }
        passed
    }

    /// There is no way back: nothing has changed, and there was a reason.
    fn cannot(&mut self, error: TrackError, clock: u32) {
        let is_apart = self.has_since(clock);
        match error {
            TrackError::NotShared if is_apart => self.counts.not_shared += 1,
            TrackError::Lost if self.may_be_lost => self.counts.lost += 1,
            _ => panic!("{error}, after {}", self.latest),
        }
        self.check();
        self.forget_all();
    }

    fn rollback(&mut self) {
        if self.held.is_empty() {
            return;
        }
        let at = self.below(self.held.len());
        let Held { point, clock, .. } = self.held[at];
        self.latest = format!("rollback to {at}");
        if let Err(error) = self.pass(|table| table.rollback(point)) {
            return self.cannot(error, clock);
        }
        assert!(!self.has_since(clock), "after {}", self.latest);
        self.counts.rollbacks += 1;
        self.held.truncate(at + 1);
        self.undone.clear();
        self.is_back();
        // The same calls again have the same effects.
        let seed = self.below(1 << 16) as u64;
        if self.is_repeating || !self.never.is_empty() || seed % 4 > 0 {
            return;
        }
        self.is_repeating = true;
        let after = [(); 2].map(|()| {
            let mut dice = SplitMix::new(seed);
            let decide = mem::replace(&mut self.decide, Box::new(move |end| dice.below(end)));
            (0..6).for_each(|_| self.change());
            self.decide = decide;
            let seen = Seen::of(&self.table);
            assert_eq!(self.table.rollback(point), Ok(()));
            self.is_back();
            seen
        });
        self.is_repeating = false;
        let different = after[0].difference(&after[1]);
        assert_eq!(different, None, "the same calls have other effects");
        self.counts.repeated += 1;
    }

    /// The table is as it was when the latest checkpoint was made.
    #[track_caller]
    fn is_back(&mut self) {
        let held = self.held.last().expect("there is one");
        self.is_as(&held.seen);
        self.model = held.model.clone();
        self.check();
    }

    fn undo(&mut self) {
        let (now, before) = (Seen::of(&self.table), self.model.clone());
        let clock = self.held.last().map_or(0, |held| held.clock);
        self.latest = String::from("undo");
        match self.pass(Table::undo) {
            Err(error) => return self.cannot(error, clock),
            Ok(false) => {
                assert!(self.held.is_empty() || self.may_be_lost, "after {}", self.latest);
                return self.forget_all();
            }
            Ok(true) => {}
        }
        assert!(!self.has_since(clock), "after {}", self.latest);
        self.is_back();
        let held = self.held.pop().expect("there was one");
        self.never.extend(before.issued.difference(&held.model.issued));
        self.undone.push(Undone { held, model: before, seen: now });
        self.tried = Tried::Nothing;
        self.counts.undos += 1;
    }

    fn redo(&mut self) {
        self.latest = String::from("redo");
        let tried = self.tried;
        match self.pass(Table::redo) {
            Ok(true) => {
                assert!(tried < Tried::Change, "after {}", self.latest);
                let Undone { held, model, seen } = self.undone.pop().expect("there was one");
                self.is_as(&seen);
                self.never.retain(|key| !model.issued.contains(key));
                self.model = model;
                self.check();
                self.held.push(held);
                self.tried = Tried::Nothing;
                self.counts.redos += 1;
            }
            Ok(false) => {
                assert!(self.undone.is_empty() || tried > Tried::Nothing || self.may_be_lost);
                self.undone.clear();
                self.check();
            }
            Err(error) => panic!("{error}, after {}", self.latest),
        }
    }

    fn keep(&mut self) {
        let count = self.below(6);
        self.latest = format!("keep {count}");
        let gone = self.held.len().saturating_sub(count);
        let clock = self.held.get(gone).map_or(self.clock, |held| held.clock);
        if let Err(error) = self.table.keep(count) {
            return self.cannot(error, clock);
        }
        if count == 0 {
            self.undone.clear();
        }
        if self.may_be_lost {
            return self.forget_all();
        }
        for held in self.held.drain(..gone) {
            assert_eq!(self.table.rollback(held.point), Err(TrackError::Gone));
        }
        self.check();
    }

    /// Asks what has changed, and does the same with a copy.
    fn poll(&mut self) {
        self.latest = String::from("poll");
        let changes = match self.table.poll(&mut self.subscriber) {
            Ok(changes) => changes,
            Err(error) => {
                assert!(error == TrackError::Lost && self.may_be_told_less);
                self.copy = self.model.objects.clone();
                self.may_be_told_less = false;
                return;
            }
        };
        for key in changes.removed() {
            assert!(self.copy.remove(key).is_some(), "{key:?} was not known");
        }
        for key in changes.inserted() {
            let number = self.table.number(*key).expect("it is there");
            assert!(self.copy.insert(*key, number).is_none(), "{key:?} was known");
        }
        for key in changes.changed() {
            let number = self.table.number(*key).expect("it is there");
            assert!(self.copy.insert(*key, number).is_some(), "{key:?} was not known");
        }
        assert_eq!(self.copy, self.model.objects);
    }

    /// Goes back while user code panics: then there is no way back, and observers may be between two checkpoints, but
    /// nothing is dropped twice, and each is consistent by itself.
    fn panic_on_the_way(mut self) -> Counts {
        let (steps, way) = (self.below(12) as u32, self.below(3));
        let point = self.held.first().map(|held| held.point);
        let table = &mut self.table;
        let ran = run(Trouble::Panic(steps), &mut || match (way, point) {
            (0, Some(point)) => table.rollback(point).is_ok(),
            (1, _) => table.redo().is_ok(),
            _ => table.undo().is_ok(),
        });
        self.note(ran);
        self.table.observers().validate();
        self.table.forget_all();
        self.table.clear();
        assert_eq!(ValueContainer::keys(&*self.table).count(), 0);
        self.counts
    }
}

fn tree(beside: &Beside) -> &larder::Tree<Id> {
    beside.0.0.0.as_ref().expect("it is there")
}
