//! Objects in a container, and the keys to them.

use larder::containers::Stats;
use larder::{Arena, Handle};
use slotmap::{DefaultKey, SlotMap};

/// An object of 16 bytes.
#[derive(Clone, Copy)]
pub struct Body {
    at: [u32; 2],
    by: [u32; 2],
}

impl Body {
    fn step(&mut self) -> u32 {
        let [x, y] = &mut self.at;
        *x = x.wrapping_add(self.by[0]);
        *y = y.wrapping_add(self.by[1]);
        *x ^ *y
    }
}

/// A container, all keys to its objects, and what it chooses by.
pub struct Side<C: Store> {
    pub objects: C,
    keys: Vec<C::Key>,
    random: u64,
}

impl<C: Store> Default for Side<C> {
    fn default() -> Self {
        Self { objects: C::default(), keys: Vec::new(), random: 0x9E37_79B9_7F4A_7C15 }
    }
}

/// The operations that both containers have.
pub trait Store: Default {
    type Key: Copy;
    fn insert(&mut self, body: Body) -> Self::Key;
    fn remove(&mut self, key: Self::Key) -> bool;
    fn step(&mut self) -> u32;
    fn clear(&mut self);
}

/// The work of one side.
pub trait Objects {
    fn fill(&mut self, count: u32) -> u32;
    fn punch(&mut self, percent: u32) -> u32;
    fn churn(&mut self, count: u32) -> u32;
    fn step(&mut self) -> u32;
    fn clear(&mut self) -> u32;
}

impl<C: Store> Side<C> {
    /// A number below `bound`: xorshift.
    fn below(&mut self, bound: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (((self.random >> 32) * bound as u64) >> 32) as usize
    }

    fn add(&mut self) {
        let by = self.below(1 << 16) as u32;
        let key = self.objects.insert(Body { at: [by, !by], by: [by | 1, 7] });
        self.keys.push(key);
    }

    fn drop_one(&mut self) {
        let chosen = self.below(self.keys.len());
        let key = self.keys.swap_remove(chosen);
        assert!(self.objects.remove(key), "a kept key finds its object");
    }
}

impl<C: Store> Objects for Side<C> {
    fn fill(&mut self, count: u32) -> u32 {
        let missing = (count as usize).saturating_sub(self.keys.len());
        (0..missing).for_each(|_| self.add());
        missing as u32
    }

    fn punch(&mut self, percent: u32) -> u32 {
        let many = self.keys.len() * percent.min(100) as usize / 100;
        (0..many).for_each(|_| self.drop_one());
        many as u32
    }

    fn churn(&mut self, count: u32) -> u32 {
        if self.keys.is_empty() {
            return 0;
        }
        for _ in 0..count {
            self.drop_one();
            self.add();
        }
        count
    }

    fn step(&mut self) -> u32 {
        self.objects.step()
    }

    fn clear(&mut self) -> u32 {
        let many = self.keys.len() as u32;
        self.objects.clear();
        self.keys.clear();
        many
    }
}

impl Side<Arena<Body>> {
    pub fn compact(&mut self) -> u32 {
        let mut at = vec![0; self.stats().slots];
        for (position, key) in self.keys.iter().enumerate() {
            at[key.slot() as usize] = position;
        }
        let mut moved = 0;
        let Self { objects, keys, .. } = self;
        objects.compact(|from, to, _| {
            keys[at[from.slot() as usize]] = to;
            moved += 1;
        });
        moved
    }

    pub fn stats(&self) -> Stats {
        self.objects.stats()
    }
}

impl Store for Arena<Body> {
    type Key = Handle<Body>;

    fn insert(&mut self, body: Body) -> Handle<Body> {
        Self::insert(self, body)
    }

    fn remove(&mut self, key: Handle<Body>) -> bool {
        Self::remove(self, key).is_some()
    }

    fn step(&mut self) -> u32 {
        self.values_mut().fold(0, |sum: u32, body| sum.wrapping_add(body.step()))
    }

    fn clear(&mut self) {
        Self::clear(self);
    }
}

impl Store for SlotMap<DefaultKey, Body> {
    type Key = DefaultKey;

    fn insert(&mut self, body: Body) -> DefaultKey {
        Self::insert(self, body)
    }

    fn remove(&mut self, key: DefaultKey) -> bool {
        Self::remove(self, key).is_some()
    }

    fn step(&mut self) -> u32 {
        self.values_mut().fold(0, |sum: u32, body| sum.wrapping_add(body.step()))
    }

    fn clear(&mut self) {
        Self::clear(self);
    }
}
