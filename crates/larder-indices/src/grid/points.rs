//! Points in their cells, those of a cell side by side; and where each key's point lies.
//!
//! ```text
//! table    hash, tile │ …                                         a tile's number, found by hash
//! tiles    numbers, (start, room, end end end end) × 4 │ …        which quads each row has, and where its columns end
//! quads    x x x x  y y y y  key key key key │ …                  four points in columns
//! places   row, index │ …                                         by slot: where the key's point lies
//! ```
//! **Invariant.** The table has the tiles with points, and no others. Each of their rows has quads of its own, enough
//! for its room, and in their first places the points of its cells, column by column; the ends say how many there are
//! up to each column. `wasted` is the number of quads that belong to no row. The places after a row's points in its
//! quads are NaN. Every place is that of a point with the place's key, and there are as many places as points. At most
//! [`LEAST`] more tiles are without points than with, so a walk over all tiles takes no longer than one over all
//! points.
//!
//! No user code runs here, except in [`retain_live`](Points::retain_live).

use alloc::vec::Vec;

use super::cells::{COLUMNS, Cell, ROWS, Tile};
use super::tiles::{FREE, Head, QUAD, Quad, Row, TileTable};
use crate::scratch::fill;
use larder_core::TryReserveError;
use larder_core::containers::Container;
use larder_core::containers::MemoryUsage;
use larder_core::key::Key;
use larder_core::maps::BySlot;
use larder_core::maps::SecondaryInsertErrorKind;
use larder_core::past::Past;
use larder_core::room::{reserve_exact, shrink};

/// A row, by its tile's number and its own, and a position in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PointPlace {
    row: u32,
    index: u32,
}

impl PointPlace {
    #[inline]
    fn in_row(tile: u32, row: usize, index: u32) -> Self {
        Self { row: tile * ROWS as u32 + row as u32, index }
    }
}

impl Default for PointPlace {
    /// Nowhere: no row has this number.
    fn default() -> Self {
        Self { row: FREE, index: 0 }
    }
}

/// The destination of a prepared point.
#[derive(Clone, Copy, Debug)]
enum Room {
    /// The place of the point with the same slot, which it replaces.
    Here(PointPlace),
    /// A row with room, of a tile with this number.
    In(u32),
    /// A new tile.
    New,
}

/// A point for which there is room. Valid until anything else is changed.
#[must_use = "nothing is filed yet"]
#[derive(Debug)]
pub(super) struct PointTicket<K, const N: usize> {
    key: K,
    point: [f32; N],
    cell: Cell<N>,
    room: Room,
}

/// A change of points or of the numbers of tiles.
///
/// Points are filed at the end of their column, and removed from there by the reverse. Tiles take free numbers, the one
/// freed last first. So changes that are reversed from the latest on put each point and each tile where it was.
#[expect(unnameable_types, missing_debug_implementations, reason = "it seals a public trait")]
pub enum PointChange<K, const N: usize> {
    /// A key has a point instead of another key of the slot, or of its former point.
    Point {
        /// The key that has a point now, or a dangling one.
        now: K,
        /// The key that had a point, or a dangling one; the point, and its index in the row.
        was: K,
        point: [f32; N],
        index: u32,
        /// True if a tile was begun whose number is new.
        is_new: bool,
    },
    /// Tiles without points have lost their numbers, which are these, in the order in which they are used next; or have
    /// them again.
    Numbers { free: Vec<u32>, are_lost: bool },
}

#[derive(Clone)]
pub(super) struct Points<K: Key, const N: usize> {
    table: TileTable,
    tiles: Vec<Head<N>>,
    /// The first free number of a tile, or [`FREE`].
    free: u32,
    quads: Vec<Quad<K, N>>,
    wasted: usize,
    /// The number of cells that have points.
    cells: usize,
    places: BySlot<PointPlace>,
    len: usize,
    /// True if there is room for all points, wherever they are.
    is_reserved: bool,
    past: Past<PointChange<K, N>, ()>,
}

