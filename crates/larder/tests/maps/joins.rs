//! Joins: what several containers and maps have in common, against looking each key up in all.

use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, InlineArena, Key, PagedArena, Pool, Reuse,
    SecondaryMap, SoaArena, join,
    key::{BareHandle, Serial},
    maps::SparseSecondaryMap,
};
use larder_testing::common::{SplitMix, scaled, thorough};
use larder_testing::forge::MadeKey;

/// Containers and maps of all kinds, that have the keys of the first, more or less.
struct World<K: Key> {
    arena: Arena<u32, K>,
    dense: DenseArena<u32, K>,
    paged: PagedArena<u32, K>,
    pool: Pool<u32, K>,
    columns: SoaArena<u32, K>,
    packed_columns: DenseSoaArena<u32, K>,
    inline: InlineArena<u32, 200, K>,
    near: SecondaryMap<K, u32>,
    sparse: SparseSecondaryMap<K, u32>,
}

/// Does something to each container that fills its slots in the same order.
macro_rules! in_all {
    ($world:ident, |$one:ident| $act:expr) => {
        in_all!($world, |$one| $act, arena, dense, paged, pool, columns, packed_columns)
    };
    ($world:ident, |$one:ident| $act:expr, $($field:ident),*) => {
        $({
            let $one = &mut $world.$field;
            $act;
        })*
    };
}

/// Does the same to all containers, so that they hand out the same keys; then each goes its own way.
fn world<K: Key>(seed: u64, slots: usize) -> World<K> {
    let mut random = SplitMix::new(seed);
    let mut world = World {
        arena: Arena::builder_with_key().reuse(Reuse::Packed).build(),
        dense: DenseArena::with_key(),
        paged: PagedArena::builder_with_key().block_bytes(40).build(),
        pool: Pool::with_key(|| 0),
        columns: SoaArena::with_key(),
        packed_columns: DenseSoaArena::with_key(),
        inline: InlineArena::with_key(),
        near: SecondaryMap::new(),
        sparse: SparseSecondaryMap::new(),
    };
    let mut keys: Vec<K> = Vec::new();
    for round in 0..2 {
        for id in 0..(slots - keys.len()) as u32 {
            let key = world.arena.vacant_entry().key();
            in_all!(world, |one| assert_eq!(one.insert(id), key));
            world.inline.insert(id); // maybe under another: it takes the lowest slot
            keys.push(key);
            if random.below(3) > 0 {
                world.near.insert(key, id + 1_000);
            }
            if random.below(4) == 0 {
                world.sparse.insert(key, id + 2_000);
            }
        }
        // Before the second round all lose the same; whose side data is stale then.
        for _ in 0..if round == 0 { slots / 2 } else { 0 } {
            let key = random.take(&mut keys);
            in_all!(world, |one| one.remove(key));
            world.inline.remove(key);
        }
    }
    let lose = seed as usize % 5;
    for key in keys {
        let mut loses = || lose > 0 && random.below(lose) == 0;
        in_all!(world, |one| loses().then(|| one.remove(key)));
        loses().then(|| world.inline.remove(key));
    }
    world
}

/// Joins, and looks each key of the first up in the others: both must find the same, once each.
macro_rules! check {
    ($first:expr $(, $other:expr)*) => {{
        let mut expected: Vec<_> = $first.iter().map(|(key, _)| key).collect();
        $(expected.retain(|key| $other.contains_key(*key));)*
        expected.sort();
        let mut found = Vec::new();
        for (key, items) in join((&$first, $(&$other,)*)) {
            assert_eq!(items, ($first.get(key).unwrap(), $($other.get(key).unwrap(),)*));
            found.push(key);
        }
        let mut by_fold = Vec::new();
        join((&$first, $(&$other,)*)).for_each(|(key, _)| by_fold.push(key));
        assert!(found == by_fold, "however it is walked");
        let (least, most) = join((&$first, $(&$other,)*)).size_hint();
        assert!(least <= found.len() && found.len() <= most.unwrap());
        found.sort();
        assert_eq!(found, expected);
        found.len()
    }};
}

/// A container by slot, a packed one and maps, first and second.
fn joins_find<K: Key>(World { arena, dense, near, sparse, .. }: &World<K>) -> usize {
    check!(*arena)
        + check!(*near)
        + check!(*arena, *near)
        + check!(*near, *dense)
        + check!(*sparse, *arena)
        + check!(*near, *sparse)
        + check!(*sparse, *dense, *near)
}

