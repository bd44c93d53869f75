//! The hierarchies under measurement: larder's two, their rivals, and two written by hand.

use larder::{Arena, Handle, Tree, trees::Links};
use slotmap::{DefaultKey, SlotMap};

/// An object of a hierarchy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thing {
    number: u32,
    _place_and_size: [f32; 7],
}

impl Thing {
    pub(crate) fn new(number: usize) -> Self {
        Self { number: number as u32, _place_and_size: [number as f32; 7] }
    }
}

/// Adds a thing to the digest of a walk.
#[inline(always)]
fn mixed(digest: u64, thing: &Thing) -> u64 {
    digest.rotate_left(5) ^ u64::from(thing.number)
}

/// A hierarchy whose things have keys.
pub(crate) trait Family: Sized {
    /// What `spawn` returns.
    type Key: Copy;

    /// The name in tables and in JSON.
    const NAME: &'static str;

    /// Whether things can be destroyed.
    const DESTROYS: bool = true;

    /// An empty hierarchy.
    fn new() -> Self;

    /// Makes a thing without a parent.
    fn spawn(&mut self, thing: Thing) -> Self::Key;

    /// Makes a thing the last child of another.
    fn attach(&mut self, parent: Self::Key, child: Self::Key);

    /// Destroys a thing with its descendants; nothing if the key is stale.
    fn destroy(&mut self, key: Self::Key);

    /// The digest of a thing and its descendants, each before its children.
    fn walk(&self, root: Self::Key) -> u64;

    /// The digest of a thing's children.
    fn children(&self, key: Self::Key) -> u64;

    /// The digest of a thing's ancestors, from its parent up.
    fn ancestors(&self, key: Self::Key) -> u64;
}

/// The methods that walk, of things that are found by `$thing`.
macro_rules! walks {
    (|$this:ident, $key:ident| $children:expr, $ancestors:expr, |$item:pat_param| $thing:expr) => {
        #[inline(always)]
        fn children(&self, key: Self::Key) -> u64 {
            let ($this, $key) = (self, key);
            $children.fold(0, |digest, $item| mixed(digest, $thing))
        }

        #[inline(always)]
        fn ancestors(&self, key: Self::Key) -> u64 {
            let ($this, $key) = (self, key);
            $ancestors.fold(0, |digest, $item| mixed(digest, $thing))
        }
    };
}

/// larder: an arena of things, and a `Tree` beside it.
pub(crate) struct BesideArena {
    things: Arena<Thing>,
    tree: Tree<Handle<Thing>>,
}

impl Family for BesideArena {
    type Key = Handle<Thing>;

    const NAME: &'static str = "Arena and Tree";

    fn new() -> Self {
        Self { things: Arena::new(), tree: Tree::new() }
    }

    #[inline(always)]
    fn spawn(&mut self, thing: Thing) -> Self::Key {
        self.things.insert(thing)
    }

    #[inline(always)]
    fn attach(&mut self, parent: Self::Key, child: Self::Key) {
        self.tree.append(&self.things, parent, child).expect("both are there");
    }

    #[inline(always)]
    fn destroy(&mut self, key: Self::Key) {
        self.tree.remove_subtree(&mut self.things, key);
    }

    #[inline(never)]
    fn walk(&self, root: Self::Key) -> u64 {
        let first = mixed(0, &self.things[root]);
        self.tree.descendants(root).fold(first, |digest, key| mixed(digest, &self.things[key]))
    }

    walks!(|this, key| this.tree.children(key), this.tree.ancestors(key), |at| &this.things[at]);
}

/// A thing with its links.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkedThing {
    thing: Thing,
    links: Links<Handle<LinkedThing>>,
}

impl AsRef<Links<Handle<Self>>> for LinkedThing {
    fn as_ref(&self) -> &Links<Handle<Self>> {
        &self.links
    }
}

impl AsMut<Links<Handle<Self>>> for LinkedThing {
    fn as_mut(&mut self) -> &mut Links<Handle<Self>> {
        &mut self.links
    }
}

/// larder: an arena of things that hold their links themselves.
pub(crate) struct InObjects(Arena<LinkedThing>);

impl Family for InObjects {
    type Key = Handle<LinkedThing>;

    const NAME: &'static str = "Arena of Links";

    fn new() -> Self {
        Self(Arena::new())
    }

    #[inline(always)]
    fn spawn(&mut self, thing: Thing) -> Self::Key {
        self.0.insert(LinkedThing { thing, links: Links::new() })
    }

    #[inline(always)]
    fn attach(&mut self, parent: Self::Key, child: Self::Key) {
        Links::append(&mut self.0, parent, child).expect("both are there");
    }

    #[inline(always)]
    fn destroy(&mut self, key: Self::Key) {
        Links::remove_subtree(&mut self.0, key);
    }

    #[inline(never)]
    fn walk(&self, root: Self::Key) -> u64 {
        let first = mixed(0, &self.0[root].thing);
        Links::descendants(&self.0, root)
            .fold(first, |digest, key| mixed(digest, &self.0[key].thing))
    }

    walks!(|this, key| Links::children(&this.0, key), Links::ancestors(&this.0, key), |at| &this.0
        [at]
        .thing);
}

