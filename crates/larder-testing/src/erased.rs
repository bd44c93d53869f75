//! Containers under test without their types: keys are [`Name`]s, values are numbers. The model, the trial and the
//! histories meet them as `dyn`, and are compiled once for all.

mod each;

use core::any::Any;
use core::ops::Range;

use larder::Key;
use larder::containers::{GetDisjointMutError, Stats};

use crate::ordered::Ordered;
use crate::pool_trial::Slots;
use crate::subject::{Config, Subject, TestKey, Walk};
use crate::trial_rows::Rows;
use crate::values::Value;

/// A key without its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    slot: u32,
    /// True if the slot is retired when this key's object goes.
    pub is_last: bool,
    bits: u128,
}

impl Name {
    pub fn of<K: TestKey>(key: K) -> Self {
        Self { slot: key.slot(), is_last: key.is_last(), bits: key.to_bits().into() }
    }

    pub const fn slot(self) -> u32 {
        self.slot
    }

    /// Returns the key again.
    pub fn key<K: TestKey>(self) -> K {
        let bits = K::Bits::try_from(self.bits).ok();
        bits.and_then(K::from_bits).expect("it was such a key")
    }
}

/// The facts about a type of containers that the model needs.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    pub build: fn(Config) -> Box<dyn Erased>,
    /// Returns the number of values that are alive, where the type counts them.
    pub alive: fn() -> Option<isize>,
    /// True if values are packed, so that removal moves the last one into the gap.
    pub is_dense: bool,
    /// The number of slots, if the type determines it.
    pub slots: Option<usize>,
    /// True if values lie in blocks.
    pub is_paged: bool,
    /// True if values cannot be told apart.
    pub is_forgetful: bool,
    /// True if a key of a freed slot can be told from the key of its next tenant.
    pub remembers: bool,
    /// True if a test can use up a slot.
    pub wears_out: bool,
    /// The key that is never of anything.
    pub dangling: Name,
}

impl Type {
    pub fn of<S: Subject>() -> Self {
        Self {
            build: |config| Box::new(S::build(config)),
            alive: S::Value::alive,
            is_dense: S::DENSE,
            slots: S::SLOTS,
            is_paged: S::PAGED,
            is_forgetful: S::Value::FORGETFUL,
            remembers: S::Key::REMEMBERS,
            wears_out: S::Key::LIVES < u64::MAX,
            dangling: Name::of(<S::Key as Key>::DANGLING),
        }
    }

    /// Returns the number that the value of a number shows.
    pub const fn seen(&self, id: u32) -> u32 {
        if self.is_forgetful { 0 } else { id }
    }
}

/// A walk over what is there.
pub type Walked<'a, T> = Box<dyn Walk<Item = T> + 'a>;

/// A [`Subject`] without its type. Values are given and shown as numbers.
pub trait Erased: Any {
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    fn copied(&self) -> Box<dyn Erased>;
    fn copy_over(&mut self, from: &dyn Erased);
    fn is_equal(&self, to: &dyn Erased) -> bool;
    fn validate(&self);

    fn len(&self) -> usize;
    fn is_empty(&self) -> bool;
    fn capacity(&self) -> usize;
    fn remaining(&self) -> usize;
    fn held(&self) -> usize;
    fn stats(&self) -> Stats;
    fn reserve(&mut self, additional: usize);
    fn shrink_to_fit(&mut self);
    fn shrink_to(&mut self, capacity: usize);

    fn insert(&mut self, id: u32) -> Name;
    fn try_insert(&mut self, id: u32) -> Result<Name, u32>;
    /// Returns also the key that the closure was told.
    fn insert_with_key(&mut self, id: u32) -> (Option<Name>, Name);
    fn try_insert_with_key(&mut self, id: u32, fails: bool) -> (Option<Name>, Result<Name, u32>);
    fn vacant_key(&mut self) -> Name;
    fn vacant_insert(&mut self, id: u32) -> Name;
    fn insert_many(&mut self, ids: Range<u32>) -> Vec<Name>;
    fn extend(&mut self, ids: Range<u32>);

    fn get(&self, key: Name) -> Option<u32>;
    /// Writes another value; returns the number of the one that was there.
    fn set(&mut self, key: Name, id: u32) -> Option<u32>;
    fn contains_key(&self, key: Name) -> bool;
    /// Exchanges the first two values, then the last two; returns what they were.
    fn exchange(&mut self, keys: [Name; 3]) -> Result<[u32; 3], GetDisjointMutError>;
    fn next_key(&self, key: Name) -> Option<Name>;

    fn remove(&mut self, key: Name) -> Option<u32>;
    fn retain(&mut self, keep: &mut dyn FnMut(Name, u32) -> bool);
    fn drain(&mut self) -> Walked<'_, (Name, u32)>;
    fn extract_if(
        &mut self,
        take: &mut dyn FnMut(Name, u32) -> bool,
        most: usize,
    ) -> Vec<(Name, u32)>;
    fn clear(&mut self);
    fn detach(&mut self, key: Name) -> Option<u32>;
    fn reattach(&mut self, key: Name, id: u32) -> Result<(), u32>;
    fn release(&mut self, key: Name) -> bool;

    fn iter(&self) -> Walked<'_, (Name, u32)>;
    fn keys(&self) -> Walked<'_, Name>;
    fn values(&self) -> Walked<'_, u32>;
    fn into_iter(self: Box<Self>) -> Walked<'static, (Name, u32)>;

    fn check_columns(&self, values: &[(Name, u32)], slots: usize);
    fn compact(&mut self, moved: &mut dyn FnMut(Name, Name)) -> bool;
    fn as_rows(&mut self) -> Option<&mut dyn Rows>;
    fn as_dense(&mut self) -> Option<&mut dyn Ordered>;
    fn as_pool(&mut self) -> Option<&mut dyn Slots>;
}
