//! A borrowed value cannot outlast its removal.

fn main() {
    let mut names = larder::DenseArena::new();
    let key = names.insert(String::from("first"));
    let name = names.get(key);
    names.remove(key);
    println!("{name:?}");
}
