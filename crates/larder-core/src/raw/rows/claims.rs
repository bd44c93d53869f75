//! Numbers that threads claim. (`models/` compiles this file with a model checker's atomics.)

use super::atomic::{AtomicUsize, Ordering};

/// Numbers below `room`, each of which is handed out once.
pub(super) struct Claims {
    room: usize,
    claimed: AtomicUsize,
}

impl Claims {
    /// (Half of what can be counted at most, so that the count never comes to its end: see [`next`](Self::next).)
    pub(super) fn new(room: usize) -> Self {
        Self { room: room.min(usize::MAX / 2), claimed: AtomicUsize::new(0) }
    }

    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// Returns the number that was handed out by now, at least.
    pub(super) fn len(&self) -> usize {
        self.claimed.load(Ordering::Relaxed).min(self.room)
    }

    /// A number that is handed out once.
    ///
    /// A thread that found all numbers claimed adds nothing any more. So the count passes `room` by one
    /// for each thread at most, which is far from where it would begin anew.
    #[inline(always)]
    pub(super) fn next(&self) -> Option<usize> {
        if self.claimed.load(Ordering::Relaxed) >= self.room {
            return None;
        }
        let number = self.claimed.fetch_add(1, Ordering::Relaxed);
        (number < self.room).then_some(number)
    }
}
