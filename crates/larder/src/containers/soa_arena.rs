//! Values in columns that stay in their slot; removal leaves a hole.

mod columns;
mod extract;
mod place;

pub use columns::{Blocks, BlocksMut, Groups, GroupsMut, Runs, RunsMut};
pub use extract::ExtractIf;

use crate::containers::builder::Builder;
use crate::error::{GetDisjointMutError, InsertError, ReattachError, TryReserveError};
use crate::key::{Handle, Key};
use crate::macros;
use crate::raw::columns::shape::CloneShape;
use crate::raw::columns::{Columns, InColumns};
use crate::raw::pool::{self as rows, InMemory, Slots};
use crate::soa::{Fill, Soa};
use crate::stats::{Reuse, Stats};

type Rows<T, K> = rows::Stock<T, K, Columns<T>>;

/// Many values of a kind, each field in a column of its own, reached through handles that know when
/// their value is gone.
///
/// A loop that needs one field of many values reads nothing else, and [`columns`](Self::columns) are
/// plain slices: for SIMD, a GPU, a file. A value stays in its slot until it is removed; then its
/// fields are what [`Fill`] says, so that a pass over whole columns may ignore which slots are holes.
///
/// Choose [`Arena`](crate::Arena) instead where whole values are looked up at random: a row is one
/// cache line or two, a value in columns one for each field. Choose
/// [`DenseSoaArena`](crate::DenseSoaArena) where columns must have no holes.
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
/// # Costs
/// | | |
/// |---|---|
/// | `insert`, `remove`, `get` | O(1), a cache line a field; `insert` amortised where it grows |
/// | walk | O(live + slots / 64), of the columns that are looked at |
/// | a pass over a whole column | that of a slice |
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
    pub(crate) rows: Rows<T, K>,
}

macros::columns::columns! {
    SoaArena, [Soa + Fill],
    vacancy: rows::Vacancy<'a, T, K, Columns<T>>,
    iter: rows::Iter<'a, T, K, InColumns<T>>, iter_mut: rows::IterMut<'a, T, K, InColumns<T>>,
    into_iter: rows::IntoIter<T, K>, drain: rows::Drain<'a, T, K>,
    new: "larder::SoaArena::new()", from: "larder::SoaArena::from_iter",
    for_one: "larder::SoaArena::fixed(1)",
    order: "in slot order", cost: "O(live + slots / 64).",
    removed: "The hole holds what [`Fill`] says.",
}
macros::compacting! {
    [T: Soa + Fill, K: Key] SoaArena<T, K>, rows, "larder::SoaArena::new()", kind: "arena",
    holes: "Holes hold what [`Fill`] says, as ever. "
}
macros::hidden! { [T: Soa + Fill, K: Key] SoaArena<T, K> }
