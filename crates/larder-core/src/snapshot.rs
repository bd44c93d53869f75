//! Saving containers of plain data to a file, as they lie in memory.
//!
//! A snapshot has named *sections*: objects with their side data, hierarchies, indices and names in one file, single
//! [values](Value), and structures of a program's own, which say what their [parts](crate::parts) are. Keys remain
//! valid: a loaded container has the same values under the same keys, knows the same stale keys, and issues the same
//! keys next.
//!
//! ```
//! use larder::snapshot::{Saver, Snapshot};
//! use larder::{Arena, Handle, SecondaryMap};
//!
//! let mut cells = Arena::new();
//! let cell: Handle<[f32; 3]> = cells.insert([0.5, 0.25, 1.0]);
//! let ages = SecondaryMap::from_iter([(cell, 7_u32)]);
//!
//! # let directory = std::env::temp_dir().join(format!("larder-{}", std::process::id()));
//! # std::fs::create_dir_all(&directory)?;
//! let path = directory.join("world.snapshot");
//! Saver::new().section("cells", &cells).section("ages", &ages).save(&path)?;
//!
//! let mut snapshot = Snapshot::open(&path)?;
//! let loaded: Arena<[f32; 3]> = snapshot.load("cells")?;
//! let ages: SecondaryMap<Handle<[f32; 3]>, u32> = snapshot.load("ages")?;
//! assert_eq!((loaded[cell], ages[cell]), ([0.5, 0.25, 1.0], 7));
//! # std::fs::remove_dir_all(&directory)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Values
//! Values are saved if they are plain data: if they implement two traits of the crate `bytemuck`, which can
//! be derived:
//!
//! | | values are | because |
//! |---|---|---|
//! | saving | `NoUninit` | all bytes are written, so none may be padding |
//! | [loading](Snapshot::load) | `CheckedBitPattern` too | what is read is checked, value by value: it may contain `bool`s, `char`s and keys |
//! | [mapping](Snapshot::map) | `AnyBitPattern` too | nothing is read, so nothing is checked |
//!
//! For values that own memory, and for other languages, use [`serde`](crate#features). A key inside a value is
//! checked to be a valid key, not to have an object: ask [`contains_key`](crate::Arena::contains_key), as for any
//! key. For a field that may have no key, use the [dangling](crate::Key::DANGLING) one: `Option` is not plain data
//! for `bytemuck`. `Links` and `Link`s are plain data, so hierarchies
//! and lists in objects are saved with them; an `IntrusiveList` is a section, beside
//! that of its objects. A [`Serial`](crate::key::Serial) has padding: save values with such keys by serde.
//!
//! # What is read when
//! [`Snapshot::open`] reads the header and the table of sections. [`load`](Snapshot::load) reads a section
//! and checks everything. [`map`](Snapshot::map) maps the values into memory, so that they are read from the
//! file when they are first accessed; it reads one bit per slot, and does not verify checksums
//! ([`verify`](Snapshot::verify) does).
//!
//! | section | `map` reads | and maps |
//! |---|---|---|
//! | `Arena` | a bit a slot | rows |
//! | `SoaArena` | a bit a slot | columns, generations |
//! | `Pool` | a bit a slot | values, generations |
//! | `DenseArena`, `DenseSoaArena` | 4 bytes a value, and a generation a slot | values, columns |
//!
//! All others are loaded. With an order of reuse other than [`Reuse::Packed`](crate::Reuse), the order of the
//! holes is read too. Arrays of less than 64 KiB are read, not mapped. Files are mapped on Unix only;
//! elsewhere `map` reads them.
//!
//! # The file
//! The format is described in `docs/snapshot-format.md`: a header, the arrays that containers consist of, and
//! a table of them with the names and types of columns and a checksum for each. A `SoaArena` is loaded column
//! by column, by name: the order of fields does not matter, and a column that the type no longer has is
//! skipped; a column that the file does not have, or that has another type, is an error that names it.

mod difference;
pub(crate) mod error;
pub(crate) mod format;
#[expect(unsafe_code, reason = "its files are in the ledger")]
pub(crate) mod raw;
mod replace;

use alloc::vec::Vec;
use core::fmt;
use std::fs::File;
pub(crate) use std::io;
use std::io::{Read, Seek, Write};
use std::path::Path;

pub use difference::{difference, patched};
pub use error::{SnapshotError, SnapshotErrorKind};
use format::{Medium, Mode, Section, Sink, Source};

