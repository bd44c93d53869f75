//! Keys that were never handed out, by any way to make one: none reaches a value but the one whose key
//! it equals, whatever its slot is: live, free, kept for a key, retired or never begun.

use core::ops::Index;
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, InlineArena, Key, PagedArena, Pool,
    SoaArena, join,
    key::{BareHandle, PtrHandle, Serial},
    maps::SparseSecondaryMap,
};
use larder_testing::caught::panic_of;
use larder_testing::fields::Mixed;
use larder_testing::forge::{Forged, forgeries, numbers};
use larder_testing::own::{Own, OwnSerial, OwnSlot, OwnThreeBits};
use larder_testing::subject::{Config, ORDERS, Subject, TestKey};
use larder_testing::values::{Seen, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A container with slots of all kinds.
struct Scene<S: Subject<Key: Forged>> {
    subject: S,
    /// The number in the value of each live key.
    live: BTreeMap<S::Key, u32>,
    detached: BTreeSet<S::Key>,
    /// Every key that was handed out, here or by a container with more slots.
    issued: BTreeSet<S::Key>,
    next: u32,
}

/// The number of slots that a scene has in use.
const SLOTS: u32 = 11;

impl<S: Subject<Key: Forged>> Scene<S> {
    fn new(config: Config) -> Self {
        let (subject, issued) = (S::build(config), BTreeSet::new());
        let mut scene =
            Scene { subject, live: BTreeMap::new(), detached: BTreeSet::new(), issued, next: 1 };
        let mut keys: Vec<_> = (0..SLOTS).map(|_| scene.insert()).collect();
        for slot in [1, 3] {
            keys[slot] = scene.insert_again(keys[slot]);
        }
        for slot in [6, 7, 8, 9] {
            keys[slot] = scene.wear(keys[slot]);
        }
        // Two stay detached in an early life, one in its last; two are released.
        for slot in [2, 3, 4, 7, 8] {
            scene.detach(keys[slot]);
        }
        for slot in [4, 7] {
            assert!(scene.subject.release(keys[slot]));
            scene.detached.remove(&keys[slot]);
        }
        // Two are freed, one of them for good if its lives are used up.
        for slot in [5, 6] {
            scene.remove(keys[slot]);
        }
        scene.issued.extend(Self::foreign());
        scene
    }

    /// Keys of another container: of slots that this one never began, and of other generations.
    fn foreign() -> Vec<S::Key> {
        let mut other = S::build(Config::new(larder::Reuse::Packed, None));
        let first: Vec<_> = other.insert_many((0..SLOTS + 1).map(Value::make)).collect();
        other.retain(|key, _| key.slot() >= SLOTS);
        let second: Vec<_> = other.insert_many((0..SLOTS).map(Value::make)).collect();
        first.into_iter().chain(second).collect()
    }

    fn insert(&mut self) -> S::Key {
        let key = self.subject.insert(S::Value::make(self.next));
        self.live.insert(key, self.next);
        self.issued.insert(key);
        self.next += 1;
        key
    }

    fn remove(&mut self, key: S::Key) {
        let id = self.live.remove(&key).expect("it is live");
        assert_eq!(self.subject.remove(key).expect("it is live").id(), id);
    }

    /// The next life of a slot, the only one that is free meanwhile.
    fn insert_again(&mut self, key: S::Key) -> S::Key {
        self.remove(key);
        let next = self.insert();
        assert_eq!(next.slot(), key.slot());
        next
    }

    /// A slot in its last life, if it has few, or if a test can make it so; in its second, otherwise.
    fn wear(&mut self, mut key: S::Key) -> S::Key {
        let few = if cfg!(miri) { 8 } else { 4_096 };
        let issued = self.issued.clone();
        while S::Key::LIVES <= few && !key.is_last() {
            key = self.insert_again(key);
        }
        if S::Key::LIVES > 8 {
            // The lives between are too many to be forged.
            self.issued = issued;
            self.issued.insert(key);
        }
        if let (Some(free), Some(_)) = (S::Key::LAST_FREE, self.subject.as_arena()) {
            self.remove(key);
            if let Some(arena) = self.subject.as_arena() {
                arena.set_generation_for_test(key.slot(), free);
            }
            key = self.insert();
            assert!(key.is_last());
        }
        if key.is_last() { key } else { self.insert_again(key) }
    }

    fn detach(&mut self, key: S::Key) {
        assert!(self.subject.detach(key).is_some());
        self.live.remove(&key);
        self.detached.insert(key);
    }

    /// The keys of which others are made: under Miri the newest of each slot alone.
    fn models(&self) -> Vec<S::Key> {
        let newest = self.newest();
        self.issued.iter().filter(|key| !cfg!(miri) || newest.contains(key)).copied().collect()
    }

    fn newest(&self) -> BTreeSet<S::Key> {
        // (To collect into a map takes code that sorts, for each type of iterator.)
        let (mut by_slot, mut newest) = (BTreeMap::new(), BTreeSet::new());
        self.issued.iter().for_each(|key| _ = by_slot.insert(key.slot(), *key));
        by_slot.into_values().for_each(|key| _ = newest.insert(key));
        newest
    }

    /// One hole is left: the last that was made, which its container knows by its number alone.
    fn fill_holes_but_one(&mut self) {
        while self.subject.stats().holes > 0 {
            self.insert();
        }
        self.remove(*self.live.keys().find(|key| key.slot() == 5).expect("it is live"));
    }

    /// Asks about a key in every way; only what it equals may answer.
    fn ask(&mut self, key: S::Key) {
        let expected = self.live.get(&key).map(|&id| S::Value::seen(id));
        let Scene { subject, live, detached, .. } = self;
        assert_eq!(subject.contains_key(key), expected.is_some(), "{key:?}");
        assert_eq!(subject.get(key).map(|value| value.id()), expected, "{key:?}");
        assert_eq!(subject.get_mut(key).map(|value| value.id()), expected, "{key:?}");
        assert_eq!(subject.get_disjoint_mut([key]).is_ok(), expected.is_some(), "{key:?}");
        if let Some(neighbour) = subject.next_key(key) {
            assert!(neighbour != key && live.contains_key(&neighbour), "{key:?}: {neighbour:?}");
        }
        if expected.is_none() {
            let some = subject.keys().next().expect("there are live ones");
            assert!(subject.get_disjoint_mut([some, key]).is_err(), "{key:?}");
            assert!(subject.detach(key).is_none() && subject.remove(key).is_none(), "{key:?}");
        }
        if !detached.contains(&key) {
            let refused = subject.reattach(key, S::Value::make(7)).expect_err("it is not detached");
            assert_eq!(refused.value.id(), S::Value::seen(7));
            assert!(!subject.release(key), "{key:?}");
        }
    }

    /// After all that each value is where it was, and none was lost or made.
    fn end(mut self) {
        self.subject.validate();
        assert!(self.subject.keys().all(|key| self.live.contains_key(&key)));
        assert_eq!(self.subject.keys().count(), self.live.len());
        for (&key, &id) in &self.live {
            assert_eq!(self.subject.get(key).expect("it is live").id(), S::Value::seen(id));
        }
        for key in self.detached {
            assert!(self.subject.reattach(key, S::Value::make(8)).is_ok(), "{key:?} is kept");
        }
        self.subject.validate();
    }
}

/// Forges the keys of a scene, the newest of each slot in more ways; then those of a clone with one hole.
fn forge<S: Subject<Key: Forged>>() {
    let before = S::Value::alive();
    for cloned in [false, true] {
        let mut scene = Scene::<S>::new(Config::new(ORDERS[0], None));
        if cloned {
            scene.fill_holes_but_one();
            scene.subject = scene.subject.clone();
        }
        let alive = S::Value::alive();
        let newest = scene.newest();
        for key in scene.models() {
            let pairs = !cfg!(miri) && !cloned && newest.contains(&key);
            forgeries(key, pairs).for_each(|forged| scene.ask(forged));
        }
        scene.ask(Key::DANGLING);
        assert_eq!(S::Value::alive(), alive, "no value was moved out, none was dropped twice");
        scene.end();
        assert_eq!(S::Value::alive(), before, "each value was dropped once");
    }
}

type Last<const INDEX_BITS: u32> = Handle32<Mixed, INDEX_BITS>;

type Four = Last<29>;

type Two = Last<30>;

/// What decides in a container is how many lives a slot has, and how long a generation is: two lives, serials, none.
macro_rules! forged {
    ($($name:ident: $container:ident $(of $slots:literal)?;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn forged_handles_of_few_lives() {
                forge::<$container<Mixed, $($slots,)? Two>>();
            }

            #[test]
            fn forged_keys_of_others_join_nothing() {
                type S = $container<Mixed, $($slots,)? Two>;
                join_forged::<S>(|all, of| join((all, of)).count());
            }
        }
    )*};
}

