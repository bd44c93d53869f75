//! Texts that are stored once each and named by numbers of four bytes.

mod past;
#[cfg(feature = "serde")]
mod serde;
mod table;
mod whole;

use alloc::vec::Vec;
use core::hash::{BuildHasher, Hasher};
use core::ops::Index;

use hashbrown::{DefaultHashBuilder, HashTable};

#[cfg(feature = "serde")]
pub use self::serde::SymbolSeed;
pub use crate::symbol::Symbol;
use past::TextChange;
use table::larger;
pub use whole::StringStats;

use crate::Counted;
use crate::explain;
use crate::pool_numbers::PoolNumbers;
use crate::raw::texts::{Copies, MAX_SLOTS, Texts};
use crate::symbol::Numbering;
use larder_core::TryReserveError;
use larder_core::past::Past;
use larder_core::room;
use larder_core::room::{of_table, reserve_exact};

static NUMBERS: PoolNumbers = PoolNumbers::new();

/// The references of a text that is never released.
pub(super) const KEPT: u32 = u32::MAX;

/// hashbrown looks at the lowest bits of a hash, as many as there are of a bucket's number, and at the seven
/// highest of a word.
const HIGHEST: u32 = if cfg!(target_pointer_width = "64") { 7 } else { 0 };

/// The part of a text's hash that is stored, so that neither growing the table nor removing from it runs user code: its
/// highest bits, and its lowest, enough for 2²⁵ buckets.
#[inline]
const fn kept(hash: u64) -> u32 {
    hash.rotate_left(HIGHEST) as u32
}

/// The hash for the table, made of the bits that were kept.
const fn wide(kept: u32) -> u64 {
    (kept as u64).rotate_right(HIGHEST)
}

