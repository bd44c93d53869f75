//! Saves that fail, or are killed.

use std::io::{self, Cursor, Seek, SeekFrom, Write};

use larder::Arena;
use larder::snapshot::{Saver, Snapshot};

use super::Scratch;

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

/// Starts this program again, to run one test with that in `LARDER_SAVES_TO`.
#[cfg(target_os = "linux")]
pub(super) fn again(test: &str, under: &[&str], file: &std::path::Path) -> std::process::Command {
    use std::process::{Command, Stdio};

    let program = std::env::current_exe().unwrap();
    let mut words = under.iter().map(std::ffi::OsStr::new).chain([program.as_os_str()]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words).args(["--exact", test, "--test-threads", "1"]);
    command.env("LARDER_SAVES_TO", file).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The number of values that most of these save.
#[cfg(target_os = "linux")]
const MANY: usize = 20_000;

/// Saves so many numbers, all `number`, and that as the tag.
#[cfg(target_os = "linux")]
fn save(count: usize, number: u32, file: &std::path::Path) -> io::Result<()> {
    let arena: Arena<u32> = core::iter::repeat_n(number, count).collect();
    Saver::new().tag(number.into()).section("it", &arena).save(file)
}

/// The number of the save that a file is of; it has all of it, so many.
#[cfg(target_os = "linux")]
fn number_of(count: usize, file: &std::path::Path) -> u32 {
    let mut snapshot = Snapshot::open(file).unwrap();
    let (number, arena) = (snapshot.tag() as u32, snapshot.load::<Arena<u32>>("it").unwrap());
    assert!(arena.len() == count && arena.values().all(|&one| one == number));
    number
}

/// Ends a program with what its save answered: 8 if the medium is full, 7 for any other error.
#[cfg(target_os = "linux")]
fn end_with(saved: io::Result<()>) -> ! {
    let full = io::ErrorKind::StorageFull;
    std::process::exit(saved.map_or_else(|error| 7 + i32::from(error.kind() == full), |()| 0))
}

/// Runs a test's saving program under strace, which looks at the calls about the file, the one beside it and the
/// directory. `None`, said loudly, where strace is not there or may not trace.
#[cfg(target_os = "linux")]
fn strace(name: &str, scratch: &Scratch, injected: &[&str]) -> Option<i32> {
    strace_to(name, scratch, injected, "/dev/null")
}

/// The same, and writes the calls to a file.
#[cfg(target_os = "linux")]
fn strace_to(name: &str, scratch: &Scratch, injected: &[&str], log: &str) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt;

    let (directory, file) = (&scratch.0, scratch.file());
    let beside = directory.join(".world.snapshot.0.new");
    let mut under = vec!["strace", "-f", "-y", "-qq", "-o", log];
    for path in [directory, &beside, &file] {
        under.extend(["-P", path.to_str().unwrap()]);
    }
    let inject: Vec<_> = injected.iter().map(|what| format!("inject={what}")).collect();
    inject.iter().for_each(|inject| under.extend(["-e", inject]));
    let status = again(name, &under, &file).status().ok()?;
    status.code().or(status.signal().map(|signal| -signal))
}

/// Returns whether strace can be used. (It writes past the capture of output of tests that pass.)
#[cfg(target_os = "linux")]
fn can_trace(name: &str, scratch: &Scratch) -> bool {
    let can = strace(name, scratch, &[]) == Some(0);
    if !can {
        let left_out = "!! LEFT OUT: strace is not there, or may not trace: saves are not ended at each call\n";
        io::stderr().write_all(left_out.as_bytes()).unwrap();
    }
    can
}

/// The calls to the system that a save makes; a large one makes `fallocate` and `fadvise64` besides, and a refused
/// one `unlink`.
#[cfg(target_os = "linux")]
const CALLS: [&str; 10] = [
    "openat",
    "flock",
    "ftruncate",
    "fchmod",
    "write",
    "lseek",
    "fsync",
    "rename",
    "statx",
    "close",
];