use crate::macros::derefs;
use crate::parts::{Encoder, FromParts, LoadError, Loaded, Parts, Values};
use crate::scratch::text;

/// Plain data: values have no padding, and bytes can be checked to be a valid value. Implemented for every
/// type that has the two traits of `bytemuck`.
///
/// A key is plain data (except [`Serial`](crate::key::Serial), which has padding), but an `Option` of one is not, and
/// the derives say so at length. A field for a key or none holds [`DANGLING`](crate::Key::DANGLING), the `Default`, for
/// none.
///
/// # Examples
/// ```
/// use bytemuck::{CheckedBitPattern, NoUninit};
/// use larder::Handle;
/// use larder::snapshot::Plain;
///
/// #[derive(Clone, Copy, NoUninit, CheckedBitPattern)]
/// #[repr(C)]
/// struct Missile {
///     target: Handle<Missile>, // checked to be a handle when it is loaded
///     place: [f32; 2],
/// }
///
/// fn is_plain<T: Plain>() {}
/// is_plain::<Missile>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not plain data",
    label = "is not plain data",
    note = "derive `NoUninit` and `CheckedBitPattern` of `bytemuck`, or `Pod`; values that own memory are saved with serde",
    note = "an `Option` of a key is not plain data: a key is, and `DANGLING` is the key of nothing"
)]
pub trait Plain: bytemuck::NoUninit + bytemuck::CheckedBitPattern {}

#[diagnostic::do_not_recommend]
impl<T: bytemuck::NoUninit + bytemuck::CheckedBitPattern> Plain for T {}

/// A type that can be a section of a snapshot: the containers, everything that says what its [parts](crate::parts) are
/// (side data, hierarchies, indices, lists and names, structures of a program's own), and a [`Value`]. Sealed.
///
/// # Examples
/// ```
/// fn save(world: &[(&str, &dyn larder::snapshot::Save)]) -> std::io::Result<Vec<u8>> {
///     let mut file = std::io::Cursor::new(Vec::new());
///     let saver = larder::snapshot::Saver::new();
///     world.iter().fold(saver, |saver, (name, part)| saver.section(name, *part)).write_to(&mut file)?;
///     Ok(file.into_inner())
/// }
/// assert!(save(&[("numbers", &larder::Arena::from_iter([7_u32]))]).is_ok());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a section of a snapshot",
    label = "is no section",
    note = "a container is one if its values are plain data: derive `NoUninit` and `CheckedBitPattern` of `bytemuck` for these, or `Pod`",
    note = "a number or a struct of plain data is one in a `Value`, and a structure of a program's own if it implements `Parts`",
    note = "a table is saved as its container, `&*table`, and each of its observers"
)]
pub trait Save: sealed::Sealed {
    /// Returns the kind of the container, as it is written in the file.
    #[doc(hidden)]
    fn kind(&self) -> &'static str;

    #[doc(hidden)]
    fn write(&self, to: &mut Sink<'_>) -> io::Result<()>;
}

/// A type that can be loaded from a section of a snapshot. Sealed.
///
/// # Examples
/// ```
/// use larder::snapshot::{Load, Snapshot, SnapshotError};
///
/// fn first<C: Load>(path: &str) -> Result<C, SnapshotError> {
///     let mut file = Snapshot::open(path)?;
///     let name = file.sections().next().unwrap_or_default().to_owned();
///     file.load(&name)
/// }
/// assert!(first::<larder::Arena<u32>>("no/such.file").is_err());
/// ```
pub trait Load: Sized + sealed::Sealed {
    #[doc(hidden)]
    const KIND: &'static str;

    #[doc(hidden)]
    fn read(from: &mut Source<'_>) -> Result<Self, SnapshotErrorKind>;
}

/// A container whose values can be mapped from a file, since any bytes are valid values. Sealed.
///
/// # Examples
/// ```
/// fn can_be_mapped<C: larder::snapshot::Map>() {}
/// can_be_mapped::<larder::SoaArena<(f32, [u8; 4])>>();
/// ```
pub trait Map: Load {}

pub(crate) mod sealed {
    #[expect(unnameable_types, reason = "it seals the traits")]
    pub trait Sealed {}
}

/// A number, or a struct of plain data, that is a section by itself.
///
/// # Examples
/// ```
/// use larder::snapshot::{Saver, Snapshot, Value};
///
/// let (frame, mut file) = (Value(7_u64), std::io::Cursor::new(Vec::new()));
/// Saver::new().section("frame", &frame).section("size", &Value([640_u32, 480])).write_to(&mut file)?;
/// let mut snapshot = Snapshot::from_reader(file)?;
/// assert_eq!(snapshot.load::<Value<u64>>("frame")?, frame);
/// let Value([width, _]) = snapshot.load::<Value<[u32; 2]>>("size")?;
/// assert_eq!(width, 640);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Value<T>(pub T);

impl<T> Parts for Value<T> {
    const KIND: &'static str = "value";
    type List = Values<T>;

