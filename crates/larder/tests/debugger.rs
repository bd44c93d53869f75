//! In gdb, keys and containers read as what they mean.
#![cfg(not(miri))]

use std::path::Path;
use std::process::Command;

use larder_testing::common::in_workspace;
use larder_testing::compiled;

fn left_out(why: &str) {
    compiled::left_out(&format!("larder's view in gdb was not tested: {why}"));
}

#[test]
fn gdb_shows_keys_and_values() {
    if Command::new("gdb").arg("--version").output().is_err() {
        return left_out("gdb is not installed: install it");
    }
    // The program is compiled as it is written, but with the flags for the machine code that is kept.
    let flags = ["-Copt-level=0", "-Cdebuginfo=2"];
    let program = compiled::compile("debugger", &flags, Path::new(env!("CARGO_TARGET_TMPDIR")));
    let script =
        format!("source {}", in_workspace("crates/larder-core/debug/larder_gdb.py").display());
    let commands = [
        "set debuginfod enabled off",
        &script,
        "break debugger::look",
        "run",
        "print sight.arena",
        "print sight.dense",
        "print sight.handle",
        "print sight.small",
        "print sight.smaller",
        "print sight.serials",
        "print sight.slots",
        "print sight.small_key",
        "print sight.smaller_key",
        "print sight.serial",
        "print sight.slot",
        "print sight.paged",
        "print sight.doubling",
        "print sight.inline",
        "print sight.pool",
        "print sight.columns",
        "print sight.packed",
        "print sight.lanes",
    ];
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-batch"]);
    for command in commands {
        gdb.args(["-ex", command]);
    }
    let seen = gdb.arg(program).output().expect("gdb runs");
    let text = String::from_utf8_lossy(&seen.stdout);
    if !text.contains("Breakpoint 1, ") {
        let said = String::from_utf8_lossy(&seen.stderr);
        return left_out(&format!("gdb cannot run programs here:\n{said}"));
    }
    let expected = [
        "$1 = larder::Arena = {[1v3] = 1004, [2v1] = 1003}",
        "$2 = larder::DenseArena = {[1v1] = -8}",
        "$3 = 1v3",
        "$4 = larder::Arena = {[0v3] = 3001, [1v1] = 2001}",
        "$5 = larder::DenseArena = {[1v1] = 2002, [0v3] = 3002}",
        "$6 = larder::Arena = {[0v3] = 33, [1v2] = 203}",
        "$7 = larder::Arena = {[0] = 3004, [1] = 2004}",
        "$8 = 0v3",
        "$9 = 0v3",
        "$10 = 0v3",
        "$11 = 0",
        "$12 = larder::PagedArena = {[0v1] = 4001, [2v1] = 4003, [3v1] = 4004, [4v1] = 4005}",
        "$13 = larder::PagedArena = {[48] = 5048, [49] = 5049}",
        "$14 = larder::InlineArena = {[0v1] = 61, [2v1] = 63}",
        "$15 = larder::Pool = {[1v1] = -72}",
        "$16 = larder::SoaArena = {[0v1] = (81, 0.5), [2v1] = (83, 2.5)}",
        "$17 = larder::DenseSoaArena = {[0] = (9, -9), [1] = (9.5, -9.5)}",
        "$18 = larder::SoaArena = {[7v1] = (7, 7, 0.25), [8v1] = (8, 8, 0.25), [9v1] = (9, 9, 0.25)}",
    ];
    for part in expected {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    assert!(!text.contains("= 1001"), "what was removed is shown:\n{text}");
}
