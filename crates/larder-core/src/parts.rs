//! The parts of which a structure is saved, described once for snapshots, for serde and for differences of files.
//!
//! A structure that stands beside a container consists of a few numbers and one list, usually of keys. It says so by
//! [`Parts`], and how it is made of these again by [`FromParts`]. Then it can be a section of a
//! [snapshot](crate::snapshot), and be saved by serde, where its fields are attributed with
//! `#[serde(with = "larder::parts")]`. The maps, trees, lists, indices and pools of larder are saved so.
//!
//! Parts that are loaded are hostile until checked: a structure is put together from its parts as if by a program, and
//! returns an error where these contradict each other.
//!
//! # Examples
//! A queue of objects, and whose turn it is:
//! ```
//! use larder::parts::{Encoder, FromParts, Keys, LoadError, Loaded, Part, Parts};
//! use larder::{Arena, Handle};
//!
//! type Id = Handle<&'static str>;
//!
//! #[derive(Debug, PartialEq)]
//! struct Queue {
//!     turn: u64,
//!     waiting: Vec<Id>,
//! }
//!
//! impl Parts for Queue {
//!     const KIND: &'static str = "queue";
//!     const PARTS: &'static [Part] = &[Part::number("turn")];
//!     type List = Keys<Id>;
//!
//!     fn save<E: Encoder<Keys<Id>>>(&self, to: &mut E) -> Result<(), E::Error> {
//!         to.number("turn", self.turn)?;
//!         to.list(self.waiting.iter().copied())
//!     }
//! }
//!
//! impl FromParts for Queue {
//!     fn load(parts: Loaded<Keys<Id>>) -> Result<Self, LoadError> {
//!         Ok(Self { turn: parts.number("turn"), waiting: parts.list.0 })
//!     }
//! }
//!
//! let birds = Arena::from_iter(["wren", "kite"]);
//! let queue = Queue { turn: 7, waiting: birds.keys().collect() };
//! # #[cfg(feature = "snapshot")] {
//! use larder::snapshot::{Saver, Snapshot};
//!
//! let mut file = std::io::Cursor::new(Vec::new());
//! Saver::new().section("queue", &queue).write_to(&mut file)?;
//! assert_eq!(Snapshot::from_reader(file)?.load::<Queue>("queue")?, queue);
//! # }
//! # #[cfg(feature = "serde")] {
//!
//! let mut json = serde_json::Serializer::new(Vec::new());
//! larder::parts::serialize(&queue, &mut json)?;
//! let json = String::from_utf8(json.into_inner())?;
//! assert!(json.starts_with(r#"{"turn":7,"list":[{"idx":0,"version":1},"#), "{json}");
//! let mut json = serde_json::Deserializer::from_str(&json);
//! assert_eq!(larder::parts::deserialize::<Queue, _>(&mut json)?, queue);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use crate::error::TryReserveError;
use crate::scratch::text;

#[cfg(feature = "serde")]
pub use crate::impls::serde::parts::{FromSerde, ToSerde, deserialize, serialize};
#[cfg(feature = "snapshot")]
pub use crate::impls::snapshot::InFile;

/// A structure that is saved as its parts: numbers, columns of numbers, and a list.
///
/// See [the module](self) for one that is loaded, too.
///
/// # Examples
/// ```
/// use larder::Handle;
/// use larder::parts::{Encoder, Keys, Parts};
///
/// /// The keys that were selected last, the last one first.
/// struct Selected(Vec<Handle<u8>>);
///
/// impl Parts for Selected {
///     const KIND: &'static str = "selected";
///     type List = Keys<Handle<u8>>;
///
///     fn save<E: Encoder<Self::List>>(&self, to: &mut E) -> Result<(), E::Error> {
///         to.list(self.0.iter().rev().copied())
///     }
/// }
/// assert!(Selected::PARTS.is_empty()); // it is nothing but a list
/// ```
pub trait Parts {
    /// The kind of section that it is in a snapshot.
    const KIND: &'static str;

