//! Values found by where they lie: `key_of` by address, `get_at` and `get_at_mut` by place.

use larder::{Arena, DenseArena, key::BareHandle};
use larder_testing::both::test_both;

test_both!(every_value_knows_its_key_by_its_address, Container => {
    let mut subject: Container<u64> = (0..100).collect();
    subject.retain(|_, number| *number % 3 != 0);
    assert!(subject.iter().all(|(key, value)| subject.key_of(value) == Some(key)));
});

test_both!(a_value_that_lies_elsewhere_has_no_key, Container => {
    let subject: Container<u64> = (0..3).collect();
    let copy = subject.clone();
    assert!(copy.values().all(|value| subject.key_of(value).is_none()));
    assert_eq!(subject.key_of(&1), None);
    assert_eq!(Container::<u64>::new().key_of(&1), None);
});

test_both!(a_value_without_a_size_has_no_address_to_be_found_by, Container => {
    let subject: Container<()> = [(), ()].into_iter().collect();
    assert!(subject.values().all(|value| subject.key_of(value).is_none()));
});

#[test]
fn an_address_between_two_values_has_no_key() {
    let subject = DenseArena::from_iter([[0_u8; 2], [1; 2], [2; 2]]);
    let bytes = subject.as_slice().as_flattened();
    let key_at_byte = |byte: usize| subject.key_of(bytes[byte..].first_chunk().unwrap());
    assert_eq!(key_at_byte(2), Some(subject.keys_as_slice()[1]));
    assert_eq!((key_at_byte(1), key_at_byte(3)), (None, None));
}

#[test]
fn a_dense_value_is_found_where_it_moved() {
    let mut subject = DenseArena::<String, BareHandle<String>>::with_key();
    let keys: Vec<_> = subject.insert_many(["a", "b", "c"].map(String::from)).collect();
    subject.remove(keys[0]);
    assert_eq!(subject.key_of(&subject.as_slice()[0]), Some(keys[2]));
    subject.sort_by(Ord::cmp);
    assert_eq!(subject.key_of(&subject.as_slice()[0]), Some(keys[1]));
}

#[test]
fn a_value_is_changed_at_its_position() {
    let mut subject = DenseArena::from_iter([1, 2, 3]);
    let first = subject.keys().next().unwrap();
    subject.remove(first);
    *subject.get_index_mut(0).unwrap() *= 10;
    assert_eq!(subject.as_slice(), [30, 2]);
    assert_eq!(subject.get_index_mut(2), None);
    assert_eq!(DenseArena::<u8>::new().get_index_mut(0), None);
}

#[test]
fn a_value_is_changed_in_its_slot() {
    let mut subject = Arena::from_iter([1, 2, 3]);
    let first = subject.keys().next().unwrap();
    subject.remove(first);
    assert_eq!(subject.key_of_slot(0).and_then(|key| subject.get(key)), None);
    *subject.get_mut(subject.key_of_slot(2).unwrap()).unwrap() *= 10;
    assert!(subject.values().eq(&[2, 30]));
}
