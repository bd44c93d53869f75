//! `None` has no bytes that `bytemuck` knows of: plain data has the dangling key.

use larder::snapshot::{Plain, Saver};
use larder::{Arena, Handle};

struct Missile {
    place: [f32; 2],
}

fn is_plain<T: Plain>() {}

fn main() {
    is_plain::<Option<Handle<u8>>>();
    is_plain::<Missile>();
    let arena: Arena<Missile> = Arena::new();
    Saver::new().section("missiles", &arena);
}
