//! In gdb, keys and containers read as what they mean.
#![cfg(not(miri))]
#![expect(clippy::print_stderr, reason = "says what was left out")]

use std::process::Command;

#[test]
fn gdb_shows_keys_and_values() {
    if Command::new("gdb").arg("--version").output().is_err() {
        eprintln!("LEFT OUT: gdb is not installed, so its view of larder was not tested");
        return;
    }
    let root = env!("CARGO_MANIFEST_DIR");
    let target = format!("{root}/../../target/debugger");
    let built = Command::new(env!("CARGO"))
        .args(["build", "-p", "larder", "--example", "debugger", "--target-dir", &target])
        .current_dir(root)
        .output()
        .expect("cargo runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let script = format!("source {root}/debug/larder_gdb.py");
    let program = format!("{target}/debug/examples/debugger");
    let commands = [
        "set debuginfod enabled off",
        &script,
        "break debugger::look",
        "run",
        "print *arena",
        "print *dense",
        "print handle",
    ];
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-batch"]);
    for command in commands {
        gdb.args(["-ex", command]);
    }
    let seen = gdb.arg(program).output().expect("gdb runs");
    let text = String::from_utf8_lossy(&seen.stdout);
    if !text.contains("Breakpoint 1, ") {
        eprintln!(
            "LEFT OUT: gdb cannot run programs here:\n{}",
            String::from_utf8_lossy(&seen.stderr)
        );
        return;
    }
    let expected = ["[1v3] = 1004, [2v1] = 1003", "[1v1] = -8", "= 1v3"];
    for part in expected {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    assert!(!text.contains("= 1001"), "what was removed is shown:\n{text}");
}
