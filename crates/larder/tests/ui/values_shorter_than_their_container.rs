//! A container cannot hold a borrow of what is gone.

fn main() {
    let mut names = larder::Arena::new();
    let key = {
        let name = String::from("short");
        names.insert(name.as_str())
    };
    println!("{}", names[key]);
}
