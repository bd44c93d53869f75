//! A small file with a section of every kind, and what `docs/snapshot-format.md` says of files, without larder's code:
//! for the tests of damage and of the format. And what each section answers that is loaded as something else.

use std::io::Cursor;

use larder::indices::{GridIndex, MultiIndex, SortedIndex, UniqueIndex};
use larder::key::{BareHandle, Serial};
use larder::maps::SparseSecondaryMap;
use larder::pools::{ListPool, StringPool};
use larder::snapshot::{Load, Save, Saver, Snapshot, SnapshotError, SnapshotErrorKind as Kind};
use larder::trees::{Buckets, IntrusiveList, KeyList, Link};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, InlineArena, Pool, Reuse, SecondaryMap,
    SoaArena, Tree,
};

/// Keys with two lives, so that slots retire.
pub(super) type Id = Handle32<u32, 30>;

/// A container of the file: how it is made, and what can be seen of it.
trait Part: Save + Load {
    fn made(ids: &Arena<u32, Id>) -> Self;
    fn seen(&self) -> String;
}

/// The file has these sections, in this order.
macro_rules! parts {
    ($($name:ident: $type:ty, |$ids:ident| $made:expr, |$it:ident| $seen:expr;)*) => {
        pub(super) struct World {
            $(pub(super) $name: $type,)*
        }

        $(impl Part for $type {
            fn made($ids: &Arena<u32, Id>) -> Self {
                $made
            }

            fn seen(&self) -> String {
                let $it = self;
                format!("{:?}", $seen)
            }
        })*

        impl World {
            pub(super) fn made() -> Self {
                let ids = rows();
                Self { $($name: Part::made(&ids),)* }
            }

            pub(super) fn saved(&self) -> Vec<u8> {
                let mut file = Cursor::new(Vec::new());
                let saver = Saver::new().tag(3)$(.section(stringify!($name), &self.$name))*;
                saver.write_to(&mut file).unwrap();
                file.into_inner()
            }

            pub(super) fn loaded(snapshot: &mut Snapshot<Cursor<&[u8]>>) -> Result<Self, SnapshotError> {
                Ok(Self { $($name: snapshot.load(stringify!($name))?,)* })
            }

            /// Returns the visible contents of each.
            pub(super) fn seen(&self) -> Vec<(&'static str, String)> {
                vec![$((stringify!($name), self.$name.seen()),)*]
            }
        }

        /// Loads one section, and says what is seen of it.
        pub(super) fn load_one(
            snapshot: &mut Snapshot<Cursor<&[u8]>>,
            name: &str,
        ) -> Result<String, SnapshotError> {
            match name {
                $(stringify!($name) => Ok(snapshot.load::<$type>(name)?.seen()),)*
                _ => panic!("there is no section `{name}`"),
            }
        }

        /// Loads a section as the type of another.
        fn load_as(
            snapshot: &mut Snapshot<Cursor<&[u8]>>,
            name: &str,
            other: &str,
        ) -> Result<(), SnapshotError> {
            match other {
                $(stringify!($name) => snapshot.load::<$type>(name).map(drop),)*
                _ => panic!("there is no section `{other}`"),
            }
        }
    };
}

/// Some are live, one is a hole, one is detached, one is retired.
fn rows() -> Arena<u32, Id> {
    let mut rows = Arena::builder_with_key().reuse(Reuse::Packed).build();
    let keys: Vec<Id> = (10..16).map(|number| rows.insert(number)).collect();
    rows.remove(keys[1]);
    let again = rows.insert(20);
    rows.remove(again);
    rows.detach(keys[2]);
    rows.remove(keys[4]);
    rows
}

/// Keys and values, and the numbers of slots of each kind.
macro_rules! all_of {
    ($it:ident) => {{
        let stats = $it.stats();
        let numbers = (stats.live, stats.holes, stats.detached, stats.retired, stats.slots);
        ($it.iter().collect::<Vec<_>>(), numbers)
    }};
}

