//! The stores whose single insertions are timed, each in a process of its own.

use core::hint::black_box;
use std::fs;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::stopwatch::Stopwatch;
use crate::measure::allocator::Allocator;
use crate::stores::{
    Arena, ArenaAhead, ArenaFixed, ArenaHuge, ArenaReserved, Bytes8, Element, Packed, PagedArena,
    Slab, SlotMap, Store, Thunderdome,
};

/// A store under measurement.
#[derive(Debug)]
pub(crate) struct Entrant {
    /// The name in tables, in JSON and after `--store`.
    pub(crate) name: &'static str,
    /// Whose memory it grows in.
    pub(crate) allocator: Allocator,
    /// Times so many insertions.
    run: fn(usize, &mut Stopwatch) -> Result<()>,
}

/// All stores, in the order of the table; the first does nothing.
pub(crate) const ENTRANTS: &[Entrant] = &[
    Entrant { name: NOTHING, allocator: Allocator::System, run: nothing },
    entrant::<Packed<Bytes8>>(),
    Entrant { name: VEC_MIMALLOC, allocator: Allocator::MiMalloc, run: insert::<Packed<Bytes8>> },
    entrant::<SlotMap<Bytes8>>(),
    entrant::<Thunderdome<Bytes8>>(),
    entrant::<Slab<Bytes8>>(),
    entrant::<Arena<Bytes8>>(),
    entrant::<ArenaFixed<Bytes8>>(),
    entrant::<ArenaReserved<Bytes8>>(),
    entrant::<ArenaHuge<Bytes8>>(),
    entrant::<ArenaAhead<Bytes8>>(),
    entrant::<PagedArena<Bytes8>>(),
];

/// The store that does nothing: its time is that of timing.
pub(crate) const NOTHING: &str = "nothing";
/// A vector in memory from an allocator that copies.
pub(crate) const VEC_MIMALLOC: &str = "Vec, mimalloc";

/// A store begun as [`Store::begin`] says.
const fn entrant<S: Store<Bytes8>>() -> Entrant {
    Entrant { name: S::NAME, allocator: Allocator::System, run: insert::<S> }
}

/// What a process measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measured {
    pub(crate) mean_ns: f64,
    /// The nanoseconds that at most one in so many insertions exceeds.
    pub(crate) curve: Vec<(f64, f64)>,
    pub(crate) worst_ns: f64,
    /// The most memory that the process had, if the system says so.
    pub(crate) peak_bytes: Option<u64>,
    /// How long it waited for a processor; not counted in the other numbers.
    pub(crate) waited_ns: f64,
}

/// Measures this store in this process, which has used no memory for another one.
pub(crate) fn measure(entrant: &Entrant, inserts: usize) -> Result<Measured> {
    let mut stopwatch = Stopwatch::new();
    (entrant.run)(inserts, &mut stopwatch)?;
    Ok(Measured {
        mean_ns: stopwatch.mean_ns(),
        curve: rarities(inserts)
            .map(|rarity| (rarity, stopwatch.exceeded_by_one_in(rarity)))
            .collect(),
        worst_ns: stopwatch.worst_ns(),
        peak_bytes: peak_bytes(),
        waited_ns: stopwatch.waited_ns(),
    })
}

/// One in two, and then eight steps for every power of ten, to one in all.
fn rarities(inserts: usize) -> impl Iterator<Item = f64> {
    let steps =
        (3_i32..).map(|step| 10_f64.powi(step / 8) * 10_f64.powf(f64::from(step % 8) / 8.0));
    core::iter::once(2.0).chain(steps).take_while(move |&rarity| rarity <= inserts as f64)
}

/// The most memory that this process had in use.
fn peak_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}

#[inline(never)]
fn insert<S: Store<Bytes8>>(inserts: usize, stopwatch: &mut Stopwatch) -> Result<()> {
    let mut store = S::begin(inserts);
    stopwatch.time_each(inserts, |number| {
        black_box(black_box(&mut store).insert(Bytes8::new(number)));
    });
    let mut sum = 0_u64;
    store.for_each(|value| sum = sum.wrapping_add(value.number()));
    let all = (0..inserts as u64).fold(0, u64::wrapping_add);
    ensure!(store.len() == inserts && sum == all, "{} lost something", S::NAME);
    Ok(())
}

#[inline(never)]
fn nothing(inserts: usize, stopwatch: &mut Stopwatch) -> Result<()> {
    stopwatch.time_each(inserts, |number| {
        black_box(Bytes8::new(number));
    });
    Ok(())
}

/// The entrant of this name.
pub(crate) fn named(name: &str) -> Result<&'static Entrant> {
    let found = ENTRANTS.iter().find(|entrant| entrant.name == name);
    found.with_context(|| format!("there is no store `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_store_is_measured_and_loses_nothing() {
        for entrant in ENTRANTS {
            let measured = measure(entrant, 2_000).expect(entrant.name);
            assert!(measured.mean_ns > 0.0, "{}", entrant.name);
            assert!(measured.curve.is_sorted_by(|a, b| a.1 <= b.1), "{measured:?}");
            let rarest = measured.curve.last().expect("there is a median at least");
            assert!(rarest.1 <= measured.worst_ns, "{measured:?}");
        }
    }

    #[test]
    fn rarities_have_the_powers_of_ten_exactly() {
        let all: Vec<f64> = rarities(1_000_000).collect();
        assert!(all.is_sorted() && all[0] == 2.0);
        for power in [10.0, 1e3, 1e4, 1e5, 1e6] {
            assert!(all.contains(&power), "{power}");
        }
        assert_eq!(all.last(), Some(&1e6));
        assert_eq!(rarities(2).collect::<Vec<_>>(), [2.0]);
    }

    #[test]
    fn the_peak_is_known_on_linux() {
        if cfg!(target_os = "linux") {
            assert!(peak_bytes().expect("there is /proc") > 100_000);
        }
    }

    #[test]
    fn every_store_has_a_name_of_its_own() {
        for (index, entrant) in ENTRANTS.iter().enumerate() {
            assert!(ENTRANTS[index + 1..].iter().all(|other| other.name != entrant.name));
        }
        assert_eq!(ENTRANTS[0].name, NOTHING);
        assert!(named("no such store").is_err());
    }
}