/// The bytes are synchronised before the new file gets its name, and the name is before the save returns. It makes no
/// other calls than those that are listed.
#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(miri, ignore = "starts programs")]
fn a_save_synchronises_before_it_renames() {
    let name = "killed::a_save_synchronises_before_it_renames";
    if let Some(file) = std::env::var_os("LARDER_SAVES_TO") {
        end_with(save(MANY, 2, file.as_ref()));
    }
    let scratch = Scratch::new("order");
    save(MANY, 1, &scratch.file()).unwrap();
    if !can_trace(name, &scratch) {
        return;
    }
    let log = scratch.0.with_extension("log");
    assert_eq!(strace_to(name, &scratch, &[], log.to_str().unwrap()), Some(0));
    // Each line begins with the number of a thread; files that are open are
    // followed by their paths.
    let lines = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(&log).unwrap();
    let calls: Vec<(&str, &str)> = lines
        .lines()
        // (In a debug build std asks, before it closes a file, whether it is open.)
        .filter(|line| !line.contains("exited with") && !line.contains("F_GETFD"))
        .map(|line| line.trim_start().split_once(' ').unwrap().1.trim_start())
        .map(|call| call.split_once('(').unwrap_or_else(|| panic!("{call}")))
        .collect();
    let names = |call: &str| calls.iter().filter(|(name, _)| *name == call).count();
    assert!(calls.iter().all(|(name, _)| CALLS.contains(name)), "others are not injected: {lines}");
    assert!(CALLS.iter().all(|call| names(call) > 0), "some are not made: {lines}");

    let new = scratch.0.join(".world.snapshot.0.new");
    let (new, directory) = (new.to_str().unwrap(), scratch.0.to_str().unwrap());
    let opened = |path: &str| format!("\"{path}\"");
    let open = |path: &str| format!("<{path}>");
    let steps = [
        ("openat", opened(new)),
        ("flock", open(new)),
        ("ftruncate", open(new)),
        ("write", open(new)),
        ("fsync", open(new)),
        ("rename", opened(new)),
        ("openat", opened(directory)),
        ("fsync", open(directory)),
    ];
    let mut rest = calls.iter();
    for (call, of) in &steps {
        let found = rest.any(|(name, arguments)| name == call && arguments.contains(of));
        assert!(found, "there is no {call} of {of} where there should be one: {lines}");
    }
    let last = |call: &str| calls.iter().rposition(|(name, _)| *name == call);
    let synchronised = calls.iter().position(|(name, _)| *name == "fsync");
    assert!(last("write") < synchronised, "all is written before: {lines}");
    assert_eq!((names("fsync"), names("rename")), (2, 1), "{lines}");
}

/// Killed at, or refused, any of the calls to the system that a save makes, it leaves the old file, or the new one if
/// that has its name already; what is refused is reported, and leaves nothing beside the file.
#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(miri, ignore = "starts programs")]
fn a_save_may_end_at_any_call_to_the_system() {
    let name = "killed::a_save_may_end_at_any_call_to_the_system";
    if let Some(file) = std::env::var_os("LARDER_SAVES_TO") {
        end_with(save(MANY, 2, file.as_ref()));
    }
    let scratch = Scratch::new("calls");
    let file = scratch.file();
    if !can_trace(name, &scratch) {
        return;
    }
    let (mut killed, mut refused) = (0, 0);
    for call in CALLS {
        for injected in ["signal=SIGKILL", "error=EIO", "error=ENOSPC"] {
            for number in 1.. {
                save(MANY, 1, &file).unwrap();
                let inject = format!("{call}:{injected}:when={number}");
                let code = strace(name, &scratch, &[&inject]).unwrap();
                let found = number_of(MANY, &file);
                match code {
                    0 => {
                        assert!(number > 1 || call == "close", "{inject}: there is no such call");
                        assert_eq!(found, 2, "{inject}");
                        // (An error of closing the file is ignored, since the file was synchronised.)
                        if call != "close" || number > 4 {
                            break;
                        }
                    }
                    7 | 8 => {
                        refused += 1;
                        assert_eq!(code == 8, injected == "error=ENOSPC", "{inject}: {code}");
                        // (The directory is synchronised when the new file has its name.)
                        assert!(found == 1 || call == "fsync" || call == "openat", "{inject}");
                        assert_eq!(scratch.names(), ["world.snapshot"], "{inject}");
                    }
                    _ => killed += 1,
                }
                assert!(number < 100 && scratch.names().len() <= 2, "{inject}");
            }
        }
    }
    assert!(killed > 8 && refused > 10, "{killed} were killed, {refused} were refused");
    save(MANY, 3, &file).unwrap();
    assert_eq!((number_of(MANY, &file), scratch.names()), (3, vec!["world.snapshot".to_owned()]));
}

