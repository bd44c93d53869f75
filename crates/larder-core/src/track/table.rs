//! Containers with everything that refers to their objects, whose changes are recorded.
//!
//! **Invariant.** Every observer has taken notice of each object that is in the container, unless a panic has
//! interrupted a change: then the next one begins with [`Observer::settle`].

mod layouts;
#[cfg(any(feature = "serde", feature = "snapshot"))]
mod spent_keys;
mod writing;

use alloc::vec::Vec;
use core::ops::Index;
use core::{fmt, mem};

#[cfg(any(feature = "serde", feature = "snapshot"))]
pub use spent_keys::SpentKeys;
pub use writing::Lent;

use super::TrackError;
use super::observer::{Change, Edit, Objects, Observer};
use super::recorded::Recorded;
use super::subscribers::{Changes, Subscriber};
use super::trackable::{Insert, Track};
use crate::containers::container::Container;
use crate::error::{ReattachError, Refusal, Rejected, TryReserveError};
use crate::explain;
use crate::key::Key;
use crate::memory::OnDrop;
use crate::room;

/// A container without observers, whose changes are recorded: for subscribers and to be reverted.
///
/// # Examples
/// ```
/// use larder::{Arena, track::{Reversible, Tracked}};
///
/// let mut numbers = Tracked::new(Arena::new());
/// let [a, b] = [1, 2].map(|number| numbers.insert(number));
/// let before = numbers.checkpoint();
/// numbers.remove(a);
/// *numbers.get_mut(b).unwrap() += 10;
/// numbers.rollback(before)?;
/// assert_eq!((numbers[a], numbers[b], numbers.len()), (1, 2, 2));
/// # Ok::<(), larder::track::TrackError>(())
/// ```
#[doc(alias("change tracking", "dirty flags", "undo", "snapshot", "transaction"))]
pub type Tracked<C> = Table<C, ()>;

