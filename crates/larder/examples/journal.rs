//! Incremental saves: each save appends what changed to a journal. It is cut while the last one is written; what was
//! saved before is read again, and goes on in a journal of its own.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use core::error::Error;
use std::fs::{self, File};
use std::{env, io, io::Write, path::Path};

use larder::track::{Publisher, Replica, Tracked};
use larder::{Arena, Handle};

#[derive(Clone, Copy, Debug, PartialEq, bytemuck::NoUninit, bytemuck::CheckedBitPattern)]
#[repr(C)]
struct Note {
    answers: Handle<Note>, // the dangling one, if none
    text: [u8; 16],
}
type Notes = Tracked<Arena<Note>>;

/// Begins a file with all notes.
fn begin(path: &Path, notes: &mut Notes) -> Result<(File, Publisher), Box<dyn Error>> {
    let mut journal = (File::create(path)?, notes.publish(1)?);
    save(&mut journal, notes)?;
    Ok(journal)
}

/// Appends what changed since the last time.
fn save((file, last): &mut (File, Publisher), notes: &mut Notes) -> Result<(), Box<dyn Error>> {
    let delta = notes.delta(last)?;
    file.write_all(&[&(delta.len() as u64).to_le_bytes(), &delta[..]].concat())?;
    Ok(file.sync_data()?)
}

/// All whole saves of a journal, and their number. A torn save is not one.
fn read(path: &Path) -> io::Result<(Arena<Note>, usize)> {
    let (journal, mut notes, mut saves) = (fs::read(path)?, Replica::new(Arena::new()), 0);
    let mut rest = &journal[..];
    while let Some((length, after)) = rest.split_first_chunk() {
        let found = after.split_at_checked(u64::from_le_bytes(*length) as usize);
        let Some((_, after)) = found.filter(|found| notes.apply(found.0).is_ok()) else { break };
        (rest, saves) = (after, saves + 1);
    }
    Ok((notes.into_inner(), saves))
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::temp_dir().join(format!("larder-notes-{}", std::process::id()));
    let (mut notes, mut last) = (Tracked::new(Arena::new()), Handle::default());
    let mut journal = begin(&path, &mut notes)?;
    for _ in 0..100 {
        last = notes.insert(Note { answers: last, text: *b"a short answer  " });
        save(&mut journal, &mut notes)?;
    }
    journal.0.set_len(journal.0.metadata()?.len() - 5)?; // it was killed
    let (read_again, saves) = read(&path)?;
    notes.remove(last);
    println!("{saves} saves, and all before the torn one: {}", read_again.iter().eq(notes.iter()));
    begin(&path, &mut Tracked::new(read_again))?; // all of it again, and then what changes
    Ok(fs::remove_file(&path)?)
}
