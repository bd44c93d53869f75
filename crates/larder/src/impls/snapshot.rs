//! Containers as sections, and what lies beside them: keys, and what is noted of each. That is put together again from
//! these, so that no file can contain what contradicts itself.

use alloc::vec::Vec;
#[cfg(all(feature = "hashbrown", feature = "indices"))]
use core::hash::{BuildHasher, Hash};
use std::io;

use crate::containers::{
    Arena, DenseArena, DenseSoaArena, InlineArena, PagedArena, Pool, SoaArena,
};
#[cfg(feature = "indices")]
use crate::indices::{IndexError, KeyIndex, SortedIndex, TwoPhase};
use crate::key::Key;
use crate::key::generation::Generation;
use crate::maps::filling::Filling;
use crate::maps::layout::SideLayout;
use crate::maps::{SecondaryMap, SideMap};
use crate::raw::inline::Inline;
use crate::raw::packed::Packed;
use crate::raw::rows::Rows;
use crate::raw::slots::GenerationOf;
use crate::raw::split::SplitStore;
use crate::scratch::reserve_exact;
use crate::snapshot::format::{Sink, Source, refused};
use crate::snapshot::raw::{AnyShape, PlainShape, check_keys, write_keys};
use crate::snapshot::{Load, Map, Plain, Save, SnapshotErrorKind, sealed};
use crate::soa::{Fill, Soa};
#[cfg(feature = "trees")]
use crate::trees::{Buckets, IntrusiveList, KeyList, LoadError, Tree};

/// Implements the traits by what is written of `$this`, and what is read.
macro_rules! sections {
    ($(
        $kind:literal $type:ty [$($generics:tt)*] [$($to_load:tt)*],
        |$this:ident, $to:ident| $write:expr, |$from:ident| $read:expr;
    )*) => {$(
        impl<$($generics)*> sealed::Sealed for $type {}

        impl<$($generics)*> Save for $type {
            fn kind(&self) -> &'static str {
                $kind
            }

            fn write(&self, $to: &mut Sink<'_>) -> io::Result<()> {
                let $this = self;
                $write
            }
        }

        impl<$($generics)*> Load for $type
        where
            $($to_load)*
        {
            const KIND: &'static str = $kind;

            fn read($from: &mut Source<'_>) -> Result<Self, SnapshotErrorKind> {
                $read
            }
        }
    )*};
}

sections! {
    "rows" Arena<T, K> [T: Plain, K: Key] [],
        |this, to| this.store.write(to), |from| Ok(Self { store: Rows::read_block(from)? });
    "rows" PagedArena<T, K> [T: Plain, K: Key] [],
        |this, to| this.store.write(to), |from| Ok(Self { store: Rows::read_paged(from)? });
    "rows" InlineArena<T, N, K> [T: Plain, const N: usize, K: Key] [],
        |this, to| this.store.write(to), |from| Ok(Self { store: Inline::read_inside(from)? });
    "columns" SoaArena<T, K> [T: Soa<Shape: PlainShape> + Fill, K: Key] [],
        |this, to| this.store.write(to), |from| Ok(Self { store: SplitStore::read_split(from)? });
    "dense rows" DenseArena<T, K> [T: Plain, K: Key] [],
        |this, to| this.store.write(to), |from| Ok(Self { store: Packed::read(from)? });
    "dense columns" DenseSoaArena<T, K> [T: Soa<Shape: PlainShape>, K: Key] [],
        |this, to| this.store.write(to), |from| Ok(Self { store: Packed::read(from)? });
}

impl<T: Plain, K: Key> sealed::Sealed for Pool<T, K> {}

impl<T: Plain, K: Key> Save for Pool<T, K> {
    fn kind(&self) -> &'static str {
        "pool"
    }

    fn write(&self, to: &mut Sink<'_>) -> io::Result<()> {
        self.store.write(to)
    }
}

/// A loaded pool makes its values by `T::default()`, like a pool made by `default`.
impl<T: Plain + Default, K: Key> Load for Pool<T, K> {
    const KIND: &'static str = "pool";

