//! Values field by field, each field in a column, all columns in one block.
//!
//! **Invariant.** `block` is made for [`Columns::layout`], of which `max` is part: the number of values for which the
//! columns are laid out in reserved or lent memory. `starts` are where they begin in it; without a block, no column has
//! bytes.
//!
//! The contents of the columns, initialised or not, are the owner's business, as in a
//! [`Buffer`](crate::memory::buffer::Buffer).

#![allow(
    unnameable_types,
    missing_debug_implementations,
    reason = "derived code is written with them"
)]

pub(crate) mod arrange;
pub(crate) mod shape;

use core::marker::PhantomData;
use core::ops::Range;
use core::panic::UnwindSafe;
use core::ptr::NonNull;

use crate::error::TryReserveError;
use crate::memory::Extent;
use crate::memory::block::tree::Tree;
use crate::memory::block::{Block, BlockLayout};
use crate::memory::source::Memory;
use crate::memory::storage::{At, Borrowed, CloneAt, EmptyRoom, Room, Storage};
use crate::memory::{after, copies};
use crate::soa::{Soa, view};
use arrange::Arrangement;
use shape::{Arrange, CloneShape, Nest, Shape, addresses};

type StartsOf<T> = <<T as Soa>::Shape as Shape>::Starts;
type ArrangeOf<T> = <<T as Soa>::Arrangement as Arrangement<T>>::Arrange;

/// Room for values in columns. (The fields that accesses read come first.)
#[repr(C)]
pub struct Columns<T: Soa> {
    starts: StartsOf<T>,
    block: Block,
    max: usize,
    /// (A debugger reads the types of the columns here.)
    owns: PhantomData<(T, T::Shape, ArrangeOf<T>)>,
}

/// The contents of the columns of `T`. Only the derive says that the columns have the fields of `T`, so the shape's own
/// auto traits count where threads are concerned, too.
pub(crate) type KeptIn<T> = (T, <T as Soa>::Shape);

// SAFETY: the columns are owned alone, as those of a `Vec` of each field.
unsafe impl<T: Soa> Send for Columns<T> where KeptIn<T>: Send {}
// SAFETY: through shared columns only addresses are handed out; the bound covers what is read there.
unsafe impl<T: Soa> Sync for Columns<T> where KeptIn<T>: Sync {}

/// Owned values, which are unwind safe if those of a `Vec` are.
impl<T: Soa + UnwindSafe> UnwindSafe for Columns<T> {}

/// Runs code that takes a value apart, or puts it together. It is nearly always derived, and cannot
/// panic; were it to, a value would be half here and half there, so the program ends.
#[inline(always)]
pub(crate) fn conversion<R>(convert: impl FnOnce() -> R) -> R {
    /// Panics while a panic unwinds, which aborts.
    struct Abort;

    impl Drop for Abort {
        fn drop(&mut self) {
            panic!("an implementation of `Soa` panicked");
        }
    }

    let abort = Abort;
    let converted = convert();
    core::mem::forget(abort);
    converted
}

/// Finds values in columns.
#[expect(
    unnameable_types,
    missing_debug_implementations,
    reason = "no user sees what a join reads with it"
)]
pub struct InColumns<T: Soa>(StartsOf<T>);

copies!([T: Soa] InColumns<T>);

