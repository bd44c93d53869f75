//! Structs are groups of observers, and of what goes back: nothing else is, and nothing is left out.

use larder::track::{Observer, Reversible, Versioned};
use larder::{Handle, Tree};

#[derive(Observer)]
enum EitherObserver {
    Tree(Tree<Handle<u32>>),
}

#[derive(Reversible)]
enum EitherMember {
    Frame(Versioned<u32>),
}

#[derive(Observer)]
struct Nothing;

#[derive(Observer)]
struct WithoutOne {
    inside: Tree<Handle<u32>>,
    #[observer(skip)]
    number: u32,
}

#[derive(Reversible)]
struct Skipping {
    frame: Versioned<u32>,
    #[reversible(skip)]
    number: u32,
}

#[derive(Reversible)]
#[reversible(skip)]
struct Unknown {
    frame: Versioned<u32>,
}

fn main() {}
