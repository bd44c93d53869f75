//! A pointer handle of one type is none of another.

fn main() {
    let mut birds = larder::Arena::fixed(1);
    let numbers = larder::Arena::<u32>::fixed(1);
    let wren = birds.insert("wren");
    let pointer = birds.pointer_of(wren).unwrap();
    numbers.get_by_pointer(pointer);
}
