//! The block that a container's elements lie in: from the global allocator, in reserved address space,
//! or a piece of what the caller lent. It knows sizes and alignments only, so growing, shrinking and
//! giving back are compiled once for all element types.
//!
//! **Invariant** of a [`Block`], whose owner always names the same [`BlockLayout`]:
//! 1. On the heap, where `origin` has no space: `base` is an allocation of [`Block::heap_layout`] that
//!    nothing else frees (elements, and a tail where there is one, which another owner reads and
//!    writes); or there is none, if that layout has no bytes.
//! 2. Reserved or lent: `base` is its start, for good, and nothing else uses it. It has room for
//!    [`Block::max`] elements, and `capacity` is no more. Of a reserved one the first bytes of each part,
//!    for `capacity` elements, are memory.
//! 3. `base` is aligned as the layout says, and what lies in the block, initialised or not, is the
//!    owner's business: a block never reads, drops or moves an element but as bytes.

pub(crate) mod tree;

use core::alloc;
use core::ptr::NonNull;

use crate::error::TryReserveError;
use crate::memory::Extent;
use crate::memory::source::{LentBlock, Memory, Origin};
use crate::memory::{after, heap, sys};
use tree::{ColumnPlaces, LARGE, Tree};

/// The layout of elements in a block.
#[derive(Clone, Copy)]
pub enum BlockLayout {
    /// Side by side, `lanes` of them in each `size` bytes.
    Whole { size: usize, align: usize, lanes: usize },
    /// Field by field, each column in one piece. In reserved and lent memory the columns are laid out
    /// for `max` elements.
    Split { tree: &'static Tree, max: usize },
}

/// A part of a block that grows in one piece: a column, or all elements.
#[derive(Clone, Copy)]
struct BlockPart {
    /// The offset of its beginning.
    begin: usize,
    /// The offset of its first stride.
    first: usize,
    /// The bytes of one value, or of a group of lanes.
    stride: usize,
}

impl BlockLayout {
    /// The parts of a block for `capacity` elements.
    fn parts(self, capacity: usize, grain: usize) -> impl Iterator<Item = BlockPart> {
        let (mut places, mut whole) = match self {
            Self::Whole { size, .. } => {
                (None, Some(BlockPart { begin: 0, first: 0, stride: size }))
            }
            Self::Split { tree, .. } => (Some(ColumnPlaces::new(tree, capacity, grain)), None),
        };
        core::iter::from_fn(move || {
            let Some(places) = &mut places else { return whole.take() };
            let (span, stride) = places.next()?;
            Some(BlockPart { begin: span.begin, first: span.first, stride })
        })
    }

    /// Returns the number of strides of a part that `count` elements take.
    const fn strides(self, count: usize) -> usize {
        match self {
            // Division takes longer than all else that growing a small block asks.
            Self::Whole { lanes: 1, .. } | Self::Split { .. } => count,
            Self::Whole { lanes, .. } => count.div_ceil(lanes),
        }
    }

    /// Returns the bytes that a block takes; `None` if no memory is so large.
    const fn total(self, capacity: usize, grain: usize) -> Option<usize> {
        let size = match self {
            Self::Whole { size, .. } => size,
            Self::Split { tree, .. } => return ColumnPlaces::total(tree, capacity, grain),
        };
        match self.strides(capacity).checked_mul(size) {
            Some(bytes) if bytes <= isize::MAX as usize - (grain - 1) => {
                Some(bytes.next_multiple_of(grain))
            }
            _ => None,
        }
    }

    /// Returns the alignment of a reservation, or of a lent piece.
    pub(crate) const fn align(self) -> usize {
        match self {
            Self::Whole { align, .. } => align,
            Self::Split { tree, .. } => tree.align(),
        }
    }

