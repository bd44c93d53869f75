//! Code of the user that panics: `Hash`, `Eq`, `Ord`, `Clone`, `Drop` of properties and rows, and
//! closures. Whatever happens, a row is filed everywhere or nowhere.

use larder::{
    Arena, Handle, Pool, SoaArena,
    containers::ValueContainer,
    indices::{GridIndex, IndexError, MultiIndex, SortedIndex, UniqueIndex},
    soa::Fill,
    track::{Insert, Objects, Observer, Refusal, Revert, Table},
    trees::InsertionOrder,
};

use crate::asked::{Asked, Dropping};
use crate::every::{Id, Index, keys, of_properties};
use larder_testing::caught::{panicking_after, step};
use larder_testing::common::{Counted, Drops, SplitMix, amount, scaled};
use larder_testing::nervous::Nervous;

/// A change of what cannot be cloned is cut off: no row is half changed, and its key waits for another.
#[test]
fn a_row_whose_change_panics_is_dropped_once() {
    let drops = Drops::default();
    let mut rows =
        Table::with(Arena::<_, Id>::with_key(), MultiIndex::by(|row: &(u32, Counted)| row.0));
    let [a, b] = [1, 2].map(|n| rows.insert((n, drops.object(n))));
    assert!(panicking_after(0, || {
        let mut row = rows.detach(a).unwrap();
        row.0 = 2;
        step();
        drop(rows.reattach(a, row));
    }));
    assert_eq!((drops.count(), rows.len(), rows.detach(a).is_none()), (1, 1, true));
    assert_eq!((rows.observers().get(&1), rows.observers().get(&2)), (&[][..], &[b][..]));
    rows.observers().validate();
    let missing = rows.replace(a, (3, drops.object(3))).err().unwrap();
    assert_eq!(missing.reason, IndexError::Missing { key: a });
    rows.reattach(a, missing.value).unwrap();
    assert_eq!((rows.observers().get(&3), drops.count()), (&[a][..], 1));
}

/// The first indices had prepared a change when the last one panicked. The row's removal may take the leaf for which it
/// was prepared; or it was removed before, and was about to be put back.
#[test]
fn what_was_prepared_for_a_row_that_goes_is_cancelled_once() {
    for seed in 0..amount(60, 5, 3) as u64 {
        let indices = (
            SortedIndex::by(|n: &u32| *n),
            SortedIndex::by(|n: &u32| *n % 3),
            UniqueIndex::by(|n: &u32| *n),
            MultiIndex::by(|n: &u32| *n % 7),
            GridIndex::by(50.0, |n: &u32| [(*n % 1000) as f32, 0.0]),
            MultiIndex::by(|n: &u32| {
                step();
                *n % 2
            }),
        );
        let mut rows = Table::with(Arena::new(), indices);
        let mut random = SplitMix::new(seed);
        // In no order, and none twice.
        let mut numbers = (0..).map(|n: u32| n.wrapping_mul(2_654_435_769));
        let count = 1 + random.below(scaled(300, 30));
        let mut keys: Vec<_> = (&mut numbers).take(count).map(|n| rows.insert(n)).collect();
        while !keys.is_empty() {
            let key = random.take(&mut keys);
            let number = if random.below(2) == 0 { rows[key] } else { numbers.next().unwrap() };
            let (is_taken_out, there) = (random.below(2) == 0, rows[key]);
            assert!(panicking_after(0, || {
                if is_taken_out {
                    assert_eq!(rows.detach(key), Some(there));
                    drop(rows.reattach(key, number));
                } else {
                    drop(rows.replace(key, number));
                }
            }));
            assert_eq!(rows.get(key).copied(), (!is_taken_out).then_some(there));
            if random.below(8) == 0 {
                keys.push(rows.insert(numbers.next().unwrap()));
            }
            assert_eq!(rows.remove(key).is_none(), is_taken_out);
            let (in_order, groups_in_order, by_number, groups, near, halves) = rows.observers();
            in_order.validate();
            groups_in_order.validate();
            by_number.validate();
            groups.validate();
            near.validate();
            halves.validate();
            let mut sorted: Vec<_> = rows.iter().map(|(key, n)| (n, key)).collect();
            sorted.sort_unstable();
            assert!(in_order.iter().eq(sorted));
            let lens = [groups_in_order.len(), by_number.len(), groups.len(), near.len()];
            assert_eq!((lens, halves.len()), ([keys.len(); 4], keys.len()));
        }
        let filed = (&mut numbers).take(scaled(200, 70)).map(|n| rows.insert(n)).count();
        let in_order = &rows.observers().0;
        in_order.validate();
        assert_eq!((in_order.len(), in_order.iter().count()), (filed, filed));
        assert_eq!(in_order.last().map(|(n, _)| n), rows.values().max());
    }
}

