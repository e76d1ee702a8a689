//! Completes protocols with holes and repairs unsafe ones; untrusted.
//!
//! The answer is a text. It is read and proved like any other: only the judge calls it safe.

pub mod codes;
mod diff;
mod edits;
mod finalists;
mod progress;
mod repair;
mod search;
mod sketch;

pub use finalists::{Completion, Filling};
pub use repair::{Repair, RepairAnswer, RepairEnding, repair};
pub use search::Iterations;

use std::time::Duration;

use crate::budget::{Budget, Stop};
use crate::diagnostic::Diagnostic;
use crate::elaborate::{Elaborated, elaborate};
use crate::finite::{ClaimViolation, Silent, SmallSizes};
use crate::frontend::Parsed;
use crate::judge::JudgeError;
use crate::protocol::{Protocol, Size};
use crate::prove::{Prefer, ProveConfig};
use crate::source::SourceFile;
use finalists::Finalists;
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

/// Completes a text with holes.
///
/// # Errors
/// When the text is wrong, or a proof cannot be judged.
pub fn complete(
    source: &SourceFile,
    parsed: &Parsed,
    request: &CompleteRequest,
) -> Result<CompleteAnswer, CompleteError> {
    let sketch = template(&parsed.module).map_err(CompleteError::Text)?;
    if sketch.holes.is_empty() {
        return Err(CompleteError::Text(vec![no_holes()]));
    }
    let protocol = with_flags(source, &sketch)?;
    let budget = Budget::until(request.stop.clone());
    let sizes = small_sizes(&protocol);
    let mut search = Search::new((&sketch, &protocol), &sizes, None, &budget);
    if !search.has_goals() {
        let every = search.every_ability();
        search.keep(every, false);
    }
    let mut finalists = Finalists::new(source, parsed, &sketch);
    let ending = completions(&mut search, &mut finalists, request)?;
    let lost = search.lost.iter().map(|lost| requirement_text(&protocol, lost)).collect();
    Ok(CompleteAnswer {
        holes: sketch.holes.len(),
        space: sketch.space(),
        iterations: search.iterations,
        sizes: search.sizes.iter().map(|own| own.size.clone()).collect(),
        completions: finalists.ranked(request.answers),
        ending,
        lost,
        protocol,
    })
}

/// Collects completions until there are enough.
fn completions(
    search: &mut Search<'_>,
    finalists: &mut Finalists<'_>,
    request: &CompleteRequest,
) -> Result<CompleteEnding, CompleteError> {
    loop {
        if finalists.is_enough(request.answers) {
            return Ok(CompleteEnding::Enough);
        }
        match search.next() {
            Found::GaveUp(reason) => return Ok(CompleteEnding::GaveUp(reason.to_string())),
            Found::Nothing(_) if search.is_inexact => {
                let reason = "some completions could not be searched to the end".to_owned();
                return Ok(CompleteEnding::GaveUp(reason));
            }
            Found::Nothing(core) => {
                let core = core.into_iter().map(|number| &search.requirements[number]);
                let core: Vec<&Requirement> = core.collect();
                let exclusions =
                    core.into_iter().filter_map(|own| exclusion(search, finalists, own));
                return Ok(CompleteEnding::NoMore(exclusions.collect()));
            }
            Found::Completion(found) => {
                let unsafe_at = finalists.judge(&found.values, request)?;
                match unsafe_at {
                    Some(size) if search.add_size(&size) => {}
                    Some(_) => search.exclude_alone(&found.values),
                    None => search.exclude_behaviour(&found),
                }
            }
        }
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
        Requirement::Goal(goal) => {
            let run = &search.protocol().expected_runs[*goal];
            Some(Exclusion::Requirement(crate::protocol::print_goal(search.protocol(), run)))
        }
        Requirement::Keeps(wanted) => {
            Some(Exclusion::Requirement(requirement_text(search.protocol(), wanted)))
        }
        Requirement::Alone | Requirement::Answered => None,
    }
}

/// Something wanted, in words.
fn requirement_text(protocol: &Protocol, wanted: &crate::finite::Wanted) -> String {
    use crate::finite::Wanted;
    match wanted {
        Wanted::Action(action) => format!("`{}` is possible", protocol.actions[*action].name),
        Wanted::Effect(action, symbol) => {
            let (action, symbol) =
                (&protocol.actions[*action].name, &protocol.signature.symbol(*symbol).name);
            format!("`{action}` changes `{symbol}`")
        }
    }
}

/// The protocol in which every hole is state.
fn with_flags(source: &SourceFile, sketch: &Sketch) -> Result<Protocol, CompleteError> {
    let Elaborated { protocol, diagnostics } =
        elaborate(protocol_name(source.name()), &sketch.with_flags());
    protocol.ok_or_else(|| {
        CompleteError::Text(diagnostics.into_iter().filter(Diagnostic::is_error).collect())
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
