//! Room that was reserved is enough: a program that must not allocate after its start can use side data.

use larder::SecondaryMap;
use larder::maps::SparseSecondaryMap;
use larder_testing::common::allocations_of_turnover;

const ROOM: usize = if cfg!(miri) { 60 } else { 1_000 };

#[test]
fn reserved_side_data_does_not_allocate() {
    let (mut near, mut sparse) = (SecondaryMap::new(), SparseSecondaryMap::new());
    near.reserve(ROOM);
    sparse.reserve(ROOM);
    assert!(near.capacity() >= ROOM && sparse.capacity() >= ROOM);
    let requests = allocations_of_turnover(
        ROOM,
        &mut (near, sparse),
        |(near, sparse), _, key, random| {
            near.insert(key, random.below(9));
            sparse.insert(key, random.below(9));
        },
        |(near, sparse), _, key| {
            assert!(near.remove(key).is_some() && sparse.remove(key).is_some())
        },
    );
    assert_eq!(requests, 0);
}
