//! A pointer handle of one type is none of another.

use larder::key::PtrHandle;

fn main() {
    let mut birds = larder::Arena::fixed(1);
    let numbers = larder::Arena::<u32>::fixed(1);
    let wren = birds.insert("wren");
    let pointer = PtrHandle::of(&birds, wren).unwrap();
    pointer.get(&numbers);
}
