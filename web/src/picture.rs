//! The arena as pixels.

use larder::Arena;

use crate::side::Body;

/// The number of slots in a word, and of words in a row of the picture.
const WORD: usize = 64;
const ACROSS: usize = 8;

/// The colour of slots that were never used.
const UNUSED: u32 = rgb(0x10, 0x14, 0x1C);

/// One pixel a slot and one a word, and what each slot was when it was last painted.
#[derive(Default)]
pub struct Picture {
    slots: Vec<u32>,
    words: Vec<u32>,
    states: Vec<State>,
}

#[derive(Clone, Copy, Default)]
struct State {
    /// The generation of the object, or of the last one.
    generation: u32,
    live: bool,
    /// For how many pictures more the pixel shows that it has changed.
    glow: u8,
}

impl Picture {
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    pub fn words(&self) -> &[u32] {
        &self.words
    }

    pub fn rows(&self) -> usize {
        self.words.len() / ACROSS
    }

    pub fn state(&self, slot: u32) -> u32 {
        let state = self.states.get(slot as usize).copied().unwrap_or_default();
        (state.generation << 1) | u32::from(state.live)
    }

    pub fn paint(&mut self, arena: &Arena<Body>) {
        self.states.resize(arena.stats().slots, State::default());
        let rows = self.states.len().div_ceil(WORD * ACROSS).max(1);
        self.slots.clear();
        self.slots.resize(rows * WORD * ACROSS, UNUSED);
        self.words.clear();
        self.words.resize(rows * ACROSS, UNUSED);
        let words =
            self.states.chunks_mut(WORD).zip(self.slots.chunks_mut(WORD)).zip(&mut self.words);
        for (word, ((states, pixels), whole)) in words.enumerate() {
            let mut live = 0;
            for (bit, (state, pixel)) in states.iter_mut().zip(pixels).enumerate() {
                state.observe(arena.key_of_slot((word * WORD + bit) as u32));
                live += u32::from(state.live);
                *pixel = state.colour();
            }
            let light = (live * 200 / WORD as u32) as u8;
            *whole = rgb(24 + light / 3, 32 + light, 40 + light / 2);
        }
    }
}

impl State {
    fn observe(&mut self, key: Option<larder::Handle<Body>>) {
        let before = (self.live, self.generation);
        self.live = key.is_some();
        if let Some(key) = key {
            self.generation = (key.to_bits() >> 32) as u32;
        }
        let changed = before != (self.live, self.generation);
        self.glow = if changed { 12 } else { self.glow.saturating_sub(1) };
    }

    /// Returns the colour of a slot: live slots from blue to red, the more often they were used; holes are dark. A slot
    /// that has changed is lighter.
    fn colour(self) -> u32 {
        let glow = self.glow * 8;
        if !self.live {
            return rgb(58 + glow, 28 + glow / 4, 40);
        }
        // Each doubling of the generation is a step.
        let age = (32 - self.generation.leading_zeros()).min(9) as u8;
        rgb(40 + age * 20 + glow / 4, 150 - age * 8 + glow, 225 - age * 20)
    }
}

/// Returns a colour as a canvas wants it in a little-endian word.
const fn rgb(red: u8, green: u8, blue: u8) -> u32 {
    u32::from_le_bytes([red, green, blue, 255])
}
