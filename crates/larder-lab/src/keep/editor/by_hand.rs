//! A document by hand: a `SlotMap`, a table of hash, and the inverse of each step. Nodes that are removed stay in the
//! `SlotMap`, since it would give them new keys when they return.

use core::mem;
use std::collections::HashMap;

use slotmap::{DefaultKey as Key, SlotMap};

use super::{Document, Edit, Place, add, add_node};
use crate::study::Foldhash;

struct Node {
    name: String,
    label: u32,
    parent: Option<Key>,
    children: Vec<Key>,
}

/// A change of a document. Doing it returns the opposite one.
enum Change {
    Name(Key, String),
    Label(Key, u32),
    /// A node with all below it goes below a node, at this position; or it leaves the document.
    Place(Key, Option<(Key, usize)>),
}

/// A change, and where the caret is after it.
type Step = (Change, usize);

pub(super) struct Text {
    nodes: SlotMap<Key, Node>,
    by_label: HashMap<u32, Vec<Key>, Foldhash>,
    root: Key,
    caret: usize,
    undone: Vec<Step>,
    done: Vec<Step>,
    /// The key of each number.
    keys: Vec<Key>,
}

impl Text {
    fn file(&mut self, key: Key) {
        self.by_label.entry(self.nodes[key].label).or_default().push(key);
    }

    fn unfile(&mut self, key: Key) {
        let label = self.nodes[key].label;
        let same = self.by_label.get_mut(&label).expect("it is filed");
        let position = same.iter().position(|&other| other == key);
        same.swap_remove(position.expect("it is filed"));
        if same.is_empty() {
            self.by_label.remove(&label);
        }
    }

    fn for_all_below(&mut self, key: Key, act: fn(&mut Self, Key)) {
        act(self, key);
        for at in 0..self.nodes[key].children.len() {
            self.for_all_below(self.nodes[key].children[at], act);
        }
    }

    /// Takes a node out of its parent's children, and returns where it was.
    fn take(&mut self, key: Key) -> Option<(Key, usize)> {
        let parent = self.nodes[key].parent.take()?;
        let siblings = &mut self.nodes[parent].children;
        let position = siblings.iter().position(|&other| other == key).expect("it is a child");
        siblings.remove(position);
        Some((parent, position))
    }

    fn change(&mut self, change: Change) -> Change {
        match change {
            Change::Name(key, name) => {
                Change::Name(key, mem::replace(&mut self.nodes[key].name, name))
            }
            Change::Label(key, label) => {
                self.unfile(key);
                let before = mem::replace(&mut self.nodes[key].label, label);
                self.file(key);
                Change::Label(key, before)
            }
            Change::Place(key, to) => {
                let from = self.take(key);
                if let Some((parent, position)) = to {
                    self.nodes[parent].children.insert(position, key);
                    self.nodes[key].parent = Some(parent);
                }
                match (from, to) {
                    (None, Some(_)) => self.for_all_below(key, Self::file),
                    (Some(_), None) => self.for_all_below(key, Self::unfile),
                    _ => {}
                }
                Change::Place(key, from)
            }
        }
    }

    /// Returns the parent of a place and the position among its children, for a node that is not one of them.
    fn position(&self, Place { parent, before }: Place) -> (Key, usize) {
        let (parent, before) = (self.keys[parent], before.map(|before| self.keys[before]));
        let siblings = &self.nodes[parent].children;
        let position = siblings.iter().position(|&other| Some(other) == before);
        (parent, position.unwrap_or(siblings.len()))
    }

    fn turn_back(&mut self, (change, caret): Step) -> Step {
        (self.change(change), mem::replace(&mut self.caret, caret))
    }
}

impl Document for Text {
    const NAME: &'static str = "SlotMap, HashMap and inverse edits";

    fn new() -> Self {
        let mut nodes = SlotMap::new();
        let node = Node { name: String::new(), label: 0, parent: None, children: Vec::new() };
        let root = nodes.insert(node);
        let by_label = HashMap::default();
        let (undone, done) = (Vec::new(), Vec::new());
        let mut text = Self { nodes, by_label, root, caret: 0, undone, done, keys: vec![root] };
        text.file(root);
        text
    }

    fn edit(&mut self, edit: &Edit, is_step: bool) {
        let (change, caret) = match *edit {
            Edit::Insert { ref name, label, at } => {
                let (name, parent, children) = (name.clone(), None, Vec::new());
                let key = self.nodes.insert(Node { name, label, parent, children });
                self.keys.push(key);
                (Change::Place(key, Some(self.position(at))), self.keys.len() - 1)
            }
            Edit::Rename { node, ref name } => (Change::Name(self.keys[node], name.clone()), node),
            Edit::Label { node, label } => (Change::Label(self.keys[node], label), node),
            Edit::Move { node, to } => {
                let (key, (parent, mut position)) = (self.keys[node], self.position(to));
                // (It leaves its place first, which may be one before that.)
                let before = &self.nodes[parent].children[..position];
                position -= usize::from(before.contains(&key));
                (Change::Place(key, Some((parent, position))), node)
            }
            Edit::Remove { node } => (Change::Place(self.keys[node], None), node),
        };
        let inverse = self.turn_back((change, caret));
        if is_step {
            self.undone.clear();
            self.done.push(inverse);
        }
    }

    fn undo(&mut self) -> bool {
        let Some(step) = self.done.pop() else { return false };
        let inverse = self.turn_back(step);
        self.undone.push(inverse);
        true
    }

    fn redo(&mut self) -> bool {
        let Some(step) = self.undone.pop() else { return false };
        let inverse = self.turn_back(step);
        self.done.push(inverse);
        true
    }

    fn answer(&self) -> u64 {
        let mut sum = self.caret as u64;
        let mut next = self.nodes[self.root].children.iter().rev().map(|&key| (key, 1)).collect();
        while let Some((key, depth)) = Vec::pop(&mut next) {
            let Node { name, label, children, .. } = &self.nodes[key];
            sum = add_node(sum, name, *label, depth);
            sum = add(sum, self.by_label.get(label).map_or(0, Vec::len) as u64);
            next.extend(children.iter().rev().map(|&child| (child, depth + 1)));
        }
        sum
    }
}
