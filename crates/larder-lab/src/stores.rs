//! The containers under measurement, each as a [`Store`] of [`Element`]s: larder's, one of them in
//! several kinds of memory, their rivals, and a plain `Vec`.

mod element;
mod larders;
mod rivals;
mod store;

pub(crate) use self::element::{
    Buffered, Bytes8, Bytes16, Bytes32, Bytes64, Bytes128, Bytes256, Bytes512, Bytes1024,
};
pub(crate) use self::larders::{
    Arena, ArenaAhead, ArenaCapacity, ArenaFixed, ArenaHuge, ArenaOrdinary, ArenaReserved,
    DenseArena, DenseSoaArena, InlineArena, PagedArena, Pool, SoaArena,
};
pub(crate) use self::rivals::{
    DenseSlotMap, GenMap, GenerationalArena, HopSlotMap, Packed, Slab, SlotMap, StableVec,
    Thunderdome,
};
pub(crate) use self::store::{Element, Store};

#[cfg(test)]
mod tests;