/// A container together with everything that refers to its objects: indices, hierarchies and lists, side data, caches
/// of a program's own. All of them take notice of every change.
///
/// `C` is a container of any layout, and `O` its [observers](Observer): one, a tuple, or a struct. The table derefs to
/// the container for reading; all changes go through the methods here, so that there is no way around the observers. A
/// change is made in the container and in all observers, or nowhere: an observer may refuse a value, as a `UniqueIndex`
/// does one whose property another object has.
///
/// Changes are recorded for [subscribers](Self::subscribe) and, where there are [checkpoints](super::Reversible), to be
/// reverted: a table goes back together with its observers, all of which have to be `Reversible`. Indices, trees and
/// lists are; side data is in a [`Tracked`], and an `IntrusiveList` or an observer of
/// one's own in a [`Versioned`](super::Versioned). Without subscribers and checkpoints a change costs what it does in
/// the container and in each observer. See the [module](crate::track) for the costs.
///
/// With the feature `serde`, a table is saved with its observers, but an index made by `by` is not saved, since it has
/// a function: save the container and the other observers, and pass them to [`with`](Self::with) when they are loaded.
/// Checkpoints and subscribers are not saved.
///
/// # Failed allocations and panics
/// Recording a change may allocate. If that fails, the change is made nevertheless, and the records are
/// [lost](TrackError::Lost) as a whole: every checkpoint, or what the subscribers would have been told. If user code
/// panics (a value's `Clone` while it is recorded, a function of an index), the change is not made; if the `Drop` of
/// what was replaced or removed panics, it is.
///
/// It is invariant in `C`, since it records values by the `Clone` that they had when a checkpoint was made.
///
/// # Examples
/// ```
/// # #[cfg(feature = "hashbrown")] {
/// use larder::{Arena, SecondaryMap, Tree, indices::UniqueIndex, track::Table};
///
/// struct Thing {
///     name: &'static str,
/// }
/// let by_name = UniqueIndex::by(|thing: &Thing| thing.name);
/// let mut things = Table::with(Arena::new(), (by_name, Tree::new(), SecondaryMap::new()));
/// let [chest, sword] = ["chest", "sword"].map(|name| things.insert(Thing { name }));
///
/// let (objects, (_, inside, weights)) = things.edit();
/// inside.append(objects, chest, sword).unwrap();
/// weights.insert(sword, 3);
/// assert!(things.try_insert(Thing { name: "sword" }).is_err()); // nothing has changed
///
/// things.remove(sword);
/// let (by_name, inside, weights) = things.observers();
/// assert_eq!(by_name.get("sword"), None);
/// assert!(inside.children(chest).next().is_none() && weights.is_empty());
/// # }
/// ```
/// A struct finds them by name, here with the feature `derive`:
/// ```
/// # #[cfg(all(feature = "derive", feature = "indices"))] {
/// use larder::indices::{IndexBy, SortedIndex};
/// use larder::track::{Observer, Reversible, Table};
/// use larder::{Arena, Handle, Tree};
///
/// #[derive(Clone)]
/// struct Thing {
///     weight: u32,
/// }
/// type Id = Handle<Thing>;
/// type ByWeight = IndexBy<SortedIndex<u32, Id>, fn(&Thing) -> u32>;
///
/// #[derive(Observer, Reversible)]
/// struct Beside {
///     by_weight: ByWeight,
///     inside: Tree<Id>,
/// }
///
/// let beside = Beside { by_weight: SortedIndex::by(|thing| thing.weight), inside: Tree::new() };
/// let mut things = Table::with(Arena::new(), beside);
/// let [chest, sword] = [20, 3].map(|weight| things.insert(Thing { weight }));
/// let (objects, edited) = things.edit();
/// edited.inside.append(objects, chest, sword).unwrap();
///
/// let then = things.checkpoint();
/// things.remove(chest);
/// things.rollback(then).unwrap();
/// let Beside { by_weight, inside } = things.observers();
/// assert_eq!((by_weight.last(), inside.parent(sword)), (Some((&20, chest)), Some(chest)));
/// # }
/// ```
#[doc(alias("database", "world", "scene", "registry", "secondary index", "observer"))]
#[doc(alias("AutoUnlink", "Indexed", "WithLinks"))]
pub struct Table<C: Track, O = ()> {
    pub(super) objects: Recorded<C>,
    observers: O,
    /// Keys of objects that are to be removed; empty between calls.
    doomed: Vec<C::Key>,
}

/// Making, without observers.
impl<C: Track> Table<C> {
    /// Takes a container, and begins to record its changes. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Table};
    ///
    /// let mut birds = Table::new(Arena::from_iter(["wren"]));
    /// birds.insert("kite");
    /// assert_eq!(birds.len(), 2);
    /// ```
    #[must_use]
    pub fn new(container: C) -> Self {
        Self { objects: Recorded::new(container), observers: (), doomed: Vec::new() }
    }

    /// Returns the container. Discards subscribers, checkpoints and the record of [undone](super::Reversible::undo)
    /// keys, which the container may issue again. O(checkpoints and what they hold).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let birds = Tracked::new(Arena::from_iter(["wren"])).into_inner();
    /// assert_eq!(birds.len(), 1);
    /// ```
    #[must_use]
    pub fn into_inner(self) -> C {
        self.objects.container
    }
}

/// Making and reading.
impl<C: Track, O: Observer<C>> Table<C, O> {
    /// Takes a container and its observers, which take notice of all objects there are: indices file them, and trees
    /// forget others. O(objects), and the cost in the observers.
    ///
    /// # Panics
    /// If an observer refuses one of the objects, or allocation fails.
    ///
    /// # Examples
    /// ```
    /// # {
    /// use larder::{Arena, track::Table, trees::KeyList};
    ///
    /// let mut birds = Arena::from_iter(["wren", "kite"]);
    /// let mut seen = KeyList::new();
    /// birds.keys().for_each(|bird| seen.push_back(&birds, bird).unwrap());
    /// birds.remove(seen.first().unwrap());
    /// let birds = Table::with(birds, seen);
    /// assert_eq!(birds.observers().len(), 1);
    /// # }
    /// ```
    #[must_use]
    #[track_caller]
    pub fn with(container: C, observers: O) -> Self {
        match Self::try_with(container, observers) {
            Ok(table) => table,
            Err(refused) => explain::not_filed::<Self>(&refused.reason),
        }
    }

