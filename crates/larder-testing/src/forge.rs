//! Keys that were never handed out: made of any number, in every way that makes keys; and keys of a slot and a life.

use core::fmt::Debug;
use std::collections::BTreeSet;

use crate::common::is_thorough;
use larder::{
    Arena, Handle, Handle32, Key,
    key::{BareHandle, Serial},
};
use serde::{Serialize, de::DeserializeOwned};

/// A key that can be made of a number.
pub trait Forged: Key + Debug + Serialize + DeserializeOwned + 'static {
    /// The number of bits.
    const BITS: u32;

    /// The number of its lowest bits that give the slot.
    const SLOT_BITS: u32;

    /// The generation of a free slot that has one life left, if a test can tell it.
    const LAST_FREE: Option<u32> = None;

    fn bits(self) -> u128;

    fn of_bits(bits: u128) -> Option<Self>;

    /// The number as JSON and as Postcard would have it if it were a key's.
    fn saved(bits: u128) -> (String, Vec<u8>);

    /// The key whose bytes are those of the number; by `bytemuck`, where the type has its traits.
    fn of_bytes(_bits: u128) -> Option<Option<Self>> {
        None
    }

    fn slot_mask() -> u128 {
        (1 << Self::SLOT_BITS) - 1
    }
}

fn postcard<T: Serialize>(number: T) -> Vec<u8> {
    postcard::to_allocvec(&number).expect("it is a number")
}

fn json_of_parts(bits: u128, slot_bits: u32) -> String {
    let (idx, version) = (bits & ((1 << slot_bits) - 1), bits >> slot_bits);
    format!(r#"{{"idx":{idx},"version":{version}}}"#)
}

/// The key of these bytes.
fn checked<K: bytemuck::CheckedBitPattern>(bytes: &[u8]) -> Option<K> {
    bytemuck::checked::try_pod_read_unaligned(bytes).ok()
}

impl<M: 'static> Forged for Handle<M> {
    const BITS: u32 = 64;
    const SLOT_BITS: u32 = 32;
    const LAST_FREE: Option<u32> = Some(u32::MAX - 3);

    fn bits(self) -> u128 {
        self.to_bits().into()
    }

    fn of_bits(bits: u128) -> Option<Self> {
        Self::from_bits(bits as u64)
    }

    fn saved(bits: u128) -> (String, Vec<u8>) {
        (json_of_parts(bits, 32), postcard(bits as u64))
    }

    fn of_bytes(bits: u128) -> Option<Option<Self>> {
        Some(checked(&(bits as u64).to_ne_bytes()))
    }
}

impl<M: 'static, const INDEX_BITS: u32> Forged for Handle32<M, INDEX_BITS>
where
    Self: Key,
{
    const BITS: u32 = 32;
    const SLOT_BITS: u32 = INDEX_BITS;

    fn bits(self) -> u128 {
        self.to_bits().into()
    }

    fn of_bits(bits: u128) -> Option<Self> {
        Self::from_bits(bits as u32)
    }

    fn saved(bits: u128) -> (String, Vec<u8>) {
        (json_of_parts(bits, INDEX_BITS), postcard(bits as u32))
    }

    fn of_bytes(bits: u128) -> Option<Option<Self>> {
        Some(checked(&(bits as u32).to_ne_bytes()))
    }
}

impl<M: 'static> Forged for Serial<M> {
    const BITS: u32 = 96;
    const SLOT_BITS: u32 = 32;

    fn bits(self) -> u128 {
        self.to_bits()
    }

    fn of_bits(bits: u128) -> Option<Self> {
        Self::from_bits(bits)
    }

    fn saved(bits: u128) -> (String, Vec<u8>) {
        (json_of_parts(bits, 32), postcard((bits as u32, (bits >> 32) as u64)))
    }
}

impl<M: 'static> Forged for BareHandle<M> {
    const BITS: u32 = 32;
    const SLOT_BITS: u32 = 32;

    fn bits(self) -> u128 {
        self.to_bits().into()
    }

    fn of_bits(bits: u128) -> Option<Self> {
        Self::from_bits(bits as u32)
    }

    fn saved(bits: u128) -> (String, Vec<u8>) {
        (bits.to_string(), postcard(bits as u32))
    }

    /// The bytes are those of the number after the slot's.
    fn of_bytes(bits: u128) -> Option<Option<Self>> {
        Some(checked(&(bits as u32).wrapping_add(1).to_ne_bytes()))
    }
}

