//! What happens to a hierarchy: random, and the same for everybody.

use crate::compare::random::Random;

/// Things by their numbers: which hangs below which, which are destroyed, and what the churn does.
pub(crate) struct Plan {
    /// Of each thing but the first, the one it is attached to, which comes before it.
    pub(crate) parents: Vec<u32>,
    /// The same the other way round.
    pub(crate) children: Vec<Vec<u32>>,
    /// Things that are destroyed one after the other, with all below them.
    pub(crate) victims: Vec<u32>,
    /// How many things that destroys.
    pub(crate) doomed: usize,
    /// The churn.
    pub(crate) steps: Vec<Step>,
}

/// A step of the churn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A thing, with all below it.
    Destroy(u32),
    /// A thing, which gets the next number.
    Spawn { parent: u32 },
}

/// Of how many things one is destroyed, with all below it.
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
        Self { parents, children, victims, doomed, steps }
    }

    /// How many things there are at first.
    pub(crate) fn count(&self) -> usize {
        self.children.len()
    }

    /// How many things the churn spawns; it destroys as many.
    pub(crate) fn spawned(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Spawn { .. })).count()
    }
}

/// Subtrees are destroyed, and as many things attached anywhere, until half have been replaced.
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

/// The same, as simple as can be.
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

    /// Destroys a thing and all below it; says how many.
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
