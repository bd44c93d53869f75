//! `tail`: how long single insertions take, especially the longest.
//!
//! A mean hides the insertion for which a container asks the system for memory, moves, or copies all
//! values. Here each of tens of millions is timed, from an empty store on. Every store has a process of
//! its own, so that none uses pages left by another. The processes take turns for several rounds, and the
//! best round of each number is shown, because other work of the machine only adds time. The time in
//! which another thread had the processor is subtracted where Linux reports it.

mod report;
mod stopwatch;

use core::hint::black_box;
use std::process::{Command, Stdio};
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use self::stopwatch::Stopwatch;
use crate::cli::{self, BadInput, TAIL_ONE, TailOneOptions, TailOptions};
use crate::measure::allocator::{self, MIMALLOC};
use crate::measure::stats::significant;
use crate::measure::turns::{order, progress_bar};
use crate::report::page::write_page;
use crate::report::rows::{self, write_rows};
use crate::report::say;
use crate::stores::{
    Arena, ArenaAhead, ArenaFixed, ArenaHuge, ArenaReserved, Bytes8, Element, Packed, PagedArena,
    Slab, SlotMap, Store, Thunderdome,
};

/// The default number of insertions, and that with `--quick`.
const INSERTS: usize = 50_000_000;
const QUICK_INSERTS: usize = 5_000_000;

/// The results of one store, as the JSON file has them: the best round of every number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) store: String,
    /// The number of values of 8 bytes inserted.
    pub(crate) inserts: usize,
    /// The number of processes.
    pub(crate) rounds: usize,
    /// The mean nanoseconds of an insertion.
    pub(crate) mean_ns: f64,
    /// The longest of them.
    pub(crate) worst_ns: f64,
    /// The most memory that the process had, if the system says so.
    pub(crate) peak_bytes: Option<u64>,
    /// The time for which its processes waited for a processor; not counted in the other numbers.
    pub(crate) waited_ms: f64,
    /// The time that one in so many exceeds, from one in two to one in all.
    pub(crate) curve_ns: Vec<(f64, f64)>,
}

impl Row {
    /// The best of all rounds.
    fn best_of(rounds: &[Self]) -> Self {
        let least = |number: &dyn Fn(&Self) -> f64| {
            significant(rounds.iter().map(number).fold(f64::INFINITY, f64::min), 4)
        };
        let rarities = rounds[0].curve_ns.iter().enumerate();
        Self {
            rounds: rounds.len(),
            mean_ns: least(&|round| round.mean_ns),
            worst_ns: least(&|round| round.worst_ns),
            peak_bytes: rounds.iter().filter_map(|round| round.peak_bytes).min(),
            waited_ms: significant(rounds.iter().map(|round| round.waited_ms).sum(), 4),
            curve_ns: rarities
                .map(|(at, point)| (point.0, least(&|round| round.curve_ns[at].1)))
                .collect(),
            ..rounds[0].clone()
        }
    }

    /// The time that one insertion in so many exceeds: with fewer insertions there is none such, only the worst.
    fn one_in(&self, rarity: f64) -> f64 {
        let point = self.curve_ns.iter().find(|point| point.0 == rarity);
        point.map_or(self.worst_ns, |point| point.1)
    }

    /// Returns whether it is the store that does nothing.
    pub(crate) fn is_nothing(&self) -> bool {
        self.store == NOTHING
    }
}

/// Measures, prints the table, writes the page with the chart and, if asked to, the rows.
pub(crate) fn run(options: &TailOptions) -> Result<()> {
    let entrants = chosen(&options.stores)?;
    let inserts = options.inserts.unwrap_or(if options.quick { QUICK_INSERTS } else { INSERTS });
    let (here, absent): (Vec<_>, Vec<_>) = entrants
        .into_iter()
        .partition(|entrant| !entrant.in_mimalloc || cfg!(feature = "mimalloc"));
    let rows = measure(&here, inserts, options.rounds as usize)?;
    say(report::table(&rows))?;
    for entrant in absent {
        say(format_args!(
            "{} was left out: it needs a C compiler and\n  \
             cargo run --release --features mimalloc -- tail\n",
            entrant.name
        ))?;
    }
    let page = write_page(&options.report, "tail.html", &report::page_of(&rows))?;
    say(format_args!("The chart: {}\n", page.display()))?;
    write_rows(options.json.as_deref(), &rows)
}

