//! A container whose values do not say where their links are.

use larder::trees::{Link, IntrusiveList, Links};
use larder::{Arena, DenseSoaArena, Handle, Soa};

struct Thing {
    family: Links<Handle<Thing>>,
    near: Link<Handle<Thing>>,
}

#[derive(Soa)]
struct Row {
    family: Links<Handle<Row>>,
}

fn main() {
    let mut things = Arena::new();
    let [a, b] = [(); 2].map(|()| things.insert(Thing { family: Links::new(), near: Link::new() }));
    Links::append(&mut things, a, b).unwrap();
    Links::parent(&things, b);
    IntrusiveList::numbered(0).push_back(&mut things, a).unwrap();

    let mut rows = DenseSoaArena::new();
    let [a, b] = [(); 2].map(|()| rows.insert(Row { family: Links::new() }));
    Links::append(&mut rows, a, b).unwrap();
}