/// Texts that are stored once each and named by a [`Symbol`] of 4 bytes. Needs the feature `hashbrown`.
///
/// [`intern`](Self::intern) stores a text until the pool is dropped or [cleared](Self::clear).
/// [`acquire`](Self::acquire) counts references instead, and [`release`](Self::release) removes the text with
/// the last one. A text that was ever interned stays, however often it is acquired and released.
///
/// # Layout
/// ```text
/// places   block, place in it, length │ …   8 bytes a text, in slots
/// hashes   4 bytes a text                   references, as many, once a text was acquired
/// blocks   text text text · · · · · · │ …   2 KiB each; a text of more than half a block has one of its own
/// ```
///
/// A block of acquired texts less than half of which is in use is emptied: each further
/// [`release`](Self::release) that removes a text moves up to four others, and one more for each 16 bytes of its text,
/// so that no release takes long. Then the block's memory is used again, or given back unless it was
/// [reserved](Self::reserve_texts). Symbols stay valid. In addition to its text a name takes 12 bytes, 20 if it was
/// acquired, and 6 to 11 in the hash table. There are at most 2²¹ blocks.
///
/// # Many threads
/// All reading methods take `&self`: after [`shrink_to_fit`](Self::shrink_to_fit) an `Arc<StringPool>` is a read-only
/// pool that many threads share, without locks.
/// ```
/// use larder::pools::StringPool;
/// use std::{sync::Arc, thread};
///
/// let mut names: StringPool = StringPool::from_iter(["wren", "kite"]);
/// names.shrink_to_fit();
/// let names = Arc::new(names);
/// let other = Arc::clone(&names);
/// let wren = thread::spawn(move || other.find("wren")).join().unwrap();
/// assert_eq!(wren.map(|wren| &names[wren]), Some("wren"));
/// ```
///
/// # Stale symbols
/// A released or cleared symbol is refused. 24 of its 32 bits are the slot of the text, and 8 count the texts of that
/// slot, which is retired after 128. When the pool is empty, after [`clear`](Self::clear) or the last
/// [`release`](Self::release), and half of its slots are retired, it continues with fresh slots under the following
/// numbers. So
/// - a pool that interns and is cleared every frame takes at most twice the memory of its most texts at once;
/// - numbers repeat: a stale symbol may refer to another text after 2³⁰ further texts (about 10⁹), minus 128
///   for each slot that the pool has at once.
///
/// While it has [checkpoints](larder_core::track::Reversible) it does not continue with fresh slots.
///
/// A pool that counts references and is never empty keeps its retired slots: 16 bytes for each 128 texts or
/// more. It has at most 2²⁴ - 1 slots. When all of them are in use or retired,
/// [`try_acquire`](Self::try_acquire) returns an error: after 2³¹ texts if there is one at a time.
///
/// # Symbols of another pool
/// Pools start with different numbers, in debug and release builds. Symbols of a pool and of the `k`th pool made after
/// it are told apart
/// - if both have had at most 5,000,000 / `k` slots, for `k` up to 75,000, and neither has continued with fresh ones;
/// - if both only intern and were never cleared, for `k` up to 127.
///
/// Otherwise their numbers may overlap, and a symbol may refer to a text of the other pool. A clone counts as
/// the same pool: symbols that either makes afterwards may refer to texts of the other. On targets without
/// 32-bit atomics pools are not told apart.
///
/// # Costs
/// | | |
/// |---|---|
/// | `intern`, `acquire`, `find` | O(length), amortised |
/// | `get`, `pool[symbol]` | O(1): place, block, text |
/// | `release` | O(1), O(length) for the last reference |
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
pub struct StringPool<S = DefaultHashBuilder> {
    /// Slots, by hash.
    table: HashTable<u32>,
    pub(super) texts: Texts,
    /// By slot, for all that there is room for. With these, growing the table and releasing run no user code.
    hashes: Vec<u32>,
    /// By slot, as many once a text was acquired; [`KEPT`] where there is none.
    pub(super) references: Vec<u32>,
    pub(super) numbering: Numbering,
    hasher: S,
    /// While it is on, all changes of texts and references are noted, and slots are not replaced by fresh ones.
    past: Past<TextChange, (), Copies>,
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
    /// A hasher with different results for the same text makes two symbols of it. Without a seed that nobody knows,
    /// texts can be chosen so that their hashes meet, as in a file that is loaded: it takes time that grows with the
    /// square of its length. The hasher of `hashbrown` has a seed.
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
        Self::begin(NUMBERS.next(), hasher)
    }

    /// An empty pool with this number among all pools.
    pub(super) fn begin(number: u32, hasher: S) -> Self {
        Self {
            table: HashTable::new(),
            texts: Texts::new(),
            hashes: Vec::new(),
            references: Vec::new(),
            numbering: Numbering::of_pool(number),
            hasher,
            past: Past::new(),
        }
    }

    /// Returns how many texts there are. O(1).
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
        self.texts.len()
    }

    /// Returns whether there is no text. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// names.intern(""); // a text like any other
    /// assert!(!names.is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the text of a symbol; `None` if it was released or cleared, or is of another pool. O(1).
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
        let (slot, life) = self.numbering.parts(symbol);
        match self.texts.short(slot, life) {
            None => self.long(symbol),
            text => text,
        }
    }

    /// The text of a symbol, a long one, too. (All that it asks again is not kept for it. It may be inlined, so that a
    /// caller's compiler sees that it writes nothing, and a loop keeps what it has read of the pool.)
    #[cold]
    #[inline]
    fn long(&self, symbol: Symbol) -> Option<&str> {
        let (slot, life) = self.numbering.parts(symbol);
        self.texts.long(slot, life)
    }

    /// Walks the symbols and their texts, in the order of their slots. O(slots) in all.
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// let a = names.intern("a");
    /// assert_eq!(names.iter().collect::<Vec<_>>(), [(a, "a")]);
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Symbol, &str)> {
        Counted { left: self.len(), walk: self.texts.iter() }
            .map(|(slot, life, text)| (self.numbering.symbol(slot, life), text))
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
        let slot = self.live_slot(symbol);
        if let Some(references) = self.references.get_mut(slot as usize) {
            if self.past.is_on() {
                self.refer_and_note(slot, 1);
                return;
            }
            // A text with the greatest number of references is kept.
            *references = references.saturating_add(1);
        }
    }

    /// The slot of a text.
    #[inline]
    #[track_caller]
    fn live_slot(&self, symbol: Symbol) -> u32 {
        match self.slot(symbol) {
            Some(slot) => slot,
            None => explain::no_text(symbol),
        }
    }

    /// Gives a reference back and returns whether it was the last: then the text is removed, and the symbol is stale.
    /// A text that was interned stays. O(1), O(length) for the last reference.
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
    #[inline]
    #[track_caller]
    pub fn release(&mut self, symbol: Symbol) -> bool {
        let slot = self.live_slot(symbol);
        let references = match self.references.get_mut(slot as usize) {
            None | Some(&mut KEPT) => return false,
            Some(references) => references,
        };
        let before = *references;
        if before == 1 {
            self.remove(slot);
            return true;
        }
        *references = before - 1;
        if self.past.is_on() {
            self.note_references(slot, before);
        }
        false
    }

    /// Removes a text, with its last reference.
    #[inline(never)]
    fn remove(&mut self, slot: u32) {
        if self.past.is_on() {
            self.note_removal(slot);
        }
        self.forget(slot);
        self.texts.remove(slot);
        if self.is_empty() {
            self.renew_slots();
        }
    }

    /// Removes a text from the table.
    #[inline(always)]
    fn forget(&mut self, slot: u32) {
        let hash = wide(self.hashes[slot as usize]);
        if let Ok(found) = self.table.find_entry(hash, |&other| other == slot) {
            found.remove();
        }
    }

    /// Replaces the slots of an empty pool by fresh ones, if half of them are retired, and none may be gone back to.
    fn renew_slots(&mut self) {
        if self.past.is_on() {
            return;
        }
        if let Some(slots) = self.texts.renew_if_worn() {
            self.numbering.leave(slots);
        }
    }
}

