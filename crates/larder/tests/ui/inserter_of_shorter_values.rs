//! An inserter takes no value that lives shorter than those of its arena.

fn fill(arena: &mut larder::Arena<&'static str>) {
    let local = String::from("local");
    arena.inserter().insert(&local);
}

fn main() {
    let mut arena = larder::Arena::with_capacity(10);
    fill(&mut arena);
    println!("{:?}", arena.values().next());
}
