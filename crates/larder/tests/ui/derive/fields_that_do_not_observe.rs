//! A field that is no observer of these objects, or less than the others, is named where the table asks for more.

use larder::indices::{IndexBy, SortedIndex};
use larder::track::{Objects, Observer, Refusal, Reversible, Table, Track};
use larder::{Arena, Handle, SecondaryMap, Tree};

#[derive(Observer)]
struct Number {
    inside: Tree<Handle<u32>>,
    number: u32,
}

struct Cache;

impl<C: Track> Observer<C> for Cache {
    fn remove(&mut self, _: &mut Objects<'_, C>, _: C::Key) {}
    fn rebuild(&mut self, _: &mut Objects<'_, C>) -> Result<(), Refusal<C::Key>> {
        Ok(())
    }
}

#[derive(Observer)]
struct Beside {
    by_weight: IndexBy<SortedIndex<u32, Handle<u32>>, fn(&u32) -> u32>,
    names: SecondaryMap<Handle<u32>, String>,
    cache: Cache,
}

fn no_observer() {
    Table::with(Arena::new(), Number { inside: Tree::new(), number: 1 }).insert(1_u32);
}

fn of_other_objects(beside: Beside) {
    Table::with(Arena::new(), beside).insert("of another type");
}

fn not_edited(table: &mut Table<Arena<u32>, Beside>) {
    table.edit();
}

fn not_blind(table: &mut Table<Arena<u32>, Beside>, key: Handle<u32>) {
    table.get_mut(key);
}

fn not_reversible(table: &mut Table<Arena<u32>, Beside>) {
    table.checkpoint();
}

fn main() {}
