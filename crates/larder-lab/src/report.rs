//! What jobs write: tables for the terminal, pages with charts, files of rows. Nothing here knows a
//! job.

pub(crate) mod curves;
pub(crate) mod grid;
pub(crate) mod html;
mod machine;
pub(crate) mod svg;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

/// A number in a table, as a reader sees it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    pub(crate) text: String,
    /// Whether no other cell of its row is better, as far as the text tells.
    pub(crate) best: bool,
}

impl Cell {
    /// The text, with a mark if it is the best.
    pub(crate) fn marked(&self) -> String {
        format!("{}{}", self.text, if self.best { "*" } else { " " })
    }
}

/// The cells of a row. The smallest is the best, and so are those with the same text.
pub(crate) fn cells<T: PartialOrd>(values: &[T], text: impl Fn(&T) -> String) -> Vec<Cell> {
    let smallest =
        values.iter().reduce(|least, value| if value < least { value } else { least }).map(&text);
    values
        .iter()
        .map(&text)
        .map(|text| Cell { best: Some(&text) == smallest.as_ref(), text })
        .collect()
}

/// The number of rounds, in words.
pub(crate) fn rounds(rounds: usize) -> String {
    format!("{rounds} round{}", if rounds == 1 { "" } else { "s" })
}

/// Writes a page into a directory, which is created if there is none; the page's path.
pub(crate) fn write_page(directory: &Path, name: &str, page: &str) -> Result<PathBuf> {
    let file = directory.join(name);
    std::fs::create_dir_all(directory)
        .and_then(|()| std::fs::write(&file, page))
        .with_context(|| format!("the report {} cannot be written", file.display()))?;
    Ok(file)
}

/// Writes rows to a file as JSON, if there is one, and says so.
#[expect(clippy::print_stdout, reason = "the user asked for the file")]
pub(crate) fn write_rows<R: Serialize>(file: Option<&Path>, rows: &[R]) -> Result<()> {
    let Some(file) = file else {
        return Ok(());
    };
    std::fs::write(file, lines_of_json(rows)?)
        .with_context(|| format!("cannot write {}", file.display()))?;
    println!("\nThe numbers are in {}.", file.display());
    Ok(())
}

/// Rows as JSON, one on a line.
pub(crate) fn lines_of_json<R: Serialize>(rows: &[R]) -> Result<String> {
    let lines: Vec<String> = rows.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    Ok(format!("[\n{}\n]\n", lines.join(",\n")))
}
