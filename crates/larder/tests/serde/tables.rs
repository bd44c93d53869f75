//! Tables: what is wrong in their form is an error, and observers agree with the objects that were loaded.

use larder::track::{Objects, Observer, Refusal, Reversible, Table, Tracked, Versioned};
use larder::trees::{Buckets, InObjects, InsertionOrder, KeyList, Links, Tree, link_field};
use serde::Deserialize;

use super::*;

type Id = Handle<u32>;
type Order = Versioned<InsertionOrder<Id>>;
type Beside = (Tree<Id>, KeyList<Id>, Buckets<Id, 2>, Order, Tracked<SecondaryMap<Id, u8>>);
type World = Table<Arena<u32>, Beside>;

/// The form of a table.
#[derive(Serialize)]
struct Form<C, O> {
    container: C,
    observers: O,
}

/// 0 has 1, 1 has 2, 2 has 3; all are in everything, in descending order where there is one.
fn world() -> (World, [Id; 4]) {
    let mut world = World::default();
    let keys = [0, 1, 2, 3].map(|number| world.insert(number));
    let (objects, (tree, list, kinds, _, side)) = world.edit();
    for (at, &key) in keys.iter().enumerate() {
        list.push_front(objects, key).unwrap();
        kinds.set(objects, key, at % 2).unwrap();
        side.insert(key, at as u8);
        if at > 0 {
            tree.append(objects, keys[at - 1], key).unwrap();
        }
    }
    (world, keys)
}

#[test]
fn a_table_goes_on_where_it_was() {
    let (mut world, keys) = world();
    world.remove(keys[0]);
    let late = world.insert(9);
    for mut copy in [through_json(&world), through_postcard(&world)] {
        let (tree, list, kinds, order, side) = copy.observers();
        assert!(tree.descendants(keys[1]).eq([keys[2], keys[3]]));
        assert!(list.iter().eq([keys[3], keys[2], keys[1]]));
        assert_eq!((kinds.count(0), kinds.count(1), side.len()), (1, 2, 3));
        assert!(order.iter().eq([keys[1], keys[2], keys[3], late]));
        let before = copy.checkpoint();
        assert_eq!((copy.remove(keys[1]), copy.observers().4.len()), (Some(1), 2));
        copy.rollback(before).unwrap();
        assert_eq!(copy.observers().0.parent(keys[2]), Some(keys[1]));
    }
}

/// Observers that were saved beside more objects, or fewer.
#[test]
fn observers_agree_with_the_objects_that_are_loaded() {
    for removed in 0..4 {
        let (world, keys) = world();
        let (mut container, observers) = world.into_parts();
        container.remove(keys[removed]);
        let more = [8, 9].map(|number| container.insert(number));
        let form = Form { container, observers };
        let json = to_json(&form);
        let bytes = to_postcard(&form);
        let copies: [World; 2] = [from_json(&json).unwrap(), from_postcard(&bytes).unwrap()];
        let left: Vec<_> = keys.into_iter().filter(|&key| key != keys[removed]).collect();
        for copy in copies {
            let (tree, list, kinds, order, side) = copy.observers();
            assert_eq!(Links::check(tree, copy.keys()), Ok(()));
            assert!(!tree.contains_key(keys[removed]));
            assert!(list.iter().eq(left.iter().rev().copied()));
            assert_eq!(kinds.count(0) + kinds.count(1), 3);
            assert!(order.iter().eq(left.iter().copied().chain(order_of(&copy, more))));
            assert!(side.keys().eq(left.iter().copied()));
        }
    }
}

/// In slot order, in which an order takes in what it does not know of.
fn order_of(world: &World, mut keys: [Id; 2]) -> [Id; 2] {
    assert!(keys.iter().all(|&key| world.contains_key(key)));
    keys.sort_by_key(|key| key.slot());
    keys
}

#[derive(Clone, Serialize, Deserialize)]
struct Thing {
    family: Links<Handle<Thing>>,
}
link_field!(Thing.family: Links<Handle<Thing>>);

#[test]
fn gaps_in_links_inside_the_objects_are_closed() {
    let mut things: Arena<Thing> = (0..5).map(|_| Thing { family: Links::new() }).collect();
    let keys: Vec<_> = things.keys().collect();
    keys[1..].iter().for_each(|&child| Links::append(&mut things, keys[0], child).unwrap());
    things.remove(keys[2]);
    assert!(Links::check(&things, things.keys()).is_err());
    let json = to_json(&Form { container: things, observers: InObjects });
    let things: Table<Arena<Thing>, InObjects> = from_json(&json).unwrap();
    assert_eq!(Links::check(&things, things.keys()), Ok(()));
    assert!(Links::children(&things, keys[0]).eq([keys[1], keys[3], keys[4]]));
}

/// Refuses numbers that together are above a limit.
#[derive(Default, Serialize, Deserialize)]
struct Limit(u32);

impl Observer<Arena<u32>> for Limit {
    fn remove(&mut self, _: &mut Objects<'_, Arena<u32>>, _: Id) {}

    fn rebuild(&mut self, numbers: &mut Objects<'_, Arena<u32>>) -> Result<(), Refusal<Id>> {
        let is_below = numbers.values().sum::<u32>() <= self.0;
        is_below.then_some(()).ok_or(Refusal::Other("the sum is above the limit"))
    }
}

fn error_of<T: DeserializeOwned>(json: &str) -> String {
    from_json::<T>(json).map(drop).unwrap_err().to_string()
}

#[test]
fn hostile_tables_are_errors() {
    type Limited = Table<Arena<u32>, Limit>;
    let container: Arena<u32> = (0..4).collect();
    let form = |observers| to_json(&Form { container: &container, observers });
    assert!(from_json::<Limited>(&form(6)).is_ok());
    let said = error_of::<Limited>(&form(5));
    assert!(said.contains("the sum is above the limit"), "{said}");

    let said = error_of::<Limited>(&form(6).replacen("observers", "links", 1));
    assert!(said.contains("unknown field `links`"), "{said}");
    let said = error_of::<Limited>(&form(6).replacen('{', "{\"more\":1,", 1));
    assert!(said.contains("unknown field `more`"), "{said}");
    assert!(error_of::<Limited>("{\"observers\":6}").contains("missing field `container`"));

    let keys: Vec<_> = container.keys().collect();
    let twice = Form { container: &container, observers: [keys[1], keys[2], keys[1]] };
    let json = to_json(&twice);
    for said in [
        error_of::<Table<Arena<u32>, KeyList<Id>>>(&json),
        error_of::<Table<Arena<u32>, InsertionOrder<Id>>>(&json),
    ] {
        assert!(said.contains("1v1 is in a list already"), "{said}");
    }
    let cut = to_postcard(&twice);
    for len in 0..cut.len() {
        assert!(from_postcard::<Table<Arena<u32>, KeyList<Id>>>(&cut[..len]).is_err());
    }
}
