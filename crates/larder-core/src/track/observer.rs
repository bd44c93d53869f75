//! The protocol by which everything that refers to the objects of a table learns of their changes.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use super::recorded::Recorded;
use super::trackable::Track;
use super::versioned::Versioned;
use crate::error::{Refusal, TryReserveError};
use crate::macros::each_prefix;
use crate::memory::OnDrop;

/// The objects of a [`Table`](super::Table) as its observers see them: to be read, and to have links in them changed.
/// They are neither inserted nor removed through it.
///
/// It derefs to the container. It is a [`LinkStoreMut`](crate::containers::LinkStoreMut) where the container is, and
/// records the changes of links.
///
/// # Examples
/// ```
/// # {
/// use larder::{Arena, Handle, track::Table, trees::{InObjects, Links, link_field}};
///
/// #[derive(Clone, Default)]
/// struct Thing {
///     family: Links<Handle<Thing>>,
/// }
/// link_field!(Thing.family: Links<Handle<Thing>>);
///
/// let mut things = Table::with(Arena::new(), InObjects);
/// let [a, b] = [(); 2].map(|()| things.insert(Thing::default()));
/// let (mut objects, _) = things.linking(); // `Objects`
/// Links::append(&mut objects, a, b).unwrap();
/// assert_eq!(objects.len(), 2);
/// # }
/// ```
pub struct Objects<'a, C: Track>(pub(super) &'a mut Recorded<C>);

impl<C: Track> Deref for Objects<'_, C> {
    type Target = C;

    #[inline]
    fn deref(&self) -> &C {
        &self.0.container
    }
}

impl<C: Track> core::fmt::Debug for Objects<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Objects").finish_non_exhaustive()
    }
}

/// A kind of change that observers are asked whether they [ignore](Observer::ignores) it.
///
/// # Examples
/// ```
/// use larder::{Arena, Handle, Tree, track::{Change, Observer}};
///
/// let tree: &dyn Observer<Arena<u8>> = &Tree::<Handle<u8>>::new();
/// assert!(tree.ignores(Change::Insertion) && !tree.ignores(Change::Removal));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Change {
    /// An object is inserted.
    Insertion,
    /// An object is removed.
    Removal,
}

/// A structure that refers to the objects of a [`Table`](super::Table) and learns of their changes: an index, a
/// hierarchy or a list, side data, or a cache of one's own.
///
/// A change has phases, so that it is made everywhere or nowhere. For a new value, every observer is first asked to
/// `prepare`: there user code runs and memory is allocated, and there it may refuse. Then the container takes the
/// value, and `commit` follows, which cannot fail. For a removal, `prepare_remove` comes first, then `remove`, which
/// cannot fail, while the object is still in the container. Last comes `settle`, which drops what is left over.
///
/// Implemented by `IndexBy`, `Tree`, `KeyList`,
/// `Buckets`, `InsertionOrder`, by
/// `InObjects` and `IntrusiveList` for links in the objects,
/// by [`SecondaryMap`](crate::SecondaryMap) and `SparseSecondaryMap`, also in a [`Tracked`](super::Tracked), and by
/// tuples, arrays, slices, `Option`, `Vec`, `Box`, `&mut` and [`Versioned`] of observers. A struct of observers derives
/// it, with the feature `derive`. The trait is dyn-compatible.
///
/// An observer of one's own needs other traits for some of the methods of a table:
/// - [`Reversible`](super::Reversible), for a table that goes back to checkpoints: an observer is not told that the
///   table goes back, but has to do so, too. A [`Versioned`] does it for any that is `Clone`.
/// - [`Edit`], for [`edit`](super::Table::edit) and [`linking`](super::Table::linking) of the table.
/// - [`Blind`], for [`get_mut`](super::Table::get_mut) and the others that lend values, if it does not look at values.
///
/// # Examples
/// A cache of one's own, of a sum that may not exceed a limit:
/// ```
/// use larder::track::{Objects, Observer, Refusal, Table};
/// use larder::{Arena, Handle};
///
/// #[derive(Default)]
/// struct Total {
///     sum: u32,
///     next: Option<u32>,
/// }
///
/// impl Observer<Arena<u32>> for Total {
///     fn prepare(
///         &mut self,
///         numbers: &Arena<u32>,
///         key: Handle<u32>,
///         number: &u32,
///     ) -> Result<(), Refusal<Handle<u32>>> {
///         let sum = self.sum - numbers.get(key).unwrap_or(&0) + number;
///         self.next = (sum <= 100).then_some(sum);
///         self.next.map_or(Err(Refusal::Other("the sum would be above 100")), |_| Ok(()))
///     }
///     fn commit(&mut self) {
///         self.sum = self.next.take().unwrap_or(self.sum);
///     }
///     fn remove(&mut self, numbers: &mut Objects<'_, Arena<u32>>, key: Handle<u32>) {
///         self.sum -= numbers[key];
///     }
///     fn rebuild(
///         &mut self,
///         numbers: &mut Objects<'_, Arena<u32>>,
///     ) -> Result<(), Refusal<Handle<u32>>> {
///         self.sum = numbers.values().sum();
///         Ok(())
///     }
/// }
///
/// let mut numbers = Table::with(Arena::from_iter([1, 2, 3]), Total::default());
/// let seventy = numbers.insert(70);
/// assert!(numbers.try_insert(25).is_err()); // nothing has changed
/// numbers.replace(seventy, 60).unwrap();
/// assert_eq!(numbers.observers().sum, 66);
/// numbers.remove(seventy);
/// assert_eq!(numbers.observers().sum, 6);
/// ```
#[doc(alias("Unlink", "RowIndex"))]
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not observe the objects of `{C}`",
    label = "cannot be beside these objects in a table",
    note = "an index is one by `by`, which takes a function that returns a property of a value: `SortedIndex::by(|row: &Row| row.weight)`",
    note = "a struct of observers is one by `#[derive(Observer)]`"
)]
pub trait Observer<C: Track> {
    /// Prepares for a value that is about to be inserted under a key, or to replace the key's value. User code runs
    /// here, and memory is allocated here.
    ///
    /// # Errors
    /// If the value is refused. An error or a panic must leave everything visible unchanged.
    fn prepare(
        &mut self,
        objects: &C,
        key: C::Key,
        value: &C::Value,
    ) -> Result<(), Refusal<C::Key>> {
        let _ = (objects, key, value);
        Ok(())
    }

