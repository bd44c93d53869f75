//! Directories with what is in them summed up, from the command line's down: the ten largest as a tree.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::path::{Path, PathBuf};

use larder::{Arena, Handle, Tree, trees::Cursor};

struct Directory {
    path: PathBuf,
    bytes: u64,
}

/// Adds up the files of a directory, and says which directories are in it. Files that may not be read are left out.
fn list(path: &Path) -> (u64, Vec<PathBuf>) {
    let (mut bytes, mut directories) = (0, Vec::new());
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        match entry.metadata() {
            Ok(found) if found.is_dir() => directories.push(entry.path()),
            Ok(found) => bytes += found.len(),
            Err(_) => (),
        }
    }
    (bytes, directories)
}

fn main() {
    let path = std::env::args_os().nth(1).unwrap_or_else(|| ".".into());
    let (mut directories, mut tree) = (Arena::new(), Tree::new());
    let root = directories.insert(Directory { path: path.into(), bytes: 0 });

    // The tree grows before the cursor: no recursion, however deep it is.
    let (mut cursor, mut at) = (Cursor::new(root), Some(root));
    while let Some(directory) = at {
        let (bytes, inside) = list(&directories[directory].path);
        directories[directory].bytes = bytes;
        for path in inside {
            let child = directories.insert(Directory { path, bytes: 0 });
            tree.append(&directories, directory, child).expect("both are there");
        }
        at = cursor.next(&tree);
    }
    // Each after its children, so that theirs are whole.
    for directory in tree.descendants_post_order(root) {
        let (bytes, parent) = (directories[directory].bytes, tree.parent(directory));
        directories[parent.expect("it is below the root")].bytes += bytes;
    }

    let mut largest: Vec<Handle<Directory>> = directories.keys().collect();
    largest.sort_by_key(|&directory| core::cmp::Reverse(directories[directory].bytes));
    largest.truncate(10);
    // Directories above a large one are larger, so they are printed, too.
    for directory in core::iter::once(root).chain(tree.descendants(root)) {
        if largest.contains(&directory) {
            let Directory { path, bytes } = &directories[directory];
            let indent = "  ".repeat(tree.ancestors(directory).count());
            println!("{indent}{bytes:>12}  {}", path.display());
        }
    }
}
