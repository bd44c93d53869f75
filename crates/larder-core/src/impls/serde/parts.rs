//! Structures that say what their [parts](crate::parts) are. One that has nothing but a list is that list; any other is
//! a struct with the parts as fields, in any order where a format names these.
//!
//! Formats that name their fields can also hold a map of side data of the crate `slotmap` where there is one of larder:
//! its encoding is a list of slots, with a value and a version each.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, SerializeSeq, SerializeStruct, SerializeTuple};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::forms::SlotmapSlot;
use crate::error::TryReserveError;
use crate::key::Key;
use crate::key::generation::Generation;
use crate::parts::{
    Encoder, FoundPart, FromParts, Keys, Levels, List, Lists, Loaded, MOST_PARTS, Pairs, PartOf,
    Parts, Passing, Points, Texts, Values, check_fields,
};
use crate::raw::slots::GenerationOf;
use crate::room::{reserve, reserve_exact};

/// A list that can be serialised: its keys and values can. Sealed.
///
/// # Examples
/// ```
/// use larder::Handle;
/// use larder::parts::{Pairs, ToSerde};
///
/// fn can_be_serialised<L: ToSerde>() {}
/// can_be_serialised::<Pairs<Handle<u8>, String>>();
/// ```
pub trait ToSerde: List {
    #[doc(hidden)]
    fn serialize_one<S: Serializer>(one: &Self::Lent<'_>, to: S) -> Result<S::Ok, S::Error>;
}

/// A list that can be deserialised: its keys and values can. Sealed.
///
/// # Examples
/// ```
/// use larder::Handle;
/// use larder::parts::{FromSerde, Pairs};
///
/// fn can_be_deserialised<L: for<'de> FromSerde<'de>>() {}
/// can_be_deserialised::<Pairs<Handle<u8>, String>>();
/// ```
pub trait FromSerde<'de>: List {
    /// The expected contents, for the error of a format that has something else.
    #[doc(hidden)]
    const EXPECTED: &'static str;

    /// Reads the next element; returns whether there was one.
    #[doc(hidden)]
    fn read_one<A: SeqAccess<'de>>(&mut self, from: &mut A) -> Result<bool, A::Error>;
}

/// Serialises a structure as its parts: for `#[serde(with = "larder::parts")]`. O(parts).
///
/// # Errors
/// Returns the error of the serialiser.
///
/// # Examples
/// ```
/// use larder::{Arena, trees::KeyList};
///
/// let birds = Arena::from_iter(["wren"]);
/// let mut list = KeyList::new();
/// birds.keys().for_each(|key| list.push_back(&birds, key).unwrap());
/// let mut json = serde_json::Serializer::new(Vec::new());
/// larder::parts::serialize(&list, &mut json)?;
/// assert_eq!(json.into_inner(), br#"[{"idx":0,"version":1}]"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn serialize<P: Parts<List: ToSerde>, S: Serializer>(of: &P, to: S) -> Result<S::Ok, S::Error> {
    const { check_fields(P::PARTS, P::LIST) };
    let mut encoder = ToFields::<P, S> {
        state: State::Begun(to),
        passing: Passing::all_of::<P>(),
        parts: PhantomData,
    };
    of.save(&mut encoder)?;
    encoder.passing.end().map_err(S::Error::custom)?;
    match encoder.state {
        State::Done(done) => Ok(done),
        _ => Err(S::Error::custom("a structure went on after an error")),
    }
}

/// Deserialises a structure from its parts: for `#[serde(with = "larder::parts")]`. O(parts).
///
/// # Errors
/// If the format has something else, or the parts contradict each other.
///
/// # Examples
/// ```
/// use larder::{Handle, trees::KeyList};
///
/// let mut json = serde_json::Deserializer::from_str(r#"[{"idx":0,"version":1}]"#);
/// let list: KeyList<Handle<u8>> = larder::parts::deserialize(&mut json)?;
/// assert_eq!(list.len(), 1);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn deserialize<'de, P, D>(from: D) -> Result<P, D::Error>
where
    P: FromParts<List: FromSerde<'de>>,
    D: Deserializer<'de>,
{
    const { check_fields(P::PARTS, P::LIST) };
    let visitor = OfParts(PhantomData::<P>);
    let parts = if P::PARTS.is_empty() {
        from.deserialize_seq(visitor)?
    } else {
        from.deserialize_struct(P::NAME, OfParts::<P>::FIELDS, visitor)?
    };
    P::load(parts).map_err(D::Error::custom)
}

