//! larder's containers, used as their documentation says.

use super::store::{Element, Store, forward, store, walk};

/// What a program reserves that does not know how many values will come: address space costs nothing.
const PLENTY: usize = 1 << 26;

/// `larder::Arena` in one kind of memory: how an empty one is made, one with room for so many, and
/// what else differs. Values stay in their slot; a removal leaves a hole.
macro_rules! arena {
    (
        $(#[$doc:meta])* $store:ident, $name:literal,
        new $new:expr, with_capacity |$count:ident| $with_capacity:expr,
        { $($other:item)* }
    ) => {
        store! {
            $(#[$doc])*
            $store(larder::Arena<T>), $name, larder::Handle<T>:
            insert extend remove get len values first retain clear copy;

            #[inline(always)]
            fn new() -> Self {
                Self($new)
            }

            #[inline(always)]
            fn with_capacity($count: usize) -> Self {
                Self($with_capacity)
            }

            $($other)*
        }
    };
    // Told at first how many values are expected.
    (
        presized $(#[$doc:meta])* $store:ident, $name:literal,
        new $new:expr, with_capacity |$count:ident| $with_capacity:expr, { $($other:item)* }
    ) => {
        arena! {
            $(#[$doc])* $store, $name, new $new, with_capacity |$count| $with_capacity, {
                #[inline(always)]
                fn begin(expected: usize) -> Self {
                    Self::with_capacity(expected)
                }

                $($other)*
            }
        }
    };
    // In address space from the system.
    (
        reserved $(#[$doc:meta])* $store:ident, $name:literal, |$count:ident| $with_capacity:expr
    ) => {
        arena! {
            presized $(#[$doc])* $store, $name,
            new Self::with_capacity(PLENTY).0, with_capacity |$count| $with_capacity, {
                fn bytes_from_the_system(&self) -> usize {
                    self.0.stats().memory.committed
                }
            }
        }
    };
}

arena! {
    /// In memory from the allocator, growing.
    Arena, "Arena",
    new larder::Arena::new(), with_capacity |count| larder::Arena::with_capacity(count), {}
}
arena! {
    presized
    /// In memory from the allocator, enough of it at first.
    ArenaCapacity, "Arena capacity",
    new larder::Arena::new(), with_capacity |count| larder::Arena::with_capacity(count), {}
}
arena! {
    presized
    /// In memory from the allocator, enough of it at first, in pages of the ordinary size.
    ArenaOrdinary, "Arena ordinary",
    new larder::Arena::new(),
    with_capacity |count| larder::Arena::builder().capacity(count).huge_pages(false).build(), {}
}
arena! {
    presized
    /// In memory from the allocator, all of it at first and never more.
    ArenaFixed, "Arena fixed",
    new larder::Arena::fixed(64), with_capacity |count| larder::Arena::fixed(count), {}
}
arena! {
    reserved
    /// In reserved address space; memory as it is used.
    ArenaReserved, "Arena reserved", |count| larder::Arena::reserved(count)
}
arena! {
    reserved
    /// In reserved address space; huge pages as they are used.
    ArenaHuge, "Arena huge",
    |count| larder::Arena::builder().reserved(count).huge_pages(true).build()
}
arena! {
    reserved
    /// In reserved address space; a helper thread touches pages beforehand.
    ArenaAhead, "Arena ahead",
    |count| larder::Arena::builder().reserved(count).commit_ahead(true).build()
}

store! {
    /// `larder::PagedArena`: values stay in their slot, in blocks that never move.
    PagedArena(larder::PagedArena<T>), "PagedArena", larder::Handle<T>:
    new with_capacity insert extend remove get len values first retain clear copy
}

/// The slots of an [`InlineArena`]: as many values as the smallest measured containers have.
const INLINE_SLOTS: usize = 1_000;

store! {
    /// `larder::InlineArena`, in a box because its slots are too large for a stack.
    InlineArena(Box<larder::InlineArena<T, INLINE_SLOTS>>), "InlineArena", larder::Handle<T>:
    insert extend remove get len values first retain clear copy;

    const MOST: usize = INLINE_SLOTS;

    #[inline(always)]
    fn new() -> Self {
        Self(Box::default())
    }

    /// The room is always the same.
    #[inline(always)]
    fn with_capacity(_count: usize) -> Self {
        Self::new()
    }
}

store! {
    /// `larder::DenseArena`: values stay packed; the last one fills the gap of a removed one.
    DenseArena(larder::DenseArena<T>), "DenseArena", larder::Handle<T>:
    new with_capacity insert extend remove get len first retain clear copy;

    walk!(|all| all.0.as_slice().iter(), |all| all.0.as_mut_slice().iter_mut(), |value| value);
}

/// What a slot of a pool holds that was never used.
fn blank<T: Element>() -> T {
    T::new(0)
}

/// `larder::Pool`: every slot holds a value; a removed one stays as it was until an insertion reuses it.
#[derive(Debug)]
pub(crate) struct Pool<T>(larder::Pool<T>);

impl<T: Element> Store<T> for Pool<T> {
    type Key = larder::Handle<T>;

    const NAME: &'static str = "Pool";
    const HOLES_HOLD_VALUES: bool = true;

    forward!(larder::Pool<T>: insert extend get len values first retain clear copy);

    #[inline(always)]
    fn new() -> Self {
        Self(larder::Pool::recycling(blank, |_| {}))
    }

    #[inline(always)]
    fn with_capacity(count: usize) -> Self {
        Self(larder::Pool::builder(blank).recycling(|_| {}).capacity(count).build())
    }

    #[inline(always)]
    fn spawn(&mut self, number: u64) -> Self::Key {
        self.0.insert_with(|value| value.renew(number))
    }

    #[inline(always)]
    fn retire(&mut self, key: Self::Key) -> bool {
        self.0.remove(key).is_some()
    }

    #[inline(always)]
    fn remove(&mut self, key: Self::Key) -> Option<T> {
        self.0.take(key)
    }

    #[inline(always)]
    fn for_each_slot(&self, visit: impl FnMut(&T)) {
        self.0.slots().iter().for_each(visit);
    }
}

/// A container of columns, with one column. An array is one column, whatever it is an array of, so
/// every element is stored as an array of one.
macro_rules! column {
    (
        $(#[$doc:meta])* $store:ident,
        |$all:ident| $iter:expr, |$all_mut:ident| $iter_mut:expr
    ) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $store<T: Element>(larder::$store<[T; 1]>);

        impl<T: Element> Store<T> for $store<T> {
            type Key = larder::Handle<[T; 1]>;

            const NAME: &'static str = stringify!($store);

            forward!(larder::$store<[T; 1]>: new with_capacity len clear copy);
            walk!(|$all| $iter, |$all_mut| $iter_mut, |item| { let [value] = item; value });

            #[inline(always)]
            fn insert(&mut self, value: T) -> Self::Key {
                self.0.insert([value])
            }

            #[inline(always)]
            fn extend(&mut self, values: impl Iterator<Item = T>) {
                self.0.extend(values.map(|value| [value]));
            }

            #[inline(always)]
            fn remove(&mut self, key: Self::Key) -> Option<T> {
                self.0.remove(key).map(|[value]| value)
            }

            #[inline(always)]
            fn get(&self, key: Self::Key) -> Option<&T> {
                self.0.get(key).map(|[value]| value)
            }

            #[inline(always)]
            fn first(&self) -> Option<&T> {
                self.0.iter().next().map(|(_, [value])| value)
            }

            #[inline(always)]
            fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
                self.0.retain(|_, [value]| keep(value));
            }
        }
    };
}

column! {
    /// `larder::SoaArena`: a removal leaves a hole, which holds what `Fill` says.
    SoaArena, |all| all.0.values(), |all| all.0.values_mut()
}
column! {
    /// `larder::DenseSoaArena`: the last value fills the gap of a removed one.
    DenseSoaArena, |all| all.0.columns().iter(), |all| all.0.columns_mut().iter_mut()
}
