//! What to look at in a file, and where: messages about texts, violations, gaps of a proof.

use serde::{Deserialize, Serialize};

use crate::coverage::{Exercise, idle, unmet};
use crate::diagnostic::{Diagnostic, Severity};
use crate::finite::question::request::Explored;
use crate::finite::{ClaimFailure, FiniteOutcome};
use crate::judge::Verdict;
use crate::protocol::{PropertyKind, Protocol};
use crate::prove::ProofOutcome;
use crate::report::text;
use crate::report::text::check::{Checked, place_of};
use crate::smt::Discharge;
use crate::source::{SourceFile, Span};

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// It has to be looked at.
    Error,
    /// It may be wrong.
    Warning,
    /// It is worth knowing.
    Note,
}

/// A part of a text; lines and columns begin with 1, columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// The first line.
    pub line: usize,
    /// The first column.
    pub column: usize,
    /// The line of the end.
    pub end_line: usize,
    /// The column after the last one.
    pub end_column: usize,
}

/// Something to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// How serious it is.
    pub level: Level,
    /// The code of a message, or what kind of verdict it is.
    pub rule: String,
    /// In words.
    pub message: String,
    /// The file; the one that the run is about if none is named.
    pub file: Option<String>,
    /// The place in it.
    pub region: Option<Region>,
}

impl Finding {
    /// A finding without a place.
    pub fn new(level: Level, rule: &str, message: impl Into<String>) -> Self {
        Finding { level, rule: rule.to_owned(), message: message.into(), file: None, region: None }
    }

    /// The same, at a place.
    fn at(self, source: &SourceFile, span: Span) -> Self {
        let (from, to) = (source.position(span.start), source.position(span.end));
        let region = Region {
            line: from.line,
            column: from.column,
            end_line: to.line,
            end_column: to.column,
        };
        Finding { file: Some(source.name().to_owned()), region: Some(region), ..self }
    }
}

/// Messages about a text.
pub fn of_diagnostics(source: &SourceFile, diagnostics: &[Diagnostic]) -> Vec<Finding> {
    let finding = |own: &Diagnostic| {
        let level = match own.severity {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
            Severity::Note => Level::Note,
        };
        let hint = own.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
        let message = format!("{}{hint}", own.message);
        Finding::new(level, own.code.0, message).at(source, own.primary.span)
    };
    diagnostics.iter().map(finding).collect()
}

/// What keeps a certificate from being a proof, or the violation that it led to.
pub fn of_check(checked: &Checked<'_>) -> Vec<Finding> {
    let judgement = checked.judgement;
    let headline = text::check::headline(checked.protocol, judgement);
    let subject = (checked.protocol, checked.text);
    let mut findings = match &judgement.verdict {
        Verdict::Safe => Vec::new(),
        Verdict::SafeUpTo(_) => vec![about_safety(subject, Level::Warning, BOUNDED, headline)],
        Verdict::Unsafe(violated) => vec![about(subject, &violated.claim, VIOLATED, headline)],
        Verdict::Unproved(_) => vec![about_safety(subject, Level::Error, UNPROVED, headline)],
    };
    let failed = judgement.obligations();
    for judged in failed.filter(|judged| !judged.is_valid() && !judged.is_unchecked()) {
        let how = match &judged.discharge {
            Discharge::Valid | Discharge::Refuted(_) => "refuted".to_owned(),
            Discharge::Unknown(reason) => reason.to_string(),
        };
        let message = format!("{}: {how}", judged.obligation.title());
        let finding = Finding::new(Level::Error, OBLIGATION, message);
        findings.push(match place_of(checked, &judged.obligation) {
            Some((source, span)) => finding.at(source, span),
            None => Finding { file: Some(checked.source.name().to_owned()), ..finding },
        });
    }
    findings
}

/// What a search found.
pub fn of_synth(subject: (&Protocol, &SourceFile), outcome: &ProofOutcome) -> Vec<Finding> {
    let headline = text::synth::verdict(subject.0, outcome);
    if let Some(violated) = outcome.violation() {
        return vec![about(subject, &violated.claim, VIOLATED, headline)];
    }
    match outcome.verdict {
        Verdict::Safe => Vec::new(),
        Verdict::SafeUpTo(_) => vec![about_safety(subject, Level::Warning, BOUNDED, headline)],
        Verdict::Unsafe(_) | Verdict::Unproved(_) => {
            vec![about_safety(subject, Level::Error, UNPROVED, headline)]
        }
    }
}

