//! Going back to checkpoints: what can, by itself or as a group.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem;

use super::TrackError;
use super::member::Internal;
use super::member::{Each, Member};
use crate::error::TryReserveError;
use crate::macros::each_prefix;
use crate::memory::OnDrop;
use crate::past::{Checkpoint, Way};
use crate::room;

/// Structures that go back to checkpoints: a [`Table`](super::Table), a [`Tracked`](super::Tracked) container or map, a
/// `Tree`, `KeyList`, `Buckets`, `ListPool` or `StringPool`, the indices of keys, alone or in an `IndexBy`, a
/// [`Versioned`](super::Versioned) value, and groups of these.
///
/// A group is a tuple, an array, or a struct that derives this trait, with the feature `derive`. It has one history:
/// a checkpoint is of all members, and they return to it together. Members keep what they hold themselves, so that a
/// group of references, `(&mut ships, &mut tree)`, is as good as one of values. If one of them does not have a
/// checkpoint that the first has, since it was replaced or went back alone, or if members have changed places, nothing
/// changes ([`TrackError::NotShared`]).
///
/// # Rollback or undo
/// | | [`rollback`](Self::rollback) | [`undo`](Self::undo), [`redo`](Self::redo) |
/// |---|---|---|
/// | for | a simulation that is run again | an editor's document |
/// | values, and keys of removed values | return | return |
/// | keys and handles issued since | are issued again, for other values | stay stale permanently, unless redone, also after a rollback |
/// | order in which free slots are used | returns | another |
/// | the same calls again | return the same keys | return new keys |
///
/// Changes are recorded only while there are checkpoints. Meanwhile slots of trees and pools are not renewed, and
/// `shrink_to_fit` may keep memory. A container clones a value, and a `ListPool` the values of a list, before its first
/// change since the latest checkpoint; if a `Clone` panics, that change is not made. A clone of a structure has no
/// checkpoints.
///
/// # Failed allocations and panics
/// If allocation fails when a change has to be recorded, the change is made nevertheless, and every checkpoint of that
/// member is [lost](TrackError::Lost). If it fails while a group goes back, undoes or redoes, some of its members may
/// have done so: the same call again completes it, as it does where the `Drop` of a value has cut a rollback short. (An
/// undo and a redo drop values when all members have passed.) If a pool's function or the `Clone` of a
/// [`Versioned`](super::Versioned) panics then, every checkpoint of that member is lost, and it may be between two of
/// them.
///
/// Indices return with the order of keys that share a property, of a `SortedIndex` and of a grid's queries; only `iter`
/// of a `UniqueIndex` or a `MultiIndex` may have another order. A change whose record cannot be allocated is refused; a
/// removal is made, and every checkpoint is [lost](TrackError::Lost). A `SortedIndex` compares and clones properties on
/// its way back: if they panic, every checkpoint is lost, and the index stays consistent. The others run no code of
/// properties then, but for `Drop`.
///
/// # Examples
/// ```
/// use larder::{Arena, Tree, track::{Reversible, Tracked}};
///
/// let mut parts = Tracked::new(Arena::new());
/// let [car, wheel] = ["car", "wheel"].map(|part| parts.insert(part));
/// let mut tree = Tree::new();
/// tree.append(&*parts, car, wheel)?;
/// let then = (&mut parts, &mut tree).checkpoint();
///
/// tree.remove_subtree(&mut parts, car);
/// (&mut parts, &mut tree).rollback(then)?;
/// assert_eq!((parts[wheel], tree.parent(wheel)), ("wheel", Some(car)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// A struct as a group, of which no field can be forgotten:
/// ```
/// # #[cfg(feature = "derive")] {
/// use larder::track::{Reversible, Tracked, Versioned};
/// use larder::{Arena, Handle, Tree};
///
/// #[derive(Default, Reversible)]
/// struct Game {
///     ships: Tracked<Arena<&'static str>>,
///     fleets: Tree<Handle<&'static str>>,
///     frame: Versioned<u32>,
/// }
///
/// let mut game = Game::default();
/// let start = game.checkpoint();
/// game.ships.insert("frigate");
/// *game.frame += 1;
/// game.rollback(start)?;
/// assert_eq!((game.ships.len(), *game.frame), (0, 0));
/// # }
/// # Ok::<(), larder::track::TrackError>(())
/// ```
#[doc(alias("undo", "history", "snapshot", "transaction"))]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot go back to checkpoints",
    label = "does not record its changes",
    note = "a container or a map of side data does so in a `Tracked`, if its values are `Clone`; any other value in a `Versioned`",
    note = "a struct of what goes back does so by `#[derive(Reversible)]`"
)]
pub trait Reversible {
    /// Passes each member of the group to `each`, up to the first error: the same ones in the same order every time. A
    /// container or structure is its only member. (A group that passes others makes a checkpoint panic.)
    ///
    /// # Errors
    /// The first error of `each`.
    ///
    /// # Examples
    /// A group of which one member may be missing, as [derived](Reversible) code passes its fields on:
    /// ```
    /// use larder::track::{Each, Reversible, TrackError, Tracked, Versioned};
    /// use larder::Arena;
    ///
    /// struct Game {
    ///     ships: Tracked<Arena<u32>>,
    ///     replay: Option<Versioned<u32>>,
    /// }
    /// impl Reversible for Game {
    ///     fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
    ///         self.ships.members(each)?;
    ///         self.replay.members(each)
    ///     }
    /// }
    ///
    /// let mut game = Game { ships: Tracked::new(Arena::new()), replay: Some(Versioned::new(1)) };
    /// let then = game.checkpoint();
    /// game.replay = None;
    /// assert_eq!(game.rollback(then), Ok(())); // of those that are left
    /// ```
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError>;

