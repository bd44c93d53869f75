//! Containers as sections, and structures that say what their [parts](crate::parts) are.

use alloc::vec::Vec;
use std::io;

use crate::containers::{
    Arena, DenseArena, DenseSoaArena, InlineArena, PagedArena, Pool, SoaArena,
};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::key::generation::Generation;
use crate::parts::{
    Encoder, FoundPart, FromParts, Keys, Levels, List, Lists, Loaded, OutOfOrder, Pairs, PartOf,
    Parts, Passing, Points, Texts, Values, WRONG_LISTS, WRONG_TEXTS, check_names,
};
use crate::raw::inline::Inline;
use crate::raw::packed::Packed;
use crate::raw::rows::Rows;
use crate::raw::slots::GenerationOf;
use crate::raw::split::{Recipe, SplitStore};
use crate::raw::store::Store;
use crate::room::reserve_exact;
use crate::snapshot::format::{Sink, Source, refused};
use crate::snapshot::raw::{AnyShape, KEY_LAYOUT, PlainShape, check_keys, write_keys};
use crate::snapshot::{Load, Map, Plain, Save, SnapshotErrorKind, sealed};
use crate::soa::{Fill, Soa};

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
        self.store.write_pool(to)
    }
}

/// A loaded pool makes its values by `T::default()`, like a pool made by `default`.
impl<T: Plain + Default, K: Key> Load for Pool<T, K> {
    const KIND: &'static str = "pool";

    fn read(from: &mut Source<'_>) -> Result<Self, SnapshotErrorKind> {
        let recipe = Recipe::new(|| T::default());
        Ok(Self { store: Store::of_split(SplitStore::read_split(from)?, recipe) })
    }
}

impl<T: Plain + Default + bytemuck::AnyBitPattern, K: Key> Map for Pool<T, K> {}
impl<T: Plain + bytemuck::AnyBitPattern, K: Key> Map for Arena<T, K> {}
impl<T: Soa<Shape: AnyShape> + Fill, K: Key> Map for SoaArena<T, K> {}
impl<T: Plain + bytemuck::AnyBitPattern, K: Key> Map for DenseArena<T, K> {}
impl<T: Soa<Shape: AnyShape>, K: Key> Map for DenseSoaArena<T, K> {}

/// Everything that says what its parts are.
impl<P: Parts<List: InFile>> sealed::Sealed for P {}

#[diagnostic::do_not_recommend]
impl<P: Parts<List: InFile>> Save for P {
    fn kind(&self) -> &'static str {
        P::KIND
    }

    fn write(&self, to: &mut Sink<'_>) -> io::Result<()> {
        const { check_names(P::PARTS, P::List::NAMES) };
        let mut file = ToFile { sink: to, passing: Passing::all_of::<P>() };
        self.save(&mut file)?;
        file.passing.end().map_err(invalid)
    }
}

impl<P: FromParts<List: InFile>> Load for P {
    const KIND: &'static str = P::KIND;

    fn read(from: &mut Source<'_>) -> Result<Self, SnapshotErrorKind> {
        const { check_names(P::PARTS, P::List::NAMES) };
        let mut found = Vec::new();
        reserve_exact(&mut found, P::PARTS.len())?;
        for part in P::PARTS {
            let name = part.name();
            let one = match part.of {
                PartOf::Number => FoundPart::Number(from.number(name)?),
                PartOf::Float => {
                    let bits = u32::try_from(from.number(name)?);
                    let bits = bits.map_err(|_| Source::invalid("a number is no `f32`"))?;
                    FoundPart::Float(f32::from_bits(bits))
                }
                PartOf::Column => FoundPart::Column(from.slice(name)?),
            };
            found.push((name, one));
        }
        Ok(P::load(Loaded { found, list: P::List::read(from)? })?)
    }
}

/// Passes the parts on to a file, if they are those that there should be.
struct ToFile<'a, 'b> {
    sink: &'a mut Sink<'b>,
    passing: Passing,
}

impl<L: InFile> Encoder<L> for ToFile<'_, '_> {
    type Error = io::Error;

    fn number(&mut self, name: &'static str, value: u64) -> io::Result<()> {
        self.passing.part(name, PartOf::Number).map_err(invalid)?;
        self.sink.number(name, value)
    }