/// What the search of one size found.
pub fn of_explored(subject: (&Protocol, &SourceFile), explored: &Explored) -> Vec<Finding> {
    let headline = text::explore::verdict(subject.0, explored);
    match &explored.outcome {
        FiniteOutcome::Safe(_) => Vec::new(),
        FiniteOutcome::Unsafe(violation, _) => {
            let claim = match violation.failure {
                ClaimFailure::Claim(claim, _) => explored.claims.get(claim),
                ClaimFailure::Deadlock => None,
            };
            let name = claim.map(|claim| claim.name.to_string()).unwrap_or_default();
            vec![about(subject, &name, VIOLATED, headline)]
        }
        FiniteOutcome::Unknown(..) => {
            vec![about_safety(subject, Level::Error, UNPROVED, headline)]
        }
    }
}

/// What a protocol was never seen to do.
pub fn of_coverage(
    (protocol, source): (&Protocol, &SourceFile),
    exercise: Option<&Exercise>,
) -> Vec<Finding> {
    let Some(Exercise { idle: actions, unmet: properties, looked, .. }) = exercise else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    for action in protocol.actions.iter().filter(|action| actions.contains(&action.name)) {
        let message = format!("{}: {}", idle(protocol, looked), action.name);
        findings.push(Finding::new(Level::Warning, COVERAGE, message).at(source, action.span));
    }
    for property in protocol.properties.iter().filter(|own| properties.contains(&own.name)) {
        let message = format!("premise {}: [{}]", unmet(protocol, looked), property.name);
        findings.push(Finding::new(Level::Warning, COVERAGE, message).at(source, property.span));
    }
    findings
}

/// A finding where a property is written.
fn about(
    (protocol, source): (&Protocol, &SourceFile),
    property: &str,
    rule: &str,
    message: String,
) -> Finding {
    let finding = Finding::new(Level::Error, rule, message);
    match protocol.property(property) {
        Some((_, property)) => finding.at(source, property.span),
        None => Finding { file: Some(source.name().to_owned()), ..finding },
    }
}

/// A finding where the first safety property is written.
fn about_safety(
    (protocol, source): (&Protocol, &SourceFile),
    level: Level,
    rule: &str,
    message: String,
) -> Finding {
    let finding = Finding::new(level, rule, message);
    match protocol.properties.iter().find(|own| own.kind == PropertyKind::Safety) {
        Some(property) => finding.at(source, property.span),
        None => Finding { file: Some(source.name().to_owned()), ..finding },
    }
}

/// A property does not hold.
pub const VIOLATED: &str = "violated";
/// There is no proof.
pub const UNPROVED: &str = "unproved";
/// There is a proof up to some size only.
pub const BOUNDED: &str = "bounded";
/// An obligation of a certificate does not hold, or is not decided.
pub const OBLIGATION: &str = "obligation";
/// Something was never seen to happen.
pub const COVERAGE: &str = "coverage";
/// A file cannot be read or used.
pub const INPUT: &str = "input";
/// A protocol without a certificate, or the other way round.
pub const PAIRING: &str = "pairing";
/// The run ended before this file.
pub const NOT_RUN: &str = "not-run";
/// A defect of this program.
pub const DEFECT: &str = "internal-error";

/// What a rule is about.
pub(super) fn explanation(rule: &str) -> &'static str {
    match rule {
        VIOLATED => "A property of the protocol is violated by a run that was replayed",
        UNPROVED => "The protocol is neither proved nor refuted",
        BOUNDED => "The protocol is proved up to some sizes only",
        OBLIGATION => "An obligation of the certificate is refuted or not decided",
        COVERAGE => "An action was never possible, or a premise never held, at small sizes",
        INPUT => "A file cannot be read or used",
        PAIRING => "A protocol without a certificate, or a certificate without a protocol",
        NOT_RUN => "The run ended before this file was finished",
        DEFECT => "A defect of rmlcut: please report it",
        _ => "A message about a protocol or a certificate",
    }
}
