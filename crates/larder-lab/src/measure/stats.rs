//! Statistics of several rounds of the same measurement.

/// The middle of some measurements, and their spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Summary {
    pub(crate) min: f64,
    /// A quarter of them lie below.
    pub(crate) lower_quartile: f64,
    /// Half of them lie below.
    pub(crate) median: f64,
    /// A quarter of them lie above.
    pub(crate) upper_quartile: f64,
    pub(crate) max: f64,
}

impl Summary {
    /// Summarizes at least one measurement.
    pub(crate) fn of(measurements: &[f64]) -> Self {
        assert!(!measurements.is_empty(), "nothing was measured");
        let mut sorted = measurements.to_vec();
        sorted.sort_by(f64::total_cmp);
        Self {
            min: sorted[0],
            lower_quartile: quantile(&sorted, 0.25),
            median: quantile(&sorted, 0.5),
            upper_quartile: quantile(&sorted, 0.75),
            max: sorted[sorted.len() - 1],
        }
    }

    /// The distance between the quartiles, as a share of the median: 0.05 is five percent.
    pub(crate) fn spread(&self) -> f64 {
        if self.median == 0.0 {
            0.0
        } else {
            (self.upper_quartile - self.lower_quartile) / self.median
        }
    }
}

/// The median of at least one measurement.
pub(crate) fn median(measurements: &[f64]) -> f64 {
    Summary::of(measurements).median
}

/// Removes the effect of rounds that were slow or fast for all subjects.
///
/// `times` has a list for each subject, with an entry for each round. A round's pace is the median of
/// all subjects in it; every time is scaled to the median of all paces. So a machine that is busy for a
/// round favours no subject, and the remaining spread is that of the comparison.
pub(crate) fn at_even_pace(times: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let rounds = times.iter().map(Vec::len).min().unwrap_or(0);
    let of_round = |round: usize| times.iter().map(|times| times[round]).collect::<Vec<_>>();
    let paces: Vec<_> = (0..rounds).map(|round| median(&of_round(round))).collect();
    if paces.is_empty() || paces.contains(&0.0) {
        return times.to_vec();
    }
    let pace = median(&paces);
    let even = |times: &Vec<f64>| {
        let scaled = times.iter().zip(&paces).map(|(time, round)| time * (pace / round));
        scaled.collect()
    };
    times.iter().map(even).collect()
}

/// The number with so many significant digits: more would claim a precision that was not measured.
pub(crate) fn significant(number: f64, digits: usize) -> f64 {
    format!("{number:.*e}", digits - 1).parse().expect("a number that was just written can be read")
}

/// The value below which `share` of the sorted measurements lie, interpolated between neighbours.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let position = share * (sorted.len() - 1) as f64;
    let below = position.floor();
    let lower = sorted[below as usize];
    let upper = sorted[position.ceil() as usize];
    lower + (upper - lower) * (position - below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_have_quartiles_between_neighbours_and_a_spread() {
        for (measurements, quartiles, spread) in [
            (&[5.0, 1.0, 4.0, 2.0, 3.0][..], [1.0, 2.0, 3.0, 4.0, 5.0], 2.0 / 3.0),
            (&[4.0, 1.0, 3.0, 2.0], [1.0, 1.75, 2.5, 3.25, 4.0], 0.6),
            (&[7.0], [7.0; 5], 0.0),
            // A median of zero has no relative spread.
            (&[0.0, 0.0, 3.0], [0.0, 0.0, 0.0, 1.5, 3.0], 0.0),
        ] {
            let summary = Summary::of(measurements);
            let [min, lower_quartile, median, upper_quartile, max] = quartiles;
            let expected = Summary { min, lower_quartile, median, upper_quartile, max };
            assert_eq!(summary, expected);
            assert!((summary.spread() - spread).abs() < 1e-12, "{summary:?}");
            assert_eq!(super::median(measurements), median);
        }
    }

    #[test]
    fn as_many_digits_are_kept_as_were_asked_for() {
        assert_eq!(significant(1.234_567_8, 5), 1.2346);
        assert_eq!(significant(0.000_123_456, 5), 0.000_123_46);
        assert_eq!(significant(71_234_567.0, 5), 71_235_000.0);
        assert_eq!((significant(273_579.4, 4), significant(15.0, 4)), (273_600.0, 15.0));
    }

    #[test]
    fn a_slow_round_changes_nothing_at_an_even_pace() {
        let times = [vec![10.0, 30.0, 10.0], vec![20.0, 60.0, 20.0], vec![30.0, 90.0, 33.0]];
        let even = at_even_pace(&times);
        assert_eq!(even[0], [10.0, 10.0, 10.0]);
        assert_eq!(even[1], [20.0, 20.0, 20.0]);
        assert_eq!(even[2], [30.0, 30.0, 33.0]);
    }

    #[test]
    fn times_too_short_to_measure_are_left_alone() {
        let times = [vec![0.0, 0.0], vec![0.0, 1.0]];
        assert_eq!(at_even_pace(&times), times);
        assert!(at_even_pace(&[]).is_empty());
    }

    #[test]
    #[should_panic(expected = "nothing was measured")]
    fn nothing_has_no_summary() {
        Summary::of(&[]);
    }
}
