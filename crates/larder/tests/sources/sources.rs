//! `records/sources.md` lists every demand of the sources with its answer: no demand may be missing,
//! and what an answer names must exist.
#![cfg(not(miri))]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use larder_testing::common::{files_below, in_workspace, workspace_text};

/// One demand: its id and the cell that says what answers it.
struct Row {
    id: String,
    answer: String,
}

impl Row {
    /// Returns the names in code spans of the form `kind: name` in the answer.
    fn named(&self, kind: &str) -> Vec<&str> {
        named(&self.answer, kind)
    }
}

fn named<'text>(text: &'text str, kind: &str) -> Vec<&'text str> {
    text.split('`')
        .skip(1)
        .step_by(2)
        .filter_map(|span| span.strip_prefix(kind)?.strip_prefix(": "))
        .collect()
}

fn page() -> String {
    workspace_text("records/sources.md")
}

/// The rows whose first cell is an id: a letter and a number.
fn rows(page: &str) -> Vec<Row> {
    page.lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim);
            let id = cells.next()?;
            let digits = id.strip_prefix(|first: char| first.is_ascii_uppercase())?;
            digits.parse::<u32>().ok()?;
            let answer = cells.nth(1)?;
            assert_eq!(cells.next(), None, "row {id} has more than three cells");
            Some(Row { id: id.to_owned(), answer: answer.to_owned() })
        })
        .collect()
}

/// Every id there is.
fn ids() -> impl Iterator<Item = String> {
    let without = |letter, numbers: core::ops::RangeInclusive<u32>| {
        numbers.map(move |number| format!("{letter}{number}"))
    };
    without('A', 1..=24)
        .chain(without('B', 1..=69))
        .chain(without('C', 1..=19))
        .chain(without('D', 1..=38))
        .chain(without('D', 40..=51))
        .chain(without('E', 1..=28))
        .chain(without('X', 1..=20))
        .chain(without('Y', 1..=22))
        .chain(without('Z', 1..=12))
        .chain(without('T', 1..=15))
}

#[test]
fn every_demand_has_one_row_and_an_answer() {
    let page = page();
    let rows = rows(&page);
    let found: Vec<_> = rows.iter().map(|row| row.id.clone()).collect();
    let unique: BTreeSet<_> = found.iter().cloned().collect();
    assert_eq!(found.len(), unique.len(), "an id has two rows");
    assert_eq!(unique, ids().collect(), "left: the page, right: the sources");
    for Row { id, answer } in &rows {
        let kinds = ["`test: ", "`model: ", "`workload: ", "`page: ", "choice: ", "open: "];
        assert!(kinds.iter().any(|kind| answer.contains(kind)), "{id} has no answer: {answer}");
        assert!(!answer.contains("TODO"), "{id}: {answer}");
    }
}

#[test]
fn every_named_test_exists() {
    let page = page();
    let names = named(&page, "test");
    assert!(names.len() > 100);
    let files = files_below("crates/larder/tests", "rs");
    for name in names.into_iter().filter(|name| *name != "module::name") {
        let (module, function) = name.rsplit_once("::").expect(name);
        let module = module.replace("::", "/");
        let file = format!("/{module}.rs");
        let mut texts = files.iter().filter(|(path, _)| path.ends_with(&file));
        assert!(texts.any(|(_, text)| has_test(text, function)), "there is no test {name}");
    }
}

/// Histories are made of the operations of one `enum`, each of which is done to the container and to its model.
#[test]
fn every_named_operation_is_one_of_histories() {
    let text = workspace_text("crates/larder-testing/src/operation.rs");
    let (operations, _) = text.split_once("impl Operation {").expect("it has functions");
    // (Of the variants, each of which begins a line.)
    let names: BTreeSet<_> = operations
        .lines()
        .filter_map(|line| line.strip_prefix("    ")?.split([',', ' ', '(']).next())
        .filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()))
        .collect();
    assert!(!names.contains("Clone") && !names.contains("Debug"), "{names:?}");
    let page = page();
    let named = named(&page, "model");
    assert!(named.len() > 20, "{named:?}");
    for name in named.into_iter().filter(|name| *name != "Operation") {
        assert!(names.contains(name), "there is no operation {name}");
    }
}

/// Returns whether a file has a test of this name: a function right below `#[test]`, with nothing between but other
/// attributes and words about it, or a text for both containers.
fn has_test(text: &str, function: &str) -> bool {
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    let for_both = format!("test_both!({function}, ");
    let declared = format!("fn {function}() ");
    lines.iter().enumerate().any(|(at, line)| {
        let attributes = lines[..at].iter().rev().take_while(|above| above.starts_with(['#', '/']));
        line.starts_with(&for_both)
            || line.starts_with(&declared)
                && attributes.into_iter().any(|above| *above == "#[test]")
    })
}

#[test]
fn only_tests_count_as_tests() {
    let text = "\
        // fn in_a_comment() {\n\
        fn helper() {}\n\
        #[test]\n\
        /// Words.\n\
        #[cfg_attr(miri, ignore = \"slow\")]\n\
        fn real() {\n\
            fn inner() {}\n\
        }\n\
        // #[test]\n\
        fn switched_off() {}\n\
        // test_both!(both_off, Container => {\n\
        test_both!(both, Container => {\n";
    let names =
        ["in_a_comment", "helper", "real", "inner", "switched_off", "both_off", "both", "rea"];
    let found: Vec<_> = names.into_iter().filter(|name| has_test(text, name)).collect();
    assert_eq!(found, ["real", "both"]);
}

#[test]
fn every_test_with_an_id_is_named_by_its_row() {
    let rows: BTreeMap<_, _> = rows(&page()).into_iter().map(|row| (row.id, row.answer)).collect();
    let files = files_below("crates/larder/tests", "rs");
    let mut carried = BTreeSet::new();
    for (file, text) in files.iter().filter(|(file, _)| file.contains("/rows_")) {
        let module = Path::new(file).file_stem().unwrap().to_str().unwrap();
        let after_test = text.split("#[test]").skip(1);
        for function in after_test.filter_map(|rest| rest.split_once("fn ")?.1.split('(').next()) {
            let ids: Vec<_> = function
                .split('_')
                .map(str::to_uppercase)
                .take_while(|word| rows.contains_key(word))
                .collect();
            assert!(!ids.is_empty(), "{module}::{function} begins with no id");
            for id in ids {
                let span = format!("`test: {module}::{function}`");
                assert!(rows[&id].contains(&span), "row {id} does not name {span}");
                carried.insert(id);
            }
        }
    }
    assert!(carried.len() > 50, "{carried:?}");
}

/// The names in the table of workloads, which is what is measured.
fn workloads() -> BTreeSet<String> {
    let text = workspace_text("crates/larder-lab/src/compare/workload.rs");
    let table = text.split_once("const WORKLOADS: &[Workload] = &[").expect("there is a table").1;
    let table = table.split_once("\n];").expect("the table has an end").0;
    let names = table.lines().filter_map(|line| {
        let name = line.trim().strip_prefix("workload(\"")?;
        Some(name.split_once('"')?.0.to_owned())
    });
    names.collect()
}

#[test]
fn every_named_workload_is_measured() {
    let measured = workloads();
    assert!(measured.len() > 20, "{measured:?}");
    for row in rows(&page()) {
        for workload in row.named("workload") {
            assert!(measured.contains(workload), "{}: no workload {workload}", row.id);
        }
    }
}

#[test]
fn every_named_page_exists() {
    for row in rows(&page()) {
        for path in row.named("page") {
            assert!(in_workspace(path).exists(), "{}: no {path}", row.id);
        }
    }
}
