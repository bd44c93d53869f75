//! A field that does not go back is named, with what it belongs into.

use larder::track::{Observer, Reversible, Tracked, Versioned};
use larder::{Arena, Handle, SecondaryMap, Tree};

#[derive(Reversible)]
struct Game {
    ships: Tracked<Arena<u32>>,
    missiles: Arena<u32>,
    names: SecondaryMap<Handle<u32>, String>,
    frame: u32,
    input: Input,
}

struct Input {
    keys: Versioned<u8>,
}

/// Nor does a table with it.
#[derive(Observer, Reversible)]
struct Beside {
    inside: Tree<Handle<u32>>,
    names: SecondaryMap<Handle<u32>, String>,
}

/// Parameters need the bound.
#[derive(Reversible)]
struct Of<T> {
    member: T,
    list: Vec<Tracked<Arena<T>>>,
}

fn main() {
    Of { member: 1, list: Vec::new() }.checkpoint();
}
