//! Structs of all kinds have columns.

use core::cell::Cell;
use core::marker::PhantomData;

use larder::Soa;
use larder::soa::Fill;
use larder::soa::view::{Parts, View};

use crate::public::{PublicAll, PublicColumns, PublicRef};

/// A field that has no `Debug`, no `Clone`, no `PartialEq`.
struct Opaque(u8);

#[derive(Soa)]
#[soa(no_fill)]
struct OfOpaque {
    opaque: Opaque,
    #[soa(group = "both")]
    grouped: Opaque,
    #[soa(group = "both")]
    number: u8,
}

#[derive(Soa, Debug, PartialEq)]
struct Tuple(f32, #[soa(nested)] (u8, u16), #[soa(align = 64)] Option<Box<Self>>);

#[derive(Soa, Debug, PartialEq)]
struct One(u64);

#[derive(Soa)]
struct Raw {
    r#type: u8,
    r#struct: u16,
}

#[derive(Soa)]
struct NothingInIt {
    nothing: (),
    marker: PhantomData<Cell<u8>>,
}

#[derive(Soa, Debug, PartialEq)]
struct Generic<'a, 'b, L: Clone, const N: usize, V = (u8, u8)>
where
    V: Clone,
{
    #[soa(fill = &"none")]
    name: &'a &'b str,
    #[soa(nested)]
    nested: V,
    lanes: [L; N],
}

#[derive(Soa, Debug, PartialEq)]
struct OfNames<'soa> {
    #[soa(nested)]
    name: Named<'soa>,
    #[soa(group = "both")]
    first: &'soa str,
    #[soa(group = "both")]
    second: u8,
}

#[derive(Soa, Debug, PartialEq)]
struct Named<'a>(&'a str, u8);

#[derive(Soa, Debug, PartialEq)]
struct Grouped<T: Into<U>, U, const N: usize> {
    #[soa(group = "hot")]
    first: T,
    #[soa(group = "hot")]
    array: [u8; N],
    cold: U,
}

trait Shape {
    type Point;
}

#[derive(Soa)]
struct OfProjection<S: Shape>
where
    S::Point: Fill,
{
    point: S::Point,
    #[soa(nested)]
    many: Wrap<S::Point>,
}

#[derive(Soa)]
struct Wrap<T>(T);

mod within {
    /// Seen by the module above.
    #[derive(larder::Soa)]
    pub(super) struct Inner {
        pub(super) field: u8,
    }
}

fn round_trip<T: Soa + PartialEq + core::fmt::Debug>(make: impl Fn() -> T) {
    let parts: Parts<T> = T::View::into_parts(make());
    assert_eq!(T::View::from_parts(parts), make());
}

#[test]
fn values_become_parts_and_values_again() {
    round_trip(|| Tuple(1.0, (2, 3), Some(Box::new(Tuple(4.0, (5, 6), None)))));
    round_trip(|| One(7));
    round_trip(|| Generic { name: &"x", nested: (1_u8, 2_u8), lanes: [String::from("a")] });
    round_trip(|| OfNames { name: Named("x", 1), first: "y", second: 2 });
    round_trip(|| Grouped { first: 1_u8, array: [1, 2, 3], cold: 4_u32 });
}

#[test]
fn a_struct_of_one_field_has_one_column() {
    let columns = OneColumns(&[1, 2, 3]);
    assert_eq!(columns.get(1), Some(OneRef(&2)));
    assert_eq!(columns.iter().map(|one| *one.0).sum::<u64>(), 6);
    assert_eq!(format!("{:?}", columns.get(0)), "Some(OneRef(1))");
}

#[test]
fn fields_need_not_be_printed_cloned_or_compared() {
    let both = OfOpaqueBoth { grouped: Opaque(2), number: 3 };
    let opaque = OfOpaqueRef { opaque: &Opaque(1), grouped: &both.grouped, number: &both.number };
    assert_eq!(opaque.opaque.0 + opaque.grouped.0 + opaque.number, 6);
    let OfOpaque { opaque, grouped, number } =
        OfOpaque::from_parts((Opaque(1), OfOpaqueBoth { grouped: Opaque(2), number: 3 }));
    assert_eq!((opaque.0, grouped.0, number), (1, 2, 3));
}

#[test]
fn a_public_structs_fields_are_as_visible_as_they_were() {
    let all = [PublicAll { seen: 1, known: 2 }];
    let columns = PublicColumns::of(&all, &[3]);
    let value = columns.get(0).map(PublicRef::cloned);
    assert_eq!(format!("{value:?}"), "Some(Public { seen: 1, known: 2, own: 3 })");
    let inner = within::InnerColumns { field: &[1, 2] };
    assert_eq!(inner.len(), 2);
}

