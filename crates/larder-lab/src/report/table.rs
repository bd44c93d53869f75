//! The tables on the terminal.

use comfy_table::{
    Attribute, Cell, CellAlignment, ContentArrangement, LineStyle, Table, TableStyle,
};

use super::{Row, facts, rounds, rows};
use crate::replay::TraceResults;

/// The tables of a replay, one a recording, and how to read them.
pub(crate) fn replay(results: &[TraceResults]) -> String {
    let mut text = String::new();
    for trace in results {
        text.push_str(&format!("\n{}\n{}\n{}\n", headline(trace), facts(trace), table(trace)));
    }
    text.push_str(HOW_TO_READ);
    text
}

const HOW_TO_READ: &str = "
*                 the best of its row
per event …       as ratios: the fastest takes what stands under \"1.00 is\". An event is an insert,
                  or a remove and one look-up of the handle that just died; look-ups are of live
                  objects, in the order in which the program freed them
noise             how far apart the middle half of a container's rounds lie, at worst in the row:
                  smaller differences mean nothing
bytes per object  all memory of the containers for each live object, on average over all walks
stale answers     how often a handle still found a value after its object was gone: each is tried
                  right then, and again at the end of its 10,000 events

";

fn headline(trace: &TraceResults) -> String {
    if trace.about.is_empty() {
        trace.name.clone()
    } else {
        format!("{}: {}", trace.name, trace.about)
    }
}

/// One line below the header, and nothing else.
pub(super) const STYLE: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

fn table(trace: &TraceResults) -> Table {
    let mut table = Table::new();
    table
        .load_style(STYLE)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(header(trace))
        .add_rows(rows(trace).iter().map(line));
    for column in table.column_iter_mut() {
        column.set_padding((0, 1));
    }
    table
}

fn header(trace: &TraceResults) -> Vec<Cell> {
    let mut header = vec![Cell::new(rounds(trace.rounds)), right("1.00 is")];
    header.extend(trace.labels.iter().map(|label| right(label.heading)));
    header.push(right("noise"));
    header
}

fn line(row: &Row) -> Vec<Cell> {
    let mut line = vec![Cell::new(&row.name), right(&row.unit)];
    line.extend(row.cells.iter().map(|cell| {
        if cell.best {
            right(format!("{}*", cell.text)).add_attribute(Attribute::Bold)
        } else {
            right(format!("{} ", cell.text))
        }
    }));
    line.push(right(&row.noise));
    line
}

fn right(text: impl ToString) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Right)
}
