use super::*;

#[test]
fn numbers_are_grouped_by_thousands() {
    let texts = [0, 999, 1_000, 1_032_813].map(grouped);
    assert_eq!(texts, ["0", "999", "1,000", "1,032,813"]);
}

#[test]
fn ratios_and_times_have_three_digits() {
    assert_eq!([1.0, 9.994, 9.996, 123.4].map(ratio), ["1.00", "9.99", "10.0", "123"]);
    let times = [0.614, 12.34, 99.96, 1234.0].map(nanoseconds);
    assert_eq!(times, ["0.61 ns", "12.3 ns", "100 ns", "1,234 ns"]);
}

#[test]
fn the_smallest_is_the_best_and_so_is_what_reads_the_same() {
    let cells = cells(&[1.004, 1.0, 1.5], |&value| ratio(value));
    let best: Vec<_> = cells.iter().map(|cell| cell.best).collect();
    assert_eq!(best, [true, true, false]);
}

#[test]
fn a_row_of_times_is_relative_to_its_fastest() {
    let row = time_row(&Measure {
        name: "event",
        about: "",
        ns: [[20.0, 22.0, 24.0], [10.0, 10.0, 10.0]].map(|rounds| Summary::of(&rounds)).to_vec(),
    });
    assert_eq!(row.unit, "10.0 ns");
    let texts: Vec<_> = row.cells.iter().map(|cell| cell.text.as_str()).collect();
    assert_eq!(texts, ["2.20", "1.00"]);
    assert_eq!(row.noise, "9 %");
}

#[test]
fn what_was_not_measured_has_an_empty_row() {
    let row = time_row(&Measure { name: "event", about: "", ns: Vec::new() });
    assert!(row.cells.is_empty() && row.unit.is_empty() && row.noise.is_empty());
}
