//! Charts as SVG within the page, in the page's colours, light or dark. Every mark has its label beside
//! it.

use core::fmt::Write;

use super::html::escape;

/// A container in a chart.
pub(crate) struct Mark {
    /// Its name.
    pub(crate) name: String,
    /// Whether it is larder's; those are in colour.
    pub(crate) ours: bool,
    /// Whether no other is better.
    pub(crate) best: bool,
    /// Its value.
    pub(crate) value: f64,
    /// The quartiles of the rounds.
    pub(crate) range: (f64, f64),
    /// The text beside it.
    pub(crate) label: String,
}

const WIDTH: f64 = 460.0;
const ROW_HEIGHT: f64 = 24.0;
const TOP: f64 = 22.0;
/// Where the plot begins, right of the names.
const LEFT: f64 = 142.0;
/// Where the plot ends, left of room for the last label.
const RIGHT: f64 = 345.0;

/// Ratios as dots on a logarithmic axis.
pub(crate) fn ratios(title: &str, marks: &[Mark]) -> String {
    let axis = Axis::around(marks);
    let mut svg = open(title, marks.len());
    for ratio in axis.ticks() {
        let x = axis.x(ratio as f64);
        let bottom = TOP + ROW_HEIGHT * marks.len() as f64;
        let _ = write!(
            svg,
            r#"<line class="grid" x1="{x:.1}" x2="{x:.1}" y1="{TOP}" y2="{bottom}"/><text class="tick" x="{x:.1}" y="14" text-anchor="middle">{ratio} ×</text>"#
        );
    }
    for (row, mark) in marks.iter().enumerate() {
        let y = row_middle(row);
        let (low, high) = (axis.x(mark.range.0), axis.x(mark.range.1));
        let x = axis.x(mark.value);
        let class = class(mark);
        name(&mut svg, mark, y);
        let _ = write!(
            svg,
            r#"<line class="range {class}" x1="{low:.1}" x2="{high:.1}" y1="{y}" y2="{y}"/><circle class="{class}" cx="{x:.1}" cy="{y}" r="5"/>"#
        );
        value_label(&mut svg, mark, x.max(high) + 10.0, y);
    }
    svg.push_str("</svg>");
    svg
}

/// Bars from 0, with a line at `base`, the least possible.
pub(crate) fn bars(title: &str, marks: &[Mark], base: f64, base_label: &str) -> String {
    let largest = marks.iter().map(|mark| mark.value).fold(base, f64::max);
    let x = |value: f64| LEFT + (RIGHT - LEFT) * value / largest.max(f64::MIN_POSITIVE);
    let mut svg = open(title, marks.len());
    for (row, mark) in marks.iter().enumerate() {
        let y = row_middle(row);
        name(&mut svg, mark, y);
        let _ = write!(
            svg,
            r#"<rect class="bar {class}" x="{LEFT}" y="{top}" width="{width:.1}" height="14" rx="2"/>"#,
            class = class(mark),
            top = y - 7.0,
            width = x(mark.value) - LEFT,
        );
        value_label(&mut svg, mark, x(mark.value) + 6.0, y);
    }
    let (base, bottom) = (x(base), TOP + ROW_HEIGHT * marks.len() as f64);
    let _ = write!(
        svg,
        r#"<line class="base" x1="{base:.1}" x2="{base:.1}" y1="{TOP}" y2="{bottom}"/><text class="tick" x="{base:.1}" y="14" text-anchor="middle">{}</text></svg>"#,
        escape(base_label)
    );
    svg
}

