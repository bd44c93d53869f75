//! Keys that were never handed out, for hierarchies, lists and buckets: they find nothing.

use larder::{
    Tree,
    trees::{Buckets, KeyList, LinkErrorKind, ListError},
};
use larder_testing::for_all_keys;
use larder_testing::forge::{Forged, forged, scene};

#[test]
fn forged_keys_of_trees() {
    for_all_keys!(trees);
}

#[test]
fn forged_keys_of_lists() {
    for_all_keys!(lists);
}

fn trees<K: Forged>() {
    let (mut things, live, issued) = scene::<K>();
    let (mut tree, root) = (Tree::new(), live[0]);
    for &child in &live[1..] {
        tree.append(&things, root, child).unwrap();
    }
    for key in forged(&issued).into_iter().filter(|key| !live.contains(key)) {
        let none = [tree.parent(key), tree.first_child(key), tree.last_child(key)];
        assert_eq!((none, tree.next_sibling(key), tree.prev_sibling(key)), ([None; 3], None, None));
        assert_eq!((tree.ancestors(key).count(), tree.contains_key(key)), (0, false));
        assert_eq!(tree.children(key).count() + tree.descendants(key).count(), 0);
        assert!(
            !tree.ancestors(key).any(|above| above == root)
                && !tree.ancestors(root).any(|above| above == key)
        );
        let refused = tree.append(&things, root, key).unwrap_err();
        assert_eq!(refused.reason, LinkErrorKind::Missing);
        let refused = tree.insert_after(&things, key, live[1]).unwrap_err();
        assert_eq!(refused.reason, LinkErrorKind::TargetMissing);
        tree.promote_children(key);
        assert!(!tree.make_root(key) && tree.remove_subtree(&mut things, key) == 0);
        assert!(tree.remove_orphaning(&mut things, key).is_none());
    }
    assert!(tree.children(root).eq(live[1..].iter().copied()));
    assert_eq!(things.len(), live.len());
}

fn lists<K: Forged>() {
    let (things, live, issued) = scene::<K>();
    let (mut list, mut kinds) = (KeyList::new(), Buckets::<K, 2>::new());
    for &key in &live {
        list.push_back(&things, key).unwrap();
        kinds.set(&things, key, 1).unwrap();
    }
    let absent = |key| Err(ListError::Missing { key });
    for key in forged(&issued).into_iter().filter(|key| !live.contains(key)) {
        assert!(!list.contains(key) && !list.remove(key), "{key:?}");
        assert_eq!((list.next_key(key), list.prev_key(key)), (None, None));
        assert_eq!(list.push_back(&things, key), absent(key));
        assert_eq!(list.insert_before(&things, live[0], key), absent(key));
        assert!(list.insert_after(&things, key, live[0]).is_err());
        assert_eq!(
            (kinds.bucket_of(key), kinds.remove(key), kinds.next_key(key)),
            (None, None, None)
        );
        assert_eq!(kinds.set(&things, key, 0), absent(key));
    }
    assert!(list.iter().eq(live.iter().copied()) && kinds.iter(1).eq(live.iter().copied()));
    list.validate();
    kinds.validate();
}
