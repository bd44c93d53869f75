//! A pool as a whole: its memory, and what it has in common with other collections.

use core::fmt;
use core::hash::BuildHasher;

use hashbrown::HashTable;

use super::{KEPT, StringPool, Symbol, extend_to, wide};
use crate::raw::texts::TextBytes;
use larder_core::TryReserveError;
use larder_core::room;
use larder_core::room::shrink;

/// The memory of a [`StringPool`] by use, in bytes. Made by [`StringPool::stats`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StringStats {
    /// The number of texts.
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
    /// Makes an empty pool with room for this many texts, but not for their bytes. O(texts).
    ///
    /// # Panics
    /// If allocation fails, or there are more than 2²⁴ - 1 texts.
    ///
    /// # Examples
    /// ```
    /// let names = larder::pools::StringPool::with_capacity(100);
    /// assert!(names.stats().bookkeeping >= 100 * 12);
    /// ```
    #[must_use]
    #[track_caller]
    #[inline]
    pub fn with_capacity(texts: usize) -> Self {
        let mut pool = Self::new();
        pool.reserve(texts);
        pool
    }
}

impl<S: Clone> Clone for StringPool<S> {
    fn clone(&self) -> Self {
        Self {
            table: self.table.clone(),
            texts: room::granted::<Self, _>(self.texts.try_clone()),
            hashes: self.hashes.clone(),
            references: self.references.clone(),
            numbering: self.numbering,
            hasher: self.hasher.clone(),
            past: self.past.clone(),
        }
    }
}