    /// The parts beside the list, in the order in which they are saved. A structure without any is its list.
    ///
    /// No two have the same name or field, none has the name of an array or number of the list in a snapshot (`slots`,
    /// `generations` or `bytes` where there are keys; see `docs/snapshot-format.md`), and no field is
    /// [`LIST`](Self::LIST). For serde they are fewer than 8. A structure with others does not compile where it is
    /// saved or loaded:
    /// ```compile_fail
    /// use larder::Handle;
    /// use larder::parts::{Encoder, Keys, Part, Parts};
    /// # #[cfg(not(feature = "snapshot"))]
    /// # compile_error!("there are no snapshots");
    ///
    /// struct Queue(Vec<u32>, Vec<Handle<u8>>);
    ///
    /// impl Parts for Queue {
    ///     const KIND: &'static str = "queue";
    ///     const PARTS: &'static [Part] = &[Part::column("slots")]; // the keys have this array, too
    ///     type List = Keys<Handle<u8>>;
    ///
    ///     fn save<E: Encoder<Self::List>>(&self, to: &mut E) -> Result<(), E::Error> {
    ///         to.column("slots", self.0.iter().copied())?;
    ///         to.list(self.1.iter().copied())
    ///     }
    /// }
    /// # #[cfg(feature = "snapshot")]
    /// let saver = larder::snapshot::Saver::new().section("queue", &Queue(vec![], vec![]));
    /// ```
    const PARTS: &'static [Part] = &[];

    /// The name of the type, for formats of serde that write names of types.
    const NAME: &'static str = Self::KIND;

    /// The name of its list in formats of serde whose fields have names.
    const LIST: &'static str = "list";

    /// The list.
    type List: List;

    /// Passes the parts of [`PARTS`](Self::PARTS), and the list last, each once and in order.
    ///
    /// # Errors
    /// Returns the error of the encoder. Those of the formats refuse parts that are passed in another order, are
    /// missing, or are not those of `PARTS`.
    fn save<E: Encoder<Self::List>>(&self, to: &mut E) -> Result<(), E::Error>;
}

/// A structure that is made of its parts again.
///
/// See [the module](self) for how its parts are saved.
///
/// # Examples
/// ```
/// use larder::Handle;
/// use larder::parts::{FromParts, Pairs};
/// use larder::maps::SecondaryMap;
///
/// /// Returns the kind of what is loaded from keys and a byte each.
/// fn kind_of<P: FromParts<List = Pairs<Handle<u8>, u8>>>() -> &'static str {
///     P::KIND
/// }
/// assert_eq!(kind_of::<SecondaryMap<Handle<u8>, u8>>(), "side data");
/// ```
pub trait FromParts: Parts + Sized {
    /// Makes the structure. All parts are there, but nothing was checked of them but their types.
    ///
    /// # Errors
    /// If the parts contradict each other, or allocation fails.
    fn load(parts: Loaded<Self::List>) -> Result<Self, LoadError>;
}

/// A part beside the list: its name, and what it consists of.
///
/// # Examples
/// ```
/// use larder::parts::Part;
///
/// const PARTS: &[Part] = &[Part::number("turn"), Part::column("free")];
/// assert_eq!(PARTS[0].name(), "turn");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    name: &'static str,
    field: &'static str,
    pub(crate) of: PartOf,
}

/// The types of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartOf {
    Number,
    Float,
    Column,
}

impl Part {
    #[inline]
    const fn of(name: &'static str, of: PartOf) -> Self {
        Self { name, field: name, of }
    }

    /// A number of 64 bits. O(1).
    ///
    /// # Examples
    /// ```
    /// assert_eq!(larder::parts::Part::number("turn").name(), "turn");
    /// ```
    #[must_use]
    #[inline]
    pub const fn number(name: &'static str) -> Self {
        Self::of(name, PartOf::Number)
    }

