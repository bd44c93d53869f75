//! The lists under measurement: larder's, their rivals, and a `Vec` in each object.

use cranelift_entity::{EntityList, entity_impl};
use larder::pools::list_pool::{ListHandle, ListPool};
use smallvec::SmallVec;

/// Objects, each with a list of numbers.
pub(crate) trait Owners: Sized {
    /// The name in tables and in JSON.
    const NAME: &'static str;

    /// So many objects with empty lists.
    fn new(objects: usize) -> Self;

    /// The length of an object's list.
    fn len(&self, object: usize) -> usize;

    /// The values of an object's list.
    fn values(&self, object: usize) -> impl Iterator<Item = u32>;

    /// Adds a value at the end.
    fn push(&mut self, object: usize, value: u32);

    /// Adds values at the end.
    fn extend(&mut self, object: usize, values: &[u32]);

    /// Removes a value; the last one takes its place.
    fn swap_remove(&mut self, object: usize, index: usize);

    /// Empties a list and frees its memory.
    fn clear(&mut self, object: usize);
}

/// A vector in each object.
macro_rules! vectors {
    ($(#[$doc:meta])* $owners:ident($vector:ident<$item:ty>), $name:literal) => {
        $(#[$doc])*
        pub(crate) struct $owners(Vec<$vector<$item>>);

        impl Owners for $owners {
            const NAME: &'static str = $name;

            fn new(objects: usize) -> Self {
                Self(vec![$vector::new(); objects])
            }

            #[inline(always)]
            fn len(&self, object: usize) -> usize {
                self.0[object].len()
            }

            #[inline(always)]
            fn values(&self, object: usize) -> impl Iterator<Item = u32> {
                self.0[object].iter().copied()
            }

            #[inline(always)]
            fn push(&mut self, object: usize, value: u32) {
                self.0[object].push(value);
            }

            #[inline(always)]
            fn extend(&mut self, object: usize, values: &[u32]) {
                self.0[object].extend_from_slice(values);
            }

            #[inline(always)]
            fn swap_remove(&mut self, object: usize, index: usize) {
                self.0[object].swap_remove(index);
            }

            #[inline(always)]
            fn clear(&mut self, object: usize) {
                self.0[object] = $vector::new();
            }
        }
    };
}

vectors! {
    /// A `Vec` in each object.
    Vecs(Vec<u32>), "Vec<u32>"
}
vectors! {
    /// A `SmallVec` with room for four in each object.
    SmallVecs(SmallVec<[u32; 4]>), "SmallVec<[u32; 4]>"
}

/// A value, as `cranelift-entity` needs it: a number, one of which is reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value(u32);
entity_impl!(Value);

/// `cranelift-entity`: an unchecked list of 4 bytes in each object.
pub(crate) struct EntityLists {
    pool: cranelift_entity::ListPool<Value>,
    lists: Vec<EntityList<Value>>,
}

impl Owners for EntityLists {
    const NAME: &'static str = "cranelift EntityList";

    fn new(objects: usize) -> Self {
        Self { pool: cranelift_entity::ListPool::new(), lists: vec![EntityList::new(); objects] }
    }

    #[inline(always)]
    fn len(&self, object: usize) -> usize {
        self.lists[object].len(&self.pool)
    }

    #[inline(always)]
    fn values(&self, object: usize) -> impl Iterator<Item = u32> {
        self.lists[object].as_slice(&self.pool).iter().map(|value| value.0)
    }

    #[inline(always)]
    fn push(&mut self, object: usize, value: u32) {
        self.lists[object].push(Value(value), &mut self.pool);
    }

    #[inline(always)]
    fn extend(&mut self, object: usize, values: &[u32]) {
        let values = values.iter().map(|&value| Value(value));
        self.lists[object].extend(values, &mut self.pool);
    }

    #[inline(always)]
    fn swap_remove(&mut self, object: usize, index: usize) {
        self.lists[object].swap_remove(index, &mut self.pool);
    }

    #[inline(always)]
    fn clear(&mut self, object: usize) {
        self.lists[object].clear(&mut self.pool);
    }
}

/// larder: a checked list of 8 bytes in each object.
pub(crate) struct LarderLists {
    pool: ListPool<u32>,
    lists: Vec<ListHandle<u32>>,
}

impl Owners for LarderLists {
    const NAME: &'static str = "ListPool";

    fn new(objects: usize) -> Self {
        Self { pool: ListPool::new(), lists: vec![ListHandle::EMPTY; objects] }
    }

    #[inline(always)]
    fn len(&self, object: usize) -> usize {
        self.pool[self.lists[object]].len()
    }

    #[inline(always)]
    fn values(&self, object: usize) -> impl Iterator<Item = u32> {
        self.pool[self.lists[object]].iter().copied()
    }

    #[inline(always)]
    fn push(&mut self, object: usize, value: u32) {
        self.pool.push(&mut self.lists[object], value);
    }

    #[inline(always)]
    fn extend(&mut self, object: usize, values: &[u32]) {
        self.pool.extend_from_slice(&mut self.lists[object], values);
    }

    #[inline(always)]
    fn swap_remove(&mut self, object: usize, index: usize) {
        self.pool.swap_remove(self.lists[object], index);
    }

    #[inline(always)]
    fn clear(&mut self, object: usize) {
        self.pool.free(core::mem::take(&mut self.lists[object]));
    }
}
