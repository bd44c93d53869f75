//! Groups: containers, structures and values that have one history.

use core::cell::{Cell, RefCell};
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::rc::Rc;

use larder::pools::ListPool;
use larder::track::{Each, Reversible, TrackError, Tracked, Versioned};
use larder::{Arena, Handle, SecondaryMap, Tree};
use larder_testing::allocator::refusing_after;
use larder_testing::common::{scaled, thorough};

use crate::going_back::Dice;
use crate::reversible::{Beside, Objects, goes_back};

type Id = Handle<u32>;

#[derive(Clone, Default, Reversible)]
struct World {
    things: Tracked<Arena<u32>>,
    ages: Tracked<SecondaryMap<Id, u32>>,
    tree: Tree<Id>,
    lists: ListPool<u32>,
    frame: Versioned<u32>,
}

/// Everything that can be seen of a world: objects with their ages and parents, lists, and the frame.
type Seen = (Vec<(Id, u32, Option<u32>, Option<Id>)>, usize, u32);

impl World {
    fn seen(&self) -> Seen {
        let of = |(key, &value): (Id, &u32)| {
            (key, value, self.ages.get(key).copied(), self.tree.parent(key))
        };
        (self.things.iter().map(of).collect(), self.lists.len(), *self.frame)
    }

    /// Changes most of the members.
    fn edit(&mut self, dice: &mut Dice) {
        let keys: Vec<Id> = self.things.keys().collect();
        *self.frame += 1;
        match dice.below(5) {
            0 if !keys.is_empty() => {
                let key = keys[dice.below(keys.len())];
                self.ages.remove(key);
                self.tree.remove_orphaning(&mut self.things, key);
            }
            1 if keys.len() > 1 => {
                let [one, other] = [(); 2].map(|()| keys[dice.below(keys.len())]);
                let _ = self.tree.append(&*self.things, one, other);
                self.lists.make([*self.frame]);
            }
            _ => {
                let key = self.things.insert(*self.frame);
                self.ages.insert(key, 2 * *self.frame);
            }
        }
    }
}

#[test]
fn members_of_several_types_are_one_group() {
    let mut things = Tracked::new(Arena::new());
    let [first, second] = [1_u32, 2].map(|thing| things.insert(thing));
    let mut tree = Tree::new();
    tree.append(&*things, first, second).unwrap();
    let mut group: Vec<Box<dyn Reversible + '_>> = vec![Box::new(&mut things), Box::new(&mut tree)];
    let then = group.checkpoint();
    drop(group);
    tree.remove_subtree(&mut things, first);
    let mut group: [Box<dyn Reversible>; 2] = [Box::new(things), Box::new(tree)];
    assert_eq!(group.rollback(then), Ok(()));
    assert_eq!(
        group.rollback(Tracked::new(Arena::<u8>::new()).checkpoint()),
        Err(TrackError::Foreign)
    );
}

/// A value whose clone panics if it is zero.
struct Fragile(u32);

impl Clone for Fragile {
    fn clone(&self) -> Self {
        assert!(self.0 > 0, "it is zero");
        Self(self.0)
    }
}

#[test]
fn a_checkpoint_that_panics_is_one_of_no_member() {
    let mut group = (Versioned::new(1), Versioned::new(Fragile(1)), Versioned::new(1));
    let then = group.checkpoint();
    (*group.0, *group.1, *group.2) = (2, Fragile(0), 2);
    catch_unwind(AssertUnwindSafe(|| group.checkpoint())).expect_err("the clone panics");
    assert!(group.undo().unwrap() && !group.undo().unwrap());
    assert_eq!((*group.0, group.1.0, *group.2), (1, 1, 1));
    assert!(group.redo().unwrap());
    assert_eq!((*group.0, group.1.0, *group.2), (2, 0, 2));
    assert_eq!(group.rollback(then), Ok(()));
}

thread_local! {
    /// The values that were dropped, and those of them while a panic unwound.
    static DROPPED: Cell<[u32; 2]> = const { Cell::new([0, 0]) };
}

/// A value that counts when it is dropped.
#[derive(Clone)]
struct Counted;

