//! What a search or a check found out about a text, line by line.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::budget::{Budget, Stop};
use crate::certificate::{Certificate, Closing, ObligationKind, ProofArgument, print_certificate};
use crate::diagnostic::Diagnostic;
use crate::finite::question::request::{FiniteRequest, PATIENCE};
use crate::finite::{ClaimFailure, Deadlocks, FiniteOutcome, Progress, Slicing, Symmetry};
use crate::judge::request::JudgeRequest;
use crate::judge::{FiniteResult, Judged, Judgement, Verdict};
use crate::pipeline::{ExploreError, Origin, Strategy, WatchMemory};
use crate::protocol::{PropertyKind, Protocol};
use crate::prove::{Prefer, ProveConfig};
use crate::report::text;
use crate::smt::Discharge;
use crate::source::{SourceFile, Span};
use crate::{budget, pipeline};

/// How long a search may take: as long as `rmlcut synth` without options.
const TIME: Duration = Duration::from_secs(60);

/// How long each obligation may take: as long as `rmlcut check` without options.
const OBLIGATION_TIME: Duration = Duration::from_secs(30);

/// The most bytes for the states of an exploration.
const MEMORY: u64 = 1 << 30;

/// Something to find out.
pub(super) enum Work {
    /// Whether every small size is safe.
    Explore(SourceFile),
    /// Whether every size is safe.
    Prove(SourceFile),
    /// Whether a certificate proves its protocol.
    Check {
        /// The protocol.
        protocol: SourceFile,
        /// The certificate.
        certificate: SourceFile,
    },
}

/// How good or bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grade {
    /// It is proved, or holds at the sizes that were searched.
    Good,
    /// Nothing is known.
    Open,
    /// It fails.
    Bad,
}

/// What was found out about one part of a text.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    /// The part.
    pub(super) at: Span,
    /// How good it is.
    pub(super) grade: Grade,
    /// A line.
    pub(super) title: String,
    /// More, such as a trace; may be empty.
    pub(super) detail: String,
}

/// What was found out about a text.
#[derive(Clone, Debug)]
pub(super) struct Findings {
    /// The verdict, as the commands print it.
    pub(super) verdict: String,
    /// How good it is.
    pub(super) grade: Grade,
    /// Line by line.
    pub(super) lines: Vec<Finding>,
    /// The certificate that was found.
    pub(super) certificate: Option<String>,
}

/// Finds something out, as long as `stop` allows.
///
/// # Errors
/// Why there is no answer, in a line.
pub(super) fn find_out(
    work: &Work,
    stop: &Stop,
    memory: &WatchMemory,
    progress: &dyn Progress,
) -> Result<Findings, String> {
    match work {
        Work::Explore(source) => explore(source, stop, progress),
        Work::Prove(source) => prove(source, stop, progress),
        Work::Check { protocol, certificate } => {
            check(protocol, certificate, stop, memory, progress)
        }
    }
}

fn first_error(messages: &[Diagnostic]) -> String {
    let error = messages.iter().find(|message| message.is_error()).or(messages.first());
    error.map_or_else(String::new, |error| format!("the text has errors: {}", error.message))
}

fn explore(source: &SourceFile, stop: &Stop, progress: &dyn Progress) -> Result<Findings, String> {
    let request = FiniteRequest {
        sizes: Vec::new(),
        window: None,
        properties: Vec::new(),
        engine: None,
        deadlocks: Deadlocks::Ignored,
        symmetry: Symmetry::Reduced,
        slicing: Slicing::Whole,
        budget: Budget {
            threads: budget::cores(),
            max_memory: MEMORY,
            ..Budget::until(stop.within(TIME))
        },
        patience: PATIENCE,
    };
    let swept = pipeline::sweep(source, &[], &request, progress);
    let (protocol, sweep, _) = swept.map_err(|error| match error {
        ExploreError::Text(messages) => first_error(&messages),
        ExploreError::Request(error) => error.to_string(),
    })?;
    let deciding = sweep.deciding().cloned().ok_or("there is nothing to explore")?;
    let deciding = deciding.shrunk(&protocol);
    let verdict = text::explore::sweep_verdict(&protocol, &sweep)
        .unwrap_or_else(|| text::explore::verdict(&protocol, &deciding));
    let grade = match &deciding.outcome {
        _ if sweep.is_safe() => Grade::Good,
        FiniteOutcome::Unsafe(..) => Grade::Bad,
        FiniteOutcome::Safe(_) | FiniteOutcome::Unknown(..) => Grade::Open,
    };
    let lines = match &deciding.outcome {
        FiniteOutcome::Unsafe(violation, _) => {
            let detail = text::trace::trace(&protocol, &deciding.claims, violation);
            let claim = match &violation.failure {
                ClaimFailure::Claim(claim, _) => Some(&*deciding.claims[*claim].name),
                ClaimFailure::Deadlock => None,
            };
            at_property(&protocol, claim, &verdict, &detail)
        }
        FiniteOutcome::Safe(_) | FiniteOutcome::Unknown(..) => {
            at_properties(&protocol, &verdict, grade)
        }
    };
    Ok(Findings { verdict, grade, lines, certificate: None })
}

