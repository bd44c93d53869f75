//! Texts stored once each, known by numbers of four bytes.

mod blocks;
#[cfg(feature = "serde")]
mod serde;
mod symbol;

use core::fmt;
use core::hash::BuildHasher;
use core::ops::Index;

use hashbrown::{DefaultHashBuilder, HashTable};

#[cfg(feature = "serde")]
pub use self::serde::SymbolSeed;
pub use symbol::Symbol;

use crate::containers::arena::Arena;
use crate::error::TryReserveError;
use crate::explain;
use crate::hashing::{hash_of, no_room, wide};
use crate::key::{Handle32, Key};
use crate::pools::pool_numbers::PoolNumbers;
use blocks::{BlockKey, Blocks};
use symbol::Numbering;

static NUMBERS: PoolNumbers = PoolNumbers::new();

/// Where a text lies, how many references it has, and its hash.
#[derive(Clone, Copy, Debug)]
struct Name {
    block: BlockKey,
    start: u32,
    len: u32,
    /// [`KEPT`] for a text that is never released.
    references: u32,
    hash: u32,
}

const KEPT: u32 = u32::MAX;

/// 24 bits are the slot, 8 count its texts.
const SLOT_BITS: u32 = 24;
type NameKey = Handle32<Name, SLOT_BITS>;
type Names = Arena<Name, NameKey>;

/// Texts stored once each, known by a [`Symbol`] of 4 bytes. Needs the feature `hashbrown`.
///
/// [`intern`](Self::intern) stores a text until the pool is dropped or [cleared](Self::clear).
/// [`acquire`](Self::acquire) counts a reference instead, which [`release`](Self::release) gives back: with the last
/// one the text is removed. A text that was interned once stays, however often it is acquired and released.
///
/// # Layout
/// Texts lie in blocks of 4 KiB, one of more than half a block in a block of its own. If less than half of a block is
/// in use, its texts are moved and its memory is used again. Symbols stay valid. In addition to its text a name takes
/// 28 to 32 bytes, and 6 to 11 in the hash table.
///
/// # Stale symbols
/// A released or cleared symbol is refused. 24 of its 32 bits are the slot of the text, and 8 count the texts of that
/// slot, which is retired after 128. When the pool is empty, after [`clear`](Self::clear) or the last
/// [`release`](Self::release), and half of its slots are retired, it continues with fresh slots under the following
/// numbers. So
/// - a pool that interns and is cleared every frame takes at most twice the memory of its most texts at once;
/// - numbers repeat: a stale symbol may be taken for one of another text after 2³⁰ further texts (a thousand
///   million), minus 128 for each slot that the pool has at once.
///
/// A pool that counts references and is never empty keeps its retired slots: 24 bytes for 128 texts or more. There are
/// 2²⁴ - 1 slots. When all of them are in use or retired, [`try_acquire`](Self::try_acquire) returns an error: after
/// 2³¹ texts if there is one at a time.
///
/// # Symbols of another pool
/// Pools start with different numbers, in debug and release builds. Symbols of a pool and of the `k`th pool made after
/// it are told apart
/// - if both have had at most 5,000,000 / `k` slots, for `k` up to 75,000, and neither has continued with fresh ones;
/// - if both only intern and were never cleared, for `k` up to 127.
///
/// Otherwise their numbers may overlap, and a symbol may be taken for one of the other pool. A clone counts as the
/// same pool: symbols made in either afterwards may be taken for those of the other. On targets without 32-bit atomics
/// pools are not told apart.
///
/// # Costs
/// | | |
/// |---|---|
/// | `intern`, `acquire`, `find` | O(length), amortised |
/// | `get`, `pool[symbol]` | O(1): name, block, text |
/// | `release` | O(1), O(length) amortised for the last reference |
///
/// # Examples
/// ```
/// use larder::pools::StringPool;
///
/// let mut names = StringPool::new();
/// let wren = names.intern("wren");
/// assert_eq!(names.intern("wren"), wren);
/// assert_eq!(&names[wren], "wren");
///
/// let kite = names.acquire("kite");
/// assert!(names.release(kite)); // the last reference
/// assert_eq!(names.get(kite), None);
/// ```
#[doc(alias("interner", "Rodeo", "string interning", "atoms", "string repository"))]
#[derive(Clone)]
pub struct StringPool<S = DefaultHashBuilder> {
    names: Names,
    table: HashTable<NameKey>,
    blocks: Blocks,
    numbering: Numbering,
    hasher: S,
}

