//! A comment begins with the thing that it is about, or with a verb: "The number of slots", not "How many slots".
#![cfg(not(miri))]

use larder_testing::common::library_files;

/// Words with which a clause in place of a noun begins.
const OPENERS: [&str; 7] = ["What", "Where", "Whether", "How", "Of", "As", "Which"];

/// Returns the words of a line that is a comment.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.trim_start_matches(['/', '!']).trim())
}

/// Counts the comments of a file, each a block of consecutive lines, and returns the line of each that has a paragraph
/// which begins with one of the [`OPENERS`].
fn count(text: &str) -> (usize, Vec<usize>) {
    let (mut comments, mut wrong) = (0, Vec::new());
    let (mut is_inside, mut begins, mut is_counted) = (false, false, false);
    for (number, line) in text.lines().enumerate() {
        let Some(words) = comment(line) else {
            is_inside = false;
            continue;
        };
        if !is_inside {
            comments += 1;
            (is_inside, begins, is_counted) = (true, true, false);
        }
        let first = words
            .trim_start_matches(['(', '-', '*', ' '])
            .split(|c: char| !c.is_alphabetic())
            .next();
        if begins && !is_counted && first.is_some_and(|first| OPENERS.contains(&first)) {
            wrong.push(number + 1);
            is_counted = true;
        }
        begins = words.is_empty() || words.starts_with(['#', '`']);
    }
    (comments, wrong)
}

#[test]
fn comments_begin_with_the_thing_or_a_verb() {
    let (mut all, mut wrong) = (0, Vec::new());
    for (path, text) in library_files() {
        let (comments, lines) = count(&text);
        all += comments;
        wrong.extend(lines.into_iter().map(|line| format!("{path}:{line}")));
    }
    assert!(all > 1_000, "{all} comments");
    assert!(wrong.len() * 50 <= all, "{} of {all} comments: {wrong:#?}", wrong.len());
}

#[test]
fn comments_are_counted_by_their_first_words() {
    let text = "//! What.\n//! Where.\n\n/// The slot. What.\nfn f() {} // What\n    // (Whether.)\n    x;\n\
        /// Fails.\n///\n/// # Errors\n/// As above.\n///\n/// As below.\n/// A\n/// How\nfn g() {}";
    assert_eq!(count(text), (4, vec![1, 6, 11]));
    assert_eq!(count("/// Whatever.\n/// Often.\nstruct S;"), (1, vec![]));
}
