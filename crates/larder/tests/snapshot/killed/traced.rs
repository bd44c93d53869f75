//! Saves that are ended by the system, at any call that they make; and what the files of Linux can be.
#![cfg(all(target_os = "linux", not(miri)))]

use std::io::{self, Write};

use larder::Arena;
use larder::snapshot::{Saver, Snapshot};

use crate::Scratch;

/// Starts this program again, to run one test with that in `LARDER_SAVES_TO`.
pub(crate) fn again(test: &str, under: &[&str], file: &std::path::Path) -> std::process::Command {
    use std::process::{Command, Stdio};

    let program = std::env::current_exe().unwrap();
    let mut words = under.iter().map(std::ffi::OsStr::new).chain([program.as_os_str()]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words).args(["--exact", test, "--test-threads", "1"]);
    command.env("LARDER_SAVES_TO", file).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The number of values that most of these save.
const MANY: usize = 20_000;

/// Saves `count` times the same number, which is the tag, too.
fn save(count: usize, number: u32, file: &std::path::Path) -> io::Result<()> {
    let arena: Arena<u32> = core::iter::repeat_n(number, count).collect();
    Saver::new().tag(number.into()).section("it", &arena).save(file)
}

/// Returns the number that was saved, and checks that the file has it `count` times.
fn number_of(count: usize, file: &std::path::Path) -> u32 {
    let mut snapshot = Snapshot::open(file).unwrap();
    let (number, arena) = (snapshot.tag() as u32, snapshot.load::<Arena<u32>>("it").unwrap());
    assert!(arena.len() == count && arena.values().all(|&one| one == number));
    number
}

/// The test that saves where it is told to.
const SAVES: &str = "killed::traced::a_program_that_saves";

/// Saves as many numbers as it is told to, and ends with what that answered: 8 if the medium is full, 7 for any other
/// error.
#[test]
fn a_program_that_saves() {
    let (Some(file), Ok(count)) =
        (std::env::var_os("LARDER_SAVES_TO"), std::env::var("LARDER_COUNT"))
    else {
        return;
    };
    let full = io::ErrorKind::StorageFull;
    let saved = save(count.parse().unwrap(), 2, file.as_ref());
    std::process::exit(saved.map_or_else(|error| 7 + i32::from(error.kind() == full), |()| 0))
}

/// Runs a program that saves so many numbers under strace, which looks at the calls about the file, the one beside it and the
/// directory. `None`, said loudly, where strace is not there or may not trace.
fn strace(count: usize, scratch: &Scratch, injected: &[&str]) -> Option<i32> {
    strace_to(count, scratch, injected, "/dev/null")
}

/// The same, and writes the calls to a file.
fn strace_to(count: usize, scratch: &Scratch, injected: &[&str], log: &str) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt;

    let (directory, file) = (&scratch.0, scratch.file());
    let beside = directory.join(".world.snapshot.0.new");
    let mut under = vec!["strace", "-f", "-y", "-qq", "-o", log];
    for path in [directory, &beside, &file] {
        under.extend(["-P", path.to_str().unwrap()]);
    }
    let inject: Vec<_> = injected.iter().map(|what| format!("inject={what}")).collect();
    inject.iter().for_each(|inject| under.extend(["-e", inject]));
    let mut saves = again(SAVES, &under, &file);
    let status = saves.env("LARDER_COUNT", count.to_string()).status().ok()?;
    status.code().or(status.signal().map(|signal| -signal))
}

/// Returns whether strace can be used. (It writes past the capture of output of tests that pass.)
fn can_trace(count: usize, scratch: &Scratch) -> bool {
    let can = strace(count, scratch, &[]) == Some(0);
    if !can {
        let left_out = "!! LEFT OUT: strace is not there, or may not trace: saves are not ended at each call\n";
        io::stderr().write_all(left_out.as_bytes()).unwrap();
    }
    can
}

/// The calls to the system that a save makes; a large one makes `fallocate` and `fadvise64` besides, and a refused
/// one `unlink`.
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
fn a_save_synchronises_before_it_renames() {
    let scratch = Scratch::new("order");
    save(MANY, 1, &scratch.file()).unwrap();
    if !can_trace(MANY, &scratch) {
        return;
    }
    let log = scratch.0.with_extension("log");
    assert_eq!(strace_to(MANY, &scratch, &[], log.to_str().unwrap()), Some(0));
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
fn a_save_may_end_at_any_call_to_the_system() {
    let scratch = Scratch::new("calls");
    let file = scratch.file();
    if !can_trace(MANY, &scratch) {
        return;
    }
    let (mut killed, mut refused) = (0, 0);
    for call in CALLS {
        for injected in ["signal=SIGKILL", "error=EIO", "error=ENOSPC"] {
            for number in 1.. {
                save(MANY, 1, &file).unwrap();
                let inject = format!("{call}:{injected}:when={number}");
                let code = strace(MANY, &scratch, &[&inject]).unwrap();
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
fn what_a_refused_save_cannot_remove_is_used_by_the_next() {
    let scratch = Scratch::new("unlink");
    if !can_trace(MANY, &scratch) {
        return;
    }
    for (injected, expected) in [("signal=SIGKILL", -9), ("error=EIO", 8)] {
        save(MANY, 1, &scratch.file()).unwrap();
        let unlink = format!("unlink:{injected}");
        let code = strace(MANY, &scratch, &["write:error=ENOSPC", &unlink]);
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
fn a_large_save_may_end_where_the_system_is_asked_for_more() {
    const COUNT: usize = 600_000;

    let scratch = Scratch::new("large");
    let file = scratch.file();
    if !can_trace(COUNT, &scratch) {
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
        assert_eq!(strace(COUNT, &scratch, &[inject]), Some(code), "{inject}");
        assert_eq!(number_of(COUNT, &file), number, "{inject}");
        let left = if code == -9 { 2 } else { 1 };
        assert_eq!(scratch.names().len(), left, "{inject}: what is refused is removed");
    }
}

/// A save is refused if a file may not become as large, at whatever byte that is; the old file stays, alone.
#[test]
fn a_disk_that_is_full_leaves_the_old_file() {
    let scratch = Scratch::new("full");
    let file = scratch.file();
    save(MANY, 1, &file).unwrap();
    let size = std::fs::metadata(&file).unwrap().len();
    for limit in [0, 1, 63, 64, 1_000, 4_096, 65_536, size - 1, size] {
        // (The signal about the limit would end the program, if it were not ignored.)
        let limited = format!("trap '' XFSZ; exec prlimit --fsize={limit} \"$@\"");
        let mut saves = again(SAVES, &["sh", "-c", &limited, "sh"], &file);
        let status = saves.env("LARDER_COUNT", MANY.to_string()).status().unwrap();
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
fn a_file_that_is_truncated_in_use() {
    use larder::snapshot::SnapshotErrorKind;
    use std::os::unix::process::ExitStatusExt;

    let name = "killed::traced::a_file_that_is_truncated_in_use";
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
