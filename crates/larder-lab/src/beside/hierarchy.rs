//! Hierarchies: objects that are spawned, attached to one another, walked, and destroyed with all their
//! descendants. 65,536 of them are LAOT, the sources' large array of things.

mod families;
mod plan;

use core::cell::Cell;

use self::families::{
    BesideArena, Boxed, EgoTree, Family, InObjects, IndexTree, SlotmapChildren, Thing,
};
use self::plan::{Plan, Step};
use crate::study::prelude::*;

/// The name of the study.
pub(crate) const NAME: &str = "hierarchy";
/// The number of things.
pub(crate) const COUNTS: &[usize] = &[1_000, 65_536, 100_000];

jobs! {
    Spawn = "spawn", "a thing, from nothing on";
    Attach = "attach", "a thing, as the last child of another";
    Build = "build", "both: a thing that is attached as soon as it is spawned";
    Walk = "walk", "all things below the first, each before its children";
    Children = "children", "a thing: the children of each are walked, without what is below them";
    Ancestors = "ancestors", "a thing: the way from each to the first is walked";
    RemoveSubtree = "remove_subtree", "a thing: all are destroyed with the first, by one call";
    Destroy = "destroy", "a thing, with all below one that was chosen at random";
    Churn = "churn", "a thing destroyed with all below one, another spawned and attached";
    WalkChurned = "walk_churned", "as walk, after churn";
}

pub(crate) fn measure(contest: &Contest<'_>) -> Result<Vec<Row>> {
    let plan = &Plan::new(contest.count);
    let mut all: Contestants<'_, Job> = contestants![
        Bench::new(plan): IndexTree, EgoTree, SlotmapChildren, BesideArena, InObjects
    ];
    all.insert(3, (Boxed::NAME, Box::new(Owned::new(plan))));
    contest.measure_all(&mut all)
}

/// Things of one kind, before and after the churn.
struct Bench<'a, F: Family> {
    plan: &'a Plan,
    built: (F, Vec<F::Key>),
    churned: F,
    /// The keys of the plan's orders.
    asked: Vec<F::Key>,
}

impl<'a, F: Family> Bench<'a, F> {
    /// A walk from each thing, in the next order each time.
    fn ask(&self, repeats: u32, walk: impl Fn(&F, F::Key) -> u64) -> Sample {
        let (count, passes) = (self.plan.count(), Cell::new(0));
        reading(&self.built.0, count, repeats, |things| {
            let first = passes.replace(passes.get() + 1) * count % self.asked.len();
            each(&self.asked[first..first + count], |key| walk(things, key))
        })
    }

    fn new(plan: &'a Plan) -> Self {
        let (mut churned, mut keys) = built(plan);
        if F::DESTROYS {
            take_each(&mut churned, &mut keys, &plan.steps);
        }
        let built = built(plan);
        let asked = plan.asked.iter().map(|&number| built.1[number as usize]).collect();
        Self { plan, built, churned, asked }
    }
}

fn built<F: Family>(plan: &Plan) -> (F, Vec<F::Key>) {
    let mut things = F::new();
    let keys = build(&mut things, plan);
    (things, keys)
}

#[inline(never)]
fn spawn<F: Family>(things: &mut F, plan: &Plan) -> Vec<F::Key> {
    (0..plan.count()).map(|number| things.spawn(Thing::new(number))).collect()
}

#[inline(never)]
fn attach<F: Family>(things: &mut F, keys: &[F::Key], plan: &Plan) {
    for (&child, &parent) in keys[1..].iter().zip(&plan.parents) {
        things.attach(keys[parent as usize], child);
    }
}

#[inline(never)]
fn build<F: Family>(things: &mut F, plan: &Plan) -> Vec<F::Key> {
    let mut keys = Vec::with_capacity(plan.count());
    keys.push(things.spawn(Thing::new(0)));
    for (&parent, number) in plan.parents.iter().zip(1..) {
        let child = things.spawn(Thing::new(number));
        things.attach(keys[parent as usize], child);
        keys.push(child);
    }
    keys
}

