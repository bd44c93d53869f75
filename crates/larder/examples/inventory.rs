//! "My Large Array of Things in Odin": a fixed pool of columns, with the hierarchy in the things, and what the post
//! could not check.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use larder::track::Table;
use larder::trees::{InObjects, IntrusiveList, Link, LinkErrorKind, Links, link_field};
use larder::{Handle, Soa, SoaArena};

type Id = Handle<Entity>;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Nil,
    Inventory,
    Item,
}

#[derive(Soa)]
struct Entity {
    #[soa(fill = Kind::Nil)]
    kind: Kind,
    pos: [u32; 2],
    group: Links<Id>,
    burning: Link<Id>,
}
link_field!(Entity.group: Links<Id>, in columns);
link_field!(Entity.burning: Link<Id>, in columns);

fn entity(kind: Kind) -> Entity {
    Entity { kind, pos: [0; 2], group: Links::new(), burning: Link::new() }
}

fn main() {
    let links = (InObjects, IntrusiveList::numbered(0));
    // One allocation for entities and links. An entity that is removed leaves the hierarchy and the list by itself.
    let mut pool = Table::with(SoaArena::fixed(1_000), links);
    let inventory = pool.insert(entity(Kind::Inventory));
    let [torch, sword] = [(); 2].map(|()| pool.insert(entity(Kind::Item)));

    // Only what is in the pool can be linked: there is no way to link a local variable.
    for item in [torch, sword] {
        Links::append(&mut pool, inventory, item).expect("both are there");
    }
    let (mut entities, (_, burning)) = pool.linking();
    burning.push_back(&mut entities, torch).expect("it is in no list");
    // The walk gives handles, not objects: whether one is still the same can be asked.
    for item in Links::children(&pool, inventory) {
        println!("{item}: {:?} at {:?}", pool.at(item).kind, pool.at(item).pos);
    }

    pool.remove(torch);
    let rope = pool.insert(entity(Kind::Item)); // in the torch's slot, and in no inventory
    assert_eq!((rope.slot(), pool.get(torch).is_none()), (torch.slot(), true));
    assert!(Links::children(&pool, inventory).eq([sword]) && pool.observers().1.is_empty());
    assert_eq!(pool.columns().kind, [Kind::Inventory, Kind::Item, Kind::Item]);

    let refused = Links::append(&mut pool, sword, inventory).expect_err("a cycle");
    assert_eq!(refused.reason, LinkErrorKind::Descendant);
    println!("{refused}");
}
