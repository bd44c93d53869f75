//! Memory and work that a file demands are bounded by its length, whatever it says.

use larder::indices::{GridIndex, MultiIndex, SortedIndex, UniqueIndex};
use larder::pools::StringPool;
use larder::trees::{Buckets, KeyList, RemovalQueue, Tree};
use larder_testing::allocator::{bytes_of, requests_of};

use super::kept::made;
use super::*;

/// Loading takes at most so many bytes at once, and twice as many in all, of an array that grows.
const LEAST: usize = 64 << 10;

/// And so many for each byte of the file.
const EACH: usize = 8 << 10;

/// Loads a file, or not; says which.
fn demand<T: DeserializeOwned>(file: &[u8]) -> bool {
    let (requests, (most, all, loaded)) =
        requests_of(|| bytes_of(|| from_postcard::<T>(file).is_ok()));
    let (name, length) = (core::any::type_name::<T>(), file.len());
    let enough = LEAST + EACH * length;
    assert!(most <= enough, "{name}: {most} bytes for {length}: {file:x?}");
    assert!(all <= 2 * enough, "{name}: {all} bytes in all for {length}: {file:x?}");
    assert!(requests <= 100 + 10 * length, "{name}: {requests} requests for {length}: {file:x?}");
    loaded
}

/// A file with some of its bytes changed, doubled, removed, or made larger numbers.
fn spoiled(file: &[u8], random: &mut SplitMix) -> Vec<u8> {
    let mut file = file.to_vec();
    for _ in 0..1 + random.below(3) {
        let at = random.below(file.len());
        match random.below(5) {
            0 => file[at] = random.below(256) as u8,
            1 => file[at] ^= 0x80,
            2 => drop(file.splice(at..at, [0xff; 5].into_iter().take(random.below(5)))),
            3 if file.len() > 1 => _ = file.remove(at),
            _ => {
                let end = (at + 1 + random.below(12)).min(file.len());
                file.extend_from_within(at..end);
            }
        }
    }
    file
}

#[test]
fn memory_is_bounded_by_the_length_of_a_file() {
    fn check<T: DeserializeOwned>(saved: &impl Serialize) {
        let (file, mut random) = (to_postcard(saved), SplitMix::new(7));
        let mut loaded = usize::from(demand::<T>(&file));
        assert_eq!(loaded, 1, "{}", core::any::type_name::<T>());
        for _ in 0..if cfg!(miri) { 20 } else { 4_000 } {
            loaded += usize::from(demand::<T>(&spoiled(&file, &mut random)));
        }
        assert!(loaded > 1);
    }

    let key = |slot: u64| Handle::<u8>::from_bits(3 << 32 | slot).unwrap();
    let keys = [1, 2, 3, 70, 900].map(key);
    let entries = keys.map(|key| (key, key.slot() as u8));
    let bare = [1, 2, 60, 300].map(|slot| (BareHandle::<u8>::from_index(slot).unwrap(), ()));
    let mut arena: Arena<u8> = (0..20).collect();
    for key in arena.keys().collect::<Vec<_>>().drain(3..9) {
        arena.remove(key);
    }
    arena.detach(arena.keys().nth(9).unwrap());
    let made = made();

    check::<SecondaryMap<Handle<u8>, u8>>(&entries.to_vec());
    let wide = [1, 2, 70].map(|slot| (key(slot), (1_u8, [0_u64; 32])));
    check::<SecondaryMap<Handle<u8>, (u8, [u64; 32])>>(&wide.to_vec());
    check::<SecondaryMap<BareHandle<u8>, ()>>(&bare.to_vec());
    check::<Vec<SecondaryMap<Handle<u8>, u8>>>(&vec![entries.to_vec(); 4]);
    check::<SparseSecondaryMap<Handle<u8>, u8>>(&entries.to_vec());
    check::<Tree<Handle<u8>>>(&(0_u32..).zip(keys).collect::<Vec<_>>());
    check::<KeyList<Handle<u8>>>(&keys.to_vec());
    check::<RemovalQueue<Handle<u8>>>(&keys.to_vec());
    check::<Buckets<Handle<u8>, 3>>(&[&keys[..3], &keys[3..], &[]].map(<[_]>::to_vec).to_vec());
    check::<SortedIndex<String, Handle<u8>>>(
        &entries.map(|(key, slot)| (key, slot.to_string())).to_vec(),
    );
    check::<UniqueIndex<String, Handle<u8>>>(
        &entries.map(|(key, slot)| (key, slot.to_string())).to_vec(),
    );
    check::<MultiIndex<u8, Handle<u8>>>(&entries.to_vec());
    check::<GridIndex<Handle<u8>, 2>>(&(1.0_f32, keys.map(|key| (key, [1.0_f32, 2.0])).to_vec()));
    check::<Arena<u8>>(&arena);
    check::<Arena<[u8; 8]>>(&(0..9).map(|number| [number; 8]).collect::<Arena<_>>());
    check::<PagedArena<u16, Handle32<u16>>>(&made.paged);
    check::<SoaArena<(u8, u32), BareHandle<()>>>(&made.columns);
    check::<DenseArena<String, Serial<String>>>(&made.dense);
    check::<DenseSoaArena<(u8, u32)>>(&made.dense_columns);
    check::<StringPool>(&["wren", "kite", "owl"].to_vec());
}

