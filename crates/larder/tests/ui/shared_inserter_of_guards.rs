//! A value that is inserted on one thread is dropped on another: so it must be `Send`.

use std::sync::{Mutex, MutexGuard};

fn main() {
    let mutex = Mutex::new(1);
    let mut arena = larder::Arena::<MutexGuard<'_, u8>>::new();
    let inserter = arena.shared_inserter(10).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| inserter.insert(mutex.lock().unwrap()));
    });
}