    /// Returns whether changes of a kind do not concern it, as insertions do not a tree, into which objects are linked
    /// later. Then `carry`, `prepare` and `commit` may be left out for insertions; for removals `prepare_remove` and
    /// `remove`.
    fn ignores(&self, change: Change) -> bool {
        let _ = change;
        false
    }

    /// Takes notice of the prepared value, which is in the container now. Must not fail or panic: keep for
    /// [`settle`](Self::settle) what has to be dropped.
    fn commit(&mut self) {}

    /// Prepares for an object that is about to be removed. User code runs here; a panic must leave everything visible
    /// unchanged.
    fn prepare_remove(&mut self, objects: &mut Objects<'_, C>, key: C::Key) {
        let _ = (objects, key);
    }

    /// Takes notice of the removal of an object, which is still in the container. Must not fail or panic, as
    /// [`commit`](Self::commit).
    fn remove(&mut self, objects: &mut Objects<'_, C>, key: C::Key);

    /// Cancels what was prepared and not committed, and drops what is left over: at the end of a removal also what
    /// belongs to the key `gone`, whose object is not in the container any more. User code runs here; if it panics, the
    /// other observers are called nevertheless.
    ///
    /// Called first and last in a change, so that the next one completes what a panic has interrupted.
    fn settle(&mut self, gone: Option<C::Key>) {
        let _ = gone;
    }

    /// Takes notice of all objects at once, whatever it knew of before: called when a table is made or loaded, and when
    /// the observer is put into a [`Holder`](super::Holder).
    ///
    /// # Errors
    /// If one of the objects is refused.
    fn rebuild(&mut self, objects: &mut Objects<'_, C>) -> Result<(), Refusal<C::Key>>;

    /// Puts into a value what the observer keeps in values: links. The value is about to replace that of a key, or to
    /// be inserted or reattached if `key` is `None`.
    fn carry(&self, objects: &C, key: Option<C::Key>, value: &mut C::Value) {
        let _ = (objects, key, value);
    }

    /// Makes room for this many more objects, if the observer can.
    ///
    /// # Errors
    /// If allocation fails. Then nothing visible has changed.
    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        let _ = additional;
        Ok(())
    }
}

/// An observer that does not look at values, so that a table with it [lends](super::Table::get_mut) them for writing.
///
/// # Examples
/// ```
/// # {
/// use larder::{Arena, Tree, track::Table};
///
/// let mut things = Table::with(Arena::new(), Tree::new()); // a tree is blind
/// let chest = things.insert("chest");
/// *things.get_mut(chest).unwrap() = "large chest";
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` looks at the values of `{C}`, which can therefore not be lent for writing",
    label = "would not notice what is written",
    note = "`modify` and `replace` of a table change a value, and all of its observers take notice"
)]
pub trait Blind<C: Track>: Observer<C> {}

/// Observers that are edited themselves: a hierarchy is linked, side data inserted. See
/// [`Table::edit`](super::Table::edit).
///
/// # Examples
/// ```
/// # {
/// use larder::{Arena, Tree, track::Table, trees::KeyList};
///
/// let mut things = Table::with(Arena::new(), (Tree::new(), KeyList::new()));
/// let [chest, lamp] = ["chest", "lamp"].map(|thing| things.insert(thing));
/// let (objects, (inside, burning)) = things.edit(); // `&mut Tree` and `&mut KeyList`
/// inside.append(objects, chest, lamp).unwrap();
/// burning.push_back(objects, lamp).unwrap();
/// # }
/// ```
pub trait Edit {
    /// The borrow through which it is edited: `&mut Self`, or `&Self` for an index.
    type Edited<'a>
    where
        Self: 'a;

