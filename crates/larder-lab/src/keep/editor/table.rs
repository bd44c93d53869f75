//! A document in a table.

use larder::indices::{IndexBy, MultiIndex};
use larder::track::{Each, Reversible, Table, TrackError, Versioned};
use larder::{Arena, Handle, Tree};

use super::{Document, Edit, Place, add, add_node};

type Key = Handle<Node>;

#[derive(Clone)]
struct Node {
    name: String,
    label: u32,
}

type ByLabel = IndexBy<MultiIndex<u32, Key>, fn(&Node) -> u32>;

pub(super) struct Text {
    nodes: Table<Arena<Node>, (ByLabel, Tree<Key>)>,
    /// The node that was edited last, by its number.
    caret: Versioned<usize>,
    /// The key of each number.
    keys: Vec<Key>,
}

impl Reversible for Text {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        (&mut self.nodes, &mut self.caret).members(each)
    }
}

impl Text {
    fn put(&mut self, node: Key, Place { parent, before }: Place) {
        let (nodes, (_, tree)) = self.nodes.edit();
        let put = match before {
            Some(sibling) => tree.insert_before(nodes, self.keys[sibling], node),
            None => tree.append(nodes, self.keys[parent], node),
        };
        put.expect("it is not below itself");
    }
}

impl Document for Text {
    const NAME: &'static str = "Table";

    fn new() -> Self {
        let by_label: ByLabel = MultiIndex::by(|node| node.label);
        let mut nodes = Table::with(Arena::new(), (by_label, Tree::new()));
        let root = nodes.insert(Node { name: String::new(), label: 0 });
        Self { nodes, caret: Versioned::new(0), keys: vec![root] }
    }

    fn edit(&mut self, edit: &Edit, is_step: bool) {
        if is_step {
            self.checkpoint();
        }
        *self.caret = match *edit {
            Edit::Insert { ref name, label, at } => {
                let key = self.nodes.insert(Node { name: name.clone(), label });
                self.put(key, at);
                self.keys.push(key);
                self.keys.len() - 1
            }
            Edit::Rename { node, ref name } => {
                let renamed = self.nodes.modify(self.keys[node], |node| node.name.clone_from(name));
                renamed.expect("it is there");
                node
            }
            Edit::Label { node, label } => {
                let labelled = self.nodes.modify(self.keys[node], |node| node.label = label);
                labelled.expect("it is there");
                node
            }
            Edit::Move { node, to } => {
                self.put(self.keys[node], to);
                node
            }
            Edit::Remove { node } => {
                self.nodes.remove_subtree(|(_, tree)| tree, self.keys[node], |_, _| ());
                node
            }
        };
    }

    fn undo(&mut self) -> bool {
        Reversible::undo(self).expect("all have the same steps")
    }

    fn redo(&mut self) -> bool {
        Reversible::redo(self).expect("all have the same steps")
    }

    fn answer(&self) -> u64 {
        let (by_label, tree) = self.nodes.observers();
        let all = tree.descendants(self.keys[0]);
        all.fold(*self.caret as u64, |sum, key| {
            let Node { name, label } = &self.nodes[key];
            let sum = add_node(sum, name, *label, tree.ancestors(key).count());
            add(sum, by_label.get(label).len() as u64)
        })
    }
}
