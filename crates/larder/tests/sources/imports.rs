//! Imports of the raw layer go down: to what it stands on, and to nothing that stands on it.
#![cfg(not(miri))]

use larder_testing::common::files_below;

/// The modules under `raw/`: words that all modules use, and the traits that its code is generic over.
const BELOW: [&str; 7] = ["raw", "memory", "error", "key", "scratch", "soa", "stats"];

/// The unsafe parts of types above, which have to be in `raw/`: by the beginning of a file's path there.
const ABOUT_TYPES_ABOVE: [(&str, &str); 3] =
    [("snapshot", "snapshot"), ("key_type.rs", "pools"), ("key_type.rs", "trees")];

/// Returns the modules that a file names from the crate's root, in code that is not of its tests. (An exported macro
/// names modules by `$crate`; they are named where it is used.)
fn named_by(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("\n#[cfg(test)]\n").next().unwrap_or_default().lines();
    let code = code.filter(|line| !line.trim_start().starts_with("//"));
    let named = code.flat_map(|line| line.match_indices("crate::").map(move |(at, _)| (line, at)));
    named.filter(|(line, at)| !line[..*at].ends_with('$')).map(|(line, at)| {
        let rest = &line[at + "crate::".len()..];
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        &rest[..end.unwrap_or(rest.len())]
    })
}

fn is_allowed(path: &str, name: &str) -> bool {
    let is_about = |(file, module)| path.starts_with(file) && name == module;
    BELOW.contains(&name) || ABOUT_TYPES_ABOVE.into_iter().any(is_about)
}

#[test]
fn the_raw_layer_imports_nothing_above_it() {
    let mut upward = Vec::new();
    for (path, text) in files_below("crates/larder/src/raw", "rs") {
        let (_, path) = path.rsplit_once("/raw/").expect("it is below raw/");
        if !path.ends_with("tests.rs") {
            let names = named_by(&text).filter(|name| !is_allowed(path, name));
            upward.extend(names.map(|name| format!("{path}: {name}")));
        }
    }
    assert!(upward.is_empty(), "imported from above: {upward:#?}");
}

#[test]
fn what_counts_as_imported() {
    let text = "// crate::maps\nuse crate::raw::slots;\nuse crate::macros::taking;\n\
        $crate::Key;\n#[cfg(test)]\nmod tests {\n    use crate::Arena;\n}";
    assert!(named_by(text).eq(["raw", "macros"]));
    assert!(named_by("use crate::{Arena, Pool};").eq([""]));
    assert!(is_allowed("snapshot/slots.rs", "snapshot") && !is_allowed("slots.rs", "snapshot"));
    assert!(!is_allowed("rows.rs", "macros") && !is_allowed("rows.rs", ""));
}
