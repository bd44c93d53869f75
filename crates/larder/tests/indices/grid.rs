//! Points in the cells of a grid, against a brute-force search: queries at every scale; and what is refused. (Histories
//! are those of all indices.)

use larder::{
    Arena, Handle,
    indices::{GridIndex, IndexError},
    key::Serial,
    track::Table,
};
use std::collections::BTreeMap;

use crate::every::{Id, keys};
use larder_testing::caught::{panic_of, panicking_after, step};
use larder_testing::common::{SplitMix, scaled, thorough};

/// Returns the square of the distance as the documentation defines it.
pub(crate) fn distance_squared<const N: usize>(a: [f32; N], b: [f32; N]) -> f64 {
    (0..N).map(|axis| f64::from(a[axis]) - f64::from(b[axis])).map(|along| along * along).sum()
}

/// Points by key, searched by looking at each.
pub(crate) type Naive<K, const N: usize> = BTreeMap<K, [f32; N]>;

pub(crate) fn sorted<K: Ord + Copy, const N: usize>(
    found: impl Iterator<Item = (K, [f32; N])>,
) -> Vec<(K, [f32; N])> {
    let mut found: Vec<_> = found.collect();
    found.sort_unstable_by_key(|(key, _)| *key);
    found
}

pub(crate) fn within_is_exact<K: larder::Key, const N: usize>(
    grid: &GridIndex<K, N>,
    naive: &Naive<K, N>,
    center: [f32; N],
    radius: f32,
) {
    let squared = f64::from(radius) * f64::from(radius);
    let is_near = |(_, point): &(&K, &[f32; N])| distance_squared(**point, center) <= squared;
    let expected: Vec<_> = naive.iter().filter(is_near).map(|(k, point)| (*k, *point)).collect();
    let found = sorted(grid.within(center, radius).unwrap());
    assert_eq!(found, expected, "within {radius} of {center:?}, cells of {}", grid.cell_size());
}

fn in_box_is_exact<K: larder::Key, const N: usize>(
    grid: &GridIndex<K, N>,
    naive: &Naive<K, N>,
    min: [f32; N],
    max: [f32; N],
) {
    let is_inside = |(_, point): &(&K, &[f32; N])| {
        (0..N).all(|axis| min[axis] <= point[axis] && point[axis] <= max[axis])
    };
    let expected: Vec<_> = naive.iter().filter(is_inside).map(|(k, point)| (*k, *point)).collect();
    let found = sorted(grid.in_box(min, max).unwrap());
    assert_eq!(found, expected, "from {min:?} to {max:?}, cells of {}", grid.cell_size());
}

pub(crate) fn nearest_is_exact<K: larder::Key, const N: usize>(
    grid: &GridIndex<K, N>,
    naive: &Naive<K, N>,
    center: [f32; N],
    count: usize,
) {
    let mut expected: Vec<_> = naive.iter().map(|(key, point)| (*key, *point)).collect();
    let distance = |point: &(K, [f32; N])| distance_squared(point.1, center);
    expected.sort_by(|a, b| distance(a).total_cmp(&distance(b))); // and by key, as they come
    assert_eq!(grid.nearest(center), Ok(expected.first().copied()), "nearest to {center:?}");
    let odd = |key: K| key.slot() % 2 == 1;
    let expected_odd = expected.iter().find(|(key, _)| odd(*key)).copied();
    assert_eq!(grid.nearest_where(center, odd), Ok(expected_odd), "odd, nearest to {center:?}");
    let mut found = vec![(K::DANGLING, center)];
    grid.nearest_many(center, count, &mut found).unwrap();
    expected.truncate(count);
    assert_eq!(found, expected, "nearest {count} to {center:?}, cells of {}", grid.cell_size());
}