/// Forms with keys far apart, and with numbers that promise more than there is.
#[test]
fn what_was_found_to_demand_most_is_refused() {
    type Map = SecondaryMap<Handle<u8>, u8>;
    let entry = |slot: u64| (Handle::<u8>::from_bits(3 << 32 | slot).unwrap(), 7_u8);
    for slot in [1 << 14, 1 << 20, 1 << 24, u64::from(u32::MAX) - 1] {
        let file = to_postcard(&[entry(0), entry(slot)].to_vec());
        assert!(!demand::<Map>(&file), "{slot}");
        assert!(demand::<SparseSecondaryMap<Handle<u8>, u8>>(&file));
        assert!(demand::<KeyList<Handle<u8>>>(&to_postcard(&[entry(slot).0].to_vec())));
        // Each doubles the one before.
        let slots = (0..slot.ilog2()).map(|bit| entry(1 << bit)).collect::<Vec<_>>();
        assert!(!demand::<Map>(&to_postcard(&slots)) || slot == 1 << 14);
        let error = postcard_error::<Map>(&file, slot);
        assert!(error.contains(&format!("slot {slot} is too far from the others")), "{error}");
        assert!(
            error.contains("load a `SparseSecondaryMap` or a list of keys and values"),
            "{error}"
        );
    }
    // (A slab's file has the number of a value, but not those between.)
    type Slab<T> = Arena<T, BareHandle<T>>;
    for slot in ["9999", "999999", "4294967290"] {
        let (most, _, loaded) =
            bytes_of(|| from_json::<Slab<[u8; 32]>>(&format!("{{\"{slot}\":{:?}}}", [0; 32])));
        let error = loaded.unwrap_err();
        assert!(
            error.contains(&format!("slot {slot} is too far")) && error.contains("`BTreeMap`"),
            "{error}"
        );
        assert!(most < LEAST, "{most}");
    }
}

