//! A thread that touches committed pages before their owner does: a first touch takes a microsecond
//! or more, and is the longest that an insertion into reserved memory has to wait for.
//!
//! **Invariant.** The helper touches no page of a part once [`leave_alone`] of it has returned (unless
//! a call of 150 µs took it a second): so what is unmapped is not touched as somebody else's. Even if
//! it were, no byte would change.
//!
//! There is one thread for the whole program, begun when it is first needed. Where it cannot be
//! begun, or the kernel is older than 5.14, pages come when they are touched, as without it.

use alloc::collections::VecDeque;
use core::ffi::c_void;
use core::ops::Range;
use core::ptr::{self, NonNull};
use core::time::Duration;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use rustix::mm::{Advice, madvise};

/// How much is touched at a time: about 150 µs, which is what a call that changes the mapping may
/// have to wait.
const CHUNK: usize = 512 << 10;

/// Longer than any chunk takes. (A forked process has no helper, though it looks as if.)
const PATIENCE: Duration = Duration::from_secs(1);

/// Addresses.
type Part = Range<usize>;

struct Work {
    queue: VecDeque<Part>,
    /// What is touched at this moment.
    under_way: Part,
    helper: Helper,
}

#[derive(PartialEq)]
enum Helper {
    NotBegun,
    Works,
    /// The system can do without it, or it could not be begun.
    IsOfNoUse,
}

static WORK: Mutex<Work> =
    Mutex::new(Work { queue: VecDeque::new(), under_way: 0..0, helper: Helper::NotBegun });
static WANTED: Condvar = Condvar::new();
static DONE: Condvar = Condvar::new();

/// Nothing panics while it holds the lock, so it is never left in the middle of a change.
fn work() -> MutexGuard<'static, Work> {
    WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asks for the pages of a committed part. Does not wait for them.
pub(crate) fn touch_ahead(first: NonNull<u8>, bytes: usize) {
    let mut work = work();
    if work.helper == Helper::NotBegun {
        let begun = thread::Builder::new().name("larder-ahead".into()).spawn(help);
        work.helper = if begun.is_ok() { Helper::Works } else { Helper::IsOfNoUse };
    }
    // Where there is no memory to note it, pages come when they are touched.
    if work.helper == Helper::Works && work.queue.try_reserve(1).is_ok() {
        let start = first.addr().get();
        work.queue.push_back(start..start + bytes);
        WANTED.notify_one();
    }
}

/// Takes back what was asked for of a part; returns when no page of it is being touched.
pub(crate) fn leave_alone(first: NonNull<u8>, bytes: usize) {
    let start = first.addr().get();
    let part = start..start + bytes;
    let mut work = work();
    for asked in &mut work.queue {
        // (A part is asked for once and from below upwards: what lies outside lies before.)
        if overlap(asked, &part) {
            *asked = asked.start..asked.start.max(part.start).min(asked.end);
        }
    }
    let in_use = |work: &mut Work| overlap(&work.under_way, &part);
    drop(DONE.wait_timeout_while(work, PATIENCE, in_use));
}

const fn overlap(a: &Part, b: &Part) -> bool {
    a.start < b.end && b.start < a.end
}

/// What the thread does.
fn help() {
    let mut state = work();
    loop {
        let Some(asked) = state.queue.front_mut() else {
            state = WANTED.wait(state).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        let chunk = asked.start..asked.end.min(asked.start + CHUNK);
        asked.start = chunk.end;
        if asked.start == asked.end {
            state.queue.pop_front();
        }
        state.under_way = chunk.clone();
        drop(state);
        let touched = chunk.start == chunk.end || touch(&chunk);
        state = work();
        state.under_way = 0..0;
        DONE.notify_all();
        if !touched {
            state.helper = Helper::IsOfNoUse;
            state.queue.clear();
            return;
        }
    }
}

/// Makes the system provide pages. Says whether it is able to at all.
fn touch(part: &Part) -> bool {
    let first = ptr::without_provenance_mut::<c_void>(part.start);
    // SAFETY: the part is whole pages of a reservation that lives until `under_way` is cleared; the
    // call changes no byte of them, and is an error where they are out of reach.
    let touched = unsafe { madvise(first, part.len(), Advice::LinuxPopulateWrite) };
    touched != Err(rustix::io::Errno::INVAL)
}

#[cfg(all(test, not(miri)))]
mod tests {
    use super::super::space::{GRAIN, commit, release, reserve};
    use super::*;

    #[test]
    fn parts_overlap_that_have_a_byte_in_common() {
        assert!(overlap(&(0..2), &(1..3)) && overlap(&(1..3), &(0..2)));
        assert!(overlap(&(0..9), &(4..5)) && overlap(&(4..5), &(0..9)));
        for (a, b) in [(0..2, 2..3), (0..2, 5..6), (0..0, 0..1)] {
            assert!(!overlap(&a, &b) && !overlap(&b, &a), "{a:?}, {b:?}");
        }
    }

    #[test]
    fn what_is_left_alone_is_asked_for_no_more() {
        let bytes = 1024 * GRAIN;
        let first = reserve(bytes, 1).unwrap();
        // SAFETY: the part lies within the reservation.
        unsafe { commit(first, bytes) }.unwrap();
        // Chunks of this take the helper far longer than it takes to ask for them to be left.
        touch_ahead(first, bytes);
        let kept = bytes / 2;
        leave_alone(first.map_addr(|first| first.saturating_add(kept)), bytes - kept);
        let gone = first.addr().get() + kept..first.addr().get() + bytes;
        let state = work();
        assert!(state.queue.iter().chain([&state.under_way]).all(|part| !overlap(part, &gone)));
        drop(state);
        leave_alone(first, bytes);
        let state = work();
        let all = first.addr().get()..first.addr().get() + bytes;
        assert!(state.queue.iter().chain([&state.under_way]).all(|part| !overlap(part, &all)));
        drop(state);
        // SAFETY: it is what was reserved, and nothing touches it any more.
        unsafe { release(first, bytes, 1) };
    }
}
