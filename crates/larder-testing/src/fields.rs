//! Values in columns: what can be seen of columns, beside what the model asks of every container.

use crate::subject::TestKey;
use crate::values::{Held, Seen, Value, Wide};
use larder::soa::{Fill, Live, view::Forms};
use larder::{DenseSoaArena, Soa, SoaArena};

/// A value that is borrowed field by field, for that long.
pub trait Borrowed<'a>: Value + Soa<View: Forms<'a, Self, Ref: Seen, RefMut: Held<Self>>> {}

impl<'a, T: Value + Soa<View: Forms<'a, T, Ref: Seen, RefMut: Held<T>>>> Borrowed<'a> for T {}

/// A value in the columns of a dense container.
pub trait Packed: for<'a> Borrowed<'a> {
    /// Checks what can be seen of the columns.
    fn check_packed<K: TestKey>(arena: &DenseSoaArena<Self, K>, values: &[(K, u32)]);
}

/// A value in the columns of a container whose slots may be holes.
pub trait InSlots: Packed + Fill {
    /// Checks what can be seen of the columns: values, and what holes hold.
    fn check_in_slots<K: TestKey>(arena: &SoaArena<Self, K>, values: &[(K, u32)], slots: usize);
}

/// The contents that slots or lanes should show: the number of each value, or `None` without one.
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
    assert_eq!((mask(expected.len().div_ceil(64)), mask(usize::MAX)), (0, 0));
}

/// Checks a group's answers about its lanes.
fn check_live(live: Live<'_>, expected: &[Option<u32>]) {
    let bits = |lane: usize| expected.get(lane).is_some_and(Option::is_some);
    assert!((0..expected.len() + 1).all(|lane| live.is_live(lane) == bits(lane)));
    assert_eq!(live.count(), expected.iter().flatten().count());
    assert_eq!(live.bits(), live.word(0));
    let beyond = [expected.len().div_ceil(64) + 16, 1 << (usize::BITS - 6), usize::MAX];
    assert!(beyond.iter().all(|&word| live.word(word) == 0) && !live.is_live(usize::MAX));
    assert_eq!(live.words().map(u64::count_ones).sum::<u32>() as usize, live.count());
}

// Columns in one piece.

/// One field, as a test of columns sees it.
fn check_column<F: Value>(column: &[F], expected: &[Option<u32>], fill: Option<&F>) {
    assert_eq!(column.len(), expected.len());
    for (value, id) in column.iter().zip(expected) {
        assert!(value.is_alive(), "a value that was dropped is in a column");
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

impl<A: Value, B: Value, C: Value, D: Value> Held<(A, B, C, D)>
    for (&mut A, &mut B, &mut C, &mut D)
{
    fn set(&mut self, value: (A, B, C, D)) {
        use core::mem::replace;

        let (a, b, c, d) = value;
        // All are in before one is dropped, which may panic.
        drop((replace(self.0, a), replace(self.1, b), replace(self.2, c), replace(self.3, d)));
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
pub type Mixed = (u32, String, Option<Wide>, ());

/// The same without memory of its own.
pub type Plain = (u32, Option<Wide>, [u8; 3], ());

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

/// Something long.
pub type Long = [u64; 36];

impl Value for Long {
    fn make(id: u32) -> Self {
        [id.into(); 36]
    }

    fn id(&self) -> u32 {
        assert!(self.iter().all(|part| *part == self[0]), "parts of different values");
        self[0] as u32
    }
}

/// Plain data in groups: of sizes that no group of 4 is a power of two of, and one more, without a size
/// or long. No value is the fill, and no field of the fill that has a size is zero.
macro_rules! in_lanes {
    ($($name:ident $ref:ident $ref_mut:ident $said:tt: $lanes:tt, $fill:expr => $last:ty;)*) => {$(
        #[derive(Soa, Clone, Copy, Debug, PartialEq)]
        #[soa(lanes = $said)]
        pub struct $name {
            #[soa(fill = u32::MAX)]
            pub a: u32,
            #[soa(fill = -1.0)]
            pub b: f64,
            #[soa(fill = [0xFF; 3])]
            pub c: [u8; 3],
            #[soa(fill = $fill)]
            pub d: $last,
        }

        impl Value for $name {
            fn make(id: u32) -> Self {
                let (a, b, c, d) = Value::make(id);
                $name { a, b, c, d }
            }

            fn id(&self) -> u32 {
                (&self.a, &self.b, &self.c, &self.d).id()
            }
        }

        impl Seen for $ref<'_> {
            fn id(&self) -> u32 {
                (self.a, self.b, self.c, self.d).id()
            }

            fn is_alive(&self) -> bool {
                true
            }
        }

        impl Seen for $ref_mut<'_> {
            fn id(&self) -> u32 {
                (&*self.a, &*self.b, &*self.c, &*self.d).id()
            }

            fn is_alive(&self) -> bool {
                true
            }
        }

        impl Held<$name> for $ref_mut<'_> {
            fn set(&mut self, value: $name) {
                (*self.a, *self.b, *self.c, *self.d) = (value.a, value.b, value.c, value.d);
            }

            fn swap(&mut self, other: &mut Self) {
                core::mem::swap(&mut *self.a, &mut *other.a);
                core::mem::swap(&mut *self.b, &mut *other.b);
                core::mem::swap(&mut *self.c, &mut *other.c);
                core::mem::swap(&mut *self.d, &mut *other.d);
            }
        }

        impl Packed for $name {
            fn check_packed<K: TestKey>(arena: &DenseSoaArena<Self, K>, values: &[(K, u32)]) {
                let expected: Expected = values.iter().map(|&(_, id)| Some(id)).collect();
                let mut groups = expected.chunks($lanes).enumerate();
                for (live, lanes) in arena.blocks() {
                    let (number, group) = groups.next().expect("no such group");
                    assert_eq!(live.first(), number * $lanes);
                    check_live(live, group);
                    check_lanes((lanes.a, lanes.b, lanes.c, lanes.d), group, &$fill);
                }
                assert!(groups.next().is_none(), "a group was left out");
            }
        }

        impl InSlots for $name {
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
                    check_lanes((lanes.a, lanes.b, lanes.c, lanes.d), group, &$fill);
                }
                assert!(groups.next().is_none(), "a group was left out");
            }
        }
    )*};
}