parts! {
    rows: Arena<u32, Id>, |_ids| rows(), |it| all_of!(it);
    columns: SoaArena<(u8, u64), Handle<()>>, |_ids| {
        let mut columns = SoaArena::builder_with_key().reuse(Reuse::Lifo).build();
        let keys = [(1, 10), (2, 20), (3, 30)].map(|value| columns.insert(value));
        keys[..2].iter().for_each(|&key| assert!(columns.remove(key).is_some()));
        columns
    }, |it| all_of!(it);
    pool: Pool<u16>, |_ids| {
        let mut pool = Pool::default();
        let keys = [5, 6, 7].map(|value| pool.insert(value));
        pool.recycle(keys[1]);
        pool
    }, |it| (all_of!(it), it.slots());
    dense: DenseArena<char, Serial<()>>, |_ids| {
        let mut dense = DenseArena::builder_with_key().reuse(Reuse::Fifo).build();
        let keys = ['a', 'b', 'c', 'd'].map(|value| dense.insert(value));
        [keys[0], keys[2]].into_iter().for_each(|key| assert!(dense.remove(key).is_some()));
        dense
    }, |it| all_of!(it);
    dense_columns: DenseSoaArena<(u8, [f32; 2])>, |_ids| {
        let mut columns = DenseSoaArena::new();
        let keys = [1, 2, 3].map(|value| columns.insert((value, [0.5, -1.0])));
        columns.remove(keys[0]);
        columns
    }, |it| all_of!(it);
    side: SecondaryMap<Id, [u8; 3]>,
        |ids| ids.keys().map(|key| (key, [7, 8, key.slot() as u8])).collect(),
        |it| it.iter().collect::<Vec<_>>();
    // (Those with a table of hashes have few entries, whose order is the same in every run.)
    sparse: SparseSecondaryMap<Id, bool>,
        |ids| ids.keys().skip(1).take(1).map(|key| (key, true)).collect(),
        |it| it.iter().collect::<Vec<_>>();
    tree: Tree<Id>, |ids| {
        let (mut tree, keys) = (Tree::new(), ids.keys().collect::<Vec<_>>());
        tree.append(ids, keys[2], keys[0]).unwrap();
        tree.append(ids, keys[0], keys[1]).unwrap();
        tree
    }, |it| it.roots().map(|root| (root, it.descendants(root).collect::<Vec<_>>())).collect::<Vec<_>>();
    list: KeyList<Id>, |ids| {
        let mut list = KeyList::new();
        ids.keys().for_each(|key| list.push_front(ids, key).unwrap());
        list
    }, |it| it.iter().collect::<Vec<_>>();
    buckets: Buckets<Id, 3>, |ids| {
        let mut buckets = Buckets::new();
        ids.keys().enumerate().for_each(|(at, key)| buckets.set(ids, key, 2 - at % 2).unwrap());
        buckets
    }, |it| [0, 1, 2].map(|bucket| it.iter(bucket).collect::<Vec<_>>());
    sorted: SortedIndex<i16, Id>, |ids| {
        let mut sorted = SortedIndex::new();
        ids.iter().for_each(|(key, &number)| sorted.insert(key, -(number as i16)).unwrap());
        sorted
    }, |it| it.iter().collect::<Vec<_>>();
    unique: UniqueIndex<u64, Id>, |ids| {
        let mut unique = UniqueIndex::new();
        unique.insert(ids.keys().next().unwrap(), 77).unwrap();
        unique
    }, |it| it.iter().collect::<Vec<_>>();
    multi: MultiIndex<char, Id>, |ids| {
        let mut multi = MultiIndex::new();
        ids.keys().for_each(|key| multi.insert(key, 'x').unwrap());
        multi
    }, |it| it.iter().collect::<Vec<_>>();
    grid: GridIndex<Id, 2>, |ids| {
        let mut grid = GridIndex::new(2.5);
        grid.insert(ids.keys().next().unwrap(), [1.0, -7.5]).unwrap();
        grid
    }, |it| (it.cell_size(), it.iter().collect::<Vec<_>>());
    // (A pool has a number, which a handle of it has, too.)
    lists: ListPool<u16>, |_ids| {
        let mut lists = ListPool::new();
        let all = [vec![1_u16, 2, 3], vec![], vec![4], vec![5, 6]].map(|list| lists.make(list));
        [all[0], all[2]].into_iter().for_each(|list| lists.free(list));
        lists.make([8]);
        lists
    }, |it| it.iter().map(|(_, list)| list).collect::<Vec<_>>();
    texts: StringPool, |_ids| {
        let mut texts = StringPool::new();
        let [wren, kite] = ["wren", "kite"].map(|text| texts.acquire(text));
        assert!(texts.acquire("kite") == kite && texts.release(wren));
        texts.intern("Zaunkönig");
        texts.acquire("");
        texts
    }, |it| it.iter().map(|(_, text)| text).collect::<Vec<_>>();
}

