//! The texts that are interned and released: random, the same for every subject.

use super::pools::Names;
use crate::measure::random::{Random, Scatter};

/// How many times each text comes, on average.
const TIMES: usize = 100;
/// The percentage of texts that are released.
pub(super) const RELEASED: usize = 60;

/// The texts and the order in which they come: random, the same for every subject.
pub(super) struct Plan {
    /// All different.
    pub(super) texts: Vec<String>,
    /// The number of texts, the first ones, that `intern` sees repeatedly.
    pub(super) distinct: usize,
    /// The texts in the order of their arrival.
    pub(super) arrivals: Vec<u32>,
    /// Arrivals that are released, in random order: all of 60 texts in 100.
    pub(super) released: Vec<u32>,
}

impl Plan {
    pub(super) fn new(count: usize) -> Self {
        let mut random = Random::new(0x7E27);
        let distinct = (count / TIMES).max(1);
        // All that are new together are as many as a tenth of those that are not.
        let texts = (0..count / 10).map(|number| text(number, &mut random)).collect();
        let arrivals: Vec<u32> = (0..count).map(|_| random.below(distinct) as u32).collect();
        let gone = |arrival: &usize| (arrivals[*arrival] as usize * 7) % 100 < RELEASED;
        let released = Scatter::new(count, 0x2E1).filter(gone).map(|at| at as u32).collect();
        Self { texts, distinct, arrivals, released }
    }

    /// Texts of which one in a hundred is new.
    pub(super) fn arriving(&self) -> impl Iterator<Item = &str> {
        self.arrivals.iter().map(|&text| self.texts[text as usize].as_str())
    }
}

/// A text like the names in programs: a few syllables, rarely many, and a number that makes it unique.
fn text(number: usize, random: &mut Random) -> String {
    const SYLLABLES: [&str; 16] = [
        "pos", "vel", "_", "item", "get", "is", "Node", "x", "count", "max", "On", "name", "id",
        "ren", "der", "Mesh",
    ];
    let many = if random.below(50) == 0 { 20 } else { 1 + random.below(4) };
    let syllables = (0..many).map(|_| SYLLABLES[random.below(16)]);
    syllables.collect::<String>() + &number.to_string()
}

#[inline(never)]
pub(super) fn intern_each<'a, N: Names>(
    names: &mut N,
    texts: impl Iterator<Item = &'a str>,
) -> Vec<N::Symbol> {
    texts.map(|text| names.intern(text)).collect()
}

/// Names with a reference for each arrival.
pub(super) type Referred<N> = (N, Vec<Option<<N as Names>::Symbol>>);

pub(super) fn referred<N: Names>(plan: &Plan) -> Referred<N> {
    let mut names = N::default();
    let symbols = intern_each(&mut names, plan.arriving());
    (names, symbols.into_iter().map(Some).collect())
}
