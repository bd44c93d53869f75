//! Attributes that exclude each other.

use larder::Soa;

#[derive(Soa)]
struct Fields {
    #[soa(nested, group = "hot")]
    position: (f32, f32),
    #[soa(nested, align = 64)]
    velocity: (f32, f32),
}

#[derive(Soa)]
#[soa(lanes = 8, no_fill)]
struct NoFill {
    mass: f32,
}

#[derive(Soa)]
#[soa(lanes = "block")]
struct BlockOf<T> {
    mass: T,
}

#[derive(Soa)]
struct Tuple(#[soa(group = "hot")] f32, f32);

#[derive(Soa)]
struct NamedLikeAField {
    #[soa(group = "hot")]
    mass: f32,
    hot: bool,
}

#[derive(Soa)]
struct NamedLikeAStruct {
    #[soa(group = "columns_mut")]
    mass: f32,
}

#[derive(Soa)]
struct NamedAlike {
    #[soa(group = "hot")]
    mass: f32,
    #[soa(group = "Hot")]
    time: f32,
}

fn main() {}
