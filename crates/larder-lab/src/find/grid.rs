//! Points in space: IDX-GRID. The points within 5 or 50 metres, in two and three dimensions, with one
//! point per square or cube of 5 metres on average. Searched are containers that were filled at once, and such as were
//! filled point by point, and a quarter of whose points has moved.

use core::cell::Cell;

use kiddo::SquaredEuclidean;
use kiddo::immutable::float::kdtree::ImmutableKdTree;
use larder::{Arena, Handle, indices::GridIndex};
use rstar::primitives::GeomWithData;

use crate::study::prelude::*;

/// The side of the square or cube per point, in metres.
const ROOM: f64 = 5.0;
/// Coordinates are whole numbers of this part of a metre, so that all relevant distances are exact in
/// `f32` and the same for every subject.
const PARTS: f64 = 64.0;
/// Queries in a pass. Each round has its own, so that no processor knows its branches from the round before.
const QUERIES: usize = 200;
/// At most so many rounds; a query by brute force is long enough to be timed a few times only.
const ROUNDS: usize = 5;

/// Radii that equal no distance between two points, so that it does not matter whether they include
/// their boundary; and whose squares round down in `f32`, as those of 50.01 do not, to no other distance.
const NEAR: f32 = 5.01;
const FAR: f32 = 50.03;

pub(crate) fn parts() -> Vec<Part> {
    let counts = &[10_000, 100_000];
    let plane = study::parts("grid", counts, NEVER_SLOW, measure::<2>);
    plane.into_iter().chain(study::parts("grid", counts, NEVER_SLOW, measure::<3>)).collect()
}

/// Measures points in so many dimensions.
fn measure<const N: usize>(contest: &Contest<'_>) -> Result<Vec<Row>> {
    let plan = &Plan::<N>::new(contest.count);
    contest.way(format!("{N}D")).at_most(ROUNDS).measure(vec![
        works::<BruteForce<N>, N>(plan),
        works::<RTree<N>, N>(plan),
        works::<KdTree<N>, N>(plan),
        works::<FixedTree<N>, N>(plan),
        works::<Cells<N, 5>, N>(plan),
        works::<Cells<N, 10>, N>(plan),
        works::<Cells<N, 20>, N>(plan),
        works::<Cells<N, 50>, N>(plan),
    ])
}

/// Full containers of points: one filled at once, and one filled one by one, after which points have moved.
struct Filled<P> {
    full: P,
    moved: P,
    /// The number of rounds of queries so far.
    rounds: Cell<usize>,
}

fn works<P: Places<N> + 'static, const N: usize>(plan: &Plan<N>) -> Turns<'_> {
    let count = plan.points.len();
    let inserted = |_: &_| {
        let mut places = filled(|places| insert(places, plan));
        P::finish(&mut places);
        places
    };
    let moved = filled(|moved| {
        if P::CAN_CHANGE {
            insert(moved, plan);
            move_each(moved, plan);
        }
    });
    // A round of queries, the same of each subject.
    let queries = |of: fn(&Filled<P>) -> &P, pass: fn(&P, &[Point<N>]) -> u64| {
        move |all: &Filled<P>, repeats: u32| {
            let first = all.rounds.replace(all.rounds.get() + 1) % (ROUNDS + 1) * QUERIES;
            let queries = &plan.queries[first..first + QUERIES];
            reading(of(all), QUERIES, repeats, |all| pass(all, queries))
        }
    };
    let all = Filled { full: P::filled(&plan.points), moved, rounds: Cell::new(0) };
    Works::new(P::NAME, all, inserted, |all| within_far(all, &plan.queries[..QUERIES]))
        .on("insert", "a point, from nothing on")
        .only_if(P::CAN_CHANGE)
        .filling(count, |_, all| insert(all, plan))
        .on("within 5 m", "all points within 5 metres of one, a query")
        .sampling(queries(|all| &all.full, within_near))
        .on("within 50 m", "all points within 50 metres of one, a query")
        .sampling(queries(|all| &all.full, within_far))
        .on("nearest", "the point that is nearest to a place, a query")
        .sampling(queries(|all| &all.full, nearest))
        .on("within 5 m, moved", "all points within 5 metres of one, after insertions and moves")
        .only_if(P::CAN_CHANGE)
        .sampling(queries(|all| &all.moved, within_near))
        .on("within 50 m, moved", "all points within 50 metres of one, after insertions and moves")
        .only_if(P::CAN_CHANGE)
        .sampling(queries(|all| &all.moved, within_far))
        .on("nearest, moved", "the point that is nearest to a place, after insertions and moves")
        .only_if(P::CAN_CHANGE)
        .sampling(queries(|all| &all.moved, nearest))
        .on("move", "a point that goes up to a metre in each direction")
        .only_if(P::CAN_CHANGE)
        .changing(plan.moves.len(), |_, all| move_each(all, plan))
        .on("bytes", "bytes a point, as an allocator is asked for them")
        .bytes(count)
        .done()
}