forged! {
    arena: Arena;
    dense_arena: DenseArena;
    inline_arena: InlineArena of 13;
    paged_arena: PagedArena;
    soa_arena: SoaArena;
    dense_soa_arena: DenseSoaArena;
    pool: Pool;
}

/// (Rows in blocks, inline and in columns have the slots of an `Arena`, packed columns those of a `DenseArena`.)
#[test]
fn forged_serials() {
    forge::<Arena<Mixed, Serial<Mixed>>>();
    forge::<DenseArena<Mixed, Serial<Mixed>>>();
    join_forged::<Arena<Mixed, Serial<Mixed>>>(|all, of| join((all, of)).count());
}

#[test]
fn forged_slots() {
    forge::<Arena<Mixed, BareHandle<Mixed>>>();
    forge::<DenseArena<Mixed, BareHandle<Mixed>>>();
}

/// The other keys: which bits are whose is the key's affair, not the container's.
#[test]
#[cfg_attr(miri, ignore = "serials and few lives are what can go wrong")]
fn forged_handles_of_all_lengths() {
    forge::<Arena<Mixed, Handle<Mixed>>>();
    forge::<Arena<Mixed, Last<20>>>();
    forge::<Arena<Mixed, Last<4>>>();
    forge::<Arena<Mixed, Four>>();
}

