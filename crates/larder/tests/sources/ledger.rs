//! `docs/unsafe.md` is the ledger of the files with `unsafe`: none may be missing, no other may be named,
//! and each says at its top what its proofs rest on. Unsafe functions number what they ask for.
#![cfg(not(miri))]

use std::collections::BTreeSet;

use larder_testing::common::{library_files, workspace_text};

/// The files that have `unsafe`, by their paths below `src`, and their text. (Those of tests rest on what they test.)
fn unsafe_files() -> impl Iterator<Item = (String, String)> {
    library_files().into_iter().filter(|(path, text)| {
        let has_unsafe = code_of(text).any(|line| has_word(line, "unsafe"));
        has_unsafe && !path.ends_with("tests.rs")
    })
}

/// Returns whether a file is in the one module of its folder that may have `unsafe`, which is named `raw`; all of
/// `memory` is such.
fn is_for_unsafe(path: &str) -> bool {
    let is_memory = path.split(['/', '.']).next() == Some("memory");
    is_memory || path.split(['/', '.']).any(|part| part == "raw")
}

/// The lines that are not comments, and do not say of a module that it may have `unsafe`.
fn code_of(text: &str) -> impl Iterator<Item = &str> {
    let is_code =
        |line: &&str| !line.starts_with("//") && !line.starts_with("#[expect(unsafe_code");
    text.lines().map(str::trim_start).filter(is_code)
}

fn has_word(line: &str, word: &str) -> bool {
    line.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|part| part == word)
}

/// Returns whether the documentation of a module states an invariant, or says whose it shares.
fn states_an_invariant(text: &str) -> bool {
    let mut top = text.lines().take_while(|line| line.starts_with("//!"));
    top.any(|line| line.to_lowercase().contains("invariant"))
}

/// The files that the first columns of the tables name, each below the folder that the heading above it names.
fn named(page: &str) -> Vec<String> {
    let (mut folder, mut named) = ("", Vec::new());
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            folder = heading.split('`').nth(1).unwrap_or_default();
        }
        let cell = line.strip_prefix("| ").and_then(|cells| cells.split('|').next());
        let spans = cell.into_iter().flat_map(|cell| cell.split('`').skip(1).step_by(2));
        named.extend(
            spans.filter(|span| span.ends_with(".rs")).map(|span| format!("{folder}{span}")),
        );
    }
    named
}

#[test]
fn the_ledger_names_the_files_with_unsafe_and_no_other() {
    let named = named(&workspace_text("docs/unsafe.md"));
    let unique: BTreeSet<_> = named.iter().cloned().collect();
    assert_eq!(named.len(), unique.len(), "a file has two rows");
    let there: BTreeSet<_> = unsafe_files().map(|(path, _)| path).collect();
    assert_eq!(unique, there, "left: docs/unsafe.md, right: the source");
}

#[test]
fn unsafe_code_is_in_the_module_of_its_subject_for_it() {
    let elsewhere = unsafe_files().filter(|(path, _)| !is_for_unsafe(path));
    let elsewhere: Vec<_> = elsewhere.map(|(path, _)| path).collect();
    assert!(elsewhere.is_empty(), "{elsewhere:?}");
}

#[test]
fn what_counts_as_the_module_for_unsafe_code() {
    for path in
        ["raw/slots.rs", "trees/raw.rs", "pools/raw/lists/pieces.rs", "memory.rs", "memory/sys.rs"]
    {
        assert!(is_for_unsafe(path), "{path}");
    }
    for path in ["pools/lives.rs", "raws.rs", "lib.rs", "trees/raw_links.rs"] {
        assert!(!is_for_unsafe(path), "{path}");
    }
    let page = "## A: `a/`\n| file | x |\n| `b.rs`, `c/d.rs` | `e.rs` |\n## B\n| `f/g.rs` | h |";
    assert_eq!(named(page), ["a/b.rs", "a/c/d.rs", "f/g.rs"]);
}

