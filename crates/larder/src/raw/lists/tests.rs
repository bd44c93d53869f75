//! Keys, classes of pieces, which piece is taken, and generations of heads.

use super::pieces::{CLASSES, Head, ListKey, class_for, least, room_of};
use super::{Buffer, Lists};

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

/// A head that has had its last list is gone for good, unless all begin anew.
#[test]
fn heads_begin_anew_where_half_of_them_are_used_up() {
    const LAST: u32 = (1 << ListKey::GENERATION_BITS) - 1;
    let mut lists = Lists::<u32>::new(7);
    lists.set_brand(7, 10);
    assert_eq!(lists.reached(), Some(10), "where the number began");
    let [one, other] = [(); 2].map(|()| lists.make(1).unwrap());
    assert_eq!((one.generation(), lists.reached()), (11, Some(11)));
    assert!(lists.free(one));
    assert_eq!(lists.reached(), Some(12), "of which none is left");
    let one = lists.make(0).unwrap();
    assert_eq!((one.generation(), lists.reached()), (13, Some(13)));
    let last = ListKey::tag_of(LAST, 7);
    lists.heads[one.slot() as usize].tag = last;
    let one = ListKey::of(last, one.slot(), 7);
    assert_eq!((lists.contains(one), lists.reached()), (true, Some(LAST)));
    assert!(lists.free(one) && !lists.contains(one));
    assert_eq!((lists.reached(), lists.renew_if_worn()), (None, false), "there is the other list");
    assert!(lists.free(other));
    assert!(lists.renew_if_worn(), "one of two is used up");
    lists.validate();
    assert_eq!((lists.reached(), lists.make(0).unwrap().generation()), (Some(0), 1));
    assert!(!lists.renew_if_worn());
}

/// Where room was made for values, all of them fit.
#[test]
fn copies_fill_a_piece_to_its_end() {
    let mut lists = Lists::new(0);
    let list = lists.make(8).unwrap();
    assert!(lists.push_copies(list, &[1; 5]) && !lists.push_copies(list, &[2; 4]));
    assert!(lists.push_copies(list, &[3; 3]));
    assert_eq!(lists.get(list), Some(&[1, 1, 1, 1, 1, 3, 3, 3][..]));
    assert!(lists.push_copies(list, &[]) && !lists.push_copies(list, &[4]));
}

#[test]
fn a_key_has_all_bits_of_its_parts() {
    assert_eq!((ListKey::GENERATION_BITS, ListKey::MAX_SLOTS), (20, 0xFFF_FFFF));
    for generation in [0, 1, 0xA_BCDE, 0xF_FFFF] {
        for brand in [0, 1, 0xABCD, 0xFFFF] {
            for slot in [0, 1, 0xABC_DEF9, 0xFFF_FFFE] {
                let tag = ListKey::tag_of(generation, brand);
                let key = ListKey::of(tag, slot, brand);
                let parts = (key.generation(), key.brand(), key.slot(), key.tag());
                assert_eq!(parts, (generation, brand, slot, tag));
                assert_eq!(key.low() ^ ListKey::twist(brand), slot);
                assert_eq!(Head { tag, start: 0, fill: 0 }.generation(), generation);
            }
        }
    }
}

/// A type of which a block has room for fewer values than a list may have otherwise.
type Huge = [u8; usize::MAX >> 24];

#[test]
fn lists_are_as_long_as_is_counted_and_as_there_can_be_memory() {
    assert_eq!(Lists::<()>::LONGEST, 0xFFFF_FFFF);
    assert_eq!((Lists::<u8>::LONGEST, Lists::<[u8; 9]>::LONGEST), (67_108_864, 67_108_864));
    assert_eq!(Lists::<Huge>::LONGEST, Buffer::<Huge>::MAX);
    const { assert!(Buffer::<Huge>::MAX < 67_108_864) };
    let first = (Lists::<u8>::FIRST_ROOM, Lists::<[u8; 1_024]>::FIRST_ROOM);
    assert_eq!((first, Lists::<[u8; 1_025]>::FIRST_ROOM), ((4, 4), 1));
}

#[test]
fn the_last_list_grows_in_place() {
    let mut lists = Lists::<u32>::new(7);
    let list = lists.make(2).unwrap();
    for number in 0..100 {
        if lists.push(list, number).is_err() {
            lists.grow_by_one(list).unwrap().unwrap();
            lists.push(list, number).unwrap();
        }
    }
    let account = lists.account();
    assert_eq!((account.in_lists, account.in_free_pieces, account.mark), (128, 0, 128));
    assert!(lists.get(list).unwrap().iter().copied().eq(0..100));
    lists.validate();
}

#[test]
fn a_larger_piece_is_cut_only_where_the_block_would_have_to_grow() {
    let mut lists = Lists::<u32>::new(7);
    lists.reserve_rooms(100).unwrap();
    let large = lists.make(16).unwrap();
    lists.make(2).unwrap();
    lists.free(large);
    let mut made = |room| {
        lists.make(room).unwrap();
        lists.validate();
        let account = lists.account();
        (account.mark, account.in_free_pieces, account.capacity)
    };
    assert_eq!(made(2), (20, 16, 100));
    assert_eq!(made(64), (84, 16, 100));
    assert_eq!(made(8), (92, 16, 100));
    assert_eq!(made(8), (100, 16, 100));
    assert_eq!(made(2), (100, 14, 100), "the block was full");
}

#[test]
fn what_is_reserved_already_needs_no_memory() {
    let mut lists = Lists::<u32>::new(7);
    for rooms in [0, 100, 100, 99] {
        lists.reserve_rooms(rooms).unwrap();
        assert_eq!(lists.account().capacity, rooms.next_multiple_of(100));
    }
}

#[test]
#[should_panic(expected = "the last piece was lost")]
fn a_lost_piece_is_noticed() {
    let mut lists = Lists::<u32>::new(7);
    lists.make(2).unwrap();
    lists.reserve_rooms(2).unwrap();
    lists.mark += 2;
    lists.validate();
}

#[test]
#[should_panic(expected = "a head is another pool's")]
fn a_head_of_another_pool_is_noticed() {
    let mut lists = Lists::<u32>::new(0x10);
    lists.make(2).unwrap();
    lists.brand = 0x20;
    lists.validate();
}
