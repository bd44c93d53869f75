//! A game by hand: a `SlotMap`, a table of hash for each index, and clones.

use alloc::collections::VecDeque;
use std::collections::HashMap;

use slotmap::{DefaultKey as Key, SlotMap};

use super::{CELL, FRAMES, Kind, NEAR, Start, World, digest, is_near, pursue};
use crate::study::Foldhash;

#[derive(Clone)]
struct Thing {
    number: u32,
    kind: Kind,
    /// The position of its key among those of its kind.
    position: u32,
    place: [f32; 2],
    target: Option<Key>,
    parent: Option<Key>,
    children: Vec<Key>,
}

type Points = Vec<(Key, [f32; 2])>;

/// The cells of a grid.
pub(super) trait Cells: Clone {
    const NAME: &'static str;

    fn new(world: World) -> Self;
    fn cell(&self, at: [i32; 2]) -> Option<&Points>;
    fn cell_mut(&mut self, at: [i32; 2]) -> &mut Points;
}

/// Cells by hash, without bounds, as those of a `GridIndex`.
pub(super) struct Hashed(HashMap<[i32; 2], Points, Foldhash>);

impl Clone for Hashed {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, now: &Self) {
        self.0.clone_from(&now.0);
    }
}

impl Cells for Hashed {
    const NAME: &'static str = "SlotMap, HashMap and clones";

    fn new(_: World) -> Self {
        Self(HashMap::default())
    }

    fn cell(&self, at: [i32; 2]) -> Option<&Points> {
        self.0.get(&at)
    }

    fn cell_mut(&mut self, at: [i32; 2]) -> &mut Points {
        self.0.entry(at).or_default()
    }
}

/// Cells of a world whose size is known.
pub(super) struct Bounded {
    cells: Vec<Points>,
    width: i32,
}

impl Clone for Bounded {
    fn clone(&self) -> Self {
        Self { cells: self.cells.clone(), ..*self }
    }

    /// Uses the memory of each cell.
    fn clone_from(&mut self, now: &Self) {
        self.cells.clone_from(&now.cells);
    }
}

impl Cells for Bounded {
    const NAME: &'static str = "SlotMap, cells in a Vec and clones";

    fn new(world: World) -> Self {
        let width = (world.edge / CELL) as i32 + 1;
        Self { cells: vec![Vec::new(); (width * width) as usize], width }
    }

    fn cell(&self, [x, y]: [i32; 2]) -> Option<&Points> {
        let inside = 0..self.width;
        (inside.contains(&x) && inside.contains(&y))
            .then(|| &self.cells[(y * self.width + x) as usize])
    }

    fn cell_mut(&mut self, [x, y]: [i32; 2]) -> &mut Points {
        &mut self.cells[(y * self.width + x) as usize]
    }
}

fn cell_of(place: [f32; 2]) -> [i32; 2] {
    place.map(|axis| (axis / CELL).floor() as i32)
}

/// Everything that is cloned for each frame.
struct State<G> {
    things: SlotMap<Key, Thing>,
    cells: G,
    by_kind: HashMap<Kind, Vec<Key>, Foldhash>,
    by_target: HashMap<Key, Vec<Key>, Foldhash>,
    frame: u32,
    next: u32,
}

impl<G: Cells> Clone for State<G> {
    fn clone(&self) -> Self {
        Self {
            things: self.things.clone(),
            cells: self.cells.clone(),
            by_kind: self.by_kind.clone(),
            by_target: self.by_target.clone(),
            ..*self
        }
    }

    /// Uses the memory that is there.
    fn clone_from(&mut self, now: &Self) {
        self.things.clone_from(&now.things);
        self.cells.clone_from(&now.cells);
        self.by_kind.clone_from(&now.by_kind);
        self.by_target.clone_from(&now.by_target);
        (self.frame, self.next) = (now.frame, now.next);
    }
}

pub(super) struct Game<G> {
    world: World,
    now: State<G>,
    /// The last eight frames, oldest first.
    before: VecDeque<State<G>>,
}

fn take_out<T>(all: &mut Vec<T>, is_it: impl Fn(&T) -> bool) {
    let position = all.iter().position(is_it).expect("it is there");
    all.swap_remove(position);
}

impl<G: Cells> State<G> {
    fn add(&mut self, kind: Kind, place: [f32; 2], target: Option<Key>) -> Key {
        let number = self.next;
        self.next += 1;
        let same = self.by_kind.entry(kind).or_default();
        let position = same.len() as u32;
        let thing =
            Thing { number, kind, position, place, target, parent: None, children: Vec::new() };
        let key = self.things.insert(thing);
        same.push(key);
        if kind != Kind::Crate {
            self.cells.cell_mut(cell_of(place)).push((key, place));
        }
        if let Some(target) = target {
            self.by_target.entry(target).or_default().push(key);
        }
        key
    }

    fn put(&mut self, ship: Key, cargo: Key) {
        self.things[ship].children.push(cargo);
        self.things[cargo].parent = Some(ship);
    }

    fn move_to(&mut self, key: Key, place: [f32; 2]) {
        let thing = &mut self.things[key];
        let [from, to] = [cell_of(thing.place), cell_of(place)];
        thing.place = place;
        let points = self.cells.cell_mut(from);
        if from == to {
            let point = points.iter_mut().find(|(other, _)| *other == key);
            point.expect("it is there").1 = place;
        } else {
            take_out(points, |(other, _)| *other == key);
            self.cells.cell_mut(to).push((key, place));
        }
    }

