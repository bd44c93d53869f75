//! The random operations on a hierarchy, the same for every subject.

use crate::measure::random::Random;

/// Things by their numbers: their parents, which are destroyed, and the steps of the churn.
pub(crate) struct Plan {
    /// The parent of each thing but the first; it has a lower number.
    pub(crate) parents: Vec<u32>,
    /// The children of each thing.
    pub(crate) children: Vec<Vec<u32>>,
    /// Things that are destroyed one after the other, with their descendants.
    pub(crate) victims: Vec<u32>,
    /// The number of things that destroys.
    pub(crate) doomed: usize,
    /// The churn.
    pub(crate) steps: Vec<Step>,
    /// All things, in several orders: in one order, a processor learns by heart how far it is from each of a few
    /// things to the first, more or less of it by chance.
    pub(crate) asked: Vec<u32>,
}

/// A step of the churn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A thing, with its descendants.
    Destroy(u32),
    /// A thing, which gets the next number.
    Spawn { parent: u32 },
}

/// Fewer things than these are asked in so many orders, others in one.
const FEW: usize = 10_000;
const ORDERS: usize = 8;

/// One of so many things is destroyed, with its descendants.
const ONE_IN: usize = 64;

impl Plan {
    pub(crate) fn new(count: usize) -> Self {
        let mut random = Random::new(0x1A07);
        let parents: Vec<u32> = (1..count).map(|number| random.below(number) as u32).collect();
        let mut children = vec![Vec::new(); count];
        for (&parent, number) in parents.iter().zip(1..) {
            children[parent as usize].push(number);
        }
        let victims: Vec<u32> =
            (0..count / ONE_IN).map(|_| 1 + random.below(count - 1) as u32).collect();
        let mut model = Model::new(&children);
        let doomed = victims.iter().map(|&victim| model.destroy(victim)).sum();
        let steps = churn(&mut Model::new(&children), count, &mut random);
        let mut order: Vec<u32> = (0..count as u32).collect();
        let mut asked = order.clone();
        for _ in 1..if count < FEW { ORDERS } else { 1 } {
            for last in (1..count).rev() {
                order.swap(last, random.below(last + 1));
            }
            asked.extend(&order);
        }
        Self { parents, children, victims, doomed, steps, asked }
    }

    /// The number of things at first.
    pub(crate) fn count(&self) -> usize {
        self.children.len()
    }

    /// The number of things that the churn spawns; it destroys as many.
    pub(crate) fn spawned(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Spawn { .. })).count()
    }
}

/// Subtrees are destroyed, and as many things attached at random, until half have been replaced.
fn churn(model: &mut Model, count: usize, random: &mut Random) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut spawned = 0;
    while spawned < count / 2 {
        let victim = model.some(random, 1);
        steps.push(Step::Destroy(victim));
        for _ in 0..model.destroy(victim) {
            let parent = model.some(random, 0);
            model.spawn(parent);
            steps.push(Step::Spawn { parent });
            spawned += 1;
        }
    }
    steps
}

/// A simple model of a hierarchy.
struct Model {
    children: Vec<Vec<u32>>,
    live: Vec<bool>,
}

impl Model {
    fn new(children: &[Vec<u32>]) -> Self {
        Self { children: children.to_vec(), live: vec![true; children.len()] }
    }

    /// A random live thing, of those from `first` on.
    fn some(&self, random: &mut Random, first: usize) -> u32 {
        loop {
            let number = first + random.below(self.live.len() - first);
            if self.live[number] {
                return number as u32;
            }
        }
    }

    fn spawn(&mut self, parent: u32) {
        let number = self.children.len() as u32;
        self.children[parent as usize].push(number);
        self.children.push(Vec::new());
        self.live.push(true);
    }

    /// Destroys a thing and its descendants; returns their number.
    fn destroy(&mut self, victim: u32) -> usize {
        let mut destroyed = 0;
        let mut waiting = vec![victim];
        while let Some(number) = waiting.pop() {
            if core::mem::take(&mut self.live[number as usize]) {
                destroyed += 1;
                waiting.append(&mut self.children[number as usize]);
            }
        }
        destroyed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_churn_keeps_the_number_of_things() {
        let plan = Plan::new(500);
        let mut model = Model::new(&plan.children);
        for &step in &plan.steps {
            match step {
                Step::Destroy(victim) => assert!(model.destroy(victim) > 0),
                Step::Spawn { parent } => {
                    assert!(model.live[parent as usize]);
                    model.spawn(parent);
                }
            }
        }
        assert_eq!(model.live.iter().filter(|&&live| live).count(), 500);
        assert!(plan.spawned() >= 250 && plan.doomed > plan.victims.len() / 2);
    }
}
