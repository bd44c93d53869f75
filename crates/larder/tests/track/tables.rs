//! Tables: containers of every kind together with what refers to their objects, changed and taken back as one.

use larder::containers::Container;
use larder::indices::UniqueIndex;
use larder::track::{Objects, Observer, Refusal, Reversible, Table, Tracked, Versioned};
use larder::trees::{InObjects, InsertionOrder, IntrusiveList, KeyList, Links};
use larder::{Arena, DenseArena, Handle, Pool, SecondaryMap, Tree};
use larder_testing::caught::{panicking_after, step};
use larder_testing::combinations::{Id, Thing};
use larder_testing::common::{Drops, scaled};

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

    fn settle(&mut self, _: Option<Handle<u32>>) {
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
        Table::with(Arena::from_iter([2_u32, 4]), (every, Some(Even::default()), [KeyList::new()]));
    let six = numbers.insert(6);
    let refused = numbers.try_insert(7).unwrap_err();
    assert_eq!((refused.value, refused.reason.to_string()), (7, String::from("the number is odd")));
    assert!(numbers.replace(six, 8).is_ok() && numbers.modify(six, |number| *number += 1).is_err());
    assert_eq!(numbers.observers().1.as_ref().unwrap().count, 3);
    numbers.clear();
    assert_eq!(numbers.observers().1.as_ref().unwrap().count, 0);
    let odd = Table::try_with(Arena::from_iter([1_u32]), UniqueRefusal);
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
        Table::with(Arena::new(), (InObjects, vec![Versioned::new(IntrusiveList::numbered(1))]));
    let [a, b, c] = [1, 2, 3].map(|number| things.insert(Thing::new(number)));
    let (mut objects, (_, lists)) = things.linking();
    Links::append(&mut objects, a, b).unwrap();
    Links::append(&mut objects, a, c).unwrap();
    lists.edited(0).unwrap().push_back(&mut objects, b).unwrap();
    let copy = things[b].clone();
    let d = things.insert(copy.clone());
    things.replace(a, copy.clone()).unwrap();
    things.replace(b, Thing::new(9)).unwrap();
    things.modify(c, |thing| *thing = copy).unwrap();
    assert!(Links::<Id>::children(&things, a).eq([b, c]));
    assert_eq!(Links::<Id>::parent(&things, d), None);
    assert!(things.observers().1[0].iter(&things).eq([b]));
    assert_eq!(Links::<Id>::check(&things, [a, b, c, d]), Ok(()));
    assert_eq!(things[b].number.0, 9);
}

/// A value whose `Clone` may panic.
struct Fragile;

impl Clone for Fragile {
    fn clone(&self) -> Self {
        step();
        Self
    }
}

/// Side data begins with that of the objects there are; where it cannot be recorded, its object stays, too.
#[test]
fn side_data_is_of_its_objects() {
    fn has<C: Container>(things: &C, key: C::Key) -> bool {
        things.contains_key(key)
    }
    let mut things = Arena::new();
    let [thing, gone] = [1, 2].map(|number| things.insert(number));
    let (mut ages, mut names) = (Tracked::new(SecondaryMap::new()), SecondaryMap::new());
    for key in [thing, gone] {
        ages.insert(key, Fragile);
        names.insert(key, "wren");
    }
    things.remove(gone);
    let mut things = Table::with(things, (vec![ages], names));
    type Named = SecondaryMap<Handle<u32>, &'static str>;
    type Aged = Vec<Tracked<SecondaryMap<Handle<u32>, Fragile>>>;
    let lens = |things: &Table<Arena<u32>, (Aged, Named)>| {
        [things.observers().0[0].len(), things.observers().1.len()]
    };
    assert_eq!((lens(&things), has(&things, thing), has(&things, gone)), ([1, 1], true, false));
    things.edit().1.0.edited(0).unwrap().checkpoint();
    assert!(panicking_after(0, || _ = things.remove(thing)));
    assert_eq!((lens(&things), has(&things, thing)), ([1, 1], true));
    assert_eq!((things.remove(thing), lens(&things)), (Some(1), [0, 0]));
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

/// If the pool's function panics, the object is gone everywhere, whichever key it is, and what was beside it is dropped.
#[test]
fn an_object_whose_recycling_panics_is_gone_everywhere() {
    let drops = Drops::default();
    let beside = (
        InsertionOrder::new(),
        Tree::new(),
        SecondaryMap::new(),
        UniqueIndex::by(|number: &u32| *number),
    );
    let mut things = Table::with(Pool::recycling(|| 0, |_| step()), beside);
    let keys: Vec<_> = (0..9).map(|number| things.insert(number)).collect();
    let (objects, (_, tree, side, _)) = things.edit();
    for (pair, number) in keys.windows(2).zip(0..) {
        tree.append(objects, pair[0], pair[1]).unwrap();
        side.insert(pair[0], drops.object(number));
    }
    for (gone, &key) in (1..).zip(&keys) {
        assert!(panicking_after(0, || _ = things.recycle(key)));
        assert!(!things.contains_key(key) && !things.recycle(key));
        let (order, tree, side, by_number) = things.observers();
        assert!(order.iter().eq(keys[gone..].iter().copied()));
        assert!(tree.first_child(key).is_none() && side.get(key).is_none());
        assert_eq!((drops.count(), by_number.len()), (gone.min(8), 9 - gone));
        assert_eq!(things.len(), 9 - gone);
    }
    assert!(things.insert(3).slot() < 9, "slots are used again");
}
