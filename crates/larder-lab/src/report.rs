//! What jobs write: tables for the terminal, pages with charts, files of rows. Nothing here knows a
//! job.

pub(crate) mod curves;
pub(crate) mod html;
mod machine;
pub(crate) mod rows;
pub(crate) mod svg;
pub(crate) mod table;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

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
