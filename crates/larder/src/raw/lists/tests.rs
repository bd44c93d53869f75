//! Classes of pieces.

use super::Lists;
use super::pieces::{CLASSES, class_for, least, room_of};

fn classes_are_the_smallest<T>() {
    let longest = Lists::<T>::LONGEST as u32;
    for len in (0..2_000).chain([4_096, 4_097, 1 << 20, longest - 1, longest]) {
        let class = class_for::<T>(len);
        assert!(room_of::<T>(class) >= len, "{len} in class {class}");
        assert!(class == 0 || room_of::<T>(class - 1) < len, "{len} in class {class}");
        assert!((class as usize) < CLASSES);
    }
    assert_eq!((class_for::<T>(0), room_of::<T>(0)), (0, 0));
    assert!(Lists::<T>::class_of(longest as usize + 1).is_err(), "no piece is so large");
    assert!(least::<T>() as usize * size_of::<T>() >= size_of::<u32>(), "room for a link");
    assert_eq!(least::<T>().count_ones(), 1);
}

#[test]
fn classes_are_the_smallest_with_room() {
    classes_are_the_smallest::<u8>();
    classes_are_the_smallest::<u16>();
    classes_are_the_smallest::<[u64; 3]>();
    classes_are_the_smallest::<[u8; 2_000]>();
    assert_eq!((class_for::<()>(9), room_of::<()>(0)), (0, u32::MAX), "they lie nowhere");
}
