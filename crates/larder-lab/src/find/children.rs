//! Lists that objects own: AOA-CHILD. Most are empty or short, a few are long.

mod chunks;
pub(crate) mod lengths;
mod owners;

use self::chunks::Chunks;
use self::owners::{EntityLists, LarderLists, Owners, SmallVecs, Vecs};
use crate::measure::allocator::{allocations, counted};
use crate::study::prelude::*;

/// The name of the study.
pub(crate) const NAME: &str = "children";
/// The number of objects; each owns a list.
pub(crate) const COUNTS: &[usize] = &[10_000, 1_000_000];

jobs! {
    Make = "make", "a value, of lists that are made whole one after the other";
    Push = "push", "a value, pushed to the list of any object, from nothing on";
    Iterate = "iterate", "the values of all lists, as they were made";
    Churn = "churn", "a random value of a random list out, one pushed to another";
    Replace = "replace", "a random list freed, and made anew in another length";
    IterateChurned = "iterate_churned", "the values of all lists, after all that";
    Bytes = "bytes", "bytes a value, as an allocator is asked for them, pushed as by push";
    BytesChurned = "bytes_churned", "bytes a value, after churn and replacements";
    Allocations = "allocations", "allocations a list, when pushed as by push";
}

pub(crate) fn measure(contest: &Contest<'_>) -> Result<Vec<Row>> {
    let plan = &Plan::new(contest.count, length);
    let mut all: Contestants<'_, Job> = contestants![
        Bench::new(plan): Vecs, SmallVecs, EntityLists, LarderLists, Chunks<6, 8>, Chunks<14, 16>,
        Chunks<30, 32>
    ];
    contest.measure_all(&mut all)
}

/// The random operations on the lists, the same for every subject.
struct Plan {
    /// The length of each object's list.
    lengths: Vec<usize>,
    /// The number of all values.
    values: usize,
    /// The objects to whose lists the values are pushed.
    pushes: Vec<u32>,
    swaps: Vec<Swap>,
    /// Objects, and the new lengths of their lists.
    replacements: Vec<(u32, usize)>,
}

/// A value is removed from one list, and one is pushed to another.
struct Swap {
    from: u32,
    /// The position, as a share of the list.
    at: u32,
    to: u32,
}

impl Plan {
    /// Operations on so many lists with random lengths.
    fn new(count: usize, length: impl Fn(&mut Random) -> usize) -> Self {
        let mut random = Random::new(0xC417D);
        let lengths: Vec<usize> = (0..count).map(|_| length(&mut random)).collect();
        let values = lengths.iter().sum();
        let pushes = shuffled_owners(&lengths, &mut random);
        let swap = |_| Swap {
            from: random.below(count) as u32,
            at: random.next() as u32,
            to: random.below(count) as u32,
        };
        let swaps = (0..count).map(swap).collect();
        let replacement = |_| (random.below(count) as u32, length(&mut random));
        let replacements = (0..count / 2).map(replacement).collect();
        Self { lengths, values, pushes, swaps, replacements }
    }
}

/// A length: three on average and most often 0; for one list in 250, from 40 to 1,000.
fn length(random: &mut Random) -> usize {
    let share = |random: &mut Random| (random.below(1 << 20) + 1) as f64 / f64::from(1 << 20);
    if random.below(250) == 0 {
        return (40.0 * 25.0_f64.powf(share(random))) as usize;
    }
    (share(random).ln() / 0.75_f64.ln()) as usize
}

/// The owner of each value of all lists, in random order.
fn shuffled_owners(lengths: &[usize], random: &mut Random) -> Vec<u32> {
    let mut owners: Vec<u32> = (0_u32..)
        .zip(lengths)
        .flat_map(|(owner, &length)| core::iter::repeat_n(owner, length))
        .collect();
    for last in (1..owners.len()).rev() {
        owners.swap(last, random.below(last + 1));
    }
    owners
}

/// Lists of one kind: as they were made, and after all operations.
struct Bench<'a, O> {
    plan: &'a Plan,
    made: O,
    churned: O,
}

impl<'a, O: Owners> Bench<'a, O> {
    fn new(plan: &'a Plan) -> Self {
        let mut churned = pushed(plan);
        churn(&mut churned, plan);
        replace(&mut churned, plan);
        Self { plan, made: made(plan), churned }
    }
}

