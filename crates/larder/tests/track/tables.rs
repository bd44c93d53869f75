//! Tables: containers of every kind together with what refers to their objects, changed and taken back as one.

use core::cell::Cell;
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use larder::containers::ValueContainer;
use larder::indices::{IndexBy, MultiIndex, SortedIndex, UniqueIndex};
use larder::maps::SparseSecondaryMap;
use larder::track::{
    Checkpoint, Insert, Objects, Observer, Refusal, Reversible, Revert, Table, Tracked, Versioned,
};
use larder::trees::{
    Buckets, InObjects, InsertionOrder, IntrusiveList, KeyList, Link, LinkStoreMut, Links,
    link_field,
};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, InlineArena, PagedArena, Pool, SecondaryMap, Soa,
    SoaArena, Tree,
};
use larder_testing::allocator::refusing_after;
use larder_testing::common::{scaled, thorough};

use crate::going_back::Dice;

type Id = Handle<Thing>;

/// A thing with links inside.
#[derive(Clone, Debug, Default, PartialEq, Soa)]
struct Thing {
    number: u32,
    family: Links<Id>,
    burning: Link<Id>,
}
link_field!(Thing.family: Links<Id>, in columns);
link_field!(Thing.burning: Link<Id>, in columns);

fn thing(number: u32) -> Thing {
    Thing { number, ..Thing::default() }
}

/// All that stands beside the objects and goes back with them.
type Beside = (
    Tree<Id>,
    KeyList<Id>,
    Buckets<Id, 3>,
    InsertionOrder<Id>,
    (Tracked<SecondaryMap<Id, u32>>, Tracked<SparseSecondaryMap<Id, u32>>),
    Versioned<IntrusiveList<Id>>,
    (InObjects, ByNumber, ByTen),
);

type ByNumber = IndexBy<MultiIndex<u32, Id>, fn(&Thing) -> u32>;
type ByTen = IndexBy<SortedIndex<u32, Id>, fn(&Thing) -> u32>;

fn beside() -> Beside {
    (
        Tree::new(),
        KeyList::new(),
        Buckets::new(),
        InsertionOrder::new(),
        (Tracked::new(SecondaryMap::new()), Tracked::new(SparseSecondaryMap::new())),
        Versioned::new(IntrusiveList::numbered(3)),
        (
            InObjects,
            IndexBy::new(MultiIndex::new(), |thing| thing.number % 8),
            IndexBy::new(SortedIndex::new(), |thing| thing.number / 100),
        ),
    )
}

/// A container of any kind whose objects have links inside.
trait Things:
    Revert<Key = Id, Value = Thing>
    + Insert
    + ValueContainer<Value = Thing>
    + LinkStoreMut<Links<Id>, Key = Id>
    + LinkStoreMut<Link<Id>, Key = Id>
{
    fn number(&self, key: Id) -> Option<u32>;
    fn all(&self) -> Vec<Id>;
}

macro_rules! things {
    ($($Container:ty, |$this:ident, $key:ident| $number:expr;)+) => {$(
        impl Things for $Container {
            fn number(&self, $key: Id) -> Option<u32> {
                let $this = self;
                $number
            }

            fn all(&self) -> Vec<Id> {
                self.keys().collect()
            }
        }
    )+};
}

things! {
    Arena<Thing>, |this, key| this.get(key).map(|thing| thing.number);
    PagedArena<Thing>, |this, key| this.get(key).map(|thing| thing.number);
    InlineArena<Thing, 300>, |this, key| this.get(key).map(|thing| thing.number);
    Pool<Thing>, |this, key| this.get(key).map(|thing| thing.number);
    DenseArena<Thing>, |this, key| this.get(key).map(|thing| thing.number);
    SoaArena<Thing>, |this, key| this.get(key).map(|thing| *thing.number);
    DenseSoaArena<Thing>, |this, key| this.get(key).map(|thing| *thing.number);
}

/// One object as it is seen: its key, number, parents beside and inside, side data, bucket.
type Object = (Id, Option<u32>, [Option<Id>; 2], [Option<u32>; 2], Option<usize>);

/// Everything that can be seen of a table, orders included.
type Seen = (Vec<Object>, [Vec<Id>; 7]);

