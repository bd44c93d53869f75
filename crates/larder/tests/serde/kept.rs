//! What this version's first programs saved is loaded by every later one: a file of each kind is kept beside this test,
//! in a format whose fields have names, and in one whose fields have none. `BLESS=1 cargo test -p larder --test serde`
//! writes them anew, which nothing but a form that cannot read them can want.

use std::path::PathBuf;

use larder::Tree;
use larder::indices::{GridIndex, MultiIndex, SortedIndex, UniqueIndex};
use larder::pools::StringPool;
use larder::trees::{Buckets, IntrusiveList, KeyList, Link, Links};
use serde::Deserialize;

use super::*;

type Id = Handle<u8>;

/// A structure of each kind. (Those with a table of hashes have one entry, so that their order is always the same.)
#[derive(Serialize, Deserialize)]
pub(super) struct World {
    pub(super) rows: Arena<u8>,
    pub(super) paged: PagedArena<u16, Handle32<u16>>,
    pub(super) dense: DenseArena<String, Serial<String>>,
    pub(super) columns: SoaArena<(u8, u32), BareHandle<()>>,
    pub(super) dense_columns: DenseSoaArena<(u8, u32)>,
    pub(super) linked: Arena<Links<Id>, Id>,
    pub(super) listed: Arena<Link<Id>, Id>,
    pub(super) side: SecondaryMap<Id, String>,
    pub(super) sparse: SparseSecondaryMap<Id, u64>,
    pub(super) tree: Tree<Id>,
    pub(super) list: KeyList<Id>,
    pub(super) buckets: Buckets<Id, 3>,
    pub(super) in_objects: IntrusiveList<Id>,
    pub(super) sorted: SortedIndex<String, Id>,
    pub(super) unique: UniqueIndex<String, Id>,
    pub(super) multi: MultiIndex<u8, Id>,
    pub(super) grid: GridIndex<Id, 2>,
    pub(super) names: StringPool,
}

pub(super) fn made() -> World {
    let mut rows: Arena<u8> = (10..16).collect();
    let keys: Vec<Id> = rows.keys().collect();
    rows.remove(keys[1]);
    rows.detach(keys[2]);
    let keys: Vec<Id> = rows.keys().collect();
    let mut dense = DenseArena::builder_with_key().reuse(Reuse::Fifo).build();
    let ids = ["a", "b", "c"].map(|text| dense.insert(text.to_owned()));
    dense.remove(ids[0]);
    let (mut linked, mut listed) = (Arena::with_key(), Arena::with_key());
    let nodes: Vec<Id> = (0..3).map(|_| linked.insert(Links::new())).collect();
    nodes[1..].iter().for_each(|&node| Links::append(&mut linked, nodes[0], node).unwrap());
    let members: Vec<Id> = (0..3).map(|_| listed.insert(Link::new())).collect();
    let mut in_objects = IntrusiveList::numbered(4);
    members.iter().for_each(|&member| in_objects.push_back(&mut listed, member).unwrap());
    let (mut tree, mut list, mut buckets) = (Tree::new(), KeyList::new(), Buckets::new());
    let mut sorted = SortedIndex::new();
    for (number, &key) in keys.iter().enumerate() {
        if number > 0 {
            tree.append(&rows, keys[(number - 1) / 2], key).unwrap();
        }
        list.push_front(&rows, key).unwrap();
        buckets.set(&rows, key, 2 - number % 2).unwrap();
        sorted.insert(key, format!("{}", 9 - number)).unwrap();
    }
    let (mut unique, mut multi) = (UniqueIndex::new(), MultiIndex::new());
    unique.insert(keys[0], "one".to_owned()).unwrap();
    keys.iter().for_each(|&key| multi.insert(key, 7).unwrap());
    let mut grid = GridIndex::new(2.5);
    grid.insert(keys[1], [1.0, -7.5]).unwrap();
    let mut names = StringPool::new();
    ["wren", "", "Zaunkönig"].into_iter().for_each(|text| _ = names.intern(text));
    World {
        paged: [1, 2, 3].into_iter().collect(),
        dense,
        columns: [(1, 10), (2, 20)].into_iter().collect(),
        dense_columns: [(1, 10), (2, 20)].into_iter().collect(),
        linked,
        listed,
        side: keys.iter().map(|&key| (key, key.slot().to_string())).collect(),
        sparse: keys[..1].iter().map(|&key| (key, 5)).collect(),
        tree,
        list,
        buckets,
        in_objects,
        sorted,
        unique,
        multi,
        grid,
        names,
        rows,
    }
}

impl World {
    /// Returns the visible contents of each.
    fn seen(&self) -> Vec<String> {
        let root = self.tree.roots().next().unwrap();
        let node = self.linked.keys().next().unwrap();
        vec![
            format!("{:?} {}", self.rows, self.rows.stats().detached),
            format!("{:?} {:?} {:?}", self.paged, self.dense, self.dense.stats().holes),
            format!("{:?} {:?}", self.columns, self.dense_columns),
            format!("{:?}", Links::descendants(&self.linked, node).collect::<Vec<_>>()),
            format!("{:?}", self.in_objects.iter(&self.listed).collect::<Vec<_>>()),
            format!("{:?} {:?}", self.side, self.sparse),
            format!("{root} {:?}", self.tree.descendants(root).collect::<Vec<_>>()),
            format!("{:?}", self.list.iter().collect::<Vec<_>>()),
            format!("{:?}", [0, 1, 2].map(|one| self.buckets.iter(one).collect::<Vec<_>>())),
            format!("{:?}", self.sorted.iter().collect::<Vec<_>>()),
            format!("{:?} {:?}", self.unique.get("one"), self.multi.get(&7)),
            format!("{:?}", self.grid.iter().collect::<Vec<_>>()),
            format!("{:?}", self.names.iter().map(|(_, text)| text).collect::<Vec<_>>()),
        ]
    }
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/serde").join(name)
}

#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn kept_files_are_loaded() {
    let made = made();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(file("version-1.json"), to_json(&made)).unwrap();
        std::fs::write(file("version-1.postcard"), to_postcard(&made)).unwrap();
    }
    let json = std::fs::read_to_string(file("version-1.json")).unwrap();
    let named: World = from_json(&json).unwrap();
    let unnamed: World =
        from_postcard(&std::fs::read(file("version-1.postcard")).unwrap()).unwrap();
    assert_eq!(named.seen(), made.seen());
    assert_eq!(unnamed.seen(), made.seen());
}

/// Programs of other languages read these: the form in which each kind is written stays, too.
#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn what_is_written_is_as_in_the_kept_file() {
    let json = std::fs::read_to_string(file("version-1.json")).unwrap();
    let kept: serde_json::Value = from_json(&json).unwrap();
    let mut written = serde_json::to_value(made()).unwrap();
    // (A text before those of the pool has what symbols depend on, which is another in each pool.)
    let head = written["names"].as_array_mut().unwrap().remove(0);
    assert!(head.as_str().unwrap().starts_with("\u{1a}symbols "), "{head}");
    assert_eq!(written, kept);
}
