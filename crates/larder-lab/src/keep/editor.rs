//! An editor's thousand steps, back and forth: a document of named and labelled nodes in an order, an index of labels,
//! and a caret. A table with one history, against `SlotMap`, `HashMap` and the inverse of each edit.
//!
//! The edits are planned beforehand, in terms of the numbers that nodes have in the order of their insertion.

mod by_hand;
mod table;

use crate::study::prelude::*;

/// The edits, each of which is a step.
const STEPS: usize = 1_000;
/// The number of nodes with one label, on average.
const OF_A_LABEL: usize = 10;

/// A place in the document: below a node, before one of its children or behind all.
#[derive(Clone, Copy, Debug)]
struct Place {
    parent: usize,
    before: Option<usize>,
}

/// An edit of a document. Nodes have the numbers of their insertion.
#[derive(Clone, Debug)]
enum Edit {
    Insert {
        name: String,
        label: u32,
        at: Place,
    },
    Rename {
        node: usize,
        name: String,
    },
    Label {
        node: usize,
        label: u32,
    },
    Move {
        node: usize,
        to: Place,
    },
    /// With all below it.
    Remove {
        node: usize,
    },
}

/// A document and the edits of it.
struct Plan {
    /// The document is made by these: nodes below nodes that were there before.
    made: Vec<Edit>,
    edits: Vec<Edit>,
}

/// The nodes of a document that is planned.
struct Draft {
    random: Random,
    labels: usize,
    /// By number: the node above, and the nodes below. Those that were removed have none above.
    nodes: Vec<(Option<usize>, Vec<usize>)>,
}

impl Draft {
    fn any_node(&mut self) -> usize {
        loop {
            let node = self.random.below(self.nodes.len());
            if self.is_below(node, 0) {
                return node;
            }
        }
    }

    fn is_below(&self, mut node: usize, above: usize) -> bool {
        while node != above {
            let Some(parent) = self.nodes[node].0 else { return false };
            node = parent;
        }
        true
    }

    fn place(&mut self, parent: usize) -> Place {
        let below = &self.nodes[parent].1;
        let before = below.get(self.random.below(below.len() + 1)).copied();
        Place { parent, before }
    }

    fn put(&mut self, node: usize, Place { parent, before }: Place) {
        let below = &mut self.nodes[parent].1;
        let at = below.iter().position(|&other| Some(other) == before).unwrap_or(below.len());
        below.insert(at, node);
        self.nodes[node].0 = Some(parent);
    }

    fn take(&mut self, node: usize) {
        if let Some(parent) = self.nodes[node].0.take() {
            self.nodes[parent].1.retain(|&other| other != node);
        }
    }

    fn name(&mut self) -> String {
        format!("node {}", self.random.below(1_000_000))
    }

    fn label(&mut self) -> u32 {
        self.random.below(self.labels) as u32
    }

    fn insertion(&mut self) -> Edit {
        let parent = self.any_node();
        let at = self.place(parent);
        self.nodes.push((None, Vec::new()));
        self.put(self.nodes.len() - 1, at);
        Edit::Insert { name: self.name(), label: self.label(), at }
    }

    fn edit(&mut self) -> Edit {
        let node = self.any_node();
        match self.random.below(5) {
            0 => return Edit::Rename { node, name: self.name() },
            1 => return Edit::Label { node, label: self.label() },
            2 if node != 0 => {
                let parent = self.any_node();
                if !self.is_below(parent, node) {
                    self.take(node);
                    let to = self.place(parent);
                    self.put(node, to);
                    return Edit::Move { node, to };
                }
            }
            3 if node != 0 && self.nodes[node].1.len() <= 2 => {
                self.take(node);
                return Edit::Remove { node };
            }
            _ => {}
        }
        self.insertion()
    }
}

impl Plan {
    fn new(count: usize) -> Self {
        let labels = count.div_ceil(OF_A_LABEL);
        let root = (None, Vec::new());
        let mut draft = Draft { random: Random::new(0xED17), labels, nodes: vec![root] };
        let made = (1..count).map(|_| draft.insertion()).collect();
        let edits = (0..STEPS).map(|_| draft.edit()).collect();
        Self { made, edits }
    }
}

/// A document, however it keeps its nodes.
trait Document {
    const NAME: &'static str;

    /// Makes a document of a root.
    fn new() -> Self;
    /// Does an edit, as a step if it `is_step`, with the caret at the node that it is about.
    fn edit(&mut self, edit: &Edit, is_step: bool);
    /// Takes back the latest step.
    fn undo(&mut self) -> bool;
    /// Does a step again that was taken back.
    fn redo(&mut self) -> bool;
    /// A digest of the nodes in their order, of the index and the caret.
    fn answer(&self) -> u64;
}

/// Adds something to a digest.
fn add(digest: u64, part: u64) -> u64 {
    (digest.rotate_left(5) ^ part).wrapping_mul(0x517C_C1B7_2722_0A95)
}

/// Adds a node to a digest.
fn add_node(digest: u64, name: &str, label: u32, depth: usize) -> u64 {
    let name = name.bytes().fold(0, |sum, byte| add(sum, u64::from(byte)));
    add(add(digest, name), u64::from(label) << 32 | depth as u64)
}

pub(super) fn parts() -> Vec<Part> {
    study::parts("editor", &[10_000], NEVER_SLOW, |contest| {
        let plan = Plan::new(contest.count);
        contest.measure(vec![turns::<table::Text>(&plan), turns::<by_hand::Text>(&plan)])
    })
}

fn turns<D: Document + 'static>(plan: &Plan) -> Turns<'_> {
    let made = |(): &()| {
        let mut document = D::new();
        plan.made.iter().for_each(|edit| document.edit(edit, false));
        document
    };
    let edit = |document: &mut D| plan.edits.iter().for_each(|edit| document.edit(edit, true));
    let undo = |document: &mut D| (0..STEPS).for_each(|_| assert!(document.undo()));
    let redo = |document: &mut D| (0..STEPS).for_each(|_| assert!(document.redo()));
    Works::new(D::NAME, (), made, D::answer)
        .on("edit", "an edit, as a step")
        .changing(STEPS, move |(), document| edit(document))
        .on("undo", "a step taken back, of a thousand")
        .changing_made(
            move |(): &()| {
                let mut document = made(&());
                edit(&mut document);
                document
            },
            STEPS,
            move |(), document| undo(document),
        )
        .on("redo", "a step done again, of a thousand")
        .changing_made(
            move |(): &()| {
                let mut document = made(&());
                edit(&mut document);
                undo(&mut document);
                document
            },
            STEPS,
            move |(), document| redo(document),
        )
        .done()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn restored<D: Document>(plan: &Plan) {
        let mut document = D::new();
        plan.made.iter().for_each(|edit| document.edit(edit, false));
        let mut answers = vec![document.answer()];
        for edit in &plan.edits {
            document.edit(edit, true);
            answers.push(document.answer());
        }
        // (A node may be given the label that it has, or be put where it is.)
        let seen = answers.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert!(seen > STEPS * 9 / 10, "{seen} edits are seen");
        for answer in answers[..STEPS].iter().rev() {
            assert!(document.undo() && document.answer() == *answer);
        }
        assert!(!document.undo());
        for answer in &answers[1..] {
            assert!(document.redo() && document.answer() == *answer);
        }
        assert!(!document.redo());
    }

    #[test]
    fn each_step_is_restored_back_and_forth() {
        let plan = Plan::new(100);
        restored::<table::Text>(&plan);
        restored::<by_hand::Text>(&plan);
    }
}
