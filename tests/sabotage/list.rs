//! The lines that soundness rests on, each with what a careless hand would make of it and a test
//! that notices.

use std::sync::LazyLock;

use super::engines::ENGINES;
use super::judgement::JUDGEMENT;
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
    /// The test crate that notices, or [`OWN_TESTS`].
    pub(crate) suite: &'static str,
    /// The test in it that notices.
    pub(crate) test: &'static str,
}

pub(crate) const REFUSED: &str = "refused::every_refused_certificate_is_refused_for_its_reason";
pub(crate) const TRAPS: &str = "traps::every_trap_is_seen";
/// The tests inside the library.
pub(crate) const OWN_TESTS: &str = "library";

/// A line of `file` and its stand-in, noticed by a test of `tests/certificates`.
pub(crate) const fn line(
    why: &'static str,
    file: &'static str,
    line: &'static str,
    instead: &'static str,
    test: &'static str,
) -> Sabotage {
    Sabotage { why, file, line, instead, suite: "certificates", test }
}

/// The same, noticed by a test of `tests/check`.
pub(crate) const fn in_check(
    why: &'static str,
    file: &'static str,
    line: &'static str,
    instead: &'static str,
    test: &'static str,
) -> Sabotage {
    Sabotage { why, file, line, instead, suite: "check", test }
}

/// The same, noticed by a test of `tests/engines`.
pub(crate) const fn in_engines(
    why: &'static str,
    file: &'static str,
    line: &'static str,
    instead: &'static str,
    test: &'static str,
) -> Sabotage {
    Sabotage { why, file, line, instead, suite: "engines", test }
}

/// The same, noticed by a test of `tests/agreement`.
pub(crate) const fn in_agreement(
    why: &'static str,
    file: &'static str,
    line: &'static str,
    instead: &'static str,
    test: &'static str,
) -> Sabotage {
    Sabotage { why, file, line, instead, suite: "agreement", test }
}

/// The same, noticed by a test of `tests/smt`.
pub(crate) const fn in_smt(
    why: &'static str,
    file: &'static str,
    line: &'static str,
    instead: &'static str,
    test: &'static str,
) -> Sabotage {
    Sabotage { why, file, line, instead, suite: "smt", test }
}

/// The same, noticed by a test inside the library.
pub(crate) const fn inside(
    why: &'static str,
    file: &'static str,
    line: &'static str,
    instead: &'static str,
    test: &'static str,
) -> Sabotage {
    Sabotage { why, file, line, instead, suite: OWN_TESTS, test }
}

/// Every line.
pub(crate) static SABOTAGE: LazyLock<Vec<&Sabotage>> =
    LazyLock::new(|| [OBLIGATIONS, RULES, ENGINES, JUDGEMENT].into_iter().flatten().collect());
