//! A reader's work in C, without one, so that it can be interpreted: it takes the structs as bytes, follows their
//! pointers, and calls their release functions.

use std::slice;
use std::sync::Arc;

use larder::{DenseSoaArena, SoaArena};

use super::{ArrowArray, ArrowSchema, Primitive};
use crate::{Exported, export};

/// A struct of the interface.
trait Moved: Sized {
    fn forget_release(&mut self);
}

impl Moved for ArrowArray {
    fn forget_release(&mut self) {
        self.release = None;
    }
}

impl Moved for ArrowSchema {
    fn forget_release(&mut self) {
        self.release = None;
    }
}

/// Moves a struct out, and marks what is left as released.
fn take<S: Moved>(exported: *mut S) -> S {
    // SAFETY: it is a whole struct; what is left is released, so nothing of it is used again.
    let taken = unsafe { exported.read() };
    // SAFETY: as above.
    unsafe { &mut *exported }.forget_release();
    taken
}

/// The words of bits, if there are some, and the values.
fn read<F: Primitive>(array: &ArrowArray) -> (Option<Vec<u64>>, Vec<F>) {
    assert_eq!((array.n_buffers, array.offset, array.n_children), (2, 0, 0));
    assert!(array.children.is_null() && array.dictionary.is_null());
    // SAFETY: so many buffers are there.
    let buffers = unsafe { slice::from_raw_parts(array.buffers, 2) };
    let bits = (!buffers[0].is_null()).then(|| {
        // SAFETY: there is a bit for each value, in words.
        unsafe { slice::from_raw_parts(buffers[0].cast(), array.len().div_ceil(64)) }.to_vec()
    });
    // SAFETY: so many values are there.
    let values = unsafe { slice::from_raw_parts(buffers[1].cast(), array.len()) };
    (bits, values.to_vec())
}

fn release_in_c(array: &mut ArrowArray, schema: &mut ArrowSchema) {
    let (of_array, of_schema) = (array.release.unwrap(), schema.release.unwrap());
    // SAFETY: it was not released yet.
    unsafe { of_array(array) };
    // SAFETY: as above.
    unsafe { of_schema(schema) };
    assert!(array.is_released() && array.private_data.is_null());
    assert!(schema.is_released() && schema.private_data.is_null());
}

#[test]
fn a_reader_takes_reads_and_releases() {
    let mut bodies = SoaArena::from_iter((0..70_u32).map(|n| (n, f64::from(n) / 2.0)));
    let key = bodies.key_of_slot(65).unwrap();
    bodies.remove(key);
    let bodies = Arc::new(bodies);
    let Exported { mut array, mut schema } = export(&bodies, "half", |bodies| bodies.columns().1);
    let mut taken = (take(array.as_mut_ptr()), take(schema.as_mut_ptr()));
    assert!(array.is_released() && schema.is_released());
    drop((array, schema));

    // The exported array keeps the arena alive, alone.
    assert_eq!(Arc::strong_count(&bodies), 2);
    drop(bodies);
    let (array, schema) = &mut taken;
    assert_eq!((schema.name(), schema.format(), schema.flags), ("half", "g", 2));
    assert_eq!((array.len(), array.null_count()), (70, 1));
    let (bits, values) = read::<f64>(array);
    assert_eq!(bits, Some([u64::MAX, 0b11_1101].map(u64::to_le).to_vec()));
    let expected = |n: u32| if n == 65 { 0.0 } else { f64::from(n) / 2.0 };
    assert!(values.into_iter().eq((0..70).map(expected)));
    release_in_c(array, schema);
}

#[test]
fn what_nobody_takes_is_released_when_it_is_dropped() {
    let bodies = Arc::new(DenseSoaArena::from_iter([(1_u8, 2_i64), (3, 4)]));
    let all = [
        export(&bodies, "small", |bodies| bodies.columns().0),
        export(&bodies, "", |bodies| bodies.columns().0),
    ];
    assert_eq!(Arc::strong_count(&bodies), 3);
    assert_eq!(read::<u8>(&all[0].array), (None, vec![1, 3]));
    drop(all);
    let mut bodies = Arc::try_unwrap(bodies).expect("nobody shares it");
    bodies.insert((5, 6));
    assert_eq!(bodies.columns().1, [2, 4, 6]);
}

#[test]
fn an_array_is_read_and_released_elsewhere() {
    let bodies = Arc::new(SoaArena::from_iter(0..100_u16));
    let mut exported = export(&bodies, "number", |bodies| bodies.columns());
    let array = take(exported.array.as_mut_ptr());
    let reader = std::thread::spawn(move || read::<u16>(&array).1.into_iter().sum::<u16>());
    assert_eq!(bodies.columns().iter().sum::<u16>(), reader.join().unwrap());
    assert!(Arc::try_unwrap(bodies).is_ok(), "the reader released it");
}

#[test]
fn an_empty_column_has_no_values_to_read() {
    let none = Arc::new(SoaArena::<f32>::new());
    let exported = export(&none, "none", |none| none.columns());
    assert_eq!(read::<f32>(&exported.array), (None, vec![]));
}
