//! The run: sizes, groups of subjects, stages, and the rounds in which subjects take turns.

use core::hint::black_box;
use std::time::Instant;

use anyhow::{Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use super::clock::{Effort, Sample};
use super::clusters::ClusterPlan;
use super::contestant::Contestant;
use super::lineup::{YARDSTICK, contestants, most};
use super::workload::{Job, STAGES, Stage, Workload};
use crate::stats::{Summary, median};

/// One measured value, as the JSON file has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The workload's name.
    pub(crate) workload: String,
    /// The size of an element.
    pub(crate) element_bytes: usize,
    /// How many elements the container is full with.
    pub(crate) count: usize,
    /// The subject's name.
    pub(crate) subject: String,
    /// Nanoseconds per operation, the median of the rounds; for `bytes`, bytes per element.
    pub(crate) ns: f64,
    /// The median of the rounds' ratios to what `Vec` took in the same round.
    pub(crate) ratio_to_vec: f64,
    /// The distance between the quartiles of the rounds, as a share of the median.
    pub(crate) spread: f64,
}

/// What is measured.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Subjects' names, the yardstick first.
    pub(crate) subjects: Vec<&'static str>,
    /// Whether the subjects were asked for by name: then they take part in everything.
    pub(crate) by_name: bool,
    /// Workloads, in the order of the tables.
    pub(crate) workloads: Vec<&'static Workload>,
    /// The sizes of element, in bytes.
    pub(crate) elements: Vec<usize>,
    /// Numbers of elements.
    pub(crate) counts: Vec<usize>,
}

impl Plan {
    /// The sizes at which anything is measured, the smallest count first.
    fn cells(&self) -> Vec<Cell<'_>> {
        let sizes = self.counts.iter().flat_map(|&count| {
            self.elements.iter().map(move |&element_bytes| (element_bytes, count))
        });
        sizes
            .map(|(element_bytes, count)| Cell {
                plan: self,
                element_bytes,
                count,
                method: Method::for_count(count),
            })
            .filter(|cell| !cell.subjects().is_empty())
            .collect()
    }
}

/// How thoroughly containers of one size are measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Method {
    /// How often every subject has its turn.
    pub(crate) rounds: usize,
    /// A sample lasts at least this many nanoseconds, where the work is not longer anyway.
    pub(crate) enough: f64,
    /// Whether work is done once untimed first in each turn. Containers that fit no cache anyway
    /// go without.
    pub(crate) warm_up: bool,
}

impl Method {
    /// The method for containers of this many elements.
    pub(crate) fn for_count(count: usize) -> Self {
        let (rounds, warm_up) = match count {
            0..10_000 => (21, true),
            10_000..1_000_000 => (11, true),
            _ => (3, false),
        };
        Self { rounds, enough: 200_000.0, warm_up }
    }
}

/// What all rounds of one workload at one size may take, where repeats are a choice.
const NANOS_OF_ALL_ROUNDS: f64 = 5e8;

/// Memory that the containers of one group may take together, with their lists of keys.
const MEMORY: usize = 10 << 30;

/// Measures everything that the plan names, showing progress on the error stream.
pub(crate) fn measure(plan: &Plan) -> Result<Vec<Row>> {
    settle_allocator();
    let progress = progress_bar(plan);
    let mut rows = Vec::new();
    for cell in plan.cells() {
        let clusters = ClusterPlan::new(cell.count);
        let mut rounds: Vec<Vec<Rounds>> = plan.workloads.iter().map(|_| vec![]).collect();
        for group in cell.groups() {
            let mut subjects = contestants(&group, cell.element_bytes, cell.count, &clusters);
            cell.measure_group(&mut subjects, &mut rounds, &progress)?;
        }
        for (workload, rounds) in plan.workloads.iter().zip(rounds) {
            rows.extend(cell.rows(workload, &rounds));
        }
    }
    progress.finish_and_clear();
    Ok(rows)
}

/// Lets the allocator do what it does in a program that has run for a while.
///
/// glibc maps a large block afresh each time, and so pays for its pages each time, until it has
/// seen a block of that size come back (at most 32 MiB). The first subjects to allocate would pay
/// for all. Nothing happens here with other allocators.
fn settle_allocator() {
    drop(black_box(Vec::<u8>::with_capacity((32 << 20) - (64 << 10))));
}

