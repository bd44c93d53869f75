//! Files that are larger than memory, or say so.

use larder::indices::{GridIndex, MultiIndex, SortedIndex, UniqueIndex};
use larder::key::BareHandle;
use larder::maps::SparseSecondaryMap;
use larder::snapshot::{Load, Save, SnapshotErrorKind as Kind};
use larder::track::{DeltaError, Replica, Tracked};
use larder::trees::{Buckets, KeyList};
use larder::{Arena, DenseArena, Handle, Key, Reuse, SecondaryMap, Tree};
use larder_testing::allocator::{bytes_of, live_bytes, refusing_above};

use super::every_kind::sections_of;
use super::hostile::forge;
use super::{load, saved};

type Id = Handle<u32>;

/// The slot with the highest number that a key can have.
const LAST: u32 = u32::MAX - 1;

/// An array that says that it is larger than memory is larger than the file: that is refused before memory is asked
/// for.
#[test]
fn what_is_larger_than_memory_is_refused() {
    let arena: Arena<u32> = (0..10).collect();
    let mut file = saved(&arena);
    // The count of the array of rows: its elements have 8 bytes.
    let entry = [8, 4, 10].map(u64::to_le_bytes).concat();
    let at = file.windows(24).position(|bytes| bytes == entry).unwrap() + 16;
    for count in [11, 30, 1 << 20, 1 << 40, 1 << 59, u64::MAX / 16, u64::MAX] {
        file[at..at + 8].copy_from_slice(&count.to_le_bytes());
        forge(&mut file);
        let before = live_bytes();
        let (asked, error) = refusing_above(file.len(), || load::<Arena<u32>>(&file).unwrap_err());
        assert!(!asked, "{count}: more memory was asked for than the file has bytes");
        let is_countable = isize::try_from(u128::from(count) * 8).is_ok();
        match error.reason {
            Kind::Damaged { what: "the table of sections" } => assert!(is_countable, "{count}"),
            Kind::TooLarge => assert!(!is_countable, "{count}"),
            other => panic!("{count}: {other}"),
        }
        drop(error.section);
        assert_eq!(live_bytes(), before, "{count}: nothing is kept");
    }
}

/// Loads a file whose last key names this slot; it is not given more than 4 MiB at a time.
fn far<C: Save + Load>(container: &C, slot: u32) -> Result<C, Kind> {
    let mut file = saved(container);
    let section = &sections_of(&file)[0];
    let slots = section.arrays.iter().find(|array| array.name == "slots").unwrap();
    let end = slots.end;
    file[end - 4..end].copy_from_slice(&slot.to_ne_bytes());
    forge(&mut file);
    let before = live_bytes();
    let (_, loaded) = refusing_above(1 << 22, || load::<C>(&file).map_err(|error| error.reason));
    if let Err(Kind::Memory(_)) = loaded {
        assert_eq!(live_bytes(), before, "nothing is half loaded");
    }
    loaded
}

