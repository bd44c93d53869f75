//! Rows A1 to A24: what the post on generational arenas asks for, leaves as an exercise, or gets
//! wrong (records/sources.md has the rows).

use core::ops::Index;

use larder::{Arena, DenseArena, Handle};

use larder_testing::common::{
    SplitMix, address, allocations_of, assert_not_implemented, for_both, scaled, workspace_text,
};

#[test]
fn a1_objects_lie_in_one_array() {
    let arena: Arena<[u32; 3]> = (0..scaled(10_000, 300) as u32).map(|n| [n; 3]).collect();
    // Slot n lies n strides behind slot 0.
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
    // Time is the lab's business; here: no call allocates, and none moves another object. (Of packed
    // values the last one moves, as the model does.)
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
        for value in 0..100 {
            ours.insert(value);
            let old = theirs.insert(1_000 + value);
            if value % 2 == 0 {
                theirs.remove(old);
                theirs.insert(2_000 + value);
            }
        }
        for (foreign, value) in theirs.iter() {
            let same = *value < 2_000;
            assert_eq!(ours.keys().any(|own| own == foreign), same);
            assert_eq!(ours.get(foreign), same.then_some(&foreign.slot()));
        }

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
