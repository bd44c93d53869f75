//! `tail`: how long single insertions take, especially the longest.
//!
//! A mean hides the insertion for which a container asks the system for memory, moves, or copies all
//! values. Here each of tens of millions is timed, from an empty store on. Every store has a process of
//! its own, so that none uses pages left by another. The processes take turns for several rounds, and the
//! best round of each number is shown, because other work of the machine only adds time. The time in
//! which another thread had the processor is subtracted where Linux reports it.

mod histogram;
mod report;
mod row;
mod stopwatch;
mod stores;
mod waiting;

#[cfg(test)]
mod tests;

use std::env;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

pub(crate) use self::row::Row;
use self::stores::{ENTRANTS, Entrant, Measured, NOTHING};
use crate::cli::{self, BadInput, TAIL_ONE, TailOneOptions, TailOptions, made_by};
use crate::measure::allocator::Allocator;
use crate::measure::turns::{order, progress_bar};
use crate::report::rows::{self, Ratio, write_rows};
use crate::report::write_page;

/// The default number of insertions, and that with `--quick`.
const INSERTS: usize = 50_000_000;
const QUICK_INSERTS: usize = 5_000_000;

/// Measures, prints the table, writes the page with the chart and, if asked to, the rows.
#[expect(clippy::print_stdout, reason = "the table is what was asked for")]
pub(crate) fn run(options: &TailOptions) -> Result<()> {
    let entrants = chosen(&options.stores)?;
    let inserts = options.inserts.unwrap_or(if options.quick { QUICK_INSERTS } else { INSERTS });
    let (here, absent): (Vec<_>, Vec<_>) =
        entrants.into_iter().partition(|entrant| entrant.allocator.is_here());
    let rows = measure(&here, inserts, options.rounds as usize)?;
    print!("{}", report::table(&rows));
    for entrant in absent {
        println!(
            "\n{} was left out: it needs a C compiler and\n  \
             cargo run --release --features mimalloc -- tail",
            entrant.name
        );
    }
    let page = write_page(&options.report, "tail.html", &report::page(&rows))?;
    println!("\nThe chart: {}", page.display());
    write_rows(options.json.as_deref(), &rows)?;
    println!("{}", made_by());
    Ok(())
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
    let rows = entrants.iter().zip(&measured);
    Ok(rows.map(|(entrant, rounds)| Row::of(entrant, inserts, rounds)).collect())
}

/// Runs this binary in another process to measure one store.
fn in_process_of_its_own(entrant: &Entrant, inserts: usize) -> Result<Measured> {
    let binary = env::current_exe().context("the lab's own binary cannot be found")?;
    let output = Command::new(binary)
        .args([TAIL_ONE, entrant.name, &inserts.to_string()])
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

/// Measures one store in this process, for the process that started it.
#[expect(clippy::print_stdout, reason = "this is what the other process reads")]
pub(crate) fn run_one(options: &TailOneOptions) -> Result<()> {
    let measured = stores::measure(stores::named(&options.store)?, options.inserts)?;
    println!("{}", serde_json::to_string(&measured)?);
    Ok(())
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
            ("tail: 99.9 %", Some(row.p99_9_ns)),
            ("tail: peak memory", taken),
        ];
        let (store, count) = (row.store.clone(), row.inserts);
        numbers.into_iter().filter_map(move |(workload, number)| {
            Some(rows::Row {
                study: Some("tail".to_owned()),
                workload: workload.to_owned(),
                about: "",
                element_bytes: Some(8),
                count,
                subject: store.clone(),
                ns: number?,
                ratio: Ratio::ToFirst(number?),
                spread: 0.0,
            })
        })
    };
    rows.iter().flat_map(of_store).collect()
}