/// Passes the parts on to a serialiser.
struct ToFields<P, S: Serializer> {
    state: State<S>,
    passing: Passing,
    parts: PhantomData<P>,
}

enum State<S: Serializer> {
    Begun(S),
    Fields(S::SerializeStruct),
    Done(S::Ok),
    Failed,
}

impl<P: Parts, S: Serializer> ToFields<P, S> {
    /// Returns the fields, and the name of the next, which is this part.
    fn field(
        &mut self,
        name: &'static str,
        of: PartOf,
    ) -> Result<(&mut S::SerializeStruct, &'static str), S::Error> {
        let part = self.passing.part(name, of).map_err(S::Error::custom)?;
        Ok((self.fields()?, part.field_name()))
    }

    fn fields(&mut self) -> Result<&mut S::SerializeStruct, S::Error> {
        if let State::Begun(_) = self.state {
            if let State::Begun(to) = core::mem::replace(&mut self.state, State::Failed) {
                self.state = State::Fields(to.serialize_struct(P::NAME, P::PARTS.len() + 1)?);
            }
        }
        match &mut self.state {
            State::Fields(fields) => Ok(fields),
            _ => Err(S::Error::custom("a structure went on after an error")),
        }
    }
}

impl<P: Parts<List = L>, L: ToSerde, S: Serializer> Encoder<L> for ToFields<P, S> {
    type Error = S::Error;

    fn number(&mut self, name: &'static str, value: u64) -> Result<(), S::Error> {
        let (fields, name) = self.field(name, PartOf::Number)?;
        fields.serialize_field(name, &value)
    }

    fn float(&mut self, name: &'static str, value: f32) -> Result<(), S::Error> {
        let (fields, name) = self.field(name, PartOf::Float)?;
        fields.serialize_field(name, &value)
    }

    fn column(
        &mut self,
        name: &'static str,
        values: impl Iterator<Item = u32> + Clone,
    ) -> Result<(), S::Error> {
        let (fields, name) = self.field(name, PartOf::Column)?;
        fields.serialize_field(name, &Numbers(values))
    }

    fn list<'a>(
        &mut self,
        elements: impl Iterator<Item = L::Lent<'a>> + Clone,
    ) -> Result<(), S::Error>
    where
        L: 'a,
    {
        self.passing.list().map_err(S::Error::custom)?;
        let each = Each::<L, _>(elements, PhantomData);
        if !P::PARTS.is_empty() {
            self.fields()?.serialize_field(P::LIST, &each)?;
        }
        self.state = State::Done(match core::mem::replace(&mut self.state, State::Failed) {
            State::Begun(to) => each.serialize(to)?,
            State::Fields(fields) => fields.end()?,
            _ => return Err(S::Error::custom("a structure went on after an error")),
        });
        Ok(())
    }

    fn refused(&self, reason: TryReserveError) -> S::Error {
        S::Error::custom(reason)
    }
}

/// Numbers, as a sequence.
struct Numbers<I>(I);

impl<I: Iterator<Item = u32> + Clone> Serialize for Numbers<I> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut list = to.serialize_seq(Some(self.0.clone().count()))?;
        self.0.clone().try_for_each(|number| list.serialize_element(&number))?;
        list.end()
    }
}

/// The elements of a list, as a sequence.
struct Each<L, I>(I, PhantomData<L>);

impl<'a, L: ToSerde + 'a, I: Iterator<Item = L::Lent<'a>> + Clone> Serialize for Each<L, I> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut list = to.serialize_seq(Some(self.0.clone().count()))?;
        self.0.clone().try_for_each(|one| list.serialize_element(&One::<L>(one)))?;
        list.end()
    }
}

/// An element of a list.
struct One<'a, L: List + 'a>(L::Lent<'a>);

impl<L: ToSerde> Serialize for One<'_, L> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        L::serialize_one(&self.0, to)
    }
}

/// Reads the parts of a structure.
struct OfParts<P>(PhantomData<P>);

impl<P: Parts> OfParts<P> {
    const COUNT: usize = P::PARTS.len() + 1;

    /// The names of fields, of which the first `COUNT` count.
    const NAMES: &'static [&'static str; MOST_PARTS + 1] = &{
        let (mut names, mut at) = ([P::LIST; MOST_PARTS + 1], 0);
        while at < P::PARTS.len() {
            names[at] = P::PARTS[at].field_name();
            at += 1;
        }
        names
    };

    const FIELDS: &'static [&'static str] = Self::NAMES.split_at(Self::COUNT).0;
}