    /// A number with a fraction, of 32 bits. O(1).
    ///
    /// # Examples
    /// ```
    /// assert_eq!(larder::parts::Part::float("cell size").name(), "cell size");
    /// ```
    #[must_use]
    #[inline]
    pub const fn float(name: &'static str) -> Self {
        Self::of(name, PartOf::Float)
    }

    /// Any count of numbers of 32 bits. O(1).
    ///
    /// # Examples
    /// ```
    /// assert_eq!(larder::parts::Part::column("free").name(), "free");
    /// ```
    #[must_use]
    #[inline]
    pub const fn column(name: &'static str) -> Self {
        Self::of(name, PartOf::Column)
    }

    /// Gives it another name in formats of serde. O(1).
    ///
    /// # Examples
    /// ```
    /// assert_eq!(larder::parts::Part::float("cell size").field("cell_size").name(), "cell size");
    /// ```
    #[must_use]
    #[inline]
    pub const fn field(mut self, field: &'static str) -> Self {
        self.field = field;
        self
    }

    /// Returns its name. O(1).
    ///
    /// # Examples
    /// ```
    /// assert_eq!(larder::parts::Part::number("turn").name(), "turn");
    /// ```
    #[must_use]
    #[inline]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) const fn field_name(&self) -> &'static str {
        self.field
    }
}

/// The parts that a structure has yet to pass, before its list.
#[cfg(any(feature = "serde", feature = "snapshot"))]
#[derive(Debug)]
pub(crate) struct Passing {
    left: &'static [Part],
    is_over: bool,
}

#[cfg(any(feature = "serde", feature = "snapshot"))]
impl Passing {
    pub(crate) const fn all_of<P: Parts>() -> Self {
        Self { left: P::PARTS, is_over: false }
    }

    /// Passes a part, if it is the next.
    #[inline]
    pub(crate) fn part(
        &mut self,
        name: &'static str,
        of: PartOf,
    ) -> Result<&'static Part, OutOfOrder> {
        match self.left.split_first() {
            _ if self.is_over => Err(OutOfOrder::Late(name)),
            Some((part, left)) if part.name == name && part.of == of => {
                self.left = left;
                Ok(part)
            }
            _ => Err(OutOfOrder::NotNext(name)),
        }
    }

    /// Passes the list, if it is what is left.
    #[inline]
    pub(crate) const fn list(&mut self) -> Result<(), OutOfOrder> {
        match self.left {
            [part, ..] => Err(OutOfOrder::Missing(part.name)),
            [] if self.is_over => Err(OutOfOrder::Late("list")),
            [] => {
                self.is_over = true;
                Ok(())
            }
        }
    }

    /// Checks that the list was passed.
    #[inline]
    pub(crate) const fn end(&self) -> Result<(), OutOfOrder> {
        match self.left {
            [part, ..] => Err(OutOfOrder::Missing(part.name)),
            [] if self.is_over => Ok(()),
            [] => Err(OutOfOrder::Missing("list")),
        }
    }
}

/// A structure does not pass the parts that it says it has.
#[cfg(any(feature = "serde", feature = "snapshot"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutOfOrder {
    /// A part is not the next, or has another type.
    NotNext(&'static str),
    /// A part is not passed.
    Missing(&'static str),
    /// A part, or another list, comes after the list.
    Late(&'static str),
}

#[cfg(any(feature = "serde", feature = "snapshot"))]
impl fmt::Display for OutOfOrder {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotNext(name) => write!(f, "`{name}` of this type is not the next of `PARTS`"),
            Self::Missing(name) => write!(f, "a structure did not pass its `{name}`"),
            Self::Late(name) => write!(f, "a structure passed its `{name}` after its list"),
        }
    }
}

#[cfg(any(feature = "serde", feature = "snapshot"))]
impl Error for OutOfOrder {}

