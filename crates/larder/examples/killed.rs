//! A simulation that is killed and goes on where it was: it saves its world every day, and at whatever moment
//! it is killed, the next run loads a whole snapshot and arrives where a run that was never killed does.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use core::{error::Error, time::Duration};
use std::{env, fs, path::Path, process::Command, thread::sleep};

use bytemuck::{CheckedBitPattern, NoUninit};
use larder::snapshot::{Saver, Snapshot};
use larder::{Arena, Handle};

const DAYS: u64 = 300;

/// A fox knows the one that it is after.
#[derive(Clone, Copy, Debug, PartialEq, NoUninit, CheckedBitPattern)]
#[repr(C)]
struct Fox {
    hunts: Handle<Fox>,
    age: u64,
}

fn live(foxes: &mut Arena<Fox>, day: u64) {
    let hunts = foxes.keys().nth(day as usize % 7).unwrap_or_default();
    foxes.insert(Fox { hunts, age: 0 });
    let grown: Vec<Fox> = foxes.values().filter(|fox| fox.age % 5 == 4).copied().collect();
    grown.iter().for_each(|fox| _ = foxes.remove(fox.hunts));
    foxes.values_mut().for_each(|fox| fox.age += 1);
}

fn load(path: &Path) -> Result<(Arena<Fox>, u64), Box<dyn Error>> {
    let mut file = Snapshot::open(path)?;
    Ok((file.load("foxes")?, file.tag()))
}

fn main() -> Result<(), Box<dyn Error>> {
    if let Some(path) = env::args_os().nth(1) {
        let (mut foxes, mut day) = load(Path::new(&path)).unwrap_or_default();
        while day < DAYS {
            live(&mut foxes, day);
            day += 1;
            Saver::new().tag(day).section("foxes", &foxes).save(&path)?;
        }
        return Ok(());
    }
    let path = env::temp_dir().join(format!("larder-foxes-{}", std::process::id()));
    let mut runs = 0;
    while load(&path).map_or(0, |(_, day)| day) < DAYS {
        let mut run = Command::new(env::current_exe()?).arg(&path).spawn()?;
        while runs == 0 && load(&path).is_err() {} // the first is killed on its first days
        sleep(Duration::from_millis(22 * runs.min(1) + 2 * runs));
        let _ = (run.kill(), run.wait());
        runs += 1;
    }
    let (saved, mut foxes) = (load(&path)?.0, Arena::new());
    (0..DAYS).for_each(|day| live(&mut foxes, day)); // in one run
    fs::remove_file(&path)?;
    assert!(runs > 1, "it was killed, and went on");
    println!("the same foxes: {}, though killed: {}", saved.iter().eq(foxes.iter()), runs > 1);
    Ok(())
}