/// What the memory of a [`StringPool`] is used for, in bytes. Made by [`StringPool::stats`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StringStats {
    /// How many texts there are.
    pub names: usize,
    /// Bytes of texts; an empty one counts as one byte.
    pub used: usize,
    /// Room in blocks without a text.
    pub wasted: usize,
    /// Slots and the hash table.
    pub bookkeeping: usize,
    /// All memory.
    pub bytes: usize,
}

impl StringPool {
    /// Makes an empty pool, with the hasher of `hashbrown`. O(1): allocates nothing.
    ///
    /// # Examples
    /// ```
    /// assert!(larder::pools::StringPool::new().is_empty());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<S: Default> Default for StringPool<S> {
    fn default() -> Self {
        Self::with_hasher(S::default())
    }
}

/// Making and reading, whatever the hasher.
impl<S> StringPool<S> {
    /// Makes an empty pool with another hasher. O(1): allocates nothing.
    ///
    /// A hasher with different results for the same text makes two symbols of it.
    ///
    /// # Examples
    /// ```
    /// use larder::pools::StringPool;
    /// use std::hash::RandomState;
    ///
    /// let mut names = StringPool::with_hasher(RandomState::new());
    /// let a = names.intern("a");
    /// assert_eq!(&names[a], "a");
    /// ```
    #[must_use]
    pub fn with_hasher(hasher: S) -> Self {
        Self::numbered(NUMBERS.next(), hasher)
    }

    /// Makes an empty pool with this number among all pools, for the project's own tests.
    #[doc(hidden)]
    #[must_use]
    pub fn numbered(number: u32, hasher: S) -> Self {
        Self {
            names: Arena::with_key(),
            table: HashTable::new(),
            blocks: Blocks::new(),
            numbering: Numbering::of_pool(number),
            hasher,
        }
    }

    /// How many texts there are. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// names.intern("a");
    /// names.intern("a");
    /// assert_eq!(names.len(), 1);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no text. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// names.intern(""); // a text like any other
    /// assert!(!names.is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The text of a symbol; `None` if it was released or cleared, or is of another pool. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// let symbol = names.acquire("wren");
    /// assert_eq!(names.get(symbol), Some("wren"));
    /// names.release(symbol);
    /// assert_eq!(names.get(symbol), None);
    /// ```
    #[doc(alias("resolve"))]
    #[inline]
    #[must_use]
    pub fn get(&self, symbol: Symbol) -> Option<&str> {
        let name = self.names.get(self.numbering.key(symbol)?)?;
        Some(self.blocks.text(name))
    }

