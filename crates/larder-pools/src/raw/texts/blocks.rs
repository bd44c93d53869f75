//! Blocks of text by number; and side by side their addresses, which a lookup reads.
//!
//! **Invariant.** The base of a block is the address that the first block would have, if blocks lay one after the other
//! and this one in its place. So the address of a byte is the base and the whole of what names the byte: the
//! number of its block, and the offset there. It may be used as the block's own pointer may.

use alloc::vec::Vec;
use core::mem;
use core::ops::{Index, IndexMut};

use super::{BLOCK, OFFSET_BITS};
use larder_core::TryReserveError;
use larder_core::room::{self, reserve};

/// Memory for texts, all of it initialised. Its length never changes, so its address does not.
pub(super) type Bytes = Vec<u8>;

#[derive(Clone, Copy)]
struct Base(*const u8);

// SAFETY: nothing is read or written through a base but as through the block that it is of, which is `Send` and `Sync`.
unsafe impl Send for Base {}
// SAFETY: as above.
unsafe impl Sync for Base {}

impl Base {
    #[inline]
    fn of(number: usize, bytes: &Bytes) -> Self {
        Self(bytes.as_ptr().wrapping_sub(number * BLOCK))
    }
}

pub(super) struct Blocks {
    memory: Vec<Bytes>,
    bases: Vec<Base>,
}

impl Blocks {
    pub(super) const fn new() -> Self {
        Self { memory: Vec::new(), bases: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.memory.len()
    }

    /// The bytes of a block, 0 if there is none.
    #[inline(always)]
    pub(super) fn len_of(&self, number: usize) -> usize {
        self.memory.get(number).map_or(0, Vec::len)
    }

    /// Returns the number of blocks for which there is room.
    pub(super) fn capacity(&self) -> usize {
        self.memory.capacity().min(self.bases.capacity())
    }

    #[inline]
    pub(super) fn reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        reserve(&mut self.memory, additional)?;
        reserve(&mut self.bases, additional)
    }

    /// Returns `len` bytes, from the one on that `at` names.
    ///
    /// # Safety
    /// 1. There are `len` bytes from there on in the block.
    #[inline(always)]
    pub(super) unsafe fn get(&self, at: u32, len: usize) -> &[u8] {
        // SAFETY: by 1 there is the block, and in it are the bytes, all initialised; they are borrowed as it is.
        unsafe {
            let base = self.bases.get_unchecked((at >> OFFSET_BITS) as usize);
            let first = base.0.wrapping_add(at as usize);
            // (The compiler does not see that the address lies in a block: an `Option` of it would be tested for `None`
            // twice.)
            core::hint::assert_unchecked(!first.is_null());
            core::slice::from_raw_parts(first, len)
        }
    }

    /// Adds a block, for which there is room.
    pub(super) fn push(&mut self, bytes: Bytes) {
        self.bases.push(Base::of(self.memory.len(), &bytes));
        self.memory.push(bytes);
    }

    /// Has this memory be that of a block; answers with what was.
    pub(super) fn replace(&mut self, number: usize, bytes: Bytes) -> Bytes {
        self.bases[number] = Base::of(number, &bytes);
        mem::replace(&mut self.memory[number], bytes)
    }

    /// Exchanges the memory of a block, for other memory and back: its base stays.
    pub(super) fn lend(&mut self, number: usize, bytes: &mut Bytes) {
        mem::swap(&mut self.memory[number], bytes);
    }

    /// Gives up all; answers with their memory.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = Bytes> {
        self.bases.clear();
        self.memory.drain(..)
    }

    /// The bytes in all blocks.
    pub(super) fn room(&self) -> usize {
        self.memory.iter().map(Vec::len).sum()
    }

    /// The bytes beside them.
    pub(super) fn beside(&self) -> usize {
        self.memory.capacity() * size_of::<Bytes>() + self.bases.capacity() * size_of::<Base>()
    }

    /// Copies the blocks, with room for `room` of them.
    #[inline]
    pub(super) fn try_clone(&self, room: usize) -> Result<Self, TryReserveError> {
        let mut copy = Self::new();
        copy.reserve(room)?;
        for bytes in &self.memory {
            copy.push(room::copy(bytes)?);
        }
        Ok(copy)
    }
}

impl Index<usize> for Blocks {
    type Output = [u8];

    fn index(&self, number: usize) -> &[u8] {
        &self.memory[number]
    }
}

impl IndexMut<usize> for Blocks {
    fn index_mut(&mut self, number: usize) -> &mut [u8] {
        &mut self.memory[number]
    }
}
