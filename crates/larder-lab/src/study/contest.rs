//! Subjects that take turns at the workloads of a study.

use alloc::rc::Rc;
use core::hint::black_box;

use anyhow::Result;
use indicatif::ProgressBar;

use crate::measure::allocator::bytes_kept_by;
use crate::measure::clock::{Sample, timed};
use crate::measure::turns::Rounds;
use crate::report::rows::Row;

/// One subject at one workload. A turn is a virtual call; nothing within it is.
pub(crate) struct Turn<'a> {
    subject: &'static str,
    work: Box<dyn FnMut(u32) -> Sample + 'a>,
}

impl<'a> Turn<'a> {
    /// Work that times itself, done so many times.
    pub(crate) fn of(subject: &'static str, work: impl FnMut(u32) -> Sample + 'a) -> Self {
        Self { subject, work: Box::new(work) }
    }

    /// Passes over a store that change all of it; the answer is read from it afterwards.
    pub(crate) fn changing<S: 'a>(
        subject: &'static str,
        operations: usize,
        mut store: S,
        pass: impl Fn(&mut S) + 'a,
        answer: impl Fn(&S) -> u64 + 'a,
    ) -> Self {
        Self::of(subject, move |repeats| changing(&mut store, operations, repeats, &pass, &answer))
    }
}

/// The result of work, as a part of the answer. It is dropped after the clock has stopped.
pub(crate) trait Returned {
    fn answer(&self) -> u64;
}

impl Returned for () {
    fn answer(&self) -> u64 {
        0
    }
}

impl Returned for u64 {
    fn answer(&self) -> u64 {
        *self
    }
}

/// The keys of what was inserted.
impl<K> Returned for Vec<K> {
    fn answer(&self) -> u64 {
        self.len() as u64
    }
}

/// A workload's name, in tables and in JSON, and what it does, for a reader of the tables.
type Workload = (&'static str, &'static str);

/// A subject's turns at the workloads that it can do.
pub(crate) type Turns<'a> = Vec<(Workload, Turn<'a>)>;

/// A subject's turns at all workloads of a study: on something that it holds for all of them, and on stores that
/// are made anew for work that changes them.
pub(crate) struct Works<'a, S, C> {
    subject: &'static str,
    held: Rc<S>,
    /// Makes a full store.
    full: Rc<dyn Fn(&S) -> C + 'a>,
    /// Returns the answer of a store after it was changed.
    answer: Rc<dyn Fn(&C) -> u64 + 'a>,
    next: Option<Workload>,
    turns: Turns<'a>,
}

impl<'a, C: Default + 'a> Works<'a, C, C> {
    /// On stores that are filled in this way; one of them is held.
    pub(crate) fn filled(
        subject: &'static str,
        fill: impl Fn(&mut C) + 'a,
        answer: impl Fn(&C) -> u64 + 'a,
    ) -> Self {
        let full = move |_: &C| filled(&fill);
        Self::new(subject, full(&C::default()), full, answer)
    }
}

/// A store that was filled in this way.
pub(crate) fn filled<C: Default>(fill: impl FnOnce(&mut C)) -> C {
    let mut store = C::default();
    fill(&mut store);
    store
}

impl<'a, S: 'a, C: 'a> Works<'a, S, C> {
    pub(crate) fn new(
        subject: &'static str,
        held: S,
        full: impl Fn(&S) -> C + 'a,
        answer: impl Fn(&C) -> u64 + 'a,
    ) -> Self {
        let (held, full, answer) = (Rc::new(held), Rc::new(full), Rc::new(answer));
        Self { subject, held, full, answer, next: None, turns: Vec::new() }
    }

    /// The workload of this name does what comes next.
    pub(crate) fn on(mut self, name: &'static str, about: &'static str) -> Self {
        self.next = Some((name, about));
        self
    }

    /// Leaves out what comes next if the subject cannot do that.
    pub(crate) fn only_if(mut self, can: bool) -> Self {
        self.next = self.next.filter(|_| can);
        self
    }

