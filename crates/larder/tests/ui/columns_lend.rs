//! Columns, runs, groups and temporary columns end before their container is changed.

use larder::{DenseSoaArena, SoaArena, soa};

fn columns(arena: &mut DenseSoaArena<u32>) {
    let column = arena.columns();
    arena.insert(1);
    println!("{}", column.len());
}

fn columns_twice(arena: &mut SoaArena<u32>) {
    let first = arena.columns_mut();
    let second = arena.columns_mut();
    first[0] = second[0];
}

fn runs(arena: &mut SoaArena<u32>) {
    let mut runs = arena.runs_mut();
    arena.clear();
    runs.next();
}

fn groups(arena: &mut SoaArena<u32>) {
    let group = arena.groups().next();
    arena.clear();
    drop(group);
}

fn column_outlives_its_arena() -> &'static [u32] {
    DenseSoaArena::from_iter([1_u32]).columns()
}

fn gathered_column_escapes(arena: &SoaArena<u32>) {
    let mut kept: &mut [u32] = &mut [];
    soa::gather(arena.iter(), |_, &number| number, |column| kept = column);
    kept[0] = 1;
}

fn row_outlives_a_removal(arena: &mut DenseSoaArena<u32>, key: larder::Handle<u32>) {
    let row = arena.get_mut(key);
    arena.remove(key);
    *row.unwrap() = 1;
}

fn main() {}