    fn read(from: &mut Source<'_>) -> Result<Self, SnapshotErrorKind> {
        let store = SplitStore::read_split(from)?;
        Ok(Self { store, ..Self::default() })
    }
}

impl<T: Plain + Default + bytemuck::AnyBitPattern, K: Key> Map for Pool<T, K> {}
impl<T: Plain + bytemuck::AnyBitPattern, K: Key> Map for Arena<T, K> {}
impl<T: Soa<Shape: AnyShape> + Fill, K: Key> Map for SoaArena<T, K> {}
impl<T: Plain + bytemuck::AnyBitPattern, K: Key> Map for DenseArena<T, K> {}
impl<T: Soa<Shape: AnyShape>, K: Key> Map for DenseSoaArena<T, K> {}

/// Keys, as slots and the numbers of generations.
fn write_list<K: Key>(keys: impl Iterator<Item = K> + Clone, to: &mut Sink<'_>) -> io::Result<()> {
    write_keys::<K>(to)?;
    to.each("slots", keys.clone().map(Key::slot))?;
    to.each("generations", keys.map(|key| key.generation().to_u64()))
}

fn read_list<K: Key>(from: &mut Source<'_>) -> Result<Vec<K>, SnapshotErrorKind> {
    check_keys::<K>(from)?;
    let (slots, generations) = (from.slice::<u32>("slots")?, from.slice::<u64>("generations")?);
    if slots.len() != generations.len() {
        return Err(Source::invalid("there are more or fewer generations than slots"));
    }
    let mut keys = Vec::new();
    reserve_exact(&mut keys, slots.len())?;
    for (slot, generation) in slots.into_iter().zip(generations) {
        let live = GenerationOf::<K>::live_from_u64(generation).filter(|_| slot < K::MAX_SLOTS);
        let none = || {
            SnapshotErrorKind::entry(format_args!(
                "no key has slot {slot} and generation {generation}"
            ))
        };
        keys.push(K::compose(slot, live.ok_or_else(none)?));
    }
    Ok(keys)
}

/// Keys, and a value of each.
fn write_pairs<K: Key, V: Plain>(
    pairs: impl Iterator<Item = (K, V)> + Clone,
    to: &mut Sink<'_>,
) -> io::Result<()> {
    write_list(pairs.clone().map(|(key, _)| key), to)?;
    to.each("values", pairs.map(|(_, value)| value))
}

fn read_pairs<K: Key, V: Plain>(
    from: &mut Source<'_>,
) -> Result<impl Iterator<Item = (K, V)> + use<K, V>, SnapshotErrorKind> {
    let keys = read_list(from)?;
    let values = from.values("values", keys.len())?;
    Ok(keys.into_iter().zip(values))
}

/// A map of what was written by [`write_pairs`].
fn filled<K: Key, V: Plain, L: SideLayout<K, V>>(
    from: &mut Source<'_>,
) -> Result<SideMap<K, V, L>, SnapshotErrorKind> {
    let mut map = Filling::new();
    for (key, value) in read_pairs(from)? {
        map.push(key, value)?;
    }
    Ok(map.finish()?)
}

sections! {
    "side data" SecondaryMap<K, V> [K: Key, V: Plain] [],
        |this, to| write_pairs(this.iter().map(|(key, value)| (key, *value)), to), |from| filled(from);
}

#[cfg(feature = "hashbrown")]
sections! {
    "sparse side data" crate::maps::SparseSecondaryMap<K, V> [K: Key, V: Plain] [],
        |this, to| write_pairs(this.iter().map(|(key, value)| (key, *value)), to), |from| filled(from);
}