    /// Work that times itself, done so many times.
    pub(crate) fn sampling(mut self, mut work: impl FnMut(&S, u32) -> Sample + 'a) -> Self {
        let held = Rc::clone(&self.held);
        if let Some(workload) = self.next.take() {
            let turn = Turn::of(self.subject, move |repeats| work(&held, repeats));
            self.turns.push((workload, turn));
        }
        self
    }

    /// Passes that change nothing; the answer is the sum of theirs.
    pub(crate) fn reading(self, operations: usize, pass: impl Fn(&S) -> u64 + 'a) -> Self {
        self.sampling(move |held, repeats| reading(held, operations, repeats, &pass))
    }

    /// Work that changes a full store, which is made anew each time.
    pub(crate) fn changing<R: Returned>(
        self,
        operations: usize,
        work: impl Fn(&S, &mut C) -> R + 'a,
    ) -> Self {
        let full = Rc::clone(&self.full);
        self.changing_made(move |held| full(held), operations, work)
    }

    /// The same, of an empty store.
    pub(crate) fn filling<R: Returned>(
        self,
        operations: usize,
        work: impl Fn(&S, &mut C) -> R + 'a,
    ) -> Self
    where
        C: Default,
    {
        self.changing_made(|_| C::default(), operations, work)
    }

    /// The same, of a store that is made in this way.
    pub(crate) fn changing_made<R: Returned>(
        self,
        make: impl Fn(&S) -> C + 'a,
        operations: usize,
        work: impl Fn(&S, &mut C) -> R + 'a,
    ) -> Self {
        let answer = Rc::clone(&self.answer);
        let answer = move |store: &C, result: &R| result.answer() ^ answer(store);
        self.consuming(make, operations, work, answer)
    }

    /// Work that uses something up, which is made anew each time. Neither making nor dropping it is timed.
    pub(crate) fn consuming<U, R>(
        self,
        make: impl Fn(&S) -> U + 'a,
        operations: usize,
        work: impl Fn(&S, &mut U) -> R + 'a,
        answer: impl Fn(&U, &R) -> u64 + 'a,
    ) -> Self {
        self.sampling(move |held, repeats| {
            consuming(operations, repeats, || make(held), |used| work(held, used), &answer)
        })
    }

    /// The bytes of a full store, as an allocator is asked for them.
    pub(crate) fn bytes(self, operations: usize) -> Self {
        let (full, answer) = (Rc::clone(&self.full), Rc::clone(&self.answer));
        self.sampling(move |held, _| {
            let (store, bytes) = bytes_kept_by(|| full(held));
            counting(bytes, operations, answer(&store))
        })
    }

    pub(crate) fn done(self) -> Turns<'a> {
        self.turns
    }
}

/// The study, its way and count, and the thoroughness of its measurement.
#[derive(Clone, Debug)]
pub(crate) struct Contest<'a> {
    study: &'static str,
    /// The name of one of several ways, which follows those of the workloads.
    way: Option<String>,
    /// The number of objects.
    pub(crate) count: usize,
    rounds: usize,
    /// The first subject's turn lasts at least this many nanoseconds.
    enough: f64,
    progress: &'a ProgressBar,
}

impl<'a> Contest<'a> {
    /// Begins a study of that number of objects. There are more rounds where they are short.
    pub(crate) fn new(study: &'static str, count: usize, progress: &'a ProgressBar) -> Self {
        let rounds = match count {
            0..10_000 => 21,
            10_000..1_000_000 => 11,
            _ => 5,
        };
        Self { study, way: None, count, rounds, enough: 200_000.0, progress }
    }

    /// The same, in one round with one repeat: for tests.
    #[cfg(test)]
    pub(crate) fn once(study: &'static str, count: usize, progress: &'a ProgressBar) -> Self {
        Self { rounds: 1, enough: 1.0, ..Self::new(study, count, progress) }
    }

    /// One of several ways to measure.
    pub(crate) fn way(&self, way: impl Into<String>) -> Self {
        Self { way: Some(way.into()), ..self.clone() }
    }

    /// At most so many rounds.
    pub(crate) fn at_most(&self, rounds: usize) -> Self {
        Self { rounds: self.rounds.min(rounds), ..self.clone() }
    }

