//! What `rmlcut explore` found, as JSON: the same facts as the text.

use serde::Serialize;

use super::coverage::names;
use super::trace::{RunReport, ViolationReport};
use super::{DiagnosticReport, Remarks, Sizes, diagnostics, print};
use crate::finite::question::expected_run::{Beginning, CheckedRun, ExpectedRun};
use crate::finite::question::request::Explored;
use crate::finite::{Counted, Coverage, Deadlocks, FiniteOutcome, StateCounts, Unseen};
use crate::protocol::Protocol;
use crate::report::text::explore::{reason_text, verdict};
use crate::report::text::trace::expected_runs;

#[derive(Serialize)]
struct ExploreReport<'a> {
    protocol: &'a str,
    verdict: &'static str,
    summary: String,
    reason: Option<String>,
    size: Sizes,
    defaulted: Vec<&'a str>,
    int: Option<(i64, i64)>,
    engine: &'static str,
    properties: Vec<&'a str>,
    deadlocks: bool,
    coverage: SearchReport<'a>,
    diagnostics: Vec<DiagnosticReport<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    violation: Option<ViolationReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    traces: Vec<ExpectedRunReport>,
}

/// What a search looked at, and what no state shows, where all were visited.
#[derive(Serialize)]
pub(super) struct SearchReport<'a> {
    instances: u64,
    up_to_symmetry: bool,
    counts: Option<CountsReport>,
    total_states: Option<String>,
    left_out: Vec<&'a str>,
    never_possible: Vec<&'a str>,
    premise_never_holds: Vec<&'a str>,
}

/// How much an engine that visits states has visited.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CountsReport {
    /// Distinct states.
    pub states: u64,
    /// Possible invocations with their choices, over all states.
    pub transitions: u64,
    /// Successor states computed.
    pub generated: u64,
    /// The greatest distance of a state from an initial one.
    pub depth: u64,
    /// Bytes held for states.
    pub bytes: u64,
}

impl From<StateCounts> for CountsReport {
    fn from(counts: StateCounts) -> Self {
        let StateCounts { states, transitions, generated, depth, memory, .. } = counts;
        CountsReport { states, transitions, generated, depth, bytes: memory }
    }
}

#[derive(Serialize)]
struct ExpectedRunReport {
    line: usize,
    summary: String,
    outcome: &'static str,
    expected: &'static str,
    as_expected: Option<bool>,
    from_initial: bool,
    run: Option<RunReport>,
}

/// The outcome of an exploration as JSON.
pub fn document(
    protocol: &Protocol,
    explored: &Explored,
    runs: &[CheckedRun],
    remarks: &Remarks<'_>,
) -> String {
    let (word, reason, coverage, unseen) = match &explored.outcome {
        FiniteOutcome::Safe(coverage) => ("safe", None, coverage, coverage.unseen.as_ref()),
        FiniteOutcome::Unsafe(_, coverage) => {
            let word = if explored.is_false_lemma(protocol) { "unproved" } else { "unsafe" };
            (word, None, coverage, None)
        }
        FiniteOutcome::Unknown(reason, coverage) => {
            ("unknown", Some(reason_text(reason)), coverage, None)
        }
    };
    let violation = match &explored.outcome {
        FiniteOutcome::Unsafe(violation, _) => Some(violation),
        FiniteOutcome::Safe(_) | FiniteOutcome::Unknown(..) => None,
    };
    let defaulted = explored.defaulted.iter();
    print(&ExploreReport {
        protocol: &protocol.name,
        verdict: word,
        summary: verdict(protocol, explored),
        reason,
        size: Sizes::new(protocol, &explored.size),
        defaulted: defaulted.map(|sort| &**protocol.signature.sort_name(*sort)).collect(),
        int: explored.window,
        engine: explored.engine,
        properties: explored.claims.iter().map(|claim| &*claim.name).collect(),
        deadlocks: explored.deadlocks == Deadlocks::Reported,
        coverage: SearchReport::new(protocol, coverage, unseen),
        diagnostics: diagnostics(remarks.source, remarks.warnings),
        violation: violation.map(|own| ViolationReport::new(protocol, &explored.claims, own)),
        traces: expected(protocol, runs),
    })
}

/// The traces of a text that has nothing else to check, as JSON.
pub fn runs_document(protocol: &Protocol, runs: &[CheckedRun]) -> String {
    #[derive(Serialize)]
    struct TracesReport<'a> {
        protocol: &'a str,
        traces: Vec<ExpectedRunReport>,
    }
    print(&TracesReport { protocol: &protocol.name, traces: expected(protocol, runs) })
}

impl<'a> SearchReport<'a> {
    pub(super) fn new(
        protocol: &'a Protocol,
        coverage: &Coverage,
        unseen: Option<&'a Unseen>,
    ) -> Self {
        let left_out = coverage.left_out.iter();
        SearchReport {
            instances: coverage.instances,
            up_to_symmetry: coverage.counted == Counted::UpToSymmetry,
            counts: coverage.visited.map(CountsReport::from),
            total_states: coverage.total.as_ref().map(ToString::to_string),
            left_out: left_out.map(|id| &*protocol.signature.symbol(*id).name).collect(),
            never_possible: unseen.map_or_else(Vec::new, |unseen| names(&unseen.actions)),
            premise_never_holds: unseen.map_or_else(Vec::new, |unseen| names(&unseen.premises)),
        }
    }
}

/// Every trace that a text asks for, with its outcome.
fn expected(protocol: &Protocol, runs: &[CheckedRun]) -> Vec<ExpectedRunReport> {
    let report = |run: &CheckedRun| ExpectedRunReport {
        line: run.line,
        summary: expected_runs::summary(protocol, run),
        outcome: match &run.explored.outcome {
            FiniteOutcome::Unsafe(..) => "reachable",
            FiniteOutcome::Safe(_) => "unreachable",
            FiniteOutcome::Unknown(..) => "unknown",
        },
        expected: match run.expected {
            ExpectedRun::Possible => "reachable",
            ExpectedRun::Impossible => "unreachable",
        },
        as_expected: run.is_as_expected(),
        from_initial: run.beginning == Beginning::Initial,
        run: run.run.as_ref().map(|run| RunReport::new(protocol, run)),
    };
    runs.iter().map(report).collect()
}
