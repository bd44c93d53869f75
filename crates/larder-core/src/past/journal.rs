//! Reversing the steps of a past.

use core::mem;

use super::{Kept, Past, Reverse, Step, Steps, Way};
use crate::error::TryReserveError;
use crate::memory::OnDrop;

/// A member whose steps are in a [`Past`]: a structure, which reverses changes one by one, or a container, whose slots
/// are put back all at once.
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
    /// [back](Way::Back) the step begins again: it keeps its state, and its changes are of no more use; the state that
    /// was there is returned, unless it has no `Drop`. No value is dropped. On an error nothing has changed, unless the
    /// step is torn.
    fn reverse_step(
        &mut self,
        step: Passed<'_, Self::Change, Self::State, Self::Kept>,
        way: Way,
    ) -> Result<Option<Self::State>, Refused>;

    /// Returns whether reversing steps has left something over.
    fn has_left(&self) -> bool {
        false
    }

    /// Drops what is left over.
    fn settle(&mut self) {}
}

/// A step that is reversed.
pub(crate) struct Passed<'a, C, S, K> {
    pub(crate) changes: &'a mut [C],
    pub(crate) state: &'a mut S,
    kept: &'a mut K,
}

/// Allocation failed while a step was reversed.
pub(crate) struct Refused {
    pub(super) reason: TryReserveError,
    /// True if allocation failed again when the changes already reversed were taken back.
    pub(super) is_torn: bool,
}

impl From<TryReserveError> for Refused {
    #[inline]
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
        Passed { changes, state, kept }: Passed<'_, T::Change, T::State, T::Kept>,
        way: Way,
    ) -> Result<Option<T::State>, Refused> {
        let mut back = (way == Way::Back).then(|| state.clone());
        let (last, is_redone) = (changes.len().wrapping_sub(1), way == Way::Redo);
        let nth = |count: usize| if is_redone { count } else { last - count };
        for count in 0..changes.len() {
            if let Err(reason) = self.reverse(&mut changes[nth(count)], kept, way) {
                let again = if is_redone { Way::Undo } else { Way::Redo };
                let mut reversed = (0..count).rev().map(nth);
                let taken_back =
                    reversed.try_for_each(|at| self.reverse(&mut changes[at], kept, again));
                return Err(Refused { reason, is_torn: taken_back.is_err() });
            }
        }
        self.exchange(back.as_mut().unwrap_or(state));
        // (Without `Drop` there is nothing that it could do.)
        Ok(back.filter(|_| mem::needs_drop::<T::State>()))
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
        let done = self.steps.get().map_or(0, Steps::done);
        for at in (to..done).rev() {
            let left = self.reverse(of, at, Way::Back)?;
            let Some(steps) = self.steps.get_mut() else { break };
            let first = steps.first(at);
            if steps.undone > 0 {
                // (They came after this one. Its changes go with theirs, so that a panic does not leave them to be
                // reversed again.)
                steps.all[at + 1..].iter_mut().for_each(|step| step.first = first);
                self.forget_undone();
            }
            let Some(steps) = self.steps.get_mut() else { break };
            // User code runs from here on.
            let gone = if at == to { None } else { steps.all.pop() };
            steps.changes.truncate(first);
            match gone {
                Some(step) => steps.recycle(step.kept),
                None => steps.all[at].kept.clear(),
            }
            drop(left);
            if of.has_left() {
                of.settle();
            }
        }
        Ok(())
    }

    /// Undoes the step at a position, the last one, so that it can be done again; or redoes it. On an error as
    /// [`go_back`](Self::go_back).
    pub(crate) fn pass_over(
        &mut self,
        of: &mut impl Journal<Change = C, State = S, Kept = K>,
        at: usize,
        way: Way,
    ) -> Result<(), TryReserveError> {
        self.settle();
        self.reverse(of, at, way)?;
        if let Some(steps) = self.steps.get_mut() {
            steps.undone = steps.all.len() - at - usize::from(way == Way::Redo);
        }
        Ok(())
    }

    /// Reverses the step at a position. If user code panics, the structure may be between two checkpoints: all are lost
    /// then.
    fn reverse(
        &mut self,
        of: &mut impl Journal<Change = C, State = S, Kept = K>,
        at: usize,
        way: Way,
    ) -> Result<Option<S>, TryReserveError> {
        let between = OnDrop::new(self, |past| past.abandon());
        let Some(steps) = between.held.steps.get_mut() else { return Ok(None) };
        let end = steps.first(at + 1);
        let Step { state, kept, first, .. } = &mut steps.all[at];
        let changes = steps.changes.part_mut(&(*first..end));
        let reversed = of.reverse_step(Passed { changes, state, kept }, way);
        match reversed {
            Err(Refused { reason, is_torn: true }) => return Err(reason),
            _ => mem::forget(between),
        }
        reversed.map_err(|refused| refused.reason)
    }
}