fn within_near<P: Places<N>, const N: usize>(places: &P, queries: &[Point<N>]) -> u64 {
    within(places, queries, NEAR)
}

fn within_far<P: Places<N>, const N: usize>(places: &P, queries: &[Point<N>]) -> u64 {
    within(places, queries, FAR)
}

/// Random points, queries and moves, the same for every subject.
struct Plan<const N: usize> {
    points: Vec<Point<N>>,
    /// The queries of all rounds, and of the one that warms up.
    queries: Vec<Point<N>>,
    /// Points and their new places.
    moves: Vec<(usize, Point<N>)>,
}

impl<const N: usize> Plan<N> {
    fn new(count: usize) -> Self {
        let mut random = Random::new(0x6121D);
        let side = (ROOM * (count as f64).powf(1.0 / N as f64) * PARTS) as usize;
        // Centred on 0.
        let mut coordinate =
            |limit: usize| ((random.below(limit) as f64 - limit as f64 / 2.0) / PARTS) as f32;
        let side = side.next_multiple_of(2);
        let points: Vec<Point<N>> =
            (0..count).map(|_| core::array::from_fn(|_| coordinate(side))).collect();
        let queries =
            (0..(ROUNDS + 1) * QUERIES).map(|_| core::array::from_fn(|_| coordinate(side)));
        let queries = queries.collect();
        let step = 2 * PARTS as usize;
        let mut went = |at: usize| points[at].map(|from| from + coordinate(step));
        let moves = (0..count).step_by(4).map(|at| (at, went(at))).collect();
        Self { points, queries, moves }
    }
}

#[inline(never)]
fn insert<P: Places<N>, const N: usize>(places: &mut P, plan: &Plan<N>) {
    (0_u32..).zip(&plan.points).for_each(|(number, &point)| places.insert(number, point));
}

#[inline(never)]
fn within<P: Places<N>, const N: usize>(places: &P, queries: &[Point<N>], radius: f32) -> u64 {
    let found = queries.iter().map(|&center| places.within(center, radius));
    found.fold(0, |digest, sum| digest.rotate_left(5) ^ sum)
}

#[inline(never)]
fn nearest<P: Places<N>, const N: usize>(places: &P, queries: &[Point<N>]) -> u64 {
    let found = queries.iter().map(|&center| distance(center, places.nearest(center)));
    found.fold(0, |digest, distance| digest.rotate_left(5) ^ u64::from(distance.to_bits()))
}

#[inline(never)]
fn move_each<P: Places<N>, const N: usize>(places: &mut P, plan: &Plan<N>) {
    for &(object, to) in &plan.moves {
        places.set(object as u32, plan.points[object], to);
    }
}

/// A place.
type Point<const N: usize> = [f32; N];

subjects! { ($) places:
    /// Points by their places.
    trait Places<N> [const N: usize]: Default {
        // True if points can be added and moved one by one.
        const CAN_CHANGE: bool = true;

        // All points at once, as fast as it can be.
        static fn filled(points: &[Point<N>]) -> Self = {
            let mut filled = Self::default();
            (0..).zip(points).for_each(|(number, &point)| filled.insert(number, point));
            filled.finish();
            filled
        };

        /// Adds a point; numbers go up from 0.
        fn insert(&mut self, number: u32, point: Point<N>);
        /// The sum of the numbers of all points within a radius.
        fn within(&self, center: Point<N>, radius: f32) -> u64;
        /// The place of the nearest point.
        fn nearest(&self, center: Point<N>) -> Point<N>;
        /// Moves a point.
        fn set(&mut self, number: u32, from: Point<N>, to: Point<N>);
        /// All points are there: what is built at once is built now.
        fn finish(&mut self) = {};
    }
}

/// The square of the distance.
#[inline(always)]
fn distance<const N: usize>(a: Point<N>, b: Point<N>) -> f32 {
    a.iter().zip(&b).fold(0.0, |sum, (a, b)| sum + (a - b) * (a - b))
}

fn sum(numbers: impl Iterator<Item = u32>) -> u64 {
    numbers.fold(0, |sum, number| sum + u64::from(number))
}

/// All points are compared.
#[derive(Default)]
struct BruteForce<const N: usize>(Vec<Point<N>>);

places! { BruteForce<N>, "brute force";
    fn insert(&mut self, _number, point) { self.0.push(point); }
    fn within(&self, center, radius) {
        let near = |&(_, &point): &(u32, &Point<N>)| distance(point, center) <= radius * radius;
        sum((0..).zip(&self.0).filter(near).map(|(number, _)| number))
    }
    fn nearest(&self, center) {
        let by_distance =
            |a: &&Point<N>, b: &&Point<N>| distance(**a, center).total_cmp(&distance(**b, center));
        *self.0.iter().min_by(by_distance).expect("there is a point")
    }
    fn set(&mut self, number, _from, to) { self.0[number as usize] = to; }
}