impl<'de, P: Parts<List: FromSerde<'de>>> Visitor<'de> for OfParts<P> {
    type Value = Loaded<P::List>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match P::PARTS {
            [] => f.write_str(<P::List as FromSerde>::EXPECTED),
            _ => write!(f, "the parts of a structure of the kind `{}`", P::KIND),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        if P::PARTS.is_empty() {
            let list = OfList(PhantomData).visit_seq(from)?;
            return Ok(Loaded { found: Vec::new(), list });
        }
        let missing = |at| A::Error::invalid_length(at, &self);
        let mut found = Vec::new();
        reserve_exact(&mut found, P::PARTS.len()).map_err(A::Error::custom)?;
        for (at, part) in P::PARTS.iter().enumerate() {
            let one = from.next_element_seed(part.of)?.ok_or_else(|| missing(at))?;
            found.push((part.name(), one));
        }
        let list = from.next_element_seed(OfList(PhantomData))?;
        Ok(Loaded { found, list: list.ok_or_else(|| missing(P::PARTS.len()))? })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let (mut found, mut list) = (Vec::new(), None);
        reserve_exact(&mut found, P::PARTS.len()).map_err(A::Error::custom)?;
        while let Some(at) = from.next_key_seed(OfField(OfParts::<P>::FIELDS))? {
            let twice = || A::Error::duplicate_field(Self::FIELDS[at]);
            let Some(part) = P::PARTS.get(at) else {
                if list.is_some() {
                    return Err(twice());
                }
                list = Some(from.next_value_seed(OfList(PhantomData))?);
                continue;
            };
            if found.iter().any(|(name, _)| *name == part.name()) {
                return Err(twice());
            }
            found.push((part.name(), from.next_value_seed(part.of)?));
        }
        let missing =
            |part: &&crate::parts::Part| found.iter().all(|(name, _)| *name != part.name());
        if let Some(part) = P::PARTS.iter().find(missing) {
            return Err(A::Error::missing_field(part.field_name()));
        }
        Ok(Loaded { found, list: list.ok_or_else(|| A::Error::missing_field(P::LIST))? })
    }
}

/// Reads the name of a field, and returns its position among these.
struct OfField(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for OfField {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<usize, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for OfField {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a part")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        let at = self.0.iter().position(|field| *field == name);
        at.ok_or_else(|| E::unknown_field(name, self.0))
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<usize, E> {
        let at = self.0.iter().position(|field| field.as_bytes() == name);
        at.ok_or_else(|| E::custom("an unknown field"))
    }

    fn visit_u64<E: Error>(self, at: u64) -> Result<usize, E> {
        let at = usize::try_from(at).ok().filter(|&at| at < self.0.len());
        at.ok_or_else(|| E::custom("an unknown field"))
    }
}

/// Reads a part beside the list.
impl<'de> DeserializeSeed<'de> for PartOf {
    type Value = FoundPart;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<FoundPart, D::Error> {
        Ok(match self {
            Self::Number => FoundPart::Number(u64::deserialize(from)?),
            Self::Float => FoundPart::Float(f32::deserialize(from)?),
            Self::Column => {
                let column: Values<u32> = OfList(PhantomData).deserialize(from)?;
                FoundPart::Column(column.0)
            }
        })
    }
}

/// Reads a list.
struct OfList<L>(PhantomData<L>);

impl<'de, L: FromSerde<'de>> DeserializeSeed<'de> for OfList<L> {
    type Value = L;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<L, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de, L: FromSerde<'de>> Visitor<'de> for OfList<L> {
    type Value = L;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(L::EXPECTED)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<L, A::Error> {
        let mut list = L::empty();
        while list.read_one(&mut from)? {}
        Ok(list)
    }
}

/// The number of values without a size that are loaded. They may take no bytes of a file, which could name any number.
const MOST_WITHOUT_SIZE: usize = 1 << 20;

/// Appends an element that was read; returns whether there was one.
fn push<V, E: Error>(list: &mut Vec<V>, read: Option<V>) -> Result<bool, E> {
    let Some(one) = read else { return Ok(false) };
    if size_of::<V>() == 0 && list.len() == MOST_WITHOUT_SIZE {
        return Err(E::custom(
            "more than 1,048,576 values without a size: load them as their number",
        ));
    }
    reserve(list, 1).map_err(E::custom)?;
    list.push(one);
    Ok(true)
}

impl<K: Serialize> ToSerde for Keys<K> {
    fn serialize_one<S: Serializer>(key: &K, to: S) -> Result<S::Ok, S::Error> {
        key.serialize(to)
    }
}

impl<'de, K: Deserialize<'de>> FromSerde<'de> for Keys<K> {
    const EXPECTED: &'static str = "a list of keys";

    fn read_one<A: SeqAccess<'de>>(&mut self, from: &mut A) -> Result<bool, A::Error> {
        push(&mut self.0, from.next_element()?)
    }
}