    /// Like [`with`](Self::with), but returns the container and the observers in an error.
    ///
    /// # Errors
    /// If an observer refuses one of the objects, or allocation fails. The observers know of some of the objects then.
    ///
    /// # Examples
    /// ```
    /// # #[cfg(all(feature = "indices", feature = "hashbrown"))] {
    /// use larder::{Arena, indices::UniqueIndex, track::Table};
    ///
    /// let birds = Arena::from_iter(["wren", "kite"]);
    /// let by_length = UniqueIndex::by(|name: &&str| name.len());
    /// let refused = Table::try_with(birds, by_length).unwrap_err();
    /// assert_eq!(refused.value.0.len(), 2); // the container
    /// # }
    /// ```
    pub fn try_with(container: C, observers: O) -> Result<Self, Rejected<(C, O), C::Key>> {
        let mut table = Self { objects: Recorded::new(container), observers, doomed: Vec::new() };
        match table.observers.rebuild(&mut Objects(&mut table.objects)) {
            Ok(()) => Ok(table),
            Err(reason) => Err(Rejected { value: table.into_parts(), reason }),
        }
    }
}

/// Reading, and editing observers.
impl<C: Track, O> Table<C, O> {
    /// Returns the observers, for reading: looking up, walking. O(1).
    ///
    /// # Examples
    /// ```
    /// # {
    /// use larder::{Arena, Tree, track::Table};
    ///
    /// let things = Table::with(Arena::from_iter(["chest"]), Tree::new());
    /// assert!(things.observers().roots().next().is_none());
    /// # }
    /// ```
    #[inline]
    #[must_use]
    pub const fn observers(&self) -> &O {
        &self.observers
    }

    /// Returns the container, for reading, and the observers, to be edited: `&mut` to trees, lists and side data, `&`
    /// to indices and to what is in a `Box`, a tuple or a struct of these, and a [`Holder`](super::Holder) for an
    /// `Option` or a `Vec`. One in a [`Versioned`](super::Versioned) counts as changed then. O(1).
    ///
    /// A structure that goes back to a checkpoint by itself, or is replaced through this, may name objects that are
    /// gone: `retain_live` of a tree or a list forgets them.
    ///
    /// # Examples
    /// ```
    /// # {
    /// use larder::{Arena, Tree, track::Table};
    ///
    /// let mut things = Table::with(Arena::new(), Tree::new());
    /// let [chest, sword] = ["chest", "sword"].map(|thing| things.insert(thing));
    /// let (objects, inside) = things.edit();
    /// inside.append(objects, chest, sword).unwrap();
    /// assert!(things.observers().children(chest).eq([sword]));
    /// # }
    /// ```
    #[inline]
    #[must_use]
    pub fn edit(&mut self) -> (&C, O::Edited<'_>)
    where
        O: Edit,
    {
        (&self.objects.container, self.observers.edited())
    }

    pub(super) const fn lend_observers(&mut self) -> &mut O {
        &mut self.observers
    }

    /// Like [`edit`](Self::edit), but the objects are a [`LinkStoreMut`](crate::containers::LinkStoreMut): for links in
    /// them. O(1).
    ///
    /// # Examples
    /// ```
    /// # {
    /// use larder::{Arena, Handle, track::Table, trees::{IntrusiveList, Link, link_field}};
    ///
    /// #[derive(Default)]
    /// struct Thing {
    ///     burning: Link<Handle<Thing>>,
    /// }
    /// link_field!(Thing.burning: Link<Handle<Thing>>);
    ///
    /// let mut things = Table::with(Arena::new(), IntrusiveList::numbered(0));
    /// let [torch, lamp] = [(); 2].map(|()| things.insert(Thing::default()));
    /// let (mut objects, burning) = things.linking();
    /// burning.push_back(&mut objects, torch).unwrap();
    /// burning.push_back(&mut objects, lamp).unwrap();
    /// things.remove(torch);
    /// assert!(things.observers().iter(&things).eq([lamp]));
    /// # }
    /// ```
    #[inline]
    #[must_use]
    pub fn linking(&mut self) -> (Objects<'_, C>, O::Edited<'_>)
    where
        O: Edit,
    {
        (Objects(&mut self.objects), self.observers.edited())
    }

    /// Returns the container and the observers, which are independent from then on. Discards subscribers and
    /// checkpoints of the container; observers keep theirs, and a table that is made with them cannot undo before
    /// [`forget_all`](super::Reversible::forget_all). O(checkpoints and what they hold).
    ///
    /// # Examples
    /// ```
    /// # {
    /// use larder::{Arena, track::Table, trees::KeyList};
    ///
    /// let (birds, seen) = Table::with(Arena::from_iter(["wren"]), KeyList::new()).into_parts();
    /// assert!(birds.len() == 1 && seen.is_empty());
    /// # }
    /// ```
    #[must_use]
    pub fn into_parts(self) -> (C, O) {
        (self.objects.container, self.observers)
    }
}

/// Removing. If user code panics, each object is removed everywhere or nowhere.
impl<C: Track, O: Observer<C>> Table<C, O> {
    /// Removes an object and returns it; `None` if the key is stale, foreign or dangling. Its children in trees become
    /// roots, and its side data leaves with it. O(1), and the cost in the observers.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::new());
    /// let wren = birds.insert("wren");
    /// assert_eq!((birds.remove(wren), birds.remove(wren)), (Some("wren"), None));
    /// ```
    #[doc(alias("despawn", "destroy"))]
    #[inline]
    pub fn remove(&mut self, key: C::Key) -> Option<C::Value> {
        let Self { objects, observers, .. } = self;
        if objects.is_idle()
            && objects.history.spent.is_empty()
            && observers.ignores(Change::Removal)
        {
            return objects.container.remove_value(key);
        }
        self.remove_noticed(key)
    }

