//! Systems of equal processes: counters first, then views, then the general search.
//!
//! Both methods only propose: what they find is judged like every certificate, and a violation is
//! searched for at the size they name.

use crate::budget::{Budget, Meter, Stop};
use crate::certificate::{Certificate, Invariant, InvariantSystem, ProofArgument};
use crate::effort::{Phase, during};
use crate::judge::{JudgeError, Verdict};
use crate::process::Process;
use crate::protocol::{PropertyKind, Protocol, StateFormula};
use crate::synthesis::counters::{CounterAnswer, Uncovered, count, cutoff_by_instances, structure};
use crate::synthesis::invariant::invariant_of;
use crate::synthesis::views::{NoViews, prove_by_views};

use super::job::{ProofOutcome, ProveConfig};
use super::strategy::{Learnt, StrategyRun};
use super::{data_cutoff, prove, violation_search};

/// The parts of the time, of twelve, for counters and for views.
const COUNTERS: u32 = 3;
const VIEWS: u32 = 6;

/// What one question may cost, in the solver's units.
const EFFORT: u32 = 10_000_000;

/// What the methods for equal processes said.
#[derive(Clone, Debug, Default)]
pub struct EqualsReport {
    /// The counters, if they were tried.
    pub counters: Option<CountersSaid>,
    /// The views, if they were tried.
    pub views: Option<ViewsSaid>,
    /// At how many processes everything that the properties speak of has been seen.
    pub cutoff: ProvedCutoff,
}

impl EqualsReport {
    /// The cutoff, if it is proved.
    pub fn proved_cutoff(&self) -> Option<usize> {
        match self.cutoff {
            ProvedCutoff::At(processes) => Some(processes),
            ProvedCutoff::NotAsked | ProvedCutoff::Open => None,
        }
    }
}

/// The least number of processes at which everything that the properties speak of has been seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProvedCutoff {
    /// Nothing is proved, or not of equal processes.
    #[default]
    NotAsked,
    /// None is proved.
    Open,
    /// This one.
    At(usize),
}

/// What the counters said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountersSaid {
    /// They prove every size.
    Proved {
        /// How many local states a process has.
        local_states: usize,
        /// How many clauses the invariant has.
        clauses: usize,
    },
    /// So many processes violate a property, as a run confirms.
    Violated(usize),
    /// So many processes would violate a property if crashes and links did not matter.
    Unconfirmed(usize),
    /// They say that every size is safe, and the solver does not confirm it.
    NotInductive,
    /// They do not apply.
    NotApplicable(Uncovered),
}

/// What the views said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewsSaid {
    /// They prove every size.
    Proved {
        /// How many pairs occur.
        pairs: usize,
        /// The size of the largest instance that was looked at to the end.
        size: u32,
        /// How many states were allowed that no instance showed.
        widened: usize,
        /// How many clauses the invariant has.
        clauses: usize,
    },
    /// They give no invariant.
    Nothing(NoViews),
    /// They give one, and the judge does not confirm it.
    NotConfirmed,
}

/// Proves a protocol of equal processes; the process, if it is known, helps.
///
/// # Errors
/// When the solver cannot be used, or two parts of the tool disagree.
pub fn prove_equals(
    protocol: &Protocol,
    process: Option<&Process>,
    config: &ProveConfig<'_>,
) -> Result<(ProofOutcome, EqualsReport), JudgeError> {
    let (outcome, mut report) = search(protocol, process, config)?;
    if let Some(process) = process
        && matches!(outcome.verdict, Verdict::Safe)
        && report.cutoff == ProvedCutoff::NotAsked
    {
        report.cutoff = cutoff_of(protocol, process, &outcome, config)?;
    }
    Ok((outcome, report))
}

/// The cutoff that small instances show and the solver confirms, beside the invariant that was
/// found.
fn cutoff_of(
    protocol: &Protocol,
    process: &Process,
    outcome: &ProofOutcome,
    config: &ProveConfig<'_>,
) -> Result<ProvedCutoff, JudgeError> {
    let argument = outcome.judged.as_deref().map(|(certificate, _)| &certificate.argument);
    let Some(ProofArgument::Invariant(invariant)) = argument else {
        // The certificate states its own cutoff.
        return Ok(ProvedCutoff::NotAsked);
    };
    let clauses: Vec<StateFormula> =
        invariant.clauses.iter().map(|clause| clause.formula.clone()).collect();
    let budget = budget(&config.stop.share(1, 2));
    let found =
        during(Phase::Invariant, || cutoff_by_instances(protocol, process, &clauses, &budget))?;
    let processes = found.and_then(|processes| usize::try_from(processes).ok());
    Ok(processes.map_or(ProvedCutoff::Open, ProvedCutoff::At))
}

