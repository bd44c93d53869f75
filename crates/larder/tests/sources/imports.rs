//! The modules of each folder of each crate stand in an order, in which each imports from those below it: no two import
//! each other, and there is no circle of several. (Cargo keeps the order of crates.)
//!
//! A module imports another if it, or a module below it, names what that one defines, or a module below that. A name
//! that is passed on, by any `use`, is that of the module that defines it. Siblings are compared: a child may use what
//! its parent defines, which may use what its children define. What is only passed on to users, by `pub use`, is not
//! used, nor what only tests use or documentation links to.
#![cfg(not(miri))]

use std::collections::{BTreeMap, BTreeSet};

use larder_testing::common::{files_below, library_files};

/// The modules that each module imports, by their names in their folder.
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

/// Returns the name with which a path ends.
fn last_name(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// Returns what follows the visibility of an item.
fn without_visibility(item: &str) -> &str {
    let found =
        ["pub(crate) ", "pub(super) ", "pub "].iter().find_map(|vis| item.strip_prefix(vis));
    found.unwrap_or(item)
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

/// Returns the paths that a path names, which may end in a list in braces, and the name that each gets.
fn paths_in(path: &str) -> Vec<(String, String)> {
    let end = path.find(|letter| !is_word(letter) && letter != ':').unwrap_or(path.len());
    let (before, rest) = path.split_at(end);
    if !rest.starts_with('{') {
        let renamed = rest.trim_start().strip_prefix("as ").map(first_name);
        let name = renamed.unwrap_or_else(|| last_name(before));
        return vec![(before.to_owned(), name.to_owned())];
    }
    let inner = listed(rest).into_iter().map(str::trim).filter(|part| !part.is_empty());
    let whole = before.trim_end_matches("::");
    let all = inner.flat_map(paths_in).map(|(part, name)| match &*part {
        "self" => (whole.to_owned(), last_name(whole).to_owned()),
        _ => (format!("{before}{part}"), name),
    });
    all.collect()
}

/// A module: the paths that it names, and the names that it brings from elsewhere.
#[derive(Default)]
struct Module {
    /// The paths of its crate, and from its parents.
    named: BTreeSet<String>,
    /// The names that a `use` brings, each with its paths: a derive has the name of its trait.
    brought: BTreeMap<String, Vec<String>>,
}

impl Module {
    /// Reads the code of a module. (An exported macro names modules by `$crate`; they are named where it is used.)
    fn of(code: &str) -> Self {
        // What only documentation links to is not used, like what is passed on.
        let code = code.replace("#[cfg(doc)]\nuse ", "pub use ");
        let mut module = Self::default();
        let found =
            |what| code.match_indices(what).map(|(at, what)| code.split_at(at + what.len()));
        for (before, after) in found("use ") {
            let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
            if without_visibility(line) == "use " {
                for (path, name) in paths_in(after) {
                    module.brought.entry(name).or_default().push(path);
                }
            }
        }
        for from in ["crate::", "super::"] {
            for (before, after) in found(from) {
                let line = before.rsplit('\n').next().unwrap_or_default();
                let line = line.strip_suffix(from).unwrap_or_default();
                let is_inside = |letter| is_word(letter) || letter == '$' || letter == ':';
                if line.trim_start() != "pub use " && !line.ends_with(is_inside) {
                    let paths =
                        paths_in(after).into_iter().map(|(path, _)| from.to_owned() + &path);
                    module.named.extend(paths);
                }
            }
        }
        module
    }
}

/// Returns the path of a module below another; that of the root is empty.
fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}::{name}") }
}

/// The modules of a crate, by their paths.
struct Crate(BTreeMap<String, Module>);

