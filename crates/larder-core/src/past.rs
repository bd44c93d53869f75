//! The changes of a structure since its checkpoints, in their order, so that they can be reversed from the latest on.
//!
//! Trees, lists, buckets, indices and pools go back by it, and a structure of one's own can, too. It notes each change
//! in its [`Past`] before it makes it, and says by [`Reverse`] how a change is reversed; so a checkpoint costs nothing
//! but the changes since.
//! (A [`Versioned`](crate::track::Versioned) needs less code: it clones the whole value at each checkpoint.)
//!
//! # Examples
//! A count, which goes back by what was added to it:
//! ```
//! # #[cfg(feature = "track")] {
//! use larder::TryReserveError;
//! use larder::past::{Past, Reverse, Way};
//! use larder::track::{Each, Reversible, TrackError};
//!
//! #[derive(Default)]
//! struct Count {
//!     number: i64,
//!     past: Past<i64, ()>,
//! }
//!
//! impl Count {
//!     fn add(&mut self, number: i64) {
//!         self.past.note(number);
//!         self.number += number;
//!     }
//! }
//!
//! /// The count as it goes back. It is private, so that nobody else gets hold of the past.
//! struct Returning<'a>(&'a mut Count);
//!
//! impl Reverse for Returning<'_> {
//!     type Change = i64;
//!     type State = ();
//!     type Kept = ();
//!
//!     fn past(&mut self) -> &mut Past<i64, ()> {
//!         &mut self.0.past
//!     }
//!
//!     fn state(&mut self) {}
//!
//!     fn exchange(&mut self, (): &mut ()) {}
//!
//!     fn reverse(&mut self, added: &mut i64, (): &mut (), _: Way) -> Result<(), TryReserveError> {
//!         *added = -*added;
//!         self.0.number += *added;
//!         Ok(())
//!     }
//! }
//!
//! impl Reversible for Count {
//!     fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
//!         each(&mut Returning(self))
//!     }
//! }
//!
//! let mut count = Count::default();
//! count.add(1);
//! count.checkpoint();
//! [10, 20].map(|number| count.add(number));
//! assert!(count.undo()?);
//! assert_eq!(count.number, 1);
//! assert!(count.redo()?);
//! assert_eq!(count.number, 31);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Few structures ever have a checkpoint, so the steps lie behind one pointer, and the first checkpoint makes them.
//
// The changes of all steps lie one behind the other, so that a step is a few words, and records into memory that others
// have used before. Undone steps stay where they are, behind those that are done, as do their changes:
//
//     steps     done, in their order │ undone, in their order
//     changes   of steps that are gone │ of those done │ of those undone │ added since
//
// **Invariant.** Steps are in ascending order of their numbers. `is_on` holds while there is a step, done or
// undone. Steps left when it is false have been abandoned. Changes of steps that are gone are left only if a `Drop`
// panicked, and changes are `added` behind undone ones only until `settle`.

use alloc::vec::Vec;
use core::mem;
use core::sync::atomic::{AtomicUsize, Ordering};

mod journal;

pub(crate) use journal::{Journal, Passed, Refused};

use crate::error::TryReserveError;
use crate::memory::queue::Queue;
use crate::room::reserve;
use crate::scratch::Seldom;

/// (A structure that was not asked for its number has 0.)
static OWNERS: AtomicUsize = AtomicUsize::new(1);

/// Returns a number that no other structure has, by which checkpoints know their structure.
#[cfg(target_has_atomic = "ptr")]
#[inline]
pub(crate) fn next_owner() -> usize {
    OWNERS.fetch_add(1, Ordering::Relaxed)
}

/// Returns a number, without an atomic addition. If an interrupt makes a structure in between, both have the same
/// number, and a checkpoint of one is not refused by the other. No memory depends on the number.
#[cfg(not(target_has_atomic = "ptr"))]
#[inline]
pub(crate) fn next_owner() -> usize {
    let number = OWNERS.load(Ordering::Relaxed);
    OWNERS.store(number.wrapping_add(1), Ordering::Relaxed);
    number
}

