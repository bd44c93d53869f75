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

    #[cfg(test)]
    mod tests {
        use super::*;

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

    use crate::cli::{BadInput, Spelled, StudyOptions};
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
        let command = Spelled::new("studies", job, false).text();
        Err(BadInput(format!(
            "this build of the lab has no studies, whose rivals take a while to compile; run\n  \
             {command} (with the same options)"
        ))
        .into())
    }
}