impl<S> StringPool<S> {
    /// Makes room for this many more texts, but not for their bytes. O(texts).
    ///
    /// # Panics
    /// If allocation fails, or there are more than 2²⁴ - 1 texts.
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// names.reserve(100);
    /// assert!(names.is_empty());
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, texts: usize) {
        room::granted::<Self, _>(self.try_reserve(texts));
    }

    /// Like [`reserve`](Self::reserve), but returns an error instead of panicking. O(texts).
    ///
    /// # Errors
    /// If allocation fails, or there are more than 2²⁴ - 1 texts.
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// assert!(names.try_reserve(usize::MAX).is_err());
    /// ```
    pub fn try_reserve(&mut self, texts: usize) -> Result<(), TryReserveError> {
        self.reserve_slots(texts.saturating_sub(self.texts.free()))?;
        self.reserve_table(texts)
    }

    /// Makes room for this many more texts, of up to `bytes` bytes in all: until there are more, nothing is allocated,
    /// whatever is acquired, interned, released and cleared. O(texts + bytes).
    ///
    /// Three things allocate nevertheless: a text of more than 1 KiB; a slot, in place of one that is
    /// [retired](Self#stale-symbols) after 128 texts, so a program that goes on for `n` texts more reserves
    /// `n / 128` texts more; and changes that are recorded for [checkpoints](larder_core::track::Reversible), until
    /// there is memory for as many.
    ///
    /// The blocks have room for twice the bytes, and stay until the memory is [given back](Self::shrink_to_fit).
    /// Instead of allocating, a text that finds no block with room has a few others emptied, of which less than
    /// half is in use. A clone has the texts, but not the room.
    ///
    /// # Panics
    /// If allocation fails, or there are more than 2²⁴ - 1 texts or 2²¹ blocks.
    ///
    /// # Examples
    /// ```
    /// use larder::pools::StringPool;
    ///
    /// let mut names = StringPool::new();
    /// names.reserve_texts(1_000, 1_000 * 20);
    /// let before = names.stats().bytes;
    /// for number in 0..10_000 {
    ///     let name = names.acquire(&format!("object {number}"));
    ///     names.release(name);
    /// }
    /// assert_eq!(names.stats().bytes, before);
    /// ```
    #[track_caller]
    pub fn reserve_texts(&mut self, texts: usize, bytes: usize) {
        room::granted::<Self, _>(self.try_reserve_texts(texts, bytes));
    }

    /// Like [`reserve_texts`](Self::reserve_texts), but returns an error instead of panicking. O(texts + bytes).
    ///
    /// # Errors
    /// If allocation fails, or there are more than 2²⁴ - 1 texts or 2²¹ blocks.
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// assert!(names.try_reserve_texts(1, usize::MAX).is_err());
    /// ```
    pub fn try_reserve_texts(&mut self, texts: usize, bytes: usize) -> Result<(), TryReserveError> {
        self.reserve_slots(texts.saturating_sub(self.texts.free()))?;
        extend_to(&mut self.references, self.hashes.len(), KEPT)?;
        self.texts.try_reserve_blocks(texts, bytes)?;
        // (Removed texts leave marks in the table. If it is half full of these, it is only put in order.)
        let doubled = 2 * (self.len() + texts);
        let full = self.table.num_buckets() / 8 * 7;
        if doubled <= full { Ok(()) } else { self.reserve_table(doubled - self.len()) }
    }

    /// Removes all texts, interned ones too, and keeps the room for names, and one block or as many as were
    /// [reserved](Self::reserve_texts). O(texts). All symbols are [stale](Self#stale-symbols) then.
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
        if self.past.is_on() {
            return self.remove_all();
        }
        self.table.clear();
        self.texts.clear();
        self.renew_slots();
    }

    /// Gives back memory that no text needs, except for blocks of 2 KiB that texts are put into. O(texts). If memory is
    /// refused, or there are [checkpoints](larder_core::track::Reversible), it stays as it is.
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::with_capacity(1_000);
    /// names.intern("wren");
    /// let before = names.stats().bytes;
    /// names.shrink_to_fit();
    /// assert!(names.stats().bytes < before);
    /// ```
    pub fn shrink_to_fit(&mut self) {
        if self.past.is_on() {
            return;
        }
        self.texts.shrink_to_fit();
        for column in [&mut self.hashes, &mut self.references] {
            column.truncate(self.texts.room());
            shrink(column);
        }
        let hash_of = |&slot: &u32| wide(self.hashes[slot as usize]);
        let mut table = HashTable::new();
        if table.try_reserve(self.len(), hash_of).is_ok() {
            for &slot in &self.table {
                table.insert_unique(hash_of(&slot), slot, hash_of);
            }
            self.table = table;
        }
    }

    /// Returns the number of a symbol's slot, for a table beside the pool; `None` if the symbol has no text here. O(1).
    ///
    /// Slots are numbered from 0 on, and those of removed texts are used again, so such a table has hardly more entries
    /// than there are texts.
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// let (wren, kite) = (names.intern("wren"), names.intern("kite"));
    /// assert_eq!([wren, kite].map(|symbol| names.slot(symbol)), [Some(0), Some(1)]);
    /// ```
    #[doc(alias("to_usize", "into_usize", "index"))]
    #[inline]
    #[must_use]
    pub fn slot(&self, symbol: Symbol) -> Option<u32> {
        let (slot, life) = self.numbering.parts(symbol);
        self.texts.is_live(slot, life).then_some(slot)
    }

    /// Returns what the memory is used for. O(blocks).
    ///
    /// # Examples
    /// ```
    /// let mut names = larder::pools::StringPool::new();
    /// names.intern("wren");
    /// let stats = names.stats();
    /// assert_eq!((stats.used, stats.wasted), (4, 2044));
    /// ```
    #[must_use]
    pub fn stats(&self) -> StringStats {
        let TextBytes { used, wasted, beside } = self.texts.bytes_of_all();
        let by_slot = (self.hashes.capacity() + self.references.capacity()) * size_of::<u32>();
        let bookkeeping = beside + by_slot + self.table.allocation_size();
        let bytes = used + wasted + bookkeeping;
        StringStats { names: self.len(), used, wasted, bookkeeping, bytes }
    }

    /// Makes an empty pool with this number among all pools, for the project's own tests.
    #[cfg(feature = "__test")]
    #[doc(hidden)]
    #[must_use]
    pub fn numbered(number: u32, hasher: S) -> Self {
        Self::begin(number, hasher)
    }

    /// Returns whether every block is at least half in use or being emptied, for the project's own tests.
    #[cfg(feature = "__test")]
    #[doc(hidden)]
    #[must_use]
    pub fn blocks_are_half_full(&self) -> bool {
        self.texts.blocks_are_half_full()
    }

    /// Panics if the pool is inconsistent, for the project's own tests.
    #[cfg(feature = "__test")]
    #[doc(hidden)]
    pub fn validate(&self) {
        self.texts.validate();
        assert_eq!(self.table.len(), self.len(), "a text cannot be found");
        for (slot, _, _) in self.texts.iter() {
            let hash = wide(self.hashes[slot as usize]);
            let found = self.table.find(hash, |&other| other == slot);
            assert!(found.is_some(), "a text cannot be found");
            assert_ne!(self.references.get(slot as usize), Some(&0), "a text has no reference");
        }
    }
}

/// Interns each text.
impl<T: AsRef<str>, S: BuildHasher> Extend<T> for StringPool<S> {
    #[track_caller]
    fn extend<I: IntoIterator<Item = T>>(&mut self, texts: I) {
        for text in texts {
            self.intern(text.as_ref());
        }
    }
}

/// Interns each text.
impl<T: AsRef<str>, S: BuildHasher + Default> FromIterator<T> for StringPool<S> {
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Self {
        let mut pool = Self::default();
        pool.extend(texts);
        pool
    }
}

/// Equal pools have the same texts; their symbols and references may differ. O(bytes of all texts).
impl<S: BuildHasher, Z: BuildHasher> PartialEq<StringPool<Z>> for StringPool<S> {
    fn eq(&self, other: &StringPool<Z>) -> bool {
        self.len() == other.len() && self.iter().all(|(_, text)| other.find(text).is_some())
    }
}

impl<S: BuildHasher> Eq for StringPool<S> {}

impl<S> fmt::Debug for StringPool<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
