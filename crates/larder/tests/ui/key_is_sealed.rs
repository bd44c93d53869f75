//! Only larder's own types are keys, and what `key_type!` makes of them: the containers rely on what they
//! promise.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct Mine(u32);

impl larder::Key for Mine {
    type Bits = u32;

    const MAX_SLOTS: u32 = u32::MAX;
    const DANGLING: Self = Mine(u32::MAX);

    fn slot(self) -> u32 {
        self.0
    }

    fn to_bits(self) -> u32 {
        self.0
    }

    fn from_bits(bits: u32) -> Option<Self> {
        Some(Mine(bits))
    }
}

fn main() {}
