//! Lists against vectors: links in the objects and beside them, all short histories and many long
//! ones; then what no model shows.

use larder::{
    Arena, Handle,
    trees::{Buckets, CheckError, Field, IntrusiveList, KeyList, Link, ListError},
};

use larder_testing::common::{SplitMix, panic_text, scaled, thorough};

type Id = Handle<Thing>;

#[derive(Clone, Debug, Default)]
struct Thing {
    link: Link<Id>,
    other: Link<Id>,
}

impl AsRef<Link<Id>> for Thing {
    fn as_ref(&self) -> &Link<Id> {
        &self.link
    }
}

impl AsMut<Link<Id>> for Thing {
    fn as_mut(&mut self) -> &mut Link<Id> {
        &mut self.link
    }
}

/// A step; the numbers name keys by their order of insertion, the last is dangling.
#[derive(Clone, Copy, Debug)]
enum Step {
    PushBack(usize),
    PushFront(usize),
    Before(usize, usize),
    After(usize, usize),
    Remove(usize),
    PopFront,
    PopBack,
    RetainOdd,
    /// From the container alone; what cleans up is called after.
    RemoveBare(usize),
}

fn steps(count: usize) -> Vec<Step> {
    let all = || 0..count;
    let mut steps = vec![Step::PopFront, Step::PopBack, Step::RetainOdd];
    for key in all() {
        steps.extend([Step::PushBack(key), Step::PushFront(key)]);
        steps.extend([Step::Remove(key), Step::RemoveBare(key)]);
        steps
            .extend(all().flat_map(|member| [Step::Before(member, key), Step::After(member, key)]));
    }
    steps
}

/// The answer of both kinds of list to a step.
type Answer = Result<Option<Id>, ListError<Id>>;

trait Real: Clone {
    fn new() -> Self;
    fn things(&mut self) -> &mut Arena<Thing>;
    fn apply(&mut self, step: Step, at: Id, key: Id) -> Answer;
    fn view(&self) -> [Vec<Id>; 2];
    fn around(&self, key: Id) -> (bool, Option<Id>, Option<Id>);
    fn ends(&self) -> (usize, Option<Id>, Option<Id>);
}

#[derive(Clone)]
struct Inside(Arena<Thing>, IntrusiveList<Id>);

impl Real for Inside {
    fn new() -> Self {
        Self(Arena::new(), IntrusiveList::numbered(3))
    }

    fn things(&mut self) -> &mut Arena<Thing> {
        &mut self.0
    }

    fn apply(&mut self, step: Step, at: Id, key: Id) -> Answer {
        let Self(things, list) = self;
        match step {
            Step::PushBack(_) => list.push_back(things, key)?,
            Step::PushFront(_) => list.push_front(things, key)?,
            Step::Before(..) => list.insert_before(things, at, key)?,
            Step::After(..) => list.insert_after(things, at, key)?,
            Step::Remove(_) => return Ok(list.remove_and_next(things, key)),
            Step::PopFront => return Ok(list.pop_front(things)),
            Step::PopBack => return Ok(list.pop_back(things)),
            Step::RetainOdd => list.retain(things, |_, key| key.slot() % 2 == 1),
            Step::RemoveBare(_) => {
                things.remove(key);
                let keys: Vec<_> = things.keys().collect();
                list.mend(things, &keys);
            }
        }
        assert_eq!(list.check(things, things.keys()), Ok(()));
        Ok(None)
    }

    fn view(&self) -> [Vec<Id>; 2] {
        [self.1.iter(&self.0).collect(), self.1.iter(&self.0).rev().collect()]
    }

    fn around(&self, key: Id) -> (bool, Option<Id>, Option<Id>) {
        let Self(things, list) = self;
        (list.contains(things, key), list.prev_key(things, key), list.next_key(things, key))
    }

    fn ends(&self) -> (usize, Option<Id>, Option<Id>) {
        (self.1.len(), self.1.first(&self.0), self.1.last(&self.0))
    }
}

#[derive(Clone)]
struct Apart(Arena<Thing>, KeyList<Id>);

impl Real for Apart {
    fn new() -> Self {
        Self(Arena::new(), KeyList::new())
    }

