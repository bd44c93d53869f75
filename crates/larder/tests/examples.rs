//! Every example runs, says what it is there to say, and is short enough to be read.
#![cfg(not(miri))]
#![expect(clippy::std_instead_of_alloc, reason = "tests run where the standard library is")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use larder_testing::compiled;

/// An example has no more lines than this, but for one that is a whole program.
const LONGEST: usize = 60;
const LONGEST_OF_A_GAME: usize = 125;

/// Returns the arguments of an example, and a line that it prints.
fn expected(name: &str) -> (Vec<PathBuf>, &'static str) {
    match name {
        "game" => (vec![], "frame 250: "),
        "disk_usage" => (vec![some_directories()], "        1110  "),
        "json" => (vec![], "1601 values, 24 different texts"),
        "inventory" => (vec![], "0v1 is not attached to 2v1, which is its descendant"),
        "journal" => (vec![], "100 saves, and all before the torn one: true"),
        "killed" => (vec![], "the same foxes: true, though killed: true"),
        "memory_arena" => (vec![], "  82.5 MB under Handle"),
        "missile" => (vec![], "0v1 is gone, in its place stands 0v3"),
        "observers" => (vec![], "orc watches the elf"),
        "scene_graph" => (vec![], "    gun at 8, 1"),
        "sound_system" => (vec![], "{}"),
        "slot_list" => (vec![], "901 objects, "),
        "replica" => (vec![], "alike after each of 100 frames"),
        "rollback" => (vec![], "after 200 frames both have "),
        "swarm" => (vec![], "second 4: "),
        "undo" => (vec![], "1,000 edits undone: 2 shapes; redone: 1002"),
        _ => (vec![], ""),
    }
}

/// Directories in a directory, with files of 1,000, 100 and 10 bytes.
fn some_directories() -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("disk_usage");
    let inside = root.join("inside");
    fs::create_dir_all(inside.join("deep")).unwrap();
    for (directory, bytes) in
        [(root.clone(), 1_000), (inside.clone(), 100), (inside.join("deep"), 10)]
    {
        fs::write(directory.join("file"), vec![b'x'; bytes]).unwrap();
    }
    root
}

/// The paths in a folder.
fn paths_in(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// The files of the examples, by name: one, or those of a folder.
fn examples() -> BTreeMap<String, Vec<PathBuf>> {
    let paths = paths_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples"));
    let named = paths.into_iter().map(|path| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, if path.is_dir() { paths_in(&path) } else { vec![path] })
    });
    named.collect()
}

#[test]
fn examples_are_short() {
    let code = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "rs");
    for (name, files) in examples() {
        let longest = if name == "game" { LONGEST_OF_A_GAME } else { LONGEST };
        for file in files.iter().filter(|file| code(file)) {
            let lines = fs::read_to_string(file).unwrap().lines().count();
            assert!(lines <= longest, "{} has {lines} lines", file.display());
        }
    }
}

#[test]
fn examples_say_what_they_are_there_for() {
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    compiled::workspace(temporary);
    let target = temporary.parent().unwrap();
    let examples = examples();
    assert!(examples.len() >= 5, "{:?}", examples.keys());
    for name in examples.keys() {
        let (arguments, line) = expected(name);
        let ran = Command::new(target.join("debug/examples").join(name)).args(arguments).output();
        let ran = ran.unwrap_or_else(|error| panic!("{name}: {error}"));
        let (said, complained) =
            (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        assert!(ran.status.success(), "{name}: {complained}");
        assert!(said.lines().any(|said| said.starts_with(line)), "{name} said:\n{said}");
    }
}