/// The stores that were asked for, or all; always including the one that does nothing.
fn chosen(asked: &[String]) -> Result<Vec<&'static Entrant>, BadInput> {
    let known: Vec<&str> = ENTRANTS.iter().map(|entrant| entrant.name).collect();
    let chosen = cli::chosen("store", asked, &known)?;
    let wanted = |entrant: &&Entrant| entrant.name == NOTHING || chosen.contains(&entrant.name);
    Ok(ENTRANTS.iter().filter(wanted).collect())
}

/// Lets the stores take turns, a process per turn, and summarizes the rounds.
fn measure(entrants: &[&Entrant], inserts: usize, rounds: usize) -> Result<Vec<Row>> {
    let progress = progress_bar(entrants.len() * rounds);
    let mut measured = vec![Vec::with_capacity(rounds); entrants.len()];
    for round in 0..rounds {
        for turn in order(round, entrants.len()) {
            progress.set_message(entrants[turn].name);
            measured[turn].push(in_process_of_its_own(entrants[turn], inserts)?);
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    Ok(measured.iter().map(|rounds| Row::best_of(rounds)).collect())
}

/// Runs this binary in another process to measure one store.
fn in_process_of_its_own(entrant: &Entrant, inserts: usize) -> Result<Row> {
    let binary = env::current_exe().context("the lab's own binary cannot be found")?;
    let output = Command::new(binary)
        .args([TAIL_ONE, entrant.name, &inserts.to_string()])
        .env(allocator::VARIABLE, if entrant.in_mimalloc { MIMALLOC } else { "" })
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("no process for {}", entrant.name))?;
    ensure!(
        output.status.success(),
        "{} ended with {}: {}",
        entrant.name,
        output.status,
        String::from_utf8_lossy(&output.stderr).trim()
    );
    serde_json::from_slice(&output.stdout)
        .with_context(|| format!("{} measured something else", entrant.name))
}

/// Measures one store in this process, for the process that started it.
pub(crate) fn run_one(options: &TailOneOptions) -> Result<()> {
    let measured = measure_one(named(&options.store)?, options.inserts)?;
    say(serde_json::to_string(&measured)?)
}

/// The numbers about which there are bars, each as a row of its own.
pub(crate) fn rows_for_bars(rows: &[Row]) -> Vec<rows::Row> {
    let nothing = rows.iter().find(|row| row.is_nothing());
    let of_store = |row: &Row| {
        // The most memory that it took, less that of a process that stores nothing, a value.
        let taken = row.peak_bytes.zip(nothing.and_then(|nothing| nothing.peak_bytes));
        let taken =
            taken.map(|(all, nothing)| all.saturating_sub(nothing) as f64 / row.inserts as f64);
        let numbers = [
            ("tail: worst", Some(row.worst_ns)),
            ("tail: 99.9 %", Some(row.one_in(1e3))),
            ("tail: peak memory", taken),
        ];
        let (store, count) = (row.store.clone(), row.inserts);
        numbers.into_iter().filter_map(move |(workload, number)| {
            Some(rows::Row {
                study: Some("tail".to_owned()),
                workload: workload.to_owned(),
                element_bytes: Some(8),
                count,
                subject: store.clone(),
                ns: number?,
                ratio: number?,
                ..rows::Row::default()
            })
        })
    };
    rows.iter().flat_map(of_store).collect()
}

/// A store under measurement.
#[derive(Debug)]
struct Entrant {
    /// The name in tables, in JSON and after `--store`.
    name: &'static str,
    /// True if it grows in memory from mimalloc.
    in_mimalloc: bool,
    /// Times so many insertions.
    run: fn(usize, &mut Stopwatch) -> Result<()>,
}

/// All stores, in the order of the table; the first does nothing.
const ENTRANTS: &[Entrant] = &[
    Entrant { name: NOTHING, in_mimalloc: false, run: nothing },
    entrant::<Packed<Bytes8>>(),
    Entrant { name: VEC_MIMALLOC, in_mimalloc: true, run: insert::<Packed<Bytes8>> },
    entrant::<SlotMap<Bytes8>>(),
    entrant::<Thunderdome<Bytes8>>(),
    entrant::<Slab<Bytes8>>(),
    entrant::<Arena<Bytes8>>(),
    entrant::<ArenaFixed<Bytes8>>(),
    entrant::<ArenaReserved<Bytes8>>(),
    entrant::<ArenaHuge<Bytes8>>(),
    entrant::<ArenaAhead<Bytes8>>(),
    entrant::<PagedArena<Bytes8>>(),
];

/// The store that does nothing: its time is that of timing.
const NOTHING: &str = "nothing";
/// A vector in memory from an allocator that copies.
const VEC_MIMALLOC: &str = "Vec, mimalloc";

/// A store begun as [`Store::begin`] says.
const fn entrant<S: Store<Bytes8>>() -> Entrant {
    Entrant { name: S::NAME, in_mimalloc: false, run: insert::<S> }
}

/// Measures this store in this process, which has used no memory for another one.
fn measure_one(entrant: &Entrant, inserts: usize) -> Result<Row> {
    let mut stopwatch = Stopwatch::new();
    (entrant.run)(inserts, &mut stopwatch)?;
    let point = |rarity| (rarity, stopwatch.exceeded_by_one_in(rarity));
    Ok(Row {
        store: entrant.name.to_owned(),
        inserts,
        rounds: 1,
        mean_ns: stopwatch.mean_ns(),
        worst_ns: stopwatch.worst_ns(),
        peak_bytes: peak_bytes(),
        waited_ms: stopwatch.waited_ns() / 1e6,
        curve_ns: rarities(inserts).map(point).collect(),
    })
}

/// One in two, and then eight steps for every power of ten, to one in all.
fn rarities(inserts: usize) -> impl Iterator<Item = f64> {
    let steps =
        (3_i32..).map(|step| 10_f64.powi(step / 8) * 10_f64.powf(f64::from(step % 8) / 8.0));
    core::iter::once(2.0).chain(steps).take_while(move |&rarity| rarity <= inserts as f64)
}

/// The most memory that this process had in use.
fn peak_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}