    /// Borrows it to be edited. O(1).
    fn edited(&mut self) -> Self::Edited<'_>;
}

/// Nothing observes.
impl<C: Track> Observer<C> for () {
    #[inline]
    fn ignores(&self, _: Change) -> bool {
        true
    }

    #[inline]
    fn remove(&mut self, _: &mut Objects<'_, C>, _: C::Key) {}

    fn rebuild(&mut self, _: &mut Objects<'_, C>) -> Result<(), Refusal<C::Key>> {
        Ok(())
    }
}

impl<C: Track> Blind<C> for () {}

impl Edit for () {
    type Edited<'a> = ();

    #[inline]
    fn edited(&mut self) {}
}

/// Any number of observers of one type.
impl<C: Track, O: Observer<C>> Observer<C> for [O] {
    fn prepare(
        &mut self,
        objects: &C,
        key: C::Key,
        value: &C::Value,
    ) -> Result<(), Refusal<C::Key>> {
        self.iter_mut().try_for_each(|observer| observer.prepare(objects, key, value))
    }

    fn ignores(&self, change: Change) -> bool {
        self.iter().all(|observer| observer.ignores(change))
    }

    fn commit(&mut self) {
        self.iter_mut().for_each(O::commit);
    }

    fn prepare_remove(&mut self, objects: &mut Objects<'_, C>, key: C::Key) {
        self.iter_mut().for_each(|observer| observer.prepare_remove(objects, key));
    }

    fn remove(&mut self, objects: &mut Objects<'_, C>, key: C::Key) {
        self.iter_mut().for_each(|observer| observer.remove(objects, key));
    }

    fn settle(&mut self, gone: Option<C::Key>) {
        // (All are called, even if one of them panics.)
        let mut left = OnDrop::new(self.iter_mut(), |left| {
            left.for_each(|observer| observer.settle(gone));
        });
        for observer in left.held.by_ref() {
            observer.settle(gone);
        }
    }

    fn rebuild(&mut self, objects: &mut Objects<'_, C>) -> Result<(), Refusal<C::Key>> {
        self.iter_mut().try_for_each(|observer| observer.rebuild(objects))
    }

    fn carry(&self, objects: &C, key: Option<C::Key>, value: &mut C::Value) {
        self.iter().for_each(|observer| observer.carry(objects, key, value));
    }

    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.iter_mut().try_for_each(|observer| observer.try_reserve(additional))
    }
}

impl<C: Track, O: Blind<C>> Blind<C> for [O] {}

/// Holders of observers, which pass everything on to them.
/// (Where nothing has changed yet, what was undone can be redone.)
macro_rules! passes_on {
    ($([$($generics:tt)*] $Holder:ty => $Held:ty, |$held:ident| $shared:expr, $idle:expr, $exclusive:expr;)+) => {$(
        impl<C: Track, $($generics)*> Observer<C> for $Holder
        where
            $Held: Observer<C>,
        {
            #[inline]
            fn prepare(&mut self, objects: &C, key: C::Key, value: &C::Value) -> Result<(), Refusal<C::Key>> {
                let $held = self;
                $idle.prepare(objects, key, value)
            }

            #[inline]
            fn ignores(&self, change: Change) -> bool {
                let $held = self;
                Observer::<C>::ignores($shared, change)
            }

            #[inline]
            fn commit(&mut self) {
                let $held = self;
                Observer::<C>::commit($exclusive);
            }

            #[inline]
            fn prepare_remove(&mut self, objects: &mut Objects<'_, C>, key: C::Key) {
                let $held = self;
                $exclusive.prepare_remove(objects, key);
            }

            #[inline]
            fn remove(&mut self, objects: &mut Objects<'_, C>, key: C::Key) {
                let $held = self;
                $exclusive.remove(objects, key);
            }

            #[inline]
            fn settle(&mut self, gone: Option<C::Key>) {
                let $held = self;
                Observer::<C>::settle(if gone.is_some() { $exclusive } else { $idle }, gone);
                // (User code that drops what was given up runs once the observers know of the removal.)
                let _ = $idle;
            }

            fn rebuild(&mut self, objects: &mut Objects<'_, C>) -> Result<(), Refusal<C::Key>> {
                let $held = self;
                $exclusive.rebuild(objects)
            }

            fn carry(&self, objects: &C, key: Option<C::Key>, value: &mut C::Value) {
                let $held = self;
                $shared.carry(objects, key, value);
            }

            fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
                let $held = self;
                Observer::<C>::try_reserve($idle, additional)
            }
        }

        impl<C: Track, $($generics)*> Blind<C> for $Holder where $Held: Blind<C> {}
    )+};
}

