//! Derived structs of observers are called as tuples of them are, and derived groups go back as tuples do.

use core::cell::{Cell, RefCell};
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::rc::Rc;

use larder::indices::{GridIndex, IndexBy, MultiIndex, SortedIndex, UniqueIndex};
use larder::track::{
    Change, Edit, Objects, Observer, Refusal, Reversible, Table, TrackError, Tracked, Versioned,
};
use larder::trees::{InObjects, KeyList};
use larder::{Arena, DenseArena, Handle, Key, SecondaryMap, Tree, TryReserveError};
use larder_testing::caught::panicking_after;
use larder_testing::combinations::{Id, Thing};

use crate::falling::Falling;

/// The calls of observers, of which one panics.
#[derive(Default)]
struct Calls {
    made: RefCell<Vec<(u8, &'static str)>>,
    until_panic: Cell<usize>,
}

/// An observer that keeps its calls. The second one refuses 13.
struct Logged(u8, Rc<Calls>);

impl Logged {
    fn note(&self, phase: &'static str) {
        self.1.made.borrow_mut().push((self.0, phase));
    }

    fn run(&self, phase: &'static str) {
        self.note(phase);
        let left = self.1.until_panic.get();
        self.1.until_panic.set(left.wrapping_sub(1));
        assert!(left != 0, "{phase} panics");
    }
}

impl Observer<Arena<u32>> for Logged {
    fn prepare(&mut self, _: &Arena<u32>, _: Handle<u32>, value: &u32) -> Refused {
        self.run("prepare");
        if self.0 == 2 && *value == 13 { Err(Refusal::Other("it is 13")) } else { Ok(()) }
    }
    fn commit(&mut self) {
        self.note("commit");
    }
    fn prepare_remove(&mut self, _: &mut Objects<'_, Arena<u32>>, _: Handle<u32>) {
        self.run("prepare_remove");
    }
    fn remove(&mut self, _: &mut Objects<'_, Arena<u32>>, _: Handle<u32>) {
        self.note("remove");
    }
    fn settle(&mut self, gone: Option<Handle<u32>>) {
        self.run(if gone.is_some() { "settle a removal" } else { "settle" });
    }
    fn rebuild(&mut self, numbers: &mut Objects<'_, Arena<u32>>) -> Refused {
        self.run("rebuild");
        if self.0 == 2 && numbers.values().any(|number| *number == 13) {
            Err(Refusal::Other("it is 13"))
        } else {
            Ok(())
        }
    }
    fn carry(&self, _: &Arena<u32>, _: Option<Handle<u32>>, _: &mut u32) {
        self.run("carry");
    }
    fn try_reserve(&mut self, _: usize) -> Result<(), TryReserveError> {
        self.run("try_reserve");
        Ok(())
    }
}

type Refused = Result<(), Refusal<Handle<u32>>>;

#[derive(Observer)]
struct Three {
    first: Logged,
    second: Logged,
    third: Logged,
}

/// Returns the calls of a short history, of which one panics, and the values after each change.
fn history<O: Observer<Arena<u32>>>(
    panics_at: usize,
    observers: impl Fn([Logged; 3]) -> O,
) -> (Vec<(u8, &'static str)>, Vec<Vec<u32>>) {
    let calls = Rc::new(Calls { until_panic: Cell::new(panics_at), ..Calls::default() });
    let logged = || [1, 2, 3].map(|number| Logged(number, Rc::clone(&calls)));
    let with = |numbers: &[u32]| {
        let numbers = numbers.iter().copied().collect();
        catch_unwind(AssertUnwindSafe(|| Table::try_with(numbers, observers(logged())).ok()))
    };
    assert!(with(&[1, 13]).is_ok_and(|table| table.is_none()) || panics_at < 10);
    let Ok(Some(mut table)) = with(&[1, 2, 3]) else { return (calls.made.take(), Vec::new()) };
    let first = table.keys().next().expect("there are three");
    let mut values = Vec::new();
    type Change<O> = fn(&mut Table<Arena<u32>, O>, Handle<u32>);
    let changes: [Change<O>; 7] = [
        |table, _| drop(table.try_insert(13)),
        |table, _| drop(table.try_insert(4)),
        |table, first| drop(table.replace(first, 13)),
        |table, first| drop(table.replace(first, 5)),
        |table, first| _ = table.remove(first),
        |table, _| drop(table.try_reserve(10)),
        |table, _| table.clear(),
    ];
    for change in changes {
        let _ = catch_unwind(AssertUnwindSafe(|| change(&mut table, first)));
        values.push(table.values().copied().collect());
    }
    (calls.made.take(), values)
}

/// The order of calls, those that are left out after a refusal, and those that are made after a panic.
#[test]
fn phases_are_passed_to_fields_as_to_a_tuple() {
    let derived = |[first, second, third]: [Logged; 3]| Three { first, second, third };
    let tuple = |[first, second, third]: [Logged; 3]| (first, second, third);
    let (calls, values) = history(usize::MAX, derived);
    assert_eq!((values.len(), values[1].len(), values[6].len()), (7, 4, 0));
    let phases =
        ["prepare", "commit", "prepare_remove", "remove", "settle a removal", "settle", "rebuild"];
    for phase in phases.into_iter().chain(["carry", "try_reserve"]) {
        assert!(calls.contains(&(1, phase)) && calls.contains(&(3, phase)), "{phase}");
    }
    let mut went_on = 0;
    for panics_at in 0..calls.len() + 1 {
        let (calls, values) = history(panics_at, derived);
        assert_eq!((&calls, &values), (&history(panics_at, tuple).0, &history(panics_at, tuple).1));
        went_on += usize::from(values.len() == 7);
    }
    assert!(went_on > 30, "{went_on}");
}

#[derive(Observer)]
struct Data {
    falling: SecondaryMap<Handle<u32>, Falling>,
    names: SecondaryMap<Handle<u32>, &'static str>,
}

#[test]
fn side_data_leaves_though_that_of_another_field_panics() {
    let data = Data { falling: SecondaryMap::new(), names: SecondaryMap::new() };
    let mut numbers = Table::with(Arena::new(), data);
    let one = numbers.insert(1_u32);
    let DataEdited { falling, names } = numbers.edit().1;
    falling.insert(one, Falling(1));
    names.insert(one, "one");
    *numbers.get_mut(one).expect("it is there") = 2; // maps are blind
    assert!(panicking_after(0, || _ = numbers.remove(one)));
    assert!(numbers.is_empty() && numbers.observers().names.is_empty());
}

/// The questions that all fields are asked.
#[derive(Observer)]
struct Pair<A, B>(A, B);

#[test]
fn a_struct_ignores_what_all_of_its_fields_ignore() {
    let asked = |observer: &dyn Observer<Arena<Thing>>| {
        [Change::Insertion, Change::Removal].map(|change| observer.ignores(change))
    };
    assert_eq!(asked(&Pair((), ())), [true, true]);
    assert_eq!(asked(&Pair(Tree::<Id>::new(), ())), [true, false]);
    assert_eq!(asked(&Pair((), InObjects)), [false, false]);
}

/// An observer that is not edited, beside one that is: so the struct is not, but observes.
struct Count(usize);

impl<C: larder::track::Track> Observer<C> for Count {
    fn commit(&mut self) {
        self.0 += 1;
    }
    fn remove(&mut self, _: &mut Objects<'_, C>, _: C::Key) {
        self.0 -= 1;
    }
    fn rebuild(&mut self, _: &mut Objects<'_, C>) -> Result<(), Refusal<C::Key>> {
        Ok(())
    }
}

#[derive(Observer)]
struct Counted<K: Key> {
    count: Count,
    list: KeyList<K>,
}

#[test]
fn fields_need_not_be_edited() {
    let counted = Counted { count: Count(0), list: KeyList::new() };
    let mut numbers = Table::with(DenseArena::new(), counted);
    let [one, _] = [1_u32, 2].map(|number| numbers.insert(number));
    numbers.remove(one);
    assert_eq!(numbers.observers().count.0, 1);
    assert!(numbers.observers().list.is_empty());
}

/// Indices whose functions have types that cannot be written, and that are called without a pointer.
#[derive(Observer, Reversible)]
struct ByClosures<F, G>
where
    F: Fn(&Thing) -> u32,
{
    by_number: IndexBy<UniqueIndex<u32, Id>, F>,
    by_rest: IndexBy<SortedIndex<u32, Id>, G>,
    inside: Tree<Id>,
}

#[test]
fn functions_of_indices_can_be_parameters() {
    let divisor = 7;
    let beside = ByClosures {
        by_number: UniqueIndex::by(|thing: &Thing| thing.number.0),
        by_rest: SortedIndex::by(move |thing: &Thing| thing.number.0 % divisor),
        inside: Tree::new(),
    };
    let mut things = Table::with(Arena::new(), beside);
    let [six, seven] = [6, 7].map(|number| things.insert(Thing::new(number)));
    let (objects, ByClosuresEdited { by_rest, inside, .. }) = things.edit();
    inside.append(objects, seven, six).expect("both are there");
    assert_eq!(by_rest.last(), Some((&6, six)), "an index is read meanwhile");
    let then = things.checkpoint();
    things.remove(seven);
    things.rollback(then).expect("it is there");
    let ByClosures { by_number, by_rest, inside } = things.observers();
    assert_eq!((by_number.get(&7), by_rest.first()), (Some(seven), Some((&0, seven))));
    assert_eq!(inside.parent(six), Some(seven));
}

type Row = Handle<Named>;
type ByPointer<I, P> = IndexBy<I, fn(&Named) -> P>;

/// Closures become function pointers where a field is one.
#[derive(Observer)]
struct ByPointers {
    unique: ByPointer<UniqueIndex<String, Row>, String>,
    multi: ByPointer<MultiIndex<usize, Row>, usize>,
    sorted: ByPointer<SortedIndex<(usize, String), Row>, (usize, String)>,
    grid: ByPointer<GridIndex<Row, 2>, [f32; 2]>,
}

#[derive(Clone)]
struct Named {
    name: String,
    place: [f32; 2],
}

#[test]
fn closures_become_the_function_pointers_of_fields() {
    let by = ByPointers {
        unique: UniqueIndex::by(|row| row.name.clone()),
        multi: MultiIndex::by(|row| row.name.len()),
        sorted: SortedIndex::by(|row| (row.name.len(), row.name.clone())),
        grid: GridIndex::by(8.0, |row| row.place),
    };
    let mut rows = Table::with(Arena::new(), by);
    let wren = rows.insert(Named { name: "wren".into(), place: [1.0, 2.0] });
    assert!(rows.try_insert(Named { name: "wren".into(), place: [3.0, 2.0] }).is_err());
    let ByPointers { unique, multi, sorted, grid } = rows.observers();
    assert_eq!((unique.get("wren"), multi.get(&4)), (Some(wren), &[wren][..]));
    assert_eq!((sorted.len(), grid.len()), (1, 1), "nothing of what was refused is filed");
}

/// A derived struct of observers in one, and an optional one.
#[derive(Observer, Reversible)]
struct Outer {
    family: Inner,
    late: Option<Inner>,
}

#[derive(Observer, Reversible)]
struct Inner {
    inside: Tree<Id>,
}

#[test]
fn structs_of_observers_are_observers_of_others() {
    let inner = || Inner { inside: Tree::new() };
    let outer = Outer { family: inner(), late: Some(inner()) };
    let mut things = Table::with(Arena::new(), outer);
    let [a, b] = [1, 2].map(|number| things.insert(Thing::new(number)));
    let then = things.checkpoint();
    let (objects, OuterEdited { family, late }) = things.edit();
    family.inside.append(objects, a, b).expect("both are there");
    let late = late.edited().expect("it is there");
    late.inside.append(objects, b, a).expect("both are there");
    assert_eq!(format!("{late:?}"), "InnerEdited { .. }");
    let parents = |outer: &Outer| {
        let late = outer.late.as_ref().expect("it is there");
        (outer.family.inside.parent(b), late.inside.parent(a))
    };
    assert_eq!(parents(things.observers()), (Some(a), Some(b)));
    things.rollback(then).expect("it is there");
    assert_eq!(parents(things.observers()), (None, None));
}

/// A group of references.
#[derive(Reversible)]
struct Lent<'a, M: Reversible>(&'a mut Tracked<Arena<u32>>, &'a mut M, Versioned<u32>);

#[test]
fn derived_groups_may_be_of_references_and_of_any_type() {
    let (mut numbers, mut list) = (Tracked::new(Arena::new()), KeyList::new());
    let mut group = Lent(&mut numbers, &mut list, Versioned::new(1));
    let one = group.0.insert(1_u32);
    let then = group.checkpoint();
    group.1.push_back(&**group.0, one).expect("it is there");
    *group.2 = 2;
    group.0.remove(one);
    assert_eq!(group.rollback(then), Ok(()));
    assert_eq!((group.0.len(), group.1.len(), *group.2), (1, 0, 1));
    group.2 = Versioned::new(3);
    assert_eq!(group.rollback(then), Err(TrackError::NotShared), "all fields are members");
}

#[test]
fn generic_code_uses_a_derived_struct() {
    fn edited<O: Edit>(observers: &mut O) -> O::Edited<'_> {
        observers.edited()
    }
    let mut inner = Inner { inside: Tree::new() };
    assert!(edited(&mut inner).inside.roots().next().is_none());
}
