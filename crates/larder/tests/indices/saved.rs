//! Hostile files of indices that stand alone are errors.

use larder::{
    Handle,
    indices::{GridIndex, MultiIndex, SortedIndex, UniqueIndex},
};

type Id = Handle<u8>;

#[test]
fn hostile_files_are_errors() {
    let [a, b] = [1_u64 << 32, 3 << 32].map(|bits| Id::from_bits(bits | 5).unwrap());
    assert_eq!((a.slot(), b.slot()), (5, 5));
    let text = |pairs: &[(Id, u8)]| serde_json::to_string(pairs).unwrap();
    let twice = text(&[(a, 1), (a, 2)]);
    let one_slot = text(&[(a, 1), (b, 2)]);
    for text in [twice, one_slot, text(&[(b, 1), (a, 2)]), String::from("[[[0,0],1]]")] {
        assert!(serde_json::from_str::<UniqueIndex<u8, Id>>(&text).is_err(), "{text}");
        assert!(serde_json::from_str::<MultiIndex<u8, Id>>(&text).is_err(), "{text}");
        assert!(serde_json::from_str::<SortedIndex<u8, Id>>(&text).is_err(), "{text}");
    }
    let c = Id::from_bits(1 << 32 | 6).unwrap();
    let duplicate = text(&[(a, 1), (c, 1)]);
    assert!(serde_json::from_str::<UniqueIndex<u8, Id>>(&duplicate).is_err());
    assert_eq!(serde_json::from_str::<MultiIndex<u8, Id>>(&duplicate).unwrap().get(&1).len(), 2);
}

#[test]
fn hostile_grids_are_errors() {
    let [a, b] = [1_u64 << 32, 3 << 32].map(|bits| Id::from_bits(bits | 5).unwrap());
    type Points = Vec<(Id, [f32; 2])>;
    let load = |cell_size: f32, points: Points| {
        let bytes = postcard::to_allocvec(&(cell_size, points)).unwrap();
        postcard::from_bytes::<GridIndex<Id, 2>>(&bytes)
    };
    assert_eq!(load(1.0, vec![(a, [1.0, 2.0])]).unwrap().point(a), Some([1.0, 2.0]));
    for size in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(load(size, Vec::new()).is_err(), "{size}");
    }
    for coordinate in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert!(load(1.0, vec![(a, [0.0, coordinate])]).is_err(), "{coordinate}");
    }
    for (first, second) in [(a, a), (a, b), (b, a)] {
        assert!(load(1.0, vec![(first, [0.0; 2]), (second, [9.0; 2])]).is_err());
    }
    for points in ["[[[0,0],[1,2]]]", "[[4294967301,[1]]]", "[[4294967301,[1,2,3]]]", "7"] {
        let text = format!("{{\"cell_size\":1.0,\"points\":{points}}}");
        assert!(serde_json::from_str::<GridIndex<Id, 2>>(&text).is_err(), "{text}");
    }
    let size = "{\"cell_size\":1.0}";
    assert!(serde_json::from_str::<GridIndex<Id, 2>>(size).is_err());
}
