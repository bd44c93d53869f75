//! The jobs that are made of studies. Their rivals take longer to build than all the rest, so they are
//! there only with the feature `studies`; without it, each job names the command that builds it.

#[cfg(any(test, feature = "studies"))]
pub(crate) use self::here::{Row, run, verdicts};
#[cfg(not(any(test, feature = "studies")))]
pub(crate) use self::missing::{Row, run, verdicts};

/// The jobs themselves.
#[cfg(any(test, feature = "studies"))]
mod here {
    use anyhow::Result;

    use crate::beside::BESIDE;
    use crate::cli::StudyOptions;
    use crate::columns::COLUMNS;
    use crate::find::FIND;
    use crate::keep::KEEP;
    use crate::study::{self, Studies};
    use crate::verdict::Verdict;

    pub(crate) use crate::study::Row;

    /// All jobs that are made of studies.
    const STUDIES: [Studies; 4] = [COLUMNS, BESIDE, FIND, KEEP];

    /// Runs the job of this name.
    pub(crate) fn run(command: &str, options: &StudyOptions) -> Result<()> {
        let known = STUDIES.iter().find(|studies| studies.command == command);
        study::run(known.expect("the command line has no other jobs"), options)
    }

    /// The verdicts on all bars for which there are rows.
    pub(crate) fn verdicts(rows: &[Row]) -> Result<Vec<Verdict>> {
        let bars = STUDIES.iter().flat_map(|studies| studies.bars);
        Ok(study::bars::verdicts(bars, rows))
    }

    /// Every workload on every subject, at counts small enough for a debug build.
    #[cfg(test)]
    mod tests {
        use indicatif::ProgressBar;

        use super::*;
        use crate::study::Contest;
        use crate::study::bars::all_are_about;

        /// The counts at which a study is tried.
        fn small_counts(study: &str) -> &'static [usize] {
            match study {
                "tick" | "assoc" | "keys" => &[1, 100, 1_030],
                "holes" => &[100, 300],
                "denormals" | "observers" => &[300],
                "lists" => &[340],
                "children" => &[400],
                "grid" => &[500],
                "views" => &[100, 1_000],
                "names" => &[3_000],
                "changes" => &[10_000],
                _ => &[1_000],
            }
        }

        /// How many rows studies give at one count.
        fn rows_are_as_many(rows: &[Row], known: &[(&str, usize)]) {
            for &(study, number) in known {
                for &count in small_counts(study) {
                    let found = rows.iter().filter(|row| row.study == study && row.count == count);
                    assert_eq!(found.count(), number, "{study} of {count}");
                }
            }
        }

        /// Measures all of it once, and judges every bar by that.
        fn tried(studies: &Studies) -> Vec<Row> {
            let progress = ProgressBar::hidden();
            let parts = (studies.parts)();
            let mut rows = Vec::new();
            // The parts of a study that differ in nothing but the count follow one another.
            for part in parts.chunk_by(|a, b| a.study == b.study && a.count < b.count) {
                let (study, part) = (part[0].study, &part[0]);
                for &count in small_counts(study) {
                    let new = part.measure(&Contest::once(study, count, &progress));
                    let new = new.expect("they agree");
                    assert!(new.iter().all(|row| row.ns > 0.0 && row.count == count), "{study}");
                    rows.extend(new);
                }
            }
            all_are_about(studies.bars, &rows);
            rows
        }

        #[test]
        fn all_subjects_of_columns_agree_and_every_bar_is_judged() {
            let systems = if cfg!(feature = "ecs") { 2 } else { 0 };
            let known = [
                ("tick", 4 * (11 + systems)),
                ("assoc", 2 * 6),
                ("keys", 5 * (6 + systems)),
                ("holes", 3 * 8),
                ("denormals", 2),
                ("temporary", 4 * 3),
            ];
            rows_are_as_many(&tried(&COLUMNS), &known);
        }

        /// Only what a rival cannot do is left out.
        #[test]
        fn all_subjects_of_beside_agree_and_every_bar_is_judged() {
            let rows = tried(&BESIDE);
            rows_are_as_many(&rows, &[("side", 4 * 7 * 5)]);
            let done = |subject: &str| rows.iter().filter(|row| row.subject == subject).count();
            assert_eq!(["indextree", "Arena and Tree", "Arena of Links"].map(done), [10; 3]);
            assert_eq!(["ego-tree", "Vec<Box>"].map(done), [6, 2]);
        }

        #[test]
        fn all_subjects_of_find_agree_and_every_bar_is_judged() {
            rows_are_as_many(&tried(&FIND), &[("children", 9 * 7), ("names", 5 * 7 + 5 * 2)]);
        }

        #[test]
        fn all_subjects_of_keep_agree_and_every_bar_is_judged() {
            tried(&KEEP);
        }

        /// Bars find their rows by the study's name, whichever command wrote them.
        #[test]
        fn a_study_is_of_one_command_and_so_are_its_bars() {
            let mut names = Vec::new();
            for studies in STUDIES {
                let mut own: Vec<&str> = (studies.parts)().iter().map(|part| part.study).collect();
                own.sort_unstable();
                own.dedup();
                assert!(studies.bars.iter().all(|bar| own.contains(&bar.study)));
                names.extend(own);
            }
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count);
        }
    }
}

/// What is left of the jobs in a build without them.
#[cfg(not(any(test, feature = "studies")))]
mod missing {
    use anyhow::Result;
    use serde::Deserialize;

    use crate::cli::{self, BadInput, StudyOptions};
    use crate::verdict::Verdict;

    /// A measured value, as far as is needed to recognise its file.
    #[derive(Debug, Deserialize)]
    pub(crate) struct Row {
        #[expect(dead_code, reason = "only rows of studies have this field")]
        study: String,
    }

    pub(crate) fn run(command: &str, _options: &StudyOptions) -> Result<()> {
        missing(command)
    }

    pub(crate) fn verdicts(_rows: &[Row]) -> Result<Vec<Verdict>> {
        missing("bars")
    }

    fn missing<R>(job: &str) -> Result<R> {
        let command = cli::spelled("studies", job, false, &[], &[], None);
        Err(BadInput(format!(
            "this build of the lab has no studies, whose rivals take a while to compile; run\n  \
             {command} (with the same options)"
        ))
        .into())
    }
}