/// The panic of a group whose `members` change from call to call: a checkpoint's number has to follow those of all.
pub(crate) const OTHER_MEMBERS: &str =
    "`members` of a group passes other members than before: it has to pass the same ones each time";

/// A state to return to: of a container, of a structure beside it, or of a group of them. Made by
/// [`checkpoint`](crate::track::Reversible::checkpoint). It is two numbers, which cost nothing to keep.
///
/// # Examples
/// ```
/// use larder::{Arena, track::{Checkpoint, Reversible, Tracked}};
///
/// let mut score = Tracked::new(Arena::from_iter([0]));
/// let frames: Vec<Checkpoint> = (0..8)
///     .map(|_| {
///         let frame = score.checkpoint();
///         score.iter_mut().for_each(|(_, points)| *points += 1);
///         frame
///     })
///     .collect();
/// score.rollback(frames[3])?;
/// assert!(score.values().eq(&[3]));
/// # Ok::<(), larder::track::TrackError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The number of the first member of the group that it is of.
    pub(crate) owner: usize,
    /// Later ones of an owner have larger numbers.
    pub(crate) number: u64,
}

/// The way in which changes are reversed, of which a structure takes notice if it issues keys.
///
/// # Examples
/// ```
/// use larder::past::Way;
///
/// /// Returns whether keys that are taken back can be issued again.
/// fn is_exact(way: Way) -> bool {
///     way != Way::Undo
/// }
/// assert!(is_exact(Way::Back));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// By a rollback: exactly, and for good.
    Back,
    /// By an undo: generations count on, so that what was issued since stays stale.
    Undo,
    /// By a redo: exactly what was undone.
    Redo,
}

/// A store of what the changes of a step have in common, such as the bytes of texts that they removed. Its memory is
/// used again for later steps. `()` keeps nothing.
///
/// # Examples
/// ```
/// use larder::past::Kept;
///
/// /// Texts that were removed, of which each change knows its part.
/// #[derive(Default)]
/// struct Texts(String);
///
/// impl Kept for Texts {
///     fn clear(&mut self) {
///         self.0.clear();
///     }
/// }
/// let mut texts = Texts("wren".into());
/// texts.clear();
/// assert!(texts.0.is_empty());
/// ```
pub trait Kept: Default {
    /// Drops the contents, but not its memory.
    fn clear(&mut self);
}

impl Kept for () {
    #[inline]
    fn clear(&mut self) {}
}

/// A checkpoint: what the structure was then, as far as that is not recorded with each change, and what the changes
/// since have in common.
struct Step<S, K> {
    at: Checkpoint,
    /// The number of members before this one in the group that the checkpoint is of.
    place: u32,
    state: S,
    kept: K,
    /// The position of its first change.
    first: usize,
}

/// Changes `C` in steps, each with a state `S` that is recorded once, and a store `K` of what its changes have in
/// common.
///
/// Nothing is recorded while there is no checkpoint. A structure notes a change before it makes it, by
/// [`note`](Self::note). If a change has to be either made and recorded, or neither, it [reserves](Self::reserve) room,
/// makes the change, and [adds](Self::add) it; and [settles](Self::settle) where user code may run.
///
/// # Examples
/// See the [module](self).
/// ```
/// use larder::past::Past;
///
/// let mut past = Past::<u8, ()>::new();
/// past.note(1); // there is no checkpoint
/// assert!(!past.is_on());
/// ```
pub struct Past<C, S, K = ()> {
    owner: TaggedOwner,
    steps: Seldom<Steps<C, S, K>>,
}

/// The number by which checkpoints know their structure, 0 if it was not asked for; and below it flags, in the same
/// word, so that an edit reads them beside the structure and a structure stays small.
struct TaggedOwner(usize);

