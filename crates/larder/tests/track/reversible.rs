//! Trees, lists and buckets beside containers go back to checkpoints, exactly.

use core::fmt::Debug;
use std::collections::BTreeSet;

use larder::track::{Checkpoint, Reversible, TrackError};
use larder::trees::{Buckets, KeyList, LinkError, LinkErrorKind, ListError};
use larder::{Arena, Handle, Tree};
use larder_testing::allocator::{live_bytes, refusing_after, requests_of};
use larder_testing::caught::panicking_after;
use larder_testing::common::{amount, scaled, thorough};

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

    /// A structure to begin with.
    fn begun(seed: u64) -> Self {
        let _ = seed;
        Self::empty()
    }

    /// Says whether memory was refused for it.
    fn edit(&mut self, objects: &Objects, dice: &mut Dice) -> bool;

    /// Changes nothing that can be seen but the keys that are issued afterwards.
    fn tidy(&mut self) {}

    fn seen(&self, objects: &Objects) -> Self::Seen;

    /// The numbers that it has given out, those that lead to something. After an undo they are never given out again.
    fn issued(&self) -> BTreeSet<u64> {
        BTreeSet::new()
    }

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
            0 => {
                self.clear();
                assert_eq!(self.roots().next(), None);
            }
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
            0 => {
                self.clear();
                assert!(self.is_empty());
            }
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
            0 => {
                self.clear();
                assert!((0..3).all(|bucket| self.iter(bucket).next().is_none()));
            }
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

/// A checkpoint, what was then, and what was given out since.
struct Moment<B: Beside> {
    checkpoint: Checkpoint,
    seen: B::Seen,
    copy: B,
    /// True if the same edits have the same effects as in the copy.
    is_exact: bool,
    issued: BTreeSet<u64>,
}

/// A structure with the moments to which it can go.
struct History<'o, B: Beside> {
    objects: &'o Objects,
    it: B,
    held: Vec<Moment<B>>,
    undone: Vec<(B::Seen, Moment<B>)>,
    /// What was undone for good.
    dead: BTreeSet<u64>,
}

impl<B: Beside> History<'_, B> {
    /// Something else is done: what was undone cannot be done again.
    fn settle(&mut self) {
        for (_, moment) in self.undone.drain(..) {
            self.dead.extend(moment.issued);
            self.held.iter_mut().for_each(|moment| moment.is_exact = false);
        }
    }

    fn edit(&mut self, dice: &mut Dice) {
        let (seen, before) = (self.it.seen(self.objects), self.it.issued());
        assert!(!self.it.edit(self.objects, dice));
        if self.it.seen(self.objects) != seen {
            assert_eq!(self.it.redo(), Ok(false), "something else was done");
        }
        // (Whether there is something to redo after an edit without an effect depends on the edit.)
        self.settle();
        if let Some(last) = self.held.last_mut() {
            last.issued.extend(self.it.issued().difference(&before));
        }
    }

    fn checkpoint(&mut self) {
        self.settle();
        let (seen, copy) = (self.it.seen(self.objects), self.it.clone());
        let checkpoint = self.it.checkpoint();
        self.held.push(Moment { checkpoint, seen, copy, is_exact: true, issued: BTreeSet::new() });
    }

    /// Goes back to a moment, where the same edits have the same effects as then.
    fn rollback(&mut self, at: usize, seed: u64) {
        self.settle();
        for gone in self.held.split_off(at + 1) {
            assert_eq!(self.it.rollback(self.held[at].checkpoint), Ok(()));
            assert_eq!(self.it.rollback(gone.checkpoint), Err(TrackError::Gone));
        }
        assert_eq!(self.it.rollback(self.held[at].checkpoint), Ok(()));
        let moment = &mut self.held[at];
        assert_eq!(self.it.seen(self.objects), moment.seen);
        moment.issued.clear();
        if !moment.is_exact {
            return;
        }
        let (mut copy, [mut dice, mut same]) = (moment.copy.clone(), [(); 2].map(|()| Dice(seed)));
        for _ in 0..20 {
            self.edit(&mut dice);
            copy.edit(self.objects, &mut same);
            assert_eq!(self.it.seen(self.objects), copy.seen(self.objects));
        }
        copy.check();
    }

    fn undo(&mut self) {
        let (now, last) = (self.it.seen(self.objects), self.held.pop());
        assert_eq!(self.it.undo(), Ok(last.is_some()));
        if let Some(last) = last {
            assert_eq!(self.it.seen(self.objects), last.seen);
            assert!(self.it.issued().is_disjoint(&last.issued));
            self.undone.push((now, last));
        }
    }

    fn redo(&mut self) {
        if let Some((then, moment)) = self.undone.pop() {
            assert_eq!(self.it.redo(), Ok(true));
            assert_eq!(self.it.seen(self.objects), then);
            self.held.push(moment);
        }
    }

    fn forget(&mut self, at: usize) {
        self.it.forget(self.held[at].checkpoint).expect("it is held");
        for gone in self.held.drain(..at) {
            assert_eq!(self.it.rollback(gone.checkpoint), Err(TrackError::Gone));
        }
    }

    fn forget_all(&mut self) {
        self.it.forget_all();
        assert_eq!(self.it.redo(), Ok(false));
        self.settle();
        self.held.clear();
    }

    fn check(&self) {
        self.it.check();
        assert!(self.it.issued().is_disjoint(&self.dead), "what was undone is given out again");
    }
}