/// The number of live objects over a recording.
pub(crate) fn live(values: &[usize], start: &str, top: &str, end: &str) -> String {
    const WIDTH: f64 = 940.0;
    const HEIGHT: f64 = 90.0;
    const BASE: f64 = HEIGHT + 18.0;
    let largest = values.iter().copied().max().unwrap_or(0).max(1) as f64;
    let step = WIDTH / values.len().max(1) as f64;
    let mut path = format!("M0 {BASE}");
    for (position, &value) in values.iter().enumerate() {
        let x = (position + 1) as f64 * step;
        let y = BASE - HEIGHT * value as f64 / largest;
        let _ = write!(path, " L{x:.1} {y:.1}");
    }
    let _ = write!(path, " L{WIDTH} {BASE} Z");
    format!(
        r#"<svg class="live" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{top}"><path d="{path}"/><text class="tick" x="0" y="12">{top}</text><text class="tick" x="0" y="{text}">{start}</text><text class="tick" x="{WIDTH}" y="{text}" text-anchor="end">{end}</text></svg>"#,
        height = BASE + 18.0,
        text = BASE + 14.0,
        top = escape(top),
        start = escape(start),
        end = escape(end),
    )
}

/// A logarithmic axis.
struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    /// An axis that shows all marks, and at least 1 to 2.
    fn around(marks: &[Mark]) -> Self {
        let lows = marks.iter().map(|mark| mark.range.0);
        let highs = marks.iter().map(|mark| mark.range.1.max(mark.value));
        Self { low: lows.fold(0.95, f64::min).max(0.25), high: highs.fold(2.1, f64::max) }
    }

    fn x(&self, ratio: f64) -> f64 {
        let share = (ratio.max(self.low) / self.low).ln() / (self.high / self.low).ln();
        LEFT + (RIGHT - LEFT) * share
    }

    /// Powers of two, or of a larger number if there were too many.
    fn ticks(&self) -> Vec<u64> {
        let doublings = self.high.log2() as u32;
        let step = doublings / 6 + 1;
        (0..=doublings).step_by(step as usize).map(|power| 1 << power).collect()
    }
}

fn open(title: &str, rows: usize) -> String {
    format!(
        r#"<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{title}">"#,
        height = TOP + ROW_HEIGHT * rows as f64 + 4.0,
        title = escape(title),
    )
}

fn row_middle(row: usize) -> f64 {
    TOP + ROW_HEIGHT * (row as f64 + 0.5)
}

fn class(mark: &Mark) -> &'static str {
    if mark.ours { "ours" } else { "theirs" }
}

fn name(svg: &mut String, mark: &Mark, y: f64) {
    text(svg, mark, LEFT - 12.0, y, "end", &mark.name);
}

fn value_label(svg: &mut String, mark: &Mark, x: f64, y: f64) {
    text(svg, mark, x, y, "start", &mark.label);
}

/// Text beside a mark, bold where the mark is the best.
fn text(svg: &mut String, mark: &Mark, x: f64, y: f64, anchor: &str, text: &str) {
    let best = if mark.best { r#" class="best""# } else { "" };
    let _ = write!(
        svg,
        r#"<text{best} x="{x:.1}" y="{y}" dy="0.35em" text-anchor="{anchor}">{}</text>"#,
        escape(text)
    );
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
    fn an_axis_has_its_marks_in_order_and_within() {
        let marks = [mark(1.0), mark(3.0), mark(70.0)];
        let axis = Axis::around(&marks);
        let places: Vec<_> = marks.iter().map(|mark| axis.x(mark.value)).collect();
        assert!(places.is_sorted());
        assert!(places.iter().all(|place| (LEFT..=RIGHT).contains(place)));
        assert_eq!(axis.ticks(), [1, 4, 16, 64]);
    }

    #[test]
    fn names_are_escaped() {
        let chart = ratios("t", &[mark(1.0)]);
        assert!(chart.contains("a&lt;b"));
        assert!(!chart.contains("a<b"));
        assert!(bars("t", &[mark(1.0)], 0.5, "<base>").contains("&lt;base&gt;"));
    }

    #[test]
    fn a_chart_of_nothing_is_still_a_chart() {
        let chart = live(&[0, 0], "0", "none", "10 events");
        assert!(!chart.contains("NaN") && !chart.contains("inf"));
        let chart = bars("t", &[mark(0.0)], 0.0, "");
        assert!(!chart.contains("NaN") && !chart.contains("inf"));
    }
}
