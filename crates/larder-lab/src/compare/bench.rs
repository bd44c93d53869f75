//! One subject at one size of element and count: its state, and its turns.

use super::clusters::{ClusterPlan, DENSITIES, live_at, positions_in_order};
use super::subject::Subject;
use super::workload::{Order, Stage};
use crate::measure::clock::{Sample, timed};
use crate::measure::random::{Random, Scatter};

/// How much work one sample takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// A sample of work that can be repeated at will lasts this many nanoseconds.
    pub(crate) enough: f64,
    /// How often work is done that changes the container, by every subject alike.
    pub(crate) repeats: u32,
    /// Whether the work is done once untimed first: other subjects' turns emptied the caches.
    pub(crate) warm_up: bool,
}

impl Effort {
    /// Work that changes the container: as often as the effort says, answers added up.
    pub(super) fn repeat(&self, run: &mut dyn FnMut() -> Sample) -> Sample {
        if self.warm_up {
            run();
        }
        let mut total = Sample::default();
        for _ in 0..self.repeats {
            total += run();
        }
        total
    }

    /// Work that leaves the container as it was: passes until the effort is spent, each of which must
    /// give the same answer. `pass` makes so many of them and adds up their answers.
    pub(super) fn passes(&self, operations: usize, pass: &mut dyn FnMut(u64) -> u64) -> Sample {
        let (first, answer) = timed(&mut || pass(1));
        if !self.warm_up {
            return Sample { nanos: first, operations: operations as f64, answer };
        }
        // Below ten nanoseconds the first pass says little about how long many of them take.
        let count = (self.enough / first.max(10.0)).ceil().max(1.0) as u64;
        let (nanos, sum) = timed(&mut || pass(count));
        Sample {
            nanos,
            operations: operations as f64 * count as f64,
            answer: if sum == answer.wrapping_mul(count) { answer } else { sum },
        }
    }
}

/// A subject on its way through the stages. All choices are random, and the same for every subject.
pub(crate) struct Bench<'a> {
    pub(super) subject: Box<dyn Subject>,
    pub(super) element_bytes: usize,
    pub(super) count: usize,
    /// Its own plan, and those of the others.
    plans: &'a [ClusterPlan],
    /// Containers with as many values and other holes, which are walked in turn with this one: there are
    /// some while it has holes and no workload changes it.
    pub(super) others: Vec<Bench<'a>>,
    seed: u64,
    stage: Stage,
    random: Random,
    next_number: u64,
    /// The doomed keys are those of a full container in this order.
    victims: Option<Order>,
}

/// Lookups in one pass, at most: enough to leave every cache.
const MOST_LOOKUPS: usize = 1_000_000;

/// Pairs of removal and insertion that bring a container into its steady state, at most.
const MOST_STIRRED: usize = 1_000_000;

/// Pairs of one run, at most: at 10,000,000 a run need not touch everything.
const MOST_PAIRS: usize = 250_000;

