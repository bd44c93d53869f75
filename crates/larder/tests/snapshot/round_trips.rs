//! A loaded container is the one that was saved, and goes on as it would have.

use core::fmt::Debug;

use bytemuck::{CheckedBitPattern, NoUninit};
use larder::key::BareHandle;
use larder::maps::SparseSecondaryMap;
use larder::snapshot::{Load, Map, Save, Saver, Snapshot, SnapshotErrorKind};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, InlineArena, Key, PagedArena, Pool, Reuse,
    SecondaryMap, Soa, SoaArena, join,
};
use larder_testing::common::REUSE_ORDERS;

use super::{Scratch, load, numbers, saved};

/// An object with padding after it in a row, and a flag inside.
#[derive(Clone, Copy, Debug, PartialEq, NoUninit, CheckedBitPattern, Default)]
#[repr(C)]
struct Body {
    place: [f32; 3],
    is_asleep: bool,
    team: [u8; 3],
}

/// Its fields lie in columns.
#[derive(Clone, Copy, Debug, PartialEq, Soa, Default)]
struct Part {
    size: u16,
    place: [f64; 2],
    #[soa(nested)]
    paint: Paint,
}

#[derive(Clone, Copy, Debug, PartialEq, Soa, Default)]
struct Paint {
    colour: [u8; 3],
    is_wet: bool,
}

/// In groups of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Soa, Default)]
#[soa(lanes = 8)]
struct Lane {
    mass: f32,
    kind: u8,
}

/// A value of which all bits are valid, so that it can be mapped.
#[derive(Clone, Copy, Debug, PartialEq, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Plain {
    place: [f32; 3],
    speed: [f32; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, Default, Soa)]
struct Split {
    place: [f32; 3],
    mass: f64,
    kind: u8,
    speed: [f32; 3],
}

fn body(number: u64) -> Body {
    let place = [number as f32, -1.0, 0.5];
    Body { place, is_asleep: number % 3 == 0, team: [number as u8, 1, 2] }
}

fn part(number: u64) -> Part {
    let paint = Paint { colour: [number as u8; 3], is_wet: number % 2 == 0 };
    Part { size: number as u16, place: [number as f64, 2.0], paint }
}

fn lane(number: u64) -> Lane {
    Lane { mass: number as f32, kind: number as u8 }
}

fn plain(number: u64) -> Plain {
    Plain { place: [number as f32; 3], speed: [1.0; 3] }
}

fn split(number: u64) -> Split {
    Split { place: [number as f32; 3], mass: 2.5, kind: number as u8, speed: [1.0; 3] }
}

/// The operations on all kinds of containers.
trait Subject: Save + Load + Clone + Debug {
    type Key: Key;

    fn insert(&mut self, number: u64) -> Self::Key;
    fn remove(&mut self, key: Self::Key) -> bool;
    fn has(&self, key: Self::Key) -> bool;
    fn state(&self) -> String;
    fn made(reuse: Reuse) -> Self;
}

macro_rules! subjects {
    ($($container:ident [$value:ty, $key:ty] $of:ident $(, $made:expr)?;)*) => {$(
        impl Subject for $container<$value, $key> {
            type Key = $key;

            fn insert(&mut self, number: u64) -> $key {
                $container::insert(self, $of(number))
            }

            fn remove(&mut self, key: $key) -> bool {
                $container::remove(self, key).is_some()
            }

            fn has(&self, key: $key) -> bool {
                self.contains_key(key)
            }

            fn state(&self) -> String {
                self.validate();
                let stats = self.stats();
                let numbers = (stats.live, stats.holes, stats.retired, stats.slots);
                format!("{:?} {numbers:?}", self.iter().collect::<Vec<_>>())
            }

            fn made(reuse: Reuse) -> Self {
                Self::builder_with_key($($made)?).reuse(reuse).build()
            }
        }
    )*};
}

subjects! {
    Arena[Body, Handle32<Body, 28>] body;
    SoaArena[Part, Handle<Part>] part;
    DenseSoaArena[Lane, BareHandle<Lane>] lane;
    Arena[Plain, Handle<Plain>] plain;
    DenseArena[Plain, Handle<Plain>] plain;
    SoaArena[Split, Handle<Split>] split;
    DenseSoaArena[Split, Handle<Split>] split;
    Pool[Plain, Handle<Plain>] plain, Plain::default;
}

