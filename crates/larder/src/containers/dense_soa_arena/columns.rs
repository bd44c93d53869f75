//! The columns themselves: whole, or in blocks of lanes.

use core::iter::FusedIterator;

use super::DenseSoaArena;
use crate::key::Key;
use crate::macros::half::shows_type;
use crate::raw::packed as rows;
use crate::soa::{Lanes, Live, Soa, Split};

/// Whole columns, for types without lanes.
impl<T: Soa<Arrangement = Split>, K: Key> DenseSoaArena<T, K> {
    /// Each column as a slice, in position order. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::DenseSoaArena::from_iter([(1.5_f32, 'a'), (2.5, 'b')]);
    /// assert_eq!(arena.columns(), (&[1.5, 2.5][..], &['a', 'b'][..]));
    /// ```
    #[doc(alias("slices", "items"))]
    #[inline]
    #[must_use]
    pub fn columns(&self) -> T::Columns<'_> {
        self.rows.columns()
    }

    /// Each column as a mutable slice, all at once. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::from_iter([(1.0_f32, 0.5_f32), (2.0, 0.25)]);
    /// let (places, speeds) = arena.columns_mut();
    /// places.iter_mut().zip(speeds).for_each(|(place, speed)| *place += *speed);
    /// assert_eq!(arena.columns().0, [1.5, 2.25]);
    /// ```
    #[inline]
    #[must_use]
    pub fn columns_mut(&mut self) -> T::ColumnsMut<'_> {
        self.rows.columns_mut().1
    }

    /// The keys as a slice, and each column as a mutable one beside it. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::from_iter(['a', 'b']);
    /// let (keys, letters) = arena.keys_and_columns_mut();
    /// assert_eq!(keys.len(), letters.len());
    /// letters[0] = 'x';
    /// ```
    #[inline]
    #[must_use]
    pub fn keys_and_columns_mut(&mut self) -> (&[K], T::ColumnsMut<'_>) {
        self.rows.columns_mut()
    }

    /// One column as a slice, of whatever a closure picks of all of them. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::DenseSoaArena::from_iter([(1.5_f32, 'a'), (2.5, 'b')]);
    /// assert_eq!(arena.column(|all| all.1), ['a', 'b']);
    /// ```
    #[inline]
    #[must_use]
    pub fn column<'a, F: 'a>(&'a self, pick: impl FnOnce(T::Columns<'a>) -> &'a [F]) -> &'a [F] {
        pick(self.columns())
    }

    /// One column as a mutable slice, of whatever a closure picks of all of them. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::from_iter([(1.5_f32, 'a'), (2.5, 'b')]);
    /// arena.column_mut(|all| all.0).fill(1.0);
    /// assert_eq!(arena.columns().0, [1.0, 1.0]);
    /// ```
    #[inline]
    #[must_use]
    pub fn column_mut<'a, F: 'a>(
        &'a mut self,
        pick: impl FnOnce(T::ColumnsMut<'a>) -> &'a mut [F],
    ) -> &'a mut [F] {
        pick(self.columns_mut())
    }
}

/// Blocks of lanes, for types with `#[soa(lanes = …)]`.
impl<const L: usize, T: Soa<Arrangement = Lanes<L>>, K: Key> DenseSoaArena<T, K> {
    /// Groups of `L` values, each field an array of lanes, and which lanes have values: all, but for
    /// the last group, whose other lanes hold what [`Fill`](crate::soa::Fill) says. O(groups).
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "derive")] {
    /// use larder::{DenseSoaArena, Soa};
    ///
    /// #[derive(Soa)]
    /// #[soa(lanes = 4)]
    /// struct Body { place: f32, speed: f32 }
    ///
    /// let mut bodies = DenseSoaArena::new();
    /// bodies.insert(Body { place: 1.0, speed: 0.5 });
    /// let (live, lanes) = bodies.blocks().next().unwrap();
    /// assert_eq!((live.count(), lanes.place), (1, &[1.0, 0.0, 0.0, 0.0]));
    /// # }
    /// ```
    #[inline]
    pub fn blocks(&self) -> Blocks<'_, T, L> {
        Blocks(self.rows.groups())
    }

    /// Groups of `L` values, each field a mutable array of lanes, and which lanes have values. What is
    /// written to the others is lost. O(groups).
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "derive")] {
    /// use larder::{DenseSoaArena, Soa};
    ///
    /// #[derive(Soa)]
    /// #[soa(lanes = 8)]
    /// struct Body { place: f32, speed: f32 }
    ///
    /// let mut bodies = DenseSoaArena::new();
    /// let body = bodies.insert(Body { place: 1.0, speed: 0.5 });
    /// for (_, lanes) in bodies.blocks_mut() {
    ///     for (place, speed) in lanes.place.iter_mut().zip(lanes.speed) {
    ///         *place += *speed;
    ///     }
    /// }
    /// assert_eq!(bodies.at(body).place, &1.5);
    /// # }
    /// ```
    #[inline]
    pub fn blocks_mut(&mut self) -> BlocksMut<'_, T, L> {
        BlocksMut(self.rows.groups_mut())
    }
}

/// Blocks of lanes, and which have values. Made by
/// [`DenseSoaArena::blocks`](crate::DenseSoaArena::blocks).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Blocks<'a, T: Soa, const L: usize>(rows::Groups<'a, T, L>);

/// Blocks of lanes, to change them, and which have values. Made by
/// [`DenseSoaArena::blocks_mut`](crate::DenseSoaArena::blocks_mut).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct BlocksMut<'a, T: Soa, const L: usize>(rows::GroupsMut<'a, T, L>);

impl<'a, const L: usize, T: Soa<Arrangement = Lanes<L>>> Iterator for Blocks<'a, T, L> {
    type Item = (Live<'a>, T::Lanes<'a, L>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next_lanes()
    }
}

impl<'a, const L: usize, T: Soa<Arrangement = Lanes<L>>> Iterator for BlocksMut<'a, T, L> {
    type Item = (Live<'a>, T::LanesMut<'a, L>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next_lanes()
    }
}

impl<const L: usize, T: Soa<Arrangement = Lanes<L>>> FusedIterator for Blocks<'_, T, L> {}
impl<const L: usize, T: Soa<Arrangement = Lanes<L>>> FusedIterator for BlocksMut<'_, T, L> {}

shows_type! {
    [T: Soa, const L: usize] Blocks<'_, T, L>;
    [T: Soa, const L: usize] BlocksMut<'_, T, L>;
}
