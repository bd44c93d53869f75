//! What an object is unlinked from when it is removed.

use super::buckets::Buckets;
use super::key_list::KeyList;
use super::tree::Tree;
use crate::containers::container::Container;

/// What objects of a container are linked in: the part of an [`AutoUnlink`](crate::trees::AutoUnlink) that is told
/// of removals.
///
/// # Examples
/// For links in the objects, implement it for a type of your own:
/// ```
/// use larder::{Arena, Handle, trees::{AutoUnlink, Field, IntrusiveList, Link, Links, Unlink}};
///
/// #[derive(Default)]
/// struct Thing {
///     family: Links<Handle<Thing>>,
///     burning: Link<Handle<Thing>>,
/// }
/// # impl AsRef<Links<Handle<Thing>>> for Thing {
/// #     fn as_ref(&self) -> &Links<Handle<Thing>> { &self.family }
/// # }
/// # impl AsMut<Links<Handle<Thing>>> for Thing {
/// #     fn as_mut(&mut self) -> &mut Links<Handle<Thing>> { &mut self.family }
/// # }
///
/// struct Lists {
///     burning: IntrusiveList<Handle<Thing>>,
/// }
/// impl Unlink<Arena<Thing>> for Lists {
///     fn unlink(&mut self, things: &mut Arena<Thing>, key: Handle<Thing>) {
///         Links::orphan_children(things, key);
///         Links::make_root(things, key);
///         let mut field = Field::new(things, |thing| &thing.burning, |thing| &mut thing.burning);
///         self.burning.remove(&mut field, key);
///     }
///     fn retain_live(&mut self, _: &Arena<Thing>) {} // the links go with their objects
/// }
///
/// let lists = Lists { burning: IntrusiveList::numbered(0) };
/// let mut things = AutoUnlink::new(Arena::new(), lists);
/// let [torch, flame] = [(); 2].map(|()| things.insert(Thing::default()));
/// Links::append(&mut things, torch, flame).unwrap();
/// things.remove(flame);
/// assert_eq!(Links::check(&things, things.keys()), Ok(()));
/// ```
pub trait Unlink<C: Container> {
    /// Unlinks an object that is about to be removed from the container.
    fn unlink(&mut self, objects: &mut C, key: C::Key);

    /// Unlinks objects that are not in the container.
    fn retain_live(&mut self, objects: &C);
}

macro_rules! beside {
    ($([$($N:tt)*] $type:ty;)*) => {$(
        impl<C: Container, $($N)*> Unlink<C> for $type {
            fn unlink(&mut self, _: &mut C, key: C::Key) {
                self.forget(key);
            }

            fn retain_live(&mut self, objects: &C) {
                self.retain_live(objects);
            }
        }
    )*};
}

beside! {
    [] Tree<C::Key>;
    [] KeyList<C::Key>;
    [const N: usize] Buckets<C::Key, N>;
}

impl<C: Container, L: Unlink<C>, const N: usize> Unlink<C> for [L; N] {
    fn unlink(&mut self, objects: &mut C, key: C::Key) {
        self.iter_mut().for_each(|links| links.unlink(objects, key));
    }

    fn retain_live(&mut self, objects: &C) {
        self.iter_mut().for_each(|links| links.retain_live(objects));
    }
}

/// Unlinks from each member of a tuple.
macro_rules! tuple {
    ($($L:ident $at:tt),+) => {
        impl<C: Container, $($L: Unlink<C>),+> Unlink<C> for ($($L,)+) {
            fn unlink(&mut self, objects: &mut C, key: C::Key) {
                $(self.$at.unlink(objects, key);)+
            }

            fn retain_live(&mut self, objects: &C) {
                $(self.$at.retain_live(objects);)+
            }
        }
    };
}

tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, D 2);
tuple!(A 0, B 1, D 2, E 3);
tuple!(A 0, B 1, D 2, E 3, F 4);
tuple!(A 0, B 1, D 2, E 3, F 4, G 5);