    /// [`remove`](Self::remove), where somebody takes notice.
    #[inline]
    fn remove_noticed(&mut self, key: C::Key) -> Option<C::Value> {
        let Self { objects, observers, .. } = self;
        objects.container.source(key)?;
        observers.settle(None);
        observers.prepare_remove(&mut Objects(objects), key);
        let spare = objects.container.spare();
        objects.prepare_take(key);
        observers.remove(&mut Objects(objects), key);
        let removed = objects.take(key, spare);
        observers.settle(Some(key));
        removed
    }

    /// Removes the objects that `keep` refuses, in slot order; those of a `SparseSecondaryMap` in the order of
    /// a walk, but that the last one comes next where one is removed. O(slots), or O(entries).
    ///
    /// If `keep`, or the `Drop` of a value panics, what came before is done, and the rest stays.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut scores = Tracked::new(Arena::from_iter([1, 2, 3]));
    /// scores.retain(|scores, key| scores[key] != 2);
    /// assert!(scores.values().eq(&[1, 3]));
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(&C, C::Key) -> bool) {
        let mut place = 0;
        while let Some(key) = self.next_refused(&mut place, &mut keep) {
            self.remove(key);
        }
    }

    /// Returns the next key from a place on that `keep` refuses.
    /// (An object that is removed leaves its place empty, or to the last one.)
    fn next_refused(
        &self,
        place: &mut usize,
        mut keep: impl FnMut(&C, C::Key) -> bool,
    ) -> Option<C::Key> {
        let container = &self.objects.container;
        while *place < container.places() {
            match container.key_in(*place).filter(|&key| !keep(container, key)) {
                Some(key) => return Some(key),
                None => *place += 1,
            }
        }
        None
    }

    /// Removes the objects for which `remove` returns `true`, as the iterator comes to them, and yields them with their
    /// keys. The others stay, also those that are not reached. O(slots) for all.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut scores = Tracked::new(Arena::from_iter([1, 2, 3]));
    /// assert!(scores.extract_if(|scores, key| scores[key] != 2).map(|(_, score)| score).eq([1, 3]));
    /// assert!(scores.values().eq(&[2]));
    /// ```
    pub fn extract_if(
        &mut self,
        mut remove: impl FnMut(&C, C::Key) -> bool,
    ) -> impl Iterator<Item = (C::Key, C::Value)> {
        let mut place = 0;
        core::iter::from_fn(move || {
            let key = self.next_refused(&mut place, |objects, key| !remove(objects, key))?;
            self.remove(key).map(|value| (key, value))
        })
    }

