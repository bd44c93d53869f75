//! Rows C1 to C18: the memory arena of one big allocation, its own tests among them
//! (records/sources.md has the rows).

use core::fmt::Debug;

use larder::{Arena, DenseArena, Handle, key::Serial};

use larder_testing::common::{Drops, assert_not_implemented, for_both, panic_text, scaled};

/// The source's ten megabytes: decimal ones.
const TEN_MEGABYTES: usize = scaled(10_000_000, 1_000);

#[test]
fn c3_a_capacity_in_bytes_counts_the_bytes_of_values() {
    for_both!(Container => {
        assert_eq!(Container::<bool>::builder().fixed_bytes(TEN_MEGABYTES).build().capacity(), TEN_MEGABYTES);
        assert_eq!(Container::<f32>::builder().fixed_bytes(TEN_MEGABYTES).build().capacity(), TEN_MEGABYTES / 4);
        // The rest holds no whole value.
        assert_eq!(Container::<[u8; 12]>::builder().fixed_bytes(1_000).build().capacity(), 83);
        assert_eq!(Container::<[u8; 12]>::builder().fixed_bytes(11).build().capacity(), 0);
        let built: Container<f32> = Container::builder().fixed_bytes(400).build();
        assert_eq!((built.capacity(), built.len()), (100, 0));
        panic_text(|| Container::<()>::builder().fixed_bytes(10).build());
    });
}

#[test]
fn c7_handles_print_copy_and_compare_by_slot_and_version() {
    fn is_plain<T: Debug + Copy + Clone + Eq>() {}
    is_plain::<Serial<bool>>();
    is_plain::<Handle<bool>>();
    // The default handle is one that says what it is, and is never valid.
    let mut arena = Arena::<bool, Serial<bool>>::with_key();
    assert!(
        Serial::<bool>::default().is_dangling() && Serial::default() == Serial::<bool>::DANGLING
    );
    assert!(!arena.contains_key(Serial::default()));

    let handle = arena.insert(true);
    let copy = handle;
    assert!(arena.contains_key(handle), "not dirty");
    arena.remove(handle);
    assert!(!arena.contains_key(copy), "dirty");
    assert_eq!(handle, copy, "dirty or not is no part of the handle");
    assert_eq!((handle.slot(), handle.version().get()), (0, 1));
    assert!(format!("{handle:?} {handle}").contains("0v1"));
}

#[test]
fn c10_versions_are_counted_across_the_arena_and_never_repeat() {
    let mut arena = Arena::<u32, Serial<u32>>::with_key();
    let mut dense = DenseArena::<u32, Serial<u32>>::with_key();
    let mut expected = 0;
    for round in 0..10 {
        for value in 0..10 {
            expected += 1;
            assert_eq!(arena.insert(value).version().get(), expected);
            assert_eq!(dense.insert(value).version().get(), expected);
        }
        if round % 2 == 0 {
            arena.clear();
            dense.clear();
        } else {
            arena.retain(|handle, _| handle.slot() % 3 == 0);
            dense.retain(|handle, _| handle.slot() % 3 == 0);
        }
    }
}

#[test]
fn c14_stale_access_panics_or_is_none_as_the_caller_likes() {
    for_both!(Container => {
        let mut arena = Container::new();
        let handle = arena.insert('a');
        arena.remove(handle);
        assert_eq!(arena.get(handle), None);
        assert_eq!(arena.get_mut(handle), None);
        let text = panic_text(|| arena[handle]);
        assert!(text.contains("0v1") && text.contains("slot 0 is free"), "{text}");
        panic_text(|| arena[handle] = 'b');
    });
}

#[test]
fn c15_no_debug_is_asked_of_the_objects() {
    struct Silent(u32);
    assert_not_implemented!(Silent: Debug);
    for_both!(Container => {
        let mut container = Container::new();
        let handle = container.insert(Silent(1));
        container[handle].0 += 1;
        assert_eq!(container.get(handle).map(|silent| silent.0), Some(2));
        assert_eq!(container.remove(handle).map(|silent| silent.0), Some(2));
        assert!(panic_text(|| container[handle].0).contains("0v1"));
        assert!(container.try_insert(Silent(3)).is_ok());
    });
}

#[test]
fn c18_objects_drop_when_removed_and_when_flushed() {
    for_both!(Container => {
        let drops = Drops::default();
        let mut arena = Container::fixed(10);
        let handles: Vec<_> = (0..10).map(|number| arena.insert(drops.object(number))).collect();
        arena.remove(handles[4]);
        assert_eq!(drops.count(), 1, "at the removal, not at the next insert");
        arena.clear();
        assert_eq!(drops.count(), 10);
        assert!(arena.is_empty());
        arena.insert(drops.object(10));
        assert_eq!(drops.count(), 10);
        drop(arena);
        assert_eq!(drops.count(), 11);
    });
}
