//! Rounds in which subjects take turns at one workload, doing it equally often.

use anyhow::{Result, ensure};

use super::Row;
use super::work::changing;
use crate::compare::clock::Sample;
use crate::stats::{Summary, median};

/// One subject at one workload. A turn is a virtual call; nothing in it is.
pub(crate) struct Turn<'a> {
    pub(crate) subject: &'static str,
    /// Does the work so many times over.
    work: Box<dyn FnMut(u32) -> Sample + 'a>,
}

impl<'a> Turn<'a> {
    pub(crate) fn new(subject: &'static str, work: impl FnMut(u32) -> Sample + 'a) -> Self {
        Self { subject, work: Box::new(work) }
    }

    /// Passes over a store that change all of it; the answer is what it says afterwards.
    pub(crate) fn changing<S: 'a>(
        subject: &'static str,
        operations: usize,
        mut store: S,
        pass: impl Fn(&mut S) + 'a,
        answer: impl Fn(&S) -> u64 + 'a,
    ) -> Self {
        Self::new(subject, move |repeats| changing(&mut store, operations, repeats, &pass, &answer))
    }
}

/// What is measured: the key of its rows.
#[derive(Clone, Debug)]
pub(crate) struct Title {
    pub(crate) study: &'static str,
    pub(crate) workload: String,
    /// What the workload does, for a reader of the tables.
    pub(crate) about: &'static str,
    pub(crate) count: usize,
}

/// How thoroughly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Method {
    pub(crate) rounds: usize,
    /// The first subject's turn lasts at least this many nanoseconds.
    pub(crate) enough: f64,
}

impl Method {
    /// For stores of so many particles. Rounds are many where they are short.
    pub(crate) fn for_count(count: usize) -> Self {
        let rounds = match count {
            0..10_000 => 21,
            10_000..1_000_000 => 11,
            _ => 5,
        };
        Self { rounds, enough: 200_000.0 }
    }
}

/// Lets the subjects take turns; the first is what the others are compared with. A different answer
/// is an error.
pub(crate) fn take_turns(
    title: &Title,
    turns: &mut [Turn<'_>],
    method: Method,
) -> Result<Vec<Row>> {
    // Once to warm up, and to see how long it takes.
    let first = round(title, turns, 0, 1)?;
    let repeats = (method.enough / first[0].nanos).ceil().clamp(1.0, 10_000.0) as u32;
    let mut rounds = Vec::with_capacity(method.rounds);
    for at in 0..method.rounds {
        rounds.push(round(title, turns, at, repeats)?);
    }
    let row = |index: usize, turn: &Turn<'_>| {
        let ns: Vec<f64> = rounds.iter().map(|round| round[index].per_operation()).collect();
        let ratios: Vec<f64> = rounds
            .iter()
            .map(|round| round[index].per_operation() / round[0].per_operation())
            .collect();
        let summary = Summary::of(&ns);
        Row {
            study: title.study.to_owned(),
            workload: title.workload.clone(),
            about: title.about,
            count: title.count,
            subject: turn.subject.to_owned(),
            ns: significant(summary.median),
            ratio: significant(median(&ratios)),
            spread: significant(summary.spread()),
        }
    };
    Ok(turns.iter().enumerate().map(|(index, turn)| row(index, turn)).collect())
}

/// One turn for everybody; each round begins with another one, and every second goes backwards.
fn round(title: &Title, turns: &mut [Turn<'_>], round: usize, repeats: u32) -> Result<Vec<Sample>> {
    let many = turns.len();
    let mut samples = vec![Sample::default(); many];
    for turn in 0..many {
        let forth = (turn + round) % many;
        let index = if round.is_multiple_of(2) { forth } else { many - 1 - forth };
        samples[index] = (turns[index].work)(repeats);
    }
    for (turn, sample) in turns.iter().zip(&samples) {
        ensure!(
            sample.answer == samples[0].answer,
            "{}, {} of {}: {} answers {:#x}, {} answers {:#x}",
            title.study,
            title.workload,
            title.count,
            turn.subject,
            sample.answer,
            turns[0].subject,
            samples[0].answer,
        );
    }
    Ok(samples)
}

/// The number with four significant digits: more would only claim what nobody measured.
fn significant(number: f64) -> f64 {
    format!("{number:.3e}").parse().expect("a number that was just written can be read")
}

#[cfg(test)]
mod tests {
    use super::*;

    const METHOD: Method = Method { rounds: 3, enough: 100.0 };

    fn title() -> Title {
        Title { study: "tick", workload: "tick".to_owned(), about: "", count: 5 }
    }

    fn turn(subject: &'static str, nanos: f64, answer: u64) -> Turn<'static> {
        Turn::new(subject, move |repeats| Sample {
            nanos: nanos * f64::from(repeats),
            operations: 5.0 * f64::from(repeats),
            answer: answer * u64::from(repeats),
        })
    }

    #[test]
    fn everybody_works_as_often_and_is_compared_with_the_first() {
        let rows = take_turns(&title(), &mut [turn("Vec", 30.0, 1), turn("b", 60.0, 1)], METHOD);
        let rows = rows.expect("they agree");
        assert_eq!((rows[0].ns, rows[0].ratio), (6.0, 1.0));
        assert_eq!((rows[1].ns, rows[1].ratio, rows[1].spread), (12.0, 2.0, 0.0));
        assert_eq!((rows[1].subject.as_str(), rows[1].count), ("b", 5));
    }

    #[test]
    fn a_wrong_answer_ends_the_run_and_says_whose_it_is() {
        let error = take_turns(&title(), &mut [turn("Vec", 3.0, 1), turn("b", 3.0, 2)], METHOD);
        let error = error.expect_err("they disagree").to_string();
        assert!(error.starts_with("tick, tick of 5: b answers 0x2"), "{error}");
    }
}
