//! The type of an index by itself does not say which property of a row it has: `IndexBy` does.

use larder::indices::{Indexed, SortedIndex, UniqueIndex};
use larder::{Arena, Handle};

struct Bird {
    ring: u32,
}

struct Aviary {
    birds: Indexed<Arena<Bird>, UniqueIndex<u32, Handle<Bird>>>,
}

fn main() {
    let mut aviary = Aviary { birds: Indexed::new(Arena::new(), UniqueIndex::new()) };
    aviary.birds.insert(Bird { ring: 1 }).unwrap();
    let _ = Indexed::new(Arena::<Bird>::new(), (SortedIndex::<u32, Handle<Bird>>::new(),));
}
