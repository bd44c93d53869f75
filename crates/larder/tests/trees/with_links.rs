//! A table tells what its objects are linked in: nothing stays linked by forgetting.

use core::cell::Cell;

use larder::{
    Arena, Handle, Tree,
    containers::Container,
    key::BareHandle,
    track::{Edit, Insert, Objects, Observer, Refusal, Table, Track},
    trees::{Buckets, KeyList, Links, RemovalQueue},
};

use larder_testing::caught::attempt;
use larder_testing::common::{SplitMix, scaled, thorough};

/// A tree, two lists, and two kinds.
type Beside<K> = (Tree<K>, [KeyList<K>; 2], Buckets<K, 2>);
type World = Table<Arena<u32>, Beside<Handle<u32>>>;

/// Nothing says what something else denies, and all that is linked is there.
fn validate<C: Track>(world: &Table<C, Beside<C::Key>>, keys: &[C::Key]) {
    validate_beside(&**world, world.observers(), keys);
}

fn validate_beside<C: Container>(
    world: &C,
    (tree, lists, kinds): &Beside<C::Key>,
    keys: &[C::Key],
) {
    assert_eq!(Links::check(tree, keys.iter().copied()), Ok(()));
    lists.iter().for_each(KeyList::validate);
    kinds.validate();
    let is_there = |key: C::Key| world.contains_key(key);
    for &key in keys {
        assert!(tree.children(key).all(is_there) && tree.parent(key).is_none_or(is_there));
        assert!(is_there(key) || !tree.contains_key(key));
    }
    assert!(tree.roots().all(is_there));
    for list in lists {
        assert!(list.iter().all(is_there));
        assert_eq!(list.len(), keys.iter().filter(|&&key| list.contains(key)).count());
    }
    for kind in 0..2 {
        assert!(kinds.iter(kind).all(is_there));
        let members = keys.iter().filter(|&&key| kinds.bucket_of(key) == Some(kind));
        assert_eq!(kinds.count(kind), members.count());
    }
}

/// 0 has 1 and 4, 1 has 2 and 3; all are in everything.
fn family() -> (World, Vec<Handle<u32>>) {
    let mut world = World::default();
    let keys: Vec<_> = (0..5).map(|number| world.insert(number)).collect();
    let (objects, (tree, mut lists, kinds)) = world.edit();
    for (parent, child) in [(0, 1), (1, 2), (1, 3), (0, 4)] {
        tree.append(objects, keys[parent], keys[child]).unwrap();
    }
    for (at, &key) in keys.iter().enumerate() {
        lists.iter_mut().for_each(|list| list.push_back(objects, key).unwrap());
        kinds.set(objects, key, at % 2).unwrap();
    }
    (world, keys)
}

/// Each way to remove: by a condition, taken out, from a queue, by whoever knows but a container, and cut short.
#[test]
fn every_removal_is_told() {
    type Way = fn(&mut World, &[Handle<u32>]);
    let ways: [Way; 5] = [
        |world, _| world.retain(|objects, key| ![1, 3].contains(&objects[key])),
        |world, _| {
            let removed = world.extract_if(|objects, key| [1, 3].contains(&objects[key]));
            assert!(removed.map(|(_, number)| number).eq([1, 3]));
        },
        |world, keys| {
            let mut queue = RemovalQueue::new();
            queue.extend([keys[3], keys[1], keys[3]]);
            queue.apply(|key| world.remove(key));
        },
        |world, keys| {
            let mut other = Tree::new();
            other.append(&*world, keys[3], keys[1]).unwrap();
            assert_eq!(other.remove_subtree(world, keys[3]), 2);
        },
        |world, keys| {
            let removed = attempt(|| {
                world.retain(|_, key| {
                    assert_ne!(key, keys[4], "on the way");
                    key != keys[1] && key != keys[3]
                });
            });
            assert!(removed.is_err());
        },
    ];
    for way in ways {
        let (mut world, keys) = family();
        way(&mut world, &keys);
        validate(&world, &keys);
        assert!(world.values().eq(&[0, 2, 4]));
        assert!(world.observers().1[0].iter().eq([0, 2, 4].map(|at| keys[at])));
        assert_eq!([0, 1].map(|kind| world.observers().2.count(kind)), [3, 0]);
    }
}

