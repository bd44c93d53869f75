//! Views: the keys of all values, sorted by a number of each, made anew for each frame in the same memory.

use core::cmp::Ordering;

use larder::indices::RadixKey;
use larder::{Arena, Handle, indices::SortedKeys};

use crate::study::prelude::*;

pub(crate) fn parts() -> Vec<Part> {
    study::parts("views", &[100, 1_000, 10_000, 100_000, 1_000_000], 1_000_000, |contest| {
        let arena = &Arena::from_iter(sprites(contest.count));
        let bits = |distance: f32| u64::from(distance.to_bits());
        let layers = turns(arena, |one| one.layer, u8::cmp, u64::from);
        let words = turns(arena, |one| one.wide as u32, u32::cmp, u64::from);
        let distances = turns(arena, |one| one.distance, f32::total_cmp, bits);
        let long = turns(arena, |one| one.wide, u64::cmp, u64::from);
        contest.take_all_turns([
            ("u8", "a key, sorted by one of 16 layers", layers),
            ("u32", "a key, sorted by any 32 bits", words),
            ("f32", "a key, sorted by a distance", distances),
            ("u64", "a key, sorted by any 64 bits", long),
        ])
    })
}

/// An object that is drawn in order.
#[derive(Clone, Copy, Debug)]
struct Sprite {
    layer: u8,
    distance: f32,
    wide: u64,
}

type Key = Handle<Sprite>;

fn sprites(count: usize) -> impl Iterator<Item = Sprite> {
    let mut random = Random::new(0x51E3);
    (0..count).map(move |_| {
        let wide = random.next();
        Sprite { layer: (wide % 16) as u8, distance: (wide >> 40) as f32 / 1024.0, wide }
    })
}

/// Pairs of the number to sort by and the key.
type Pairs<R> = Vec<(R, Key)>;

/// The pairs of all values, in the order of the walk, in memory from earlier frames.
fn fill<R>(pairs: &mut Pairs<R>, arena: &Arena<Sprite>, rank: fn(&Sprite) -> R) {
    pairs.clear();
    pairs.extend(arena.iter().map(|(key, sprite)| (rank(sprite), key)));
}

/// Keys sorted by a number, which is compared like this, and of which these bits are a part of the answer.
fn turns<R: RadixKey + Copy + 'static>(
    arena: &Arena<Sprite>,
    rank: fn(&Sprite) -> R,
    compare: impl Fn(&R, &R) -> Ordering + Copy + 'static,
    bits: impl Fn(R) -> u64 + Copy + 'static,
) -> Vec<Turn<'_>> {
    // The order of equal numbers is arbitrary.
    let digest = move |keys: &mut dyn Iterator<Item = Key>| {
        keys.fold(0_u64, |digest, key| digest.rotate_left(5) ^ bits(rank(&arena[key])))
    };
    let unstable = move |pairs: &mut Pairs<R>| {
        fill(pairs, arena, rank);
        pairs.sort_unstable_by(|a, b| compare(&a.0, &b.0));
    };
    let stable = move |pairs: &mut Pairs<R>| {
        fill(pairs, arena, rank);
        pairs.sort_by(|a, b| compare(&a.0, &b.0));
    };
    let by_lookup = move |keys: &mut Vec<Key>| {
        keys.clear();
        keys.extend(arena.keys());
        keys.sort_unstable_by(|&a, &b| compare(&rank(&arena[a]), &rank(&arena[b])));
    };
    let radix = move |order: &mut SortedKeys<Key>| {
        order.by_key(arena, rank);
    };
    let of_pairs = move |pairs: &Pairs<R>| digest(&mut pairs.iter().map(|pair| pair.1));
    let count = arena.len();
    vec![
        Turn::changing("Vec of pairs, sort_unstable", count, Vec::new(), unstable, of_pairs),
        Turn::changing("Vec of pairs, sort", count, Vec::new(), stable, of_pairs),
        Turn::changing(
            "Vec of keys, sort_unstable by lookup",
            count,
            Vec::new(),
            by_lookup,
            move |keys| digest(&mut keys.iter().copied()),
        ),
        Turn::changing("SortedKeys", count, SortedKeys::new(), radix, move |order| {
            digest(&mut order.keys().iter().copied())
        }),
    ]
}
