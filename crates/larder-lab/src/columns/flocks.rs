//! The stores under measurement: larder's, their rivals, and two baselines.

mod aligned;
mod arenas;
#[cfg(feature = "ecs")]
mod bevy;
#[cfg(feature = "ecs")]
mod hecs;
mod lanes;
mod rivals;
mod rows;

pub(crate) use self::aligned::Aligned;
pub(crate) use self::arenas::{DenseSoaArena, SoaArena};
#[cfg(feature = "ecs")]
pub(crate) use self::bevy::Bevy;
#[cfg(feature = "ecs")]
pub(crate) use self::hecs::Hecs;
pub(crate) use self::lanes::{DenseLanes8, DenseLanes16, DenseLanesBlock, Lanes8};
pub(crate) use self::rivals::{KeyedSoaRs, SoaDerive, SoaRs};
pub(crate) use self::rows::{Arena, DenseArena, Rows};
