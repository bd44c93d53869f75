//! The functions whose machine code is kept in `tests/codegen/`, so that a change of it is seen.
//! Not meant to be run.

use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, PagedArena, Pool, SecondaryMap, SoaArena,
    key::PtrHandle,
};

type Value = u64;
type Side = SecondaryMap<Handle<Value>, Value>;

/// Three columns.
type Fields = (u64, f32, u16);

macro_rules! hot {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty { $body:expr })*) => {$(
        /// One of them.
        #[unsafe(no_mangle)]
        #[inline(never)]
        pub fn $name($($argument: $type),*) -> $result {
            $body
        }
    )*};
}

hot! {
    arena_get(arena: &Arena<Value>, key: Handle<Value>) -> Option<&Value> { arena.get(key) }
    arena_get_mut(arena: &mut Arena<Value>, key: Handle<Value>) -> Option<&mut Value> { arena.get_mut(key) }
    arena_contains_key(arena: &Arena<Value>, key: Handle<Value>) -> bool { arena.contains_key(key) }
    arena_get_by_pointer(arena: &Arena<Value>, pointer: PtrHandle<Value>) -> Option<&Value> { pointer.get(arena) }
    arena_insert(arena: &mut Arena<Value>, value: Value) -> Handle<Value> { arena.insert(value) }
    arena_remove(arena: &mut Arena<Value>, key: Handle<Value>) -> Option<Value> { arena.remove(key) }
    arena_sum_fold(arena: &Arena<u64>) -> u64 { arena.values().fold(0, |sum, value| sum ^ value) }
    arena_sum_for(arena: &Arena<u64>) -> u64 { sum(arena.values()) }
    arena_sum_for_small(arena: &Arena<u32>) -> u64 { sum(arena.values()) }
    arena_sum_for_handle32(arena: &Arena<u32, Handle32<u32>>) -> u64 { sum(arena.values()) }
    paged_sum_for(paged: &PagedArena<u32>) -> u64 { sum(paged.values()) }
    pool_sum_for(pool: &Pool<u32>) -> u64 { sum(pool.values()) }
    paged_get(paged: &PagedArena<Value>, key: Handle<Value>) -> Option<&Value> { paged.get(key) }
    dense_get(dense: &DenseArena<Value>, key: Handle<Value>) -> Option<&Value> { dense.get(key) }
    dense_insert(dense: &mut DenseArena<Value>, value: Value) -> Handle<Value> { dense.insert(value) }
    secondary_get(map: &Side, key: Handle<Value>) -> Option<&Value> { map.get(key) }
    secondary_insert(map: &mut Side, key: Handle<Value>, value: Value) -> Option<Value> { map.insert(key, value) }
    dense_remove(dense: &mut DenseArena<Value>, key: Handle<Value>) -> Option<Value> { dense.remove(key) }
    soa_get(soa: &SoaArena<Fields>, key: Handle<Fields>) -> Option<&f32> { soa.get(key).map(|fields| fields.1) }
    soa_insert(soa: &mut SoaArena<Fields>, value: Fields) -> Handle<Fields> { soa.insert(value) }
    soa_remove(soa: &mut SoaArena<Fields>, key: Handle<Fields>) -> Option<Fields> { soa.remove(key) }
    soa_add_columns(soa: &mut SoaArena<(f32, f32)>) -> () {{
        let (places, speeds) = soa.columns_mut();
        for (place, speed) in places.iter_mut().zip(speeds) {
            *place += *speed;
        }
    }}
    dense_soa_get(soa: &DenseSoaArena<Fields>, key: Handle<Fields>) -> Option<&f32> { soa.get(key).map(|fields| fields.1) }
    dense_soa_insert(soa: &mut DenseSoaArena<Fields>, value: Fields) -> Handle<Fields> { soa.insert(value) }
    dense_soa_remove(soa: &mut DenseSoaArena<Fields>, key: Handle<Fields>) -> Option<Fields> { soa.remove(key) }
}

/// By a plain `for` loop.
#[inline(always)]
fn sum<'a, T: Copy + Into<u64> + 'a>(values: impl Iterator<Item = &'a T>) -> u64 {
    let mut sum = 0;
    for &value in values {
        sum ^= value.into();
    }
    sum
}

fn main() {}
