//! The command line: what the lab can be asked to do.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Measures larder and its rivals on this machine.
///
/// Without a command it replays the bundled recordings of real programs, as `replay` does.
#[derive(Debug, Parser)]
#[command(name = "larder-lab", version, about, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// What to do; `replay` where nothing is said.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples, as typed in the project's directory:
  cargo run --release                              the default job, under a minute
  cargo run --release -- replay --trace mine.gz    a recording of your own
  cargo run --release -- compare --quick           single operations, under five minutes
  cargo run --release -- tail                      the longest insertions, about two minutes
  cargo run --release -- columns --quick           rows, columns and lanes, about a minute
  cargo run --release -- beside --quick            side data, hierarchies, lists of objects
  cargo run --release -- find --quick              lists of values, names, indices, grids

Bad flags and bad files end with code 2, everything else that fails with code 1.";

impl Cli {
    /// The command to run: the one that was given, or the default job.
    pub(crate) fn job(self) -> Command {
        self.command.unwrap_or_else(|| Command::Replay(ReplayOptions::default()))
    }
}

/// The lab's jobs.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Replays recorded object lifetimes of real programs through every container (the default)
    Replay(ReplayOptions),
    /// Measures single operations, one workload at a time
    Compare(CompareOptions),
    /// Measures how long single insertions take, the longest above all
    Tail(TailOptions),
    /// Measures rows, columns and lanes on particles of ten numbers
    Columns(StudyOptions),
    /// Measures what is kept beside containers: side data, hierarchies, lists of objects
    Beside(StudyOptions),
    /// Measures what objects own, and what finds them: lists of values, names, indices
    Find(StudyOptions),
    /// Measures one store in a process of its own, for `tail`
    #[command(name = crate::tail::ONE, hide = true)]
    TailOne(TailOneOptions),
    /// Says which of larder's own bars the numbers that another job wrote meet
    Bars(BarsOptions),
}

/// What `replay` can be told.
#[derive(Args, Debug, Clone)]
pub(crate) struct ReplayOptions {
    /// Replay this trace instead of the bundled ones; may be given more than once
    #[arg(long = "trace", value_name = "FILE")]
    pub(crate) traces: Vec<PathBuf>,

    /// How often every container replays every trace [default: up to 15, within 40 seconds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) rounds: Option<u32>,

    /// Where the report is written
    #[arg(long = "report", value_name = "DIR", default_value = DEFAULT_REPORT_DIR)]
    pub(crate) report: PathBuf,
}

/// Where reports are written where nothing is said.
const DEFAULT_REPORT_DIR: &str = "target/lab";

impl Default for ReplayOptions {
    fn default() -> Self {
        Self { traces: Vec::new(), rounds: None, report: PathBuf::from(DEFAULT_REPORT_DIR) }
    }
}

/// What `compare` can be told.
#[derive(Args, Debug, Clone, Default)]
pub(crate) struct CompareOptions {
    /// Leave out the largest containers, so that it ends within five minutes
    #[arg(long)]
    pub(crate) quick: bool,

    /// Measure only this container, by its whole name; may be given more than once
    #[arg(long = "subject", value_name = "S")]
    pub(crate) subjects: Vec<String>,

    /// Measure only this workload, by its whole name; may be given more than once
    #[arg(long = "workload", value_name = "W")]
    pub(crate) workloads: Vec<String>,

    /// Measure only elements of this many bytes; may be given more than once
    #[arg(long = "bytes", value_name = "N")]
    pub(crate) elements: Vec<usize>,

    /// Measure only containers of this many elements; may be given more than once
    #[arg(long = "count", value_name = "N")]
    pub(crate) counts: Vec<usize>,

    /// Also write the results to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

/// What `tail` can be told.
#[derive(Args, Debug, Clone)]
pub(crate) struct TailOptions {
    /// 5,000,000 insertions instead of 50,000,000
    #[arg(long)]
    pub(crate) quick: bool,

    /// Measure only this store, by its whole name; may be given more than once
    #[arg(long = "store", value_name = "S")]
    pub(crate) stores: Vec<String>,

    /// How many values are inserted; up to 16 bytes of memory each, twice that where a store copies
    #[arg(long, value_name = "N", value_parser = inserts, conflicts_with = "quick")]
    pub(crate) inserts: Option<usize>,

    /// How often every store has its turn
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) rounds: u32,

    /// Also write the results to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// Where the page with the chart is written
    #[arg(long = "report", value_name = "DIR", default_value = DEFAULT_REPORT_DIR)]
    pub(crate) report: PathBuf,
}

/// What a job that is made of studies can be told.
#[derive(Args, Debug, Clone, Default)]
pub(crate) struct StudyOptions {
    /// Leave out the largest counts
    #[arg(long)]
    pub(crate) quick: bool,

    /// Measure only this study, by its whole name; may be given more than once
    #[arg(long = "study", value_name = "S")]
    pub(crate) studies: Vec<String>,

