//! Files that are no snapshots, or were one: an error, and nothing half loaded.

use core::sync::atomic::{AtomicUsize, Ordering};
use std::io::Cursor;

use larder::key::{BareHandle, Serial};
use larder::pools::{ListPool, StringPool};
use larder::snapshot::{
    Load, Plain, Save, Saver, Snapshot, SnapshotError, SnapshotErrorKind as Kind,
};
use larder::{Arena, DenseArena, Handle, Pool, SoaArena};
use larder_testing::allocator::{bytes_of, requests_of};

use super::{load, numbers, saved};

/// Several sections, with holes, detached keys and retired slots.
fn file() -> Vec<u8> {
    let mut rows: Arena<u32> = (0..100).collect();
    let keys: Vec<_> = rows.keys().collect();
    keys.iter().step_by(3).for_each(|&key| _ = rows.remove(key));
    rows.detach(keys[1]);
    let columns: SoaArena<(u8, u64), Handle<()>> = (0..70).map(|number| (number, 7)).collect();
    let mut dense: DenseArena<char, Serial<()>> = ('a'..='z').collect();
    dense.remove(dense.keys().next().unwrap());
    let mut file = Cursor::new(Vec::new());
    let saver = Saver::new().section("it", &rows).section("columns", &columns);
    saver.section("dense", &dense).write_to(&mut file).unwrap();
    file.into_inner()
}

/// Loads all, and uses what is loaded. Says whether all was.
fn try_all(file: &[u8]) -> bool {
    let Ok(mut snapshot) = Snapshot::from_reader(Cursor::new(file)) else { return false };
    let rows = snapshot.load::<Arena<u32>>("it");
    let columns = snapshot.load::<SoaArena<(u8, u64), Handle<()>>>("columns");
    let dense = snapshot.load::<DenseArena<char, Serial<()>>>("dense");
    let all = rows.is_ok() && columns.is_ok() && dense.is_ok();
    if let Ok(mut rows) = rows {
        rows.validate();
        (0..200).for_each(|number| _ = rows.insert(number));
        rows.retain(|_, number| *number % 2 == 0);
        rows.validate();
    }
    if let Ok(mut columns) = columns {
        columns.insert((1, 2));
        columns.clear();
        columns.validate();
    }
    if let Ok(mut dense) = dense {
        dense.insert('!');
        dense.retain(|_, letter| *letter > 'e');
        dense.validate();
    }
    all
}

/// Makes all checksums right again, as a file that was made to deceive has them. (Numbers have 64 bits wherever the
/// test runs: cut to 32, what is no entry would look like one, and the table would be torn.)
pub(super) fn forge(file: &mut [u8]) {
    let at = |file: &[u8], at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
    let part = |begin: u64, bytes: u64| {
        let end = usize::try_from(begin.checked_add(bytes)?).ok()?;
        Some(usize::try_from(begin).ok()?..end)
    };
    let (begin, size) = (at(file, 24), at(file, 32));
    let Some(place) = part(begin, size) else { return };
    let Some(mut table) = file.get(place.clone()).map(<[u8]>::to_vec) else { return };
    // An array's entry ends in element size, alignment, count, offset and checksum.
    let sums: Vec<(usize, u32)> = (0..(table.len() + 1).saturating_sub(40))
        .filter_map(|entry| {
            let [element, _, count, offset, sum] =
                [0, 8, 16, 24, 32].map(|field| at(&table, entry + field));
            let is_entry = matches!(element, 1..=64)
                && (64..begin).contains(&offset)
                && u32::try_from(sum).is_ok();
            let bytes = element.checked_mul(count).filter(|_| is_entry)?;
            Some((entry + 32, crc32fast::hash(file.get(part(offset, bytes)?)?)))
        })
        .collect();
    for (at, sum) in sums {
        table[at..at + 8].copy_from_slice(&u64::from(sum).to_le_bytes());
    }
    file[place].copy_from_slice(&table);
    file[48..52].copy_from_slice(&crc32fast::hash(&table).to_le_bytes());
    let sum = crc32fast::hash(&file[..60]);
    file[60..64].copy_from_slice(&sum.to_le_bytes());
}

