//! Objects with links inside, and the containers that hold them.

use larder::containers::ValueContainer;
use larder::track::{Insert, Revert, Table, Track};
use larder::trees::{Link, LinkStoreMut, Links, link_field};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, InlineArena, PagedArena, Pool, Soa, SoaArena,
};

use super::parts::Beside;
use crate::caught::step;
use crate::nervous::Nervous;

pub type Id = Handle<Thing>;

/// A thing with links inside. What a number does, `Clone` and `Drop` above all, may panic.
#[derive(Clone, Debug, PartialEq, Soa)]
pub struct Thing {
    pub number: Nervous,
    pub family: Links<Id>,
    pub burning: Link<Id>,
}
link_field!(Thing.family: Links<Id>, in columns);
link_field!(Thing.burning: Link<Id>, in columns);

impl Thing {
    pub fn new(number: u32) -> Self {
        Self { number: Nervous(number), family: Links::new(), burning: Link::new() }
    }
}

/// A container of any layout.
pub trait Things:
    Revert<Key = Id, Value = Thing>
    + Insert
    + ValueContainer<Value = Thing>
    + LinkStoreMut<Links<Id>, Key = Id>
    + LinkStoreMut<Link<Id>, Key = Id>
{
    fn number(&self, key: Id) -> Option<u32>;

    /// The number of the object, or of the one in its place.
    fn number_or(&self, key: Id, nil: &Thing) -> u32;

    fn write(value: <Self as Track>::RefMut<'_>, number: u32);

    /// Recycles the object, if the container keeps values.
    fn recycle(table: &mut Table<Self, Beside>, key: Id) -> bool {
        let _ = (table, key);
        false
    }

    /// Sorts by numbers, if values are packed.
    fn sort(table: &mut Table<Self, Beside>) {
        let _ = table;
    }

    /// Writes by `IndexMut`, if values are whole.
    fn set(table: &mut Table<Self, Beside>, key: Id, number: u32) -> bool {
        let _ = (table, key, number);
        false
    }
}

macro_rules! things {
    ($($Container:ty { $($own:tt)* })+) => {$(
        impl Things for $Container {
            fn number(&self, key: Id) -> Option<u32> {
                self.get(key).map(|thing| thing.number.0)
            }

            fn number_or(&self, key: Id, nil: &Thing) -> u32 {
                self.value_or(key, nil).number.0
            }

            fn write(value: <Self as Track>::RefMut<'_>, number: u32) {
                value.number.0 = number;
            }

            $($own)*
        }
    )+};
}

/// Calls that only containers of whole values have.
macro_rules! whole {
    ($($Container:ty { $($own:tt)* })+) => {
        things! {$(
            $Container {
                fn set(table: &mut Table<Self, Beside>, key: Id, number: u32) -> bool {
                    table[key].number.0 = number;
                    true
                }

                $($own)*
            }
        )+}
    };
}

things! {
    SoaArena<Thing> {}
    DenseSoaArena<Thing> {}
}

whole! {
    Arena<Thing> {}
    PagedArena<Thing> {}
    InlineArena<Thing, 300> {}
    Pool<Thing> {
        fn recycle(table: &mut Table<Self, Beside>, key: Id) -> bool {
            table.recycle(key)
        }
    }
    DenseArena<Thing> {
        fn sort(table: &mut Table<Self, Beside>) {
            table.sort_by(|a, b| {
                step();
                b.number.0.cmp(&a.number.0)
            });
        }
    }
}
