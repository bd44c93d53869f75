//! Where the blocks of a container come from.

/// Chosen when a container is made; looked at when a block is made, never by an access.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Memory {
    /// The global allocator; `huge`: large blocks are advised to use huge pages.
    Heap { huge: bool },
    /// Reserved address space for `max` elements, of huge pages or not.
    #[cfg(feature = "reserved")]
    Reserved { max: usize, huge: bool },
}

impl Memory {
    /// For a block with another number of elements.
    #[cfg_attr(not(feature = "reserved"), expect(unused_variables, reason = "there is no maximum"))]
    pub(crate) fn scaled(self, elements: impl FnOnce(usize) -> usize) -> Self {
        match self {
            Self::Heap { .. } => self,
            #[cfg(feature = "reserved")]
            Self::Reserved { max, huge } => Self::Reserved { max: elements(max), huge },
        }
    }
}
