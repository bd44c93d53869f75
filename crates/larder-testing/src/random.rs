//! Random histories: rows of numbers, each of which stands for an operation. One that fails is shown as short as it can
//! be made.

use crate::caught::attempt;
use crate::choices::cases;
use crate::common::SplitMix;

/// Runs random histories of up to `longest` operations, always the same ones unless more are asked for. Each has a number
/// of its own, which stands for settings.
pub fn random_histories(longest: usize, run: &dyn Fn(u64, &[u64])) {
    let mut random = SplitMix::new(1);
    for _ in 0..cases() {
        let settings = random.next();
        let mut history: Vec<u64> = (0..random.below(longest)).map(|_| random.next()).collect();
        let fails = |history: &[u64]| attempt(|| run(settings, history)).err();
        if fails(&history).is_some() {
            shorten(&mut history, &|history| fails(history).is_some());
            let failure = fails(&history).expect("it failed before");
            panic!("{failure:?}\nsettings: {settings:#x}, operations: {history:#x?}");
        }
    }
}

/// Leaves out what does not matter, by ever smaller parts, and replaces by 0 what can be replaced.
fn shorten(history: &mut Vec<u64>, fails: &dyn Fn(&[u64]) -> bool) {
    let mut part = history.len().div_ceil(2);
    while part > 0 {
        let mut at = 0;
        while at < history.len() {
            let end = history.len().min(at + part);
            let rest = [&history[..at], &history[end..]].concat();
            if fails(&rest) {
                *history = rest;
            } else {
                at = end;
            }
        }
        part /= 2;
    }
    for at in 0..history.len() {
        let number = core::mem::take(&mut history[at]);
        if !fails(history) {
            history[at] = number;
        }
    }
}

#[test]
fn what_fails_is_shortened() {
    let seven = |&number: &u64| number % 10 == 7;
    let run = |_: u64, history: &[u64]| {
        let sevens = history.iter().filter(|number| seven(number)).count();
        assert!(sevens < 2, "two of them");
    };
    let failure = crate::caught::panic_of(|| random_histories(100, &run));
    assert!(failure.message.contains("two of them"), "{failure:?}");
    let mut history: Vec<u64> = (0..40).collect();
    shorten(&mut history, &|history| history.iter().filter(|number| seven(number)).count() > 1);
    assert_eq!(history.len(), 2);
    assert!(history.iter().all(seven));
}
