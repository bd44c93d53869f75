//! A page: one file that fetches nothing and opens anywhere, with where and when it was made, and by which versions.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, thread};

use anyhow::{Context, Result};

const STYLE: &str = include_str!("page.css");

/// The versions of the crates in this binary.
const LOCK_FILE: &str = include_str!("../../../../Cargo.lock");

/// Escapes text for HTML and SVG, within elements and within attributes.
pub(crate) fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

/// A whole page around its body.
pub(crate) fn page(title: &str, heading: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>{heading}</h1>\n{body}</body>\n</html>\n"
    )
}

/// When and where a page was made, and whether it is of an optimised build.
pub(crate) fn made_here() -> String {
    let warning = if cfg!(debug_assertions) {
        "; built without optimisation, so that no time here means anything"
    } else {
        ""
    };
    format!("{}; {}{warning}", today(), escape(&machine()))
}

/// Writes a page into a directory, which is created if there is none; the page's path.
pub(crate) fn write_page(directory: &Path, name: &str, page: &str) -> Result<PathBuf> {
    let file = directory.join(name);
    fs::create_dir_all(directory)
        .and_then(|()| fs::write(&file, page))
        .with_context(|| format!("the report {} cannot be written", file.display()))?;
    Ok(file)
}

/// The processor and the system, in one line.
fn machine() -> String {
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
fn today() -> String {
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
    fn nothing_that_means_something_in_html_is_left() {
        assert_eq!(
            escape(r#"<script a="b" c='d'>&amp;</script>"#),
            "&lt;script a=&quot;b&quot; c=&#39;d&#39;&gt;&amp;amp;&lt;/script&gt;"
        );
        assert_eq!(escape("plain × text"), "plain × text");
    }

    #[test]
    fn dates_are_right_at_the_edges_of_months_and_leap_years() {
        for (day, expected) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (364, "1970-12-31"),
            (365, "1971-01-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_777, "2026-11-20"),
        ] {
            assert_eq!(date(day), expected);
        }
    }

    #[test]
    fn every_rival_has_a_version() {
        for package in
            ["slotmap", "thunderdome", "bitarena", "slab", "generational-arena", "gen_map"]
        {
            let version = version(package).expect("the lab is built with every rival");
            assert!(version.split('.').count() == 3, "{package} {version}");
        }
        assert_eq!(version("no-such-crate"), None);
    }
}