    /// Removes every object and discards all detached keys. O(slots), and the cost in the observers.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut scores = Tracked::new(Arena::from_iter([1, 2, 3]));
    /// scores.clear();
    /// assert!(scores.is_empty());
    /// ```
    pub fn clear(&mut self) {
        self.retain(|_, _| false);
        let mut slot = 0;
        while let Some(key) = self.objects.container.detached_in(slot..usize::MAX) {
            self.discard_detached(key);
            slot = key.slot() as usize + 1;
        }
    }

    /// Frees a detached key's slot; the key becomes stale. Returns whether it was detached. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::new());
    /// let wren = birds.insert("wren");
    /// birds.detach(wren);
    /// assert!(birds.discard_detached(wren));
    /// assert!(birds.reattach(wren, "wren").is_err());
    /// ```
    #[doc(alias = "release")]
    pub fn discard_detached(&mut self, key: C::Key) -> bool {
        let slot = key.slot() as usize;
        let is_detached = self.objects.container.detached_in(slot..slot + 1) == Some(key);
        if is_detached {
            self.objects.touch(slot);
            self.objects.container.discard_detached(key);
            self.objects.pass_over_spent(key);
        }
        is_detached
    }

    /// Removes and returns all objects with their keys, in the order of [`retain`](Self::retain). Those that are not
    /// pulled are removed when the iterator is dropped; if user code panics in a removal, those behind it stay. O(slots),
    /// and the cost in the observers.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut scores = Tracked::new(Arena::from_iter([1, 2, 3]));
    /// assert_eq!(scores.drain().next().unwrap().1, 1);
    /// assert!(scores.is_empty());
    /// ```
    pub fn drain(&mut self) -> impl Iterator<Item = (C::Key, C::Value)> {
        let mut place = 0;
        // (A removal that is not over has panicked: while that unwinds, a panic of another would abort the program.)
        let mut rest = OnDrop::new((self, false), |(table, is_removing)| {
            if !*is_removing {
                table.retain(|_, _| false);
            }
        });
        core::iter::from_fn(move || {
            let (table, is_removing) = &mut rest.held;
            *is_removing = true;
            let key = table.next_refused(&mut place, |_, _| false);
            let removed = key.and_then(|key| Some((key, table.remove(key)?)));
            *is_removing = false;
            removed
        })
    }

    /// Removes the objects whose keys `find` puts into a vector, passes each to `each`, and returns how many there
    /// were. A key may occur more than once. O(found).
    ///
    /// The vector is kept from call to call, so that nothing is allocated once it is large enough. If `find` panics,
    /// nothing has changed; if `each` panics, the objects that it was passed are removed.
    ///
    /// # Examples
    /// ```
    /// # #[cfg(all(feature = "indices", feature = "hashbrown"))] {
    /// use larder::{Arena, indices::MultiIndex, track::Table};
    ///
    /// let by_length = MultiIndex::by(|word: &&str| word.len());
    /// let mut words = Table::with(Arena::from_iter(["a", "to", "be"]), by_length);
    /// let removed = words.remove_where_any(|by_length, found| found.extend(by_length.get(&2)), |_, _| ());
    /// assert_eq!((removed, words.len()), (2, 1));
    /// # }
    /// ```
    #[doc(alias("cascade", "delete where"))]
    pub fn remove_where_any(
        &mut self,
        find: impl FnOnce(&O, &mut Vec<C::Key>),
        mut each: impl FnMut(C::Key, C::Value),
    ) -> usize {
        let mut found = mem::take(&mut self.doomed);
        find(&self.observers, &mut found);
        let mut count = 0;
        for &key in &found {
            if let Some(removed) = self.remove(key) {
                count += 1;
                each(key, removed);
            }
        }
        found.clear();
        self.doomed = found;
        count
    }
}