    /// Returns the layout that the allocator is asked for, with a tail of that many bytes behind elements that lie
    /// side by side; `None` if no memory is so large.
    #[inline]
    fn heap(self, capacity: usize, tail: usize) -> Option<alloc::Layout> {
        let (size, align) = match self {
            Self::Whole { size, align, .. } => (size, align),
            Self::Split { tree, .. } => return heap_of_columns(tree, capacity),
        };
        let mut bytes = self.strides(capacity).checked_mul(size)?;
        if tail != 0 {
            bytes = bytes.checked_next_multiple_of(align_of::<u64>())?.checked_add(tail)?;
        }
        alloc::Layout::from_size_align(bytes, align).ok()
    }

    /// Returns what [`heap`](Self::heap) does, or an error if no memory is so large.
    #[inline]
    fn try_heap(self, capacity: usize, tail: usize) -> Result<alloc::Layout, TryReserveError> {
        self.heap(capacity, tail).ok_or_else(|| self.overflow(capacity))
    }

    #[cold]
    #[inline(never)]
    fn overflow(self, requested: usize) -> TryReserveError {
        let max = (isize::MAX as usize).checked_div(self.each()).unwrap_or(usize::MAX);
        TryReserveError::CapacityOverflow { requested, max }
    }

    /// Returns an error if no block can have this many elements.
    pub(crate) fn check(self, capacity: usize) -> Result<(), TryReserveError> {
        self.try_heap(capacity, 0).map(drop)
    }

    /// Returns the least number of bytes that an element takes.
    pub(crate) const fn each(self) -> usize {
        match self {
            Self::Whole { size, lanes, .. } => size / lanes,
            Self::Split { tree, .. } => tree.size(),
        }
    }

    /// Returns the number of elements by which more may fit into lent memory although one more does not.
    pub(crate) fn wavers(self) -> usize {
        match self {
            Self::Whole { .. } => 0,
            Self::Split { tree, .. } => tree.wavers(),
        }
    }

    /// Returns the end of a block for `count` elements that begins after the address `at`, in lent memory.
    pub(crate) const fn end(self, at: usize, count: usize) -> Option<usize> {
        let Some(bytes) = self.total(count, 1) else { return None };
        LentBlock::end(at, bytes, self.align())
    }
}

#[inline(never)]
fn heap_of_columns(tree: &Tree, capacity: usize) -> Option<alloc::Layout> {
    let bytes = ColumnPlaces::total(tree, capacity, 1)?;
    // A small block is quicker to get without an alignment that it has no use for.
    let align = if bytes < LARGE { tree.natural_align() } else { tree.align() };
    alloc::Layout::from_size_align(bytes, align).ok()
}

/// A block with room for `capacity` elements. (What accesses read comes first.)
#[repr(C)]
pub struct Block {
    base: NonNull<u8>,
    capacity: usize,
    origin: Origin,
}

impl Block {
    /// No block yet; it will be on the heap. (An address that any element may have is found by the
    /// owner, who knows the alignment.)
    pub(crate) const fn on_heap(base: NonNull<u8>, wants_huge: bool) -> Self {
        Self { base, capacity: 0, origin: Origin::heap(wants_huge) }
    }

    /// A block on the heap, all bytes of which are zero: from an allocator that has them so, they are not touched.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn zeroed(
        layout: BlockLayout,
        nowhere: NonNull<u8>,
        capacity: usize,
    ) -> Result<Self, TryReserveError> {
        let whole = layout.try_heap(capacity, 0)?;
        let base = match whole.size() {
            0 => nowhere,
            _ => heap::allocate_zeroed(whole)?,
        };
        Ok(Self { base, capacity, ..Self::on_heap(nowhere, true) })
    }

