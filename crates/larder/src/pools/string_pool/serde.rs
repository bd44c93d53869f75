//! Saving and loading symbols by text, since they are not valid in another run of the program.

use core::fmt;
use core::hash::BuildHasher;

use ::serde::de::{DeserializeSeed, Error, SeqAccess, Visitor};
use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{KEPT, StringPool, Symbol};

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

/// The texts, in the order of a walk.
impl<S> Serialize for StringPool<S> {
    fn serialize<Z: Serializer>(&self, target: Z) -> Result<Z::Ok, Z::Error> {
        target.collect_seq(self.iter().map(|(_, text)| text))
    }
}

/// Interns each text. Programs that count references load by [`seed_acquired`](StringPool::seed_acquired) instead.
impl<'de, S: BuildHasher + Default> Deserialize<'de> for StringPool<S> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        struct TextsVisitor<S>(StringPool<S>);

        impl<'de, S: BuildHasher> Visitor<'de> for TextsVisitor<S> {
            type Value = StringPool<S>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of texts")
            }

            fn visit_seq<A: SeqAccess<'de>>(
                mut self,
                mut texts: A,
            ) -> Result<Self::Value, A::Error> {
                while texts.next_element_seed(self.0.seed())?.is_some() {}
                Ok(self.0)
            }
        }

        source.deserialize_seq(TextsVisitor(StringPool::default()))
    }
}