#[cfg(feature = "trees")]
sections! {
    "tree" Tree<K> [K: Key] [],
        |this, to| {
            let nodes = this.in_order().map_err(refused)?;
            write_pairs(nodes.iter().map(|&(depth, key)| (key, depth)), to)
        },
        |from| Ok(Tree::of_order(read_pairs(from)?.map(|(key, depth)| (depth, key)))?);
    "list" KeyList<K> [K: Key] [],
        |this, to| write_list(this.iter(), to),
        |from| Ok(KeyList::of_keys(read_list::<K>(from)?)?);
    // (Its links are in the objects, and verified when they are followed.)
    "list in objects" IntrusiveList<K> [K: Key] [],
        |this, to| {
            let (number, length, first) = this.parts();
            to.number("number", number.into())?;
            to.number("length", length.into())?;
            write_list(first.into_iter(), to)
        },
        |from| {
            let part = |name| from.number(name).map(u32::try_from);
            let (number, length) = (part("number")?, part("length")?);
            let first = read_list::<K>(from)?;
            let list = match (number, length, &first[..]) {
                (Ok(number), Ok(length), &[]) => Self::of_parts(number, length, None),
                (Ok(number), Ok(length), &[first]) => Self::of_parts(number, length, Some(first)),
                _ => None,
            };
            list.ok_or(Source::invalid("no list has such a number, length or first member"))
        };
    "buckets" Buckets<K, N> [K: Key, const N: usize] [],
        |this, to| {
            let members = |bucket| this.iter(bucket).map(move |key| (key, bucket as u64));
            write_pairs((0..N).flat_map(members), to)
        },
        |from| {
            let members = read_pairs::<K, u64>(from)?;
            let bucket = |bucket| usize::try_from(bucket).unwrap_or(usize::MAX);
            Ok(Buckets::of_members(members.map(|(key, number)| (bucket(number), key)))?)
        };
}

/// Files keys under their properties in an index that has none.
#[cfg(feature = "indices")]
fn filed<L: TwoPhase<Property: Plain>>(
    mut index: KeyIndex<L>,
    from: &mut Source<'_>,
) -> Result<KeyIndex<L>, SnapshotErrorKind> {
    for (count, (key, property)) in read_pairs::<L::Key, L::Property>(from)?.enumerate() {
        let prepared = index.layout.prepare(key, property).map_err(|error| match error {
            IndexError::Memory(reason) => reason.into(),
            error => SnapshotErrorKind::entry(error),
        })?;
        if let Some(ticket) = prepared {
            let leftover = index.layout.file(ticket);
            index.layout.settle(leftover);
        }
        if index.len() == count {
            return Err(SnapshotErrorKind::entry(format_args!(
                "{key:?} has the slot of another key"
            )));
        }
    }
    Ok(index)
}

#[cfg(feature = "indices")]
sections! {
    "sorted index" SortedIndex<Q, K> [Q: Plain + Ord, K: Key] [],
        |this, to| write_pairs(this.iter().map(|(property, key)| (key, *property)), to),
        |from| filed(Self::new(), from);
}

#[cfg(all(feature = "hashbrown", feature = "indices"))]
sections! {
    "unique index" crate::indices::UniqueIndex<Q, K, S>
        [Q: Plain + Hash + Eq, K: Key, S: BuildHasher] [S: Default],
        |this, to| write_pairs(this.iter().map(|(property, key)| (key, *property)), to),
        |from| filed(Self::default(), from);
    "multi index" crate::indices::MultiIndex<Q, K, S>
        [Q: Plain + Hash + Eq, K: Key, S: BuildHasher] [S: Default],
        |this, to| {
            let groups = this.iter().flat_map(|(property, keys)| keys.iter().map(|&key| (key, *property)));
            write_pairs(groups, to)
        },
        |from| filed(Self::default(), from);
    "grid" crate::indices::GridIndex<K, N> [K: Key, const N: usize] [],
        |this, to| {
            to.number("cell size", this.cell_size().to_bits().into())?;
            let mut all = Vec::new();
            reserve_exact(&mut all, this.len()).map_err(refused)?;
            all.extend(this.iter());
            write_pairs(all.iter().copied(), to)
        },
        |from| {
            let bits = u32::try_from(from.number("cell size")?).unwrap_or(u32::MAX);
            let size = f32::from_bits(bits);
            if !Self::is_cell_size(size) {
                return Err(Source::invalid("the size of cells must be above 0 and finite"));
            }
            filed(Self::new(size), from)
        };
}

#[cfg(feature = "trees")]
impl From<LoadError> for SnapshotErrorKind {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Memory(reason) => Self::Memory(reason),
            LoadError::Contradiction(what) => Self::Entry { what },
        }
    }
}