    /// Returns a checkpoint that [`rollback`](Self::rollback) can go back to. No value of a container is copied: the
    /// first change of a slot after it clones what is there. O(members), for a container
    /// O(slots begun since the last checkpoint / 64 + slots / 4,096), and with another [order of reuse](crate::Reuse)
    /// than the packed one O(free slots).
    ///
    /// # Panics
    /// If allocation fails.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{Reversible, Tracked}};
    ///
    /// let mut birds = Tracked::new(Arena::new());
    /// let empty = birds.checkpoint();
    /// birds.insert("wren");
    /// birds.rollback(empty)?;
    /// assert!(birds.is_empty());
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    #[track_caller]
    fn checkpoint(&mut self) -> Checkpoint {
        room::granted::<Self, _>(self.try_checkpoint())
    }

    /// Like [`checkpoint`](Self::checkpoint), but returns an error where allocation fails.
    ///
    /// # Errors
    /// If allocation fails. Then nothing has changed, but that there may be nothing to [redo](Self::redo).
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, Tree, track::Reversible};
    ///
    /// let mut tree = Tree::<Handle<u8>>::new();
    /// assert!(tree.try_checkpoint().is_ok());
    /// ```
    fn try_checkpoint(&mut self) -> Result<Checkpoint, TryReserveError> {
        let mut at: Option<Checkpoint> = None;
        each(self, |member| {
            let next = member.next(Internal(()));
            let first = *at.get_or_insert(next);
            at = Some(Checkpoint { number: first.number.max(next.number), ..first });
        });
        let at = at.unwrap_or(Checkpoint { owner: usize::MAX, number: 0 });
        // Those that have begun are cancelled if another is refused, or its `Clone` or `Drop` panics.
        let mut begun = OnDrop::new((self, 0_u32), |(group, begun)| {
            each(*group, |member| {
                if *begun > 0 {
                    *begun -= 1;
                    member.cancel(at, Internal(()));
                }
            });
        });
        let (group, count) = &mut begun.held;
        let mut refused = None;
        each(*group, |member| {
            if refused.is_none() {
                match member.begin(at, *count, Internal(())) {
                    Ok(()) => *count += 1,
                    Err(reason) => refused = Some(reason),
                }
            }
        });
        let Some(reason) = refused else {
            mem::forget(begun);
            return Ok(at);
        };
        Err(reason)
    }

    /// Puts everything back to what it was at a checkpoint: values, keys, generations, links, and the order in which
    /// free slots are used. The same calls then have the same effects and return the same keys again. **Keys issued
    /// since the checkpoint are stale; when they are reissued they name other values.** Checkpoints made since are
    /// gone; this one remains, and can be returned to again. O(changes since).
    ///
    /// Subscribers are told of these changes as of any others. Keys and handles that were [undone](Self::undo) since
    /// stay stale: their slots stay in use, free ones with later generations than they had, so that the same calls
    /// return other keys. A [`Pool`](crate::Pool) keeps the values that it has made since the checkpoint, in slots
    /// beyond those in use, and a slot that it has filled since then has a new one of its function: so `insert_with`
    /// repeats itself only if values are reset to what that makes.
    ///
    /// # Errors
    /// If the checkpoint is another's or gone, if a member does not have it, or if allocation failed when a change had
    /// to be recorded: nothing has changed. If allocation fails now: each member was put back to this checkpoint, or to
    /// a later one on the way, or has not changed; repeat the call to complete it.
    /// (If allocation fails for taking a part back, too, every checkpoint of that member is [lost](TrackError::Lost).)
    ///
    /// # Panics
    /// If the `Drop` of a value, a pool's function, the `Ord` or `Clone` of a property, or the `Clone` of a
    /// [`Versioned`](super::Versioned) panics; see [above](Reversible).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{Reversible, TrackError, Tracked}};
    ///
    /// let mut ships = Tracked::new(Arena::new());
    /// let a = ships.insert(1);
    /// let first = ships.checkpoint();
    /// let b = ships.insert(2);
    /// let second = ships.checkpoint();
    /// ships.remove(a);
    ///
    /// ships.rollback(first)?;
    /// assert_eq!((ships.get(a), ships.get(b)), (Some(&1), None));
    /// assert_eq!(ships.rollback(second), Err(TrackError::Gone));
    /// assert_eq!(ships.insert(3), b); // the same key again
    /// # Ok::<(), TrackError>(())
    /// ```
    fn rollback(&mut self, to: Checkpoint) -> Result<(), TrackError> {
        find(self, to)?;
        pass(self, Way::Back, to)
    }

    /// Takes back what was done since the latest checkpoint, so that everything is what it was, and the checkpoint is
    /// gone:
    /// [`redo`](Self::redo) brings both back. Returns whether there was a checkpoint. O(changes since), and for a
    /// container with another [order of reuse](crate::Reuse) than the packed one O(slots).
    ///
    /// Unlike after a [`rollback`](Self::rollback), generations keep increasing: **keys and handles issued since stay
    /// stale permanently**, unless they are redone, also if an earlier checkpoint is returned to; and the next
    /// insertion returns a key that was never issued. Keys of removed values are valid again. Free slots are used in
    /// another order than they would have been. (Keys without generations cannot be told apart, here as anywhere.)
    ///
    /// Only the table and the pool know which keys and handles were undone: a container that is taken out of a table,
    /// cloned, saved or sent may issue them again, and so may a pool that is loaded.
    ///
    /// Any change or new checkpoint discards the redo steps.
    ///
    /// # Errors
    /// If the latest checkpoint of a member is another than that of the group: nothing has changed. If allocation
    /// fails: as for [`rollback`](Self::rollback).
    ///
    /// # Panics
    /// See [`rollback`](Self::rollback).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{Reversible, Tracked}};
    ///
    /// let mut shapes = Tracked::new(Arena::new());
    /// shapes.checkpoint();
    /// let circle = shapes.insert("circle");
    ///
    /// assert!(shapes.undo()?);
    /// assert_eq!(shapes.get(circle), None);
    /// assert!(shapes.redo()?);
    /// assert_eq!(shapes.get(circle), Some(&"circle"));
    ///
    /// assert!(shapes.undo()?);
    /// let square = shapes.insert("square"); // in the same slot
    /// assert_eq!((shapes.get(circle), shapes.get(square)), (None, Some(&"square")));
    /// assert_eq!((shapes.redo()?, shapes.undo()?), (false, false));
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    fn undo(&mut self) -> Result<bool, TrackError> {
        let Some(latest) = undoable(self)? else { return Ok(false) };
        pass(self, Way::Undo, latest)?;
        Ok(true)
    }

    /// Does again what was undone last, and brings back its checkpoint; returns whether there was anything. Keys and
    /// handles that were issued by it are valid again. O(changes), and for a container with another
    /// [order of reuse](crate::Reuse) than the packed one O(slots).
    ///
    /// If one of the members has changed since the undo, nothing is done again, in none; nor if an undo has been
    /// interrupted: repeating that completes it.
    ///
    /// # Errors
    /// If allocation fails, as for [`rollback`](Self::rollback).
    ///
    /// # Panics
    /// See [`rollback`](Self::rollback).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{Reversible, Tracked}};
    ///
    /// let mut words = Tracked::new(Arena::new());
    /// for word in ["to", "be"] {
    ///     words.checkpoint();
    ///     words.insert(word);
    /// }
    /// while words.undo()? {}
    /// assert!(words.redo()?);
    /// assert!(words.values().eq(&["to"]));
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    fn redo(&mut self) -> Result<bool, TrackError> {
        match undone(self)? {
            Some((next, Undone::ByAll)) => {
                pass(self, Way::Redo, next)?;
                return Ok(true);
            }
            Some((_, Undone::Discarded)) => discard_undone(self),
            Some((_, Undone::Begun)) | None => {}
        }
        Ok(false)
    }

    /// Returns whether there is a step that [`undo`](Self::undo) would take back. O(members).
    ///
    /// # Examples
    /// ```
    /// use larder::track::{Reversible, Versioned};
    ///
    /// let mut text = Versioned::new("");
    /// assert!(!text.can_undo());
    /// text.checkpoint();
    /// assert!(text.can_undo() && !text.can_redo());
    /// assert_eq!(text.undo(), Ok(true));
    /// assert!(!text.can_undo() && text.can_redo());
    /// ```
    fn can_undo(&mut self) -> bool {
        matches!(undoable(self), Ok(Some(_)))
    }

    /// Returns whether there is a step that [`redo`](Self::redo) would do again. O(members).
    ///
    /// # Examples
    /// See [`can_undo`](Self::can_undo).
    fn can_redo(&mut self) -> bool {
        matches!(undone(self), Ok(Some((_, Undone::ByAll))))
    }

    /// [Undoes](Self::undo) the latest step and discards it, so that it cannot be redone: for an edit that is given up.
    /// Returns whether there was a checkpoint. Keys and handles issued since stay stale permanently. O(changes since),
    /// and for a container with another [order of reuse](crate::Reuse) than the packed one O(slots).
    ///
    /// # Errors
    /// Those of [`undo`](Self::undo).
    ///
    /// # Panics
    /// See [`rollback`](Self::rollback).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{Reversible, Tracked}};
    ///
    /// let mut words = Tracked::new(Arena::fixed(2));
    /// words.checkpoint();
    /// words.insert("to");
    ///
    /// words.checkpoint();
    /// words.insert("be");
    /// if words.try_insert("or").is_err() {
    ///     words.cancel()?;
    /// }
    /// assert_eq!(words.len(), 1);
    /// assert_eq!((words.undo()?, words.undo()?), (true, false)); // the insertion of "to"
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    fn cancel(&mut self) -> Result<bool, TrackError> {
        let is_undone = self.undo()?;
        if is_undone {
            discard_undone(self);
        }
        Ok(is_undone)
    }

    /// Forgets the checkpoints before this one, and drops what they hold. O(what that is). Later checkpoints use their
    /// memory again: so frames that are recorded and forgotten, of a pool 16 at most at a time, allocate nothing, once
    /// there were some with as many changes. (Beside what the structure itself needs, and what a `Clone` of the values of
    /// lists allocates.)
    ///
    /// # Errors
    /// If the checkpoint is another's or gone, or a member does not have it; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{Reversible, TrackError, Tracked}};
    ///
    /// let mut ships = Tracked::new(Arena::<u8>::new());
    /// let [first, second] = [ships.checkpoint(), ships.checkpoint()];
    /// ships.forget(second)?;
    /// assert_eq!(ships.rollback(first), Err(TrackError::Gone));
    /// assert_eq!(ships.rollback(second), Ok(()));
    /// # Ok::<(), TrackError>(())
    /// ```
    fn forget(&mut self, older_than: Checkpoint) -> Result<(), TrackError> {
        find(self, older_than)?;
        forget_from(self, 0, &mut |member: &mut dyn Member| {
            member.forget(older_than, Internal(()))
        });
        Ok(())
    }

    /// Keeps the latest checkpoints, at most `count`, and [forgets](Self::forget) those before them: a game that rolls
    /// back by up to eight frames takes a checkpoint and keeps eight in each. O(what the others hold).
    ///
    /// # Errors
    /// If a member does not have the oldest of those that are to be kept; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{Reversible, TrackError, Tracked}};
    ///
    /// let mut ships = Tracked::new(Arena::<u8>::new());
    /// let frames = [(); 9].map(|()| ships.checkpoint());
    /// ships.keep(8)?;
    /// assert_eq!(ships.rollback(frames[0]), Err(TrackError::Gone));
    /// assert_eq!(ships.rollback(frames[1]), Ok(()));
    /// # Ok::<(), TrackError>(())
    /// ```
    fn keep(&mut self, count: usize) -> Result<(), TrackError> {
        let Some(others) = count.checked_sub(1) else {
            self.forget_all();
            return Ok(());
        };
        let (mut oldest, mut is_first) = (None, true);
        each(self, |member| {
            if mem::replace(&mut is_first, false) {
                oldest = member.before_latest(others, Internal(()));
            }
        });
        oldest.map_or(Ok(()), |oldest| self.forget(oldest))
    }

    /// Forgets every checkpoint, so that nothing more is recorded until the next. O(what they hold).
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, Tree, track::{Reversible, TrackError}};
    ///
    /// let mut tree = Tree::<Handle<u8>>::new();
    /// let first = tree.checkpoint();
    /// tree.forget_all();
    /// assert_eq!(tree.rollback(first), Err(TrackError::Gone));
    /// ```
    fn forget_all(&mut self) {
        forget_from(self, 0, &mut |member: &mut dyn Member| member.forget_all(Internal(())));
    }
}

