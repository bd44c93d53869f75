//! The state that a table should have, and the part of it that can be seen.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use larder::containers::ValueContainer;
use larder::track::Table;
use larder::trees::Links;

use super::parts::{Beside, PARTS, Part, property};
use super::things::{Id, Thing, Things};
use crate::nervous::Nervous;

/// The numbers that objects have are below it.
pub(super) const NUMBERS: u32 = 60;

/// A hierarchy.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Family {
    parents: BTreeMap<Id, Id>,
    children: BTreeMap<Id, Vec<Id>>,
}

impl Family {
    pub(super) fn append(&mut self, parent: Id, child: Id) -> bool {
        let mut above = Some(parent);
        while let Some(key) = above {
            if key == child {
                return false;
            }
            above = self.parents.get(&key).copied();
        }
        self.make_root(child);
        self.parents.insert(child, parent);
        self.children.entry(parent).or_default().push(child);
        true
    }

    pub(super) fn make_root(&mut self, key: Id) {
        if let Some(parent) = self.parents.remove(&key) {
            let siblings = self.children.get_mut(&parent).expect("it has children");
            siblings.retain(|&other| other != key);
            if siblings.is_empty() {
                self.children.remove(&parent);
            }
        }
    }

    fn remove(&mut self, key: Id) {
        self.make_root(key);
        for child in self.children.remove(&key).unwrap_or_default() {
            self.parents.remove(&child);
        }
    }

    /// The object, and all below it.
    pub(super) fn subtree(&self, key: Id) -> Vec<Id> {
        let mut found = vec![key];
        let mut at = 0;
        while let Some(key) = found.get(at) {
            found.extend(self.children.get(key).into_iter().flatten().copied().collect::<Vec<_>>());
            at += 1;
        }
        found
    }

    fn of(all: &[Id], children: impl Fn(Id) -> Vec<Id>) -> Self {
        let mut family = Self::default();
        for &parent in all {
            let below = children(parent);
            family.parents.extend(below.iter().map(|&child| (child, parent)));
            if !below.is_empty() {
                family.children.insert(parent, below);
            }
        }
        family
    }
}

/// The state that a table should have.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    pub objects: BTreeMap<Id, u32>,
    pub detached: Vec<Id>,
    /// All keys that were handed out.
    pub issued: BTreeSet<Id>,
    pub tree: Family,
    pub inside: Family,
    pub list: Vec<Id>,
    pub burning: Vec<Id>,
    pub buckets: [Vec<Id>; 3],
    pub order: Vec<Id>,
    pub side: [BTreeMap<Id, u32>; 4],
}

impl Model {
    pub(super) fn insert(&mut self, key: Id, number: u32) {
        self.objects.insert(key, number);
        self.issued.insert(key);
        self.order.push(key);
    }

    pub(super) fn remove(&mut self, key: Id) {
        self.objects.remove(&key);
        self.tree.remove(key);
        self.inside.remove(key);
        let [a, b, c] = &mut self.buckets;
        for list in [&mut self.list, &mut self.burning, &mut self.order, a, b, c] {
            list.retain(|&other| other != key);
        }
        self.side.iter_mut().for_each(|side| _ = side.remove(&key));
    }

    /// Returns whether no other object has what only one may have.
    pub(super) fn accepts(&self, parts: u32, key: Option<Id>, number: u32) -> bool {
        let is_filed = parts & Part::Unique.bit() != 0
            || parts & Part::UniqueOfSome.bit() != 0 && property::is_filed(number);
        let is_other = |(&other, &its): (&Id, &u32)| Some(other) != key && its == number;
        !is_filed || !self.objects.iter().any(is_other)
    }

    /// The keys that a part did not know of before it was put in.
    pub(super) fn fill(&mut self, part: Part, seen: &Read) {
        match part {
            Part::Tree => self.tree = Family::default(),
            Part::Inside => self.inside = seen.inside.clone(),
            Part::List => self.list.clear(),
            Part::Burning => self.burning = seen.burning.clone(),
            Part::Buckets => self.buckets.iter_mut().for_each(Vec::clear),
            Part::Order => {
                self.order = self.objects.keys().copied().collect();
                self.order.sort_by_key(|key| key.slot());
            }
            Part::Side => self.side[0].clear(),
            Part::SparseSide => self.side[1].clear(),
            Part::PlainSide => self.side[2].clear(),
            Part::PlainSparseSide => self.side[3].clear(),
            _ => {}
        }
    }
}

