//! Lists that objects own: AOA-CHILD. Most are empty or short, a few are long. And which lists are best at
//! which length:
//! lists of 1 to 50 values on average, with the same total.

use cranelift_entity::{EntityList, entity_impl};
use larder::pools::list_pool::{ListHandle, ListPool};
use smallvec::SmallVec;

use self::chunks::Chunks;
use crate::measure::allocator::{allocations, counted};
use crate::study::prelude::*;

/// The mean lengths.
const MEANS: [usize; 6] = [1, 2, 3, 7, 14, 50];

pub(crate) fn parts() -> Vec<Part> {
    // By the number of objects, each of which owns a list.
    let children = study::parts("children", &[10_000, 1_000_000], 1_000_000, |contest| {
        let plan = &Plan::new(contest.count, length);
        let mut all = subjects(plan);
        all.push(works::<Chunks<30, 32>>(plan));
        contest.measure(all)
    });
    // By the number of values in all lists together, about.
    let of_mean = |mean: usize| {
        study::parts("lengths", &[100_000, 1_000_000], 1_000_000, move |contest| {
            let lists = (contest.count / mean).max(1);
            let plan = &Plan::new(lists, |random| length_about(mean, random));
            let contest = contest.way(format!("{mean} a list")).at_most(7);
            contest.measure_some(&["push", "iterate", "churn", "bytes"], subjects(plan))
        })
    };
    children.into_iter().chain(MEANS.into_iter().flat_map(of_mean)).collect()
}

fn subjects(plan: &Plan) -> Vec<Turns<'_>> {
    vec![
        works::<Vecs>(plan),
        works::<SmallVecs>(plan),
        works::<EntityLists>(plan),
        works::<LarderLists>(plan),
        works::<Chunks<6, 8>>(plan),
        works::<Chunks<14, 16>>(plan),
    ]
}

/// The random operations on the lists, the same for every subject.
struct Plan {
    /// The length of each object's list.
    lengths: Vec<usize>,
    /// The number of all values.
    values: usize,
    /// The objects to whose lists the values are pushed.
    pushes: Vec<u32>,
    swaps: Vec<Swap>,
    /// Objects, and the new lengths of their lists.
    replacements: Vec<(u32, usize)>,
}

/// A value is removed from one list, and one is pushed to another.
struct Swap {
    from: u32,
    /// The position, as a share of the list.
    at: u32,
    to: u32,
}

impl Plan {
    /// Operations on so many lists with random lengths.
    fn new(count: usize, length: impl Fn(&mut Random) -> usize) -> Self {
        let mut random = Random::new(0xC417D);
        let lengths: Vec<usize> = (0..count).map(|_| length(&mut random)).collect();
        let values = lengths.iter().sum();
        let pushes = shuffled_owners(&lengths, &mut random);
        let swap = |_| Swap {
            from: random.below(count) as u32,
            at: random.next() as u32,
            to: random.below(count) as u32,
        };
        let swaps = (0..count).map(swap).collect();
        let replacement = |_| (random.below(count) as u32, length(&mut random));
        let replacements = (0..count / 2).map(replacement).collect();
        Self { lengths, values, pushes, swaps, replacements }
    }
}

/// A length: three on average and most often 0; for one list in 250, from 40 to 1,000.
fn length(random: &mut Random) -> usize {
    if random.below(250) == 0 {
        return (40.0 * 25.0_f64.powf(share(random))) as usize;
    }
    length_about(3, random)
}

/// A length: `mean` on average, most often 0, rarely many times the mean.
fn length_about(mean: usize, random: &mut Random) -> usize {
    let longer = mean as f64 / (mean + 1) as f64;
    ((share(random).ln() / longer.ln()) as usize).min(VALUES.len())
}

/// More than 0 and at most 1.
fn share(random: &mut Random) -> f64 {
    (random.below(1 << 20) + 1) as f64 / f64::from(1 << 20)
}

