//! The functions that the page calls: the same work on an [`Arena`] and on a [`SlotMap`], and the picture of the arena.
//!
//! The functions take and return numbers, so they need no bindings. `side` is 0 for the arena, 1 for the map;
//! the page takes the time of each call. Both sides choose the same objects, so their walks have the same sum.

mod picture;
mod side;

use std::cell::RefCell;

use larder::Arena;
use picture::Picture;
use side::{Objects, Side};
use slotmap::SlotMap;

/// All that the page shows.
#[derive(Default)]
struct Yard {
    arena: Side<Arena<side::Body>>,
    map: Side<SlotMap<slotmap::DefaultKey, side::Body>>,
    picture: Picture,
}

thread_local! {
    static YARD: RefCell<Yard> = RefCell::default();
}

/// Does it on one of the two sides.
fn on<R>(side: u32, work: impl FnOnce(&mut dyn Objects) -> R) -> R {
    YARD.with_borrow_mut(|yard| match side {
        0 => work(&mut yard.arena),
        _ => work(&mut yard.map),
    })
}

/// Inserts objects until there are `count`; returns how many were inserted.
#[unsafe(no_mangle)]
pub extern "C" fn fill(side: u32, count: u32) -> u32 {
    on(side, |objects| objects.fill(count))
}

/// Removes so many percent of the objects, chosen at random; returns how many were removed.
#[unsafe(no_mangle)]
pub extern "C" fn punch(side: u32, percent: u32) -> u32 {
    on(side, |objects| objects.punch(percent))
}

/// Removes an object and inserts another, `count` times; returns how many times.
#[unsafe(no_mangle)]
pub extern "C" fn churn(side: u32, count: u32) -> u32 {
    on(side, |objects| objects.churn(count))
}

/// Moves every object one step, `times` times; returns the sum of where they are, the same on both sides.
#[unsafe(no_mangle)]
pub extern "C" fn walk(side: u32, times: u32) -> u32 {
    on(side, |objects| (0..times).fold(0, |_, _| objects.step()))
}

/// Removes everything; returns how many objects were removed.
#[unsafe(no_mangle)]
pub extern "C" fn clear(side: u32) -> u32 {
    on(side, |objects| objects.clear())
}

/// Moves the arena's last objects into its holes; returns how many moved. A `SlotMap` has no such method.
#[unsafe(no_mangle)]
pub extern "C" fn compact() -> u32 {
    YARD.with_borrow_mut(|yard| yard.arena.compact())
}

/// Returns the number of objects, holes, or slots of the arena, or the bytes of its memory, by number from 0 to 3.
#[unsafe(no_mangle)]
pub extern "C" fn stat(which: u32) -> u32 {
    YARD.with_borrow(|yard| {
        let stats = yard.arena.stats();
        let all = [stats.live, stats.holes, stats.slots, stats.memory.committed];
        all.get(which as usize).map_or(0, |number| *number as u32)
    })
}

/// Paints the arena: one pixel a slot, 64 slots a word, eight words a row. Returns the address of the first pixel,
/// four bytes each (red, green, blue, opacity), valid until the next call of any function.
#[unsafe(no_mangle)]
pub extern "C" fn paint() -> *const u32 {
    YARD.with_borrow_mut(|yard| {
        let Yard { arena, picture, .. } = yard;
        picture.paint(&arena.objects);
        picture.slots().as_ptr()
    })
}

/// The picture of the words, painted with the slots: one pixel a word, eight a row, brighter the more slots
/// are live.
#[unsafe(no_mangle)]
pub extern "C" fn words() -> *const u32 {
    YARD.with_borrow(|yard| yard.picture.words().as_ptr())
}

/// Returns the number of rows in both pictures.
#[unsafe(no_mangle)]
pub extern "C" fn rows() -> u32 {
    YARD.with_borrow(|yard| yard.picture.rows() as u32)
}

/// The generation of a slot's object, or of the last that it had, times two, and one more if it is live. 0 if the
/// slot was never used.
#[unsafe(no_mangle)]
pub extern "C" fn slot(number: u32) -> u32 {
    YARD.with_borrow(|yard| yard.picture.state(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_do_the_same() {
        for work in [|side| fill(side, 10_000), |side| punch(side, 50), |side| churn(side, 3_000)] {
            assert_eq!(work(0), work(1));
            assert_eq!(walk(0, 3), walk(1, 3));
        }
        assert!(compact() > 0);
        assert_eq!(walk(0, 1), walk(1, 1));
        assert_eq!((stat(0), stat(1), stat(2)), (5_000, 0, 5_000));
        assert_eq!(churn(0, 100), churn(1, 100));
        assert_eq!(walk(0, 1), walk(1, 1));
        assert_eq!((clear(0), clear(1)), (5_000, 5_000));
    }

    #[test]
    fn the_picture_tells_slots_generations_and_words() {
        fill(0, 1_000);
        let _ = paint();
        assert_eq!((rows(), slot(0) & 1, slot(1_000)), (2, 1, 0));
        let first = slot(0);
        clear(0);
        let _ = paint();
        assert_eq!(slot(0), first - 1);
        fill(0, 1_000);
        let _ = paint();
        assert!((0..1_000).all(|number| slot(number) > first));
    }
}
