//! The hashers with which tables by hash are measured.

use core::hash::BuildHasher;
pub(crate) use std::hash::RandomState;

/// foldhash: a faster hasher than the standard library's, which is larder's, too.
pub(crate) type Foldhash = hashbrown::DefaultHashBuilder;

/// A hasher under measurement.
pub(crate) trait Hasher: BuildHasher + Default + Clone {
    /// Whether it is [`Foldhash`], which the subject's name then says.
    const IS_FOLDHASH: bool;
}

impl Hasher for RandomState {
    const IS_FOLDHASH: bool = false;
}

impl Hasher for Foldhash {
    const IS_FOLDHASH: bool = true;
}
