//! The run: sizes, groups of subjects, stages, and the rounds in which subjects take turns.

use core::hint::black_box;
use std::time::Instant;

use anyhow::Result;
use indicatif::ProgressBar;

use super::bench::{Bench, ClusterPlan, Effort};
use super::lineup::{most, sizes};
use super::subject::Subject;
use super::workload::{IN_COLUMNS, Job, STAGES, Workload};
use crate::measure::turns::{Rounds, groups, progress_bar};
use crate::report::rows::Row;

/// The subjects, workloads and sizes to measure.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Subjects' names, the yardstick first.
    pub(crate) subjects: Vec<&'static str>,
    /// True if the subjects were asked for by name: then they take part wherever they can.
    pub(crate) by_name: bool,
    /// Workloads, in the order of the tables.
    pub(crate) workloads: Vec<&'static Workload>,
    /// The sizes of element, in bytes.
    pub(crate) elements: Vec<usize>,
    /// Counts of elements.
    pub(crate) counts: Vec<usize>,
}

impl Plan {
    /// The sizes at which anything is measured, the smallest count first.
    fn cells(&self) -> Vec<Cell<'_>> {
        let sizes = self.counts.iter().flat_map(|&count| {
            self.elements.iter().map(move |&element_bytes| (element_bytes, count))
        });
        sizes
            .map(|(element_bytes, count)| Cell::new(self, element_bytes, count))
            .filter(|cell| !cell.subjects().is_empty())
            .collect()
    }
}

/// The time for all rounds of one workload at one size, if repeats are a choice.
const NANOS_OF_ALL_ROUNDS: f64 = 5e8;

/// Memory that the containers of one group may take together, with their lists of keys.
const MEMORY: usize = 10 << 30;

/// Makes the subject of a name, for elements of a size.
type Make = fn(&str, usize) -> Box<dyn Subject>;

/// Measures everything in the plan, showing progress on the error stream.
pub(crate) fn measure(plan: &Plan, make: Make) -> Result<Vec<Row>> {
    settle_allocator();
    let cells = plan.cells();
    let progress = progress_bar(cells.iter().map(Cell::steps).sum());
    let mut rows = Vec::new();
    for cell in cells {
        let clusters: Vec<_> =
            (0..cell.in_turn()).map(|seed| ClusterPlan::new(cell.count, seed)).collect();
        let mut rounds: Vec<Vec<Rounds>> = plan.workloads.iter().map(|_| vec![]).collect();
        for group in cell.groups() {
            cell.measure_group(&group, make, &clusters, &mut rounds, &progress)?;
        }
        for (workload, rounds) in plan.workloads.iter().zip(rounds) {
            rows.extend(cell.rows(workload, &rounds));
        }
    }
    progress.finish_and_clear();
    Ok(rows)
}

/// Brings the allocator into the state that it has in a program that has run for a while.
///
/// glibc maps a large block afresh each time, and so pays for its pages each time, until it has seen a
/// block of that size come back (at most 32 MiB). The first subjects to allocate would pay for all.
/// Nothing happens here with other allocators.
fn settle_allocator() {
    drop(black_box(Vec::<u8>::with_capacity((32 << 20) - (64 << 10))));
}

/// One size of element and count.
struct Cell<'a> {
    plan: &'a Plan,
    element_bytes: usize,
    count: usize,
    /// The number of turns of every subject.
    rounds: usize,
    /// The effort of a turn, where nothing is repeated.
    once: Effort,
}

impl<'a> Cell<'a> {
    fn new(plan: &'a Plan, element_bytes: usize, count: usize) -> Self {
        // Containers that fit no cache are not warmed up.
        let (rounds, warm_up) = match count {
            0..10_000 => (21, true),
            10_000..1_000_000 => (11, true),
            _ => (3, false),
        };
        let once = Effort { enough: 200_000.0, repeats: 1, warm_up };
        Self { plan, element_bytes, count, rounds, once }
    }

