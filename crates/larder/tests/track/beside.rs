//! Structures beside a container go back with it: side data, hierarchies and lists whose links are tracked, indices.

use larder::indices::{GridIndex, IndexBy, MultiIndex, SortedIndex, UniqueIndex};
use larder::pools::list_pool::{ListHandle, ListPool};
use larder::pools::string_pool::{StringPool, Symbol};
use larder::track::{Checkpoint, Reversible, Subscriber, Tracked};
use larder::trees::{Buckets, IntrusiveList, KeyList, Link, LinkStore, Links};
use larder::{Arena, DenseArena, Handle, SecondaryMap, Tree};
use larder_testing::caught::panicking_after;
use larder_testing::common::{scaled, thorough};
use larder_testing::nervous::Nervous;

use crate::going_back::Dice;

type Id = Handle<u32>;
type Beside<V> = Tracked<SecondaryMap<Id, V>>;

/// A container, and all that can be beside it.
struct World {
    objects: Tracked<DenseArena<u32>>,
    names: Beside<String>,
    family: Beside<Links<Id>>,
    links: Beside<Link<Id>>,
    queue: IntrusiveList<Id>,
    subscriber: Subscriber<Id>,
}

/// All that can be seen of a world.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    objects: Vec<(Id, u32)>,
    names: Vec<(Id, String)>,
    parents: Vec<(Id, Links<Id>)>,
    queue: Vec<Id>,
}

/// A moment of a world.
struct Moment {
    checkpoints: [Checkpoint; 4],
    queue: IntrusiveList<Id>,
    seen: Seen,
}

fn entries<V: Clone>(map: &SecondaryMap<Id, V>) -> Vec<(Id, V)> {
    map.iter().map(|(key, value)| (key, value.clone())).collect()
}

impl World {
    fn new() -> Self {
        let mut objects = Tracked::new(DenseArena::new());
        let subscriber = objects.subscribe();
        Self {
            objects,
            names: Tracked::new(SecondaryMap::new()),
            family: Tracked::new(SecondaryMap::new()),
            links: Tracked::new(SecondaryMap::new()),
            queue: IntrusiveList::numbered(1),
            subscriber,
        }
    }

    fn seen(&self) -> Seen {
        Seen {
            objects: self.objects.iter().map(|(key, value)| (key, *value)).collect(),
            names: entries(&self.names),
            parents: entries(&self.family),
            queue: self.queue.iter(&self.links).collect(),
        }
    }

    fn moment(&mut self) -> Moment {
        let seen = self.seen();
        let checkpoints = [
            self.objects.checkpoint(),
            self.names.checkpoint(),
            self.family.checkpoint(),
            self.links.checkpoint(),
        ];
        Moment { checkpoints, queue: self.queue.clone(), seen }
    }

    fn rollback(&mut self, to: &Moment) {
        self.objects.rollback(to.checkpoints[0]).expect("it is held");
        self.names.rollback(to.checkpoints[1]).expect("it is held");
        self.family.rollback(to.checkpoints[2]).expect("it is held");
        self.links.rollback(to.checkpoints[3]).expect("it is held");
        self.queue = to.queue.clone();
    }

    fn add(&mut self, value: u32) -> Id {
        let key = self.objects.insert(value);
        self.names.insert(key, format!("object {value}"));
        self.family.insert(key, Links::new());
        self.links.insert(key, Link::new());
        key
    }

    fn remove(&mut self, key: Id) {
        Links::remove_orphaning(&mut self.family, key);
        self.queue.remove(&mut self.links, key);
        self.links.remove(key);
        self.names.remove(key);
        self.objects.remove(key);
    }
}