impl Drop for Counted {
    fn drop(&mut self) {
        let [all, unwinding] = DROPPED.get();
        DROPPED.set([all + 1, unwinding + u32::from(std::thread::panicking())]);
    }
}

/// (If a second value panicked then, the program would end.)
#[test]
fn a_checkpoint_that_is_cancelled_drops_nothing_while_a_panic_unwinds() {
    let mut group = (Versioned::new(Counted), Versioned::new(Fragile(1)));
    let then = group.checkpoint();
    *group.1 = Fragile(0);
    catch_unwind(AssertUnwindSafe(|| group.checkpoint())).expect_err("the clone panics");
    assert_eq!(DROPPED.get(), [0, 0]);
    assert_eq!(group.redo(), Ok(false));
    *group.1 = Fragile(2);
    group.checkpoint();
    assert_eq!(DROPPED.get(), [1, 0], "the clone of the one that was cancelled");
    assert_eq!((group.undo(), group.1.0), (Ok(true), 2));
    assert_eq!((group.rollback(then), group.1.0), (Ok(()), 1));
}

/// Two numbers, of which the second can be withheld.
struct Withheld {
    numbers: [Versioned<u8>; 2],
    is_withheld: bool,
}

impl Reversible for Withheld {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        self.numbers[0].members(each)?;
        if self.is_withheld {
            return Err(TrackError::Lost);
        }
        self.numbers[1].members(each)
    }
}

#[test]
fn a_group_that_returns_an_error_goes_nowhere() {
    let mut group = Withheld { numbers: [0, 0].map(Versioned::new), is_withheld: false };
    for number in 1..4 {
        group.checkpoint();
        group.numbers.iter_mut().for_each(|place| **place = number);
    }
    let seen = |group: &Withheld| group.numbers.each_ref().map(|number| **number);
    for (undoes, then) in [(true, [2, 2]), (true, [1, 1]), (false, [2, 2])] {
        let act = if undoes { Withheld::undo } else { Withheld::redo };
        let before = seen(&group);
        group.is_withheld = true;
        assert_eq!(
            (act(&mut group), act(&mut group)),
            (Err(TrackError::Lost), Err(TrackError::Lost))
        );
        assert_eq!(seen(&group), before);
        group.is_withheld = false;
        assert_eq!((act(&mut group), seen(&group)), (Ok(true), then));
    }
}

impl Beside for World {
    type Seen = Seen;

    fn empty() -> Self {
        Self::default()
    }

    fn edit(&mut self, _: &Objects, dice: &mut Dice) -> bool {
        Self::edit(self, dice);
        false
    }

    fn seen(&self, _: &Objects) -> Seen {
        Self::seen(self)
    }

    fn check(&self) {
        self.things.validate();
        self.tree.validate();
        self.lists.validate();
    }
}

#[test]
fn all_members_go_back_at_once() {
    for seed in 1..thorough(20, 3) as u64 {
        goes_back::<World>(&Objects::new(), seed, scaled(600, 60));
    }
}

#[test]
fn a_member_that_went_back_alone_is_noticed() {
    let mut world = World::default();
    let first = world.checkpoint();
    world.edit(&mut Dice(1));
    let second = world.checkpoint();
    world.edit(&mut Dice(2));
    assert_eq!(world.tree.rollback(first), Ok(()));
    let seen = world.seen();
    assert_eq!(world.rollback(second), Err(TrackError::NotShared));
    assert_eq!(world.undo(), Err(TrackError::NotShared));
    assert_eq!(world.forget(second), Err(TrackError::NotShared));
    assert_eq!(world.keep(1), Err(TrackError::NotShared));
    assert_eq!(world.seen(), seen, "nothing has changed");
    assert_eq!(world.rollback(first), Ok(()));
    assert_eq!(world.rollback(second), Err(TrackError::Gone));

    // One with a checkpoint of its own, which has to go first.
    let third = world.checkpoint();
    world.frame.checkpoint();
    assert_eq!(world.undo(), Err(TrackError::NotShared));
    assert_eq!(world.frame.undo(), Ok(true));
    assert_eq!(world.undo(), Ok(true));
    assert_eq!(world.rollback(third), Err(TrackError::Gone));
    // (Of a group it has a number that no member has had.)
    let fourth = world.checkpoint();
    assert_eq!(world.rollback(fourth), Ok(()));
}