in_lanes! {
    Lanes4 Lanes4Ref Lanes4RefMut 4: 4, () => ();
    Lanes8 Lanes8Ref Lanes8RefMut 8: 8, () => ();
    Lanes16 Lanes16Ref Lanes16RefMut 16: 16, () => ();
    Lanes32 Lanes32Ref Lanes32RefMut 32: 32, () => ();
    Lanes64 Lanes64Ref Lanes64RefMut 64: 64, () => ();
    LanesOfABlock LanesOfABlockRef LanesOfABlockRefMut "block": 1088, () => ();
    LongInABlock LongInABlockRef LongInABlockRefMut "block": 32, [7; 36] => Long;
}

/// The lanes of a group, column by column.
type LanesOf<'a, D, const L: usize> = (&'a [u32; L], &'a [f64; L], &'a [[u8; 3]; L], &'a [D; L]);

/// All lanes of a group; those without a value, past the end too, hold the fill.
fn check_lanes<D: Value, const L: usize>(
    (a, b, c, d): LanesOf<'_, D, L>,
    expected: &[Option<u32>],
    last: &D,
) {
    for lane in 0..L {
        match expected.get(lane).copied().flatten() {
            Some(id) => {
                assert_eq!((a[lane], b[lane].id(), c[lane].id()), (id, id, id));
                assert_eq!(d[lane].id(), D::seen(id));
            }
            None => {
                assert_eq!((a[lane], b[lane], c[lane]), (u32::MAX, -1.0, [0xFF; 3]));
                assert_eq!(d[lane], *last);
            }
        }
    }
}

/// The model's checks of columns must be able to fail.
#[test]
fn what_is_written_to_holes_is_seen() {
    let mut arena = SoaArena::<Lanes8>::new();
    let keys: Vec<_> = arena.insert_many((0..3).map(Value::make)).collect();
    let values = || [(keys[0], 0), (keys[1], 1), (keys[2], 2)];
    Lanes8::check_in_slots(&arena, &values(), 3);
    arena.blocks_mut().for_each(|(_, lanes)| lanes.a[5] = 7);
    let written = crate::caught::attempt(|| Lanes8::check_in_slots(&arena, &values(), 3));
    assert!(written.is_err());
}
