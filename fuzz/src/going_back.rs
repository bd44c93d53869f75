//! Structures beside a container go back to checkpoints: trees, lists, buckets and pools, one beside the other.

use larder::pools::list_pool::{ListHandle, ListPool};
use larder::pools::string_pool::{StringPool, Symbol};
use larder::track::{Checkpoint, Reversible};
use larder::trees::{Buckets, KeyList};
use larder::{Arena, Handle, Tree};

use crate::bytes::Bytes;

type Id = Handle<u8>;

/// All of them, and every handle that was issued.
#[derive(Default)]
struct World {
    tree: Tree<Id>,
    order: KeyList<Id>,
    kinds: Buckets<Id, 3>,
    lists: ListPool<u8>,
    names: StringPool,
    held: Vec<ListHandle<u8>>,
    symbols: Vec<Symbol>,
}

/// The visible contents.
#[derive(PartialEq, Debug)]
struct Seen {
    parents: Vec<(Option<Id>, Vec<Id>)>,
    order: Vec<Id>,
    kinds: [Vec<Id>; 3],
    lists: Vec<Option<Vec<u8>>>,
    names: Vec<Option<String>>,
}

struct Moment {
    checkpoints: [Checkpoint; 5],
    seen: Seen,
}

/// Handles that were issued.
#[derive(Default)]
struct Issued {
    lists: Vec<ListHandle<u8>>,
    names: Vec<Symbol>,
}

/// A moment that was gone back to, what was seen before, and the handles that had been issued since: all, and those that
/// were not there before, too.
struct Undone {
    moment: Moment,
    seen: Seen,
    issued: Issued,
    new: Issued,
}

/// Buries the steps that were undone and cannot be redone: their handles are stale for good.
fn bury(undone: &mut Vec<Undone>, dead: &mut Issued) {
    for Undone { new, .. } in undone.drain(..) {
        dead.lists.extend(new.lists);
        dead.names.extend(new.names);
    }
}

/// Calls a method of each.
macro_rules! each {
    ($world:expr, $of:expr, |$it:ident, $checkpoint:ident| $call:expr) => {{
        let [tree, order, kinds, lists, names] = $of;
        [
            {
                let ($it, $checkpoint) = (&mut $world.tree, tree);
                $call
            },
            {
                let ($it, $checkpoint) = (&mut $world.order, order);
                $call
            },
            {
                let ($it, $checkpoint) = (&mut $world.kinds, kinds);
                $call
            },
            {
                let ($it, $checkpoint) = (&mut $world.lists, lists);
                $call
            },
            {
                let ($it, $checkpoint) = (&mut $world.names, names);
                $call
            },
        ]
    }};
}

impl World {
    fn edit(&mut self, objects: &Arena<u8>, keys: &[Id], bytes: &mut Bytes<'_>) {
        let kind = bytes.byte() % 24;
        let (a, b) = (keys[bytes.below(keys.len())], keys[bytes.below(keys.len())]);
        let number = bytes.byte();
        let at = usize::from(number) % self.held.len().max(1);
        let list = self.held.get(at).copied().filter(|&list| self.lists.contains(list));
        match kind {
            0..=2 => drop(self.tree.append(objects, a, b)),
            3 => drop(self.tree.insert_before(objects, a, b)),
            4 => self.tree.promote_children(a),
            5 => drop(self.tree.make_root(a)),
            6 => drop(self.order.push_back(objects, a)),
            7 => drop(self.order.insert_after(objects, a, b)),
            8 => _ = self.order.remove(a),
            9 | 10 => drop(self.kinds.set(objects, a, usize::from(number) % 3)),
            11 => drop(self.kinds.remove(a)),
            12 | 13 => {
                let made = self.lists.make([number; 3]);
                self.held.push(made);
            }
            14 | 15 => {
                if let Some(list) = list {
                    self.lists.free(list);
                }
            }
            16 => {
                if let Some(mut list) = list {
                    self.lists.extend(&mut list, [number; 5]);
                }
            }
            17 => {
                if let Some(list) = list {
                    self.lists.truncate(list, usize::from(number) % 3);
                    self.lists[list].iter_mut().for_each(|value| *value ^= 1);
                }
            }
            18 | 19 => {
                let name = format!("name {}", number % 16);
                let symbol =
                    if number < 32 { self.names.intern(&name) } else { self.names.acquire(&name) };
                self.symbols.push(symbol);
            }
            20 | 21 => {
                let at = usize::from(number) % self.symbols.len().max(1);
                if let Some(&symbol) = self.symbols.get(at) {
                    if self.names.get(symbol).is_some() {
                        self.names.release(symbol);
                    }
                }
            }
            22 if number == 0 => {
                self.tree.clear();
                self.order.clear();
                self.kinds.clear();
                self.lists.free_all();
                self.names.clear();
            }
            22 if number == 1 => {
                self.lists.compact();
                self.names.shrink_to_fit();
                self.tree.shrink_to_fit();
                self.kinds.shrink_to_fit();
            }
            _ => self.order.retain(|key| key.slot() % 2 == u32::from(number) % 2),
        }
    }

