//! What must not compile does not, and says why in words that help.

use std::process::Command;

/// The compiler whose messages are kept beside the programs.
const COMPILER: &str = "rustc 1.95.";

/// Other compilers word their messages otherwise. That the same programs do not compile is then
/// left to the `compile_fail` examples of the documentation.
fn is_the_compiler_at_hand() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output();
    version.is_ok_and(|version| version.stdout.starts_with(COMPILER.as_bytes()))
}

#[test]
#[cfg_attr(miri, ignore = "starts the compiler")]
fn misuse_does_not_compile() {
    if is_the_compiler_at_hand() {
        trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
    }
}
