//! The two ways to prove a protocol, side by side, and where a search for an invariant was left.

use std::time::Duration;

use crate::certificate::Invariant;
use crate::judge::{Judgement, Verdict};
use crate::logic::print_formula;
use crate::protocol::{Protocol, Rigidity, State};
use crate::prove::{Figures, Prefer, ProofComparison, StrategyEffort, StrategyResult, Stuck};
use crate::report::text::counts::{count, line};
use crate::report::text::trace;
use crate::report::text::trace::ShownValue;
use crate::synthesis::invariant::{Counterexample, InductionMoment, InvariantObstacle};

/// The result and the cost of each strategy, in two lines.
pub fn comparison(comparison: &ProofComparison) -> String {
    let mut out = String::new();
    for (name, effort) in [("cutoff", &comparison.cutoff), ("invariant", &comparison.invariant)] {
        let time = seconds(effort.time);
        line!(out, 0, "by {name:<10}{}, {time}", reached(effort));
    }
    if comparison.cutoff.is_proof() && comparison.invariant.is_proof() {
        let chosen = "both are proofs: --prefer cutoff|invariant says which one is written";
        line!(out, 0, "choice       {chosen}");
    }
    if let Some(kind) = comparison.not_waited_for() {
        let (name, more) = (kind_name(kind), how_to_get(comparison, kind));
        line!(out, 0, "not awaited  {name}: {more} waits for it");
    }
    out
}

/// A kind of proof, in words.
fn kind_name(kind: Prefer) -> &'static str {
    match kind {
        Prefer::Cutoff => "a cutoff",
        Prefer::Invariant => "an invariant",
    }
}

/// The options with which a kind is waited for that was given up.
pub fn how_to_get(comparison: &ProofComparison, kind: Prefer) -> String {
    let waited = if comparison.prefer == kind { comparison.patience } else { 1 };
    format!("--prefer {} --patience {}", kind.name(), waited.saturating_mul(MORE))
}

/// How many times as long to wait next.
const MORE: u32 = 10;

/// The comparison, and where searches were left unless the judge's answer is final.
pub fn of_judged(
    protocol: &Protocol,
    comparison: &ProofComparison,
    judgement: &Judgement,
) -> String {
    let mut out = self::comparison(comparison);
    match judgement.verdict {
        Verdict::Safe | Verdict::Unsafe(_) => {}
        Verdict::SafeUpTo(_) | Verdict::Unproved(_) => out.push_str(&stuck(protocol, comparison)),
    }
    out
}

/// The result of a strategy, in words.
pub fn reached(effort: &StrategyEffort) -> String {
    match &effort.result {
        StrategyResult::Proof(figures) => format!("proved with {}", self::figures(figures)),
        StrategyResult::Partial(figures) => {
            format!("incomplete ({})", self::figures(figures))
        }
        StrategyResult::Nothing => "nothing found".to_owned(),
        StrategyResult::Cancelled => "not waited for".to_owned(),
        StrategyResult::OutOfTime => "out of time".to_owned(),
    }
}

fn figures(figures: &Figures) -> String {
    let mut parts = Vec::new();
    if figures.gamma > 0 {
        parts.push(format!("{} of gamma", count(figures.gamma, "clause")));
    }
    if figures.clauses > 0 {
        parts.push(format!("{} of invariants", count(figures.clauses, "clause")));
    }
    parts.push(count(figures.obligations, "obligation"));
    parts.join(", ")
}

/// A time for people.
pub fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// Where searches for invariants were left: what is known, and what stands in the way.
pub fn stuck(protocol: &Protocol, comparison: &ProofComparison) -> String {
    let mut out = String::new();
    for kind in [Prefer::Cutoff, Prefer::Invariant] {
        for stuck in &comparison.of(kind).stuck {
            out.push('\n');
            obstacle(&mut out, protocol, stuck);
        }
    }
    out
}

