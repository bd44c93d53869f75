//! What is asked for, and what several rounds come to.

use super::*;

#[test]
fn names_choose_and_the_noise_floor_is_always_there() {
    let names = |stores: &[&str]| {
        let asked: Vec<String> = stores.iter().map(|&name| name.to_owned()).collect();
        let chosen = chosen(&asked).expect("all are known");
        chosen.iter().map(|entrant| entrant.name).collect::<Vec<_>>()
    };
    assert_eq!(names(&["Arena reserved", "Vec"]), ["nothing", "Vec", "Arena reserved"]);
    assert_eq!(names(&[]).len(), ENTRANTS.len());
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