/// Checks the names of parts in a snapshot, and those of their list.
///
/// # Panics
/// If one of them is not the only one of its name.
#[cfg(any(feature = "serde", feature = "snapshot"))]
#[inline]
pub(crate) const fn check_names(parts: &[Part], of_list: &[&str]) {
    let mut at = 0;
    while at < parts.len() {
        let (name, mut other) = (parts[at].name, 0);
        while other < at {
            assert!(!is_same(name, parts[other].name), "two of `PARTS` have the same name");
            other += 1;
        }
        other = 0;
        while other < of_list.len() {
            assert!(
                !is_same(name, of_list[other]),
                "one of `PARTS` has a name that its list has in a snapshot"
            );
            other += 1;
        }
        at += 1;
    }
}

/// Checks the fields of parts in formats of serde, and that of their list.
///
/// # Panics
/// If one of them is not the only one of its name, or there are more than [`MOST_PARTS`].
#[cfg(feature = "serde")]
#[inline]
pub(crate) const fn check_fields(parts: &[Part], list: &str) {
    assert!(parts.len() <= MOST_PARTS, "serde takes structures with fewer than 8 `PARTS`");
    check_names(parts, &[]);
    let mut at = 0;
    while at < parts.len() {
        let (field, mut other) = (parts[at].field, 0);
        while other < at {
            assert!(!is_same(field, parts[other].field), "two of `PARTS` have the same field");
            other += 1;
        }
        assert!(!is_same(field, list), "one of `PARTS` has the field of the list, `LIST`");
        at += 1;
    }
}

/// The number of parts that a structure can have in formats of serde.
#[cfg(feature = "serde")]
pub(crate) const MOST_PARTS: usize = 7;

/// Returns whether two texts are equal, also in constants.
#[cfg(any(feature = "serde", feature = "snapshot"))]
#[inline]
const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// The list of a structure: [`Keys`], [`Pairs`], [`Levels`], [`Points`], [`Values`], [`Lists`] or [`Texts`]. Sealed.
///
/// # Examples
/// ```
/// use larder::parts::{List, Pairs};
///
/// fn lend<'a>(name: &'a String) -> <Pairs<u32, String> as List>::Lent<'a> {
///     (7, name)
/// }
/// assert_eq!(lend(&"wren".to_owned()), (7, &"wren".to_owned()));
/// ```
pub trait List: sealed::Sealed + Sized {
    /// An element, as a structure lends it.
    type Lent<'a>
    where
        Self: 'a;

    #[doc(hidden)]
    fn empty() -> Self;
}

mod sealed {
    #[expect(unnameable_types, reason = "it seals the trait")]
    pub trait Sealed {}
}

/// Takes the parts of a structure with this list. Implemented by the formats, and by what looks at parts without one.
///
/// # Examples
/// ```
/// use larder::TryReserveError;
/// use larder::parts::{Encoder, List, Parts};
///
/// /// Counts the elements of lists.
/// struct Count(usize);
///
/// impl<L: List> Encoder<L> for Count {
///     type Error = TryReserveError;
///
///     fn number(&mut self, _: &'static str, _: u64) -> Result<(), TryReserveError> {
///         Ok(())
///     }
///
///     fn float(&mut self, _: &'static str, _: f32) -> Result<(), TryReserveError> {
///         Ok(())
///     }
///
///     fn column(
///         &mut self,
///         _: &'static str,
///         _: impl Iterator<Item = u32> + Clone,
///     ) -> Result<(), TryReserveError> {
///         Ok(())
///     }
///
///     fn list<'a>(
///         &mut self,
///         elements: impl Iterator<Item = L::Lent<'a>> + Clone,
///     ) -> Result<(), TryReserveError>
///     where
///         L: 'a,
///     {
///         self.0 += elements.count();
///         Ok(())
///     }
///
///     fn refused(&self, reason: TryReserveError) -> TryReserveError {
///         reason
///     }
/// }
///
/// let birds = larder::Arena::from_iter(["wren", "kite"]);
/// let ages: larder::SecondaryMap<_, u8> = birds.keys().map(|key| (key, 3)).collect();
/// let mut count = Count(0);
/// ages.save(&mut count)?;
/// assert_eq!(count.0, 2);
/// # Ok::<(), TryReserveError>(())
/// ```
pub trait Encoder<L: List> {
    /// The reason why nothing more can be taken.
    type Error;

