//! Maps of side data and hostile keys, code that panics, memory that is refused, and the defects of
//! other crates' maps.

use core::cell::Cell;

use crate::side_map::{or_insert_with, remove_entry};
use larder::{
    Arena, Handle, Key, SecondaryMap, TryReserveError,
    containers::Container,
    key::BareHandle,
    maps::layout::{Array, SideLayout, Sparse as Hashed},
    maps::{SecondaryInsertErrorKind, SideMap, SparseSecondaryMap},
};
use larder_testing::allocator::{live_bytes, requests_of};
use larder_testing::caught::{attempt, panic_of, step};
use larder_testing::common::{SplitMix, amount, panic_text, scaled};
use larder_testing::forge::MadeKey;
use larder_testing::touchy::{Nerve, Touchy, count_alive};
use larder_testing::trouble::{Panics, Refusals};
use larder_testing::values::{Value, Wide};

type Id = Handle<u32>;
type Map<V, L> = SideMap<Id, V, L>;
type Side<V> = SecondaryMap<Id, V>;
type Sparse<V> = SparseSecondaryMap<Id, V>;

/// Keys of slots that are near each other, and far.
fn keys(count: u32) -> impl Iterator<Item = Handle<u32>> {
    let far = (0..count / 3).map(|number| 10_000 * (number + 1));
    (0..count - count / 3).chain(far).map(|slot| Handle::made(slot, 1))
}

fn filled<V: Value, L: SideLayout<Id, V>>(count: u32) -> Map<V, L> {
    keys(count).map(|key| (key, V::make(key.slot()))).collect()
}

// Hostile keys.

/// Keys can name slots that cannot exist on targets with 32-bit addresses. (Values and keys without a size need no
/// memory for them.)
#[test]
#[cfg(target_pointer_width = "32")]
fn a_slot_that_there_cannot_be_has_no_room() {
    let mut map = SecondaryMap::<BareHandle<()>, ()>::new();
    let far = BareHandle::from_index(u32::MAX / 2).unwrap();
    let error = map.try_insert(far, ()).unwrap_err().reason;
    let overflow = TryReserveError::CapacityOverflow { requested: 1 << 31, max: (1 << 31) - 1 };
    assert_eq!(error, SecondaryInsertErrorKind::Memory(overflow));
    assert_eq!((map.len(), map.iter().next_back()), (0, None));
    map.validate();
}

/// Returns the memory of a map after insertions under keys that someone chose, and its length.
fn bytes_after<L: SideLayout<Id, u32>>(keys: &mut dyn Iterator<Item = Id>) -> (usize, usize) {
    let before = live_bytes();
    let mut map = Map::<u32, L>::new();
    for key in keys {
        let _ = map.try_insert(key, 1);
    }
    let committed = map.stats().memory.committed;
    assert_eq!((live_bytes() - before) as usize, committed, "all memory is known");
    (committed, map.len())
}

#[test]
fn slotmap_b9_the_largest_slot_of_a_foreign_key_makes_no_memory() {
    let bytes_after = |keys: &mut dyn Iterator<Item = Id>| bytes_after::<Hashed<_, _>>(keys);
    let (bytes, _) = bytes_after(&mut [Handle::made(u32::MAX - 1, 0)].into_iter());
    assert!(bytes <= 200, "one entry takes {bytes} bytes");
    let dangling = bytes_after(&mut [Handle::DANGLING].into_iter());
    assert_eq!(dangling, (0, 0), "a dangling key has no entry");
    let count = scaled(1_000, 100) as u32;
    for step in [1, 7, 8, 9, 15, 16, 17, 1_000, 4_294_967] {
        let up = (0..count).map(|number| Handle::made(number * step, 0));
        let all = up.len();
        for (bytes, entries) in [bytes_after(&mut up.clone()), bytes_after(&mut up.rev())] {
            assert_eq!(entries, all);
            assert!(bytes <= entries * 16 * 8 + 1_000, "every {step}th slot: {bytes} bytes");
        }
    }
    let mut random = SplitMix::new(3);
    let any = core::iter::repeat_with(|| Handle::made(random.next() as u32, 0));
    let (bytes, entries) = bytes_after(&mut any.take(scaled(2_000, 50)));
    assert!(bytes <= entries * 64 + 1_000, "{bytes} bytes for {entries} random slots");
}

