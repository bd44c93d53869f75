//! Values in columns that stay in their slot; removal leaves a hole.

use crate::containers::builder::Builder;
use crate::error::{GetDisjointMutError, InsertError, ReattachError, TryReserveError};
use crate::key::{Handle, Key};
use crate::macros::{self, shows_type};
#[cfg(feature = "alloc")]
use crate::raw::columns::shape::CloneShape;
use crate::raw::columns::{Columns, InColumns};
use crate::raw::slots::Book;
use crate::raw::split::{self, InMemory, Slots};
use crate::soa::{Fill, Lanes, Live, Soa, Split, view};
use crate::stats::{Reuse, Stats};

type Store<T, K> = split::SplitStore<T, K, Columns<T>>;

/// Values in slots, each field in a column of its own, accessed by handles.
///
/// A loop over one field of many values reads nothing else, and [`columns`](Self::columns) are plain
/// slices: for SIMD, a GPU, a file. A value stays in its slot until it is removed; its fields are then what
/// [`Fill`] says, so a loop over whole columns may ignore which slots are holes. A stale handle never refers
/// to another value.
///
/// Use [`Arena`](crate::Arena) if whole values are looked up at random: a row is one cache line or two, a
/// value in columns one for each field. Use [`DenseSoaArena`](crate::DenseSoaArena) if columns must have no
/// holes.
///
/// # Layout
/// ```text
/// column x     │ x0 │ x1 │ 0.0 │ x3 │   one allocation for all columns; each begins at a cache
/// column name  │ n0 │ n1 │ ""  │ n3 │   line of its own modulo 4 KiB
/// generations  │ 1  │ 3  │ 2   │ 1  │   4 bytes a slot
/// occupancy    1 1 0 1 …               one bit a slot
/// ```
/// Beside the fields it takes 4.2 bytes a slot with [`Handle`], nothing for alignment between fields.
/// With `#[soa(lanes = 8)]` groups of eight values lie together, each field an array: see
/// [`blocks`](Self::blocks).
///
/// It is invariant in `T`, since the [`Soa`] of `T` decides on the columns.
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert`, `remove`, `get` | O(1), a cache line a field; `insert` amortised if it grows |
/// | iteration | O(live + slots / 64), for the columns that are read |
/// | a loop over a whole column | that of a slice |
///
/// # Examples
/// ```
/// use larder::SoaArena;
///
/// let mut bodies = SoaArena::new();
/// let moon = bodies.insert((1.0_f32, 0.5_f32)); // place, speed
/// let comet = bodies.insert((9.0, -3.0));
///
/// let (places, speeds) = bodies.columns_mut();
/// for (place, speed) in places.iter_mut().zip(speeds) {
///     *place += *speed;
/// }
/// assert_eq!(bodies.get(moon), Some((&1.5, &0.5)));
/// bodies.remove(comet);
/// assert_eq!(bodies.columns().0, [1.5, 0.0]); // holes are safe to compute with
/// ```
#[doc(alias("SoA", "structure of arrays", "struct of arrays", "MultiArrayList", "soa"))]
pub struct SoaArena<T: Soa + Fill, K: Key = Handle<T>> {
    pub(crate) store: Store<T, K>,
}