    /// Takes a number.
    ///
    /// # Errors
    /// If the output refuses it.
    fn number(&mut self, name: &'static str, value: u64) -> Result<(), Self::Error>;

    /// Takes a number with a fraction.
    ///
    /// # Errors
    /// If the output refuses it.
    fn float(&mut self, name: &'static str, value: f32) -> Result<(), Self::Error>;

    /// Takes a column. The iterator is cloned, to count the numbers first.
    ///
    /// # Errors
    /// If the output refuses it.
    fn column(
        &mut self,
        name: &'static str,
        values: impl Iterator<Item = u32> + Clone,
    ) -> Result<(), Self::Error>;

    /// Takes the list, which is the last part. The iterator is cloned, to count the elements first.
    ///
    /// # Errors
    /// If the output refuses it.
    fn list<'a>(
        &mut self,
        elements: impl Iterator<Item = L::Lent<'a>> + Clone,
    ) -> Result<(), Self::Error>
    where
        L: 'a;

    /// Returns the error of a structure that could not allocate what it has to pass.
    fn refused(&self, reason: TryReserveError) -> Self::Error;
}

/// A list of keys.
///
/// # Examples
/// ```
/// assert_eq!(larder::parts::Keys(vec![7, 8]).0.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Keys<K>(pub Vec<K>);

impl<K> sealed::Sealed for Keys<K> {}

impl<K> List for Keys<K> {
    type Lent<'a>
        = K
    where
        Self: 'a;

    fn empty() -> Self {
        Self(Vec::new())
    }
}

/// A list of keys, and a value each.
///
/// # Examples
/// ```
/// assert_eq!(larder::parts::Pairs(vec![(7, "wren")]).0[0].1, "wren");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs<K, V>(pub Vec<(K, V)>);

impl<K, V> sealed::Sealed for Pairs<K, V> {}

impl<K, V> List for Pairs<K, V> {
    type Lent<'a>
        = (K, &'a V)
    where
        Self: 'a;

    fn empty() -> Self {
        Self(Vec::new())
    }
}

/// The keys of a hierarchy in pre-order, and the depth of each; that of a root is 0.
///
/// # Examples
/// ```
/// let family = larder::parts::Levels(vec![(0, "mother"), (1, "daughter"), (1, "son")]);
/// assert_eq!(family.0.len(), 3);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Levels<K>(pub Vec<(u32, K)>);

impl<K> sealed::Sealed for Levels<K> {}

impl<K> List for Levels<K> {
    type Lent<'a>
        = (u32, K)
    where
        Self: 'a;

    fn empty() -> Self {
        Self(Vec::new())
    }
}

/// A list of keys, and a point each.
///
/// # Examples
/// ```
/// assert_eq!(larder::parts::Points(vec![("wren", [1.0, 2.0])]).0[0].1, [1.0, 2.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Points<K, const N: usize>(pub Vec<(K, [f32; N])>);

impl<K, const N: usize> sealed::Sealed for Points<K, N> {}

impl<K, const N: usize> List for Points<K, N> {
    type Lent<'a>
        = (K, [f32; N])
    where
        Self: 'a;

    fn empty() -> Self {
        Self(Vec::new())
    }
}

/// A list of values.
///
/// # Examples
/// ```
/// assert_eq!(larder::parts::Values(vec![7, 8]).0, [7, 8]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Values<V>(pub Vec<V>);

impl<V> sealed::Sealed for Values<V> {}

impl<V> List for Values<V> {
    type Lent<'a>
        = &'a V
    where
        Self: 'a;

