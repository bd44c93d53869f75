//! Lanes are for plain data.

use larder::Soa;

#[derive(Soa)]
#[soa(lanes = 8)]
struct Named {
    mass: f32,
    name: String,
}

#[derive(Soa)]
struct Label {
    text: String,
}

#[derive(Soa)]
#[soa(lanes = 8)]
struct Nested {
    mass: f32,
    #[soa(nested)]
    label: Label,
}

#[derive(Soa)]
#[soa(lanes = "block")]
struct Grouped {
    #[soa(group = "hot")]
    mass: f32,
    #[soa(group = "hot")]
    owner: Option<Box<u32>>,
}

fn main() {}