    /// Walks the symbols and their texts, in the order of their slots. O(texts + slots / 64) in all.
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// let a = names.intern("a");
    /// assert_eq!(names.iter().collect::<Vec<_>>(), [(a, "a")]);
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Symbol, &str)> {
        self.names.iter().map(|(key, name)| (self.numbering.symbol(key), self.blocks.text(name)))
    }

    /// Counts one more reference to a text, for a copy of its symbol. O(1).
    ///
    /// # Panics
    /// If the symbol has no text here.
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// let symbol = names.acquire("wren");
    /// names.share(symbol);
    /// assert!(!names.release(symbol)); // one is left
    /// assert!(names.release(symbol));
    /// ```
    #[track_caller]
    pub fn share(&mut self, symbol: Symbol) {
        match self.numbering.key(symbol).and_then(|key| self.names.get_mut(key)) {
            // A text with so many references is kept.
            Some(name) => name.references = name.references.saturating_add(1),
            None => explain::no_text(symbol),
        }
    }

    /// Gives a reference back and returns whether it was the last: then the text is removed, and the symbol is stale.
    /// A text that was interned stays. O(1), and O(length) amortised for the last reference.
    ///
    /// # Panics
    /// If the symbol has no text here: it was released more often than acquired.
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// let (a, b) = (names.acquire("a"), names.intern("b"));
    /// assert!(names.release(a));
    /// assert!(!names.release(b));
    /// ```
    #[track_caller]
    pub fn release(&mut self, symbol: Symbol) -> bool {
        let Some(key) = self.numbering.key(symbol) else { explain::no_text(symbol) };
        match self.names.get_mut(key) {
            None => explain::no_text(symbol),
            Some(Name { references: KEPT, .. }) => return false,
            Some(name) => name.references -= 1,
        }
        if self.names[key].references != 0 {
            return false;
        }
        if let Some(name) = self.names.remove(key) {
            if let Ok(found) = self.table.find_entry(wide(name.hash), |&other| other == key) {
                found.remove();
            }
            self.blocks.forget(&name, &mut self.names);
        }
        if self.is_empty() {
            self.renew_slots();
        }
        true
    }

    /// Removes all texts, interned ones too, and keeps one block and the room for names. O(texts). All symbols are
    /// [stale](Self#stale-symbols) then.
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// let old = names.intern("wren");
    /// names.clear();
    /// let new = names.intern("wren");
    /// assert_eq!((names.get(old), names.get(new)), (None, Some("wren")));
    /// ```
    pub fn clear(&mut self) {
        self.names.clear();
        self.table.clear();
        self.blocks.clear();
        self.renew_slots();
    }

    /// Replaces the slots of an empty pool by fresh ones, if half of them are retired.
    fn renew_slots(&mut self) {
        if let Some(slots) = self.names.rows.renew_if_worn() {
            self.numbering.leave(slots);
        }
    }

    /// What the memory is used for. O(blocks).
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// names.intern("wren");
    /// let stats = names.stats();
    /// assert_eq!((stats.used, stats.wasted), (4, 4092));
    /// ```
    #[must_use]
    pub fn stats(&self) -> StringStats {
        let (used, wasted) = self.blocks.account();
        let names = self.names.stats().memory.committed;
        let bookkeeping = names + self.table.allocation_size() + self.blocks.bytes_beside();
        let bytes = used + wasted + bookkeeping;
        StringStats { names: self.len(), used, wasted, bookkeeping, bytes }
    }

    /// Whether every block is at least half in use, for the project's own tests.
    #[doc(hidden)]
    #[must_use]
    pub fn blocks_are_half_full(&self) -> bool {
        self.blocks.are_half_full()
    }

    /// Panics if the pool is inconsistent, for the project's own tests.
    #[doc(hidden)]
    pub fn validate(&self) {
        self.names.validate();
        self.blocks.validate(&self.names);
        assert_eq!(self.table.len(), self.names.len(), "a text cannot be found");
        for (key, name) in &self.names {
            let found = self.table.find(wide(name.hash), |&other| other == key);
            assert!(found.is_some(), "a text cannot be found");
        }
    }
}

/// With a hash.
impl<S: BuildHasher> StringPool<S> {
    /// The symbol of a text, which is stored until the pool is [cleared](Self::clear). O(length), amortised.
    ///
    /// # Panics
    /// If memory is refused, or all 2²⁴ - 1 slots are in use or [retired](Self#stale-symbols).
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// assert_eq!(names.intern("wren"), names.intern("wren"));
    /// ```
    #[doc(alias("get_or_intern"))]
    #[track_caller]
    pub fn intern(&mut self, text: &str) -> Symbol {
        match self.try_intern(text) {
            Ok(symbol) => symbol,
            Err(reason) => explain::refused::<Self>(&reason),
        }
    }

    /// As [`intern`](Self::intern), but returns an error instead of panicking. O(length), amortised.
    ///
    /// # Errors
    /// If memory is refused, or all 2²⁴ - 1 slots are in use or [retired](Self#stale-symbols).
    ///
    /// # Examples
    /// ```
    /// assert!(larder::pools::StringPool::new().try_intern("wren").is_ok());
    /// ```
    pub fn try_intern(&mut self, text: &str) -> Result<Symbol, TryReserveError> {
        self.refer(text, KEPT)
    }

