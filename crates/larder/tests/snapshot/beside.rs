//! Side data, hierarchies and indices, in one file with the objects that they are of.

use core::cell::Cell;
use std::io::Cursor;

use larder::indices::SortedIndex;
use larder::maps::SparseSecondaryMap;
use larder::parts::{Encoder, FromParts, Keys, Lists, LoadError, Loaded, Part, Parts, Texts};
use larder::pools::list_pool::{ListHandle, ListPool};
use larder::pools::{StringPool, Symbol};
use larder::snapshot::{Load, Save, Saver, Snapshot, SnapshotErrorKind as Kind, Value};
use larder::track::Table;
use larder::trees::{CheckError, InsertionOrder, IntrusiveList, KeyList, Link, Links};
use larder::{Arena, Handle, SecondaryMap, Tree};

use super::{Scratch, load, saved};

type Key = Handle<u32>;

/// Hierarchies in objects are plain data, and go with them.
#[test]
fn links_in_objects_are_saved_with_them() {
    let mut things = Arena::<Links<Key>, Key>::with_key();
    let keys: Vec<Key> = (0..5).map(|_| things.insert(Links::new())).collect();
    for (number, &child) in keys.iter().enumerate().skip(1) {
        Links::append(&mut things, keys[number / 2], child).unwrap();
    }
    let loaded: Arena<Links<Key>, Key> = load(&saved(&things)).unwrap_or_else(|_| panic!());
    let all: Vec<Key> = Links::descendants(&loaded, keys[0]).collect();
    assert!(all.len() == 4 && Links::descendants(&things, keys[0]).eq(all));
    Links::check(&loaded, loaded.keys()).unwrap();
}

type Listed = Arena<Link<Key>, Key>;

/// So many objects, of which a list has all but the first; and their keys.
fn listed(count: usize) -> (Listed, IntrusiveList<Key>, Vec<Key>) {
    let mut things = Listed::with_key();
    let keys: Vec<Key> = (0..count).map(|_| things.insert(Link::new())).collect();
    let mut list = IntrusiveList::numbered(0x0BAD_5EED);
    keys[1..].iter().for_each(|&key| list.push_front(&mut things, key).unwrap());
    (things, list, keys)
}

/// Lists in objects are plain data, too; their heads are sections.
#[test]
fn lists_in_objects_are_saved_with_their_heads() {
    let (things, list, keys) = listed(6);
    let (mut file, none) = (Cursor::new(Vec::new()), IntrusiveList::<Key>::numbered(u32::MAX - 1));
    let saver = Saver::new().section("things", &things).section("list", &list);
    saver.section("none", &none).write_to(&mut file).unwrap();
    let mut world = Snapshot::from_reader(file).unwrap();
    let mut loaded: Listed = world.load("things").unwrap();
    let mut again: IntrusiveList<Key> = world.load("list").unwrap();
    assert_eq!((&again, world.load("none").unwrap()), (&list, none));
    again.check(&loaded, loaded.keys().collect::<Vec<_>>()).unwrap();
    assert!(again.iter(&loaded).eq(keys[1..].iter().rev().copied()));
    again.push_back(&mut loaded, keys[0]).unwrap();
    assert!(again.push_back(&mut loaded, keys[3]).is_err(), "it is a member");
    assert_eq!((again.len(), again.last(&loaded)), (6, Some(keys[0])));
}