/// Calls `act` with each member.
fn each(group: &mut (impl Reversible + ?Sized), mut act: impl FnMut(&mut dyn Member)) {
    // (An error would be one of the group's own making: it ends the walk, as it says.)
    let _ = group.members(&mut |member| {
        act(member);
        Ok(())
    });
}

/// Has each member go back to a checkpoint, or undo or redo its step, and then drops what is left over.
#[inline]
fn pass<G: Reversible + ?Sized>(
    group: &mut G,
    way: Way,
    step: Checkpoint,
) -> Result<(), TrackError> {
    let mut is_left = false;
    group.members(&mut |member| {
        is_left |= member.pass(way, step, Internal(()))?;
        Ok(())
    })?;
    if is_left {
        forget_from(group, 0, &mut |member: &mut dyn Member| member.settle(Internal(())));
    }
    Ok(())
}

/// Calls `forget` with each member but the first ones; if it panics, with the others nevertheless.
#[inline]
fn forget_from<G: Reversible + ?Sized, F: FnMut(&mut dyn Member)>(
    group: &mut G,
    first: usize,
    forget: &mut F,
) {
    let mut rest = OnDrop::new((group, forget, None), |(group, forget, at)| {
        // (Not if the group's own `members` has panicked, which may do so again.)
        if let Some(at) = *at {
            forget_from(&mut **group, at + 1, &mut **forget);
        }
    });
    let (group, forget, at) = &mut rest.held;
    let mut members = 0..;
    each(*group, |member| {
        *at = members.next().filter(|&at| at >= first);
        if at.is_some() {
            forget(member);
        }
        *at = None;
    });
    mem::forget(rest);
}

