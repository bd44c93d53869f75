//! The block that columns lie in. It knows of sizes only: written once for all types.
//!
//! **Invariant** of a [`Block`] that was made for a layout:
//! - On the heap, where `origin` has no space: `base` is an allocation of as many bytes as the layout
//!   takes for `capacity` values, aligned as it says; or there is none if these are no bytes.
//! - Reserved or lent: `base` is where as many bytes begin as it takes for `max` values, and
//!   `capacity <= max`. Of a reserved one the first bytes of each part, for `capacity` values, are
//!   memory.

use core::alloc;
use core::ptr::NonNull;

use super::tree::{LARGE, Places, Tree};
use crate::error::TryReserveError;
use crate::raw::memory::{Lent, Memory};
use crate::raw::origin::Origin;
use crate::raw::{heap, sys};

/// What a block is made for.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub(super) tree: &'static Tree,
    /// How many lanes a group has; 0: each column lies in one piece.
    pub(super) lanes: usize,
}

/// A column, or all columns in groups: what grows in one piece.
#[derive(Clone, Copy)]
struct Part {
    /// Where it begins.
    begin: usize,
    /// Where its first value, or group, lies.
    first: usize,
    /// The bytes of one value, or of a group.
    stride: usize,
}

impl Layout {
    /// The parts of a block for so many values.
    fn parts(self, capacity: usize, grain: usize) -> impl Iterator<Item = Part> {
        let mut places = Places::new(self.tree, capacity, grain);
        let mut group = (self.lanes > 0).then(|| Part {
            begin: 0,
            first: 0,
            stride: self.tree.group(self.lanes).1,
        });
        core::iter::from_fn(move || {
            if self.lanes > 0 {
                return group.take();
            }
            let (span, stride) = places.next()?;
            Some(Part { begin: span.begin, first: span.first, stride })
        })
    }

    /// How many strides of a part so many values take.
    const fn strides(self, count: usize) -> usize {
        if self.lanes > 0 { count.div_ceil(self.lanes) } else { count }
    }

    /// How many bytes a block takes; `None` where no memory is so large.
    const fn total(self, capacity: usize, grain: usize) -> Option<usize> {
        if self.lanes == 0 {
            return Places::total(self.tree, capacity, grain);
        }
        match self.strides(capacity).checked_mul(self.tree.group(self.lanes).1) {
            Some(bytes) if bytes <= isize::MAX as usize - grain => {
                Some(bytes.next_multiple_of(grain))
            }
            _ => None,
        }
    }

    pub(super) const fn align(self) -> usize {
        if self.lanes > 0 { self.tree.group(self.lanes).0 } else { self.tree.align() }
    }

    fn alloc(self, capacity: usize) -> Result<alloc::Layout, TryReserveError> {
        let whole = self.total(capacity, 1).and_then(|bytes| {
            // A small block is quicker to get without an alignment that it has no use for.
            let large = self.lanes > 0 || bytes >= LARGE;
            let align = if large { self.align() } else { self.tree.natural_align() };
            alloc::Layout::from_size_align(bytes, align).ok()
        });
        whole.ok_or(self.overflow(capacity))
    }

    fn overflow(self, requested: usize) -> TryReserveError {
        let max = isize::MAX as usize / self.tree.size().max(1);
        TryReserveError::CapacityOverflow { requested, max }
    }

    pub(super) fn check(self, capacity: usize) -> Result<(), TryReserveError> {
        self.alloc(capacity).map(drop)
    }

    /// How many values what lies between columns is worth at most: it changes with the capacity, up and
    /// down.
    pub(super) const fn wavers(self) -> usize {
        let size = self.tree.size();
        if self.lanes > 0 || size == 0 { 0 } else { self.tree.most_between() / size }
    }

    /// Where a block for so many values ends that begins after the address `at`.
    pub(super) const fn end(self, at: usize, count: usize) -> Option<usize> {
        match self.total(count, 1) {
            Some(bytes) => Lent::end(at, bytes, self.align()),
            None => None,
        }
    }
}

/// One block for all columns.
pub(super) struct Block {
    base: NonNull<u8>,
    capacity: usize,
    max: usize,
    origin: Origin,
}

impl Block {
    pub(super) const EMPTY: Self = Self::on_heap(true);

