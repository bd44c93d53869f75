//! More defects of other containers as tests of ours: those of user code that panics, of walks of
//! nothing, and of builds.

use larder::Handle;
use larder_testing::allocator::requests_of;
use larder_testing::both::test_both;
use larder_testing::caught::{panicking_after, step};
use larder_testing::common::{library_files, workspace_text};
use larder_testing::touchy::{Nerve, Touchy, count_alive, forget_all, set_nerve};
use larder_testing::values::{Unit, Value};

/// Runs `act` on what `make` makes, panicking one step later each time until it gets through.
/// Afterwards the container must be whole and usable, and nothing may have been dropped twice.
macro_rules! at_every_step {
    ($nerve:expr, $make:expr, $act:expr) => {
        for steps in 0.. {
            let mut subject = $make;
            set_nerve($nerve);
            let panicked = panicking_after(steps, || $act(&mut subject));
            set_nerve(Nerve::None);
            subject.validate();
            assert!(subject.values().all(Touchy::is_alive), "a dead value can be reached");
            let key = subject.insert(Touchy::make(77));
            assert_eq!(subject.remove(key).map(|value| value.id()), Some(77));
            drop(subject);
            // This is where the second drop came.
            let alive = count_alive();
            // Values that a panicking `Drop` interrupted may leak.
            assert!(alive == 0 || panicked && $nerve == Nerve::Drop, "{alive} were lost");
            forget_all();
            if !panicked {
                assert!(steps > 1, "user code ran {steps} times");
                break;
            }
        }
    };
}

test_both!(stable_vec_51_a_panic_in_clone_clear_drop_or_retain_drops_nothing_twice, Container => {
    let make = || {
        let mut subject: Container<Touchy> = (0..5).map(Touchy::make).collect();
        let second = subject.keys().nth(1).unwrap();
        drop(subject.remove(second));
        subject
    };
    type Subject = Container<Touchy>;
    at_every_step!(Nerve::Drop, make(), |subject: &mut Subject| subject.clear());
    at_every_step!(Nerve::Drop, make(), |subject: &mut Subject| drop(core::mem::take(subject)));
    at_every_step!(Nerve::Drop, make(), |subject: &mut Subject| subject.retain(|_, _| false));
    at_every_step!(Nerve::Clone, make(), |subject: &mut Subject| drop(subject.clone()));
    at_every_step!(Nerve::Clone, make(), |subject: &mut Subject| {
        let shorter: Subject = (0..2).map(Touchy::make).collect();
        subject.clone_from(&shorter);
    });
    at_every_step!(Nerve::None, make(), |subject: &mut Subject| subject.retain(|_, value| {
        step();
        value.id() % 2 == 0
    }));
});

test_both!(sharded_slab_18_what_is_removed_or_left_is_dropped, Container => {
    let before = Unit::alive();
    let mut subject = Container::<Unit>::new();
    for round in 0..3 {
        let keys: Vec<_> = subject.insert_many((0..70).map(Unit::make)).collect();
        let alive = Unit::alive().zip(before).map(|(now, before)| now - before);
        assert_eq!(alive, Some(70 + round * 7));
        for key in &keys[7..] {
            drop(subject.remove(*key));
        }
    }
    drop(subject);
    assert_eq!(Unit::alive(), before);
});

test_both!(sharded_slab_73_walks_of_nothing_are_empty, Container => {
    let mut cleared: Container<u32> = (0..70).collect();
    cleared.clear();
    let mut detached: Container<u32> = (0..3).collect();
    for key in detached.keys().collect::<Vec<_>>() {
        detached.detach(key);
    }
    for mut subject in [Container::new(), Container::with_capacity(100), cleared, detached] {
        assert!(subject.iter().next().is_none() && subject.iter().next_back().is_none());
        assert!(subject.iter_mut().next().is_none() && subject.iter_mut().next_back().is_none());
        assert!(subject.values_mut().next().is_none() && subject.keys().next().is_none());
        assert!(subject.extract_if(|_, _| true).next().is_none());
        assert!(subject.drain().next_back().is_none());
        assert_eq!((subject.keys().next(), subject.keys().next_back()), (None, None));
        assert!(subject.into_iter().next().is_none());
    }
});

test_both!(hecs_448_a_dangling_key_makes_no_room, Container => {
    let mut subject = Container::<u64>::new();
    let (requests, refused) = requests_of(|| subject.reattach(Handle::DANGLING, 1).is_err());
    assert_eq!((requests, refused, subject.capacity()), (0, true, 0));
    subject.insert(2);
    let slots = subject.stats().slots;
    let (requests, refused) = requests_of(|| subject.reattach(Handle::DANGLING, 3).is_err());
    assert_eq!((requests, refused, subject.stats().slots), (0, true, slots));
    assert!(!subject.discard_detached(Handle::DANGLING));
    subject.validate();
});

/// Nothing in the crate can hinder a build without the standard library. The build itself is a step of CI.
#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn typed_generational_arena_b21_nothing_needs_std_or_an_unstable_compiler() {
    let lib = workspace_text("crates/larder-core/src/lib.rs");
    assert!(lib.lines().any(|line| line == "#![no_std]"));
    let guarded = lib.lines().zip(lib.lines().skip(1));
    let mut guards = guarded.filter(|(_, line)| *line == "extern crate std;");
    assert!(guards.all(|(guard, _)| guard == "#[cfg(feature = \"std\")]"));
    for (file, text) in library_files() {
        assert!(!text.contains("#![feature("), "{file} needs an unstable compiler");
        let of_files = file.contains("snapshot/") || file.ends_with("snapshot.rs");
        if of_files || file.contains("memory/sys") || file.ends_with("/tests.rs") {
            continue; // of `snapshot` and `reserved`, which ask for `std`; and unit tests, which have it
        }
        let library = text.replace("pub(crate) mod tests", "mod tests");
        let library = library.split("\nmod tests").next().unwrap();
        let code: Vec<_> = library.lines().map(|line| line.split("//").next().unwrap()).collect();
        let uses_std = |line: &str| {
            line.match_indices("std::").any(|(at, _)| !line[..at].ends_with(char::is_alphanumeric))
        };
        for (before, line) in code.iter().zip(&code[1..]) {
            let guarded = before.trim() == "#[cfg(feature = \"std\")]";
            assert!(guarded || !uses_std(line), "{file} uses the standard library: {line}");
        }
    }
}
