//! What `rmlcut synth` found, as text: the verdict first, then the argument, then the certificate.

pub mod equal_processes;
pub mod strategy_comparison;

use std::time::Duration;

use super::analysis::literal;
use super::counts::{after, count, line};
use super::coverage::{Covered, under_verdict};
use super::{analysis, check, explore, trace};
use crate::analysis::analyse;
use crate::certificate::{Case, Certificate, ProofArgument};
use crate::effort::Effort;
use crate::finite::IntegerQuantifiers;
use crate::judge::{CaseJudgement, FiniteViolation, Gap, Judgement, Verdict};
use crate::process::Described;
use crate::protocol::{PropertyKind, Protocol};
use crate::prove::{EqualsReport, ProofOutcome};
use crate::report::text::trace::own_words;
use crate::synthesis::PlanAttempt;

/// How much of the search to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportDepth {
    /// The result only.
    Result,
    /// Also every attempt, and why it failed.
    Attempts,
}

/// What is known after a run of `rmlcut synth`.
pub struct Synthesized<'a> {
    /// The user's protocol.
    pub protocol: &'a Protocol,
    /// What it was written as, if not as relations and actions.
    pub described: Option<&'a Described>,
    /// The outcome.
    pub outcome: &'a ProofOutcome,
    /// What the methods for equal processes said.
    pub equals: &'a EqualsReport,
    /// The text of the certificate, or of the best attempt at one.
    pub certificate: Option<&'a str>,
    /// The file that it was written to.
    pub written: Option<&'a str>,
    /// The checker's report on the best attempt, if nothing better was found.
    pub attempt_report: Option<&'a str>,
    /// What the protocol was seen to do in small instances.
    pub coverage: Covered<'a>,
    /// What it took.
    pub cost: Cost,
}

/// What a run took.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Cost {
    /// From beginning to end.
    pub seconds: f64,
    /// In the solver, over all threads.
    pub seconds_in_solver: f64,
    /// In finite instances, over all threads.
    pub seconds_in_instances: f64,
}

impl Cost {
    /// The whole time, and what was spent in parts of the program meanwhile.
    pub fn new(total: Duration, effort: Effort) -> Self {
        Cost {
            seconds: total.as_secs_f64(),
            seconds_in_solver: effort.solver.as_secs_f64(),
            seconds_in_instances: effort.instances.as_secs_f64(),
        }
    }
}

/// The whole report.
pub fn text(synthesized: &Synthesized<'_>, depth: ReportDepth) -> String {
    let Synthesized { protocol, outcome, cost, .. } = synthesized;
    let mut out = format!("{}\n", verdict(protocol, outcome));
    if let Some(violated) = outcome.violation() {
        out.push('\n');
        let (claims, violation) = (&violated.claims, &violated.violation);
        out.push_str(&match synthesized.described {
            Some(own) => own_words::violation(own, protocol, claims, violation),
            None => trace::trace(protocol, claims, violation),
        });
        if outcome.false_lemma().is_some() {
            out.push('\n');
            line!(out, 0, "{}", explore::FALSE_LEMMA);
        }
        return out;
    }
    under_verdict(&mut out, protocol, synthesized.coverage);
    unsearched(&mut out, &IntegerQuantifiers::of(protocol));
    out.push_str(&equal_processes::text(synthesized.equals));
    match (outcome.judged.as_deref(), &outcome.comparison) {
        (Some((certificate, judgement)), comparison) => {
            argument(&mut out, protocol, certificate, judgement);
            if let Some(comparison) = comparison {
                out.push_str(&strategy_comparison::of_judged(protocol, comparison, judgement));
            }
        }
        (None, comparison) => {
            let tried = count(outcome.attempts.len(), "attempt");
            line!(out, 0, "tried        {tried}");
            for case in &outcome.cases {
                line!(out, 0, "the violations of {} were simulated", case.name);
            }
            if let Some(comparison) = comparison {
                out.push_str(&strategy_comparison::comparison(comparison));
                out.push_str(&strategy_comparison::stuck(protocol, comparison));
            }
        }
    }
    line!(out, 0, "time         {}", times(cost));
    if depth == ReportDepth::Attempts {
        list_attempts(&mut out, &outcome.attempts);
    }
    needs(&mut out, protocol, outcome);
    certificate_section(&mut out, synthesized);
    out
}

/// What no search for a violation can evaluate.
fn unsearched(out: &mut String, over_int: &IntegerQuantifiers) {
    const WHY: &str = "quantifies over int, and no range of integers stands for all of ℤ";
    if let Some(what) = over_int.elsewhere {
        line!(out, 0, "not searched for violations: {what} {WHY}");
    } else {
        for name in &over_int.properties {
            line!(out, 0, "not searched for violations of [{name}]: it {WHY}");
        }
    }
}

/// What a certificate that was found begins with.
pub fn comment(protocol: &Protocol, outcome: &ProofOutcome) -> String {
    format!(
        "Found by `rmlcut synth`: {}. `rmlcut check` proves it again, from this text alone.",
        verdict(protocol, outcome)
    )
}