/// The steps since the first checkpoint of a structure.
struct Steps<C, S, K> {
    /// Those that are done, and `undone` ones behind them.
    all: Queue<Step<S, K>>,
    undone: usize,
    changes: Queue<C>,
    /// The number of changes that were added behind undone ones.
    added: usize,
    /// The least number of the next checkpoint, and of the first that was not lost.
    made: u64,
    lost: u64,
    /// Parts that steps have kept, without contents, for the next steps. There is room for those of all steps, or of
    /// [`SPARE`].
    spare: Vec<K>,
}

/// The number of parts that are kept to be used again.
const SPARE: usize = 16;

impl TaggedOwner {
    /// Set while changes have to be noted.
    const ON: usize = 1;
    /// Set while [`settle`](Past::settle) has steps to drop: undone and cancelled ones that cannot be done again, or
    /// all.
    const REST: usize = 2;
    const FLAGS: u32 = 2;

    #[inline]
    const fn owner(&self) -> usize {
        self.0 >> Self::FLAGS
    }

    #[inline]
    const fn has(&self, flag: usize) -> bool {
        self.0 & flag != 0
    }

    #[inline]
    const fn set(&mut self, flag: usize, is_set: bool) {
        self.0 = self.0 & !flag | if is_set { flag } else { 0 };
    }
}

