//! Points in space: IDX-GRID. The points within 5 or 50 metres, in two and three dimensions, with one
//! point per square or cube of 5 metres on average. Searched are containers that were filled at once, and such as were
//! filled point by point, and a quarter of whose points has moved.

mod places;

use self::places::{BruteForce, Cells, FixedTree, KdTree, Places, Point, RTree, distance};
use crate::study::prelude::*;

/// The name of the study.
pub(crate) const NAME: &str = "grid";
/// The number of points.
const COUNTS: &[usize] = &[10_000, 100_000];
/// The side of the square or cube per point, in metres.
const ROOM: f64 = 5.0;
/// Coordinates are whole numbers of this part of a metre, so that all relevant distances are exact in
/// `f32` and the same for every subject.
const PARTS: f64 = 64.0;
/// Queries in a pass. Each round has its own, so that no processor knows its branches from the round before.
const QUERIES: usize = 200;
/// At most so many rounds; a query by brute force is long enough to be timed a few times only.
const ROUNDS: usize = 5;

jobs! {
    Insert = "insert", "a point, from nothing on";
    Near = "within 5 m", "all points within 5 metres of one, a query";
    Far = "within 50 m", "all points within 50 metres of one, a query";
    Nearest = "nearest", "the point that is nearest to a place, a query";
    NearMoved = "within 5 m, moved", "all points within 5 metres of one, after insertions and moves";
    FarMoved = "within 50 m, moved", "all points within 50 metres of one, after insertions and moves";
    NearestMoved = "nearest, moved", "the point that is nearest to a place, after insertions and moves";
    Move = "move", "a point that goes up to a metre in each direction";
    Bytes = "bytes", "bytes a point, as an allocator is asked for them";
}

/// Radii that equal no distance between two points, so that it does not matter whether they include
/// their boundary; and whose squares round down in `f32`, as those of 50.01 do not, to no other distance.
const NEAR: f32 = 5.01;
const FAR: f32 = 50.03;

pub(crate) fn parts() -> impl Iterator<Item = Part> {
    let plane = study::parts(NAME, COUNTS, NEVER_SLOW, measure::<2>);
    plane.chain(study::parts(NAME, COUNTS, NEVER_SLOW, measure::<3>))
}

/// Measures points in so many dimensions.
fn measure<const N: usize>(contest: &Contest<'_>) -> Result<Vec<Row>> {
    let plan = &Plan::<N>::new(contest.count);
    let mut all: Contestants<'_, Job> = contestants![
        Bench<_, N>::new(plan): BruteForce<N>, RTree<N>, KdTree<N>, FixedTree<N>, Cells<N, 5>,
        Cells<N, 10>, Cells<N, 20>, Cells<N, 50>
    ];
    contest.way(format!("{N}D")).at_most(ROUNDS).measure_all(&mut all)
}

/// Random points, queries and moves, the same for every subject.
struct Plan<const N: usize> {
    points: Vec<Point<N>>,
    /// Of all rounds, and of that which warms up.
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

/// Full containers of points.
struct Bench<'a, P: Places<N>, const N: usize> {
    plan: &'a Plan<N>,
    /// Filled at once.
    full: P,
    /// Filled one by one, after which points have moved.
    moved: P,
    /// How many rounds of queries there were.
    rounds: usize,
}

impl<'a, P: Places<N>, const N: usize> Bench<'a, P, N> {
    fn new(plan: &'a Plan<N>) -> Self {
        let mut moved = P::default();
        if P::CAN_CHANGE {
            insert(&mut moved, plan);
            move_each(&mut moved, plan);
        }
        Self { plan, full: P::filled(&plan.points), moved, rounds: 0 }
    }

    /// A round of queries, the same of each subject.
    fn queries(
        &mut self,
        of: impl Fn(&Self) -> &P,
        repeats: u32,
        pass: impl Fn(&P, &[Point<N>]) -> u64,
    ) -> Sample {
        let first = self.rounds % (ROUNDS + 1) * QUERIES;
        self.rounds += 1;
        let queries = &self.plan.queries[first..first + QUERIES];
        reading(of(self), QUERIES, repeats, |all| pass(all, queries))
    }
}

fn inserted<P: Places<N>, const N: usize>(plan: &Plan<N>) -> P {
    let mut places = P::default();
    insert(&mut places, plan);
    places.finish();
    places
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

impl<P: Places<N>, const N: usize> Contestant<Job> for Bench<'_, P, N> {
    fn can(&self, job: Job) -> bool {
        P::CAN_CHANGE || matches!(job, Job::Near | Job::Far | Job::Nearest | Job::Bytes)
    }

    fn sample(&mut self, job: Job, repeats: u32) -> Sample {
        let plan = self.plan;
        let near = |all: &P, queries: &[Point<N>]| within(all, queries, NEAR);
        let far = |all: &P, queries: &[Point<N>]| within(all, queries, FAR);
        let afterwards = |places: &P, (): &()| far(places, &plan.queries[..QUERIES]);
        match job {
            Job::Insert => {
                let work = |places: &mut P| insert(places, plan);
                consuming(plan.points.len(), repeats, P::default, work, afterwards)
            }
            Job::Near => self.queries(|all| &all.full, repeats, near),
            Job::Far => self.queries(|all| &all.full, repeats, far),
            Job::Nearest => self.queries(|all| &all.full, repeats, nearest),
            Job::NearMoved => self.queries(|all| &all.moved, repeats, near),
            Job::FarMoved => self.queries(|all| &all.moved, repeats, far),
            Job::NearestMoved => self.queries(|all| &all.moved, repeats, nearest),
            Job::Move => {
                let work = |places: &mut P| move_each(places, plan);
                consuming(plan.moves.len(), repeats, || inserted(plan), work, afterwards)
            }
            Job::Bytes => {
                let (all, bytes) = bytes_kept_by(|| inserted::<P, N>(plan));
                counting(bytes, plan.points.len(), afterwards(&all, &()))
            }
        }
    }
}
