//! An inserter is for one thread at a time; many at once have `shared_inserter`.

fn main() {
    let mut arena = larder::Arena::with_capacity(10);
    let inserter = arena.inserter();
    std::thread::scope(|scope| {
        scope.spawn(|| inserter.insert(1));
    });
}