/// A file in which some bytes are others, with checksums that are right.
fn spoiled(file: &[u8], below: &mut impl FnMut(u64) -> u64) -> Vec<u8> {
    let mut forged = file.to_vec();
    for _ in 0..=below(3) {
        let at = 64 + below(file.len() as u64 - 64) as usize;
        forged[at] = match below(3) {
            0 => forged[at] ^ 1 << below(8),
            1 => below(256) as u8,
            _ => 0xFF,
        };
    }
    forge(&mut forged);
    forged
}

/// Loads a file, in memory and with requests for it that its length bounds.
fn bounded<R>(file: &[u8], load: impl FnOnce() -> R) -> R {
    let (requests, (most, all, loaded)) = requests_of(|| bytes_of(load));
    let enough = (64 << 10) + (2 << 10) * file.len();
    assert!(most <= enough && all <= 2 * enough, "{most} bytes at once, {all} in all");
    assert!(requests <= 1_000 + file.len(), "{requests} requests");
    loaded
}

/// Checksums do not help against malice: what is loaded is checked for what it says, and memory and requests for it are
/// bounded by the length of the file.
#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn files_that_were_made_to_deceive_are_refused_or_whole() {
    let file = file();
    let mut below = numbers(1);
    let mut loaded = 0;
    for _ in 0..2_000 {
        let forged = spoiled(&file, &mut below);
        loaded += usize::from(bounded(&forged, || try_all(&forged)));
    }
    assert!((100..1_900).contains(&loaded), "some are whole, some are not: {loaded}");
}

/// The same of lists, texts and recycled values.
#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn pools_that_were_made_to_deceive_are_refused_or_whole() {
    fn check<C: Save + Load>(pool: &C, mut used: impl FnMut(C)) {
        let (file, mut below) = (saved(pool), numbers(5));
        let mut loaded = 0;
        for _ in 0..2_000 {
            let forged = spoiled(&file, &mut below);
            if let Ok(pool) = bounded(&forged, || load::<C>(&forged)) {
                used(pool);
                loaded += 1;
            }
        }
        let name = core::any::type_name::<C>();
        assert!((20..1_980).contains(&loaded), "of {name} some are whole, some are not: {loaded}");
    }

    fn lists<T: Plain + PartialEq + core::fmt::Debug>(value: T) {
        let mut pool = ListPool::<T>::new();
        let made: Vec<_> = (0..40).map(|length| pool.make(vec![value; length % 11])).collect();
        made.iter().step_by(3).for_each(|&list| pool.free(list));
        check(&pool, |mut pool| {
            pool.validate();
            let new = pool.make(vec![value; 20]);
            assert_eq!(pool.get(new), Some(&[value; 20][..]));
            pool.validate();
        });
    }

    lists(7_u8);
    lists([7_u64; 8]);
    let mut names = StringPool::new();
    let all: Vec<_> = (0..40).map(|number| names.acquire(&"wren".repeat(number % 9 + 1))).collect();
    all.iter().step_by(3).for_each(|&name| _ = names.release(name));
    check(&names, |mut names| {
        names.validate();
        let new = names.acquire("a text that no file has");
        assert_eq!(names.get(new), Some("a text that no file has"));
        names.validate();
    });
    let mut recycled = Pool::new(|| [0_u64; 8]);
    let keys: Vec<_> = (0..40).map(|number| recycled.insert([number; 8])).collect();
    keys.iter().step_by(3).for_each(|&key| _ = recycled.remove(key));
    check(&recycled, |mut recycled: Pool<[u64; 8]>| {
        recycled.validate();
        let new = recycled.insert([9; 8]);
        assert_eq!(recycled[new], [9; 8]);
        recycled.validate();
    });
}

/// (Whatever damage is found by checksums, and other keys and elements, are named in `damaged` and `every_kind`.)
#[test]
fn what_is_wrong_is_named() {
    let good = saved(&Arena::from_iter([1_u32, 2]));
    let mut other_order = good.clone();
    other_order[10] ^= 3;
    forge(&mut other_order);
    let wrong = load::<Arena<u32>>(&other_order).unwrap_err().reason;
    assert!(matches!(wrong, Kind::ByteOrder));
    let wrong = load::<DenseArena<u32>>(&good).unwrap_err().to_string();
    assert_eq!(
        wrong,
        "section `it`: this is of the kind `rows`, not `dense rows`: load it as that"
    );
    let mut snapshot = Snapshot::from_reader(Cursor::new(&good)).unwrap();
    let none = snapshot.load::<Arena<u32>>("that").unwrap_err();
    assert_eq!(
        none.to_string(),
        "section `that`: there is no such section; `sections` tells which there are"
    );
}

