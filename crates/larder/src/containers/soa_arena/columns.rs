//! The columns themselves: whole, in runs of live slots, in groups of 64, in blocks of lanes.

use core::iter::FusedIterator;

use super::SoaArena;
use crate::key::Key;
use crate::macros::half::shows_type;
use crate::raw::pool as rows;
use crate::soa::{Fill, Lanes, Live, Soa, Split};

/// Whole columns, for types without lanes.
impl<T: Soa<Arrangement = Split> + Fill, K: Key> SoaArena<T, K> {
    /// Each column as a slice: one element a slot that was ever in use, holes among them, which hold
    /// what [`Fill`] says. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::from_iter([(1.5_f32, 'a'), (2.5, 'b')]);
    /// let (numbers, letters) = arena.columns();
    /// assert_eq!((numbers, letters), (&[1.5, 2.5][..], &['a', 'b'][..]));
    /// ```
    #[doc(alias("slices", "items"))]
    #[inline]
    #[must_use]
    pub fn columns(&self) -> T::Columns<'_> {
        self.rows.columns()
    }

    /// Each column as a mutable slice, all at once. What is written to holes stays there until a value
    /// comes. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::from_iter([(1.0_f32, 0.5_f32), (2.0, 0.25)]);
    /// let (places, speeds) = arena.columns_mut();
    /// places.iter_mut().zip(speeds).for_each(|(place, speed)| *place += *speed);
    /// assert_eq!(arena.columns().0, [1.5, 2.25]);
    /// ```
    #[inline]
    #[must_use]
    pub fn columns_mut(&mut self) -> T::ColumnsMut<'_> {
        self.rows.columns_mut()
    }

    /// One column as a slice, of whatever a closure picks of all of them. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::SoaArena::from_iter([(1.5_f32, 'a'), (2.5, 'b')]);
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
    /// let mut arena = larder::SoaArena::from_iter([(1.5_f32, 'a'), (2.5, 'b')]);
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

    /// The columns of each run of live slots, as slices without holes, in slot order.
    /// O(runs + slots / 64).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::from_iter(0..5_u32);
    /// arena.remove(arena.key_of_slot(2).unwrap());
    /// assert!(arena.runs().eq([&[0, 1][..], &[3, 4]]));
    /// ```
    #[inline]
    pub fn runs(&self) -> Runs<'_, T> {
        Runs(self.rows.runs())
    }

    /// The columns of each run of live slots, to change them. O(runs + slots / 64).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::from_iter(0..5_u32);
    /// arena.remove(arena.key_of_slot(2).unwrap());
    /// arena.runs_mut().for_each(|run| run.reverse());
    /// assert!(arena.values().eq(&[1, 0, 4, 3]));
    /// ```
    #[inline]
    pub fn runs_mut(&mut self) -> RunsMut<'_, T> {
        RunsMut(self.rows.runs_mut())
    }

    /// The columns of 64 slots each, and which of them are live; groups that are all holes are left
    /// out. The last group is shorter where there are no more slots. O(groups).
    ///
    /// Computing on whole groups, holes and all, is quick where most slots are live.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::from_iter(0..100_u32);
    /// arena.retain(|_, number| *number >= 70);
    /// let (live, numbers) = arena.groups().next().unwrap(); // that of slots 64 to 99
    /// assert_eq!((live.first(), live.count(), numbers.len()), (64, 30, 36));
    /// ```
    #[inline]
    pub fn groups(&self) -> Groups<'_, T> {
        Groups(self.rows.groups())
    }

    /// The columns of 64 slots each, to change them, and which of them are live; groups that are all
    /// holes are left out. O(groups).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::from_iter([1.0_f32, 2.0]);
    /// for (_, numbers) in arena.groups_mut() {
    ///     numbers.iter_mut().for_each(|number| *number *= 10.0);
    /// }
    /// assert_eq!(arena.columns(), [10.0, 20.0]);
    /// ```
    #[inline]
    pub fn groups_mut(&mut self) -> GroupsMut<'_, T> {
        GroupsMut(self.rows.groups_mut())
    }
}

/// Which slots are live.
impl<T: Soa + Fill, K: Key> SoaArena<T, K> {
    /// Which of the 64 slots from `group * 64` on are live, the lowest bit first; 0 past the last.
    /// O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::from_iter(['a', 'b', 'c']);
    /// arena.remove(arena.key_of_slot(1).unwrap());
    /// assert_eq!(arena.live_mask(0), 0b101);
    /// assert_eq!(arena.live_mask(1), 0);
    /// ```
    #[inline]
    #[must_use]
    pub fn live_mask(&self, group: usize) -> u64 {
        self.rows.book().live_bits(group)
    }
}

