//! Links beside a container, by slot, in pages that are made as they are needed.
//!
//! **Invariant.** A node has the key whose links it holds. Asked for another key of the slot it has
//! nothing: links are never those of who was in the slot before.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::error::TryReserveError;
use crate::key::Key;
use crate::links::{Linked, LinkedMut};

/// Slots of a page.
const PAGE: usize = 256;

#[derive(Clone, Copy)]
struct Node<K, L> {
    key: Option<K>,
    links: L,
}

type Page<K, L> = Box<[Node<K, L>; PAGE]>;

/// Links of type `L` for keys, each held by the slot.
#[derive(Clone)]
pub(crate) struct Beside<K, L> {
    pages: Vec<Option<Page<K, L>>>,
}

impl<K, L> Beside<K, L> {
    pub(crate) const fn new() -> Self {
        Self { pages: Vec::new() }
    }
}

impl<K: Key, L: Copy + Default + PartialEq> Beside<K, L> {
    #[inline]
    fn node(&self, slot: u32) -> Option<&Node<K, L>> {
        let page = self.pages.get(slot as usize / PAGE)?.as_ref()?;
        Some(&page[slot as usize % PAGE])
    }

    #[inline]
    fn node_mut(&mut self, slot: u32) -> Option<&mut Node<K, L>> {
        let page = self.pages.get_mut(slot as usize / PAGE)?.as_mut()?;
        Some(&mut page[slot as usize % PAGE])
    }

    /// Whose links the slot holds.
    pub(crate) fn tenant(&self, slot: u32) -> Option<K> {
        self.node(slot)?.key
    }

    /// Makes room for a key's links; new ones if the slot holds another's, which is forgotten. On
    /// an error nothing has changed.
    pub(crate) fn place(&mut self, key: K) -> Result<(), TryReserveError> {
        self.make_page(key.slot() as usize / PAGE)?;
        if let Some(node) = self.node_mut(key.slot()).filter(|node| node.key != Some(key)) {
            *node = Node { key: Some(key), links: L::default() };
        }
        Ok(())
    }

    fn make_page(&mut self, page: usize) -> Result<(), TryReserveError> {
        let refused = |bytes| move |_| TryReserveError::AllocRefused { bytes };
        let missing = (page + 1).saturating_sub(self.pages.len());
        self.pages.try_reserve(missing).map_err(refused(missing * size_of::<usize>()))?;
        self.pages.resize_with(self.pages.len() + missing, || None);
        if self.pages[page].is_none() {
            let mut nodes = Vec::new();
            let bytes = PAGE * size_of::<Node<K, L>>();
            nodes.try_reserve_exact(PAGE).map_err(refused(bytes))?;
            nodes.resize(PAGE, Node { key: None, links: L::default() });
            self.pages[page] = nodes.into_boxed_slice().try_into().ok();
        }
        Ok(())
    }

    /// Forgets a key's links.
    pub(crate) fn vacate(&mut self, key: K) {
        if let Some(node) = self.node_mut(key.slot()).filter(|node| node.key == Some(key)) {
            *node = Node { key: None, links: L::default() };
        }
    }

    /// Forgets all of them, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        for page in self.pages.iter_mut().flatten() {
            page.fill(Node { key: None, links: L::default() });
        }
    }

    /// The keys whose links say something.
    pub(crate) fn keys(&self) -> impl Iterator<Item = K> {
        let nodes = self.pages.iter().flatten().flat_map(|page| page.iter());
        nodes.filter(|node| node.links != L::default()).filter_map(|node| node.key)
    }

    /// Whose links the next slot holds that holds some, from this one on.
    pub(crate) fn tenant_from(&self, slot: u32) -> Option<K> {
        let (first, mut skipped) = (slot as usize / PAGE, slot as usize % PAGE);
        for page in self.pages.get(first..)? {
            let nodes = page.as_ref().map_or(&[][..], |page| &page[skipped..]);
            if let Some(key) = nodes.iter().find_map(|node| node.key) {
                return Some(key);
            }
            skipped = 0;
        }
        None
    }

    /// Gives pages back whose links say nothing.
    pub(crate) fn shrink_to_fit(&mut self) {
        for page in &mut self.pages {
            let says_nothing = |node: &Node<K, L>| node.links == L::default();
            if page.as_ref().is_some_and(|nodes| nodes.iter().all(says_nothing)) {
                *page = None;
            }
        }
        let used = self.pages.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        self.pages.truncate(used);
        self.pages.shrink_to_fit();
    }
}

impl<K: Key, L: Copy + Default + PartialEq> Linked<K, L> for Beside<K, L> {
    #[inline]
    fn links(&self, key: K) -> Option<&L> {
        let node = self.node(key.slot())?;
        (node.key == Some(key)).then_some(&node.links)
    }
}

impl<K: Key, L: Copy + Default + PartialEq> LinkedMut<K, L> for Beside<K, L> {
    #[inline]
    fn links_mut(&mut self, key: K) -> Option<&mut L> {
        let node = self.node_mut(key.slot())?;
        (node.key == Some(key)).then_some(&mut node.links)
    }
}
