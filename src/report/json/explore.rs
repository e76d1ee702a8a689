//! What `rmlcut explore` found, as JSON: the same facts as the text.

use serde::Serialize;

use super::coverage::names;
use super::trace::{RunReport, ViolationReport};
use super::value_summary::ValuesReport;
use super::{DiagnosticReport, Remarks, Sizes, diagnostics, print};
use crate::coverage::CheckedRun;
use crate::finite::question::request::Explored;
use crate::finite::question::sweep::Sweep;
use crate::finite::{
    Counted, Coverage, Deadlocks, FiniteOutcome, FiniteReason, StateCounts, Summary, Unseen,
};
use crate::process::Described;
use crate::protocol::{Beginning, Protocol};
use crate::report::text::explore::{reason_text, sweep_verdict, verdict};
use crate::report::text::trace::expected_runs;
use crate::source::SourceFile;

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
    #[serde(skip_serializing_if = "Option::is_none")]
    sweep: Option<SweepReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found_at: Option<Sizes>,
    diagnostics: Vec<DiagnosticReport<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    violation: Option<ViolationReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    traces: Vec<ExpectedRunReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<ValuesReport>,
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

/// A run that a text expects, and the outcome of looking for it.
#[derive(Serialize)]
pub(super) struct ExpectedRunReport {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    size: Sizes,
    summary: String,
    outcome: &'static str,
    expected: &'static str,
    as_expected: Option<bool>,
    from_initial: bool,
    run: Option<RunReport>,
}

/// The sizes of a sweep, in the order in which they were searched.
#[derive(Serialize)]
struct SweepReport {
    up_to: Sizes,
    complete: bool,
    searched: Vec<SweptSizeReport>,
}

#[derive(Serialize)]
struct SweptSizeReport {
    size: Sizes,
    outcome: &'static str,
    states: Option<u64>,
}

impl SweepReport {
    fn new(protocol: &Protocol, sweep: &Sweep) -> Self {
        let searched = sweep.searched.iter().map(|own| {
            let (outcome, coverage) = match &own.outcome {
                FiniteOutcome::Safe(coverage) => ("safe", coverage),
                FiniteOutcome::Unsafe(_, coverage) => ("unsafe", coverage),
                FiniteOutcome::Unknown(_, coverage) => ("unknown", coverage),
            };
            let states = coverage.visited.map(|counts| counts.states);
            SweptSizeReport { size: Sizes::new(protocol, &own.size), outcome, states }
        });
        let searched = searched.collect();
        SweepReport {
            up_to: Sizes::new(protocol, &sweep.up_to),
            complete: sweep.is_safe(),
            searched,
        }
    }
}

/// What `rmlcut explore` found.
#[derive(Clone, Copy, Debug)]
pub struct Findings<'a> {
    /// The size that decides.
    pub explored: &'a Explored,
    /// What the protocol was written as, if not as relations and actions.
    pub described: Option<&'a Described>,
    /// The sweep that it belongs to.
    pub sweep: Option<&'a Sweep>,
    /// The runs that the text expects.
    pub runs: &'a [CheckedRun],
    /// Which values occur together, if that was asked for.
    pub values: Option<&'a Result<Summary, FiniteReason>>,
}

/// The outcome of an exploration as JSON.
pub fn document(protocol: &Protocol, findings: &Findings<'_>, remarks: &Remarks<'_>) -> String {
    let Findings { explored, described, sweep, runs, values } = *findings;
    let swept = sweep.and_then(|sweep| sweep_verdict(protocol, sweep));
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
    let is_open = sweep.is_some_and(|sweep| !sweep.is_safe());
    let word = if word == "safe" && is_open { "unknown" } else { word };
    let violation = match &explored.outcome {
        FiniteOutcome::Unsafe(violation, _) => Some(violation),
        FiniteOutcome::Safe(_) | FiniteOutcome::Unknown(..) => None,
    };
    let defaulted = explored.defaulted.iter();
    print(&ExploreReport {
        protocol: &protocol.name,
        verdict: word,
        summary: swept.unwrap_or_else(|| verdict(protocol, explored)),
        reason,
        size: Sizes::new(protocol, &explored.size),
        defaulted: defaulted.map(|sort| &**protocol.signature.sort_name(*sort)).collect(),
        int: explored.window,
        engine: explored.engine,
        properties: explored.claims.iter().map(|claim| &*claim.name).collect(),
        deadlocks: explored.deadlocks == Deadlocks::Reported,
        coverage: SearchReport::new(protocol, coverage, unseen),
        sweep: sweep.map(|sweep| SweepReport::new(protocol, sweep)),
        found_at: explored.searched.as_ref().map(|size| Sizes::new(protocol, size)),
        diagnostics: diagnostics(remarks.source, remarks.warnings),
        violation: violation.map(|own| {
            let report = ViolationReport::new(protocol, &explored.claims, own);
            report.in_words(described, protocol, own)
        }),
        traces: expected(protocol, Some(remarks.source), runs),
        values: values.map(|values| ValuesReport::new(protocol, values)),
    })
}

/// The traces of a text that has nothing else to check, as JSON.
pub fn runs_document(protocol: &Protocol, source: &SourceFile, runs: &[CheckedRun]) -> String {
    #[derive(Serialize)]
    struct TracesReport<'a> {
        protocol: &'a str,
        traces: Vec<ExpectedRunReport>,
    }
    let traces = expected(protocol, Some(source), runs);
    print(&TracesReport { protocol: &protocol.name, traces })
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

/// Every run that a text expects, with its outcome.
pub(super) fn expected(
    protocol: &Protocol,
    source: Option<&SourceFile>,
    runs: &[CheckedRun],
) -> Vec<ExpectedRunReport> {
    let report = |run: &CheckedRun| ExpectedRunReport {
        name: expected_runs::title(protocol, &run.expected),
        line: source.map(|source| source.position(run.expected.span.start).line),
        size: Sizes::new(protocol, &run.explored.size),
        summary: expected_runs::summary(protocol, run),
        outcome: match &run.explored.outcome {
            FiniteOutcome::Unsafe(..) => "reachable",
            FiniteOutcome::Safe(_) => "unreachable",
            FiniteOutcome::Unknown(..) => "unknown",
        },
        expected: if run.expected.should_exist() { "reachable" } else { "unreachable" },
        as_expected: run.is_as_expected(),
        from_initial: run.expected.beginning == Beginning::Initial,
        run: run.run.as_ref().map(|run| RunReport::new(protocol, run)),
    };
    runs.iter().map(report).collect()
}
