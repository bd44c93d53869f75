//! The command line: the lab's jobs and their options.

use core::fmt::Display;
use std::env;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Measures larder and its rivals on this machine.
///
/// Without a command it replays the bundled recordings of real programs, as `replay` does.
#[derive(Debug, Parser)]
#[command(name = "larder-lab", version, about, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// The job [default: replay]
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples, to be run in the project's directory:
  cargo run --release                              the default job, under a minute
  cargo run --release -- replay --trace mine.gz    a recording of your own
  cargo run --release -- compare --quick           single operations, under five minutes
  cargo run --release -- tail                      the longest insertions, about two minutes

These need the feature `studies`, which compiles many more rivals:
  cargo run --release --features studies -- columns --quick    rows, columns and lanes
  cargo run --release --features studies -- beside --quick     side data, hierarchies, lists
  cargo run --release --features studies -- find --quick       value lists, names, indices, grids
  cargo run --release --features studies -- keep --quick       saving, loading, going back

The exit code is 2 for bad flags and bad files, 1 for every other failure.";

impl Cli {
    /// The job to run: the given one, or the default.
    pub(crate) fn job(self) -> Command {
        self.command.unwrap_or_else(|| Self::parse_from(["larder-lab", "replay"]).job())
    }
}

/// The lab's jobs.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Replays recorded object lifetimes of real programs through every container (the default)
    Replay(ReplayOptions),
    /// Measures single operations, one workload at a time
    Compare(CompareOptions),
    /// Measures how long single insertions take, especially the longest
    Tail(TailOptions),
    /// Measures rows, columns and lanes on particles of ten numbers (feature `studies`)
    Columns(StudyOptions),
    /// Measures what is kept beside containers: side data, hierarchies, lists of objects (feature `studies`)
    Beside(StudyOptions),
    /// Measures what objects own and what finds them: value lists, names, indices (feature `studies`)
    Find(StudyOptions),
    /// Measures what outlives the program or is taken back: saving, loading, changes, histories (feature `studies`)
    Keep(StudyOptions),
    /// Measures one store in a process of its own, for `tail`
    #[command(name = TAIL_ONE, hide = true)]
    TailOne(TailOneOptions),
    /// Leads all containers of `compare` through all workloads without measuring; fails if answers differ
    #[command(hide = true)]
    Agree(AgreeOptions),
    /// Judges files written by other jobs with --json by larder's own bars
    Bars(BarsOptions),
}

/// The job that `tail` gives to a process of its own.
pub(crate) const TAIL_ONE: &str = "tail-one";

#[derive(Args, Debug, Clone)]
pub(crate) struct ReplayOptions {
    /// Replay this trace instead of the bundled ones; may be given more than once
    #[arg(long = "trace", value_name = "FILE")]
    pub(crate) traces: Vec<PathBuf>,

    /// The number of times that every container replays every trace [default: up to 15, within 40 seconds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) rounds: Option<u32>,

    /// The directory for the report
    #[arg(long = "report", value_name = "DIR", default_value = DEFAULT_REPORT_DIR)]
    pub(crate) report: PathBuf,
}

/// The default directory for reports.
const DEFAULT_REPORT_DIR: &str = "target/lab";

#[derive(Args, Debug, Clone, Default)]
pub(crate) struct CompareOptions {
    /// Leave out the largest containers, to finish within five minutes
    #[arg(long)]
    pub(crate) quick: bool,

    /// Measure only the container with this name; may be given more than once
    #[arg(long = "subject", value_name = "S")]
    pub(crate) subjects: Vec<String>,

    /// Measure only the workload with this name; may be given more than once
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

#[derive(Args, Debug, Clone)]
pub(crate) struct TailOptions {
    /// 5,000,000 insertions instead of 50,000,000
    #[arg(long)]
    pub(crate) quick: bool,

    /// Measure only the store with this name; may be given more than once
    #[arg(long = "store", value_name = "S")]
    pub(crate) stores: Vec<String>,

    /// The number of values to insert, at up to 16 bytes of memory each, twice that where a store copies
    #[arg(long, value_name = "N", value_parser = inserts, conflicts_with = "quick")]
    pub(crate) inserts: Option<usize>,

    /// The number of turns of every store
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) rounds: u32,