/// Some operations, of which keys are left.
fn play<S: Subject>(subject: &mut S, keys: &mut Vec<S::Key>, seed: u64, steps: usize) {
    let mut below = numbers(seed);
    for _ in 0..steps {
        let key = |below: u64| keys[below as usize % keys.len()];
        match below(8) {
            0..5 => keys.push(subject.insert(seed ^ keys.len() as u64)),
            5..7 if !keys.is_empty() => {
                let key = key(below(1 << 30));
                subject.remove(key);
            }
            // (Many holes, in an order that has to be saved.)
            _ if keys.len() > 10 => {
                (0..12).for_each(|_| _ = subject.remove(key(below(1 << 30))));
            }
            _ => {}
        }
    }
}

/// Random histories: saved in the middle, the loaded container goes on as the saved one does.
fn goes_on<S: Subject>() {
    for reuse in REUSE_ORDERS {
        for (seed, steps) in [(1, 0), (2, 3), (3, 70), (4, 700), (5, 3_000)] {
            let (mut subject, mut keys) = (S::made(reuse), Vec::new());
            play(&mut subject, &mut keys, seed, if cfg!(miri) { steps.min(70) } else { steps });
            let file = saved(&subject);
            let mut loaded: S = load(&file).unwrap();
            assert_eq!(loaded.state(), subject.state());
            assert!(keys.iter().all(|&key| loaded.has(key) == subject.has(key)));
            assert_eq!(saved(&loaded), file, "the same bytes");
            let mut others = keys.clone();
            play(&mut subject, &mut keys, seed + 100, 300);
            play(&mut loaded, &mut others, seed + 100, 300);
            assert_eq!(keys, others, "the same keys come next");
            assert_eq!(loaded.state(), subject.state());
        }
    }
}

/// (Histories of other containers, and keys, are in `histories`.)
#[test]
fn values_of_every_shape_go_on() {
    goes_on::<Arena<Body, Handle32<Body, 28>>>();
    goes_on::<SoaArena<Part>>();
    goes_on::<DenseSoaArena<Lane, BareHandle<Lane>>>();
}

/// With the values that it has made and nothing refers to.
#[test]
fn a_pool_goes_on() {
    goes_on::<Pool<Plain>>();
    let mut pool = Pool::with_capacity(10, || 3_u16);
    pool.insert(7);
    let loaded: Pool<u16> = load(&saved(&pool)).unwrap();
    loaded.validate();
    assert_eq!(loaded.slots(), [7, 3, 3, 3, 3, 3, 3, 3, 3, 3]);
}

/// Pages of a paged arena are read into an arena, and the other way round.
#[test]
fn rows_are_loaded_in_pages_or_in_one_block() {
    let mut paged: PagedArena<u64> = (0..1_000).collect();
    let key = paged.key_of_slot(77).unwrap();
    paged.remove(key);
    let arena: Arena<u64> = load(&saved(&paged)).unwrap();
    assert!(arena.iter().eq(paged.iter()));
    assert!(load::<PagedArena<u64>>(&saved(&arena)).unwrap().iter().eq(paged.iter()));
}

/// Slots inside their owner are saved as an arena's are, and loaded where there is room for them.
#[test]
fn an_inline_arena_goes_on() {
    type Inline = InlineArena<Body, 200, Handle32<Body, 28>>;
    let (mut inline, mut keys, mut below) = (Inline::with_key(), Vec::new(), numbers(3));
    let mut step = |inline: &mut Inline, keys: &mut Vec<_>| match below(5) {
        0..=2 => keys.extend(inline.try_insert(body(keys.len() as u64)).ok()),
        _ if keys.is_empty() => {}
        4 if below(4) == 0 => _ = inline.detach(keys[below(keys.len() as u64) as usize]),
        _ => _ = inline.remove(keys[below(keys.len() as u64) as usize]),
    };
    for round in 0..if cfg!(miri) { 3 } else { 60 } {
        (0..40).for_each(|_| step(&mut inline, &mut keys));
        let file = saved(&inline);
        let mut loaded: Inline = load(&file).unwrap();
        loaded.validate();
        assert!(loaded.iter().eq(inline.iter()), "round {round}");
        assert!(keys.iter().all(|&key| loaded.contains_key(key) == inline.contains_key(key)));
        assert_eq!(loaded.stats(), inline.stats());
        assert_eq!(saved(&loaded), file, "the same bytes");
        let arena: Arena<Body, Handle32<Body, 28>> = load(&file).unwrap();
        assert!(arena.iter().eq(inline.iter()));
        arena.validate();
        assert!(load::<Inline>(&saved(&arena)).unwrap().iter().eq(inline.iter()));
        let mut copy = inline.clone();
        for number in 0..50 {
            let (next, expected) = (loaded.try_insert(body(number)), copy.try_insert(body(number)));
            assert_eq!(next.ok(), expected.ok(), "the same keys come next");
        }
        loaded.validate();
    }
    let error = load::<InlineArena<Body, 7, Handle32<Body, 28>>>(&saved(&inline)).unwrap_err();
    assert!(matches!(error.reason, SnapshotErrorKind::Memory(_)), "{error}");
}

