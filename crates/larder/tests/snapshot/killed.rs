//! Saves that fail, or are killed.

use std::io::{self, Cursor, Seek, SeekFrom, Write};

use larder::Arena;
use larder::snapshot::{Saver, Snapshot};

use super::Scratch;

pub(super) mod traced;

/// A medium whose n-th call fails.
struct Failing {
    to: Cursor<Vec<u8>>,
    calls: usize,
}

impl Failing {
    fn call(&mut self) -> io::Result<()> {
        self.calls = self.calls.checked_sub(1).ok_or(io::ErrorKind::StorageFull)?;
        Ok(())
    }
}

impl Write for Failing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.call()?;
        self.to.write(&bytes[..bytes.len().min(100)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.call()
    }
}

impl Seek for Failing {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.call()?;
        self.to.seek(to)
    }
}

/// Whatever call fails is reported, and what was written by then is no snapshot.
#[test]
fn every_call_may_fail() {
    let arena: Arena<u64> = (0..200).collect();
    let mut calls = 0;
    loop {
        let mut medium = Failing { to: Cursor::new(Vec::new()), calls };
        let result = Saver::new().section("it", &arena).write_to(&mut medium);
        let is_whole = Snapshot::from_reader(Cursor::new(medium.to.get_ref())).is_ok();
        match result {
            Ok(()) => break assert!(is_whole),
            Err(error) => assert_eq!(error.kind(), io::ErrorKind::StorageFull),
        }
        // (The last call is that to flush what is written.)
        assert!(!is_whole || medium.calls == 0);
        calls += 1;
    }
    assert!(calls > 20, "{calls}");
}

/// A medium that notes where each call ends that writes.
struct Noting {
    to: Cursor<Vec<u8>>,
    ends: Vec<u64>,
}

impl Write for Noting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.to.write(bytes)?;
        self.ends.push(self.to.position());
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Noting {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.to.seek(to)
    }
}

/// Large arrays are written from one multiple of 256 KiB to the next, whatever the size of an element is, and whether
/// they are written from where they lie (columns) or put together (rows); what is written is what is loaded.
#[test]
fn large_arrays_are_written_in_whole_pieces() {
    const PIECE: u64 = 256 << 10;

    fn check<C: larder::snapshot::Save + larder::snapshot::Load>(container: &C) -> C {
        let mut medium = Noting { to: Cursor::new(Vec::new()), ends: Vec::new() };
        Saver::new().section("it", container).write_to(&mut medium).unwrap();
        let (length, ends) = (medium.to.get_ref().len() as u64, &medium.ends);
        assert!(length > 4 * PIECE && ends.iter().filter(|end| *end % PIECE == 0).count() >= 3);
        assert!((ends.len() as u64) < length / PIECE + 20, "{length} bytes: {ends:?}");
        let mut snapshot = Snapshot::from_reader(medium.to).unwrap();
        snapshot.verify().unwrap();
        snapshot.load("it").unwrap()
    }

    let mut rows: Arena<[u64; 3]> = (0..40_000).map(|number| [number; 3]).collect();
    rows.retain(|_, row| row[0] % 7 != 3);
    assert!(check(&rows).iter().eq(rows.iter()));
    let large: Arena<[u64; 1_000]> = (0..150).map(|number| [number; 1_000]).collect();
    assert!(check(&large).iter().eq(large.iter()));
    let columns: larder::SoaArena<(u64, [u8; 9])> =
        (0..90_000).map(|number| (number, [number as u8; 9])).collect();
    let loaded = check(&columns);
    assert!(loaded.iter().eq(columns.iter()));
}

