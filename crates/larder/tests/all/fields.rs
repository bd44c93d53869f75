//! Values in columns: what can be seen of columns, beside what the model asks of every container.

use crate::subject::TestKey;
use crate::values::{Held, Seen, Value, Wide};
use core::fmt::Debug;
use larder::soa::derived::{Leaf, Pair, Shape};
use larder::soa::{Fill, Lanes, Live, Soa};
use larder::{DenseSoaArena, SoaArena};

/// A value that is borrowed field by field, for that long.
pub(crate) trait Borrowed<'a>: Value + Soa<Ref<'a>: Seen, RefMut<'a>: Held<Self>> {}

impl<'a, T: Value + Soa<Ref<'a>: Seen, RefMut<'a>: Held<T>>> Borrowed<'a> for T {}

/// A value in the columns of a dense container.
pub(crate) trait Packed: for<'a> Borrowed<'a> {
    /// Checks what can be seen of the columns.
    fn check_packed<K: TestKey>(arena: &DenseSoaArena<Self, K>, values: &[(K, u32)]);
}

/// A value in the columns of a container whose slots may be holes.
pub(crate) trait InSlots: Packed + Fill {
    /// Checks what can be seen of the columns: values, and what holes hold.
    fn check_in_slots<K: TestKey>(arena: &SoaArena<Self, K>, values: &[(K, u32)], slots: usize);
}

/// What a slot, or a lane, should show: the number of its value, or that there is none.
type Expected = Vec<Option<u32>>;

fn by_slot<K: TestKey>(values: &[(K, u32)], slots: usize) -> Expected {
    let mut expected = vec![None; slots];
    values.iter().for_each(|&(key, id)| expected[key.slot() as usize] = Some(id));
    expected
}

/// The words of occupancy, asked of the arena and of the groups it lends.
fn check_masks(mask: impl Fn(usize) -> u64, expected: &Expected) {
    for (word, slots) in expected.chunks(64).enumerate() {
        let bits = slots.iter().rev().fold(0, |bits, id| bits << 1 | u64::from(id.is_some()));
        assert_eq!(mask(word), bits, "word {word}");
    }
    assert_eq!(mask(expected.len().div_ceil(64)), 0);
}

/// What a group says of its lanes.
fn check_live(live: Live<'_>, expected: &[Option<u32>]) {
    let bits = |lane: usize| expected.get(lane).is_some_and(Option::is_some);
    assert!((0..expected.len() + 1).all(|lane| live.is_live(lane) == bits(lane)));
    assert_eq!(live.count(), expected.iter().flatten().count());
    assert_eq!(live.bits(), live.word(0));
    assert_eq!(live.words().map(u64::count_ones).sum::<u32>() as usize, live.count());
}

// Columns in one piece.

/// One field, as a test of columns sees it.
fn check_column<F: Value>(column: &[F], expected: &[Option<u32>], fill: Option<&F>) {
    assert_eq!(column.len(), expected.len());
    for (value, id) in column.iter().zip(expected) {
        match id {
            Some(id) => assert_eq!(value.id(), F::seen(*id)),
            None => assert_eq!(Some(value), fill, "what a hole holds"),
        }
    }
}

/// The checks of a type without lanes, given what there is to check of its columns.
macro_rules! split {
    (impl[$($generics:tt)*] $type:ty, [$($bound:ty: $fill:ident),*], $check:expr) => {
        impl<$($generics)*> Packed for $type {
            fn check_packed<K: TestKey>(arena: &DenseSoaArena<Self, K>, values: &[(K, u32)]) {
                let expected: Expected = values.iter().map(|&(_, id)| Some(id)).collect();
                $check(arena.columns(), &expected[..], None);
                assert!(arena.keys_as_slice().iter().eq(values.iter().map(|(key, _)| key)));
            }
        }

        impl<$($generics)*> InSlots for $type where $($bound: $fill),* {
            fn check_in_slots<K: TestKey>(
                arena: &SoaArena<Self, K>,
                values: &[(K, u32)],
                slots: usize,
            ) {
                let (expected, fill) = (by_slot(values, slots), &Self::FILL);
                check_masks(|word| arena.live_mask(word), &expected);
                $check(arena.columns(), &expected[..], Some(fill));
                // Runs are the stretches of live slots.
                let mut live = expected.split(Option::is_none).filter(|run| !run.is_empty());
                for run in arena.runs() {
                    $check(run, live.next().expect("no such run"), None);
                }
                assert!(live.next().is_none(), "a run was left out");
                // Groups are 64 slots, but those without a value.
                let with_values = |(_, group): &(usize, &[_])| group.iter().any(Option::is_some);
                let mut all = expected.chunks(64).enumerate().filter(with_values);
                for (live, columns) in arena.groups() {
                    let (number, group) = all.next().expect("no such group");
                    assert_eq!(live.first(), number * 64);
                    check_live(live, group);
                    $check(columns, group, Some(fill));
                }
                assert!(all.next().is_none(), "a group was left out");
            }
        }
    };
}

split!(impl[] u32, [], |column, expected: &[_], fill| check_column(column, expected, fill));

