//! Room that was reserved is enough: a program that must not allocate after its start can use what stands beside its
//! objects.

use larder::maps::SparseSecondaryMap;
use larder::pools::list_pool::ListHandle;
use larder::pools::{ListPool, StringPool};
use larder::trees::{AutoUnlink, Buckets, InsertionOrder, KeyList, RemovalQueue};
use larder::{Arena, Handle, SecondaryMap, Tree};
use larder_testing::common::{SplitMix, allocations_of, scaled};

type Key = Handle<u32>;

const ROOM: usize = if cfg!(miri) { 60 } else { 1_000 };

/// Inserts as many objects as there is room for, and then others instead; `enter` and `leave` are told of each. Returns
/// how often that allocated.
fn allocations<W>(
    world: &mut W,
    mut enter: impl FnMut(&mut W, &Arena<u32>, Key, &mut SplitMix),
    mut leave: impl FnMut(&mut W, &Arena<u32>, Key),
) -> usize {
    let mut objects = Arena::with_capacity(ROOM);
    let mut keys = Vec::with_capacity(ROOM);
    let mut random = SplitMix::new(5);
    allocations_of(|| {
        for number in 0..scaled(20_000, 200) as u32 {
            if keys.len() == ROOM {
                let gone = random.take(&mut keys);
                leave(world, &objects, gone);
                objects.remove(gone);
            }
            let key = objects.insert(number);
            enter(world, &objects, key, &mut random);
            keys.push(key);
        }
    })
}

#[test]
fn a_reserved_tree_does_not_allocate() {
    let mut tree = Tree::new();
    tree.reserve(ROOM);
    assert!(tree.capacity() >= ROOM);
    let (committed, mut last) = (tree.stats().memory.committed, None);
    let requests = allocations(
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
    let again =
        allocations(&mut tree, |tree, all, key, _| _ = tree.append(all, key, key), |_, _, _| {});
    assert_eq!(again, 0);
}

#[test]
fn a_reserved_list_does_not_allocate() {
    let mut list = KeyList::new();
    list.reserve(ROOM);
    assert!(list.capacity() >= ROOM);
    for _ in 0..2 {
        let requests = allocations(
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
    let mut buckets = Buckets::<_, 5>::new();
    buckets.reserve(ROOM);
    assert!(buckets.capacity() >= ROOM);
    let requests = allocations(
        &mut buckets,
        |buckets, objects, key, random| {
            buckets.set(objects, key, random.below(5)).unwrap();
            buckets.set(objects, key, random.below(5).min(1)).unwrap();
        },
        |buckets, _, key| assert!(buckets.remove(key).is_some()),
    );
    buckets.validate();
    assert_eq!(requests, 0);
    assert_eq!(Buckets::<Key, 5>::new().capacity(), 0);
}

#[test]
fn reserved_side_data_does_not_allocate() {
    let (mut near, mut sparse) = (SecondaryMap::new(), SparseSecondaryMap::new());
    near.reserve(ROOM);
    sparse.reserve(ROOM);
    assert!(near.capacity() >= ROOM && sparse.capacity() >= ROOM);
    let requests = allocations(
        &mut (near, sparse),
        |(near, sparse), _, key, random| {
            near.insert(key, random.below(9));
            sparse.insert(key, random.below(9));
        },
        |(near, sparse), _, key| {
            assert!(near.remove(key).is_some() && sparse.remove(key).is_some())
        },
    );
    assert_eq!(requests, 0);
}

/// All that an owner of them is told of an insertion and a removal.
#[test]
fn a_container_that_unlinks_does_not_allocate() {
    let mut links = (Tree::new(), InsertionOrder::new(), SecondaryMap::new());
    links.0.reserve(ROOM);
    links.1.reserve(ROOM);
    links.2.reserve(ROOM);
    let mut world = AutoUnlink::new(Arena::with_capacity(ROOM), links);
    let mut keys = Vec::with_capacity(ROOM);
    let mut random = SplitMix::new(2);
    let requests = allocations_of(|| {
        for number in 0..scaled(20_000, 200) as u32 {
            if keys.len() == ROOM {
                assert!(world.remove(random.take(&mut keys)).is_some());
            }
            let key = world.insert(number);
            let (objects, (tree, _, numbers)) = world.parts_mut();
            if let Some(&parent) = keys.last() {
                tree.append(objects, parent, key).unwrap();
            }
            numbers.insert(key, number);
            keys.push(key);
        }
    });
    assert_eq!((requests, world.len(), world.links().1.len()), (0, ROOM, ROOM));
}

/// A queue, and pools of lists and texts, whose memory depends on what is in them, are warmed up by a cycle of what is
/// done later.
#[test]
fn what_was_used_once_does_not_allocate() {
    let mut queue = RemovalQueue::new();
    let keys: Vec<_> = Arena::from_iter(0..ROOM as u32).keys().collect();
    let mut cycle = || {
        keys.iter().for_each(|&key| queue.remove_later(key));
        let mut removed = 0;
        queue.apply(|_| removed += 1);
        assert_eq!(removed, ROOM);
    };
    cycle();
    assert_eq!(allocations_of(|| (0..3).for_each(|_| cycle())), 0);

    let mut lists = ListPool::<u32>::new();
    let mut handles = Vec::<ListHandle<u32>>::with_capacity(ROOM);
    let mut cycle = || {
        handles.extend((0..ROOM as u32).map(|len| lists.make(0..len % 20)));
        handles.drain(..).for_each(|list| lists.free(list));
    };
    cycle();
    assert_eq!(allocations_of(|| (0..3).for_each(|_| cycle())), 0);

    let mut names = StringPool::new();
    let texts: Vec<_> = (0..ROOM).map(|number| format!("the name {number}")).collect();
    let mut cycle = || {
        texts.iter().for_each(|text| _ = names.intern(text));
        names.clear();
    };
    cycle();
    let requests = allocations_of(|| (0..3).for_each(|_| cycle()));
    assert!(requests <= 3 * ROOM / 50, "{requests}");
}
