//! Points in their cells, those of a cell side by side; and where each key's point lies.
//!
//! ```text
//! table    hash, cell │ …                                a cell's number, found by hash
//! cells    numbers, start, length, room │ …              which quads a cell has
//! quads    x x x x  y y y y  key key key key │ …         four points in columns
//! places   cell, index │ …                               by slot: where the key's point lies
//! ```
//! **Invariant.** The table has the cells with points, and no others; each has quads of its own, enough for its room,
//! and its first `length` points lie in the cell. `wasted` is the number of quads that belong to no cell. What follows
//! a cell's points in its quads is not a number. Cells have their numbers in an order of space, except for those begun
//! since they were [ordered](Points::order) last, and most quads lie in the order of their cells; no result depends on it. Every place is that of a point with the place's key, and there are as
//! many places as points.
//!
//! No user code runs here, except in [`retain_live`](Points::retain_live).

use alloc::vec::Vec;

use super::cells::Cell;
use super::table::{FREE, Table};
use crate::by_slot::BySlot;
use crate::containers::container::Container;
use crate::error::{SecondaryInsertErrorKind, TryReserveError};
use crate::indices::sorted_keys::radix::{Ranked, sort};
use crate::key::Key;
use crate::raw::four::{Four, distances};
use crate::raw::keyed::{can_be_live, is_older};
use crate::scratch::{fill, reserve_exact};
use crate::stats::MemoryUsage;

/// How many points a quad has.
pub(super) const QUAD: usize = 4;

/// Four points in columns, so that all are compared at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quad<K, const N: usize> {
    axes: [Four; N],
    keys: [K; QUAD],
}

impl<K: Key, const N: usize> Quad<K, N> {
    /// Not a number is in no circle, nor in a box.
    const EMPTY: Self = Self { axes: [[f32::NAN; QUAD]; N], keys: [K::DANGLING; QUAD] };

    #[inline]
    pub(super) fn entry(&self, at: usize) -> (K, [f32; N]) {
        (self.keys[at], self.point(at))
    }

    #[inline]
    pub(super) fn point(&self, at: usize) -> [f32; N] {
        core::array::from_fn(|axis| self.axes[axis][at])
    }

    #[inline]
    fn set(&mut self, at: usize, key: K, point: [f32; N]) {
        self.keys[at] = key;
        for (axis, coordinate) in self.axes.iter_mut().zip(point) {
            axis[at] = coordinate;
        }
    }

    /// The coordinates along an axis.
    #[inline]
    pub(super) fn along(&self, axis: usize) -> &Four {
        &self.axes[axis]
    }

    /// The squares of the distances from a center, rounded by less than a millionth if they are ordinary numbers: six
    /// roundings of 2⁻²⁴ each are less.
    #[inline]
    pub(super) fn distances(&self, center: [f32; N]) -> Four {
        distances(&self.axes, center)
    }
}

/// A cell: its quads, `room` of them from `start` on, and how many points are in them. Without points, it is one of
/// the list of free numbers, and `start` the next one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<const N: usize> {
    pub(super) cell: Cell<N>,
    start: u32,
    pub(super) len: u32,
    room: u32,
}

impl<const N: usize> Head<N> {
    /// The first quad with its points, and behind the last.
    #[inline]
    pub(super) fn quads(&self) -> [u32; 2] {
        [self.start, self.start + self.used() as u32]
    }

    /// How many quads have points.
    #[inline]
    fn used(&self) -> usize {
        (self.len as usize).div_ceil(QUAD)
    }
}

/// A cell, and a position in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    cell: u32,
    index: u32,
}

impl Default for Place {
    /// Nowhere: no cell has this number.
    fn default() -> Self {
        Self { cell: FREE, index: 0 }
    }
}

/// Where a prepared point goes.
#[derive(Clone, Copy, Debug)]
enum Room {
    /// Where the point of the same slot is, which it replaces.
    Here(Place),
    /// Behind the points of a cell with room.
    In(u32),
    /// A new cell with this hash.
    New(u32),
}