    /// Also write the results to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// The directory for the page with the chart
    #[arg(long = "report", value_name = "DIR", default_value = DEFAULT_REPORT_DIR)]
    pub(crate) report: PathBuf,
}

/// The options of a job that is made of studies.
#[derive(Args, Debug, Clone, Default)]
pub(crate) struct StudyOptions {
    /// Leave out the largest counts
    #[arg(long)]
    pub(crate) quick: bool,

    /// Measure only the study with this name; may be given more than once
    #[arg(long = "study", value_name = "S")]
    pub(crate) studies: Vec<String>,

    /// Measure only this many objects; may be given more than once
    #[arg(long = "count", value_name = "N")]
    pub(crate) counts: Vec<usize>,

    /// Also write the results to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

/// Parses a number of insertions: enough to have a tail, and no more than there are handles.
fn inserts(text: &str) -> Result<usize, String> {
    match text.replace(['_', ','], "").parse() {
        Ok(number @ 1_000..=2_000_000_000) => Ok(number),
        _ => Err("between 1,000 and 2,000,000,000".to_owned()),
    }
}

/// The options of a trial of what `compare` measures.
#[derive(Args, Debug, Clone)]
pub(crate) struct AgreeOptions {
    /// The size of elements
    pub(crate) bytes: usize,
}

/// The options of a process that measures one store for `tail`.
#[derive(Args, Debug, Clone)]
pub(crate) struct TailOneOptions {
    pub(crate) store: String,
    pub(crate) inserts: usize,
}

#[derive(Args, Debug, Clone)]
pub(crate) struct BarsOptions {
    /// The files that other jobs wrote with `--json`; of several runs of a job, the median of each bar is judged
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Prints a table in Markdown, a line a subject and workload, as the pages in records/ have it
    #[arg(long)]
    pub(crate) markdown: bool,
}

/// The known names or sizes that were asked for; all of them if none were.
pub(crate) fn chosen<A: Display + PartialEq<K>, K: Display + Copy>(
    what: &str,
    asked: &[A],
    known: &[K],
) -> Result<Vec<K>, BadInput> {
    if asked.is_empty() {
        return Ok(known.to_vec());
    }
    let one = |name: &A| {
        let found = known.iter().find(|&known| name == known);
        found.copied().ok_or_else(|| {
            let known: Vec<String> = known.iter().map(K::to_string).collect();
            BadInput(format!("there is no {what} `{name}`; there are {}", known.join(", ")))
        })
    };
    asked.iter().map(one).collect()
}

/// A line that says how to do the same again: the command of this process, in a build with the same features.
pub(crate) fn made_by() -> String {
    let studies = match (cfg!(feature = "ecs"), cfg!(feature = "studies")) {
        (true, _) => " --features ecs",
        (_, true) => " --features studies",
        _ => "",
    };
    let allocator = if cfg!(feature = "mimalloc") { " --features mimalloc" } else { "" };
    let quoted = |argument: String| {
        if argument.contains([' ', ',']) {
            format!(" '{argument}'")
        } else {
            format!(" {argument}")
        }
    };
    let arguments: String = env::args().skip(1).map(quoted).collect();
    format!("Made by: cargo run --release{studies}{allocator} --{arguments}")
}

/// A request that cannot be met, such as an unknown name. The program ends with code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct BadInput(pub(crate) String);

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    use super::*;

    #[test]
    fn the_flags_are_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_default_job_is_a_replay() {
        let Command::Replay(options) = (Cli { command: None }).job() else {
            panic!("the default job is a replay");
        };
        assert!(options.traces.is_empty() && options.rounds.is_none());
        assert_eq!(options.report, PathBuf::from("target/lab"));
    }

    #[test]
    fn numbers_of_insertions_may_be_grouped() {
        assert_eq!(["20,000", "5_000"].map(inserts), [Ok(20_000), Ok(5_000)]);
    }

    #[test]
    fn names_choose_and_unknown_ones_are_refused_with_the_known() {
        let asked = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            chosen("store", &names, &["slab", "Vec"]).map_err(|error| error.to_string())
        };
        assert_eq!(asked(&["Vec"]), Ok(vec!["Vec"]));
        assert_eq!(asked(&[]), Ok(vec!["slab", "Vec"]));
        let refusal = "there is no store `Vecc`; there are slab, Vec";
        assert_eq!(asked(&["Vec", "Vecc"]), Err(refusal.to_owned()));
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