/// A value with an invalid bit pattern is found, though a hole may hold anything.
#[test]
fn values_are_checked() {
    let arena = Arena::from_iter([true, false, true]);
    let mut file = saved(&arena);
    let row = |value| [[value, 0, 0, 0], 1_u32.to_ne_bytes()].concat();
    let rows = [1, 0, 1].map(row).concat();
    let at = file.windows(24).position(|bytes| bytes == rows);
    file[at.unwrap()] = 2;
    forge(&mut file);
    let error = load::<Arena<bool>>(&file).unwrap_err().to_string();
    assert_eq!(error, "section `it`: a value has an invalid bit pattern");
}

/// A value that no bytes are, though it has none.
#[derive(Clone, Copy)]
struct Token;

// SAFETY: there is no byte that could be uninitialised.
unsafe impl bytemuck::NoUninit for Token {}
// SAFETY: no bits are said to be valid.
unsafe impl bytemuck::CheckedBitPattern for Token {
    type Bits = ();

    fn is_valid_bit_pattern(_: &()) -> bool {
        false
    }
}

#[test]
fn values_without_a_size_are_checked() {
    let rows: Arena<Token, BareHandle<()>> = [Token; 3].into_iter().collect();
    let dense: DenseArena<Token> = [Token; 3].into_iter().collect();
    let errors = [
        load::<Arena<Token, BareHandle<()>>>(&saved(&rows)).err(),
        load::<DenseArena<Token>>(&saved(&dense)).err(),
    ];
    for error in errors {
        let error = error.expect("no token comes of nothing").to_string();
        assert_eq!(error, "section `it`: a value has an invalid bit pattern");
    }
    let none = Arena::<Token, BareHandle<()>>::with_key();
    assert!(load::<Arena<Token, BareHandle<()>>>(&saved(&none)).is_ok());
}

/// A value without a size, of which few copies are made one by one.
struct Unit;

#[expect(clippy::non_canonical_clone_impl, reason = "it counts")]
impl Clone for Unit {
    fn clone(&self) -> Self {
        static CLONES: AtomicUsize = AtomicUsize::new(0);
        assert!(CLONES.fetch_add(1, Ordering::Relaxed) < 100, "they are copied one by one");
        Self
    }
}

impl Copy for Unit {}

// SAFETY: there is no byte that could be uninitialised.
unsafe impl bytemuck::NoUninit for Unit {}
// SAFETY: there are no bits that could be invalid.
unsafe impl bytemuck::CheckedBitPattern for Unit {
    type Bits = ();

    fn is_valid_bit_pattern(_: &()) -> bool {
        true
    }
}

/// A short file can say that there are any number of values without a size.
#[test]
fn values_without_a_size_are_not_read_one_by_one() {
    let mut lists = ListPool::new();
    let list = lists.make([Unit; 3]);
    let mut file = saved(&lists);
    let loaded: ListPool<Unit> = load(&file).unwrap();
    assert_eq!(loaded.get(list).map(<[Unit]>::len), Some(3));

    let name = b"\x06\0\0\0values\x04\0\0\0Unit";
    let at = file.windows(name.len()).position(|bytes| bytes == name).unwrap() + name.len();
    assert_eq!(file[at + 16..at + 24], 3_u64.to_le_bytes(), "behind size and alignment");
    file[at + 16..at + 24].fill(0xFF);
    let at = file.chunks(64).position(|line| line.starts_with(&3_u64.to_ne_bytes())).unwrap() * 64;
    file[at..at + 8].fill(0xFF);
    forge(&mut file);
    let error = load::<ListPool<Unit>>(&file).map(drop).unwrap_err();
    // (Targets with 32-bit words have fewer addresses than that.)
    let is_wide = cfg!(target_pointer_width = "64");
    let is_known =
        |kind: &Kind| matches!(kind, Kind::Memory(_)) || !is_wide && matches!(kind, Kind::TooLarge);
    assert!(is_known(&error.reason), "{error}");
}