/// All kinds of queries at a point.
pub(crate) fn queries_are_exact<K: larder::Key, const N: usize>(
    grid: &GridIndex<K, N>,
    naive: &Naive<K, N>,
    center: [f32; N],
) {
    assert!(sorted(grid.iter()).into_iter().eq(naive.clone()));
    for radius in [0.0, 1.0, 3.5, f32::INFINITY] {
        within_is_exact(grid, naive, center, radius);
    }
    in_box_is_exact(grid, naive, center.map(|x| x.min(0.0)), center.map(|x| x.max(1.0)));
    nearest_is_exact(grid, naive, center, 2);
}

/// Returns a grid of points, and what is in it.
fn filed<const N: usize>(cell: f32, points: Vec<[f32; N]>) -> (GridIndex<Id, N>, Naive<Id, N>) {
    let naive: Naive<Id, N> = keys(points.len()).into_iter().zip(points).collect();
    let mut grid = GridIndex::new(cell);
    naive.iter().for_each(|(&key, &at)| grid.insert(key, at).expect("it is finite"));
    grid.validate();
    (grid, naive)
}

/// Returns a grid of `count` points of a scale.
pub(crate) fn scattered<const N: usize>(
    count: usize,
    scale: f32,
    cell: f32,
    random: &mut SplitMix,
) -> (GridIndex<Id, N>, Naive<Id, N>) {
    filed(cell, (0..count).map(|_| point(scale, random)).collect())
}

/// From -`scale` to `scale`, half of them whole numbers, so that some lie on borders, and at equal distances.
pub(crate) fn point<const N: usize>(scale: f32, random: &mut SplitMix) -> [f32; N] {
    core::array::from_fn(|_| {
        let unit = random.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0;
        let coordinate = unit * scale;
        if random.below(2) == 0 && scale > 2.0 {
            (coordinate / 2.0) as i64 as f32
        } else {
            coordinate
        }
    })
}

fn all_queries_are_exact<const N: usize>() {
    let mut random = SplitMix::new(N as u64);
    for scale in [1e-44_f32, 1e-20, 1.0, 30.0, 1e6, 3e38].into_iter().step_by(scaled(1, 5)) {
        for cells in [1e-3, 0.1, 0.5, 3.0].into_iter().step_by(scaled(1, 3)) {
            let cell = (scale * cells).clamp(1e-45, f32::MAX);
            let (grid, naive) = scattered::<N>(thorough(700, 40), scale, cell, &mut random);
            for _ in 0..scaled(6, 2) {
                let (a, b) = (point(scale, &mut random), point(scale, &mut random));
                for part in [0.0, 1e-6, 0.01, 0.2, 1.0, 2.9, f32::INFINITY] {
                    within_is_exact(&grid, &naive, a, scale * part);
                    let up_to = distance_squared(a, b).sqrt() as f32;
                    within_is_exact(&grid, &naive, a, up_to);
                }
                in_box_is_exact(&grid, &naive, a, b);
                let [low, high] = [f32::min, f32::max]
                    .map(|pick| core::array::from_fn(|axis| pick(a[axis], b[axis])));
                in_box_is_exact(&grid, &naive, low, high);
                in_box_is_exact(&grid, &naive, [f32::NEG_INFINITY; N], high);
                nearest_is_exact(&grid, &naive, a, random.below(200));
            }
        }
    }
}

#[test]
fn queries_on_a_plane_are_exact_at_every_scale() {
    all_queries_are_exact::<2>();
}

#[test]
fn queries_in_space_are_exact_at_every_scale() {
    all_queries_are_exact::<3>();
}

/// A center far away from the points: what is added to it is rounded away.
#[test]
fn a_far_center_and_a_radius_that_reaches_back() {
    let mut random = SplitMix::new(5);
    let (grid, naive) = scattered::<2>(scaled(300, 40), 8.0, 6.0, &mut random);
    for far in [1e3, 1e7, 1e10, 1e30, f32::MAX] {
        for center in [[far, 0.0], [-far, 3.0], [far, far], [0.5, -far]] {
            for factor in [0.999, 1.0 - 1e-7, 1.0, 1.0 + 1e-7, 1.001, 1.414] {
                within_is_exact(&grid, &naive, center, far * factor);
            }
            nearest_is_exact(&grid, &naive, center, 5);
        }
    }
}