fn seen<C: Things>(table: &Table<C, Beside>) -> Seen {
    let (tree, list, buckets, order, (ages, rare), burning, (_, by_number, by_ten)) =
        table.observers();
    let objects = table.all().into_iter().map(|key| {
        let parents = [tree.parent(key), Links::<Id>::parent(table, key)];
        let side = [ages.get(key).copied(), rare.get(key).copied()];
        (key, table.number(key), parents, side, buckets.bucket_of(key))
    });
    let inside = table
        .all()
        .into_iter()
        .flat_map(|key| Links::<Id>::children(table, key).collect::<Vec<_>>());
    let lists = [
        list.iter().collect(),
        order.iter().collect(),
        burning.iter(table).collect(),
        inside.collect(),
        (0..3).flat_map(|bucket| buckets.iter(bucket).collect::<Vec<_>>()).collect(),
        (0..8).flat_map(|rest| by_number.get(&rest)).copied().collect(),
        by_ten.iter().map(|(_, key)| key).collect(),
    ];
    (objects.collect(), lists)
}

/// Nothing refers to an object that is gone, and links agree.
fn check<C: Things>(table: &Table<C, Beside>) {
    let keys = table.all();
    let is_live = |key: &Id| keys.contains(key);
    let (tree, list, buckets, order, (ages, rare), burning, (_, by_number, by_ten)) =
        table.observers();
    tree.validate();
    list.validate();
    assert!(list.iter().all(|key| is_live(&key)));
    let mut known: Vec<Id> = order.iter().collect();
    known.sort_unstable();
    let mut all = keys.clone();
    all.sort_unstable();
    assert_eq!(known, all, "the order has each object once");
    assert!((0..3).all(|bucket| buckets.iter(bucket).all(|key| is_live(&key))));
    assert!(ages.keys().all(|key| is_live(&key)) && rare.keys().all(|key| is_live(&key)));
    assert_eq!(Links::<Id>::check(table, &keys), Ok(()));
    assert_eq!(burning.check(table, &keys), Ok(()));
    assert_eq!((by_number.len(), by_ten.len()), (keys.len(), keys.len()));
    for &key in &keys {
        let number = table.number(key).expect("it is live");
        assert!(by_number.get(&(number % 8)).contains(&key));
        assert!(by_ten.get(&(number / 100)).contains(&key));
    }
}

/// One random change.
fn edit<C: Things>(table: &mut Table<C, Beside>, dice: &mut Dice) {
    let keys = table.all();
    let number = dice.below(1_000) as u32;
    if keys.len() < 4 || dice.below(10) < 3 {
        table.insert(thing(number));
        return;
    }
    let [one, other] = [(); 2].map(|()| keys[dice.below(keys.len())]);
    match dice.below(24) {
        0 | 1 => assert!(table.remove(one).is_some()),
        2 => table.retain(|things, key| things.number(key) != Some(number) && key != one),
        3 => {
            let gone: Vec<_> = table.extract_if(|_, key| key == one || key == other).collect();
            assert!(!gone.is_empty());
        }
        4 if dice.below(8) == 0 => table.clear(),
        5 if dice.below(8) == 0 => assert_eq!(table.drain().count(), keys.len()),
        6 => _ = table.remove_subtree(|beside| &beside.0, one, |_, _| ()),
        7 | 8 => assert!(table.replace(one, thing(number)).is_ok()),
        9 | 10 => assert_eq!(table.modify(one, |thing| thing.number = number), Ok(())),
        11 => {
            let there = table.detach(one).expect("it is live");
            if number % 3 > 0 {
                assert!(table.reattach(one, there).is_ok());
            }
        }
        12..15 => {
            let (objects, (tree, list, ..)) = table.edit();
            let _ = tree.append(objects, one, other);
            let _ = list.push_back(objects, other);
        }
        15 | 16 => {
            let (objects, (_, list, buckets, ..)) = table.edit();
            list.remove(one);
            buckets.set(objects, one, number as usize % 3).expect("there is memory");
        }
        17..19 => {
            let (_, (_, _, _, _, (ages, rare), ..)) = table.edit();
            ages.insert(one, number);
            rare.insert(other, number);
        }
        19..22 => _ = Links::<Id>::append(&mut table.linking().0, one, other),
        _ => {
            let (mut objects, (.., burning, _)) = table.linking();
            let _ = burning.push_back(&mut objects, one);
        }
    }
}

