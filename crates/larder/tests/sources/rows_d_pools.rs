//! Rows D1, D15, D16, D50 and D51: slots that hold a value while they are empty
//! (records/sources.md has the rows).

use larder::track::Table;
use larder::trees::InsertionOrder;
use larder::{Arena, DenseArena, Pool, key::BareHandle};

use larder_testing::common::{Drops, REUSE_ORDERS, SplitMix, allocations_of};

/// The value in the empty slots of Rea's README.
#[expect(clippy::approx_constant, reason = "the README's own")]
const ALMOST_PI: f64 = 3.14159;

#[test]
fn d15_erased_objects_stay_as_they_were() {
    let mut list: Pool<Vec<u32>, BareHandle<Vec<u32>>> =
        Pool::builder_with_key(Vec::new).recycling(|_| {}).build();
    let ids: Vec<_> = (0..10).map(|number| list.insert(vec![number; 100])).collect();
    let buffer = list[ids[3]].as_ptr();
    let requests = allocations_of(|| {
        assert!(list.recycle(ids[3]).is_some());
        assert_eq!(list.slots()[3], [3; 100], "only marked as empty");
        let again = list.insert_with(|erased| erased.fill(30));
        assert_eq!((list[again].as_ptr(), &list[again][..]), (buffer, &[30; 100][..]));
    });
    assert_eq!(requests, 0, "the buffer was kept");
}

#[test]
fn d16_empty_slots_hold_what_the_function_returns() {
    for reuse in REUSE_ORDERS {
        let mut list = Pool::builder(|| ALMOST_PI).reuse(reuse).build();
        let ids: Vec<_> = (0..10).map(|number| list.insert(f64::from(number))).collect();
        for erased in [1, 5, 8] {
            assert!(list.recycle(ids[erased]).is_some());
            assert_eq!(list.slots()[erased], ALMOST_PI);
        }
        list.reserve(40); // three of them in holes
        assert_eq!(list.slots().len(), 47);
        assert!(list.slots()[10..].iter().all(|&empty| empty == ALMOST_PI));
        assert!(list.vacant_entry().value_mut() == &ALMOST_PI);
        list.retain(|id, _| id != ids[0]);
        assert_eq!(list.slots()[0], ALMOST_PI);
        list.clear();
        assert!(list.slots().iter().all(|&empty| empty == ALMOST_PI));
    }
    // Rea has this if no function is named: a default-constructed object.
    assert_eq!(Pool::<f64>::builder(f64::default).fixed(3).build().slots(), [0.0; 3]);
    let mut default = Pool::<f64>::default();
    default.reserve(1);
    assert_eq!(default.slots(), [0.0]);
}

/// The fate of an erased object, and whether an id of it can be told from that of the next one.
#[test]
fn d1_all_six_structures_are_there() {
    /// Puts in 1, 2, 3, erases 2 and puts in 4: what the id of 2 leads to.
    macro_rules! then {
        ($list:expr) => {{
            let mut list = $list;
            let ids = [1_u8, 2, 3].map(|number| list.insert(number));
            list.remove(ids[1]);
            assert!(!list.contains_key(ids[1]));
            let next = list.insert(4);
            assert_eq!((list[ids[0]], list[ids[2]], list[next]), (1, 3, 4));
            list.get(ids[1]).copied()
        }};
    }
    /// Returns the contents of the slot of an erased object.
    macro_rules! erased {
        ($pool:expr) => {{
            let mut pool = $pool;
            let ids = [1_u8, 2, 3].map(|number| pool.insert(number));
            pool.recycle(ids[1]);
            pool.slots()[1]
        }};
    }
    type Plain = BareHandle<u8>;
    let slot_list = || Pool::<u8, Plain>::builder_with_key(|| 0).recycling(|_| {}).build();
    let controlled = || Pool::<u8, Plain>::with_key(|| 7);
    let versioned = || Pool::<u8>::recycling(|| 0, |_| {});
    let regulated = || Pool::<u8>::new(|| 7);
    // An erased object stays as it was, or is what the functor returns.
    assert_eq!((erased!(slot_list()), erased!(versioned())), (2, 2));
    assert_eq!((erased!(controlled()), erased!(regulated())), (7, 7));
    // Without a version an old id leads to the next object, with one to nothing.
    assert_eq!((then!(slot_list()), then!(controlled())), (Some(4), Some(4)));
    assert_eq!((then!(versioned()), then!(regulated())), (None, None));

    // Slot maps are packed, and destroy what is erased.
    assert_eq!(then!(DenseArena::<u8, Plain>::with_key()), Some(4));
    assert_eq!(then!(DenseArena::<u8>::new()), None);
    let drops = Drops::default();
    let mut map: DenseArena<_> = (0..3).map(|number| drops.object(number)).collect();
    drop(map.remove(map.keys().next().expect("there are three")));
    assert_eq!((drops.count(), map.as_slice().len()), (1, 2));
    // And where erased objects are to be destroyed, the list is an arena.
    assert_eq!(then!(Arena::<u8, Plain>::with_key()), Some(4));
    assert_eq!(then!(Arena::<u8>::new()), None);
    let mut list: Arena<_> = (0..3).map(|number| drops.object(number)).collect();
    drop(list.remove(list.keys().next().expect("there are three")));
    assert_eq!(drops.count(), 2);
}

/// Rea's `slot_list` as it is: walked in the order of insertion, while erased objects stay and are used again.
#[test]
fn d50_d51_insertion_order_of_kept_objects_walked_in_pairs() {
    type Text = Vec<u32>;
    let kept: Pool<Text, BareHandle<Text>> =
        Pool::builder_with_key(Vec::new).recycling(|_| {}).build();
    let mut list = Table::with(kept, InsertionOrder::new());
    list.try_reserve(100).unwrap();
    assert!(list.capacity() >= 100 && list.observers().capacity() >= 100);
    let mut naive: Vec<_> = (0..100_u32).map(|i| (list.insert(vec![i; 50]), i)).collect();
    let mut random = SplitMix::new(50);
    let requests = allocations_of(|| {
        for i in 100..1_000 {
            let (erased, was) = naive.remove(random.below(100));
            assert!(list.recycle(erased) && !list.contains_key(erased));
            assert_eq!(list.slots()[erased.slot() as usize], [was; 50], "it stays as it was");
            let id = list.insert_with(|erased| erased.fill(i));
            assert_eq!(id, erased, "the next object takes the slot");
            naive.push((id, i));
        }
    });
    assert_eq!(requests, 0, "and the memory of the erased one");
    let order = list.observers();
    let pairs = order.iter().map(|id| (id, list[id][49]));
    assert!(pairs.eq(naive.iter().copied()));
    let backwards = order.iter().rev().map(|id| (id, list[id][0]));
    assert!(backwards.eq(naive.into_iter().rev()));
}
