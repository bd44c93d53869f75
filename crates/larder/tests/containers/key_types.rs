//! Key types of one's own, by `key_type!`: what they are used for, in code that may not be `unsafe`.

#![forbid(unsafe_code)]

use core::fmt::Display;
use larder::trees::Links;
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, InlineArena, Key, PagedArena, Pool,
    SoaArena,
    key::{BareHandle, Serial},
    key_type,
};
use std::collections::HashSet;

key_type! {
    /// An enemy.
    pub struct EnemyId;
    struct BulletId(Handle32<Self, 24>);
    struct RoomId(BareHandle<Self>);
    pub(crate) struct OrderId(Serial<Self>);
    /// Around the key of a type that is not `Copy`, nor anything else.
    struct MarkedId(Handle<Nothing>);
    /// A key of a key of one's own.
    struct OuterId(EnemyId);
}

struct Nothing;

impl From<EnemyId> for u64 {
    fn from(id: EnemyId) -> Self {
        id.to_bits()
    }
}

impl TryFrom<u64> for EnemyId {
    type Error = &'static str;

    fn try_from(bits: u64) -> Result<Self, Self::Error> {
        Self::from_bits(bits).ok_or("not an enemy's")
    }
}

#[test]
fn foreign_traits_are_implemented() {
    let mut arena: Arena<char, EnemyId> = Arena::with_key();
    let keys: Vec<EnemyId> = arena.insert_many("abc".chars()).collect();
    assert_eq!(u64::from(keys[2]), 1 << 32 | 2);
    assert_eq!(EnemyId::try_from(1 << 32 | 2), Ok(keys[2]));
    assert_eq!(EnemyId::try_from(2 << 32 | 2), Err("not an enemy's"));
}

/// The key type has all that the key has that it wraps: size, niche, order, hash, words, file, bytes.
fn has_all_of<K, W>(text: &str, json: &str, unwrap: impl Fn(K) -> W)
where
    K: Key + Display + serde::Serialize + serde::de::DeserializeOwned,
    W: Key + Display + serde::Serialize,
{
    assert_eq!((size_of::<K>(), align_of::<K>()), (size_of::<W>(), align_of::<W>()));
    assert_eq!(size_of::<Option<K>>(), size_of::<K>());
    assert_eq!(K::MAX_SLOTS, W::MAX_SLOTS);
    let mut arena = Arena::<u32, K>::with_key();
    let keys: Vec<K> = (0..20).map(|value| arena.insert(value)).collect();
    let wrapped: Vec<W> = keys.iter().map(|&key| unwrap(key)).collect();
    assert!(keys.is_sorted() && wrapped.is_sorted());
    assert_eq!(keys.iter().map(|key| key.slot()).max(), Some(19));
    assert_eq!(HashSet::<K>::from_iter(keys.iter().copied()).len(), 20);
    assert_eq!((keys[12].to_string(), wrapped[12].to_string()), (text.into(), text.into()));
    let name = core::any::type_name::<K>().rsplit("::").next().unwrap();
    assert_eq!(format!("{:?}", keys[12]), format!("{name}({:?})", wrapped[12]));
    assert_eq!(serde_json::to_string(&keys[12]).unwrap(), json);
    assert_eq!(serde_json::to_string(&wrapped[12]).unwrap(), json);
    assert_eq!(serde_json::from_str::<K>(json).unwrap(), keys[12]);
    let saved = postcard::to_allocvec(&arena).unwrap();
    let loaded: Arena<u32, K> = postcard::from_bytes(&saved).unwrap();
    assert_eq!(loaded, arena);
    assert!(K::default().is_dangling() && unwrap(K::DANGLING) == W::DANGLING);
    assert_eq!(K::from_bits(keys[3].to_bits()), Some(keys[3]));
}