    fn things(&mut self) -> &mut Arena<Thing> {
        &mut self.0
    }

    fn apply(&mut self, step: Step, at: Id, key: Id) -> Answer {
        let Self(things, list) = self;
        match step {
            Step::PushBack(_) => list.push_back(things, key)?,
            Step::PushFront(_) => list.push_front(things, key)?,
            Step::Before(..) => list.insert_before(things, at, key)?,
            Step::After(..) => list.insert_after(things, at, key)?,
            Step::Remove(_) => return Ok(list.remove_and_next(key)),
            Step::PopFront => return Ok(list.pop_front()),
            Step::PopBack => return Ok(list.pop_back()),
            Step::RetainOdd => list.retain(|key| key.slot() % 2 == 1),
            Step::RemoveBare(_) => {
                things.remove(key);
                list.retain_live(things);
            }
        }
        Ok(None)
    }

    fn view(&self) -> [Vec<Id>; 2] {
        [self.1.iter().collect(), self.1.iter().rev().collect()]
    }

    fn around(&self, key: Id) -> (bool, Option<Id>, Option<Id>) {
        (self.1.contains(key), self.1.prev_key(key), self.1.next_key(key))
    }

    fn ends(&self) -> (usize, Option<Id>, Option<Id>) {
        (self.1.len(), self.1.first(), self.1.last())
    }
}

/// A list, and a vector in step with it.
#[derive(Clone)]
struct Pair<R> {
    real: R,
    naive: Vec<Id>,
    keys: Vec<Id>,
}

impl<R: Real> Pair<R> {
    fn new(count: usize) -> Self {
        let mut pair = Self { real: R::new(), naive: Vec::new(), keys: vec![Handle::DANGLING] };
        (0..count).for_each(|_| pair.insert());
        pair
    }

    fn insert(&mut self) {
        let key = self.real.things().insert(Thing::default());
        self.keys.insert(self.keys.len() - 1, key);
    }

    fn step(&mut self, step: Step) {
        let (at, key) = match step {
            Step::Before(at, key) | Step::After(at, key) => (self.keys[at], self.keys[key]),
            Step::PushBack(key)
            | Step::PushFront(key)
            | Step::Remove(key)
            | Step::RemoveBare(key) => (self.keys[key], self.keys[key]),
            Step::PopFront | Step::PopBack | Step::RetainOdd => {
                (Handle::DANGLING, Handle::DANGLING)
            }
        };
        let is_there = self.real.things().contains_key(key);
        let expected = self.expect(step, at, key, is_there);
        assert_eq!(self.real.apply(step, at, key), expected, "{step:?}");
        self.validate();
    }

    fn expect(&mut self, step: Step, at: Id, key: Id, is_there: bool) -> Answer {
        let list = &mut self.naive;
        let place = |list: &[Id], wanted| list.iter().position(|&member| member == wanted);
        let admitted = if !is_there {
            Err(ListError::Missing { key })
        } else if list.contains(&key) {
            Err(ListError::InList { key })
        } else {
            Ok(())
        };
        let beside = place(list, at).ok_or(ListError::NotMember { key: at });
        match step {
            Step::PushBack(_) => admitted.map(|()| list.push(key))?,
            Step::PushFront(_) => admitted.map(|()| list.insert(0, key))?,
            Step::Before(..) => admitted.and(beside).map(|at| list.insert(at, key))?,
            Step::After(..) => admitted.and(beside).map(|at| list.insert(at + 1, key))?,
            Step::PopFront if list.is_empty() => (),
            Step::PopFront => return Ok(Some(list.remove(0))),
            Step::PopBack => return Ok(list.pop()),
            Step::RetainOdd => list.retain(|key| key.slot() % 2 == 1),
            Step::Remove(_) | Step::RemoveBare(_) => {
                let gone = place(list, key).map(|at| {
                    list.remove(at);
                    list.get(at).copied()
                });
                if matches!(step, Step::Remove(_)) {
                    return Ok(gone.flatten());
                }
            }
        }
        Ok(None)
    }