    fn seen(&self, keys: &[Id]) -> Seen {
        let of = |&key: &Id| (self.tree.parent(key), self.tree.children(key).collect());
        Seen {
            parents: keys.iter().map(of).collect(),
            order: self.order.iter().collect(),
            kinds: [0, 1, 2].map(|kind| self.kinds.iter(kind).collect()),
            lists: self.held.iter().map(|&list| self.lists.get(list).map(<[u8]>::to_vec)).collect(),
            names: self
                .symbols
                .iter()
                .map(|&name| self.names.get(name).map(str::to_owned))
                .collect(),
        }
    }

    fn moment(&mut self, keys: &[Id]) -> Moment {
        let checkpoints = each!(self, [(); 5], |it, _none| it.checkpoint());
        Moment { checkpoints, seen: self.seen(keys) }
    }

    /// Checks that the contents are those of `then`. Returns the handles that were issued since, which are stale.
    fn is_back(&mut self, then: &Seen, keys: &[Id]) -> (Issued, Issued) {
        let lists = self.held.split_off(then.lists.len());
        let names = self.symbols.split_off(then.names.len());
        assert_eq!(&self.seen(keys), then);
        let issued = Issued { lists, names };
        let new = self.new_of(&issued);
        self.are_stale(&new);
        (issued, new)
    }

    /// Those of these handles that are no older ones: a name may have been interned before, too.
    fn new_of(&self, Issued { lists, names }: &Issued) -> Issued {
        let is_new = |list: &&ListHandle<u8>| !list.is_empty() && !self.held.contains(list);
        let lists = lists.iter().filter(is_new).copied().collect();
        let is_new = |name: &&Symbol| !self.symbols.contains(name);
        Issued { lists, names: names.iter().filter(is_new).copied().collect() }
    }

    fn are_stale(&self, Issued { lists, names }: &Issued) {
        assert!(!lists.iter().any(|&list| self.lists.contains(list)));
        assert!(names.iter().all(|&name| self.names.get(name).is_none()));
    }

    fn validate(&self) {
        self.tree.validate();
        self.order.validate();
        self.kinds.validate();
        self.lists.validate();
        self.names.validate();
    }
}

pub fn run(data: &[u8]) {
    let bytes = &mut Bytes::new(data);
    let mut objects: Arena<u8> = (0..20).collect();
    let mut keys: Vec<Id> = objects.keys().collect();
    for slot in 0..4 {
        objects.remove(keys[slot]);
        keys.push(objects.insert(0));
    }
    let (mut world, mut moments) = (World::default(), Vec::<Moment>::new());
    // The steps that were undone, with the contents before and the handles since; and handles that are stale for good.
    let (mut undone, mut dead) = (Vec::<Undone>::new(), Issued::default());
    while !bytes.is_empty() {
        match bytes.byte() % 16 {
            0 | 1 => {
                moments.push(world.moment(&keys));
                bury(&mut undone, &mut dead);
            }
            2 if !moments.is_empty() => {
                moments.truncate(1 + bytes.below(moments.len()));
                let Some(Moment { checkpoints, seen }) = moments.last() else { continue };
                let back = each!(world, *checkpoints, |it, to| it.rollback(to));
                assert!(back.iter().all(Result::is_ok), "{back:?}");
                world.is_back(seen, &keys);
                bury(&mut undone, &mut dead);
            }
            3 | 4 => {
                let seen = world.seen(&keys);
                let was_done = each!(world, [(); 5], |it, _none| it.undo());
                assert!(
                    was_done.iter().all(|done| *done == Ok(!moments.is_empty())),
                    "{was_done:?}"
                );
                if let Some(moment) = moments.pop() {
                    let (issued, new) = world.is_back(&moment.seen, &keys);
                    undone.push(Undone { moment, seen, issued, new });
                }
            }
            5 if !undone.is_empty() => {
                let was_done = each!(world, [(); 5], |it, _none| it.redo());
                assert!(was_done.iter().all(|done| *done == Ok(true)), "{was_done:?}");
                if let Some(Undone { moment, seen, issued, .. }) = undone.pop() {
                    world.held.extend(issued.lists);
                    world.symbols.extend(issued.names);
                    assert_eq!(world.seen(&keys), seen);
                    moments.push(moment);
                }
            }
            6 if !moments.is_empty() => {
                let first = bytes.below(moments.len());
                let kept = each!(world, moments[first].checkpoints, |it, to| it.forget(to));
                assert!(kept.iter().all(Result::is_ok), "{kept:?}");
                moments.drain(..first);
            }
            _ => {
                // (An edit is of one of them: so that nothing can be redone of any, there is a checkpoint of all.)
                if !undone.is_empty() {
                    moments.push(world.moment(&keys));
                    bury(&mut undone, &mut dead);
                }
                world.edit(&objects, &keys, bytes);
            }
        }
        world.validate();
        world.are_stale(&dead);
    }
}
