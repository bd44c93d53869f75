//! The values that the lab stores, in the sizes that the workloads need.

use larder::soa::Fill;

use super::store::Element;

/// 4 bytes: the smallest value that a container is worth having for.
impl Element for u32 {
    fn new(number: u64) -> Self {
        // Numbers past 32 bits wrap: at this size only the low bits can be told apart.
        number as u32
    }

    fn number(&self) -> u64 {
        u64::from(*self)
    }

    fn touch(&mut self) {
        *self = self.wrapping_add(1);
    }
}

/// `N` words of 8 bytes, the first of which is the number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words<const N: usize>([u64; N]);

impl<const N: usize> Fill for Words<N> {
    const FILL: Self = Self([0; N]);
}

impl<const N: usize> Element for Words<N> {
    fn new(number: u64) -> Self {
        let mut words = [0; N];
        words[0] = number;
        Self(words)
    }

    fn number(&self) -> u64 {
        self.0[0]
    }

    fn touch(&mut self) {
        self.0[0] = self.0[0].wrapping_add(1);
    }
}

pub(crate) type Bytes8 = Words<1>;
pub(crate) type Bytes16 = Words<2>;
pub(crate) type Bytes32 = Words<4>;
pub(crate) type Bytes64 = Words<8>;
pub(crate) type Bytes128 = Words<16>;
pub(crate) type Bytes256 = Words<32>;
pub(crate) type Bytes512 = Words<64>;
pub(crate) type Bytes1024 = Words<128>;

/// An object that owns a buffer of 1 KiB, of which the first bytes are in use; they hold the number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Buffered(Vec<u8>);

impl Buffered {
    /// Room in the buffer.
    const ROOM: usize = 1024;
    /// Bytes in use: a cache line.
    const USED: usize = 64;

    /// Writes the first bytes of a buffer: the same work for new and reused buffers.
    #[inline(always)]
    fn fill(buffer: &mut Vec<u8>, number: u64) {
        let mut line = [0; Self::USED];
        line[..8].copy_from_slice(&number.to_le_bytes());
        buffer.clear();
        buffer.extend_from_slice(&line);
    }

    /// The buffer's address.
    #[cfg(test)]
    pub(crate) fn address(&self) -> *const u8 {
        self.0.as_ptr()
    }

    /// The buffer's first word.
    fn word(&self) -> &[u8; 8] {
        self.0.first_chunk().expect("a buffer in use has a first word")
    }
}

impl Fill for Buffered {
    const FILL: Self = Self(Vec::new());
}

impl Element for Buffered {
    const BYTES: usize = Self::ROOM;

    fn new(number: u64) -> Self {
        let mut buffer = Vec::with_capacity(Self::ROOM);
        Self::fill(&mut buffer, number);
        Self(buffer)
    }

    #[inline(always)]
    fn renew(&mut self, number: u64) {
        Self::fill(&mut self.0, number);
    }

    fn number(&self) -> u64 {
        u64::from_le_bytes(*self.word())
    }

    fn touch(&mut self) {
        let next = self.number().wrapping_add(1);
        self.0[..8].copy_from_slice(&next.to_le_bytes());
    }
}

/// A copy has the same capacity; a `Vec`'s clone would not.
impl Clone for Buffered {
    fn clone(&self) -> Self {
        Self::new(self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<E: Element>(bytes: usize) {
        assert_eq!(E::BYTES, bytes);
        let mut value = E::new(41);
        assert_eq!(value.number(), 41);
        value.touch();
        assert_eq!(value.number(), 42);
        value.renew(43);
        assert_eq!(value.number(), 43);
    }

    #[test]
    fn every_size_is_what_its_name_says_and_remembers_its_number() {
        check::<u32>(4);
        check::<Bytes8>(8);
        check::<Bytes16>(16);
        check::<Bytes32>(32);
        check::<Bytes64>(64);
        check::<Bytes128>(128);
        check::<Bytes256>(256);
        check::<Bytes512>(512);
        check::<Bytes1024>(1024);
        check::<Buffered>(1024);
    }

    #[test]
    fn a_renewed_object_is_as_a_new_one_and_keeps_its_buffer() {
        let mut value = Buffered::new(3);
        let before = value.address();
        value.renew(4);
        assert_eq!((&value, value.address()), (&Buffered::new(4), before));
    }

    #[test]
    fn a_copy_owns_a_buffer_of_the_same_size() {
        let mut value = Buffered::new(3);
        value.touch();
        let copy = value.clone();
        assert_eq!(copy, value);
        assert!(copy.0.capacity() >= Buffered::ROOM);
    }
}