/// `SecondaryMap` has room for each slot up to the last one that is named, so that a key could ask for any amount of
/// memory: that is refused. Everything else loads it as any other.
#[test]
fn a_key_whose_slot_is_far_is_loaded_or_refused() {
    let objects = Arena::from_iter([7_u32, 8]);
    let (one, key) = (objects.keys().next().unwrap(), objects.keys().last().unwrap());
    let (mut tree, mut list, mut buckets) = (Tree::new(), KeyList::new(), Buckets::<Id, 3>::new());
    tree.append(&objects, one, key).unwrap();
    list.push_back(&objects, key).unwrap();
    buckets.set(&objects, key, 1).unwrap();
    let (mut unique, mut multi) = (UniqueIndex::<u32, Id>::new(), MultiIndex::<u32, Id>::new());
    let (mut sorted, mut grid) = (SortedIndex::<u32, Id>::new(), GridIndex::<Id, 2>::new(1.0));
    unique.insert(key, 5).unwrap();
    multi.insert(key, 5).unwrap();
    sorted.insert(key, 5).unwrap();
    grid.insert(key, [1.0, 2.0]).unwrap();
    let sparse = SparseSecondaryMap::<Id, u8>::from_iter([(key, 5)]);

    let slots = |keys: &mut dyn Iterator<Item = Id>| keys.map(|key| key.slot()).collect::<Vec<_>>();
    let of_five = |index: UniqueIndex<u32, Id>| slots(&mut index.get(&5).into_iter());
    let there = [
        far(&tree, LAST).map(|it| slots(&mut it.descendants(one))).unwrap(),
        far(&list, LAST).map(|it| slots(&mut it.iter())).unwrap(),
        far(&buckets, LAST).map(|it| slots(&mut it.iter(1))).unwrap(),
        far(&unique, LAST).map(of_five).unwrap(),
        far(&multi, LAST).map(|it| slots(&mut it.get(&5).iter().copied())).unwrap(),
        far(&sorted, LAST).map(|it| slots(&mut it.get(&5).iter().copied())).unwrap(),
        far(&grid, LAST).map(|it| slots(&mut it.iter().map(|(key, _)| key))).unwrap(),
        far(&sparse, LAST).map(|it| slots(&mut it.keys())).unwrap(),
    ];
    assert_eq!(there, [(); 8].map(|()| [LAST]));

    let side = SecondaryMap::<Id, u8>::from_iter([(key, 5)]);
    let (_, _, refused) = bytes_of(|| far(&side, LAST).unwrap_err());
    assert!(matches!(refused, Kind::TooSparse { slot: LAST, entries: 1, .. }), "{refused}");
    assert!(
        refused.to_string().contains("load a `SparseSecondaryMap`, and collect that"),
        "{refused}"
    );
    let none = far(&side, LAST + 1).unwrap_err().to_string();
    assert_eq!(none, "no key has slot 4294967295 and generation 1", "it is no slot");
}

/// A map that its program has filled with few entries of far slots is loaded as the other kind; which is loaded as this
/// one, too, where slots are near.
#[test]
fn maps_of_side_data_are_loaded_as_each_other() {
    let objects: Arena<u32> = (0..50_000).collect();
    let last = objects.keys().next_back().unwrap();
    let map = SecondaryMap::<Id, u8>::from_iter([(last, 7)]);
    let file = saved(&map);
    let (most, _, loaded) = bytes_of(|| load::<SecondaryMap<Id, u8>>(&file));
    assert!(matches!(loaded.unwrap_err().reason, Kind::TooSparse { slot: 49_999, .. }));
    assert!(most < 20 * file.len(), "{most}");
    let sparse: SparseSecondaryMap<Id, u8> = load(&file).unwrap();
    assert_eq!(sparse.into_iter().collect::<SecondaryMap<_, _>>(), map);

    let near: SparseSecondaryMap<Id, u8> =
        objects.keys().step_by(100).map(|key| (key, key.slot() as u8)).collect();
    let loaded: SecondaryMap<Id, u8> = load(&saved(&near)).unwrap();
    assert!(
        loaded.len() == near.len()
            && near.iter().all(|(key, number)| loaded.get(key) == Some(number))
    );
}

/// Arrays that lie in each other would make a small file as long to read as a large one.
#[test]
fn arrays_that_lie_in_each_other_are_refused() {
    use larder::snapshot::{Saver, Snapshot};
    use std::io::Cursor;

    let (large, empty) = (Arena::from_iter(0..500_u32), Arena::<u32>::new());
    let mut file = Cursor::new(Vec::new());
    let saver = Saver::new().section("large", &large).section("first", &empty);
    saver.section("second", &empty).write_to(&mut file).unwrap();
    let file = file.into_inner();
    let rows = |file: &[u8], count: u64| -> Vec<usize> {
        let entry = [8, 4, count].map(u64::to_le_bytes).concat();
        file.windows(24)
            .enumerate()
            .filter(|(_, bytes)| *bytes == entry)
            .map(|(at, _)| at)
            .collect()
    };
    let [all] = rows(&file, 500)[..] else { panic!("there is one array of 500 rows") };
    let empty = rows(&file, 0);
    assert_eq!(empty.len(), 2);
    for (count, accepted) in [(0, true), (1, true), (500, false)] {
        let mut forged = file.clone();
        for &at in &empty {
            forged[at + 16..at + 24].copy_from_slice(&u64::to_le_bytes(count));
            forged.copy_within(all + 24..all + 32, at + 24); // where it begins
        }
        forge(&mut forged);
        let opened = Snapshot::from_reader(Cursor::new(&forged[..]));
        match opened {
            Ok(mut snapshot) => {
                assert!(accepted && snapshot.verify().is_ok(), "{count}");
                assert!(snapshot.load::<Arena<u32>>("large").unwrap() == large);
            }
            Err(error) => {
                assert!(
                    matches!(error.reason, Kind::Damaged { .. }) && !accepted,
                    "{count}: {error}"
                );
            }
        }
    }
}

