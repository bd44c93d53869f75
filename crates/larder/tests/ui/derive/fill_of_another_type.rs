//! A fill value is of the field's type.

use larder::Soa;

#[derive(Soa)]
struct Body {
    #[soa(fill = 1)]
    mass: f32,
    #[soa(fill = "none")]
    name: String,
}

fn main() {}
