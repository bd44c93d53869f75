//! Rows D15 to D20, D31, D37, D38, D50, D51 and B55: slots that hold a value while they are empty
//! (records/sources.md has the rows).

use core::cell::Cell;

use larder::track::Table;
use larder::trees::InsertionOrder;
use larder::{Arena, DenseArena, PagedArena, Pool, Reuse, key::BareHandle};

use larder_testing::allocator::lent;
use larder_testing::common::{Drops, REUSE_ORDERS, SplitMix, address, allocations_of, scaled};

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

#[test]
fn d20_controlled_and_versioned_at_once() {
    let mut list = Pool::new(String::new);
    let id = list.insert(String::from("object"));
    assert!(list.contains_key(id));
    assert!(list.recycle(id).is_some());
    assert_eq!((list.get(id), list.slots()), (None, &[String::new()][..]));
    let next = list.insert(String::from("another"));
    assert_eq!((next.slot(), list.contains_key(id)), (id.slot(), false));
}

/// The facts about each storage in the table of the page: whether the first object is where it was when `count` have
/// come, what the last insertion said, and the ids with what they lead to.
#[test]
fn d31_each_storage_does_as_its_row_says() {
    const COUNT: usize = scaled(2_000, 200);

    /// Inserts all and erases every third; whether it had room for one more, and whether the first has moved.
    macro_rules! a_life {
        ($list:expr) => {{
            let mut list = $list;
            let ids: Vec<_> = (0..2).map(|number| list.insert(number)).collect();
            let first = address(&list[ids[0]]);
            let ids: Vec<_> =
                ids.into_iter().chain((2..COUNT).map(|number| list.insert(number))).collect();
            let moved = address(&list[ids[0]]) != first;
            let room = list.try_insert(COUNT).map(|id| list.remove(id)).is_ok();
            for &id in ids.iter().step_by(3) {
                list.remove(id);
            }
            let left: Vec<_> = ids.iter().map(|&id| list.get(id).copied()).collect();
            // The methods do the same in all of them.
            let expected = (0..COUNT).map(|number| (number % 3 != 0).then_some(number));
            assert!(left.into_iter().eq(expected));
            assert!(
                list.keys()
                    .map(|id| id.slot())
                    .eq(ids.iter().map(|id| id.slot()).filter(|slot| slot % 3 != 0))
            );
            (moved, room)
        }};
    }

    let block = lent(Arena::<usize>::bytes_for(COUNT));
    assert_eq!(a_life!(PagedArena::<usize>::new()), (false, true), "a deque");
    assert!(a_life!(Arena::<usize>::with_capacity(2)).1, "a vector");
    assert_eq!(a_life!(Arena::<usize>::fixed(COUNT)), (false, false), "and never exceeded");
    assert_eq!(a_life!(Arena::<usize>::reserved(COUNT + 1)), (false, true));
    assert_eq!(a_life!(Arena::<usize>::in_memory(block).unwrap()), (false, false));
    // A vector moves what it holds when it grows: a block of this size is never grown in place by the old one's end,
    // since another follows it.
    let mut vector = Arena::<[u8; 64]>::with_capacity(16);
    let id = vector.insert([7; 64]);
    let (before, mut neighbours) = (address(&vector[id]), vec![]);
    let moved = (0..COUNT).any(|number| {
        neighbours.push(Box::new([number; 16]));
        vector.insert([0; 64]);
        address(&vector[id]) != before
    });
    assert!(moved && vector[id] == [7; 64]);
}

thread_local! {
    static CONSTRUCTED: Cell<usize> = const { Cell::new(0) };
    static DESTROYED: Cell<usize> = const { Cell::new(0) };
}

/// Counts its construction and destruction, as the type of Rea's tests does.
#[derive(Debug, PartialEq)]
struct Counted(u32);

impl Counted {
    fn new(number: u32) -> Self {
        CONSTRUCTED.set(CONSTRUCTED.get() + 1);
        Self(number)
    }

    fn alive() -> usize {
        CONSTRUCTED.get() - DESTROYED.get()
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        DESTROYED.set(DESTROYED.get() + 1);
    }
}

