//! The demands on arrays of arrays and on names, row by row.

use std::collections::BTreeSet;

use larder::pools::list_pool::{ListHandle, ListPool};
use larder::{
    Arena, Handle,
    pools::{NameHash, StringPool, Symbol},
};
use larder_testing::allocator::requests_of;
use larder_testing::common::scaled;

#[derive(Default)]
struct Node {
    children: ListHandle<Handle<Node>>,
    name: Option<Symbol>,
}

#[test]
fn b63_objects_have_names_and_lists_of_children() {
    let (mut nodes, mut lists, mut names) = (Arena::new(), ListPool::new(), StringPool::new());
    let leaf = nodes.insert(Node { name: Some(names.intern("leaf")), ..Node::default() });
    let root = nodes.insert(Node { name: Some(names.intern("root")), ..Node::default() });
    lists.push(&mut nodes[root].children, leaf);
    let child = &nodes[lists[nodes[root].children][0]];
    assert_eq!(child.name.map(|name| &names[name]), Some("leaf"));
    assert_eq!(size_of::<Node>(), 12_usize.next_multiple_of(align_of::<Node>()));
}

/// Objects of a geometric number of children, as in the source's table.
fn families() -> Vec<u32> {
    (0..10_000_u32).map(|n| (n.wrapping_mul(2_654_435_769) | 1 << 20).leading_zeros() + 2).collect()
}

#[test]
fn y2_ten_thousand_lists_need_no_allocation_each() {
    let families = families();
    let (requests, lists) = requests_of(|| {
        let mut lists = ListPool::new();
        let owners: Vec<_> = families.iter().map(|&count| lists.make(0..count)).collect();
        (lists, owners)
    });
    assert_eq!(lists.0.len(), 10_000);
    assert!(requests < 60, "{requests} allocations");
    let (requests, _) = requests_of(|| {
        families.iter().map(|&count| (0..count).collect::<Vec<_>>()).collect::<Vec<_>>()
    });
    assert!(requests >= 10_000);
}

#[test]
fn y3_pieces_are_freed_by_their_size_and_have_no_headers() {
    let mut lists = ListPool::<u32>::new();
    let list = lists.make(0..64);
    let stats = lists.stats();
    assert_eq!((stats.used, stats.wasted), (256, 0));
    lists.free(list);
    let again = lists.make(0..64);
    assert_eq!(lists.stats().bytes, stats.bytes);
    assert_eq!(lists[again].len(), 64);

    // A list of two values takes these and a head, and nothing that is not accounted for.
    let mut pairs = ListPool::<u32>::new();
    (0..1_000).for_each(|n| _ = pairs.make([n, n]));
    pairs.compact();
    let stats = pairs.stats();
    assert_eq!((stats.used, stats.heads, stats.bytes), (8_000, 12_000, 20_000));
}

#[test]
fn y10_lists_made_together_lie_together_and_again_after_compacting() {
    let mut lists = ListPool::new();
    let mut owners: Vec<_> = (0..100_u32).map(|n| lists.make([n; 4])).collect();
    let adjacent = |lists: &ListPool<u32>, owners: &[ListHandle<u32>]| {
        let starts = owners.iter().map(|&list| lists[list].as_ptr().addr());
        let starts: Vec<_> = starts.collect();
        starts.windows(2).all(|pair| pair[1] - pair[0] == 16)
    };
    assert!(adjacent(&lists, &owners));
    for list in owners.iter_mut().rev() {
        lists.extend(list, [0; 4]);
        lists.truncate(*list, 4);
    }
    lists.compact();
    assert!(adjacent(&lists, &owners));
    assert!((0..).zip(&owners).all(|(n, &list)| lists[list] == [n; 4]));
    assert_eq!((lists.stats().wasted, lists.stats().free, lists.stats().unused), (0, 0, 0));
}

#[test]
fn y17_names_are_kept_as_hashes_only() {
    const WREN: NameHash = NameHash::of("wren");
    assert_eq!(WREN, NameHash::of(&String::from("wren")));
    // For good: files have them.
    let kept = ["", "a", "wren"].map(|text| NameHash::of(text).to_bits());
    assert_eq!(kept, [0x8570_e250_fe4c_2473, 0x82b1_9d98_59a6_1322, 0x28d9_57f2_eac1_b62f]);
    let words = |n: u32| [format!("unit {n}"), format!("{n}/unit"), n.to_string()];
    let hashes: Vec<u64> = (0..scaled(50_000, 50) as u32)
        .flat_map(words)
        .map(|w| NameHash::of(&w).to_bits())
        .collect();
    let distinct: BTreeSet<_> = hashes.iter().collect();
    assert_eq!(distinct.len(), hashes.len(), "similar names agree");
    // Nor do the low bits alone lean to a side: of 256 values each comes about as often.
    let mut often = [0; 256];
    hashes.iter().for_each(|hash| often[*hash as usize & 255] += 1);
    let expected = hashes.len() / 256;
    assert!(cfg!(miri) || often.iter().all(|&n| n > expected * 3 / 4 && n < expected * 5 / 4));
    let saved = serde_json::to_string(&WREN).unwrap();
    assert_eq!(serde_json::from_str::<NameHash>(&saved).unwrap(), WREN);
    assert_eq!(format!("{WREN:?}"), format!("#{:016x}", WREN.to_bits()));
}
