//! Links in the objects of a table, in rows and in columns; and the order of insertion that it keeps.

use larder::{
    Arena, DenseSoaArena, Handle, Soa, SoaArena, Tree,
    soa::Fill,
    track::Table,
    trees::{
        CheckError, InObjects, InsertionOrder, IntrusiveList, Link, LinkKind, Links, link_field,
    },
};
use larder_testing::common::allocations_of;

type Id = Handle<Thing>;

#[derive(Clone, Debug, Default, Soa)]
struct Thing {
    number: u32,
    family: Links<Id>,
    burning: Link<Id>,
}
link_field!(Thing.family: Links<Id>, in columns);
link_field!(Thing.burning: Link<Id>, in columns);

type Lists = (InObjects, IntrusiveList<Id>);

fn lists() -> Lists {
    (InObjects, IntrusiveList::numbered(3))
}

/// Objects that are removed by a condition leave no gaps, and those that a container alone has removed leave gaps that
/// are closed when it becomes a table.
#[test]
fn no_removal_leaves_gaps_in_columns() {
    let mut things = Table::with(SoaArena::new(), lists());
    let keys =
        [0, 1, 2, 3, 4, 5, 6].map(|number| things.insert(Thing { number, ..Thing::default() }));
    for &child in &keys[1..] {
        Links::append(&mut things, keys[0], child).unwrap();
        let (mut objects, (_, burning)) = things.linking();
        burning.push_back(&mut objects, child).unwrap();
    }
    let holds = |things: &Table<SoaArena<Thing>, Lists>, children: &[Id]| {
        assert_eq!(Links::check(things, things.keys()), Ok(()));
        assert_eq!(things.observers().1.check(things, things.keys()), Ok(()));
        assert!(Links::children(things, keys[0]).eq(children.iter().copied()));
        assert!(things.observers().1.iter(things).eq(children.iter().copied()));
    };
    things.retain(|things, key| things.get(key).unwrap().number % 4 != 1);
    holds(&things, &[2, 3, 4, 6].map(|at| keys[at]));
    assert_eq!(things.extract_if(|_, key| key == keys[3]).count(), 1);
    holds(&things, &[2, 4, 6].map(|at| keys[at]));

    let (mut objects, lists) = things.into_parts();
    objects.remove(keys[4]);
    assert!(Links::check(&objects, objects.keys()).is_err());
    holds(&Table::with(objects, lists), &[2, 6].map(|at| keys[at]));
}

/// A fixed pool of columns, with the hierarchy and the list in them, requests no memory.
#[test]
fn e3_columns_with_links_in_them_allocate_nothing() {
    let mut things = Table::with(SoaArena::fixed(64), lists());
    let requests = allocations_of(|| {
        let keys = [0; 64].map(|_| things.insert(Thing::default()));
        for pair in keys.windows(2) {
            Links::append(&mut things, pair[0], pair[1]).unwrap();
            let (mut objects, (_, burning)) = things.linking();
            burning.push_back(&mut objects, pair[1]).unwrap();
        }
        assert_eq!(Links::descendants(&things, keys[0]).count(), 63);
        assert_eq!(Links::remove_subtree(&mut things, keys[32]), 32);
        assert_eq!(things.observers().1.iter(&things).count(), 31);
        assert!(things.remove(keys[3]).is_some());
        Links::append(&mut things, keys[0], keys[10]).unwrap();
        assert_eq!(Links::remove_children(&mut things, keys[0]), 24);
    });
    assert_eq!((requests, things.len()), (0, 7));
}

/// Objects in columns are inserted and lent as those in rows are, also if their fields are not `Clone`.
#[test]
fn objects_in_columns_need_no_clone() {
    #[derive(Debug, PartialEq)]
    struct Crew(u32);
    impl Fill for Crew {
        const FILL: Self = Self(0);
    }
    #[derive(Soa)]
    struct Ship {
        crew: Crew,
        hull: u32,
    }
    let ship = |number| Ship { crew: Crew(number), hull: 100 };

    let mut dense = Table::with(DenseSoaArena::fixed(2), InsertionOrder::new());
    let keys = [1, 2].map(|number| dense.insert(ship(number)));
    let full = dense.try_insert(ship(3)).map_err(|error| error.value.crew);
    assert_eq!(full, Err(Crew(3)));
    *dense.get_mut(keys[0]).unwrap().hull -= 1;
    dense.remove(keys[1]);
    assert_eq!(dense.get(keys[0]).map(|ship| (ship.crew, *ship.hull)), Some((&Crew(1), 99)));
    assert!(dense.get_mut(keys[1]).is_none() && dense.observers().iter().eq([keys[0]]));

    let mut soa = Table::with(SoaArena::fixed(1), Tree::new());
    let key = soa.insert(ship(1));
    *soa.get_mut(key).unwrap().hull -= 1;
    assert_eq!(soa.get(key).map(|ship| (ship.crew, *ship.hull)), Some((&Crew(1), 99)));
    assert!(soa.try_insert(ship(2)).is_err());
}

