//! Decisions that are read off arbitrary bytes.

/// Numbers read off bytes, one after the other; zero after the last, so that every input means something.
#[derive(Debug)]
pub struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub fn new(data: &'a [u8]) -> Self {
        Self { rest: data }
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The bytes that are left.
    pub fn rest(&mut self) -> &'a [u8] {
        core::mem::take(&mut self.rest)
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.rest.split_at(N.min(self.rest.len()));
        self.rest = rest;
        let mut bytes = [0; N];
        bytes[..taken.len()].copy_from_slice(taken);
        bytes
    }

    pub fn byte(&mut self) -> u8 {
        u8::from_le_bytes(self.array())
    }

    pub fn short(&mut self) -> u16 {
        u16::from_le_bytes(self.array())
    }

    pub fn long(&mut self) -> u64 {
        u64::from_le_bytes(self.array())
    }

    /// A number below `end`, which is at most 65,536.
    pub fn below(&mut self, end: usize) -> usize {
        match end {
            0..=1 => 0,
            2..=256 => usize::from(self.byte()) % end,
            _ => usize::from(self.short()) % end,
        }
    }

    /// One of these, if there are any.
    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        choices.get(self.below(choices.len().min(1 << 16))).copied()
    }
}