/// The objects of a table and the links inside them, as walks yield them.
#[derive(Debug, PartialEq)]
pub(super) struct Read {
    pub objects: Vec<(Id, u32)>,
    pub inside: Family,
    pub burning: Vec<Id>,
}

impl Read {
    pub(super) fn of<C: Things>(table: &Table<C, Beside>) -> Self {
        Self::try_of(table).unwrap_or_else(|wrong| panic!("{wrong}"))
    }

    /// Fails if links inside contradict each other.
    pub(super) fn try_of<C: Things>(table: &Table<C, Beside>) -> Result<Self, String> {
        let keys: Vec<Id> = ValueContainer::keys(&**table).collect();
        let ((_, inside), (_, burning, ..), ..) = &table.observers().0;
        let objects = keys.iter().map(|&key| (key, table.number(key).expect("it is live")));
        let mut read =
            Self { objects: objects.collect(), inside: Family::default(), burning: Vec::new() };
        if inside.is_some() {
            same("links inside", Links::<Id>::check(table, &keys), Ok(()))?;
            read.inside = Family::of(&keys, |key| Links::<Id>::children(table, key).collect());
            assert!(keys.iter().all(|&key| {
                Links::<Id>::parent(table, key) == read.inside.parents.get(&key).copied()
            }));
        }
        if let Some(burning) = burning {
            same("list inside", burning.check(table, &keys), Ok(()))?;
            read.burning = burning.iter(table).collect();
            assert_eq!(burning.len(), read.burning.len());
        }
        let nil = Thing::new(NUMBERS);
        for &(key, number) in &read.objects {
            assert_eq!(table.number_or(key, &nil), number);
        }
        Ok(read)
    }
}

/// Fails if what a part yields is not what it should.
fn same<T: PartialEq + Debug>(name: &str, seen: T, expected: T) -> Result<(), String> {
    if seen == expected { Ok(()) } else { Err(format!("{name}: {seen:?}, not {expected:?}")) }
}

fn sorted<T>(all: impl IntoIterator<Item = T>) -> Vec<T>
where
    T: PartialOrd,
{
    let mut all: Vec<T> = all.into_iter().collect();
    all.sort_by(|a, b| a.partial_cmp(b).expect("they are in an order"));
    all
}