/// A bar with a step for every workload of every group.
fn progress_bar(plan: &Plan) -> ProgressBar {
    let steps: usize = plan
        .cells()
        .iter()
        .map(|cell| {
            let groups = cell.groups();
            let measured = |group| plan.workloads.iter().filter(move |w| cell.is_for(w, group));
            groups.iter().map(|group| measured(group).count()).sum::<usize>()
        })
        .sum();
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {msg}");
    ProgressBar::new(steps as u64).with_style(style.expect("the template is a valid one"))
}

/// The subjects in groups whose containers fit into memory together, the yardstick in each.
fn groups(subjects: &[&'static str], element_bytes: usize, count: usize) -> Vec<Vec<&'static str>> {
    // A slot's overhead and a key, as large as a rival has them.
    let each = count * (element_bytes + 40);
    let others = (MEMORY / each).clamp(2, subjects.len().max(2)) - 1;
    match &subjects[1..] {
        [] => vec![vec![YARDSTICK]],
        rest => rest.chunks(others).map(|chunk| [&[YARDSTICK], chunk].concat()).collect(),
    }
}

/// What the rounds of one group gave for one workload.
#[derive(Debug, Default)]
struct Rounds {
    subjects: Vec<&'static str>,
    /// Per round, per subject: nanoseconds per operation.
    nanos: Vec<Vec<f64>>,
}

/// One size of element and count.
struct Cell<'a> {
    plan: &'a Plan,
    element_bytes: usize,
    count: usize,
    method: Method,
}

impl Cell<'_> {
    /// Whether this subject takes turns at this workload here.
    fn takes_part(&self, subject: &str, workload: &Workload) -> bool {
        let Self { element_bytes, count, .. } = *self;
        workload.has_size(element_bytes, count)
            && count <= most(subject)
            && (self.plan.by_name || workload.invites(subject, element_bytes, count))
    }

    /// Whether this group measures this workload: a yardstick alone does not, unless it is alone.
    fn is_for(&self, workload: &Workload, group: &[&'static str]) -> bool {
        let rest = if group.len() > 1 { &group[1..] } else { group };
        rest.iter().any(|subject| self.takes_part(subject, workload))
    }

    /// Those who have something to do here, the yardstick first.
    fn subjects(&self) -> Vec<&'static str> {
        let busy = |subject: &&str| {
            self.plan.workloads.iter().any(|workload| self.takes_part(subject, workload))
        };
        self.plan.subjects.iter().copied().filter(busy).collect()
    }

    fn groups(&self) -> Vec<Vec<&'static str>> {
        groups(&self.subjects(), self.element_bytes, self.count)
    }

    /// Leads a group of subjects through all stages and measures the workloads in each.
    fn measure_group(
        &self,
        subjects: &mut [Box<dyn Contestant + '_>],
        rounds: &mut [Vec<Rounds>],
        progress: &ProgressBar,
    ) -> Result<()> {
        let group: Vec<_> = subjects.iter().map(|subject| subject.name()).collect();
        for stage in STAGES {
            let here: Vec<usize> = (0..self.plan.workloads.len())
                .filter(|&at| {
                    let workload = self.plan.workloads[at];
                    workload.stage == stage && self.is_for(workload, &group)
                })
                .collect();
            let takes_part =
                |subject: &str, at: usize| self.takes_part(subject, self.plan.workloads[at]);
            for subject in &mut *subjects {
                if here.iter().any(|&at| takes_part(subject.name(), at)) {
                    subject.enter(stage);
                }
            }
            for &at in &here {
                let workload = self.plan.workloads[at];
                progress.set_message(self.name(workload));
                let mut turns: Vec<&mut dyn Contestant> = Vec::new();
                for subject in &mut *subjects {
                    if takes_part(subject.name(), at) {
                        turns.push(&mut **subject);
                    }
                }
                rounds[at].push(self.measure_workload(&mut turns, workload)?);
                progress.inc(1);
            }
        }
        // Whoever measures next has the memory to himself.
        for subject in subjects {
            subject.enter(Stage::Nothing);
        }
        Ok(())
    }

    /// Lets the subjects take turns at one workload.
    fn measure_workload(
        &self,
        subjects: &mut [&mut dyn Contestant],
        workload: &Workload,
    ) -> Result<Rounds> {
        let rounds = match workload.job {
            Job::Bytes | Job::Allocations(_) => 1,
            _ => self.method.rounds,
        };
        let mut effort =
            Effort { enough: self.method.enough, repeats: 1, warm_up: self.method.warm_up };
        if effort.warm_up {
            effort.repeats = self.repeats(subjects, workload, &effort, rounds)?;
        }
        let mut nanos = Vec::with_capacity(rounds);
        for round in 0..rounds {
            let samples = self.round(round, subjects, workload, &effort)?;
            nanos.push(samples.iter().map(Sample::per_operation).collect());
        }
        Ok(Rounds { subjects: subjects.iter().map(|subject| subject.name()).collect(), nanos })
    }

    /// How often a turn does work that changes the container: until the yardstick's sample is long
    /// enough, but within the time that all rounds may take, making containers ready included.
    fn repeats(
        &self,
        subjects: &mut [&mut dyn Contestant],
        workload: &Workload,
        once: &Effort,
        rounds: usize,
    ) -> Result<u32> {
        let start = Instant::now();
        let tries = self.round(0, subjects, workload, once)?;
        // Each did the work twice, first to warm up.
        let one_repeat = start.elapsed().as_nanos() as f64 / 2.0;
        let affordable = NANOS_OF_ALL_ROUNDS / (rounds as f64 * one_repeat) - 1.0;
        let enough = (once.enough / tries[0].nanos).ceil();
        Ok(affordable.min(enough).clamp(1.0, 10_000.0) as u32)
    }

    /// One turn for every subject; each round begins with another one, and every second round goes
    /// the other way round, so that nobody always comes after the same neighbour.
    fn round(
        &self,
        round: usize,
        subjects: &mut [&mut dyn Contestant],
        workload: &Workload,
        effort: &Effort,
    ) -> Result<Vec<Sample>> {
        let many = subjects.len();
        let mut samples = vec![Sample::default(); many];
        for turn in 0..many {
            let forth = (turn + round) % many;
            let index = if round.is_multiple_of(2) { forth } else { many - 1 - forth };
            samples[index] = subjects[index].sample(workload.job, effort);
        }
        for (subject, sample) in subjects.iter().zip(&samples) {
            ensure!(
                sample.answer == samples[0].answer,
                "{}: {} answers {:#x}, {} answers {:#x}",
                self.name(workload),
                subject.name(),
                sample.answer,
                subjects[0].name(),
                samples[0].answer,
            );
        }
        Ok(samples)
    }

    /// What all groups' rounds of one workload come to.
    fn rows(&self, workload: &Workload, groups: &[Rounds]) -> Vec<Row> {
        self.plan
            .subjects
            .iter()
            .filter_map(|&subject| {
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
                Some(Row {
                    workload: workload.name.to_owned(),
                    element_bytes: self.element_bytes,
                    count: self.count,
                    subject: subject.to_owned(),
                    ns: significant(summary.median),
                    ratio_to_vec: significant(median(&ratios)),
                    spread: significant(summary.spread()),
                })
            })
            .collect()
    }

    fn name(&self, workload: &Workload) -> String {
        let Self { element_bytes, count, .. } = self;
        format!("{} of {count} elements of {element_bytes} bytes", workload.name)
    }
}