/// By slot it is memory for all slots below, or an error; and the program goes on.
#[test]
fn slotmap_b9_the_largest_slot_of_a_foreign_key_is_memory_or_an_error() {
    let far = Handle::made(u32::MAX - 1, 1);
    let mut map = SecondaryMap::from_iter([(Handle::<u32>::made(3, 1), [7_u64; 1_000])]);
    let before = map.clone();
    let refused = map.try_insert(far, [1; 1_000]).unwrap_err();
    assert!(matches!(refused.reason, SecondaryInsertErrorKind::Memory(_)), "{refused:?}");
    assert_eq!(refused.value, [1; 1_000]);
    let caught = panic_of(|| map.insert(far, [1; 1_000]));
    // (Targets with 32-bit words have fewer addresses than that.)
    let is_wide = cfg!(target_pointer_width = "64");
    let why = if is_wide { "the allocator refused" } else { "capacity overflow" };
    assert!(caught.message.contains(why), "{caught:?}");
    assert!(caught.file.ends_with("side_misuse.rs"), "{caught:?}");
    assert!(map == before && map.capacity() == before.capacity());
    map.validate();
    // No more than is said, whatever the order.
    let slot = scaled(300_000, 3_000) as u32;
    for slots in [[5, slot], [slot, 5]] {
        let mut keys = slots.into_iter().map(|slot| Handle::made(slot, 0));
        let (bytes, entries) = bytes_after::<Array<_, _>>(&mut keys);
        assert_eq!(entries, 2);
        assert!(bytes <= (slot as usize + 1) * 8 + slot as usize / 7 + 100, "{bytes} bytes");
    }
}

/// Filled in any order, the array is at most twice as large as it need be.
#[test]
fn what_is_dense_becomes_an_array() {
    let count = scaled(10_000, 200) as u32;
    let mut random = SplitMix::new(1);
    let mut slots: Vec<u32> = (0..count).collect();
    let shuffled: Vec<u32> = (0..count).map(|_| random.take(&mut slots)).collect();
    let (up, down) = ((0..count).collect(), (0..count).rev().collect());
    for order in [up, down, shuffled] {
        let mut map = Side::<u32>::new();
        map.extend(order.iter().map(|&slot| (Handle::made(slot, 0), slot)));
        assert!(map.capacity() >= count as usize, "{} slots", map.capacity());
        assert!(map.keys().map(Key::slot).eq(0..count), "in slot order");
        assert!(map.capacity() <= 2 * count as usize);
    }
}

/// Shrunk, a map has the memory of what is there: up to its largest slot, or of its entries.
fn shrinks<L: SideLayout<Id, u32>>(stays: fn(u32) -> bool) {
    let count = scaled(10_000, 300) as u32;
    let mut map: Map<u32, L> = (0..count).map(|slot| (Handle::made(slot, 0), slot)).collect();
    let committed = |map: &Map<u32, L>| map.stats().memory.committed;
    let full = committed(&map);
    map.retain(|key, _| stays(key.slot()));
    let left = map.clone();
    map.shrink_to_fit();
    map.validate();
    assert!(map == left && committed(&map) < full / 20, "{} of {full}", committed(&map));
    map.clear();
    map.shrink_to_fit();
    assert_eq!(committed(&map), 0);
}

#[test]
fn shrinking_gives_memory_back() {
    shrinks::<Array<_, _>>(|slot| slot < 10);
    shrinks::<Hashed<_, _>>(|slot| slot % 100 == 7);
}

#[test]
fn an_empty_map_owns_nothing() {
    let (requests, _) = requests_of(|| {
        let (side, sparse) = (Side::<u32>::new(), Sparse::<u32>::new());
        assert!(side.get(Handle::made(5, 0)).is_none() && sparse.iter().next().is_none());
        (side.clone(), sparse.clone())
    });
    assert_eq!(requests, 0);
}

// Panics say what is there.

#[test]
fn indexing_names_the_key_and_who_is_in_its_slot() {
    let mut birds = Arena::new();
    let wren = birds.insert("wren");
    let mut ages = SecondaryMap::new();
    let text = panic_text(|| ages[wren]);
    assert!(text.ends_with("nothing was inserted for key 0v1: slot 0 is empty"), "{text}");
    assert!(text.starts_with("SecondaryMap<"), "{text}");
    ages.insert(wren, 2);
    birds.remove(wren);
    let kite = birds.insert("kite");
    let text = panic_text(|| ages[kite]);
    assert!(text.contains("key 0v3: slot 0 still holds 0v1, which is stale"), "{text}");
    ages.insert(kite, 1);
    let text = panic_text(|| ages[wren]);
    assert!(text.ends_with("key 0v1 is stale: slot 0 now holds 0v3"), "{text}");
    let caught = panic_of(|| ages[wren] += 1);
    assert!(caught.file.ends_with("side_misuse.rs"), "{caught:?}");
}

