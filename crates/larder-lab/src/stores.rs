//! The containers under measurement, each as a [`Store`] of [`Element`]s: larder's, one of them in
//! several kinds of memory, their rivals, and a plain `Vec`.

#[macro_use]
mod store;

use slotmap::DefaultKey;

pub(crate) use self::store::*;

// larder's containers, used as their documentation says.

/// The reservation of a program that does not know how many values will come: address space costs nothing.
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

/// Makes the value of a pool's slot that was never used.
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

// The rivals, and the `Vec` that all are compared with. Each is used by its fastest
// documented way: an iterator of values alone or a slice where there is one, and its own bulk
// insertion where it has one.

store! {
    /// The yardstick: the live values packed in a `Vec`, without handles. The last value fills the gap of a
    /// removed one. A key is a position, valid only until something else is removed.
    Packed(Vec<T>), "Vec", usize, KNOWS_STALE = false, KEYS_ARE_POSITIONS = true:
    new with_capacity extend get len clear copy,
    walk |all| all.0.iter(), |all| all.0.iter_mut(), |value| value;
    fn insert(&mut self, value) {
        let position = self.0.len();
        self.0.push(value);
        position
    }
    fn remove(&mut self, key) { (key < self.0.len()).then(|| self.0.swap_remove(key)) }
    fn first(&self) { self.0.first() }
    fn retain(&mut self, keep) { self.0.retain_mut(keep); }
}
store! {
    /// `slotmap::SlotMap`: a version beside every value, a free list in the holes.
    SlotMap(slotmap::SlotMap<DefaultKey, T>), "SlotMap", DefaultKey:
    new with_capacity insert remove get len values first retain clear copy
}
store! {
    /// `slotmap::HopSlotMap`: as `SlotMap`, with the lengths of runs stored in the holes, which its walk
    /// skips. Deprecated, and measured for that walk.
    #[expect(deprecated, reason = "it is the rival that jumps over holes")]
    HopSlotMap(slotmap::HopSlotMap<DefaultKey, T>), "HopSlotMap", DefaultKey:
    new with_capacity insert remove get len values first retain clear copy
}
store! {
    /// `slotmap::DenseSlotMap`: values packed in a `Vec`, found through a table of slots. Walked as the
    /// slice that it is.
    DenseSlotMap(slotmap::DenseSlotMap<DefaultKey, T>), "DenseSlotMap", DefaultKey:
    new with_capacity insert remove get len first retain clear copy,
    walk |all| all.0.values_as_slice().iter(), |all| all.0.values_as_mut_slice().iter_mut(), |value| value
}
store! {
    /// `thunderdome::Arena`: an enum of value and hole in every slot. There is no iterator of values alone.
    Thunderdome(thunderdome::Arena<T>), "thunderdome", thunderdome::Index:
    new with_capacity insert remove get len pairs first retain clear copy
}
store! {
    /// `bitarena::Arena`: values apart from their generations, one occupancy bit and an entry of the free list each.
    Bitarena(bitarena::Arena<T>), "bitarena", bitarena::Index:
    new with_capacity insert extend remove get len values first retain clear copy
}
store! {
    /// `slab::Slab`: an enum of value and hole in every slot, keys without generations. A stale key finds
    /// the slot's next value.
    Slab(slab::Slab<T>), "slab", usize, KNOWS_STALE = false:
    new with_capacity insert get len pairs first retain clear copy;
    fn remove(&mut self, key) { self.0.try_remove(key) }
}
store! {
    /// `generational_arena::Arena`: an enum of value and hole in every slot, one generation counter for the
    /// whole container.
    GenerationalArena(generational_arena::Arena<T>), "generational-arena", generational_arena::Index:
    new with_capacity insert extend remove get len pairs first retain clear copy
}
store! {
    /// `gen_map::GenMap` with its default configuration: a generation beside every value, a free list in
    /// the holes, exhausted slots retired.
    GenMap(gen_map::GenMap<T>), "gen_map", gen_map::Key:
    new with_capacity insert remove get len values first retain clear copy
}
store! {
    /// `stable_vec::StableVec`: values in their slots, one occupancy bit each.
    ///
    /// It has no generations, and `push` never fills a hole. A list of freed indices beside it does what
    /// its users have to do; the list's time and memory count.
    StableVec(stable_vec::StableVec<T>, Vec<usize>), "stable-vec", usize, KNOWS_STALE = false: get values first;
    fn new() { Self(stable_vec::StableVec::new(), Vec::new()) }
    fn with_capacity(count) { Self(stable_vec::StableVec::with_capacity(count), Vec::new()) }
    fn insert(&mut self, value) {
        match self.1.pop() {
            Some(index) => {
                self.0.insert(index, value);
                index
            }
            None => self.0.push(value),
        }
    }
    fn extend(&mut self, mut values) {
        while let Some(index) = self.1.pop() {
            let Some(value) = values.next() else {
                self.1.push(index);
                return;
            };
            self.0.insert(index, value);
        }
        self.0.extend(values);
    }
    fn remove(&mut self, key) {
        // `StableVec::remove` panics past its capacity.
        if key >= self.0.capacity() {
            return None;
        }
        let value = self.0.remove(key)?;
        self.1.push(key);
        Some(value)
    }
    fn len(&self) { self.0.num_elements() }
    fn retain(&mut self, mut keep) {
        // `StableVec::retain` passes the value but not its index, which the list of freed indices
        // needs; `retain_indices` passes the index but not the value. So this walks the indices.
        for index in 0..self.0.next_push_index() {
            if self.0.get_mut(index).is_some_and(|value| !keep(value)) {
                self.0.remove(index);
                self.1.push(index);
            }
        }
    }
    fn clear(&mut self) {
        self.0.clear();
        self.1.clear();
    }
    fn copy(&self) { Self(self.0.clone(), self.1.clone()) }
}

