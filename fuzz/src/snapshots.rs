//! Snapshots: saved and loaded as they were; damaged and forged, they are refused or whole; mapped, they can be read.

use std::fs;
use std::io::Cursor;
use std::sync::OnceLock;

use larder::indices::{GridIndex, MultiIndex, SortedIndex, UniqueIndex};
use larder::key::{BareHandle, Serial};
use larder::maps::SparseSecondaryMap;
use larder::pools::{ListPool, StringPool};
use larder::snapshot::{Load, Map, Save, Saver, Snapshot};
use larder::trees::{Buckets, IntrusiveList, KeyList, Link};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, InlineArena, PagedArena, Pool, Reuse,
    SecondaryMap, SoaArena, Tree,
};
use larder_testing::caught::attempt;

use crate::bytes::Bytes;
use crate::used::Used;

/// A container that is made of bytes.
pub(crate) trait Filled {
    fn filled(bytes: &mut Bytes<'_>, objects: &Arena<u8>) -> Self;
}

macro_rules! filled {
    ($($container:ident<$value:ty, $key:ty>: $make:expr;)*) => {$(
        impl Filled for $container<$value, $key> {
            fn filled(bytes: &mut Bytes<'_>, _: &Arena<u8>) -> Self {
                let reuse = [Reuse::Packed, Reuse::Lifo, Reuse::Fifo][bytes.below(3)];
                let mut it = Self::builder_with_key().reuse(reuse).build();
                let mut keys = Vec::new();
                for _ in 0..bytes.byte() % 80 {
                    let (kind, value) = (bytes.byte() % 8, bytes.byte());
                    match (kind, bytes.one_of(&keys)) {
                        (5 | 6, Some(key)) => drop(it.remove(key)),
                        (7, Some(key)) => drop(it.detach(key)),
                        _ => keys.extend(it.try_insert($make(value))),
                    }
                }
                it
            }
        }
    )*};
}

filled! {
    Arena<u8, Handle<u8>>: |value| value;
    Arena<u8, Serial<u8>>: |value| value;
    Arena<bool, BareHandle<bool>>: |value| value > 9;
    PagedArena<u8, Handle<u8>>: |value| value;
    DenseArena<u8, Handle<u8>>: |value| value;
    DenseArena<char, Handle<char>>: char::from;
    SoaArena<(u8, u64), Handle<(u8, u64)>>: |value: u8| (value, value.into());
    SoaArena<(u8, u64), Serial<()>>: |value: u8| (value, value.into());
    DenseSoaArena<(u8, u64), Handle<(u8, u64)>>: |value: u8| (value, value.into());
}

macro_rules! filled_beside {
    ($($type:ty: |$it:ident, $objects:ident, $key:ident, $byte:ident| $insert:expr;)*) => {$(
        impl Filled for $type {
            fn filled(bytes: &mut Bytes<'_>, $objects: &Arena<u8>) -> Self {
                let mut $it = Self::default();
                for $key in $objects.keys() {
                    let $byte = bytes.byte();
                    if $byte % 4 > 0 {
                        let _ = $insert;
                    }
                }
                $it
            }
        }
    )*};
}

type Id = Handle<u8>;

filled_beside! {
    Pool<u8, Handle32<u8>>: |it, _objects, _key, byte| it.try_insert(byte);
    SecondaryMap<Id, u8>: |it, objects, key, byte| it.try_insert(key, byte);
    SparseSecondaryMap<Id, u8>: |it, objects, key, byte| it.try_insert(key, byte);
    Tree<Id>: |it, objects, key, byte| {
        it.append(objects, objects.keys().nth(usize::from(byte) % objects.len()).expect("it is"), key)
    };
    KeyList<Id>: |it, objects, key, byte| {
        if byte % 2 == 0 { it.push_back(objects, key) } else { it.push_front(objects, key) }
    };
    Buckets<Id, 3>: |it, objects, key, byte| it.set(objects, key, usize::from(byte) % 3);
    UniqueIndex<u16, Id>: |it, objects, key, byte| it.insert(key, u16::from(byte));
    MultiIndex<u16, Id>: |it, objects, key, byte| it.insert(key, u16::from(byte % 8));
    SortedIndex<u16, Id>: |it, objects, key, byte| it.insert(key, u16::from(byte % 32));
}

impl Filled for GridIndex<Id, 2> {
    fn filled(bytes: &mut Bytes<'_>, objects: &Arena<u8>) -> Self {
        let mut grid = Self::new(4.0);
        for key in objects.keys() {
            let _ = grid.insert(key, [bytes.byte().into(), 2.0]);
        }
        grid
    }
}

impl Filled for InlineArena<u8, 64> {
    fn filled(bytes: &mut Bytes<'_>, _: &Arena<u8>) -> Self {
        let (mut it, mut keys) = (Self::new(), Vec::new());
        for _ in 0..bytes.byte() % 80 {
            let (kind, value) = (bytes.byte() % 8, bytes.byte());
            match (kind, bytes.one_of(&keys)) {
                (5 | 6, Some(key)) => drop(it.remove(key)),
                (7, Some(key)) => drop(it.detach(key)),
                _ => keys.extend(it.try_insert(value)),
            }
        }
        it
    }
}

impl Filled for ListPool<u8> {
    fn filled(bytes: &mut Bytes<'_>, _: &Arena<u8>) -> Self {
        let (mut pool, mut lists) = (Self::new(), Vec::new());
        for _ in 0..bytes.byte() % 40 {
            let (kind, value) = (bytes.byte() % 8, bytes.byte());
            match kind {
                0..4 => lists.push(pool.make((0..value % 12).map(|number| number ^ value))),
                _ if lists.is_empty() => {}
                4 | 5 => pool.free(lists.swap_remove(usize::from(value) % lists.len())),
                _ => {
                    let list = usize::from(value) % lists.len();
                    pool.push(&mut lists[list], value);
                }
            }
        }
        pool
    }
}

impl Filled for StringPool {
    fn filled(bytes: &mut Bytes<'_>, _: &Arena<u8>) -> Self {
        let mut pool = Self::new();
        for _ in 0..bytes.byte() % 40 {
            let (kind, value) = (bytes.byte() % 4, bytes.byte() % 16);
            let text = "ä".repeat(usize::from(value));
            match (kind, pool.find(&text)) {
                (0, Some(symbol)) => drop(pool.release(symbol)),
                (1, _) => drop(pool.intern(&text)),
                _ => drop(pool.acquire(&text)),
            }
        }
        pool
    }
}

/// Objects in a list, and those that a loaded head may find.
pub(crate) fn listed(number: u32, count: usize) -> (Arena<Link<Id>, Id>, IntrusiveList<Id>) {
    let (mut things, mut list) = (Arena::with_key(), IntrusiveList::numbered(number));
    for _ in 0..count {
        let key = things.insert(Link::new());
        list.push_back(&mut things, key).expect("it is new");
    }
    (things, list)
}

impl Filled for Arena<Link<Id>, Id> {
    fn filled(bytes: &mut Bytes<'_>, _: &Arena<u8>) -> Self {
        listed((bytes.byte() % 2).into(), usize::from(bytes.byte() % 40)).0
    }
}

impl Filled for IntrusiveList<Id> {
    fn filled(bytes: &mut Bytes<'_>, _: &Arena<u8>) -> Self {
        listed((bytes.byte() % 2).into(), usize::from(bytes.byte() % 40)).1
    }
}

/// The types of sections: what saves one of each, and what loads any.
macro_rules! sections {
    ($($name:ident: $type:ty;)*) => {
        /// A snapshot with a section of each kind; says how many there are.
        fn world(bytes: &mut Bytes<'_>) -> (Vec<u8>, usize) {
            let objects: Arena<u8> = (0..bytes.byte() % 60).collect();
            $(let $name = <$type as Filled>::filled(bytes, &objects);)*
            let mut file = Cursor::new(Vec::new());
            let saver = Saver::new().tag(7)$(.section(stringify!($name), &$name))*;
            saver.write_to(&mut file).expect("there is memory");
            (file.into_inner(), [$(stringify!($name)),*].len())
        }

        /// Loads each section as each type, and uses what is loaded; says how much that is.
        fn load_all(file: &[u8], has_all: bool) -> usize {
            let mut loaded = 0;
            let Ok(mut snapshot) = Snapshot::from_reader(Cursor::new(file)) else { return 0 };
            let _ = snapshot.verify();
            let names: Vec<String> = snapshot.sections().take(40).map(str::to_owned).collect();
            for name in names {
                $(
                    if !has_all || name == stringify!($name) {
                        loaded += usize::from(load::<$type>(&mut snapshot, &name));
                    }
                )*
            }
            loaded
        }
    };
}

sections! {
    rows: Arena<u8>;
    serials: Arena<u8, Serial<u8>>;
    flags: Arena<bool, BareHandle<bool>>;
    paged: PagedArena<u8>;
    dense: DenseArena<u8>;
    letters: DenseArena<char>;
    columns: SoaArena<(u8, u64)>;
    serial_columns: SoaArena<(u8, u64), Serial<()>>;
    dense_columns: DenseSoaArena<(u8, u64)>;
    pool: Pool<u8, Handle32<u8>>;
    side: SecondaryMap<Id, u8>;
    sparse: SparseSecondaryMap<Id, u8>;
    tree: Tree<Id>;
    list: KeyList<Id>;
    buckets: Buckets<Id, 3>;
    unique: UniqueIndex<u16, Id>;
    multi: MultiIndex<u16, Id>;
    sorted: SortedIndex<u16, Id>;
    grid: GridIndex<Id, 2>;
    inline: InlineArena<u8, 64>;
    lists: ListPool<u8>;
    texts: StringPool;
    linked: Arena<Link<Id>, Id>;
    chain: IntrusiveList<Id>;
}

fn load<C: Load + Save + Used>(snapshot: &mut Snapshot<Cursor<&[u8]>>, name: &str) -> bool {
    let Ok(loaded) = snapshot.load::<C>(name) else { return false };
    let mut again = Cursor::new(Vec::new());
    Saver::new().section("it", &loaded).write_to(&mut again).expect("there is memory");
    let mut again = Snapshot::from_reader(again).expect("it was just saved");
    assert!(again.load::<C>("it").is_ok(), "what was loaded can be saved and loaded");
    loaded.used();
    true
}

/// Makes all checksums right again, as a file that was made to deceive has them.
fn forge(file: &mut [u8]) {
    let at = |file: &[u8], at: usize| {
        let bytes = file.get(at..at.saturating_add(8)).and_then(|bytes| bytes.try_into().ok());
        u64::from_le_bytes(bytes.unwrap_or_default()) as usize
    };
    let (begin, size) = (at(file, 24), at(file, 32));
    let Some(mut table) = file.get(begin..begin.saturating_add(size)).map(<[u8]>::to_vec) else {
        return;
    };
    // An array's entry ends in element size, alignment, count, offset and checksum.
    for entry in 0..(table.len() + 1).saturating_sub(40) {
        let [element, _, count, offset, sum] =
            [0, 8, 16, 24, 32].map(|field| at(&table, entry + field));
        if !matches!(element, 1..=64) || !(64..begin).contains(&offset) || sum >> 32 != 0 {
            continue;
        }
        let end = element.checked_mul(count).and_then(|bytes| offset.checked_add(bytes));
        if let Some(array) = end.and_then(|end| file.get(offset..end)) {
            let sum = u64::from(crc32fast::hash(array)).to_le_bytes();
            table[entry + 32..entry + 40].copy_from_slice(&sum);
        }
    }
    file[begin..begin + size].copy_from_slice(&table);
    if file.len() >= 64 {
        file[48..52].copy_from_slice(&crc32fast::hash(&table).to_le_bytes());
        let sum = crc32fast::hash(&file[..60]);
        file[60..64].copy_from_slice(&sum.to_le_bytes());
    }
}

/// Writes over some bytes.
fn damage(file: &mut [u8], bytes: &mut Bytes<'_>) {
    for _ in 0..bytes.byte() % 16 {
        let (place, value) = (bytes.long(), bytes.byte());
        if let Some(byte) = file.get_mut(place as usize % file.len().max(1)) {
            *byte = if value % 2 == 0 { *byte ^ 1 << (value >> 5) } else { value >> 1 };
        }
    }
}

/// A section that is mapped, of a damaged file: it can be read, and a copy of it is whole or refused.
fn map<C: Map + Clone>(file: &[u8], name: &str, read: impl Fn(&C) -> usize, check: impl Fn(C)) {
    let path = std::env::temp_dir().join(format!("larder-fuzz-{}.snapshot", std::process::id()));
    fs::write(&path, file).expect("there is a disk");
    if let Ok(mut snapshot) = Snapshot::open(&path) {
        // SAFETY: the file is this process's alone, and is replaced when nothing maps it.
        if let Ok(mapped) = unsafe { snapshot.map::<C>(name) } {
            let counted = read(&mapped);
            if let Ok(copy) = attempt(|| C::clone(&mapped)) {
                assert_eq!(read(&copy), counted);
                check(copy);
            }
        }
    }
    let _ = fs::remove_file(&path);
}

/// Large enough to be mapped.
fn large() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let mut rows: Arena<[u32; 4]> = (0..5_000).map(|number| [number; 4]).collect();
        rows.retain(|key, _| key.slot() % 3 > 0);
        let columns: SoaArena<[u32; 4]> = (0..5_000).map(|number| [number; 4]).collect();
        let dense: DenseArena<[u32; 4]> = (0..5_000).map(|number| [number; 4]).collect();
        let mut pool: Pool<[u32; 4]> = Pool::default();
        pool.extend((0..5_000).map(|number| [number; 4]));
        let mut file = Cursor::new(Vec::new());
        let saver = Saver::new().section("rows", &rows).section("columns", &columns);
        saver
            .section("dense", &dense)
            .section("pool", &pool)
            .write_to(&mut file)
            .expect("there is memory");
        file.into_inner()
    })
}

