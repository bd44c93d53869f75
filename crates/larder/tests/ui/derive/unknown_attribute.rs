//! An attribute that is unknown, misplaced or repeated is named, with those that there are.

use larder::Soa;

#[derive(Soa)]
struct OfFields {
    #[soa(nest)]
    position: (f32, f32),
    #[soa(lanes = 8)]
    velocity: f32,
    #[soa(align = 16, align = 32)]
    mass: f32,
    #[soa(group = "hot")]
    #[soa(group = "cold")]
    time: f32,
}

#[derive(Soa)]
#[soa(lane = 8)]
struct OfStructs {
    mass: f32,
}

#[derive(Soa)]
#[soa(nested)]
struct OfAFieldNotAStruct {
    mass: f32,
}

#[derive(Soa)]
#[soa(lanes = 8)]
#[soa(lanes = 8)]
struct Twice {
    mass: f32,
}

fn main() {}