/// The first line.
pub fn verdict(protocol: &Protocol, outcome: &ProofOutcome) -> String {
    if let Some((_, judgement)) = outcome.judged.as_deref() {
        return check::headline(protocol, judgement);
    }
    match (outcome.false_lemma(), outcome.violation()) {
        (Some(lemma), _) => format!("unproved: lemma {}", fails(protocol, lemma)),
        (None, Some(violation)) => format!("unsafe: {}", fails(protocol, violation)),
        (None, None) => "unproved: no certificate was found".to_owned(),
    }
}

fn fails(protocol: &Protocol, violated: &FiniteViolation) -> String {
    let (size, steps) = (explore::size(protocol, &violated.size), &violated.violation.trace.steps);
    format!("[{}] fails {} at {size}", violated.claim, after(steps.len()))
}

fn argument(
    out: &mut String,
    protocol: &Protocol,
    certificate: &Certificate,
    judgement: &Judgement,
) {
    match &certificate.argument {
        ProofArgument::Invariant(invariant) => {
            let clauses = count(invariant.clauses.len(), "clause");
            line!(out, 0, "inductive    an invariant of {clauses}, no cutoff used");
        }
        ProofArgument::Cutoff(cases) => {
            for (case, judged) in cases.iter().zip(&judgement.cases) {
                of_case(out, protocol, certificate, case, judged);
            }
        }
    }
    let lemmas = check::property_names(certificate, PropertyKind::Lemma);
    let lemmas = if lemmas.is_empty() { "none".to_owned() } else { lemmas.join(", ") };
    line!(out, 0, "lemmas       {lemmas}");
    line!(out, 0, "obligations  {}", obligations(judgement));
    if let Verdict::Unproved(gaps) = &judgement.verdict {
        for gap in gaps {
            line!(out, 0, "missing      {}", missing(gap));
        }
    }
}

/// The cutoff of a case, how the rest was closed, and the sizes of γ and τ.
fn of_case(
    out: &mut String,
    protocol: &Protocol,
    certificate: &Certificate,
    case: &Case,
    judged: &CaseJudgement,
) {
    let size = explore::size(protocol, &literal::cutoff(case));
    let property = &certificate.large.properties[case.property].name;
    if judged.finite.is_by_gamma() {
        line!(out, 0, "inductive    {} for {property}: no cutoff instance needed", case.name);
    } else {
        line!(out, 0, "cutoff       {size}: {} for {property}", case.name);
        let residual = residual(protocol, case);
        if !residual.is_empty() {
            line!(out, 0, "  residual   {}", residual.join(", "));
        }
        line!(out, 0, "  finite     {}", check::closing(protocol, &judged.finite));
    }
    let gamma = count(case.gamma.len(), "clause");
    let (answered, actions) = (literal::answered(case), case.lockstep.len());
    line!(out, 0, "  gamma      {gamma}");
    line!(out, 0, "  tau        answers {answered} of {actions} actions");
}

/// What a case leaves unbounded.
pub(crate) fn residual(protocol: &Protocol, case: &Case) -> Vec<String> {
    let signature = &protocol.signature;
    let residual = case.residual().into_iter();
    let mut names: Vec<String> =
        residual.map(|sort| signature.sort_name(sort).to_string()).collect();
    if signature.uses_int() {
        names.push("int".to_owned());
    }
    names
}

/// `12 of 12 valid: cover 1, start 4, …`
fn obligations(judgement: &Judgement) -> String {
    let all: Vec<_> = judgement.obligations().collect();
    let valid = all.iter().filter(|judged| judged.is_valid()).count();
    let mut kinds: Vec<(String, usize)> = Vec::new();
    for judged in &all {
        let kind = judged.obligation.kind.to_string();
        let kind = kind.split(' ').next().unwrap_or_default().to_owned();
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, number)) => *number += 1,
            None => kinds.push((kind, 1)),
        }
    }
    let kinds: Vec<String> =
        kinds.iter().map(|(kind, number)| format!("{kind} {number}")).collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(": {}", kinds.join(", ")) };
    let unchecked = all.iter().filter(|judged| judged.is_unchecked()).count();
    let unchecked =
        if unchecked > 0 { format!(", {unchecked} not checked") } else { String::new() };
    format!("{valid} of {} valid{unchecked}{kinds}", all.len())
}

fn missing(gap: &Gap) -> String {
    match gap {
        Gap::Malformed(problem) => problem.clone(),
        Gap::Obligation(title) => title.clone(),
        Gap::Finite { case, why } => format!("{case}: {why}"),
        Gap::NothingToProve => "there is no safety property".to_owned(),
        Gap::Vacuous => "no instance of the protocol has an initial state".to_owned(),
        Gap::NoStartSeen => "no instance with an initial state was found".to_owned(),
        Gap::FalseLemma(violated) => format!("lemma [{}] fails", violated.claim),
        Gap::NoCertificate => "no certificate was found".to_owned(),
    }
}

