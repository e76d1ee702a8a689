//! The lines that soundness rests on, each with what a careless hand would make of it and a test
//! that notices.

use std::sync::LazyLock;

use super::complete::COMPLETE;
use super::engines::ENGINES;
use super::judgement::JUDGEMENT;
use super::mercury::MERCURY;
use super::obligations::OBLIGATIONS;
use super::rules::RULES;

/// One line made wrong.
pub(crate) struct Sabotage {
    /// Why the line matters.
    pub(crate) why: &'static str,
    /// The file, below `src`.
    pub(crate) file: &'static str,
    /// What the file says there, and nowhere else; «» around the part that is made wrong, if it is
    /// not all of it.
    pub(crate) line: &'static str,
    /// What it says instead: an expression for an expression, statements for statements.
    pub(crate) instead: &'static str,
    /// The test that notices: its crate or [`OWN_TESTS`], its module, its name.
    pub(crate) test: &'static str,
}

pub(crate) const REFUSED: &str =
    "certificates::refused::every_refused_certificate_is_refused_for_its_reason";
pub(crate) const TRAPS: &str = "certificates::traps::every_trap_is_seen";
/// The tests inside the library.
pub(crate) const OWN_TESTS: &str = "library";

/// A line of `file`, its stand-in, and the test that notices.
pub(crate) const fn line(
    why: &'static str,
    file: &'static str,
    line: &'static str,
    instead: &'static str,
    test: &'static str,
) -> Sabotage {
    Sabotage { why, file, line, instead, test }
}

impl Sabotage {
    /// The test crate, or [`OWN_TESTS`], and the test in it.
    pub(crate) fn suite_and_test(&self) -> (&'static str, &'static str) {
        self.test.split_once("::").unwrap_or((self.test, ""))
    }
}

/// Every line.
pub(crate) static SABOTAGE: LazyLock<Vec<&Sabotage>> = LazyLock::new(|| {
    [OBLIGATIONS, RULES, ENGINES, MERCURY, JUDGEMENT, COMPLETE].into_iter().flatten().collect()
});
