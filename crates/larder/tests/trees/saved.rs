//! Hierarchies, lists and kinds saved and loaded; hostile files are errors.

use larder::{
    Arena, Handle, Tree,
    trees::{Buckets, IntrusiveList, KeyList, Link, Links, RemovalQueue},
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use larder_testing::common::{SplitMix, scaled, thorough};

/// Through a format whose fields have names, and through one whose fields have none.
fn copies<T: Serialize + DeserializeOwned>(original: &T) -> [T; 2] {
    let json = serde_json::to_string(original).unwrap();
    let bytes = postcard::to_allocvec(original).unwrap();
    [serde_json::from_str(&json).unwrap(), postcard::from_bytes(&bytes).unwrap()]
}

fn refused<T: DeserializeOwned>(form: &impl Serialize) -> String {
    let json = serde_json::to_string(form).unwrap();
    let error = serde_json::from_str::<T>(&json).map(drop).unwrap_err();
    error.to_string()
}

#[test]
fn trees_come_back_as_they_were() {
    for seed in 0..thorough(50, 2) as u64 {
        let mut random = SplitMix::new(seed);
        let mut things = Arena::from_iter(0..600);
        let keys: Vec<_> = things.keys().collect();
        let mut tree = Tree::new();
        for (at, &key) in keys.iter().enumerate().skip(1) {
            if random.below(10) > 0 {
                tree.append(&things, keys[random.below(at)], key).unwrap();
            }
        }
        things.remove(keys[random.below(600)]);
        for copy in copies(&tree) {
            assert_eq!(format!("{copy:?}"), format!("{tree:?}"));
            assert!(copy.roots().eq(tree.roots()));
            for root in tree.roots() {
                assert!(copy.descendants(root).eq(tree.descendants(root)));
                assert!(copy.descendants_post_order(root).eq(tree.descendants_post_order(root)));
            }
        }
    }
}

#[test]
fn a_million_deep_tree_is_saved_and_loaded() {
    let count = scaled(200_000, 100);
    let things: Arena<_> = (0..count).collect();
    let keys: Vec<_> = things.keys().collect();
    let mut tree = Tree::new();
    for pair in keys.windows(2) {
        tree.append(&things, pair[0], pair[1]).unwrap();
    }
    let bytes = postcard::to_allocvec(&tree).unwrap();
    let copy: Tree<Handle<usize>> = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(copy.descendants(keys[0]).count(), count - 1);
}

#[test]
fn lists_and_kinds_come_back_in_their_order() {
    let things = Arena::from_iter(0..40);
    let keys: Vec<_> = things.keys().collect();
    let (mut list, mut kinds) = (KeyList::new(), Buckets::<_, 3>::new());
    for &key in keys.iter().rev().step_by(2) {
        list.push_back(&things, key).unwrap();
        kinds.set(&things, key, things[key] as usize % 3).unwrap();
    }
    for mut copy in copies(&list) {
        assert!(copy.iter().eq(list.iter()));
        copy.push_back(&things, keys[0]).unwrap();
        assert_eq!((copy.len(), copy.last()), (list.len() + 1, Some(keys[0])));
    }
    for copy in copies(&kinds) {
        assert!((0..3).all(|kind| copy.iter(kind).eq(kinds.iter(kind))));
        assert!((0..3).all(|kind| copy.count(kind) == kinds.count(kind)));
    }
}

#[test]
fn a_world_with_links_in_its_objects_is_saved_whole() {
    #[derive(Serialize, Deserialize)]
    struct Object {
        family: Links<Handle<Object>>,
    }
    impl AsRef<Links<Handle<Object>>> for Object {
        fn as_ref(&self) -> &Links<Handle<Object>> {
            &self.family
        }
    }
    impl AsMut<Links<Handle<Object>>> for Object {
        fn as_mut(&mut self) -> &mut Links<Handle<Object>> {
            &mut self.family
        }
    }
    let mut world: Arena<_> = (0..6).map(|_| Object { family: Links::new() }).collect();
    let keys: Vec<_> = world.keys().collect();
    for pair in keys.windows(2) {
        Links::prepend(&mut world, pair[0], pair[1]).unwrap();
    }
    for mut copy in copies(&world) {
        assert_eq!(Links::check(&copy, copy.keys()), Ok(()));
        assert!(Links::descendants(&copy, keys[0]).eq(keys[1..].iter().copied()));
        assert_eq!(Links::remove_subtree(&mut copy, keys[0]), 6);
    }
}

/// The objects with their links, and the list that they are members of, in one file.
#[test]
fn a_list_through_the_objects_is_saved_with_them() {
    #[derive(Serialize, Deserialize)]
    struct Object {
        playing: Link<Handle<Object>>,
    }
    impl AsRef<Link<Handle<Object>>> for Object {
        fn as_ref(&self) -> &Link<Handle<Object>> {
            &self.playing
        }
    }
    impl AsMut<Link<Handle<Object>>> for Object {
        fn as_mut(&mut self) -> &mut Link<Handle<Object>> {
            &mut self.playing
        }
    }
    let mut objects: Arena<Object> = (0..5).map(|_| Object { playing: Link::new() }).collect();
    let keys: Vec<_> = objects.keys().collect();
    let mut lists = [IntrusiveList::numbered(3), IntrusiveList::numbered(4)];
    for at in [4, 0, 2] {
        lists[0].push_back(&mut objects, keys[at]).unwrap();
    }
    lists[1].push_back(&mut objects, keys[1]).unwrap();
    for (mut objects, mut lists) in copies(&(objects, lists)) {
        assert!(lists[0].iter(&objects).eq([4, 0, 2].map(|at| keys[at])));
        assert!(lists[1].iter(&objects).eq([keys[1]]));
        assert!(lists.iter().all(|list| list.check(&objects, objects.keys()) == Ok(())));
        // They go on as if they had never been away.
        assert!(lists[1].push_back(&mut objects, keys[2]).is_err());
        lists[1].push_back(&mut objects, keys[3]).unwrap();
        assert_eq!(lists[0].remove_and_next(&mut objects, keys[0]), Some(keys[2]));
        assert_eq!([lists[0].len(), lists[1].len()], [2, 2]);
    }
}

#[test]
fn what_is_to_be_removed_later_is_saved_in_its_order() {
    let mut things = Arena::from_iter(0..4);
    let keys: Vec<_> = things.keys().collect();
    let mut queue = RemovalQueue::new();
    queue.extend([keys[2], keys[0], keys[2]]);
    for mut copy in copies(&queue) {
        let mut order = Vec::new();
        copy.apply(|key| order.push(key));
        assert_eq!(order, [keys[2], keys[0], keys[2]]);
    }
    queue.apply(|key| things.remove(key));
    assert!(things.values().eq(&[1, 3]));
}

/// A key as JSON has it.
#[derive(Serialize)]
struct Parts {
    idx: u32,
    version: u32,
}

const fn key(idx: u32, version: u32) -> Parts {
    Parts { idx, version }
}

#[test]
fn hostile_files_are_errors() {
    type OfBytes = Tree<Handle<u8>>;
    let said = refused::<OfBytes>(&[(0, key(0, 1)), (2, key(1, 1))]);
    assert!(said.contains("1v1 is more than one level below"), "{said}");
    let said = refused::<OfBytes>(&[(0, key(0, 1)), (1, key(1, 1)), (2, key(0, 1))]);
    assert!(said.contains("0v1 is in the tree twice"), "{said}");
    let said = refused::<OfBytes>(&[(0, key(0, 1)), (1, key(0, 1))]);
    assert!(said.contains("that is itself"), "{said}");
    let said = refused::<OfBytes>(&[(0, key(0, 1)), (1, key(1, 1)), (1, key(1, 3))]);
    assert!(said.contains("there is no 1v3"), "{said}");
    refused::<OfBytes>(&[(0, key(0, 2))]);

    let said = refused::<KeyList<Handle<u8>>>(&[key(3, 1), key(4, 1), key(3, 1)]);
    assert!(said.contains("3v1 is in a list already"), "{said}");
    refused::<KeyList<Handle<u8>>>(&[key(3, 1), key(3, 3)]);

    let said = refused::<Buckets<Handle<u8>, 2>>(&[[key(0, 1)]]);
    assert!(said.contains("there are 2 buckets, not 1"), "{said}");
    let said = refused::<Buckets<Handle<u8>, 2>>(&[[key(0, 1)], [key(0, 1)]]);
    assert!(said.contains("0v1 is in a list already"), "{said}");
}

/// A file may name any slot: the memory is that of the slots up to it.
#[test]
fn a_hostile_slot_is_loaded_and_forgotten() {
    let form = [(0, key(70_000, 1)), (1, key(7, 1))];
    let json = serde_json::to_string(&form).unwrap();
    let mut tree: Tree<Handle<u8>> = serde_json::from_str(&json).unwrap();
    assert_eq!(tree.roots().count(), 1);
    let mut bytes = Arena::new();
    bytes.insert(1_u8);
    tree.retain_live(&bytes);
    tree.shrink_to_fit();
    assert_eq!(tree.roots().count(), 0);
}
