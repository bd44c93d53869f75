//! A property of objects whose own code panics on demand.

use core::cmp::Ordering;
use core::fmt::Debug;
use core::hash::{Hash, Hasher};

use larder::soa::Fill;

use crate::caught::step;

/// A property whose every bit of code may panic.
#[derive(Debug)]
pub struct Nervous(pub u32);

impl Fill for Nervous {
    const FILL: Self = Self(0);
}

impl Clone for Nervous {
    fn clone(&self) -> Self {
        step();
        Self(self.0)
    }
}

impl Drop for Nervous {
    fn drop(&mut self) {
        step();
    }
}

impl Hash for Nervous {
    fn hash<H: Hasher>(&self, state: &mut H) {
        step();
        (self.0 % 2).hash(state); // collisions: so `Eq` is asked
    }
}

impl PartialEq for Nervous {
    fn eq(&self, other: &Self) -> bool {
        step();
        self.0 == other.0
    }
}

impl Eq for Nervous {}

impl PartialOrd for Nervous {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Nervous {
    fn cmp(&self, other: &Self) -> Ordering {
        step();
        self.0.cmp(&other.0)
    }
}

/// A property that stands for a number.
pub trait Property: Hash + Ord + Clone + Debug + 'static {
    fn of(number: u32) -> Self;
    fn number(&self) -> u32;
}

impl Property for u32 {
    fn of(number: u32) -> Self {
        number
    }

    fn number(&self) -> u32 {
        *self
    }
}

impl Property for Nervous {
    fn of(number: u32) -> Self {
        Self(number)
    }

    fn number(&self) -> u32 {
        self.0
    }
}