/// Returns the latest checkpoint, and whether all members have it, as [`foremost`] does.
#[inline]
fn latest(group: &mut (impl Reversible + ?Sized)) -> (Option<Checkpoint>, bool) {
    foremost(group, |member| member.latest(Internal(())), |one, other| one > other)
}

/// Returns the latest checkpoint, which all members can undo, or says why one cannot.
#[inline]
fn undoable(group: &mut (impl Reversible + ?Sized)) -> Result<Option<Checkpoint>, TrackError> {
    let (Some(latest), is_shared) = latest(group) else { return Ok(None) };
    // (A member that has undone it already did so in a call that was interrupted.)
    if !is_shared {
        let mut in_order = InOrder::default();
        group.members(&mut |member| {
            if in_order.has(placed(member, latest)) {
                Ok(())
            } else {
                Err(why_missing(member, latest))
            }
        })?;
    }
    Ok(Some(latest))
}

/// The extent to which the step that was undone last has been undone.
enum Undone {
    /// All members can do it again, or have done so in a call that was interrupted: the first ones, if any.
    ByAll,
    /// A member behind one that has undone it has not: an undo was interrupted, or that member was not there. So it may
    /// have gone on, and only an undo completes it.
    Begun,
    /// A member has neither done nor undone it, since it has gone on, or members have changed places.
    Discarded,
}

