//! What must not compile does not, and says why in words that help.

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
    for entry in
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui")).expect("it is here")
    {
        let program = entry.expect("it can be read").path();
        if program.extension().is_some_and(|extension| extension == "rs") {
            let name = program.file_name().expect("a program has a name");
            std::fs::copy(&program, copies.join(name)).expect("it can be copied");
        }
    }
    copies
}

#[test]
#[cfg_attr(miri, ignore = "starts the compiler")]
fn misuse_does_not_compile() {
    let kept = kept_messages();
    assert!(kept.len() > 5, "{kept:?}");
    for messages in &kept {
        assert!(!error_codes(messages).is_empty(), "{} has no code", messages.display());
    }
    if is_the_compiler_at_hand() {
        return trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
    }
    let programs = without_messages();
    // SAFETY: this is the only test of the process, and the thread that waits for it reads nothing.
    unsafe { std::env::set_var("TRYBUILD", "overwrite") };
    let tests = trybuild::TestCases::new();
    tests.compile_fail(programs.join("*.rs"));
    // Only when it is dropped are the programs compiled, and their messages written.
    drop(tests);
    for kept in kept {
        let seen = programs.join(kept.file_name().expect("it has a name"));
        assert_eq!(error_codes(&seen), error_codes(&kept), "{}", kept.display());
    }
}

/// The files of messages beside the programs.
fn kept_messages() -> Vec<PathBuf> {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui"));
    let files = files.expect("it is here").map(|entry| entry.expect("it can be read").path());
    files.filter(|file| file.extension().is_some_and(|extension| extension == "stderr")).collect()
}

/// The codes of the errors in a file of messages, sorted, each once: `E0308`.
fn error_codes(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let lines = text.lines().filter_map(|line| line.strip_prefix("error["));
    let codes = lines.filter_map(|rest| Some(rest.split_once(']')?.0.to_owned()));
    let mut codes: Vec<_> = codes.collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}
