//! The observers that can be beside the objects of a table, each of them there or not.

use larder::indices::{BySome, GridIndex, IndexBy, MultiIndex, SortedIndex, UniqueIndex};
use larder::maps::SparseSecondaryMap;
use larder::track::{
    Blind, Change, Each, Edit, Objects, Observer, Refusal, Reversible, TrackError, Tracked,
    Versioned,
};
use larder::trees::{Buckets, InObjects, InsertionOrder, IntrusiveList, KeyList};
use larder::{SecondaryMap, Tree, TryReserveError};

use super::things::{Id, Thing, Things};
use crate::caught::step;
use crate::nervous::Nervous;

/// The observers that can be beside the objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Tree,
    Inside,
    List,
    Burning,
    Buckets,
    Order,
    Side,
    SparseSide,
    /// Side data whose changes are not recorded: only without a history.
    PlainSide,
    PlainSparseSide,
    Unique,
    Multi,
    Sorted,
    Grid,
    UniqueOfSome,
    MultiOfSome,
    SortedOfSome,
    GridOfSome,
}

/// Every part, in the order of their bits.
pub const PARTS: [Part; 18] = [
    Part::Tree,
    Part::Inside,
    Part::List,
    Part::Burning,
    Part::Buckets,
    Part::Order,
    Part::Side,
    Part::SparseSide,
    Part::PlainSide,
    Part::PlainSparseSide,
    Part::Unique,
    Part::Multi,
    Part::Sorted,
    Part::Grid,
    Part::UniqueOfSome,
    Part::MultiOfSome,
    Part::SortedOfSome,
    Part::GridOfSome,
];

impl Part {
    pub const fn bit(self) -> u32 {
        1 << self as u32
    }

    /// Returns whether a table with it goes back.
    pub const fn goes_back(self) -> bool {
        !matches!(self, Self::PlainSide | Self::PlainSparseSide)
    }

    /// Returns whether it looks at values.
    pub const fn is_index(self) -> bool {
        self as u32 >= Self::Unique as u32
    }
}

type Unique = UniqueIndex<Nervous, Id>;
type Multi = MultiIndex<Nervous, Id>;
type Sorted = SortedIndex<Nervous, Id>;
type Grid = GridIndex<Id, 2>;
type By<X, P> = IndexBy<X, fn(&Thing) -> P>;
type BySomeOf<X, P> = IndexBy<X, BySome<fn(&Thing) -> Option<P>>>;

type Links = (Option<Tree<Id>>, Option<InObjects>);
type Lists = (
    Option<KeyList<Id>>,
    Option<Versioned<IntrusiveList<Id>>>,
    Option<Buckets<Id, 3>>,
    Option<InsertionOrder<Id>>,
);
type Side = (
    Option<Tracked<SecondaryMap<Id, Nervous>>>,
    Option<Tracked<SparseSecondaryMap<Id, Nervous>>>,
    Option<Unrecorded<SecondaryMap<Id, Nervous>>>,
    Option<Unrecorded<SparseSecondaryMap<Id, Nervous>>>,
);
type OfAll = (
    Option<By<Unique, Nervous>>,
    Option<By<Multi, Nervous>>,
    Option<By<Sorted, Nervous>>,
    Option<By<Grid, [f32; 2]>>,
);
type OfSome = (
    Option<BySomeOf<Unique, Nervous>>,
    Option<BySomeOf<Multi, Nervous>>,
    Option<BySomeOf<Sorted, Nervous>>,
    Option<BySomeOf<Grid, [f32; 2]>>,
);
type Every = (Links, Lists, Side, OfAll, OfSome);

/// Everything that is beside the objects of a table.
#[derive(Default)]
pub struct Beside(pub Every);

/// The properties by which objects are filed.
pub(super) mod property {
    use super::{Nervous, Thing, step};

