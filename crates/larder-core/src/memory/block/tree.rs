//! The layout of a type's columns in one block: a tree of columns, and a place for each.
//!
//! Each column of 1 KiB and more begins at a cache line of its own, counted modulo 4 KiB: the caches
//! closest to the cores find a line by these bits of its address, and have room for eight lines or so
//! that agree in them. Ten columns that begin at multiples of 4 KiB evict each other (up to eight
//! times as slow, by the machine: `docs/columns.md`).

#![cfg_attr(
    feature = "columns",
    expect(unnameable_types, reason = "derived code is written with shapes that consist of them")
)]

/// The size, alignment and need for `Drop` of a column's elements.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct ColumnLayout {
    size: usize,
    align: usize,
    needs_drop: bool,
}

/// All columns of a type, from left to right.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Tree {
    Leaf(ColumnLayout),
    /// Two trees, and the numbers that are needed whenever a container grows.
    Pair(&'static Tree, &'static Tree, WholeTree),
}

/// Some columns together.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct WholeTree {
    count: usize,
    /// The number of bytes of the fields of one value.
    size: usize,
    /// The greatest alignment of a column.
    align: usize,
    needs_drop: bool,
}

const fn max(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// The next multiple of a power of two. (A division would be most of what laying columns out takes.)
const fn align_up(at: usize, align: usize) -> usize {
    debug_assert!(align.is_power_of_two());
    (at + (align - 1)) & !(align - 1)
}

impl ColumnLayout {
    pub(crate) const fn of<T>(align: usize) -> Self {
        assert!(align.is_power_of_two(), "`align` must be a power of two");
        let needs_drop = core::mem::needs_drop::<T>();
        Self { size: size_of::<T>(), align: max(align, align_of::<T>()), needs_drop }
    }

    /// Returns the best alignment of an array of this many lanes: one by which no array that fits into one cache line
    /// lies in two.
    const fn lanes_align(self, lanes: usize) -> usize {
        let bytes = self.size * lanes;
        let natural = if bytes == 0 { 1 } else { 1 << bytes.trailing_zeros() };
        max(self.align, if natural < LINE { natural } else { LINE })
    }
}

/// A cache line.
pub(crate) const LINE: usize = 64;

/// The number of cache lines at which a column can begin, modulo 4 KiB.
const SETS: usize = 64;

/// A column of this many bytes and more gets a line of its own. (Smaller ones, one after the other, agree in few.)
pub(crate) const LARGE: usize = LINE * SETS / 4;

impl Tree {
    pub(crate) const fn pair(left: &'static Self, right: &'static Self) -> Self {
        let (a, b) = (left.whole(), right.whole());
        Self::Pair(
            left,
            right,
            WholeTree {
                count: a.count + b.count,
                size: a.size + b.size,
                align: max(a.align, b.align),
                needs_drop: a.needs_drop || b.needs_drop,
            },
        )
    }

    const fn whole(&self) -> WholeTree {
        match *self {
            Self::Leaf(ColumnLayout { size, align, needs_drop }) => {
                WholeTree { count: 1, size, align, needs_drop }
            }
            Self::Pair(.., whole) => whole,
        }
    }

    const fn column(&self, index: usize) -> ColumnLayout {
        match self {
            Self::Leaf(column) => *column,
            Self::Pair(left, right, _) => {
                let count = left.count();
                if index < count { left.column(index) } else { right.column(index - count) }
            }
        }
    }

    pub(crate) const fn count(&self) -> usize {
        self.whole().count
    }

    /// Returns the number of bytes of the fields of one value.
    pub(crate) const fn size(&self) -> usize {
        self.whole().size
    }

    /// Returns whether the contents of a column have to be dropped. (The value that has the field does not tell.)
    pub(crate) const fn needs_drop(&self) -> bool {
        self.whole().needs_drop
    }

    /// Returns the greatest alignment of a column.
    pub(crate) const fn natural_align(&self) -> usize {
        self.whole().align
    }

    /// Returns the alignment of a block with large columns.
    pub(crate) const fn align(&self) -> usize {
        max(self.natural_align(), LINE)
    }

    /// Returns an upper bound of the bytes between the columns, on the heap or in lent memory.
    pub(crate) const fn most_between(&self) -> usize {
        self.align().saturating_mul((SETS + 2) * self.count())
    }

    /// Returns a number of values: a block for that many more values ends no earlier, nor does one for more than these.
    /// (Whatever the alignments, columns are moved apart by less than [`SETS`] lines each, and a value takes a byte at
    /// least.)
    pub(crate) fn wavers(&self) -> usize {
        let between = self.most_between().checked_div(self.size()).unwrap_or(0);
        between.min(LINE * SETS * self.count())
    }

    /// Returns the position at which each column begins in reserved memory, counted from a page of this many bytes.
    #[cfg(feature = "snapshot")]
    pub(crate) fn phases(&self, page: usize) -> impl Iterator<Item = usize> {
        let mut places = ColumnPlaces::new(self, 1, page);
        core::iter::from_fn(move || Some(places.next()?.0.first % page))
    }

    /// Returns the number of lanes that fit into this many bytes: a multiple of 64, or a smaller power of two.
    pub(crate) const fn lanes_within(&self, bytes: usize) -> usize {
        let mut lanes = bytes / max(self.size(), 1);
        lanes = if lanes >= 64 { lanes / 64 * 64 } else { 1 << max(lanes, 1).ilog2() };
        while lanes > 1 && self.group(lanes).1 > bytes {
            lanes -= if lanes > 64 { 64 } else { lanes / 2 };
        }
        lanes
    }

    /// Returns the alignment and the size of a group of `lanes` lanes.
    pub(crate) const fn group(&self, lanes: usize) -> (usize, usize) {
        let (mut align, mut index) = (1, 0);
        while index < self.count() {
            align = max(align, self.column(index).lanes_align(lanes));
            index += 1;
        }
        (align, align_up(self.lanes_end(0, lanes), align))
    }

    /// Returns the offset at which the lanes of the first column begin in a group, after `before` bytes of other
    /// columns.
    pub(crate) const fn lanes_begin(&self, before: usize, lanes: usize) -> usize {
        align_up(before, self.column(0).lanes_align(lanes))
    }

    /// Returns the offset at which the lanes of the last column end in a group, after `before` bytes of other columns.
    pub(crate) const fn lanes_end(&self, before: usize, lanes: usize) -> usize {
        let (mut end, mut index) = (before, 0);
        while index < self.count() {
            let column = self.column(index);
            end = align_up(end, column.lanes_align(lanes)) + column.size * lanes;
            index += 1;
        }
        end
    }

    #[cfg(all(test, not(miri)))]
    pub(crate) const fn align_of(&self, column: usize) -> usize {
        self.column(column).align
    }

    #[cfg(all(test, not(miri)))]
    pub(crate) const fn size_of(&self, column: usize) -> usize {
        self.column(column).size
    }

    /// Returns the offset at which the lanes of each column begin in their group.
    pub(crate) fn lane_offsets(&self, lanes: usize) -> impl Iterator<Item = usize> {
        (0..self.count()).scan(0, move |end: &mut usize, index| {
            let column = self.column(index);
            let begin = align_up(*end, column.lanes_align(lanes));
            *end = begin + column.size * lanes;
            Some(begin)
        })
    }
}

/// A column's place in a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// The position at which its part of the block begins: at its first value, or in reserved memory at a page before.
    pub(crate) begin: usize,
    /// The position of its first value.
    pub(crate) first: usize,
    /// The position at which its values end.
    pub(crate) end: usize,
}

