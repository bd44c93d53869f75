//! Differences of files: deltas of everything that is in a snapshot.

use larder::indices::{GridIndex, MultiIndex, SortedIndex, UniqueIndex};
use larder::maps::SparseSecondaryMap;
use larder::pools::{ListPool, StringPool};
use larder::snapshot::{Load, Save, SnapshotErrorKind as Kind, difference, patched};
use larder::trees::{Buckets, KeyList};
use larder::{Arena, Handle, SecondaryMap, Tree};
use larder_testing::allocator::bytes_of;

use super::{load, numbers, saved};

type Key = Handle<u32>;

/// A structure is changed a little; its difference is short, and brings an old file up to date.
fn small<C: Save + Load>(mut it: C, change: impl FnOnce(&mut C), seen: impl Fn(&C) -> String) {
    let (name, old) = (core::any::type_name::<C>(), saved(&it));
    change(&mut it);
    let new = saved(&it);
    let delta = difference(&old, &new).unwrap();
    assert!(old != new && delta.len() < new.len() / 10, "{name}: {} of {}", delta.len(), new.len());
    let there = patched(&old, &delta).unwrap();
    assert!(there == new, "{name}");
    let loaded: C = load(&there).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(seen(&loaded), seen(&it), "{name}");
}

macro_rules! small {
    ($($structure:ident, $change:expr, |$it:ident| $seen:expr;)*) => {$(
        small($structure, $change, |$it| format!("{:?}", $seen));
    )*};
}

/// Changes each kind of structure beside two thousand objects in the middle, so that everything behind it moves.
#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn small_changes_have_small_differences() {
    let objects: Arena<u32> = (0..2_000).collect();
    let keys: Vec<Key> = objects.keys().collect();
    let (mut tree, mut list, mut kinds) = (Tree::new(), KeyList::new(), Buckets::<Key, 3>::new());
    let (mut unique, mut multi) = (UniqueIndex::new(), MultiIndex::new());
    let (mut sorted, mut grid) = (SortedIndex::new(), GridIndex::<Key, 2>::new(2.5));
    let (mut names, mut lists) = (StringPool::new(), ListPool::new());
    for (number, &key) in keys.iter().enumerate() {
        if number > 0 {
            tree.append(&objects, keys[(number - 1) / 3], key).unwrap();
        }
        list.push_back(&objects, key).unwrap();
        kinds.set(&objects, key, number % 3).unwrap();
        unique.insert(key, number as u32).unwrap();
        multi.insert(key, number as u32 % 5).unwrap();
        sorted.insert(key, number as u32 * 7).unwrap();
        grid.insert(key, [number as f32, 1.0]).unwrap();
        names.intern(&format!("object {number}"));
        lists.make([number as u16; 3]);
    }
    let side: SecondaryMap<Key, u8> = keys.iter().map(|&key| (key, 9)).collect();
    let sparse: SparseSecondaryMap<Key, u8> = keys.iter().map(|&key| (key, 9)).collect();
    let middle = lists.iter().nth(700).unwrap().0;
    small! {
        tree, |it| _ = it.make_root(keys[900]), |it| it.descendants(keys[0]).collect::<Vec<_>>();
        list, |it| _ = it.remove(keys[1_000]), |it| it.iter().collect::<Vec<_>>();
        kinds, |it| _ = it.remove(keys[3]), |it| [0, 1, 2].map(|one| it.iter(one).collect::<Vec<_>>());
        unique, |it| _ = it.remove(keys[3]), |it| keys.iter().map(|&key| it.property(key)).collect::<Vec<_>>();
        multi, |it| it.insert(keys[3], 4).unwrap(), |it| [0, 1, 2, 3, 4].map(|five| it.get(&five).to_vec());
        sorted, |it| it.insert(keys[3], 6_666).unwrap(), |it| it.iter().collect::<Vec<_>>();
        grid, |it| _ = it.remove(keys[3]), |it| keys.iter().map(|&key| it.point(key)).collect::<Vec<_>>();
        names, |it| _ = it.intern("one more"), |it| it.iter().collect::<Vec<_>>();
        lists, |it| it.push(&mut { middle }, 5), |it| it.iter().collect::<Vec<_>>();
        side, |it| _ = it.remove(keys[50]), |it| it.iter().collect::<Vec<_>>();
        sparse, |it| _ = it.remove(keys[50]), |it| it.iter().collect::<Vec<_>>();
    }
}

