//! Results of files for continuous integration: a summary, SARIF, JUnit XML, and annotations.
//!
//! File names, labels and messages may come from a stranger: every format escapes them by its own
//! rules, so that a name can neither end a line nor begin a command.

use std::path::Path;

mod entry;
pub mod findings;
mod github;
mod junit;
mod sarif;
mod summary;

pub use entry::Entry;
pub use findings::Finding;
pub use summary::{document, text, with_origin};

/// A format that other programs read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CiFormat {
    /// SARIF 2.1.0.
    Sarif,
    /// JUnit XML.
    Junit,
    /// Workflow commands of GitHub.
    Github,
}

/// How a file ended, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// As it should be.
    Safe,
    /// Neither proved nor refuted, or only within a bound.
    Unproved,
    /// Not begun, or interrupted.
    NotRun,
    /// A violation was found.
    Unsafe,
    /// The system reports an error.
    Failed,
    /// The input is wrong.
    Refused,
    /// A defect of this program.
    Defect,
}

impl Outcome {
    /// One word for it.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Safe => "safe",
            Outcome::Unproved => "unproved",
            Outcome::NotRun => "not run",
            Outcome::Unsafe => "unsafe",
            Outcome::Failed => "failed",
            Outcome::Refused => "refused",
            Outcome::Defect => "internal error",
        }
    }
}

/// Where a result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultOrigin {
    /// This run.
    Computed,
    /// An earlier run on the same input.
    Cached,
}

/// What is known of one file.
#[derive(Clone, Debug)]
pub struct FileResult {
    /// The protocol; or what stands in its place, such as a folder that cannot be read.
    pub file: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The verdict in one line.
    pub headline: String,
    /// The whole report.
    pub report: String,
    /// What to look at, and where.
    pub findings: Vec<Finding>,
    /// Where the result comes from.
    pub origin: ResultOrigin,
}

/// What is known of the files of one run.
pub struct FileResults<'a> {
    /// The command.
    pub command: &'a str,
    /// The file or folder it was run on.
    pub subject: &'a str,
    /// The files in their order.
    pub files: &'a [FileResult],
    /// How the program ends.
    pub exit_code: u8,
}

impl FileResults<'_> {
    /// The worst outcome; without files, nothing was run.
    fn worst(&self) -> Outcome {
        self.files.iter().map(|file| file.outcome).max().unwrap_or(Outcome::NotRun)
    }

    fn count(&self, outcome: Outcome) -> usize {
        self.files.iter().filter(|file| file.outcome == outcome).count()
    }

    /// Whether every file was run to an answer.
    fn is_complete(&self) -> bool {
        let ended = |file: &FileResult| {
            matches!(file.outcome, Outcome::Safe | Outcome::Unproved | Outcome::Unsafe)
        };
        self.files.iter().all(ended)
    }
}

/// The results in a format that other programs read.
pub fn render(results: &FileResults<'_>, format: CiFormat) -> String {
    match format {
        CiFormat::Sarif => sarif::document(results),
        CiFormat::Junit => junit::document(results),
        CiFormat::Github => github::lines(results),
    }
}

/// A path as these programs look it up below the folder of the repository: without `./`.
fn below(path: &str) -> &str {
    let mut rest = path;
    while let Some(shorter) = rest.strip_prefix("./") {
        rest = shorter.trim_start_matches('/');
    }
    if rest.is_empty() { path } else { rest }
}

/// A text in one line, without characters that control a terminal or the direction of writing.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || is_invisible(c) {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

/// A path in one line.
pub(crate) fn shown(path: &Path) -> String {
    one_line(&path.display().to_string())
}

/// Line and paragraph separators, and what changes the direction of writing.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(c, '\u{2066}'..='\u{2069}' | '\u{feff}')
}