impl Model {
    /// Fails if a table is not as it should be.
    pub(super) fn compare(&self, read: &Read, beside: &Beside) -> Result<(), String> {
        let objects: Vec<(Id, u32)> = self.objects.iter().map(|(&key, &n)| (key, n)).collect();
        same("objects", sorted(read.objects.clone()), objects)?;
        let all: Vec<Id> = self.objects.keys().copied().collect();
        let (links, lists, side, of_all, of_some) = &beside.0;
        if let Some(tree) = &links.0 {
            tree.validate();
            let family = Family::of(&all, |key| tree.children(key).collect());
            same("tree", &family, &self.tree)?;
            let parents = all.iter().filter_map(|&key| Some((key, tree.parent(key)?))).collect();
            same("parents", parents, self.tree.parents.clone())?;
            let roots: Vec<Id> = tree.roots().collect();
            let above = self.tree.children.keys().filter(|key| tree.parent(**key).is_none());
            same("number of roots", above.filter(|key| !roots.contains(key)).count(), 0)?;
            same("dead roots", roots.iter().all(|key| self.objects.contains_key(key)), true)?;
        }
        if links.1.is_some() {
            same("links inside", &read.inside, &self.inside)?;
        }
        if let Some(list) = &lists.0 {
            list.validate();
            same("list", list.iter().collect(), self.list.clone())?;
        }
        if lists.1.is_some() {
            same("list inside", &read.burning, &self.burning)?;
        }
        if let Some(buckets) = &lists.2 {
            buckets.validate();
            let contents = [0, 1, 2].map(|bucket| buckets.iter(bucket).collect::<Vec<_>>());
            same("buckets", &contents, &self.buckets)?;
        }
        if let Some(order) = &lists.3 {
            same("order", order.iter().collect(), self.order.clone())?;
        }
        let plain = |(key, number): (Id, &Nervous)| (key, number.0);
        let maps = [
            side.0.as_ref().map(|map| map.iter().map(plain).collect::<Vec<_>>()),
            side.1.as_ref().map(|map| map.iter().map(plain).collect()),
            side.2.as_ref().map(|map| map.0.iter().map(plain).collect()),
            side.3.as_ref().map(|map| map.0.iter().map(plain).collect()),
        ];
        for (map, model) in maps.into_iter().zip(&self.side) {
            let Some(map) = map else { continue };
            same("side data", sorted(map), model.iter().map(|(&key, &n)| (key, n)).collect())?;
        }
        let all = || self.objects.iter().map(|(&key, &number)| (key, number));
        let some = || all().filter(|&(_, number)| property::is_filed(number));
        let filed = |(unique, multi, ordered, grid): Indices<'_>, all: Vec<(Id, u32)>| {
            if let Some(index) = unique {
                index.validate();
                let seen = index.iter().map(|(property, key)| (key, property.0));
                let of = all.iter().map(|&(key, n)| (key, property::unique(n)));
                same("unique index", sorted(seen), of.collect())?;
                let lost = all.iter().find(|(key, n)| index.get(&Nervous(*n)) != Some(*key));
                same("not found", lost, None)?;
            }
            if let Some(index) = multi {
                index.validate();
                let seen = index
                    .iter()
                    .flat_map(|(property, keys)| keys.iter().map(|&key| (key, property.0)));
                let of = all.iter().map(|&(key, n)| (key, property::multi(n)));
                same("multi index", sorted(seen), of.collect())?;
                let group = |n: &u32| index.get(&Nervous(property::multi(*n)));
                let lost = all.iter().find(|(key, n)| !group(n).contains(key));
                same("not found", lost, None)?;
            }
            if let Some(index) = ordered {
                index.validate();
                let seen: Vec<_> = index.iter().map(|(property, key)| (property.0, key)).collect();
                same("sorted index", seen.is_sorted_by_key(|&(property, _)| property), true)?;
                let of = all.iter().map(|&(key, n)| (property::sorted(n), key));
                same("sorted index", sorted(seen), sorted(of))?;
            }
            if let Some(index) = grid {
                index.validate();
                let of = all.iter().map(|&(key, n)| (key, property::grid(n)));
                same("grid", sorted(index.iter()), of.collect())?;
            }
            Ok(())
        };
        let (unique, multi, ordered, grid) = of_all;
        filed(
            (unique.as_deref(), multi.as_deref(), ordered.as_deref(), grid.as_deref()),
            all().collect(),
        )?;
        let (unique, multi, ordered, grid) = of_some;
        filed(
            (unique.as_deref(), multi.as_deref(), ordered.as_deref(), grid.as_deref()),
            some().collect(),
        )
    }
}

type Indices<'a> = (
    Option<&'a larder::indices::UniqueIndex<Nervous, Id>>,
    Option<&'a larder::indices::MultiIndex<Nervous, Id>>,
    Option<&'a larder::indices::SortedIndex<Nervous, Id>>,
    Option<&'a larder::indices::GridIndex<Id, 2>>,
);

/// The keys that a part yields, in its order, and numbers where it has some.
type Walk = Vec<(Option<Id>, u32)>;

/// Everything that can be seen of a table, each in its order: of the objects, and of each part that is there.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    objects: Vec<(Id, u32)>,
    parts: Vec<Option<Walk>>,
}

impl Seen {
    pub(super) fn of<C: Things>(table: &Table<C, Beside>) -> Self {
        Self::of_read(Read::of(table), table.observers())
    }