/// Every other kind of container, alone, first and second, in pairs and more. (The keys make no difference.)
fn joins_of_all_kinds(world: &World<Handle<u32>>) -> usize {
    let World { arena, dense, paged, pool, columns, packed_columns, inline, near, sparse } = world;
    check!(*dense)
        + check!(*paged)
        + check!(*pool)
        + check!(*columns)
        + check!(*packed_columns)
        + check!(*inline)
        + check!(*sparse)
        + check!(*near, *arena)
        + check!(*dense, *near)
        + check!(*paged, *pool)
        + check!(*pool, *paged)
        + check!(*inline, *arena)
        + check!(*arena, *inline)
        + check!(*arena, *sparse)
        + check!(*sparse, *near)
        + check!(*arena, *near, *sparse)
        + check!(*dense, *paged, *inline)
        + check!(*arena, *dense, *paged, *pool)
        + check!(*near, *inline, *sparse, *dense)
        + check!(*columns, *arena)
        + check!(*sparse, *columns)
        + check!(*packed_columns, *columns)
        + check!(*near, *packed_columns, *columns, *pool)
}

#[test]
fn joins_find_what_all_have() {
    let mut found = 0;
    for seed in 0..thorough(60, 2) as u64 {
        let slots = [1, 3, 63, 64, 65, 130, 200][seed as usize % 7];
        let slots = if cfg!(miri) { 20 } else { slots };
        let handles = world::<Handle<u32>>(seed, slots);
        found += joins_find(&handles) + joins_of_all_kinds(&handles);
        found += joins_find(&world::<Serial<u32>>(seed, slots));
        found += joins_find(&world::<BareHandle<u32>>(seed, slots));
    }
    assert!(found > scaled(10_000, 100), "only {found} were found");
}

#[test]
fn what_is_far_from_one_is_found_in_all() {
    let mut random = SplitMix::new(7);
    for round in 0..thorough(200, 6) {
        let mut maps = [const { SecondaryMap::<Handle<u8>, u32>::new() }; 2];
        let mut sparse = SparseSecondaryMap::new();
        for id in 0..random.below(60) as u32 {
            let slot = match random.below(3) {
                0 => random.below(40),
                1 => 300 + random.below(40),
                _ => 5_000 * random.below(20),
            };
            let bits = (2 * random.below(2) as u64 + 1) << 32 | slot as u64;
            let key = Handle::from_bits(bits).unwrap();
            match random.below(4) {
                one @ 0..=1 => maps[one].extend([(key, id)]),
                _ => maps.iter_mut().for_each(|map| map.extend([(key, id)])),
            }
            if random.below(2) == 0 {
                sparse.insert(key, id);
            }
            if round % 5 == 0 {
                maps[0].shrink_to_fit();
            }
        }
        let [one, other] = &maps;
        check!(*one, *other);
        check!(*other, *one);
        check!(*one, sparse, *other);
        check!(sparse, *other, *one);
        // All values are lent at once, and each is another.
        let [one, other] = &mut maps;
        let (before, both) = (one.clone(), join((&*one, &*other)).count());
        let held: Vec<_> = join((&mut *one, &mut *other)).collect();
        assert_eq!(held.len(), both);
        held.into_iter().for_each(|(_, (a, b))| (*a, *b) = (*b + 1, *a + 1));
        let swapped = before.iter().filter(|(key, _)| other.contains_key(*key));
        assert!(swapped.into_iter().all(|(key, value)| other[key] == value + 1));
    }
}

#[test]
fn mutable_and_shared_side_by_side() {
    let count = scaled(1_000, 80);
    let mut birds = Arena::from_iter(0..count as u32);
    let mut speeds = SecondaryMap::new();
    let mut rings = SparseSecondaryMap::new();
    let mut weights: DenseArena<u32, Handle<u32>> = DenseArena::from_iter(0..count as u32);
    for (key, number) in &birds {
        if number % 3 == 0 {
            speeds.insert(key, 10 * number);
        }
        if number % 7 == 0 {
            rings.insert(key, String::from("ring"));
        }
    }
    let all = join((&mut birds, &mut speeds, &mut rings, &mut weights));
    // All at once: none may be another.
    let held: Vec<_> = all.collect();
    assert_eq!(held.len(), count.div_ceil(21));
    for (key, (bird, speed, ring, weight)) in held {
        assert_eq!((key.slot(), *bird, *speed, *weight), (*bird, key.slot(), 10 * *bird, *bird));
        *speed += 1;
        ring.push('!');
        *weight = 0;
        *bird += 5_000;
    }
    assert!(weights.iter().all(|(key, weight)| (*weight == 0) == (key.slot() % 21 == 0)));
    assert!(rings.values().filter(|ring| ring.ends_with('!')).count() == count.div_ceil(21));
    assert!(birds.values().all(|bird| *bird >= 5_000 || bird % 21 != 0));
    assert!(speeds.values().filter(|speed| *speed % 10 == 1).count() == count.div_ceil(21));
}

