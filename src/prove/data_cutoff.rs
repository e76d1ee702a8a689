//! Cutoffs of data: the sorts of data are cut, and an invariant of the protocol closes the cases.

use std::time::Instant;

use crate::budget::{Budget, Meter};
use crate::certificate::{Case, Certificate, Closing, Invariant, ProofArgument, cutoff_system};
use crate::effort::{Phase, during};
use crate::judge::{JudgeError, Judgement, Verdict};
use crate::protocol::Protocol;
use crate::synthesis::{CutoffSystem, cut_data, has_data};

use super::job::{ProofOutcome, ProveConfig};
use super::proof_preference::{Patience, Prefer};
use super::strategy::{Learnt, StrategyRun};
use super::strategy_comparison::reached;

/// The outcome with a cutoff of data in place of an invariant, if cutoffs are preferred and there is
/// one for no more effort than a cutoff may cost.
pub(super) fn with_data_cut(
    protocol: &Protocol,
    config: &ProveConfig<'_>,
    outcome: ProofOutcome,
) -> Result<ProofOutcome, JudgeError> {
    let Some(invariant) = invariant_of(protocol, &outcome) else { return Ok(outcome) };
    // A cutoff that was given up is not what the user waits for.
    let given_up = outcome.comparison.as_ref().and_then(|compared| compared.not_waited_for());
    let is_wanted = config.prefer == Prefer::Cutoff && given_up.is_none();
    if !is_wanted || config.stop.is_set() || !has_data(protocol) {
        return Ok(outcome);
    }
    let spent = outcome.comparison.as_ref().map_or(0, |compared| compared.invariant.units);
    let allowed = Patience::of(config.patience).for_the_preferred(spent);
    let meter = Meter::default();
    meter.allow(allowed);
    let start = Instant::now();
    let Some(mut found) = search(protocol, config, &meter)? else { return Ok(outcome) };
    if !compose(&mut found, config, (&meter, allowed))? {
        return Ok(outcome);
    }
    let Some(judged) = judged(protocol, config, closed_by(found, Some(invariant)))? else {
        return Ok(outcome);
    };
    let mut comparison = outcome.comparison;
    if let Some(compared) = &mut comparison {
        compared.cutoff.result = reached(&judged.0, &judged.1);
        compared.cutoff.time += start.elapsed();
        compared.cutoff.units += meter.spent();
        compared.cutoff.stuck.clear();
    }
    let found = ProofOutcome::of_judgement(judged.0, judged.1);
    Ok(ProofOutcome { comparison, attempts: outcome.attempts, ..found })
}

/// A cutoff of data; where a cutoff instance has unboundedly many processes, closed by an invariant
/// that is found for a small effort.
///
/// # Errors
/// When the solver cannot be used, or two parts of the tool disagree.
pub(super) fn by_data(
    protocol: &Protocol,
    config: &ProveConfig<'_>,
) -> Result<Option<ProofOutcome>, JudgeError> {
    if config.prefer != Prefer::Cutoff || !has_data(protocol) {
        return Ok(None);
    }
    let meter = &Meter::default();
    let floor = Patience::of(config.patience).for_the_preferred(Patience::of(1).floor());
    meter.allow(floor);
    let Some(mut found) = search(protocol, config, meter)? else { return Ok(None) };
    let mut invariant = None;
    if cases(&found).iter().any(|case| !is_finite(case) && !case.relaxed) {
        let Some(proved) = proof_of(protocol, config, (meter, floor))? else { return Ok(None) };
        let outcome = ProofOutcome::of_judgement(proved.0, proved.1);
        invariant = invariant_of(protocol, &outcome).cloned();
        if invariant.is_none() {
            return Ok(None);
        }
    }
    if !compose(&mut found, config, (meter, floor))? {
        return Ok(None);
    }
    let judged = judged(protocol, config, closed_by(found, invariant.as_ref()))?;
    if judged.is_some() {
        (config.proved)();
    }
    Ok(judged.map(|(certificate, judgement)| ProofOutcome::of_judgement(certificate, judgement)))
}

