// What a sealed trait needs can be called by its bound, but only the crate has what it asks for.
use larder::track::Reversible;

fn exchange<T: Reversible>(a: &mut T, b: &mut T) {
    core::mem::swap(a.past(), b.past());
}

fn main() {}