#[test]
fn names_with_a_number_sign_print_without() {
    let raw = RawRef { r#type: &1, r#struct: &2 };
    assert_eq!(format!("{raw:?}"), "RawRef { type: 1, struct: 2 }");
}

#[test]
fn generic_structs_fill_as_their_parameters_do() {
    let fill = Generic::<u8, 2, (u8, i8)>::FILL;
    assert_eq!(fill, Generic { name: &"none", nested: (0, 0), lanes: [0, 0] });
    let _: Generic<'_, '_, u8, 1> = Generic { name: &"x", nested: (1, 2), lanes: [3] };
}

#[test]
fn generic_structs_have_all_methods() {
    let (names, numbers) = (["a", "b"], [1_u8, 2]);
    let names = [&names[0], &names[1]];
    let columns: GenericColumns<'_, '_, '_, u8, 1, (u8, u8)> =
        GenericColumns { name: &names, nested: (&numbers, &numbers), lanes: &[[7], [8]] };
    assert_eq!(columns.len(), 2);
    let second = columns.get(1).expect("there are two");
    assert_eq!((*second.name, second.nested, second.lanes), (&"b", (&2, &2), &[8]));
    assert_eq!(second.cloned(), Generic { name: &"b", nested: (2, 2), lanes: [8] });
    let (left, right) = columns.split_at(1);
    assert_eq!((left.iter().count(), right.iter().count()), (1, 1));
}

#[test]
fn structs_with_lifetimes_have_all_methods() {
    let name = String::from("name");
    let both = [OfNamesBoth { first: &name, second: 1 }];
    let columns = OfNamesColumns { name: NamedColumns(&[name.as_str()], &[5]), both: &both };
    let value = columns.get(0).expect("there is one").cloned();
    assert_eq!(value, OfNames { name: Named("name", 5), first: "name", second: 1 });
    assert!(format!("{columns:?}").contains("NamedColumns([\"name\"], [5])"));
}

#[test]
fn a_group_has_the_parameters_that_it_uses() {
    let hot: GroupedHot<u8, 2> = GroupedHot { first: 1, array: [2, 3] };
    let columns: GroupedColumns<'_, u8, u32, 2> = GroupedColumns { hot: &[hot], cold: &[4] };
    assert_eq!(columns.iter().map(|each| *each.first).sum::<u8>(), 1);
    assert_eq!(columns.hot[0].clone(), columns.hot[0]);
}

#[test]
fn projections_are_fields() {
    struct Plane;
    impl Shape for Plane {
        type Point = f32;
    }
    let (point, many) = View::into_parts(OfProjection::<Plane> { point: 1.0, many: Wrap(2.0) });
    assert_eq!((point, many.0), (1.0, 2.0));
    let nothing = View::into_parts(NothingInIt::FILL);
    assert_eq!(nothing, ((), PhantomData));
}

/// A module in which every name means something else.
mod misleading {
    #![allow(dead_code, reason = "they are only in the way")]

    mod core {}
    mod larder {}
    struct Option;
    struct Some;
    struct Soa;
    struct Fill;
    struct Shape;
    trait Clone {}
    trait Copy {}
    trait Iterator {}

    /// A struct with the name of a parameter.
    #[derive(::larder::Soa)]
    pub(super) struct L(pub(super) usize);

    #[derive(::larder::Soa)]
    pub(super) struct Values<const N: usize> {
        #[soa(nested)]
        pub(super) first: L,
        pub(super) array: [u8; N],
        #[soa(group = "more", fill = Opaque)]
        opaque: Opaque,
        #[soa(group = "more")]
        parts: u8,
    }

    struct Opaque;
}

#[test]
fn names_in_scope_are_not_in_the_way() {
    let columns = misleading::LColumns(&[1, 2]);
    assert_eq!(columns.iter().map(|one| *one.0).sum::<usize>(), 3);
    let values = misleading::Values::<3>::FILL;
    assert_eq!((values.first.0, values.array), (0, [0; 3]));
}

macro_rules! declare {
    ($($name:ident: $field:ident as $ty:ty),*) => {
        $(#[derive(Soa)]
        struct $name {
            $field: $ty,
            #[soa(nested)]
            nested: ($ty, $ty),
        })*
    };
}

declare! { OfMacro: field as Option<u8>, OfTheSame: columns as &'static str }

#[test]
fn macros_declare_structs_that_derive() {
    assert!(OfMacroColumns { field: &[None], nested: (&[None], &[None]) }.len() == 1);
    assert!(OfTheSameColumns { columns: &[], nested: (&[], &[]) }.is_empty());
}