/// A value of four fields: a row of four columns.
impl<A: Value, B: Value, C: Value, D: Value> Value for (A, B, C, D) {
    fn make(id: u32) -> Self {
        (A::make(id), B::make(id), C::make(id), D::make(id))
    }

    fn id(&self) -> u32 {
        (&self.0, &self.1, &self.2, &self.3).id()
    }

    fn is_alive(&self) -> bool {
        (&self.0, &self.1, &self.2, &self.3).is_alive()
    }

    fn alive() -> Option<isize> {
        [A::alive(), B::alive(), C::alive(), D::alive()].into_iter().flatten().next()
    }
}

macro_rules! fields {
    ($($ref:ty),*) => {
        impl<A: Value, B: Value, C: Value, D: Value> Seen for ($($ref),*) {
            /// All fields are of one value.
            fn id(&self) -> u32 {
                let id = [
                    (A::FORGETFUL, A::id(&self.0)),
                    (B::FORGETFUL, B::id(&self.1)),
                    (C::FORGETFUL, C::id(&self.2)),
                    (D::FORGETFUL, D::id(&self.3)),
                ];
                let mut ids = id.iter().filter(|(forgetful, _)| !forgetful).map(|(_, id)| *id);
                let first = ids.next().unwrap_or(0);
                assert!(ids.all(|id| id == first), "fields of different values");
                first
            }

            fn is_alive(&self) -> bool {
                A::is_alive(&self.0) && B::is_alive(&self.1) && C::is_alive(&self.2)
                    && D::is_alive(&self.3)
            }
        }
    };
}

fields!(&A, &B, &C, &D);
fields!(&mut A, &mut B, &mut C, &mut D);

/// How a value in columns is made from fields that are replaced one by one.
pub(crate) trait Fields {
    type Fields;

    fn fields(self) -> Self::Fields;
}

impl<A, B, C, D> Fields for (A, B, C, D) {
    type Fields = Self;

    fn fields(self) -> Self {
        self
    }
}

impl<A: Value, B: Value, C: Value, D: Value, V: Fields<Fields = (A, B, C, D)>> Held<V>
    for (&mut A, &mut B, &mut C, &mut D)
{
    fn set(&mut self, value: V) {
        (*self.0, *self.1, *self.2, *self.3) = value.fields();
    }

    fn swap(&mut self, other: &mut Self) {
        core::mem::swap(&mut *self.0, &mut *other.0);
        core::mem::swap(&mut *self.1, &mut *other.1);
        core::mem::swap(&mut *self.2, &mut *other.2);
        core::mem::swap(&mut *self.3, &mut *other.3);
    }
}

split!(
    impl[A: Value, B: Value, C: Value, D: Value] (A, B, C, D),
    [A: Fill, B: Fill, C: Fill, D: Fill],
    |(a, b, c, d): (&[A], &[B], &[C], &[D]), expected: &[_], fill: Option<&Self>| {
        check_column(a, expected, fill.map(|fill| &fill.0));
        check_column(b, expected, fill.map(|fill| &fill.1));
        check_column(c, expected, fill.map(|fill| &fill.2));
        check_column(d, expected, fill.map(|fill| &fill.3));
    }
);

/// Small, owning, over-aligned and counted, without a size.
pub(crate) type Mixed = (u32, String, Option<Wide>, ());

impl Value for () {
    const FORGETFUL: bool = true;

    fn make(_: u32) {}

    fn id(&self) -> u32 {
        0
    }
}

impl Value for f64 {
    fn make(id: u32) -> Self {
        id.into()
    }

    fn id(&self) -> u32 {
        *self as u32
    }
}

impl Value for [u8; 3] {
    fn make(id: u32) -> Self {
        let [a, b, c, _] = id.to_le_bytes();
        [a, b, c]
    }

    fn id(&self) -> u32 {
        let [a, b, c] = *self;
        u32::from_le_bytes([a, b, c, 0])
    }
}

impl<V: Value> Value for Option<V> {
    const FORGETFUL: bool = V::FORGETFUL;

    fn make(id: u32) -> Self {
        Some(V::make(id))
    }

    fn id(&self) -> u32 {
        self.as_ref().expect("a value").id()
    }

    fn alive() -> Option<isize> {
        V::alive()
    }
}

// Columns in groups of lanes.

/// Plain data in groups of `L`: of sizes that no group of 4 is a power of two of, one without a size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct InLanes<const L: usize> {
    fields: (u32, f64, [u8; 3], ()),
}

/// No value has this fill, and no field of it is zero.
impl<const L: usize> Fill for InLanes<L> {
    const FILL: Self = InLanes { fields: (u32::MAX, -1.0, [0xFF; 3], ()) };
}

impl<const L: usize> Value for InLanes<L> {
    fn make(id: u32) -> Self {
        InLanes { fields: Value::make(id) }
    }

    fn id(&self) -> u32 {
        self.fields.id()
    }
}

impl<const L: usize> Fields for InLanes<L> {
    type Fields = (u32, f64, [u8; 3], ());

