//! Charts as SVG within the page, in the page's colours, light or dark. Every mark and every curve has its
//! label beside it.

use core::fmt::Write;

use super::page::escape;

/// A logarithmic axis from one place of the picture to another.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn place(&self, value: f64) -> f64 {
        let share = (value.max(self.low) / self.low).ln() / (self.high / self.low).ln();
        self.from + (self.to - self.from) * share
    }
}

fn text(svg: &mut String, class: &str, [x, y]: [f64; 2], anchor: &str, text: &str) {
    let text = escape(text);
    let _ = write!(
        svg,
        r#"<text class="{class}" x="{x:.1}" y="{y:.1}" dy="0.35em" text-anchor="{anchor}">{text}</text>"#
    );
}

fn line(svg: &mut String, class: &str, [x1, x2]: [f64; 2], [y1, y2]: [f64; 2]) {
    let _ = write!(
        svg,
        r#"<line class="{class}" x1="{x1:.1}" x2="{x2:.1}" y1="{y1:.1}" y2="{y2:.1}"/>"#
    );
}

fn picture(class: &str, title: &str, [width, height]: [f64; 2], inside: &str) -> String {
    let title = escape(title);
    format!(
        r#"<svg class="{class}" viewBox="0 0 {width} {height}" role="img" aria-label="{title}">{inside}</svg>"#
    )
}

/// A container in a chart.
pub(crate) struct Mark {
    pub(crate) name: String,
    /// True if it is larder's; those are in colour.
    pub(crate) ours: bool,
    /// True if no other is better.
    pub(crate) best: bool,
    pub(crate) value: f64,
    /// The quartiles of the rounds.
    pub(crate) range: (f64, f64),
    pub(crate) label: String,
}

/// The width of a chart of marks, the height of a row, where the rows begin, and where the plot does, right of
/// the names, and ends, left of room for the last label.
const MARKS_WIDTH: f64 = 460.0;
const ROW: f64 = 24.0;
const ROWS: f64 = 22.0;
const PLOT: f64 = 142.0;
const PLOT_END: f64 = 345.0;

