//! Which lists are best at which length: lists of 1 to 50 values in the mean, as many values in all.

use anyhow::Result;
use indicatif::ProgressBar;

use super::chunks::Chunks;
use super::owners::{EntityLists, LarderLists, SmallVecs, Vecs};
use super::{Bench, Job, Plan};
use crate::compare::clock::Sample;
use crate::compare::random::Random;
use crate::study::{Contestant, Method, Part, Row, Workload, measure_all};

/// The name of the study.
pub(crate) const NAME: &str = "lengths";
/// How many values there are in all lists together, about.
const COUNTS: &[usize] = &[100_000, 1_000_000];
/// How many a list has in the mean.
pub(crate) const MEANS: [usize; 6] = [1, 2, 3, 7, 14, 50];
pub(crate) const JOBS: [Job; 4] = [Job::Push, Job::Iterate, Job::Churn, Job::Bytes];

/// A job on lists of such a length.
#[derive(Clone, Copy, Debug)]
struct OfMean(Job, usize);

impl Workload for OfMean {
    fn describe(self) -> (String, &'static str) {
        let (name, about) = self.0.describe();
        (format!("{name}, {} a list", self.1), about)
    }
}

pub(crate) fn parts() -> impl Iterator<Item = Part> {
    let part = |count, mean| {
        let part =
            Part::new(NAME, count, move |method, progress| measure(count, mean, method, progress));
        part.slow_if(count == 1_000_000)
    };
    COUNTS.iter().flat_map(move |&count| MEANS.iter().map(move |&mean| part(count, mean)))
}

/// Measures lists that have `mean` values in the mean, and `count` together.
pub(crate) fn measure(
    count: usize,
    mean: usize,
    method: Method,
    progress: &ProgressBar,
) -> Result<Vec<Row>> {
    let plan = &Plan::new((count / mean).max(1), |random| length(mean, random));
    let mut all: Vec<Box<dyn Contestant<OfMean> + '_>> = vec![
        Box::new(Bench::<Vecs>::new(plan)),
        Box::new(Bench::<SmallVecs>::new(plan)),
        Box::new(Bench::<EntityLists>::new(plan)),
        Box::new(Bench::<LarderLists>::new(plan)),
        Box::new(Bench::<Chunks<6, 8>>::new(plan)),
        Box::new(Bench::<Chunks<14, 16>>::new(plan)),
    ];
    let jobs = JOBS.map(|job| OfMean(job, mean));
    let method = Method { rounds: method.rounds.min(7), ..method };
    measure_all(NAME, count, &jobs, &mut all, method, progress)
}

/// A length: `mean` in the mean, none most often, seldom many times the mean.
fn length(mean: usize, random: &mut Random) -> usize {
    let share = (random.below(1 << 20) + 1) as f64 / f64::from(1 << 20);
    let longer = mean as f64 / (mean + 1) as f64;
    ((share.ln() / longer.ln()) as usize).min(super::VALUES.len())
}

impl<O> Contestant<OfMean> for Bench<'_, O>
where
    Self: Contestant<Job>,
{
    fn name(&self) -> &'static str {
        Contestant::<Job>::name(self)
    }

    fn sample(&mut self, OfMean(job, _): OfMean, repeats: u32) -> Sample {
        Contestant::<Job>::sample(self, job, repeats)
    }
}
