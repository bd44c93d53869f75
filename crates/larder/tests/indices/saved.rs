//! Indices that stand alone, saved and loaded; hostile files are errors.

use larder::{
    Arena, Handle,
    indices::{GridIndex, MultiIndex, SortedIndex, UniqueIndex},
};

type Id = Handle<u8>;

#[test]
fn what_was_filed_is_found_again() {
    let objects = Arena::from_iter(0..9_u8);
    let mut unique = UniqueIndex::new();
    let mut multi = MultiIndex::new();
    let mut sorted = SortedIndex::new();
    for (key, number) in &objects {
        unique.insert(key, number.to_string()).unwrap();
        multi.insert(key, number % 3).unwrap();
        sorted.insert(key, number / 2).unwrap();
    }
    let text = serde_json::to_string(&(&unique, &multi, &sorted)).unwrap();
    let bytes = postcard::to_allocvec(&(&unique, &multi, &sorted)).unwrap();
    type All = (UniqueIndex<String, Id>, MultiIndex<u8, Id>, SortedIndex<u8, Id>);
    for (u, m, s) in
        [serde_json::from_str::<All>(&text).unwrap(), postcard::from_bytes::<All>(&bytes).unwrap()]
    {
        u.validate();
        m.validate();
        s.validate();
        assert_eq!((u.len(), m.len(), s.len()), (9, 9, 9));
        for (key, number) in &objects {
            assert_eq!(u.get(number.to_string().as_str()), Some(key));
            assert_eq!(m.get(&(number % 3)), multi.get(&(number % 3)));
        }
        assert!(s.iter().eq(sorted.iter()));
    }
}

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
fn points_are_found_again() {
    let objects = Arena::from_iter(0..9_u8);
    let mut grid = GridIndex::new(2.5);
    for (key, &n) in &objects {
        grid.insert(key, [f32::from(n), -1e30, f32::from(n) / 3.0]).unwrap();
    }
    type Grid = GridIndex<Id, 3>;
    let text = serde_json::to_string(&grid).unwrap();
    let bytes = postcard::to_allocvec(&grid).unwrap();
    for loaded in
        [serde_json::from_str::<Grid>(&text).unwrap(), postcard::from_bytes(&bytes).unwrap()]
    {
        loaded.validate();
        assert_eq!((loaded.cell_size(), loaded.len()), (2.5, 9));
        assert!(objects.keys().all(|key| loaded.point(key) == grid.point(key)));
    }
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
