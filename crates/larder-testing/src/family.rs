//! A hierarchy as naive code has it, a vector of children each, and the two real ones that are to be
//! like it: links in the objects, and a tree beside them.

use core::fmt::Debug;
use std::collections::BTreeMap;

use larder::{
    Arena, DenseArena, Handle, Handle32, Key, Pool, Tree,
    containers::{Container, RowContainer},
    key::BareHandle,
    trees::{LinkError, LinkErrorKind, Links},
};

pub type Id = Handle<Thing>;

/// A fat structure: its links lie in it.
#[derive(Clone, Debug)]
pub struct Thing {
    pub number: usize,
    pub family: Links<Id>,
    pub bomb: Bomb,
}

/// Panics when it is dropped, if it is armed.
#[derive(Clone, Debug, Default)]
pub struct Bomb {
    pub armed: bool,
}

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(!self.armed || std::thread::panicking(), "it was armed");
    }
}

impl Thing {
    pub fn new(number: usize) -> Self {
        Self { number, family: Links::new(), bomb: Bomb::default() }
    }
}

impl AsRef<Links<Id>> for Thing {
    fn as_ref(&self) -> &Links<Id> {
        &self.family
    }
}

impl AsMut<Links<Id>> for Thing {
    fn as_mut(&mut self) -> &mut Links<Id> {
        &mut self.family
    }
}

/// A step in a hierarchy; the numbers name keys by their order of insertion.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Insert,
    Append(usize, usize),
    Prepend(usize, usize),
    Before(usize, usize),
    After(usize, usize),
    Detach(usize),
    Orphan(usize),
    Promote(usize),
    Sort(usize),
    RemoveSubtree(usize),
    RemoveOrphaning(usize),
    RemovePromoting(usize),
    /// From the container alone; what cleans up is called after.
    RemoveBare(usize),
}

/// A container that things are in.
pub trait Objects: RowContainer<Value = Thing, Key: Debug> + Clone {
    fn empty() -> Self;

    fn number(&self, key: Self::Key) -> usize {
        self.get(key).expect("it is there").number
    }
}

macro_rules! objects {
    ($($container:ty: $empty:expr;)*) => {$(
        impl Objects for $container {
            fn empty() -> Self {
                $empty
            }
        }
    )*};
}

objects! {
    Arena<Thing>: Self::new();
    DenseArena<Thing>: Self::new();
    Pool<Thing>: Self::new(|| Thing::new(0));
    Arena<Thing, BareHandle<Thing>>: Self::with_key();
    // Slots that live once or twice.
    DenseArena<Thing, Handle32<Thing, 30>>: Self::with_key();
}

/// The operations that all hierarchies have.
pub trait Family: Clone {
    type Objects: Objects;

    fn new() -> Self;
    fn things(&self) -> &Self::Objects;
    fn things_mut(&mut self) -> &mut Self::Objects;
    fn attach(&mut self, step: Step, to: KeyOf<Self>, key: KeyOf<Self>) -> Attached<Self>;
    fn change(&mut self, step: Step, key: KeyOf<Self>) -> usize;
    fn clean(&mut self);
    fn parent(&self, key: KeyOf<Self>) -> Option<KeyOf<Self>>;
    /// The first and the last child.
    fn ends(&self, key: KeyOf<Self>) -> [Option<KeyOf<Self>>; 2];
    /// Everything that can be asked about a key.
    fn view(&self, key: KeyOf<Self>) -> View<KeyOf<Self>>;
    fn is_ancestor(&self, above: KeyOf<Self>, below: KeyOf<Self>) -> bool;
    fn check(&self) -> bool;

    fn insert(&mut self, number: usize) -> KeyOf<Self> {
        self.things_mut().try_insert(Thing::new(number)).expect("there is room")
    }

    fn keys(&self) -> Vec<KeyOf<Self>> {
        self.things().iter().map(|(key, _)| key).collect()
    }
}

pub type KeyOf<F> = <<F as Family>::Objects as Container>::Key;
type Attached<F> = Result<(), LinkError<KeyOf<F>>>;

/// Everything that can be asked about a key.
#[derive(Debug, PartialEq)]
pub struct View<K> {
    pub parent: Option<K>,
    pub ends: [Option<K>; 2],
    pub siblings: [Option<K>; 2],
    pub children: Vec<K>,
    pub backwards: Vec<K>,
    pub ancestors: Vec<K>,
    pub pre_order: Vec<K>,
    pub post_order: Vec<K>,
    pub depth: usize,
}

