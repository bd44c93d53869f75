//! A game in a table.

use core::iter::repeat_n;

use larder::indices::{BySome, GridIndex, IndexBy, MultiIndex};
use larder::track::{Checkpoint, Each, Reversible, Table, TrackError, Versioned};
use larder::{Arena, Handle, Tree};

use super::{CELL, FRAMES, Kind, NEAR, Start, World, digest, pursue};

type Key = Handle<Thing>;

#[derive(Clone)]
struct Thing {
    number: u32,
    kind: Kind,
    place: [f32; 2],
    target: Key,
}

type ByPlace = IndexBy<GridIndex<Key, 2>, BySome<fn(&Thing) -> Option<[f32; 2]>>>;
type ByTarget = IndexBy<MultiIndex<Key, Key>, BySome<fn(&Thing) -> Option<Key>>>;
type ByKind = IndexBy<MultiIndex<Kind, Key>, fn(&Thing) -> Kind>;

pub(super) struct Game {
    world: World,
    things: Table<Arena<Thing>, (ByPlace, ByKind, ByTarget, Tree<Key>)>,
    frame: Versioned<u32>,
    /// The number of the next thing.
    next: Versioned<u32>,
}

impl Reversible for Game {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        (&mut self.things, &mut self.frame, &mut self.next).members(each)
    }
}

impl Game {
    fn add(&mut self, kind: Kind, place: [f32; 2], target: Key) -> Key {
        let number = *self.next;
        *self.next += 1;
        self.things.insert(Thing { number, kind, place, target })
    }

    fn put(&mut self, ship: Key, cargo: Key) {
        let (things, (.., on_board)) = self.things.edit();
        on_board.append(things, ship, cargo).expect("both are there");
    }

    fn of_kind(&self, kind: Kind) -> Vec<Key> {
        self.things.observers().1.get(&kind).to_vec()
    }

    fn move_to(&mut self, key: Key, place: [f32; 2]) {
        self.things.modify(key, |thing| thing.place = place).expect("it is finite");
    }

    /// Removes a ship with all on board and all that pursue it, and returns how many these are.
    fn destroy(&mut self, ship: Key) -> usize {
        let pursuing = self.things.observers().2.get(&ship).to_vec();
        pursuing.iter().for_each(|&missile| _ = self.things.remove(missile));
        self.things.remove_subtree(|(.., on_board)| on_board, ship, |_, _| ());
        pursuing.len()
    }
}

impl super::Game for Game {
    const NAME: &'static str = "Table";
    type Point = Checkpoint;

    fn new(world: World, start: &[Start]) -> Self {
        let by_place: ByPlace =
            GridIndex::by_some(CELL, |thing| (thing.kind != Kind::Crate).then_some(thing.place));
        let by_kind: ByKind = MultiIndex::by(|thing| thing.kind);
        let by_target: ByTarget =
            MultiIndex::by_some(|thing| (thing.kind == Kind::Missile).then_some(thing.target));
        let things = Table::with(Arena::new(), (by_place, by_kind, by_target, Tree::new()));
        let mut game = Self { world, things, frame: Versioned::new(0), next: Versioned::new(0) };
        let mut keys = Vec::new();
        for &Start { kind, place, ship } in start {
            let target = if kind == Kind::Missile { keys[ship] } else { Key::DANGLING };
            keys.push(game.add(kind, place, target));
            if kind == Kind::Crate {
                game.put(keys[ship], keys[keys.len() - 1]);
            }
        }
        game
    }

    fn step(&mut self, input: u32) -> Checkpoint {
        let before = self.checkpoint();
        self.keep(FRAMES as usize).expect("all have the same checkpoints");
        *self.frame += 1;
        let (world, frame) = (self.world, *self.frame);
        for ship in self.of_kind(Kind::Ship) {
            let Thing { number, place, .. } = self.things[ship];
            self.move_to(ship, world.drift(number, frame, input, place));
        }
        let mut hit = Vec::new();
        for missile in self.of_kind(Kind::Missile) {
            let Thing { number, place, target, .. } = self.things[missile];
            let goal = self.things[target].place;
            let place = pursue(place, goal);
            let near = self.things.observers().0.within(place, NEAR).expect("it is finite");
            let (mut is_lost, mut has_hit) = (false, false);
            for (key, _) in near {
                is_lost |= self.things[key].kind == Kind::Rock;
                has_hit |= key == target;
            }
            if has_hit {
                hit.push(target);
            }
            let relaunched = || world.launched(number, frame, goal);
            self.move_to(missile, if is_lost { relaunched() } else { place });
        }
        let (mut ships, mut missiles) = (0, 0);
        for ship in hit {
            if self.things.contains_key(ship) {
                missiles += self.destroy(ship);
                ships += 1;
            }
        }
        let ships: Vec<Key> = repeat_n(Kind::Ship, ships)
            .map(|kind| self.add(kind, world.born(*self.next), Key::DANGLING))
            .collect();
        for &ship in ships.iter().chain(&ships) {
            let cargo = self.add(Kind::Crate, world.born(*self.next), Key::DANGLING);
            self.put(ship, cargo);
        }
        for &ship in ships.iter().cycle().take(missiles) {
            let place = world.launched(*self.next, frame, self.things[ship].place);
            self.add(Kind::Missile, place, ship);
        }
        before
    }

    fn back(&mut self, to: Checkpoint) {
        self.rollback(to).expect("it is one of the last eight");
    }

    fn answer(&self) -> u64 {
        let (by_place, by_kind, by_target, on_board) = self.things.observers();
        let number = |key| self.things.get(key).map(|thing| thing.number);
        let sum = self.things.iter().fold(0, |sum: u64, (key, thing)| {
            let parent = on_board.parent(key).and_then(number);
            sum.wrapping_add(digest(thing.number, thing.place, number(thing.target), parent))
        });
        let ships = by_kind.get(&Kind::Ship);
        let pursuing: usize = ships.iter().map(|ship| by_target.get(ship).len()).sum();
        sum ^ (by_place.len() + ships.len() + pursuing) as u64
    }
}
