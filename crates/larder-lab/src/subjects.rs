//! The containers under measurement: larder's, one of them in several kinds of memory, their rivals,
//! and a plain `Vec`.
//!
//! Each rival is used by its fastest documented way: values alone where there is such an iterator,
//! a slice where there is one, its own bulk insert where it has one.

mod arena;
mod dense_arena;
mod dense_slot_map;
mod dense_soa_arena;
mod gen_map;
mod generational_arena;
mod hop_slot_map;
mod inline_arena;
mod memory;
mod packed;
mod paged_arena;
mod pool;
mod slab;
mod slot_map;
mod soa_arena;
mod stable_vec;
mod thunderdome;

pub(crate) use self::arena::Arena;
pub(crate) use self::dense_arena::DenseArena;
pub(crate) use self::dense_slot_map::DenseSlotMap;
pub(crate) use self::dense_soa_arena::DenseSoaArena;
pub(crate) use self::gen_map::GenMap;
pub(crate) use self::generational_arena::GenerationalArena;
pub(crate) use self::hop_slot_map::HopSlotMap;
pub(crate) use self::inline_arena::InlineArena;
pub(crate) use self::memory::{
    ArenaAhead, ArenaCapacity, ArenaFixed, ArenaHuge, ArenaOrdinary, ArenaReserved,
};
pub(crate) use self::packed::Packed;
pub(crate) use self::paged_arena::PagedArena;
pub(crate) use self::pool::Pool;
pub(crate) use self::slab::Slab;
pub(crate) use self::slot_map::SlotMap;
pub(crate) use self::soa_arena::SoaArena;
pub(crate) use self::stable_vec::StableVec;
pub(crate) use self::thunderdome::Thunderdome;

#[cfg(test)]
mod tests;
