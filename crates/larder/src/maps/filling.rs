//! Maps that are filled from a file, whose keys can name any slot: memory is that of the entries which the file has.

use alloc::vec::Vec;
use core::fmt;

use crate::error::{SecondaryInsertError, SecondaryInsertErrorKind};
use crate::key::{Key, can_be_live};
use crate::maps::SideMap;
use crate::parts::{Encoder, FromParts, LoadError, Loaded, Pairs, Parts};
use crate::maps::side_layout::SideLayout;
use crate::scratch::reserve;

/// The number of bytes that an array by slot may have, however few entries it is for.
const LEAST_BYTES: usize = 16 << 10;

/// The numbers of bytes and of slots that it may have for each entry, of which the larger counts. (Room for values may
/// have this number of bytes for each byte of its file, since the file has bytes for slots without an entry, too.)
const BYTES_EACH: usize = 2 << 10;
const SLOTS_EACH: usize = 8;

/// The slots of a file are too far apart for an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooSparse {
    /// The largest.
    pub(crate) slot: u32,
    /// The number of slots for which the file has something.
    pub(crate) entries: usize,
    /// The size of the array, in bytes.
    pub(crate) bytes: usize,
}

impl TooSparse {
    /// Checks that an array of rows up to a slot is not much larger than `entries` entries of a file.
    pub(crate) const fn check(slot: u32, row: usize, entries: usize) -> Result<(), Self> {
        let slots = (slot as usize).saturating_add(1);
        // (And a bit for each slot.)
        let bytes = slots.saturating_mul(row).saturating_add(slots / 8);
        let each = if SLOTS_EACH * row > BYTES_EACH { SLOTS_EACH * row } else { BYTES_EACH };
        if bytes <= entries.saturating_mul(each).saturating_add(LEAST_BYTES) {
            Ok(())
        } else {
            Err(Self { slot, entries, bytes })
        }
    }

    /// Checks that the `bytes` of room for values are not much more than those that a file has for entries and slots.
    #[cfg(feature = "snapshot")]
    pub(crate) const fn check_room(
        slots: usize,
        bytes: usize,
        entries: usize,
        length: usize,
    ) -> Result<(), Self> {
        if bytes <= length.saturating_mul(BYTES_EACH).saturating_add(LEAST_BYTES) {
            Ok(())
        } else {
            Err(Self { slot: slots.saturating_sub(1) as u32, entries, bytes })
        }
    }
}

impl fmt::Display for TooSparse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { slot, entries, bytes } = self;
        write!(
            f,
            "slot {slot} is too far from the others: an array up to it has {bytes} bytes, for {entries} entries of a file"
        )
    }
}

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
        if self.check(key.slot()).is_err() && can_be_live(key) {
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