/// Numbers that one might try who knows a key's: each bit of it turned, each two bits if `pairs`, and its
/// slot with generations at all the borders.
pub fn numbers<K: Forged>(key: K, pairs: bool) -> Vec<u128> {
    let (bits, all) = (key.bits(), !0 >> (u128::BITS - K::BITS));
    let mut numbers = vec![bits, 0, all, bits | all << K::SLOT_BITS & all, bits | K::slot_mask()];
    numbers.extend((0..K::BITS).map(|bit| bits ^ 1 << bit));
    if pairs {
        let both = |high| (0..high).map(move |low| bits ^ 1 << high ^ 1 << low);
        numbers.extend((0..K::BITS).flat_map(both));
    }
    let generations = K::BITS - K::SLOT_BITS;
    let borders = [0, 1 << generations >> 1, 1 << generations];
    let near = borders.into_iter().flat_map(|border: u128| (0..12).map(move |by| (border, by)));
    let generation = near.map(|(border, by)| (border + by).wrapping_sub(6));
    numbers.extend(
        generation
            .filter(|generation| generation >> generations == 0)
            .map(|generation| generation << K::SLOT_BITS | bits & K::slot_mask()),
    );
    numbers
}

/// The keys among these numbers.
pub fn forgeries<K: Forged>(key: K, pairs: bool) -> impl Iterator<Item = K> {
    numbers(key, pairs).into_iter().filter_map(K::of_bits)
}

/// A key that can be made of a slot, and of the number of the life that it is for.
pub trait MadeKey: Key + Debug + 'static {
    /// The least number of lives.
    const LIVES: u32 = 1 << 20;

    fn made(slot: u32, life: u32) -> Self;

    /// Returns the life of its slot.
    fn life(self) -> u32;
}

impl<M: 'static> MadeKey for Handle<M> {
    fn made(slot: u32, life: u32) -> Self {
        Self::from_bits(u64::from(2 * life + 1) << 32 | u64::from(slot)).expect("it is odd")
    }

    fn life(self) -> u32 {
        self.generation().get() / 2
    }
}

impl<M: 'static, const INDEX_BITS: u32> MadeKey for Handle32<M, INDEX_BITS>
where
    Self: Key,
{
    const LIVES: u32 = 1 << (31 - INDEX_BITS);

    fn made(slot: u32, life: u32) -> Self {
        Self::from_bits((2 * life + 1) << INDEX_BITS | slot).expect("it is odd")
    }

    fn life(self) -> u32 {
        self.generation() / 2
    }
}

impl<M: 'static> MadeKey for Serial<M> {
    fn made(slot: u32, life: u32) -> Self {
        Self::from_bits(u128::from(life + 1) << 32 | u128::from(slot)).expect("it is not 0")
    }

    fn life(self) -> u32 {
        self.version().get() as u32 - 1
    }
}

impl<M: 'static> MadeKey for BareHandle<M> {
    fn made(slot: u32, _: u32) -> Self {
        Self::from_index(slot).expect("it is a slot")
    }

    fn life(self) -> u32 {
        0
    }
}

/// A container whose keys are forged.
pub type Things<K> = Arena<u32, K>;

/// An arena with slots that are live, free, used again and detached; the keys that are live, and all that
/// ever were.
pub fn scene<K: Forged>() -> (Things<K>, Vec<K>, BTreeSet<K>) {
    let mut things = Things::<K>::with_key();
    let mut live: Vec<K> = (0..8).map(|number| things.insert(number)).collect();
    let mut issued = BTreeSet::from_iter(live.clone());
    for slot in [1, 2] {
        things.remove(live[slot]);
        live[slot] = things.insert(10);
        issued.insert(live[slot]);
    }
    things.detach(live.remove(6));
    things.remove(live.remove(3));
    (things, live, issued)
}

/// The keys that are forged of those: pairs of bits only where they are few, and if tests are to be thorough.
pub fn forged<K: Forged>(issued: &BTreeSet<K>) -> BTreeSet<K> {
    let pairs = K::BITS == 32 && is_thorough() && !cfg!(miri);
    issued.iter().flat_map(|&key| forgeries(key, pairs)).collect()
}

/// Calls a generic function for keys of each size. (Serials and few lives are what can go wrong.)
#[macro_export]
macro_rules! for_all_keys {
    ($function:ident) => {{
        if !cfg!(miri) {
            $function::<larder::Handle<u32>>();
            $function::<larder::key::BareHandle<u32>>();
        }
        $function::<larder::Handle32<u32, 30>>();
        $function::<larder::key::Serial<u32>>();
    }};
}
pub use crate::for_all_keys;
