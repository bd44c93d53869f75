//! Views: the keys of all values in the order of a number of each, made anew for each frame into the
//! same scratch.

use core::cmp::Ordering;

use anyhow::Result;
use larder::indices::RadixKey;
use larder::{Arena, Handle, indices::SortedKeys};

use crate::compare::random::Random;
use crate::study::{Method, Part, Row, Title, Turn, take_turns};

/// The name of the study.
pub(crate) const NAME: &str = "views";
/// How many values there are.
const COUNTS: &[usize] = &[100, 1_000, 10_000, 100_000, 1_000_000];

pub(crate) const UNSTABLE: &str = "Vec of pairs, sort_unstable";
pub(crate) const STABLE: &str = "Vec of pairs, sort";
pub(crate) const BY_LOOKUP: &str = "Vec of keys, sort_unstable by lookup";
pub(crate) const RADIX: &str = "SortedKeys";

pub(crate) fn parts() -> impl Iterator<Item = Part> {
    COUNTS.iter().map(|&count| {
        let part = Part::new(NAME, count, move |method, _| measure(count, method));
        part.slow_if(count == 1_000_000)
    })
}

/// Measures everything with so many values.
fn measure(count: usize, method: Method) -> Result<Vec<Row>> {
    let arena = &Arena::from_iter(sprites(count));
    let title = |name: &str, about| Title { study: NAME, workload: name.to_owned(), about, count };
    let u8 = title("u8", "a key, sorted by one of 16 layers");
    let u32 = title("u32", "a key, sorted by any 32 bits");
    let f32 = title("f32", "a key, sorted by a distance");
    let u64 = title("u64", "a key, sorted by any 64 bits");
    let rows = [
        measure_by(&u8, arena, |sprite| sprite.layer, method)?,
        measure_by(&u32, arena, |sprite| sprite.wide as u32, method)?,
        measure_by(&f32, arena, |sprite| sprite.distance, method)?,
        measure_by(&u64, arena, |sprite| sprite.wide, method)?,
    ];
    Ok(rows.concat())
}

/// Something that is drawn in order.
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
trait Rank: RadixKey + Copy {
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

/// Pairs of what is sorted by and the key.
type Pairs<R> = Vec<(R, Key)>;

/// The pairs of all values, in the order of the walk, in a scratch that has grown.
fn fill<R: Rank>(pairs: &mut Pairs<R>, arena: &Arena<Sprite>, rank: fn(&Sprite) -> R) {
    pairs.clear();
    pairs.extend(arena.iter().map(|(key, sprite)| (rank(sprite), key)));
}

fn measure_by<R: Rank>(
    title: &Title,
    arena: &Arena<Sprite>,
    rank: fn(&Sprite) -> R,
    method: Method,
) -> Result<Vec<Row>> {
    // Equal ones may be in any order.
    let digest = |keys: &mut dyn Iterator<Item = Key>| {
        keys.fold(0_u64, |digest, key| digest.rotate_left(5) ^ rank(&arena[key]).bits())
    };
    let unstable = |pairs: &mut Pairs<R>| {
        fill(pairs, arena, rank);
        pairs.sort_unstable_by(|a, b| a.0.compare(&b.0));
    };
    let stable = |pairs: &mut Pairs<R>| {
        fill(pairs, arena, rank);
        pairs.sort_by(|a, b| a.0.compare(&b.0));
    };
    let by_lookup = |keys: &mut Vec<Key>| {
        keys.clear();
        keys.extend(arena.keys());
        keys.sort_unstable_by(|&a, &b| rank(&arena[a]).compare(&rank(&arena[b])));
    };
    let radix = |order: &mut SortedKeys<Key>| {
        order.by_key(arena, rank);
    };
    let of_pairs = |pairs: &Pairs<R>| digest(&mut pairs.iter().map(|pair| pair.1));
    let count = title.count;
    let mut turns = vec![
        Turn::changing(UNSTABLE, count, Vec::new(), unstable, of_pairs),
        Turn::changing(STABLE, count, Vec::new(), stable, of_pairs),
        Turn::changing(BY_LOOKUP, count, Vec::new(), by_lookup, |keys| {
            digest(&mut keys.iter().copied())
        }),
        Turn::changing(RADIX, count, SortedKeys::new(), radix, |order| {
            digest(&mut order.keys().iter().copied())
        }),
    ];
    take_turns(title, &mut turns, method)
}