/// Pools run code of the user, too: a value that takes a place is made first, and what stays in its place is reset last.
#[test]
fn a_pool_that_panics_keeps_its_rows_or_takes_them_from_the_indices() {
    let make = || (step(), 0).1;
    for pool in [Pool::new(make), Pool::recycling(make, |_| step())] {
        let mut rows = Table::with(pool, UniqueIndex::by(|n: &u32| *n));
        let keys: Vec<_> = (0..5).map(|n| rows.insert(n)).collect();
        for (n, &key) in (0..).zip(&keys) {
            assert!(panicking_after(0, || assert!(rows.remove(key).is_some())));
            assert_eq!((rows.get(key), rows.observers().get(&n)), (Some(&n), Some(key)));
            assert!(panicking_after(0, || assert!(rows.recycle(key))));
            assert!(!rows.contains_key(key));
            assert_eq!(rows.observers().get(&n), None, "it is gone, and its number is free");
            rows.observers().validate();
            let again = rows.insert(n);
            assert_eq!(rows.observers().get(&n), Some(again));
        }
        assert_eq!(rows.observers().len(), 5);
    }
}

/// A value whose `Drop` may panic.
#[derive(Clone)]
struct Fragile(u32);

impl Drop for Fragile {
    fn drop(&mut self) {
        step();
    }
}

impl Fill for Fragile {
    const FILL: Self = Self(0);
}

/// Or is dropped, when the row that takes the place is there.
#[test]
fn a_row_that_is_there_when_inserting_panics_is_filed() {
    fn each<C, T: Clone>(container: C, make: fn(u32) -> T, n: fn(&T) -> u32) -> C
    where
        C: Insert<Value = T> + Revert + ValueContainer<Value = T>,
    {
        let observers = (UniqueIndex::by(n), SortedIndex::by(n), InsertionOrder::new());
        let mut rows = Table::with(container, observers);
        let first = rows.insert(make(1));
        assert!(rows.remove(first).is_some());
        for number in 2..6 {
            let _panics = panicking_after(0, || drop(rows.try_insert(make(number))));
            let (by_number, in_order, order) = rows.observers();
            let len = ValueContainer::keys(&*rows).count();
            assert_eq!([by_number.len(), in_order.len()], [len; 2]);
            assert!(order.iter().eq(ValueContainer::keys(&*rows)));
            by_number.validate();
            in_order.validate();
            if let Some(key) = by_number.get(&number) {
                assert_eq!(rows.with_value(key, n), Some(number));
                assert_eq!(in_order.get(&number), [key]);
                rows.modify(key, |row| *row = make(7)).unwrap();
                assert_eq!(rows.observers().0.get(&7), Some(key));
                assert!(rows.remove(key).is_some());
            }
            assert!(rows.observers().0.is_empty() && rows.observers().1.is_empty());
            rows.insert(make(number));
            rows.clear();
        }
        let _panics = panicking_after(0, || drop(rows.try_insert(make(8))));
        rows.into_parts().0
    }
    let pool = each(Pool::<_, Id>::with_key(|| Fragile(0)), Fragile, |row| row.0);
    assert_eq!(pool.len(), 1, "what filled the place panics when the row is there");
    each(SoaArena::<_, Id>::with_key(), |n| (Fragile(n), n), |row| row.1);
}

