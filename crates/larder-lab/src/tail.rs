//! `tail`: how long single insertions take, the longest above all.
//!
//! A mean hides the insertion for which a container asks the system for memory, moves, or copies
//! everything. Here each of tens of millions has its time taken, from an empty store on. Every
//! store has a process of its own, so that nobody finds pages that another one left; the processes
//! take turns for several rounds, and what is shown is the best round of each number, since what
//! else the machine does only ever adds. What Linux knows of that, time in which another thread had the
//! processor, is taken out at once.

pub(crate) mod bars;
mod histogram;
mod stopwatch;
mod stores;
pub(crate) mod ticks;
mod waiting;

#[cfg(test)]
mod tests;

use std::env;
use std::fs;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use self::stores::{ENTRANTS, Entrant, Measured, NOTHING};
use crate::alloc::Allocator;
use crate::cli::{BadInput, TailOneOptions, TailOptions};
use crate::replay::order;
use crate::report;

/// Insertions where nothing is said, and with `--quick`.
const INSERTS: usize = 50_000_000;
const QUICK_INSERTS: usize = 5_000_000;

/// What one store reached, as the JSON file has it: of every number the best of all rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The store's name.
    pub(crate) store: String,
    /// How many values of 8 bytes were inserted, one by one.
    pub(crate) inserts: usize,
    /// How many processes that was done in.
    pub(crate) rounds: usize,
    /// Nanoseconds of an insertion, all of them together.
    pub(crate) mean_ns: f64,
    /// What one in 2, 1,000, 10,000 and 100,000 takes longer than.
    pub(crate) p50_ns: f64,
    pub(crate) p99_9_ns: f64,
    pub(crate) p99_99_ns: f64,
    pub(crate) p99_999_ns: f64,
    /// The longest of them.
    pub(crate) worst_ns: f64,
    /// The most memory that the process had; none where the system does not say.
    pub(crate) peak_bytes: Option<u64>,
    /// How long its processes waited for a processor that others had, which counts nowhere.
    pub(crate) waited_ms: f64,
    /// What one in so many takes longer than, from one in two to one in all.
    pub(crate) curve_ns: Vec<(f64, f64)>,
}

impl Row {
    /// The best of all rounds.
    fn of(entrant: &Entrant, inserts: usize, rounds: &[Measured]) -> Self {
        let least = |number: &dyn Fn(&Measured) -> f64| {
            significant(rounds.iter().map(number).fold(f64::INFINITY, f64::min))
        };
        let curve_ns: Vec<(f64, f64)> = (0..rounds[0].curve.len())
            .map(|at| (rounds[0].curve[at].0, least(&|round| round.curve[at].1)))
            .collect();
        // Of fewer insertions than that there is no such percentile, and the worst is all there is.
        let worst_ns = least(&|round| round.worst_ns);
        let one_in = |rarity| {
            let point = curve_ns.iter().find(|point| point.0 == rarity);
            point.map_or(worst_ns, |point| point.1)
        };
        Self {
            store: entrant.name.to_owned(),
            inserts,
            rounds: rounds.len(),
            mean_ns: least(&|round| round.mean_ns),
            p50_ns: one_in(2.0),
            p99_9_ns: one_in(1e3),
            p99_99_ns: one_in(1e4),
            p99_999_ns: one_in(1e5),
            worst_ns,
            peak_bytes: rounds.iter().filter_map(|round| round.peak_bytes).min(),
            waited_ms: significant(rounds.iter().map(|round| round.waited_ns).sum::<f64>() / 1e6),
            curve_ns,
        }
    }

    /// Whether it does nothing: the others' numbers begin where its end.
    pub(crate) fn is_nothing(&self) -> bool {
        self.store == NOTHING
    }
}

