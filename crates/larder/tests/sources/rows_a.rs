//! Rows A1 to A24: what the post on generational arenas asks for, leaves as an exercise, or gets
//! wrong (records/sources.md has the rows).

use core::ops::Index;
use std::collections::HashSet;

use larder::{Arena, DenseArena, Handle};

use larder_testing::common::{
    REUSE_ORDERS, SplitMix, address, allocations_of, assert_not_implemented, for_both, panic_text,
    scaled, workspace_text,
};

/// The post's target.
#[derive(Debug, PartialEq)]
struct Enemy {
    health: i32,
}

/// The post's missile: plain data that names its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Missile {
    damage: i32,
    target: Handle<Enemy>,
}

#[test]
fn a1_objects_lie_in_one_array_and_refer_by_handle() {
    struct Node {
        value: usize,
        next: Option<Handle<Node>>,
    }
    let count = scaled(10_000, 300);
    let mut arena = Arena::new();
    let mut head = None;
    for value in 0..count {
        head = Some(arena.insert(Node { value, next: head }));
    }

    // The array moved as it grew; the links did not mind.
    let mut walked = Vec::new();
    let mut at = head;
    while let Some(node) = at.map(|handle| &arena[handle]) {
        walked.push(node.value);
        at = node.next;
    }
    assert!(walked.into_iter().eq((0..count).rev()));

    // One array: slot n lies n strides behind slot 0.
    let base = address(&arena[arena.key_of_slot(0).unwrap()]);
    let stride = address(&arena[arena.key_of_slot(1).unwrap()]) - base;
    for (handle, node) in &arena {
        assert_eq!(address(node), base + handle.slot() as usize * stride);
    }
}

#[test]
fn a2_fixed_never_allocates_after_it_is_made() {
    let count = scaled(10_000, 200);
    for_both!(Container => {
        let mut container = Container::fixed(count);
        assert_eq!(container.capacity(), count);
        let mut random = SplitMix::new(2);
        let mut handles = Vec::with_capacity(count);
        let allocations = allocations_of(|| {
            for value in 0..count {
                handles.push(container.insert(value));
            }
            for value in 0..4 * count {
                let gone = random.take(&mut handles);
                assert!(container.remove(gone).is_some());
                handles.push(container.insert(value));
            }
        });
        assert_eq!(allocations, 0);
        assert_eq!(container.capacity(), count);
        assert_eq!(container.stats().slots, count, "indices are used again");
    });
}

#[test]
fn a4_removing_and_inserting_touch_no_other_object() {
    // Time is the lab's business; here: no call allocates, and none moves more than one object.
    let count = scaled(4_096, 40);
    let mut random = SplitMix::new(4);

    let mut arena = Arena::fixed(count);
    let mut handles: Vec<_> = (0..count).map(|value| arena.insert(value)).collect();
    for _ in 0..scaled(32, 8) {
        let gone = random.take(&mut handles);
        let before: Vec<_> = handles.iter().map(|&h| address(&arena[h])).collect();
        assert_eq!(allocations_of(|| arena.remove(gone)), 0);
        let new = arena.insert(0);
        assert!(handles.iter().map(|&h| address(&arena[h])).eq(before));
        handles.push(new);
    }

    let mut dense = DenseArena::fixed(count);
    let mut handles: Vec<_> = (0..count).map(|value| dense.insert(value)).collect();
    for _ in 0..scaled(32, 8) {
        let gone = random.take(&mut handles);
        let before: Vec<_> = handles.iter().map(|&h| dense.get_index_of(h)).collect();
        assert_eq!(allocations_of(|| dense.remove(gone)), 0);
        let after = handles.iter().map(|&h| dense.get_index_of(h));
        let moved = before.into_iter().zip(after).filter(|(b, a)| b != a).count();
        assert!(moved <= 1, "{moved} objects moved");
        handles.push(dense.insert(0));
    }
}

#[test]
fn a9_free_slots_take_no_memory_of_their_own() {
    let count = scaled(10_000, 300);
    for reuse in REUSE_ORDERS {
        for_both!(Container => {
            let builder = Container::builder().capacity(count).reuse(reuse);
            let mut container: Container<usize> = builder.build();
            let handles: Vec<_> = (0..count).map(|value| container.insert(value)).collect();
            let full = container.stats();
            let allocations = allocations_of(|| {
                for &handle in &handles {
                    container.remove(handle);
                }
            });
            assert_eq!(allocations, 0, "{reuse:?}");
            let empty = container.stats();
            assert_eq!((empty.live, empty.holes), (0, count));
            assert_eq!(empty.memory.committed, full.memory.committed);
            let allocations = allocations_of(|| {
                for value in 0..count {
                    container.insert(value);
                }
            });
            assert_eq!(allocations, 0, "{reuse:?}");
            assert_eq!(container.stats().slots, count);
        });
    }
}

