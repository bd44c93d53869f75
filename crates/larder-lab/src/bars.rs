//! `bars`: reads the file that another job wrote, and says which of larder's own bars it meets.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::cli::BarsOptions;
use crate::measure::stats::grouped;
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
    if options.markdown {
        print!("{}", markdown(&verdicts));
        return Ok(());
    }
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

/// A line for each subject, workload and rival, with all counts beside each other; what is missed is bold.
fn markdown(verdicts: &[Verdict]) -> String {
    let line = |verdict: &Verdict| {
        let bytes =
            verdict.element_bytes.map_or_else(String::new, |bytes| format!(", {bytes} bytes"));
        (verdict.subject, format!("{}{bytes}", verdict.workload), verdict.against.clone())
    };
    let mut lines: Vec<(_, Vec<&Verdict>)> = Vec::new();
    for verdict in verdicts {
        let name = line(verdict);
        match lines.iter_mut().find(|(known, _)| *known == name) {
            Some((_, counts)) => counts.push(verdict),
            None => lines.push((name, vec![verdict])),
        }
    }
    let mut table =
        "| subject | workload | against | objects | bar | measured |\n|---|---|---|---|---|---|\n"
            .to_owned();
    for ((subject, workload, against), counts) in lines {
        let joined = |cell: fn(&Verdict) -> String| {
            counts.iter().map(|verdict| cell(verdict)).collect::<Vec<_>>().join(" / ")
        };
        let objects = joined(|verdict| grouped(verdict.count as u64));
        let alike = counts.iter().all(|verdict| verdict.limit == counts[0].limit);
        let bars = joined(|verdict| format!("{:.2}", verdict.limit));
        let bar = if alike { format!("{:.2}", counts[0].limit) } else { bars };
        let measured = joined(|verdict| match (verdict.met(), verdict.measured) {
            (true, measured) => format!("{measured:.2}"),
            (false, measured) => format!("**{measured:.2}**"),
        });
        table +=
            &format!("| {subject} | {workload} | {against} | {objects} | {bar} | {measured} |\n");
    }
    table
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_for_a_page_has_all_counts_in_a_line_and_what_is_missed_bold() {
        let verdict = |count, measured| Verdict {
            subject: "Arena",
            workload: "walk".to_owned(),
            element_bytes: Some(16),
            count,
            against: "SlotMap".to_owned(),
            limit: 1.0,
            measured,
        };
        let table = markdown(&[verdict(1_000, 0.5), verdict(100_000, 1.25)]);
        let line = table.lines().nth(2);
        let wanted =
            "| Arena | walk, 16 bytes | SlotMap | 1,000 / 100,000 | 1.00 | 0.50 / **1.25** |";
        assert_eq!(line, Some(wanted));
    }
}
