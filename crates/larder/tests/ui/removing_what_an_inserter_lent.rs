//! While a value that an inserter lent is in use, the arena is borrowed: nothing is removed.

fn main() {
    let mut arena = larder::Arena::with_capacity(10);
    let (key, name) = arena.inserter().insert(String::from("name"));
    arena.remove(key);
    println!("{name}");
}
