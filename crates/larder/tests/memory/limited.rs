//! Reserved containers under limits on memory, which only a process of its own can be under.
#![cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]

use crate::caught::attempt;
use crate::common::for_both;
use larder::{Arena, Handle, Reuse, TryReserveError};
use std::process::Command;

/// Set where there is a limit: without one, taking all memory is no test.
const UNDER_LIMIT: &str = "LARDER_UNDER_LIMIT";

fn is_limited() -> bool {
    std::env::var_os(UNDER_LIMIT).is_some()
}

/// Runs one of the ignored tests below in a process that is under a limit, in units of 1 KiB.
fn run(limit: &str, test: &str) {
    let script = format!("ulimit {limit} && exec \"$@\"");
    let program = std::env::current_exe().expect("a test has a file");
    let ran = Command::new("sh")
        .args(["-c", &script, "sh"])
        .arg(program)
        .args(["--exact", &format!("limited::{test}"), "--ignored"])
        .env("RUST_BACKTRACE", "0")
        .env(UNDER_LIMIT, "yes")
        .output()
        .expect("there is a shell");
    let said = String::from_utf8_lossy(&ran.stdout);
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success() && said.contains("1 passed"), "{said}{errors}");
}

#[test]
fn z1_a_limit_on_addresses_is_an_error() {
    run("-v 4000000", "addresses");
}

#[test]
#[ignore = "runs under a limit"]
fn addresses() {
    if !is_limited() {
        return;
    }
    for_both!(Container => {
        let refused = Container::<u64>::try_reserved(1_000_000_000).unwrap_err();
        assert!(matches!(refused, TryReserveError::ReserveRefused { .. }));
        assert!(refused.to_string().contains("Cannot allocate memory"), "{refused}");
        let mut arena = Container::<u64>::try_reserved(1_000_000).unwrap();
        arena.insert(1);
        let copies: Vec<_> = (0..10).map(|_| arena.clone()).collect();
        assert!(copies.iter().all(|copy| *copy == arena));
    });
}

/// Runs one of the ignored tests below, which has to end with the signal for an address out of reach.
fn faults(test: &str) {
    use std::os::unix::process::ExitStatusExt;

    let ran = Command::new(std::env::current_exe().expect("a test has a file"))
        .args(["--exact", &format!("limited::{test}"), "--ignored", "--test-threads", "1"])
        .env(UNDER_LIMIT, "yes")
        .output()
        .expect("a test is a program");
    let said = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(ran.status.signal(), Some(11), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn z3_what_was_given_back_and_what_lies_behind_faults() {
    faults("reads_what_was_given_back");
    faults("reads_past_the_end");
}

/// A mistake that no safe program can make.
fn read(address: *const u64) -> u64 {
    // SAFETY: there is none: the process is to die of it.
    unsafe { address.read_volatile() }
}

#[test]
#[ignore = "is to fault"]
fn reads_what_was_given_back() {
    if is_limited() {
        let mut arena = Arena::reserved(1_000_000);
        arena.extend(0..500_000_u64);
        let last = core::ptr::from_ref(&arena[arena.last_key().unwrap()]);
        assert_eq!(read(last), 499_999);
        arena.clear();
        arena.shrink_to_fit();
        panic!("read {}", read(last));
    }
}

#[test]
#[ignore = "is to fault"]
fn reads_past_the_end() {
    if is_limited() {
        // As many as fill their pages to the last byte.
        let mut dense = larder::DenseArena::reserved((64 << 10) / 8);
        dense.extend(0..dense.capacity() as u64);
        let end = dense.as_slice().as_ptr_range().end;
        panic!("read {}", read(end));
    }
}

#[test]
fn memory_is_refused_at_every_step() {
    run("-d 64000", "memory");
}

/// Takes all memory there is in pieces of 64 KiB, and then frees so many of them.
struct Ballast(Vec<Arena<[u8; 65_532], Handle<[u8; 65_532]>>>);

impl Ballast {
    /// One to give back, and small ones until nothing is left.
    fn new() -> Self {
        let mut held = Vec::with_capacity(2_000);
        let mut pieces = Arena::reserved(1_000);
        pieces.reserve(70);
        pieces.shrink_to(70);
        held.push(pieces);
        loop {
            let mut piece = Arena::reserved(1);
            if piece.try_reserve(1).is_err() {
                return Self(held);
            }
            held.push(piece);
        }
    }

    fn free(&mut self, pieces: usize) {
        self.0[0].shrink_to(70 - pieces);
    }
}

/// All of them at once where nothing is left.
#[test]
#[ignore = "runs under a limit"]
fn memory() {
    if !is_limited() {
        return;
    }
    for_both!(Container => {
        let (mut refusals, mut successes) = (0, 0);
        let mut keys = Vec::with_capacity(100_000);
        for pieces in 0..70 {
            keys.clear();
            let mut ballast = Ballast::new();
            ballast.free(pieces);
            let made = Container::<u64>::builder().reuse(Reuse::Oldest).reserved(100_000);
            let mut arena = made.try_build().expect("addresses are free");
            let refused = loop {
                match arena.try_insert(keys.len() as u64) {
                    Ok(key) => keys.push(key),
                    Err(refused) => break refused,
                }
            };
            assert_eq!(refused.value, keys.len() as u64);
            match refused.reason {
                TryReserveError::Full { capacity: 100_000 } => successes += 1,
                TryReserveError::CommitRefused { bytes, .. } => {
                    assert!(bytes > 0 && bytes % (64 << 10) == 0);
                    refusals += 1;
                }
                other => panic!("{other}"),
            }
            let full = refused.reason == TryReserveError::Full { capacity: 100_000 };
            let detached = attempt(|| keys.first().map(|&key| arena.detach(key)));
            assert!(detached.is_err() || detached.is_ok_and(|value| value != Some(None)));
            let copied = attempt(|| arena.clone());
            drop(ballast);
            assert!(copied.is_err() || copied.is_ok_and(|copy| copy == arena));
            arena.validate();
            assert_eq!(arena.try_insert(7).is_err(), full);
            arena.validate();
        }
        assert!(refusals > 3 && successes > 3, "{refusals} refused, {successes} not");
    });
}