    fn validate(&self) {
        let list = &self.naive;
        let backwards: Vec<_> = list.iter().rev().copied().collect();
        assert_eq!(self.real.view(), [list.clone(), backwards]);
        let ends = (list.len(), list.first().copied(), list.last().copied());
        assert_eq!(self.real.ends(), ends);
        for &key in &self.keys {
            let at = list.iter().position(|&member| member == key);
            let beside = |offset: isize| list.get(at?.checked_add_signed(offset)?).copied();
            assert_eq!(self.real.around(key), (at.is_some(), beside(-1), beside(1)), "of {key}");
        }
    }
}

fn all_from<R: Real>(pair: &Pair<R>, steps: &[Step], length: usize) -> usize {
    let next = steps.iter().filter(|_| length > 0).map(|&step| {
        let mut pair = pair.clone();
        pair.step(step);
        all_from(&pair, steps, length - 1)
    });
    1 + next.sum::<usize>()
}

fn histories<R: Real>() {
    let mut three = Pair::<R>::new(3);
    assert!(all_from(&three, &steps(4), scaled(2, 1)) > steps(4).len());
    (0..3).for_each(|key| three.step(Step::PushBack(key)));
    all_from(&three, &steps(4), scaled(2, 1));
    for seed in 0..thorough(30, 1) as u64 {
        let mut random = SplitMix::new(seed);
        let mut pair = Pair::<R>::new(4);
        for _ in 0..scaled(300, 30) {
            if pair.real.things().len() < 3 + random.below(8) {
                pair.insert();
            }
            if pair.keys.len() > 30 {
                let stale = pair.keys.iter().position(|&key| !pair.real.things().contains_key(key));
                pair.keys.remove(stale.unwrap());
            }
            let all = steps(pair.keys.len());
            pair.step(all[random.below(all.len())]);
        }
    }
}

#[test]
fn histories_of_lists_in_the_objects() {
    histories::<Inside>();
}

#[test]
fn histories_of_lists_beside_them() {
    histories::<Apart>();
}

fn things(count: usize) -> (Arena<Thing>, Vec<Id>) {
    let things: Arena<_> = (0..count).map(|_| Thing::default()).collect();
    let keys = things.keys().collect();
    (things, keys)
}

fn filled(number: u32, things: &mut Arena<Thing>, keys: &[Id]) -> IntrusiveList<Id> {
    let mut list = IntrusiveList::numbered(number);
    for &key in keys {
        list.push_back(things, key).unwrap();
    }
    list
}

/// Every place of lists of every small length.
#[test]
fn splicing_anywhere() {
    for (here, there) in (0..4).flat_map(|here| (0..4).map(move |there| (here, there))) {
        for before in (0..here).map(Some).chain([None]) {
            let (mut things, keys) = things(here + there);
            let mut list = filled(0, &mut things, &keys[..here]);
            let mut other = filled(1, &mut things, &keys[here..]);
            let at = before.map(|at| keys[at]);
            list.splice(&mut things, at, &mut other).unwrap();
            let split = before.unwrap_or(here);
            let expected = [&keys[..split], &keys[here..], &keys[split..here]].concat();
            assert!(list.iter(&things).eq(expected.iter().copied()));
            assert!(list.iter(&things).rev().eq(expected.iter().rev().copied()));
            assert_eq!(list.check(&things, things.keys()), Ok(()));
            assert_eq!(other, IntrusiveList::numbered(1));
        }
    }
}

#[test]
fn splicing_what_is_torn_is_refused() {
    let (mut things, keys) = things(8);
    let mut list = filled(0, &mut things, &keys[..3]);
    let mut other = filled(1, &mut things, &keys[3..6]);
    assert_eq!(
        list.splice(&mut things, Some(keys[7]), &mut other),
        Err(ListError::NotMember { key: keys[7] })
    );
    things.remove(keys[4]);
    let before = format!("{things:?}");
    let refused = list.splice(&mut things, None, &mut other);
    assert_eq!(refused, Err(ListError::Torn { key: keys[3] }));
    assert_eq!(format!("{things:?}"), before);
    let live: Vec<_> = things.keys().collect();
    other.mend(&mut things, &live);
    list.splice(&mut things, None, &mut other).unwrap();
    assert!(list.iter(&things).eq([0, 1, 2, 3, 5].map(|at| keys[at])));
}

