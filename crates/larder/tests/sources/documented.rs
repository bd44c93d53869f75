//! Whatever a user can call has an example in its documentation, or names the method of another type that does the same
//! and has one. Types have an example too, or say which method makes them.
#![cfg(not(miri))]

use larder_testing::common::{library_files, workspace_text};

/// The items that need no example: file, name, and reason.
const WITHOUT_EXAMPLE: &[(&str, &str, &str)] = &[
    ("containers/builder.rs", "Options", "part of the seal on `Builder`, which cannot be named"),
    ("containers/builder.rs", "Build", "the seal on `Builder`, which cannot be named"),
    (
        "containers/builder.rs",
        "Contiguous",
        "the seal on methods of `Builder`, which cannot be named",
    ),
    ("soa.rs", "Cloned", "hidden: what derived code is written with"),
    ("soa.rs", "WithoutDrop", "hidden: what derived code is written with"),
    ("key.rs", "Compose", "the seal on `Key`, which cannot be named"),
    ("maps/side_layout.rs", "SecondaryMap", "the name of a layout's map, for panics"),
    ("maps/side_layout.rs", "SparseSecondaryMap", "the name of a layout's map, for panics"),
    ("snapshot/format.rs", "Sink", "part of the seal on `Save`, which cannot be named"),
    ("snapshot/format.rs", "Source", "part of the seal on `Load`, which cannot be named"),
    ("indices/sorted_keys.rs", "Rank", "the seal on `RadixKey`, which cannot be named"),
];

/// Files of items that seal public traits, as those of `memory/` and of modules `raw` do: users cannot name them.
const SEALS: [&str; 2] = ["indices/hashing.rs", "key/generation.rs"];

/// A public item: its name, and the lines of its documentation.
struct Item<'text> {
    name: &'text str,
    is_function: bool,
    /// True if it is compiled for the project's own tests only.
    is_for_tests: bool,
    documentation: Vec<&'text str>,
}

impl Item<'_> {
    fn has_example(&self) -> bool {
        self.documentation.iter().any(|line| line.trim_start().starts_with("```"))
    }

    /// A method of links in the objects names that of links beside them, which has the example.
    fn names_its_model(&self) -> bool {
        let model = format!("::{}`](crate::", self.name);
        self.is_function && self.documentation.iter().any(|line| line.contains(&model))
    }

    /// An iterator's documentation names the method that makes it, where the example is.
    fn names_its_maker(&self) -> bool {
        !self.is_function && self.documentation.iter().any(|line| line.contains("Made by"))
    }
}

/// Returns the kind and the name of the item that a line declares, without its visibility.
fn declared(line: &str) -> Option<(bool, &str)> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let rest = rest.strip_prefix("const ").unwrap_or(rest);
    let rest = rest.strip_prefix("unsafe ").unwrap_or(rest);
    let (is_function, name) = match rest.strip_prefix("fn ") {
        Some(name) => (true, name),
        None => {
            let kinds = ["struct ", "enum ", "trait "];
            (false, kinds.iter().find_map(|kind| rest.strip_prefix(kind))?)
        }
    };
    name.split(|c: char| !c.is_alphanumeric() && c != '_').next().map(|name| (is_function, name))
}

/// The public functions, methods and types of a file, but for those that users cannot name.
fn items(text: &str) -> Vec<Item<'_>> {
    let (mut items, mut documentation, mut open) = (Vec::new(), Vec::new(), 0);
    let (mut is_nameable, mut is_for_tests) = (true, false);
    for line in text.lines() {
        let trimmed = line.trim_start();
        if let Some(words) = trimmed.strip_prefix("///") {
            documentation.push(words);
        } else if trimmed.starts_with("#[") || open > 0 {
            // The text is that of one container, in documentation that several share.
            documentation.extend(trimmed.strip_prefix("#[doc = "));
            // An attribute, of one line or several, stands between documentation and item.
            is_nameable &= !line.contains("unnameable_types");
            is_for_tests |= trimmed == r#"#[cfg(feature = "__test")]"#;
            open += line.matches('[').count();
            open -= line.matches(']').count();
        } else {
            let documentation = core::mem::take(&mut documentation);
            let is_nameable = core::mem::replace(&mut is_nameable, true);
            let is_for_tests = core::mem::take(&mut is_for_tests);
            if let Some((is_function, name)) = declared(line).filter(|_| is_nameable) {
                items.push(Item { name, is_function, is_for_tests, documentation });
            }
        }
    }
    items
}

