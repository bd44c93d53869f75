//! Tables of text for the terminal.

use std::io::{self, IsTerminal};

/// A table whose first columns are aligned to the left, the others to the right.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    /// How many columns are aligned to the left.
    pub(crate) left: usize,
    /// Whether there is a line below the header.
    pub(crate) rule: bool,
    /// The columns' names, which may have several lines.
    pub(crate) header: Vec<String>,
    /// The cells; missing ones are empty. One that ends with `*` is bold on a terminal.
    pub(crate) lines: Vec<Vec<String>>,
}

impl Grid {
    /// The whole table, each line ended.
    pub(crate) fn text(&self) -> String {
        let width = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.header.len())
            .map(|at| {
                let cells =
                    self.lines.iter().filter_map(|line| line.get(at)).map(|cell| width(cell));
                cells.fold(width(&self.header[at]), usize::max)
            })
            .collect();
        let height = self.header.iter().map(|name| name.lines().count()).max().unwrap_or(0);
        let mut text = String::new();
        for at in 0..height {
            let part = |name: &String| name.lines().nth(at).unwrap_or("").to_owned();
            text += &self.line(&self.header.iter().map(part).collect::<Vec<_>>(), &widths);
        }
        if self.rule {
            text += &format!(
                "{}\n",
                "─".repeat(widths.iter().map(|width| width + 2).sum::<usize>() - 2)
            );
        }
        self.lines.iter().for_each(|line| text += &self.line(line, &widths));
        text
    }

    fn line(&self, cells: &[String], widths: &[usize]) -> String {
        let bold = io::stdout().is_terminal();
        let mut line = String::new();
        for (at, (cell, &width)) in cells.iter().zip(widths).enumerate() {
            let padded =
                if at < self.left { format!("{cell:<width$}") } else { format!("{cell:>width$}") };
            let (on, off) =
                if bold && cell.ends_with('*') { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
            line += &format!("{on}{padded}{off}  ");
        }
        format!("{}\n", line.trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_as_wide_as_their_widest_cell() {
        let line = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let grid = Grid {
            left: 1,
            rule: true,
            header: line(["", "larder\nArena", "µ"]),
            lines: vec![line(["insert", "1.00", "12 ns"]), line(["walk", "12.00*", "·"])],
        };
        let lines = [
            "        larder      µ",
            "         Arena",
            "─────────────────────",
            "insert    1.00  12 ns",
            "walk    12.00*      ·",
        ];
        assert_eq!(grid.text().lines().collect::<Vec<_>>(), lines);
    }
}