/// By two fields, in any number of side lists: each takes no notice of the others.
#[test]
fn an_object_in_several_lists_at_once() {
    let (mut things, keys) = things(4);
    let mut first = filled(0, &mut things, &keys);
    let mut second = IntrusiveList::numbered(0);
    for &key in keys.iter().rev() {
        let mut field = Field::new(&mut things, |thing| &thing.other, |thing| &mut thing.other);
        second.push_back(&mut field, key).unwrap();
    }
    let mut side = KeyList::new();
    for &key in &keys[1..3] {
        side.push_front(&things, key).unwrap();
    }
    first.remove(&mut things, keys[1]);
    let other = Field::new(&things, |thing: &Thing| &thing.other, |thing| &mut thing.other);
    assert!(second.iter(&other).eq(keys.iter().rev().copied()));
    assert!(first.iter(&things).eq([keys[0], keys[2], keys[3]]));
    assert!(side.iter().eq([keys[2], keys[1]]));
}

/// Lists over one field are told apart by their numbers: each leaves the other's members alone.
#[test]
fn a_list_takes_nothing_of_another() {
    let (mut things, keys) = things(6);
    let mut list = filled(0, &mut things, &keys[..3]);
    let mut other = filled(1, &mut things, &keys[3..]);
    let in_list = |key| Err(ListError::InList { key });
    for &key in &keys[3..] {
        assert!(!list.contains(&things, key));
        assert!(!list.remove(&mut things, key));
        assert_eq!(list.push_back(&mut things, key), in_list(key));
        assert_eq!(list.push_front(&mut things, key), in_list(key));
        assert_eq!(list.insert_before(&mut things, keys[0], key), in_list(key));
        assert_eq!((list.next_key(&things, key), list.prev_key(&things, key)), (None, None));
    }
    let refused = list.insert_after(&mut things, keys[5], keys[0]);
    assert_eq!(refused, in_list(keys[0]));
    list.clear(&mut things);
    assert_eq!((list.len(), other.len()), (0, 3));
    assert!(other.iter(&things).eq(keys[3..].iter().copied()));
    assert_eq!(other.check(&things, things.keys()), Ok(()));
    assert_eq!(other.remove_and_next(&mut things, keys[4]), Some(keys[5]));
    assert_eq!((other.len(), things[keys[3]].link.list()), (2, Some(1)));
}

/// Two lists of one number are a mistake: an empty one takes nothing, and `check` tells of the rest.
#[test]
fn lists_of_one_number_are_found_out() {
    let (mut things, keys) = things(3);
    let mut list = filled(4, &mut things, &keys);
    let mut twin = IntrusiveList::numbered(4);
    assert_eq!((twin.remove(&mut things, keys[1]), twin.pop_front(&mut things)), (false, None));
    assert!(!twin.contains(&things, keys[1]));
    assert_eq!(list.check(&things, things.keys()), Ok(()));
    let found = twin.check(&things, things.keys());
    assert_eq!(found, Err(CheckError::Inconsistent { met: 0, members: 3, length: 0 }));
    let mut clone = list.clone();
    for (before, key) in [(None, keys[0]), (Some(keys[1]), keys[1])] {
        let refused = clone.splice(&mut things, before, &mut list);
        assert_eq!(refused, Err(ListError::InList { key }));
    }
}

/// Links that are read from one field and written to another have no effect, and nothing loops for ever.
#[test]
fn functions_that_lead_to_different_fields_end() {
    let (mut things, keys) = things(4);
    for wrong in 0..6 {
        let mut list = filled(7, &mut things, &keys);
        let mut field = Field::new(&mut things, |thing| &thing.link, |thing| &mut thing.other);
        match wrong {
            0 => list.clear(&mut field),
            1 => list.retain(&mut field, |_, _| false),
            2 => assert_eq!(list.pop_front(&mut field), None),
            3 => assert_eq!(list.pop_back(&mut field), None),
            4 => assert!(!list.remove(&mut field, keys[1])),
            _ => list.mend(&mut field, &keys),
        }
        things.values_mut().for_each(|thing| *thing = Thing::default());
    }
}

