//! Views: the keys of all values, sorted by a number of each, made anew for each frame in the same memory.

use core::cmp::Ordering;

use larder::indices::RadixKey;
use larder::{Arena, Handle, indices::SortedKeys};

use crate::study::prelude::*;

pub(crate) fn parts() -> Vec<Part> {
    study::parts("views", &[100, 1_000, 10_000, 100_000, 1_000_000], 1_000_000, |contest| {
        let arena = &Arena::from_iter(sprites(contest.count));
        contest.take_all_turns([
            ("u8", "a key, sorted by one of 16 layers", turns(arena, |one| one.layer)),
            ("u32", "a key, sorted by any 32 bits", turns(arena, |one| one.wide as u32)),
            ("f32", "a key, sorted by a distance", turns(arena, |one| one.distance)),
            ("u64", "a key, sorted by any 64 bits", turns(arena, |one| one.wide)),
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

/// A number to sort by.
trait Rank: RadixKey + Copy + 'static {
    fn compare(&self, other: &Self) -> Ordering;

    /// What it adds to an answer.
    fn bits(self) -> u64;
}

macro_rules! ranks {
    ($($number:ty: $compare:ident, $bits:expr;)*) => {$(
        impl Rank for $number {
            #[inline(always)]
            fn compare(&self, other: &Self) -> Ordering {
                self.$compare(other)
            }

            fn bits(self) -> u64 {
                $bits(self)
            }
        }
    )*};
}

ranks! {
    u8: cmp, u64::from;
    u32: cmp, u64::from;
    f32: total_cmp, |distance: f32| u64::from(distance.to_bits());
    u64: cmp, u64::from;
}

/// Pairs of the number to sort by and the key.
type Pairs<R> = Vec<(R, Key)>;

/// The pairs of all values, in the order of the walk, in memory from earlier frames.
fn fill<R: Rank>(pairs: &mut Pairs<R>, arena: &Arena<Sprite>, rank: fn(&Sprite) -> R) {
    pairs.clear();
    pairs.extend(arena.iter().map(|(key, sprite)| (rank(sprite), key)));
}

fn turns<R: Rank>(arena: &Arena<Sprite>, rank: fn(&Sprite) -> R) -> Vec<Turn<'_>> {
    // The order of equal numbers is arbitrary.
    let digest = move |keys: &mut dyn Iterator<Item = Key>| {
        keys.fold(0_u64, |digest, key| digest.rotate_left(5) ^ rank(&arena[key]).bits())
    };
    let unstable = move |pairs: &mut Pairs<R>| {
        fill(pairs, arena, rank);
        pairs.sort_unstable_by(|a, b| a.0.compare(&b.0));
    };
    let stable = move |pairs: &mut Pairs<R>| {
        fill(pairs, arena, rank);
        pairs.sort_by(|a, b| a.0.compare(&b.0));
    };
    let by_lookup = move |keys: &mut Vec<Key>| {
        keys.clear();
        keys.extend(arena.keys());
        keys.sort_unstable_by(|&a, &b| rank(&arena[a]).compare(&rank(&arena[b])));
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