#[test]
fn points_and_radii_on_the_borders_of_cells() {
    let points = (-20..=20).flat_map(|x| (-3..=3).map(move |y| [x, y].map(|n| n as f32 * 0.1)));
    let (grid, naive) = filed(0.1, points.collect());
    for step in (-25..=25_i8).step_by(scaled(1, 10)) {
        let center = [f32::from(step) * 0.1, 0.0];
        for radius in [0.0, 0.1, 0.2, 0.3, 0.7] {
            within_is_exact(&grid, &naive, center, radius);
            let corner = [center[0] + radius, radius];
            in_box_is_exact(&grid, &naive, [center[0] - radius, -radius], corner);
        }
        nearest_is_exact(&grid, &naive, center, 9);
    }
}

/// On borders of cells and one number beside them, at both ends of the cells' numbers and of all numbers, equal to
/// others, among the smallest numbers, and anywhere.
fn hostile(cell: f32, random: &mut SplitMix) -> f32 {
    let whole = random.below(12) as f32 - 6.0;
    let beside = |x: f32, more: usize| f32::from_bits(x.to_bits().wrapping_add(more as u32));
    let number = match random.below(10) {
        0 => whole * cell,
        1 => f32::from_bits((whole * cell).to_bits().wrapping_sub(1)),
        2 => (whole + 0.5) * cell,
        3 => beside(whole * 16.0 * cell, random.below(3)),
        4 => f32::from_bits(random.below(9) as u32),
        5 => (i32::MAX as f32 + whole * 128.0) * cell,
        6 => (i32::MIN as f32 + whole * 128.0) * cell,
        7 => f32::MAX / (1.0 + whole.abs()),
        8 => -f32::MAX * (random.below(3) as f32 / 2.0),
        _ => (random.below(1 << 20) as f32 / 8192.0 - 64.0) * cell,
    };
    if number.is_finite() { number } else { 0.0 }
}

fn hostile_points_are_found<const N: usize>() {
    let mut random = SplitMix::new(40 + N as u64);
    for cell in [1.0, 0.1, 3e-40, 1e30].into_iter().step_by(scaled(1, 3)) {
        let place = |random: &mut SplitMix| core::array::from_fn(|_| hostile(cell, random));
        let points = (0..thorough(900, 30)).map(|_| place(&mut random)).collect();
        let (mut grid, mut naive) = filed::<N>(cell, points);
        for _ in 0..thorough(100, 3) {
            let (a, b) = (place(&mut random), place(&mut random));
            let up_to = distance_squared(a, b).sqrt() as f32;
            let beside = [up_to, f32::from_bits(up_to.to_bits() + 1)];
            let whole = [0.5, 1.0, 2.0, 5.0].map(|cells| cells * cell);
            for radius in beside.into_iter().chain(whole).filter(|radius| !radius.is_nan()) {
                within_is_exact(&grid, &naive, a, radius);
            }
            let [low, high] = [f32::min, f32::max]
                .map(|pick| core::array::from_fn(|axis| pick(a[axis], b[axis])));
            in_box_is_exact(&grid, &naive, low, high);
            nearest_is_exact(&grid, &naive, a, 1 + random.below(9));
        }
        // They move to other places, and most go.
        for key in naive.keys().copied().collect::<Vec<_>>() {
            if random.below(3) == 0 {
                let at = place(&mut random);
                grid.insert(key, at).expect("it is finite");
                naive.insert(key, at);
            } else {
                assert_eq!(grid.remove(key), naive.remove(&key));
            }
        }
        grid.validate();
        assert!(sorted(grid.iter()).into_iter().eq(naive.clone()));
        nearest_is_exact(&grid, &naive, place(&mut random), 3);
    }
}

#[test]
fn hostile_points_on_a_plane_are_found() {
    hostile_points_are_found::<2>();
}

#[test]
fn hostile_points_in_space_are_found() {
    hostile_points_are_found::<3>();
}