/// The file of a dense container has the values of live slots, and at least a bit of each other one: room is made for
/// the values, and for those of detached keys and of the few slots at hand, as far as the file's length allows.
#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn room_for_values_that_a_dense_container_does_not_have_is_bounded() {
    type Wide = [u64; 512];
    type Loaded<K> = (DenseArena<Wide, K>, usize);
    const SLOTS: usize = 5_000;

    fn after_a_spike<K: Key>(
        reuse: Reuse,
        live: usize,
        detached: usize,
    ) -> Result<Loaded<K>, Kind> {
        let mut arena = DenseArena::<Wide, K>::builder_with_key().reuse(reuse).build();
        arena.extend((0..SLOTS as u64).map(|number| [number; 512]));
        for key in arena.keys().take(detached).collect::<Vec<_>>() {
            arena.detach(key).unwrap();
        }
        arena.retain(|_, value| value[0] >= (SLOTS - live) as u64);
        let file = saved(&arena);
        let (most, _, loaded) = bytes_of(|| load::<DenseArena<Wide, K>>(&file));
        let mut loaded = loaded.map_err(|error| error.reason)?;
        assert!(loaded == arena && loaded.capacity() >= live + detached);
        loaded.validate();
        // Every slot is used again, in the same order.
        for number in 0..SLOTS - detached {
            assert_eq!(arena.insert([7; 512]), loaded.insert([7; 512]), "{number}");
        }
        loaded.validate();
        Ok((loaded, most))
    }

    for reuse in [Reuse::Packed, Reuse::Lifo, Reuse::Fifo] {
        for (live, detached) in [(0, 0), (1, 0), (10, 0), (10, 5)] {
            // (At most 128 slots are at hand, and the file is there, too.)
            let enough = (2 * live + detached + 128) * size_of::<Wide>() + SLOTS * 40;
            let (_, most) = after_a_spike::<Handle<Wide>>(reuse, live, detached).unwrap();
            assert!(most <= enough, "{most} for {live} and {detached}");
            let (_, most) = after_a_spike::<BareHandle<Wide>>(reuse, live, detached).unwrap();
            assert!(most <= enough, "{most} for {live} and {detached}");
        }
        let refused = after_a_spike::<BareHandle<Wide>>(reuse, 0, 4_500).err().unwrap();
        assert!(matches!(refused, Kind::TooSparse { slot: 4_999, entries: 0, .. }), "{refused}");
        assert!(refused.to_string().ends_with("save a dense container with serde"), "{refused}");
    }
}

/// The slot of a delta can ask for more than there is, like a file's; but a delta of a container has every slot that it
/// begins.
#[test]
fn a_delta_whose_slot_is_far_is_refused_and_changes_nothing() {
    let objects = Arena::from_iter([7_u32]);
    let far = |delta: &[u8]| {
        let mut far = delta[..delta.len() - 4].to_vec();
        far[60..64].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(far[72..80], [1, 0, 0, 0, 0, 0, 0, 0], "one record, and its slot");
        far[76..80].copy_from_slice(&LAST.to_le_bytes());
        far.extend_from_slice(&crc32fast::hash(&far).to_le_bytes());
        far
    };
    let mut side = Tracked::new(SecondaryMap::<Id, u32>::new());
    let mut publisher = side.publish(1).unwrap();
    side.insert(objects.keys().next().unwrap(), 5);
    let delta = side.delta(&mut publisher).unwrap();
    let mut there = Replica::new(SecondaryMap::<Id, u32>::new());
    let (asked, applied) = refusing_above(10_000, || there.apply(&far(&delta)));
    assert_eq!((asked, applied), (false, Err(DeltaError::TooSparse { slot: LAST })));
    assert!(there.is_empty() && there.apply(&delta).is_ok() && there.len() == 1);

    let mut here = Tracked::new(objects);
    let mut publisher = here.publish(1).unwrap();
    let delta = here.delta(&mut publisher).unwrap();
    let mut there = Replica::new(Arena::<u32>::new());
    let (asked, applied) = refusing_above(1_000, || there.apply(&far(&delta)));
    assert_eq!((asked, applied), (false, Err(DeltaError::Damaged)));
    assert!(there.is_empty() && there.apply(&delta).is_ok() && there.len() == 1);
}

