//! Hierarchies against the naive one: all short histories, many long ones, and what no model shows.

use larder::{
    Arena, DenseArena, Handle, Handle32, Tree,
    containers::Container,
    trees::{CheckError, Cursor, Field, LinkError, LinkErrorKind, Links, RemovalQueue},
};

use larder_testing::caught::attempt;
use larder_testing::common::{SplitMix, amount, panic_text, scaled, thorough};
use larder_testing::family::{Apart, Family, Id, Inside, Pair, Step, Thing};

/// All steps with keys below `count`; the last of them is dangling.
fn steps(count: usize) -> Vec<Step> {
    let all = || 0..count;
    let pairs = || all().flat_map(move |to| all().map(move |key| (to, key)));
    let mut steps: Vec<_> = pairs()
        .flat_map(|(to, key)| {
            [
                Step::Append(to, key),
                Step::Prepend(to, key),
                Step::Before(to, key),
                Step::After(to, key),
            ]
        })
        .collect();
    steps.extend(all().flat_map(|key| {
        [
            Step::Detach(key),
            Step::Orphan(key),
            Step::Promote(key),
            Step::Sort(key),
            Step::RemoveSubtree(key),
            Step::RemoveOrphaning(key),
            Step::RemovePromoting(key),
            Step::RemoveBare(key),
        ]
    }));
    steps
}

/// Every history of `length` steps from here.
fn all_from<F: Family>(pair: &Pair<F>, steps: &[Step], length: usize) -> usize {
    if length == 0 {
        return 1;
    }
    let next = steps.iter().map(|&step| {
        let mut pair = pair.clone();
        pair.step(step);
        all_from(&pair, steps, length - 1)
    });
    next.sum()
}

/// Two steps from three objects; one from families of four.
fn all_short_histories<F: Family>() {
    let mut three = Pair::<F>::default();
    (0..3).for_each(|_| three.step(Step::Insert));
    let length = scaled(2, 1);
    let count = all_from(&three, &steps(4), length);
    assert_eq!(count, steps(4).len().pow(length as u32));
    let families: [&[Step]; 3] = [
        &[Step::Append(0, 1), Step::Append(1, 2), Step::Append(2, 3)],
        &[Step::Append(0, 1), Step::Append(0, 2), Step::Append(0, 3)],
        &[Step::Append(0, 1), Step::Append(1, 2), Step::Append(1, 3)],
    ];
    for family in families {
        let mut four = Pair::<F>::default();
        (0..4).for_each(|_| four.step(Step::Insert));
        family.iter().for_each(|&step| four.step(step));
        all_from(&four, &steps(5), 1);
    }
}

#[test]
fn all_short_histories_of_links() {
    all_short_histories::<Inside>();
}

#[test]
fn all_short_histories_of_trees() {
    all_short_histories::<Apart>();
}

fn long_histories<F: Family>() {
    for seed in 0..thorough(20, 1) as u64 {
        let mut random = SplitMix::new(seed);
        let mut pair = Pair::<F>::default();
        for _ in 0..amount(300, 100, 25) {
            // Few objects, so that slots are used again and families grow deep.
            let live = pair.real.keys().len();
            if live < 3 + random.below(12) {
                pair.step(Step::Insert);
            }
            let all = steps(pair.keys.len());
            let mut step = all[random.below(all.len())];
            let removes = matches!(
                step,
                Step::RemoveSubtree(_)
                    | Step::RemoveOrphaning(_)
                    | Step::RemovePromoting(_)
                    | Step::RemoveBare(_)
            );
            if removes && random.below(2) == 0 {
                step = Step::Append(random.below(pair.keys.len()), random.below(pair.keys.len()));
            }
            pair.step(step);
            if pair.keys.len() > 40 {
                // Those that have been stale for longest have been asked enough.
                let things = pair.real.things();
                let stale = pair.keys.iter().position(|&key| !things.contains_key(key));
                pair.keys.remove(stale.unwrap());
            }
        }
    }
}

#[test]
fn long_histories_of_links() {
    long_histories::<Inside>();
}

#[test]
fn long_histories_of_trees() {
    long_histories::<Apart>();
}

/// Of slots that live once or twice. (Trees of keys without generations are those of `with_links`.)
#[test]
fn long_histories_of_trees_of_two_bits() {
    long_histories::<Apart<DenseArena<Thing, Handle32<Thing, 30>>>>();
}