/// Slots that are named as live beyond the last one are none.
#[test]
#[cfg(target_endian = "little")]
fn slots_beyond_the_last_are_refused() {
    let mut file = saved(&DenseArena::from_iter([1_u64, 2, 3]));
    let mut change = |old: &[u32], new: &[u32]| {
        let [old, new] = [old, new].map(bytemuck::cast_slice::<_, u8>);
        // (Each array begins a line of its own.)
        let line = file.chunks_mut(64).find(|line| line.starts_with(old)).expect("it is there");
        line[..new.len()].copy_from_slice(new);
    };
    change(&[7, 0], &[3, 1 << 8]); // of 64 bits: which slots are live
    change(&[0, 1, 2], &[0, 1, 40]); // whose value comes first
    change(&[1, 1, 1], &[1, 1, 0]); // generations
    forge(&mut file);
    let error = load::<DenseArena<u64>>(&file).unwrap_err().to_string();
    assert_eq!(error, "section `it`: a slot has no state, or several");
}

#[test]
fn slots_without_bits_and_bits_without_slots_are_refused() {
    let good = saved(&Arena::from_iter(0..65_u32));
    let at = good.windows(9).position(|bytes| bytes == b"\x05\0\0\0slots").unwrap() + 9;
    assert_eq!(good[at..at + 8], 65_u64.to_le_bytes());
    for slots in [0, 64, 129, 1 << 40] {
        let mut file = good.clone();
        file[at..at + 8].copy_from_slice(&u64::to_le_bytes(slots));
        forge(&mut file);
        let error = load::<Arena<u32>>(&file).unwrap_err().to_string();
        let why = match usize::try_from(slots) {
            Ok(_) => "there are more or fewer bits than slots",
            Err(_) => "an array exceeds this platform's address space",
        };
        assert_eq!(error, format!("section `it`: {why}"));
    }
}

#[test]
fn fewer_values_than_slots_are_refused() {
    let mut pool: Pool<u32> = Pool::new(|| 0);
    pool.extend(0..65);
    let mut file = saved(&pool);
    let at = file.windows(8).position(|bytes| bytes == b"\x04\0\0\0made").unwrap() + 8;
    assert!(file[at..at + 8] >= u64::to_le_bytes(65)[..]);
    file[at..at + 8].copy_from_slice(&u64::to_le_bytes(64));
    forge(&mut file);
    let error = load::<Pool<u32>>(&file).unwrap_err().to_string();
    assert_eq!(error, "section `it`: there are fewer values than slots");
}

/// Keys inside values are checked to be keys.
#[test]
fn keys_in_values_are_checked() {
    type Node = Handle<u8>;
    let keys = Arena::from_iter([1_u8, 2]);
    let nodes: DenseArena<Node> = keys.keys().collect();
    let mut file = saved(&nodes);
    let loaded: DenseArena<Node> = load(&file).unwrap();
    assert!(loaded.values().all(|&key| keys.contains_key(key)));
    let first = nodes.values().next().unwrap().to_bits().to_ne_bytes();
    let at = file.windows(8).position(|bytes| bytes == first).unwrap();
    file[at..at + 8].fill(0);
    forge(&mut file);
    assert!(load::<DenseArena<Node>>(&file).is_err());
}

