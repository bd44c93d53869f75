//! Reversing the steps of a past.

use alloc::collections::{VecDeque, vec_deque};
use core::ops::Range;

use super::{Kept, Past, Reverse, Step, Steps, TaggedOwner, Way, make_room};
use crate::error::TryReserveError;
use crate::room::reserve;

/// A member whose steps are in a [`Past`]: a structure, which reverses changes one by one, or a container, whose slots are put
/// back all at once.
pub(crate) trait Journal {
    type Change;
    type State;
    type Kept: Kept;

    /// See [`Reverse::past`].
    fn past(&mut self) -> &mut Past<Self::Change, Self::State, Self::Kept>;

    /// Called before steps are reversed, while the past is still there. On an error nothing has changed.
    fn prepare(&mut self) -> Result<(), TryReserveError> {
        Ok(())
    }

    /// Called when all steps were forgotten, or when one was cancelled and none is left.
    fn forgot(&mut self) {}

    /// Returns whether something may have changed since the last step began that no change is noted of.
    fn has_gone_on(&mut self) -> bool {
        false
    }

    /// Returns the present state, for a step that begins, for which there is room. On an error nothing has changed.
    fn present(&mut self) -> Result<Self::State, TryReserveError>;

    /// Reverses the changes of a step and exchanges its state, so that they are what reverses them again. On the way
    /// [back](Way::Back) the step begins again: it keeps its state, and its changes are of no more use. On an error nothing
    /// has changed, unless the step is torn.
    fn reverse_step(
        &mut self,
        step: Passed<'_, Self::Change, Self::State, Self::Kept>,
        way: Way,
    ) -> Result<(), Refused>;
}

/// A step that is reversed.
pub(crate) struct Passed<'a, C, S, K> {
    changes: &'a mut VecDeque<C>,
    range: Range<usize>,
    pub(crate) state: &'a mut S,
    pub(crate) kept: &'a mut K,
}

impl<C, S, K> Passed<'_, C, S, K> {
    /// Its changes, in their order, and its state.
    #[inline]
    pub(crate) fn parts(&mut self) -> (vec_deque::IterMut<'_, C>, &mut S) {
        (self.changes.range_mut(self.range.clone()), self.state)
    }
}

/// Allocation failed while a step was reversed.
pub(crate) struct Refused {
    pub(super) reason: TryReserveError,
    /// True if allocation failed again when the changes already reversed were taken back.
    pub(super) is_torn: bool,
}

impl From<TryReserveError> for Refused {
    fn from(reason: TryReserveError) -> Self {
        Self { reason, is_torn: false }
    }
}

impl<T: Reverse> Journal for T {
    type Change = T::Change;
    type State = T::State;
    type Kept = T::Kept;

    fn past(&mut self) -> &mut Past<T::Change, T::State, T::Kept> {
        Reverse::past(self)
    }

    fn present(&mut self) -> Result<T::State, TryReserveError> {
        Ok(self.state())
    }

    /// From the earliest change on if they are done again, otherwise from the latest on.
    fn reverse_step(
        &mut self,
        Passed { changes, range, state, kept }: Passed<'_, T::Change, T::State, T::Kept>,
        way: Way,
    ) -> Result<(), Refused> {
        let mut back = (way == Way::Back).then(|| state.clone());
        let Range { start, end } = range;
        let nth = |count: usize| if way == Way::Redo { start + count } else { end - 1 - count };
        let again = if way == Way::Redo { Way::Undo } else { Way::Redo };
        for count in 0..end - start {
            if let Err(reason) = self.reverse(&mut changes[nth(count)], kept, way) {
                let mut reversed = (0..count).rev().map(nth);
                let taken_back =
                    reversed.try_for_each(|at| self.reverse(&mut changes[at], kept, again));
                return Err(Refused { reason, is_torn: taken_back.is_err() });
            }
        }
        self.exchange(back.as_mut().unwrap_or(state));
        Ok(())
    }
}

impl<C, S, K: Kept> Past<C, S, K> {
    /// Reverses all steps up to one, which stays. On an error those that come later are reversed, or none; or every
    /// checkpoint is lost, if allocation fails on the way back, too.
    pub(crate) fn go_back(
        &mut self,
        of: &mut impl Journal<Change = C, State = S, Kept = K>,
        to: usize,
    ) -> Result<(), TryReserveError> {
        self.settle();
        while let Some(steps) = self.steps.get_mut() {
            let Some(step) = steps.done.back() else { break };
            let first = steps.position(step);
            let reversed = steps.reverse_done(of, Way::Back);
            reversed.map_err(|refused| self.unless_torn(refused))?;
            // (Also if the next one is refused: it came after this one.)
            self.forget_undone();
            let Some(steps) = self.steps.get_mut() else { break };
            let is_last = steps.done.len() == to + 1;
            match steps.done.back_mut() {
                Some(step) if is_last => step.kept.clear(),
                _ => steps.done.pop_back().into_iter().for_each(|step| steps.recycle(step.kept)),
            }
            steps.changes.truncate(first);
            if is_last {
                break;
            }
        }
        Ok(())
    }

    /// Reverses the last step, if any, so that it can be done again. On an error as [`go_back`](Self::go_back).
    pub(crate) fn undo(
        &mut self,
        of: &mut impl Journal<Change = C, State = S, Kept = K>,
    ) -> Result<(), TryReserveError> {
        self.settle();
        let Some(steps) = self.on_mut() else { return Ok(()) };
        reserve(&mut steps.undone, 1)?;
        let reversed = steps.reverse_done(of, Way::Undo);
        if reversed.is_ok() {
            steps.undone.extend(steps.done.pop_back());
            steps.count_undone();
        }
        reversed.map_err(|refused| self.unless_torn(refused))
    }

    /// Does the step again that was undone last, if any. On an error as [`go_back`](Self::go_back).
    pub(crate) fn redo(
        &mut self,
        of: &mut impl Journal<Change = C, State = S, Kept = K>,
    ) -> Result<(), TryReserveError> {
        self.settle();
        let Some(steps) = self.steps.get_mut().filter(|_| self.mark.has(TaggedOwner::ON)) else {
            return Ok(());
        };
        make_room(&mut steps.done, 1)?;
        let reversed = steps.reverse_undone(of);
        if reversed.is_ok() {
            steps.done.extend(steps.undone.pop());
            steps.count_undone();
        }
        reversed.map_err(|refused| self.unless_torn(refused))
    }
}

impl<C, S, K: Kept> Steps<C, S, K> {
    /// Reverses the last step that is done.
    fn reverse_done(
        &mut self,
        of: &mut impl Journal<Change = C, State = S, Kept = K>,
        way: Way,
    ) -> Result<(), Refused> {
        let end = self.changes.len() - self.undone_changes;
        let first = self.done.back().map_or(end, |step| self.position(step));
        let Some(Step { state, kept, .. }) = self.done.back_mut() else { return Ok(()) };
        of.reverse_step(Passed { changes: &mut self.changes, range: first..end, state, kept }, way)
    }

    /// Reverses the step that was undone last.
    fn reverse_undone(
        &mut self,
        of: &mut impl Journal<Change = C, State = S, Kept = K>,
    ) -> Result<(), Refused> {
        let first = self.changes.len() - self.undone_changes;
        let end = match &self.undone[..] {
            [.., next, _] => self.position(next),
            _ => self.changes.len(),
        };
        let Some(Step { state, kept, .. }) = self.undone.last_mut() else { return Ok(()) };
        let passed = Passed { changes: &mut self.changes, range: first..end, state, kept };
        of.reverse_step(passed, Way::Redo)
    }
}
