//! Values that an inserter lent may still be in use where it came from: so they must be `Sync`.

use std::cell::Cell;

fn main() {
    let mut arena = larder::Arena::with_capacity(10);
    let inserter = arena.inserter();
    let (key, here) = inserter.insert(Cell::new(1));
    std::thread::scope(|scope| {
        scope.spawn(move || inserter.get(key).unwrap().set(2));
        here.set(3);
    });
}
