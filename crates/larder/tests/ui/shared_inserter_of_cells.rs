//! A shared inserter lends values to all threads: so they must be `Sync`.

use std::cell::Cell;

fn main() {
    let mut arena = larder::Arena::<Cell<u8>>::new();
    let inserter = arena.shared_inserter(10).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            inserter.insert(Cell::new(1));
        });
    });
}
