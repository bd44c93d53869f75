//! The maps of side data: larder's, and slotmap's of the same names.

use larder::{Arena, Handle, join};
use slotmap::{DefaultKey, SlotMap};

use crate::study::hashers::{Hasher, RandomState};

/// An object's entry.
pub(crate) type Stat = [u32; 4];

/// A map of side data.
pub(crate) trait SideMap: Clone {
    /// The objects' keys.
    type Key: Copy;
    /// The map with an entry for every object, which is not sparse.
    type Wide;

    /// The name in tables and in JSON.
    const NAME: &'static str;

    /// The keys of so many objects, in slot order, and the map with an entry for each.
    fn objects(count: usize) -> (Vec<Self::Key>, Self::Wide);

    /// An empty map.
    fn new() -> Self;

    /// Gives an object its entry.
    fn insert(&mut self, key: Self::Key, stat: Stat);

    /// An object's entry.
    fn get(&self, key: Self::Key) -> Option<&Stat>;

    /// Removes an object's entry.
    fn remove(&mut self, key: Self::Key) -> Option<Stat>;

    /// The sum of all entries.
    fn walk(&self) -> u64;

    /// The sum over the objects with an entry in both.
    fn join2(&self, wide: &Self::Wide) -> u64;

    /// The sum over the objects with an entry in all three.
    fn join3(&self, other: &Self, wide: &Self::Wide) -> u64;
}

/// What one entry adds to the sum.
#[inline(always)]
fn one(stat: &Stat) -> u64 {
    stat.iter().fold(0, |sum, &number| sum + u64::from(number))
}

/// What two entries of an object add to the sum.
#[inline(always)]
fn two(a: &Stat, b: &Stat) -> u64 {
    u64::from(a[0]) * u64::from(b[1])
}

/// What three entries of an object add to the sum.
#[inline(always)]
fn three(a: &Stat, b: &Stat, c: &Stat) -> u64 {
    u64::from(a[0]) * u64::from(b[1]) + u64::from(c[2])
}

fn sum(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(0, u64::wrapping_add)
}

/// The methods of the same names.
macro_rules! as_they_are {
    ($key:ty) => {
        type Key = $key;

        #[inline(always)]
        fn insert(&mut self, key: $key, stat: Stat) {
            self.insert(key, stat);
        }

        #[inline(always)]
        fn get(&self, key: $key) -> Option<&Stat> {
            self.get(key)
        }

        #[inline(always)]
        fn remove(&mut self, key: $key) -> Option<Stat> {
            self.remove(key)
        }

        #[inline(never)]
        fn walk(&self) -> u64 {
            sum(self.values().map(one))
        }
    };
}

type LarderKey = Handle<u8>;
pub(crate) type LarderDense = larder::SecondaryMap<LarderKey, Stat>;
pub(crate) type LarderSparse = larder::maps::SparseSecondaryMap<LarderKey, Stat>;

/// The common objects of two or three maps are found by `join`.
macro_rules! larder_map {
    ($map:ty, $name:literal) => {
        impl SideMap for $map {
            type Wide = LarderDense;

            const NAME: &'static str = $name;

            as_they_are!(LarderKey);

            fn objects(count: usize) -> (Vec<LarderKey>, LarderDense) {
                let mut objects = Arena::new();
                let keys: Vec<_> = (0..count).map(|_| objects.insert(0)).collect();
                let wide = (1..).zip(&keys).map(|(number, &key)| (key, [number; 4])).collect();
                (keys, wide)
            }

            fn new() -> Self {
                Self::new()
            }

            #[inline(never)]
            fn join2(&self, wide: &LarderDense) -> u64 {
                sum(join((self, wide)).map(|(_, (a, b))| two(a, b)))
            }

            #[inline(never)]
            fn join3(&self, other: &Self, wide: &LarderDense) -> u64 {
                sum(join((self, other, wide)).map(|(_, (a, b, c))| three(a, b, c)))
            }
        }
    };
}

larder_map!(LarderDense, "SecondaryMap");
larder_map!(LarderSparse, "SparseSecondaryMap");

pub(crate) type SlotmapDense = slotmap::SecondaryMap<DefaultKey, Stat>;
pub(crate) type SlotmapSparse<S = RandomState> = slotmap::SparseSecondaryMap<DefaultKey, Stat, S>;
/// The common objects of maps are found by walking the one with the fewest entries, and looking them up
/// in the others.
macro_rules! slotmap_map {
    ($map:ty, $name:expr, $($generics:tt)*) => {
        impl $($generics)* SideMap for $map {
            type Wide = SlotmapDense;

            const NAME: &'static str = $name;

            as_they_are!(DefaultKey);

            fn objects(count: usize) -> (Vec<DefaultKey>, SlotmapDense) {
                let mut objects = SlotMap::new();
                let keys: Vec<_> = (0..count).map(|_| objects.insert(0_u8)).collect();
                let wide = (1..).zip(&keys).map(|(number, &key)| (key, [number; 4])).collect();
                (keys, wide)
            }

            fn new() -> Self {
                Self::default()
            }

            #[inline(never)]
            fn join2(&self, wide: &SlotmapDense) -> u64 {
                sum(self.iter().filter_map(|(key, a)| Some(two(a, wide.get(key)?))))
            }

            #[inline(never)]
            fn join3(&self, other: &Self, wide: &SlotmapDense) -> u64 {
                sum(self.iter().filter_map(|(key, a)| {
                    Some(three(a, other.get(key)?, wide.get(key)?))
                }))
            }
        }
    };
}

slotmap_map!(SlotmapDense, "slotmap SecondaryMap",);
slotmap_map!(
    SlotmapSparse<S>,
    if S::IS_FOLDHASH {
        "slotmap SparseSecondaryMap, foldhash"
    } else {
        "slotmap SparseSecondaryMap"
    },
    <S: Hasher>
);