    /// At least so many rounds, where subjects differ by little.
    pub(crate) fn at_least(&self, rounds: usize) -> Self {
        Self { rounds: self.rounds.max(rounds), ..self.clone() }
    }

    /// Lets the subjects that can take turns at each of the workloads. The first of them is the one with which
    /// the others are compared.
    pub(crate) fn measure(&self, subjects: Vec<Turns<'_>>) -> Result<Vec<Row>> {
        let mut workloads: Vec<(Workload, Vec<Turn<'_>>)> = Vec::new();
        for (workload, turn) in subjects.into_iter().flatten() {
            match workloads.iter_mut().find(|(known, _)| *known == workload) {
                Some((_, turns)) => turns.push(turn),
                None => workloads.push((workload, vec![turn])),
            }
        }
        self.take_all_turns(
            workloads.into_iter().map(|((name, about), turns)| (name, about, turns)),
        )
    }

    /// The same, at some of the workloads.
    pub(crate) fn measure_some(
        &self,
        some: &[&str],
        mut subjects: Vec<Turns<'_>>,
    ) -> Result<Vec<Row>> {
        subjects.iter_mut().for_each(|turns| turns.retain(|((name, _), _)| some.contains(name)));
        self.measure(subjects)
    }

    /// Lets subjects take turns at workloads, each with its name and what it does.
    pub(crate) fn take_all_turns<'t>(
        &self,
        workloads: impl IntoIterator<Item = (&'static str, &'static str, Vec<Turn<'t>>)>,
    ) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        for (name, about, turns) in workloads {
            rows.extend(self.take_turns(name, about, turns)?);
        }
        Ok(rows)
    }

    /// Lets subjects take turns at one workload.
    pub(crate) fn take_turns(
        &self,
        workload: &str,
        about: &'static str,
        mut turns: Vec<Turn<'_>>,
    ) -> Result<Vec<Row>> {
        let way = self.way.as_ref().map(|way| format!(", {way}")).unwrap_or_default();
        let workload = format!("{workload}{way}");
        let title = format!("{}, {workload} of {}", self.study, self.count);
        self.progress.set_message(title.clone());
        let mut rounds = Rounds::new(turns.iter().map(|turn| turn.subject).collect());
        // Once to warm up, and to see how long it takes.
        let first = rounds.round(&title, 0, &mut |at| (turns[at].work)(1))?[0];
        let repeats = (self.enough / first.nanos).ceil().clamp(1.0, 10_000.0) as u32;
        rounds.measure(&title, self.rounds, &mut |at| (turns[at].work)(repeats))?;
        let (study, count, rounds) = (Some(self.study.to_owned()), self.count, [rounds]);
        let of = Row { study, workload, about, count, ..Row::default() };
        Ok(turns.iter().filter_map(|turn| Rounds::row(&rounds, turn.subject, &of)).collect())
    }
}

/// Passes over a store that change nothing; the answer is the sum of theirs.
pub(crate) fn reading<S: ?Sized>(
    store: &S,
    operations: usize,
    repeats: u32,
    pass: impl Fn(&S) -> u64,
) -> Sample {
    repeated(operations, repeats, &mut || pass(black_box(store)))
}

/// Passes over a store that change all of it; the answer is read from it afterwards.
pub(crate) fn changing<S>(
    store: &mut S,
    operations: usize,
    repeats: u32,
    pass: impl Fn(&mut S),
    answer: impl Fn(&S) -> u64,
) -> Sample {
    let pass = &mut || {
        pass(black_box(store));
        0
    };
    let sample = repeated(operations, repeats, pass);
    Sample { answer: answer(store), ..sample }
}

fn repeated(operations: usize, repeats: u32, pass: &mut dyn FnMut() -> u64) -> Sample {
    let passes = &mut || (0..repeats).fold(0_u64, |sum, _| sum.wrapping_add(pass()));
    let (nanos, answer) = timed(passes);
    Sample { nanos, operations: operations as f64 * f64::from(repeats), answer }
}

