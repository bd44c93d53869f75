//! Keys as numbers: the same calls give the same ones everywhere, and they spread over hash tables.

use core::hash::Hasher;
use larder::{
    Arena, DenseArena, Handle, Handle32, Key, Reuse,
    key::{BareHandle, PtrHandle, Serial},
};
use larder_testing::forge::Forged;
use larder_testing::subject::{Config, Subject, TestKey};
use larder_testing::values::Seen;

// The golden sequence.

/// A short life with a bit of everything that decides on the next key; every key of it, in order.
fn life<S: Subject<Value = u32>>(reuse: Reuse) -> Vec<S::Key> {
    let mut subject = S::build(Config::new(reuse, None));
    let mut keys: Vec<_> = subject.insert_many(0..6).collect();
    for place in [1, 4, 2] {
        assert!(subject.remove(keys[place]).is_some());
    }
    keys.push(subject.insert(6));
    keys.push(subject.insert_with_key(|_| 7));
    assert!(subject.detach(keys[0]).is_some());
    assert!(subject.remove(keys[5]).is_some());
    subject.shrink_to_fit();
    keys.push(subject.vacant_insert(8));
    keys.push(subject.insert(9));
    assert!(subject.release(keys[0]));
    keys.extend(subject.insert_many(10..12));
    subject.clear();
    keys.extend(subject.insert_many(12..14));
    subject.retain(|_, value| value.id() != 12);
    subject.extend(100..200);
    for slot in [90, 30, 70] {
        let doomed = subject.keys().find(|key| key.slot() == slot);
        assert!(subject.remove(doomed.expect("it is live")).is_some());
    }
    keys.extend([14, 15].map(|value| subject.insert(value)));
    subject.validate();
    keys
}

/// Compares with the numbers, in hexadecimal, for each order of reuse. (Of so few slots all are remembered.)
fn golden<K: TestKey + Forged>(last_first: &str, first_first: &str) {
    for (reuse, numbers) in
        [(Reuse::Packed, last_first), (Reuse::Lifo, last_first), (Reuse::Fifo, first_first)]
    {
        let numbers = numbers.split_whitespace();
        let bits = numbers.map(|number| u128::from_str_radix(number, 16).expect("hexadecimal"));
        let expected: Vec<K> = bits.map(|bits| K::of_bits(bits).expect("a key's")).collect();
        assert_eq!(life::<Arena<u32, K>>(reuse), expected, "{reuse:?}");
        assert_eq!(life::<DenseArena<u32, K>>(reuse), expected, "{reuse:?}");
        for key in expected {
            assert_eq!(K::of_bits(key.bits()), Some(key));
        }
    }
}

#[test]
fn golden_handle() {
    golden::<Handle<u32>>(
        "100000000 100000001 100000002 100000003 100000004 100000005 300000002 300000004 \
         300000001 300000005 300000000 300000006 500000000 500000001 500000046 50000001e",
        "100000000 100000001 100000002 100000003 100000004 100000005 300000001 300000004 \
         300000002 300000005 300000000 300000006 500000000 500000001 50000005a 50000001e",
    );
}

#[test]
fn golden_handle32() {
    golden::<Handle32<u32>>(
        "100000 100001 100002 100003 100004 100005 300002 300004 \
         300001 300005 300000 300006 500000 500001 500046 50001e",
        "100000 100001 100002 100003 100004 100005 300001 300004 \
         300002 300005 300000 300006 500000 500001 50005a 50001e",
    );
}

#[test]
fn golden_serial() {
    golden::<Serial<u32>>(
        "100000000 200000001 300000002 400000003 500000004 600000005 700000002 800000004 \
         900000001 a00000005 b00000000 c00000006 d00000000 e00000001 7300000046 740000001e",
        "100000000 200000001 300000002 400000003 500000004 600000005 700000001 800000004 \
         900000002 a00000005 b00000000 c00000006 d00000000 e00000001 730000005a 740000001e",
    );
}

#[test]
fn golden_slot() {
    golden::<BareHandle<u32>>(
        "0 1 2 3 4 5 2 4 1 5 0 6 0 1 46 1e",
        "0 1 2 3 4 5 1 4 2 5 0 6 0 1 5a 1e",
    );
}

#[test]
fn numbers_are_made_of_slots_and_generations() {
    let key = Handle32::<u32, 12>::from_bits(0x5_5555 << 12 | 0xABC).unwrap();
    assert_eq!((key.slot(), key.generation()), (0xABC, 0x5_5555));
    let key = Handle32::<u32, 30>::from_bits(3 << 30 | 1 << 29 | 5).unwrap();
    assert_eq!((key.slot(), key.generation()), (1 << 29 | 5, 3));
    let last = u32::MAX as usize - 1;
    for index in [0, 1, 12_345, last] {
        let key = BareHandle::<u32>::try_from(index).unwrap();
        assert_eq!((key.slot() as usize, usize::from(key)), (index, index));
    }
    for index in [last + 1, usize::MAX] {
        assert!(BareHandle::<u32>::try_from(index).is_err(), "{index}");
    }
}

// Hashes.

/// A hasher that does nothing, as those of tables for keys that are numbers already.
#[derive(Default)]
struct Identity {
    hash: u64,
    writes: usize,
}

impl Hasher for Identity {
    fn write(&mut self, _: &[u8]) {
        panic!("a key is one number, not bytes");
    }

    fn write_u64(&mut self, number: u64) {
        self.hash = number;
        self.writes += 1;
    }

    fn finish(&self) -> u64 {
        self.hash
    }
}

