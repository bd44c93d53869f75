//! `#[derive(Soa)]`: safe code without a warning, whatever the struct.
#![cfg(feature = "derive")]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unreachable_pub, missing_debug_implementations)]

use larder::Soa;

/// A point.
#[derive(Soa, Clone, PartialEq, Debug)]
pub struct Vec3 {
    /// To the right.
    pub x: f32,
    /// Up.
    pub y: f32,
    z: f32,
}

#[derive(Soa, Clone, PartialEq, Debug)]
struct Particle {
    #[soa(group = "hot")]
    t: f32,
    #[soa(nested)]
    pos: Vec3,
    #[soa(fill = 1.0)]
    #[soa(group = "hot")]
    mass: f32,
    name: String,
}

#[derive(Soa)]
struct Tuple(f32, #[soa(nested)] (u8, u16), #[soa(align = 64)] Option<Box<Self>>);

#[derive(Soa)]
struct Generic<'a, 's, L: Clone, const N: usize, V = Vec3>
where
    V: Clone,
{
    #[soa(fill = &"")]
    name: &'a &'s str,
    #[soa(nested)]
    v: V,
    l: [L; N],
}

#[test]
fn parts() {
    let particle =
        Particle { t: 1.0, pos: Vec3 { x: 1.0, y: 2.0, z: 3.0 }, mass: 3.0, name: "x".into() };
    let parts = particle.clone().into_parts();
    assert_eq!(Particle::from_parts(parts), particle);
}