#[test]
fn values_inside_their_owner_and_in_blocks_are_lent_to_be_changed() {
    let mut inline = InlineArena::<_, 70, Handle<u32>>::with_key();
    inline.extend(0..70);
    let mut paged: PagedArena<u32> = PagedArena::builder().block_bytes(24).build();
    paged.extend(0..70);
    let mut pool = Pool::new(|| 0);
    pool.extend(0..70);
    let held: Vec<_> = join((&mut inline, &mut paged, &mut pool)).collect();
    assert_eq!(held.len(), 70);
    for (_, (a, b, c)) in held {
        core::mem::swap(a, b);
        *c += *a;
    }
    assert!(pool.iter().all(|(key, value)| *value == 2 * key.slot()));
}

#[test]
fn columns_are_lent_field_by_field() {
    let mut names = SoaArena::<(u32, String), Handle<u32>>::with_key();
    let mut shares = DenseSoaArena::<(f32, u8), Handle<u32>>::with_key();
    let keys: Vec<_> = (0..70).map(|number| names.insert((number, number.to_string()))).collect();
    assert!(keys.iter().all(|&key| key == shares.insert((0.5, 7))));
    names.remove(keys[3]);
    shares.remove(keys[0]);
    let held: Vec<_> = join((&mut names, &mut shares)).collect();
    assert_eq!(held.len(), 68);
    for (key, ((number, name), (share, byte))) in held {
        assert_eq!((key.slot(), &**name, *byte), (*number, &*number.to_string(), 7));
        *share *= *number as f32;
        name.push('!');
    }
    assert!(
        shares.iter().all(|(key, (share, _))| key == keys[3] || *share == key.slot() as f32 / 2.0)
    );
    assert!(names.iter().all(|(key, (_, name))| name.ends_with('!') == (key != keys[0])));
    let lent: (u32, &str, f32) = join((&names, &shares))
        .map(|(_, ((number, name), (share, _)))| (*number, &**name, *share))
        .last()
        .unwrap();
    assert_eq!(lent, (69, "69!", 34.5));
}

/// The only hole of a full container has its bit still.
#[test]
fn the_lone_hole_is_no_slot_in_use() {
    let mut arena = Arena::from_iter(0..200);
    let map: SecondaryMap<_, _> = arena.keys().map(|key| (key, ())).collect();
    let key = arena.key_of_slot(130).unwrap();
    arena.remove(key);
    assert_eq!(join((&arena, &map)).count(), 199);
    assert!(join((&map, &arena)).all(|(found, _)| found != key));
    arena.insert(1); // where the hole was
    assert_eq!(join((&arena, &map)).count(), 199, "the entry is another's");
}

#[test]
fn nothing_is_joined_with_nothing() {
    let mut arena = Arena::<u8>::new();
    let mut map = SecondaryMap::<Handle<u8>, u8>::new();
    assert_eq!(join((&arena, &map)).next(), None);
    assert_eq!(join((&arena,)).count() + join((&mut map,)).count(), 0);
    let key = arena.insert(1);
    assert_eq!(join((&mut map, &arena)).next(), None);
    map.insert(key, 2);
    join((&mut map,)).for_each(|(_, (value,))| *value += 1);
    let mut walk = join((&arena, &mut map));
    assert_eq!(walk.next(), Some((key, (&1, &mut 3))));
    assert!(walk.next().is_none() && walk.next().is_none());
}

/// One is walked as in a tuple with nothing else, shared or not, whatever it is.
#[test]
fn one_is_joined_without_a_tuple() {
    macro_rules! is_as_in_a_tuple {
        ($($one:expr),*) => {$(
            let numbers: Vec<_> = join(&$one).map(|(key, number)| (key, *number)).collect();
            let in_tuple: Vec<_> = join((&$one,)).map(|(key, (number,))| (key, *number)).collect();
            assert!(!numbers.is_empty() && numbers == in_tuple);
            join(&mut $one).for_each(|(_, number)| *number += 1);
            let later = join((&$one,)).map(|(key, (number,))| (key, *number));
            assert!(later.eq(numbers.into_iter().map(|(key, number)| (key, number + 1))));
        )*};
    }
    for seed in [0, 2, 3] {
        let mut of = world::<Handle<u32>>(seed, 150);
        is_as_in_a_tuple!(of.arena, of.dense, of.paged, of.pool, of.inline, of.near, of.sparse);
        is_as_in_a_tuple!(of.columns, of.packed_columns);
        of.near.clear();
        assert_eq!(join(&of.near).count() + join(&mut of.near).count(), 0);
    }
}