/// An observer panics when it is asked to prepare for a removal: then the row is there and filed.
#[test]
fn a_row_whose_removal_is_not_prepared_stays_filed() {
    struct Panics;
    impl Observer<Arena<u32>> for Panics {
        fn prepare_remove(&mut self, _: &mut Objects<'_, Arena<u32>>, _: Handle<u32>) {
            step();
        }
        fn remove(&mut self, _: &mut Objects<'_, Arena<u32>>, _: Handle<u32>) {}
        fn rebuild(&mut self, _: &mut Objects<'_, Arena<u32>>) -> Result<(), Refusal<Handle<u32>>> {
            Ok(())
        }
    }
    let by_number = UniqueIndex::by(|n: &u32| *n);
    let observers = (by_number, InsertionOrder::new(), Panics);
    let mut rows = Table::with(Arena::from_iter([7_u32, 8]), observers);
    let seven = rows.observers().0.get(&7).unwrap();
    assert!(panicking_after(0, || assert!(rows.remove(seven).is_some())));
    assert!(panicking_after(0, || assert!(rows.detach(seven).is_some())));
    assert!(panicking_after(0, || rows.clear()));
    assert!(rows.contains_key(seven));
    assert_eq!(
        (rows.observers().0.get(&7), rows.observers().1.first()),
        (Some(seven), Some(seven))
    );
    assert_eq!(rows.remove(seven), Some(7));
    let (by_number, order, _) = rows.observers();
    assert_eq!((by_number.get(&7), by_number.len(), order.len()), (None, 1, 1));
}

// Alone.

/// Code of properties panics at each step of a call: keys that it does not name stay filed, and nothing breaks.
#[test]
fn an_index_alone_keeps_its_keys() {
    let all = keys(16);
    let live = Arena::from_iter(0..7_u32);
    let number = |of: usize, key: Id| if of == 0 { key.slot() } else { key.slot() % 3 };
    type Act<'a> = &'a dyn Fn(&mut dyn Index, &mut dyn Iterator<Item = (Id, u32)>);
    // With the number of keys that may be gone after.
    let acts: [(usize, Act<'_>); 8] = [
        (1, &|index, _| assert!(index.unfile(all[2]))),
        (1, &|index, _| drop(index.file(all[1], 2))),
        (1, &|index, _| drop(index.file(all[1], 20))),
        (1, &|index, _| index.retain_live(&live)),
        (2, &|index, _| _ = (index.pop(false), index.pop(true))),
        (8, &|index, _| _ = index.remove_all_of(1)),
        (8, &|index, _| index.clear()),
        (0, &|index, others| index.file_all(others).unwrap()),
    ];
    let mut panics = [0; 3];
    for (of, count) in (0..3).flat_map(|of| [(of, 8), (of, 0)]) {
        for (act, (gone, call)) in acts.iter().enumerate().skip(if count == 0 { 7 } else { 0 }) {
            for steps in 0.. {
                let mut index = of_properties::<Nervous>().into_iter().nth(of).unwrap();
                all[..count].iter().for_each(|&key| index.file(key, number(of, key)).unwrap());
                let mut others = all[8..].iter().map(|&key| (step(), (key, number(of, key))).1);
                let panicked = panicking_after(steps, || call(&mut *index, &mut others));
                index.validate();
                let filed = |keys: &[Id]| keys.iter().filter(|&&key| index.contains(key)).count();
                assert_eq!(index.len(), filed(&all), "{of}, {act} after {steps}");
                assert!(filed(&all[..count]) + gone >= count, "{of}, {act} after {steps}");
                assert!(act > 0 || !index.contains(all[2]), "it was taken out");
                // Keys that are sorted at once are filed all or not at all.
                assert!((of, count) != (2, 0) || index.len() == if panicked { 0 } else { 8 });
                let found = (0..21).map(|number| index.with(number).len()).sum::<usize>();
                assert_eq!(found, index.len());
                if !panicked {
                    break;
                }
                panics[of] += 1;
            }
        }
    }
    assert!(panics.iter().all(|&panics| panics > 40), "{panics:?}");
}

/// The new place is looked for before the key leaves its old one: whichever comparison panics, it is found where it
/// was. A property with a `Drop` is searched for otherwise than one without.
#[test]
fn a_sorted_key_whose_order_panics_stays_where_it_was() {
    fn check<T: Clone>(extra: T) {
        let ranked = |n: u32| Asked(n, extra.clone());
        let keys: Vec<_> = Arena::from_iter(0..scaled(2_500, 100) as u32).keys().collect();
        let (key, mut panics) = (keys[keys.len() / 2], 0);
        for property in [|n: u32| 2 * n, |n: u32| n / 50 * 2, |_: u32| 4] {
            let mut index = SortedIndex::new();
            index.extend(keys.iter().map(|&key| (key, ranked(property(key.slot()))))).unwrap();
            let old = property(key.slot());
            for new in [0, old - 1, old + 1, old + 100, u32::MAX] {
                let insert =
                    |index: &mut SortedIndex<_, _>| index.insert(key, ranked(new)).unwrap();
                for steps in 0.. {
                    let panicked = panicking_after(steps, || insert(&mut index));
                    let filed_under = if panicked { old } else { new };
                    assert_eq!(index.property(key).map(|property| property.0), Some(filed_under));
                    for property in [old, new] {
                        let is_found = index.get(&ranked(property)).contains(&key);
                        assert_eq!(is_found, property == filed_under, "{property} of {old}, {new}");
                    }
                    if !panicked {
                        break;
                    }
                    panics += 1;
                }
                index.validate();
                assert_eq!((index.len(), index.iter().count()), (keys.len(), keys.len()));
                index.insert(key, ranked(old)).unwrap();
            }
        }
        assert!(panics > scaled(100, 50), "{panics}");
    }
    check(());
    check(Dropping);
}
