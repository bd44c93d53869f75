//! What several rounds of the same measurement come down to: a median and a spread.

/// The middle of some measurements, and how far they lie apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Summary {
    /// The smallest.
    pub(crate) min: f64,
    /// A quarter of them lie below.
    pub(crate) lower_quartile: f64,
    /// Half of them lie below.
    pub(crate) median: f64,
    /// A quarter of them lie above.
    pub(crate) upper_quartile: f64,
    /// The largest.
    pub(crate) max: f64,
}

impl Summary {
    /// Sums up measurements, of which there must be at least one.
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

/// The median of some measurements, of which there must be at least one.
pub(crate) fn median(measurements: &[f64]) -> f64 {
    Summary::of(measurements).median
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
    fn an_odd_number_of_measurements_has_one_in_the_middle() {
        let summary = Summary::of(&[5.0, 1.0, 4.0, 2.0, 3.0]);
        let expected =
            Summary { min: 1.0, lower_quartile: 2.0, median: 3.0, upper_quartile: 4.0, max: 5.0 };
        assert_eq!(summary, expected);
        assert!((summary.spread() - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn an_even_number_of_measurements_is_interpolated() {
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), 2.5);
        assert_eq!(Summary::of(&[1.0, 2.0, 3.0, 4.0]).lower_quartile, 1.75);
    }

    #[test]
    fn one_measurement_has_no_spread() {
        let summary = Summary::of(&[7.0]);
        assert_eq!(summary.median, 7.0);
        assert_eq!((summary.min, summary.max), (7.0, 7.0));
        assert_eq!(summary.spread(), 0.0);
    }

    #[test]
    fn a_median_of_zero_has_no_relative_spread() {
        assert_eq!(Summary::of(&[0.0, 0.0, 3.0]).spread(), 0.0);
    }

    #[test]
    #[should_panic(expected = "nothing was measured")]
    fn nothing_has_no_summary() {
        Summary::of(&[]);
    }
}
