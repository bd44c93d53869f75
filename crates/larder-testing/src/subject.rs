//! One interface over all containers and keys, so that one model can drive them all.

use crate::allocator::lent;
use crate::fields::{InSlots, Packed};
use crate::ordered::Ordered;
use crate::pool_trial::{self, Kind};
use crate::values::{Held, Seen, Value};
use core::fmt::Debug;
use core::iter::FusedIterator;
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, InlineArena, InsertError, Key, PagedArena,
    Pool, Reuse, SoaArena, TryReserveError,
    containers::{GetDisjointMutError, ReattachError, Stats},
    key::{BareHandle, Serial},
    soa::view,
};

/// The facts about a key type that the model needs.
pub trait TestKey: Key + Copy + Ord + Debug + core::hash::Hash + 'static {
    /// True if a key of a freed slot can be told from the key of its next tenant.
    const REMEMBERS: bool = true;

    /// The number of times that a slot can be filled; `u64::MAX` if no test can get there.
    const LIVES: u64 = u64::MAX;

    /// Returns whether the slot is retired when this key's object goes.
    fn is_last(self) -> bool;
}

impl<M: 'static> TestKey for Handle<M> {
    fn is_last(self) -> bool {
        self.generation().get() == u32::MAX - 2
    }
}

impl<M: 'static, const INDEX_BITS: u32> TestKey for Handle32<M, INDEX_BITS>
where
    Self: Key,
{
    const LIVES: u64 = 1 << (31 - INDEX_BITS);

    fn is_last(self) -> bool {
        u64::from(self.generation()) == 2 * Self::LIVES - 1
    }
}

impl<M: 'static> TestKey for BareHandle<M> {
    const REMEMBERS: bool = false;

    fn is_last(self) -> bool {
        false
    }
}

impl<M: 'static> TestKey for Serial<M> {
    fn is_last(self) -> bool {
        false
    }
}

/// The orders of reuse that are tried; the links of the others are plain safe code.
pub const ORDERS: &[Reuse] =
    if cfg!(miri) { &[Reuse::Packed] } else { &[Reuse::Packed, Reuse::Lifo, Reuse::Fifo] };

/// The settings with which a container is made.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// The order in which slots are reused.
    pub reuse: Reuse,
    /// The number of slots, if it is fixed. (In a block of ours, at least.)
    pub limit: Option<usize>,
    /// The memory of the slots.
    pub memory: Memory,
}

/// The kind of a container's memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Memory {
    /// The allocator's.
    Heap,
    /// In reserved address space.
    Reserved,
    /// In a block of ours.
    Lent,
}

impl Config {
    /// The configurations every short history is tried with: each order, growing and fixed.
    pub const ALL: &[Config] = &[
        Config::new(Reuse::Packed, None),
        Config::new(Reuse::Lifo, None),
        Config::new(Reuse::Fifo, None),
        Config::new(Reuse::Packed, Some(3)),
        Config::new(Reuse::Lifo, Some(3)),
        Config::new(Reuse::Fifo, Some(3)),
        Config::within(Memory::Reserved, Reuse::Packed, 3),
        Config::within(Memory::Reserved, Reuse::Lifo, 3),
        Config::within(Memory::Lent, Reuse::Packed, 3),
        Config::within(Memory::Lent, Reuse::Fifo, 3),
    ];

    /// Returns those that there is time to try: the links of the other orders are plain safe code.
    pub const fn tried() -> &'static [Config] {
        if cfg!(miri) { Self::ALL.split_at(1).0 } else { Self::ALL }
    }

    pub const fn new(reuse: Reuse, fixed: Option<usize>) -> Self {
        Config { reuse, limit: fixed, memory: Memory::Heap }
    }

    pub const fn within(memory: Memory, reuse: Reuse, max: usize) -> Self {
        Config { reuse, limit: Some(max), memory }
    }

    /// Returns the number of slots, if memory is fixed.
    pub const fn fixed(self) -> Option<usize> {
        match self.memory {
            Memory::Reserved => None,
            Memory::Heap | Memory::Lent => self.limit,
        }
    }
}

/// The walks of a subject: everything a shared iterator of ours promises.
pub trait Walk: DoubleEndedIterator + ExactSizeIterator + FusedIterator {}

impl<I: DoubleEndedIterator + ExactSizeIterator + FusedIterator> Walk for I {}

