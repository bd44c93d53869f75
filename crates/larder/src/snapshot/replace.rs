//! A file that is replaced as a whole, or stays as it is.

use alloc::format;
use core::sync::atomic::{AtomicU32, Ordering};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A new file beside the one that it will replace; without [`finish`](Self::finish) it is removed.
struct New {
    file: File,
    path: PathBuf,
}

impl Drop for New {
    fn drop(&mut self) {
        // Where it has replaced the other, there is none of this name.
        let _ = fs::remove_file(&self.path);
    }
}

/// Has `write` write a new file, which then takes the place of the one at `path`, if there is one. On an error that
/// is as it was, unless only the last step failed, which is to make the new name permanent.
pub(super) fn replace(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    static NEXT: AtomicU32 = AtomicU32::new(0);

    let nameless =
        || io::Error::new(io::ErrorKind::InvalidInput, "the path of a snapshot names no file");
    let name = path.file_name().ok_or_else(nameless)?.to_string_lossy();
    let mut new = loop {
        // (Another program, or one that was killed, may have left a file of this name.)
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = path.with_file_name(format!(".{name}.{}-{number}.new", std::process::id()));
        match File::create_new(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(file) => break New { file, path },
        }
    };
    write(&mut new.file)?;
    new.file.sync_all()?;
    fs::rename(&new.path, path)?;
    sync_directory(path)
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
