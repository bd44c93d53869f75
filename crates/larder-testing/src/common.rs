//! The common tools of the tests by source row: one block for both containers, objects that count their drops, a small
//! random number generator, the text of a panic, the files of the workspace.

use core::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::rc::Rc;

use larder::{Arena, Handle};

use crate::allocator::requests_of;
use crate::caught::panic_of;

/// Runs a block twice: with the name standing for `Arena`, then for `DenseArena`.
#[macro_export]
macro_rules! for_both {
    ($Container:ident => $body:block) => {{
        {
            use larder::Arena as $Container;
            $body
        }
        {
            use larder::DenseArena as $Container;
            $body
        }
    }};
}
pub use crate::for_both;

/// Asserts at compile time that a type does not implement a trait: were it implemented, the path
/// below would be ambiguous.
#[macro_export]
macro_rules! assert_not_implemented {
    ($Type:ty: $($Trait:tt)+) => {{
        trait Ambiguous<Which> {
            fn check() {}
        }
        impl<T: ?Sized> Ambiguous<()> for T {}
        struct Implemented;
        impl<T: ?Sized + $($Trait)+> Ambiguous<Implemented> for T {}
        <$Type as Ambiguous<_>>::check()
    }};
}
pub use crate::assert_not_implemented;

/// `full` natively, `small` where every step is interpreted.
pub const fn scaled(full: usize, small: usize) -> usize {
    if cfg!(miri) { small } else { full }
}

/// Returns whether the variable `THOROUGH` is set, as `scripts/sanitize.sh` sets it.
pub fn is_thorough() -> bool {
    std::env::var_os("THOROUGH").is_some()
}

/// Returns the amount of random work, or the size of the largest: `full` if the tests are to be thorough; a quarter of
/// it if they are not, but at least `small`; and `small` if every step is interpreted.
pub fn thorough(full: usize, small: usize) -> usize {
    scaled(if is_thorough() { full } else { small.max(full / 4) }, small)
}

/// Returns an amount of work that takes long: `full` if the tests are to be thorough, and `small` if every step is
/// interpreted.
pub fn amount(full: usize, usual: usize, small: usize) -> usize {
    scaled(if is_thorough() { full } else { usual }, small)
}

/// Returns the length of the histories of which all are tried: one step more if the tests are to be thorough, and
/// `small` if every step is interpreted.
pub fn deeper(steps: usize, small: usize) -> usize {
    scaled(steps + usize::from(is_thorough()), small)
}

/// Every reuse order, for tests that must hold in each.
pub const REUSE_ORDERS: [larder::Reuse; 3] =
    [larder::Reuse::Packed, larder::Reuse::Lifo, larder::Reuse::Fifo];

/// Shared counter of drops, and maker of objects that count theirs.
#[derive(Clone, Default)]
pub struct Drops(Rc<Cell<usize>>);

impl Drops {
    pub fn count(&self) -> usize {
        self.0.get()
    }

    pub fn object(&self, number: u32) -> Counted {
        Counted { number, drops: self.clone() }
    }
}

/// An object that owns something and counts its drop.
pub struct Counted {
    pub number: u32,
    drops: Drops,
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.drops.0.set(self.drops.0.get() + 1);
    }
}

/// Steele, Lea and Flood's SplitMix64.
#[derive(Clone)]
pub struct SplitMix(u64);

impl SplitMix {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub const fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Takes a random element out of `from`.
    pub fn take<T>(&mut self, from: &mut Vec<T>) -> T {
        let position = self.below(from.len());
        from.swap_remove(position)
    }
}

/// The text of the panic that `act` ends in; fails when it does not panic.
pub fn panic_text<R>(act: impl FnOnce() -> R) -> String {
    panic_of(act).message
}

/// Returns the number of requests that `act` makes of the allocator.
pub fn allocations_of<R>(act: impl FnOnce() -> R) -> usize {
    requests_of(act).0
}

/// Inserts `room` objects, and then others instead; `enter` and `leave` are told of each. Returns how often that
/// allocated.
pub fn allocations_of_turnover<W>(
    room: usize,
    world: &mut W,
    mut enter: impl FnMut(&mut W, &Arena<u32>, Handle<u32>, &mut SplitMix),
    mut leave: impl FnMut(&mut W, &Arena<u32>, Handle<u32>),
) -> usize {
    let mut objects = Arena::with_capacity(room);
    let mut keys = Vec::with_capacity(room);
    let mut random = SplitMix::new(5);
    allocations_of(|| {
        for number in 0..scaled(20_000, 200) as u32 {
            if keys.len() == room {
                let gone = random.take(&mut keys);
                leave(world, &objects, gone);
                objects.remove(gone);
            }
            let key = objects.insert(number);
            enter(world, &objects, key, &mut random);
            keys.push(key);
        }
    })
}

/// Returns the address of an object.
pub fn address<T>(object: &T) -> usize {
    core::ptr::from_ref(object).addr()
}

/// A path below the root of the workspace.
pub fn in_workspace(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The text of a file of the workspace.
pub fn workspace_text(path: &str) -> String {
    fs::read_to_string(in_workspace(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The dependencies of a manifest, for any target and for building, that no feature has to ask for.
pub fn required_dependencies(manifest: &str) -> Vec<String> {
    let mut required = Vec::new();
    let tables = format!("\n{manifest}");
    for table in tables.split("\n[").skip(1) {
        let (header, body) = table.split_once(']').expect("a header ends");
        let is_optional = body.contains("optional = true");
        let entries = body.lines().filter(|line| line.contains('=') && !line.starts_with('#'));
        let named = |line: &str| line.split(['=', '.']).next().map(|name| name.trim().to_owned());
        let of_dependencies = |name: &str| name == "dependencies" || name == "build-dependencies";
        // `[dependencies]`, `[target.'cfg(…)'.dependencies]`, and `[dependencies.name]`.
        match header.rsplit_once('.').unwrap_or(("", header)) {
            (_, last) if of_dependencies(last) => {
                let missing = entries.filter(|line| !line.contains("optional = true"));
                required.extend(missing.filter_map(named));
            }
            (table, name) if of_dependencies(table.rsplit('.').next().unwrap_or(table)) => {
                required.extend((!is_optional).then(|| name.to_owned()));
            }
            _ => (),
        }
    }
    required
}

/// The folders with the sources of the library, and what their paths begin with: that of the core, and that of each
/// subject which is a crate of its own.
const LIBRARY: [(&str, &str); 5] = [
    ("crates/larder-core/src", ""),
    ("crates/larder-indices/src", "indices"),
    ("crates/larder-pools/src", "pools"),
    ("crates/larder-trees/src", "trees"),
    ("crates/larder/src", "larder"),
];

/// The source files of the library: path and text of each. A path begins with the subject, whatever crate it is in:
/// `maps/join.rs`, `trees/ring.rs`.
pub fn library_files() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for (folder, subject) in LIBRARY {
        for (path, text) in files_below(folder, "rs") {
            let path = path.replace('\\', "/");
            let (_, below) = path.rsplit_once("/src/").expect("it is below `src`");
            let path = match (subject, below) {
                ("", below) => below.to_owned(),
                (subject, "lib.rs") => format!("{subject}.rs"),
                (subject, below) => format!("{subject}/{below}"),
            };
            files.insert(path, text);
        }
    }
    files
}

/// The files of an extension below a folder of the workspace: path and text of each.
pub fn files_below(folder: &str, extension: &str) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![in_workspace(folder)];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder);
        for entry in entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                let text = fs::read_to_string(&path).unwrap();
                files.insert(path.to_str().unwrap().to_owned(), text);
            }
        }
    }
    files
}