#[test]
fn a_member_that_was_replaced_is_noticed() {
    let mut world = World::default();
    world.edit(&mut Dice(1));
    let point = world.checkpoint();
    world.edit(&mut Dice(2));
    world.lists = ListPool::new();
    let seen = world.seen();
    assert_eq!(world.rollback(point), Err(TrackError::NotShared));
    assert_eq!(world.undo(), Err(TrackError::NotShared));
    assert_eq!(world.seen(), seen);
    // Also by one that has a checkpoint of the same number, of another group.
    let mut other = World::default();
    other.checkpoint();
    world.lists = other.lists;
    assert_eq!(world.rollback(point), Err(TrackError::NotShared));
    assert_eq!(world.undo(), Err(TrackError::NotShared));
    assert_eq!(other.frame.rollback(point), Err(TrackError::Foreign));
}

#[test]
fn a_change_of_one_member_discards_the_redo_of_all() {
    let mut world = World::default();
    world.checkpoint();
    world.edit(&mut Dice(3));
    assert_eq!(world.undo(), Ok(true));
    *world.frame = 7;
    let seen = world.seen();
    assert_eq!(world.redo(), Ok(false));
    assert_eq!(world.seen(), seen);
    assert_eq!(world.things.redo(), Ok(false), "its own redo is gone, too");
}

#[test]
fn groups_of_references_and_of_one_type() {
    let mut pair = [Versioned::new(1), Versioned::new(2)];
    let mut third = Versioned::new(3);
    let point = (&mut pair, &mut third).checkpoint();
    (*pair[0], *pair[1], *third) = (10, 20, 30);
    assert_eq!((&mut pair, &mut third).rollback(point), Ok(()));
    assert_eq!((*pair[0], *pair[1], *third), (1, 2, 3));
    let [one, other] = &mut pair;
    // In another order it is another group, whose first member has the checkpoint, too.
    *other = Versioned::new(4);
    assert_eq!((one, other).rollback(point), Err(TrackError::NotShared));
    let every: &mut dyn Reversible = &mut third;
    assert_eq!(every.rollback(point), Ok(()));
    let none: [Versioned<u32>; 0] = [];
    let mut none = none;
    let point = none.checkpoint();
    assert_eq!((none.rollback(point), none.undo(), none.redo()), (Ok(()), Ok(false), Ok(false)));
}

/// Wherever an allocation fails, nothing has changed, or the same call completes what was begun.
#[test]
fn refused_memory_leaves_a_group_that_can_go_on() {
    let (mut begun, mut undone) = (0, 0);
    for after in 0..60 {
        let (mut dice, mut world) = (Dice(5), World::default());
        (0..30).for_each(|_| world.edit(&mut dice));
        // (With as many steps as there is room for at first, so that the second one needs memory.)
        (0..3).for_each(|_| _ = world.checkpoint());
        let (first, then) = (world.checkpoint(), world.seen());
        (0..30).for_each(|_| world.edit(&mut dice));
        let mut now = world.seen();

        let (_, second) = refusing_after(after, false, || world.try_checkpoint());
        assert_eq!(world.seen(), now);
        begun += usize::from(second.is_err());
        if second.is_err() {
            // No member has a step of it: the latest of all is the first, which goes on.
            (0..9).for_each(|_| world.edit(&mut dice));
            now = world.seen();
            assert_eq!((world.undo(), world.seen()), (Ok(true), then.clone()));
            assert_eq!((world.redo(), world.seen()), (Ok(true), now.clone()));
            world.checkpoint();
        }
        (0..30).for_each(|_| world.edit(&mut dice));
        let last = world.seen();

        let mut goes = |way: &dyn Fn(&mut World) -> Result<bool, TrackError>, then: &Seen| {
            let (_, done) = refusing_after(after, false, || way(&mut world));
            assert_eq!(done.clone().or_else(|_| way(&mut world)), Ok(true), "after {after}");
            assert_eq!(world.seen(), *then, "after {after}");
            usize::from(done.is_err())
        };
        undone += goes(&|world| world.undo(), &now);
        goes(&|world| world.redo(), &last);
        goes(&|world| world.rollback(first).map(|()| true), &then);
    }
    assert!(begun > 0 && undone > 0 && begun < 60, "{begun} {undone}");
}

