//! Structures of a program's own that go back by their changes, honest ones and hostile ones.

use core::mem;
use std::rc::Rc;

use larder::TryReserveError;
use larder::past::{Kept, Past, Reverse, Way};
use larder::pools::list_pool::ListHandle;
use larder::pools::{ListPool, StringPool};
use larder::track::{Checkpoint, Each, Reversible, TrackError, Versioned};
use larder_testing::caught::attempt;
use larder_testing::common::{scaled, thorough};

use crate::going_back::Dice;
use crate::reversible::{Beside, Objects, goes_back};

/// Numbers at places, each of which may be written, and a count of the writes.
#[derive(Default)]
struct Sheet {
    numbers: [u32; 4],
    writes: u32,
    past: Past<(usize, usize), u32, Numbers>,
}

/// The numbers that were written over in a step.
#[derive(Default)]
struct Numbers(Vec<u32>);

impl Kept for Numbers {
    fn clear(&mut self) {
        self.0.clear();
    }
}

impl Sheet {
    fn write(&mut self, at: usize, number: u32) {
        self.past.forget_undone();
        if let Some(were) = self.past.kept() {
            let place = were.0.len();
            were.0.push(self.numbers[at]);
            self.past.note((at, place));
        }
        self.numbers[at] = number;
        self.writes += 1;
    }
}

struct Returning<'a>(&'a mut Sheet);

impl Reverse for Returning<'_> {
    type Change = (usize, usize);
    type State = u32;
    type Kept = Numbers;

    fn past(&mut self) -> &mut Past<(usize, usize), u32, Numbers> {
        &mut self.0.past
    }

    fn state(&mut self) -> u32 {
        self.0.writes
    }

    fn exchange(&mut self, writes: &mut u32) {
        mem::swap(&mut self.0.writes, writes);
    }

    fn reverse(
        &mut self,
        &mut (at, place): &mut (usize, usize),
        were: &mut Numbers,
        _: Way,
    ) -> Result<(), TryReserveError> {
        // (Of another's changes, one may have no such number.)
        if let Some(was) = were.0.get_mut(place) {
            mem::swap(&mut self.0.numbers[at], was);
        }
        Ok(())
    }
}

impl Reversible for Sheet {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        each(&mut Returning(self))
    }
}

/// (A clone has no past.)
impl Clone for Sheet {
    fn clone(&self) -> Self {
        Self { past: Past::default(), ..*self }
    }
}

impl Beside for Sheet {
    type Seen = ([u32; 4], u32);

    fn empty() -> Self {
        Self::default()
    }

    fn edit(&mut self, _: &Objects, dice: &mut Dice) -> bool {
        self.write(dice.below(4), dice.below(1_000) as u32);
        false
    }

    fn seen(&self, _: &Objects) -> Self::Seen {
        (self.numbers, self.writes)
    }

    fn check(&self) {}
}

#[test]
fn a_structure_of_ones_own_goes_back() {
    for seed in 1..=thorough(60, 4) as u64 {
        goes_back::<Sheet>(&Objects::new(), seed, scaled(200, 60));
    }
}

/// Members in another order at each call: two pools, and two sheets that exchange their pasts.
struct Hostile {
    pools: [ListPool<Rc<u32>>; 2],
    names: [StringPool; 2],
    sheets: [Sheet; 2],
    dice: Dice,
}

impl Reversible for Hostile {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        let [one, other] = &mut self.pools;
        if self.dice.below(3) == 0 {
            mem::swap(one, other);
        }
        let [name, other_name] = &mut self.names;
        if self.dice.below(3) == 0 {
            mem::swap(name, other_name);
        }
        let [sheet, other_sheet] = &mut self.sheets;
        if self.dice.below(2) == 0 {
            mem::swap(&mut sheet.past, &mut other_sheet.past);
        }
        match self.dice.below(8) {
            // (One is passed in place of another.)
            0 => (&mut *one, &mut *sheet, &mut *name).members(each)?,
            1 => (&mut *other, &mut *other_sheet, &mut *other_name).members(each)?,
            _ => (&mut *one, &mut *name, &mut *sheet).members(each)?,
        }
        (other, other_name, other_sheet).members(each)
    }
}

#[test]
fn pasts_that_are_exchanged_break_nothing() {
    let (mut refused, mut done) = (0, 0);
    for seed in 1..=thorough(400, 8) as u64 {
        let value = Rc::new(7);
        let mut group = Hostile {
            pools: [(); 2].map(|()| ListPool::new()),
            names: [(); 2].map(|()| StringPool::new()),
            sheets: [(); 2].map(|()| Sheet::default()),
            dice: Dice(seed),
        };
        let (mut dice, mut lists, mut symbols) = (Dice(seed ^ 0x55), Vec::new(), Vec::new());
        let mut points: Vec<Checkpoint> = Vec::new();
        for number in 0..60 {
            // (The numbers of checkpoints may not ascend then, which is a panic.)
            let ended = attempt(|| match dice.below(9) {
                0 => points.extend(group.try_checkpoint()),
                1 => _ = (group.undo().is_ok(), group.redo().is_ok()),
                2 if !points.is_empty() => {
                    let to = points[dice.below(points.len())];
                    let gone = group.rollback(to);
                    (refused, done) = match gone {
                        Ok(()) => (refused, done + 1),
                        Err(_) => (refused + 1, done),
                    };
                }
                3 => group.sheets[number % 2].write(number % 4, 1),
                4 => symbols.push(group.names[number % 2].intern(&number.to_string())),
                5 if !symbols.is_empty() => {
                    let symbol = symbols[dice.below(symbols.len())];
                    group.names.iter_mut().for_each(|names| _ = names.get(symbol).is_some());
                }
                6 | 7 => {
                    let list = group.pools[number % 2].make([(); 3].map(|()| Rc::clone(&value)));
                    lists.push(list);
                }
                _ if !lists.is_empty() => {
                    let list: ListHandle<_> = lists[dice.below(lists.len())];
                    for pool in group.pools.iter_mut().filter(|pool| pool.get(list).is_some()) {
                        if number % 3 == 0 {
                            pool.free(list);
                        } else {
                            pool.push(&mut { list }, Rc::clone(&value));
                        }
                    }
                }
                _ => {}
            });
            drop(ended);
            group.pools.iter().for_each(ListPool::validate);
            group.names.iter().for_each(StringPool::validate);
        }
        drop(group);
        assert_eq!(Rc::strong_count(&value), 1, "a value was dropped twice, or leaked");
    }
    assert!(refused > 0 && done > 0, "{refused} {done}");
}

