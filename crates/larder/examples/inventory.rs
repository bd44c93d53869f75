//! The inventory of "My Large Array of Things in Odin", and what the post could not check.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use larder::trees::{Buckets, LinkErrorKind, Links};
use larder::{Arena, Handle};

enum Kind {
    Inventory,
    Item,
}

struct Entity {
    name: &'static str,
    group: Links<Handle<Entity>>,
}

impl AsRef<Links<Handle<Entity>>> for Entity {
    fn as_ref(&self) -> &Links<Handle<Entity>> {
        &self.group
    }
}

impl AsMut<Links<Handle<Entity>>> for Entity {
    fn as_mut(&mut self) -> &mut Links<Handle<Entity>> {
        &mut self.group
    }
}

fn main() {
    let mut entities = Arena::fixed(1_000); // one allocation, and none later
    let mut kinds = Buckets::<_, 2>::new();
    let mut add = |kind: Kind, name| {
        let entity = entities.insert(Entity { name, group: Links::new() });
        kinds.set(&entities, entity, kind as usize).expect("it was just inserted");
        entity
    };
    let inventory = add(Kind::Inventory, "backpack");
    let [sword, rope] = ["sword", "rope"].map(|name| add(Kind::Item, name));

    // Only what is in the pool can be linked: there is no way to link a local variable.
    for item in [sword, rope] {
        Links::append(&mut entities, inventory, item).expect("both are there");
    }
    // The walk gives handles, not objects: whether one is still the same can be asked.
    for item in Links::children(&entities, inventory) {
        println!("{item}: {} in the {}", entities[item].name, entities[inventory].name);
    }

    // Removal unlinks by itself; the slot's next object is in no inventory.
    Links::remove_subtree(&mut entities, sword);
    kinds.remove(sword);
    let torch = entities.insert(Entity { name: "torch", group: Links::new() });
    assert_eq!((torch.slot(), entities.get(sword).is_none()), (sword.slot(), true));
    assert!(Links::children(&entities, inventory).eq([rope]));
    assert_eq!(kinds.count(Kind::Item as usize), 1);

    let refused = Links::append(&mut entities, rope, inventory).expect_err("a cycle");
    assert_eq!(refused.reason, LinkErrorKind::Descendant);
    println!("{refused}");
}