    fn empty() -> Self {
        Self(Vec::new())
    }
}

/// Lists of values, one after the other.
///
/// # Examples
/// ```
/// use larder::parts::Lists;
///
/// let lists = Lists { values: vec![1, 2, 3], lengths: vec![2, 0, 1] }; // [1, 2], [] and [3]
/// assert_eq!(lists.lengths.iter().sum::<usize>(), lists.values.len());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Lists<V> {
    /// The values of all lists.
    pub values: Vec<V>,
    /// The number of values of each list; their sum is the number of values.
    pub lengths: Vec<usize>,
}

impl<V> sealed::Sealed for Lists<V> {}

impl<V> List for Lists<V> {
    type Lent<'a>
        = &'a [V]
    where
        Self: 'a;

    fn empty() -> Self {
        Self { values: Vec::new(), lengths: Vec::new() }
    }
}

/// Texts, one after the other, as [`Lists`] of bytes.
///
/// # Examples
/// ```
/// use larder::parts::{Lists, Texts};
///
/// let texts = Texts(Lists { values: b"wrenkite".to_vec(), lengths: vec![4, 4] });
/// assert_eq!(texts.0.lengths.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Texts(pub Lists<u8>);

impl sealed::Sealed for Texts {}

impl List for Texts {
    type Lent<'a> = &'a str;