/// Every way makes the same key of a number, or none.
fn ways_agree<K: TestKey + Forged>() {
    let mut arena = Arena::<u32, K>::with_key();
    let keys: Vec<K> = (0..3).map(|value| arena.insert(value)).collect();
    for key in keys.into_iter().chain([K::DANGLING]) {
        for bits in numbers(key, !cfg!(miri)) {
            let made = K::of_bits(bits);
            let is_of_highest_slot = bits & K::slot_mask() == K::MAX_SLOTS.into();
            match made {
                Some(made) if is_of_highest_slot => assert_eq!(made, K::DANGLING, "{bits:x}"),
                Some(made) => assert!(made.bits() == bits && !made.is_dangling(), "{bits:x}"),
                None => (),
            }
            let (json, postcard) = K::saved(bits);
            assert_eq!(serde_json::from_str(&json).ok(), made, "{json}");
            assert_eq!(postcard::from_bytes(&postcard).ok(), made, "{bits:x}");
            // Bytes are taken as they are: of the keys that dangle there is one.
            let same = made.filter(|made| made.bits() == bits);
            assert!(K::of_bytes(bits).is_none_or(|read| read == same), "{bits:x}");
        }
    }
}

#[test]
fn forged_keys_are_the_same_by_every_way() {
    ways_agree::<Handle<u32>>();
    ways_agree::<Handle32<u32>>();
    ways_agree::<Handle32<u32, 2>>();
    ways_agree::<Handle32<u32, 30>>();
    ways_agree::<Serial<u32>>();
    ways_agree::<BareHandle<u32>>();
    ways_agree::<Own>();
    ways_agree::<OwnThreeBits>();
    ways_agree::<OwnSlot>();
    ways_agree::<OwnSerial>();
}

