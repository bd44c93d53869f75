//! Values whose columns lie in lanes because their container says so, not their type.

use super::{Fill, Lanes, Parts, Soa};
use crate::raw::columns::shape::Shape;

/// A value whose columns lie in groups of `L`, whatever its type says of itself.
///
/// `#[soa(lanes = 8)]` on a struct arranges its columns in every container. Where the choice belongs to
/// the container, or columns and lanes are to be compared without editing the type, the container holds
/// `InLanes<T, 8>`: references, blocks and groups are those of `T`, and a whole value is wrapped on its
/// way in and out. `L` is 4, 8, 16, 32, 64 or a multiple of 64, and no field may need `Drop`; both are
/// checked at compile time. The wrapper has the size of `T` and costs nothing.
///
/// # Examples
/// ```
/// use larder::{SoaArena, soa::InLanes};
///
/// type Body = (f32, u8); // how large, and of which kind
///
/// let mut bodies: SoaArena<InLanes<Body, 8>> = SoaArena::new();
/// let moon = bodies.insert(InLanes((1.5, 7)));
/// assert_eq!(bodies.get(moon), Some((&1.5, &7)));
/// for (_, (sizes, _)) in bodies.blocks_mut() {
///     sizes.iter_mut().for_each(|size| *size *= 2.0); // one instruction for eight bodies
/// }
/// assert_eq!(bodies.remove(moon), Some(InLanes((3.0, 7))));
/// ```
#[doc(alias("aosoa", "tiled", "interleaved"))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
#[repr(transparent)]
pub struct InLanes<T, const L: usize>(pub T);

impl<T, const L: usize> From<T> for InLanes<T, L> {
    #[inline]
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T: Fill, const L: usize> Fill for InLanes<T, L> {
    const FILL: Self = Self(T::FILL);
}

/// Functions that are those of `T`.
macro_rules! as_of_the_value {
    ($(
        fn $name:ident [$($life:lifetime $(: $longer:lifetime)?),* $(; const $l:ident)?]
            ($($at:ident: $type:ty),*) -> $out:ty;
    )*) => {$(
        #[inline(always)]
        #[track_caller]
        fn $name<$($life $(: $longer)?,)* $(const $l: usize)?>($($at: $type),*) -> $out
        where
            $(Self: $life),*
        {
            T::$name($($at),*)
        }
    )*};
}

impl<T: Soa + Fill, const L: usize> Soa for InLanes<T, L> {
    type Shape = T::Shape;
    type Arrangement = Lanes<L>;
    type Ref<'a>
        = T::Ref<'a>
    where
        Self: 'a;
    type RefMut<'a>
        = T::RefMut<'a>
    where
        Self: 'a;
    type Columns<'a>
        = T::Columns<'a>
    where
        Self: 'a;
    type ColumnsMut<'a>
        = T::ColumnsMut<'a>
    where
        Self: 'a;
    type Lanes<'a, const N: usize>
        = T::Lanes<'a, N>
    where
        Self: 'a;
    type LanesMut<'a, const N: usize>
        = T::LanesMut<'a, N>
    where
        Self: 'a;

    #[inline(always)]
    fn into_parts(self) -> Parts<Self> {
        self.0.into_parts()
    }

    #[inline(always)]
    fn from_parts(parts: Parts<Self>) -> Self {
        Self(T::from_parts(parts))
    }

    #[inline]
    fn lend(&self) -> Self::Ref<'_> {
        self.0.lend()
    }

    #[inline]
    fn ref_replace<'a>(to: &mut Self::RefMut<'a>, value: Self) -> Self
    where
        Self: 'a,
    {
        Self(T::ref_replace(to, value.0))
    }

    as_of_the_value! {
        fn make_ref['a](parts: <T::Shape as Shape>::Ref<'a>) -> T::Ref<'a>;
        fn make_ref_mut['a](parts: <T::Shape as Shape>::RefMut<'a>) -> T::RefMut<'a>;
        fn make_columns['a](parts: <T::Shape as Shape>::Columns<'a>) -> T::Columns<'a>;
        fn make_columns_mut['a](parts: <T::Shape as Shape>::ColumnsMut<'a>) -> T::ColumnsMut<'a>;
        fn make_lanes['a; const N](parts: <T::Shape as Shape>::Lanes<'a, N>) -> T::Lanes<'a, N>;
        fn make_lanes_mut['a; const N](parts: <T::Shape as Shape>::LanesMut<'a, N>) -> T::LanesMut<'a, N>;
        fn columns_len['a](columns: T::Columns<'a>) -> usize;
        fn columns_get['a](columns: T::Columns<'a>, index: usize) -> Option<T::Ref<'a>>;
        fn columns_get_mut['a](columns: T::ColumnsMut<'a>, index: usize) -> Option<T::RefMut<'a>>;
        fn columns_split_at['a](columns: T::Columns<'a>, mid: usize) -> (T::Columns<'a>, T::Columns<'a>);
        fn columns_split_at_mut['a](columns: T::ColumnsMut<'a>, mid: usize)
            -> (T::ColumnsMut<'a>, T::ColumnsMut<'a>);
        fn columns_iter['a](columns: T::Columns<'a>)
            -> impl DoubleEndedIterator<Item = T::Ref<'a>> + ExactSizeIterator + Clone;
        fn columns_iter_mut['a](columns: T::ColumnsMut<'a>)
            -> impl DoubleEndedIterator<Item = T::RefMut<'a>> + ExactSizeIterator;
        fn columns_of_lanes['a; const N](lanes: T::Lanes<'a, N>) -> T::Columns<'a>;
        fn columns_of_lanes_mut['a, 'b: 'a; const N](from: &'a T::LanesMut<'b, N>) -> T::Columns<'a>;
        fn columns_mut_of_lanes_mut['a, 'b: 'a; const N](from: &'a mut T::LanesMut<'b, N>)
            -> T::ColumnsMut<'a>;
        fn ref_of_mut['a, 'b: 'a](from: &'a T::RefMut<'b>) -> T::Ref<'a>;
        fn ref_reborrow['a, 'b: 'a](from: &'a mut T::RefMut<'b>) -> T::RefMut<'a>;
        fn columns_of_mut['a, 'b: 'a](from: &'a T::ColumnsMut<'b>) -> T::Columns<'a>;
        fn columns_reborrow['a, 'b: 'a](from: &'a mut T::ColumnsMut<'b>) -> T::ColumnsMut<'a>;
    }
}

/// A field that needs `Drop` is an error where the container is made.
/// ```compile_fail,E0080
/// use larder::{SoaArena, soa::InLanes};
///
/// SoaArena::<InLanes<(f32, String), 8>>::new().insert(InLanes((1.0, String::new())));
/// ```
#[cfg(doctest)]
struct FieldsThatDrop;