    /// No elements yet; their memory will come from there. For reserved memory the address space is taken
    /// now.
    #[inline]
    pub(crate) fn within(
        layout: BlockLayout,
        nowhere: NonNull<u8>,
        memory: Memory<'_>,
    ) -> Result<Self, TryReserveError> {
        match memory {
            Memory::Heap { huge } => Ok(Self::on_heap(nowhere, huge)),
            #[cfg(feature = "reserved")]
            Memory::Reserved { max, huge, ahead } => {
                Self::reserved(layout, nowhere, max, huge, ahead)
            }
            Memory::Lent { max, from } => {
                let whole = layout.try_heap(max, 0)?;
                if whole.size() == 0 {
                    return Ok(Self::on_heap(nowhere, false));
                }
                let origin = Origin::lent(whole.size().next_multiple_of(LentBlock::GRAIN));
                Ok(Self { base: from.take(whole)?, capacity: 0, origin })
            }
        }
    }

    #[cfg(feature = "reserved")]
    fn reserved(
        layout: BlockLayout,
        nowhere: NonNull<u8>,
        max: usize,
        huge: bool,
        ahead: bool,
    ) -> Result<Self, TryReserveError> {
        layout.check(max)?;
        // Parts that begin at multiples of a grain take more: the reservation is judged by that, not by
        // what the columns would take on the heap, and larger grains never take less.
        let bytes_in = |grain| layout.total(max, grain).ok_or(layout.overflow(max));
        let bytes = bytes_in(Origin::grain_for(bytes_in(sys::GRAIN)?, huge))?;
        if bytes == 0 {
            return Ok(Self::on_heap(nowhere, huge));
        }
        let (base, origin) = Origin::reserve(bytes, layout.align(), huge, ahead)?;
        Ok(Self { base, capacity: 0, origin })
    }

    /// An empty block whose memory comes from where this one's does; of lent memory there is no more,
    /// so it is on the heap.
    pub(crate) fn alike(
        &self,
        layout: BlockLayout,
        nowhere: NonNull<u8>,
    ) -> Result<Self, TryReserveError> {
        #[cfg(feature = "reserved")]
        if self.origin.is_reserved() {
            let (huge, ahead) = (self.origin.wants_huge(), self.origin.is_ahead());
            return Self::reserved(layout, nowhere, self.max(layout), huge, ahead);
        }
        let _ = layout;
        Ok(Self::on_heap(nowhere, self.origin.wants_huge()))
    }

    /// The base, the capacity and the origin.
    pub(crate) const fn into_parts(self) -> (NonNull<u8>, usize, Origin) {
        (self.base, self.capacity, self.origin)
    }

    /// For values without a size this is what was asked for, though nothing was allocated.
    #[inline(always)]
    pub(crate) const fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns the alignment of the parts of the block, in bytes.
    pub(crate) const fn grain(&self) -> usize {
        self.origin.grain()
    }

    /// Makes memory of `new` bytes of a part of the block, instead of `old`, where it is reserved;
    /// elsewhere all is memory. On an error nothing has changed.
    ///
    /// # Safety
    /// 1. The block grows in place.
    /// 2. The part begins `offset` bytes in, a multiple of the [grain](Self::grain), in its space, past its elements.
    /// 3. It has been made one of `old` bytes, in whose grains nothing else of the block lies.
    pub(crate) unsafe fn resize_part(
        &mut self,
        offset: usize,
        old: usize,
        new: usize,
    ) -> Result<(), TryReserveError> {
        #[cfg(feature = "reserved")]
        if self.origin.is_reserved() {
            let committed = |bytes: usize| bytes.next_multiple_of(self.grain());
            // SAFETY: 1, 2. by (2) the part lies in the reservation; 3. by (3), and alone there.
            return unsafe {
                let first = self.base.add(offset);
                self.origin.change(first, committed(old), committed(new))
            };
        }
        let _ = (offset, old, new);
        Ok(())
    }

    /// Returns whether the block stays where it is, whatever size it is given.
    #[inline]
    pub(crate) const fn grows_in_place(&self) -> bool {
        self.origin.space() != 0
    }

    /// Returns whether there is memory to be given back.
    #[inline]
    pub(crate) const fn has_memory(&self) -> bool {
        (self.capacity != 0 || self.grows_in_place()) && !self.origin.is_lent()
    }