/// Every store does what the workloads rely on.
#[cfg(test)]
mod tests {
    use core::panic::AssertUnwindSafe;

    use super::*;

    fn sum<S: Store<u32>>(store: &S) -> u64 {
        let mut sum = 0;
        store.for_each(|value| sum += u64::from(*value));
        assert_eq!(sum, store.sum_by_for_loop(), "{}", S::NAME);
        sum
    }

    fn keeps_the_contract<S: Store<u32>>() {
        let name = S::NAME;
        let mut store = S::new();
        let keys: Vec<S::Key> = (0..10).map(|number| store.insert(number)).collect();
        assert_eq!((store.len(), sum(&store)), (10, 45), "{name}");
        assert_eq!(store.get(keys[3]), Some(&3), "{name}");
        assert_eq!((store.first(), S::new().first()), (Some(&0), None), "{name}");

        assert_eq!(store.remove(keys[9]), Some(9), "{name}");
        assert_eq!(store.get(keys[9]), None, "{name}");
        assert_eq!(store.remove(keys[9]), None, "{name}");
        let reused = store.insert(100);
        assert_eq!(store.get(reused), Some(&100), "{name}");
        assert_eq!(store.get(keys[9]).is_none(), S::KNOWS_STALE, "{name}");
        assert_eq!(S::KEYS_ARE_POSITIONS, name == "Vec");

        let mut copy = store.copy();
        assert_eq!(copy.get(reused), Some(&100), "{name}");
        assert_eq!(sum(&copy), 36 + 100, "{name}");
        copy.for_each_mut(|value| *value += 1);
        assert_eq!((sum(&store), sum(&copy)), (136, 146), "{name}");

        store.retain(|value| *value % 2 == 0);
        assert_eq!((store.len(), sum(&store)), (6, 2 + 4 + 6 + 8 + 100), "{name}");
        store.insert(1);
        store.extend(2..8);
        assert_eq!((store.len(), sum(&store)), (13, 120 + 1 + 27), "{name}");
        store.clear();
        assert_eq!((store.len(), sum(&store)), (0, 0), "{name}");
        store.insert(7);
        assert_eq!((store.len(), sum(&store)), (1, 7), "{name}");
    }

    #[test]
    fn every_store_keeps_the_contract() {
        macro_rules! each {
            ($($store:ident)*) => { $(keeps_the_contract::<$store<u32>>();)* };
        }
        each! {
            Packed Arena ArenaCapacity ArenaOrdinary ArenaFixed ArenaReserved ArenaHuge ArenaAhead
            PagedArena InlineArena Pool DenseArena SoaArena DenseSoaArena
            SlotMap HopSlotMap DenseSlotMap Thunderdome Bitarena Slab GenerationalArena GenMap StableVec
        }
    }

    #[test]
    fn reserved_memory_is_counted_though_no_allocator_gave_it() {
        let mut store = ArenaReserved::<u32>::begin(1_000);
        store.extend(0..1_000);
        assert!(store.bytes_from_the_system() >= 8_000);
        let mut growing = Arena::<u32>::begin(1_000);
        growing.insert(1);
        assert_eq!(growing.bytes_from_the_system(), 0);
    }

    #[test]
    fn fixed_memory_is_full_when_it_is_full() {
        let mut store = ArenaFixed::<u32>::begin(2);
        store.extend(0..2);
        let one_more = AssertUnwindSafe(|| store.insert(2));
        assert!(std::panic::catch_unwind(one_more).is_err());
    }

    #[test]
    fn an_inline_arena_is_full_when_its_slots_are() {
        let mut store = InlineArena::<u32>::begin(0);
        store.extend(0..InlineArena::<u32>::most() as u32);
        let one_more = AssertUnwindSafe(|| store.insert(2));
        assert!(std::panic::catch_unwind(one_more).is_err());
    }

    #[test]
    fn a_pool_makes_the_new_object_of_the_removed_one() {
        let address = |pool: &Pool<Buffered>, key| pool.get(key).expect("it is live").address();
        let mut pool = Pool::<Buffered>::new();
        let first = pool.spawn(7);
        let before = address(&pool, first);
        assert!(pool.retire(first));
        assert!(!pool.retire(first));
        let second = pool.spawn(8);
        assert_eq!(address(&pool, second), before);
        assert_eq!(pool.get(second).map(Element::number), Some(8));
    }

    #[test]
    fn holes_of_a_pool_hold_what_was_removed() {
        let mut pool = Pool::<Bytes16>::with_capacity(3);
        let keys: Vec<_> = (1..4).map(|number| pool.insert(Bytes16::new(number))).collect();
        assert!(pool.retire(keys[1]));
        let (mut live, mut all) = (Vec::new(), Vec::new());
        pool.for_each(|value| live.push(value.number()));
        pool.for_each_slot(|value| all.push(value.number()));
        assert_eq!((live, all), (vec![1, 3], vec![1, 2, 3]));
    }
}