// Code that panics.

/// Returns the number of values, all of which are alive; and the map works.
fn whole<L: SideLayout<Id, Touchy>>(map: &mut Map<Touchy, L>) -> usize {
    map.validate();
    assert!(map.iter().all(|(_, value)| value.is_alive()), "a dead value can be reached");
    let (len, before) = (map.len(), count_alive());
    let key = Handle::made(77, 5);
    assert!(map.insert(key, Touchy::make(1)).is_none());
    assert_eq!(map.remove(key).map(|value| value.id()), Some(1));
    assert_eq!((map.len(), count_alive()), (len, before));
    len
}

fn goes(value: &Touchy) -> bool {
    step();
    value.id() % 3 == 0
}

fn panics_leave_it_whole<L: SideLayout<Id, Touchy>>() {
    type Act<L> = fn(&mut Map<Touchy, L>);
    let acts: [(Nerve, Act<L>); 11] = [
        (Nerve::None, |map| map.retain(|_, value| !goes(value))),
        (Nerve::None, |map| map.extract_if(|_, value| goes(value)).for_each(drop)),
        (Nerve::None, |map| {
            or_insert_with(map, Handle::made(40, 1), || (step(), Touchy::make(40)).1);
        }),
        (Nerve::Clone, |map| drop(map.clone())),
        (Nerve::Drop, |map| map.retain(|_, value| value.id() % 3 == 0)),
        (Nerve::Drop, |map| map.clear()),
        (Nerve::Drop, |map| drop(map.drain())),
        (Nerve::Drop, |map| drop(map.drain().nth(1))),
        (Nerve::Drop, |map| *map = Map::new()),
        (Nerve::Drop, |map| drop(core::mem::take(map).into_iter().rev().nth(1))),
        // The stale value goes when the new one is in.
        (Nerve::Drop, |map| {
            for key in keys(12) {
                drop(map.insert(Handle::made(key.slot(), 2), Touchy::make(1)));
            }
        }),
    ];
    let make = || filled::<Touchy, L>(scaled(12, 5) as u32);
    let maps = Panics { make: &make, held: &whole, leaks: false };
    for (nerve, act) in acts {
        assert!(maps.of(nerve, &act) > 0, "no user code ran");
    }
}

#[test]
fn code_that_panics_leaves_maps_whole() {
    panics_leave_it_whole::<Array<_, _>>();
    panics_leave_it_whole::<Hashed<_, _>>();
}

#[test]
fn an_iterator_that_panics_keeps_what_came_before() {
    let mut map = Side::<u32>::new();
    let outcome = attempt(|| {
        map.extend(keys(9).enumerate().map(|(number, key)| {
            assert!(number < 5, "no more");
            (key, 1)
        }));
    });
    assert!(outcome.is_err());
    map.validate();
    assert_eq!(map.len(), 5);
}

// Memory that is refused.

fn refusals<L: SideLayout<Id, Wide>>() {
    let said = Cell::new(None);
    let inserts = |map: &mut Map<Wide, L>, slot: u32| {
        let Err(refused) = map.try_insert(Handle::made(slot, 1), Wide::make(9)) else {
            return true;
        };
        let SecondaryInsertErrorKind::Memory(reason) = &refused.reason else { return false };
        assert!(matches!(reason, TryReserveError::AllocRefused { .. }));
        assert_eq!(refused.value.id(), 9);
        said.set(Some(refused));
        false
    };
    let view = |map: &Map<Wide, L>| {
        map.validate();
        map.clone()
    };
    let maps = Refusals { make: &|| filled::<Wide, L>(scaled(24, 12) as u32), view: &view };
    // Beside the others; far; and many.
    maps.of(&|map| inserts(map, 32));
    maps.of(&|map| inserts(map, 3_000_000));
    // (There is room for one in a table of hashes.)
    let said = said.take().map(|refused| refused.to_string());
    assert!(said.is_none_or(|said| said.contains("the allocator refused")));
    maps.of_panics(&|map| {
        let mut copy = map.clone();
        (200..300).for_each(|slot| _ = copy.insert(Handle::made(slot, 1), Wide::make(9)));
    });
    maps.of(&|map| map.try_set_capacity(500).is_ok());
    maps.of(&|map| {
        map.retain(|key, _| key.slot() % 5 == 0);
        map.shrink_to_fit();
        true
    });
}