    /// Measure only this many objects; may be given more than once
    #[arg(long = "count", value_name = "N")]
    pub(crate) counts: Vec<usize>,

    /// Also write the results to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

/// Reads a number of insertions: enough to have a tail, and no more than there can be handles.
fn inserts(text: &str) -> Result<usize, String> {
    match text.replace(['_', ','], "").parse() {
        Ok(number @ 1_000..=2_000_000_000) => Ok(number),
        _ => Err("between 1,000 and 2,000,000,000".to_owned()),
    }
}

/// What a process that measures one store is told.
#[derive(Args, Debug, Clone)]
pub(crate) struct TailOneOptions {
    pub(crate) store: String,
    pub(crate) inserts: usize,
}

/// What `bars` is told.
#[derive(Args, Debug, Clone)]
pub(crate) struct BarsOptions {
    /// What another job wrote with `--json`
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

/// What was asked for cannot be: an unknown name, a contradiction. The program ends with code 2.
#[derive(Debug)]
pub(crate) struct BadInput(pub(crate) String);

impl core::fmt::Display for BadInput {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for BadInput {}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    use super::*;

    fn job(arguments: &[&str]) -> Command {
        let arguments = ["larder-lab"].iter().chain(arguments);
        Cli::try_parse_from(arguments).expect("these arguments are good").job()
    }

    #[test]
    fn the_flags_are_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn nothing_said_means_the_default_replay() {
        let Command::Replay(options) = job(&[]) else {
            panic!("the default job is a replay");
        };
        let Command::Replay(spelled_out) = job(&["replay"]) else {
            panic!("replay is a replay");
        };
        for options in [options, spelled_out] {
            assert!(options.traces.is_empty());
            assert_eq!(options.rounds, None);
            assert_eq!(options.report, PathBuf::from("target/lab"));
        }
    }

    #[test]
    fn a_replay_takes_traces_rounds_and_a_directory() {
        let flags = "replay --trace a.gz --rounds 2 --trace b.gz --report out";
        let Command::Replay(options) = job(&flags.split(' ').collect::<Vec<_>>()) else {
            panic!("replay is a replay");
        };
        assert_eq!(options.traces, [PathBuf::from("a.gz"), "b.gz".into()]);
        assert_eq!((options.rounds, options.report), (Some(2), "out".into()));
    }

    #[test]
    fn a_comparison_takes_names_as_often_as_given() {
        let flags = "compare --quick --subject Arena --subject slab --workload churn --json x.json";
        let Command::Compare(options) = job(&flags.split(' ').collect::<Vec<_>>()) else {
            panic!("compare is a comparison");
        };
        assert!(options.quick);
        assert_eq!(options.subjects, ["Arena", "slab"]);
        assert_eq!(options.workloads, ["churn"]);
        assert_eq!(options.json, Some("x.json".into()));
    }

    #[test]
    fn tails_are_of_fifty_million_unless_something_is_said() {
        let Command::Tail(options) = job(&["tail"]) else {
            panic!("tail is a job");
        };
        assert_eq!((options.quick, options.inserts, options.rounds), (false, None, 3));
        assert_eq!(options.report, PathBuf::from("target/lab"));
        let flags = "tail --store Vec --inserts 20,000 --rounds 1 --json t.json";
        let Command::Tail(options) = job(&flags.split(' ').collect::<Vec<_>>()) else {
            panic!("tail is a job");
        };
        assert_eq!((options.stores, options.inserts), (vec!["Vec".to_owned()], Some(20_000)));
        assert_eq!((options.rounds, options.json), (1, Some("t.json".into())));
    }

    #[test]
    fn columns_take_studies_and_counts() {
        let flags = "columns --quick --study tick --study holes --count 1000 --json c.json";
        let Command::Columns(options) = job(&flags.split(' ').collect::<Vec<_>>()) else {
            panic!("columns is a job");
        };
        assert!(options.quick);
        assert_eq!(options.studies, ["tick", "holes"]);
        assert_eq!((options.counts, options.json), (vec![1000], Some("c.json".into())));
    }

    #[test]
    fn nonsense_is_refused() {
        for (flags, kind) in [
            ("tail --inserts 10", ErrorKind::ValueValidation),
            ("tail --inserts 5000 --quick", ErrorKind::ArgumentConflict),
            ("tail --rounds 0", ErrorKind::ValueValidation),
            ("replay --rounds 0", ErrorKind::ValueValidation),
            ("replay --rounds many", ErrorKind::ValueValidation),
            ("replay --trace", ErrorKind::InvalidValue),
            ("--quick", ErrorKind::UnknownArgument),
            ("race", ErrorKind::InvalidSubcommand),
        ] {
            let arguments = ["larder-lab"].into_iter().chain(flags.split(' '));
            let error = Cli::try_parse_from(arguments).expect_err("this is nonsense");
            assert_eq!(error.kind(), kind, "{flags}");
        }
    }
}
