//! Trees, lists and buckets beside containers go back to checkpoints, exactly.

use core::fmt::Debug;

use larder::track::{Checkpoint, Reversible, TrackError};
use larder::trees::{Buckets, KeyList, LinkError, LinkErrorKind, ListError};
use larder::{Arena, Handle, Tree};
use larder_testing::allocator::{live_bytes, refusing_after, requests_of};
use larder_testing::common::{scaled, thorough};

use crate::going_back::Dice;

type Id = Handle<u32>;

/// Objects, and keys of others that are gone.
pub(crate) struct Objects {
    pub(crate) live: Arena<u32>,
    pub(crate) keys: Vec<Id>,
}

impl Objects {
    pub(crate) fn new() -> Self {
        let mut live: Arena<u32> = (0..40).collect();
        let mut keys: Vec<Id> = live.keys().collect();
        // Two generations of some slots.
        for slot in 0..8 {
            live.remove(keys[slot]);
            keys.push(live.insert(100));
        }
        Self { live, keys }
    }

    pub(crate) fn any(&self, dice: &mut Dice) -> Id {
        self.keys[dice.below(self.keys.len())]
    }
}

/// A structure that is edited at random, and looked at.
pub(crate) trait Beside: Reversible + Clone {
    type Seen: PartialEq + Debug;
    /// Says whether what was reversed may need memory to be taken back.
    const MAY_BE_TORN: bool = false;

    fn empty() -> Self;
    /// Says whether memory was refused for it.
    fn edit(&mut self, objects: &Objects, dice: &mut Dice) -> bool;
    fn seen(&self, objects: &Objects) -> Self::Seen;
    fn check(&self);
}

fn links(linked: Result<(), LinkError<Id>>) -> bool {
    matches!(linked, Err(LinkError { reason: LinkErrorKind::Memory(_), .. }))
}

fn lists(put: Result<(), ListError<Id>>) -> bool {
    matches!(put, Err(ListError::Memory(_)))
}

impl Beside for Tree<Id> {
    type Seen = Vec<(Option<Id>, Vec<Id>)>;

    fn empty() -> Self {
        Self::new()
    }

    fn edit(&mut self, objects: &Objects, dice: &mut Dice) -> bool {
        let [one, other] = [(); 2].map(|()| objects.any(dice));
        match dice.below(120) {
            0 => self.clear(),
            1 => self.retain_live(&objects.live),
            2 => self.shrink_to_fit(),
            3..10 => self.orphan_children(one),
            10..14 => self.promote_children(one),
            14..20 => drop(self.make_root(one)),
            20..24 => drop(self.remove_subtree(&mut Arena::<u32>::new(), one)),
            24..40 => return links(self.prepend(&objects.live, one, other)),
            40..55 => return links(self.insert_before(&objects.live, one, other)),
            55..70 => return links(self.insert_after(&objects.live, one, other)),
            _ => return links(self.append(&objects.live, one, other)),
        }
        false
    }

    fn seen(&self, objects: &Objects) -> Self::Seen {
        let of = |&key: &Id| (self.parent(key), self.children(key).collect());
        objects.keys.iter().map(of).collect()
    }

    fn check(&self) {
        self.validate();
    }
}

impl Beside for KeyList<Id> {
    type Seen = Vec<Id>;

    fn empty() -> Self {
        Self::new()
    }

    fn edit(&mut self, objects: &Objects, dice: &mut Dice) -> bool {
        let [one, other] = [(); 2].map(|()| objects.any(dice));
        match dice.below(120) {
            0 => self.clear(),
            1 => self.retain_live(&objects.live),
            2 => self.shrink_to_fit(),
            3 => self.retain(|key| key.slot() % 3 != 0),
            4..10 => drop(self.pop_front()),
            10..16 => drop(self.pop_back()),
            16..36 => drop(self.remove(one)),
            36..56 => return lists(self.push_front(&objects.live, one)),
            56..76 => return lists(self.insert_before(&objects.live, one, other)),
            76..96 => return lists(self.insert_after(&objects.live, one, other)),
            _ => return lists(self.push_back(&objects.live, one)),
        }
        false
    }

