//! The functions of the fuzz targets: larder driven by arbitrary bytes, beside naive models.
//!
//! Every target is a function of bytes that panics where larder is wrong, listed in [`TARGETS`].
//! `fuzz_targets/` hands them to libFuzzer; `tests/replay.rs` runs them on a stable compiler, over the
//! committed inputs and over random ones.

mod bytes;
mod containers;
mod decoding;
mod going_back;
mod grid;
mod indices;
mod keys;
mod lists;
mod names;
mod side;
mod snapshots;
mod tables;
mod track;
mod trees;
mod used;
mod user_code;

/// A target by name.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: &[Target] = &[
    ("containers", containers::run),
    ("decoding", decoding::run),
    ("going_back", going_back::run),
    ("grid", grid::run),
    ("indices", indices::run),
    ("lists", lists::run),
    ("names", names::run),
    ("pools", containers::run_pools),
    ("side", side::run),
    ("snapshots", snapshots::run),
    ("tables", tables::run),
    ("track", track::run),
    ("trees", trees::run),
    ("user_code", user_code::run),
];

/// Runs the target of this name.
pub fn run(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|(known, _)| *known == name);
    target.expect("the target is listed").1(data);
}