#[test]
fn a_world_goes_back_whole_with_links_lists_and_indices() {
    for seed in 1..=thorough(12, 1) as u64 {
        let (mut dice, mut world) = (Dice(seed * 0x9E37_79B9), World::new());
        let mut keys: Vec<Id> = (0..20).map(|value| world.add(value)).collect();
        let mut by_last = MultiIndex::by(|value: &u32| value % 10);
        let mut in_order = SortedIndex::by(|value: &u32| *value);
        let mut unique = UniqueIndex::by(|value: &u32| *value);
        let place = |value: &u32| [(value % 100) as f32, (value / 100) as f32];
        let mut near = GridIndex::by(8.0, place);
        let mut held: Vec<Moment> = Vec::new();
        for step in 0..scaled(800, 80) as u32 {
            let [one, other] = [(); 2].map(|()| keys[dice.below(keys.len())]);
            match dice.below(20) {
                0..4 => keys.push(world.add(100 + step)),
                4..7 => world.remove(one),
                7..11 => drop(Links::append(&mut world.family, one, other)),
                11 => drop(Links::make_root(&mut world.family, one)),
                12..14 => drop(world.queue.push_back(&mut world.links, one)),
                14 => _ = world.queue.remove(&mut world.links, one),
                15 => drop(world.names.get_mut(one).map(|name| name.push('!'))),
                16 => drop(world.objects.get_mut(one).map(|value| *value += 10_000)),
                17 => held.push(world.moment()),
                18 if !held.is_empty() => {
                    held.truncate(dice.below(held.len()) + 1);
                    world.rollback(&held[held.len() - 1]);
                    assert_eq!(world.seen(), held[held.len() - 1].seen);
                    assert_eq!(Links::check(&world.family, world.objects.keys()), Ok(()));
                }
                _ => {
                    let World { objects, subscriber, .. } = &mut world;
                    let changes = objects.poll(subscriber).expect("it is its own");
                    changes.refresh(&mut by_last, &**objects).expect("there is memory");
                    changes.refresh(&mut in_order, &**objects).expect("there is memory");
                    changes.refresh(&mut unique, &**objects).expect("all are different");
                    changes.refresh(&mut near, &**objects).expect("there is memory");
                    let mut sorted: Vec<_> =
                        objects.iter().map(|(key, value)| (*value, key)).collect();
                    sorted.sort_unstable();
                    assert!(
                        in_order
                            .iter()
                            .map(|(value, key)| (*value, key))
                            .eq(sorted.iter().copied())
                    );
                    let last = |value: &u32| value % 10;
                    for (value, key) in &sorted {
                        assert_eq!(unique.get(value), Some(*key));
                        assert!(by_last.get(&last(value)).contains(key));
                    }
                    assert_eq!([by_last.len(), unique.len(), near.len()], [sorted.len(); 3]);
                    let mut there: Vec<_> =
                        near.iter().map(|(key, at)| (objects[key], at)).collect();
                    there.sort_unstable_by_key(|&(value, _)| value);
                    assert!(there.into_iter().eq(sorted.iter().map(|(it, _)| (*it, place(it)))));
                }
            }
        }
    }
}

type InOrder = IndexBy<SortedIndex<Nervous, Id>, fn(&u32) -> Nervous>;
type Unique = IndexBy<UniqueIndex<Nervous, Id>, fn(&u32) -> Nervous>;
type Groups = IndexBy<MultiIndex<Nervous, Id>, fn(&u32) -> Nervous>;

/// Code of a property panics while changes are filed: the same changes can be filed again.
#[test]
fn a_refresh_that_panicked_is_done_by_another() {
    let property: fn(&u32) -> Nervous = |n| Nervous(*n);
    let refreshed = |steps: u32| {
        let mut objects = Tracked::new(Arena::from_iter(0..40_u32));
        let mut subscriber = objects.subscribe();
        let mut indices =
            (SortedIndex::by(property), UniqueIndex::by(property), MultiIndex::by(property));
        indices.0.fill(&*objects).expect("there is memory");
        indices.1.fill(&*objects).expect("all differ");
        indices.2.fill(&*objects).expect("there is memory");
        let keys: Vec<_> = objects.keys().collect();
        for pair in keys[..20].chunks_exact(2) {
            let number = objects.remove(pair[0]).expect("it is there");
            *objects.get_mut(pair[1]).expect("it is there") = number;
        }
        objects.insert(100);
        let changes = objects.poll(&mut subscriber).expect("it is its own");
        let refresh = |(in_order, unique, groups): &mut (InOrder, Unique, Groups)| {
            changes.refresh(in_order, &*objects).expect("there is memory");
            changes.refresh(unique, &*objects).expect("all differ");
            changes.refresh(groups, &*objects).expect("there is memory");
        };
        let panicked = panicking_after(steps, || refresh(&mut indices));
        refresh(&mut indices);
        let (in_order, unique, groups) = indices;
        in_order.validate();
        unique.validate();
        groups.validate();
        assert_eq!([in_order.len(), unique.len(), groups.len()], [objects.len(); 3]);
        for (key, &n) in objects.iter() {
            assert_eq!(in_order.get(&Nervous(n)), [key]);
            assert_eq!((unique.get(&Nervous(n)), groups.get(&Nervous(n))), (Some(key), &[key][..]));
        }
        panicked
    };
    assert!((0..).step_by(scaled(1, 37)).take_while(|&steps| refreshed(steps)).count() > 9);
}

#[test]
fn links_in_tracked_objects_go_back_with_them() {
    let mut things = Tracked::new(Arena::<Links<Id>, Id>::with_key());
    let [a, b, c] = [(); 3].map(|()| things.insert(Links::new()));
    Links::append(&mut things, a, b).expect("both are there");
    let before = things.checkpoint();
    Links::append(&mut things, b, c).expect("both are there");
    assert_eq!(Links::remove_subtree(&mut things, b), 2);
    things.rollback(before).expect("it is held");
    assert!(Links::children(&things, a).eq([b]) && things.links(c) == Some(&Links::new()));
    assert!(things.undo().expect("there is memory"));
}

