//! Hierarchies: objects that are spawned, attached to one another, walked, and destroyed with all their
//! descendants. 65,536 of them are LAOT, the sources' large array of things.

use core::cell::Cell;

use larder::{Arena, Handle, Tree, trees::Links};
use slotmap::{DefaultKey, SlotMap};

use crate::study::prelude::*;

pub(crate) fn parts() -> Vec<Part> {
    study::parts("hierarchy", &[1_000, 65_536, 100_000], NEVER_SLOW, |contest| {
        let plan = &Plan::new(contest.count);
        contest.measure(vec![
            works::<IndexTree>(plan),
            works::<EgoTree>(plan),
            works::<SlotmapChildren>(plan),
            boxed(plan),
            works::<BesideArena>(plan),
            works::<InObjects>(plan),
        ])
    })
}

/// Things with their keys, by number.
struct Keyed<F: Family> {
    things: F,
    keys: Vec<F::Key>,
}

/// Things of one kind, before and after the churn.
struct Things<F: Family> {
    built: Keyed<F>,
    churned: F,
    /// The keys of the plan's orders.
    asked: Vec<F::Key>,
    passes: Cell<usize>,
}

impl<F: Family> Things<F> {
    fn new(plan: &Plan) -> Self {
        let mut churned = Keyed::<F>::built(plan);
        if F::DESTROYS {
            take_each(&mut churned, &plan.steps);
        }
        let (built, churned) = (Keyed::<F>::built(plan), churned.things);
        let asked = plan.asked.iter().map(|&number| built.keys[number as usize]).collect();
        Self { built, churned, asked, passes: Cell::new(0) }
    }

    /// A walk from each thing, in the next order each time.
    fn ask(&self, count: usize, repeats: u32, walk: impl Fn(&F, F::Key) -> u64) -> Sample {
        reading(&self.built.things, count, repeats, |things| {
            let first = self.passes.replace(self.passes.get() + 1) * count % self.asked.len();
            each(&self.asked[first..first + count], |key| walk(things, key))
        })
    }
}

fn works<F: Family + 'static>(plan: &Plan) -> Turns<'_> {
    let count = plan.count();
    let all = Things::<F>::new(plan);
    let root = all.built.keys[0];
    let spawned = |_: &_| {
        let mut things = F::default();
        let keys = spawn(&mut things, plan);
        Keyed { things, keys }
    };
    let built = |_: &_| Keyed::<F>::built(plan);
    Works::new(F::NAME, all, built, |all| all.things.walk(all.keys[0]))
        .on("spawn", "a thing, from nothing on")
        .consuming(|_| F::default(), count, |_, new| spawn(new, plan), |_, keys| keys.answer())
        .on("attach", "a thing, as the last child of another")
        .changing_made(spawned, count, |_, all| attach(&mut all.things, &all.keys, plan))
        .on("build", "both: a thing that is attached as soon as it is spawned")
        .consuming(
            |_| F::default(),
            count,
            |_, new| build(new, plan),
            |new, keys| new.walk(keys[0]),
        )
        .on("walk", "all things below the first, each before its children")
        .reading(count, move |all| all.built.things.walk(root))
        .on("children", "a thing: the children of each are walked, without what is below them")
        .sampling(move |all, repeats| all.ask(count, repeats, F::children))
        .on("ancestors", "a thing: the way from each to the first is walked")
        .sampling(move |all, repeats| all.ask(count, repeats, F::ancestors))
        .on("remove_subtree", "a thing: all are destroyed with the first, by one call")
        .only_if(F::DESTROYS)
        .consuming(built, count, |_, all| all.things.destroy(all.keys[0]), |_, ()| 0)
        .on("destroy", "a thing, with all below one that was chosen at random")
        .only_if(F::DESTROYS)
        .changing(plan.doomed, |_, all| destroy_each(&mut all.things, &all.keys, &plan.victims))
        .on("churn", "a thing destroyed with all below one, another spawned and attached")
        .only_if(F::DESTROYS)
        .changing(plan.spawned(), |_, all| take_each(all, &plan.steps))
        .on("walk_churned", "as walk, after churn")
        .only_if(F::DESTROYS)
        .reading(count, move |all| all.churned.walk(root))
        .done()
}

/// Boxes that own their children. There are no keys: a tree is built from its root, and walked.
fn boxed(plan: &Plan) -> Turns<'_> {
    let (count, grow) = (plan.count(), || Boxed::grown(0, &plan.children));
    Works::new("Vec<Box>", grow(), |_| (), |()| 0)
        .on("build", "both: a thing that is attached as soon as it is spawned")
        .consuming(|_| (), count, move |_, ()| grow(), |(), root| root.walk())
        .on("walk", "all things below the first, each before its children")
        .reading(count, |root| root.walk())
        .done()
}