/// Ratios as dots on a logarithmic axis, with the quartiles; at least from 1 to 2. A row for each mark.
pub(crate) fn ratios(title: &str, marks: &[Mark]) -> String {
    let lows = marks.iter().map(|mark| mark.range.0);
    let highs = marks.iter().map(|mark| mark.range.1.max(mark.value));
    let (low, high) = (lows.fold(0.95, f64::min).max(0.25), highs.fold(2.1, f64::max));
    let axis = Axis { low, high, from: PLOT, to: PLOT_END };
    let mut svg = String::new();
    let bottom = ROWS + ROW * marks.len() as f64;
    // Powers of two, or of a larger number if there were too many.
    let doublings = high.log2() as u32;
    for power in (0..=doublings).step_by(doublings as usize / 6 + 1) {
        let x = axis.place(f64::from(1 << power));
        line(&mut svg, "grid", [x, x], [ROWS, bottom]);
        text(&mut svg, "tick", [x, 10.0], "middle", &format!("{} ×", 1 << power));
    }
    for (at, mark) in marks.iter().enumerate() {
        let y = ROWS + ROW * (at as f64 + 0.5);
        let class = if mark.ours { "ours" } else { "theirs" };
        let [low, x, high] =
            [mark.range.0, mark.value, mark.range.1].map(|ratio| axis.place(ratio));
        line(&mut svg, &format!("range {class}"), [low, high], [y, y]);
        let _ = write!(svg, r#"<circle class="{class}" cx="{x:.1}" cy="{y}" r="5"/>"#);
        let class = if mark.best { "best" } else { "" };
        text(&mut svg, class, [PLOT - 12.0, y], "end", &mark.name);
        text(&mut svg, class, [x.max(high) + 10.0, y], "start", &mark.label);
    }
    picture("", title, [MARKS_WIDTH, bottom + 4.0], &svg)
}

/// The number of live objects over a recording.
pub(crate) fn live(values: &[usize], start: &str, top: &str, end: &str) -> String {
    const BASE: f64 = 108.0;
    let largest = values.iter().copied().max().unwrap_or(0).max(1) as f64;
    let step = WIDTH / values.len().max(1) as f64;
    let mut svg = format!(r#"<path d="M0 {BASE}"#);
    for (at, &value) in values.iter().enumerate() {
        let _ = write!(
            svg,
            " L{:.1} {:.1}",
            (at + 1) as f64 * step,
            BASE - 90.0 * value as f64 / largest
        );
    }
    let _ = write!(svg, r#" L{WIDTH} {BASE} Z"/>"#);
    for (at, anchor, name) in [
        ([0.0, 8.0], "start", top),
        ([0.0, BASE + 10.0], "start", start),
        ([WIDTH, BASE + 10.0], "end", end),
    ] {
        text(&mut svg, "tick", at, anchor, name);
    }
    picture("live", top, [WIDTH, BASE + 18.0], &svg)
}

pub(crate) struct Curve {
    pub(crate) name: String,
    /// The class that decides its look: `ours`, `theirs` or `nothing`.
    pub(crate) class: &'static str,
    /// Its points from left to right, all coordinates above 0.
    pub(crate) points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 940.0;
const HEIGHT: f64 = 460.0;
/// The edges of the plot of curves, left of their names.
const LEFT: f64 = 62.0;
const RIGHT: f64 = 745.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 420.0;
/// The least distance between two names.
const LINE: f64 = 17.0;

/// Dashes that distinguish curves of one colour; the first has none.
const DASHES: [&str; 5] = ["", "7 3", "2 3", "11 3 2 3", "5 2 1 2"];

/// Many curves with logarithmic axes, each with its name at its end. `x` and `y` format the numbers on their axes.
pub(crate) fn curves(
    title: &str,
    curves: &[Curve],
    x: &dyn Fn(f64) -> String,
    y: &dyn Fn(f64) -> String,
) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let across = Axis::around(points().map(|point| point.0), [LEFT, RIGHT]);
    let up = Axis::around(points().map(|point| point.1), [BOTTOM, TOP]);
    let mut svg = String::new();
    for power in across.powers_of_ten() {
        let at = across.place(power);
        line(&mut svg, "grid", [at, at], [TOP, BOTTOM]);
        text(&mut svg, "tick", [at, BOTTOM + 14.0], "middle", &x(power));
    }
    for power in up.powers_of_ten() {
        let at = up.place(power);
        line(&mut svg, "grid", [LEFT, RIGHT], [at, at]);
        text(&mut svg, "tick", [LEFT - 8.0, at], "end", &y(power));
    }
    let end = |curve: &Curve| curve.points.last().map_or(BOTTOM, |end| up.place(end.1));
    let ends: Vec<f64> = curves.iter().map(end).collect();
    let labels = spread(&ends);
    for (at, curve) in curves.iter().enumerate() {
        let alike = curves[..at].iter().filter(|other| other.class == curve.class).count();
        let place = |&(x, y): &(f64, f64)| format!("{:.1},{:.1}", across.place(x), up.place(y));
        let _ = write!(
            svg,
            r#"<polyline class="{}" stroke-dasharray="{}" points="{}"><title>{}</title></polyline>"#,
            curve.class,
            DASHES[alike % DASHES.len()],
            curve.points.iter().map(place).collect::<Vec<_>>().join(" "),
            escape(&curve.name)
        );
        line(&mut svg, "grid", [RIGHT, RIGHT + 14.0], [ends[at], labels[at]]);
        text(&mut svg, curve.class, [RIGHT + 18.0, labels[at]], "start", &curve.name);
    }
    picture("curves", title, [WIDTH, HEIGHT], &svg)
}

impl Axis {
    /// An axis that contains all of these values.
    fn around(values: impl Iterator<Item = f64> + Clone, [from, to]: [f64; 2]) -> Self {
        let low = values.clone().fold(f64::INFINITY, f64::min).clamp(1.0, 1e12);
        let high = values.fold(0.0, f64::max).max(low * 10.0);
        Self { low, high, from, to }
    }

    fn powers_of_ten(&self) -> Vec<f64> {
        let powers = (0..=15).map(|power| 10_f64.powi(power));
        powers.filter(|power| (self.low..=self.high).contains(power)).collect()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(value: f64) -> Mark {
        Mark {
            name: "a<b".into(),
            ours: false,
            best: false,
            value,
            range: (value * 0.9, value * 1.1),
            label: "label".into(),
        }
    }

    #[test]
    fn axes_are_logarithmic() {
        let axis = Axis::around([2.0, 2e6].into_iter(), [0.0, 100.0]);
        assert_eq!((axis.place(2.0), axis.place(2e6).round()), (0.0, 100.0));
        assert!((axis.place(2e3) - 50.0).abs() < 1e-9);
        assert_eq!(axis.powers_of_ten(), [10.0, 1e2, 1e3, 1e4, 1e5, 1e6]);
    }

    #[test]
    fn ratios_have_few_ticks() {
        let chart = ratios("t", &[mark(1.0), mark(3.0), mark(70.0)]);
        for tick in ["1 ×", "4 ×", "16 ×", "64 ×"] {
            assert!(chart.contains(&format!(">{tick}<")), "{chart}");
        }
        assert!(!chart.contains(">2 ×<"), "{chart}");
    }

    #[test]
    fn names_are_apart_and_in_order_and_on_the_chart() {
        let places = spread(&[400.0, 401.0, 100.0, 402.0, 101.0, 420.0]);
        let mut sorted = places.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= LINE - 1e-9), "{places:?}");
        assert!(sorted[5] <= BOTTOM + 1e-9);
        assert!(places[2] < places[4] && places[0] < places[1] && places[3] < places[5]);
    }

    #[test]
    fn charts_name_things_safely_and_draw_nothing_that_is_no_number() {
        let curve = |name: &str, points: &[(f64, f64)]| Curve {
            name: name.into(),
            class: "ours",
            points: points.to_vec(),
        };
        let some = [curve("a<b", &[(2.0, 10.0), (1e6, 1e5)]), curve("none", &[])];
        let number = |number: f64| number.to_string();
        let named = [curves("t", &some, &number, &number), ratios("t", &[mark(1.0)])];
        for chart in &named {
            assert!(chart.contains("a&lt;b") && !chart.contains("a<b"), "{chart}");
        }
        let empty = [
            curves("t", &[], &number, &number),
            live(&[0, 0], "0", "none", "10 events"),
            ratios("t", &[mark(0.0)]),
        ];
        for chart in named.iter().chain(&empty) {
            assert!(!chart.contains("NaN") && !chart.contains("inf"), "{chart}");
        }
    }
}
