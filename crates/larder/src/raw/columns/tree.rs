//! How columns lie in one block.
//!
//! Each column of 1 KiB and more begins at a cache line of its own, counted modulo 4 KiB: the caches
//! closest to the cores find a line by these bits of its address, and have room for eight lines or so
//! that agree in them. Ten columns that begin at multiples of 4 KiB evict each other (up to eight
//! times as slow, by the machine: `docs/columns.md`).

#![expect(unnameable_types, reason = "what derived code is written with, and the seals of it")]

/// What a column consists of.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Column {
    size: usize,
    align: usize,
    needs_drop: bool,
}

/// All columns of a type, from left to right.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Tree {
    Leaf(Column),
    /// With the number of columns: it is asked for whenever a container grows.
    Pair(&'static Tree, &'static Tree, usize),
}

const fn max(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

impl Column {
    pub(super) const fn of<T>(align: usize) -> Self {
        assert!(align.is_power_of_two(), "`align` must be a power of two");
        let needs_drop = core::mem::needs_drop::<T>();
        Self { size: size_of::<T>(), align: max(align, align_of::<T>()), needs_drop }
    }

    /// Where an array of so many lanes of it is best aligned: so that none is in two cache lines that
    /// fits into one.
    const fn lanes_align(self, lanes: usize) -> usize {
        let bytes = self.size * lanes;
        let natural = if bytes == 0 { 1 } else { 1 << bytes.trailing_zeros() };
        max(self.align, if natural < LINE { natural } else { LINE })
    }
}

/// A cache line.
pub(super) const LINE: usize = 64;

/// How many lines there are to begin at.
const SETS: usize = 64;

/// A column of so many bytes gets a line of its own. (Smaller ones, one after the other, agree in few.)
pub(super) const LARGE: usize = LINE * SETS / 4;

impl Tree {
    pub(super) const fn pair(left: &'static Self, right: &'static Self) -> Self {
        Self::Pair(left, right, left.count() + right.count())
    }

    pub(super) const fn count(&self) -> usize {
        match self {
            Self::Leaf(_) => 1,
            Self::Pair(.., count) => *count,
        }
    }

    const fn column(&self, index: usize) -> Column {
        match self {
            Self::Leaf(column) => *column,
            Self::Pair(left, right, _) => {
                let count = left.count();
                if index < count { left.column(index) } else { right.column(index - count) }
            }
        }
    }

    /// How many bytes the fields of one value take.
    pub(super) const fn size(&self) -> usize {
        match self {
            Self::Leaf(column) => column.size,
            Self::Pair(left, right, _) => left.size() + right.size(),
        }
    }

    /// Whether what lies in a column has to be dropped. (The value that it is a field of does not say.)
    pub(super) const fn needs_drop(&self) -> bool {
        match self {
            Self::Leaf(column) => column.needs_drop,
            Self::Pair(left, right, _) => left.needs_drop() || right.needs_drop(),
        }
    }

    /// What some column begins at a multiple of.
    pub(super) const fn natural_align(&self) -> usize {
        match self {
            Self::Leaf(column) => column.align,
            Self::Pair(left, right, _) => max(left.natural_align(), right.natural_align()),
        }
    }

    /// What a block with large columns begins at a multiple of.
    pub(super) const fn align(&self) -> usize {
        max(self.natural_align(), LINE)
    }

    /// What lies between the columns at most, on the heap or in lent memory.
    pub(super) const fn most_between(&self) -> usize {
        self.align().saturating_mul((SETS + 2) * self.count())
    }

    /// How many lanes fit into so many bytes: a multiple of 64, or a smaller power of two.
    pub(crate) const fn lanes_within(&self, bytes: usize) -> usize {
        let mut lanes = bytes / max(self.size(), 1);
        lanes = if lanes >= 64 { lanes / 64 * 64 } else { 1 << max(lanes, 1).ilog2() };
        while lanes > 1 && self.group(lanes).1 > bytes {
            lanes -= if lanes > 64 { 64 } else { lanes / 2 };
        }
        lanes
    }

    /// The alignment and the size of a group of so many lanes.
    pub(super) const fn group(&self, lanes: usize) -> (usize, usize) {
        let (mut align, mut index) = (1, 0);
        while index < self.count() {
            align = max(align, self.column(index).lanes_align(lanes));
            index += 1;
        }
        (align, self.lanes_end(0, lanes).next_multiple_of(align))
    }

    /// Where the lanes of the first column begin in a group of which so many bytes are others'.
    pub(super) const fn lanes_begin(&self, before: usize, lanes: usize) -> usize {
        before.next_multiple_of(self.column(0).lanes_align(lanes))
    }

    /// Where the lanes of the last column end in a group of which so many bytes are others' before.
    pub(super) const fn lanes_end(&self, before: usize, lanes: usize) -> usize {
        let (mut end, mut index) = (before, 0);
        while index < self.count() {
            let column = self.column(index);
            end = end.next_multiple_of(column.lanes_align(lanes)) + column.size * lanes;
            index += 1;
        }
        end
    }

    /// Where the lanes of each column begin in their group.
    pub(super) fn lane_offsets(&self, lanes: usize) -> impl Iterator<Item = usize> {
        (0..self.count()).scan(0, move |end: &mut usize, index| {
            let column = self.column(index);
            let begin = end.next_multiple_of(column.lanes_align(lanes));
            *end = begin + column.size * lanes;
            Some(begin)
        })
    }
}

/// A column's place in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// Where its part of the block begins: at its first value, or in reserved memory at a page before.
    pub(super) begin: usize,
    /// Where its first value lies.
    pub(super) first: usize,
    /// Where its values end.
    pub(super) end: usize,
}

