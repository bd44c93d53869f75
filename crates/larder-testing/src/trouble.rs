//! Drivers that make a call fail at every point: they refuse each request for memory in turn, or have each step of user
//! code panic.
//!
//! The loops are compiled once for each structure, not for each call. A failure is at the line of the call.

use core::fmt::Debug;
use core::panic::Location;

use crate::allocator::{live_bytes, refusing_after};
use crate::caught::{Caught, attempt, each_step, panicking_after};
use crate::touchy::{Nerve, count_alive, forget_all, set_nerve};

/// A structure whose requests for memory are refused: how it is made, and a view of all that it shows, which fails if it
/// is not whole.
pub struct Refusals<'a, S, V> {
    pub make: &'a dyn Fn() -> S,
    pub view: &'a dyn Fn(&S) -> V,
}

impl<S, V: PartialEq + Debug> Refusals<'_, S, V> {
    /// Has each request of a call refused, alone and with all that follow. The call says whether it was done: where it
    /// was not, nothing has changed, and it can be done after. No memory is lost. Returns the number of requests.
    #[track_caller]
    pub fn of(&self, call: &dyn Fn(&mut S) -> bool) -> usize {
        self.each(true, call).min(self.each(false, call))
    }

    /// Like [`of`](Self::of), for a call that panics when allocation fails, and says so. (Later requests are granted,
    /// since the panic takes memory, too.)
    #[track_caller]
    pub fn of_panics(&self, call: &dyn Fn(&mut S)) -> usize {
        self.each(false, &|structure| attempt(|| call(structure)).map_err(is_refusal).is_ok())
    }

    /// Like [`of_panics`](Self::of_panics), and the panics blame the line of the call, not one of the library.
    #[track_caller]
    pub fn of_panics_here(&self, call: &dyn Fn(&mut S)) -> usize {
        let here = Location::caller().file();
        let is_here = |caught: Caught| {
            assert_eq!(caught.file, here, "{}", caught.message);
            is_refusal(caught);
        };
        self.each(false, &|structure| attempt(|| call(structure)).map_err(is_here).is_ok())
    }

    #[track_caller]
    fn each(&self, for_good: bool, call: &dyn Fn(&mut S) -> bool) -> usize {
        warm();
        for grants in 0.. {
            let before = live_bytes();
            let mut structure = (self.make)();
            let seen = (self.view)(&structure);
            let (refused, done) = refusing_after(grants, for_good, || call(&mut structure));
            assert!(refused || done, "it failed although no memory was refused");
            let now = (self.view)(&structure);
            if !done {
                assert_eq!(now, seen, "refused after {grants} grants, but changed");
                assert!(
                    call(&mut structure),
                    "refused after {grants} grants, it cannot be done any more"
                );
                (self.view)(&structure);
            }
            drop((structure, seen, now));
            assert_eq!(live_bytes(), before, "memory leaked after {grants} grants");
            if !refused {
                return grants;
            }
        }
        unreachable!("a call comes to an end")
    }
}

/// The first panic of a thread allocates.
fn warm() {
    drop(attempt(|| panic!("the first")));
}

#[expect(clippy::needless_pass_by_value, reason = "an error is mapped to nothing")]
fn is_refusal(caught: Caught) {
    assert!(caught.message.contains("refused"), "{caught:?}");
}

/// A structure of values that panic: how it is made, and the number of values that it holds, if it is whole and still
/// does its work.
pub struct Panics<'a, S> {
    pub make: &'a dyn Fn() -> S,
    pub held: &'a dyn Fn(&mut S) -> usize,
    /// True if values may leak where a `Drop` panics, as they do from a `Vec`.
    pub leaks: bool,
}

impl<S> Panics<'_, S> {
    /// Runs `act` again and again, panicking one step later each time, until it gets through. Nothing is dropped twice,
    /// and what is alive is in the structure. Returns the number of steps.
    #[track_caller]
    pub fn of(&self, nerve: Nerve, act: &dyn Fn(&mut S)) -> u32 {
        for steps in each_step() {
            assert_eq!(count_alive(), 0);
            let mut structure = (self.make)();
            set_nerve(nerve);
            let panicked = panicking_after(steps, || act(&mut structure));
            set_nerve(Nerve::None);
            let may_leak = self.leaks && panicked && nerve == Nerve::Drop;
            let alive = count_alive();
            let held = (self.held)(&mut structure);
            assert!(alive >= held && (may_leak || alive == held), "{alive} of {held} at {steps}");
            drop(structure);
            assert!(may_leak || count_alive() == 0, "values were lost at step {steps}");
            forget_all();
            if !panicked {
                return steps;
            }
        }
        unreachable!("a call comes to an end")
    }
}