impl<'a> Bench<'a> {
    pub(crate) fn new(
        subject: Box<dyn Subject>,
        element_bytes: usize,
        count: usize,
        plans: &'a [ClusterPlan],
    ) -> Self {
        Self {
            subject,
            element_bytes,
            count,
            plans,
            others: Vec::new(),
            seed: 0,
            stage: Stage::Nothing,
            random: Random::new(0),
            next_number: 0,
            victims: None,
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.subject.name()
    }

    /// Brings the container into this state, from the last one where possible.
    pub(crate) fn enter(&mut self, stage: Stage) {
        let count = self.count;
        self.victims = None;
        self.enter_with_others(stage);
        match stage {
            Stage::Nothing => self.subject.empty(),
            Stage::Full => {
                self.renew();
                self.ask_scattered();
            }
            Stage::Scattered(percent) => {
                let leads_there = matches!(self.stage, Stage::Scattered(from) if from > percent);
                // Never the container of `Stage::Full`: `update` changed that, and not all subjects
                // take part in it.
                if !leads_there {
                    self.renew();
                }
                self.thin_out(live_at(count, percent));
            }
            Stage::Clustered(percent) => self.thin_out_in_runs(percent),
            Stage::Churned => {
                self.renew();
                self.thin_out(count / 2);
                self.stir(2 * count);
            }
            Stage::Replaced => {
                self.renew();
                self.ask_scattered();
                self.replace_all();
            }
            Stage::Steady => {
                self.renew();
                self.stir(count.min(MOST_STIRRED));
            }
            Stage::Holes(percent) => {
                self.renew();
                self.thin_out(live_at(count, percent));
                // Where holes lie depends on the container; without this, also on the number of rounds.
                self.stir(count.min(MOST_STIRRED));
            }
            Stage::Blind => {
                self.renew();
                if self.subject.holes_hold_values() {
                    self.thin_out(count / 2);
                }
            }
        }
        self.stage = stage;
    }

    /// Makes the containers that are walked in turn with this one where it gets holes, or brings them along.
    fn enter_with_others(&mut self, stage: Stage) {
        if !matches!(stage, Stage::Scattered(_) | Stage::Clustered(_) | Stage::Churned) {
            self.others.clear();
            return;
        }
        if self.others.is_empty() {
            let Self { subject, element_bytes, count, plans, .. } = &*self;
            let others = plans.chunks(1).zip(0..).skip(1).map(|(plan, seed)| Self {
                seed,
                ..Self::new(subject.another(), *element_bytes, *count, plan)
            });
            self.others = others.collect();
        }
        self.others.iter_mut().for_each(|other| other.enter(stage));
    }

    /// A full population instead of the last one.
    fn renew(&mut self) {
        self.subject.fill(self.count);
        (self.random, self.next_number) = (Random::new(0xA11 + self.seed), self.count as u64);
    }

    /// How many keys [`Self::ask_scattered`] asks for.
    pub(super) fn lookups(&self) -> usize {
        self.count.min(MOST_LOOKUPS)
    }

    /// Asks for some of the keys, or all, in scattered order, each once.
    fn ask_scattered(&mut self) {
        let order = Scatter::new(self.subject.len(), 0x5CA);
        self.subject.ask(&mut order.take(self.lookups()));
    }

    /// Asks for the keys of random live values, perhaps several times for one value.
    pub(super) fn ask_random(&mut self, count: usize) {
        let live = self.subject.len();
        self.subject.ask(&mut (0..count).map(|_| self.random.below(live)));
    }

    /// Takes random values off the list, for a caller that removes them in this order next.
    pub(super) fn doom_random(&mut self, count: usize) {
        let live = self.subject.len();
        let mut positions = (0..count).map(|taken| self.random.below(live - taken));
        self.subject.doom_off_the_list(&mut positions);
    }

    /// Numbers for new values; the first of them.
    pub(super) fn take_numbers(&mut self, count: usize) -> u64 {
        let first = self.next_number;
        self.next_number += count as u64;
        first
    }

    /// Removes random values until `live` are left.
    fn thin_out(&mut self, live: usize) {
        self.doom_random(self.subject.len() - live);
        self.subject.retire();
    }

    /// Removes values so that live and dead ones lie in runs.
    fn thin_out_in_runs(&mut self, percent: usize) {
        let from = match self.stage {
            Stage::Clustered(from) if from > percent => from,
            _ => {
                self.renew();
                100
            }
        };
        for density in DENSITIES {
            if (percent..from).contains(&density) {
                let step = self.plans[0].step(density).iter();
                self.subject.doom_off_the_list(&mut step.map(|&position| position as usize));
                self.subject.retire();
            }
        }
    }

    /// Removes every value, the youngest first, and fills the container with others.
    fn replace_all(&mut self) {
        let count = self.subject.len();
        self.subject.doom_off_the_list(&mut (0..count).rev());
        self.subject.retire();
        let first = self.take_numbers(count);
        self.subject.insert(first);
        self.subject.admit();
    }

    /// Dooms the values of a full container in this order.
    pub(super) fn doom_all(&mut self, order: Order) {
        if self.victims == Some(order) {
            return;
        }
        self.renew();
        match order {
            Order::Random => self.doom_random(self.count),
            Order::Inserted => {
                let mut positions = positions_in_order(self.count).map(|at| at as usize);
                self.subject.doom_off_the_list(&mut positions);
            }
        }
        self.subject.abandon();
        self.victims = Some(order);
    }

    /// Pairs of removal and insertion in one run of a container of this size.
    pub(super) fn pairs(&self) -> usize {
        (self.subject.len() / 4).clamp(1, MOST_PAIRS)
    }

    /// Removes random values and inserts others by turns, `pairs` in all, `batch` at a time, by
    /// `work`, which is given the first number of the new values; only that is timed.
    pub(super) fn replace(
        &mut self,
        pairs: usize,
        batch: usize,
        work: &mut dyn FnMut(&mut dyn Subject, u64) -> u64,
    ) -> Sample {
        // The positions are distinct and not among the last `batch`, so all that is removed was there
        // when the run began: gaps are filled with the last values, which are never asked for.
        let order = Scatter::new(self.subject.len() - batch, self.random.next());
        let positions: Vec<u32> = order.take(pairs).map(|at| at as u32).collect();
        self.subject.doom(&positions);
        let first = self.take_numbers(pairs);
        let (nanos, answer) = timed(&mut || work(&mut *self.subject, first));
        self.subject.settle(&positions, batch);
        Sample { nanos, operations: pairs as f64, answer }
    }

    /// Random pairs, untimed, to bring the container into its steady state.
    fn stir(&mut self, count: usize) {
        let mut left = count;
        while left > 0 {
            let pairs = self.pairs().min(left);
            self.replace(pairs, 1, &mut |subject, first| subject.churn(first));
            left -= pairs;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EFFORT: Effort = Effort { enough: 1000.0, repeats: 3, warm_up: true };

    #[test]
    fn repeat_runs_once_more_than_it_counts() {
        let mut runs = 0;
        let total = EFFORT.repeat(&mut || {
            runs += 1;
            Sample { nanos: 2.0, operations: 4.0, answer: 1 }
        });
        assert_eq!(runs, 4);
        assert_eq!((total.nanos, total.operations), (6.0, 12.0));
        assert_eq!(total.per_operation(), 0.5);
    }

    #[test]
    fn passes_that_disagree_are_seen_in_the_answer() {
        let mut calls = 0;
        let same = EFFORT.passes(1, &mut |times| 7 * times);
        let changing = EFFORT.passes(1, &mut |_| {
            calls += 1;
            calls
        });
        assert_eq!(same.answer, 7);
        assert_ne!(changing.answer, 1);
    }
}
