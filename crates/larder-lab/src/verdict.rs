//! What was measured, judged by one of larder's own bars.

/// One bar at one size.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) subject: &'static str,
    pub(crate) workload: String,
    /// The size of a value, where that differs.
    pub(crate) element_bytes: Option<usize>,
    pub(crate) count: usize,
    /// What the limit is a multiple of.
    pub(crate) against: String,
    pub(crate) limit: f64,
    pub(crate) measured: f64,
}

impl Verdict {
    /// The columns of [`Self::cells`].
    pub(crate) const COLUMNS: [&str; 8] =
        ["subject", "workload", "bytes", "count", "against", "limit", "measured", ""];

    pub(crate) fn met(&self) -> bool {
        self.measured <= self.limit
    }

    pub(crate) fn cells(&self) -> [String; 8] {
        [
            self.subject.to_owned(),
            self.workload.clone(),
            self.element_bytes.map_or_else(String::new, |bytes| bytes.to_string()),
            self.count.to_string(),
            self.against.clone(),
            format!("{:.2}", self.limit),
            format!("{:.3}", self.measured),
            if self.met() { "" } else { "MISSED" }.to_owned(),
        ]
    }
}
