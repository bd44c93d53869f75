#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| larder_fuzz::run("containers", data));

#[cfg(not(fuzzing))]
fn main() {}