/// Returns JSON's error about the same file (postcard gives no reasons).
fn postcard_error<T: DeserializeOwned>(_: &[u8], slot: u64) -> String {
    let text = format!(r#"[[{{"idx":0,"version":3}},7],[{{"idx":{slot},"version":3}},7]]"#);
    from_json::<T>(&text).err().unwrap_or_default()
}

/// A map that its program has filled with few entries of far slots, and saved: it is loaded as the error says.
#[test]
fn a_sparse_map_is_loaded_as_another() {
    type Map = SecondaryMap<Handle<u8>, String>;
    let objects: Arena<u8> = (0..50_000).map(|number| number as u8).collect();
    let last = objects.keys().next_back().unwrap();
    let map: Map = [(last, "last".to_string())].into_iter().collect();
    let text = to_json(&map);
    assert!(from_json::<Map>(&text).is_err());
    let sparse: SparseSecondaryMap<Handle<u8>, String> = from_json(&text).unwrap();
    assert_eq!(sparse.into_iter().collect::<Map>(), map);
    let list: Vec<(Handle<u8>, String)> = from_json(&text).unwrap();
    assert_eq!(list.into_iter().collect::<Map>(), map);

    // One entry for every few hundred objects is enough, in whichever order; small maps have no limit.
    let some: Vec<_> =
        objects.keys().step_by(40).map(|key| (key, key.slot().to_string())).collect();
    for reversed in [false, true] {
        let mut some = some.clone();
        if reversed {
            some.reverse();
        }
        let bytes = to_postcard(&some);
        assert_eq!(from_postcard::<Map>(&bytes).unwrap(), some.into_iter().collect::<Map>());
    }
    let near = objects.keys().nth(300).unwrap();
    let small: Map = [(near, "near".to_string())].into_iter().collect();
    assert_eq!(through_json(&small), small);
    // A slot that two keys name is found, whether it was far or near.
    let twice = [7, 49_000, 49_000].map(|slot| (objects.key_of_slot(slot).unwrap(), 1_u8)).to_vec();
    let many: Vec<_> = twice
        .iter()
        .copied()
        .chain(objects.keys().take(6_000).skip(8).map(|key| (key, 2)))
        .collect();
    let text = to_json(&many);
    let error = from_json::<SecondaryMap<Handle<u8>, u8>>(&text).unwrap_err();
    assert!(error.contains("49000v1 and 49000v1 are of one slot"), "{error}");
}

/// Far slots whose hashes end in the same bits, by the inverse of that hash: found by walking over all that came
/// before, each would take longer than the one before.
#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn slots_that_were_chosen_to_meet_are_refused() {
    fn inverse(odd: u32) -> u32 {
        (0..5).fold(odd, |inverse, _| {
            inverse.wrapping_mul(2_u32.wrapping_sub(odd.wrapping_mul(inverse)))
        })
    }

    fn slot_of(hash: u32) -> u32 {
        let whole = (hash ^ hash >> 16).wrapping_mul(inverse(0x85EB_CA77));
        let half = (whole ^ whole >> 15 ^ whole >> 30).wrapping_mul(inverse(0x9E37_79B1));
        half ^ half >> 16
    }

    fn check<T: DeserializeOwned + Serialize>(saved: &impl Serialize) {
        let text = to_json(saved);
        let error = from_json::<T>(&text).err();
        let name = core::any::type_name::<T>();
        assert!(
            error.is_some_and(|error| error.contains("the hashes of slots or points meet")),
            "{name}"
        );
    }

    let far = (1_u32 << 15..1 << 16)
        .map(|number| slot_of(number << 16))
        .filter(|slot| (1 << 20..u32::MAX - 1).contains(slot));
    let keys: Vec<_> = far
        .take(1_000)
        .map(|slot| Handle::<u8>::from_bits(3 << 32 | u64::from(slot)).unwrap())
        .collect();
    let entries: Vec<_> = keys.iter().map(|&key| (key, key.slot())).collect();
    check::<KeyList<Handle<u8>>>(&keys);
    check::<Tree<Handle<u8>>>(&(0_u32..).zip(keys.iter().copied()).collect::<Vec<_>>());
    check::<Buckets<Handle<u8>, 3>>(&[&keys[..], &[], &[]].to_vec());
    let named: Vec<_> = entries.iter().map(|(key, slot)| (key, slot.to_string())).collect();
    check::<SortedIndex<String, Handle<u8>>>(&named);
    check::<UniqueIndex<String, Handle<u8>>>(&named);
    check::<MultiIndex<u8, Handle<u8>>>(&keys.iter().map(|&key| (key, 7)).collect::<Vec<_>>());
    let points: Vec<_> = keys.iter().map(|&key| (key, [1.0_f32, 2.0])).collect();
    check::<GridIndex<Handle<u8>, 2>>(&serde_json::json!({ "cell_size": 1.0, "points": points }));
}

/// Points far apart, whose tiles are found by hashes that end in the same bits.
#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn points_that_were_chosen_to_meet_are_refused() {
    // The place is computed as the grid does: in its table, of a power of two places, 1,000 tiles have at most 2,048.
    fn place_of(tile: [u32; 2]) -> u64 {
        const M: u64 = 0xC6A4_A793_5BD1_E995;
        let step = |hash: u64, number: u32| {
            let mixed = (hash ^ u64::from(number)).wrapping_mul(M);
            mixed ^ mixed >> 32
        };
        tile.into_iter().fold(M, step).wrapping_mul(M) >> 32 & 2_047
    }

    let tiles = (0..2_000 * 2_000).map(|number| [number % 2_000, number / 2_000]);
    let keys = Arena::from_iter(0..1_000_u16);
    let points = |tiles: &mut dyn Iterator<Item = [u32; 2]>| -> Vec<_> {
        keys.keys().zip(tiles.map(|tile| tile.map(|number| number as f32 * 4.0))).collect()
    };
    let chosen = points(&mut tiles.clone().filter(|&tile| place_of(tile) == 9));
    let others = points(&mut tiles.step_by(3));
    assert_eq!([chosen.len(), others.len()], [1_000; 2]);
    let file = |points| serde_json::json!({ "cell_size": 1.0, "points": points }).to_string();
    type Grid = GridIndex<Handle<u16>, 2>;
    assert_eq!(from_json::<Grid>(&file(&others)).unwrap().len(), 1_000);
    let error = from_json::<Grid>(&file(&chosen)).unwrap_err();
    assert!(error.contains("the hashes of slots or points meet"), "{error}");
    // A program is refused them, too, and keeps what it has.
    let mut grid = Grid::new(1.0);
    let filed = chosen.iter().take_while(|(key, point)| grid.insert(*key, *point).is_ok()).count();
    assert!((500..1_000).contains(&filed) && grid.len() == filed, "{filed}");
    grid.validate();
}
