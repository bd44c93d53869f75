//! Points as a whole: room, memory, and whether they are consistent.

use super::{Head, LEAST, Place, Points, hash_of};
use crate::error::TryReserveError;
use crate::indices::grid::cells::{COLUMNS, Cell};
use crate::indices::grid::search::{QUAD, Quad};
use crate::indices::grid::table::FREE;
use crate::key::Key;
use crate::scratch::reserve_exact;
use crate::stats::MemoryUsage;

impl<K: Key, const N: usize> Points<K, N> {
    /// Removes everything, and keeps the memory.
    pub(in crate::indices::grid) fn clear(&mut self) {
        self.table.clear();
        self.tiles.clear();
        self.quads.clear();
        self.places.clear();
        (self.free, self.wasted, self.cells, self.len) = (FREE, 0, 0, 0);
    }

    /// Makes room for so many points more; cells may still need some.
    pub(in crate::indices::grid) fn try_reserve(
        &mut self,
        points: usize,
    ) -> Result<(), TryReserveError> {
        self.places.try_reserve(points, self.len, K::MAX_SLOTS)?;
        reserve_exact(&mut self.quads, points.div_ceil(QUAD))
    }

    /// `values` are keys and points.
    pub(in crate::indices::grid) fn memory_usage(&self) -> MemoryUsage {
        let quad = size_of::<Quad<K, N>>();
        let values = self.len * quad / QUAD;
        let heads = self.tiles.capacity() * size_of::<Head<N>>();
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
    pub(in crate::indices::grid) fn validate(&self, cell_of: impl Fn([f32; N]) -> Cell<N>) {
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
                    let place = Place::in_row(tile, number, index);
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