/// Returns the checkpoint that was undone last, if any.
#[inline]
fn undone(
    group: &mut (impl Reversible + ?Sized),
) -> Result<Option<(Checkpoint, Undone)>, TrackError> {
    let (next, is_shared) =
        foremost(group, |member| member.latest_undone(Internal(())), |one, other| one < other);
    let Some(next) = next else { return Ok(None) };
    let (mut undone, mut none_before, mut in_order) = (Undone::ByAll, true, InOrder::default());
    if !is_shared {
        group.members(&mut |member| {
            if !in_order.has(placed(member, next)) {
                undone = Undone::Discarded;
            } else if member.latest_undone(Internal(())).is_some_and(|(at, _)| at == next) {
                none_before = false;
            } else if !none_before && matches!(undone, Undone::ByAll) {
                undone = Undone::Begun;
            }
            Ok(())
        })?;
    }
    Ok(Some((next, undone)))
}

/// Discards what was undone, or cancelled, in all members.
fn discard_undone(group: &mut (impl Reversible + ?Sized)) {
    forget_from(group, 0, &mut |member: &mut dyn Member| member.forget_undone(Internal(())));
}

/// Checks that members are in the order of their places in the group that a checkpoint is of: some may be missing.
#[derive(Default)]
struct InOrder {
    /// The least place that the next member may have.
    next: u32,
}

