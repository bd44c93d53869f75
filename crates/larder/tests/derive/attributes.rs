//! The effects of attributes.

use core::any::TypeId;

use larder::Soa;
use larder::soa::derived::{Leaf, Nest, Pair, lanes_of_a_block};
use larder::soa::view::View;
use larder::soa::{Lanes, Split};

/// Returns whether two types are the same.
fn same<A: 'static, B: 'static>() -> bool {
    TypeId::of::<A>() == TypeId::of::<B>()
}

#[derive(Soa)]
struct Plain {
    a: u8,
    b: u16,
    c: u32,
}

#[derive(Soa)]
#[soa(align = 64)]
struct Aligned {
    a: u8,
    #[soa(align = 16)]
    b: u16,
    #[soa(nested)]
    plain: Plain,
    #[soa(group = "two")]
    c: u32,
    #[soa(align = 128, group = "two")]
    d: u8,
}

#[derive(Soa)]
#[soa(lanes = 16)]
struct Sixteen {
    a: f32,
    #[soa(group = "two", fill = -1.0)]
    b: f32,
    #[soa(group = "two")]
    c: u8,
}

#[derive(Soa)]
#[repr(align(16), C)]
#[soa(lanes = "block")]
struct Block(f32, u8);

/// A constant of two parameters.
struct Sum<const A: u8, const B: u8>;

impl<const A: u8, const B: u8> Sum<A, B> {
    const VALUE: u8 = A + B;
}

#[derive(Soa)]
struct Filled {
    #[soa(fill = Sum::<2, 3>::VALUE, align = 16)]
    a: u8,
    #[soa(fill = if A_BLOCK > 0 { 1 } else { 0 })]
    b: u8,
}

const A_BLOCK: usize = lanes_of_a_block::<<Block as Soa>::Shape>();

#[derive(Soa)]
#[soa(lanes = 4)]
struct GenericLanes<T: Copy> {
    value: T,
    #[soa(fill = false)]
    flag: bool,
}

#[test]
fn a_shape_is_a_list_of_pairs() {
    assert!(same::<<Plain as Soa>::Shape, Pair<Leaf<u8>, Pair<Leaf<u16>, Leaf<u32>>>>());
    assert!(same::<<Plain as Soa>::Arrangement, Split>());
}

#[test]
fn alignment_is_said_of_all_columns_or_of_one() {
    type Shape = Pair<Leaf<u8, 64>, Pair<Leaf<u16, 16>, Pair<Nest<Plain>, Leaf<AlignedTwo, 128>>>>;
    assert!(same::<<Aligned as Soa>::Shape, Shape>());
}

#[test]
fn b42_a_nested_field_has_its_own_columns() {
    let (a, (b, (plain, two))) =
        View::into_parts(Aligned { a: 1, b: 2, plain: Plain { a: 3, b: 4, c: 5 }, c: 6, d: 7 });
    assert_eq!((a, b, View::into_parts(plain), two.c, two.d), (1, 2, (3, (4, 5)), 6, 7));
}

#[test]
fn lanes_are_a_number_or_a_block() {
    assert!(same::<<Sixteen as Soa>::Arrangement, Lanes<16>>());
    const FIT: usize = lanes_of_a_block::<<Block as Soa>::Shape>();
    assert!(same::<<Block as Soa>::Arrangement, Lanes<FIT>>());
    const { assert!(FIT >= 64 && FIT % 64 == 0) };
    assert!(same::<<GenericLanes<u8> as Soa>::Arrangement, Lanes<4>>());
}

/// Under another name, as in a crate that passes larder on.
mod passed_on {
    pub(super) use larder as cupboard;
}

#[derive(Soa)]
#[soa(crate = self::passed_on::cupboard)]
struct ByAnotherName {
    #[soa(nested)]
    plain: (u8, u16),
}

#[test]
fn larder_can_have_another_name() {
    let columns = ByAnotherNameColumns { plain: (&[1], &[2]) };
    assert_eq!(columns.get(0).map(|each| *each.plain.1), Some(2));
}

#[test]
fn what_is_filled() {
    use larder::soa::Fill;

    let Sixteen { a, b, c } = Sixteen::FILL;
    assert_eq!((a, b, c), (0.0, -1.0, 0));
    let GenericLanes { value, flag } = GenericLanes::<u8>::FILL;
    assert_eq!((value, flag), (0, false));
    let Block(a, b) = Block::FILL;
    assert_eq!((a, b), (0.0, 0));
    let Filled { a, b } = Filled::FILL;
    assert_eq!((a, b), (5, 1));
}