fn prove(source: &SourceFile, stop: &Stop, progress: &dyn Progress) -> Result<Findings, String> {
    let (protocol, _) =
        pipeline::read_provable(source).map_err(|messages| first_error(&messages))?;
    let process = pipeline::read_process(source);
    let config = ProveConfig {
        stop: stop.within(TIME),
        prefer: Prefer::Cutoff,
        patience: 1,
        residual: 3,
        threads: budget::cores(),
        proved: &|| {},
        progress,
    };
    let synthesis = pipeline::synth((&protocol, process.as_ref()), Strategy::Search, &config);
    let outcome = synthesis.map_err(|error| error.to_string())?.outcome;
    let verdict = text::synth::verdict(&protocol, &outcome);
    if let Some(violated) = outcome.violation() {
        let detail = text::trace::trace(&protocol, &violated.claims, &violated.violation);
        let lines = at_property(&protocol, Some(&violated.claim), &verdict, &detail);
        return Ok(Findings { verdict, grade: Grade::Bad, lines, certificate: None });
    }
    let grade = grade(&outcome.verdict);
    let proof = outcome.judged.as_deref().filter(|_| grade == Grade::Good);
    let certificate = proof.map(|(certificate, _)| {
        let comment = text::synth::comment(&protocol, &outcome);
        print_certificate(&protocol, certificate, &comment)
    });
    let lines = at_properties(&protocol, &verdict, grade);
    Ok(Findings { verdict, grade, lines, certificate })
}

fn grade(verdict: &Verdict) -> Grade {
    match verdict {
        Verdict::Safe => Grade::Good,
        Verdict::SafeUpTo(_) | Verdict::Unproved(_) => Grade::Open,
        Verdict::Unsafe(_) => Grade::Bad,
    }
}

/// One finding for every safety property.
fn at_properties(protocol: &Protocol, verdict: &str, grade: Grade) -> Vec<Finding> {
    let safety = protocol.properties.iter().filter(|own| own.kind == PropertyKind::Safety);
    let finding =
        |span| Finding { at: span, grade, title: verdict.to_owned(), detail: String::new() };
    safety.map(|property| finding(property.span)).collect()
}

/// A finding for the property that fails.
fn at_property(
    protocol: &Protocol,
    claim: Option<&str>,
    verdict: &str,
    detail: &str,
) -> Vec<Finding> {
    let failing = claim.and_then(|claim| protocol.property(claim));
    let at = failing.map_or(Span::default(), |(_, property)| property.span);
    vec![Finding { at, grade: Grade::Bad, title: verdict.to_owned(), detail: detail.to_owned() }]
}

fn check(
    protocol: &SourceFile,
    source: &SourceFile,
    stop: &Stop,
    memory: &WatchMemory,
    progress: &dyn Progress,
) -> Result<Findings, String> {
    let (protocol, _) =
        pipeline::read_provable(protocol).map_err(|messages| first_error(&messages))?;
    let read = pipeline::read_certificate(&protocol, source, Origin::ThisText);
    let certificate = read.map_err(|messages| first_error(&messages))?.certificate;
    let request = JudgeRequest::new(Budget {
        time: OBLIGATION_TIME,
        threads: budget::cores(),
        max_memory: MEMORY,
        ..Budget::until(stop.clone())
    });
    let judgement = pipeline::check(&protocol, &certificate, &request, Some(memory), progress);
    memory.end_round();
    let judgement = judgement.map_err(|error| error.to_string())?;
    let verdict = text::check::headline(&protocol, &judgement);
    let mut lines = clauses(&certificate, &judgement);
    lines.extend(cutoffs(&protocol, &certificate, &judgement));
    Ok(Findings { verdict, grade: grade(&judgement.verdict), lines, certificate: None })
}