/// Random linking and removing, over a container and a key of each sort.
fn histories<C: Insert<Value = u32> + Default>() {
    for seed in 0..thorough(30, 1) as u64 {
        let mut random = SplitMix::new(seed);
        let mut world = Table::<C, Beside<C::Key>>::default();
        let mut keys = vec![];
        for _ in 0..scaled(200, 25) {
            if random.below(3) == 0 || keys.is_empty() {
                let key = world.insert(1);
                keys.retain(|&known| known != key); // a slot's key comes back
                keys.push(key);
            }
            let [a, b] = [(); 2].map(|()| keys[random.below(keys.len())]);
            let (objects, (tree, lists, kinds)) = world.edit();
            let [has_a, has_b] = [a, b].map(|key| objects.contains_key(key));
            match random.below(8) {
                0 | 1 => assert!(tree.append(objects, a, b).is_ok() <= (has_a && has_b)),
                2 => drop(tree.insert_before(objects, a, b)),
                3 | 4 => drop(lists[random.below(2)].push_back(objects, a)),
                5 => assert_eq!(kinds.set(objects, a, random.below(2)).is_ok(), has_a),
                6 => assert_eq!(world.remove(a).is_some(), has_a),
                _ => _ = world.remove_subtree(|(tree, ..)| tree, a, |_, _| ()),
            }
            validate(&world, &keys);
        }
    }
}

/// (Handles are those of the random histories of tables.)
#[test]
fn histories_over_other_keys() {
    histories::<Arena<u32, BareHandle<u32>>>();
    histories::<Arena<u32, larder::Handle32<u32, 30>>>();
}

/// A companion that unlinks nothing, though it says so, is not walked for ever.
#[test]
fn a_companion_that_unlinks_nothing_ends_the_walk() {
    struct Deaf(Tree<Handle<u32>>, Cell<usize>);
    impl Observer<Arena<u32>> for Deaf {
        fn remove(&mut self, _: &mut Objects<'_, Arena<u32>>, _: Handle<u32>) {
            self.1.set(self.1.get() + 1);
        }

        fn rebuild(&mut self, _: &mut Objects<'_, Arena<u32>>) -> Result<(), Refusal<Handle<u32>>> {
            Ok(())
        }
    }
    impl Edit for Deaf {
        type Edited<'a> = &'a mut Self;

        fn edited(&mut self) -> &mut Self {
            self
        }
    }
    let mut world = Table::with(Arena::new(), Deaf(Tree::new(), Cell::new(0)));
    let keys: Vec<_> = (0..3).map(|number| world.insert(number)).collect();
    let (objects, deaf) = world.edit();
    keys[1..].iter().for_each(|&key| deaf.0.append(objects, keys[0], key).unwrap());
    assert_eq!(world.remove_subtree(|deaf| &deaf.0, keys[0], |_, _| ()), 1);
    assert_eq!((world.observers().1.get(), world.len()), (1, 2));
}

#[test]
fn a_saved_world_comes_back_and_a_torn_one_is_mended() {
    let (mut world, keys) = family();
    world.remove(keys[4]);
    let json = serde_json::to_string(&world).unwrap();
    let copy: World = serde_json::from_str(&json).unwrap();
    validate(&copy, &keys);
    assert!(copy.observers().0.descendants(keys[0]).eq(world.observers().0.descendants(keys[0])));

    let (world, keys) = family();
    let (mut container, observers) = world.into_parts();
    container.remove(keys[1]);
    #[derive(serde::Serialize)]
    struct Torn<C, O> {
        container: C,
        observers: O,
    }
    let bytes = postcard::to_allocvec(&Torn { container, observers }).unwrap();
    let copy: World = postcard::from_bytes(&bytes).unwrap();
    validate(&copy, &keys);
    assert_eq!((copy.len(), copy.observers().1[0].len()), (4, 4));
}
