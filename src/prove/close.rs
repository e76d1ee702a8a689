//! Invariants for what a search cannot exhaust: residual sorts, integers, or the whole protocol.

use crate::budget::{Budget, Stop};
use crate::certificate::{Case, Certificate, Closing, Invariant, InvariantSystem, ProofArgument};
use crate::judge::tau_actions;
use crate::logic::Name;
use crate::protocol::{Protocol, SortId, StateFormula};
use crate::synthesis::invariant::{
    Counterexample, InductionMoment, InvariantConfig, InvariantObstacle, InvariantOutcome,
    find_invariant,
};
use crate::synthesis::mine::SampleConfig;
use crate::synthesis::{WitnessHistory, remember};

use super::compare::Stuck;

/// What one question may cost while an invariant is looked for: the effort is the same on every
/// machine.
const EFFORT: u32 = 10_000_000;

/// The states to learn from: of one instance, and of all.
const STATES: u64 = 1_000;
const ALL_STATES: usize = 5_000;

/// The certificate with an invariant for every case that leaves something unbounded, and where
/// none was found.
pub(super) fn close(certificate: Certificate, stop: &Stop) -> (Certificate, Vec<Stuck>) {
    let Certificate { large, argument } = certificate;
    let mut stuck = Vec::new();
    let argument = match argument {
        ProofArgument::Cutoff(cases) => {
            let mut closed: Vec<Case> = Vec::new();
            for case in cases {
                if let Some(known) = closed.iter().find(|known| is_same_system(known, &case)) {
                    let closing = known.closing.clone();
                    closed.push(Case { closing, ..case });
                    continue;
                }
                closed.push(match close_case(&case, stop) {
                    None => case,
                    Some(Ok(invariant)) => Case { closing: Closing::Invariant(invariant), ..case },
                    Some(Err(left)) => {
                        stuck.push(left);
                        case
                    }
                });
            }
            ProofArgument::Cutoff(closed)
        }
        invariant @ ProofArgument::Invariant(_) => invariant,
    };
    (Certificate { large, argument }, stuck)
}

/// An invariant of the protocol itself, as a certificate; some clauses are worth trying.
pub(super) fn direct(
    protocol: &Protocol,
    candidates: &[(Name, StateFormula)],
    stop: &Stop,
) -> Result<Certificate, Stuck> {
    let memory = remember(protocol);
    let actions: Vec<usize> = (0..protocol.actions.len()).collect();
    match find(InvariantSystem::of_protocol(&memory.large, &actions), candidates, stop) {
        Ok(invariant) => {
            let (large, invariant) = memory.as_needed(protocol, invariant);
            Ok(Certificate { large, argument: ProofArgument::Invariant(invariant) })
        }
        Err(stuck) => Err(without_history(&memory, stuck)),
    }
}

/// What is left to do, in the words of the user's protocol.
fn without_history(memory: &WitnessHistory, stuck: Stuck) -> Stuck {
    let known = memory.without_history(stuck.known);
    let told = |counterexample: Box<Counterexample>| {
        let state = |state| memory.state_without_history(state);
        let moment = match counterexample.moment {
            InductionMoment::Initially(first) => InductionMoment::Initially(state(first)),
            InductionMoment::After { before, invocation, after } => InductionMoment::After {
                before: state(before),
                invocation,
                after: after.map(state),
            },
        };
        Box::new(Counterexample { clause: counterexample.clause, moment })
    };
    let obstacle = match stuck.obstacle {
        InvariantObstacle::Counterexample(counterexample) => {
            InvariantObstacle::Counterexample(told(counterexample))
        }
        other => other,
    };
    Stuck { known, obstacle, step: stuck.step.map(told), ..stuck }
}

/// Whether an invariant of one case's `C` closes another one as well.
fn is_same_system(known: &Case, case: &Case) -> bool {
    let cut = |case: &Case| -> Vec<(SortId, Vec<Name>)> {
        case.cut.iter().map(|cut| (cut.sort, cut.elements.clone())).collect()
    };
    matches!(known.closing, Closing::Invariant(_))
        && known.only.is_empty()
        && case.only.is_empty()
        && known.small == case.small
        && cut(known) == cut(case)
        && tau_actions(known) == tau_actions(case)
}

/// `None` if nothing is left unbounded.
fn close_case(case: &Case, stop: &Stop) -> Option<Result<Invariant, Stuck>> {
    if case.residual().is_empty() && !case.small.signature.uses_int() {
        return None;
    }
    let actions = tau_actions(case);
    Some(find(InvariantSystem::of_cutoff(case, &actions), &[], stop))
}

fn find(
    system: InvariantSystem<'_>,
    candidates: &[(Name, StateFormula)],
    stop: &Stop,
) -> Result<Invariant, Stuck> {
    let budget = Budget { resources: Some(EFFORT), ..Budget::until(stop.clone()) };
    let samples = SampleConfig { states: STATES, total: ALL_STATES, stop: stop.share(1, 4) };
    let config = InvariantConfig { budget, samples };
    let case = system.case.cloned();
    match find_invariant(system, candidates, &config) {
        Ok(InvariantOutcome::Found(invariant)) => Ok(invariant),
        Ok(InvariantOutcome::Open { known, obstacle, step }) => {
            Err(Stuck { case, known, obstacle, step })
        }
        Err(error) => Err(Stuck {
            case,
            known: Invariant { clauses: Vec::new() },
            obstacle: InvariantObstacle::NotAsked(error),
            step: None,
        }),
    }
}
