//! Hierarchies, lists and kinds saved and loaded; hostile files are errors.

use larder::{
    Arena, Handle, Tree,
    trees::{Buckets, KeyList},
};
use serde::Serialize;
use serde::de::DeserializeOwned;

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
