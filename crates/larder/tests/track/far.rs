//! Values in slots far from all others, whose changes are recorded.

use larder::track::{DeltaError, Replica, Tracked};
use larder::{Arena, Handle, SecondaryMap};

/// A far value that came and went between two deltas needs no room, and is no reason to refuse what follows.
#[test]
fn a_far_value_that_has_gone_again_needs_no_room() {
    let objects: Arena<u8> = (0..50_000).map(|number| number as u8).collect();
    let keys: Vec<Handle<u8>> = objects.keys().collect();
    let mut here = Tracked::new(SecondaryMap::new());
    let mut there = Replica::new(SecondaryMap::new());
    let mut publisher = here.publish(1).unwrap();
    here.insert(keys[0], 1_u32);
    assert_eq!(there.apply(&here.delta(&mut publisher).unwrap()), Ok(()));
    here.insert(keys[49_999], 2);
    here.remove(keys[49_999]);
    here.insert(keys[1], 3);
    assert_eq!(there.apply(&here.delta(&mut publisher).unwrap()), Ok(()));
    assert_eq!(*there, *here);
    assert!(there.capacity() < 1_000, "{}", there.capacity());
}

/// Slots without a value, however many a delta names, are no reason for room.
#[test]
fn slots_without_a_value_do_not_excuse_a_far_one() {
    let objects: Arena<u8> = (0..50_000).map(|number| number as u8).collect();
    let keys: Vec<Handle<u8>> = objects.keys().collect();
    let mut here = Tracked::new(SecondaryMap::new());
    let mut there = Replica::new(SecondaryMap::<Handle<u8>, u32>::new());
    let mut publisher = here.publish(1).unwrap();
    assert_eq!(there.apply(&here.delta(&mut publisher).unwrap()), Ok(()));
    for &key in &keys[..1_000] {
        here.insert(key, 1_u32);
        here.remove(key);
    }
    here.insert(keys[49_999], 2);
    let delta = here.delta(&mut publisher).unwrap();
    assert_eq!(there.apply(&delta), Err(DeltaError::TooSparse { slot: keys[49_999].slot() }));
}

/// Where addresses have 32 bits, marks of all slots that keys can name are one more than can be counted.
#[test]
#[cfg(target_pointer_width = "32")]
fn changes_of_the_farthest_slot_are_told() {
    use larder::maps::SparseSecondaryMap;

    let far = Handle::<u8>::from_bits(0x1_FFFF_FFFE).expect("it is a key's");
    let near: Vec<_> = Arena::from_iter(0..200_u8).keys().collect();
    let mut map = Tracked::new(SparseSecondaryMap::new());
    let mut subscriber = map.subscribe();
    map.insert(far, 1);
    map.insert(near[100], 2);
    map.insert(near[199], 2);
    assert_eq!(map.poll(&mut subscriber).unwrap().inserted(), [near[100], near[199], far]);
    map.remove(far);
    assert_eq!(map.poll(&mut subscriber).unwrap().removed(), [far]);
}

/// Where addresses have 32 bits, there are more slots without a size than the bytes of a delta can be.
#[test]
#[cfg(target_pointer_width = "32")]
fn a_delta_that_no_memory_holds_is_refused() {
    use larder::key::BareHandle;
    use larder::track::TrackError;

    let mut values = Arena::<(), BareHandle<()>>::with_key();
    values.insert_many(core::iter::repeat_n((), 180_000_000)).for_each(drop);
    let mut here = Tracked::new(values);
    let mut publisher = here.publish(1).unwrap();
    assert!(matches!(here.delta(&mut publisher), Err(TrackError::Memory(_))));
}