#[test]
#[cfg_attr(miri, ignore = "slow, and no more than memory is asked for")]
fn refused_memory_changes_nothing() {
    refusals::<Array<_, _>>();
    refusals::<Hashed<_, _>>();
}

/// However full the map is.
#[test]
fn replacing_an_entry_asks_for_no_memory() {
    fn replaces<L: SideLayout<Id, u32>>() {
        let mut map = Map::<u32, L>::new();
        for slot in 0..scaled(1_000, 100) as u32 {
            map.insert(Handle::made(slot, 1), slot);
            let (requests, before) = requests_of(|| map.insert(Handle::made(slot, 1), 1));
            assert_eq!((requests, before), (0, Some(slot)));
            let (requests, before) = requests_of(|| map.insert(Handle::made(slot, 2), 2));
            assert_eq!((requests, before), (0, None), "an earlier object's value is dropped");
        }
    }
    replaces::<Array<_, _>>();
    replaces::<Hashed<_, _>>();
}

#[test]
fn no_key_names_so_many_slots() {
    let mut map = Side::<u8>::new();
    let refused = map.try_set_capacity(1_usize.checked_shl(32).unwrap_or(usize::MAX)).unwrap_err();
    let most = (u32::MAX as usize).min(isize::MAX as usize);
    assert!(matches!(refused, TryReserveError::CapacityOverflow { max, .. } if max == most));
    assert!(Sparse::<u64>::new().try_set_capacity(usize::MAX).is_err());
}

// The defects of other crates' maps.

/// `entry` compared the version of a vacant slot with 0, by wrapping difference.
#[test]
fn slotmap_b5_entry_of_generations_past_the_middle() {
    fn check<L: SideLayout<Id, u32>>() {
        for life in [0, (1 << 30) - 1, 1 << 30, (1 << 30) + 1, (1 << 31) - 2] {
            let (mut map, key) = (Map::<u32, L>::new(), Handle::made(3, life));
            assert_eq!(or_insert_with(&mut map, key, || 7), Some(&mut 7), "{key:?}");
            assert_eq!(map.insert(key, 8), Some(7));
            assert_eq!(remove_entry(&mut map, key), Some((key, 8)));
        }
        // An old key does not become the newer one past half the range.
        let (old, new) = (Handle::made(3, 0), Handle::made(3, (1 << 31) - 2));
        let mut map = Map::<u32, L>::from_iter([(new, 1)]);
        let refused = map.try_insert(old, 2).unwrap_err().reason;
        assert_eq!(refused, SecondaryInsertErrorKind::Stale { tenant: new });
        assert_eq!(map.insert(old, 2), None);
        assert_eq!((map.get(new), map.get(old)), (Some(&1), None));
    }
    check::<Array<_, _>>();
    check::<Hashed<_, _>>();
}

/// The sparse map borrowed itself anew for each key, which ends the borrows before.
#[test]
fn slotmap_b3_disjoint_borrows_in_a_table_of_hashes() {
    let mut map = filled::<String, Hashed<_, _>>(12);
    let all = keys(12).collect::<Vec<_>>();
    let [a, b, c] = map.get_disjoint_mut([all[1], all[11], all[4]]).unwrap();
    core::mem::swap(a, b);
    c.push('!');
    b.push('?');
    assert_eq!(map[all[11]], "value 1?");
    assert_eq!(map[all[4]], "value 4!");
    let mut map = filled::<String, Array<_, _>>(12);
    let [a, b] = map.get_disjoint_mut([all[1], all[11]]).unwrap();
    core::mem::swap(a, b);
    assert_eq!(map[all[11]], "value 1");
}

/// Values outlived the object, and no call got rid of them.
#[test]
fn slotmap_55_56_stale_values_go_on_demand() {
    fn check<L: SideLayout<Id, u32>>() {
        let mut birds = Arena::from_iter(0..scaled(200, 20) as u32);
        let mut map: Map<u32, L> = birds.keys().map(|key| (key, 1)).collect();
        birds.retain(|_, number| *number % 2 == 0);
        birds.insert(1_000); // in a slot of one that is gone
        assert_eq!(map.len(), scaled(200, 20));
        map.retain_live(&birds);
        assert_eq!(map.len(), scaled(200, 20) / 2);
        assert!(map.iter().all(|(key, _)| birds.contains_key(key)));
    }
    check::<Array<_, _>>();
    check::<Hashed<_, _>>();
}