#[test]
fn a11_a_handle_of_another_type_does_not_compile() {
    // Each line stops compiling if the container takes the other type's handle.
    assert_not_implemented!(Arena<Enemy>: Index<Handle<Missile>>);
    assert_not_implemented!(DenseArena<Enemy>: Index<Handle<Missile>>);
    assert_not_implemented!(Handle<Enemy>: PartialEq<Handle<Missile>>);
    let mut enemies = Arena::new();
    let handle: Handle<Enemy> = enemies.insert(Enemy { health: 5 });
    assert_eq!(enemies[handle].health, 5);
}

#[test]
fn a12_a_handle_shows_its_slot_and_generation() {
    let mut arena = Arena::new();
    arena.insert('a');
    let handle = arena.insert('b');
    assert_eq!(handle.slot(), 1);
    assert_eq!(handle.generation().get(), 1);
    // Immutable: what can be read can only be had again from bits.
    assert_eq!(Handle::from_bits((1 << 32) | 1), Some(handle));
}

#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn a14_found_under_the_names_of_the_post() {
    let arena = workspace_text("crates/larder-core/src/containers/arena.rs");
    let aliases = arena.split_once("#[doc(alias(").expect("no aliases").1;
    let aliases = aliases.split_once(")]").unwrap().0;
    for name in ["generational arena", "generation pool", "slot map"] {
        assert!(aliases.contains(&format!("\"{name}\"")), "arena.rs: no alias {name}");
    }
}

#[test]
fn a16_handles_are_plain_data() {
    fn is_plain<T: Copy + Send + Sync + Unpin + core::hash::Hash + Ord + 'static>() {}
    is_plain::<Handle<Enemy>>();
    assert_eq!(size_of::<Missile>(), 16, "four bytes of damage, padding, eight of handle");

    let mut enemies = Arena::new();
    let targets: Vec<_> = (0..10).map(|health| enemies.insert(Enemy { health })).collect();
    let missiles: HashSet<Missile> =
        targets.iter().chain(&targets).map(|&target| Missile { damage: 1, target }).collect();
    assert_eq!(missiles.len(), 10);
    for missile in missiles {
        let copy = missile;
        enemies[copy.target].health -= missile.damage;
    }
    assert!(enemies.values().map(|enemy| enemy.health).eq(-1..9));
}

#[test]
fn a23_markers_tell_arenas_of_one_type_apart() {
    struct Friends;
    struct Foes;
    assert_not_implemented!(Arena<u32, Handle<Friends>>: Index<Handle<Foes>>);
    assert_not_implemented!(DenseArena<u32, Handle<Friends>>: Index<Handle<Foes>>);

    // Without markers a foreign handle gets an object of this arena or nothing, whatever its bits
    // are: of the slot that it names, and only if that is in the same generation.
    for_both!(Container => {
        let mut ours: Container<u32> = Container::new();
        let mut theirs: Container<u32> = Container::new();
        let mut marked = Container::<u32, Handle<Friends>>::with_key();
        for value in 0..100 {
            ours.insert(value);
            let old = theirs.insert(1_000 + value);
            if value % 2 == 0 {
                theirs.remove(old);
                theirs.insert(2_000 + value);
            }
            marked.insert(value);
        }
        for (foreign, value) in theirs.iter() {
            let same = *value < 2_000;
            assert_eq!(ours.keys().any(|own| own == foreign), same);
            assert_eq!(ours.get(foreign), same.then_some(&foreign.slot()));
        }
        assert_eq!(marked.values().sum::<u32>(), 4_950);

        // Distinct ones answer nothing, without a marker; nor does one that continues another.
        let mut apart: Container<u32> = Container::builder().distinct().build();
        let mut next: Container<u32> = Container::builder().continuing(&ours).build();
        apart.extend(0..100);
        next.extend(0..100);
        for (mine, (apart_key, next_key)) in ours.keys().zip(apart.keys().zip(next.keys())) {
            assert!(apart.get(mine).is_none() && next.get(mine).is_none());
            assert!(ours.get(apart_key).is_none() && ours.get(next_key).is_none());
            assert!(next.get(apart_key).is_none() && apart.get(next_key).is_none());
        }
    });
}

#[test]
fn a24_full_is_defined_and_walking_counting_and_clearing_exist() {
    for_both!(Container => {
        let mut container: Container<String> = Container::fixed(3);
        for name in ["a", "b", "c"] {
            container.insert(name.to_owned());
        }
        assert_eq!((container.len(), container.capacity() - container.len()), (3, 0));
        let refused = container.try_insert("d".to_owned()).unwrap_err();
        assert!(!refused.reason.to_string().is_empty());
        assert_eq!(refused.value, "d");
        panic_text(|| container.insert("e".to_owned()));
        assert_eq!(container.values().map(String::as_str).collect::<String>(), "abc");
        container.clear();
        assert!(container.is_empty() && container.capacity() - container.len() == 3);
        container.validate();
    });
}
