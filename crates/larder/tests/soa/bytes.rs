//! Keys and columns as bytes (feature `bytemuck`).

use bytemuck::{CheckedBitPattern, NoUninit, Zeroable, checked};
use larder::{
    Arena, DenseSoaArena, Handle, Handle32, Key, SoaArena,
    key::{BareHandle, Serial},
    pools::{ListPool, StringPool, Symbol, list_pool::ListHandle},
    trees::{IntrusiveList, Link, Links},
};

fn there_and_back<K: Key + NoUninit + CheckedBitPattern>() {
    let mut arena = Arena::<u32, K>::with_key();
    let mut keys: Vec<K> = (0..20).map(|number| arena.insert(number)).collect();
    arena.retain(|_, number| *number % 3 == 0);
    keys.extend((0..20).map(|number| arena.insert(number)));
    let bytes: &[u8] = bytemuck::cast_slice(&keys);
    assert_eq!(bytes.len(), keys.len() * size_of::<K>());
    assert_eq!(checked::try_cast_slice::<u8, K>(bytes).unwrap(), keys);

    for at in 0..size_of::<K>() {
        let mut bytes = bytemuck::bytes_of(&keys[1]).to_vec();
        bytes[at] ^= 0x5D;
        // It is no key, or the key of something else.
        if let Ok(key) = checked::try_pod_read_unaligned::<K>(&bytes) {
            assert_ne!(arena.get(key), Some(&1));
        }
    }
    let zeros = vec![0_u8; size_of::<K>()];
    assert!(checked::try_pod_read_unaligned::<K>(&zeros).is_err(), "zero is no key");
}

#[test]
fn keys_become_bytes_and_bytes_keys_if_they_are_some() {
    there_and_back::<Handle<String>>();
    there_and_back::<Handle32<String, 12>>();
    there_and_back::<BareHandle<String>>();
    assert_eq!(Option::<Handle<String>>::zeroed(), None);
    assert_eq!(Option::<Handle32<String>>::zeroed(), None);
    assert_eq!(Option::<BareHandle<String>>::zeroed(), None);
    assert_eq!(Option::<Serial<String>>::zeroed(), None);
}

/// Links are bytes, and bytes links if each is a key or none; so are those of a key type.
fn links_there_and_back<K: Key + NoUninit + CheckedBitPattern>()
where
    Links<K>: NoUninit + CheckedBitPattern,
{
    let mut things = Arena::<Links<K>, K>::with_key();
    let keys: Vec<K> = (0..4).map(|_| things.insert(Links::new())).collect();
    for &child in &keys[1..] {
        Links::append(&mut things, keys[0], child).expect("it is in no hierarchy");
    }
    for &key in &keys {
        let bytes = bytemuck::bytes_of(&things[key]);
        assert_eq!(bytes.len(), 4 * size_of::<K>());
        assert_eq!(checked::try_pod_read_unaligned(bytes), Ok(things[key]));
    }
    let all = bytemuck::bytes_of(&things[keys[2]]);
    let none = vec![0; all.len()];
    assert_eq!(checked::try_pod_read_unaligned(&none), Ok(Links::<K>::new()));
}

/// The lowest bit alone is no key of these, at whichever place.
#[test]
fn links_become_bytes_and_bytes_links_if_each_is_a_key_or_none() {
    larder::key_type! { struct Id; struct Small(Handle32<Self>); }
    links_there_and_back::<Handle<u8>>();
    links_there_and_back::<Handle32<u8>>();
    links_there_and_back::<BareHandle<u8>>();
    links_there_and_back::<Id>();
    links_there_and_back::<Small>();
    for place in 0..4 {
        let bits: [u64; 4] = core::array::from_fn(|at| u64::from(at == place));
        let read = checked::try_pod_read_unaligned::<Links<Id>>(bytemuck::bytes_of(&bits));
        assert!(read.is_err(), "{place}");
        let bits: [u32; 4] = core::array::from_fn(|at| u32::from(at == place));
        let read = checked::try_pod_read_unaligned::<Links<Small>>(bytemuck::bytes_of(&bits));
        assert!(read.is_err(), "{place}");
    }
}

