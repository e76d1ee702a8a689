//! The smallest edits that make an unsafe protocol safe.
//!
//! The protocol becomes a sketch in which every edit is a hole whose first alternative changes
//! nothing: a further guard, a further update at the end of an action, a statement left out. Whatever
//! the protocol could do before, violation or not, it must still be able to do.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::beyond::{abilities_at, smallest_violated};
use super::diff::diff;
use super::edits::{edited, leaving_out, with_edits};
use super::finalists::{Beyond, CompletedProtocol, Finalists, protocol_of, read};
use super::kept;
use super::progress::{abilities_of, ability_places, apart};
use super::search::Search;
use super::sketch::Sketch;
use super::{
    CompleteEnding, CompleteError, CompleteRequest, CompleteTimes, Completion, Iterations, codes,
};
use super::{completions, template, with_flags};
use crate::budget::{Budget, Stop};
use crate::diagnostic::Diagnostic;
use crate::finite::{
    CandidateOrder, Claim, ClaimFailure, ENGINES, FiniteOutcome, Question, SMALL_INTEGERS, Silent,
    SmallSizes, Wanted, check,
};
use crate::frontend::{Parsed, format};
use crate::judge::{FiniteViolation, Verdict};
use crate::protocol::{PropertyKind, Protocol, Size, SortId, SymbolId};
use crate::prove::prove;
use crate::source::SourceFile;

/// The part of the time in which a violation of the protocol is looked for.
const DIAGNOSIS_SHARE: u32 = 4;

/// The sizes at which a violation is looked for first, and the most states of one of them.
const DIAGNOSIS_SIZES: std::ops::RangeInclusive<u32> = 1..=4;
const DIAGNOSIS_MORE: std::ops::RangeInclusive<u32> = 5..=6;
const DIAGNOSIS_STATES: u64 = 100_000;

/// The most states of one of them that are visited at first.
const QUICK_STATES: u64 = 10_000;

/// The sizes of all sorts at which a repair is looked at before it is proved.
const LOOKED_AT: std::ops::RangeInclusive<u32> = 2..=3;

/// A size at which the protocol has no more states is searched from the start.
const FEW_STATES: u64 = 300;

/// A violation that is visible only after many states: so many times as many are visited for a
/// candidate.
const SEARCHED_BEYOND: u64 = 4;

/// How many repairs more than are wanted are compared before one is proved.
const PROVED_TOGETHER: usize = 3;

/// The part of the time in which repairs are searched for; the rest is for proofs.
const SEARCH_SHARE: (u32, u32) = (2, 3);

/// A repaired protocol.
pub struct Repair {
    /// The completion.
    pub completion: Completion,
    /// The lines that differ from the canonical form of the original.
    pub diff: Vec<String>,
    /// How many states it reaches with two and three elements of every sort, and how many the original reached; `None` if
    /// they were not counted to the end.
    pub states: Option<(u64, u64)>,
}

/// The result of repairing a protocol.
pub struct RepairAnswer {
    /// The protocol as it was.
    pub protocol: Protocol,
    /// A run that violates it, if one is known.
    pub violation: Option<Box<FiniteViolation>>,
    /// The repairs, proved ones first.
    pub repairs: Vec<Repair>,
    /// How it ended.
    pub ending: RepairEnding,
    /// What was tried.
    pub iterations: Iterations,
    /// Where the time went.
    pub times: CompleteTimes,
}

/// How a repair ended.
pub enum RepairEnding {
    /// The protocol is safe: there is nothing to repair.
    AlreadySafe,
    /// It is not known to be unsafe.
    NotKnownUnsafe,
    /// The search for repairs ended this way.
    Searched(CompleteEnding),
}

