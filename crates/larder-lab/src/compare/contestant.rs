//! One subject at one size of element and count: its state, and its turns.

use core::fmt::Debug;

use super::build::Order;
use super::clock::{Effort, Sample};
use super::clusters::{ClusterPlan, DENSITIES, live_at};
use super::population::Population;
use super::workload::{Job, Stage};
use super::{build, read, steady};
use crate::subject::{Element, Store};

/// A subject that takes turns with the others. Only a turn is a virtual call, nothing in it.
pub(crate) trait Contestant: Debug {
    /// The subject's name.
    fn name(&self) -> &'static str;

    /// Brings the container into this state, from the last one where that leads there.
    fn enter(&mut self, stage: Stage);

    /// Does the work, in the state that was entered last.
    fn sample(&mut self, job: Job, effort: &Effort) -> Sample;
}

/// One kind of container on its way through the stages.
#[derive(Debug)]
pub(super) struct Bench<'a, T: Element, S: Store<T>> {
    count: usize,
    plan: &'a ClusterPlan,
    stage: Stage,
    population: Option<Population<T, S>>,
    /// The keys that the lookups of this stage ask for.
    lookups: Vec<S::Key>,
    /// The keys of a full container in the order in which they are removed, and which that is.
    victims: Option<(Order, Vec<S::Key>)>,
}

impl<'a, T: Element, S: Store<T>> Bench<'a, T, S> {
    pub(super) fn new(count: usize, plan: &'a ClusterPlan) -> Self {
        Self {
            count,
            plan,
            stage: Stage::Nothing,
            population: None,
            lookups: Vec::new(),
            victims: None,
        }
    }

    fn population(&mut self) -> &mut Population<T, S> {
        self.population.get_or_insert_with(|| Population::full(self.count))
    }

    /// Drops the container and makes a full one.
    fn renew(&mut self) -> &mut Population<T, S> {
        self.population = None;
        self.population()
    }

    /// The keys of a full container in this order.
    fn victims(&mut self, order: Order) -> &[S::Key] {
        let kept = self.victims.take().filter(|(kept, _)| *kept == order);
        let fresh = || (order, build::victims::<T, S>(self.count, order));
        &self.victims.insert(kept.unwrap_or_else(fresh)).1
    }

    /// Thins the container out so that live and dead lie in runs.
    fn thin_out_in_runs(&mut self, percent: usize) {
        let from = match self.stage {
            Stage::Clustered(from) if from > percent => from,
            _ => {
                self.renew();
                100
            }
        };
        let plan = self.plan;
        for density in DENSITIES {
            if (percent..from).contains(&density) {
                self.population().remove_at(plan.step(density));
            }
        }
    }

    /// Thins the container out at random.
    ///
    /// Never the one of `Stage::Full`: `update` changed that, and not all subjects take part in it.
    fn thin_out(&mut self, percent: usize) {
        let leads_there = matches!(self.stage, Stage::Scattered(from) if from > percent);
        let live = live_at(self.count, percent);
        let population = if leads_there { self.population() } else { self.renew() };
        population.thin_out(live);
    }
}

/// Pairs that bring a container into its steady state, at most.
const MOST_STIRRED: usize = 1_000_000;

impl<T: Element, S: Store<T> + Debug> Contestant for Bench<'_, T, S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn enter(&mut self, stage: Stage) {
        let count = self.count;
        self.lookups = Vec::new();
        self.victims = None;
        match stage {
            Stage::Nothing => self.population = None,
            Stage::Full => {
                let keys = self.renew().scattered_keys(read::MOST_LOOKUPS);
                self.lookups = keys;
            }
            Stage::Scattered(percent) => self.thin_out(percent),
            Stage::Clustered(percent) => self.thin_out_in_runs(percent),
            Stage::Churned => {
                let population = self.renew();
                population.thin_out(count / 2);
                steady::stir(population, 2 * count);
            }
            Stage::Replaced => {
                let population = self.renew();
                let keys = population.scattered_keys(read::MOST_LOOKUPS);
                population.replace_all();
                self.lookups = keys;
            }
            Stage::Steady => steady::stir(self.renew(), count.min(MOST_STIRRED)),
            Stage::Holes(percent) => {
                let population = self.renew();
                population.thin_out(live_at(count, percent));
                // Where holes lie depends on who fills them: without this, on the number of rounds.
                steady::stir(population, count.min(MOST_STIRRED));
            }
            Stage::Blind => {
                let population = self.renew();
                if S::HOLES_HOLD_VALUES {
                    population.thin_out(count / 2);
                }
            }
        }
        self.stage = stage;
    }

    fn sample(&mut self, job: Job, effort: &Effort) -> Sample {
        let count = self.count;
        match job {
            Job::Insert => build::insert::<T, S>(count, effort),
            Job::InsertReserved => build::insert_reserved::<T, S>(count, effort),
            Job::Fill => build::fill::<T, S>(count, effort),
            Job::Small => build::small::<T, S>(count, effort),
            Job::Extend => build::extend::<T, S>(count, effort),
            Job::InsertSmall(few) => build::insert::<T, S>(few, effort),
            Job::RemoveAll(order) => build::remove_all::<T, S>(self.victims(order), effort),
            Job::RefillAll => build::refill_all::<T, S>(self.victims(Order::Inserted), effort),
            Job::Retain => build::retain::<T, S>(count, effort),
            Job::Clear => build::clear::<T, S>(count, effort),
            Job::Bytes => build::bytes::<T, S>(count),
            Job::Allocations(count) => build::blocks::<T, S>(count),
            Job::Clone => build::clone(self.population(), effort),
            Job::BlindPass => read::blind_pass(self.population(), count, effort),
            _ => self.sample_of_population(job, effort),
        }
    }
}

impl<T: Element, S: Store<T>> Bench<'_, T, S> {
    fn sample_of_population(&mut self, job: Job, effort: &Effort) -> Sample {
        let lookups = core::mem::take(&mut self.lookups);
        let population = self.population();
        let sample = match job {
            Job::Walk => read::walk(population, effort),
            Job::For => read::for_loop(population, effort),
            Job::First => read::first(population, effort),
            Job::Lookup => read::lookup(population, &lookups, effort),
            Job::LookupChain => read::lookup_chain(population, &lookups, effort),
            Job::Stale => read::stale(population, &lookups, effort),
            Job::Update => read::update(population, effort),
            Job::Churn => steady::churn(population, effort),
            Job::BatchChurn(per_mille) => steady::batch_churn(population, per_mille, effort),
            Job::Refill => steady::refill(population, effort),
            Job::Game => steady::game(population, effort),
            Job::Recycle => steady::recycle(population, effort),
            other => unreachable!("{other:?} makes its own containers"),
        };
        self.lookups = lookups;
        sample
    }
}