/// `indextree`.
pub(crate) struct IndexTree(indextree::Arena<Thing>);

impl Family for IndexTree {
    type Key = indextree::NodeId;

    const NAME: &'static str = "indextree";

    fn new() -> Self {
        Self(indextree::Arena::new())
    }

    #[inline(always)]
    fn spawn(&mut self, thing: Thing) -> Self::Key {
        self.0.new_node(thing)
    }

    #[inline(always)]
    fn attach(&mut self, parent: Self::Key, child: Self::Key) {
        parent.append(child, &mut self.0);
    }

    #[inline(always)]
    fn destroy(&mut self, key: Self::Key) {
        key.remove_subtree(&mut self.0);
    }

    #[inline(never)]
    fn walk(&self, root: Self::Key) -> u64 {
        root.descendants(&self.0).fold(0, |digest, key| mixed(digest, self.0[key].get()))
    }

    // The first of its ancestors is the node itself.
    walks!(|this, key| key.children(&this.0), key.ancestors(&this.0).skip(1), |at| this.0[at]
        .get());
}

/// `ego-tree`, which never gives a node back.
pub(crate) struct EgoTree(ego_tree::Tree<Thing>);

impl Family for EgoTree {
    type Key = ego_tree::NodeId;

    const NAME: &'static str = "ego-tree";
    const DESTROYS: bool = false;

    fn new() -> Self {
        // It is never without a root; ours is another node.
        Self(ego_tree::Tree::new(Thing::new(0)))
    }

    #[inline(always)]
    fn spawn(&mut self, thing: Thing) -> Self::Key {
        self.0.orphan(thing).id()
    }

    #[inline(always)]
    fn attach(&mut self, parent: Self::Key, child: Self::Key) {
        self.0.get_mut(parent).expect("it is there").append_id(child);
    }

    fn destroy(&mut self, _key: Self::Key) {
        unreachable!("it cannot do this");
    }

    #[inline(never)]
    fn walk(&self, root: Self::Key) -> u64 {
        let root = self.0.get(root).expect("it is there");
        root.descendants().fold(0, |digest, node| mixed(digest, node.value()))
    }

    walks!(
        |this, key| this.0.get(key).expect("it is there").children(),
        this.0.get(key).expect("it is there").ancestors(),
        |node| node.value()
    );
}

/// Written by hand with `slotmap`: each thing has a `Vec` of its children's keys.
pub(crate) struct SlotmapChildren(SlotMap<DefaultKey, Parent>);

struct Parent {
    thing: Thing,
    parent: Option<DefaultKey>,
    children: Vec<DefaultKey>,
}

impl SlotmapChildren {
    fn digest(&self, key: DefaultKey, digest: u64) -> u64 {
        let here = &self.0[key];
        let first = mixed(digest, &here.thing);
        here.children.iter().fold(first, |digest, &child| self.digest(child, digest))
    }

    fn remove(&mut self, key: DefaultKey) {
        if let Some(removed) = self.0.remove(key) {
            removed.children.into_iter().for_each(|child| self.remove(child));
        }
    }
}

impl Family for SlotmapChildren {
    type Key = DefaultKey;

    const NAME: &'static str = "SlotMap and Vec of children";

    fn new() -> Self {
        Self(SlotMap::new())
    }

    #[inline(always)]
    fn spawn(&mut self, thing: Thing) -> Self::Key {
        self.0.insert(Parent { thing, parent: None, children: Vec::new() })
    }

    #[inline(always)]
    fn attach(&mut self, parent: Self::Key, child: Self::Key) {
        self.0[child].parent = Some(parent);
        self.0[parent].children.push(child);
    }

    #[inline(always)]
    fn destroy(&mut self, key: Self::Key) {
        let Some(gone) = self.0.get(key) else {
            return;
        };
        if let Some(parent) = gone.parent {
            self.0[parent].children.retain(|&child| child != key);
        }
        self.remove(key);
    }

    #[inline(never)]
    fn walk(&self, root: Self::Key) -> u64 {
        self.digest(root, 0)
    }

    walks!(
        |this, key| this.0[key].children.iter(),
        core::iter::successors(this.0[key].parent, |&at| this.0[at].parent),
        |at| &this.0[at.to_owned()].thing
    );
}

/// Written by hand with the standard library: boxes in boxes.
#[expect(clippy::vec_box, reason = "a node that others may point to must not move")]
pub(crate) struct Boxed {
    thing: Thing,
    children: Vec<Box<Boxed>>,
}

impl Boxed {
    pub(crate) const NAME: &'static str = "Vec<Box>";

    /// A thing with its descendants.
    pub(crate) fn grown(number: u32, children: &[Vec<u32>]) -> Box<Self> {
        let mut grown = Box::new(Self { thing: Thing::new(number as usize), children: Vec::new() });
        for &child in &children[number as usize] {
            grown.children.push(Self::grown(child, children));
        }
        grown
    }

    #[inline(never)]
    pub(crate) fn walk(&self) -> u64 {
        self.digest(0)
    }

    fn digest(&self, digest: u64) -> u64 {
        let first = mixed(digest, &self.thing);
        self.children.iter().fold(first, |digest, child| child.digest(digest))
    }
}
