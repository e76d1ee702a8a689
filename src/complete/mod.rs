//! Completes protocols with holes and repairs unsafe ones; untrusted.
//!
//! The answer is a text. It is read and proved like any other: only the judge calls it safe.

mod behaviour;
mod beyond;
pub mod codes;
mod diff;
mod edits;
mod finalists;
mod kept;
mod mercury;
mod misfits;
mod progress;
mod repair;
mod search;
mod sketch;

pub use finalists::{Completion, Distinction, Filling};
pub use repair::{Repair, RepairAnswer, RepairEnding, repair};
pub use search::Iterations;

use std::time::{Duration, Instant};

use crate::budget::{Budget, Stop};
use crate::coverage::woven_protocol;
use crate::diagnostic::Diagnostic;
use crate::elaborate::{Elaborated, elaborate};
use crate::finite::{CandidateOrder, ClaimViolation, LivenessGoal, Silent, SmallSizes, Wanted};
use crate::frontend::Parsed;
use crate::judge::JudgeError;
use crate::protocol::{ExpectedRun, Protocol, Size, SymbolId};
use crate::prove::{Prefer, ProveConfig};
use crate::source::SourceFile;
use finalists::{Beyond, CompletedProtocol, Completing, Finalists, Refuted};
pub use mercury::complete_process;
use progress::abilities_of;
use search::{Found, Requirement, Search};
use sketch::{Sketch, no_holes, template};

/// What may be spent, and how many answers are wanted.
#[derive(Clone, Debug)]
pub struct CompleteRequest {
    /// Ends all of it.
    pub stop: Stop,
    /// The most time for the proof of one completion.
    pub proof_time: Duration,
    /// How many completions are wanted, each of another behaviour.
    pub answers: usize,
    /// How many threads a proof may use.
    pub threads: usize,
    /// For repairs: the most edits.
    pub most_edits: u32,
    /// Traces that must be runs of every answer.
    pub keep: Vec<SourceFile>,
    /// What is learnt from a candidate that fails.
    pub learning: Learning,
    /// Which of equally cheap candidates come first; 0 for those that change nothing.
    pub seed: u64,
}

/// What is learnt from a candidate that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learning {
    /// That everything fails which fails for the same reason.
    Clauses,
    /// Nothing about others, for comparison.
    Nothing,
}

/// Where the time went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CompleteTimes {
    /// From the start to the first candidate that passed the search.
    pub first: Option<Duration>,
    /// Larger instances and proofs of such candidates.
    pub proofs: Duration,
    /// All of it.
    pub total: Duration,
}

impl CompleteRequest {
    /// How one proof is searched for: an invariant if there is one, since most are found quickly.
    fn proof_config(&self, stop: Stop) -> ProveConfig<'static> {
        ProveConfig {
            stop,
            prefer: Prefer::Invariant,
            patience: 1,
            residual: 3,
            threads: self.threads,
            proved: &|| {},
            progress: &Silent,
        }
    }
}

/// The result of completing a sketch.
pub struct CompleteAnswer {
    /// How many holes there are.
    pub holes: usize,
    /// How many completions there are.
    pub space: SearchSpace,
    /// What was tried.
    pub iterations: Iterations,
    /// The sizes at which every completion was searched.
    pub sizes: Vec<Size>,
    /// What was found, proved ones first.
    pub completions: Vec<Completion>,
    /// Why there are no more.
    pub ending: CompleteEnding,
    /// What none of them keeps possible: actions and what they change.
    pub lost: Vec<String>,
    /// Where the time went.
    pub times: CompleteTimes,
    /// The protocol in which holes are state, for names.
    pub protocol: Protocol,
}

/// How many completions a sketch has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SearchSpace {
    /// This many.
    Exactly(u64),
    /// About so many, as a power of two.
    Power(f64),
}

/// Why there are no more completions.
pub enum CompleteEnding {
    /// As many as were wanted were found.
    Enough,
    /// There are no others: these are runs and requirements that exclude all.
    NoMore(Vec<Exclusion>),
    /// The search ended early, for this reason.
    GaveUp(String),
}

/// A reason why completions are excluded.
pub enum Exclusion {
    /// A run that violates a property, with these fillings of the holes.
    Run(Box<ClaimViolation>, Vec<Filling>),
    /// A `reach` line or an ability that is not kept.
    Requirement(String),
}

/// Why there is no answer.
pub enum CompleteError {
    /// The text is wrong.
    Text(Vec<Diagnostic>),
    /// A trace that was to be kept cannot be.
    Trace(Box<SourceFile>, Vec<Diagnostic>),
    /// A proof could not be judged.
    Judge(JudgeError),
}

impl From<JudgeError> for CompleteError {
    fn from(error: JudgeError) -> Self {
        CompleteError::Judge(error)
    }
}

