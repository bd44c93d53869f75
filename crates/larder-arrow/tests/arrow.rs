//! The results of arrow-rs when it reads exported columns.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrowNativeTypeOp, PrimitiveArray};
use arrow_schema::Field;
use larder::soa::Fill;
use larder::{DenseSoaArena, Handle, SoaArena};
use larder_arrow::{Exported, Primitive, export};

/// Reads an array as any user of the interface does.
fn read<P: ArrowPrimitiveType>(exported: &mut Exported) -> (PrimitiveArray<P>, Field) {
    // SAFETY: it is the schema of the interface; what is left is released.
    let schema = unsafe { FFI_ArrowSchema::from_raw(exported.schema.as_mut_ptr().cast()) };
    // SAFETY: as above, the array.
    let array = unsafe { FFI_ArrowArray::from_raw(exported.array.as_mut_ptr().cast()) };
    assert!(exported.array.is_released() && exported.schema.is_released());
    assert_eq!((exported.schema.name(), exported.schema.format()), ("", ""));
    let field = Field::try_from(&schema).unwrap();
    // SAFETY: what was exported follows the interface.
    let data = unsafe { from_ffi(array, &schema) }.unwrap();
    data.validate_full().unwrap();
    (PrimitiveArray::from(data), field)
}

/// A column of every type, in both containers.
fn round<F, P>(make: impl Fn(u8) -> F)
where
    F: Primitive + larder::Soa<Arrangement = larder::soa::Split> + Fill + ArrowNativeTypeOp,
    F::Shape: Send + Sync,
    P: ArrowPrimitiveType<Native = F>,
    F: larder::soa::view::OneColumn,
{
    let mut holed = SoaArena::<F>::from_iter((1..=100).map(&make));
    for slot in [0, 63, 64, 98] {
        let key = holed.key_of_slot(slot).unwrap();
        holed.remove(key);
    }
    let holed = Arc::new(holed);
    let (array, field) = read::<P>(&mut export(&holed, "holed", |arena| arena.columns()));
    assert_eq!((field.name().as_str(), field.is_nullable()), ("holed", true));
    assert_eq!(field.data_type(), &P::DATA_TYPE);
    assert_eq!((array.len(), array.null_count()), (100, 4));
    assert_eq!(array.values().as_ptr(), holed.columns().as_ptr(), "not copied");
    for slot in 0..100_u32 {
        let value = holed.key_of_slot(slot).and_then(|key| holed.get(key)).copied();
        assert_eq!(array.is_valid(slot as usize).then(|| array.value(slot as usize)), value);
    }

    let dense = Arc::new(DenseSoaArena::<F>::from_iter((1..=100).map(&make)));
    let (array, field) = read::<P>(&mut export(&dense, "dense", |arena| arena.columns()));
    assert!(!field.is_nullable() && array.nulls().is_none());
    assert_eq!(array.values().as_ptr(), dense.columns().as_ptr(), "not copied");
    assert!(array.values().iter().eq(dense.columns()));
}

#[test]
fn every_type_is_read_as_it_was() {
    round::<i8, Int8Type>(|n| n as i8);
    round::<u8, UInt8Type>(|n| n);
    round::<i16, Int16Type>(|n| -i16::from(n));
    round::<u16, UInt16Type>(|n| u16::from(n) << 8);
    round::<i32, Int32Type>(|n| -i32::from(n));
    round::<u32, UInt32Type>(|n| u32::from(n) << 24);
    round::<i64, Int64Type>(|n| -i64::from(n));
    round::<u64, UInt64Type>(|n| u64::from(n) << 50);
    round::<f32, Float32Type>(|n| f32::from(n) / 3.0);
    round::<f64, Float64Type>(|n| f64::from(n) / 3.0);
}

#[test]
fn a_lone_hole_and_slots_past_the_last_are_not_there() {
    for slots in [1, 2, 63, 64, 65, 127, 128, 200_u32] {
        for hole in [0, slots / 2, slots - 1] {
            let mut arena = SoaArena::<u32>::from_iter(0..slots);
            let key = arena.key_of_slot(hole).unwrap();
            arena.remove(key); // a hole that only a number tells of
            let arena = Arc::new(arena);
            let (array, _) = read::<UInt32Type>(&mut export(&arena, "", |arena| arena.columns()));
            assert_eq!((array.len(), array.null_count()), (slots as usize, 1));
            assert!(array.iter().enumerate().all(|(at, value)| match value {
                Some(value) => value == at as u32,
                None => at as u32 == hole,
            }));
        }
    }
}

#[test]
fn nothing_is_an_array_of_nothing() {
    let arena = Arc::new(SoaArena::<f64>::new());
    let (array, _) = read::<Float64Type>(&mut export(&arena, "", |arena| arena.columns()));
    assert!(array.is_empty());

    let mut all_gone = SoaArena::<f64>::from_iter([1.0, 2.0]);
    all_gone.retain(|_, _| false);
    let all_gone = Arc::new(all_gone);
    let (array, _) = read::<Float64Type>(&mut export(&all_gone, "", |arena| arena.columns()));
    assert_eq!(array.null_count(), array.len());
}

/// A value that says when it is dropped.
#[derive(Clone)]
struct Tells(Arc<AtomicUsize>);

impl Drop for Tells {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn an_array_keeps_the_arena_and_outlives_the_last_of_its_owners() {
    let drops = Arc::new(AtomicUsize::new(0));
    let rows = (0..10).map(|number| (number, Tells(Arc::clone(&drops))));
    let mut arena: Arc<DenseSoaArena<(i64, Tells)>> = Arc::new(rows.collect());
    let (first, _) = read::<Int64Type>(&mut export(&arena, "n", |arena| arena.columns().0));
    let second = export(&arena, "n", |arena| arena.columns().0);
    assert!(Arc::get_mut(&mut arena).is_none());
    drop(second); // never read: released all the same
    drop(arena);
    assert_eq!(drops.load(Ordering::SeqCst), 0);
    // On another thread, and in part.
    let sum = std::thread::spawn(move || first.slice(5, 5).values().iter().sum::<i64>());
    assert_eq!(sum.join().unwrap(), 35);
    assert_eq!(drops.load(Ordering::SeqCst), 10);
}

#[test]
fn an_arena_can_be_changed_when_all_is_released() {
    let arena = Arc::new(SoaArena::from_iter([1_u8, 2]));
    let exported = export(&arena, "bytes", |arena| arena.columns());
    let arena = Arc::try_unwrap(arena).expect_err("it is shared");
    drop(exported);
    let mut arena = Arc::try_unwrap(arena).unwrap();
    let key: Handle<u8> = arena.insert(3);
    assert_eq!(arena.get(key), Some(&3));
}

#[test]
#[should_panic(expected = "a whole column has 3 values, `pick` chose 2")]
fn a_part_of_a_column_is_refused() {
    let arena = Arc::new(SoaArena::from_iter([1_u8, 2, 3]));
    let _ = export(&arena, "part", |arena| &arena.columns()[1..]);
}

#[test]
#[should_panic(expected = "a column's name is a string of C")]
fn a_name_with_a_nul_is_refused() {
    let arena = Arc::new(DenseSoaArena::from_iter([1_u8]));
    let _ = export(&arena, "a\0b", |arena| arena.columns());
}
