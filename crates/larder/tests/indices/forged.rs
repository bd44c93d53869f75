//! Keys that were never handed out, for indices: they find nothing.

use larder::indices::{GridIndex, MultiIndex, SortedIndex, UniqueIndex};
use larder_testing::for_all_keys;
use larder_testing::forge::{Forged, forged, scene};

#[test]
fn forged_keys_of_indices() {
    for_all_keys!(indices);
}

fn indices<K: Forged>() {
    let (_, live, issued) = scene::<K>();
    let (mut unique, mut multi) = (UniqueIndex::<u32, K>::new(), MultiIndex::<u32, K>::new());
    let (mut sorted, mut grid) = (SortedIndex::<u32, K>::new(), GridIndex::<K, 2>::new(4.0));
    for (number, &key) in live.iter().enumerate() {
        unique.insert(key, number as u32).unwrap();
        multi.insert(key, number as u32 / 3).unwrap();
        sorted.insert(key, number as u32).unwrap();
        grid.insert(key, [number as f32, 0.0]).unwrap();
    }
    for key in forged(&issued).into_iter().filter(|key| !live.contains(key)) {
        assert!(!unique.contains_key(key) && !multi.contains_key(key), "{key:?}");
        assert!(!sorted.contains_key(key) && !grid.contains_key(key), "{key:?}");
        let none = [unique.property(key), multi.property(key), sorted.property(key)];
        assert_eq!((none, grid.point(key)), ([None; 3], None), "{key:?}");
        assert!(unique.remove(key).is_none() && !multi.remove(key), "{key:?}");
        assert!(!sorted.remove(key) && grid.remove(key).is_none(), "{key:?}");
    }
    let lengths = [unique.len(), multi.len(), sorted.iter().count(), grid.len()];
    assert_eq!(lengths, [live.len(); 4]);
    unique.validate();
    multi.validate();
    sorted.validate();
    grid.validate();
}
