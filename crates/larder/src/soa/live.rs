//! Which lanes of a group have values.

use core::fmt;

use crate::raw::occupancy::{Occupancy, WORD, low};
use crate::raw::slots::Book;

/// Which lanes of a group have a value. What the others hold is safe to compute with: see
/// [`Fill`](super::Fill).
///
/// # Examples
/// ```
/// use larder::SoaArena;
///
/// let mut arena = SoaArena::from_iter([1.0_f32, 2.0, 3.0]);
/// let second = arena.key_of_slot(1).unwrap();
/// arena.remove(second);
/// let (live, lanes) = arena.groups().next().unwrap();
/// assert_eq!(live.bits(), 0b101);
/// assert_eq!((live.count(), live.is_live(1)), (2, false));
/// assert_eq!(lanes, [1.0, 0.0, 3.0]);
/// ```
#[derive(Clone, Copy)]
pub struct Live<'a> {
    /// What knows; without one all lanes have values.
    book: Option<&'a Occupancy>,
    first: usize,
    lanes: usize,
}

impl<'a> Live<'a> {
    pub(crate) const fn of(book: &'a Occupancy, first: usize, lanes: usize) -> Self {
        Self { book: Some(book), first, lanes }
    }

    /// The first `lanes` lanes.
    pub(crate) const fn up_to(first: usize, lanes: usize) -> Self {
        Self { book: None, first, lanes }
    }

    /// The slot of the first lane, or its position in a dense arena. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::SoaArena::from_iter(0..100_u8);
    /// assert!(arena.groups().map(|(live, _)| live.first()).eq([0, 64]));
    /// ```
    #[must_use]
    pub const fn first(&self) -> usize {
        self.first
    }

    /// The first 64 lanes as bits: the lowest is lane 0. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::SoaArena::from_iter(['a', 'b']);
    /// assert_eq!(arena.groups().next().unwrap().0.bits(), 0b11);
    /// ```
    #[inline]
    #[must_use]
    pub fn bits(&self) -> u64 {
        self.word(0)
    }

    /// 64 lanes as bits, from lane `word * 64` on. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::SoaArena::from_iter(['a', 'b']);
    /// let (live, _) = arena.groups().next().unwrap();
    /// assert_eq!((live.word(0), live.word(1)), (0b11, 0));
    /// ```
    #[inline]
    #[must_use]
    pub fn word(&self, word: usize) -> u64 {
        if word >= self.lanes.div_ceil(WORD) {
            return 0;
        }
        let lanes = low((self.lanes - word * WORD).min(WORD));
        match self.book {
            Some(book) => {
                let at = self.first + word * WORD;
                book.live_word(at / WORD) >> (at % WORD) & lanes
            }
            None => lanes,
        }
    }

    /// Whether a lane has a value. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::SoaArena::from_iter(['a', 'b']);
    /// let (live, _) = arena.groups().next().unwrap();
    /// assert!(live.is_live(1) && !live.is_live(2));
    /// ```
    #[inline]
    #[must_use]
    pub fn is_live(&self, lane: usize) -> bool {
        self.word(lane / WORD) >> (lane % WORD) & 1 == 1
    }

    /// How many lanes have values. O(lanes / 64).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::SoaArena::from_iter(['a', 'b']);
    /// assert_eq!(arena.groups().next().unwrap().0.count(), 2);
    /// ```
    #[must_use]
    pub fn count(&self) -> usize {
        self.words().map(|word| word.count_ones() as usize).sum()
    }

    /// All lanes as bits, 64 at a time. O(lanes / 64).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::SoaArena::from_iter(['a', 'b']);
    /// assert!(arena.groups().next().unwrap().0.words().eq([0b11]));
    /// ```
    pub fn words(&self) -> impl Iterator<Item = u64> + use<'a> {
        let this = *self;
        (0..this.lanes.div_ceil(WORD)).map(move |word| this.word(word))
    }
}

impl fmt::Debug for Live<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("first", &self.first).field("bits", &self.bits()).finish()
    }
}