/// Blocks of lanes, for types with `#[soa(lanes = …)]`.
impl<const L: usize, T: Soa<Arrangement = Lanes<L>> + Fill, K: Key> SoaArena<T, K> {
    /// Groups of `L` values, each field an array of lanes, and which lanes are live; groups that are
    /// all holes are left out. Lanes without a value hold what [`Fill`] says. O(groups).
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "derive")] {
    /// use larder::{Soa, SoaArena};
    ///
    /// #[derive(Soa)]
    /// #[soa(lanes = 8)]
    /// struct Body { place: f32, speed: f32 }
    ///
    /// let mut bodies = SoaArena::new();
    /// bodies.insert(Body { place: 1.0, speed: 0.5 });
    /// let (live, lanes) = bodies.blocks().next().unwrap();
    /// assert_eq!(live.bits(), 0b1);
    /// assert_eq!(lanes.place, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    /// # }
    /// ```
    #[inline]
    pub fn blocks(&self) -> Blocks<'_, T, L> {
        Blocks(self.rows.groups())
    }

    /// Groups of `L` values, each field a mutable array of lanes, and which lanes are live. What is
    /// written to lanes without a value is lost. O(groups).
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "derive")] {
    /// use larder::{Soa, SoaArena};
    ///
    /// #[derive(Soa)]
    /// #[soa(lanes = 8)]
    /// struct Body { place: f32, speed: f32 }
    ///
    /// let mut bodies = SoaArena::new();
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

/// The columns of runs of live slots. Made by [`SoaArena::runs`](crate::SoaArena::runs).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Runs<'a, T: Soa>(rows::Runs<'a, T>);

/// The columns of runs of live slots, to change them. Made by
/// [`SoaArena::runs_mut`](crate::SoaArena::runs_mut).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct RunsMut<'a, T: Soa>(rows::RunsMut<'a, T>);

/// The columns of groups of 64 slots, and which are live. Made by
/// [`SoaArena::groups`](crate::SoaArena::groups).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Groups<'a, T: Soa>(rows::Groups<'a, T, 64>);

/// The columns of groups of 64 slots, to change them, and which are live. Made by
/// [`SoaArena::groups_mut`](crate::SoaArena::groups_mut).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct GroupsMut<'a, T: Soa>(rows::GroupsMut<'a, T, 64>);

/// Blocks of lanes, and which are live. Made by [`SoaArena::blocks`](crate::SoaArena::blocks).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Blocks<'a, T: Soa, const L: usize>(rows::Groups<'a, T, L>);

/// Blocks of lanes, to change them, and which are live. Made by
/// [`SoaArena::blocks_mut`](crate::SoaArena::blocks_mut).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct BlocksMut<'a, T: Soa, const L: usize>(rows::GroupsMut<'a, T, L>);

/// The iterator around that of the raw layer.
macro_rules! lends {
    ([$($generics:tt)*] $name:ty, $item:ty, $next:ident, $fold:ident) => {
        impl<$($generics)*> Iterator for $name {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<$item> {
                self.0.$next()
            }

            #[inline]
            fn fold<B, F: FnMut(B, $item) -> B>(self, init: B, f: F) -> B {
                self.0.$fold(init, f)
            }
        }

        impl<$($generics)*> FusedIterator for $name {}
    };
}

lends!(['a, T: Soa<Arrangement = Split>] Runs<'a, T>, T::Columns<'a>, next, fold);
lends!(['a, T: Soa<Arrangement = Split>] RunsMut<'a, T>, T::ColumnsMut<'a>, next, fold);
lends!(['a, T: Soa<Arrangement = Split>] Groups<'a, T>, (Live<'a>, T::Columns<'a>), next, fold);
lends!(['a, T: Soa<Arrangement = Split>] GroupsMut<'a, T>, (Live<'a>, T::ColumnsMut<'a>), next, fold);
lends! {
    ['a, const L: usize, T: Soa<Arrangement = Lanes<L>>] Blocks<'a, T, L>,
    (Live<'a>, T::Lanes<'a, L>), next_lanes, fold_lanes
}
lends! {
    ['a, const L: usize, T: Soa<Arrangement = Lanes<L>>] BlocksMut<'a, T, L>,
    (Live<'a>, T::LanesMut<'a, L>), next_lanes, fold_lanes
}

shows_type! {
    [T: Soa] Runs<'_, T>;
    [T: Soa] RunsMut<'_, T>;
    [T: Soa] Groups<'_, T>;
    [T: Soa] GroupsMut<'_, T>;
    [T: Soa, const L: usize] Blocks<'_, T, L>;
    [T: Soa, const L: usize] BlocksMut<'_, T, L>;
}
