//! Points in space: IDX-GRID. Who is within 5 or 50 metres, in the plane and in space, where there is
//! one point for each square or cube of 5 metres in the mean.

mod places;

use anyhow::Result;
use indicatif::ProgressBar;

use self::places::{BruteForce, Cells, KdTree, Places, Point, RTree, distance};
use crate::compare::clock::Sample;
use crate::compare::random::Random;
use crate::study::{Contestant, Method, Part, Row, Workload, consuming, measure_all, reading};

/// The name of the study.
pub(crate) const NAME: &str = "grid";
/// How many points there are.
const COUNTS: &[usize] = &[10_000, 100_000];
/// The side of the square or cube that there is one point for, in metres.
const ROOM: f64 = 5.0;
/// The parts of a metre that coordinates are whole numbers of: so that all distances that matter can be
/// written as `f32`, and everybody means the same by them.
const PARTS: f64 = 64.0;
/// Places that are asked about in a pass.
const QUERIES: usize = 200;

/// What is done with the points.
#[derive(Clone, Copy, Debug)]
enum Job {
    Insert,
    Near,
    Far,
    Nearest,
    Move,
}

const JOBS: [Job; 5] = [Job::Insert, Job::Near, Job::Far, Job::Nearest, Job::Move];

/// A job in so many dimensions.
#[derive(Clone, Copy, Debug)]
struct InDimensions(Job, usize);

impl Workload for InDimensions {
    fn describe(self) -> (String, &'static str) {
        let (name, about) = match self.0 {
            Job::Insert => ("insert", "a point, from nothing on"),
            Job::Near => ("within 5 m", "all points within 5 metres of one, a query"),
            Job::Far => ("within 50 m", "all points within 50 metres of one, a query"),
            Job::Nearest => ("nearest", "the point that is nearest to a place, a query"),
            Job::Move => ("move", "a point that goes up to a metre in each direction"),
        };
        (format!("{name}, {}D", self.1), about)
    }
}

/// Radii with which no distance between two points is equal, so that it does not matter whether such a
/// point is within.
const NEAR: f32 = 5.01;
const FAR: f32 = 50.01;

pub(crate) fn parts() -> impl Iterator<Item = Part> {
    let plane = COUNTS.iter().map(|&count| {
        Part::new(NAME, count, move |method, progress| measure::<2>(count, method, progress))
    });
    let space = COUNTS.iter().map(|&count| {
        Part::new(NAME, count, move |method, progress| measure::<3>(count, method, progress))
    });
    plane.chain(space)
}

/// Measures everything with so many points in so many dimensions.
pub(crate) fn measure<const N: usize>(
    count: usize,
    method: Method,
    progress: &ProgressBar,
) -> Result<Vec<Row>> {
    let plan = &Plan::<N>::new(count);
    let mut all: Vec<Box<dyn Contestant<InDimensions> + '_>> = vec![
        Box::new(Bench::<BruteForce<N>, N>::new(plan)),
        Box::new(Bench::<RTree<N>, N>::new(plan)),
        Box::new(Bench::<KdTree<N>, N>::new(plan)),
        Box::new(Bench::<Cells<N, 5>, N>::new(plan)),
        Box::new(Bench::<Cells<N, 10>, N>::new(plan)),
        Box::new(Bench::<Cells<N, 20>, N>::new(plan)),
        Box::new(Bench::<Cells<N, 50>, N>::new(plan)),
    ];
    let jobs = JOBS.map(|job| InDimensions(job, N));
    // A query of brute force is long enough to be timed a few times only.
    let method = Method { rounds: method.rounds.min(5), ..method };
    measure_all(NAME, count, &jobs, &mut all, method, progress)
}

/// Where everybody is: random, and the same for everybody.
struct Plan<const N: usize> {
    points: Vec<Point<N>>,
    queries: Vec<Point<N>>,
    /// Who goes where.
    moves: Vec<(usize, Point<N>)>,
}

impl<const N: usize> Plan<N> {
    fn new(count: usize) -> Self {
        let mut random = Random::new(0x6121D);
        let side = (ROOM * (count as f64).powf(1.0 / N as f64) * PARTS) as usize;
        // As much to the left of nothing as to the right.
        let mut coordinate =
            |limit: usize| ((random.below(limit) as f64 - limit as f64 / 2.0) / PARTS) as f32;
        let side = side.next_multiple_of(2);
        let points: Vec<Point<N>> =
            (0..count).map(|_| core::array::from_fn(|_| coordinate(side))).collect();
        let queries = (0..QUERIES).map(|_| core::array::from_fn(|_| coordinate(side))).collect();
        let step = 2 * PARTS as usize;
        let mut went = |at: usize| points[at].map(|from| from + coordinate(step));
        let moves = (0..count).step_by(4).map(|at| (at, went(at))).collect();
        Self { points, queries, moves }
    }
}

/// Points in one kind of order.
struct Bench<'a, P: Places<N>, const N: usize> {
    plan: &'a Plan<N>,
    full: P,
}

impl<'a, P: Places<N>, const N: usize> Bench<'a, P, N> {
    fn new(plan: &'a Plan<N>) -> Self {
        Self { plan, full: inserted(plan) }
    }
}

fn inserted<P: Places<N>, const N: usize>(plan: &Plan<N>) -> P {
    let mut places = P::default();
    insert(&mut places, plan);
    places
}

#[inline(never)]
fn insert<P: Places<N>, const N: usize>(places: &mut P, plan: &Plan<N>) {
    (0_u32..).zip(&plan.points).for_each(|(number, &point)| places.insert(number, point));
}

#[inline(never)]
fn within<P: Places<N>, const N: usize>(places: &P, plan: &Plan<N>, radius: f32) -> u64 {
    let found = plan.queries.iter().map(|&center| places.within(center, radius));
    found.fold(0, |digest, sum| digest.rotate_left(5) ^ sum)
}

#[inline(never)]
fn nearest<P: Places<N>, const N: usize>(places: &P, plan: &Plan<N>) -> u64 {
    let found = plan.queries.iter().map(|&center| distance(center, places.nearest(center)));
    found.fold(0, |digest, distance| digest.rotate_left(5) ^ u64::from(distance.to_bits()))
}

#[inline(never)]
fn move_each<P: Places<N>, const N: usize>(places: &mut P, plan: &Plan<N>) {
    for &(object, to) in &plan.moves {
        places.set(object as u32, plan.points[object], to);
    }
}

impl<P: Places<N>, const N: usize> Contestant<InDimensions> for Bench<'_, P, N> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn sample(&mut self, InDimensions(job, _): InDimensions, repeats: u32) -> Sample {
        let plan = self.plan;
        let afterwards = |places: &P, (): &()| within(places, plan, FAR);
        match job {
            Job::Insert => {
                let work = |places: &mut P| insert(places, plan);
                consuming(plan.points.len(), repeats, P::default, work, afterwards)
            }
            Job::Near => reading(&self.full, QUERIES, repeats, |all| within(all, plan, NEAR)),
            Job::Far => reading(&self.full, QUERIES, repeats, |all| within(all, plan, FAR)),
            Job::Nearest => reading(&self.full, QUERIES, repeats, |all| nearest(all, plan)),
            Job::Move => {
                let work = |places: &mut P| move_each(places, plan);
                consuming(plan.moves.len(), repeats, || inserted(plan), work, afterwards)
            }
        }
    }
}