/// A list of one member in objects.
pub(super) fn later_list() -> IntrusiveList<Id> {
    let mut things = Arena::<Link<Id>, Id>::with_key();
    let (member, mut list) = (things.insert(Link::new()), IntrusiveList::numbered(4));
    list.push_back(&mut things, member).unwrap();
    list
}

/// A file with a section of each kind that came after the kept file of this version.
pub(super) fn later() -> Vec<u8> {
    super::saved(&later_list())
}

/// An array of a section, as the table says it.
pub(super) struct Array {
    pub(super) name: String,
    pub(super) begin: usize,
    pub(super) end: usize,
}

/// A section, as the table says it.
pub(super) struct Section {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) numbers: Vec<(String, u64)>,
    pub(super) arrays: Vec<Array>,
}

/// Takes a table apart, as the page describes it.
struct Table<'a>(&'a [u8]);

impl Table<'_> {
    fn bytes(&mut self, count: usize) -> &[u8] {
        let (bytes, rest) = self.0.split_at(count);
        self.0 = rest;
        bytes
    }

    fn number(&mut self) -> u64 {
        u64::from_le_bytes(self.bytes(8).try_into().unwrap())
    }

    fn text(&mut self) -> String {
        let length = u32::from_le_bytes(self.bytes(4).try_into().unwrap());
        String::from_utf8(self.bytes(length as usize).to_vec()).unwrap()
    }

    fn array(&mut self, file: &[u8]) -> Array {
        let (name, _type) = (self.text(), self.text());
        let [size, _align, count, begin, sum] = [(); 5].map(|()| self.number());
        let (begin, end) = (begin as usize, (begin + size * count) as usize);
        assert_eq!(u64::from(crc32fast::hash(&file[begin..end])), sum, "{name}");
        Array { name, begin, end }
    }

    fn section(&mut self, file: &[u8]) -> Section {
        let (name, kind) = (self.text(), self.text());
        let numbers = (0..self.number()).map(|_| (self.text(), self.number())).collect();
        let arrays = (0..self.number()).map(|_| self.array(file)).collect();
        Section { name, kind, numbers, arrays }
    }
}

/// Returns the range of the table, as the header gives it.
pub(super) fn table_of(file: &[u8]) -> core::ops::Range<usize> {
    let at = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap()) as usize;
    at(24)..at(24) + at(32)
}

/// The sections of a whole file.
pub(super) fn sections_of(file: &[u8]) -> Vec<Section> {
    let mut table = Table(&file[table_of(file)]);
    let sections = (0..table.number()).map(|_| table.section(file)).collect();
    assert!(table.0.is_empty(), "the table is longer than what is in it");
    sections
}

#[test]
fn each_section_is_refused_as_every_other_type() {
    let file = World::made().saved();
    let mut snapshot = Snapshot::from_reader(Cursor::new(&file[..])).unwrap();
    let sections = sections_of(&file);
    for (section, other) in sections.iter().flat_map(|one| sections.iter().map(move |it| (one, it)))
    {
        let result = load_as(&mut snapshot, &section.name, &other.name);
        if section.name == other.name {
            assert!(result.is_ok());
            continue;
        }
        let error = result.unwrap_err();
        assert_eq!(error.section, section.name);
        match error.reason {
            Kind::Container { expected, found } => {
                assert_eq!((expected, found.as_str()), (&*other.kind, &*section.kind));
            }
            // (These are saved alike, and differ here in their values.)
            Kind::Element { .. }
                if [&section.kind, &other.kind].iter().all(|kind| kind.ends_with("side data")) => {}
            reason => panic!("{} as {}: {reason}", section.name, other.name),
        }
    }
    assert!(sections.len() > 15);
    assert!(World::loaded(&mut snapshot).is_ok(), "nothing was changed");
}

