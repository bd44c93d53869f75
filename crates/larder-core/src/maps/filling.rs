//! Maps that are filled from a file, whose keys can name any slot: memory is that of the entries which the file has.

use alloc::vec::Vec;

use crate::error::{SecondaryInsertError, SecondaryInsertErrorKind};
use crate::key::Key;
use crate::maps::SideMap;
use crate::maps::side_layout::SideLayout;
use crate::parts::{Encoder, FromParts, LoadError, Loaded, Pairs, Parts, TooSparse};
use crate::room::reserve;

/// A map, and entries that wait for more of them: how far slots may be apart is known when all were read.
pub(crate) struct Filling<K: Key, V, L> {
    map: SideMap<K, V, L>,
    entries: usize,
    far: Vec<(K, V)>,
}

impl<K: Key, V, L: SideLayout<K, V>> Filling<K, V, L> {
    pub(crate) fn new() -> Self {
        Self { map: SideMap::new(), entries: 0, far: Vec::new() }
    }

    fn check(&self, slot: u32) -> Result<(), TooSparse> {
        L::SLOT_BYTES.map_or(Ok(()), |row| TooSparse::check(slot, row, self.entries))
    }

    /// Takes the next entry.
    pub(crate) fn push(&mut self, key: K, value: V) -> Result<(), LoadError> {
        self.entries += 1;
        if self.check(key.slot()).is_err() && key.can_be_live() {
            reserve(&mut self.far, 1)?;
            self.far.push((key, value));
            return Ok(());
        }
        self.insert(key, value)
    }

    fn insert(&mut self, key: K, value: V) -> Result<(), LoadError> {
        if let Some(tenant) = self.map.key_of_slot(key.slot()) {
            return Err(LoadError::entry(format_args!("{key:?} and {tenant:?} are of one slot")));
        }
        match self.map.try_insert(key, value) {
            Ok(_) => Ok(()),
            Err(SecondaryInsertError {
                reason: SecondaryInsertErrorKind::Memory(reason), ..
            }) => Err(reason.into()),
            Err(SecondaryInsertError { key, reason, .. }) => {
                Err(LoadError::entry(SecondaryInsertError { key, value: (), reason }))
            }
        }
    }

    /// The map, of all entries.
    pub(crate) fn finish(mut self) -> Result<SideMap<K, V, L>, LoadError> {
        let farthest = self.far.iter().map(|(key, _)| key.slot()).max();
        if let Some(slot) = farthest {
            self.check(slot)?;
        }
        for (key, value) in core::mem::take(&mut self.far) {
            self.insert(key, value)?;
        }
        Ok(self.map)
    }
}

impl<K: Key, V, L: SideLayout<K, V>> Parts for SideMap<K, V, L> {
    const KIND: &'static str = L::KIND;
    type List = Pairs<K, V>;

    fn save<E: Encoder<Pairs<K, V>>>(&self, to: &mut E) -> Result<(), E::Error> {
        to.list(self.iter())
    }
}

impl<K: Key, V, L: SideLayout<K, V>> FromParts for SideMap<K, V, L> {
    fn load(parts: Loaded<Pairs<K, V>>) -> Result<Self, LoadError> {
        let mut map = Filling::new();
        parts.list.0.into_iter().try_for_each(|(key, value)| map.push(key, value))?;
        map.finish()
    }
}