/// Whatever the bytes of a mapped file are, its container can be read; a clone of it is whole, or refused.
#[test]
#[cfg_attr(miri, ignore = "maps files")]
fn any_bytes_can_be_mapped() {
    let scratch = super::Scratch::new("any bytes");
    let mut rows: Arena<[u32; 4]> = (0..8_000).map(|number| [number; 4]).collect();
    let keys: Vec<_> = rows.keys().collect();
    keys.iter().step_by(3).for_each(|&key| _ = rows.remove(key));
    let columns: SoaArena<([u32; 4], u64)> = (0..8_000).map(|number| ([number; 4], 7)).collect();
    let dense: DenseArena<[u32; 4]> = rows.values().copied().collect();
    let mut file = Cursor::new(Vec::new());
    let saver = Saver::new().section("rows", &rows).section("columns", &columns);
    saver.section("dense", &dense).write_to(&mut file).unwrap();
    let file = file.into_inner();
    let (mut below, mut mapped, mut whole) = (numbers(2), 0, 0);
    for round in 0..60 {
        let mut forged = file.clone();
        for _ in 0..below(1_000) {
            let at = 64 + below(file.len() as u64 - 2_064) as usize;
            forged[at] = below(256) as u8;
        }
        if round % 2 == 0 {
            forge(&mut forged);
        }
        std::fs::write(scratch.file(), &forged).unwrap();
        let Ok(mut snapshot) = Snapshot::open(scratch.file()) else { continue };
        // SAFETY: the file is this test's alone.
        let (rows, columns, dense) = unsafe {
            (snapshot.map::<Arena<_>>("rows"), snapshot.map("columns"), snapshot.map("dense"))
        };
        if let Ok(rows) = rows {
            mapped += 1;
            let sum = |rows: &Arena<[u32; 4]>| {
                rows.values().fold(0, |sum: u32, row| sum.wrapping_add(row[0]))
            };
            let found = keys.iter().filter(|&&key| rows.get(key).is_some()).count();
            assert!(
                found <= keys.len() && rows.iter().rev().count() == rows.len() && sum(&rows) > 0
            );
            if let Ok(mut copy) = std::panic::catch_unwind(|| Arena::clone(&rows)) {
                whole += 1;
                assert_eq!(sum(&copy), sum(&rows));
                copy.retain(|_, row| row[1] % 2 == 0);
                copy.insert([1; 4]);
                copy.validate();
            }
        }
        if let Ok(columns) = columns {
            let columns: &SoaArena<([u32; 4], u64)> = &columns;
            assert!(columns.values().filter(|one| *one.1 == 7).count() <= columns.len());
        }
        if let Ok(dense) = dense {
            let dense: &DenseArena<[u32; 4]> = &dense;
            assert!(dense.keys().all(|key| dense.contains_key(key)));
        }
    }
    assert!(mapped > whole && whole > 0, "{mapped} are mapped, {whole} are whole");
}

/// A file that was cut since it was opened, and before it is mapped: touching what it had would end the program.
#[test]
#[cfg_attr(miri, ignore = "maps files")]
fn a_file_that_was_cut_is_not_mapped() {
    let scratch = super::Scratch::new("cut");
    let rows: Arena<u64> = (0..20_000).collect();
    let columns: SoaArena<(u64, u32)> = (0..20_000).map(|number| (number, 7)).collect();
    let saver = Saver::new().section("rows", &rows).section("columns", &columns);
    saver.save(scratch.file()).unwrap();
    let mut snapshot = Snapshot::open(scratch.file()).unwrap();
    std::fs::File::options().write(true).open(scratch.file()).unwrap().set_len(70_000).unwrap();
    // SAFETY: the file was saved, and is not changed from now on.
    let (rows, columns) = unsafe {
        (snapshot.map::<Arena<u64>>("rows"), snapshot.map_private::<SoaArena<_>>("columns", 0))
    };
    let columns: Option<SnapshotError> = columns.map(|_: SoaArena<(u64, u32)>| ()).err();
    for error in [rows.err(), columns] {
        assert!(matches!(error.unwrap().reason, Kind::Io(_)));
    }
}

/// Whatever number a mapped row has, no container takes its key for the one that a slot without a value waits for.
#[test]
#[cfg_attr(miri, ignore = "maps files")]
fn a_key_of_a_mapped_row_is_no_number_of_a_detached_slot() {
    let scratch = super::Scratch::new("parked");
    let mapped: Arena<u64, Serial<()>> = (0..8_000).map(|number| number + 7).collect();
    let mut file = saved(&mapped);
    // The row of slot 2: its value and its number, to which a mark is added.
    let row = [9_u64, 3].map(u64::to_ne_bytes);
    let at = file.windows(16).position(|bytes| bytes == row.as_flattened()).unwrap();
    file[at + 8..at + 16].copy_from_slice(&(1_u64 << 63 | 3).to_ne_bytes());
    std::fs::write(scratch.file(), &file).unwrap();

    let mut names = Arena::<String, Serial<()>>::with_key();
    let keys: Vec<_> = ["a", "b", "c"].map(|name| names.insert(name.into())).to_vec();
    assert_eq!(names.detach(keys[2]).as_deref(), Some("c"));
    // SAFETY: the file is this test's alone.
    let mapped = unsafe { Snapshot::open(scratch.file()).unwrap().map::<Arena<u64, _>>("it") };
    if let Ok(mapped) = mapped {
        let key = mapped.key_of_slot(2).unwrap();
        assert!(!names.contains_key(key), "it is lent a value that has left");
    }
}