impl<F: Family> Keyed<F> {
    fn built(plan: &Plan) -> Self {
        let mut things = F::default();
        let keys = build(&mut things, plan);
        Self { things, keys }
    }
}

#[inline(never)]
fn spawn<F: Family>(things: &mut F, plan: &Plan) -> Vec<F::Key> {
    (0..plan.count()).map(|number| things.spawn(Thing::new(number))).collect()
}

#[inline(never)]
fn attach<F: Family>(things: &mut F, keys: &[F::Key], plan: &Plan) {
    for (&child, &parent) in keys[1..].iter().zip(&plan.parents) {
        things.attach(keys[parent as usize], child);
    }
}

#[inline(never)]
fn build<F: Family>(things: &mut F, plan: &Plan) -> Vec<F::Key> {
    let mut keys = Vec::with_capacity(plan.count());
    keys.push(things.spawn(Thing::new(0)));
    for (&parent, number) in plan.parents.iter().zip(1..) {
        let child = things.spawn(Thing::new(number));
        things.attach(keys[parent as usize], child);
        keys.push(child);
    }
    keys
}

/// The digest of a walk from each of these, the same in any order.
#[inline(never)]
fn each<K: Copy>(keys: &[K], walk: impl Fn(K) -> u64) -> u64 {
    keys.iter().fold(0, |digest, &key| digest.wrapping_add(walk(key)))
}

#[inline(never)]
fn destroy_each<F: Family>(things: &mut F, keys: &[F::Key], victims: &[u32]) {
    for &victim in victims {
        things.destroy(keys[victim as usize]);
    }
}

#[inline(never)]
fn take_each<F: Family>(Keyed { things, keys }: &mut Keyed<F>, steps: &[Step]) {
    for &step in steps {
        match step {
            Step::Destroy(victim) => things.destroy(keys[victim as usize]),
            Step::Spawn { parent } => {
                let child = things.spawn(Thing::new(keys.len()));
                things.attach(keys[parent as usize], child);
                keys.push(child);
            }
        }
    }
}

/// An object of a hierarchy.
#[derive(Clone, Copy, Debug)]
struct Thing {
    number: u32,
    _place_and_size: [f32; 7],
}

impl Thing {
    fn new(number: usize) -> Self {
        Self { number: number as u32, _place_and_size: [number as f32; 7] }
    }
}

/// Adds a thing to the digest of a walk.
#[inline(always)]
fn mixed(digest: u64, thing: &Thing) -> u64 {
    digest.rotate_left(5) ^ u64::from(thing.number)
}

subjects! { ($) families:
    /// A hierarchy whose things have keys.
    trait Family: Default {
        type Key: Copy;
        // True if things can be destroyed.
        const DESTROYS: bool = true;

        /// Makes a thing without a parent.
        fn spawn(&mut self, thing: Thing) -> Self::Key;
        /// Makes a thing the last child of another.
        fn attach(&mut self, parent: Self::Key, child: Self::Key);
        /// Destroys a thing with its descendants; nothing if the key is stale.
        fn destroy(&mut self, key: Self::Key);
        /// The digest of a thing and its descendants, each before its children.
        #[inline(never)]
        fn walk(&self, root: Self::Key) -> u64;
        /// The digest of a thing's children.
        fn children(&self, key: Self::Key) -> u64;
        /// The digest of a thing's ancestors, from its parent up.
        fn ancestors(&self, key: Self::Key) -> u64;
    }
}

/// The digest of things.
#[inline(always)]
fn digest<'a>(things: impl Iterator<Item = &'a Thing>) -> u64 {
    things.fold(0, mixed)
}

/// larder: an arena of things, and a `Tree` beside it.
#[derive(Default)]
struct BesideArena {
    things: Arena<Thing>,
    tree: Tree<Handle<Thing>>,
}

families! { BesideArena, "Arena and Tree";
    type Key = Handle<Thing>;

    fn spawn(&mut self, thing) { self.things.insert(thing) }
    fn attach(&mut self, parent, child) {
        self.tree.append(&self.things, parent, child).expect("both are there");
    }
    fn destroy(&mut self, key) { self.tree.remove_subtree(&mut self.things, key); }
    fn walk(&self, root) {
        let first = mixed(0, &self.things[root]);
        self.tree.descendants(root).fold(first, |digest, key| mixed(digest, &self.things[key]))
    }
    fn children(&self, key) { digest(self.tree.children(key).map(|at| &self.things[at])) }
    fn ancestors(&self, key) { digest(self.tree.ancestors(key).map(|at| &self.things[at])) }
}

