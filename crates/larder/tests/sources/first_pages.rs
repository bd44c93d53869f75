//! The README and the front page name every example, and the feature that each row of their tables needs.
#![cfg(not(miri))]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use larder_testing::common::{in_workspace, workspace_text};

type Features = BTreeSet<String>;

const PAGES: [&str; 2] = ["README.md", "docs/front.md"];

/// The code spans of a text.
fn spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The text below a heading, up to the next one.
fn section(page: &str, heading: &str) -> String {
    let text = workspace_text(page);
    let level = heading.split(' ').next().expect("it begins with a mark");
    let (_, rest) =
        text.split_once(&format!("{heading}\n")).unwrap_or_else(|| panic!("{page}: no {heading}"));
    rest.split(&format!("\n{level} ")).next().unwrap_or(rest).to_owned()
}

#[test]
fn every_example_is_listed() {
    let files = fs::read_dir(in_workspace("crates/larder/examples")).expect("there are examples");
    let names =
        files.map(|file| file.expect("it is read").path().file_stem().map(ToOwned::to_owned));
    let names: BTreeSet<String> =
        names.map(|name| name.and_then(|name| name.into_string().ok()).expect("a name")).collect();
    for (page, heading) in PAGES.into_iter().zip(["## Examples", "# Examples"]) {
        let text = section(page, heading);
        // Below the front page's list are the targets of its links.
        let list = text.split("\n[").next().unwrap_or(&text);
        let listed: BTreeSet<String> = spans(list)
            .filter(|span| {
                span.chars().all(|c| c.is_ascii_lowercase() || c == '_') && *span != "examples"
            })
            .map(ToOwned::to_owned)
            .collect();
        assert_eq!(listed, names, "{page}: left: what it lists, right: the examples");
    }
}

/// The README shows parts of an example that needs more features than the README's tests have.
#[test]
fn the_readme_shows_the_game_as_it_is() {
    let readme = workspace_text("README.md");
    let game = workspace_text("crates/larder/examples/game.rs");
    let parts: Vec<_> = readme.split("```rust,ignore\n").skip(1).collect();
    assert!(!parts.is_empty(), "it shows a part");
    for part in parts {
        let (part, _) = part.split_once("```\n").expect("it ends");
        assert!(part.lines().count() > 3 && game.contains(part), "{part}");
    }
}

/// The features in the manifest.
fn features() -> Features {
    let manifest = workspace_text("crates/larder/Cargo.toml");
    let (_, rest) = manifest.split_once("[features]\n").expect("it has features");
    let section = rest.split("\n[").next().unwrap_or(rest);
    let lines = section.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| Some(line.split_once(" = ")?.0.to_owned())).collect()
}

/// The names that a file of the library makes public, each with the features without which it does not, but for `alloc`
/// and `std`.
fn exports(file: &str) -> BTreeMap<String, Features> {
    let files = match file {
        "lib" => &["larder-core/src/lib.rs", "larder/src/lib.rs"][..],
        "trees" => &["larder-trees/src/lib.rs"],
        "maps" => &["larder-core/src/maps.rs"],
        "indices" => &["larder-indices/src/lib.rs"],
        "pools" => &["larder-pools/src/lib.rs"],
        _ => unreachable!("no table is of {file}"),
    };
    let text: String = files.iter().map(|file| workspace_text(&format!("crates/{file}"))).collect();
    let (mut found, mut needed) = (BTreeMap::new(), Features::new());
    for line in text.lines() {
        if let Some(condition) = line.strip_prefix("#[cfg(") {
            let named = condition.split("feature = \"").skip(1);
            needed.extend(named.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
        } else if !line.starts_with('#') {
            needed.retain(|feature| feature != "alloc" && feature != "std");
            if line.starts_with("pub ") {
                let names = line.split(|c: char| !c.is_alphanumeric() && c != '_');
                found.extend(names.map(|name| (name.to_owned(), needed.clone())));
            }
            needed.clear();
        }
    }
    found
}

#[test]
fn tables_name_the_features_that_their_rows_need() {
    let features = features();
    let mut public = exports("lib");
    for module in ["maps", "trees", "indices", "pools"] {
        let whole = public[module].clone();
        for (name, needed) in exports(module) {
            public.entry(name).or_insert_with(|| needed.union(&whole).cloned().collect());
        }
    }
    let constructors = workspace_text("crates/larder-core/src/containers/slots/making.rs");
    assert!(
        constructors.contains("#[cfg(feature = \"reserved\")]"),
        "`reserved` is behind its feature"
    );
    let needed = |span: &str| -> Features {
        if span.contains("::reserved") {
            return [String::from("reserved")].into();
        }
        let name = span.split(|c: char| !c.is_alphanumeric() && c != '_').next();
        name.and_then(|name| public.get(name)).cloned().unwrap_or_default()
    };
    for (page, heading) in
        PAGES.into_iter().zip(["## Which one do I want?", "# Which one do I want?"])
    {
        let table = section(page, heading);
        let rows: Vec<_> = table.lines().filter(|line| line.starts_with('|')).skip(2).collect();
        assert!(rows.len() > 10, "{page}");
        for row in &rows {
            let cells: Vec<_> = row.split('|').collect();
            let [_, _, used, feature, _] = cells[..] else { panic!("{page}: {row}") };
            // A cell says `feature`, or `feature` for `Type`, `Type`; and more of them after a semicolon.
            let mut named = Features::new();
            let mut required: Features = spans(used).flat_map(needed).collect();
            for part in feature.split(';').filter(|part| !part.trim().is_empty()) {
                let mut words = spans(part);
                let of = words.next().expect("a feature");
                assert!(features.contains(of), "{page}: {of} is no feature: {row}");
                for of_type in words {
                    assert!(
                        needed(of_type).contains(of),
                        "{page}: {of_type} does not need {of}: {row}"
                    );
                    required.extend(needed(of_type));
                }
                named.insert(of.to_owned());
            }
            // Columns of structs are derived, which the container does not need.
            if used.contains("SoaArena") {
                required.insert(String::from("derive"));
            }
            assert_eq!(
                named, required,
                "{page}: left: what it names, right: what is needed: {row}"
            );
        }
        for used in ["`snapshot`", "`track`"] {
            assert!(rows.iter().any(|row| row.contains(used)), "{page} does not name {used}");
        }
    }
}
