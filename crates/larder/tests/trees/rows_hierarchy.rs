//! The rows about hierarchies, lists, kinds and nil objects: of the large array of things (E, T), of
//! Rea's lists (D) and of other posts (Z).

use larder::{
    Arena, Handle, Handle32, InlineArena, Pool, SecondaryMap, Tree,
    containers::ValueContainer,
    key::BareHandle,
    trees::{Buckets, KeyList, LinkErrorKind, Links},
};

use larder_testing::allocator::requests_of;
use larder_testing::caught::panic_of;
use larder_testing::common::{Drops, SplitMix};
use larder_testing::family::{Id, Thing};

/// A family of five: 0 has 1 and 4; 1 has 2 and 3.
fn family() -> (Arena<Thing>, Vec<Id>) {
    let mut things = Arena::new();
    let keys: Vec<_> = (0..5).map(|number| things.insert(Thing::new(number))).collect();
    for (parent, child) in [(0, 1), (1, 2), (1, 3), (0, 4)] {
        Links::append(&mut things, keys[parent], keys[child]).unwrap();
    }
    (things, keys)
}

#[test]
fn e1_t1_fat_structures_in_one_array_with_hierarchies_and_kinds_in_it() {
    let (mut things, keys) = family();
    let mut kinds = Buckets::<Id, 2>::new();
    keys.iter().for_each(|&key| kinds.set(&things, key, things[key].number % 2).unwrap());
    assert!(kinds.iter(1).eq([keys[1], keys[3]]));
    assert!(Links::descendants(&things, keys[0]).eq([1, 2, 3, 4].map(|at| keys[at])));
    // It is one array: a walk of all is in slot order, whoever is whose child.
    assert!(things.values().map(|thing| thing.number).eq(0..5));
    Links::remove_subtree(&mut things, keys[0]);
    assert!(things.is_empty());
}

#[test]
fn e2_a_kind_for_each_object_and_nil_is_none_of_them() {
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Kind {
        Nil,
        Inventory,
        Item,
    }
    struct Entity {
        kind: Kind,
    }
    const NIL: Entity = Entity { kind: Kind::Nil };
    let mut entities = Arena::new();
    let mut kinds = Buckets::<_, 3>::new();
    for kind in [Kind::Item, Kind::Inventory, Kind::Item] {
        let entity = entities.insert(Entity { kind });
        kinds.set(&entities, entity, kind as usize).unwrap();
    }
    assert_eq!([0, 1, 2].map(|kind| kinds.count(kind)), [0, 1, 2]);
    let item = kinds.first(Kind::Item as usize).unwrap();
    entities.remove(item);
    assert_eq!(entities.value_or(item, &NIL).kind, Kind::Nil);
}

#[test]
fn e7_e18_first_child_and_next_sibling_are_checked_keys() {
    let (mut things, keys) = family();
    let parents = |things: &Arena<Thing>| [0, 1, 2, 3, 4].map(|at| Links::parent(things, keys[at]));
    let first = Links::first_child(&things, keys[1]);
    assert_eq!(first, Some(keys[2]));
    assert_eq!(Links::next_sibling(&things, keys[2]), Some(keys[3]));
    let [top, middle] = [Some(keys[0]), Some(keys[1])];
    assert_eq!(parents(&things), [None, top, middle, middle, top]);
    // Gone without a word: its slot's next object is nobody's child.
    things.remove(keys[2]);
    let tenant = things.insert(Thing::new(9));
    assert_eq!(tenant.slot(), keys[2].slot());
    assert_eq!(Links::first_child(&things, keys[1]), None);
    assert_eq!(Links::prev_sibling(&things, keys[3]), None);
    assert_eq!(
        (Links::parent(&things, tenant), Links::next_sibling(&things, tenant)),
        (None, None)
    );
    assert_eq!(parents(&things), [None, top, None, middle, top]);
    // Nor is it a parent: the children of an object that is gone have none.
    things.remove(keys[1]);
    let tenant = things.insert(Thing::new(10));
    assert_eq!(tenant.slot(), keys[1].slot());
    assert_eq!(parents(&things), [None, None, None, None, top]);
    assert_eq!(Links::first_child(&things, tenant), None);
}