/// The links lie in the objects.
#[derive(Clone)]
pub struct Inside<C = Arena<Thing>>(pub C);

impl<C: Objects<Key = Id>> Family for Inside<C> {
    type Objects = C;

    fn new() -> Self {
        Self(C::empty())
    }

    fn things(&self) -> &C {
        &self.0
    }

    fn things_mut(&mut self) -> &mut C {
        &mut self.0
    }

    fn attach(&mut self, step: Step, to: C::Key, key: C::Key) -> Attached<Self> {
        match step {
            Step::Append(..) => Links::append(&mut self.0, to, key),
            Step::Prepend(..) => Links::prepend(&mut self.0, to, key),
            Step::Before(..) => Links::insert_before(&mut self.0, to, key),
            _ => Links::insert_after(&mut self.0, to, key),
        }
    }

    fn change(&mut self, step: Step, key: C::Key) -> usize {
        match step {
            Step::Detach(_) => Links::make_root(&mut self.0, key).into(),
            Step::Orphan(_) => {
                Links::orphan_children(&mut self.0, key);
                0
            }
            Step::Promote(_) => {
                Links::promote_children(&mut self.0, key);
                0
            }
            Step::Sort(_) => {
                let compare =
                    |things: &C, a: C::Key, b: C::Key| things.number(a).cmp(&things.number(b));
                Links::sort_children_by(&mut self.0, key, compare);
                0
            }
            Step::RemoveSubtree(_) => Links::remove_subtree(&mut self.0, key),
            Step::RemoveOrphaning(_) => Links::remove_orphaning(&mut self.0, key).iter().count(),
            Step::RemovePromoting(_) => Links::remove_promoting(&mut self.0, key).iter().count(),
            _ => self.0.remove(key).iter().count(),
        }
    }

    fn clean(&mut self) {
        let keys = self.keys();
        Links::mend(&mut self.0, &keys);
    }

    fn parent(&self, key: C::Key) -> Option<C::Key> {
        Links::parent(&self.0, key)
    }

    fn ends(&self, key: C::Key) -> [Option<C::Key>; 2] {
        [Links::first_child(&self.0, key), Links::last_child(&self.0, key)]
    }

    fn view(&self, key: C::Key) -> View<C::Key> {
        let things = &self.0;
        View {
            parent: self.parent(key),
            ends: self.ends(key),
            siblings: [Links::prev_sibling(things, key), Links::next_sibling(things, key)],
            children: Links::children(things, key).collect(),
            backwards: Links::children(things, key).rev().collect(),
            ancestors: Links::ancestors(things, key).collect(),
            pre_order: Links::descendants(things, key).collect(),
            post_order: Links::descendants_post_order(things, key).collect(),
            depth: Links::ancestors(things, key).count(),
        }
    }

    fn is_ancestor(&self, above: C::Key, below: C::Key) -> bool {
        Links::ancestors(&self.0, below).any(|key| key == above)
    }

    fn check(&self) -> bool {
        Links::check(&self.0, self.keys()).is_ok()
    }
}

/// The links lie beside the objects.
#[derive(Clone)]
pub struct Apart<C: Objects = Arena<Thing>>(pub C, pub Tree<C::Key>);

impl<C: Objects> Family for Apart<C> {
    type Objects = C;

    fn new() -> Self {
        Self(C::empty(), Tree::new())
    }

    fn things(&self) -> &C {
        &self.0
    }

    fn things_mut(&mut self) -> &mut C {
        &mut self.0
    }

    fn attach(&mut self, step: Step, to: C::Key, key: C::Key) -> Attached<Self> {
        let Self(things, tree) = self;
        match step {
            Step::Append(..) => tree.append(things, to, key),
            Step::Prepend(..) => tree.prepend(things, to, key),
            Step::Before(..) => tree.insert_before(things, to, key),
            _ => tree.insert_after(things, to, key),
        }
    }

    fn change(&mut self, step: Step, key: C::Key) -> usize {
        let Self(things, tree) = self;
        match step {
            Step::Detach(_) => tree.make_root(key).into(),
            Step::Orphan(_) => {
                tree.orphan_children(key);
                0
            }
            Step::Promote(_) => {
                tree.promote_children(key);
                0
            }
            Step::Sort(_) => {
                let compare = |a: C::Key, b: C::Key| things.number(a).cmp(&things.number(b));
                tree.sort_children_by(key, compare);
                0
            }
            Step::RemoveSubtree(_) => tree.remove_subtree(things, key),
            Step::RemoveOrphaning(_) => tree.remove_orphaning(things, key).iter().count(),
            Step::RemovePromoting(_) => tree.remove_promoting(things, key).iter().count(),
            _ => things.remove(key).iter().count(),
        }
    }

