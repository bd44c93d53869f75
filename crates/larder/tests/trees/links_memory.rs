//! The memory of links beside a container, and their behaviour when allocation fails.

use core::fmt::Debug;

use larder::{
    Arena, Handle, SecondaryMap, Tree,
    trees::{Buckets, KeyList, LinkErrorKind, Links, ListError},
};
use serde::de::DeserializeOwned;

use larder_testing::allocator::{live_bytes, refusing_after};
use larder_testing::caught::panic_of;
use larder_testing::common::scaled;
use larder_testing::forge::MadeKey;
use larder_testing::trouble::Refusals;

type Id = Handle<u32>;

/// Keys that a file may name: of one in so many slots.
fn far(count: usize, stride: u32) -> Vec<Id> {
    (0..count as u32).map(|number| Id::made(number * stride + stride - 1, 1)).collect()
}

/// Returns a loaded structure and its memory in bytes.
fn loaded<T: DeserializeOwned>(form: &impl serde::Serialize) -> (T, usize) {
    let bytes = postcard::to_allocvec(form).unwrap();
    let before = live_bytes();
    let loaded = postcard::from_bytes(&bytes).unwrap();
    (loaded, (live_bytes() - before) as usize)
}

fn saved_tree(keys: &[Id]) -> Vec<(u32, Id)> {
    keys.iter().enumerate().map(|(at, &key)| (u32::from(at > 0), key)).collect()
}

/// A file may name any slot: that is memory for all slots below, untouched, or an error.
#[test]
fn a_hostile_file_does_not_end_the_program() {
    fn load<T: DeserializeOwned>(form: &impl serde::Serialize, is_whole: impl Fn(T) -> bool) {
        match serde_json::from_str(&serde_json::to_string(form).unwrap()) {
            Ok(loaded) => assert!(is_whole(loaded)),
            Err(refused) => {
                assert!(refused.to_string().contains("the allocator refused"), "{refused}")
            }
        }
    }
    let slots = if cfg!(miri) { 1_000 } else { u32::MAX - 1 };
    for count in [2, 3] {
        let keys = far(count, slots / count as u32);
        let (root, below) = (keys[0], count - 1);
        load(&saved_tree(&keys), |tree: Tree<Id>| tree.children(root).count() == below);
        load(&keys, |list: KeyList<Id>| list.len() == count);
        load(&vec![&keys[..1], &keys[1..]], |kinds: Buckets<Id, 2>| kinds.count(1) == below);
    }
}

/// They lie in an array, as large as the last slot asks for.
#[test]
fn memory_is_that_of_the_slots_up_to_the_last() {
    for stride in [1, 2, 7, 8, 9, 15, 16, 17, 256, 257] {
        let keys = far(scaled(2_000, 100), stride);
        let slots = keys.len() * stride as usize;
        let (tree, bytes) = loaded::<Tree<Id>>(&saved_tree(&keys));
        assert_eq!(tree.children(keys[0]).count(), keys.len() - 1);
        assert!(bytes <= 41 * slots + 1024, "{stride} apart: a tree of {bytes} bytes");
        assert_eq!(tree.stats().memory.committed, bytes);
        let (list, bytes) = loaded::<KeyList<Id>>(&keys);
        assert!(list.iter().eq(keys.iter().copied()));
        assert!(bytes <= 41 * slots + 1024, "{stride} apart: a list of {bytes} bytes");
        assert_eq!(list.stats().memory.committed, bytes);
        let (kinds, bytes) = loaded::<Buckets<Id, 2>>(&vec![&keys[..1], &keys[1..]]);
        assert_eq!((kinds.count(0), kinds.count(1)), (1, keys.len() - 1));
        assert!(
            bytes <= 9 * slots + 9 * keys.len() + 1024,
            "{stride} apart: kinds of {bytes} bytes"
        );
        assert_eq!(kinds.stats().memory.committed, bytes);
    }
}

type Linked = (Vec<Id>, Tree<Id>, KeyList<Id>, Buckets<Id, 1>);

/// So many keys: a root with the others as its children, which are in a list and in a bucket, too.
fn linked(count: u32) -> Linked {
    let objects: Arena<u32> = (0..count).collect();
    let keys: Vec<_> = objects.keys().collect();
    let (mut tree, mut list, mut kinds) = (Tree::new(), KeyList::new(), Buckets::new());
    for &key in &keys[1..] {
        tree.append(&objects, keys[0], key).unwrap();
        list.push_back(&objects, key).unwrap();
        kinds.set(&objects, key, 0).unwrap();
    }
    (keys, tree, list, kinds)
}