/// Measures, prints the table, writes the page with the chart and, if asked to, the rows.
#[expect(clippy::print_stdout, reason = "the table is what was asked for")]
pub(crate) fn run(options: &TailOptions) -> Result<()> {
    let entrants = chosen(&options.stores)?;
    let inserts = options.inserts.unwrap_or(if options.quick { QUICK_INSERTS } else { INSERTS });
    let (here, absent): (Vec<_>, Vec<_>) =
        entrants.into_iter().partition(|entrant| entrant.allocator.is_here());
    let rows = measure(&here, inserts, options.rounds as usize)?;
    print!("{}", report::tail::table(&rows));
    for entrant in absent {
        println!(
            "\n{} was left out: it needs a C compiler and\n  \
             cargo run --release -p larder-lab --features mimalloc -- tail",
            entrant.name
        );
    }
    let page = report::write(&options.report, "tail.html", &report::tail::page(&rows))?;
    println!("\nThe chart: {}", page.display());
    if let Some(path) = &options.json {
        fs::write(path, report::lines_of_json(&rows)?)
            .with_context(|| format!("cannot write {}", path.display()))?;
        println!("The numbers are in {}.", path.display());
    }
    println!("Made by: {}", command(options));
    Ok(())
}

/// The stores that were asked for, or all; always the one that does nothing.
fn chosen(asked: &[String]) -> Result<Vec<&'static Entrant>, BadInput> {
    let known = || ENTRANTS.iter().map(|entrant| entrant.name);
    if let Some(unknown) = asked.iter().find(|name| !known().any(|known| known == *name)) {
        let known: Vec<_> = known().collect();
        return Err(BadInput(format!(
            "there is no store `{unknown}`; there are {}",
            known.join("; ")
        )));
    }
    let wanted = |entrant: &&Entrant| {
        asked.is_empty() || entrant.name == NOTHING || asked.iter().any(|name| name == entrant.name)
    };
    Ok(ENTRANTS.iter().filter(wanted).collect())
}

/// Lets the stores take turns, a process a turn, and sums up.
fn measure(entrants: &[&Entrant], inserts: usize, rounds: usize) -> Result<Vec<Row>> {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {msg}");
    let steps = (entrants.len() * rounds) as u64;
    let progress = ProgressBar::new(steps).with_style(style.expect("the template is a valid one"));
    let mut measured = vec![Vec::with_capacity(rounds); entrants.len()];
    for round in 0..rounds {
        for turn in order(round, entrants.len()) {
            progress.set_message(entrants[turn].name);
            measured[turn].push(in_process_of_its_own(entrants[turn], inserts)?);
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    let rows = entrants.iter().zip(&measured);
    Ok(rows.map(|(entrant, rounds)| Row::of(entrant, inserts, rounds)).collect())
}

/// Has this binary measure one store in another process.
fn in_process_of_its_own(entrant: &Entrant, inserts: usize) -> Result<Measured> {
    let binary = env::current_exe().context("the lab's own binary cannot be found")?;
    let output = Command::new(binary)
        .args([ONE, entrant.name, &inserts.to_string()])
        .env(Allocator::VARIABLE, entrant.allocator.name())
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

/// The job that a process of its own is given.
pub(crate) const ONE: &str = "tail-one";

/// Measures one store in this process, for the one that began it.
#[expect(clippy::print_stdout, reason = "this is what the other process reads")]
pub(crate) fn run_one(options: &TailOneOptions) -> Result<()> {
    let measured = stores::measure(stores::named(&options.store)?, options.inserts)?;
    println!("{}", serde_json::to_string(&measured)?);
    Ok(())
}

/// The number with four significant digits: more would only claim what nobody measured.
fn significant(number: f64) -> f64 {
    format!("{number:.3e}").parse().expect("a number that was just written can be read")
}

/// The command that does the same again.
fn command(options: &TailOptions) -> String {
    let features =
        if cfg!(feature = "mimalloc") { " -p larder-lab --features mimalloc" } else { "" };
    let mut words = vec![format!("cargo run --release{features} -- tail")];
    if options.quick {
        words.push("--quick".to_owned());
    }
    words.extend(options.stores.iter().map(|name| format!("--store '{name}'")));
    words.extend(options.inserts.map(|inserts| format!("--inserts {inserts}")));
    words.push(format!("--rounds {}", options.rounds));
    words.extend(options.json.iter().map(|path| format!("--json {}", path.display())));
    words.join(" ")
}