    /// Returns the number of containers with holes that are walked in turn, since a processor learns by heart where the
    /// holes of a small one lie that is walked again and again: as many as fit into a core's own cache.
    fn in_turn(&self) -> u64 {
        match self.count {
            0..10_000 => ((1 << 20) / (self.count * (self.element_bytes + 8))).clamp(8, 32) as u64,
            _ => 1,
        }
    }

    /// Returns whether this subject takes turns at this workload here.
    fn takes_part(&self, subject: &str, workload: &Workload) -> bool {
        let Self { element_bytes, count, .. } = *self;
        let can = sizes(subject).contains(&element_bytes) && count <= most(subject);
        can && workload.has_size(element_bytes, count)
            && (self.plan.by_name || workload.invites(subject, element_bytes, count))
    }

    /// Returns whether this group measures this workload: a yardstick alone does not, unless there is no one else.
    fn is_for(&self, workload: &Workload, group: &[&str]) -> bool {
        let rest = if group.len() > 1 { &group[1..] } else { group };
        rest.iter().any(|subject| self.takes_part(subject, workload))
    }

    /// The subjects that have something to do here, the yardstick first.
    fn subjects(&self) -> Vec<&'static str> {
        let busy = |subject: &&str| {
            self.plan.workloads.iter().any(|workload| self.takes_part(subject, workload))
        };
        self.plan.subjects.iter().copied().filter(busy).collect()
    }

    fn groups(&self) -> Vec<Vec<&'static str>> {
        // Columns begin on lines of the cache, and would leave holes that do to whatever fits into them:
        // there a `Vec` of 64 bytes a value is written in 0.8 of the time.
        let subjects = self.subjects();
        let (first, others) = subjects.split_at(1);
        let (columns, rows): (Vec<_>, Vec<_>) =
            others.iter().partition(|subject| IN_COLUMNS.subjects.contains(subject));
        let kinds = [rows, columns].into_iter().filter(|kind| !kind.is_empty());
        // A slot's overhead and a key, as large as a rival has them.
        let each = self.count * (self.element_bytes + 40);
        let apart = kinds.flat_map(|kind| groups(&[first, &kind].concat(), each, MEMORY));
        if others.is_empty() { vec![subjects] } else { apart.collect() }
    }

    /// Returns the number of workloads that all groups measure.
    fn steps(&self) -> usize {
        let steps = |group: &Vec<&str>| {
            self.plan.workloads.iter().filter(|workload| self.is_for(workload, group)).count()
        };
        self.groups().iter().map(steps).sum()
    }

    /// Leads a group of subjects through all stages and measures the workloads in each.
    fn measure_group(
        &self,
        group: &[&'static str],
        make: Make,
        clusters: &[ClusterPlan],
        rounds: &mut [Vec<Rounds>],
        progress: &ProgressBar,
    ) -> Result<()> {
        let Self { element_bytes, count, .. } = *self;
        let bench = |name| Bench::new(make(name, element_bytes), element_bytes, count, clusters);
        let mut benches: Vec<Bench<'_>> = group.iter().map(|name| bench(name)).collect();
        for stage in STAGES {
            let is_here =
                |workload: &Workload| workload.stage == stage && self.is_for(workload, group);
            let here =
                || self.plan.workloads.iter().enumerate().filter(|(_, known)| is_here(known));
            for bench in &mut benches {
                if here().any(|(_, workload)| self.takes_part(bench.name(), workload)) {
                    bench.enter(stage);
                }
            }
            for (at, workload) in here() {
                progress.set_message(self.title(workload));
                let mut turns: Vec<&mut Bench<'_>> = benches
                    .iter_mut()
                    .filter(|bench| self.takes_part(bench.name(), workload))
                    .collect();
                rounds[at].push(self.take_turns(&mut turns, workload)?);
                progress.inc(1);
            }
        }
        Ok(())
    }

    /// Lets the subjects take turns at one workload.
    fn take_turns(&self, benches: &mut [&mut Bench<'_>], workload: &Workload) -> Result<Rounds> {
        let (title, job) = (self.title(workload), workload.job);
        let rounds = match job {
            Job::Bytes | Job::Allocations(_) => 1,
            _ => self.rounds,
        };
        let mut measured = Rounds::new(benches.iter().map(|bench| bench.name()).collect());
        let mut effort = self.once;
        if effort.warm_up {
            let start = Instant::now();
            let tries = measured.round(&title, 0, &mut |at| benches[at].sample(job, &effort))?;
            // Each did the work twice, first to warm up.
            let one_repeat = start.elapsed().as_nanos() as f64 / 2.0;
            // Until the yardstick's sample is long enough, but within the time that all rounds may
            // take, the making of containers included.
            let affordable = NANOS_OF_ALL_ROUNDS / (rounds as f64 * one_repeat) - 1.0;
            let enough = (effort.enough / tries[0].nanos).ceil();
            effort.repeats = affordable.min(enough).clamp(1.0, 10_000.0) as u32;
        }
        measured.measure(&title, rounds, &mut |at| benches[at].sample(job, &effort))?;
        Ok(measured)
    }

    /// Returns the results of all groups' rounds of one workload.
    fn rows(&self, workload: &Workload, groups: &[Rounds]) -> Vec<Row> {
        let (workload, element_bytes) = (workload.name.to_owned(), Some(self.element_bytes));
        let of = Row { workload, element_bytes, count: self.count, ..Row::default() };
        let subjects = self.plan.subjects.iter();
        subjects.filter_map(|subject| Rounds::row(groups, subject, &of)).collect()
    }

    fn title(&self, workload: &Workload) -> String {
        let Self { element_bytes, count, .. } = self;
        format!("{} of {count} elements of {element_bytes} bytes", workload.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::subject::Held;
    use crate::compare::workload::{WORKLOADS, YARDSTICK};
    use crate::stores::{Arena, ArenaReserved, InlineArena, Packed};

    fn plan() -> Plan {
        Plan {
            subjects: vec![YARDSTICK, "gen_map"],
            by_name: true,
            workloads: vec![&WORKLOADS[0]],
            elements: vec![16],
            counts: vec![1000],
        }
    }

    #[test]
    fn subjects_not_asked_for_take_part_where_the_workload_says() {
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
    fn columns_take_turns_apart_from_rows() {
        let groups = |subjects: &[&'static str]| {
            let plan = Plan { subjects: subjects.to_vec(), ..plan() };
            plan.cells()[0].groups()
        };
        assert_eq!(groups(&[YARDSTICK]), [[YARDSTICK]]);
        assert_eq!(groups(&[YARDSTICK, "Arena", "slab"]), [[YARDSTICK, "Arena", "slab"]]);
        assert_eq!(
            groups(&[YARDSTICK, "Arena", "SoaArena"]),
            [[YARDSTICK, "Arena"], [YARDSTICK, "SoaArena"]]
        );
    }

    #[test]
    fn a_subject_that_cannot_hold_so_many_does_not_take_part_even_when_asked_for() {
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
        // (Only these are compiled here.)
        let make = |name: &str, _| -> Box<dyn Subject> {
            match name {
                "Arena" => Box::new(Held::<u32, Arena<u32>>::new()),
                "Arena reserved" => Box::new(Held::<u32, ArenaReserved<u32>>::new()),
                "InlineArena" => Box::new(Held::<u32, InlineArena<u32>>::new()),
                _ => Box::new(Held::<u32, Packed<u32>>::new()),
            }
        };
        let rows = measure(&plan, make).expect("they agree");
        let of = |subject| {
            let rows = rows.iter().filter(move |row| row.subject == subject);
            rows.map(|row| row.workload.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(of("Arena reserved"), ["walk_90", "walk_50", "walk_clustered_50"]);
        assert_eq!(of("InlineArena"), ["churn", "walk_50"]);
    }
}
