//! `larder-lab`: measures larder and its rivals on the machine that it runs on.
//!
//! Modules in reading order: what is asked for, what is measured and on what data, the jobs (those
//! that are made of studies after what they have in common), what comes out.

mod cli;

mod element;
mod subject;
mod subjects;
mod trace;

mod compare;
mod replay;
mod tail;

mod study;

mod beside;
mod columns;
mod find;

mod alloc;
mod report;
mod stats;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let result = match cli::Cli::parse().job() {
        cli::Command::Replay(options) => replay::run(&options),
        cli::Command::Compare(options) => compare::run(&options),
        cli::Command::Tail(options) => tail::run(&options),
        cli::Command::Columns(options) => study::run(&columns::COLUMNS, &options),
        cli::Command::Beside(options) => study::run(&beside::BESIDE, &options),
        cli::Command::Find(options) => study::run(&find::FIND, &options),
        cli::Command::TailOne(options) => tail::run_one(&options),
        cli::Command::Bars(options) => compare::bars::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report_error(&error);
            ExitCode::from(exit_code(&error))
        }
    }
}

/// Tells the user what went wrong, on the error stream.
#[expect(clippy::print_stderr, reason = "errors belong on the error stream")]
fn report_error(error: &anyhow::Error) {
    eprintln!("error: {error:#}");
}

/// 2 for input that is not what it should be (as for flags), 1 for everything else.
fn exit_code(error: &anyhow::Error) -> u8 {
    if error.is::<trace::TraceError>() || error.is::<cli::BadInput>() { 2 } else { 1 }
}
