//! Where columns, and lanes in their groups, lie.

use alloc::vec::Vec;

use super::shape::{Leaf, Pair, Shape};
use super::tree::{LARGE, LINE, Places, Tree};

type Ten = Pair<Five, Five>;
type Five = Pair<Leaf<u32>, Pair<Leaf<f32>, Pair<Leaf<i32>, Pair<Leaf<u32>, Leaf<u32>>>>>;

const TREES: [&Tree; 6] = [
    &Leaf::<u8>::TREE,
    &Leaf::<(), 32>::TREE,
    &Pair::<Leaf<u8>, Pair<Leaf<u64>, Leaf<[u8; 3], 16>>>::TREE,
    &Pair::<Pair<Leaf<u16>, Leaf<[u64; 9]>>, Leaf<u8, 128>>::TREE,
    &Five::TREE,
    &Ten::TREE,
];

/// Begin, first and end of each column, and the size of its values.
fn spans(tree: &Tree, capacity: usize, grain: usize) -> Vec<(usize, usize, usize, usize)> {
    let mut places = Places::new(tree, capacity, grain);
    let next = || places.next().map(|(span, size)| (span.begin, span.first, span.end, size));
    core::iter::from_fn(next).collect()
}

#[test]
fn columns_lie_in_order_aligned_and_within_the_block() {
    for tree in TREES {
        for capacity in (0..200).chain([1_000, 4_096, 100_003]) {
            for grain in [1, 64 << 10, 2 << 20] {
                let spans = spans(tree, capacity, grain);
                assert_eq!(spans.len(), tree.count());
                let mut before = 0;
                for (column, &(begin, first, end, size)) in spans.iter().enumerate() {
                    assert!(before <= begin && begin <= first, "{tree:?} of {capacity}");
                    assert_eq!(end - first, size * capacity);
                    assert_eq!((begin % grain, first % tree.align_of(column)), (0, 0));
                    before = end;
                }
                let total = Places::total(tree, capacity, grain).unwrap();
                assert!(before <= total && total - before < grain, "{tree:?} of {capacity}");
            }
        }
        assert_eq!(Places::total(tree, usize::MAX, 1).is_none(), tree.size() > 0);
    }
}

/// The caches find a line by its address modulo 4 KiB.
#[test]
fn large_columns_begin_at_lines_of_their_own() {
    for tree in [&Five::TREE, &Ten::TREE] {
        for capacity in (LARGE / 4..2_000).chain([4_096, 65_536, 1 << 20]) {
            let lines = spans(tree, capacity, 1);
            let mut lines: Vec<_> = lines.iter().map(|span| span.1 / LINE % 64).collect();
            lines.sort_unstable();
            let apart = lines.windows(2).all(|pair| pair[1] - pair[0] > 1);
            assert!(apart && lines.len() == tree.count(), "{capacity}: {lines:?}");
        }
    }
}

#[test]
fn as_many_values_fit_as_there_can_be() {
    for tree in TREES.into_iter().filter(|tree| tree.size() > 0) {
        for bytes in (0..3_000).chain([16 << 10, 100_000]) {
            let count = Places::fitting(tree, bytes);
            let takes = |count| Places::total(tree, count, 1).unwrap();
            assert!(count == 0 || takes(count) <= bytes, "{count} in {bytes}");
            let most = bytes / tree.size();
            let between = tree.most_between() / tree.size();
            assert!(count + 64 + between >= most, "{count} of {most} in {bytes}");
            assert!(count <= 64 || count % 64 == 0);
        }
    }
}

#[test]
fn lanes_lie_in_order_and_within_their_group() {
    for tree in TREES {
        for lanes in [4, 8, 16, 32, 64, 1_088] {
            let (align, size) = tree.group(lanes);
            let offsets: Vec<_> = tree.lane_offsets(lanes).collect();
            assert_eq!((offsets.len(), size % align), (tree.count(), 0));
            let mut end = 0;
            for (column, &offset) in offsets.iter().enumerate() {
                assert!(end <= offset && offset % tree.align_of(column) == 0);
                end = offset + tree.size_of(column) * lanes;
            }
            assert!(end <= size && size - end < align);
            assert_eq!(tree.lanes_end(0, lanes), end);
            assert_eq!(tree.lanes_begin(0, lanes), 0);
        }
    }
}

#[test]
fn lanes_of_a_block_fill_it() {
    for tree in TREES.into_iter().filter(|tree| tree.size() > 0) {
        for bytes in [256, 1_000, 16 << 10, 1 << 20] {
            let lanes = tree.lanes_within(bytes);
            assert!(lanes.is_power_of_two() || lanes % 64 == 0, "{lanes}");
            assert!(lanes == 1 || tree.group(lanes).1 <= bytes, "{lanes} in {bytes}");
            assert!(lanes * tree.size() * 4 > bytes, "{lanes} are few in {bytes}");
        }
    }
}
