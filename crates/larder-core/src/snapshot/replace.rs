//! A file that is replaced as a whole, or stays as it is.

use core::fmt::Write as _;
use core::mem;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::memory::sys;

/// The number of bytes after which the system is asked to begin to write what it was given.
const BEHIND: u64 = 4 << 20;

/// A file that the system writes to the medium while the rest is made: to synchronise it takes less time then.
struct Ahead<'a> {
    file: &'a File,
    /// The number of bytes written, and the number of those that the system was asked to write to the medium.
    bytes: u64,
    begun: u64,
}

impl Write for Ahead<'_> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.bytes += count as u64;
        if self.bytes - self.begun >= BEHIND {
            sys::begin_to_write(self.file, self.begun, self.bytes - self.begun);
            self.begun = self.bytes;
        }
        Ok(count)
    }

    #[inline]
    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The same, of which small pieces are put together. (A `BufWriter` cannot be refused its memory.)
pub(super) struct NewContents<'a> {
    to: Ahead<'a>,
    buffer: [u8; 4 << 10],
    held: usize,
}

impl NewContents<'_> {
    #[inline]
    fn pass_on(&mut self) -> io::Result<()> {
        let held = mem::take(&mut self.held);
        self.to.write_all(&self.buffer[..held])
    }
}

impl Write for NewContents<'_> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.buffer.len() - self.held {
            self.pass_on()?;
        }
        match self.buffer[self.held..].get_mut(..bytes.len()) {
            Some(buffer) => buffer.copy_from_slice(bytes),
            None => return self.to.write(bytes),
        }
        self.held += bytes.len();
        Ok(bytes.len())
    }

    #[inline]
    fn flush(&mut self) -> io::Result<()> {
        self.pass_on()?;
        self.to.flush()
    }
}

impl Seek for NewContents<'_> {
    #[inline]
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.pass_on()?;
        self.to.file.seek(to)
    }
}

/// A new file beside the one that it will replace; without being renamed it is removed.
struct New {
    file: File,
    path: PathBuf,
    /// True if this save made the file or locked it, so that no other save's file is removed.
    is_own: bool,
}

impl Drop for New {
    #[inline]
    fn drop(&mut self) {
        if self.is_own {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Has `write` write a new file, which then takes the place of the one at `path`, if there is one. On an error that
/// is as it was, unless only the last step failed, which is to make the new name permanent.
pub(super) fn replace(
    path: &Path,
    write: impl FnOnce(&mut NewContents<'_>, &File) -> io::Result<()>,
) -> io::Result<()> {
    let nameless = || io::Error::new(io::ErrorKind::InvalidInput, "the path has no file name");
    // (Most systems allow names of 255 bytes, of which the new file's has up to 16 beside this.)
    let name = path.file_name().ok_or_else(nameless)?;
    let name = if name.len() < 240 { name } else { OsStr::new("long name") };
    let beside = |number: u32| {
        let mut beside = PathBuf::new();
        beside.try_reserve(path.as_os_str().len() + 32)?;
        beside.push(path.parent().unwrap_or(path));
        beside.push(".");
        let text = beside.as_mut_os_string();
        text.push(name);
        write!(text, ".{number}.new").map_err(io::Error::other)?;
        begin(beside, path)
    };
    let mut new = (0..).find_map(|number| beside(number).transpose()).ok_or_else(nameless)??;
    let to = Ahead { file: &new.file, bytes: 0, begun: 0 };
    write(&mut NewContents { to, buffer: [0; 4 << 10], held: 0 }, &new.file)?;
    new.file.sync_all()?;
    fs::rename(&new.path, path)?;
    // (The name may be that of another save's file by now.)
    new.is_own = false;
    sync_directory(path)
}

/// Makes an empty file that no other save has, and that only those can read who can read the one it will replace;
/// returns `None` if the name is taken. A file left by a program that was killed is used again.
#[cfg(unix)]
#[inline]
fn begin(mut path: PathBuf, replaced: &Path) -> io::Result<Option<New>> {
    use std::os::unix::fs::MetadataExt;

    loop {
        let Some(mut new) = New::open(path)? else { return Ok(None) };
        if !sys::try_lock(&new.file)? {
            new.is_own = false;
            return Ok(None);
        }
        // Another save may have renamed or removed it before the lock.
        let own = new.file.metadata()?;
        let same = |now: &fs::Metadata| (now.dev(), now.ino()) == (own.dev(), own.ino());
        match fs::symlink_metadata(&new.path) {
            Ok(now) if same(&now) => {
                new.is_own = true;
                new.file.set_len(0)?;
                match fs::metadata(replaced) {
                    Ok(replaced) => new.file.set_permissions(replaced.permissions())?,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => return Err(error),
                }
                return Ok(Some(new));
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        new.is_own = false;
        path = mem::take(&mut new.path);
    }
}

#[cfg(unix)]
impl New {
    /// Makes the file, or opens the one that is there, which may be another save's; returns `None` if that is not the
    /// file of a save.
    #[inline]
    fn open(path: PathBuf) -> io::Result<Option<Self>> {
        use std::os::unix::fs::MetadataExt;

        match File::create_new(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            file => return Ok(Some(Self { file: file?, path, is_own: true })),
        }
        // (It may be anything, and no longer there.)
        let there = sys::open_own(&path).and_then(|file| Ok((file.metadata()?, file)));
        Ok(match there {
            Ok((of, file)) if of.is_file() && of.nlink() <= 1 => {
                Some(Self { file, path, is_own: false })
            }
            _ => None,
        })
    }
}

/// Makes a file as on Unix, except that a file left by a program that was killed stays.
#[cfg(not(unix))]
#[inline]
fn begin(path: PathBuf, _replaced: &Path) -> io::Result<Option<New>> {
    match File::create_new(&path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
        file => Ok(Some(New { file: file?, path, is_own: true })),
    }
}

/// Makes the names in the directory of a file permanent.
#[cfg(unix)]
#[inline]
fn sync_directory(path: &Path) -> io::Result<()> {
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
    File::open(directory.unwrap_or(Path::new(".")))?.sync_all()
}

/// The system writes names in order, and has no call for more.
#[cfg(not(unix))]
#[inline]
fn sync_directory(_path: &Path) -> io::Result<()> {
    Ok(())
}