/// What `SoaArena` and `DenseSoaArena` have: columns.
macro_rules! soa_arena {
    (
        $face:tt, [$($bound:tt)*], store: $store:ty, iter: $iter:ty, iter_mut: $iter_mut:ty,
        into_iter: $into_iter:ty, drain: $drain:ty, extract_if: $extract_if:ty
    ) => {
        $crate::macros::constructors! { $face, [$($bound)*] }
        $crate::macros::placing! { $face, [$($bound)*] }
        $crate::macros::inserting! { $face, store: $store }
        $crate::macros::lookup! { $face, get: "O(1): one cache line for each field that is read." }
        $crate::containers::soa_arena::at! { $face }
        $crate::macros::capacity! {
            $face, reserve: |this, additional| this.store.try_reserve(additional)
        }
        $crate::macros::shrinking! { $face }
        $crate::macros::removal! { $face }
        $crate::macros::iterating! {
            $face, iter: $iter = |this| this.store.iter(), iter_mut: $iter_mut = |this| this.store.iter_mut(), none: Default::default()
        }
        #[cfg(feature = "rayon")]
        $crate::impls::rayon::divided! {
            ['a, T: $($bound)*, K: Key] Iter<'a, T, K>; ['a, T: $($bound)*, K: Key] IterMut<'a, T, K>;
        }
        $crate::macros::taking! {
            $face, into_iter: $into_iter, drain: $drain, extract_if: $extract_if
        }
        $crate::macros::traits! { $face }
        #[cfg(feature = "alloc")]
        $crate::macros::cloning! { $face, [T::Shape: CloneShape] }
    };
}
pub(super) use soa_arena;

/// What indexing is to rows, for columns, of which no reference to a whole value can be lent.
macro_rules! at {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        }
    ) => {
        /// Access by a key that must be live: what `arena[key]` is to rows.
        impl<$($generics)*> $container<$($args)*> {
            /// Returns a reference to each field of a key's value. O(1).
            ///
            /// # Panics
            /// If the key has no value; the message says what its slot holds now.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert((1.5_f32, 'a'));
            /// assert_eq!(arena.at(key).1, &'a');
            /// ```
            #[doc(alias("index"))]
            #[inline]
            #[must_use]
            #[track_caller]
            pub fn at(&self, key: K) -> view::Ref<'_, T> {
                match self.store.get(key) {
                    Some(value) => value,
                    None => self.no_value(key),
                }
            }

            /// Returns a mutable reference to each field of a key's value. O(1).
            ///
            /// # Panics
            /// If the key has no value; the message says what its slot holds now.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert((1.5_f32, 'a'));
            /// *arena.at_mut(key).1 = 'b';
            /// assert_eq!(arena.at(key), (&1.5, &'b'));
            /// ```
            #[doc(alias("index_mut"))]
            #[inline]
            #[must_use]
            #[track_caller]
            pub fn at_mut(&mut self, key: K) -> view::RefMut<'_, T> {
                if !self.contains_key(key) {
                    self.no_value(key);
                }
                match self.store.get_mut(key) {
                    Some(value) => value,
                    None => unreachable!(),
                }
            }

            /// Replaces a key's value and returns the old one. O(1).
            ///
            /// # Errors
            /// If the key is stale, foreign or dangling: the new value is given back.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert((1.5_f32, 'a'));
            /// assert_eq!(arena.replace(key, (2.5, 'b')), Ok((1.5, 'a')));
            /// assert_eq!(arena.at(key), (&2.5, &'b'));
            /// ```
            #[doc(alias = "set")]
            #[inline]
            pub fn replace(&mut self, key: K, value: T) -> Result<T, T> {
                self.store.replace(key, value)
            }
        }
    };
}
pub(super) use at;