#[inline(never)]
fn insert<S: Store<Bytes8>>(inserts: usize, stopwatch: &mut Stopwatch) -> Result<()> {
    let mut store = S::begin(inserts);
    stopwatch.time_each(inserts, |number| {
        black_box(black_box(&mut store).insert(Bytes8::new(number)));
    });
    let mut sum = 0_u64;
    store.for_each(|value| sum = sum.wrapping_add(value.number()));
    let all = (0..inserts as u64).fold(0, u64::wrapping_add);
    ensure!(store.len() == inserts && sum == all, "{} lost something", S::NAME);
    Ok(())
}

#[inline(never)]
fn nothing(inserts: usize, stopwatch: &mut Stopwatch) -> Result<()> {
    stopwatch.time_each(inserts, |number| {
        black_box(Bytes8::new(number));
    });
    Ok(())
}

fn named(name: &str) -> Result<&'static Entrant> {
    let found = ENTRANTS.iter().find(|entrant| entrant.name == name);
    found.with_context(|| format!("there is no store `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bars::BARS;

    #[test]
    fn names_choose_and_the_noise_floor_is_always_there() {
        let names = |stores: &[&str]| {
            let asked: Vec<String> = stores.iter().map(|&name| name.to_owned()).collect();
            let chosen = chosen(&asked).expect("all are known");
            chosen.iter().map(|entrant| entrant.name).collect::<Vec<_>>()
        };
        assert_eq!(names(&["Arena reserved", "Vec"]), ["nothing", "Vec", "Arena reserved"]);
        assert_eq!(names(&[]).len(), ENTRANTS.len());
    }

    #[test]
    fn a_row_has_the_best_of_every_number() {
        let round = |factor: f64, peak_bytes| Row {
            store: "Vec".to_owned(),
            inserts: 1_000,
            rounds: 1,
            mean_ns: 20.0 * factor,
            worst_ns: 1e5 / factor,
            peak_bytes,
            waited_ms: 1.0,
            curve_ns: vec![(2.0, 10.0), (10.0, 11.0), (1e3, 100.0 * factor)],
        };
        let row = Row::best_of(&[round(2.0, Some(7)), round(1.0, None), round(4.0, Some(5))]);
        let curve_ns = vec![(2.0, 10.0), (10.0, 11.0), (1e3, 100.0)];
        // One in 10,000 of 1,000 is none: then there is only the worst.
        assert_eq!([2.0, 1e3, 1e4].map(|rarity| row.one_in(rarity)), [10.0, 100.0, 25_000.0]);
        let expected =
            Row { worst_ns: 25_000.0, rounds: 3, waited_ms: 3.0, curve_ns, ..round(1.0, Some(5)) };
        assert_eq!(row, expected);
    }

    #[test]
    fn bars_are_met_or_missed_by_what_was_measured() {
        let row = |store: &str, worst_ns, peak_bytes| Row {
            store: store.to_owned(),
            inserts: 1_000_000,
            worst_ns,
            peak_bytes: Some(peak_bytes),
            curve_ns: vec![(1e3, if store == "Arena ahead" { 299.0 } else { 100.0 })],
            ..Row::default()
        };
        let rows = |worst, peak| {
            [
                row(NOTHING, 10.0, 2_000_000),
                row("Vec", 100.0, 10_000_000),
                row(VEC_MIMALLOC, 1_000.0, 20_000_000),
                row("Arena reserved", worst, peak),
                row("Arena ahead", 1.0, 1),
            ]
        };
        let met = |rows: &[Row]| {
            let bars = BARS.iter().flat_map(|bar| bar.verdicts(&rows_for_bars(rows)));
            bars.map(|verdict| verdict.met()).collect::<Vec<_>>()
        };
        assert_eq!(met(&rows(49.0, 18_200_000)), [true, true, true, true]);
        assert_eq!(met(&rows(51.0, 18_500_000)), [true, false, true, false]);
        assert_eq!(met(&rows(101.0, 18_200_000)), [false, false, true, true]);
        assert!(met(&rows(1.0, 1)[..2]).is_empty());
        // Each is about stores that are measured.
        let of_tail = BARS.iter().filter(|bar| bar.study == Some("tail"));
        for name in of_tail.flat_map(|bar| bar.subjects) {
            assert!(ENTRANTS.iter().any(|entrant| entrant.name == *name), "{name}");
        }
    }

    #[test]
    fn every_store_is_measured_and_loses_nothing() {
        for entrant in ENTRANTS {
            let measured = measure_one(entrant, 2_000).expect(entrant.name);
            assert!(measured.mean_ns > 0.0, "{}", entrant.name);
            assert!(measured.curve_ns.is_sorted_by(|a, b| a.1 <= b.1), "{measured:?}");
            let rarest = measured.curve_ns.last().expect("there is a median at least");
            assert!(rarest.1 <= measured.worst_ns, "{measured:?}");
        }
    }

    #[test]
    fn rarities_have_the_powers_of_ten_exactly() {
        let all: Vec<f64> = rarities(1_000_000).collect();
        assert!(all.is_sorted() && all[0] == 2.0);
        for power in [10.0, 1e3, 1e4, 1e5, 1e6] {
            assert!(all.contains(&power), "{power}");
        }
        assert_eq!(all.last(), Some(&1e6));
        assert_eq!(rarities(2).collect::<Vec<_>>(), [2.0]);
    }

    #[test]
    fn the_peak_is_known_on_linux() {
        if cfg!(target_os = "linux") {
            assert!(peak_bytes().expect("there is /proc") > 100_000);
        }
    }

    #[test]
    fn every_store_has_a_name_of_its_own() {
        for (index, entrant) in ENTRANTS.iter().enumerate() {
            assert!(ENTRANTS[index + 1..].iter().all(|other| other.name != entrant.name));
        }
        assert_eq!(ENTRANTS[0].name, NOTHING);
        assert!(named("no such store").is_err());
    }
}