    pub(in crate::combinations) const fn unique(number: u32) -> u32 {
        number
    }
    pub(in crate::combinations) const fn multi(number: u32) -> u32 {
        number % 5
    }
    pub(in crate::combinations) const fn sorted(number: u32) -> u32 {
        number / 7
    }
    pub(in crate::combinations) const fn grid(number: u32) -> [f32; 2] {
        [(number % 9) as f32, (number / 9) as f32]
    }

    /// Returns whether an index of some objects files one.
    pub(in crate::combinations) const fn is_filed(number: u32) -> bool {
        number % 3 > 0
    }

    /// A property as the code of a user returns it: it may panic.
    fn of<P>(thing: &Thing, property: impl Fn(u32) -> P) -> P {
        step();
        property(thing.number.0)
    }
    fn of_some<P>(thing: &Thing, property: impl Fn(u32) -> P) -> Option<P> {
        step();
        is_filed(thing.number.0).then(|| property(thing.number.0))
    }

    pub(super) fn unique_of(thing: &Thing) -> Nervous {
        of(thing, |number| Nervous(unique(number)))
    }
    pub(super) fn multi_of(thing: &Thing) -> Nervous {
        of(thing, |number| Nervous(multi(number)))
    }
    pub(super) fn sorted_of(thing: &Thing) -> Nervous {
        of(thing, |number| Nervous(sorted(number)))
    }
    pub(super) fn grid_of(thing: &Thing) -> [f32; 2] {
        of(thing, grid)
    }
    pub(super) fn unique_of_some(thing: &Thing) -> Option<Nervous> {
        of_some(thing, |number| Nervous(unique(number)))
    }
    pub(super) fn multi_of_some(thing: &Thing) -> Option<Nervous> {
        of_some(thing, |number| Nervous(multi(number)))
    }
    pub(super) fn sorted_of_some(thing: &Thing) -> Option<Nervous> {
        of_some(thing, |number| Nervous(sorted(number)))
    }
    pub(super) fn grid_of_some(thing: &Thing) -> Option<[f32; 2]> {
        of_some(thing, grid)
    }
}

/// Side data without a record of its changes, in a group that has no checkpoints.
#[derive(Default)]
pub struct Unrecorded<M>(pub M);

impl Beside {
    /// Makes what the bits say, empty.
    pub fn new(parts: u32) -> Self {
        let mut beside = Self::default();
        let (links, lists, side, all, some) = &mut beside.0;
        for part in PARTS.into_iter().filter(|part| parts & part.bit() != 0) {
            match part {
                Part::Tree => links.0 = Some(Tree::new()),
                Part::Inside => links.1 = Some(InObjects),
                Part::List => lists.0 = Some(KeyList::new()),
                Part::Burning => lists.1 = Some(Versioned::new(IntrusiveList::numbered(3))),
                Part::Buckets => lists.2 = Some(Buckets::new()),
                Part::Order => lists.3 = Some(InsertionOrder::new()),
                Part::Side => side.0 = Some(Tracked::new(SecondaryMap::new())),
                Part::SparseSide => side.1 = Some(Tracked::new(SparseSecondaryMap::new())),
                Part::PlainSide => side.2 = Some(Unrecorded(SecondaryMap::new())),
                Part::PlainSparseSide => side.3 = Some(Unrecorded(SparseSecondaryMap::new())),
                Part::Unique => all.0 = Some(Unique::by(property::unique_of)),
                Part::Multi => all.1 = Some(Multi::by(property::multi_of)),
                Part::Sorted => all.2 = Some(Sorted::by(property::sorted_of)),
                Part::Grid => all.3 = Some(Grid::by(2.0, property::grid_of)),
                Part::UniqueOfSome => some.0 = Some(Unique::by_some(property::unique_of_some)),
                Part::MultiOfSome => some.1 = Some(Multi::by_some(property::multi_of_some)),
                Part::SortedOfSome => some.2 = Some(Sorted::by_some(property::sorted_of_some)),
                Part::GridOfSome => some.3 = Some(Grid::by_some(2.0, property::grid_of_some)),
            }
        }
        beside
    }

