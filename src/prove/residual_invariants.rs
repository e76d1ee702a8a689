//! Invariants for what a search cannot exhaust: residual sorts, integers, or the whole protocol.

use crate::budget::{Budget, Meter, Stop};
use crate::certificate::{Case, Certificate, Closing, Invariant, InvariantSystem, ProofArgument};
use crate::logic::Name;
use crate::protocol::{Protocol, SortId, StateFormula};
use crate::smt::ProverError;
use crate::synthesis::invariant::{
    Counterexample, InductionMoment, InvariantObstacle, InvariantOutcome, find_invariant,
};
use crate::synthesis::mine::{Mining, SampleSize};
use crate::synthesis::{WitnessHistory, remember, remember_for_properties};

use super::strategy_comparison::Stuck;

/// What one question may cost while an invariant is looked for, in the solver's units so that the
/// same is found on every machine.
const EFFORT: u32 = 10_000_000;

/// The states to learn from.
const SAMPLES: SampleSize = SampleSize { states: 1_000, total: 5_000 };

/// What the search with all history may cost before one with less history and clauses that say that
/// something exists, and what that may cost before the first one goes on; in the solver's units.
const BEFORE_LESS_HISTORY: u64 = 8_000_000;
const WITH_LESS_HISTORY: u64 = 150_000_000;

/// The certificate with an invariant for every case that leaves something unbounded, and the
/// searches that found none.
pub(super) fn close(
    certificate: Certificate,
    stop: &Stop,
) -> Result<(Certificate, Vec<Stuck>), ProverError> {
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
                closed.push(match close_case(&case, stop)? {
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
    Ok((Certificate { large, argument }, stuck))
}

/// An invariant of the protocol itself, as a certificate; some clauses may help.
///
/// # Errors
/// When the solver cannot be used or the protocol is ill-sorted; inside, why there is none.
pub(super) fn direct(
    protocol: &Protocol,
    candidates: &[StateFormula],
    stop: &Stop,
) -> Result<Result<Certificate, Stuck>, ProverError> {
    let with = |memory: &WitnessHistory, witnesses, stop: &Stop| {
        with_history(protocol, memory, (candidates, witnesses), stop)
    };
    let (all, less) = (remember(protocol), remember_for_properties(protocol));
    if all.large == less.large {
        return with(&all, false, stop);
    }
    let (first, is_limited) =
        limited(stop, (1, 4), BEFORE_LESS_HISTORY, |stop| with(&all, false, stop));
    let stuck = match first? {
        Ok(found) => return Ok(Ok(found)),
        Err(stuck) => stuck,
    };
    let (second, _) = limited(stop, (2, 3), WITH_LESS_HISTORY, |stop| with(&less, true, stop));
    match second? {
        Ok(found) => Ok(Ok(found)),
        Err(_) if is_limited => with(&all, false, stop),
        Err(_) => Ok(Err(stuck)),
    }
}

/// Works for no more than some parts of the time and so much effort, which still counts; also
/// whether that was too little.
fn limited<T>(
    stop: &Stop,
    (parts, whole): (u32, u32),
    most: u64,
    work: impl FnOnce(&Stop) -> T,
) -> (T, bool) {
    let meter = Meter::default();
    meter.allow(most);
    let own = stop.share(parts, whole).metered(&meter);
    let result = work(&own);
    stop.charge(meter.spent());
    (result, own.is_set() && !stop.is_set())
}

/// An invariant of the protocol with some history.
fn with_history(
    protocol: &Protocol,
    memory: &WitnessHistory,
    (candidates, witnesses): (&[StateFormula], bool),
    stop: &Stop,
) -> Result<Result<Certificate, Stuck>, ProverError> {
    let actions: Vec<usize> = (0..protocol.actions.len()).collect();
    let system = InvariantSystem::of_protocol(&memory.large, &actions);
    Ok(match find(system, candidates, witnesses, stop)? {
        Ok(invariant) => {
            let (large, invariant) = memory.as_needed(protocol, invariant);
            Ok(Certificate { large, argument: ProofArgument::Invariant(invariant) })
        }
        Err(stuck) => Err(without_history(memory, stuck)),
    })
}

/// Removes the added history, so that the user reads of the symbols of the protocol only.
fn without_history(memory: &WitnessHistory, stuck: Stuck) -> Stuck {
    let known = memory.without_history(stuck.known);
    let without = |counterexample: Box<Counterexample>| {
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
            InvariantObstacle::Counterexample(without(counterexample))
        }
        other => other,
    };
    Stuck { known, obstacle, step: stuck.step.map(without), ..stuck }
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
        && known.answering_actions() == case.answering_actions()
}

/// `None` if nothing is left unbounded.
fn close_case(case: &Case, stop: &Stop) -> Result<Option<Result<Invariant, Stuck>>, ProverError> {
    if case.residual().is_empty() && !case.small.signature.uses_int() {
        return Ok(None);
    }
    let actions = case.answering_actions();
    Ok(Some(find(InvariantSystem::of_cutoff(case, &actions), &[], false, stop)?))
}

fn find(
    system: InvariantSystem<'_>,
    candidates: &[StateFormula],
    witnesses: bool,
    stop: &Stop,
) -> Result<Result<Invariant, Stuck>, ProverError> {
    let budget = Budget { resources: Some(EFFORT), ..Budget::until(stop.clone()) };
    let case = system.case.cloned();
    let mining = Mining { samples: SAMPLES, witnesses };
    Ok(match find_invariant(system, candidates, mining, &budget)? {
        InvariantOutcome::Found(invariant) => Ok(invariant),
        InvariantOutcome::Open { known, obstacle, step } => {
            Err(Stuck { case, known, obstacle, step })
        }
    })
}