/// Changes, returns, undoes and redoes at random: nothing refers to what is gone, and all that is seen comes back.
fn history<C: Things>(make: impl Fn() -> C, seed: u64) {
    let (mut dice, mut table) = (Dice(seed), Table::with(make(), beside()));
    let mut held = Vec::<(Checkpoint, Seen)>::new();
    let mut undone = Vec::<(Checkpoint, Seen, Seen)>::new();
    let mut has_undone = false;
    for step in 0..scaled(400, 40) {
        let name = format!("seed {seed}, step {step}");
        match dice.below(16) {
            0 => {
                held.push((table.checkpoint(), seen(&table)));
                undone.clear();
            }
            1 if !held.is_empty() => {
                held.truncate(dice.below(held.len()) + 1);
                let (point, then) = held.last().unwrap();
                table.rollback(*point).expect("it is held");
                assert_eq!(seen(&table), *then, "{name}");
                // The same calls again have the same effects.
                let after = [(); 2].map(|()| {
                    table.rollback(*point).expect("it is held");
                    let mut again = Dice(seed ^ 5);
                    (0..6).for_each(|_| edit(&mut table, &mut again));
                    seen(&table)
                });
                // (But for the keys, once some were undone: these are never issued again.)
                assert!(after[0] == after[1] || has_undone, "{name}");
                undone.clear();
            }
            2 => {
                let now = seen(&table);
                assert_eq!(table.undo(), Ok(!held.is_empty()), "{name}");
                if let Some((point, then)) = held.pop() {
                    has_undone = true;
                    assert_eq!(seen(&table), then, "{name}");
                    undone.push((point, then, now));
                }
            }
            3 => {
                assert_eq!(table.redo(), Ok(!undone.is_empty()), "{name}");
                if let Some((point, then, now)) = undone.pop() {
                    assert_eq!(seen(&table), now, "{name}");
                    held.push((point, then));
                }
            }
            _ => {
                edit(&mut table, &mut dice);
                undone.clear();
                assert_eq!(table.redo(), Ok(false), "{name}");
            }
        }
        check(&table);
    }
}

#[test]
fn every_container_with_everything_beside_it_goes_back() {
    for seed in 1..=thorough(8, 1) as u64 {
        history(Arena::new, seed);
        history(PagedArena::new, seed);
        history(InlineArena::<_, 300>::new, seed);
        history(|| Pool::new(Thing::default), seed);
        history(DenseArena::new, seed);
        history(SoaArena::new, seed);
        history(DenseSoaArena::new, seed);
    }
}

thread_local! {
    /// After this many calls of user code the next one panics.
    static FUSE: Cell<Option<u32>> = const { Cell::new(None) };
}

/// User code that may panic.
fn user_code() {
    if let Some(left) = FUSE.get() {
        FUSE.set(left.checked_sub(1));
        assert!(left > 0, "user code panics");
    }
}

/// A row whose clone and drop are user code.
#[derive(Debug, PartialEq)]
struct Row {
    name: u32,
    colour: u32,
}

impl Clone for Row {
    fn clone(&self) -> Self {
        user_code();
        Self { ..*self }
    }
}

impl Drop for Row {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            user_code();
        }
    }
}

type RowId = Handle<Row>;
type Property = fn(&Row) -> u32;
type ByName = IndexBy<UniqueIndex<u32, RowId>, Property>;
type ByColour = IndexBy<MultiIndex<u32, RowId>, Property>;
type Filed = (ByName, ByColour, Tree<RowId>, SecondaryMap<RowId, Row>);

fn filed() -> Filed {
    let name: Property = |row| {
        user_code();
        row.name
    };
    let colour: Property = |row| {
        user_code();
        row.colour
    };
    (
        IndexBy::new(UniqueIndex::new(), name),
        IndexBy::new(MultiIndex::new(), colour),
        Tree::new(),
        SecondaryMap::new(),
    )
}

trait Rows: Insert<Key = RowId, Value = Row> + Revert + ValueContainer<Value = Row> {}
impl<C: Insert<Key = RowId, Value = Row> + Revert + ValueContainer<Value = Row>> Rows for C {}

/// The rows by key, with what all observers say of them.
type Known = (Vec<(RowId, u32, u32)>, Vec<(RowId, Option<RowId>, bool)>);

/// Says what there is, once all observers have agreed to it.
fn known<C: Rows>(table: &Table<C, Filed>) -> Known {
    let (by_name, by_colour, tree, twins) = table.observers();
    let mut rows = Vec::new();
    for key in ValueContainer::keys(&**table) {
        let (name, colour) =
            table.with_value(key, |row| (row.name, row.colour)).expect("it is live");
        assert_eq!(by_name.get(&name), Some(key));
        assert!(by_colour.get(&colour).contains(&key));
        rows.push((key, name, colour));
    }
    assert_eq!((by_name.len(), by_colour.len()), (rows.len(), rows.len()));
    assert!(twins.keys().all(|key| table.contains_key(key)));
    let beside = rows.iter().map(|&(key, ..)| (key, tree.parent(key), twins.contains_key(key)));
    let beside = beside.collect();
    (rows, beside)
}