/// Keys of two containers may be equal, or of one slot: an order that was another's has none that is dead, and what it
/// did not have comes last.
#[test]
fn an_order_that_was_of_another_container_gives_way() {
    for removed in 0..3 {
        let mut there = Table::with(Arena::<u32>::new(), InsertionOrder::new());
        for number in 0..3 {
            there.insert(number);
        }
        for _ in 0..removed {
            let last = there.observers().last().unwrap();
            there.remove(last);
            there.insert(7);
        }
        for before in 0..5 {
            let here: Arena<u32> = (0..before).collect();
            let known: Vec<_> = here.keys().collect();
            let mut here = Table::with(here, there.observers().clone());
            assert!(here.observers().iter().eq(known.iter().copied()));
            let keys = [4, 5].map(|number| here.insert(number));
            assert!(here.observers().iter().eq(known.into_iter().chain(keys)), "{removed}");
            here.observers().validate();
        }
    }
}

#[test]
fn an_order_is_saved_with_its_objects() {
    let mut things = Table::with(Arena::new(), InsertionOrder::new());
    let keys = [1, 2, 3].map(|number| things.insert(number));
    things.remove(keys[0]);
    let last = things.insert(4);
    let json = serde_json::to_string(&things).unwrap();
    let copy: Table<Arena<i32>, InsertionOrder<Handle<i32>>> = serde_json::from_str(&json).unwrap();
    assert!(copy.observers().iter().eq([keys[1], keys[2], last]));
}

#[derive(Clone, Debug, Default, Soa)]
struct Pair(Links<Handle<Pair>>, u32, Link<Handle<Pair>>);
link_field!(Pair.0: Links<Handle<Pair>>, in columns);
link_field!(Pair.2: Link<Handle<Pair>>, in columns);

/// The fields of a tuple struct are named by their numbers.
#[test]
fn links_in_tuple_structs() {
    let (mut rows, mut columns) = (Arena::<Pair>::new(), SoaArena::<Pair>::new());
    let keys = [7, 8].map(|number| rows.insert(Pair(Links::new(), number, Link::new())));
    assert_eq!(keys, [7, 8].map(|number| columns.insert(Pair(Links::new(), number, Link::new()))));
    Links::append(&mut rows, keys[0], keys[1]).unwrap();
    Links::append(&mut columns, keys[0], keys[1]).unwrap();
    let mut list = IntrusiveList::numbered(0);
    list.push_back(&mut columns, keys[1]).unwrap();
    assert_eq!(Links::parent(&rows, keys[1]).map(|parent| rows[parent].1), Some(7));
    assert_eq!(Links::parent(&columns, keys[1]), Some(keys[0]));
    assert!(list.iter(&columns).eq([keys[1]]));
}

/// Links as a file may have them.
fn forged<L: serde::de::DeserializeOwned>(form: impl serde::Serialize) -> L {
    postcard::from_bytes(&postcard::to_allocvec(&form).unwrap()).unwrap()
}

