//! References to fields live no longer than the columns are borrowed.

use larder::Soa;

#[derive(Soa)]
struct Particle {
    mass: f32,
}

fn two<'a>(columns: &'a mut ParticleColumnsMut<'_>) -> [Option<ParticleRefMut<'a>>; 2] {
    [columns.get_mut(0), columns.get_mut(0)]
}

fn main() {}
