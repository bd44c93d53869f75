//! Reserved containers under limits on memory, which only a process of its own can be under.
#![cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]

use larder::{Arena, DenseArena, DenseSoaArena, Handle, Pool, Reuse, SoaArena, TryReserveError};
use larder_testing::caught::attempt;
use larder_testing::common::{amount, for_both};
use larder_testing::fields::Lanes8;
use larder_testing::subject::{self, Config, Memory};
use larder_testing::values::{Seen, Value};
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
        let refused = Container::<u64>::builder().reserved(1_000_000_000).try_build().unwrap_err();
        assert!(matches!(refused, TryReserveError::ReserveRefused { .. }));
        assert!(refused.to_string().contains("Cannot allocate memory"), "{refused}");
        let mut arena = Container::<u64>::builder().reserved(1_000_000).try_build().unwrap();
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
        let last = core::ptr::from_ref(&arena[arena.keys().next_back().unwrap()]);
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
        // The values fill their pages to the last byte.
        let mut dense = DenseArena::reserved((64 << 10) / 8);
        dense.extend(0..dense.capacity() as u64);
        let end = dense.as_slice().as_ptr_range().end;
        panic!("read {}", read(end));
    }
}

#[test]
fn memory_of_columns_is_refused_at_every_step() {
    run("-d 24000", "memory_of_columns");
}

#[test]
fn memory_of_rows_is_refused_at_every_step() {
    run("-d 24000", "memory_of_rows");
}

/// The number of pieces of memory that the ballast can give back.
const PIECES: usize = 40;

/// The number of values for which a container has addresses.
const MOST: usize = 40_000;

/// Takes all memory there is in pieces of 64 KiB, and then frees so many of them.
struct Ballast(Vec<Arena<[u8; 65_532], Handle<[u8; 65_532]>>>);

impl Ballast {
    /// One to give back, and small ones until nothing is left.
    fn new() -> Self {
        let mut held = Vec::with_capacity(2_000);
        let mut pieces = Arena::reserved(1_000);
        pieces.reserve(PIECES);
        pieces.shrink_to(PIECES);
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
        self.0[0].shrink_to(PIECES - pieces);
    }
}

/// With none of the pieces free, with two, with four and so on, with each number of them if tests are to be thorough;
/// some of that is enough, some is not.
fn at_every_step(mut is_enough: impl FnMut(Ballast) -> bool) {
    let (mut refusals, mut successes) = (0, 0);
    for pieces in (0..PIECES).step_by(amount(1, 2, 2)) {
        let mut ballast = Ballast::new();
        ballast.free(pieces);
        *(if is_enough(ballast) { &mut successes } else { &mut refusals }) += 1;
    }
    assert!(refusals > 3 && successes > 3, "{refusals} refused, {successes} not");
}

/// Inserts one after the other; how many went in, and whether that was all.
fn fill(mut insert: impl FnMut(u32) -> Result<(), TryReserveError>) -> (u32, bool) {
    let mut count = 0;
    loop {
        match insert(count) {
            Ok(()) => count += 1,
            Err(TryReserveError::Full { capacity: MOST }) => return (count, true),
            Err(TryReserveError::CommitRefused { bytes, .. }) => {
                assert!(bytes > 0 && bytes % (64 << 10) == 0);
                return (count, false);
            }
            Err(other) => panic!("{other}"),
        }
    }
}

/// A container is as it was after a refusal, wherever in its parts that was, and goes on later.
fn refused_at_every_step<S: subject::Subject>() {
    if !is_limited() {
        return;
    }
    let mut keys = Vec::with_capacity(MOST);
    at_every_step(|ballast| {
        keys.clear();
        let mut subject = S::build(Config::within(Memory::Reserved, Reuse::Fifo, MOST));
        let (count, full) = fill(|id| match subject.try_insert(S::Value::make(id)) {
            Ok(key) => {
                keys.push(key);
                Ok(())
            }
            Err(refused) => {
                assert_eq!(refused.value.id(), id);
                Err(refused.reason)
            }
        });
        let detached = attempt(|| keys.first().map(|&key| subject.detach(key)));
        assert!(detached.is_err() || detached.is_ok_and(|value| value != Some(None)));
        let copied = attempt(|| subject.clone());
        drop(ballast);
        assert!(copied.is_err() || copied.is_ok_and(|copy| copy == subject));
        subject.validate();
        assert_eq!(subject.try_insert(S::Value::make(count)).is_err(), full);
        subject.validate();
        let ids = (0..count).zip(&keys).skip(1);
        assert!(ids.into_iter().all(|(id, &key)| subject.get(key).is_some_and(|it| it.id() == id)));
        full
    });
}

/// All of them at once where nothing is left.
#[test]
#[ignore = "runs under a limit"]
fn memory_of_rows() {
    refused_at_every_step::<Arena<f64>>();
    refused_at_every_step::<DenseArena<f64>>();
    refused_at_every_step::<Pool<f64>>();
}

/// Four columns, each a part of the block whose memory can be refused.
type Four = (u32, f64, [u8; 3], u32);

#[test]
#[ignore = "runs under a limit"]
fn memory_of_columns() {
    refused_at_every_step::<SoaArena<Four>>();
    refused_at_every_step::<DenseSoaArena<Four>>();
    refused_at_every_step::<SoaArena<Lanes8>>();
    refused_at_every_step::<DenseSoaArena<Lanes8>>();
}
