//! A container cannot be touched while it is drained.

fn main() {
    let mut numbers: larder::Arena<u32> = (0..3).collect();
    let drain = numbers.drain();
    numbers.insert(4);
    drop(drain);
}