    fn seen(&self, _: &Objects) -> Vec<Id> {
        self.iter().collect()
    }

    fn check(&self) {
        self.validate();
    }
}

/// (More than one piece of 64 keys a bucket, so that pieces are begun, merged and freed.)
impl Beside for Buckets<Id, 3> {
    type Seen = [Vec<Id>; 3];

    fn empty() -> Self {
        Self::new()
    }

    fn edit(&mut self, objects: &Objects, dice: &mut Dice) -> bool {
        let one = objects.any(dice);
        match dice.below(400) {
            0 => self.clear(),
            1 => self.retain_live(&objects.live),
            2 => self.shrink_to_fit(),
            3..120 => drop(self.remove(one)),
            _ => return lists(self.set(&objects.live, one, dice.below(3))),
        }
        false
    }

    fn seen(&self, _: &Objects) -> [Vec<Id>; 3] {
        [0, 1, 2].map(|bucket| self.iter(bucket).collect())
    }

    fn check(&self) {
        self.validate();
    }
}

/// A checkpoint, what was then, and the edits that came next.
struct Moment<B: Beside> {
    checkpoint: Checkpoint,
    seen: B::Seen,
    copy: B,
}

/// Goes back, undoes, redoes and forgets at random; what comes back is what was, and the same edits have the same
/// effects then.
pub(crate) fn goes_back<B: Beside>(objects: &Objects, seed: u64, steps: usize) {
    let (mut dice, mut it) = (Dice(seed), B::empty());
    let (mut held, mut undone) = (Vec::<Moment<B>>::new(), Vec::<(B::Seen, Moment<B>)>::new());
    for step in 0..steps {
        match dice.below(60) {
            0 | 1 => {
                let checkpoint = it.checkpoint();
                held.push(Moment { checkpoint, seen: it.seen(objects), copy: it.clone() });
                undone.clear();
            }
            3 if !held.is_empty() => {
                let at = dice.below(held.len());
                let (gone, moment) = (held.split_off(at + 1), &held[at]);
                undone.clear();
                assert_eq!(it.rollback(moment.checkpoint), Ok(()));
                assert_eq!(it.seen(objects), moment.seen, "seed {seed}, step {step}");
                for gone in gone {
                    assert_eq!(it.rollback(gone.checkpoint), Err(TrackError::Gone));
                }
                let (mut again, mut then, mut copy) =
                    (Dice(seed ^ 1), Dice(seed ^ 1), moment.copy.clone());
                for _ in 0..20 {
                    it.edit(objects, &mut again);
                    copy.edit(objects, &mut then);
                    assert_eq!(it.seen(objects), copy.seen(objects));
                }
                copy.check();
            }
            4..=6 => {
                let (now, last) = (it.seen(objects), held.pop());
                assert_eq!(it.undo(), Ok(last.is_some()));
                if let Some(last) = last {
                    assert_eq!(it.seen(objects), last.seen, "seed {seed}, step {step}");
                    undone.push((now, last));
                }
            }
            7..=9 if !undone.is_empty() => {
                assert_eq!(it.redo(), Ok(true));
                let (then, moment) = undone.pop().expect("there is one");
                assert_eq!(it.seen(objects), then, "seed {seed}, step {step}");
                held.push(moment);
            }
            10 if held.len() > 4 => {
                let at = dice.below(held.len());
                it.forget(held[at].checkpoint).expect("it is held");
                for gone in held.drain(..at) {
                    assert_eq!(it.rollback(gone.checkpoint), Err(TrackError::Gone));
                }
            }
            11 if dice.below(20) == 0 => {
                it.forget_all();
                assert_eq!(it.redo(), Ok(false));
                (held, undone) = (Vec::new(), Vec::new());
            }
            _ => {
                let before = it.seen(objects);
                assert!(!it.edit(objects, &mut dice));
                if it.seen(objects) != before {
                    assert_eq!(it.redo(), Ok(false), "something else was done");
                }
                undone.clear();
            }
        }
        if step % 16 == 0 {
            it.check();
        }
    }
    assert_eq!(B::empty().rollback(it.checkpoint()), Err(TrackError::Foreign));
    let checkpoint = it.checkpoint();
    assert_eq!(it.clone().rollback(checkpoint), Err(TrackError::Foreign), "a clone has none");
}