/// A few values in slots that are far from each other are received where there is room for them, or for as many in between.
#[test]
fn a_delta_of_far_slots_is_received_where_there_is_room() {
    type Ages = SecondaryMap<Handle<u32>, u32>;
    const FAR: usize = if cfg!(miri) { 3_000 } else { 20_000 };
    let objects = Arena::from_iter(0..FAR as u32);
    let keys: Vec<_> = objects.keys().collect();
    let mut side = Tracked::new(Ages::new());
    let mut publisher = side.publish(1).unwrap();
    side.insert(keys[FAR - 1], 5_u32);
    let first = side.delta(&mut publisher).unwrap();
    let mut small = Replica::new(Ages::new());
    assert_eq!(small.apply(&first), Err(DeltaError::TooSparse { slot: FAR as u32 - 1 }));
    let mut roomy = Replica::new(Ages::with_capacity(FAR));
    assert_eq!((roomy.apply(&first), roomy.len()), (Ok(()), 1));

    let mut side = Tracked::new(Ages::new());
    let mut publisher = side.publish(1).unwrap();
    for &key in keys.iter().step_by(FAR / 200) {
        side.insert(key, 5_u32);
    }
    let many = side.delta(&mut publisher).unwrap();
    side.insert(keys[FAR - 1], 6);
    let more = side.delta(&mut publisher).unwrap();
    assert_eq!((small.apply(&many), small.apply(&more)), (Ok(()), Ok(())), "nothing had changed");
    assert!(small.len() == side.len() && small[keys[FAR - 1]] == 6);
}

/// A file of 128 MiB, where there are 100: it is not loaded, nothing of it is kept, and what is small is loaded yet.
#[test]
#[cfg(all(target_os = "linux", not(miri)))]
fn a_file_that_is_larger_than_memory_is_not_loaded() {
    use larder::snapshot::{Saver, Snapshot};

    let name = "large::a_file_that_is_larger_than_memory_is_not_loaded";
    if let Some(file) = std::env::var_os("LARDER_SAVES_TO") {
        // (The message of a panic takes memory: the code tells the fault.)
        let end = |is_as_said: bool, code| {
            if is_as_said {
            } else {
                std::process::exit(code)
            }
        };
        let mut snapshot = Snapshot::open(&file).unwrap();
        let before = live_bytes();
        let loaded = snapshot.load::<Arena<[u64; 15]>>("large").map_err(|error| error.reason);
        end(matches!(loaded, Err(Kind::Memory(_))), 1);
        drop(loaded);
        end(live_bytes() == before, 2);
        // SAFETY: the file is this test's alone.
        let mapped =
            unsafe { snapshot.map::<Arena<[u64; 15]>>("large") }.map_err(|error| error.reason);
        end(matches!(mapped, Err(Kind::Memory(_) | Kind::Io(_))), 3);
        end(live_bytes() == before, 4);
        let small = snapshot.load::<Arena<u32>>("small").unwrap();
        std::process::exit(small.values().map(|&number| number as i32).sum());
    }
    let scratch = super::Scratch::new("large than memory");
    let large = Arena::from_iter((0..1_u64 << 20).map(|number| [number; 15]));
    let small = Arena::from_iter([20_u32, 3]);
    let saver = Saver::new().section("large", &large).section("small", &small);
    saver.save(scratch.file()).unwrap();
    let limit = format!("--as={}", 100 << 20);
    let mut program = super::killed::traced::again(name, &["prlimit", &limit], &scratch.file());
    assert_eq!(program.env("RUST_BACKTRACE", "0").status().unwrap().code(), Some(23));
}
