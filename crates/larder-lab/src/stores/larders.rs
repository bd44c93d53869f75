//! larder's containers, used as their documentation says.

use super::store::{Element, Store};

/// What a program reserves that does not know how many values will come: address space costs nothing.
const PLENTY: usize = 1 << 26;

/// `larder::Arena` in one kind of memory: how an empty one is made, one with room for so many, and
/// what else differs. Values stay in their slot; a removal leaves a hole.
macro_rules! arena {
    (
        $(#[$doc:meta])* $store:ident, $name:literal,
        new $new:expr, with_capacity |$count:ident| $with_capacity:expr; $($other:tt)*
    ) => {
        store! {
            $(#[$doc])*
            $store(larder::Arena<T>), $name, larder::Handle<T>:
            insert extend remove get len values first retain clear copy;
            fn new() { Self($new) }
            fn with_capacity($count) { Self($with_capacity) }
            $($other)*
        }
    };
    // Told at first how many values are expected.
    (presized $(#[$doc:meta])* $store:ident, $name:literal, new $new:expr, |$count:ident| $with_capacity:expr) => {
        arena! {
            $(#[$doc])* $store, $name, new $new, with_capacity |$count| $with_capacity;
            fn begin(expected) { Self::with_capacity(expected) }
        }
    };
    // In address space from the system.
    (reserved $(#[$doc:meta])* $store:ident, $name:literal, |$count:ident| $with_capacity:expr) => {
        arena! {
            $(#[$doc])* $store, $name,
            new Self::with_capacity(PLENTY).0, with_capacity |$count| $with_capacity;
            fn begin(expected) { Self::with_capacity(expected) }
            fn bytes_from_the_system(&self) { self.0.stats().memory.committed }
        }
    };
}

arena! {
    /// In memory from the allocator, growing.
    Arena, "Arena", new larder::Arena::new(), with_capacity |count| larder::Arena::with_capacity(count);
}
arena! {
    presized
    /// In memory from the allocator, enough of it at first.
    ArenaCapacity, "Arena capacity", new larder::Arena::new(), |count| larder::Arena::with_capacity(count)
}
arena! {
    presized
    /// In memory from the allocator, enough of it at first, in pages of the ordinary size.
    ArenaOrdinary, "Arena ordinary", new larder::Arena::new(),
    |count| larder::Arena::builder().capacity(count).huge_pages(false).build()
}
arena! {
    presized
    /// In memory from the allocator, all of it at first and never more.
    ArenaFixed, "Arena fixed", new larder::Arena::fixed(64), |count| larder::Arena::fixed(count)
}
arena! {
    reserved
    /// In reserved address space; memory as it is used.
    ArenaReserved, "Arena reserved", |count| larder::Arena::reserved(count)
}
arena! {
    reserved
    /// In reserved address space; huge pages as they are used.
    ArenaHuge, "Arena huge", |count| larder::Arena::builder().reserved(count).huge_pages(true).build()
}
arena! {
    reserved
    /// In reserved address space; a helper thread touches pages beforehand.
    ArenaAhead, "Arena ahead", |count| larder::Arena::builder().reserved(count).commit_ahead(true).build()
}

store! {
    /// `larder::PagedArena`: values stay in their slot, in blocks that never move.
    PagedArena(larder::PagedArena<T>), "PagedArena", larder::Handle<T>:
    new with_capacity insert extend remove get len values first retain clear copy
}

/// The slots of an [`InlineArena`]: as many values as the smallest measured containers have.
const INLINE_SLOTS: usize = 1_000;

store! {
    /// `larder::InlineArena`, in a box because its slots are too large for a stack. The room is always the same.
    InlineArena(Box<larder::InlineArena<T, INLINE_SLOTS>>), "InlineArena", larder::Handle<T>:
    insert extend remove get len values first retain clear copy;
    fn most() { INLINE_SLOTS }
    fn new() { Self(Box::default()) }
    fn with_capacity(_count) { Self::new() }
}

store! {
    /// `larder::DenseArena`: values stay packed; the last one fills the gap of a removed one.
    DenseArena(larder::DenseArena<T>), "DenseArena", larder::Handle<T>:
    new with_capacity insert extend remove get len first retain clear copy,
    walk |all| all.0.as_slice().iter(), |all| all.0.as_mut_slice().iter_mut(), |value| value
}

/// What a slot of a pool holds that was never used.
fn blank<T: Element>() -> T {
    T::new(0)
}

store! {
    /// `larder::Pool`: every slot holds a value; a removed one stays as it was until an insertion reuses it.
    Pool(larder::Pool<T>), "Pool", larder::Handle<T>, HOLES_HOLD_VALUES = true:
    insert extend get len values first retain clear copy;
    fn new() { Self(larder::Pool::recycling(blank, |_| {})) }
    fn with_capacity(count) { Self(larder::Pool::builder(blank).recycling(|_| {}).capacity(count).build()) }
    fn spawn(&mut self, number) { self.0.insert_with(|value| value.renew(number)) }
    fn retire(&mut self, key) { self.0.recycle(key).is_some() }
    fn remove(&mut self, key) { self.0.remove(key) }
    fn for_each_slot(&self, visit) { self.0.slots().iter().for_each(visit); }
}

/// A container of columns, with one column. An array is one column, whatever it is an array of, so
/// every element is stored as an array of one.
macro_rules! column {
    ($(#[$doc:meta])* $store:ident, |$all:ident| $iter:expr, |$all_mut:ident| $iter_mut:expr) => {
        store! {
            $(#[$doc])*
            $store(larder::$store<[T; 1]>), stringify!($store), larder::Handle<[T; 1]>:
            new with_capacity len clear copy,
            walk |$all| $iter, |$all_mut| $iter_mut, |[value]| value;
            fn insert(&mut self, value) { self.0.insert([value]) }
            fn extend(&mut self, values) { self.0.extend(values.map(|value| [value])); }
            fn remove(&mut self, key) { self.0.remove(key).map(|[value]| value) }
            fn get(&self, key) { self.0.get(key).map(|[value]| value) }
            fn first(&self) { self.0.iter().next().map(|(_, [value])| value) }
            fn retain(&mut self, mut keep) { self.0.retain(|_, [value]| keep(value)); }
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
