//! How long this thread was ready to run but another one had the processor.
//!
//! On a busy machine a lost time slice of a few milliseconds is longer than anything a store does, and
//! would be the worst insertion of most stores.

use std::fs::File;
use std::io::{Read, Seek};

/// The system's statistics of this thread, if it has them.
#[derive(Debug)]
pub(crate) struct Waiting {
    /// The time that the thread ran, the time that it waited, and a count.
    file: Option<File>,
    last: u64,
    all: u64,
}

impl Waiting {
    pub(crate) fn new() -> Self {
        let file = File::open("/proc/thread-self/schedstat").ok();
        let mut waiting = Self { file, last: 0, all: 0 };
        waiting.since_last();
        waiting.all = 0;
        waiting
    }

    /// Nanoseconds of waiting since the last call; 0 if unknown. Allocates nothing.
    pub(crate) fn since_last(&mut self) -> u64 {
        let so_far = self.so_far().unwrap_or(self.last);
        let since = so_far.saturating_sub(self.last);
        self.last = so_far;
        self.all += since;
        since
    }

    /// Nanoseconds of waiting up to the last call of `since_last`.
    pub(crate) fn all(&self) -> u64 {
        self.all
    }

    fn so_far(&mut self) -> Option<u64> {
        let file = self.file.as_mut()?;
        file.rewind().ok()?;
        let mut text = [0; 64];
        let length = file.read(&mut text).ok()?;
        let text = core::str::from_utf8(&text[..length]).ok()?;
        text.split_ascii_whitespace().nth(1)?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_known_on_linux_and_never_runs_backwards() {
        let mut waiting = Waiting::new();
        assert_eq!(waiting.all(), 0);
        let since = waiting.since_last() + waiting.since_last();
        assert_eq!(waiting.all(), since);
        if cfg!(target_os = "linux") {
            assert!(waiting.so_far().is_some());
        }
    }

    #[test]
    fn where_nothing_is_known_nothing_is_taken_out() {
        let mut waiting = Waiting { file: None, last: 5, all: 0 };
        assert_eq!((waiting.since_last(), waiting.all()), (0, 0));
    }
}
