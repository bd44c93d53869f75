//! A value with a `Drop` of its own cannot be taken apart.

use larder::Soa;

#[derive(Soa)]
struct Socket {
    number: u32,
    open: bool,
}

impl Drop for Socket {
    fn drop(&mut self) {}
}

fn main() {}
