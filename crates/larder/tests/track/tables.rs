//! Tables: containers of every kind together with what refers to their objects, changed and taken back as one.

use larder::indices::{IndexBy, MultiIndex};
use larder::track::{Objects, Observer, Refusal, Reversible, Table, Versioned};
use larder::trees::{InObjects, IntrusiveList, KeyList, Link, Links, link_field};
use larder::{Arena, DenseArena, Handle, Soa, Tree};
use larder_testing::common::scaled;

type Id = Handle<Thing>;

/// A thing with links inside.
#[derive(Clone, Debug, Default, PartialEq, Soa)]
struct Thing {
    number: u32,
    family: Links<Id>,
    burning: Link<Id>,
}
link_field!(Thing.family: Links<Id>, in columns);
link_field!(Thing.burning: Link<Id>, in columns);

fn thing(number: u32) -> Thing {
    Thing { number, ..Thing::default() }
}

type ByNumber = IndexBy<MultiIndex<u32, Id>, fn(&Thing) -> u32>;

/// An observer of one's own, in a box, beside others; it refuses what has an odd number.
#[derive(Default)]
struct Even {
    prepared: bool,
    count: usize,
}

impl Observer<Arena<u32>> for Even {
    fn prepare(
        &mut self,
        numbers: &Arena<u32>,
        key: Handle<u32>,
        number: &u32,
    ) -> Result<(), Refusal<Handle<u32>>> {
        if number % 2 == 1 {
            return Err(Refusal::Other("the number is odd"));
        }
        self.prepared = !numbers.contains_key(key);
        Ok(())
    }

    fn commit(&mut self) {
        self.count += usize::from(core::mem::take(&mut self.prepared));
    }

    fn remove(&mut self, numbers: &mut Objects<'_, Arena<u32>>, key: Handle<u32>) {
        assert!(numbers.contains_key(key), "the object is there still");
        self.count -= 1;
    }

    fn settle(&mut self) {
        self.prepared = false;
    }

    fn rebuild(
        &mut self,
        numbers: &mut Objects<'_, Arena<u32>>,
    ) -> Result<(), Refusal<Handle<u32>>> {
        self.count = numbers.len();
        Ok(())
    }
}

#[test]
fn observers_of_ones_own_are_beside_others_also_in_boxes() {
    type Boxed = Box<dyn Observer<Arena<u32>>>;
    let every: Vec<Boxed> = vec![Box::new(Even::default()), Box::new(Tree::new())];
    let mut numbers =
        Table::with(Arena::from_iter([2, 4]), (every, Some(Even::default()), [KeyList::new()]));
    let six = numbers.insert(6);
    let refused = numbers.try_insert(7).unwrap_err();
    assert_eq!((refused.value, refused.reason.to_string()), (7, String::from("the number is odd")));
    assert!(numbers.replace(six, 8).is_ok() && numbers.modify(six, |number| *number += 1).is_err());
    assert_eq!(numbers.observers().1.as_ref().unwrap().count, 3);
    numbers.clear();
    assert_eq!(numbers.observers().1.as_ref().unwrap().count, 0);
    let odd = Table::try_with(Arena::from_iter([1]), UniqueRefusal);
    assert!(odd.is_err_and(|refused| refused.value.0.len() == 1));
}

/// Refuses whatever there is.
struct UniqueRefusal;

impl Observer<Arena<u32>> for UniqueRefusal {
    fn remove(&mut self, _: &mut Objects<'_, Arena<u32>>, _: Handle<u32>) {}

    fn rebuild(&mut self, _: &mut Objects<'_, Arena<u32>>) -> Result<(), Refusal<Handle<u32>>> {
        Err(Refusal::Other("never"))
    }
}

/// A value that is put in place of another does not bring its links along.
#[test]
fn links_stay_with_their_objects() {
    let mut things =
        Table::with(Arena::new(), (InObjects, Versioned::new(IntrusiveList::numbered(1))));
    let [a, b, c] = [1, 2, 3].map(|number| things.insert(thing(number)));
    let (mut objects, (_, burning)) = things.linking();
    Links::append(&mut objects, a, b).unwrap();
    Links::append(&mut objects, a, c).unwrap();
    burning.push_back(&mut objects, b).unwrap();
    let copy = things[b].clone();
    let d = things.insert(copy.clone());
    things.replace(a, copy.clone()).unwrap();
    things.replace(b, thing(9)).unwrap();
    things.modify(c, |thing| *thing = copy).unwrap();
    assert!(Links::<Id>::children(&things, a).eq([b, c]));
    assert_eq!(Links::<Id>::parent(&things, d), None);
    assert!(things.observers().1.iter(&things).eq([b]));
    assert_eq!(Links::<Id>::check(&things, [a, b, c, d]), Ok(()));
    assert_eq!(things[b].number, 9);
}

/// A drain yields all in slot order, and what is not pulled is removed when it is dropped.
#[test]
fn a_drain_removes_everything() {
    for count in [300, scaled(40_000, 600) as u32] {
        let mut numbers = Table::with(Arena::from_iter(0..count), Tree::new());
        assert!(numbers.drain().map(|(_, number)| number).eq(0..count));
        let mut dense = Table::with(DenseArena::from_iter(0..count), Tree::new());
        assert_eq!(dense.drain().take(3).count(), 3);
        assert!(dense.is_empty() && numbers.is_empty());
    }
}

/// Observers of which there may be none or many are edited and go back with the others.
#[test]
fn observers_that_may_be_missing_go_back_with_the_others() {
    let by_number: Option<ByNumber> = Some(IndexBy::new(MultiIndex::new(), |thing| thing.number));
    let lists = vec![KeyList::new(), KeyList::new()];
    let mut things = Table::with(Arena::new(), (Some(Tree::new()), by_number, lists));
    let [a, b] = [1, 2].map(|number| things.insert(thing(number)));
    let before = things.checkpoint();
    let (objects, (tree, by_number, lists)) = things.edit();
    tree.edited().expect("there is one").append(objects, a, b).expect("both are there");
    assert_eq!(by_number.edited().expect("there is one").get(&2), [b]);
    assert!(lists.iter().all(KeyList::is_empty));
    things.remove(a);
    things.rollback(before).expect("it is held");
    let (tree, by_number, _) = things.observers();
    assert_eq!(by_number.as_ref().map(|index| index.get(&1)), Some(&[a][..]));
    assert_eq!(tree.as_ref().and_then(|tree| tree.parent(b)), None);
}
