//! Room that was reserved is enough: a program that must not allocate after its start can use what links objects.

use larder::track::Table;
use larder::trees::{Buckets, InsertionOrder, KeyList, RemovalQueue};
use larder::{Arena, Handle, SecondaryMap, Tree};
use larder_testing::common::{SplitMix, allocations_of, allocations_of_turnover, scaled};

type Key = Handle<u32>;

const ROOM: usize = if cfg!(miri) { 60 } else { 1_000 };

#[test]
fn a_reserved_tree_does_not_allocate() {
    let mut tree = Tree::new();
    tree.reserve(ROOM);
    assert!(tree.capacity() >= ROOM);
    let (committed, mut last) = (tree.stats().memory.committed, None);
    let requests = allocations_of_turnover(
        ROOM,
        &mut tree,
        |tree, objects, key, random| {
            if let Some(parent) = last.filter(|_| random.below(9) > 0) {
                _ = tree.append(objects, parent, key);
            }
            last = Some(key).filter(|_| random.below(3) == 0).or(last);
        },
        |tree, _, key| {
            tree.orphan_children(key);
            tree.make_root(key);
        },
    );
    tree.validate();
    assert_eq!((requests, tree.stats().memory.committed), (0, committed));
    tree.clear();
    let again = allocations_of_turnover(
        ROOM,
        &mut tree,
        |tree, all, key, _| _ = tree.append(all, key, key),
        |_, _, _| {},
    );
    assert_eq!(again, 0);
}

#[test]
fn a_reserved_list_does_not_allocate() {
    let mut list = KeyList::new();
    list.reserve(ROOM);
    assert!(list.capacity() >= ROOM);
    for _ in 0..2 {
        let requests = allocations_of_turnover(
            ROOM,
            &mut list,
            |list, objects, key, random| match random.below(2) {
                0 => list.push_back(objects, key).unwrap(),
                _ => list.push_front(objects, key).unwrap(),
            },
            |list, _, key| assert!(list.remove(key)),
        );
        list.validate();
        assert_eq!((requests, list.len()), (0, ROOM));
        list.clear();
    }
}

#[test]
fn reserved_buckets_do_not_allocate() {
    for room in [1, 7, 64, ROOM] {
        let mut buckets = Buckets::<_, 5>::new();
        buckets.reserve(room);
        assert!(buckets.capacity() >= room);
        let requests = allocations_of_turnover(
            room,
            &mut buckets,
            |buckets, objects, key, random| {
                buckets.set(objects, key, random.below(5)).unwrap();
                buckets.set(objects, key, random.below(5).min(1)).unwrap();
            },
            |buckets, _, key| assert!(buckets.remove(key).is_some()),
        );
        buckets.validate();
        assert_eq!(requests, 0, "{room}");
    }
    assert_eq!(Buckets::<Key, 5>::new().capacity(), 0);
}

/// All that a table tells them of an insertion and a removal.
#[test]
fn a_table_does_not_allocate() {
    let mut links = (Tree::new(), InsertionOrder::new(), SecondaryMap::new());
    links.0.reserve(ROOM);
    links.1.reserve(ROOM);
    links.2.reserve(ROOM);
    let mut world = Table::with(Arena::with_capacity(ROOM), links);
    let mut keys = Vec::with_capacity(ROOM);
    let mut random = SplitMix::new(2);
    let requests = allocations_of(|| {
        for number in 0..scaled(20_000, 200) as u32 {
            if keys.len() == ROOM {
                assert!(world.remove(random.take(&mut keys)).is_some());
            }
            let key = world.insert(number);
            let (objects, (tree, _, numbers)) = world.edit();
            if let Some(&parent) = keys.last() {
                tree.append(objects, parent, key).unwrap();
            }
            numbers.insert(key, number);
            keys.push(key);
        }
    });
    assert_eq!((requests, world.len(), world.observers().1.len()), (0, ROOM, ROOM));
}

#[test]
fn a_reserved_queue_does_not_allocate() {
    let keys: Vec<_> = Arena::from_iter(0..ROOM as u32).keys().collect();
    let mut queue = RemovalQueue::new();
    queue.reserve(ROOM);
    assert!(queue.capacity() >= ROOM);
    let requests = allocations_of(|| {
        for round in 0..3 {
            // (From another place in its memory each time.)
            keys[..round].iter().for_each(|&key| queue.remove_later(key));
            queue.apply(drop);
            queue.extend(keys.iter().copied());
            let mut removed = 0;
            queue.apply(|_| removed += 1);
            assert_eq!(removed, ROOM);
        }
    });
    assert_eq!(requests, 0);
    queue.remove_later(keys[0]);
    queue.shrink_to_fit();
    assert!(queue.capacity() < ROOM && queue.pending() == 1);
}