#[test]
fn what_is_no_longer_linked_is_given_back() {
    let (keys, mut tree, mut list, mut kinds) = linked(1_000);
    let full = [tree.stats().memory, list.stats().memory, kinds.stats().memory];
    for &key in &keys[3..] {
        tree.make_root(key);
        list.remove(key);
        kinds.remove(key);
    }
    tree.shrink_to_fit();
    list.shrink_to_fit();
    kinds.shrink_to_fit();
    let less = [tree.stats().memory, list.stats().memory, kinds.stats().memory];
    for (full, less) in full.into_iter().zip(less) {
        assert!(100 * less.committed < full.committed, "{less:?} of {full:?}");
    }
    assert!(tree.children(keys[0]).eq([keys[1], keys[2]]));
    assert_eq!((list.len(), kinds.count(0)), (2, 2));
}

/// An allocator may refuse a smaller block, too: then the larger one stays.
#[test]
fn refused_memory_is_not_given_back() {
    let (keys, mut tree, mut list, mut kinds) = linked(100);
    for &key in &keys[9..] {
        tree.make_root(key);
        list.remove(key);
        kinds.remove(key);
    }
    let shrink = || {
        tree.shrink_to_fit();
        list.shrink_to_fit();
        kinds.shrink_to_fit();
    };
    let (refused, ()) = refusing_after(0, true, shrink);
    assert!(refused);
    tree.validate();
    list.validate();
    kinds.validate();
    assert!(tree.children(keys[0]).eq(keys[1..9].iter().copied()));
    assert!(list.iter().eq(keys[1..9].iter().copied()));
    assert!(kinds.iter(0).eq(keys[1..9].iter().copied()));
}

/// Objects without a value, side by side and far apart.
type Objects = SecondaryMap<Id, ()>;

const SLOTS: [u32; 9] = [0, 1, 5, 20, 70, 500, 5_000, 40_000, 100_000];

fn objects() -> (Objects, Vec<Id>) {
    let keys: Vec<_> = SLOTS.iter().map(|&slot| Id::made(slot, 1)).collect();
    (keys.iter().map(|&key| (key, ())).collect(), keys)
}

/// A way to link the object of this number; whether it was done.
type Link<'a, S> = &'a dyn Fn(&mut S, usize) -> bool;

