//! A field whose type says no fill value needs one said, or the struct none.

use larder::Soa;

struct Color(u32);

#[derive(Soa)]
struct Particle {
    mass: f32,
    color: Color,
}

fn main() {}