/// 2²⁴ slots, of which ten are in use: whole groups of words are passed over.
#[test]
#[cfg_attr(miri, ignore = "too many slots to interpret")]
fn empty_stretches_are_passed_over() {
    let mut arena = Arena::with_capacity(1 << 18);
    let keys: Vec<_> = arena.insert_many(0..1 << 18).collect();
    let map: SecondaryMap<_, _> = keys.iter().map(|&key| (key, key.slot())).collect();
    arena.retain(|key, _| key.slot() % 30_000 == 7);
    assert!(join((&map, &arena)).map(|(key, _)| key).eq(arena.keys()));
}

// Entries side by side and far apart, by slot and in tables, borrowed to be changed.

type Id = Handle<u32>;
type Map = SecondaryMap<Id, Box<u32>>;

/// Returns keys whose slots lie side by side, and keys whose slots lie far from all others.
fn near_and_far() -> Vec<Id> {
    let far = (1..scaled(40, 8) as u32).map(|number| number * 10_000);
    (0..scaled(100, 12) as u32).chain(far).map(|slot| Id::made(slot, 1)).collect()
}

fn filled(keys: &[Id], from: u32) -> Map {
    keys.iter().map(|&key| (key, Box::new(from + key.slot()))).collect()
}

/// All values are held at once, and changed: those of arrays by slot, those of a table, those of two tables.
#[test]
fn near_and_far_are_lent_at_once() {
    let keys = near_and_far();
    let (near, far): (Vec<_>, Vec<_>) = keys.iter().partition(|key| key.slot() < 10_000);
    let (mut all, mut beyond) = (filled(&keys, 0), filled(&far, 1));
    let mut sparse: SparseSecondaryMap<Id, u32> = keys.iter().map(|&key| (key, 2)).collect();
    let held: Vec<_> = join((&mut all, &mut sparse)).collect();
    assert_eq!(held.len(), keys.len());
    for (key, (one, other)) in held {
        assert_eq!((**one, *other), (key.slot(), 2));
        **one += 1;
        *other += key.slot();
    }
    let held: Vec<_> = join((&mut beyond, &mut all, &sparse)).collect();
    assert_eq!(held.len(), far.len());
    for (key, (one, other, third)) in held {
        core::mem::swap(one, other);
        assert_eq!((**one, **other, *third), (key.slot() + 1, key.slot() + 1, key.slot() + 2));
        **other = 0;
    }
    let mut other: SparseSecondaryMap<Id, u32> = far.iter().map(|&key| (key, 5)).collect();
    let held: Vec<_> = join((&mut sparse, &mut other, &all)).collect();
    assert!(
        held.iter().map(|(key, _)| *key).eq(far.iter().copied()),
        "in the order of the smaller"
    );
    for (key, (one, other, _)) in held {
        core::mem::swap(one, other);
        assert_eq!((*one, *other), (5, key.slot() + 2));
    }
    assert!(far.iter().all(|&key| (sparse[key], other[key]) == (5, key.slot() + 2)));
    assert!(near.iter().all(|&key| *all[key] == key.slot() + 1));
    assert!(far.iter().all(|&key| *all[key] == 0 && *beyond[key] == key.slot() + 1));
}

/// A container's own objects beside a map that has far entries of others.
#[test]
fn objects_and_what_is_far_of_others() {
    let mut objects: Arena<u32> = (0..10).collect();
    let mut map = filled(&near_and_far(), 0);
    for (key, value) in &objects {
        map.insert(key, Box::new(*value));
    }
    let held: Vec<_> = join((&mut objects, &mut map)).collect();
    assert_eq!(held.len(), 0, "the map knows later keys of those slots");
    let mut map: Map = objects.iter().map(|(key, value)| (key, Box::new(*value))).collect();
    map.extend(
        near_and_far().into_iter().filter(|key| key.slot() >= 10_000).map(|key| (key, Box::new(7))),
    );
    for (_, (object, side)) in join((&mut objects, &mut map)).collect::<Vec<_>>() {
        core::mem::swap(object, side);
        *object += 1;
    }
    assert!(objects.values().copied().eq(1..11));
}