    #[inline]
    fn empty() -> Self {
        Self(Lists::empty())
    }
}

/// The parts of a structure that is loaded. Made by the formats, for [`FromParts::load`].
///
/// # Examples
/// ```
/// use larder::parts::{FromParts, Keys, Loaded, LoadError, Parts};
/// # use larder::parts::{Encoder, Part};
/// # struct Queue(u64, f32, Vec<u32>);
/// # impl Parts for Queue {
/// #     const KIND: &'static str = "queue";
/// #     const PARTS: &'static [Part] = &[Part::number("turn"), Part::float("rate"), Part::column("done")];
/// #     type List = Keys<larder::Handle<u8>>;
/// #     fn save<E: Encoder<Self::List>>(&self, to: &mut E) -> Result<(), E::Error> {
/// #         to.number("turn", self.0)?;
/// #         to.float("rate", self.1)?;
/// #         to.column("done", self.2.iter().copied())?;
/// #         to.list(std::iter::empty())
/// #     }
/// # }
/// impl FromParts for Queue {
///     fn load(mut parts: Loaded<Self::List>) -> Result<Self, LoadError> {
///         Ok(Self(parts.number("turn"), parts.float("rate"), parts.column("done")))
///     }
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Loaded<L> {
    pub(crate) found: Vec<(&'static str, FoundPart)>,
    /// The list.
    pub list: L,
}

/// A part beside the list.
#[derive(Clone, Debug)]
pub(crate) enum FoundPart {
    Number(u64),
    Float(f32),
    Column(Vec<u32>),
}

impl<L> Loaded<L> {
    /// Returns a number. O(parts).
    ///
    /// # Panics
    /// If [`PARTS`](Parts::PARTS) does not have it.
    ///
    /// # Examples
    /// ```
    /// use larder::parts::{Keys, Loaded};
    ///
    /// fn part(parts: Loaded<Keys<u8>>) -> u64 {
    ///     parts.number("turn") // as `PARTS` names it
    /// }
    /// ```
    #[must_use]
    pub fn number(&self, name: &str) -> u64 {
        match self.get(name) {
            Some(&FoundPart::Number(number)) => number,
            _ => panic!("`PARTS` has no number `{name}`"),
        }
    }

    /// Returns a number with a fraction. O(parts).
    ///
    /// # Panics
    /// If [`PARTS`](Parts::PARTS) does not have it.
    ///
    /// # Examples
    /// ```
    /// use larder::parts::{Keys, Loaded};
    ///
    /// fn part(parts: Loaded<Keys<u8>>) -> f32 {
    ///     parts.float("rate") // as `PARTS` names it
    /// }
    /// ```
    #[must_use]
    pub fn float(&self, name: &str) -> f32 {
        match self.get(name) {
            Some(&FoundPart::Float(number)) => number,
            _ => panic!("`PARTS` has no float `{name}`"),
        }
    }

    /// Takes a column out. O(parts).
    ///
    /// # Panics
    /// If [`PARTS`](Parts::PARTS) does not have it.
    ///
    /// # Examples
    /// ```
    /// use larder::parts::{Keys, Loaded};
    ///
    /// fn part(mut parts: Loaded<Keys<u8>>) -> Vec<u32> {
    ///     parts.column("done") // as `PARTS` names it
    /// }
    /// ```
    #[must_use]
    pub fn column(&mut self, name: &str) -> Vec<u32> {
        let found = self.found.iter_mut().find(|(found, _)| *found == name);
        match found {
            Some((_, FoundPart::Column(column))) => core::mem::take(column),
            _ => panic!("`PARTS` has no column `{name}`"),
        }
    }

    fn get(&self, name: &str) -> Option<&FoundPart> {
        self.found.iter().find(|(found, _)| *found == name).map(|(_, part)| part)
    }
}

/// The message about lists and texts whose lengths do not add up.
pub(crate) const WRONG_LISTS: &str = "the lists' lengths do not match their values";
pub(crate) const WRONG_TEXTS: &str =
    "the texts' lengths do not match their bytes, or these are not UTF-8";

/// The reason why a structure could not be made of its parts.
///
/// # Examples
/// ```
/// use larder::parts::LoadError;
///
/// let error = LoadError::entry(format_args!("{} waits twice", "wren"));
/// assert_eq!(error.to_string(), "wren waits twice");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadError {
    /// The parts contradict each other.
    Invalid {
        /// The contradiction.
        what: &'static str,
    },
    /// An entry of the list contradicts those before it.
    Entry {
        /// The entry and the contradiction.
        what: String,
    },
    /// The slots of keys are too far apart for an array, which would be much larger than what is loaded.
    TooSparse {
        /// The largest slot.
        slot: u32,
        /// The number of entries.
        entries: usize,
        /// The number of bytes that the array would have.
        bytes: usize,
    },
    /// There is no memory for the structure.
    Memory(TryReserveError),
}

impl LoadError {
    /// Returns the error of an entry. O(bytes).
    ///
    /// # Examples
    /// ```
    /// use larder::parts::LoadError;
    ///
    /// assert!(matches!(LoadError::entry("wren waits twice"), LoadError::Entry { .. }));
    /// ```
    #[must_use]
    #[inline]
    pub fn entry(what: impl fmt::Display) -> Self {
        text(what).map_or_else(Self::Memory, |what| Self::Entry { what })
    }
}

impl fmt::Display for LoadError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid { what } => f.write_str(what),
            Self::Entry { what } => f.write_str(what),
            &Self::TooSparse { slot, entries, bytes } => write!(
                f,
                "{}; if it is to be trusted, load a `SparseSecondaryMap` or a list of keys and values, and \
                 collect that",
                TooSparse { slot, entries, bytes }
            ),
            Self::Memory(reason) => reason.fmt(f),
        }
    }
}

impl Error for LoadError {}

impl From<TryReserveError> for LoadError {
    #[inline]
    fn from(reason: TryReserveError) -> Self {
        Self::Memory(reason)
    }
}

impl From<TooSparse> for LoadError {
    #[inline]
    fn from(TooSparse { slot, entries, bytes }: TooSparse) -> Self {
        Self::TooSparse { slot, entries, bytes }
    }
}

/// The number of bytes that an array by slot may have, however few entries it is for.
const LEAST_BYTES: usize = 16 << 10;

/// The numbers of bytes and of slots that it may have for each entry, of which the larger counts. (Room for values may
/// have this number of bytes for each byte of its file, since the file has bytes for slots without an entry, too.)
const BYTES_EACH: usize = 2 << 10;
const SLOTS_EACH: usize = 8;