    fn save<E: Encoder<Values<T>>>(&self, to: &mut E) -> Result<(), E::Error> {
        to.list(core::iter::once(&self.0))
    }
}

impl<T> FromParts for Value<T> {
    fn load(parts: Loaded<Values<T>>) -> Result<Self, LoadError> {
        let one: Result<[T; 1], _> = parts.list.0.try_into();
        one.map(|[value]| Self(value))
            .map_err(|_| LoadError::Invalid { what: "there is not one value" })
    }
}

/// Writes a snapshot: add the sections, then call [`save`](Self::save).
///
/// # Examples
/// ```
/// use larder::snapshot::{Saver, Snapshot};
///
/// let (numbers, mut file) = (larder::Arena::from_iter([7_u32]), std::io::Cursor::new(Vec::new()));
/// Saver::new().section("numbers", &numbers).write_to(&mut file)?;
/// let loaded: larder::Arena<u32> = Snapshot::from_reader(file)?.load("numbers")?;
/// assert!(loaded.iter().eq(numbers.iter()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
#[must_use = "nothing is saved before `save`"]
pub struct Saver<'a> {
    sections: Vec<(&'a str, &'a dyn Save)>,
    tag: u64,
    /// There was no memory for a section.
    is_refused: bool,
}

impl fmt::Debug for Saver<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sections = self.sections.iter().map(|(name, container)| (name, container.kind()));
        f.debug_map().entries(sections).finish()
    }
}

impl<'a> Saver<'a> {
    /// Returns a saver without sections. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut file = std::io::Cursor::new(Vec::new());
    /// larder::snapshot::Saver::new().write_to(&mut file).unwrap(); // a snapshot without sections
    /// ```
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a number of the caller's choice, for example a version of the data; 0 if it is not set. O(1).
    /// Returned by [`Snapshot::tag`].
    ///
    /// # Examples
    /// ```
    /// use larder::snapshot::{Saver, Snapshot};
    ///
    /// let mut file = std::io::Cursor::new(Vec::new());
    /// Saver::new().tag(3).write_to(&mut file).unwrap();
    /// assert_eq!(Snapshot::from_reader(file).unwrap().tag(), 3);
    /// ```
    #[inline]
    pub fn tag(mut self, tag: u64) -> Self {
        self.tag = tag;
        self
    }

    /// Adds a section. O(sections).
    ///
    /// # Panics
    /// If there is one of that name.
    ///
    /// # Examples
    /// ```
    /// use larder::snapshot::Saver;
    ///
    /// let (names, sizes) = (larder::Arena::from_iter([*b"wren"]), larder::Arena::from_iter([7_u32]));
    /// let saver = Saver::new().section("names", &names).section("sizes", &sizes);
    /// assert_eq!(format!("{saver:?}"), r#"{"names": "rows", "sizes": "rows"}"#);
    /// ```
    #[track_caller]
    #[inline]
    pub fn section(mut self, name: &'a str, container: &'a dyn Save) -> Self {
        let is_there = self.sections.iter().any(|(other, _)| *other == name);
        assert!(!is_there, "there are two sections `{name}`");
        match self.sections.try_reserve(1) {
            Ok(()) => self.sections.push((name, container)),
            Err(_) => self.is_refused = true,
        }
        self
    }