/// A file stays as it was where a new one cannot be written, and nothing is left beside it.
#[test]
#[cfg_attr(miri, ignore = "writes files")]
fn a_save_that_is_refused_leaves_the_old_file() {
    let scratch = Scratch::new("refused");
    let (old, new) = (Arena::from_iter([1_u32]), Arena::from_iter([2_u32]));
    Saver::new().section("it", &old).save(scratch.file()).unwrap();
    // A directory of the file's name cannot be replaced.
    let directory = scratch.0.join("directory");
    std::fs::create_dir(&directory).unwrap();
    assert!(Saver::new().section("it", &new).save(&directory).is_err());
    assert!(Saver::new().section("it", &new).save(scratch.0.join("none").join("file")).is_err());
    assert!(Saver::new().section("it", &new).save("/").is_err());
    let mut names = scratch.names();
    names.sort();
    assert_eq!(names, ["directory", "world.snapshot"]);
    let loaded: Arena<u32> = Snapshot::open(scratch.file()).unwrap().load("it").unwrap();
    assert!(loaded.values().eq(&[1]));
}

/// A full disk is an error, and leaves the old file.
#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(miri, ignore = "writes files")]
fn a_full_disk_is_an_error() {
    let arena: Arena<u64> = (0..1_000).collect();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let error = Saver::new().section("it", &arena).write_to(full).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}

/// A program that is killed at any moment of a save leaves the old file or the new.
#[test]
#[cfg(unix)]
#[cfg_attr(miri, ignore = "starts programs")]
fn a_save_that_is_killed_leaves_the_old_file_or_the_new() {
    use core::time::Duration;
    use std::process::{Command, Stdio};

    if let Some(file) = std::env::var_os("LARDER_SAVES_TO") {
        // The program that is killed: it saves generation after generation.
        for generation in 1..=u32::MAX {
            let arena: Arena<u32> = core::iter::repeat_n(generation, 20_000).collect();
            Saver::new().tag(generation.into()).section("it", &arena).save(&file).unwrap();
        }
    }
    let scratch = Scratch::new("killed");
    let file = scratch.file();
    let mut generations = Vec::new();
    for round in 0..30 {
        let name = "killed::a_save_that_is_killed_leaves_the_old_file_or_the_new";
        let mut program = Command::new(std::env::current_exe().unwrap());
        program.args(["--exact", name]).env("LARDER_SAVES_TO", &file).stdout(Stdio::null());
        let mut program = program.stderr(Stdio::null()).spawn().unwrap();
        let begun = || Snapshot::open(&file).map_or(0, |snapshot| snapshot.tag());
        while begun() < 2 + round % 3 {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(397 * round));
        program.kill().unwrap();
        program.wait().unwrap();
        let mut snapshot = Snapshot::open(&file).unwrap();
        let arena: Arena<u32> = snapshot.load("it").unwrap();
        let generation = snapshot.tag() as u32;
        assert!(arena.len() == 20_000 && arena.values().all(|&number| number == generation));
        assert!(scratch.names().len() <= 2, "what is left is used again: {:?}", scratch.names());
        generations.push(generation);
        std::fs::remove_file(&file).unwrap();
    }
    assert!(generations.iter().any(|&generation| generation > 2), "{generations:?}");
}

/// Saves to one file at the same time do not mix.
#[test]
#[cfg_attr(miri, ignore = "writes files")]
fn several_threads_save_to_one_file() {
    let scratch = Scratch::new("threads");
    std::thread::scope(|scope| {
        for thread in 0..4_u32 {
            let file = scratch.file();
            scope.spawn(move || {
                for round in 0..20 {
                    let arena: Arena<u32> = core::iter::repeat_n(thread, 5_000 + round).collect();
                    Saver::new().tag(thread.into()).section("it", &arena).save(&file).unwrap();
                    let mut snapshot = Snapshot::open(&file).unwrap();
                    let tag = snapshot.tag() as u32;
                    let arena: Arena<u32> = snapshot.load("it").unwrap();
                    assert!(arena.len() >= 5_000 && arena.values().all(|&number| number == tag));
                }
            });
        }
    });
    assert_eq!(scratch.names(), ["world.snapshot"]);
}
