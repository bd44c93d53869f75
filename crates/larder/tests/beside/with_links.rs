//! A container that tells what its objects are linked in: nothing stays linked by forgetting.

use core::cell::Cell;

use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Pool, SecondaryMap, SoaArena, Tree,
    containers::{Container, RowContainer},
    indices::{Indexed, MultiIndex, SortedIndex},
    key::BareHandle,
    maps::SparseSecondaryMap,
    soa::Fill,
    trees::{AutoUnlink, Buckets, InsertionOrder, KeyList, Links, RemovalQueue, Unlink},
};

use larder_testing::caught::{attempt, panicking_after, step};
use larder_testing::common::{SplitMix, panic_text, scaled, thorough};

/// A tree, two lists, and two kinds.
type Beside<K> = (Tree<K>, [KeyList<K>; 2], Buckets<K, 2>);
type World = AutoUnlink<Arena<u32>, Beside<Handle<u32>>>;

/// Nothing says what something else denies, and all that is linked is there.
fn validate<C>(world: &AutoUnlink<C, Beside<C::Key>>, keys: &[C::Key])
where
    C: Container,
    Beside<C::Key>: Unlink<C>,
{
    let (tree, lists, kinds) = world.links();
    assert_eq!(Links::check(tree, keys.iter().copied()), Ok(()));
    lists.iter().for_each(KeyList::validate);
    kinds.validate();
    let is_there = |key: C::Key| Container::contains_key(world, key);
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
    let (objects, (tree, lists, kinds)) = world.parts_mut();
    for (parent, child) in [(0, 1), (1, 2), (1, 3), (0, 4)] {
        tree.append(objects, keys[parent], keys[child]).unwrap();
    }
    for (at, &key) in keys.iter().enumerate() {
        lists.iter_mut().for_each(|list| list.push_back(objects, key).unwrap());
        kinds.set(objects, key, at % 2).unwrap();
    }
    (world, keys)
}

#[test]
fn e17_an_object_goes_from_a_tree_two_lists_and_its_kind() {
    let (mut world, keys) = family();
    assert_eq!(world.remove_subtree(|(tree, ..)| tree, keys[1]), 3);
    validate(&world, &keys);
    let (tree, lists, kinds) = world.links();
    assert!(tree.children(keys[0]).eq([keys[4]]));
    assert!(lists.iter().all(|list| list.iter().eq([keys[0], keys[4]])));
    assert_eq!([kinds.count(0), kinds.count(1)], [2, 0]);

    assert_eq!(world.remove(keys[0]), Some(0));
    assert_eq!(world.remove(keys[0]), None);
    validate(&world, &keys);
    assert_eq!(world.links().0.parent(keys[4]), None);
    assert_eq!((world.len(), world.links().1[1].len(), world.links().2.count(0)), (1, 1, 1));
}

/// Each way to remove: by a condition, in a change, from a queue, by whoever knows but a container.
#[test]
fn every_removal_is_told() {
    type Way = fn(&mut World, &[Handle<u32>]);
    let ways: [Way; 5] = [
        |world, _| world.retain(|_, number| *number != 1 && *number != 3),
        |world, _| world.change(|objects| objects.retain(|_, number| *number != 1 && *number != 3)),
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
                world.change(|objects| {
                    objects.remove(keys[1]);
                    objects.remove(keys[3]);
                    panic!("on the way")
                })
            });
            assert!(removed.is_err());
        },
    ];
    for way in ways {
        let (mut world, keys) = family();
        way(&mut world, &keys);
        validate(&world, &keys);
        assert!(world.values().eq(&[0, 2, 4]));
        assert!(world.links().1[0].iter().eq([0, 2, 4].map(|at| keys[at])));
        assert_eq!([0, 1].map(|kind| world.links().2.count(kind)), [3, 0]);
    }
}

/// With indices around it all: one removal, from everything.
#[test]
fn e17_a_row_goes_from_its_indices_too() {
    let (world, keys) = family();
    let by_parity = MultiIndex::by(|number: &u32| number % 2);
    let by_number = SortedIndex::by(|number: &u32| *number);
    let mut rows = Indexed::new(world, (by_parity, by_number));
    let late = rows.insert(9).unwrap();
    let (objects, (tree, lists, kinds)) = rows.parts_mut();
    tree.append(objects, keys[3], late).unwrap();
    lists[1].push_front(objects, late).unwrap();
    kinds.set(objects, late, 0).unwrap();
    assert_eq!(rows.remove_subtree(|(tree, ..)| tree, keys[1]), 4);
    let known = [&keys[..], &[late]].concat();
    validate(rows.container(), &known);
    assert!(rows.container().links().0.children(keys[0]).eq([keys[4]]));
    let (by_parity, by_number) = rows.indices();
    assert_eq!((by_parity.get(&0).len(), by_parity.get(&1).len(), by_number.len()), (2, 0, 2));

    rows.replace(keys[4], 5).unwrap();
    rows.retain(|_, number| *number == 5);
    validate(rows.container(), &known);
    assert_eq!((rows.indices().0.get(&1), rows.container().len()), (&[keys[4]][..], 1));
    assert!(rows.container().links().1.iter().all(|list| list.iter().eq([keys[4]])));
}