/// The dangling key is one that can be made, saved and loaded, and has no value anywhere.
fn dangles<K: TestKey + Forged>() {
    let key = K::DANGLING;
    assert!(key.is_dangling() && key == K::default() && key.slot() == K::MAX_SLOTS);
    assert_eq!(K::of_bits(key.bits()), Some(key));
    assert_eq!(K::from_bits(key.to_bits()), Some(key));
    let saved = serde_json::to_string(&key).unwrap();
    assert_eq!(serde_json::from_str::<K>(&saved).unwrap(), key);
    assert_eq!(postcard::from_bytes::<K>(&postcard::to_allocvec(&key).unwrap()).unwrap(), key);
    let mut arena = Arena::<u32, K>::with_key();
    let live = arena.insert(1);
    assert!(!live.is_dangling() && K::from_bits(live.to_bits()) == Some(live));
    assert_eq!(live.to_bits().into(), live.bits());
    assert!(arena.get(key).is_none() && arena.remove(key).is_none() && !arena.release(key));
    assert_eq!(arena.next_key(key), None);
}

#[test]
fn forged_keys_that_dangle_stay_keys() {
    dangles::<Handle<u32>>();
    dangles::<Handle32<u32>>();
    dangles::<Handle32<u32, 3>>();
    dangles::<Serial<u32>>();
    dangles::<BareHandle<u32>>();
    dangles::<Own>();
    dangles::<OwnThreeBits>();
    dangles::<OwnSlot>();
    dangles::<OwnSerial>();
}

/// The numbers with which slots wait for their keys are those of no key.
#[test]
fn forged_serials_beyond_those_of_insertions_are_none() {
    let mut arena = Arena::<String, Serial<String>>::with_key();
    let key = arena.insert("moved out".into());
    let value = arena.detach(key).unwrap();
    assert_eq!(Serial::<String>::from_bits(key.to_bits() | 1 << 95), None);
    let json = r#"{"idx":0,"version":9223372036854775809}"#;
    assert!(serde_json::from_str::<Serial<String>>(json).is_err());
    let greatest = Serial::<String>::from_bits((u128::from(u64::MAX >> 1) << 32) | 1).unwrap();
    assert_eq!(arena.get(greatest), None);
    arena.reattach(key, value).unwrap();
    assert_eq!(arena[key], "moved out");
}

