//! Rows E4 to E28, as far as they are about handles, the pool itself, and all at once: the large array of things
//! (records/sources.md has the rows).

use std::collections::HashSet;

use larder::{
    Handle, Handle32, Soa, SoaArena,
    containers::ValueContainer,
    key::{BareHandle, PtrHandle, Serial},
    track::{Reversible, Table},
    trees::{Buckets, InObjects, Links, link_field},
};

use larder_testing::common::{SplitMix, for_both};

#[test]
fn e9_valid_means_equal_and_odd_and_nothing_else() {
    for_both!(Container => {
        let mut container = Container::new();
        let mut live = HashSet::new();
        let mut random = SplitMix::new(9);
        for value in 0..20 {
            live.insert(container.insert(value));
            if random.below(2) == 0 {
                let gone = container.keys().next().unwrap();
                live.remove(&gone);
                container.remove(gone);
            }
        }
        let valid = |container: &Container<i32>| -> HashSet<_> {
            let bits = (0..25_u64).flat_map(|slot| (0..50).map(move |odd| odd << 32 | slot));
            bits.filter_map(Handle::from_bits).filter(|&key| container.contains_key(key)).collect()
        };
        assert_eq!(valid(&container), live);
        let kept = container.keys().next().unwrap();
        container.detach(kept);
        live.remove(&kept);
        assert_eq!(valid(&container), live, "a detached key has no value");
        container.clear();
        assert!(valid(&container).is_empty());
    });
}

#[test]
fn e26_handles_are_at_most_eight_bytes_and_versions_sixteen() {
    type Large = [u64; 100];
    const { assert!(size_of::<Handle<Large>>() == 8 && align_of::<Handle<Large>>() == 8) };
    const { assert!(size_of::<Handle32<Large>>() == 4 && size_of::<BareHandle<Large>>() == 4) };
    const { assert!(size_of::<Serial<Large>>() == 16) };
    const { assert!(size_of::<Option<Handle<Large>>>() == 8) };
    const { assert!(size_of::<Option<Handle32<Large>>>() == 4) };
    const { assert!(size_of::<Option<BareHandle<Large>>>() == 4) };
    const { assert!(size_of::<Option<Serial<Large>>>() == 16) };
}

/// The large array of things with all that its author wants, at once.
#[test]
fn e27_e28_columns_with_links_in_them_nil_undo_and_pointer_handles() {
    #[derive(Clone, Debug, PartialEq, Soa)]
    struct Thing {
        kind: u8,
        place: [i32; 2],
        family: Links<Handle<Thing>>,
    }
    link_field!(Thing.family: Links<Handle<Thing>>, in columns);
    const NIL: Thing = Thing { kind: 0, place: [0, 0], family: Links::new() };

    let kinds = Buckets::<_, 3>::with_capacity(100);
    let mut things = Table::with(SoaArena::fixed(100), (InObjects, kinds));
    let [ship, crew, cargo] = [1, 1, 2].map(|kind| {
        let thing = things.insert(Thing { kind, ..NIL });
        let (objects, (_, kinds)) = things.edit();
        kinds.set(objects, thing, kind.into()).unwrap();
        thing
    });
    for child in [crew, cargo] {
        Links::append(&mut things, ship, child).unwrap();
    }
    let [_, to_crew, to_cargo] =
        [ship, crew, cargo].map(|key| PtrHandle::of(&*things, key).unwrap());
    let start = things.checkpoint();

    // A removal unlinks. What is gone reads as nil, by its key and by its address.
    *things.get_mut(cargo).unwrap().place = [5, 5];
    things.remove(crew);
    assert!(Links::children(&things, ship).eq([cargo]));
    assert_eq!(things.value_or(crew, &NIL).kind, &0);
    assert_eq!((to_crew.get(&*things), to_crew.key(&*things)), (None, None));
    assert_eq!(to_cargo.get(&*things).map(|cargo| *cargo.place), Some([5, 5]));
    let robot = things.insert(Thing { kind: 2, ..NIL }); // in the slot of the crew
    Links::append(&mut things, cargo, robot).unwrap();
    let to_robot = PtrHandle::of(&*things, robot).unwrap();
    assert_eq!((to_robot.address(), to_robot == to_crew), (to_crew.address(), false));

    // Undone, it is as if nothing had been; redone, everything is back, keys and addresses as well.
    for _ in 0..2 {
        assert!(things.undo().unwrap());
        assert!(Links::children(&things, ship).eq([crew, cargo]));
        assert_eq!(Links::check(&things, things.keys()), Ok(()));
        assert_eq!((to_crew.key(&*things), to_robot.key(&*things)), (Some(crew), None));
        assert_eq!(to_cargo.get(&*things).map(|cargo| *cargo.place), Some([0, 0]));
        let (_, kinds) = things.observers();
        assert!(kinds.iter(1).eq([ship, crew]) && kinds.iter(2).eq([cargo]));

        assert!(things.redo().unwrap());
        assert!(Links::descendants(&things, ship).eq([cargo, robot]));
        assert_eq!(Links::check(&things, things.keys()), Ok(()));
        assert_eq!((to_crew.key(&*things), to_robot.key(&*things)), (None, Some(robot)));
        assert!(things.observers().1.iter(1).eq([ship]));
    }
    things.rollback(start).unwrap();
    assert_eq!((things.len(), to_crew.get(&*things).map(|crew| *crew.kind)), (3, Some(1)));
    assert_eq!(to_robot.get(&*things), None);
}