/// A head that no list can have is refused. One that does not fit the objects is loaded, as by serde: walks end,
/// `check` says what is wrong, and `mend` makes it whole.
#[test]
fn forged_heads_of_lists_are_refused_or_lead_nowhere() {
    let (things, list, keys) = listed(6);
    let all = || keys.iter().copied();
    let number = |name: &str, value: u64| {
        [&(name.len() as u32).to_le_bytes(), name.as_bytes(), &value.to_le_bytes()].concat()
    };
    let head = |name, before, after| {
        load::<IntrusiveList<Key>>(&forged(&list, &number(name, before), &number(name, after)))
    };
    for (name, before, after) in [
        ("number", 0x0BAD_5EED, u64::from(u32::MAX)),
        ("number", 0x0BAD_5EED, 1 << 40),
        ("length", 5, 1 << 32),
        ("length", 5, u64::MAX),
    ] {
        let Err(error) = head(name, before, after) else { panic!("{name} {after} is loaded") };
        assert!(matches!(error.reason, Kind::Invalid { .. }), "{error}");
    }
    // (A `KeyList` has the same arrays, of any number of keys.)
    let mut two = KeyList::new();
    keys[..2].iter().for_each(|&key| two.push_back(&things, key).unwrap());
    let error = load::<IntrusiveList<Key>>(&saved(&two)).unwrap_err();
    assert!(matches!(error.reason, Kind::Container { .. }), "{error}");

    for length in [0, 1, 4, 6, u64::from(u32::MAX)] {
        let (mut things, mut list) = (things.clone(), head("length", 5, length).unwrap());
        assert!(list.iter(&things).count() <= 5, "{length}");
        let found = list.check(&things, all().collect::<Vec<_>>());
        assert!(matches!(found, Err(CheckError::Inconsistent { .. })), "{length}: {found:?}");
        list.mend(&mut things, all().collect::<Vec<_>>());
        assert_eq!((list.len(), list.check(&things, all().collect::<Vec<_>>())), (5, Ok(())));
    }
    let (mut things, mut other) = (things, head("number", 0x0BAD_5EED, 7).unwrap());
    assert_eq!((other.iter(&things).count(), other.pop_front(&mut things)), (0, None));
    assert_eq!(list.iter(&things).count(), 5, "those are another list's");
}

/// Changes a number in a file, wherever the bytes are these, and makes its checksums right.
fn forged(container: &dyn Save, before: &[u8], after: &[u8]) -> Vec<u8> {
    let mut file = saved(container);
    let at = file.windows(before.len()).position(|bytes| bytes == before).unwrap();
    file[at..at + after.len()].copy_from_slice(after);
    super::hostile::forge(&mut file);
    file
}

