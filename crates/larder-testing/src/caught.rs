//! Panics that a test expects: caught without noise, with their words and the line they blame.

use core::any::Any;
use core::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::Once;

use crate::common::is_thorough;

/// The message of a panic, and its place.
#[derive(Debug)]
pub struct Caught {
    pub message: String,
    pub file: String,
    pub line: u32,
}

thread_local! {
    static EXPECTING: Cell<bool> = const { Cell::new(false) };
    static LAST: RefCell<Option<Caught>> = const { RefCell::new(None) };
}

/// Teaches the process's panic hook to keep expected panics to itself.
pub fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |info| {
            if !EXPECTING.get() {
                return usual(info);
            }
            let location = info.location().expect("a panic has a location");
            let caught = Caught {
                message: text(info.payload()).unwrap_or_default(),
                file: location.file().to_owned(),
                line: location.line(),
            };
            LAST.with_borrow_mut(|last| *last = Some(caught));
        }));
    });
}

fn text(payload: &dyn Any) -> Option<String> {
    let literal = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    literal.or_else(|| payload.downcast_ref::<String>().cloned())
}

/// Runs `act`, which should panic, and says how it did.
pub fn panic_of<R>(act: impl FnOnce() -> R) -> Caught {
    match attempt(act) {
        Ok(_) => panic!("expected a panic"),
        Err(caught) => caught,
    }
}

/// Runs `act`, which may panic.
pub fn attempt<R>(act: impl FnOnce() -> R) -> Result<R, Caught> {
    let mut result = None;
    let ended = caught(&mut once(act, |it| result = Some(it)));
    ended.map(|()| result.expect("it came to its end"))
}

/// Compiled once, where [`attempt`] is for each test.
fn caught(act: &mut dyn FnMut()) -> Result<(), Caught> {
    listen();
    let before = EXPECTING.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(act));
    EXPECTING.set(before);
    outcome.map_err(|payload| match LAST.take() {
        Some(caught) => caught,
        None => resume_unwind(payload),
    })
}

/// Makes a function that can be called once and hands on what it returns one that can be `dyn`.
fn once<R>(act: impl FnOnce() -> R, mut done: impl FnMut(R)) -> impl FnMut() {
    let mut act = Some(act);
    move || done(act.take().expect("it is called once")())
}

// Panics of user code, at a chosen point.

/// The payload with which [`step`] panics: it is no message, and reaches no hook.
struct Fuse;

thread_local! {
    static STEPS_LEFT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// A step of user code, at which it may panic.
pub fn step() {
    match STEPS_LEFT.get() {
        Some(0) => {
            STEPS_LEFT.set(None);
            resume_unwind(Box::new(Fuse));
        }
        Some(left) => STEPS_LEFT.set(Some(left - 1)),
        None => {}
    }
}

/// Runs `act`, in which the step after `steps` others panics; tells whether it came to that.
pub fn panicking_after(steps: u32, act: impl FnOnce()) -> bool {
    burnt_after(steps, &mut once(act, |()| ()))
}

/// The numbers of steps after which user code panics in turn. Thorough tests try each, others each of the first 32 and
/// ever fewer of the later ones.
pub fn each_step() -> impl Iterator<Item = u32> {
    let thorough = is_thorough();
    core::iter::successors(Some(0), move |&at| Some(at + 1 + if thorough { 0 } else { at / 32 }))
}

/// Compiled once, where [`panicking_after`] is for each test.
fn burnt_after(steps: u32, act: &mut dyn FnMut()) -> bool {
    STEPS_LEFT.set(Some(steps));
    let outcome = catch_unwind(AssertUnwindSafe(act));
    let burnt = STEPS_LEFT.replace(None).is_none();
    if let Err(payload) = outcome {
        if !payload.is::<Fuse>() {
            resume_unwind(payload);
        }
        assert!(burnt);
    }
    burnt
}