/// Work that uses a store up, which is made anew each time. Neither making nor dropping it is timed, nor is
/// dropping what the work returns.
pub(crate) fn consuming<C, R>(
    operations: usize,
    repeats: u32,
    mut make: impl FnMut() -> C,
    mut work: impl FnMut(&mut C) -> R,
    answer: impl Fn(&C, &R) -> u64,
) -> Sample {
    let mut total = Sample::default();
    for _ in 0..repeats {
        let (mut store, mut result) = (make(), None);
        let (nanos, _) = timed(&mut || {
            result = Some(work(black_box(&mut store)));
            0
        });
        let answer = result.as_ref().map_or(0, |result| answer(&store, result));
        total += Sample { nanos, operations: operations as f64, answer };
    }
    total
}

/// An amount that is counted, not timed, with the number of operations and the answer. Never zero:
/// there is no ratio to zero.
pub(crate) fn counting(amount: usize, operations: usize, answer: u64) -> Sample {
    Sample { nanos: amount.max(1) as f64, operations: operations as f64, answer }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_subjects_work_as_often_and_are_compared_with_the_first() {
        let progress = ProgressBar::hidden();
        let contest = Contest { rounds: 3, enough: 100.0, ..Contest::new("tick", 5, &progress) };
        let turns = |subject, nanos| {
            let sample = move |_: &_, repeats| Sample {
                nanos: nanos * f64::from(repeats),
                operations: 5.0 * f64::from(repeats),
                answer: u64::from(repeats),
            };
            let works = Works::filled(subject, |(): &mut ()| (), |()| 0);
            let works = works.on("walk", "").sampling(sample);
            works.on("churn", "").only_if(subject == "b").sampling(sample).done()
        };
        let rows = contest.way("50 %").measure(vec![turns("Vec", 30.0), turns("b", 60.0)]);
        let rows = rows.expect("they agree");
        let reached = |at: usize| {
            let Row { workload, subject, ns, ratio, spread, .. } = &rows[at];
            (workload.as_str(), subject.as_str(), *ns, *ratio, *spread)
        };
        assert_eq!(reached(0), ("walk, 50 %", "Vec", 6.0, 1.0, 0.0));
        assert_eq!(reached(1), ("walk, 50 %", "b", 12.0, 2.0, 0.0));
        assert_eq!((reached(2), rows.len()), (("churn, 50 %", "b", 12.0, 1.0, 0.0), 3));
    }

    #[test]
    fn answers_are_of_the_work_and_of_the_store_that_it_leaves() {
        let works = Works::filled("Vec", |all: &mut Vec<u64>| all.push(4), |all| all.iter().sum());
        let works = works.on("fill", "").filling(1, |_, all| all.push(2));
        let works = works.on("change", "").changing(1, |held, all| {
            all.push(held[0]);
            1
        });
        let mut turns = works.on("bytes", "").bytes(1).done().into_iter();
        let mut answer = || turns.next().map(|(_, mut turn)| (turn.work)(1).answer);
        assert_eq!([answer(), answer(), answer()], [Some(2), Some(8 ^ 1), Some(4)]);
    }

    #[test]
    fn a_store_that_is_used_up_is_made_for_each_repeat() {
        let mut made = 0;
        let make = || {
            made += 1;
            vec![made; 3]
        };
        let sample = consuming(3, 4, make, |store| store.pop(), |store, _| store.len() as u64);
        assert_eq!((made, sample.operations), (4, 12.0));
        // The answers of all repeats, in order.
        let expected = (0..4).fold(0_u64, |answer, _| answer.rotate_left(1) + 2);
        assert_eq!(sample.answer, expected);
    }

    #[test]
    fn passes_add_up() {
        let read = reading(&[1_u64, 2], 2, 5, |store| store.iter().sum());
        assert_eq!((read.operations, read.answer), (10.0, 15));
        let mut store = 0_u64;
        let changed = changing(&mut store, 1, 5, |store| *store += 2, |&store| store);
        assert_eq!((changed.operations, changed.answer), (5.0, 10));
        assert_eq!(counting(0, 4, 7), Sample { nanos: 1.0, operations: 4.0, answer: 7 });
    }
}