/// A save that is refused removes the file beside the old one: killed there, or refused that too, it leaves it, and
/// the old file; the next save uses it.
#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(miri, ignore = "starts programs")]
fn what_a_refused_save_cannot_remove_is_used_by_the_next() {
    let name = "killed::what_a_refused_save_cannot_remove_is_used_by_the_next";
    if let Some(file) = std::env::var_os("LARDER_SAVES_TO") {
        end_with(save(MANY, 2, file.as_ref()));
    }
    let scratch = Scratch::new("unlink");
    if !can_trace(name, &scratch) {
        return;
    }
    for (injected, expected) in [("signal=SIGKILL", -9), ("error=EIO", 8)] {
        save(MANY, 1, &scratch.file()).unwrap();
        let unlink = format!("unlink:{injected}");
        let code = strace(name, &scratch, &["write:error=ENOSPC", &unlink]);
        assert_eq!((code, number_of(MANY, &scratch.file())), (Some(expected), 1), "{injected}");
        assert_eq!(scratch.names().len(), 2, "{injected}: it is not removed");
        save(MANY, 3, &scratch.file()).unwrap();
        assert_eq!(number_of(MANY, &scratch.file()), 3);
        assert_eq!(scratch.names(), ["world.snapshot"], "{injected}");
    }
}

/// The system is asked to make room for a large array, and to begin to write where more than 4 MiB were written. Either
/// may be the last call. A refusal is not an error there, except that of a full disk, which is one before anything is
/// written.
#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(miri, ignore = "starts programs")]
fn a_large_save_may_end_where_the_system_is_asked_for_more() {
    const COUNT: usize = 600_000;

    let name = "killed::a_large_save_may_end_where_the_system_is_asked_for_more";
    if let Some(file) = std::env::var_os("LARDER_SAVES_TO") {
        end_with(save(COUNT, 2, file.as_ref()));
    }
    let scratch = Scratch::new("large");
    let file = scratch.file();
    if !can_trace(name, &scratch) {
        return;
    }
    assert!(std::fs::metadata(&file).unwrap().len() > 4 << 20);
    for (inject, code, number) in [
        ("fadvise64:signal=SIGKILL:when=1", -9, 1),
        ("fadvise64:error=EIO", 0, 2),
        ("fallocate:signal=SIGKILL", -9, 1),
        ("fallocate:error=EOPNOTSUPP", 0, 2),
        ("fallocate:error=EIO", 0, 2),
        ("fallocate:error=ENOSPC", 8, 1),
    ] {
        save(COUNT, 1, &file).unwrap();
        assert_eq!(strace(name, &scratch, &[inject]), Some(code), "{inject}");
        assert_eq!(number_of(COUNT, &file), number, "{inject}");
        let left = if code == -9 { 2 } else { 1 };
        assert_eq!(scratch.names().len(), left, "{inject}: what is refused is removed");
    }
}

/// A save is refused if a file may not become as large, at whatever byte that is; the old file stays, alone.
#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(miri, ignore = "starts programs")]
fn a_disk_that_is_full_leaves_the_old_file() {
    let name = "killed::a_disk_that_is_full_leaves_the_old_file";
    if let Some(file) = std::env::var_os("LARDER_SAVES_TO") {
        end_with(save(MANY, 2, file.as_ref()));
    }
    let scratch = Scratch::new("full");
    let file = scratch.file();
    save(MANY, 1, &file).unwrap();
    let size = std::fs::metadata(&file).unwrap().len();
    for limit in [0, 1, 63, 64, 1_000, 4_096, 65_536, size - 1, size] {
        // (The signal about the limit would end the program, if it were not ignored.)
        let limited = format!("trap '' XFSZ; exec prlimit --fsize={limit} \"$@\"");
        let status = again(name, &["sh", "-c", &limited, "sh"], &file).status().unwrap();
        let (expected, number) = if limit < size { (7, 1) } else { (0, 2) };
        assert_eq!(
            (status.code(), number_of(MANY, &file)),
            (Some(expected), number),
            "{limit} bytes"
        );
        assert_eq!(scratch.names(), ["world.snapshot"]);
    }
}