#[test]
fn splicing_beside_the_objects_anywhere() {
    for (here, there) in (0..4).flat_map(|here| (0..4).map(move |there| (here, there))) {
        for before in (0..here).map(Some).chain([None]) {
            let (things, keys) = things(here + there + 1);
            let (mut list, mut other) = (KeyList::new(), KeyList::new());
            keys[..here].iter().for_each(|&key| list.push_back(&things, key).unwrap());
            keys[here..here + there].iter().for_each(|&key| other.push_back(&things, key).unwrap());
            let none = *keys.last().unwrap();
            let refused = list.splice(&things, Some(none), &mut other);
            assert_eq!(refused, Err(ListError::NotMember { key: none }));
            let refused = list.splice(&things, Some(Handle::DANGLING), &mut other);
            assert_eq!(refused, Err(ListError::Missing { key: Handle::DANGLING }));
            assert_eq!((list.len(), other.len()), (here, there));

            list.splice(&things, before.map(|at| keys[at]), &mut other).unwrap();
            let split = before.unwrap_or(here);
            let expected = [&keys[..split], &keys[here..here + there], &keys[split..here]].concat();
            assert!(list.iter().eq(expected.iter().copied()) && other.is_empty());
            assert!(list.iter().rev().eq(expected.iter().rev().copied()));
            [&list, &other].into_iter().for_each(KeyList::validate);
        }
    }
}

/// Who is in both keeps the place here; who is gone is not moved, and its slot's next object is not lost.
#[test]
fn splicing_what_is_in_both_or_gone() {
    let (mut things, keys) = things(4);
    let (mut list, mut other) = (KeyList::new(), KeyList::new());
    [2, 0].into_iter().for_each(|at| list.push_back(&things, keys[at]).unwrap());
    keys.iter().for_each(|&key| other.push_back(&things, key).unwrap());
    things.remove(keys[1]);
    list.splice(&things, Some(keys[0]), &mut other).unwrap();
    assert!(list.iter().eq([2, 3, 0].map(|at| keys[at])) && other.is_empty());

    // `before` is gone, and its slot's next object is to be put in front of it.
    things.remove(keys[0]);
    let tenant = things.insert(Thing::default());
    assert_eq!(tenant.slot(), keys[0].slot());
    other.push_back(&things, tenant).unwrap();
    let refused = list.splice(&things, Some(keys[0]), &mut other);
    assert_eq!(refused, Err(ListError::Missing { key: keys[0] }));
    assert!(other.iter().eq([tenant]) && list.len() == 3);
}

/// Keys from anywhere answer nothing, change nothing and take no memory.
#[test]
fn hostile_keys_are_nobodys_members() {
    let (mut things, keys) = things(2);
    let mut list = filled(0, &mut things, &keys);
    let (mut side, mut kinds) = (KeyList::new(), Buckets::<Id, 2>::new());
    keys.iter().for_each(|&key| side.push_back(&things, key).unwrap());
    keys.iter().for_each(|&key| kinds.set(&things, key, 1).unwrap());
    let bits = [u64::from(u32::MAX - 1) | 1 << 32, 1 | 3 << 32, u64::from(u32::MAX) << 32 | 1];
    let hostile = bits.into_iter().filter_map(Handle::from_bits).chain([Handle::DANGLING]);
    for key in hostile.collect::<Vec<Id>>() {
        let missing = Err(ListError::Missing { key });
        let requests = larder_testing::common::allocations_of(|| {
            assert_eq!(list.push_back(&mut things, key), missing);
            assert_eq!(list.insert_after(&mut things, keys[0], key), missing);
            assert!(!list.remove(&mut things, key));
            assert!(!list.contains(&things, key));
            assert_eq!((list.next_key(&things, key), list.prev_key(&things, key)), (None, None));
            assert_eq!(side.push_back(&things, key), missing);
            assert_eq!(side.push_front(&things, key), missing);
            assert_eq!(side.insert_before(&things, keys[0], key), missing);
            assert_eq!(side.insert_after(&things, keys[0], key), missing);
            assert_eq!(
                (side.remove(key), side.next_key(key), side.prev_key(key)),
                (false, None, None)
            );
            assert!(!side.contains(key));
            assert_eq!(kinds.set(&things, key, 0), missing);
            assert_eq!(
                (kinds.bucket_of(key), kinds.remove(key), kinds.next_key(key)),
                (None, None, None)
            );
        });
        assert_eq!(requests, 0);
    }
    assert_eq!(list.check(&things, things.keys()), Ok(()));
    side.validate();
    kinds.validate();
    assert_eq!((list.len(), side.len(), kinds.count(1)), (2, 2, 2));
}

