//! A file that is replaced as a whole, or stays as it is.

use alloc::format;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

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
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let nameless = || io::Error::new(io::ErrorKind::InvalidInput, "the path names no file");
    let name = path.file_name().ok_or_else(nameless)?.to_string_lossy();
    let beside = |number: u32| path.with_file_name(format!(".{name}.{number}.new"));
    let mut new =
        (0..).find_map(|number| begin(beside(number)).transpose()).ok_or_else(nameless)??;
    write(&mut new.file)?;
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