#[test]
fn what_is_not_finite_is_an_error_and_changes_nothing() {
    let mut objects = Arena::<u32>::new();
    let (a, b) = (objects.insert(0), objects.insert(0));
    let mut grid = GridIndex::new(1.0);
    grid.insert(a, [1.0, 2.0, 3.0]).unwrap();
    for bad in [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for axis in 0..3 {
            let mut point = [0.0; 3];
            point[axis] = bad;
            for key in [a, b] {
                assert_eq!(grid.insert(key, point), Err(IndexError::NotFinite));
            }
        }
    }
    grid.validate();
    assert!(grid.iter().eq([(a, [1.0, 2.0, 3.0])]));
    grid.insert(b, [f32::MAX, f32::MIN, 0.0]).expect("it is finite");
    assert_eq!(grid.nearest([f32::MIN; 3]), Ok(Some((a, [1.0, 2.0, 3.0]))));
}

#[test]
fn sizes_of_cells_that_are_no_sizes_panic_at_the_callers_line() {
    let panics = [
        panic_of(|| GridIndex::<Id, 2>::new(0.0)),
        panic_of(|| GridIndex::<Id, 2>::new(f32::NAN)),
        panic_of(|| GridIndex::<Id, 3>::new(f32::INFINITY)),
        panic_of(|| GridIndex::<Id, 3>::new(-1.0)),
    ];
    for caught in &panics {
        assert!(caught.file.ends_with("grid.rs") && caught.file.contains("tests"), "{caught:?}");
        assert!(caught.message.starts_with("GridIndex: "), "{caught:?}");
        assert!(caught.message.contains("above 0 and finite"), "{caught:?}");
    }
}

#[test]
fn keys_of_any_kind_and_stale_ones() {
    let mut grid = GridIndex::<Serial<u32>, 2>::new(1.0);
    let dangling = <Serial<u32> as larder::Key>::DANGLING;
    assert_eq!(grid.insert(dangling, [0.0, 0.0]), Err(IndexError::Dangling));
    assert_eq!((grid.point(dangling), grid.remove(dangling)), (None, None));

    let mut objects = Arena::<u32>::new();
    let old = objects.insert(0);
    objects.remove(old);
    let new = objects.insert(0);
    let mut grid = GridIndex::new(1.0);
    grid.insert(old, [0.0, 0.0]).unwrap();
    grid.insert(new, [5.0, 5.0]).unwrap();
    assert_eq!((grid.len(), grid.cell_count(), grid.point(old)), (1, 1, None));
    assert_eq!(grid.insert(old, [0.0, 0.0]), Err(IndexError::Stale { tenant: new }));
    assert_eq!(grid.remove(old), None);
    assert_eq!(format!("{grid:?}"), "{0v3: [5.0, 5.0]}");

    // A slot far from all others, and then the one beside it.
    for (slot, x) in [(u32::MAX - 2, 100.0), (u32::MAX - 1, 200.0), (90_000, 300.0)] {
        let far = Handle::<u32>::from_bits(1 << 32 | u64::from(slot)).unwrap();
        grid.insert(far, [x, 1.0]).unwrap();
        grid.insert(far, [x, -9.0]).unwrap();
        assert_eq!(grid.nearest([x, -8.0]).unwrap(), Some((far, [x, -9.0])));
    }
    grid.validate();
    assert!(grid.stats().memory.committed < 10_000);
}

#[test]
fn user_code_that_panics_breaks_nothing() {
    let mut random = SplitMix::new(7);
    let (mut grid, naive) = scattered::<2>(20, 10.0, 3.0, &mut random);
    for steps in 0..20 {
        panicking_after(steps, || {
            let _ = grid.nearest_where([0.0, 0.0], |_| (step(), false).1);
        });
    }
    assert_eq!(grid.len(), naive.len());
    assert!(panicking_after(3, || grid.retain_live(&Panicking)));
    grid.validate();
    assert_eq!(grid.len(), 17, "what came before is done");
}