    const fn on_heap(wants_huge: bool) -> Self {
        let origin = Origin::heap(wants_huge);
        Self { base: NonNull::dangling(), capacity: 0, max: 0, origin }
    }

    pub(super) fn within(layout: Layout, memory: Memory<'_>) -> Result<Self, TryReserveError> {
        match memory {
            Memory::Heap { huge } => Ok(Self::on_heap(huge)),
            #[cfg(feature = "reserved")]
            Memory::Reserved { max, huge, ahead } => Self::reserved(layout, max, huge, ahead),
            Memory::Lent { max, from } => {
                let whole = layout.alloc(max)?;
                if whole.size() == 0 {
                    return Ok(Self::on_heap(false));
                }
                let origin = Origin::lent(whole.size().next_multiple_of(Lent::GRAIN));
                Ok(Self { base: from.take(whole)?, capacity: 0, max, origin })
            }
        }
    }

    #[cfg(feature = "reserved")]
    fn reserved(
        layout: Layout,
        max: usize,
        huge: bool,
        ahead: bool,
    ) -> Result<Self, TryReserveError> {
        layout.check(max)?;
        // What begins at multiples of a grain takes more: the reservation is judged by that, not by
        // what the columns would take on the heap, and larger grains never take less.
        let bytes_in = |grain| layout.total(max, grain).ok_or(layout.overflow(max));
        let bytes = bytes_in(Origin::grain_for(bytes_in(sys::GRAIN)?, huge))?;
        if bytes == 0 {
            return Ok(Self::on_heap(huge));
        }
        let (base, origin) = Origin::reserve(bytes, layout.align(), huge, ahead)?;
        Ok(Self { base, capacity: 0, max, origin })
    }

    /// An empty block whose memory comes from where this one's does; of lent memory there is no more,
    /// so it is on the heap.
    pub(super) fn alike(&self, _layout: Layout) -> Result<Self, TryReserveError> {
        #[cfg(feature = "reserved")]
        if self.origin.is_reserved() {
            let (huge, ahead) = (self.origin.wants_huge(), self.origin.is_ahead());
            return Self::reserved(_layout, self.max, huge, ahead);
        }
        Ok(Self::on_heap(self.origin.wants_huge()))
    }

    #[inline(always)]
    pub(super) const fn capacity(&self) -> usize {
        self.capacity
    }

    /// What the parts begin at multiples of, and for how many values they are laid out.
    const fn laid_out(&self) -> (usize, usize) {
        if self.origin.space() == 0 {
            return (1, self.capacity);
        }
        (self.origin.grain(), self.max)
    }

    /// How much memory the block takes.
    pub(super) fn bytes(&self, layout: Layout) -> usize {
        if self.origin.space() == 0 {
            return layout.total(self.capacity, 1).unwrap_or(0);
        }
        let (grain, max) = self.laid_out();
        let strides = layout.strides(self.capacity);
        layout.parts(max, grain).map(|part| self.committed(layout, part, strides)).sum()
    }

    /// How many bytes of a part are memory where so many strides are used.
    fn committed(&self, _layout: Layout, part: Part, strides: usize) -> usize {
        if strides == 0 {
            // Nor is anything ahead of use, which begins with the first value.
            return 0;
        }
        let used = part.first - part.begin + strides * part.stride;
        #[cfg(feature = "reserved")]
        if self.origin.is_reserved() {
            return self.origin_of(_layout, part).committed(used);
        }
        used
    }

    pub(super) fn space(&self, layout: Layout) -> usize {
        if self.origin.space() == 0 { self.bytes(layout) } else { self.origin.space() }
    }

    /// Makes room for exactly so many values. On an error nothing has changed.
    pub(super) fn resize(
        &mut self,
        layout: Layout,
        capacity: usize,
    ) -> Result<(), TryReserveError> {
        if capacity == self.capacity {
            return Ok(());
        }
        if self.origin.space() == 0 {
            self.move_to(layout, capacity)?;
        } else if capacity > self.max {
            layout.check(capacity)?;
            return Err(TryReserveError::CapacityOverflow { requested: capacity, max: self.max });
        } else {
            #[cfg(feature = "reserved")]
            if self.origin.is_reserved() {
                self.recommit(layout, capacity)?;
            }
        }
        self.capacity = capacity;
        Ok(())
    }

