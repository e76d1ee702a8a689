//! Which sorts are data, and how many values of each are enough: checked, and as printed.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::read_protocol;
use super::{Origin, StageError, StageOutput, StageResult, read_certificate, read_process};
use crate::analysis::regions::{PrintedCutoff, printed_cutoffs};
use crate::analysis::{DataSort, data_sorts};
use crate::budget::{Budget, Stop};
use crate::certificate::{Case, Certificate, ProofArgument};
use crate::finite::{Question, sample};
use crate::judge::{JudgeConfig, JudgeError, Judged, judge};
use crate::logic::Value;
use crate::process::{PointId, Process};
use crate::protocol::{Protocol, Size, SortId, State};
use crate::smt::z3::{ModelSize, Z3};
use crate::source::SourceFile;
use crate::synthesis::{CutoffSystem, cut_data};

/// How long a cutoff is looked for, and checked.
const TIME: Duration = Duration::from_secs(60);

/// The instances that show which locations are occupied together, and the most states of one.
const PROCESSES: u32 = 3;
const VALUES: u32 = 2;
const MOST_STATES: u64 = 100_000;

/// What is known of the sorts of a protocol as domains of data.
pub struct Domains {
    /// The protocol.
    pub protocol: Protocol,
    /// The process that it describes, if it describes equal ones.
    pub process: Option<Process>,
    /// What is done with the values of every sort.
    pub sorts: Vec<DataSort>,
    /// What Venus prints for the domains of the process; no proof.
    pub printed: Vec<PrintedCutoff>,
    /// For each sort that a certificate cuts, how many elements are enough: all obligations but
    /// *finite* are valid.
    pub checked: BTreeMap<SortId, usize>,
}

/// The domains of a protocol, with the cutoffs of a certificate or, without one, of a certificate
/// that cuts data only.
pub(super) fn domains(
    text: &SourceFile,
    certificate: Option<&SourceFile>,
) -> Result<StageOutput, StageError> {
    let read = read_protocol(text).map_err(|messages| StageError::Protocol(0, messages));
    let (protocol, warnings) = read?;
    let stop = Stop::never().within(TIME);
    let found = match certificate {
        Some(source) => {
            let read = read_certificate(&protocol, source, Origin::ThisText);
            Some(read.map_err(StageError::Certificate)?.certificate)
        }
        None => {
            let found = cut_data(&protocol, CutoffSystem::Itself, &Budget::until(stop.clone()));
            found.map_err(|error| StageError::Judge(error.into()))?
        }
    };
    let checked = match &found {
        Some(found) => checked(&protocol, found, &stop).map_err(StageError::Judge)?,
        None => BTreeMap::new(),
    };
    let process = read_process(text);
    let printed = process.as_ref().map_or_else(Vec::new, |process| {
        let together = together(&protocol, process, &stop);
        printed_cutoffs(process, &|one, other| !together.contains(&(one, other)))
    });
    let sorts = data_sorts(&protocol);
    let domains = Domains { protocol, process, sorts, printed, checked };
    Ok(StageOutput { result: StageResult::Domains(Box::new(domains)), warnings })
}

/// How many elements of each sort a certificate needs, where all cases cut it and every obligation
/// but *finite* is valid; *finite* as well where `C` may violate what the protocol does not.
fn checked(
    protocol: &Protocol,
    certificate: &Certificate,
    stop: &Stop,
) -> Result<BTreeMap<SortId, usize>, JudgeError> {
    let ProofArgument::Cutoff(cases) = &certificate.argument else { return Ok(BTreeMap::new()) };
    let config = JudgeConfig {
        prover: &Z3 { models: ModelSize::Any },
        budget: Budget::until(stop.clone()),
        wanted: &|_| true,
        finite: None,
    };
    let judgement = judge(protocol, certificate, &config)?;
    let whole = judgement.whole.iter();
    let mut all = whole.chain(judgement.cases.iter().flat_map(|case| &case.obligations));
    // What is true of a violation of the protocol itself need not be one of another system.
    let mut both = cases.iter().zip(&judgement.cases);
    let counts = both
        .all(|(case, judged)| judged.finite.is_closed() || (!case.relaxed && case.only.is_empty()));
    if !judgement.problems.is_empty() || !counts || !all.all(Judged::is_valid) {
        return Ok(BTreeMap::new());
    }
    let size = |case: &Case, sort| {
        case.cut.iter().find(|cut| cut.sort == sort).map(|cut| cut.elements.len())
    };
    let largest = |sort| {
        let sizes: Option<Vec<usize>> = cases.iter().map(|case| size(case, sort)).collect();
        Some((sort, sizes?.into_iter().max()?))
    };
    Ok(protocol.signature.sorts().filter_map(largest).collect())
}

/// The pairs of points at which two processes are at once, in small instances.
fn together(protocol: &Protocol, process: &Process, stop: &Stop) -> BTreeSet<(PointId, PointId)> {
    let signature = &protocol.signature;
    let size: Size = signature
        .sized_sorts()
        .map(|sort| {
            let own = if *signature.sort_name(sort) == process.sort { PROCESSES } else { VALUES };
            (sort, own)
        })
        .collect();
    let budget = Budget { max_states: MOST_STATES, ..Budget::until(stop.clone()) };
    let mut found = BTreeSet::new();
    let Ok(sampled) = sample(&Question::new(protocol, size), &budget) else {
        let points = (0..process.points.len()).map(PointId);
        return points.clone().flat_map(|one| points.clone().map(move |two| (one, two))).collect();
    };
    for state in sampled.reachable.instances.iter().flat_map(|instance| instance.states()) {
        if stop.is_set() {
            break;
        }
        let points = occupied(protocol, process, &state);
        for (process, one) in &points {
            let others = points.iter().filter(|(other, _)| other != process);
            found.extend(others.map(|(_, two)| (*one, *two)));
        }
    }
    found
}

/// Which process is where.
fn occupied(protocol: &Protocol, process: &Process, state: &State) -> Vec<(u32, PointId)> {
    let mut all = Vec::new();
    for (index, point) in process.points.iter().enumerate() {
        let Some(table) = protocol
            .signature
            .find_symbol(&point.relation)
            .and_then(|relation| state.tables.get(&relation))
        else {
            continue;
        };
        let there = (0..PROCESSES)
            .filter(|own| table.get(&[Value::Element(*own)]) == Some(Value::Bool(true)));
        all.extend(there.map(|own| (own, PointId(index))));
    }
    all
}
