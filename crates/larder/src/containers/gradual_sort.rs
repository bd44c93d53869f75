//! Sorting a container a little at a time.

/// How far a packed container is sorted: what `sort_step` goes on from.
///
/// A `sort_step` compares so many pairs of values, swaps those that are out of order, and remembers here
/// where it stopped. So values that should be neighbours in memory, because a loop meets them one after
/// the other, become so over many frames, and no frame has to wait for it. Keys stay valid: after each
/// swap both values answer to their own.
///
/// # What it costs
/// It is Shell's sort: rounds of passes, each inserting values among those at a certain distance. A round of
/// n values compares n × log₂(n) × 0.8 pairs where they are in order already, about twice that in
/// random order, and each comparison swaps at most once; a swap costs O(1), two values and two keys
/// moved. Equal values do not keep their order.
///
/// Values may be inserted, removed and changed between steps: the container is as good as ever, but the
/// order may be reached a round later. There is one order for each container. Where it is needed at once,
/// sort; where it is only to be walked in that order, [`SortedKeys`](crate::indices::SortedKeys) leaves the values
/// where they are.
///
/// # Examples
/// ```
/// use larder::{DenseArena, containers::GradualSort};
///
/// let mut bullets = DenseArena::from_iter([7, 3, 9, 1]);
/// let three = bullets.key_of_index(1).unwrap();
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
    /// How far apart values are that are compared; 0 between rounds.
    gap: usize,
    /// The position up to which values `gap` apart are in order.
    next: usize,
    /// How far the value that was there has come down. Not above `next`, nor below `gap`.
    at: usize,
}

impl GradualSort {
    /// Begins with nothing compared. O(1).
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