    fn of_read(read: Read, beside: &Beside) -> Self {
        let (links, lists, side, of_all, of_some) = &beside.0;
        let objects = read.objects;
        let plain = |key: Id| (Some(key), 0);
        let with = |(key, number): (Id, &Nervous)| (Some(key), number.0);
        let seen = |part: Part| -> Option<Walk> {
            Some(match part {
                Part::Tree => {
                    let tree = links.0.as_ref()?;
                    let below = |(key, _): &(Id, u32)| tree.children(*key).collect::<Vec<_>>();
                    let parents = objects.iter().map(|&(key, _)| (tree.parent(key), 0));
                    let parents: Vec<_> = parents.collect();
                    let below = objects.iter().flat_map(below);
                    parents.into_iter().chain(tree.roots().chain(below).map(plain)).collect()
                }
                Part::Inside => {
                    links.1?;
                    let below = |(key, _): &(Id, u32)| read.inside.children.get(key);
                    objects.iter().filter_map(below).flatten().copied().map(plain).collect()
                }
                Part::List => lists.0.as_ref()?.iter().map(plain).collect(),
                Part::Burning => {
                    lists.1.as_ref()?;
                    read.burning.iter().copied().map(plain).collect()
                }
                Part::Buckets => {
                    let buckets = lists.2.as_ref()?;
                    let of = |bucket: usize| {
                        buckets.iter(bucket).map(move |key| (Some(key), bucket as u32))
                    };
                    (0..3).flat_map(of).collect()
                }
                Part::Order => lists.3.as_ref()?.iter().map(plain).collect(),
                Part::Side => side.0.as_ref()?.iter().map(with).collect(),
                Part::SparseSide => side.1.as_ref()?.iter().map(with).collect(),
                Part::PlainSide => side.2.as_ref()?.0.iter().map(with).collect(),
                Part::PlainSparseSide => side.3.as_ref()?.0.iter().map(with).collect(),
                Part::Unique => unique(of_all.0.as_deref()?),
                Part::Multi => multi(of_all.1.as_deref()?),
                Part::Sorted => in_order(of_all.2.as_deref()?),
                Part::Grid => near(of_all.3.as_deref()?),
                Part::UniqueOfSome => unique(of_some.0.as_deref()?),
                Part::MultiOfSome => multi(of_some.1.as_deref()?),
                Part::SortedOfSome => in_order(of_some.2.as_deref()?),
                Part::GridOfSome => near(of_some.3.as_deref()?),
            })
        };
        let parts = PARTS.map(seen).into();
        Self { objects, parts }
    }

    /// Returns what differs; of parts that are there in both.
    pub(super) fn difference(&self, other: &Self) -> Option<String> {
        if self.objects != other.objects {
            return Some(format!("objects: {:?}, {:?}", self.objects, other.objects));
        }
        let both = PARTS.into_iter().zip(self.parts.iter().zip(&other.parts));
        both.into_iter().find_map(|(part, both)| match both {
            (Some(one), Some(another)) if one != another => {
                Some(format!("{part:?}: {one:?}, {another:?}"))
            }
            _ => None,
        })
    }
}

fn unique(index: &larder::indices::UniqueIndex<Nervous, Id>) -> Walk {
    (0..NUMBERS).map(|number| (index.get(&Nervous(number)), number)).collect()
}

fn multi(index: &larder::indices::MultiIndex<Nervous, Id>) -> Walk {
    let of = |number| index.get(&Nervous(number)).iter().map(move |&key| (Some(key), number));
    (0..NUMBERS).flat_map(of).collect()
}

fn in_order(index: &larder::indices::SortedIndex<Nervous, Id>) -> Walk {
    index.iter().map(|(property, key)| (Some(key), property.0)).collect()
}

/// A walk over the grid, and a query.
fn near(index: &larder::indices::GridIndex<Id, 2>) -> Walk {
    let query = index.in_box([1.0, 1.0], [6.0, 4.0]).expect("the corners are numbers");
    let of = |(key, [x, y]): (Id, [f32; 2])| (Some(key), (x + 9.0 * y) as u32);
    index.iter().chain(query).map(of).collect()
}