fn refused<C: Load>(file: &[u8], words: &str) {
    let Err(error) = load::<C>(file) else { panic!("it is loaded") };
    assert!(matches!(error.reason, Kind::Entry { .. }), "{error}");
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn what_contradicts_itself_is_refused() {
    let objects: Arena<u32> = (0..4).collect();
    let keys: Vec<Key> = objects.keys().collect();
    let twice = |before: [u32; 4], after: [u32; 4]| {
        let [before, after] = [before, after].map(|numbers| numbers.map(u32::to_ne_bytes).concat());
        (before, after)
    };
    let (four, same) = twice([0, 1, 2, 3], [0, 1, 1, 3]);

    let sizes: SecondaryMap<Key, u8> = keys.iter().map(|&key| (key, 9)).collect();
    refused::<SecondaryMap<Key, u8>>(&forged(&sizes, &four, &same), "of one slot");
    let sparse: SparseSecondaryMap<Key, u8> = keys.iter().map(|&key| (key, 9)).collect();
    refused::<SparseSecondaryMap<Key, u8>>(&forged(&sparse, &four, &same), "of one slot");
    let mut list = KeyList::new();
    keys.iter().for_each(|&key| list.push_back(&objects, key).unwrap());
    refused::<KeyList<Key>>(&forged(&list, &four, &same), "is in a list already");
    let mut tree = Tree::new();
    keys[1..].iter().for_each(|&key| tree.append(&objects, keys[0], key).unwrap());
    refused::<Tree<Key>>(&forged(&tree, &four, &same), "is in the tree twice");
    let (depths, deeper) = twice([0, 1, 1, 1], [0, 2, 1, 1]);
    refused::<Tree<Key>>(&forged(&tree, &depths, &deeper), "more than one level");
    let mut index = SortedIndex::<u32, Key>::new();
    keys.iter().for_each(|&key| index.insert(key, 9).unwrap());
    refused::<SortedIndex<u32, Key>>(&forged(&index, &four, &same), "slot of another key");
    // A generation that no key has.
    let (one, none) = (1_u64.to_ne_bytes(), 2_u64.to_ne_bytes());
    refused::<SecondaryMap<Key, u8>>(
        &forged(&sizes, &[one, one].concat(), &none),
        "no key has slot 0",
    );
}

/// Released, a text without references would have had fewer than none.
#[test]
fn a_text_without_references_is_refused() {
    let mut names = StringPool::new();
    let (first, _) = (names.acquire("first"), names.acquire("second"));
    (0..6).for_each(|_| assert_eq!(names.acquire("first"), first));
    let [references, none] = [[7_u32, 1], [0, 1]].map(|of| of.map(u32::to_ne_bytes).concat());
    let error = load::<StringPool>(&forged(&names, &references, &none)).unwrap_err();
    assert!(error.to_string().contains("a text has no reference"), "{error}");
}

/// The table of a pool grows while it is loaded, when slots that will be free have a text that is not in it.
#[test]
fn a_pool_of_names_with_free_slots_is_loaded_whole() {
    for step in [2, 3, 5] {
        let mut names: StringPool = StringPool::new();
        let symbols: Vec<Symbol> =
            (0..500).map(|it| names.acquire(&format!("name {it}"))).collect();
        let gone = symbols.iter().step_by(step);
        gone.for_each(|&symbol| assert!(names.release(symbol)));
        let mut loaded: StringPool = load(&saved(&names)).unwrap();
        loaded.validate();
        assert_eq!(loaded, names);
        for (number, &symbol) in symbols.iter().enumerate() {
            let name = format!("name {number}");
            assert_eq!(loaded.get(symbol), (number % step != 0).then_some(&name[..]));
            assert_eq!(loaded.find(&name), names.find(&name));
        }
        loaded.extend((0..500).map(|number| format!("new {number}")));
        loaded.validate();
    }
}

/// Lists and names keep their handles, stale ones too, and go on as they would have.
#[test]
fn handles_of_lists_and_names_stay_good() {
    #[derive(Clone, Copy, bytemuck::NoUninit, bytemuck::CheckedBitPattern)]
    #[repr(C)]
    struct Node {
        children: ListHandle<u16>,
        name: Symbol,
        zero: u32,
    }

    let (mut lists, mut names, mut nodes) =
        (ListPool::<u16>::new(), StringPool::new(), Arena::new());
    let mut below = super::numbers(5);
    let (mut all_lists, mut all_names) = (Vec::new(), Vec::new());
    for round in 0..if cfg!(miri) { 60 } else { 2_000 } {
        let list = lists.make((0..below(9) as u16).collect::<Vec<_>>());
        let text = format!("name {}", below(300));
        let name = if round % 2 == 0 { names.acquire(&text) } else { names.intern(&text) };
        nodes.insert(Node { children: list, name, zero: 0 });
        all_lists.push(list);
        all_names.push(name);
        if below(3) > 0 {
            let gone = below(all_lists.len() as u64) as usize;
            if lists.get(all_lists[gone]).is_some() {
                lists.free(all_lists[gone]);
            }
            if names.get(all_names[gone]).is_some() {
                names.release(all_names[gone]);
            }
        }
    }
    let mut file = Cursor::new(Vec::new());
    let saver = Saver::new().section("nodes", &nodes).section("lists", &lists);
    saver.section("names", &names).write_to(&mut file).unwrap();
    let mut world = Snapshot::from_reader(file).unwrap();
    let nodes: Arena<Node> = world.load("nodes").unwrap();
    let mut loaded_lists: ListPool<u16> = world.load("lists").unwrap();
    let mut loaded_names: StringPool = world.load("names").unwrap();
    loaded_lists.validate();
    loaded_names.validate();
    for node in nodes.values() {
        assert_eq!(loaded_lists.get(node.children), lists.get(node.children));
        assert_eq!(loaded_names.get(node.name), names.get(node.name));
    }
    for round in 0..if cfg!(miri) { 20 } else { 300 } {
        assert_eq!(loaded_lists.make([round]), lists.make([round]), "the same handles come next");
        let text = format!("another {round}");
        assert_eq!(loaded_names.acquire(&text), names.acquire(&text));
        assert_eq!(loaded_names.intern("name 7"), names.intern("name 7"));
        let (list, name) = (all_lists[round as usize], all_names[round as usize]);
        if lists.get(list).is_some() {
            lists.free(list);
            loaded_lists.free(list);
        }
        if names.get(name).is_some() {
            assert_eq!(names.release(name), loaded_names.release(name));
        }
    }
    loaded_lists.validate();
    loaded_names.validate();
    assert!(all_names.iter().all(|&name| loaded_names.get(name) == names.get(name)));
}

/// Circles that no head leads to, as only a file has them: two of one list, and one that has members of another.
#[test]
fn circles_without_a_head_are_mended() {
    let (mut things, list, keys) = listed(10);
    let mut lost = IntrusiveList::numbered(0x0BAD_5EED);
    lost.mend(&mut things, &keys);
    assert_eq!((lost.len(), lost.check(&things, &keys)), (9, Ok(())));
    let in_its_order = [1, 9, 8, 7, 6, 5, 4, 3, 2].map(|at| keys[at]);
    assert!(lost.iter(&things).eq(in_its_order), "from another member on");

    let mut forge = |circle: &[usize], number: u32| {
        for (at, &member) in circle.iter().enumerate() {
            let beside = |by: usize| Some(keys[circle[(at + by) % circle.len()]]);
            let form = (Some(1 + number), (beside(circle.len() - 1), beside(1))); // (0 is no list)
            let bytes = postcard::to_allocvec(&form).unwrap();
            things[keys[member]] = postcard::from_bytes(&bytes).unwrap();
        }
    };
    let number = 0x0BAD_5EED;
    [[2, 0, 1], [5, 3, 4], [6, 7, 8]].iter().for_each(|circle| forge(circle, number));
    forge(&[7, 9], 1);
    let (mut list, mut other) = (list, IntrusiveList::numbered(1));
    for _ in 0..2 {
        list.mend(&mut things, keys.iter().chain(&keys[..2])); // some twice
        other.mend(&mut things, &keys);
        assert!(list.iter(&things).eq([0, 1, 2, 3, 4, 5, 6, 8].map(|at| keys[at])));
        assert!(other.iter(&things).eq([7, 9].map(|at| keys[at])));
        for list in [&list, &other] {
            assert_eq!(list.check(&things, &keys), Ok(()));
        }
    }
}

/// A pool is loaded if no new list would be the last of its slot.
#[test]
#[cfg_attr(miri, ignore = "half a million lists")]
fn a_pool_whose_slots_are_worn_is_loaded() {
    let mut lists = ListPool::<u16>::new();
    for _ in 0..300_000 {
        let list = lists.make([1]);
        lists.free(list);
    }
    lists.compact();
    let kept = lists.make([2]);
    let loaded: ListPool<u16> = load(&saved(&lists)).unwrap();
    assert_eq!(&loaded[kept], &[2]);
}

/// The keys of objects in the order of their birth, and a number: a structure of a program's own.
#[derive(Debug, PartialEq)]
struct Born {
    year: u64,
    keys: Vec<Key>,
}

impl Parts for Born {
    const KIND: &'static str = "born";
    const PARTS: &'static [Part] = &[Part::number("year")];
    type List = Keys<Key>;

    fn save<E: Encoder<Keys<Key>>>(&self, to: &mut E) -> Result<(), E::Error> {
        to.number("year", self.year)?;
        to.list(self.keys.iter().copied())
    }
}

impl FromParts for Born {
    fn load(parts: Loaded<Keys<Key>>) -> Result<Self, LoadError> {
        if parts.list.0.is_sorted_by_key(|key| key.slot()) {
            Ok(Self { year: parts.number("year"), keys: parts.list.0 })
        } else {
            Err(LoadError::Invalid { what: "the keys are not in order" })
        }
    }
}

#[test]
fn a_structure_of_a_programs_own_is_a_section() {
    let objects: Arena<u32> = (0..3).collect();
    let mut born = Born { year: 1 << 40, keys: objects.keys().collect() };
    let file = saved(&born);
    assert_eq!(load::<Born>(&file).unwrap(), born);
    assert!(matches!(load::<KeyList<Key>>(&file).unwrap_err().reason, Kind::Container { .. }));
    born.keys.reverse();
    let Err(error) = load::<Born>(&saved(&born)) else { panic!("it is loaded") };
    assert!(matches!(error.reason, Kind::Invalid { what: "the keys are not in order" }));
}

#[test]
fn an_order_of_insertion_is_a_section() {
    let mut things = Table::with(Arena::from_iter(0..3), InsertionOrder::new());
    let first = things.keys().next().unwrap();
    things.remove(first);
    things.insert(9);
    let order: InsertionOrder<Key> = load(&saved(things.observers())).unwrap();
    assert!(order.iter().eq(things.observers().iter()));
    let (container, _) = things.into_parts();
    let things = Table::with(container, order);
    assert!(things.observers().iter().map(|key| things[key]).eq([1, 2, 9]));
}

/// A number, or a struct, is a section by itself.
#[test]
fn single_values_are_sections() {
    let file = saved(&Value(7_u8));
    assert_eq!(load::<Value<u8>>(&file).unwrap(), Value(7));
    assert!(matches!(load::<Value<i8>>(&file).unwrap_err().reason, Kind::Element { .. }));
    assert_eq!(load::<Value<[f32; 3]>>(&saved(&Value([0.5_f32; 3]))).unwrap(), Value([0.5; 3]));
    let key = Key::from_bits(1 << 32).unwrap();
    assert_eq!(load::<Value<Key>>(&saved(&Value(key))).unwrap(), Value(key));
}

/// A structure that passes other parts than it says, in one of the ways below.
struct Wrong(&'static str);

impl Parts for Wrong {
    const KIND: &'static str = "wrong";
    const PARTS: &'static [Part] =
        &[Part::number("year"), Part::float("rate"), Part::column("done")];
    type List = Keys<Key>;

    fn save<E: Encoder<Keys<Key>>>(&self, to: &mut E) -> Result<(), E::Error> {
        let (numbers, keys) = (0..3_u32, (0..3).filter_map(|slot| Key::from_bits(1 << 32 | slot)));
        match self.0 {
            "another name" => to.number("yaer", 1)?,
            "another type" => to.float("year", 1.0)?,
            "missing" => {}
            _ => to.number("year", 1)?,
        }
        match self.0 {
            "a number for a float" => to.number("rate", 1)?,
            "a column for a float" => to.column("rate", numbers.clone())?,
            "another order" => {
                to.column("done", numbers.clone())?;
                to.float("rate", 0.5)?;
            }
            _ => to.float("rate", 0.5)?,
        }
        match self.0 {
            "missing at the end" | "another order" => {}
            "fewer than cloned" => to.column("done", Uneven { left: 1, of_clone: 2 })?,
            "more than cloned" => to.column("done", Uneven { left: 2, of_clone: 1 })?,
            _ => to.column("done", numbers.clone())?,
        }
        if self.0 == "twice" {
            to.column("done", numbers.clone())?;
        }
        if self.0 != "no list" {
            to.list(keys.clone())?;
        }
        match self.0 {
            "two lists" => to.list(keys),
            "after the list" => to.number("year", 1),
            _ => Ok(()),
        }
    }
}

/// An iterator whose clone yields another number of elements.
struct Uneven {
    left: u32,
    of_clone: u32,
}

impl Clone for Uneven {
    fn clone(&self) -> Self {
        Self { left: self.of_clone, of_clone: self.of_clone }
    }
}

impl Iterator for Uneven {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.left = self.left.checked_sub(1)?;
        Some(self.left)
    }
}

/// The file that is there stays.
#[test]
#[cfg_attr(miri, ignore = "it writes files")]
fn a_structure_that_passes_other_parts_than_it_says_is_not_saved() {
    let scratch = Scratch::new("other_parts");
    let file = scratch.file();
    Saver::new().section("it", &Wrong("not at all")).save(&file).unwrap();
    let before = std::fs::read(&file).unwrap();
    for (way, name) in [
        ("another name", "`yaer`"),
        ("another type", "`year`"),
        ("missing", "`rate`"),
        ("a number for a float", "`rate`"),
        ("a column for a float", "`rate`"),
        ("another order", "`done`"),
        ("missing at the end", "`done`"),
        ("twice", "`done`"),
        ("no list", "`list`"),
        ("two lists", "`list`"),
        ("after the list", "`year`"),
        ("fewer than cloned", "`done`"),
        ("more than cloned", "`done`"),
    ] {
        let error = Saver::new().section("it", &Wrong(way)).save(&file).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidData, "{way}");
        assert!(error.to_string().contains(name), "{way}: {error}");
        assert!(std::fs::read(&file).unwrap() == before, "{way}");
    }
    assert_eq!(scratch.names(), ["world.snapshot"]);
}

