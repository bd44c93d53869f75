//! Programs whose machine code is looked at: how they are compiled, and by which compiler.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::in_workspace;

/// Compiles a program of `larder-hot`, whose dependencies are few, optimised, in one piece, with these
/// flags besides; its file. The test says which directory is its own (`CARGO_TARGET_TMPDIR`) in that of all that is
/// compiled.
pub fn compile(program: &str, flags: &[&str], temporary: &Path) -> PathBuf {
    let target = temporary.parent().expect("it is in the directory");
    let built = Command::new(env!("CARGO"))
        .args(["rustc", "-p", "larder-hot", "--release", "--bin", program, "--target-dir"])
        .arg(target)
        .args(["--", "-Ccodegen-units=1", "-Cdebuginfo=0"])
        .args(flags)
        .current_dir(in_workspace("."))
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    target.join("release").join(program)
}

/// Compiles the examples of the workspace, with the features that `cargo test --workspace` has compiled them with;
/// what cargo says of all that it has, a line of JSON each. `temporary` as of [`compile`].
pub fn workspace(temporary: &Path) -> String {
    let built = Command::new(env!("CARGO"))
        .args(["build", "--workspace", "--examples", "--message-format=json", "--target-dir"])
        .arg(temporary.parent().expect("it is in the directory"))
        .current_dir(in_workspace("."))
        .output()
        .expect("cargo runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    String::from_utf8(built.stdout).expect("JSON is text")
}

/// A file or folder of what is kept.
pub fn kept(path: &str) -> PathBuf {
    in_workspace("crates/larder/tests").join(path)
}

/// The file that names the compiler of what is kept.
pub fn version_file() -> PathBuf {
    kept("codegen/rustc-version.txt")
}

/// The compiler, as it names itself.
pub fn version() -> String {
    let output = Command::new("rustc").arg("--version").output().expect("rustc runs");
    String::from_utf8(output.stdout).expect("a version is text")
}

/// Returns whether the compiler is the one that made the kept snapshots.
pub fn same_compiler() -> bool {
    fs::read_to_string(version_file()).is_ok_and(|kept| kept == version())
}

/// Says loudly, where the output of tests that pass is not captured, that a test was left out, and what would have it
/// run. In CI nothing is left out: there it fails, since nobody reads what a passing test says.
///
/// # Panics
/// If the environment variable `CI` is set, to anything but nothing or `false`.
pub fn left_out(why: &str) {
    let ci = std::env::var("CI").unwrap_or_default();
    assert!(ci.is_empty() || ci == "false", "CI must not leave this out: {why}");
    let mut terminal = std::io::stderr().lock();
    writeln!(terminal, "\n!! LEFT OUT: {why}\n").expect("there is an output for errors");
}

/// Says what to do if [`same_compiler`] is false.
pub fn of_another_compiler(what: &str) -> String {
    let (here, kept) = (version(), fs::read_to_string(version_file()).unwrap_or_default());
    let number = kept.split(' ').nth(1).unwrap_or("stable");
    format!(
        "{what} is of {}, and this is {}: use that one (rustup toolchain install {number} && rustup default \
        {number}), or renew what is kept with this one, read the differences and commit them (BLESS=1 cargo test -p \
        larder --test codegen, then --test instructions)",
        kept.trim(),
        here.trim(),
    )
}

/// Returns whether the kept snapshots are to be written anew.
pub fn bless() -> bool {
    std::env::var_os("BLESS").is_some()
}