/// Adding objects.
impl<C: Insert, O: Observer<C>> Table<C, O> {
    /// Adds an object and returns its key, as the container's own `insert`. O(1) amortised, and the cost in the
    /// observers.
    ///
    /// # Panics
    /// If there is no room, or an observer refuses the object: see [`try_insert`](Self::try_insert).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::new());
    /// let wren = birds.insert("wren");
    /// assert_eq!(birds[wren], "wren");
    /// ```
    #[doc(alias("spawn"))]
    #[inline]
    #[track_caller]
    pub fn insert(&mut self, value: C::Value) -> C::Key {
        match self.try_insert(value) {
            Ok(key) => key,
            Err(Rejected { reason: Refusal::Memory(reason), .. }) => room::refused::<Self>(&reason),
            Err(refused) => explain::not_filed::<Self>(&refused.reason),
        }
    }

    /// Like [`insert`](Self::insert), but returns an error instead of panicking. O(1) amortised, and the cost in the
    /// observers.
    ///
    /// # Errors
    /// If there is no room, or an observer refuses the object; nothing has changed, and the object is given back.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::fixed(1));
    /// birds.insert("wren");
    /// assert_eq!(birds.try_insert("kite").unwrap_err().value, "kite");
    /// ```
    pub fn try_insert(
        &mut self,
        mut value: C::Value,
    ) -> Result<C::Key, Rejected<C::Value, C::Key>> {
        let Self { objects, observers, .. } = self;
        if observers.ignores(Change::Insertion) && objects.is_idle() {
            return objects.container.put(value).map_err(Rejected::from);
        }
        observers.settle(None);
        let key = match objects.container.next_key() {
            Ok(key) => key,
            Err(reason) => return Err(Rejected { value, reason: reason.into() }),
        };
        observers.carry(&objects.container, None, &mut value);
        let prepared = observers.prepare(&objects.container, key, &value);
        if let Err(reason) = prepared.and_then(|()| Ok(objects.prepare_insert(key)?)) {
            observers.settle(None);
            return Err(Rejected { value, reason });
        }
        // (Noticed also if the container panics when it has the object: a pool drops what was in the slot.)
        let entering = OnDrop::new(&mut objects.container, |container| {
            if container.source(key).is_some() {
                observers.commit();
            }
        });
        let inserted = entering.held.put(value);
        mem::forget(entering);
        match inserted {
            Ok(inserted) => {
                debug_assert!(inserted == key, "the container has announced this key");
                self.observers.commit();
                self.observers.settle(None);
                Ok(inserted)
            }
            Err(refused) => {
                self.observers.settle(None);
                Err(refused.into())
            }
        }
    }

    /// Adds the object that `make` returns, which is passed its key. O(1) amortised, and the cost in the observers.
    ///
    /// # Panics
    /// Panics as [`insert`](Self::insert) does, and if `make` panics. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Handle, track::Tracked};
    ///
    /// struct Node {
    ///     me: Handle<Node>,
    /// }
    /// let mut nodes = Tracked::new(Arena::new());
    /// let node = nodes.insert_with_key(|me| Node { me });
    /// assert_eq!(nodes[node].me, node);
    /// ```
    #[track_caller]
    pub fn insert_with_key(&mut self, make: impl FnOnce(C::Key) -> C::Value) -> C::Key {
        let key = room::granted::<Self, _>(self.objects.container.next_key());
        self.insert(make(key))
    }