/// The number of tiles that may be without points if there are no others.
const LEAST: usize = 16;

/// The hash of a tile for the table.
#[inline]
fn hash_of<const N: usize>(tile: Tile<N>) -> u32 {
    (tile.hash() >> 32) as u32
}

/// Reading.
impl<K: Key, const N: usize> Points<K, N> {
    pub(super) const fn new() -> Self {
        Self {
            table: TileTable::new(),
            tiles: Vec::new(),
            free: FREE,
            quads: Vec::new(),
            wasted: 0,
            cells: 0,
            places: BySlot::new(),
            len: 0,
            is_reserved: false,
            past: Past::new(),
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the number of cells that have points.
    #[inline]
    pub(super) fn cell_count(&self) -> usize {
        self.cells
    }

    /// Returns the number of tiles that have points.
    #[inline]
    pub(super) fn tile_count(&self) -> usize {
        self.table.len()
    }

    /// All tiles, those without points among them.
    #[inline]
    pub(super) fn tiles(&self) -> &[Head<N>] {
        &self.tiles
    }

    #[inline]
    fn number_of(&self, hash: u32, tile: Tile<N>) -> Option<u32> {
        self.table.find(hash, |number| self.tiles[number as usize].tile == tile)
    }

    /// A tile, if it has points.
    #[inline]
    pub(super) fn find(&self, tile: Tile<N>) -> Option<&Head<N>> {
        self.number_of(hash_of(tile), tile).map(|number| &self.tiles[number as usize])
    }

    /// The quads that have the points of two cells in one row of a tile; others may be in them, too.
    #[inline]
    pub(super) fn quads_of(&self, cell: Cell<N>, other: Cell<N>) -> &[Quad<K, N>] {
        let (a, b) = (cell.column(), other.column());
        let columns = if a < b { [a, b] } else { [b, a] };
        let quads = self.find(cell.tile()).and_then(|head| head.rows[cell.row()].quads(columns));
        quads.map_or(&[], |quads| self.quads(quads))
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
    fn row(&self, row: u32) -> &Row {
        &self.tiles[row as usize / ROWS].rows[row as usize % ROWS]
    }

    #[inline]
    fn row_mut(&mut self, row: u32) -> &mut Row {
        &mut self.tiles[row as usize / ROWS].rows[row as usize % ROWS]
    }

    #[inline]
    fn at(&self, place: PointPlace) -> (K, [f32; N]) {
        let (quad, at) = self.row(place.row).quad_at(place.index);
        self.quads[quad].entry(at)
    }

    #[inline]
    fn is_in(&self, place: PointPlace, cell: Cell<N>) -> bool {
        self.tiles[place.row as usize / ROWS].tile == cell.tile()
            && place.row as usize % ROWS == cell.row()
            && self.row(place.row).column_of(place.index) == cell.column()
    }

    /// Returns the place of the point whose key has this slot.
    #[inline]
    fn place_of_slot(&self, slot: u32) -> Option<PointPlace> {
        let place = self.places.get(slot);
        (place.row != FREE).then_some(place)
    }

    /// Returns the place of the point of a key.
    #[inline]
    fn place(&self, key: K) -> Option<PointPlace> {
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

    /// Prepares to file a point, which allocates what filing it needs; `None` if the key has this point already. On an
    /// error nothing visible has changed.
    #[inline(always)]
    pub(super) fn prepare(
        &mut self,
        key: K,
        point: [f32; N],
        cell: Cell<N>,
    ) -> Result<Option<PointTicket<K, N>>, SecondaryInsertErrorKind<K>> {
        let before = self.place_of_slot(key.slot());
        match before.map(|place| self.at(place)) {
            Some((tenant, filed)) if tenant == key && filed == point => return Ok(None),
            Some((tenant, _)) if tenant == key => {}
            _ if !key.can_be_live() => return Err(SecondaryInsertErrorKind::Dangling),
            Some((tenant, _)) if key.is_older_than(tenant) => {
                return Err(SecondaryInsertErrorKind::Stale { tenant });
            }
            _ => {}
        }
        if let Some(place) = before.filter(|&place| self.is_in(place, cell)) {
            return Ok(Some(PointTicket { key, point, cell, room: Room::Here(place) }));
        }
        let room = self.make_room_for(key, cell).map_err(SecondaryInsertErrorKind::Memory)?;
        Ok(Some(PointTicket { key, point, cell, room }))
    }

    #[inline(always)]
    fn make_room_for(&mut self, key: K, cell: Cell<N>) -> Result<Room, TryReserveError> {
        self.places.make_room(key.slot(), self.len)?;
        self.make_room(cell)
    }

    #[inline(always)]
    fn make_room(&mut self, cell: Cell<N>) -> Result<Room, TryReserveError> {
        let tile = cell.tile();
        let hash = hash_of(tile);
        if let Some(number) = self.number_of(hash, tile) {
            let place = PointPlace::in_row(number, cell.row(), 0);
            if self.row(place.row).is_full() {
                self.enlarge(place.row)?;
            }
            return Ok(Room::In(number));
        }
        self.table.make_room(hash)?;
        self.make_quads(1)?;
        if self.free == FREE && self.tiles.len() == self.tiles.capacity() {
            let tiles = self.tiles.len();
            reserve_exact(&mut self.tiles, (tiles / 4).max(1))?;
        }
        Ok(Room::New)
    }

    /// Gives a full row more quads: one behind its own, if those are the last ones, or else half as many
    /// again behind all.
    #[inline(never)]
    fn enlarge(&mut self, number: u32) -> Result<(), TryReserveError> {
        let is_last = |points: &Self| {
            let row = points.row(number);
            row.room > 0 && (row.start + row.room) as usize == points.quads.len()
        };
        if is_last(self) {
            self.make_quads(1)?;
            // (All may have been moved.)
            if is_last(self) {
                self.quads.push(Quad::EMPTY);
                self.row_mut(number).room += 1;
                return Ok(());
            }
        }
        let room = self.row(number).room;
        let enlarged = room + room / 2 + 1;
        self.make_quads(enlarged as usize)?;
        let (from, to) = (self.row(number).start as usize, self.quads.len());
        self.quads.extend_from_within(from..from + room as usize);
        self.quads.resize(to + enlarged as usize, Quad::EMPTY);
        self.wasted += room as usize;
        let row = self.row_mut(number);
        (row.start, row.room) = (to as u32, enlarged);
        Ok(())
    }

    /// Makes room for `quads` quads behind all others. If a quarter of the memory is wasted, all are moved side by side
    /// instead of allocating more.
    #[inline]
    fn make_quads(&mut self, quads: usize) -> Result<(), TryReserveError> {
        if self.quads.capacity() - self.quads.len() < quads { self.grow(quads) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, quads: usize) -> Result<(), TryReserveError> {
        if self.is_reserved {
            let kept = self.kept();
            if kept.saturating_add(quads.max(kept / 4)) <= self.quads.capacity() {
                self.compact();
                return Ok(());
            }
        }
        let held = self.quads.len();
        let more = quads.max(held / 4);
        if self.wasted < held / 4 && held + more <= Self::MOST {
            return reserve_exact(&mut self.quads, more);
        }
        self.gather(quads)
    }

    /// Moves all rows side by side, those of a tile in their order, with room for `quads` quads behind them, and a
    /// quarter more at least; and takes back the quads that they do not need. O(tiles + points).
    fn gather(&mut self, quads: usize) -> Result<(), TryReserveError> {
        let kept = self.kept();
        let requested = kept.saturating_add(quads.max(kept / 4));
        if requested > Self::MOST {
            return Err(TryReserveError::CapacityOverflow { requested, max: Self::MOST });
        }
        let mut gathered = Vec::new();
        reserve_exact(&mut gathered, requested)?;
        for head in self.tiles.iter_mut().filter(|head| !head.is_free()) {
            // (One without quads stays at the start, wherever the quads will end.)
            for row in head.rows.iter_mut().filter(|row| row.room > 0) {
                let (from, room) = (row.start as usize, row.needed());
                (row.start, row.room) = (gathered.len() as u32, room);
                gathered.extend_from_slice(&self.quads[from..from + room as usize]);
            }
        }
        (self.quads, self.wasted) = (gathered, 0);
        Ok(())
    }

    /// Returns the number of quads that the rows need.
    fn kept(&self) -> usize {
        let rows = self.tiles.iter().filter(|head| !head.is_free()).flat_map(|head| &head.rows);
        rows.map(|row| row.needed() as usize).sum()
    }

    /// Moves all rows side by side, in the order in which they are, and takes back what they do not need.
    /// O(tiles + quads).
    fn compact(&mut self) {
        // (A row without points is not found by these. It may have room for one that was not filed.)
        for head in self.tiles.iter_mut().filter(|head| !head.is_free()) {
            for row in head.rows.iter_mut().filter(|row| row.len() == 0) {
                *row = Row::default();
            }
        }
        let (mut from, mut to) = (0, 0);
        while from < self.quads.len() {
            // A row begins here if the point here is the first of a row, and lies here.
            let (key, _) = self.quads[from].entry(0);
            let place = if key == K::DANGLING { None } else { self.place_of_slot(key.slot()) };
            let begins =
                |place: &PointPlace| place.index == 0 && self.row(place.row).start as usize == from;
            let Some(place) = place.filter(begins) else {
                from += 1;
                continue;
            };
            let (needed, room) = (self.row(place.row).needed(), self.row(place.row).room);
            self.quads.copy_within(from..from + needed as usize, to);
            let row = self.row_mut(place.row);
            (row.start, row.room) = (to as u32, needed);
            (from, to) = (from + room as usize, to + needed as usize);
        }
        self.quads.truncate(to);
        self.wasted = 0;
    }

    /// Files what was prepared, without memory, where nothing is recorded.
    #[inline(always)]
    pub(super) fn file(&mut self, ticket: PointTicket<K, N>) {
        let PointTicket { key, point, cell, room } = ticket;
        let tile = match room {
            Room::Here(place) => return self.set(place, key, point),
            Room::In(number) => number,
            Room::New => self.begin(cell),
        };
        let place = self.list(tile, cell, key, point);
        // The point of the same slot, of a stale key or of the same one, is removed.
        let before = self.place_of_slot(key.slot());
        self.places.set(key.slot(), place);
        if let Some(before) = before {
            self.unlist(before, true);
        }
    }

    #[inline(always)]
    fn set(&mut self, place: PointPlace, key: K, point: [f32; N]) {
        let (quad, at) = self.row(place.row).quad_at(place.index);
        self.quads[quad].set(at, key, point);
    }

    /// Puts a point behind those of its cell, whose row has room. The place of its key is not set.
    #[inline(always)]
    fn list(&mut self, tile: u32, cell: Cell<N>, key: K, point: [f32; N]) -> PointPlace {
        let PointPlace { row: number, .. } = PointPlace::in_row(tile, cell.row(), 0);
        let (mut row, column) = (*self.row(number), cell.column());
        self.cells += usize::from(row.first(column) == row.ends[column]);
        // The first point of each later column goes behind its last one.
        let mut free = row.len();
        for later in (column + 1..COLUMNS).rev() {
            row.ends[later] += 1;
            let first = row.ends[later - 1];
            self.transfer(number, row.start, first, free);
            free = first;
        }
        row.ends[column] += 1;
        *self.row_mut(number) = row;
        let (quad, at) = row.quad_at(free);
        self.quads[quad].set(at, key, point);
        self.len += 1;
        PointPlace { row: number, index: free }
    }

    /// Moves a point within a row with quads from `start` on, if the indices differ.
    #[inline]
    fn transfer(&mut self, row: u32, start: u32, from: u32, to: u32) {
        if from != to {
            let (key, point) = self.at_hit(start * QUAD as u32 + from);
            let to_quad = &mut self.quads[start as usize + to as usize / QUAD];
            to_quad.set(to as usize % QUAD, key, point);
            self.places.set(key.slot(), PointPlace { row, index: to });
        }
    }

    /// Begins a tile, and the row of a cell, with room for a quad.
    #[inline(always)]
    fn begin(&mut self, cell: Cell<N>) -> u32 {
        let tile = cell.tile();
        let mut head = Head { tile, rows: [Row::default(); ROWS] };
        head.rows[cell.row()] = Row { start: self.quads.len() as u32, room: 1, ..Row::default() };
        self.quads.push(Quad::EMPTY);
        let number = if self.free == FREE {
            self.tiles.push(head);
            self.tiles.len() as u32 - 1
        } else {
            let number = self.free;
            let free = &mut self.tiles[number as usize];
            self.free = free.rows[0].start;
            *free = head;
            number
        };
        self.table.insert(hash_of(tile), number);
        number
    }

    /// Removes a key's point.
    #[inline]
    pub(super) fn remove(&mut self, key: K) -> Option<[f32; N]> {
        let place = self.place(key)?;
        if self.past.is_on() {
            return Some(self.remove_recorded(key.slot()));
        }
        self.places.take(key.slot());
        Some(self.unlist(place, true))
    }

    /// Removes the point at a place; the last one of its column fills the gap, and that of each later one the
    /// gap there. `closes_up` says whether tiles may lose their numbers.
    fn unlist(&mut self, place: PointPlace, closes_up: bool) -> [f32; N] {
        let PointPlace { row: number, index: mut gap } = place;
        let mut row = *self.row(number);
        let (quad, at) = row.quad_at(gap);
        let (_, point) = self.quads[quad].entry(at);
        let column = row.column_of(gap);
        for later in column..COLUMNS {
            row.ends[later] -= 1;
            let last = row.ends[later];
            self.transfer(number, row.start, last, gap);
            gap = last;
        }
        *self.row_mut(number) = row;
        let (quad, at) = row.quad_at(gap);
        self.quads[quad].set(at, K::DANGLING, [f32::NAN; N]);
        self.len -= 1;
        self.cells -= usize::from(row.first(column) == row.ends[column]);
        if row.len() == 0 {
            self.end(number, closes_up);
        }
        point
    }

    /// Takes the quads of a row that has no points any more, and removes its tile if no row has any.
    fn end(&mut self, number: u32, closes_up: bool) {
        let Row { start, room, .. } = core::mem::take(self.row_mut(number));
        if (start + room) as usize == self.quads.len() {
            self.quads.truncate(start as usize);
        } else {
            self.wasted += room as usize;
        }
        let tile = number / ROWS as u32;
        let head = &mut self.tiles[tile as usize];
        if head.is_free() {
            // (A row may have room for a point that was not filed.)
            self.wasted += head.rows.iter().map(|row| row.room as usize).sum::<usize>();
            head.rows = [Row { start: self.free, ..Row::default() }; ROWS];
            self.free = tile;
            self.table.remove(hash_of(head.tile), tile);
            if closes_up && self.is_sparse() {
                self.close_up();
            }
        }
    }

    /// Returns whether so many tiles were removed that the numbers of the others are closed up.
    fn is_sparse(&self) -> bool {
        self.tiles.len() > 2 * self.table.len() + LEAST
    }

    /// Gives the tiles with points the first numbers, and forgets the others, which every walk over all tiles
    /// meets. O(tiles + points).
    #[cold]
    #[inline(never)]
    fn close_up(&mut self) {
        let mut kept = 0;
        for number in 0..self.tiles.len() as u32 {
            let head = self.tiles[number as usize];
            if head.is_free() {
                continue;
            }
            if kept != number {
                self.renumber(number, kept);
            }
            kept += 1;
        }
        self.tiles.truncate(kept as usize);
        self.free = FREE;
    }

    /// Gives a tile with points another number, which no other one has.
    fn renumber(&mut self, number: u32, to: u32) {
        let head = self.tiles[number as usize];
        self.table.renumber(hash_of(head.tile), number, to);
        self.tiles[to as usize] = head;
        for (row, at) in head.rows.iter().zip(0..) {
            for place in (0..row.len()).map(|index| PointPlace::in_row(to, at, index)) {
                let (key, _) = self.at(place);
                self.places.set(key.slot(), place);
            }
        }
    }

    /// Removes the points whose keys a container does not have. If it panics, those visited before the panic
    /// are kept or removed as requested.
    pub(super) fn retain_live(&mut self, of: &impl Container<Key = K>) {
        self.retain(|key| of.contains_key(key));
    }

    fn retain(&mut self, mut keep: impl FnMut(K) -> bool) {
        let mut row = self.tiles.len() * ROWS;
        // Backwards, so that what fills a gap, or has the number of a tile that is removed, has been visited.
        while row > 0 {
            row -= 1;
            let number = row as u32;
            for index in (0..self.row(number).len()).rev() {
                let place = PointPlace { row: number, index };
                let (key, _) = self.at(place);
                if !keep(key) {
                    self.remove(key);
                }
            }
            row = row.min(self.tiles.len() * ROWS);
        }
    }
}

/// Changing while changes are recorded, and going back.
impl<K: Key, const N: usize> Points<K, N> {
    #[inline]
    pub(super) const fn is_recorded(&self) -> bool {
        self.past.is_on()
    }

    pub(super) const fn past(&mut self) -> &mut Past<PointChange<K, N>, ()> {
        &mut self.past
    }

    #[cold]
    #[inline(never)]
    pub(super) fn file_recorded(&mut self, ticket: PointTicket<K, N>) {
        let change = self.exchange(ticket, None);
        self.record(change);
    }

    /// Removes the point of a slot that has one.
    #[cold]
    #[inline(never)]
    fn remove_recorded(&mut self, slot: u32) -> [f32; N] {
        let (point, change) = self.take(slot);
        self.record(change);
        point
    }

    fn record(&mut self, change: PointChange<K, N>) {
        self.past.add(change);
        if self.is_sparse() {
            self.close_up_recorded();
        }
        self.past.settle();
    }

    #[cold]
    fn close_up_recorded(&mut self) {
        if self.free == FREE || !self.past.is_on() {
            self.close_up();
            return;
        }
        let (mut free, mut next) = (Vec::new(), self.free);
        let numbers = core::iter::from_fn(|| {
            let number = next;
            next = self.tiles.get(number as usize)?.rows[0].start;
            Some(number)
        });
        match fill(&mut free, numbers) {
            Ok(()) => drop(self.past.add(PointChange::Numbers { free, are_lost: true })),
            Err(_) => self.past.give_up(),
        }
        self.close_up();
    }

    /// Files a point for which there is room instead of that of its slot, at an index in its row or behind those of its
    /// cell. Returns the change.
    fn exchange(&mut self, ticket: PointTicket<K, N>, index: Option<u32>) -> PointChange<K, N> {
        let PointTicket { key, point, cell, room } = ticket;
        let numbers = self.tiles.len();
        let tile = match room {
            Room::Here(place) => {
                let (was, before) = self.at(place);
                self.set(place, key, point);
                let index = place.index;
                return PointChange::Point { now: key, was, point: before, index, is_new: false };
            }
            Room::In(number) => number,
            Room::New => self.begin(cell),
        };
        let is_new = self.tiles.len() > numbers;
        let mut place = self.list(tile, cell, key, point);
        if let Some(index) = index.filter(|&index| index != place.index) {
            let there = PointPlace { index, ..place };
            let (filler, its_point) = self.at(there);
            self.set(place, filler, its_point);
            self.set(there, key, point);
            self.places.set(filler.slot(), place);
            place = there;
        }
        let before = self.place_of_slot(key.slot());
        self.places.set(key.slot(), place);
        let Some(before) = before else {
            return PointChange::Point { now: key, was: K::DANGLING, point, index: 0, is_new };
        };
        let (was, point) = self.at(before);
        self.unlist(before, false);
        PointChange::Point { now: key, was, point, index: before.index, is_new }
    }

    /// Removes the point of a slot that has one. Returns the change, too.
    fn take(&mut self, slot: u32) -> ([f32; N], PointChange<K, N>) {
        let place = self.places.take(slot);
        let (was, point) = self.at(place);
        self.unlist(place, false);
        let index = place.index;
        (point, PointChange::Point { now: K::DANGLING, was, point, index, is_new: false })
    }

    /// Reverses a change, the latest that is not reversed, and makes of it what reverses it again. On an error nothing
    /// visible has changed.
    pub(super) fn reverse(
        &mut self,
        change: &mut PointChange<K, N>,
        cell_of: impl Fn([f32; N]) -> Cell<N>,
    ) -> Result<(), TryReserveError> {
        let (now, was, point, index, was_new) = match change {
            PointChange::Numbers { free, are_lost } => {
                if *are_lost {
                    self.spread(free)?;
                } else {
                    self.close_up();
                }
                *are_lost = !*are_lost;
                return Ok(());
            }
            PointChange::Point { now, was, point, index, is_new } => {
                (*now, *was, *point, *index, *is_new)
            }
        };
        *change = if was == K::DANGLING {
            self.take(now.slot()).1
        } else {
            let cell = cell_of(point);
            let here = self.place_of_slot(was.slot()).filter(|&place| self.is_in(place, cell));
            let room = match here {
                Some(place) => Room::Here(place),
                None => {
                    self.places.make_room_again(was.slot())?;
                    self.make_room(cell)?
                }
            };
            self.exchange(PointTicket { key: was, point, cell, room }, Some(index))
        };
        if was_new {
            // (Its tile has just ended, so the number is the first free one, and the last of all.)
            self.free = self.tiles.pop().map_or(FREE, |head| head.rows[0].start);
        }
        Ok(())
    }

    /// Gives the tiles the numbers that they had before they were closed up. `free` are those without points, in the
    /// order in which they are used next. On an error nothing has changed.
    fn spread(&mut self, free: &[u32]) -> Result<(), TryReserveError> {
        let mut gaps = Vec::new();
        fill(&mut gaps, free.iter().copied())?;
        reserve_exact(&mut self.tiles, free.len())?;
        gaps.sort_unstable();
        let mut kept = self.tiles.len() as u32;
        let no_tile = Head { tile: Tile([0; N]), rows: [Row::default(); ROWS] };
        self.tiles.resize(self.tiles.len() + free.len(), no_tile);
        // From the last on, so that each number is free by then.
        for number in (0..self.tiles.len() as u32).rev() {
            if gaps.last() == Some(&number) {
                gaps.pop();
                continue;
            }
            kept -= 1;
            if kept != number {
                self.renumber(kept, number);
            }
        }
        for &number in free.iter().rev() {
            let rows = [Row { start: self.free, ..Row::default() }; ROWS];
            self.tiles[number as usize].rows = rows;
            self.free = number;
        }
        Ok(())
    }
}

/// Reserving, clearing, measuring and validating all points.
impl<K: Key, const N: usize> Points<K, N> {
    /// Removes everything, and keeps the memory.
    pub(super) fn clear(&mut self) {
        if self.past.is_on() {
            self.retain(|_| false);
            self.close_up_recorded();
        }
        self.table.clear();
        self.tiles.clear();
        self.quads.clear();
        self.places.clear();
        (self.free, self.wasted, self.cells, self.len) = (FREE, 0, 0, 0);
    }

    /// Makes room for `points` more points, wherever they are and move: each may be in a tile of its own, also the one
    /// that moves, before it leaves the tile that it was in. On an error nothing visible has changed.
    pub(super) fn try_reserve(&mut self, points: usize) -> Result<(), TryReserveError> {
        if points == 0 {
            return Ok(());
        }
        self.places.try_reserve(points, self.len, K::MAX_SLOTS)?;
        let tiles = self.len + points + 1;
        self.table.try_reserve(tiles)?;
        let more = tiles.saturating_sub(self.tiles.len());
        reserve_exact(&mut self.tiles, more)?;
        // A row needs two quads for a point, fewer for each of several, and those of one that grows are in two
        // places; a quarter more are there to be used before rows are moved again.
        let quads = tiles * 5 / 2 + LEAST;
        if quads > Self::MOST {
            return Err(TryReserveError::CapacityOverflow { requested: quads, max: Self::MOST });
        }
        let more = quads.saturating_sub(self.quads.len());
        reserve_exact(&mut self.quads, more)?;
        self.is_reserved = true;
        Ok(())
    }

    /// Gives back the memory that the points do not need, as far as the allocator agrees. O(tiles + quads).
    pub(super) fn shrink_to_fit(&mut self) {
        self.is_reserved = false;
        self.close_up_recorded();
        self.compact();
        shrink(&mut self.quads);
        shrink(&mut self.tiles);
        self.table.shrink_to_fit();
        self.places.shrink_to_fit();
    }

    /// Makes room for `points` more points; cells may still need some.
    pub(super) fn expect(&mut self, points: usize) -> Result<(), TryReserveError> {
        self.places.try_reserve(points, self.len, K::MAX_SLOTS)?;
        reserve_exact(&mut self.quads, points.div_ceil(QUAD))
    }

    /// `values` are keys and points.
    pub(super) fn memory_usage(&self) -> MemoryUsage {
        let quad = size_of::<Quad<K, N>>();
        let values = self.len * quad / QUAD;
        let heads = self.tiles.capacity() * size_of::<Head<N>>();
        let bookkeeping = self.table.bytes() + heads + self.places.bytes();
        let holes = self.quads.len() * quad - values;
        let unused = (self.quads.capacity() - self.quads.len()) * quad;
        MemoryUsage::new(values, holes, unused, bookkeeping)
    }

    /// Panics if it is inconsistent.
    #[cfg_attr(not(feature = "__test"), allow(dead_code, reason = "tests call it"))]
    pub(super) fn validate(&self, cell_of: impl Fn([f32; N]) -> Cell<N>) {
        let (mut points, mut rooms, mut tiles, mut cells) = (0, 0, 0, 0);
        for (head, tile) in self.tiles.iter().zip(0..).filter(|(head, _)| !head.is_free()) {
            let found = self.number_of(hash_of(head.tile), head.tile).expect("a tile is not found");
            assert_eq!(found, tile, "a tile is found twice");
            tiles += 1;
            for (row, number) in head.rows.iter().zip(0..) {
                rooms += row.room as usize;
                points += row.len() as usize;
                cells += (0..COLUMNS).filter(|&at| row.first(at) < row.ends[at]).count();
                assert!(row.ends.is_sorted(), "columns overlap");
                let last = (row.start + row.room) as usize;
                assert!(row.used() <= row.room && last <= self.quads.len(), "no room");
                for index in 0..row.room * QUAD as u32 {
                    let place = PointPlace::in_row(tile, number, index);
                    let (key, point) = self.at(place);
                    if index < row.len() {
                        assert_eq!(self.places.get(key.slot()), place, "{key:?} is elsewhere");
                        assert!(self.is_in(place, cell_of(point)), "a point is in another cell");
                    } else {
                        assert!(point.iter().all(|x| x.is_nan()), "there is a point of no key");
                    }
                }
            }
        }
        assert_eq!([tiles, cells], [self.table.len(), self.cells], "a cell without points");
        assert!(self.tiles.len() <= 2 * tiles + LEAST, "too many tiles have no points");
        assert_eq!(rooms + self.wasted, self.quads.len(), "quads are lost");
        assert_eq!([points, self.places.count()], [self.len; 2], "a point is lost");
    }
}
