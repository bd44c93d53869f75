//! Hierarchies, lists and buckets.

use core::hint::black_box;

use larder::trees::{Buckets, IntrusiveList, KeyList, Link, Links};
use larder::{Arena, Handle, Tree};

use super::{barrier, counted};

/// The common beginning of the paths.
pub(crate) const PREFIXES: &[&str] = &["tree_", "links_", "key_list_", "list_in_", "bucket_"];

/// An object of a hierarchy, which consists of its links.
struct Node;
type Nodes = Arena<Links<Handle<Node>>, Handle<Node>>;

/// A random hierarchy, in the objects and beside them, and its keys; the first is above all.
fn grown() -> (Nodes, Tree<Handle<Node>>, Vec<Handle<Node>>) {
    let (mut nodes, mut tree, mut state) = (Nodes::with_key(), Tree::new(), 1_u64);
    let keys: Vec<_> = (0..super::COUNT).map(|_| nodes.insert(Links::new())).collect();
    for (child, above) in keys[1..].iter().zip(1..) {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let parent = keys[(state >> 33) as usize % above];
        Links::append(&mut nodes, parent, *child).expect("both are there");
        tree.append(&nodes, parent, *child).expect("both are there");
    }
    (nodes, tree, keys)
}

/// Walks from each of the keys, which is what is counted; how many steps that were.
fn walking<I: Iterator>(keys: &[Handle<Node>], walk: impl Fn(Handle<Node>) -> I) -> usize {
    let mut steps = 0;
    counted(&mut || {
        for &key in black_box(keys) {
            steps += walk(key).map(black_box).count();
        }
    });
    steps
}

/// Removes all, which is what is counted.
fn destroying(mut destroy: impl FnMut() -> usize) -> usize {
    let mut removed = 0;
    counted(&mut || removed = destroy());
    removed
}

/// Calls it for each of the keys in random order, which is what is counted.
fn each<K: Copy>(mut keys: Vec<K>, mut change: impl FnMut(K)) -> usize {
    let mut state = 1_u64;
    for last in (1..keys.len()).rev() {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        keys.swap(last, (state >> 33) as usize % (last + 1));
    }
    counted(&mut || {
        for &key in black_box(&keys) {
            barrier();
            change(key);
        }
    });
    keys.len()
}

/// A tree of one key and its children, from which each is taken, wherever it is among them.
fn star(count: usize, beside: bool) -> usize {
    let (mut nodes, mut tree) = (Nodes::with_key(), Tree::new());
    let [root, keys @ ..] =
        &(0..=count).map(|_| nodes.insert(Links::new())).collect::<Vec<_>>()[..]
    else {
        unreachable!("there is one at least");
    };
    for &key in keys {
        Links::append(&mut nodes, *root, key).expect("both are there");
        tree.append(&nodes, *root, key).expect("both are there");
    }
    each(keys.to_vec(), |key| {
        assert!(if beside { tree.make_root(key) } else { Links::make_root(&mut nodes, key) });
    })
}

/// A list, from which each member is taken, wherever it is.
fn list(count: usize, beside: bool) -> usize {
    struct Member;
    let mut members = Arena::<Link<Handle<Member>>, Handle<Member>>::with_key();
    let keys: Vec<_> = (0..count).map(|_| members.insert(Link::new())).collect();
    let (mut outside, mut inside) = (KeyList::new(), IntrusiveList::numbered(0));
    for &key in &keys {
        outside.push_back(&members, key).expect("it is there");
        inside.push_back(&mut members, key).expect("it is there");
    }
    each(keys, |key| {
        black_box(if beside { outside.remove(key) } else { inside.remove(&mut members, key) });
    })
}

/// Objects in sixteen buckets.
fn bucketed(count: usize) -> (Arena<u64>, Vec<Handle<u64>>, Buckets<Handle<u64>, 16>) {
    let (arena, mut kinds): (Arena<u64>, _) = ((0..count as u64).collect(), Buckets::new());
    let keys: Vec<_> = arena.keys().collect();
    for (number, &key) in keys.iter().enumerate() {
        kinds.set(&arena, key, number % 16).expect("it is there");
    }
    (arena, keys, kinds)
}