/// The sources of what a user sees: path below `src` and text.
fn sources() -> Vec<(String, String)> {
    let mut sources: Vec<_> = library_files().into_iter().collect();
    let is_unsafe =
        |path: &str| path.split(['/', '.']).any(|part| part == "raw" || part == "memory");
    sources.retain(|(path, _)| !is_unsafe(path) && !SEALS.contains(&path.as_str()));
    sources
}

#[test]
fn every_public_item_has_an_example() {
    let (mut seen, mut missing, mut unused) = (0, Vec::new(), WITHOUT_EXAMPLE.to_vec());
    for (path, text) in &sources() {
        for item in items(text).into_iter().filter(|item| !item.is_for_tests) {
            seen += 1;
            let excepted =
                unused.iter().position(|&(file, name, _)| file == path && name == item.name);
            if let Some(excepted) = excepted {
                unused.swap_remove(excepted);
            } else if !item.has_example() && !item.names_its_maker() && !item.names_its_model() {
                missing.push(format!("{path}: {}", item.name));
            }
        }
    }
    assert!(seen > 150, "only {seen} public items were found");
    assert!(missing.is_empty(), "without an example:\n{}", missing.join("\n"));
    assert!(unused.is_empty(), "excepted, but not there: {unused:?}");
}

/// Pages show no bound that is only there for a message of the compiler.
#[test]
fn bounds_for_messages_are_where_pages_are_not_made() {
    let users: Vec<_> =
        sources().into_iter().filter(|(_, text)| text.contains("NeedsAlloc")).collect();
    let [(path, text)] = &users[..] else { panic!("{} files need an allocator", users.len()) };
    assert_eq!(path, "containers/without_alloc.rs");
    assert!(text.contains("pub const fn new() -> Self\n    where\n        Self: NeedsAlloc"));
}

#[test]
fn items_are_told_from_their_documentation() {
    let text = "\
/// One.
///
/// ```
/// one();
/// ```
#[doc(alias(
    \"uno\"
))]
pub const fn one() {}

/// Two.
pub fn two() {}

/// Three.
pub(crate) fn three() {}

/// Made by [`two`].
pub struct Four;

/// Five in objects. See [`Beside::five`](crate::Beside::five).
pub fn five() {}
";
    let found = items(text);
    let names: Vec<_> = found.iter().map(|item| item.name).collect();
    assert_eq!(names, ["one", "two", "Four", "five"]);
    let that = |is: fn(&Item<'static>) -> bool| -> Vec<&str> {
        found.iter().filter(|item| is(item)).map(|item| item.name).collect()
    };
    assert_eq!(that(Item::has_example), ["one"]);
    assert_eq!(that(Item::names_its_maker), ["Four"]);
    assert_eq!(that(Item::names_its_model), ["five"]);
}

/// The verdicts of records/columns.md on a loop over one field repeat the numbers of its table.
#[test]
fn verdicts_on_columns_are_what_the_table_says() {
    let page = workspace_text("records/columns.md");
    let (_, table) = page.split_once("**tick, `tick`**").expect("the table");
    for (id, store) in [
        ("B43", "SoaArena"),
        ("B51", "DenseSoaArena, lanes of 8"),
        ("B52", "DenseSoaArena, lanes of 16"),
        ("B53", "DenseSoaArena, a block of lanes"),
    ] {
        let begins = |text: &str, with: &str| {
            let line = text.lines().find(|line| line.starts_with(&format!("| {with} |")));
            line.unwrap_or_else(|| panic!("no line of {with}")).to_owned()
        };
        let row = begins(table, store);
        let multiples: Vec<_> = row
            .split('|')
            .filter_map(|cell| Some(format!("×{}", cell.split_once('×')?.1.trim())))
            .collect();
        assert_eq!(multiples.len(), 5, "{row}");
        let verdict = begins(&page, id);
        assert!(verdict.contains(&multiples.join(", ")), "{id} says otherwise than {multiples:?}");
    }
}

