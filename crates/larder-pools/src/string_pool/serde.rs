//! Saving pools with what symbols depend on, so that these are valid in another run of the program; and saving symbols
//! by text, for programs of other languages, and for files that outlive a pool.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};
use core::hash::BuildHasher;

use ::serde::de::{DeserializeSeed, Error, SeqAccess, Visitor};
use ::serde::ser::SerializeSeq;
use ::serde::{Deserialize, Deserializer, Serialize, Serializer, ser};

use super::{KEPT, StringPool, Symbol};
use larder_core::TryReserveError;
use larder_core::parts::{Encoder, Lists, Parts, Texts};
use larder_core::room::reserve;

/// Loads a text into a pool. Made by [`StringPool::seed`] and [`StringPool::seed_acquired`].
#[derive(Debug)]
pub struct SymbolSeed<'a, S> {
    pool: &'a mut StringPool<S>,
    /// The number of references that each text gets; [`KEPT`] keeps it for good, as in a pool.
    references: u32,
}

impl<S: BuildHasher> StringPool<S> {
    /// Loads a symbol that was saved by its text, `pool[symbol]`, and interns that. O(1). Needs the feature
    /// `serde`.
    ///
    /// # Examples
    /// ```
    /// use larder::pools::StringPool;
    /// use serde::de::DeserializeSeed;
    ///
    /// let mut names = StringPool::new();
    /// let wren = names.intern("wren");
    /// let saved = serde_json::to_string(&names[wren]).unwrap();
    ///
    /// let mut loaded = StringPool::new();
    /// let mut json = serde_json::Deserializer::from_str(&saved);
    /// let wren = loaded.seed().deserialize(&mut json).unwrap();
    /// assert_eq!(&loaded[wren], "wren");
    /// ```
    pub fn seed(&mut self) -> SymbolSeed<'_, S> {
        SymbolSeed { pool: self, references: KEPT }
    }

    /// Like [`seed`](Self::seed), but [acquires](Self::acquire) the text: a reference is counted for each
    /// symbol that is loaded. O(1). Needs the feature `serde`.
    ///
    /// A program that counts references does not save the pool: loading the symbols of its objects fills it. If
    /// loading fails, the symbols loaded before keep their references.
    ///
    /// # Examples
    /// ```
    /// use larder::pools::StringPool;
    /// use serde::de::DeserializeSeed;
    ///
    /// let mut names = StringPool::new();
    /// let mut json = serde_json::Deserializer::from_str("\"wren\"");
    /// let wren = names.seed_acquired().deserialize(&mut json).unwrap();
    /// assert!(names.release(wren)); // it was the last reference
    /// assert_eq!(names.find("wren"), None);
    /// ```
    pub fn seed_acquired(&mut self) -> SymbolSeed<'_, S> {
        SymbolSeed { pool: self, references: 1 }
    }
}

impl<'de, S: BuildHasher> DeserializeSeed<'de> for SymbolSeed<'_, S> {
    type Value = Symbol;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Symbol, D::Error> {
        source.deserialize_str(self)
    }
}

impl<S: BuildHasher> Visitor<'_> for SymbolSeed<'_, S> {
    type Value = Symbol;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Symbol, E> {
        self.pool.refer(text, self.references).map_err(E::custom)
    }
}

/// A symbol is its number, and valid for the pool that was saved with it.
impl Serialize for Symbol {
    fn serialize<Z: Serializer>(&self, target: Z) -> Result<Z::Ok, Z::Error> {
        target.serialize_u32(self.to_bits())
    }
}

impl<'de> Deserialize<'de> for Symbol {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        let bits = u32::deserialize(source)?;
        Self::from_bits(bits).ok_or_else(|| D::Error::custom("no symbol has the number 0"))
    }
}

/// The beginning of the first text of a saved pool, which has what symbols depend on. (A list that begins with another
/// was saved before there was such a text, or is a program's own.)
const SYMBOLS: &str = "\u{1a}symbols ";