/// Repairs an unsafe protocol.
///
/// # Errors
/// When the text is wrong, or a proof cannot be judged.
pub fn repair(
    source: &SourceFile,
    parsed: &Parsed,
    request: &CompleteRequest,
) -> Result<RepairAnswer, CompleteError> {
    let start = Instant::now();
    let holes = template(&parsed.module).map_err(CompleteError::Text)?.holes;
    if let Some(hole) = holes.first() {
        let message = "a sketch cannot be repaired";
        let refusal = Diagnostic::error(codes::HOLES, message, hole.span)
            .hint("`rmlcut complete` fills its holes");
        return Err(CompleteError::Text(vec![refusal]));
    }
    let canonical = format(parsed, source);
    let protocol = read(source, &canonical).map_err(CompleteError::Text)?;
    let unrepaired = |violation, ending| RepairAnswer {
        protocol: protocol.clone(),
        violation,
        repairs: Vec::new(),
        ending,
        iterations: Iterations::default(),
        times: CompleteTimes { total: start.elapsed(), ..CompleteTimes::default() },
    };
    let violation = match diagnosis(&protocol, request)? {
        Diagnosis::Safe => return Ok(unrepaired(None, RepairEnding::AlreadySafe)),
        Diagnosis::Unknown => return Ok(unrepaired(None, RepairEnding::NotKnownUnsafe)),
        Diagnosis::Unsafe(violation) => violation,
    };
    // Small instances first: what is wrong at larger ones only adds them.
    let smallest = smallest_violated(&protocol, &violation.size, &request.stop);
    let budget = Budget::until(request.stop.clone());
    let found = violation_at(&protocol, smallest, &budget).unwrap_or((*violation, 0));
    repaired((source, parsed), (&protocol, &canonical), found, (request, start))
}

/// Searches for repairs of a protocol with this violation.
fn repaired(
    (source, parsed): (&SourceFile, &Parsed),
    (protocol, canonical): (&Protocol, &str),
    (violation, visited): (FiniteViolation, u64),
    (request, start): (&CompleteRequest, Instant),
) -> Result<RepairAnswer, CompleteError> {
    let sketch = with_edits(&parsed.module);
    let flagged = with_flags(source, &sketch)?;
    let budget = Budget::until(request.stop.clone());
    let mut every = abilities_of(protocol, &[]);
    every.extend(apart(protocol));
    let beyond = beyond(protocol, &every, &request.stop);
    let mut sizes = vec![violation.size.clone()];
    let small = beyond.iter().filter(|own| own.states.is_some_and(|states| states <= FEW_STATES));
    sizes.extend(small.take(1).map(|own| own.size.clone()));
    let stop = request.stop.share(SEARCH_SHARE.0, SEARCH_SHARE.1);
    let order = CandidateOrder { most_changes: Some(request.most_edits), seed: request.seed };
    let searching = Budget { stop, ..budget.clone() };
    let mut search = Search::new((&sketch, &flagged), &sizes, order, &searching);
    search.learning = request.learning;
    search.visit_at_least(visited * SEARCHED_BEYOND);
    let unchanged = vec![false; sketch.flags()];
    let able = search.abilities(&unchanged, &every);
    search.keep(able, true);
    search.excused = excused(
        &sketch,
        &protocol_of(source, parsed).map_err(CompleteError::Text)?,
        request.most_edits,
    );
    let keep = (&request.keep[..], order);
    kept::keep_traces(&mut search, &sketch, protocol, keep, &budget)?;
    search.foresee(&unchanged);
    let before = beyond.iter().filter_map(|own| own.states).sum::<u64>();
    let completing = CompletedProtocol { source, parsed, sketch: &sketch, completed: edited };
    let mut finalists = Finalists::new((source, &completing), beyond, (PROVED_TOGETHER, start));
    let ending = completions(&mut search, &mut finalists, request)?;
    let (iterations, times) = (search.iterations, finalists.times());
    let found = finalists.ranked(request.answers, &mut search);
    let repairs = found.into_iter().map(|completion| Repair {
        diff: diff(canonical, &completion.text),
        states: completion.states.filter(|_| before > 0).map(|now| (now, before)),
        completion,
    });
    let repairs = repairs.collect();
    let ending = RepairEnding::Searched(ending);
    let violation = Some(Box::new(violation));
    Ok(RepairAnswer { protocol: protocol.clone(), violation, repairs, ending, iterations, times })
}

/// The sizes at which repairs are looked at before they are proved, with what the original does there.
fn beyond(protocol: &Protocol, every: &[Wanted], stop: &Stop) -> Vec<Beyond> {
    let small = SmallSizes::new(protocol);
    let mut sizes: Vec<Size> = LOOKED_AT.map(|count| small.alike(count)).collect();
    sizes.dedup();
    let looked_at =
        sizes.into_iter().map(|size| match abilities_at(protocol, &size, every, stop) {
            Some((wanted, states)) => Beyond { size, wanted, states: Some(states) },
            None => Beyond { size, wanted: Vec::new(), states: None },
        });
    looked_at.collect()
}