    fn float(&mut self, name: &'static str, value: f32) -> io::Result<()> {
        self.passing.part(name, PartOf::Float).map_err(invalid)?;
        self.sink.number(name, value.to_bits().into())
    }

    fn column(
        &mut self,
        name: &'static str,
        values: impl Iterator<Item = u32> + Clone,
    ) -> io::Result<()> {
        self.passing.part(name, PartOf::Column).map_err(invalid)?;
        self.sink.each(name, values)
    }

    fn list<'a>(&mut self, elements: impl Iterator<Item = L::Lent<'a>> + Clone) -> io::Result<()>
    where
        L: 'a,
    {
        self.passing.list().map_err(invalid)?;
        L::write(elements, self.sink)
    }

    fn refused(&self, reason: TryReserveError) -> io::Error {
        refused(reason)
    }
}

/// A structure does not pass what it says.
#[inline]
fn invalid(reason: OutOfOrder) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

/// A list that can be in a snapshot: its values are [`Plain`]. Sealed.
///
/// # Examples
/// ```
/// use larder::Handle;
/// use larder::parts::{InFile, Pairs};
///
/// fn can_be_a_section<L: InFile>() {}
/// can_be_a_section::<Pairs<Handle<u8>, f32>>();
/// ```
pub trait InFile: List {
    /// The names of its arrays and numbers, which no part beside it has.
    #[doc(hidden)]
    const NAMES: &'static [&'static str];

    #[doc(hidden)]
    fn write<'a>(
        elements: impl Iterator<Item = Self::Lent<'a>> + Clone,
        to: &mut Sink<'_>,
    ) -> io::Result<()>
    where
        Self: 'a;

    #[doc(hidden)]
    fn read(from: &mut Source<'_>) -> Result<Self, SnapshotErrorKind>;
}

/// Keys, as slots and the numbers of generations.
impl<K: Key> InFile for Keys<K> {
    const NAMES: &'static [&'static str] =
        &[KEY_LAYOUT[0], KEY_LAYOUT[1], KEY_LAYOUT[2], "slots", "generations"];

    fn write<'a>(keys: impl Iterator<Item = K> + Clone, to: &mut Sink<'_>) -> io::Result<()>
    where
        K: 'a,
    {
        write_keys::<K>(to)?;
        to.each("slots", keys.clone().map(Key::slot))?;
        to.each("generations", keys.map(|key| key.generation().to_u64()))
    }

    fn read(from: &mut Source<'_>) -> Result<Self, SnapshotErrorKind> {
        check_keys::<K>(from)?;
        let (slots, generations) = (from.slice::<u32>("slots")?, from.slice::<u64>("generations")?);
        if slots.len() != generations.len() {
            return Err(Source::invalid("there are more or fewer generations than slots"));
        }
        let mut keys = Vec::new();
        reserve_exact(&mut keys, slots.len())?;
        for (slot, generation) in slots.into_iter().zip(generations) {
            let live = GenerationOf::<K>::live_from_u64(generation);
            let live = live.filter(|_| slot < K::MAX_SLOTS).ok_or_else(|| {
                SnapshotErrorKind::entry(format_args!(
                    "no key has slot {slot} and generation {generation}"
                ))
            })?;
            keys.push(K::compose(slot, live));
        }
        Ok(Self(keys))
    }
}

/// The names of keys and values.
const PAIRS: &[&str] =
    &[KEY_LAYOUT[0], KEY_LAYOUT[1], KEY_LAYOUT[2], "slots", "generations", "values"];

/// Keys, and a value of each.
fn write_pairs<K: Key, V: Plain>(
    pairs: impl Iterator<Item = (K, V)> + Clone,
    to: &mut Sink<'_>,
) -> io::Result<()> {
    Keys::write(pairs.clone().map(|(key, _)| key), to)?;
    to.each("values", pairs.map(|(_, value)| value))
}

/// Reads what [`write_pairs`] wrote, and makes an entry of each key and value.
fn read_pairs<K: Key, V: Plain, E>(
    from: &mut Source<'_>,
    entry: impl Fn((K, V)) -> E,
) -> Result<Vec<E>, SnapshotErrorKind> {
    let keys = Keys::read(from)?.0;
    let values = from.values("values", keys.len())?;
    let mut pairs = Vec::new();
    reserve_exact(&mut pairs, keys.len())?;
    pairs.extend(keys.into_iter().zip(values).map(entry));
    Ok(pairs)
}