/// The columns themselves. `holes` says what slots without a value hold; `split` lends all columns
/// mutably.
macro_rules! columns {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        },
        [$($bound:tt)*], holes: $holes:literal, columns_mut: |$this:ident| $columns_mut:expr,
        blocks: $blocks:ty, blocks_mut: $blocks_mut:ty, next_lanes $($fold:ident)?
    ) => {
        /// Whole columns, for types without lanes.
        impl<T: Soa<Arrangement = Split> $($bound)*, K: Key> $container<T, K> {
            #[doc = concat!("Returns each column as a slice, ", $crate::macros::words!($order), $holes, ". O(1).")]
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let arena = Arena::from_iter([(1.5_f32, 'a'), (2.5, 'b')]);
            /// let (numbers, letters) = arena.columns();
            /// assert_eq!((numbers, letters), (&[1.5, 2.5][..], &['a', 'b'][..]));
            /// ```
            #[doc(alias("slices", "items"))]
            #[inline]
            #[must_use]
            pub fn columns(&self) -> view::Columns<'_, T> {
                self.store.columns()
            }

            /// Returns each column as a mutable slice, all at once. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter([(1.0_f32, 0.5_f32), (2.0, 0.25)]);
            /// let (places, speeds) = arena.columns_mut();
            /// places.iter_mut().zip(speeds).for_each(|(place, speed)| *place += *speed);
            /// assert_eq!(arena.columns().0, [1.5, 2.25]);
            /// ```
            #[inline]
            #[must_use]
            pub fn columns_mut(&mut self) -> view::ColumnsMut<'_, T> {
                let $this = self;
                $columns_mut
            }
        }

        /// Blocks of lanes, for types with `#[soa(lanes = …)]`.
        impl<const L: usize, T: Soa<Arrangement = Lanes<L>> $($bound)*, K: Key> $container<T, K> {
            /// Iterates over groups of `L` values, each field an array of lanes, with the lanes that
            /// have values. Groups without a value are skipped. Lanes without a value hold what
            /// [`Fill`](crate::soa::Fill) says. O(groups).
            ///
            /// # Examples
            /// ```
            /// # #[cfg(feature = "derive")] {
            /// use larder::Soa;
            #[doc = $example]
            ///
            /// #[derive(Soa)]
            /// #[soa(lanes = 4)]
            /// struct Body { place: f32, speed: f32 }
            ///
            /// let mut bodies = Arena::new();
            /// bodies.insert(Body { place: 1.0, speed: 0.5 });
            /// let (live, lanes) = bodies.blocks().next().unwrap();
            /// assert_eq!((live.bits(), lanes.place), (0b1, &[1.0, 0.0, 0.0, 0.0]));
            /// # }
            /// ```
            #[inline]
            pub fn blocks(&self) -> Blocks<'_, T, L> {
                Blocks(self.store.groups())
            }

            /// Iterates over groups of `L` values, each field a mutable array of lanes, with the lanes
            /// that have values. What is written to the other lanes is lost. O(groups).
            ///
            /// # Examples
            /// ```
            /// # #[cfg(feature = "derive")] {
            /// use larder::Soa;
            #[doc = $example]
            ///
            /// #[derive(Soa)]
            /// #[soa(lanes = 8)]
            /// struct Body { place: f32, speed: f32 }
            ///
            /// let mut bodies = Arena::new();
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
                BlocksMut(self.store.groups_mut())
            }
        }

        /// Blocks of lanes, and which lanes have values.
        #[doc = concat!("Made by [`", stringify!($container), "::blocks`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct Blocks<'a, T: Soa, const L: usize>($blocks);

        /// Mutable blocks of lanes, and which lanes have values.
        #[doc = concat!("Made by [`", stringify!($container), "::blocks_mut`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct BlocksMut<'a, T: Soa, const L: usize>($blocks_mut);

        $crate::containers::soa_arena::lends! {
            ['a, const L: usize, T: Soa<Arrangement = Lanes<L>>] Blocks<'a, T, L>,
            (Live<'a>, view::Lanes<'a, T, L>), next_lanes $($fold)?
        }
        $crate::containers::soa_arena::lends! {
            ['a, const L: usize, T: Soa<Arrangement = Lanes<L>>] BlocksMut<'a, T, L>,
            (Live<'a>, view::LanesMut<'a, T, L>), next_lanes $($fold)?
        }
        $crate::macros::shows_type! {
            [T: Soa, const L: usize] Blocks<'_, T, L>;
            [T: Soa, const L: usize] BlocksMut<'_, T, L>;
        }
    };
}
pub(super) use columns;

/// The iterator around one of the raw layer, with its `fold` if it has one.
macro_rules! lends {
    ([$($generics:tt)*] $name:ty, $item:ty, $next:ident $($fold:ident)?) => {
        impl<$($generics)*> Iterator for $name {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<$item> {
                self.0.$next()
            }

            $(
                #[inline]
                fn fold<B, F: FnMut(B, $item) -> B>(self, init: B, f: F) -> B {
                    self.0.$fold(init, f)
                }
            )?
        }

        impl<$($generics)*> core::iter::FusedIterator for $name {}

        #[cfg(feature = "rayon")]
        $crate::impls::rayon::divided! { [$($generics)*] $name; }

        #[cfg(feature = "rayon")]
        $crate::impls::rayon::parallel! { [$($generics)*] $name; }
    };
}
pub(super) use lends;

