//! Something to look at in a debugger: `gdb target/debug/examples/debugger`, then `break debugger::look`.
#![expect(clippy::print_stdout, reason = "an example")]

use larder::{Arena, DenseArena, Handle};

#[inline(never)]
fn look(arena: &Arena<u32>, dense: &DenseArena<i64>, handle: Handle<u32>) -> usize {
    arena.len() + dense.len() + handle.slot() as usize
}

fn main() {
    let mut arena = Arena::new();
    let keys: Vec<_> = arena.insert_many([1001, 1002, 1003]).collect();
    arena.remove(keys[1]);
    let handle = arena.insert(1004);
    arena.remove(keys[0]);
    let mut dense = DenseArena::new();
    let first = dense.insert(-7);
    dense.insert(-8);
    dense.remove(first);
    println!("{}", look(&arena, &dense, handle));
}
