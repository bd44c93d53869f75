//! Histories of pools against their model: random long ones, and all the short ones.

use crate::history::config;
use larder::{
    Handle, Handle32, Reuse,
    key::{BareHandle, Serial},
};
use larder_testing::choices::{Choices, every_way};
use larder_testing::common::{SplitMix, deeper};
use larder_testing::pool_trial::{Kind, Trial};
use larder_testing::random::random_histories;
use larder_testing::subject::Config;
use larder_testing::values::{Unit, Wide};

/// Makes a pool of one of the types.
type Make = fn(Config, Kind) -> Trial;

/// One history, checked after every step.
fn history(make: Make, config: Config, kind: Kind, steps: &[u64]) {
    let mut trial = make(config, kind);
    for &bits in steps {
        trial.step(bits);
        trial.check();
    }
    trial.finish();
}

fn random(make: Make) {
    if cfg!(miri) {
        let mut random = SplitMix::new(1);
        let steps: Vec<_> = (0..15).map(|_| random.next()).collect();
        return history(make, Config::new(Reuse::Packed, None), Kind::Resets, &steps);
    }
    random_histories(150, &|settings, steps| {
        history(make, config(settings), Kind::ALL[(settings >> 32) as usize % 3], steps);
    });
}

/// One operation of those that decide what a slot does next and what lies in it.
fn choose(choices: &mut Choices, trial: &mut Trial) {
    let issued = trial.model.issued.len();
    if issued == 0 {
        return [Trial::insert, |trial: &mut Trial| trial.insert_with(0)][choices.below(2)](trial);
    }
    match choices.below(12) {
        0 => trial.insert(),
        1 => trial.insert_with(0),
        2 => trial.vacant_entry([0, 4][choices.below(2)]),
        3 => trial.remove(choices.below(issued)),
        4 => trial.take(choices.below(issued)),
        5 => trial.retain([0b01, 0b10][choices.below(2)]),
        6 => trial.clear(),
        7 => trial.reserve(2),
        8 => trial.shrink(None),
        9 => trial.copy(),
        10 => trial.compact(),
        _ => trial.process_all(),
    }
}

/// Every history of up to so many operations, checked at its end.
fn short(make: Make, kind: Kind, longest: usize) {
    // (One kind is enough for the interpreter, which is slow.)
    if cfg!(miri) && kind != Kind::Resets {
        return;
    }
    let longest = deeper(longest, longest.min(2));
    for &config in Config::tried() {
        for length in 1..=longest {
            every_way(&mut |choices| {
                let mut trial = make(config, kind);
                (0..length).for_each(|_| choose(choices, &mut trial));
                trial.check();
            });
        }
    }
}

/// The tests for each element and key.
macro_rules! histories {
    ($($name:ident: $value:ty, $key:ty;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn random() {
                super::random(Trial::new::<$value, $key>);
            }

            #[test]
            fn short_with_objects_replaced_reset_and_left() {
                Kind::ALL.into_iter().for_each(|kind| short(Trial::new::<$value, $key>, kind, 3));
            }
        }
    )*};
}

histories! {
    pool_two_bits: u32, Handle32<u32, 30>;
    pool_of_strings: String, Serial<String>;
    pool_of_units: Unit, Handle<Unit>;
    pool_of_wide: Wide, BareHandle<Wide>;
}