impl Crate {
    /// Reads modules from their files, by the paths of these. Tests are left out.
    fn of<'a>(files: impl IntoIterator<Item = (String, &'a str)>) -> Self {
        let mut codes = BTreeMap::<_, String>::new();
        for (path, text) in files {
            let mut own = path.clone();
            for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
                match without_visibility(line)
                    .strip_prefix("mod ")
                    .and_then(|rest| rest.strip_suffix(" {"))
                {
                    Some("tests") => break,
                    Some(inner) => own = below(&path, inner),
                    None if line == "}" => own.clone_from(&path),
                    None => {
                        let code = codes.entry(own.clone()).or_default();
                        code.push_str(line);
                        code.push('\n');
                    }
                }
            }
        }
        Self(codes.into_iter().map(|(path, code)| (path, Module::of(&code))).collect())
    }

    /// Reads a crate of the workspace.
    fn named(name: &str) -> Self {
        let folder = format!("/{name}/src/");
        let files = files_below(&format!("crates{folder}"), "rs");
        let files = files.iter().map(|(path, text)| {
            let path = path.replace('\\', "/");
            let (_, path) = path.rsplit_once(&folder).expect("it is below the folder");
            let path = path.trim_end_matches(".rs").replace('/', "::");
            (if path == "lib" { String::new() } else { path }, &**text)
        });
        Self::of(files.filter(|(path, _)| last_name(path) != "tests"))
    }

    /// Returns the module to which a path leads from another, if it is of this crate.
    fn found(&self, from: &str, path: &str) -> Option<String> {
        let mut at = from.to_owned();
        for (position, part) in path.split("::").enumerate() {
            let below = below(&at, part);
            match part {
                "crate" => at.clear(),
                "super" => at.truncate(at.rfind("::").unwrap_or(0)),
                "self" => {}
                _ if self.0.contains_key(&below) => at = below,
                _ => {
                    // (What begins with its own name is another crate.)
                    let brought = self.0[&at].brought.get(part).into_iter().flatten();
                    let mut brought = brought.filter(|path| first_name(path) != part);
                    let rest: String = path
                        .split("::")
                        .skip(position + 1)
                        .map(|part| format!("::{part}"))
                        .collect();
                    let found = brought.find_map(|path| self.found(&at, &format!("{path}{rest}")));
                    return found.or((position > 0).then_some(at));
                }
            }
        }
        Some(at)
    }

    /// Returns what siblings import from each other, folder by folder.
    fn imports(&self) -> BTreeMap<String, Imports> {
        let mut folders = BTreeMap::<_, Imports>::new();
        for (from, module) in &self.0 {
            for to in module.named.iter().filter_map(|path| self.found(from, path)) {
                let (own, other): (Vec<_>, Vec<_>) =
                    (from.split("::").collect(), to.split("::").collect());
                let shared = own.iter().zip(&other).take_while(|(own, other)| own == other).count();
                let siblings = own.get(shared).zip(other.get(shared));
                let siblings = siblings.filter(|(own, other)| !own.is_empty() && !other.is_empty());
                if let Some((&name, &other)) = siblings {
                    let imports = folders.entry(own[..shared].join("::")).or_default();
                    imports.entry(name.to_owned()).or_default().insert(other.to_owned());
                    imports.entry(other.to_owned()).or_default();
                }
            }
        }
        folders
    }
}

/// Returns the modules that cannot be put in an order: those in circles, and between circles.
fn in_circles(mut imports: Imports) -> Imports {
    loop {
        let left = imports.clone();
        imports.retain(|name, of| {
            let imported = left.values().any(|others| others.contains(name));
            imported && of.iter().any(|other| left.contains_key(other))
        });
        imports.values_mut().for_each(|of| of.retain(|name| left.contains_key(name)));
        if imports == left {
            return imports;
        }
    }
}

/// The modules that need each other, by crate and folder.
///
/// A type with columns has a `Shape`, whose code is unsafe, and a `View`, whose code is not, so they are apart. Each
/// says by the other what it is made of: the shape of a field that has columns lends its view, and a view is made of
/// what the parts of a shape lend.
const IN_CIRCLES: [(&str, &str, &[&str]); 1] = [("larder-core", "soa", &["raw", "view"])];