/// Goes back, undoes, redoes and forgets at random; what comes back is what was, the same edits have the same effects
/// then, and what was undone is never given out again.
pub(crate) fn goes_back<B: Beside>(objects: &Objects, seed: u64, steps: usize) {
    let (held, undone, dead) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut history = History { objects, it: B::begun(seed), held, undone, dead };
    let mut dice = Dice(seed);
    for step in 0..steps {
        let at = dice.below(history.held.len().max(1));
        match dice.below(60) {
            0 | 1 => history.checkpoint(),
            2 | 3 if !history.held.is_empty() => history.rollback(at, seed ^ step as u64),
            4..=6 => history.undo(),
            7..=9 => history.redo(),
            10 if history.held.len() > 4 => history.forget(at),
            11 if dice.below(20) == 0 => history.forget_all(),
            12 if dice.below(4) == 0 => {
                let before = history.it.seen(objects);
                history.it.tidy();
                assert_eq!(history.it.seen(objects), before);
                history.held.iter_mut().for_each(|moment| moment.is_exact = false);
            }
            _ => history.edit(&mut dice),
        }
        if step % 16 == 0 {
            history.check();
        }
    }
    let mut it = history.it.clone();
    let checkpoint = history.it.checkpoint();
    assert_eq!(B::empty().rollback(checkpoint), Err(TrackError::Foreign));
    assert_eq!(it.rollback(checkpoint), Err(TrackError::Foreign), "a clone has none");
    // Without a past, and in a clone, it is the same with what was undone.
    history.forget_all();
    for _ in 0..2 {
        for _ in 0..60 {
            history.edit(&mut dice);
            history.check();
        }
        core::mem::swap(&mut history.it, &mut it);
    }
}

#[test]
fn trees_lists_and_buckets_go_back() {
    let objects = Objects::new();
    for seed in 1..thorough(12, 2) as u64 {
        goes_back::<Tree<Id>>(&objects, seed, amount(3_000, 1_000, 60));
        goes_back::<KeyList<Id>>(&objects, seed, amount(3_000, 1_000, 60));
    }
    let mut many = Objects::new();
    let more: Vec<Id> = (0..300).map(|value| many.live.insert(value)).collect();
    many.keys.extend(more);
    for seed in 1..thorough(6, 2) as u64 {
        goes_back::<Buckets<Id, 3>>(&many, seed, amount(6_000, 2_000, 80));
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
        goes_back::<Tree<Id>>(&objects, seed, amount(2_000, 800, 40));
        goes_back::<KeyList<Id>>(&objects, seed, amount(2_000, 800, 40));
        goes_back::<Buckets<Id, 3>>(&objects, seed, amount(2_000, 800, 40));
    }
}

#[test]
fn children_that_were_sorted_go_back() {
    let (objects, mut tree) = (Objects::new(), Tree::new());
    let [parent, a, b] = [8, 11, 9].map(|slot| objects.keys[slot]);
    [a, b].iter().for_each(|&child| tree.append(&objects.live, parent, child).unwrap());
    let then = tree.checkpoint();
    tree.sort_children_by(parent, |a, b| a.slot().cmp(&b.slot()));
    assert!(tree.children(parent).eq([b, a]));
    tree.rollback(then).unwrap();
    assert!(tree.children(parent).eq([a, b]));
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

/// If code of the user panics in an edit, all edits are taken back exactly; if it does on the way back, or again, the
/// checkpoint is lost. `is_silent` says that no code runs on the way.
pub(crate) fn code_panics<B: Beside>(objects: &Objects, seed: u64, is_silent: bool) {
    let begun = || {
        let (mut dice, mut it) = (Dice(seed), B::empty());
        (0..20).for_each(|_| _ = it.edit(objects, &mut dice));
        let (checkpoint, then) = (it.checkpoint(), it.seen(objects));
        (it, checkpoint, then, dice)
    };
    let edit = |it: &mut B, mut dice| (0..6).for_each(|_| _ = it.edit(objects, &mut dice));
    for steps in (0..).step_by(scaled(1, 37)) {
        let (mut it, checkpoint, then, dice) = begun();
        let has_panicked = panicking_after(steps, || edit(&mut it, dice));
        it.check();
        assert_eq!((it.rollback(checkpoint), it.seen(objects)), (Ok(()), then), "after {steps}");
        if !has_panicked {
            assert!(steps > 0);
            break;
        }
    }
    for steps in (0..).step_by(scaled(1, 37)) {
        let (mut it, checkpoint, then, dice) = begun();
        edit(&mut it, Dice(dice.0));
        let now = it.seen(objects);
        let has_panicked =
            panicking_after(steps, || assert_eq!((it.undo(), it.redo()), (Ok(true), Ok(true))));
        it.check();
        if !has_panicked {
            assert!(steps == 0 || !is_silent, "no code runs");
            assert_eq!(it.seen(objects), now);
            assert_eq!((it.rollback(checkpoint), it.seen(objects)), (Ok(()), then));
            break;
        }
        assert_eq!(it.rollback(checkpoint), Err(TrackError::Lost));
        it.forget_all();
        edit(&mut it, dice);
        it.check();
    }
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
