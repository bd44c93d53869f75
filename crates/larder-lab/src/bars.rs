//! `bars`: reads the file that another job wrote, and says which of larder's own bars it meets.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::cli::BarsOptions;
use crate::report::grid::Grid;
use crate::verdict::Verdict;
use crate::{compare, studies, tail};

/// Prints the bars and what the file's numbers say about them.
#[expect(clippy::print_stdout, reason = "the user asked for the bars")]
pub(crate) fn run(options: &BarsOptions) -> Result<()> {
    let verdicts = match read(&options.file)? {
        Rows::Compare(rows) => compare::bars::verdicts(&rows),
        Rows::Studies(rows) => studies::verdicts(&rows)?,
        Rows::Tail(rows) => tail::bars::verdicts(&rows),
    };
    ensure!(!verdicts.is_empty(), "there is no bar for what was measured");
    let table = Grid {
        left: Verdict::COLUMNS.len(),
        header: Verdict::COLUMNS.map(str::to_owned).to_vec(),
        lines: verdicts.iter().map(|verdict| verdict.cells().to_vec()).collect(),
        ..Grid::default()
    };
    print!("{}", table.text());
    let missed = verdicts.iter().filter(|verdict| !verdict.met()).count();
    println!("\n{} bars, {missed} missed", verdicts.len());
    Ok(())
}

/// The rows of a file, whichever job wrote it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Rows {
    Compare(Vec<compare::Row>),
    Tail(Vec<tail::Row>),
    Studies(Vec<studies::Row>),
}

fn read(path: &Path) -> Result<Rows> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    serde_json::from_reader(BufReader::new(file)).with_context(|| {
        format!("{} is not what a job of the lab writes with --json", path.display())
    })
}