/// Has each object linked by all ways, at every point refused first, and by the last.
fn links_or_not<S: Clone, V: PartialEq + Debug>(
    mut links: S,
    view: impl Fn(&S) -> V,
    ways: &[Link<'_, S>],
) -> S {
    for at in 0..SLOTS.len() {
        let refusals = Refusals { make: &|| links.clone(), view: &view };
        for way in ways {
            refusals.of(&|links| way(links, at));
        }
        assert!(ways.last().is_some_and(|way| way(&mut links, at)));
    }
    links
}

#[test]
fn refused_memory_leaves_a_tree_as_it_was() {
    let (objects, keys) = objects();
    let view = |tree: &Tree<Id>| {
        assert_eq!(Links::check(tree, keys.iter().copied()), Ok(()));
        let children = |key: &Id| tree.children(*key).collect::<Vec<_>>();
        keys.iter().map(children).collect::<Vec<_>>()
    };
    let append = |tree: &mut Tree<Id>, at: usize| {
        let Some(pair) = keys.get(at..at + 2) else { return true };
        let done = tree.append(&objects, pair[0], pair[1]).map_err(|refused| refused.reason);
        assert!(matches!(done, Ok(()) | Err(LinkErrorKind::Memory(_))), "{done:?}");
        done.is_ok()
    };
    let tree = links_or_not(Tree::new(), view, &[&append]);
    assert_eq!(tree.descendants(keys[0]).count(), keys.len() - 1);
}

fn is_done(done: Result<(), ListError<Id>>) -> bool {
    assert!(matches!(done, Ok(()) | Err(ListError::Memory(_))), "{done:?}");
    done.is_ok()
}

#[test]
fn refused_memory_leaves_a_list_as_it_was() {
    let (objects, keys) = objects();
    let view = |list: &KeyList<Id>| {
        list.validate();
        (list.len(), list.iter().collect::<Vec<_>>())
    };
    let front = |list: &mut KeyList<Id>, at: usize| is_done(list.push_front(&objects, keys[at]));
    let back = |list: &mut KeyList<Id>, at: usize| is_done(list.push_back(&objects, keys[at]));
    let list = links_or_not(KeyList::new(), view, &[&front, &back]);
    // The part that a splice has moved stays moved.
    for grants in 0..20 {
        let (mut here, mut there) = (KeyList::new(), list.clone());
        here.push_back(&objects, keys[3]).unwrap();
        let (refused, done) =
            refusing_after(grants, true, || here.splice(&objects, Some(keys[3]), &mut there));
        [&here, &there].into_iter().for_each(KeyList::validate);
        assert!(refused || done.is_ok());
        assert!(done.is_ok() || here.len() + there.len() >= keys.len());
        here.splice(&objects, Some(keys[3]), &mut there).unwrap();
        assert!(there.is_empty());
        let expected = keys.iter().copied().filter(|&key| key != keys[3]).chain([keys[3]]);
        assert!(here.iter().eq(expected));
    }
}

#[test]
fn refused_memory_leaves_kinds_as_they_were() {
    let (objects, keys) = objects();
    let view = |kinds: &Buckets<Id, 2>| {
        kinds.validate();
        [0, 1].map(|kind| kinds.iter(kind).collect::<Vec<_>>())
    };
    let set =
        |kinds: &mut Buckets<Id, 2>, at: usize, kind| is_done(kinds.set(&objects, keys[at], kind));
    let first = |kinds: &mut Buckets<Id, 2>, at: usize| set(kinds, at, at % 2);
    let then = |kinds: &mut Buckets<Id, 2>, at: usize| set(kinds, at, 1 - at % 2);
    let kinds = links_or_not(Buckets::new(), view, &[&first]);
    assert_eq!([kinds.count(0), kinds.count(1)], [5, 4]);
    let kinds = links_or_not(kinds, view, &[&then]);
    assert_eq!([kinds.count(0), kinds.count(1)], [4, 5]);
    // A copy takes memory for keys, pieces, places near and far, and what leads to these.
    let clone = |kinds: &mut Buckets<Id, 2>| assert!(kinds.clone().iter(1).eq(kinds.iter(1)));
    let requests = Refusals { make: &|| kinds.clone(), view: &view }.of_panics(&clone);
    assert!(requests >= 5, "{requests}");
}

/// A dead tenant of the slot makes no difference: it goes when its place is needed, or not at all.
#[test]
fn refused_memory_forgets_nobody() {
    let mut objects: Arena<u32> = (0..4).collect();
    let keys: Vec<_> = objects.keys().collect();
    let (mut tree, mut list) = (Tree::new(), KeyList::new());
    for &key in &keys[1..] {
        tree.append(&objects, keys[0], key).unwrap();
        list.push_back(&objects, key).unwrap();
    }
    objects.remove(keys[1]);
    let tenant = objects.insert(9);
    assert_eq!(tenant.slot(), keys[1].slot());
    objects.extend(0..1_000);
    let far = objects.keys().next_back().unwrap();
    let (refused, done) = refusing_after(0, true, || tree.append(&objects, tenant, far));
    assert!(refused && done.is_err());
    assert!(tree.children(keys[0]).eq(keys[1..].iter().copied()));
    let (refused, done) = refusing_after(0, true, || list.push_back(&objects, tenant));
    assert!(!refused && done.is_ok(), "its place was there");
    assert!(list.iter().eq([keys[2], keys[3], tenant]));
}

#[test]
fn refused_memory_leaves_children_unsorted() {
    let objects: Arena<u32> = (0..50).collect();
    let keys: Vec<_> = objects.keys().collect();
    let mut tree = Tree::new();
    keys[1..].iter().for_each(|&key| tree.append(&objects, keys[0], key).unwrap());
    let sort = |tree: &mut Tree<Id>| tree.sort_children_by(keys[0], |a, b| b.cmp(&a));
    for grants in 0..3 {
        let (refused, caught) = refusing_after(grants, false, || panic_of(|| sort(&mut tree)));
        assert!(refused && caught.message.contains("the allocator refused"), "{caught:?}");
        assert!(caught.file.ends_with("links_memory.rs"), "{caught:?}");
        assert!(tree.children(keys[0]).eq(keys[1..].iter().copied()));
    }
    sort(&mut tree);
    assert!(tree.children(keys[0]).eq(keys[1..].iter().rev().copied()));
}
