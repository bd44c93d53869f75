//! The allocators to choose from.

/// The allocators that the lab can run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Allocator {
    /// The system's.
    System,
    /// mimalloc, which copies large blocks where the system's moves their pages.
    MiMalloc,
}

impl Allocator {
    /// The environment variable that chooses, set before a process starts.
    pub(crate) const VARIABLE: &str = "LARDER_LAB_ALLOCATOR";

    /// The variable's value.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::MiMalloc => "mimalloc",
        }
    }

    /// Whether it is in this binary.
    pub(crate) fn is_here(self) -> bool {
        self == Self::System || cfg!(feature = "mimalloc")
    }
}
