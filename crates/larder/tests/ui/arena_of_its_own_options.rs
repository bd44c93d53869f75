//! The default key of an arena names the type of its values, so that a value cannot be an option of that key.

use larder::{Arena, Handle};

fn main() {
    let mut links: Arena<Option<Handle<_>>> = Arena::new();
    let first = links.insert(None);
    links.insert(Some(first));
}