    fn clean(&mut self) {
        self.1.retain_live(&self.0);
    }

    fn parent(&self, key: C::Key) -> Option<C::Key> {
        self.1.parent(key)
    }

    fn ends(&self, key: C::Key) -> [Option<C::Key>; 2] {
        [self.1.first_child(key), self.1.last_child(key)]
    }

    fn view(&self, key: C::Key) -> View<C::Key> {
        let tree = &self.1;
        View {
            parent: self.parent(key),
            ends: self.ends(key),
            siblings: [tree.prev_sibling(key), tree.next_sibling(key)],
            children: tree.children(key).collect(),
            backwards: tree.children(key).rev().collect(),
            ancestors: tree.ancestors(key).collect(),
            pre_order: tree.descendants(key).collect(),
            post_order: tree.descendants_post_order(key).collect(),
            depth: tree.ancestors(key).count(),
        }
    }

    fn is_ancestor(&self, above: C::Key, below: C::Key) -> bool {
        self.1.ancestors(below).any(|key| key == above)
    }

    fn check(&self) -> bool {
        self.1.validate();
        // The links are checked as if they were the objects'.
        Links::check(&self.1, self.keys()).is_ok()
    }
}

/// Naive: a vector of children each.
#[derive(Clone)]
pub struct Naive<K> {
    nodes: BTreeMap<K, (Option<K>, Vec<K>)>,
}

impl<K: Key> Naive<K> {
    fn parent(&self, key: K) -> Option<K> {
        self.nodes.get(&key)?.0
    }

    fn ancestors(&self, key: K) -> Vec<K> {
        core::iter::successors(self.parent(key), |&key| self.parent(key)).collect()
    }

    fn children(&self, key: K) -> Vec<K> {
        self.nodes.get(&key).map(|(_, children)| children.clone()).unwrap_or_default()
    }

    fn below(&self, key: K, pre: bool) -> Vec<K> {
        let mut found = Vec::new();
        for child in self.children(key) {
            let mut deeper = self.below(child, pre);
            deeper.insert(if pre { 0 } else { deeper.len() }, child);
            found.append(&mut deeper);
        }
        found
    }

    fn view(&self, key: K) -> View<K> {
        let children = self.children(key);
        let siblings = self.parent(key).map(|parent| self.children(parent)).unwrap_or_default();
        let at = siblings.iter().position(|&sibling| sibling == key);
        let beside = |offset: isize| siblings.get(at?.checked_add_signed(offset)?).copied();
        View {
            parent: self.parent(key),
            ends: [children.first().copied(), children.last().copied()],
            siblings: [beside(-1), beside(1)],
            backwards: children.iter().rev().copied().collect(),
            ancestors: self.ancestors(key),
            pre_order: self.below(key, true),
            post_order: self.below(key, false),
            depth: self.ancestors(key).len(),
            children,
        }
    }

    fn attach(&mut self, step: Step, to: K, key: K) -> Result<(), LinkErrorKind> {
        let beside = matches!(step, Step::Before(..) | Step::After(..));
        let parent = if beside { self.parent(to) } else { Some(to) };
        let why = if !self.nodes.contains_key(&to) {
            LinkErrorKind::TargetMissing
        } else if !self.nodes.contains_key(&key) {
            LinkErrorKind::Missing
        } else if to == key {
            LinkErrorKind::Itself
        } else if parent.is_none() {
            LinkErrorKind::TargetIsRoot
        } else if parent == Some(key) || self.ancestors(parent.unwrap()).contains(&key) {
            LinkErrorKind::Descendant
        } else {
            let parent = parent.unwrap();
            self.detach(key);
            let siblings = &mut self.nodes.get_mut(&parent).unwrap().1;
            let beside = siblings.iter().position(|&sibling| sibling == to);
            let at = match step {
                Step::Append(..) => siblings.len(),
                Step::Prepend(..) => 0,
                Step::Before(..) => beside.unwrap(),
                _ => beside.unwrap() + 1,
            };
            siblings.insert(at, key);
            self.nodes.get_mut(&key).unwrap().0 = Some(parent);
            return Ok(());
        };
        Err(why)
    }

