//! The number of random histories, and the choices of which all short ones consist.

use crate::common::amount;

/// Returns the number of random histories that each type is put through; `THOROUGH` and `LARDER_CASES` ask for more.
pub fn cases() -> u32 {
    let asked = std::env::var("LARDER_CASES").ok();
    asked.and_then(|cases| cases.parse().ok()).unwrap_or_else(|| amount(100, 12, 1) as u32)
}

/// Runs a test once for each way through it.
pub fn every_way(run: &mut dyn FnMut(&mut Choices)) {
    let mut choices = Choices::default();
    loop {
        run(&mut choices);
        if !choices.advance() {
            return;
        }
    }
}

/// The choices made on one way through a test, and the next way that was not taken yet.
#[derive(Default)]
pub struct Choices {
    taken: Vec<(usize, usize)>,
    next: usize,
}

impl Choices {
    /// A number below `bound`: the one this way takes here.
    pub fn below(&mut self, bound: usize) -> usize {
        if self.next == self.taken.len() {
            self.taken.push((0, bound));
        }
        let (choice, same_bound) = self.taken[self.next];
        assert_eq!(bound, same_bound, "a test that enumerates must depend on nothing else");
        self.next += 1;
        choice
    }

    /// Goes on to the next way; false when all were taken.
    pub fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((choice, bound)) = self.taken.pop() {
            if choice + 1 < bound {
                self.taken.push((choice + 1, bound));
                return true;
            }
        }
        false
    }
}