#[test]
fn trees_lists_and_buckets_go_back() {
    let objects = Objects::new();
    for seed in 1..thorough(12, 2) as u64 {
        goes_back::<Tree<Id>>(&objects, seed, scaled(3_000, 60));
        goes_back::<KeyList<Id>>(&objects, seed, scaled(3_000, 60));
    }
    let mut many = Objects::new();
    let more: Vec<Id> = (0..300).map(|value| many.live.insert(value)).collect();
    many.keys.extend(more);
    for seed in 1..thorough(6, 2) as u64 {
        goes_back::<Buckets<Id, 3>>(&many, seed, scaled(6_000, 80));
    }
}

/// Keys whose slots are far apart, which have their entries in a table.
#[test]
fn far_slots_go_back() {
    let mut live = Arena::<u32>::new();
    let all: Vec<Id> = live.insert_many(0..scaled(60_000, 2_000) as u32).collect();
    let keys = all.into_iter().step_by(scaled(1_500, 50)).collect();
    let objects = Objects { live, keys };
    for seed in 1..thorough(4, 2) as u64 {
        goes_back::<Tree<Id>>(&objects, seed, scaled(2_000, 40));
        goes_back::<KeyList<Id>>(&objects, seed, scaled(2_000, 40));
        goes_back::<Buckets<Id, 3>>(&objects, seed, scaled(2_000, 40));
    }
}

#[test]
fn children_that_were_sorted_go_back() {
    let objects = Objects::new();
    let [parent, a, b, c] = [8, 11, 9, 10].map(|slot| objects.keys[slot]);
    let mut tree = Tree::new();
    [a, b, c].iter().for_each(|&child| tree.append(&objects.live, parent, child).unwrap());
    let then = tree.checkpoint();
    tree.sort_children_by(parent, |a, b| a.slot().cmp(&b.slot()));
    assert!(tree.children(parent).eq([b, c, a]));
    tree.rollback(then).unwrap();
    assert!(tree.children(parent).eq([a, b, c]));
    tree.validate();
}

/// A checkpoint, ten edits and going back take as much memory, however large the tree is.
#[test]
fn a_rollback_costs_what_changed() {
    let costs = |count: u32| {
        let objects: Arena<u32> = (0..count).collect();
        let keys: Vec<Id> = objects.keys().collect();
        let mut tree = Tree::new();
        for (at, &key) in keys.iter().enumerate().skip(1) {
            tree.append(&objects, keys[at / 2], key).expect("both are there");
        }
        let parents: Vec<Option<Id>> = keys.iter().map(|&key| tree.parent(key)).collect();
        // (The first checkpoint of a tree makes room for what all of them have in common, which stays.)
        tree.checkpoint();
        tree.forget_all();
        let before = live_bytes();
        let (requests, held) = requests_of(|| {
            let then = tree.checkpoint();
            for at in 1..=10 {
                tree.append(&objects, keys[0], keys[count as usize - at]).expect("both are there");
            }
            let held = live_bytes() - before;
            tree.rollback(then).expect("it is held");
            tree.forget_all();
            held
        });
        assert!(keys.iter().map(|&key| tree.parent(key)).eq(parents.iter().copied()));
        assert_eq!(live_bytes(), before);
        (requests, held)
    };
    assert_eq!(costs(1_000), costs(scaled(50_000, 2_000) as u32));
}