/// The panic about a forged key is in words, whatever its slot is.
fn index_panics<C: Subject<Key: Forged> + Index<<C as Subject>::Key>>() {
    let scene = Scene::<C>::new(Config::new(ORDERS[0], None));
    for forged in scene.issued.iter().flat_map(|&key| forgeries(key, false)) {
        if !scene.subject.contains_key(forged) {
            let message = panic_of(|| _ = core::hint::black_box(&scene.subject[forged])).message;
            let named = match Key::is_dangling(forged) {
                true => "the key is dangling".to_owned(),
                false => format!("key {forged:?}"),
            };
            assert!(message.contains(&named), "{message}");
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "safe code, and too much of it to interpret")]
fn forged_keys_as_an_index_are_panics() {
    index_panics::<Arena<Mixed, Handle<Mixed>>>();
    index_panics::<Arena<Mixed, Two>>();
    index_panics::<DenseArena<Mixed, Serial<Mixed>>>();
}

/// The methods that only some containers have.
#[test]
fn forged_keys_replace_nothing() {
    type K = Serial<Mixed>;
    let mut dense = Scene::<DenseArena<Mixed, K>>::new(Config::new(ORDERS[0], None));
    let mut columns = Scene::<SoaArena<Mixed, K>>::new(Config::new(ORDERS[0], None));
    let mut packed = DenseSoaArena::<Mixed, K>::with_key();
    let forged = |models: Vec<K>| models.into_iter().flat_map(|key| forgeries(key, false));
    for key in forged(dense.models()).filter(|key| !dense.live.contains_key(key)) {
        assert_eq!(dense.subject.get_index_of(key), None);
        assert!(dense.subject.remove_ordered(key).is_none());
    }
    for key in forged(columns.models()).filter(|key| !columns.live.contains_key(key)) {
        assert!(columns.subject.replace(key, Mixed::make(7)).is_err());
        assert!(packed.replace(key, Mixed::make(7)).is_err());
    }
    dense.end();
    columns.end();
}

#[test]
fn forged_keys_reach_nothing_through_inserters() {
    let mut scene = Scene::<Arena<Mixed, Serial<Mixed>>>::new(Config::new(ORDERS[0], None));
    let forged: Vec<_> = scene.models().into_iter().flat_map(|key| forgeries(key, false)).collect();
    let live = scene.live.clone();
    let inserter = scene.subject.inserter();
    assert!(forged.iter().all(|key| inserter.get(*key).is_some() == live.contains_key(key)));
    let inserter = scene.subject.shared_inserter(1).unwrap();
    assert!(forged.iter().all(|key| inserter.get(*key).is_some() == live.contains_key(key)));
    drop(inserter);
    scene.end();
}

/// Any address with any generation.
#[test]
fn forged_pointers() {
    let mut arena = Arena::<Mixed>::fixed(8);
    let keys: Vec<_> = (0..7).map(|id| arena.insert(Mixed::make(id))).collect();
    let mut pointers: Vec<_> =
        keys.iter().map(|&key| PtrHandle::of(&arena, key).unwrap()).collect();
    for slot in [1, 2, 3] {
        arena.remove(keys[slot]);
    }
    arena.set_generation_for_test(3, u32::MAX - 3);
    let again = [7, 8, 9].map(|id| arena.insert(Mixed::make(id)));
    pointers.extend(again.map(|key| PtrHandle::of(&arena, key).unwrap()));
    // One detached, one detached in its last life, one free.
    assert!(arena.detach(keys[0]).is_some() && arena.detach(again[2]).is_some());
    assert!(arena.remove(keys[4]).is_some());
    let live: BTreeSet<_> = arena.keys().map(|key| PtrHandle::of(&arena, key).unwrap()).collect();
    let generations = (0..16).chain((0..32).map(|bit| 1 << bit | 1)).chain(u32::MAX - 8..=u32::MAX);
    for (pointer, generation) in
        pointers.iter().flat_map(|&of| generations.clone().map(move |to| (of, to)))
    {
        let address = pointer.address().get();
        let turned = (0..usize::BITS).map(|bit| address ^ 1 << bit);
        for address in turned.chain([address, usize::MAX]) {
            let Some(forged) = PtrHandle::from_parts(address, generation) else { continue };
            let expected = live.contains(&forged);
            assert_eq!(forged.get(&arena).is_some(), expected, "{forged}");
            assert_eq!(forged.get_mut(&mut arena).is_some(), expected, "{forged}");
            assert_eq!(forged.key(&arena).is_some(), expected, "{forged}");
        }
    }
    arena.validate();
}

type Marks<K> = SparseSecondaryMap<K, ()>;

/// A map that has an entry under a forged key is joined as the container is.
fn join_forged<S: Subject<Key: Forged>>(joined: impl Fn(&S, &Marks<S::Key>) -> usize) {
    for full in [false, true] {
        let mut scene = Scene::<S>::new(Config::new(ORDERS[0], None));
        if full {
            scene.fill_holes_but_one();
        }
        for forged in scene.models().into_iter().flat_map(|key| forgeries(key, false)) {
            let mut marks = Marks::new();
            let filed = marks.try_insert(forged, ()).is_ok();
            let expected = filed && scene.live.contains_key(&forged);
            assert_eq!(joined(&scene.subject, &marks), usize::from(expected), "{forged:?}");
        }
    }
}