/// The old names in the table of renamed items are found by the documentation's search: each is an alias,
/// or is still the name of an item.
#[test]
fn renamed_items_are_found_by_their_old_names() {
    let page = workspace_text("records/names.md");
    let (_, renamed) = page.split_once("## Renamed").expect("the section");
    let (renamed, _) = renamed.split_once("## Removed").expect("the next one");
    let cells = renamed.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let old: Vec<&str> = cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .map(|name| name.rsplit("::").next().unwrap_or(name))
        .collect();
    let text: String = sources().into_iter().map(|(_, text)| text).collect();
    let is_item = |name: &str| {
        ["struct", "enum", "trait", "type", "mod", "fn"].iter().any(|kind| {
            let declared = format!("pub {kind} {name}");
            text.match_indices(&declared).any(|(at, _)| {
                !text[at + declared.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
            })
        })
    };
    let is_alias = |name: &str| {
        let quoted = format!("\"{name}\"");
        text.match_indices(&quoted).any(|(at, _)| {
            let attribute = text[..at].rfind("doc(alias").map_or("", |begin| &text[begin..at]);
            !attribute.is_empty() && !attribute.contains(']')
        })
    };
    let lost: Vec<_> = old.iter().filter(|name| !is_item(name) && !is_alias(name)).collect();
    assert!(old.len() > 60, "only {} old names were found", old.len());
    assert!(lost.is_empty(), "neither an alias nor an item: {lost:?}");
}

/// A macro that users call has a page: only those that other macros expand to are hidden. (A hidden macro has none even
/// under a name by which it is exported again.)
#[test]
fn macros_that_users_call_are_not_hidden() {
    let mut called = Vec::new();
    for (file, text) in library_files() {
        for (before, after) in
            text.match_indices("#[macro_export]").map(|(at, _)| text.split_at(at))
        {
            let name = after.lines().find_map(|line| line.strip_prefix("macro_rules! "));
            let name = name.expect("a macro is exported").trim_end_matches(" {");
            let mut attributes = before.lines().rev().take_while(|line| line.starts_with('#'));
            let is_hidden = attributes.any(|line| line == "#[doc(hidden)]");
            assert_eq!(is_hidden, name.starts_with("__"), "{file}: `{name}!`");
            called.extend((!is_hidden).then(|| name.to_owned()));
        }
    }
    called.sort_unstable();
    assert_eq!(called, ["key_type", "link_field"]);
}

/// Functions that only tests call can break promises (a stale key answers again, two pools have one number), so users
/// compile them only by naming the feature `__test`.
#[test]
fn what_only_tests_call_is_not_compiled_for_users() {
    let mut for_tests = Vec::new();
    for (path, text) in &sources() {
        for item in items(text) {
            let words = item.documentation.concat();
            let says_so = words.contains("own tests") || item.name.contains("for_test");
            assert_eq!(item.is_for_tests, says_so, "{path}: {}", item.name);
            for_tests.extend(says_so.then(|| item.name.to_owned()));
        }
    }
    for name in ["validate", "set_generation_for_test", "numbered", "longest_probe"] {
        assert!(for_tests.iter().any(|found| found == name), "{name}: {for_tests:?}");
    }

    let manifest = workspace_text("crates/larder/Cargo.toml");
    let (_, features) = manifest.split_once("[features]").expect("there are features");
    let (features, _) = features.split_once("\n[").expect("dependencies follow");
    let naming: Vec<_> = features.lines().filter(|line| line.contains("__test")).collect();
    let passed_on = r#"__test = ["larder-core/__test", "larder-indices?/__test", "larder-pools?/__test", "larder-trees?/__test"]"#;
    assert_eq!(naming, [passed_on], "no feature of users contains it");
}
