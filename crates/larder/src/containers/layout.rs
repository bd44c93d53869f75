//! How slots lie in memory: the last parameter of [`Slots`](super::Slots), as messages of the compiler write it.
//!
//! Programs name a container, not its layout: [`Arena<T, K>`](crate::Arena) is `Slots<T, K, Whole<Buffer<Row<T, K>>>>`,
//! which a message shortens to `Slots<T>`. None of these types can be made outside of a container.
//!
//! | container | layout |
//! |---|---|
//! | [`Arena`](crate::Arena) | `Whole<Buffer<Row<T, K>>>` |
//! | [`PagedArena`](crate::PagedArena) | `Whole<Blocks<Row<T, K>>>` |
//! | [`InlineArena`](crate::InlineArena) | `Whole<Inside<Row<T, K>, N>>`, with the book `Book<N>` |

pub use crate::raw::buffer::Buffer;
pub use crate::raw::inline::{Book, Inside};
pub use crate::raw::occupancy::Occupancy;
pub use crate::raw::rows::{Blocks, Row, Whole};