    /// Writes the snapshot to a file, which it replaces if there is one. O(bytes).
    ///
    /// The file is replaced atomically: a new file is written beside it (`.NAME.0.new`), synchronised and
    /// renamed, and the directory is synchronised. After a crash or a power failure, either the old or the
    /// new file is there. A program that is killed may leave the temporary file behind, which the next save
    /// reuses; if anything else has that name, the next number is taken. On Unix the new file has the mode of the old
    /// one, but not its owner. Several saves to one file may run at the same time: the last to finish takes effect.
    ///
    /// # Errors
    /// If the system refuses: the disk is full, for example; or if allocation fails. The file is then as it
    /// was, and the one beside it is removed, if the system allows that. (If nothing but synchronising the
    /// directory failed, the file is the new one.)
    ///
    /// # Examples
    /// ```
    /// use larder::snapshot::{Saver, Snapshot};
    ///
    /// let path = std::env::temp_dir().join(format!("larder-save-{}", std::process::id()));
    /// let arena = larder::Arena::from_iter([1_u32, 2]);
    /// Saver::new().section("numbers", &arena).save(&path)?;
    /// assert_eq!(Snapshot::open(&path)?.load::<larder::Arena<u32>>("numbers")?.len(), 2);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(self, path: impl AsRef<Path>) -> io::Result<()> {
        replace::replace(path.as_ref(), |to, file| self.write(to, Some(file)))
    }

    /// Writes the snapshot from the writer's position on, which has to be its start. O(bytes).
    ///
    /// # Errors
    /// Returns the error of the writer, or an error if allocation fails. The output is then not a snapshot,
    /// since the header is written last.
    ///
    /// # Examples
    /// ```
    /// use larder::snapshot::{Saver, Snapshot};
    ///
    /// let (mut memory, arena) = (std::io::Cursor::new(Vec::new()), larder::Arena::from_iter([7_u32]));
    /// Saver::new().section("numbers", &arena).write_to(&mut memory).unwrap();
    /// assert!(Snapshot::from_reader(memory).unwrap().sections().eq(["numbers"]));
    /// ```
    pub fn write_to(self, mut to: impl Write + Seek) -> io::Result<()> {
        self.write(&mut to, None)
    }

    #[inline]
    fn write(self, to: &mut dyn Medium, file: Option<&File>) -> io::Result<()> {
        if self.is_refused {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        let mut sink = Sink::new(to, file)?;
        for (name, container) in self.sections {
            sink.begin(name, container.kind())?;
            container.write(&mut sink)?;
        }
        sink.finish(self.tag)
    }
}

/// A snapshot whose table of sections was read. Sections are read one by one.
///
/// # Examples
/// ```
/// use larder::snapshot::{Saver, Snapshot};
///
/// let (numbers, mut file) = (larder::Arena::from_iter([7_u32]), std::io::Cursor::new(Vec::new()));
/// Saver::new().tag(2).section("numbers", &numbers).write_to(&mut file)?;
/// let snapshot = Snapshot::from_reader(file)?;
/// assert_eq!(format!("{snapshot:?} {}", snapshot.tag()), r#"{"numbers": "rows"} 2"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Snapshot<R = File> {
    from: R,
    tag: u64,
    sections: Vec<Section>,
}

impl<R> fmt::Debug for Snapshot<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sections = self.sections.iter().map(|section| (&section.name, &section.kind));
        f.debug_map().entries(sections).finish()
    }
}

impl Snapshot {
    /// Opens a file and reads its table of sections. O(sections).
    ///
    /// # Errors
    /// If the file cannot be read, is no snapshot, is of another version, or is damaged.
    ///
    /// # Examples
    /// ```
    /// let error = larder::snapshot::Snapshot::open("no/such.file").unwrap_err();
    /// assert!(error.to_string().starts_with("the file cannot be read"));
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self, SnapshotError> {
        let file = File::open(path).map_err(|error| SnapshotError::of("", error.into()))?;
        Self::from_reader(file)
    }
}

impl<R: Read + Seek> Snapshot<R> {
    /// Opens a snapshot that was read or received in another way. Otherwise like [`Snapshot::open`].
    ///
    /// # Errors
    /// Fails as [`Snapshot::open`] does.
    ///
    /// # Examples
    /// ```
    /// use larder::snapshot::{Saver, Snapshot};
    ///
    /// let mut memory = std::io::Cursor::new(Vec::new());
    /// Saver::new().write_to(&mut memory).unwrap();
    /// assert_eq!(Snapshot::from_reader(memory).unwrap().sections().count(), 0);
    /// ```
    pub fn from_reader(mut from: R) -> Result<Self, SnapshotError> {
        let contents = format::contents(&mut from);
        let (tag, sections) = contents.map_err(|kind| SnapshotError::of("", kind))?;
        Ok(Self { from, tag, sections })
    }

