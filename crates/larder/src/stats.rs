//! What a container tells about itself, and the order in which it uses slots again.

/// In which order freed slots are used again.
///
/// Whatever the order, a new slot is begun only when no freed one is left. Chosen with a
/// [`Builder`](crate::Builder).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Reuse {
    /// Next to one another: the holes of one word of 64 slots, lowest first, then those of the lowest
    /// such word among the same 4,096 slots, then of the lowest word of all. Costs no memory, and
    /// keeps walks dense.
    #[default]
    Packed,
    /// The slot that was freed last, as a stack does. 4 bytes a slot.
    LastFreed,
    /// The slot that has been free for longest, as a queue does: slots wear evenly. 4 bytes a slot.
    Oldest,
}

/// How a container's slots and memory are used, at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Values in the container.
    pub live: usize,
    /// Slots that were freed and wait to be used again.
    pub holes: usize,
    /// Slots that are kept for a detached key.
    pub detached: usize,
    /// Slots whose generations are used up; they are never used again.
    pub retired: usize,
    /// Slots ever begun: all of the above.
    pub slots: usize,
    /// Values that fit without growing.
    pub capacity: usize,
    /// Bytes allocated.
    pub bytes: usize,
}
