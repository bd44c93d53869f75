//! Every order in which threads can insert through one inserter, as far as they meet: they claim rows, and write
//! what they claimed. The code that claims is larder's own, with loom's atomics; a row is a cell in which loom finds
//! two accesses that nothing orders.
#![cfg(test)]

#[path = "../../crates/larder-core/src/raw/rows/claims.rs"]
mod claims;

use loom::cell::UnsafeCell;
use loom::sync::{Arc, atomic};
use loom::thread;

use claims::Claims;

/// Rows above the mark of a container, to be written by whichever thread claims them.
struct Rows {
    claims: Claims,
    rows: Vec<UnsafeCell<u32>>,
}

impl Rows {
    fn new(room: usize) -> Self {
        Self { claims: Claims::new(room), rows: (0..room).map(|_| UnsafeCell::new(0)).collect() }
    }

    /// Inserts until there is no room, or so many times; says how often there was.
    fn insert(&self, times: usize) -> usize {
        let claimed = (0..times).map_while(|_| self.claims.next());
        // SAFETY: loom checks that no other thread has the row meanwhile.
        claimed.map(|row| self.rows[row].with_mut(|row| unsafe { *row += 1 })).count()
    }
}

/// Threads that each insert so often: what they inserted is what is published, once each.
fn inserts(room: usize, threads: usize, times: usize) {
    loom::model(move || {
        let rows = Arc::new(Rows::new(room));
        let insert = || {
            let rows = Arc::clone(&rows);
            thread::spawn(move || rows.insert(times))
        };
        let threads: Vec<_> = (0..threads).map(|_| insert()).collect();
        let seen = rows.claims.len();
        let own = rows.insert(times);
        let inserted =
            threads.into_iter().map(|thread| thread.join().expect("it ends")).sum::<usize>() + own;
        // `Shared::drop` does the same when the threads are gone.
        let published = rows.claims.len();
        assert!(seen <= published && published <= rows.claims.room());
        assert_eq!((inserted, published), (published, rows.claims.room().min(inserted)));
        for (at, row) in rows.rows.iter().enumerate() {
            // SAFETY: as above.
            assert_eq!(row.with(|row| unsafe { *row }), u32::from(at < published));
        }
    });
}

#[test]
fn threads_that_find_no_room_have_claimed_all_rows_once() {
    inserts(2, 2, 2);
}

#[test]
fn threads_that_find_room_publish_every_row() {
    inserts(5, 1, 2);
    inserts(3, 2, 1);
}

#[test]
fn without_room_no_row_is_claimed() {
    inserts(0, 2, 1);
}