/// A container that has nothing, and says so only so many times.
struct Panicking;

impl larder::containers::Container for Panicking {
    type Key = Id;
    type Removed = ();

    fn contains_key(&self, _: Id) -> bool {
        step();
        false
    }

    fn remove(&mut self, _: Id) -> Option<()> {
        None
    }
}

#[test]
fn queries_that_are_no_numbers_are_errors() {
    let objects = Arena::<u32>::from_iter([1, 2]);
    let mut grid = GridIndex::new(1.0);
    grid.extend(objects.keys().map(|key| (key, [0.0, 1.0]))).unwrap();
    let kept = (objects.keys().next().unwrap(), [9.0, 9.0]);
    for bad in [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for center in [[bad, 0.0], [0.0, bad], [bad, bad]] {
            assert_eq!(grid.within(center, 1.0).err(), Some(IndexError::NotFinite));
            assert_eq!(grid.nearest(center), Err(IndexError::NotFinite));
            let asked = |_| panic!("somebody was asked");
            assert_eq!(grid.nearest_where(center, asked), Err(IndexError::NotFinite));
            let mut found = vec![kept];
            assert_eq!(grid.nearest_many(center, 1, &mut found), Err(IndexError::NotFinite));
            assert_eq!(found, [kept]);
            for (min, max) in [(center, [2.0, 2.0]), ([-2.0, -2.0], center)] {
                let count = grid.in_box(min, max).map(Iterator::count);
                assert_eq!(count.is_err(), bad.is_nan());
            }
        }
    }
    for radius in [f32::NAN, -1.0, f32::NEG_INFINITY, -f32::MIN_POSITIVE] {
        assert_eq!(grid.within([0.0; 2], radius).err(), Some(IndexError::BadRadius));
    }
    assert_eq!(grid.within([0.0; 2], -0.0).map(Iterator::count), Ok(0));
    assert_eq!(grid.within([0.0; 2], f32::INFINITY).map(Iterator::count), Ok(2));
    assert_eq!(grid.nearest([0.0; 2]).unwrap().map(|(_, point)| point), Some([0.0, 1.0]));
}

#[test]
fn a_row_that_goes_to_infinity_comes_back() {
    #[derive(Debug)] // it cannot be cloned
    struct Bird(f32, Box<u8>);
    impl Bird {
        fn at(self, x: f32) -> Self {
            Self(x, self.1)
        }
    }
    let place = |bird: &Bird| [bird.0, 0.0];
    let mut birds = Table::with(Arena::new(), GridIndex::by(1.0, place));
    let wren = birds.insert(Bird(1.0, Box::new(0)));
    let bird = birds.detach(wren).unwrap();
    birds.reattach(wren, bird.at(-40.0)).unwrap();
    assert_eq!(birds.observers().nearest([-30.0, 0.0]), Ok(Some((wren, [-40.0, 0.0]))));
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let refused = birds.try_insert(Bird(bad, Box::new(0))).unwrap_err();
        assert_eq!(refused.reason, IndexError::NotFinite);
        let kite = birds.insert(refused.value.at(3.0));
        let refused = birds.replace(kite, Bird(bad, Box::new(0))).unwrap_err();
        assert_eq!(refused.reason, IndexError::NotFinite);
        assert_eq!(birds.observers().point(kite), Some([3.0, 0.0]));

        let bird = birds.detach(kite).unwrap();
        let refused = birds.reattach(kite, bird.at(bad)).unwrap_err();
        assert_eq!(refused.reason, IndexError::NotFinite);
        assert_eq!(refused.value.0.to_bits(), bad.to_bits());
        assert!(!birds.contains_key(kite) && birds.observers().iter().eq([(wren, [-40.0, 0.0])]));
        birds.reattach(kite, refused.value.at(5.0)).unwrap();
        assert_eq!(birds.observers().point(kite), Some([5.0, 0.0]));
        birds.remove(kite);
        birds.observers().validate();
    }
}
