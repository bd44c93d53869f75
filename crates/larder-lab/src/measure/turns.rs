//! Rounds in which subjects take turns at the same work, and what all rounds come to.

use core::fmt::Display;

use anyhow::{Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};

use super::clock::Sample;
use super::stats::{Summary, median, significant};
use crate::report::rows::Row;

/// The order of turns in a round: each round begins with another subject, and every second round goes
/// backwards, so that no subject always runs in the memory that the same other one left.
pub(crate) fn order(round: usize, count: usize) -> impl Iterator<Item = usize> {
    let first = round % count;
    (0..count).map(move |turn| match round % 2 {
        0 => (first + turn) % count,
        _ => (first + count - turn) % count,
    })
}

/// Subjects in groups that fit into this much memory together, where each takes so many bytes; the first is in each.
pub(crate) fn groups<T: Clone>(subjects: &[T], each: usize, memory: usize) -> Vec<Vec<T>> {
    let others = (memory / each).clamp(2, subjects.len().max(2)) - 1;
    match subjects.split_at(1) {
        (first, []) => vec![first.to_vec()],
        (first, rest) => rest.chunks(others).map(|chunk| [first, chunk].concat()).collect(),
    }
}

/// The rounds of some subjects at one workload: nanoseconds per operation.
#[derive(Debug)]
pub(crate) struct Rounds {
    subjects: Vec<&'static str>,
    /// By round and subject.
    nanos: Vec<Vec<f64>>,
}

impl Rounds {
    pub(crate) fn new(subjects: Vec<&'static str>) -> Self {
        Self { subjects, nanos: Vec::new() }
    }

    /// One turn for each subject, named by its index. A different answer is an error.
    pub(crate) fn round(
        &self,
        title: &dyn Display,
        round: usize,
        turn: &mut dyn FnMut(usize) -> Sample,
    ) -> Result<Vec<Sample>> {
        let mut samples = vec![Sample::default(); self.subjects.len()];
        for index in order(round, samples.len()) {
            samples[index] = turn(index);
        }
        let first = samples[0].answer;
        for (subject, Sample { answer, .. }) in self.subjects.iter().zip(&samples) {
            ensure!(
                *answer == first,
                "{title}: {subject} answers {answer:#x}, {} answers {first:#x}",
                self.subjects[0],
            );
        }
        Ok(samples)
    }

    /// So many rounds that count.
    pub(crate) fn measure(
        &mut self,
        title: &dyn Display,
        rounds: usize,
        turn: &mut dyn FnMut(usize) -> Sample,
    ) -> Result<()> {
        for round in 0..rounds {
            let samples = self.round(title, round, turn)?;
            self.nanos.push(samples.iter().map(Sample::per_operation).collect());
        }
        Ok(())
    }

    /// Returns the result of the subject in the rounds of all these groups, as a row that otherwise equals `of`; `None`
    /// if it is in none of them.
    pub(crate) fn row(groups: &[Self], subject: &str, of: &Row) -> Option<Row> {
        let (mut nanos, mut ratios) = (Vec::new(), Vec::new());
        for group in groups {
            let Some(at) = group.subjects.iter().position(|&name| name == subject) else {
                continue;
            };
            nanos.extend(group.nanos.iter().map(|round| round[at]));
            ratios.extend(group.nanos.iter().map(|round| round[at] / round[0]));
        }
        if nanos.is_empty() {
            return None;
        }
        let summary = Summary::of(&nanos);
        let [ns, ratio, spread] = [summary.median, median(&ratios), summary.spread()]
            .map(|number| significant(number, 5));
        Some(Row { subject: subject.to_owned(), ns, ratio, spread, ..of.clone() })
    }
}

/// A progress bar on the error stream.
pub(crate) fn progress_bar(steps: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len}, {eta} left  {msg}");
    ProgressBar::new(steps as u64).with_style(style.expect("the template is a valid one"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subject_takes_every_turn_once_a_round() {
        let firsts: Vec<_> = (0..8).filter_map(|round| order(round, 8).next()).collect();
        assert_eq!(firsts, [0, 1, 2, 3, 4, 5, 6, 7]);
        assert!(order(0, 3).eq([0, 1, 2]));
        assert!(order(1, 3).eq([1, 0, 2]));
        for round in 0..8 {
            let mut turns: Vec<_> = order(round, 8).collect();
            turns.sort_unstable();
            assert_eq!(turns, [0, 1, 2, 3, 4, 5, 6, 7]);
        }
    }

    #[test]
    fn groups_hold_every_subject_once_and_the_first_each_time() {
        let all = [0, 1, 2, 3];
        assert_eq!(groups(&all, 10, 40), [[0, 1, 2, 3]]);
        assert_eq!(groups(&all, 10, 39), [vec![0, 1, 2], vec![0, 3]]);
        assert_eq!(groups(&all, 10, 5), [[0, 1], [0, 2], [0, 3]]);
        assert_eq!(groups(&all[..1], 10, 40), [[0]]);
    }

    fn rounds(answers: [u64; 2]) -> Result<Rounds> {
        let mut rounds = Rounds::new(vec!["Vec", "b"]);
        let mut turn = |index: usize| Sample {
            nanos: [30.0, 60.0][index],
            operations: 5.0,
            answer: answers[index],
        };
        rounds.measure(&"tick of 5", 3, &mut turn)?;
        Ok(rounds)
    }

    #[test]
    fn ratios_are_to_the_first_subject_of_the_same_round() {
        let groups = [rounds([1, 1]).expect("they agree"), rounds([2, 2]).expect("they agree")];
        let reached = |name| {
            let row = Rounds::row(&groups, name, &Row::default())?;
            Some((row.ns, row.ratio, row.spread))
        };
        assert_eq!(reached("Vec"), Some((6.0, 1.0, 0.0)));
        assert_eq!(reached("b"), Some((12.0, 2.0, 0.0)));
        assert_eq!(reached("c"), None);
    }

    #[test]
    fn a_wrong_answer_ends_the_run_and_names_work_and_subject() {
        let error = rounds([1, 2]).expect_err("they disagree").to_string();
        assert!(error.starts_with("tick of 5: b answers 0x2, Vec answers 0x1"), "{error}");
    }
}
