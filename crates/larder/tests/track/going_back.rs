//! Random lives of a tracked container, each call made on a twin without checkpoints, too: what is returned, the keys
//! above all, is the same, also after going back. Subscribers and a replica follow.

use core::cell::Cell;
use core::fmt::Debug;
use core::mem;
use core::ops::Range;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use larder::containers::{Container, GradualSort, ValueContainer};
use larder::key::{BareHandle, Serial};
use larder::snapshot::{Save, Saver};
use larder::soa::Fill;
use larder::track::{
    Checkpoint, DeltaError, Insert, Publisher, Replica, Reversible, Revert, Subscriber, Track,
    TrackError, Tracked,
};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle32, InlineArena, Key, PagedArena, Pool, Reuse, Soa,
    SoaArena,
};
use larder_testing::common::{REUSE_ORDERS, amount, scaled, thorough};
use larder_testing::subject::TestKey;

/// Numbers that look random.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % bound as u64) as usize
    }
}

thread_local! {
    static CLONES: Cell<usize> = const { Cell::new(0) };
}

/// Returns the number of names that `act` clones.
pub(crate) fn clones_of(act: impl FnOnce()) -> usize {
    CLONES.set(0);
    act();
    CLONES.get()
}

/// A text whose clones are counted.
#[derive(Debug, PartialEq)]
pub(crate) struct Name(String);

impl Clone for Name {
    fn clone(&self) -> Self {
        CLONES.set(CLONES.get() + 1);
        Self(self.0.clone())
    }
}

impl Fill for Name {
    const FILL: Self = Self(String::new());
}

/// A value that owns memory, and can lie in columns. All tests share it, since every container is compiled again for each
/// type of values.
#[derive(Clone, Debug, PartialEq, Soa)]
pub(crate) struct Ship {
    pub(crate) number: u64,
    name: Name,
}

/// Plain data that can lie in columns, shared in the same way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Soa, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Spot {
    pub(crate) x: u32,
    pub(crate) y: u32,
}

impl Ship {
    pub(crate) fn new(number: u64) -> Self {
        Self { number, name: Name(format!("ship {number}")) }
    }
}

impl Spot {
    pub(crate) fn new(number: u64) -> Self {
        Self { x: number as u32, y: 7 }
    }
}

/// A value of a life.
pub(crate) trait Item: Clone + Debug + PartialEq {
    fn new(number: u64) -> Self;
    fn number(&self) -> u64;
    fn delta<A: Revert<Value = Self>>(here: &mut Tracked<A>, publisher: &mut Publisher) -> Vec<u8>;
    fn apply<A: Revert<Value = Self>>(
        there: &mut Replica<A>,
        delta: &[u8],
    ) -> Result<(), DeltaError>;
}

impl Item for Spot {
    fn new(number: u64) -> Self {
        Self::new(number)
    }

    fn number(&self) -> u64 {
        u64::from(self.x) | u64::from(self.y ^ 7) << 32
    }

    fn delta<A: Revert<Value = Self>>(here: &mut Tracked<A>, publisher: &mut Publisher) -> Vec<u8> {
        here.delta(publisher).expect("there is memory")
    }

    fn apply<A: Revert<Value = Self>>(
        there: &mut Replica<A>,
        delta: &[u8],
    ) -> Result<(), DeltaError> {
        there.apply(delta)
    }
}

/// Encoded by the program, in bytes of any number.
impl Item for Ship {
    fn new(number: u64) -> Self {
        Self::new(number)
    }

    fn number(&self) -> u64 {
        assert_eq!(self.name.0.strip_prefix("ship ").map(str::parse), Some(Ok(self.number)));
        self.number
    }

    fn delta<A: Revert<Value = Self>>(here: &mut Tracked<A>, publisher: &mut Publisher) -> Vec<u8> {
        let encode = |ship: &Self, bytes: &mut Vec<u8>| {
            bytes.extend(ship.name.0.as_bytes());
            Ok::<_, ()>(())
        };
        here.delta_by(publisher, encode).expect("there is memory")
    }

    fn apply<A: Revert<Value = Self>>(
        there: &mut Replica<A>,
        delta: &[u8],
    ) -> Result<(), DeltaError> {
        there.apply_by(delta, |bytes| {
            let number = core::str::from_utf8(bytes).ok()?.strip_prefix("ship ")?;
            Some(Self::new(number.parse().ok()?))
        })
    }
}