/// Mapped, a container answers as the saved one does; what is done to a private one stays in memory.
fn maps<C: Map + Subject>(name: &str) {
    for reuse in REUSE_ORDERS {
        maps_reusing::<C>(&format!("{name} {reuse:?}"), reuse);
    }
}

fn maps_reusing<C: Map + Subject>(name: &str, reuse: Reuse) {
    let scratch = Scratch::new(name);
    let (mut container, mut keys) = (C::made(reuse), Vec::new());
    play(&mut container, &mut keys, 9, if cfg!(miri) { 100 } else { 40_000 });
    Saver::new().section("it", &container).save(scratch.file()).unwrap();
    let before = std::fs::read(scratch.file()).unwrap();
    let mut snapshot = Snapshot::open(scratch.file()).unwrap();
    // SAFETY: the file is this test's alone.
    let (mapped, mut own) = unsafe {
        (snapshot.map::<C>("it").unwrap(), snapshot.map_private::<C>("it", 100_000).unwrap())
    };
    assert_eq!(mapped.state(), container.state());
    assert!(keys.iter().all(|&key| mapped.has(key) == container.has(key)));
    let mut copy = C::clone(&mapped);
    copy.remove(keys[0]);
    copy.state();

    let mut others = keys.clone();
    play(&mut container, &mut keys, 10, if cfg!(miri) { 100 } else { 20_000 });
    play(&mut own, &mut others, 10, if cfg!(miri) { 100 } else { 20_000 });
    assert_eq!(keys, others);
    assert_eq!(own.state(), container.state());
    assert_eq!(saved(&own), saved(&container));
    let mut copy = own.clone();
    copy.insert(1);
    copy.state();
    drop(own);
    assert_eq!(std::fs::read(scratch.file()).unwrap(), before, "the file stays as it is");
    drop(scratch);
    assert!(
        keys.len() > 10 && mapped.has(others[0]) == mapped.has(keys[0]),
        "removed, it is mapped still"
    );
}

/// A mapped container and a loaded one beside it are walked together, by the keys that both had.
#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn a_mapped_container_is_joined_with_loaded_side_data() {
    let scratch = Scratch::new("join");
    let mut objects: Arena<Plain> = (0..20_000).map(plain).collect();
    let mut columns: SoaArena<Split, Handle<Plain>> = (0..20_000).map(split).collect();
    let keys: Vec<_> = objects.keys().collect();
    let ages: SecondaryMap<Handle<Plain>, u32> =
        keys.iter().step_by(3).map(|&key| (key, key.slot() * 2)).collect();
    let marked: SparseSecondaryMap<Handle<Plain>, bool> =
        keys.iter().step_by(5).map(|&key| (key, true)).collect();
    // (Objects that go leave stale side data.)
    keys.iter().step_by(2).for_each(|&key| assert!(objects.remove(key).is_some()));
    keys.iter().step_by(7).for_each(|&key| assert!(columns.remove(key).is_some()));
    let saver = Saver::new().section("objects", &objects).section("columns", &columns);
    saver.section("ages", &ages).section("marked", &marked).save(scratch.file()).unwrap();

    let mut snapshot = Snapshot::open(scratch.file()).unwrap();
    let ages: SecondaryMap<Handle<Plain>, u32> = snapshot.load("ages").unwrap();
    let marked: SparseSecondaryMap<Handle<Plain>, bool> = snapshot.load("marked").unwrap();
    // SAFETY: the file is this test's alone.
    let (objects, columns) = unsafe {
        let columns = snapshot.map::<SoaArena<Split, Handle<Plain>>>("columns").unwrap();
        (snapshot.map::<Arena<Plain>>("objects").unwrap(), columns)
    };
    let mut expected: Vec<u32> =
        (0..20_000).filter(|slot| slot % 2 > 0 && slot % 3 == 0 && slot % 7 > 0).collect();
    let joined = join((&*objects, &ages, &*columns));
    let found = joined.map(|(key, (object, &age, column))| {
        assert_eq!((object.place[0], age), (key.slot() as f32, key.slot() * 2));
        assert_eq!((column.place[0], *column.kind), (key.slot() as f32, key.slot() as u8));
        key.slot()
    });
    assert_eq!(found.collect::<Vec<_>>(), expected);
    expected.retain(|slot| slot % 5 == 0);
    let found = join((&*objects, &ages, &*columns, &marked)).map(|(key, _)| key.slot());
    assert!(expected.len() > 500);
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn rows_are_mapped() {
    maps::<Arena<Plain>>("rows");
    maps::<DenseArena<Plain>>("dense rows");
    maps::<Pool<Plain>>("pool");
}

