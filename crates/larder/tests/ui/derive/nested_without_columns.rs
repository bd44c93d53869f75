//! A nested type has columns of its own.

use larder::Soa;

struct Place {
    x: f32,
    y: f32,
}

#[derive(Soa)]
struct Body {
    #[soa(nested)]
    place: Place,
    mass: f32,
}

fn main() {}