/// Links that are read from one field and written to another have no effect, and nothing loops for ever.
#[test]
fn functions_that_lead_to_different_fields_end() {
    #[derive(Clone, Default)]
    struct Node {
        read: Links<Handle<Node>>,
        written: Links<Handle<Node>>,
    }
    let mut nodes: Arena<Node> = (0..5).map(|_| Node::default()).collect();
    let keys: Vec<_> = nodes.keys().collect();
    let mut field = Field::new(&mut nodes, |node| &node.read, |node| &mut node.read);
    for (parent, child) in [(0, 1), (1, 2), (1, 3), (0, 4)] {
        Links::append(&mut field, keys[parent], keys[child]).unwrap();
    }
    let read: Vec<_> = nodes.values().map(|node| node.read).collect();
    let mut wrong = Field::new(&mut nodes, |node| &node.read, |node| &mut node.written);
    Links::orphan_children(&mut wrong, keys[1]);
    Links::promote_children(&mut wrong, keys[1]);
    Links::promote_children(&mut wrong, keys[0]);
    Links::sort_children_by(&mut wrong, keys[1], |_, a, b| b.cmp(&a));
    Links::mend(&mut wrong, &keys);
    drop(Links::append(&mut wrong, keys[4], keys[2]));
    assert!(nodes.values().map(|node| node.read).eq(read));
}

/// An object may be in several hierarchies, by a field each.
#[test]
fn two_hierarchies_in_one_object() {
    #[derive(Default)]
    struct Node {
        space: Links<Handle<Node>>,
        owner: Links<Handle<Node>>,
    }
    let mut nodes = Arena::new();
    let [a, b] = [(); 2].map(|()| nodes.insert(Node::default()));
    let mut space = Field::new(&mut nodes, |node| &node.space, |node| &mut node.space);
    Links::append(&mut space, a, b).unwrap();
    let mut owner = Field::new(&mut nodes, |node| &node.owner, |node| &mut node.owner);
    Links::append(&mut owner, b, a).unwrap();
    let space = Field::new(&nodes, |node: &Node| &node.space, |node| &mut node.space);
    assert!(Links::children(&space, a).eq([b]));
    let owner = Field::new(&nodes, |node: &Node| &node.owner, |node| &mut node.owner);
    assert!(Links::children(&owner, b).eq([a]));
}

#[test]
fn errors_name_both_keys_and_what_is_wrong() {
    let mut things = Arena::from_iter(["a", "b", "c"]);
    let keys: Vec<_> = things.keys().collect();
    let [a, b, gone] = keys[..] else { unreachable!() };
    things.remove(gone);
    let mut tree = Tree::new();
    tree.append(&things, a, b).unwrap();
    let said = |refused: Result<(), LinkError<_>>| refused.unwrap_err().to_string();
    assert_eq!(said(tree.append(&things, a, a)), "0v1 is not attached to 0v1: that is itself");
    assert_eq!(
        said(tree.append(&things, b, a)),
        "0v1 is not attached to 1v1, which is its descendant"
    );
    assert_eq!(
        said(tree.append(&things, a, gone)),
        "2v1 is not attached to 0v1: there is no 2v1, the key is stale, foreign or dangling"
    );
    assert_eq!(
        said(tree.prepend(&things, gone, a)),
        "0v1 is not attached to 2v1: there is no 2v1, the key is stale, foreign or dangling"
    );
    assert_eq!(
        said(tree.insert_after(&things, a, b)),
        "1v1 is not attached to 0v1 as a sibling: it has no parent; attach both to an object that stands above \
         all roots"
    );
    assert!(tree.children(a).eq([b]));
}

/// A key from anywhere costs no memory, and answers nothing.
#[test]
fn hostile_keys_are_refused_before_anything_is_allocated() {
    let mut things = Arena::new();
    let thing = things.insert(());
    let mut tree = Tree::new();
    let hostile = Handle::from_bits(u64::from(u32::MAX - 1) | 1 << 32).unwrap();
    let requests = larder_testing::common::allocations_of(|| {
        assert!(tree.append(&things, thing, hostile).is_err());
        assert!(tree.append(&things, hostile, thing).is_err());
        assert!(!tree.make_root(hostile));
        assert_eq!(tree.remove_subtree(&mut things, hostile), 0);
        assert_eq!(tree.descendants(hostile).count() + tree.ancestors(hostile).count(), 0);
    });
    assert_eq!(requests, 0);
}

