//! Which values are removed so that live and removed ones lie in runs.

use crate::measure::random::Scatter;

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
