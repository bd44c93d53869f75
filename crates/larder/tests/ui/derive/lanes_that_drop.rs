//! Lanes are for plain data.

use larder::Soa;

#[derive(Soa)]
#[soa(lanes = 8)]
struct Named {
    mass: f32,
    name: String,
}

fn main() {}
