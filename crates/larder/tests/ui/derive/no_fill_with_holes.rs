//! Holes have to hold a value.

use larder::{DenseSoaArena, Soa, SoaArena};

#[derive(Soa)]
#[soa(no_fill)]
struct Sprite {
    place: u32,
}

fn main() {
    DenseSoaArena::<Sprite>::new();
    SoaArena::<Sprite>::new();
}
