//! Hierarchies of a million, if tests are to be thorough: walked, found, changed and removed without recursion.

use larder_testing::common::amount;
use larder_testing::family::{Apart, Family, Inside, Step};

/// Deeper than a stack of calls, and so deep that a walk from each to the top would not end.
fn many(small: usize) -> usize {
    amount(1_000_000, 60_000, small)
}

/// Families of that depth, and of that width, are walked, searched and removed without recursion.
fn extremes<F: Family>() {
    let count = many(300);
    let mut family = F::new();
    let keys: Vec<_> = (0..count).map(|n| family.insert(n)).collect();
    // A chain; made from below, so that no attaching has to look for a cycle far up.
    for pair in keys.windows(2) {
        family.attach(Step::Append(0, 0), pair[0], pair[1]).unwrap();
    }
    let deepest = keys[count - 1];
    assert!(family.is_ancestor(keys[0], deepest));
    assert!(family.attach(Step::Append(0, 0), deepest, keys[0]).is_err());
    let view = family.view(keys[0]);
    assert_eq!((view.pre_order.len(), view.post_order.len()), (count - 1, count - 1));
    assert_eq!((view.pre_order[0], view.post_order[0]), (keys[1], deepest));
    assert_eq!(family.view(deepest).depth, count - 1);
    assert!(family.check());
    assert_eq!(family.change(Step::RemoveSubtree(0), keys[1]), count - 1);
    // A fan.
    let root = keys[0];
    let keys: Vec<_> = (1..count).map(|n| family.insert(n)).collect();
    for &key in &keys {
        family.attach(Step::Append(0, 0), root, key).unwrap();
    }
    let view = family.view(root);
    assert_eq!((view.children.len(), view.ends[1]), (count - 1, keys.last().copied()));
    assert!(family.check());
    assert_eq!(family.change(Step::RemoveSubtree(0), root), count);
    assert!(family.keys().is_empty());
}

#[test]
fn deep_and_wide() {
    extremes::<Inside>();
    extremes::<Apart>();
}

/// So many children are sorted, handed to their grandparent, and made roots.
fn many_children<F: Family>() {
    let count = many(100);
    let mut family = F::new();
    let mut insert = |number| family.insert(number);
    let (root, parent) = (insert(0), insert(0));
    // Their numbers go down, so that sorting turns them around.
    let keys: Vec<_> = (0..count).rev().map(insert).collect();
    family.attach(Step::Append(0, 0), root, parent).unwrap();
    keys.iter().for_each(|&key| family.attach(Step::Append(0, 0), parent, key).unwrap());
    family.change(Step::Sort(0), parent);
    assert_eq!(family.ends(parent), [keys.last().copied(), Some(keys[0])]);
    assert!(family.check());
    family.change(Step::Promote(0), parent);
    assert_eq!(family.ends(parent), [None; 2]);
    assert_eq!(family.ends(root), [keys.last().copied(), Some(parent)]);
    assert!(family.check());
    family.change(Step::Orphan(0), root);
    assert_eq!(family.ends(root), [None; 2]);
    assert!(family.check());
    assert!(keys.iter().step_by(1_000).all(|&key| family.parent(key).is_none()));
}

#[test]
fn many_children_of_one() {
    many_children::<Inside>();
    many_children::<Apart>();
}
