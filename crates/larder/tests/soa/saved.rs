//! Columns that are saved and loaded.

use larder::SoaArena;

/// Free slots of columns hold a value each, also the last; and there is room for what was saved, and no more.
#[test]
fn columns_with_free_slots_at_the_end_are_whole() {
    for slots in [1, 2, 4, 5, 8, 9, 33] {
        for free in 0..=slots.min(3) {
            let mut original: SoaArena<u32> = SoaArena::new();
            let keys: Vec<_> = (0..slots).map(|number| original.insert(number as u32)).collect();
            keys[slots - free..].iter().for_each(|&key| assert!(original.remove(key).is_some()));
            let text = serde_json::to_string(&original).unwrap();
            let bytes = postcard::to_allocvec(&original).unwrap();
            let copies: [SoaArena<u32>; 2] =
                [serde_json::from_str(&text).unwrap(), postcard::from_bytes(&bytes).unwrap()];
            for mut copy in copies {
                copy.validate();
                assert_eq!((copy == original, copy.stats().slots), (true, slots));
                assert!(copy.capacity() <= original.capacity(), "{slots} slots, {free} free");
                assert_eq!(copy.columns().len(), slots);
                let mut original = original.clone();
                (0..=free).for_each(|_| assert_eq!(copy.insert(7), original.insert(7)));
                copy.validate();
                assert!(keys[slots - free..].iter().all(|&key| !copy.contains_key(key)));
            }
        }
    }
}