/// Loads sections as types that are of the same kind, but not the same, and has what is wrong named.
macro_rules! others {
    ($file:ident: $($section:ident as $type:ty => $pattern:pat,)*) => {$(
        let mut snapshot = Snapshot::from_reader(Cursor::new(&$file[..])).unwrap();
        match snapshot.load::<$type>(stringify!($section)) {
            Ok(_) => panic!("{} was loaded as {}", stringify!($section), stringify!($type)),
            Err(error) => {
                assert_eq!(error.section, stringify!($section));
                let is_that = matches!(error.reason, $pattern);
                assert!(is_that, "{} as {}: {error}", stringify!($section), stringify!($type));
            }
        }
    )*};
}

#[test]
fn other_elements_are_named() {
    let file = World::made().saved();
    others! { file:
        rows as Arena<f32, Id> => Kind::Element { .. },
        rows as Arena<[u8; 4], Id> => Kind::Element { .. },
        rows as InlineArena<i32, 9, Id> => Kind::Element { .. },
        columns as SoaArena<(u16, u64), Handle<()>> => Kind::Element { .. },
        columns as SoaArena<(u8, u64, u8), Handle<()>> => Kind::Missing { .. },
        pool as Pool<i16> => Kind::Element { .. },
        dense as DenseArena<u32, Serial<()>> => Kind::Element { .. },
        dense_columns as DenseSoaArena<(u8, [f32; 3])> => Kind::Element { .. },
        side as SecondaryMap<Id, [u8; 4]> => Kind::Element { .. },
        sparse as SparseSecondaryMap<Id, u8> => Kind::Element { .. },
        sorted as SortedIndex<u16, Id> => Kind::Element { .. },
        unique as UniqueIndex<u32, Id> => Kind::Element { .. },
        multi as MultiIndex<u32, Id> => Kind::Element { .. },
        grid as GridIndex<Id, 3> => Kind::Element { .. },
        lists as ListPool<i16> => Kind::Element { .. },
        // (Not another type, but a bucket that it does not have.)
        buckets as Buckets<Id, 2> => Kind::Entry { .. },
    }
}

/// Keys of each kind are refused: keys of other sizes, and those of the same that divide their bits into slot and
/// generation in another way.
#[test]
fn other_keys_are_named() {
    type Other = Handle32<u32, 28>;

    let file = World::made().saved();
    others! { file:
        rows as Arena<u32, Handle<u32>> => Kind::Keys { what: "bytes", expected: 8, found: 4 },
        rows as Arena<u32, Handle32<u32, 20>> => Kind::Keys { what: "slots at most", .. },
        rows as Arena<u32, BareHandle<u32>> => Kind::Keys { what: "slots at most", .. },
        rows as InlineArena<u32, 9, Other> => Kind::Keys { what: "slots at most", .. },
        columns as SoaArena<(u8, u64), Id> => Kind::Keys { what: "bytes", expected: 4, found: 8 },
        pool as Pool<u16, Id> => Kind::Keys { what: "bytes", .. },
        dense as DenseArena<char, Id> => Kind::Keys { what: "bytes", .. },
        dense_columns as DenseSoaArena<(u8, [f32; 2]), Id> => Kind::Keys { what: "bytes", .. },
        side as SecondaryMap<Other, [u8; 3]> => Kind::Keys { what: "slots at most", .. },
        sparse as SparseSecondaryMap<Other, bool> => Kind::Keys { what: "slots at most", .. },
        tree as Tree<Other> => Kind::Keys { what: "slots at most", .. },
        list as KeyList<Other> => Kind::Keys { what: "slots at most", .. },
        buckets as Buckets<Other, 3> => Kind::Keys { what: "slots at most", .. },
        sorted as SortedIndex<i16, Other> => Kind::Keys { what: "slots at most", .. },
        grid as GridIndex<Other, 2> => Kind::Keys { what: "slots at most", .. },
    }
}
