//! Indices that stand alone, saved and loaded; hostile files are errors.

use larder::{Arena, Handle, MultiIndex, SortedIndex, UniqueIndex};

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
    assert_eq!(serde_json::from_str::<MultiIndex<u8, Id>>(&duplicate).unwrap().len_of(&1), 2);
}