    pub fn has(&self, part: Part) -> bool {
        let (links, lists, side, all, some) = &self.0;
        match part {
            Part::Tree => links.0.is_some(),
            Part::Inside => links.1.is_some(),
            Part::List => lists.0.is_some(),
            Part::Burning => lists.1.is_some(),
            Part::Buckets => lists.2.is_some(),
            Part::Order => lists.3.is_some(),
            Part::Side => side.0.is_some(),
            Part::SparseSide => side.1.is_some(),
            Part::PlainSide => side.2.is_some(),
            Part::PlainSparseSide => side.3.is_some(),
            Part::Unique => all.0.is_some(),
            Part::Multi => all.1.is_some(),
            Part::Sorted => all.2.is_some(),
            Part::Grid => all.3.is_some(),
            Part::UniqueOfSome => some.0.is_some(),
            Part::MultiOfSome => some.1.is_some(),
            Part::SortedOfSome => some.2.is_some(),
            Part::GridOfSome => some.3.is_some(),
        }
    }

    /// Fails if a part is not consistent by itself.
    pub fn validate(&self) {
        let (links, lists, _, all, some) = &self.0;
        let _ = (links.0.as_ref().map(Tree::validate), lists.0.as_ref().map(KeyList::validate));
        let _ = lists.2.as_ref().map(Buckets::validate);
        let _ = [all.0.as_deref(), some.0.as_deref()].map(|index| index.map(Unique::validate));
        let _ = [all.1.as_deref(), some.1.as_deref()].map(|index| index.map(Multi::validate));
        let _ = [all.2.as_deref(), some.2.as_deref()].map(|index| index.map(Sorted::validate));
        let _ = [all.3.as_deref(), some.3.as_deref()].map(|index| index.map(Grid::validate));
    }
}

/// Holders that pass everything on.
macro_rules! passes_on {
    ([$($generics:tt)*] $Holder:ty => $Held:ty) => {
        impl<C: Things, $($generics)*> Observer<C> for $Holder
        where
            $Held: Observer<C>,
        {
            fn prepare(&mut self, objects: &C, key: Id, value: &Thing) -> Result<(), Refusal<Id>> {
                self.0.prepare(objects, key, value)
            }
            fn ignores(&self, change: Change) -> bool {
                Observer::<C>::ignores(&self.0, change)
            }
            fn commit(&mut self) {
                Observer::<C>::commit(&mut self.0);
            }
            fn prepare_remove(&mut self, objects: &mut Objects<'_, C>, key: Id) {
                self.0.prepare_remove(objects, key);
            }
            fn remove(&mut self, objects: &mut Objects<'_, C>, key: Id) {
                Observer::<C>::remove(&mut self.0, objects, key);
            }
            fn settle(&mut self, gone: Option<Id>) {
                Observer::<C>::settle(&mut self.0, gone);
            }
            fn rebuild(&mut self, objects: &mut Objects<'_, C>) -> Result<(), Refusal<Id>> {
                self.0.rebuild(objects)
            }
            fn carry(&self, objects: &C, key: Option<Id>, value: &mut Thing) {
                self.0.carry(objects, key, value);
            }
            fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
                Observer::<C>::try_reserve(&mut self.0, additional)
            }
        }
    };
}

passes_on!([] Beside => Every);
passes_on!([M] Unrecorded<M> => M);

/// Values are written in place only where there is no index.
impl<C: Things> Blind<C> for Beside where Self: Observer<C> {}

impl Edit for Beside {
    type Edited<'a> = <Every as Edit>::Edited<'a>;

    fn edited(&mut self) -> Self::Edited<'_> {
        self.0.edited()
    }
}

impl<M> Edit for Unrecorded<M> {
    type Edited<'a>
        = &'a mut M
    where
        M: 'a;

    fn edited(&mut self) -> &mut M {
        &mut self.0
    }
}

impl Reversible for Beside {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        self.0.members(each)
    }
}

impl<M> Reversible for Unrecorded<M> {
    fn members(&mut self, _: &mut Each<'_>) -> Result<(), TrackError> {
        Ok(())
    }
}