/// One random change, which may be refused, fail or panic.
fn change<C: Rows>(table: &mut Table<C, Filed>, dice: &mut Dice) -> bool {
    let keys: Vec<RowId> = ValueContainer::keys(&**table).collect();
    let row = Row { name: dice.below(40) as u32, colour: dice.below(4) as u32 };
    let one = keys.get(dice.below(keys.len().max(1))).copied();
    match (dice.below(12), one) {
        (0..4, _) | (_, None) => table.try_insert(row).is_ok(),
        (4 | 5, Some(key)) => table.replace(key, row).is_ok(),
        (6 | 7, Some(key)) => table.modify(key, |there| there.name = row.name).is_ok(),
        (8, Some(key)) => table.remove(key).is_some(),
        (9, Some(_)) => {
            table
                .retain(|rows, key| rows.with_value(key, |there| there.colour) != Some(row.colour));
            true
        }
        (10, Some(key)) => {
            let other = keys[dice.below(keys.len())];
            let (rows, (_, _, tree, twins)) = table.edit();
            twins.try_insert(key, row).is_ok() && tree.append(rows, key, other).is_ok()
        }
        (_, Some(key)) => table.detach(key).is_some_and(|there| table.reattach(key, there).is_ok()),
    }
}

/// Whatever panics, every row is in the container and in all observers, or in none; and what is refused changes nothing.
fn agrees<C: Rows>(make: impl Fn() -> C, seed: u64) {
    let (mut dice, mut table) = (Dice(seed), Table::with(make(), filed()));
    let (mut panics, mut refusals) = (0, 0);
    for step in 0..scaled(1_500, 60) {
        let before = known(&table);
        let fuse = (dice.below(3) == 0).then(|| dice.below(6) as u32);
        FUSE.set(fuse);
        let done = catch_unwind(AssertUnwindSafe(|| change(&mut table, &mut dice)));
        FUSE.set(None);
        match done {
            Ok(true) => {}
            Ok(false) => {
                refusals += 1;
                assert_eq!(known(&table).0, before.0, "seed {seed}, step {step}");
            }
            Err(_) => panics += 1,
        }
        known(&table);
    }
    assert!(panics > 0 && refusals > 0);
}

#[test]
fn every_row_is_everywhere_or_nowhere() {
    for seed in 1..thorough(5, 2) as u64 {
        agrees(Arena::new, seed);
        agrees(PagedArena::new, seed);
        agrees(DenseArena::new, seed);
        agrees(|| Pool::new(|| Row { name: 0, colour: 0 }), seed);
    }
}

/// Wherever an allocation fails, a change is refused and nothing has changed, or it was made.
#[test]
fn refused_memory_leaves_a_table_as_it_was() {
    let mut refused = 0;
    for after in 0..scaled(40, 12) {
        for for_good in [false, true] {
            let (mut dice, mut table) = (Dice(after as u64), Table::with(Arena::new(), filed()));
            (0..60).for_each(|_| _ = change(&mut table, &mut dice));
            for name in 100..140 {
                let before = known(&table);
                let row = Row { name, colour: name % 9 };
                let (_, inserted) = refusing_after(after % 5, for_good, || table.try_insert(row));
                match inserted {
                    Ok(key) => assert_eq!(
                        known(&table).0.len(),
                        before.0.len() + usize::from(table.contains_key(key))
                    ),
                    Err(rejected) => {
                        refused += 1;
                        assert_eq!(rejected.value.name, name);
                        assert_eq!(known(&table), before);
                    }
                }
                let key = before.0[0].0;
                let row = Row { name: name + 100, colour: name };
                let (_, replaced) = refusing_after(after % 3, for_good, || table.replace(key, row));
                refused += usize::from(replaced.is_err());
                known(&table);
            }
        }
    }
    assert!(refused > 0);
}

/// An observer of one's own, in a box, beside others; it refuses what has an odd number.
#[derive(Default)]
struct Even {
    prepared: bool,
    count: usize,
}

impl Observer<Arena<u32>> for Even {
    fn prepare(
        &mut self,
        numbers: &Arena<u32>,
        key: Handle<u32>,
        number: &u32,
    ) -> Result<(), Refusal<Handle<u32>>> {
        if number % 2 == 1 {
            return Err(Refusal::Other("the number is odd"));
        }
        self.prepared = !numbers.contains_key(key);
        Ok(())
    }

    fn commit(&mut self) {
        self.count += usize::from(core::mem::take(&mut self.prepared));
    }

    fn remove(&mut self, numbers: &mut Objects<'_, Arena<u32>>, key: Handle<u32>) {
        assert!(numbers.contains_key(key), "the object is there still");
        self.count -= 1;
    }