/// Somebody else in the slot: the tree was not told that the first is gone.
#[test]
fn a_new_tenant_inherits_nothing() {
    let mut things = Arena::from_iter([0, 1, 2, 3]);
    let keys: Vec<_> = things.keys().collect();
    let mut tree = Tree::new();
    for (parent, child) in [(0, 1), (1, 2), (0, 3)] {
        tree.append(&things, keys[parent], keys[child]).unwrap();
    }
    things.remove(keys[1]);
    let tenant = things.insert(9);
    assert_eq!(tenant.slot(), keys[1].slot());
    assert_eq!((tree.parent(tenant), tree.first_child(tenant)), (None, None));
    assert!(tree.children(keys[0]).eq([keys[1], keys[3]]), "the stale key keeps its place");
    // Met again: what was there before is unlinked.
    tree.append(&things, keys[3], tenant).unwrap();
    assert!(tree.children(keys[0]).eq([keys[3]]));
    assert_eq!((tree.parent(keys[2]), tree.parent(keys[1])), (None, None));
    assert!(tree.descendants(keys[0]).eq([keys[3], tenant]));
}

/// Many are gone at once: the pieces of each circle come together again.
#[test]
fn mending_after_any_removals() {
    for seed in 0..thorough(300, 5) as u64 {
        let mut random = SplitMix::new(seed);
        let mut things = Arena::new();
        let keys: Vec<_> = (0..25).map(|number| things.insert(Thing::new(number))).collect();
        for (at, &key) in keys.iter().enumerate().skip(1) {
            Links::append(&mut things, keys[random.below(at).min(3)], key).unwrap();
        }
        let parents: Vec<_> = keys.iter().map(|&key| Links::parent(&things, key)).collect();
        for &key in &keys {
            if random.below(3) == 0 {
                things.remove(key);
            }
        }
        // Torn, but nothing leads to what is gone, and every walk ends.
        for key in things.keys() {
            assert!(Links::descendants(&things, key).all(|key| things.contains_key(key)));
            assert!(Links::children(&things, key).rev().all(|key| things.contains_key(key)));
        }
        let live: Vec<_> = things.keys().collect();
        Links::mend(&mut things, &live);
        assert_eq!(Links::check(&things, things.keys()), Ok(()));
        for (at, &key) in keys.iter().enumerate().filter(|(_, key)| things.contains_key(**key)) {
            let expected = parents[at].filter(|&parent| things.contains_key(parent));
            assert_eq!(Links::parent(&things, key), expected);
            let is_child = |parent| Links::children(&things, parent).any(|child| child == key);
            assert!(expected.is_none_or(is_child));
        }
    }
}

/// Attaching beside a tear is refused, and changes nothing.
#[test]
fn attaching_at_a_tear_is_an_error() {
    let mut things = Arena::new();
    let keys: Vec<_> = (0..5).map(|number| things.insert(Thing::new(number))).collect();
    for &child in &keys[1..4] {
        Links::append(&mut things, keys[0], child).unwrap();
    }
    things.remove(keys[3]); // the last child
    let torn =
        |refused: Result<(), LinkError<_>>| refused.unwrap_err().reason == LinkErrorKind::Torn;
    let before = format!("{things:?}");
    assert!(torn(Links::append(&mut things, keys[0], keys[4])));
    assert!(torn(Links::prepend(&mut things, keys[0], keys[4])));
    assert!(torn(Links::insert_after(&mut things, keys[2], keys[4])));
    assert_eq!(format!("{things:?}"), before);
    Links::insert_before(&mut things, keys[2], keys[4]).unwrap(); // between two that are there
    // Taking out needs no neighbours.
    assert!(Links::make_root(&mut things, keys[1]));
    let live: Vec<_> = things.keys().collect();
    Links::mend(&mut things, &live);
    assert!(Links::children(&things, keys[0]).eq([keys[4], keys[2]]));
}