/// Bytes that repeat, as the generations of keys do, are found again, whatever lies before them.
#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn bytes_that_repeat_are_found_behind_any_others() {
    for seed in 0..60 {
        let mut random = numbers(seed);
        let mut old: Vec<u8> = (0..8_000).map(|_| random(256) as u8).collect();
        old.extend([1, 0, 0, 0].repeat(4_000));
        let new = [&old[..7_000], b"new", &old[8_000..]].concat();
        let delta = difference(&old, &new).unwrap();
        assert!(delta.len() < 100, "{seed}: {}", delta.len());
        assert_eq!(patched(&old, &delta).unwrap(), new);
    }
}

/// Bytes of a few kinds, so that blocks are found again where they are not meant.
fn bytes(below: &mut impl FnMut(u64) -> u64, kinds: u64, count: u64) -> Vec<u8> {
    (0..below(count)).map(|_| below(kinds) as u8).collect()
}

#[test]
fn every_difference_leads_from_the_old_to_the_new() {
    let mut below = numbers(7);
    for round in 0..if cfg!(miri) { 8 } else { 400 } {
        let kinds = [1, 2, 256][round % 3];
        let old = bytes(&mut below, kinds, 600);
        let mut new = old.clone();
        for _ in 0..below(4) {
            let at = below(new.len() as u64 + 1) as usize;
            let end = at + below((new.len() - at) as u64 / 3 + 1) as usize;
            let other = bytes(&mut below, kinds, 90);
            match below(3) {
                0 => _ = new.splice(at..end, other),
                1 => new.extend_from_within(at..end),
                _ => new = bytes(&mut below, kinds, 600),
            }
        }
        let delta = difference(&old, &new).unwrap();
        assert_eq!(patched(&old, &delta).unwrap(), new);
        assert!(delta.len() <= new.len() + 40, "{} of {}", delta.len(), new.len());
        if old != new {
            assert!(matches!(patched(&new, &delta).unwrap_err().reason, Kind::Invalid { .. }));
        }
    }
}

/// Whatever the bytes are, the file is the one that they were made of, or it is an error, and memory is bounded.
#[test]
fn spoiled_differences_are_refused() {
    let mut below = numbers(11);
    let old: Vec<u8> = (0..2_000).map(|_| below(256) as u8).collect();
    let new = [&old[..700], &old[300..], b"and more", &old[..40]].concat();
    let good = difference(&old, &new).unwrap();
    let forge = |bytes: &mut Vec<u8>| {
        let end = bytes.len() - 4;
        let sum = crc32fast::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
    };
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 1 << below(8);
        assert!(patched(&old, &bad).is_err(), "byte {at}");
        assert!(patched(&old, &good[..at]).is_err(), "cut at {at}");
        if at < good.len() - 4 {
            forge(&mut bad);
            let (most, _, result) = bytes_of(|| patched(&old, &bad));
            assert!(most <= 2 * old.len() + good.len() && result.is_err(), "byte {at} is forged");
        }
    }
    // It says that there is more than the old file and it can be.
    let mut long = good.clone();
    long[9..17].copy_from_slice(&(1_u64 << 40).to_le_bytes());
    forge(&mut long);
    let error = patched(&old, &long).unwrap_err();
    assert!(matches!(error.reason, Kind::Damaged { what: "the difference" }));
    let mut other = good;
    other[8] = 2;
    forge(&mut other);
    assert!(matches!(patched(&old, &other).unwrap_err().reason, Kind::Version { found: 2 }));
}