/// Random linking and removing, over a container and a key of each sort.
fn histories<C>(mut insert: impl FnMut(&mut AutoUnlink<C, Beside<C::Key>>) -> C::Key)
where
    C: Container + Default,
{
    for seed in 0..thorough(30, 1) as u64 {
        let mut random = SplitMix::new(seed);
        let mut world = AutoUnlink::<C, Beside<C::Key>>::default();
        let mut keys = vec![];
        for _ in 0..scaled(200, 25) {
            if random.below(3) == 0 || keys.is_empty() {
                let key = insert(&mut world);
                keys.retain(|&known| known != key); // a slot's key comes back
                keys.push(key);
            }
            let [a, b] = [(); 2].map(|()| keys[random.below(keys.len())]);
            let (objects, (tree, lists, kinds)) = world.parts_mut();
            let [has_a, has_b] = [a, b].map(|key| objects.contains_key(key));
            match random.below(8) {
                0 | 1 => assert!(tree.append(objects, a, b).is_ok() <= (has_a && has_b)),
                2 => drop(tree.insert_before(objects, a, b)),
                3 | 4 => drop(lists[random.below(2)].push_back(objects, a)),
                5 => assert_eq!(kinds.set(objects, a, random.below(2)).is_ok(), has_a),
                6 => assert_eq!(world.remove(a).is_some(), has_a),
                _ => drop(world.remove_subtree(|(tree, ..)| tree, a)),
            }
            validate(&world, &keys);
        }
    }
}

macro_rules! histories {
    ($($name:ident: $container:ty, $value:expr;)*) => {$(
        #[test]
        fn $name() {
            histories::<$container>(|world| world.try_insert($value).unwrap());
        }
    )*};
}

histories! {
    histories_over_rows: Arena<u32>, 1;
    histories_over_packed_rows: DenseArena<u32>, 1;
    histories_over_slots: Arena<u32, BareHandle<u32>>, 1;
    histories_over_two_bits: Arena<u32, larder::Handle32<u32, 30>>, 1;
    histories_over_serials: Arena<u32, larder::key::Serial<u32>>, 1;
}

#[test]
fn histories_over_columns() {
    histories::<SoaArena<u32>>(|world| world.change(|objects| objects.insert(1)));
    histories::<DenseSoaArena<u32>>(|world| world.change(|objects| objects.insert(1)));
}

#[test]
fn objects_are_read_and_changed_as_in_the_container() {
    let mut world = AutoUnlink::new(Pool::new(|| 0), Tree::new());
    let [a, b] = [1, 2].map(|number| world.insert(number));
    world[a] += 10;
    *world.get_mut(b).unwrap() += 20;
    assert_eq!((world[a], world.len(), world.get(b)), (11, 2, Some(&22)));
    (&mut world).into_iter().for_each(|(_, number)| *number += 1);
    assert!((&world).into_iter().map(|(key, number)| (key, *number)).eq([(a, 12), (b, 23)]));
    assert_eq!(RowContainer::iter(&world).count(), 2);
    assert_eq!(world.remove(a), Some(()));
    assert!(panic_text(|| world[a]).contains("Pool"));
}

/// An object whose `Drop` may panic.
struct Fragile;

impl Drop for Fragile {
    fn drop(&mut self) {
        step();
    }
}

impl Fill for Fragile {
    const FILL: Self = Self;
}

/// The value that filled the place of an object is dropped when the object is there, and panics.
#[test]
fn an_object_that_is_there_when_inserting_panics_is_in_the_order() {
    let mut pool = AutoUnlink::new(Pool::new(|| Fragile), InsertionOrder::new());
    let mut columns = AutoUnlink::new(SoaArena::new(), (Tree::new(), InsertionOrder::new()));
    for count in 0..4 {
        let before = pool.insert(Fragile);
        pool.remove(before);
        assert!(panicking_after(0, || _ = pool.insert(Fragile)));
        assert_eq!(pool.len(), count + 1);
        assert!(pool.links().iter().eq(pool.keys()));
        pool.links().validate();

        let before = columns.insert((Fragile, count));
        columns.remove(before);
        assert!(panicking_after(0, || _ = columns.insert((Fragile, count))));
        assert_eq!(columns.len(), count + 1);
        let (_, order) = columns.links();
        assert!(order.iter().eq(columns.keys()));
        order.validate();
    }
}

/// A panic of the user's on the way leaves what is left whole.
#[test]
fn a_panic_in_the_middle_of_a_subtree() {
    for fails_at in 0..5 {
        let (mut world, keys) = family();
        let mut taken = 0;
        let message = panic_text(|| {
            world.remove_subtree_with(
                |(tree, ..)| tree,
                keys[0],
                |_, _| {
                    assert!(taken < fails_at, "not this one");
                    taken += 1;
                },
            )
        });
        assert_eq!((message.as_str(), world.len()), ("not this one", 4 - fails_at));
        validate(&world, &keys);
    }
    let (mut world, keys) = family();
    panic_text(|| world.retain(|_, number| if *number == 3 { panic!("stop") } else { false }));
    assert_eq!(world.len(), 5);
    validate(&world, &keys);
}