/// Collects what symbols depend on in a text: the numbering, and columns of slots, which semicolons divide.
struct SymbolsText(String);

impl Encoder<Texts> for SymbolsText {
    type Error = fmt::Error;

    fn number(&mut self, _: &'static str, value: u64) -> fmt::Result {
        write!(self.0, "{value}")
    }

    fn float(&mut self, _: &'static str, _: f32) -> fmt::Result {
        Err(fmt::Error) // it has none
    }

    fn column(
        &mut self,
        _: &'static str,
        mut values: impl Iterator<Item = u32> + Clone,
    ) -> fmt::Result {
        self.0.push(';');
        values.try_for_each(|value| write!(self.0, " {value}"))
    }

    fn list<'a>(&mut self, _: impl Iterator<Item = &'a str> + Clone) -> fmt::Result {
        Ok(())
    }

    #[inline]
    fn refused(&self, _: TryReserveError) -> fmt::Error {
        fmt::Error
    }
}

/// Parses the text of a pool's numbering and three columns; returns `None` if it is malformed.
#[inline]
fn parts_of(head: &str) -> Option<(u64, [Vec<u32>; 3])> {
    let mut fields = head.split(';');
    let numbering = fields.next()?.parse().ok()?;
    let mut column = || -> Option<Vec<u32>> {
        fields.next()?.split_ascii_whitespace().map(|number| number.parse().ok()).collect()
    };
    let columns = [column()?, column()?, column()?];
    fields.next().is_none().then_some((numbering, columns))
}

/// Appends a text to others.
#[inline]
fn append(texts: &mut Lists<u8>, text: &str) -> Result<(), TryReserveError> {
    reserve(&mut texts.values, text.len())?;
    reserve(&mut texts.lengths, 1)?;
    texts.values.extend_from_slice(text.as_bytes());
    texts.lengths.push(text.len());
    Ok(())
}

/// A text with what symbols depend on, and the texts in the order of a walk.
impl<S> Serialize for StringPool<S> {
    fn serialize<Z: Serializer>(&self, target: Z) -> Result<Z::Ok, Z::Error> {
        let mut head = SymbolsText(SYMBOLS.into());
        self.save(&mut head).map_err(ser::Error::custom)?;
        let mut list = target.serialize_seq(Some(1 + self.len()))?;
        list.serialize_element(&head.0)?;
        self.iter().try_for_each(|(_, text)| list.serialize_element(text))?;
        list.end()
    }
}

/// A list of texts alone is loaded, too, and each is interned. Programs that save symbols by their texts and count
/// references do not load a pool, but fill one by [`seed_acquired`](StringPool::seed_acquired).
impl<'de, S: BuildHasher + Default> Deserialize<'de> for StringPool<S> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        struct All<S>(StringPool<S>);

        impl<'de, S: BuildHasher + Default> Visitor<'de> for All<S> {
            type Value = StringPool<S>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of texts")
            }

            fn visit_seq<A: SeqAccess<'de>>(
                mut self,
                mut texts: A,
            ) -> Result<Self::Value, A::Error> {
                let Some(first) = texts.next_element::<Cow<'_, str>>()? else { return Ok(self.0) };
                let Some(head) = first.strip_prefix(SYMBOLS) else {
                    self.0.seed().visit_str::<A::Error>(&first)?;
                    while texts.next_element_seed(self.0.seed())?.is_some() {}
                    return Ok(self.0);
                };
                let parts = parts_of(head);
                let (numbering, columns) =
                    parts.ok_or_else(|| A::Error::custom("the first text is malformed"))?;
                let mut list = Lists { values: Vec::new(), lengths: Vec::new() };
                while let Some(text) = texts.next_element::<Cow<'_, str>>()? {
                    append(&mut list, &text).map_err(A::Error::custom)?;
                }
                StringPool::of_saved(numbering, columns, list).map_err(A::Error::custom)
            }
        }

        source.deserialize_seq(All(StringPool::default()))
    }
}
