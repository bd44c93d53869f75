//! Rollback netcode: the game runs ahead with guessed inputs; when the real ones arrive late, it goes back and
//! runs again. Two machines end up alike, keys included, whatever order inputs arrived in.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use larder::track::{Checkpoint, Reversible, Tracked};
use larder::{Arena, Handle};

#[derive(Clone, PartialEq)]
struct Ship(i64);

/// The greatest number of frames by which an input is late.
const LATE: usize = 8;

#[derive(Default)]
struct Game {
    ships: Tracked<Arena<Ship>>,
    frames: Vec<Checkpoint>,
    /// The other player's input in each frame; guessed as nothing until it is known.
    inputs: Vec<i64>,
}

impl Game {
    /// One frame: a ship appears, all move, and those that went too far are gone.
    fn frame(&mut self, input: i64) {
        self.frames.push(self.ships.checkpoint());
        self.inputs.push(input);
        let frame = self.frames.len() as i64;
        self.ships.insert(Ship(frame % 5));
        self.ships.iter_mut().for_each(|(_, Ship(x))| *x += input * (*x % 3) + 1);
        self.ships.retain(|ships, key| ships[key].0 < 40);
    }

    /// The input of an earlier frame is known: back to it, and on with what is known now.
    fn correct(&mut self, frame: usize, input: i64) {
        self.ships.rollback(self.frames[frame]).expect("it is held");
        self.frames.truncate(frame);
        let mut again = self.inputs.split_off(frame);
        again[0] = input;
        again.into_iter().for_each(|input| self.frame(input));
        self.ships.forget(self.frames[frame]).expect("it is held"); // what was before is settled
    }
}

fn main() {
    let (mut here, mut there) = (Game::default(), Game::default());
    for frame in 0..200_usize {
        there.frame(frame as i64 % 4);
        here.frame(0); // a guess
        if let Some(late) = frame.checked_sub(LATE - 1) {
            here.correct(late, late as i64 % 4);
        }
    }
    (200 - LATE + 1..200).for_each(|late| here.correct(late, late as i64 % 4));
    let keys = |game: &Game| game.ships.keys().collect::<Vec<Handle<Ship>>>();
    assert!(*here.ships == *there.ships && keys(&here) == keys(&there));
    println!("after 200 frames both have {} ships under the same keys", here.ships.len());
}