/// A link is the number of its list and two keys, each of which is a key or none.
#[test]
fn a_link_becomes_bytes_and_bytes_a_link_if_each_is_a_key_or_none() {
    fn there_and_back<K: Key + NoUninit + CheckedBitPattern>()
    where
        Link<K>: NoUninit + CheckedBitPattern,
    {
        let mut things = Arena::<Link<K>, K>::with_key();
        let keys: Vec<K> = (0..3).map(|_| things.insert(Link::new())).collect();
        let mut list = IntrusiveList::numbered(6);
        keys[..2].iter().for_each(|&key| list.push_back(&mut things, key).expect("it is in none"));
        for &key in &keys {
            let bytes = bytemuck::bytes_of(&things[key]);
            assert_eq!(bytes.len(), 4 + 2 * size_of::<K>());
            assert_eq!(checked::try_pod_read_unaligned(bytes), Ok(things[key]));
        }
        for place in 0..2 {
            let mut bytes = bytemuck::bytes_of(&things[keys[2]]).to_vec();
            assert!(bytes.iter().all(|&byte| byte == 0), "it is in no list");
            bytes[0] = 9;
            let read = checked::try_pod_read_unaligned::<Link<K>>(&bytes);
            assert_eq!(read.map(|link| link.list()), Ok(Some(8)), "without neighbours it is torn");
            // The lowest bit alone is no key of these.
            let number = &mut bytes[4 + place * size_of::<K>()..][..size_of::<K>()];
            number.copy_from_slice(&1_u64.to_le_bytes()[..size_of::<K>()]);
            if cfg!(target_endian = "little") {
                assert!(checked::try_pod_read_unaligned::<Link<K>>(&bytes).is_err(), "{place}");
            }
        }
    }

    larder::key_type! { struct Id; struct Small(Handle32<Self>); }
    there_and_back::<Handle<u8>>();
    there_and_back::<Handle32<u8>>();
    there_and_back::<Id>();
    there_and_back::<Small>();
}

#[test]
fn bytes_that_are_no_symbol_or_list_are_refused() {
    let mut texts = StringPool::new();
    let symbols = ["", "a text"].map(|text| texts.intern(text));
    let bytes: &[u8] = bytemuck::cast_slice(&symbols);
    assert_eq!(checked::try_cast_slice::<u8, Symbol>(bytes), Ok(&symbols[..]));
    assert!(checked::try_pod_read_unaligned::<Symbol>(&[0; 4]).is_err(), "zero is none");
    assert_eq!(Option::<Symbol>::zeroed(), None);

    let mut pool = ListPool::new();
    let mut list = ListHandle::EMPTY;
    pool.push(&mut list, 'x');
    let lists = [ListHandle::EMPTY, list];
    let bytes: &[u8] = bytemuck::cast_slice(&lists);
    assert_eq!(checked::try_cast_slice::<u8, ListHandle<char>>(bytes), Ok(&lists[..]));
    for bits in [1, 2 << 32, 2 << 32 | 1] {
        let bytes = u64::to_ne_bytes(bits);
        assert!(ListHandle::<char>::from_bits(bits).is_none());
        assert!(checked::try_pod_read_unaligned::<ListHandle<char>>(&bytes).is_err());
    }
    assert_eq!(ListHandle::<char>::zeroed(), ListHandle::EMPTY);
    // It is aligned as a `u32`: of two places four bytes apart, one is not a multiple of eight.
    for begin in [0, 1] {
        let mut words = [0_u32; 5];
        let there = &mut words[begin..][..4];
        there.copy_from_slice(bytemuck::cast_slice(&lists));
        assert_eq!(checked::try_cast_slice::<u32, ListHandle<char>>(there), Ok(&lists[..]));
    }
}

#[test]
fn bits_and_bytes_agree() {
    let handle: Handle<u8> = Handle::from_bits(3 << 32 | 12).unwrap();
    assert_eq!(bytemuck::bytes_of(&handle), (3_u64 << 32 | 12).to_ne_bytes());
    let even = 2_u64 << 32 | 12; // a free slot's generation
    assert!(checked::try_pod_read_unaligned::<Handle<u8>>(&even.to_ne_bytes()).is_err());
}

#[test]
fn columns_are_bytes_as_they_are() {
    let mut arena = SoaArena::from_iter((0..100).map(|number| (f64::from(number), number as u8)));
    let bytes: &[u8] = bytemuck::cast_slice(arena.columns().0);
    assert_eq!(bytes.len(), 800);
    assert_eq!(bytes[8..16], 1.0_f64.to_ne_bytes());
    bytemuck::cast_slice_mut::<_, u8>(arena.columns_mut().0).fill(0);
    assert!(arena.values().all(|(number, _)| *number == 0.0));

    let owners: DenseSoaArena<(Handle<u8>, u32)> = [(Handle::DANGLING, 1)].into_iter().collect();
    assert_eq!(bytemuck::cast_slice::<_, u8>(owners.columns().0), [0xFF; 8]);
}