    /// Makes room for `additional` more objects, in the container and in the observers. O(objects).
    ///
    /// # Errors
    /// If there is no room. Then nothing visible has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::new());
    /// birds.try_reserve(100)?;
    /// assert!(birds.capacity() >= 100);
    /// birds.insert("wren");
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    #[doc(alias = "reserve")]
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.objects.container.reserve_more(additional)?;
        self.observers.try_reserve(additional)
    }

    /// Moves an object out and keeps its slot, so that [`reattach`](Self::reattach) can put one back under the
    /// same key, or [`discard_detached`](Self::discard_detached) give it up; `None` if the key is stale, foreign or
    /// dangling. The observers take it for removed. O(1), and the cost in the observers.
    ///
    /// # Panics
    /// If allocation fails; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{Reversible, Tracked}};
    ///
    /// let mut birds = Tracked::new(Arena::new());
    /// let wren = birds.insert("wren");
    /// let before = birds.checkpoint();
    /// assert_eq!(birds.detach(wren), Some("wren"));
    /// birds.reattach(wren, "wren, ringed").unwrap();
    /// birds.rollback(before)?;
    /// assert_eq!(birds[wren], "wren");
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    #[track_caller]
    pub fn detach(&mut self, key: C::Key) -> Option<C::Value> {
        let Self { objects, observers, .. } = self;
        objects.container.source(key)?;
        room::granted::<Self, _>(objects.container.prepare_detach());
        observers.settle(None);
        observers.prepare_remove(&mut Objects(objects), key);
        let spare = objects.container.spare();
        objects.prepare_take(key);
        observers.remove(&mut Objects(objects), key);
        let detached = objects.container.try_detach(key, spare);
        observers.settle(Some(key));
        room::granted::<Self, _>(detached)
    }

    /// Puts an object back under its detached key. O(1), and the cost in the observers.
    ///
    /// # Errors
    /// If the key is not detached, or an observer refuses the object: it is given back.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::new());
    /// let wren = birds.insert("wren");
    /// assert_eq!(birds.reattach(wren, "kite").unwrap_err().value, "kite");
    /// let bird = birds.detach(wren).unwrap();
    /// assert_eq!((birds.len(), birds.reattach(wren, bird).is_ok()), (0, true));
    /// ```
    pub fn reattach(
        &mut self,
        key: C::Key,
        mut value: C::Value,
    ) -> Result<(), Rejected<C::Value, C::Key>> {
        let Self { objects, observers, .. } = self;
        observers.settle(None);
        let Some(slot) = objects.container.find_detached(key) else {
            return Err(Rejected { value, reason: Refusal::Missing { key } });
        };
        observers.carry(&objects.container, None, &mut value);
        if let Err(reason) = observers.prepare(&objects.container, key, &value) {
            observers.settle(None);
            return Err(Rejected { value, reason });
        }
        objects.touch_moved(slot, None);
        let entering = OnDrop::new(&mut objects.container, |container| {
            if container.source(key).is_some() {
                observers.commit();
            }
        });
        let attached = entering.held.reattach(key, value);
        mem::forget(entering);
        match attached {
            Ok(()) => {
                self.observers.commit();
                self.observers.settle(None);
                Ok(())
            }
            Err(ReattachError { value }) => {
                self.observers.settle(None);
                Err(Rejected { value, reason: Refusal::Missing { key } })
            }
        }
    }
}

/// Telling subscribers of changes.
impl<C: Track, O> Table<C, O> {
    /// Adds a subscriber, which is told of changes from here on. (Where allocation fails, its first
    /// [`poll`](Self::poll) says so.) O(slots / 64).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::from_iter(["wren"]));
    /// let mut screen = birds.subscribe();
    /// assert!(birds.poll(&mut screen)?.is_empty());
    /// let kite = birds.insert("kite");
    /// assert_eq!(birds.poll(&mut screen)?.inserted(), [kite]);
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    #[must_use]
    pub fn subscribe(&mut self) -> Subscriber<C::Key> {
        Subscriber::new(
            self.objects.number,
            self.objects.subscribers.add(self.objects.container.slot_bound()).ok(),
        )
    }

    /// Ends a subscription, so that nothing is recorded for it any more. O(1).
    ///
    /// # Errors
    /// If the subscriber is of another container.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::<&str>::new());
    /// let screen = birds.subscribe();
    /// birds.unsubscribe(screen)?;
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    pub fn unsubscribe(&mut self, subscriber: Subscriber<C::Key>) -> Result<(), TrackError> {
        self.objects.check_owner(subscriber.owner)?;
        subscriber.number.into_iter().for_each(|number| self.objects.subscribers.end(number));
        Ok(())
    }

