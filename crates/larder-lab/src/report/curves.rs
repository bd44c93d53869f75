//! A chart of many curves with logarithmic axes; each curve has its name at its end.

use core::fmt::Write;

use super::html::escape;

/// One curve.
pub(crate) struct Curve {
    /// Its name.
    pub(crate) name: String,
    /// How it looks: `ours`, `theirs` or `nothing`.
    pub(crate) class: &'static str,
    /// Its points from left to right, all coordinates above 0.
    pub(crate) points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 940.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 62.0;
/// Where the plot ends, left of the names.
const RIGHT: f64 = 745.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 420.0;
/// The least distance between two names.
const LINE: f64 = 17.0;

/// Dashes that distinguish curves of one colour; the first has none.
const DASHES: [&str; 5] = ["", "7 3", "2 3", "11 3 2 3", "5 2 1 2"];

/// The chart. `x` and `y` format the numbers on their axes.
pub(crate) fn curves(
    title: &str,
    curves: &[Curve],
    x: &dyn Fn(f64) -> String,
    y: &dyn Fn(f64) -> String,
) -> String {
    let mut svg = format!(
        r#"<svg class="curves" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{}">"#,
        escape(title)
    );
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let across = Axis::around(points().map(|point| point.0), LEFT, RIGHT);
    let up = Axis::around(points().map(|point| point.1), BOTTOM, TOP);
    for power in across.powers_of_ten() {
        let at = across.place(power);
        let _ = write!(
            svg,
            r#"<line class="grid" x1="{at:.1}" x2="{at:.1}" y1="{TOP}" y2="{BOTTOM}"/><text class="tick" x="{at:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
            BOTTOM + 18.0,
            escape(&x(power))
        );
    }
    for power in up.powers_of_ten() {
        let at = up.place(power);
        let _ = write!(
            svg,
            r#"<line class="grid" x1="{LEFT}" x2="{RIGHT}" y1="{at:.1}" y2="{at:.1}"/><text class="tick" x="{:.1}" y="{at:.1}" dy="0.35em" text-anchor="end">{}</text>"#,
            LEFT - 8.0,
            escape(&y(power))
        );
    }
    let ends: Vec<f64> = curves
        .iter()
        .map(|curve| curve.points.last().map_or(BOTTOM, |end| up.place(end.1)))
        .collect();
    let labels = spread(&ends);
    for (at, curve) in curves.iter().enumerate() {
        let alike = curves[..at].iter().filter(|other| other.class == curve.class).count();
        draw(&mut svg, curve, DASHES[alike % DASHES.len()], &across, &up);
        name(&mut svg, curve, ends[at], labels[at]);
    }
    svg.push_str("</svg>");
    svg
}

fn draw(svg: &mut String, curve: &Curve, dashes: &str, across: &Axis, up: &Axis) {
    let places = curve
        .points
        .iter()
        .map(|&(x, y)| format!("{:.1},{:.1}", across.place(x), up.place(y)))
        .collect::<Vec<_>>()
        .join(" ");
    let _ = write!(
        svg,
        r#"<polyline class="{}" stroke-dasharray="{dashes}" points="{places}"><title>{}</title></polyline>"#,
        curve.class,
        escape(&curve.name)
    );
}

/// A curve's name, and a line to it from the curve's end.
fn name(svg: &mut String, curve: &Curve, end: f64, label: f64) {
    let _ = write!(
        svg,
        r#"<line class="grid" x1="{RIGHT}" x2="{:.1}" y1="{end:.1}" y2="{label:.1}"/><text class="{}" x="{:.1}" y="{label:.1}" dy="0.35em">{}</text>"#,
        RIGHT + 14.0,
        curve.class,
        RIGHT + 18.0,
        escape(&curve.name)
    );
}

/// Places for names near these heights, far enough apart to be readable.
fn spread(wanted: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    let mut places = wanted.to_vec();
    let mut lowest = f64::NEG_INFINITY;
    for &at in &order {
        places[at] = places[at].max(lowest + LINE);
        lowest = places[at];
    }
    // Names pushed off the chart push the others back.
    let mut highest = BOTTOM + LINE;
    for &at in order.iter().rev() {
        places[at] = places[at].min(highest - LINE);
        highest = places[at];
    }
    places
}

/// A logarithmic axis from one place of the picture to another.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// An axis that contains all of these values.
    fn around(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Self {
        let low = values.clone().fold(f64::INFINITY, f64::min).clamp(1.0, 1e12);
        let high = values.fold(0.0, f64::max).max(low * 10.0);
        Self { low, high, from, to }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value.max(self.low) / self.low).ln() / (self.high / self.low).ln();
        self.from + (self.to - self.from) * share
    }

    fn powers_of_ten(&self) -> Vec<f64> {
        let powers = (0..=15).map(|power| 10_f64.powi(power));
        powers.filter(|power| (self.low..=self.high).contains(power)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_apart_and_in_order_and_on_the_chart() {
        let wanted = [400.0, 401.0, 100.0, 402.0, 101.0, 420.0];
        let places = spread(&wanted);
        let mut sorted = places.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= LINE - 1e-9), "{places:?}");
        assert!(sorted[5] <= BOTTOM + 1e-9);
        assert!(places[2] < places[4] && places[0] < places[1] && places[3] < places[5]);
    }

    #[test]
    fn axes_are_logarithmic() {
        let axis = Axis::around([2.0, 2e6].into_iter(), 0.0, 100.0);
        assert_eq!((axis.place(2.0), axis.place(2e6).round()), (0.0, 100.0));
        assert!((axis.place(2e3) - 50.0).abs() < 1e-9);
        assert_eq!(axis.powers_of_ten(), [10.0, 1e2, 1e3, 1e4, 1e5, 1e6]);
    }

    #[test]
    fn a_chart_names_its_curves_safely_and_draws_nothing_that_is_no_number() {
        let curve = |name: &str, points: &[(f64, f64)]| Curve {
            name: name.into(),
            class: "ours",
            points: points.to_vec(),
        };
        let some = [curve("a<b", &[(2.0, 10.0), (1e6, 1e5)]), curve("none", &[])];
        let number = |number: f64| number.to_string();
        let chart = curves("t", &some, &number, &number);
        assert!(chart.contains("a&lt;b") && !chart.contains("a<b"));
        for chart in [chart, curves("t", &[], &number, &number)] {
            assert!(!chart.contains("NaN") && !chart.contains("inf"), "{chart}");
        }
    }
}