    /// Returns the number of elements that it can have in place.
    fn max(&self, layout: BlockLayout) -> usize {
        match layout {
            BlockLayout::Whole { size, lanes, .. } => self.origin.space() / size * lanes,
            BlockLayout::Split { max, .. } => max,
        }
    }

    /// Returns the alignment of the parts, and the number of elements for which they are laid out.
    fn laid_out(&self, layout: BlockLayout) -> (usize, usize) {
        if self.grows_in_place() {
            (self.origin.grain(), self.max(layout))
        } else {
            (1, self.capacity)
        }
    }

    /// Returns the beginnings of the parts; none if there is no block.
    pub(crate) fn starts(&self, layout: BlockLayout) -> impl Iterator<Item = NonNull<u8>> {
        let (grain, max) = self.laid_out(layout);
        let count = if max == 0 || layout.total(1, 1) == Some(0) { 0 } else { usize::MAX };
        layout.parts(max, grain).take(count).map(|part| after(self.base, part.first))
    }

    /// Returns what the block has of memory, without a tail. (Bytes between elements and a tail are theirs.)
    pub(crate) fn memory(&self, layout: BlockLayout) -> Extent {
        if !self.grows_in_place() {
            let whole = self.heap_layout(layout);
            let bytes = whole.map_or(0, |whole| whole.size() - self.origin.tail());
            return Extent { bytes, space: bytes };
        }
        let (grain, max) = self.laid_out(layout);
        let strides = layout.strides(self.capacity);
        let mut bytes = 0;
        for part in layout.parts(max, grain) {
            bytes += self.committed(layout, part, strides);
        }
        Extent { bytes, space: self.origin.space() }
    }

    /// Returns the number of bytes of a part that are memory if `strides` strides are used.
    fn committed(&self, layout: BlockLayout, part: BlockPart, strides: usize) -> usize {
        if strides == 0 {
            // Nor is anything ahead of use, which begins with the first element.
            return 0;
        }
        let used = part.first - part.begin + strides * part.stride;
        #[cfg(feature = "reserved")]
        if self.origin.is_reserved() {
            return self.origin_of(layout, part).committed(used);
        }
        let _ = layout;
        used
    }

    /// The layout of a block of the heap, with its tail.
    #[inline]
    fn heap_layout(&self, layout: BlockLayout) -> Option<alloc::Layout> {
        layout.heap(self.capacity, self.origin.tail()).filter(|whole| whole.size() != 0)
    }

    /// Makes room for exactly `capacity` elements, elsewhere unless it grows in place; those that fit stay
    /// the same bytes. A tail is lost. On an error nothing has changed.
    pub(crate) fn resize(
        &mut self,
        layout: BlockLayout,
        capacity: usize,
    ) -> Result<(), TryReserveError> {
        if capacity == self.capacity {
            return Ok(());
        }
        let whole = layout.try_heap(capacity, 0)?;
        if !self.grows_in_place() {
            self.move_to(layout, capacity, whole)?;
            self.origin = self.origin.with_tail(0);
        } else if capacity > self.max(layout) {
            let max = self.max(layout);
            return Err(TryReserveError::CapacityOverflow { requested: capacity, max });
        } else {
            #[cfg(feature = "reserved")]
            if self.origin.is_reserved() {
                self.recommit(layout, capacity)?;
            }
        }
        self.capacity = capacity;
        Ok(())
    }

    /// Resizes the block as [`resize`](Self::resize) does, and returns a tail of that many numbers behind the elements.
    /// The contents of a former tail are lost.
    ///
    /// The block is on the heap, elements lie side by side and have a size, and there is one at least.
    #[inline]
    pub(crate) fn resize_with_tail(
        &mut self,
        layout: BlockLayout,
        capacity: usize,
        numbers: usize,
    ) -> Result<NonNull<u64>, TryReserveError> {
        let tail = numbers * size_of::<u64>();
        let whole = layout.try_heap(capacity, tail)?;
        debug_assert!(!self.grows_in_place() && whole.size() > tail);
        debug_assert!(whole.align() >= align_of::<u64>());
        match self.heap_layout(layout) {
            None => self.begin(whole)?,
            Some(old) => self.reallocate(old, whole.size())?,
        }
        self.capacity = capacity;
        self.origin = self.origin.with_tail(tail);
        Ok(after(self.base, whole.size() - tail).cast())
    }

