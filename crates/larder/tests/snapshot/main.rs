//! Snapshots: containers are saved, loaded and mapped as they were; what is no snapshot is refused; a save that fails
//! or is killed leaves the file before or the new one.

#![expect(clippy::std_instead_of_alloc, reason = "tests run where the standard library is")]

mod beside;
mod damaged;
mod differences;
mod every_kind;
mod fields;
mod format;
mod hostile;
mod killed;
mod large;
mod refused_memory;
mod round_trips;

use std::io::Cursor;
use std::path::PathBuf;

use larder::snapshot::{Load, Save, Saver, Snapshot, SnapshotError};

/// A snapshot with one section, `it`.
fn saved(container: &dyn Save) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    Saver::new().section("it", container).write_to(&mut file).unwrap();
    file.into_inner()
}

/// The section of such a snapshot.
fn load<C: Load>(file: &[u8]) -> Result<C, SnapshotError> {
    Snapshot::from_reader(Cursor::new(file))?.load("it")
}

/// A file of this test alone, which is removed.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("snapshot").join(name);
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(&directory).unwrap();
        Self(directory)
    }

    fn file(&self) -> PathBuf {
        self.0.join("world.snapshot")
    }

    /// The names of all files.
    fn names(&self) -> Vec<String> {
        let files = std::fs::read_dir(&self.0).unwrap();
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Numbers that look random.
fn numbers(mut seed: u64) -> impl FnMut(u64) -> u64 {
    move |below| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    }
}