impl<C, S, K> Past<C, S, K> {
    /// Makes a past without checkpoints. O(1): allocates nothing.
    ///
    /// # Examples
    /// ```
    /// use larder::past::Past;
    ///
    /// const NOTHING: Past<u8, ()> = Past::new();
    /// assert!(!NOTHING.is_on());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { owner: TaggedOwner(0), steps: Seldom::none() }
    }

    /// The steps, if changes have to be noted.
    #[inline]
    fn on(&self) -> Option<&Steps<C, S, K>> {
        if self.is_on() { self.steps.get() } else { None }
    }

    /// The steps, one of which is done, if changes have to be noted.
    #[inline]
    fn on_mut(&mut self) -> Option<&mut Steps<C, S, K>> {
        let steps = if self.is_on() { self.steps.get_mut()? } else { return None };
        if steps.done() > 0 { Some(steps) } else { None }
    }

    /// Returns whether changes have to be noted: there is a checkpoint, or one that was undone or cancelled. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::past::Past;
    ///
    /// assert!(!Past::<u8, ()>::new().is_on());
    /// ```
    #[inline]
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.owner.has(TaggedOwner::ON)
    }

    /// Notes a change that is about to be made, and drops what was undone. If allocation fails, every checkpoint is
    /// [lost](Self::lose). O(1), amortised.
    ///
    /// # Examples
    /// ```
    /// use larder::past::Past;
    ///
    /// struct Count(i64, Past<i64, ()>);
    ///
    /// fn add(count: &mut Count, number: i64) {
    ///     count.1.note(number);
    ///     count.0 += number;
    /// }
    /// # add(&mut Count(1, Past::new()), 1);
    /// ```
    pub fn note(&mut self, change: C) {
        self.note_unless(|_| false, change);
    }

    /// Notes a change, unless the latest change since the last checkpoint says as much. Otherwise like
    /// [`note`](Self::note).
    ///
    /// # Examples
    /// ```
    /// use larder::past::Past;
    ///
    /// /// A place is about to be written: the first of several changes says what it was.
    /// fn write(past: &mut Past<(usize, u8), ()>, at: usize, was: u8) {
    ///     past.note_unless(|&(last, _)| last == at, (at, was));
    /// }
    /// # write(&mut Past::new(), 1, 1);
    /// ```
    #[inline]
    pub fn note_unless(&mut self, says_it: impl FnOnce(&C) -> bool, change: C) {
        self.forget_undone();
        let Some(steps) = self.on_mut() else { return };
        // (Asked first, since most often it is not.)
        if steps.changes.last().is_some_and(says_it) && steps.has_changed() {
            return;
        }
        if steps.changes.reserve(1).is_ok() {
            steps.changes.push(change);
        } else {
            self.lose();
        }
    }

    /// Makes room for this many changes, which are [added](Self::add) then without memory. O(1), amortised.
    ///
    /// # Errors
    /// If allocation fails. Nothing has changed.
    ///
    /// # Examples
    /// ```
    /// let mut past = larder::past::Past::<u8, ()>::new();
    /// assert_eq!(past.reserve(2), Ok(())); // nothing is recorded, so no room is needed
    /// ```
    #[inline]
    pub fn reserve(&mut self, changes: usize) -> Result<(), TryReserveError> {
        self.on_mut().map_or(Ok(()), |steps| steps.changes.reserve(changes))
    }

    /// Adds a change that has been made, or returns it where nothing is recorded. Nothing is dropped, so no user code
    /// runs:
    /// [`settle`](Self::settle) drops the steps that were undone. If there is no [room](Self::reserve) and allocation
    /// fails, every checkpoint is lost. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut past = larder::past::Past::<u8, ()>::new();
    /// assert_eq!(past.add(7), Some(7));
    /// ```
    #[inline]
    pub fn add(&mut self, change: C) -> Option<C> {
        match self.on_mut() {
            Some(steps) if steps.undone == 0 && steps.changes.has_room(1) => {
                steps.changes.push(change);
                None
            }
            _ => self.add_slowly(change),
        }
    }

    #[cold]
    #[inline(never)]
    fn add_slowly(&mut self, change: C) -> Option<C> {
        self.give_up_undone();
        let Some(steps) = self.on_mut() else { return Some(change) };
        if steps.changes.reserve(1).is_err() {
            self.give_up();
            return Some(change);
        }
        steps.changes.push(change);
        steps.added += usize::from(steps.undone > 0);
        None
    }

    /// Loses every checkpoint, and leaves what they hold to [`settle`](Self::settle): no user code runs. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut past = larder::past::Past::<u8, ()>::new();
    /// past.give_up();
    /// past.settle(); // drops the changes
    /// assert!(!past.is_on());
    /// ```
    pub fn give_up(&mut self) {
        self.owner.set(TaggedOwner::REST, true);
        self.abandon();
    }

    /// Has the steps that were undone not be done again, and leaves them to [`settle`](Self::settle): no user code
    /// runs.
    #[inline]
    pub(crate) fn give_up_undone(&mut self) {
        if self.steps.get().is_some_and(|steps| steps.undone > 0) {
            self.owner.set(TaggedOwner::REST, true);
        }
    }

    /// Drops what was left without use by [`add`](Self::add) and [`give_up`](Self::give_up). O(what that is).
    ///
    /// # Examples
    /// ```
    /// let mut past = larder::past::Past::<String, ()>::new();
    /// drop(past.add("wren".into()));
    /// past.settle();
    /// ```
    #[inline]
    pub fn settle(&mut self) {
        if self.owner.has(TaggedOwner::REST) {
            self.drop_rest();
        }
    }

    #[cold]
    fn drop_rest(&mut self) {
        let is_on = self.is_on();
        if let Some(steps) = self.steps.get_mut() {
            self.owner.set(TaggedOwner::ON, is_on && steps.done() > 0);
            if is_on { steps.forget_undone() } else { steps.forget_all() }
        }
        // (Not if user code panicked: then something is left.)
        self.owner.set(TaggedOwner::REST, false);
    }

    /// Loses every checkpoint, and drops what they hold: for a structure that cannot record a change. Going back to
    /// them is an error then. O(what they hold).
    ///
    /// # Examples
    /// ```
    /// let mut past = larder::past::Past::<u8, ()>::new();
    /// past.lose();
    /// assert!(!past.is_on());
    /// ```
    #[cold]
    pub fn lose(&mut self) {
        self.abandon();
        self.forget_all();
    }

    /// Returns the number of the step that is recorded, for a structure that notes which of its parts have changed in
    /// it. It is never 0, and larger than those of the steps before. `None` if nothing is recorded. O(1).
    ///
    /// # Examples
    /// ```
    /// assert_eq!(larder::past::Past::<u8, ()>::new().step(), None);
    /// ```
    #[must_use]
    pub fn step(&self) -> Option<u64> {
        Some(self.latest()?.0.number + 1)
    }

    /// The last checkpoint, if there is one that was not given up, and the place in its group.
    #[inline]
    pub(crate) fn latest(&self) -> Option<(Checkpoint, u32)> {
        self.on()?.last().map(|step| (step.at, step.place))
    }

    /// The states of the first step and of the last one, if a step is recorded.
    pub(crate) fn ends(&self) -> Option<[&S; 2]> {
        let steps = self.on()?;
        Some([&steps.all.first()?.state, &steps.last()?.state])
    }

    /// Returns the [number](Self::step) of the last step and its state, if one is recorded.
    pub(crate) fn last_step(&mut self) -> Option<(u64, &mut S)> {
        self.on_mut()?.last_mut().map(|step| (step.at.number + 1, &mut step.state))
    }

    /// The changes, if there is room for one more: for a structure that knows that one has to be recorded.
    #[inline]
    pub(crate) fn room(&mut self) -> Option<&mut Queue<C>> {
        self.steps.get_mut().map(|steps| &mut steps.changes).filter(|changes| changes.has_room(1))
    }

    /// The checkpoint that was undone last, if it can be done again, and the place in its group.
    pub(crate) fn latest_undone(&self) -> Option<(Checkpoint, u32)> {
        let steps = self.on().filter(|_| !self.owner.has(TaggedOwner::REST))?;
        steps.all.get(steps.done()).map(|step| (step.at, step.place))
    }

    /// The position of the step of a checkpoint, if that is the next on the way. (On the way back others are passed
    /// first.)
    pub(crate) fn position(&self, of: Checkpoint, way: Way) -> Option<usize> {
        let steps = self.on()?;
        let next = match way {
            Way::Back => return self.find(of).map(|(step, _)| step),
            Way::Undo => steps.done().wrapping_sub(1),
            Way::Redo if self.owner.has(TaggedOwner::REST) => return None,
            Way::Redo => steps.done(),
        };
        steps.all.get(next).filter(|step| step.at == of).map(|_| next)
    }

    /// The checkpoint with this many others behind it.
    pub(crate) fn before_latest(&self, count: usize) -> Option<Checkpoint> {
        let steps = self.on()?;
        Some(steps.all[steps.done().checked_sub(count + 1)?].at)
    }

    /// A checkpoint that may come next.
    pub(crate) fn next(&mut self) -> Checkpoint {
        if self.owner.owner() == 0 {
            self.owner.0 |= next_owner() << TaggedOwner::FLAGS;
        }
        Checkpoint {
            owner: self.owner.owner(),
            number: self.steps.get().map_or(0, |steps| steps.made),
        }
    }

    /// Returns the store of the changes since the last checkpoint, if there is one. O(1).
    ///
    /// # Examples
    /// ```
    /// assert_eq!(larder::past::Past::<u8, ()>::new().kept(), None);
    /// ```
    pub fn kept(&mut self) -> Option<&mut K> {
        self.on_mut()?.last_mut().map(|step| &mut step.kept)
    }

    /// Makes room for the step of a checkpoint. Panics if its number is not larger than those of earlier ones.
    #[inline]
    pub(crate) fn reserve_step(&mut self, at: Checkpoint) -> Result<(), TryReserveError> {
        let steps = self.steps.get_or_make(Steps::new)?;
        assert!(at.number >= steps.made, "{OTHER_MEMBERS}");
        // (Those that were given up: if nothing is left, the memory is.)
        let is_empty = steps.all.is_empty() && steps.changes.is_empty();
        if !(self.owner.has(TaggedOwner::ON) || is_empty) {
            steps.forget_all();
        }
        steps.all.reserve(1)?;
        let parts = (steps.done() + 1).min(SPARE).saturating_sub(steps.spare.len());
        reserve(&mut steps.spare, parts)
    }

    /// Begins the step of a checkpoint, for which there is [room](Self::reserve_step).
    #[inline]
    pub(crate) fn begin(&mut self, state: S, at: Checkpoint, place: u32)
    where
        K: Default,
    {
        self.forget_undone();
        let Some(steps) = self.steps.get_mut() else { return };
        steps.made = at.number + 1;
        let kept = steps.spare.pop().unwrap_or_default();
        let first = steps.changes.end();
        steps.all.push(Step { at, place, state, kept, first });
        self.owner.set(TaggedOwner::ON, true);
    }

    /// Cancels the step of a checkpoint that was just begun, which [`settle`](Self::settle) drops: a panic may unwind,
    /// while nothing else may panic. If a group has changed a member meanwhile, which nothing keeps its `members` from,
    /// every checkpoint is lost.
    pub(crate) fn cancel(&mut self, at: Checkpoint, has_gone_on: bool) {
        let is_latest = self.latest().is_some_and(|(latest, _)| latest == at);
        if let Some(steps) = self.steps.get_mut().filter(|_| is_latest) {
            if has_gone_on || steps.has_changed() {
                return self.give_up();
            }
            steps.undone += 1;
            self.owner.set(TaggedOwner::REST, true);
        }
    }

    /// The position of the step of a checkpoint, if there is one, and the place in its group.
    pub(crate) fn find(&self, at: Checkpoint) -> Option<(usize, u32)> {
        let steps = self.on()?;
        let found = steps.all.binary_search_by_key(&at.number, |step| step.at.number).ok()?;
        let step = &steps.all[found];
        (found < steps.done() && step.at == at).then_some((found, step.place))
    }

    /// Returns whether a checkpoint is another structure's.
    pub(crate) const fn is_foreign(&self, at: Checkpoint) -> bool {
        self.owner.owner() != at.owner
    }

    /// Returns whether a checkpoint of that number, if there was one, was given up.
    pub(crate) fn has_lost(&self, number: u64) -> bool {
        self.steps.get().is_some_and(|steps| number < steps.lost)
    }

    /// Gives up every checkpoint. The steps stay, and are dropped later: while a panic unwinds nothing else may panic.
    /// (They are not moved elsewhere either, since that might allocate.)
    pub(crate) fn abandon(&mut self) {
        if let Some(steps) = self.steps.get_mut() {
            steps.lost = steps.made;
        }
        self.owner.set(TaggedOwner::ON, false);
    }

    /// Forgets the steps before one.
    pub(crate) fn forget(&mut self, before: usize)
    where
        K: Kept,
    {
        let Some(steps) = self.steps.get_mut() else { return };
        for _ in 0..before {
            if let Some(step) = steps.all.pop_first() {
                steps.recycle(step.kept);
            }
        }
        // (User code runs last.)
        steps.changes.forget_before(steps.first(0));
    }

    /// Forgets all steps, undone ones too.
    pub(crate) fn forget_all(&mut self) {
        self.owner.set(TaggedOwner::ON, false);
        if let Some(steps) = self.steps.get_mut() {
            steps.forget_all();
        }
    }

    /// Drops the steps that were undone, so that they cannot be done again: for a change that is not noted.
    /// O(what they hold).
    ///
    /// # Examples
    /// ```
    /// let mut past = larder::past::Past::<u8, ()>::new();
    /// past.forget_undone();
    /// assert!(!past.is_on());
    /// ```
    #[inline]
    pub fn forget_undone(&mut self) {
        if self.steps.get().is_some_and(|steps| steps.undone > 0) {
            self.owner.set(TaggedOwner::REST, true);
            self.drop_rest();
        }
    }
}