#[test]
fn d37_objects_of_pools_are_constructed_and_destroyed_once() {
    const NOBODY: u32 = u32::MAX;
    let empties = || Pool::builder(|| Counted::new(NOBODY));
    for kind in 0..3 {
        for erased in [&[1, 5, 8][..], &[1, 5, 8, 4]] {
            let mut list = match kind {
                0 => empties().reuse(Reuse::Fifo).build(),
                1 => empties().recycling(|object: &mut Counted| object.0 = NOBODY).build(),
                _ => empties().recycling(|_| {}).build(),
            };
            let ids: Vec<_> = (0..10).map(|number| list.insert(Counted::new(number))).collect();
            assert_eq!((Counted::alive(), list.slots().len()), (10, 10));
            for &position in erased {
                assert!(list.recycle(ids[position]).is_some() && !list.contains_key(ids[position]));
                assert_eq!(Counted::alive(), 10, "one takes the place of another");
            }
            list.reserve(40);
            let fresh = 40 - erased.len();
            assert_eq!(Counted::alive(), 10 + fresh);
            assert!(list.slots()[10..].iter().all(|object| object.0 == NOBODY));
            for number in 1_000..1_040 {
                let id = list.insert(Counted::new(number));
                assert_eq!(list[id].0, number);
            }
            assert_eq!((Counted::alive(), list.len()), (10 + fresh, 50 - erased.len()));
            for (position, &id) in ids.iter().enumerate() {
                assert_eq!(list.contains_key(id), !erased.contains(&position));
            }
            list.clear();
            assert!(list.is_empty() && ids.iter().all(|&id| !list.contains_key(id)));
            assert_eq!(Counted::alive(), list.slots().len());
            let nobodies = list.slots().iter().filter(|object| object.0 == NOBODY).count();
            assert_eq!(nobodies, if kind == 2 { 0 } else { 10 + fresh });
            list.shrink_to_fit();
            assert_eq!((Counted::alive(), list.slots().len()), (0, 0));
            list.insert(Counted::new(7));
            drop(list);
            assert_eq!(Counted::alive(), 0);
        }
    }
}

#[test]
fn d38_readme_of_the_controlled_slot_list() {
    // rea::controlled_slot_list<double, set_empty_double, std::uint16_t>(set_empty_double{3.14159})
    let mut c_sl: Pool<f64, BareHandle<f64>> = Pool::with_key(|| ALMOST_PI);
    let ids: Vec<_> = (0..1_000).map(|number| c_sl.insert(f64::from(number))).collect();
    for &id in ids.iter().step_by(10) {
        assert!(c_sl.recycle(id).is_some());
    }
    let empty = c_sl.slots().iter().filter(|&&value| value == ALMOST_PI).count();
    assert_eq!((empty, c_sl.len()), (100, 900));
}

#[test]
fn d38_readme_of_the_slot_list_on_a_pool() {
    let mut sl: Pool<(usize, usize), BareHandle<(usize, usize)>> =
        Pool::builder_with_key(Default::default).recycling(|_| {}).capacity(1_000).build();
    let mut ids: Vec<_> = (0..1_000).map(|i| sl.insert((i, i * 2))).collect();
    let mut random = SplitMix::new(3);
    for _ in 0..100 {
        let id = random.take(&mut ids);
        assert!(sl.recycle(id).is_some());
    }
    let looked_up: usize = ids.iter().map(|&id| sl[id].0).sum();
    let mut walked = 0;
    let mut next = sl.keys().next();
    while let Some(id) = next {
        walked += sl[id].0;
        next = sl.next_key(id);
    }
    assert_eq!((looked_up, sl.len()), (walked, 900));
}

#[test]
fn d38_readme_of_the_versioned_and_regulated_slot_lists() {
    let mut versioned = Pool::builder(|| 0).recycling(|_| {}).capacity(1_000).build();
    let ids: Vec<_> = (0..1_000).map(|number| versioned.insert(number)).collect();
    let some_random_valid_id = ids[36];
    assert!(versioned.contains_key(some_random_valid_id));
    versioned.recycle(some_random_valid_id);
    assert!(!versioned.contains_key(some_random_valid_id));

    let mut strings = Pool::new(String::new);
    let id = strings.insert(String::from("a long string of characters"));
    strings.recycle(id);
    assert_eq!((strings.slots()[0].capacity(), strings.contains_key(id)), (0, false));
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
