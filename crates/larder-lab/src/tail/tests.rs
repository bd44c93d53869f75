//! What is asked for, and what several rounds come to.

use std::path::PathBuf;

use super::*;

fn options(stores: &[&str]) -> TailOptions {
    TailOptions {
        quick: true,
        stores: stores.iter().map(|&name| name.to_owned()).collect(),
        inserts: None,
        rounds: 3,
        json: None,
        report: PathBuf::from("target/lab"),
    }
}

#[test]
fn names_choose_and_the_noise_floor_is_always_there() {
    let names = |stores: &[&str]| {
        let chosen = chosen(&options(stores).stores).expect("all are known");
        chosen.iter().map(|entrant| entrant.name).collect::<Vec<_>>()
    };
    assert_eq!(names(&["Arena reserved", "Vec"]), ["nothing", "Vec", "Arena reserved"]);
    assert_eq!(names(&[]).len(), ENTRANTS.len());
    let error = chosen(&["vec".to_owned()]).expect_err("no such store").to_string();
    assert!(error.starts_with("there is no store `vec`; there are nothing, Vec,"), "{error}");
}

#[test]
fn the_command_is_spelled_out() {
    let command = command(&options(&["Arena huge"]));
    assert!(command.ends_with("-- tail --quick --store 'Arena huge' --rounds 3"), "{command}");
}

#[test]
fn a_row_has_the_best_of_every_number() {
    let round = |factor: f64, peak_bytes| Measured {
        mean_ns: 20.0 * factor,
        curve: vec![(2.0, 10.0), (10.0, 11.0), (1e3, 100.0 * factor)],
        worst_ns: 1e5 / factor,
        peak_bytes,
        waited_ns: 1e6,
    };
    let rounds = [round(2.0, Some(7)), round(1.0, None), round(4.0, Some(5))];
    let row = Row::of(&ENTRANTS[1], 1_000, &rounds);
    assert_eq!((row.store.as_str(), row.inserts, row.rounds), ("Vec", 1_000, 3));
    assert_eq!(
        (row.mean_ns, row.p50_ns, row.p99_9_ns, row.worst_ns),
        (20.0, 10.0, 100.0, 25_000.0)
    );
    // One in 10,000 of 1,000 is none: then there is only the worst.
    assert_eq!((row.p99_99_ns, row.peak_bytes, row.waited_ms), (25_000.0, Some(5), 3.0));
    assert_eq!(row.curve_ns, [(2.0, 10.0), (10.0, 11.0), (1e3, 100.0)]);
}