/// `rstar`.
struct RTree<const N: usize>(rstar::RTree<GeomWithData<Point<N>, u32>>)
where
    Point<N>: rstar::Point<Scalar = f32>;

impl<const N: usize> Default for RTree<N> {
    fn default() -> Self {
        Self(rstar::RTree::new())
    }
}

places! { RTree<N>, "rstar";
    fn insert(&mut self, number, point) { self.0.insert(GeomWithData::new(point, number)); }
    fn within(&self, center, radius) {
        sum(self.0.locate_within_distance(center, radius * radius).map(|found| found.data))
    }
    fn nearest(&self, center) { *self.0.nearest_neighbor(center).expect("there is a point").geom() }
    fn set(&mut self, number, from, to) {
        self.0.remove(&GeomWithData::new(from, number));
        self.0.insert(GeomWithData::new(to, number));
    }
    fn filled(points) {
        let points = (0..).zip(points).map(|(number, &point)| GeomWithData::new(point, number));
        Self(rstar::RTree::bulk_load(points.collect()))
    }
}

/// `kiddo`: its mutable tree.
#[derive(Default)]
struct KdTree<const N: usize> {
    tree: kiddo::float::kdtree::KdTree<f32, u32, N, 32, u32>,
    /// It finds numbers, not places.
    points: Vec<Point<N>>,
}

places! { KdTree<N>, "kiddo";
    fn insert(&mut self, number, point) {
        self.tree.add(&point, number);
        self.points.push(point);
    }
    fn within(&self, center, radius) {
        // Its iterator makes a coroutine for each query, which is slower than a list.
        let found = self.tree.within_unsorted::<SquaredEuclidean>(&center, radius * radius);
        sum(found.into_iter().map(|found| found.item))
    }
    fn nearest(&self, center) {
        let found = self.tree.nearest_one::<SquaredEuclidean>(&center);
        self.points[found.item as usize]
    }
    fn set(&mut self, number, from, to) {
        self.tree.remove(&from, number);
        self.tree.add(&to, number);
        self.points[number as usize] = to;
    }
}

/// `kiddo`: its other tree, which is built at once and does not change.
#[derive(Default)]
struct FixedTree<const N: usize> {
    tree: Option<ImmutableKdTree<f32, u32, N, 32>>,
    /// It finds numbers, not places.
    points: Vec<Point<N>>,
}

impl<const N: usize> FixedTree<N> {
    fn tree(&self) -> &ImmutableKdTree<f32, u32, N, 32> {
        self.tree.as_ref().expect("it is built")
    }
}

places! { FixedTree<N>, "kiddo, immutable";
    const CAN_CHANGE = false;

    fn insert(&mut self, _number, point) { self.points.push(point); }
    fn finish(&mut self) { self.tree = Some(ImmutableKdTree::new_from_slice(&self.points)); }
    fn within(&self, center, radius) {
        let found = self.tree().within_unsorted::<SquaredEuclidean>(&center, radius * radius);
        sum(found.into_iter().map(|found| found.item))
    }
    fn nearest(&self, center) {
        let found = self.tree().nearest_one::<SquaredEuclidean>(&center);
        self.points[found.item as usize]
    }
    fn set(&mut self, _number, _from, _to) { unreachable!("it does not change") }
}

/// larder: a grid of cells of so many metres.
struct Cells<const N: usize, const SIZE: usize> {
    /// The source of the keys.
    objects: Arena<()>,
    keys: Vec<Handle<()>>,
    grid: GridIndex<Handle<()>, N>,
}

impl<const N: usize, const SIZE: usize> Default for Cells<N, SIZE> {
    fn default() -> Self {
        Self { objects: Arena::new(), keys: Vec::new(), grid: GridIndex::new(SIZE as f32) }
    }
}

impl<const N: usize, const SIZE: usize> Cells<N, SIZE> {
    const CALLED: &'static str = match SIZE {
        5 => "GridIndex, 5 m",
        10 => "GridIndex, 10 m",
        20 => "GridIndex, 20 m",
        _ => "GridIndex, 50 m",
    };
}

places! { Cells<N, SIZE>, Self::CALLED, [const SIZE: usize];
    fn insert(&mut self, _number, point) {
        let key = self.objects.insert(());
        self.keys.push(key);
        self.grid.insert(key, point).expect("the point is finite");
    }
    fn within(&self, center, radius) {
        sum(self.grid.within(center, radius).expect("it is a circle").map(|(key, _)| key.slot()))
    }
    fn nearest(&self, center) { self.grid.nearest(center).ok().flatten().expect("there is a point").1 }
    fn set(&mut self, number, _from, to) {
        self.grid.insert(self.keys[number as usize], to).expect("the point is finite");
    }
    // In the order of space.
    fn filled(points) {
        let mut filled = Self::default();
        filled.keys = points.iter().map(|_| filled.objects.insert(())).collect();
        let pairs = filled.keys.iter().copied().zip(points.iter().copied());
        filled.grid.extend(pairs).expect("the points are finite");
        filled
    }
}