/// Links may come from a file. Whatever they say, all that walks them ends.
#[test]
fn forged_links_never_loop() {
    for seed in 0..thorough(4_000, 20) as u64 {
        let mut random = SplitMix::new(seed);
        let mut things = forged(&mut random);
        let keys: Vec<_> = things.keys().collect();
        let fits = Links::check(&things, things.keys());
        for &key in &keys {
            let bound = 2 * keys.len() + 200;
            assert!(Links::children(&things, key).take(bound + 1).count() <= bound);
            assert!(Links::children(&things, key).rev().take(bound + 1).count() <= bound);
            assert!(Links::ancestors(&things, key).take(bound + 1).count() <= bound);
            assert!(Links::descendants(&things, key).take(bound + 1).count() <= bound);
            assert!(Links::descendants_post_order(&things, key).take(bound + 1).count() <= bound);
            let mut cursor = Cursor::new(key);
            let steps = core::iter::from_fn(|| cursor.next(&things));
            assert!(steps.take(bound + 1).count() <= bound);
        }
        // Nor does what changes them; and what fits keeps fitting.
        for _ in 0..10 {
            let [a, b] = [(); 2].map(|()| keys[random.below(keys.len())]);
            match random.below(8) {
                0 => drop(Links::append(&mut things, a, b)),
                1 => drop(Links::prepend(&mut things, a, b)),
                2 => drop(Links::insert_before(&mut things, a, b)),
                3 => drop(Links::insert_after(&mut things, a, b)),
                4 => Links::promote_children(&mut things, a),
                5 => Links::sort_children_by(&mut things, a, |_, x, y| y.cmp(&x)),
                6 => Links::orphan_children(&mut things, a),
                _ => drop(Links::remove_subtree(&mut things, a)),
            }
        }
        let live: Vec<_> = things.keys().collect();
        if fits.is_ok() {
            assert_eq!(Links::check(&things, things.keys()), Ok(()));
        }
        Links::mend(&mut things, &live);
    }
}

/// Things whose links are chance, by the only way to set them: saving and loading.
fn forged(random: &mut SplitMix) -> Arena<Links<Id>, Id> {
    let mut things = Arena::<Links<Id>, Id>::with_key();
    let count = 1 + random.below(5);
    let keys: Vec<_> = (0..count).map(|_| things.insert(Links::new())).collect();
    for &key in &keys {
        let mut any = || match random.below(5) {
            0 => None,
            _ => Some(keys[random.below(keys.len())]),
        };
        let form = ((any(), any()), any(), any());
        let bytes = postcard::to_allocvec(&form).unwrap();
        things[key] = postcard::from_bytes(&bytes).unwrap();
    }
    things
}

#[test]
fn a_circle_of_parents_is_found_out() {
    let mut things = Arena::<Links<Id>, Id>::with_key();
    let keys: Vec<_> = (0..3).map(|_| things.insert(Links::new())).collect();
    for at in 0..3 {
        let (key, next, prev) = (keys[at], keys[(at + 1) % 3], keys[(at + 2) % 3]);
        let form = ((Some(key), Some(key)), Some(prev), Some(next));
        let bytes = postcard::to_allocvec(&form).unwrap();
        things[key] = postcard::from_bytes(&bytes).unwrap();
    }
    let wrong = Links::check(&things, things.keys());
    assert_eq!(wrong, Err(CheckError::Unreachable { count: 3 }));
    assert_eq!(Links::ancestors(&things, keys[0]).count(), 2);
    assert_eq!(Links::descendants(&things, keys[0]).count(), 2);
}

/// A copy's links are the original's: nothing links back to it, and it changes nothing.
#[test]
fn a_copied_object_is_in_no_ones_circle() {
    let mut things = Arena::new();
    let keys: Vec<_> = (0..3).map(|number| things.insert(Thing::new(number))).collect();
    Links::append(&mut things, keys[0], keys[1]).unwrap();
    Links::append(&mut things, keys[0], keys[2]).unwrap();
    let copy = things[keys[1]].clone();
    let copy = things.insert(copy);
    Links::make_root(&mut things, copy);
    things[copy].family = Links::new();
    assert!(Links::children(&things, keys[0]).eq([keys[1], keys[2]]));
    assert_eq!(Links::check(&things, things.keys()), Ok(()));
}