#[test]
fn traits_come_along() {
    has_all_of("12v1", r#"{"idx":12,"version":1}"#, |key: EnemyId| key.0);
    has_all_of("12v1", r#"{"idx":12,"version":1}"#, |key: BulletId| key.0);
    has_all_of("12", "12", |key: RoomId| key.0);
    has_all_of("12v13", r#"{"idx":12,"version":13}"#, |key: OrderId| key.0);
    has_all_of("12v1", r#"{"idx":12,"version":1}"#, |key: MarkedId| key.0);
    has_all_of("12v1", r#"{"idx":12,"version":1}"#, |key: OuterId| key.0);
}

/// A key as bytes and back, where the wrapped key can be.
fn is_bytes<K: Key + bytemuck::NoUninit + bytemuck::CheckedBitPattern>() {
    let mut arena = Arena::<(), K>::with_key();
    let keys: Vec<K> = (0..3).map(|_| arena.insert(())).collect();
    let bytes: &[u8] = bytemuck::cast_slice(&keys);
    assert_eq!(bytes.len(), 3 * size_of::<K>());
    assert_eq!(bytemuck::checked::try_cast_slice::<u8, K>(bytes), Ok(&keys[..]));
    assert!(bytemuck::checked::try_cast_slice::<u8, K>(&vec![0; size_of::<K>()]).is_err());
}

/// Zeros are `None`.
fn is_none_of_zeros<K: Key + bytemuck::ZeroableInOption>() {
    assert_eq!(<Option<K> as bytemuck::Zeroable>::zeroed(), None);
}

#[test]
fn bytes_come_along() {
    is_bytes::<EnemyId>();
    is_bytes::<BulletId>();
    is_bytes::<RoomId>();
    is_bytes::<OuterId>();
    is_none_of_zeros::<EnemyId>();
    is_none_of_zeros::<BulletId>();
    is_none_of_zeros::<RoomId>();
    is_none_of_zeros::<OrderId>();
}

#[test]
fn holes_of_columns_hold_the_dangling_key() {
    let mut targets = SoaArena::<EnemyId, BulletId>::with_key();
    let (a, _b) = (targets.insert(EnemyId::DANGLING), targets.insert(EnemyId::default()));
    let id = EnemyId::from_bits(1 << 32).unwrap();
    *targets.get_mut(a).unwrap() = id;
    assert_eq!(targets.remove(a), Some(id));
    assert!(<EnemyId as larder::soa::Fill>::FILL.is_dangling());
}

/// Values are put in slots from 0 on, as many as are given, under keys of any type.
fn made_of_values<C, K: Key>(keys: impl Fn(&C) -> Vec<K>)
where
    C: FromIterator<u32> + From<[u32; 3]> + Extend<u32> + PartialEq + core::fmt::Debug,
{
    let (mut collected, from): (C, C) = ([7, 8].into_iter().collect(), [7, 8, 9].into());
    assert_ne!(collected, from);
    collected.extend([9]);
    assert_eq!(collected, from);
    assert_eq!(keys(&from).iter().map(|key| key.slot()).collect::<Vec<_>>(), [0, 1, 2]);
}

#[test]
fn containers_are_made_of_values_for_any_key() {
    made_of_values(|arena: &Arena<u32, EnemyId>| arena.keys().collect());
    made_of_values(|arena: &DenseArena<u32, BulletId>| arena.keys().collect());
    made_of_values(|arena: &PagedArena<u32, BareHandle<u32>>| arena.keys().collect());
    made_of_values(|arena: &SoaArena<u32, OrderId>| arena.keys().collect());
    made_of_values(|arena: &DenseSoaArena<u32, RoomId>| arena.keys().collect());
    made_of_values(|arena: &InlineArena<u32, 3, OuterId>| arena.keys().collect());
    made_of_values(|arena: &Pool<u32, OrderId>| arena.keys().collect());
    // Without a type only the default key.
    assert_eq!(Arena::from_iter([7, 8, 9]), Arena::<_>::from([7, 8, 9]));
    assert!(DenseArena::<u8, BulletId>::with_capacity_and_key(10).capacity() >= 10);
    assert!(SoaArena::<u8, OrderId>::with_capacity_and_key(10).capacity() >= 10);
    assert_eq!(Arena::<u8, RoomId>::with_capacity_and_key(0).capacity(), 0);
}

/// A key that slotmap saved as nothing is our nothing.
#[test]
fn null_of_slotmap_dangles() {
    let null = serde_json::to_string(&<slotmap::DefaultKey as slotmap::Key>::null()).unwrap();
    assert_eq!(null, r#"{"idx":4294967295,"version":1}"#);
    assert_eq!(serde_json::from_str::<Handle<u8>>(&null).unwrap(), Handle::DANGLING);
    assert_eq!(serde_json::from_str::<EnemyId>(&null).unwrap(), EnemyId::DANGLING);
    assert_eq!(serde_json::from_str::<Serial<u8>>(&null).unwrap(), Serial::DANGLING);
}

/// The derives of a key type do not depend on the meaning of derives' names where it is made.
mod where_derives_have_other_names {
    #[expect(unused_imports, reason = "they are not to be found")]
    use larder::Soa as PartialEq;
    #[expect(unused_imports, reason = "they are not to be found")]
    use larder::Soa as Debug;

    larder::key_type! {
        pub(super) struct Plain;
    }
}

#[test]
fn key_types_derive_what_the_standard_library_names_so() {
    use where_derives_have_other_names::Plain;

    let mut arena = Arena::<u8, Plain>::with_key();
    let keys = [arena.insert(1), arena.insert(2)];
    assert!(keys[0] != keys[1] && format!("{:?}", keys[0]) != format!("{:?}", keys[1]));
}

/// The parts of a key type do not depend on the meaning of names where it is made: those of the prelude, of primitive
/// types, of parameters, and of the crate `core`.
mod where_names_mean_other_things {
    #![expect(non_camel_case_types, reason = "the names that a macro could use")]
    #![allow(dead_code, reason = "they are not to be found")]

    macro_rules! nothings {
        ($($name:ident)*) => { $(pub(super) struct $name;)* };
    }
    nothings! {
        Clone Copy PartialEq Eq PartialOrd Ord Hash Default Debug Display Formatter Result Option Some None Ok Err
        Iterator DoubleEndedIterator ExactSizeIterator Key KeyType Handle Fill Soa Leaf Split Serialize Serializer
        IntoIterator FromIterator FusedIterator Extend Sized Send Sync Drop Fn FnMut FnOnce AsRef AsMut From Into TryFrom
        Deref DerefMut Index PhantomData Range Vec Box String Hasher Error Deserialize Deserializer Visitor Bytes
        Zeroable NoUninit CheckedBitPattern Pair Nest Shape View Ref RefMut Columns0 Links LinkColumn
        usize isize u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64 char bool str
    }
    macro_rules! nothing {
        ($($name:ident)*) => { $(
            #[expect(unused_macros, reason = "they are not to be found")]
            macro_rules! $name { () => {}; }
        )* };
    }
    nothing! {
        assert assert_eq assert_ne debug_assert debug_assert_eq panic unreachable unimplemented todo matches write
        writeln format_args concat stringify cfg compile_error vec
    }
    mod core {}
    mod larder {}
    mod std {}
    ::larder::key_type! {
        /// A key.
        pub(super) struct Plain;
        pub(super) struct Small(::larder::Handle32<Self, 24>);
        /// With the names of parameters.
        struct K;
        struct L;
        struct S;
        struct D;
        struct H;
        struct u8;
    }

    /// A struct in columns.
    #[::core::prelude::v1::derive(::larder::Soa)]
    pub(super) struct Columns {
        pub(super) id: Plain,
        #[soa(nested)]
        pub(super) inner: Inner,
    }

    pub(super) struct Thing {
        pub(super) links: ::larder::trees::Links<Plain>,
    }
    ::larder::trees::link_field!(Thing.links: ::larder::trees::Links<Plain>);

    /// With links in a column.
    #[::core::prelude::v1::derive(::larder::Soa)]
    pub(super) struct InColumns {
        pub(super) links: ::larder::trees::Links<Plain>,
        #[soa(fill = Bytes)]
        bytes: Bytes,
    }
    ::larder::trees::link_field!(InColumns.links: ::larder::trees::Links<Plain>, in columns);

    #[::core::prelude::v1::derive(::larder::Soa)]
    pub(super) struct Inner {
        pub(super) small: Small,
        #[soa(group = "both")]
        pub(super) left: Plain,
        #[soa(group = "both")]
        pub(super) right: Plain,
    }
}

#[test]
fn names_of_the_caller_are_not_captured() {
    use where_names_mean_other_things::{Columns, Inner, Plain, Small, Thing};

    is_bytes::<Plain>();
    is_none_of_zeros::<Small>();
    let mut columns = SoaArena::<Columns, Plain>::with_key();
    let [a, b] = [1, 2].map(|slot| {
        let id = Plain::from_bits(1 << 32 | slot).unwrap();
        columns.insert(Columns { id, inner: Inner { small: Small::DANGLING, left: id, right: id } })
    });
    assert_eq!(columns.get(a).unwrap().id.slot(), 1);
    assert_eq!(columns.get(b).unwrap().inner.left.slot(), 2);
    assert_eq!(columns.columns().len(), 2);
    let mut things = Arena::<Thing, Plain>::with_key();
    let [parent, child] = [(); 2].map(|()| things.insert(Thing { links: Links::new() }));
    Links::append(&mut things, parent, child).unwrap();
    assert_eq!(Links::parent(&things, child), Some(parent));
}

/// A key type whose `cfg` does not hold is not there at all, and leaves its name to others.
mod behind_a_feature {
    larder::key_type! {
        #[cfg(any())]
        pub(super) struct Absent;
        #[cfg(any())]
        pub(super) struct OtherAbsent(larder::key::Serial<Self>);
        #[cfg_attr(all(), cfg(any()))]
        pub(super) struct AbsentIfSo;
        #[cfg_attr(all(), doc = "not here", cfg_attr(not(any()), must_use, cfg(any()), allow(unused)),)]
        pub(super) struct AbsentIfBoth;
        /// Here.
        #[cfg(all())]
        #[cfg_attr(any(), cfg(any()), deprecated)]
        #[cfg_attr(all(), cfg(all()))]
        #[cfg_attr(any(), cfg_attr(all(), cfg(any())))]
        pub(super) struct Present;
    }

    pub(super) struct Absent;
    pub(super) struct OtherAbsent;
    pub(super) struct AbsentIfSo;
    pub(super) struct AbsentIfBoth;
}

#[test]
fn a_key_type_behind_a_feature_is_there_or_not() {
    use behind_a_feature::{Absent, AbsentIfBoth, AbsentIfSo, OtherAbsent, Present};

    const { assert!(!core::mem::needs_drop::<(Absent, OtherAbsent, AbsentIfSo, AbsentIfBoth)>()) };
    assert_eq!(size_of::<(Absent, OtherAbsent, AbsentIfSo, AbsentIfBoth)>(), 0);
    assert_eq!(Arena::<u8, Present>::with_key().insert(1).slot(), 0);
}

key_type! {
    /// Documentation, in a comment
    #[doc = "and as text."]
    #[doc(alias = "other", hidden)]
    #[must_use = "it names something"]
    #[allow(missing_docs)]
    #[warn(missing_docs)]
    #[deny(unused_must_use)]
    #[cfg_attr(all(), doc = concat!("Text, ", "and text."), must_use)]
    #[allow(dead_code)]
    #[cfg_attr(any(), deprecated = "not")]
    #[cfg_attr(all(),)]
    struct AttributedId(Handle32<Self, 24>);
    #[deprecated(since = "1.0.0", note = "use another")]
    pub struct OldId;
    /** A block. */
    pub struct BlockId;
}

/// Methods and constants of a key type need no import, and are constant.
mod without_imports {
    larder::key_type! {
        pub(super) struct Wide;
        pub(super) struct Small(larder::Handle32<Self, 24>);
        pub(super) struct Bare(larder::key::BareHandle<Self>);
        pub(super) struct Serial(larder::key::Serial<Self>);
        pub(super) struct Outer(Wide);
    }

    macro_rules! read {
        ($($key:ty: $bits:expr;)*) => {$({
            const KEY: $key = <$key>::from_bits($bits).unwrap();
            const READ: (u32, u128, bool) = (KEY.slot(), KEY.to_bits() as u128, KEY.is_dangling());
            const { assert!(<$key>::DANGLING.is_dangling()) };
            assert_eq!(READ, (5, $bits, false));
            assert_eq!(<$key>::from_bits(<$key>::DANGLING.to_bits()), Some(<$key>::DANGLING));
        })*};
    }

    #[test]
    fn keys_are_read() {
        read! {
            Wide: 3 << 32 | 5;
            Small: 3 << 24 | 5;
            Bare: 5;
            Serial: 3 << 32 | 5;
            Outer: 3 << 32 | 5;
            larder::Handle<u8>: 3 << 32 | 5;
            larder::Handle32<u8, 24>: 3 << 24 | 5;
            larder::key::BareHandle<u8>: 5;
            larder::key::Serial<u8>: 3 << 32 | 5;
        }
    }
}