passes_on! {
    [O, const N: usize] [O; N] => [O], |held| held.as_slice(), held.as_mut_slice(), held.as_mut_slice();
    [O] Vec<O> => [O], |held| held.as_slice(), held.as_mut_slice(), held.as_mut_slice();
    [O] Option<O> => [O], |held| held.as_slice(), held.as_mut_slice(), held.as_mut_slice();
    [O: ?Sized] Box<O> => O, |held| &**held, &mut **held, &mut **held;
    [O: ?Sized] &mut O => O, |held| &**held, &mut **held, &mut **held;
    [O] Versioned<O> => O, |held| &**held, held.settled(), held.changed();
}

impl<O: Edit, const N: usize> Edit for [O; N] {
    type Edited<'a>
        = [O::Edited<'a>; N]
    where
        Self: 'a;

    fn edited(&mut self) -> Self::Edited<'_> {
        self.each_mut().map(|observer| observer.edited())
    }
}

impl<O: ?Sized> Edit for Box<O> {
    type Edited<'a>
        = &'a Self
    where
        Self: 'a;

    #[inline]
    fn edited(&mut self) -> &Self {
        self
    }
}

impl<O: Edit> Edit for Versioned<O> {
    type Edited<'a>
        = O::Edited<'a>
    where
        Self: 'a;

    fn edited(&mut self) -> Self::Edited<'_> {
        self.deref_mut().edited()
    }
}

impl<O: Edit> Edit for &mut O {
    type Edited<'a>
        = O::Edited<'a>
    where
        Self: 'a;

    fn edited(&mut self) -> Self::Edited<'_> {
        (**self).edited()
    }
}

/// A tuple of observers.
macro_rules! tuple {
    ($([$O:ident $at:tt])+) => {
        impl<C: Track, $($O: Observer<C>),+> Observer<C> for ($($O,)+) {
            #[inline]
            fn prepare(&mut self, objects: &C, key: C::Key, value: &C::Value) -> Result<(), Refusal<C::Key>> {
                $(self.$at.prepare(objects, key, value)?;)+
                Ok(())
            }

            #[inline]
            fn ignores(&self, change: Change) -> bool {
                $(self.$at.ignores(change))&&+
            }

            #[inline]
            fn commit(&mut self) {
                $(self.$at.commit();)+
            }

            #[inline]
            fn prepare_remove(&mut self, objects: &mut Objects<'_, C>, key: C::Key) {
                $(self.$at.prepare_remove(objects, key);)+
            }

            #[inline]
            fn remove(&mut self, objects: &mut Objects<'_, C>, key: C::Key) {
                $(self.$at.remove(objects, key);)+
            }

            #[inline]
            fn settle(&mut self, gone: Option<C::Key>) {
                // (All are called, even if one of them panics.)
                drop(($(OnDrop::new(&mut self.$at, |observer| observer.settle(gone)),)+));
            }

            fn rebuild(&mut self, objects: &mut Objects<'_, C>) -> Result<(), Refusal<C::Key>> {
                $(self.$at.rebuild(objects)?;)+
                Ok(())
            }

            #[inline]
            fn carry(&self, objects: &C, key: Option<C::Key>, value: &mut C::Value) {
                $(self.$at.carry(objects, key, value);)+
            }

            fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
                $(self.$at.try_reserve(additional)?;)+
                Ok(())
            }
        }

        impl<C: Track, $($O: Blind<C>),+> Blind<C> for ($($O,)+) {}

        impl<$($O: Edit),+> Edit for ($($O,)+) {
            type Edited<'a> = ($($O::Edited<'a>,)+) where Self: 'a;

            fn edited(&mut self) -> Self::Edited<'_> {
                ($(self.$at.edited(),)+)
            }
        }
    };
}

each_prefix!(tuple: [A 0] [B 1] [D 2] [E 3] [F 4] [G 5]);