/// Functions of columns of `T`, which do the same as the shape does for a `T` that is nested in another type.
macro_rules! as_nested {
    ($(
        $(#[$attribute:meta])*
        $(($pub:tt))? fn $name:ident
            [$($life:lifetime)? $(const $l:ident)?] $([$arrange:ty $(, $lanes:ident)?])?
            ($($at:ident: $type:ty),*) $(-> $out:ty)?;
    )*) => {$(
        $(#[$attribute])*
        #[inline(always)]
        $(pub($pub))? unsafe fn $name<$($life,)? $(const $l: usize)?>(self, $($at: $type),*) $(-> $out)?
        where
            $(T: $life)?
        {
            // SAFETY: the shape asks for what the caller says.
            unsafe { Nest::<T>::$name $(::<$arrange $(, $lanes)?>)? (self.0, $($at),*) }
        }
    )*};
}

impl<T: Soa> InColumns<T> {
    as_nested! {
        /// The values of a range, column by column.
        ///
        /// # Safety
        /// They are initialised, lie side by side, and may be borrowed for `'a`.
        (crate) fn columns['a](range: Range<usize>) -> view::Columns<'a, T>;

        /// Returns the values of a range, column by column, to change them. Otherwise like [`columns`](Self::columns).
        ///
        /// # Safety
        /// The contract is that of [`columns`](Self::columns), but the borrow is exclusive.
        (crate) fn columns_mut['a](range: Range<usize>) -> view::ColumnsMut<'a, T>;

        /// A group of values, as arrays.
        ///
        /// # Safety
        /// The `L` values from `index` on are initialised, lie side by side, and may be borrowed for `'a`.
        (crate) fn lanes['a const L][ArrangeOf<T>, L](index: usize) -> view::Lanes<'a, T, L>;

        /// Returns a group of values, as arrays, to change them. Otherwise like [`lanes`](Self::lanes).
        ///
        /// # Safety
        /// The contract is that of [`lanes`](Self::lanes), but the borrow is exclusive.
        (crate) fn lanes_mut['a const L][ArrangeOf<T>, L](index: usize) -> view::LanesMut<'a, T, L>;
    }
}

// SAFETY: a shape writes, reads and borrows all columns alike, at one place for each number.
unsafe impl<T: Soa> At<T> for InColumns<T> {
    type Kept = KeptIn<T>;

    const NOWHERE: Self = Self(T::Shape::NOWHERE);

    type Ref<'a>
        = view::Ref<'a, T>
    where
        T: 'a;
    type RefMut<'a>
        = view::RefMut<'a, T>
    where
        T: 'a;

    as_nested! {
        fn write[][ArrangeOf<T>](index: usize, value: T);
        fn read[][ArrangeOf<T>](index: usize) -> T;
        fn copy[][ArrangeOf<T>](from: usize, to: usize);
        fn drop_range[][ArrangeOf<T>](range: Range<usize>);
        fn get['a][ArrangeOf<T>](index: usize) -> view::Ref<'a, T>;
        fn get_mut['a][ArrangeOf<T>](index: usize) -> view::RefMut<'a, T>;
    }

    #[inline(always)]
    unsafe fn push(self, index: usize, value: T) {
        // SAFETY: (1) there is room for the value, and its group; (2) a group is begun that has none yet.
        unsafe {
            T::Arrangement::begin(self.0, index);
            self.write(index, value);
        }
    }

    #[inline(always)]
    unsafe fn vacate(self, index: usize) {
        // SAFETY: (1) there is room for the value, and (2) none is there.
        unsafe { T::Arrangement::vacate(self.0, index) };
    }
}

/// The way in which columns are borrowed: that of their values.
#[expect(unnameable_types, reason = "no user sees how an iterator lends")]
pub trait BorrowedColumns: Borrowed<Value: Soa> {
    type Columns;
    type Lanes<const L: usize>;

    /// # Safety
    /// 1. The values of the range are initialised, and lie side by side.
    /// 2. They may be borrowed so, for the lifetime of `Self`.
    unsafe fn columns(values: InColumns<Self::Value>, range: Range<usize>) -> Self::Columns;

    /// # Safety
    /// 1. The `L` values from `index` on are initialised, and lie side by side.
    /// 2. They may be borrowed so, for the lifetime of `Self`.
    unsafe fn lanes<const L: usize>(values: InColumns<Self::Value>, index: usize)
    -> Self::Lanes<L>;
}

impl<'a, T: Soa> BorrowedColumns for &'a T {
    type Columns = view::Columns<'a, T>;
    type Lanes<const L: usize> = view::Lanes<'a, T, L>;

    #[inline(always)]
    unsafe fn columns(values: InColumns<T>, range: Range<usize>) -> view::Columns<'a, T> {
        // SAFETY: (1) they are initialised, side by side; (2) they may be borrowed for `'a`.
        unsafe { values.columns(range) }
    }

    #[inline(always)]
    unsafe fn lanes<const L: usize>(values: InColumns<T>, index: usize) -> view::Lanes<'a, T, L> {
        // SAFETY: (1) they are initialised, side by side; (2) they may be borrowed for `'a`.
        unsafe { values.lanes(index) }
    }
}

impl<'a, T: Soa> BorrowedColumns for &'a mut T {
    type Columns = view::ColumnsMut<'a, T>;
    type Lanes<const L: usize> = view::LanesMut<'a, T, L>;

    #[inline(always)]
    unsafe fn columns(values: InColumns<T>, range: Range<usize>) -> view::ColumnsMut<'a, T> {
        // SAFETY: (1) they are initialised, side by side; (2) they may be borrowed exclusively for `'a`.
        unsafe { values.columns_mut(range) }
    }

    #[inline(always)]
    unsafe fn lanes<const L: usize>(
        values: InColumns<T>,
        index: usize,
    ) -> view::LanesMut<'a, T, L> {
        // SAFETY: (1) they are initialised, side by side; (2) they may be borrowed exclusively for `'a`.
        unsafe { values.lanes_mut(index) }
    }
}

impl<T: Soa> CloneAt<T> for InColumns<T>
where
    T::Shape: CloneShape,
{
    #[inline]
    unsafe fn clone_value(self, index: usize) -> T {
        // SAFETY: (1) the value is initialised, and (2) unchanged meanwhile.
        unsafe { Nest::<T>::clone_from_columns::<ArrangeOf<T>>(self.0, index) }
    }
}

// SAFETY: `At` finds what the block has room for.
unsafe impl<T: Soa> Storage<T> for Columns<T> {
    const NAME: &'static str = "SoaArena";
    const PACKED_NAME: &'static str = "DenseSoaArena";

    type At = InColumns<T>;

    const VALUE: usize = T::Shape::TREE.size();

    const LENT: BlockLayout = Self::layout(0);

    fn within(memory: Memory<'_>) -> Result<Self, TryReserveError> {
        let max = memory.max().unwrap_or(0);
        let block = Block::within(Self::layout(max), Self::NOWHERE, memory)?;
        Ok(Self::of(block, max))
    }

    #[inline(always)]
    fn at(&self) -> InColumns<T> {
        InColumns(ArrangeOf::<T>::known::<T::Shape>(self.starts))
    }
}

impl<T: Soa> EmptyRoom for Columns<T> {
    const EMPTY: Self = Self {
        starts: T::Shape::NOWHERE,
        block: Block::on_heap(Self::NOWHERE, true),
        max: 0,
        owns: PhantomData,
    };
}

impl<T: Soa> Room for Columns<T> {
    fn alike(&self) -> Result<Self, TryReserveError> {
        let block = self.block.alike(Self::layout(self.max), Self::NOWHERE)?;
        Ok(Self::of(block, self.max))
    }

    #[inline(always)]
    fn capacity(&self) -> usize {
        self.block.capacity()
    }

    fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        self.block.resize(Self::layout(self.max), capacity)?;
        self.find();
        Ok(())
    }

    fn check(&self, capacity: usize) -> Result<(), TryReserveError> {
        Self::layout(self.max).check(capacity)
    }

    fn memory(&self) -> Extent {
        self.block.memory(Self::layout(self.max))
    }
}

impl<T: Soa> Columns<T> {
    const NOWHERE: NonNull<u8> = NonNull::dangling();

    const fn layout(max: usize) -> BlockLayout {
        match ArrangeOf::<T>::LANES {
            0 => BlockLayout::Split { tree: &T::Shape::TREE, max },
            lanes => {
                let (align, size) = const { T::Shape::TREE.group(ArrangeOf::<T>::LANES) };
                BlockLayout::Whole { size, align, lanes }
            }
        }
    }

    /// Returns the addresses at which the columns begin.
    #[cfg(feature = "snapshot")]
    pub(crate) const fn starts(&self) -> StartsOf<T> {
        self.starts
    }

    /// Columns in that block.
    fn of(block: Block, max: usize) -> Self {
        let mut this = Self { starts: T::Shape::NOWHERE, block, max, owns: PhantomData };
        this.find();
        this
    }

    /// Finds where the columns begin.
    fn find(&mut self) {
        let (layout, starts) = (Self::layout(self.max), addresses::<T::Shape>(&mut self.starts));
        find_columns(&self.block, layout, &T::Shape::TREE, starts);
    }
}

/// Finds the columns of a tree in a block; without a block their addresses stay as they are.
fn find_columns(block: &Block, layout: BlockLayout, tree: &Tree, starts: &mut [NonNull<u8>]) {
    let mut parts = block.starts(layout);
    match layout {
        BlockLayout::Split { .. } => {
            starts.iter_mut().zip(parts).for_each(|(start, part)| *start = part)
        }
        BlockLayout::Whole { lanes, .. } => {
            let Some(group) = parts.next() else { return };
            for (start, offset) in starts.iter_mut().zip(tree.lane_offsets(lanes)) {
                *start = after(group, offset);
            }
        }
    }
}

impl<T: Soa> Drop for Columns<T> {
    /// Returns the block to where it came from.
    fn drop(&mut self) {
        // SAFETY: nothing that lay in it is used again.
        unsafe { self.block.free(Self::layout(self.max)) };
    }
}

// (Numbers only: no memory is touched.)
#[cfg(all(test, not(miri)))]
mod tests {
    //! The places of columns, and of lanes in their groups.

    use alloc::boxed::Box;
    use alloc::vec::Vec;
    use core::mem::MaybeUninit;

    use super::Columns;
    use super::arrange::TemporaryColumns;
    use super::shape::{Leaf, Pair, Shape};
    use crate::error::TryReserveError;
    use crate::memory::block::tree::{ColumnPlaces, LARGE, LINE, Tree};
    use crate::memory::storage::{EmptyRoom, Room};

    type Ten = Pair<Five, Five>;
    type Five = Pair<Leaf<u32>, Pair<Leaf<f32>, Pair<Leaf<i32>, Pair<Leaf<u32>, Leaf<u32>>>>>;

    /// Little that needs much between.
    type Apart = Pair<Leaf<u8>, Leaf<u8, 128>>;

    const TREES: [&Tree; 7] = [
        &Leaf::<u8>::TREE,
        &Leaf::<(), 32>::TREE,
        &Pair::<Leaf<u8>, Pair<Leaf<u64>, Leaf<[u8; 3], 16>>>::TREE,
        &Pair::<Pair<Leaf<u16>, Leaf<[u64; 9]>>, Leaf<u8, 128>>::TREE,
        &Five::TREE,
        &Ten::TREE,
        &Apart::TREE,
    ];

    /// Begin, first and end of each column, and the size of its values.
    fn spans(tree: &Tree, capacity: usize, grain: usize) -> Vec<(usize, usize, usize, usize)> {
        let mut places = ColumnPlaces::new(tree, capacity, grain);
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
                    let total = ColumnPlaces::total(tree, capacity, grain).unwrap();
                    assert!(before <= total && total - before < grain, "{tree:?} of {capacity}");
                    let between = total - capacity * tree.size();
                    assert!(grain > 1 || between <= tree.most_between(), "{tree:?} of {capacity}");
                }
            }
            for bytes in [usize::MAX, isize::MAX as usize] {
                let total = ColumnPlaces::total(tree, bytes / tree.size().max(1), 1);
                assert_eq!(total.is_none(), tree.size() > 0, "no memory is so large");
            }
        }
    }

    /// However far apart columns may lie, few numbers of values have to be tried to find the most that fit.
    #[test]
    fn a_block_for_many_more_values_ends_no_earlier() {
        type Wide = Pair<Leaf<u8, { 1 << 28 }>, Pair<Leaf<()>, Leaf<u8>>>;
        type Mixed = Pair<Leaf<u8, 65_536>, Pair<Leaf<u8>, Pair<Leaf<(), 512>, Leaf<u16, 2048>>>>;

        assert_eq!(Wide::TREE.wavers(), 3 * 4_096);
        for tree in TREES.into_iter().chain([&Wide::TREE, &Mixed::TREE]) {
            for capacity in (0..if cfg!(miri) { 10 } else { 3_000 }).chain([65_535, 1 << 20]) {
                let end = ColumnPlaces::total(tree, capacity, 1);
                for more in [0, 1, 63, 777, 4_096] {
                    let further = ColumnPlaces::total(tree, capacity + tree.wavers() + more, 1);
                    assert!(further >= end, "{tree:?} of {capacity}, {more}");
                }
            }
        }
    }

    /// The caches find a line by its address modulo 4 KiB.
    #[test]
    fn large_columns_begin_at_lines_of_their_own() {
        for tree in [&Five::TREE, &Ten::TREE, &Pair::<Leaf<u32, 256>, Leaf<u32, 256>>::TREE] {
            // (The last begins its second column beyond 2³² lines.)
            let beyond = usize::try_from(((1_u64 << 32) - 65) * 16);
            for capacity in (LARGE / 4..2_000).chain([4_096, 65_536, 1 << 20]).chain(beyond) {
                let lines = spans(tree, capacity, 1);
                let mut lines: Vec<_> = lines.iter().map(|span| span.1 / LINE % 64).collect();
                lines.sort_unstable();
                let apart = lines.windows(2).all(|pair| pair[1] - pair[0] > 1);
                assert!(apart && lines.len() == tree.count(), "{capacity}: {lines:?}");
            }
        }
    }

    /// A column that comes to lie before another one keeps the lines that are that one's.
    #[test]
    fn neighbours_of_lines_stay_used() {
        type Three = Pair<Leaf<[u8; 62]>, Pair<Leaf<[u8; 65]>, Leaf<[u8; 64]>>>;
        let lines: Vec<_> = spans(&Three::TREE, 64, 1).iter().map(|span| span.1 / LINE).collect();
        // Lines 63 and 64 are the first's, modulo 64, and its neighbour.
        assert_eq!(lines, [0, 62, 130]);
    }

    #[test]
    fn columns_are_large_from_1_kib_on() {
        let second = |capacity| spans(&Pair::<Leaf<u8>, Leaf<u8>>::TREE, capacity, 1)[1].1;
        assert_eq!((second(1_023), second(1_024)), (1_023, 1_024));
        assert_eq!((second(1_025), second(4_096)), (1_088, 4_096 + 128));
    }

    #[test]
    fn small_temporary_columns_begin_anywhere_and_large_ones_at_a_line() {
        #[repr(align(64))]
        struct Lines([MaybeUninit<u8>; 4_096]);

        let mut lines = Lines([const { MaybeUninit::uninit() }; 4_096]);
        for (bytes, expected) in [(64, 1), (1_023, 1), (1_024, 64), (4_000, 64)] {
            let start = lines.0.as_ptr().addr();
            let mut scratch =
                TemporaryColumns::<Leaf<u8>>::within(&mut lines.0[1..][..bytes]).ok().unwrap();
            assert_eq!(scratch.columns_mut().as_ptr().addr() - start, expected, "{bytes} bytes");
        }
    }

    #[test]
    fn a_tree_says_what_its_columns_are() {
        let drops = [
            &Pair::<Leaf<u8>, Leaf<u8>>::TREE,
            &Pair::<Leaf<Box<u8>>, Leaf<u8>>::TREE,
            &Pair::<Leaf<u8>, Leaf<Box<u8>>>::TREE,
        ];
        assert_eq!(drops.map(Tree::needs_drop), [false, true, true]);
        for tree in TREES {
            let columns = 0..tree.count();
            assert_eq!(
                columns.clone().map(|at| tree.align_of(at)).max(),
                Some(tree.natural_align())
            );
            assert_eq!(columns.map(|at| tree.size_of(at)).sum::<usize>(), tree.size());
        }
    }

    /// A file is mapped to where columns would lie that were reserved.
    #[test]
    #[cfg(feature = "snapshot")]
    fn columns_in_reserved_memory_begin_alike_in_their_pages() {
        for tree in TREES {
            for (capacity, grain) in [(1, 4_096), (1_000, 4_096), (100_003, 64 << 10)] {
                let spans = spans(tree, capacity, grain);
                assert!(tree.phases(4096).eq(spans.iter().map(|span| span.1 - span.0)), "{tree:?}");
            }
        }
    }

    #[test]
    fn as_many_values_fit_as_there_can_be() {
        for tree in TREES.into_iter().filter(|tree| tree.size() > 0) {
            for bytes in (0..3_000).chain([16 << 10, 100_000]) {
                let count = ColumnPlaces::fitting(tree, bytes);
                let takes = |count| ColumnPlaces::total(tree, count, 1).unwrap();
                assert!(count == 0 || takes(count) <= bytes, "{count} in {bytes}");
                let more = if count < 64 { count + 1 } else { count + 64 };
                assert!(takes(more) > bytes, "{count} in {bytes}, where {more} fit");
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
                for before in [0, 1, 100, 129] {
                    let (begin, align) = (tree.lanes_begin(before, lanes), tree.align_of(0));
                    assert!(
                        begin % align == 0 && begin >= before && begin - before < align.max(LINE)
                    );
                }
            }
        }
    }

    #[test]
    fn lanes_of_a_block_fill_it() {
        for tree in TREES.into_iter().filter(|tree| tree.size() > 0) {
            for bytes in [100, 256, 1_000, 4_800, 14_400, 16 << 10, 1 << 20] {
                let lanes = tree.lanes_within(bytes);
                assert!(lanes.is_power_of_two() || lanes % 64 == 0, "{lanes}");
                assert!(lanes == 1 || tree.group(lanes).1 <= bytes, "{lanes} in {bytes}");
                let more = if lanes < 64 { lanes * 2 } else { lanes + 64 };
                assert!(tree.group(more).1 > bytes, "{lanes} in {bytes}, where {more} fit");
            }
        }
    }

    #[test]
    fn columns_that_cannot_be_are_refused() {
        let mut columns = Columns::<(u32, u64)>::EMPTY;
        columns.resize(3).unwrap();
        let (requested, max) = (usize::MAX, isize::MAX as usize / 12);
        let refused = Err(TryReserveError::CapacityOverflow { requested, max });
        assert_eq!(
            (columns.check(requested), columns.resize(requested)),
            (refused.clone(), refused)
        );
        assert_eq!((columns.check(1_000), columns.capacity()), (Ok(()), 3));
    }
}
