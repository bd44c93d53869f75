//! Containers are joined by reference, and with nothing that has no keys.

use larder::{Arena, Handle, SecondaryMap, join};

fn main() {
    let birds = Arena::from_iter(["wren"]);
    let ages = SecondaryMap::<Handle<u8>, u8>::new();
    let _ = join(birds);
    let _ = join((&ages, 5));
}
