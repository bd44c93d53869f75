// The functions of a sealed trait can be called by its bound, but only the crate has their arguments.
use larder::track::Reversible;

fn exchange<T: Reversible>(a: &mut T, b: &mut T) {
    core::mem::swap(a.past(), b.past());
}

fn main() {}