    /// Moves a block of the global allocator, column by column.
    fn move_to(&mut self, layout: Layout, capacity: usize) -> Result<(), TryReserveError> {
        let whole = layout.alloc(capacity)?;
        if whole.size() == 0 {
            self.free(layout);
            return Ok(());
        }
        // SAFETY: the size is not zero.
        let base = unsafe { heap::allocate(whole) }?;
        if whole.size() >= sys::HUGE_FROM && self.origin.wants_huge() {
            sys::advise_huge_pages(base, whole.size(), true);
        }
        let strides = layout.strides(self.capacity.min(capacity));
        for (old, new) in layout.parts(self.capacity, 1).zip(layout.parts(capacity, 1)) {
            // SAFETY: the part lies in the old block.
            let from = unsafe { self.base.add(old.first) };
            // SAFETY: the part lies in the new one.
            let to = unsafe { base.add(new.first) };
            // SAFETY: both parts have room for so many strides; without an old block these are none.
            unsafe { from.copy_to_nonoverlapping(to, strides * old.stride) };
        }
        self.free(layout);
        self.base = base;
        Ok(())
    }

    /// Gives the block back to where it came from; what is left has no block.
    pub(super) fn free(&mut self, layout: Layout) {
        let base = core::mem::replace(&mut self.base, NonNull::dangling());
        if self.origin.space() == 0 {
            // (Where there is a block, there is such a layout.)
            if let Some(whole) = layout.alloc(self.capacity).ok().filter(|whole| whole.size() != 0)
            {
                // SAFETY: by the invariant the block was allocated so; it is not used again.
                unsafe { heap::deallocate(base, whole) };
            }
        } else {
            #[cfg(feature = "reserved")]
            if self.origin.is_reserved() {
                // SAFETY: the reservation is ours, of this alignment, and is not used again.
                unsafe { self.origin.release(base, layout.align()) };
            }
        }
        self.capacity = 0;
    }

    /// Where the columns begin, one after the other.
    pub(super) fn starts(&self, layout: Layout, mut found: impl FnMut(usize, NonNull<u8>)) {
        let (grain, max) = self.laid_out();
        if max == 0 || layout.tree.size() == 0 {
            return;
        }
        let mut found = |(column, offset)| {
            // SAFETY: a column begins in the block, or where it ends.
            found(column, unsafe { self.base.add(offset) });
        };
        if layout.lanes > 0 {
            layout.tree.lane_offsets(layout.lanes).enumerate().for_each(&mut found);
        } else {
            layout.parts(max, grain).map(|part| part.first).enumerate().for_each(&mut found);
        }
    }
}

/// Blocks in reserved address space.
#[cfg(feature = "reserved")]
impl Block {
    /// A part, as a stretch of its own.
    fn origin_of(&self, layout: Layout, part: Part) -> Origin {
        let bytes = part.first - part.begin + layout.strides(self.max) * part.stride;
        self.origin.part(bytes.next_multiple_of(self.origin.grain()))
    }

    /// Commits, or gives back, what lies between the old capacity and the new one, in every part.
    fn recommit(&self, layout: Layout, capacity: usize) -> Result<(), TryReserveError> {
        let (grain, max) = self.laid_out();
        let (old, new) = (layout.strides(self.capacity), layout.strides(capacity));
        for (done, part) in layout.parts(max, grain).enumerate() {
            if let Err(refused) = self.recommit_part(layout, part, old, new) {
                for part in layout.parts(max, grain).take(done) {
                    // What was committed is given back, which cannot fail.
                    let _ = self.recommit_part(layout, part, new, old);
                }
                return Err(refused);
            }
        }
        Ok(())
    }

    fn recommit_part(
        &self,
        layout: Layout,
        part: Part,
        old: usize,
        new: usize,
    ) -> Result<(), TryReserveError> {
        let (old, new) = (self.committed(layout, part, old), self.committed(layout, part, new));
        // SAFETY: the part begins in the reservation.
        let begin = unsafe { self.base.add(part.begin) };
        // SAFETY: the stretch is a part of the reservation; beyond what `new` values take, nothing is
        // needed.
        unsafe { self.origin_of(layout, part).change(begin, old, new) }
    }
}