impl InOrder {
    /// Returns whether a member has a place behind those of the members before it.
    #[inline]
    fn has(&mut self, place: Option<u32>) -> bool {
        let is_next = place.is_some_and(|place| place >= self.next);
        self.next = place.map_or(self.next, |place| place + 1);
        is_next
    }
}

/// Returns the place in its group of a member's latest step, or of the one that was undone last, if it is that of a
/// checkpoint.
fn placed(member: &mut dyn Member, at: Checkpoint) -> Option<u32> {
    let steps = [member.latest(Internal(())), member.latest_undone(Internal(()))];
    steps.into_iter().flatten().find_map(|(step, place)| (step == at).then_some(place))
}

/// Returns the checkpoint whose number comes before those of other members, and whether all have that one, as far as is
/// known: not if the group itself returns an error.
fn foremost(
    group: &mut (impl Reversible + ?Sized),
    of: fn(&mut dyn Member) -> Option<(Checkpoint, u32)>,
    comes_before: fn(u64, u64) -> bool,
) -> (Option<Checkpoint>, bool) {
    let (mut foremost, mut is_shared, mut is_first) = (None::<Checkpoint>, true, true);
    let mut in_order = InOrder::default();
    let walked = group.members(&mut |member| {
        let (step, place) = of(member).unzip();
        is_shared &=
            (mem::replace(&mut is_first, false) || step == foremost) && in_order.has(place);
        let is_before =
            |other: Checkpoint| step.is_some_and(|step| comes_before(step.number, other.number));
        if foremost.is_none_or(is_before) {
            foremost = step;
        }
        Ok(())
    });
    (foremost, is_shared && walked.is_ok())
}

/// Says why not all members have a checkpoint, if they do not.
#[inline]
fn find(group: &mut (impl Reversible + ?Sized), at: Checkpoint) -> Result<(), TrackError> {
    let (mut is_first, mut in_order) = (true, InOrder::default());
    group.members(&mut |member| {
        let found = member.find(at, Internal(()));
        let is_first = mem::replace(&mut is_first, false);
        match found {
            Ok(place) if in_order.has(Some(place)) => Ok(()),
            Err(reason) if is_first => Err(reason),
            _ => Err(why_missing(member, at)),
        }
    })
}

/// Says why a member does not have a checkpoint that another has.
#[inline]
fn why_missing(member: &mut dyn Member, at: Checkpoint) -> TrackError {
    if member.has_lost(at.number, Internal(())) { TrackError::Lost } else { TrackError::NotShared }
}

/// No member.
impl Reversible for () {
    #[inline]
    fn members(&mut self, _: &mut Each<'_>) -> Result<(), TrackError> {
        Ok(())
    }
}

impl<M: Reversible + ?Sized> Reversible for &mut M {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        (**self).members(each)
    }
}

/// A group of members of several types is a `Vec<Box<dyn Reversible>>`.
impl<M: Reversible + ?Sized> Reversible for Box<M> {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        (**self).members(each)
    }
}

/// A group of members of one type. A checkpoint is of those that were in it then.
impl<M: Reversible> Reversible for [M] {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        self.iter_mut().try_for_each(|member| member.members(each))
    }
}

/// A member that may be missing takes part if it is there: a checkpoint is of the members at that time.
impl<M: Reversible> Reversible for Option<M> {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        self.as_mut_slice().members(each)
    }
}

/// The elements are the members, as those of a slice.
impl<M: Reversible> Reversible for Vec<M> {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        self.as_mut_slice().members(each)
    }
}

impl<M: Reversible, const N: usize> Reversible for [M; N] {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        self.as_mut_slice().members(each)
    }
}

/// A tuple as a group.
macro_rules! tuple {
    ($([$M:ident $at:tt])+) => {
        impl<$($M: Reversible),+> Reversible for ($($M,)+) {
            fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
                $(self.$at.members(each)?;)+
                Ok(())
            }
        }
    };
}

each_prefix!(tuple: [A 0] [B 1] [C 2] [D 3] [E 4] [F 5]);