    fn settle(&mut self) {
        self.prepared = false;
    }

    fn rebuild(
        &mut self,
        numbers: &mut Objects<'_, Arena<u32>>,
    ) -> Result<(), Refusal<Handle<u32>>> {
        self.count = numbers.len();
        Ok(())
    }
}

#[test]
fn observers_of_ones_own_are_beside_others_also_in_boxes() {
    type Boxed = Box<dyn Observer<Arena<u32>>>;
    let every: Vec<Boxed> = vec![Box::new(Even::default()), Box::new(Tree::new())];
    let mut numbers =
        Table::with(Arena::from_iter([2, 4]), (every, Some(Even::default()), [KeyList::new()]));
    let six = numbers.insert(6);
    let refused = numbers.try_insert(7).unwrap_err();
    assert_eq!((refused.value, refused.reason.to_string()), (7, String::from("the number is odd")));
    assert!(numbers.replace(six, 8).is_ok() && numbers.modify(six, |number| *number += 1).is_err());
    assert_eq!(numbers.observers().1.as_ref().unwrap().count, 3);
    numbers.clear();
    assert_eq!(numbers.observers().1.as_ref().unwrap().count, 0);
    let odd = Table::try_with(Arena::from_iter([1]), UniqueRefusal);
    assert!(odd.is_err_and(|refused| refused.value.0.len() == 1));
}

/// Refuses whatever there is.
struct UniqueRefusal;

impl Observer<Arena<u32>> for UniqueRefusal {
    fn remove(&mut self, _: &mut Objects<'_, Arena<u32>>, _: Handle<u32>) {}

    fn rebuild(&mut self, _: &mut Objects<'_, Arena<u32>>) -> Result<(), Refusal<Handle<u32>>> {
        Err(Refusal::Other("never"))
    }
}

/// A value that is put in place of another does not bring its links along.
#[test]
fn links_stay_with_their_objects() {
    let mut things =
        Table::with(Arena::new(), (InObjects, Versioned::new(IntrusiveList::numbered(1))));
    let [a, b, c] = [1, 2, 3].map(|number| things.insert(thing(number)));
    let (mut objects, (_, burning)) = things.linking();
    Links::append(&mut objects, a, b).unwrap();
    Links::append(&mut objects, a, c).unwrap();
    burning.push_back(&mut objects, b).unwrap();
    let copy = things[b].clone();
    let d = things.insert(copy.clone());
    things.replace(a, copy.clone()).unwrap();
    things.replace(b, thing(9)).unwrap();
    things.modify(c, |thing| *thing = copy).unwrap();
    assert!(Links::<Id>::children(&things, a).eq([b, c]));
    assert_eq!(Links::<Id>::parent(&things, d), None);
    assert!(things.observers().1.iter(&things).eq([b]));
    assert_eq!(Links::<Id>::check(&things, [a, b, c, d]), Ok(()));
    assert_eq!(things[b].number, 9);
}

/// A drain yields all in slot order, and what is not pulled is removed when it is dropped.
#[test]
fn a_drain_removes_everything() {
    for count in [300, scaled(40_000, 600) as u32] {
        let mut numbers = Table::with(Arena::from_iter(0..count), Tree::new());
        assert!(numbers.drain().map(|(_, number)| number).eq(0..count));
        let mut dense = Table::with(DenseArena::from_iter(0..count), Tree::new());
        assert_eq!(dense.drain().take(3).count(), 3);
        assert!(dense.is_empty() && numbers.is_empty());
    }
}

/// Observers of which there may be none or many are edited and go back with the others.
#[test]
fn observers_that_may_be_missing_go_back_with_the_others() {
    let by_number: Option<ByNumber> = Some(IndexBy::new(MultiIndex::new(), |thing| thing.number));
    let lists = vec![KeyList::new(), KeyList::new()];
    let mut things = Table::with(Arena::new(), (Some(Tree::new()), by_number, lists));
    let [a, b] = [1, 2].map(|number| things.insert(thing(number)));
    let before = things.checkpoint();
    let (objects, (tree, by_number, lists)) = things.edit();
    tree.edited().expect("there is one").append(objects, a, b).expect("both are there");
    assert_eq!(by_number.edited().expect("there is one").get(&2), [b]);
    assert!(lists.iter().all(KeyList::is_empty));
    things.remove(a);
    things.rollback(before).expect("it is held");
    let (tree, by_number, _) = things.observers();
    assert_eq!(by_number.as_ref().map(|index| index.get(&1)), Some(&[a][..]));
    assert_eq!(tree.as_ref().and_then(|tree| tree.parent(b)), None);
}