macro_rules! mapped {
    ($file:ident, $name:literal, $type:ty) => {
        map::<$type>(
            &$file,
            $name,
            |it| {
                assert_eq!(it.iter().rev().count(), it.len());
                it.keys().filter(|&key| it.get(key).is_some_and(|row| row[0] % 2 == 0)).count()
            },
            |mut copy| {
                copy.retain(|_, row| row[1] % 2 == 0);
                copy.insert([1; 4]);
                copy.validate();
            },
        )
    };
}

pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    match bytes.byte() {
        // The file itself.
        kind @ 0..=63 => {
            let mut file = bytes.rest().to_vec();
            if kind % 2 == 0 {
                forge(&mut file);
            }
            load_all(&file, false);
        }
        kind @ 64..=239 => {
            let (mut file, sections) = world(&mut bytes);
            assert_eq!(load_all(&file, true), sections);
            damage(&mut file, &mut bytes);
            if kind % 4 > 0 {
                forge(&mut file);
            }
            load_all(&file, true);
        }
        kind => {
            let mut file = large().to_vec();
            damage(&mut file, &mut bytes);
            if kind % 2 == 0 {
                forge(&mut file);
            }
            match bytes.byte() % 4 {
                0 => mapped!(file, "rows", Arena<[u32; 4]>),
                1 => mapped!(file, "columns", SoaArena<[u32; 4]>),
                2 => mapped!(file, "pool", Pool<[u32; 4]>),
                _ => mapped!(file, "dense", DenseArena<[u32; 4]>),
            }
        }
    }
}