/// A closure that panics at each possible place: what is left is whole, and can be removed.
#[test]
fn a_panic_in_the_middle_of_a_removal_leaves_a_family() {
    for fails_at in 0..6 {
        let mut pair = Pair::<Apart>::default();
        (0..6).for_each(|_| pair.step(Step::Insert));
        for (to, key) in [(0, 1), (1, 2), (1, 3), (0, 4), (4, 5)] {
            pair.step(Step::Append(to, key));
        }
        let root = pair.keys[0];
        let Apart(things, tree) = &mut pair.real;
        let mut taken = 0;
        let message = panic_text(|| {
            tree.remove_subtree_with(things, root, |_, _| {
                assert!(taken < fails_at, "not this one");
                taken += 1;
            })
        });
        assert_eq!(message, "not this one");
        assert_eq!(things.len(), 6 - (fails_at + 1));
        assert_eq!(Links::check(&*tree, things.keys()), Ok(()));
        let rest = things.len();
        assert_eq!(tree.remove_subtree(things, root), rest);
        assert!(things.is_empty());
    }
}

/// The same where an object's own `Drop` panics, with the links in the objects.
#[test]
fn a_drop_that_panics_leaves_a_family() {
    for fails_at in 0..5 {
        let mut things = Arena::new();
        let keys: Vec<_> = (0..5).map(|number| things.insert(Thing::new(number))).collect();
        for (parent, child) in [(0, 1), (1, 2), (0, 3), (3, 4)] {
            Links::append(&mut things, keys[parent], keys[child]).unwrap();
        }
        things[keys[fails_at]].bomb.armed = true;
        attempt(|| Links::remove_subtree(&mut things, keys[0])).unwrap_err();
        assert!(!things.contains_key(keys[fails_at]), "it is gone all the same");
        assert_eq!(Links::check(&things, things.keys()), Ok(()));
        let rest = things.len();
        if fails_at > 0 {
            assert_eq!(Links::remove_subtree(&mut things, keys[0]), rest);
        }
        assert!(things.is_empty());
    }
}

#[test]
fn a_comparison_that_panics_changes_nothing() {
    let mut things = Arena::from_iter(0..9);
    let keys: Vec<_> = things.keys().collect();
    let mut tree = Tree::new();
    for &key in keys[1..].iter().rev() {
        tree.append(&things, keys[0], key).unwrap();
    }
    let before: Vec<_> = tree.children(keys[0]).collect();
    let mut left = 5;
    panic_text(|| {
        tree.sort_children_by(keys[0], |a, b| {
            left -= 1;
            assert!(left > 0, "enough");
            a.cmp(&b)
        });
    });
    assert!(tree.children(keys[0]).eq(before));
    tree.sort_children_by(keys[0], |a, b| a.cmp(&b));
    assert!(tree.children(keys[0]).eq(keys[1..].iter().copied()));
    things.clear();
}

/// Queued objects are removed later; a removal that panics leaves the rest queued.
#[test]
fn a_queue_outlives_a_panic() {
    let mut things = Arena::from_iter(0..4);
    let mut queue = RemovalQueue::new();
    queue.extend(things.keys());
    queue.remove_later(things.keys().next().unwrap());
    let mut left = 2;
    panic_text(|| {
        queue.apply(|key| {
            left -= 1;
            assert!(left > 0, "enough");
            things.remove(key)
        });
    });
    assert_eq!((things.len(), queue.pending()), (3, 3));
    queue.apply(|key| things.remove(key));
    assert_eq!(things.len(), 1, "the one whose removal panicked");
}

/// The memory of a tree is that of what is attached.
#[test]
fn links_that_say_nothing_are_given_back() {
    let mut things = Arena::from_iter(0..2_000);
    let keys: Vec<_> = things.keys().collect();
    let mut tree = Tree::new();
    tree.append(&things, keys[0], keys[1_999]).unwrap();
    tree.append(&things, keys[1], keys[2]).unwrap();
    assert_eq!(tree.remove_subtree(&mut things, keys[0]), 2);
    tree.shrink_to_fit();
    assert!(tree.children(keys[1]).eq([keys[2]]));
    assert!(tree.roots().eq([keys[1]]));
    tree.append(&things, keys[2], keys[1_998]).unwrap();
    assert_eq!(tree.ancestors(keys[1_998]).count(), 2);
    assert_eq!(keys[1_998].slot(), 1_998);
}