    /// The number that [`Saver::tag`] set. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::snapshot::{Saver, Snapshot};
    ///
    /// let mut file = std::io::Cursor::new(Vec::new());
    /// Saver::new().write_to(&mut file).unwrap();
    /// assert_eq!(Snapshot::from_reader(file).unwrap().tag(), 0);
    /// ```
    pub fn tag(&self) -> u64 {
        self.tag
    }

    /// The names of the sections, in their order. O(sections).
    ///
    /// # Examples
    /// ```
    /// use larder::snapshot::{Saver, Snapshot};
    ///
    /// let (mut file, arena) = (std::io::Cursor::new(Vec::new()), larder::Arena::from_iter([7_u32]));
    /// Saver::new().section("a", &arena).section("b", &arena).write_to(&mut file).unwrap();
    /// assert!(Snapshot::from_reader(file).unwrap().sections().eq(["a", "b"]));
    /// ```
    pub fn sections(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().map(|section| section.name.as_str())
    }

    /// Reads all sections and verifies their checksums. O(bytes).
    ///
    /// # Errors
    /// If the bytes of an array are not those that were saved.
    ///
    /// # Examples
    /// ```
    /// use larder::snapshot::{Saver, Snapshot};
    ///
    /// let (mut file, arena) = (std::io::Cursor::new(Vec::new()), larder::Arena::from_iter([7_u32]));
    /// Saver::new().section("numbers", &arena).write_to(&mut file).unwrap();
    /// file.get_mut()[64] ^= 1;
    /// assert!(Snapshot::from_reader(file).unwrap().verify().is_err());
    /// ```
    pub fn verify(&mut self) -> Result<(), SnapshotError> {
        let Self { from, sections, .. } = self;
        sections.iter().try_for_each(|section| format::verify(from, section))
    }

    /// Loads a section, in memory of the allocator. O(bytes). Everything is checked: a loaded container is whole.
    ///
    /// # Errors
    /// If there is no such section, it is of another kind or of other types, it is damaged, or there is no memory.
    ///
    /// # Examples
    /// ```
    /// use larder::snapshot::{Saver, Snapshot};
    /// use larder::Arena;
    ///
    /// let mut arena = Arena::from_iter([7_u32, 8]);
    /// let key = arena.keys().next().unwrap();
    /// arena.remove(key);
    /// let mut file = std::io::Cursor::new(Vec::new());
    /// Saver::new().section("numbers", &arena).write_to(&mut file).unwrap();
    ///
    /// let mut loaded: Arena<u32> = Snapshot::from_reader(file).unwrap().load("numbers").unwrap();
    /// assert_eq!(loaded.get(key), None); // stale, as before
    /// assert_eq!(loaded.insert(9), arena.insert(9)); // the same key
    /// ```
    pub fn load<C: Load>(&mut self, name: &str) -> Result<C, SnapshotError> {
        let Self { from, sections, .. } = self;
        read_section(from, sections, name, Mode::Read)
    }
}

/// Returns whether this is a kind of map of side data; all of these are saved alike.
#[inline]
fn is_side(kind: &str) -> bool {
    kind == "side data" || kind == "sparse side data"
}

/// The container of a section.
fn read_section<C: Load>(
    from: &mut (impl Read + Seek),
    sections: &[Section],
    name: &str,
    mode: Mode<'_>,
) -> Result<C, SnapshotError> {
    let section = sections.iter().find(|section| section.name == name);
    let result = match section {
        None => Err(SnapshotErrorKind::NoSection),
        Some(section)
            if section.kind != C::KIND && !(is_side(&section.kind) && is_side(C::KIND)) =>
        {
            let kind = |found| SnapshotErrorKind::Container { expected: C::KIND, found };
            Err(text(&section.kind).map_or_else(SnapshotErrorKind::Memory, kind))
        }
        Some(section) => C::read(&mut Source::new(from, section, mode)),
    };
    result.map_err(|kind| SnapshotError::of(name, kind))
}

impl Snapshot {
    /// A section that is mapped: what is behind the functions in `raw`.
    pub(crate) fn map_section<C: Map>(
        &mut self,
        name: &str,
        max: usize,
        writable: bool,
    ) -> Result<C, SnapshotError> {
        let mut from = &self.from;
        read_section(&mut from, &self.sections, name, Mode::Map { file: &self.from, max, writable })
    }
}

/// A container that is mapped, and can only be read. Made by [`Snapshot::map`].
pub struct Mapped<C>(pub(crate) C);

derefs!([C] Mapped<C>, 0: C);

impl<C: fmt::Debug> fmt::Debug for Mapped<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
