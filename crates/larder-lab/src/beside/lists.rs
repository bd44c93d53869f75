//! Lists that objects are members of: ENT-PATH, of which an entity component system's author asks it.
//! Every object is in four lists. Round after round every 7th member leaves the second list, every 11th
//! the third, every 13th the fourth; every 17th object of the first is destroyed; new ones come.

mod rolls;

use anyhow::Result;
use indicatif::ProgressBar;

use self::rolls::{InObjects, KeyLists, KeyVecs, LinkedByHand, Roll, SideLists};
use crate::compare::clock::Sample;
use crate::study::{Contestant, Method, Part, Row, Workload, consuming, measure_all, reading};

/// The name of the study.
pub(crate) const NAME: &str = "lists";
/// How many objects there are at first.
const COUNTS: &[usize] = &[5_000, LARGEST];
/// ENT-PATH's own number.
const LARGEST: usize = 500_000;
/// How many rounds there are.
const ROUNDS: usize = 10;
/// Which members leave each of the lists but the first, which everybody is in: every 7th, and so on.
const LEAVING: [usize; 3] = [7, 11, 13];
/// Which objects of the first list are destroyed: every 17th.
const DYING: usize = 17;

/// What is done with the lists.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Job {
    Push,
    Leave,
    Destroy,
    Rounds,
    Walk,
}

pub(crate) const JOBS: [Job; 5] = [Job::Push, Job::Leave, Job::Destroy, Job::Rounds, Job::Walk];

impl Workload for Job {
    fn describe(self) -> (String, &'static str) {
        let (name, about) = match self {
            Self::Push => ("push", "an object, from nothing on, at the end of four lists"),
            Self::Leave => ("leave", "every 7th member leaves its list, per member that is passed"),
            Self::Destroy => {
                ("destroy", "every 17th object leaves four lists and is gone, per one passed")
            }
            Self::Rounds => ("rounds", "ten rounds of all, and walks, per object of the first"),
            Self::Walk => ("walk", "all objects by their list, after ten rounds"),
        };
        (name.to_owned(), about)
    }
}

pub(crate) fn parts() -> impl Iterator<Item = Part> {
    COUNTS.iter().map(|&count| {
        let part = Part::new(NAME, count, move |method, progress| measure(count, method, progress));
        part.slow_if(count == LARGEST)
    })
}

/// Measures everything with so many objects at first.
pub(crate) fn measure(count: usize, method: Method, progress: &ProgressBar) -> Result<Vec<Row>> {
    let mut all: Vec<Box<dyn Contestant<Job>>> = vec![
        Box::new(Bench::<KeyVecs>::new(count)),
        Box::new(Bench::<KeyLists>::new(count)),
        Box::new(Bench::<LinkedByHand>::new(count)),
        Box::new(Bench::<SideLists>::new(count)),
        Box::new(Bench::<InObjects>::new(count)),
    ];
    // A turn of so many takes seconds.
    let rounds = if count == LARGEST { 3 } else { method.rounds };
    let method = Method { rounds, ..method };
    measure_all(NAME, count, &JOBS, &mut all, method, progress)
}

/// Lists of one kind, after all rounds.
struct Bench<R: Roll> {
    count: usize,
    after: R,
    members: usize,
}

impl<R: Roll> Bench<R> {
    fn new(count: usize) -> Self {
        let mut after: R = pushed(count);
        rounds(&mut after, count);
        let members = after.members();
        Self { count, after, members }
    }
}

/// So many objects, in all lists.
#[inline(never)]
fn push<R: Roll>(roll: &mut R, numbers: core::ops::Range<usize>) {
    numbers.for_each(|number| roll.push(number as u32));
}

fn pushed<R: Roll>(count: usize) -> R {
    let mut roll = R::new();
    push(&mut roll, 0..count);
    roll
}

/// All rounds; the digest of their walks.
#[inline(never)]
fn rounds<R: Roll>(roll: &mut R, count: usize) -> u64 {
    let mut digest = 0_u64;
    for round in 0..ROUNDS {
        for list in 0..4 {
            digest = digest.rotate_left(1) ^ roll.walk(list);
        }
        for (list, every) in (1..).zip(LEAVING) {
            roll.leave(list, every);
        }
        roll.destroy(DYING);
        let first = count + round * (count / ROUNDS);
        push(roll, first..first + count / ROUNDS);
    }
    digest
}

impl<R: Roll> Contestant<Job> for Bench<R> {
    fn name(&self) -> &'static str {
        R::NAME
    }

    fn sample(&mut self, job: Job, repeats: u32) -> Sample {
        let count = self.count;
        let full = || pushed::<R>(count);
        match job {
            Job::Push => consuming(
                count,
                repeats,
                R::new,
                |roll| push(roll, 0..count),
                |roll, ()| roll.walk(0),
            ),
            Job::Leave => {
                let work = |roll: &mut R| roll.leave(1, LEAVING[0]);
                consuming(count, repeats, full, work, |roll, ()| roll.walk(1))
            }
            Job::Destroy => {
                let work = |roll: &mut R| roll.destroy(DYING);
                let walks = |roll: &R, (): &()| {
                    (0..4).fold(0_u64, |digest, list| digest.rotate_left(1) ^ roll.walk(list))
                };
                consuming(count, repeats, full, work, walks)
            }
            Job::Rounds => {
                let work = |roll: &mut R| rounds(roll, count);
                consuming(count, repeats, full, work, |roll, &digest| digest ^ roll.walk(3))
            }
            Job::Walk => reading(&self.after, self.members, repeats, |roll| roll.walk(0)),
        }
    }
}
