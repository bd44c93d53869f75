//! The modules of the core stand in an order, in which each imports from those below it: no two import each other, and
//! there is no circle of several. (Cargo keeps the order of crates.)
#![cfg(not(miri))]

use std::collections::{BTreeMap, BTreeSet};

use larder_testing::common::{files_below, library_files, workspace_text};

/// The modules that each module imports, by the names below the root of the crate.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// Returns whether a character can be part of a name.
fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns the name with which a path begins.
fn first_name(path: &str) -> &str {
    let path = path.trim_start();
    &path[..path.find(|letter| !is_word(letter)).unwrap_or(path.len())]
}

/// Returns the parts of a list in braces, which begins with the first brace; those within braces stay together.
fn listed(braces: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0, 1, Vec::new());
    for (at, letter) in braces.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || depth == 1 && letter == ',' {
            parts.push(&braces[from..at]);
            from = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    parts
}

/// Returns the paths that a file has `from` a module, such as the root of the crate, in code that is not of its tests. (An
/// exported macro names modules by `$crate`; they are named where it is used. A name that is only passed on to users, by `pub use`, is
/// not used.)
fn named_paths(text: &str, from: &str) -> Vec<String> {
    let code = text.split("\n#[cfg(test)]\n").next().unwrap_or_default();
    let mut named = Vec::new();
    for (at, found) in code.match_indices(from) {
        let line = &code[code[..at].rfind('\n').map_or(0, |end| end + 1)..at];
        let is_comment = line.trim_start().starts_with("//");
        if is_comment
            || line.trim_start() == "pub use "
            || line.ends_with(|before| is_word(before) || before == '$' || before == ':')
        {
            continue;
        }
        named.extend(paths_in(&code[at + found.len()..]));
    }
    named
}

/// Returns the paths that a path names, which may end in a list in braces.
fn paths_in(path: &str) -> Vec<String> {
    let end = path.find(|letter| !is_word(letter) && letter != ':').unwrap_or(path.len());
    let (before, rest) = path.split_at(end);
    if !rest.starts_with('{') {
        return vec![before.to_owned()];
    }
    let inner = listed(rest).into_iter().map(str::trim).filter(|part| !part.is_empty());
    inner.flat_map(paths_in).map(|part| format!("{before}{part}")).collect()
}

/// Returns the names with which these paths begin.
fn named_by(text: &str, from: &str) -> Vec<String> {
    named_paths(text, from).iter().map(|path| first_name(path).to_owned()).collect()
}

/// Returns the modules from which the root of the crate takes its names, by these names.
fn root_names(root: &str) -> BTreeMap<&str, &str> {
    let uses = root.split("\npub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let paths = uses.filter_map(|path| path.split_once("::"));
    let names = paths.flat_map(|(module, names)| {
        let names = if names.starts_with('{') { listed(names) } else { vec![names] };
        names.into_iter().map(move |name| (first_name(name), module))
    });
    names.collect()
}

/// Returns what the modules below a folder of the core import from each other: what they name from its own path, and what
/// `names` says where that is from.
fn imports(folder: &str, own: &str, names: &BTreeMap<&str, &str>) -> Imports {
    let (folder, mut imports) = (format!("/larder-core/{folder}/"), Imports::new());
    for (path, text) in files_below(&format!("crates{folder}"), "rs") {
        let (_, path) = path.rsplit_once(&folder).expect("it is below the folder");
        let module = path.split(['/', '.']).next().expect("a path has a beginning");
        if module == "lib" || path.ends_with("tests.rs") {
            continue;
        }
        let mut named = named_by(&text, own);
        if own != "crate::" && !path.contains('/') {
            named.extend(named_by(&text, "super::"));
        }
        let named = named.into_iter();
        let named = named.map(|name| names.get(&*name).map_or(name, |&of| of.to_owned()));
        imports.entry(module.to_owned()).or_default().extend(named.filter(|name| name != module));
    }
    imports
}

/// Returns the modules that cannot be put in an order, since each imports one of them.
fn in_circles(mut imports: Imports) -> Imports {
    loop {
        let left: BTreeSet<_> = imports.keys().cloned().collect();
        let free = |of: &BTreeSet<String>| of.is_disjoint(&left);
        let below: Vec<_> =
            imports.iter().filter(|(_, of)| free(of)).map(|(name, _)| name.clone()).collect();
        if below.is_empty() {
            imports.values_mut().for_each(|of| of.retain(|name| left.contains(name)));
            return imports;
        }
        below.iter().for_each(|name| _ = imports.remove(name));
    }
}

#[test]
fn modules_stand_in_an_order() {
    let root = workspace_text("crates/larder-core/src/lib.rs");
    let imports = imports("src", "crate::", &root_names(&root));
    assert!(imports.len() > 15 && imports["track"].contains("maps"), "{imports:#?}");
    let unknown = |name: &&String| !imports.contains_key(*name);
    let unknown: BTreeSet<_> = imports.values().flatten().filter(unknown).collect();
    assert!(unknown.is_empty(), "no modules: {unknown:?}");
    let circles = in_circles(imports);
    assert!(circles.is_empty(), "these import each other: {circles:#?}");
}

/// The modules of the largest folder, too.
#[test]
fn modules_of_tables_stand_in_an_order() {
    let mut imports = imports("src/track", "crate::track::", &BTreeMap::new());
    imports.values_mut().for_each(|of| of.retain(|name| name.starts_with(char::is_lowercase)));
    assert!(imports.len() > 12 && imports["table"].contains("recorded"), "{imports:#?}");
    let circles = in_circles(imports);
    assert!(circles.is_empty(), "these import each other: {circles:#?}");
}

/// Returns the names of the types and traits that a file declares outside of blocks.
fn types_in(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = ["pub(crate) ", "pub(super) ", "pub "]
            .iter()
            .find_map(|vis| line.strip_prefix(vis))
            .unwrap_or(line);
        let line = line.strip_prefix("unsafe ").unwrap_or(line);
        let kinds = ["struct ", "enum ", "trait ", "union "];
        kinds.iter().find_map(|kind| line.strip_prefix(kind)).map(first_name)
    })
}