#[test]
fn files_with_unsafe_state_their_invariant() {
    let without = unsafe_files().filter(|(_, text)| !states_an_invariant(text));
    let without: Vec<_> = without.map(|(path, _)| path).collect();
    assert!(without.is_empty(), "no invariant at the top: {without:?}");
}

/// The unsafe functions of a file that have a `# Safety` section, by name, and that section.
fn contracts(text: &str) -> impl Iterator<Item = (&str, String)> {
    let mut documentation = Vec::new();
    text.lines().map(str::trim_start).filter_map(move |line| {
        if let Some(said) = line.strip_prefix("///") {
            documentation.push(said.trim());
        } else if !line.starts_with("#[") {
            let said = documentation.split(|said| *said == "# Safety").nth(1).unwrap_or_default();
            let section = said.split(|said| said.starts_with('#')).next().unwrap_or_default();
            let section = section.join("\n");
            documentation.clear();
            let name = line.split("unsafe fn ").nth(1)?.split(['(', '<']).next()?;
            return (!section.is_empty()).then_some((name, section));
        }
        None
    })
}

/// Returns whether a section numbers its preconditions, from 1 on, or has only one. (Text in parentheses is none, and
/// several are told apart by the sign that ends one.)
fn is_numbered(section: &str) -> bool {
    let number = |line: &str| line.split_once(". ")?.0.parse::<usize>().ok();
    let numbers: Vec<_> = section.lines().filter_map(number).collect();
    if !numbers.is_empty() {
        return numbers.iter().copied().eq(1..=numbers.len());
    }
    // The text up to the end of each parenthesis is left out.
    let section = section.replace('\n', " ");
    let outside = section.split('(').enumerate().map(|(at, part)| match at {
        0 => part,
        _ => part.split_once(')').map_or("", |(_, after)| after),
    });
    let condition = outside.collect::<String>();
    let ends = [". ", "; ", ", and "].map(|end| condition.trim_end().contains(end));
    !ends.contains(&true)
}

#[test]
fn contracts_of_several_preconditions_number_them() {
    let mut unnumbered = Vec::new();
    for (path, text) in unsafe_files() {
        let unclear = contracts(&text).filter(|(_, section)| !is_numbered(section));
        unnumbered.extend(unclear.map(|(name, section)| format!("{path}, {name}: {section}")));
    }
    assert!(unnumbered.is_empty(), "{unnumbered:#?}");
}

#[test]
fn what_counts_as_numbered() {
    let text = "/// Words.\n///\n/// # Safety\n/// 1. One.\n/// 2. Two.\n#[inline]\nunsafe fn f<T>() {}\n\
        /// # Safety\n/// One.\n///\n/// # Examples\n/// Two.\npub unsafe fn g() {}\n/// Safe.\nfn h() {}";
    let found: Vec<_> = contracts(text).collect();
    assert_eq!(found.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["f", "g"]);
    assert!(found.iter().all(|(_, section)| is_numbered(section)), "{found:?}");
    for one in
        ["`a < b()`.", "The slot is live. (It is free; and, then, not.)", "It is\n1. a;\n2. b."]
    {
        assert!(is_numbered(one), "{one}");
    }
    for several in ["One. Two.", "One; two.", "One, and\ntwo.", "1. One.\n3. Two."] {
        assert!(!is_numbered(several), "{several}");
    }
}

#[test]
fn what_counts_as_unsafe() {
    for code in ["unsafe { x }", "    let y = unsafe { x };", "pub(crate) unsafe fn f() {}"] {
        assert!(code_of(code).any(|line| has_word(line, "unsafe")), "{code}");
    }
    for code in ["// unsafe { x }", "    /// An unsafe function.", "unsafe_files()"] {
        assert!(!code_of(code).any(|line| has_word(line, "unsafe")), "{code}");
    }
    assert!(states_an_invariant("//! Words.\n//!\n//! **Invariant.** None.\n\nuse x;"));
    assert!(!states_an_invariant("//! Words.\n\n//! **Invariant.** Too late."));
}
