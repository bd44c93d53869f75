//! Recording changes: what a write costs beside a subscriber, what a checkpoint costs by what changes after it.

use larder::track::{Replica, Reversible, Tracked};
use larder::{Arena, Handle};

use crate::study::prelude::*;

/// A value of 64 bytes.
type Ship = [u64; 8];

/// An arena of so many values, and one in a hundred of its keys, scattered.
fn fleet(count: usize) -> (Arena<Ship>, Vec<Handle<Ship>>) {
    let mut random = Random::new(0xC4A6);
    let arena = Arena::from_iter((0..count as u64).map(|number| [number; 8]));
    let mut keys: Vec<_> = arena.keys().collect();
    shuffle(&mut keys, &mut random);
    keys.truncate(count.div_ceil(100));
    (arena, keys)
}

pub(super) fn parts() -> Vec<Part> {
    study::parts("changes", &[10_000, 1_000_000], NEVER_SLOW, |contest| {
        let (arena, keys) = &fleet(contest.count);
        contest.take_all_turns([
            ("walk", "a value, all changed by a walk", walks(arena)),
            (
                "one in a hundred",
                "a value, one in a hundred written after a checkpoint",
                checkpoints(arena, keys),
            ),
            ("rollback", "a value, one in a hundred written and put back", rollbacks(arena, keys)),
            ("delta", "a value, one in a hundred sent and put in its place", deltas(arena, keys)),
        ])
    })
}

fn walks(arena: &Arena<Ship>) -> Vec<Turn<'_>> {
    let answer = |arena: &Arena<Ship>| arena.values().fold(0, |sum, ship| sum ^ ship[3]);
    let mut tracked = Tracked::new(arena.clone());
    let subscriber = tracked.subscribe();
    vec![
        Turn::changing(
            "Arena",
            arena.len(),
            arena.clone(),
            |arena| arena.iter_mut().for_each(|(_, ship)| ship[3] += ship[0]),
            answer,
        ),
        Turn::changing(
            "Tracked",
            arena.len(),
            (tracked, subscriber),
            |(tracked, _)| tracked.iter_mut().for_each(|(_, ship)| ship[3] += ship[0]),
            move |(tracked, _)| answer(tracked),
        ),
    ]
}

fn checkpoints<'a>(arena: &'a Arena<Ship>, keys: &'a [Handle<Ship>]) -> Vec<Turn<'a>> {
    // (Each has values of its own: those that a clone was just made of would be in a cache.)
    let copied = (arena.clone(), Vec::with_capacity(keys.len()));
    // The digest of a field of the written values that no write changes.
    let answer = move |arena: &Arena<Ship>| keys.iter().fold(0, |sum, &key| sum ^ arena[key][4]);
    let mut tracked = Tracked::new(arena.clone());
    tracked.checkpoint();
    vec![
        Turn::changing(
            "a copy of what changes",
            keys.len(),
            copied,
            |(arena, copies): &mut (Arena<Ship>, Vec<Ship>)| {
                copies.clear();
                copies.extend(keys.iter().map(|&key| arena[key]));
            },
            |(_, copies)| copies.iter().fold(0, |sum, ship| sum ^ ship[4]),
        ),
        Turn::changing(
            "a clone",
            keys.len(),
            None,
            |copy| *copy = Some(arena.clone()),
            move |copy| copy.as_ref().map_or(0, answer),
        ),
        Turn::changing(
            "Tracked",
            keys.len(),
            tracked,
            move |tracked| {
                let now = tracked.checkpoint();
                tracked.forget(now).expect("it was just made");
                for &key in keys {
                    tracked.get_mut(key).expect("it is live")[3] += 1;
                }
            },
            move |tracked| answer(tracked),
        ),
    ]
}

fn rollbacks<'a>(arena: &'a Arena<Ship>, keys: &'a [Handle<Ship>]) -> Vec<Turn<'a>> {
    let saved: Vec<Ship> = Vec::with_capacity(keys.len());
    let mut tracked = Tracked::new(arena.clone());
    let start = tracked.checkpoint();
    vec![
        Turn::changing(
            "a copy of what changes",
            keys.len(),
            (arena.clone(), saved),
            |(arena, saved)| {
                saved.clear();
                saved.extend(keys.iter().map(|&key| arena[key]));
                keys.iter().for_each(|&key| arena[key][3] += 1);
                keys.iter().zip(&*saved).for_each(|(&key, ship)| arena[key] = *ship);
            },
            |(arena, _)| arena[keys[0]][3],
        ),
        Turn::changing(
            "Tracked",
            keys.len(),
            tracked,
            move |tracked| {
                for &key in keys {
                    tracked.get_mut(key).expect("it is live")[3] += 1;
                }
                tracked.rollback(start).expect("it is held");
            },
            |tracked| tracked[keys[0]][3],
        ),
    ]
}

/// The delta that is sent is made anew each time, which is not measured.
fn deltas<'a>(arena: &'a Arena<Ship>, keys: &'a [Handle<Ship>]) -> Vec<Turn<'a>> {
    let answer = move |arena: &Arena<Ship>| arena[keys[keys.len() / 2]][4];
    let (mut copy, mut tracked) = (arena.clone(), Tracked::new(arena.clone()));
    let mut publisher = tracked.publish(1).expect("there is memory");
    let mut replica = Replica::new(Arena::<Ship>::new());
    let all = tracked.delta(&mut publisher).expect("there is memory");
    replica.apply(&all).expect("it is the first");
    vec![
        Turn::of("a copy of what changes", move |repeats| {
            let sent = || keys.iter().map(|&key| arena[key]).collect::<Vec<Ship>>();
            let put = |sent: &mut Vec<Ship>| {
                keys.iter().zip(&*sent).for_each(|(&key, ship)| copy[key] = *ship);
                answer(&copy)
            };
            consuming(keys.len(), repeats, sent, put, |_, answer| *answer)
        }),
        Turn::of("Tracked", move |repeats| {
            let sent = || {
                keys.iter().for_each(|&key| tracked.get_mut(key).expect("it is live")[3] += 1);
                tracked.delta(&mut publisher).expect("there is memory")
            };
            let apply = |sent: &mut Vec<u8>| {
                replica.apply(sent).expect("it is the next");
                answer(&replica)
            };
            consuming(keys.len(), repeats, sent, apply, |_, answer| *answer)
        }),
    ]
}