/// The member's slot has a new tenant, which is not the member.
#[test]
fn a_new_tenant_is_no_member() {
    let (mut things, keys) = things(3);
    let mut side = KeyList::new();
    let mut list = filled(0, &mut things, &keys);
    keys.iter().for_each(|&key| side.push_back(&things, key).unwrap());
    things.remove(keys[1]);
    let tenant = things.insert(Thing::default());
    assert_eq!(tenant.slot(), keys[1].slot());
    assert!(!side.contains(tenant) && !list.contains(&things, tenant));
    assert!(list.iter(&things).eq([keys[0]]), "to the tear");
    assert!(list.iter(&things).rev().eq([keys[2]]), "from the other side");
    assert_eq!(side.len(), 3);
    side.push_back(&things, tenant).unwrap();
    assert!(side.iter().eq([keys[0], keys[2], tenant]), "who was there before is out");
    assert!(!list.is_empty() && !side.is_empty());
    list.clear(&mut things);
    assert!(list.is_empty());
}

#[test]
fn mending_after_any_removals() {
    for seed in 0..thorough(300, 5) as u64 {
        let mut random = SplitMix::new(seed);
        let (mut things, keys) = things(12);
        let mut list = filled(5, &mut things, &keys[..10]);
        for &key in &keys {
            if random.below(3) == 0 {
                things.remove(key);
            }
        }
        let live: Vec<_> = things.keys().collect();
        list.mend(&mut things, &live);
        assert_eq!(list.check(&things, things.keys()), Ok(()));
        let mut members: Vec<_> = list.iter(&things).collect();
        members.sort();
        assert!(keys[..10].iter().filter(|key| things.contains_key(**key)).eq(&members));
    }
}

/// Links and heads may come from a file: whatever they say, every walk ends.
#[test]
fn forged_lists_never_loop() {
    for seed in 0..thorough(3_000, 20) as u64 {
        let mut random = SplitMix::new(seed);
        let (mut things, keys) = things(1 + random.below(5));
        let any =
            |random: &mut SplitMix| (random.below(5) > 0).then(|| keys[random.below(keys.len())]);
        for &key in &keys {
            let number = Some(1 + random.below(2) as u32);
            let form = (number, (any(&mut random), any(&mut random)));
            let bytes = postcard::to_allocvec(&form).unwrap();
            things[key].link = postcard::from_bytes(&bytes).unwrap();
        }
        let form = (1_u32, random.below(6) as u32, any(&mut random));
        let mut list: IntrusiveList<Id> =
            postcard::from_bytes(&postcard::to_allocvec(&form).unwrap()).unwrap();
        let fits = list.check(&things, things.keys()).is_ok();
        assert!(list.iter(&things).take(99).count() <= keys.len());
        assert!(list.iter(&things).rev().take(99).count() <= keys.len());
        let other = keys[random.below(keys.len())];
        match random.below(6) {
            0 => drop(list.push_back(&mut things, other)),
            1 => drop(list.pop_back(&mut things)),
            2 => _ = list.remove(&mut things, other),
            3 => list.retain(&mut things, |_, _| false),
            4 => drop(list.splice(&mut things, None, &mut IntrusiveList::numbered(1))),
            _ => list.clear(&mut things),
        }
        assert!(!fits || list.check(&things, things.keys()).is_ok());
        list.mend(&mut things, &keys);
        assert_eq!(list.check(&things, things.keys()), Ok(()));
    }
}

#[test]
fn a_closure_that_panics_leaves_what_was_decided() {
    let (mut things, keys) = things(6);
    let mut list = filled(0, &mut things, &keys);
    panic_text(|| {
        list.retain(&mut things, |_, key| {
            assert_ne!(key, keys[4], "not this one");
            key.slot() % 2 == 0
        })
    });
    assert!(list.iter(&things).eq([0, 2, 4, 5].map(|at| keys[at])));
    assert_eq!(list.check(&things, things.keys()), Ok(()));
}
