//! What must not compile does not, and says why in words that help.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiler whose messages are kept beside the programs. `TRYBUILD=overwrite` keeps new ones.
const COMPILER: &str = "rustc 1.95.";

fn is_the_compiler_at_hand() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output();
    version.is_ok_and(|version| version.stdout.starts_with(COMPILER.as_bytes()))
}

/// The programs without the messages, in a place for those of another compiler: there the words
/// may differ, but not the errors.
fn without_messages() -> PathBuf {
    let copies = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui");
    if copies.exists() {
        std::fs::remove_dir_all(&copies).expect("old copies are ours to remove");
    }
    std::fs::create_dir_all(&copies).expect("a directory for the copies");
    for program in kept("rs") {
        std::fs::copy(&program, copies.join(name_of(&program))).expect("it can be copied");
    }
    copies
}

#[test]
#[cfg_attr(miri, ignore = "starts the compiler")]
fn misuse_does_not_compile() {
    let kept_messages = kept("stderr");
    assert!(kept_messages.len() > 5, "{kept_messages:?}");
    for messages in &kept_messages {
        assert!(!errors(messages).is_empty(), "{} has no error", messages.display());
    }
    if is_the_compiler_at_hand() {
        let tests = trybuild::TestCases::new();
        for place in DIRECTORIES {
            tests.compile_fail(format!("{place}/*.rs"));
        }
        return;
    }
    let programs = without_messages();
    // SAFETY: this is the only test of the process, and the thread that waits for it reads nothing.
    unsafe { std::env::set_var("TRYBUILD", "overwrite") };
    let tests = trybuild::TestCases::new();
    tests.compile_fail(programs.join("*.rs"));
    // Only when it is dropped are the programs compiled, and their messages written.
    drop(tests);
    for kept in kept_messages {
        let seen = programs.join(name_of(&kept));
        assert_eq!(errors(&seen), errors(&kept), "{}", kept.display());
    }
}

/// Where the programs are, each with its messages beside it. No two have the same name.
const DIRECTORIES: [&str; 2] = ["tests/ui", "tests/ui/derive"];

/// The files whose names end so.
fn kept(ending: &str) -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = DIRECTORIES.map(|place| here.join(place).read_dir().expect("it is here"));
    let files = entries.into_iter().flatten().map(|entry| entry.expect("it can be read").path());
    files.filter(|file| file.extension().is_some_and(|extension| extension == ending)).collect()
}

fn name_of(file: &Path) -> &OsStr {
    file.file_name().expect("a file has a name")
}

/// The errors in a file of messages, sorted, each once: the codes of the compiler's (`E0308`), whose
/// words change, and the words of the derive's.
fn errors(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let error = |line: &str| match line.strip_prefix("error[") {
        Some(rest) => Some(rest.split_once(']')?.0.to_owned()),
        None => line.strip_prefix("error: ").map(str::to_owned),
    };
    let mut errors: Vec<_> = text.lines().filter_map(error).collect();
    errors.sort_unstable();
    errors.dedup();
    errors
}
