//! Code of the user that panics: `Hash`, `Eq`, `Ord`, `Clone`, `Drop` of properties and rows, and
//! closures. Whatever happens, a row is filed everywhere or nowhere.

use larder::indices::IndexBy;
use larder::{
    Arena, Handle, Pool, SoaArena,
    containers::ValueContainer,
    indices::{GridIndex, IndexError, MultiIndex, SortedIndex, UniqueIndex},
    soa::Fill,
    track::{Insert, Objects, Observer, Refusal, Revert, Table},
    trees::InsertionOrder,
};
use std::cmp::Ordering;

use larder_testing::caught::{panicking_after, step};
use larder_testing::common::{Counted, Drops, SplitMix, amount, scaled};
use larder_testing::nervous::Nervous;

#[derive(Clone)]
struct Row {
    colour: Nervous,
}

type Id = Handle<Row>;
type ByColour = IndexBy<MultiIndex<Nervous, Id>, fn(&Row) -> Nervous>;
type InOrder = IndexBy<SortedIndex<Nervous, Id>, fn(&Row) -> Nervous>;
/// A change of what cannot be cloned is cut off: no row is half changed, and its key waits for another.
#[test]
fn a_row_whose_change_panics_is_dropped_once() {
    let drops = Drops::default();
    let mut rows = Table::with(Arena::new(), MultiIndex::by(|row: &(u32, Counted)| row.0));
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

#[test]
fn an_index_that_is_built_is_there_or_not() {
    let build = |steps| {
        let mut table =
            Table::with(Arena::from_iter((0..6).map(|n| Row { colour: Nervous(n % 3) })), None);
        let by_colour: ByColour = MultiIndex::by(|row| row.colour.clone());
        let panicked = panicking_after(steps, || {
            let (mut rows, mut index) = table.linking();
            assert!(index.fill(&mut rows, by_colour).is_ok());
        });
        assert_eq!(table.observers().is_none(), panicked);
        panicked
    };
    assert!((0..).take_while(|&steps| build(steps)).count() > 6);
    let build = |steps| {
        let mut table =
            Table::with(Arena::from_iter((0..6).map(|n| Row { colour: Nervous(n % 3) })), None);
        let in_order: InOrder = SortedIndex::by(|row| row.colour.clone());
        let panicked = panicking_after(steps, || {
            let (mut rows, mut index) = table.linking();
            assert!(index.fill(&mut rows, in_order).is_ok());
        });
        assert_eq!(table.observers().is_none(), panicked);
        panicked
    };
    assert!((0..).take_while(|&steps| build(steps)).count() > 6);
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
    let pool = each(Pool::new(|| Fragile(0)), Fragile, |row| row.0);
    assert_eq!(pool.len(), 1, "what filled the place panics when the row is there");
    each(SoaArena::new(), |n| (Fragile(n), n), |row| row.1);
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

#[test]
fn an_index_alone_keeps_its_keys() {
    let objects = Arena::from_iter(0..8_u8);
    let keys: Vec<_> = objects.keys().collect();
    let live_but = |dead: usize| Arena::from_iter((0..8_u8).filter(move |n| *n as usize != dead));
    let mut steps = 0;
    let mut ran = true;
    while ran {
        let (mut groups, mut order) = (MultiIndex::new(), SortedIndex::new());
        let mut unique = UniqueIndex::new();
        for (n, &key) in keys.iter().enumerate() {
            unique.insert(key, Nervous(n as u32)).unwrap();
            groups.insert(key, Nervous(n as u32 % 3)).unwrap();
            order.insert(key, Nervous(n as u32 % 3)).unwrap();
        }
        ran = panicking_after(steps, || groups.remove_all_of(&Nervous(1), |_| step()));
        ran |= panicking_after(steps, || groups.retain_live(&live_but(7)));
        ran |= panicking_after(steps, || order.retain_live(&live_but(7)));
        ran |= panicking_after(steps, || assert!(order.remove(keys[0])));
        ran |= panicking_after(steps, || drop(order.insert(keys[1], Nervous(2))));
        ran |= panicking_after(steps, || drop(groups.insert(keys[1], Nervous(2))));
        ran |= panicking_after(steps, || drop(unique.insert(keys[1], Nervous(20))));
        ran |= panicking_after(steps, || drop(unique.remove(keys[2])));
        ran |= panicking_after(steps, || unique.retain_live(&live_but(7)));
        unique.validate();
        assert!(!unique.contains_key(keys[2]));
        groups.validate();
        order.validate();
        assert!(!order.contains_key(keys[0]));
        assert_eq!(order.iter().count(), order.len());
        let (filed, last) = (order.len(), order.last().map(|(_, key)| key));
        ran |= panicking_after(steps, || drop(order.pop_first()));
        ran |= panicking_after(steps, || drop(order.pop_last()));
        order.validate();
        assert!(
            order.len() + 2 >= filed
                && (order.len() == filed) == (order.last().map(|(_, key)| key) == last)
        );
        assert_eq!(order.iter().count(), order.len());
        ran |= panicking_after(steps, || unique.clear());
        unique.validate();
        ran |= panicking_after(steps, || groups.clear());
        ran |= panicking_after(steps, || order.clear());
        groups.validate();
        order.validate();
        steps += 1;
    }
    assert!(steps > 5);
}

/// A property whose order panics when it is told, and nothing else; with a `Drop` or not, which is searched for
/// otherwise.
#[derive(Clone, Debug)]
struct Ranked<T>(u32, T);

impl<T> PartialEq for Ranked<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T> Eq for Ranked<T> {}

impl<T> PartialOrd for Ranked<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Ranked<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        step();
        self.0.cmp(&other.0)
    }
}

/// The new place is looked for before the key leaves its old one: whichever comparison panics, it is found where it
/// was.
#[test]
fn a_sorted_key_whose_order_panics_stays_where_it_was() {
    fn check<T: Clone>(extra: T) {
        let ranked = |n: u32| Ranked(n, extra.clone());
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
    check(Vec::<u8>::new());
}

/// Filed together: those before the panic are filed, or none, and what was there stays.
#[test]
fn filing_together_breaks_nothing() {
    let keys: Vec<_> = Arena::from_iter(0..9_u8).keys().collect();
    let pairs = || {
        step();
        keys.iter().map(|&key| (key, Nervous(key.slot() % 4)))
    };
    let file = |steps| {
        let mut ran = false;
        let (mut empty, mut order) = (SortedIndex::new(), SortedIndex::new());
        let (mut groups, mut unique) = (MultiIndex::new(), UniqueIndex::new());
        order.insert(keys[8], Nervous(20)).unwrap();
        ran |= panicking_after(steps, || empty.extend(pairs()).unwrap());
        assert_eq!(empty.len(), if ran { 0 } else { 9 });
        ran |= panicking_after(steps, || order.extend(pairs()).unwrap());
        ran |= panicking_after(steps, || groups.extend(pairs()).unwrap());
        ran |= panicking_after(steps, || {
            let unique_pairs = pairs().zip(0..).map(|((key, _), n)| (key, Nervous(n)));
            unique.extend(unique_pairs).unwrap();
        });
        empty.validate();
        order.validate();
        groups.validate();
        unique.validate();
        assert!(order.contains_key(keys[8]));
        for order in [&empty, &order] {
            assert_eq!(order.iter().count(), order.len());
            assert!(order.iter().map(|(property, _)| property.0).is_sorted());
        }
        assert!(groups.len() < 9 || groups.iter().len() == 4);
        ran
    };
    assert!((0..).take_while(|&steps| file(steps)).count() > 30);
}
