//! Which lists are best at which length: lists of 1 to 50 values on average, with the same total.

use super::chunks::Chunks;
use super::owners::{EntityLists, LarderLists, Owners, SmallVecs, Vecs};
use super::{Bench, Job, Plan};
use crate::study::prelude::*;

/// The name of the study.
pub(crate) const NAME: &str = "lengths";
/// The number of values in all lists together, about.
const COUNTS: &[usize] = &[100_000, 1_000_000];
/// The mean lengths.
pub(crate) const MEANS: [usize; 6] = [1, 2, 3, 7, 14, 50];
pub(crate) const JOBS: [Job; 4] = [Job::Push, Job::Iterate, Job::Churn, Job::Bytes];

pub(crate) fn parts() -> impl Iterator<Item = Part> {
    MEANS.into_iter().flat_map(|mean| {
        study::parts(NAME, COUNTS, 1_000_000, move |contest| measure(contest, mean))
    })
}

/// Measures lists of `mean` values on average, and `contest.count` values together.
fn measure(contest: &Contest<'_>, mean: usize) -> Result<Vec<Row>> {
    let lists = (contest.count / mean).max(1);
    let plan = &Plan::new(lists, |random| length(mean, random));
    let mut all: Contestants<'_, Job> = contestants![
        Bench::new(plan): Vecs, SmallVecs, EntityLists, LarderLists, Chunks<6, 8>, Chunks<14, 16>
    ];
    contest.way(format!("{mean} a list")).at_most(7).measure(&JOBS, &mut all)
}

/// A length: `mean` on average, most often 0, rarely many times the mean.
fn length(mean: usize, random: &mut Random) -> usize {
    let share = (random.below(1 << 20) + 1) as f64 / f64::from(1 << 20);
    let longer = mean as f64 / (mean + 1) as f64;
    ((share.ln() / longer.ln()) as usize).min(super::VALUES.len())
}