#[test]
fn y8_children_are_a_chain_of_single_objects() {
    let mut things: Arena<Thing> = Arena::with_capacity(101);
    let parent = things.insert(Thing::new(100));
    let children: Vec<_> = (0..100).map(|number| things.insert(Thing::new(number))).collect();
    // Any number of children takes no memory beside the objects.
    let (requests, ()) = requests_of(|| {
        for &child in &children {
            Links::append(&mut things, parent, child).unwrap();
        }
    });
    assert_eq!(requests, 0);
    let mut chain = Vec::new();
    let mut at = Links::first_child(&things, parent);
    while let Some(child) = at {
        chain.push(child);
        at = Links::next_sibling(&things, child);
    }
    assert_eq!(chain, children);
    assert!(Links::children(&things, parent).eq(children));
}

#[test]
fn e15_e16_a_list_through_the_objects_gives_handles() {
    let (things, keys) = family();
    let walked: Vec<Id> = Links::children(&things, keys[0]).collect();
    assert_eq!(walked, [keys[1], keys[4]]);
    // The objects of these handles can still be asked for later.
    assert!(walked.iter().all(|&key| things.contains_key(key)));
    assert!(Links::children(&things, keys[0]).rev().eq([keys[4], keys[1]]));
}

#[test]
fn e23_the_inventory_and_its_items() {
    let mut entities = Arena::new();
    let [inventory, item1, item2] = [0, 1, 2].map(|number| entities.insert(Thing::new(number)));
    Links::append(&mut entities, inventory, item1).unwrap();
    Links::append(&mut entities, inventory, item2).unwrap();
    let inside: Vec<_> =
        Links::children(&entities, inventory).map(|item| entities[item].number).collect();
    assert_eq!(inside, [1, 2]);
}

#[test]
fn e25_only_what_is_in_the_pool_can_be_linked() {
    let mut entities: Arena<Thing> = Arena::new();
    let inventory = entities.insert(Thing::new(0));
    // A local variable has no key; a key that was never handed out is refused.
    for made_up in [Handle::DANGLING, Handle::from_bits(1 << 32 | 7).unwrap()] {
        let refused = Links::append(&mut entities, inventory, made_up).unwrap_err();
        assert_eq!((refused.key, refused.reason), (made_up, LinkErrorKind::Missing));
    }
    assert_eq!(Links::children(&entities, inventory).count(), 0);
}

#[test]
fn d8_d14_a_walk_in_order_of_insertion_across_erasures() {
    let (mut objects, mut order) = (Arena::new(), KeyList::new());
    let mut naive = Vec::new();
    let mut random = SplitMix::new(8);
    for number in 0..500 {
        let id = objects.insert(number);
        order.push_back(&objects, id).unwrap();
        naive.push(id);
        if random.below(3) == 0 {
            // Erasing answers the next id.
            let at = random.below(naive.len());
            let gone = naive.remove(at);
            assert_eq!(order.remove_and_next(gone), naive.get(at).copied());
            objects.remove(gone);
        }
    }
    let mut walked = Vec::new();
    let mut id = order.first();
    while let Some(at) = id {
        walked.push(objects[at]);
        id = order.next_key(at);
    }
    assert!(walked.is_sorted() && walked.len() == objects.len());
    assert!(order.iter().eq(naive.iter().copied()));
    assert!(!objects.values().is_sorted(), "slots were used again");
}

