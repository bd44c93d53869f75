//! The parts of a grid that cannot be seen from outside: numbers of cells, tiles, and the rows in them.

/// The invariant that makes queries exact, from one end of the numbers to the other.
#[test]
fn numbers_of_cells_never_fall_and_end_where_numbers_do() {
    use crate::cells::Cell;

    let number = |x: f32, size: f32| Cell::of([x], size).0[0];
    let around = |x: f32| [-f32::EPSILON, 0.0, f32::EPSILON].map(|part| x + x * part);
    let powers = (-45..39).flat_map(|power| [3.0, 1.0].map(|x: f32| x * 10_f32.powi(power)));
    let mut coordinates: Vec<f32> =
        powers.flat_map(|x| [x, -x]).flat_map(around).filter(|x| x.is_finite()).collect();
    coordinates.extend((-50..50_i8).map(|tenths| f32::from(tenths) * 0.1));
    coordinates.sort_by(f32::total_cmp);
    for size in [1e-45, 1e-20, 0.1, 1.0, 10.0, 1e30, f32::MAX] {
        let numbers = coordinates.iter().map(|&x| number(x, size));
        assert!(numbers.is_sorted(), "cells of {size}");
    }
    assert_eq!((number(1e30, 1.0), number(-1e30, 1.0)), (i32::MAX, i32::MIN));
}

#[test]
fn blocks_of_tiles_count_what_they_walk() {
    use crate::cells::{Block, Bounds, Tiles};
    use core::iter::successors;

    let tiles = |min, max| Block::of(&Bounds { min, max }, 0.25).tiles();
    let tiles_of = |tiles: Tiles<2>| {
        successors(Some(tiles.first), move |&tile| Some(tiles.after(tile)))
            .take(tiles.count() as usize)
    };
    let few = tiles([-1.0, 3.0], [1.0, 4.5]);
    let numbers: Vec<_> = tiles_of(few).map(|tile| tile.0).collect();
    assert_eq!(numbers, [[-1, 3], [-1, 4], [0, 3], [0, 4], [1, 3], [1, 4]]);
    assert_eq!(few.count(), 6);
    let none = tiles([0.0, 1.0], [5.0, 0.0]);
    assert_eq!((none.count(), tiles_of(none).count()), (0, 0));
    let all = Bounds { min: [f32::MIN; 3], max: [f32::INFINITY; 3] };
    let all = Block::of(&all, 1.0).tiles();
    assert_eq!(all.count(), u64::MAX);
}

/// Every cell is in one row of one tile, at one place; and in the order of their ranks they are row by row.
#[test]
fn rows_of_tiles_have_each_cell_once() {
    fn trial<const N: usize>() {
        use crate::cells::{COLUMNS, Cell, ROWS};

        let cell = |number: usize| {
            Cell::<N>(core::array::from_fn(|axis| (number >> (4 * axis) & 15) as i32 - 8))
        };
        let mut cells: Vec<_> = (0..1 << (4 * N)).map(cell).collect();
        cells.sort_by_key(|cell| cell.rank());
        for (at, cell) in cells.iter().enumerate() {
            let mut again = cell.tile().first_of(cell.row());
            again.0[N - 1] += cell.column() as i32;
            assert_eq!(again, *cell);
            let column = cell.0[N - 1];
            assert_eq!(cell.tile().columns([column; 2]), Some([cell.column(); 2]));
            assert_eq!(cell.tile().columns([i32::MIN, i32::MAX]), Some([0, COLUMNS - 1]));
            assert_eq!([at % COLUMNS, at / COLUMNS % ROWS], [cell.column(), cell.row()]);
            let first = cells[at - at % (ROWS * COLUMNS)];
            assert_eq!(cell.tile(), first.tile(), "tiles are side by side");
        }
    }
    trial::<2>();
    trial::<3>();
}