/// A question that every container can answer is asked in the same way.
#[test]
fn slotmap_55_whatever_the_container() {
    use larder::{DenseArena, DenseSoaArena, InlineArena, PagedArena, Pool, SoaArena};

    fn left<M: 'static>(of: &impl Container<Key = Handle<M>>) -> usize {
        let mut map: SecondaryMap<_, _> = (0..3).map(|slot| (Handle::made(slot, 0), ())).collect();
        map.retain_live(of);
        map.len()
    }
    let mut pool = Pool::new(|| 0);
    pool.insert(1);
    assert_eq!(left(&Arena::from_iter([1, 2])), 2);
    assert_eq!(left(&DenseArena::from_iter([1])), 1);
    assert_eq!(left(&PagedArena::from_iter([1, 2, 3, 4])), 3);
    assert_eq!(left(&InlineArena::<_, 3>::from_iter([1, 2])), 2);
    assert_eq!(left(&pool), 1);
    assert_eq!(left(&SoaArena::<f32>::from_iter([1.0, 2.0])), 2);
    assert_eq!(left(&DenseSoaArena::<f32>::from_iter([1.0])), 1);
    assert_eq!(left(&Side::from_iter([(Handle::made(1, 0), 5)])), 1);
    assert_eq!(left(&Sparse::from_iter([(Handle::made(2, 1), 5)])), 0);
}

/// A removal by the key of a later tenant was refused, but could not be told from nothing.
#[test]
fn slotmap_112_removing_by_another_key_of_the_slot_takes_nothing() {
    let mut map = filled::<u32, Array<_, _>>(12);
    let before = map.clone();
    for key in keys(12) {
        assert_eq!(map.remove(Handle::made(key.slot(), 0)), None);
        assert_eq!(map.remove(Handle::made(key.slot(), 2)), None);
        let tenant = map.key_of_slot(key.slot());
        assert_eq!(tenant, Some(key), "who is there can be asked");
    }
    assert_eq!(map, before);
}

/// Asked for, and refused: a set of keys.
#[test]
fn slotmap_82_a_set_of_keys_is_a_map_of_nothing() {
    let mut ringed = Side::<()>::new();
    let key = Handle::made(5, 0);
    assert_eq!((ringed.insert(key, ()), ringed.insert(key, ())), (None, Some(())));
    assert!(ringed.contains_key(key) && !ringed.contains_key(Handle::made(5, 1)));
    let mut slots: SecondaryMap<BareHandle<u8>, ()> = SecondaryMap::with_capacity(1_000);
    let usage = slots.stats().memory;
    assert!(usage.committed <= 1_000 / 8 + 100, "a bit a slot: {usage:?}");
    slots.insert(BareHandle::from_index(999).unwrap(), ());
    assert!(slots.contains_key(BareHandle::from_index(999).unwrap()));
}

/// Cranelift's map grew on reads of keys that were never written (wasmtime 4551).
#[test]
fn cranelift_4551_looking_up_makes_no_memory() {
    let mut map = Side::<u32>::new();
    let (requests, _) = requests_of(|| {
        for slot in [0, 5, 1_000_000, u32::MAX - 1] {
            let key = Handle::made(slot, 0);
            assert!(map.get(key).is_none() && map.get_mut(key).is_none());
            assert!(map.entry(key).is_some() && map.remove(key).is_none());
        }
    });
    assert_eq!((requests, map.capacity()), (0, 0));
}

/// No regular distance of slots brings many together in the table: hashes are mixed.
#[test]
#[cfg_attr(miri, ignore = "a measurement")]
fn slots_at_no_regular_distance_meet() {
    // In a row, powers of two, numbers of Fibonacci, which meet under the golden ratio,
    // and about 700 more.
    let chosen = [1, 2, 3, 64, 4_096, 1 << 16, 1 << 24, 10_946, 832_040, 1_346_269];
    for stride in chosen.into_iter().chain((5..10_000).step_by(amount(14, 80, 500))) {
        let keys = (0..u32::MAX / stride).take(3_584);
        let keys: Vec<Handle<u32>> = keys.map(|n| Handle::made(n * stride, 0)).collect();
        let map: Sparse<u32> = keys.iter().map(|&key| (key, key.slot())).collect();
        assert!(keys.iter().all(|&key| map[key] == key.slot()));
        let longest = map.longest_probe();
        assert!((1..=30).contains(&longest), "{stride}: {longest} groups");
        assert!(stride != 1 || longest == 1, "slots in a row are where they are looked for first");
    }
}
