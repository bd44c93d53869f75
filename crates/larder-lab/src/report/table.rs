//! Tables: as text for the terminal, in HTML for a page, in Markdown for a document.

use std::io::{self, IsTerminal};

use super::page::escape;

/// A table whose first columns are aligned to the left, the others to the right.
#[derive(Debug)]
pub(crate) struct Table {
    /// The number of columns that are aligned to the left.
    left: usize,
    /// True if there is a line below the header, on a terminal.
    rule: bool,
    /// The columns' names, which may have several lines.
    header: Vec<String>,
    /// The cells; missing ones are empty.
    lines: Vec<Vec<Cell>>,
}

/// A number in a table, as a reader sees it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    pub(crate) text: String,
    /// True if no other cell of its row is better, as far as the text tells; `None` if none is better or worse.
    pub(crate) best: Option<bool>,
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, best: None }
    }
}

/// The cells of a row. The smallest is the best, and so are those with the same text.
pub(crate) fn cells<T: PartialOrd>(values: &[T], text: impl Fn(&T) -> String) -> Vec<Cell> {
    let smallest =
        values.iter().reduce(|least, value| if value < least { value } else { least }).map(&text);
    let texts = values.iter().map(&text);
    texts.map(|text| Cell { best: Some(Some(&text) == smallest.as_ref()), text }).collect()
}

impl Cell {
    /// The text, with a mark if it is the best, and a place for it if it could be.
    fn marked(&self) -> String {
        let mark = self.best.map_or("", |best| if best { "*" } else { " " });
        format!("{}{mark}", self.text)
    }

    fn is_best(&self) -> bool {
        self.best == Some(true)
    }
}

impl Table {
    pub(crate) fn new<N: Into<String>>(
        left: usize,
        header: impl IntoIterator<Item = N>,
        lines: impl IntoIterator<Item = Vec<Cell>>,
    ) -> Self {
        let (header, lines) = (header.into_iter().map(N::into), lines.into_iter());
        Self { left, rule: false, header: header.collect(), lines: lines.collect() }
    }

    /// With a line below the header, on a terminal.
    pub(crate) fn ruled(self) -> Self {
        Self { rule: true, ..self }
    }

    /// The whole table for a terminal, each line ended; the best are bold there.
    pub(crate) fn text(&self) -> String {
        let width = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        let column = |at: usize| {
            let cells = self.lines.iter().filter_map(|line| line.get(at));
            cells.map(|cell| width(&cell.marked())).fold(width(&self.header[at]), usize::max)
        };
        let widths: Vec<usize> = (0..self.header.len()).map(column).collect();
        let height = self.header.iter().map(|name| name.lines().count()).max().unwrap_or(0);
        let mut text = String::new();
        for at in 0..height {
            let part = |name: &String| Cell::from(name.lines().nth(at).unwrap_or("").to_owned());
            text += &self.line(&self.header.iter().map(part).collect::<Vec<_>>(), &widths);
        }
        if self.rule {
            let width = widths.iter().map(|width| width + 2).sum::<usize>() - 2;
            text += &format!("{}\n", "─".repeat(width));
        }
        self.lines.iter().for_each(|line| text += &self.line(line, &widths));
        text
    }

    fn line(&self, cells: &[Cell], widths: &[usize]) -> String {
        let terminal = io::stdout().is_terminal();
        let mut line = String::new();
        for (at, (cell, &width)) in cells.iter().zip(widths).enumerate() {
            let text = cell.marked();
            let padded =
                if at < self.left { format!("{text:<width$}") } else { format!("{text:>width$}") };
            let bold = terminal && cell.is_best();
            let (on, off) = if bold { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
            line += &format!("{on}{padded}{off}  ");
        }
        format!("{}\n", line.trim_end())
    }

    /// For a page.
    pub(crate) fn html(&self) -> String {
        let head = |head: &String| format!("<th>{}</th>", escape(head).replace('\n', "<br>"));
        let cell = |cell: &Cell| {
            let class = if cell.is_best() { " class=\"best\"" } else { "" };
            format!("<td{class}>{}</td>", escape(&cell.text))
        };
        let line =
            |line: &Vec<Cell>| format!("<tr>{}</tr>\n", line.iter().map(cell).collect::<String>());
        let heads: String = self.header.iter().map(head).collect();
        let lines: String = self.lines.iter().map(line).collect();
        format!("<div class=\"scroll\"><table>\n<tr>{heads}</tr>\n{lines}</table></div>\n")
    }

    /// For a document.
    pub(crate) fn markdown(&self) -> String {
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
        };
        let rule = |at| if at < self.left { "---" } else { "---:" };
        let lines = self.lines.iter();
        line(&mut self.header.iter().map(String::as_str))
            + &line(&mut (0..self.header.len()).map(rule))
            + &lines
                .map(|cells| line(&mut cells.iter().map(|cell| &*cell.text)))
                .collect::<String>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let best = |text: &str, best| Cell { text: text.to_owned(), best };
        let lines = [
            vec![best("insert", None), best("1.00", Some(false)), best("12 <ns>", None)],
            vec![best("walk", None), best("12.00", Some(true)), best("·", None)],
        ];
        Table::new(1, ["", "larder\nArena", "µ"], lines).ruled()
    }

    #[test]
    fn columns_are_aligned_and_as_wide_as_their_widest_cell() {
        let lines = [
            "        larder        µ",
            "         Arena",
            "───────────────────────",
            "insert   1.00   12 <ns>",
            "walk    12.00*        ·",
        ];
        assert_eq!(table().text().lines().collect::<Vec<_>>(), lines);
    }

    #[test]
    fn pages_and_documents_have_the_same_cells() {
        let html = table().html();
        assert!(html.contains("<th>larder<br>Arena</th>"), "{html}");
        assert!(html.contains("<td>12 &lt;ns&gt;</td>"), "{html}");
        assert!(html.contains("<td class=\"best\">12.00</td>"), "{html}");
        let one = Table { header: vec![String::new(), "a".to_owned()], ..table() };
        let start = "|  | a |\n| --- | ---: |\n| insert | 1.00 |";
        assert!(one.markdown().starts_with(start), "{}", one.markdown());
    }

    #[test]
    fn the_smallest_is_the_best_and_so_is_what_reads_the_same() {
        let cells = cells(&[1.004, 1.0, 1.5], |value| format!("{value:.2}"));
        let best: Vec<_> = cells.iter().map(Cell::is_best).collect();
        assert_eq!(best, [true, true, false]);
    }
}
