//! Sorting a packed container, at once or a little at a time. Keys stay with their values.

/// The progress of a gradual sort, which `sort_step` continues.
///
/// A `sort_step` compares up to `budget` pairs of values, swaps those that are out of order, and stores here where it
/// stopped. So values that a loop visits one after the other become neighbours in memory over many frames, and no
/// frame waits for a whole sort. Keys stay valid.
///
/// # Costs
/// It is Shell's sort: rounds of passes, each of which sorts values at a certain distance by insertion. A round of
/// n values compares n × log₂(n) × 0.8 pairs if they are in order, about twice that in random order, with at
/// most one swap a comparison; a swap is O(1) and moves two values and two keys. The sort is not stable.
///
/// Values may be inserted, removed and changed between steps; the order may then be reached a round later. If it is
/// needed at once, use `sort_by`; to iterate in another order than that of memory, use
/// `SortedKeys`.
///
/// # Examples
/// ```
/// use larder::{DenseArena, containers::GradualSort};
///
/// let mut bullets = DenseArena::from_iter([7, 3, 9, 1]);
/// let three = bullets.keys_as_slice()[1];
/// let mut sorting = GradualSort::new();
/// let mut frames = 1;
/// while !bullets.sort_step(&mut sorting, 3, |a, b| a.cmp(b)) {
///     frames += 1;
/// }
/// assert_eq!(bullets.as_slice(), [1, 3, 7, 9]);
/// assert_eq!(bullets[three], 3);
/// assert!(frames > 1);
/// ```
#[doc(alias("clustered index", "incremental sort", "Shell sort"))]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GradualSort {
    /// The distance of values that are compared; 0 between rounds.
    gap: usize,
    /// The position up to which values `gap` apart are in order.
    next: usize,
    /// The position to which the value that was there has come down. Not above `next`, nor below `gap`.
    at: usize,
}

impl GradualSort {
    /// Makes the progress of a sort that has not begun. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{DenseArena, containers::GradualSort};
    ///
    /// let mut sorting = GradualSort::new();
    /// let mut arena = DenseArena::from_iter(['b', 'a']);
    /// while !arena.sort_step(&mut sorting, 1, |a, b| a.cmp(b)) {}
    /// assert_eq!(arena.as_slice(), ['a', 'b']);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { gap: 0, next: 0, at: 0 }
    }

    /// Goes on with a container of `len` values; says whether a round ended. `swap_if_greater` swaps the
    /// values at two positions, the first the lower, if they are out of order, and says whether it did.
    pub(crate) fn step(
        &mut self,
        len: usize,
        budget: usize,
        mut swap_if_greater: impl FnMut(usize, usize) -> bool,
    ) -> bool {
        for _ in 0..budget {
            if self.gap == 0 {
                self.begin_pass(gap_below(len));
            }
            while self.next >= len {
                if self.gap <= 1 {
                    self.gap = 0;
                    return true;
                }
                self.begin_pass(gap_below(self.gap));
            }
            let below = self.at - self.gap;
            if swap_if_greater(below, self.at) && below >= self.gap {
                self.at = below;
            } else {
                self.next += 1;
                self.at = self.next;
            }
        }
        false
    }

    fn begin_pass(&mut self, gap: usize) {
        *self = Self { gap, next: gap, at: gap };
    }
}

/// The largest gap below `bound`, at least 1. From one to the next they grow by 2.25, which Tokuda found
/// to need few comparisons.
fn gap_below(bound: usize) -> usize {
    let mut gap = 1;
    loop {
        let next = gap * 2 + gap / 4 + 1;
        if next >= bound {
            return gap;
        }
        gap = next;
    }
}