/// If allocation fails for a record, every checkpoint is lost, and the edit is made; if it fails for going back,
/// nothing has changed. Returns how often checkpoints were lost.
pub(crate) fn memory_is_refused<B: Beside>(objects: &Objects, for_good: bool) -> usize {
    let (mut lost, mut refusals) = (0, 0);
    for grants in 0.. {
        let (mut dice, mut it) = (Dice(7), B::empty());
        for _ in 0..30 {
            it.edit(objects, &mut dice);
        }
        let (mut plain, mut same, then) = (it.clone(), Dice(dice.0), it.seen(objects));
        let (was_refused, done) = refusing_after(grants, for_good, || {
            let checkpoint = it.try_checkpoint()?;
            let refused = (0..60).filter(|_| it.edit(objects, &mut dice)).count();
            let undone = it.undo();
            let redone = if undone == Ok(true) { it.redo() } else { Ok(false) };
            Ok::<_, larder::TryReserveError>((checkpoint, refused, undone, redone))
        });
        it.check();
        refusals += usize::from(was_refused);
        let Ok((checkpoint, refused, undone, redone)) = done else { continue };
        let mut may_be_torn = undone.is_err();
        if undone == Ok(true) && redone != Ok(true) {
            assert!(matches!(redone, Err(TrackError::Memory(_))), "{redone:?}");
            let (is_as_then, again) = (it.seen(objects) == then, it.redo());
            may_be_torn = again == Ok(false);
            let is_whole = is_as_then && again == Ok(true);
            assert!(is_whole || may_be_torn && for_good && B::MAY_BE_TORN);
        }
        let (now, back) = (it.seen(objects), it.rollback(checkpoint));
        let is_torn = may_be_torn && for_good && back == Err(TrackError::Lost);
        if refused == 0 && !(is_torn && B::MAY_BE_TORN) {
            (0..60).for_each(|_| _ = plain.edit(objects, &mut same));
            assert_eq!(now, plain.seen(objects), "{grants} grants");
        }
        match back {
            Ok(()) => assert_eq!(it.seen(objects), then),
            Err(TrackError::Lost) => lost += 1,
            Err(other) => panic!("{other}"),
        }
        if !was_refused {
            break;
        }
    }
    assert!(refusals > 3, "{refusals} refused");
    lost
}

#[test]
fn refused_memory_loses_checkpoints_and_nothing_else() {
    let objects = Objects::new();
    for for_good in [false, true] {
        assert!(memory_is_refused::<Tree<Id>>(&objects, for_good) > 0);
        assert!(memory_is_refused::<KeyList<Id>>(&objects, for_good) > 0);
        assert!(memory_is_refused::<Buckets<Id, 3>>(&objects, for_good) > 0);
    }
}

/// Slots far from all others are noted in a table of their own; nothing there needs memory to come back.
#[test]
fn slots_far_from_others_come_back_without_memory() {
    let things: Arena<u32> = (0..700).collect();
    let keys: Vec<Id> = things.keys().collect();
    let mut buckets = Buckets::<_, 2>::new();
    buckets.set(&things, keys[100], 0).unwrap();
    keys[..63].iter().for_each(|&key| buckets.set(&things, key, 0).unwrap());
    let (then, before) = (buckets.checkpoint(), buckets.iter(0).collect::<Vec<_>>());
    buckets.remove(keys[100]);
    buckets.set(&things, keys[600], 0).unwrap();
    let (_, outcome) = refusing_after(0, true, || buckets.rollback(then));
    assert_eq!((outcome, buckets.iter(0).collect::<Vec<_>>()), (Ok(()), before));
    buckets.validate();

    let (mut things, mut tree) = (things, Tree::new());
    keys[1..100].iter().for_each(|&key| tree.append(&things, keys[0], key).unwrap());
    for &key in &keys[2..100] {
        tree.remove_orphaning(&mut things, key);
    }
    tree.append(&things, keys[0], keys[500]).unwrap();
    let (then, before) = (tree.checkpoint(), tree.children(keys[0]).collect::<Vec<_>>());
    tree.remove_orphaning(&mut things, keys[500]);
    tree.make_root(keys[1]);
    tree.append(&things, keys[0], keys[501]).unwrap();
    let (_, outcome) = refusing_after(0, true, || tree.rollback(then));
    assert_eq!((outcome, tree.children(keys[0]).collect::<Vec<_>>()), (Ok(()), before));
    tree.validate();
}