/// The number with five significant digits: more would only claim what nobody measured.
fn significant(number: f64) -> f64 {
    format!("{number:.4e}").parse().expect("a number that was just written can be read")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::workload::WORKLOADS;

    /// Answers the same to everything.
    #[derive(Debug)]
    struct Parrot(&'static str, u64);

    impl Contestant for Parrot {
        fn name(&self) -> &'static str {
            self.0
        }

        fn enter(&mut self, _: Stage) {}

        fn sample(&mut self, _: Job, effort: &Effort) -> Sample {
            Sample {
                nanos: 3.0 * self.1 as f64,
                operations: f64::from(effort.repeats),
                answer: self.1 / 10,
            }
        }
    }

    fn rounds_of(plan: &Plan, answers: [u64; 2]) -> Result<Rounds> {
        let [yardstick, other] = answers;
        let (mut yardstick, mut other) = (Parrot(YARDSTICK, yardstick), Parrot("Polly", other));
        cell(plan).measure_workload(&mut [&mut yardstick, &mut other], plan.workloads[0])
    }

    fn plan() -> Plan {
        Plan {
            subjects: vec![YARDSTICK, "Polly"],
            by_name: true,
            workloads: vec![&WORKLOADS[0]],
            elements: vec![16],
            counts: vec![1000],
        }
    }

    fn cell(plan: &Plan) -> Cell<'_> {
        let method = Method { rounds: 3, enough: 100.0, warm_up: true };
        Cell { plan, element_bytes: 16, count: 1000, method }
    }

    #[test]
    fn a_wrong_answer_ends_the_run_and_names_subject_and_workload() {
        let error = rounds_of(&plan(), [10, 20]).expect_err("they disagree").to_string();
        assert!(error.starts_with("insert of 1000 elements of 16 bytes: Polly"), "{error}");
    }

    #[test]
    fn a_row_is_the_median_and_the_ratio_to_the_yardstick() {
        let plan = plan();
        let rounds = rounds_of(&plan, [10, 15]).expect("they agree");
        assert_eq!(rounds.nanos.len(), 3);
        let rows = cell(&plan).rows(&WORKLOADS[0], &[rounds]);
        // 100 nanoseconds are enough: four repeats of 30.
        assert_eq!((rows[0].ns, rows[0].ratio_to_vec), (7.5, 1.0));
        assert_eq!((rows[1].ns, rows[1].ratio_to_vec), (11.25, 1.5));
        assert_eq!(rows[1].spread, 0.0);
    }

    #[test]
    fn groups_hold_everybody_once_and_the_yardstick_each_time() {
        let all = crate::compare::lineup::SUBJECTS;
        assert_eq!(groups(all, 128, 1000).len(), 1);
        let large = groups(all, 128, 10_000_000);
        assert!(large.len() > 1);
        assert!(large.iter().all(|group| group[0] == YARDSTICK));
        let others = large.iter().flat_map(|group| &group[1..]);
        assert_eq!(others.copied().collect::<Vec<_>>(), all[1..]);
        assert_eq!(groups(&all[..1], 4, 10), [vec![YARDSTICK]]);
    }

    #[test]
    fn who_is_not_asked_for_takes_part_where_the_workload_says() {
        let named = |name| WORKLOADS.iter().find(|workload| workload.name == name);
        let workloads = ["walk_50", "fill"].into_iter().filter_map(named).collect();
        let mut plan = Plan {
            subjects: vec![YARDSTICK, "Arena", "Arena reserved", "gen_map"],
            by_name: false,
            workloads,
            elements: vec![16, 64],
            counts: vec![1000, 10_000_000],
        };
        let subjects = |plan: &Plan| {
            let cells = plan.cells();
            cells.iter().map(|cell| (cell.element_bytes, cell.subjects().len())).collect::<Vec<_>>()
        };
        // `fill` is of 64 bytes and has no gen_map; `walk_50` has no reserved one at 10,000,000.
        assert_eq!(subjects(&plan), [(16, 4), (64, 4), (16, 3), (64, 4)]);
        let cells = plan.cells();
        assert!(cells[1].is_for(plan.workloads[1], &[YARDSTICK, "Arena reserved"]));
        assert!(!cells[1].is_for(plan.workloads[1], &[YARDSTICK, "gen_map"]));
        plan.by_name = true;
        assert_eq!(subjects(&plan), [(16, 4), (64, 4), (16, 4), (64, 4)]);
        plan.workloads.remove(0);
        assert_eq!(subjects(&plan), [(64, 4), (64, 4)]);
    }

    #[test]
    fn who_cannot_hold_so_many_does_not_take_part_even_when_asked_for() {
        let plan = Plan {
            subjects: vec![YARDSTICK, "InlineArena"],
            by_name: true,
            counts: vec![1000, 100_000],
            ..plan()
        };
        let subjects: Vec<_> = plan.cells().iter().map(Cell::subjects).collect();
        assert_eq!(subjects, [vec![YARDSTICK, "InlineArena"], vec![YARDSTICK]]);
    }

    #[test]
    fn a_subject_that_leaves_workloads_out_still_agrees_at_the_others() {
        let names =
            ["churn", "refill", "update", "walk_90", "walk_50", "stale", "walk_clustered_50"];
        let plan = Plan {
            subjects: vec![YARDSTICK, "Arena", "Arena reserved", "InlineArena"],
            by_name: false,
            workloads: WORKLOADS.iter().filter(|known| names.contains(&known.name)).collect(),
            elements: vec![4],
            counts: vec![1000],
        };
        let rows = measure(&plan).expect("they agree");
        let of = |subject| {
            let rows = rows.iter().filter(move |row| row.subject == subject);
            rows.map(|row| row.workload.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(of("Arena reserved"), ["walk_90", "walk_50", "walk_clustered_50"]);
        assert_eq!(of("InlineArena"), ["churn", "walk_50"]);
    }

    #[test]
    fn five_digits_are_kept() {
        assert_eq!(significant(1.234_567_8), 1.2346);
        assert_eq!(significant(0.000_123_456), 0.000_123_46);
        assert_eq!(significant(71_234_567.0), 71_235_000.0);
    }
}
