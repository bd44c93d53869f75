//! Only larder's own types are keys: the containers rely on what they promise.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Mine(u32);

impl larder::Key for Mine {
    const MAX_SLOTS: u32 = u32::MAX;
    const DANGLING: Self = Mine(u32::MAX);

    fn slot(self) -> u32 {
        self.0
    }
}

fn main() {}
