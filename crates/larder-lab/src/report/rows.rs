//! The results of measurements, a row a number: for the tables on the terminal, the file, and the bars.

use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::say;
use crate::cli::made_by;

/// One measured value, as the JSON file has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The study's name; `compare` has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) study: Option<String>,
    pub(crate) workload: String,
    /// A sentence about the workload, for a reader of the tables.
    #[serde(skip)]
    pub(crate) about: &'static str,
    /// The size of an element, where it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) element_bytes: Option<usize>,
    pub(crate) count: usize,
    /// The subject's name, and how it is used if there are several ways.
    pub(crate) subject: String,
    /// Nanoseconds per operation, or what else the workload counts: the median of the rounds.
    pub(crate) ns: f64,
    /// The median of the rounds' ratios to what the first subject took in the same round.
    #[serde(alias = "ratio_to_vec")]
    pub(crate) ratio: f64,
    /// The distance between the quartiles of the rounds, as a share of the median.
    pub(crate) spread: f64,
}

/// Ends a job: writes rows to a file as JSON, if there is one, and says so, and how to do the same again.
pub(crate) fn write_rows<R: Serialize>(file: Option<&Path>, rows: &[R]) -> Result<()> {
    if let Some(file) = file {
        std::fs::write(file, lines_of_json(rows)?)
            .with_context(|| format!("cannot write {}", file.display()))?;
        say(format_args!("The numbers are in {}.\n", file.display()))?;
    }
    say(made_by())
}

/// Rows as JSON, one on a line.
fn lines_of_json<R: Serialize>(rows: &[R]) -> Result<String> {
    let lines: Vec<String> = rows.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    Ok(format!("[\n{}\n]\n", lines.join(",\n")))
}

#[cfg(test)]
impl Row {
    /// A row for a test.
    pub(crate) fn of(study: &str, workload: &str, subject: &str, count: usize, ns: f64) -> Self {
        let [workload, subject] = [workload, subject].map(str::to_owned);
        let study = Some(study.to_owned());
        Self { study, workload, subject, count, ns, ratio: ns / 2.0, ..Self::default() }
    }

    /// The same of `compare`, with elements of 16 bytes.
    pub(crate) fn compared(workload: &str, subject: &str, count: usize, ns: f64) -> Self {
        Self { study: None, element_bytes: Some(16), ..Self::of("", workload, subject, count, ns) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_the_fields_of_its_contract() {
        let rows = [
            Row::compared("churn", "Arena", 1000, 2.5),
            Row::of("side", "walk, 1 %", "SecondaryMap", 1000, 2.5),
        ];
        let text = lines_of_json(&rows).expect("numbers can be written");
        let value: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        let expected = serde_json::json!([{
            "workload": "churn", "element_bytes": 16, "count": 1000, "subject": "Arena",
            "ns": 2.5, "ratio": 1.25, "spread": 0.0
        }, {
            "study": "side", "workload": "walk, 1 %", "count": 1000, "subject": "SecondaryMap",
            "ns": 2.5, "ratio": 1.25, "spread": 0.0
        }]);
        assert_eq!(value, expected);
        // Earlier files of `compare` call the ratio by its other name.
        for text in [text.replacen("\"ratio\"", "\"ratio_to_vec\"", 1), text] {
            let back: Vec<Row> = serde_json::from_str(&text).expect("it can be read back");
            assert_eq!(back, rows);
        }
    }
}