#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn columns_are_mapped() {
    maps::<SoaArena<Split>>("columns");
    maps::<DenseSoaArena<Split>>("dense columns");
}

/// A row that is aligned more strictly than what a file is read through.
#[test]
fn values_of_any_alignment_are_loaded() {
    #[derive(Clone, Copy, Debug, PartialEq, NoUninit, CheckedBitPattern)]
    #[repr(C, align(256))]
    struct Aligned([u32; 64]);

    fn goes_there_and_back<C: Save + Load>(container: &C, values: impl Fn(&C) -> Vec<Aligned>) {
        let loaded = load::<C>(&saved(container)).unwrap();
        assert_eq!(values(&loaded), values(container));
    }

    let all = || (0..40).map(|number| Aligned([number; 64]));
    goes_there_and_back(&Arena::<_>::from_iter(all()), |it| it.values().copied().collect());
    goes_there_and_back(&PagedArena::<_>::from_iter(all()), |it| it.values().copied().collect());
    goes_there_and_back(&DenseArena::<_>::from_iter(all()), |it| it.values().copied().collect());
}

/// Rows that take no bytes: a file has none of them.
#[test]
fn values_and_keys_without_a_size_are_loaded() {
    let mut arena = Arena::<(), BareHandle<()>>::with_key();
    let keys = [0, 1, 2].map(|_| arena.insert(()));
    arena.remove(keys[1]);
    let loaded = load::<Arena<(), BareHandle<()>>>(&saved(&arena)).unwrap();
    loaded.validate();
    assert_eq!(keys.map(|key| loaded.contains_key(key)), [true, false, true]);
}

#[test]
fn all_slots_that_keys_can_name_are_loaded() {
    let mut arena: Arena<u32, Handle32<u32, 6>> = Arena::with_key();
    while arena.try_insert(7).is_ok() {}
    assert!((60..=64).contains(&arena.len()));
    let loaded: Arena<u32, Handle32<u32, 6>> = load(&saved(&arena)).unwrap();
    assert!(loaded.iter().eq(&arena));
}

/// Detached and retired slots are noted where there are any.
#[test]
fn slots_that_are_taken_are_loaded() {
    let mut arena: Arena<u8, Handle32<u8, 30>> = Arena::with_key();
    let keys: Vec<_> = (0..640).map(|_| arena.insert(1)).collect();
    let none = saved(&arena).len();
    // (Such keys have two lives.)
    arena.remove(keys[0]);
    let last = arena.insert(2);
    arena.remove(last);
    arena.detach(keys[1]);
    assert_eq!((arena.stats().retired, arena.stats().detached, arena.stats().slots), (1, 1, 640));
    let file = saved(&arena);
    assert!(file.len() >= none + 640 / 8, "a bit each");
    let mut loaded: Arena<u8, Handle32<u8, 30>> = load(&file).unwrap();
    loaded.validate();
    assert_eq!((loaded.stats().retired, loaded.stats().detached), (1, 1));
    assert!(loaded.reattach(keys[1], 3).is_ok() && loaded.reattach(last, 3).is_err());
}