    /// Moves a block of the global allocator.
    fn move_to(
        &mut self,
        layout: BlockLayout,
        capacity: usize,
        whole: alloc::Layout,
    ) -> Result<(), TryReserveError> {
        let in_one = matches!(layout, BlockLayout::Whole { .. });
        match self.heap_layout(layout) {
            old if whole.size() == 0 => self.give_back(old),
            None => self.begin(whole)?,
            // Moving huge pages takes longer than touching new ones does.
            Some(old) if in_one && !(self.origin.is_huge() && capacity > self.capacity) => {
                self.reallocate(old, whole.size())?;
            }
            old => {
                let mut new = Self::on_heap(self.base, self.origin.wants_huge());
                new.begin(whole)?;
                let strides = layout.strides(self.capacity.min(capacity));
                for (from, to) in layout.parts(self.capacity, 1).zip(layout.parts(capacity, 1)) {
                    // SAFETY: by (1) both blocks have room for these strides in this part, and
                    // they are not the same.
                    unsafe {
                        let to = new.base.add(to.first);
                        self.base.add(from.first).copy_to_nonoverlapping(to, strides * from.stride);
                    }
                }
                self.give_back(old);
                (self.base, self.origin) = (new.base, new.origin);
            }
        }
        Ok(())
    }

    /// Allocates a first block.
    ///
    /// A large one is advised to be of huge pages, one that grew large is not: moving huge pages costs
    /// more than they save (`docs/decisions/memory.md`).
    #[inline]
    fn begin(&mut self, whole: alloc::Layout) -> Result<(), TryReserveError> {
        let base = heap::allocate(whole)?;
        let large = whole.size() >= sys::HUGE_FROM && self.origin.wants_huge();
        if large && sys::advise_huge_pages(base, whole.size(), true) {
            self.origin = self.origin.advised();
        }
        self.base = base;
        Ok(())
    }

    /// `old` is the layout of the block; the new size is not zero, and fits its alignment.
    fn reallocate(&mut self, old: alloc::Layout, size: usize) -> Result<(), TryReserveError> {
        // SAFETY: 1. by (1) the block is allocated so; 2. the size makes one, as its caller did.
        self.base = unsafe { heap::reallocate(self.base, old, size) }?;
        Ok(())
    }

    /// Frees a block of the heap, of which `base` says nothing afterwards, if there is one.
    fn give_back(&mut self, old: Option<alloc::Layout>) {
        if let Some(old) = old {
            // SAFETY: 1. by (1) the block is allocated so; 2. its address is not used again.
            unsafe { heap::deallocate(self.base, old) };
        }
        self.origin = Origin::heap(self.origin.wants_huge());
    }

    /// Returns the block to where it came from. (What was lent stays where it is, for good.)
    ///
    /// # Safety
    /// Neither it nor what was in it is used again.
    #[inline(never)]
    pub(crate) unsafe fn free(&mut self, layout: BlockLayout) {
        if !self.grows_in_place() {
            self.give_back(self.heap_layout(layout));
        }
        #[cfg(feature = "reserved")]
        if self.origin.is_reserved() {
            // SAFETY: 1. by (2) the reservation is ours, so aligned; 2. it is not used again.
            unsafe { self.origin.release(self.base, layout.align()) };
        }
    }
}

/// Blocks in reserved address space.
#[cfg(feature = "reserved")]
impl Block {
    /// A part, as a stretch of its own.
    fn origin_of(&self, layout: BlockLayout, part: BlockPart) -> Origin {
        let bytes = part.first - part.begin + layout.strides(self.max(layout)) * part.stride;
        self.origin.part(bytes.next_multiple_of(self.origin.grain()))
    }