    /// Returns what changed since the subscriber polled last, or since it subscribed. Changes that it was told before
    /// are overwritten. O(changes · log(insertions and removals) + slots / 4,096), and as much for each other
    /// subscriber that has not polled since the last of them did.
    ///
    /// # Errors
    /// If the subscriber is of another container; if allocation failed when a change had to be noted, so that the
    /// whole container has to be read; or if allocation fails now: then the next poll tells it all.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{TrackError, Tracked}};
    ///
    /// let mut birds = Tracked::new(Arena::new());
    /// let [wren, kite] = ["wren", "kite"].map(|bird| birds.insert(bird));
    /// let mut screen = birds.subscribe();
    /// *birds.get_mut(kite).unwrap() = "red kite";
    /// birds.remove(wren);
    /// let robin = birds.insert("robin"); // in the wren's slot
    ///
    /// let changes = birds.poll(&mut screen)?;
    /// assert_eq!(changes.removed(), [wren]);
    /// assert_eq!(changes.inserted(), [robin]);
    /// assert_eq!(changes.changed(), [kite]);
    ///
    /// let mut others = Tracked::new(Arena::<&str>::new());
    /// assert_eq!(others.poll(&mut screen).unwrap_err(), TrackError::Foreign);
    /// # Ok::<(), TrackError>(())
    /// ```
    pub fn poll<'s>(
        &mut self,
        subscriber: &'s mut Subscriber<C::Key>,
    ) -> Result<Changes<'s, C::Key>, TrackError> {
        self.objects.check_owner(subscriber.owner)?;
        if subscriber.number.is_none() {
            subscriber.number =
                Some(self.objects.subscribers.add(self.objects.container.slot_bound())?);
            return Err(TrackError::Lost);
        }
        subscriber.read(&self.objects.container, &mut self.objects.subscribers)?;
        Ok(subscriber.changes())
    }
}

impl<C: Track, O> core::ops::Deref for Table<C, O> {
    type Target = C;

    #[inline]
    fn deref(&self) -> &C {
        &self.objects.container
    }
}

/// Yields what the container's `iter` does.
///
/// # Examples
/// ```
/// use larder::{Arena, track::Tracked};
///
/// let birds = Tracked::new(Arena::from_iter(["wren", "owl"]));
/// for (key, bird) in &birds {
///     assert_eq!(birds[key], *bird);
/// }
/// ```
impl<'a, C: Track, O> IntoIterator for &'a Table<C, O>
where
    &'a C: IntoIterator,
{
    type Item = <&'a C as IntoIterator>::Item;
    type IntoIter = <&'a C as IntoIterator>::IntoIter;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.objects.container.into_iter()
    }
}

/// Panics if the key has no value, as the container's own.
impl<C: Track + Index<<C as Container>::Key>, O> Index<C::Key> for Table<C, O> {
    type Output = C::Output;

    #[inline]
    #[track_caller]
    fn index(&self, key: C::Key) -> &C::Output {
        &self.objects.container[key]
    }
}

/// So that whatever takes any container takes a table, too.
impl<C: Track, O: Observer<C>> Container for Table<C, O> {
    type Key = C::Key;
    type Removed = C::Value;

    #[inline]
    fn contains_key(&self, key: C::Key) -> bool {
        self.objects.container.source(key).is_some()
    }

    fn remove(&mut self, key: C::Key) -> Option<C::Value> {
        self.remove(key)
    }
}

impl<C: Track + fmt::Debug, O> fmt::Debug for Table<C, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.objects.container.fmt(f)
    }
}

/// A clone has neither subscribers nor checkpoints. Keys that were undone stay stale in it.
impl<C: Track + Clone, O: Clone> Clone for Table<C, O> {
    fn clone(&self) -> Self {
        let mut objects = Recorded::new(self.objects.container.clone());
        objects.history.spent = self.objects.history.spent.clone();
        Self { objects, observers: self.observers.clone(), doomed: Vec::new() }
    }
}

impl<C: Track + Default, O: Observer<C> + Default> Default for Table<C, O> {
    fn default() -> Self {
        Self::with(C::default(), O::default())
    }
}
