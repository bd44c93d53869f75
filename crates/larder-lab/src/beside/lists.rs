//! Lists of objects: ENT-PATH, from the author of an entity component system. Every object is in four
//! lists. In each round every 7th member leaves the second list, every 11th the third, every 13th the
//! fourth; every 17th object of the first is destroyed; new objects are added. All of that passes over whole lists,
//! which is what a `Vec` is best at; what a list is for is `one`: an object leaves that its caller has the key of.

mod rolls;

use self::rolls::{InObjects, KeyLists, KeyVecs, LinkedByHand, Roll, SideLists};
use crate::study::prelude::*;

/// The name of the study.
pub(crate) const NAME: &str = "lists";
/// The number of objects at first.
pub(crate) const COUNTS: &[usize] = &[5_000, LARGEST];
/// ENT-PATH's own number.
pub(crate) const LARGEST: usize = 500_000;
/// The number of rounds.
const ROUNDS: usize = 10;
/// Which members leave each of the lists but the first, of which all objects are members: every 7th, and
/// so on.
const LEAVING: [usize; 3] = [7, 11, 13];
/// Which objects of the first list are destroyed: every 17th.
const DYING: usize = 17;
/// How many objects leave one by one.
const VICTIMS: usize = 50;

jobs! {
    Push = "push", "an object, from nothing on, at the end of four lists";
    Leave = "leave", "every 7th member leaves its list, per member that is passed";
    Destroy = "destroy", "every 17th object leaves four lists and is gone, per one passed";
    One = "one", "an object that was chosen at random leaves four lists and is gone";
    Rounds = "rounds", "ten rounds of all, and walks, per object of the first";
    Walk = "walk", "all objects by their list, after ten rounds";
}

pub(crate) fn measure(contest: &Contest<'_>) -> Result<Vec<Row>> {
    let count = contest.count;
    let mut all: Contestants<'_, Job> = contestants![
        Bench::new(count): KeyVecs, KeyLists, LinkedByHand, SideLists, InObjects
    ];
    // A turn with so many takes seconds.
    let contest = if count == LARGEST { contest.at_most(3) } else { contest.clone() };
    contest.measure_all(&mut all)
}

/// Lists of one kind after all rounds.
struct Bench<R: Roll> {
    count: usize,
    after: R,
    members: usize,
}

impl<R: Roll> Bench<R> {
    fn new(count: usize) -> Self {
        let mut after: R = pushed(count);
        rounds(&mut after, count);
        // Of the first list, from which objects are only destroyed.
        let members =
            (0..ROUNDS).fold(count, |members, _| members - members / DYING + count / ROUNDS);
        Self { count, after, members }
    }
}

/// Adds objects to all lists.
#[inline(never)]
fn push<R: Roll>(roll: &mut R, numbers: core::ops::Range<usize>) {
    numbers.for_each(|number| {
        roll.push(number as u32);
    });
}

/// Objects in all lists, and some of them, chosen at random.
fn pushed_and_chosen<R: Roll>(count: usize) -> (R, Vec<R::Key>) {
    let mut roll = R::new();
    let keys: Vec<_> = (0..count).map(|number| roll.push(number as u32)).collect();
    let mut random = Random::new(0x0E17);
    let chosen = (0..VICTIMS).map(|_| keys[random.below(count)]).collect();
    (roll, chosen)
}

fn pushed<R: Roll>(count: usize) -> R {
    let mut roll = R::new();
    push(&mut roll, 0..count);
    roll
}

/// All rounds; returns a digest of their walks.
#[inline(never)]
fn rounds<R: Roll>(roll: &mut R, count: usize) -> u64 {
    let mut digest = 0_u64;
    for round in 0..ROUNDS {
        for list in 0..4 {
            digest = digest.rotate_left(1) ^ roll.walk(list);
        }
        for (list, every) in (1..).zip(LEAVING) {
            roll.leave(list, every);
        }
        roll.destroy(DYING);
        let first = count + round * (count / ROUNDS);
        push(roll, first..first + count / ROUNDS);
    }
    digest
}

impl<R: Roll> Contestant<Job> for Bench<R> {
    fn sample(&mut self, job: Job, repeats: u32) -> Sample {
        let count = self.count;
        let full = || pushed::<R>(count);
        match job {
            Job::Push => consuming(
                count,
                repeats,
                R::new,
                |roll| push(roll, 0..count),
                |roll, ()| roll.walk(0),
            ),
            Job::Leave => {
                let work = |roll: &mut R| roll.leave(1, LEAVING[0]);
                consuming(count, repeats, full, work, |roll, ()| roll.walk(1))
            }
            Job::Destroy => {
                let work = |roll: &mut R| roll.destroy(DYING);
                let walks = |roll: &R, (): &()| {
                    (0..4).fold(0_u64, |digest, list| digest.rotate_left(1) ^ roll.walk(list))
                };
                consuming(count, repeats, full, work, walks)
            }
            Job::One => {
                let work = |(roll, chosen): &mut (R, Vec<R::Key>)| {
                    chosen.iter().for_each(|&key| roll.destroy_one(key));
                };
                let walks = |(roll, _): &(R, Vec<R::Key>), (): &()| roll.walk(0) ^ roll.walk(3);
                consuming(VICTIMS, repeats, || pushed_and_chosen(count), work, walks)
            }
            Job::Rounds => {
                let work = |roll: &mut R| rounds(roll, count);
                consuming(count, repeats, full, work, |roll, &digest| digest ^ roll.walk(3))
            }
            Job::Walk => reading(&self.after, self.members, repeats, |roll| roll.walk(0)),
        }
    }
}
