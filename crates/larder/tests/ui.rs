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

/// The programs without the messages, in a place for those of another compiler: then it is enough
/// that they do not compile.
fn without_messages() -> PathBuf {
    let copies = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui");
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
    if is_the_compiler_at_hand() {
        return trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
    }
    let programs = without_messages();
    // SAFETY: this is the only test of the process, and the thread that waits for it reads nothing.
    unsafe { std::env::set_var("TRYBUILD", "overwrite") };
    trybuild::TestCases::new().compile_fail(programs.join("*.rs"));
}
