//! Iterators over one half of each pair, the keys or the values: of all containers.

pub use crate::raw::parts::ItemParts;
use crate::raw::parts::{First, Second};

/// The keys of an iterator over keys and values, in its order. Made by `keys`.
pub type Keys<I> = ItemParts<I, First>;

/// The values of an iterator over keys and values, in its order. Made by `values`, `values_mut` and `into_values`.
pub type Values<I> = ItemParts<I, Second>;