/// A pool that is loaded after a program changed the lengths of its lists or texts, which are 2 and 3.
#[derive(Debug)]
struct Changed<P>(P);

thread_local! {
    static LENGTHS: Cell<&'static [usize]> = const { Cell::new(&[]) };
}

impl<P: Parts> Parts for Changed<P> {
    const KIND: &'static str = P::KIND;
    const PARTS: &'static [Part] = P::PARTS;
    type List = P::List;

    fn save<E: Encoder<P::List>>(&self, to: &mut E) -> Result<(), E::Error> {
        self.0.save(to)
    }
}

impl FromParts for Changed<ListPool<u8>> {
    fn load(mut parts: Loaded<Lists<u8>>) -> Result<Self, LoadError> {
        parts.list.lengths = LENGTHS.get().into();
        ListPool::load(parts).map(Self)
    }
}

impl FromParts for Changed<StringPool> {
    fn load(mut parts: Loaded<Texts>) -> Result<Self, LoadError> {
        parts.list.0.lengths = LENGTHS.get().into();
        StringPool::load(parts).map(Self)
    }
}

#[test]
fn pools_are_not_made_of_lengths_that_are_not_those_of_the_values() {
    let (mut lists, mut texts) = (ListPool::<u8>::new(), StringPool::new());
    for text in ["ab", "cde"] {
        lists.make(text.bytes());
        texts.intern(text);
    }
    let (lists, texts) = (saved(&lists), saved(&texts));
    let load = |lengths| {
        LENGTHS.set(lengths);
        [
            load::<Changed<ListPool<u8>>>(&lists).map(drop),
            load::<Changed<StringPool>>(&texts).map(drop),
        ]
    };
    assert!(load(&[2, 3]).iter().all(Result::is_ok));
    for wrong in [&[3, 3][..], &[2, 2], &[usize::MAX, 6], &[5, 1], &[6, 3]] {
        for error in load(wrong).map(Result::unwrap_err) {
            assert!(error.to_string().contains("lengths do not match"), "{wrong:?}: {error}");
        }
    }
}

/// A number, as one with a fraction.
#[derive(Debug)]
struct Rate(f32);

impl Parts for Rate {
    const KIND: &'static str = "born";
    const PARTS: &'static [Part] = &[Part::float("year")];
    type List = Keys<Key>;

    fn save<E: Encoder<Keys<Key>>>(&self, to: &mut E) -> Result<(), E::Error> {
        to.float("year", self.0)?;
        to.list(core::iter::empty())
    }
}

impl FromParts for Rate {
    fn load(parts: Loaded<Keys<Key>>) -> Result<Self, LoadError> {
        Ok(Self(parts.float("year")))
    }
}

#[test]
fn a_number_of_more_bits_is_no_float() {
    assert_eq!(load::<Rate>(&saved(&Rate(0.5))).unwrap().0, 0.5);
    let file = saved(&Born { year: 1 << 32, keys: Vec::new() });
    assert!(matches!(load::<Rate>(&file).unwrap_err().reason, Kind::Invalid { .. }));
}
