//! A small game in one table: missiles home in on ships, ships have crates on board, a grid finds what is near. Frames
//! are taken back when an input turns out to be another, by one call for all of it, and the game is saved and goes on.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use core::error::Error;

use larder::indices::{GridIndex, IndexBy, MultiIndex};
use larder::track::{Checkpoint, Observer, Reversible, Table, Versioned};
use larder::{Arena, Handle, Tree};
use serde::{Deserialize, Serialize};

type Id = Handle<Thing>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
enum Kind {
    Ship,
    Missile,
    Crate,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Thing {
    kind: Kind,
    place: [f32; 2],
    /// The dangling key, if it has none.
    target: Id,
}

type ByPlace = IndexBy<GridIndex<Id, 2>, fn(&Thing) -> [f32; 2]>;
type ByKind = IndexBy<MultiIndex<Kind, Id>, fn(&Thing) -> Kind>;

/// The observers of things. (A closure's type cannot be written; in these indices they become function pointers.)
#[derive(Observer, Reversible)]
struct Beside {
    by_place: ByPlace,
    by_kind: ByKind,
    on_board: Tree<Id>,
}

/// Everything that is taken back together: things with what refers to them, and the number of the frame.
#[derive(Reversible)]
struct Game {
    things: Table<Arena<Thing>, Beside>,
    frame: Versioned<u32>,
}

impl Game {
    /// Takes things that are new or were saved, and files them.
    fn new(things: Arena<Thing>, on_board: Tree<Id>, frame: u32) -> Self {
        let beside = Beside {
            by_place: GridIndex::by(8.0, |thing| thing.place),
            by_kind: MultiIndex::by(|thing| thing.kind),
            on_board,
        };
        Self { things: Table::with(things, beside), frame: Versioned::new(frame) }
    }

    /// A new ship with a crate on board, and a missile that follows it.
    fn launch(&mut self, place: [f32; 2]) {
        let [ship, cargo] = [Kind::Ship, Kind::Crate]
            .map(|kind| self.things.insert(Thing { kind, place, target: Id::DANGLING }));
        let (things, beside) = self.things.edit();
        beside.on_board.append(things, ship, cargo).expect("both are there");
        let place = place.map(|axis| axis - 9.0);
        self.things.insert(Thing { kind: Kind::Missile, place, target: ship });
    }

    /// One frame with an input: ships move, missiles follow them, and the ships that they reach go with their crates.
    fn step(&mut self, input: f32) -> Checkpoint {
        let before = self.checkpoint();
        self.keep(8).expect("all has the same checkpoints");
        *self.frame += 1;
        if *self.frame % 4 == 0 {
            self.launch([*self.frame as f32 * input % 40.0, 20.0]);
        }
        let moving = [Kind::Ship, Kind::Missile]
            .map(|kind| self.things.observers().by_kind.get(&kind).to_vec());
        for key in moving.concat() {
            let Thing { kind, place, target } = self.things[key].clone();
            let goal = self.things.get(target).map_or([input * 20.0; 2], |target| target.place);
            let speed = if kind == Kind::Missile { 0.2 } else { 0.02 };
            let place = [0, 1].map(|axis| place[axis] + speed * (goal[axis] - place[axis]));
            self.things.replace(key, Thing { kind, place, target }).expect("it is finite");
        }
        for missile in self.things.observers().by_kind.get(&Kind::Missile).to_vec() {
            let Thing { place, target, .. } = self.things[missile];
            let near = self.things.observers().by_place.within(place, 1.0).expect("it is finite");
            if near.map(|(key, _)| key).any(|key| key == target) {
                self.things.remove(missile);
                self.things.remove_subtree(|beside| &beside.on_board, target, |_, _| ());
            }
        }
        before
    }

    fn save(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(&(&*self.things, &self.things.observers().on_board, *self.frame))
    }

    fn load(text: &str) -> Result<Self, serde_json::Error> {
        let (things, on_board, frame) = serde_json::from_str(text)?;
        Ok(Self::new(things, on_board, frame))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let [mut here, mut there] = [(); 2].map(|()| Game::new(Arena::new(), Tree::new(), 0));
    let input = |frame: u16| f32::from(frame % 7) / 3.0;
    for frame in (0..200).step_by(8) {
        let guesses = [0.0; 8].map(|guess| here.step(guess));
        here.rollback(guesses[0])?; // the inputs of these frames have arrived
        (frame..frame + 8).for_each(|frame| _ = here.step(input(frame)));
    }
    (0..200).for_each(|frame| _ = there.step(input(frame)));
    assert!(*here.things == *there.things, "keys and places, as if it had never guessed");
    let mut again = Game::load(&here.save()?)?;
    (200..250).for_each(|frame| _ = (here.step(input(frame)), again.step(input(frame))));
    assert!(*here.things == *again.things);
    println!(
        "frame {}: {} things under the same keys, saved or not",
        *here.frame,
        here.things.len()
    );
    Ok(())
}