/// The error of `check` for links in a hierarchy, each of them forged in turn, names the objects at both ends.
#[test]
fn a_contradiction_in_a_hierarchy_names_both_ends() {
    use CheckError::{Absent, Contradiction, Missing};
    use LinkKind::{FirstChild, Next, Parent, Prev};

    type Id = Handle<()>;
    let mut whole = Arena::<Links<Id>, Id>::with_key();
    let [root, a, b, c, other] = [(); 5].map(|()| whole.insert(Links::new()));
    [a, b, c].iter().for_each(|&child| Links::append(&mut whole, root, child).unwrap());
    let gone = whole.insert(Links::new());
    whole.remove(gone);

    type Form = ((Option<Id>, Option<Id>), Option<Id>, Option<Id>);
    let found = |key: Id, (ring, parent, child): Form| {
        let mut things = whole.clone();
        things[key] = forged((ring, parent, child));
        let found = Links::check(&things, things.keys()).unwrap_err();
        let text = found.to_string();
        (found, text)
    };
    let (ab, of) = ((Some(a), Some(c)), Some(root));
    let none = (None, None);
    let said = |link, back, names| Contradiction { key: root, link, other: a, back, names };
    let cases = [
        (
            root,
            (none, None, Some(other)),
            Contradiction { key: root, link: FirstChild, other, back: Parent, names: None },
            "the first child of 0v1 is 4v1, which has no parent",
        ),
        (
            root,
            (none, None, Some(gone)),
            Missing { key: root, link: FirstChild, other: gone },
            "the first child of 0v1 is 5v1, which does not exist",
        ),
        (
            a,
            ((Some(c), Some(b)), Some(other), None),
            said(FirstChild, Parent, Some(other)),
            "the first child of 0v1 is 1v1, whose parent is 4v1",
        ),
        (
            a,
            ((Some(c), Some(b)), None, None),
            said(FirstChild, Parent, None),
            "the first child of 0v1 is 1v1, which has no parent",
        ),
        (
            b,
            (ab, Some(gone), None),
            Contradiction { key: a, link: Next, other: b, back: Parent, names: Some(gone) },
            "the neighbour after of 1v1 is 2v1, whose parent is 5v1",
        ),
        (
            b,
            ((Some(c), Some(c)), of, None),
            Contradiction { key: a, link: Next, other: b, back: Prev, names: Some(c) },
            "the neighbour after of 1v1 is 2v1, whose neighbour before is 3v1",
        ),
        (
            a,
            ((Some(c), None), of, None),
            Absent { key: a, link: Next },
            "1v1 has no neighbour after, which its other links need",
        ),
        (
            other,
            ((Some(a), None), None, None),
            Absent { key: other, link: Parent },
            "4v1 has no parent, which its other links need",
        ),
        (
            other,
            (none, Some(gone), None),
            Missing { key: other, link: Parent, other: gone },
            "the parent of 4v1 is 5v1, which does not exist",
        ),
    ];
    for (key, form, wrong, text) in cases {
        assert_eq!(found(key, form), (wrong, text.to_owned()));
    }
}

/// The same of a list.
#[test]
fn a_contradiction_in_a_list_names_both_ends() {
    use CheckError::{Absent, Contradiction, FirstNotMember, Inconsistent, Missing, NotMember};
    use LinkKind::{Next, Prev};

    type Id = Handle<()>;
    let mut whole = Arena::<Link<Id>, Id>::with_key();
    let [a, b, c, other] = [(); 4].map(|()| whole.insert(Link::new()));
    let mut list = IntrusiveList::numbered(6);
    [a, b, c].iter().for_each(|&member| list.push_back(&mut whole, member).unwrap());
    let gone = whole.insert(Link::new());
    whole.remove(gone);

    let check = |key: Id, list_of: Option<u32>, prev: Option<Id>, next: Option<Id>| {
        let mut things = whole.clone();
        things[key] = forged((list_of.map(|number| number + 1), (prev, next)));
        list.check(&things, things.keys()).unwrap_err()
    };
    assert_eq!(check(b, Some(6), Some(a), None), Absent { key: b, link: Next });
    let missing = check(b, Some(6), Some(gone), Some(c));
    assert_eq!(
        missing.to_string(),
        "the neighbour after of 0v1 is 1v1, whose neighbour before is 4v1"
    );
    assert_eq!(check(a, Some(6), Some(gone), Some(b)), Missing { key: a, link: Prev, other: gone });
    assert_eq!(check(b, Some(9), Some(a), Some(c)), NotMember { key: a, link: Next, other: b });
    let wrong = Contradiction { key: a, link: Next, other: b, back: Prev, names: Some(c) };
    assert_eq!(check(b, Some(6), Some(c), Some(a)), wrong);
    let alone = check(other, Some(6), Some(other), Some(other));
    assert_eq!(alone, Inconsistent { met: 3, members: 4, length: 3 });

    let headless: IntrusiveList<Id> = forged((7_u32, 3_u32, Some(other)));
    let found = headless.check(&whole, whole.keys());
    assert_eq!(found, Err(FirstNotMember { first: other }));
}