/// The values of a list, from its first on.
const VALUES: [u32; 1024] = {
    let mut values = [0; 1024];
    let mut at = 0;
    while at < values.len() {
        values[at] = at as u32 * 7 + 1;
        at += 1;
    }
    values
};

fn made<O: Owners>(plan: &Plan) -> O {
    let mut lists = O::new(plan.lengths.len());
    make(&mut lists, plan);
    lists
}

fn pushed<O: Owners>(plan: &Plan) -> O {
    let mut lists = O::new(plan.lengths.len());
    push(&mut lists, plan);
    lists
}

#[inline(never)]
fn make<O: Owners>(lists: &mut O, plan: &Plan) {
    for (owner, &length) in plan.lengths.iter().enumerate() {
        lists.extend(owner, &VALUES[..length]);
    }
}

#[inline(never)]
fn push<O: Owners>(lists: &mut O, plan: &Plan) {
    for (value, &owner) in (0..).zip(&plan.pushes) {
        lists.push(owner as usize, value);
    }
}

#[inline(never)]
fn churn<O: Owners>(lists: &mut O, plan: &Plan) {
    for (value, swap) in (0..).zip(&plan.swaps) {
        let length = lists.len(swap.from as usize) as u64;
        if length > 0 {
            let at = (length * u64::from(swap.at)) >> 32;
            lists.swap_remove(swap.from as usize, at as usize);
        }
        lists.push(swap.to as usize, value);
    }
}

#[inline(never)]
fn replace<O: Owners>(lists: &mut O, plan: &Plan) {
    for &(owner, length) in &plan.replacements {
        lists.clear(owner as usize);
        lists.extend(owner as usize, &VALUES[..length]);
    }
}

#[inline(never)]
fn sum<O: Owners>(lists: &O, owners: usize) -> u64 {
    (0..owners).map(|owner| lists.values(owner).fold(0, |sum, value| sum + u64::from(value))).sum()
}

/// All values of all lists, in order.
fn digest<O: Owners>(lists: &O, owners: usize) -> u64 {
    let values = (0..owners).flat_map(|owner| lists.values(owner));
    values.fold(0, |digest, value| digest.rotate_left(5) ^ u64::from(value))
}

impl<O: Owners> Contestant<Job> for Bench<'_, O> {
    fn sample(&mut self, job: Job, repeats: u32) -> Sample {
        let (plan, owners) = (self.plan, self.plan.lengths.len());
        let empty = || O::new(owners);
        let afterwards = |lists: &O, (): &()| digest(lists, owners);
        match job {
            Job::Make => {
                consuming(plan.values, repeats, empty, |lists| make(lists, plan), afterwards)
            }
            Job::Push => {
                consuming(plan.values, repeats, empty, |lists| push(lists, plan), afterwards)
            }
            Job::Iterate => reading(&self.made, plan.values, repeats, |lists| sum(lists, owners)),
            Job::Churn => {
                let work = |lists: &mut O| churn(lists, plan);
                consuming(plan.swaps.len(), repeats, || pushed(plan), work, afterwards)
            }
            Job::Replace => {
                let work = |lists: &mut O| replace(lists, plan);
                consuming(plan.replacements.len(), repeats, || pushed(plan), work, afterwards)
            }
            Job::IterateChurned => {
                let values = (0..owners).map(|owner| self.churned.len(owner)).sum();
                reading(&self.churned, values, repeats, |lists| sum(lists, owners))
            }
            Job::Bytes => bytes::<O>(plan, |_| ()),
            Job::BytesChurned => bytes::<O>(plan, |lists| {
                churn(lists, plan);
                replace(lists, plan);
            }),
            Job::Allocations => {
                let (lists, count) = counted(|| {
                    let before = allocations();
                    (pushed::<O>(plan), allocations() - before)
                });
                counting(count, owners, digest(&lists, owners))
            }
        }
    }
}

/// The bytes of lists after some more operations.
fn bytes<O: Owners>(plan: &Plan, more: impl Fn(&mut O)) -> Sample {
    let owners = plan.lengths.len();
    let (lists, bytes) = bytes_kept_by(|| {
        let mut lists = pushed(plan);
        more(&mut lists);
        lists
    });
    let values = (0..owners).map(|owner| lists.len(owner)).sum();
    counting(bytes, values, digest(&lists, owners))
}
