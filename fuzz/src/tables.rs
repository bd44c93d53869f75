//! Tables: a container of any layout with any choice of what can be beside its objects, while user code panics and
//! allocations fail, taken back and done again.

use larder::{Arena, DenseArena, DenseSoaArena, InlineArena, PagedArena, Pool, SoaArena};
use larder_testing::combinations::{History, Settings, Thing, Things};

use crate::bytes::Bytes;

/// As many steps as the bytes are good for.
fn history<C: Things>(container: C, settings: Settings, mut bytes: Bytes<'_>, steps: usize) {
    History::new(container, settings, |end| bytes.below(end)).run(steps);
}

pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let (container, choice) = (bytes.below(7), bytes.byte());
    let parts = u32::from(bytes.short()) | u32::from(bytes.byte()) << 16;
    let settings = Settings { parts, goes_back: choice % 4 > 0, has_trouble: choice / 4 % 4 > 0 };
    let steps = (data.len() / 6).min(200);
    match container {
        0 => history(Arena::new(), settings, bytes, steps),
        1 => history(PagedArena::new(), settings, bytes, steps),
        2 => history(InlineArena::<Thing, 300>::new(), settings, bytes, steps),
        3 => history(Pool::new(|| Thing::new(0)), settings, bytes, steps),
        4 => history(DenseArena::new(), settings, bytes, steps),
        5 => history(SoaArena::new(), settings, bytes, steps),
        _ => history(DenseSoaArena::new(), settings, bytes, steps),
    }
}