/// Finds places for the columns of a tree, one after the other.
pub(crate) struct ColumnPlaces<'a> {
    tree: &'a Tree,
    /// The next column.
    next: usize,
    capacity: usize,
    /// The alignment of each column's part of the block.
    grain: usize,
    end: usize,
    /// Cache lines, modulo 4 KiB, where columns begin, and their neighbours.
    used: u64,
}

impl<'a> ColumnPlaces<'a> {
    pub(crate) const fn new(tree: &'a Tree, capacity: usize, grain: usize) -> Self {
        Self { tree, next: 0, capacity, grain, end: 0, used: 0 }
    }

    /// Returns the next column's place, and the size of one of its values; `None` if there are no more columns. (If no
    /// memory is so large, [`total`](Self::total) has returned `None` before.)
    pub(crate) const fn next(&mut self) -> Option<(Span, usize)> {
        if self.next == self.tree.count() {
            return None;
        }
        let column = self.tree.column(self.next);
        self.next += 1;
        let begin = align_up(self.end, self.grain);
        let bytes = column.size * self.capacity;
        let first = if self.grain == 1 && bytes < LARGE {
            align_up(begin, column.align)
        } else {
            self.apart(begin, max(column.align, LINE))
        };
        self.end = first + bytes;
        Some((Span { begin, first, end: self.end }, column.size))
    }

    /// Returns the first place from `at` on that is no other column's, modulo 4 KiB. (If there are
    /// more than twenty columns, some are neighbours, or share a line.)
    const fn apart(&mut self, at: usize, align: usize) -> usize {
        let first = align_up(at, align);
        if align >= LINE * SETS {
            return first;
        }
        let line = (first / LINE % SETS) as u32;
        // Bits at the multiples of an alignment, counted from this line on.
        let multiples = u64::MAX / ((1 << (align / LINE)) - 1);
        let free = !self.used.rotate_right(line) & multiples;
        let further = if free == 0 { 0 } else { free.trailing_zeros() };
        let bit = 1_u64.rotate_left(line + further);
        let others = if free == 0 { 0 } else { self.used };
        self.used = others | bit.rotate_left(1) | bit | bit.rotate_right(1);
        first + further as usize * LINE
    }

    /// Returns the number of values that fit into this many bytes: as many as there can be, or a few less, so that
    /// there are whole groups of 64. Any number of values without a size fits; 1,024 are enough.
    pub(crate) fn fitting(tree: &'a Tree, bytes: usize) -> usize {
        let size = tree.size();
        let mut count = bytes.checked_div(size).unwrap_or(1_024);
        while count > 0 {
            if count > 64 {
                count -= count % 64;
            }
            let over = match Self::total(tree, count, 1) {
                Some(taken) if taken <= bytes => break,
                // (Values without a size take nothing, and fit.)
                Some(taken) => (taken - bytes) / size,
                None => count,
            };
            // Half of them at most, since fewer values may need less between them.
            count -= over.clamp(1, count.div_ceil(2));
        }
        count
    }

    /// Returns the number of bytes of all columns; `None` if no memory is so large.
    pub(crate) const fn total(tree: &'a Tree, capacity: usize, grain: usize) -> Option<usize> {
        let Some(bytes) = capacity.checked_mul(tree.size()) else { return None };
        // Before a column there is less than a grain, and as many alignments as there are lines.
        let Some(before) = tree.align().checked_mul(SETS + 2) else { return None };
        let Some(before) = before.checked_add(grain) else { return None };
        let Some(between) = before.checked_mul(tree.count()) else { return None };
        match bytes.checked_add(between) {
            Some(most) if most <= isize::MAX as usize => {}
            _ => return None,
        }
        let mut places = Self::new(tree, capacity, grain);
        while places.next().is_some() {}
        Some(align_up(places.end, grain))
    }
}
