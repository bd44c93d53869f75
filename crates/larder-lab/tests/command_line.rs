//! The binary as its user meets it: what it prints, what it writes, and the code it ends with.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use flate2::Compression;
use flate2::write::GzEncoder;

/// A directory of its own for each test, gone when the test is over.
struct Directory(PathBuf);

impl Directory {
    fn new(test: &str) -> Self {
        let name = format!("larder-lab-{test}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("the temporary directory can be written");
        Self(path)
    }

    fn write(&self, name: &str, contents: &[u8]) -> PathBuf {
        let file = self.0.join(name);
        fs::write(&file, contents).expect("the temporary directory can be written");
        file
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// `cargo run` in the workspace, as the README has it, runs the lab, whatever other programs there are.
#[test]
fn the_lab_is_what_cargo_runs() {
    let described = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version=1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let described = String::from_utf8(described.stdout).expect("JSON is text");
    let named: Vec<&str> = described
        .split("\"default_run\":")
        .skip(1)
        .filter(|rest| !rest.starts_with("null"))
        .map(|rest| rest.split(',').next().unwrap_or(rest))
        .collect();
    assert_eq!(named, ["\"larder-lab\""]);
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("a Vec takes everything");
    encoder.finish().expect("a Vec takes everything")
}

fn lab(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_larder-lab"))
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("the binary was just built")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Replays a file that must be refused, and gives the message.
fn refused(directory: &Directory, file: &Path) -> String {
    let file = file.to_str().expect("the name is plain");
    let output = lab(&directory.0, &["replay", "--trace", file]);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.starts_with("error: trace "), "{message}");
    assert!(message.contains(file), "{message}");
    assert!(!message.contains("panicked"), "{message}");
    assert!(!directory.0.join("target").exists(), "there is no report");
    message
}

#[test]
fn a_small_trace_is_replayed_and_reported() {
    let directory = Directory::new("good");
    // Six objects of 24 bytes come and go, 3,000 times over: more than three windows.
    let rounds = [[48_u8; 6], [11, 9, 7, 5, 3, 1]].concat().repeat(3_000);
    let recording = [b"LTRACE1\n".as_slice(), &rounds].concat();
    directory.write("mine.ltrace.gz", &gzip(&recording));
    let flags = "replay --trace mine.ltrace.gz --rounds 1 --report out/here";
    let output = lab(&directory.0, &flags.split(' ').collect::<Vec<_>>());
    assert!(output.status.success(), "{}", stderr(&output));
    let printed = String::from_utf8_lossy(&output.stdout);
    for part in [
        "\nmine\n",
        "36,000 events, 18,000 objects, at most 6 live; 3 walks",
        "stale answers",
        "out/here/replay.html",
        "cargo run --release -- compare --quick",
    ] {
        assert!(printed.contains(part), "{part} is not in\n{printed}");
    }
    let page = directory.0.join("out/here/replay.html");
    let page = fs::read_to_string(page).expect("the report is where the lab said");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<h2>mine</h2>"));
    assert!(!page.contains("http"), "the page fetches nothing");
}

#[test]
fn what_is_no_recording_is_refused() {
    let directory = Directory::new("refused");
    let whole = gzip(b"LTRACE1\n\x30\x30\x01\x03");
    for (file, part) in [
        (PathBuf::from("nowhere.ltrace.gz"), "cannot be read"),
        (directory.0.clone(), "cannot be read"),
        (directory.write("half.gz", &whole[..whole.len() - 9]), "cut short"),
        (
            directory.write("corrupt.gz", &gzip(b"LTRACE1\n\x30\x01\x01")),
            "frees object 0 a second time",
        ),
        (directory.write("other.gz", &gzip(b"something else")), "LTRACE1"),
    ] {
        let message = refused(&directory, &file);
        assert!(message.contains(part), "{message} does not say: {part}");
    }
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let directory = Directory::new("unwritable");
    directory.write("mine.gz", &gzip(b"LTRACE1\n\x30\x01"));
    directory.write("file", b"in the way");
    let flags = "replay --trace mine.gz --rounds 1 --report file/below";
    let output = lab(&directory.0, &flags.split(' ').collect::<Vec<_>>());
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("replay.html cannot be written"));
}

#[test]
fn tails_are_measured_in_other_processes_and_judged() {
    let directory = Directory::new("tail");
    let flags = "tail --inserts 20000 --rounds 2 --store Vec --report out --json tail.json";
    let mut flags: Vec<_> = flags.split(' ').collect();
    flags.extend(["--store", "Arena reserved"]);
    let output = lab(&directory.0, &flags);
    assert!(output.status.success(), "{}", stderr(&output));
    let printed = String::from_utf8_lossy(&output.stdout);
    for part in ["from empty to 20,000; the best of 2 rounds", "nothing", "Vec", "Arena reserved"] {
        assert!(printed.contains(part), "{part} is not in\n{printed}");
    }
    assert!(!printed.contains("SlotMap"), "it was not asked for:\n{printed}");
    let page = fs::read_to_string(directory.0.join("out/tail.html")).expect("there is a page");
    assert_eq!(page.matches("<polyline").count(), 3);

    let bars = lab(&directory.0, &["bars", "tail.json"]);
    assert!(bars.status.success(), "{}", stderr(&bars));
    let bars = String::from_utf8_lossy(&bars.stdout);
    assert!(bars.contains("tail: worst"), "{bars}");
}

/// Allocations are not counted while they are timed, and are where bytes are what is asked for.
#[test]
fn compare_counts_bytes_and_its_file_is_judged() {
    let directory = Directory::new("compare");
    let flags = "compare --quick --workload bytes --bytes 64 --count 1000 --json rows.json";
    let output = lab(&directory.0, &flags.split(' ').collect::<Vec<_>>());
    assert!(output.status.success(), "{}", stderr(&output));
    let rows = fs::read_to_string(directory.0.join("rows.json")).expect("there are rows");
    let rows: serde_json::Value = serde_json::from_str(&rows).expect("they are JSON");
    let rows = rows.as_array().expect("they are a list");
    assert!(rows.len() > 5 && rows.iter().all(|row| row["ns"].as_f64() >= Some(64.0)), "{rows:?}");

    let bars = lab(&directory.0, &["bars", "rows.json"]);
    assert!(bars.status.success(), "{}", stderr(&bars));
    assert!(String::from_utf8_lossy(&bars.stdout).contains("bytes beside slot"));
}

/// All subjects of `compare` give the same answers at every workload. (A test for each size of elements, so that they
/// run side by side.)
macro_rules! all_agree {
    ($($name:ident: $bytes:literal;)*) => {$(
        #[test]
        fn $name() {
            let output = lab(&std::env::temp_dir(), &["agree", $bytes]);
            assert!(output.status.success(), "{}", stderr(&output));
        }
    )*};
}

all_agree! {
    all_agree_with_elements_of_4: "4";
    all_agree_with_elements_of_16: "16";
    all_agree_with_elements_of_64: "64";
    all_agree_with_elements_of_128: "128";
    all_agree_with_elements_of_1024: "1024";
}

/// A job that is made of studies prints its tables, and its file is judged.
#[cfg(feature = "studies")]
#[test]
fn studies_are_measured_and_their_file_is_judged() {
    let directory = Directory::new("studies");
    let flags = "beside --quick --study side --count 1000 --json rows.json";
    let output = lab(&directory.0, &flags.split(' ').collect::<Vec<_>>());
    assert!(output.status.success(), "{}", stderr(&output));
    let printed = String::from_utf8_lossy(&output.stdout);
    for part in ["**side, `join2, 10 %`**: ", "| slotmap SecondaryMap | ", &format!("-- {flags}")] {
        assert!(printed.contains(part), "{part} is not in\n{printed}");
    }

    let bars = lab(&directory.0, &["bars", "rows.json"]);
    assert!(bars.status.success(), "{}", stderr(&bars));
    assert!(String::from_utf8_lossy(&bars.stdout).contains("walk, 50 %"));
}

#[cfg(feature = "studies")]
#[test]
fn a_study_that_does_not_exist_is_refused() {
    let directory = Directory::new("study");
    let output = lab(&directory.0, &["beside", "--study", "tock"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no study `tock`"), "{}", stderr(&output));
}

#[cfg(not(feature = "studies"))]
#[test]
fn a_build_without_studies_names_the_command_that_has_them() {
    let directory = Directory::new("no-studies");
    for flags in [&["columns", "--quick"][..], &["beside"], &["find"], &["keep"]] {
        let output = lab(&directory.0, flags);
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        let message = stderr(&output);
        let command = format!("cargo run --release --features studies -- {}", flags[0]);
        assert!(message.contains(&command), "{message}");
    }
}

/// Their files are judged all the same.
#[test]
fn a_file_of_a_study_is_judged() {
    let directory = Directory::new("judged");
    let row = |subject, ns| {
        format!(
            r#"{{"study": "side", "workload": "walk, 1 %", "count": 9, "subject": "{subject}", "ns": {ns},
            "ratio": {ns}, "spread": 0.0}}"#
        )
    };
    let rows = [row("slotmap SecondaryMap", "1.0"), row("SecondaryMap", "1.5")];
    directory.write("rows.json", format!("[{}]", rows.join(",")).as_bytes());
    let bars = lab(&directory.0, &["bars", "rows.json", "--markdown"]);
    assert!(bars.status.success(), "{}", stderr(&bars));
    let line = "| SecondaryMap | walk, 1 % | slotmap SecondaryMap | 9 | 1.00 | **1.50** |";
    assert!(String::from_utf8_lossy(&bars.stdout).contains(line));
}

/// The tables of the records are those that `bars` prints of three runs, no line more and none less.
#[test]
fn records_have_the_tables_of_the_runs_that_they_name() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../records"));
    let run = "runs/2026-11-26-medians";
    for (page, job) in [("finding.md", "find"), ("beside.md", "beside")] {
        let files = [1, 2, 3].map(|time| format!("{run}/{job}-{time}.json"));
        let output = lab(root, &["bars", "--markdown", &files[0], &files[1], &files[2]]);
        let printed = String::from_utf8_lossy(&output.stdout);
        let text = fs::read_to_string(root.join(page)).expect("there is the page");
        assert!(text.contains(run), "{page} names its runs");
        let cells = printed.lines().next().map_or(0, |head| head.matches('|').count());
        let is_bar = |line: &&str| line.matches('|').count() == cells && !line.starts_with("| ---");
        let bars = |text: &str| -> Vec<String> {
            let mut bars: Vec<String> = text.lines().filter(is_bar).map(str::to_owned).collect();
            bars.retain(|line| !line.starts_with("| subject"));
            bars.sort_unstable();
            bars
        };
        assert_eq!(bars(&text), bars(&printed), "{page}");
    }
}

#[test]
fn a_store_that_does_not_exist_is_refused() {
    let directory = Directory::new("store");
    let output = lab(&directory.0, &["tail", "--store", "Vecc"]);
    assert_eq!(output.status.code(), Some(2));
    let refusal = "there is no store `Vecc`; there are nothing, Vec,";
    assert!(stderr(&output).contains(refusal), "{}", stderr(&output));
}

#[test]
fn flags_that_do_not_exist_are_refused() {
    let directory = Directory::new("flags");
    let output = lab(&directory.0, &["replay", "--laps", "3"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--laps"));
}
