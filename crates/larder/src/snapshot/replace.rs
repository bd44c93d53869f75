//! A file that is replaced as a whole, or stays as it is.

use alloc::format;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// So many bytes later the system is asked to begin to write what it was given.
const BEHIND: u64 = 4 << 20;

/// A file that the system writes to the medium while the rest is made: to synchronise it takes less time then.
pub(super) struct Written<'a> {
    file: &'a File,
    /// How many bytes were written, and to how many of them the system was pointed.
    bytes: u64,
    begun: u64,
}

impl Write for Written<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.bytes += count as u64;
        if self.bytes - self.begun >= BEHIND {
            begin_to_write(self.file, self.begun, self.bytes - self.begun);
            self.begun = self.bytes;
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Written<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Has the system begin to write a range of a file, and return. (What is being written stays in its cache. A system
/// that refuses writes later.)
#[cfg(target_os = "linux")]
fn begin_to_write(file: &File, from: u64, bytes: u64) {
    use rustix::fs::{Advice, fadvise};

    let _ = fadvise(file, from, core::num::NonZeroU64::new(bytes), Advice::DontNeed);
}

#[cfg(not(target_os = "linux"))]
fn begin_to_write(_: &File, _: u64, _: u64) {}

/// A new file beside the one that it will replace; without being renamed it is removed.
struct New {
    file: File,
    path: PathBuf,
}

impl Drop for New {
    fn drop(&mut self) {
        // Where it was renamed, there is none of this name.
        let _ = fs::remove_file(&self.path);
    }
}

/// Has `write` write a new file, which then takes the place of the one at `path`, if there is one. On an error that
/// is as it was, unless only the last step failed, which is to make the new name permanent.
pub(super) fn replace(
    path: &Path,
    write: impl FnOnce(&mut Written<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let nameless = || io::Error::new(io::ErrorKind::InvalidInput, "the path names no file");
    let name = path.file_name().ok_or_else(nameless)?.to_string_lossy();
    let beside = |number: u32| path.with_file_name(format!(".{name}.{number}.new"));
    let mut new =
        (0..).find_map(|number| begin(beside(number)).transpose()).ok_or_else(nameless)??;
    write(&mut Written { file: &new.file, bytes: 0, begun: 0 })?;
    new.file.sync_all()?;
    fs::rename(&new.path, path)?;
    // (Of this name there may be another by now.)
    new.path = PathBuf::new();
    sync_directory(path)
}

/// An empty file that no other save has; `None` if one has it. What a program left that was killed is used again.
#[cfg(unix)]
fn begin(path: PathBuf) -> io::Result<Option<New>> {
    use std::os::unix::fs::MetadataExt;

    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;

    loop {
        let file = File::options().write(true).create(true).truncate(false).open(&path)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) => return Ok(None),
            Err(error) => return Err(error.into()),
            Ok(()) => {}
        }
        // Another save may have renamed or removed it before the lock.
        let own = file.metadata()?;
        let same = |now: fs::Metadata| (now.dev(), now.ino()) == (own.dev(), own.ino());
        if fs::symlink_metadata(&path).is_ok_and(same) {
            let new = New { file, path };
            new.file.set_len(0)?;
            return Ok(Some(new));
        }
    }
}

/// As on Unix, but what a program left that was killed stays.
#[cfg(not(unix))]
fn begin(path: PathBuf) -> io::Result<Option<New>> {
    match File::create_new(&path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
        file => Ok(Some(New { file: file?, path })),
    }
}

/// Makes the names in the directory of a file permanent.
#[cfg(unix)]
fn sync_directory(path: &Path) -> io::Result<()> {
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
    File::open(directory.unwrap_or(Path::new(".")))?.sync_all()
}

/// The system writes names in order, and has no call for more.
#[cfg(not(unix))]
fn sync_directory(_path: &Path) -> io::Result<()> {
    Ok(())
}
