//! One subject at one size of element and count: its state, and its turns. And which values are removed so
//! that live and removed ones lie in runs.

use super::subject::Subject;
use super::workload::{Order, Stage};
use crate::measure::clock::{Sample, timed};
use crate::measure::random::{Random, Scatter};

/// The amount of work in one sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// A sample of work that can be repeated at will lasts this many nanoseconds.
    pub(crate) enough: f64,
    /// The number of times that work is done that changes the container, by every subject alike.
    pub(crate) repeats: u32,
    /// True if the work is done once untimed first: other subjects' turns emptied the caches.
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
                // The places of holes depend on the container; without this, also on the number of rounds.
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

    /// Returns the number of keys for which [`Self::ask_scattered`] asks.
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
        // The positions are distinct and not among the last `batch`, so all that is
        // removed was there when the run began: gaps are filled with the last values,
        // which are never asked for.
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

/// The values of one run, all of them live or all of them removed.
const RUN: usize = 256;

/// The densities, in percent, to which a container is thinned out one after the other.
pub(crate) const DENSITIES: [usize; 4] = [90, 50, 10, 1];

/// The number of live values of `count` at this density: at least one.
pub(crate) fn live_at(count: usize, percent: usize) -> usize {
    (count * percent / 100).max(1)
}

/// For each density, the positions to remove at to get there from the previous one.
///
/// A position is one in a list from which each removal takes the last entry to fill the gap, as
/// `Vec::swap_remove` does.
#[derive(Debug)]
pub(crate) struct ClusterPlan([Vec<u32>; 4]);

impl ClusterPlan {
    /// The plan for a container of `count` values, one for each seed.
    pub(crate) fn new(count: usize, seed: u64) -> Self {
        let mut list = List::new(count);
        // The ids in the order of removal: runs in random order, each from its end.
        let mut doomed = Scatter::new(count.div_ceil(RUN), 0xC1 + seed)
            .flat_map(|run| (run * RUN..count.min((run + 1) * RUN)).rev());
        Self(DENSITIES.map(|percent| {
            let deaths = list.len() - live_at(count, percent);
            doomed.by_ref().take(deaths).map(|id| list.remove(id)).collect()
        }))
    }

    /// The positions to remove at to come down to this density from the one above it.
    pub(crate) fn step(&self, percent: usize) -> &[u32] {
        let index = DENSITIES.iter().position(|&density| density == percent);
        &self.0[index.expect("workloads only name planned densities")]
    }
}

/// The positions to remove at, one after the other, so that `count` values are removed in the order of
/// insertion.
pub(crate) fn positions_in_order(count: usize) -> impl Iterator<Item = u32> {
    let mut list = List::new(count);
    (0..count).map(move |id| list.remove(id))
}

/// The ids in a list that fills gaps from its end, and where each of them is.
struct List {
    ids: Vec<u32>,
    places: Vec<u32>,
}

impl List {
    fn new(count: usize) -> Self {
        let ids: Vec<u32> = (0..count as u32).collect();
        Self { places: ids.clone(), ids }
    }

    fn len(&self) -> usize {
        self.ids.len()
    }

    /// Removes the id; returns its position.
    fn remove(&mut self, id: usize) -> u32 {
        let position = self.places[id];
        self.ids.swap_remove(position as usize);
        if let Some(&moved) = self.ids.get(position as usize) {
            self.places[moved as usize] = position;
        }
        position
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

    /// The ids that are live at each density.
    fn live(count: usize) -> [Vec<usize>; 4] {
        let plan = ClusterPlan::new(count, 0);
        let mut ids: Vec<usize> = (0..count).collect();
        DENSITIES.map(|percent| {
            for &position in plan.step(percent) {
                ids.swap_remove(position as usize);
            }
            let mut sorted = ids.clone();
            sorted.sort_unstable();
            sorted
        })
    }

    #[test]
    fn every_density_has_its_number_of_live_values() {
        for count in [64, 300, 1000, 100_000] {
            let lengths = live(count).map(|ids| ids.len());
            assert_eq!(lengths, DENSITIES.map(|percent| live_at(count, percent)));
        }
    }

    #[test]
    fn positions_in_order_lead_from_the_first_to_the_last() {
        let mut ids: Vec<usize> = (0..101).collect();
        let removed = positions_in_order(101).map(|position| ids.swap_remove(position as usize));
        assert!(removed.eq(0..101));
    }

    #[test]
    fn the_live_lie_in_runs() {
        for (ids, percent) in live(100_000).iter().zip(DENSITIES) {
            let gaps = ids.windows(2).filter(|pair| pair[1] != pair[0] + 1).count();
            let runs = ids.len().div_ceil(RUN) + 1;
            assert!(gaps <= runs, "{percent} %: {gaps} gaps");
            assert!(percent == 1 || gaps >= 20, "{percent} %: {gaps} gaps");
        }
    }
}