/// The slots of a file are too far apart for an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooSparse {
    /// The largest.
    pub(crate) slot: u32,
    /// The number of slots for which the file has something.
    pub(crate) entries: usize,
    /// The size of the array, in bytes.
    pub(crate) bytes: usize,
}

impl TooSparse {
    /// Checks that an array of rows up to a slot is not much larger than `entries` entries of a file.
    #[inline]
    pub(crate) const fn check(slot: u32, row: usize, entries: usize) -> Result<(), Self> {
        let slots = (slot as usize).saturating_add(1);
        // (And a bit for each slot.)
        let bytes = slots.saturating_mul(row).saturating_add(slots / 8);
        let each = if SLOTS_EACH * row > BYTES_EACH { SLOTS_EACH * row } else { BYTES_EACH };
        if bytes <= entries.saturating_mul(each).saturating_add(LEAST_BYTES) {
            Ok(())
        } else {
            Err(Self { slot, entries, bytes })
        }
    }

    /// Checks that the `bytes` of room for values are not much more than those that a file has for entries and slots.
    #[cfg(feature = "snapshot")]
    #[inline]
    pub(crate) const fn check_room(
        slots: usize,
        bytes: usize,
        entries: usize,
        length: usize,
    ) -> Result<(), Self> {
        if bytes <= length.saturating_mul(BYTES_EACH).saturating_add(LEAST_BYTES) {
            Ok(())
        } else {
            Err(Self { slot: slots.saturating_sub(1) as u32, entries, bytes })
        }
    }
}

impl fmt::Display for TooSparse {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { slot, entries, bytes } = self;
        write!(
            f,
            "slot {slot} is too far from the others: an array up to it has {bytes} bytes, for {entries} entries of a file"
        )
    }
}

#[cfg(all(test, feature = "serde", feature = "snapshot"))]
mod tests {
    use super::*;

    type InKeys = Keys<crate::Handle<u8>>;

    #[test]
    fn parts_with_names_of_their_own_are_accepted() {
        let parts = [Part::number("slot"), Part::column("slotss"), Part::float("a").field("slots")];
        check_names(&parts, InKeys::NAMES);
        check_fields(&parts, "list");
        check_fields(&[Part::number("slots")], "list");
    }

    #[test]
    #[should_panic(expected = "two of `PARTS` have the same name")]
    fn two_parts_of_one_name_are_noticed() {
        check_names(&[Part::number("a"), Part::number("b"), Part::column("a").field("c")], &[]);
    }

    #[test]
    fn names_of_each_list_are_noticed() {
        let of_lists: [&[&'static str]; 7] = [
            InKeys::NAMES,
            Pairs::<crate::Handle<u8>, u8>::NAMES,
            Levels::<crate::Handle<u8>>::NAMES,
            Points::<crate::Handle<u8>, 2>::NAMES,
            Values::<u8>::NAMES,
            Lists::<u8>::NAMES,
            Texts::NAMES,
        ];
        for (of_list, count) in of_lists.into_iter().zip([5, 6, 6, 6, 1, 2, 2]) {
            assert_eq!(of_list.len(), count);
            for &name in of_list {
                let check = || check_names(&[Part::number("a"), Part::column(name)], of_list);
                assert!(std::panic::catch_unwind(check).is_err(), "{name}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "two of `PARTS` have the same field")]
    fn two_parts_of_one_field_are_noticed() {
        check_fields(&[Part::number("a"), Part::column("b").field("a")], "list");
    }

    #[test]
    #[should_panic(expected = "the field of the list")]
    fn the_field_of_the_list_is_noticed() {
        check_fields(&[Part::number("a").field("list")], "list");
    }

    #[test]
    #[should_panic(expected = "fewer than 8 `PARTS`")]
    fn more_parts_than_serde_takes_are_noticed() {
        check_fields(&["a", "b", "c", "d", "e", "f", "g", "h"].map(Part::number), "list");
    }
}