/// The owner of each value of all lists, in random order.
fn shuffled_owners(lengths: &[usize], random: &mut Random) -> Vec<u32> {
    let mut owners: Vec<u32> = (0_u32..)
        .zip(lengths)
        .flat_map(|(owner, &length)| core::iter::repeat_n(owner, length))
        .collect();
    shuffle(&mut owners, random);
    owners
}

/// Lists of one kind: as they were made, and after all operations.
struct Lists<O> {
    made: O,
    churned: O,
}

fn works<O: Owners + 'static>(plan: &Plan) -> Turns<'_> {
    let owners = plan.lengths.len();
    let empty = move |_: &_| O::new(owners);
    let pushed = move || {
        let mut lists = O::new(owners);
        push(&mut lists, plan);
        lists
    };
    let churned = move || {
        let mut lists = pushed();
        churn(&mut lists, plan);
        replace(&mut lists, plan);
        lists
    };
    let mut all = Lists { made: O::new(owners), churned: churned() };
    make(&mut all.made, plan);
    let values = (0..owners).map(|owner| all.churned.len(owner)).sum();
    Works::new(O::NAME, all, move |_| pushed(), move |lists| digest(lists, owners))
        .on("make", "a value, of lists that are made whole one after the other")
        .changing_made(empty, plan.values, |_, lists| make(lists, plan))
        .on("push", "a value, pushed to the list of any object, from nothing on")
        .changing_made(empty, plan.values, |_, lists| push(lists, plan))
        .on("iterate", "the values of all lists, as they were made")
        .reading(plan.values, move |all| sum(&all.made, owners))
        .on("churn", "a random value of a random list out, one pushed to another")
        .changing(plan.swaps.len(), |_, lists| churn(lists, plan))
        .on("replace", "a random list freed, and made anew in another length")
        .changing(plan.replacements.len(), |_, lists| replace(lists, plan))
        .on("iterate_churned", "the values of all lists, after all that")
        .reading(values, move |all| sum(&all.churned, owners))
        .on("bytes", "bytes a value, as an allocator is asked for them, pushed as by push")
        .bytes(plan.values)
        .on("bytes_churned", "bytes a value, after churn and replacements")
        .sampling(move |_, _| {
            let (lists, bytes) = bytes_kept_by(churned);
            counting(bytes, values, digest(&lists, owners))
        })
        .on("allocations", "allocations a list, when pushed as by push")
        .sampling(move |_, _| {
            let (lists, count) = counted(|| {
                let before = allocations();
                (pushed(), allocations() - before)
            });
            counting(count, owners, digest(&lists, owners))
        })
        .done()
}

/// The values of a list, from its first on.
const VALUES: [u32; 1024] = {
    let mut values = [0; 1024];
    let mut at = 0;
    while at < values.len() {
        values[at] = at as u32 * 7 + 1;
        at += 1;
    }
    values
};

#[inline(never)]
fn make<O: Owners>(lists: &mut O, plan: &Plan) {
    for (owner, &length) in plan.lengths.iter().enumerate() {
        lists.extend(owner, &VALUES[..length]);
    }
}

#[inline(never)]
fn push<O: Owners>(lists: &mut O, plan: &Plan) {
    for (value, &owner) in (0..).zip(&plan.pushes) {
        lists.push(owner as usize, value);
    }
}

#[inline(never)]
fn churn<O: Owners>(lists: &mut O, plan: &Plan) {
    for (value, swap) in (0..).zip(&plan.swaps) {
        let length = lists.len(swap.from as usize) as u64;
        if length > 0 {
            let at = (length * u64::from(swap.at)) >> 32;
            lists.swap_remove(swap.from as usize, at as usize);
        }
        lists.push(swap.to as usize, value);
    }
}

#[inline(never)]
fn replace<O: Owners>(lists: &mut O, plan: &Plan) {
    for &(owner, length) in &plan.replacements {
        lists.clear(owner as usize);
        lists.extend(owner as usize, &VALUES[..length]);
    }
}

#[inline(never)]
fn sum<O: Owners>(lists: &O, owners: usize) -> u64 {
    (0..owners).map(|owner| lists.values(owner).fold(0, |sum, value| sum + u64::from(value))).sum()
}