/// What is known of every clause, by its place in the text.
fn clauses(certificate: &Certificate, judgement: &Judgement) -> Vec<Finding> {
    let mut of_clause: BTreeMap<(Option<&str>, &str), Vec<&Judged>> = BTreeMap::new();
    for judged in judgement.obligations() {
        let clause = match &judged.obligation.kind {
            ObligationKind::StartGamma { clause }
            | ObligationKind::Keeps { clause, .. }
            | ObligationKind::Initiation { clause }
            | ObligationKind::Consecution { clause, .. } => clause,
            _ => continue,
        };
        let key = (judged.obligation.case.as_deref(), &**clause);
        of_clause.entry(key).or_default().push(judged);
    }
    let places = clause_places(certificate);
    let found = of_clause.into_iter().filter_map(|(key, judged)| {
        let at = places.iter().find(|(case, clause, _)| (*case, *clause) == key)?.2;
        let (grade, title) = clause_verdict(&judged);
        Some(Finding { at, grade, title, detail: String::new() })
    });
    found.collect()
}

/// The case, the name and the place of every clause.
fn clause_places(certificate: &Certificate) -> Vec<(Option<&str>, &str, Span)> {
    match &certificate.argument {
        ProofArgument::Invariant(invariant) => {
            let clauses = invariant.clauses.iter();
            clauses.map(|clause| (None, &*clause.name, clause.span)).collect()
        }
        ProofArgument::Cutoff(cases) => {
            let mut places = Vec::new();
            for case in cases {
                let name = Some(&*case.name);
                places.extend(case.gamma.iter().map(|own| (name, &*own.name, own.span)));
                if let Closing::Invariant(invariant) = &case.closing {
                    let clauses = invariant.clauses.iter();
                    places.extend(clauses.map(|own| (name, &*own.name, own.span)));
                }
            }
            places
        }
    }
}

/// Whether a clause holds initially and is kept by every action.
fn clause_verdict(judged: &[&Judged]) -> (Grade, String) {
    let of = |wanted: fn(&Discharge<_>) -> bool| {
        let found = judged.iter().filter(|own| wanted(&own.discharge));
        let mut names: Vec<String> = found.map(|own| moment(&own.obligation.kind)).collect();
        names.dedup();
        names
    };
    let refuted = of(|discharge| matches!(discharge, Discharge::Refuted(_)));
    let open = of(|discharge| matches!(discharge, Discharge::Unknown(_)));
    if !refuted.is_empty() {
        (Grade::Bad, format!("\u{2717} fails {}", refuted.join(", ")))
    } else if !open.is_empty() {
        (Grade::Open, format!("? not decided {}", open.join(", ")))
    } else {
        (Grade::Good, "\u{2713} holds initially and after every action".to_owned())
    }
}

fn moment(kind: &ObligationKind) -> String {
    match kind {
        ObligationKind::Keeps { action, .. } | ObligationKind::Consecution { action, .. } => {
            format!("after `{action}`")
        }
        _ => "initially".to_owned(),
    }
}

/// What is known of the cutoff instance of every case.
fn cutoffs(protocol: &Protocol, certificate: &Certificate, judgement: &Judgement) -> Vec<Finding> {
    let ProofArgument::Cutoff(cases) = &certificate.argument else { return Vec::new() };
    let found = cases.iter().zip(&judgement.cases).map(|(case, judged)| {
        let open = judged.obligations.iter().filter(|own| !own.is_valid()).count();
        let (finite, words) = match &judged.finite {
            FiniteResult::NotNeeded => (Grade::Good, "no cutoff instance is needed".to_owned()),
            FiniteResult::Searched(_, verdict) => {
                let words = text::check::verdict(protocol, verdict);
                (grade(verdict), format!("the cutoff instance is {words}"))
            }
            FiniteResult::Invariant(own) if own.iter().all(Judged::is_valid) => {
                (Grade::Good, "the cutoff instance is safe by its invariant".to_owned())
            }
            FiniteResult::Invariant(_) => {
                (Grade::Open, "the invariant does not close the cutoff instance".to_owned())
            }
            FiniteResult::Certificate(own) => {
                let words = text::check::verdict(protocol, &own.verdict);
                (grade(&own.verdict), format!("the cutoff instance is {words}, by a certificate"))
            }
            FiniteResult::NotAsked => (Grade::Open, "the cutoff instance is not closed".to_owned()),
        };
        let valid = judged.obligations.len() - open;
        let title = format!("{valid} of {} obligations valid; {words}", judged.obligations.len());
        let grade = if open > 0 && finite == Grade::Good { Grade::Open } else { finite };
        Finding { at: case.span, grade, title, detail: String::new() }
    });
    found.collect()
}
