//! A value whose own code panics on demand, and which knows when it is dropped twice.

use crate::caught::step;
use crate::values::Value;
use core::cell::{Cell, RefCell};
use larder::soa::Fill;

/// The part of its code that takes steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Nerve {
    /// Nothing: closures and iterators take the steps.
    None,
    /// `Drop`.
    Drop,
    /// `Clone`.
    Clone,
}

thread_local! {
    static NERVE: Cell<Nerve> = const { Cell::new(Nerve::None) };
    /// An entry for each value that was made, `true` while the value is alive.
    static ALIVE: RefCell<Vec<bool>> = const { RefCell::new(Vec::new()) };
    static DROPPED_TWICE: Cell<bool> = const { Cell::new(false) };
}

/// A value with an identity of its own: a clone is another.
#[derive(Debug)]
pub struct Touchy {
    id: u32,
    identity: usize,
}

impl Touchy {
    fn new(id: u32) -> Self {
        ALIVE.with_borrow_mut(|alive| {
            alive.push(true);
            Touchy { id, identity: alive.len() - 1 }
        })
    }

    /// Returns whether it is the value of holes.
    fn is_fill(&self) -> bool {
        self.identity == usize::MAX
    }
}

/// Chooses the code that takes steps.
pub fn set_nerve(nerve: Nerve) {
    NERVE.set(nerve);
}

/// Returns the number of values that are alive; fails if one was dropped twice.
pub fn count_alive() -> usize {
    assert!(!DROPPED_TWICE.replace(false), "a value was dropped twice");
    ALIVE.with_borrow(|alive| alive.iter().filter(|&&is_alive| is_alive).count())
}

/// Begins anew; forgets values that a panicking `Drop` was allowed to leak.
pub fn forget_all() {
    ALIVE.with_borrow_mut(Vec::clear);
}

impl Value for Touchy {
    fn make(id: u32) -> Self {
        Touchy::new(id)
    }

    fn id(&self) -> u32 {
        self.id
    }

    fn is_alive(&self) -> bool {
        self.is_fill() || ALIVE.with_borrow(|alive| alive[self.identity])
    }
}

/// The value in a hole is not counted, since nobody owns it, but its `Drop` takes steps like any other.
impl Fill for Touchy {
    const FILL: Self = Touchy { id: 0, identity: usize::MAX };
}

impl PartialEq for Touchy {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.is_fill() == other.is_fill()
    }
}

impl Clone for Touchy {
    fn clone(&self) -> Self {
        if NERVE.get() == Nerve::Clone {
            step();
        }
        if self.is_fill() { Touchy::FILL } else { Touchy::new(self.id) }
    }
}

impl Drop for Touchy {
    fn drop(&mut self) {
        let was_alive = self.is_fill()
            || ALIVE.with_borrow_mut(|alive| core::mem::take(&mut alive[self.identity]));
        if !was_alive {
            DROPPED_TWICE.set(true);
        }
        if NERVE.get() == Nerve::Drop {
            step();
        }
    }
}
