//! Contestants that take turns at the workloads of a study.

use anyhow::Result;
use indicatif::ProgressBar;

use super::row::Row;
use super::work::changing;
use crate::measure::clock::Sample;
use crate::measure::stats::significant;
use crate::measure::turns::Rounds;

/// A workload: one of the jobs of a study.
pub(crate) trait Workload: Copy + 'static {
    /// All jobs, in the order of the tables.
    const ALL: &'static [Self];

    /// The name in tables and in JSON, and what it does, for a reader of the tables.
    fn describe(self) -> (&'static str, &'static str);
}

/// Declares the workloads of a study as `enum Job`, each with its name and what it does.
macro_rules! jobs {
    ($($job:ident = $name:literal, $about:literal;)*) => {
        /// The workloads.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Job {
            $($job,)*
        }

        impl $crate::study::Workload for Job {
            const ALL: &'static [Self] = &[$(Self::$job,)*];

            fn describe(self) -> (&'static str, &'static str) {
                match self {
                    $(Self::$job => ($name, $about),)*
                }
            }
        }
    };
}
pub(crate) use jobs;

/// A subject that takes turns with others at workloads `W`. A turn is a virtual call; nothing within
/// it is.
pub(crate) trait Contestant<W> {
    /// Whether it can do this at all.
    fn can(&self, _workload: W) -> bool {
        true
    }

    /// Does the work so many times.
    fn sample(&mut self, workload: W, repeats: u32) -> Sample;
}

/// Contestants that take turns, each with its subject's name; the one first with which the others are
/// compared.
pub(crate) type Contestants<'a, W> = Vec<(&'static str, Box<dyn Contestant<W> + 'a>)>;

/// Makes contestants: of each of these types, by this function.
macro_rules! contestants {
    ($bench:ident::new $arguments:tt: $($subject:ty),* $(,)?) => {
        vec![$((<$subject>::NAME, Box::new($bench::<$subject>::new $arguments) as Box<_>)),*]
    };
    ($bench:ident<_, $dimensions:ident>::new $arguments:tt: $($subject:ty),* $(,)?) => {
        vec![$((
            <$subject>::NAME,
            Box::new($bench::<$subject, $dimensions>::new $arguments) as Box<_>,
        )),*]
    };
}
pub(crate) use contestants;

/// One subject at one workload.
pub(crate) struct Turn<'a> {
    subject: &'static str,
    work: Box<dyn FnMut(u32) -> Sample + 'a>,
}

impl<'a> Turn<'a> {
    /// Work that times itself.
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
        let work = move |repeats| changing(&mut store, operations, repeats, &pass, &answer);
        Self { subject, work: Box::new(work) }
    }
}

/// What is measured, and how thoroughly.
#[derive(Clone, Debug)]
pub(crate) struct Contest<'a> {
    study: &'static str,
    /// In which of several ways; its name follows those of the workloads.
    way: Option<String>,
    /// How many objects there are.
    pub(crate) count: usize,
    rounds: usize,
    /// The first subject's turn lasts at least this many nanoseconds.
    enough: f64,
    progress: &'a ProgressBar,
}

impl<'a> Contest<'a> {
    /// With so many objects. There are more rounds where they are short.
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
    pub(crate) fn way(&self, way: String) -> Self {
        Self { way: Some(way), ..self.clone() }
    }

    /// At most so many rounds.
    pub(crate) fn at_most(&self, rounds: usize) -> Self {
        Self { rounds: self.rounds.min(rounds), ..self.clone() }
    }

    /// [`measure`](Self::measure), at all workloads.
    pub(crate) fn measure_all<W: Workload>(
        &self,
        contestants: &mut Contestants<'_, W>,
    ) -> Result<Vec<Row>> {
        self.measure(W::ALL, contestants)
    }

    /// Lets the contestants that can take turns at each of the workloads. The first of them is the one
    /// with which the others are compared.
    pub(crate) fn measure<W: Workload>(
        &self,
        workloads: &[W],
        contestants: &mut Contestants<'_, W>,
    ) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        for &workload in workloads {
            let able = contestants.iter_mut().filter(|(_, contestant)| contestant.can(workload));
            let turns = able.map(|(subject, contestant)| {
                Turn::of(subject, |repeats| contestant.sample(workload, repeats))
            });
            let (name, about) = workload.describe();
            rows.extend(self.take_turns(name, about, turns.collect())?);
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
        let subjects: Vec<_> = turns.iter().map(|turn| turn.subject).collect();
        let mut rounds = Rounds::new(subjects.clone());
        // Once to warm up, and to see how long it takes.
        let first = rounds.round(&title, 0, &mut |at| (turns[at].work)(1))?[0];
        let repeats = (self.enough / first.nanos).ceil().clamp(1.0, 10_000.0) as u32;
        rounds.measure(&title, self.rounds, &mut |at| (turns[at].work)(repeats))?;
        let rounds = [rounds];
        let row = |subject: &&str| {
            let reached = Rounds::reached(&rounds, subject)?;
            Some(Row {
                study: self.study.to_owned(),
                workload: workload.clone(),
                about,
                count: self.count,
                subject: (*subject).to_owned(),
                ns: significant(reached.ns, 4),
                ratio: significant(reached.ratio, 4),
                spread: significant(reached.spread, 4),
            })
        };
        Ok(subjects.iter().filter_map(row).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_subjects_work_as_often_and_are_compared_with_the_first() {
        let progress = ProgressBar::hidden();
        let contest = Contest { rounds: 3, enough: 100.0, ..Contest::new("tick", 5, &progress) };
        let turn = |subject, nanos| Turn {
            subject,
            work: Box::new(move |repeats| Sample {
                nanos: nanos * f64::from(repeats),
                operations: 5.0 * f64::from(repeats),
                answer: u64::from(repeats),
            }),
        };
        let way = contest.way("50 %".to_owned());
        let rows = way.take_turns("walk", "", vec![turn("Vec", 30.0), turn("b", 60.0)]);
        let rows = rows.expect("they agree");
        assert_eq!(
            (rows[0].ns, rows[0].ratio, rows[0].workload.as_str()),
            (6.0, 1.0, "walk, 50 %")
        );
        assert_eq!((rows[1].ns, rows[1].ratio, rows[1].spread), (12.0, 2.0, 0.0));
        assert_eq!((rows[1].subject.as_str(), rows[1].count), ("b", 5));
    }
}
