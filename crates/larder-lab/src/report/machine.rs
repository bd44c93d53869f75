//! Where and when a run was made, and with which versions.

use std::fs;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

/// The versions of the crates in this binary.
const LOCK_FILE: &str = include_str!("../../../../Cargo.lock");

/// The processor and the system, in one line.
pub(crate) fn machine() -> String {
    let cores = thread::available_parallelism().map_or(1, core::num::NonZero::get);
    format!(
        "{} ({cores} cores), {} {}",
        processor().unwrap_or_else(|| "unknown processor".into()),
        std::env::consts::OS,
        std::env::consts::ARCH,
    )
}

/// The processor's name, if the system has a file with it.
fn processor() -> Option<String> {
    let info = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The version of a crate that is in this binary.
pub(crate) fn version(package: &str) -> Option<&'static str> {
    let name = format!("name = \"{package}\"");
    let mut lines = LOCK_FILE.lines().skip_while(|line| *line != name);
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')
}

/// Today's date, in universal time.
pub(crate) fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    date(now.map_or(0, |since| since.as_secs() / 86_400))
}

/// The date so many days after 1970-01-01.
fn date(mut day: u64) -> String {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < days {
            break;
        }
        day -= days;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_right_at_the_edges_of_months_and_leap_years() {
        let dates = [0, 58, 59, 364, 365, 11_016, 11_017, 19_782, 20_777].map(date);
        assert_eq!(
            dates,
            [
                "1970-01-01",
                "1970-02-28",
                "1970-03-01",
                "1970-12-31",
                "1971-01-01",
                "2000-02-29",
                "2000-03-01",
                "2024-02-29",
                "2026-11-20",
            ]
        );
    }

    #[test]
    fn every_rival_has_a_version() {
        for package in ["slotmap", "thunderdome", "slab", "generational-arena", "gen_map"] {
            let version = version(package).expect("the lab is built with every rival");
            assert!(version.split('.').count() == 3, "{package} {version}");
        }
        assert_eq!(version("no-such-crate"), None);
    }
}