/// Closes the unbounded cutoff instances that run relaxed protocols, each by a certificate of its
/// own: what the protocol keeps need not be kept there. Whether all are closed.
fn compose(
    certificate: &mut Certificate,
    config: &ProveConfig<'_>,
    effort: (&Meter, u64),
) -> Result<bool, JudgeError> {
    let ProofArgument::Cutoff(cases) = &mut certificate.argument else { return Ok(true) };
    for case in cases.iter_mut().filter(|case| case.relaxed && !is_finite(case)) {
        let Some(proved) = proof_of(&cutoff_system(case), config, effort)? else {
            return Ok(false);
        };
        case.closing = Closing::Certificate(Box::new(proved.0));
    }
    Ok(true)
}

/// An invariant of a protocol, as a certificate that proves it, for so much effort.
fn proof_of(
    protocol: &Protocol,
    config: &ProveConfig<'_>,
    (meter, effort): (&Meter, u64),
) -> Result<Option<(Certificate, Judgement)>, JudgeError> {
    meter.allow(meter.spent().saturating_add(effort));
    let learnt = &Learnt::default();
    let run = StrategyRun { protocol, config, stop: &config.stop, meter, learnt };
    let judged = run.execute(Prefer::Invariant)?.judged.map(|judged| *judged);
    Ok(judged.filter(|(_, judgement)| matches!(judgement.verdict, Verdict::Safe)))
}

/// Looks for a certificate that cuts data, for as much effort as the meter allows.
fn search(
    protocol: &Protocol,
    config: &ProveConfig<'_>,
    meter: &Meter,
) -> Result<Option<Certificate>, JudgeError> {
    let stop = config.stop.metered(meter);
    let budget = Budget { threads: config.threads, ..Budget::until(stop) };
    Ok(during(Phase::Cutoff, || cut_data(protocol, CutoffSystem::Relaxed, &budget))?)
}

/// The judgement on a certificate, if it proves every size.
fn judged(
    protocol: &Protocol,
    config: &ProveConfig<'_>,
    certificate: Certificate,
) -> Result<Option<(Certificate, Judgement)>, JudgeError> {
    let (meter, learnt) = (&Meter::default(), &Learnt::default());
    let run = StrategyRun { protocol, config, stop: &config.stop, meter, learnt };
    let judgement = run.judge(&certificate)?;
    let is_proof = matches!(judgement.verdict, Verdict::Safe);
    Ok(is_proof.then_some((certificate, judgement)))
}

/// The invariant that proves the protocol as it is, without history.
fn invariant_of<'o>(protocol: &Protocol, outcome: &'o ProofOutcome) -> Option<&'o Invariant> {
    let (certificate, judgement) = outcome.judged.as_deref()?;
    match &certificate.argument {
        ProofArgument::Invariant(invariant)
            if matches!(judgement.verdict, Verdict::Safe) && certificate.large == *protocol =>
        {
            Some(invariant)
        }
        ProofArgument::Invariant(_) | ProofArgument::Cutoff(_) => None,
    }
}

/// The certificate with its cases closed: by search, or by an invariant of the protocol. A cutoff
/// instance that runs the protocol itself has every invariant of it.
fn closed_by(certificate: Certificate, invariant: Option<&Invariant>) -> Certificate {
    let closing = |case: &Case| match (&case.closing, invariant) {
        (Closing::Search, Some(invariant)) if !is_finite(case) && !case.relaxed => {
            Closing::Invariant(invariant.clone())
        }
        (closing, _) => closing.clone(),
    };
    let closed =
        cases(&certificate).iter().map(|case| Case { closing: closing(case), ..case.clone() });
    Certificate { argument: ProofArgument::Cutoff(closed.collect()), ..certificate.clone() }
}

fn cases(certificate: &Certificate) -> &[Case] {
    match &certificate.argument {
        ProofArgument::Cutoff(cases) => cases,
        ProofArgument::Invariant(_) => &[],
    }
}

/// Whether nothing is left unbounded, so that a search closes the case.
fn is_finite(case: &Case) -> bool {
    case.residual().is_empty() && !case.small.signature.uses_int()
}