#[test]
fn what_is_cloned_at_a_checkpoint_goes_back_with_its_container() {
    let mut objects = Tracked::new(Arena::<u32>::new());
    let keys: Vec<Id> = (0..9).map(|value| objects.insert(value)).collect();
    let (mut tree, mut order, mut lists) = (Tree::new(), KeyList::new(), ListPool::new());
    let mut list = ListHandle::default();
    for pair in keys.windows(2) {
        tree.append(&*objects, pair[0], pair[1]).expect("it is another");
        order.push_back(&*objects, pair[1]).expect("it is no member");
        lists.push(&mut list, pair[1]);
    }
    let then = (objects.checkpoint(), tree.clone(), order.clone(), lists.clone(), list);

    for &key in &keys[3..] {
        tree.make_root(key);
        order.remove(key);
        lists.push(&mut list, key);
        objects.remove(key);
    }
    // In slots of theirs.
    for value in 0..4 {
        objects.insert(value);
    }
    objects.rollback(then.0).expect("it is held");
    (tree, order, lists, list) = (then.1, then.2, then.3, then.4);
    assert!(tree.descendants(keys[0]).eq(keys[1..].iter().copied()));
    assert!(order.iter().map(|key| objects[key]).eq(1..9));
    assert!(lists[list].iter().map(|&key| objects[key]).eq(1..9));
}

/// A moment of an object, a bucket, a name and four indices; then they change, go back, and change again as they did.
#[test]
fn buckets_names_and_indices_are_cloned_at_a_checkpoint() {
    let mut objects = Tracked::new(Arena::<u32>::new());
    let mut keys: Vec<Id> = (0..40).map(|value| objects.insert(value)).collect();
    let (mut kinds, mut names) = (Buckets::<Id, 3>::new(), StringPool::new());
    let (mut unique, mut multi) = (UniqueIndex::new(), MultiIndex::new());
    let (mut sorted, mut grid) = (SortedIndex::new(), GridIndex::<Id, 2>::new(4.0));
    let mut symbols: Vec<Symbol> = Vec::new();
    for (&key, value) in keys.iter().zip(0_u16..) {
        kinds.set(&*objects, key, usize::from(value) % 3).expect("it is there");
        symbols.push(names.acquire(&format!("name {}", value % 30)));
        unique.insert(key, value).expect("no other has it");
        multi.insert(key, value % 7).expect("there is memory");
        sorted.insert(key, value % 11).expect("there is memory");
        grid.insert(key, [f32::from(value), f32::from(value % 5)]).expect("it is finite");
    }
    let then = (objects.checkpoint(), keys.clone(), symbols.clone());
    let clones = (kinds.clone(), names.clone(), unique.clone(), multi.clone());
    let more = (sorted.clone(), grid.clone());
    let mut done: Vec<String> = Vec::new();
    for _ in 0..2 {
        for round in 0..30_u16 {
            let (gone, symbol) = (keys.swap_remove(usize::from(round) % 7), symbols.swap_remove(3));
            kinds.remove(gone);
            names.release(symbol);
            assert_eq!(unique.remove(gone).is_some(), multi.remove(gone));
            assert_eq!(sorted.remove(gone), grid.remove(gone).is_some());
            assert!(objects.remove(gone).is_some());
            let key = objects.insert(u32::from(round) + 100);
            keys.push(key);
            symbols.push(names.acquire(&format!("name {}", round + 20)));
            kinds.set(&*objects, key, usize::from(round) % 2).expect("it is there");
            unique.insert(key, round + 100).expect("no other has it");
            multi.insert(key, round % 5).expect("there is memory");
            sorted.insert(key, round % 13).expect("there is memory");
            grid.insert(key, [0.0, f32::from(round)]).expect("it is finite");
        }
        done.push(format!(
            "{:?} {:?} {:?} {:?} {:?} {:?}",
            (0..3).map(|kind| kinds.iter(kind).collect::<Vec<_>>()).collect::<Vec<_>>(),
            symbols.iter().map(|&symbol| (symbol, names.get(symbol))).collect::<Vec<_>>(),
            keys.iter().map(|&key| (unique.property(key), multi.property(key))).collect::<Vec<_>>(),
            sorted.iter().collect::<Vec<_>>(),
            keys.iter().map(|&key| grid.point(key)).collect::<Vec<_>>(),
            objects.iter().collect::<Vec<_>>(),
        ));

        objects.rollback(then.0).expect("it is held");
        (keys, symbols) = (then.1.clone(), then.2.clone());
        (kinds, names, unique, multi) = clones.clone();
        (sorted, grid) = more.clone();
        kinds.validate();
        grid.validate();
        for (&key, value) in keys.iter().zip(0_u16..) {
            assert_eq!(objects.get(key), Some(&u32::from(value)));
            assert_eq!(kinds.bucket_of(key), Some(usize::from(value) % 3));
            let name = format!("name {}", value % 30);
            assert_eq!(names.get(symbols[usize::from(value)]), Some(&*name));
            assert_eq!((unique.get(&value), multi.property(key)), (Some(key), Some(&(value % 7))));
            assert_eq!(sorted.property(key), Some(&(value % 11)));
            assert_eq!(grid.point(key), Some([f32::from(value), f32::from(value % 5)]));
        }
        let members = (0..3).map(|kind| kinds.count(kind)).sum();
        assert_eq!([members, unique.len(), multi.len(), sorted.len(), grid.len()], [40; 5]);
        assert_eq!(names.len(), 30);
    }
    assert_eq!(done[0], done[1], "the same calls have the same results");
}