/// What need not stay possible if the statement that does it is left out: changes of symbols that no
/// property is about, by actions that change more than can be left out.
fn excused(sketch: &Sketch, protocol: &Protocol, most_edits: u32) -> BTreeMap<Wanted, Vec<usize>> {
    let properties = protocol.properties.iter().map(|own| own.formula().symbols());
    let symbols: BTreeSet<SymbolId> = properties.flatten().collect();
    let places = ability_places(protocol, &[]);
    let changes = |action| places.keys().filter(|own| own.action() == Some(action)).count();
    let mut excused = BTreeMap::new();
    for (wanted, places) in &places {
        let Wanted::Effect(action, effect) = wanted else { continue };
        if symbols.contains(&effect.symbol) || changes(*action) <= most_edits as usize {
            continue;
        }
        let flags = places.iter().filter_map(|place| leaving_out(sketch, *place)).collect();
        excused.insert(wanted.clone(), flags);
    }
    excused
}

enum Diagnosis {
    Safe,
    Unknown,
    Unsafe(Box<FiniteViolation>),
}

/// Whether the protocol is unsafe to begin with.
fn diagnosis(protocol: &Protocol, request: &CompleteRequest) -> Result<Diagnosis, CompleteError> {
    let stop = request.stop.share(1, DIAGNOSIS_SHARE);
    if let Some(violation) = small_violation(protocol, &stop) {
        return Ok(Diagnosis::Unsafe(Box::new(violation)));
    }
    let config = request.proof_config(request.stop.share(1, DIAGNOSIS_SHARE));
    Ok(match prove(protocol, &config)?.verdict {
        Verdict::Unsafe(violation) => Diagnosis::Unsafe(Box::new(violation)),
        Verdict::Safe => Diagnosis::Safe,
        Verdict::SafeUpTo(_) | Verdict::Unproved(_) => Diagnosis::Unknown,
    })
}

/// A violation of a safety property in a small instance, replayed by the engine.
fn small_violation(protocol: &Protocol, stop: &Stop) -> Option<FiniteViolation> {
    let small = SmallSizes::new(protocol);
    let alike = |states| {
        let small = &small;
        DIAGNOSIS_SIZES.map(move |count| (small.alike(count), states))
    };
    // Many violations need one more of one sort, and few of the others.
    let sorts: Vec<SortId> = protocol.signature.sized_sorts().collect();
    let uneven = |states| {
        let larger = DIAGNOSIS_MORE.flat_map(|count| sorts.iter().map(move |sort| (*sort, count)));
        let small = &small;
        larger.map(move |(sort, count)| (small.with_one(sort, count, 2), states))
    };
    let quick = alike(QUICK_STATES).chain(uneven(QUICK_STATES));
    let mut sizes = quick.chain(alike(DIAGNOSIS_STATES)).chain(uneven(DIAGNOSIS_STATES));
    sizes.find_map(|(size, max_states)| {
        let budget = Budget { max_states, max_memory: 1 << 30, ..Budget::until(stop.clone()) };
        violation_at(protocol, size, &budget).map(|(violation, _)| violation)
    })
}

/// A violation at one size, and how many states were visited until it was found.
fn violation_at(
    protocol: &Protocol,
    size: Size,
    budget: &Budget,
) -> Option<(FiniteViolation, u64)> {
    let mut question = Question::new(protocol, size.clone());
    let safety = protocol.properties.iter().filter(|own| own.kind == PropertyKind::Safety);
    question.claims = safety.map(Claim::from).collect();
    question.window = protocol.signature.uses_int().then_some(SMALL_INTEGERS);
    let outcome = check(ENGINES[0], &question, budget, &Silent);
    let Ok(FiniteOutcome::Unsafe(violation, coverage)) = outcome else { return None };
    let ClaimFailure::Claim(position, _) = &violation.failure else { return None };
    let claim = question.claims[*position].name.clone();
    let found = FiniteViolation { violation, claim, claims: question.claims, size };
    Some((found, coverage.visited.map_or(0, |counts| counts.states)))
}
