//! Interned names: AOA-STR. A million texts, one in a hundred of which is new.

mod plan;
mod pools;
mod single;

use self::plan::{Plan, RELEASED, Referred, intern_each, referred};
use self::pools::{ByHand, Counted, Interner, LarderCounted, LarderKept, Lasso, Names};
use self::single::Singles;
use crate::study::hashers::Foldhash;
use crate::study::prelude::*;

/// The name of the study.
pub(crate) const NAME: &str = "names";
/// The number of texts interned.
pub(crate) const COUNTS: &[usize] = &[100_000, 1_000_000];

jobs! {
    Intern = "intern", "a text, of which one in a hundred is new, from nothing on";
    InternNew = "intern_new", "a text that is new, from nothing on";
    Find = "find", "the symbol of a text that is known";
    Resolve = "resolve", "the text of a random symbol";
    Release = "release", "a reference given back, until 60 of 100 texts have none left";
    ReleaseRare = "release_rare", "what one release in 1,000 takes longer than";
    ReleaseFourth = "release_fourth", "the fourth longest of these releases";
    ReleaseWorst = "release_worst", "the longest of these releases";
    Bytes = "bytes", "bytes a text, when all are new";
    BytesReleased = "bytes_released", "bytes a text that is left, when 60 of 100 were released";
}

pub(crate) fn measure(contest: &Contest<'_>) -> Result<Vec<Row>> {
    let plan = &Plan::new(contest.count);
    let mut all: Contestants<'_, Job> = contestants![
        Bench::new(plan): Counted, ByHand, Lasso, Lasso<Foldhash>, Interner, LarderKept,
        LarderCounted
    ];
    contest.measure_all(&mut all)
}

/// Names of one kind.
struct Bench<'a, N: Names> {
    plan: &'a Plan,
    names: N,
    /// In the order of the arrivals.
    symbols: Vec<N::Symbol>,
    /// The times of single releases, once measured.
    singles: Option<Singles>,
}

impl<'a, N: Names> Bench<'a, N> {
    fn new(plan: &'a Plan) -> Self {
        let mut names = N::default();
        let symbols = intern_each(&mut names, plan.arriving());
        Self { plan, names, symbols, singles: None }
    }
}

#[inline(never)]
fn release_each<N: Names>(names: &mut N, symbols: &mut [Option<N::Symbol>], which: &[u32]) {
    for &at in which {
        if let Some(symbol) = symbols[at as usize].take() {
            names.release(symbol);
        }
    }
}

/// What a text adds to an answer.
#[inline(always)]
fn one(text: &str) -> u64 {
    let first = text.as_bytes().first().copied().unwrap_or(0);
    text.len() as u64 + (u64::from(first) << 8)
}

fn digest<'a, N: Names + 'a>(
    names: &'a N,
    symbols: impl IntoIterator<Item = &'a N::Symbol>,
) -> u64 {
    let texts = symbols.into_iter().map(|symbol| one(names.resolve(symbol)));
    texts.fold(0, |digest, text| digest.rotate_left(5) ^ text)
}

fn digest_of_the_rest<N: Names>((names, symbols): &Referred<N>) -> u64 {
    digest(names, symbols.iter().flatten())
}

impl<N: Names> Bench<'_, N> {
    fn intern<'t, T: Iterator<Item = &'t str>>(
        &self,
        count: usize,
        repeats: u32,
        texts: impl Fn() -> T,
    ) -> Sample {
        let work = |names: &mut N| intern_each(names, texts());
        consuming(count, repeats, N::default, work, |names, symbols| digest(names, symbols))
    }

    fn find(&self, repeats: u32) -> Sample {
        let plan = self.plan;
        reading(&self.names, plan.arrivals.len(), repeats, |names| {
            plan.arriving().filter(|text| names.contains(text)).count() as u64
        })
    }

    fn resolve(&self, repeats: u32) -> Sample {
        reading(&self.names, self.symbols.len(), repeats, |names| {
            self.symbols.iter().fold(0, |sum, symbol| sum + one(names.resolve(symbol)))
        })
    }

    fn release(&self, repeats: u32) -> Sample {
        let plan = self.plan;
        let work =
            |(names, symbols): &mut Referred<N>| release_each(names, symbols, &plan.released);
        let rest = |all: &Referred<N>, (): &()| digest_of_the_rest(all);
        consuming(plan.released.len(), repeats, || referred(plan), work, rest)
    }

    /// The time that only so many releases of all exceed, the same in all rounds.
    fn single_release(&mut self, exceeding: usize) -> Sample {
        let singles = self.singles.get_or_insert_with(|| Singles::of::<N>(self.plan));
        Sample { nanos: singles.exceeded_by(exceeding), operations: 1.0, answer: 0 }
    }

    /// Bytes, without those of the symbols.
    fn bytes(&self) -> Sample {
        let texts = &self.plan.texts;
        let mut symbols = Vec::with_capacity(texts.len());
        let (names, bytes) = bytes_kept_by(|| {
            let mut names = N::default();
            symbols.extend(texts.iter().map(|text| names.intern(text)));
            names
        });
        counting(bytes, texts.len(), digest(&names, &symbols))
    }

    /// The same after the releases; the remaining texts have many references.
    fn bytes_released(&self) -> Sample {
        let plan = self.plan;
        let mut symbols = Vec::with_capacity(plan.arrivals.len());
        let (names, bytes) = bytes_kept_by(|| {
            let mut names = N::default();
            symbols.extend(plan.arriving().map(|text| Some(names.intern(text))));
            release_each(&mut names, &mut symbols, &plan.released);
            names
        });
        let left = plan.distinct * (100 - RELEASED) / 100;
        counting(bytes, left.max(1), digest_of_the_rest(&(names, symbols)))
    }
}

impl<N: Names> Contestant<Job> for Bench<'_, N> {
    fn can(&self, job: Job) -> bool {
        let is_release =
            matches!(job, Job::Release | Job::ReleaseRare | Job::ReleaseFourth | Job::ReleaseWorst);
        N::RELEASES || !(is_release || job == Job::BytesReleased)
    }

    fn sample(&mut self, job: Job, repeats: u32) -> Sample {
        let plan = self.plan;
        match job {
            Job::Intern => self.intern(plan.arrivals.len(), repeats, || plan.arriving()),
            Job::InternNew => {
                self.intern(plan.texts.len(), repeats, || plan.texts.iter().map(String::as_str))
            }
            Job::Find => self.find(repeats),
            Job::Resolve => self.resolve(repeats),
            Job::Release => self.release(repeats),
            Job::ReleaseRare => self.single_release(plan.released.len() / 1_000),
            Job::ReleaseFourth => self.single_release(3),
            Job::ReleaseWorst => self.single_release(0),
            Job::Bytes => self.bytes(),
            Job::BytesReleased => self.bytes_released(),
        }
    }
}
