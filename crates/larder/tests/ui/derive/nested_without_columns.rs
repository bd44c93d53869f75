//! A nested field's type has columns.

use larder::Soa;

struct Vec2 {
    x: f32,
    y: f32,
}

#[derive(Soa)]
#[soa(no_fill)]
struct Particle {
    mass: f32,
    #[soa(nested)]
    position: Vec2,
}

fn main() {}