fn times(cost: &Cost) -> String {
    let Cost { seconds, seconds_in_solver: solver, seconds_in_instances: instances } = cost;
    format!("{seconds:.1} s; solver {solver:.1} s, instances {instances:.1} s, over all threads")
}

fn list_attempts(out: &mut String, attempts: &[PlanAttempt]) {
    out.push('\n');
    line!(out, 0, "what was tried: which elements C has, what it does, and what failed");
    line!(out, 0, "(where a clause is not kept, a violation of L need not be one of C)");
    for attempt in attempts {
        let result = attempt.failure.as_deref().unwrap_or("proved");
        line!(out, 0, "[{}] {}: {result}", attempt.property, attempt.plan);
    }
}

/// `S` and `A`, where the argument is about them.
fn needs(out: &mut String, protocol: &Protocol, outcome: &ProofOutcome) {
    let by_cutoff = match outcome.judged.as_deref() {
        Some((certificate, _)) => matches!(certificate.argument, ProofArgument::Cutoff(_)),
        None => outcome.violation().is_none(),
    };
    if by_cutoff {
        out.push('\n');
        out.push_str(&analysis::sets(protocol, &analyse(protocol)));
        for (name, meaning) in TERMS {
            line!(out, 1, "{name:<5} {meaning}");
        }
    }
}

/// The names of the paper, in a few words.
const TERMS: [(&str, &str); 4] = [
    ("S", "the parts of the state that the violation depends on; `*` is any element"),
    ("A", "the actions that can bring it about"),
    ("gamma", "what relates the states of the large system L and of the cutoff instance C"),
    ("tau", "what C does when L takes a step"),
];

/// How good a certificate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CertificateStanding {
    Proof,
    Bounded,
    Attempt,
}

fn standing(outcome: &ProofOutcome) -> CertificateStanding {
    match outcome.verdict {
        Verdict::Safe => CertificateStanding::Proof,
        Verdict::SafeUpTo(_) => CertificateStanding::Bounded,
        Verdict::Unsafe(_) | Verdict::Unproved(_) => CertificateStanding::Attempt,
    }
}

/// The certificate, or where it is; for an attempt also what is wrong with it and what to try.
fn certificate_section(out: &mut String, synthesized: &Synthesized<'_>) {
    let standing = standing(synthesized.outcome);
    let what = match standing {
        CertificateStanding::Proof | CertificateStanding::Bounded => "the certificate",
        CertificateStanding::Attempt => "the best attempt",
    };
    if let Some(attempt_report) = synthesized.attempt_report {
        out.push('\n');
        line!(out, 0, "`rmlcut check` on {what}:");
        for row in attempt_report.lines() {
            line!(out, usize::from(!row.is_empty()), "{row}");
        }
    }
    if standing != CertificateStanding::Proof {
        advice(out, synthesized, standing);
    }
    match (synthesized.certificate, synthesized.written) {
        (_, Some(file)) => {
            out.push('\n');
            line!(out, 0, "{what} is in {file}");
        }
        (Some(text), None) => {
            out.push('\n');
            out.push_str(text);
        }
        (None, None) => {}
    }
}

fn advice(out: &mut String, synthesized: &Synthesized<'_>, standing: CertificateStanding) {
    out.push('\n');
    line!(out, 0, "what to try");
    line!(out, 1, "more time: --timeout; every attempt: --explain");
    let searchable = IntegerQuantifiers::of(synthesized.protocol).is_empty();
    if let Some(larger) = larger_exploration(synthesized.protocol).filter(|_| searchable) {
        let explore = format!("`rmlcut explore PROTOCOL {larger}`");
        line!(out, 1, "a violation in larger instances: {explore}");
    }
    line!(out, 1, "a `lemma` in the protocol: what holds of every reachable state");
    if standing == CertificateStanding::Bounded {
        line!(out, 1, "larger bounds: --residual");
        let close = "`close by invariant { … }` in the case, which closes it at every size";
        line!(out, 1, "{close}");
    }
    if synthesized.certificate.is_some() {
        let (how, file) = match synthesized.written {
            Some(file) => (format!("edit {file}"), file),
            None => ("write it to a file with -o FILE.cut, edit it".to_owned(), "FILE.cut"),
        };
        let watch = format!("`rmlcut check PROTOCOL {file} --watch`");
        line!(out, 1, "by hand: {how}, and run {watch}");
    }
}

/// Options for an exploration of more than the search for violations has covered.
fn larger_exploration(protocol: &Protocol) -> Option<String> {
    let signature = &protocol.signature;
    let free = signature.sized_sorts().filter(|sort| protocol.fixed_size(*sort).is_none());
    let sizes = free.map(|sort| format!("{}=4", signature.sort_name(sort)));
    let sizes: Vec<String> = sizes.collect();
    let sizes = (!sizes.is_empty()).then(|| format!("--size {}", sizes.join(",")));
    let integers = signature.uses_int().then(|| "--int 0..20".to_owned());
    sizes.into_iter().chain(integers).reduce(|one, other| format!("{one} {other}"))
}
