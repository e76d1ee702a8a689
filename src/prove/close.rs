//! Invariants for what a search cannot exhaust: residual sorts, integers, or the whole protocol.

use std::time::{Duration, Instant};

use crate::certificate::{Argument, Case, Certificate, Closing, Invariant, InvariantSystem};
use crate::judge::tau_actions;
use crate::logic::Name;
use crate::protocol::{Protocol, StateFormula};
use crate::smt::Budget;
use crate::synthesis::invariant::{InvariantConfig, InvariantOutcome, find_invariant};
use crate::synthesis::mine::SampleConfig;

use super::ProveConfig;

/// What one question may cost while an invariant is looked for.
const QUESTION: Duration = Duration::from_secs(5);

/// The certificate with an invariant for every case that leaves something unbounded.
pub(super) fn close(
    certificate: Certificate,
    deadline: Instant,
    config: &ProveConfig<'_>,
) -> Certificate {
    let Certificate { large, argument } = certificate;
    let argument = match argument {
        Argument::Cutoff(cases) => {
            let closed = cases.into_iter().map(|case| close_case(case, deadline, config));
            Argument::Cutoff(closed.collect())
        }
        invariant @ Argument::Invariant(_) => invariant,
    };
    Certificate { large, argument }
}

/// An invariant of the protocol itself, as a certificate.
pub(super) fn direct(
    protocol: &Protocol,
    deadline: Instant,
    config: &ProveConfig<'_>,
) -> Option<Certificate> {
    let actions: Vec<usize> = (0..protocol.actions.len()).collect();
    let nobody: Name = "".into();
    let system =
        InvariantSystem { protocol, cut: &[], actions: &actions, further: &[], case: &nobody };
    let invariant = find(system, deadline, config)?;
    Some(Certificate { large: protocol.clone(), argument: Argument::Invariant(invariant) })
}

fn close_case(case: Case, deadline: Instant, config: &ProveConfig<'_>) -> Case {
    let is_cut = |sort| case.cut.iter().any(|cut| cut.sort == sort);
    let signature = &case.small.signature;
    if signature.sorts().all(is_cut) && !signature.uses_int() {
        return case;
    }
    let actions = tau_actions(&case);
    let only = case.only.iter().map(|only| (only.name.clone(), only.formula.clone()));
    let further: Vec<(Name, StateFormula)> = only.collect();
    let system = InvariantSystem {
        protocol: &case.small,
        cut: &case.cut,
        actions: &actions,
        further: &further,
        case: &case.name,
    };
    match find(system, deadline, config) {
        Some(invariant) => Case { closing: Closing::Invariant(invariant), ..case },
        None => case,
    }
}

fn find(
    system: InvariantSystem<'_>,
    deadline: Instant,
    config: &ProveConfig<'_>,
) -> Option<Invariant> {
    let time = deadline.saturating_duration_since(Instant::now());
    let question =
        Budget { timeout: QUESTION, resources: None, cancellation: config.cancellation.clone() };
    let samples = SampleConfig { states: 20_000, total: 60_000, time: time / 4 };
    let config = InvariantConfig { time, question, samples };
    match find_invariant(system, &[], &config) {
        Ok(InvariantOutcome::Found(invariant)) => Some(invariant),
        Ok(InvariantOutcome::Open { .. }) | Err(_) => None,
    }
}