/// The first example of Rea's README: 1,000 pairs, 100 erased at random, looked up, walked by ids.
#[test]
fn d38_readme_of_the_slot_list_in_order_of_insertion() {
    let mut list = Pool::<(i32, i32), BareHandle<(i32, i32)>>::with_key(Default::default);
    let mut order = KeyList::new();
    list.reserve(1_000);
    let mut ids = Vec::new();
    for i in 0..1_000 {
        let id = list.insert((i, i * 2));
        order.push_back(&list, id).unwrap();
        ids.push(id);
    }
    let mut random = SplitMix::new(38);
    for _ in 0..100 {
        let id = random.take(&mut ids);
        order.remove(id);
        list.remove(id);
    }
    assert!(ids.iter().all(|&id| list[id].0 * 2 == list[id].1));
    let mut firsts = Vec::new();
    let mut id = order.first();
    while let Some(at) = id {
        firsts.push(list[at].0);
        id = order.next_key(at);
    }
    assert!(firsts.len() == 900 && firsts.is_sorted());
}

#[test]
fn z7_t2_t6_a_stale_reference_reads_as_nil_and_nil_is_never_written() {
    #[derive(Debug, PartialEq)]
    struct Thing {
        health: u32,
    }
    const NIL: Thing = Thing { health: 0 };
    let mut things = Arena::new();
    let thing = things.insert(Thing { health: 9 });
    assert_eq!(things.value_or(thing, &NIL).health, 9);
    things.remove(thing);
    let tenant = things.insert(Thing { health: 7 });
    assert_eq!(tenant.slot(), thing.slot());
    assert_eq!(
        (things.value_or(thing, &NIL).health, things.value_or(Handle::DANGLING, &NIL).health),
        (0, 0)
    );
    // A write that misses writes nothing: neither the object that is in the slot now, nor nil.
    for stale in [thing, Handle::DANGLING] {
        assert!(things.get_mut(stale).is_none());
        assert!(panic_of(|| things[stale].health = 99).message.contains("Arena<"));
    }
    assert_eq!((things[tenant].health, things.len()), (7, 1));
    // No slot is given up for it.
    assert_eq!(tenant.slot(), 0);
    things.clear();
    assert_eq!(things.value_or(tenant, &NIL), &NIL);
}

#[test]
fn t3_an_empty_world_is_a_constant() {
    static EMPTY: (Tree<Handle<u8>>, Buckets<Handle<u8>, 3>) = (Tree::new(), Buckets::new());
    const LINKS: Links<Handle<u8>> = Links::new();
    const WORLD: InlineArena<Links<Handle<u8>>, 4, Handle<u8>> = InlineArena::with_key();
    assert_eq!((EMPTY.0.roots().count(), EMPTY.1.count(2)), (0, 0));
    assert!(LINKS == Links::default() && WORLD.is_empty());
    // No key takes more room for being absent.
    assert_eq!(size_of::<Links<Handle<u8>>>(), 4 * size_of::<Handle<u8>>());
    assert_eq!(size_of::<Links<Handle32<u8>>>(), 16);
}

#[test]
fn t4_liveness_and_generation_lie_beside_the_objects() {
    let mut pool = Pool::new(|| 0_u32);
    let keys: Vec<_> = (1..4).map(|number| pool.insert(number)).collect();
    pool.recycle(keys[1]);
    // Objects and nothing else, live or not, one after the other.
    assert_eq!(pool.slots()[..3], [1, 0, 3]);
    let address = |object: &u32| core::ptr::from_ref(object).addr();
    assert_eq!(address(&pool[keys[2]]) - address(&pool[keys[0]]), 2 * size_of::<u32>());
    // The memory beside them is that of a generation, and a bit and its summaries.
    let mut pool = Pool::builder(|| 0_u32).fixed(64 * 64).build();
    let empty = pool.stats().memory;
    pool.extend(0..64 * 64);
    let full = pool.stats().memory;
    assert_eq!((full.committed, full.values), (empty.committed, 4 * 64 * 64));
    let beside = (full.committed - full.values) as f64 / (64.0 * 64.0);
    assert!((4.1..4.5).contains(&beside), "{beside} bytes beside an object");
    // In an arena the generation is next to its object.
    let mut arena = Arena::new();
    let [a, b] = [arena.insert(1_u32), arena.insert(2)];
    assert_eq!(address(&arena[b]) - address(&arena[a]), 2 * size_of::<u32>());
}