    /// Commits, or gives back, what lies between the old capacity and the new one, in every part.
    fn recommit(&self, layout: BlockLayout, capacity: usize) -> Result<(), TryReserveError> {
        let (grain, max) = self.laid_out(layout);
        let (old, new) = (layout.strides(self.capacity), layout.strides(capacity));
        for (done, part) in layout.parts(max, grain).enumerate() {
            if let Err(refused) = self.recommit_part(layout, part, old, new) {
                for part in layout.parts(max, grain).take(done) {
                    // This gives back memory that was just committed, which cannot fail.
                    let _ = self.recommit_part(layout, part, new, old);
                }
                return Err(refused);
            }
        }
        Ok(())
    }

    fn recommit_part(
        &self,
        layout: BlockLayout,
        part: BlockPart,
        old: usize,
        new: usize,
    ) -> Result<(), TryReserveError> {
        let (old, new) = (self.committed(layout, part, old), self.committed(layout, part, new));
        // SAFETY: 1. by (2) the part is of the reservation; 2. so are both sizes, in whole grains;
        // 3. past `new` nothing is needed.
        unsafe { self.origin_of(layout, part).change(self.base.add(part.begin), old, new) }
    }
}

#[cfg(test)]
mod tests {
    //! The requests of a block to the allocator and the system.

    use super::BlockLayout;
    use crate::error::TryReserveError;
    use crate::memory::block::tree::{LARGE, LINE};
    use crate::soa::raw::shape::{Leaf, Shape};

    /// A large column begins at a cache line of its own; less asks for no more than its values need.
    #[test]
    fn blocks_of_large_columns_begin_at_a_line() {
        let align = |tree, capacity| {
            BlockLayout::Split { tree, max: 0 }.heap(capacity, 0).expect("not that much").align()
        };
        let bytes = [1, LARGE - 1, LARGE, 2 * LARGE];
        assert_eq!(bytes.map(|bytes| align(&Leaf::<u8>::TREE, bytes)), [1, 1, LINE, LINE]);
        assert_eq!(bytes.map(|bytes| align(&Leaf::<u8, 256>::TREE, bytes)), [256; 4]);
    }

    /// A lane's share of its group is what a value takes.
    #[test]
    fn as_many_as_there_can_ever_be_are_counted_by_values() {
        let requested = usize::MAX;
        let max = isize::MAX as usize / 12;
        let lanes = BlockLayout::Whole { size: 8 * 12, align: 8, lanes: 8 };
        assert_eq!(
            lanes.check(requested),
            Err(TryReserveError::CapacityOverflow { requested, max })
        );
        let single = BlockLayout::Whole { size: 12, align: 4, lanes: 1 };
        assert_eq!(single.check(requested), lanes.check(requested));
        assert_eq!((single.check(max), lanes.check(max / 8 * 8)), (Ok(()), Ok(())));
    }

    /// Rounded up to pages, too, a reservation is to be a block that there can be: the system is not asked for more.
    #[test]
    #[cfg(feature = "reserved")]
    #[cfg_attr(miri, ignore = "an interpreter ends where there is not so much memory")]
    fn reservations_are_at_most_as_large_as_blocks() {
        use super::{Memory, sys};
        use crate::memory::buffer::Buffer;

        let reserve = |max| {
            let memory = Memory::Reserved { max, huge: false, ahead: false };
            Buffer::<u8>::within(memory).map(drop)
        };
        let (largest, max) = (isize::MAX as usize + 1 - sys::GRAIN, isize::MAX as usize);
        let refused = |requested| Err(TryReserveError::CapacityOverflow { requested, max });
        assert_eq!(reserve(largest + 1), refused(largest + 1));
        assert_eq!(reserve(max), refused(max));
        // (A 32-bit address space can have that many.)
        let asked = reserve(largest);
        assert!(!matches!(asked, Err(TryReserveError::CapacityOverflow { .. })), "{asked:?}");
    }
}