    /// The symbol of a text, and a reference to it that is to be [released](Self::release). O(length), amortised.
    ///
    /// # Panics
    /// If memory is refused, or all 2²⁴ - 1 slots are in use or [retired](Self#stale-symbols).
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// let (a, b) = (names.acquire("wren"), names.acquire("wren"));
    /// assert_eq!(a, b);
    /// names.release(a);
    /// assert_eq!(names.get(b), Some("wren"));
    /// ```
    #[track_caller]
    pub fn acquire(&mut self, text: &str) -> Symbol {
        match self.try_acquire(text) {
            Ok(symbol) => symbol,
            Err(reason) => explain::refused::<Self>(&reason),
        }
    }

    /// As [`acquire`](Self::acquire), but returns an error instead of panicking. O(length), amortised.
    ///
    /// # Errors
    /// If memory is refused, or all 2²⁴ - 1 slots are in use or [retired](Self#stale-symbols).
    ///
    /// # Examples
    /// ```
    /// assert!(larder::pools::StringPool::new().try_acquire("wren").is_ok());
    /// ```
    pub fn try_acquire(&mut self, text: &str) -> Result<Symbol, TryReserveError> {
        self.refer(text, 1)
    }

    /// The symbol of a text, if it is stored, without counting a reference. O(length).
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// let wren = names.intern("wren");
    /// assert_eq!((names.find("wren"), names.find("kite")), (Some(wren), None));
    /// ```
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.find_key(self.hash(text), text).map(|key| self.numbering.symbol(key))
    }

    /// Only this runs user code; nothing is changed meanwhile.
    fn hash(&self, text: &str) -> u32 {
        hash_of(&self.hasher, text)
    }

    /// Adds references to a text, which is stored if it is not.
    fn refer(&mut self, text: &str, references: u32) -> Result<Symbol, TryReserveError> {
        let hash = self.hash(text);
        if let Some(key) = self.find_key(hash, text) {
            let name = &mut self.names[key];
            name.references = name.references.saturating_add(references);
            return Ok(self.numbering.symbol(key));
        }
        self.add(text, hash, references)
    }
}

impl<S> StringPool<S> {
    fn find_key(&self, hash: u32, text: &str) -> Option<NameKey> {
        let same = |&key: &NameKey| {
            let name = &self.names[key];
            name.hash == hash && self.blocks.text(name) == text
        };
        self.table.find(wide(hash), same).copied()
    }

    /// Allocates all memory first, so that nothing can fail halfway.
    fn add(&mut self, text: &str, hash: u32, references: u32) -> Result<Symbol, TryReserveError> {
        let Ok(len) = u32::try_from(text.len()) else {
            let (requested, max) = (text.len(), u32::MAX as usize);
            return Err(TryReserveError::CapacityOverflow { requested, max });
        };
        let names = &self.names;
        let reserved = self.table.try_reserve(1, |&key| wide(names[key].hash));
        reserved.map_err(|refused| {
            no_room(refused, self.names.len() + 1, NameKey::MAX_SLOTS as usize)
        })?;
        let name = Name { block: BlockKey::DANGLING, start: 0, len, references, hash };
        let key = self.names.try_insert(name).map_err(|refused| refused.reason)?;
        match self.blocks.prepare(text, &mut self.names) {
            Ok(block) => self.blocks.put(block, text, key, &mut self.names[key]),
            Err(reason) => {
                self.names.remove(key);
                return Err(reason);
            }
        }
        let names = &self.names;
        self.table.insert_unique(wide(hash), key, |&key| wide(names[key].hash));
        Ok(self.numbering.symbol(key))
    }
}

impl<S> Index<Symbol> for StringPool<S> {
    type Output = str;

    #[inline]
    #[track_caller]
    fn index(&self, symbol: Symbol) -> &str {
        match self.get(symbol) {
            Some(text) => text,
            None => explain::no_text(symbol),
        }
    }
}

impl<S> fmt::Debug for StringPool<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
