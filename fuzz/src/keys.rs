//! Keys to work with: of live objects, of dead ones, and forged.

use larder::{Arena, Handle};

use crate::bytes::Bytes;

/// Objects without content.
pub type Id = Handle<()>;

/// Objects that come and go, and every key that was handed out for them.
#[derive(Default, Debug)]
pub struct Objects {
    pub arena: Arena<()>,
    pub keys: Vec<Id>,
}

impl Objects {
    pub fn insert(&mut self) -> Id {
        let key = self.arena.insert(());
        self.keys.push(key);
        key
    }

    /// A key that was handed out, or one in 16 times a forged one.
    pub fn pick(&mut self, bytes: &mut Bytes<'_>) -> Option<Id> {
        let key = bytes.one_of(&self.keys)?;
        if bytes.byte() % 16 != 0 {
            return Some(key);
        }
        let forged = Id::from_bits(key.to_bits() ^ 1 << (bytes.byte() % 64));
        // (A slot further away than any program's would only ask for memory.)
        Some(forged.filter(|forged| forged.slot() < 1 << 16).unwrap_or(key))
    }
}