#[test]
fn t14_helpers_for_common_fields_resolve_references() {
    struct World {
        things: Arena<Thing>,
        nil: Thing,
    }
    impl World {
        fn number(&self, thing: Id) -> usize {
            self.things.value_or(thing, &self.nil).number
        }

        fn set_number(&mut self, thing: Id, number: usize) -> bool {
            self.things.get_mut(thing).map(|thing| thing.number = number).is_some()
        }

        fn parent_number(&self, thing: Id) -> usize {
            Links::parent(&self.things, thing).map_or(0, |parent| self.number(parent))
        }
    }
    let (things, keys) = family();
    let mut world = World { things, nil: Thing::new(0) };
    assert!(world.set_number(keys[1], 11));
    assert_eq!((world.number(keys[1]), world.parent_number(keys[2])), (11, 11));
    world.things.remove(keys[1]);
    assert!(!world.set_number(keys[1], 12));
    assert_eq!((world.number(keys[1]), world.parent_number(keys[2])), (0, 0));
}

/// A copy of a whole is a loop, in which the tree says the order, and a side map what became of each part.
#[test]
fn z10_what_is_owned_is_removed_along_and_copied_with_its_references_remapped() {
    struct Part {
        name: u32,
        /// Another part of the same whole.
        drives: Option<Handle<Part>>,
        _drops: larder_testing::common::Counted,
    }
    let drops = Drops::default();
    let (mut parts, mut owned) = (Arena::new(), Tree::new());
    let mut random = SplitMix::new(10);
    let mut whole = Vec::new();
    for name in 0..100 {
        let part = parts.insert(Part { name, drives: None, _drops: drops.object(name) });
        if name > 0 {
            // Appended and prepended, to parts that are older and, by slot,
            // before and after others.
            let owner = whole[random.below(whole.len())];
            let add = if random.below(2) == 0 { Tree::append } else { Tree::prepend };
            add(&mut owned, &parts, owner, part).unwrap();
        }
        whole.push(part);
    }
    for &part in &whole {
        parts[part].drives = Some(whole[random.below(100)]);
    }
    let root = whole[0];
    let all: Vec<_> = core::iter::once(root).chain(owned.descendants(root)).collect();
    assert_eq!(all.len(), 100);
    let mut copies = SecondaryMap::new();
    for &part in &all {
        let Part { name, drives, .. } = parts[part];
        let copy = parts.insert(Part { name, drives, _drops: drops.object(name) });
        copies.insert(part, copy);
        if let Some(owner) = owned.parent(part) {
            owned.append(&parts, copies[owner], copy).expect("owners come before what they own");
        }
    }
    for &copy in copies.values() {
        parts[copy].drives = parts[copy].drives.map(|part| copies[part]);
    }
    let copied: Vec<_> =
        core::iter::once(copies[root]).chain(owned.descendants(copies[root])).collect();
    assert!(copied.iter().zip(&all).all(|(&copy, &part)| copies[part] == copy));
    for (&copy, &part) in copied.iter().zip(&all) {
        assert_eq!(parts[copy].name, parts[part].name);
        assert_eq!(parts[copy].drives, parts[part].drives.map(|driven| copies[driven]));
    }
    assert_eq!(owned.remove_subtree(&mut parts, root), 100);
    assert_eq!((drops.count(), parts.len()), (100, 100));
    // Nothing leads from the copy to what is gone.
    assert!(parts.values().all(|part| parts.contains_key(part.drives.unwrap())));
    assert!(owned.descendants(copies[root]).eq(copied[1..].iter().copied()));
}