impl<C, S, K> Steps<C, S, K> {
    const fn new() -> Self {
        Self {
            all: Queue::new(),
            undone: 0,
            changes: Queue::new(),
            added: 0,
            made: 0,
            lost: 0,
            spare: Vec::new(),
        }
    }

    /// The number of steps that are done.
    #[inline]
    fn done(&self) -> usize {
        self.all.len() - self.undone
    }

    /// The last step that is done.
    #[inline]
    fn last(&self) -> Option<&Step<S, K>> {
        self.all.get(self.done().wrapping_sub(1))
    }

    #[inline]
    fn last_mut(&mut self) -> Option<&mut Step<S, K>> {
        let last = self.done().wrapping_sub(1);
        self.all.get_mut(last)
    }

    /// The position of the first change of the step at a position, or of what was added behind all.
    #[inline]
    fn first(&self, at: usize) -> usize {
        match self.all.get(at) {
            Some(step) => step.first,
            None => self.changes.end().wrapping_sub(self.added),
        }
    }

    /// Returns whether there is a change since the last checkpoint, if nothing is undone.
    #[inline]
    fn has_changed(&self) -> bool {
        self.first(self.all.len().saturating_sub(1)) != self.changes.end()
    }

    /// Drops the undone steps and their changes, and keeps those that were added since.
    fn forget_undone(&mut self) {
        let done = self.all.end().wrapping_sub(self.undone);
        // (If user code panics here, steps without changes are left, and what was added is told from them still.)
        self.changes.remove(self.first(self.done())..self.first(self.all.len()));
        (self.undone, self.added) = (0, 0);
        self.all.truncate(done);
    }