/// Names that types of several modules have, as in the standard library.
const OF_A_MODULE: [&str; 4] = ["Drain", "ExtractIf", "IntoIter", "VacantEntry"];

/// A search for a type leads to one definition.
#[test]
fn types_of_a_crate_have_names_of_their_own() {
    let mut found = BTreeMap::<_, BTreeMap<_, Vec<_>>>::new();
    for (path, text) in library_files() {
        if path.ends_with("tests.rs") {
            continue;
        }
        let of = ["indices", "pools", "trees"].into_iter().find(|name| path.starts_with(name));
        let types = found.entry(of.unwrap_or("core")).or_default();
        for name in types_in(&text).filter(|name| !OF_A_MODULE.contains(name)) {
            types.entry(name.to_owned()).or_default().push(path.clone());
        }
    }
    assert_eq!(found.len(), 4, "{:?}", found.keys());
    for (of, mut types) in found {
        assert!(types.len() > 5, "{of}: {types:?}");
        types.retain(|_, files| files.len() > 1);
        assert!(types.is_empty(), "{of}: {types:#?}");
    }
    let text = "pub(crate) struct A<T>(T);\n    struct Inner;\npub unsafe trait B {}\nenum C {}\n// struct D";
    assert!(types_in(text).eq(["A", "B", "C"]));
}

#[test]
fn what_counts_as_imported() {
    let text = "// crate::maps\nuse crate::raw::slots;\nuse crate::macros::taking;\n\
        $crate::Key;\npub use crate::impls;\n    x: crate::stats::Reuse;\nmy_crate::no;\n#[cfg(test)]\nmod tests {\n    use crate::Arena;\n}";
    assert_eq!(named_by(text, "crate::"), ["raw", "macros", "stats"]);
    let nested = "use crate::{\n    Arena, key::{Key, raw::{A, B}},\n    soa::Soa,\n};\n";
    assert_eq!(named_by(nested, "crate::"), ["Arena", "key", "key", "key", "soa"]);
    let root = "\npub use containers::{Arena, Pool};\n#[cfg(x)]\npub use maps::join;\n";
    let names = root_names(root);
    assert_eq!(
        [names["Arena"], names["Pool"], names["join"]],
        ["containers", "containers", "maps"]
    );
    assert_eq!(paths_in("a::{B, c::{D, E}};\nx"), ["a::B", "a::c::D", "a::c::E"]);
}

#[test]
fn circles_are_found() {
    let made = |of: &[(&str, &[&str])]| -> Imports {
        let each = of.iter().map(|(name, of)| {
            ((*name).to_owned(), of.iter().map(|&name| name.to_owned()).collect())
        });
        each.collect()
    };
    let order = made(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])]);
    assert!(in_circles(order).is_empty());
    let pair = made(&[("a", &["b"]), ("b", &["a", "c"]), ("c", &[])]);
    assert!(in_circles(pair).keys().eq(["a", "b"]));
    let three = made(&[("a", &["b"]), ("b", &["c"]), ("c", &["a"])]);
    assert_eq!(in_circles(three).len(), 3);
}