impl<K: Serialize, V: Serialize> ToSerde for Pairs<K, V> {
    fn serialize_one<S: Serializer>(pair: &(K, &V), to: S) -> Result<S::Ok, S::Error> {
        pair.serialize(to)
    }
}

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> FromSerde<'de> for Pairs<K, V> {
    const EXPECTED: &'static str = "a list of keys and values";

    fn read_one<A: SeqAccess<'de>>(&mut self, from: &mut A) -> Result<bool, A::Error> {
        push(&mut self.0, from.next_element()?)
    }
}

impl<K: Serialize> ToSerde for Levels<K> {
    fn serialize_one<S: Serializer>(node: &(u32, K), to: S) -> Result<S::Ok, S::Error> {
        node.serialize(to)
    }
}

impl<'de, K: Deserialize<'de>> FromSerde<'de> for Levels<K> {
    const EXPECTED: &'static str = "a list of depths and keys";

    fn read_one<A: SeqAccess<'de>>(&mut self, from: &mut A) -> Result<bool, A::Error> {
        push(&mut self.0, from.next_element()?)
    }
}

impl<K: Serialize, const N: usize> ToSerde for Points<K, N> {
    fn serialize_one<S: Serializer>(one: &(K, [f32; N]), to: S) -> Result<S::Ok, S::Error> {
        (&one.0, Point(one.1)).serialize(to)
    }
}

impl<'de, K: Deserialize<'de>, const N: usize> FromSerde<'de> for Points<K, N> {
    const EXPECTED: &'static str = "a list of keys and points";

    fn read_one<A: SeqAccess<'de>>(&mut self, from: &mut A) -> Result<bool, A::Error> {
        let read = from.next_element()?;
        push(&mut self.0, read.map(|(key, Point(point))| (key, point)))
    }
}

impl<V: Serialize> ToSerde for Values<V> {
    fn serialize_one<S: Serializer>(value: &&V, to: S) -> Result<S::Ok, S::Error> {
        value.serialize(to)
    }
}

impl<'de, V: Deserialize<'de>> FromSerde<'de> for Values<V> {
    const EXPECTED: &'static str = "a list of values";

    fn read_one<A: SeqAccess<'de>>(&mut self, from: &mut A) -> Result<bool, A::Error> {
        push(&mut self.0, from.next_element()?)
    }
}

impl<V: Serialize> ToSerde for Lists<V> {
    fn serialize_one<S: Serializer>(list: &&[V], to: S) -> Result<S::Ok, S::Error> {
        list.serialize(to)
    }
}

impl<'de, V: Deserialize<'de>> FromSerde<'de> for Lists<V> {
    const EXPECTED: &'static str = "a list of lists";

    fn read_one<A: SeqAccess<'de>>(&mut self, from: &mut A) -> Result<bool, A::Error> {
        let mut list = Values(core::mem::take(&mut self.values));
        let before = list.0.len();
        let read = from.next_element_seed(More(&mut list))?;
        self.values = list.0;
        let length = self.values.len() - before;
        push(&mut self.lengths, read.map(|()| length))
    }
}

/// Appends to a list of values.
struct More<'a, V>(&'a mut Values<V>);

impl<'de, V: Deserialize<'de>> DeserializeSeed<'de> for More<'_, V> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de, V: Deserialize<'de>> Visitor<'de> for More<'_, V> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Values::<V>::EXPECTED)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<(), A::Error> {
        while self.0.read_one(&mut from)? {}
        Ok(())
    }
}

impl ToSerde for Texts {
    fn serialize_one<S: Serializer>(text: &&str, to: S) -> Result<S::Ok, S::Error> {
        text.serialize(to)
    }
}

impl<'de> FromSerde<'de> for Texts {
    const EXPECTED: &'static str = "a list of texts";