/// A thing with its links.
#[derive(Clone, Copy, Debug)]
struct LinkedThing {
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
#[derive(Default)]
struct InObjects(Arena<LinkedThing>);

families! { InObjects, "Arena of Links";
    type Key = Handle<LinkedThing>;

    fn spawn(&mut self, thing) { self.0.insert(LinkedThing { thing, links: Links::new() }) }
    fn attach(&mut self, parent, child) { Links::append(&mut self.0, parent, child).expect("both are there"); }
    fn destroy(&mut self, key) { Links::remove_subtree(&mut self.0, key); }
    fn walk(&self, root) {
        let first = mixed(0, &self.0[root].thing);
        Links::descendants(&self.0, root)
            .fold(first, |digest, key| mixed(digest, &self.0[key].thing))
    }
    fn children(&self, key) { digest(Links::children(&self.0, key).map(|at| &self.0[at].thing)) }
    fn ancestors(&self, key) { digest(Links::ancestors(&self.0, key).map(|at| &self.0[at].thing)) }
}

/// `indextree`.
struct IndexTree(indextree::Arena<Thing>);

impl Default for IndexTree {
    fn default() -> Self {
        Self(indextree::Arena::new())
    }
}

families! { IndexTree, "indextree";
    type Key = indextree::NodeId;

    fn spawn(&mut self, thing) { self.0.new_node(thing) }
    fn attach(&mut self, parent, child) { parent.append(child, &mut self.0); }
    fn destroy(&mut self, key) { key.remove_subtree(&mut self.0); }
    fn walk(&self, root) { root.descendants(&self.0).fold(0, |digest, key| mixed(digest, self.0[key].get())) }
    fn children(&self, key) { digest(key.children(&self.0).map(|at| self.0[at].get())) }
    fn ancestors(&self, key) {
        // The first of its ancestors is the node itself.
        digest(key.ancestors(&self.0).skip(1).map(|at| self.0[at].get()))
    }
}

/// `ego-tree`, which never gives a node back.
struct EgoTree(ego_tree::Tree<Thing>);

/// It is never without a root; ours is another node.
impl Default for EgoTree {
    fn default() -> Self {
        Self(ego_tree::Tree::new(Thing::new(0)))
    }
}

families! { EgoTree, "ego-tree";
    type Key = ego_tree::NodeId;
    const DESTROYS = false;

    fn spawn(&mut self, thing) { self.0.orphan(thing).id() }
    fn attach(&mut self, parent, child) { self.0.get_mut(parent).expect("it is there").append_id(child); }
    fn destroy(&mut self, _key) { unreachable!("it cannot do this"); }
    fn walk(&self, root) {
        let root = self.0.get(root).expect("it is there");
        root.descendants().fold(0, |digest, node| mixed(digest, node.value()))
    }
    fn children(&self, key) { digest(self.0.get(key).expect("it is there").children().map(|node| node.value())) }
    fn ancestors(&self, key) { digest(self.0.get(key).expect("it is there").ancestors().map(|node| node.value())) }
}

/// Written by hand with `slotmap`: each thing has a `Vec` of its children's keys.
#[derive(Default)]
struct SlotmapChildren(SlotMap<DefaultKey, Parent>);

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

families! { SlotmapChildren, "SlotMap and Vec of children";
    type Key = DefaultKey;

    fn spawn(&mut self, thing) { self.0.insert(Parent { thing, parent: None, children: Vec::new() }) }
    fn attach(&mut self, parent, child) {
        self.0[child].parent = Some(parent);
        self.0[parent].children.push(child);
    }
    fn destroy(&mut self, key) {
        let Some(gone) = self.0.get(key) else {
            return;
        };
        if let Some(parent) = gone.parent {
            self.0[parent].children.retain(|&child| child != key);
        }
        self.remove(key);
    }
    fn walk(&self, root) { self.digest(root, 0) }
    fn children(&self, key) { digest(self.0[key].children.iter().map(|&at| &self.0[at].thing)) }
    fn ancestors(&self, key) {
        let ancestors = core::iter::successors(self.0[key].parent, |&at| self.0[at].parent);
        digest(ancestors.map(|at| &self.0[at].thing))
    }
}

/// Written by hand with the standard library: boxes in boxes.
#[expect(clippy::vec_box, reason = "a node that others may point to must not move")]
struct Boxed {
    thing: Thing,
    children: Vec<Box<Boxed>>,
}

impl Boxed {
    /// A thing with its descendants.
    fn grown(number: u32, children: &[Vec<u32>]) -> Box<Self> {
        let mut grown = Box::new(Self { thing: Thing::new(number as usize), children: Vec::new() });
        for &child in &children[number as usize] {
            grown.children.push(Self::grown(child, children));
        }
        grown
    }