    /// Drops what a step that is gone has kept, but not its memory.
    fn recycle(&mut self, mut kept: K)
    where
        K: Kept,
    {
        if self.spare.len() < self.spare.capacity().min(SPARE) {
            kept.clear();
            self.spare.push(kept);
        }
    }

    fn forget_all(&mut self) {
        self.spare = Vec::new();
        (self.undone, self.added) = (0, 0);
        drop((mem::take(&mut self.all), mem::take(&mut self.changes)));
    }
}

/// A structure that records its changes in a [`Past`] and can reverse them, so that it is a
/// [member](crate::track::Reversible::members) of a group that goes back.
///
/// Whoever can call these functions can take the past away, or have the changes of another structure reversed. So a
/// structure whose consistency depends on its past does not implement the trait itself: it has a private type, as in
/// the [module](self)'s example, that its `members` passes on. Those of this crate do:
/// ```compile_fail,E0277
/// fn exchange_pasts<R: larder::past::Reverse>(one: &mut R, other: &mut R) {
///     std::mem::swap(one.past(), other.past());
/// }
/// let [mut one, mut other] = [(); 2].map(|()| larder::pools::ListPool::<u8>::new());
/// exchange_pasts(&mut one, &mut other);
/// ```
pub trait Reverse: Sized {
    /// The record of a change.
    type Change;
    /// The part of the structure that is recorded once a step.
    type State: Clone;
    /// The store of what the changes of a step have in common.
    type Kept: Kept;

    /// Lends the past, always the same one.
    fn past(&mut self) -> &mut Past<Self::Change, Self::State, Self::Kept>;

    /// Returns the present state, for a step that begins. User code may run here.
    fn state(&mut self) -> Self::State;

    /// Exchanges the present state for that of a step. Called when all changes of the step are reversed.
    fn exchange(&mut self, state: &mut Self::State);

    /// Reverses a change, the latest that is not reversed, and makes of it, with the store, what reverses it again.
    ///
    /// # Errors
    /// If allocation fails. Nothing has changed then.
    fn reverse(
        &mut self,
        change: &mut Self::Change,
        kept: &mut Self::Kept,
        way: Way,
    ) -> Result<(), TryReserveError>;
}

impl<C, S, K> core::fmt::Debug for Past<C, S, K> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Past").field("is_on", &self.is_on()).finish_non_exhaustive()
    }
}

impl<C, S, K> Default for Past<C, S, K> {
    fn default() -> Self {
        Self::new()
    }
}

/// A clone of the structure has no checkpoints.
impl<C, S, K> Clone for Past<C, S, K> {
    fn clone(&self) -> Self {
        Self::new()
    }
}