/// A group of somebody who passes one member or two, as it pleases.
struct Fickle {
    first: Versioned<u32>,
    second: Tracked<Arena<u32>>,
    passes_both: Vec<bool>,
}

impl Reversible for Fickle {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        self.first.members(each)?;
        if self.passes_both.pop().unwrap_or(true) { self.second.members(each) } else { Ok(()) }
    }
}

#[test]
#[should_panic(expected = "has to pass the same ones each time")]
fn a_group_that_passes_other_members_makes_no_second_step_of_a_number() {
    let (first, mut second) = (Versioned::new(1), Tracked::new(Arena::from_iter([1_u32])));
    (0..3).for_each(|_| _ = second.checkpoint());
    Fickle { first, second, passes_both: vec![false] }.checkpoint();
}

/// A member that others have, too.
#[derive(Default)]
struct Shared<R>(Rc<RefCell<R>>);

impl<R: Reversible> Reversible for Shared<R> {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        self.0.borrow_mut().members(each)
    }
}

/// A value that changes a member while it is cloned for a checkpoint, and panics then.
struct Changing<R>(Rc<RefCell<R>>, fn(&mut R));

impl<R> Clone for Changing<R> {
    fn clone(&self) -> Self {
        (self.1)(&mut self.0.borrow_mut());
        panic!("no clone");
    }
}

/// No checkpoint is left of a member that changed in a step that was cancelled, since it would be wrong.
fn cancels<R: Reversible + Default>(change: fn(&mut R), len: fn(&R) -> usize) {
    let mut shared = Shared::<R>::default();
    change(&mut shared.0.borrow_mut());
    let before = shared.checkpoint();
    change(&mut shared.0.borrow_mut());
    let changing = Versioned::new(Changing(Rc::clone(&shared.0), change));
    let mut group = (Shared(Rc::clone(&shared.0)), changing);
    assert!(catch_unwind(AssertUnwindSafe(|| group.checkpoint())).is_err());
    change(&mut shared.0.borrow_mut());
    assert_eq!(shared.rollback(before), Err(TrackError::Lost));
    assert_eq!(len(&shared.0.borrow()), 4);
}

#[test]
fn a_cancelled_step_in_which_a_member_changed_leaves_no_checkpoint_that_is_wrong() {
    // (An insertion into a fresh slot is not noted, but the step has begun with it.)
    cancels::<Tracked<Arena<u32>>>(|things| _ = things.insert(1), |things| things.len());
    cancels::<ListPool<u32>>(|lists| _ = lists.make([1]), ListPool::len);
}

/// Each member would return to its own state, in the place of the other.
#[test]
fn members_that_have_changed_places_do_not_go_back() {
    let mut both = [1, 2].map(Versioned::new);
    let then = both.checkpoint();
    *both[0] = 3;
    both.swap(0, 1);
    assert_eq!(both.rollback(then), Err(TrackError::NotShared));
    assert_eq!((both.can_undo(), both.undo()), (false, Err(TrackError::NotShared)));
    assert_eq!(both.each_ref().map(|number| **number), [2, 3]);
    // As they were, they go back; what was undone is not done again if they change places then.
    both.swap(0, 1);
    assert_eq!((both.undo(), both.can_redo()), (Ok(true), true));
    both.swap(0, 1);
    assert_eq!((both.can_redo(), both.redo()), (false, Ok(false)));
    assert_eq!(both.map(Versioned::into_inner), [2, 1]);
}

/// One that has left meanwhile is not missed: the others keep their order.
#[test]
fn members_may_leave_between_others() {
    let mut numbers: Vec<_> = [1, 2, 3].map(Versioned::new).into();
    let then = numbers.checkpoint();
    *numbers[2] = 4;
    numbers.remove(1);
    assert_eq!((numbers.rollback(then), *numbers[1]), (Ok(()), 3));
}