    fn remove(&mut self, key: Key) {
        let Some(thing) = self.things.remove(key) else { return };
        let same = self.by_kind.get_mut(&thing.kind).expect("it is there");
        same.swap_remove(thing.position as usize);
        if let Some(&moved) = same.get(thing.position as usize) {
            self.things[moved].position = thing.position;
        }
        if thing.kind != Kind::Crate {
            take_out(self.cells.cell_mut(cell_of(thing.place)), |(other, _)| *other == key);
        }
        if let Some(target) = thing.target {
            let pursuing = self.by_target.get_mut(&target).expect("it is there");
            take_out(pursuing, |other| *other == key);
            if pursuing.is_empty() {
                self.by_target.remove(&target);
            }
        }
        if let Some(parent) = thing.parent.and_then(|parent| self.things.get_mut(parent)) {
            let position = parent.children.iter().position(|other| *other == key);
            parent.children.remove(position.expect("it is there"));
        }
        thing.children.into_iter().for_each(|child| self.remove(child));
    }

    fn near(&self, place: [f32; 2], mut found: impl FnMut(Key)) {
        let [from, to] = [-NEAR, NEAR].map(|by| cell_of(place.map(|axis| axis + by)));
        for y in from[1]..=to[1] {
            for x in from[0]..=to[0] {
                for &(key, other) in self.cells.cell([x, y]).into_iter().flatten() {
                    if is_near(place, other) {
                        found(key);
                    }
                }
            }
        }
    }
}

impl<G: Cells> super::Game for Game<G> {
    const NAME: &'static str = G::NAME;
    type Point = u32;

    fn new(world: World, start: &[Start]) -> Self {
        let (by_kind, by_target) = (HashMap::default(), HashMap::default());
        let things = SlotMap::new();
        let cells = G::new(world);
        let mut now = State { things, cells, by_kind, by_target, frame: 0, next: 0 };
        let mut keys = Vec::new();
        for &Start { kind, place, ship } in start {
            let target = (kind == Kind::Missile).then(|| keys[ship]);
            keys.push(now.add(kind, place, target));
            if kind == Kind::Crate {
                now.put(keys[ship], keys[keys.len() - 1]);
            }
        }
        Self { world, now, before: VecDeque::new() }
    }

    fn step(&mut self, input: u32) -> u32 {
        // (The oldest clone lends its memory to the newest.)
        let oldest =
            if self.before.len() < FRAMES as usize { None } else { self.before.pop_front() };
        let copy = oldest.map_or_else(
            || self.now.clone(),
            |mut oldest| {
                oldest.clone_from(&self.now);
                oldest
            },
        );
        self.before.push_back(copy);
        let (world, now) = (self.world, &mut self.now);
        now.frame += 1;
        let frame = now.frame;
        for ship in now.by_kind[&Kind::Ship].clone() {
            let Thing { number, place, .. } = now.things[ship];
            now.move_to(ship, world.drift(number, frame, input, place));
        }
        let mut hit = Vec::new();
        for missile in now.by_kind[&Kind::Missile].clone() {
            let Thing { number, place, target, .. } = now.things[missile];
            let target = target.expect("it is a missile");
            let goal = now.things[target].place;
            let place = pursue(place, goal);
            let (mut is_lost, mut has_hit) = (false, false);
            now.near(place, |key| {
                is_lost |= now.things[key].kind == Kind::Rock;
                has_hit |= key == target;
            });
            if has_hit {
                hit.push(target);
            }
            let relaunched = || world.launched(number, frame, goal);
            now.move_to(missile, if is_lost { relaunched() } else { place });
        }
        let (mut ships, mut missiles) = (0, 0);
        for ship in hit {
            if now.things.contains_key(ship) {
                let pursuing = now.by_target.get(&ship).cloned().unwrap_or_default();
                pursuing.iter().for_each(|&missile| now.remove(missile));
                missiles += pursuing.len();
                now.remove(ship);
                ships += 1;
            }
        }
        let ships: Vec<Key> =
            (0..ships).map(|_| now.add(Kind::Ship, world.born(now.next), None)).collect();
        for &ship in ships.iter().chain(&ships) {
            let cargo = now.add(Kind::Crate, world.born(now.next), None);
            now.put(ship, cargo);
        }
        for &ship in ships.iter().cycle().take(missiles) {
            let place = world.launched(now.next, frame, now.things[ship].place);
            now.add(Kind::Missile, place, Some(ship));
        }
        frame - 1
    }

    fn back(&mut self, to: u32) {
        let later = self.before.iter().position(|before| before.frame == to);
        self.before.truncate(later.expect("it is one of the last eight") + 1);
        self.now = self.before.pop_back().expect("it was just found");
    }

    fn answer(&self) -> u64 {
        let State { things, cells, by_kind, by_target, .. } = &self.now;
        let number = |key| things.get(key).map(|thing| thing.number);
        let mut filed = 0;
        let sum = things.iter().fold(0, |sum: u64, (key, thing)| {
            let points = cells.cell(cell_of(thing.place)).into_iter().flatten();
            filed += points.filter(|(other, _)| *other == key).count();
            let (target, parent) = (thing.target.and_then(number), thing.parent.and_then(number));
            sum.wrapping_add(digest(thing.number, thing.place, target, parent))
        });
        let ships = &by_kind[&Kind::Ship];
        let pursuing = ships.iter().filter_map(|ship| by_target.get(ship));
        let pursuing: usize = pursuing.map(Vec::len).sum();
        sum ^ (filed + ships.len() + pursuing) as u64
    }
}