    fn read_one<A: SeqAccess<'de>>(&mut self, from: &mut A) -> Result<bool, A::Error> {
        let Some(text) = from.next_element::<Cow<'_, str>>()? else { return Ok(false) };
        let Lists { values, lengths } = &mut self.0;
        reserve(values, text.len()).map_err(A::Error::custom)?;
        values.extend_from_slice(text.as_bytes());
        push(lengths, Some(text.len()))
    }
}

/// Reads the entries of side data, also as `slotmap` saves them, in formats that say which of the two they have.
pub(super) struct SideData<K, V>(pub(super) PhantomData<(K, V)>);

impl<'de, K: Key + Deserialize<'de>, V: Deserialize<'de>> Visitor<'de> for SideData<K, V> {
    type Value = Pairs<K, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Pairs::<K, V>::EXPECTED)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Pairs<K, V>, A::Error> {
        let (mut entries, mut number) = (Vec::new(), 0);
        while let Some(saved) = from.next_element::<SavedEntry<K, V>>()? {
            push(&mut entries, saved.entry(number)?)?;
            number += 1;
        }
        Ok(Pairs(entries))
    }
}

/// One element of side data: an entry, or a slot as `slotmap` saves it.
enum SavedEntry<K, V> {
    Entry(K, V),
    Slot(SlotmapSlot<V>),
}

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Deserialize<'de> for SavedEntry<K, V> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if from.is_human_readable() {
            return from.deserialize_any(Either(PhantomData));
        }
        let (key, value) = Deserialize::deserialize(from)?;
        Ok(Self::Entry(key, value))
    }
}

/// Reads either.
struct Either<K, V>(PhantomData<(K, V)>);

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Visitor<'de> for Either<K, V> {
    type Value = SavedEntry<K, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key and a value, or a slot of a slotmap")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, entry: A) -> Result<SavedEntry<K, V>, A::Error> {
        let (key, value) = Deserialize::deserialize(SeqAccessDeserializer::new(entry))?;
        Ok(SavedEntry::Entry(key, value))
    }

    fn visit_map<A: MapAccess<'de>>(self, slot: A) -> Result<SavedEntry<K, V>, A::Error> {
        Deserialize::deserialize(MapAccessDeserializer::new(slot)).map(SavedEntry::Slot)
    }
}

impl<K: Key, V> SavedEntry<K, V> {
    /// The entry, if there is one, of the element with this number.
    fn entry<E: Error>(self, number: usize) -> Result<Option<(K, V)>, E> {
        let SlotmapSlot { value, version } = match self {
            Self::Entry(key, value) => return Ok(Some((key, value))),
            Self::Slot(slot) => slot,
        };
        let inconsistent = || {
            let has = if value.is_some() { "a value" } else { "no value" };
            E::custom(format_args!("slot {number} has version {version}, and {has}"))
        };
        if value.is_some() != (version % 2 == 1) {
            return Err(inconsistent());
        }
        let slot = u32::try_from(number).map_err(E::custom)?;
        let live = GenerationOf::<K>::live_from_u64(version.into());
        let key = live.filter(|_| slot < K::MAX_SLOTS).map(|live| K::compose(slot, live));
        match (key, value) {
            (_, None) => Ok(None),
            (Some(key), Some(value)) => Ok(Some((key, value))),
            (None, Some(_)) => {
                Err(E::custom(format_args!("no key has slot {slot} and version {version}")))
            }
        }
    }
}

/// Coordinates, as many as there are dimensions.
struct Point<const N: usize>([f32; N]);

impl<const N: usize> Serialize for Point<N> {
    fn serialize<W: Serializer>(&self, to: W) -> Result<W::Ok, W::Error> {
        let mut tuple = to.serialize_tuple(N)?;
        self.0.iter().try_for_each(|coordinate| tuple.serialize_element(coordinate))?;
        tuple.end()
    }
}

impl<'de, const N: usize> Deserialize<'de> for Point<N> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_tuple(N, Coordinates)
    }
}

/// Reads coordinates.
struct Coordinates<const N: usize>;

impl<'de, const N: usize> Visitor<'de> for Coordinates<N> {
    type Value = Point<N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{N} coordinates")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Point<N>, A::Error> {
        let mut point = [0.0; N];
        for (axis, coordinate) in point.iter_mut().enumerate() {
            let next = from.next_element()?;
            *coordinate = next.ok_or_else(|| A::Error::invalid_length(axis, &self))?;
        }
        Ok(Point(point))
    }
}
