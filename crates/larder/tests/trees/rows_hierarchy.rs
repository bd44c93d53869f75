//! The rows about hierarchies, lists, kinds and nil objects: of the large array of things (E, T), of
//! Rea's lists (D) and of other posts (Z).

use larder::{
    Arena, Handle, Handle32, InlineArena, Pool, SecondaryMap, Tree,
    containers::ValueContainer,
    trees::{Buckets, Links},
};

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
