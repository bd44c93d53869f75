//! Programs that must not compile do not, and the compiler says why in words that help.
#![cfg(not(miri))]

use std::path::{Path, PathBuf};
use std::process::Command;

use larder_testing::compiled;

/// The compiler whose messages are kept beside the programs. `BLESS=1 cargo test -p larder --test ui` keeps new ones.
const COMPILER: &str = "rustc 1.95.";

/// The directories of the programs, each with its messages beside it. No two have the same name.
const DIRECTORIES: [&str; 2] = ["tests/ui", "tests/ui/derive"];

/// The lines at the end of all messages, and the notes about parts that the compiler left out.
const NOISE: [&str; 5] = [
    "error: aborting due to",
    "Some errors have detailed",
    "For more information about",
    "= note: the full name for the type has been written to",
    "= note: consider using `--verbose`",
];

#[test]
fn misuse_does_not_compile() {
    let (larder, same_compiler) = (library(), compiled::version().starts_with(COMPILER));
    let programs = programs();
    assert!(programs.len() > 5, "{programs:?}");
    let mut wrong = Vec::new();
    for program in programs {
        let file = compiled::kept(".").join("..").join(&program).with_extension("stderr");
        let said = messages(&program, &larder);
        if compiled::bless() {
            std::fs::write(&file, &said).expect("the messages are written");
        }
        let kept = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(!errors(&said).is_empty(), "{} compiles", program.display());
        // Another compiler may use other words, but reports the same errors.
        if errors(&said) != errors(&kept) || same_compiler && said != kept {
            wrong.push(format!("{} was kept as:\n{kept}\nand says:\n{said}", program.display()));
        }
    }
    assert!(wrong.is_empty(), "{}\nif that is well, say BLESS=1", wrong.join("\n"));
}

/// The library that the tests are linked to.
fn library() -> PathBuf {
    let artifacts = compiled::workspace(Path::new(env!("CARGO_TARGET_TMPDIR")));
    let mut files = artifacts.lines().filter_map(|line| {
        let artifact: serde_json::Value = serde_json::from_str(line).ok()?;
        let target = &artifact["target"];
        let is_larder = target["name"] == "larder" && target["kind"][0] == "lib";
        let file = artifact["filenames"].as_array()?.iter().find_map(|file| file.as_str())?;
        is_larder.then(|| PathBuf::from(file))
    });
    files.next().expect("cargo says where the library is")
}

/// The programs, as the compiler is told of them and names them.
fn programs() -> Vec<PathBuf> {
    let entries = DIRECTORIES.map(|place| {
        let place = Path::new(place);
        let files = Path::new(env!("CARGO_MANIFEST_DIR")).join(place).read_dir();
        files.expect("it is here").map(|file| place.join(file.expect("it can be read").file_name()))
    });
    let mut programs: Vec<_> = entries.into_iter().flatten().collect();
    programs.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    programs.sort_unstable();
    programs
}

/// Returns the compiler's messages about a program, with nothing of this machine in them.
fn messages(program: &Path, larder: &Path) -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let dependencies = larder.with_file_name("");
    let output = Command::new(&rustc)
        .args(["--edition=2024", "--crate-type=bin", "--emit=metadata", "-Adead_code", "-L"])
        .arg(format!("dependency={}", dependencies.join("deps").display()))
        .arg("-L")
        .arg(format!("dependency={}", dependencies.display()))
        .arg("--extern")
        .arg(format!("larder={}", larder.display()))
        .args(["--out-dir", env!("CARGO_TARGET_TMPDIR")])
        .arg(program)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the compiler runs");
    let (said, mut kept) = (String::from_utf8_lossy(&output.stderr), String::new());
    let mut is_elsewhere = false;
    for line in said.lines().filter(|line| !NOISE.iter().any(|noise| line.contains(noise))) {
        let text = line.trim_start();
        if is_elsewhere && text.starts_with(|c: char| c.is_ascii_digit() || "|.".contains(c)) {
            continue;
        }
        let place = text.strip_prefix("--> ").or_else(|| text.strip_prefix("::: "));
        is_elsewhere = place.is_some_and(|place| !place.starts_with("tests/ui"));
        // Lines outside the program move with changes there, and other types may implement a trait, so neither is kept.
        let line = if is_elsewhere { without_place(line) } else { line.to_owned() };
        let line = if text.starts_with("and ") { "           and others" } else { &line };
        if !(line.is_empty() && (kept.is_empty() || kept.ends_with("\n\n"))) {
            kept.extend([line, "\n"]);
        }
    }
    kept.truncate(kept.trim_end().len() + 1);
    kept
}

/// A line that names a place, without the folder of the standard library, and without numbers.
fn without_place(line: &str) -> String {
    let line = line.split(".rs:").next().unwrap_or(line);
    match line.split_once("/library/") {
        Some((_, file)) => format!("  --> $RUST/{file}.rs"),
        None => format!("{line}.rs"),
    }
}

/// The errors among messages, sorted, each once: the codes of the compiler's (`E0308`), whose words change, and the
/// words of the derive's.
fn errors(text: &str) -> Vec<&str> {
    let mut errors: Vec<_> = text
        .lines()
        .filter_map(|line| match line.strip_prefix("error[") {
            Some(rest) => Some(rest.split_once(']')?.0),
            None => line.strip_prefix("error: "),
        })
        .collect();
    errors.sort_unstable();
    errors.dedup();
    errors
}