/// All values of all lists, in order.
fn digest<O: Owners>(lists: &O, owners: usize) -> u64 {
    let values = (0..owners).flat_map(|owner| lists.values(owner));
    values.fold(0, |digest, value| digest.rotate_left(5) ^ u64::from(value))
}

subjects! { ($) owners:
    /// Objects, each with a list of numbers.
    pub(super) trait Owners: Sized {
        // So many objects with empty lists.
        static fn new(objects: usize) -> Self;

        fn len(&self, object: usize) -> usize;
        fn values(&self, object: usize) -> impl Iterator<Item = u32>;
        fn push(&mut self, object: usize, value: u32);
        fn extend(&mut self, object: usize, values: &[u32]);
        /// Removes a value; the last one takes its place.
        fn swap_remove(&mut self, object: usize, index: usize);
        /// Empties a list and frees its memory.
        fn clear(&mut self, object: usize);
    }
}

mod chunks;

/// A vector in each object.
macro_rules! vectors {
    ($owners:ident($vector:ident<$item:ty>), $name:literal) => {
        struct $owners(Vec<$vector<$item>>);

        owners! { $owners, $name;
            fn new(objects) { Self(vec![$vector::new(); objects]) }
            fn len(&self, object) { self.0[object].len() }
            fn values(&self, object) { self.0[object].iter().copied() }
            fn push(&mut self, object, value) { self.0[object].push(value); }
            fn extend(&mut self, object, values) { self.0[object].extend_from_slice(values); }
            fn swap_remove(&mut self, object, index) { self.0[object].swap_remove(index); }
            fn clear(&mut self, object) { self.0[object] = $vector::new(); }
        }
    };
}

vectors!(Vecs(Vec<u32>), "Vec<u32>");
vectors!(SmallVecs(SmallVec<[u32; 4]>), "SmallVec<[u32; 4]>");

/// A value, as `cranelift-entity` needs it: a number, one of which is reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value(u32);
entity_impl!(Value);

/// `cranelift-entity`: an unchecked list of 4 bytes in each object.
struct EntityLists {
    pool: cranelift_entity::ListPool<Value>,
    lists: Vec<EntityList<Value>>,
}

owners! { EntityLists, "cranelift EntityList";
    fn new(objects) {
        Self { pool: cranelift_entity::ListPool::new(), lists: vec![EntityList::new(); objects] }
    }
    fn len(&self, object) { self.lists[object].len(&self.pool) }
    fn values(&self, object) { self.lists[object].as_slice(&self.pool).iter().map(|value| value.0) }
    fn push(&mut self, object, value) { self.lists[object].push(Value(value), &mut self.pool); }
    fn extend(&mut self, object, values) {
        let values = values.iter().map(|&value| Value(value));
        self.lists[object].extend(values, &mut self.pool);
    }
    fn swap_remove(&mut self, object, index) { self.lists[object].swap_remove(index, &mut self.pool); }
    fn clear(&mut self, object) { self.lists[object].clear(&mut self.pool); }
}

/// larder: a checked list of 8 bytes in each object.
struct LarderLists {
    pool: ListPool<u32>,
    lists: Vec<ListHandle<u32>>,
}

owners! { LarderLists, "ListPool";
    fn new(objects) { Self { pool: ListPool::new(), lists: vec![ListHandle::EMPTY; objects] } }
    fn len(&self, object) { self.pool[self.lists[object]].len() }
    fn values(&self, object) { self.pool[self.lists[object]].iter().copied() }
    fn push(&mut self, object, value) { self.pool.push(&mut self.lists[object], value); }
    fn extend(&mut self, object, values) { self.pool.extend_from_slice(&mut self.lists[object], values); }
    fn swap_remove(&mut self, object, index) { self.pool.swap_remove(self.lists[object], index); }
    fn clear(&mut self, object) { self.pool.free(core::mem::take(&mut self.lists[object])); }
}