/// Finds places for the columns of a tree, one after the other.
pub(super) struct Places<'a> {
    tree: &'a Tree,
    capacity: usize,
    /// What each column's part of the block begins at a multiple of.
    grain: usize,
    next: usize,
    end: usize,
    /// Cache lines, modulo 4 KiB, where columns begin, and their neighbours.
    used: u64,
}

impl<'a> Places<'a> {
    pub(super) const fn new(tree: &'a Tree, capacity: usize, grain: usize) -> Self {
        Self { tree, capacity, grain, next: 0, end: 0, used: 0 }
    }

    /// The next column's place, and the size of one of its values; `None` where there is no more.
    /// (Where no memory is so large, [`total`](Self::total) has said so.)
    pub(super) const fn next(&mut self) -> Option<(Span, usize)> {
        if self.next == self.tree.count() {
            return None;
        }
        let column = self.tree.column(self.next);
        self.next += 1;
        let begin = self.end.next_multiple_of(self.grain);
        let bytes = column.size * self.capacity;
        let first = if self.grain == 1 && bytes < LARGE {
            begin.next_multiple_of(column.align)
        } else {
            self.apart(begin, max(column.align, LINE))
        };
        self.end = first + bytes;
        Some((Span { begin, first, end: self.end }, column.size))
    }

    /// The first place from `at` on that is no other column's, modulo 4 KiB. (Where there are more
    /// than twenty columns, some are neighbours, or share a line.)
    const fn apart(&mut self, at: usize, align: usize) -> usize {
        let mut first = at.next_multiple_of(align);
        if align >= LINE * SETS {
            return first;
        }
        let mut tries = 0;
        while self.used >> (first / LINE % SETS) & 1 == 1 {
            first += align;
            tries += 1;
            if tries == SETS {
                self.used = 0;
            }
        }
        let bit = 1_u64 << (first / LINE % SETS);
        self.used |= bit.rotate_left(1) | bit | bit.rotate_right(1);
        first
    }

    /// How many values fit into so many bytes: as many as there can be, or a few less, so that there
    /// are whole groups of 64. There is no end of values without a size; 1,024 are enough.
    pub(super) fn fitting(tree: &'a Tree, bytes: usize) -> usize {
        let size = tree.size();
        let mut count = bytes.checked_div(size).unwrap_or(1_024);
        while count > 0 {
            if count > 64 {
                count -= count % 64;
            }
            match Self::total(tree, count, 1) {
                Some(taken) if taken <= bytes => break,
                Some(taken) if size > 0 && (taken - bytes) / size < count => {
                    count -= max((taken - bytes) / size, 1);
                }
                _ => count /= 2,
            }
        }
        count
    }

    /// How many bytes all columns take; `None` where no memory is so large.
    pub(super) const fn total(tree: &'a Tree, capacity: usize, grain: usize) -> Option<usize> {
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
        Some(places.end.next_multiple_of(grain))
    }
}