/// A point for which there is room. Valid until anything else is changed.
#[must_use = "nothing is filed yet"]
#[derive(Debug)]
pub(super) struct Ticket<K, const N: usize> {
    key: K,
    point: [f32; N],
    cell: Cell<N>,
    room: Room,
}

#[derive(Clone, Debug)]
pub(super) struct Points<K: Key, const N: usize> {
    table: Table,
    cells: Vec<Head<N>>,
    /// The first free number of a cell, or [`FREE`].
    free: u32,
    quads: Vec<Quad<K, N>>,
    wasted: usize,
    /// How many cells lay in order when they were put in order last.
    ordered: usize,
    places: BySlot<Place>,
    len: usize,
}

/// The hash of a cell for the table.
#[inline]
fn hash_of<const N: usize>(cell: Cell<N>) -> u32 {
    (cell.hash() >> 32) as u32
}

/// Reading.
impl<K: Key, const N: usize> Points<K, N> {
    pub(super) const fn new() -> Self {
        Self {
            table: Table::new(),
            cells: Vec::new(),
            free: FREE,
            quads: Vec::new(),
            wasted: 0,
            ordered: 0,
            places: BySlot::new(),
            len: 0,
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// How many cells have points.
    #[inline]
    pub(super) fn cell_count(&self) -> usize {
        self.table.len()
    }

    /// All cells, those without points among them.
    #[inline]
    pub(super) fn cells(&self) -> &[Head<N>] {
        &self.cells
    }

    /// The number of a cell, if it has points.
    #[inline]
    pub(super) fn find(&self, cell: Cell<N>) -> Option<u32> {
        self.table.find(hash_of(cell), |number| self.head(number).cell == cell)
    }

    /// As [`find`](Self::find), most often without the table if the guess is the number beside that of a cell beside it.
    #[inline]
    pub(super) fn find_beside(&self, cell: Cell<N>, guess: u32) -> Option<u32> {
        match self.cells.get(guess as usize) {
            Some(head) if head.cell == cell && head.len > 0 => Some(guess),
            _ => self.find(cell),
        }
    }

    #[inline]
    pub(super) fn head(&self, number: u32) -> &Head<N> {
        &self.cells[number as usize]
    }

    /// The quads from one to before another.
    #[inline]
    pub(super) fn quads(&self, [start, end]: [u32; 2]) -> &[Quad<K, N>] {
        &self.quads[start as usize..end as usize]
    }

    /// The entry at a position among all quads.
    #[inline]
    pub(super) fn at_hit(&self, hit: u32) -> (K, [f32; N]) {
        self.quads[hit as usize / QUAD].entry(hit as usize % QUAD)
    }

    #[inline]
    fn quad_at(&self, place: Place) -> (usize, usize) {
        let index = place.index as usize;
        (self.head(place.cell).start as usize + index / QUAD, index % QUAD)
    }

    #[inline]
    fn at(&self, place: Place) -> (K, [f32; N]) {
        let (quad, at) = self.quad_at(place);
        self.quads[quad].entry(at)
    }

    /// Where the point lies whose key has this slot.
    #[inline]
    fn place_of_slot(&self, slot: u32) -> Option<Place> {
        let place = self.places.get(slot);
        (place.cell != FREE).then_some(place)
    }

    /// Where the point of a key lies.
    #[inline]
    fn place(&self, key: K) -> Option<Place> {
        self.place_of_slot(key.slot()).filter(|&place| self.at(place).0 == key)
    }

    #[inline]
    pub(super) fn get(&self, key: K) -> Option<[f32; N]> {
        Some(self.at(self.place(key)?).1)
    }

    #[inline]
    pub(super) fn contains_key(&self, key: K) -> bool {
        self.place(key).is_some()
    }
}

/// Changing.
impl<K: Key, const N: usize> Points<K, N> {
    /// The most quads, whose points have numbers.
    const MOST: usize = u32::MAX as usize / QUAD;

    /// Prepares to file a point, which allocates what filing it needs. On an error nothing visible has changed.
    #[inline]
    pub(super) fn prepare(
        &mut self,
        key: K,
        point: [f32; N],
        cell: Cell<N>,
    ) -> Result<Ticket<K, N>, SecondaryInsertErrorKind<K>> {
        let before = self.place_of_slot(key.slot());
        let tenant = before.map(|place| self.at(place).0);
        if tenant != Some(key) {
            if !can_be_live(key) {
                return Err(SecondaryInsertErrorKind::Dangling);
            }
            if let Some(tenant) = tenant.filter(|&tenant| is_older(key, tenant)) {
                return Err(SecondaryInsertErrorKind::Stale { tenant });
            }
        }
        if let Some(place) = before.filter(|place| self.head(place.cell).cell == cell) {
            return Ok(Ticket { key, point, cell, room: Room::Here(place) });
        }
        let room = self.make_room(key, cell).map_err(SecondaryInsertErrorKind::NoMemory)?;
        Ok(Ticket { key, point, cell, room })
    }

    #[inline]
    fn make_room(&mut self, key: K, cell: Cell<N>) -> Result<Room, TryReserveError> {
        self.places.make_room(key.slot(), self.len)?;
        let hash = hash_of(cell);
        if let Some(number) = self.table.find(hash, |number| self.head(number).cell == cell) {
            let head = self.head(number);
            let is_full = head.len as usize == head.room as usize * QUAD;
            return if is_full { self.enlarge(cell, number) } else { Ok(Room::In(number)) };
        }
        self.table.make_room()?;
        if self.spare_quads() < 1 {
            self.make_quads(1)?;
        }
        if self.free == FREE && self.cells.len() == self.cells.capacity() {
            let cells = self.cells.len();
            reserve_exact(&mut self.cells, (cells / 4).max(4))?;
        }
        Ok(Room::New(hash))
    }

    /// Gives a full cell more quads: behind its own, if those are the last ones, or else behind all.
    #[inline(never)]
    fn enlarge(&mut self, cell: Cell<N>, mut number: u32) -> Result<Room, TryReserveError> {
        let more = |head: &Head<N>| head.room / 2 + 1;
        let head = self.head(number);
        let needed = (head.room + more(head)) as usize;
        if self.spare_quads() < needed {
            self.make_quads(needed)?;
            number = self.find(cell).unwrap_or(number);
        }
        let Head { start, len, room, .. } = *self.head(number);
        if len as usize == room as usize * QUAD {
            let (from, to) = (start as usize, (start + room) as usize);
            let head = &mut self.cells[number as usize];
            if to < self.quads.len() {
                head.start = self.quads.len() as u32;
                self.quads.extend_from_within(from..to);
                self.wasted += room as usize;
            }
            head.room += more(head);
            let end = (head.start + head.room) as usize;
            self.quads.resize(end, Quad::EMPTY);
        }
        Ok(Room::In(number))
    }

    /// How many quads more there is memory for.
    #[inline]
    fn spare_quads(&self) -> usize {
        self.quads.capacity() - self.quads.len()
    }

    /// Makes room for so many quads behind all others. If half of the cells are new, or a quarter of the memory is wasted,
    /// all are put in order: cells may have other numbers then.
    #[cold]
    #[inline(never)]
    fn make_quads(&mut self, quads: usize) -> Result<(), TryReserveError> {
        let held = self.quads.len();
        let more = quads.max(held / 4);
        let is_ordered = self.wasted < held / 4 && self.cells.len() <= 2 * self.ordered;
        if is_ordered && held + more <= Self::MOST {
            return reserve_exact(&mut self.quads, more);
        }
        self.order()?;
        self.gather(quads)
    }

    /// Numbers cells along rows, so that a query that goes along a row finds each cell beside the one before. O(cells +
    /// points), O(cells) if they are in order.
    fn order(&mut self) -> Result<(), TryReserveError> {
        let count = self.table.len();
        if self.cells.len() > count || !self.cells.is_sorted_by_key(|head| head.cell.rank()) {
            let (mut order, mut spare, mut cells) = (Vec::new(), Vec::new(), Vec::new());
            reserve_exact(&mut order, count)?;
            reserve_exact(&mut cells, self.cells.capacity())?;
            let numbered = self.cells.iter().zip(0_u32..).filter(|(head, _)| head.len > 0);
            order.extend(numbered.map(|(head, number)| Ranked::new(head.cell.rank(), number)));
            fill(&mut spare, order.iter().copied())?;
            sort(&mut order, &mut spare);
            self.table.clear();
            for (Ranked { key: before, .. }, number) in order.into_iter().zip(0..) {
                let head = *self.head(before);
                for index in 0..head.len {
                    let (key, _) = self.at(Place { cell: before, index });
                    self.places.set(key.slot(), Place { cell: number, index });
                }
                self.table.insert(hash_of(head.cell), number);
                cells.push(head);
            }
            (self.cells, self.free) = (cells, FREE);
        }
        self.ordered = count;
        Ok(())
    }

    /// Moves all cells side by side, in the order of their numbers, with room for so many quads behind them, and a quarter
    /// more at least; and takes back what they do not need. O(cells + points).
    fn gather(&mut self, quads: usize) -> Result<(), TryReserveError> {
        // (What a cell had room for once may be much.)
        let room = |head: &Head<N>| head.room.min((head.used() + head.used() / 2 + 1) as u32);
        let kept: usize = self.cells.iter().map(|head| room(head) as usize).sum();
        let requested = kept.saturating_add(quads.max(kept / 4));
        if requested > Self::MOST {
            return Err(TryReserveError::CapacityOverflow { requested, max: Self::MOST });
        }
        let mut gathered = Vec::new();
        reserve_exact(&mut gathered, requested)?;
        for head in &mut self.cells {
            let (from, room) = (head.start as usize, room(head));
            (head.start, head.room) = (gathered.len() as u32, room);
            gathered.extend_from_slice(&self.quads[from..from + room as usize]);
        }
        (self.quads, self.wasted) = (gathered, 0);
        Ok(())
    }

    /// Files what was prepared, without memory.
    #[inline]
    pub(super) fn file(&mut self, ticket: Ticket<K, N>) {
        let Ticket { key, point, cell, room } = ticket;
        let number = match room {
            Room::Here(place) => {
                let (quad, at) = self.quad_at(place);
                self.quads[quad].set(at, key, point);
                return;
            }
            Room::In(number) => number,
            Room::New(hash) => self.begin(cell, hash),
        };
        // The point of the same slot, of a stale key or of the same one, is removed.
        let before = self.place_of_slot(key.slot());
        let head = &mut self.cells[number as usize];
        let place = Place { cell: number, index: head.len };
        head.len += 1;
        let (quad, at) = self.quad_at(place);
        self.quads[quad].set(at, key, point);
        self.places.set(key.slot(), place);
        self.len += 1;
        if let Some(before) = before {
            self.unlist(before);
        }
    }

    /// Begins a cell, with room for a quad.
    fn begin(&mut self, cell: Cell<N>, hash: u32) -> u32 {
        let head = Head { cell, start: self.quads.len() as u32, len: 0, room: 1 };
        self.quads.push(Quad::EMPTY);
        let number = if self.free == FREE {
            self.cells.push(head);
            self.cells.len() as u32 - 1
        } else {
            let number = self.free;
            self.free = self.head(number).start;
            self.cells[number as usize] = head;
            number
        };
        self.table.insert(hash, number);
        number
    }

    /// Removes a key's point.
    #[inline]
    pub(super) fn remove(&mut self, key: K) -> Option<[f32; N]> {
        let place = self.place(key)?;
        self.places.take(key.slot());
        Some(self.unlist(place))
    }

    /// Removes the point at a place; the last one of its cell fills the gap.
    fn unlist(&mut self, place: Place) -> [f32; N] {
        let (_, point) = self.at(place);
        let head = &mut self.cells[place.cell as usize];
        head.len -= 1;
        let (last, is_empty) = (Place { index: head.len, ..place }, head.len == 0);
        let (quad, at) = self.quad_at(last);
        if last != place {
            let (key, moved) = self.at(last);
            let (gap, at) = self.quad_at(place);
            self.quads[gap].set(at, key, moved);
            self.places.set(key.slot(), place);
        }
        self.quads[quad].set(at, K::DANGLING, [f32::NAN; N]);
        self.len -= 1;
        if is_empty {
            self.end(place.cell);
        }
        point
    }

    /// Removes a cell that has no points any more.
    fn end(&mut self, number: u32) {
        let head = &mut self.cells[number as usize];
        let Head { cell, start, room, .. } = *head;
        (head.start, head.room) = (self.free, 0);
        self.free = number;
        self.table.remove(hash_of(cell), number);
        if (start + room) as usize == self.quads.len() {
            self.quads.truncate(start as usize);
        } else {
            self.wasted += room as usize;
        }
    }

    /// Removes the points whose keys a container does not have. If it panics, those visited before are decided.
    pub(super) fn retain_live(&mut self, of: &impl Container<Key = K>) {
        for number in 0..self.cells.len() as u32 {
            let mut index = 0;
            while index < self.head(number).len {
                let place = Place { cell: number, index };
                let (key, _) = self.at(place);
                if of.contains_key(key) {
                    index += 1;
                } else {
                    self.places.take(key.slot());
                    self.unlist(place);
                }
            }
        }
    }

    /// Removes everything, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.cells.clear();
        self.quads.clear();
        self.places.clear();
        (self.free, self.wasted, self.ordered, self.len) = (FREE, 0, 0, 0);
    }

    /// Makes room for so many points more; cells may still need some.
    pub(super) fn try_reserve(&mut self, points: usize) -> Result<(), TryReserveError> {
        self.places.try_reserve(points, self.len, K::MAX_SLOTS)?;
        reserve_exact(&mut self.quads, points.div_ceil(QUAD))
    }

    /// `values` are keys and points.
    pub(super) fn memory_usage(&self) -> MemoryUsage {
        let quad = size_of::<Quad<K, N>>();
        let values = self.len * quad / QUAD;
        let heads = self.cells.capacity() * size_of::<Head<N>>();
        let bookkeeping = self.table.bytes() + heads + self.places.bytes();
        let committed = self.quads.capacity() * quad + bookkeeping;
        MemoryUsage {
            values,
            holes: self.quads.len() * quad - values,
            unused: (self.quads.capacity() - self.quads.len()) * quad,
            bookkeeping,
            committed,
            reserved: committed,
        }
    }

    /// Panics if it is inconsistent.
    pub(super) fn validate(&self, cell_of: impl Fn([f32; N]) -> Cell<N>) {
        let (mut points, mut rooms, mut in_use) = (0, 0, 0);
        for (head, number) in self.cells.iter().zip(0..).filter(|(head, _)| head.len > 0) {
            let found = self.find(head.cell).expect("a cell is not found");
            assert_eq!(found, number, "a cell is found twice");
            in_use += 1;
            rooms += head.room as usize;
            points += head.len as usize;
            let last = (head.start + head.room) as usize;
            assert!(head.used() <= head.room as usize && last <= self.quads.len(), "no room");
            for index in 0..head.room * QUAD as u32 {
                let place = Place { cell: number, index };
                let (key, point) = self.at(place);
                if index < head.len {
                    assert_eq!(self.places.get(key.slot()), place, "{key:?} is elsewhere");
                    assert_eq!(cell_of(point), head.cell, "a point is in another cell");
                } else {
                    assert!(point.iter().all(|x| x.is_nan()), "there is a point of no key");
                }
            }
        }
        assert_eq!(in_use, self.table.len(), "a cell without points is found");
        assert_eq!(rooms + self.wasted, self.quads.len(), "quads are lost");
        assert_eq!([points, self.places.count()], [self.len; 2], "a point is lost");
    }
}
