//! Histories against the model: random long ones, and all the short ones.

use larder::{Arena, DenseArena, Handle32, InlineArena, PagedArena, Reuse};
use larder_testing::choices::{Choices, every_way};
use larder_testing::common::{REUSE_ORDERS, SplitMix, deeper, is_thorough};
use larder_testing::erased::Type;
use larder_testing::operation::Operation;
use larder_testing::random::random_histories;
use larder_testing::subject::{Config, Memory};
use larder_testing::trial::Trial;

// Random histories.

/// Returns the settings that a number stands for.
pub(crate) fn config(number: u64) -> Config {
    let [reuse, memory, limit, slots, ..] = number.to_le_bytes().map(usize::from);
    Config {
        reuse: REUSE_ORDERS[reuse % 3],
        memory: [Memory::Heap, Memory::Reserved, Memory::Lent][memory % 3],
        limit: match limit % 4 {
            0 | 1 => None,
            2 => Some(slots % 8),
            _ => Some(60 + slots % 140),
        },
    }
}

fn random(of: Type) {
    if cfg!(miri) {
        return interpreted_history(of);
    }
    random_histories(150, &|settings, history| {
        let [.., front, back] = settings.to_le_bytes();
        run(of, config(settings), history, [front, back]);
    });
}

/// One history, checked after every step.
fn run(of: Type, config: Config, history: &[u64], ends: [u8; 2]) {
    let mut trial = Trial::new(of, config);
    for &number in history {
        Operation::decode(number).run(&mut trial);
        trial.check();
    }
    trial.finish(ends[0].into(), ends[1].into());
}

/// Three histories that are short enough for an interpreter: one that grows and fills any hole of a word; one in memory
/// that does not, with more than a word of slots that are linked; one in a block of ours.
fn interpreted_history(of: Type) {
    let mut random = SplitMix::new(1);
    let configs = [
        (Config::new(Reuse::Packed, None), 40),
        (Config::new(Reuse::Fifo, Some(70)), 20),
        (Config::within(Memory::Lent, Reuse::Packed, 5), 10),
    ];
    for (config, length) in configs {
        let history: Vec<u64> = (0..length).map(|_| random.next()).collect();
        run(of, config, &history, [2, 1]);
    }
}

mod random {
    use super::{Type, random};
    use larder_testing::subjects::*;

    macro_rules! test {
        (random $name:ident: $subject:ty) => {
            #[test]
            fn $name() {
                random(Type::of::<$subject>());
            }
        };
        (natively $name:ident: $subject:ty) => {
            #[test]
            #[cfg_attr(miri, ignore = "a thousand lanes to interpret")]
            fn $name() {
                random(Type::of::<$subject>());
            }
        };
        ($($other:tt)*) => {};
    }

    larder_testing::subjects!(test);
}

// All short histories.

#[test]
fn choices_are_all_made_once() {
    let mut seen = Vec::new();
    every_way(&mut |choices| {
        let first = choices.below(3);
        seen.push((first, choices.below(first + 1)));
    });
    assert_eq!(seen, [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]);
}

/// One operation of those that decide what a slot does next, on one of the keys there are.
fn choose(choices: &mut Choices, trial: &Trial) -> Operation {
    use Operation::*;
    let issued = trial.model.issued.len();
    if issued == 0 {
        return [Insert, InsertMany(2), VacantEntry { used: true }][choices.below(3)].clone();
    }
    let which = |choices: &mut Choices| choices.below(issued) as u8;
    match choices.below(if trial.model.of.is_dense { 11 } else { 12 }) {
        0 => Insert,
        1 => InsertMany(2),
        2 => Remove(which(choices)),
        3 => Detach(which(choices)),
        4 => Reattach(which(choices)),
        5 => Release(which(choices)),
        6 => Clear,
        7 => Retain([0b01, 0b10][choices.below(2)]),
        8 => Drain { front: 0, back: 1 },
        9 => ShrinkToFit,
        10 => ExtractIf { mask: 0b11, most: 1 },
        _ => Compact { panics_at: None },
    }
}

/// Chooses an operation of those that are tried.
type Choose = fn(&mut Choices, &Trial) -> Operation;

/// Runs every history of exactly `length` operations, checking at its end.
fn all_histories(of: Type, length: usize, configs: &[Config], choose: Choose) {
    for &config in configs {
        every_way(&mut |choices| {
            let mut trial = Trial::new(of, config);
            for _ in 0..length {
                choose(choices, &trial).run(&mut trial);
            }
            trial.check();
        });
    }
}

/// Every shorter history is the beginning of a longer one: checked at each length.
fn up_to(of: Type, longest: usize, configs: &[Config]) {
    // The configuration means nothing to a type with a fixed number of slots.
    let configs = if of.slots.is_some() { &configs[..1] } else { configs };
    let longest = deeper(longest, longest.min(2));
    for length in 1..=longest {
        // A reservation is made anew for each history, which takes longer than the history; what
        // happens in it, and in a lent block, is what happens elsewhere, but for where room ends.
        let worthwhile = |config: &&Config| match config.memory {
            Memory::Heap => true,
            Memory::Lent => length < 4 || is_thorough(),
            Memory::Reserved => length < 4,
        };
        let configs: Vec<Config> = configs.iter().filter(worthwhile).copied().collect();
        all_histories(of, length, &configs, choose);
    }
}

mod short {
    use super::{Config, Type, up_to};
    use larder_testing::subjects::*;

    macro_rules! test {
        (short($longest:literal) $name:ident: $subject:ty) => {
            #[test]
            fn $name() {
                up_to(Type::of::<$subject>(), $longest, Config::tried());
            }
        };
        ($($other:tt)*) => {};
    }

    larder_testing::subjects!(test);
}

/// Fewer operations, longer histories: what decides which slot and which generation come next.
fn choose_of_few(choices: &mut Choices, trial: &Trial) -> Operation {
    use Operation::*;
    let live = trial.model.order.len();
    match choices.below(3 + live) {
        0 => Insert,
        1 => Drain { front: 0, back: 0 },
        // Without a hole below a value this is what `ShrinkToFit` is.
        2 if trial.model.of.is_dense || trial.model.is_compact() => ShrinkToFit,
        2 => Compact { panics_at: None },
        which => {
            let key = trial.model.order[which - 3];
            let issued = trial.model.issued.iter().position(|&one| one == key);
            Remove(issued.expect("a live key was issued") as u8)
        }
    }
}

#[test]
fn longer_histories_of_few_operations() {
    for of in [
        Type::of::<Arena<u32, Handle32<u32, 30>>>(),
        Type::of::<InlineArena<u32, 3, Handle32<u32, 30>>>(),
        Type::of::<PagedArena<u32, Handle32<u32, 30>>>(),
        Type::of::<DenseArena<u32, Handle32<u32, 30>>>(),
    ] {
        all_histories(of, deeper(5, 4), Config::tried(), choose_of_few);
    }
}