/// The digest of a walk from each of these, the same in any order.
#[inline(never)]
fn each<K: Copy>(keys: &[K], walk: impl Fn(K) -> u64) -> u64 {
    keys.iter().fold(0, |digest, &key| digest.wrapping_add(walk(key)))
}

#[inline(never)]
fn destroy_each<F: Family>(things: &mut F, keys: &[F::Key], victims: &[u32]) {
    for &victim in victims {
        things.destroy(keys[victim as usize]);
    }
}

#[inline(never)]
fn take_each<F: Family>(things: &mut F, keys: &mut Vec<F::Key>, steps: &[Step]) {
    for &step in steps {
        match step {
            Step::Destroy(victim) => things.destroy(keys[victim as usize]),
            Step::Spawn { parent } => {
                let child = things.spawn(Thing::new(keys.len()));
                things.attach(keys[parent as usize], child);
                keys.push(child);
            }
        }
    }
}

impl<F: Family> Contestant<Job> for Bench<'_, F> {
    fn can(&self, job: Job) -> bool {
        let destroys = [Job::RemoveSubtree, Job::Destroy, Job::Churn, Job::WalkChurned];
        F::DESTROYS || !destroys.contains(&job)
    }

    fn sample(&mut self, job: Job, repeats: u32) -> Sample {
        let (plan, count) = (self.plan, self.plan.count());
        let root = self.built.1[0];
        let afterwards = |(things, keys): &(F, Vec<F::Key>), (): &()| things.walk(keys[0]);
        match job {
            Job::Spawn => consuming(
                count,
                repeats,
                F::new,
                |things| spawn(things, plan),
                |_, keys| keys.len() as u64,
            ),
            Job::Attach => {
                let spawned = || {
                    let mut things = F::new();
                    let keys = spawn(&mut things, plan);
                    (things, keys)
                };
                let work = |(things, keys): &mut (F, Vec<F::Key>)| attach(things, keys, plan);
                consuming(count, repeats, spawned, work, afterwards)
            }
            Job::Build => consuming(
                count,
                repeats,
                F::new,
                |things| build(things, plan),
                |things, keys| things.walk(keys[0]),
            ),
            Job::Walk => reading(&self.built.0, count, repeats, |things| things.walk(root)),
            Job::Children => self.ask(repeats, F::children),
            Job::Ancestors => self.ask(repeats, F::ancestors),
            Job::RemoveSubtree => {
                let work = |(things, keys): &mut (F, Vec<F::Key>)| things.destroy(keys[0]);
                consuming(count, repeats, || built(plan), work, |_, ()| 0)
            }
            Job::Destroy => {
                let work = |(things, keys): &mut (F, Vec<F::Key>)| {
                    destroy_each(things, keys, &plan.victims);
                };
                consuming(plan.doomed, repeats, || built(plan), work, afterwards)
            }
            Job::Churn => {
                let work = |(things, keys): &mut (F, Vec<F::Key>)| {
                    take_each(things, keys, &plan.steps);
                };
                consuming(plan.spawned(), repeats, || built(plan), work, afterwards)
            }
            Job::WalkChurned => reading(&self.churned, count, repeats, |things| things.walk(root)),
        }
    }
}

/// Boxes that own their children. There are no keys: a tree is built from its root, and walked.
struct Owned<'a> {
    plan: &'a Plan,
    root: Box<Boxed>,
}

impl<'a> Owned<'a> {
    fn new(plan: &'a Plan) -> Self {
        Self { plan, root: Boxed::grown(0, &plan.children) }
    }
}

impl Contestant<Job> for Owned<'_> {
    fn can(&self, job: Job) -> bool {
        matches!(job, Job::Build | Job::Walk)
    }

    fn sample(&mut self, job: Job, repeats: u32) -> Sample {
        let count = self.plan.count();
        if job == Job::Walk {
            return reading(&*self.root, count, repeats, Boxed::walk);
        }
        let grow = |_: &mut ()| Boxed::grown(0, &self.plan.children);
        consuming(count, repeats, || (), grow, |(), root| root.walk())
    }
}