    #[inline(never)]
    fn walk(&self) -> u64 {
        self.digest(0)
    }

    fn digest(&self, digest: u64) -> u64 {
        let first = mixed(digest, &self.thing);
        self.children.iter().fold(first, |digest, child| child.digest(digest))
    }
}

/// Things by their numbers: their parents, which are destroyed, and the steps of the churn.
struct Plan {
    /// The parent of each thing but the first; it has a lower number.
    parents: Vec<u32>,
    /// The children of each thing.
    children: Vec<Vec<u32>>,
    /// Things that are destroyed one after the other, with their descendants.
    victims: Vec<u32>,
    /// The number of things that destroys.
    doomed: usize,
    /// The churn.
    steps: Vec<Step>,
    /// All things, in several orders: in one order, a processor learns by heart how far it is from each of a few
    /// things to the first, more or less of it by chance.
    asked: Vec<u32>,
}

/// A step of the churn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// A thing, with its descendants.
    Destroy(u32),
    /// A thing, which gets the next number.
    Spawn { parent: u32 },
}

/// Fewer things than these are asked in so many orders, others in one.
const FEW: usize = 10_000;
const ORDERS: usize = 8;

/// One of so many things is destroyed, with its descendants.
const ONE_IN: usize = 64;

impl Plan {
    fn new(count: usize) -> Self {
        let mut random = Random::new(0x1A07);
        let parents: Vec<u32> = (1..count).map(|number| random.below(number) as u32).collect();
        let mut children = vec![Vec::new(); count];
        for (&parent, number) in parents.iter().zip(1..) {
            children[parent as usize].push(number);
        }
        let victims: Vec<u32> =
            (0..count / ONE_IN).map(|_| 1 + random.below(count - 1) as u32).collect();
        let mut model = Model::new(&children);
        let doomed = victims.iter().map(|&victim| model.destroy(victim)).sum();
        let steps = churn(&mut Model::new(&children), count, &mut random);
        let mut order: Vec<u32> = (0..count as u32).collect();
        let mut asked = order.clone();
        for _ in 1..if count < FEW { ORDERS } else { 1 } {
            shuffle(&mut order, &mut random);
            asked.extend(&order);
        }
        Self { parents, children, victims, doomed, steps, asked }
    }

    /// The number of things at first.
    fn count(&self) -> usize {
        self.children.len()
    }

    /// The number of things that the churn spawns; it destroys as many.
    fn spawned(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Spawn { .. })).count()
    }
}

/// Subtrees are destroyed, and as many things attached at random, until half have been replaced.
fn churn(model: &mut Model, count: usize, random: &mut Random) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut spawned = 0;
    while spawned < count / 2 {
        let victim = model.some(random, 1);
        steps.push(Step::Destroy(victim));
        for _ in 0..model.destroy(victim) {
            let parent = model.some(random, 0);
            model.spawn(parent);
            steps.push(Step::Spawn { parent });
            spawned += 1;
        }
    }
    steps
}

/// A simple model of a hierarchy.
struct Model {
    children: Vec<Vec<u32>>,
    live: Vec<bool>,
}

impl Model {
    fn new(children: &[Vec<u32>]) -> Self {
        Self { children: children.to_vec(), live: vec![true; children.len()] }
    }

    /// A random live thing, of those from `first` on.
    fn some(&self, random: &mut Random, first: usize) -> u32 {
        loop {
            let number = first + random.below(self.live.len() - first);
            if self.live[number] {
                return number as u32;
            }
        }
    }

    fn spawn(&mut self, parent: u32) {
        let number = self.children.len() as u32;
        self.children[parent as usize].push(number);
        self.children.push(Vec::new());
        self.live.push(true);
    }

    /// Destroys a thing and its descendants; returns their number.
    fn destroy(&mut self, victim: u32) -> usize {
        let mut destroyed = 0;
        let mut waiting = vec![victim];
        while let Some(number) = waiting.pop() {
            if core::mem::take(&mut self.live[number as usize]) {
                destroyed += 1;
                waiting.append(&mut self.children[number as usize]);
            }
        }
        destroyed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_churn_keeps_the_number_of_things() {
        let plan = Plan::new(500);
        let mut model = Model::new(&plan.children);
        for &step in &plan.steps {
            match step {
                Step::Destroy(victim) => assert!(model.destroy(victim) > 0),
                Step::Spawn { parent } => {
                    assert!(model.live[parent as usize]);
                    model.spawn(parent);
                }
            }
        }
        assert_eq!(model.live.iter().filter(|&&live| live).count(), 500);
        assert!(plan.spawned() >= 250 && plan.doomed > plan.victims.len() / 2);
    }
}