impl<K: Key, V: Plain> InFile for Pairs<K, V> {
    const NAMES: &'static [&'static str] = PAIRS;

    fn write<'a>(
        pairs: impl Iterator<Item = (K, &'a V)> + Clone,
        to: &mut Sink<'_>,
    ) -> io::Result<()>
    where
        Self: 'a,
    {
        write_pairs(pairs.map(|(key, value)| (key, *value)), to)
    }

    fn read(from: &mut Source<'_>) -> Result<Self, SnapshotErrorKind> {
        read_pairs(from, |pair| pair).map(Self)
    }
}

impl<K: Key> InFile for Levels<K> {
    const NAMES: &'static [&'static str] = PAIRS;

    fn write<'a>(nodes: impl Iterator<Item = (u32, K)> + Clone, to: &mut Sink<'_>) -> io::Result<()>
    where
        K: 'a,
    {
        write_pairs(nodes.map(|(depth, key)| (key, depth)), to)
    }

    fn read(from: &mut Source<'_>) -> Result<Self, SnapshotErrorKind> {
        read_pairs(from, |(key, depth)| (depth, key)).map(Self)
    }
}

impl<K: Key, const N: usize> InFile for Points<K, N> {
    const NAMES: &'static [&'static str] = PAIRS;

    fn write<'a>(
        points: impl Iterator<Item = (K, [f32; N])> + Clone,
        to: &mut Sink<'_>,
    ) -> io::Result<()>
    where
        K: 'a,
    {
        write_pairs(points, to)
    }

    fn read(from: &mut Source<'_>) -> Result<Self, SnapshotErrorKind> {
        read_pairs(from, |pair| pair).map(Self)
    }
}

impl<V: Plain> InFile for Values<V> {
    const NAMES: &'static [&'static str] = &["values"];

    fn write<'a>(values: impl Iterator<Item = &'a V> + Clone, to: &mut Sink<'_>) -> io::Result<()>
    where
        V: 'a,
    {
        to.each("values", values.copied())
    }

    fn read(from: &mut Source<'_>) -> Result<Self, SnapshotErrorKind> {
        let count = from.count("values")?;
        from.values("values", count).map(Self)
    }
}

impl<V> Lists<V> {
    /// Reads the lengths of values, which are these; otherwise it is `wrong`.
    fn of(
        values: Vec<V>,
        wrong: &'static str,
        from: &mut Source<'_>,
    ) -> Result<Self, SnapshotErrorKind> {
        let saved = from.slice::<u64>("lengths")?;
        let (mut lengths, mut rest) = (Vec::new(), values.len());
        reserve_exact(&mut lengths, saved.len())?;
        for length in saved {
            let length = usize::try_from(length).ok().filter(|&length| length <= rest);
            let length = length.ok_or(Source::invalid(wrong))?;
            rest -= length;
            lengths.push(length);
        }
        if rest == 0 { Ok(Self { values, lengths }) } else { Err(Source::invalid(wrong)) }
    }
}

impl<V: Plain> InFile for Lists<V> {
    const NAMES: &'static [&'static str] = &["lengths", "values"];

    fn write<'a>(lists: impl Iterator<Item = &'a [V]> + Clone, to: &mut Sink<'_>) -> io::Result<()>
    where
        V: 'a,
    {
        to.each("lengths", lists.clone().map(|list| list.len() as u64))?;
        to.each("values", lists.flatten().copied())
    }

    fn read(from: &mut Source<'_>) -> Result<Self, SnapshotErrorKind> {
        let Values(values) = Values::read(from)?;
        Self::of(values, WRONG_LISTS, from)
    }
}

impl InFile for Texts {
    const NAMES: &'static [&'static str] = &["lengths", "bytes"];

    fn write<'a>(
        texts: impl Iterator<Item = &'a str> + Clone,
        to: &mut Sink<'_>,
    ) -> io::Result<()> {
        to.each("lengths", texts.clone().map(|text| text.len() as u64))?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(texts.clone().map(str::len).sum())?;
        texts.for_each(|text| bytes.extend_from_slice(text.as_bytes()));
        to.slice("bytes", &bytes)
    }

    #[inline]
    fn read(from: &mut Source<'_>) -> Result<Self, SnapshotErrorKind> {
        let bytes = from.slice::<u8>("bytes")?;
        Lists::of(bytes, WRONG_TEXTS, from).map(Self)
    }
}