/// The methods, by the macros of `macros`.
macro_rules! arena {
    ($face:tt) => {
        soa_arena! {
            $face, [Soa + Fill],
            store: split::SplitStore<T, K, Columns<T>>,
            iter: split::Iter<'a, T, K, InColumns<T>>, iter_mut: split::IterMut<'a, T, K, InColumns<T>>,
            into_iter: split::IntoIter<T, K>, drain: split::Drain<'a, T, K>,
            extract_if: split::ExtractIf<'a, T, K, F>
        }
        macros::by_slot! { $face }
        macros::compacting! { $face, holes: "Holes hold what [`Fill`] says. " }
        columns! {
            $face, [+ Fill],
            holes: ": one element for each slot ever used. Holes hold what [`Fill`] says, or what was \
                written to them since",
            columns_mut: |this| this.store.columns_mut(),
            blocks: split::Groups<'a, T, L>, blocks_mut: split::GroupsMut<'a, T, L>, next_lanes fold_lanes
        }
    };
}

arena! {
    {
        SoaArena [T: Soa + Fill, K: Key] [T, K] columns slots block
        "# use larder::SoaArena as Arena;" "Arena::fixed(1)"
    }
}

/// The columns of live slots, for types without lanes.
impl<T: Soa<Arrangement = Split> + Fill, K: Key> SoaArena<T, K> {
    /// Iterates over the columns of each run of live slots, as slices without holes, in slot order.
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
        Runs(self.store.runs())
    }

    /// Iterates over the columns of each run of live slots, as mutable slices. O(runs + slots / 64).
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
        RunsMut(self.store.runs_mut())
    }

    /// Iterates over the columns of 64 slots each, and which of them are live; groups that are all holes are left
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
        Groups(self.store.groups())
    }

    /// Iterates over the columns of 64 slots each, mutable, and which of them are live; groups that are all
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
        GroupsMut(self.store.groups_mut())
    }
}

/// Which slots are live.
impl<T: Soa + Fill, K: Key> SoaArena<T, K> {
    /// Returns which of the 64 slots from `group * 64` on are live, the lowest bit first; 0 past the last.
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
        self.store.book().live_word(group)
    }
}

/// The columns of runs of live slots. Made by [`SoaArena::runs`](crate::SoaArena::runs).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Runs<'a, T: Soa>(split::Runs<'a, T>);

/// The mutable columns of runs of live slots. Made by
/// [`SoaArena::runs_mut`](crate::SoaArena::runs_mut).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct RunsMut<'a, T: Soa>(split::RunsMut<'a, T>);

/// The columns of groups of 64 slots, and which are live. Made by
/// [`SoaArena::groups`](crate::SoaArena::groups).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Groups<'a, T: Soa>(split::Groups<'a, T, 64>);

/// The mutable columns of groups of 64 slots, and which slots are live. Made by
/// [`SoaArena::groups_mut`](crate::SoaArena::groups_mut).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct GroupsMut<'a, T: Soa>(split::GroupsMut<'a, T, 64>);

lends!(['a, T: Soa<Arrangement = Split>] Runs<'a, T>, view::Columns<'a, T>, next fold);
lends!(['a, T: Soa<Arrangement = Split>] RunsMut<'a, T>, view::ColumnsMut<'a, T>, next fold);
lends! {
    ['a, T: Soa<Arrangement = Split>] Groups<'a, T>, (Live<'a>, view::Columns<'a, T>), next fold
}
lends! {
    ['a, T: Soa<Arrangement = Split>] GroupsMut<'a, T>, (Live<'a>, view::ColumnsMut<'a, T>), next fold
}
shows_type! {
    [T: Soa] Runs<'_, T>;
    [T: Soa] RunsMut<'_, T>;
    [T: Soa] Groups<'_, T>;
    [T: Soa] GroupsMut<'_, T>;
}