/// The sizes that completions are searched at: up to three elements of every sort.
const SIZES: std::ops::RangeInclusive<u32> = 1..=3;

/// The sizes of all sorts at which a completion is looked at before it is proved.
const BEYOND: std::ops::RangeInclusive<u32> = 4..=5;

/// Completes a text with holes.
///
/// # Errors
/// When the text is wrong, or a proof cannot be judged.
pub fn complete(
    source: &SourceFile,
    parsed: &Parsed,
    request: &CompleteRequest,
) -> Result<CompleteAnswer, CompleteError> {
    let start = Instant::now();
    let sketch = template(&parsed.module).map_err(CompleteError::Text)?;
    if sketch.holes.is_empty() {
        return Err(CompleteError::Text(vec![no_holes()]));
    }
    let protocol = with_flags(source, &sketch)?;
    let completed = Sketch::completed;
    let completing = CompletedProtocol { source, parsed, sketch: &sketch, completed };
    let wanted = match protocol.expected_runs.iter().any(ExpectedRun::should_exist) {
        true => Vec::new(),
        false => abilities_of(&protocol, &flags_of(&sketch, &protocol)),
    };
    completed_sketch(
        (source, &sketch, &protocol),
        &completing,
        (wanted, Vec::new()),
        (request, start),
    )
}

/// The flags of a sketch in the protocol that has them.
fn flags_of(sketch: &Sketch, protocol: &Protocol) -> Vec<SymbolId> {
    let names = sketch.flag_names();
    names.iter().filter_map(|name| protocol.signature.find_symbol(name)).collect()
}

/// Searches for completions of a sketch that keep something possible, as far as any does.
fn completed_sketch(
    (source, sketch, protocol): (&SourceFile, &Sketch, &Protocol),
    completing: &dyn Completing,
    (wanted, liveness): (Vec<Wanted>, Vec<(String, LivenessGoal)>),
    (request, start): (&CompleteRequest, Instant),
) -> Result<CompleteAnswer, CompleteError> {
    let budget = Budget::until(request.stop.clone());
    let sizes = small_sizes(protocol);
    let order = CandidateOrder { most_changes: None, seed: request.seed };
    let mut search = Search::new((sketch, protocol), &sizes, order, &budget);
    search.learning = request.learning;
    search.keep(wanted, false);
    search.liveness = liveness;
    let beyond = BEYOND.map(|count| SmallSizes::new(protocol).alike(count));
    let beyond = beyond.map(|size| Beyond { size, wanted: Vec::new(), states: None }).collect();
    let mut finalists = Finalists::new((source, completing), beyond, (1, start));
    if !request.keep.is_empty() {
        let text = finalists.text(&vec![false; sketch.flags()]);
        let plain = finalists::read(source, &text).map_err(CompleteError::Text)?;
        kept::keep_traces(&mut search, sketch, &plain, (&request.keep, order), &budget)?;
    }
    let ending = completions(&mut search, &mut finalists, request)?;
    if finalists.is_empty() && matches!(ending, CompleteEnding::NoMore(_)) {
        let unreached = unreached((sketch, protocol), &sizes, &budget);
        if !unreached.is_empty() {
            return Err(CompleteError::Text(unreached));
        }
    }
    let lost = search.lost.iter().map(|lost| requirement_text(protocol, lost)).collect();
    let times = finalists.times();
    let completions = finalists.ranked(request.answers, &mut search);
    Ok(CompleteAnswer {
        holes: sketch.holes.len(),
        space: sketch.space(),
        iterations: search.iterations,
        sizes: search.sizes.iter().map(|own| own.size.clone()).collect(),
        completions,
        ending,
        lost,
        times,
        protocol: protocol.clone(),
    })
}

/// The `reach` lines that no completion reaches, whatever its runs violate.
fn unreached(sketch: (&Sketch, &Protocol), sizes: &[Size], budget: &Budget) -> Vec<Diagnostic> {
    let (_, protocol) = sketch;
    let goals = protocol.expected_runs.iter().filter(|run| run.should_exist());
    let unreached = goals.filter(|run| {
        let goal = (String::new(), woven_protocol(protocol, run), None);
        let mut search = Search::for_goal(sketch, sizes, CandidateOrder::default(), goal, budget);
        matches!(search.next(), Found::Nothing(_)) && !search.is_inexact
    });
    let refusal = unreached.map(|run| {
        let message = "no completion reaches this at the sizes tried";
        Diagnostic::error(codes::NOT_REACHED, message, run.span)
            .hint("holes decide what actions do; check the guards and updates that have none")
    });
    refusal.collect()
}

