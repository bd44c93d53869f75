//! The type of an index by itself does not say which property of a value it has: `IndexBy` does.

use larder::indices::{SortedIndex, UniqueIndex};
use larder::{Arena, Handle, track::Table};

struct Bird {
    ring: u32,
}

struct Aviary {
    birds: Table<Arena<Bird>, UniqueIndex<u32, Handle<Bird>>>,
}

fn main() {
    let mut aviary = Aviary { birds: Table::with(Arena::new(), UniqueIndex::new()) };
    aviary.birds.insert(Bird { ring: 1 });
    let _ = Table::with(Arena::<Bird>::new(), (SortedIndex::<u32, Handle<Bird>>::new(),));
}
