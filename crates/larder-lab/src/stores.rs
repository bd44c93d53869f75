//! The containers under measurement, each as a [`Store`] of [`Element`]s: larder's, one of them in
//! several kinds of memory, their rivals, and a plain `Vec`.

#[macro_use]
mod store;
mod element;
mod larders;
mod rivals;

pub(crate) use self::element::*;
pub(crate) use self::larders::*;
pub(crate) use self::rivals::*;
pub(crate) use self::store::{Element, Store};

#[cfg(test)]
mod tests;