/// With a hash.
impl<S: BuildHasher> StringPool<S> {
    /// Returns the symbol of a text, which is stored until the pool is [cleared](Self::clear). O(length), amortised.
    ///
    /// # Panics
    /// If allocation fails, or all 2²⁴ - 1 slots are in use or [retired](Self#stale-symbols).
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// assert_eq!(names.intern("wren"), names.intern("wren"));
    /// ```
    #[doc(alias("get_or_intern"))]
    #[inline]
    #[track_caller]
    pub fn intern(&mut self, text: &str) -> Symbol {
        match self.refer_again(text, KEPT) {
            Ok(symbol) => symbol,
            Err(hash) => self.add_or_panic(text, hash, KEPT),
        }
    }

    /// Like [`intern`](Self::intern), but returns an error instead of panicking. O(length), amortised.
    ///
    /// # Errors
    /// If allocation fails, or all 2²⁴ - 1 slots are in use or [retired](Self#stale-symbols).
    ///
    /// # Examples
    /// ```
    /// assert!(larder::pools::StringPool::new().try_intern("wren").is_ok());
    /// ```
    pub fn try_intern(&mut self, text: &str) -> Result<Symbol, TryReserveError> {
        self.refer(text, KEPT)
    }

    /// Returns the symbol of a text, and a reference to it that is to be [released](Self::release).
    /// O(length), amortised.
    ///
    /// # Panics
    /// If allocation fails, or all 2²⁴ - 1 slots are in use or [retired](Self#stale-symbols).
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// let (a, b) = (names.acquire("wren"), names.acquire("wren"));
    /// assert_eq!(a, b);
    /// names.release(a);
    /// assert_eq!(names.get(b), Some("wren"));
    /// ```
    #[inline]
    #[track_caller]
    pub fn acquire(&mut self, text: &str) -> Symbol {
        match self.refer_again(text, 1) {
            Ok(symbol) => symbol,
            Err(hash) => self.add_or_panic(text, hash, 1),
        }
    }

    /// Like [`acquire`](Self::acquire), but returns an error instead of panicking. O(length), amortised.
    ///
    /// # Errors
    /// If allocation fails, or all 2²⁴ - 1 slots are in use or [retired](Self#stale-symbols).
    ///
    /// # Examples
    /// ```
    /// assert!(larder::pools::StringPool::new().try_acquire("wren").is_ok());
    /// ```
    pub fn try_acquire(&mut self, text: &str) -> Result<Symbol, TryReserveError> {
        self.refer(text, 1)
    }

    /// Returns the symbol of a text, if it is stored, without counting a reference. O(length).
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// let wren = names.intern("wren");
    /// assert_eq!((names.find("wren"), names.find("kite")), (Some(wren), None));
    /// ```
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.look_up(text).ok().map(|slot| self.symbol(slot))
    }

    /// The slot of a text; its hash if it is not stored. Only this runs user code; nothing is changed meanwhile. (One
    /// function, that nothing is inlined into but the search: so the loop of the search has the registers
    /// that it needs.)
    #[inline(never)]
    pub(super) fn look_up(&self, text: &str) -> Result<u32, u32> {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(text.as_bytes());
        let hash = kept(hasher.finish());
        self.table.find(wide(hash), |&slot| self.texts.is(slot, text)).copied().ok_or(hash)
    }

    /// Adds references to a text, which is stored if it is not.
    fn refer(&mut self, text: &str, references: u32) -> Result<Symbol, TryReserveError> {
        match self.refer_again(text, references) {
            Ok(symbol) => Ok(symbol),
            Err(hash) => self.add(text, hash, references),
        }
    }

    /// Adds references to a text that is stored; answers with its hash if it is not.
    #[inline(always)]
    fn refer_again(&mut self, text: &str, references: u32) -> Result<Symbol, u32> {
        let slot = self.look_up(text)?;
        if let Some(of_text) = self.references.get_mut(slot as usize) {
            if self.past.is_on() {
                return Ok(self.refer_and_note(slot, references));
            }
            *of_text = of_text.saturating_add(references);
        }
        Ok(self.symbol(slot))
    }
}

