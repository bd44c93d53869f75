//! A block of 16 KiB has four lanes at least.

use larder::Soa;

#[derive(Soa)]
#[soa(lanes = "block")]
struct Large {
    pixels: [f32; 1_024],
    time: f32,
}

fn main() {
    larder::SoaArena::<Large>::new();
}
