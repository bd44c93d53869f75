//! The layouts of values in memory: the last parameter of [`Slots`](super::Slots) and [`Dense`](super::Dense), as
//! messages of the compiler write it.
//!
//! Programs name a container, not its layout: [`Arena<T, K>`](crate::Arena) is
//! `Slots<T, K, Whole<OneBlock<Row<T, K>>>>`, which a message shortens to `Slots<T>`.
//! None of these types can be made outside of a container but [`OneBlock`], which has the room of a structure of one's
//! own, as that of the lists in a `ListPool`.
//!
//! | container | layout |
//! |---|---|
//! | [`Arena`](crate::Arena) | `Whole<OneBlock<Row<T, K>>>` |
//! | [`PagedArena`](crate::PagedArena) | `Whole<ManyBlocks<Row<T, K>>>` |
//! | [`InlineArena`](crate::InlineArena) | `Whole<Inside<Row<T, K>, N>>`, with the book `InsideBook<N>` |
//! | `SoaArena` | `Apart<T, K, InColumns<T>>` |
//! | `Pool` | `Whole<Recycling<T, K>>` |
//! | [`DenseArena`](crate::DenseArena) | `OneBlock<T>` |
//! | `DenseSoaArena` | `InColumns<T>` |

pub use crate::memory::buffer::Buffer as OneBlock;
pub use crate::raw::inline::{Inside, InsideBook};
pub use crate::raw::occupancy::Occupancy;
pub use crate::raw::rows::{Blocks as ManyBlocks, Row, Whole};
#[cfg(feature = "columns")]
pub use crate::raw::split::Apart;
#[cfg(feature = "alloc")]
pub use crate::raw::split::Recycling;
#[cfg(feature = "columns")]
pub use crate::soa::raw::Columns as InColumns;