/// A file that is cut off while it is read is an error; one that is cut off while it is mapped ends the program when it
/// touches what is gone, which is why mapping is `unsafe`. That is so where it is mapped privately, too.
#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(miri, ignore = "starts programs")]
fn a_file_that_is_truncated_in_use() {
    use larder::snapshot::SnapshotErrorKind;
    use std::os::unix::process::ExitStatusExt;

    let name = "killed::a_file_that_is_truncated_in_use";
    let truncate = |file: &std::path::Path| {
        std::fs::OpenOptions::new().write(true).open(file).unwrap().set_len(100).unwrap();
    };
    if let Some(file) = std::env::var_os("LARDER_SAVES_TO") {
        let is_private = std::env::var("LARDER_PRIVATELY").unwrap() == "yes";
        let mut snapshot = Snapshot::open(&file).unwrap();
        // SAFETY: (That no program truncates the file is not so: what happens then
        // is what is tested.)
        let (mapped, own) = unsafe {
            let own = snapshot.map_private::<Arena<u32>>("it", 100_000).unwrap();
            (snapshot.map::<Arena<u32>>("it").unwrap(), own)
        };
        truncate(file.as_ref());
        let touched = if is_private { &own } else { &*mapped };
        std::process::exit(touched.values().fold(0, |all, &number| all | number as i32));
    }
    let scratch = Scratch::new("truncated");
    let file = scratch.file();
    for private in ["no", "yes"] {
        save(MANY, 1, &file).unwrap();
        let status =
            again(name, &["env"], &file).env("LARDER_PRIVATELY", private).status().unwrap();
        assert_eq!(status.signal(), Some(7), "{private}: the system ends it: SIGBUS");
    }

    save(MANY, 1, &file).unwrap();
    let mut snapshot = Snapshot::open(&file).unwrap();
    truncate(&file);
    let error = snapshot.load::<Arena<u32>>("it").unwrap_err();
    let SnapshotErrorKind::Io(error) = error.reason else { panic!("{error}") };
    assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
}

/// Where another save would have its new file there may be anything: a link that leads elsewhere, another file's
/// second name, a directory, a pipe that nobody reads. The next name is taken.
#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(miri, ignore = "makes links")]
fn what_lies_beside_the_file_is_no_obstacle() {
    use core::time::Duration;
    use std::sync::mpsc;

    for what in ["link", "name", "directory", "pipe"] {
        let scratch = Scratch::new(what);
        let (beside, elsewhere) =
            (scratch.0.join(".world.snapshot.0.new"), scratch.0.join("elsewhere"));
        match what {
            "link" => std::os::unix::fs::symlink(&elsewhere, &beside).unwrap(),
            "name" => {
                std::fs::write(&elsewhere, "of another file").unwrap();
                std::fs::hard_link(&elsewhere, &beside).unwrap();
            }
            "directory" => std::fs::create_dir(&beside).unwrap(),
            _ => assert!(
                std::process::Command::new("mkfifo").arg(&beside).status().unwrap().success()
            ),
        }
        let (send, receive) = mpsc::channel();
        let file = scratch.file();
        std::thread::spawn(move || send.send(save(MANY, 1, &file)));
        let saved = receive.recv_timeout(Duration::from_secs(20));
        saved.unwrap_or_else(|_| panic!("{what}: it does not return")).unwrap();
        assert_eq!(number_of(MANY, &scratch.file()), 1, "{what}");
        let contents = std::fs::read(&elsewhere).ok();
        let expected = (what == "name").then_some(&b"of another file"[..]);
        assert_eq!(contents.as_deref(), expected, "{what}: a file elsewhere was written");
    }
}

/// Whoever cannot read the old file cannot read the new one, either.
#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(miri, ignore = "asks for modes")]
fn a_new_file_has_the_mode_of_the_old_one() {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    let scratch = Scratch::new("mode");
    save(MANY, 1, &scratch.file()).unwrap();
    fs::set_permissions(scratch.file(), fs::Permissions::from_mode(0o600)).unwrap();
    save(MANY, 2, &scratch.file()).unwrap();
    assert_eq!(fs::metadata(scratch.file()).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(miri, ignore = "writes a file")]
fn the_name_of_a_file_may_be_as_long_as_the_system_allows() {
    for letters in [1, 239, 240, 255] {
        let scratch = Scratch::new("long");
        let file = scratch.0.join("n".repeat(letters));
        save(9, 1, &file).unwrap();
        save(9, 2, &file).unwrap();
        assert_eq!(number_of(9, &file), 2, "{letters}");
        assert_eq!(std::fs::read_dir(&scratch.0).unwrap().count(), 1, "{letters}");
    }
}