const KEYS: usize = 1 << 16;

/// Counts hashes by what a table takes of them: its place, and the 7 bits kept beside it.
fn spreads<K: Key>(cluster: &str, keys: impl Iterator<Item = K>) {
    let (mut places, mut tags, mut count) = (vec![0_u32; KEYS], [0_u32; 128], 0);
    for key in keys {
        let mut hasher = Identity::default();
        key.hash(&mut hasher);
        assert_eq!(hasher.writes, 1, "{key:?} is hashed in pieces");
        places[hasher.finish() as usize % KEYS] += 1;
        tags[(hasher.finish() >> 57) as usize] += 1;
        count += 1;
    }
    assert_eq!(count, KEYS);
    // At random 63 % of the places have a key, the fullest has about 8 of them; a tag has 512 ± 23.
    let used = places.iter().filter(|&&keys| keys > 0).count();
    assert!(used >= KEYS / 2, "{cluster}: {used} of {KEYS} places are used");
    let fullest = places.into_iter().max().expect("there are places");
    assert!(fullest <= 16, "{cluster}: {fullest} keys in one place");
    assert!(tags.iter().all(|keys| (256..=1_024).contains(keys)), "{cluster}: {tags:?}");
}

/// The keys whose numbers are these.
fn numbered<K: Forged>(number: impl Fn(u128) -> u128) -> impl Iterator<Item = K> {
    (0..KEYS as u128).map(move |nth| K::of_bits(number(nth)).expect("a key's number"))
}

#[test]
#[cfg_attr(miri, ignore = "safe code, and too much of it to interpret")]
fn hashes_of_clusters_spread() {
    // A fresh container hands out serials of which both halves count up.
    for shift in [0, 1, 3, 4, 6, 8, 12] {
        let cluster = format!("every {}th slot", 1 << shift);
        spreads(&cluster, numbered::<Handle<u32>>(|nth| 7 << 32 | nth << shift));
        spreads(&cluster, numbered::<BareHandle<u32>>(|nth| nth << shift));
        spreads(&cluster, numbered::<Serial<u32>>(|nth| (nth + 1) << 32 | nth << shift));
        if shift <= 4 {
            spreads(&cluster, numbered::<Handle32<u32>>(|nth| 1 << 20 | nth << shift));
        }
    }
    for slots in [1, 16, 32, 256, 4_096] {
        let cluster = format!("{slots} slots through many lives");
        let handle = |nth| ((2 * (nth / slots) + 1) << 32) | (nth % slots);
        spreads(&cluster, numbered::<Handle<u32>>(handle));
        let serial = |nth| ((nth + 1) << 32) | (nth % slots);
        spreads(&cluster, numbered::<Serial<u32>>(serial));
        if slots >= 32 {
            let handle32 = |nth| ((2 * (nth / slots) + 1) << 20) | (nth % slots);
            spreads(&cluster, numbered::<Handle32<u32>>(handle32));
        }
    }
}

fn hash_of(key: impl core::hash::Hash) -> u64 {
    let mut hasher = Identity::default();
    key.hash(&mut hasher);
    hasher.finish()
}

/// Whatever else a key consists of, each of these bits changes its hash.
fn each_counts<K: Forged>(which: impl Iterator<Item = u32> + Clone, bits: [u128; 2]) {
    for bits in bits {
        let key = K::of_bits(bits).expect("a key's number");
        for bit in which.clone() {
            let other = K::of_bits(bits ^ 1 << bit).expect("a key's number");
            assert_ne!(hash_of(key), hash_of(other), "{key:?}, {other:?}");
        }
    }
}

#[test]
fn each_bit_of_a_key_changes_its_hash() {
    each_counts::<Handle<u32>>((0..32).chain(33..64), [7 << 32 | 12, 0x5555_5555_0123_4567]);
    each_counts::<Handle32<u32>>((0..20).chain(21..32), [7 << 20 | 12, 0x5551_2345]);
    each_counts::<BareHandle<u32>>(0..31, [12, 0x7654_3210]);
    each_counts::<Serial<u32>>(0..95, [7 << 32 | 12, 0x7EDC_BA98_7654_3210_0123_4567]);
    let pointers = [(0x7F12_3456_7890_u64 as usize, 7), (8, 0x1235), (0x7654_3210, 1)];
    for (address, generation) in pointers {
        let hash = |address, generation| {
            hash_of(PtrHandle::<u32>::from_parts(address, generation).expect("an odd generation"))
        };
        let before = hash(address, generation);
        for bit in 0..usize::BITS {
            let other = address ^ 1 << bit;
            assert!(other == 0 || hash(other, generation) != before, "bit {bit} of {address:#x}");
        }
        for bit in 1..16 {
            assert_ne!(hash(address, generation ^ 1 << bit), before, "bit {bit} of {generation}");
        }
    }
}

#[test]
fn hashes_are_the_same_everywhere() {
    fn hash<K: Forged>(bits: u128) -> u64 {
        hash_of(K::of_bits(bits).expect("a key's number"))
    }

    assert_eq!(hash::<BareHandle<u32>>(0), 0);
    assert_eq!(hash::<BareHandle<u32>>(1), 0x9E37_79B9_E17D_05AC);
    assert_eq!(hash::<Handle32<u32>>(1 << 20), hash::<BareHandle<u32>>(1 << 20));
    assert_eq!(hash::<Handle<u32>>(1 << 32), 0x7F4A_7C15_7F4A_7C15);
    assert_eq!(hash::<Serial<u32>>(1 << 32), hash::<BareHandle<u32>>(1));
}