    fn detach(&mut self, key: K) -> usize {
        let Some(parent) = self.nodes.get_mut(&key).and_then(|node| node.0.take()) else {
            return 0;
        };
        self.nodes.get_mut(&parent).unwrap().1.retain(|&child| child != key);
        1
    }

    fn orphan(&mut self, key: K) {
        for child in self.children(key) {
            self.detach(child);
        }
    }

    fn promote(&mut self, key: K) {
        for child in self.children(key) {
            if self.parent(key).is_some() {
                self.attach(Step::Before(0, 0), key, child).unwrap();
            } else {
                self.detach(child);
            }
        }
    }

    fn forget(&mut self, key: K) -> usize {
        self.orphan(key);
        self.detach(key);
        self.nodes.remove(&key).iter().count()
    }

    fn change(&mut self, step: Step, key: K, number: impl Fn(K) -> usize) -> usize {
        match step {
            Step::Detach(_) => return self.detach(key),
            Step::Orphan(_) => self.orphan(key),
            Step::Promote(_) => self.promote(key),
            Step::Sort(_) => {
                if let Some((_, children)) = self.nodes.get_mut(&key) {
                    children.sort_by_key(|&child| number(child));
                }
            }
            Step::RemoveSubtree(_) => {
                let below = self.below(key, true);
                return below.into_iter().chain([key]).map(|key| self.forget(key)).sum();
            }
            Step::RemovePromoting(_) => {
                self.promote(key);
                return self.forget(key);
            }
            _ => return self.forget(key),
        }
        0
    }
}

/// A real hierarchy and the naive one, in step.
#[derive(Clone)]
pub struct Pair<F: Family> {
    pub real: F,
    naive: Naive<KeyOf<F>>,
    pub keys: Vec<KeyOf<F>>,
}

impl<F: Family> Default for Pair<F> {
    fn default() -> Self {
        // The last key of every history is one that was never handed out.
        Self { real: F::new(), naive: Naive { nodes: BTreeMap::new() }, keys: vec![Key::DANGLING] }
    }
}

impl<F: Family> Pair<F> {
    fn key(&self, number: usize) -> KeyOf<F> {
        self.keys[number % self.keys.len()]
    }

    pub fn step(&mut self, step: Step) {
        match step {
            Step::Insert => {
                // Numbers descend, so that sorting does something.
                let number = usize::MAX - self.keys.len();
                let key = self.real.insert(number);
                self.naive.nodes.insert(key, (None, Vec::new()));
                // (Without a generation it may be one of those that ever were.)
                if !self.keys.contains(&key) {
                    self.keys.insert(self.keys.len() - 1, key);
                }
            }
            Step::Append(to, key)
            | Step::Prepend(to, key)
            | Step::Before(to, key)
            | Step::After(to, key) => {
                let (to, key) = (self.key(to), self.key(key));
                let expected = self.naive.attach(step, to, key);
                let found = self.real.attach(step, to, key);
                let expected = expected.map_err(|reason| LinkError { key, to, reason });
                assert_eq!(found, expected, "{step:?}");
            }
            Step::Detach(key)
            | Step::Orphan(key)
            | Step::Promote(key)
            | Step::Sort(key)
            | Step::RemoveSubtree(key)
            | Step::RemoveOrphaning(key)
            | Step::RemovePromoting(key)
            | Step::RemoveBare(key) => {
                let key = self.key(key);
                let number = |key| self.real.things().number(key);
                let expected = self.naive.change(step, key, number);
                assert_eq!(self.real.change(step, key), expected, "{step:?}");
                if matches!(step, Step::RemoveBare(_)) {
                    self.real.clean();
                }
            }
        }
        self.validate();
    }

    /// Every key that ever was, asked everything.
    pub fn validate(&self) {
        assert!(self.real.check());
        assert_eq!(self.real.keys().len(), self.naive.nodes.len());
        for &key in &self.keys {
            assert_eq!(self.real.things().contains_key(key), self.naive.nodes.contains_key(&key));
            assert_eq!(self.real.view(key), self.naive.view(key), "of {key:?}");
        }
        for &above in &self.keys {
            let is_above = |below: &KeyOf<F>| self.naive.ancestors(*below).contains(&above);
            let real = |below: &KeyOf<F>| self.real.is_ancestor(above, *below);
            assert!(self.keys.iter().all(|below| real(below) == is_above(below)));
        }
    }
}
