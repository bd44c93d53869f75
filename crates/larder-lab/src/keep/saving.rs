//! Saving objects of 64 bytes to a file, loading and mapping them, against a plain write and read of as many bytes; and
//! through serde, against `slotmap`.

use core::hint::black_box;
use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use larder::snapshot::{Map, Save, Saver, Snapshot};
use larder::{Arena, DenseArena, Handle, Soa, SoaArena};
use slotmap::SlotMap;

use crate::study::prelude::*;

/// The most objects that go through serde, which has them in memory three times, and in a file of packed rows.
const MOST_TWICE: usize = 1_000_000;

/// 64 bytes.
type Object = [u64; 8];

/// The same in columns.
#[derive(Clone, Copy, Debug, Soa)]
struct Split {
    place: [f64; 3],
    speed: [f64; 3],
    mass: f64,
    kind: u64,
}

fn object(number: usize) -> Object {
    [number as u64; 8]
}

/// A directory for the time of a study.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self> {
        let directory = std::env::temp_dir().join(format!("larder-lab-{}", std::process::id()));
        fs::create_dir_all(&directory)?;
        Ok(Self(directory))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Work that is done so many times and answers each time; what it returns is dropped after the clock has stopped.
fn turn<'a, R: 'a>(
    subject: &'static str,
    operations: usize,
    work: impl Fn() -> R + 'a,
    answer: impl Fn(&R) -> u64 + 'a,
) -> Turn<'a> {
    Turn::of(subject, move |repeats| {
        consuming(operations, repeats, || (), |()| work(), |(), result| answer(result))
    })
}

const WORKS: &str = "the medium works";

pub(super) fn parts() -> Vec<Part> {
    // 64 KB, 64 MB, 1 GB.
    study::parts("saving", &[1_000, 1_000_000, 16_000_000], 16_000_000, measure)
}

/// Measures one number of objects.
fn measure(contest: &Contest<'_>) -> Result<Vec<Row>> {
    let (count, scratch) = (contest.count, Scratch::new()?);
    let contest = &contest.at_most(if count > 1_000_000 { 3 } else { 5 });
    let arena: Arena<Object> = (0..count).map(object).collect();
    let columns: SoaArena<Split> = (0..count).map(split).collect();
    let plain: Vec<Object> = (0..count).map(object).collect();
    let mut rows = saves(contest, &scratch, &arena, &columns, &plain)?;
    drop(plain);
    rows.extend(loads(contest, &scratch, count)?);
    rows.extend(opens(contest, &scratch, count)?);
    drop(columns);
    if count <= MOST_TWICE {
        rows.extend(through_serde(&contest.at_least(15), &arena)?);
    }
    Ok(rows)
}

fn split(number: usize) -> Split {
    let at = number as f64;
    Split { place: [at; 3], speed: [1.0; 3], mass: at, kind: number as u64 }
}

fn saves(
    contest: &Contest<'_>,
    scratch: &Scratch,
    arena: &Arena<Object>,
    columns: &SoaArena<Split>,
    plain: &[Object],
) -> Result<Vec<Row>> {
    let count = plain.len();
    let [rows, split, bytes] = ["rows", "columns", "bytes"].map(|name| scratch.file(name));
    let [new, replaced] = ["new", "replaced"].map(|name| scratch.file(name));
    let written = |path: &Path, synced: bool| {
        let mut file = File::create(path).expect(WORKS);
        file.write_all(bytemuck::cast_slice(plain)).expect(WORKS);
        if synced {
            file.sync_all().expect(WORKS);
        }
    };
    // The file is replaced as a save does it, which leaves the old file or the new one. (Elsewhere a directory is no
    // file.)
    let replace = || {
        written(&new, true);
        fs::rename(&new, &replaced).expect(WORKS);
        if cfg!(unix) {
            File::open(&scratch.0).and_then(|directory| directory.sync_all()).expect(WORKS);
        }
    };
    let save = |path: &Path, of: &dyn Save| Saver::new().section("it", of).save(path).expect(WORKS);
    let write = |path: &Path, of: &dyn Save| {
        let file = BufWriter::new(File::create(path).expect(WORKS));
        Saver::new().section("it", of).write_to(file).expect(WORKS);
    };
    let saves = vec![
        turn("plain bytes", count, replace, |()| 0),
        turn("plain bytes, in place", count, || written(&bytes, true), |()| 0),
        turn("Arena", count, || save(&rows, arena), |()| 0),
        turn("SoaArena", count, || save(&split, columns), |()| 0),
    ];
    let about = "saving to a new file that takes the place of the one before, synchronised";
    let writes = vec![
        turn("plain bytes", count, || written(&bytes, false), |()| 0),
        turn("Arena", count, || write(&rows, arena), |()| 0),
        turn("SoaArena", count, || write(&split, columns), |()| 0),
    ];
    contest.take_all_turns([
        ("save", about, saves),
        ("write", "writing over a file, not synchronised", writes),
    ])
}

