//! Lists of chunks in a pool, as a source document describes them (Y5 to Y8 in `records/sources.md`): a
//! chunk is some values and the numbers of the chunks before and after it; with 14 values it is a cache
//! line. Larder does not offer such lists. They are measured for comparison.
//!
//! ```text
//! list    first chunk, length
//! chunk   ┌ value 0 │ value 1 │ … │ prev │ next ┐    all full but the last; prev of the first: the last
//! ```

use super::Owners;

/// After the last chunk, or of an empty list.
const NONE: u32 = u32::MAX;
/// The words of a block: whole chunks of each size, aligned to cache lines if they are as long.
const WORDS: usize = 32;

#[derive(Clone, Copy)]
#[repr(align(128))]
struct Block([u32; WORDS]);

/// An object's list.
#[derive(Clone, Copy)]
struct Head {
    first: u32,
    length: u32,
}

const EMPTY: Head = Head { first: NONE, length: 0 };

/// Objects with lists of chunks of `ITEMS` values, which are `SIZE` words.
pub(crate) struct Chunks<const ITEMS: usize, const SIZE: usize> {
    blocks: Vec<Block>,
    /// The number of chunks so far.
    count: u32,
    /// The first free chunk; the others follow by `next`.
    free: u32,
    heads: Vec<Head>,
}

impl<const ITEMS: usize, const SIZE: usize> Chunks<ITEMS, SIZE> {
    const PREV: usize = ITEMS;
    const NEXT: usize = ITEMS + 1;
    const CALLED: &'static str = match ITEMS {
        6 => "chunks of 6",
        14 => "chunks of 14",
        _ => "chunks of 30",
    };
    const FITS: () = assert!(ITEMS + 2 == SIZE && WORDS.is_multiple_of(SIZE));

    #[inline(always)]
    fn chunk(&self, chunk: u32) -> &[u32] {
        let word = chunk as usize * SIZE;
        &self.blocks[word / WORDS].0[word % WORDS..][..SIZE]
    }

    #[inline(always)]
    fn chunk_mut(&mut self, chunk: u32) -> &mut [u32] {
        let word = chunk as usize * SIZE;
        &mut self.blocks[word / WORDS].0[word % WORDS..][..SIZE]
    }

    /// An unused chunk: a freed one, or a new one.
    fn take(&mut self) -> u32 {
        if self.free != NONE {
            let chunk = self.free;
            self.free = self.chunk(chunk)[Self::NEXT];
            return chunk;
        }
        if (self.count as usize * SIZE).is_multiple_of(WORDS) {
            self.blocks.push(Block([0; WORDS]));
        }
        self.count += 1;
        self.count - 1
    }

    /// Links another chunk after a list's last.
    fn append(&mut self, object: usize) -> u32 {
        let chunk = self.take();
        let first = self.heads[object].first;
        if first == NONE {
            self.heads[object].first = chunk;
            self.chunk_mut(chunk)[Self::PREV] = chunk;
        } else {
            let last = self.chunk(first)[Self::PREV];
            self.chunk_mut(last)[Self::NEXT] = chunk;
            self.chunk_mut(chunk)[Self::PREV] = last;
            self.chunk_mut(first)[Self::PREV] = chunk;
        }
        self.chunk_mut(chunk)[Self::NEXT] = NONE;
        chunk
    }

    /// Removes a list's last chunk, which is empty.
    fn drop_last(&mut self, object: usize) {
        let first = self.heads[object].first;
        let last = self.chunk(first)[Self::PREV];
        if first == last {
            self.heads[object].first = NONE;
        } else {
            let before = self.chunk(last)[Self::PREV];
            self.chunk_mut(before)[Self::NEXT] = NONE;
            self.chunk_mut(first)[Self::PREV] = before;
        }
        self.chunk_mut(last)[Self::NEXT] = self.free;
        self.free = last;
    }

    /// The last chunk, with room for another value.
    fn with_room(&mut self, object: usize) -> u32 {
        let Head { first, length } = self.heads[object];
        if (length as usize).is_multiple_of(ITEMS) {
            return self.append(object);
        }
        self.chunk(first)[Self::PREV]
    }

    fn pop(&mut self, object: usize) -> u32 {
        let head = &mut self.heads[object];
        head.length -= 1;
        let Head { first, length } = *head;
        let at = length as usize % ITEMS;
        let last = self.chunk(first)[Self::PREV];
        let value = self.chunk(last)[at];
        if at == 0 {
            self.drop_last(object);
        }
        value
    }

    /// A list's chunks with values, each as a slice.
    #[inline(always)]
    fn slices(&self, object: usize) -> impl Iterator<Item = &[u32]> {
        let Head { first, length } = self.heads[object];
        let (mut chunk, mut left) = (first, length as usize);
        core::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let here = self.chunk(chunk);
            let many = left.min(ITEMS);
            (chunk, left) = (here[Self::NEXT], left - many);
            Some(&here[..many])
        })
    }
}

