//! Lanes: values whose columns lie in lanes by the choice of their container, not of their type; and which
//! lanes of a group have values.

use core::fmt;

use super::view::{self, Columns, ColumnsMut, Forms, LanesMut, Parts, Ref, RefMut, View};
use super::{Fill, Lanes, Soa};
use crate::memory::bits::{LiveWords, WORD, low};

/// A value whose columns lie in groups of `L`, whatever its type specifies.
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

impl<T: Soa + Fill, const L: usize> Soa for InLanes<T, L> {
    type Shape = T::Shape;
    type Arrangement = Lanes<L>;
    type View = Self;
}

/// The types of `T`.
impl<'a, T: Soa + Fill, const L: usize> Forms<'a, Self> for InLanes<T, L> {
    type Ref = Ref<'a, T>;
    type RefMut = RefMut<'a, T>;
    type Columns = Columns<'a, T>;
    type ColumnsMut = ColumnsMut<'a, T>;
    type Lanes<const N: usize> = view::Lanes<'a, T, N>;
    type LanesMut<const N: usize> = LanesMut<'a, T, N>;
}

/// The functions of `T`.
impl<T: Soa + Fill, const L: usize> View<Self> for InLanes<T, L> {
    #[inline(always)]
    fn into_parts(value: Self) -> Parts<Self> {
        T::View::into_parts(value.0)
    }

    #[inline(always)]
    fn from_parts(parts: Parts<Self>) -> Self {
        Self(T::View::from_parts(parts))
    }

    #[inline(always)]
    fn lend(value: &Self) -> Ref<'_, Self> {
        T::View::lend(&value.0)
    }

    #[inline(always)]
    fn ref_of_mut<'a, 'b: 'a>(from: &'a RefMut<'b, Self>) -> Ref<'a, Self>
    where
        Self: 'b,
    {
        T::View::ref_of_mut(from)
    }

    #[inline(always)]
    fn ref_reborrow<'a, 'b: 'a>(from: &'a mut RefMut<'b, Self>) -> RefMut<'a, Self>
    where
        Self: 'b,
    {
        T::View::ref_reborrow(from)
    }

    #[inline(always)]
    fn ref_replace<'a>(to: &mut RefMut<'a, Self>, value: Self) -> Self
    where
        Self: 'a,
    {
        Self(T::View::ref_replace(to, value.0))
    }

    #[inline(always)]
    fn columns_of_mut<'a, 'b: 'a>(from: &'a ColumnsMut<'b, Self>) -> Columns<'a, Self>
    where
        Self: 'b,
    {
        T::View::columns_of_mut(from)
    }

    #[inline(always)]
    fn columns_reborrow<'a, 'b: 'a>(from: &'a mut ColumnsMut<'b, Self>) -> ColumnsMut<'a, Self>
    where
        Self: 'b,
    {
        T::View::columns_reborrow(from)
    }

    #[inline(always)]
    fn lanes_of_mut<'a, 'b: 'a, const N: usize>(
        from: &'a LanesMut<'b, Self, N>,
    ) -> view::Lanes<'a, Self, N>
    where
        Self: 'b,
    {
        T::View::lanes_of_mut(from)
    }

    #[inline(always)]
    fn lanes_reborrow<'a, 'b: 'a, const N: usize>(
        from: &'a mut LanesMut<'b, Self, N>,
    ) -> LanesMut<'a, Self, N>
    where
        Self: 'b,
    {
        T::View::lanes_reborrow(from)
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

/// The lanes of a group that have a value. The contents of the others are safe to compute with: see [`Fill`].
///
/// # Examples
/// ```
/// use larder::SoaArena;
///
/// let mut arena = SoaArena::from_iter([1.0_f32, 2.0, 3.0]);
/// let second = arena.key_of_slot(1).unwrap();
/// arena.remove(second);
/// let (live, lanes) = arena.groups().next().unwrap();
/// assert_eq!(live.bits(), 0b101);
/// assert_eq!((live.count(), live.is_live(1)), (2, false));
/// assert_eq!(lanes, [1.0, 0.0, 3.0]);
/// ```
#[derive(Clone, Copy)]
pub struct Live<'a> {
    /// The source of the bits; without one all lanes have values.
    live: Option<LiveWords<'a>>,
    first: usize,
    lanes: usize,
}

impl<'a> Live<'a> {
    /// These lanes, all of which have values where there is no source of bits.
    pub(crate) const fn of(live: Option<LiveWords<'a>>, first: usize, lanes: usize) -> Self {
        Self { live, first, lanes }
    }

    /// Returns the slot of the first lane, or its position in a dense arena. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::SoaArena::from_iter(0..100_u8);
    /// assert!(arena.groups().map(|(live, _)| live.first()).eq([0, 64]));
    /// ```
    #[must_use]
    pub const fn first(&self) -> usize {
        self.first
    }

    /// Returns the first 64 lanes as bits: the lowest is lane 0. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::SoaArena::from_iter(['a', 'b']);
    /// assert_eq!(arena.groups().next().unwrap().0.bits(), 0b11);
    /// ```
    #[inline]
    #[must_use]
    pub fn bits(&self) -> u64 {
        self.word(0)
    }

    /// Returns 64 lanes as bits, from lane `word * 64` on. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::SoaArena::from_iter(['a', 'b']);
    /// let (live, _) = arena.groups().next().unwrap();
    /// assert_eq!((live.word(0), live.word(1)), (0b11, 0));
    /// ```
    #[inline]
    #[must_use]
    pub fn word(&self, word: usize) -> u64 {
        if word >= self.lanes.div_ceil(WORD) {
            return 0;
        }
        let lanes = low((self.lanes - word * WORD).min(WORD));
        match self.live {
            Some(live) => {
                let at = self.first + word * WORD;
                live.get(at / WORD) >> (at % WORD) & lanes
            }
            None => lanes,
        }
    }

    /// Returns whether a lane has a value. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::SoaArena::from_iter(['a', 'b']);
    /// let (live, _) = arena.groups().next().unwrap();
    /// assert!(live.is_live(1) && !live.is_live(2));
    /// ```
    #[inline]
    #[must_use]
    pub fn is_live(&self, lane: usize) -> bool {
        self.word(lane / WORD) >> (lane % WORD) & 1 == 1
    }

    /// Returns how many lanes have values. O(lanes / 64).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::SoaArena::from_iter(['a', 'b']);
    /// assert_eq!(arena.groups().next().unwrap().0.count(), 2);
    /// ```
    #[must_use]
    pub fn count(&self) -> usize {
        self.words().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns all lanes as bits, 64 at a time. O(lanes / 64).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::SoaArena::from_iter(['a', 'b']);
    /// assert!(arena.groups().next().unwrap().0.words().eq([0b11]));
    /// ```
    pub fn words(&self) -> impl Iterator<Item = u64> + use<'a> {
        let this = *self;
        (0..this.lanes.div_ceil(WORD)).map(move |word| this.word(word))
    }
}

impl fmt::Debug for Live<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("first", &self.first).field("bits", &self.bits()).finish()
    }
}
