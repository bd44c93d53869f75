//! A borrowed value cannot outlast an insert, which may move it.

fn main() {
    let mut names = larder::DenseArena::new();
    let key = names.insert(String::from("first"));
    let name = &names[key];
    names.insert(String::from("second"));
    println!("{name}");
}