/// A number whose writes are kept without asking first, so that undone steps are dropped after a write was noted.
#[derive(Default)]
struct Late {
    number: u32,
    refuses: bool,
    past: Past<Was, ()>,
}

/// The number before, whose `Drop` panics if it is 13.
struct Was(u32);

impl Drop for Was {
    fn drop(&mut self) {
        let number = mem::replace(&mut self.0, 0);
        assert_ne!(number, 13, "an unlucky number");
    }
}

impl Late {
    fn write(&mut self, number: u32) {
        let was = self.past.add(Was(mem::replace(&mut self.number, number)));
        self.past.settle();
        drop(was);
    }
}

struct ReturningLate<'a>(&'a mut Late);

impl Reverse for ReturningLate<'_> {
    type Change = Was;
    type State = ();
    type Kept = ();

    fn past(&mut self) -> &mut Past<Was, ()> {
        &mut self.0.past
    }

    fn state(&mut self) {}

    fn exchange(&mut self, (): &mut ()) {}

    fn reverse(&mut self, was: &mut Was, (): &mut (), _: Way) -> Result<(), TryReserveError> {
        if self.0.refuses {
            return Err(TryReserveError::AllocRefused { bytes: 1 });
        }
        mem::swap(&mut self.0.number, &mut was.0);
        Ok(())
    }
}

impl Reversible for Late {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        each(&mut ReturningLate(self))
    }
}

#[test]
fn a_change_is_kept_although_dropping_undone_ones_panics() {
    let mut late = Late::default();
    let first = late.checkpoint();
    late.checkpoint();
    late.write(13);
    assert_eq!((late.undo(), late.number), (Ok(true), 0)); // the undone change has the 13
    assert!(attempt(|| late.write(5)).is_err());
    assert_eq!(late.number, 5);
    assert_eq!(late.rollback(first), Ok(()));
    assert_eq!(late.number, 0);
}

/// (What is dropped later, or when there is a checkpoint again, is none that can be gone back to.)
#[test]
fn what_was_given_up_is_lost_and_nothing_more_is_recorded() {
    for [is_settled, has_changed] in [[true, true], [false, true], [false, false]] {
        let mut late = Late::default();
        let first = late.checkpoint();
        if has_changed {
            late.write(5);
        }
        late.past.give_up();
        if is_settled {
            late.past.settle();
        }
        assert!(!late.past.is_on());
        late.number = 6;
        let second = late.checkpoint();
        late.write(7);
        assert_eq!(late.rollback(first), Err(TrackError::Lost));
        assert_eq!((late.rollback(second), late.number), (Ok(()), 6));
    }
    // Nor is it when the only step was undone.
    let mut late = Late::default();
    late.checkpoint();
    late.write(5);
    assert_eq!(late.undo(), Ok(true));
    assert!(late.past.add(Was(7)).is_some());
    late.past.settle();
    assert!(!late.past.is_on());
}

/// Until then nothing is done again where an undo has begun.
#[test]
fn what_a_later_member_refused_is_completed_by_the_same_call() {
    let mut group = (Versioned::new(0), Late::default());
    for number in 1..=3 {
        group.checkpoint();
        *group.0 = number;
        group.1.write(number);
    }
    type Passed = Result<bool, TrackError>;
    let goes = |group: &mut (Versioned<u32>, Late), act: fn(&mut _) -> Passed, then: (_, _, _)| {
        assert_eq!((act(group), *group.0, group.1.number), then);
    };
    let refused = Err(TrackError::Memory(TryReserveError::AllocRefused { bytes: 1 }));
    goes(&mut group, Reversible::undo, (Ok(true), 2, 2));
    group.1.refuses = true;
    goes(&mut group, Reversible::undo, (refused.clone(), 1, 2));
    goes(&mut group, Reversible::redo, (Ok(false), 1, 2));
    group.1.refuses = false;
    goes(&mut group, Reversible::undo, (Ok(true), 1, 1));
    group.1.refuses = true;
    goes(&mut group, Reversible::redo, (refused, 2, 1));
    group.1.refuses = false;
    goes(&mut group, Reversible::redo, (Ok(true), 2, 2));
    goes(&mut group, Reversible::redo, (Ok(true), 3, 3));
    // A checkpoint that the later member has lost is one of no member.
    let point = group.checkpoint();
    group.1.past.give_up();
    assert_eq!(group.rollback(point), Err(TrackError::Lost));
}
