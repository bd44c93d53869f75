//! Rows C1 to C18: the memory arena of one big allocation, its own tests among them
//! (records/sources.md has the rows).

use core::fmt::Debug;

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
        let mut arena = Container::new();
        let handles: Vec<_> = (0..10).map(|number| arena.insert(drops.object(number))).collect();
        assert_eq!(drops.count(), 0, "growing moves bytes, it does not destroy");
        arena.remove(handles[4]);
        assert_eq!(drops.count(), 1, "at the removal, not at the next insert");
        arena.clear();
        assert_eq!(drops.count(), 10);
        assert!(arena.is_empty());
        arena.insert(drops.object(10));
        assert_eq!(drops.count(), 10);
        drop(arena);
        assert_eq!(drops.count(), 11);
        // Nothing is kept per object so that it can be destroyed.
        let [plain, owning] = [
            Container::<usize>::with_capacity(1_000).stats(),
            Container::<Box<u8>>::with_capacity(1_000).stats(),
        ];
        assert_eq!(plain, owning);
    });
}
