//! The value types the containers are tried with: small, owning, zero-sized and over-aligned.

use core::cell::Cell;
use core::fmt::Debug;

/// A value that can be told from the others, and counted where it owns its count.
pub trait Value: Clone + Debug + PartialEq + 'static {
    /// True if all values of the type look the same.
    const FORGETFUL: bool = false;

    /// A value made from a number.
    fn make(id: u32) -> Self;

    /// The number it was made from; 0 for a forgetful type.
    fn id(&self) -> u32;

    /// Returns the number of values of the type that are alive on this thread, for the types that count.
    fn alive() -> Option<isize> {
        None
    }

    /// Returns whether this very value was made and not yet dropped, for the types that know.
    fn is_alive(&self) -> bool {
        true
    }

    /// Returns the answer of [`id`](Value::id) for a value made from `id`.
    fn seen(id: u32) -> u32 {
        if Self::FORGETFUL { 0 } else { id }
    }
}

/// A value that is borrowed: by one reference, or by one to each field.
pub trait Seen {
    /// Returns [`Value::id`] of the value.
    fn id(&self) -> u32;

    /// Returns [`Value::is_alive`] of the value.
    fn is_alive(&self) -> bool;
}

/// A value that is borrowed exclusively.
pub trait Held<V>: Seen {
    /// Puts another value in its place; drops the old one.
    fn set(&mut self, value: V);

    /// Swaps two values.
    fn swap(&mut self, other: &mut Self);
}

impl<V: Value> Seen for &V {
    fn id(&self) -> u32 {
        V::id(self)
    }

    fn is_alive(&self) -> bool {
        V::is_alive(self)
    }
}

impl<V: Value> Seen for &mut V {
    fn id(&self) -> u32 {
        V::id(self)
    }

    fn is_alive(&self) -> bool {
        V::is_alive(self)
    }
}

impl<V: Value> Held<V> for &mut V {
    fn set(&mut self, value: V) {
        **self = value;
    }

    fn swap(&mut self, other: &mut Self) {
        core::mem::swap(&mut **self, &mut **other);
    }
}

impl Value for u32 {
    fn make(id: u32) -> Self {
        id
    }

    fn id(&self) -> u32 {
        *self
    }
}

impl Value for String {
    fn make(id: u32) -> Self {
        format!("value {id}")
    }

    fn id(&self) -> u32 {
        self["value ".len()..].parse().expect("made from a number")
    }
}

thread_local! {
    static ALIVE: Cell<isize> = const { Cell::new(0) };
}

/// Owns one unit of this thread's count of living values.
#[derive(Debug, PartialEq)]
struct Counted;

impl Counted {
    fn new() -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Counted
    }
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        Counted::new()
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

/// A value without a size, whose drops are counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit(Counted);

impl Value for Unit {
    const FORGETFUL: bool = true;

    fn make(_: u32) -> Self {
        Unit(Counted::new())
    }

    fn id(&self) -> u32 {
        0
    }

    fn alive() -> Option<isize> {
        Some(ALIVE.get())
    }
}

/// A value that asks for more alignment than any allocator gives unasked, whose drops are counted.
#[derive(Clone, Debug, PartialEq)]
#[repr(align(64))]
pub struct Wide {
    id: u32,
    counted: Counted,
}

impl Value for Wide {
    fn make(id: u32) -> Self {
        let counted = Counted::new();
        Wide { id, counted }
    }

    fn id(&self) -> u32 {
        assert!(core::ptr::from_ref(self).is_aligned(), "a misaligned value");
        self.id
    }

    fn alive() -> Option<isize> {
        Some(ALIVE.get())
    }
}