    fn fields(self) -> Self::Fields {
        self.fields
    }
}

/// The same as of a tuple of four, but for the lanes.
macro_rules! in_lanes {
    ($($lanes:literal)*) => {$(
        impl Soa for InLanes<$lanes> {
            type Shape = Pair<Leaf<u32>, Pair<Leaf<f64>, Pair<Leaf<[u8; 3]>, Leaf<()>>>>;
            type Arrangement = Lanes<$lanes>;
            type Ref<'a> = (&'a u32, &'a f64, &'a [u8; 3], &'a ());
            type RefMut<'a> = (&'a mut u32, &'a mut f64, &'a mut [u8; 3], &'a mut ());
            type Columns<'a> = (&'a [u32], &'a [f64], &'a [[u8; 3]], &'a [()]);
            type ColumnsMut<'a> = (&'a mut [u32], &'a mut [f64], &'a mut [[u8; 3]], &'a mut [()]);
            type Lanes<'a, const L: usize> =
                (&'a [u32; L], &'a [f64; L], &'a [[u8; 3]; L], &'a [(); L]);
            type LanesMut<'a, const L: usize> =
                (&'a mut [u32; L], &'a mut [f64; L], &'a mut [[u8; 3]; L], &'a mut [(); L]);

            fn into_parts(self) -> (u32, (f64, ([u8; 3], ()))) {
                let (a, b, c, d) = self.fields;
                (a, (b, (c, d)))
            }

            fn from_parts((a, (b, (c, d))): (u32, (f64, ([u8; 3], ())))) -> Self {
                InLanes { fields: (a, b, c, d) }
            }

            in_lanes!(make_ref: Ref);
            in_lanes!(make_ref_mut: RefMut);
            in_lanes!(make_columns: Columns);
            in_lanes!(make_columns_mut: ColumnsMut);
            in_lanes!(make_lanes: Lanes, L);
            in_lanes!(make_lanes_mut: LanesMut, L);
        }

        impl Packed for InLanes<$lanes> {
            fn check_packed<K: TestKey>(arena: &DenseSoaArena<Self, K>, values: &[(K, u32)]) {
                let expected: Expected = values.iter().map(|&(_, id)| Some(id)).collect();
                let mut groups = expected.chunks($lanes).enumerate();
                for (live, lanes) in arena.blocks() {
                    let (number, group) = groups.next().expect("no such group");
                    assert_eq!(live.first(), number * $lanes);
                    check_live(live, group);
                    check_lanes(lanes, group);
                }
                assert!(groups.next().is_none(), "a group was left out");
            }
        }

        impl InSlots for InLanes<$lanes> {
            fn check_in_slots<K: TestKey>(
                arena: &SoaArena<Self, K>,
                values: &[(K, u32)],
                slots: usize,
            ) {
                let expected = by_slot(values, slots);
                check_masks(|word| arena.live_mask(word), &expected);
                let with_values = |(_, group): &(usize, &[_])| group.iter().any(Option::is_some);
                let mut groups = expected.chunks($lanes).enumerate().filter(with_values);
                for (live, lanes) in arena.blocks() {
                    let (number, group) = groups.next().expect("no such group");
                    assert_eq!(live.first(), number * $lanes);
                    check_live(live, group);
                    check_lanes(lanes, group);
                }
                assert!(groups.next().is_none(), "a group was left out");
            }
        }
    )*};
    ($make:ident: $what:ident $(, $lanes:ident)?) => {
        fn $make<'a $(, const $lanes: usize)?>(
            (a, (b, (c, d))): <Self::Shape as Shape>::$what<'a $(, $lanes)?>,
        ) -> Self::$what<'a $(, $lanes)?> {
            (a, b, c, d)
        }
    };
}

in_lanes!(4 8 64 128);

/// All lanes of a group; those without a value, past the end too, hold the fill.
fn check_lanes<const L: usize>(
    (a, b, c, _): (&[u32; L], &[f64; L], &[[u8; 3]; L], &[(); L]),
    expected: &[Option<u32>],
) {
    let (fill_a, fill_b, fill_c, _) = InLanes::<L>::FILL.fields;
    for lane in 0..L {
        match expected.get(lane).copied().flatten() {
            Some(id) => assert_eq!((a[lane], b[lane].id(), c[lane].id()), (id, id, id)),
            None => assert_eq!((a[lane], b[lane], c[lane]), (fill_a, fill_b, fill_c)),
        }
    }
}

/// The model's checks of columns must be able to fail.
#[test]
fn what_is_written_to_holes_is_seen() {
    let mut arena = SoaArena::<InLanes<8>>::new();
    let keys: Vec<_> = arena.insert_many((0..3).map(Value::make)).collect();
    let values = || [(keys[0], 0), (keys[1], 1), (keys[2], 2)];
    InLanes::check_in_slots(&arena, &values(), 3);
    arena.blocks_mut().for_each(|(_, lanes)| lanes.0[5] = 7);
    let written = crate::caught::attempt(|| InLanes::check_in_slots(&arena, &values(), 3));
    assert!(written.is_err());
}