#[test]
fn modules_of_a_folder_stand_in_an_order() {
    let mut circles = Vec::new();
    for name in ["larder-core", "larder-indices", "larder-pools", "larder-trees"] {
        let folders = Crate::named(name).imports();
        assert!(folders[""].len() > 5, "{name}: {folders:#?}");
        if name == "larder-core" {
            assert!(folders.len() > 12 && folders[""].len() > 15, "{folders:#?}");
            for (folder, above, below) in
                [("", "track", "maps"), ("raw", "store", "slots"), ("track", "table", "recorded")]
            {
                assert!(folders[folder][above].contains(below), "{folders:#?}");
            }
        }
        for (folder, imports) in folders {
            let found = in_circles(imports);
            let known = IN_CIRCLES.iter().find(|known| (known.0, known.1) == (name, &*folder));
            if !found.keys().eq(known.map_or(&[][..], |known| known.2)) {
                circles.push((name, folder, found));
            }
        }
    }
    assert!(circles.is_empty(), "these import each other: {circles:#?}");
}

/// Returns the names of the types and traits that a file declares outside of blocks.
fn types_in(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = without_visibility(line);
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
    let named = |text| Module::of(text).named.into_iter().collect::<Vec<_>>();
    let text = "use crate::raw::slots;\n$crate::Key;\npub use crate::impls;\n#[cfg(doc)]\nuse crate::Pool;\n    \
        x: crate::stats::Reuse;\nmy_crate::no;\n";
    assert_eq!(named(text), ["crate::raw::slots", "crate::stats::Reuse"]);
    let nested = "use super::super::{\n    Arena, key::{self, raw::{A as B, C}},\n};\n";
    let paths = ["Arena", "key", "key::raw::A", "key::raw::C"];
    assert!(named(nested).into_iter().eq(paths.map(|path| format!("super::super::{path}"))));
    let names: Vec<_> = Module::of(nested).brought.into_keys().collect();
    assert_eq!(names, ["Arena", "B", "C", "key"]);
}

#[test]
fn paths_lead_to_the_module_that_defines() {
    let files = [
        ("", "pub use a::Shown;\npub mod layout {\n    pub use crate::b::c::Inner;\n}\n"),
        ("a", "pub use inner::Shown;\nuse core::fmt;\n"),
        ("a::inner", "use super::Own;\nuse crate::layout::Inner;\nuse crate::b::Passed;\n"),
        ("b", "pub(crate) use c::Passed;\nuse super::a::fmt;\nuse crate::Shown as Other;\n"),
        ("b::c", "use super::Other;\nuse super::d::D;\n"),
        (
            "b::d",
            "// crate::a\nmod inner {\n    use crate::b::c;\n}\n#[cfg(test)]\nmod tests {\n    use crate::a::X;\n}\n",
        ),
    ];
    let read = Crate::of(files.map(|(path, text)| (path.to_owned(), text)));
    let found = |from, path| read.found(from, path);
    assert_eq!(found("b", "crate::Shown").as_deref(), Some("a::inner"));
    assert_eq!(found("a::inner", "super::Own").as_deref(), Some("a"));
    assert_eq!(found("a::inner", "crate::layout::Inner").as_deref(), Some("b::c"));
    assert_eq!(found("b::c", "super::Other::new").as_deref(), Some("a::inner"));
    assert_eq!(found("b", "core::fmt"), None);
    let folders = read.imports();
    assert_eq!(folders.len(), 2, "{folders:?}");
    assert!(in_circles(folders[""].clone()).keys().eq(["a", "b"]), "{folders:?}");
    assert!(in_circles(folders["b"].clone()).keys().eq(["c", "d"]), "{folders:?}");
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
    let three = made(&[("a", &["b"]), ("b", &["c"]), ("c", &["a"]), ("above", &["a"])]);
    assert!(in_circles(three).keys().eq(["a", "b", "c"]));
}