owners! { Chunks<ITEMS, SIZE>, Self::CALLED, [const ITEMS: usize, const SIZE: usize];
    fn new(objects) {
        const { Self::FITS };
        Self { blocks: Vec::new(), count: 0, free: NONE, heads: vec![EMPTY; objects] }
    }
    fn len(&self, object) { self.heads[object].length as usize }
    fn values(&self, object) { self.slices(object).flatten().copied() }
    fn push(&mut self, object, value) {
        let chunk = self.with_room(object);
        let length = self.heads[object].length as usize;
        self.chunk_mut(chunk)[length % ITEMS] = value;
        self.heads[object].length += 1;
    }
    fn extend(&mut self, object, mut values) {
        while !values.is_empty() {
            let chunk = self.with_room(object);
            let at = self.heads[object].length as usize % ITEMS;
            let (now, later) = values.split_at(values.len().min(ITEMS - at));
            self.chunk_mut(chunk)[at..at + now.len()].copy_from_slice(now);
            self.heads[object].length += now.len() as u32;
            values = later;
        }
    }
    fn swap_remove(&mut self, object, index) {
        let last = self.pop(object);
        let Head { first, length } = self.heads[object];
        if index == length as usize {
            return;
        }
        let hops = index / ITEMS;
        let chunk = (0..hops).fold(first, |chunk, _| self.chunk(chunk)[Self::NEXT]);
        self.chunk_mut(chunk)[index % ITEMS] = last;
    }
    // Frees all chunks at once: the first leads to the last.
    fn clear(&mut self, object) {
        let Head { first, .. } = core::mem::replace(&mut self.heads[object], EMPTY);
        if first != NONE {
            let last = self.chunk(first)[Self::PREV];
            self.chunk_mut(last)[Self::NEXT] = self.free;
            self.free = first;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::random::Random;

    fn are_as_vecs<const ITEMS: usize, const SIZE: usize>() {
        let mut random = Random::new(ITEMS as u64);
        let mut lists = Chunks::<ITEMS, SIZE>::new(5);
        let mut model = vec![Vec::new(); 5];
        for value in 0..5_000 {
            let object = random.below(5);
            let list = &mut model[object];
            match random.below(20) {
                0..10 => {
                    lists.push(object, value);
                    list.push(value);
                }
                10 => {
                    let values = &[7; 100][..random.below(100)];
                    lists.extend(object, values);
                    list.extend(values);
                }
                11 => {
                    lists.clear(object);
                    list.clear();
                }
                _ if !list.is_empty() => {
                    let at = random.below(list.len());
                    lists.swap_remove(object, at);
                    list.swap_remove(at);
                }
                _ => {}
            }
            assert_eq!(lists.len(object), list.len());
            assert!(lists.values(object).eq(list.iter().copied()));
        }
    }

    #[test]
    fn lists_of_chunks_are_as_vecs() {
        are_as_vecs::<6, 8>();
        are_as_vecs::<14, 16>();
        are_as_vecs::<30, 32>();
    }

    #[test]
    fn a_chunk_of_fourteen_is_a_cache_line() {
        let mut lists = Chunks::<14, 16>::new(3);
        lists.push(0, 1);
        lists.push(1, 1);
        for chunk in 0..2 {
            let chunk = lists.chunk(chunk);
            assert_eq!(size_of_val(chunk), 64);
            assert!(chunk.as_ptr().addr().is_multiple_of(64));
        }
    }
}
