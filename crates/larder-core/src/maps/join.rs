//! Walks over several containers at once.

use crate::containers::{Dense, Slots};
use crate::key::Key;
#[cfg(feature = "alloc")]
use crate::maps::{secondary::SideMap, side_layout::SideLayout};
use crate::memory::storage::Storage;
use crate::raw::book::Book;
use crate::raw::join::{Exclusive, JoinView, Lend, Participant, Shared, Together, Viewed};
use crate::raw::packed::Packed;
use crate::raw::store::{Refill, Store};

pub use crate::raw::join::Join;

/// A reference, `&` or `&mut`, to a container or map, or a tuple of up to four of these with keys of one type. The
/// trait is sealed.
///
/// # Examples
/// ```
/// use larder::{Arena, Handle, SecondaryMap, join, maps::Joined};
///
/// /// Counts what all have in common.
/// fn in_common(of: impl Joined) -> usize {
///     join(of).count()
/// }
/// let mut birds = Arena::new();
/// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
/// let ages = SecondaryMap::from_iter([(kite, 5)]);
/// assert_eq!((in_common((&birds, &ages)), in_common(&birds)), (1, 2));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be joined",
    label = "cannot be joined",
    note = "a join is of a reference to a container or map, `&` or `&mut`, or of a tuple of up to four of them, whose keys \
            are of one type"
)]
pub trait Joined: Together {}

#[diagnostic::do_not_recommend]
impl<J: Together> Joined for J {}

/// Walks the keys that up to four containers and maps have in common, with the value of each:
/// `(key, (&a, &mut b, &c))`. One that is passed without a tuple is walked alone: `(key, &a)`.
///
/// Containers and maps can be joined in any order if their keys are of one type. Those passed as `&mut` return `&mut`
/// values, and containers of columns what their `get` and `get_mut` return. Keys match in slot *and* generation: a
/// stale entry of a map is skipped, and so is the object in its slot.
///
/// The walk combines the occupancy words of all, 64 slots at a time, and visits only slots that all have in
/// use, in slot order. (A [`DenseArena`](crate::DenseArena) is walked in slot order, too.) O(slots / 64) of the one
/// with the fewest slots, and O(1) for each slot that all have in use.
///
/// If a `SparseSecondaryMap` takes part, the walk is over its entries, in their order, and looks their keys up in the
/// others. If several do, it is over the one with the fewest entries. O(1) for each of these.
///
/// Internal iteration (`for_each`, `fold`, `sum`) is faster than a `for` loop. Allocates nothing.
///
/// # Examples
/// ```
/// use larder::{Arena, SecondaryMap, maps::SparseSecondaryMap};
///
/// let mut positions = Arena::new();
/// let (a, b, c) = (positions.insert(0.0), positions.insert(10.0), positions.insert(20.0));
/// let velocities = SecondaryMap::from_iter([(a, 1.0), (b, 2.0), (c, 3.0)]);
/// let mut fuel = SparseSecondaryMap::from_iter([(b, 5), (c, 1)]);
/// positions.remove(c);
///
/// for (_, (position, velocity, fuel)) in larder::join((&mut positions, &velocities, &mut fuel)) {
///     *position += velocity;
///     *fuel -= 1;
/// }
/// assert!(positions.iter().eq([(a, &0.0), (b, &12.0)])); // a has no fuel
/// assert_eq!((fuel[b], fuel[c]), (4, 1)); // c is gone
/// ```
#[doc(alias("zip", "query", "join iteration", "intersection", "view"))]
pub fn join<J: Joined>(of: J) -> Join<J> {
    Join::new(of)
}

/// Shared and exclusive references to what a join finds its entries in.
macro_rules! participants {
    ($([$($generics:tt)*] $container:ty, $field:ident: $viewed:ty;)*) => {$(
        impl<'a, $($generics)*> Participant for &'a $container
        where
            $viewed: Viewed<View<'a>: JoinView<Place: Lend<'a>>>,
        {
            type Access = Shared<'a, <$viewed as Viewed>::View<'a>>;

            #[inline]
            fn access(self) -> Self::Access {
                Shared::of(&self.$field)
            }
        }

        impl<'a, $($generics)*> Participant for &'a mut $container
        where
            $viewed: Viewed<View<'a>: JoinView<Place: Lend<'a>>>,
        {
            type Access = Exclusive<'a, <$viewed as Viewed>::View<'a>>;

            #[inline]
            fn access(self) -> Self::Access {
                Exclusive::of(&mut self.$field)
            }
        }
    )*};
}

participants! {
    [T, K: Key, L: Refill<T, K>, B: Book] Slots<T, K, L, B>, store: Store<T, K, L, B>;
    [T, K: Key, S: Storage<T>] Dense<T, K, S>, store: Packed<T, K, S>;
}

#[cfg(feature = "alloc")]
participants! {
    [K: Key, V, L: SideLayout<K, V>] SideMap<K, V, L>, map: L;
}
