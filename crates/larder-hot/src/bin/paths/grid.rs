//! The daily work of a grid: a point per square of 5 m on average, and cells of 20 m.

use core::hint::black_box;

use larder::{Arena, Handle, indices::GridIndex};

use super::{COUNT, barrier, counted};

type Key = Handle<()>;
type Point = [f32; 2];

const CELL: f32 = 20.0;

/// A part of 1, always the same for this number.
fn any(number: usize) -> f32 {
    let mixed = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed >> 40) as f32 / (1 << 24) as f32
}

/// So many points, and as many others; the more there are, the larger the plane.
fn points(count: usize) -> [Vec<(Key, Point)>; 2] {
    let side = 5.0 * (count as f64).sqrt() as f32;
    let keys: Vec<Key> = Arena::from_iter((0..count).map(|_| ())).keys().collect();
    [0, 2 * count].map(|first| {
        let point = |at: usize| [any(first + 2 * at), any(first + 2 * at + 1)].map(|x| x * side);
        keys.iter().enumerate().map(|(at, &key)| (key, point(at))).collect()
    })
}

fn filled(points: &[(Key, Point)]) -> GridIndex<Key, 2> {
    let mut grid = GridIndex::new(CELL);
    grid.extend(points.iter().copied()).expect("they are finite");
    grid
}

fn each(of: &[(Key, Point)], mut work: impl FnMut(Key, Point)) -> usize {
    counted(&mut || {
        for &(key, point) in of {
            barrier();
            work(key, point);
        }
    });
    of.len()
}

/// Asks for the ten points that are left of many, near and far, where all tiles are walked. (In space, so that it is not
/// the code of the other paths, which the compiler would inline otherwise.)
fn thinned(points: &[(Key, Point)]) -> usize {
    let mut grid = GridIndex::<Key, 3>::new(CELL);
    grid.extend(points.iter().map(|&(key, [x, y])| (key, [x, y, 0.0]))).expect("they are finite");
    let (left, gone) = points.split_at(10);
    gone.iter().for_each(|&(key, _)| assert!(grid.remove(key).is_some()));
    let grid = black_box(&grid);
    each(left, |_, [x, y]| {
        assert_eq!(grid.within([x, y, 0.0], 1e6).map(Iterator::count), Ok(10));
        assert_eq!(grid.iter().count(), 10);
    })
}

/// Does the work of this name, on this many times as many points, and says how many operations that were.
pub(super) fn run(path: &str) -> usize {
    let (path, times) = match path.rsplit_once('_') {
        Some((path, "2")) => (path, 2),
        Some((path, "4")) => (path, 4),
        _ => (path, 1),
    };
    let [filed, others] = points(times * COUNT);
    if path == "grid_thinned" {
        return thinned(&filed);
    }
    let mut grid = filled(&filed);
    let grid = black_box(&mut grid);
    match path {
        "grid_insert" => {
            let mut grid = GridIndex::new(CELL);
            each(&filed, |key, point| grid.insert(key, point).expect("it is finite"))
        }
        "grid_within" => each(&others, |_, center| {
            let found = grid.within(center, 5.0).expect("it is finite");
            black_box(found.fold(0, |sum, (key, _)| sum ^ key.slot()));
        }),
        "grid_nearest" => each(&others, |_, center| {
            black_box(grid.nearest(center).expect("it is finite"));
        }),
        "grid_move" => each(&filed, |key, [x, y]| {
            grid.insert(key, [x + 1.0, y - 0.5]).expect("it is finite");
        }),
        "grid_remove" => each(&filed, |key, _| {
            black_box(grid.remove(key));
        }),
        other => unreachable!("there is no path `{other}`"),
    }
}
