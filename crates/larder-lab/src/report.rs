//! The output of jobs: tables for the terminal, pages with charts, files of rows. Nothing here knows a job.

pub(crate) mod chart;
pub(crate) mod page;
pub(crate) mod rows;
pub(crate) mod table;

use core::fmt::Display;
use std::io::{self, Write};

use indicatif::HumanCount;

use crate::measure::stats::significant;

/// Prints a line; a closed pipe (`| head`) is not an error.
pub(crate) fn say(text: impl Display) -> anyhow::Result<()> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// The number of rounds, in words.
pub(crate) fn rounds(rounds: usize) -> String {
    format!("{rounds} round{}", if rounds == 1 { "" } else { "s" })
}

/// A number with a comma between each three digits.
pub(crate) fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

/// A number of which so many digits are of interest: it has as many, or all before the point.
pub(crate) fn digits(number: f64, digits: usize) -> String {
    let whole = match significant(number, digits) {
        ..1.0 => 0,
        rounded => rounded.log10() as usize + 1,
    };
    if whole < digits {
        format!("{number:.*}", digits - whole)
    } else {
        grouped(number.round() as u64)
    }
}

/// A time in the unit that suits it.
pub(crate) fn duration(ns: f64, of_interest: usize) -> String {
    let (number, unit) = match significant(ns, of_interest) {
        ..1e3 => (ns, "ns"),
        ..1e6 => (ns / 1e3, "µs"),
        ..1e9 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    };
    format!("{} {unit}", digits(number, of_interest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let texts = [0, 999, 1_000, 1_032_813].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,032,813"]);
    }

    #[test]
    fn numbers_have_the_digits_of_interest() {
        let three = [0.0, 0.0012, 0.614, 0.9996, 9.994, 9.996, 12.34, 99.96, 429.4, 1234.0];
        let texts =
            ["0.000", "0.001", "0.614", "1.00", "9.99", "10.0", "12.3", "100", "429", "1,234"];
        assert_eq!(three.map(|number| digits(number, 3)), texts);
        assert_eq!([0.25, 1.0, 9.96].map(|number| digits(number, 2)), ["0.25", "1.0", "10"]);
    }

    #[test]
    fn times_have_the_unit_that_suits_them() {
        let times = [9.96, 15.04, 999.4, 999.6, 1_331.0, 99_960.0, 737_886.0, 3.377e8, 1.5e9];
        let texts = [
            "9.96 ns", "15.0 ns", "999 ns", "1.00 µs", "1.33 µs", "100 µs", "738 µs", "338 ms",
            "1.50 s",
        ];
        assert_eq!(times.map(|time| duration(time, 3)), texts);
        assert_eq!(
            [1.0, 10.0, 1e3, 1e5, 1e9].map(|time| duration(time, 1)),
            ["1 ns", "10 ns", "1 µs", "100 µs", "1 s"]
        );
    }
}