/// A companion that unlinks nothing, though it says so, is not walked for ever.
#[test]
fn a_companion_that_unlinks_nothing_ends_the_walk() {
    struct Deaf(Tree<Handle<u32>>, Cell<usize>);
    impl Unlink<Arena<u32>> for Deaf {
        type Leftover = ();

        fn unlink(&mut self, _: &mut Arena<u32>, _: Handle<u32>) {
            self.1.set(self.1.get() + 1);
        }

        fn retain_live(&mut self, _: &Arena<u32>) {}
    }
    let mut world = AutoUnlink::new(Arena::new(), Deaf(Tree::new(), Cell::new(0)));
    let keys: Vec<_> = (0..3).map(|number| world.insert(number)).collect();
    let (objects, deaf) = world.parts_mut();
    keys[1..].iter().for_each(|&key| deaf.0.append(objects, keys[0], key).unwrap());
    assert_eq!(world.remove_subtree(|deaf| &deaf.0, keys[0]), 1);
    assert_eq!((world.links().1.get(), world.len()), (1, 2));
}

#[test]
fn a_saved_world_comes_back_and_a_torn_one_is_mended() {
    let (mut world, keys) = family();
    world.remove(keys[4]);
    let json = serde_json::to_string(&world).unwrap();
    let copy: World = serde_json::from_str(&json).unwrap();
    validate(&copy, &keys);
    assert!(copy.links().0.descendants(keys[0]).eq(world.links().0.descendants(keys[0])));

    let (world, keys) = family();
    let (mut objects, links) = world.into_parts();
    objects.remove(keys[1]);
    #[derive(serde::Serialize)]
    struct Torn<C, L> {
        container: C,
        links: L,
    }
    let bytes = postcard::to_allocvec(&Torn { container: objects, links }).unwrap();
    let copy: World = postcard::from_bytes(&bytes).unwrap();
    validate(&copy, &keys);
    assert_eq!((copy.len(), copy.links().1[0].len()), (4, 4));
}

/// A step when it is dropped.
#[derive(Debug)]
struct Nervous;

impl Drop for Nervous {
    fn drop(&mut self) {
        step();
    }
}

/// Side data first and last, so that a panic of its `Drop` comes before other links and after.
type Sided = AutoUnlink<
    Arena<Nervous>,
    (
        SecondaryMap<Id, Nervous>,
        (Tree<Id>, InsertionOrder<Id>),
        [SparseSecondaryMap<Id, [Nervous; 2]>; 2],
    ),
>;
type Id = Handle<Nervous>;

/// 0 has 1, which has 2 and 3; all have side data.
fn sided() -> (Sided, [Id; 4]) {
    let mut world = Sided::default();
    let keys = [0; 4].map(|_| world.insert(Nervous));
    let (objects, (near, (tree, _), sparse)) = world.parts_mut();
    for (parent, child) in [(0, 1), (1, 2), (1, 3)] {
        tree.append(objects, keys[parent], keys[child]).unwrap();
    }
    for key in keys {
        near.insert(key, Nervous);
        sparse.iter_mut().for_each(|map| _ = map.insert(key, [Nervous, Nervous]));
    }
    (world, keys)
}

/// Each object has all of its side data, or is not there and has none.
fn validate_sided(world: &Sided) {
    let (near, (tree, order), sparse) = world.links();
    let live: Vec<_> = world.keys().collect();
    assert!(near.keys().eq(live.iter().copied()));
    assert!(order.iter().eq(live.iter().copied()));
    assert!(
        sparse
            .iter()
            .all(|map| map.len() == live.len() && live.iter().all(|&key| map.contains_key(key)))
    );
    assert!(live.iter().all(|&key| tree.children(key).all(|child| world.contains_key(child))));
    assert_eq!(Links::check(tree, live.iter().copied()), Ok(()));
}

/// An object's side data leaves with it, however it is removed, also if a `Drop` panics.
#[test]
fn side_data_leaves_with_its_object() {
    type Way = fn(&mut Sided, &[Id; 4]);
    let ways: [(Way, usize); 5] = [
        (|world, keys| assert!(world.remove(keys[1]).is_some()), 3),
        (|world, keys| assert_eq!(world.remove_subtree(|links| &links.1.0, keys[1]), 3), 1),
        (|world, _| world.retain(|key, _| key.slot() == 2), 1),
        (
            |world, keys| {
                world.change(|objects| drop((objects.remove(keys[0]), objects.remove(keys[2]))))
            },
            2,
        ),
        (|world, _| world.change(Arena::clear), 0),
    ];
    for (remove, left) in ways {
        for steps in 0.. {
            let (mut world, keys) = sided();
            let panicked = panicking_after(steps, || remove(&mut world, &keys));
            validate_sided(&world);
            if !panicked {
                assert_eq!(world.len(), left);
                break;
            }
            if left == 3 {
                assert!(!world.contains_key(keys[1]), "what was removed is removed");
            }
        }
    }
}
