//! Each attribute says what its value can be.

use larder::Soa;

#[derive(Soa)]
struct Fields {
    #[soa(align = 24)]
    position: f32,
    #[soa(align = 0)]
    direction: f32,
    #[soa(align = "64")]
    size: f32,
    #[soa(group = "very hot")]
    velocity: f32,
    #[soa(group = hot)]
    time: f32,
    #[soa(fill = )]
    mass: f32,
    #[soa(nested = true)]
    color: (f32, f32, f32),
}

#[derive(Soa)]
#[soa(lanes = 7)]
struct SevenLanes {
    mass: f32,
}

#[derive(Soa)]
#[soa(lanes = "page")]
struct LanesOfAPage {
    mass: f32,
}

fn main() {}
