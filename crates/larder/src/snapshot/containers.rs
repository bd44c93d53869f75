//! Containers as sections.

use std::io;

use super::format::{Sink, Source};
use super::{Load, Map, Plain, Save, SnapshotErrorKind, sealed};
use crate::containers::{Arena, DenseArena, DenseSoaArena, PagedArena, Pool, SoaArena};
use crate::key::Key;
use crate::raw::snapshot::{AnyShape, PlainShape};
use crate::soa::{Fill, Soa};

/// Implements the traits for a container by functions of its field `rows`.
macro_rules! sections {
    ($($kind:literal $container:ident [$($bounds:tt)*] $read:path;)*) => {$(
        impl<T: $($bounds)*, K: Key> sealed::Sealed for $container<T, K> {}

        impl<T: $($bounds)*, K: Key> Save for $container<T, K> {
            fn kind(&self) -> &'static str {
                $kind
            }

            fn write(&self, to: &mut Sink<'_>) -> io::Result<()> {
                self.rows.write(to)
            }
        }

        impl<T: $($bounds)*, K: Key> Load for $container<T, K> {
            const KIND: &'static str = $kind;

            fn read(from: &mut Source<'_>) -> Result<Self, SnapshotErrorKind> {
                Ok(Self { rows: $read(from)? })
            }
        }
    )*};
}

sections! {
    "rows" Arena[Plain] crate::raw::rows::Rows::read_block;
    "rows" PagedArena[Plain] crate::raw::rows::Rows::read_paged;
    "columns" SoaArena[Soa<Shape: PlainShape> + Fill] crate::raw::pool::Stock::read_split;
    "dense rows" DenseArena[Plain] crate::raw::packed::Packed::read;
    "dense columns" DenseSoaArena[Soa<Shape: PlainShape>] crate::raw::packed::Packed::read;
}

impl<T: Plain, K: Key> sealed::Sealed for Pool<T, K> {}

impl<T: Plain, K: Key> Save for Pool<T, K> {
    fn kind(&self) -> &'static str {
        "pool"
    }

    fn write(&self, to: &mut Sink<'_>) -> io::Result<()> {
        self.rows.write(to)
    }
}

/// What its function makes is `T::default()`, as in a pool that was made by `default`.
impl<T: Plain + Default, K: Key> Load for Pool<T, K> {
    const KIND: &'static str = "pool";

    fn read(from: &mut Source<'_>) -> Result<Self, SnapshotErrorKind> {
        let mut pool = Self::default();
        pool.rows = crate::raw::pool::Stock::read_split(from)?;
        Ok(pool)
    }
}

impl<T: Plain + Default + bytemuck::AnyBitPattern, K: Key> Map for Pool<T, K> {}
impl<T: Plain + bytemuck::AnyBitPattern, K: Key> Map for Arena<T, K> {}
impl<T: Soa<Shape: AnyShape> + Fill, K: Key> Map for SoaArena<T, K> {}
impl<T: Plain + bytemuck::AnyBitPattern, K: Key> Map for DenseArena<T, K> {}
impl<T: Soa<Shape: AnyShape>, K: Key> Map for DenseSoaArena<T, K> {}
