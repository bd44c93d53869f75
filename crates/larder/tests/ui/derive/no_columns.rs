//! A type without fields of its own, or whose fields cannot be borrowed, has no columns.

use larder::Soa;

#[derive(Soa)]
enum Shape {
    Circle { radius: f32 },
}

#[derive(Soa)]
union Bits {
    float: f32,
    integer: u32,
}

#[derive(Soa)]
struct Nothing;

#[derive(Soa)]
struct NoFields {}

#[derive(Soa)]
#[repr(C, packed(2))]
struct Packed {
    wide: u64,
}

fn main() {}
