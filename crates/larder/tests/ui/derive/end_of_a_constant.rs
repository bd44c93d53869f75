//! A constant ends before what cannot belong to it.

use larder::Soa;

#[derive(Soa)]
struct Fields {
    #[soa(fill = 1.0 2.0)]
    mass: f32,
    #[soa(fill = f32::MAX align = 64)]
    size: f32,
}

fn main() {}