fn obstacle(out: &mut String, protocol: &Protocol, stuck: &Stuck) {
    let whose = match &stuck.case {
        Some(case) => format!("the cutoff instance of {case}"),
        None => "the protocol".to_owned(),
    };
    line!(out, 0, "no invariant of {whose} was found: {}", why(stuck));
    out.push_str(&counterexample(protocol, stuck).unwrap_or_default());
    if !stuck.known.clauses.is_empty() {
        line!(out, 0, "known to be inductive:");
        out.push_str(&invariant(protocol, &stuck.known));
    }
}

/// An invariant as it is written in certificates.
pub fn invariant(protocol: &Protocol, invariant: &Invariant) -> String {
    let mut out = "invariant {\n".to_owned();
    for clause in &invariant.clauses {
        let formula = print_formula(&protocol.signature, &clause.formula);
        line!(out, 1, "[{}] {formula}", clause.name);
    }
    line!(out, 0, "}}");
    out
}

/// Why there is no invariant, in one line.
pub fn why(stuck: &Stuck) -> String {
    match (&stuck.obstacle, in_the_way(stuck)) {
        (InvariantObstacle::Counterexample(_), Some(step)) => {
            format!("a step breaks [{}] and no clause excludes it", step.clause)
        }
        (InvariantObstacle::Undecided(reason), _) => reason.to_string(),
        (InvariantObstacle::Timeout, _) => "the time limit was reached".to_owned(),
        (InvariantObstacle::Cancelled, _) | (InvariantObstacle::Counterexample(_), None) => {
            "it was stopped".to_owned()
        }
    }
}

/// The step that stands in the way, if it is one: the state before, the action, what it changes.
pub fn counterexample(protocol: &Protocol, stuck: &Stuck) -> Option<String> {
    let mut out = String::new();
    shown(&mut out, protocol, in_the_way(stuck)?);
    Some(out)
}

/// A step that breaks a property is more informative than one that breaks a guess.
fn in_the_way(stuck: &Stuck) -> Option<&Counterexample> {
    match (&stuck.step, &stuck.obstacle) {
        (Some(step), _) => Some(step),
        (None, InvariantObstacle::Counterexample(found)) => Some(found),
        (None, _) => None,
    }
}

fn shown(out: &mut String, protocol: &Protocol, counterexample: &Counterexample) {
    let (InductionMoment::Initially(state) | InductionMoment::After { before: state, .. }) =
        &counterexample.moment;
    let protocol = &protocol.with_names_of(state);
    match &counterexample.moment {
        InductionMoment::Initially(state) => {
            line!(out, 1, "initially: {}", holds(protocol, state));
        }
        InductionMoment::After { before, invocation, after } => {
            line!(out, 1, "state: {}", holds(protocol, before));
            line!(out, 1, "step: {}", trace::invocation(protocol, invocation));
            let after = after.as_ref();
            for change in after.into_iter().flat_map(|after| changed_facts(protocol, before, after))
            {
                line!(out, 2, "{change}");
            }
        }
    }
    line!(out, 1, "breaks: [{}]", counterexample.clause);
}

fn changed_facts(protocol: &Protocol, before: &State, after: &State) -> Vec<String> {
    let changes = trace::changes(protocol, before, after).into_iter();
    let changes = changes.map(|change| match change.to {
        ShownValue::Truth(true) => format!("+ {}", change.location),
        ShownValue::Truth(false) => format!("- {}", change.location),
        ShownValue::Element(element) => format!("+ {} = {element}", change.location),
    });
    changes.collect()
}

fn holds(protocol: &Protocol, state: &State) -> String {
    let atoms = [Rigidity::Rigid, Rigidity::Mutable]
        .into_iter()
        .flat_map(|rigidity| trace::atoms(protocol, state, rigidity));
    let atoms: Vec<String> = atoms.collect();
    if atoms.is_empty() { "no facts".to_owned() } else { atoms.join(", ") }
}