/// A container under test. Methods are those of the containers, by the same names.
pub trait Subject: Sized + Clone + Debug + PartialEq + 'static {
    /// The element.
    type Value: Value;
    /// The key.
    type Key: TestKey;
    /// The shared borrow of an element.
    type Ref<'a>: Seen
    where
        Self: 'a;
    /// The exclusive borrow of an element.
    type RefMut<'a>: Held<Self::Value>
    where
        Self: 'a;
    /// True if values are packed, so that removal moves the last one into the gap.
    const DENSE: bool;
    /// The number of slots, if the type determines it.
    const SLOTS: Option<usize> = None;
    /// True if values lie in blocks: tiny ones here, but doubling ones if the memory is `Lent`.
    const PAGED: bool = false;

    fn build(config: Config) -> Self;
    fn validate(&self);

    fn len(&self) -> usize;
    fn is_empty(&self) -> bool;
    fn capacity(&self) -> usize;
    fn remaining(&self) -> usize;

    /// Returns the number of values that it owns: pools have some in free slots, too.
    fn held(&self) -> usize {
        self.len()
    }

    fn stats(&self) -> Stats;
    fn reserve(&mut self, additional: usize);
    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError>;
    fn shrink_to_fit(&mut self);
    fn shrink_to(&mut self, capacity: usize);

    fn insert(&mut self, value: Self::Value) -> Self::Key;
    fn try_insert(&mut self, value: Self::Value) -> Result<Self::Key, InsertError<Self::Value>>;
    fn insert_with_key(&mut self, make: impl FnOnce(Self::Key) -> Self::Value) -> Self::Key;
    fn try_insert_with_key<E>(
        &mut self,
        make: impl FnOnce(Self::Key) -> Result<Self::Value, E>,
    ) -> Result<Self::Key, E>;
    fn vacant_key(&mut self) -> Self::Key;
    fn vacant_insert(&mut self, value: Self::Value) -> Self::Key;
    fn insert_many(
        &mut self,
        values: impl IntoIterator<Item = Self::Value>,
    ) -> impl Iterator<Item = Self::Key>;
    fn extend(&mut self, values: impl IntoIterator<Item = Self::Value>);

    fn get(&self, key: Self::Key) -> Option<Self::Ref<'_>>;
    fn get_mut(&mut self, key: Self::Key) -> Option<Self::RefMut<'_>>;
    fn contains_key(&self, key: Self::Key) -> bool;
    fn get_disjoint_mut<const N: usize>(
        &mut self,
        keys: [Self::Key; N],
    ) -> Result<[Self::RefMut<'_>; N], GetDisjointMutError>;
    fn next_key(&self, key: Self::Key) -> Option<Self::Key>;

    fn remove(&mut self, key: Self::Key) -> Option<Self::Value>;
    fn retain(&mut self, keep: impl FnMut(Self::Key, Self::RefMut<'_>) -> bool);
    fn drain(&mut self) -> impl Walk<Item = (Self::Key, Self::Value)>;
    fn extract_if(
        &mut self,
        take: impl FnMut(Self::Key, Self::RefMut<'_>) -> bool,
    ) -> impl Iterator<Item = (Self::Key, Self::Value)>;
    fn clear(&mut self);
    fn detach(&mut self, key: Self::Key) -> Option<Self::Value>;
    fn reattach(
        &mut self,
        key: Self::Key,
        value: Self::Value,
    ) -> Result<(), ReattachError<Self::Value>>;
    fn release(&mut self, key: Self::Key) -> bool;

    fn iter(&self) -> impl Walk<Item = (Self::Key, Self::Ref<'_>)> + Clone;
    fn iter_mut(&mut self) -> impl Walk<Item = (Self::Key, Self::RefMut<'_>)>;
    fn keys(&self) -> impl Walk<Item = Self::Key> + Clone;
    fn values(&self) -> impl Walk<Item = Self::Ref<'_>> + Clone;
    fn values_mut(&mut self) -> impl Walk<Item = Self::RefMut<'_>>;
    fn into_iter(self) -> impl Walk<Item = (Self::Key, Self::Value)>;
    fn into_values(self) -> impl Walk<Item = Self::Value>;

    /// Checks what can be seen of its columns, where it has some: the values in the order of a walk,
    /// and how many slots were ever in use.
    fn check_columns(&self, _values: &[(Self::Key, u32)], _slots: usize) {}

    /// Compacts, where the container can; says whether.
    fn compact(&mut self, _moved: impl FnMut(Self::Key, Self::Key)) -> bool {
        false
    }

    /// The container itself, where it is an `Arena`.
    fn as_arena(&mut self) -> Option<&mut Arena<Self::Value, Self::Key>> {
        None
    }

    /// The container itself, where its values have positions.
    fn as_dense(&mut self) -> Option<&mut dyn Ordered> {
        None
    }
}

/// Forwards a method of the trait to the method of the container.
macro_rules! forward {
    ($(
        [$($bound:tt)*] [$($generics:tt)*] $container:ident<$($args:ident),*>
        as $ref:ty, $ref_mut:ty $(where [$($where:tt)*])? { $($own:tt)* }
    )*) => {$(
impl<T: $($bound)*, K: TestKey, $($generics)*> Subject for $container<$($args),*>
$(where $($where)*)?
{
    type Value = T;
    type Key = K;
    type Ref<'a> = $ref;
    type RefMut<'a> = $ref_mut;

    $($own)*

    fn validate(&self) {
        $container::validate(self);
    }

    fn len(&self) -> usize {
        $container::len(self)
    }

    fn is_empty(&self) -> bool {
        $container::is_empty(self)
    }

    fn capacity(&self) -> usize {
        $container::capacity(self)
    }

    fn remaining(&self) -> usize {
        self.capacity() - self.len() - self.stats().detached
    }

    fn stats(&self) -> Stats {
        $container::stats(self)
    }

    fn reserve(&mut self, additional: usize) {
        $container::reserve(self, additional);
    }

    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        $container::try_reserve(self, additional)
    }

    fn insert(&mut self, value: T) -> K {
        $container::insert(self, value)
    }

    fn try_insert(&mut self, value: T) -> Result<K, InsertError<T>> {
        $container::try_insert(self, value)
    }

    fn insert_with_key(&mut self, make: impl FnOnce(K) -> T) -> K {
        $container::insert_with_key(self, make)
    }

    fn try_insert_with_key<E>(
        &mut self,
        make: impl FnOnce(K) -> Result<T, E>,
    ) -> Result<K, E> {
        let entry = self.vacant_entry();
        let key = entry.key();
        entry.insert(make(key)?);
        Ok(key)
    }

    fn vacant_key(&mut self) -> K {
        self.vacant_entry().key()
    }

    fn vacant_insert(&mut self, value: T) -> K {
        let entry = self.vacant_entry();
        let key = entry.key();
        let id = value.id();
        assert_eq!(entry.insert(value).id(), id);
        key
    }

    fn insert_many(
        &mut self,
        values: impl IntoIterator<Item = T>,
    ) -> impl Iterator<Item = K> {
        $container::insert_many(self, values)
    }

    fn extend(&mut self, values: impl IntoIterator<Item = T>) {
        Extend::extend(self, values);
    }

    fn get(&self, key: K) -> Option<Self::Ref<'_>> {
        $container::get(self, key)
    }

    fn get_mut(&mut self, key: K) -> Option<Self::RefMut<'_>> {
        $container::get_mut(self, key)
    }

    fn contains_key(&self, key: K) -> bool {
        $container::contains_key(self, key)
    }

    fn get_disjoint_mut<const N: usize>(
        &mut self,
        keys: [K; N],
    ) -> Result<[Self::RefMut<'_>; N], GetDisjointMutError> {
        $container::get_disjoint_mut(self, keys)
    }

    fn next_key(&self, key: K) -> Option<K> {
        $container::next_key(self, key)
    }

    fn remove(&mut self, key: K) -> Option<T> {
        $container::remove(self, key)
    }

    fn retain(&mut self, keep: impl FnMut(K, Self::RefMut<'_>) -> bool) {
        $container::retain(self, keep);
    }

    fn drain(&mut self) -> impl Walk<Item = (K, T)> {
        $container::drain(self)
    }

    fn extract_if(
        &mut self,
        take: impl FnMut(K, Self::RefMut<'_>) -> bool,
    ) -> impl Iterator<Item = (K, T)> {
        $container::extract_if(self, take)
    }

    fn clear(&mut self) {
        $container::clear(self);
    }

    fn detach(&mut self, key: K) -> Option<T> {
        $container::detach(self, key)
    }

    fn reattach(&mut self, key: K, value: T) -> Result<(), ReattachError<T>> {
        $container::reattach(self, key, value)
    }

    fn release(&mut self, key: K) -> bool {
        $container::discard_detached(self, key)
    }

    fn iter(&self) -> impl Walk<Item = (K, Self::Ref<'_>)> + Clone {
        $container::iter(self)
    }

    fn iter_mut(&mut self) -> impl Walk<Item = (K, Self::RefMut<'_>)> {
        $container::iter_mut(self)
    }

    fn keys(&self) -> impl Walk<Item = K> + Clone {
        $container::keys(self)
    }

    fn values(&self) -> impl Walk<Item = Self::Ref<'_>> + Clone {
        $container::values(self)
    }

    fn values_mut(&mut self) -> impl Walk<Item = Self::RefMut<'_>> {
        $container::values_mut(self)
    }

    fn into_iter(self) -> impl Walk<Item = (K, T)> {
        IntoIterator::into_iter(self)
    }

    fn into_values(self) -> impl Walk<Item = T> {
        $container::into_values(self)
    }
}
    )*};
}

/// Methods of containers whose values can be moved into holes.
macro_rules! compacts {
    ($container:ident) => {
        fn compact(&mut self, mut moved: impl FnMut(K, K)) -> bool {
            $container::compact(self, |old, new, _| moved(old, new));
            true
        }
    };
}

/// Methods of containers whose memory a builder chooses.
macro_rules! built {
    ($container:ident) => {
        fn build(config: Config) -> Self {
            let builder = || $container::builder_with_key().reuse(config.reuse);
            match (config.limit, config.memory) {
                (Some(max), Memory::Reserved) => builder().reserved(max).build(),
                (Some(slots @ 1..), Memory::Lent) => {
                    let whole_words = slots.next_multiple_of(64);
                    let links = if config.reuse == Reuse::Packed { 0 } else { 4 * whole_words };
                    builder().in_memory(lent(Self::bytes_for(slots) + links)).build()
                }
                (Some(slots), _) => builder().fixed(slots).build(),
                (None, _) => builder().build(),
            }
        }

        fn shrink_to_fit(&mut self) {
            $container::shrink_to_fit(self);
        }

        fn shrink_to(&mut self, capacity: usize) {
            $container::shrink_to(self, capacity);
        }
    };
}

forward! {
    [Value] [] Arena<T, K> as &'a T, &'a mut T {
        const DENSE: bool = false;

        built!(Arena);
        compacts!(Arena);

        fn as_arena(&mut self) -> Option<&mut Arena<T, K>> {
            Some(self)
        }
    }

    [Value] [] DenseArena<T, K> as &'a T, &'a mut T {
        const DENSE: bool = true;

        built!(DenseArena);

        fn as_dense(&mut self) -> Option<&mut dyn Ordered> {
            Some(self)
        }
    }

    [Value] [const SLOTS: usize] InlineArena<T, SLOTS, K> as &'a T, &'a mut T {
        const DENSE: bool = false;
        const SLOTS: Option<usize> = Some(SLOTS);

        fn build(_: Config) -> Self {
            InlineArena::with_key()
        }

        /// There is nothing to give back.
        fn shrink_to_fit(&mut self) {}

        fn shrink_to(&mut self, _: usize) {}
    }

    [Value] [] PagedArena<T, K> as &'a T, &'a mut T {
        const DENSE: bool = false;
        const PAGED: bool = true;

        compacts!(PagedArena);

        /// In blocks of one slot to five, so that borders are met everywhere, or in doubling ones.
        fn build(config: Config) -> Self {
            let builder = PagedArena::builder_with_key().reuse(config.reuse);
            let builder = match config.memory {
                Memory::Lent => builder.doubling(),
                _ => builder.block_bytes(5 * size_of::<T>().max(4)),
            };
            match config.limit {
                Some(slots) => builder.fixed(slots).build(),
                None => builder.build(),
            }
        }

        fn shrink_to_fit(&mut self) {
            PagedArena::shrink_to_fit(self);
        }

        fn shrink_to(&mut self, capacity: usize) {
            PagedArena::shrink_to(self, capacity);
        }
    }

    [Value] [] Pool<T, K> as &'a T, &'a mut T {
        const DENSE: bool = false;

        compacts!(Pool);

        fn build(config: Config) -> Self {
            pool_trial::build(config, Kind::Replaces)
        }

        fn held(&self) -> usize {
            self.slots().len()
        }

        fn shrink_to_fit(&mut self) {
            Pool::shrink_to_fit(self);
        }

        fn shrink_to(&mut self, capacity: usize) {
            Pool::shrink_to(self, capacity);
        }
    }

    [InSlots] [] SoaArena<T, K> as view::Ref<'a, T>, view::RefMut<'a, T>
    where [SoaArena<T, K>: Clone + Debug + PartialEq]
    {
        const DENSE: bool = false;

        built!(SoaArena);
        compacts!(SoaArena);

        fn check_columns(&self, values: &[(K, u32)], slots: usize) {
            T::check_in_slots(self, values, slots);
        }
    }

    [Packed] [] DenseSoaArena<T, K> as view::Ref<'a, T>, view::RefMut<'a, T>
    where [DenseSoaArena<T, K>: Clone + Debug + PartialEq]
    {
        const DENSE: bool = true;

        built!(DenseSoaArena);

        fn check_columns(&self, values: &[(K, u32)], _: usize) {
            T::check_packed(self, values);
        }

        fn as_dense(&mut self) -> Option<&mut dyn Ordered> {
            Some(self)
        }
    }
}
