//! The frame of a game whose last eight frames can be taken back: ships with crates on board, missiles that pursue
//! them, rocks in between; a tree, a grid and two indices. A table with one history, against `SlotMap`, `HashMap` and
//! a clone of all of it for each frame.
//!
//! The rules are here, the two ways to keep things are in the files below. No rule depends on the order in which things
//! are visited, so that all subjects have the same things after each frame.

mod by_hand;
mod table;

use crate::study::prelude::*;

/// The frames that are guessed, taken back and played again.
const FRAMES: u32 = 8;
/// The edge of a cell of the grids, each with four things on average.
const CELL: f32 = 8.0;
/// At this distance or less things hit each other.
const NEAR: f32 = 0.3;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Ship,
    Missile,
    Crate,
    Rock,
}

/// A square in which everything is.
#[derive(Clone, Copy)]
struct World {
    edge: f32,
}

/// A thing of the first frame. Its number is its position among them.
struct Start {
    kind: Kind,
    place: [f32; 2],
    /// The number of the ship that a missile pursues, or that a crate is on.
    ship: usize,
}

/// Something random of two numbers.
fn mix(a: u32, b: u32) -> u64 {
    let mixed = (u64::from(a) << 32 | u64::from(b)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// Two random numbers between -1 and 1.
fn direction(random: u64) -> [f32; 2] {
    [random, random >> 32].map(|half| half as u32 as f32 / u32::MAX as f32 * 2.0 - 1.0)
}

impl World {
    fn of(count: usize) -> Self {
        Self { edge: 4.0 * (count as f32).sqrt() }
    }

    /// An eighth are ships, each with two crates, an eighth missiles; the others are rocks.
    fn start(self, count: usize) -> Vec<Start> {
        let ships = count / 8;
        let thing = |number| match number {
            _ if number < ships => (Kind::Ship, 0),
            _ if number < 3 * ships => (Kind::Crate, (number - ships) / 2),
            _ if number < 4 * ships => (Kind::Missile, number - 3 * ships),
            _ => (Kind::Rock, 0),
        };
        let start = |number| {
            let (kind, ship) = thing(number);
            let place = match kind {
                Kind::Missile => self.launched(number as u32, 0, self.born(ship as u32)),
                _ => self.born(number as u32),
            };
            Start { kind, place, ship }
        };
        (0..count).map(start).collect()
    }

    fn inside(self, place: [f32; 2]) -> [f32; 2] {
        place.map(|axis| axis.clamp(0.0, self.edge))
    }

    /// The place at which a thing of this number appears.
    fn born(self, number: u32) -> [f32; 2] {
        direction(mix(number, 1)).map(|axis| (axis + 1.0) / 2.0 * self.edge)
    }

    /// The place from which a missile begins its way to another.
    fn launched(self, number: u32, frame: u32, goal: [f32; 2]) -> [f32; 2] {
        let [x, y] = direction(mix(number, frame));
        self.inside([goal[0] + x * 150.0, goal[1] + y * 150.0])
    }

    /// The next place of a ship.
    fn drift(self, number: u32, frame: u32, input: u32, [x, y]: [f32; 2]) -> [f32; 2] {
        let [dx, dy] = direction(mix(number, frame / 16 + input));
        self.inside([x + dx, y + dy])
    }
}

/// The next place of a missile.
fn pursue([x, y]: [f32; 2], goal: [f32; 2]) -> [f32; 2] {
    let (dx, dy) = (goal[0] - x, goal[1] - y);
    let part = 2.0 / (dx * dx + dy * dy).sqrt().max(2.0);
    [x + dx * part, y + dy * part]
}

fn is_near([x, y]: [f32; 2], other: [f32; 2]) -> bool {
    let (dx, dy) = (f64::from(other[0] - x), f64::from(other[1] - y));
    dx * dx + dy * dy <= f64::from(NEAR) * f64::from(NEAR)
}

/// A part of the digest of a game, of one thing.
fn digest(number: u32, place: [f32; 2], target: Option<u32>, parent: Option<u32>) -> u64 {
    let at = mix(place[0].to_bits(), place[1].to_bits()) as u32;
    let to = mix(target.unwrap_or(u32::MAX), parent.unwrap_or(u32::MAX)) as u32;
    mix(number, at ^ to.rotate_left(7))
}

/// A game, however it keeps its things.
trait Game {
    const NAME: &'static str;
    /// A frame that can be returned to.
    type Point: Copy;

    fn new(world: World, things: &[Start]) -> Self;
    /// Plays a frame, and returns the one before.
    fn step(&mut self, input: u32) -> Self::Point;
    /// Returns to one of the last eight frames.
    fn back(&mut self, to: Self::Point);
    /// The sum of the digests of all things, and what the indices know of them.
    fn answer(&self) -> u64;
}

/// The two workloads.
#[derive(Clone, Copy)]
enum Play {
    /// Eight frames.
    On,
    /// Eight frames are guessed, taken back and played again.
    Again,
}

impl Play {
    const fn frames(self) -> u32 {
        match self {
            Self::On => FRAMES,
            Self::Again => 2 * FRAMES,
        }
    }

    fn play(self, game: &mut impl Game) {
        if let Self::Again = self {
            let first = game.step(FRAMES);
            (1..FRAMES).for_each(|_| _ = game.step(FRAMES));
            game.back(first);
        }
        (0..FRAMES).for_each(|input| _ = game.step(input));
    }
}

pub(super) fn parts() -> Vec<Part> {
    study::parts("game", &[50_000], NEVER_SLOW, |contest| {
        let things = &World::of(contest.count).start(contest.count);
        let again = "a frame, where each eight are guessed, taken back and played again";
        contest.take_all_turns([
            (
                "frame",
                "a frame, after which the last eight can be taken back",
                turns(things, Play::On),
            ),
            ("again", again, turns(things, Play::Again)),
        ])
    })
}

fn turns(things: &[Start], play: Play) -> Vec<Turn<'_>> {
    vec![
        turn::<table::Game>(things, play),
        turn::<by_hand::Game<by_hand::Hashed>>(things, play),
        turn::<by_hand::Game<by_hand::Bounded>>(things, play),
    ]
}

fn turn<'a, G: Game + 'a>(things: &[Start], play: Play) -> Turn<'a> {
    let game = G::new(World::of(things.len()), things);
    Turn::changing(G::NAME, play.frames() as usize, game, move |game| play.play(game), G::answer)
}