impl<S> StringPool<S> {
    /// The symbol of a text's slot.
    #[inline(always)]
    fn symbol(&self, slot: u32) -> Symbol {
        self.numbering.symbol(slot, self.texts.life(slot))
    }

    #[inline]
    #[track_caller]
    fn add_or_panic(&mut self, text: &str, hash: u32, references: u32) -> Symbol {
        room::granted::<Self, _>(self.add(text, hash, references))
    }

    /// Stores a text. Allocates all memory first, so that nothing can fail halfway.
    #[inline(never)]
    pub(super) fn add(
        &mut self,
        text: &str,
        hash: u32,
        references: u32,
    ) -> Result<Symbol, TryReserveError> {
        let is_counted = references != KEPT;
        self.reserve_table(1)?;
        if self.texts.are_full() {
            self.add_slots()?;
        }
        if is_counted && self.references.len() < self.hashes.len() {
            extend_to(&mut self.references, self.hashes.len(), KEPT)?;
        }
        let slots = self.texts.slots();
        let (slot, life) = self.texts.put(text, is_counted)?;
        if self.past.is_on() {
            self.note_put(slot, slots);
        }
        self.hashes[slot as usize] = hash;
        if let Some(of_text) = self.references.get_mut(slot as usize) {
            *of_text = references;
        }
        self.table.insert_unique(wide(hash), slot, |_| unreachable!("there is room"));
        Ok(self.numbering.symbol(slot, life))
    }

    /// Makes room for half as many slots more.
    #[cold]
    #[inline(never)]
    fn add_slots(&mut self) -> Result<(), TryReserveError> {
        let (slots, most) = (self.texts.slots(), MAX_SLOTS - self.texts.slots());
        self.reserve_slots((slots / 2).max(8).min(most).max(1))
    }

    /// Makes room for `texts` more slots in all columns; that of places last, which says whether there is.
    pub(super) fn reserve_slots(&mut self, texts: usize) -> Result<(), TryReserveError> {
        let (requested, max) = (self.texts.slots().saturating_add(texts), MAX_SLOTS);
        if requested > max {
            return Err(TryReserveError::CapacityOverflow { requested, max });
        }
        extend_to(&mut self.hashes, requested, 0)?;
        if !self.references.is_empty() {
            extend_to(&mut self.references, requested, KEPT)?;
        }
        self.texts.cover(requested)
    }

    /// Makes room for this many more texts in the table. On an error nothing has changed.
    #[inline]
    pub(super) fn reserve_table(&mut self, texts: usize) -> Result<(), TryReserveError> {
        if texts <= self.table.capacity() - self.table.len() { Ok(()) } else { self.grow(texts) }
    }

    /// The table has all texts.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, texts: usize) -> Result<(), TryReserveError> {
        let (len, hashes) = (self.table.len(), &self.hashes);
        debug_assert_eq!(len, self.texts.len());
        let hash = |&slot: &u32| wide(hashes[slot as usize]);
        let refused = |refused| of_table(refused, len.saturating_add(texts), MAX_SLOTS);
        // (Few texts are not looked for in many slots.)
        let in_order = len >= self.texts.slots() / 2;
        let larger = if in_order { larger(&self.table, texts).map_err(refused)? } else { None };
        let Some(mut larger) = larger else {
            return self.table.try_reserve(texts, hash).map_err(refused);
        };
        // In the order of slots: the hashes are read in their order, and no text waits for the one before.
        for slot in self.texts.live() {
            larger.insert_unique(hash(&slot), slot, |_| unreachable!("there is room"));
        }
        self.table = larger;
        Ok(())
    }
}

/// Makes a column at least `len` long.
fn extend_to(column: &mut Vec<u32>, len: usize, with: u32) -> Result<(), TryReserveError> {
    let len = len.max(column.len());
    reserve_exact(column, len - column.len())?;
    column.resize(len, with);
    Ok(())
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