/// Loads what was saved, which is in the system's cache.
fn loads(contest: &Contest<'_>, scratch: &Scratch, count: usize) -> Result<Vec<Row>> {
    let [rows, split, bytes] = ["rows", "columns", "bytes"].map(|name| scratch.file(name));
    let read = || {
        let mut values: Vec<Object> = vec![[0; 8]; count];
        let mut file = File::open(&bytes).expect(WORKS);
        file.read_exact(bytemuck::cast_slice_mut(&mut values)).expect(WORKS);
        values
    };
    let rows = || Snapshot::open(&rows).expect(WORKS).load::<Arena<Object>>("it").expect(WORKS);
    let split = || Snapshot::open(&split).expect(WORKS).load::<SoaArena<Split>>("it").expect(WORKS);
    let turns = vec![
        turn("plain bytes", count, read, |values| values.len() as u64),
        turn("Arena", count, rows, |arena| arena.len() as u64),
        turn("SoaArena", count, split, |arena| arena.len() as u64),
    ];
    contest.take_all_turns([("load", "loading a file that the system has in memory", turns)])
}

/// Maps what was saved, and reads one object.
fn opens(contest: &Contest<'_>, scratch: &Scratch, count: usize) -> Result<Vec<Row>> {
    #[expect(unsafe_code, reason = "mapping a file is unsafe: another program could change it")]
    fn open<C: Map>(path: &Path, read: impl Fn(&C)) {
        let mut file = Snapshot::open(path).expect(WORKS);
        // SAFETY: the directory is this program's alone.
        read(&unsafe { file.map::<C>("it") }.expect(WORKS));
    }

    let (last, last_split) = (
        Arena::<Object>::from_iter([object(0)]).keys().next().map(Handle::to_bits),
        SoaArena::<Split>::from_iter([split(0)]).keys().next().map(Handle::to_bits),
    );
    let [rows, split] = ["rows", "columns"].map(|name| scratch.file(name));
    let key = |bits: Option<u64>| bits.expect("it has a value") + count as u64 - 1;
    let of_rows = move |arena: &Arena<Object>| {
        let found = Handle::from_bits(key(last)).and_then(|key| arena.get(key));
        assert_eq!(black_box(found), Some(&object(count - 1)));
    };
    let of_columns = move |arena: &SoaArena<Split>| {
        let found = Handle::from_bits(key(last_split)).and_then(|key| arena.get(key));
        assert_eq!(black_box(found).map(|one| *one.kind), Some(count as u64 - 1));
    };
    let mut turns = vec![
        turn("Arena, mapped", 1, move || open(&rows, of_rows), |()| 0),
        turn("SoaArena", 1, move || open(&split, of_columns), |()| 0),
    ];
    if count <= MOST_TWICE {
        // Its table and its keys are read.
        let packed = scratch.file("packed");
        let arena: DenseArena<Object> = (0..count).map(object).collect();
        Saver::new().section("it", &arena).save(&packed).expect(WORKS);
        let last = move |arena: &DenseArena<Object>| {
            assert_eq!(black_box(arena.as_slice().last()), Some(&object(count - 1)));
        };
        turns.push(turn("DenseArena, mapped", 1, move || open(&packed, last), |()| 0));
    }
    let about = "mapping a file, and a lookup: the whole of it, not per object";
    contest.take_all_turns([("open", about, turns)])
}

fn through_serde(contest: &Contest<'_>, arena: &Arena<Object>) -> Result<Vec<Row>> {
    let count = arena.len();
    let mut map: SlotMap<slotmap::DefaultKey, Object> = SlotMap::new();
    (0..count).for_each(|number| _ = map.insert(object(number)));
    let plain: Vec<Object> = (0..count).map(object).collect();
    let (ours, theirs) = (postcard::to_stdvec(arena)?, postcard::to_stdvec(&map)?);
    let values = postcard::to_stdvec(&plain)?;
    let written = |bytes: &Vec<u8>, all: &Vec<u8>| {
        assert!(bytes == all, "all was written");
        0
    };
    // Over bytes that are there: a vector that grows is copied or not, as the heap happens to be.
    let writes = vec![
        Turn::changing(
            "SlotMap, postcard",
            count,
            vec![0; theirs.len()],
            |bytes| _ = postcard::to_slice(&map, bytes).expect(WORKS),
            |bytes| written(bytes, &theirs),
        ),
        Turn::changing(
            "Arena, postcard",
            count,
            vec![0; ours.len()],
            |bytes| _ = postcard::to_slice(arena, bytes).expect(WORKS),
            |bytes| written(bytes, &ours),
        ),
        // The bytes of the values alone: no container can take less.
        Turn::changing(
            "Vec, postcard",
            count,
            vec![0; values.len()],
            |bytes| _ = postcard::to_slice(&plain, bytes).expect(WORKS),
            |bytes| written(bytes, &values),
        ),
    ];
    let map = || {
        let read: SlotMap<slotmap::DefaultKey, Object> =
            postcard::from_bytes(&theirs).expect(WORKS);
        read
    };
    let arena = || postcard::from_bytes::<Arena<Object>>(&ours).expect(WORKS);
    let reads = vec![
        turn("SlotMap, postcard", count, map, |map| map.len() as u64),
        turn("Arena, postcard", count, arena, |arena| arena.len() as u64),
    ];
    contest.take_all_turns([
        ("serialize", "serde, to bytes in memory that is there", writes),
        ("deserialize", "serde, from bytes in memory", reads),
    ])
}