/// Walks one bucket, from which every seventh member has gone if it has holes.
fn walk_bucket(has_holes: bool) -> usize {
    let (arena, keys, mut kinds) = bucketed(super::COUNT);
    for &key in keys.iter().skip(3).step_by(16 * 7).filter(|_| has_holes) {
        assert!(kinds.remove(key).is_some());
    }
    counted(&mut || {
        let (arena, kinds) = black_box((&arena, &kinds));
        black_box(kinds.iter(3).fold(0_u64, |sum, key| sum + arena[key]));
    });
    kinds.count(3)
}

/// Does the work of this name, with this many times as many objects, and says how many operations that were.
pub(crate) fn run(path: &str) -> usize {
    let (path, times) = match path.rsplit_once('_') {
        Some((path, "2")) => (path, 2),
        Some((path, "4")) => (path, 4),
        _ => (path, 1),
    };
    let count = times * super::COUNT;
    match path {
        "tree_take" => return star(count, true),
        "links_take" => return star(count, false),
        "key_list_take" => return list(count, true),
        "list_in_take" => return list(count, false),
        "bucket_walk" => return walk_bucket(false),
        "bucket_walk_holes" => return walk_bucket(true),
        "bucket_take" => {
            let (_, keys, mut kinds) = bucketed(count);
            return each(keys, |key| assert!(kinds.remove(key).is_some()));
        }
        _ => {}
    }
    let (mut nodes, mut tree, keys) = grown();
    match path {
        "tree_descendants" => walking(&keys[..1], |key| tree.descendants(key)),
        "links_descendants" => walking(&keys[..1], |key| Links::descendants(&nodes, key)),
        "tree_children" => walking(&keys, |key| tree.children(key)),
        "links_children" => walking(&keys, |key| Links::children(&nodes, key)),
        "tree_ancestors" => walking(&keys, |key| tree.ancestors(key)),
        "links_ancestors" => walking(&keys, |key| Links::ancestors(&nodes, key)),
        "tree_append" => appending(&nodes, &tree, &keys),
        "tree_remove" => destroying(|| tree.remove_subtree(&mut nodes, keys[0])),
        "links_remove" => destroying(|| Links::remove_subtree(&mut nodes, keys[0])),
        "links_mend" => mending(super::COUNT),
        "links_mend_2" => mending(2 * super::COUNT),
        "links_mend_4" => mending(4 * super::COUNT),
        other => unreachable!("there is no path `{other}`"),
    }
}

/// Makes the tree anew, from nothing on.
fn appending(nodes: &Nodes, tree: &Tree<Handle<Node>>, keys: &[Handle<Node>]) -> usize {
    let parents: Vec<_> = keys.iter().filter_map(|&key| Some((tree.parent(key)?, key))).collect();
    let mut anew = Tree::new();
    counted(&mut || {
        let anew = black_box(&mut anew);
        for &(parent, child) in &parents {
            barrier();
            anew.append(nodes, parent, child).expect("both are there");
        }
    });
    parents.len()
}

/// Mends a hierarchy that every fifth object is gone from.
fn mending(count: usize) -> usize {
    let mut nodes = Nodes::with_key();
    let keys: Vec<_> = (0..count).map(|_| nodes.insert(Links::new())).collect();
    for (child, number) in keys.iter().zip(0..).skip(1) {
        Links::append(&mut nodes, keys[number / 8], *child).expect("both are there");
    }
    keys.iter().skip(4).step_by(5).for_each(|&key| assert!(nodes.remove(key).is_some()));
    let live: Vec<_> = nodes.keys().collect();
    counted(&mut || {
        Links::mend(&mut nodes, &live);
    });
    live.len()
}
