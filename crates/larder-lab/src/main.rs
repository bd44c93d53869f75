//! `larder-lab`: measures larder and its rivals on the machine that it runs on.
//!
//! Modules in reading order: the command line; what is measured, and with what; the jobs; those made of
//! studies, after what they have in common; what comes out.
#![deny(unsafe_code)]

extern crate alloc;

#[macro_use]
mod subjects;

mod cli;

mod measure;
mod report;
mod stores;
mod trace;

mod compare;
mod replay;
mod tail;

#[cfg(any(test, feature = "studies"))]
mod study;

#[cfg(any(test, feature = "studies"))]
mod beside;
#[cfg(any(test, feature = "studies"))]
mod columns;
#[cfg(any(test, feature = "studies"))]
mod find;
#[cfg(any(test, feature = "studies"))]
mod keep;

mod bars;

/// The rivals of studies take longer to build than all the rest, so they are there only with the feature `studies`.
/// Without it, each of these jobs names the command that builds it.
#[cfg(not(any(test, feature = "studies")))]
mod study {
    use crate::cli::{BadInput, StudyOptions};

    pub(crate) fn run(command: &str, _options: &StudyOptions) -> anyhow::Result<()> {
        Err(BadInput(format!(
            "this build of the lab has no studies, whose rivals take a while to compile; run\n  \
             cargo run --release --features studies -- {command} (with the same options)"
        ))
        .into())
    }
}

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let result = match cli::Cli::parse().job() {
        cli::Command::Replay(options) => replay::run(&options),
        cli::Command::Compare(options) => compare::run(&options),
        cli::Command::Tail(options) => tail::run(&options),
        cli::Command::Columns(options) => study::run("columns", &options),
        cli::Command::Beside(options) => study::run("beside", &options),
        cli::Command::Find(options) => study::run("find", &options),
        cli::Command::Keep(options) => study::run("keep", &options),
        cli::Command::TailOne(options) => tail::run_one(&options),
        cli::Command::Agree(options) => compare::agree(&options),
        cli::Command::Bars(options) => bars::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report_error(&error);
            // The code is that of bad flags.
            let is_bad_input = error.is::<trace::TraceError>() || error.is::<cli::BadInput>();
            ExitCode::from(if is_bad_input { 2 } else { 1 })
        }
    }
}

#[expect(clippy::print_stderr, reason = "errors belong on the error stream")]
fn report_error(error: &anyhow::Error) {
    eprintln!("error: {error:#}");
}