/// The keys as numbers, and the numbers of their values: what is compared is so compiled once for all containers.
type Entries = Vec<(u128, u64)>;

/// Returns the bits of a key.
fn bits<K: Key>(key: K) -> u128 {
    key.to_bits().into()
}

/// A container that is tracked in lives.
pub(crate) trait Plain: Insert + Revert<Value: Item, Key: TestKey> + Clone {
    /// True if a value lies where its slot is.
    const BY_SLOT: bool;

    fn make(reuse: Reuse) -> Self;
    fn write(place: <Self as Track>::RefMut<'_>, number: u64);
    /// Inserts without a record.
    fn add(&mut self, number: u64) -> Option<Self::Key>;
    fn entries(&self) -> Entries;
    /// Returns the place of a value, as ranges say it.
    fn place(&self, key: Self::Key) -> usize;
    /// Returns the numbers of slots; fails if the container is not consistent.
    fn account(&self) -> [usize; 5];

    /// Sorts values in one of several ways, if they are packed.
    fn sort(of: &mut Tracked<Self>, number: u64) {
        let _ = (of, number);
    }
}

macro_rules! plain {
    ($([$($generics:tt)*] $container:ty, $by_slot:literal, |$reuse:ident| $make:expr,
       |$this:ident, $key:ident| $place:expr $(, { $($own:tt)* })?;)*) => {$(
        impl<$($generics)*> Plain for $container {
            const BY_SLOT: bool = $by_slot;

            fn make($reuse: Reuse) -> Self {
                $make
            }

            fn write(mut place: <Self as Track>::RefMut<'_>, number: u64) {
                <Self as ValueContainer>::replace(&mut place, Item::new(number));
            }

            fn add(&mut self, number: u64) -> Option<K> {
                self.try_insert(Item::new(number)).ok()
            }

            fn entries(&self) -> Entries {
                let number = |key| self.with_value(key, Item::number).expect("it is live");
                let mut entries = Vec::new();
                self.live_keys().for_each(|key| entries.push((bits(key), number(key))));
                entries
            }

            fn place(&self, $key: K) -> usize {
                let $this = self;
                $place
            }

            fn account(&self) -> [usize; 5] {
                self.validate();
                let stats = self.stats();
                [stats.live, stats.holes, stats.detached, stats.retired, stats.slots]
            }

            $($($own)*)?
        }
    )*};
}

/// Once many values were there, and the memory of their positions was given back.
macro_rules! shrunk {
    ($reuse:ident) => {{
        let mut shrunk = Self::builder_with_key().reuse($reuse).build();
        let keys: Vec<K> = shrunk.insert_many((0..100).map(Item::new)).collect();
        shrunk.retain(|key, _| key == keys[99]);
        shrunk.shrink_to_fit();
        shrunk.remove(keys[99]);
        shrunk
    }};
}

plain! {
    [T: Item, K: TestKey] Arena<T, K>, true,
        |reuse| Self::builder_with_key().reuse(reuse).build(), |_this, key| key.slot() as usize;
    [T: Item, K: TestKey] PagedArena<T, K>, true,
        |reuse| Self::builder_with_key().reuse(reuse).build(), |_this, key| key.slot() as usize;
    [T: Item, K: TestKey] InlineArena<T, 300, K>, true,
        |_reuse| Self::with_key(), |_this, key| key.slot() as usize;
    [T: Item + 'static, K: TestKey] Pool<T, K>, true,
        // (The values that it has made stay: so that all are made before.)
        |reuse| Self::builder_with_key(|| T::new(0)).reuse(reuse).capacity(300).build(),
        |_this, key| key.slot() as usize;
    [T: Item, K: TestKey] DenseArena<T, K>, false,
        |reuse| shrunk!(reuse), |this, key| this.get_index_of(key).expect("it is live"), {
            fn sort(of: &mut Tracked<Self>, number: u64) {
                let by = |value: &T| value.number() % (number + 1);
                if number % 3 == 0 {
                    _ = of.sort_step(&mut GradualSort::new(), 9, |a, b| by(b).cmp(&by(a)));
                } else {
                    of.sort_by(|a, b| by(a).cmp(&by(b)));
                }
            }
        };
    [K: TestKey] SoaArena<Ship, K>, true,
        |reuse| Self::builder_with_key().reuse(reuse).build(), |_this, key| key.slot() as usize;
    [K: TestKey] SoaArena<Spot, K>, true,
        |reuse| Self::builder_with_key().reuse(reuse).build(), |_this, key| key.slot() as usize;
    [K: TestKey] DenseSoaArena<Ship, K>, false,
        |reuse| shrunk!(reuse), |this, key| this.get_index_of(key).expect("it is live");
    [K: TestKey] DenseSoaArena<Spot, K>, false,
        |reuse| shrunk!(reuse), |this, key| this.get_index_of(key).expect("it is live");
}

/// Each value with its place, by key.
type Places = BTreeMap<u128, (u64, usize)>;

fn places<A: Plain>(of: &A) -> Places {
    let mut places = Places::new();
    of.live_keys().zip(of.entries()).for_each(|(key, (bits, number))| {
        places.insert(bits, (number, of.place(key)));
    });
    places
}

/// A subscriber, what it knows of the container, and what may have changed since.
struct View<A: Plain> {
    subscriber: Subscriber<A::Key>,
    seen: Places,
    written: BTreeSet<u128>,
}

/// The changes that a subscriber is told of.
struct Told {
    inserted: BTreeSet<u128>,
    changed: BTreeSet<u128>,
    removed: BTreeSet<u128>,
    /// The places of what is there, with gaps of none, and of two at most.
    ranges: [Vec<Range<usize>>; 2],
}

impl Told {
    /// Nothing is left out, and little is told that is not so.
    fn check(self, now: &Places, then: &Places, by_slot: bool, written: &BTreeSet<u128>) {
        let keys = |of: &Places| of.keys().copied().collect::<BTreeSet<_>>();
        let (has, had) = (keys(now), keys(then));
        assert_eq!((&self.inserted, &self.removed), (&(&has - &had), &(&had - &has)));
        assert!(self.changed.is_subset(&has) && self.changed.is_subset(&had));
        let told = &self.inserted | &self.changed;
        assert!(now.iter().all(|(key, value)| told.contains(key) || then.get(key) == Some(value)));
        // (Packed values are moved by removals of others: those are changes, too.)
        assert!(!by_slot || told.is_subset(written), "what was not changed is not told");
        let places: BTreeSet<_> = told.iter().map(|key| now[key].1).collect();
        let [each, few] = self.ranges;
        assert!(each.into_iter().flatten().eq(places.iter().copied()), "nothing else is in one");
        assert!(places.iter().all(|place| few.iter().any(|range| range.contains(place))));
        assert!(few.windows(2).all(|two| two[0].end + 2 < two[1].start), "few ranges");
    }
}

impl<A: Plain> View<A> {
    fn new(here: &mut Tracked<A>) -> Self {
        let seen = places(&**here);
        Self { subscriber: here.subscribe(), seen, written: BTreeSet::new() }
    }

    fn poll(&mut self, here: &mut Tracked<A>) {
        let changes = here.poll(&mut self.subscriber).expect("it is its own");
        let set = |keys: &[A::Key]| {
            assert!(keys.is_sorted_by(|a, b| a.slot() < b.slot()), "in slot order");
            keys.iter().map(|&key| bits(key)).collect()
        };
        let told = Told {
            inserted: set(changes.inserted()),
            changed: set(changes.changed()),
            removed: set(changes.removed()),
            ranges: [0, 2].map(|gap| changes.ranges(gap).collect()),
        };
        let now = places(&**here);
        told.check(&now, &self.seen, A::BY_SLOT, &self.written);
        self.seen = now;
        self.written.clear();
    }
}

/// A checkpoint, and what there was then.
struct Moment<A: Plain> {
    checkpoint: Checkpoint,
    then: Tracked<A>,
    /// True if the same calls have the same effects as they had then.
    is_exact: bool,
    issued: BTreeSet<u128>,
    written: BTreeSet<u128>,
}

/// A container, its twin, and all that follows it.
struct Life<A: Plain> {
    here: Tracked<A>,
    twin: Tracked<A>,
    saved: fn(&A) -> Vec<u8>,
    keys: Vec<A::Key>,
    held: Vec<Moment<A>>,
    undone: Vec<(Entries, Moment<A>)>,
    /// The bits of keys that were undone.
    dead: BTreeSet<u128>,
    views: Vec<View<A>>,
    publisher: Publisher,
    there: Replica<A>,
    deltas: Vec<Vec<u8>>,
    may_undo: bool,
    dice: Dice,
}

/// Makes a call, which returns the same whenever the container is the same: a key, and the number of a value.
fn call<A: Plain>(
    of: &mut Tracked<A>,
    kind: usize,
    key: A::Key,
    number: u64,
) -> (Option<A::Key>, Option<u64>) {
    match kind {
        0..14 => return (of.try_insert(Item::new(number)).ok(), None),
        14..26 => return (None, of.remove(key).map(|value| value.number())),
        26..30 => _ = of.get_mut(key).map(|place| A::write(place, number)),
        30..32 => {
            let replaced = of.replace(key, Item::new(number)).ok();
            return (None, replaced.map(|value| value.number()));
        }
        32..34 => return (None, of.detach(key).map(|value| value.number())),
        34 => return (of.reattach(key, Item::new(number)).is_ok().then_some(key), None),
        35 => of.iter_mut().for_each(|(_, place)| A::write(place, number)),
        36 if number % 8 == 0 => of.clear(),
        37 => A::sort(of, number),
        38.. => return (of.discard_detached(key).then_some(key), None),
        _ => {}
    }
    (None, None)
}

impl<A: Plain> Life<A> {
    fn new(reuse: Reuse, seed: u64, saved: fn(&A) -> Vec<u8>, views: usize) -> Self {
        let mut container = Tracked::new(A::make(reuse));
        let keys: Vec<_> = (0..40).map(|number| container.insert(Item::new(number))).collect();
        keys.iter().skip(30).for_each(|&key| assert!(container.detach(key).is_some()));
        let mut here = Tracked::new(container.into_inner());
        Self {
            twin: here.clone(),
            saved,
            keys,
            held: Vec::new(),
            undone: Vec::new(),
            dead: BTreeSet::new(),
            views: (0..views).map(|_| View::new(&mut here)).collect(),
            publisher: here.publish(seed).expect("there is memory"),
            there: Replica::new(A::make(reuse)),
            deltas: Vec::new(),
            may_undo: seed % 2 == 0,
            dice: Dice(seed * 2 + 0x9E37_79B9_7F4A_7C15),
            here,
        }
    }

    fn run(mut self, steps: usize, empty: &dyn Fn() -> A) {
        for step in 0..steps as u64 {
            let at = self.dice.below(self.held.len().max(1));
            match self.dice.below(48) {
                0..3 if self.held.len() < 12 => self.checkpoint(),
                3 if !self.held.is_empty() => self.rollback(at),
                4..7 if self.may_undo => self.undo(),
                7..9 if self.may_undo => self.redo(),
                9 if !self.held.is_empty() => self.forget(at),
                10 if self.dice.below(20) == 0 => self.forget_all(),
                11 | 12 => self.poll(),
                13 | 14 => self.publish(),
                _ => self.edit(step),
            }
            if step % 7 == 0 {
                self.check();
            }
        }
        self.views.iter_mut().for_each(|view| view.poll(&mut self.here));
        self.publish();
        self.check();
        let seen = |it: &A| (it.entries(), it.account());
        refuses_forged(&self.deltas, empty, A::Value::apply, &seen, &mut self.dice);
    }

    /// These may have changed.
    fn note(&mut self, keys: &BTreeSet<u128>) {
        self.views.iter_mut().for_each(|view| view.written.extend(keys));
        self.held.iter_mut().for_each(|moment| moment.written.extend(keys));
    }

    fn edit(&mut self, number: u64) {
        let (kind, key) = (self.dice.below(42), self.keys[self.dice.below(self.keys.len())]);
        let before = (!self.undone.is_empty()).then(|| self.here.entries());
        let answer = call(&mut self.here, kind, key, number);
        assert_eq!(answer, call(&mut self.twin, kind, key, number), "call {kind}");
        if before.is_some_and(|before| self.here.entries() != before) {
            assert_eq!(self.here.redo(), Ok(false), "something else was done");
        }
        // (Whether there is something to redo after a call without an effect depends on the call.)
        self.undone.clear();
        let mut written = BTreeSet::from([bits(key)]);
        if (35..38).contains(&kind) {
            self.keys.iter().for_each(|&key| _ = written.insert(bits(key)));
        }
        if let Some(issued) = answer.0.filter(|_| kind < 14) {
            let its = bits(issued);
            assert!(!self.dead.contains(&its), "{issued:?} was undone, and is issued again");
            self.held.last_mut().map(|moment| moment.issued.insert(its));
            self.keys.push(issued);
            written.insert(its);
        }
        self.note(&written);
    }

    fn checkpoint(&mut self) {
        self.undone.clear();
        let (issued, written) = (BTreeSet::new(), BTreeSet::new());
        let (then, checkpoint) = (self.here.clone(), self.here.checkpoint());
        self.held.push(Moment { checkpoint, then, is_exact: true, issued, written });
    }

    fn rollback(&mut self, at: usize) {
        self.undone.clear();
        let gone = self.held.split_off(at + 1);
        let moment = &mut self.held[at];
        assert_eq!(self.here.rollback(moment.checkpoint), Ok(()));
        for later in gone {
            assert_eq!(self.here.rollback(later.checkpoint), Err(TrackError::Gone));
        }
        assert_eq!(self.here.entries(), moment.then.entries());
        if moment.is_exact {
            assert_eq!(self.here.account(), moment.then.account());
            let is_as_then = (self.saved)(&self.here) == (self.saved)(&moment.then);
            assert!(is_as_then || self.may_undo, "byte by byte");
            self.twin = moment.then.clone();
        } else {
            self.twin = self.here.clone();
        }
        moment.issued.clear();
        let written = mem::take(&mut moment.written);
        self.note(&written);
    }

    fn undo(&mut self) {
        let (now, last) = (self.here.entries(), self.held.pop());
        assert_eq!(self.here.undo(), Ok(last.is_some()));
        let Some(last) = last else { return };
        assert_eq!(self.here.entries(), last.then.entries());
        if A::Key::REMEMBERS {
            self.dead.extend(&last.issued);
        }
        self.note(&last.written);
        self.undone.push((now, last));
        // (Keys that were undone are passed over from now on, also after they were there again.)
        let moments = self.undone.iter_mut().map(|(_, moment)| moment).chain(&mut self.held);
        moments.for_each(|moment| moment.is_exact = false);
        self.twin = self.here.clone();
    }

    fn redo(&mut self) {
        let Some((then, moment)) = self.undone.pop() else { return };
        assert_eq!(self.here.redo(), Ok(true));
        assert_eq!(self.here.entries(), then);
        self.dead.retain(|key| !moment.issued.contains(key));
        self.note(&moment.written);
        self.held.push(moment);
        self.twin = self.here.clone();
    }

    fn forget(&mut self, at: usize) {
        self.here.forget(self.held[at].checkpoint).expect("it is held");
        for gone in self.held.drain(..at) {
            assert_eq!(self.here.rollback(gone.checkpoint), Err(TrackError::Gone));
        }
    }

    fn forget_all(&mut self) {
        self.here.forget_all();
        assert_eq!((self.here.undo(), self.here.redo()), (Ok(false), Ok(false)));
        self.undone.clear();
        self.held.clear();
    }

    fn poll(&mut self) {
        let at = self.dice.below(self.views.len());
        self.views[at].poll(&mut self.here);
        if self.dice.below(4) == 0 {
            let old = self.views.swap_remove(at);
            self.here.unsubscribe(old.subscriber).expect("it is its own");
            self.views.push(View::new(&mut self.here));
        }
    }

    /// The replica has the same values and free slots in the same order.
    fn publish(&mut self) {
        let delta = A::Value::delta(&mut self.here, &mut self.publisher);
        assert_eq!(A::Value::apply(&mut self.there, &delta), Ok(()));
        let again = A::Value::apply(&mut self.there, &delta);
        assert_eq!(again, Err(DeltaError::Repeated { sequence: self.deltas.len() as u64 }));
        self.deltas.push(delta);
        alike(&*self.here, &*self.there);
        if !self.may_undo {
            assert!((self.saved)(&self.there) == (self.saved)(&self.here), "byte by byte");
        }
    }

    fn check(&mut self) {
        assert_eq!(self.here.entries(), self.twin.entries());
        assert_eq!(self.here.account(), self.twin.account());
        for &dead in &self.dead {
            let key = self.keys.iter().copied().find(|&key| bits(key) == dead);
            let key = key.expect("it was issued");
            assert!(!self.here.contains_key(key), "{key:?} was undone");
            assert!(self.here.reattach(key, Item::new(0)).is_err(), "{key:?} waits");
        }
    }
}

/// They have the same values, and free slots in the same order; whether they are tracked makes no difference.
pub(crate) fn alike<A: Plain>(here: &A, there: &A) {
    assert_eq!(here.entries(), there.entries());
    assert_eq!(here.account(), there.account());
    let (mut here, mut there) = (Tracked::new(here.clone()), there.clone());
    for number in 0..80 {
        assert_eq!(
            here.try_insert(Item::new(number)).ok(),
            there.add(number),
            "the same free slots"
        );
    }
}

/// Changes the bytes of a delta, and makes its checksum right.
pub(crate) fn forged(delta: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut forged = delta[..delta.len() - 4].to_vec();
    change(&mut forged);
    forged.extend_from_slice(&crc32fast::hash(&forged).to_le_bytes());
    forged
}

/// Deltas with other bytes, whose checksum is right, are refused, and nothing has changed; or they are others.
pub(crate) fn refuses_forged<A: Revert, S: Debug + PartialEq>(
    deltas: &[Vec<u8>],
    empty: &dyn Fn() -> A,
    apply: fn(&mut Replica<A>, &[u8]) -> Result<(), DeltaError>,
    seen: &dyn Fn(&A) -> S,
    dice: &mut Dice,
) {
    for _ in 0..scaled(20, 2) {
        let last = dice.below(deltas.len());
        let [mut there, mut before] = [(); 2].map(|()| Replica::new(empty()));
        for delta in &deltas[..last] {
            assert_eq!((apply(&mut there, delta), apply(&mut before, delta)), (Ok(()), Ok(())));
        }
        let forged = forged(&deltas[last], |bytes| {
            let at = 48 + dice.below(bytes.len() - 48);
            bytes[at] = dice.below(9) as u8;
        });
        let applied = apply(&mut there, &forged).is_ok();
        let is = seen(&there);
        if !applied {
            assert_eq!(is, seen(&before), "nothing has changed");
            let next = &deltas[last];
            assert_eq!((apply(&mut there, next), apply(&mut before, next)), (Ok(()), Ok(())));
            assert_eq!(seen(&there), seen(&before), "it goes on");
        }
    }
}

fn lives<A: Plain>(saved: fn(&A) -> Vec<u8>) {
    for (number, reuse) in REUSE_ORDERS.into_iter().enumerate() {
        for seed in 1..=thorough(12, 1) as u64 {
            let life = Life::new(reuse, seed * 3 + number as u64, saved, 3);
            life.run(amount(800, 400, 60), &|| A::make(reuse));
        }
    }
}

fn saved<A: Save>(container: &A) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    Saver::new().section("it", container).write_to(&mut file).expect("there is memory");
    file.into_inner()
}

/// Values that own memory are not saved so.
fn nothing<A>(_: &A) -> Vec<u8> {
    Vec::new()
}

/// A key of few bits: after four of them, a slot is retired. Most layouts are tried with this one, which has all that
/// [`Handle`] has: each pair of a layout and a key takes a second to compile.
pub(crate) type Small = Handle32<Ship, 29>;

#[test]
fn arenas_go_back_exactly() {
    lives::<Arena<Spot, Small>>(saved);
    lives::<Arena<Spot, Serial<Spot>>>(saved);
    lives::<Arena<Spot, BareHandle<Spot>>>(saved);
}

#[test]
fn arenas_in_blocks_inside_and_pools_go_back_exactly() {
    lives::<PagedArena<Spot, Small>>(saved);
    lives::<InlineArena<Spot, 300, Small>>(saved);
    lives::<Pool<Spot, Serial<Spot>>>(nothing);
}

#[test]
fn packed_values_go_back_exactly_in_their_order() {
    lives::<DenseArena<Spot>>(saved);
    lives::<DenseSoaArena<Ship, Small>>(nothing);
}

#[test]
fn columns_go_back_exactly() {
    lives::<SoaArena<Ship, Small>>(nothing);
}

#[test]
fn a_hundred_subscribers_ask_at_different_times() {
    Life::<DenseArena<Spot>>::new(Reuse::Packed, 2, saved, scaled(100, 9))
        .run(scaled(1_000, 150), &|| Plain::make(Reuse::Packed));
}