/// Collects completions until there are enough.
fn completions(
    search: &mut Search<'_>,
    finalists: &mut Finalists<'_>,
    request: &CompleteRequest,
) -> Result<CompleteEnding, CompleteError> {
    loop {
        if finalists.is_full(request.answers) {
            let refuted = finalists.prove(request)?;
            search.is_inexact |= finalists.compares() && !refuted.is_empty();
            refuted.iter().for_each(|own| exclude(search, finalists, own));
        }
        if finalists.is_enough(request.answers) {
            return Ok(CompleteEnding::Enough);
        }
        let ending = match search.next() {
            Found::Completion(found) => {
                match finalists.look_at(&found, &search.excused, &request.stop)? {
                    Some(refuted) => exclude(search, finalists, &refuted),
                    None => search.exclude_behaviour(&found),
                }
                continue;
            }
            Found::GaveUp(reason) => CompleteEnding::GaveUp(reason.to_string()),
            Found::Nothing(_) if search.is_inexact => CompleteEnding::GaveUp(
                "some completions could not be searched to the end".to_owned(),
            ),
            Found::Nothing(core) => {
                let core = core.into_iter().map(|number| &search.requirements[number]);
                let core: Vec<&Requirement> = core.collect();
                let exclusions =
                    core.into_iter().filter_map(|own| exclusion(search, finalists, own));
                CompleteEnding::NoMore(exclusions.collect())
            }
        };
        // What waits is proved now; if it turns out to be wrong, the search goes on.
        let refuted = finalists.prove(request)?;
        if refuted.is_empty() || matches!(ending, CompleteEnding::GaveUp(_)) {
            return Ok(ending);
        }
        search.is_inexact |= finalists.compares();
        refuted.iter().for_each(|own| exclude(search, finalists, own));
    }
}

/// A completion is wrong at a larger size, which is looked at from now on.
fn exclude(search: &mut Search<'_>, finalists: &Finalists<'_>, refuted: &Refuted) {
    if search.add_size(&refuted.size) {
        search.keep_also(finalists.wanted_at(&refuted.size));
    } else {
        search.exclude_alone(&refuted.values);
    }
}

fn exclusion(
    search: &Search<'_>,
    finalists: &Finalists<'_>,
    requirement: &Requirement,
) -> Option<Exclusion> {
    match requirement {
        Requirement::Run { values, .. } => {
            let violation = search.trace(requirement)?;
            Some(Exclusion::Run(Box::new(violation), finalists.fillings(values)))
        }
        Requirement::Goal(goal) => Some(Exclusion::Requirement(search.goals[*goal].text.clone())),
        Requirement::Lives(goal) => Some(Exclusion::Requirement(search.liveness[*goal].0.clone())),
        Requirement::Keeps(wanted) => {
            Some(Exclusion::Requirement(requirement_text(search.protocol(), wanted)))
        }
        Requirement::Alone | Requirement::Answered => None,
    }
}

/// Something wanted, in words.
fn requirement_text(protocol: &Protocol, wanted: &Wanted) -> String {
    match wanted {
        Wanted::Premise(property) => {
            format!("the premise of `{}` holds", protocol.properties[*property].name)
        }
        Wanted::Action(action) => format!("`{}` is possible", protocol.actions[*action].name),
        Wanted::Apart(action, _) => {
            let name = &protocol.actions[*action].name;
            format!("`{name}` is possible with different elements for its parameters")
        }
        Wanted::Effect(action, effect) => {
            let action = &protocol.actions[*action];
            let symbol = &protocol.signature.symbol(effect.symbol).name;
            let at = effect.at.iter();
            let at = at.map(|own| own.map_or("_", |param| &*action.params[param].name));
            let place = match effect.at.iter().any(Option::is_some) {
                true => format!("{symbol}({})", at.collect::<Vec<_>>().join(", ")),
                false => symbol.to_string(),
            };
            match effect.becomes {
                None => format!("`{}` changes `{place}`", action.name),
                Some(value) => format!("`{}` makes `{place}` {value}", action.name),
            }
        }
    }
}

/// The protocol in which every hole is state.
fn with_flags(source: &SourceFile, sketch: &Sketch) -> Result<Protocol, CompleteError> {
    let Elaborated { protocol, diagnostics } =
        elaborate(protocol_name(source.name()), &sketch.with_flags());
    protocol.ok_or_else(|| {
        let whole = diagnostics.into_iter().filter(Diagnostic::is_error).collect();
        CompleteError::Text(misfits::with_misfits(protocol_name(source.name()), sketch, whole))
    })
}

fn small_sizes(protocol: &Protocol) -> Vec<Size> {
    let small = SmallSizes::new(protocol);
    let mut sizes: Vec<Size> = SIZES.map(|count| small.alike(count)).collect();
    sizes.dedup();
    sizes
}

#[cfg(test)]
mod tests;

/// The file's name without folders and extension.
fn protocol_name(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.split_once('.').map_or(name, |(stem, _)| stem)
}