fn search(
    protocol: &Protocol,
    process: Option<&Process>,
    config: &ProveConfig<'_>,
) -> Result<(ProofOutcome, EqualsReport), JudgeError> {
    let mut report = EqualsReport::default();
    if let Some(process) = process {
        let (first, stop) = (&violation_search::FIRST, &config.stop);
        let kind = PropertyKind::Safety;
        if let Some(violation) =
            violation_search::search_violation(protocol, kind, first, stop, config.progress)
        {
            return Ok((ProofOutcome::of_violation(violation), report));
        }
        if let Some(outcome) = by_counters(protocol, process, config, &mut report)? {
            return Ok((outcome, report));
        }
        if let Some(outcome) =
            by_views(protocol, &structure(protocol, process), config, &mut report)?
        {
            return Ok((outcome, report));
        }
        if let Some(outcome) = data_cutoff::by_data(protocol, config)? {
            return Ok((outcome, report));
        }
        return Ok((prove(protocol, config)?, report));
    }
    let outcome = prove(protocol, config)?;
    if outcome.is_open()
        && !config.stop.is_set()
        && let Some(outcome) = by_views(protocol, &[], config, &mut report)?
    {
        return Ok((outcome, report));
    }
    Ok((outcome, report))
}

fn by_counters(
    protocol: &Protocol,
    process: &Process,
    config: &ProveConfig<'_>,
    report: &mut EqualsReport,
) -> Result<Option<ProofOutcome>, JudgeError> {
    let stop = config.stop.share(COUNTERS, 12);
    let (said, outcome) = match during(Phase::Invariant, || count(protocol, process, &stop)) {
        CounterAnswer::NotApplicable(why) => (CountersSaid::NotApplicable(why), None),
        CounterAnswer::Unsafe(processes) => {
            let most = u32::try_from(processes).unwrap_or(u32::MAX);
            match violation_search::search_up_to(protocol, most, &config.stop, config.progress) {
                Some(violation) => {
                    (CountersSaid::Violated(processes), Some(ProofOutcome::of_violation(violation)))
                }
                None => (CountersSaid::Unconfirmed(processes), None),
            }
        }
        CounterAnswer::Safe(proof) => {
            let actions: Vec<usize> = (0..protocol.actions.len()).collect();
            let system = InvariantSystem::of_protocol(protocol, &actions);
            let budget = budget(&stop);
            let invariant =
                during(Phase::Invariant, || invariant_of(system, &proof.clauses, &budget))?;
            // The combinations that no size reaches are excluded by the clauses together; the
            // certificate has those that the properties need.
            let all_hold = invariant.as_ref().is_some_and(|found| found.all_hold);
            let invariant = invariant.map(|found| found.invariant);
            let clauses = invariant.as_ref().map_or(0, |found| found.clauses.len());
            match invariant.map(|found| judged(protocol, found, config)).transpose()?.flatten() {
                None => (CountersSaid::NotInductive, None),
                outcome => {
                    let local_states = proof.local_states;
                    if let Some(processes) = proof.cutoff.filter(|_| all_hold) {
                        report.cutoff = ProvedCutoff::At(processes);
                    }
                    (CountersSaid::Proved { local_states, clauses }, outcome)
                }
            }
        }
    };
    report.counters = Some(said);
    Ok(outcome)
}

fn by_views(
    protocol: &Protocol,
    known: &[StateFormula],
    config: &ProveConfig<'_>,
    report: &mut EqualsReport,
) -> Result<Option<ProofOutcome>, JudgeError> {
    let budget = budget(&config.stop.share(VIEWS, 12));
    let (said, outcome) =
        match during(Phase::Invariant, || prove_by_views(protocol, known, &budget))? {
            Err(why) => (ViewsSaid::Nothing(why), None),
            Ok(found) => {
                let clauses = found.invariant.clauses.len();
                match judged(protocol, found.invariant, config)? {
                    None => (ViewsSaid::NotConfirmed, None),
                    outcome => {
                        let (pairs, size, widened) = (found.pairs, found.size, found.widened);
                        (ViewsSaid::Proved { pairs, size, widened, clauses }, outcome)
                    }
                }
            }
        };
    report.views = Some(said);
    Ok(outcome)
}

fn budget(stop: &Stop) -> Budget {
    Budget { resources: Some(EFFORT), ..Budget::until(stop.clone()) }
}

/// The judgement on an invariant, if it proves every size.
fn judged(
    protocol: &Protocol,
    invariant: Invariant,
    config: &ProveConfig<'_>,
) -> Result<Option<ProofOutcome>, JudgeError> {
    let argument = ProofArgument::Invariant(invariant);
    let certificate = Certificate { large: protocol.clone(), argument };
    let (meter, learnt) = (&Meter::default(), &Learnt::default());
    let run = StrategyRun { protocol, config, stop: &config.stop, meter, learnt };
    let judgement = run.judge(&certificate)?;
    if !matches!(judgement.verdict, Verdict::Safe) {
        return Ok(None);
    }
    (config.proved)();
    Ok(Some(ProofOutcome::of_judgement(certificate, judgement)))
}
